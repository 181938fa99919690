"""What stands around the number of a cell: a unit, a currency, a percent sign, an accountant's brackets, a limit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

MINUS = "\u2212"
SPACES = " \u00a0\u2009\u202f"
SIGN = rf"[+\-{MINUS}]"
FIGURES = rf"(?:\d(?:[\d.,'\u2019{SPACES}]*\d)?\.?|[.,]\d+)(?:[eEdD][+-]?\d+)?"
SYMBOLS = "$\u20ac\u00a3\u00a5\u20b9\u20bd\u20a9\u20ba\u20aa\u0e3f"
CODES = (
    "USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|SEK|NOK|DKK|PLN|CZK|HUF|INR|BRL|MXN|ZAR|KRW|SGD|HKD|TRY|RUB|ILS|THB|Fr|kr|R"
)
BEFORE = rf"(?:{CODES})?[{SYMBOLS}]|(?:{CODES})\.?(?=[{SPACES}\d])"
LETTER = r"[^\W\d_]"
MARKS = r"\*{1,3}|\u2020|\u2021"  # of a footnote
AFTER = (
    rf"[%\u2030{SYMBOLS}]|{MARKS}|[\u00b0\u00b5\u03bc]?{LETTER}[\w\u00b0\u00b7/*^%.\-]*(?:[{SPACES}]{LETTER}+)?|\u00b0"
)
LIMIT = r"[<>]=?|\u2264|\u2265"
CELL = re.compile(
    rf"(?P<limit>{LIMIT})?[{SPACES}]*(?P<sign>{SIGN})?[{SPACES}]*(?P<before>{BEFORE})?[{SPACES}]*(?P<later>{SIGN})?"
    rf"(?P<figures>{FIGURES})(?P<behind>[\-{MINUS}])?[{SPACES}]*(?P<after>{AFTER})?"
)
BRACKETS = re.compile(r"\((.*)\)")
LONGEST = 40  # letters of a cell that is a number with something around it
WIDEST = 16  # letters of a unit
CLOCK = {"am", "pm"}  # with which a number is a time of day
FLAG = re.compile(rf"{LETTER}{{1,3}}|{MARKS}")
SHARES = frozenset("%\u2030")
MAGNITUDES = frozenset(  # with which a number is another one
    "K k M B T bn mn mio mio. mrd mrd. tsd tsd. thousand million millions billion billions lakh crore".split()
)
CURRENCIES = {
    "EUR": "\u20ac",
    "GBP": "\u00a3",
    "USD": "$",
    "INR": "\u20b9",
    "KRW": "\u20a9",
    "TRY": "\u20ba",
    "RUB": "\u20bd",
}
# units that follow their number without a space: other letters may make a code of it, such as 3B
GLUED = frozenset(
    "% kg g mg ug µg μg t lb lbs oz km m cm mm um µm μm nm in ft mi ha l L ml mL dl dL h hr hrs min s sec ms us d wk yr"
    " yrs y mo K C F °C °F ° V mV kV A mA W kW MW kWh Wh MWh J kJ MJ kcal N kN Pa hPa kPa MPa bar mbar mmHg psi Hz kHz"
    " MHz GHz B kB KB MB GB TB bpm rpm dB ppm ppb mol mmol x".split()
)


class Bare(NamedTuple):
    """Cells without what stands around their numbers.

    texts  cell -> its number as it is written; unit  what all of them have that have one
    flags  cell -> what stands beside its number as a flag: other cells have nothing there, or another flag
    limits  cell -> "<" or ">", of the cells that only say that a value lies below or above a number
    """

    texts: dict[str, str]
    unit: str
    flags: dict[str, str]
    limits: dict[str, str]


def bare(cells: Collection[str]) -> Bare | None:
    """The Bare of different cells; None where one is no number, where they have several units, or nothing around."""
    parsed = {}
    for cell in cells:
        if (parts := _parts(cell)) is None:
            return None
        parsed[cell] = parts
    units = frozenset(unit for _, unit, _ in parsed.values()) - {""}
    some_bare = any(not unit for _, unit, _ in parsed.values())
    flagged = some_bare and are_flags(units)
    if not flagged and len({CURRENCIES.get(unit, unit) for unit in units}) > 1:
        return None
    glued = {cell: unit for cell, (_, unit, _) in parsed.items() if _is_glued(cell, unit)}
    if any(unit in MAGNITUDES for unit in (glued.values() if flagged else units)) and some_bare:
        return None
    if units & SHARES and some_bare:  # 12 beside 12 % may be a share of 12, or of 12 %
        return None
    codes = flagged or any(unit not in GLUED for unit in glued.values())
    if codes and glued and not any(mark in cell for cell in glued for mark in ".,"):
        return None
    texts = {cell: text for cell, (text, _, _) in parsed.items()}
    if all(cell == text for cell, text in texts.items()):
        return None
    flags = {cell: unit for cell, (_, unit, _) in parsed.items() if unit} if flagged else {}
    limits = {cell: limit for cell, (_, _, limit) in parsed.items() if limit}
    return Bare(texts, "" if flagged else min(units, default=""), flags, limits)


def _is_glued(cell, unit):
    """Whether a unit follows its number without a space."""
    return bool(unit) and cell.endswith(unit) and cell[-len(unit) - 1 :][:1].isdigit()


def are_flags(units: Collection[str]) -> bool:
    """Return whether what stands beside some numbers of a column, and not beside others, is a flag and no unit.

    A flag has up to three letters and is no known unit, but for a capital letter: 0.05 J stands for an estimate, as
    H and L stand for high and low. Of 5 K and 3 M neither flags nor units are certain.
    """
    return bool(units) and all(
        FLAG.fullmatch(unit) and unit not in CURRENCIES and unit not in CODES.split("|") and _is_no_unit(unit)
        for unit in units
    )


def _is_no_unit(unit):
    return unit not in GLUED | MAGNITUDES | {"kr"} or (len(unit) == 1 and unit.isupper() and unit not in "KMT")


class Surroundings(NamedTuple):
    """What stands around the number in a cell, of which `text` is as it is written.

    unit   of a cell that has one; limit   "<" or ">" if the number is one, else ""
    glued   whether the unit follows it without a space, of which a point or comma in the number makes no code
    signs   what its writer has beside digits
    """

    text: str
    unit: str
    limit: str
    glued: bool
    marked: bool
    signs: frozenset[str]


def surroundings(cell: str) -> Surroundings | None:
    """The Surroundings of a cell that is a number, whatever stands around it; None of another."""
    if (parts := _parts(cell)) is None:
        return None
    text, unit, limit = parts
    signs = frozenset(cell.replace(unit, "")) - frozenset("0123456789")
    return Surroundings(text, unit, limit, _is_glued(cell, unit), any(mark in cell for mark in ".,"), signs)


def is_measured(cell: str) -> bool:
    """Whether a cell is a number, whatever stands around it."""
    return _parts(cell) is not None


def units_of(cells: Iterable[str]) -> list[str]:
    """The different units of cells that are numbers, for a sentence."""
    return sorted({parts[1] for cell in cells if (parts := _parts(cell)) is not None} - {""})


def _parts(cell):
    """(the number's text, what is around it, "<" or ">" of a limit, else "") of a cell; None where it is no number."""
    if len(cell) > LONGEST:
        return None
    inner = BRACKETS.fullmatch(cell)
    found = CELL.fullmatch(inner[1].strip() if inner else cell)
    if found is None:
        return None
    if found["behind"] and not re.search(r"\d.*\d", found["figures"]):  # a mark at school, such as 2-
        return None
    signs = [sign for sign in (found["sign"], found["later"], found["behind"]) if sign]
    before, after = (found["before"] or "").rstrip("."), " ".join((found["after"] or "").split())
    if len(signs) > 1 or (inner and (signs or found["limit"])) or (before and after) or len(after) > WIDEST:
        return None
    if after.lower() in CLOCK:
        return None
    sign = "-" if inner or signs in (["-"], [MINUS]) else ""
    limit = "" if not found["limit"] else "<" if found["limit"][0] in "<\u2264" else ">"
    return sign + re.sub("[dD]", "e", found["figures"]), before or after, limit
