"""Sources of tables to compare: paths, DataFrames, arrays, dicts and data sets, alone or as batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.datasets.columns.table import Table, parse_number_strict, parse_numbers
from explorer.datasets.common_space import Tables
from explorer.datasets.dataset import DataSet
from explorer.datasets.files import pipes
from explorer.datasets.files.addresses import Part
from explorer.datasets.files.queries import is_connection
from explorer.datasets.read_table import parse, part_address
from explorer.tables.lazy_tables import are_records, in_memory
from explorer.tables.other_arrays import is_array

ROWS = (int, float, np.generic, list, tuple)  # types of the rows of an array that is written as a list


def batches_of(b: Any) -> Sequence[Any]:
    """Return one batch in a sequence, or those of a list; a list of numbers, or of rows of them, is one batch.

    Parameters
    ----------
    b : object
        A table, a list of tables, or None.

    Returns
    -------
    sequence
        The tables.
    """
    if b is None:
        return ()
    several = isinstance(b, (list, tuple)) and b and not are_records(b)
    if isinstance(b, Tables) or (several and (are_records(b[0]) or not isinstance(b[0], ROWS))):
        return b
    return (b,)


def in_part(a: Any, b: Any, part: Part) -> tuple[Any, Any]:
    """Return a and b with the addresses of a part of each file, if one is requested."""
    if part is None:
        return a, b
    others = [part_address(each, part) for each in batches_of(b)]
    return part_address(a, part), others if batches_of(b) is b else next(iter(others), None)


@contextmanager
def keep_pipes(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    """Yield a and b with pipes stored in files until the block ends, so that they can be read again."""
    batches = batches_of(b)
    given = [a, *batches]
    if not any(map(pipes.is_pipe, given)):
        yield a, b
        return
    with pipes.copy_pipes(given) as (first, *others):
        yield first, others if batches is b else next(iter(others), None)


def apply_queries(a: Any, b: Any, query: str | Sequence[str] | None) -> tuple[Any, Any]:
    """Return a and b with each connection replaced by the table that a query gives there, or that its own query gives.

    With several queries, a single connection becomes a and b.

    Raises
    ------
    WrongType
        If there are queries and no connection.
    Refusal
        If there are neither one query nor one for each connection.
    """
    if query is None:
        return a, b
    given, queries = [a, *batches_of(b)], [query] if isinstance(query, str) else list(query)
    if len(given) == 1 and len(queries) > 1:
        given = given * len(queries)
    places = [k for k, each in enumerate(given) if is_connection(each)]
    if not places:
        raise WrongType("query= is for connections to databases, and neither a nor b is one; leave query out.")
    queries = queries * len(places) if isinstance(query, str) else queries
    if len(queries) != len(places):
        raise Refusal(
            f"query has {len(queries)} queries for {len(places)} connections; give one for each, or one alone."
        )
    names = letters(len(given))
    for k, each in zip(places, queries, strict=True):
        given[k] = parse(given[k], names[k], lenient=True, query=each)
    first, *others = given
    return first, others if len(others) > 1 or batches_of(b) is b else next(iter(others), None)


def letters(count: int) -> list[str]:
    """Return the names of samples that have none: a, b, or a, batch 1, batch 2 and so on."""
    return ["a", "b"] if count < 3 else ["a", *(f"batch {k}" for k in range(1, count))]


def table_of(source: Any, name: str) -> Table:
    """Return a path, a DataFrame, an array or a data set as a Table; `name` is its name if it has none.

    Parameters
    ----------
    source : object
        The table.
    name : str
        Name of a table without one.

    Returns
    -------
    Table
        The table, read leniently.
    """
    if isinstance(source, Table):
        return source
    if isinstance(source, (str, Path)):
        return parse(source, lenient=True)
    if isinstance(source, DataSet):
        return parse(_frame_of_set(source), name, lenient=True)
    if is_array(source) or callable(getattr(source, "toarray", None)):
        source = in_memory(source)
        source = source if hasattr(source, "columns") else checks.as_array(source, name)
    if isinstance(source, (np.ndarray, list, tuple)) and not are_records(source):
        return parse(_frame_of_array(_array(source, name), name), name, lenient=True)
    return parse(source, name, lenient=True)


def _array(rows, name):
    """Return rows as an array, masked cells as missing ones; raise Refusal if they have different lengths."""
    if np.ma.is_masked(rows):
        numeric = rows.dtype.kind in "fiu"
        return rows.astype(float).filled(np.nan) if numeric else rows.astype(object).filled(None)
    try:
        return np.asarray(rows)
    except ValueError as error:
        raise Refusal(f"{name} must be a table, (n,) or (n, d), and its rows have different lengths.") from error


def _frame_of_array(array, name):
    """Return an array as a DataFrame; raise Refusal or WrongType if it is not a table of numbers or words."""
    import pandas

    if array.dtype.names:
        return pandas.DataFrame(array)
    if array.ndim not in (1, 2):
        raise Refusal(f"{name} must be a table, (n,) or (n, d), not an array of shape {array.shape}.")
    if array.dtype.kind not in "biufOUSM":
        raise WrongType(f"{name} must hold numbers or words, not {array.dtype}.")
    array = array[:, None] if array.ndim == 1 else array
    if _begins_with_names(array):
        return pandas.DataFrame(array[1:], columns=array[0]).infer_objects()
    return pandas.DataFrame(array, columns=[f"x{j}" for j in range(1, array.shape[1] + 1)]).infer_objects()


def _begins_with_names(array):
    """Return whether the first row (d,) of rows of words and numbers names the columns, as `csv.reader` gives it."""
    if array.dtype.kind not in "OU" or len(array) < 2:
        return False
    first = array[0].tolist()
    if len(set(first)) < len(first) or any(
        not isinstance(each, str) or parse_number_strict(each) is not None for each in first
    ):
        return False
    return any(parse_numbers(list(map(str, column[1:]))) is not None for column in array.T)


def _frame_of_set(data):
    """Return a data set as a DataFrame in its file's own units, with categories as words."""
    import pandas

    columns = {
        each.name: np.array(each.levels, dtype=object)[x.astype(int)] if each.levels else each.to_file_units(x)
        for each, x in zip(data.quantities, data.X.T, strict=True)
    }
    return pandas.DataFrame(columns)
