"""Copied Python of the MONK lab, a few lines that reproduce the page's numbers, and the lab's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.paired import sides_lines
from explorer.workbench.script import script
from explorer.workbench.user_rows import drawn_lines, lines_of

from .lab import ITERATIONS, second_factor, side
from .result import SWAPS, is_tested

if TYPE_CHECKING:
    from .result import MonkLabResult


def python(result: MonkLabResult) -> Snippet:
    """Return a script that prints, and leaves in `shown`, the page's numbers, equal to 1e-12.

    They are the U-statistic's and MONK's MMD, the true one if it is known, the p-values of the user's pairs, and the
    other estimates if they are shown. A negative U-statistic has no root and is printed as MMD², as on the page.
    """
    lab, kernel = result.lab, result.kernel
    names, lines = _pairs(result)
    negative = result.U < 0
    root, note = (NOTHING, snippet("  # an MMD² below 0 has no root")) if negative else (snippet(" ** 0.5"), NOTHING)
    lines += [
        *_outliers(lab),
        snippet("kernel = {}", kernel),
        snippet(
            "monk = monk_mmd(X, Y, kernel, {}, {}, iterations={}, rng={})",
            lab.blocks,
            lab.method,
            ITERATIONS,
            lab.partition,
        ),
        snippet(
            'shown = {{{}: mmd2(X, Y, kernel){}, "MONK": monk.value}}{}',
            "U, of MMD²" if negative else "U",
            root,
            note,
        ),
    ]
    if result.distributions and result.P != result.Q:
        names.append("mmd2_of_laws")
        lines.append(snippet('shown["truth"] = max(mmd2_of_laws(P, Q, kernel), 0.0) ** 0.5'))
    elif result.distributions:
        lines.append(snippet('shown["truth"] = 0.0  # P and Q are the same distribution'))
    if is_tested(lab):
        names.append("monk_test")
        options = snippet("n_resamples={}, iterations={}, rng={}", SWAPS, ITERATIONS, lab.partition)
        lines += [
            snippet("# one block is the plain MMD, which orders the swaps as the U-statistic does"),
            snippet('shown["p of U"] = monk_test(X, Y, kernel, 1, "direction", {}).pvalue', options),
            snippet('shown["p of MONK"] = monk_test(X, Y, kernel, {}, {}, {}).pvalue', lab.blocks, lab.method, options),
        ]
    if result.rivals is not None:
        names += ["KME", "MedianOfMeans", "RobustKME"]
        lines += [
            snippet('geometric = MedianOfMeans(kernel, {}, "geometric")', lab.blocks),
            snippet('shown["plain average"] = KME(kernel).embed(X).distance(KME(kernel).embed(Y))'),
            snippet(
                'shown["geometric"] = geometric.embed(X, {}).distance(geometric.embed(Y, {}))',
                lab.partition,
                lab.partition,
            ),
            snippet('for loss in ("huber", "hampel"):'),
            snippet("    robust = RobustKME(kernel, loss)"),
            snippet("    shown[loss] = robust.embed(X).distance(robust.embed(Y))"),
        ]
    return script([type(kernel).__name__, "mmd2", "monk_mmd", *names], [*lines, snippet("print(shown)")])


def _pairs(result):
    """Return the imports for the clean pairs, and the lines that create them."""
    lab = result.lab
    if result.sides:
        return sides_lines(lab, result.halves)
    lines = [
        snippet("P = {}", _law(lab, 0)),
        snippet("Q = {}", _law(lab, 1)),
        snippet("X, Y = P.sample({}, rng={}), Q.sample({}, rng={})", lab.n, 2 * lab.seed, lab.n, 2 * lab.seed + 1),
    ]
    return ["Pareto" if lab.laws == "pareto" else "GaussianMixture"], lines


def _law(lab, which):
    if lab.laws == "pareto":
        return snippet("Pareto(3.0)")
    if lab.laws == "paper":
        return (
            snippet("GaussianMixture([1.0], [[0.35]], [0.45**2])"),
            snippet("GaussianMixture([1.0], [[0.75]], [0.85**2])"),
        )[which]
    mean = [(0.0, lab.shift)[which], *[0.0] * (lab.d - 1)]
    return snippet("GaussianMixture([1.0], [{}], [1.0] * {})", mean, lab.d)


def _outliers(lab):
    lines, points = [], lab.points
    if lab.outliers or points:
        lines.append(snippet("X, Y = X.copy(), Y.copy()  # the truth is still the MMD of the clean distributions"))
    for row, (x, height) in enumerate(points):
        lines.append(
            snippet("{}[{}, 0] = {}  # placed by hand", snippet("X") if side(height) == "P" else snippet("Y"), row, x)
        )
    if lab.outliers and lab.planted != "Q":
        lines.append(snippet("X[-{}:, 0] = {}", lab.outliers, lab.distance))
    if lab.outliers and lab.planted != "P":
        lines.append(snippet("Y[-{}:, 0] = {}", lab.outliers, second_factor(lab.planted) * lab.distance))
    return lines


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
