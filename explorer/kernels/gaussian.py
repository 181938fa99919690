"""Gaussian kernel, and its expectations under Gaussians."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Self

import numpy as np

from explorer.types import Gram, Matrix, Points, PointsLike, Values, Vector, Weights

from .bandwidth import bandwidth_field, known, median_bandwidth
from .base import Kernel
from .distances import gaussian, gaussian_differences, gaussian_gram, squared_distances
from .gaussian_noise import noisy_exponent, noisy_gram, noisy_grams, principal_axes
from .increments import NEAR, StationaryIncrements, middle, typical

if TYPE_CHECKING:
    from explorer.kernels.noisy.gaussian import GaussianPairs, NoisyMixture


class Gaussian(Kernel):
    r"""Gaussian kernel with one bandwidth θ (scikit-learn's gamma is 1/(2 θ²)).

    Use it for numbers if nothing speaks for another kernel. If the columns differ in scale use `ARDGaussian`, and for
    categories or strings `Delta`, `Product` or `Subsequence`.

    .. math:: k(x, y) = \exp\Bigl(-\frac{|x - y|^2}{2 \theta^2}\Bigr)

    Parameters
    ----------
    bandwidth : float or None, default None
        The bandwidth θ, in units of x. None chooses it on the data by the median heuristic: ``θ^2 = median of |x_i -
        x_j|^2 over i < j``.

    Notes
    -----
    Bounded: k(x, x) = 1. Characteristic and universal: its Fourier transform, again a Gaussian, is positive everywhere
    (Sriperumbudur et al. 2010, J. Mach. Learn. Res. 11, 1517; Sriperumbudur et al. 2011, J. Mach. Learn. Res. 12,
    2389).

    Examples
    --------
    >>> from explorer import Gaussian
    >>> Gaussian(2.0)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    >>> Gaussian().select([[0.0], [1.0], [3.0]])
    Gaussian(bandwidth=2.0)
    """

    bounded = characteristic = universal = stationary = has_bandwidth = True
    bandwidth: float | None = bandwidth_field()

    def select(self, X: PointsLike) -> Gaussian:
        return self if self.bandwidth is not None else Gaussian(median_bandwidth(X))

    def log_mass(self, d: int) -> float:
        return d * (0.5 * math.log(2 * math.pi) + math.log(self.theta()))

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        return squared_distances(X, Y)

    def of_pairs(self, S: Matrix) -> Matrix:
        return gaussian(S.copy(), self.theta())

    def radial(self, S: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        rate, value = 0.5 / self.theta() ** 2, self.of_pairs(S)
        first = -rate * value
        return value, first, -rate * first

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        X, Y = self._two(X, Y)
        kernel = self.select(X if Y is None else np.concatenate([X, Y]))
        return gaussian_gram(X, Y, kernel.theta())

    def diagonal(self, X: PointsLike) -> Vector:
        return np.ones(len(self.points(X)))

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute ``|I + S/θ^2|^(-1/2) exp(-(x-y)'(S + θ^2 I)^(-1)(x-y)/2)`` with S = C + D, for any S >= 0.

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
        Measured: the relative error is 1e-11 for singular S at any bandwidth. Points that differ by much more than
        θ within the range of a singular S add an error of ``eps |x - y| / θ``: a rounded S knows the directions of its
        range no better.
        """
        if C is None and D is None:
            return self(X, Y)
        X, Y = self._two(X, Y)
        return noisy_gram(X, Y, self.theta(), C, D)

    def expected_scales(self, X: Points, s: Vector, Y: Points, t: Vector, S: Matrix) -> Values:
        X, Y = self._two(X, Y)
        return noisy_grams(X, Y, self.theta(), S, s + t)  # k depends on x - y, so the noises of both points add up

    def less_one(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E k - 1 without subtracting 1: it has all its digits if the bandwidth is wide.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The differences.
        """
        theta = self.theta()
        if C is None and D is None:
            with np.errstate(over="ignore"):
                return np.expm1(squared_distances(X, None if X is Y else Y) * (-0.5 / theta**2))
        return np.expm1(noisy_exponent(X, Y, theta, C, D))

    def contrast(self, points: Points, variance: float = 0.0) -> Gaussian | StationaryIncrements:
        """Return `Increments` if 1 - k is small for most points: at bandwidths of 7 times their spread and more.

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
        near = np.hypot(typical(points, origin), np.sqrt(variance)) <= np.sqrt(2 * NEAR) * self.theta()
        return StationaryIncrements(self, origin) if near else self

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        return self.diagonal(X)

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        """Compute the gradient, -(D + θ² I)^(-1) (x - y) times E k(x, y + v).

        Parameters
        ----------
        X, Y : ndarray of shape (n, d) or (m, d)
            Points.
        D : ndarray of shape (d, d) or None, default None
            Covariance of the noise of Y; None stands for zero.

        Returns
        -------
        ndarray of shape (n, m, d)
            The gradients by x.
        """
        theta = self.theta()
        k = self.expected(X, None, Y, D)[:, :, None]
        with np.errstate(over="ignore"):  # k is 0 for points so far apart that this overflows
            apart = np.nan_to_num((Y - X[:, None]) / theta)
        if D is None:
            return k * apart / theta
        gamma, U = principal_axes(D)
        return k * ((apart @ U) / (np.sqrt(gamma) / theta * np.sqrt(gamma) + theta)) @ U.T

    def noisy_pairs(self, X: Points) -> GaussianPairs:
        from .noisy.gaussian import GaussianPairs

        return GaussianPairs(self.chosen(), X)

    def noisy_mixture(
        self, weights: Weights, points: Points, covariances: Values | None = None, shape: Vector | None = None
    ) -> NoisyMixture:
        from .noisy.gaussian import NoisyMixture

        return NoisyMixture(self.theta(), weights, points, covariances, shape)

    def widened(self, variance: float, d: int) -> tuple[Gaussian, float]:
        theta2 = self.theta() ** 2
        widest = type(self).fields["bandwidth"].bounds[1]  # every kernel value is 1 at this bandwidth
        return Gaussian(min(np.sqrt(theta2 + variance), widest)), float(np.exp(-0.5 * d * np.log1p(variance / theta2)))

    def differences(self, X: Points, Y: Points) -> Matrix | None:
        return gaussian_differences(X, Y, self.theta())

    @property
    def joint(self) -> Gaussian:
        return Gaussian(1.0)

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
        return known(self.bandwidth, self, "write Gaussian(θ), or")

    def chosen(self) -> Self:
        self.theta()
        return self
