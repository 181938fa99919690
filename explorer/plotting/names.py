"""Names of a table that a picture can show: short, and no two alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from explorer.checks import truncate


def distinct(names: Sequence[str], shown: Callable[[str], str] = truncate) -> list[str]:
    """Return names as they are shown; those that would look alike have their numbers."""
    words = [shown(name) for name in names]
    return [word if words.count(word) == 1 else f"{word} ({i})" for i, word in enumerate(words, 1)]
