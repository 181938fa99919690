"""From the bytes of a text file to columns: encoding, delimiter, header, cells.

What is unclear is refused; a lenient reader reads more of it, as `dialects` and `notation` do, and says what.
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
AT_ONCE = 10_000  # rows that are held as rows: the cells of those before stand in their columns


def parse(raw: bytes, name: str, lenient: bool = False) -> Table:
    """The Table in the bytes of a CSV or TSV file; `name` is the file's name in sentences.

    Raises ValueError for bytes that are no UTF-8 text, no rows, lines of different widths, columns that share a name,
    and for more rows, columns or cells than `limits` has, as soon as there are more.
    """
    if lenient:
        return _leniently(raw, name)
    given = csv_dialect.in_utf8(raw, name)[0] if encodings.named() else raw
    _refuse_no_text(given, name)
    text = composed(given)
    delimiter = _delimiter(text)
    lines, cells = text_grid.split(text, delimiter) or split(text, name, delimiter)
    return _strictly(lines, cells, name, sha256(raw), delimiter)


def _strictly(lines, cells, name, digest, delimiter=""):
    """The Table of cells that are read as Python reads them; the first of each column may be its name."""
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
    """Return the Table of columns of cells that are no text file's, such as a sheet's.

    lines    the number of the line on which each row stands
    unusual  if it is a list, a lenient reader takes the table out of its frame, and says there what is unusual
    """
    if unusual is None:
        return _strictly(lines, cells, name, digest)
    layout, lines, cells = framed(lines, cells, name, "", unusual)
    return _settled(layout, lines, cells, name, digest)


def of_columns(
    names: Sequence[str], cells: Sequence[list[str]], name: str, digest: str, lenient: bool, lines: Sequence[int] = ()
) -> Table:
    """Return the Table of columns whose names are known; their cells say whether they are numbers, words or dates."""
    titled = column_names(names, name)
    if lenient:
        written, remarks = number_notation.parse_columns(cells)
        columns = (_of_written(t, each) for t, each in zip(titled, written, strict=True))
        return Table(name, tuple(columns), digest, "", lines, tuple(remarks), lenient=True)
    return Table(name, tuple(itertools.starmap(written_column, zip(titled, cells, strict=True))), digest, "", lines)


def _of_written(title, column: number_notation.ParsedColumn) -> Column:
    """The Column of cells that a lenient reader has read."""
    cells = (
        encode_cells(column.cells) if column.numbers is not None else normalise_truth_values(encode_cells(column.cells))
    )
    return Column(title, cells, column.numbers, column.dates, column.unit, column.n_limits, column.cell_counts)


@record
class Layout:
    """How the lines of a text become cells, as its first lines show.

    delimiter  what stands between cells; spaced  whether the file has blanks there, and `text` tabs
    drawn      whether lines are drawn between rows; formulas  whether cells are written as ="..."
    names      of the columns as the text has them, "" of one without; units  as many
    skipped    how many lines stand before the first row of values
    before, after  remarks, on what comes before the cells, and on the names and units
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


def laid_out(raw: bytes, name: str) -> tuple[Layout, Sequence[int], Any]:
    """(The Layout of a text, the line number of each row of values, the cells of each column)."""
    text, delimiter, unusual = csv_dialect.plain(raw, name)
    _refuse_no_text(text, name)
    text = composed(text)
    usual = _delimiter(text)
    delimiter = delimiter or usual
    if delimiter != usual and delimiter in ";,|":
        unusual.append(f"{csv_dialect.MARKS[delimiter]} between cells")
    lines, cells = text_grid.split(text, delimiter) or split(text, name, delimiter, unusual)
    if not lines:
        raise Refusal(f"{name} has no cell with a value; give a table with at least one row.")
    return framed(lines, cells, name, delimiter, unusual)


def framed(
    lines: Sequence[int], cells: Sequence[Sequence[str]], name: str, delimiter: str, unusual: list[str]
) -> tuple[Layout, Sequence[int], Any]:
    """(The Layout of cells, the line number of each row of values, the cells of each column)."""
    lines, cells = table_frame.without_remarks(lines, cells, unusual)
    cells = table_frame.without_equals(cells, unusual)
    before, after, every, first = unusual, [], len(lines), lines
    inner = table_frame.without_outer_marks(cells, "", [])  # whose remarks are for who has read all lines
    given, lines, below = table_frame.without_names(lines, inner, name, delimiter, after)
    units, lines, below = table_frame.without_units(lines, below, given, after)
    start, above = int(inner[0] is not cells[0]), every - len(lines)
    blank = [""] * start, [""] * (len(cells) - start - len(inner))
    layout = Layout(
        delimiter,
        csv_dialect.SEPARATED in before,
        table_frame.DRAWN in before,
        table_frame.FORMULAS in before,
        (*blank[0], *given, *blank[1]),
        (*blank[0], *units, *blank[1]),
        first[above - 1] if above else 0,
        tuple(before),
        tuple(after),
    )
    return layout, lines, [column[above:] for column in cells]


