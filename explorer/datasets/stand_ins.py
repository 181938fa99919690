"""Numbers that often stand for a missing value, such as -9999: seen where they lie far from all others."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np

from explorer.types import VectorLike

NINES = re.compile(r"-?9{2,}(\.0*)?|-?9{2,}\.9+")
AWAY = 2.0  # of what the other values span: how far from them
LEAST = 2  # so often at least


class Ends(NamedTuple):
    """The least and the largest of some finite numbers: what they are, how many there are of them, and what is next.

    Of numbers that come in parts, `|` gives those of all.
    """

    n: int = 0
    low: float = math.inf
    lows: int = 0
    above: float = math.inf
    high: float = -math.inf
    highs: int = 0
    below: float = -math.inf

    @classmethod
    def of(cls, values: VectorLike) -> Ends:
        """Of values (n,), those aside that are missing or infinite."""
        values = np.asarray(values, dtype=np.float64)
        finite = np.isfinite(values)
        if not finite.all():
            values = values[finite]
        if not len(values):
            return cls()
        low, high = float(values.min()), float(values.max())
        lows, highs = int(np.count_nonzero(values == low)), int(np.count_nonzero(values == high))
        above = float(values.min(where=values != low, initial=math.inf))
        below = float(values.max(where=values != high, initial=-math.inf))
        return cls(len(values), low, lows, above, high, highs, below)

    def __or__(self, other: Ends) -> Ends:
        both = (self, other)
        low, high = min(each.low for each in both), max(each.high for each in both)
        return Ends(
            self.n + other.n,
            low,
            sum(each.lows for each in both if each.low == low),
            min((x for each in both for x in (each.low, each.above) if x != low), default=math.inf),
            high,
            sum(each.highs for each in both if each.high == high),
            max((x for each in both for x in (each.high, each.below) if x != high), default=-math.inf),
        )

    @property
    def are_two(self) -> bool:
        """Whether the numbers have two values."""
        return self.low < self.high and self.lows + self.highs == self.n

    @property
    def stand_ins(self) -> str:
        """What is said of the least or the largest where it may stand for a missing one; "" elsewhere.

        >>> Ends.of([70.1, -9999.0, 68.0, -9999.0, 75.5]).stand_ins
        'with -9999 in 2 rows, far from all others (missing?)'
        """
        for far, count, low, high in (
            (self.low, self.lows, self.above, self.high),
            (self.high, self.highs, self.low, self.below),
        ):
            if not NINES.fullmatch(f"{far:.12g}") or count < LEAST or count == self.n:
                continue
            if max(low - far, far - high) > AWAY * (high - low) and max(abs(low), abs(high)) < abs(far):
                return f"with {far:.12g} in {count} rows, far from all others (missing?)"
        return ""
