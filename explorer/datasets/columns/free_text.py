"""Free text: cells of several words that hardly anybody writes twice, as comments and descriptions are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .table import Column

FEW = 50  # different cells, up to which they are a category whatever they say
WORDS = 4  # of a sentence, at least


def is_free_text(columns: Sequence[Column]) -> bool:
    """Return whether the words of one column, as each of some tables has it, are free text.

    There are more than 50 different ones, most of them occur once in all tables together, and at least half of these
    are of four words or more. Nothing depends on which table a row is from.
    """
    times: Counter[str] = Counter()
    for column in columns:
        times.update({cell: count for cell, count in column.times.items() if cell not in column.gaps})
    once = [cell for cell, count in times.items() if count == 1]
    if len(times) <= FEW or 2 * len(once) <= len(times):
        return False
    return 2 * sum(len(cell.split()) >= WORDS for cell in once) >= len(once)
