"""How numbers, gaps and dates are written: decimal commas, marks between thousands, words for what is missing."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from explorer.datasets.files.lazy_cells import ROUND, Cells, Coded, different
from explorer.printing import join_list

from .cell_counts import NOTHING, CellCounts, is_below
from .cell_decorations import MINUS, PLAIN_MINUS, PlainNumbers, strip_decorations, digits_of, parse_decorations
from .dates import parse_dates, date_order
from .durations import ClockValues, Durations, duration_form, parse_durations
from .scales import ALIKE, Magnitude
from .table import (
    DIGITS,
    are_padded_codes,
    begins_with_word,
    is_missing,
    is_padded,
    encode_cells,
    missing_cells,
    parse_numbers,
)
from .table import parse_number_strict as plain_number

MISSING_TOO = frozenset(
    "- \u2013 \u2014 -- --- . .. ... n/a n.a. <na> (null) <null> [null] \\n (blank) none #n/a #na #n/v #nv #div/0!"
    " #value! #num! #zahl! #ref! #bezug! #wert! #name? #null! #spill! #calc! #error!".split()
)  # compared in lower case
A_LEVEL = "none"  # among words it is a level more often than a gap: no treatment
SIGNS = frozenset({"+"})  # among which - is the other sign
THOUSANDS = (
    " \u00a0\u2007\u2009\u202f'\u2019\u00b4`"  # between groups of three digits, with a decimal point or a decimal comma
)
START, END = r"(?=[+-]?[.,]?\d)[+-]?(?:[1-9]\d{0,2}", r"(?:[eE][+-]?\d+)?"
LAKHS = r"[1-9]\d?(?:,\d\d)+,\d{3}"  # 12,34,567, as in India
POINT = re.compile(rf"{START}([,{THOUSANDS}])\d{{3}}(?:\1\d{{3}})*|{LAKHS}|\d+)?(?:\.\d*)?{END}")
COMMA = re.compile(rf"{START}([.{THOUSANDS}])\d{{3}}(?:\1\d{{3}})*|\d+)?(?:,\d+)?{END}")
OF_FORTRAN = re.compile(r"\d[dD][+-]?\d")  # an exponent
BARE = {"point": DIGITS | set("+-.eE"), "comma": DIGITS | set("+-,eE")}  # the letters of most numbers
OPEN = re.compile(r",(?!\d)")  # a decimal comma without decimals
GROUPING = {"point": ",", "comma": "."}  # what else groups digits in a notation
FORMS = {"point": POINT, "comma": COMMA}
SMALL = re.compile(r"[+-]?[1-9]\d{0,2}")  # a whole number that needs no mark between thousands
IN_GROUPS = re.compile(r"0|[+-]?[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*")
PADDED = re.compile(r"(?m)^0[0-9]")
START_AT, ROUNDED = 1000, 1e-6  # numbers that are looked at first; by which a thousand times 1.234 may differ from 1234
PLAIN = {  # from either notation to Python's
    "point": str.maketrans("", "", THOUSANDS + ","),
    "comma": str.maketrans(",", ".", THOUSANDS + "."),
}


Remarks: TypeAlias = dict[
    str, Any
]  # remark -> True; "gaps" -> words, "units", "flags", "sizes" -> those, "limits" -> how many


WORD, NUMERIC = ("word",), ("plain", "number")  # a trait, and what those of numbers begin with
FEW = 10  # different numbers that are too few for a median
SECONDS = "s"  # the unit of lengths of time


class ParsedColumn(NamedTuple):
    """A column as it is read: its cells, "" where one is missing, its numbers or None, and whether these are dates.

    unit  what stands beside its numbers; limited  how many of them are limits, as of <0.5
    beside  what else stands there, and how often
    """

    cells: Cells | Coded
    numbers: np.ndarray | None
    dates: bool = False
    unit: str = ""
    n_limits: int = 0
    cell_counts: CellCounts = NOTHING


class ColumnReadings(NamedTuple):
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
    plain_numbers: PlainNumbers | None = None
    below: frozenset[str] = frozenset()
    durations: Durations | None = None

    @classmethod
    def of(cls, cells: Iterable[str]) -> Self:
        """Read a column."""
        if isinstance(cells, Cells) and cells.marks != "." and not begins_with_word(cells):
            return cls(cells, frozenset(), frozenset(), None if cells.marks else {}, {})
        cells = Coded.each(cells)
        given = frozenset(cells.cells) - missing_cells(cells.cells)
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
        point, comma = (_parse_texts(way, texts) for way in FORMS)
        are_words = point is None and comma is None
        around = (
            strip_decorations(given) if are_words and not parse_dates(given)[0] else None
        )  # 2026 Mar is no number with a unit
        if around is not None:
            point, comma = (_parse_texts(way, around.texts) for way in FORMS)
        spans = parse_durations(given) if point is None and comma is None else None
        return cls(cells, given, gaps, point, comma, around, durations=spans)

    @property
    def are_numbers(self) -> bool:
        """Whether the given cells are numbers in some notation, or lengths of time."""
        return not (self.point is None and self.comma is None and self.durations is None)

    @property
    def has_more(self) -> bool:
        """Whether something stands beside the plain numbers that is counted."""
        around = self.plain_numbers
        return bool(self.below or self.durations or (around and (around.flags or around.limits or around.sizes)))

    def count_cells(self, times: Iterable[tuple[str, int]], values: Mapping[str, float]) -> CellCounts:
        """Return what stands beside the numbers, of some different cells, each with how often it occurs."""
        times = [(cell, count) for cell, count in times if count]
        words = {cell: count for cell, count in times if cell in self.below}
        if self.durations is not None:
            seconds = self.durations.seconds
            clock = ClockValues.of((seconds[cell], count) for cell, count in times if cell in seconds)
            return CellCounts(
                words, clock=clock if self.durations.is_open else ClockValues(), reading=self.durations.reading
            )
        flags: Counter[str] = Counter()
        sizes: Counter[str] = Counter()
        limits: dict[str, Counter[float]] = {"<": Counter(), ">": Counter()}
        if self.plain_numbers is not None:
            for cell, count in times:
                if flag := self.plain_numbers.flags.get(cell):
                    flags[flag] += count
                if size := self.plain_numbers.sizes.get(cell):
                    sizes[size] += count
                if limit := self.plain_numbers.limits.get(cell):
                    limits[limit][values[cell]] += count
        return CellCounts(words, dict(flags), dict(limits["<"]), dict(limits[">"]), sizes=dict(sizes))

    @property
    def only_notation(self) -> str:
        """ "point" or "comma" where only that notation fits, else ""."""
        if (self.point is None) == (self.comma is None):
            return ""
        return "point" if self.comma is None else "comma"

    @property
    def is_ambiguous(self) -> bool:
        """Whether both notations fit and give other numbers, as of 1,234."""
        return self.point is not None and self.comma is not None and self.point != self.comma


def is_number(cell: str) -> bool:
    """Whether a cell is a number in one of the notations."""
    cell = cell.translate(PLAIN_MINUS)
    return bool(POINT.fullmatch(cell) or COMMA.fullmatch(cell))


def parse_number_lenient(cell: str) -> float | None:
    """The number in a cell in the notation that fits: NaN where it is missing, None where the cell is a word."""
    if is_missing(cell) or cell.lower() in MISSING_TOO:
        return math.nan
    return next(iter(readings_of(cell).values()), None)


def number_text(cell: str) -> str:
    """The number in a cell as it is written, without what stands around it."""
    inside = parse_decorations(cell)
    return cell if inside is None else inside.text


def readings_of(cell: str) -> dict[str, float]:
    """notation -> the number in a cell, for those that it fits."""
    both = {way: _parse_texts(way, {cell: cell}) for way in FORMS}
    return {way: values[cell] for way, values in both.items() if values}


def parse_columns(cells: Sequence[Sequence[str]], delimiter: str = "") -> tuple[list[ParsedColumn], list[str]]:
    """(A Written for each column, remarks on what Python would not have read as it is read here).

    A number such as 1,234, which both notations allow, is read as the other columns are, else as the delimiter
    suggests: semicolons stand where commas are decimal. Where neither decides, it stays a word. Codes such as 007 do.
    """
    written, unusual = parse_with_remarks(cells, delimiter)
    return written, describe_remarks(unusual)


def parse_with_remarks(cells: Sequence[Sequence[str]], delimiter: str = "") -> tuple[list[ParsedColumn], Remarks]:
    """`columns`, with what is unusual in parts that can be put together with those of other rows."""
    cells = [encode_cells(column) for column in cells]
    plain = [parse_numbers(column) for column in cells]
    readings = [
        ColumnReadings.of(column) if values is None or may_be_grouped(values, column) else None
        for column, values in zip(cells, plain, strict=True)
    ]
    certain: set[str] = set()
    if any(each is not None and (each.is_ambiguous or each.only_notation == "comma") for each in readings):
        # only then does it matter how the columns are written that Python reads, and their cells are looked at
        certain = {"point"} if any(isinstance(c, Cells) and _has_fractions(c.values) for c in cells) else set()
        readings = [
            each or (None if isinstance(column, Cells) and not _has_silent_point(column) else ColumnReadings.of(column))
            for each, column in zip(readings, cells, strict=True)
        ]
    ways = ({each.only_notation for each in readings if each is not None} | certain) - {""}
    way = (ways.pop() if len(ways) == 1 else "both") if ways else ""
    written, said = [], {}
    for column, values, reading in zip(cells, plain, readings, strict=True):
        if not isinstance(column, Cells) and are_padded_codes(column.cells if reading is None else reading.given):
            written.append(_in_words(reading or ColumnReadings.of(column), said))
            said["numbers that begin with 0 taken as codes"] = True
        elif values is not None and _are_months(column, values):
            written.append(_in_words(ColumnReadings.of(column), said))
        elif values is not None and (reading is None or not reading.is_ambiguous):
            written.append(ParsedColumn(column, values))
        else:
            reading = reading or ColumnReadings.of(column)
            taken = "" if not reading.is_ambiguous else _choose_notation(reading, way, delimiter, values is not None)
            if values is not None and taken == "point":
                written.append(ParsedColumn(column, values))
            else:
                written.append(_resolve(reading, taken, said))
    return written, said


def may_be_grouped(values: np.ndarray, cells: Cells | Sequence[str] = ()) -> bool:
    """Return whether numbers that have been read by a decimal point may be groups of digits, as 1.250 may be 1250.

    Those with a fraction have three decimals and are no smaller than 1, and all are smaller than 1000. If none has one,
    a cell such as 1.000 says so.
    """
    for some in (values[:START_AT], values):
        x = np.abs(some[~np.isnan(some)])
        fraction = x != np.rint(x)
        y = 1000 * x[fraction]
        if not len(y):
            if some is values:
                return not (x >= 1000).any() and _are_rounded(cells)
            continue
        if (x >= 1000).any() or (y < 1000).any() or (np.abs(y - np.rint(y)) > ROUNDED).any():
            return False
    return True


def are_small(values: np.ndarray) -> bool:
    """Return whether numbers are whole and smaller than 1000, as those of cells like 1.000 are."""
    x = np.abs(values[~np.isnan(values)])
    return bool((x < 1000).all() and (x == np.rint(x)).all())


def _are_rounded(cells):
    """Whether a cell may be like 1.000."""
    if isinstance(cells, Cells):
        return cells.column in cells.grid.rounded
    return any(cell.endswith(ROUND.decode()) for cell in different(cells))


def may_be_read_otherwise(cells: Sequence[str], values: np.ndarray | None) -> bool:
    """Return whether words that have been read as numbers may be others, as 1.250 may be, or codes, as 007 is one."""
    return (values is not None and may_be_grouped(values, cells)) or PADDED.search("\n".join(cells)) is not None


def _are_months(column, values):
    """Whether numbers such as 3.2026 are written as months, 03.2026, all of them, and one begins with 0."""
    x = values[~np.isnan(values)]
    if isinstance(column, Cells) or not len(x) or (x < 1).any() or (x >= 13).any() or not (x != np.rint(x)).all():
        return False
    given = [cell for cell in set(column) if not is_missing(cell)]
    return any(map(is_padded, given)) and parse_dates(given)[0]


def _has_fractions(values):
    """Whether the numbers of a column that has been read by decimal points say that it has them."""
    return bool((values != np.rint(values))[~np.isnan(values)].any()) and not may_be_grouped(values)


def _has_silent_point(column):
    """Whether numbers without a fraction may be written with a point, as 0.0 is, which only their cells say."""
    return not _has_fractions(column.values) and column.column in column.grid.pointed


def _choose_notation(reading, way, delimiter, is_plain):
    """The notation of a column that both fit, in a table whose other columns have a way; "" if nothing says which.

    Whole numbers below 1000 beside numbers such as 1.250 say that the point groups digits: with three decimals they
    would have a point, and without trailing zeros 1.250 would have none. In files with semicolons points may do both.
    """
    texts = reading.plain_numbers.texts.values() if reading.plain_numbers else reading.given
    marks = {mark for mark in ".," if any(mark in text for text in texts)}
    if len(marks) != 1:
        return "" if way == "both" else way
    decimal, grouping = ("point", "comma") if marks == {"."} else ("comma", "point")
    if are_grouped(texts):
        return grouping
    if way == "both":
        return decimal if is_plain else ""
    if way:
        return way
    if marks == {"."}:
        return "" if delimiter == ";" else "point"
    return {";": "comma", ",": "point"}.get(delimiter, "")


def are_grouped(texts: Collection[str]) -> bool:
    """Return whether numbers such as 980 and 1.250 say by themselves that their mark groups digits."""
    small = [text for text in texts if SMALL.fullmatch(text)]
    marked = [text for text in texts if not text.isdecimal() and not SMALL.fullmatch(text)]
    return bool(small) and any(text.endswith("0") for text in marked) and all(map(IN_GROUPS.fullmatch, marked))


def cell_pattern(cell: str) -> tuple[Hashable, ...]:
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
    dates = parse_dates([cell]) if plain_number(cell) is None else (False, None)
    inside = parse_decorations(cell) if not dates[0] else None
    ways = readings_of(cell if inside is None else inside.text)
    differ = len(set(ways.values())) > 1
    if plain_number(cell) is not None:
        form = is_padded(cell), set(cell) <= DIGITS, tuple(ways), differ, len(digits_of(cell)) > 1
        return NUMERIC[0], *form, _grouping(cell, differ)
    if inside is not None and ways:
        return (
            NUMERIC[1],
            tuple(ways),
            differ,
            inside._replace(text=""),
            duration_form(cell),
            _grouping(inside.text, differ),
        )
    if form := duration_form(cell):
        return "length", form
    return ("date", dates[1] is None, date_order(cell)) if dates[0] else WORD


def _grouping(text, differ):
    """What of a number `are_grouped` looks at."""
    return bool(SMALL.fullmatch(text)), differ and text.endswith("0")


def parse_in_notation(cells: Sequence[str], way: str) -> ParsedColumn:
    """Return a column of numbers that fits both notations as it is read in one of them, "point" or "comma"."""
    return _resolve(ColumnReadings.of(cells), way, {})


def _resolve(reading, way, said):
    """A column in the notation that is taken; `said` collects what is unusual of it."""
    if reading.durations is not None:
        return _in_seconds(reading, said)
    way = reading.only_notation or (way if reading.is_ambiguous else "point")
    if not way:
        return _in_words(reading, said)._replace(cell_counts=CellCounts(ambiguous=ambiguous_cell(reading)))
    values = {"point": reading.point, "comma": reading.comma}.get(way)
    if values is None:
        return _in_words(reading, said)
    if isinstance(reading.cells, Cells):
        said["decimal commas"] = True
        return ParsedColumn(reading.cells, reading.cells.values)
    around = reading.plain_numbers
    letters = set("".join(around.texts.values() if around else values))
    if way == "comma" and "," in letters:
        said["decimal commas"] = True
    if letters & {*THOUSANDS, GROUPING[way]}:
        said["marks between thousands"] = True
    if letters & {*MINUS}:
        said["printed minus signs"] = True
    cells = _without(reading.cells, reading.gaps, said)
    read = _values_of(values, cells)
    beside = reading.count_cells(reading.cells.times.items(), values) if reading.has_more else NOTHING
    if around is None:
        return ParsedColumn(cells, read, cell_counts=beside)
    if around.without_unit and not _are_of_one_size(values, around.without_unit):
        return _in_words(reading, said)
    if around.unit:
        said.setdefault("units", {})[around.unit] = True
    if around.flags:
        said.setdefault("flags", {}).update(dict.fromkeys(around.flags.values(), True))
    if around.sizes:
        said.setdefault("sizes", {}).update(dict.fromkeys(around.sizes.values(), True))
    if beside.n_limits:
        said["limits"] = said.get("limits", 0) + beside.n_limits
    if any(cell.startswith("(") for cell in values):
        said["negative numbers in brackets"] = True
    if any(cell.endswith(("-", *MINUS)) for cell in values):
        said["signs behind numbers"] = True
    if any(OF_FORTRAN.search(cell) for cell, text in around.texts.items() if "e" in text):
        said["exponents written with D"] = True
    return ParsedColumn(cells, read, unit=around.unit, n_limits=beside.n_limits, cell_counts=beside)


def _are_of_one_size(values, alone):
    """Whether numbers without a unit may be in that of the others of their column: they lie where those do."""
    own, other = (np.abs([x for cell, x in values.items() if (cell in alone) == bare]) for bare in (True, False))
    within = other.min() / ALIKE <= np.median(own) <= other.max() * ALIKE
    return bool(within and (min(len(own), len(other)) < FEW or Magnitude.of(own).is_like(Magnitude.of(other))))


def ambiguous_cell(reading: ColumnReadings) -> str:
    """Return the first cell of a column that fits both notations and is another number in each."""
    point, comma = reading.point or {}, reading.comma or {}
    return next(cell for cell in reading.cells if point.get(cell) != comma.get(cell))


def _in_seconds(reading, said):
    """A column of lengths of time; of a:b alone, 60 a + b, the unit depends on all values, see `durations.Clock`."""
    seconds = reading.durations.seconds
    cells = _without(reading.cells, reading.gaps, said)
    read = _values_of(seconds, cells)
    said["lengths of time as numbers"] = True
    unit = "" if reading.durations.is_open else SECONDS
    return ParsedColumn(cells, read, unit=unit, cell_counts=reading.count_cells(reading.cells.times.items(), seconds))


def _in_words(reading, said):
    """A column that holds no numbers: dates, words or nothing."""
    given, gaps = reading.given | reading.below, reading.gaps - reading.below
    dates, counted = parse_dates(given) if given else (False, None)
    if given and not dates:
        gaps = frozenset() if given <= SIGNS else frozenset(gap for gap in gaps if gap.lower() != A_LEVEL)
    cells = _without(reading.cells, gaps, said)
    values = None if counted is None else _values_of(counted, cells)
    return ParsedColumn(cells, values, dates)


def _without(cells, gaps, said):
    """The cells, with "" for these words."""
    if not gaps:
        return cells
    said.setdefault("gaps", set()).update(gaps)
    return cells.without(gaps)


def _values_of(values, cells):
    """The number of each cell, NaN where it has none."""
    return np.array([values.get(cell, math.nan) for cell in cells.cells], dtype=np.float64)[cells.codes]


def _parse_texts(way, texts):
    """cell -> number of its text in a notation, or None where one is none."""
    if (found := _parse_plain_texts(way, texts)) is not None:
        return found
    values, fits, plain = {}, FORMS[way].fullmatch, PLAIN[way]
    for cell, written in texts.items():
        text = written.translate(PLAIN_MINUS)
        if fits(text):
            text = text.translate(plain)
        elif not text.lstrip("+-").isalpha():  # inf is a number to be refused, and no word
            return None
        try:
            values[cell] = float(text)
        except ValueError:
            return None
    return values


def _parse_plain_texts(way, texts):
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


def describe_remarks(said: Remarks) -> list[str]:
    """What is unusual, in words."""
    gaps, units, limits = sorted(said.get("gaps", ())), said.get("units", {}), said.get("limits", 0)
    remarks = [key for key in said if key not in ("gaps", "units", "flags", "limits", "sizes")]
    if units:
        remarks.append(f"units beside numbers ({join_list(units)})")
    if flags := said.get("flags"):
        remarks.append(f"flags beside numbers ({join_list(flags)})")
    if sizes := said.get("sizes"):
        remarks.append(f"{join_list(sizes)} beside numbers, which are so many times as large")
    if limits:
        remarks.append(f"{limits} value{'s' * (limits > 1)} below or above a limit, taken as the limit")
    return [*remarks, *([f"{' and '.join(gaps)} as missing"] if gaps else [])]
