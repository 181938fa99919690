"""Detection of free text: cells of several words that are rarely repeated, such as comments and descriptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .table import Column

FEW = 50  # up to this number of distinct cells they are a category, whatever they contain
WORDS = 4  # fewest words of a sentence


def is_free_text(columns: Sequence[Column]) -> bool:
    """Return whether the words of a column are free text; `columns` holds the column as each table has it.

    There are more than 50 distinct cells, most of them occur once in all tables together, and at least half of these
    have four words or more. Nothing depends on which table a row is from.
    """
    times: Counter[str] = Counter()
    for column in columns:
        times.update({cell: count for cell, count in column.times.items() if cell not in column.gaps})
    once = [cell for cell, count in times.items() if count == 1]
    if len(times) <= FEW or 2 * len(once) <= len(times):
        return False
    return 2 * sum(len(cell.split()) >= WORDS for cell in once) >= len(once)
