"""What stands around a table in its file: comments, lines above it, a row of units, a line of totals, a row's number.

Lines are blanked and not taken away, so that sentences name the lines of the file as it is.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.types import Vector

from . import header
from .around import AFTER, GLUED, WIDEST
from .beside import is_below
from .cells import Cells, Coded
from .columns import is_missing, kept, numbers
from .notation import columns, number

if TYPE_CHECKING:
    from .notation import Written


TOTAL, INDEX, DRAWN, FORMULAS, COMMENTS = (  # remarks
    "a last line of totals left out",
    "a first column without a name, which counts the rows, left out",
    "lines drawn between rows left out",
    'cells written as ="..."',
    "lines of comment left out",
)
COMMENT = re.compile(r"[ \t]*(#|%|//)(?![ \t]*[,;\t|])")
SIGNS = (b"#", b"%", b"/")  # of comment
COMMENTED = re.compile(rb"\n[ \t]*(?:#|%|//)")
REMARK = re.compile(r"[ \t]*(#+|%+|//)[ \t]")
LOOKED_AT = 10_000  # bytes in which lines are looked for that are drawn between rows
ABOVE = 20  # lines that may stand above a table
UNIT = re.compile(rf"(?:{AFTER})|[(\[](?:{AFTER})[)\]]|1/{AFTER}|-|\u2013|")
FORMULA = re.compile(r'="([^"]*)"')
RULE = re.compile(
    rb"(?m)^[ \t|+:-]*[|+][ \t|+:-]*-{3}[ \t|+:-]*\r?$|^[ \t]*-{3,}[ \t]*\+[ \t+-]*\r?$|^\(\d+ rows?\)\r?$"
)
TOTALS = re.compile(r"(grand |sub)?totals?|sum|sums?:?|gesamt|summe|insgesamt|\u03a3|\u2211", re.IGNORECASE)
NOTHING = ("-", "\u2013")  # in the place of a unit
SIGNED = re.compile(r"[/%\u00b0^*]")  # what only units have
NEAR = 1e-6  # of a sum, by which a printed total may differ from it


def has_comments(raw: bytes) -> bool:
    """Whether some line of a text begins as a comment does; that the signs are nowhere is seen sooner."""
    if not any(sign in raw for sign in SIGNS):
        return False
    return COMMENTED.match(b"\n" + raw) is not None or COMMENTED.search(raw) is not None


def without_comments(raw: bytes, width_of: Callable[..., Any]) -> tuple[bytes, list[Any]]:
    """(text, remarks): lines of comment are blanked; the last above the table names its columns where it has as many.

    width_of: how many cells a line has
    """
    if not has_comments(raw):
        return raw, []
    lines = raw.decode("utf-8-sig").splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if line.strip() and not COMMENT.match(line)), None)
    if first is None:
        return raw, []
    width = width_of(lines[first])
    # among rows #N/A is a gap, and what has as many cells as a row may be one
    aside = [i for i in range(first, len(lines)) if REMARK.match(lines[i]) and width_of(lines[i]) != width]
    commented = [i for i in range(first) if COMMENT.match(lines[i])] + aside
    names, said = None, []
    above = [i for i in commented if i < first]
    if above:
        stripped = COMMENT.sub("", lines[above[-1]], count=1).lstrip(" \t")
        if width_of(stripped) == width > 1:
            names = above[-1]
            lines[names] = stripped
            said.append("names behind a sign of comment")
    gone = [i for i in commented if i != names]
    for i in gone:
        lines[i] = "\n"
    if gone:
        said.append(COMMENTS)
    return "".join(lines).encode(), said


def without_rules(raw: bytes) -> tuple[bytes, list[Any]]:
    """(text, remarks): lines that are drawn between rows, as in Markdown or by a database's terminal, are blanked."""
    if not RULE.search(raw[:LOOKED_AT]):
        return raw, []
    return RULE.sub(b"", raw), [DRAWN]


