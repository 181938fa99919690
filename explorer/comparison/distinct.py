"""Rows to compare if there are copies: the distinct rows, or the new rows of a table that contains the other one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .copies import Copies, columns_of, copies_of, copies_of_tables

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table
    from explorer.types import Mask, Rows

    from .samples import Samples

FEWEST = 8  # least number of new rows: fewer are hardly informative, so both tables are compared unchanged


def by_distinct_rows(samples: Samples, raw: Sequence[Table] | None, by: str | None) -> Samples:
    """Return samples with the copies of their rows counted, and removed if they are more than 5 % of a table.

    A test assumes independent rows, and a row that occurs eight times is not independent. If one of two tables contains
    all rows of the other, its new rows are compared with the other. Within subjects a row that both tables have is a
    subject that did not change, so it stays.

    `raw` are the tables as they were read. Rows are compared by all of their columns, identifiers and times included.
    If it is None, rows are compared by their points. `by` names the column of the groups.
    """

    def count_copies(k: int, rows: Sequence[Rows]) -> Copies:
        if raw is None:
            return copies_of(*(_points(samples, at, rows[at]) for at in (0, k)))
        first, second = raw[0], raw[k] if by is None else raw[-1]
        names = [name for name in columns_of(first, second) if name != by]
        return copies_of_tables(first, second, names, (rows[0], rows[k]))

    rows = list(samples.rows)
    copies = [count_copies(k, rows) for k in range(1, len(rows))]
    kept: list[Mask] = [np.ones(len(each), dtype=bool) for each in rows]
    words = ""
    if any(each.many for each in copies):
        words = "Only the distinct rows are compared"
        for k, each in enumerate(copies, 1):
            kept[0], kept[k] = kept[0] & each.distinct[0], each.distinct[1]
    if len(copies) == 1 and not samples.within:
        again = count_copies(1, [each[some] for each, some in zip(rows, kept, strict=True)]) if words else copies[0]
        side = {"a": 0, "b": 1}.get(again.contains)
        if side is not None and again.new[side].sum() >= FEWEST:
            words = f"Only the new rows of {samples.tables[side].name} are compared"
            kept[side][kept[side]] = again.new[side]
    samples = samples._replace(copies=tuple(copies))
    return _of_rows(samples, kept)._replace(compared=words) if words else samples


def _points(samples, at, rows):
    """Return the points of these rows of a sample."""
    return samples.tables[at].X[np.searchsorted(samples.rows[at], rows)]


def _of_rows(samples, kept):
    """Return samples of these rows only, with scales computed from them."""
    some = samples.of_rows(kept)
    return some._replace(tables=replace(some.tables, scale="none").in_common_scales())
