"""Times of a table's rows: the columns of dates that could order them, and the rows in that order."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import NamedTuple, Self

import numpy as np

from explorer.checks import Refusal, echo
from explorer.datasets.column_selection import one_column
from explorer.printing import join_list
from explorer.types import Labels, Rows, Vector

from .dates import EPOCH, utc_offset
from .identifiers import compact_dates
from .table import Column, Table

MIDNIGHT = 1e-9  # largest rounding error of a time of day, in days
DAY = 86400 * 10**6  # microseconds in a day


class RowTimes(NamedTuple):
    """The times of a table's rows.

    Attributes
    ----------
    name : str
        Name of the column.
    instant : ndarray of shape (n,)
        The times in days by which the rows are sorted, NaN if a row has none. If there are several zones, they are in
        UTC.
    clock : ndarray of shape (n,)
        The days since 1970 as the dates are written.
    dates : bool, default True
        Whether the times are dates; otherwise they are plain numbers.
    """

    name: str
    instant: Vector
    clock: Vector
    dates: bool = True

    @classmethod
    def of(cls, table: Table, column: Column) -> Self:
        """Return the times of a table's rows by a column of dates or of numbers.

        Parameters
        ----------
        table : Table
            The table.
        column : Column
            Its column of times.

        Returns
        -------
        RowTimes
            The times.

        Raises
        ------
        Refusal
            If the column holds words, or dates that may have the day or the month first.
        """
        if column.numbers is None:
            raise Refusal(_unordered(table, column))
        compact = compact_dates(column)
        if compact is not None:
            return cls(column.name, compact, compact)
        if not column.dates:
            return cls(column.name, column.numbers_or_nan, column.numbers_or_nan, dates=False)
        zones = {cell: utc_offset(cell) for cell in column.times}
        if len({zone for cell, zone in zones.items() if cell not in column.gaps}) < 2:
            return cls(column.name, column.numbers_or_nan, column.numbers_or_nan)
        ahead = column.map_cells(zones.__getitem__, float)
        return cls(column.name, column.numbers_or_nan - ahead, column.numbers_or_nan)

    @property
    def values(self) -> np.ndarray:
        """The times as written, of shape (n,): datetime64 for dates, otherwise numbers."""
        if not self.dates:
            return self.clock
        gone = np.isnan(self.clock)
        micros = np.round(np.where(gone, 0.0, self.clock) * DAY).astype("datetime64[us]")
        return np.where(gone, np.datetime64("NaT", "us"), micros)

    @property
    def rows(self) -> Rows:
        """The rows that have a time, sorted by it; rows of equal times keep their order."""
        dated = np.flatnonzero(~np.isnan(self.instant))
        return dated[np.argsort(self.instant[dated], kind="stable")]


def _unordered(table, column):
    """Return the message why the rows of a table cannot be sorted by a column."""
    if column.counts()[0] == len(column.cells):
        return f"column {echo(column.name)} of {table.name} has no date in any row; name another column of times."
    if column.dates:
        return (
            f"the dates of column {echo(column.name)} may have the day first or the month, so the order of the rows is"
            " not known; write the year first, as in 2026-03-01, or leave that column out of rows that are in order."
        )
    return f"column {echo(column.name)} of {table.name} holds words; name a column of dates or of numbers."


def date_columns(table: Table) -> list[Column]:
    """Return the columns of a table whose dates could order its rows: those with at least two distinct dates."""
    dated = [column for column in table.columns if column.dates or compact_dates(column) is not None]
    return [column for column in dated if column.counts()[1] > 1]


def times_of(table: Table, time: str | int | None = None) -> RowTimes | None:
    """Return the times of a table's rows, or None if it has no column of dates that could order them.

    Parameters
    ----------
    table : Table
        The table.
    time : str, int or None, default None
        Name or position of a column of dates or of numbers. None takes the only column of dates.

    Returns
    -------
    RowTimes or None
        The times.

    Raises
    ------
    Refusal
        If there are several columns of dates, or the dates may have the day or the month first.
    """
    if time is not None:
        return RowTimes.of(table, one_column(table, time))
    columns = date_columns(table)
    if len(columns) > 1:
        names = [echo(column.name) for column in columns]
        raise Refusal(
            f"{table.name} has several columns of dates, {join_list(names)}, but its rows have only one order; give the"
            " name of the column as time."
        )
    return RowTimes.of(table, columns[0]) if columns else None


def format_days(clock: Vector, dates: bool = True) -> Labels:
    """Return times (n,) as words: dates, with the time of day if one has one, or numbers if they are not dates."""
    if not dates:
        return np.array([f"{value:.12g}" for value in clock], dtype=object)
    parts = np.abs(clock - np.round(clock))
    daily = bool(np.all(parts < MIDNIGHT))
    return np.array([_written(day, daily) for day in clock.tolist()], dtype=object)


def _written(day, daily):
    """Return a day as a date, or as a date with the time of day."""
    if daily:
        return (date.fromordinal(EPOCH) + timedelta(days=round(day))).isoformat()
    moment = datetime.fromordinal(EPOCH) + timedelta(seconds=round(86400 * day))
    return moment.isoformat(" ", "seconds" if moment.second else "minutes")


def format_times(values: np.ndarray) -> Labels:
    """Return times as words.

    Parameters
    ----------
    values : ndarray of shape (n,)
        The times, datetime64 or numbers.

    Returns
    -------
    ndarray of str of shape (n,)
        The words.
    """
    if values.dtype.kind != "M":
        return format_days(values, dates=False)
    return format_days(values.astype("datetime64[us]").astype(np.int64) / DAY)
