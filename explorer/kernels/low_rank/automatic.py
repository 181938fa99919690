"""Choice between a kernel's exact values and landmarks, by their estimated time on a typical core."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from explorer.execution.cancellation import check_cancelled
from explorer.kernels.base import Kernel
from explorer.rng import stream
from explorer.types import Matrix, Points, Rng, Rows

from .construction import RANK, low_rank, order_of_values, some_points
from .fields import Approximation, refuse_rank_alone, refuse_unknown
from .finite import FiniteRank
from .landmarks import Landmarks

SECONDS = 2.0  # longest time, in seconds, of computing all values exactly
LONGEST = 15.0  # longest time of the features of landmarks, in seconds
FEWEST = 100  # smallest number of landmarks, however long they take
ENOUGH = 0.01  # share of the kernel that landmarks may miss
TRIED = 1000  # number of points on which that share is measured
# Seconds on a typical core for a kernel's value, for each coordinate of it, for a value on strings, for a product of
# two features, and for one of the r³ steps of the pivoted Cholesky factor of r landmarks, earlier attempts included.
VALUE, COORDINATE, STRINGS, PRODUCT, STEP = 4e-8, 1e-9, 1e-5, 2e-10, 5e-10


class StandIn(NamedTuple):
    """The kernel that replaces another one, and its name.

    Attributes
    ----------
    low : FiniteRank or None
        A kernel of finite rank, or None for the kernel itself.
    name : str or None
        The name of the approximation.
    """

    low: FiniteRank | None
    name: str | None


def stand_in(
    kernel: Kernel,
    X: Points,
    approximation: Approximation | None,
    rank: int | None,
    rng: Rng,
    exact: float,
    enough: float = ENOUGH,
    most: int | None = None,
) -> StandIn:
    """Return the kernel of finite rank that an approximation asks for on given points, or None for the kernel itself.

    Under "auto" that is the kernel itself if this takes no longer than two seconds, and otherwise Landmarks.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    X : ndarray of shape (n, d)
        The points.
    approximation : {"auto", "cholesky", "nystrom", "features"} or None
        The approximation; None is the kernel itself.
    rank : int or None
        Number of features; None is the default.
    rng : Rng
        Seed of the random choices.
    exact : float
        Seconds that the exact kernel takes.
    enough : float, default 0.01
        Share of the kernel that landmarks may miss under "auto".
    most : int or None, default None
        Largest number of landmarks under "auto".

    Returns
    -------
    StandIn
        The kernel of finite rank and its name.
    """
    refuse_unknown(approximation)
    refuse_rank_alone(approximation, rank)
    if approximation is None:
        return StandIn(None, None)
    if approximation != "auto":
        return StandIn(low_rank(kernel, X, approximation, rank, rng), f"{approximation} of rank {rank or RANK}")
    if exact <= SECONDS:
        return StandIn(None, "exact")
    low = landmarks_of(kernel, X, len(X), rng, enough, most)
    return StandIn(low, f"nystrom of rank {low.rank}")


def values_take(kernel: Kernel, pairs: float, d: int) -> float:
    """Estimate the seconds that the kernel's values at many pairs of points take.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    pairs : float
        Number of pairs.
    d : int
        Number of coordinates.

    Returns
    -------
    float
        The seconds.
    """
    return pairs * (STRINGS if kernel.space == "strings" else VALUE + COORDINATE * d)


def landmarks_of(
    kernel: Kernel,
    X: Points,
    n: int,
    rng: Rng,
    enough: float = ENOUGH,
    most: int | None = None,
    seconds: float = LONGEST,
    order: Rows | None = None,
) -> Landmarks:
    """Choose landmarks at random points, as many as miss no more than `enough` of the kernel.

    They double from 100 until they do, or until there are `most`, or until they and the features of n points take
    `seconds`.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    X : ndarray of shape (N, d)
        The points that landmarks are chosen from.
    n : int
        Number of points that X stands for.
    rng : Rng
        Seed of the choice.
    enough : float, default 0.01
        Share of the kernel that may be missed.
    most : int or None, default None
        Largest number of landmarks.
    seconds : float, default 15.0
        Longest time of the landmarks and the features.
    order : ndarray of shape (N,) or None, default None
        `order_of_values` of X, if the caller has it for several kernels.

    Returns
    -------
    Landmarks
        The kernel of finite rank.
    """
    by_value = order_of_values(X) if order is None else order
    order = by_value[stream(rng, "landmarks").permutation(len(X))]
    tried = some_points(X, TRIED, rng, by_value)
    K = kernel(tried)
    first, *more = _ranks(kernel, n, X.shape[1], most, seconds)
    low = Landmarks(kernel, X[order[:first]])
    for r in more:
        check_cancelled()
        if r >= 2 * len(X) or relative_residual(low, tried, K) <= enough:
            break
        low = Landmarks(kernel, X[order[:r]])
    return low


def relative_residual(low: Landmarks, X: Points, K: Matrix) -> float:
    """Compute the share of a kernel that landmarks miss: |k - k̂| / |k|.

    The norm is the root mean square over pairs of the points X, of the centred kernels. The null distribution of MMD²
    changes by as much: its standard deviation is proportional to |k|.
    """
    F = low.features(X)
    whole, rest = _size(K), _size(K - F @ F.T)
    return rest / whole if whole > 0 else 0.0


def _size(K):
    """Compute the root mean square of the entries off the diagonal of a centred Gram matrix (s, s)."""
    K = K - K.mean(axis=0)
    K -= K.mean(axis=1)[:, None]
    s = len(K)
    return math.sqrt(max(float(np.square(K).sum() - np.square(np.diag(K)).sum()), 0.0) / max(s * (s - 1), 1))


def _ranks(kernel, n, d, limit, seconds) -> Iterator[int]:
    """Yield 100, 200, 400 and so on, and last the largest rank for which the features of n points take `seconds`."""
    each = values_take(kernel, 1, d)
    roots = np.roots([STEP, n * PRODUCT, n * each, -seconds])  # r³ STEP + n r (each + r PRODUCT) = seconds
    most = min(max(int(roots[np.isreal(roots)].real.max()), FEWEST), limit or n)
    r = FEWEST
    while r < most:
        yield r
        r *= 2
    yield most
