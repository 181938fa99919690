"""Parameters of a product's mean: lengths of its Gaussians, a scale of its exponentials, and powers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from explorer.checks import Refusal
from explorer.kernels.base import total
from explorer.kernels.exponential import Exponential
from explorer.kernels.gaussian import Gaussian
from explorer.kernels.mixtures import ScaleMixture
from explorer.kernels.polynomial import Linear, Polynomial
from explorer.types import Matrix, Points, Vector

from . import tilted
from .combining import GAUSSIAN, combine_lengths, equivalent, same_family

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


NARROWEST, WIDEST = Gaussian.fields["bandwidth"].bounds
ENTRIES = 2**20  # pairs times coordinates computed at a time: 8 MB


class Integrals(NamedTuple):
    """A product of chosen kernels, sorted by kind.

    Attributes
    ----------
    factors : tuple of Kernel
        All factors.
    lengths : list of float or ndarray of shape (d,)
        Bandwidths of the Gaussian factors.
    mixture : ScaleMixture or None
        A Matern or RationalQuadratic, or None.
    scale : float or None
        The scale s of exp(<x, y> / s), or None.
    powers : list of tuple
        Pairs (c, n) of (<x, y> + c)^n.
    """

    factors: tuple[Kernel, ...]
    lengths: list[Any]
    mixture: ScaleMixture | None
    scale: float | None
    powers: list[tuple[float, int]]

    @classmethod
    def of(cls, factors: Sequence[Kernel]) -> Self | None:
        """Sort factors by kind; return None if one is of another kind, or if there is a second mixture."""
        known = (*GAUSSIAN, ScaleMixture, Exponential, Linear, Polynomial)
        mixtures = [each for each in factors if isinstance(each, ScaleMixture)]
        if len(factors) > 1 and not same_family(factors):
            if len(mixtures) > 1 or not all(isinstance(each, known) for each in factors):
                return None
        gaussians = [each for each in factors if isinstance(each, GAUSSIAN)]
        exponentials = [each.scale for each in factors if isinstance(each, Exponential)]
        powers = [(each.offset, each.degree) for each in factors if isinstance(each, (Linear, Polynomial))]
        lengths = [each.lengths(1) for each in gaussians]
        scale = 1 / sum(1 / s for s in exponentials) if exponentials else None
        return cls(tuple(factors), lengths, mixtures[0] if mixtures else None, scale, powers)

    @property
    def _plain(self):
        """The single kernel that the product equals, or None."""
        if len(self.factors) == 1 or same_family(self.factors):
            return equivalent(self.factors)
        return None

    def between(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E k(x_i + u, y_j + v), (n, m)."""
        if self._plain is not None:
            return self._plain.expected(X, C, Y, D)
        if self.mixture is not None and self.scale is None and not self.powers:
            return self._over_bandwidths(self.mixture, X, C, Y, D)
        rows = max(1, ENTRIES // (2 * Y.size))
        parts = [self._between(X[i : i + rows], C, Y, D) for i in range(0, len(X), rows)]
        return np.concatenate(parts)

    def _between(self, X, C, Y, D):
        d = X.shape[1]
        J, z = tilted.swap(d), tilted.pairs_of(X, C, Y, D)
        lengths = [np.broadcast_to(each, d) for each in self.lengths]
        if self.mixture is None:
            values = self._mean(tilted.tilt_gaussian(z, combine_lengths(lengths)) if lengths else z, J)
        else:
            values = sum(
                (
                    w * self._mean(tilted.tilt_gaussian(z, combine_lengths([*lengths, np.full(d, width)])), J)
                    for width, w in self._widths(self.mixture, X, C, Y, D)
                ),
                np.zeros(()),
            )
        return values.reshape(len(X), len(Y))

    @staticmethod
    def _widths(mixture, X, C, Y, D):
        """Return pairs (bandwidth, weight) of the Gaussian kernels that the mixture consists of."""
        S = total(C, D)
        reach = mixture._reach(X, Y) + (0.0 if S is None else np.trace(S)) / mixture.bandwidth**2
        s, weights = mixture._scales(reach)
        return zip(np.clip(mixture.bandwidth * np.sqrt(s), NARROWEST, WIDEST), weights, strict=True)

    def _over_bandwidths(self, mixture, X, C, Y, D):
        """Combine Gaussian factors and a mixture: one Gaussian kernel for each of its bandwidths, which is faster."""
        one = equivalent([each for each in self.factors if isinstance(each, GAUSSIAN)])
        if isinstance(one, Gaussian):
            return mixture.times_gaussian(X, C, Y, D, one.theta())
        return sum(
            (
                weight * equivalent([one, Gaussian(float(width))]).expected(X, C, Y, D)
                for width, weight in self._widths(mixture, X, C, Y, D)
            ),
            np.zeros(()),
        )

    def diagonal(self, X: Points, C: Matrix) -> Vector:
        """Compute E k(x_i + u, x_i + u), (n,): kernels of x - y are 1 there."""
        if self._plain is not None:
            return self._plain.expected_diagonal(X, C)
        return self._mean(tilted.points_of(X, C), 2 * np.eye(X.shape[1]))

    def _mean(self, z, J):
        if self.scale is not None:
            z, top = tilted.tilt_exponential(z, J, self.scale)
            if z is None:
                exponential = Exponential(self.scale)
                raise Refusal(
                    f"a product with {exponential!r} has an infinite expectation here: its"
                    f" covariances must leave all eigenvalues below 1, and the largest is {top:.3g}; take a larger"
                    " scale, or rescale the points."
                )
        with np.errstate(over="ignore", invalid="ignore"):
            mass = np.exp(z.log_mass)
        if not self.powers:
            return mass
        values = tilted.mean_of_powers(z, J, self.powers)
        return np.where(mass == 0, 0.0, mass * values)