def _leniently(raw, name):
    """The Table, with what only a lenient reader reads so."""
    return _settled(*laid_out(raw, name), name, sha256(raw))


def _settled(layout, lines, cells, name, digest):
    """The Table of cells that are laid out."""
    delimiter, unusual = layout.delimiter, list(layout.before)
    start, stop = outer(layout.names, lambda j: any(cells[j]))
    unusual += said_of_outer(start, len(cells) - stop, mark_of(delimiter))
    unusual += layout.after
    given, units, cells = list(layout.names[start:stop]), layout.units[start:stop], cells[start:stop]
    below, lines, remarks = table_frame.without_summaries(given, lines, cells, delimiter, unusual)
    below = [c._replace(unit=unit or c.unit) for c, unit in zip(below, units, strict=True)]
    given, below = table_frame.without_index(given, below, unusual)
    names = column_names(distinct(given), name)
    unusual += remarks + ([ONE_NAME] if list(distinct(given)) != given else [])
    columns = (Column(t, encode_cells(cells), *rest) for t, (cells, *rest) in zip(names, below, strict=True))
    columns = (replace(c, cells=normalise_truth_values(c.cells)) if c.numbers is None else c for c in columns)
    return Table(name, tuple(columns), digest, delimiter, lines, tuple(unusual), lenient=True)


def outer(names: Sequence[str], filled: Callable[[int], bool]) -> tuple[int, int]:
    """Where the columns begin and end, but for a first and a last one with neither name nor value.

    Marks at the start and the end of each line make such.
    """
    start, stop = 0, len(names)
    if stop > 1 and not names[-1] and not filled(stop - 1):
        stop -= 1
    if stop > 1 and not names[0] and not filled(0):
        start = 1
    return start, stop


def said_of_outer(start: int, end: int, mark: str) -> list[str]:
    """The remarks on columns that marks at the ends or the starts of lines make."""
    return [f"{mark} at the end of each line"] * end + [f"{mark} at the start of each line"] * start


def mark_of(delimiter: str) -> str:
    """What a mark between cells is called."""
    return csv_dialect.MARKS.get(delimiter, f"{delimiter!r}")


def distinct(names: Sequence[str]) -> Iterator[str]:
    """Names of columns, of which those that repeat an earlier one get a number: a, a (2)."""
    taken = set()
    for name in names:
        called, count = name, 1
        while called and called in taken:
            count += 1
            called = f"{name} ({count})"
        taken.add(called)
        yield called


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


def composed(raw: bytes) -> bytes:
    """A text in which a letter and its accent are one sign, however its writer has them."""
    if raw.isascii():
        return raw
    text = raw.decode("utf-8-sig")
    return raw if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text).encode()


def _delimiter(raw):
    """What separates cells: a comma is common inside cells, a tab or semicolon is not, so the rarer mark decides.

    But where a mark leaves quotes whole that another one tears, as a semicolon does that stands within them.
    """
    for mark, strict in ((mark, strict) for strict in (True, False) for mark in DELIMITERS):
        try:
            if len(next(csv_dialect.reader(raw, mark, strict))) > 1:
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


def _numbered(rows, above):
    """(The line on which a row begins, the row) of each: a cell in quotes may have several lines."""
    before = above
    for row in rows:
        yield before + 1, row
        before = above + rows.line_num


def split(raw: bytes, name: str, delimiter: str, unusual: list[str] | None = None, above: int = 0) -> Any:
    """The number of the line on which each row begins, and each column's cells, those of the first row on top.

    unusual: where it is a list, blank lines are left out, and said there; else they are rows. above: how many lines of
    the file stand above these.
    """
    raw = raw.rstrip(b"\r\n")  # blank lines at the end are not rows
    mark, lines, columns = mark_of(delimiter), array("l"), []
    rows = csv_dialect.reader(raw, delimiter, True)
    numbered = _numbered(rows, above)
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
            why = f"up to line {above + rows.line_num} one has more than {limits.LETTERS:,} letters, the limit"
        raise Refusal(f"{name} cannot be split into cells: {why}; check its quotes.") from error
    return lines, columns
