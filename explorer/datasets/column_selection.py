"""Selection of the columns and rows of a table that become points. What cannot become a point is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.printing import echo, join_list, plural, truncate
from explorer.types import Mask, Matrix, Points

from .columns.cell_decorations import is_measured, units_of
from .columns.durations import duration_form
from .columns.number_notation import number_text, readings_of
from .columns.spellings import closest_name, match_name, quote_visible
from .columns.table import NumberCells, are_padded_codes, is_missing, parse_number_strict
from .columns.tokens import are_hashes
from .refusal import TableRefusal

if TYPE_CHECKING:
    from .columns.table import Column, Table


# numbers such as 1,5 or 1.234,5 or 1,234,567, whose commas may or may not be decimal
COMMA_NUMBER = re.compile(r"[+-]?\d[\d.,]*([eE][+-]?\d+)?")
BEGINS = re.compile(r"[^\w]*\d")  # beginning of a number, after signs, quotes and currencies
FEWEST = 5  # smallest number of different numbers in a column of measurements: fewer may be codes
MOST_LEVELS = 50  # largest number of words that become a coordinate each, and of categories that labs draw


def numeric_columns(table: Table, label: Column | None = None) -> list[Column]:
    """Return every column of numbers except the label's.

    Raises Refusal if there is none, and if a column of words holds numbers that are written with commas, or mostly
    numbers.
    """
    for column in table.columns:
        if column.numbers is None and column is not label:
            refuse_commas(table, column)
            refuse_mostly_numbers(table, column)
    columns = measured_columns(table, label)
    if not columns:
        how = (
            ", its numbers with a decimal point, and commas, semicolons or tabs between cells"
            if table.delimiter
            else ""
        )
        raise Refusal(f"{table.name} has no column of numbers ({_listed(table.columns)}); points need one{how}.")
    return columns


def measured_columns(table: Table, label: Column | None = None) -> list[Column]:
    """Return every column of numbers that are not dates, except the label's. There may be none."""
    return [c for c in table.columns if c.numbers is not None and not c.dates and c is not label]


def requested_columns(table: Table, requested: Sequence[str | int] | str | int, words: bool = False) -> list[Column]:
    """Return the columns that are requested by name, or by position counted from 0, in that order.

    If `words` is true, a column of words with few levels may be among them.
    """
    named: Any = [requested] if np.ndim(requested) == 0 else requested
    columns = [one_column(table, which) for which in named]
    if not columns:
        raise Refusal(f"columns is empty; name at least one of {_listed(table.columns)}, or give None for all.")
    before = set()
    for column in columns:
        if column in before:
            raise Refusal(f"columns asks for {echo(column.name)} twice; ask for each column once.")
        before.add(column)
        if column.numbers is None:
            if column.opaque:
                raise Refusal(
                    f"{table.name}: column {echo(column.name)} holds {column.opaque}, and points are numbers; choose"
                    " columns of numbers, or take single values out of it first."
                )
            refuse_commas(table, column)
            if words and _has_levels(table, column):
                continue
            filled = [cell for cell in column.times if cell not in column.gaps]
            # a year is text if the file declares it as a date
            texts = [cell for cell in filled if parse_number_strict(cell) is None] or filled
            holds = f"holds text, such as {echo(texts[0])}" if texts else "has no cell that is not missing"
            raise Refusal(f"{table.name}: column {echo(column.name)} {holds}; choose columns of numbers.")
    return columns


def refuse_unknown_policy(missing: str, policies: Sequence[str] = ("refuse", "drop")) -> None:
    """Refuse a value of `missing` that is not one of the policies.

    Parameters
    ----------
    missing : str
        The value.
    policies : sequence of str, default ("refuse", "drop")
        The values that are allowed.

    Raises
    ------
    Refusal
        If `missing` is not among them.
    """
    if missing not in policies:
        *most, last = (f'"{each}"' for each in policies)
        raise Refusal(f"missing must be {', '.join(most)} or {last}, not {echo(missing)}.")


