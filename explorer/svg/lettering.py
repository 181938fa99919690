"""How wide words are, about: no font is asked, so that a picture is the same wherever it is drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

# of a letter's size: those of DejaVu Sans, the widest of the fonts that are asked for
NARROW, WIDE, USUAL, BROAD = frozenset("iljtfIr.,:;'|!()[] ·"), frozenset("mwMW@%—√ΣΩ"), 0.61, 1.0
HEAVY = 1.07  # how much wider bold letters are


def width(text: float | str, px: float, bold: bool = False) -> float:
    """About how many px a text is wide."""
    return px * (HEAVY if bold else 1.0) * sum(map(_letter, str(text)))


def _letter(letter):
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
    """A text as at most so many lines that fit into the room; what is left over is cut with an ellipsis."""
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
    """A text, cut where it is wider than the room."""
    if width(text, px, bold) <= room:
        return text
    taken = width("…", px, bold)
    for kept, letter in enumerate(text):  # once along it, as a name may have any length
        taken += width(letter, px, bold)
        if taken > room:
            return f"{text[:kept].rstrip()}…"
    return "…"


def apart(places: Sequence[float], sizes: Sequence[float], gap: int) -> list[int]:
    """Which words, of those sizes about their places, can stand without touching one that is kept before."""
    kept, taken = [], []
    for i, (place, size) in enumerate(zip(places, sizes, strict=True)):
        if all(abs(place - other) >= (size + its) / 2 + gap for other, its in taken):
            kept.append(i)
            taken.append((place, size))
    return kept
