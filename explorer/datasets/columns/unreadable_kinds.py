"""Kinds of values that cannot be compared, such as lists, and names of time zones."""

from __future__ import annotations

from collections.abc import Mapping, Set

import numpy as np

LISTS, MAPS, RECORDS, BYTES = "lists", "maps", "records", "bytes"
SPANS, SEVERAL, COMPLEX, OBJECTS = "spans of months and days", "values of several kinds", "complex numbers", "objects"
UNIVERSAL = ("utc", "z", "etc/utc", "gmt", "zulu", "universal", "+00:00", "00:00")  # names of UTC


def unreadable_kind(value: object) -> str:
    """Return the kind of a value that cannot be compared, such as a list, or "" for other values.

    Examples
    --------
    >>> from explorer.datasets.columns.unreadable_kinds import unreadable_kind
    >>> unreadable_kind([1, 2]), unreadable_kind({"a": 1}), unreadable_kind(b"12"), unreadable_kind("12")
    ('lists', 'records', 'bytes', '')
    """
    if isinstance(value, (str, bool, int, float)):
        return ""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return BYTES
    if isinstance(value, (complex, np.complexfloating)):
        return COMPLEX
    if isinstance(value, Mapping):
        return RECORDS
    if isinstance(value, (list, tuple, Set, np.ndarray)) or (hasattr(value, "__iter__") and hasattr(value, "__len__")):
        return LISTS
    return OBJECTS if type(value).__str__ is object.__str__ and type(value).__repr__ is object.__repr__ else ""


def zone_name(name: object) -> str:
    """Return the name of a time zone, with one name for UTC; "" for None."""
    if name is None:
        return ""
    return "UTC" if str(name).lower() in UNIVERSAL else str(name)


def format_utc_offset(minutes: int) -> str:
    """Format how far a clock is ahead of UTC, as in time stamps: +01:00."""
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02d}:{rest:02d}"
