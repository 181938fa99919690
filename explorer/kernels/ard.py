"""Gaussian kernel with one bandwidth for each coordinate, and its expectations under Gaussians."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.parameters import Array
from explorer.printing import plural
from explorer.types import ConvertedField, Gram, Matrix, Points, PointsLike, Values, Vector, VectorLike

from .bandwidth import median_and_remark
from .base import Kernel
from .distances import exponentials, squared_distances
from .gaussian import Gaussian
from .increments import NEAR, StationaryIncrements, middle, typical

if TYPE_CHECKING:
    from explorer.kernels.noisy.mixtures import ScaledPairs


UNIT = Gaussian(1.0)
LOW, HIGH = 1e-150, 1e150  # the limits of Gaussian's bandwidth


class ARDGaussian(Kernel):
    r"""Gaussian kernel with one bandwidth for each coordinate, in that coordinate's units.

    Use it if the coordinates have different units or matter differently. For one bandwidth use `Gaussian`.

    .. math:: k(x, y) = \exp\Bigl(-\sum_l \frac{(x_l - y_l)^2}{2 \theta_l^2}\Bigr)

    Parameters
    ----------
    bandwidths : array_like of shape (d,) or None, default None
        The bandwidths θ, each above 0; a large one nearly leaves out its coordinate ("automatic relevance
        determination"; scikit-learn's ``RBF(length_scale=θ)``). None chooses them on the data: √d times each
        coordinate's median of ``|x_il - x_jl|`` over i < j, so that the distances of all coordinates together are about
        1.

    Raises
    ------
    ValueError
        If the points have another number of coordinates.

    Notes
    -----
    It is Gaussian(1) of x / θ, and exact if that is: under noise of any covariance, see `Gaussian.expected`. Bounded:
    k(x, x) = 1. Characteristic and universal, as Gaussian is.

    Examples
    --------
    >>> from explorer import ARDGaussian
    >>> ARDGaussian([1.0, 10.0])([[0.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]).round(4)
    array([[0.6065, 0.995 ]])
    >>> ARDGaussian().select([[0.0, 100.0], [1.0, 300.0], [3.0, 0.0]]).bandwidths.round(1)
    array([  2.8, 282.8])
    """

    bounded = characteristic = universal = stationary = True
    bandwidths: ConvertedField[VectorLike | None, Vector | None] = Array(
        default=None, required=False, doc="one length scale for each coordinate, in its units"
    )

    def _check(self):
        if self.bandwidths is None:
            return
        if self.bandwidths.ndim != 1 or not self.bandwidths.size:
            raise Refusal(
                f"ARDGaussian.bandwidths has shape {self.bandwidths.shape}; give one number for each coordinate, (d,)."
            )
        wrong = self.bandwidths[(self.bandwidths < LOW) | (self.bandwidths > HIGH)]
        if len(wrong):
            raise Refusal(
                f"ARDGaussian.bandwidths holds {wrong[0]:g}; give numbers of at least 1e-150 and at most 1e150."
            )

    @property
    def length_scale(self) -> float | None:
        """The shortest of the bandwidths."""
        return None if self.bandwidths is None else float(self.bandwidths.min())

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        X = checks.sample(X, name, at_least)
        if self.bandwidths is not None and X.shape[1] != len(self.bandwidths):
            raise Refusal(
                f"{name} has {plural(X.shape[1], 'column')} and {checks.echo(self)} has {len(self.bandwidths)}"
                " bandwidths; "
                "give one for each column."
            )
        return X

    def select(self, X: PointsLike) -> ARDGaussian:
        if self.bandwidths is not None:
            return self
        X, bandwidths = self.points(X), []
        for number, column in enumerate(X.T):
            bandwidth, remark = median_and_remark(column)
            if remark:
                checks.warn(f"column {number} of X: {remark}")
            bandwidths.append(math.sqrt(X.shape[1]) * bandwidth)
        return ARDGaussian(bandwidths)

    def log_mass(self, d: int) -> float:
        return 0.5 * d * math.log(2 * math.pi) + float(np.log(self.thetas()).sum())

    def pairs(self, X: Points, Y: Points | None = None) -> Values:
        """Compute (x_il - y_jl)² of each coordinate, for any bandwidths.

        Parameters
        ----------
        X, Y : ndarray of shape (n, d) or (m, d)
            Points; Y=None stands for X.

        Returns
        -------
        ndarray of shape (d, n, m)
            The squared differences.
        """
        Y = X if Y is None else Y
        with np.errstate(over="ignore"):
            return np.stack([np.square(np.subtract.outer(X[:, l], Y[:, l])) for l in range(X.shape[1])])

    def of_pairs(self, S: Matrix) -> Matrix:
        with np.errstate(over="ignore"):
            squares = sum((part / theta / theta for part, theta in zip(S, self.thetas(), strict=True)), np.zeros(()))
            return exponentials(-0.5 * squares)

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        X, Y = self._two(X, Y)
        kernel = self.select(X if Y is None else np.concatenate([X, Y]))
        x, y, _ = kernel._scaled(X, X if Y is None else Y)
        return exponentials(-0.5 * squared_distances(x, None if Y is None else y))

    def _scaled(self, X: Points, Y: Points, *covariances: Matrix | None) -> tuple[Points, Points, list[Any]]:
        """Divide centred points and covariances by the bandwidths, so that Gaussian(1) takes them."""
        theta, origin = self.thetas(), middle(Y)  # near points keep their digits wherever the sample lies
        with np.errstate(over="ignore"):
            x, y = (np.clip((Z - origin) / theta, -HIGH, HIGH) for Z in (X, Y))
            scaled = [None if C is None else C / theta / theta[:, None] for C in covariances]
        return x, y, scaled

    def diagonal(self, X: PointsLike) -> Vector:
        return np.ones(len(self.points(X)))

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E k, as Gaussian(1)'s expectation for points and covariances over the bandwidths; any C, D >= 0.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.
        """
        if C is None and D is None:
            return self(X, Y)
        X, Y = self._two(X, Y)
        x, y, (C, D) = self._scaled(X, Y, C, D)
        return UNIT.expected(x, C, y, D)

    def expected_scales(self, X: Points, s: Vector, Y: Points, t: Vector, S: Matrix) -> Values:
        X, Y = self._two(X, Y)
        x, y, (scaled,) = self._scaled(X, Y, S)
        return UNIT.expected_scales(x, s, y, t, scaled)

    def less_one(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E k - 1 without subtracting 1: it has all its digits if the bandwidths are wide.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The differences.
        """
        x, y, (C, D) = self._scaled(X, Y, C, D)
        return UNIT.less_one(x, C, y, D)

    def contrast(self, points: Points, variance: float = 0.0) -> ARDGaussian | StationaryIncrements:
        """Return `Increments` if 1 - k is small for most points: for bandwidths of some seven times their spreads.

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
        theta, origin = self.thetas(), middle(points)
        spread = np.hypot(typical((points - origin) / theta, 0.0), np.sqrt(variance) / theta.min())
        return StationaryIncrements(self, origin) if spread <= np.sqrt(2 * NEAR) else self

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        return self.diagonal(X)

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        x, y, (scaled,) = self._scaled(X, Y, D)
        return UNIT.gradient(x, y, scaled) / self.thetas()

    def noisy_pairs(self, X: Points) -> ScaledPairs:
        from .noisy.mixtures import ScaledPairs

        theta = self.thetas()
        return ScaledPairs(self, X, theta, UNIT.noisy_pairs((X - middle(X)) / theta))

    @property
    def joint(self) -> Gaussian:
        return UNIT

    def lengths(self, d: int) -> Vector:
        return self.thetas()

    def thetas(self) -> Vector:
        """Return the bandwidths, or raise if they are still open.

        Returns
        -------
        ndarray of shape (d,)
            The bandwidths.

        Raises
        ------
        Refusal
            If the bandwidths have not been chosen yet.
        """
        if self.bandwidths is None:
            raise Refusal(
                "ARDGaussian() has no bandwidths yet and there is no sample here to choose them on; "
                "write ARDGaussian([θ_1, ...]), or kernel = kernel.select(X) first."
            )
        return self.bandwidths

    def chosen(self) -> Self:
        self.thetas()
        return self
