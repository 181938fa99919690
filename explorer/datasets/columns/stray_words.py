"""Detection of stray words: a few words in a numeric column, such as unknown, that may be missing values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from explorer.datasets.column_selection import mostly_numbers
from explorer.datasets.files.lazy_cells import EncodedColumn

from . import number_notation
from .cell_decorations import is_measured
from .durations import duration_form
from .table import Column, NumberCells

if TYPE_CHECKING:
    from .table import Table

MOST = 3  # most distinct stray words of a column, in all tables: more are its contents and not gaps


def stray_words(columns: Sequence[Column]) -> frozenset[str]:
    """Return the stray words of the columns of one name, one column of each table.

    There are at most three distinct ones in all tables together. In each table more than half of the cells are numbers,
    of at least five values. Otherwise the result is empty.
    """
    strays: set[str] = set()
    for column in columns:
        if column.numbers is not None or column.missing == sum(column.times.values()):
            continue
        if column.dates or not mostly_numbers(column):
            return frozenset()
        strays |= {
            cell for cell in column.times if cell not in column.gaps and not (is_measured(cell) or duration_form(cell))
        }
    return frozenset(strays) if len(strays) <= MOST else frozenset()


def stray_words_by_column(tables: Sequence[Table], apart: Collection[str] = ()) -> dict[str, frozenset[str]]:
    """Return the stray words of the columns that all tables have.

    Parameters
    ----------
    tables : sequence of Table
        The tables.
    apart : collection of str, default ()
        Names of columns that are left out.

    Returns
    -------
    dict of str to frozenset of str
        The words by the columns' names. Columns without any are not included.
    """
    shared = [name for name in tables[0].by_name if all(name in table.by_name for table in tables)]
    shared = [name for name in shared if name not in apart]
    strays = {name: stray_words([table.by_name[name] for table in tables]) for name in shared}
    return {name: words for name, words in strays.items() if words}


def with_strays_missing(tables: Sequence[Table], apart: Collection[str] = ()) -> list[Table]:
    """Return the tables with stray words as missing values; each column counts its own.

    If a column still holds no numbers in one of the tables, it is unchanged in all of them.

    Parameters
    ----------
    tables : sequence of Table
        The tables.
    apart : collection of str, default ()
        Names of columns that are left unchanged.

    Returns
    -------
    list of Table
        The tables, in the same order.
    """
    strays = stray_words_by_column(tables, apart)
    if not strays:
        return list(tables)
    again = [_read(table, strays) for table in tables]
    lost = {name for columns in again for name, column in columns.items() if column.numbers is None}
    return [
        replace(table, columns=tuple(column if column.name in lost else columns.get(column.name, column)
                                     for column in table.columns))
        for table, columns in zip(tables, again, strict=True)
    ]  # fmt: skip


def _read(table: Table, words: Mapping[str, Collection[str]]) -> dict[str, Column]:
    """Return the text columns of a table parsed without their stray words, which are counted, by their names."""
    asked = [column for column in table.columns if column.name in words and column.numbers is None]
    asked = [column for column in asked if column.missing < table.rows]
    if not asked:
        return {}
    # the other columns decide how 1,234 is read
    context = [c for c in table.columns if c not in asked and not isinstance(c.cells, NumberCells)]
    cells = [EncodedColumn.from_cells(column.cells).blank(words[column.name]) for column in asked]
    read, _ = number_notation.parse_with_remarks([*cells, *(column.cells for column in context)], table.delimiter)
    return {
        column.name: _without(column, written, words[column.name]) for column, written in zip(asked, read, strict=False)
    }


def _without(column, written, words):
    """Return a column parsed without some words."""
    times = {cell: column.times[cell] for cell in words if cell in column.times}
    counts = written.cell_counts._replace(words={**written.cell_counts.words, **times})
    unit = column.unit or written.unit
    return Column(column.name, written.cells, written.numbers, written.dates, unit, written.n_limits, counts)
