"""Notations of numbers, gaps and dates: decimal commas, thousands separators, words for missing values."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from explorer.datasets.files.lazy_cells import ROUND, EncodedColumn, LazyCells, distinct_cells
from explorer.printing import join_list

from .cell_counts import NOTHING, CellCounts, is_below
from .cell_decorations import MINUS, PLAIN_MINUS, PlainNumbers, digits_of, parse_decorations, size_of, strip_decorations
from .dates import date_order, parse_dates
from .durations import ClockValues, Durations, duration_form, parse_durations
from .scales import ALIKE, Magnitude
from .table import (
    DIGITS,
    are_padded_codes,
    begins_with_word,
    encode_cells,
    is_missing,
    is_padded,
    missing_cells,
    parse_numbers,
)
from .table import parse_number_strict as plain_number

MISSING_TOO = frozenset(
    "- \u2013 \u2014 -- --- . .. ... n/a n.a. <na> (null) <null> [null] \\n (blank) none #n/a #na #n/v #nv #div/0!"
    " #value! #num! #zahl! #ref! #bezug! #wert! #name? #null! #spill! #calc! #error!".split()
)  # compared in lower case
A_LEVEL = "none"  # among words it is more often a level, such as no treatment, than a gap
SIGNS = frozenset({"+"})  # among these cells, - is the other sign and not a gap
# marks between groups of three digits, with a decimal point or a decimal comma
THOUSANDS = " \u00a0\u2007\u2009\u202f'\u2019\u00b4`"
START, END = r"(?=[+-]?[.,]?\d)[+-]?(?:[1-9]\d{0,2}", r"(?:[eE][+-]?\d+)?"
LAKHS = r"[1-9]\d?(?:,\d\d)+,\d{3}"  # 12,34,567, as in India
POINT = re.compile(rf"{START}([,{THOUSANDS}])\d{{3}}(?:\1\d{{3}})*|{LAKHS}|\d+)?(?:\.\d*)?{END}")
COMMA = re.compile(rf"{START}([.{THOUSANDS}])\d{{3}}(?:\1\d{{3}})*|\d+)?(?:,\d+)?{END}")
OF_FORTRAN = re.compile(r"\d[dD][+-]?\d")  # an exponent as Fortran writes it
BARE = {"point": DIGITS | set("+-.eE"), "comma": DIGITS | set("+-,eE")}  # the characters of most numbers
OPEN = re.compile(r",(?!\d)")  # a decimal comma without decimals
GROUPING = {"point": ",", "comma": "."}  # the mark that groups digits in a notation, apart from THOUSANDS
FORMS = {"point": POINT, "comma": COMMA}
SMALL = re.compile(r"[+-]?[1-9]\d{0,2}")  # a whole number that needs no mark between thousands
IN_GROUPS = re.compile(r"0|[+-]?[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*")
PADDED = re.compile(r"(?m)^0[0-9]")
START_AT = 1000  # number of values that are checked first
ROUNDED = 1e-6  # largest rounding error of a thousand times 1.234
PLAIN = {  # translation of either notation to Python's
    "point": str.maketrans("", "", THOUSANDS + ","),
    "comma": str.maketrans(",", ".", THOUSANDS + "."),
}


# a remark -> True; "gaps" -> words; "units", "flags" and "sizes" -> these, each to True; "limits" -> their number
Remarks: TypeAlias = dict[str, Any]

WORD = ("word",)  # pattern of a cell that makes its column text
NUMERIC = ("plain", "number")  # first parts of the patterns of numbers
FEW = 10  # fewer distinct numbers are too few for a median
SECONDS = "s"  # the unit of durations


class ParsedColumn(NamedTuple):
    """A parsed column.

    Attributes
    ----------
    cells : LazyCells or EncodedColumn
        The cells, "" if one is missing.
    numbers : ndarray of shape (n,) or None
        The numbers, or None for text.
    dates : bool
        Whether the numbers are dates.
    unit : str
        The unit that is written next to the numbers.
    n_limits : int
        Number of cells that give only a limit of their value, as in <0.5.
    cell_counts : CellCounts
        Counts of the cells that are not plain numbers.
    """

    cells: LazyCells | EncodedColumn
    numbers: np.ndarray | None
    dates: bool = False
    unit: str = ""
    n_limits: int = 0
    cell_counts: CellCounts = NOTHING


class ColumnReadings(NamedTuple):
    """The readings of a column's cells in both notations, by decimal points and by decimal commas.

    Attributes
    ----------
    cells : LazyCells or EncodedColumn
        The cells.
    given : frozenset of str
        The distinct cells that are not missing.
    gaps : frozenset of str
        The words that are missing values in addition to `table.MISSING`.
    point : dict of str to float or None
        The number of each cell with a decimal point, or None if one is not a number.
    comma : dict of str to float or None
        The number of each cell with a decimal comma, or None if one is not a number.
    plain_numbers : PlainNumbers or None
        The numbers without their decorations, if there are any.
    below : frozenset of str
        Those of the gaps that are words for a value below the limit of detection, which are gaps only among numbers.
    durations : Durations or None
        The durations that the cells are, if all of them are durations and none is a number.
    """

    cells: LazyCells | EncodedColumn
    given: frozenset[str]
    gaps: frozenset[str]
    point: dict[str, float] | None
    comma: dict[str, float] | None
    plain_numbers: PlainNumbers | None = None
    below: frozenset[str] = frozenset()
    durations: Durations | None = None

    @classmethod
    def of(cls, cells: Iterable[str]) -> Self:
        """Read the cells of a column."""
        if isinstance(cells, LazyCells) and cells.marks != "." and not begins_with_word(cells):
            return cls(cells, frozenset(), frozenset(), None if cells.marks else {}, {})
        cells = EncodedColumn.from_cells(cells)
        given = frozenset(cells.cells) - missing_cells(cells.cells)
        gaps = frozenset(cell for cell in given if cell.lower() in MISSING_TOO)
        given -= gaps
        below = frozenset(filter(is_below, given))
        if below and given > below:
            readings = cls._of(cells, given - below, gaps | below)._replace(below=below)
            if readings.are_numbers:
                return readings
        return cls._of(cells, given, gaps)

    @classmethod
    def _of(cls, cells, given, gaps):
        """Return the readings of distinct cells, divided into given ones and gaps."""
        if not given:
            return cls(cells, given, gaps, None, None)
        texts = dict(zip(given, given, strict=True))
        point, comma = (_parse_texts(way, texts) for way in FORMS)
        are_words = point is None and comma is None
        # 2026 Mar is a date and not a number with a unit
        around = strip_decorations(given) if are_words and not parse_dates(given)[0] else None
        if around is not None:
            point, comma = (_parse_texts(way, around.texts) for way in FORMS)
        spans = parse_durations(given) if point is None and comma is None else None
        return cls(cells, given, gaps, point, comma, around, durations=spans)

    @property
    def are_numbers(self) -> bool:
        """True if the given cells are numbers in one of the notations, or durations."""
        return not (self.point is None and self.comma is None and self.durations is None)

    @property
    def has_more(self) -> bool:
        """True if there are cells to count in `CellCounts`."""
        around = self.plain_numbers
        return bool(self.below or self.durations or (around and (around.flags or around.limits or around.sizes)))

    def count_cells(self, times: Iterable[tuple[str, int]], values: Mapping[str, float]) -> CellCounts:
        """Return the CellCounts of distinct cells, given as pairs of a cell and its number of occurrences."""
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
        """The notation, "point" or "comma", if only one of them fits, otherwise ""."""
        if (self.point is None) == (self.comma is None):
            return ""
        return "point" if self.comma is None else "comma"

    @property
    def is_ambiguous(self) -> bool:
        """True if both notations fit and give different numbers, as for 1,234."""
        return self.point is not None and self.comma is not None and self.point != self.comma


def is_number(cell: str) -> bool:
    """Return whether a cell is a number in one of the notations."""
    cell = cell.translate(PLAIN_MINUS)
    return bool(POINT.fullmatch(cell) or COMMA.fullmatch(cell))


def parse_number_lenient(cell: str) -> float | None:
    """Return the number in a cell in the notation that fits: NaN for a missing value, None for a word."""
    if is_missing(cell) or cell.lower() in MISSING_TOO:
        return math.nan
    return next(iter(readings_of(cell).values()), None)


def number_text(cell: str) -> str:
    """Return the text of the number in a cell, without its decorations."""
    inside = parse_decorations(cell)
    return cell if inside is None else inside.text


def readings_of(cell: str) -> dict[str, float]:
    """Return the number in a cell by each notation that fits it."""
    both = {way: _parse_texts(way, {cell: cell}) for way in FORMS}
    return {way: values[cell] for way, values in both.items() if values}


def parse_columns(cells: Sequence[Sequence[str]], delimiter: str = "") -> tuple[list[ParsedColumn], list[str]]:
    """Return a ParsedColumn for each column, and remarks on what Python would not have parsed in this way.

    A number such as 1,234, which both notations allow, is read as the table's other columns are. If they do not decide,
    the delimiter does: semicolons are used when commas are decimal. If neither decides, the number stays a word. So do
    codes such as 007.
    """
    parsed, remarks = parse_with_remarks(cells, delimiter)
    return parsed, describe_remarks(remarks)


def parse_with_remarks(cells: Sequence[Sequence[str]], delimiter: str = "") -> tuple[list[ParsedColumn], Remarks]:
    """Return the columns of `parse_columns` and the remarks in parts, which can be merged with those of other rows."""
    cells = [encode_cells(column) for column in cells]
    plain = [parse_numbers(column) for column in cells]
    readings = [
        ColumnReadings.of(column) if values is None or may_be_grouped(values, column) else None
        for column, values in zip(cells, plain, strict=True)
    ]
    certain: set[str] = set()
    if any(each is not None and (each.is_ambiguous or each.only_notation == "comma") for each in readings):
        # only then does the notation of the columns that Python can parse matter, so only then are their cells cut out
        certain = {"point"} if any(isinstance(c, LazyCells) and _has_fractions(c.values) for c in cells) else set()
        readings = [
            each
            or (None if isinstance(column, LazyCells) and not _has_silent_point(column) else ColumnReadings.of(column))
            for each, column in zip(readings, cells, strict=True)
        ]
    ways = ({each.only_notation for each in readings if each is not None} | certain) - {""}
    way = (ways.pop() if len(ways) == 1 else "both") if ways else ""
    written, remarks = [], {}
    for column, values, reading in zip(cells, plain, readings, strict=True):
        if not isinstance(column, LazyCells) and are_padded_codes(column.cells if reading is None else reading.given):
            written.append(_in_words(reading or ColumnReadings.of(column), remarks))
            remarks["numbers that begin with 0 taken as codes"] = True
        elif values is not None and _are_months(column, values):
            written.append(_in_words(ColumnReadings.of(column), remarks))
        elif values is not None and (reading is None or not reading.is_ambiguous):
            written.append(ParsedColumn(column, values))
        else:
            reading = reading or ColumnReadings.of(column)
            taken = "" if not reading.is_ambiguous else _choose_notation(reading, way, delimiter, values is not None)
            if values is not None and taken == "point":
                written.append(ParsedColumn(column, values))
            else:
                written.append(_resolve(reading, taken, remarks))
    return written, remarks


def may_be_grouped(values: np.ndarray, cells: LazyCells | Sequence[str] = ()) -> bool:
    """Return whether numbers that were read with a decimal point may have points between thousands: 1.250 may be 1250.

    They may if all are smaller than 1000, and those with a fraction have three decimals and are at least 1. If no
    number has a fraction, a cell such as 1.000 has to have a point.

    Parameters
    ----------
    values : ndarray of shape (n,)
        The numbers, NaN for missing ones.
    cells : Cells or sequence of str, default ()
        The cells that they were read from.

    Returns
    -------
    bool
        Whether the points may group digits.
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
    """Return whether numbers are whole and smaller than 1000, as those of cells such as 1.000 are."""
    x = np.abs(values[~np.isnan(values)])
    return bool((x < 1000).all() and (x == np.rint(x)).all())


