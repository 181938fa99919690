"""What a state is called after what it shows, such as "Shrinkage: S-KMSE has 30 % less squared error"."""

from __future__ import annotations

from typing import Any

from explorer.languages import translate

from . import registry
from .prose import shortened


def in_short(name: str, result: Any) -> str:
    """What a lab's result shows, in so few words that they fit into a title; "" where that is still to be computed."""
    words = registry.role(name, "words")
    own = getattr(words, "in_short", None)
    return (own(result) if own else "") or shortened(words.headline(result, result.row))


def titled(name: str, result: Any) -> str:
    """The lab's title with what its result shows; with the lab's question where that is still to be computed."""
    entry = registry.entry(name)
    return f"{translate(entry.title)}: {in_short(name, result) or translate(entry.question)}"
