"""DataFrames and arrays in order of time."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer import frames
from explorer.checks import Refusal, WrongType, echo
from explorer.frames import InTime

from .columns.table import Column, Table
from .columns.times import RowTimes, format_days, times_of
from .dataframes import table_of
from .files.formats import with_words_read

INDEX = "the index"


@frames.in_time_by
def in_time(table: Any, time: Any, name: str) -> InTime | None:
    """Return a DataFrame's rows in order of time, without its column of times, or None if nothing orders them.

    A DatetimeIndex, PeriodIndex or TimedeltaIndex of pandas comes before columns of dates. `time` names a column, or
    holds the times themselves, one for each row. Raises Refusal as `times_of` does, and if no row or no column is left.

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
        raise Refusal(f"{name} has no column besides {echo(times.name)}, its dates; give the columns that may change.")
    names = list(map(str, frame.columns))
    rest = frame[:, [j for j in range(len(names)) if j != names.index(times.name)]]
    return _sorted(rest, times, name)._replace(column=True)


def _as_frame(table):
    """A Series of pandas that has times as its index becomes a DataFrame."""
    return table.to_frame() if _index_of(table) is not None and hasattr(table, "to_frame") else table


def _index_of(table):
    """The index of pandas' data if it holds times, else None."""
    return table.index if frames.has_times(table) else None


def _of_index(table):
    """The Times of an index of times, or None if there is none, or if its times are all the same.

    Lengths of time are numbers, in seconds.
    """
    index = _index_of(table)
    if index is None:
        return None
    called = str(index.name) if index.name is not None else INDEX
    index = index.to_timestamp() if hasattr(index, "to_timestamp") else index
    index = index.total_seconds() if hasattr(index, "total_seconds") else index
    column = _column_of(index, called)
    return RowTimes.of(Table("the index", (column,), ""), column) if column.counts()[1] > 1 else None


def _given_times(time, name, n):
    """The Times of an array or a list of times, one for each row; None if `time` is the name of a column, or None."""
    if time is None or isinstance(time, (str, int, np.integer)):
        return None
    if not hasattr(time, "__len__"):
        raise WrongType(f"time is the name of a column or one time for each row, not {echo(time)}.")
    if len(time) != n:
        raise Refusal(f"time has {len(time)} values and {name} {n} rows; give one for each row.")
    column = _column_of(time, "time")
    return RowTimes.of(Table("time", (column,), ""), column)


def _column_of(values: Any, name: str) -> Column:
    """A Column of times that are given by themselves."""
    import pandas

    frame: Any = frames.frame_of(pandas.DataFrame({name: pandas.Series(values).reset_index(drop=True)}))
    return with_words_read(table_of(frame, name)).columns[0]


def _refuse_named(time, name):
    """Refuse the name of a column if there are none."""
    if time is None:
        return None
    raise Refusal(f"time names column {echo(time)}, and {name} has no columns with names; give one time for each row.")


def _sorted(rows: Any, times: RowTimes, name: str) -> InTime:
    """The InTime of rows of a frame or an array."""
    order = times.rows
    if not len(order):
        raise Refusal(f"{echo(times.name)} of {name} has no time in any row; name another column of times.")
    table = rows[order] if isinstance(rows, np.ndarray) else rows[order.tolist(), :].to_native()
    clock = times.clock[order]
    return InTime(
        table, order, clock, times.dates, times.name, len(times.instant) - len(order), format_days(clock, times.dates)
    )
