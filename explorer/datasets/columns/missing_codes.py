"""Detection of missing-value codes: numbers such as -9999 that recur far from all other values."""

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
INTEGERS = (2.0**15, 2.0**16, 2.0**31, 2.0**32, 2.0**63, 2.0**64)  # 1 more than the largest ones of 16 to 64 bits
FLOATS = (1e10, 1e15, 1e20, 1e30, 1e35, 1e36, 1e37, 1e38, float(np.finfo(np.float32).max), float(np.finfo(float).max))
FILLS = frozenset(
    (*(x - 1 for x in INTEGERS), *(-x for x in INTEGERS), *FLOATS, *(-x for x in FLOATS), 9.969209968386869e36)
)
DAYS = {  # dates that stand for a missing one, by their days since 1970
    float(date.fromisoformat(day).toordinal() - EPOCH): day
    for day in ("0001-01-01", "1753-01-01", "1899-12-30", "1899-12-31", "1900-01-01", "1901-01-01",
                "2099-12-31", "2999-12-31", "9999-01-01", "9999-12-31")
}  # fmt: skip
AWAY = 2.0  # least distance of a code from the other values, as a multiple of their range
LEAST = 2  # fewest occurrences of a code
MOST = 0.5  # largest share of codes in a column's values: more are what the column contains
# whether a number of hundredths ends in 9, by its last three digits
ENDS_IN_9 = np.array([k % 10 == 9 or k % 100 == 90 or k == 900 for k in range(1000)])
CHARM = 0.3  # a larger share of values that end in 9 is one of prices; of others about 0.1 do


End: TypeAlias = tuple[tuple[float, int], ...]


class Ends(NamedTuple):
    """The extreme values of finite numbers, and the number of occurrences of each.

    The operator ``|`` gives the ends of two parts together.

    Attributes
    ----------
    n : int
        Number of values.
    lows : tuple of (float, int)
        The values from the smallest inwards, up to the first that is not a missing-value code by its digits, each with
        its number of occurrences.
    highs : tuple of (float, int)
        The same for the negated numbers.
    nines : int
        Number of values of two digits or more that end in 9, such as 19 or 4.99.
    """

    n: int = 0
    lows: End = ()
    highs: End = ()
    nines: int = 0

    @classmethod
    def of(cls, values: VectorLike) -> Ends:
        """Return the ends of values; missing and infinite ones are ignored.

        Parameters
        ----------
        values : array_like of shape (n,)
            The values.

        Returns
        -------
        Ends
            Their ends.
        """
        values = np.asarray(values, dtype=np.float64)
        finite = np.isfinite(values)
        if not finite.all():
            values = values[finite]
        if not len(values):
            return cls()
        return cls(len(values), _end(values, 1), _end(-values, -1), _nines(values))

    def __or__(self, other: Ends) -> Ends:
        """Return the ends of two parts together."""
        lows, highs = _both(self.lows, other.lows, 1), _both(self.highs, other.highs, -1)
        return Ends(self.n + other.n, lows, highs, self.nines + other.nines)

    @property
    def low(self) -> float:
        """The smallest value, inf if there are none."""
        return self.lows[0][0] if self.n else math.inf

    @property
    def high(self) -> float:
        """The largest value, -inf if there are none."""
        return -self.highs[0][0] if self.n else -math.inf

    @property
    def are_two(self) -> bool:
        """True if the numbers have exactly two distinct values."""
        return self.low < self.high and self.lows[0][1] + self.highs[0][1] == self.n

    @property
    def missing_codes(self) -> tuple[float, ...]:
        """The extreme values that may stand for missing ones: they recur and lie far from all others.

        They are larger in size than all others, or negative if no other value is. At most half of the values are such
        codes. Numbers such as 99 and 9.99 are prices if the values of the column often end in 9.
        """
        if not self.n or is_missing_code(self.lows[-1][0]) or is_missing_code(-self.highs[-1][0]):
            return ()
        low, high = self.lows[-1][0], -self.highs[-1][0]  # the ends of the other values
        far = [*self.lows[:-1], *((-value, count) for value, count in self.highs[:-1])]
        codes = {
            value: count
            for value, count in far
            if count >= LEAST
            and max(low - value, value - high) > AWAY * (high - low)
            and (max(abs(low), abs(high)) < abs(value) or value < 0 <= low)
        }
        prices = {value: count for value, count in codes.items() if NINES.fullmatch(f"{value:.12g}")}
        if self.nines - sum(prices.values()) > CHARM * (self.n - sum(prices.values())):
            codes = {value: count for value, count in codes.items() if value not in prices}
        return tuple(codes) if sum(codes.values()) <= MOST * self.n else ()

    def times(self, sign: float) -> int:
        """Return the number of occurrences of a missing-value code.

        Parameters
        ----------
        sign : float
            One of the `missing_codes` of these numbers, or of numbers that they are a part of.

        Returns
        -------
        int
            Number of occurrences in these numbers.
        """
        return max(dict(self.lows).get(sign, 0), dict(self.highs).get(-sign, 0))

    @property
    def description(self) -> str:
        """Remark on the `missing_codes` for the user, "" if there are none.

        Examples
        --------
        >>> Ends.of([70.1, -9999.0, 68.0, -9999.0, 75.5]).description
        'with -9999 in 2 rows, far from all others (missing?)'
        """
        return describe_missing_codes([self], [""])


