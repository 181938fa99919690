"""Lazy access to the cells of a text that was parsed in one pass.

A column of words stores its distinct cells and which of them each row has. Cells of numeric columns are rarely needed
as text, so they are cut out on demand.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np

from explorer.record import record
from explorer.types import Rows

ROUND = b".000"  # ending that does not change a number, unless the point groups its digits
TOP = 60  # number of first lines that are stored, to inspect what surrounds the table


@record(repr=False)
class EncodedColumn(Sequence[str]):
    """Cells of a column: the distinct ones, in the order of their first rows, and which of them each row has.

    Attributes
    ----------
    cells : list of str
        The distinct cells.
    codes : ndarray of shape (n,)
        Position in `cells` of each row's cell.
    counts : Counter
        The number of rows of each distinct cell.
    """

    cells: list[str]
    codes: np.ndarray

    @classmethod
    def of(cls, cells: Sequence[str], codes: Rows) -> EncodedColumn:
        """Encode cells that may repeat, and that may not occur in any row.

        Parameters
        ----------
        cells : sequence of str
            The cells.
        codes : ndarray of shape (n,)
            Position in `cells` of each row's cell.

        Returns
        -------
        EncodedColumn
            The column of these rows.
        """
        if len(place := dict.fromkeys(cells)) < len(cells):
            place = {cell: k for k, cell in enumerate(place)}
            cells, codes = list(place), np.array([place[cell] for cell in cells], np.intp)[codes]
        return cls._in_order(cells, codes)

    @classmethod
    def from_array(cls, cells: np.ndarray) -> EncodedColumn:
        """Encode an array of cells that pandas has read, stripped of the blanks around them.

        Parameters
        ----------
        cells : ndarray of shape (n,)
            The cell of each row.

        Returns
        -------
        EncodedColumn
            The column of these rows.
        """
        import pandas as pd  # imported late because it loads slowly

        codes, distinct = pd.factorize(cells)
        distinct = [cell.strip() for cell in distinct.tolist()]
        return cls(distinct, codes) if len(set(distinct)) == len(distinct) else cls.of(distinct, codes)

    @classmethod
    def _in_order(cls, cells, codes):
        """Encode distinct cells that may not occur in any row."""
        first = np.full(len(cells), len(codes))
        np.minimum.at(first, codes, np.arange(len(codes)))
        order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(codes))]
        after = np.empty(len(cells), np.intp)
        after[order] = np.arange(len(order))
        return cls([cells[k] for k in order.tolist()], after[codes])

    @classmethod
    def from_cells(cls, cells: Iterable[str]) -> EncodedColumn:
        """Encode the cell of each row.

        Parameters
        ----------
        cells : iterable of str
            The cells. An EncodedColumn is returned unchanged.

        Returns
        -------
        EncodedColumn
            The column of these rows.
        """
        if isinstance(cells, EncodedColumn):
            return cells
        if isinstance(cells, LazyCells):
            return cells.encoded
        place: dict[str, int] = {}
        codes = [place.setdefault(cell, len(place)) for cell in cells]
        return cls(list(place), np.array(codes, dtype=np.intp))

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, which: int) -> str: ...
    @overload
    def __getitem__(self, which: slice) -> EncodedColumn: ...
    def __getitem__(self, which: int | slice) -> str | EncodedColumn:
        if isinstance(which, slice):
            return self._in_order(self.cells, self.codes[which])
        return self.cells[self.codes[which]]

    def __iter__(self) -> Iterator[str]:
        return map(self.cells.__getitem__, self.codes.tolist())

    def __repr__(self) -> str:
        return f"<{len(self)} cells, {len(self.cells)} different>"

    @property
    def counts(self) -> Counter[str]:
        """Number of rows of each distinct cell."""
        return Counter(dict(zip(self.cells, np.bincount(self.codes, minlength=len(self.cells)).tolist(), strict=True)))

    def prepend(self, first: str) -> EncodedColumn:
        """Return the column with another cell on top.

        Parameters
        ----------
        first : str
            The cell of the new first row.

        Returns
        -------
        EncodedColumn
            The column of n + 1 rows.
        """
        cells, codes = [first, *self.cells], np.concatenate([[0], self.codes + 1])
        return EncodedColumn.of(cells, codes) if first in self.cells else EncodedColumn(cells, codes)

    def blank(self, gaps: Collection[str]) -> EncodedColumn:
        """Return the column with "" in place of some cells.

        Parameters
        ----------
        gaps : collection of str
            The cells that become "".

        Returns
        -------
        EncodedColumn
            The column of the same rows.
        """
        return self.map(lambda cell: "" if cell in gaps else cell) if gaps else self

    def map(self, word: Callable[[str], str]) -> EncodedColumn:
        """Return the column with another word for each distinct cell.

        Parameters
        ----------
        word : callable
            Maps a cell to its new word.

        Returns
        -------
        EncodedColumn
            The column of the same rows.
        """
        return EncodedColumn.of(list(map(word, self.cells)), self.codes)


def are_texts(cells: Any) -> bool:
    """Return whether cells are stored as texts, and are neither numbers nor cut out of a text on demand."""
    return isinstance(cells, (list, tuple, EncodedColumn))


def distinct_cells(cells: Sequence[str]) -> Collection[str]:
    """Return the distinct cells of a column of texts."""
    return cells.cells if isinstance(cells, EncodedColumn) else set(cells)


def rows_with(cells: Sequence[str], wanted: Collection[str]) -> list[int]:
    """Return the rows whose cells are among some wanted cells, in order."""
    if not wanted:
        return []
    if isinstance(cells, EncodedColumn):
        places = [k for k, cell in enumerate(cells.cells) if cell in wanted]
        return np.flatnonzero(np.isin(cells.codes, places)).tolist()
    return [row for row, cell in enumerate(cells) if cell in wanted]


def columns_with(body: bytes, mark: str, width: int, end: bytes = ROUND) -> Collection[int]:
    """Return the columns of a grid's lines in which a cell may contain `end`, such as the .000 of 1.000.

    Returns all columns if cells are quoted.
    """
    if end not in body:
        return ()
    if b'"' in body:
        return range(width)
    text = np.frombuffer(body, dtype=np.uint8)
    starts = np.flatnonzero(text[: len(text) - len(end) + 1] == end[0])
    for k, sign in enumerate(end):
        starts = starts[text[starts + k] == sign]
    ends = np.flatnonzero((text == ord(mark)) | (text == ord("\n")))
    return set((np.searchsorted(ends, starts) % width).tolist())


@record
class TextGrid:
    """Positions of a text's lines, each of which is a row below a first line.

    top
        Cells of the first lines.
    body
        Text below the first line.
    edges
        Start of each line in `body`, followed by the start that a further line would have.
    mark
        Delimiter.
    """

    top: list[list[str]]
    body: bytes
    edges: np.ndarray
    mark: str

    @classmethod
    def of(cls, first: list[str], body: bytes, edges: Rows, mark: str) -> TextGrid:
        """Return the grid below the cells of a first line."""
        grid = cls([first], body, edges, mark)
        grid.top.extend(grid.line(row) for row in range(1, min(TOP, len(edges))))
        return grid

    def line(self, row: int) -> list[str]:
        """Return the cells of a line by its row, counted from 1: the first line is row 0."""
        line = str(self.body[self.edges[row - 1] : self.edges[row]], "utf-8").rstrip("\r\n")
        cells = next(csv.reader([line], delimiter=self.mark)) if '"' in line else line.split(self.mark)
        return [cell.strip() for cell in cells]

    def column(self, column: int) -> EncodedColumn:
        """Read the cells of a column."""
        import pandas as pd

        names = range(len(self.top[0]))
        how: Any = {"sep": self.mark, "names": names, "usecols": [column], "index_col": False, "engine": "c"}
        how |= {"dtype": "object", "keep_default_na": False, "skip_blank_lines": False}
        read = pd.read_csv(io.BytesIO(self.body), **how)
        return EncodedColumn.from_array(read[column].to_numpy()).prepend(self.top[0][column])

    @cached_property
    def round_columns(self) -> Collection[int]:
        """Columns in which a cell may be like 1.000."""
        return columns_with(self.body, self.mark, len(self.top[0]))

    @cached_property
    def point_columns(self) -> Collection[int]:
        """Columns in which a cell may contain a point."""
        return columns_with(self.body, self.mark, len(self.top[0]), b".")

    def cell(self, row: int, column: int) -> str:
        """Return the cell of a row and a column."""
        return (self.top[row] if row < len(self.top) else self.line(row))[column]


@record(repr=False)
class LazyCells(Sequence[str]):
    """Cells of a numeric column of a grid, with their numbers: NaN if a cell is missing, or a word in the first line.

    grid, column
        The grid, and the position of the column in it.
    rows
        The rows of the grid that the cells belong to.
    values
        Number of each cell.
    marks
        The only decimal mark of these numbers: "." if some may have it, "," if some have it, "" if none has one.
    """

    grid: TextGrid
    column: int
    rows: range
    values: np.ndarray
    marks: str = "."

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, which: int) -> str: ...
    @overload
    def __getitem__(self, which: slice) -> LazyCells: ...
    def __getitem__(self, which: int | slice) -> str | LazyCells:
        if isinstance(which, slice):
            return LazyCells(self.grid, self.column, self.rows[which], self.values[which], self.marks)
        return self.grid.cell(self.rows[which], self.column)

    def __repr__(self) -> str:
        return f"<{len(self)} cells>"

    @cached_property
    def encoded(self) -> EncodedColumn:
        """The cells as an EncodedColumn. This reads the text again."""
        rows = self.rows
        return self.grid.column(self.column)[rows.start : rows.stop : rows.step]
