"""Tables that are not yet DataFrames: lazy frames, streams of batches, queries, records and columns by name."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from numbers import Number
from os import PathLike
from typing import Any

import numpy as np

from .other_arrays import as_numpy, is_array, is_lazy

# types that are arrays, files or single values already
ELSEWHERE = (np.ndarray, np.generic, str, bytes, PathLike, Number)
# streams can be read only once, and what dask computes may take long: id -> (reference to the stream, its contents)
_READ: dict[int, tuple[weakref.ref[Any], Any]] = {}


def in_memory(table: Any) -> Any:
    """Return a table as a DataFrame and an array as one of NumPy; others, such as DataFrames, are returned unchanged.

    Lazy frames of polars, relations of duckdb and the like are computed. A RecordBatchReader of pyarrow, or any other
    object with `__arrow_c_stream__`, is read once, also if it is used several times, and so is what dask computes.
    Records (a list of dicts of single values, named tuples, dataclasses or rows of sqlite3) and a dict of columns of
    shape (n,) become a pandas DataFrame. An array that its library does not convert is returned unchanged.

    Parameters
    ----------
    table : object
        The table.

    Returns
    -------
    object
        The DataFrame, pyarrow Table or array, or `table` itself.

    Examples
    --------
    >>> from explorer.tables.lazy_tables import in_memory
    >>> in_memory([{"x": 1.0, "kind": "a"}, {"x": 2.0}]).shape
    (2, 2)
    """
    if table is None or isinstance(table, ELSEWHERE):
        return table
    if isinstance(table, (list, tuple)):
        return _of_records(table) if are_records(table) else table
    if isinstance(table, Mapping):
        return _frame(dict(table)) if _are_columns(table) else table
    library = type(table).__module__.partition(".")[0]
    if library == "pandas":
        return table
    if library == "polars":
        return table.collect() if hasattr(table, "collect") else table
    known = _READ.get(id(table))
    if known is not None and known[0]() is table:
        return known[1]
    return _computed(table, library)


def is_stream(table: Any) -> bool:
    """Return whether a table yields its rows in batches, as a RecordBatchReader or a relation of duckdb does.

    Parameters
    ----------
    table : object
        The table.

    Returns
    -------
    bool
        Whether it is a stream.
    """
    return hasattr(table, "read_next_batch") or (_is_relation(table) and hasattr(table, "__arrow_c_stream__"))


def batches_of(stream: Any) -> Any:
    """Return an iterator over the batches of a stream.

    Parameters
    ----------
    stream : object
        A RecordBatchReader or a relation of duckdb.

    Returns
    -------
    iterator of pyarrow.RecordBatch
        The batches.
    """
    if hasattr(stream, "read_next_batch"):
        return iter(stream)
    import pyarrow

    return iter(pyarrow.RecordBatchReader.from_stream(stream))


def are_records(table: Any) -> bool:
    """Return whether a list holds records, such as dicts, the first of which has a single value.

    Parameters
    ----------
    table : object
        The value to examine.

    Returns
    -------
    bool
        Whether it is a list of records.
    """
    if not isinstance(table, (list, tuple)) or not table or hasattr(table, "_fields"):
        return False
    first = table[0]
    if isinstance(first, Mapping):
        return any(not _has_rows(value) for value in first.values()) and all(isinstance(r, Mapping) for r in table)
    if _is_row(first):
        return True
    names = getattr(first, "_fields", None) or (fields(first) if is_dataclass(first) else ())
    values = [getattr(first, str(getattr(name, "name", name)), None) for name in names]
    return bool(names) and not any(map(_has_rows, values)) and len(set(map(type, table))) == 1


def _is_row(record):
    """Return whether a record is a row of sqlite3."""
    return type(record).__module__ == "sqlite3" and hasattr(record, "keys")


def _of_records(table):
    """Return records as a pandas DataFrame."""
    # pandas accepts all other kinds of records
    return _frame([dict(row) for row in table] if _is_row(table[0]) else table)


def _has_rows(value):
    """Return whether a value is a column rather than a single value."""
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping))


def _are_columns(table):
    """Return whether a dict holds columns (n,) of equal length."""
    if hasattr(table, "toarray") or not table or not all(map(_has_rows, table.values())):
        return False
    values = list(table.values())
    return len(set(map(len, values))) == 1 and all(getattr(value, "ndim", 1) == 1 for value in values)


def _frame(values):
    """Return a pandas DataFrame of records or columns."""
    import pandas

    return pandas.DataFrame(values)


def _is_relation(table):
    """Return whether a table is a relation of duckdb."""
    return "duckdb" in type(table).__module__ and hasattr(table, "columns")


def _computed(table, library):
    """Return the contents of a lazy frame of another library, or of a stream."""
    if hasattr(table, "to_delayed") and hasattr(table, "columns"):  # a DataFrame of dask
        return _keep(table, table.compute())
    if is_array(table):
        if not is_lazy(table):
            return as_numpy(table)
        # what cannot be stored stays lazy until numpy needs its numbers, or it would be computed at each call
        return _keep(table, as_numpy(table)) if type(table).__weakrefoffset__ else table
    if library == "pyarrow":
        return _of_arrow(table)
    if hasattr(table, "columns") and (hasattr(table, "collect") or hasattr(table, "execute")):
        import narwhals  # imported on first use: arrays and lists do not need it

        frame = narwhals.from_native(table, pass_through=True)
        if isinstance(frame, narwhals.LazyFrame):
            return frame.collect().to_native()
    if hasattr(table, "__arrow_c_stream__") and not hasattr(table, "dtype") and not hasattr(table, "iloc"):
        return _of_stream(table)
    return table


def _of_arrow(table):
    """Return a batch, or the batches of a reader, as a pyarrow Table."""
    if hasattr(table, "read_next_batch"):
        return _of_stream(table)
    if hasattr(table, "to_table"):  # a data set of several files, or a scanner of one file
        return table.to_table()
    if hasattr(table, "to_struct_array") and not hasattr(table, "to_batches"):
        import pyarrow

        return pyarrow.Table.from_batches([table])
    return table


def _of_stream(table):
    """Return the contents of a stream as a pyarrow Table, or the stream itself if pyarrow is not installed."""
    try:
        import pyarrow
    except ImportError:
        return table
    return _keep(table, table.read_all() if hasattr(table, "read_next_batch") else pyarrow.table(table))


def _keep(table, read):
    """Store and return what was read of a table, as long as the table itself exists."""
    key = id(table)
    try:
        _READ[key] = weakref.ref(table, lambda _: _READ.pop(key, None)), read
    except TypeError:  # what has no weak references is not stored
        pass
    return read
