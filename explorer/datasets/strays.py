"""A few words among the numbers of a column, such as unknown or see note, which may be taken as missing values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from . import notation
from .around import is_measured
from .choosing import mostly_numbers
from .columns import Column, Digits
from .durations import form_of

if TYPE_CHECKING:
    from .columns import Table

MOST = 3  # different words of a column, in all tables: more are what it holds, and no gaps


def strays(columns: Sequence[Column]) -> frozenset[str]:
    """Return the few words among the numbers of columns of one name, one of each table; none if they are no few.

    There are at most three different ones in all tables together, and in each table more than half of the cells are
    numbers, of five values or more.
    """
    found: set[str] = set()
    for column in columns:
        if column.numbers is not None or column.missing == sum(column.times.values()):
            continue
        if column.dates or not mostly_numbers(column):
            return frozenset()
        found |= {cell for cell in column.times if cell not in column.gaps and not (is_measured(cell) or form_of(cell))}
    return frozenset(found) if len(found) <= MOST else frozenset()


def strays_of(tables: Sequence[Table]) -> dict[str, frozenset[str]]:
    """Return the `strays` of the columns that all tables have, by their names."""
    shared = [name for name in tables[0].by_name if all(name in table.by_name for table in tables)]
    found = {name: strays([table.by_name[name] for table in tables]) for name in shared}
    return {name: words for name, words in found.items() if words}


def with_strays_missing(tables: Sequence[Table]) -> list[Table]:
    """Return the tables with the words that `strays_of` finds as missing values; each column counts its own."""
    found = strays_of(tables)
    return [_without(table, found) for table in tables] if found else list(tables)


def _without(table: Table, words: Mapping[str, Collection[str]]) -> Table:
    """A table whose columns of words are read again without some of them."""
    asked = [column for column in table.columns if column.name in words and column.numbers is None]
    if not asked:
        return table
    beside = [c for c in table.columns if c not in asked and not isinstance(c.cells, Digits)]  # by which 1,234 is read
    cells = [["" if cell in words[column.name] else cell for cell in column.cells] for column in asked]
    read, _ = notation.read([*cells, *(column.cells for column in beside)], table.delimiter)
    again = {
        column.name: _read(column, written, words[column.name]) for column, written in zip(asked, read, strict=False)
    }
    return replace(table, columns=tuple(again.get(column.name, column) for column in table.columns))


def _read(column, written, words):
    """A column as it is read without some words, which are counted; the column itself if that gives no numbers."""
    if written.numbers is None:
        return column
    times = Counter({cell: column.times[cell] for cell in words if cell in column.times})
    beside = written.beside._replace(words={**written.beside.words, **times})
    unit = column.unit or written.unit
    return Column(column.name, tuple(written.cells), written.numbers, written.dates, unit, written.limited, beside)
