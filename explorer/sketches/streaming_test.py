"""The two-sample test of files that need not fit into memory: they are read twice, piece by piece.

The first reading says what becomes of each column, counts the rows and keeps some at random, on which scales, bandwidth
and landmarks are chosen; the second sums the features of all rows over random blocks of them, which is what
permutations need.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.column_selection import refuse_unknown_policy
from explorer.datasets.columns.common_kinds import columns_read_as_numbers
from explorer.datasets.columns.gaps import fill_gaps
from explorer.datasets.columns.quantity import Quantity
from explorer.datasets.columns.spellings import common_words
from explorer.datasets.columns.stray_words import MOST as STRAYS
from explorer.datasets.columns.stray_words import stray_words_by_column
from explorer.datasets.columns.table import Table
from explorer.datasets.columns.treatment import ColumnTreatment, with_levels
from explorer.datasets.common_space import Tables
from explorer.datasets.dataset import DataSet
from explorer.datasets.files.lazy_cells import Coded
from explorer.datasets.files.sample_cells import Read
from explorer.datasets.read_tables import treatments, with_gaps
from explorer.discrepancy.mmd import allowed
from explorer.discrepancy.result import TestResult
from explorer.discrepancy.row_blocks import Plan, RowBlocks
from explorer.kernels import Kernel
from explorer.kernels.low_rank.automatic import landmarks_of
from explorer.kernels.low_rank.missing import Missed
from explorer.kernels.selecting import LARGE
from explorer.rng import seed_of, stream
from explorer.types import Missing, MissingCells, Points, Rng, Rows, Vector

from .files import TableFile, files_of, name_alike, table_of
from .first_pass import KEPT, Gathered, Watched

HELD = 2**25  # numbers of both sources that are kept: 268 MB
Treated = Sequence[ColumnTreatment]  # the columns that are kept, with their levels


class Streamed(NamedTuple):
    """The answer, and the tables of the rows that were kept, which say what was done with each column.

    samples     the points of both sources: all rows where memory holds them with ease, else those that were kept
    """

    result: TestResult
    tables: Tables
    samples: tuple[Points, Points]


def streamed_test(
    sources: Sequence[str],
    kernel: Kernel,
    columns: Sequence[str] | None = None,
    missing: Missing = "refuse",
    scale: Any = "auto",
    n_resamples: int = 999,
    rng: Rng = None,
    names: Sequence[str] | None = None,
    watched: Watched = lambda pieces, about: pieces,
) -> Streamed:
    """The test of P = Q by the unbiased MMD² of two files, or folders of them, in bounded memory.

    sources   paths of CSV, TSV or Parquet files, or of folders, whose files are one table
    kernel    of the numbers; an automatic bandwidth is chosen on 6000 rows
    columns   by name; None is all that can be compared
    missing, scale, names  as in `read_tables`
    watched   is given the pieces and what is done with them, and yields them: a place for progress

    The tables are what a lenient `read_tables` makes of the files, but for scales, which are of random rows; the test
    is `mmd_test` with approximation="auto", of which the rows come piece by piece. ValueError for fewer than two rows,
    and what `read_tables` refuses.
    """
    refuse_unknown_policy(missing)
    called = [Path(source).name for source in sources] if names is None else names
    files = [[table_of(path) for path in files_of(Path(source))] for source in sources]
    name_alike([file for each in files for file in each])
    first = first_reading(files, called, columns, missing, rng, watched)
    for source, each in zip(sources, first.gathered, strict=True):
        if each.n < 2:
            raise Refusal(f"{source} has too few rows to compare, {each.n}, and the test needs two; give more.")
    n, m = (each.n for each in first.gathered)
    tables, scaled = tables_of(first, scale)
    P = tables[0].X
    kernel = tables.product(kernel).select(P[:LARGE])
    low = landmarks_of(kernel, P, n + m, rng, allowed(1 / n + 1 / m))
    blocks = RowBlocks(low, Plan.of(n, m), low.features(P[:200]).mean(axis=0))
    held: list[list[Points]] = [[], []]
    for k, (each, places, rows) in enumerate(zip(files, blocks.plan.places(rng), held, strict=True)):
        placed = _placed(second_reading(each, tables.kept, len(places), watched, k), places)
        blocks.add(placed if (n + m) * P.shape[1] > HELD else _keeping(placed, rows))
    observed, null, tolerance = blocks.test("unbiased", n_resamples, rng)
    error = Missed(low, scaled, rng).limit("unbiased")
    result = TestResult(
        observed,
        null,
        "the unbiased MMD²",
        kernel,
        n,
        m,
        tolerance,
        blocks.resamples,
        error,
        seed=seed_of(rng),
        approximation=f"nystrom of rank {low.rank}",
    )
    data = tuple(
        replace(tables[0], name=each.name, X=X, dropped=each.rows - each.n)
        for X, each in zip(scaled, first.gathered, strict=True)
    )
    first, second = (np.concatenate(rows) if rows else some for rows, some in zip(held, scaled, strict=True))
    return Streamed(result, replace(tables, data=data), (first, second))


def _keeping(placed, rows):
    """The pieces, of which the points are kept among `rows` as they pass."""
    for X, places in placed:
        rows.append(X)
        yield X, places


class FirstReading(NamedTuple):
    """What was gathered of each source, their Tables, and what becomes of each column, its levels included."""

    gathered: list[Gathered]
    tables: list[Table]
    columns: tuple[ColumnTreatment, ...]

    @property
    def kept(self) -> tuple[ColumnTreatment, ...]:
        """The treatments of what is compared."""
        return tuple(column for column in self.columns if column.kind != "left out")


def first_reading(
    files: Sequence[Sequence[TableFile]],
    called: Sequence[str],
    columns: Sequence[str | int] | None,
    missing: MissingCells,
    rng: Rng,
    watched: Watched,
    chosen: Callable[[list[Table]], list[Table]] = list,
    strays_but: Collection[str] | None = None,
    taken: bool = False,
) -> FirstReading:
    """The FirstReading; `chosen` gives the tables with those of their columns that may be compared.

    strays_but: the columns in which a few words among numbers are not taken as missing, see `strays`; None of all
    taken: whether numbers that stand for missing ones are missing cells, see `treatment`

    The first pieces say which columns are compared, and so which rows miss a cell. Where all pieces say otherwise they
    are read again, and so they are where a cell far below changes how earlier ones are read. If `missing` is "value"
    all rows count.
    """
    whole = missing == "value"

    def reading(compared, generator, pieces=None):
        return [
            Gathered(each, name, () if whole else compared, generator, watched, pieces)
            for each, name in zip(files, called, strict=True)
        ]

    aside = Aside([file for each in files for file in each])
    kinds = CommonKinds(files)
    gathered, compared = reading((), np.random.default_rng(0), 1), None
    try:
        compared = _compared(chosen([each.table() for each in gathered]), columns)
    except Refusal:  # which the other pieces may not bear out
        places = dict(enumerate(gathered[0].names))
        asked = places if columns is None else columns
        compared = {each if isinstance(each, str) else places.get(each, "") for each in asked}
    while True:
        gathered = reading(compared, stream(rng, "rows kept"))
        if any(each.changed for each in gathered):
            continue
        tables = [each.table() for each in gathered]
        if strays_but is not None and aside.take(tables, strays_but):
            continue
        if _take_words(tables, files) or kinds.take(tables):
            continue
        tables = chosen(tables)
        treated = treatments(tables, columns, taken=taken)
        before, compared = compared, {column.name for column, _ in treated if column.kind != "left out"}
        if not whole and any(each.has_gaps(before ^ compared) for each in gathered):
            continue
        for each, table in zip(gathered, tables, strict=True):
            each.compared = frozenset(compared)
            each.refuse_gaps(table, missing)
        return FirstReading(gathered, tables, tuple(_with_levels(column, gathered) for column, _ in treated))


def _take_words(tables: Sequence[Table], files: Sequence[Sequence[TableFile]]) -> bool:
    """Give the words of the sources' columns one spelling; return whether some file is to be read again for it."""
    found = False
    for name in tables[0].by_name:
        columns = [table.by_name.get(name) for table in tables]
        there = [column for column in columns if column is not None and column.numbers is None and not column.dates]
        if len(there) < len(tables):
            continue
        for each, own in zip(files, common_words([each.times.keys() - each.gaps for each in there]), strict=True):
            for file in each if own else ():
                file.respelled[name] = file.respelled.get(name, {}) | own
                found = True
    return found


