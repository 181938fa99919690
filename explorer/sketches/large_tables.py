"""Tables whose files are too large to load as text but whose numbers fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.columns.gaps import fill_gaps
from explorer.datasets.columns.table import Column, Table
from explorer.datasets.common_space import Tables
from explorer.datasets.files.lazy_cells import EncodedColumn
from explorer.datasets.read_tables import with_gaps
from explorer.printing import plural
from explorer.types import Mask, MissingCells, Rng

from .files import files_of, name_alike, table_of
from .first_pass import Watched
from .streaming_test import first_reading, tables_of, with_lines

MOST = 2**27  # most numbers of all files: 1 GB


def read_large_tables(
    sources: Sequence[str | Path],
    columns: Sequence[str | int] | None = None,
    missing: MissingCells = "drop",
    scale: Any = "common",
    rng: Rng = None,
    watched: Watched = lambda chunks, about: chunks,
    compared: Callable[[list[Table]], list[Table]] = list,
    apart: Collection[str] = (),
    taken: bool = False,
) -> Tables:
    """Return what `joined` makes of files of any size, or of folders of them, read in chunks; all rows are kept.

    A few words among numbers are treated as missing, see `stray_words`. Scales are those of random rows, by `rng`.

    Parameters
    ----------
    sources : sequence of str or Path
        Files or folders, a table each.
    columns : sequence of str or int or None, default None
        Columns to compare, by name or position.
    missing : {"drop", "refuse", "value"}, default "drop"
        As in `compare`.
    scale : object, default "common"
        As in `read_tables`.
    rng : int, Generator or None, default None
        Seed of the random rows.
    watched : callable, optional
        Gets the readers of chunks and a word for the activity, and yields the readers: a place to show progress.
    compared : callable, default list
        Returns the tables with only those columns that may be compared. The tables that it gets have no cells.
    apart : collection of str, default ()
        Names of columns that stay as each file has them.
    taken : bool, default False
        With missing="value": whether numbers that stand for missing values are missing cells, see `treatment`.

    Returns
    -------
    Tables
        The tables.

    Raises
    ------
    Refusal
        If the files have more than 2^27 numbers, and whatever `read_tables` refuses.
    """
    whole = missing == "value"
    files = [[table_of(path) for path in files_of(Path(source))] for source in sources]
    name_alike([file for each in files for file in each], apart)
    called = [Path(source).name for source in sources]
    first = first_reading(files, called, columns, missing, rng, watched, compared, apart, whole and taken)
    numbers = sum(each.n for each in first.summaries) * len(first.compared)
    if numbers > MOST:
        raise Refusal(
            f"the files have {plural(numbers, 'number')} in the columns that are compared, more than the {MOST:,}"
            " that are kept"
            " in memory; name fewer columns, or keep random rows of each file."
        )
    tables, _ = tables_of(first, scale)
    treated = tuple(column for column in tables.columns if column.kind != "missing")
    kept, quantities = [column for column in treated if column.kind != "left out"], tables[0].quantities
    points, complete, lines = [], [], []
    for k, (each, gathered) in enumerate(zip(files, first.summaries, strict=True)):
        chunks = list(with_lines(each, kept, gathered.n, watched, k, whole))
        X = np.concatenate([chunk for chunk, _ in chunks])
        complete.append(np.ones(len(X), dtype=bool) if whole else ~np.isnan(X).any(axis=1))
        points.append(X[complete[-1]])
        numbers = np.concatenate([np.asarray(found, dtype=int) for _, found in chunks])
        lines.append(numbers[complete[-1]] if len(each) == 1 and len(numbers) == len(X) else None)
    if whole:
        others = _gaps([column for column in treated if column.kind == "left out"], files, first.summaries)
        full = fill_gaps(kept, points, others)
        treated, quantities, points = with_gaps(treated, quantities[: len(kept)], full)
    names = tuple(each.name for each in quantities)
    data = tuple(
        replace(
            tables[0],
            name=gathered.name,
            X=X,
            names=names,
            quantities=quantities,
            dropped=int(np.count_nonzero(~rows)),
            target=None,
            lines=numbers,
            by_line=numbers is not None,
        )
        for gathered, X, rows, numbers in zip(first.summaries, points, complete, lines, strict=True)
    )
    return replace(tables, data=data, columns=treated, complete=tuple(complete), rows=None)


def _gaps(left_out, files, gathered) -> dict[str, list[Mask]]:
    """Return which cells each left-out column with missing cells misses in each source."""
    names = [column.name for column in left_out if any(each.has_gaps([column.name]) for each in gathered)]
    if not names:
        return {}
    reads = [_chunks(each, names) for each in files]
    return {
        name: [np.concatenate([_empty(chunk.columns[name].cells) for chunk in each]) for each in reads]
        for name in names
    }


def _empty(cells) -> Mask:
    """Return which cells of a chunk of a column are missing."""
    if isinstance(cells, EncodedColumn):
        return np.array([not cell for cell in cells.cells])[cells.codes]
    return np.isnan(cells)


def names_of(source: str | Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the columns of a file or folder of any size, and of those of dates, judged by the first rows.

    Parameters
    ----------
    source : str or Path
        A file or a folder.

    Returns
    -------
    names : tuple of str
        All columns.
    dates : tuple of str
        Columns of dates, judged by the first rows.
    """
    first = table_of(files_of(Path(source))[0])
    return first.names, first.dates()


def read_large_columns(source: str | Path, names: Sequence[str]) -> Table:
    """Return a few columns of a file or folder of any size with the cells of all rows; numbers have few digits.

    Numbers with something next to them, and lengths of time, stay as written.

    Parameters
    ----------
    source : str or Path
        A file or a folder.
    names : sequence of str
        The columns.

    Returns
    -------
    Table
        The columns.
    """
    files = [table_of(path) for path in files_of(Path(source))]
    chunks = _chunks(files, names)
    while any(file.changed for file in files):  # a later cell changed how earlier ones have to be read
        chunks = _chunks(files, names)
    columns = [_column(name, [chunk.columns[name] for chunk in chunks]) for name in names]
    return Table(Path(source).name, tuple(columns), "", lenient=True)


def _chunks(files, names):
    """Return all chunks of these columns."""
    return [reader() for file in files for reader in file.chunks(names, as_written=True)]


def _column(name, reads) -> Column:
    """Return a column from its chunks; it is one of words if one of them contains words."""
    dates, unit = any(read.dates for read in reads), next((read.unit for read in reads if read.unit), "")
    coded = [read.cells for read in reads if isinstance(read.cells, EncodedColumn)]
    if any(cell for each in coded for cell in each.cells):
        cells = [cell for read in reads for cell in _words(read.cells)]
        return Column(name, tuple(cells), None, dates, unit)
    numbers = [
        np.full(len(x.codes), np.nan) if isinstance(x, EncodedColumn) else x for x in (read.cells for read in reads)
    ]
    numbers = np.concatenate(numbers)
    return Column(name, tuple(_words(numbers)), numbers, dates, unit)


def _words(cells) -> list[str]:
    """Return the word of each cell."""
    if isinstance(cells, EncodedColumn):
        words, codes = cells.cells, cells.codes
    else:
        values, codes = np.unique(cells, return_inverse=True)
        whole = np.array_equal(values, np.rint(values), equal_nan=True)
        words = ["" if np.isnan(x) else repr(int(x) if whole else x) for x in values.tolist()]
    return np.array(words, dtype=object)[codes].tolist()
