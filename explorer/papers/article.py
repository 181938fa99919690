"""What the encyclopedia's article "Kernel embedding of distributions" (paper 003) says of rates and bounds, as a study.

rates(n, d, seed=int) is one sample of N(0, I): the distance |μ̂ - μ| of its kernel mean, which is known exactly, and
the two bounds that hold with probability .95. The kernel is the Gaussian one with θ^2 = 2d, the mean squared distance
of two points, so that it knows nothing of the sample and E |μ̂ - μ|^2 = (1 - C) / n exactly, C = |μ|^2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.embeddings import GaussianMixture, variance
from explorer.estimators import KME
from explorer.kernels import Gaussian

from .claim import Claim
from .effect import LEVEL, Case, Measure
from .evidence import mean, share, slope
from .quantifier import Every, OnAverage
from .shrinkage import Grid
from .standard import Less, Near

if TYPE_CHECKING:
    from .entry import Cell


DELTA = 0.05
RATES = {
    # 100 samples: a bound that none of them exceeds is exceeded in less than 3.7 %, 95 % sure
    "fast": (Grid({"d": (1, 10, 100), "n": (10, 30, 100, 300)}, 100),),
    "full": (Grid({"d": (1, 10, 100), "n": (10, 20, 50, 100, 200, 500, 1000, 2000)}, 300),),
}


def rates(n: int, d: int, seed: int = 0) -> dict[str, float]:
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


def slopes(cells: Sequence[Cell], confidence: float = LEVEL) -> Any:
    """d -> the Effect of log |μ̂ - μ| over log n, a slope with Student's interval."""
    return {
        d: slope([cell for cell in cells if cell.values["d"] == d], "KME", confidence)
        for d in dict.fromkeys(cell.values["d"] for cell in cells)
    }


SLOPE = Measure(
    "the slope of log |μ̂ - μ| over log n",
    lambda cells: [
        Case(f"d = {d}", lambda confidence, d=d: slopes(cells, confidence)[d])
        for d in dict.fromkeys(cell.values["d"] for cell in cells)
    ],
    lambda effect: f"The slope of log |μ̂ - μ| over log n is {effect.value:.3f}",
    "{:.3f}".format,
)


def exceeded(name: str) -> Measure:
    """The measure of how often |μ̂ - μ| exceeds a bound."""
    return share("the bound is exceeded", lambda cell, _: cell.table["KME"] > cell.table[name])


def _excess(cell, _):
    """|μ̂ - μ|^2 over (1 - C)/n, less 1, of each sample."""
    return cell.table["KME"] ** 2 / cell.table["exact"] ** 2 - 1


RATE = (
    "The rate of convergence (in RKHS norm) of the empirical kernel embedding to its distribution counterpart is"
    " O(n^(-1/2)) and does not depend on the dimension of X."
)
BOUND = "with probability at least 1 - δ: |μ - μ̂| <= (2/n) E sqrt(tr K) + sqrt(log(2/δ) / (2n))"
CLAIMS = (
    Claim(
        "The rate of convergence is n^(-1/2) and does not depend on the dimension",
        Every,
        Near(0.05, -0.5),
        SLOPE,
        RATE,
        endless="n",
    ),
    Claim(
        "With probability .95 the error is below the bound, as printed",
        Every,
        Less(DELTA),
        exceeded("bound, printed"),
        BOUND,
        ("E-9",),
    ),
    Claim(
        "With probability .95 the error is below the bound, as corrected",
        Every,
        Less(DELTA),
        exceeded("bound, corrected"),
        "",
        ("E-9",),
    ),
    Claim(
        "E |μ̂ - μ|² is (1 - C)/n, to a tenth",
        OnAverage,
        Near(0.1),
        mean("the mean of |μ̂ - μ|² over (1 - C)/n, less 1,", _excess, show="{:+.1%}".format),
    ),
)