class Aside:
    """The words of each column that are taken as missing, of files that are read again for each that is found."""

    def __init__(self, files: Sequence[TableFile]) -> None:
        self._files, self._words = files, dict[str, frozenset[str]]()

    def take(self, tables: Sequence[Table], apart: Collection[str]) -> bool:
        """Return whether the files have to be read again, as there are words that were not known.

        If these are more than `strays.MOST` kinds in all, or if the column holds no numbers without them, it is one of
        words, and none of them is set aside.
        """
        new: dict[str, frozenset[str]] = {}
        for name, words in stray_words_by_column(tables, apart).items():
            every = words | self._words.get(name, frozenset())
            if name not in self._words or self._words[name]:
                new[name] = every if len(every) <= STRAYS else frozenset()
        for name in self._words.keys() - new.keys():
            columns = [(table.by_name[name], table.rows) for table in tables]
            if self._words[name] and any(column.numbers is None and column.missing < rows for column, rows in columns):
                new[name] = frozenset()
        self._words |= new
        for file in self._files:
            file.set_aside(new)
        return bool(new)


class CommonKinds:
    """The columns of each source whose words are read as numbers, as another source has numbers in their place."""

    def __init__(self, files: Sequence[Sequence[TableFile]]) -> None:
        self._files = files

    def take(self, tables: Sequence[Table]) -> bool:
        """Return whether the files have to be read again, as there are columns that were not known."""
        found = columns_read_as_numbers(tables)
        for files, names in zip(self._files, found, strict=True):
            for file in files:
                file.as_numbers |= names
        return any(found)


