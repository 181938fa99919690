"""Numbers that often stand for a missing value, such as -9999: seen where they lie far from all others."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple, TypeAlias

import numpy as np

from explorer.printing import listed
from explorer.types import VectorLike

SIGN = re.compile(r"-?([789])\1+(\.0*)?|-?9{2,}\.9+")
FILLS = frozenset((-32768.0, -2147483648.0, 2147483647.0, 4294967295.0, 1e20, 1e30, -1e30, 9.969209968386869e36))
AWAY = 2.0  # of what the other values span: how far from them
LEAST = 2  # so often at least


End: TypeAlias = tuple[tuple[float, int], ...]


class Ends(NamedTuple):
    """The least and the largest of some finite numbers, and how often each occurs.

    lows   the values from the least inwards, until the first that is no sign of a missing one by its digits, each with
           how often it occurs; highs  the same of the numbers' negatives
    Of numbers that come in parts, `|` gives the ends of all.
    """

    n: int = 0
    lows: End = ()
    highs: End = ()

    @classmethod
    def of(cls, values: VectorLike) -> Ends:
        """Of values (n,), those aside that are missing or infinite."""
        values = np.asarray(values, dtype=np.float64)
        finite = np.isfinite(values)
        if not finite.all():
            values = values[finite]
        if not len(values):
            return cls()
        return cls(len(values), _end(values), _end(-values))

    def __or__(self, other: Ends) -> Ends:
        return Ends(self.n + other.n, _both(self.lows, other.lows), _both(self.highs, other.highs))

    @property
    def low(self) -> float:
        """The least."""
        return self.lows[0][0] if self.n else math.inf

    @property
    def high(self) -> float:
        """The largest."""
        return -self.highs[0][0] if self.n else -math.inf

    @property
    def are_two(self) -> bool:
        """Whether the numbers have two values."""
        return self.low < self.high and self.lows[0][1] + self.highs[0][1] == self.n

    @property
    def signs(self) -> tuple[float, ...]:
        """The outermost ones that may stand for missing ones: they recur and lie far from all others."""
        if not self.n or is_sign(self.lows[-1][0]) or is_sign(-self.highs[-1][0]):
            return ()
        low, high = self.lows[-1][0], -self.highs[-1][0]  # of the others
        far = [*self.lows[:-1], *((-value, count) for value, count in self.highs[:-1])]
        return tuple(
            value
            for value, count in far
            if count >= LEAST
            and max(low - value, value - high) > AWAY * (high - low)
            and max(abs(low), abs(high)) < abs(value)
        )

    def times(self, sign: float) -> int:
        """Return how often one of the `signs` of these numbers, or of those that they are a part of, occurs."""
        return max(dict(self.lows).get(sign, 0), dict(self.highs).get(-sign, 0))

    @property
    def stand_ins(self) -> str:
        """What is said of the `signs`, "" if there are none.

        >>> Ends.of([70.1, -9999.0, 68.0, -9999.0, 75.5]).stand_ins
        'with -9999 in 2 rows, far from all others (missing?)'
        """
        return said_of_signs([self], [""])


def said_of_signs(each: Sequence[Ends], names: Sequence[str]) -> str:
    """Return what is said of the signs of the numbers of several tables together, "" if there are none."""
    found = [
        f"{sign:.12g} in "
        + listed(f"{ends.times(sign)} rows{name and f' of {name}'}" for ends, name in zip(each, names, strict=True))
        for sign in reduce(or_, each).signs
    ]
    return f"with {' and '.join(found)}, far from all others (missing?)" if found else ""


def is_sign(value: float) -> bool:
    """Return whether a value is a usual sign of a missing one by its digits: -9999, 999.9, 88, the least of 16 bits."""
    return value in FILLS or SIGN.fullmatch(f"{value:.12g}") is not None


def _end(values):
    """The End of the least of some finite numbers."""
    found, least = [], float(values.min())
    while math.isfinite(least):
        found.append((least, int(np.count_nonzero(values == least))))
        least, before = float(values.min(where=values > least, initial=math.inf)), least
        if not (is_sign(before) or is_sign(-before)):
            break
    return tuple(found)


def _both(one, other):
    """The End of two parts."""
    times = dict(one)
    for value, count in other:
        times[value] = times.get(value, 0) + count
    order = sorted(times)
    last = next((k for k, value in enumerate(order) if not (is_sign(value) or is_sign(-value))), len(order))
    return tuple((value, times[value]) for value in order[: last + 1])
