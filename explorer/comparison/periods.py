"""Groups of rows by time: the years, quarters, months, weeks or days of a column of dates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import numpy as np

from explorer.checks import Refusal, echo
from explorer.datasets.columns.dates import EPOCH
from explorer.datasets.columns.identifiers import compact_dates
from explorer.datasets.columns.table import Column, Table
from explorer.printing import join_list
from explorer.types import Labels


def _week(day: date) -> str:
    """Return the ISO week of a day, such as "2026-W09"."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"


# The names are chosen so that their alphabetical order is the order of time
PERIODS: dict[str, Callable[[date], str]] = {
    "year": lambda day: f"{day.year:04d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}",
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "week": _week,
    "day": date.isoformat,
}


def dates_of(table: Table, period: str) -> Column:
    """Return the only column of dates of a table.

    Parameters
    ----------
    table : Table
        The table.
    period : str
        The requested period, for the message.

    Returns
    -------
    Column
        The dates.

    Raises
    ------
    Refusal
        If the table has no column of dates, or several.
    """
    columns = [_as_dates(column) for column in table.columns if column.dates or compact_dates(column) is not None]
    columns = [column for column in columns if column.counts()[0] < table.rows]  # leaves out columns without any date
    if not columns:
        raise Refusal(
            f"{table.name} has no column {echo(period)}, and no column of dates to take the {period} of; name a column"
            " of groups."
        )
    if len(columns) > 1:
        names = join_list(echo(column.name) for column in columns)
        raise Refusal(
            f"{table.name} has no column {echo(period)}, and several columns of dates, {names}; leave only one in, or"
            f" add a column {echo(period)}."
        )
    if columns[0].numbers is None:
        raise Refusal(
            f"the dates of column {echo(columns[0].name)} may have the day first or the month; write the year first,"
            " as in 2026-03-01."
        )
    return columns[0]


def _as_dates(column: Column) -> Column:
    """Return a column of dates; numbers such as 20260501 become days."""
    days = compact_dates(column)
    return column if days is None else replace(column, numbers=days, dates=True)


def periods(column: Column, period: str) -> Labels:
    """Return the name of the period of each date of a column, shape (n,); "" for an empty cell."""
    said = PERIODS[period]
    days, places = np.unique(np.floor(column.numbers_or_nan), return_inverse=True)
    names = ["" if np.isnan(day) else said(date.fromordinal(EPOCH) + timedelta(days=int(day))) for day in days]
    return np.array(names, dtype=object)[places.reshape(-1)]