def complete_rows(table: Table, columns: Sequence[Column], missing: str) -> Any:
    """Return a mask (n,) of the rows that have a cell in each of these columns, or of all rows if `missing` is "value".

    Raises TableRefusal if cells are missing while `missing` is "refuse", and Refusal if values are infinite or no row
    remains.
    """

    def place(bad):
        row, column = np.argwhere(bad)[0]
        return f"the first in {table.describe_row(row)}, column {echo(columns[column].name)}"

    infinite = np.column_stack([_infinite(column) for column in columns])
    empty = np.column_stack([is_empty(column) for column in columns])
    if infinite.any():
        raise infinite_values_error(table, int(infinite.sum()), place(infinite))
    complete = ~empty.any(axis=1) if missing != "value" else np.ones(len(empty), dtype=bool)
    if missing == "refuse" and not complete.all():
        raise missing_cells_error(table, int(empty.sum()), int((~complete).sum()), place(empty))
    if not complete.any():
        raise no_row_left_error(table)
    return complete


def infinite_values_error(table: Table, count: int, place: str) -> Refusal:
    """Return the Refusal of a table with infinite values.

    Parameters
    ----------
    table : Table
        The table.
    count : int
        The number of infinite values.
    place : str
        The place of the first one.

    Returns
    -------
    Refusal
        The exception to raise.
    """
    return Refusal(f"{table.name}: {count} values are infinite, {place}; give finite numbers only.")


def missing_cells_error(table: Table, cells: int, rows: int, place: str) -> TableRefusal:
    """Return the TableRefusal of a table with missing cells.

    Parameters
    ----------
    table : Table
        The table.
    cells : int
        The number of missing cells.
    rows : int
        The number of rows with a missing cell.
    place : str
        The place of the first one.

    Returns
    -------
    TableRefusal
        The exception to raise.
    """
    problem = f"{table.name}: {_cells(cells)} missing, in {rows} of {table.rows} rows, {place}"
    return TableRefusal(problem, "missing", "drop", "to leave those rows out", rows)


def no_row_left_error(table: Table) -> Refusal:
    """Return the Refusal of a table in which every row misses a cell.

    Parameters
    ----------
    table : Table
        The table.

    Returns
    -------
    Refusal
        The exception to raise.
    """
    return Refusal(f"{table.name}: every row misses a cell, so none is left; choose columns with fewer gaps.")


def points(columns: Sequence[Column], rows: Mask) -> Points:
    """Return the points (n, d) of some rows of columns of numbers. Without columns d is 0."""
    return np.column_stack([column.numbers_or_nan for column in columns] or [np.zeros((len(rows), 0))])[rows]


def level_columns(column: Column, rows: Mask) -> tuple[list[str], Matrix]:
    """Return (names of the levels of a column of words, indicators of these levels (n, levels): 1 or 0)."""
    words = column.array()[rows]
    levels = np.unique(words)
    return [f"{column.name}={level}" for level in levels.tolist()], (words[:, None] == levels).astype(np.float64)


def _has_levels(table, column):
    """Return whether a column of words has few enough of them, and fewer than rows."""
    missing, levels = column.counts()
    return 0 < levels <= MOST_LEVELS and levels < table.rows - missing


def is_empty(column: Column) -> Mask:
    """Return which cells of a column are missing.

    Parameters
    ----------
    column : Column
        The column.

    Returns
    -------
    ndarray of bool of shape (n,)
        True for a missing cell.
    """
    if column.numbers is not None:
        return np.isnan(column.numbers)
    if not column.gaps:
        return np.zeros(len(column.cells), dtype=bool)
    return column.map_cells(column.gaps.__contains__, bool)


def _infinite(column):
    return np.zeros(len(column.cells), dtype=bool) if column.numbers is None else np.isinf(column.numbers)


def one_column(table: Table, which: str | int) -> Column:
    """Return a column by its name, or by its position counted from 0.

    Parameters
    ----------
    table : Table
        The table.
    which : str or int
        The name or the position.

    Returns
    -------
    Column
        The column.

    Raises
    ------
    Refusal
        If the table has no such column.
    WrongType
        If `which` is neither a name nor a position.
    """
    if isinstance(which, str):
        if (name := match_name(which, table.by_name)) is None:
            raise no_column_error(table.name, which, table.by_name)
        return table.by_name[name]
    if isinstance(which, (bool, np.bool_)) or not isinstance(which, (int, np.integer)):
        raise WrongType(f"columns takes names and positions, not {echo(which)}.")
    last = len(table.columns) - 1
    if not 0 <= which <= last:
        raise Refusal(f"{table.name} has no column at position {which}; positions go from 0 to {last}.")
    return table.columns[which]


