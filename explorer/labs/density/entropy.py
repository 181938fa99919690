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
from explorer.workbench.cost import costs
from explorer.workbench.plane_lab import PlaneResult
from explorer.workbench.stages import Steps, one_by_one

from .grids import grid_of
from .lab import DensityLab

MULTIPLES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # the values of ε that are drawn, in units of the error of μ̂
CELLS = {1: 240, 2: 30 * 30}  # by dimension: number of grid cells of the maximum-entropy density


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


# Seconds on the core on which the labs were timed, and numbers held.


def _seconds(lab):
    """Return the seconds of one maximum-entropy density. A narrower kernel has more features on the grid."""
    n, bandwidth = lab.n, max(lab.bandwidth, 1e-9)
    if lab.d == 1:
        return 0.012 + 2e-5 * n + min(0.016, 5e-3 / bandwidth)
    return 0.02 + 6e-5 * n + min(0.12, 0.06 / bandwidth)


def _held(lab):
    return 4 * lab.n**2 + CELLS[lab.d] ** 2


class EntropyStages(PlaneResult[DensityLab]):
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
    @costs("the maximum-entropy density", _seconds, _held, "n", "d")
    def even(self) -> MaximumEntropy:
        """Return the fitted MaximumEntropy."""
        return self.evened(self.lab.eps)

    @for_picture("entropy")
    def even_logs(self) -> Vector:
        """Return the log of the maximum-entropy density at the held-out points, shape (N,); -inf outside its grid."""
        return self.even.logpdf(self.held_out)

    @deferred(lambda result: result.lab.picture == "entropy")
    @costs("the maximum-entropy densities over ε", lambda lab: 1.1 * len(MULTIPLES) * _seconds(lab), _held, "n", "d")
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
