"""DataFrames as tables. Their column types declare whether values are numbers, words or dates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import narwhals
import numpy as np

from explorer.checks import Refusal, is_gap
from explorer.printing import plural

from .columns import pandas_kinds, unreadable_kinds
from .columns.dates import EPOCH
from .columns.table import (
    Column,
    Table,
    column_names,
    duration_column,
    hash_columns,
    number_column,
    opaque_column,
    parse_column,
    word_column,
)
from .files import arrow_columns


def table_of(frame: narwhals.DataFrame[Any], name: str) -> Table:
    """Return the Table of a DataFrame. Its words are read as words.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The DataFrame.
    name : str
        Its name in messages.

    Returns
    -------
    Table
        The table.

    Raises
    ------
    Refusal
        If it has no rows or no columns.
    """
    if not frame.columns or not len(frame):
        raise Refusal(
            f"{name} has {plural(len(frame.columns), 'column')} and {plural(len(frame), 'row')}; give a table with at"
            " least one of each."
        )
    names = column_names(map(str, frame.columns), name)
    if frame.implementation.is_pyarrow():
        columns = _of_arrow(names, frame.to_native())
    elif frame.implementation.is_pandas():
        native: Any = frame.to_native()
        columns = tuple(_of_pandas(title, native.iloc[:, j]) for j, title in enumerate(names))
    else:
        columns = tuple(_column(title, frame[:, j]) for j, title in enumerate(names))
    return of_columns(name, columns)


def of_columns(name: str, columns: Sequence[Column]) -> Table:
    """Return the Table of columns that do not come from a file."""
    return Table(name, tuple(columns), hash_columns((column.name, column.cells) for column in columns))


def _of_arrow(names, table):
    """Return the columns of a pyarrow table, as from a Parquet file."""
    import pyarrow

    categories, fields = arrow_columns.categories(table.schema.metadata), list(table.schema)
    return tuple(
        arrow_columns.column_of(
            pyarrow,
            title,
            table.column(j).chunks,
            field.name in categories or arrow_columns.is_category(pyarrow, field),
        )
        for j, (title, field) in enumerate(zip(names, fields, strict=True))
    )


def _of_pandas(title: str, series: Any) -> Column:
    """Return the Column of a Series of pandas. Its own types are handled here, as narwhals does not know them."""
    import pandas

    kind = series.dtype
    if isinstance(kind, pandas.SparseDtype):
        series = series.sparse.to_dense()
    elif isinstance(kind, pandas.PeriodDtype):
        return pandas_kinds.periods(title, series)
    elif isinstance(kind, pandas.IntervalDtype):
        return pandas_kinds.intervals(title, series)
    elif isinstance(kind, pandas.ArrowDtype):
        import pyarrow

        array = pyarrow.chunked_array(series.array.__arrow_array__())
        return arrow_columns.column_of(pyarrow, title, array.chunks, pyarrow.types.is_dictionary(array.type))
    elif kind.kind == "c":
        return opaque_column(title, unreadable_kinds.COMPLEX, len(series))
    elif kind.kind == "f" and isinstance(kind, np.dtype):  # including half floats
        return number_column(title, series.to_numpy())
    return _column(title, narwhals.from_native(series, series_only=True))


def _column(title, series):
    kind = series.dtype
    if kind == narwhals.Decimal:
        return parse_column(title, _cells(series))
    if kind.is_numeric():
        return number_column(title, _numbers(series))
    if kind in (narwhals.Date, narwhals.Datetime):
        zone = unreadable_kinds.zone_name(getattr(kind, "time_zone", None))
        return Column(title, _cells(series), _days(series), dates=True, zone=zone)
    if kind == narwhals.Duration:
        return duration_column(title, _seconds(series))
    if kind == narwhals.String:
        return parse_column(title, _cells(series))
    if what := NESTED.get(type(kind)):
        return opaque_column(title, what, len(series))
    if kind == narwhals.Boolean:
        return word_column(title, _cells(series))
    if kind not in (narwhals.Categorical, narwhals.Enum):
        return column_of_objects(title, series.to_list())
    column, order = (
        word_column(title, _cells(series)),
        _order(series),
    )  # they are categories even if they look like numbers
    return replace(column.with_order(order) if order else column, declared=True)


NESTED: dict[type, str] = {
    narwhals.List: unreadable_kinds.LISTS,
    narwhals.Array: unreadable_kinds.LISTS,
    narwhals.Struct: unreadable_kinds.RECORDS,
    narwhals.Binary: unreadable_kinds.BYTES,
}


def column_of_objects(title: str, values: Sequence[Any]) -> Column:
    """Return the Column of Python objects: numbers, dates, durations or times of day if all are, otherwise words."""
    if what := next(filter(None, map(unreadable_kinds.unreadable_kind, values)), ""):
        return opaque_column(title, what, len(values))
    present = [value for value in values if not is_gap(value)]
    if present and all(isinstance(value, timedelta) for value in present):
        return duration_column(title, _each(values, timedelta.total_seconds))
    if present and all(isinstance(value, time) for value in present):
        return duration_column(title, _each(values, _second_of_day))
    cells = tuple("" if is_gap(value) else str(value).strip() for value in values)
    if present and all(isinstance(value, date) for value in present):
        zones = {unreadable_kinds.zone_name(getattr(value, "tzinfo", None)) for value in present}
        return Column(title, cells, _each(values, _day), dates=True, zone=zones.pop() if len(zones) == 1 else "")
    if any(isinstance(value, (bool, np.bool_)) for value in present):
        return word_column(title, cells)
    return parse_column(title, cells)


def _each(values, number: Callable[[Any], float]) -> np.ndarray:
    return np.array([np.nan if is_gap(value) else number(value) for value in values])


def _second_of_day(moment: time) -> float:
    return 3600 * moment.hour + 60 * moment.minute + moment.second + moment.microsecond / 1e6


def _day(moment: date) -> float:
    """Return the days since 1970 of a date, or of a moment in its local time."""
    part = _second_of_day(moment.time()) / 86400 if isinstance(moment, datetime) else 0.0
    return moment.toordinal() - EPOCH + part


def _order(series) -> tuple[str, ...]:
    """Return the words of an ordered Categorical of pandas or an Enum of polars, in order, or () for other columns."""
    if series.implementation.is_polars():
        return tuple(getattr(series.dtype, "categories", ()))
    kind = getattr(series.to_native(), "dtype", None)
    if not getattr(kind, "ordered", False):
        return ()
    return tuple(str(level).strip() for level in getattr(kind, "categories", ()))


def _numbers(series):
    """Return numbers (n,), as floats if one is missing or if numpy has no integers of their width."""
    long = series.dtype in (narwhals.Int128, narwhals.UInt128)
    return (series.cast(narwhals.Float64) if long or series.null_count() else series).to_numpy()


def _seconds(series):
    """Return the seconds of durations, shape (n,)."""
    fine = getattr(series.dtype, "time_unit", "us") == "ns"
    counts = series.dt.total_nanoseconds() if fine else series.dt.total_microseconds()
    return counts.cast(narwhals.Float64).to_numpy() / (1e9 if fine else 1e6)


def _cells(series):
    """Return the values as text, with "" for missing values."""
    return tuple("" if is_gap(value) else str(value).strip() for value in series.to_list())


def _days(series):
    """Return the days since 1970 of dates and time stamps in their local time, shape (n,).

    Returns None if all are missing.
    """
    zone = getattr(series.dtype, "time_zone", None)
    local = series.dt.replace_time_zone(None) if zone else series
    days = local.dt.timestamp("us").cast(narwhals.Float64).to_numpy() / 86400e6
    return None if np.isnan(days).all() else days
