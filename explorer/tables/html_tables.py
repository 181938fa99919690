"""HTML tables for notebook cells, and tables of numbers in which the user's columns keep their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.markup import joined, markup

if TYPE_CHECKING:
    from explorer.markup import Markup


ROWS, COLUMNS = 12, 8  # most rows and columns of an HTML table
LAB = "lab"  # suffix of a lab's column whose name the user's table has already


def table(head: Sequence[object], rows: Sequence[Sequence[object]], total: Any = None) -> Markup:
    """Return an HTML table of text and numbers: at most ROWS x COLUMNS cells, and the number of omitted rows."""
    total = len(rows) if total is None else total
    body = joined(_row("td", row) for row in rows[:ROWS])
    more = [
        f"{left} more {what}{'' if left == 1 else 's'}"
        for left, what in ((total - ROWS, "row"), (len(head) - COLUMNS, "column"))
        if left > 0
    ]
    below = markup("<p>and {}</p>", " and ".join(more)) if more else ""
    head = _row("th", head)
    return markup("<table><thead>{}</thead><tbody>{}</tbody></table>{}", head, body, below)


def _row(kind, cells):
    """Return the HTML of a row."""
    return markup("<tr>{}</tr>", joined(markup("<{0}>{1}</{0}>", kind, _cell(cell)) for cell in cells[:COLUMNS]))


def _cell(value):
    """Return a cell's value as a short text."""
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    words = str(value)
    return words if len(words) <= 80 else f"{words[:77]}..."


def with_own(
    own: Mapping[str, Any], after: Mapping[str, Any], before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return one table of the user's columns and a lab's columns, with unique names.

    The user's columns keep their names; a lab's column with the same name gets a suffix.

    Parameters
    ----------
    own : mapping of str to array_like
        The user's columns.
    after : mapping of str to array_like
        The lab's columns that follow them.
    before : mapping of str to array_like or None, default None
        The lab's columns that precede them.

    Returns
    -------
    dict of str to array_like
        All columns by name.

    Examples
    --------
    >>> from explorer.tables.html_tables import with_own
    >>> with_own({"weight": [80.0], "weight (lab)": [1.0]}, after={"weight": [0.5]}, before={"row": [2]})
    {'row': [2], 'weight': [80.0], 'weight (lab)': [1.0], 'weight (lab 2)': [0.5]}
    """
    first = _renamed(before or {}, own)
    return {**first, **own, **_renamed(after, {*own, *first})}


def _renamed(columns, taken):
    """Return the columns under names that are not taken."""
    renamed: dict[str, Any] = {}
    for name, column in columns.items():
        renamed[free(name, {*taken, *renamed})] = column
    return renamed


def free(name: str, taken: Collection[str]) -> str:
    """Return the name of a lab's column, with a suffix if the name is taken.

    Parameters
    ----------
    name : str
        The name of the column.
    taken : collection of str
        The names that are in use.

    Returns
    -------
    str
        A name that is not in use.
    """
    found, count = name, 1
    while found in taken:
        found = f"{name} ({LAB})" if count == 1 else f"{name} ({LAB} {count})"
        count += 1
    return found
