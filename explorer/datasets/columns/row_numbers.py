"""Counts of the whole numbers of a column, collected from parts in bounded memory, and whether they number the rows."""

from __future__ import annotations

from typing import Self

import numpy as np

from explorer.types import Mask, Rows, Vector

MOST = 2**18  # most distinct numbers that are stored: 4 MB for a column
LAST = 2**53  # beyond it floats skip whole numbers, so they count nothing
START = 1000  # number of values that are checked first: most columns with fractions show one here


class RowNumberDetector:
    """Collects the distinct numbers of a column of whole numbers, their counts, and whether they are consecutive.

    Attributes
    ----------
    n : int
        Number of values that are not missing.
    whole : bool
        Whether all numbers are whole. No numbers are stored for a column with a fraction.
    is_consecutive : bool
        Whether each number is the one before plus 1, and none is missing.
    first : float
        The first number.
    low : float
        The smallest number.
    high : float
        The largest number.
    share : float
        The share of all possible numbers that are stored: 1.0 up to 2^18 distinct ones. Beyond, a number is stored with
        all its occurrences if a hash of it is small enough. So the stored numbers depend neither on their order nor on
        the parts in which they come.
    """

    def __init__(self) -> None:
        self.n, self.whole, self.is_consecutive = 0, True, True
        self.first = self.low = self.high = np.nan
        self._last, self._bits = np.nan, 0
        self._values, self._times, self._more, self._count = np.zeros(0), np.zeros(0, np.int64), [], 0

    def add(self, values: Vector) -> Self:
        """Add values.

        Parameters
        ----------
        values : ndarray of shape (n,)
            Numbers, NaN for missing ones.

        Returns
        -------
        RowNumberDetector
            This detector.
        """
        given = values[~np.isnan(values)] if np.isnan(values).any() else values
        if len(given) < len(values):
            self.is_consecutive = False
        if not self.whole or not len(given):
            return self
        if not (_are_whole(given[:START]) and _are_whole(given)):
            self.whole = self.is_consecutive = False
            self._values, self._times, self._more = np.zeros(0), np.zeros(0, np.int64), []
            return self
        if self.n == 0:
            self.first = self.low = self.high = float(given[0])
        if self.is_consecutive:
            follows = self.n == 0 or given[0] == self._last + 1
            by_ones = follows and bool(np.all(given[1:] == given[:-1] + 1))
            self.is_consecutive = by_ones and abs(float(given[-1])) <= LAST
        self.n, self._last = self.n + len(given), float(given[-1])
        self.low, self.high = min(self.low, float(given.min())), max(self.high, float(given.max()))
        self._keep(*count_values(given))
        return self

    def numbers(self) -> tuple[Vector, Rows]:
        """Return the distinct numbers that are stored.

        Returns
        -------
        values : ndarray of shape (k,)
            The numbers, in ascending order.
        times : ndarray of int of shape (k,)
            The number of occurrences of each.
        """
        self._gather()
        return self._values, self._times

    @property
    def share(self) -> float:
        """The share of all possible numbers that are stored."""
        self._gather()
        return 0.5**self._bits

    def _keep(self, values, times):
        """Store distinct numbers with their counts; they are merged once there are as many new ones as old ones."""
        kept = is_sampled(values, self._bits)
        self._more.append((values[kept], times[kept]))
        self._count += int(np.count_nonzero(kept))
        if self._count > max(len(self._values), START):
            self._gather()

    def _gather(self):
        """Merge the stored parts, and halve the sample until it fits into memory."""
        if not self._more:
            return
        parts = [(self._values, self._times), *self._more] if len(self._values) else self._more
        self._values, self._times = merge_counts(parts) if len(parts) > 1 else parts[0]
        self._more, self._count = [], 0
        while len(self._values) > MOST:
            self._bits += 1
            kept = is_sampled(self._values, self._bits)
            self._values, self._times = self._values[kept], self._times[kept]


def merge_counts(parts: list[tuple[Vector, Rows]]) -> tuple[Vector, Rows]:
    """Return the distinct numbers of several (numbers, counts), in ascending order, and the sum of their counts."""
    values, place = np.unique(np.concatenate([values for values, _ in parts]), return_inverse=True)
    times = np.bincount(place, np.concatenate([times for _, times in parts]), minlength=len(values))
    return values, times.astype(np.int64)


def is_sampled(values: Vector, bits: int) -> Mask:
    """Return whether the hash of each number begins with `bits` zero bits.

    This is true for a share 2^-bits of all numbers.
    """
    if not bits:
        return np.ones(len(values), bool)
    x = (values + 0.0).view(np.uint64).copy()  # -0.0 becomes 0.0
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)  # the mixing function of SplitMix64
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))) >> np.uint64(64 - bits) == 0


def count_values(values: Vector) -> tuple[Vector, Rows]:
    """Return the distinct values of whole numbers (n,), n > 0, in ascending order, and the count of each."""
    low, high = values.min(), values.max()
    if high / 2 - low / 2 > 2 * len(values):
        return np.unique(values, return_counts=True)
    times = np.bincount((values - low).astype(np.intp))  # takes a fifth of the time of a sort
    places = np.flatnonzero(times)
    return low + places, times[places]


def _are_whole(values):
    return bool(np.all(values == np.rint(values))) and bool(np.isfinite(values).all())
