"""Files of tables of any size, as chunks of rows that are all read alike, in the same way as a small file."""

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
from explorer.datasets.files.addresses import parse_address, part_label, refuse_part
from explorer.datasets.files.contents import MEGABYTES, refuse_special
from explorer.datasets.files.lazy_cells import EncodedColumn
from explorer.datasets.files.sample_cells import SampleCells
from explorer.datasets.files.table_frame import COMMENTS, INDEX, counts

from .rows import Chunk, ChunkedTable, Reader, RowTable, as_others, of_database, of_lines, whole

PARQUET = (".parquet", ".pq")
TEXT = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson")
ARROW = (".arrow", ".feather", ".ipc", ".arrows")
START = 1000  # bytes of a file that determine its format
ROWS = 65_536  # most rows of a chunk of a Parquet file
FIRST = 1000  # rows of a Parquet file that determine how its words are read


class TextTable:
    """A CSV or TSV file, with the layout and the notation by which all of its chunks are read.

    Attributes
    ----------
    file : TextFile
        The file in blocks of lines.
    name : str
        Name of the file.
    renamed : dict
        Maps its names of columns to those of other files.
    respelled : dict
        Maps a column of words to a dict from its words to those of other files.
    as_numbers : set
        Columns whose truth values or categories are read as numbers.
    changed : bool
        Whether a chunk showed that earlier ones should have been read in another way.
    """

    def __init__(self, path: Path) -> None:
        self.file = text_chunks.TextFile(path)
        self.name, self._layout = self.file.name, self.file.layout
        cells, self.file.cells = self.file.cells, []
        self._witnesses = SampleCells(cells, self._layout.delimiter)
        self._start, self._stop = text.inner_columns(self._layout.names, lambda j: any(cells[j]))
        self._index = self._stop - self._start > 1 and any(self._layout.names)
        self._index = self._index and counts(self._layout.names[self._start], parse_numbers(cells[self._start]))
        self._counting, self._codec, self._moved = RowNumberDetector(), self.file.codec, False
        self.renamed: dict[str, str] = {}
        self.respelled: dict[str, dict[str, str]] = {}
        self.as_numbers: set[str] = set()
        self._totals: int | None = None  # number of last lines that are totals; None until they have been read

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its columns."""
        given = self._layout.names[self._start + self._index : self._stop]
        return tuple(self.renamed.get(name, name) for name in column_names(text.make_unique(given), self.name))

    def set_aside(self, words: Mapping[str, Collection[str]]) -> None:
        """Treat words of columns, by name, as missing from now on; other columns keep the words that were set aside."""
        for j, name in enumerate(self.names, self._start + self._index):
            if name in words:
                self._witnesses.set_aside(j, words[name])

    @property
    def changed(self) -> bool:
        """True if a chunk showed that earlier ones should have been read in another way."""
        return self._moved or self._witnesses.changed or self._codec != self.file.codec

    def numeric(self) -> tuple[str, ...]:
        """Return the names of the columns of numbers, judged by the chunks that were read."""
        known = self._witnesses.known[self._start + self._index : self._stop]
        return tuple(
            name
            for name, column in zip(self.names, known, strict=True)
            if column.numbers is not None and not column.dates
        )

    def dates(self) -> tuple[str, ...]:
        """Return the names of the columns of dates, judged by the chunks that were read."""
        known = self._witnesses.known[self._start + self._index : self._stop]
        return tuple(name for name, column in zip(self.names, known, strict=True) if column.dates)

    def sample_cells(self) -> dict[str, list[str]]:
        """Return the cells of each column that determine how it is read."""
        cells = self._witnesses.cells[self._start + self._index : self._stop]
        return dict(zip(self.names, cells, strict=True))

    def ambiguous_cells(self) -> dict[str, str]:
        """Return name -> a cell that may be 1.25 or 1250, if all cells of the column are ambiguous, else ""."""
        places = range(self._start + self._index, self._stop)
        return {name: self._witnesses.ambiguous_cell(j) for name, j in zip(self.names, places, strict=True)}

    def chunks(self, wanted: Collection[str] | None = None, as_written: bool = False) -> Iterator[Reader]:
        """Yield a reader for each chunk.

        Parameters
        ----------
        wanted : collection of str or None, default None
            Columns to read; None reads all.
        as_written : bool, default False
            Whether numbers that have something next to them are read as words.

        Yields
        ------
        callable
            Reads and returns the next chunk.
        """
        self._counting, self._codec = RowNumberDetector(), self.file.codec
        self._moved = self._witnesses.changed = False
        places = {
            self._start + self._index + j: name for j, name in enumerate(self.names) if wanted is None or name in wanted
        }
        for block in self._without_total():
            yield partial(self._chunk, block, places, wanted is None, as_written)

    def _without_total(self):
        """Yield the blocks without the last lines that are totals."""
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
        """Return how many of the last lines are totals, averages and the like, named so by a word."""
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
        again = deepcopy(self)  # the cells of these lines must not become sample cells
        sums: dict[int, table_frame.Sums] = {}
        words: set[int] = set()
        count = again.file.count_blocks()
        for k, block in enumerate(again.file.blocks(), 1):
            block = _without_last(block, len(rows)) if k == count else block
            if not block.raw.strip():
                continue
            chunk = again._chunk(block, dict(enumerate(self._layout.names)), whole=False)
            for j, column in enumerate(chunk.columns.values()):
                if isinstance(column.cells, EncodedColumn):
                    words.add(j)
                else:
                    sums[j] = sums.get(j, table_frame.Sums()) | table_frame.Sums.of(column.cells)
        confirmed = [
            table_frame.is_summary(cells, {j: each for j, each in sums.items() if j not in words}) for cells in rows
        ]
        return next((k for k, found in enumerate(confirmed) if not found), len(rows))

    def _chunk(self, block, places, whole, as_written=False):
        """Return the columns of a block."""
        aside = [*range(self._start), *range(self._stop, len(self._layout.names))] if whole else []
        index = [self._start] if whole and self._index else []
        asked = {*places, *index}
        numeric = {j: gaps for j, gaps in self._witnesses.numeric.items() if j in asked}
        remarks: list[str] = []
        known = self._witnesses
        words = [*(j for j in asked if j not in numeric), *aside]
        lines, parts = text_chunks.parse_block(
            block, self._layout, self.name, numeric, words, known.comma, known.clear, remarks
        )
        self._look_aside(parts, aside, index)
        found, said = self._witnesses.read({j: parts[j] for j in places}, as_written)
        columns = {name: self._in_unit(j, found[j]) for j, name in places.items()}
        columns = as_others(columns, self.respelled, self.as_numbers)
        return Chunk(columns, len(lines), lines, self.changed, said, tuple(remarks))

    def _in_unit(self, j, column):
        """Return a column with the unit that is written below its name."""
        return column._replace(unit=self._layout.units[j] or column.unit)

    def _look_aside(self, parts, aside, index):
        """Check whether columns that were empty or counted the rows still do; if not, they are ordinary columns."""
        for j in aside:
            part = parts[j]
            if not isinstance(part, EncodedColumn) or any(part.cells):
                self._start, self._stop, self._moved = min(self._start, j), max(self._stop, j + 1), True
        for j in index:
            values = parts[j]
            if isinstance(values, EncodedColumn) or not self._counting.add(values).is_consecutive:
                self._index, self._moved = False, True

    def unusual(self, said: number_notation.Remarks, remarks: Collection[str]) -> list[str]:
        """Return remarks on the file, from the remarks on its chunks."""
        layout, mark = self._layout, text.mark_label(self._layout.delimiter)
        found = [*self.file.encoding_remarks, *layout.before]
        found += [remark for remark in (COMMENTS, *remarks) if remark in remarks and remark not in found]
        found += text.outer_remarks(self._start, len(layout.names) - self._stop, mark)
        found += layout.after
        found += table_frame.summary_remarks(self.file.repeated, self._totals or 0)
        found += [INDEX] if self._index else []
        found += self._witnesses.remarks(said)
        given = layout.names[self._start + self._index : self._stop]
        return [*found, *([text.ONE_NAME] if list(text.make_unique(given)) != list(given) else [])]


def _without_last(block, count):
    """Return a block without this number of last lines."""
    if not count:
        return block
    lines = block.raw.rstrip().splitlines(keepends=True)
    return block._replace(raw=b"".join(lines[:-count]))


class BatchTable(ChunkedTable):
    """A table whose rows are Arrow's record batches; see `TextTable`."""

    def __init__(self, name: str, schema: Any) -> None:
        self._fields = list(schema)
        super().__init__(name, [field.name for field in self._fields])
        called = arrow_columns.categories(schema.metadata)
        self._categories = {j for j, field in enumerate(self._fields) if field.name in called}
        for chunk in islice(self.chunks(rows=FIRST), 1):
            chunk()

    def _batches(self, places: Sequence[int], rows: int) -> Iterator[Any]:
        """Yield the record batches of the columns at these positions, of at most this number of rows."""
        raise NotImplementedError

    def numeric(self) -> tuple[str, ...]:
        """Return the names of the columns of numbers."""
        pa, _ = parquet.pyarrow_of(self.name)
        return tuple(
            name
            for j, (name, field, known) in enumerate(zip(self.names, self._fields, self._witnesses.known, strict=True))
            if j not in self._categories
            and (arrow_columns.is_numeric(pa, field.type) or (known.numbers is not None and not known.dates))
        )

    def dates(self) -> tuple[str, ...]:
        """Return the names of the columns of dates, judged by the chunks that were read."""
        return tuple(name for name, known in zip(self.names, self._witnesses.known, strict=True) if known.dates)

    def chunks(
        self, wanted: Collection[str] | None = None, as_written: bool = False, rows: int | None = None
    ) -> Iterator[Reader]:
        """Yield a reader for each chunk, see `TextTable.chunks`; `rows` limits the rows of a chunk."""
        self._witnesses.changed = False
        for batch in self._batches(self._positions(wanted), rows or ROWS):
            yield partial(self._chunk, batch, wanted, as_written)

    def _chunk(self, batch, wanted, as_written=False):
        """Return the columns of a batch."""
        each = {j: parquet.column_chunk(batch, self._fields[j], j in self._categories) for j in self._positions(wanted)}
        parts = {
            j: read.cells for j, read in each.items() if isinstance(read.cells, EncodedColumn) and not read.is_settled
        }
        found = {j: read for j, read in each.items() if j not in parts}
        read, said = self._witnesses.read(parts, as_written)
        found |= read
        return Chunk(self._by_name(found), batch.num_rows, (), self.changed, said)


