"""Approximate widths of text: no font is read, so that a picture is the same wherever it is drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

# Widths relative to the font size: those of DejaVu Sans, the widest of the fonts in use.
NARROW, WIDE, USUAL, BROAD = frozenset("iljtfIr.,:;'|!()[] ·"), frozenset("mwMW@%—√ΣΩ"), 0.61, 1.0
HEAVY = 1.07  # ratio of the widths of bold and normal characters


def width(text: float | str, px: float, bold: bool = False) -> float:
    """Return the approximate width of a text in px."""
    return px * (HEAVY if bold else 1.0) * sum(map(_letter, str(text)))


def _letter(letter):
    """Return the width of a character, relative to the font size."""
    if unicodedata.combining(letter):
        return 0.0
    if letter in NARROW:
        return 0.36
    if letter in WIDE:
        return 0.93
    if unicodedata.east_asian_width(letter) in "WF":
        return BROAD
    return 0.7 if letter.isupper() else USUAL


def lines(text: str, px: float, room: float, bold: bool = False, most: float = 2) -> list[str]:
    """Return a text as at most `most` lines of a width; the rest is truncated with an ellipsis."""
    found, words = [], str(text).split()
    while words:
        count = 1
        while count < len(words) and width(" ".join(words[: count + 1]), px, bold) <= room:
            count += 1
        if len(found) == most - 1:
            count = len(words)
        found.append(fitted(" ".join(words[:count]), px, room, bold))
        words = words[count:]
    return found


def fitted(text: str, px: float, room: float, bold: bool = False) -> str:
    """Return a text, truncated if it is wider than the space."""
    if width(text, px, bold) <= room:
        return text
    taken = width("…", px, bold)
    for kept, letter in enumerate(text):  # one pass, because a name may have any length
        taken += width(letter, px, bold)
        if taken > room:
            return f"{text[:kept].rstrip()}…"
    return "…"


def apart(places: Sequence[float], sizes: Sequence[float], gap: int) -> list[int]:
    """Return which texts of these sizes can be drawn at their positions without touching one drawn before."""
    kept, taken = [], []
    for i, (place, size) in enumerate(zip(places, sizes, strict=True)):
        if all(abs(place - other) >= (size + its) / 2 + gap for other, its in taken):
            kept.append(i)
            taken.append((place, size))
    return kept
