"""Rows of several arguments that belong together: those of pandas are paired by their index.

One rule for all functions that take row-aligned arguments. Arguments without an index (arrays, lists, DataFrames of
polars and pyarrow) are paired by position. Of those with an index the first one sets the order of the rows, and every
other one is brought into it if it has the same labels. Other labels, and labels that occur twice in another order, are
refused.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from .checks import Refusal, echo

SAMPLES = 100  # of a list that are looked at: a longer one holds numbers
Function = TypeVar("Function", bound=Callable[..., Any])


def aligned(*groups: str) -> Callable[[Function], Function]:
    """A decorator for functions whose arguments have rows in common: each group names such arguments, as in "X y".

    An argument that is a mapping, or a list of Series and DataFrames, brings all its members.

    >>> import pandas
    >>> from explorer.alignment import aligned
    >>> @aligned("x y")
    ... def products(x, y):
    ...     return [a * b for a, b in zip(x, y)]
    >>> products(pandas.Series([1, 2], ["a", "b"]), pandas.Series([30, 20], ["b", "a"]))
    [20, 60]
    """

    def decorated(function: Function) -> Function:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not any(map(_may_have_index, (*args, *kwargs.values()))):
                return function(*args, **kwargs)
            try:
                given = signature.bind(*args, **kwargs)
            except TypeError:
                return function(*args, **kwargs)  # which says what does not fit
            for group in groups:
                together = {name: given.arguments[name] for name in group.split() if name in given.arguments}
                given.arguments.update(in_one_order(together))
            return function(*given.args, **given.kwargs)

        return cast(Function, call)

    return decorated


def in_one_order(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments, name -> value, with the rows of all that have an index in the order of the first one's.

    Raises
    ------
    Refusal
        If two indexes hold other labels, or hold a label twice and are in two orders.
    """
    order, owner = None, ""

    def of(value: Any, name: str) -> Any:
        nonlocal order, owner
        if isinstance(value, Mapping) and any(index_of(each) is not None for each in value.values()):
            return {key: of(each, f"{name}[{echo(key)}]") for key, each in value.items()}
        if isinstance(value, (list, tuple)) and any(index_of(each) is not None for each in value[:SAMPLES]):
            return [of(each, f"{name}[{i}]") for i, each in enumerate(value)]
        index = index_of(value)
        if index is None:
            return value
        if order is None:
            order, owner = index, name
            return value
        return value if len(index) != len(order) else in_order_of(value, order, name, owner)

    return {name: of(value, name) for name, value in arguments.items()}


def pooled(value: Any, samples: Sequence[Any], name: str, called: Sequence[str]) -> Any:
    """Return labels or numbers of the rows of several samples, one sample after the other, in the order of these rows.

    An index that only counts the pooled rows from 0 stands for their positions.
    """
    index, parts = index_of(value), [index_of(each) for each in samples]
    if index is None or any(part is None for part in parts):
        return value
    first, *others = cast(Any, parts)
    order = first.append(others)
    if len(index) != len(order) or _counts(index):
        return value
    return in_order_of(value, order, name, " and ".join(called))


def in_order_of(value: Any, order: Any, name: str, owner: str) -> Any:
    """Return a Series or DataFrame with its rows in the order of an index, that of `owner`."""
    index = index_of(value)
    if index.equals(order):
        return value
    given = f"{name} and the rows of {owner}"
    if not (index.is_unique and order.is_unique):
        if sorted(map(repr, index)) == sorted(map(repr, order)):
            raise Refusal(
                f"{given} have one index in two orders, in which labels occur more than once, so that it is not known"
                f" which rows belong together; bring both into one order, or give arrays, as {name}.to_numpy(), if rows"
                " are paired by position."
            )
        raise _other_labels(index, order, name, owner)
    places = index.get_indexer(order)
    if (places < 0).any():
        raise _other_labels(index, order, name, owner)
    return value.iloc[places]


def index_of(value: Any) -> Any:
    """Return the index of a Series or DataFrame of pandas, or None if a value has none: lists have another one."""
    index = getattr(value, "index", None)
    return index if hasattr(index, "get_indexer") and hasattr(value, "iloc") else None


def _may_have_index(value: Any) -> bool:
    return hasattr(value, "iloc") or isinstance(value, (Mapping, list, tuple))


def _counts(index: Any) -> bool:
    """Whether an index only counts rows, from 0."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def _other_labels(index: Any, order: Any, name: str, owner: str) -> Refusal:
    missing = next(_first_not_in(order, index), None)
    further = next(_first_not_in(index, order), None)
    parts = [
        f"{name} has no row {echo(_plain(missing[0]))}" if missing else "",
        f"{owner} has no row {echo(_plain(further[0]))}" if further else "",
    ]
    found = " and ".join(filter(None, parts)) or f"{name} and {owner} have labels that occur unequally often"
    return Refusal(
        f"{name} and {owner} are paired by their index, and {found}; give both the same labels, or arrays, as"
        f" {name}.to_numpy(), if rows are paired by position."
    )


def _first_not_in(index: Any, other: Any) -> Iterator[tuple[Any]]:
    """Labels of an index that another one lacks, each in a tuple, as a label may be None."""
    missing = ~index.isin(other)
    return ((label,) for label in index[missing])


def _plain(label: Any) -> Any:
    return label if isinstance(label, (str, int, float, tuple)) else str(label)
