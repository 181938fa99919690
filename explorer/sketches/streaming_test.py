"""Two-sample test of files that need not fit into memory: they are read twice, in chunks.

The first pass decides on the treatment of each column, counts the rows and keeps some at random to choose scales,
bandwidth and landmarks. The second pass sums the features of all rows over random blocks of them, which is
what permutations need.
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
from explorer.datasets.files.lazy_cells import EncodedColumn
from explorer.datasets.files.sample_cells import ColumnChunk
from explorer.datasets.read_tables import treatments, with_gaps
from explorer.discrepancy.mmd.two_samples import allowed_error
from explorer.discrepancy.resampling.row_blocks import Plan, RowBlocks
from explorer.discrepancy.results.test_result import TestResult
from explorer.kernels import Kernel
from explorer.kernels.bandwidth_selection import LARGE
from explorer.kernels.low_rank.automatic import landmarks_of
from explorer.kernels.low_rank.residual import Residual
from explorer.rng import seed_of, stream
from explorer.types import Missing, MissingCells, Points, Rng, Rows, Vector

from .files import TableFile, files_of, name_alike, table_of
from .first_pass import KEPT, SourceSummary, Watched

HELD = 2**25  # most numbers of both sources that are kept in memory: 268 MB
Treated = Sequence[ColumnTreatment]  # the columns that are compared, with their levels


class Streamed(NamedTuple):
    """Result of the test, and the tables of the rows that were kept, which describe the treatment of each column.

    Attributes
    ----------
    result : TestResult
        The test.
    tables : Tables
        The tables of random rows.
    samples : tuple of ndarray
        Points of both sources: all rows if they fit in memory easily, else those that were kept.
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
    watched: Watched = lambda chunks, about: chunks,
) -> Streamed:
    """Test P = Q by the unbiased MMD² of two files, or folders of them, in bounded memory.

    The tables are what a lenient `read_tables` makes of the files, except for scales, which are those of random rows.
    The test is `mmd_test` with approximation="auto", whose rows come in chunks.

    Parameters
    ----------
    sources : sequence of str
        Paths of CSV, TSV or Parquet files, or of folders, whose files are one table.
    kernel : Kernel
        Kernel of the numbers; an automatic bandwidth is chosen on 6000 rows.
    columns : sequence of str or None, default None
        Columns by name; None is all that can be compared.
    missing : {"refuse", "drop"}, default "refuse"
        As in `read_tables`.
    scale : object, default "auto"
        As in `read_tables`.
    n_resamples : int, default 999
        Number of permutations.
    rng : int, Generator or None, default None
        Seed of the random rows and the permutations.
    names : sequence of str or None, default None
        Names of the sources; None takes those of the files.
    watched : callable, optional
        Gets the readers of chunks and a word for the activity, and yields the readers: a place to show progress.

    Returns
    -------
    Streamed
        The result, the tables and the points.

    Raises
    ------
    Refusal
        If a source has fewer than two rows, and whatever `read_tables` refuses.
    """
    refuse_unknown_policy(missing)
    called = [Path(source).name for source in sources] if names is None else names
    files = [[table_of(path) for path in files_of(Path(source))] for source in sources]
    name_alike([file for each in files for file in each])
    first = first_reading(files, called, columns, missing, rng, watched)
    for source, each in zip(sources, first.summaries, strict=True):
        if each.n < 2:
            raise Refusal(f"{source} has too few rows to compare, {each.n}, and the test needs two; give more.")
    n, m = (each.n for each in first.summaries)
    tables, scaled = tables_of(first, scale)
    P = tables[0].X
    kernel = tables.product(kernel).select(P[:LARGE])
    low = landmarks_of(kernel, P, n + m, rng, allowed_error(1 / n + 1 / m))
    blocks = RowBlocks(low, Plan.of(n, m), low.features(P[:200]).mean(axis=0))
    held: list[list[Points]] = [[], []]
    for k, (each, places, rows) in enumerate(zip(files, blocks.plan.assign_rows(rng), held, strict=True)):
        placed = _with_blocks(second_reading(each, tables.included, len(places), watched, k), places)
        blocks.add(placed if (n + m) * P.shape[1] > HELD else _storing(placed, rows))
    observed, null, tolerance = blocks.test("unbiased", n_resamples, rng)
    error = Residual(low, scaled, rng).limit("unbiased")
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
        for X, each in zip(scaled, first.summaries, strict=True)
    )
    first, second = (np.concatenate(rows) if rows else some for rows, some in zip(held, scaled, strict=True))
    return Streamed(result, replace(tables, data=data), (first, second))


def _storing(placed, rows):
    """Yield the chunks, and store their points in `rows`."""
    for X, places in placed:
        rows.append(X)
        yield X, places


