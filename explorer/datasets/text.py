"""From the bytes of a text file to columns: encoding, delimiter, header, cells. What is unclear is refused."""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

MISSING = frozenset({"", "na", "nan", "+nan", "-nan", "?", "null"})  # compared in lower case
DELIMITERS = {"\t": "tabs", ";": "semicolons", ",": "commas"}


@dataclass(frozen=True, eq=False)
class Column:
    """A column: its cells as written, and its numbers, NaN where a cell is missing; None for a column of text."""

    name: str
    cells: tuple[str, ...]
    numbers: np.ndarray | None

    def array(self):
        """(n,) the numbers where it has them, else the cells."""
        return np.array(self.cells) if self.numbers is None else self.numbers


@dataclass(frozen=True, eq=False)
class Table:
    """A file's columns; `lines` holds the line number of each row, `hash` the SHA-256 of the bytes."""

    name: str
    columns: tuple[Column, ...]
    lines: tuple[int, ...]
    delimiter: str
    hash: str


def sha256(raw):
    """The SHA-256 of bytes, in hex."""
    return hashlib.sha256(raw).hexdigest()


def is_missing(cell):
    """Whether a cell stands for a missing value: empty, NA, NaN, ? or null."""
    return cell.lower() in MISSING


def number(cell):
    """The number in a cell: NaN where it is missing, None where the cell is text."""
    if is_missing(cell):
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        return None
    return None if "_" in cell else value  # Python alone reads 1_000 as a number


def parse(raw, name):
    """The Table in the bytes of a CSV or TSV file; `name` is the file's name in sentences.

    Raises ValueError for bytes that are no UTF-8 text, no rows, lines of different widths, columns that share a name.
    """
    delimiter, lines, rows = _split(_decode(raw, name), name)
    cells = list(zip(*rows, strict=True))
    values = [[number(cell) for cell in column] for column in cells]
    start = 1 if _has_header(values, name) else 0
    if len(rows) == start:
        raise ValueError(f"{name} has a header and no rows; add at least one row of values.")
    names = [column[0] if start else "" for column in cells]
    names = [title or f"x{i}" for i, title in enumerate(names, 1)]
    title, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise ValueError(f"{name} has {count} columns named {title!r}; give every column a name of its own.")
    columns = (Column(t, c[start:], _numbers(v[start:])) for t, c, v in zip(names, cells, values, strict=True))
    return Table(name, tuple(columns), tuple(lines[start:]), delimiter, sha256(raw))


def _decode(raw, name):
    try:
        content = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        byte = error.object[error.start]
        raise ValueError(f"{name} is no UTF-8 text (byte {byte:#04x} in line {line}); save it as CSV in UTF-8.") from error
    if "\0" in content:
        raise ValueError(f"{name} holds zero bytes, so it is no text file; save the table as CSV in UTF-8.")
    if not content.strip():
        raise ValueError(f"{name} is empty; give a table with at least one row.")
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
        raise ValueError(f"{name} cannot be split into cells: {error}; check its quotes.") from error
    while not rows[-1][1]:  # blank lines at the end are not rows
        rows.pop()
    width, mark = len(rows[0][1]), DELIMITERS[delimiter]
    for line, row in rows:
        if len(row) != width:
            raise ValueError(
                f"{name}: line {line} has {len(row)} cells and the first has {width}, separated by {mark}; give every "
                f"line the same number of cells, in quotes where a cell holds {mark}."
            )
    return delimiter, [line for line, _ in rows], [row for _, row in rows]


def _has_header(values, name):
    """Whether the first row names the columns: it holds words only, or a word above numbers."""
    first = [column[0] for column in values]
    words = [value is None for value in first]
    numbers = [value is not None and not math.isnan(value) for value in first]
    if any(numbers) != any(words):
        return any(words)
    if any(word and _numbers(column[1:]) is not None for word, column in zip(words, values, strict=True)):
        return True
    raise ValueError(
        f"{name} begins with a line that may be a header or a row (it mixes words and numbers, or all of it is "
        "missing); begin it with a line of names, each a word."
    )


def _numbers(values):
    """An array with NaN for missing values; None if one is text or all are missing."""
    if None in values:
        return None
    array = np.array(values, dtype=np.float64)
    return None if np.isnan(array).all() else array
