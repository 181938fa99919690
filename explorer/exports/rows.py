"""Texts of many rows that differ in a few words, packed: what all rows have alike is held once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any, TypeAlias

WORDS = re.compile(r"<[^>]*>|[^<\s]+|\s+|<")
Pattern: TypeAlias = list["str | list[str]"]  # parts of a text: one for all rows, or that of each row
Packed: TypeAlias = dict[str, Any]


def packed(texts: Sequence[str]) -> Packed:
    """Texts as patterns: row i has the pattern `at[i]`, whose lists have a word for each row of it, in their order.

    Rows of as many words share a pattern. `exported.js` reads it.
    """
    words = [WORDS.findall(text) for text in texts]
    counts = list(dict.fromkeys(map(len, words)))
    patterns = [_pattern([row for row in words if len(row) == count]) for count in counts]
    return {"at": [counts.index(len(row)) for row in words], "patterns": patterns}


def _pattern(rows: list[list[str]]) -> Pattern:
    """The words of rows: those that all have alike as one text, the others as a list of each row's own."""
    parts: Pattern = []
    for alike, places in groupby(zip(*rows, strict=True), key=lambda place: len({*place}) == 1):
        if alike:
            parts.append("".join(place[0] for place in places))
        else:
            parts += map(list, places)
    return parts
