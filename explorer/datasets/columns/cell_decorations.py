"""Decorations of numbers in cells: units, currencies, percent signs, accountants' brackets, limits and flags."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

MINUS = "\u2212\u2010\u2011\u2013\ufe63\uff0d"  # characters that are printed for a minus sign
PLAIN_MINUS = str.maketrans(dict.fromkeys(MINUS, "-"))
SPACES = " \u00a0\u2007\u2009\u202f"
SIGN = rf"[+\-{MINUS}]"
FIGURES = rf"(?:\d(?:[\d.,'\u2019\u00b4`{SPACES}]*\d)?\.?|[.,]\d+)(?:[eEdD][+\-{MINUS}]?\d+)?"
SYMBOLS = "$\u20ac\u00a3\u00a5\u20b9\u20bd\u20a9\u20ba\u20aa\u0e3f"
CODES = (
    "USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|SEK|NOK|DKK|PLN|CZK|HUF|INR|BRL|MXN|ZAR|KRW|SGD|HKD|TRY|RUB|ILS|THB|Fr|kr|R"
)
BEFORE = rf"(?:{CODES})?[{SYMBOLS}]|(?:{CODES})\.?(?=[{SPACES}\d])"
LETTER = r"[^\W\d_]"
MARKS = r"\*{1,3}|\u2020|\u2021"  # marks of footnotes
AFTER = (
    rf"[%\u2030{SYMBOLS}]|{MARKS}|[\u00b0\u00b5\u03bc]?{LETTER}[\w\u00b0\u00b7/*^%.\-]*(?:[{SPACES}]{LETTER}+)?|\u00b0"
)
SIZES = {  # words and letters after a number, and the factor by which they multiply it
    **dict.fromkeys(("k", "K", "tsd", "tausend", "thousand", "thousands"), 1e3),
    **dict.fromkeys(("M", "mn", "mio", "mln", "million", "millions", "millionen"), 1e6),
    **dict.fromkeys(("B", "bn", "mrd", "mld", "billion", "billions", "milliarden"), 1e9),
    **dict.fromkeys(("T", "tn", "trillion", "trillions"), 1e12),
    **{"lakh": 1e5, "lakhs": 1e5, "crore": 1e7, "crores": 1e7},
}
SIZE = r"[kKMBT]|(?:tsd|mn|mio|mln|bn|mrd|mld|tn)\.?|(?:thousand|million|billion|trillion)s?|tausend|mill(?:ion|iard)en"
COUNTED = rf"(?:(?i:{SIZE})[{SPACES}]*(?=[{SYMBOLS}]|(?<=[{SPACES}])(?:{CODES})$|(?:[A-Z]{{3}})$))"
FLAGS = rf"{LETTER}{{1,3}}(?:, ?{LETTER}{{1,3}}){{1,3}}|{LETTER}{{1,3}}[+\-]"  # such as J, B or J-
NOTE = rf"[(\[](?:{LETTER}{{1,12}}\.?|\d{{1,2}}|[*\u2020\u2021]+)[)\]]|[#?!^~\u00a7\u00b6\u00b9\u00b2\u00b3]"
ABOUT = r"[~\u2248\u223c]|(?:ca|approx|circa|about|etwa|rund|env)\b\.?"
LIMIT = r"[<>]=?|\u2264|\u2265"
CELL = re.compile(
    rf"'?(?P<limit>{LIMIT})?[{SPACES}]*(?P<about>{ABOUT})?[{SPACES}]*(?P<sign>{SIGN})?[{SPACES}]*(?P<before>{BEFORE})?"
    rf"[{SPACES}]*(?P<later>{SIGN})?(?P<figures>{FIGURES})(?P<behind>[\-{MINUS}])?[{SPACES}]*(?P<size>{COUNTED})?"
    rf"(?P<after>{AFTER}|{FLAGS}|{NOTE})?"
)
BRACKETS = re.compile(r"\((.*)\)")
LONGEST = 40  # most characters of a cell that is a decorated number
MOST_FLAGS = 6  # most distinct flags of a column: more are numbers of another kind, as in 70 (12)
WIDEST = 16  # most characters of a unit
CLOCK = {"am", "pm"}  # a number before these is a time of day
MARK = re.compile(rf"{MARKS}|{NOTE}|{ABOUT}|{FLAGS}|est\.?|estimated|prel\.?|preliminary|prov\.?|provisional")
FLAG = re.compile(rf"{LETTER}{{1,3}}|{MARK.pattern}")
PERCENT = frozenset(["percent", "per cent", "pct", "prozent", "pourcent", "pour cent"])
SHARES = {"%": 1e-2, "\u2030": 1e-3}
NO_SIZES: dict[str, str] = {}
CURRENCIES = {
    "EUR": "\u20ac",
    "GBP": "\u00a3",
    "USD": "$",
    "INR": "\u20b9",
    "KRW": "\u20a9",
    "TRY": "\u20ba",
    "RUB": "\u20bd",
}
# units that may follow their number without a space; other letters there may make it a code, such as 3B
GLUED = frozenset(
    "% \u2030 kg g mg ug µg μg t lb lbs oz km m cm mm um µm μm nm in ft mi ha l L ml mL dl dL h hr hrs min s sec ms"
    " us d wk yr yrs y mo K C F °C °F ° V mV kV A mA W kW MW kWh Wh MWh J kJ MJ kcal N kN Pa hPa kPa MPa bar mbar"
    " mmHg psi Hz kHz MHz GHz B kB KB MB GB TB bpm rpm dB ppm ppb mol mmol x".split()
)


class PlainNumbers(NamedTuple):
    """The cells of a column without the decorations of their numbers.

    Attributes
    ----------
    texts : dict of str to str
        The number of each cell, as it is written.
    unit : str
        The unit of all cells that have one.
    flags : dict of str to str
        The flag of each flagged cell. Other cells have no decoration, or another flag.
    limits : dict of str to str
        "<" or ">" for the cells that only say that a value lies below or above a number.
    sizes : dict of str to str
        The k, M or the like by which a cell's number in `texts` was multiplied. Other cells have another one or none.
    without_unit : frozenset of str
        The cells that have no unit, if others have one.
    """

    texts: dict[str, str]
    unit: str
    flags: dict[str, str]
    limits: dict[str, str]
    sizes: dict[str, str] = NO_SIZES
    without_unit: frozenset[str] = frozenset()


def strip_decorations(cells: Collection[str]) -> PlainNumbers | None:
    """Strip units, signs and brackets from a set of distinct cells.

    Return None if a cell is not a number, if units differ, or if there is nothing to strip.
    """
    parsed = {}
    for cell in cells:
        if (parts := _parse_cell(cell)) is None:
            return None
        parsed[cell] = parts
    if all(len(digits_of(text)) < 2 for text, _, _ in parsed.values()) and any(map(is_short, cells)):
        return None  # these may be marks at school, such as 2-
    units = frozenset(unit for _, unit, _ in parsed.values()) - {""}
    alone = frozenset(cell for cell, (_, unit, _) in parsed.items() if not unit)
    texts = {cell: text for cell, (text, _, _) in parsed.items()}
    limits = {cell: limit for cell, (_, _, limit) in parsed.items() if limit}
    glued = {cell: unit for cell, (_, unit, _) in parsed.items() if _is_glued(cell, unit)}
    if units and all(map(size_of, units)) and (alone or len(set(map(size_of, units))) > 1):
        sizes = {cell: unit for cell, (_, unit, _) in parsed.items() if unit}
        if _are_sized({cell: (text, unit) for cell, (text, unit, _) in parsed.items()}, glued):
            texts = {
                cell: multiply_text(text, size_of(sizes[cell])) if cell in sizes else text
                for cell, text in texts.items()
            }
            return PlainNumbers(texts, "", {}, limits, sizes)
    flagged = len(units) <= MOST_FLAGS and are_flags(units) and (bool(alone) or all(map(MARK.fullmatch, units)))
    if not flagged and len({_canonical_unit(unit) for unit in units}) > 1:
        return None
    if alone and any(map(size_of, glued.values() if flagged else units)):
        return None
    if alone and units & SHARES.keys():  # next to 12 %, a plain 12 may mean a share of 12 or of 12 %
        return None
    codes = flagged or any(unit not in GLUED and not MARK.fullmatch(unit) for unit in glued.values())
    glued = {cell: unit for cell, unit in glued.items() if not MARK.fullmatch(unit)}
    if codes and glued and not any(mark in cell for cell in glued for mark in ".,"):
        return None
    if all(cell == text for cell, text in texts.items()):
        return None
    flags = {cell: unit for cell, (_, unit, _) in parsed.items() if unit} if flagged else {}
    unit = "" if flagged else min(units, default="")
    return PlainNumbers(texts, unit, flags, limits, without_unit=alone if unit else frozenset())


def _canonical_unit(unit):
    """Return the one name of a unit that has several."""
    return CURRENCIES.get(unit, unit)


def _are_sized(parsed, glued):
    """Return whether the numbers without k, M or the like are whole and smaller than the numbers with one.

    `parsed` maps each cell to (text, size). So 980 occurs with 1.2k. K, M, B and T may also be units and parts of
    codes, so one of the numbers with a size has to have a fraction, as 1.2K has, unless the sizes are certain by
    themselves.
    """
    sizes = {unit for _, unit in parsed.values() if unit}
    least = min(map(size_of, sizes))
    plain = [digits_of(text) for text, unit in parsed.values() if not unit]
    if any(not text.lstrip("+-").isdigit() for text, unit in parsed.values() if not unit):
        return False
    if any(int(digits) >= least for digits in plain):
        return False
    certain = any(size == "k" or len(size) > 1 for size in sizes) or len(set(map(size_of, sizes))) > 1
    return certain or any(mark in cell for cell in glued for mark in ".,")


def size_of(unit: str) -> float:
    """Return the factor that k, M, bn and the like stand for, or 0.0 for another unit.

    Examples
    --------
    >>> from explorer.datasets.columns.cell_decorations import size_of
    >>> size_of("k"), size_of("Mio."), size_of("kg")
    (1000.0, 1000000.0, 0.0)
    """
    return SIZES.get(unit, 0.0) if len(unit) == 1 else SIZES.get(unit.lower().rstrip("."), 0.0)


def multiply_text(text: str, size: float) -> str:
    """Return the text of a number times `size`, a power of ten: 1.2 becomes 1.2e3."""
    figures, _, exponent = text.lower().partition("e")
    return f"{figures}e{int(exponent or 0) + round(math.log10(size))}"


def digits_of(text: str) -> str:
    """Return the digits of a number's text."""
    return "".join(letter for letter in text if letter in "0123456789")


