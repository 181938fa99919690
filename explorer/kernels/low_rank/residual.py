"""Residual of landmarks: squared distances of kernel means under k - k̂, exactly or by parts of the points."""

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

WHOLE = 1500  # largest sample that is used whole
PARTS, ROWS = 32, 400  # numbers of random parts of a larger sample, and of points of each
SKEWED = 0.9995  # quantile of Student's t: far points skew estimates, so that 99.9 % limits hold 99 times of 100


class Residual:
    """Residual of landmarks: MMD² of two samples, or the squared norm of one sample's kernel mean, under k - k̂.

    It is known exactly if samples have at most 1500 points. Otherwise 32 random parts of each, of 400 points, give as
    many unbiased estimates. Only these points are kept.

    Parameters
    ----------
    low : FiniteRank
        The kernel of finite rank.
    samples : sequence of ndarray
        One or two samples, (n, d) and (m, d).
    rng : int, Generator or None
        Seed of the random parts.
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
        """Return the residual's size if it is known exactly, or a 99 % limit of it.

        Parameters
        ----------
        statistic : {"biased", "unbiased"}
            The form of the statistic.

        Returns
        -------
        float
            The size or its limit.
        """
        estimates = [each.squared(self._sizes, statistic) for each in self._means]
        return limit_of_size(estimates) if len(estimates) > 1 else abs(estimates[0])


def limit_of_size(estimates: Sequence[float]) -> float:
    """Compute a 99 % limit of a number's size from independent estimates: |average| + t times its standard error.

    Parameters
    ----------
    estimates : sequence of float
        Independent unbiased estimates.

    Returns
    -------
    float
        The limit.
    """
    error = np.std(estimates, ddof=1) / math.sqrt(len(estimates))
    return float(abs(np.mean(estimates)) + stdtrit(len(estimates) - 1, SKEWED) * error)


def random_rows(n: int, generator: np.random.Generator) -> list[Rows]:
    """Draw row numbers of random parts of n points, each from all of them.

    Parameters
    ----------
    n : int
        Number of points.
    generator : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    list of ndarray
        The row numbers of each part.
    """
    return [generator.choice(n, min(ROWS, n), replace=False) for _ in range(PARTS)]


class Means(NamedTuple):
    """Means of a kernel over pairs of points, within one or two samples and between them.

    Attributes
    ----------
    within : tuple of float
        For each sample, the mean over pairs of two different points.
    own : tuple of float
        For each sample, the mean over the pairs of each point with itself.
    between : float
        The mean over pairs of points from both samples; 0 for one sample.
    """

    within: tuple[float, ...]
    own: tuple[float, ...]
    between: float

    @classmethod
    def of(cls, low: Any, samples: Sequence[Points]) -> Means:
        """Compute the means of k - k̂, the error of a kernel k̂ of finite rank, within each sample and between two."""
        P = np.concatenate(samples)
        F = low.features(P)
        R = low.kernel(P) - F @ F.T
        parts = [slice(*ends) for ends in pairwise(np.cumsum([0, *map(len, samples)]))]
        own = tuple(float(np.diag(R)[each].mean()) for each in parts)
        between = float(R[parts[0], parts[1]].mean()) if len(parts) > 1 else 0.0
        return cls(tuple(_off(R[each, each]) for each in parts), own, between)

    def squared(self, sizes: Sequence[int], statistic: str) -> float:
        """Return MMD², or a kernel mean's squared norm, for samples of these sizes that have these means."""
        value = sum(self.within) - 2 * self.between
        if statistic == "biased":  # the pairs i = j are a share 1 / n of all pairs
            value += sum((own - within) / n for own, within, n in zip(self.own, self.within, sizes, strict=True))
        return value


def _off(R):
    """Compute the mean off the diagonal; 0 for one point."""
    return float((R.sum() - np.trace(R)) / max(len(R) * (len(R) - 1), 1))
