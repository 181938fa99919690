"""The rows that a scan reads: points in order of time, their kernel, and the names of their columns."""

from __future__ import annotations

from explorer import checks, frames
from explorer.elsewhere import refuse_other
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.selecting import select
from explorer.types import Points, PointsLike


def one_sample(
    X: PointsLike, kernel: Kernel | None, at_least: int, name: str = "X"
) -> tuple[Kernel, Points, tuple[str, ...]]:
    """A chosen kernel, the points of X (n, d), and the names of its columns."""
    given: Kernel = Gaussian() if kernel is None else kernel
    refuse_other(given, Kernel, "kernel", optional=True)
    columns = frames.names_of(X) or ()
    if given.space == "numbers" and (found := frames.mixed((X,), ("X",), given)):
        (X,), given, columns = found
    P = given.points(X)
    checks.rows(P, name, at_least)
    checks.warn_of_lost_digits(P, "X", columns)
    return select(given, P, "rows"), P, columns
