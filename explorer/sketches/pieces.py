"""What a sketch is made of, piece by piece: files, folders of them, arrays, DataFrames, dask's, and what yields these.

A piece is a function without arguments that reads its rows where it is called, so that an executor's processes read
files themselves and nobody holds more than a few pieces.
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
from explorer.printing import listed, shown
from explorer.types import Missing, Points


class Rows(NamedTuple):
    """What a piece gives: the names of its columns, None where it has none, rows (n, d), and how many were dropped."""

    names: tuple[str, ...] | None
    X: Points
    dropped: int = 0


Piece = Callable[[], Rows]
CSV = {".csv": ",", ".tsv": "\t", ".txt": ","}  # the separator where a first line shows none
PARQUET = (".parquet", ".pq")
ROWS = 65_536  # of a piece of a file or an array
SEPARATORS = ",;\t|"


def pieces_of(source: Any, columns: Sequence[str] | None, missing: Missing) -> Iterator[Piece]:
    """The pieces of a source; see `Sketch.of`."""
    if missing not in ("refuse", "drop"):
        raise Refusal(f"missing must be 'refuse' or 'drop', not {shown(missing)}.")
    if isinstance(columns, str):
        raise WrongType(
            f"columns must be a list of names, not the word {shown(columns)}; write columns=[{shown(columns)}]."
        )
    names = None if columns is None else tuple(columns)
    if isinstance(source, (str, os.PathLike)):
        yield from _of_files([Path(source)], names, missing)
    elif isinstance(source, (list, tuple)) and source and all(isinstance(each, (str, os.PathLike)) for each in source):
        yield from _of_files([Path(each) for each in source], names, missing)
    elif hasattr(source, "to_delayed"):
        dask: Any = source
        delayed = np.ravel(dask.to_delayed())
        yield from (partial(_computed, each, names, missing) for each in delayed)
    elif isinstance(source, np.ndarray) or frames.columns_of(source) is not None:
        yield from (partial(_rows, part, names, missing) for part in _parts(source))
    elif isinstance(source, Iterable):
        for piece in source:
            yield from (partial(_rows, part, names, missing) for part in _parts(piece))
    else:
        raise WrongType(
            f"a sketch is made of files, arrays, DataFrames or what yields these, not {shown(source)}; give such."
        )


def _parts(table):
    """A table in memory, in slices of its rows."""
    if not hasattr(table, "__len__") or len(table) <= ROWS:
        return [table]
    taken = table.iloc if isinstance(table, pd.DataFrame) else table
    return [taken[start : start + ROWS] for start in range(0, len(table), ROWS)]


def _computed(delayed, names, missing):
    """The rows of a partition of dask's."""
    return _rows(delayed.compute(scheduler="synchronous"), names, missing)


def _rows(table, names, missing, called="the source"):
    """The rows (n, d) of a table's columns of numbers, those with a missing cell dropped or refused."""
    columns = None if isinstance(table, np.ndarray) and table.dtype.names is None else frames.columns_of(table)
    if columns is None:
        if names is not None:
            raise Refusal(f"columns are names, and {called} is an array, which has none; leave columns out.")
        X = np.asarray(table)
        if X.dtype.kind not in "fiub":
            X = checks.as_array(table, "the source")
        found, X = None, X.reshape(len(X), -1) if X.ndim < 2 else X
    else:
        found = _chosen(columns, names, called)
        X = np.column_stack([np.asarray(columns[name], dtype=np.float64) for name in found])
    if X.dtype.kind == "f" and np.isinf(X).any():
        j = int(np.isinf(X).any(axis=0).argmax())
        column = f"column {shown(found[j])}" if found else f"column {j}"
        raise Refusal(f"{column} of {called} has values that are infinite; mark them as missing, or leave it out.")
    gaps = np.isnan(X).any(axis=1) if X.dtype.kind == "f" else np.zeros(len(X), bool)
    if not gaps.any():
        return Rows(found, X)
    if missing == "refuse":
        count = int(gaps.sum())
        raise Refusal(f"rows with a missing cell in {called}: {count}; give missing='drop' to leave them out.")
    return Rows(found, X[~gaps], int(gaps.sum()))


def _chosen(columns, names, called):
    """These names, or those of all columns of numbers."""
    numbers = [name for name, column in columns.items() if np.asarray(column).dtype.kind in "fiub"]
    if names is None:
        names = tuple(numbers)
        if not names:
            raise Refusal(f"{called} has no column of numbers, and those alone are read in pieces.")
    if lost := [name for name in names if name not in columns]:
        raise Refusal(f"{called} has no column {shown(lost[0])}; it has {listed(map(shown, columns))}.")
    if words := [name for name in names if name not in numbers]:
        raise Refusal(
            f"column {shown(words[0])} of {called} holds words, and numbers alone are read in pieces; leave it out."
        )
    return names


