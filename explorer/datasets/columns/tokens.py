"""Detection of words that identify: hashes, e-mail addresses and numbered words such as INV-2026-00123."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .row_numbers import RowNumberDetector
from .running_numbers import are_running, words_hardly_recur

if TYPE_CHECKING:
    from .table import Column

SAMPLE = 1000  # most words of a column that are examined, evenly spaced in their order
MOSTLY = 0.95  # least share of the examined words that have one form
MAIL = re.compile(r"<?[^\s@<>]+@[^\s@<>]+\.[A-Za-z]{2,}>?")
UUID = re.compile(r"[{(]?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}[)}]?")
HEX = re.compile(r"(0x)?[0-9a-fA-F]{7,}")
TOKEN = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
SWITCH = re.compile(r"(?<=[a-zA-Z])(?=[0-9])|(?<=[0-9])(?=[a-zA-Z])|(?<=[a-z])(?=[A-Z])")
SWITCHES = 3  # fewest changes between letters and digits, or from small letters to capitals: names have fewer
NUMBERED = re.compile(r"(.*?\D)(\d+)(\D*)", re.DOTALL)
FRAMES = 20  # fewest distinct words for each distinct frame of their numbers


def identifier_kind(columns: Sequence[Column]) -> str:
    """Return the kind of identifiers that the words of one column of K tables are, or "" if they are none.

    Hashes (hexadecimal, UUIDs, random letters and digits) and e-mail addresses are identifiers if they occur fewer than
    2 K times on average. Numbered words are if they recur as rarely as `running_numbers.words_hardly_recur` demands:
    products and postcodes are categories. Words of digits, such as 00123, are identifiers if they are running numbers.
    """
    parts = [Counter({word: n for word, n in column.times.items() if word not in column.gaps}) for column in columns]
    words = sorted(set().union(*parts))
    total, untold = sum(part.total() for part in parts), any(column.uncounted for column in columns)
    if not words or (total >= 2 * len(columns) * len(words) and not untold):
        return ""
    some = _some(words)
    if _mostly(MAIL, some):
        return "e-mail addresses"
    if are_hashes(some):
        return "hashes"
    if not untold and all(map(str.isdecimal, words)):
        running = are_running([_counted(part) for part in parts])
        return f"a running number, such as {some[0]!r:.40}" if running else ""
    seldom = untold or words_hardly_recur([list(part.values()) for part in parts], len(words))
    return f"identifiers, such as {some[0]!r:.40}" if seldom and _are_numbered(some) else ""


def are_identifiers(words: Iterable[str]) -> bool:
    """Return whether most words are hashes, e-mail addresses or numbered words.

    Parameters
    ----------
    words : iterable of str
        The words.

    Returns
    -------
    bool
        Whether most are.
    """
    some = _some(sorted(words))
    return bool(some) and (_mostly(MAIL, some) or are_hashes(some) or _are_numbered(some))


def are_hashes(words: Iterable[str]) -> bool:
    """Return whether most words are random letters and digits, such as hashes, UUIDs and keys.

    Hexadecimal words have at least seven digits and equal lengths, others at least 16 characters.
    """
    words = _some(sorted(words))
    if not words or _mostly(UUID, words):
        return bool(words)
    mixed = sum(not word.isdigit() and not word.isalpha() for word in words)
    if mixed >= len(words) / 2 and len(set(map(len, words))) == 1 and _mostly(HEX, words):
        return True
    random = [word for word in words if TOKEN.fullmatch(word) and len(SWITCH.findall(word)) >= SWITCHES]
    return len(random) >= MOSTLY * len(words) and any(char.isdigit() for word in random for char in word)


def _some(words):
    """Return at most 1000 of the words, evenly spaced."""
    return words[:: max(-(-len(words) // SAMPLE), 1)]


def _counted(words):
    """Return the numbers of words of digits, each with its number of occurrences."""
    return RowNumberDetector().add(np.repeat(np.array(list(words), dtype=float), list(words.values())))


def _mostly(form, words):
    """Return whether most words match a pattern."""
    return sum(bool(form.fullmatch(word)) for word in words) >= MOSTLY * len(words)


def _are_numbered(words):
    """Return whether most words are a number in one of few frames, such as 00123 in INV-2026-."""
    matches = [match for match in map(NUMBERED.fullmatch, words) if match]
    frames = {(match[1], match[3]) for match in matches}
    return len(matches) >= MOSTLY * len(words) and len(frames) * FRAMES <= max(len(matches), FRAMES)
