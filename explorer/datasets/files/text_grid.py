"""Lines of a text whose cells lie in a plain grid are read at once by pandas, all others by the careful reader.

Plain is what both take apart alike: no signs of control, quotes around whole cells alone, each row in one line with as
many cells, one of which has a value. Nothing is refused here.
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
from .lazy_cells import ROUND, Cells, Coded, Grid, rounded

LEAST = 1_000_000  # bytes: a smaller text is read in less time than it may take to load pandas
LOOKED_AT = 20  # first lines that say which columns hold numbers, and as many others
NUMERIC = b"0123456789.-+eE\r\n"  # in most lines nothing else stands between the marks
PRINTED = bytes(byte for byte in range(256) if byte >= 32 and byte != 127)
BLANK, QUOTE, NEWLINE, RETURN, ZERO, COMMA = b' "\n\r0,'
BLANKS = 100  # before a cell: more are left to the careful reader
GAPS = ("", "NA", "na", "NaN", "nan", "NAN", "null", "NULL", "?")  # the usual ones of `columns.MISSING`
TRUTH = (b"tru", b"fals")  # without the letters of exponents
ONE_WAY = (3, 1)  # the version of pandas from which it reads every number to the last digit, and not only when asked


Part: TypeAlias = np.ndarray | Coded  # the numbers of a column's cells, or the cells


class Lines(NamedTuple):
    """Lines of a text that are the rows of a grid.

    width  how many cells each has; ends  where all but the last of them end
    edges  where each line begins, and where one behind the last would
    codes  the columns in which a cell is like 007
    truth  whether truth values may be among the cells
    """

    width: int
    ends: np.ndarray
    edges: np.ndarray
    codes: set[int]
    truth: bool


def split(text: bytes, delimiter: str) -> tuple[range, list[Cells | Coded]] | None:
    """(the line number of each row, the cells of each column) of a text.

    None where it is not plain, or so short that the careful reader is done sooner.
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
    grid = Grid.of(first, body, lines.edges, delimiter)
    spread = np.linspace(1, rows - 1, LOOKED_AT + 1).astype(int).tolist()
    looked = [*grid.top[1 : LOOKED_AT + 1], *map(grid.line, spread)]
    marks = _marks(np.frombuffer(body, dtype=np.uint8), delimiter, lines.ends, first, looked)
    parts = _parts(body, delimiter, lines, dict.fromkeys(marks, ()), range(len(first)), "," in marks.values())
    if parts is None:
        return None
    return range(1, rows + 1), [_below(grid, j, part, marks.get(j, ".")) for j, part in parts.items()]


def block(
    body: bytes,
    delimiter: str,
    width: int,
    numbers: Mapping[int, Collection[str]],
    words: Collection[int],
    comma: bool,
    clear: Collection[int] = (),
) -> tuple[int, dict[int, Part]] | None:
    """(how many rows, the cells of some columns) of lines of a text that has been looked at; None where not plain.

    A column of which a cell is no number, or may be another one, as 1.250 may be, comes as words.

    numbers: the columns of numbers, and the words for gaps in each; words: the other columns that are asked for; comma:
    whether commas are decimal; clear: the columns in which it is known which mark is decimal
    """
    body = body.rstrip(b"\r\n")
    lines = _lines(body, delimiter, width)
    if lines is None:
        return None
    grid, rows = Grid([], body, lines.edges, delimiter), len(lines.edges) - 1
    looked = [grid.line(row) for row in range(1, min(LOOKED_AT, rows) + 1)]
    numeric = {j: gaps for j, gaps in numbers.items() if _are_numbers(looked, j, gaps, comma)}
    parts = _parts(body, delimiter, lines, numeric, {*numbers, *words}, comma)
    if parts is None:
        return None
    if hidden := _hidden({j: parts[j] for j in numeric if j not in clear}, body, delimiter, width, comma):
        parts |= _parts(body, delimiter, lines, {}, hidden, comma) or {}
    return rows, parts


def _hidden(parts, body, delimiter, width, comma):
    """The columns whose numbers may be others: 1.250 is 1250 beside 980, and so is 1.000, whose number is 1."""
    arrays = {j: part for j, part in parts.items() if not isinstance(part, Coded)}
    found = [j for j, values in arrays.items() if may_be_grouped(values)]
    if small := [j for j, values in arrays.items() if are_small(values)]:
        round_ones = rounded(body, delimiter, width, b",000" if comma else ROUND)
        found += [j for j in small if j in round_ones]
    return found


def _cells(line, delimiter):
    """The cells of a first line; none where it is not the whole of a row, or several lines by other ends."""
    rows = reader(line, delimiter, True)
    try:
        cells = [cell.strip() for row in rows for cell in row]
    except csv.Error:
        return []
    return cells if rows.line_num == 1 else []


