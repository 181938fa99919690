"""Tables whose rows come in batches: databases and JSON lines of any size, and small files of any format."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from explorer.datasets.columns import number_notation
from explorer.datasets.columns.common_kinds import read_as_numbers
from explorer.datasets.columns.number_notation import may_be_grouped
from explorer.datasets.columns.table import are_padded_codes, column_names, parse_numbers
from explorer.datasets.files import databases, json_text
from explorer.datasets.files.addresses import Part as Choice
from explorer.datasets.files.lazy_cells import EncodedColumn
from explorer.datasets.files.sample_cells import ColumnChunk, SampleCells
from explorer.datasets.read_table import parse


class Chunk(NamedTuple):
    """Some rows of a file.

    Attributes
    ----------
    columns : dict
        Its columns by name.
    rows : int
        Number of rows.
    lines : sequence of int
        Lines of the rows in the file; empty if it has no lines.
    changed : bool
        Whether earlier rows were read in another way than they would be after these.
    unusual : dict
        Remarks on the notation of numbers.
    remarks : tuple of str
        Other remarks.
    """

    columns: dict[str, ColumnChunk]
    rows: int
    lines: Sequence[int]
    changed: bool
    unusual: number_notation.Remarks
    remarks: tuple[str, ...] = ()


Reader: TypeAlias = Callable[[], Chunk]


class Batch(NamedTuple):
    """Some rows of a source.

    Attributes
    ----------
    columns : sequence
        The cells of its columns, or the columns as they are read.
    rows : int
        Number of rows.
    lines : sequence of int
        Lines of the rows in the file.
    """

    columns: Sequence[Sequence[str] | ColumnChunk]
    rows: int
    lines: Sequence[int] = ()


class Source(NamedTuple):
    """Source of rows in batches.

    Attributes
    ----------
    names : sequence of str
        Names of its columns.
    opaque : dict
        Content of the columns that cannot be compared, such as lists.
    batches : callable
        Yields all rows as `Batch`.
    unusual : sequence of str
        Remarks on how it is read.
    """

    names: Sequence[str]
    opaque: Mapping[str, str]
    batches: Callable[[], Iterator[Batch]]
    unusual: Sequence[str] = ()


class ChunkedTable:
    """A table that is read in chunks, with the notation by which all of them are read; see `files.TextTable`.

    Attributes
    ----------
    name : str
        Name of the table.
    renamed : dict
        Maps its names of columns to those of other files.
    respelled : dict
        Maps a column of words to a dict from its words to those of other files.
    as_numbers : set
        Columns whose truth values or categories are read as numbers.
    """

    def __init__(self, name: str, names: Sequence[str]) -> None:
        self.name = name
        self.renamed: dict[str, str] = {}
        self.respelled: dict[str, dict[str, str]] = {}
        self.as_numbers: set[str] = set()
        self._names = column_names(names, name)
        self._witnesses = SampleCells([[] for _ in self._names])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its columns."""
        return tuple(self.renamed.get(name, name) for name in self._names)

    @property
    def changed(self) -> bool:
        """True if a chunk showed that earlier ones should have been read in another way."""
        return self._witnesses.changed

    def set_aside(self, words: Mapping[str, Collection[str]]) -> None:
        """Treat words of columns, by name, as missing from now on; other columns keep the words that were set aside."""
        for j, name in enumerate(self.names):
            if name in words:
                self._witnesses.set_aside(j, words[name])

    def sample_cells(self) -> dict[str, list[str]]:
        """Return the cells of each column that determine how it is read."""
        return dict(zip(self.names, self._witnesses.cells, strict=True))

    def ambiguous_cells(self) -> dict[str, str]:
        """Return name -> a cell that may be 1.25 or 1250, if all cells of the column are ambiguous, else ""."""
        return {name: self._witnesses.ambiguous_cell(j) for j, name in enumerate(self.names)}

    def unusual(self, said: number_notation.Remarks, remarks: Collection[str]) -> list[str]:
        """Return remarks on the table, from the remarks on its chunks."""
        return self._witnesses.remarks(said)

    def _positions(self, wanted):
        """Return the positions of these columns, or of all."""
        return [j for j, name in enumerate(self.names) if wanted is None or name in wanted]

    def _by_name(self, found):
        """Return name -> column of a chunk, with words spelled as in other files, from columns by their positions."""
        columns = {self.names[j]: found[j] for j in sorted(found)}
        return as_others(columns, self.respelled, self.as_numbers)


def as_others(
    columns: Mapping[str, ColumnChunk], respelled: Mapping[str, Mapping[str, str]], as_numbers: Collection[str]
) -> dict[str, ColumnChunk]:
    """Return the columns of a chunk with some of their words spelled as in other files; these names become numbers."""
    return {
        name: read_as_numbers(again) if name in as_numbers else again
        for name, again in ((name, _respelled(read, respelled.get(name))) for name, read in columns.items())
    }


