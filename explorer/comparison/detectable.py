"""What the test of a column could have found, and how many rows would show what it did not."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer.datasets.columns.treatment import ColumnTreatment
from explorer.printing import format_number, percent, printed, short_name
from explorer.types import Vector

from .columns import ColumnChange, has_many_levels, length_in_words, scores_of
from .level_power import rows_of_many, share_of_many
from .power import POWER, RowsNeeded, covariance, detectable_share, detectable_shift, rows_needed

SOUGHT = 4e-7  # s on a usual core for a value's part of what is findable


@printed
class Findable(NamedTuple):
    """What a column's test finds with 80 % power at these sizes, at the level over all columns.

    shift  of numbers, a move of all values, in the column's units; None of a category, and where one value is that of
           most rows
    share  else a change of the share of `value`, the most frequent one
    rows   that would find the difference observed
    Either is inf where not even the largest change would be found.

    >>> import numpy as np
    >>> from explorer.comparison import Findable, compare
    >>> rng = np.random.default_rng(0)
    >>> comparison = compare(rng.normal(size=(60, 2)), rng.normal(size=(60, 2)), n_resamples=199, rng=0)
    >>> first: Findable = comparison.findable[0]
    >>> first.column.name, round(first.shift, 1)
    ('x1', 0.6)
    """

    column: ColumnChange
    shift: float | None
    share: float | None
    value: str
    rows: RowsNeeded

    def __str__(self) -> str:
        return self._sentence()

    def _sentence(self):
        name = self.column.called
        if self.shift is not None:
            largest, size = self.shift, f"a shift of {length_in_words(self.shift, self.column.quantity)}"
        else:
            largest = self.share or 0.0
            size = f"a change of the share of {short_name(self.value)} by {format_number(100 * largest)} points"
        if math.isinf(largest):
            return f"{name}: no change of this kind would be found at these sizes."
        return f"{name}: {size} would be found with {percent(POWER)} power."


def findable(x: Vector, n: int, column: ColumnTreatment, change: ColumnChange) -> Findable:
    """Of a column's pooled values x (N,), a's n first, as the tables have them."""
    m, threshold = len(x) - n, change.threshold
    if has_many_levels(column):
        parts, count = (x[:n].astype(int), x[n:].astype(int)), len(column.levels)
        first, second = (np.bincount(part, minlength=count).astype(float) for part in parts)
        share = share_of_many(first + second, n, m, threshold)
        value = column.levels[int((first + second).argmax())]
        return Findable(change, None, share, value, rows_of_many(first, second, threshold))
    scores = scores_of(x, column)
    spread = covariance(scores, np.full(len(x), 1 / len(x)))
    apart = scores[n:].mean(axis=0) - scores[:n].mean(axis=0)
    rows = rows_needed(apart, spread, n, m, threshold) if math.isfinite(threshold) else RowsNeeded(math.inf, math.inf)
    if column.levels:
        share = detectable_share(x, len(column.levels), n, m, threshold, ordered=column.ordered)
        value = column.levels[int(np.bincount(x.astype(int)).argmax())]
        return Findable(change, None, share, value, rows)
    values, counts = np.unique(x, return_counts=True)
    if 2 * counts.max() > len(x):
        mode = values[counts.argmax()]
        share = detectable_share((x != mode).astype(int), 2, n, m, threshold)
        return Findable(change, None, share, change.quantity.format(mode), rows)
    return Findable(change, change.quantity.size * detectable_shift(x, n, m, threshold), None, "", rows)
