"""What landmarks miss of MMD^2: the statistic of the kernel k - k̂, exactly or on blocks of the points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import stdtrit

from explorer.kernels.low_rank.fourier import CERTAIN
from explorer.rng import stream
from explorer.types import Points, Rng, Rows

if TYPE_CHECKING:
    from explorer.kernels.low_rank.finite import FiniteRank

WHOLE = 1500  # points of a sample up to which all take part
PARTS, ROWS = 32, 400  # random parts of a larger one, and points of each


def limit_of_missed(low: FiniteRank, X: Points, Y: Points, statistic: str, rng: Rng) -> float:
    """|MMD^2| of X (n, d) and Y (m, d) under k - k̂: exact where both have 1500 points at most, else a 99 % limit of it.

    Each of 32 random parts of either sample, of 400 points, gives an unbiased estimate of the statistic of all.
    """
    n, m = len(X), len(Y)
    if max(n, m) <= WHOLE:
        return abs(_missed(low, X, Y).mmd2(n, m, statistic))
    generator = stream(rng, "points tried")
    parts = zip(random_rows(n, generator), random_rows(m, generator), strict=True)
    return limit_of_size([_missed(low, X[i], Y[j]).mmd2(n, m, statistic) for i, j in parts])


def limit_of_size(found: Sequence[float]) -> float:
    """A 99 % limit of the size of what independent estimates are of: their average, and t times its standard error."""
    error = np.std(found, ddof=1) / math.sqrt(len(found))
    return float(abs(np.mean(found)) + stdtrit(len(found) - 1, CERTAIN) * error)


def random_rows(n: int, generator: np.random.Generator) -> list[Rows]:
    """Row numbers of random parts of n points, each drawn from all of them."""
    return [generator.choice(n, min(ROWS, n), replace=False) for _ in range(PARTS)]


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
