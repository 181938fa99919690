"""The one form that every file becomes: columns of cells as written, with their numbers where all cells are numbers."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from explorer.checks import Refusal
from explorer.printing import printed, shown

MISSING = frozenset({"", "na", "nan", "+nan", "-nan", "?", "null"})  # compared in lower case
LONGEST = max(map(len, MISSING))


@printed
@dataclass(frozen=True, eq=False)
class Column:
    """A column: its cells as written, and its numbers, NaN where a cell is missing; None for a column of text."""

    name: str
    cells: tuple[str, ...]
    numbers: np.ndarray | None

    def array(self):
        """(n,) the numbers where it has them, else the cells."""
        return np.array(self.cells) if self.numbers is None else self.numbers


@printed
@dataclass(frozen=True, eq=False)
class Table:
    """A file's columns and the SHA-256 of its bytes; a text file's delimiter and the line number of each row."""

    name: str
    columns: tuple[Column, ...]
    hash: str
    delimiter: str = ""
    lines: tuple[int, ...] = ()

    @property
    def rows(self):
        """The number of rows."""
        return len(self.columns[0].cells)

    def place(self, row):
        """Where a row stands, for sentences: its line, or in a file without lines its position."""
        return f"line {self.lines[row]}" if self.lines else f"row {row} (counted from 0)"


def sha256(raw):
    """The SHA-256 of bytes, in hex."""
    return hashlib.sha256(raw).hexdigest()


def is_missing(cell):
    """Whether a cell stands for a missing value: empty, NA, NaN, ? or null."""
    return len(cell) <= LONGEST and cell.lower() in MISSING


def number(cell):
    """The number in a cell: NaN where it is missing, None where the cell is text."""
    if is_missing(cell):
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        return None
    return None if "_" in cell else value  # Python alone reads 1_000 as a number


def numbers(values):
    """An array of what `number` gave, with NaN for missing values; None if one is text or all are missing."""
    if None in values:
        return None
    return _unless_all_missing(np.array(values, dtype=np.float64))


def written(name, cells):
    """A column of cells that say themselves whether they are numbers, as in a CSV file."""
    cells = tuple(cells)
    known = {cell: number(cell) for cell in set(cells)}  # words repeat, and may be long
    return Column(name, cells, numbers([known[cell] for cell in cells]))


def counted(name, values):
    """A column of numbers from an array (n,) of them; NaN is missing."""
    with np.errstate(over="ignore"):  # a long double may become infinite here, and infinite numbers are refused later
        array = np.array(values, dtype=np.float64)
    return Column(name, tuple(map(repr, values.tolist())), _unless_all_missing(array))


def words(name, cells):
    """A column whose cells are never numbers, whatever they look like: dates, truth values, lists."""
    return Column(name, tuple(cells), None)


def titles(given, name):
    """Names of columns: x1, x2, ... in the place of blank ones; ValueError where two columns share a name."""
    names = tuple(title if title.strip() else f"x{i}" for i, title in enumerate(given, 1))
    title, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise Refusal(f"{name} has {count} columns named {shown(title)}; give every column a name of its own.")
    return names


def _unless_all_missing(array):
    return None if np.isnan(array).all() else array
