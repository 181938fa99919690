"""How numbers, gaps and dates are written: decimal commas, marks between thousands, words for what is missing."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from explorer.printing import listed

from .around import MINUS, Bare, bare, surroundings
from .beside import NOTHING, Beside, is_below
from .cells import Cells, Coded
from .columns import DIGITS, are_codes, begins_with_word, is_missing, is_padded, kept, missing, numbers
from .columns import number as plain_number
from .dates import days, order_of
from .durations import Clock, Lengths, form_of, lengths

MISSING_TOO = frozenset(
    "- \u2013 \u2014 . .. n/a n.a. <na> (null) none #n/a #na #n/v #div/0! #value! #num! #ref! #name? #null!".split()
)  # compared in lower case
A_LEVEL = "none"  # among words it is a level more often than a gap: no treatment
SIGNS = frozenset({"+"})  # among which - is the other sign
THOUSANDS = " \u00a0\u2009\u202f'\u2019"  # between groups of three digits, with a decimal point or a decimal comma
START, END = r"(?=[+-]?[.,]?\d)[+-]?(?:[1-9]\d{0,2}", r"(?:[eE][+-]?\d+)?"
LAKHS = r"[1-9]\d?(?:,\d\d)+,\d{3}"  # 12,34,567, as in India
POINT = re.compile(rf"{START}([,{THOUSANDS}])\d{{3}}(?:\1\d{{3}})*|{LAKHS}|\d+)?(?:\.\d*)?{END}")
COMMA = re.compile(rf"{START}([.{THOUSANDS}])\d{{3}}(?:\1\d{{3}})*|\d+)?(?:,\d+)?{END}")
BARE = {"point": DIGITS | set("+-.eE"), "comma": DIGITS | set("+-,eE")}  # the letters of most numbers
OPEN = re.compile(r",(?!\d)")  # a decimal comma without decimals
GROUPING = {"point": ",", "comma": "."}  # what else groups digits in a notation
FORMS = {"point": POINT, "comma": COMMA}
PLAIN = {  # from either notation to Python's
    "point": str.maketrans("", "", THOUSANDS + ","),
    "comma": str.maketrans(",", ".", THOUSANDS + "."),
}


Unusual: TypeAlias = dict[str, Any]  # remark -> True; "gaps" -> words, "units", "flags" -> those, "limits" -> how many


WORD, NUMERIC = ("word",), ("plain", "number")  # a trait, and what those of numbers begin with
SECONDS = "s"  # the unit of lengths of time


class Written(NamedTuple):
    """A column as it is read: its cells, "" where one is missing, its numbers or None, and whether these are dates.

    unit  what stands beside its numbers; limited  how many of them are limits, as of <0.5
    beside  what else stands there, and how often
    """

    cells: Cells | Coded
    numbers: np.ndarray | None
    dates: bool = False
    unit: str = ""
    limited: int = 0
    beside: Beside = NOTHING


class Reading(NamedTuple):
    """What a column's cells are in either notation: cell -> number, or None where one is no number.

    given  the different cells that are not missing; gaps  the words that are missing values beside `columns.MISSING`
    around  the numbers without what stands around them, where something does
    below  those of the gaps that are words for a value below the limit of detection, which only among numbers are gaps
    lengths  the lengths of time that the given cells are, if all are some and none is a number
    """

    cells: Cells | Coded
    given: frozenset[str]
    gaps: frozenset[str]
    point: dict[str, float] | None
    comma: dict[str, float] | None
    around: Bare | None = None
    below: frozenset[str] = frozenset()
    lengths: Lengths | None = None

    @classmethod
    def of(cls, cells: Iterable[str]) -> Self:
        """Read a column."""
        if isinstance(cells, Cells) and cells.marks != "." and not begins_with_word(cells):
            return cls(cells, frozenset(), frozenset(), None if cells.marks else {}, {})
        cells = Coded.each(cells)
        given = frozenset(cells.cells) - missing(cells.cells)
        gaps = frozenset(cell for cell in given if cell.lower() in MISSING_TOO)
        given -= gaps
        below = frozenset(filter(is_below, given))
        if below and given > below:
            found = cls._of(cells, given - below, gaps | below)._replace(below=below)
            if found.are_numbers:
                return found
        return cls._of(cells, given, gaps)

    @classmethod
    def _of(cls, cells, given, gaps):
        """The reading of different cells that are given, and of others that are gaps."""
        if not given:
            return cls(cells, given, gaps, None, None)
        texts = dict(zip(given, given, strict=True))
        point, comma = (_by(way, texts) for way in FORMS)
        around = bare(given) if point is None and comma is None else None
        if around is not None:
            point, comma = (_by(way, around.texts) for way in FORMS)
        spans = lengths(given) if point is None and comma is None else None
        return cls(cells, given, gaps, point, comma, around, lengths=spans)

    @property
    def are_numbers(self) -> bool:
        """Whether the given cells are numbers in some notation, or lengths of time."""
        return not (self.point is None and self.comma is None and self.lengths is None)

    @property
    def has_more(self) -> bool:
        """Whether something stands beside the plain numbers that is counted."""
        return bool(self.below or self.lengths or (self.around and (self.around.flags or self.around.limits)))

    def beside(self, times: Iterable[tuple[str, int]], values: Mapping[str, float]) -> Beside:
        """Return what stands beside the numbers, of some different cells, each with how often it occurs."""
        times = [(cell, count) for cell, count in times if count]
        words = {cell: count for cell, count in times if cell in self.below}
        if self.lengths is not None:
            seconds = self.lengths.seconds
            clock = Clock.of((seconds[cell], count) for cell, count in times if cell in seconds)
            return Beside(words, clock=clock if self.lengths.is_open else Clock(), reading=self.lengths.reading)
        flags: Counter[str] = Counter()
        limits: dict[str, Counter[float]] = {"<": Counter(), ">": Counter()}
        if self.around is not None:
            for cell, count in times:
                if flag := self.around.flags.get(cell):
                    flags[flag] += count
                if limit := self.around.limits.get(cell):
                    limits[limit][values[cell]] += count
        return Beside(words, dict(flags), dict(limits["<"]), dict(limits[">"]))

    @property
    def one_way(self) -> str:
        """ "point" or "comma" where only that notation fits, else ""."""
        if (self.point is None) == (self.comma is None):
            return ""
        return "point" if self.comma is None else "comma"

    @property
    def two_ways(self) -> bool:
        """Whether both notations fit and give other numbers, as of 1,234."""
        return self.point is not None and self.comma is not None and self.point != self.comma


def is_number(cell: str) -> bool:
    """Whether a cell is a number in one of the notations."""
    cell = cell.replace(MINUS, "-")
    return bool(POINT.fullmatch(cell) or COMMA.fullmatch(cell))


def number(cell: str) -> float | None:
    """The number in a cell in the notation that fits: NaN where it is missing, None where the cell is a word."""
    if is_missing(cell) or cell.lower() in MISSING_TOO:
        return math.nan
    return next(iter(readings_of(cell).values()), None)


def readings_of(cell: str) -> dict[str, float]:
    """notation -> the number in a cell, for those that it fits."""
    both = {way: _by(way, {cell: cell}) for way in FORMS}
    return {way: values[cell] for way, values in both.items() if values}


def columns(cells: Sequence[Sequence[str]], delimiter: str = "") -> tuple[list[Written], list[str]]:
    """(A Written for each column, remarks on what Python would not have read as it is read here).

    A number such as 1,234, which both notations allow, is read as the other columns are, else as the delimiter
    suggests: semicolons stand where commas are decimal. Where neither decides, it stays a word. Codes such as 007 do.
    """
    written, unusual = read(cells, delimiter)
    return written, remarks(unusual)


def read(cells: Sequence[Sequence[str]], delimiter: str = "") -> tuple[list[Written], Unusual]:
    """`columns`, with what is unusual in parts that can be put together with those of other rows."""
    cells = [kept(column) for column in cells]
    plain = [numbers(column) for column in cells]
    readings = [Reading.of(column) if values is None else None for column, values in zip(cells, plain, strict=True)]
    if any(each is not None and (each.two_ways or each.one_way == "comma") for each in readings):
        # only then does it matter how the columns are written that Python reads, and their cells are looked at
        readings = [each or Reading.of(column) for each, column in zip(readings, cells, strict=True)]
    ways = {each.one_way for each in readings if each is not None} - {""}
    if ways:
        way = ways.pop() if len(ways) == 1 else ""
        points_group = way == "comma"
    else:
        way, points_group = {";": "comma", ",": "point"}.get(delimiter, ""), False
    written, said = [], {}
    for column, values, reading in zip(cells, plain, readings, strict=True):
        if not isinstance(column, Cells) and are_codes(column.cells if reading is None else reading.given):
            written.append(_in_words(reading or Reading.of(column), said))
            said["numbers that begin with 0 taken as codes"] = True
        elif values is not None and not (points_group and reading is not None and reading.two_ways):
            written.append(Written(column, values))
        else:
            written.append(_settled(reading, way, said))
    return written, said


def trait(cell: str) -> tuple[Hashable, ...]:
    """What of a cell says how its column is read: where two cells have one trait, a column may do without either.

    WORD is that of a cell that makes words of its column, whatever else stands there.
    """
    lower = cell.lower()
    if is_missing(cell) or lower in MISSING_TOO:
        return "gap", lower
    if lower in ("true", "false"):
        return ("truth",)
    if cell in SIGNS:
        return ("sign",)
    if is_below(cell):
        return "below", lower
    inside = surroundings(cell)
    ways = readings_of(cell if inside is None else inside.text)
    differ = len(set(ways.values())) > 1
    if plain_number(cell) is not None:
        return NUMERIC[0], is_padded(cell), set(cell) <= DIGITS, tuple(ways), differ
    if inside is not None and ways:
        return NUMERIC[1], tuple(ways), differ, inside._replace(text=""), form_of(cell)
    if form := form_of(cell):
        return "length", form
    dates, counted = days([cell])
    return ("date", counted is None, order_of(cell)) if dates else WORD


def _settled(reading, way, said):
    """A column in the notation that is taken; `said` collects what is unusual of it."""
    if reading.lengths is not None:
        return _in_seconds(reading, said)
    way = reading.one_way or (way if reading.two_ways else "point")
    values = {"point": reading.point, "comma": reading.comma}.get(way)
    if values is None:
        return _in_words(reading, said)
    if isinstance(reading.cells, Cells):
        said["decimal commas"] = True
        return Written(reading.cells, reading.cells.values)
    around = reading.around
    letters = set("".join(around.texts.values() if around else values))
    if way == "comma" and "," in letters:
        said["decimal commas"] = True
    if letters & {*THOUSANDS, GROUPING[way]}:
        said["marks between thousands"] = True
    if MINUS in letters:
        said["printed minus signs"] = True
    cells = _without(reading.cells, reading.gaps, said)
    read = _taken(values, cells)
    beside = reading.beside(reading.cells.times.items(), values) if reading.has_more else NOTHING
    if around is None:
        return Written(cells, read, beside=beside)
    if around.unit:
        said.setdefault("units", {})[around.unit] = True
    if around.flags:
        said.setdefault("flags", {}).update(dict.fromkeys(around.flags.values(), True))
    if beside.limited:
        said["limits"] = said.get("limits", 0) + beside.limited
    if any(cell.startswith("(") for cell in values):
        said["negative numbers in brackets"] = True
    if any(cell.endswith(("-", MINUS)) for cell in values):
        said["signs behind numbers"] = True
    if any("d" in cell.lower() for cell, text in around.texts.items() if "e" in text):
        said["exponents written with D"] = True
    return Written(cells, read, unit=around.unit, limited=beside.limited, beside=beside)


def _in_seconds(reading, said):
    """A column of lengths of time; of a:b alone, 60 a + b, the unit depends on all values, see `durations.Clock`."""
    seconds = reading.lengths.seconds
    cells = _without(reading.cells, reading.gaps, said)
    read = _taken(seconds, cells)
    said["lengths of time as numbers"] = True
    unit = "" if reading.lengths.is_open else SECONDS
    return Written(cells, read, unit=unit, beside=reading.beside(reading.cells.times.items(), seconds))


def _in_words(reading, said):
    """A column that holds no numbers: dates, words or nothing."""
    given, gaps = reading.given | reading.below, reading.gaps - reading.below
    dates, counted = days(given) if given else (False, None)
    if given and not dates:
        gaps = frozenset() if given <= SIGNS else frozenset(gap for gap in gaps if gap.lower() != A_LEVEL)
    cells = _without(reading.cells, gaps, said)
    values = None if counted is None else _taken(counted, cells)
    return Written(cells, values, dates)


def _without(cells, gaps, said):
    """The cells, with "" for these words."""
    if not gaps:
        return cells
    said.setdefault("gaps", set()).update(gaps)
    return cells.without(gaps)


def _taken(values, cells):
    """The number of each cell, NaN where it has none."""
    return np.array([values.get(cell, math.nan) for cell in cells.cells], dtype=np.float64)[cells.codes]


def _by(way, texts):
    """cell -> number of its text in a notation, or None where one is none."""
    if (found := _at_once(way, texts)) is not None:
        return found
    values, fits, plain = {}, FORMS[way].fullmatch, PLAIN[way]
    for cell, written in texts.items():
        text = written.replace(MINUS, "-")
        if fits(text):
            text = text.translate(plain)
        elif not text.lstrip("+-").isalpha():  # inf is a number to be refused, and no word
            return None
        try:
            values[cell] = float(text)
        except ValueError:
            return None
    return values


def _at_once(way, texts):
    """`_by` of texts in which nothing but digits, signs, exponents and one decimal mark stands; None of others."""
    letters, each = BARE[way], list(texts.values())
    if not set(each[0]) <= letters or not set("".join(each)) <= letters:
        return None
    if way == "comma":
        if any(map(OPEN.search, each)):
            return None
        each = [text.replace(",", ".") for text in each]
    try:
        return dict(zip(texts, map(float, each), strict=True))
    except ValueError:
        return None


def remarks(said: Unusual) -> list[str]:
    """What is unusual, in words."""
    gaps, units, limits = sorted(said.get("gaps", ())), said.get("units", {}), said.get("limits", 0)
    remarks = [key for key in said if key not in ("gaps", "units", "flags", "limits")]
    if units:
        remarks.append(f"units beside numbers ({listed(units)})")
    if flags := said.get("flags"):
        remarks.append(f"flags beside numbers ({listed(flags)})")
    if limits:
        remarks.append(f"{limits} value{'s' * (limits > 1)} below or above a limit, taken as the limit")
    return [*remarks, *([f"{' and '.join(gaps)} as missing"] if gaps else [])]
