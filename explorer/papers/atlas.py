"""Atlas of exact risk: how much shrinkage and noise can gain, by bandwidth, n and d, in closed form.

gain(theta, n, d, law) draws nothing. The distribution's kernel mean and the risk of the plain average are known
exactly, and so is the least risk of S-KMSE over λ and of MKME over σ. The atlas shows when shrinkage matters: it gives
the gain of an oracle, which is more than any choice made on data can gain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize_scalar

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture, oracle_alpha, variance
from explorer.estimators import marginalized_risks
from explorer.kernels import Gaussian

from .shrinkage import Grid

if TYPE_CHECKING:
    from explorer.kernels import Kernel
    from explorer.papers.entry import Cell


LAWS = ("normal", "mixture")
THETAS = tuple(float(t) for t in np.geomspace(0.1, 10, 9))
ATLAS = {
    "fast": (Grid({"theta": THETAS, "n": (5, 20, 100), "d": (1, 5, 20), "law": LAWS}, 1),),
    "full": (Grid({"theta": tuple(float(t) for t in np.geomspace(0.05, 20, 25)), "n": (5, 10, 20, 50, 100, 500, 2000),
                   "d": (1, 2, 5, 10, 20, 50, 100), "law": LAWS}, 1),),
}  # fmt: skip


def gain(theta: float, n: int, d: int, law: str = "normal", seed: int = 0) -> dict[str, float]:
    """Return the share of KME's exact risk that an oracle removes.

    Parameters
    ----------
    theta : float
        Bandwidth over the root mean squared distance of two points of the distribution; finite and above 0.
    n : int
        Number of points, at least 1.
    d : int
        Number of coordinates, at least 1.
    law : {"normal", "mixture"}, default "normal"
        N(0, I), or the papers' random mixture of four with the means of seed 1.
    seed : int, default 0
        Not used, because nothing is random.

    Returns
    -------
    dict of {str: float}
        ``{"S-KMSE": α*, "MKME": 1 - least risk / Δ}``.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    TypeError
        If an argument has the wrong type.

    Notes
    -----
    S-KMSE's least risk over λ is the share 1 - α* of Δ = (1 - C) / n, where α* = Δ / (Δ + ``|μ|^2``) (paper 002,
    Theorem 1, as a statement on an oracle: erratum 19). MKME's least risk is searched over a logarithmic grid of σ and
    then refined between the neighbours of the least value.
    """
    n, d = checks.whole(n, "n", 1), checks.whole(d, "d", 1)
    theta = float(checks.numbers(theta, "theta"))
    if not 0 < theta < math.inf:
        raise Refusal(f"theta must be a finite number above 0, not {checks.echo(theta)}.")
    checks.one_of(law, "law", LAWS)
    P = GaussianMixture([1.0], np.zeros((1, d)), np.eye(d)[None]) if law == "normal" else GaussianMixture.random(d, 1)
    kernel = Gaussian(theta * root_mean_square_distance(P))
    plain = variance(P, kernel, n)
    return {"S-KMSE": float(oracle_alpha(P, kernel, n)), "MKME": float(1 - least_risk(P, kernel, n) / plain)}


def root_mean_square_distance(law: GaussianMixture) -> float:
    """Return sqrt(E |X - X'|^2) = sqrt(2 tr Cov X)."""
    centre = law.weights @ law.means
    spread = law.weights @ ((law.means - centre) ** 2).sum(axis=1)
    return math.sqrt(2 * (spread + law.weights @ np.trace(law.covariances, axis1=1, axis2=2)))


def least_risk(law: GaussianMixture, kernel: Kernel, n: int) -> float:
    """Return the least exact risk of MKME over σ, including σ = 0."""
    logs = np.linspace(math.log(1e-4), math.log(1e2), 61) + math.log(kernel.length_scale or 1.0)

    def risk(log_sigma):
        return float(marginalized_risks(law, kernel, n, np.exp([log_sigma]))[0])

    found = marginalized_risks(law, kernel, n, np.exp(logs))
    best = int(found.argmin())
    bounds = logs[max(best - 1, 0)], logs[min(best + 1, len(logs) - 1)]
    refined: Any = minimize_scalar(risk, bounds=bounds, method="bounded", options={"xatol": 1e-6})
    return min(float(refined.fun), float(found[best]), float(variance(law, kernel, n)))


def where_it_matters(cells: Sequence[Cell], least: float = 0.05) -> str:
    """Return a sentence that says in how many cells an oracle gains more than `least`, and up to which bandwidth."""
    best = [max(float(cell.table[name][0]) for name in ("S-KMSE", "MKME")) for cell in cells]
    widest = max(
        (cell.values["theta"] for cell, gained in zip(cells, best, strict=True) if gained > least), default=None
    )
    said = f"An oracle gains more than {least:.0%} in {sum(b > least for b in best)} of {len(best)} cells"
    return said + (f", the widest of them at θ = {widest:.2g} root mean square distances." if widest else ".")


def narrower_is_more(cells: Sequence[Cell]) -> tuple[bool, str]:
    """Return (whether α* falls as θ grows with all else fixed, a sentence that counts the rows in which it does)."""
    rows = {}
    for cell in cells:
        rest = tuple((k, v) for k, v in cell.values.items() if k != "theta")
        rows.setdefault(rest, []).append((cell.values["theta"], float(cell.table["S-KMSE"][0])))
    falls = [all(a >= b for (_, a), (_, b) in zip(sorted(row), sorted(row)[1:], strict=False)) for row in rows.values()]
    return (
        all(falls),
        f"α* falls along θ in {sum(falls)} of {len(falls)} rows of n, d and distribution. {where_it_matters(cells)}",
    )


def noise_is_ahead(cells: Sequence[Cell]) -> tuple[bool, str]:
    """Return (whether the best σ gains at least as much as the best λ, a sentence that gives the differences)."""
    gaps = np.array([cell.table["MKME"][0] - cell.table["S-KMSE"][0] for cell in cells])
    said = (
        f"MKME's best σ gains more in {(gaps > 1e-9).sum()} of {len(gaps)} cells; the difference is"
        f" {gaps.min():+.1%} to"
    )
    return bool((gaps >= -1e-9).all()), f"{said} {gaps.max():+.1%} of KME's risk."