class FirstReading(NamedTuple):
    """Result of the first pass: summaries of the sources, their Tables, and the treatment of each column."""

    summaries: list[SourceSummary]
    tables: list[Table]
    columns: tuple[ColumnTreatment, ...]

    @property
    def compared(self) -> tuple[ColumnTreatment, ...]:
        """Treatments of the columns that are compared."""
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
    """Return the FirstReading of several sources, which are read until the treatment of columns is settled.

    The first chunks determine which columns are compared, and so which rows miss a cell. If the other chunks determine
    otherwise, or if a later cell changes how earlier ones are read, the files are read again. If `missing` is "value"
    all rows count.

    `chosen` returns the tables with only those columns that may be compared. `strays_but` are the columns in which a
    few words among numbers are not treated as missing, see `stray_words`; None means all columns. `taken` is whether
    numbers that stand for missing values are missing cells, see `treatment`.
    """
    whole = missing == "value"

    def reading(compared, generator, chunks=None):
        return [
            SourceSummary(each, name, () if whole else compared, generator, watched, chunks)
            for each, name in zip(files, called, strict=True)
        ]

    aside = Aside([file for each in files for file in each])
    kinds = CommonKinds(files)
    gathered, compared = reading((), np.random.default_rng(0), 1), None
    try:
        compared = _compared(chosen([each.table() for each in gathered]), columns)
    except Refusal:  # the other chunks may not confirm it
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
    """Give the words of the sources' columns one spelling; return whether some file has to be read again for it."""
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
    """Words of each column that are treated as missing, in files that are read again for each new one."""

    def __init__(self, files: Sequence[TableFile]) -> None:
        self._files, self._words = files, dict[str, frozenset[str]]()

    def take(self, tables: Sequence[Table], apart: Collection[str]) -> bool:
        """Return whether the files have to be read again, as there are words that were not known.

        If these are more than `stray_words.MOST` kinds in all, or if the column contains no numbers without them, it is
        a column of words, and none of them is set aside.
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
    """Columns of each source whose words are read as numbers, because another source has numbers there."""

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
    """Return the names of the columns that are compared."""
    return {column.name for column, _ in treatments(tables, columns) if column.kind != "left out"}


def _with_levels(column, gathered):
    """Return a treatment, for a category with the levels of all sources."""
    if column.kind != "category":
        return column
    levels = sorted(set().union(*(each.levels(column.name) for each in gathered)))
    return with_levels(column, np.array(levels))


def tables_of(first: FirstReading, scale: Any) -> tuple[Tables, list[Points]]:
    """Return the Tables of random rows of both sources, each equally likely, and the scaled points of each source.

    The rows of both sources are pooled, as labels must not matter.
    """
    unscaled = [
        _points({column.name: each.sample(column.name) for column in first.compared}, first.compared, k)
        for k, each in enumerate(first.summaries)
    ]
    order = np.argsort(np.concatenate([each.keys for each in first.summaries]))[:KEPT]
    columns = [first.tables[0].by_name[column.name] for column in first.compared]
    quantities = tuple(
        Quantity(column.name, column.unit, dates=each.dates, levels=column.levels)
        for column, each in zip(first.compared, columns, strict=True)
    )
    left = tuple(column.name for column in first.columns if column.kind == "left out")
    columns, quantities, (some,) = with_gaps(
        first.columns, quantities, fill_gaps(first.compared, [np.concatenate(unscaled)[order]])
    )
    names = tuple(each.name for each in quantities)
    pooled = DataSet("the files", some, names, left_out=left, quantities=quantities)
    tables = Tables(
        (pooled,),
        columns,
        remarks=tuple(each.remarks for each in first.summaries),
        gaps=tuple(each.gaps for each in first.summaries),
        rows=sum(each.rows for each in first.summaries),
    )
    if scale == "common" or (scale == "auto" and tables.uneven):
        tables = tables.in_common_scales()
    divisors = np.array([column.scale for column in tables.included[: len(first.compared)]])
    return tables, [X / divisors for X in unscaled]


def second_reading(
    files: Sequence[TableFile], treated: Treated, n: int, watched: Watched, k: int, whole: bool = False
) -> Iterator[Points]:
    """Yield the points of source k in chunks, with NaN for missing cells.

    n is the expected number of rows that miss no cell, or of all rows if `whole`.
    """
    return (X for X, _ in with_lines(files, treated, n, watched, k, whole))


def with_lines(
    files: Sequence[TableFile], treated: Treated, n: int, watched: Watched, k: int, whole: bool = False
) -> Iterator[tuple[Points, Sequence[int]]]:
    """Yield the chunks of `second_reading`, each with the lines of its rows in their file, none if it has no lines."""
    start, names = 0, [column.name for column in treated]
    for file in files:
        for reader in watched(file.chunks(names), "comparing"):
            chunk = reader()
            X = _points(chunk.columns, treated, k) / [column.scale for column in treated]
            start += len(X) if whole else int(np.count_nonzero(~np.isnan(X).any(axis=1)))
            if start > n:
                break
            yield X, chunk.lines
    if start != n:
        raise Refusal(f"{files[0].name} changed while it was read; wait until it is written.")


def _with_blocks(chunks: Iterator[Points], places: Rows) -> Iterator[tuple[Points, Rows]]:
    """Yield rows that miss no cell, with their blocks."""
    start = 0
    for X in chunks:
        kept = X[~np.isnan(X).any(axis=1)]
        yield kept, places[start : start + len(kept)]
        start += len(kept)


def _points(columns: Mapping[str, ColumnChunk], treated: Treated, k: int) -> Points:
    """Return the columns of source k that are compared, before they are scaled; categories are positions of levels."""
    return np.column_stack([_values(columns[column.name], column, k) for column in treated])


def _values(read: ColumnChunk, column: ColumnTreatment, k: int) -> Vector:
    """Return one column; NaN if a cell is missing, or has no level because another cell of its row is missing."""
    values = read.cells
    if isinstance(values, EncodedColumn):
        known = {level: float(k) for k, level in enumerate(column.levels)}
        codes = np.array([known.get(cell, np.nan) for cell in values.cells])
        return codes[values.codes]
    if column.kind == "number":
        return column.values(values, k)
    levels = np.array(column.levels, dtype=float)
    places = np.searchsorted(levels, values).clip(max=len(levels) - 1)
    return np.where(levels[places] == values, places, np.nan)