class ParquetTable(BatchTable):
    """A Parquet file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(path.name, parquet.schema_of(self._file))

    @cached_property
    def _file(self):
        """The open file."""
        return parquet.open_file(self.path)

    def __getstate__(self):
        return {name: value for name, value in vars(self).items() if name != "_file"}  # each process opens its own

    def _batches(self, places: Sequence[int], rows: int) -> Iterator[Any]:
        """Return the record batches of the columns at these positions, of all row groups."""
        return parquet.batches(self._file, self.name, places, rows, range(self._file.num_row_groups))

    def groups(self, wanted: Collection[str]) -> Iterator[Callable[[], list[Chunk]]]:
        """Yield a reader for each row group with these columns, which returns its chunks.

        An executor's process reads its row groups itself.
        """
        yield from (partial(self._group, i, wanted) for i in range(self._file.num_row_groups))

    def _group(self, i, wanted):
        """Return the chunks of row group i."""
        found = parquet.batches(self._file, self.name, self._positions(wanted), ROWS, [i])
        return [self._chunk(batch, wanted) for batch in found]


class ArrowTable(BatchTable):
    """An Arrow file or stream, including Feather files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(path.name, arrow_files.schema_of(path))

    def _batches(self, places: Sequence[int], rows: int) -> Iterator[Any]:
        """Return the record batches of the columns at these positions."""
        return arrow_files.batches(self.path, [self._fields[j].name for j in places], rows)


