"""Columns of numbers that measure nothing: identifiers, counts of the rows, and dates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

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
LAST = 2**53  # beyond it floats skip whole numbers, and none of them counts anything
COUNTED = 10  # rows from which 1, 2, 3, ... in the first column count the rows, whatever the column is called


def no_measurement(table: Table, column: Column) -> str:
    """Why a column of numbers measures nothing; empty where it may."""
    if column.dates:
        return "dates"
    values = column.figures
    if len(values) < 2 or len(np.unique(values)) < len(values) or np.any(values != np.round(values)):
        return ""
    if np.abs(values).max() > LAST:
        return ""
    if DAYS.fullmatch(column.name) and np.all((values >= 19000101) & (values <= 21001231)):
        return "dates"
    steps = np.diff(values)
    if column.name == "x1" and (column is not table.columns[0] or np.any(steps != 1)):
        return ""  # a column without a name
    if IDENTIFIERS.fullmatch(column.name) or CAMEL.fullmatch(column.name):
        return "an identifier"
    counts = column is table.columns[0] and len(values) >= COUNTED and values[0] == 1 and np.all(steps == 1)
    return "it counts the rows" if counts and not STEPS.fullmatch(column.name) else ""
