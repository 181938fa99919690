"""A text whose cells lie in a plain grid is read at once by pandas; every other one is left to the careful reader.

Plain is what both take apart alike: below a first line of any cells neither quotes nor signs of control, as many marks
in each line, a cell with a value in each, and in every column numbers alone or words. Nothing is refused here.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Collection, Mapping
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from . import limits
from .cells import Cells, Coded, Grid
from .columns import number
from .dialects import reader

LEAST = 1_000_000  # bytes: a smaller text is read in less time than it may take to load pandas
LOOKED_AT = 20  # lines that say which columns hold numbers
LOOKED_FAR = 200_000  # bytes in which they are looked for
NUMERIC = b"0123456789.-+eE\r\n"  # in most lines nothing else stands between the marks
PRINTED = bytes(byte for byte in range(256) if byte >= 32 and byte not in b'"\x7f')
GAPS = ("", "NA", "na", "NaN", "nan", "NAN", "null", "NULL", "?")  # the usual ones of `columns.MISSING`
TRUTH = (b"tru", b"fals")  # without the letters of exponents
ONE_WAY = (3, 1)  # the version of pandas from which it reads every number to the last digit, and not only when asked


Part: TypeAlias = np.ndarray | Coded  # the numbers of a column's cells, or the cells


def split(text: bytes, delimiter: str) -> tuple[range, list[Cells]] | tuple[range, list[Cells | list[str]]] | None:
    """(the line number of each row, the cells of each column) of a text.

    None where it is not plain, or so short that the careful reader is done sooner.
    """
    if len(text) < LEAST:
        return None
    start, mark = text.find(b"\n") + 1, delimiter.encode()
    head = text[:start]
    body = text[start : len(text) - text.endswith(b"\n")].rstrip(b"\r\n")  # copied twice only where more is to go
    first = _cells(head, delimiter)
    letters = body.translate(None, NUMERIC + mark)
    if not any(first) or not _is_plain(body, letters):
        return None
    edges = None if _has_codes(first, body, letters, mark) else _edges(body, mark, len(first))
    if edges is None or max(len(head), np.diff(edges).max()) > limits.LETTERS:
        return None
    grid = Grid.of(first, body, edges, delimiter)
    numeric = [_holds_numbers(column) for column in zip(*grid.top[1 : LOOKED_AT + 1], strict=True)]
    try:
        table = _read(body, delimiter, numeric, whole=any(word in letters.lower() for word in TRUTH))
    except ValueError:  # a word among numbers, which the careful reader knows what to make of
        return None
    cells = [_column(grid, j, table[j], here) for j, here in enumerate(numeric)]
    if len(table) != len(edges) - 1 or _has_blank_row(cells):
        return None
    return range(1, len(edges) + 1), cells


def _cells(line, delimiter):
    """The cells of a first line; none where it is not the whole of a row, or several lines by other ends."""
    rows = reader(line, delimiter, True)
    try:
        cells = [cell.strip() for row in rows for cell in row]
    except csv.Error:
        return []
    return cells if rows.line_num == 1 else []


def _is_plain(body, letters):
    """Whether lines hold nothing but numbers, words and marks, as far as their bytes say."""
    if not body or body.startswith(codecs.BOM_UTF8) or letters.translate(None, PRINTED):
        return False
    return b"\r" not in body or body.count(b"\r") == body.count(b"\r\n")


def _has_codes(first, body, letters, mark):
    """Whether a cell is like 007, of which pandas makes a number: in the first line, below it, or behind blanks."""
    below = str(body[:2], "latin-1")
    if any(cell[:1] == "0" and cell[1:2].isdigit() for cell in (*first, below)):
        return True
    return b" " in letters and re.search(rb"(?:^|[\n" + re.escape(mark) + rb"]) +0[0-9]", body) is not None


def _edges(body, mark, width):
    """Where each line begins, and where one behind the last would.

    None where not all have so many cells, or one behind a mark is like 007.
    """
    letters = np.frombuffer(body, dtype=np.uint8)
    ends = letters == ord(mark)
    ends |= letters == ord("\n")
    rows, odd = divmod(np.count_nonzero(ends) + 1, width)
    if odd or rows + 1 > limits.ROWS or width > limits.COLUMNS or (rows + 1) * width > limits.CELLS:
        return None
    ends = np.flatnonzero(ends)
    zero = ends[letters.take(ends + 1, mode="clip") == ord("0")]
    if (letters[zero[zero + 2 < len(letters)] + 2] - ord("0") < 10).any():
        return None
    last = letters[ends] != ord(mark)
    if not last[width - 1 :: width].all() or np.count_nonzero(last) != rows - 1:
        return None
    return np.concatenate([[0], ends[width - 1 :: width] + 1, [len(body) + 1]])


def _holds_numbers(cells):
    """Whether the first cells of a column are numbers or gaps: a guess, which decides how it is read and not as what.

    One at least is a number: of nothing but gaps and truth values pandas would make 0 and 1.
    """
    given = [cell for cell in cells if cell not in GAPS]
    return bool(given) and all(number(cell) is not None for cell in given)


def _read(body, delimiter, numeric, whole):
    """The table of pandas: numbers, and words as they are written. ValueError where a word stands among numbers.

    whole: that no part of a column may be read by itself, as pandas takes truth values alone for 0 and 1
    """
    import pandas as pd  # takes a while to load, which a small file need not wait for

    exact: Any = {} if _version(pd) >= ONE_WAY else {"float_precision": "round_trip"}
    return pd.read_csv(
        io.BytesIO(body),
        sep=delimiter,
        header=None,
        names=range(len(numeric)),
        index_col=False,
        dtype={j: "float64" if here else "object" for j, here in enumerate(numeric)},
        na_values={j: list(GAPS) for j, here in enumerate(numeric) if here},
        keep_default_na=False,
        skip_blank_lines=False,
        quoting=csv.QUOTE_NONE,
        engine="c",
        low_memory=not whole,  # in parts, which stay in the processor's cache
        **exact,
    )


def _version(pd):
    return tuple(map(int, re.findall(r"\d+", pd.__version__)[:2]))


def _column(grid, j, read, numeric):
    """The cells of a column with the first line's on top."""
    if numeric:
        values = np.empty(len(read) + 1)
        first = number(grid.top[0][j])
        values[0], values[1:] = np.nan if first is None else first, read
        return Cells(grid, j, range(len(values)), values)
    return [grid.top[0][j], *map(str.strip, read)]


