"""Conversion of truth values and categories to numbers, if another table has numbers in a column of that name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.files.lazy_cells import EncodedColumn

from .table import parse_numbers

if TYPE_CHECKING:
    from explorer.datasets.files.sample_cells import ColumnChunk

    from .table import Column, Table

TRUTHS = {"True": 1.0, "False": 0.0}
READ_AS = {True: "True and False read as 1 and 0", False: "categories read as numbers"}


def with_common_kinds(tables: Sequence[Table]) -> list[Table]:
    """Return the tables, with numbers for truth values and categories if another table has numbers.

    Truth values become 1 and 0 if the other tables have nothing else, and categories become the numbers that their
    words are. Columns of tables that were read in chunks have no cells, see `columns_read_as_numbers`.

    Parameters
    ----------
    tables : sequence of Table
        The tables, with their columns under common names.

    Returns
    -------
    list of Table
        The tables, in the same order.
    """
    names = columns_read_as_numbers(tables)
    return [
        replace(table, columns=tuple(_as_numbers(c) if c.name in each else c for c in table.columns)) if each else table
        for table, each in zip(tables, names, strict=True)
    ]


def columns_read_as_numbers(tables: Sequence[Table]) -> list[set[str]]:
    """Return for each table the names of its text columns that are numbers in other tables and can be read as numbers.

    Parameters
    ----------
    tables : sequence of Table
        The tables, with their columns under common names.

    Returns
    -------
    list of set of str
        The names, for each table.
    """
    return [
        {
            column.name
            for column in table.columns
            if column.numbers is None
            and (others := [other.by_name[column.name] for other in tables if column.name in other.by_name])
            and any(other.numbers is not None for other in others)
            and all(map(_may_be_number, [column] * len(others), others))
        }
        for table in tables
    ]


def _may_be_number(column: Column, other: Column) -> bool:
    """Return whether a column's words are numbers of the other column's kind."""
    if other.numbers is None:
        return True
    if _is_truth(column):
        return other.ends.low >= 0 and other.ends.high <= 1 and other.whole_numbers.whole
    return column.declared and not column.opaque and parse_numbers(_words(column)) is not None


def _words(column: Column) -> list[str]:
    """Return the distinct words of a column that are not missing."""
    return [word for word in column.times if word not in column.gaps]


def _is_truth(column: Column) -> bool:
    words = _words(column)
    return bool(words) and not column.dates and all(word in TRUTHS for word in words)


def _as_numbers(column: Column) -> Column:
    """Return a column of words as the numbers that they are."""
    value, truth = _value_of(column.times), _is_truth(column)
    values = np.array([value[cell] for cell in column.cells])
    return replace(
        column,
        numbers=values,
        order=(),
        declared=False,
        cell_counts=column.cell_counts._replace(read_as=READ_AS[truth]),
    )


def read_as_numbers(read: ColumnChunk) -> ColumnChunk:
    """Return a chunk of a column with numbers for its truth values, or for categories that are numbers.

    Parameters
    ----------
    read : ColumnChunk
        A chunk of the column.

    Returns
    -------
    Read
        The chunk with numbers; unchanged if it has numbers already.
    """
    if not isinstance(read.cells, EncodedColumn):
        return read
    value = _value_of(read.cells.cells)
    truth = any(cell in TRUTHS for cell in read.cells.cells)
    values = np.array([value[cell] for cell in read.cells.cells])[read.cells.codes]
    counts = read.beside._replace(read_as=READ_AS[truth])
    return read._replace(cells=values, beside=counts, declared=False)


def _value_of(words) -> dict[str, float]:
    """Map each word to its number: NaN if the word is missing or, in a file that has changed, not a number."""
    return {word: TRUTHS[word] if word in TRUTHS else _number(word) for word in words}


def _number(word):
    values = parse_numbers([word])
    return np.nan if values is None else float(values[0])
