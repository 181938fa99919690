"""Covariance operators that outliers do not move, which paper 004 cites (section 1), as a study.

covariances(outliers, seed=int) is one sample of a hundred points, some of them far outliers. It returns the distance of
its covariance operator to that of the distribution, with the average and with RobustKME as centre and as mean of the
tensors. The operator of the distribution is that of a clean sample of two thousand points.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.estimators import RobustKME
from explorer.kernels import Gaussian
from explorer.operators import CovarianceOperator, KernelPCA
from explorer.papers.entry import relative
from explorer.papers.shrinkage import Grid
from explorer.rng import stream

if TYPE_CHECKING:
    from explorer.papers.entry import Point
    from explorer.types import Vector


POINTS, FRESH, SPREAD, FAR, KERNEL = 100, 2000, (2.0, 0.5), (0.0, 8.0), Gaussian(3.0)
PLAIN, HUBER, HAMPEL = "average", "Huber", "Hampel"
ESTIMATORS = {PLAIN: None, HUBER: RobustKME(), HAMPEL: RobustKME(loss="hampel")}
PCA = ", kernel PCA"
SIZES = {
    "fast": (Grid({"outliers": (0, 5, 10, 20)}, 30),),
    "full": (Grid({"outliers": (0, 5, 10, 20, 30)}, 200),),
}


def covariances(outliers: int, seed: int = 0) -> dict[str, float]:
    """Return errors of covariance operators of a sample of a hundred points with outliers.

    Parameters
    ----------
    outliers : int
        Number of outliers, from 0 to 49.
    seed : int, default 0
        Seed of the sample.

    Returns
    -------
    dict of {str: float}
        - ``"average"``, ``"Huber"``, ``"Hampel"``: ``|Ĉ - C|²`` over ``|C|²`` in the Hilbert-Schmidt norm.
        - ``"average, kernel PCA"`` and the like: mean reconstruction error of fresh points in two components.

    Raises
    ------
    ValueError
        If `outliers` is out of its range.
    TypeError
        If an argument is not a whole number.
    """
    outliers, seed = checks.whole(outliers, "outliers", 0), checks.whole(seed, "seed")
    if 2 * outliers >= POINTS:
        raise Refusal(f"outliers must be fewer than half of {POINTS} points, not {outliers}.")
    X = stream(seed, "sample").normal(size=(POINTS, 2)) * SPREAD
    X[:outliers] = FAR + stream(seed, "outliers").normal(size=(outliers, 2)) * 0.5
    fresh, found = clean(), {}
    for name, estimator in ESTIMATORS.items():
        operator = CovarianceOperator(KERNEL, estimator, estimator).fit(X)
        found[name] = (operator.distance(fresh) / fresh.norm()) ** 2
        pca = KernelPCA(KERNEL, 2, estimator, estimator).fit(X)
        found[name + PCA] = float(pca.reconstruction_error(fresh.X_[:200]).mean())
    return found


@cache
def clean() -> CovarianceOperator:
    """Return the covariance operator of two thousand clean points, which stands for the distribution's."""
    return CovarianceOperator(KERNEL).fit(np.random.default_rng(0).normal(size=(FRESH, 2)) * SPREAD)


def relative_to_average(table: Mapping[str, Vector]) -> dict[str, Point]:
    """Return the ratio of each mean error to that of the average, for operators and for kernel PCA."""
    operators = {name: table[name] for name in ESTIMATORS}
    components = {name + PCA: table[name + PCA] for name in ESTIMATORS}
    return relative(operators, PLAIN) | relative(components, PLAIN + PCA)
