"""Tables, the common form of all files: columns of cells as written, with their numbers if all cells are numbers."""

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
from explorer.datasets.files.lazy_cells import EncodedColumn, LazyCells
from explorer.printing import echo, plural, printed
from explorer.record import record
from explorer.types import Labels, Rows, Values, Vector

from .cell_counts import DURATIONS, NOTHING, CellCounts
from .missing_codes import Ends
from .row_numbers import RowNumberDetector
from .scales import Magnitude

MISSING = frozenset({"", "na", "nan", "+nan", "-nan", "?", "null"})  # compared in lower case
DIGITS = frozenset("0123456789")
LONGEST = max(map(len, MISSING))
SEPARATOR = "\x1f"  # put between cells that are hashed


class NumberCells(Sequence[str]):
    """The cells of an array of numbers (n,). Each is formatted when it is accessed, because few ever are."""

    def __init__(self, values: Values) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Sequence[int]) -> NumberCells:
        """Return the cells of some rows."""
        return NumberCells(self.values[np.asarray(rows, dtype=np.intp)])

    @overload
    def __getitem__(self, which: int) -> str: ...
    @overload
    def __getitem__(self, which: slice) -> tuple[str, ...]: ...
    def __getitem__(self, which: int | slice) -> str | tuple[str, ...]:
        given = self.values[which]
        return tuple(map(repr, given.tolist())) if isinstance(which, slice) else repr(given.item())

    def counts(self) -> tuple[int, int]:
        """Return the number of missing cells, and of distinct values of the others."""
        missing = np.isnan(self.values)
        return int(missing.sum()), len(np.unique(self.values[~missing]))


