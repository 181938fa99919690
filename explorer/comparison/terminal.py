"""The table of columns in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.printing import cut, listed

from .columns import ColumnChange
from .table import how_many_unchanged

WIDEST = 60  # characters of a cell
MOST = 40  # columns
NAMES = 400  # characters of the names of columns that do not differ


def table_of_columns(columns: Sequence[ColumnChange], names: Sequence[str], level: float, folded: bool = False) -> str:
    """A row for each column, those with the least adjusted p first: name, what both samples have, the change, and p.

    Of numbers the medians, their difference and its interval at 1 - level; of a category the level whose share differs
    most. names: what the samples are called. folded: whether the columns that do not differ at the level are only
    named, in one line.
    """
    if folded:
        differing = [column for column in columns if column.adjusted <= level]
        rest = [column for column in columns if column.adjusted > level]
        table = table_of_columns(differing, names, level) if differing else ""
        return "\n\n".join(filter(None, [table, _unchanged(rest)]))
    head = ("column", *(cut(name, 16) for name in names), "change", "p for all columns")
    order = sorted(columns, key=lambda column: column.adjusted)
    rows = [head, *(_cells(column, level) for column in order[:MOST])]
    widths = [max(len(row[j]) for row in rows) for j in range(len(head) - 1)]
    lines = ["  ".join([*map(str.ljust, row, widths), row[-1]]) for row in rows]
    rest = [f"and {len(columns) - MOST} more"] if len(columns) > MOST else []
    kinds = {column.kind for column in columns}
    numbers = f"Medians; in brackets the {100 * (1 - level):g} % interval of their difference."
    categories = "Of categories the share that differs most."
    gaps = "Of missing cells the share of rows."
    said = (("number", numbers), ("category", categories), ("missing", gaps))
    notes = [words for kind, words in said if kind in kinds]
    return "\n".join([*lines, *rest, " ".join(notes)])


def _unchanged(columns):
    """The line that names columns without a difference."""
    if not columns:
        return ""
    return f"{how_many_unchanged(columns)}: {listed([column.called for column in columns], NAMES)}."


def _cells(column, level):
    change = [column.change, column.beyond if column.adjusted <= level else ""]
    cells = [column.called, column.before, column.after, ", ".join(filter(None, change)), f"{column.adjusted:.3g}"]
    return [cut(cell, WIDEST) for cell in cells]
