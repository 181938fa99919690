"""The rows that a scan reads: points in order of time, their kernel, and the names of their columns."""

from __future__ import annotations

from typing import Any, NamedTuple

from explorer import checks, frames
from explorer.frames import InTime
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.lazy_tables import in_memory
from explorer.synonyms import refuse_other
from explorer.types import Points, PointsLike


class Sample(NamedTuple):
    """The rows that are read.

    kernel      with its bandwidth chosen on them
    points      (n, d), in order of time
    columns     the names of their columns, if they have some
    quantities  what each column of several kinds is in its own units; () of plain numbers
    when        their times, if something orders them
    """

    kernel: Kernel
    points: Points
    columns: tuple[str, ...]
    quantities: tuple[Any, ...] = ()
    when: InTime | None = None


def one_sample(
    X: PointsLike, kernel: Kernel | None, at_least: int, name: str = "X", time: Any = None, sort: bool = False
) -> Sample:
    """Return the Sample of X (n, d), sorted by its times, or by `time`, if `sort` says so."""
    given: Kernel = Gaussian() if kernel is None else kernel
    refuse_other(given, Kernel, "kernel", optional=True)
    X = frames.as_table(in_memory(X))
    when = frames.in_time(X, time, "X") if sort else None
    X = X if when is None else when.table
    columns, quantities = frames.names_of(X) or (), ()
    if given.space == "numbers" and (found := frames.mixed((X,), ("X",), given, when is not None and when.column)):
        (X,), given, columns, quantities = found
    P = given.points(X)
    checks.rows(P, name, at_least)
    checks.warn_of_lost_digits(P, "X", columns)
    return Sample(select(given, P, "rows"), P, columns, quantities, when)
