"""Input of a scan: points in order of time, their kernel, and the names of their columns."""

from __future__ import annotations

from typing import Any, NamedTuple

from explorer import checks, frames
from explorer.frames import InTime
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.public_names.synonyms import refuse_other
from explorer.tables.lazy_tables import in_memory
from explorer.types import Points, PointsLike


class Sample(NamedTuple):
    """Checked rows of the input.

    Attributes
    ----------
    kernel : Kernel
        The kernel, with its bandwidth chosen on the rows.
    points : ndarray of shape (n, d)
        The rows, in order of time.
    columns : tuple of str
        Names of the columns, if they have some.
    quantities : tuple
        Units or levels of each column, if there are several kinds; () for plain numbers.
    when : InTime or None
        Their times, if something orders them.
    """

    kernel: Kernel
    points: Points
    columns: tuple[str, ...]
    quantities: tuple[Any, ...] = ()
    when: InTime | None = None


def one_sample(
    X: PointsLike, kernel: Kernel | None, at_least: int, name: str = "X", time: Any = None, sort: bool = False
) -> Sample:
    """Return the Sample of X (n, d). If `sort` is true, its rows are sorted by their times, or by `time`."""
    given: Kernel = Gaussian() if kernel is None else kernel
    refuse_other(given, Kernel, "kernel", optional=True)
    X = frames.as_table(in_memory(X))
    when = frames.in_time(X, time, "X") if sort else None
    X = X if when is None else when.table
    columns, quantities = frames.names_of(X) or (), ()
    if given.space == "numbers" and (mixed := frames.mixed((X,), ("X",), given, when is not None and when.column)):
        (X,), given, columns, quantities = mixed
    P = given.points(X)
    checks.rows(P, name, at_least)
    checks.warn_of_lost_digits(P, "X", columns)
    return Sample(select(given, P, "rows"), P, columns, quantities, when)
