"""First pass over a table in chunks: summaries of each column, which decide on its treatment, and some random rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.column_selection import (
    infinite_values_error,
    missing_cells_error,
    no_column_error,
    no_row_left_error,
)
from explorer.datasets.columns import number_notation
from explorer.datasets.columns.cell_counts import NO_WORDS, NOTHING
from explorer.datasets.columns.missing_codes import Ends
from explorer.datasets.columns.row_numbers import RowNumberDetector
from explorer.datasets.columns.scales import Magnitude
from explorer.datasets.columns.table import Column, Table
from explorer.datasets.files.lazy_cells import EncodedColumn
from explorer.datasets.files.sample_cells import ColumnChunk
from explorer.printing import echo
from explorer.types import Mask, Vector

from .files import TableFile
from .rows import Chunk, Reader

KEPT = 32_768  # most random rows of a source
MOST_WORDS, MOST_LETTERS = 100_000, 10_000_000  # most words of a column, and characters of all its words together

KINDS = {  # (whether the cells stay words, whether they are dates) -> content of a column
    (True, False): "words",
    (True, True): "dates in an unknown order",
    (False, True): "dates",
    (False, False): "numbers",
}

Watched = Callable[[Iterator[Reader], str], Iterable[Reader]]


class ColumnSummary:
    """Summary statistics of one column, collected while the chunks of a source are read. No chunk is stored.

    Attributes
    ----------
    words : dict
        Its words, each with a position.
    letters : int
        Number of characters of its words together.
    times : ndarray of int
        How often each word occurs in all rows.
    complete_times : ndarray of int
        How often each word occurs in the rows that miss no compared cell.
    uncounted : int
        Number of cells whose word was not stored, since there are too many.
    ends : Ends
        Extreme numbers of all rows.
    complete_ends : Ends
        Extreme numbers of the rows that miss no compared cell.
    counting : RowNumberDetector
        Whether its numbers count the rows.
    limited : int
        Number of cells that are limits, such as <5.
    beside : CellCounts
        What is written next to its numbers.
    kinds : dict
        Content of the column -> the first file that has it.
    units : dict
        Unit -> the first file that has it.
    zones : dict
        Time zone -> the first file that has it.
    opaque : str
        Content that cannot be compared, such as lists; "" otherwise.
    declared : bool
        Whether the source declares it a category.
    order : dict
        Levels of a declared category, in order.
    gaps : int
        Number of missing cells.
    infinite : int
        Number of infinite cells.
    first : dict
        "missing" or "infinite" -> (row, text on the place) of the first such cell.
    """

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.letters = 0
        self.times, self.complete_times, self.uncounted = np.zeros(0, np.int64), np.zeros(0, np.int64), 0
        self.ends, self.complete_ends, self.counting, self.limited = Ends(), Ends(), RowNumberDetector(), 0
        self.beside = NOTHING
        self.kinds: dict[str, str] = {}
        self.units: dict[str, str] = {}
        self.zones: dict[str, str] = {}
        self.opaque, self.declared, self.order = "", False, dict[str, None]()
        self.gaps, self.infinite = 0, 0
        self.first: dict[str, tuple[int, str]] = {}

    def values(self, column: ColumnChunk, named: Collection[str]) -> Vector:
        """Return the numbers of a chunk, or the positions of its words: NaN if missing, -1 if the word is not stored.

        Parameters
        ----------
        column : ColumnChunk
            The column of a chunk.
        named : collection of str
            Words that are stored in any case.

        Returns
        -------
        ndarray of shape (n,)
            A number for each row.
        """
        if not isinstance(column.cells, EncodedColumn):
            return column.cells
        places = np.empty(len(column.cells.cells))
        for k, cell in enumerate(column.cells.cells):
            if not _is_word(cell):
                places[k] = np.nan
            elif cell in self.words:
                places[k] = self.words[cell]
            elif (len(self.words) < MOST_WORDS and self.letters < MOST_LETTERS) or cell in named:
                places[k] = self.words.setdefault(cell, len(self.words))
                self.letters += len(cell)
            else:
                places[k] = -1
        return places[column.cells.codes]

    def add(
        self, column: ColumnChunk, values: Vector, kept: Mask, file: str, place: Callable[[int], tuple[int, str]]
    ) -> None:
        """Add a chunk with its values; `kept` are the rows that miss no compared cell, `place` locates a row."""
        missing = np.isnan(values)
        self.gaps += self._noted("missing", missing, place)
        self.beside |= column.beside
        if missing.all():
            return
        self.limited += column.limited
        self.opaque, self.declared = self.opaque or column.opaque, self.declared or column.declared
        self.order |= dict.fromkeys(column.order)
        if column.zone:
            self.zones.setdefault(column.zone, file)
        self.kinds.setdefault(KINDS[isinstance(column.cells, EncodedColumn), column.dates], file)
        if column.unit:
            self.units.setdefault(column.unit, file)
        if not isinstance(column.cells, EncodedColumn):
            self.infinite += self._noted("infinite", np.isinf(values), place)
            ends = Ends.of(values)
            self.ends |= ends
            self.complete_ends |= ends if kept.all() else Ends.of(values[kept])
            self.counting.add(values)
            return
        self.uncounted += int(np.count_nonzero(values == -1))
        self.times = _added(self.times, values, len(self.words))
        self.complete_times = _added(self.complete_times, values[kept], len(self.words))

    def _noted(self, what, mask, place):
        """Return the number of cells in the mask, and record where the first one is."""
        if what not in self.first and mask.any():
            self.first[what] = place(int(mask.argmax()))
        return int(np.count_nonzero(mask))

    def column(
        self, name: str, sample: Vector, renamed: str = "", either: str = "", words: Mapping[str, str] = NO_WORDS
    ) -> Column:
        """Return the column as treatments need it.

        Parameters
        ----------
        name : str
            Name of the column.
        sample : ndarray of shape (k,)
            Its numbers in some random rows.
        renamed : str, default ""
            Its name in its own file, if that differs.
        either : str, default ""
            A cell that may be 1.25 or 1250.
        words : dict, default {}
            Maps its own words to their spelling in all files.

        Returns
        -------
        Column
            The column without its cells.

        Raises
        ------
        Refusal
            If two files of a folder differ in its content, its unit or its time zone.
        """
        if len(self.kinds) > 1:
            (one, first), (other, second) = list(self.kinds.items())[:2]
            such = f", such as {next(iter(self.words))!r:.40}" if self.words else ""
            raise Refusal(
                f"column {name!r} holds {one} in {first} and {other} in {second}{such}; write it alike in all of them,"
                " or leave that column out."
            )
        if len(self.units) > 1:
            (one, first), (other, second) = list(self.units.items())[:2]
            raise Refusal(
                f"column {name!r} is in {one} in {first} and in {other} in {second}; give it in one unit, or leave that"
                " column out."
            )
        if len(self.zones) > 1:
            (one, first), (other, second) = list(self.zones.items())[:2]
            raise Refusal(
                f"column {name!r} has the time of {one} in {first} and of {other} in {second}; give it in one zone, or"
                " leave that column out."
            )
        kind = next(iter(self.kinds), "")
        times = Counter({word: int(self.times[k]) for word, k in self.words.items() if k < len(self.times)})
        times = Counter({word: count for word, count in times.items() if count})
        if self.gaps:
            times[""] = self.gaps
        return Column.from_summary(
            name,
            times,
            self.ends,
            self.counting,
            Magnitude() if self.is_words else Magnitude.of(sample),
            words=self.is_words or not self.kinds,
            dates=kind in (KINDS[True, True], KINDS[False, True]),
            unit=next(iter(self.units), ""),
            n_limits=self.limited,
            cell_counts=self._beside(renamed, either, words),
            uncounted=self.uncounted,
            zone=next(iter(self.zones), ""),
            opaque=self.opaque,
            declared=self.declared,
            order=tuple(self.order) if self.declared else (),
        )

    def _beside(self, renamed, either, words):
        """Return what is written next to its numbers, with what is known of it in all files."""
        known = {"renamed": renamed, "ambiguous": either, "respelled": words}
        known = {field: value for field, value in known.items() if value}
        return self.beside._replace(**known) if known else self.beside

    @property
    def is_words(self) -> bool:
        """True if it contains words, or dates whose order is unknown so that they are not days."""
        return KINDS[True, False] in self.kinds or KINDS[True, True] in self.kinds

    @property
    def levels(self) -> set[str]:
        """The words of the rows that miss no compared cell."""
        return {word for word, k in self.words.items() if k < len(self.complete_times) and self.complete_times[k]}


def _is_word(cell):
    """Return whether a cell among words is a word; NA is one, for instance the level of a region or sodium."""
    return not number_notation.is_missing(cell) or cell.lower() == "na"


def _added(times, values, count):
    """Return how often each word occurs, with the words of some values added."""
    given = values[values >= 0].astype(np.intp)
    total = np.bincount(given, minlength=count)
    total[: len(times)] += times
    return total


class SourceSummary:
    """Result of the first pass over a source, which is a file or several with the same columns.

    Attributes
    ----------
    name : str
        Name of the source.
    names : tuple of str
        Names of its columns.
    columns : dict
        Name -> ColumnSummary.
    compared : frozenset of str
        Columns that are compared.
    X : ndarray of shape (k, d)
        Random rows of those that miss no cell in the columns that are `compared`, each equally likely.
    keys : ndarray of shape (k,)
        The random numbers by which they were chosen.
    rows : int
        Number of rows.
    n : int
        Number of rows that miss no compared cell.
    remarks : tuple of str
        Remarks on how the files were read.
    changed : bool
        Whether the files have to be read again, as later chunks change how earlier ones are read.
    """

    def __init__(
        self,
        files: Sequence[TableFile],
        name: str,
        compared: Collection[str],
        generator: np.random.Generator,
        watched: Watched,
        chunks: int | None = None,
    ) -> None:
        self.name, self.compared, self._files = name, frozenset(compared), files
        self.names = files[0].names
        self.columns = {each: ColumnSummary() for each in self.names}
        self.rows = self.n = 0
        self.X, self.keys = np.zeros((0, len(self.names))), np.zeros(0)
        remarks: dict[str, bool] = {}
        for file in files:
            if lost := [each for each in self.names if each not in file.names]:
                raise no_column_error(file.name, lost[0], file.names)
            said: number_notation.Remarks = {}
            seen: dict[str, bool] = {}
            start, named = self.rows, file.sample_cells()
            for reader in watched(_first(file.chunks(), chunks), "reading"):
                chunk = reader()
                _join(said, chunk.unusual)
                seen |= dict.fromkeys(chunk.remarks, True)
                self._add(chunk, file, start, named, generator)
            remarks |= dict.fromkeys(file.unusual(said, seen), True)
        self.remarks = tuple(remarks)
        self.changed = any(file.changed for file in files)
        order = np.argsort(self.keys)  # sorted by their keys, the first k rows are a random sample for every k
        self.X, self.keys = self.X[order], self.keys[order]

    def _add(self, chunk: Chunk, file, start, named, generator):
        """Add the rows of a chunk."""
        values = {name: self.columns[name].values(chunk.columns[name], named.get(name, ())) for name in self.names}
        kept = np.ones(chunk.rows, bool)
        for name in self.compared & set(self.names):
            kept &= ~np.isnan(values[name])

        def place(row):
            of = f" of {file.name}" if len(self._files) > 1 else ""
            where = (
                f"line {chunk.lines[row]}" if len(chunk.lines) else f"row {self.rows - start + row} (counted from 0)"
            )
            return self.rows + row, where + of

        for name in self.names:
            self.columns[name].add(chunk.columns[name], values[name], kept, file.name, place)
        self.rows += chunk.rows
        count = int(np.count_nonzero(kept))
        self.n += count
        keys = generator.random(count)
        if len(self.keys) == KEPT:  # avoids copying rows whose keys are too large to be kept
            last = self.keys.max()
            among = keys < last
            kept, keys = np.flatnonzero(kept)[among], keys[among]
        rows = np.column_stack([values[name][kept] for name in self.names])
        self.X, self.keys = np.concatenate([self.X, rows]), np.concatenate([self.keys, keys])
        if len(self.keys) > KEPT:
            few = np.argpartition(self.keys, KEPT)[:KEPT]
            self.X, self.keys = self.X[few], self.keys[few]

    def table(self) -> Table:
        """Return the table as treatments need it."""
        own = {name: each for file in self._files for each, name in file.renamed.items()}
        words: dict[str, dict[str, str]] = {}
        for file in self._files:
            for name, respelled in file.respelled.items():
                words[name] = words.get(name, {}) | respelled
        either = [file.ambiguous_cells() for file in self._files]
        columns = [
            self.columns[name].column(
                name,
                x,
                own.get(name, ""),
                next((each[name] for each in either if each[name]), ""),
                words.get(name, {}),
            )
            for name, x in zip(self.names, self.X.T, strict=True)
        ]
        return Table.from_summary(self.name, columns, self.rows, self.remarks)

    def refuse_gaps(self, table: Table, missing: str) -> None:
        """Raise Refusal as `complete_rows` does, for missing and infinite cells of the columns that are compared."""
        compared = [self.columns[name] for name in self.names if name in self.compared]
        if infinite := sum(each.infinite for each in compared):
            raise infinite_values_error(table, infinite, self._place("infinite"))
        if missing == "refuse" and self.n < self.rows:
            gaps = sum(each.gaps for each in compared)
            raise missing_cells_error(table, gaps, self.rows - self.n, self._place("missing"))
        if not self.n and self.rows:
            raise no_row_left_error(table)

    def _place(self, what):
        """Return the place of the first such cell of the columns that are compared, as text."""
        first = {name: self.columns[name].first[what] for name in self.names if what in self.columns[name].first}
        name = min((name for name in first if name in self.compared), key=lambda name: first[name][0])
        return f"the first in {first[name][1]}, column {echo(name)}"

    def has_gaps(self, names: Collection[str]) -> bool:
        """Return whether one of these columns misses a cell."""
        return any(self.columns[name].gaps for name in names if name in self.columns)

    @property
    def gaps(self) -> dict[str, int]:
        """Number of missing cells of each column that is compared, if rows were left out because of them."""
        lost = self.compared if self.n < self.rows else ()
        return {name: each.gaps for name, each in self.columns.items() if name in lost and each.gaps}

    def levels(self, name: str) -> list[str] | list[float]:
        """Return the levels of a category in the rows that miss no compared cell: words, two numbers, or codes."""
        facts = self.columns[name]
        if facts.is_words:
            return list(facts.levels)
        if facts.counting.whole and len(values := facts.counting.numbers()[0]) > 2:  # they are codes of levels
            return values.tolist()
        return [x for x in (facts.complete_ends.low, facts.complete_ends.high) if np.isfinite(x)]

    def sample(self, name: str) -> ColumnChunk:
        """Return a column of the random rows, in the form in which a chunk of it is read."""
        facts, values = self.columns[name], self.X[:, self.names.index(name)]
        if facts.is_words:
            places = np.where(np.isnan(values), len(facts.words), values)
            return ColumnChunk(EncodedColumn([*facts.words, ""], places.astype(np.intp)))
        return ColumnChunk(values)


def _first(chunks, count):
    """Yield the first chunks, or all if `count` is None."""
    for k, chunk in enumerate(chunks):
        if k == count:
            return
        yield chunk


def _join(said, more):
    """Add the remarks on the notation of another chunk to those of earlier chunks."""
    for key, value in more.items():
        if key == "limits":
            said[key] = said.get(key, 0) + value
        elif key in ("gaps", "units", "flags", "sizes"):
            said[key] = said.get(key, type(value)()) | value
        else:
            said[key] = value
