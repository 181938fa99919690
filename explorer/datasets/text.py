"""From the bytes of a text file to columns: encoding, delimiter, header, cells.

What is unclear is refused; a lenient reader reads more of it, as `dialects` and `notation` do, and says what.
"""

from __future__ import annotations

import csv
import io
import math
import unicodedata
from array import array
from dataclasses import replace
from itertools import islice

import numpy as np

from explorer.checks import Refusal

from . import dialects, framing, limits, notation
from .columns import Column, Table, number, numbers, sha256, spelled, titles

DELIMITERS = ("\t", ";", ",")
YEARS = (1000, 2999)  # numbers that name columns, where the first line is not all numbers
AT_ONCE = 10_000  # rows that are held as rows: the cells of those before stand in their columns


def parse(raw, name, lenient=False):
    """The Table in the bytes of a CSV or TSV file; `name` is the file's name in sentences.

    Raises ValueError for bytes that are no UTF-8 text, no rows, lines of different widths, columns that share a name,
    and for more rows, columns or cells than `limits` has, as soon as there are more.
    """
    if lenient:
        return _leniently(raw, name)
    _refuse_no_text(raw, name)
    text = _composed(raw)
    delimiter = _delimiter(text)
    lines, cells = _split(text, name, delimiter)
    values = [numbers(column[1:]) for column in cells]
    counted = _counts_columns([column[0] for column in cells], cells)
    start = 1 if counted or _has_header([number(column[0]) for column in cells], lambda: values, name) else 0
    if len(lines) == start:
        raise Refusal(f"{name} has a header and no rows; add at least one row of values.")
    names = titles((column[0] if start else "" for column in cells), name)
    if not start:
        values = [numbers(column) for column in cells]
    cells = (tuple(column[start:]) for column in cells)
    columns = (Column(t, spelled(c) if v is None else c, v) for t, c, v in zip(names, cells, values, strict=True))
    return Table(name, tuple(columns), sha256(raw), delimiter, lines[start:])


def _leniently(raw, name):
    """The Table, with what only a lenient reader reads so."""
    text, delimiter, unusual = dialects.plain(raw, name)
    _refuse_no_text(text, name)
    text = _composed(text)
    usual = _delimiter(text)
    delimiter = delimiter or usual
    if delimiter != usual and delimiter in ";,|":
        unusual.append(f"{dialects.MARKS[delimiter]} between cells")
    lines, cells = _split(text, name, delimiter, unusual)
    if not lines:
        raise Refusal(f"{name} has no cell with a value; give a table with at least one row.")
    if above := framing.remarks_above(cells):
        lines, cells = lines[above:], [column[above:] for column in cells]
        unusual.append(f"{above} line{'s' * (above > 1)} above the table left out")
    if len(cells) > 1 and not any(cells[-1]):
        cells = cells[:-1]
        unusual.append(f"{mark_of(delimiter)} at the end of each line")
    first = [column[0] for column in cells]

    def rest():
        below, _ = notation.columns([column[1:] for column in cells], delimiter)
        return [None if column.dates else column.numbers for column in below]

    try:
        start = int(_counts_columns(first, cells) or _has_header(list(map(notation.number, first)), rest, name))
    except Refusal:
        start = int(_names_by_numbers(first, cells))
        unusual.append("a first line of names" if start else "a first line of values")
    if len(lines) == start:
        raise Refusal(f"{name} has a header and no rows; add at least one row of values.")
    cells = [column[start:] for column in cells]
    units = framing.row_of_units(cells) if start else None
    if units is not None:
        start, cells = start + 1, [column[1:] for column in cells]
        unusual.append("a row of units below the names")
    below, remarks = notation.columns(cells, delimiter)
    lines = lines[start:]
    if framing.is_total(below):
        below, remarks = notation.columns([column[:-1] for column in cells], delimiter)
        lines = lines[:-1]
        unusual.append("a last line of totals left out")
    if units is not None:
        below = [c._replace(unit=unit or c.unit) for c, unit in zip(below, units, strict=True)]
    given = first if start else [""] * len(cells)
    if start and len(below) > 1 and framing.counts(given[0], below[0].numbers):
        given, below = given[1:], below[1:]
        unusual.append("a first column without a name, which counts the rows, left out")
    names = titles(distinct(given), name)
    unusual += remarks + (["columns of one name, now numbered"] if list(distinct(given)) != given else [])
    columns = (Column(t, tuple(cells), *rest) for t, (cells, *rest) in zip(names, below, strict=True))
    columns = (replace(c, cells=spelled(c.cells)) if c.numbers is None else c for c in columns)
    return Table(name, tuple(columns), sha256(raw), delimiter, lines, tuple(unusual), lenient=True)


def mark_of(delimiter):
    """What a mark between cells is called."""
    return dialects.MARKS.get(delimiter, f"{delimiter!r}")


def distinct(names):
    """Names of columns, of which those that repeat an earlier one get a number: a, a (2)."""
    taken = set()
    for name in names:
        called, count = name, 1
        while called and called in taken:
            count += 1
            called = f"{name} ({count})"
        taken.add(called)
        yield called


def _counts_columns(first, cells):
    """Whether a first line is 0, 1, 2, ..., as pandas names columns that have no names, perhaps beside an index."""
    counts = first[1:] if first and not first[0] else first
    if len(counts) < 2 or counts != list(map(str, range(len(counts)))) or len(cells[0]) < 2:
        return False
    if len(counts) > 3 or counts is not first:
        return True
    return any("." in cell for column in cells for cell in column[1:])  # else 0, 1 may be a row of codes


