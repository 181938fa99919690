"""The one form that every file becomes: columns of cells as written, with their numbers where all cells are numbers."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, overload

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.files import limits
from explorer.datasets.files.lazy_cells import Cells, Coded
from explorer.printing import echo, printed
from explorer.record import record
from explorer.types import Labels, Rows, Values, Vector

from .cell_counts import DURATIONS, NOTHING, CellCounts
from .missing_codes import Ends
from .row_numbers import RowNumberDetector
from .scales import Magnitude

MISSING = frozenset({"", "na", "nan", "+nan", "-nan", "?", "null"})  # compared in lower case
DIGITS = frozenset("0123456789")
LONGEST = max(map(len, MISSING))
SEPARATOR = "\x1f"  # between cells that are hashed


class NumberCells(Sequence[str]):
    """The cells of an array of numbers (n,), each written when it is asked for: few ever are."""

    def __init__(self, values: Values) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Sequence[int]) -> NumberCells:
        """The cells of some rows."""
        return NumberCells(self.values[np.asarray(rows, dtype=np.intp)])

    @overload
    def __getitem__(self, which: int) -> str: ...
    @overload
    def __getitem__(self, which: slice) -> tuple[str, ...]: ...
    def __getitem__(self, which: int | slice) -> str | tuple[str, ...]:
        given = self.values[which]
        return tuple(map(repr, given.tolist())) if isinstance(which, slice) else repr(given.item())

    def counts(self) -> tuple[int, int]:
        """How many are missing, and how many different ones the others are."""
        missing = np.isnan(self.values)
        return int(missing.sum()), len(np.unique(self.values[~missing]))


@printed
@record
class Column:
    """A column: its cells as written, and its numbers, NaN where a cell is missing; None for a column of text.

    dates: whether the cells are dates; their numbers, where they have some, are days.
    unit: what stood beside the numbers, or below the column's name. limited: how many of them are limits, as of <0.5.
    beside: what else stands beside the numbers, such as flags and words for values below a limit, and how often.
    untold: how many cells are not among those that `times` counts, where a column in pieces has too many words.
    order: the words of an ordered scale, as the table or the user gives them; none if neither does.
    zone: whose clock the dates are on, as the table says; opaque: what its cells hold that is not compared, such as
    lists; declared: whether the table itself says that its words are categories, whatever they look like.
    """

    name: str
    cells: Sequence[str]
    numbers: np.ndarray | None
    dates: bool = False
    unit: str = ""
    n_limits: int = 0
    cell_counts: CellCounts = NOTHING
    uncounted: int = 0
    order: tuple[str, ...] = ()
    zone: str = ""
    opaque: str = ""
    declared: bool = False

    @classmethod
    def from_summary(
        cls,
        name: str,
        times: Counter[str],
        ends: Ends,
        detector: RowNumberDetector,
        magnitude: Magnitude,
        words: bool,
        **more: Any,
    ) -> Column:
        """A column that was read in pieces and has no cells: what else is known of it stands in their place."""
        column = cls(name, tuple(times), None if words else np.zeros(0), **more)
        vars(column).update(times=times, ends=ends, whole_numbers=detector, magnitude=magnitude, missing=times[""])
        return column

    def with_order(self, words: tuple[str, ...]) -> Column:
        """The column with an order of its words; what is known of it stays known."""
        column = replace(self, order=words)
        vars(column).update({name: each for name, each in vars(self).items() if name not in vars(column)})
        return column

    def as_opaque(self, what: str) -> Column:
        """The column, of which is known that it holds what is neither a number nor a word."""
        column = replace(self, numbers=None, dates=False, unit="", cell_counts=NOTHING, opaque=what)
        vars(column).update({name: each for name, each in vars(self).items() if name not in vars(column)})
        return column

    @property
    def numbers_or_nan(self) -> Vector:
        """Its numbers, (n,); of a column of text NaN everywhere."""
        return np.full(len(self.cells), np.nan) if self.numbers is None else self.numbers

    def array(self) -> Labels:
        """(n,) the numbers where it has them, else the cells."""
        if self.numbers is not None:
            return self.numbers
        limits.refuse_words(f"column {echo(self.name)}", len(self.cells), max(map(len, self.times), default=0))
        return self.map_cells(str, None)

    def map_cells(self, value: Callable[[str], Any], dtype: Any) -> np.ndarray:
        """Return a value of each cell, (n,): where the different cells are known, it is asked of each of them once."""
        cells = Coded.each(self.cells)
        return np.array([value(cell) for cell in cells.cells], dtype=dtype)[cells.codes]

    @property
    def measured_in(self) -> str:
        """Its unit; of values a:b that of 60 a + b, as they are read by themselves."""
        return self.unit or self.cell_counts.clock.unit

    @cached_property
    def times(self) -> Counter[str]:
        """The different cells in the order of their first rows, and how often each occurs."""
        return Counter(self.cells) if isinstance(self.cells, NumberCells) else Coded.each(self.cells).times

    @cached_property
    def gaps(self) -> frozenset[str]:
        """The cells that stand for a missing value: among words NA is a level, as of regions and of sodium."""
        if isinstance(self.cells, NumberCells):
            return frozenset({"nan"})
        gone = missing_cells(self.times)
        if self.numbers is not None or len(gone) == len(self.times):
            return gone
        return frozenset(cell for cell in gone if cell.lower() != "na")

    @cached_property
    def missing(self) -> int:
        """How many cells are missing."""
        return self.counts()[0]

    @cached_property
    def ends(self) -> Ends:
        """The least and the largest of its numbers."""
        return Ends.of(self.numbers_or_nan)

    @cached_property
    def magnitude(self) -> Magnitude:
        """The quartiles of the sizes of its numbers."""
        return Magnitude.of(self.numbers_or_nan)

    @cached_property
    def whole_numbers(self) -> RowNumberDetector:
        """Whether its numbers are whole and all different."""
        return RowNumberDetector().add(self.numbers_or_nan)

    def take(self, rows: Sequence[int]) -> Column:
        """The column with some of its rows."""
        cells = self.cells.take(rows) if isinstance(self.cells, NumberCells) else tuple(self.cells[i] for i in rows)
        values = None if self.numbers is None else self.numbers[np.asarray(rows, dtype=np.intp)]
        return replace(self, cells=cells, numbers=values)

    def counts(self) -> tuple[int, int]:
        """How many cells are missing, and how many different ones the others are, where 1 and 1.0 are one number."""
        if isinstance(self.cells, NumberCells):
            return self.cells.counts()
        if self.numbers is not None:
            given = self.numbers[~np.isnan(self.numbers)]
            return len(self.numbers) - len(given), len(np.unique(given))
        return sum(self.times[cell] for cell in self.gaps), len(self.times) - len(self.gaps)


@printed
@record
class Table:
    """A file's columns and the SHA-256 of its bytes; a text file's delimiter and the line number of each row.

    unusual: what of it only a lenient reader reads as it is here, in words. lenient: whether such a reader read it.
    numbered: the number of each row, counted from 1, of a table without lines of which rows were left out.
    """

    name: str
    columns: tuple[Column, ...]
    hash: str
    delimiter: str = ""
    lines: Sequence[int] = ()
    remarks: tuple[str, ...] = ()
    lenient: bool = False
    numbered: Sequence[int] = ()

    @classmethod
    def from_summary(cls, name: str, columns: Sequence[Column], rows: int, remarks: Sequence[str]) -> Table:
        """A table of columns that were gathered in pieces."""
        table = cls(name, tuple(columns), "", remarks=tuple(remarks), lenient=True)
        vars(table).update(rows=rows)
        return table

    @cached_property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0].cells)

    @cached_property
    def by_name(self) -> dict[str, Column]:
        """The columns by their names, which differ."""
        return {column.name: column for column in self.columns}

    @property
    def row_numbers(self) -> Rows:
        """The number of each row, (n,): its line, or in a file without lines its place counted from 1."""
        return np.asarray(self.lines or self.numbered or range(1, self.rows + 1))

    def select(self, names: Collection[str]) -> Table:
        """The table with these of its columns alone."""
        table = replace(self, columns=tuple(column for column in self.columns if column.name in names))
        vars(table).update(rows=self.rows)
        return table

    def with_orders(self, orders: Mapping[str, tuple[str, ...]]) -> Table:
        """The table with orders of the words of some of its columns, by their names."""
        columns = [c.with_order(orders[c.name]) if c.name in orders else c for c in self.columns]
        table = replace(self, columns=tuple(columns))
        vars(table).update(rows=self.rows)
        return table

    def with_opaque(self, nested: Mapping[str, str]) -> Table:
        """The table whose columns of these names hold what is neither a number nor a word."""
        columns = [c.as_opaque(nested[c.name]) if c.name in nested else c for c in self.columns]
        table = replace(self, columns=tuple(columns))
        vars(table).update(rows=self.rows)
        return table

    def with_hash(self, digest: str) -> Table:
        """The table with the SHA-256 of its file."""
        return replace(self, hash=digest)

    def describe_row(self, row: int) -> str:
        """Where a row stands, for sentences: its line, or in a file without lines its position."""
        return f"line {self.lines[row]}" if self.lines else f"row {self.row_numbers[row] - 1} (counted from 0)"


def sha256(raw: bytes) -> str:
    """The SHA-256 of bytes, in hex."""
    return hashlib.sha256(raw).hexdigest()


def hash_columns(columns: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Return the SHA-256 of names and the cells below them, of numbers their bytes."""
    total = hashlib.sha256()
    for name, cells in columns:
        raw = (
            cells.values.tobytes()
            if isinstance(cells, NumberCells)
            else SEPARATOR.join(cells).encode("utf-8", "replace")
        )
        total.update(name.encode("utf-8", "surrogatepass") + b"\0" + raw)
    return total.hexdigest()


