"""Chunks of the rows of a sketch's source: files, folders of them, arrays, DataFrames, dask's, and iterables of these.

A chunk is read by a function without arguments, in the process that calls it, so that an executor's processes read
files themselves and only a few chunks are in memory at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from explorer import checks, frames
from explorer.checks import Refusal, WrongType
from explorer.datasets.column_selection import no_column_error
from explorer.datasets.dataframes import table_of as table_of_frame
from explorer.datasets.files.lazy_cells import EncodedColumn
from explorer.frames import as_table
from explorer.printing import echo
from explorer.tables.lazy_tables import batches_of, in_memory, is_stream
from explorer.tables.other_arrays import is_array
from explorer.types import Missing, Points

from .files import ParquetTable, files_of, table_of


class NumericRows(NamedTuple):
    """Rows of one chunk.

    Attributes
    ----------
    names : tuple of str or None
        Names of the columns, or None for an array.
    X : ndarray of shape (n, d)
        The rows.
    dropped : int
        Number of rows that were dropped.
    """

    names: tuple[str, ...] | None
    X: Points
    dropped: int = 0


NumericReader = Callable[[], NumericRows]
ROWS = 65_536  # most rows of a chunk of an array


def chunks_of(source: Any, columns: Sequence[str] | None, missing: Missing) -> Iterator[NumericReader]:
    """Yield a reader for each chunk of a source; see `Sketch.of`.

    Parameters
    ----------
    source : object
        Files, arrays, DataFrames or an iterable of these, as in `Sketch.of`.
    columns : sequence of str or None
        Names of the columns, or None for all columns of numbers.
    missing : {"refuse", "drop"}
        What happens to rows with a missing cell.

    Yields
    ------
    callable
        Reads and returns the next chunk as `NumericRows`.

    Raises
    ------
    Refusal
        If `missing` is not one of its values, or if the source cannot be read as numbers.
    WrongType
        If the source or `columns` has another type.
    """
    if missing not in ("refuse", "drop"):
        raise Refusal(f"missing must be 'refuse' or 'drop', not {echo(missing)}.")
    if isinstance(columns, str):
        raise WrongType(
            f"columns must be a list of names, not the word {echo(columns)}; write columns=[{echo(columns)}]."
        )
    names, source = None if columns is None else tuple(columns), as_table(source)
    if is_array(source) and not hasattr(source, "to_delayed"):
        source = as_table(in_memory(source))
        source = checks.as_array(source, "the source") if is_array(source) else source
    if isinstance(source, (str, os.PathLike)):
        yield from _of_files([Path(source)], names, missing)
    elif isinstance(source, (list, tuple)) and source and all(isinstance(each, (str, os.PathLike)) for each in source):
        yield from _of_files([Path(each) for each in source], names, missing)
    elif hasattr(source, "to_delayed"):
        dask: Any = source
        if getattr(dask, "ndim", 0) == 2 and hasattr(dask, "rechunk"):
            dask = dask.rechunk({1: -1})  # no chunk has a part of the columns only
        delayed = np.ravel(dask.to_delayed())
        yield from (partial(_computed, each, names, missing) for each in delayed)
    elif is_stream(source):
        yield from (partial(_rows, batch, names, missing) for batch in batches_of(source))
    elif isinstance(source, np.ndarray) or frames.columns_of(source) is not None:
        yield from (partial(_rows, part, names, missing) for part in _parts(in_memory(as_table(source))))
    elif isinstance(source, Iterable):
        for chunk in source:
            yield from (partial(_rows, part, names, missing) for part in _parts(chunk))
    else:
        raise WrongType(
            f"a sketch needs files, arrays, DataFrames or an iterable of these, not {echo(source)}; give one of them."
        )


def _parts(table):
    """Return a table in memory as slices of its rows."""
    if not hasattr(table, "__len__") or len(table) <= ROWS:
        return [table]
    taken = table.iloc if isinstance(table, pd.DataFrame) else table
    return [taken[start : start + ROWS] for start in range(0, len(table), ROWS)]


def _computed(delayed, names, missing):
    """Return the rows of a partition of dask's."""
    return _rows(delayed.compute(scheduler="synchronous"), names, missing)


def _rows(table, names, missing, called="the source"):
    """Return the rows (n, d) of a table's columns of numbers; those with a missing cell are dropped or refused."""
    if isinstance(table, np.ndarray):
        columns = {field: table[field] for field in table.dtype.names} if table.dtype.names else None
    else:
        columns = frames.columns_of(table)
    if columns is None:
        if names is not None:
            raise Refusal(f"columns are names, and {called} is an array, which has none; leave columns out.")
        X = checks.as_array(table, called)
        found, X = None, X.reshape(len(X), -1) if X.ndim < 2 else X
    else:
        columns = _read(table, columns)
        found = _chosen(columns, names, called)
        X = np.column_stack([np.asarray(columns[name], dtype=np.float64) for name in found])
    return _complete(found, X, missing, called)


