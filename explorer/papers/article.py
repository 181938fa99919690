"""What the encyclopedia's article "Kernel embedding of distributions" (paper 003) says of rates and bounds, as a study.

rates(n, d, seed=int) is one sample of the standard normal law: the distance |μ̂ - μ| of its kernel mean, which is known
exactly, and the two bounds that hold with probability .95. The kernel is the Gaussian one with θ^2 = 2d, the mean squared
distance of two points, so that it knows nothing of the sample and E |μ̂ - μ|^2 = (1 - C) / n exactly, C = |μ|^2.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr, stdtrit

from explorer import checks
from explorer.embeddings import GaussianMixture
from explorer.embeddings.risk import variance
from explorer.estimators import KME
from explorer.kernels import Gaussian

from .shrinkage import Grid
from .verdict import LEVEL

DELTA = 0.05
RATES = {
    "fast": (Grid({"d": (1, 10, 100), "n": (10, 30, 100, 300)}, 60),),
    "full": (Grid({"d": (1, 10, 100), "n": (10, 20, 50, 100, 200, 500, 1000, 2000)}, 300),),
}


def rates(n, d, seed=0):
    """|μ̂ - μ| of one sample of N(0, I), its exact root mean square, and two bounds; a dict of numbers.

    "KME"               |μ̂ - μ|
    "exact"             sqrt((1 - C) / n), the root of the mean of its square
    "bound, printed"    2 / sqrt(n) + sqrt(log(2/δ) / 2n), δ = .05, as tr K = n
    "bound, corrected"  1 / sqrt(n) + sqrt(log(1/δ) / n), which is proved for 0 <= k <= 1 (erratum E-9)

    Raises ValueError or TypeError for n or d that are no whole numbers of at least 1.
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


def slopes(cells):
    """d -> (slope, low, high) of log |μ̂ - μ| over log n, with Student's 95 % interval.

    Each replicate has a slope of its own, fitted over its growing sample by least squares: replicates are independent.
    """
    found = {}
    for d in dict.fromkeys(cell.values["d"] for cell in cells):
        own = [cell for cell in cells if cell.values["d"] == d]
        fitted = np.polyfit(np.log([cell.values["n"] for cell in own]), np.log([cell.table["KME"] for cell in own]), 1)[0]
        reach = float(stdtrit(len(fitted) - 1, 0.5 + LEVEL / 2) * fitted.std(ddof=1) / math.sqrt(len(fitted)))
        found[d] = (float(fitted.mean()), float(fitted.mean() - reach), float(fitted.mean() + reach))
    return found


def same_rate(cells, slack=0.05):
    """Whether every slope's interval lies within `slack` of -1/2, and the slopes in words; None where it cannot tell."""
    found = slopes(cells)
    said = "; ".join(f"d = {d}: {s:.3f} ({low:.3f} to {high:.3f})" for d, (s, low, high) in found.items())
    inside = [abs(low + 0.5) < slack and abs(high + 0.5) < slack for _, low, high in found.values()]
    outside = [high < -0.5 - slack or low > -0.5 + slack for _, low, high in found.values()]
    return (True if all(inside) else False if any(outside) else None), f"Slopes of log |μ̂ - μ| over log n: {said}."


def exact_line(cells):
    """Whether the mean of |μ̂ - μ|^2 is (1 - C)/n in every cell, as far as luck can tell, and the largest deviation.

    The limit is Student's, as far out as 3.5 standard deviations of a normal law: passed once in 2000 by luck.
    """
    z = {}
    for cell in cells:
        square = cell.table["KME"] ** 2
        error = square.std(ddof=1) / math.sqrt(len(square))
        z[tuple(cell.values.items())] = float((square.mean() - cell.table["exact"][0] ** 2) / error)
    worst = max(z, key=lambda key: abs(z[key]))
    where = ", ".join(f"{name} = {value}" for name, value in worst)
    limit = stdtrit(min(len(cell.table["KME"]) for cell in cells) - 1, ndtr(3.5))
    return bool(
        abs(z[worst]) < limit
    ), f"The largest deviation is {z[worst]:+.1f} standard errors, at {where}, of {len(z)} cells."


def covered(name):
    """A judge's rule for a bound: whether |μ̂ - μ| exceeds it in at most a share δ of the samples, as far as luck can tell."""

    def judge(cells):
        over = [int((cell.table["KME"] > cell.table[name]).sum()) for cell in cells]
        share = sum(over) / sum(len(cell.table["KME"]) for cell in cells)
        tight = min(float(cell.table[name][0] / np.quantile(cell.table["KME"], 1 - DELTA)) for cell in cells)
        return share <= DELTA, (
            f"Exceeded in {share:.1%} of all samples, where {DELTA:.0%} are allowed; it is at least {tight:.1f} times the"
            f" {1 - DELTA:.0%} quantile of what was found."
        )

    return judge
