"""Sums of Gaussians over all pairs of points, for many widths at the price of few."""

from __future__ import annotations

import numpy as np

from explorer.kernels.distances import pair_distances
from explorer.types import Matrix, Points, Values, Vector

BITS, ORDER = 3, 13  # an octave of distances has 2^BITS bins, and a bin powers below ORDER
NEAR, FEW = 1e-2, 5  # if t D is below NEAR, powers below FEW leave out 1e-16 of 1 - exp(-tD)


class DistanceSums:
    """t -> sum over i < j of 1 - exp(-t |x_i - x_j|^2) for all points X (n, d), at once for many t >= 0.

    Squared distances D are sorted into bins [c - h, c + h], eight to an octave, so h <= c / 17. In a bin exp(-tD) =
    exp(-tc) sum_m (-th)^m ((D - c) / h)^m / m!, and the moments sum ((D - c) / h)^m do not depend on t. The powers from
    13 on, which are left out, are below (th)^13 / 13! e^(th - tc) <= 3e-17 for each pair and any t: less than the
    rounding of an exponential. So after one pass over the pairs, O(n^2 (d + 13)), each t takes some hundred terms.
    Small sums lose no digit either, as 1 is never subtracted.
    """

    count: int
    centre: Values
    half: Values
    infinite: int
    moments: Matrix

    def __init__(self, X: Points) -> None:
        D = np.sort(pair_distances(X))
        self.count = len(D)
        start, end = np.searchsorted(D, 0.0, side="right"), np.searchsorted(D, np.inf)
        self.infinite = int(len(D) - end)  # pairs too far apart for a float add 1 each, equal points 0
        D = D[start:end]
        # the leading bits of a positive float are its octave and its position there
        code = D.view(np.int64) >> (52 - BITS)
        first = np.flatnonzero(np.diff(code, prepend=-1))
        low, high = ((code[first] + more << (52 - BITS)).view(np.float64) for more in (0, 1))
        self.centre, self.half = low + (high - low) / 2, (high - low) / 2
        sizes = np.diff(first, append=len(D))
        x = (D - np.repeat(self.centre, sizes)) / np.repeat(self.half, sizes)
        self.moments = np.empty((ORDER, len(first)))
        self.moments[0] = sizes
        power = x.copy()
        for m in range(1, ORDER if len(D) else 1):
            self.moments[m] = np.add.reduceat(power, first)
            power *= x

    def __call__(self, t: Vector) -> Vector:
        """Compute the sums at t (m,), (m,)."""
        t = np.asarray(t, dtype=float)[:, None]
        with np.errstate(divide="ignore", over="ignore"):
            cut = np.searchsorted(self.centre, NEAR / t.max(initial=0.0))
        return self.infinite + self._part(t, slice(0, cut), FEW) + self._part(t, slice(cut, None), ORDER)

    def _part(self, t, bins, order):
        """Compute the sums over some bins, by powers below `order`."""
        centre, half, moments = self.centre[bins], self.half[bins], self.moments[:order, bins]
        with np.errstate(over="ignore"):
            tc = t * centre
            th = np.where(tc < 800, t * half, 0.0)  # e^-800 is 0
        series = np.broadcast_to(moments[-1], th.shape)
        for m in range(order - 1, 1, -1):
            series = moments[m - 1] - series * (th / m)
        return (np.exp(-tc) * th * series - np.expm1(-tc) * moments[0]).sum(axis=1)

    def mean_square(self) -> float:
        """Compute the mean of the |x_i - x_j|^2 that are finite, i < j; 0 if there are none."""
        if not len(self.centre):
            return 0.0
        largest = self.centre[-1]  # the unit of the sum, which may overflow without it
        total = (self.centre / largest * self.moments[0] + self.half / largest * self.moments[1]).sum()
        return float(largest * (total / (self.count - self.infinite)))