def _are_rounded(cells):
    """Return whether a cell may be written like 1.000."""
    if isinstance(cells, LazyCells):
        return cells.column in cells.grid.round_columns
    return any(cell.endswith(ROUND.decode()) for cell in distinct_cells(cells))


def may_be_read_otherwise(cells: Sequence[str], values: np.ndarray | None) -> bool:
    """Return whether words that were read as numbers may be other numbers, as 1.250 may be, or codes such as 007."""
    return (values is not None and may_be_grouped(values, cells)) or PADDED.search("\n".join(cells)) is not None


def _are_months(column, values):
    """Return whether all numbers such as 3.2026 are months, 03.2026, one of which begins with 0."""
    x = values[~np.isnan(values)]
    if isinstance(column, LazyCells) or not len(x) or (x < 1).any() or (x >= 13).any() or not (x != np.rint(x)).all():
        return False
    given = [cell for cell in set(column) if not is_missing(cell)]
    return any(map(is_padded, given)) and parse_dates(given)[0]


def _has_fractions(values):
    """Return whether the numbers of a column that was read with decimal points prove that it has decimals."""
    return bool((values != np.rint(values))[~np.isnan(values)].any()) and not may_be_grouped(values)


def _has_silent_point(column):
    """Return whether numbers without a fraction may be written with a point, such as 0.0; only their cells show it."""
    return not _has_fractions(column.values) and column.column in column.grid.point_columns