def _read(table, columns):
    """Return the columns of a DataFrame; decimals and lengths of time become numbers, as in a file."""
    odd = [j for j, column in enumerate(columns.values()) if np.asarray(column).dtype.kind in "Om"]
    frame = frames.frame_of(table) if odd else None
    if frame is None or not len(frame):
        return columns
    kept = table_of_frame(frame[:, odd], "the source").columns
    return columns | {each.name: each.numbers for each in kept if each.numbers is not None and not each.dates}


def _complete(found, X, missing, called):
    """Return the rows without those that miss a cell, or refuse these."""
    if X.dtype.kind == "f" and np.isinf(X).any():
        j = int(np.isinf(X).any(axis=0).argmax())
        column = f"column {echo(found[j])}" if found else f"column {j}"
        raise Refusal(f"{column} of {called} has values that are infinite; mark them as missing, or leave it out.")
    gaps = np.isnan(X).any(axis=1) if X.dtype.kind == "f" else np.zeros(len(X), bool)
    if not gaps.any():
        return NumericRows(found, X)
    if missing == "refuse":
        count = int(gaps.sum())
        raise Refusal(f"rows with a missing cell in {called}: {count}; give missing='drop' to leave them out.")
    return NumericRows(found, X[~gaps], int(gaps.sum()))


def _chosen(columns, names, called):
    """Return these names, or those of all columns of numbers."""
    numbers = [name for name, column in columns.items() if np.asarray(column).dtype.kind in "fiub"]
    if names is None:
        names = tuple(numbers)
        if not names:
            raise Refusal(f"{called} has no column of numbers, and a sketch sums numbers; give such a column.")
    if lost := [name for name in names if name not in columns]:
        raise no_column_error(called, lost[0], columns)
    if words := [name for name in names if name not in numbers]:
        raise Refusal(
            f"column {echo(words[0])} of {called} has words, and a sketch sums numbers; leave this column out."
        )
    return names


# files and folders


def _of_files(paths, names, missing):
    """Yield a reader for each chunk of files and folders, in order of names; the first has the columns of all."""
    for path in (file for each in paths for file in files_of(each)):
        table = table_of(path)
        names = _of_numbers(table, names)
        if isinstance(table, ParquetTable):
            yield from (partial(_together, group, names, missing, table.name) for group in table.groups(names))
        else:
            yield from (partial(_numbers, chunk, names, missing, table.name) for chunk in table.chunks(names))


def _of_numbers(table, names):
    """Return these names, or those of all columns of numbers."""
    if names is None:
        names = table.numeric()
        if not names:
            raise Refusal(f"{table.name} has no column of numbers, and a sketch sums numbers; give such a column.")
    if lost := [name for name in names if name not in table.names]:
        raise no_column_error(table.name, lost[0], table.names)
    return names


def _numbers(chunk, names, missing, called):
    """Return the rows (n, d) of a chunk of a file."""
    return _numeric_rows(chunk(), names, missing, called)


def _together(group, names, missing, called):
    """Return the rows of a row group of a Parquet file."""
    found = [_numeric_rows(chunk, names, missing, called) for chunk in group()]
    X = np.concatenate([each.X for each in found]) if found else np.zeros((0, len(names)))
    return NumericRows(names, X, sum(each.dropped for each in found))


def _numeric_rows(chunk, names, missing, called):
    """Return the rows of columns of numbers; raise Refusal if one contains words or changes its notation."""
    for name in names:
        cells = chunk.columns[name].cells
        if isinstance(cells, EncodedColumn) and (words := [cell for cell in cells.cells if cell]):
            raise Refusal(
                f"column {echo(name)} of {called} has words, such as {echo(words[0])}, and a sketch sums numbers; leave"
                " this column out."
            )
    if chunk.changed:
        raise Refusal(
            f"the number format of {called} changes below its first rows, which have been read in the first format;"
            " write each column in one format, or save it with decimal points and without units."
        )
    columns = [_numbers_or_nan(chunk.columns[name], chunk.rows) for name in names]
    return _complete(names, np.column_stack(columns), missing, called)


def _numbers_or_nan(column, rows):
    """Return the numbers of a column, NaN if the chunk has none."""
    return np.full(rows, np.nan) if isinstance(column.cells, EncodedColumn) else column.cells
