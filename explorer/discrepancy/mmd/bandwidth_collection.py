"""Kernel collections for tests over many kernels: the kernels given, or Gaussians chosen from the distances."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist, pdist

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.discrepancy.resampling.tiled_gram import part_of
from explorer.execution.processors import side_by_side
from explorer.kernels import Gaussian, Kernel
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import Points, PointsLike, Vector

from .two_samples import two_samples

REACH = 1e6  # largest distance in medians: with farther points ten kernels would leave gaps of a factor 5 and more
SQUARED = 1e-140, 1e140  # range of distances whose squares keep their digits
ROWS = 512  # number of rows whose distances to themselves and to later rows are sorted together: 25 MB
DISTANCE = 8e-9  # time of a pair of rows in seconds; half of the pairs are computed and sorted
POWER = 600  # power of two that moves distances above 1e140, or below 1e-140, into the range of SQUARED


@explain_wrong_calls
def bandwidth_collection(X: PointsLike, Y: PointsLike, count: int = 10) -> tuple[Gaussian, ...]:
    """Choose Gaussian kernels with `count` bandwidths in equal ratios, from small to large pooled distances.

    Use it for tests over many kernels, such as `mmdagg_test`. For one bandwidth use `median_bandwidth`.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    count : int, default 10
        Number of kernels.

    Returns
    -------
    tuple of Gaussian
        The kernels.

    Raises
    ------
    Refusal
        If all points are equal, or if a Gaussian does not take such bandwidths.

    Notes
    -----
    The bandwidths lead from half the 5 % quantile to twice the 95 % quantile of the pooled distances. Distances of
    equal points are left out, and so are those beyond 1e6 times the median of the others: of 40 points, one far point
    alone makes 5 % of all distances. Beyond 6000 points together the quantiles are those of 6000 points, with a
    warning.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import bandwidth_collection
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> [round(kernel.bandwidth, 2) for kernel in bandwidth_collection(X, Y, count=4)]
    [0.05, 0.24, 1.22, 6.17]
    """
    P = two_samples(X, Y, Gaussian(1.0), numbers_alone=True).P
    return gaussians(P, checks.whole(count, "count", 1))


def gaussians(P: Points, count: int = 10, name: str = "X and Y") -> tuple[Gaussian, ...]:
    """Return the collection for pooled points P (N, d), or for one side of pairs; `name` describes them in messages."""
    apart = sorted_distances(part_of(P, "the bandwidths were"))
    if not (pairs := sum(map(len, apart))):
        raise Refusal(
            f"all points of {name} are equal, so there is no distance to take bandwidths from; no test sees a"
            " difference."
        )
    middle = smallest(apart, (pairs - 1) // 2)
    near = not_above(apart, min(REACH * middle, sys.float_info.max))
    low, high = (quantile(apart, near, share) for share in (0.05, 0.95))
    least, most = Gaussian.param.bandwidth.bounds
    if low / 2 < least or high > most / 2:
        raise Refusal(
            f"the distances of {name} lie about {middle:.3g}, and a Gaussian takes bandwidths from {least:g} to "
            f"{most:g}; rescale the points."
        )
    return tuple(Gaussian(float(theta)) for theta in np.geomspace(low / 2, 2 * high, count))


def sorted_distances(P: Points) -> list[Vector]:
    """Return ``|z_i - z_j| > 0``, i < j, in sorted arrays, each of some points' distances to all that follow."""

    def piece(start: int) -> Vector:
        rows, later = P[start : start + ROWS], P[start + ROWS :]
        apart = np.concatenate([distances(rows), distances(rows, later).ravel()])
        apart.sort()
        return apart[np.searchsorted(apart, 0.0, "right") :]

    return list(side_by_side(piece, range(0, len(P), ROWS), DISTANCE * len(P) ** 2))


def not_above(pieces: list[Vector], value: float) -> int:
    """Return the number of entries of sorted arrays that are at most `value`."""
    return sum(int(np.searchsorted(piece, value, "right")) for piece in pieces)


def smallest(pieces: list[Vector], k: int) -> float:
    """Return the k-th smallest, from 0, of the numbers >= 0 in sorted arrays, by bisection over all floats.

    Nonnegative floats have the order of their bits, read as whole numbers.
    """
    if len(pieces) == 1:
        return float(pieces[0][k])
    low, high = 0, int(np.float64(np.inf).view(np.int64))
    while low < high:
        middle = (low + high) // 2
        if not_above(pieces, float(np.int64(middle).view(np.float64))) > k:
            high = middle
        else:
            low = middle + 1
    return float(np.int64(low).view(np.float64))


def quantile(pieces: list[Vector], count: int, share: float) -> float:
    """Return a quantile of the `count` smallest numbers in sorted arrays, as `np.quantile` does."""
    place = share * (count - 1)
    before = int(place)
    around = [smallest(pieces, before), smallest(pieces, min(before + 1, count - 1))]
    return float(np.quantile(around, place - before))


def distances(P: Points, Q: Points | None = None) -> Any:
    """Return ``|p_i - q_j|`` (n, m), or ``|p_i - p_j|`` for i < j in the order of `pdist`; inf if it overflows.

    If squares overflow or vanish, the points are multiplied by a power of two, which loses no digit.
    """

    def scaled(change: Callable[[Points], Points]) -> Any:
        return pdist(change(P)) if Q is None else cdist(change(P), change(Q))

    def enlarged(points: Points) -> Points:
        # coordinates that are cut off here differ by more than the largest such distance, or not at all
        return np.clip(np.ldexp(points, POWER), -SQUARED[1], SQUARED[1])

    apart = scaled(lambda points: points)
    with np.errstate(over="ignore", under="ignore"):
        if (apart > SQUARED[1]).any():
            smaller = scaled(lambda points: np.ldexp(points, -POWER))
            apart = np.where(apart > SQUARED[1], np.ldexp(smaller, POWER), apart)
        if (apart < SQUARED[0]).any():
            apart = np.where(apart < SQUARED[0], np.ldexp(scaled(enlarged), -POWER), apart)
    return apart


def as_kernels(kernels: Kernel | Sequence[Kernel] | None) -> tuple[Kernel, ...] | None:
    """Return the kernels as a tuple, or None for None; raise an error if they are not kernels."""
    if kernels is None:
        return None
    try:
        given = (kernels,) if isinstance(kernels, Kernel) else tuple(kernels)
    except TypeError:
        raise WrongType(
            f"kernels must be a list such as [Gaussian(1.0), Gaussian(2.0)], not {checks.echo(kernels)}."
        ) from None
    if not given:
        raise Refusal("kernels is empty; give at least one kernel, or None for ten Gaussian ones.")
    return given
