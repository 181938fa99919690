"""Coordinates of points in which a kernel is an inner product, and the effect of an observation on weights there."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from scipy.linalg import solve_triangular

from explorer.kernels import Kernel
from explorer.kernels.low_rank import FiniteRank
from explorer.linalg import Ridge, pivoted_cholesky
from explorer.types import Matrix, Points, Vector


class Features(NamedTuple):
    """Factor F of K = F F' for points X, up to rounding, by pivoted Cholesky: r columns, few if the kernel is smooth.

    Attributes
    ----------
    kernel : Kernel
        The chosen kernel.
    F : ndarray of shape (n, r)
        Coordinates of the points.
    corner : ndarray of shape (r, r)
        Lower triangular: the rows of F at the pivots.
    at : ndarray of shape (r, d)
        Points of the pivots.
    """

    kernel: Kernel
    F: np.ndarray
    corner: np.ndarray
    at: np.ndarray

    @classmethod
    def of(cls, kernel: Kernel, X: Points) -> Self:
        """Return the Features of points X (n, d) under a chosen kernel."""
        factor = pivoted_cholesky(kernel.diagonal(X), lambda i: kernel(X, X[i : i + 1])[:, 0])
        return cls(kernel, factor.F, factor.F[factor.pivots], X[factor.pivots])

    def __call__(self, x: Matrix) -> Matrix:
        """Return the coordinates of points x (m, d), shape (r, m): F times them is k(X, x)."""
        return solve_triangular(self.corner, self.kernel(self.at, x), lower=True, check_finite=False)


class FewFeatures(NamedTuple):
    """Counterpart of `Features` for a kernel of finite rank: F (n, r) of the points X, and one point of X."""

    low: FiniteRank
    F: np.ndarray
    at: np.ndarray

    def __call__(self, x: Points) -> Matrix:
        """Return the coordinates of points x (m, d), shape (r, m): F times them is k̂(X, x)."""
        return self.low.features(x).T


def features(kernel: Kernel, X: Points, low: FiniteRank | None = None) -> Features | FewFeatures:
    """Return coordinates of points X (n, d) under the kernel, or under the kernel of finite rank in its place."""
    return Features.of(kernel, X) if low is None else FewFeatures(low, low.features(X), X[:1])


class Observation:
    """The map f -> A(A² + λ̃I)^-1 f for A = F'DF, K = FF' (n, n) and D = diag(w), weights w (n,) of any sign.

    With k_x = F f this is everything in Bayes' rule that depends on D: D K((DK)² + λ̃)^-1 D k_x = D F A(A² + λ̃)^-1 f,
    and K((DK)² + λ̃)^-1 D k_x = F A(A² + λ̃)^-1 f, because (DF A F' + λ̃) DF = DF (A² + λ̃). A matrix that is neither
    symmetric nor positive in n dimensions becomes a function of a symmetric matrix in r <= n dimensions, and A² + λ̃I
    is positive.
    """

    ridge: Ridge

    def __init__(self, F: Matrix, w: Vector, lam: float) -> None:
        self.A = (F.T * w) @ F
        self.ridge = Ridge(self.A @ self.A.T, lam)

    def __call__(self, f: Vector) -> Vector:
        """Return the map's value at f, shape (r,) or (r, m)."""
        return self.ridge(self.A @ f)