def is_short(cell: str) -> bool:
    """Return whether a cell is one digit followed by a minus: a number, or a mark at school."""
    return len(cell) == 2 and cell[0] in "0123456789" and cell[1] in f"-{MINUS}"


def _is_glued(cell, unit):
    """Return whether a unit follows its number without a space."""
    return bool(unit) and cell.endswith(unit) and cell[-len(unit) - 1 :][:1].isdigit()


def are_flags(units: Collection[str]) -> bool:
    """Return whether decorations that only some numbers of a column have are flags and not units.

    A flag has up to three letters and is not a known unit. A capital letter may be a flag even if it is a unit: in 0.05
    J it means an estimate, and H and L mean high and low. K, M and T stay uncertain: 5 K and 3 M have neither certain
    flags nor certain units. Footnote signs, letters in brackets, ~, and several letters with commas between them are
    flags too.
    """
    return bool(units) and all(
        FLAG.fullmatch(unit) and unit not in CURRENCIES and unit not in CODES.split("|") and _is_no_unit(unit)
        for unit in units
    )


def _is_no_unit(unit):
    """Return whether letters are no known unit, or a capital letter that is more likely a flag."""
    if unit in GLUED or unit == "kr" or size_of(unit):
        return len(unit) == 1 and unit.isupper() and unit not in "KMT"
    return True


