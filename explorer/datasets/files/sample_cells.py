"""A few cells of each column of a table that say how all of its cells are read, wherever in a file they stand.

Whether a column holds numbers, in which notation and unit, or dates, or words depends on all of its cells, and only a
piece of many rows is there at a time. So one cell is kept for each `notation.trait` that a column's cells have, and
each piece is read together with those.
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

from .lazy_cells import Coded
from .text_grid import Part

PLAIN = 200  # cells of a column of plain numbers that are looked at, as the others are alike
MOST = 300  # traits of a column: more are of words
DIGITS = str.maketrans("12345678", "9" * 8)  # by which the notation of numbers is the same
SHAPES = 10_000  # that are remembered
PLAIN_SIGNS = frozenset("-.,eE")  # that a processor of numbers knows


class Read(NamedTuple):
    """A column of a piece as it is read: its numbers (n,), NaN where one is missing, or its words, "" for such.

    zone, opaque, declared, order  as of a `columns.Column`
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
        """Whether the table itself says what its cells are, so that they are not looked into."""
        return self.dates or self.declared or bool(self.unit or self.opaque)


class Witnesses:
    """The cells of each column that are kept.

    cells    of each column
    numeric  the columns of numbers by themselves, and the gaps in each; comma: whether commas are decimal there
    clear    those of them whose cells show that this mark is decimal: of others 1.250, or 1,250, may be 1250
    changed  whether earlier pieces were read in another way than they would be now: a later cell is the first of its
             kind, and who wants all pieces alike reads them again
    """

    def __init__(self, columns: Sequence[Iterable[str]], delimiter: str = "") -> None:
        self.delimiter, self.changed = delimiter, False
        self.cells: list[list[str]] = [[] for _ in columns]
        self._traits: list[set[tuple[object, ...]]] = [set() for _ in columns]
        self._shapes: list[set[str]] = [set() for _ in columns]  # of numbers that have been seen
        for j, cells in enumerate(columns):
            different = list(dict.fromkeys(cells))
            plain = all(plain_number(cell) is not None and not number_notation.is_padded(cell) for cell in different)
            self._see(j, different[:PLAIN] if plain else different)
        self._aside: list[frozenset[str]] = [frozenset() for _ in columns]
        self._settle()

    def set_aside(self, j: int, words: Iterable[str]) -> None:
        """Take these words of a column as missing from now on; all its pieces have to be seen again."""
        self._aside[j], self.changed = frozenset(words), True
        self.cells[j], self._traits[j], self._shapes[j] = [], set(), set()
        self._settle()

    def _see(self, j, cells):
        """Whether one of a column's different cells has what none had before, and is kept."""
        traits, shapes, count = self._traits[j], self._shapes[j], len(self.cells[j])
        for cell in cells:
            if number_notation.WORD in traits or len(traits) >= MOST:
                break
            if (shape := cell.translate(DIGITS)) in shapes:
                continue
            trait = number_notation.cell_pattern(cell)
            if (
                trait[0] in number_notation.NUMERIC and len(shapes) < SHAPES
            ):  # of dates one digit is not as good as another
                shapes.add(shape)
            if trait not in traits:
                traits.add(trait)
                self.cells[j].append(cell)
        return len(self.cells[j]) > count

    def _see_mark(self, j, values):
        """As `_see`, of numbers that were read without their cells: that of a fraction has a decimal mark.

        None of them may be a group of digits, see `clear`.
        """
        if j in self.clear:
            return False
        fractions = (values != np.round(values)) & ~np.isnan(values)
        return bool(fractions.any()) and self._see(j, ["0,5" if self.comma else "0.5"])

    def either(self, j: int) -> str:
        """A cell of a column that fits both notations and is another number in each, as its others are; else ""."""
        reading = number_notation.ColumnReadings.of(self.cells[j])
        return number_notation.ambiguous_cell(reading) if reading.is_ambiguous else ""

    def _settle(self):
        """Read the witnesses."""
        self.known, self._said = number_notation.parse_with_remarks(list(map(tuple, self.cells)), self.delimiter)
        self.numeric = {
            j: [cell for cell in self.cells[j] if is_gap(cell)]
            for j, column in enumerate(self.known)
            if column.numbers is not None and not column.dates and not self._is_dressed(j)
        }
        ways = {j: number_notation.ColumnReadings.of(self.cells[j]).only_notation for j in self.numeric}
        self.comma = "comma" in ways.values() and "point" not in ways.values()
        self.clear = frozenset(j for j, way in ways.items() if way == ("comma" if self.comma else "point"))

    def _is_dressed(self, j):
        """Whether something stands around or beside a column's numbers, or groups their digits."""
        if self._aside[j] or self.known[j].cell_counts is not NOTHING or any(map(is_below, self.cells[j])):
            return True
        dressed = (parse_decorations(cell) for cell in self.cells[j] if plain_number(cell) is None)
        return any(each is not None and (each.unit or each.signs - PLAIN_SIGNS) for each in dressed)

    def unusual(self, said: number_notation.Remarks) -> list[str]:
        """What is unusual in a table, of what was said of its pieces: earlier ones did not know the later cells."""
        gaps = self._said.get("gaps", set()) | said.get("gaps", set())
        return number_notation.describe_remarks(self._said | {"gaps": gaps, "limits": said.get("limits", 0)})

    def read(
        self, parts: Mapping[int, Part], as_written: bool = False
    ) -> tuple[dict[int, Read], number_notation.Remarks]:
        """The columns of a piece by their positions, and what is unusual in it.

        as_written  whether numbers with something beside them stay the words that they are written in
        """
        aside = {j: _times(part, self._aside[j]) for j, part in parts.items() if self._aside[j]}
        parts = {j: part.without(aside.get(j, ())) if isinstance(part, Coded) else part for j, part in parts.items()}
        words: dict[int, Coded] = {j: part for j, part in parts.items() if isinstance(part, Coded)}
        seen = [self._see(j, part.cells) for j, part in words.items()]
        seen += [self._see_mark(j, part) for j, part in parts.items() if not isinstance(part, Coded)]
        if any(seen):
            before = self.known
            self._settle()
            self.changed = self.changed or any(map(_differs, before, self.known))
        asked = {j: part for j, part in words.items() if number_notation.WORD not in self._traits[j]}
        written, said = self._beside(asked) if asked else ([], {})
        found = {}
        for j, part in parts.items():
            if j in asked:
                found[j] = self._read(j, written[j], part)
                if as_written and (found[j].unit or found[j].beside is not NOTHING):
                    found[j] = Read(words[j].without(set(filter(is_gap, words[j].cells))))
            elif j in words:  # nothing makes numbers of them, and all that is to be seen are words for gaps
                found[j] = Read(_without_gaps(words[j], said))
            else:
                found[j] = Read(part)
        for j, times in aside.items():
            if times:
                beside = found[j].beside
                found[j] = found[j]._replace(beside=beside._replace(words={**beside.words, **times}))
                said.setdefault("gaps", set()).update(times)
        if "limits" in said:
            said["limits"] = sum(column.limited for column in found.values())
        return found, said

    def _beside(self, parts):
        """The witnesses as they are read together with the cells of some columns."""
        columns = [[*cells, *parts[j].cells] if j in parts else cells for j, cells in enumerate(self.cells)]
        return number_notation.parse_with_remarks(columns, self.delimiter)

    def _read(self, j, column, part):
        """One column, whose first cells are witnesses."""
        count = len(self.cells[j])
        if column.numbers is None:
            return Read(Coded.of(list(normalise_truth_values(column.cells))[count:], part.codes), column.dates)
        values, beside = column.numbers[count:], NOTHING
        if column.cell_counts is not NOTHING:
            times = np.bincount(part.codes, minlength=len(part.cells)).tolist()
            reading = number_notation.ColumnReadings.of([*self.cells[j], *part.cells])
            numbers = dict(zip(part.cells, values.tolist(), strict=True))
            beside = reading.count_cells(zip(part.cells, times, strict=True), numbers)
        return Read(values[part.codes], column.dates, column.unit, beside.n_limits, beside)


