"""Fast path for texts whose cells form a plain grid: pandas parses them at once. All others get the careful reader.

A grid is plain if both readers split it alike: it has no control characters, quotes only around whole cells, and each
row in one line with the same number of cells, at least one of which has a value. Nothing is refused here.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from explorer.datasets.columns.number_notation import are_small, may_be_grouped, readings_of
from explorer.datasets.columns.table import is_padded, parse_number_strict
from explorer.types import Rows

from . import limits
from .csv_dialect import reader
from .lazy_cells import ROUND, EncodedColumn, LazyCells, TextGrid, columns_with

LEAST = 1_000_000  # smallest text in bytes: reading a smaller one takes less time than loading pandas
LOOKED_AT = 20  # columns of numbers are guessed from this number of first lines and of others
NUMERIC = b"0123456789.-+eE\r\n"  # characters of numbers; most lines have no others between the delimiters
PRINTED = bytes(byte for byte in range(256) if byte >= 32 and byte != 127)
BLANK, QUOTE, NEWLINE, RETURN, ZERO, COMMA = b' "\n\r0,'
BLANKS = 100  # largest number of blanks before a cell
GAPS = ("", "NA", "na", "NaN", "nan", "NAN", "null", "NULL", "?")  # the most frequent ones of `table.MISSING`
TRUTH = (b"tru", b"fals")  # truth values without the letter e, which also occurs in exponents
ONE_WAY = (3, 1)  # first version of pandas that parses every number to the last digit by default


Part: TypeAlias = np.ndarray | EncodedColumn  # a column's numbers, or its cells


class Lines(NamedTuple):
    """Lines of a text that are the rows of a grid.

    width
        Number of cells of each line.
    ends
        Position at which each cell but the last ends.
    edges
        Start of each line, followed by the start that a further line would have.
    codes
        Columns in which a cell is like 007.
    truth
        Whether truth values may be among the cells.
    """

    width: int
    ends: np.ndarray
    edges: np.ndarray
    codes: set[int]
    truth: bool


def split(text: bytes, delimiter: str) -> tuple[range, list[LazyCells | EncodedColumn]] | None:
    """Return (line number of each row, cells of each column) of a text.

    Returns None if it is not plain, or so short that the careful reader is faster.
    """
    if len(text) < LEAST:
        return None
    start = text.find(b"\n") + 1
    head, body = text[:start], text[start : len(text) - text.endswith(b"\n")].rstrip(b"\r\n")  # copied once, if at all
    first = _cells(head, delimiter)
    lines = _lines(body, delimiter, len(first)) if any(first) and len(head) <= limits.LETTERS else None
    if lines is None:
        return None
    rows = len(lines.edges)
    if rows > limits.ROWS or rows * len(first) > limits.CELLS:
        return None
    grid = TextGrid.of(first, body, lines.edges, delimiter)
    spread = np.linspace(1, rows - 1, LOOKED_AT + 1).astype(int).tolist()
    looked = [*grid.top[1 : LOOKED_AT + 1], *map(grid.line, spread)]
    marks = _marks(np.frombuffer(body, dtype=np.uint8), delimiter, lines.ends, first, looked)
    parts = _parts(body, delimiter, lines, dict.fromkeys(marks, ()), range(len(first)), "," in marks.values())
    if parts is None:
        return None
    return range(1, rows + 1), [_below(grid, j, part, marks.get(j, ".")) for j, part in parts.items()]


def parse_block(
    body: bytes,
    delimiter: str,
    width: int,
    numbers: Mapping[int, Collection[str]],
    words: Collection[int],
    comma: bool,
    clear: Collection[int] = (),
) -> tuple[int, dict[int, Part]] | None:
    """Return (number of rows, cells of some columns) of lines whose layout is known, or None if they are not plain.

    A column comes as words if a cell is not a number, or may be another number, as 1.250 may be. `numbers` maps the
    columns of numbers to their words for gaps. `words` lists the other requested columns. `comma` says whether commas
    are decimal. `clear` lists the columns whose decimal mark is known.
    """
    body = body.rstrip(b"\r\n")
    lines = _lines(body, delimiter, width)
    if lines is None:
        return None
    grid, rows = TextGrid([], body, lines.edges, delimiter), len(lines.edges) - 1
    looked = [grid.line(row) for row in range(1, min(LOOKED_AT, rows) + 1)]
    numeric = {j: gaps for j, gaps in numbers.items() if _are_numbers(looked, j, gaps, comma)}
    parts = _parts(body, delimiter, lines, numeric, {*numbers, *words}, comma)
    if parts is None:
        return None
    if hidden := _hidden({j: parts[j] for j in numeric if j not in clear}, body, delimiter, width, comma):
        parts |= _parts(body, delimiter, lines, {}, hidden, comma) or {}
    return rows, parts


def _hidden(parts, body, delimiter, width, comma):
    """Return the columns whose numbers may be misread: next to 980, 1.250 is 1250, and 1.000 (parsed as 1) is 1000."""
    arrays = {j: part for j, part in parts.items() if not isinstance(part, EncodedColumn)}
    columns = [j for j, values in arrays.items() if may_be_grouped(values)]
    if small := [j for j, values in arrays.items() if are_small(values)]:
        round_ones = columns_with(body, delimiter, width, b",000" if comma else ROUND)
        columns += [j for j in small if j in round_ones]
    return columns


def _cells(line, delimiter):
    """Return the cells of a first line, or [] if it is not exactly one row."""
    rows = reader(line, delimiter, True)
    try:
        cells = [cell.strip() for row in rows for cell in row]
    except csv.Error:
        return []
    return cells if rows.line_num == 1 else []


def _lines(body, delimiter, width):
    """Return the Lines of a text, or None if they are not a grid of `width` columns."""
    letters = body.translate(None, NUMERIC + delimiter.encode())
    if not body or width > limits.COLUMNS or body.startswith(codecs.BOM_UTF8) or letters.translate(None, PRINTED):
        return None
    if b"\r" in body and body.count(b"\r") != body.count(b"\r\n"):
        return None
    text, quoted = np.frombuffer(body, dtype=np.uint8), b'"' in letters
    ends = _quoted_ends(text, ord(delimiter)) if quoted else _ends(text, ord(delimiter), width)
    if ends is None or (len(ends) + 1) % width:
        return None
    rows = (len(ends) + 1) // width
    last = text[ends] == NEWLINE
    if not last[width - 1 :: width].all() or np.count_nonzero(last) != rows - 1:
        return None
    edges = np.concatenate([[0], ends[width - 1 :: width] + 1, [len(body) + 1]])
    codes = _codes(text, ends, width, quoted)
    if codes is None or np.diff(edges).max() > limits.LETTERS:
        return None
    letters = letters.lower()
    return Lines(width, ends, edges, codes, any(word in letters for word in TRUTH))


def _ends(text, mark, width):
    """Return the end of each cell but the last in a text without quotes, or None if the number of cells is wrong."""
    ends = (text == mark) | (text == NEWLINE)
    return None if (np.count_nonzero(ends) + 1) % width else np.flatnonzero(ends)


def _quoted_ends(text, mark):
    """Return the end of each cell but the last in a text with quotes.

    Returns None if a quote is inside a cell, or if a quoted cell contains a line break.
    """
    signs = np.flatnonzero((text == mark) | (text == NEWLINE) | (text == QUOTE))
    kinds = text[signs]
    quotes = kinds == QUOTE
    inside = np.logical_xor.accumulate(quotes)
    if inside[-1] or (inside & (kinds == NEWLINE)).any():
        return None
    # at the ends of the text a quote is its own neighbour, and a doubled quote denotes a quote
    before = text.take(signs[quotes & inside] - 1, mode="clip")
    after = text.take(signs[quotes & ~inside] + 1, mode="clip")
    if not (np.isin(before, (mark, NEWLINE, QUOTE)).all() and np.isin(after, (mark, NEWLINE, RETURN, QUOTE)).all()):
        return None
    return signs[~quotes & ~inside]


def _codes(text, ends, width, quoted):
    """Return the columns in which a cell is like 007, which pandas would parse as a number.

    Returns None if too many blanks precede a cell.
    """
    starts = np.concatenate([[0], ends + 1])
    if quoted:
        starts += text.take(starts, mode="clip") == QUOTE
    blank = np.flatnonzero(text.take(starts, mode="clip") == BLANK)
    for _ in range(BLANKS):
        starts[blank] += 1
        blank = blank[starts[blank] < len(text)]
        blank = blank[text[starts[blank]] == BLANK]
    if len(blank):
        return None
    zero = np.flatnonzero(text.take(starts, mode="clip") == ZERO)
    zero = zero[starts[zero] + 1 < len(text)]
    digits = text[starts[zero] + 1] - ZERO < 10
    return set((zero[digits] % width).tolist())


def _are_numbers(rows: Sequence[Sequence[str]], j: int, gaps: Collection[str], comma: bool) -> bool:
    """Return whether some cells of a column are numbers or gaps. This guess decides only how the column is parsed.

    At least one is a number: from a column of gaps and truth values pandas would make 0 and 1.
    """
    filled = [row[j] for row in rows if row[j] not in GAPS and row[j] not in gaps]
    return bool(filled) and all(
        parse_number_strict(cell.replace(",", ".") if comma else cell) is not None for cell in filled
    )


def _marks(text, delimiter, ends, first, rows):
    """Return the decimal mark of each column of numbers, as in `LazyCells`. This is a guess.

    If some column has decimal commas, pandas accepts no decimal points: numbers with points are words to it.
    """
    columns = [j for j, cell in enumerate(first) if not is_padded(cell)]
    points = {j: "." for j in columns if _are_numbers(rows, j, (), False)}
    if delimiter == "," or len(points) == len(columns):
        return points
    numbers = [j for j in columns if _are_numbers(rows, j, (), True) and not any("." in row[j] for row in rows)]
    commas = {j: "," for j in numbers if any(readings_of(row[j]).keys() == {"comma"} for row in rows)}
    if not commas:
        return points
    places = np.flatnonzero(text == COMMA)
    if (text.take(places + 1, mode="clip") - ZERO >= 10).any():  # a comma without a digit after it, as in "1,"
        return points
    some = set((np.searchsorted(ends, places) % len(first)).tolist()) if len(commas) < len(numbers) else commas
    marks = commas | {j: "" for j in numbers if j not in some}
    return {j: mark for j, mark in marks.items() if _fits(first[j], mark)}


def _fits(cell, mark):
    """Return whether the first cell of a column is a word, or a number that can have only this decimal mark."""
    values = readings_of(cell)
    return not values or ("comma" in values and len(set(values.values())) == 1 and (mark == "," or "," not in cell))


def _parts(body, delimiter, lines, numeric, words, comma):
    """Return column -> its numbers or its encoded words, or None if a row has no value."""
    numeric = {j: gaps for j, gaps in numeric.items() if j not in lines.codes}
    how: Any = {
        "sep": delimiter,
        "header": None,
        "names": range(lines.width),
        "index_col": False,
        "keep_default_na": False,
        "skip_blank_lines": False,
        "decimal": "," if comma else ".",
        "engine": "c",
        "low_memory": not lines.truth,  # parsing in parts is faster, but a part with only truth values becomes 0 and 1
        "usecols": sorted({*numeric, *words}),
    }
    try:
        table = _read(body, numeric, how)
    except ValueError:  # a word among numbers
        table = _read(body, {}, how)
    if len(table) != len(lines.edges) - 1:
        return None
    parts = {j: _part(table[j]) for j in how["usecols"]}
    return None if _has_blank_row(body, delimiter, lines.edges, parts.values()) else parts


def _read(body, numeric, how):
    """Parse columns of numbers and of words by pandas. Raises ValueError if a word is among numbers."""
    import pandas as pd  # imported late because it loads slowly and small files do not need it

    exact: Any = {} if _version(pd) >= ONE_WAY else {"float_precision": "round_trip"}
    kinds = {j: "float64" if j in numeric else "object" for j in how["usecols"]}
    gaps = {j: [*GAPS, *more] for j, more in numeric.items()}
    return pd.read_csv(io.BytesIO(body), dtype=kinds, na_values=gaps, **how, **exact)


def _version(pd):
    return tuple(map(int, re.findall(r"\d+", pd.__version__)[:2]))


def _part(column):
    """Return the numbers of a column, or its cells encoded in the order of their first rows."""
    cells = column.to_numpy()
    return cells if column.dtype.kind == "f" else EncodedColumn.from_array(cells)


def _below(grid, j, part, marks):
    """Return the cells of a column with that of the first line on top."""
    first = grid.top[0][j]
    if isinstance(part, EncodedColumn):
        return part.prepend(first)
    value = parse_number_strict(first.replace(",", ".") if marks == "," else first)
    values = np.concatenate([[np.nan if value is None else value], part])
    return LazyCells(grid, j, range(len(values)), values, marks)


def _has_blank_row(body: bytes, delimiter: str, edges: Rows, parts: Collection[Part]) -> bool:
    """Return whether some row has no value. The line is inspected if the row has none in the columns that were read."""
    blank = np.ones(len(edges) - 1, dtype=bool)
    for part in parts:
        if not blank.any():
            return False
        if not isinstance(part, EncodedColumn):
            blank &= np.isnan(part)
        else:
            blank &= part.codes == (part.cells.index("") if "" in part.cells else -1)
    lines = (str(body[edges[row] : edges[row + 1]], "utf-8") for row in np.flatnonzero(blank).tolist())
    return any(not line.replace(delimiter, "").replace('"', "").strip() for line in lines)
