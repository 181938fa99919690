"""The median of very many numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SOME = 10_000  # of the numbers, which say about where the median lies


def median(values: NDArray[np.floating]) -> float:
    """What np.median gives for numbers (m,), m >= 1, in a third of its time, as of all numbers few are copied.

    The median of some of them lies within two standard errors, 1 / sqrt(SOME) in ranks, of that of all. Numbers below
    are counted, and those within are looked at. Where the few mislead, np.median it is.
    """
    m = len(values)
    if m > 10 * SOME:
        few = np.sort(values[:: m // SOME])
        half, reach = len(few) // 2, int(np.sqrt(len(few)))
        low, high = few[half - reach], few[half + reach]
        within = values[(values >= low) & (values <= high)]
        ranks = np.array([(m - 1) // 2, m // 2]) - np.count_nonzero(values < low)
        if 0 <= ranks[0] and ranks[1] < len(within):
            within.partition(ranks)
            return float(within[ranks].mean())
    return float(np.median(values))