def _names_by_numbers(first, cells):
    """Whether a first line of words and numbers names columns: its words do not recur, and its numbers are years or
    count.
    """
    values = [(cell, notation.number(cell)) for cell in first]
    given = [value for _, value in values if value is not None]
    years = all(YEARS[0] <= value <= YEARS[1] for value in given)
    years = years or (len(given) > 1 and given[0] in (0, 1) and np.all(np.diff(given) == 1))
    recurs = any(cell in column[1:] for (cell, value), column in zip(values, cells, strict=True) if value is None)
    return years and not recurs and any(value is None for _, value in values)


def _refuse_no_text(raw, name):
    try:
        content = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        byte = error.object[error.start]
        raise Refusal(f"{name} is no UTF-8 text (byte {byte:#04x} in line {line}); save it as CSV in UTF-8.") from error
    if "\0" in content:
        raise Refusal(f"{name} holds zero bytes, so it is no text file; save the table as CSV in UTF-8.")
    if not content.strip():
        raise Refusal(f"{name} is empty; give a table with at least one row.")


def _composed(raw):
    """A text in which a letter and its accent are one sign, however its writer has them."""
    if raw.isascii():
        return raw
    text = raw.decode("utf-8-sig")
    return raw if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text).encode()


def _reader(raw, delimiter, strict):
    """The rows of a file, one after the other: its text is never held as a whole."""
    lines = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8-sig", newline="")
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=strict)


def _delimiter(raw):
    """What separates cells: a comma is common inside cells, a tab or semicolon is not, so the rarer mark decides.

    But where a mark leaves quotes whole that another one tears, as a semicolon does that stands within them.
    """
    for mark, strict in ((mark, strict) for strict in (True, False) for mark in DELIMITERS):
        try:
            if len(next(_reader(raw, mark, strict))) > 1:
                return mark
        except csv.Error:  # a first line of one endless cell has other marks
            continue
    return ","


def _filled(rows, name, unusual):
    """The rows that are not blank; what is unusual has a remark where some are."""
    blank = 0
    for line, row in rows:
        if any(map(str.strip, row)):
            yield line, row
            continue
        blank += 1
        if blank > limits.ROWS:
            raise Refusal(f"{name} has more than {limits.ROWS:,} blank lines; remove them.")
    if blank:
        unusual.append("blank lines left out")


def _trimmed(part, width, mark, unusual):
    """Rows without the blank cells that marks at the ends of their lines make."""
    longer = [len(row) > width and not any(map(str.strip, row[width:])) for _, row in part]
    if any(longer) and (said := f"{mark} at the end of each line") not in unusual:
        unusual.append(said)
    return [(line, row[:width] if cut else row) for (line, row), cut in zip(part, longer, strict=True)]


def _split(raw, name, delimiter, unusual=None):
    """The line number of each row, and the cells of each column, those of the first row on top.

    unusual: where it is a list, blank lines are left out, and said there; else they are rows.
    """
    raw = raw.rstrip(b"\r\n")  # blank lines at the end are not rows
    mark, lines, columns = mark_of(delimiter), array("l"), []
    rows = _reader(raw, delimiter, True)
    numbered = ((rows.line_num, row) for row in rows)
    if unusual is not None:
        numbered = _filled(numbered, name, unusual)
    try:
        while part := list(islice(numbered, AT_ONCE)):
            width = len(columns or part[0][1])
            if unusual is not None:
                part = _trimmed(part, width, mark, unusual)
            limits.refuse_shape(name, len(lines) + 1, width)
            wrong = next(((line, row) for line, row in part if len(row) != width), None)
            if wrong is not None:
                raise Refusal(
                    f"{name}: line {wrong[0]} has {len(wrong[1])} cells and the first has {width}, separated by {mark};"
                    f" give every line the same number of cells, in quotes where a cell holds {mark}."
                )
            if not width:
                raise Refusal(f"{name} begins with a blank line; begin it with a line of names or of values.")
            lines.extend(line for line, _ in part)
            limits.refuse_shape(name, len(lines), width)
            columns = columns or [[] for _ in range(width)]
            for column, cells in zip(columns, zip(*(row for _, row in part), strict=True), strict=True):
                if max(map(len, cells)) > limits.LETTERS:
                    raise csv.Error("field limit")
                column.extend(map(str.strip, cells))
    except csv.Error as error:
        why = str(error)
        if "field limit" in why:
            why = f"up to line {rows.line_num} one has more than {limits.LETTERS:,} letters, the limit"
        raise Refusal(f"{name} cannot be split into cells: {why}; check its quotes.") from error
    return lines, columns


def _has_header(first, rest, name):
    """Whether the first row names the columns: it holds words only, None, or a word above numbers.

    rest: a function that gives the columns' numbers below it, None for one of words; seldom are they needed.
    """
    words = [value is None for value in first]
    given = [value is not None and not math.isnan(value) for value in first]
    if any(given) != any(words):
        return any(words)
    if any(word and below is not None for word, below in zip(words, rest(), strict=True)):
        return True
    raise Refusal(
        f"{name} begins with a line that may be a header or a row (it mixes words and numbers, or all of it is "
        "missing); begin it with a line of names, each a word."
    )
