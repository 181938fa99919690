"""Detection of numeric columns that measure nothing: identifiers, row numbers and dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.types import Vector

from .dates import compact_days, epoch_days, epoch_unit
from .running_numbers import are_running, hardly_recur

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Column, Table


IDENTIFIERS = re.compile(
    r"(.*[ _.-])?(id|ids|uuid|guid|index|idx|nr|no|num|key|row|rowid|rownames?|row_?number|record|case|obs|observation)"
    r"|(subject|patient|participant|person|sample|unnamed: ?\d+|#)([ _.-]?(id|nr|no|number))?|x1",
    re.IGNORECASE,
)
CAMEL = re.compile(r"[a-z]\w*I[dD]")  # such as patientId, but not paid
DAYS = re.compile(r"(.*[ _.-])?(date|datum|timestamp|datetime)", re.IGNORECASE)
SINCE = re.compile(  # names of columns of times since 1970
    r"(.*[ _.-])?(t|ts|at|on|when|since|start|end|begin|stop|open|close|moment|instant|unix|epoch|posix|utc"
    r"|(created|updated|modified|changed|deleted|started|ended|finished|opened|closed|sent|received|posted|published"
    r"|seen|visited|registered|joined|expires|expired|expiry|logged|recorded|measured|ordered|paid|shipped|delivered"
    r"|accessed|timed|erstellt|ge\u00e4ndert|aktualisiert|bestellt|gesendet|empfangen|beginn|ende|anfang)"
    r"([ _.-]?(at|on|am|um))?"
    r"|.*(time|times|date|dates|stamp|stamps|epoch|datum|zeit|fecha|heure|data|hora|horodatage))"
    r"([ _.-]?(\(?(s|sec|secs|seconds|ms|msec|millis|milliseconds|us|\u00b5s|micros|ns|nanos|utc|gmt|unix|epoch)\)?))*",
    re.IGNORECASE,
)
CAMEL_AT = re.compile(r"[a-z]\w*(At|On|Ts|Date|Time|Stamp)(Ms|Millis|Utc|S)?")  # createdAt
MONTHS = re.compile(
    r"when|(.*[ _.-])?(months?|monat|monate|mois|mes|mese|periods?|periode|date|datum|yyyymm|ym|year_?month|jahrmonat)",
    re.IGNORECASE,
)
STEPS = re.compile(  # names of measurements and times that may be whole and all different, such as a rank
    r"(t|x|time|step|day|week|month|year|age|dose|rank|round|trial"
    r"|zeit|schritt|tag|woche|monat|jahr|alter|dosis|rang|platz|runde)s?",
    re.IGNORECASE,
)
RECENT = (10_957, 25_567)  # days from 1970 to 2000 and to 2040
FIRST_DAY, LAST_DAY = 19000101, 21001231  # range of dates that are written as one number
DIFFERENT = 20  # fewest distinct dates such as 20260501 of a column of dates whose name does not say so
COUNTED = 10  # fewest rows in which 1, 2, 3, ... in the first column are row numbers, whatever its name


def reason_not_measured(tables: Sequence[Table], columns: Sequence[Column]) -> str:
    """Return why a numeric column measures nothing, or "" if it may; `columns` holds the column as each table has it.

    Running numbers are detected by their values, see `running_numbers.are_running`, so in any language: `Bestellnr`,
    `ticket` or `Vorgang`. Numbers that hardly recur are identifiers if the column's name says so, as `patient_id` does.
    The numbers of all tables are considered together, and the result does not depend on the order of the tables.
    """
    if hold_dates(columns):
        return "dates"
    name, numbers = columns[0].name, [column.whole_numbers for column in columns]
    if sum(each.n for each in numbers) < 2 or not all(each.whole for each in numbers):
        return ""
    first = all(column is table.columns[0] for table, column in zip(tables, columns, strict=True))
    if (IDENTIFIERS.fullmatch(name) or CAMEL.fullmatch(name)) and hardly_recur(numbers):
        if name != "x1" or (
            first and all(each.is_consecutive for each in numbers)
        ):  # x1 is the name of an unnamed column
            return "an identifier"
    if STEPS.fullmatch(name):
        return ""
    if first and all(each.n >= COUNTED and each.first == 1 and each.is_consecutive for each in numbers):
        return "it counts the rows"
    return "a running number" if are_running(numbers) else ""


def hold_dates(columns: Sequence[Column]) -> bool:
    """Return whether a column holds dates, as words or as numbers; `columns` holds the column as each table has it."""
    if all(column.dates for column in columns):
        return True
    if any(column.numbers is None for column in columns):
        return False
    if are_epoch_times(columns) or all(column.dates or compact_dates(column) is not None for column in columns):
        return True
    numbers = [column.whole_numbers for column in columns if not column.dates]
    if not sum(each.n for each in numbers) or not all(each.whole for each in numbers):
        return False
    within = not any(each.low < FIRST_DAY or each.high > LAST_DAY for each in numbers)
    return _are_months(columns) or (within and DAYS.fullmatch(columns[0].name) is not None)


def compact_dates(column: Column) -> Vector | None:
    """Return a column of dates that are written as numbers as days since 1970, or None if it holds other numbers.

    Such dates are 20260501 or 20260501123000, months such as 202605, or times since 1970, see `are_epoch_times`.

    Parameters
    ----------
    column : Column
        The column.

    Returns
    -------
    ndarray of shape (n,) or None
        The days; NaN in rows without a date.
    """
    if column.numbers is None or column.dates or not len(column.numbers):
        return None
    if are_epoch_times([column]):
        return epoch_days(column.numbers, epoch_unit(column.ends.low, column.ends.high))
    if _are_months([column]):
        return compact_days(100 * column.numbers + 1)
    named = DAYS.fullmatch(column.name) is not None
    days = compact_days(column.numbers)
    return days if days is not None and (named or len(np.unique(days[~np.isnan(days)])) >= DIFFERENT) else None


def _are_months(columns):
    """Return whether numbers are months such as 202605.

    The column's name says so, or there are many and all end in 01 to 12.
    """
    ends = [column.ends for column in columns if column.ends.n]
    if not ends or any(each.low < FIRST_DAY // 100 or each.high > LAST_DAY // 100 for each in ends):
        return False
    counting = [column.whole_numbers for column in columns]
    if not all(each.whole for each in counting):
        return False
    values = np.unique(np.concatenate([each.numbers()[0] for each in counting]))
    last = values % 100
    if not np.all((last >= 1) & (last <= 12)):
        return False
    return MONTHS.fullmatch(columns[0].name) is not None or len(values) >= DIFFERENT


def are_epoch_times(columns: Sequence[Column]) -> bool:
    """Return whether the numbers of a column are times since 1970; `columns` holds the column as each table has it.

    They are if the column has the name of times, such as `created` or `event_time`, and if all of its numbers lie in
    1990 to 2100 in one unit for all tables: seconds, milliseconds, microseconds or nanoseconds.
    """
    name = columns[0].name.strip()
    return bool(SINCE.fullmatch(name) or CAMEL_AT.fullmatch(name)) and possible_epoch_unit(columns) != ""


def possible_epoch_unit(columns: Sequence[Column]) -> str:
    """Return the unit in which the numbers of a column lie in 1990 to 2100 as times since 1970, or "" if there is none.

    Numbers with a unit are not times.
    """
    given = [column.ends for column in columns if column.ends.n]
    if not given or any(column.measured_in or column.dates for column in columns):
        return ""
    return epoch_unit(min(ends.low for ends in given), max(ends.high for ends in given))


def doubtful_epoch_unit(columns: Sequence[Column]) -> str:
    """Return the unit in which whole numbers may be times of 2000 to 2040 since 1970, or "".

    The result is "" if the column's name says that they are times.
    """
    if are_epoch_times(columns) or not all(column.whole_numbers.whole for column in columns):
        return ""
    unit, given = possible_epoch_unit(columns), [column.ends for column in columns if column.ends.n]
    if not unit:
        return ""
    first, last = (epoch_days(np.array([x]), unit)[0] for x in (min(e.low for e in given), max(e.high for e in given)))
    return unit if RECENT[0] <= first and last <= RECENT[1] else ""
