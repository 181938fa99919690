"""DataFrames of pandas, polars, pyarrow and the like, as columns by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from .checks import Refusal, echo, join_list
from .lazy_tables import in_memory, is_stream

if TYPE_CHECKING:
    import narwhals

Function = TypeVar("Function", bound=Callable[..., Any])


def columns_of(table: Any) -> dict[str, Any] | None:
    """name -> column (n,) of a DataFrame, of records or of a mapping; None of anything else.

    Names are words, as of columns that a DataFrame counts. ValueError where two columns are called alike.
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
    """The names of a DataFrame's columns, or of a structured array's fields; None where they only count, as pandas' do.

    None of anything else, too. ValueError where two columns are called alike.
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
    """A DataFrame with its columns in the order of `names`; itself where either has no names.

    `called` is what the table is, and what the names are of. ValueError where it has not the same columns.
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
    frame: Any = frame_of(table)  # which has names
    return frame[:, [own.index(name) for name in names]].to_native()


def together(samples: Sequence[Any], called: Sequence[str]) -> list[Any]:
    """Samples whose columns meet by name: every DataFrame among them in the order of the first one's columns.

    `called` is what each is. ValueError where two have not the same columns.
    """
    samples = list(map(in_memory, samples))
    named = [(names, name) for sample, name in zip(samples, called, strict=True) if (names := names_of(sample))]
    if not named:
        return list(samples)
    first, owner = named[0]
    return [in_order(sample, first, (name, owner)) for sample, name in zip(samples, called, strict=True)]


class Mixed(NamedTuple):
    """Samples of columns of several kinds as points (n, d), categories as codes; their kernel, the columns' names.

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
    """What the numbers of each column are in its own units, or its levels."""


READERS: list[Callable[..., Any]] = []  # what makes points of such columns: `datasets` has it, of which no maths knows


def reader(function: Function) -> Function:
    """A decorator for what makes a Mixed of (samples, what each is called, the kernel of the numbers)."""
    READERS.append(function)
    return function


def mixed(samples: Sequence[Any], called: Sequence[str], numeric: Any, dated: bool = False) -> Mixed | None:
    """The Mixed of DataFrames of which one has columns that are no numbers, or had one of dates; None of all others."""
    found = [frame for sample in samples if (frame := frame_of(sample)) is not None]
    if len(found) < len(samples):
        return None
    if not dated and all(_is_numeric(column) for frame in found for column in frame.iter_columns()):
        return None
    if not READERS:  # `datasets` is loaded when one of its names is asked for, and maths alone has asked for none
        import_module("explorer.datasets")
    return READERS[-1](samples, called, numeric)


class InTime(NamedTuple):
    """Rows in order of time.

    table    the rows that have a time, in its order, without the column of times
    rows     (n,), the position of each in the table that was given, from 0
    clock    (n,), their times in days since 1970 as they are written, or numbers
    dates    whether these are dates
    name     of the column of times
    missing  how many rows have no time and are left out
    written  (n,), the times in words
    column   whether the times were one of the table's columns

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
        """Whether the rows are in another order than they were given in."""
        return bool(np.any(np.diff(self.rows) < 0))


TIMES = ("DatetimeIndex", "PeriodIndex", "TimedeltaIndex")  # indexes of pandas that are times
ORDERS: list[Callable[..., Any]] = []  # what sorts rows by their dates: `datasets` has it


def in_time_by(function: Function) -> Function:
    """A decorator for what makes an InTime of (a table, a column's name or times, what the table is called)."""
    ORDERS.append(function)
    return function


def in_time(table: Any, time: Any, name: str) -> InTime | None:
    """Return the rows of a table in order of time, or None if it has no times and none are named.

    Arrays and lists have times only if `time` gives them. Raises Refusal if several columns of dates could order the
    rows and `time` names none of them.
    """
    if time is None and (isinstance(table, (np.ndarray, list, tuple)) or not hasattr(table, "columns")):
        if not has_times(table):
            return None
    if not ORDERS:
        import_module("explorer.datasets")
    return ORDERS[-1](table, time, name)


def has_times(table: Any) -> bool:
    """Return whether a Series or DataFrame of pandas has an index of times: of dates, periods or lengths of time."""
    return type(getattr(table, "index", None)).__name__ in TIMES


def in_time_of_index(table: Any, name: str) -> InTime | None:
    """Return the rows of a Series or DataFrame in the order of its index of times, or None if it has no such index."""
    return in_time(table, None, name) if has_times(table) else None


def mapped(columns: Mapping[Any, Any], called: str) -> Any:
    """Return a dict of columns as a DataFrame of pandas; Refusal if it has none, or if their lengths differ."""
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
    """The names of a structured array's fields, None of anything else."""
    return table.dtype.names if isinstance(table, np.ndarray) else None


def _is_numeric(column):
    """Whether a column holds numbers alone, and gaps."""
    import narwhals

    if column.dtype != narwhals.Object:
        return column.dtype.is_numeric()
    values = column.drop_nulls().to_list()
    return all(isinstance(value, Number) and not isinstance(value, (bool, np.bool_)) for value in values)


def without_gaps(samples: Sequence[Any], called: Sequence[str]) -> str:
    """How to leave out the rows of DataFrames that miss a cell, as an advice."""
    for sample, name in zip(samples, called, strict=True):
        frame = frame_of(sample)
        if frame is not None and any(column.null_count() for column in frame.iter_columns()):
            for method in ("dropna", "drop_nulls", "drop_null"):  # of pandas, polars, pyarrow
                if hasattr(sample, method):
                    return f"leave those rows out, as by {name}.{method}()"
    return "leave those rows out"


def as_table(given: Any) -> Any:
    """Return what a column with a name is a table of: a DataFrame of it alone; anything else as it is.

    >>> import pandas
    >>> from explorer.frames import as_table
    >>> as_table(pandas.Series([1.0, 2.0], name="height")).columns.tolist()
    ['height']
    """
    return given.to_frame() if hasattr(given, "to_frame") and not hasattr(given, "columns") else given


def frame_of(table: Any) -> narwhals.DataFrame[Any] | None:
    """Return a table as narwhals has it: a DataFrame of any library, or what `lazy.in_memory` makes one of; else None.

    Columns by name are refused if their lengths differ, and a stream of batches if pyarrow is not there to read it.
    """
    table = in_memory(table)
    if table is None or isinstance(table, (np.ndarray, list, tuple, str, bytes)):
        return None
    if is_stream(table):
        raise Refusal(
            f"a {type(table).__name__} gives batches of pyarrow, and reading them needs it: pip install pyarrow, or"
            " give a DataFrame."
        )
    import narwhals  # imported late: arrays and lists do without
    from narwhals.exceptions import DuplicateError

    try:
        frame = narwhals.from_native(table, eager_only=True, pass_through=True)
    except DuplicateError:
        raise _alike(map(str, table.columns)) from None
    return frame if isinstance(frame, narwhals.DataFrame) else None


def _alike(names):
    """The Refusal of columns of which two have one name."""
    name, _ = Counter(names).most_common(1)[0]
    return Refusal(f"two columns are called {echo(name)}; give every column a name of its own.")
