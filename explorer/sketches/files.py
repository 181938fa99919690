"""Files of tables of any size, as pieces of their rows that are read alike, and as a small file is."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property, partial
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, TypeAlias

from explorer.checks import Refusal
from explorer.datasets.columns import number_notation
from explorer.datasets.columns.row_numbers import RowNumberDetector
from explorer.datasets.columns.spellings import common_names
from explorer.datasets.columns.table import column_names, parse_numbers
from explorer.datasets.files import (
    arrow_columns,
    arrow_files,
    contents,
    csv_dialect,
    databases,
    formats,
    json_text,
    numpy_files,
    parquet,
    table_frame,
    text,
    text_chunks,
)
from explorer.datasets.files.addresses import address, called, refuse_part
from explorer.datasets.files.contents import MEGABYTES, refuse_special
from explorer.datasets.files.lazy_cells import Coded
from explorer.datasets.files.sample_cells import Witnesses
from explorer.datasets.files.table_frame import COMMENTS, INDEX, counts

from .rows import Piece, Pieces, Reader, RowTable, as_others, of_database, of_lines, whole

PARQUET = (".parquet", ".pq")
TEXT = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson")
ARROW = (".arrow", ".feather", ".ipc", ".arrows")
START = 1000  # bytes of a file that say what it is
ROWS = 65_536  # of a piece of a Parquet file
FIRST = 1000  # rows of a Parquet file that say how its words are read


class TextTable:
    """A CSV or TSV file: what is known of its lines and cells, which all pieces are read by.

    changed  whether what a piece showed would have earlier ones read in another way
    """

    def __init__(self, path: Path) -> None:
        self.file = text_chunks.TextFile(path)
        self.name, self._layout = self.file.name, self.file.layout
        cells, self.file.cells = self.file.cells, []
        self._witnesses = Witnesses(cells, self._layout.delimiter)
        self._start, self._stop = text.outer(self._layout.names, lambda j: any(cells[j]))
        self._index = self._stop - self._start > 1 and any(self._layout.names)
        self._index = self._index and counts(self._layout.names[self._start], parse_numbers(cells[self._start]))
        self._counting, self._codec, self._moved = RowNumberDetector(), self.file.codec, False
        self.renamed: dict[str, str] = {}  # its own names of columns -> those of other files
        self.respelled: dict[str, dict[str, str]] = {}  # of columns of words, its own words -> those of other files
        self.as_numbers: set[str] = set()  # columns whose truth values or categories are read as numbers
        self._totals: int | None = None  # how many of the last lines are totals; None until they were seen

    @property
    def names(self) -> tuple[str, ...]:
        """Of its columns."""
        given = self._layout.names[self._start + self._index : self._stop]
        return tuple(self.renamed.get(name, name) for name in column_names(text.distinct(given), self.name))

    def set_aside(self, words: Mapping[str, Collection[str]]) -> None:
        """Take words of columns, by name, as missing from now on; of other columns what is set aside stays so."""
        for j, name in enumerate(self.names, self._start + self._index):
            if name in words:
                self._witnesses.set_aside(j, words[name])

    @property
    def changed(self) -> bool:
        """See the class."""
        return self._moved or self._witnesses.changed or self._codec != self.file.codec

    def numeric(self) -> tuple[str, ...]:
        """The names of the columns of numbers, as far as was read."""
        known = self._witnesses.known[self._start + self._index : self._stop]
        return tuple(
            name
            for name, column in zip(self.names, known, strict=True)
            if column.numbers is not None and not column.dates
        )

    def dates(self) -> tuple[str, ...]:
        """The names of the columns of dates, as far as was read."""
        known = self._witnesses.known[self._start + self._index : self._stop]
        return tuple(name for name, column in zip(self.names, known, strict=True) if column.dates)

    def witnesses(self) -> dict[str, list[str]]:
        """The cells of each column that say how it is read."""
        cells = self._witnesses.cells[self._start + self._index : self._stop]
        return dict(zip(self.names, cells, strict=True))

    def either(self) -> dict[str, str]:
        """A cell of each column that may be 1.25 or 1250, as all of its cells, "" of other columns."""
        places = range(self._start + self._index, self._stop)
        return {name: self._witnesses.either(j) for name, j in zip(self.names, places, strict=True)}

    def pieces(self, wanted: Collection[str] | None = None, as_written: bool = False) -> Iterator[Reader]:
        """Its pieces with these columns, or all; as_written: with words for numbers that have something beside them."""
        self._counting, self._codec = RowNumberDetector(), self.file.codec
        self._moved = self._witnesses.changed = False
        places = {
            self._start + self._index + j: name for j, name in enumerate(self.names) if wanted is None or name in wanted
        }
        for block in self._without_total():
            yield partial(self._piece, block, places, wanted is None, as_written)

    def _without_total(self):
        """The blocks without last lines of totals."""
        before = None
        for block in self.file.blocks():
            if before is not None:
                yield before
            before = block
        if before is not None:
            if self._totals is None:
                self._totals = self._last_totals(before)
            yield _without_last(before, self._totals)

    def _last_totals(self, last):
        """How many of the last lines are totals, averages and the like of columns of numbers, and say so by a word."""
        lines = [
            [cell.strip() for row in csv_dialect.reader(line, self._layout.delimiter, False) for cell in row]
            for line in last.raw.rstrip().splitlines()[-table_frame.LAST - 1 :]
        ]
        rows = list(
            takewhile(lambda cells: any(map(table_frame.SUMMARY.fullmatch, cells)), lines[: -table_frame.LAST - 1 : -1])
        )
        if not rows and len(lines) > 1 and table_frame.lacks_word(*lines[:-3:-1]):
            rows = lines[-1:]
        if not rows:
            return 0
        again = deepcopy(self)  # the cells of these lines are no witnesses
        sums: dict[int, table_frame.Sums] = {}
        words: set[int] = set()
        count = again.file.count_blocks()
        for k, block in enumerate(again.file.blocks(), 1):
            block = _without_last(block, len(rows)) if k == count else block
            if not block.raw.strip():
                continue
            piece = again._piece(block, dict(enumerate(self._layout.names)), whole=False)
            for j, column in enumerate(piece.columns.values()):
                if isinstance(column.cells, Coded):
                    words.add(j)
                else:
                    sums[j] = sums.get(j, table_frame.Sums()) | table_frame.Sums.of(column.cells)
        confirmed = [
            table_frame.is_summary(cells, {j: each for j, each in sums.items() if j not in words}) for cells in rows
        ]
        return next((k for k, found in enumerate(confirmed) if not found), len(rows))

    def _piece(self, block, places, whole, as_written=False):
        """The columns of a block."""
        aside = [*range(self._start), *range(self._stop, len(self._layout.names))] if whole else []
        index = [self._start] if whole and self._index else []
        asked = {*places, *index}
        numeric = {j: gaps for j, gaps in self._witnesses.numeric.items() if j in asked}
        remarks: list[str] = []
        known = self._witnesses
        words = [*(j for j in asked if j not in numeric), *aside]
        lines, parts = text_chunks.parts(
            block, self._layout, self.name, numeric, words, known.comma, known.clear, remarks
        )
        self._look_aside(parts, aside, index)
        found, said = self._witnesses.read({j: parts[j] for j in places}, as_written)
        columns = {name: self._in_unit(j, found[j]) for j, name in places.items()}
        columns = as_others(columns, self.respelled, self.as_numbers)
        return Piece(columns, len(lines), lines, self.changed, said, tuple(remarks))

    def _in_unit(self, j, column):
        """A column with the unit that stands below its name."""
        return column._replace(unit=self._layout.units[j] or column.unit)

    def _look_aside(self, parts, aside, index):
        """Whether columns that were empty or counted the rows still do; if not they are columns like others."""
        for j in aside:
            part = parts[j]
            if not isinstance(part, Coded) or any(part.cells):
                self._start, self._stop, self._moved = min(self._start, j), max(self._stop, j + 1), True
        for j in index:
            values = parts[j]
            if isinstance(values, Coded) or not self._counting.add(values).is_consecutive:
                self._index, self._moved = False, True

    def unusual(self, said: number_notation.Remarks, remarks: Collection[str]) -> list[str]:
        """What is unusual in it, of what was said of its pieces."""
        layout, mark = self._layout, text.mark_of(self._layout.delimiter)
        found = [*self.file.encoding, *layout.before]
        found += [remark for remark in (COMMENTS, *remarks) if remark in remarks and remark not in found]
        found += text.said_of_outer(self._start, len(layout.names) - self._stop, mark)
        found += layout.after
        found += table_frame.said_of(self.file.repeated, self._totals or 0)
        found += [INDEX] if self._index else []
        found += self._witnesses.unusual(said)
        given = layout.names[self._start + self._index : self._stop]
        return [*found, *([text.ONE_NAME] if list(text.distinct(given)) != list(given) else [])]


def _without_last(block, count):
    """A block without so many last lines."""
    if not count:
        return block
    lines = block.raw.rstrip().splitlines(keepends=True)
    return block._replace(raw=b"".join(lines[:-count]))


class BatchTable(Pieces):
    """A table whose rows are Arrow's record batches; see `TextTable`."""

    def __init__(self, name: str, schema: Any) -> None:
        self._fields = list(schema)
        super().__init__(name, [field.name for field in self._fields])
        called = arrow_columns.categories(schema.metadata)
        self._categories = {j for j, field in enumerate(self._fields) if field.name in called}
        for piece in islice(self.pieces(rows=FIRST), 1):
            piece()

    def _batches(self, places: Sequence[int], rows: int) -> Iterator[Any]:
        """The record batches of these columns, of so many rows at most."""
        raise NotImplementedError

    def numeric(self) -> tuple[str, ...]:
        """The names of the columns of numbers."""
        pa, _ = parquet.pyarrow_of(self.name)
        return tuple(
            name
            for j, (name, field, known) in enumerate(zip(self.names, self._fields, self._witnesses.known, strict=True))
            if j not in self._categories
            and (arrow_columns.is_numeric(pa, field.type) or (known.numbers is not None and not known.dates))
        )

    def dates(self) -> tuple[str, ...]:
        """See `TextTable`."""
        return tuple(name for name, known in zip(self.names, self._witnesses.known, strict=True) if known.dates)

    def pieces(
        self, wanted: Collection[str] | None = None, as_written: bool = False, rows: int | None = None
    ) -> Iterator[Reader]:
        """See `TextTable`."""
        self._witnesses.changed = False
        for batch in self._batches(self._places(wanted), rows or ROWS):
            yield partial(self._piece, batch, wanted, as_written)

    def _piece(self, batch, wanted, as_written=False):
        """The columns of a batch."""
        each = {j: parquet.part(batch, self._fields[j], j in self._categories) for j in self._places(wanted)}
        parts = {j: read.cells for j, read in each.items() if isinstance(read.cells, Coded) and not read.is_settled}
        found = {j: read for j, read in each.items() if j not in parts}
        read, said = self._witnesses.read(parts, as_written)
        found |= read
        return Piece(self._given(found), batch.num_rows, (), self.changed, said)


