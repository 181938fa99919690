"""What is compared: samples as points of one space, whose first is the reference, and where their rows are from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from explorer.datasets.joint_tables import Tables
from explorer.types import Rows, Vector

from .copies import Copies


class Samples(NamedTuple):
    """The samples that are compared, the reference first.

    tables    their points in one space, a DataSet each
    rows      of each, the number in its own table of every row (n,), counted from 0
    left_out  the columns, and the groups, that are not compared, and why
    alone     those of them that are groups
    grouping  what their names are where they are periods of dates, such as "month of 'day'"; else ""
    times     of these dates, those of all rows of the table (n,), in days; else None
    copies    the copies of rows of the reference and each batch, and between them, before any were left out
    compared  which rows are compared if copies are left out, in words; else ""
    """

    tables: Tables
    rows: tuple[Rows, ...]
    left_out: dict[str, str]
    grouping: str = ""
    alone: tuple[str, ...] = ()
    times: Vector | None = None
    copies: tuple[Copies, ...] = ()
    compared: str = ""

    @classmethod
    def of(cls, tables: Tables, left_out: Mapping[str, str] | None = None, grouping: str = "") -> Samples:
        """Of tables whose rows miss no cell; `left_out` are columns that were not even read into them."""
        reasons = {column.name: column.why for column in tables.columns if column.kind == "left out"}
        return cls(tables, tuple(map(np.flatnonzero, tables.complete)), {**(left_out or {}), **reasons}, grouping)

    def lines(self, k: int, rows: Sequence[int]) -> tuple[int, ...]:
        """Return at which lines of their file rows of sample k stand, counted from 0 in its table; () without lines."""
        one = self.tables[k]
        if not one.by_line or one.lines is None:
            return ()
        return tuple(one.lines[np.searchsorted(self.rows[k], rows)].tolist())

    def pair(self, k: int) -> Samples:
        """The reference and batch k alone."""
        data = (self.tables[0], self.tables[k])
        times = self.times if len(self.tables) == 2 else None
        rows, copies = (self.rows[0], self.rows[k]), self.copies[k - 1 : k]
        return self._replace(tables=replace(self.tables, data=data), rows=rows, times=times, copies=copies)