# files


def numbers_of(source: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of a file's columns of numbers, or of a folder's first file, and those of the others."""
    path = _files(Path(source))[0]
    columns = _columns(path)
    numbers = _numeric(path, columns)
    return numbers, tuple(name for name in columns if name not in numbers)


def _of_files(paths, names, missing):
    """The pieces of files and of folders of them, in the order of their names; the first has the columns of all."""
    for path in (file for each in paths for file in _files(each)):
        columns = _columns(path)
        if names is None:
            names = _numeric(path, columns)
        elif lost := [name for name in names if name not in columns]:
            raise Refusal(f"{path.name} has no column {shown(lost[0])}; it has {listed(map(shown, columns))}.")
        yield from _pieces(path, names, missing)


def _files(path):
    """A file, or those of a folder that hold tables."""
    if path.is_dir():
        found = sorted(each for each in path.rglob("*") if each.suffix.lower() in (*CSV, *PARQUET) and each.is_file())
        if not found:
            raise Refusal(f"the folder {path.name} has no CSV, TSV or Parquet file.")
        return found
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {str(path)[:100]!r}; give the path of a CSV, TSV or Parquet file.")
    if path.suffix.lower() not in (*CSV, *PARQUET):
        raise Refusal(f"{path.name} is no CSV, TSV or Parquet file by its name, and those are read piece by piece.")
    return [path]


def _columns(path):
    """The names of a file's columns."""
    if path.suffix.lower() in PARQUET:
        return tuple(_parquet(path).schema_arrow.names)
    return tuple(map(str, _head(path).columns))


def _numeric(path, columns):
    """The columns of a file that hold numbers: by a Parquet file's schema, by a CSV file's first rows."""
    if path.suffix.lower() in PARQUET:
        import pyarrow as pa

        kinds = _parquet(path).schema_arrow.types
        numbers = [
            each
            for each, kind in zip(columns, kinds, strict=True)
            if pa.types.is_integer(kind) or pa.types.is_floating(kind)
        ]
    else:
        head = _head(path)
        numbers = [str(name) for name in head.columns if pd.api.types.is_numeric_dtype(head[name])]
    if not numbers:
        raise Refusal(f"{path.name} has no column of numbers, and those alone are read in pieces.")
    return tuple(numbers)


def _pieces(path, names, missing):
    """The pieces of a file: some row groups of a Parquet file, which an executor may read, rows of a CSV file."""
    if path.suffix.lower() in PARQUET:
        groups = _parquet(path).num_row_groups
        yield from (partial(_group, path, i, names, missing) for i in range(groups))
        return
    how: Any = {"sep": _separator(path), "encoding": "utf-8-sig", "usecols": list(names)}
    with _reading(path):
        chunks: Any = pd.read_csv(path, chunksize=ROWS, **how)
    with chunks:
        while True:
            with _reading(path):
                chunk = next(chunks, None)
            if chunk is None:
                return
            yield partial(_rows, chunk[list(names)], names, missing, path.name)


def _group(path, i, names, missing):
    """The rows of a row group, piece by piece where it is large."""
    with _reading(path):
        batches = _parquet(path).iter_batches(ROWS, [i], columns=list(names))
        found = [_rows(batch.to_pandas(), names, missing, path.name) for batch in batches]
    X = np.concatenate([each.X for each in found]) if found else np.zeros((0, len(names)))
    return Rows(names, X, sum(each.dropped for each in found))


def _parquet(path):
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise Refusal(f"{path.name} is a Parquet file, and reading it needs pyarrow: pip install pyarrow.") from error
    with _reading(path):
        return pq.ParquetFile(path)


def _head(path):
    """A CSV file's first rows."""
    with _reading(path):
        return pd.read_csv(path, nrows=1000, sep=_separator(path), encoding="utf-8-sig")


def _separator(path):
    """What parts the cells of a CSV file: that which its first line has most of."""
    with path.open("r", encoding="utf-8-sig", errors="replace") as file:
        first = file.readline(100_000)
    most = max(SEPARATORS, key=first.count)
    return most if first.count(most) else CSV[path.suffix.lower()]


class _reading:
    """What goes wrong while a file is read, in a sentence."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Refusal) or error is None or not isinstance(error, (ValueError, OSError, UnicodeError)):
            return
        raise Refusal(f"{self.path.name} cannot be read: {str(error).splitlines()[0][:200]}") from error
