"""Projection of a kernel on the span of landmarks: Nyström's approximation, and the pivoted Cholesky one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import param
from scipy.linalg import solve_triangular

from explorer import checks
from explorer.kernels.base import Kernel
from explorer.linalg import ROUNDING, pivoted_cholesky, pivoted_cholesky_of
from explorer.parameters import RequiredPart
from explorer.types import ConvertedField, Gram, Matrix, Points, PointsLike, Vector, Weights

from .finite import FiniteRank

if TYPE_CHECKING:
    from explorer.linalg import PivotedCholesky


class LandmarkField(param.Parameter[Any]):
    """Points of any kind, stored as a read-only copy; they have no default."""

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any: ...  # the value's type is the annotation's

    required = True

    def __set__(self, obj: Any, val: Any) -> None:
        super().__set__(obj, checks.read_only(checks.as_array(val, self.name or "landmarks")))


def cholesky(kernel: Kernel, Z: Points, rank: int | None = None) -> PivotedCholesky:
    """Compute the pivoted Cholesky factor of the Gram matrix of points Z (n, d), at most `rank` columns of it.

    A point is finished if what remains of k(z, z) is rounding, relative to itself or to the median one. Under an
    unbounded kernel a far point takes no digit from the others, which a bound relative to the largest would call
    rounding. If all columns may be needed, the whole Gram matrix is computed first.
    """
    diagonal = kernel.diagonal(Z)
    enough = ROUNDING * np.maximum(diagonal, np.median(diagonal))
    if rank is None:
        return pivoted_cholesky_of(kernel(Z), enough)
    if isinstance(kernel, FiniteRank):
        F = kernel.features(Z)  # computed once, and not for each column
        return pivoted_cholesky(diagonal, lambda i: F @ F[i], rank, enough=enough)
    return pivoted_cholesky(diagonal, lambda i: kernel(Z, Z[i : i + 1])[:, 0], rank, enough=enough)


class Landmarks(FiniteRank):
    r"""Projection of a kernel on the span of the k(z_j, .), with landmarks z_j.

    Use it for many points and any kernel. `low_rank` chooses the landmarks.

    .. math:: \hat k(x, y) = k(x, Z) K_{ZZ}^{-1} k(Z, y)

    Parameters
    ----------
    kernel : Kernel
        A kernel whose bandwidth is chosen.
    landmarks : array_like of shape (r, d)
        The landmarks Z: points that the kernel takes, words and categories too.

    Raises
    ------
    ValueError
        If the kernel's bandwidth is not chosen.

    Notes
    -----
    Its features are φ(x) = L^-1 k(Z, x) with L the Cholesky factor of K_ZZ, L L' = K_ZZ. Exact if x or y is a landmark,
    and k - k̂ is a kernel too, so k̂(x, x) <= k(x, x). Landmarks that the others span up to rounding are left out: L is
    computed with pivots, and nothing is added to K_ZZ. Bach and Jordan 2005 (ICML); Williams and Seeger 2001 (NIPS 13).

    Examples
    --------
    >>> from explorer import Gaussian, Landmarks
    >>> k = Landmarks(Gaussian(1.0), [[0.0], [1.0]])
    >>> k([[0.0], [0.5]], [[1.0], [0.5]]).round(4)
    array([[0.6065, 0.8825],
           [0.8825, 0.9695]])
    """

    kernel: Kernel = RequiredPart(class_=Kernel, doc="the kernel that is projected")
    landmarks: ConvertedField[PointsLike, Points] = LandmarkField(doc="the points that span what it is projected on")

    def _check(self):
        self.kernel.chosen()
        points = self.kernel.points(self.landmarks, "landmarks")
        self.landmarks = points  # pyright: ignore[reportAttributeAccessIssue], a check may still write fields

    @property
    def bounded(self) -> bool:
        return self.kernel.bounded

    @property
    def text(self) -> bool:
        return self.kernel.text

    @property
    def space(self) -> str:
        return self.kernel.space

    @property
    def growth(self) -> float:
        return self.kernel.growth

    @property
    def rank(self) -> int:
        return len(self.independent)

    @cached_property
    def _factor(self):
        """The independent landmarks, (r, d), and the lower triangular factor of their Gram matrix, (r, r)."""
        Z = np.asarray(self.landmarks)
        factor = cholesky(self.kernel, Z)
        return Z[factor.pivots], np.tril(factor.F[factor.pivots])

    @cached_property
    def _inverse(self):
        """The inverse L^-1.

        Its products take a third of the time of solves by L, and do not block other Python threads. They are as
        accurate: L = M D, D diagonal, and by the choice of pivots |M_ij| <= 1, so M is well-conditioned.
        """
        return solve_triangular(self._factor[1], np.eye(self.rank), lower=True, check_finite=False)

    @property
    def independent(self) -> Points:
        """The landmarks that the others do not span, shape (r, d)."""
        return self._factor[0]

    kept = independent  # its former name, which users may read

    @property
    def _widest(self):
        return max(self.rank, self.independent.shape[1])

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        X = self.kernel.points(X, name, at_least)
        checks.same_dimension(X, np.asarray(self.landmarks), (name, "landmarks"))
        return X

    def coordinates(self, values: Gram) -> Gram:
        """Compute L^-1 b: if b are a function's values at the independent landmarks, its projection's coordinates.

        Parameters
        ----------
        values : ndarray of shape (r,) or (r, m)
            The values b.

        Returns
        -------
        ndarray of shape (r,) or (r, m)
            The coordinates.
        """
        if not self.rank:
            return np.zeros(np.shape(values))
        return self._inverse @ values

    def weights(self, coordinates: Vector) -> Vector:
        """Compute w = L^-T c, with which Σ_j w_j k(z_j, .) is the function of coordinates c.

        Parameters
        ----------
        coordinates : ndarray of shape (r,)
            The coordinates c.

        Returns
        -------
        ndarray of shape (r,)
            The weights w.
        """
        if not self.rank:
            return np.zeros(0)
        return self._inverse.T @ coordinates

    def sum_features(self, X: PointsLike, weights: Weights, covariance: Matrix | None = None) -> Vector:
        """Compute Σ_i w_i φ(x_i): the values at the landmarks are summed, and L^-1 is applied once.

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
            total += weights[part] @ self._values(X[part], covariance)
        return self.coordinates(total)

    def _values(self, X, covariance):
        """Compute k(x_i, z_j), (n, r), or its expectation if the x_i carry Gaussian noise."""
        if not self.rank:
            return np.zeros((len(X), 0))
        if covariance is None:
            return self.kernel(X, self.independent)
        return self.kernel.expected(X, covariance, self.independent, None)

    def _features(self, X, covariance):
        values = self._values(X, covariance)
        return values @ self._inverse.T if self.rank else values
