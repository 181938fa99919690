"""A text that is too large to be held at once, as blocks of whole lines, read as a lenient reader reads all of it.

Its first lines say how it is laid out, as `text.laid_out` finds; the others are read by that layout.
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
from .lazy_cells import Coded
from .text_grid import Part

HEAD = 262_144  # bytes that say how a text is laid out
BLOCK = 4_000_000  # bytes of a block, in a piece of which the processor's cache has a part
LONGEST = 64_000_000  # bytes in which a line must end


class Block(NamedTuple):
    """Whole lines of a text in UTF-8, and how many lines stand above them."""

    raw: bytes
    above: int


class TextFile:
    """A CSV or TSV file, packed or not.

    layout  of its lines; cells  of the columns of the first of them, below the names
    letters  the encoding it is written in, None for UTF-8: a letter far below may show another one
    """

    def __init__(self, path: Path) -> None:
        self.path, self.name, self._sound = path, path.name, 0
        with contents.opened(self.path) as file:
            raw = self._read(file, HEAD)
        whole = len(raw) < HEAD
        if not whole and b"\0" not in raw:
            raw = raw[: _end_of_lines(raw) or len(raw)]
        self.letters = csv_dialect.encoding_of(raw)
        head = self._in_utf8(next(self._bytes([raw]), b""))
        if not whole:
            head = head[: _end_of_lines(head) or len(head)]
        self.layout, _, self.cells = text.laid_out(head, self.name)
        if self.cells and self.cells[0]:
            self.cells = table_frame.observations(self.layout.names, self.cells, whole)
        self.width = len(self.layout.names)
        self.repeated = 0  # lines of names that stand among the rows once more, of those that were read
        self._names = self._line_of_names(head)

    @property
    def encoding(self) -> list[str]:
        """The remark on what it is written in, if that is not UTF-8."""
        return [] if self.letters is None else [self.letters.said]

    @property
    def codec(self) -> str:
        """What it is written in, "" for UTF-8."""
        return "" if self.letters is None else f"{self.letters.codec}{self.letters.others}"

    @property
    def _is_wide(self):
        """Whether a sign of ASCII is not one byte."""
        return self.codec.startswith(("utf-16", "utf-32"))

    def _line_of_names(self, head):
        """The line that names all columns as it stands in the file, b"" if there is none or only one column."""
        names = list(self.layout.names)
        if len(names) < 2 or not all(names):
            return b""
        for line in head.split(_mark(head))[: self.layout.skipped]:
            row = next(csv_dialect.reader(line, self.layout.delimiter, False), [])
            if [cell.strip() for cell in row] == names:
                return line.rstrip(b"\r")
        return b""

    def blocks(self) -> Iterator[Block]:
        """Its rows of values."""
        above, rest, self.repeated = 0, b"", 0
        with contents.opened(self.path) as file:
            for raw in self._bytes(iter(lambda: self._read(file, BLOCK), b"")):
                rest += raw
                if not (end := _end_of_lines(rest)) and len(rest) < LONGEST:
                    continue
                lines, rest = rest[: end or len(rest)], rest[end or len(rest) :]
                yield from self._below_names(lines, above)
                above += _count(lines)
            yield from self._below_names(rest, above)

    def count_blocks(self) -> int:
        """How many blocks there are."""
        return sum(1 for _ in self.blocks())

    def _below_names(self, lines, above):
        """The block of some lines, without those that stand above the values."""
        lines = self._in_utf8(lines)
        if above < self.layout.skipped:
            mark, skipped = _mark(lines), self.layout.skipped - above
            lines, above = lines.split(mark, skipped)[skipped:], self.layout.skipped
            lines = lines[0] if lines else b""
        for part, before in self._between_names(lines):
            if part.strip():
                yield Block(part, above + before)

    def _between_names(self, lines):
        """Yield the parts of some lines between lines of names, each with how many lines stand above it there."""
        start = 0
        if self._names and self._names in lines:
            for found in re.finditer(rb"(?m)^" + re.escape(self._names) + rb"\r?$\n?", lines):
                self.repeated += 1
                yield lines[start : found.start()], _count(lines[:start])
                start = found.end()
        yield lines[start:], _count(lines[:start])

    def _read(self, file, size):
        with contents.reading(self.name, "packed", contents.PACK_AGAIN):
            return file.read(size)

    def _bytes(self, parts):
        """Parts of the file, in which a sign of ASCII is one byte."""
        if not self._is_wide:
            yield from parts
            return
        decoder = codecs.getincrementaldecoder(self.codec)()
        for raw in parts:
            try:
                yield decoder.decode(raw).encode()
            except UnicodeError:
                raise csv_dialect.damaged(self.name, self.codec) from None

    def _in_utf8(self, lines):
        """Whole lines in UTF-8."""
        lines = lines.removeprefix(codecs.BOM_UTF8)
        if b"\0" in lines:
            raise Refusal(f"{self.name} holds zero bytes, so it is no text file; save the table as CSV in UTF-8.")
        if lines.isascii() or self._is_wide:
            return lines
        if self.letters is None:  # of an earlier part, which may have had none beyond ASCII
            self.letters = csv_dialect.encoding_of(lines) if self._sound < len(lines) else self._but_for(lines)
        if self.letters is None:
            self._sound += len(lines)
            return text.composed(lines)
        try:
            return text.composed(self.letters.decoded(lines).encode())
        except UnicodeDecodeError:
            if encodings.named():
                raise csv_dialect.damaged(self.name, self.codec) from None
            self.letters = encodings.next_of(lines)
        return text.composed(self.letters.decoded(lines).encode())

    def _but_for(self, lines):
        """The encoding of lines below many that are in UTF-8: UTF-8 but for those that are not."""
        found = csv_dialect.encoding_of(lines)
        return found if found is None or found.others else Encoding("utf-8", found.codec, bad=1)


def parts(
    block: Block,
    layout: text.Layout,
    name: str,
    numeric: Mapping[int, Collection[str]],
    words: Collection[int],
    comma: bool,
    clear: Collection[int],
    said: list[str],
) -> tuple[Sequence[int], dict[int, Part]]:
    """(the line number of each row of a block, its cells of some columns).

    numeric, words, comma, clear  as in `grid.block`: where numbers are looked for, and in which notation
    said  takes remarks
    """
    width = len(layout.names)
    names = (b" " if layout.spaced else layout.delimiter.encode()).join([b"a"] * width) + b"\n"
    raw, above = block
    if layout.drawn:
        raw = table_frame.RULE.sub(b"", raw)
    if table_frame.has_comments(raw):
        both, remarks = table_frame.without_comments(names + raw, csv_dialect.width)
        raw = both[len(names) :]
        said.extend(remark for remark in remarks if remark not in said)
    if layout.spaced:
        raw = csv_dialect.with_tabs(raw)
        names = names.replace(b" ", b"\t")
    if not layout.formulas and (found := text_grid.block(raw, layout.delimiter, width, numeric, words, comma, clear)):
        rows, cells = found
        return range(above + 1, above + rows + 1), cells
    lines, columns = text.split(names + raw, name, layout.delimiter, said, above - 1)
    columns = [column[1:] for column in columns]
    if layout.formulas:
        columns = table_frame.without_equals(columns, [])
    cells: dict[int, Part] = {j: Coded.each(columns[j]) for j in words}
    for j in numeric:
        values = None if comma or are_padded_codes(columns[j]) else parse_numbers(columns[j])
        hidden = values is not None and j not in clear and may_be_grouped(values, columns[j])
        cells[j] = Coded.each(columns[j]) if values is None or hidden else values
    return lines[1:], cells


def _end_of_lines(raw):
    """Where the last whole line of a text ends, none of whose cells goes on behind it; 0 where none does."""
    mark = _mark(raw)
    end = last = raw.rfind(mark) + 1
    quotes = raw.count(b'"', 0, end)
    while end and quotes % 2:  # a quote is open, and the line goes on
        before = raw.rfind(mark, 0, end - 1) + 1
        quotes -= raw.count(b'"', before, end)
        end = before
    return end or last  # quotes that are letters, as in 5", have no end


def _count(lines):
    return lines.count(_mark(lines))


def _mark(lines):
    """What ends a line; of Macs before 2001 another one."""
    return b"\n" if b"\n" in lines else b"\r"
