"""Dates in common notations, and the numbers of days that they stand for."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date
from functools import cache
from typing import Any

import numpy as np

from explorer.types import Vector

MONTHS = tuple(
    names.split()
    for names in (
        "january januar jänner janvier enero gennaio janeiro januari",
        "february februar février fevrier febrero febbraio fevereiro februari",
        "march märz maerz mrz mars marzo março maart",
        "april avril abril aprile",
        "may mai mayo maggio maio mei",
        "june juni juin junio giugno junho",
        "july juli juillet julio luglio julho",
        "august août aout agosto augustus",
        "september sept septembre septiembre settembre setembro",
        "october oktober octobre octubre ottobre outubro",
        "november novembre noviembre novembro",
        "december dezember décembre decembre diciembre dicembre dezembro",
    )
)
WEEKDAY = r"(?:(?:Mon?|Tue?s?|Wed|Thu?r?s?|Fri?|Sat?|Sun?|Di|Mi|Do|So|Sam)(?:[a-z]*day|[a-z]*tag|woch)?\.?,? +)?"
TIME = (
    r"(?:(?:[T ]|, )+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:[.,]\d+)?))?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?(?: Uhr)?(?P<zone> ?Z| ?UTC| ?GMT| ?[+-]\d{2}(?::?\d{2})?)?)?"
)
NAME = r"(?P<name>[^\W\d_]{3,10})"
YEAR_FIRST = re.compile(rf"(?P<year>\d{{4}})(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}}){TIME}")
YEAR_LAST = re.compile(
    rf"{WEEKDAY}(?P<a>\d{{1,2}})(?P<mark>[-/.])(?P<b>\d{{1,2}})(?P=mark)(?P<year>\d{{4}}){TIME}", re.IGNORECASE
)
SHORT_YEAR = re.compile(rf"(?P<a>\d{{1,2}})(?P<mark>[/.])(?P<b>\d{{1,2}})(?P=mark)(?P<year>\d{{2}}){TIME}")
NAMED = re.compile(
    rf"{WEEKDAY}(?P<day>\d{{1,2}})(?:st|nd|rd|th|er)?[ .-]+(?:de )?{NAME}\.?,?(?: de)?[ -]+(?P<year>\d{{4}}){TIME}",
    re.IGNORECASE,
)
NAMED_SHORT = re.compile(rf"(?P<day>\d{{1,2}})(?P<mark>[ .-]){NAME}(?P=mark)(?P<year>\d{{2}}){TIME}")
NAME_FIRST = re.compile(
    rf"{WEEKDAY}{NAME}\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}}){TIME}", re.IGNORECASE
)
OF_C = re.compile(  # as C's function ctime prints it
    rf"{WEEKDAY}{NAME} +(?P<day>\d{{1,2}}) (?P<hour>\d{{2}}):(?P<minute>\d{{2}}):(?P<second>\d{{2}})"
    r"(?P<half>(?!))?(?P<zone> UTC| GMT)? (?P<year>\d{4})",
    re.IGNORECASE,
)
OF_LOGS = re.compile(  # as in the logs of a server
    rf"\[?(?P<day>\d{{1,2}})/{NAME}/(?P<year>\d{{4}})"
    r"(?::(?P<hour>\d{2}):(?P<minute>\d{2}):(?P<second>\d{2})(?P<half>(?!))?(?P<zone> ?[+-]\d{4})?)?\]?"
)
BASIC = re.compile(
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})[T ](?P<hour>\d{2}):?(?P<minute>\d{2})"
    r"(?::?(?P<second>\d{2}(?:\.\d+)?))?(?P<half>(?!))?(?P<zone>Z|[+-]\d{2}(?::?\d{2})?)?"
)
MONTH = (  # periods without a day; their first day represents them
    re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{1,2})"),
    re.compile(r"(?P<year>\d{4})[-_ ]?M(?P<month>\d{2})"),
    re.compile(r"(?P<month>\d{1,2})[-/](?P<year>\d{4})"),
    re.compile(r"(?P<month>\d{2})\.(?P<year>(?:19|20)\d{2})"),
    re.compile(rf"{NAME}\.?(?:[ /-]|, )(?:de )?(?P<year>\d{{4}})"),
    re.compile(rf"(?P<year>\d{{4}})[ /-]?{NAME}"),
    re.compile(rf"{NAME}(?:-'?| ')(?P<year>\d{{2}})"),
)
QUARTER = (
    re.compile(r"(?P<year>\d{4})[-/ _]?[QqT](?P<quarter>[1-4])"),
    re.compile(r"[QqT](?P<quarter>[1-4])[-/ _]?(?P<year>\d{4})"),
    re.compile(r"[Qq](?P<quarter>[1-4])[-/ _']{1,2}(?P<year>\d{2})"),
)
WEEK = (
    re.compile(r"(?P<year>\d{4})[-/ _]?(?:W|KW ?)(?P<week>\d{2})(?:-?(?P<weekday>[1-7]))?"),
    re.compile(r"(?:W|KW ?)(?P<week>\d{1,2})[-/ _](?P<year>\d{4})(?P<weekday>(?!))?"),
)
SEASON = re.compile(r"\d\d(\d\d)[-/](\d\d)")
PERIODS = (*MONTH, *QUARTER, *WEEK)
FORMS = (YEAR_FIRST, YEAR_LAST, NAMED, NAMED_SHORT, NAME_FIRST, SHORT_YEAR, BASIC, OF_C, OF_LOGS, *PERIODS)
ISO = "0000-00-00 00:00:00"  # pattern of a time, with a digit at each 0
ISO_LENGTHS = (10, 16, 19)
MANY = 100  # from this number of distinct cells on, the vectorised parser is tried first
EPOCH = date(1970, 1, 1).toordinal()
PIVOT = 69  # years of two digits from 69 on are of the last century, as in POSIX
FIRST_YEAR, LAST_YEAR = 1900, 2100  # range of dates without a time: other digits are amounts or codes
SECONDS = {"seconds": 1.0, "milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9}  # units in one second
SINCE_1970 = (631_152_000.0, 4_102_444_800.0)  # range of times since 1970: the seconds until 1990 and until 2100
DAY = 86_400  # seconds in a day
LONGEST = 50  # most characters of a date


def parse_dates(cells: Collection[str]) -> tuple[bool, dict[str, float] | None]:
    """Return whether all cells are dates, and the days since 1970 of each cell; a time of day is a fraction.

    The days are None if the order of day and month is unknown. The day is first if the marks are points; otherwise a
    number above 12 decides. Times are those of the clock in whatever zone, see `utc_offset`. Years of two digits come
    last. A month, a quarter and a week, such as 2026-03, 2026-Q1 and 2026-W05, are their first day.

    Parameters
    ----------
    cells : collection of str
        Distinct cells.

    Returns
    -------
    are_dates : bool
        Whether all cells are dates.
    days : dict of str to float or None
        The days of each cell, or None if they are unknown.
    """
    if len(cells) >= MANY and (counted := _iso_days(list(cells))) is not None:
        return True, dict(zip(cells, counted.tolist(), strict=True))
    matches = {}
    for cell in cells:
        if (match := _match(cell)) is None:
            return False, None
        matches[cell] = match.groupdict()
    if _are_seasons(cells):
        return False, None
    order = _order([parts for parts in matches.values() if "a" in parts])
    counted = {}
    for cell, parts in matches.items():
        if (day := _day(parts, order or "day first")) is None and (order or _day(parts, "month first") is None):
            return False, None
        counted[cell] = day
    return True, counted if order else None


def _iso_days(cells):
    """Return the days (n,) of dates such as 2024-05-01 or 2024-05-01T12:30:00 of equal length, or None."""
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
    months = 12 * (year - 1970) + month - 1
    first, after = (
        each.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) for each in (months, months + 1)
    )
    if (day < 1).any() or (day > after - first).any():
        return None
    days = first + day - 1
    return days + _part_of_day(hour, minute, second)


def _part_of_day(hour: Any, minute: Any, second: Any) -> Any:
    """Return the fraction of a day that has passed."""
    return (hour + (minute + second / 60) / 60) / 24


def _are_seasons(cells):
    """Return whether words are two or more seasons, such as 2009-10 and 2010-11, each from one year to the next."""
    matches = [SEASON.fullmatch(cell) for cell in cells]
    return len(matches) > 1 and all(each and int(each[2]) == (int(each[1]) + 1) % 100 for each in matches)


def _match(cell):
    """Return the match of a date's notation, or None if a cell is not a date."""
    if len(cell) > LONGEST or not any(letter.isdigit() for letter in cell):
        return None
    return next((match for form in FORMS if (match := form.fullmatch(cell))), None)


