"""DataFrames of pandas, polars, pyarrow and other libraries, as columns by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from numbers import Integral, Number
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .checks import Refusal, echo, join_list
from .tables.lazy_tables import in_memory, is_stream

if TYPE_CHECKING:
    import narwhals


def columns_of(table: Any) -> dict[str, Any] | None:
    """Return the columns of a DataFrame, of records or of a mapping by name, or None for any other value.

    Parameters
    ----------
    table : object
        The table.

    Returns
    -------
    dict of str to array_like or None
        Name -> column of shape (n,). Names are text, also if a DataFrame numbers its columns.

    Raises
    ------
    Refusal
        If two columns have the same name.
    """
    if isinstance(table, Mapping):
        named = [(str(name), column) for name, column in table.items()]
    else:
        frame = frame_of(table)
        if frame is None:
            return None
        named = [(str(name), frame[:, j].to_numpy()) for j, name in enumerate(frame.columns)]
    columns = dict(named)
    if len(columns) < len(named):
        raise _alike(name for name, _ in named)
    return columns


def names_of(table: Any) -> tuple[str, ...] | None:
    """Return the column names of a DataFrame or the field names of a structured array, or None if it has none.

    Columns that are only numbered, as pandas does by default, have no names.

    Parameters
    ----------
    table : object
        The table.

    Returns
    -------
    tuple of str or None
        The names; None also for values that are not tables.

    Raises
    ------
    Refusal
        If two columns have the same name.
    """
    if fields := _fields(table):
        return fields
    table = in_memory(table)
    frame = frame_of(table)
    if frame is None or all(isinstance(name, Integral) for name in table.columns):
        return None
    names = tuple(map(str, frame.columns))
    if len(set(names)) < len(names):
        raise _alike(names)
    return names


def in_order(table: Any, names: tuple[str, ...] | None, called: tuple[str, str]) -> Any:
    """Return a DataFrame with its columns in the order of `names`; unchanged if either has no names.

    Parameters
    ----------
    table : object
        The table.
    names : tuple of str or None
        The names in order.
    called : (str, str)
        Names the table, and the one that `names` belong to, in messages.

    Returns
    -------
    object
        The table with reordered columns.

    Raises
    ------
    Refusal
        If the table has different columns.
    """
    table = in_memory(table)
    own = None if names is None else names_of(table)
    if names is None or own is None or own == names:
        return table
    missing, further = ([name for name in some if name not in others] for some, others in ((names, own), (own, names)))
    if missing or further:
        parts = [("lacks", missing), ("has", further)]
        found = " and ".join(f"{verb} {join_list(map(echo, some))}" for verb, some in parts if some)
        raise Refusal(
            f"{called[0]} {found}, and columns are compared by name: give {called[0]} the columns of {called[1]},"
            f" {join_list(map(echo, names))}."
        )
    if _fields(table):
        return table[list(names)]
    frame: Any = frame_of(table)  # never None here, because the table has names
    return frame[:, [own.index(name) for name in names]].to_native()


def together(samples: Sequence[Any], called: Sequence[str]) -> list[Any]:
    """Match the columns of samples by name: reorder those of every DataFrame to the first one's.

    Parameters
    ----------
    samples : sequence
        The samples.
    called : sequence of str
        Names the samples in messages.

    Returns
    -------
    list
        The samples.

    Raises
    ------
    Refusal
        If two DataFrames have different columns, or two arrays of xarray have their dimensions in different orders.
    """
    _refuse_swapped(samples, called)
    samples = list(map(in_memory, samples))
    named = [(names, name) for sample, name in zip(samples, called, strict=True) if (names := names_of(sample))]
    if not named:
        return list(samples)
    first, owner = named[0]
    return [in_order(sample, first, (name, owner)) for sample, name in zip(samples, called, strict=True)]


def _refuse_swapped(samples, called):
    """Refuse arrays of xarray whose dimensions have the same names in different orders: the first counts rows."""
    first, owner = None, ""
    for sample, name in zip(samples, called, strict=True):
        dims = getattr(sample, "dims", None)
        if not isinstance(dims, tuple) or len(dims) != 2 or not hasattr(sample, "transpose"):
            continue
        if first is None:
            first, owner = dims, name
        elif dims == first[::-1] != first:
            order = ", ".join(map(repr, first))
            raise Refusal(
                f"{name} has the dimensions {join_list(map(str, dims))} and {owner} {join_list(map(str, first))}, and"
                f" rows come first; give {name}.transpose({order})."
            )


class Mixed(NamedTuple):
    """Samples with columns of several kinds, as points; categories are codes.

    Attributes
    ----------
    samples : tuple of ndarray of shape (n, d)
        The points of each sample.
    kernel : Kernel
        The kernel of such points.
    names : tuple of str
        The names of the columns.
    quantities : tuple, default ()
        For each column, the meaning of its numbers in its own units, or its levels.

    Examples
    --------
    >>> import pandas
    >>> from explorer import Gaussian
    >>> from explorer.datasets import mixed
    >>> from explorer.frames import Mixed
    >>> first = pandas.DataFrame({"x": [0.0, 1.0, 2.0], "kind": ["a", "b", "a"]})
    >>> second = pandas.DataFrame({"x": [5.0, 6.0, 7.0], "kind": ["a", "a", "b"]})
    >>> both: Mixed = mixed([first, second], ["first", "second"], Gaussian())
    >>> both.names, both.samples[1].round(2).tolist()
    (('x', 'kind'), [[5.0, 0.0], [6.0, 0.0], [7.0, 1.0]])
    """

    samples: tuple[np.ndarray, ...]
    kernel: Any
    names: tuple[str, ...]
    quantities: tuple[Any, ...] = ()


# Functions that packages above the mathematics define, as "module:name", so that the mathematics does not import them.
# The package `explorer` sets the names: "mixed" reads samples with columns of several kinds, "in_time" sorts rows by
# dates. Both have the arguments of the functions below that call them.
DEFINED_ABOVE: dict[str, str] = {}


def mixed(samples: Sequence[Any], called: Sequence[str], numeric: Any, dated: bool = False) -> Mixed | None:
    """Return the Mixed of DataFrames, or None if all their columns are numeric.

    If `dated` is true, numeric DataFrames are read too, because a column of dates was removed. Return None also if a
    sample is not a DataFrame.
    """
    found = [frame for sample in samples if (frame := frame_of(sample)) is not None]
    if len(found) < len(samples):
        return None
    if not dated and all(_is_numeric(column) for frame in found for column in frame.iter_columns()):
        return None
    return resolve_name(DEFINED_ABOVE["mixed"])(samples, called, numeric)


class InTime(NamedTuple):
    """Rows in order of time.

    Attributes
    ----------
    table : object
        The rows that have a time, in its order, without the column of times.
    rows : ndarray of shape (n,)
        The position of each row in the original table, from 0.
    clock : ndarray of shape (n,)
        The times in days since 1970, as they are written, or numbers.
    dates : bool
        Whether the times are dates.
    name : str
        The name of the column of times.
    missing : int
        The number of rows without a time, which are left out.
    written : ndarray of shape (n,)
        The times as text.
    column : bool, default False
        Whether the times were a column of the table.

    Examples
    --------
    >>> import pandas
    >>> from explorer.frames import InTime, in_time
    >>> frame = pandas.DataFrame({"x": [2.0, 1.0]}, index=pandas.to_datetime(["2026-05-02", "2026-05-01"]))
    >>> found: InTime = in_time(frame, None, "X")
    >>> found.rows.tolist(), found.written.tolist()
    ([1, 0], ['2026-05-01', '2026-05-02'])
    """

    table: Any
    rows: np.ndarray
    clock: np.ndarray
    dates: bool
    name: str
    missing: int
    written: np.ndarray
    column: bool = False

    @property
    def moved(self) -> bool:
        """True if the order of the rows differs from that of the original table."""
        return bool(np.any(np.diff(self.rows) < 0))


TIMES = ("DatetimeIndex", "PeriodIndex", "TimedeltaIndex")  # pandas' indexes of times


def in_time(table: Any, time: Any, name: str) -> InTime | None:
    """Return the rows of a table in order of time, or None if it has no times and `time` is None.

    Arrays and lists have times only if `time` gives them.

    Parameters
    ----------
    table : object
        The rows.
    time : str, array_like or None
        The column of times, or the times themselves.
    name : str
        The table's name in messages.

    Returns
    -------
    InTime or None
        The sorted rows.

    Raises
    ------
    Refusal
        If several columns of dates could order the rows, and `time` names none of them.
    """
    if time is None and (isinstance(table, (np.ndarray, list, tuple)) or not hasattr(table, "columns")):
        if not has_times(table):
            return None
    return resolve_name(DEFINED_ABOVE["in_time"])(table, time, name)


def has_times(table: Any) -> bool:
    """Return whether a pandas Series or DataFrame has an index of times: dates, periods or durations."""
    return type(getattr(table, "index", None)).__name__ in TIMES


def in_time_of_index(table: Any, name: str) -> InTime | None:
    """Return the rows of a Series or DataFrame in the order of its index of times, or None if it has no such index."""
    return in_time(table, None, name) if has_times(table) else None


def mapped(columns: Mapping[Any, Any], called: str) -> Any:
    """Return a dict of columns as a pandas DataFrame.

    Parameters
    ----------
    columns : mapping of object to array_like
        The columns by name.
    called : str
        Names the dict in messages.

    Returns
    -------
    DataFrame
        The columns as a table.

    Raises
    ------
    Refusal
        If there are no columns, or their lengths differ.
    """
    frame = in_memory(columns)
    if not isinstance(frame, Mapping):
        return frame
    if not columns:
        raise Refusal(f"{called} is a dict without columns; give at least one, name -> values.")
    lengths = {str(name): len(each) if hasattr(each, "__len__") else 0 for name, each in columns.items()}
    single = [name for name, each in columns.items() if not hasattr(each, "__len__") or isinstance(each, (str, bytes))]
    if single:
        raise Refusal(
            f"{called} is a dict whose {echo(str(single[0]))} is one value, and a column has one for each row; give"
            " lists, or a list of one dict for each row."
        )
    each = join_list([f"{echo(name)} has {count}" for name, count in lengths.items()], 200)
    why = f"of different lengths: {each}" if len(set(lengths.values())) > 1 else "that are not of one value a row"
    raise Refusal(f"{called} is a dict with columns {why}; give every column one value for each row.")


def _fields(table):
    """Return the field names of a structured array, or None for any other value."""
    return table.dtype.names if isinstance(table, np.ndarray) else None


def _is_numeric(column):
    """Return whether a column holds only numbers and gaps."""
    import narwhals

    if column.dtype != narwhals.Object:
        return column.dtype.is_numeric()
    values = column.drop_nulls().to_list()
    return all(isinstance(value, Number) and not isinstance(value, (bool, np.bool_)) for value in values)


def without_gaps(samples: Sequence[Any], called: Sequence[str]) -> str:
    """Return the advice how to leave out the rows of DataFrames that have a missing cell."""
    for sample, name in zip(samples, called, strict=True):
        frame = frame_of(sample)
        if frame is not None and any(column.null_count() for column in frame.iter_columns()):
            for method in ("dropna", "drop_nulls", "drop_null"):  # the methods of pandas, polars and pyarrow
                if hasattr(sample, method):
                    return f"leave those rows out, as by {name}.{method}()"
    return "leave those rows out"


def as_table(given: Any) -> Any:
    """Return a named column, such as a Series, as a DataFrame with one column, and any other value unchanged.

    Parameters
    ----------
    given : object
        The column or table.

    Returns
    -------
    object
        The table.

    Examples
    --------
    >>> import pandas
    >>> from explorer.frames import as_table
    >>> as_table(pandas.Series([1.0, 2.0], name="height")).columns.tolist()
    ['height']
    """
    return given.to_frame() if hasattr(given, "to_frame") and not hasattr(given, "columns") else given


def frame_of(table: Any) -> narwhals.DataFrame[Any] | None:
    """Return a table as a narwhals DataFrame, or None if it is not a table.

    Tables that `lazy_tables.in_memory` converts are accepted too.

    Parameters
    ----------
    table : object
        The table.

    Returns
    -------
    narwhals.DataFrame or None
        The table.

    Raises
    ------
    Refusal
        If columns by name differ in length or names, or a stream of batches needs pyarrow, which is not installed.
    """
    table = in_memory(table)
    if table is None or isinstance(table, (np.ndarray, list, tuple, str, bytes)):
        return None
    if is_stream(table):
        raise Refusal(
            f"a {type(table).__name__} gives batches of pyarrow, and reading them needs it: pip install pyarrow, or"
            " give a DataFrame."
        )
    import narwhals  # imported on first use: arrays and lists do not need it
    from narwhals.exceptions import DuplicateError

    try:
        frame = narwhals.from_native(table, eager_only=True, pass_through=True)
    except DuplicateError:
        raise _alike(map(str, table.columns)) from None
    return frame if isinstance(frame, narwhals.DataFrame) else None


def _alike(names):
    """Return the Refusal of a table with two columns of the same name."""
    name, _ = Counter(names).most_common(1)[0]
    return Refusal(f"two columns are called {echo(name)}; give every column a name of its own.")
