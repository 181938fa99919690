"""Sums of a stream's features, compared with those of a reference: no row is stored, and batches may be sketches."""

from __future__ import annotations

import math

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings.feature_sums import FeatureSums, refuse_alike
from explorer.printing import plural
from explorer.types import PointsLike

from .betting import Shifts
from .looks import NOTHING, Looks, is_empty
from .scores import COMPONENTS

LEAST = 0.02  # directions with a smaller share of the features' variance are left out, and more for a short reference
NORMAL = 5  # least number of rows times a direction's variance, see `PooledSums.unit`
LUCK = 0.5  # standard errors by which the reference's mean may lie too far along its own direction


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
    """Bets on the distance of the mean of a batch's features from that of all rows before it, see `Monitor`.

    Parameters
    ----------
    reference : Sketch
        Sketch of N rows, with the batches' columns and features.

    Attributes
    ----------
    unit : int
        Batches are merged until they have this many rows, so that their mean along each direction is about normal. If a
        direction has the variance λ, no row is farther off than about 1/√λ of its deviations, because |φ(x)| = 1, and
        the skewness of a mean of m rows is at most about 1/√(mλ), here 1/√NORMAL. Features that are not constructed to
        reach this bound have a tenth of that.
    """

    def __init__(self, reference: FeatureSums) -> None:
        self.kernel, self.columns, self.size = reference.kernel, reference.columns, reference.n
        mean, covariance = reference.mean, reference.covariance
        values, vectors = np.linalg.eigh(covariance)
        refuse_alike(values, "the reference")
        directions = np.column_stack([*_mean_direction(mean, values, vectors, reference.n), vectors[:, -COMPONENTS:]])
        variances = np.square(directions.T @ vectors) @ values
        least = max(LEAST * values.sum(), NORMAL / reference.n)  # below it the reference's mean may not be about normal
        varies = variances >= least
        if not varies.any():
            raise Refusal(
                f"reference has {plural(reference.n, 'row')}, and the means of these features are nearly Gaussian"
                " only from"
                f" {math.ceil(NORMAL / variances.max()):,} rows on; give a sketch of more rows, or the rows themselves."
            )
        self.directions = directions[:, varies]
        self.unit = math.ceil(NORMAL / variances[varies].min())
        self._n, self._sums, self._squares = self._projected(reference)
        self._waiting = reference - reference
        self._bets = Shifts(self.directions.shape[1])

    def take(self, batch: PointsLike | FeatureSums, level: float) -> Looks:
        """Return the Looks after a batch and those that waited for it; no look if there are too few rows yet."""
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
        return Looks(count, np.array([count]), np.array([log]), np.array([log >= -math.log(level)]))

    def _residuals(self):
        """Return z (K,) of the rows that waited, and add them to the rows before."""
        m, sums, squares = self._projected(self._waiting)
        n, mean = self._n, self._sums / self._n
        variance = (self._squares - n * mean**2) / (n - 1)
        z = (sums / m - mean) / np.sqrt((1 / m + 1 / n) * variance)
        self._n, self._sums, self._squares = n + m, self._sums + sums, self._squares + squares
        self._waiting -= self._waiting
        return z

    def _projected(self, sums):
        """Return (m, the sums (K,) along each direction, the sums of squares) of m rows."""
        mean = sums.mean @ self.directions
        variance = np.einsum("ik,ij,jk->k", self.directions, sums.covariance, self.directions, optimize=True)
        return sums.n, sums.n * mean, sums.n * (variance + mean**2)
