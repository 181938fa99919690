"""Numbers such as 1.250, which are 1.25 or 1250: how the columns of one name of several tables are read alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from explorer.datasets.files.lazy_cells import are_texts
from explorer.printing import join_list, short_name

from .number_notation import ColumnReadings, are_grouped, number_text, parse_in_notation, may_be_grouped, readings_of
from .scales import Magnitude
from .table import Column, NumberCells

if TYPE_CHECKING:
    from .table import Table


class AmbiguousColumn(NamedTuple):
    """A column whose cells fit both notations and say nothing of which it is.

    texts   its numbers as they are written; small  whether some have no mark, as 980 beside 1.250
    decimal, grouped  the notations in which its mark is decimal, and between thousands
    middles  of either, the size of its numbers
    """

    texts: tuple[str, ...]
    small: bool
    decimal: str
    grouped: str
    middles: dict[str, Magnitude]

    @classmethod
    def of(cls, column: Column) -> Self | None:
        """Return the Open of a column, or None if it is read in one way only."""
        if column.dates or isinstance(column.cells, NumberCells) or not _may_be_open(column):
            return None
        reading = ColumnReadings.of(tuple(column.times))
        if not reading.is_ambiguous or reading.point is None or reading.comma is None:
            return None
        texts = tuple(number_text(cell) for cell in column.times if cell in reading.point)
        marks = {mark for mark in ".," if any(mark in text for text in texts)}
        if len(marks) != 1 or (are_grouped(texts) and column.numbers is not None):
            return None
        decimal, grouped = ("point", "comma") if marks == {"."} else ("comma", "point")
        times = [column.times[cell] for cell in reading.point]
        middles = {
            way: Magnitude.of(np.repeat(list(values.values()), times))
            for way, values in (("point", reading.point), ("comma", reading.comma))
        }
        small = any(text.isdecimal() and text != "0" for text in texts)
        return cls(texts, small, decimal, grouped, middles)


def _may_be_open(column):
    """Whether a column may be Open, as far as its numbers say; those of most columns say that it is not."""
    if column.cell_counts.ambiguous:
        return True
    if column.numbers is None or not len(column.numbers):
        return False
    if may_be_grouped(column.numbers):
        return True
    if are_texts(column.cells) and column.whole_numbers.whole:
        return any("," in cell or "." in cell for cell in column.times)
    return False


def read_alike(tables: Sequence[Table], apart: Collection[str] = ()) -> list[Table]:
    """Return the tables with their columns of one name in one notation, where the sizes of their numbers say which.

    A column whose numbers may be 1.25 or 1250 is read as those of the other tables are, if its median is nearer to
    theirs in one of the two ways, by far. Else it is read as its own table suggests; if that suggests nothing, or if
    the others' numbers are whole, it is one of words, and refused with its reason.
    """
    if len(tables) < 2:
        return list(tables)
    names = [name for name in tables[0].by_name if name not in apart and all(name in t.by_name for t in tables)]
    changed: list[dict[str, Column]] = [{} for _ in tables]
    for name in names:
        columns = [table.by_name[name] for table in tables]
        opened = [AmbiguousColumn.of(column) for column in columns]
        if not any(opened):
            continue
        for k, column in enumerate(_alike([short_name(table.name) for table in tables], columns, opened)):
            if column is not columns[k]:
                changed[k][name] = column
    return [
        replace(table, columns=tuple(new.get(column.name, column) for column in table.columns)) if new else table
        for table, new in zip(tables, changed, strict=True)
    ]


def _alike(names, columns, opened) -> list[Column]:
    """The columns of one name in one notation."""
    known = [
        column for column, each in zip(columns, opened, strict=True)
        if each is None and column.numbers is not None and not column.dates and column.magnitude.median > 0
    ]  # fmt: skip
    if not known:
        return _without_others(columns, opened)
    measured = Magnitude(*map(float, np.median([column.magnitude for column in known], axis=0)))
    whole = all(column.whole_numbers.whole for column in known)
    others = join_list(
        [name for name, column in zip(names, columns, strict=True) if any(column is c for c in known)], 80
    )
    found = []
    for column, each in zip(columns, opened, strict=True):
        if each is None:
            found.append(column)
            continue
        ways = [way for way in (each.grouped, each.decimal) if each.middles[way].is_near(measured)]
        if ways:
            found.append(_in(column, ways[0], each, f", as in {others}"))
        elif whole and column.numbers is not None:
            beside = column.cell_counts._replace(ambiguous=_example(each))
            found.append(Column(column.name, column.cells, None, cell_counts=beside))
        else:
            found.append(column)
    return found


def _without_others(columns, opened):
    """Columns that all are open, or empty. If every number has a mark, they differ by a factor alone: 1000."""
    given = [each for each in opened if each is not None]
    if any(each.small for each in given) or len({each.decimal for each in given}) > 1:
        return columns
    return [
        _in(column, each.decimal, each, " or 1,000 times as large") if each is not None and column.numbers is None
        else column
        for column, each in zip(columns, opened, strict=True)
    ]  # fmt: skip


def _in(column, way, each, why):
    """A column in a notation; itself if it is."""
    cell = _example(each)
    written = parse_in_notation(column.cells, way)
    if column.numbers is not None and np.array_equal(column.numbers, written.numbers, equal_nan=True):
        return column
    value = readings_of(cell)[way]
    beside = written.cell_counts._replace(
        renamed=column.cell_counts.renamed, words=column.cell_counts.words, grouped=f"{cell} read as {value:.12g}{why}"
    )
    unit = column.unit or written.unit
    return Column(column.name, tuple(written.cells), written.numbers, False, unit, written.n_limits, beside)


def _example(each):
    return next(text for text in each.texts if "." in text or "," in text)
