"""What is compared: samples as points of one space, whose first is the reference, and where their rows are from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from explorer.datasets.common_space import Tables
from explorer.datasets.dataset import some_rows
from explorer.types import Mask, Rows, Vector

from .copies import Copies
from .subjects import Subjects, match_subjects


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
    within    the column of subjects within which rows are compared; else ""
    subjects  of each sample, the code of every row's subject (n,), -1 if it is missing; empty without `within`
    repeated  columns of words that are left out, and how many of their values are in both of two tables, most of one
    respelled  notes on the words of columns of groups and subjects that are taken as others
    ungrouped  how many rows of the table of groups name none, and are left out; by: the column, or the period
    matching  how the subjects of the reference and the batches are matched, once their rows are; else None
    """

    tables: Tables
    rows: tuple[Rows, ...]
    left_out: dict[str, str]
    grouping: str = ""
    alone: tuple[str, ...] = ()
    times: Vector | None = None
    copies: tuple[Copies, ...] = ()
    compared: str = ""
    within: str = ""
    subjects: tuple[Rows, ...] = ()
    matching: Subjects | None = None
    repeated: tuple[tuple[str, int], ...] = ()
    respelled: tuple[str, ...] = ()
    ungrouped: int = 0
    by: str = ""

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
        return tuple(one.lines[np.searchsorted(self.positions(k), rows)].tolist())

    def positions(self, k: int) -> Rows:
        """Return the number of each row of sample k in the table that was given, (n,), counted from 0."""
        one = self.tables[k]
        return self.rows[k] if one.by_line or one.lines is None else one.lines - 1

    def pair(self, k: int, first: int = 0) -> Samples:
        """The reference, or the batch that is `first`, and batch k alone."""
        data = (self.tables[first], self.tables[k])
        times = self.times if len(self.tables) == 2 else None
        rows, copies = (self.rows[first], self.rows[k]), self.copies[k - 1 : k]
        subjects = (self.subjects[first], self.subjects[k]) if self.subjects else ()
        tables = replace(self.tables, data=data)
        return self._replace(tables=tables, rows=rows, times=times, copies=copies, subjects=subjects)

    def of_rows(self, kept: Sequence[Mask]) -> Samples:
        """Return these samples with some of their rows alone, (n,) each."""
        data = tuple(some_rows(one, some) for one, some in zip(self.tables, kept, strict=True))
        rows = tuple(each[some] for each, some in zip(self.rows, kept, strict=True))
        subjects = tuple(each[some] for each, some in zip(self.subjects, kept, strict=False))
        return self._replace(tables=replace(self.tables, data=data), rows=rows, subjects=subjects)

    def of_subjects(self) -> Samples:
        """Return the rows of subjects that the reference and some batch have; all rows without `within`.

        Raises a Refusal if there are no such rows.
        """
        if not self.subjects:
            return self
        first, *others = self.subjects
        names = self.tables[0].name, self.tables[1].name if len(others) == 1 else f"{len(others)} batches"
        *kept, matching = match_subjects(self.within, first, np.concatenate(others), names)
        ends = np.cumsum([len(each) for each in others])[:-1]
        return self.of_rows([kept[0], *np.split(kept[1], ends)])._replace(matching=matching)

    @property
    def groups(self) -> Rows | None:
        """The codes 0, 1, ... of the subjects of all rows, the reference's first, (N,); None without `within`."""
        return np.unique(np.concatenate(self.subjects), return_inverse=True)[1] if self.subjects else None
