"""Copy Python: the few lines that give the screen's numbers again."""

from __future__ import annotations

from explorer.model import code
from explorer.workbench.placed import placed, second, side

from .monk_compute import ITERATIONS


def python(result):
    """A script that prints, and leaves in `shown`, what the page shows.

    U, MONK's value and the true MMD, equal to 1e-12.
    """
    lab, kernel = result.lab, result.pairs.kernel
    names = {
        type(kernel).__name__,
        "mmd2",
        "mmd2_of_laws",
        "monk_mmd",
        "Pareto" if lab.laws == "pareto" else "GaussianMixture",
    }
    lines = [
        f"P = {_law(lab, 0)}",
        f"Q = {_law(lab, 1)}",
        f"X, Y = P.sample({lab.n}, rng={2 * lab.seed}), Q.sample({lab.n}, rng={2 * lab.seed + 1})",
        *_outliers(lab),
        f"kernel = {code(kernel)}",
        f"monk = monk_mmd(X, Y, kernel, {lab.blocks}, {lab.method!r}, iterations={ITERATIONS}, rng={lab.partition})",
        "truth = 0.0  # one law twice"
        if result.P == result.Q
        else "truth = max(mmd2_of_laws(P, Q, kernel), 0.0) ** 0.5",
        'shown = {"U": mmd2(X, Y, kernel), "MONK": monk.value, "truth": truth}  # U estimates MMD², MONK MMD',
        "print(shown)",
    ]
    if result.P == result.Q:
        names -= {"mmd2_of_laws"}
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
    lines, points = [], placed(lab.placed)
    if lab.outliers or points:
        lines.append("X, Y = X.copy(), Y.copy()  # the truth stays that of the clean laws")
    for row, (x, height) in enumerate(points):
        lines.append(f"{'X' if side(height) == 'P' else 'Y'}[{row}, 0] = {x!r}  # put by hand")
    if lab.outliers and lab.planted != "Q":
        lines.append(f"X[-{lab.outliers}:, 0] = {code(lab.distance)}")
    if lab.outliers and lab.planted != "P":
        lines.append(f"Y[-{lab.outliers}:, 0] = {code(second(lab.planted) * lab.distance)}")
    return lines