def _choose_notation(reading, way, delimiter, is_plain):
    """Choose the notation of a column that both fit, given the notation `way` of the other columns; "" if unknown.

    Whole numbers below 1000 next to numbers such as 1.250 prove that the point groups digits: if numbers had three
    decimals, the whole ones would have a point, and if trailing zeros were omitted, 1.250 would not end in one. In
    files with semicolons points may be either.
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
    """Return whether whole numbers below 1000, such as 980, next to numbers such as 1.250 prove these to be thousands.

    The point or comma then separates thousands, for the reason in `_choose_notation`.
    """
    small = [text for text in texts if SMALL.fullmatch(text)]
    marked = [text for text in texts if not text.isdecimal() and not SMALL.fullmatch(text)]
    return bool(small) and any(text.endswith("0") for text in marked) and all(map(IN_GROUPS.fullmatch, marked))


def cell_pattern(cell: str) -> tuple[Hashable, ...]:
    """Return the features of a cell that determine how its column is read.

    If two cells have equal patterns, a column is read in the same way without one of them. A cell with the pattern WORD
    makes its column text, whatever the other cells are.
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
    """Return the features of a number that `are_grouped` uses."""
    return bool(SMALL.fullmatch(text)), differ and text.endswith("0")


def parse_in_notation(cells: Sequence[str], way: str) -> ParsedColumn:
    """Parse a column of numbers that fits both notations in one of them, "point" or "comma"."""
    return _resolve(ColumnReadings.of(cells), way, {})


