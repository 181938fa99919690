"""The empirical kernel mean."""

from __future__ import annotations

from typing import Self

import numpy as np

from explorer.embeddings import Embedding
from explorer.embeddings.law import Law
from explorer.embeddings.risk import variance
from explorer.types import PointsLike

from .base import Estimator
from .simple import Summary


class KME(Estimator):
    """The empirical kernel mean μ̂ = (1/n) sum_i k(x_i, .): unbiased, with risk (E k(x, x) - |μ|^2) / n.

    >>> from explorer import KME, Gaussian
    >>> KME(Gaussian(1.0)).embed([[0.0], [2.0]]).weights
    array([0.5, 0.5])
    """

    label, equal_weights, plain = "KME", True, True

    def embed(self, X: PointsLike) -> Embedding:
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.full(len(X), 1 / len(X)))

    def select(self, X: PointsLike) -> Self:
        return self.replace(kernel=self._kernel(X)[0])

    def loocv(self, X: PointsLike) -> float:
        """Its leave-one-out score, one number; n >= 2."""
        kernel, X, K = self._gram(X, 2)
        return float(Summary.of(K, contrast=self._contrast(kernel, X)).loocv(0.0))

    def risk(self, law: Law, n: int) -> float:
        """E |μ̂ - μ|^2 = (E k(x, x) - |μ|^2) / n, exactly."""
        return variance(law, self._fixed_kernel(), n)
