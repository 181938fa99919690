"""Files that are too large to be read whole as text: their numbers are, where memory holds those with ease."""

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
from explorer.datasets.files.lazy_cells import Coded
from explorer.datasets.read_tables import with_gaps
from explorer.types import Mask, MissingCells, Rng

from .files import files_of, name_alike, table_of
from .first_pass import Watched
from .streaming_test import first_reading, tables_of, with_lines

MOST = 2**27  # numbers of all files: 1 GB


def held_tables(
    sources: Sequence[str | Path],
    columns: Sequence[str | int] | None = None,
    missing: MissingCells = "drop",
    scale: Any = "common",
    rng: Rng = None,
    watched: Watched = lambda pieces, about: pieces,
    compared: Callable[[list[Table]], list[Table]] = list,
    apart: Collection[str] = (),
    taken: bool = False,
) -> Tables:
    """What `joined` makes of files of any size, or of folders of them, read piece by piece; all rows are kept.

    `compared` gives the tables with those of their columns that may be compared; None of what it is given has cells.
    A few words among numbers are taken as missing, see `strays`. `apart`: names that stay as each file has them.
    `taken`, with missing="value": whether numbers that stand for missing ones are missing cells, see `treatment`.
    Scales are those of random rows, by `rng`. ValueError where the files have more than 2^27 numbers, and what
    `read_tables` refuses.
    """
    whole = missing == "value"
    files = [[table_of(path) for path in files_of(Path(source))] for source in sources]
    name_alike([file for each in files for file in each], apart)
    called = [Path(source).name for source in sources]
    first = first_reading(files, called, columns, missing, rng, watched, compared, apart, whole and taken)
    numbers = sum(each.n for each in first.gathered) * len(first.kept)
    if numbers > MOST:
        raise Refusal(
            f"the files have {numbers:,} numbers in the columns that are compared, more than the {MOST:,} that are kept"
            " in memory; name fewer columns, or keep random rows of each file."
        )
    tables, _ = tables_of(first, scale)
    treated = tuple(column for column in tables.columns if column.kind != "missing")
    kept, quantities = [column for column in treated if column.kind != "left out"], tables[0].quantities
    points, complete, lines = [], [], []
    for k, (each, gathered) in enumerate(zip(files, first.gathered, strict=True)):
        pieces = list(with_lines(each, kept, gathered.n, watched, k, whole))
        X = np.concatenate([piece for piece, _ in pieces])
        complete.append(np.ones(len(X), dtype=bool) if whole else ~np.isnan(X).any(axis=1))
        points.append(X[complete[-1]])
        numbers = np.concatenate([np.asarray(found, dtype=int) for _, found in pieces])
        lines.append(numbers[complete[-1]] if len(each) == 1 and len(numbers) == len(X) else None)
    if whole:
        others = _gaps([column for column in treated if column.kind == "left out"], files, first.gathered)
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
        for gathered, X, rows, numbers in zip(first.gathered, points, complete, lines, strict=True)
    )
    return replace(tables, data=data, columns=treated, complete=tuple(complete), rows=None)


def _gaps(left_out, files, gathered) -> dict[str, list[Mask]]:
    """Which cells each column that is left out misses in each source, if it misses some."""
    names = [column.name for column in left_out if any(each.has_gaps([column.name]) for each in gathered)]
    if not names:
        return {}
    reads = [_pieces(each, names) for each in files]
    return {
        name: [np.concatenate([_empty(piece.columns[name].cells) for piece in each]) for each in reads]
        for name in names
    }


def _empty(cells) -> Mask:
    """Which cells of a piece of a column are missing."""
    if isinstance(cells, Coded):
        return np.array([not cell for cell in cells.cells])[cells.codes]
    return np.isnan(cells)


def names_of(source: str | Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the columns of a file of any size, or of a folder, and of those of dates, as far as is known."""
    first = table_of(files_of(Path(source))[0])
    return first.names, first.dates()


def held_columns(source: str | Path, names: Sequence[str]) -> Table:
    """A few columns of a file of any size, or of a folder, with the cells of all rows; numbers in few digits.

    Numbers with something beside them, and lengths of time, are as they are written.
    """
    files = [table_of(path) for path in files_of(Path(source))]
    pieces = _pieces(files, names)
    while any(file.changed for file in files):  # a cell far below changes how earlier ones are read
        pieces = _pieces(files, names)
    columns = [_column(name, [piece.columns[name] for piece in pieces]) for name in names]
    return Table(Path(source).name, tuple(columns), "", lenient=True)


def _pieces(files, names):
    return [reader() for file in files for reader in file.pieces(names, as_written=True)]


def _column(name, reads) -> Column:
    """A column of its pieces: of words where one of them holds some."""
    dates, unit = any(read.dates for read in reads), next((read.unit for read in reads if read.unit), "")
    coded = [read.cells for read in reads if isinstance(read.cells, Coded)]
    if any(cell for each in coded for cell in each.cells):
        cells = [cell for read in reads for cell in _words(read.cells)]
        return Column(name, tuple(cells), None, dates, unit)
    numbers = [np.full(len(x.codes), np.nan) if isinstance(x, Coded) else x for x in (read.cells for read in reads)]
    numbers = np.concatenate(numbers)
    return Column(name, tuple(_words(numbers)), numbers, dates, unit)


def _words(cells) -> list[str]:
    """The word of each cell."""
    if isinstance(cells, Coded):
        words, codes = cells.cells, cells.codes
    else:
        values, codes = np.unique(cells, return_inverse=True)
        whole = np.array_equal(values, np.rint(values), equal_nan=True)
        words = ["" if np.isnan(x) else repr(int(x) if whole else x) for x in values.tolist()]
    return np.array(words, dtype=object)[codes].tolist()