def _lines(body, delimiter, width):
    """The Lines of a text, or None where they are no grid so wide."""
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
    """Where each cell but the last ends, in a text without quotes; None where not all lines can have so many."""
    ends = (text == mark) | (text == NEWLINE)
    return None if (np.count_nonzero(ends) + 1) % width else np.flatnonzero(ends)


def _quoted_ends(text, mark):
    """Where each cell but the last ends; None where a quote does not begin or end one, or a line ends between two."""
    signs = np.flatnonzero((text == mark) | (text == NEWLINE) | (text == QUOTE))
    kinds = text[signs]
    quotes = kinds == QUOTE
    inside = np.logical_xor.accumulate(quotes)
    if inside[-1] or (inside & (kinds == NEWLINE)).any():
        return None
    # at the ends of the text a quote is its own neighbour, and a quote beside another one stands for a quote
    before = text.take(signs[quotes & inside] - 1, mode="clip")
    after = text.take(signs[quotes & ~inside] + 1, mode="clip")
    if not (np.isin(before, (mark, NEWLINE, QUOTE)).all() and np.isin(after, (mark, NEWLINE, RETURN, QUOTE)).all()):
        return None
    return signs[~quotes & ~inside]


def _codes(text, ends, width, quoted):
    """The columns in which a cell is like 007, of which pandas makes a number; None where too many blanks hide it."""
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
    """Whether some cells of a column are numbers or gaps: a guess, which decides how it is read and not as what.

    One at least is a number: of nothing but gaps and truth values pandas would make 0 and 1.
    """
    given = [row[j] for row in rows if row[j] not in GAPS and row[j] not in gaps]
    return bool(given) and all(
        parse_number_strict(cell.replace(",", ".") if comma else cell) is not None for cell in given
    )


def _marks(text, delimiter, ends, first, rows):
    """The mark before the decimals of each column of numbers, as in `Cells`, None of other columns: a guess.

    Where some column has decimal commas pandas takes no decimal points: numbers that have some are words to it.
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
    if (text.take(places + 1, mode="clip") - ZERO >= 10).any():  # as in 1, which is no number
        return points
    some = set((np.searchsorted(ends, places) % len(first)).tolist()) if len(commas) < len(numbers) else commas
    marks = commas | {j: "" for j in numbers if j not in some}
    return {j: mark for j, mark in marks.items() if _fits(first[j], mark)}


def _fits(cell, mark):
    """Whether the first cell of a column is no number, or one whose decimals may have this mark before them alone."""
    values = readings_of(cell)
    return not values or ("comma" in values and len(set(values.values())) == 1 and (mark == "," or "," not in cell))


def _parts(body, delimiter, lines, numeric, words, comma):
    """Column -> its numbers, or its different words; None where a row has no value."""
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
        "low_memory": not lines.truth,  # in parts, which stay in the cache: one of truth values alone would be 0 and 1
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
    """The table of pandas: numbers and words. ValueError where a word stands among numbers."""
    import pandas as pd  # takes a while to load, which a small file need not wait for

    exact: Any = {} if _version(pd) >= ONE_WAY else {"float_precision": "round_trip"}
    kinds = {j: "float64" if j in numeric else "object" for j in how["usecols"]}
    gaps = {j: [*GAPS, *more] for j, more in numeric.items()}
    return pd.read_csv(io.BytesIO(body), dtype=kinds, na_values=gaps, **how, **exact)


def _version(pd):
    return tuple(map(int, re.findall(r"\d+", pd.__version__)[:2]))


def _part(column):
    """The numbers of a column, or its different cells in the order of their first rows."""
    cells = column.to_numpy()
    return cells if column.dtype.kind == "f" else Coded.stripped(cells)


def _below(grid, j, part, marks):
    """The cells of a column with the first line's on top."""
    first = grid.top[0][j]
    if isinstance(part, Coded):
        return part.below(first)
    value = parse_number_strict(first.replace(",", ".") if marks == "," else first)
    values = np.concatenate([[np.nan if value is None else value], part])
    return Cells(grid, j, range(len(values)), values, marks)


def _has_blank_row(body: bytes, delimiter: str, edges: Rows, parts: Collection[Part]) -> bool:
    """Whether some row has no value: where it has none in these columns, its line is looked at."""
    blank = np.ones(len(edges) - 1, dtype=bool)
    for part in parts:
        if not blank.any():
            return False
        if not isinstance(part, Coded):
            blank &= np.isnan(part)
        else:
            blank &= part.codes == (part.cells.index("") if "" in part.cells else -1)
    lines = (str(body[edges[row] : edges[row + 1]], "utf-8") for row in np.flatnonzero(blank).tolist())
    return any(not line.replace(delimiter, "").replace('"', "").strip() for line in lines)
