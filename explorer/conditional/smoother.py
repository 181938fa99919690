"""Kernel ridge regression on points that may coincide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.linalg import Ridge
from explorer.types import Labels, Matrix, Points, Rows, Values, Vector

if TYPE_CHECKING:
    from explorer.embeddings.embedding import Embedding
    from explorer.kernels.base import Kernel


class Smoother:
    """Solver of (K + λI)^-1 for the Gram matrix K of points X (n, d), with equal points merged.

    With K = Z H Z', where H is the Gram matrix of the u different points and Z'Z = N how often each occurs, (K + λI)^-1
    Z b is Z N^(-1/2) (N^(1/2) H N^(1/2) + λI)^-1 N^(1/2) b. If points coincide, as categories do, no digit is lost to
    the null directions of K, however small λ is, and the cost is O(u³). A point may count several times: `counts` (n,)
    says how often, and its weight is the sum over its copies. `ThinSmoother` has the same methods for a kernel of
    finite rank.
    """

    kernel: Kernel
    points: Points
    first: Rows
    group: Rows
    counts: Vector
    root: Vector
    ridge: Ridge

    def __init__(self, kernel: Kernel, X: Points, lam: float, counts: Vector | None = None) -> None:
        self.kernel, self.X = kernel, X
        self.points, self.first, group = np.unique(X, axis=0, return_index=True, return_inverse=True)
        self.group, self.counts = group.ravel(), np.ones(len(X)) if counts is None else counts
        self.root = np.sqrt(np.bincount(self.group, self.counts))
        self.ridge = Ridge(kernel(self.points) * np.outer(self.root, self.root), lam)

    def at(self, x: Labels) -> Matrix:
        """Return (K + λI)^-1 k(X, x), shape (n, m), for points x (m, d)."""
        return self.weights(self.kernel(self.X, x))

    def of(self, prior: Embedding) -> Vector:
        """Return (K + λI)^-1 π̂(X), shape (n,), for an embedding of π under the kernel."""
        return self.weights(prior(self.X))

    def predict(self, x: Labels, values: Values) -> Values:
        """Return k(x, X) (K + λI)^-1 b, shape (m, ...), for values b (n, ...): one solve for all targets and all x."""
        return self.kernel(x, self.points) @ self.function(values)

    def weights(self, B: Values) -> Values:
        """Return (K + λI)^-1 B, shape (n, ...), for B (n, ...) that is a function of the points."""
        each = self._scaled(self.ridge(self._scaled(B[self.first], self.root)), 1 / self.root)[self.group]
        return self._scaled(each, self.counts)

    def function(self, values: Values) -> Values:
        """Return the coefficients (u, ...) on `points` of the regression of values (n, ...): Σ_j c_j k(z_j, .)."""
        values = np.asarray(values, dtype=float)
        sums = np.zeros((len(self.points), *values.shape[1:]))
        np.add.at(sums, self.group, self._scaled(values, self.counts))
        return self._scaled(self.ridge(self._scaled(sums, 1 / self.root)), self.root)

    @staticmethod
    def _scaled(B, factors):
        return (B.T * factors).T
