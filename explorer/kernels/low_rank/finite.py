"""Base class of the kernels of finite rank: an inner product of features."""

from __future__ import annotations

import numpy as np

from explorer.execution.cancellation import check_cancelled
from explorer.kernels.base import Kernel
from explorer.types import Gram, Matrix, Points, PointsLike, Vector, Weights

ENTRIES = 2**22  # entries of a block of features, 32 MB; three or four blocks are in memory at a time


class FiniteRank(Kernel):
    r"""Kernel of finite rank: an inner product of r features.

    .. math:: \hat k(x, y) = \langle \varphi(x), \varphi(y) \rangle, \quad \varphi(x) \in R^r

    A Gram matrix of any points has at most rank r.

    Examples
    --------
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
        """The number r of features."""
        raise NotImplementedError

    def features(self, X: PointsLike, covariance: Matrix | None = None) -> Gram:
        """Compute the features φ(x_i), or E φ(x_i + u) for points that carry noise u ~ N(0, covariance).

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.
        covariance : ndarray of shape (d, d) or None, default None
            Covariance of the noise; None stands for zero.

        Returns
        -------
        ndarray of shape (n, r)
            The features.
        """
        X = self.points(X)
        F = np.empty((len(X), self.rank))
        for part in self.parts(len(X)):
            check_cancelled()
            F[part] = self._features(X[part], covariance)
        return F

    def sum_features(self, X: PointsLike, weights: Weights, covariance: Matrix | None = None) -> Vector:
        """Compute Σ_i w_i φ(x_i) with never more than a block of features in memory.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.
        weights : ndarray of shape (n,)
            The weights w.
        covariance : ndarray of shape (d, d) or None, default None
            Covariance of noise on the points; None stands for zero.

        Returns
        -------
        ndarray of shape (r,)
            The sum.
        """
        X, total = self.points(X), np.zeros(self.rank)
        for part in self.parts(len(X)):
            total += weights[part] @ self._features(X[part], covariance)
        return total

    def parts(self, n: int) -> list[slice]:
        """Return blocks of rows whose features fit into some 100 MB.

        Parameters
        ----------
        n : int
            Number of rows.

        Returns
        -------
        list of slice
            The blocks.
        """
        rows = max(1, ENTRIES // max(self._widest, 1))
        return [slice(start, min(start + rows, n)) for start in range(0, n, rows)]

    @property
    def _widest(self):
        """Most numbers that are computed for one row of X, which limits the rows of a block."""
        return self.rank

    def _features(self, X, covariance):
        raise NotImplementedError

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        """Compute the Gram matrix k̂(x_i, y_j), (n, m); Y=None means Y=X."""
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
        """Compute <E φ(x_i + u), E φ(y_j + v)>, where u and v are independent.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.
        """
        return self.features(X, C) @ self.features(Y, D).T
