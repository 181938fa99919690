"""The empirical kernel mean."""

from __future__ import annotations

import numpy as np

from explorer.embeddings import Embedding
from explorer.embeddings.risk import variance

from .base import Estimator
from .simple import Summary


class KME(Estimator):
    """The empirical kernel mean μ̂ = (1/n) sum_i k(x_i, .): unbiased, with risk (E k(x, x) - |μ|^2) / n."""

    equal_weights = plain = True

    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.full(len(X), 1 / len(X)))

    def select(self, X):
        return self.replace(kernel=self._kernel(X)[0])

    def loocv(self, X):
        """Its leave-one-out score, one number; n >= 2."""
        kernel, X, K = self._gram(X, 2)
        return float(Summary.of(K, contrast=self._contrast(kernel, X)).loocv(0.0))

    def risk(self, law, n):
        """E |μ̂ - μ|^2 = (E k(x, x) - |μ|^2) / n, exactly."""
        return variance(law, self._fixed_kernel(), n)