def no_column_error(table: str, which: str, names: Iterable[str]) -> Refusal:
    """Return the Refusal of a column that a table lacks, with the name that is probably meant.

    Parameters
    ----------
    table : str
        The table's name.
    which : str
        The name of the column.
    names : iterable of str
        The columns that the table has.

    Returns
    -------
    Refusal
        The exception to raise.
    """
    names = list(names)
    near = closest_name(which, names)
    near = f"; did you mean {quote_visible(near)}?" if near else ""
    it_has = f"{'It' if near else '; it'} has {join_list(map(echo, names), 130)}."
    return Refusal(f"{table} has no column {quote_visible(which)}{near}{' ' if near else ''}{it_has}")


def refuse_commas(table: Table, column: Column) -> None:
    """Refuse a column of numbers that are written with commas: it would be treated as words."""
    cell = comma_number(column)
    if not cell:
        return
    mark = "comma" if "," in cell else "point"
    problem = f"{table.name}: column {echo(column.name)} writes numbers with a {mark}, as in {truncate(cell)}"
    if not table.lenient:
        raise TableRefusal(problem, "lenient", True, "to read decimal commas and marks between thousands")
    both = [f"{value:.15g}" for value in readings_of(number_text(cell)).values()]
    if len(both) == 2:
        problem += f", which may be {both[0]} or {both[1]}"
    raise Refusal(f"{problem}; write a decimal point and no marks between thousands, or leave that column out.")


def comma_number(column: Column) -> str:
    """Return the first number with a comma in a column that consists of numbers, or with an ambiguous point, or "".

    A point is ambiguous if it may be a decimal point or separate thousands. The result is "" for any other column.
    """
    if column.cell_counts.ambiguous:
        return column.cell_counts.ambiguous
    with_comma = [cell for cell in column.times if "," in cell]  # dates such as 1.2.2024 have none
    if with_comma and all(is_missing(cell) or COMMA_NUMBER.fullmatch(cell) for cell in column.times):
        return with_comma[0]
    return ""


def refuse_mostly_numbers(table: Table, column: Column) -> None:
    """Refuse a column of words that are mostly numbers: leaving it out would lose measurements."""
    if counts := mostly_numbers(column):
        numbers, other, cell = counts
        units = units_of(column.times.keys() - column.gaps)
        why = f", in several units ({join_list(units)})" if len(units) > 1 else ""
        words = f" and {other} word{'s' * (other > 1)}, such as {echo(cell)}" if cell else ""
        what = f"{table.name}: column {echo(column.name)} holds {plural(numbers, 'number')}{why}{words}"
        if table.lenient:
            raise Refusal(f"{what}; write them alike, or leave that column out.")
        raise TableRefusal(what, "lenient", True, "to read units, signs, limits and other words for gaps")


def mostly_numbers(column: Column) -> tuple[Any, ...]:
    """Return (number of numeric cells, number of text cells, an example of text) if most cells are numbers, else ()."""
    if column.numbers is not None or column.dates or isinstance(column.cells, NumberCells):
        return ()
    counts = {cell: count for cell, count in column.times.items() if cell not in column.gaps}
    if are_padded_codes(counts):
        return ()
    count = whole = sum(counts.values())
    numeric = set()
    for cell, times in counts.items():
        if is_measured(cell) or duration_form(cell):
            numeric.add(cell)
        elif 2 * (count := count - times) <= whole:
            return ()
    if 2 * count > whole:
        count, whole = count + column.uncounted, whole + column.uncounted
    if not whole or 2 * count <= whole or len(numeric) < FEWEST or are_hashes(counts):
        return ()
    return count, whole - count, next((cell for cell in counts if cell not in numeric), "")


def number_like_cell(column: Column) -> str:
    """Return a cell that begins as numbers do, such as 70.1 ± 0.3, if most cells of a column of words do, else ""."""
    counts = {cell: count for cell, count in column.times.items() if cell not in column.gaps}
    begin = [cell for cell in counts if BEGINS.match(cell)]
    return begin[0] if 2 * sum(counts[cell] for cell in begin) > sum(counts.values()) else ""


def _listed(columns):
    return join_list([echo(column.name) for column in columns], 130)


def _cells(count):
    """Return a number of cells with its verb."""
    return "1 cell is" if count == 1 else f"{count} cells are"
