"""Table of columns in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from explorer.printing import join_list, truncate

from .columns import ColumnChange, about_intervals
from .table import how_many_unchanged

WIDEST = 60  # most characters of a cell
MOST = 40  # most columns in the table
NAMES = 400  # most characters of the names of columns that do not differ


def in_a_terminal(comparison: Any, every: bool = False) -> str:
    """Return what a command prints: the verdict, the table of columns, copies, new levels and notes.

    Parameters
    ----------
    comparison : Comparison
        The comparison.
    every : bool, default False
        Whether columns without a difference are in the table, too; otherwise one line names them.

    Returns
    -------
    str
        Several paragraphs.
    """
    columns = (*comparison.columns, *comparison.gaps)
    how = comparison.names, comparison.level, comparison.given_text, not every
    table = table_of_columns(columns, *how) if columns else ""
    beside = (comparison.copies_sentence, comparison.new_levels_sentence, comparison.noted, comparison.rows_dropped)
    return "\n\n".join(filter(None, [comparison.verdict, table, "\n".join(filter(None, beside))]))


def table_of_columns(
    columns: Sequence[ColumnChange], names: Sequence[str], level: float, given: str = "", folded: bool = False
) -> str:
    """Return a row for each column, least adjusted p first: name, values in both samples, the change, and p.

    The values are the medians of numbers, whose difference has an interval at 1 - level, and for a category the share
    of the level whose share differs most.

    Parameters
    ----------
    columns : sequence of ColumnChange
        The columns.
    names : sequence of str
        Names of the samples.
    level : float
        Level of the comparison.
    given : str, default ""
        Text on the given columns.
    folded : bool, default False
        Whether columns that do not differ at the level are only named, in one line.

    Returns
    -------
    str
        Lines with aligned columns, and notes.
    """
    if folded:
        differing = [column for column in columns if column.adjusted <= level]
        rest = [column for column in columns if column.adjusted > level]
        table = table_of_columns(differing, names, level, given) if differing else ""
        return "\n\n".join(filter(None, [table, _unchanged(rest)]))
    head = ("column", *(truncate(name, 16) for name in names), "change", "p for all columns")
    order = sorted(columns, key=lambda column: column.adjusted)
    rows = [head, *(_cells(column, level) for column in order[:MOST])]
    widths = [max(len(row[j]) for row in rows) for j in range(len(head) - 1)]
    lines = ["  ".join([*map(str.ljust, row, widths), row[-1]]) for row in rows]
    rest = [f"and {len(columns) - MOST} more"] if len(columns) > MOST else []
    kinds = {column.kind for column in columns}
    within = any(column.subjects is not None for column in columns)
    change = "the typical change of a subject" if within else "their difference"
    numbers = f"Medians; in brackets the {100 * (1 - level):g} % interval of {change}."
    categories = "Categories: the share that differs most."
    if given:
        numbers = f"Medians; in brackets the {100 * (1 - level):g} % interval of the mean difference given {given}."
    gaps = "Missing: the share of empty cells."
    weighed = [f"Medians and shares are those of rows weighted to be alike in {given}."] if given else []
    said = (("number", numbers), ("category", categories), ("missing", gaps))
    notes = [*(words for kind, words in said if kind in kinds), *weighed, about_intervals(columns, level)]
    return "\n".join([*lines, *rest, " ".join(filter(None, notes))])


def _unchanged(columns):
    """Return the line that names columns without a difference."""
    if not columns:
        return ""
    return f"{how_many_unchanged(columns)}: {join_list([column.label for column in columns], NAMES)}."


def _cells(column, level):
    """Return the cells of a column's row."""
    change = [column.change, column.beyond if column.adjusted <= level else ""]
    cells = [column.label, column.before, column.after, ", ".join(filter(None, change)), f"{column.adjusted:.3g}"]
    return [truncate(cell, WIDEST) for cell in cells]
