"""The Gaussian kernel with one bandwidth for each coordinate, and its expectations under Gaussians."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.parameters import Array
from explorer.types import ConvertedField, Gram, Matrix, Points, PointsLike, Values, Vector, VectorLike

from .bandwidth import median_and_remark
from .base import Kernel
from .distances import exponentials, squared_distances
from .gaussian import Gaussian
from .increments import NEAR, StationaryIncrements, middle, typical

if TYPE_CHECKING:
    from explorer.kernels.noisy.mixtures import ScaledPairs


UNIT = Gaussian(1.0)
LOW, HIGH = 1e-150, 1e150  # as Gaussian's bandwidth


class ARDGaussian(Kernel):
    """k(x, y) = exp(-Σ_l (x_l - y_l)^2 / (2 θ_l^2)), one bandwidth θ_l for each coordinate, in its own units.

    bandwidths   θ, (d,), each above 0; a large one leaves its coordinate nearly out ("automatic relevance
                 determination"; scikit-learn's RBF(length_scale=θ)). None chooses them on the data at hand: √d times
                 each coordinate's median of |x_il - x_jl| over i < j, so that distances of all coordinates together
                 count as about 1

    It is Gaussian(1) of x / θ, and exact where that is: under noise of any covariance, see Gaussian.expected. Bounded:
    k(x, x) = 1. Characteristic and universal as Gaussian is. ValueError for points of another number of coordinates.

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
        """The shortest of its bandwidths."""
        return None if self.bandwidths is None else float(self.bandwidths.min())

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        X = checks.sample(X, name, at_least)
        if self.bandwidths is not None and X.shape[1] != len(self.bandwidths):
            raise Refusal(
                f"{name} has {X.shape[1]} columns and {checks.echo(self)} has {len(self.bandwidths)} bandwidths; "
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
        """(x_il - y_jl)^2 of each coordinate, (d, n, m): any bandwidths may follow."""
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
        """Points less a common one over the bandwidths, and covariances likewise: those of Gaussian(1)."""
        theta, origin = self.thetas(), middle(Y)  # near points keep their digits wherever the sample lies
        with np.errstate(over="ignore"):
            x, y = (np.clip((Z - origin) / theta, -HIGH, HIGH) for Z in (X, Y))
            scaled = [None if C is None else C / theta / theta[:, None] for C in covariances]
        return x, y, scaled

    def diagonal(self, X: PointsLike) -> Vector:
        return np.ones(len(self.points(X)))

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Gaussian(1)'s expectation of points and covariances over the bandwidths, (n, m): any C, D >= 0."""
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
        """E k - 1, (n, m), with no 1 to subtract: all digits of it where the bandwidths are wide."""
        x, y, (C, D) = self._scaled(X, Y, C, D)
        return UNIT.less_one(x, C, y, D)

    def contrast(self, points: Points, variance: float = 0.0) -> ARDGaussian | StationaryIncrements:
        """Increments where 1 - k is small for most points (n, d): for bandwidths of some seven times their spreads."""
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
        """The bandwidths, (d,); Refusal where they are still open."""
        if self.bandwidths is None:
            raise Refusal(
                "ARDGaussian() has no bandwidths yet and there is no sample here to choose them on; "
                "write ARDGaussian([θ_1, ...]), or kernel = kernel.select(X) first."
            )
        return self.bandwidths

    def chosen(self) -> Self:
        self.thetas()
        return self
