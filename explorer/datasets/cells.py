"""The cells of a text that was read at once, cut out of it when somebody asks for them: of numbers few ever are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, overload

import numpy as np

from explorer.record import record
from explorer.types import Rows

TOP = 60  # lines that are looked at while a table is taken out of its frame


class Coded(NamedTuple):
    """The cells of a column as its different ones, in the order of their first rows, and which of them each row has."""

    cells: list[str]
    codes: np.ndarray

    @classmethod
    def of(cls, cells: list[str], codes: Rows) -> Coded:
        """From cells of which some may be alike, or in no row."""
        used, first, again = np.unique(codes, return_index=True, return_inverse=True)
        order = np.argsort(first)
        place: dict[str, int] = {}
        after = np.empty(len(order), np.intp)
        after[order] = [place.setdefault(cells[k], len(place)) for k in used[order].tolist()]
        return cls(list(place), after[again])

    @classmethod
    def each(cls, cells: Sequence[str]) -> Coded:
        """From the cell of each row."""
        place: dict[str, int] = {}
        codes = np.fromiter((place.setdefault(cell, len(place)) for cell in cells), np.intp, len(cells))
        return cls(list(place), codes)


@record
class Grid:
    """Where the cells of a text stand that holds no quotes below its first line.

    top  the cells of the first lines; body  what is below the first one; edges  where each line of it begins, and
    where one behind the last would
    """

    top: list[list[str]]
    body: bytes
    edges: np.ndarray
    mark: str

    @classmethod
    def of(cls, first: list[str], body: bytes, edges: Rows, mark: str) -> Grid:
        """The grid below the cells of a first line."""
        grid = cls([first], body, edges, mark)
        grid.top.extend(grid.line(row) for row in range(1, min(TOP, len(edges))))
        return grid

    def line(self, row: int) -> list[str]:
        """The cells of a line by its row, from 1: the first line is row 0."""
        line = str(self.body[self.edges[row - 1] : self.edges[row]], "utf-8")
        return [cell.strip() for cell in line.split(self.mark)]

    def cell(self, row: int, column: int) -> str:
        """One cell."""
        return (self.top[row] if row < len(self.top) else self.line(row))[column]


@record(repr=False)
class Cells(Sequence[str]):
    """Cells of a column of a grid, and the number of each: NaN where it is missing, or a word in the first line.

    rows: which rows of the grid they are of
    """

    grid: Grid
    column: int
    rows: range
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, which: int) -> str: ...
    @overload
    def __getitem__(self, which: slice) -> Cells: ...
    def __getitem__(self, which: int | slice) -> str | Cells:
        if isinstance(which, slice):
            return Cells(self.grid, self.column, self.rows[which], self.values[which])
        return self.grid.cell(self.rows[which], self.column)

    def __repr__(self) -> str:
        return f"<{len(self)} cells>"