class ParquetTable(BatchTable):
    """A Parquet file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(path.name, parquet.schema_of(self._file))

    @cached_property
    def _file(self):
        return parquet.opened(self.path)

    def __getstate__(self):
        return {name: value for name, value in vars(self).items() if name != "_file"}  # each process opens it

    def _batches(self, places: Sequence[int], rows: int) -> Iterator[Any]:
        """The record batches of these columns of all row groups."""
        return parquet.batches(self._file, self.name, places, rows, range(self._file.num_row_groups))

    def groups(self, wanted: Collection[str]) -> Iterator[Callable[[], list[Piece]]]:
        """Its row groups with these columns, the pieces of each: an executor's process reads its own."""
        yield from (partial(self._group, i, wanted) for i in range(self._file.num_row_groups))

    def _group(self, i, wanted):
        found = parquet.batches(self._file, self.name, self._places(wanted), ROWS, [i])
        return [self._piece(batch, wanted) for batch in found]


class ArrowTable(BatchTable):
    """An Arrow file or stream, Feather files included."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(path.name, arrow_files.schema_of(path))

    def _batches(self, places: Sequence[int], rows: int) -> Iterator[Any]:
        """The record batches of these columns."""
        return arrow_files.batches(self.path, [self._fields[j].name for j in places], rows)


class DuckTable(BatchTable):
    """A table or a view of a DuckDB database."""

    def __init__(self, path: str, name: str, table: str) -> None:
        self.path, self.table = path, table
        super().__init__(name, databases.schema_of(path, name, table))

    def _batches(self, places: Sequence[int], rows: int) -> Iterator[Any]:
        """The record batches of these columns."""
        return databases.arrow_batches(self.path, self.name, self.table, [self._fields[j].name for j in places])


TableFile: TypeAlias = TextTable | BatchTable | RowTable


def table_of(path: Path) -> TableFile:
    """The table of a file, or of a part of one: of book.xlsx#june the sheet june."""
    place, part = address(path)
    name = called(Path(place).name, part)
    with open(place, "rb") as file:
        start = file.read(START)
    if packed := contents.packed(start):
        with contents.reading(name, "packed", contents.PACK_AGAIN), contents.opened(place) as file:
            start = file.read(START)
    kind = formats.kind_of(start, name) if not start.startswith(numpy_files.ZIP) else "archive"
    if kind == "database" and not packed:
        table = databases.named(place, Path(place).name, part)
        return (of_database if databases.kind_of(start) == "SQLite" else DuckTable)(place, name, table)
    if kind == "Parquet" or Path(place).suffix.lower() in PARQUET:
        pieces = None if packed else ParquetTable
    elif kind == "Arrow":
        pieces = ArrowTable if not packed and _is_large(place) else None
    elif kind == "JSON":
        pieces = of_lines if _is_large(place) and json_text.are_lines(Path(place)) else None
    else:
        pieces = TextTable if kind == "text" else None
    if pieces is None:
        return whole(place, part, name)
    refuse_part(name, part)
    return pieces(Path(place))


