"""Detection of codes: few whole numbers with wide gaps, such as 200, 301 and 404, that measure nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .table import Column

MOST = 20  # most distinct codes
ROWS = 20  # fewest rows for each code, on average: fewer may be measurements that happen to recur
DIGITS = 3  # fewest digits of a code
WIDE = 10  # least median of the gaps, in units of their greatest common divisor; the gaps of a scale have about 1


def are_codes(columns: Sequence[Column]) -> bool:
    """Return whether the numbers of a column are codes; `columns` holds the column as each table has it.

    Codes are three to twenty distinct whole numbers with equally many digits, at least three, and with twenty rows for
    each on average. At least half of the gaps between them are ten times as wide as the largest number that divides all
    gaps: 1 to 5, 10, 20, 50 or 100, 200, 300 are a scale. Nothing depends on which table a row is from.
    """
    detectors = [column.whole_numbers for column in columns]
    if not all(each.n and each.whole and each.share == 1 for each in detectors):
        return False
    values = np.unique(np.concatenate([each.numbers()[0] for each in detectors]))
    if not 3 <= len(values) <= MOST or sum(each.n for each in detectors) < ROWS * len(values):
        return False
    digits = [len(str(int(abs(x)))) for x in (values[0], values[-1])]
    if values[0] < 0 or digits[0] != digits[1] or digits[0] < DIGITS:
        return False
    gaps = np.diff(values).astype(np.int64)
    return bool(np.median(gaps) >= WIDE * np.gcd.reduce(gaps))