def date_order(cell: str) -> tuple[bool, bool, bool] | None:
    """Return what a date with the year last says about the order of day and month, or None for another date.

    The answer is (first number above 12, second number above 12, mark is a point).
    """
    match = YEAR_LAST.fullmatch(cell) or SHORT_YEAR.fullmatch(cell)
    return match and (int(match["a"]) > 12, int(match["b"]) > 12, match["mark"] == ".")


def _order(dates):
    """Return "day first" or "month first" for dates with the year last, or "" if both are possible."""
    first, second = max((int(d["a"]) for d in dates), default=0), max((int(d["b"]) for d in dates), default=0)
    if second > 12:
        return "month first"
    return "day first" if not dates or first > 12 or all(d["mark"] == "." for d in dates) else ""


@cache
def _month(name):
    """Return the number of a month from its name or at least its first three letters, or 0 for another word."""
    word = name.casefold().rstrip(".")
    numbers = [k for k, names in enumerate(MONTHS, 1) if any(each.startswith(word) for each in names)]
    return numbers[0] if len(numbers) == 1 else 0


def _day(parts, order):
    """Return the days since 1970 of a date, or None if there is no such day."""
    year, day = int(parts["year"]), 1
    if len(parts["year"]) == 2:
        year += 2000 if year < PIVOT else 1900
    if "a" in parts:
        day, month = (int(parts[k]) for k in ("ab" if order == "day first" else "ba"))
    elif "name" in parts:
        month = _month(parts["name"])
    elif "quarter" in parts:
        month = 3 * int(parts["quarter"]) - 2
    else:
        month = int(parts.get("month") or 1)
    if "hour" not in parts and not FIRST_YEAR <= year <= LAST_YEAR:  # 1234-05 is a code
        return None
    try:
        if "week" in parts:
            return date.fromisocalendar(year, int(parts["week"]), int(parts["weekday"] or 1)).toordinal() - EPOCH
        whole = date(year, month, int(parts.get("day") or day)).toordinal() - EPOCH
    except ValueError:
        return None
    if "hour" not in parts:
        return whole
    hour, minute, second = (float((parts[k] or "0").replace(",", ".")) for k in ("hour", "minute", "second"))
    if parts["half"]:
        hour = hour % 12 + 12 * (parts["half"] in "Pp")
    return whole + _part_of_day(hour, minute, second)


