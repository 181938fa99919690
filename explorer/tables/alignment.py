"""Alignment of row-wise arguments: those with a pandas index are paired by it.

One rule holds for all functions with row-aligned arguments. Arguments without an index (arrays, lists, DataFrames of
polars and pyarrow) are paired by position. The first argument with an index sets the order of the rows, and every other
one is reordered to it if it has the same labels. Different labels are refused, and so are labels that occur twice in
different orders.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from explorer.checks import Refusal, echo

SAMPLES = 100  # number of entries of a list that are examined; longer lists hold numbers
Function = TypeVar("Function", bound=Callable[..., Any])


def aligned(*groups: str) -> Callable[[Function], Function]:
    """Return a decorator for functions whose arguments share rows.

    Parameters
    ----------
    *groups : str
        Each names the arguments that share rows, as in "x y". A mapping, or a list of Series and DataFrames,
        contributes all its members.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> import pandas
    >>> from explorer.tables.alignment import aligned
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
                return function(*args, **kwargs)  # its own error says what is wrong
            for group in groups:
                together = {name: given.arguments[name] for name in group.split() if name in given.arguments}
                given.arguments.update(in_one_order(together))
            return function(*given.args, **given.kwargs)

        return cast(Function, call)

    return decorated


def in_one_order(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with the rows of all that have an index in the order of the first one's.

    Parameters
    ----------
    arguments : mapping of str to object
        The arguments by name.

    Returns
    -------
    dict of str to object
        The arguments, reordered.

    Raises
    ------
    Refusal
        If two indexes hold different labels, or hold a label twice and differ in order.
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
    """Return row-wise values of pooled samples in the order of the samples' rows, one sample after the other.

    An index that only counts the pooled rows from 0 is read as their positions.

    Parameters
    ----------
    value : object
        Labels or numbers of the rows of all samples.
    samples : sequence
        The samples.
    name : str
        The name of `value` in messages.
    called : sequence of str
        The names of the samples in messages.

    Returns
    -------
    object
        `value`, reordered if it and all samples have an index.

    Raises
    ------
    Refusal
        If the indexes do not fit, as for `in_one_order`.
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
    """Return a Series or DataFrame with its rows in the order of an index, which is that of `owner`."""
    index = index_of(value)
    if index.equals(order):
        return value
    given = f"{name} and the rows of {owner}"
    if not (index.is_unique and order.is_unique):
        if sorted(map(repr, index)) == sorted(map(repr, order)):
            raise Refusal(
                f"{given} have one index in two orders, and its labels occur more than once, so that it is not known"
                f" which rows belong together; bring both into one order, or give arrays, as {name}.to_numpy(), if rows"
                " are paired by position."
            )
        raise _other_labels(index, order, name, owner)
    places = index.get_indexer(order)
    if (places < 0).any():
        raise _other_labels(index, order, name, owner)
    return value.iloc[places]


def index_of(value: Any) -> Any:
    """Return the index of a pandas Series or DataFrame, or None for any other value; a list's `index` is a method."""
    index = getattr(value, "index", None)
    return index if hasattr(index, "get_indexer") and hasattr(value, "iloc") else None


def _may_have_index(value: Any) -> bool:
    """Return whether a value may have an index or contain values with one."""
    return hasattr(value, "iloc") or isinstance(value, (Mapping, list, tuple))


def _counts(index: Any) -> bool:
    """Return whether an index only counts rows, from 0."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def _other_labels(index: Any, order: Any, name: str, owner: str) -> Refusal:
    """Return the refusal of two indexes with different labels."""
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
    """Yield the labels of an index that another one lacks, in tuples of one because a label may be None."""
    missing = ~index.isin(other)
    return ((label,) for label in index[missing])


def _plain(label: Any) -> Any:
    """Return a label as a value whose repr is short; others as text."""
    return label if isinstance(label, (str, int, float, tuple)) else str(label)
