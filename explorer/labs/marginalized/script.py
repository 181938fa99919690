"""Copied Python of the Marginalized lab, a few lines that reproduce the page's numbers, and the lab's tables."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.embeddings import GaussianMixture, StudentT
from explorer.estimators import (
    KME,
    MKME,
    MMKME,
    NoisySample,
    local_shapes,
    marginalized_along,
    marginalized_refits,
    other_noise,
    shaped,
)
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.replicates import loss_columns
from explorer.workbench.script import Noted, estimated_losses, opening, relative_losses
from explorer.workbench.user_rows import drawn_lines

from .extra_estimator.words import third_name
from .lab import NARROW, WIDE

if TYPE_CHECKING:
    from .result import MarginalizedResult


def python(result: MarginalizedResult) -> Script:
    """Return a script that prints, and leaves in `losses`, the losses that the page shows at its σ.

    They are losses relative to the loss of KME, equal to the page's to 1e-12.
    """
    lab, row, chosen, known, table = result.lab, result.row, result.kernel, result.law is not None, opening(result.lab)
    draw, third = _law(lab), None if result.third is None else _third(result)
    note = "the leave-one-out choice" if lab.sigma is None else f"{lab.sigma:g} of the data's standard deviation"
    sigma, name_of_third = Noted(float(result.mkme.deviations[row, 0]), note), third_name(result)
    both = result.mmkme.deviations[row].tolist()

    @recipe
    def steps():
        if known:
            law = draw()
            X = law.sample(lab.n, rng=lab.seed)
        else:
            data = table()
            X = data.sample(lab.n, rng=lab.seed)
        kernel = chosen  # {lab.bandwidth:g} x the median heuristic
        estimators = {
            "KME": KME(kernel),
            "MKME": MKME(kernel, sigma=sigma.value),  # {sigma.note}
            "MMKME": MMKME(kernel, sigma=both),
        }
        if known:
            losses = relative_losses(law, kernel, X, estimators)
        else:
            scores = {"KME": KME(kernel).loocv(X)}
            for name in ("MKME", "MMKME"):
                scores[name] = float(estimators[name].loocv(X, [estimators[name].sigma])[0])
            losses = estimated_losses(scores, X)
        print(losses)
        if third is not None:
            losses[name_of_third] = third(kernel, X, law if known else None)
            print(losses)

    return steps.script()


def _third(result):
    """Return the steps of the third estimate's loss, or of its score if the truth is unknown."""
    lab, d, shapes = result.lab, result.X.shape[1], result.third.shapes
    s, local = float(result.third.path.sigmas[result.row]) * result.unit, lab.third == "local"

    @recipe
    def steps(kernel, X, law):
        noisy = NoisySample(kernel, X, law)
        if shapes is None:
            noise = other_noise(noisy, lab.third)
        elif local:
            noise = shaped(noisy, local_shapes(X, lab.neighbours))
            score = marginalized_refits(noisy, lambda X: local_shapes(X, lab.neighbours))
        else:
            noise = shaped(noisy, np.array(shapes.tolist()))
        third = marginalized_along(noisy, [], 1.0, noise, [1.0] * d, chosen=s, **({"score": score} if local else {}))
        return float(third.height[-1])

    return steps


def _law(lab):
    """Return the steps that create the true distribution."""
    others = lab.d - 1
    covariance = (lab.error + NARROW * np.eye(lab.d)).tolist() if lab.source == "measured" else None

    @recipe
    def steps():
        if lab.source == "normal":
            return GaussianMixture([1.0], [[0.0] * lab.d], [1.0] * lab.d)
        if lab.source == "student":
            return StudentT(lab.df, [0.0] * lab.d, 1.0)
        if lab.source == "mixture":
            return GaussianMixture.random(lab.d, rng=lab.law_seed)
        hills = GaussianMixture.random(lab.d, rng=lab.law_seed)
        if lab.source == "measured":
            blurred = covariance  # narrow clusters, and the measurement error
            return GaussianMixture(hills.weights, hills.means, [blurred] * len(hills.weights))
        means = hills.means * ([0.0] + [1.0] * others)  # the first coordinate is only noise
        return GaussianMixture(hills.weights, means, [WIDE] + [NARROW] * others)

    return steps


def numbers(result: MarginalizedResult) -> Numbers:
    """Return the tables: the curves over the slider's σ, the sample, the noise per coordinate, the secondary picture.

    The form is table -> column -> values, shape (rows,).
    """
    paths = {"mkme": result.mkme, "mmkme": result.mmkme}
    curves = {"sigma_sd": result.mkme.sigmas[:-1], "sigma": result.mkme.deviations[:-1, 0]}
    for name, path in paths.items():
        curves |= loss_columns(path, name, result.replicates, name)
    if result.risk is not None:
        curves["mkme_risk"] = result.risk[:-1]
    if result.third is not None:
        curves |= {"third_score": result.third.path.score[:-1], "third_height": result.third.path.height[:-1]}
    noise = {"coordinate": np.arange(1, result.X.shape[1] + 1)}
    noise |= {f"{name}_sigma": path.deviations[result.row] for name, path in paths.items()}
    return {
        "curves": curves,
        "sample": with_own(result.sample.own, {}, drawn_lines(result.lab)),
        "noise": noise,
        result.lab.picture: SMALL[result.lab.picture](result),
    }


def _kernel(result):
    small, row = result.slices, result.row
    lines = {"mkme_one": small.one, "mkme_both": small.both, "mmkme_first": small.first, "mmkme_second": small.second}
    return {"distance_theta": small.at, "k": small.plain, **{n: v[row] for n, v in lines.items() if v is not None}}


def _filter(result):
    small = result.projected
    return {
        "eigenvalue": small.eigenvalues[::-1],
        "kme_share": small.coefficients[::-1],
        "mkme_keeps": small.kept[result.row][::-1],
    }


def _approximation(result):
    parts = {name: getattr(result.missed, name)[:-1] for name in ("kme", "projection", "corrected", "printed")}
    return {"sigma_sd": result.mkme.sigmas[:-1], **parts}


def _dice(result):
    small = result.thrown
    return {"copies": np.arange(1, len(small.path) + 1), "squared_distance": small.path, "expected": small.expected}


SMALL: dict[str, Callable[[Any], dict[str, Any]]] = {
    "kernel": _kernel,
    "filter": _filter,
    "approximation": _approximation,
    "dice": _dice,
}
