"""Automatic bandwidth for many points: if the distances of all pairs need too much memory, some of the points serve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.rng import stream
from explorer.types import Labels, Points, Rows, Vector

if TYPE_CHECKING:
    from .base import Kernel


# largest number of pooled points whose Gram matrix is stored: it takes 288 MB, and its centring as much again
LARGE = 6000


def select(kernel: Kernel, P: Points, points: str = "pooled points", counts: Vector | None = None) -> Kernel:
    """Choose the kernel's automatic bandwidth on points.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    P : ndarray of shape (N, d)
        The points. If N > 6000 the bandwidth is chosen on 6000 of them, with a warning.
    points : str, default "pooled points"
        What the warning calls the points.
    counts : ndarray of shape (N,) or None, default None
        How often each point counts, above 0. Whole numbers repeat the points as often; under other weights every point
        counts once.

    Returns
    -------
    Kernel
        The kernel with all its parameters chosen.
    """
    if not _is_open(kernel):
        return kernel.select(P)
    if counts is not None and (counts == np.round(counts)).all() and counts.sum() < checks.EXACT:
        ends = np.cumsum(counts.astype(int))
        P = P[np.searchsorted(ends, _some(int(ends[-1]), "the bandwidth was", points), side="right")]
    return kernel.select(part_of(P, "the bandwidth was", points))


def _is_open(kernel):
    """Return whether an automatic parameter is not chosen yet, in a Product for any of its factors."""
    try:
        kernel.chosen()
    except ValueError:
        return True
    return False


def part_of(P: Points, chosen: str, points: str = "pooled points") -> Labels:
    """Return P, or if N > 6000 the same 6000 of its points every time, with a warning.

    Parameters
    ----------
    P : ndarray of shape (N, d)
        The points.
    chosen : str
        What is chosen on them, with its verb, for the warning.
    points : str, default "pooled points"
        What the warning calls the points.

    Returns
    -------
    ndarray of shape (min(N, 6000), d)
        The points.
    """
    return P if len(P) <= LARGE else P[_some(len(P), chosen, points)]


def _some(N, chosen, points):
    """Return the numbers of all N points, or of 6000 of them, with the warning of `part_of`."""
    if N > LARGE:
        checks.warn(
            f"{chosen} chosen on {LARGE} of the {N} {points}, always the same ones: the distances of all pairs would "
            "take too much memory. Give a bandwidth to choose it yourself."
        )
    return rows_of(N)


def rows_of(N: int) -> Rows:
    """Return the numbers of those of N points that an automatic bandwidth is chosen on.

    Parameters
    ----------
    N : int
        Number of points.

    Returns
    -------
    ndarray of shape (min(N, 6000),)
        All row numbers, or the same 6000 every time.
    """
    return np.arange(N) if N <= LARGE else np.sort(stream(0, "bandwidth").choice(N, LARGE, replace=False))
