"""Laplacian kernel, and its expectations under Gaussians."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

from explorer.types import Matrix, Points, PointsLike, Vector

from .bandwidth import bandwidth_field, known, median_bandwidth
from .base import Kernel, total
from .distances import exponentials
from .energy import mean_norm_gain
from .increments import NEAR, StationaryIncrements, middle, typical
from .laplacian_noise import one_dimension, several_dimensions

if TYPE_CHECKING:
    from explorer.kernels.noisy.laplacian import LaplacianPairs


TINY = 5e-6  # largest reach over bandwidth for which two moments give 1 - E k to more digits than the difference


class Laplacian(Kernel):
    r"""Laplacian kernel: exponential of the sum of absolute differences.

    Use it for functions and densities with kinks or jumps. For smooth ones use `Gaussian`.

    .. math:: k(x, y) = \exp\Bigl(-\frac{|x - y|_1}{\theta}\Bigr), \quad |z|_1 = \sum_l |z_l|

    Parameters
    ----------
    bandwidth : float or None, default None
        The bandwidth θ, in units of x. None chooses it on the data by the median heuristic: ``θ = median of |x_i -
        x_j|_1 over i < j``.

    Notes
    -----
    Bounded: k(x, x) = 1. Characteristic and universal: its Fourier transform, a product of 2 θ / (1 + θ^2 ω^2), is
    positive everywhere (Sriperumbudur et al. 2010, J. Mach. Learn. Res. 11, 1517; Sriperumbudur et al. 2011, J. Mach.
    Learn. Res. 12, 2389).

    Examples
    --------
    >>> from explorer import Laplacian
    >>> Laplacian(2.0)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """

    bounded = characteristic = universal = stationary = has_bandwidth = True
    metric: ClassVar[Literal["cityblock"]] = "cityblock"
    bandwidth: float | None = bandwidth_field()

    def select(self, X: PointsLike) -> Laplacian:
        return self if self.bandwidth is not None else Laplacian(median_bandwidth(X, self.metric))

    def log_mass(self, d: int) -> float:
        return d * math.log(2 * self.theta())

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        D = squareform(pdist(X, self.metric)) if Y is None else cdist(X, Y, self.metric)
        return np.asarray(D, dtype=np.float64)

    def of_pairs(self, S: Matrix) -> Matrix:
        with np.errstate(over="ignore"):  # a distance of more than 1e308 bandwidths is infinite, and its kernel value 0
            return exponentials(-S / self.theta())

    def diagonal(self, X: PointsLike) -> Vector:
        return np.ones(len(self.points(X)))

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute ``E exp(-|x - y + u - v|_1 / θ)`` with u - v ~ N(0, S), S = C + D, for any S >= 0.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.

        Notes
        -----
        Coordinates that S couples to no other have a closed form, so a diagonal S has one. The others have none and are
        integrated numerically, see `laplacian_noise`: the result is symmetric, and always the same number for the same
        pair. The error in units of the value at x = y, measured on Wishart S, root mean square (θ in medians of ``|x_i
        - x_j|_1`` of the papers' mixture):

        - d = 2: 1e-8, and 1e-6 at a correlation of 0.99
        - d = 3: 1e-6
        - d >= 4: 5e-4 at θ = 1 and ten times less at θ = 10; 4e-3 at θ = 0.1, 1e-2 at θ = 0.03

        `expected_with_error` gives it for each entry. An RKHS distance below the root of it means nothing. A pair takes
        about 0.02 ms for d = 2, 0.2 ms for 3, 1 ms for 5, 5 ms for 20 and 12 ms for 50.
        """
        return self._expected(X, C, Y, D, error=False)[0]

    def less_one(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E k - 1 without subtracting 1, between points, and between Gaussians under a wide bandwidth.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The differences.

        Notes
        -----
        If the bandwidth is at least 1e5 times the reach of the Gaussians, the result is ``-E|z|_1 / θ + E|z|_1^2 / (2
        θ^2)``. The second term uses each coordinate's own second moment and products of first moments. So the result is
        exact to ``(|z| / θ)^3`` if S is diagonal, and to ``(|z| / θ)^2`` if not.
        """
        S, theta = total(C, D), self.theta()
        if S is None:
            with np.errstate(over="ignore"):
                return np.expm1(-self.pairs(X, None if X is Y else Y) / theta)
        less = self.expected(X, C, Y, D) - 1
        s = np.sqrt(np.diag(S)) / theta
        with np.errstate(over="ignore"):
            m = np.abs(X[:, None] - Y) / theta
        tiny = m.sum(axis=2) + s.sum() <= TINY
        if tiny.any():
            m = m[tiny]
            gain = [mean_norm_gain(m[:, [l]], np.array([[s[l] ** 2]])) for l in range(len(s))]
            less[tiny] = np.expm1(np.log1p(0.5 * (m**2 + s**2) - m - np.transpose(gain)).sum(axis=1))
        return less

    def contrast(self, points: Points, variance: float = 0.0) -> Laplacian | StationaryIncrements:
        """Return `Increments` if 1 - k is small for most points: for bandwidths of 100 times their spread and more.

        Parameters
        ----------
        points : ndarray of shape (n, d)
            Points that weights of sum zero are put on.
        variance : float, default 0.0
            Variance of Gaussians at the points.

        Returns
        -------
        Kernel or Increments
            This kernel k, or its increments k_o from an origin o.
        """
        origin = middle(points)
        near = typical(points, origin, order=1) + np.sqrt(variance) <= NEAR * self.theta()
        return StationaryIncrements(self, origin) if near else self

    def expected_with_error(self, X: Points, C: Matrix, Y: Points, D: Matrix | None) -> tuple[Matrix, Matrix]:
        """Compute `expected` and the standard error of each of its entries; errors are 0 if the form is closed.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points and covariances, as in `Kernel.expected`.

        Returns
        -------
        values, errors : ndarray of shape (n, m)
            The expectations and their standard errors.
        """
        return self._expected(X, C, Y, D, error=True)

    def _expected(self, X, C, Y, D, error) -> tuple[Any, Any]:
        S = total(C, D)
        if S is None:
            K = self(X, Y)
            return K, np.zeros(K.shape)
        X, Y = self._two(X, Y)
        theta, shape = self.theta(), (len(X), len(Y))
        coupled = (S - np.diag(np.diag(S))).any(axis=0)
        K, errors = np.ones(shape), np.zeros(shape)
        for l in np.flatnonzero(~coupled):
            with np.errstate(over="ignore"):
                K *= one_dimension((X[:, l, None] - Y[:, l]) / theta, np.sqrt(S[l, l]) / theta)
        if coupled.any():
            apart = (X[:, None, coupled] - Y[:, coupled]).reshape(-1, np.count_nonzero(coupled))
            value, spread = several_dimensions(apart, S[np.ix_(coupled, coupled)], theta, error)
            errors = None if spread is None else K * spread.reshape(shape)
            K *= value.reshape(shape)
        return K, errors

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        return self.diagonal(X)

    def noisy_pairs(self, X: Points) -> LaplacianPairs:
        from .noisy.laplacian import LaplacianPairs

        return LaplacianPairs(self.chosen(), X)

    def theta(self) -> float:
        """Return the bandwidth, or raise if it is still open.

        Returns
        -------
        float
            The bandwidth.

        Raises
        ------
        Refusal
            If the bandwidth has not been chosen yet.
        """
        return known(self.bandwidth, self, "write Laplacian(θ), or")

    def chosen(self) -> Self:
        self.theta()
        return self
