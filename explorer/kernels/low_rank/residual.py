"""What landmarks miss of kernel means: squared distances under the kernel k - k̂, exactly or by parts of the points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from explorer.rng import stream
from explorer.types import Points, Rng, Rows

if TYPE_CHECKING:
    from .finite import FiniteRank

WHOLE = 1500  # points of a sample up to which all take part
PARTS, ROWS = 32, 400  # random parts of a larger one, and points of each
SKEWED = 0.9995  # of Student's t: far points make estimates skewed, so that 99.9 % limits hold 99 times of 100


class Residual:
    """What landmarks miss of MMD^2 of two samples, [(n, d), (m, d)], or of the squared norm of one's kernel mean.

    It is known exactly where samples have 1500 points at most; else 32 random parts of each, of 400 points, give as
    many unbiased estimates. These points alone are kept.
    """

    def __init__(self, low: FiniteRank, samples: Sequence[Points], rng: Rng) -> None:
        self._low, self._sizes, self._parts = low, [len(X) for X in samples], [tuple(samples)]
        if max(self._sizes) > WHOLE:
            generator = stream(rng, "points tried")
            rows = zip(*(random_rows(n, generator) for n in self._sizes), strict=True)
            self._parts = [tuple(X[i] for X, i in zip(samples, each, strict=True)) for each in rows]

    @cached_property
    def _means(self):
        return [Means.of(self._low, part) for part in self._parts]

    def limit(self, statistic: str) -> float:
        """Its size, or a 99 % limit of that."""
        found = [each.squared(self._sizes, statistic) for each in self._means]
        return limit_of_size(found) if len(found) > 1 else abs(found[0])


def limit_of_size(found: Sequence[float]) -> float:
    """A 99 % limit of the size of what independent estimates are of: their average, and t times its standard error."""
    error = np.std(found, ddof=1) / math.sqrt(len(found))
    return float(abs(np.mean(found)) + stdtrit(len(found) - 1, SKEWED) * error)


def random_rows(n: int, generator: np.random.Generator) -> list[Rows]:
    """Row numbers of random parts of n points, each drawn from all of them."""
    return [generator.choice(n, min(ROWS, n), replace=False) for _ in range(PARTS)]


class Means(NamedTuple):
    """Means of a kernel: over pairs within each sample, of two different points, over the pairs of each point with
    itself, and over those between two samples, 0 of one.
    """

    within: tuple[float, ...]
    own: tuple[float, ...]
    between: float

    @classmethod
    def of(cls, low: Any, samples: Sequence[Points]) -> Means:
        """Those of k - k̂."""
        P = np.concatenate(samples)
        F = low.features(P)
        R = low.kernel(P) - F @ F.T
        parts = [slice(*ends) for ends in pairwise(np.cumsum([0, *map(len, samples)]))]
        own = tuple(float(np.diag(R)[each].mean()) for each in parts)
        between = float(R[parts[0], parts[1]].mean()) if len(parts) > 1 else 0.0
        return cls(tuple(_off(R[each, each]) for each in parts), own, between)

    def squared(self, sizes: Sequence[int], statistic: str) -> float:
        """MMD^2, or a kernel mean's squared norm, of samples of these sizes that have these means."""
        value = sum(self.within) - 2 * self.between
        if statistic == "biased":  # the pairs i = j are a share 1 / n of all
            value += sum((own - within) / n for own, within, n in zip(self.own, self.within, sizes, strict=True))
        return value


def _off(R):
    """The mean off the diagonal; 0 of one point."""
    return float((R.sum() - np.trace(R)) / max(len(R) * (len(R) - 1), 1))
