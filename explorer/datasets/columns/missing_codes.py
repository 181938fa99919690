"""Numbers that often stand for a missing value, such as -9999: seen where they lie far from all others."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date
from functools import reduce
from operator import or_
from typing import NamedTuple, TypeAlias

import numpy as np

from explorer.printing import join_list
from explorer.types import Vector, VectorLike

from .dates import EPOCH

SIGN = re.compile(r"-?([789])\1+|-?9{2,}\.9+|-1")
NINES = re.compile(r"9{2,}(\.9+)?")
INTEGERS = (2.0**15, 2.0**16, 2.0**31, 2.0**32, 2.0**63, 2.0**64)  # the largest of so many bits are one less
FLOATS = (1e10, 1e15, 1e20, 1e30, 1e35, 1e36, 1e37, 1e38, float(np.finfo(np.float32).max), float(np.finfo(float).max))
FILLS = frozenset(
    (*(x - 1 for x in INTEGERS), *(-x for x in INTEGERS), *FLOATS, *(-x for x in FLOATS), 9.969209968386869e36)
)
DAYS = {  # days since 1970 of dates that stand for none
    float(date.fromisoformat(day).toordinal() - EPOCH): day
    for day in ("0001-01-01", "1753-01-01", "1899-12-30", "1899-12-31", "1900-01-01", "1901-01-01",
                "2099-12-31", "2999-12-31", "9999-01-01", "9999-12-31")
}  # fmt: skip
AWAY = 2.0  # of what the other values span: how far from them
LEAST = 2  # so often at least
MOST = 0.5  # of a column's values: more are what it holds
ENDS_IN_9 = np.array([k % 10 == 9 or k % 100 == 90 or k == 900 for k in range(1000)])  # of hundredths, the last three
CHARM = 0.3  # of the other values that end in 9, as prices do; of others some 0.1


End: TypeAlias = tuple[tuple[float, int], ...]


class Ends(NamedTuple):
    """The least and the largest of some finite numbers, and how often each occurs.

    n      how many there are; nines: how many of those of two digits or more end in 9, as 19 or 4.99 do
    lows   the values from the least inwards, until the first that is no sign of a missing one by its digits, each with
           how often it occurs; highs  the same of the numbers' negatives
    Of numbers that come in parts, `|` gives the ends of all.
    """

    n: int = 0
    lows: End = ()
    highs: End = ()
    nines: int = 0

    @classmethod
    def of(cls, values: VectorLike) -> Ends:
        """Of values (n,), those aside that are missing or infinite."""
        values = np.asarray(values, dtype=np.float64)
        finite = np.isfinite(values)
        if not finite.all():
            values = values[finite]
        if not len(values):
            return cls()
        return cls(len(values), _end(values, 1), _end(-values, -1), _nines(values))

    def __or__(self, other: Ends) -> Ends:
        lows, highs = _both(self.lows, other.lows, 1), _both(self.highs, other.highs, -1)
        return Ends(self.n + other.n, lows, highs, self.nines + other.nines)

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
    def missing_codes(self) -> tuple[float, ...]:
        """The outermost ones that may stand for missing ones: they recur and lie far from all others.

        They are larger than all others but for their sign, or negative where no other is. At most half of the values
        are such. 99, 9.99 and the like of a column whose values often end in 9 are prices.
        """
        if not self.n or is_missing_code(self.lows[-1][0]) or is_missing_code(-self.highs[-1][0]):
            return ()
        low, high = self.lows[-1][0], -self.highs[-1][0]  # of the others
        far = [*self.lows[:-1], *((-value, count) for value, count in self.highs[:-1])]
        found = {
            value: count
            for value, count in far
            if count >= LEAST
            and max(low - value, value - high) > AWAY * (high - low)
            and (max(abs(low), abs(high)) < abs(value) or value < 0 <= low)
        }
        prices = {value: count for value, count in found.items() if NINES.fullmatch(f"{value:.12g}")}
        if self.nines - sum(prices.values()) > CHARM * (self.n - sum(prices.values())):
            found = {value: count for value, count in found.items() if value not in prices}
        return tuple(found) if sum(found.values()) <= MOST * self.n else ()

    def times(self, sign: float) -> int:
        """Return how often one of the `signs` of these numbers, or of those that they are a part of, occurs."""
        return max(dict(self.lows).get(sign, 0), dict(self.highs).get(-sign, 0))

    @property
    def description(self) -> str:
        """What is said of the `signs`, "" if there are none.

        >>> Ends.of([70.1, -9999.0, 68.0, -9999.0, 75.5]).description
        'with -9999 in 2 rows, far from all others (missing?)'
        """
        return describe_missing_codes([self], [""])


def describe_missing_codes(each: Sequence[Ends], names: Sequence[str], taken: bool = False, dates: bool = False) -> str:
    """Return what is said of the signs of the numbers of several tables together, "" if there are none.

    taken: whether they are taken as missing; dates: whether the numbers are days.

    >>> lab = Ends.of([70.1, -999.0, 68.0, -999.0, 75.5])
    >>> said_of_signs([lab, Ends.of([71.0])], ["lab", "ward"], taken=True)
    '-999 in 2 rows of lab is taken as missing'
    """
    found = []
    for sign in reduce(or_, each).missing_codes:
        times = [(ends.times(sign), name) for ends, name in zip(each, names, strict=True)]
        rows = join_list(f"{n:,} row{'' if n == 1 else 's'}{name and f' of {name}'}" for n, name in times if n)
        found.append(f"{DAYS.get(sign, '') if dates else f'{sign:.12g}'} in {rows}")
    if not found:
        return ""
    if taken:
        return f"{' and '.join(found)} {'is' if len(found) == 1 else 'are'} taken as missing"
    return f"with {' and '.join(found)}, far from all others (missing?)"


def without_missing_codes(x: Vector, signs: Sequence[float]) -> Vector:
    """Return numbers x (n,) with NaN for each that is one of the signs."""
    return np.where(np.isin(x, signs), np.nan, x) if signs else x


def is_missing_code(value: float) -> bool:
    """Return whether a value is a usual sign of a missing one by its digits.

    So are -999, 999.9, 88 and -1, the ends of 16 bits, 1e20, and as days 1900-01-01 and 9999-12-31.
    """
    return value in FILLS or value in DAYS or SIGN.fullmatch(f"{value:.12g}") is not None


def _nines(values):
    """How many of some finite numbers of two digits or more end in 9: whole, or with one or two decimals."""
    digits = np.rint(np.abs(values[np.abs(values) < 1e12]) * 100).astype(np.int64)
    return int(np.count_nonzero(ENDS_IN_9[digits % 1000]) - np.count_nonzero(digits == 900))


def _end(values, way):
    """The End of the least of some finite numbers, which are those of a column times `way`."""
    found, least = [], float(values.min())
    while math.isfinite(least):
        found.append((least, int(np.count_nonzero(values == least))))
        least, before = float(values.min(where=values > least, initial=math.inf)), least
        if not is_missing_code(way * before):
            break
    return tuple(found)


def _both(one, other, way):
    """The End of two parts of a column times `way`."""
    times = dict(one)
    for value, count in other:
        times[value] = times.get(value, 0) + count
    order = sorted(times)
    last = next((k for k, value in enumerate(order) if not is_missing_code(way * value)), len(order))
    return tuple((value, times[value]) for value in order[: last + 1])