def utc_offset(cell: str) -> float:
    """Return how many days the clock of a date's zone is ahead of UTC, or 0.0 if the date names no zone."""
    match = _match(cell)
    zone = ((match.groupdict().get("zone") or "") if match else "").strip()
    if zone in ("", "Z", "UTC", "GMT"):
        return 0.0
    minutes = 60 * int(zone[1:3]) + int(zone[3:].lstrip(":") or 0)
    return (-minutes if zone[0] == "-" else minutes) / 1440


def compact_days(values: Vector) -> Vector | None:
    """Return numbers (n,) such as 20260501, 202605011230 or 20260501123000 as days since 1970, or None.

    NaN stays NaN. The result is None if one of the numbers is not such a date, or if there are no numbers.
    """
    given = np.unique(values[~np.isnan(values)])
    if not len(given) or not np.all(given == np.round(given)):
        return None
    unit = next((unit for unit in (1, 10**4, 10**6) if 1e7 * unit <= given[0] and given[-1] < 1e8 * unit), 0)
    if not unit:
        return None
    numbers = given.astype(np.int64)
    clock = numbers % unit * (100 if unit == 10**4 else 1)
    hour, minute, second = clock // 10_000, clock // 100 % 100, clock % 100
    if (hour > 23).any() or (minute > 59).any() or (second > 59).any():
        return None
    counted = []
    for number in (numbers // unit).tolist():
        year, month, day = number // 10_000, number // 100 % 100, number % 100
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return None
        try:
            counted.append(float(date(year, month, day).toordinal() - EPOCH))
        except ValueError:
            return None
    result = np.full(len(values), np.nan)
    has_date = ~np.isnan(values)
    days = np.array(counted) + _part_of_day(hour, minute, second)
    result[has_date] = days[np.searchsorted(given, values[has_date])]
    return result


def epoch_unit(low: float, high: float) -> str:
    """Return the unit by which numbers from low to high are times since 1970 between 1990 and 2100, or "".

    Examples
    --------
    >>> from explorer.datasets.columns.dates import epoch_unit
    >>> epoch_unit(1.77e9, 1.78e9), epoch_unit(1.77e12, 1.78e12), epoch_unit(0, 5e9)
    ('seconds', 'milliseconds', '')
    """
    first, last = SINCE_1970
    return next((unit for unit, size in SECONDS.items() if first <= low / size and high / size <= last), "")


def epoch_days(values: Vector, unit: str) -> Vector:
    """Return times since 1970 (n,) in a unit of `epoch_unit` as days; NaN stays NaN."""
    return values / (SECONDS[unit] * DAY)
