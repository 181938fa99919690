"""Packed texts of many rows that differ in a few words: the common parts are stored once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any, TypeAlias

WORDS = re.compile(r"<[^>]*>|[^<\s]+|\s+|<")
Pattern: TypeAlias = list["str | list[str]"]  # parts of a text: one for all rows, or that of each row
Packed: TypeAlias = dict[str, Any]


def pack(texts: Sequence[str]) -> Packed:
    """Return texts as patterns: row i has the pattern `at[i]`, whose lists have a word for each of its rows, in order.

    Rows with the same number of words share a pattern. `exported.js` reads the format.
    """
    words = [WORDS.findall(text) for text in texts]
    counts = list(dict.fromkeys(map(len, words)))
    patterns = [_pattern([row for row in words if len(row) == count]) for count in counts]
    return {"at": [counts.index(len(row)) for row in words], "patterns": patterns}


def _pattern(rows: list[list[str]]) -> Pattern:
    """Return the words of rows: common ones as one text, the others as a list with the word of each row."""
    parts: Pattern = []
    for alike, places in groupby(zip(*rows, strict=True), key=lambda place: len({*place}) == 1):
        if alike:
            parts.append("".join(place[0] for place in places))
        else:
            parts += map(list, places)
    return parts