class DuckTable(BatchTable):
    """A table or a view of a DuckDB database."""

    def __init__(self, path: str, name: str, table: str) -> None:
        self.path, self.table = path, table
        super().__init__(name, databases.schema_of(path, name, table))

    def _batches(self, places: Sequence[int], rows: int) -> Iterator[Any]:
        """Return the record batches of the columns at these positions."""
        return databases.arrow_batches(self.path, self.name, self.table, [self._fields[j].name for j in places])


TableFile: TypeAlias = TextTable | BatchTable | RowTable


def table_of(path: Path) -> TableFile:
    """Return the table of a file, or of a part of one: of book.xlsx#june the sheet june.

    Parameters
    ----------
    path : Path
        The file, with the address of a part if it has several.

    Returns
    -------
    TextTable, BatchTable or RowTable
        The table, which yields its rows in chunks.
    """
    place, part = parse_address(path)
    name = part_label(Path(place).name, part)
    with open(place, "rb") as file:
        start = file.read(START)
    if packed := contents.packing_of(start):
        with contents.reading(name, "packed", contents.PACK_AGAIN), contents.open_unpacked(place) as file:
            start = file.read(START)
    kind = formats.kind_of(start, name) if not start.startswith(numpy_files.ZIP) else "archive"
    if kind == "database" and not packed:
        table = databases.table_name(place, Path(place).name, part)
        return (of_database if databases.kind_of(start) == "SQLite" else DuckTable)(place, name, table)
    if kind == "Parquet" or Path(place).suffix.lower() in PARQUET:
        table_class = None if packed else ParquetTable
    elif kind == "Arrow":
        table_class = ArrowTable if not packed and _is_large(place) else None
    elif kind == "JSON":
        table_class = of_lines if _is_large(place) and json_text.are_lines(Path(place)) else None
    else:
        table_class = TextTable if kind == "text" else None
    if table_class is None:
        return whole(place, part, name)
    refuse_part(name, part)
    return table_class(Path(place))


