"""Which columns and rows of a table become points; whatever cannot is refused with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.printing import echo, join_list, truncate
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


# 1,5 or 1.234,5 or 1,234,567: which of the commas are decimal cannot be known
COMMA_NUMBER = re.compile(r"[+-]?\d[\d.,]*([eE][+-]?\d+)?")
BEGINS = re.compile(r"[^\w]*\d")  # as numbers do, after signs, quotes and currencies
FEWEST = 5  # different numbers that make a column of words one of measurements: fewer may be codes
MOST_LEVELS = 50  # of words that become a coordinate each, and of the categories that labs draw


def numeric_columns(table: Table, label: Column | None = None) -> list[Column]:
    """Every column of numbers but the label's.

    Refused where there is none, and where numbers are written with commas.
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
    """Every column of numbers that are no dates but the label's; there may be none."""
    return [c for c in table.columns if c.numbers is not None and not c.dates and c is not label]


def asked_columns(table: Table, asked: Sequence[str | int] | str | int, words: bool = False) -> list[Column]:
    """The columns that were asked for, by name or by position from 0, in that order.

    words: whether one of words may be among them, where it has few levels.
    """
    named: Any = [asked] if np.ndim(asked) == 0 else asked
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
            given = [cell for cell in column.times if cell not in column.gaps]
            texts = [
                cell for cell in given if parse_number_strict(cell) is None
            ] or given  # a year is text where the file calls it a date
            holds = f"holds text, such as {echo(texts[0])}" if texts else "has no cell that is not missing"
            raise Refusal(f"{table.name}: column {echo(column.name)} {holds}; choose columns of numbers.")
    return columns


def refuse_unknown_policy(missing: str, policies: Sequence[str] = ("refuse", "drop")) -> None:
    """Refuse a word for missing cells that is none of the policies."""
    if missing not in policies:
        *most, last = (f'"{each}"' for each in policies)
        raise Refusal(f"missing must be {', '.join(most)} or {last}, not {echo(missing)}.")


def complete_rows(table: Table, columns: Sequence[Column], missing: str) -> Any:
    """Which rows (n,) have a cell in each of these columns; all rows if `missing` is "value".

    TableRefusal where not all have and `missing` is "refuse".
    """

    def place(bad):
        row, column = np.argwhere(bad)[0]
        return f"the first in {table.describe_row(row)}, column {echo(columns[column].name)}"

    infinite = np.column_stack([_infinite(column) for column in columns])
    empty = np.column_stack([is_empty(column) for column in columns])
    if infinite.any():
        raise infinite_values(table, int(infinite.sum()), place(infinite))
    kept = ~empty.any(axis=1) if missing != "value" else np.ones(len(empty), dtype=bool)
    if missing == "refuse" and not kept.all():
        raise missing_cells(table, int(empty.sum()), int((~kept).sum()), place(empty))
    if not kept.any():
        raise no_row_left(table)
    return kept


def infinite_values(table: Table, count: int, place: str) -> Refusal:
    """The Refusal of a table with so many infinite values, the first in a place."""
    return Refusal(f"{table.name}: {count} values are infinite, {place}; give finite numbers only.")


def missing_cells(table: Table, cells: int, rows: int, place: str) -> TableRefusal:
    """The Refusal of a table with so many missing cells in so many rows, the first in a place."""
    found = f"{table.name}: {_cells(cells)} missing, in {rows} of {table.rows} rows, {place}"
    return TableRefusal(found, "missing", "drop", "to leave those rows out", rows)


def no_row_left(table: Table) -> Refusal:
    """The Refusal of a table whose rows all miss a cell."""
    return Refusal(f"{table.name}: every row misses a cell, so none is left; choose columns with fewer gaps.")


def points(columns: Sequence[Column], kept: Mask) -> Points:
    """X (n, d) of the kept rows of columns of numbers; (n, 0) of none."""
    return np.column_stack([column.numbers_or_nan for column in columns] or [np.zeros((len(kept), 0))])[kept]


def level_columns(column: Column, kept: Mask) -> tuple[list[str], Matrix]:
    """A column of words as (its levels' names, an array (n, levels) of 1 where the level holds, else 0)."""
    words = column.array()[kept]
    levels = np.unique(words)
    return [f"{column.name}={level}" for level in levels.tolist()], (words[:, None] == levels).astype(np.float64)


def _has_levels(table, column):
    """Whether a column of words has few enough of them, and fewer than rows."""
    missing, levels = column.counts()
    return 0 < levels <= MOST_LEVELS and levels < table.rows - missing


def is_empty(column: Column) -> Mask:
    """Which cells of a column are missing, (n,)."""
    if column.numbers is not None:
        return np.isnan(column.numbers)
    if not column.gaps:
        return np.zeros(len(column.cells), dtype=bool)
    return column.map_cells(column.gaps.__contains__, bool)


