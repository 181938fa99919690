"""The MONK lab's pictures once more, as tables and as sentences."""

from __future__ import annotations

import numpy as np

from explorer.estimators.medianofmeans.bound import blocks_needed, deviation_bound
from explorer.workbench.numbers import number, signed

from .monk_studies import VOTES, spoilt_side
from .monk_words import METHODS, blocks_said, spoilt_said, vote

ETA = 0.05  # the level of which the twin speaks


def numbers(result):
    """Table -> column -> (rows,): the pairs, the blocks, and what the small picture shows."""
    found, pairs, n = result.estimate, result.pairs, result.lab.n
    block = np.empty(n)
    for q, rows in enumerate(found.blocks):
        block[rows] = q + 1
    coordinates = {
        f"{name}_{j + 1}": points[:, j]
        for name, points in (("x", pairs.X), ("y", pairs.Y))
        for j in range(result.lab.d)
    }
    return {
        "pairs": {**coordinates, "spoilt": pairs.spoilt.astype(int), "block": block.astype(int)},
        "blocks": {
            "block": np.arange(1, len(found.blocks) + 1),
            "value": found.block_values,
            "spoilt": result.spoilt_blocks().astype(int),
        },
        **_small(result),
    }


def _small(result):
    if result.steps is not None:
        steps = result.steps
        return {
            "steps": {
                "iteration": np.arange(1, len(steps) + 1),
                "value": np.array([s.value for s in steps]),
                "block": np.array([s.median_block + 1 for s in steps]),
            }
        }
    if result.embeddings is not None:
        e = result.embeddings
        return {"embeddings": {"at": e.at, "law": e.truth, "kme": e.kme, "median_of_means": e.median}}
    study = result.replicates
    if study is None:
        return {}
    named = {name: name if isinstance(name, str) else f"Q{name}" for name in study.errors}
    if study.counts:
        quantiles = {
            f"{named[name]}_q{round(100 * q)}": study.quantile(name, q)
            for name in study.errors
            for q in (0.25, 0.5, 0.75)
        }
        return {"cliff": {"outliers": np.array(study.counts), **quantiles}}
    return {"errors": {named[name]: np.sort(values) for name, values in study.errors.items()}}


def measures(result):
    """What two states are compared by."""
    return {
        "the true MMD": result.truth,
        "U, of MMD²": result.U,
        "the MMD that U says": result.u_mmd,
        "MONK's MMD": result.estimate.value,
        "MONK's error": result.error(result.estimate.value),
        "the U-statistic's error": result.error(result.u_mmd),
    }


def twin(result):
    """One paragraph for each picture, for readers who do not see it."""
    return [_canvas(result), _blocks(result), SMALL[result.lab.picture](result)]


def _canvas(result):
    lab = result.lab
    hand = result.outliers - lab.outliers
    where = {
        "both": f"{number(lab.distance)} in P and {number(2 * lab.distance)} in Q",
        "P": f"{number(lab.distance)} in P",
        "Q": f"{number(lab.distance)} in Q",
    }[lab.planted]
    planted = f" {lab.outliers} planted at {where}." if lab.outliers else ""
    by_hand = f" {hand} put by hand." if hand else ""
    return f"P's points above Q's. {spoilt_said(result)}{planted}{by_hand} {vote(result, result.row)}"


def _blocks(result):
    values, found = result.estimate.block_values, result.estimate
    return (
        f"The witness's means over {blocks_said(len(values))} lie from {signed(float(values.min()))} to "
        f"{signed(float(values.max()))}; their median is {signed(float(values[found.median_block]))}. "
        f"{METHODS[result.lab.method]} says {signed(found.value)}, the U-statistic's root is {signed(result.u_mmd)}, "
        f"the truth {signed(result.truth)}."
    )


def _cliff(result):
    study = result.replicates
    if study is None:
        return "Other samples with more and more outliers are being drawn."
    last = study.counts[-1]
    medians = {name: study.quantile(name, 0.5) for name in study.errors}
    said = [f"with {last} of them U is wrong by {number(float(medians['U'][-1]))}"]
    said += [f"{blocks_said(Q)} by {number(float(medians[Q][-1]))}" for Q in VOTES if Q in medians]
    return f"The median error of {study.count} further samples over the number of planted outliers: {', '.join(said)}."


def _quantiles(result):
    study = result.replicates
    if study is None:
        return "Other samples are being drawn."
    law = (result.P, result.Q)[spoilt_side(result.lab)]
    bound = float(deviation_bound(law, result.pairs.kernel, result.lab.n, ETA, result.lab.outliers)[0])
    needed = float(blocks_needed(ETA))
    promise = (
        f"stays below {number(bound)}"
        if np.isfinite(bound)
        else f"is nothing: it needs {number(needed)} blocks and more than twice as many points"
    )
    said = [
        f"{'the plain average' if name == 'KME' else f'the median of {name} means'} is "
        f"{number(float(study.quantile(name, 1 - ETA)))} away"
        for name in study.errors
    ]
    return (
        f"Of {study.count} further samples one in {round(1 / ETA)} is worse than this: {', '.join(said)}. "
        f"What Theorem 1 promises for that {promise}."
    )


def _steps(result):
    steps, here = result.steps, result.lab.iteration
    return (
        f"{len(steps)} iterations; after iteration {here} the median block mean is {signed(steps[here - 1].value)}, "
        f"after the last {signed(steps[-1].value)}."
    )


def _embedding(result):
    e = result.embeddings
    return (
        f"The mean embedding as a function of the first coordinate: the plain average is {number(e.kme_error)} away"
        " from the law's in the kernel's space, the median of"
        f" {blocks_said(result.lab.blocks).replace('block', 'block mean')} {number(e.median_error)}."
    )


SMALL = {"cliff": _cliff, "quantiles": _quantiles, "steps": _steps, "embedding": _embedding}
