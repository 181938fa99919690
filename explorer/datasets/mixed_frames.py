"""Samples of DataFrames whose columns are of several kinds: compared as by one kernel of `explorer test`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer import frames
from explorer.checks import Refusal, warn
from explorer.frames import Mixed
from explorer.printing import join_list

from .read_tables import read_tables
from .refusal import TableRefusal

if TYPE_CHECKING:
    from explorer.kernels import Kernel


@frames.reader
def mixed(samples: Sequence[Any], called: Sequence[str], numeric: Kernel) -> Mixed:
    """The Mixed of DataFrames: common levels, and common scales where the columns' own differ by a factor of 10.

    A warning says what is left out, as identifiers are, and what was done with values that are no plain numbers.

    >>> import pandas
    >>> from explorer import Gaussian
    >>> from explorer.datasets import mixed
    >>> first = pandas.DataFrame({"x": [0.0, 1.0, 2.0], "kind": ["a", "b", "a"]})
    >>> second = pandas.DataFrame({"x": [5.0, 6.0, 7.0], "kind": ["a", "a", "b"]})
    >>> both = mixed([first, second], ["first", "second"], Gaussian())
    >>> both.kernel
    Product(factors={0: Gaussian(), 1: Precomputed(gram=[[1.0, 0.5], [0.5, 1.0]])})
    """
    try:
        tables = read_tables(samples, scale="auto", names=called, lenient=True)
    except TableRefusal as error:  # of cells that are missing: no argument of a test's leaves rows out
        raise Refusal(f"{error.found}; {frames.without_gaps(samples, called)}.") from None
    out = [str(column) for column in tables.columns if column.kind == "left out" or column.notes]
    if out:
        warn(f"of {' and '.join(called)}, {join_list(out, 400, '; ')}.")
    names = tuple(column.label for column in tables.kept)
    return Mixed(tuple(each.X for each in tables), tables.product(numeric), names, tables[0].quantities)
