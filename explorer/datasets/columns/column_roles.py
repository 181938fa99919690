"""Roles of the columns of a user's table: a number, a category, a group, or one that a kernel should not use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.datasets.column_selection import MOST_LEVELS, comma_number, mostly_numbers
from explorer.printing import truncate

from .identifiers import reason_not_measured
from .tokens import identifier_kind
from .treatment import ROWS_PER_LEVEL

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Column, Table


GROUPS = re.compile(
    r"(.*[ _.-])?(group|class|label|target|treatment|treated|arm|species|condition|cohort|diagnosis|type|kind"
    r"|category|variety|status|outcome|sample|batch|wave|phase|gruppe|klasse|welle)s?([ _.-].*)?",
    re.IGNORECASE,
)
UNCLEAR = "numbers whose commas may be decimal or between thousands"
LEVELS = 12  # most levels of a column that may name groups
CODES = 4  # most levels if only its codes 0, 1, ... speak for it: more are as likely counts as codes


class ColumnRole(NamedTuple):
    """The role of a column.

    Attributes
    ----------
    role : str
        "number" or "category", what the column becomes if it is included; "" if it cannot be included.
    reason : str
        Why the column is left out unless it is asked for by name; "" if it is included.
    compare : bool
        Whether the column is compared by default. These are the columns that `read_tables` takes, apart from
        categories with more levels than labs draw.
    """

    role: str
    reason: str = ""
    compare: bool = False


def column_role(table: Table, column: Column, missing: int, levels: int) -> ColumnRole:
    """Return the ColumnRole of a column with `missing` missing cells and `levels` distinct values."""
    if column.opaque:
        return ColumnRole("", column.opaque)
    if missing == table.rows:
        return ColumnRole("", "no cell has a value")
    if column.numbers is not None:
        reason = reason_not_measured([table], [column])
        return ColumnRole("number", reason, not reason)
    if column.dates:
        return ColumnRole("", "dates whose day and month cannot be distinguished")
    if comma_number(column):
        return ColumnRole("", UNCLEAR)
    if counts := mostly_numbers(column):
        numbers, other, word = counts
        words = f"{numbers} numbers and {other} word{'s' * (other > 1)}, such as {truncate(word)}"
        return ColumnRole("category" if levels <= MOST_LEVELS else "", words if word else "numbers in several units")
    if levels == 1:
        return ColumnRole("category", "the same word in every row", table.rows >= ROWS_PER_LEVEL)
    if levels == table.rows - missing:
        return ColumnRole("", "a different value in every row")
    if reason := identifier_kind([column]):
        return ColumnRole("", reason)
    if levels > MOST_LEVELS:
        return ColumnRole("", f"{levels} different words, more than {MOST_LEVELS}")
    few = levels * ROWS_PER_LEVEL <= table.rows
    return ColumnRole("category", "" if few else f"{levels} different words in {table.rows} rows", few)


def likely_group_column(columns: Sequence[Any], rows: int) -> str:
    """Return the name of the column that most likely names groups, or "" if no column does.

    Such a column has 2 to 12 levels and some rows of each. Columns with a name such as group or treatment come first,
    then columns of words, then the last column if its numbers are codes such as 0 and 1. Among equals the first with
    two levels is taken, because a comparison needs two groups, or simply the first if none has two levels.

    Parameters
    ----------
    columns : sequence of ColumnPreview
        The columns of a table.
    rows : int
        Number of rows of the table.

    Returns
    -------
    str
        Name of the column, or "".
    """
    best, chosen = 0.0, ""
    for column in columns:
        few = 2 <= column.levels <= min(LEVELS, (rows - column.missing) // ROWS_PER_LEVEL)
        if not few or column.dates:
            continue
        score = 4.0 * bool(GROUPS.fullmatch(column.name)) + 2 * (not column.numeric)
        score += column.codes and column.levels <= CODES and column is columns[-1]
        score += (column.levels == 2) / 2 if score else 0
        if score > best:
            best, chosen = score, column.name
    return chosen
