"""Title of a state, made from what it shows, such as "Shrinkage: S-KMSE has 30 % less squared error"."""

from __future__ import annotations

from typing import Any

from explorer.languages import translate

from . import registry
from .prose import shortened


def in_short(name: str, result: Any) -> str:
    """Return what a lab's result shows, short enough for a title; "" if it is still being computed.

    Parameters
    ----------
    name : str
        Name of the lab.
    result : Result
        The result.

    Returns
    -------
    str
        The text.
    """
    words = registry.role(name, "words")
    own = getattr(words, "in_short", None)
    return (own(result) if own else "") or shortened(words.headline(result, result.row))


def titled(name: str, result: Any) -> str:
    """Return the lab's title with what its result shows, or with its question if that is still being computed.

    Parameters
    ----------
    name : str
        Name of the lab.
    result : Result
        The result.

    Returns
    -------
    str
        The translated title.
    """
    entry = registry.entry(name)
    return f"{translate(entry.title)}: {in_short(name, result) or translate(entry.question)}"
