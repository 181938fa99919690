"""Which two reads are shown letter by letter, as words of a link.

"X1 Y2", the first of one sample, the second of the other.
"""

from __future__ import annotations

import re

from explorer.checks import Refusal

FIRST = "X1 Y1"
WORDS = re.compile(r"([XY])([1-9]\d{0,8}) ([XY])([1-9]\d{0,8})")


def pair_of(words):
    """((side, place), (side, place)) from the words, places from 1; ValueError where they are none."""
    found = WORDS.fullmatch(words)
    if found is None:
        raise Refusal(f"pair must be like 'X1 Y2', two reads by their places in the samples, not {words[:40]!r}.")
    one, place, other, there = found.groups()
    return (one, int(place)), (other, int(there))


def pair_at(row, column, n):
    """The words for two rows, from 0, of the pooled sample of n reads each."""
    return " ".join(f"{'XY'[i // n]}{i % n + 1}" for i in (int(row), int(column)))


def rows_of(words, n):
    """The two rows, from 0, of the pooled sample."""
    return tuple(("XY".index(side)) * n + place - 1 for side, place in pair_of(words))
