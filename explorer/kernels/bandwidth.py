"""The median heuristic."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.spatial.distance import pdist

from explorer import checks


def median_bandwidth(X, metric="sqeuclidean"):
    """θ with θ^2 = median of |x_i - x_j|^2 over i < j, in units of X (n, d), n >= 2.

    Paper 000 takes the median over all i, j, zeros included (erratum 18): at n = 10 that is a few percent less.
    Where more than half of the distances are zero the median of the positive ones stands in, where all are zero the
    bandwidth is 1; both with a warning. metric="cityblock" gives θ = median of |x_i - x_j|_1. Raises ValueError for n < 2
    and for another metric.
    """
    if not isinstance(metric, str) or metric not in ("sqeuclidean", "cityblock"):
        raise ValueError(f"metric must be 'sqeuclidean' or 'cityblock', not {checks.shown(metric)}.")
    bandwidth, remark = median_and_remark(X, metric)
    if remark:
        warnings.warn(remark, checks.ExplorerWarning, stacklevel=2)
    return bandwidth


def median_and_remark(X, metric="sqeuclidean"):
    """The median bandwidth, and what `median_bandwidth` warns of, "" for nothing."""
    X = checks.sample(X)
    checks.rows(X, "X, for a median bandwidth,", 2)
    distances = pdist(X, metric)
    median, remark = np.median(distances), ""
    if not np.isfinite(median):
        raise ValueError("X is too large for its distances to be squared; rescale it, to below 1e150 say.")
    if median == 0:
        positive = distances[distances > 0]
        if len(positive):
            median, used = np.median(positive), "the median of the distances above zero"
        else:
            median, used = 1.0, "the bandwidth 1"
        remark = f"more than half of the points coincide, so the median distance is 0; {used} is used instead."
    return float(median if metric == "cityblock" else np.sqrt(median)), remark