def _respelled(read, words):
    """Return a column of a chunk with other spellings of some of its words."""
    if not words or not isinstance(read.cells, EncodedColumn):
        return read
    return read._replace(cells=read.cells.map(lambda cell: words.get(cell, cell)))


class RowTable(ChunkedTable):
    """A table whose source gives rows in batches; see `files.TextTable`."""

    def __init__(self, name: str, source: Source) -> None:
        super().__init__(name, source.names)
        self._source = source
        self._known: dict[int, ColumnChunk] = {}  # columns that the source reads itself
        for chunk in islice(self.chunks(), 1):
            chunk()

    def numeric(self) -> tuple[str, ...]:
        """Return the names of the columns of numbers, judged by the chunks that were read."""
        return self._so(lambda column: not isinstance(column.cells, EncodedColumn) and not column.dates,
                        lambda known: known.numbers is not None and not known.dates)  # fmt: skip

    def dates(self) -> tuple[str, ...]:
        """Return the names of the columns of dates, judged by the chunks that were read."""
        return self._so(lambda column: column.dates, lambda known: known.dates)

    def _so(self, of_read, of_known):
        """Return the names of the columns for which one of these functions is true."""
        known = self._witnesses.known
        return tuple(
            name
            for j, name in enumerate(self.names)
            if (of_read(self._known[j]) if j in self._known else of_known(known[j]))
        )

    def chunks(self, wanted: Collection[str] | None = None, as_written: bool = False) -> Iterator[Reader]:
        """Yield a reader for each chunk, see `TextTable.chunks`."""
        self._witnesses.changed = False
        for batch in self._source.batches():
            yield partial(self._chunk, batch, wanted, as_written)

    def _chunk(self, batch, wanted, as_written):
        """Return the columns of a batch."""
        places = self._positions(wanted)
        found: dict[int, ColumnChunk] = {}
        parts = {}
        for j in places:
            column, what = batch.columns[j], self._source.opaque.get(self._names[j], "")
            if what:
                found[j] = self._known[j] = ColumnChunk(
                    EncodedColumn([what], np.zeros(batch.rows, np.intp)), opaque=what
                )
            elif isinstance(column, ColumnChunk):
                found[j] = self._known[j] = column
            else:
                parts[j] = self._part(j, column)
        read, said = self._witnesses.read(parts, as_written)
        found |= read
        return Chunk(self._by_name(found), batch.rows, batch.lines, self.changed, said)

    def _part(self, j, cells):
        """Return the numbers of cells, if nothing is written next to them, or the distinct cells."""
        if j in self._witnesses.numeric and not self._witnesses.comma and not are_padded_codes(cells):
            values = parse_numbers(cells)
            if values is not None and (j in self._witnesses.clear or not may_be_grouped(values, cells)):
                return values
        return EncodedColumn.from_cells(cells)

    def unusual(self, said: number_notation.Remarks, remarks: Collection[str]) -> list[str]:
        """Return remarks on the table, from those on the source and on its chunks."""
        return [*self._source.unusual, *super().unusual(said, remarks)]


def whole(path: str, part: Choice, name: str) -> RowTable:
    """Return the table of a file that is read at once."""
    table = parse(path, None, lenient=True, part=part)
    columns: list[Any] = [
        [str(cell) for cell in each.cells]
        if each.numbers is None and not (each.dates or each.declared)
        else _read(each)
        for each in table.columns
    ]
    batch = Batch(columns, table.rows, table.lines)
    opaque = {each.name: each.opaque for each in table.columns if each.opaque}
    return RowTable(name, Source([each.name for each in table.columns], opaque, partial(_one, batch), table.remarks))


def _read(column):
    """Return a column that a file's format has read already."""
    known = ColumnChunk(
        EncodedColumn.from_cells(column.cells) if column.numbers is None else column.numbers, column.dates, column.unit
    )
    known = known._replace(limited=column.n_limits, beside=column.cell_counts, zone=column.zone)
    return known._replace(declared=column.declared, order=column.order if column.declared else ())


def _one(batch):
    """Yield the only batch."""
    yield batch


def of_database(path: str, name: str, table: str) -> RowTable:
    """Return a table of a SQLite database, of any size."""
    names = databases.titles_of(path, name, table)
    opaque = {names[j]: databases.BYTES for j in databases.bytes_in(path, name, table)}
    return RowTable(name, Source(names, opaque, partial(_batches_of_database, path, name, table)))


def _batches_of_database(path, name, table):
    for columns in databases.batches(path, name, table):
        yield Batch(columns, len(columns[0]))


def of_lines(path: Path) -> RowTable:
    """Return the table of a file of JSON lines, of any size, compressed or not."""
    names, opaque = json_text.names_of_lines(path, path.name)
    return RowTable(path.name, Source(names, opaque, partial(_batches_of_lines, path, names)))


def _batches_of_lines(path, names):
    for lines, columns in json_text.batches(path, path.name, names):
        yield Batch(columns, len(lines), lines)