def _resolve(reading, way, remarks):
    """Return the ParsedColumn in the chosen notation; `remarks` collects what is unusual in it."""
    if reading.durations is not None:
        return _in_seconds(reading, remarks)
    way = reading.only_notation or (way if reading.is_ambiguous else "point")
    if not way:
        return _in_words(reading, remarks)._replace(cell_counts=CellCounts(ambiguous=ambiguous_cell(reading)))
    values = {"point": reading.point, "comma": reading.comma}.get(way)
    if values is None:
        return _in_words(reading, remarks)
    if isinstance(reading.cells, LazyCells):
        remarks["decimal commas"] = True
        return ParsedColumn(reading.cells, reading.cells.values)
    around = reading.plain_numbers
    letters = set("".join(around.texts.values() if around else values))
    if way == "comma" and "," in letters:
        remarks["decimal commas"] = True
    if letters & {*THOUSANDS, GROUPING[way]}:
        remarks["marks between thousands"] = True
    if letters & {*MINUS}:
        remarks["printed minus signs"] = True
    cells = _without(reading.cells, reading.gaps, remarks)
    read = _values_of(values, cells)
    counts = reading.count_cells(reading.cells.counts.items(), values) if reading.has_more else NOTHING
    if around is None:
        return ParsedColumn(cells, read, cell_counts=counts)
    if around.without_unit and not _are_of_one_size(values, around.without_unit):
        return _in_words(reading, remarks)
    if around.unit:
        remarks.setdefault("units", {})[around.unit] = True
    if around.flags:
        remarks.setdefault("flags", {}).update(dict.fromkeys(around.flags.values(), True))
    if around.sizes:
        remarks.setdefault("sizes", {}).update(dict.fromkeys(around.sizes.values(), True))
    if counts.n_limits:
        remarks["limits"] = remarks.get("limits", 0) + counts.n_limits
    if any(cell.startswith("(") for cell in values):
        remarks["negative numbers in brackets"] = True
    if any(cell.endswith(("-", *MINUS)) for cell in values):
        remarks["signs behind numbers"] = True
    if any(OF_FORTRAN.search(cell) for cell, text in around.texts.items() if "e" in text):
        remarks["exponents written with D"] = True
    return ParsedColumn(cells, read, unit=around.unit, n_limits=counts.n_limits, cell_counts=counts)


