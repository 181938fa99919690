"""Reader of delimited text: from bytes to columns, by encoding, delimiter, header and cells.

Ambiguous text is refused. The lenient reader reads more, by `csv_dialect` and `number_notation`, and remarks on it.
"""

from __future__ import annotations

import csv
import itertools
import unicodedata
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from explorer.checks import Refusal
from explorer.datasets.columns import number_notation
from explorer.datasets.columns.table import (
    Column,
    Table,
    column_names,
    encode_cells,
    normalise_truth_values,
    numbers_of,
    parse_number_strict,
    sha256,
)
from explorer.datasets.columns.table import parse_column as written_column
from explorer.record import record

from . import csv_dialect, encodings, header, limits, table_frame, text_grid

ONE_NAME = "columns of one name, now numbered"
DELIMITERS = ("\t", ";", ",")
AT_ONCE = 10_000  # number of rows that are stored as rows, before their cells are moved to the columns


def parse(raw: bytes, name: str, lenient: bool = False) -> Table:
    """Return the Table in the bytes of a CSV or TSV file. `name` is the file's name in messages.

    Raises Refusal if the bytes are not UTF-8 text, if there are no rows, if lines have different widths or columns
    equal names, and as soon as there are more rows, columns or cells than `limits` allows.
    """
    if lenient:
        return _leniently(raw, name)
    decoded = csv_dialect.in_utf8(raw, name)[0] if encodings.requested_encoding() else raw
    _refuse_no_text(decoded, name)
    text = compose_accents(decoded)
    delimiter = _delimiter(text)
    lines, cells = text_grid.split(text, delimiter) or split(text, name, delimiter)
    return _strictly(lines, cells, name, sha256(raw), delimiter)


def _strictly(lines, cells, name, digest, delimiter=""):
    """Return the Table of cells that are parsed as Python parses them. The first row may name the columns."""
    values = [numbers_of(column[1:]) for column in cells]
    counted = header.counts_columns([column[0] for column in cells], cells)
    start = (
        1
        if counted or header.has_header([parse_number_strict(column[0]) for column in cells], lambda: values, name)
        else 0
    )
    if len(lines) == start:
        raise Refusal(f"{name} has a header and no rows; add at least one row of values.")
    names = column_names((column[0] if start else "" for column in cells), name)
    if not start:
        values = [numbers_of(column) for column in cells]
    cells = (encode_cells(column[start:]) for column in cells)
    columns = (
        Column(t, normalise_truth_values(c) if v is None else c, v)
        for t, c, v in zip(names, cells, values, strict=True)
    )
    return Table(name, tuple(columns), digest, delimiter, lines[start:])


def of_cells(
    lines: Sequence[int],
    cells: Sequence[list[str]],
    name: str,
    digest: str,
    unusual: list[str] | None = None,
) -> Table:
    """Return the Table of columns of cells that do not come from a text file but, for example, from a sheet.

    `lines` holds the line number of each row. If `unusual` is a list, the lenient reader strips what surrounds the
    table and appends its remarks there.
    """
    if unusual is None:
        return _strictly(lines, cells, name, digest)
    layout, lines, cells = strip_frame(lines, cells, name, "", unusual)
    return _finish(layout, lines, cells, name, digest)


def of_columns(
    names: Sequence[str], cells: Sequence[list[str]], name: str, digest: str, lenient: bool, lines: Sequence[int] = ()
) -> Table:
    """Return the Table of columns whose names are known. The cells decide whether they are numbers, words or dates."""
    titled = column_names(names, name)
    if lenient:
        written, remarks = number_notation.parse_columns(cells)
        columns = (_of_written(t, each) for t, each in zip(titled, written, strict=True))
        return Table(name, tuple(columns), digest, "", lines, tuple(remarks), lenient=True)
    return Table(name, tuple(itertools.starmap(written_column, zip(titled, cells, strict=True))), digest, "", lines)


def _of_written(title, column: number_notation.ParsedColumn) -> Column:
    """Return the Column of cells that the lenient reader has parsed."""
    cells = (
        encode_cells(column.cells) if column.numbers is not None else normalise_truth_values(encode_cells(column.cells))
    )
    return Column(title, cells, column.numbers, column.dates, column.unit, column.n_limits, column.cell_counts)