def is_gap(cell: str) -> bool:
    """Whether a cell among numbers is a missing one."""
    return is_missing(cell) or cell.lower() in number_notation.MISSING_TOO


def _times(part, words):
    """How often each of some words occurs in a piece."""
    if not isinstance(part, Coded):
        return {}
    times = np.bincount(part.codes, minlength=len(part.cells)).tolist()
    return {cell: count for cell, count in zip(part.cells, times, strict=True) if cell in words and count}


def _without_gaps(part, said):
    gaps = {
        cell
        for cell in part.cells
        if cell.lower() in number_notation.MISSING_TOO and cell.lower() != number_notation.A_LEVEL
    }
    if not gaps:
        return part
    said.setdefault("gaps", set()).update(gaps)
    return part.without(gaps)


def _differs(before, now):
    """Whether a column's witnesses are read in another way among more of them."""
    cells = before.cells
    if all(map(is_missing, cells)):  # of gaps it does not matter what they are among, unless one is none there
        if now.numbers is not None and any(cell.lower() == "na" for cell in cells):  # which is no gap among words
            return True
        return not all(map(is_missing, now.cells[: len(cells)]))
    if (before.unit and before.unit != now.unit) or before.cell_counts.reading != now.cell_counts.reading:
        return True
    if (before.numbers is None, before.dates) != (now.numbers is None, now.dates):
        return True
    if before.numbers is None:
        return list(normalise_truth_values(cells)) != list(normalise_truth_values(now.cells))[: len(cells)]
    return not np.array_equal(before.numbers, now.numbers[: len(cells)], equal_nan=True)
