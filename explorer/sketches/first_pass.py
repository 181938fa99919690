"""What a first reading of a table in pieces gathers: of each column what its treatment asks, and some random rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.column_selection import infinite_values, missing_cells, no_column, no_row_left
from explorer.datasets.columns import number_notation
from explorer.datasets.columns.cell_counts import NO_WORDS, NOTHING
from explorer.datasets.columns.missing_codes import Ends
from explorer.datasets.columns.row_numbers import RowNumberDetector
from explorer.datasets.columns.scales import Magnitude
from explorer.datasets.columns.table import Column, Table
from explorer.datasets.files.lazy_cells import Coded
from explorer.datasets.files.sample_cells import Read
from explorer.printing import echo
from explorer.types import Mask, Vector

from .files import TableFile
from .rows import Piece, Reader

KEPT = 32_768  # random rows of a source
MOST_WORDS, MOST_LETTERS = 100_000, 10_000_000  # of a column, and of all its words together

KINDS = {  # what a column holds, by whether its cells stay words and whether they are dates
    (True, False): "words",
    (True, True): "dates in an unknown order",
    (False, True): "dates",
    (False, False): "numbers",
}

Watched = Callable[[Iterator[Reader], str], Iterable[Reader]]


class Facts:
    """A column of a source, of which the pieces have been forgotten.

    words       its words, and a position of each; times, held  how often each occurs, in all rows and in those kept
    letters     how many its words have together
    ends, kept  of its numbers, in all rows and in those that are kept
    kinds, units  what it holds, and the first file that says so
    opaque, declared, order, zones  of its columns, as there; zones with the first file that says so
    gaps, infinite  how many cells are missing or infinite; first  the row and the place of the first of either
    """

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.letters = 0
        self.times, self.held, self.untold = np.zeros(0, np.int64), np.zeros(0, np.int64), 0
        self.ends, self.kept, self.counting, self.limited = Ends(), Ends(), RowNumberDetector(), 0
        self.beside = NOTHING
        self.kinds: dict[str, str] = {}
        self.units: dict[str, str] = {}
        self.zones: dict[str, str] = {}
        self.opaque, self.declared, self.order = "", False, dict[str, None]()
        self.gaps, self.infinite = 0, 0
        self.first: dict[str, tuple[int, str]] = {}

    def values(self, column: Read, named: Collection[str]) -> Vector:
        """The numbers of a piece, or the positions of its words, NaN where one is missing and -1 where it is not kept.

        named: words that are kept in any case
        """
        if not isinstance(column.cells, Coded):
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

    def add(self, column: Read, values: Vector, kept: Mask, file: str, place: Callable[[int], tuple[int, str]]) -> None:
        """Add a piece with its values."""
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
        self.kinds.setdefault(KINDS[isinstance(column.cells, Coded), column.dates], file)
        if column.unit:
            self.units.setdefault(column.unit, file)
        if not isinstance(column.cells, Coded):
            self.infinite += self._noted("infinite", np.isinf(values), place)
            ends = Ends.of(values)
            self.ends |= ends
            self.kept |= ends if kept.all() else Ends.of(values[kept])
            self.counting.add(values)
            return
        self.untold += int(np.count_nonzero(values == -1))
        self.times = _added(self.times, values, len(self.words))
        self.held = _added(self.held, values[kept], len(self.words))

    def _noted(self, what, mask, place):
        """How many cells are so; the first is noted."""
        if what not in self.first and mask.any():
            self.first[what] = place(int(mask.argmax()))
        return int(np.count_nonzero(mask))

    def column(
        self, name: str, sample: Vector, renamed: str = "", either: str = "", words: Mapping[str, str] = NO_WORDS
    ) -> Column:
        """The column as treatments ask for it; Refusal where two files of a folder differ in what it holds.

        sample   its numbers in some random rows
        renamed  what its own file calls it, if that is another name; either  a cell that may be 1.25 or 1250
        words    its own words -> the spelling in all files
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
            uncounted=self.untold,
            zone=next(iter(self.zones), ""),
            opaque=self.opaque,
            declared=self.declared,
            order=tuple(self.order) if self.declared else (),
        )

    def _beside(self, renamed, either, words):
        """What stands beside its numbers, with what is known of it in all files."""
        known = {"renamed": renamed, "ambiguous": either, "respelled": words}
        known = {field: value for field, value in known.items() if value}
        return self.beside._replace(**known) if known else self.beside

    @property
    def is_words(self) -> bool:
        """Whether it holds words, or dates that are no days, as their order is not known."""
        return KINDS[True, False] in self.kinds or KINDS[True, True] in self.kinds

    @property
    def levels(self) -> set[str]:
        """The words of the rows that are kept."""
        return {word for word, k in self.words.items() if k < len(self.held) and self.held[k]}


def _is_word(cell):
    """Whether a cell among words is one: NA is a level there, as of regions and of sodium."""
    return not number_notation.is_missing(cell) or cell.lower() == "na"


def _added(times, values, count):
    """How often each word occurs, with those of some values."""
    given = values[values >= 0].astype(np.intp)
    total = np.bincount(given, minlength=count)
    total[: len(times)] += times
    return total