def _compared(tables, columns):
    """The names of the columns that are compared."""
    return {column.name for column, _ in treatments(tables, columns) if column.kind != "left out"}


def _with_levels(column, gathered):
    """A treatment; of a category with the levels of all sources."""
    if column.kind != "category":
        return column
    levels = sorted(set().union(*(each.levels(column.name) for each in gathered)))
    return with_levels(column, np.array(levels))


def tables_of(first: FirstReading, scale: Any) -> tuple[Tables, list[Points]]:
    """The Tables of random rows of both sources together, each of all rows equally likely, as labels may not matter."""
    unscaled = [
        _points({column.name: each.sample(column.name) for column in first.kept}, first.kept, k)
        for k, each in enumerate(first.gathered)
    ]
    order = np.argsort(np.concatenate([each.keys for each in first.gathered]))[:KEPT]
    columns = [first.tables[0].by_name[column.name] for column in first.kept]
    quantities = tuple(
        Quantity(column.name, column.unit, dates=each.dates, levels=column.levels)
        for column, each in zip(first.kept, columns, strict=True)
    )
    left = tuple(column.name for column in first.columns if column.kind == "left out")
    columns, quantities, (some,) = with_gaps(
        first.columns, quantities, fill_gaps(first.kept, [np.concatenate(unscaled)[order]])
    )
    names = tuple(each.name for each in quantities)
    pooled = DataSet("the files", some, names, left_out=left, quantities=quantities)
    tables = Tables(
        (pooled,),
        columns,
        remarks=tuple(each.remarks for each in first.gathered),
        gaps=tuple(each.gaps for each in first.gathered),
        rows=sum(each.rows for each in first.gathered),
    )
    if scale == "common" or (scale == "auto" and tables.uneven):
        tables = tables.in_common_scales()
    divisors = np.array([column.scale for column in tables.kept[: len(first.kept)]])
    return tables, [X / divisors for X in unscaled]


def second_reading(
    files: Sequence[TableFile], treated: Treated, n: int, watched: Watched, k: int, whole: bool = False
) -> Iterator[Points]:
    """The n rows of source k that miss no cell, or all if `whole`, as the tables have them, and NaN in the others."""
    return (X for X, _ in with_lines(files, treated, n, watched, k, whole))


def with_lines(
    files: Sequence[TableFile], treated: Treated, n: int, watched: Watched, k: int, whole: bool = False
) -> Iterator[tuple[Points, Sequence[int]]]:
    """Yield the pieces of `second_reading`, each with the lines of its rows in their file, none if it has no lines."""
    start, names = 0, [column.name for column in treated]
    for file in files:
        for reader in watched(file.pieces(names), "comparing"):
            piece = reader()
            X = _points(piece.columns, treated, k) / [column.scale for column in treated]
            start += len(X) if whole else int(np.count_nonzero(~np.isnan(X).any(axis=1)))
            if start > n:
                break
            yield X, piece.lines
    if start != n:
        raise Refusal(f"{files[0].name} changed while it was read; wait until it is written.")


def _placed(pieces: Iterator[Points], places: Rows) -> Iterator[tuple[Points, Rows]]:
    """Rows that miss no cell, with their blocks."""
    start = 0
    for X in pieces:
        kept = X[~np.isnan(X).any(axis=1)]
        yield kept, places[start : start + len(kept)]
        start += len(kept)


def _points(columns: Mapping[str, Read], treated: Treated, k: int) -> Points:
    """The columns of source k that are compared, before they are scaled: of categories the positions of levels."""
    return np.column_stack([_values(columns[column.name], column, k) for column in treated])


def _values(read: Read, column: ColumnTreatment, k: int) -> Vector:
    """One column; NaN where a cell is missing, and where it has no level, as some cell of its row is."""
    values = read.cells
    if isinstance(values, Coded):
        known = {level: float(k) for k, level in enumerate(column.levels)}
        codes = np.array([known.get(cell, np.nan) for cell in values.cells])
        return codes[values.codes]
    if column.kind == "number":
        return column.values(values, k)
    levels = np.array(column.levels, dtype=float)
    places = np.searchsorted(levels, values).clip(max=len(levels) - 1)
    return np.where(levels[places] == values, places, np.nan)
