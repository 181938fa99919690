"""Samples to compare: points in one space, the reference first, with the origin of their rows."""

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

    Attributes
    ----------
    tables : Tables
        Their points in one space, a DataSet for each sample.
    rows : tuple of ndarray of shape (n,)
        For each sample, the number of every row in its own table, counted from 0.
    left_out : dict
        The columns, and the groups, that are not compared, with reasons.
    grouping : str
        Text on the groups if they are periods of dates, such as "month of 'day'", or "".
    alone : tuple of str
        The keys of `left_out` that are groups.
    times : ndarray of shape (n,) or None
        The dates of all rows of the table, in days, if groups are periods.
    copies : tuple of Copies
        Copies of rows within and between the reference and each batch, before any were left out.
    compared : str
        Text on the rows that are compared if copies are left out, or "".
    within : str
        The column of subjects within which rows are compared, or "".
    subjects : tuple of ndarray of shape (n,)
        For each sample, the code of every row's subject, -1 if it is missing; empty without `within`.
    matching : Subjects or None
        How the subjects of the reference and the batches are matched, after `of_subjects`.
    repeated : tuple of (str, int)
        Columns of words that are left out, with the number of their values that are in both of two tables, if most of
        one table's are.
    respelled : tuple of str
        Notes on words of the columns of groups and subjects that are treated as other spellings.
    ungrouped : int
        Number of rows of the table of groups that name none, and are left out.
    by : str
        The column, or the period, of the groups.
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
        """Return the Samples of tables without missing cells; `left_out` are columns that were not read into them."""
        reasons = {column.name: column.why for column in tables.columns if column.kind == "left out"}
        return cls(tables, tuple(map(np.flatnonzero, tables.complete)), {**(left_out or {}), **reasons}, grouping)

    def lines(self, k: int, rows: Sequence[int]) -> tuple[int, ...]:
        """Return the lines of the file that contain these rows of sample k, counted from 0 in its table; or ()."""
        one = self.tables[k]
        if not one.by_line or one.lines is None:
            return ()
        return tuple(one.lines[np.searchsorted(self.positions(k), rows)].tolist())

    def positions(self, k: int) -> Rows:
        """Return the number of each row of sample k in the table that was passed, (n,), counted from 0."""
        one = self.tables[k]
        return self.rows[k] if one.by_line or one.lines is None else one.lines - 1

    def pair(self, k: int, first: int = 0) -> Samples:
        """Return the reference, or the batch at position `first`, and batch k only."""
        data = (self.tables[first], self.tables[k])
        times = self.times if len(self.tables) == 2 else None
        rows, copies = (self.rows[first], self.rows[k]), self.copies[k - 1 : k]
        subjects = (self.subjects[first], self.subjects[k]) if self.subjects else ()
        tables = replace(self.tables, data=data)
        return self._replace(tables=tables, rows=rows, times=times, copies=copies, subjects=subjects)

    def of_rows(self, kept: Sequence[Mask]) -> Samples:
        """Return these samples with some of their rows only, given as masks (n,)."""
        data = tuple(some_rows(one, some) for one, some in zip(self.tables, kept, strict=True))
        rows = tuple(each[some] for each, some in zip(self.rows, kept, strict=True))
        subjects = tuple(each[some] for each, some in zip(self.subjects, kept, strict=False))
        return self._replace(tables=replace(self.tables, data=data), rows=rows, subjects=subjects)

    def of_subjects(self) -> Samples:
        """Return the rows of subjects that the reference and some batch have in common; all rows without `within`.

        Raises
        ------
        Refusal
            If there are no such rows.
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
