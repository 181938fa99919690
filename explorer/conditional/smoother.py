"""Kernel ridge regression: on points that may coincide, or on features of a kernel of finite rank, in O(n r²)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.embeddings.forms import coordinates
from explorer.kernels.low_rank import Approximation, FiniteRank
from explorer.kernels.low_rank.automatic import StandIn, stand_in, values_take
from explorer.linalg import Ridge
from explorer.types import Labels, Matrix, Points, Rng, Rows, Values, Vector

if TYPE_CHECKING:
    from explorer.embeddings.embedding import Embedding
    from explorer.kernels.base import Kernel

SOLVED, DECOMPOSED = 1e-10, 1e-9  # seconds divided by n³ on a typical core: a system of equations, and eigenvalues


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


class ThinSmoother:
    """Solver of (K̂ + λI)^-1 for K̂ = FF', F (n, r) the features of points X (n, d): `Smoother` by r x r matrices.

    (FF' + λI)^-1 F = F (F'F + λI)^-1, so that weights F c of all points are made of r coefficients. Nothing is
    subtracted from 1/λ, as in Woodbury's formula, which would lose the digits of a small λ.
    """

    low: FiniteRank
    ridge: Ridge

    def __init__(self, low: FiniteRank, X: Points, lam: float) -> None:
        self.low, self.F = low, low.features(X)
        self.ridge = Ridge(self.F.T @ self.F, lam)

    def at(self, x: Points) -> Matrix:
        """Return (K̂ + λI)^-1 k̂(X, x), shape (n, m), for points x (m, d)."""
        return self.F @ self.solved(x)

    def of(self, prior: Embedding) -> Vector:
        """Return (K̂ + λI)^-1 π̂(X), shape (n,), for an embedding of π under k, projected as k̂ is."""
        c: Any = coordinates(self.low, prior.blocks)
        return self.F @ self.ridge(c)

    def predict(self, x: Points, values: Values) -> Values:
        """Return k̂(x, X) (K̂ + λI)^-1 b, shape (m, ...), for values b (n, ...)."""
        return self.low.features(x) @ self.ridge(self.F.T @ values)

    def solved(self, x: Points) -> Matrix:
        """Return (F'F + λI)^-1 φ(x), shape (r, m), for points x (m, d)."""
        return self.ridge(self.low.features(x).T)


class Thin(NamedTuple):
    """A matrix (n, m) that is the product of left (n, r) and right (r, m) and is never stored."""

    left: np.ndarray
    right: np.ndarray

    def __matmul__(self, b: Values) -> Values:
        return self.left @ (self.right @ b)


def smoother(
    kernel: Kernel, X: Points, lam: float, low: FiniteRank | None = None, counts: Vector | None = None
) -> Smoother | ThinSmoother:
    """Return the ridge regression on points X (n, d) under the kernel, or under the one of finite rank in its place."""
    return Smoother(kernel, X, lam, counts) if low is None else ThinSmoother(low, X, lam)


def reduce_kernel(
    kernel: Kernel, X: Points, approximation: Approximation | None, rank: int | None, rng: Rng, solved: float = SOLVED
) -> StandIn:
    """Return the replacement of a kernel whose Gram matrix on X (n, d) is solved, in `solved` n³ seconds."""
    exact = 2 * values_take(kernel, len(X) ** 2, X.shape[1]) + solved * len(X) ** 3
    return stand_in(kernel, X, approximation, rank, rng, exact)
