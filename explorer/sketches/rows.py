"""Tables whose rows come some at a time: databases and JSON lines of any size, and small files of any format."""

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
from explorer.datasets.files.lazy_cells import Coded
from explorer.datasets.files.sample_cells import Read, Witnesses
from explorer.datasets.read_table import parse


class Piece(NamedTuple):
    """Some rows of a file: its columns by name, the rows' lines where it has some, and what is unusual in them.

    changed  whether earlier rows were read in another way than they would be after these
    """

    columns: dict[str, Read]
    rows: int
    lines: Sequence[int]
    changed: bool
    said: number_notation.Remarks
    remarks: tuple[str, ...] = ()


Reader: TypeAlias = Callable[[], Piece]


class Batch(NamedTuple):
    """Some rows of a source: the cells of its columns, or the columns as they are read; and the rows' lines."""

    columns: Sequence[Sequence[str] | Read]
    rows: int
    lines: Sequence[int] = ()


class Source(NamedTuple):
    """What gives rows some at a time.

    names    of its columns
    opaque   what those of them hold that are not compared, such as lists
    batches  yields all rows as `Batch`
    unusual  remarks on how it is read
    """

    names: Sequence[str]
    opaque: Mapping[str, str]
    batches: Callable[[], Iterator[Batch]]
    unusual: Sequence[str] = ()


class Pieces:
    """What is known of a table that is read some rows at a time; see `files.TextTable`.

    renamed     its own names of columns -> those of other files
    respelled   of columns of words, its own words -> those of other files
    as_numbers  columns whose truth values or categories are read as numbers
    """

    def __init__(self, name: str, names: Sequence[str]) -> None:
        self.name = name
        self.renamed: dict[str, str] = {}
        self.respelled: dict[str, dict[str, str]] = {}
        self.as_numbers: set[str] = set()
        self._names = column_names(names, name)
        self._witnesses = Witnesses([[] for _ in self._names])

    @property
    def names(self) -> tuple[str, ...]:
        """Of its columns."""
        return tuple(self.renamed.get(name, name) for name in self._names)

    @property
    def changed(self) -> bool:
        """Whether what a piece showed would have earlier ones read in another way."""
        return self._witnesses.changed

    def set_aside(self, words: Mapping[str, Collection[str]]) -> None:
        """Take words of columns, by name, as missing from now on; of other columns what is set aside stays so."""
        for j, name in enumerate(self.names):
            if name in words:
                self._witnesses.set_aside(j, words[name])

    def witnesses(self) -> dict[str, list[str]]:
        """The cells of each column that say how it is read."""
        return dict(zip(self.names, self._witnesses.cells, strict=True))

    def either(self) -> dict[str, str]:
        """A cell of each column that may be 1.25 or 1250, as all of its cells, "" of other columns."""
        return {name: self._witnesses.either(j) for j, name in enumerate(self.names)}

    def unusual(self, said: number_notation.Remarks, remarks: Collection[str]) -> list[str]:
        """What is unusual in it, of what was said of its pieces."""
        return self._witnesses.unusual(said)

    def _places(self, wanted):
        return [j for j, name in enumerate(self.names) if wanted is None or name in wanted]

    def _given(self, found):
        """name -> column of a piece, as other files spell its words, of the columns by their places."""
        columns = {self.names[j]: found[j] for j in sorted(found)}
        return as_others(columns, self.respelled, self.as_numbers)


def as_others(
    columns: Mapping[str, Read], respelled: Mapping[str, Mapping[str, str]], as_numbers: Collection[str]
) -> dict[str, Read]:
    """Return the columns of a piece with other spellings of some of their words; those of these names as numbers."""
    return {
        name: read_as_numbers(again) if name in as_numbers else again
        for name, again in ((name, _respelled(read, respelled.get(name))) for name, read in columns.items())
    }


def _respelled(read, words):
    """A column of a piece with other spellings of some of its words."""
    if not words or not isinstance(read.cells, Coded):
        return read
    return read._replace(cells=read.cells.mapped(lambda cell: words.get(cell, cell)))


class RowTable(Pieces):
    """A table whose source gives rows some at a time; see `files.TextTable`."""

    def __init__(self, name: str, source: Source) -> None:
        super().__init__(name, source.names)
        self._source = source
        self._known: dict[int, Read] = {}  # columns that say themselves how they are read
        for piece in islice(self.pieces(), 1):
            piece()

    def numeric(self) -> tuple[str, ...]:
        """The names of the columns of numbers, as far as was read."""
        return self._so(lambda column: not isinstance(column.cells, Coded) and not column.dates,
                        lambda known: known.numbers is not None and not known.dates)  # fmt: skip

    def dates(self) -> tuple[str, ...]:
        """The names of the columns of dates, as far as was read."""
        return self._so(lambda column: column.dates, lambda known: known.dates)

    def _so(self, of_read, of_known):
        known = self._witnesses.known
        return tuple(
            name
            for j, name in enumerate(self.names)
            if (of_read(self._known[j]) if j in self._known else of_known(known[j]))
        )

    def pieces(self, wanted: Collection[str] | None = None, as_written: bool = False) -> Iterator[Reader]:
        """See `TextTable`."""
        self._witnesses.changed = False
        for batch in self._source.batches():
            yield partial(self._piece, batch, wanted, as_written)

    def _piece(self, batch, wanted, as_written):
        """The columns of a batch."""
        places = self._places(wanted)
        found: dict[int, Read] = {}
        parts = {}
        for j in places:
            column, what = batch.columns[j], self._source.opaque.get(self._names[j], "")
            if what:
                found[j] = self._known[j] = Read(Coded([what], np.zeros(batch.rows, np.intp)), opaque=what)
            elif isinstance(column, Read):
                found[j] = self._known[j] = column
            else:
                parts[j] = self._part(j, column)
        read, said = self._witnesses.read(parts, as_written)
        found |= read
        return Piece(self._given(found), batch.rows, batch.lines, self.changed, said)

    def _part(self, j, cells):
        """The numbers of cells, if nothing stands beside them, or the different cells."""
        if j in self._witnesses.numeric and not self._witnesses.comma and not are_padded_codes(cells):
            values = parse_numbers(cells)
            if values is not None and (j in self._witnesses.clear or not may_be_grouped(values, cells)):
                return values
        return Coded.each(cells)

    def unusual(self, said: number_notation.Remarks, remarks: Collection[str]) -> list[str]:
        """What is unusual in it, of what was said of its pieces."""
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
    """A column that says itself how it is read."""
    known = Read(Coded.each(column.cells) if column.numbers is None else column.numbers, column.dates, column.unit)
    known = known._replace(limited=column.n_limits, beside=column.cell_counts, zone=column.zone)
    return known._replace(declared=column.declared, order=column.order if column.declared else ())


def _one(batch):
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
    """Return the table of a file of JSON lines, of any size, packed or not."""
    names, opaque = json_text.names_of_lines(path, path.name)
    return RowTable(path.name, Source(names, opaque, partial(_batches_of_lines, path, names)))


def _batches_of_lines(path, names):
    for lines, columns in json_text.batches(path, path.name, names):
        yield Batch(columns, len(lines), lines)
