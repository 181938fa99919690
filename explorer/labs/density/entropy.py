"""Stages of the density lab's maximum-entropy picture.

The maximum-entropy density has the largest entropy among the densities whose kernel mean is within ε of the estimate.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.estimators import KME
from explorer.learning import MaximumEntropy
from explorer.types import Matrix, Vector
from explorer.workbench import deferred, for_picture, stage
from explorer.workbench.samples import GaussianInMedians
from explorer.workbench.stages import Steps, one_by_one

from .cost import MULTIPLES
from .grids import grid_of
from .lab import DensityLab


class OverEps(NamedTuple):
    """Maximum-entropy densities for several ε, nan for an ε that cannot be reached.

    Attributes
    ----------
    eps : ndarray of shape (ε,)
        ε in units of the error of μ̂.
    entropy : ndarray of shape (ε,)
        Entropy, in nats.
    nll : ndarray of shape (ε,)
        Held-out negative log-likelihood, in nats.
    """

    eps: np.ndarray
    entropy: np.ndarray
    nll: np.ndarray


class EntropyStages(GaussianInMedians[DensityLab]):
    """Stages of the maximum-entropy density. The result adds the held-out points and their log densities."""

    held_out: stage[Matrix]
    logs: stage[Matrix]

    @for_picture("entropy")
    def error(self) -> float:
        """Return the unit of ε: the root of the estimated E |μ̂ - μ|².

        The estimate (1 - |μ̂|²) / (n - 1) of the square is unbiased.
        """
        square = KME(self.kernel).embed(self.X).norm() ** 2
        return math.sqrt(max(1 - square, 0.0) / (self.lab.n - 1)) or 1.0

    @for_picture("entropy")
    def grid(self) -> Matrix:
        """Return the centres (g, d) of the maximum-entropy density's cells, which extend MARGIN beyond the sample."""
        return grid_of(self.X)

    @for_picture("entropy")
    def even(self) -> MaximumEntropy:
        """Return the fitted MaximumEntropy."""
        return self.evened(self.lab.eps)

    @for_picture("entropy")
    def even_logs(self) -> Vector:
        """Return the log of the maximum-entropy density at the held-out points, shape (N,); -inf outside its grid."""
        return self.even.logpdf(self.held_out)

    @deferred(lambda result: result.lab.picture == "entropy")
    def over_eps(self) -> Steps[OverEps]:
        """Compute the maximum-entropy densities for several ε."""
        found = yield from one_by_one(self._evenly, MULTIPLES)
        return OverEps(np.array(MULTIPLES), *np.array(found).T)

    def evened(self, multiple: float) -> MaximumEntropy:
        """Return the maximum-entropy density for an ε in units of the error of μ̂."""
        return MaximumEntropy(self.kernel, multiple * self.error, self.lab.the_estimator()).fit(self.X, self.grid)

    def _evenly(self, multiple):
        try:
            even = self.evened(multiple)
        except Refusal:
            return math.nan, math.nan
        return even.entropy_, -float(even.logpdf(self.held_out).mean())

    @property
    def beyond(self) -> int:
        """Number of held-out points outside the grid of the maximum-entropy density."""
        return int(np.isneginf(self.even_logs).sum())

    @property
    def even_doubt(self) -> float:
        """Standard error of the gain over the mixture, as the held-out points are a sample, too."""
        return float((self.even_logs - self.logs[-1]).std()) / math.sqrt(len(self.held_out))

    @property
    def even_nll(self) -> float | None:
        """Held-out NLL of the maximum-entropy density.

        It is infinite if a point lies outside the grid, and None if the picture is hidden.
        """
        return None if self.even is None else -float(self.even_logs.mean())