def _infinite(column):
    return np.zeros(len(column.cells), dtype=bool) if column.numbers is None else np.isinf(column.numbers)


def one_column(table: Table, which: str | int) -> Column:
    """A column by its name or its position from 0."""
    if isinstance(which, str):
        if (name := match_name(which, table.by_name)) is None:
            raise no_column(table.name, which, table.by_name)
        return table.by_name[name]
    if isinstance(which, (bool, np.bool_)) or not isinstance(which, (int, np.integer)):
        raise WrongType(f"columns takes names and positions, not {echo(which)}.")
    last = len(table.columns) - 1
    if not 0 <= which <= last:
        raise Refusal(f"{table.name} has no column at position {which}; positions go from 0 to {last}.")
    return table.columns[which]


def no_column(table: str, which: str, names: Iterable[str]) -> Refusal:
    """The Refusal of a column that a table lacks, with the name that is probably meant."""
    names = list(names)
    near = closest_name(which, names)
    near = f"; did you mean {quote_visible(near)}?" if near else ""
    it_has = f"{'It' if near else '; it'} has {join_list(map(echo, names), 130)}."
    return Refusal(f"{table} has no column {quote_visible(which)}{near}{' ' if near else ''}{it_has}")


def refuse_commas(table: Table, column: Column) -> None:
    """Refuse a column of numbers written with commas, which would pass for words."""
    cell = comma_number(column)
    if not cell:
        return
    mark = "comma" if "," in cell else "point"
    found = f"{table.name}: column {echo(column.name)} writes numbers with a {mark}, as in {truncate(cell)}"
    if not table.lenient:
        raise TableRefusal(found, "lenient", True, "to read decimal commas and marks between thousands")
    both = [f"{value:.15g}" for value in readings_of(number_text(cell)).values()]
    if len(both) == 2:
        found += f", which may be {both[0]} or {both[1]}"
    raise Refusal(f"{found}; write a decimal point and no marks between thousands, or leave that column out.")


def comma_number(column: Column) -> str:
    """The first number with a comma in a column that holds nothing but numbers; empty where it is none of those.

    Or with a point, if that may be decimal or between thousands.
    """
    if column.cell_counts.ambiguous:
        return column.cell_counts.ambiguous
    with_comma = [cell for cell in column.times if "," in cell]  # dates such as 1.2.2024 have none
    if with_comma and all(is_missing(cell) or COMMA_NUMBER.fullmatch(cell) for cell in column.times):
        return with_comma[0]
    return ""


def refuse_mostly_numbers(table: Table, column: Column) -> None:
    """Refuse a column of words of which most are numbers: to leave it out would be to lose what was measured."""
    if found := mostly_numbers(column):
        numbers, other, cell = found
        units = units_of(column.times.keys() - column.gaps)
        why = f", in several units ({join_list(units)})" if len(units) > 1 else ""
        words = f" and {other} word{'s' * (other > 1)}, such as {echo(cell)}" if cell else ""
        what = f"{table.name}: column {echo(column.name)} holds {numbers} numbers{why}{words}"
        if table.lenient:
            raise Refusal(f"{what}; write them alike, or leave that column out.")
        raise TableRefusal(what, "lenient", True, "to read units, signs, limits and other words for gaps")


def mostly_numbers(column: Column) -> tuple[Any, ...]:
    """(how many cells of a column of words are numbers, how many are words, one of these); () where most are words."""
    if column.numbers is not None or column.dates or isinstance(column.cells, NumberCells):
        return ()
    given = {cell: count for cell, count in column.times.items() if cell not in column.gaps}
    if are_padded_codes(given):
        return ()
    count = whole = sum(given.values())
    numeric = set()
    for cell, times in given.items():
        if is_measured(cell) or duration_form(cell):
            numeric.add(cell)
        elif 2 * (count := count - times) <= whole:
            return ()
    if 2 * count > whole:
        count, whole = count + column.uncounted, whole + column.uncounted
    if not whole or 2 * count <= whole or len(numeric) < FEWEST or are_hashes(given):
        return ()
    return count, whole - count, next((cell for cell in given if cell not in numeric), "")


def like_a_number(column: Column) -> str:
    """A cell that begins as numbers do, such as 70.1 ± 0.3, where most cells of a column of words do; "" else."""
    given = {cell: count for cell, count in column.times.items() if cell not in column.gaps}
    begin = [cell for cell in given if BEGINS.match(cell)]
    return begin[0] if 2 * sum(given[cell] for cell in begin) > sum(given.values()) else ""


def _listed(columns):
    return join_list([echo(column.name) for column in columns], 130)


def _cells(count):
    """A number of cells, with its verb."""
    return "1 cell is" if count == 1 else f"{count} cells are"