@record
class Layout:
    """Layout of a text, inferred from its first lines: it determines how lines become cells.

    delimiter
        What separates cells.
    spaced
        Whether the file has blanks in place of the delimiter; they are replaced by tabs.
    drawn
        Whether lines are drawn between rows.
    formulas
        Whether cells are written as ="...".
    names, units
        Name and unit of each column in the text, "" if it has none.
    skipped
        Number of lines above the first row of values.
    before, after
        Remarks on what precedes the cells, and on the names and units.
    """

    delimiter: str
    spaced: bool
    drawn: bool
    formulas: bool
    names: tuple[str, ...]
    units: tuple[str, ...]
    skipped: int
    before: tuple[str, ...]
    after: tuple[str, ...]


def lay_out(raw: bytes, name: str) -> tuple[Layout, Sequence[int], Any]:
    """Return (Layout of a text, line number of each row of values, cells of each column)."""
    text, delimiter, unusual = csv_dialect.normalise_text(raw, name)
    _refuse_no_text(text, name)
    text = compose_accents(text)
    usual = _delimiter(text)
    delimiter = delimiter or usual
    if delimiter != usual and delimiter in ";,|":
        unusual.append(f"{csv_dialect.MARKS[delimiter]} between cells")
    lines, cells = text_grid.split(text, delimiter) or split(text, name, delimiter, unusual)
    if not lines:
        raise Refusal(f"{name} has no cell with a value; give a table with at least one row.")
    return strip_frame(lines, cells, name, delimiter, unusual)


def strip_frame(
    lines: Sequence[int], cells: Sequence[Sequence[str]], name: str, delimiter: str, unusual: list[str]
) -> tuple[Layout, Sequence[int], Any]:
    """Return (Layout of cells, line number of each row of values, cells of each column)."""
    lines, cells = table_frame.strip_remarks(lines, cells, unusual)
    cells = table_frame.strip_formulas(cells, unusual)
    before, after, every, first = unusual, [], len(lines), lines
    inner = table_frame.strip_outer_marks(cells, "", [])  # remarks on these marks are made after all lines are read
    raw_names, lines, below = table_frame.strip_names(lines, inner, name, delimiter, after)
    units, lines, below = table_frame.strip_units(lines, below, raw_names, after)
    start, above = int(inner[0] is not cells[0]), every - len(lines)
    blank = [""] * start, [""] * (len(cells) - start - len(inner))
    layout = Layout(
        delimiter,
        csv_dialect.SEPARATED in before,
        table_frame.DRAWN in before,
        table_frame.FORMULAS in before,
        (*blank[0], *raw_names, *blank[1]),
        (*blank[0], *units, *blank[1]),
        first[above - 1] if above else 0,
        tuple(before),
        tuple(after),
    )
    return layout, lines, [column[above:] for column in cells]


def _leniently(raw, name):
    """Return the Table as the lenient reader reads it."""
    return _finish(*lay_out(raw, name), name, sha256(raw))


def _finish(layout, lines, cells, name, digest):
    """Return the Table of cells whose layout is known."""
    delimiter, unusual = layout.delimiter, list(layout.before)
    start, stop = inner_columns(layout.names, lambda j: any(cells[j]))
    unusual += outer_remarks(start, len(cells) - stop, mark_label(delimiter))
    unusual += layout.after
    raw_names, units, cells = list(layout.names[start:stop]), layout.units[start:stop], cells[start:stop]
    below, lines, remarks = table_frame.strip_totals(raw_names, lines, cells, delimiter, unusual)
    below = [c._replace(unit=unit or c.unit) for c, unit in zip(below, units, strict=True)]
    raw_names, below = table_frame.strip_index(raw_names, below, unusual)
    names = column_names(make_unique(raw_names), name)
    unusual += remarks + ([ONE_NAME] if list(make_unique(raw_names)) != raw_names else [])
    columns = (Column(t, encode_cells(cells), *rest) for t, (cells, *rest) in zip(names, below, strict=True))
    columns = (replace(c, cells=normalise_truth_values(c.cells)) if c.numbers is None else c for c in columns)
    return Table(name, tuple(columns), digest, delimiter, lines, tuple(unusual), lenient=True)


def inner_columns(names: Sequence[str], filled: Callable[[int], bool]) -> tuple[int, int]:
    """Return (start, stop) of the columns, without a first and a last one that have neither name nor value.

    Delimiters at the start and the end of each line make such columns.

    Parameters
    ----------
    names : sequence of str
        The names of the columns, "" if they have none.
    filled : callable
        Returns whether the column at a position has a value.

    Returns
    -------
    tuple of int
        The first position, and the one after the last.
    """
    start, stop = 0, len(names)
    if stop > 1 and not names[-1] and not filled(stop - 1):
        stop -= 1
    if stop > 1 and not names[0] and not filled(0):
        start = 1
    return start, stop


