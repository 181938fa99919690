"""HSIC, mutual information, Pearson's correlation and distance correlation (paper 003), as a study of power.

measures(shape, n, seed=int) is one sample of n pairs and the p-value of a permutation test by each measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.discrepancy import distance_test, hsic_test, pearson_test
from explorer.papers.evidence import share
from explorer.papers.shrinkage import Grid
from explorer.rng import stream

if TYPE_CHECKING:
    from explorer.papers.effect import Measure
    from explorer.types import Vector


ALPHA, NEIGHBOURS, NOISE = 0.05, 3, 0.3
HSIC, INFORMATION, PEARSON, DISTANCE = "HSIC", "mutual information", "Pearson correlation", "distance correlation"


def _circle(u, noise):
    return np.cos(2 * math.pi * u) + NOISE * stream(noise, "x").normal(size=len(u)), np.sin(2 * math.pi * u)


# u is uniform on [0, 1]; noise is added to y later
SHAPES: dict[str, Callable[..., tuple[Vector, Vector]]] = {
    "none": lambda u, noise: (u, 0 * u),
    "line": lambda u, noise: (u, 0.5 * u),
    "parabola": lambda u, noise: (u, 4 * (u - 0.5) ** 2),
    "circle": _circle,
    "sine": lambda u, noise: (u, np.sin(6 * math.pi * u)),
    "spread": lambda u, noise: (u, 4 * (u - 0.5) * stream(noise, "spread").normal(size=len(u))),
}


def _grids(sizes, replicates, n_resamples):
    return (Grid({"n": sizes, "shape": tuple(SHAPES), "n_resamples": (n_resamples,)}, replicates),)


SIZES = {"fast": _grids((50,), 60, 99), "full": _grids((25, 50, 100), 100, 199)}


def measures(shape: str, n: int = 50, seed: int = 0, n_resamples: int = 199) -> dict[str, float]:
    """Return the p-value of each measure of dependence on one sample of pairs.

    Parameters
    ----------
    shape : {"none", "line", "parabola", "circle", "sine", "spread"}
        The dependence. The variance of y depends on x for "spread".
    n : int, default 50
        Number of pairs, at least 5, because mutual information uses three neighbours.
    seed : int, default 0
        Seed of the sample and of the permutations.
    n_resamples : int, default 199
        Number of permutations.

    Returns
    -------
    dict of {str: float}
        The p-values by the measures' names.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    TypeError
        If an argument has the wrong type.

    Notes
    -----
    HSIC is biased, under Gaussian kernels with median bandwidths. Mutual information is scikit-learn's, by the nearest
    neighbours of Kraskov, Stögbauer and Grassberger (2004, Phys. Rev. E 69, 066138).
    """
    checks.one_of(shape, "shape", SHAPES)
    n, seed = checks.whole(n, "n", NEIGHBOURS + 2), checks.whole(seed, "seed")
    x, y = SHAPES[shape](stream(seed, "u").random(n), seed)
    y = y + NOISE * stream(seed, "noise").normal(size=n)
    return {
        HSIC: hsic_test(x, y, n_resamples=n_resamples, rng=seed).pvalue,
        INFORMATION: information_pvalue(x, y, n_resamples, seed),
        PEARSON: pearson_test(x, y, n_resamples=n_resamples, rng=seed).pvalue,
        DISTANCE: distance_test(x, y, n_resamples=n_resamples, rng=seed).pvalue,
    }


def information_pvalue(x: Vector, y: Vector, n_resamples: int, seed: int) -> float:
    """Return p = (1 + #{null >= observed}) / (1 + B) of scikit-learn's mutual information, x (n,) permuted B times."""
    from sklearn.feature_selection import mutual_info_regression

    rng = stream(seed, "permutations")
    columns = np.column_stack([x, *(rng.permutation(x) for _ in range(n_resamples))])
    found = mutual_info_regression(columns, y, n_neighbors=NEIGHBOURS, random_state=seed % 2**32)
    return float((found[1:] >= found[0]).sum() + 1) / (1 + n_resamples)


def rejection_share(*names: str) -> Measure:
    """Return the measure of how often the tests of some names reject."""
    return share("the test rejects at 5 %", lambda cell, name: cell.table[name] <= ALPHA, names)
