"""The Density lab's most even density: the one of the largest entropy whose kernel mean is within ε of the estimate."""

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
from .lab import DensityLab
from .places import grid_of


class OverEps(NamedTuple):
    """The most even densities over ε in units of the error of μ̂: entropy and held-out NLL, (ε,); nan out of reach."""

    eps: np.ndarray
    entropy: np.ndarray
    nll: np.ndarray


class EntropyStages(GaussianInMedians[DensityLab]):
    """The stages of the most even density; the result has the points held out, and their log densities."""

    held: stage[Matrix]
    logs: stage[Matrix]

    @for_picture("entropy")
    def error(self) -> float:
        """The root of the estimated E |μ̂ - μ|², in which ε counts: its estimate (1 - |μ̂|²) / (n - 1) is unbiased."""
        square = KME(self.kernel).embed(self.X).norm() ** 2
        return math.sqrt(max(1 - square, 0.0) / (self.lab.n - 1)) or 1.0

    @for_picture("entropy")
    def grid(self) -> Matrix:
        """The cells of the most even density, their centres (g, d): half a range about the sample."""
        return grid_of(self.X)

    @for_picture("entropy")
    def even(self) -> MaximumEntropy:
        """The MaximumEntropy."""
        return self.evened(self.lab.eps)

    @for_picture("entropy")
    def even_logs(self) -> Vector:
        """Its log density at the points held out, (N,); -inf beyond its grid."""
        return self.even.logpdf(self.held)

    @deferred(lambda result: result.lab.picture == "entropy")
    def over_eps(self) -> Steps[OverEps]:
        """The most even densities OverEps."""
        found = yield from one_by_one(self._evenly, MULTIPLES)
        return OverEps(np.array(MULTIPLES), *np.array(found).T)

    def evened(self, multiple: float) -> MaximumEntropy:
        """The most even density at an ε in units of the error of μ̂."""
        return MaximumEntropy(self.kernel, multiple * self.error, self.lab.the_estimator()).fit(self.X, self.grid)

    def _evenly(self, multiple):
        try:
            even = self.evened(multiple)
        except Refusal:
            return math.nan, math.nan
        return even.entropy_, -float(even.logpdf(self.held).mean())

    @property
    def beyond(self) -> int:
        """How many of the points held out lie beyond the grid of the most even density."""
        return int(np.isneginf(self.even_logs).sum())

    @property
    def even_doubt(self) -> float:
        """The standard error of its gain over the mixture: the points held out are a sample, too."""
        return float((self.even_logs - self.logs[-1]).std()) / math.sqrt(len(self.held))

    @property
    def even_nll(self) -> float | None:
        """The held-out NLL of the most even density; infinite where a point lies beyond its grid, None where hidden."""
        return None if self.even is None else -float(self.even_logs.mean())
