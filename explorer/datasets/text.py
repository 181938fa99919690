"""From the bytes of a text file to columns: encoding, delimiter, header, cells. What is unclear is refused."""

from __future__ import annotations

import csv
import io
import math

from explorer.checks import Refusal

from .columns import Column, Table, number, numbers, sha256, titles

DELIMITERS = {"\t": "tabs", ";": "semicolons", ",": "commas"}


def parse(raw, name):
    """The Table in the bytes of a CSV or TSV file; `name` is the file's name in sentences.

    Raises ValueError for bytes that are no UTF-8 text, no rows, lines of different widths, columns that share a name.
    """
    delimiter, lines, rows = _split(_decode(raw, name), name)
    cells = list(zip(*rows, strict=True))
    values = [[number(cell) for cell in column] for column in cells]
    start = 1 if _has_header(values, name) else 0
    if len(rows) == start:
        raise Refusal(f"{name} has a header and no rows; add at least one row of values.")
    names = titles((column[0] if start else "" for column in cells), name)
    columns = (Column(t, c[start:], numbers(v[start:])) for t, c, v in zip(names, cells, values, strict=True))
    return Table(name, tuple(columns), sha256(raw), delimiter, tuple(lines[start:]))


def _decode(raw, name):
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
    return content


def _split(content, name):
    def reader(delimiter, strict):
        lines = io.StringIO(content, newline="")
        return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=strict)

    try:
        # a comma is common inside cells, a tab or semicolon is not, so the rarer mark decides
        delimiter = next((mark for mark in DELIMITERS if len(next(reader(mark, False))) > 1), ",")
        lines = reader(delimiter, True)
        rows = [(lines.line_num, tuple(cell.strip() for cell in row)) for row in lines]
    except csv.Error as error:
        raise Refusal(f"{name} cannot be split into cells: {error}; check its quotes.") from error
    while not rows[-1][1]:  # blank lines at the end are not rows
        rows.pop()
    width, mark = len(rows[0][1]), DELIMITERS[delimiter]
    for line, row in rows:
        if len(row) != width:
            raise Refusal(
                f"{name}: line {line} has {len(row)} cells and the first has {width}, separated by {mark}; give every "
                f"line the same number of cells, in quotes where a cell holds {mark}."
            )
    return delimiter, [line for line, _ in rows], [row for _, row in rows]


def _has_header(values, name):
    """Whether the first row names the columns: it holds words only, or a word above numbers."""
    first = [column[0] for column in values]
    words = [value is None for value in first]
    given = [value is not None and not math.isnan(value) for value in first]
    if any(given) != any(words):
        return any(words)
    if any(word and numbers(column[1:]) is not None for word, column in zip(words, values, strict=True)):
        return True
    raise Refusal(
        f"{name} begins with a line that may be a header or a row (it mixes words and numbers, or all of it is "
        "missing); begin it with a line of names, each a word."
    )
