"""Whole numbers of a column, gathered from parts in bounded memory: how often each occurs, whether they count rows."""

from __future__ import annotations

from typing import Self

import numpy as np

from explorer.types import Mask, Rows, Vector

MOST = 2**18  # different numbers that are kept: 4 MB of a column
LAST = 2**53  # beyond it floats skip whole numbers, and none of them counts anything
START = 1000  # numbers that are looked at first: most columns that hold fractions show one here


class RowNumberDetector:
    """The different numbers of a column of whole numbers, and how often each occurs.

    n        how many numbers there are; missing ones are not counted
    whole    whether all of them are whole. Nothing is kept of a column that holds a fraction
    by_ones  whether each is the one before plus 1, and none is missing
    first, low, high  of the numbers
    share    the share of all possible numbers that are kept, 1.0 up to 2^18 different ones. Beyond, a number is kept if
             a hash of it is small enough, with all its occurrences. So what is kept depends neither on the order of
             the numbers nor on the parts they come in
    """

    def __init__(self) -> None:
        self.n, self.whole, self.is_consecutive = 0, True, True
        self.first = self.low = self.high = np.nan
        self._last, self._bits = np.nan, 0
        self._values, self._times, self._more, self._count = np.zeros(0), np.zeros(0, np.int64), [], 0

    def add(self, values: Vector) -> Self:
        """Add values (n,), of which NaN are missing."""
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
        """Return the different numbers that are kept, in order, and how often each occurs."""
        self._gather()
        return self._values, self._times

    @property
    def share(self) -> float:
        """The share of all possible numbers that are kept."""
        self._gather()
        return 0.5**self._bits

    def _keep(self, values, times):
        """Keep different numbers with their counts; they are joined once there are as many new ones as old ones."""
        kept = is_sampled(values, self._bits)
        self._more.append((values[kept], times[kept]))
        self._count += int(np.count_nonzero(kept))
        if self._count > max(len(self._values), START):
            self._gather()

    def _gather(self):
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
    """Return the different numbers of several (numbers, counts), in order, and the sum of the counts of each."""
    values, place = np.unique(np.concatenate([values for values, _ in parts]), return_inverse=True)
    times = np.bincount(place, np.concatenate([times for _, times in parts]), minlength=len(values))
    return values, times.astype(np.int64)


def is_sampled(values: Vector, bits: int) -> Mask:
    """Return whether the hash of each number begins with so many zero bits: the share 2^-bits of numbers."""
    if not bits:
        return np.ones(len(values), bool)
    x = (values + 0.0).view(np.uint64).copy()  # -0.0 becomes 0.0
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)  # the mixing function of SplitMix64
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))) >> np.uint64(64 - bits) == 0


def count_values(values: Vector) -> tuple[Vector, Rows]:
    """Return the different ones of whole numbers (n,), n > 0, in order, and how often each occurs."""
    low, high = values.min(), values.max()
    if high / 2 - low / 2 > 2 * len(values):
        return np.unique(values, return_counts=True)
    times = np.bincount((values - low).astype(np.intp))  # a fifth of the time of a sort
    places = np.flatnonzero(times)
    return low + places, times[places]


def _are_whole(values):
    return bool(np.all(values == np.rint(values))) and bool(np.isfinite(values).all())
