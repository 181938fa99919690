"""Small tables for a notebook cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .markup import joined, markup

if TYPE_CHECKING:
    from .markup import Markup


ROWS, COLUMNS = 12, 8  # of a table


def table(head: Sequence[object], rows: Sequence[Sequence[object]], total: Any = None) -> Markup:
    """An HTML table of words and numbers: at most ROWS x COLUMNS of it, and how many more there are of `total` rows."""
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
    return markup("<tr>{}</tr>", joined(markup("<{0}>{1}</{0}>", kind, _cell(cell)) for cell in cells[:COLUMNS]))


def _cell(value):
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    words = str(value)
    return words if len(words) <= 80 else f"{words[:77]}..."
