"""Power of each column's test: the least change it detects at these sizes, and the rows that the observed one needs."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer.datasets.columns.treatment import ColumnTreatment
from explorer.printing import format_number, percent, printed, short_name
from explorer.types import Vector

from .columns import ColumnChange, format_length, has_many_levels, scores_of
from .level_power import rows_of_many, share_of_many
from .power import POWER, RowsNeeded, covariance, detectable_share, detectable_shift, rows_needed

SOUGHT = 4e-7  # seconds per value on a typical core to compute detectable changes


@printed
class Detectable(NamedTuple):
    """Least change that a column's test detects with 80 % power at these sizes, at the level over all columns.

    Attributes
    ----------
    column : ColumnChange
        The column and its change.
    shift : float or None
        A shift of all values, in the column's units, for numbers. None for a category, and if most rows have the same
        value. inf if not even the largest shift would be detected.
    share : float or None
        Otherwise, a change of the share of `value`. inf if not even the largest change would be detected.
    value : str
        The most frequent value or level, if there is a `share`.
    rows : RowsNeeded
        The rows that would detect the observed difference.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.comparison import Detectable, compare
    >>> rng = np.random.default_rng(0)
    >>> comparison = compare(rng.normal(size=(60, 2)), rng.normal(size=(60, 2)), n_resamples=199, rng=0)
    >>> first: Detectable = comparison.detectable[0]
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
        name = self.column.label
        if self.shift is not None:
            largest, size = self.shift, f"a shift of {format_length(self.shift, self.column.quantity)}"
        else:
            largest = self.share or 0.0
            size = f"a change of the share of {short_name(self.value)} by {format_number(100 * largest)} points"
        if math.isinf(largest):
            return f"{name}: no change of this kind would be detected at these sizes."
        return f"{name}: {size} would be detected with {percent(POWER)} power."


def detectable_change(x: Vector, n: int, column: ColumnTreatment, change: ColumnChange) -> Detectable:
    """Return what the test of a column detects, from its pooled values x (N,) as the tables have them, a's n first."""
    m, threshold = len(x) - n, change.threshold
    if has_many_levels(column):
        parts, count = (x[:n].astype(int), x[n:].astype(int)), len(column.levels)
        first, second = (np.bincount(part, minlength=count).astype(float) for part in parts)
        share = share_of_many(first + second, n, m, threshold)
        value = column.levels[int((first + second).argmax())]
        return Detectable(change, None, share, value, rows_of_many(first, second, threshold))
    scores = scores_of(x, column)
    spread = covariance(scores, np.full(len(x), 1 / len(x)))
    apart = scores[n:].mean(axis=0) - scores[:n].mean(axis=0)
    rows = rows_needed(apart, spread, n, m, threshold) if math.isfinite(threshold) else RowsNeeded(math.inf, math.inf)
    if column.levels:
        share = detectable_share(x, len(column.levels), n, m, threshold, ordered=column.ordered)
        value = column.levels[int(np.bincount(x.astype(int)).argmax())]
        return Detectable(change, None, share, value, rows)
    values, counts = np.unique(x, return_counts=True)
    if 2 * counts.max() > len(x):
        mode = values[counts.argmax()]
        share = detectable_share((x != mode).astype(int), 2, n, m, threshold)
        return Detectable(change, None, share, change.quantity.format(mode), rows)
    return Detectable(change, change.quantity.size * detectable_shift(x, n, m, threshold), None, "", rows)
