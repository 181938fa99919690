"""Reader of texts that are too large for memory: blocks of whole lines, parsed as the lenient reader does.

The first lines determine the layout, as `text.lay_out` returns it, and the other lines are parsed by that layout.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from explorer.checks import Refusal
from explorer.datasets.columns.number_notation import may_be_grouped
from explorer.datasets.columns.table import are_padded_codes, parse_numbers

from . import contents, csv_dialect, encodings, table_frame, text, text_grid
from .encodings import Encoding
from .lazy_cells import EncodedColumn
from .text_grid import Part

HEAD = 262_144  # number of first bytes that determine the layout
BLOCK = 4_000_000  # size of a block in bytes, small enough for the processor's cache to help
LONGEST = 64_000_000  # largest length of a line in bytes


class Block(NamedTuple):
    """Whole lines of a text in UTF-8, and the number of lines above them."""

    raw: bytes
    above: int


class TextFile:
    """CSV or TSV file, packed or not, that is read in blocks.

    Parameters
    ----------
    path : Path
        The file.

    Attributes
    ----------
    layout : Layout
        Layout of its lines.
    cells : sequence of sequence of str
        Cells of the columns in its first lines, below the names.
    encoding : Encoding or None
        Encoding of the text, None for UTF-8. A character far below may show another one.
    width : int
        The number of columns.
    repeated : int
        The number of lines of names among the rows that were read.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.name, self._sound = path, path.name, 0
        with contents.open_unpacked(self.path) as file:
            raw = self._read(file, HEAD)
        whole = len(raw) < HEAD
        if not whole and b"\0" not in raw:
            raw = raw[: _end_of_lines(raw) or len(raw)]
        self.encoding = csv_dialect.encoding_of(raw)
        head = self._in_utf8(next(self._bytes([raw]), b""))
        if not whole:
            head = head[: _end_of_lines(head) or len(head)]
        self.layout, _, self.cells = text.lay_out(head, self.name)
        if self.cells and self.cells[0]:
            self.cells = table_frame.observations(self.layout.names, self.cells, whole)
        self.width = len(self.layout.names)
        self.repeated = 0  # number of lines of names among the rows that were read
        self._names = self._line_of_names(head)

    @property
    def encoding_remarks(self) -> list[str]:
        """Remark on the encoding, if it is not UTF-8."""
        return [] if self.encoding is None else [self.encoding.remark]

    @property
    def codec(self) -> str:
        """Python's name of the encoding, "" for UTF-8."""
        return "" if self.encoding is None else f"{self.encoding.codec}{self.encoding.others}"

    @property
    def _is_wide(self):
        """True if an ASCII character takes more than one byte."""
        return self.codec.startswith(("utf-16", "utf-32"))

    def _line_of_names(self, head):
        """Return the line of the file that names all columns, or b"" if there is none or only one column."""
        names = list(self.layout.names)
        if len(names) < 2 or not all(names):
            return b""
        for line in head.split(_mark(head))[: self.layout.skipped]:
            row = next(csv_dialect.reader(line, self.layout.delimiter, False), [])
            if [cell.strip() for cell in row] == names:
                return line.rstrip(b"\r")
        return b""

    def blocks(self) -> Iterator[Block]:
        """Yield its rows of values in blocks."""
        above, rest, self.repeated = 0, b"", 0
        with contents.open_unpacked(self.path) as file:
            for raw in self._bytes(iter(lambda: self._read(file, BLOCK), b"")):
                rest += raw
                if not (end := _end_of_lines(rest)) and len(rest) < LONGEST:
                    continue
                lines, rest = rest[: end or len(rest)], rest[end or len(rest) :]
                yield from self._below_names(lines, above)
                above += _count(lines)
            yield from self._below_names(rest, above)

    def count_blocks(self) -> int:
        """Return the number of blocks."""
        return sum(1 for _ in self.blocks())

    def _below_names(self, lines, above):
        """Yield the blocks of some lines, without those above the values."""
        lines = self._in_utf8(lines)
        if above < self.layout.skipped:
            mark, skipped = _mark(lines), self.layout.skipped - above
            lines, above = lines.split(mark, skipped)[skipped:], self.layout.skipped
            lines = lines[0] if lines else b""
        for part, before in self._between_names(lines):
            if part.strip():
                yield Block(part, above + before)

    def _between_names(self, lines):
        """Yield (part of some lines between lines of names, number of these lines above it)."""
        start = 0
        if self._names and self._names in lines:
            for match in re.finditer(rb"(?m)^" + re.escape(self._names) + rb"\r?$\n?", lines):
                self.repeated += 1
                yield lines[start : match.start()], _count(lines[:start])
                start = match.end()
        yield lines[start:], _count(lines[:start])

    def _read(self, file, size):
        with contents.reading(self.name, "packed", contents.PACK_AGAIN):
            return file.read(size)

    def _bytes(self, parts):
        """Yield parts of the file, recoded if an ASCII character takes more than one byte."""
        if not self._is_wide:
            yield from parts
            return
        decoder = codecs.getincrementaldecoder(self.codec)()
        for raw in parts:
            try:
                yield decoder.decode(raw).encode()
            except UnicodeError:
                raise csv_dialect.damaged_text_error(self.name, self.codec) from None

    def _in_utf8(self, lines):
        """Return whole lines in UTF-8."""
        lines = lines.removeprefix(codecs.BOM_UTF8)
        if b"\0" in lines:
            raise Refusal(f"{self.name} holds zero bytes, so it is no text file; save the table as CSV in UTF-8.")
        if lines.isascii() or self._is_wide:
            return lines
        if self.encoding is None:  # earlier parts are valid UTF-8, perhaps because they are ASCII
            self.encoding = csv_dialect.encoding_of(lines) if self._sound < len(lines) else self._mostly_utf8(lines)
        if self.encoding is None:
            self._sound += len(lines)
            return text.compose_accents(lines)
        try:
            return text.compose_accents(self.encoding.decode(lines).encode())
        except UnicodeDecodeError:
            if encodings.requested_encoding():
                raise csv_dialect.damaged_text_error(self.name, self.codec) from None
            self.encoding = encodings.fallback_encoding(lines)
        return text.compose_accents(self.encoding.decode(lines).encode())

    def _mostly_utf8(self, lines):
        """Return the encoding of lines below many that are in UTF-8: UTF-8, except for those that are not."""
        encoding = csv_dialect.encoding_of(lines)
        return encoding if encoding is None or encoding.others else Encoding("utf-8", encoding.codec, bad=1)


