"""Rates and bounds of the encyclopedia's article "Kernel embedding of distributions" (paper 003), as a study.

rates(n, d, seed=int) draws one sample of N(0, I). It returns the distance |μ̂ - μ| of the sample's kernel mean, which
is known exactly, and the two bounds that hold with probability .95. The kernel is Gaussian with θ^2 = 2d, the mean
squared distance of two points. So it does not depend on the sample, and E |μ̂ - μ|^2 = (1 - C) / n exactly, where C =
|μ|^2.
"""

from __future__ import annotations

import math

import numpy as np

from explorer import checks
from explorer.embeddings import GaussianMixture, variance
from explorer.estimators import KME
from explorer.kernels import Gaussian

from .effect import Measure
from .evidence import mean, share
from .shrinkage import Grid

DELTA = 0.05
RATES = {
    # 100 samples: a bound that none of them exceeds is exceeded in less than 3.7 %, 95 % sure
    "fast": (Grid({"d": (1, 10, 100), "n": (10, 30, 100, 300)}, 100),),
    "full": (Grid({"d": (1, 10, 100), "n": (10, 20, 50, 100, 200, 500, 1000, 2000)}, 300),),
}


def rates(n: int, d: int, seed: int = 0) -> dict[str, float]:
    """Return |μ̂ - μ| of one sample of N(0, I), its exact root mean square, and two bounds.

    Parameters
    ----------
    n : int
        Number of points, at least 1.
    d : int
        Number of coordinates, at least 1.
    seed : int, default 0
        Seed of the sample.

    Returns
    -------
    dict of {str: float}
        - ``"KME"``: ``|μ̂ - μ|``.
        - ``"exact"``: ``sqrt((1 - C) / n)``, the root of the mean of its square.
        - ``"bound, printed"``: ``2 / sqrt(n) + sqrt(log(2/δ) / 2n)`` with δ = .05, as tr K = n.
        - ``"bound, corrected"``: ``1 / sqrt(n) + sqrt(log(1/δ) / n)``, which is proved for 0 <= k <= 1 (erratum E-9).

    Raises
    ------
    ValueError
        If `n` or `d` is below 1.
    TypeError
        If an argument is not a whole number.
    """
    n, d, seed = checks.whole(n, "n", 1), checks.whole(d, "d", 1), checks.whole(seed, "seed")
    law, kernel = GaussianMixture([1.0], np.zeros((1, d)), np.eye(d)[None]), Gaussian(math.sqrt(2 * d))
    found = KME(kernel).embed(law.sample(n, seed)).distance(law.embed(kernel))
    return {
        "KME": float(found),
        "exact": math.sqrt(variance(law, kernel, n)),
        "bound, printed": 2 / math.sqrt(n) + math.sqrt(math.log(2 / DELTA) / (2 * n)),
        "bound, corrected": 1 / math.sqrt(n) + math.sqrt(math.log(1 / DELTA) / n),
    }


def excess_share(name: str) -> Measure:
    """Return the measure of how often |μ̂ - μ| exceeds a bound."""
    return share("the bound is exceeded", lambda cell, _: cell.table["KME"] > cell.table[name])


def excess() -> Measure:
    """Return the measure of |μ̂ - μ|^2 / ((1 - C)/n) - 1, whose mean is 0."""
    return mean(
        "the mean of |μ̂ - μ|² divided by (1 - C)/n, minus 1,",
        lambda cell, _: cell.table["KME"] ** 2 / cell.table["exact"] ** 2 - 1,
        show="{:+.1%}".format,
    )