def _are_of_one_size(values, alone):
    """Return whether numbers without a unit lie in the range of the column's others and so may have their unit."""
    own, other = (np.abs([x for cell, x in values.items() if (cell in alone) == bare]) for bare in (True, False))
    within = other.min() / ALIKE <= np.median(own) <= other.max() * ALIKE
    return bool(within and (min(len(own), len(other)) < FEW or Magnitude.of(own).is_like(Magnitude.of(other))))


def ambiguous_cell(reading: ColumnReadings) -> str:
    """Return the first cell of a column that is a different number in each notation."""
    point, comma = reading.point or {}, reading.comma or {}
    return next(cell for cell in reading.cells if point.get(cell) != comma.get(cell))


def _in_seconds(reading, remarks):
    """Return a ParsedColumn of durations. For a:b alone, 60 a + b, all values decide on the unit, see `ClockValues`."""
    seconds = reading.durations.seconds
    cells = _without(reading.cells, reading.gaps, remarks)
    read = _values_of(seconds, cells)
    remarks["lengths of time as numbers"] = True
    unit = "" if reading.durations.is_open else SECONDS
    return ParsedColumn(cells, read, unit=unit, cell_counts=reading.count_cells(reading.cells.counts.items(), seconds))


def _in_words(reading, remarks):
    """Return a ParsedColumn of a column without numbers: of dates, words or nothing."""
    given, gaps = reading.given | reading.below, reading.gaps - reading.below
    dates, counted = parse_dates(given) if given else (False, None)
    if given and not dates:
        gaps = frozenset() if given <= SIGNS else frozenset(gap for gap in gaps if gap.lower() != A_LEVEL)
    cells = _without(reading.cells, gaps, remarks)
    values = None if counted is None else _values_of(counted, cells)
    return ParsedColumn(cells, values, dates)


def _without(cells, gaps, remarks):
    """Return the cells with "" for the given words."""
    if not gaps:
        return cells
    remarks.setdefault("gaps", set()).update(gaps)
    return cells.blank(gaps)


def _values_of(values, cells):
    """Return the number of each cell, NaN if it has none."""
    return np.array([values.get(cell, math.nan) for cell in cells.cells], dtype=np.float64)[cells.codes]


def _parse_texts(way, texts):
    """Map each cell to the number of its text in a notation, or return None if a text is not a number."""
    if (numbers := _parse_plain_texts(way, texts)) is not None:
        return numbers
    values, fits, plain = {}, FORMS[way].fullmatch, PLAIN[way]
    for cell, written in texts.items():
        text = written.translate(PLAIN_MINUS)
        if fits(text):
            text = text.translate(plain)
        elif not text.lstrip("+-").isalpha():  # inf is a number, to be refused later, and not a word
            return None
        try:
            values[cell] = float(text)
        except ValueError:
            return None
    return values


def _parse_plain_texts(way, texts):
    """Return the result of `_parse_texts` for texts of digits, signs, exponents and decimal marks only, or None."""
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


def describe_remarks(parts: Remarks) -> list[str]:
    """Return the remarks as texts for the user."""
    gaps, units, limits = sorted(parts.get("gaps", ())), parts.get("units", {}), parts.get("limits", 0)
    remarks = [key for key in parts if key not in ("gaps", "units", "flags", "limits", "sizes")]
    if units:
        remarks.append(f"units next to numbers ({join_list(units)})")
    if flags := parts.get("flags"):
        remarks.append(f"flags next to numbers ({join_list(flags)})")
    if sizes := parts.get("sizes"):
        remarks.append(f"numbers multiplied by {join_list([f'{size} ({size_of(size):,.0f})' for size in sizes])}")
    if limits:
        remarks.append(f"{limits} value{'s' * (limits > 1)} below or above a limit, taken as the limit")
    return [*remarks, *([f"{' and '.join(gaps)} as missing"] if gaps else [])]