class Gathered:
    """A first reading of a source, which is a file or several with the same columns.

    facts  of each column by name
    X      random rows (k, d) of those that miss no cell in the columns that are `compared`, each equally likely
    keys   the random numbers by which they were chosen; rows, n  how many rows there are, and how many miss none
    """

    def __init__(
        self,
        files: Sequence[TableFile],
        name: str,
        compared: Collection[str],
        generator: np.random.Generator,
        watched: Watched,
        pieces: int | None = None,
    ) -> None:
        self.name, self.compared, self._files = name, frozenset(compared), files
        self.names = files[0].names
        self.facts = {each: Facts() for each in self.names}
        self.rows = self.n = 0
        self.X, self.keys = np.zeros((0, len(self.names))), np.zeros(0)
        remarks: dict[str, bool] = {}
        for file in files:
            if lost := [each for each in self.names if each not in file.names]:
                raise no_column(file.name, lost[0], file.names)
            said: number_notation.Remarks = {}
            seen: dict[str, bool] = {}
            start, named = self.rows, file.witnesses()
            for reader in watched(_first(file.pieces(), pieces), "reading"):
                piece = reader()
                _join(said, piece.said)
                seen |= dict.fromkeys(piece.remarks, True)
                self._add(piece, file, start, named, generator)
            remarks |= dict.fromkeys(file.unusual(said, seen), True)
        self.remarks = tuple(remarks)
        self.changed = any(file.changed for file in files)
        order = np.argsort(self.keys)  # of which the first ones are as random
        self.X, self.keys = self.X[order], self.keys[order]

    def _add(self, piece: Piece, file, start, named, generator):
        """Add the rows of a piece."""
        values = {name: self.facts[name].values(piece.columns[name], named.get(name, ())) for name in self.names}
        kept = np.ones(piece.rows, bool)
        for name in self.compared & set(self.names):
            kept &= ~np.isnan(values[name])

        def place(row):
            of = f" of {file.name}" if len(self._files) > 1 else ""
            where = (
                f"line {piece.lines[row]}" if len(piece.lines) else f"row {self.rows - start + row} (counted from 0)"
            )
            return self.rows + row, where + of

        for name in self.names:
            self.facts[name].add(piece.columns[name], values[name], kept, file.name, place)
        self.rows += piece.rows
        count = int(np.count_nonzero(kept))
        self.n += count
        keys = generator.random(count)
        if len(self.keys) == KEPT:  # rows that cannot be among the first are not even copied
            last = self.keys.max()
            among = keys < last
            kept, keys = np.flatnonzero(kept)[among], keys[among]
        rows = np.column_stack([values[name][kept] for name in self.names])
        self.X, self.keys = np.concatenate([self.X, rows]), np.concatenate([self.keys, keys])
        if len(self.keys) > KEPT:
            few = np.argpartition(self.keys, KEPT)[:KEPT]
            self.X, self.keys = self.X[few], self.keys[few]

    def table(self) -> Table:
        """The table as treatments ask for it."""
        own = {name: each for file in self._files for each, name in file.renamed.items()}
        words: dict[str, dict[str, str]] = {}
        for file in self._files:
            for name, respelled in file.respelled.items():
                words[name] = words.get(name, {}) | respelled
        either = [file.either() for file in self._files]
        columns = [
            self.facts[name].column(
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
        """Refuse what `choosing.complete_rows` refuses, of the columns that are compared."""
        compared = [self.facts[name] for name in self.names if name in self.compared]
        if infinite := sum(each.infinite for each in compared):
            raise infinite_values(table, infinite, self._place("infinite"))
        if missing == "refuse" and self.n < self.rows:
            gaps = sum(each.gaps for each in compared)
            raise missing_cells(table, gaps, self.rows - self.n, self._place("missing"))
        if not self.n and self.rows:
            raise no_row_left(table)

    def _place(self, what):
        """Where the first such cell of the columns that are compared stands."""
        first = {name: self.facts[name].first[what] for name in self.names if what in self.facts[name].first}
        name = min((name for name in first if name in self.compared), key=lambda name: first[name][0])
        return f"the first in {first[name][1]}, column {echo(name)}"

    def has_gaps(self, names: Collection[str]) -> bool:
        """Whether one of these columns misses a cell."""
        return any(self.facts[name].gaps for name in names if name in self.facts)

    @property
    def gaps(self) -> dict[str, int]:
        """How many cells each column that is compared misses, where rows were left out for them."""
        lost = self.compared if self.n < self.rows else ()
        return {name: each.gaps for name, each in self.facts.items() if name in lost and each.gaps}

    def levels(self, name: str) -> list[str] | list[float]:
        """The levels of a category in the rows that are kept: words, two numbers, or codes."""
        facts = self.facts[name]
        if facts.is_words:
            return list(facts.levels)
        if facts.counting.whole and len(values := facts.counting.numbers()[0]) > 2:  # codes
            return values.tolist()
        return [x for x in (facts.kept.low, facts.kept.high) if np.isfinite(x)]

    def sample(self, name: str) -> Read:
        """A column of the random rows, as a piece of it would be read."""
        facts, values = self.facts[name], self.X[:, self.names.index(name)]
        if facts.is_words:
            places = np.where(np.isnan(values), len(facts.words), values)
            return Read(Coded([*facts.words, ""], places.astype(np.intp)))
        return Read(values)


def _first(pieces, count):
    """The first pieces, or all."""
    for k, piece in enumerate(pieces):
        if k == count:
            return
        yield piece


def _join(said, more):
    """What was said of earlier pieces, with that of another one."""
    for key, value in more.items():
        if key == "limits":
            said[key] = said.get(key, 0) + value
        elif key in ("gaps", "units", "flags", "sizes"):
            said[key] = said.get(key, type(value)()) | value
        else:
            said[key] = value
