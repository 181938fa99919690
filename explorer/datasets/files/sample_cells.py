"""Sample cells that determine how a column is parsed when a file is read in chunks.

The type, notation and unit of a column depend on all its cells, but only one chunk of rows is in memory at a time. So
one cell is stored for each `number_notation.trait` that a column's cells have, and every chunk is parsed together with
these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from explorer.datasets.columns import number_notation
from explorer.datasets.columns.cell_counts import NOTHING, CellCounts, is_below
from explorer.datasets.columns.cell_decorations import parse_decorations
from explorer.datasets.columns.table import is_missing, normalise_truth_values
from explorer.datasets.columns.table import parse_number_strict as plain_number

from .lazy_cells import EncodedColumn
from .text_grid import Part

PLAIN = 200  # number of cells of a column of plain numbers that are inspected, as the others are alike
MOST = 300  # largest number of traits of a column: one with more holds words
DIGITS = str.maketrans("12345678", "9" * 8)  # these digits do not change the notation of a number
SHAPES = 10_000  # largest number of number shapes that are remembered
PLAIN_SIGNS = frozenset("-.,eE")  # signs that a parser of plain numbers understands


class ColumnChunk(NamedTuple):
    """Parsed column of a chunk.

    Attributes
    ----------
    cells : ndarray of shape (n,) or EncodedColumn
        Its numbers, with NaN for missing values, or its words, with "" for missing ones.
    dates : bool
        Whether the numbers are dates.
    unit : str
        The unit of the numbers, or "".
    limited : int
        The number of cells that are limits, such as <0.5.
    beside : CellCounts
        What is written next to the numbers.
    zone, opaque, declared, order : str, str, bool, tuple of str
        As in `columns.table.Column`.
    """

    cells: Part
    dates: bool = False
    unit: str = ""
    limited: int = 0
    beside: CellCounts = NOTHING
    zone: str = ""
    opaque: str = ""
    declared: bool = False
    order: tuple[str, ...] = ()

    @property
    def is_settled(self) -> bool:
        """True if the table itself declares what its cells are, so that they need not be inspected."""
        return self.dates or self.declared or bool(self.unit or self.opaque)


class SampleCells:
    """Sample cells of each column of a table.

    Parameters
    ----------
    columns : sequence of iterable of str
        The first cells of each column.
    delimiter : str, default ""
        What separates cells in the file, or "" if it is not a text file.

    Attributes
    ----------
    cells : list of list of str
        The sample cells of each column.
    numeric : dict of int to list of str
        Columns of plain numbers, with the gaps in each.
    comma : bool
        Whether decimal commas are used in these columns.
    clear : frozenset of int
        Those of these columns whose cells show that this mark is decimal. In others 1.250, or 1,250, may be 1250.
    changed : bool
        Whether earlier chunks were parsed differently than they would be now, as a later cell is the first of its kind.
        A caller who needs all chunks to agree reads them again.
    """

    def __init__(self, columns: Sequence[Iterable[str]], delimiter: str = "") -> None:
        self.delimiter, self.changed = delimiter, False
        self.cells: list[list[str]] = [[] for _ in columns]
        self._traits: list[set[tuple[object, ...]]] = [set() for _ in columns]
        self._shapes: list[set[str]] = [set() for _ in columns]  # shapes of numbers that have occurred
        for j, cells in enumerate(columns):
            distinct = list(dict.fromkeys(cells))
            plain = all(plain_number(cell) is not None and not number_notation.is_padded(cell) for cell in distinct)
            self._record(j, distinct[:PLAIN] if plain else distinct)
        self._aside: list[frozenset[str]] = [frozenset() for _ in columns]
        self._resolve()

    def set_aside(self, j: int, words: Iterable[str]) -> None:
        """Treat some words of a column as missing from now on. All its chunks have to be read again.

        Parameters
        ----------
        j : int
            Position of the column.
        words : iterable of str
            The words.
        """
        self._aside[j], self.changed = frozenset(words), True
        self.cells[j], self._traits[j], self._shapes[j] = [], set(), set()
        self._resolve()

    def _record(self, j, cells):
        """Record the distinct cells of a column, and return whether one has a trait that none before it had."""
        traits, shapes, count = self._traits[j], self._shapes[j], len(self.cells[j])
        for cell in cells:
            if number_notation.WORD in traits or len(traits) >= MOST:
                break
            if (shape := cell.translate(DIGITS)) in shapes:
                continue
            trait = number_notation.cell_pattern(cell)
            if trait[0] in number_notation.NUMERIC and len(shapes) < SHAPES:  # in dates digits are not interchangeable
                shapes.add(shape)
            if trait not in traits:
                traits.add(trait)
                self.cells[j].append(cell)
        return len(self.cells[j]) > count

    def _record_mark(self, j, values):
        """Record the decimal mark of numbers that were parsed without their cells, and return whether it is new.

        A fraction has a decimal mark. None of these numbers may be a group of digits, see `clear`.
        """
        if j in self.clear:
            return False
        fractions = (values != np.round(values)) & ~np.isnan(values)
        return bool(fractions.any()) and self._record(j, ["0,5" if self.comma else "0.5"])

    def ambiguous_cell(self, j: int) -> str:
        """Return a cell that fits both notations and is a different number in each.

        Parameters
        ----------
        j : int
            Position of the column.

        Returns
        -------
        str
            The cell, or "" if the cells of the column decide its notation.
        """
        reading = number_notation.ColumnReadings.of(self.cells[j])
        return number_notation.ambiguous_cell(reading) if reading.is_ambiguous else ""

    def _resolve(self):
        """Parse the sample cells."""
        self.known, self._unusual = number_notation.parse_with_remarks(list(map(tuple, self.cells)), self.delimiter)
        self.numeric = {
            j: [cell for cell in self.cells[j] if is_gap(cell)]
            for j, column in enumerate(self.known)
            if column.numbers is not None and not column.dates and not self._is_decorated(j)
        }
        ways = {j: number_notation.ColumnReadings.of(self.cells[j]).only_notation for j in self.numeric}
        self.comma = "comma" in ways.values() and "point" not in ways.values()
        self.clear = frozenset(j for j, way in ways.items() if way == ("comma" if self.comma else "point"))

    def _is_decorated(self, j):
        """Return whether units, signs or remarks accompany a column's numbers, or their digits are grouped."""
        if self._aside[j] or self.known[j].cell_counts is not NOTHING or any(map(is_below, self.cells[j])):
            return True
        dressed = (parse_decorations(cell) for cell in self.cells[j] if plain_number(cell) is None)
        return any(each is not None and (each.unit or each.signs - PLAIN_SIGNS) for each in dressed)

    def remarks(self, unusual: number_notation.Remarks) -> list[str]:
        """Return the remarks on a table, from those on its chunks: earlier ones did not know the later cells.

        Parameters
        ----------
        unusual : Remarks
            What was unusual in the chunks, joined.

        Returns
        -------
        list of str
            The remarks.
        """
        gaps = self._unusual.get("gaps", set()) | unusual.get("gaps", set())
        return number_notation.describe_remarks(self._unusual | {"gaps": gaps, "limits": unusual.get("limits", 0)})

    def read(
        self, parts: Mapping[int, Part], as_written: bool = False
    ) -> tuple[dict[int, ColumnChunk], number_notation.Remarks]:
        """Parse a chunk.

        Parameters
        ----------
        parts : mapping of int to ndarray or EncodedColumn
            The numbers or the cells of each column, by position.
        as_written : bool, default False
            Whether numbers that are accompanied by something stay the words that they are written as.

        Returns
        -------
        columns : dict of int to ColumnChunk
            The columns by position.
        unusual : Remarks
            What is unusual in the chunk.
        """
        aside = {j: _count(part, self._aside[j]) for j, part in parts.items() if self._aside[j]}
        parts = {
            j: part.blank(aside.get(j, ())) if isinstance(part, EncodedColumn) else part for j, part in parts.items()
        }
        words: dict[int, EncodedColumn] = {j: part for j, part in parts.items() if isinstance(part, EncodedColumn)}
        seen = [self._record(j, part.cells) for j, part in words.items()]
        seen += [self._record_mark(j, part) for j, part in parts.items() if not isinstance(part, EncodedColumn)]
        if any(seen):
            before = self.known
            self._resolve()
            self.changed = self.changed or any(map(_differs, before, self.known))
        open_parts = {j: part for j, part in words.items() if number_notation.WORD not in self._traits[j]}
        written, unusual = self._read_with(open_parts) if open_parts else ([], {})
        columns = {}
        for j, part in parts.items():
            if j in open_parts:
                columns[j] = self._read(j, written[j], part)
                if as_written and (columns[j].unit or columns[j].beside is not NOTHING):
                    columns[j] = ColumnChunk(words[j].blank(set(filter(is_gap, words[j].cells))))
            elif j in words:  # they cannot be numbers, so only words that stand for gaps matter
                columns[j] = ColumnChunk(_blank_gaps(words[j], unusual))
            else:
                columns[j] = ColumnChunk(part)
        for j, times in aside.items():
            if times:
                beside = columns[j].beside
                columns[j] = columns[j]._replace(beside=beside._replace(words={**beside.words, **times}))
                unusual.setdefault("gaps", set()).update(times)
        if "limits" in unusual:
            unusual["limits"] = sum(column.limited for column in columns.values())
        return columns, unusual

    def _read_with(self, parts):
        """Parse the sample cells together with the cells of some columns."""
        columns = [[*cells, *parts[j].cells] if j in parts else cells for j, cells in enumerate(self.cells)]
        return number_notation.parse_with_remarks(columns, self.delimiter)

    def _read(self, j, column, part):
        """Return one column, whose first cells are the sample cells."""
        count = len(self.cells[j])
        if column.numbers is None:
            return ColumnChunk(
                EncodedColumn.of(list(normalise_truth_values(column.cells))[count:], part.codes), column.dates
            )
        values, beside = column.numbers[count:], NOTHING
        if column.cell_counts is not NOTHING:
            times = np.bincount(part.codes, minlength=len(part.cells)).tolist()
            reading = number_notation.ColumnReadings.of([*self.cells[j], *part.cells])
            numbers = dict(zip(part.cells, values.tolist(), strict=True))
            beside = reading.count_cells(zip(part.cells, times, strict=True), numbers)
        return ColumnChunk(values[part.codes], column.dates, column.unit, beside.n_limits, beside)