def describe_missing_codes(
    each: Sequence[Ends], names: Sequence[str], as_missing: bool = False, dates: bool = False
) -> str:
    """Describe the missing-value codes of several tables' numbers together; "" if there are none.

    Parameters
    ----------
    each : sequence of Ends
        The ends of each table's numbers.
    names : sequence of str
        The tables' names, or "" to name none.
    as_missing : bool, default False
        Whether the codes are treated as missing.
    dates : bool, default False
        Whether the numbers are days.

    Returns
    -------
    str
        The remark.

    Examples
    --------
    >>> lab = Ends.of([70.1, -999.0, 68.0, -999.0, 75.5])
    >>> describe_missing_codes([lab, Ends.of([71.0])], ["lab", "ward"], as_missing=True)
    '-999 in 2 rows of lab is taken as missing'
    """
    remarks = []
    for sign in reduce(or_, each).missing_codes:
        times = [(ends.times(sign), name) for ends, name in zip(each, names, strict=True)]
        rows = join_list(f"{n:,} row{'' if n == 1 else 's'}{name and f' of {name}'}" for n, name in times if n)
        remarks.append(f"{DAYS.get(sign, '') if dates else f'{sign:.12g}'} in {rows}")
    if not remarks:
        return ""
    if as_missing:
        return f"{' and '.join(remarks)} {'is' if len(remarks) == 1 else 'are'} taken as missing"
    return f"with {' and '.join(remarks)}, far from all others (missing?)"


def without_missing_codes(x: Vector, signs: Sequence[float]) -> Vector:
    """Return numbers x (n,) with NaN in place of each code."""
    return np.where(np.isin(x, signs), np.nan, x) if signs else x


def is_missing_code(value: float) -> bool:
    """Return whether a value is a common missing-value code by its digits.

    Such codes are -999, 999.9, 88, -1, the extremes of 16 bits, 1e20, and the days of 1900-01-01 and 9999-12-31.
    """
    return value in FILLS or value in DAYS or SIGN.fullmatch(f"{value:.12g}") is not None


def _nines(values):
    """Return the number of finite values of two digits or more that end in 9, with at most two decimals."""
    digits = np.rint(np.abs(values[np.abs(values) < 1e12]) * 100).astype(np.int64)
    return int(np.count_nonzero(ENDS_IN_9[digits % 1000]) - np.count_nonzero(digits == 900))


def _end(values, way):
    """Return the End of the smallest of finite numbers, which are those of a column times `way`."""
    values_and_counts, least = [], float(values.min())
    while math.isfinite(least):
        values_and_counts.append((least, int(np.count_nonzero(values == least))))
        least, before = float(values.min(where=values > least, initial=math.inf)), least
        if not is_missing_code(way * before):
            break
    return tuple(values_and_counts)


def _both(one, other, way):
    """Return the End of two parts of a column times `way`."""
    times = dict(one)
    for value, count in other:
        times[value] = times.get(value, 0) + count
    order = sorted(times)
    last = next((k for k, value in enumerate(order) if not is_missing_code(way * value)), len(order))
    return tuple((value, times[value]) for value in order[: last + 1])
