"""Whether all of a kernel's values are computed or landmarks stand for it: by what they would take, on a usual core."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from explorer.kernels.base import Kernel
from explorer.rng import stream
from explorer.stopping import check_cancelled
from explorer.types import Matrix, Points, Rng, Rows

from .construction import RANK, low_rank, order_of_values, some_points
from .fields import Approximation, refuse_rank_alone, refuse_unknown
from .finite import FiniteRank
from .landmarks import Landmarks

SECONDS = 2.0  # that all values may take
LONGEST = 15.0  # and the features of landmarks
FEWEST = 100  # landmarks, whatever they take
ENOUGH = 0.01  # of the kernel may be missed
TRIED = 1000  # points on which that is measured
# s on a usual core: a kernel's value, what each coordinate adds, one for strings, a product of two features, and a
# step of the pivoted Cholesky factor of r landmarks, of r³, all that were tried before counted
VALUE, COORDINATE, STRINGS, PRODUCT, STEP = 4e-8, 1e-9, 1e-5, 2e-10, 5e-10


class StandIn(NamedTuple):
    """What stands for a kernel: one of finite rank, None for the kernel itself; and what it is called."""

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
    """What an approximation asks for on points X (n, d); under "auto" the kernel itself where that takes no longer than
    two seconds, `exact` being how long, and else Landmarks that miss no more than `enough` of it, or `most` of them.
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
    """About how many seconds the kernel's values at so many pairs of points of d coordinates take."""
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
    """Landmarks at random points of X, as many as miss no more than `enough` of the kernel; X stands for n points.

    They double from 100 until they do, or until there are `most`, or as many that they and the features of n points
    take so many seconds. `order` is `order_of_values` of X, if the caller has it for several kernels.
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
    """What landmarks miss of a kernel: |k - k̂| / |k|, of both centred the root mean square at pairs of the points X.

    By as much the null distribution of MMD² changes: its standard deviation is proportional to |k|.
    """
    F = low.features(X)
    whole, rest = _size(K), _size(K - F @ F.T)
    return rest / whole if whole > 0 else 0.0


def _size(K):
    """The root mean square of the entries off the diagonal of a centred Gram matrix (s, s)."""
    K = K - K.mean(axis=0)
    K -= K.mean(axis=1)[:, None]
    s = len(K)
    return math.sqrt(max(float(np.square(K).sum() - np.square(np.diag(K)).sum()), 0.0) / max(s * (s - 1), 1))


def _ranks(kernel, n, d, limit, seconds) -> Iterator[int]:
    """100, 200, 400 ... as long as the features of n points take no longer than allowed, and last as many as may."""
    each = values_take(kernel, 1, d)
    roots = np.roots([STEP, n * PRODUCT, n * each, -seconds])  # r³ STEP + n r (each + r PRODUCT) = seconds
    most = min(max(int(roots[np.isreal(roots)].real.max()), FEWEST), limit or n)
    r = FEWEST
    while r < most:
        yield r
        r *= 2
    yield most
