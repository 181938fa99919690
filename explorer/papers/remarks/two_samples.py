"""Rate of the MMD of two samples, N1^(-1/2) + N2^(-1/2), which paper 004 recalls (sections 1 and 3), as a study.

two_samples(n, m, shift, seed=int) is one pair of samples, n points of N(0, I) and as many, or thirty, of N(shift, I)
in two dimensions. The kernel is Gaussian with a fixed bandwidth, so that the MMD of the distributions is exact and the
same for all sizes.

By the triangle inequality |MMD(X, Y) - MMD(P, Q)| is at most |(μ̂_P - μ̂_Q) - (μ_P - μ_Q)|, whose mean square is
(1 - C_P)/N1 + (1 - C_Q)/N2, where C = |μ|². So no unknown constant is left. With P = Q both sides are equal.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.discrepancy import mmd2, mmd2_of_laws
from explorer.embeddings import GaussianMixture, variance
from explorer.kernels import Gaussian
from explorer.papers.evidence import mean
from explorer.papers.shrinkage import Grid
from explorer.rng import stream

if TYPE_CHECKING:
    from explorer.papers.effect import Measure


DIMENSIONS, KERNEL = 2, Gaussian(2.0)
FEW = 30  # points of the second sample if it does not grow
AS_MANY, HELD = "n", str(FEW)
ERROR, BOUND = "MMD", "root mean square bound"


def _grids(sizes, replicates):
    return (Grid({"n": sizes, "m": (AS_MANY, HELD), "shift": (0.0, 1.0)}, replicates),)


# The logarithm of an error that may be near 0 is noisy: the mean of 200 slopes is exact to 0.05.
SIZES = {"fast": _grids((30, 100, 300, 1000), 200), "full": _grids((30, 60, 125, 250, 500, 1000), 500)}


def two_samples(n: int, m: str = AS_MANY, shift: float = 1.0, seed: int = 0) -> dict[str, float]:
    """Return the error of the MMD of two samples, and its bound in mean square.

    Parameters
    ----------
    n : int
        Points of the first sample, at least 1.
    m : {"n", "30"}, default "n"
        Points of the second sample: as many as in the first, or thirty.
    shift : float, default 1.0
        Distance of the second mean from the first in each coordinate; 0 for P = Q.
    seed : int, default 0
        Seed of the samples.

    Returns
    -------
    dict of {str: float}
        - ``"MMD"``: ``|MMD(X, Y) - MMD(P, Q)|`` with the biased MMD, that of the empirical kernel means.
        - ``"root mean square bound"``: sqrt((1 - C_P)/N1 + (1 - C_Q)/N2).

    Raises
    ------
    ValueError
        If an argument is out of its range.
    TypeError
        If an argument has the wrong type.
    """
    n, seed = checks.whole(n, "n", 1), checks.whole(seed, "seed")
    checks.one_of(m, "m", (AS_MANY, HELD))
    shift = float(checks.numbers(shift, "shift"))
    second = n if m == AS_MANY else FEW
    P, Q = (GaussianMixture([1.0], [[x] * DIMENSIONS], np.eye(DIMENSIONS)[None]) for x in (0.0, shift))
    X = stream(seed, "X").normal(size=(n, DIMENSIONS))
    Y = shift + stream(seed, "Y").normal(size=(second, DIMENSIONS))
    truth = mmd2_of_laws(P, Q, KERNEL) if shift else 0.0
    return {
        ERROR: abs(math.sqrt(mmd2(X, Y, KERNEL, "biased")) - math.sqrt(truth)),
        BOUND: math.sqrt(variance(P, KERNEL, n) + variance(Q, KERNEL, second)),
    }


def squared_ratio() -> Measure:
    """Return the measure of (squared error) / (bound of its mean) - 1."""
    return mean(
        "the mean squared error divided by its bound, minus 1,",
        lambda cell, _: cell.table[ERROR] ** 2 / cell.table[BOUND] ** 2 - 1,
        show="{:+.1%}".format,
    )