def is_missing(cell: str) -> bool:
    """Whether a cell stands for a missing value: empty, NA, NaN, ? or null."""
    return len(cell) <= LONGEST and cell.lower() in MISSING


def missing_cells(cells: Iterable[str]) -> frozenset[str]:
    """The cells that stand for missing values."""
    return frozenset(cell for cell in cells if len(cell) <= LONGEST and cell.lower() in MISSING)


def parse_number_strict(cell: str) -> float | None:
    """The number in a cell: NaN where it is missing, None where the cell is text."""
    if is_missing(cell):
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        return None
    return None if "_" in cell else value


def parse_numbers(cells: Cells | Sequence[str]) -> Vector | None:
    """An array of the numbers in cells, with NaN for missing ones; None if one is text or all are missing."""
    if isinstance(cells, Coded):
        values = parse_numbers(cells.cells)
        return None if values is None else values[cells.codes]
    if isinstance(cells, Cells):
        return None if cells.marks == "," or begins_with_word(cells) else _unless_all_missing(cells.values)
    try:
        values = list(map(float, cells))  # a third of the time of what follows, where no cell needs it
    except ValueError:
        gone = missing_cells(cells)
        if not gone:
            return None
        try:
            values = [math.nan if cell in gone else float(cell) for cell in cells]
        except ValueError:
            return None
    if "_" in "".join(cells):  # Python alone reads 1_000 as a number
        return None
    return _unless_all_missing(np.array(values, dtype=np.float64))


