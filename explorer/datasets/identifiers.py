"""Columns of numbers that measure nothing: identifiers, counts of the rows, and dates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from explorer.types import Vector

from .dates import compact_days

if TYPE_CHECKING:
    from explorer.datasets.columns import Column, Table


IDENTIFIERS = re.compile(
    r"(.*[ _.-])?(id|ids|uuid|guid|index|idx|nr|no|num|key|row|rowid|rownames?|row_?number|record|case|obs|observation)"
    r"|(subject|patient|participant|person|sample|unnamed: ?\d+|#)([ _.-]?(id|nr|no|number))?|x1",
    re.IGNORECASE,
)
CAMEL = re.compile(r"[a-z]\w*I[dD]")  # patientId, and not paid
DAYS = re.compile(r"(.*[ _.-])?(date|datum|timestamp|datetime)", re.IGNORECASE)
STEPS = re.compile(r"(t|x|time|step|day|week|month|year|age|dose|order|rank|round|trial)s?", re.IGNORECASE)
DIFFERENT = 20  # dates such as 20260501 from which on a column holds them, whatever it is called
COUNTED = 10  # rows from which 1, 2, 3, ... in the first column count the rows, whatever the column is called


def no_measurement(table: Table, column: Column) -> str:
    """Why a column of numbers measures nothing; empty where it may."""
    if column.dates:
        return "dates"
    if compact_dates(column) is not None:
        return "dates"
    values = column.counting
    if values.n < 2 or not values.differ:
        return ""
    if DAYS.fullmatch(column.name) and values.low >= 19000101 and values.high <= 21001231:
        return "dates"
    if column.name == "x1" and (column is not table.columns[0] or not values.by_ones):
        return ""  # a column without a name
    if IDENTIFIERS.fullmatch(column.name) or CAMEL.fullmatch(column.name):
        return "an identifier"
    counts = column is table.columns[0] and values.n >= COUNTED and values.first == 1 and values.by_ones
    return "it counts the rows" if counts and not STEPS.fullmatch(column.name) else ""


def compact_dates(column: Column) -> Vector | None:
    """Return a column of dates such as 20260501 as days since 1970, or None if it holds other numbers."""
    if column.numbers is None or column.dates or not len(column.numbers):
        return None
    named = DAYS.fullmatch(column.name) is not None
    days = compact_days(column.numbers)
    return days if days is not None and (named or len(np.unique(days[~np.isnan(days)])) >= DIFFERENT) else None