def _has_blank_row(columns):
    """Whether some row below the first has no value."""
    blank = np.ones(len(columns[0]) - 1, dtype=bool)
    for column in columns:
        if not blank.any():
            break
        blank &= np.isnan(column.values[1:]) if isinstance(column, Cells) else np.array([not c for c in column[1:]])
    return bool(blank.any())


def block(
    body: bytes, delimiter: str, width: int, numbers: Mapping[int, Collection[str]], words: Collection[int], comma: bool
) -> tuple[int, dict[int, Part]] | None:
    """(how many rows, the cells of some columns) of lines of a text that has been looked at.

    None where they are not plain, here with quotes around cells; a column of which a cell is no number comes as words.

    numbers: the columns of numbers, and the words for gaps in each; words: the other columns that are asked for; comma:
    whether commas are decimal
    """
    body, mark = body.rstrip(b"\r\n"), delimiter.encode()
    letters = body.translate(None, NUMERIC + mark)
    quoted = b'"' in letters
    if not _is_plain(body, letters.replace(b'"', b"") if quoted else letters):
        return None
    if b" " in letters and re.search(rb"(?:^|[\n" + re.escape(mark) + rb'])"? +"?0[0-9]', body):
        return None
    found = _rectangle(body, mark, width, quoted)
    if found is None:
        return None
    rows, codes = found
    top = list(islice(reader(body[:LOOKED_FAR], delimiter, False), LOOKED_AT))
    numeric = {j: gaps for j, gaps in numbers.items() if j not in codes and _are_numbers(top, j, gaps, comma)}
    how: Any = {
        "sep": delimiter,
        "header": None,
        "names": range(width),
        "index_col": False,
        "na_values": {j: [*GAPS, *gaps] for j, gaps in numeric.items()},
        "keep_default_na": False,
        "skip_blank_lines": False,
        "skipinitialspace": quoted,
        "quoting": csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        "decimal": "," if comma else ".",
        "engine": "c",
        "low_memory": not any(word in letters.lower() for word in TRUTH),
        "usecols": sorted({*numbers, *words}),
    }
    try:
        table = _parsed(body, numeric, how)
    except ValueError:  # a word among numbers
        table = _parsed(body, {}, how | {"na_values": {}})
    if len(table) != rows:
        return None
    return rows, {j: _part(table[j]) for j in how["usecols"]}


def _parsed(body, numeric, how):
    """The table of pandas: numbers, and the different words of the other columns."""
    import pandas as pd

    exact: Any = {} if _version(pd) >= ONE_WAY else {"float_precision": "round_trip"}
    kinds = {j: "float64" if j in numeric else "object" for j in how["usecols"]}
    return pd.read_csv(io.BytesIO(body), dtype=kinds, **how, **exact)


def _part(column):
    """The numbers of a column, or its different cells in the order of their first rows."""
    import pandas as pd

    if column.dtype.kind == "f":
        return column.to_numpy()
    codes, cells = pd.factorize(column.to_numpy())
    cells = [cell.strip() for cell in cells.tolist()]
    return Coded(cells, codes) if len(set(cells)) == len(cells) else Coded.of(cells, codes)


def _are_numbers(rows, j, gaps, comma):
    """Whether the first cells of a column are numbers or gaps, and one of them a number."""
    cells = [row[j].strip() for row in rows if len(row) > j]
    given = [cell.replace(",", ".") if comma else cell for cell in cells if cell not in GAPS and cell not in gaps]
    return bool(given) and all(number(cell) is not None for cell in given)


def _rectangle(body, mark, width, quoted):
    """(how many lines there are, the columns in which a cell is like 007).

    None where not all lines have so many cells, or one has none with a value.
    """
    letters = np.frombuffer(body, dtype=np.uint8)
    ends = letters == ord(mark)
    ends |= letters == ord("\n")
    if quoted:
        ends &= ~np.logical_xor.accumulate(letters == ord('"'))
    ends = np.flatnonzero(ends)
    rows, odd = divmod(len(ends) + 1, width)
    if odd or width > limits.COLUMNS:
        return None
    last = letters[ends] != ord(mark)
    if not last[width - 1 :: width].all() or np.count_nonzero(last) != rows - 1:
        return None
    edges = np.concatenate([[-1], ends[width - 1 :: width], [len(body)]])
    if np.diff(edges).min() <= width or np.diff(edges).max() > limits.LETTERS:
        return None
    starts = np.concatenate([[0], ends + 1])
    if quoted:
        starts = starts + (letters.take(starts, mode="clip") == ord('"'))
    zero = np.flatnonzero(letters.take(starts, mode="clip") == ord("0"))
    zero = zero[starts[zero] + 1 < len(letters)]
    digits = letters[starts[zero] + 1] - ord("0") < 10
    return rows, set((zero[digits] % width).tolist())