def begins_with_word(cells: Cells) -> bool:
    """Whether the first of some cells is no number, as all others are."""
    first = cells[0] if 0 in cells.rows else ""
    return parse_number_strict(first.replace(",", ".") if cells.marks == "," else first) is None


def encode_cells(cells: Cells | Iterable[str]) -> Cells | Coded:
    """Cells as a column keeps them: each different one once, where they are not cut out of a text on demand."""
    return cells if isinstance(cells, Cells) else Coded.each(cells)


def is_padded(cell: str) -> bool:
    """Whether a cell begins as 007 does."""
    return len(cell) > 1 and cell[0] == "0" and cell[1] in DIGITS


def are_padded_codes(cells: Collection[str] | list[str] | Mapping[str, int]) -> bool:
    """Whether cells that are no gaps are codes, as 007 is one: digits alone, a 0 in front of others somewhere."""
    return any(map(is_padded, cells)) and set("".join(set(cells) - missing_cells(cells))) <= DIGITS


def numbers_of(cells: Cells | Sequence[str]) -> Vector | None:
    """Return the numbers of the cells of a column (n,), None of words, and of codes such as 007."""
    if isinstance(cells, Cells):
        return parse_numbers(cells)
    return None if are_padded_codes(cells.cells if isinstance(cells, Coded) else cells) else parse_numbers(cells)


def parse_column(name: str, cells: Iterable[str]) -> Column:
    """A column of cells that say themselves whether they are numbers, as in a CSV file; codes such as 007 are words."""
    cells = Coded.each(cells)
    values = numbers_of(cells)
    return Column(name, cells if values is not None else normalise_truth_values(cells), values)


def normalise_truth_values(cells: Iterable[str]) -> Coded:
    """Words with one spelling for each truth value, which R, Python and JSON write in ways of their own."""
    cells = Coded.each(cells)
    different = set(cells.cells) - missing_cells(cells.cells)
    if not different or not all(len(cell) < 6 and cell.lower() in ("true", "false") for cell in different):
        return cells
    return cells.mapped(lambda cell: cell.capitalize() if cell in different else cell)


def number_column(name: str, values: Values) -> Column:
    """A column of numbers from an array (n,) of them; NaN is missing."""
    with np.errstate(over="ignore"):  # a long double may become infinite here, and infinite numbers are refused later
        array = np.array(values, dtype=np.float64)
    return Column(name, NumberCells(np.ascontiguousarray(values)), _unless_all_missing(array))


def duration_column(name: str, seconds: Values) -> Column:
    """A column of lengths of time from an array (n,) of their seconds; NaN is missing."""
    return replace(number_column(name, seconds), unit="s", cell_counts=DURATIONS)


def word_column(name: str, cells: Iterable[str]) -> Column:
    """A column whose cells are never numbers, whatever they look like: dates, truth values, lists."""
    return Column(name, Coded.each(cells), None)


def opaque_column(name: str, what: str, rows: int) -> Column:
    """A column of so many cells that nothing is read of, as they hold lists, records, bytes and the like."""
    return replace(word_column(name, [what] * rows), opaque=what)


def column_names(given: Iterable[Any] | Sequence[str], name: str) -> tuple[str, ...]:
    """Names of columns: x1, x2, ... in the place of blank ones; ValueError where two columns share a name."""
    names = tuple(title if title.strip() else f"x{i}" for i, title in enumerate(given, 1))
    title, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise Refusal(f"{name} has {count} columns named {echo(title)}; give every column a name of its own.")
    long = next((title for title in names if len(title) > limits.TITLE), None)
    if long is not None:
        raise Refusal(
            f"{name} has a column whose name, {echo(long)}, is of {len(long):,} letters, and {limits.TITLE:,} is the"
            " limit; shorten it, or begin the table with a line of names."
        )
    return names


def _unless_all_missing(array):
    return None if np.isnan(array).all() else array
