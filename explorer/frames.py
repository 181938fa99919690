"""DataFrames of pandas, polars, pyarrow and the like, as columns by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import narwhals
import narwhals.exceptions

from .checks import Refusal, listed, shown


def columns_of(table: Any) -> dict[str, Any] | None:
    """name -> column (n,) of a DataFrame or of a mapping; None of anything else.

    Names are words, as of columns that a DataFrame counts. ValueError where two columns are called alike.
    """
    if isinstance(table, Mapping):
        named = [(str(name), column) for name, column in table.items()]
    else:
        frame = _frame(table)
        if frame is None:
            return None
        named = [(str(name), frame[:, j].to_numpy()) for j, name in enumerate(frame.columns)]
    columns = dict(named)
    if len(columns) < len(named):
        raise _alike(name for name, _ in named)
    return columns


def names_of(table: Any) -> tuple[str, ...] | None:
    """The names of a DataFrame's columns; None of anything else, and where they only count, as pandas' own do.

    ValueError where two columns are called alike.
    """
    frame = _frame(table)
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
    own = None if names is None else names_of(table)
    if names is None or own is None or own == names:
        return table
    missing, further = ([name for name in some if name not in others] for some, others in ((names, own), (own, names)))
    if missing or further:
        parts = [("lacks", missing), ("has", further)]
        found = " and ".join(f"{verb} {listed(map(shown, some))}" for verb, some in parts if some)
        raise Refusal(
            f"{called[0]} {found}, and columns are compared by name: give {called[0]} the columns of {called[1]},"
            f" {listed(map(shown, names))}."
        )
    return _frame(table)[:, [own.index(name) for name in names]].to_native()


def together(samples: Sequence[Any], called: Sequence[str]) -> list[Any]:
    """Samples whose columns meet by name: every DataFrame among them in the order of the first one's columns.

    `called` is what each is. ValueError where two have not the same columns.
    """
    named = [(names, name) for sample, name in zip(samples, called, strict=True) if (names := names_of(sample))]
    if not named:
        return list(samples)
    first, owner = named[0]
    return [in_order(sample, first, (name, owner)) for sample, name in zip(samples, called, strict=True)]


def _frame(table):
    """A DataFrame of any of these libraries as narwhals has it; None of anything else."""
    try:
        frame = narwhals.from_native(table, eager_only=True, pass_through=True)
    except narwhals.exceptions.DuplicateError:
        raise _alike(map(str, table.columns)) from None
    return frame if isinstance(frame, narwhals.DataFrame) else None


def _alike(names):
    """The Refusal of columns of which two have one name."""
    name, _ = Counter(names).most_common(1)[0]
    return Refusal(f"two columns are called {shown(name)}; give every column a name of its own.")
