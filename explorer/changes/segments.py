"""Several breaks in a sequence: the split of largest MMD² in many intervals, then in the rows on either side of it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

import numpy as np

from explorer.execution.processors import side_by_side
from explorer.types import Rows

from .splits import Intervals, OrderedRows

DECAY = math.sqrt(0.5)  # ratio of the intervals' lengths from one layer to the next
Orders: TypeAlias = Callable[[int, int], Iterable[Rows]]
SHORTEST = 200  # intervals have at least the share 1/SHORTEST of all rows


class Best(NamedTuple):
    """The split of an interval [start, end) at which the standardised MMD² is largest: its value and its row."""

    value: float
    row: int
    start: int
    end: int


def seeded_intervals(n: int, min_size: int) -> tuple[Rows, Rows]:
    """Return the first rows and the ends of intervals of n rows in which breaks are sought, all rows first.

    Their length shrinks by sqrt(1/2) from layer to layer, and each overlaps half of the next: every break has an
    interval of the right length around it. None has fewer than 2 min_size rows, or n / 200. Kovács, Bühlmann, Li and
    Munk 2023 (Biometrika 110, 249) use these in place of the random intervals of wild binary segmentation, Fryzlewicz
    2014 (Ann. Stat. 42, 2243).
    """
    shortest = max(2 * min_size, math.ceil(n / SHORTEST))
    starts, ends = [], []
    for layer in range(math.floor(math.log(n / shortest) / math.log(1 / DECAY)) + 1):
        length = math.ceil(n * DECAY**layer)
        count = 2 * math.ceil(n / length) - 1
        starts.append(np.unique(np.linspace(0, n - length, count).astype(int)))
        ends.append(starts[-1] + length)
    return np.concatenate(starts), np.concatenate(ends)


def best_splits(intervals: Intervals, order: Rows) -> list[Best]:
    """Return the split of largest standardised MMD² in each interval if the rows come in this order."""
    values = intervals.values(order)
    best = []
    for s, e, first in zip(intervals.starts, intervals.ends, intervals.first, strict=True):
        some = values[first : first + e - s - 2 * intervals.min_size + 1]
        at = int(some.argmax())
        best.append(Best(float(some[at]), int(s) + intervals.min_size + at, int(s), int(e)))
    return best


def breaks(rows: OrderedRows, min_size: int, level: float, count: int, orders: Orders) -> tuple[int, ...]:
    """Return the rows at which breaks are, in order of time.

    The best split of all intervals is a break if few enough of the rows' other orders have one as high. Then the same
    test is made for the rows on either side by themselves. After a change they have a null distribution of their own,
    and the level is multiplied by their share of all rows: if several parts have no change, their levels add up to the
    level at most. Finally each break is moved to the best split between the one before and the one after it.

    Parameters
    ----------
    rows : OrderedRows
        The rows.
    min_size : int
        Least number of rows on either side of a split.
    level : float
        Level over all breaks.
    count : int
        Number of orders of all rows. A part of the rows has more orders, in inverse proportion to its length.
    orders : callable
        Maps (n, count) to that many orders of n rows, or to all if there are fewer.

    Returns
    -------
    tuple of int
        First row after each break.
    """
    splits: list[int] = []
    parts = [(0, rows.n)]
    while parts:
        low, high = parts.pop()
        if high - low < 2 * min_size:
            continue
        share = (high - low) / rows.n
        part = rows.part(low, high) if share < 1 else rows
        split = _split_of(part, min_size, share * level, math.ceil(count / share), orders)
        if split is not None:
            splits.append(low + split)
            parts += [(low, low + split), (low + split, high)]
    moved = [0]
    for _, following in itertools.pairwise([*sorted(splits), rows.n]):
        between = Intervals(rows, np.array([moved[-1]]), np.array([following]), min_size)
        moved.append(best_splits(between, np.arange(rows.n))[0].row)
    return tuple(moved[1:])


def _split_of(rows, min_size, level, count, orders):
    """Return the split of largest standardised MMD² in all intervals, or None if it is not significant at the level."""
    intervals = Intervals(rows, *seeded_intervals(rows.n, min_size), min_size)
    best = max(best_splits(intervals, np.arange(rows.n)))
    least, as_high, seen = best.value - rows.tolerance(min_size), 0, 0

    def reaches(order: Rows) -> bool:
        return bool(intervals.values(order).max() >= least)

    takes = rows.takes(True)
    for reached in side_by_side(reaches, orders(rows.n, count), count * takes, takes):
        as_high += reached
        seen += 1
        if (1 + as_high) / (1 + count) > level:  # the remaining orders cannot make it significant
            return None
    return best.row if (1 + as_high) / (1 + seen) <= level else None
