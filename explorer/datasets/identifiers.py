"""Columns of numbers that measure nothing: identifiers, counts of the rows, and dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.types import Vector

from .dates import compact_days
from .running import are_running, hardly_recur

if TYPE_CHECKING:
    from explorer.datasets.columns import Column, Table


IDENTIFIERS = re.compile(
    r"(.*[ _.-])?(id|ids|uuid|guid|index|idx|nr|no|num|key|row|rowid|rownames?|row_?number|record|case|obs|observation)"
    r"|(subject|patient|participant|person|sample|unnamed: ?\d+|#)([ _.-]?(id|nr|no|number))?|x1",
    re.IGNORECASE,
)
CAMEL = re.compile(r"[a-z]\w*I[dD]")  # patientId, and not paid
DAYS = re.compile(r"(.*[ _.-])?(date|datum|timestamp|datetime)", re.IGNORECASE)
STEPS = re.compile(  # measurements and times that may be whole and all different, as a rank is
    r"(t|x|time|step|day|week|month|year|age|dose|rank|round|trial"
    r"|zeit|schritt|tag|woche|monat|jahr|alter|dosis|rang|platz|runde)s?",
    re.IGNORECASE,
)
FIRST_DAY, LAST_DAY = 19000101, 21001231  # of dates that are written as one number
DIFFERENT = 20  # dates such as 20260501 from which on a column holds them, whatever it is called
COUNTED = 10  # rows from which 1, 2, 3, ... in the first column count the rows, whatever the column is called


def no_measurement(tables: Sequence[Table], columns: Sequence[Column]) -> str:
    """Return why a column of numbers, as each of some tables has it, measures nothing, or "" if it may.

    Running numbers are found by their values, see `running.are_running`, in any language: what is called `Bestellnr`,
    `ticket` or `Vorgang`. Numbers that hardly recur are identifiers if the column's name says so, as `patient_id` does.
    The numbers of all tables are looked at together, and what follows does not depend on the order of the tables.
    """
    if all(column.dates or compact_dates(column) is not None for column in columns):
        return "dates"
    name, numbers = columns[0].name, [column.counting for column in columns]
    if sum(each.n for each in numbers) < 2 or not all(each.whole for each in numbers):
        return ""
    if DAYS.fullmatch(name) and not any(each.low < FIRST_DAY or each.high > LAST_DAY for each in numbers):
        return "dates"
    first = all(column is table.columns[0] for table, column in zip(tables, columns, strict=True))
    if (IDENTIFIERS.fullmatch(name) or CAMEL.fullmatch(name)) and hardly_recur(numbers):
        if name != "x1" or (first and all(each.by_ones for each in numbers)):  # x1 is a column without a name
            return "an identifier"
    if STEPS.fullmatch(name):
        return ""
    if first and all(each.n >= COUNTED and each.first == 1 and each.by_ones for each in numbers):
        return "it counts the rows"
    return "a running number" if are_running(numbers) else ""


def compact_dates(column: Column) -> Vector | None:
    """Return a column of dates such as 20260501 as days since 1970, or None if it holds other numbers."""
    if column.numbers is None or column.dates or not len(column.numbers):
        return None
    named = DAYS.fullmatch(column.name) is not None
    days = compact_days(column.numbers)
    return days if days is not None and (named or len(np.unique(days[~np.isnan(days)])) >= DIFFERENT) else None