@printed
@record
class Column:
    """A column: its cells as written, and its numbers if it is not text.

    Attributes
    ----------
    name : str
        Name of the column.
    cells : sequence of str
        The cells, as they are written.
    numbers : ndarray of shape (n,) or None
        The numbers, NaN if a cell is missing; None for a text column.
    dates : bool, default False
        Whether the cells are dates. Their numbers, if they have any, are days.
    unit : str, default ""
        The unit that was written next to the numbers or below the column's name.
    n_limits : int, default 0
        Number of values that are limits, as in <0.5.
    cell_counts : CellCounts
        Counts of flags, words for values below a limit, and other cells that are not plain numbers.
    uncounted : int, default 0
        Number of cells that `times` does not count, because a column that was read in chunks has too many words.
    order : tuple of str, default ()
        The words of an ordered scale, if the table or the user gives an order.
    zone : str, default ""
        The time zone of the dates, if the table names it.
    opaque : str, default ""
        Contents that cannot be compared, such as lists; "" if the cells can be.
    declared : bool, default False
        Whether the table itself says that its words are categories, whatever they look like.
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
        """Return a column that was read in chunks: it has no cells, only what is known about them.

        Parameters
        ----------
        name : str
            Name of the column.
        times : Counter of str
            Number of occurrences of each word.
        ends : Ends
            The smallest and largest numbers.
        detector : RowNumberDetector
            The whole numbers.
        magnitude : Magnitude
            The quartiles of the sizes of the numbers.
        words : bool
            Whether the column is text.
        **more : Any
            Further attributes.

        Returns
        -------
        Column
            The column.
        """
        column = cls(name, tuple(times), None if words else np.zeros(0), **more)
        vars(column).update(times=times, ends=ends, whole_numbers=detector, magnitude=magnitude, missing=times[""])
        return column

    def with_order(self, words: tuple[str, ...]) -> Column:
        """Return the column with an order of its words; computed properties are carried over.

        Parameters
        ----------
        words : tuple of str
            The words in their order.

        Returns
        -------
        Column
            The column with this order.
        """
        column = replace(self, order=words)
        vars(column).update({name: each for name, each in vars(self).items() if name not in vars(column)})
        return column

    def as_opaque(self, what: str) -> Column:
        """Return the column as one whose contents are neither numbers nor words.

        Parameters
        ----------
        what : str
            The contents, such as "lists".

        Returns
        -------
        Column
            The opaque column.
        """
        column = replace(self, numbers=None, dates=False, unit="", cell_counts=NOTHING, opaque=what)
        vars(column).update({name: each for name, each in vars(self).items() if name not in vars(column)})
        return column

    @property
    def numbers_or_nan(self) -> Vector:
        """The numbers, of shape (n,), NaN everywhere for a text column."""
        return np.full(len(self.cells), np.nan) if self.numbers is None else self.numbers

    def array(self) -> Labels:
        """Return the numbers, or the cells of a text column, as an array of shape (n,).

        Returns
        -------
        ndarray of shape (n,)
            The numbers or the cells.
        """
        if self.numbers is not None:
            return self.numbers
        limits.refuse_words(f"column {echo(self.name)}", len(self.cells), max(map(len, self.times), default=0))
        return self.map_cells(str, None)

    def map_cells(self, value: Callable[[str], Any], dtype: Any) -> np.ndarray:
        """Return a value for each cell; the function is called once for each distinct cell if these are known.

        Parameters
        ----------
        value : callable
            The function of a cell.
        dtype : dtype or None
            Type of the result.

        Returns
        -------
        ndarray of shape (n,)
            The values.
        """
        cells = EncodedColumn.from_cells(self.cells)
        return np.array([value(cell) for cell in cells.cells], dtype=dtype)[cells.codes]

    @property
    def measured_in(self) -> str:
        """The unit in which the numbers are when the table is read by itself; that of 60 a + b for values a:b."""
        return self.unit or self.cell_counts.clock.unit

    @cached_property
    def times(self) -> Counter[str]:
        """The distinct cells in the order of their first rows, with their numbers of occurrences."""
        return (
            Counter(self.cells) if isinstance(self.cells, NumberCells) else EncodedColumn.from_cells(self.cells).counts
        )

    @cached_property
    def gaps(self) -> frozenset[str]:
        """The cells that stand for a missing value. NA is a level among words, as of regions and of sodium."""
        if isinstance(self.cells, NumberCells):
            return frozenset({"nan"})
        gone = missing_cells(self.times)
        if self.numbers is not None or len(gone) == len(self.times):
            return gone
        return frozenset(cell for cell in gone if cell.lower() != "na")

    @cached_property
    def missing(self) -> int:
        """Number of missing cells."""
        return self.counts()[0]

    @cached_property
    def ends(self) -> Ends:
        """The smallest and the largest of the numbers."""
        return Ends.of(self.numbers_or_nan)

    @cached_property
    def magnitude(self) -> Magnitude:
        """The quartiles of the sizes of the numbers."""
        return Magnitude.of(self.numbers_or_nan)

    @cached_property
    def whole_numbers(self) -> RowNumberDetector:
        """The counts of the numbers, if they are whole, and whether they number the rows."""
        return RowNumberDetector().add(self.numbers_or_nan)

    def take(self, rows: Sequence[int]) -> Column:
        """Return the column with some of its rows.

        Parameters
        ----------
        rows : sequence of int
            The rows, from 0.

        Returns
        -------
        Column
            The column of these rows.
        """
        cells = self.cells.take(rows) if isinstance(self.cells, NumberCells) else tuple(self.cells[i] for i in rows)
        values = None if self.numbers is None else self.numbers[np.asarray(rows, dtype=np.intp)]
        return replace(self, cells=cells, numbers=values)

    def counts(self) -> tuple[int, int]:
        """Count the missing cells, and the distinct values of the others; 1 and 1.0 are one number.

        Returns
        -------
        missing : int
            Number of missing cells.
        levels : int
            Number of distinct values.
        """
        if isinstance(self.cells, NumberCells):
            return self.cells.counts()
        if self.numbers is not None:
            given = self.numbers[~np.isnan(self.numbers)]
            return len(self.numbers) - len(given), len(np.unique(given))
        return sum(self.times[cell] for cell in self.gaps), len(self.times) - len(self.gaps)


@printed
@record
class Table:
    """A file's columns, with what is known of the file.

    Attributes
    ----------
    name : str
        Name of the table, for messages.
    columns : tuple of Column
        The columns.
    hash : str
        SHA-256 of the file's bytes, in hex.
    delimiter : str, default ""
        The delimiter of a text file.
    lines : sequence of int, default ()
        The line number of each row of a text file.
    remarks : tuple of str, default ()
        What only a lenient reader reads in this way, in words.
    lenient : bool, default False
        Whether a lenient reader read the table.
    numbered : sequence of int, default ()
        The number of each row, counted from 1, for a table without lines from which rows were left out.
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
        """Return a table of columns that were read in chunks.

        Parameters
        ----------
        name : str
            Name of the table.
        columns : sequence of Column
            The columns, without cells.
        rows : int
            Number of rows.
        remarks : sequence of str
            What only a lenient reader reads in this way.

        Returns
        -------
        Table
            The table.
        """
        table = cls(name, tuple(columns), "", remarks=tuple(remarks), lenient=True)
        vars(table).update(rows=rows)
        return table

    @cached_property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0].cells)

    @cached_property
    def by_name(self) -> dict[str, Column]:
        """The columns by their names, which are unique."""
        return {column.name: column for column in self.columns}

    @property
    def row_numbers(self) -> Rows:
        """The number of each row, of shape (n,): its line, or its position from 1 if the file has no lines."""
        return np.asarray(self.lines or self.numbered or range(1, self.rows + 1))

    def select(self, names: Collection[str]) -> Table:
        """Return the table with only some of its columns.

        Parameters
        ----------
        names : collection of str
            Names of the columns.

        Returns
        -------
        Table
            The table, with its columns in their order.
        """
        table = replace(self, columns=tuple(column for column in self.columns if column.name in names))
        vars(table).update(rows=self.rows)
        return table

    def with_orders(self, orders: Mapping[str, tuple[str, ...]]) -> Table:
        """Return the table with orders of the words of some columns.

        Parameters
        ----------
        orders : mapping of str to tuple of str
            The words in their order, by the columns' names.

        Returns
        -------
        Table
            The table with these orders.
        """
        columns = [c.with_order(orders[c.name]) if c.name in orders else c for c in self.columns]
        table = replace(self, columns=tuple(columns))
        vars(table).update(rows=self.rows)
        return table

    def with_opaque(self, nested: Mapping[str, str]) -> Table:
        """Return the table with some columns marked as neither numbers nor words.

        Parameters
        ----------
        nested : mapping of str to str
            Their contents, such as "lists", by the columns' names.

        Returns
        -------
        Table
            The table with opaque columns.
        """
        columns = [c.as_opaque(nested[c.name]) if c.name in nested else c for c in self.columns]
        table = replace(self, columns=tuple(columns))
        vars(table).update(rows=self.rows)
        return table

    def with_hash(self, digest: str) -> Table:
        """Return the table with the SHA-256 of its file.

        Parameters
        ----------
        digest : str
            The SHA-256, in hex.

        Returns
        -------
        Table
            The table with this hash.
        """
        return replace(self, hash=digest)

    def describe_row(self, row: int) -> str:
        """Return the place of a row for messages: its line, or its position if the file has no lines.

        Parameters
        ----------
        row : int
            The row, from 0.

        Returns
        -------
        str
            Such as "line 7".
        """
        return f"line {self.lines[row]}" if self.lines else f"row {self.row_numbers[row] - 1} (counted from 0)"


