"""From the bytes of a text file to columns: encoding, delimiter, header, cells. What is unclear is refused."""

from __future__ import annotations

import csv
import io
import math
from array import array
from itertools import islice

from explorer.checks import Refusal

from . import limits
from .columns import Column, Table, number, numbers, sha256, titles

DELIMITERS = {"\t": "tabs", ";": "semicolons", ",": "commas"}
AT_ONCE = 10_000  # rows that are held as rows: the cells of those before stand in their columns


def parse(raw, name):
    """The Table in the bytes of a CSV or TSV file; `name` is the file's name in sentences.

    Raises ValueError for bytes that are no UTF-8 text, no rows, lines of different widths, columns that share a name,
    and for more rows, columns or cells than `limits` has, as soon as there are more.
    """
    _refuse_no_text(raw, name)
    delimiter, lines, cells = _split(raw, name)
    values = [numbers(column[1:]) for column in cells]
    start = 1 if _has_header([column[0] for column in cells], values, name) else 0
    if len(lines) == start:
        raise Refusal(f"{name} has a header and no rows; add at least one row of values.")
    names = titles((column[0] if start else "" for column in cells), name)
    if not start:
        values = [numbers(column) for column in cells]
    columns = (Column(t, tuple(c[start:]), v) for t, c, v in zip(names, cells, values, strict=True))
    return Table(name, tuple(columns), sha256(raw), delimiter, lines[start:])


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


def _reader(raw, delimiter, strict):
    """The rows of a file, one after the other: its text is never held as a whole."""
    lines = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8-sig", newline="")
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=strict)


def _delimiter(raw):
    """What separates cells: a comma is common inside cells, a tab or semicolon is not, so the rarer mark decides."""
    for mark in DELIMITERS:
        try:
            if len(next(_reader(raw, mark, False))) > 1:
                return mark
        except csv.Error:  # a first line of one endless cell has other marks
            continue
    return ","


def _split(raw, name):
    """The delimiter, the line number of each row, and the cells of each column, those of the first row on top."""
    raw = raw.rstrip(b"\r\n")  # blank lines at the end are not rows
    delimiter = _delimiter(raw)
    mark, lines, columns = DELIMITERS[delimiter], array("l"), []
    rows = _reader(raw, delimiter, True)
    try:
        while part := [(rows.line_num, row) for row in islice(rows, AT_ONCE)]:
            width = len(columns or part[0][1])
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
    return delimiter, lines, columns


def _has_header(first, rest, name):
    """Whether the first row names the columns: it holds words only, or a word above numbers."""
    first = [number(cell) for cell in first]
    words = [value is None for value in first]
    given = [value is not None and not math.isnan(value) for value in first]
    if any(given) != any(words):
        return any(words)
    if any(word and below is not None for word, below in zip(words, rest, strict=True)):
        return True
    raise Refusal(
        f"{name} begins with a line that may be a header or a row (it mixes words and numbers, or all of it is "
        "missing); begin it with a line of names, each a word."
    )