def name_alike(files: Sequence[TableFile], apart: Collection[str] = ()) -> None:
    """Give the columns of the files one spelling of each name, see `alike.common_names`."""
    for file, names in zip(files, common_names([file.names for file in files], apart), strict=True):
        file.renamed = names


def is_large(path: str | Path) -> bool:
    """Whether a file is too large to be read whole, or a path is a folder: what is then read in pieces.

    A database of any size may hold a small table, and whoever reads it finds out.
    """
    if os.path.isdir(path):
        return True
    place, _ = address(path)
    return os.path.isfile(place) and not databases.is_database(place) and _is_large(place)


def _is_large(place):
    """Whether a file, unpacked, has more bytes than are read at once."""
    limit = MEGABYTES * 1_000_000
    if os.path.getsize(place) > limit:
        return True
    with contents.reading(os.path.basename(place), "packed", contents.PACK_AGAIN), contents.opened(place) as file:
        return len(file.read(limit + 1)) > limit


def files_of(path: Path) -> list[Path]:
    """A file, or those of a folder that hold tables."""
    if path.is_dir():
        found = sorted(each for each in path.rglob("*") if _is_table(each) and each.is_file())
        if not found:
            raise Refusal(f"the folder {path.name} has no CSV, TSV, Parquet, Arrow or JSON-lines file.")
        return found
    refuse_special(address(path).path)
    return [path]


def _is_table(path):
    """Whether a file's name is that of a table, packed or not."""
    name = path.name.lower()
    packed = next((end for end in contents.ENDINGS if name.endswith(end)), "")
    return name.removesuffix(packed).endswith(TEXT) or name.endswith((*PARQUET, *ARROW))
