"""What one takes away from the MONK lab: the few lines that give the screen's numbers again, and the tables."""

from __future__ import annotations

import numpy as np

from explorer.model import code

from .lab import ITERATIONS, second_factor, side


def python(result):
    """A script that prints, and leaves in `shown`, what the page shows.

    U, MONK's value and the true MMD, equal to 1e-12.
    """
    lab, kernel, once = result.lab, result.kernel, result.P == result.Q
    family = "Pareto" if lab.laws == "pareto" else "GaussianMixture"
    names = {type(kernel).__name__, "mmd2", "monk_mmd", family}
    truth = "truth = 0.0  # one distribution twice"
    if not once:
        names.add("mmd2_of_laws")
        truth = "truth = max(mmd2_of_laws(P, Q, kernel), 0.0) ** 0.5"
    lines = [
        f"P = {_law(lab, 0)}",
        f"Q = {_law(lab, 1)}",
        f"X, Y = P.sample({lab.n}, rng={2 * lab.seed}), Q.sample({lab.n}, rng={2 * lab.seed + 1})",
        *_outliers(lab),
        f"kernel = {code(kernel)}",
        f"monk = monk_mmd(X, Y, kernel, {lab.blocks}, {lab.method!r}, iterations={ITERATIONS}, rng={lab.partition})",
        truth,
        'shown = {"U": mmd2(X, Y, kernel), "MONK": monk.value, "truth": truth}  # U estimates MMD², MONK MMD',
        "print(shown)",
    ]
    imports = ", ".join(sorted(names, key=lambda n: (n.lower(), n)))
    return "\n".join([f"from explorer import {imports}", "", *lines, ""])


def _law(lab, which):
    if lab.laws == "pareto":
        return "Pareto(3.0)"
    if lab.laws == "paper":
        return ("GaussianMixture([1.0], [[0.35]], [0.45**2])", "GaussianMixture([1.0], [[0.75]], [0.85**2])")[which]
    mean = [(0.0, lab.shift)[which], *[0.0] * (lab.d - 1)]
    return f"GaussianMixture([1.0], [{mean}], [1.0] * {lab.d})"


def _outliers(lab):
    lines, points = [], lab.points
    if lab.outliers or points:
        lines.append("X, Y = X.copy(), Y.copy()  # the truth stays that of the clean distributions")
    for row, (x, height) in enumerate(points):
        lines.append(f"{'X' if side(height) == 'P' else 'Y'}[{row}, 0] = {x!r}  # put by hand")
    if lab.outliers and lab.planted != "Q":
        lines.append(f"X[-{lab.outliers}:, 0] = {code(lab.distance)}")
    if lab.outliers and lab.planted != "P":
        lines.append(f"Y[-{lab.outliers}:, 0] = {code(second_factor(lab.planted) * lab.distance)}")
    return lines


def numbers(result):
    """Table -> column -> (rows,): the pairs, the blocks, and what the small picture shows."""
    estimate, pairs = result.estimate, result.pairs
    block = np.empty(len(pairs.X), dtype=int)
    for q, rows in enumerate(estimate.blocks):
        block[rows] = q + 1
    coordinates = {
        f"{name}_{j + 1}": values
        for name, points in (("x", pairs.X), ("y", pairs.Y))
        for j, values in enumerate(points.T)
    }
    return {
        "pairs": {**coordinates, "spoilt": pairs.contaminated.astype(int), "block": block},
        "blocks": {
            "block": np.arange(1, len(estimate.blocks) + 1),
            "value": estimate.block_values,
            "spoilt": result.contaminated_blocks().astype(int),
        },
        **_small(result),
    }


def _small(result):
    if (steps := result.steps) is not None:
        return {
            "steps": {
                "iteration": np.arange(1, len(steps) + 1),
                "value": np.array([s.value for s in steps]),
                "block": np.array([s.median_block + 1 for s in steps]),
            }
        }
    if (e := result.embeddings) is not None:
        return {"embeddings": {"at": e.at, "law": e.truth, "kme": e.kme, "median_of_means": e.median}}
    if (study := result.study) is None:
        return {}
    names = {name: name if isinstance(name, str) else f"Q{name}" for name in study.errors}
    if not study.counts:
        return {"errors": {names[name]: np.sort(values) for name, values in study.errors.items()}}
    quantiles = {
        f"{names[name]}_q{round(100 * q)}": study.quantile(name, q) for name in names for q in (0.25, 0.5, 0.75)
    }
    return {"cliff": {"outliers": np.array(study.counts), **quantiles}}