def name_alike(files: Sequence[TableFile], apart: Collection[str] = ()) -> None:
    """Give the columns of the files one spelling of each name, see `spellings.common_names`."""
    for file, names in zip(files, common_names([file.names for file in files], apart), strict=True):
        file.renamed = names


def is_large(path: str | Path) -> bool:
    """Return whether a file is too large to be read whole, or a path is a folder; both are read in chunks.

    A database of any size may contain a small table, so it counts as small until its table is read.

    Parameters
    ----------
    path : str or Path
        A file, with the address of a part if it has several, or a folder.

    Returns
    -------
    bool
        True if it has to be read in chunks.
    """
    if os.path.isdir(path):
        return True
    place, _ = parse_address(path)
    return os.path.isfile(place) and not databases.is_database(place) and _is_large(place)


def _is_large(place):
    """Return whether a file, unpacked, has more bytes than are read at once."""
    limit = MEGABYTES * 1_000_000
    if os.path.getsize(place) > limit:
        return True
    with (
        contents.reading(os.path.basename(place), "packed", contents.PACK_AGAIN),
        contents.open_unpacked(place) as file,
    ):
        return len(file.read(limit + 1)) > limit


def files_of(path: Path) -> list[Path]:
    """Return a file in a list, or the files of a folder that contain tables.

    Parameters
    ----------
    path : Path
        A file or a folder.

    Returns
    -------
    list of Path
        The files, in the order of their names.

    Raises
    ------
    Refusal
        If a folder has no such files.
    """
    if path.is_dir():
        found = sorted(each for each in path.rglob("*") if _is_table(each) and each.is_file())
        if not found:
            raise Refusal(f"the folder {path.name} has no CSV, TSV, Parquet, Arrow or JSON-lines file.")
        return found
    refuse_special(parse_address(path).path)
    return [path]


def _is_table(path):
    """Return whether a file's name is that of a table, compressed or not."""
    name = path.name.lower()
    packed = next((end for end in contents.ENDINGS if name.endswith(end)), "")
    return name.removesuffix(packed).endswith(TEXT) or name.endswith((*PARQUET, *ARROW))
