"""An automatic bandwidth where the distances of all pairs would take too much memory: chosen on some of the points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.rng import stream
from explorer.types import Labels, Points, Rows, Vector

if TYPE_CHECKING:
    from .base import Kernel


LARGE = (
    6000  # pooled points beyond which no Gram matrix is stored: it would take 288 MB, and its centring as much again
)


def select(kernel: Kernel, P: Points, points: str = "pooled points", counts: Vector | None = None) -> Kernel:
    """The kernel with its automatic bandwidth chosen on the points P (N, d).

    For N > 6000 on 6000 of them, with a warning. Where whole numbers say how often each point `counts`, (N,), above 0,
    on points that are repeated as often; under other weights every point is there once.
    """
    if not _is_open(kernel):
        return kernel.select(P)
    if counts is not None and (counts == np.round(counts)).all() and counts.sum() < checks.EXACT:
        ends = np.cumsum(counts.astype(int))
        P = P[np.searchsorted(ends, _some(int(ends[-1]), "the bandwidth was", points), side="right")]
    return kernel.select(part_of(P, "the bandwidth was", points))


def _is_open(kernel):
    """Whether an automatic parameter is still to be chosen, in a Product by any of its factors."""
    try:
        kernel.chosen()
    except ValueError:
        return True
    return False


def part_of(P: Points, chosen: str, points: str = "pooled points") -> Labels:
    """P, or for N > 6000 the same 6000 of its points every time, with a warning of what is `chosen` on them."""
    return P if len(P) <= LARGE else P[_some(len(P), chosen, points)]


def _some(N, chosen, points):
    """The numbers of all N points, or of 6000 of them, with the warning of `part_of`."""
    if N > LARGE:
        checks.warn(
            f"{chosen} chosen on {LARGE} of the {N} {points}, always the same ones: the distances of all pairs would "
            "take too much memory. Give a bandwidth to choose it yourself."
        )
    return rows_of(N)


def rows_of(N: int) -> Rows:
    """The numbers of the points, of N, that an automatic bandwidth is chosen on: all, or the same 6000 every time."""
    return np.arange(N) if N <= LARGE else np.sort(stream(0, "bandwidth").choice(N, LARGE, replace=False))
