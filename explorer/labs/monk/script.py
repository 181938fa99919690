"""Copied Python of the MONK lab, a few lines that reproduce the page's numbers, and the lab's tables."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.discrepancy import mmd2, mmd2_of_laws, monk_mmd, monk_test
from explorer.embeddings import GaussianMixture, Pareto
from explorer.estimators import KME, MedianOfMeans, RobustKME
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.paired import pairing
from explorer.workbench.script import kernel_steps
from explorer.workbench.user_rows import drawn_lines, lines_of

from .lab import ITERATIONS, second_factor, side
from .result import SWAPS, is_tested

if TYPE_CHECKING:
    from .result import MonkLabResult


def python(result: MonkLabResult) -> Script:
    """Return a script that prints, and leaves in `shown`, the page's numbers, equal to 1e-12.

    They are the U-statistic's and MONK's MMD, the true one if it is known, the p-values of the user's pairs, and the
    other estimates if they are shown. A negative U-statistic has no root and is printed as MMD², as on the page.
    """
    lab, kernel_of = result.lab, kernel_steps(result.lab, result.kernel, False)
    pairs: Any = pairing(lab, result.halves) if result.sides else _pairs(lab)
    points = [(side(height), row, x) for row, (x, height) in enumerate(lab.points)]
    far: Any = second_factor(lab.planted) * lab.distance
    how: Any = {"n_resamples": SWAPS, "iterations": ITERATIONS, "rng": lab.partition}
    same, tested = result.distributions and result.P == result.Q, is_tested(lab)

    @recipe
    def steps():
        if result.sides:
            X, Y = pairs()
        else:
            X, Y, P, Q = pairs()
        if lab.outliers or points:
            X, Y = X.copy(), Y.copy()  # the truth is still the MMD of the clean distributions
        for side_of, row, x in points:
            if side_of == "P":
                X[row, 0] = x  # placed by hand
            else:
                Y[row, 0] = x  # placed by hand
        if lab.outliers and lab.planted != "Q":
            X[-lab.outliers :, 0] = lab.distance
        if lab.outliers and lab.planted != "P":
            Y[-lab.outliers :, 0] = far
        kernel = kernel_of()
        monk = monk_mmd(X, Y, kernel, lab.blocks, lab.method, iterations=ITERATIONS, rng=lab.partition)
        if result.U < 0:
            shown = {"U, of MMD²": mmd2(X, Y, kernel), "MONK": monk.value}  # an MMD² below 0 has no root
        else:
            shown = {"U": mmd2(X, Y, kernel) ** 0.5, "MONK": monk.value}
        if result.distributions and same:
            shown["truth"] = 0.0  # P and Q are the same distribution
        elif result.distributions:
            shown["truth"] = max(mmd2_of_laws(P, Q, kernel), 0.0) ** 0.5
        if tested:
            # one block is the plain MMD, which orders the swaps as the U-statistic does
            shown["p of U"] = monk_test(X, Y, kernel, 1, "direction", **how).pvalue
            shown["p of MONK"] = monk_test(X, Y, kernel, lab.blocks, lab.method, **how).pvalue
        if result.rivals is not None:
            geometric = MedianOfMeans(kernel, lab.blocks, "geometric")
            shown["plain average"] = KME(kernel).embed(X).distance(KME(kernel).embed(Y))
            shown["geometric"] = geometric.embed(X, lab.partition).distance(geometric.embed(Y, lab.partition))
            for loss in ("huber", "hampel"):
                robust = RobustKME(kernel, loss)
                shown[loss] = robust.embed(X).distance(robust.embed(Y))
        print(shown)

    return steps.script()


def _pairs(lab):
    """Return the steps that draw the clean pairs of two distributions."""
    (p, q), others = (2 * lab.seed, 2 * lab.seed + 1), [0.0] * (lab.d - 1)
    means = [0.0, *others], [lab.shift, *others]

    @recipe
    def steps():
        if lab.laws == "pareto":
            P: Any = Pareto(3.0)
            Q: Any = Pareto(3.0)
        elif lab.laws == "paper":
            P = GaussianMixture([1.0], [[0.35]], [0.45**2])
            Q = GaussianMixture([1.0], [[0.75]], [0.85**2])
        else:
            P = GaussianMixture([1.0], [means[0]], [1.0] * lab.d)
            Q = GaussianMixture([1.0], [means[1]], [1.0] * lab.d)
        X, Y = P.sample(lab.n, rng=p), Q.sample(lab.n, rng=q)
        return X, Y, P, Q

    return steps


def numbers(result: MonkLabResult) -> Numbers:
    """Return the tables: the pairs, the blocks, and the numbers of the secondary picture.

    The form is table -> column -> values, shape (rows,).
    """
    estimate, pairs = result.estimate, result.pairs
    block = np.empty(len(pairs.X), dtype=int)
    for q, rows in enumerate(estimate.blocks):
        block[rows] = q + 1
    coordinates = _coordinates(result)
    return {
        "pairs": with_own(
            coordinates, {"contaminated": pairs.contaminated.astype(int), "block": block}, _lines(result)
        ),
        "blocks": {
            "block": np.arange(1, len(estimate.blocks) + 1),
            "value": estimate.block_values,
            "contaminated": result.contaminated_blocks().astype(int),
        },
        **_small(result),
    }


def _coordinates(result):
    """Return the coordinates of both sides by name, shape (n,), in the units of the user's tables."""
    sides = {"x": result.pairs.X, "y": result.pairs.Y}
    if not result.sides:
        return {f"{name}_{j + 1}": values for name, points in sides.items() for j, values in enumerate(points.T)}
    quantities = result.halves.quantities
    return {
        title: quantity.to_file_units(values)
        for titles, points in zip(result.halves.titles, sides.values(), strict=True)
        for title, quantity, values in zip(titles, quantities, points.T, strict=True)
    }


