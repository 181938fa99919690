"""What people give to be compared, as tables: paths, DataFrames, arrays, dicts, data sets, alone or as batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.datasets.addresses import Part
from explorer.datasets.columns import Table
from explorer.datasets.dataset import DataSet
from explorer.datasets.joint_tables import Tables
from explorer.datasets.tables import at, parse

ROWS = (int, float, np.generic, list, tuple)  # of an array that is written as a list


def batches_of(b: Any) -> Sequence[Any]:
    """One batch, or those of a list; a list of numbers, or of rows of them, is one."""
    if b is None:
        return ()
    if isinstance(b, Tables) or (isinstance(b, (list, tuple)) and b and not isinstance(b[0], ROWS)):
        return b
    return (b,)


def in_part(a: Any, b: Any, part: Part) -> tuple[Any, Any]:
    """Return a and b with the addresses of a part of each file, if one is asked for."""
    if part is None:
        return a, b
    others = [at(each, part) for each in batches_of(b)]
    return at(a, part), others if batches_of(b) is b else next(iter(others), None)


def table_of(source: Any, name: str) -> Table:
    """A path, a DataFrame, an array or a data set of `read_tables` as a Table; `name` is for what has none."""
    if isinstance(source, Table):
        return source
    if isinstance(source, (str, Path)):
        return parse(source, lenient=True)
    if isinstance(source, DataSet):
        return parse(_frame_of_set(source), name, lenient=True)
    if isinstance(source, (np.ndarray, list, tuple)):
        return parse(_frame_of_array(_array(source, name), name), name, lenient=True)
    if isinstance(source, Mapping):
        return parse(_frame_of_columns(source, name), name, lenient=True)
    if hasattr(source, "to_frame"):  # one column of a DataFrame
        source = source.to_frame()
    return parse(source, name, lenient=True)


def _array(rows, name):
    try:
        return np.asarray(rows)
    except ValueError as error:
        raise Refusal(f"{name} must be a table, (n,) or (n, d), and its rows have different lengths.") from error


def _frame_of_array(array, name):
    import pandas

    if array.dtype.names:
        return pandas.DataFrame(array)
    if array.ndim not in (1, 2):
        raise Refusal(f"{name} must be a table, (n,) or (n, d), not an array of shape {array.shape}.")
    if array.dtype.kind not in "biufOUSM":
        raise WrongType(f"{name} must hold numbers or words, not {array.dtype}.")
    array = array[:, None] if array.ndim == 1 else array
    return pandas.DataFrame(array, columns=[f"x{j}" for j in range(1, array.shape[1] + 1)]).infer_objects()


def _frame_of_columns(columns, name):
    import pandas

    try:
        return pandas.DataFrame(dict(columns))
    except ValueError as error:
        raise Refusal(f"{name} must hold columns of one length by their names; {error}.") from error


def _frame_of_set(data):
    """A data set in its file's own units, categories as words."""
    import pandas

    columns = {
        each.name: np.array(each.levels, dtype=object)[x.astype(int)] if each.levels else each.own(x)
        for each, x in zip(data.quantities, data.X.T, strict=True)
    }
    return pandas.DataFrame(columns)
