"""Columns of a text: its different cells with the rows that have each, or numbers whose cells are cut out on demand."""

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

ROUND = b".000"  # what a number may end with and be the same without, unless the point groups its digits
TOP = 60  # lines that are looked at while a table is taken out of its frame


@record(repr=False)
class EncodedColumn(Sequence[str]):
    """The cells of a column: its different ones, in the order of their first rows, and which of them each row has."""

    cells: list[str]
    codes: np.ndarray

    @classmethod
    def of(cls, cells: Sequence[str], codes: Rows) -> EncodedColumn:
        """From cells of which some may be alike, or in no row."""
        if len(place := dict.fromkeys(cells)) < len(cells):
            place = {cell: k for k, cell in enumerate(place)}
            cells, codes = list(place), np.array([place[cell] for cell in cells], np.intp)[codes]
        return cls._in_order(cells, codes)

    @classmethod
    def from_array(cls, cells: np.ndarray) -> EncodedColumn:
        """From the cell of each row, in an array that pandas has read, without the blanks around it."""
        import pandas as pd  # takes a while to load, and is loaded here

        codes, different = pd.factorize(cells)
        different = [cell.strip() for cell in different.tolist()]
        return cls(different, codes) if len(set(different)) == len(different) else cls.of(different, codes)

    @classmethod
    def _in_order(cls, cells, codes):
        """From different cells, of which some may be in no row."""
        first = np.full(len(cells), len(codes))
        np.minimum.at(first, codes, np.arange(len(codes)))
        order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(codes))]
        after = np.empty(len(cells), np.intp)
        after[order] = np.arange(len(order))
        return cls([cells[k] for k in order.tolist()], after[codes])

    @classmethod
    def from_cells(cls, cells: Iterable[str]) -> EncodedColumn:
        """From the cell of each row."""
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
        """The different cells, and how often each occurs."""
        return Counter(dict(zip(self.cells, np.bincount(self.codes, minlength=len(self.cells)).tolist(), strict=True)))

    def prepend(self, first: str) -> EncodedColumn:
        """The cells with another one on top."""
        cells, codes = [first, *self.cells], np.concatenate([[0], self.codes + 1])
        return EncodedColumn.of(cells, codes) if first in self.cells else EncodedColumn(cells, codes)

    def blank(self, gaps: Collection[str]) -> EncodedColumn:
        """The cells, with "" for these."""
        return self.map(lambda cell: "" if cell in gaps else cell) if gaps else self

    def map(self, word: Callable[[str], str]) -> EncodedColumn:
        """The cells, with another word for each of the different ones."""
        return EncodedColumn.of(list(map(word, self.cells)), self.codes)


def are_texts(cells: Any) -> bool:
    """Return whether cells are texts that are at hand, and neither numbers nor cut out of a text on demand."""
    return isinstance(cells, (list, tuple, EncodedColumn))


def distinct_cells(cells: Sequence[str]) -> Collection[str]:
    """Return the different ones among cells that are texts."""
    return cells.cells if isinstance(cells, EncodedColumn) else set(cells)


def rows_with(cells: Sequence[str], wanted: Collection[str]) -> list[int]:
    """Return the rows whose cells are among those wanted, in order."""
    if not wanted:
        return []
    if isinstance(cells, EncodedColumn):
        places = [k for k, cell in enumerate(cells.cells) if cell in wanted]
        return np.flatnonzero(np.isin(cells.codes, places)).tolist()
    return [row for row, cell in enumerate(cells) if cell in wanted]


def columns_with(body: bytes, mark: str, width: int, end: bytes = ROUND) -> Collection[int]:
    """Return the columns of a grid's lines in which a cell may be like 1.000; all of them if cells stand in quotes."""
    if end not in body:
        return ()
    if b'"' in body:
        return range(width)
    text = np.frombuffer(body, dtype=np.uint8)
    found = np.flatnonzero(text[: len(text) - len(end) + 1] == end[0])
    for k, sign in enumerate(end):
        found = found[text[found + k] == sign]
    ends = np.flatnonzero((text == ord(mark)) | (text == ord("\n")))
    return set((np.searchsorted(ends, found) % width).tolist())


@record
class TextGrid:
    """Where the lines of a text stand, each of which is a row below a first one.

    top  the cells of the first lines; body  what is below the first one; edges  where each line of it begins, and
    where one behind the last would
    """

    top: list[list[str]]
    body: bytes
    edges: np.ndarray
    mark: str

    @classmethod
    def of(cls, first: list[str], body: bytes, edges: Rows, mark: str) -> TextGrid:
        """The grid below the cells of a first line."""
        grid = cls([first], body, edges, mark)
        grid.top.extend(grid.line(row) for row in range(1, min(TOP, len(edges))))
        return grid

    def line(self, row: int) -> list[str]:
        """The cells of a line by its row, from 1: the first line is row 0."""
        line = str(self.body[self.edges[row - 1] : self.edges[row]], "utf-8").rstrip("\r\n")
        cells = next(csv.reader([line], delimiter=self.mark)) if '"' in line else line.split(self.mark)
        return [cell.strip() for cell in cells]

    def column(self, column: int) -> EncodedColumn:
        """The cells of a column."""
        import pandas as pd

        names = range(len(self.top[0]))
        how: Any = {"sep": self.mark, "names": names, "usecols": [column], "index_col": False, "engine": "c"}
        how |= {"dtype": "object", "keep_default_na": False, "skip_blank_lines": False}
        read = pd.read_csv(io.BytesIO(self.body), **how)
        return EncodedColumn.from_array(read[column].to_numpy()).prepend(self.top[0][column])

    @cached_property
    def round_columns(self) -> Collection[int]:
        """The columns in which a cell may be like 1.000."""
        return columns_with(self.body, self.mark, len(self.top[0]))

    @cached_property
    def point_columns(self) -> Collection[int]:
        """The columns in which a cell may have a point."""
        return columns_with(self.body, self.mark, len(self.top[0]), b".")

    def cell(self, row: int, column: int) -> str:
        """One cell."""
        return (self.top[row] if row < len(self.top) else self.line(row))[column]


@record(repr=False)
class LazyCells(Sequence[str]):
    """Cells of a column of a grid, and the number of each: NaN where it is missing, or a word in the first line.

    rows: which rows of the grid they are of; marks: before the decimals of these numbers, none of which has another
    one: "." where some may have it, "," where some have it, "" where none has
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
        """The different cells, and the rows that have each: the text is read again."""
        rows = self.rows
        return self.grid.column(self.column)[rows.start : rows.stop : rows.step]
