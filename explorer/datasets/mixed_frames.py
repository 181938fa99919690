"""Samples of DataFrames with columns of several kinds, compared by one kernel as in `explorer test`."""

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


def mixed(samples: Sequence[Any], called: Sequence[str], numeric: Kernel) -> Mixed:
    """Return DataFrames as samples of one space, with common levels of categories.

    Numbers are divided by common scales if the scales of the columns differ by a factor of 10. A warning names the
    columns that are left out, such as identifiers, and those whose values were not all plain numbers.

    Parameters
    ----------
    samples : sequence of DataFrame
        The samples.
    called : sequence of str
        The names of the samples in messages.
    numeric : Kernel
        The kernel of the columns of numbers.

    Returns
    -------
    Mixed
        The points, the kernel that compares them, and the names and quantities of the columns.

    Raises
    ------
    Refusal
        If cells are missing.

    Examples
    --------
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
    except TableRefusal as error:  # cells are missing, and tests have no argument for leaving rows out
        raise Refusal(f"{error.problem}; {frames.without_gaps(samples, called)}.") from None
    notes = [str(column) for column in tables.columns if column.kind == "left out" or column.notes]
    if notes:
        warn(f"of {' and '.join(called)}, {join_list(notes, 400, '; ')}.")
    names = tuple(column.label for column in tables.included)
    return Mixed(tuple(each.X for each in tables), tables.product(numeric), names, tables[0].quantities)
