"""Rate of the MMD of two samples, N1^(-1/2) + N2^(-1/2), which paper 004 recalls (sections 1 and 3), as a study.

two_samples(n, m, shift, seed=int) is one pair of samples, n points of N(0, I) and as many, or thirty, of N(shift, I)
in two dimensions. The kernel is Gaussian with a fixed bandwidth, so that the MMD of the distributions is exact and the
same for all sizes.

By the triangle inequality |MMD(X, Y) - MMD(P, Q)| is at most |(μ̂_P - μ̂_Q) - (μ_P - μ_Q)|, whose mean square is
(1 - C_P)/N1 + (1 - C_Q)/N2, where C = |μ|². So no unknown constant is left. With P = Q both sides are equal.
"""

from __future__ import annotations

import math

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy import mmd2, mmd2_of_laws
from explorer.embeddings import GaussianMixture, variance
from explorer.kernels import Gaussian
from explorer.papers.claim import Claim
from explorer.papers.evidence import error_slope, mean
from explorer.papers.quantifier import Every, OnAverage
from explorer.papers.shrinkage import Grid
from explorer.papers.standard import Less, More, Near
from explorer.rng import stream

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
    if m not in (AS_MANY, HELD):
        raise Refusal(f"m must be one of {AS_MANY}, {HELD}, not {checks.echo(m)}.")
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


def _over_bound(cell, _):
    """Return (squared error) / (bound of its mean) - 1 for each pair of samples."""
    return cell.table[ERROR] ** 2 / cell.table[BOUND] ** 2 - 1


RATIO = mean("the mean squared error divided by its bound, minus 1,", _over_bound, show="{:+.1%}".format)
RATE = "For MMD, using N1 and N2 samples from P and Q, it is N1^(-1/2) + N2^(-1/2)"
CLAIMS = (
    Claim(
        "Where both samples grow, the error of the MMD falls as n^(-1/2)",
        Every,
        Near(0.1, -0.5),
        error_slope(ERROR),
        RATE,
        where=lambda values: values["m"] == AS_MANY,
        endless="n",
    ),
    Claim(
        "Where the second sample stays at thirty points, the error of the MMD stops falling",
        Every,
        More(-0.25),
        error_slope(ERROR),
        RATE,
        where=lambda values: values["m"] == HELD,
    ),
    Claim(
        "With P = Q the mean squared error is (1 - C)/N1 + (1 - C)/N2, to a tenth",
        OnAverage,
        Near(0.1),
        RATIO,
        where=lambda values: values["shift"] == 0,
    ),
    Claim(
        "With P ≠ Q the mean squared error stays below that",
        Every,
        Less(),
        RATIO,
        where=lambda values: values["shift"] != 0,
    ),
)
