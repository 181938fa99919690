"""The order of a table's rows in time: the column of dates that gives it, the rows in that order, and their dates."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, NamedTuple, Self

import numpy as np

from explorer import frames
from explorer.checks import Refusal, WrongType, shown
from explorer.frames import InTime
from explorer.printing import listed
from explorer.types import Labels, Rows, Vector

from .choosing import one_column
from .columns import Column, Table
from .dataframes import table_of
from .dates import EPOCH, behind, compact_days
from .formats import with_words_read
from .identifiers import DAYS

DIFFERENT = 20  # dates such as 20260501 from which on a column holds them, whatever it is called
MIDNIGHT = 1e-9  # days by which rounding may move a time of day
INDEX = "the index"


class Times(NamedTuple):
    """The times of a table's rows.

    name     of the column
    instant  (n,), in days, NaN where a row has none: rows are sorted by it
    clock    (n,), days since 1970 as the dates are written; of zones that differ `instant` is in UTC
    dates    whether they are dates; plain numbers otherwise
    """

    name: str
    instant: Vector
    clock: Vector
    dates: bool = True

    @classmethod
    def of(cls, table: Table, column: Column) -> Self:
        """Read a column of dates, or of numbers. Refuse dates that may have the day or the month first, and words."""
        if column.numbers is None:
            raise Refusal(_unordered(table, column))
        compact = compact_dates(column)
        if compact is not None:
            return cls(column.name, compact, compact)
        if not column.dates:
            return cls(column.name, column.figures, column.figures, dates=False)
        zones = {cell: behind(cell) for cell in column.times}
        if len({zone for cell, zone in zones.items() if cell not in column.gaps}) < 2:
            return cls(column.name, column.figures, column.figures)
        ahead = np.array([zones[cell] for cell in column.cells])
        return cls(column.name, column.figures - ahead, column.figures)

    @property
    def rows(self) -> Rows:
        """The rows that have a time, in its order; rows of one time keep their order."""
        there = np.flatnonzero(~np.isnan(self.instant))
        return there[np.argsort(self.instant[there], kind="stable")]


def _unordered(table, column):
    """Why the rows of a table cannot be sorted by a column, a sentence."""
    if column.counts()[0] == len(column.cells):
        return f"column {shown(column.name)} of {table.name} has no date in any row; name another column of times."
    if column.dates:
        return (
            f"the dates of column {shown(column.name)} may have the day first or the month, so the order of the rows is"
            " not known; write the year first, as in 2026-03-01, or leave that column out of rows that are in order."
        )
    return f"column {shown(column.name)} of {table.name} holds words; name a column of dates or of numbers."


def compact_dates(column: Column) -> Vector | None:
    """Return a column of dates such as 20260501 as days since 1970, or None if it holds other numbers."""
    if column.numbers is None or column.dates or not len(column.numbers):
        return None
    named = DAYS.fullmatch(column.name) is not None
    days = compact_days(column.numbers)
    return days if days is not None and (named or len(np.unique(days[~np.isnan(days)])) >= DIFFERENT) else None


def date_columns(table: Table) -> list[Column]:
    """Return the columns of a table whose dates could order its rows: those that have two different dates or more."""
    dated = [column for column in table.columns if column.dates or compact_dates(column) is not None]
    return [column for column in dated if column.counts()[1] > 1]


def times_of(table: Table, time: str | int | None = None) -> Times | None:
    """Return the Times of a table's rows, or None if it has no column of dates that could order them.

    time  the name or the position of a column of dates or of numbers; None is the one column of dates.
    Raises Refusal if there are several, or if the one has dates that may have the day or the month first.
    """
    if time is not None:
        return Times.of(table, one_column(table, time))
    columns = date_columns(table)
    if len(columns) > 1:
        names = [shown(column.name) for column in columns]
        raise Refusal(
            f"{table.name} has several columns of dates, {listed(names)}, and its rows can be in the order of one of"
            f" them; name it, as in time={names[0]}."
        )
    return Times.of(table, columns[0]) if columns else None


def written_times(clock: Vector, dates: bool = True) -> Labels:
    """Return times (n,) as words: 2026-05-01, with the time of day if one of them has one; numbers if they are none."""
    if not dates:
        return np.array([f"{value:.12g}" for value in clock], dtype=object)
    parts = np.abs(clock - np.round(clock))
    daily = bool(np.all(parts < MIDNIGHT))
    return np.array([_written(day, daily) for day in clock.tolist()], dtype=object)


def _written(day, daily):
    if daily:
        return (date.fromordinal(EPOCH) + timedelta(days=round(day))).isoformat()
    moment = datetime.fromordinal(EPOCH) + timedelta(seconds=round(86400 * day))
    return moment.isoformat(" ", "seconds" if moment.second else "minutes")


@frames.in_time_by
def in_time(table: Any, time: Any, name: str) -> InTime | None:
    """Return a DataFrame's rows in order of time, without its column of times, or None if nothing orders them.

    A DatetimeIndex of pandas comes before columns of dates. `time` names a column, or holds the times themselves, one
    for each row. Raises Refusal as `times_of` does, and if no row or no column is left.

    >>> import pandas
    >>> from explorer.datasets.ordering import in_time
    >>> frame = pandas.DataFrame({"day": ["2026-05-02", "2026-05-01", ""], "x": [2.0, 1.0, 3.0]})
    >>> found = in_time(frame, None, "X")
    >>> found.name, found.rows.tolist(), found.written.tolist(), found.missing, found.table["x"].tolist()
    ('day', [1, 0], ['2026-05-01', '2026-05-02'], 1, [1.0, 2.0])
    """
    frame = frames.frame_of(_as_frame(table))
    given = _given_times(time, name, len(table) if frame is None else len(frame))
    if frame is None:
        if given is None:
            return _refuse_named(time, name)
        return _sorted(np.asarray(table), given, name)
    if given is None and time is None:
        given = _of_index(table)
    if given is not None:
        return _sorted(frame, given, name)
    times = times_of(with_words_read(table_of(frame, name)), time)
    if times is None:
        return None
    if len(frame.columns) == 1:
        raise Refusal(f"{name} has no column besides {shown(times.name)}, its dates; give the columns that may change.")
    names = list(map(str, frame.columns))
    rest = frame[:, [j for j in range(len(names)) if j != names.index(times.name)]]
    return _sorted(rest, times, name)._replace(column=True)


def _as_frame(table):
    """A Series of pandas that has dates as its index becomes a DataFrame."""
    return table.to_frame() if _index_of(table) is not None and hasattr(table, "to_frame") else table


def _index_of(table):
    """The index of pandas' data if it holds dates, else None."""
    index = getattr(table, "index", None)
    kind = type(index).__name__
    return index if kind in ("DatetimeIndex", "PeriodIndex") else None


