"""The mean over replicates, and its interval."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from explorer.types import Rows, Values

LEVEL = 0.95  # confidence level of a band
# ratio of the largest to the least value from which a horizontal and a vertical axis is logarithmic
WIDE, TALL = 20, 50


class Interval(NamedTuple):
    """The mean of each cell with its interval; missing values are nan.

    Attributes
    ----------
    mean : ndarray
        The mean of each cell.
    low, high : ndarray
        The ends of its interval.
    times : ndarray of int
        The number of its replicates.
    """

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    times: np.ndarray

    @property
    def banded(self) -> bool:
        """True if any cell has an interval."""
        return bool((self.times > 1).any())


def interval(values: Values) -> Interval:
    """Return the mean of values (..., r) over their replicates with Student's interval, m ± t s / √r.

    Replicates without a finite value are left out. A single replicate has no interval.
    """
    there = np.isfinite(values)
    count = there.sum(-1)
    some = np.maximum(count, 1)
    mean = np.where(count > 0, np.where(there, values, 0.0).sum(-1) / some, np.nan)
    deviations = np.where(there, values - mean[..., None], 0.0)
    error = np.sqrt((deviations**2).sum(-1) / np.maximum(count - 1, 1) / some)
    half = np.where(count > 1, stdtrit(np.maximum(count - 1, 1), (1 + LEVEL) / 2) * error, np.nan)
    return Interval(mean, mean - half, mean + half, count)


def about(count: Rows) -> str:
    """Describe the statistics that are drawn of the replicates, or return "" for single ones."""
    low, high = int(count.min()), int(count.max())
    if high <= 1:
        return ""
    low = max(low, 1)
    return f"mean and {LEVEL:.0%} interval of {high if low == high else f'{low} to {high}'} replicates".replace(
        "%", " %"
    )


def decades(values: np.ndarray, ratio: int) -> bool:
    """Return whether values suit a log axis: all positive, and the largest at least `ratio` times the least.

    Parameters
    ----------
    values : ndarray
        The values; those that are not finite are left out.
    ratio : int
        The smallest ratio of the largest to the least value.

    Returns
    -------
    is_wide : bool
        Whether they do.
    """
    finite = np.asarray(values, dtype=float)
    finite = finite[np.isfinite(finite)]
    return bool(finite.size and finite.min() > 0 and finite.max() / finite.min() >= ratio)


def geometric(values: Values) -> bool:
    """Return whether an axis with these values is logarithmic: they span decades, and do not have equal steps.

    Parameters
    ----------
    values : array_like
        The values of the axis.

    Returns
    -------
    is_geometric : bool
        Whether it is.
    """
    steps = np.diff(np.unique(np.asarray(values, dtype=float)))
    return decades(values, WIDE) and not (steps.size > 1 and np.allclose(steps, steps[0], rtol=1e-6, atol=0))
