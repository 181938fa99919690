"""What every kernel of finite rank is: an inner product of features."""

from __future__ import annotations

import numpy as np

from explorer.cancellation import check_cancelled
from explorer.kernels.base import Kernel
from explorer.types import Gram, Matrix, Points, PointsLike, Vector, Weights

ENTRIES = 2**22  # of a block of features: 32 MB, of which three or four are held at a time


class FiniteRank(Kernel):
    """k̂(x, y) = <φ(x), φ(y)> with φ(x) in R^r: a Gram matrix of any points has rank r at most.

    rank  r, the number of features

    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.kernels.low_rank import FiniteRank, low_rank
    >>> X = np.linspace(0.0, 1.0, 50)[:, None]
    >>> kernel: FiniteRank = low_rank(Gaussian(1.0), X, "nystrom", rank=4)
    >>> kernel.rank, kernel.features(X).shape, float(abs(kernel(X) - Gaussian(1.0)(X)).max().round(3))
    (4, (50, 4), 0.001)
    """

    finite_rank = True

    @property
    def rank(self) -> int:
        """r, the number of features."""
        raise NotImplementedError

    def features(self, X: PointsLike, covariance: Matrix | None = None) -> Gram:
        """φ(x_i), (n, r), of points X (n, d); of points that carry N(0, covariance), E φ(x_i + u)."""
        X = self.points(X)
        F = np.empty((len(X), self.rank))
        for part in self.parts(len(X)):
            check_cancelled()
            F[part] = self._features(X[part], covariance)
        return F

    def sum_features(self, X: PointsLike, weights: Weights, covariance: Matrix | None = None) -> Vector:
        """Σ_i w_i φ(x_i), (r,), with weights (n,); never more than a block of features at a time."""
        X, total = self.points(X), np.zeros(self.rank)
        for part in self.parts(len(X)):
            total += weights[part] @ self._features(X[part], covariance)
        return total

    def parts(self, n: int) -> list[slice]:
        """Blocks of rows whose features fit into some 100 MB, as slices of n rows."""
        rows = max(1, ENTRIES // max(self._widest, 1))
        return [slice(start, min(start + rows, n)) for start in range(0, n, rows)]

    @property
    def _widest(self):
        """How many numbers a row of a block takes at most."""
        return self.rank

    def _features(self, X, covariance):
        raise NotImplementedError

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        """Gram matrix k̂(x_i, y_j), (n, m); Y=None means Y=X."""
        X, Y = self._two(X, Y)
        F = self.features(X)
        return F @ F.T if Y is None else F @ self.features(Y).T

    def pairs(self, X: Points, Y: Points | None = None) -> tuple[Gram, Gram]:
        return self.features(X), self.features(X if Y is None else Y)

    def of_pairs(self, S: tuple[Gram, Gram]) -> Gram:
        return S[0] @ S[1].T

    def diagonal(self, X: PointsLike) -> Vector:
        X = self.points(X)
        squares = [np.square(self._features(X[part], None)).sum(axis=1) for part in self.parts(len(X))]
        return np.concatenate(squares)

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """<E φ(x_i + u), E φ(y_j + v)>, (n, m), u and v being independent."""
        return self.features(X, C) @ self.features(Y, D).T
