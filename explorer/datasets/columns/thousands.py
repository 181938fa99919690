"""Numbers such as 1.250 that may be 1.25 or 1250: the columns of one name in several tables are read in one way."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from explorer.datasets.files.lazy_cells import are_texts
from explorer.printing import join_list, short_name

from .number_notation import ColumnReadings, are_grouped, may_be_grouped, number_text, parse_in_notation, readings_of
from .scales import Magnitude
from .table import Column, NumberCells

if TYPE_CHECKING:
    from .table import Table


class AmbiguousColumn(NamedTuple):
    """A column whose cells fit both notations and do not decide between them.

    Attributes
    ----------
    texts : tuple of str
        The numbers as they are written.
    small : bool
        Whether some have no mark, as 980 next to 1.250.
    decimal : str
        The notation in which the mark is decimal.
    grouped : str
        The notation in which the mark groups thousands.
    magnitudes : dict of str to Magnitude
        The magnitude of the numbers in each notation.
    """

    texts: tuple[str, ...]
    small: bool
    decimal: str
    grouped: str
    magnitudes: dict[str, Magnitude]

    @classmethod
    def of(cls, column: Column) -> Self | None:
        """Return the AmbiguousColumn of a column, or None if the column can be read in one way only."""
        if column.dates or isinstance(column.cells, NumberCells) or not _may_be_ambiguous(column):
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
        magnitudes = {
            way: Magnitude.of(np.repeat(list(values.values()), times))
            for way, values in (("point", reading.point), ("comma", reading.comma))
        }
        small = any(text.isdecimal() and text != "0" for text in texts)
        return cls(texts, small, decimal, grouped, magnitudes)


def _may_be_ambiguous(column):
    """Return whether a column may be ambiguous, as far as its numbers show; most columns are not."""
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
    """Return the tables with the columns of one name in one notation, if the sizes of their numbers decide.

    A column whose numbers may be 1.25 or 1250 is read as the other tables' numbers are if its median is much nearer to
    theirs in one of the two ways. Otherwise it is read as its own table suggests. If that suggests nothing, or if the
    other tables' numbers are whole, it becomes text and is refused with the reason.

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
    if len(tables) < 2:
        return list(tables)
    names = [name for name in tables[0].by_name if name not in apart and all(name in t.by_name for t in tables)]
    changed: list[dict[str, Column]] = [{} for _ in tables]
    for name in names:
        columns = [table.by_name[name] for table in tables]
        ambiguous = [AmbiguousColumn.of(column) for column in columns]
        if not any(ambiguous):
            continue
        for k, column in enumerate(_alike([short_name(table.name) for table in tables], columns, ambiguous)):
            if column is not columns[k]:
                changed[k][name] = column
    return [
        replace(table, columns=tuple(new.get(column.name, column) for column in table.columns)) if new else table
        for table, new in zip(tables, changed, strict=True)
    ]


def _alike(names, columns, ambiguous) -> list[Column]:
    """Return the columns of one name in one notation."""
    known = [
        column for column, each in zip(columns, ambiguous, strict=True)
        if each is None and column.numbers is not None and not column.dates and column.magnitude.median > 0
    ]  # fmt: skip
    if not known:
        return _without_others(columns, ambiguous)
    measured = Magnitude(*map(float, np.median([column.magnitude for column in known], axis=0)))
    whole = all(column.whole_numbers.whole for column in known)
    others = join_list(
        [name for name, column in zip(names, columns, strict=True) if any(column is c for c in known)], 80
    )
    alike = []
    for column, each in zip(columns, ambiguous, strict=True):
        if each is None:
            alike.append(column)
            continue
        ways = [way for way in (each.grouped, each.decimal) if each.magnitudes[way].is_near(measured)]
        if ways:
            alike.append(_in(column, ways[0], each, f", as in {others}"))
        elif whole and column.numbers is not None:
            counts = column.cell_counts._replace(ambiguous=_example(each))
            alike.append(Column(column.name, column.cells, None, cell_counts=counts))
        else:
            alike.append(column)
    return alike


def _without_others(columns, ambiguous):
    """Return columns that are all ambiguous or empty, in one notation if every number has a mark.

    The two readings then differ only by the factor 1000.
    """
    given = [each for each in ambiguous if each is not None]
    if any(each.small for each in given) or len({each.decimal for each in given}) > 1:
        return columns
    return [
        _in(column, each.decimal, each, " or 1,000 times as large") if each is not None and column.numbers is None
        else column
        for column, each in zip(columns, ambiguous, strict=True)
    ]  # fmt: skip


def _in(column, way, each, why):
    """Return a column in a notation; the column itself if it is in this notation already."""
    cell = _example(each)
    written = parse_in_notation(column.cells, way)
    if column.numbers is not None and np.array_equal(column.numbers, written.numbers, equal_nan=True):
        return column
    value = readings_of(cell)[way]
    counts = written.cell_counts._replace(
        renamed=column.cell_counts.renamed, words=column.cell_counts.words, grouped=f"{cell} read as {value:.12g}{why}"
    )
    unit = column.unit or written.unit
    return Column(column.name, tuple(written.cells), written.numbers, False, unit, written.n_limits, counts)


def _example(each):
    return next(text for text in each.texts if "." in text or "," in text)
