"""Dates in the common notations, as days: what a column of them counts as where somebody wants it as a number."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date

import numpy as np

from explorer.types import Vector

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
TIME = (
    r"(?:[T ]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:\.\d+)?))?(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?"
    r"(?P<zone> ?Z| ?[+-]\d{2}:?\d{2})?)?"
)
YEAR_FIRST = re.compile(rf"(?P<year>\d{{4}})(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}}){TIME}")
YEAR_LAST = re.compile(rf"(?P<a>\d{{1,2}})(?P<mark>[-/.])(?P<b>\d{{1,2}})(?P=mark)(?P<year>\d{{4}}){TIME}")
SHORT_YEAR = re.compile(rf"(?P<a>\d{{1,2}})(?P<mark>[/.])(?P<b>\d{{1,2}})(?P=mark)(?P<year>\d{{2}}){TIME}")
NAMED = re.compile(rf"(?P<day>\d{{1,2}})[ .-]+(?P<name>[A-Za-z]{{3,9}})\.?,?[ -]+(?P<year>\d{{4}}){TIME}")
NAME_FIRST = re.compile(rf"(?P<name>[A-Za-z]{{3,9}})\.? (?P<day>\d{{1,2}}),? (?P<year>\d{{4}}){TIME}")
FORMS = (YEAR_FIRST, YEAR_LAST, NAMED, NAME_FIRST, SHORT_YEAR)
ISO = "0000-00-00 00:00:00"  # a digit for each 0
ISO_LENGTHS = (10, 16, 19)
MANY = 100  # different dates, from which on they are looked at together
EPOCH = date(1970, 1, 1).toordinal()
PIVOT = 69  # years of two digits from here on are of the last century, as POSIX has it
FIRST_YEAR, LAST_YEAR = 1900, 2100  # of such dates: other numbers of eight digits are amounts or codes


def days(cells: Collection[str]) -> tuple[bool, dict[str, float] | None]:
    """(Whether all of these different cells are dates, cell -> days since 1970, a time of day as a part of one).

    None instead of days where the order of day and month cannot be told: with points the day is first, else a number
    above 12 says which it is. Times are those of the clock, whatever their zone; see `behind`. Years of two digits
    stand last, after points or slashes.
    """
    if len(cells) >= MANY and (counted := _iso_days(list(cells))) is not None:
        return True, dict(zip(cells, counted.tolist(), strict=True))
    matches = {}
    for cell in cells:
        forms = (form.fullmatch(cell) for form in FORMS)
        if (found := next((match for match in forms if match), None)) is None:
            return False, None
        matches[cell] = found.groupdict()
    order = _order([parts for parts in matches.values() if "a" in parts])
    counted = {}
    for cell, parts in matches.items():
        if (day := _day(parts, order or "day first")) is None and (order or _day(parts, "month first") is None):
            return False, None
        counted[cell] = day
    return True, counted if order else None


def _iso_days(cells):
    """The days of dates such as 2024-05-01 or 2024-05-01T12:30:00 that have one length, (n,); None of others."""
    text, length = "".join(cells), len(cells[0])
    if length not in ISO_LENGTHS or set(map(len, cells)) != {length} or not text.isascii():
        return None
    letters = np.frombuffer(text.replace("T", " ").encode(), dtype=np.uint8).reshape(-1, length)
    shape = np.frombuffer(ISO[:length].encode(), dtype=np.uint8)
    digits = letters - shape
    if (digits[:, shape == ord("0")] > 9).any() or digits[:, shape != ord("0")].any():
        return None
    whole = np.zeros((len(cells), len(ISO)), dtype=np.int64)
    whole[:, :length] = digits
    year, month = whole[:, :4] @ (1000, 100, 10, 1), whole[:, 5:7] @ (10, 1)
    day, hour, minute, second = (whole[:, k : k + 2] @ (10, 1) for k in (8, 11, 14, 17))
    if (year < 1).any() or (month < 1).any() or (month > 12).any():
        return None
    first = (12 * (year - 1970) + month - 1).astype("datetime64[M]")
    if (day < 1).any() or (
        day > ((first + 1).astype("datetime64[D]") - first.astype("datetime64[D]")).astype(int)
    ).any():
        return None
    days = first.astype("datetime64[D]").astype(np.int64) + day - 1
    return days + (hour + (minute + second / 60) / 60) / 24


def order_of(cell: str) -> tuple[bool, bool, bool] | None:
    """What a date that ends with the year says of the order of day and month; None of another one."""
    found = YEAR_LAST.fullmatch(cell) or SHORT_YEAR.fullmatch(cell)
    return found and (int(found["a"]) > 12, int(found["b"]) > 12, found["mark"] == ".")


def _order(dates):
    """ "day first" or "month first" of dates that end with the year; "" where either may be."""
    first, second = max((int(d["a"]) for d in dates), default=0), max((int(d["b"]) for d in dates), default=0)
    if second > 12:
        return "month first"
    return "day first" if not dates or first > 12 or all(d["mark"] == "." for d in dates) else ""


def _day(parts, order):
    """The days since 1970 of a date, or None where there is no such day."""
    if "name" in parts:
        names = [k for k, month in enumerate(MONTHS, 1) if parts["name"].lower().startswith(month)]
        day, month = int(parts["day"]), names[0] if names else 0
    elif "a" in parts:
        day, month = (int(parts[k]) for k in ("ab" if order == "day first" else "ba"))
    else:
        day, month = int(parts["day"]), int(parts["month"])
    year = int(parts["year"])
    if len(parts["year"]) == 2:
        year += 2000 if year < PIVOT else 1900
    try:
        whole = date(year, month, day).toordinal() - EPOCH
    except ValueError:
        return None
    hour, minute, second = (float(parts[k] or 0) for k in ("hour", "minute", "second"))
    if parts["half"]:
        hour = hour % 12 + 12 * (parts["half"] in "Pp")
    return whole + (hour + (minute + second / 60) / 60) / 24


def behind(cell: str) -> float:
    """Return how many days the clock of a date's zone is ahead of UTC; 0.0 if the date names no zone."""
    found = next((match for form in FORMS if (match := form.fullmatch(cell))), None)
    zone = (found["zone"] or "").strip() if found else ""
    if zone in ("", "Z"):
        return 0.0
    minutes = 60 * int(zone[1:3]) + int(zone[-2:])
    return (-minutes if zone[0] == "-" else minutes) / 1440


def compact_days(values: Vector) -> Vector | None:
    """Return numbers (n,) such as 20260501 as days since 1970, NaN where they are NaN.

    None if one of them is no such date, or if there are none.
    """
    given = np.unique(values[~np.isnan(values)])
    if not len(given) or not np.all((given == np.round(given)) & (given >= 1e7) & (given < 1e8)):
        return None
    counted = []
    for number in given.astype(int).tolist():
        year, month, day = number // 10_000, number // 100 % 100, number % 100
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return None
        try:
            counted.append(float(date(year, month, day).toordinal() - EPOCH))
        except ValueError:
            return None
    found = np.full(len(values), np.nan)
    there = ~np.isnan(values)
    found[there] = np.array(counted)[np.searchsorted(given, values[there])]
    return found
