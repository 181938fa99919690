"""What a column of a table of one's own is for: a number, a category, a group, or nothing that a kernel should see."""

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
LEVELS = 12  # of a column that may name groups: at most so many
CODES = 4  # of them where it has no such name and its numbers are 0, 1, ...: more are counts as likely as codes


class ColumnRole(NamedTuple):
    """use  "number" or "category", what a column becomes where it is taken; "" where it cannot be
    why  the reason for leaving it out unless it is asked for; empty where it is taken
    compared  whether it is compared unasked: what `read_tables` takes, but for categories of more levels than labs draw
    """

    role: str
    reason: str = ""
    compare: bool = False


def column_role(table: Table, column: Column, missing: int, levels: int) -> ColumnRole:
    """The Purpose of a column of a `columns.Table` that misses some cells and has some different ones."""
    if column.opaque:
        return ColumnRole("", column.opaque)
    if missing == table.rows:
        return ColumnRole("", "no cell has a value")
    if column.numbers is not None:
        why = reason_not_measured([table], [column])
        return ColumnRole("number", why, not why)
    if column.dates:
        return ColumnRole("", "dates in which day and month cannot be told apart")
    if comma_number(column):
        return ColumnRole("", UNCLEAR)
    if found := mostly_numbers(column):
        numbers, other, word = found
        words = f"{numbers} numbers and {other} word{'s' * (other > 1)}, such as {truncate(word)}"
        return ColumnRole("category" if levels <= MOST_LEVELS else "", words if word else "numbers in several units")
    if levels == 1:
        return ColumnRole("category", "the same word in every row", table.rows >= ROWS_PER_LEVEL)
    if levels == table.rows - missing:
        return ColumnRole("", "another word in every row")
    if why := identifier_kind([column]):
        return ColumnRole("", why)
    if levels > MOST_LEVELS:
        return ColumnRole("", f"{levels} different words, more than {MOST_LEVELS}")
    few = levels * ROWS_PER_LEVEL <= table.rows
    return ColumnRole("category", "" if few else f"{levels} different words in {table.rows} rows", few)


def likely_group_column(columns: Sequence[Any], rows: int) -> str:
    """The name among the ColumnPreviews of the column that most likely names groups; "" where none does.

    It has 2 to 12 levels and some rows of each: before all one with a name such as group or treatment, then words,
    then the last column where its numbers are codes such as 0 and 1. Of equal ones the first with two levels is taken,
    as a comparison is of two, else the first.
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