def _of_index(table):
    """The Times of an index of dates, or None if there is none, or if its dates are all the same."""
    index = _index_of(table)
    if index is None:
        return None
    index = index.to_timestamp() if hasattr(index, "to_timestamp") else index
    column = _column_of(index, str(index.name) if index.name is not None else INDEX)
    return Times.of(Table("the index", (column,), ""), column) if column.counts()[1] > 1 else None


def _given_times(time, name, n):
    """The Times of an array or a list of times, one for each row; None if `time` is the name of a column, or None."""
    if time is None or isinstance(time, (str, int, np.integer)):
        return None
    if not hasattr(time, "__len__"):
        raise WrongType(f"time is the name of a column or one time for each row, not {shown(time)}.")
    if len(time) != n:
        raise Refusal(f"time has {len(time)} values and {name} {n} rows; give one for each row.")
    column = _column_of(time, "time")
    return Times.of(Table("time", (column,), ""), column)


def _column_of(values: Any, name: str) -> Column:
    """A Column of times that are given by themselves."""
    import pandas

    frame: Any = frames.frame_of(pandas.DataFrame({name: pandas.Series(values).reset_index(drop=True)}))
    return with_words_read(table_of(frame, name)).columns[0]


def _refuse_named(time, name):
    """Refuse the name of a column if there are none."""
    if time is None:
        return None
    raise Refusal(f"time names column {shown(time)}, and {name} has no columns with names; give one time for each row.")


def _sorted(rows: Any, times: Times, name: str) -> InTime:
    """The InTime of rows of a frame or an array."""
    order = times.rows
    if not len(order):
        raise Refusal(f"{shown(times.name)} of {name} has no time in any row; name another column of times.")
    table = rows[order] if isinstance(rows, np.ndarray) else rows[order.tolist(), :].to_native()
    clock = times.clock[order]
    return InTime(
        table, order, clock, times.dates, times.name, len(times.instant) - len(order), written_times(clock, times.dates)
    )