class Decorations(NamedTuple):
    """The number in a cell and its decorations.

    Attributes
    ----------
    text : str
        The number, as it is written.
    unit : str
        The unit, or "" if there is none.
    limit : str
        "<" or ">" if the number is a limit, otherwise "".
    glued : bool
        Whether the unit follows the number without a space.
    marked : bool
        Whether the cell has a point or a comma. Then a number with a glued unit is not a code.
    signs : frozenset of str
        The characters other than digits with which the number is written.
    short : bool
        Whether the cell may be a mark at school, see `is_short`.
    """

    text: str
    unit: str
    limit: str
    glued: bool
    marked: bool
    signs: frozenset[str]
    short: bool = False


def parse_decorations(cell: str) -> Decorations | None:
    """Return the Decorations of a cell that is a number with any decorations, or None for another cell."""
    if (parts := _parse_cell(cell)) is None:
        return None
    text, unit, limit = parts
    signs = frozenset(cell.replace(unit, "")) - frozenset("0123456789")
    marked = any(mark in cell for mark in ".,")
    return Decorations(text, unit, limit, _is_glued(cell, unit), marked, signs, is_short(cell))


def is_measured(cell: str) -> bool:
    """Return whether a cell is a number, with or without decorations."""
    return _parse_cell(cell) is not None


def units_of(cells: Iterable[str]) -> list[str]:
    """Return the sorted distinct units of the cells that are numbers, for a message."""
    return sorted({parts[1] for cell in cells if (parts := _parse_cell(cell)) is not None} - {""})


def _parse_cell(cell):
    """Return (number's text, unit or flag, "<" or ">" of a limit or "") of a cell, or None if it is not a number."""
    if len(cell) > LONGEST:
        return None
    inner = BRACKETS.fullmatch(cell)
    match = CELL.fullmatch(inner[1].strip() if inner else cell)
    if match is None or (match["behind"] and len(digits_of(match["figures"])) < 2 and not is_short(cell)):
        return None
    signs = [sign for sign in (match["sign"], match["later"], match["behind"]) if sign]
    before, after = (match["before"] or "").rstrip("."), " ".join((match["after"] or "").split())
    after = "%" if after.lower().rstrip(".") in PERCENT else after
    size = " ".join((match["size"] or "").split())
    if len(signs) > 1 or (inner and (signs or match["limit"] or match["about"])) or len(after) > WIDEST:
        return None
    if before and size_of(after) and not size:  # as in $5.2M, where the letter stands for a size
        size, after = after, ""
    if len(list(filter(None, (before, after, match["about"])))) > 1 or after.lower() in CLOCK:
        return None
    sign = "-" if inner or (signs and signs[0] != "+") else ""
    limit = "" if not match["limit"] else "<" if match["limit"][0] in "<\u2264" else ">"
    text = sign + re.sub("[dD]", "e", match["figures"]).translate(PLAIN_MINUS)
    return multiply_text(text, size_of(size)) if size else text, before or after or (match["about"] or ""), limit
