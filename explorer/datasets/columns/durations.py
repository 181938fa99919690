"""Durations as people and programs write them, in seconds: 01:04, 1:02:03, PT5M, 2 h 5 min, 1d 03:00."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import NamedTuple

SECONDS = {  # seconds in a unit, by the unit's names
    **dict.fromkeys("w wk wks week weeks woche wochen".split(), 604_800.0),
    **dict.fromkeys("d day days tag tage tagen jour jours".split(), 86_400.0),
    **dict.fromkeys("h hr hrs hour hours std stunde stunden heure heures".split(), 3600.0),
    **dict.fromkeys("m min mins minute minutes minuten".split(), 60.0),
    **dict.fromkeys("s sec secs second seconds sek sekunde sekunden".split(), 1.0),
    **dict.fromkeys("ms msec millisecond milliseconds".split(), 1e-3),
}
SIGN = r"(?P<sign>[+\-\u2212])?"
CLOCK = re.compile(
    rf"{SIGN}(?:(?P<d>\d{{1,6}}) ?(?:d|days?|Tage?),? +)?(?P<plus>\+)?"
    r"(?P<a>\d{1,5}):(?P<b>[0-5]\d)(?::(?P<c>[0-5]\d))?(?P<fraction>[.,]\d+)?(?: ?(?P<unit>h|hrs?|min))?",
    re.IGNORECASE,
)
HOURS, MINUTES = {"d a:b", "a:b h"}, {"a:b:c", "a:b.c", "a:b min"}  # notations that decide what a:b in other cells is
ISO = re.compile(
    rf"{SIGN}P(?=[\dT])(?:(?P<w>\d+(?:[.,]\d+)?)W)?(?:(?P<d>\d+(?:[.,]\d+)?)D)?"
    r"(?:T(?=\d)(?:(?P<h>\d+(?:[.,]\d+)?)H)?(?:(?P<m>\d+(?:[.,]\d+)?)M)?(?:(?P<s>\d+(?:[.,]\d+)?)S)?)?"
)
PART = r"(\d+(?:[.,]\d+)?) ?([^\W\d_]+)\.?"
WORDED = re.compile(rf"{SIGN}({PART}(?:(?:,? (?:and |und )?)?{PART})*)")
LONGEST = 40  # most characters of a cell
NOON, MIDNIGHT = 13 * 60, 24 * 60  # 13:00, the first hour that a 12-hour clock lacks, and 24:00, in minutes
LENGTHS = "lengths of time"
LATE = 0.1  # least share of values from 13:00 on if the values are times of a day


class ClockValues(NamedTuple):
    """Counts of a column's values a:b for which nothing says whether they are hours:minutes or minutes:seconds.

    A value counts as 60 a + b, and 13:00 as 780. The values themselves are not stored.

    Attributes
    ----------
    n : int
        Number of values.
    late : int
        Number of values from 13:00 on, which a 12-hour clock lacks.
    beyond : int
        Number of values from 24:00 on.
    """

    n: int = 0
    late: int = 0
    beyond: int = 0

    def __or__(self, other: ClockValues) -> ClockValues:
        """Return the counts of two parts together."""
        return ClockValues(self.n + other.n, self.late + other.late, self.beyond + other.beyond)

    @classmethod
    def of(cls, values: Iterable[tuple[float, int]]) -> ClockValues:
        """Count the values a:b in all, those from 13:00 on and those from 24:00 on.

        `values` gives each distinct value, as 60 a + b, with its number of occurrences.
        """
        given = [(value, count) for value, count in values if count]
        late = sum(count for value, count in given if value >= NOON)
        return cls(sum(count for _, count in given), late, sum(count for value, count in given if value >= MIDNIGHT))

    @property
    def is_of_day(self) -> bool:
        """True if the values are read as times of a day, hours:minutes.

        They are if all of them lie before 24:00 and at least a tenth lie from 13:00 on.
        """
        return not self.beyond and self.late >= LATE * self.n > 0

    @property
    def unit(self) -> str:
        """The unit of 60 a + b: "min", "s", or "" if there are no values."""
        return ("min" if self.is_of_day else "s") if self.n else ""

    @property
    def reading(self) -> str:
        """How the values are read: "hours:minutes" or "minutes:seconds"."""
        return "hours:minutes" if self.is_of_day else "minutes:seconds"


class Durations(NamedTuple):
    """Distinct cells that are all durations.

    Attributes
    ----------
    seconds : dict of str to float
        The seconds of each cell; 60 a + b if `is_open`.
    is_open : bool
        Whether all cells are a:b, which may be minutes:seconds or hours:minutes.
    reading : str
        What a:b is read as because of the other notations, "lengths of time" if there is no a:b, or "" if `is_open`.
    """

    seconds: dict[str, float]
    is_open: bool
    reading: str = ""


def parse_durations(cells: Collection[str]) -> Durations | None:
    """Return the Durations of distinct cells, or None if one is not a duration.

    a:b is hours:minutes if there are cells such as "1d 03:00" or "3:20 h", and minutes:seconds if there are cells such
    as a:b:c, a:b.c or "3:20 min". If there are both, or only durations in words, nothing says what it is and the result
    is None. It is None too for single numbers with the units m and s alone.

    Parameters
    ----------
    cells : collection of str
        Distinct cells.

    Returns
    -------
    Durations or None
        The durations, or None.
    """
    parsed = {}
    for cell in cells:
        if (form_and_value := _parsed(cell)) is None:
            return None
        parsed[cell] = form_and_value
    if not parsed:
        return None
    forms = {form for form, _ in parsed.values()}
    if forms == {"a:b"}:
        return Durations({cell: value for cell, (_, value) in parsed.items()}, is_open=True)
    if "m" in forms and forms <= {"m", "single"}:
        return None
    by_hours = bool(forms & HOURS)
    if "a:b" in forms and by_hours == bool(forms & MINUTES):
        return None
    factor = 60.0 if by_hours else 1.0
    seconds = {cell: value * factor if form == "a:b" else value for cell, (form, value) in parsed.items()}
    reading = ("hours:minutes" if by_hours else "minutes:seconds") if "a:b" in forms else LENGTHS
    return Durations(seconds, is_open=False, reading=reading)


def seconds_in(unit: str) -> float:
    """Return the seconds in a unit of time, or 0.0 for another unit: m may be a metre, S a siemens."""
    if unit == "m" or (len(unit) == 1 and unit.isupper()):
        return 0.0
    return SECONDS.get(unit.lower(), 0.0)


def duration_form(cell: str) -> str:
    """Return the notation of a duration, or "" if a cell is none: cells of equal notation are read alike."""
    form_and_value = _parsed(cell)
    return form_and_value[0] if form_and_value else ""


def _parsed(cell):
    """Return (notation of a duration, its seconds, or 60 a + b for a:b), or None."""
    if len(cell) > LONGEST or not any(letter.isdigit() for letter in cell):
        return None
    if match := CLOCK.fullmatch(cell):
        return _clock(match)
    if match := ISO.fullmatch(cell):
        return "words", _sign(match) * sum(SECONDS[unit] * _float(match[unit] or "0") for unit in "wdhms")
    if match := WORDED.fullmatch(cell):
        parts = [(number, unit if len(unit) == 1 else unit.lower()) for number, unit in re.findall(PART, match[2])]
        sizes = [SECONDS.get(unit, 0.0) for _, unit in parts]
        if 0.0 in sizes or any(size <= after for size, after in pairwise(sizes)):
            return None  # a unit is unknown, or the units do not descend
        value = _sign(match) * sum(size * _float(number) for size, (number, _) in zip(sizes, parts, strict=True))
        return ("words" if len(parts) > 1 else "m" if parts[0][1] == "m" else "single"), value
    return None


def _clock(match):
    """Return (notation, value) of numbers with colons between them, or None."""
    unit, days = (match["unit"] or "").lower(), 86_400 * int(match["d"] or 0)
    value = 60.0 * int(match["a"]) + int(match["b"])
    if match["c"]:
        form, value = "a:b:c", 60 * value + _float(match["c"] + (match["fraction"] or ""))
    elif match["fraction"]:
        form, value = "a:b.c", value + _float("0" + match["fraction"])
    elif days:
        form, value = "d a:b", 60 * value
    elif unit:
        form, value = ("a:b min", value) if unit == "min" else ("a:b h", 60 * value)
    else:
        form = "a:b"
    if (match["plus"] and not days) or (days and match["fraction"] and not match["c"]):
        return None
    if match["plus"]:  # pandas writes minus one minute as -1 days +23:59:00
        return form, _sign(match) * days + value
    return form, _sign(match) * (days + value)


def _sign(match):
    return -1 if match["sign"] in ("-", "\u2212") else 1


def _float(text):
    return float(text.replace(",", "."))