def has_short_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a first line has one cell less than all others: R's way, which leaves the rows' own names without one."""
    first, *rest = rows
    width = len(first) + 1
    if min(len(rest), len(first)) < 2 or any(len(row) != width for row in rest):
        return False
    if not any(row[-1].strip() for row in rest):  # a mark at the end of each line
        return False
    names = [row[0].strip('"') for row in rest]
    if counted := [value for name in names if (value := number(name)) is not None]:
        return counted == [counted[0] + i for i in range(len(names))]
    return len(set(names)) == len(names)


def with_empty_name(raw: bytes, mark: str) -> bytes:
    """The text with an empty cell before those of its first line."""
    start = len(raw) - len(raw.removeprefix(b"\xef\xbb\xbf").lstrip())
    return raw[:start] + b'""' + mark.encode() + raw[start:]


def above(lines: Sequence[str], marks: Mapping[str, str]) -> tuple[int, str] | tuple[int, None]:
    """(how many first lines of some that are not blank stand above the table, the mark of the table).

    (0, None) where no mark gives all lines below some first ones the same number of cells.
    """
    best = (0, None)
    for mark in marks:
        try:
            rows = list(csv.reader(lines, delimiter=mark, skipinitialspace=True))
        except csv.Error:
            continue
        if len(rows) != len(lines):
            continue
        widths = [len(row) for row in rows]
        start = len(widths) - 1
        while start and widths[start - 1] == widths[-1]:
            start -= 1
        fits = widths[-1] > 1 and 0 < start <= ABOVE and len(widths) - start > 1
        if fits and all(cell.strip() for cell in rows[start]) and (best[1] is None or start < best[0]):
            best = start, mark
    return best


def blanked(raw: bytes, count: int) -> bytes:
    """The text with so many of its first lines that are not blank made blank."""
    lines = raw.decode("utf-8-sig").splitlines(keepends=True)
    for i, line in enumerate(lines):
        if not count:
            break
        if line.strip():
            lines[i], count = "\n", count - 1
    return "".join(lines).encode()


def without_remarks(lines: Sequence[int], cells: Sequence[Sequence[str]], unusual: list[str]) -> Any:
    """(lines, cells) without the rows that stand above the table."""
    if above := remarks_above(cells):
        lines, cells = lines[above:], [column[above:] for column in cells]
        unusual.append(f"{above} line{'s' * (above > 1)} above the table left out")
    return lines, cells


def without_equals(cells: Sequence[Sequence[str]], unusual: list[str]) -> Any:
    """The cells, those that a spreadsheet was to take for text, as ="007", without the formula around them."""
    if not any(FORMULA.fullmatch(cell) for column in cells for cell in column[:ABOVE]):
        return cells
    unusual.append(FORMULAS)
    return [_without_equals(kept(column)) for column in cells]


def _without_equals(column):
    if isinstance(column, Cells):
        return column
    return Coded.of([found[1] if (found := FORMULA.fullmatch(cell)) else cell for cell in column.cells], column.codes)


def without_outer_marks(cells: Sequence[Sequence[str]], mark: str, unusual: list[str]) -> Any:
    """The columns without a last one that is empty, or a first one, as a mark at the end of each line makes it."""
    if len(cells) > 1 and not any(cells[-1]):
        cells = cells[:-1]
        unusual.append(f"{mark} at the end of each line")
    if len(cells) > 1 and not any(cells[0]):
        cells = cells[1:]
        unusual.append(f"{mark} at the start of each line")
    return cells


def without_names(
    lines: Sequence[int],
    cells: Sequence[Sequence[str]],
    name: str,
    delimiter: str,
    unusual: list[str],
) -> Any:
    """(the columns' names, lines, cells) where the first row names the columns; names of "" where it is a row.

    Raises ValueError where no row follows.
    """
    first = [column[0] for column in cells]

    def rest():
        below, _ = columns([column[1:] for column in cells], delimiter)
        return [None if column.dates or column.beside.lasts else column.numbers for column in below]

    values = [math.nan if is_below(cell) else number(cell) for cell in first]
    if all(map(is_below, first)):
        values = [None] * len(first)
    try:
        named = header.counts_columns(first, cells) or header.has_header(values, rest, name)
    except Refusal:
        named = header.names_by_numbers(first, cells)
        unusual.append("a first line of names" if named else "a first line of values")
    if not named:
        return [""] * len(cells), lines, cells
    if len(lines) == 1:
        raise Refusal(f"{name} has a header and no rows; add at least one row of values.")
    return first, lines[1:], [column[1:] for column in cells]


def without_units(
    lines: Sequence[int], cells: Sequence[Sequence[str]], names: Sequence[str], unusual: list[str]
) -> Any:
    """(the columns' units, lines, cells) without a row of units below the names; units of "" where there is none."""
    units = row_of_units(cells) if any(names) else None
    if units is None:
        return [""] * len(cells), lines, cells
    unusual.append("a row of units below the names")
    return units, lines[1:], [column[1:] for column in cells]


def without_total(lines: Sequence[int], cells: Sequence[Sequence[str]], delimiter: str, unusual: list[str]) -> Any:
    """(the columns as `notation.columns` reads them, lines, remarks) without a last row of totals."""
    below, remarks = columns(cells, delimiter)
    if is_total(below):
        below, remarks = columns([column[:-1] for column in cells], delimiter)
        lines = lines[:-1]
        unusual.append(TOTAL)
    return below, lines, remarks


def without_index(names: Sequence[str], below: Sequence[Written], unusual: list[str]) -> Any:
    """(names, columns) without a first column that has no name and counts the rows."""
    if any(names) and len(below) > 1 and counts(names[0], below[0].numbers):
        names, below = names[1:], below[1:]
        unusual.append(INDEX)
    return names, below


def remarks_above(cells: Sequence[Sequence[str]]) -> int:
    """How many first rows have a word in their first cell alone, or nothing, above a row of words that is full."""
    width, rows = len(cells), min(ABOVE + 1, len(cells[0]))
    for row in range(rows):
        filled = [bool(column[row]) for column in cells]
        if all(filled):
            full = row and width > 1 and all(numbers([column[row]]) is None for column in cells)
            return row if full and not is_missing(cells[0][row]) else 0
        if any(filled[1:]):
            return 0
    return 0


def row_of_units(cells: Sequence[Sequence[str]]) -> Any:
    """The unit of each column where the first row below the names has some; None where it is a row of values.

    A column of words has none there. Of two columns of numbers and more all have one, or those that have one have one
    that is known.
    """
    if len(cells[0]) < 2:
        return None
    units = [column[0].strip("()[]") if column[0] not in NOTHING else "" for column in cells]
    values = [unit for unit in units if unit and number(unit) is not None]  # or a gap
    values += filter(is_below, units)
    if values or not all(UNIT.fullmatch(column[0]) for column in cells):
        return None
    measured = [_numeric(column[1:51]) for column in cells]
    if any(unit and (not numeric or len(unit) > WIDEST) for unit, numeric in zip(units, measured, strict=True)):
        return None
    whole = sum(measured) > 1 and all(unit for unit, numeric in zip(units, measured, strict=True) if numeric)
    known = any(units) and all(unit in GLUED or SIGNED.search(unit) for unit in units if unit)
    return units if whole or known else None


def _numeric(cells):
    """Whether the first cells that are given are numbers, whatever stands around them."""
    given = [cell for cell in cells if not is_missing(cell)]
    return bool(given) and all(any(letter.isdigit() for letter in cell) for cell in given)


def is_total(below: Sequence[Written]) -> bool:
    """Whether the last row of some Written columns adds the others up, and says so by a word."""
    if len(below[0].cells) < 3:
        return False
    said = any(column.numbers is None and TOTALS.fullmatch(column.cells[-1]) for column in below)
    return said and any(_adds_up(column.numbers) for column in below if column.numbers is not None)


def _adds_up(values):
    return adds_up(values[-1], math.fsum(values[:-1][~np.isnan(values[:-1])]))


def adds_up(value: float, total: float) -> bool:
    """Whether a value is printed as the total of those above it."""
    return bool(value != 0 and abs(value - total) <= NEAR * abs(total))


def counts(title: str, values: Vector | None) -> bool:
    """Whether a column without a name holds 0, 1, 2, ... or 1, 2, 3, ..., as an index that was saved with its table."""
    if title or values is None or len(values) < 2 or values[0] not in (0, 1):
        return False
    return np.array_equal(values, values[0] + np.arange(len(values)))
