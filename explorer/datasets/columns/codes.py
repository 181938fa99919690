"""Codes: few whole numbers with wide gaps, such as 200, 301, 404, 500, which name something and measure nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .table import Column

MOST = 20  # different codes
ROWS = 20  # for each code, on average: fewer may be measurements that happen to recur
DIGITS = 3  # at least
WIDE = 10  # steps of the common measure of all gaps, that at least half of the gaps have: a scale has steps of one


def are_codes(columns: Sequence[Column]) -> bool:
    """Return whether the numbers of a column, as each of some tables has it, are codes.

    There are three to twenty different numbers, whole ones with the same number of digits, three at least, and twenty
    rows for each on average. Half of the gaps between them or more are ten times as wide as the largest number that
    divides all gaps: 1 to 5, 10, 20, 50 or 100, 200, 300 are a scale. Nothing depends on which table a row is from.
    """
    counting = [column.whole_numbers for column in columns]
    if not all(each.n and each.whole and each.share == 1 for each in counting):
        return False
    values = np.unique(np.concatenate([each.numbers()[0] for each in counting]))
    if not 3 <= len(values) <= MOST or sum(each.n for each in counting) < ROWS * len(values):
        return False
    digits = [len(str(int(abs(x)))) for x in (values[0], values[-1])]
    if values[0] < 0 or digits[0] != digits[1] or digits[0] < DIGITS:
        return False
    gaps = np.diff(values).astype(np.int64)
    return bool(np.median(gaps) >= WIDE * np.gcd.reduce(gaps))