def sha256(raw: bytes) -> str:
    """Return the SHA-256 of bytes, in hex.

    Parameters
    ----------
    raw : bytes
        The bytes.

    Returns
    -------
    str
        The hash, of 64 digits.
    """
    return hashlib.sha256(raw).hexdigest()


def hash_columns(columns: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Return the SHA-256 of columns' names and cells; numbers are hashed by their bytes."""
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
    """Return whether a cell stands for a missing value: empty, NA, NaN, ? or null."""
    return len(cell) <= LONGEST and cell.lower() in MISSING


def missing_cells(cells: Iterable[str]) -> frozenset[str]:
    """Return the cells that stand for missing values."""
    return frozenset(cell for cell in cells if len(cell) <= LONGEST and cell.lower() in MISSING)


def parse_number_strict(cell: str) -> float | None:
    """Return the number in a cell as Python reads it.

    Parameters
    ----------
    cell : str
        The cell.

    Returns
    -------
    float or None
        The number, NaN if the cell is missing, or None if it is text.
    """
    if is_missing(cell):
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        return None
    return None if "_" in cell else value


def parse_numbers(cells: LazyCells | Sequence[str]) -> Vector | None:
    """Return the numbers in cells as Python reads them.

    Parameters
    ----------
    cells : Cells or sequence of str
        The n cells.

    Returns
    -------
    ndarray of shape (n,) or None
        The numbers, NaN for missing cells; None if a cell is text or all are missing.
    """
    if isinstance(cells, EncodedColumn):
        values = parse_numbers(cells.cells)
        return None if values is None else values[cells.codes]
    if isinstance(cells, LazyCells):
        return None if cells.marks == "," or begins_with_word(cells) else _unless_all_missing(cells.values)
    try:
        values = list(map(float, cells))  # takes a third of the time of the code below, which few columns need
    except ValueError:
        gone = missing_cells(cells)
        if not gone:
            return None
        try:
            values = [math.nan if cell in gone else float(cell) for cell in cells]
        except ValueError:
            return None
    if "_" in "".join(cells):  # only Python reads 1_000 as a number
        return None
    return _unless_all_missing(np.array(values, dtype=np.float64))


def begins_with_word(cells: LazyCells) -> bool:
    """Return whether the first of some cells is not a number, if all others are."""
    first = cells[0] if 0 in cells.rows else ""
    return parse_number_strict(first.replace(",", ".") if cells.marks == "," else first) is None


def encode_cells(cells: LazyCells | Iterable[str]) -> LazyCells | EncodedColumn:
    """Return cells in the form that a column stores.

    Each distinct cell is stored once, unless the cells are cut out of a text on demand.
    """
    return cells if isinstance(cells, LazyCells) else EncodedColumn.from_cells(cells)


def is_padded(cell: str) -> bool:
    """Return whether a cell begins with a padding zero, as 007 does."""
    return len(cell) > 1 and cell[0] == "0" and cell[1] in DIGITS


def are_padded_codes(cells: Collection[str] | list[str] | Mapping[str, int]) -> bool:
    """Return whether cells are codes such as 007: only digits, with a leading zero in one of them; gaps are ignored.

    Parameters
    ----------
    cells : collection of str
        The cells.

    Returns
    -------
    bool
        Whether they are codes.
    """
    return any(map(is_padded, cells)) and set("".join(set(cells) - missing_cells(cells))) <= DIGITS


def numbers_of(cells: LazyCells | Sequence[str]) -> Vector | None:
    """Return the numbers of the cells of a column (n,), or None for words and for codes such as 007."""
    if isinstance(cells, LazyCells):
        return parse_numbers(cells)
    return (
        None if are_padded_codes(cells.cells if isinstance(cells, EncodedColumn) else cells) else parse_numbers(cells)
    )


def parse_column(name: str, cells: Iterable[str]) -> Column:
    """Return a column whose cells decide whether they are numbers, as in a CSV file; codes such as 007 are words."""
    cells = EncodedColumn.from_cells(cells)
    values = numbers_of(cells)
    return Column(name, cells if values is not None else normalise_truth_values(cells), values)


def normalise_truth_values(cells: Iterable[str]) -> EncodedColumn:
    """Return words with one spelling of True and False, which R, Python and JSON spell differently."""
    cells = EncodedColumn.from_cells(cells)
    different = set(cells.cells) - missing_cells(cells.cells)
    if not different or not all(len(cell) < 6 and cell.lower() in ("true", "false") for cell in different):
        return cells
    return cells.map(lambda cell: cell.capitalize() if cell in different else cell)


def number_column(name: str, values: Values) -> Column:
    """Return a column of the numbers in an array (n,); NaN is missing."""
    with np.errstate(over="ignore"):  # a long double may become infinite here; infinite numbers are refused later
        array = np.array(values, dtype=np.float64)
    return Column(name, NumberCells(np.ascontiguousarray(values)), _unless_all_missing(array))


def duration_column(name: str, seconds: Values) -> Column:
    """Return a column of durations from an array (n,) of their seconds; NaN is missing."""
    return replace(number_column(name, seconds), unit="s", cell_counts=DURATIONS)


def word_column(name: str, cells: Iterable[str]) -> Column:
    """Return a column whose cells are never numbers, whatever they look like: dates, truth values, lists."""
    return Column(name, EncodedColumn.from_cells(cells), None)


def opaque_column(name: str, what: str, rows: int) -> Column:
    """Return a column of `rows` cells that are not read, because they are lists, records, bytes and the like."""
    return replace(word_column(name, [what] * rows), opaque=what)


def column_names(given: Iterable[Any] | Sequence[str], name: str) -> tuple[str, ...]:
    """Return unique column names, with x1, x2, ... for blank ones.

    Parameters
    ----------
    given : iterable of str
        The names in the file.
    name : str
        Name of the table, for messages.

    Returns
    -------
    tuple of str
        The names.

    Raises
    ------
    Refusal
        If two columns share a name, or a name is too long.
    """
    names = tuple(title if title.strip() else f"x{i}" for i, title in enumerate(given, 1))
    title, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise Refusal(f"{name} has {plural(count, 'column')} named {echo(title)}; give every column a name of its own.")
    long = next((title for title in names if len(title) > limits.TITLE), None)
    if long is not None:
        raise Refusal(
            f"{name} has a column whose name, {echo(long)}, is of {len(long):,} letters, and {limits.TITLE:,} is the"
            " limit; shorten it, or begin the table with a line of names."
        )
    return names


def _unless_all_missing(array):
    return None if np.isnan(array).all() else array
