"""The sums of a stream's features beside those of a reference: no row is kept, and batches may be sketches."""

from __future__ import annotations

import math

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings.feature_sums import FeatureSums, refuse_alike
from explorer.types import PointsLike

from .betting import Shifts
from .scores import COMPONENTS
from .taken import NOTHING, Taken, is_empty

LEAST = 0.02  # of the features' variance: directions of less are left out, and more of a short reference
NORMAL = 5  # m rows times a direction's variance, see `PooledSums.unit`
LUCK = 0.5  # standard errors that the reference's mean may lie too far along its own direction


def _mean_direction(mean, values, vectors, n):
    """Return the direction (r, 1) of the mean of n rows' features in a list, or an empty list if noise decides on it.

    The mean m has the error e, E|e|² = tr(C)/n for the features' covariance C, and lies about tr(C) / (n |m|) too far
    along its own direction: the next rows would seem to have changed. Principal components do not depend on m.
    """
    size = float(np.linalg.norm(mean))
    direction = mean / size if size > 0 else mean
    error = math.sqrt(float(np.square(direction @ vectors) @ values) / n)
    return [direction[:, None]] if values.sum() <= LUCK * n * size * error else []


class PooledSums:
    """Bets on how far the mean of a batch's features lies from that of all rows before it, see `Monitor`.

    reference  a sketch of N rows, whose columns and features the batches have
    unit       batches are put together until they have so many rows, so that their mean along each direction is about
               normal. Where a direction has the variance λ, no row is further than about 1/√λ of its deviations off,
               as |φ(x)| = 1, and the skewness of a mean of m rows is at most about 1/√(mλ), here 1/√NORMAL; features
               that are not made for it have a tenth of that
    """

    def __init__(self, reference: FeatureSums) -> None:
        self.kernel, self.columns, self.size = reference.kernel, reference.columns, reference.n
        mean, covariance = reference.mean, reference.covariance
        values, vectors = np.linalg.eigh(covariance)
        refuse_alike(values, "the reference")
        directions = np.column_stack([*_mean_direction(mean, values, vectors, reference.n), vectors[:, -COMPONENTS:]])
        variances = np.square(directions.T @ vectors) @ values
        least = max(LEAST * values.sum(), NORMAL / reference.n)  # of fewer rows the mean may not be about normal
        varies = variances >= least
        if not varies.any():
            raise Refusal(
                f"reference has {reference.n:,} rows, and the means of these features are about normal from"
                f" {math.ceil(NORMAL / variances.max()):,} rows on; give a sketch of more rows, or the rows themselves."
            )
        self.directions = directions[:, varies]
        self.unit = math.ceil(NORMAL / variances[varies].min())
        self._seen, self._sums, self._squares = self._projected(reference)
        self._waiting = reference - reference
        self._bets = Shifts(self.directions.shape[1])

    def take(self, batch: PointsLike | FeatureSums, level: float) -> Taken:
        """The wealth after a batch, and those that waited for it; no look where there are too few rows yet."""
        if is_empty(batch):
            return NOTHING
        before = self._waiting.n
        if isinstance(batch, FeatureSums):
            self._waiting += self._waiting.refuse_other(batch, "a Monitor of sketches")
        else:
            self._waiting = self._waiting.copy().update(batch)
        count = self._waiting.n - before
        if self._waiting.n < self.unit:
            return NOTHING._replace(n=count)
        log = float(self._bets.take(self._residuals()))
        return Taken(count, np.array([count]), np.array([log]), np.array([log >= -math.log(level)]))

    def _residuals(self):
        """z (K,) of the rows that waited, which then are among those seen."""
        m, sums, squares = self._projected(self._waiting)
        n, mean = self._seen, self._sums / self._seen
        variance = (self._squares - n * mean**2) / (n - 1)
        z = (sums / m - mean) / np.sqrt((1 / m + 1 / n) * variance)
        self._seen, self._sums, self._squares = n + m, self._sums + sums, self._squares + squares
        self._waiting -= self._waiting
        return z

    def _projected(self, sums):
        """(m, the sums (K,) along each direction, those of squares) of m rows."""
        mean = sums.mean @ self.directions
        variance = np.einsum("ik,ij,jk->k", self.directions, sums.covariance, self.directions, optimize=True)
        return sums.n, sums.n * mean, sums.n * (variance + mean**2)
