"""Whether the numbers of a column count or name its rows, told from parts of them that come one after the other."""

from __future__ import annotations

from typing import Self

import numpy as np

from explorer.types import Vector

SEEN = 2**21  # numbers that are remembered, to see whether one recurs: 16 MB of a column
LAST = 2**53  # beyond it floats skip whole numbers, and none of them counts anything


class Counting:
    """Whether numbers that come in parts are whole and all different, as identifiers are, and count by ones.

    n  how many there are; first, low, high  of them. Nothing is kept of numbers that are not whole or that recur.
    """

    def __init__(self) -> None:
        self.n, self.differ, self.by_ones = 0, True, True
        self.first = self.low = self.high = np.nan
        self._last, self._seen = np.nan, np.zeros(0)

    def add(self, values: Vector) -> Self:
        """Add values (n,)."""
        if not self.differ or not len(values):
            return self
        if not np.all((values == np.round(values)) & (np.abs(values) <= LAST)):  # NaN is no whole number
            self.differ = self.by_ones = False
            self._seen = np.zeros(0)
            return self
        steps = np.diff(values, prepend=values[0] - 1 if self.n == 0 else self._last)
        self.by_ones = self.by_ones and bool(np.all(steps == 1))
        if self.n == 0:
            self.first = self.low = self.high = float(values[0])
        if not self._are_new(values, steps):
            self.differ, self._seen = False, np.zeros(0)
        self.n, self._last = self.n + len(values), float(values[-1])
        self.low, self.high = min(self.low, float(values.min())), max(self.high, float(values.max()))
        return self

    def _are_new(self, values, steps):
        """Whether values differ from each other and from the earlier ones, of which SEEN are remembered."""
        if np.all(steps > 0) and (self.n == 0 or values[0] > self.high):
            different = values
        else:
            different = np.unique(values)
            if len(different) < len(values) or np.isin(different, self._seen).any():
                return False
        if len(self._seen) < SEEN:
            self._seen = np.concatenate([self._seen, different])
        return True
