"""Automatic bandwidth for many points: if the distances of all pairs need too much memory, some of the points serve."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

import numpy as np

from explorer import checks
from explorer.model import Model
from explorer.rng import stream
from explorer.types import Labels, Points, Rows, Vector

if TYPE_CHECKING:
    from .base import Kernel


# largest number of pooled points whose Gram matrix is stored: it takes 288 MB, and its centring as much again
LARGE = 6000
PROBE = 24  # points on which a kernel of the user's is tried: their eigenvalues take 0.1 ms
CLOSE = 1e-9  # tolerated rounding of an eigenvalue, relative to the largest
_warned: WeakSet[type] = WeakSet()  # classes of which the user has been warned


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

    Warns
    -----
    ExplorerWarning
        If a kernel of the user's, or a sum or product that contains one, has a Gram matrix with eigenvalues below 0 on
        some of the points, once for each class.
    """
    chosen = _selected(kernel, P, points, counts)
    if users := [kind for kind in _classes_in(chosen) if checks.is_users(kind) and kind not in _warned]:
        _warn_if_indefinite(chosen, P, users)
    return chosen


def _classes_in(value):
    """Yield the class of a kernel, and those of the kernels that it is made of."""
    if isinstance(value, Model):
        yield type(value)
        value = tuple(value.values().values())
    if isinstance(value, tuple):
        for part in value:
            yield from _classes_in(part)


def _warn_if_indefinite(kernel, P, users):
    """Warn, once for each of the user's classes, if the Gram matrix of a few points shows that this is no kernel."""
    some = P[np.unique(np.linspace(0, len(P) - 1, PROBE).astype(int))]
    K = kernel(some)
    if not np.isfinite(K).all():
        return
    g = np.linalg.eigvalsh((K + K.T) / 2)
    if g[0] < -CLOSE * np.abs(g).max():
        _warned.update(users)
        checks.warn(
            f"{checks.echo(kernel)} is not positive semi-definite: the Gram matrix of {len(some)} of the points has the"
            f" eigenvalue {g[0]:.3g}, so that a squared distance by it can be negative and a p-value meaningless."
            " explorer.check_kernel shows more."
        )


def _selected(kernel, P, points, counts):
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
