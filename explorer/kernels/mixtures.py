"""Kernels that are mixtures of Gaussian kernels of many bandwidths, and their expectations by one quadrature.

k(x, y) = E_s exp(-|x - y|^2 / (2 θ^2 s)) over a positive random s, so that an expectation under Gaussian noise is that
of `Gaussian(θ √s)`, averaged over s. s or 1/s has a Gamma distribution of mean 1, and in t = log s the integrand is
analytic for |Im t| < π/2: equal steps of t err by about e^(-π^2 / step).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer.types import Matrix, Points, PointsLike, Values, Vector

from .bandwidth import known, median_bandwidth
from .base import Kernel, total
from .distances import squared_distances
from .gaussian_noise import log_widening, principal_axes
from .increments import NEAR, StationaryIncrements, middle, typical

if TYPE_CHECKING:
    from explorer.kernels.noisy.mixtures import MixturePairs


STEP = 0.25  # step of the quadrature, with the error e^(-π^2 / STEP) = 7e-18
SPENT = 38.0  # e^-38 = 3e-17: the ends of the quadrature leave out this much
PEAKED = 20.0  # Gamma shape from which on both tails end within a few steps
FARTHEST = 1e150  # largest distance in bandwidths: its square is a float
ENTRIES = 2**18  # pairs times nodes computed at a time: 2 MB


def gamma_nodes(shape: float, reach: float | None = None, power: float = 0.0) -> tuple[Vector, Vector]:
    """Return a quadrature rule for the Gamma distribution of this shape and mean 1.

    The nodes g rise and the weights sum to one. The rule is for functions of log g that are analytic in |Im log g| <
    π/2.

    Parameters
    ----------
    shape : float
        Shape of the Gamma distribution.
    reach : float or None, default None
        If the functions are 1 up to terms of reach g, the slow decay of g^shape at zero is cut short, by t = x - e^(a -
        x) beyond a = -log(reach) - 1.
    power : float, default 0.0
        A power below the shape, for all digits of functions that grow as g^-power towards zero.

    Returns
    -------
    nodes, weights : ndarray of shape (q,)
        The rule.
    """
    step = STEP / np.sqrt(1 + shape / 4)
    low = -SPENT / (shape - power) - np.sqrt(2 * SPENT / shape)
    high = np.log1p(1.2 * SPENT / shape + np.sqrt(2.4 * SPENT / shape))
    bend = -np.inf if reach is None or shape > PEAKED else -np.log(max(reach, 1.0)) - 1
    x = np.arange(max(low, bend - np.log(40 / shape)), high, step)
    turned = np.exp(bend - x)
    t = x - turned
    weights = np.exp(-shape * (np.expm1(t) - t)) * (1 + turned)
    return np.exp(t), weights / weights.sum()


class ScaleMixture(Kernel):
    """Base class of RationalQuadratic and Matern: a mixture of Gaussian kernels, of bandwidths about `bandwidth`.

    A subclass implements `_scales`, and k and k - 1 at squared distances over θ², `_value` and `_less_one`.

    Notes
    -----
    Bounded, k(x, x) = 1; characteristic and universal as each Gaussian in it is: an embedding that vanishes has
    vanishing norm under all of them.
    """

    bounded = characteristic = universal = stationary = has_bandwidth = True

    @property
    def curvature(self) -> float:
        """The constant c of ``1 - k = c |x - y|^2 / (2 θ^2)`` nearby."""
        return 1.0

    if TYPE_CHECKING:

        def _declared(self) -> None:
            self.bandwidth: float | None  # each subclass declares it, with its other fields

    def _scales(self, reach):
        """Return values s (q,) of the squared bandwidth over θ^2 and their weights, for squares up to `reach` θ^2."""
        raise NotImplementedError

    def _value(self, S):
        """Compute k at squared distances S over θ^2."""
        raise NotImplementedError

    def _less_one(self, S):
        """Compute k - 1 at squared distances S over θ^2, without cancellation if it is small."""
        raise NotImplementedError

    def _fall(self, S):
        """Compute -2 dk / dS at squared distances S over θ^2."""
        raise NotImplementedError

    def select(self, X: PointsLike) -> Self:
        return self if self.bandwidth is not None else self.replace(bandwidth=median_bandwidth(X))

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        return squared_distances(X, Y)

    def of_pairs(self, S: Matrix) -> Matrix:
        return self._value(self._in_bandwidths(S))

    def _in_bandwidths(self, S):
        theta = self.theta()
        with np.errstate(over="ignore"):  # beyond 1e154 bandwidths a square is infinite, and its kernel value 0
            return S / theta / theta

    def diagonal(self, X: PointsLike) -> Vector:
        return np.ones(len(self.points(X)))

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E_s of the Gaussian kernel's closed form at bandwidth θ √s, by some 100 nodes of s; any C, D >= 0.

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
        The error is below 1e-14, in units of k(x, x) = 1. Each pair takes as long as that many Gaussian kernels.
        """
        if C is None and D is None:
            return self(X, Y)
        return self._mixed(X, C, Y, D, np.exp)

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
        if C is None and D is None:
            return self._less_one(self._in_bandwidths(squared_distances(X, None if X is Y else Y)))
        return self._mixed(X, C, Y, D, np.expm1)

    def times_gaussian(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None, length: float) -> Matrix:
        """Compute E of k times Gaussian(length): a mixture too, of the bandwidths (θ^-2 / s + length^-2)^(-1/2).

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points and covariances, as in `Kernel.expected`.
        length : float
            Bandwidth of the Gaussian.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.
        """
        return self._mixed(X, C, Y, D, np.exp, (self.theta() / length) ** 2)

    def _mixed(self, X, C, Y, D, function, tightened=0.0):
        """Average a function of the Gaussian expectation's logarithm over s, (n, m), with 1/s raised by `tightened`."""
        X, Y = self._two(X, Y)
        theta = self.theta()
        gamma, U = principal_axes(total(C, D))
        variances = np.minimum(np.sqrt(gamma) / theta, FARTHEST) ** 2
        s, weights = self._scales(self._reach(X, Y) + variances.sum())
        with np.errstate(divide="ignore"):  # an infinite s is allowed: that Gaussian is 1 everywhere
            s = 1 / (1 / s + tightened)
        rates = 1 / np.add.outer(s, variances)  # an infinite s gives rate 0
        scale = 0.5 * log_widening(np.divide.outer(variances, s), 1.0).sum(axis=0)
        values, rows = np.empty((len(X), len(Y))), max(1, ENTRIES // (len(Y) * (len(s) + X.shape[1])))
        for i in range(0, len(X), rows):
            with np.errstate(over="ignore"):
                apart = (X[i : i + rows, None] - Y).reshape(-1, X.shape[1]) / theta
            squares = np.square(np.clip(apart, -FARTHEST, FARTHEST) @ U)
            part = function(-0.5 * (squares @ rates.T) - scale) @ weights
            values[i : i + rows] = part.reshape(-1, len(Y))
        return values

    def _reach(self, X, Y):
        """Return an upper bound of |x_i - y_j|^2 / θ^2."""
        points = np.concatenate([X, Y])
        with np.errstate(over="ignore"):
            widest = np.minimum(np.ptp(points, axis=0) / self.theta(), FARTHEST)
        return float(widest @ widest)

    def contrast(self, points: Points, variance: float = 0.0) -> Any:
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
        spread = np.sqrt(self.curvature) * np.hypot(typical(points, origin), np.sqrt(variance))
        return StationaryIncrements(self, origin) if spread <= np.sqrt(2 * NEAR) * self.theta() else self

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        """Compute the gradient, 2 (x - y) / θ² times the derivative of k by ``S = |x - y|^2 / θ^2``.

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
        self._refuse_noise_in_gradient(D)
        theta = self.theta()
        fall = self._fall(self._in_bandwidths(squared_distances(X, Y)))[:, :, None]
        with np.errstate(over="ignore"):  # k is 0 for points so far apart that this overflows
            return fall * np.nan_to_num((Y - X[:, None]) / theta) / theta

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        return self.diagonal(X)

    def noisy_pairs(self, X: Points) -> MixturePairs:
        from .noisy.mixtures import MixturePairs

        return MixturePairs(self.chosen(), X, *self._scales(self._reach(X, X)))

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
        return known(self.bandwidth, self, "give bandwidth=θ, or take")

    def chosen(self) -> Self:
        self.theta()
        return self
