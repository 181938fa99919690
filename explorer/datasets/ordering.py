"""DataFrames and arrays in order of time."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer import frames
from explorer.checks import Refusal, WrongType, echo
from explorer.frames import InTime
from explorer.printing import plural

from .columns.table import Column, Table
from .columns.times import RowTimes, format_days, times_of
from .dataframes import table_of
from .files.formats import parse_text_columns

INDEX = "the index"


def in_time(table: Any, time: Any, name: str) -> InTime | None:
    """Return a DataFrame's rows in order of time, without its column of times, or None if nothing orders them.

    A DatetimeIndex, PeriodIndex or TimedeltaIndex of pandas takes precedence over columns of dates.

    Parameters
    ----------
    table : DataFrame or array_like
        The rows.
    time : str, int, array_like or None
        The name of a column, or the time of each row.
    name : str
        The table's name in messages.

    Returns
    -------
    InTime or None
        The rows in order of time.

    Raises
    ------
    Refusal
        If the times cannot be read, as `times_of` raises it, or if no row or no column is left.

    Examples
    --------
    >>> import pandas
    >>> from explorer.datasets.ordering import in_time
    >>> frame = pandas.DataFrame({"day": ["2026-05-02", "2026-05-01", ""], "x": [2.0, 1.0, 3.0]})
    >>> found = in_time(frame, None, "X")
    >>> found.name, found.rows.tolist(), found.written.tolist(), found.missing, found.table["x"].tolist()
    ('day', [1, 0], ['2026-05-01', '2026-05-02'], 1, [1.0, 2.0])
    """
    frame = frames.frame_of(_as_frame(table))
    known_times = _given_times(time, name, len(table) if frame is None else len(frame))
    if frame is None:
        if known_times is None:
            return _refuse_named(time, name)
        return _sorted(np.asarray(table), known_times, name)
    if known_times is None and time is None:
        known_times = _of_index(table)
    if known_times is not None:
        return _sorted(frame, known_times, name)
    times = times_of(parse_text_columns(table_of(frame, name)), time)
    if times is None:
        return None
    if len(frame.columns) == 1:
        raise Refusal(
            f"{name} has no column other than {echo(times.name)}, its dates; give the columns that may change."
        )
    names = list(map(str, frame.columns))
    rest = frame[:, [j for j in range(len(names)) if j != names.index(times.name)]]
    return _sorted(rest, times, name)._replace(column=True)


def _as_frame(table):
    """Convert a Series of pandas to a DataFrame if its index holds times."""
    return table.to_frame() if _index_of(table) is not None and hasattr(table, "to_frame") else table


def _index_of(table):
    """Return the index of pandas' data, or None if it does not hold times."""
    return table.index if frames.has_times(table) else None


def _of_index(table):
    """Return the Times of an index, or None if it holds no times or if they are all the same.

    Durations become numbers, in seconds.
    """
    index = _index_of(table)
    if index is None:
        return None
    label = str(index.name) if index.name is not None else INDEX
    index = index.to_timestamp() if hasattr(index, "to_timestamp") else index
    index = index.total_seconds() if hasattr(index, "total_seconds") else index
    column = _column_of(index, label)
    return RowTimes.of(Table("the index", (column,), ""), column) if column.counts()[1] > 1 else None


def _given_times(time, name, n):
    """Return the Times of an array or a list with the time of each row, or None if `time` is None or names a column."""
    if time is None or isinstance(time, (str, int, np.integer)):
        return None
    if not hasattr(time, "__len__"):
        raise WrongType(f"time is the name of a column or one time for each row, not {echo(time)}.")
    if len(time) != n:
        raise Refusal(f"time has {plural(len(time), 'value')} and {name} {n} rows; give one for each row.")
    column = _column_of(time, "time")
    return RowTimes.of(Table("time", (column,), ""), column)


def _column_of(values: Any, name: str) -> Column:
    """Return a Column of times that are passed separately."""
    import pandas

    frame: Any = frames.frame_of(pandas.DataFrame({name: pandas.Series(values).reset_index(drop=True)}))
    return parse_text_columns(table_of(frame, name)).columns[0]


def _refuse_named(time, name):
    """Refuse the name of a column if the table has no columns with names."""
    if time is None:
        return None
    raise Refusal(f"time names column {echo(time)}, and {name} has no columns with names; give one time for each row.")


def _sorted(rows: Any, times: RowTimes, name: str) -> InTime:
    """Return the rows of a frame or an array that have a time, in the order of their times, as an InTime."""
    order = times.rows
    if not len(order):
        raise Refusal(f"{echo(times.name)} of {name} has no time in any row; name another column of times.")
    table = rows[order] if isinstance(rows, np.ndarray) else rows[order.tolist(), :].to_native()
    clock = times.clock[order]
    return InTime(
        table, order, clock, times.dates, times.name, len(times.instant) - len(order), format_days(clock, times.dates)
    )
