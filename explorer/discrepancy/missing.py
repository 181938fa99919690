"""What landmarks miss of MMD^2: the statistic of the kernel k - k̂, exactly or on blocks of the points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from explorer.rng import stream
from explorer.types import Points, Rng

if TYPE_CHECKING:
    from explorer.kernels.low_rank.finite import FiniteRank

WHOLE = 500  # points of a sample up to which all take part
BLOCKS, ROWS = 64, 256  # random blocks of a larger one, and points of each at most
CERTAIN = 0.995  # of Student's t: what lies within both of its tails is a 99 % limit


def limit_of_missed(low: FiniteRank, X: Points, Y: Points, statistic: str, rng: Rng) -> float:
    """|MMD^2| of X (n, d) and Y (m, d) under k - k̂: exact where both have 500 points at most, else a 99 % limit of it.

    Each of 64 random blocks of either sample, 256 points at most, gives an unbiased estimate of the statistic of all.
    """
    n, m = len(X), len(Y)
    if max(n, m) <= WHOLE:
        return abs(_missed(low, X, Y).mmd2(n, m, statistic))
    generator = stream(rng, "points tried")
    sides: Any = [_blocks(Z, generator) for Z in (X, Y)]
    return limit_of_size([_missed(low, x, y).mmd2(n, m, statistic) for x, y in zip(*sides, strict=True)])


def limit_of_size(found: Sequence[float]) -> float:
    """A 99 % limit of the size of what independent estimates are of: their average, and t times its standard error."""
    error = np.std(found, ddof=1) / math.sqrt(len(found))
    return float(abs(np.mean(found)) + stdtrit(len(found) - 1, CERTAIN) * error)


def _blocks(Z, generator):
    """Disjoint random blocks of the points of a sample; of a small one all points each time."""
    if len(Z) <= WHOLE:
        return [Z] * BLOCKS
    rows = generator.choice(len(Z), BLOCKS * min(ROWS, len(Z) // BLOCKS), replace=False)
    return np.split(Z[rows], BLOCKS)


class Means(NamedTuple):
    """Means of a kernel: over pairs within X and within Y, each of two different points, over those between them, and
    over the pairs of each point with itself.
    """

    xx: float
    yy: float
    xy: float
    own_x: float
    own_y: float

    def mmd2(self, n: int, m: int, statistic: str) -> float:
        """MMD^2 of samples of n and m points with these means."""
        value = self.xx + self.yy - 2 * self.xy
        if statistic == "biased":  # the pairs i = j are a share 1 / n and 1 / m of all
            value += (self.own_x - self.xx) / n + (self.own_y - self.yy) / m
        return value


def _missed(low, X, Y):
    """The Means of k - k̂."""
    P, n = np.concatenate([X, Y]), len(X)
    F = low.features(P)
    R = low.kernel(P) - F @ F.T
    own = np.diag(R)
    return Means(_off(R[:n, :n]), _off(R[n:, n:]), R[:n, n:].mean(), own[:n].mean(), own[n:].mean())


def _off(R):
    """The mean off the diagonal; 0 of one point."""
    return (R.sum() - np.trace(R)) / max(len(R) * (len(R) - 1), 1)