def is_gap(cell: str) -> bool:
    """Return whether a cell among numbers is a missing value."""
    return is_missing(cell) or cell.lower() in number_notation.MISSING_TOO


def _count(part, words):
    """Return how often each of some words occurs in a chunk."""
    if not isinstance(part, EncodedColumn):
        return {}
    times = np.bincount(part.codes, minlength=len(part.cells)).tolist()
    return {cell: count for cell, count in zip(part.cells, times, strict=True) if cell in words and count}


def _blank_gaps(part, unusual):
    """Return a column of words with "" for the words that stand for gaps, and report these in `unusual`."""
    gaps = {
        cell
        for cell in part.cells
        if cell.lower() in number_notation.MISSING_TOO and cell.lower() != number_notation.A_LEVEL
    }
    if not gaps:
        return part
    unusual.setdefault("gaps", set()).update(gaps)
    return part.blank(gaps)


def _differs(before, now):
    """Return whether a column's first sample cells are parsed differently now that there are more of them."""
    cells = before.cells
    if all(map(is_missing, cells)):  # gaps are read alike everywhere, unless one is not a gap among other cells
        if now.numbers is not None and any(cell.lower() == "na" for cell in cells):  # NA is not a gap among words
            return True
        return not all(map(is_missing, now.cells[: len(cells)]))
    if (before.unit and before.unit != now.unit) or before.cell_counts.reading != now.cell_counts.reading:
        return True
    if (before.numbers is None, before.dates) != (now.numbers is None, now.dates):
        return True
    if before.numbers is None:
        return list(normalise_truth_values(cells)) != list(normalise_truth_values(now.cells))[: len(cells)]
    return not np.array_equal(before.numbers, now.numbers[: len(cells)], equal_nan=True)
