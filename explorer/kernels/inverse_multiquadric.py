"""Inverse multiquadric kernel: a power of the distance, whose heavy tail detects points that run away."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer.parameters import Real
from explorer.types import Matrix, Points, PointsLike, Values, Vector

from .bandwidth import bandwidth_field, known, median_bandwidth
from .base import Kernel
from .distances import squared_distances
from .increments import StationaryIncrements, middle
from .rational_quadratic import RationalQuadratic

if TYPE_CHECKING:
    from .noisy.mixtures import SummedPairs


class InverseMultiquadric(Kernel):
    r"""Inverse multiquadric kernel: a negative power of a squared distance.

    Use it for tests of a model by `ksd_test`, and if far points are to count more than under `Gaussian`.

    .. math:: k(x, y) = (s^2 + |x - y|^2)^\beta

    Parameters
    ----------
    scale : float or None, default None
        The scale s, in units of x. None chooses it on the data by the median heuristic: ``s^2 = median of |x_i - x_j|^2
        over i < j``.
    exponent : float, default -0.5
        The exponent β, below 0. For -1 < β < 0 a kernel Stein discrepancy under this kernel goes to 0 only for
        sequences of points that converge to the model, in any dimension, if the model's tails are like a Gaussian's.
        Under the Gaussian kernel it may go to 0 for points that run away (Gorham and Mackey 2017, Measuring sample
        quality with kernels, theorems 6 and 8).

    Notes
    -----
    It is s^(2β) times RationalQuadratic of α = -β and θ = s / √(2α), so a mixture of Gaussian kernels of many
    bandwidths. Bounded: k(x, x) = s^(2β). Characteristic and universal, as each of those Gaussians is. Its expectations
    under Gaussian noise are those of the mixture, exact to 1e-14 of k(x, x).

    Examples
    --------
    >>> from explorer import InverseMultiquadric
    >>> InverseMultiquadric(2.0)([[0.0], [2.0]]).round(4)
    array([[0.5   , 0.3536],
           [0.3536, 0.5   ]])
    """

    bounded = characteristic = universal = stationary = has_bandwidth = True
    scale: float | None = bandwidth_field(
        (1e-60, 1e60), "s", "the distance at which similarity begins to fall as a power"
    )
    exponent: float = Real(
        default=-0.5,
        bounds=(-2.5, -1e-3),  # within these bounds k(x, x) is a float at every scale
        softbounds=(-1.0, -0.1),
        symbol="β",
        doc="the power of squared distances that similarity falls by",
    )

    @property
    def bandwidth(self) -> float | None:
        """The `scale`, in units of the points; None until it is chosen."""
        return self.scale

    def with_bandwidth(self, bandwidth: float) -> Self:
        return self.replace(scale=bandwidth)

    def select(self, X: PointsLike) -> Self:
        return self if self.scale is not None else self.replace(scale=median_bandwidth(X))

    def chosen(self) -> Self:
        self._s()
        return self

    def _s(self):
        """Return the scale, or raise a Refusal if it is still open."""
        return known(self.scale, self, "give scale=s, or take", "scale")

    @property
    def _rational(self):
        """The rational quadratic kernel that this kernel is `_height` times."""
        alpha = -self.exponent
        return RationalQuadratic(self._s() / math.sqrt(2 * alpha), alpha)

    @property
    def _height(self):
        """The value k(x, x)."""
        return self._s() ** (2 * self.exponent)

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        return squared_distances(X, Y)

    def of_pairs(self, S: Matrix) -> Matrix:
        return self._height * self._rational.of_pairs(S)

    def radial(self, S: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        value, first, second = self._rational.radial(S)
        return self._height * value, self._height * first, self._height * second

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        return self._height * self._rational.gradient(X, Y, D)

    def diagonal(self, X: PointsLike) -> Vector:
        return np.full(len(self.points(X)), self._height)

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        return self._height * self._rational.expected(X, C, Y, D)

    def less_one(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E k - k(x, x), with all its digits if the scale is large.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The differences.
        """
        return self._height * self._rational.less_one(X, C, Y, D)

    def contrast(self, points: Points, variance: float = 0.0) -> Any:
        """Return `Increments` if k is nearly constant over most points: at scales ten times their spread and more.

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
        rational = self._rational
        return self if rational.contrast(points, variance) is rational else StationaryIncrements(self, middle(points))

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        return self.diagonal(X)

    def noisy_pairs(self, X: Points) -> SummedPairs:
        from .noisy.mixtures import SummedPairs

        return SummedPairs(self.chosen(), X, [self._rational.noisy_pairs(X)], [self._height])

    def log_mass(self, d: int) -> float | None:
        """Compute log(π^(d/2) s^(d + 2β) Γ(-β - d/2) / Γ(-β)), the logarithm of the kernel's integral.

        Parameters
        ----------
        d : int
            Number of coordinates.

        Returns
        -------
        float or None
            The logarithm, or None if -β <= d/2: then the integral is infinite.
        """
        mass = self._rational.log_mass(d)
        return None if mass is None else mass + 2 * self.exponent * math.log(self._s())