def parse_block(
    block: Block,
    layout: text.Layout,
    name: str,
    numeric: Mapping[int, Collection[str]],
    words: Collection[int],
    comma: bool,
    clear: Collection[int],
    unusual: list[str],
) -> tuple[Sequence[int], dict[int, Part]]:
    """Parse some columns of a block.

    Parameters
    ----------
    block : Block
        The lines.
    layout : Layout
        The layout of the text.
    name : str
        The file's name in messages.
    numeric : mapping of int to collection of str
        Columns of numbers, and the words for gaps in each.
    words : collection of int
        The other columns that are requested.
    comma : bool
        Whether commas are decimal.
    clear : collection of int
        Columns whose decimal mark is known.
    unusual : list of str
        Remarks are appended to it.

    Returns
    -------
    tuple of (sequence of int, dict of int to ndarray or EncodedColumn)
        The line number of each row, and the cells of each column.
    """
    width = len(layout.names)
    names = (b" " if layout.spaced else layout.delimiter.encode()).join([b"a"] * width) + b"\n"
    raw, above = block
    if layout.drawn:
        raw = table_frame.RULE.sub(b"", raw)
    if table_frame.has_comments(raw):
        both, remarks = table_frame.strip_comments(names + raw, csv_dialect.width)
        raw = both[len(names) :]
        unusual.extend(remark for remark in remarks if remark not in unusual)
    if layout.spaced:
        raw = csv_dialect.with_tabs(raw)
        names = names.replace(b" ", b"\t")
    if not layout.formulas and (
        plain_block := text_grid.parse_block(raw, layout.delimiter, width, numeric, words, comma, clear)
    ):
        rows, cells = plain_block
        return range(above + 1, above + rows + 1), cells
    lines, columns = text.split(names + raw, name, layout.delimiter, unusual, above - 1)
    columns = [column[1:] for column in columns]
    if layout.formulas:
        columns = table_frame.strip_formulas(columns, [])
    cells: dict[int, Part] = {j: EncodedColumn.from_cells(columns[j]) for j in words}
    for j in numeric:
        values = None if comma or are_padded_codes(columns[j]) else parse_numbers(columns[j])
        hidden = values is not None and j not in clear and may_be_grouped(values, columns[j])
        cells[j] = EncodedColumn.from_cells(columns[j]) if values is None or hidden else values
    return lines[1:], cells


def _end_of_lines(raw):
    """Return the end of the last line of a text whose cells are all complete, or 0 if there is none."""
    mark = _mark(raw)
    end = last = raw.rfind(mark) + 1
    quotes = raw.count(b'"', 0, end)
    while end and quotes % 2:  # a quote is open, so the line continues
        before = raw.rfind(mark, 0, end - 1) + 1
        quotes -= raw.count(b'"', before, end)
        end = before
    return end or last  # a quote that means inches, as in 5", is never closed


def _count(lines):
    return lines.count(_mark(lines))


def _mark(lines):
    """Return what ends a line: a line feed, or a carriage return as on Macs before 2001."""
    return b"\n" if b"\n" in lines else b"\r"