def outer_remarks(start: int, end: int, mark: str) -> list[str]:
    """Return the remarks on columns that delimiters at the ends or the starts of lines make.

    Parameters
    ----------
    start : int
        The number of empty first columns, 0 or 1.
    end : int
        The number of empty last columns, 0 or 1.
    mark : str
        The name of the delimiter.

    Returns
    -------
    list of str
        The remarks.
    """
    return [f"{mark} at the end of each line"] * end + [f"{mark} at the start of each line"] * start


def mark_label(delimiter: str) -> str:
    """Return what messages call a delimiter.

    Parameters
    ----------
    delimiter : str
        The delimiter.

    Returns
    -------
    str
        For example "commas".
    """
    return csv_dialect.MARKS.get(delimiter, f"{delimiter!r}")


def make_unique(names: Sequence[str]) -> Iterator[str]:
    """Yield names of columns. Those that repeat an earlier one get a number: a, a (2).

    Parameters
    ----------
    names : sequence of str
        The names.

    Yields
    ------
    str
        A name.
    """
    taken = set()
    for name in names:
        unique, count = name, 1
        while unique and unique in taken:
            count += 1
            unique = f"{name} ({count})"
        taken.add(unique)
        yield unique


def _refuse_no_text(raw, name):
    try:
        content = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        byte = error.object[error.start]
        raise Refusal(
            f"{name} is no UTF-8 text (byte {byte:#04x} in line {line}); save it as CSV in UTF-8, or name its encoding."
        ) from error
    if "\0" in content:
        raise Refusal(f"{name} holds zero bytes, so it is no text file; save the table as CSV in UTF-8.")
    if not content or content.isspace():
        raise Refusal(f"{name} is empty; give a table with at least one row.")


def compose_accents(raw: bytes) -> bytes:
    """Return a text in which a letter and its accent are one character (NFC)."""
    if raw.isascii():
        return raw
    text = raw.decode("utf-8-sig")
    return raw if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text).encode()


def _delimiter(raw):
    """Return what separates the cells of the first line: the first of tab, semicolon and comma that splits it.

    A comma is common inside cells, a tab or semicolon is not. Marks that leave quoted cells whole come first, as a
    semicolon may occur within quotes.
    """
    for mark, strict in ((mark, strict) for strict in (True, False) for mark in DELIMITERS):
        try:
            if len(next(csv_dialect.reader(raw, mark, strict))) > 1:
                return mark
        except csv.Error:  # the first line is one unclosed cell by this mark
            continue
    return ","


def _skip_blank(rows, name, unusual):
    """Yield the rows that are not blank, and add a remark to `unusual` if some are."""
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


def _trim(part, width, mark, unusual):
    """Return the rows without the blank cells that delimiters at the ends of lines make, a remark in `unusual`."""
    longer = [len(row) > width and not any(map(str.strip, row[width:])) for _, row in part]
    if any(longer) and (remark := f"{mark} at the end of each line") not in unusual:
        unusual.append(remark)
    return [(line, row[:width] if cut else row) for (line, row), cut in zip(part, longer, strict=True)]


def _with_line_numbers(rows, above):
    """Yield (line on which a row begins, row). A quoted cell may span several lines."""
    before = above
    for row in rows:
        yield before + 1, row
        before = above + rows.line_num


def split(raw: bytes, name: str, delimiter: str, unusual: list[str] | None = None, above: int = 0) -> Any:
    """Return (line number on which each row begins, cells of each column with that of the first row on top).

    If `unusual` is a list, blank lines are left out and remarked there; otherwise they are rows. `above` is the number
    of lines of the file above these.
    """
    raw = raw.rstrip(b"\r\n")  # blank lines at the end are not rows
    mark, lines, columns = mark_label(delimiter), array("l"), []
    rows = csv_dialect.reader(raw, delimiter, True)
    numbered = _with_line_numbers(rows, above)
    if unusual is not None:
        numbered = _skip_blank(numbered, name, unusual)
    try:
        while part := list(islice(numbered, AT_ONCE)):
            width = len(columns or part[0][1])
            if unusual is not None:
                part = _trim(part, width, mark, unusual)
            limits.refuse_shape(name, len(lines) + 1, width)
            wrong = next(((line, row) for line, row in part if len(row) != width), None)
            if wrong is not None:
                raise Refusal(
                    f"{name}: line {wrong[0]} has {len(wrong[1])} cells and the first has {width}, separated by {mark};"
                    f" give every line the same number of cells, in quotes if a cell holds {mark}."
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
            why = f"up to line {above + rows.line_num} one has more than {limits.LETTERS:,} letters, the limit"
        raise Refusal(f"{name} cannot be split into cells: {why}; check its quotes.") from error
    return lines, columns
