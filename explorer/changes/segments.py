"""Several breaks in a sequence: the splits of many intervals under one threshold."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from explorer.types import Rows

from .splits import Intervals, OrderedRows

DECAY = math.sqrt(0.5)  # of the intervals' lengths from one layer to the next
SHORTEST = 200  # of all rows: intervals are this part of them, or longer


class Layer(NamedTuple):
    """Intervals of one length, by their first rows (k,)."""

    starts: Rows
    length: int


class Best(NamedTuple):
    """The best split of an interval [start, end): its standardised MMD² and its row."""

    value: float
    row: int
    start: int
    end: int


def seeded_intervals(n: int, min_size: int) -> list[Layer]:
    """Intervals of n rows in which breaks are sought, layer by layer, all of them first.

    Their length shrinks by sqrt(1/2) from layer to layer, and each overlaps half of the next: every break has an
    interval of the right length about it. None has fewer than 2 min_size rows, or n / 200. Kovács, Bühlmann, Li and
    Munk 2023 (Biometrika 110, 249) take these in place of the random intervals of wild binary segmentation, Fryzlewicz
    2014 (Ann. Stat. 42, 2243).
    """
    shortest = max(2 * min_size, math.ceil(n / SHORTEST))
    layers = []
    for layer in range(math.floor(math.log(n / shortest) / math.log(1 / DECAY)) + 1):
        length = math.ceil(n * DECAY**layer)
        count = 2 * math.ceil(n / length) - 1
        layers.append(Layer(np.unique(np.linspace(0, n - length, count).astype(int)), length))
    return layers


def best_splits(rows: OrderedRows, order: Rows, layers: Sequence[Layer], min_size: int) -> list[Best]:
    """The best split of each interval where the rows come in this order."""
    intervals, found = Intervals(rows, order, min_size), []
    for starts, length in layers:
        values = intervals.values(starts, length)
        at = values.argmax(axis=1)
        columns = values.max(axis=1), starts + min_size + at, starts, starts + length
        found += map(Best, *(column.tolist() for column in columns))
    return found


def breaks(best: Sequence[Best], threshold: float, n: int, split: Callable[[int, int], int]) -> tuple[int, ...]:
    """The rows at which breaks are, in order of time.

    The best split of all intervals is one where it exceeds the threshold; then the same is asked of the intervals that
    lie on either side of it. Last each is moved to `split(s, e)`, the best row between the one before and the one after
    it.
    """
    found: list[int] = []
    parts = [(0, n)]
    while parts:
        low, high = parts.pop()
        inside = [each for each in best if low <= each.start and each.end <= high and each.value > threshold]
        if inside:
            row = max(inside).row
            found.append(row)
            parts += [(low, row), (row, high)]
    moved = [0]
    for _, following in itertools.pairwise([*sorted(found), n]):
        moved.append(split(moved[-1], following))
    return tuple(moved[1:])
