"""Coordinates of points that only a Gram matrix knows, some of them far away."""

from __future__ import annotations

import numpy as np

NEGLIGIBLE = 1e-13  # of a squared norm


def coordinates(G, most=None):
    """Rows F (n, r) with F F' = G, by a pivoted Cholesky decomposition; None where r would pass `most` (None: n).

    The point that is least explained comes next, until of each squared norm, or of the median one where that is larger,
    only 1e-13 is left. Relative to each point's own norm: an outlier of norm 1e7 is done with after one column that
    takes no digit from the others, where a bound relative to the trace would call all the others rounding. A singular G
    is no obstacle.
    """
    n = len(G)
    left = G.diagonal().copy()
    enough = NEGLIGIBLE * np.maximum(left, np.median(left))
    F = np.empty((n, n if most is None else min(most, n)))
    for r in range(F.shape[1] + 1):
        pivot = int(np.argmax(np.where(left > enough, left, 0.0)))
        if left[pivot] <= enough[pivot]:
            return F[:, :r].copy()
        if r == F.shape[1]:
            break
        F[:, r] = (G[:, pivot] - F[:, :r] @ F[pivot, :r]) / np.sqrt(left[pivot])
        left -= F[:, r] ** 2
    return None