def _lines(result):
    """Return the rows of the user's tables behind each pair: one column for one table, two for two samples."""
    lab = result.lab
    if not lab.sampled:
        return drawn_lines(lab)
    halves = result.halves
    each = zip((halves.P, halves.Q), lab.seeds(halves.in_order), halves.names, strict=True)
    return {
        f"{word}, {name}": rows
        for side, seed, name in each
        for word, rows in lines_of(side, side.drawn(lab.n, seed)).items()
    }


def _small(result):
    if (steps := result.steps) is not None:
        values, blocks = np.array([s.value for s in steps]), np.array([s.median_block + 1 for s in steps])
        return {"steps": {"iteration": np.arange(1, len(steps) + 1), "value": values, "block": blocks}}
    if result.rivals is not None:
        u = "U-statistic" if result.U >= 0 else "U-statistic, of an MMD² below 0: minus the root of its size"
        rows = {u: result.u_mmd, "MONK": result.estimate.value, **result.rivals}
        errors = {} if result.truth is None else {"error": np.array([result.error(value) for value in rows.values()])}
        return {"estimates": {"estimator": np.array(list(rows)), "mmd": np.array(list(rows.values())), **errors}}
    if (e := result.embeddings) is not None:
        at = {result.axis.name if result.sides else "at": result.axis.to_file_units(e.at)}
        return {"embeddings": with_own(at, {n: values for n, values in e.values.items() if n != "truth" or e.errors})}
    if (study := result.study) is None:
        return {}
    names = {name: name if isinstance(name, str) else f"Q{name}" for name in study.errors}
    if not study.counts:
        return {"errors": {names[name]: np.sort(values) for name, values in study.errors.items()}}
    quantiles = {
        f"{names[name]}_q{round(100 * q)}": study.quantile(name, q) for name in names for q in (0.25, 0.5, 0.75)
    }
    return {"cliff": {"outliers": np.array(study.counts), **quantiles}}
