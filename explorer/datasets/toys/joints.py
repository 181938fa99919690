"""Joint distributions of two numbers whose conditionals are known exactly: given x, how y is distributed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding, GaussianMixture
from explorer.rng import stream
from explorer.types import Matrix, Rng, Vector, VectorLike

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


PLACES = np.linspace(-6.0, 6.0, 481)  # where ∫ p(x) p(y | x) dx is summed; p(x) is N(0, 1)
POINTS, TAIL = 801, 1e-14  # of an exact posterior, and the share of its highest value that ends its grid


class Joint(NamedTuple):
    """x ~ N(0, 1), and y given x one Gaussian, or two that are as likely: m(x) ± gap(x), of standard deviation s(x).

    m, gap and s are functions of arrays; gap is None for one Gaussian.

    >>> from explorer.datasets import joint
    >>> from explorer.datasets.toys.joints import Joint
    >>> banana: Joint = joint("banana")
    >>> X, Y = banana.sample(4, rng=0)
    >>> X.shape, banana.given(2.0).mean.round(2).tolist()
    ((4, 1), [3.0])
    """

    middle: Callable[[Vector], Vector]
    spread: Callable[[Vector], Vector]
    gap: Callable[[Vector], Vector] | None = None

    def sample(self, n: int, rng: Rng = None) -> tuple[Matrix, Matrix]:
        """n pairs, X (n, 1) and Y (n, 1); with an int seed a larger n only appends pairs."""
        n = checks.whole(n, "n", 1)
        x = stream(rng, "x").normal(size=n)
        side = np.where(stream(rng, "side").random(n) < 0.5, -1.0, 1.0)
        y = self.middle(x) + self.spread(x) * stream(rng, "y").normal(size=n)
        if self.gap is not None:
            y = y + side * self.gap(x)
        return x[:, None], y[:, None]

    def given(self, x: float) -> GaussianMixture:
        """The distribution of y at one x, a GaussianMixture."""
        at = np.array([float(x)])
        middle, variance = float(self.middle(at)[0]), [[float(self.spread(at)[0]) ** 2]]
        if self.gap is None:
            return GaussianMixture([1.0], [[middle]], variance)
        gap = float(self.gap(at)[0])
        return GaussianMixture([0.5, 0.5], [[middle - gap], [middle + gap]], variance)

    def mean(self, x: VectorLike) -> Vector:
        """E[y | x] at x (m,), (m,)."""
        return self.middle(np.asarray(x, dtype=float))

    def density(self, x: VectorLike, y: Vector) -> Matrix:
        """p(y | x), (m, q), at x (m,) and y (q,)."""
        x = np.asarray(x, dtype=float)
        gaps = (0.0,) if self.gap is None else (-self.gap(x)[:, None], self.gap(x)[:, None])
        middle, s = self.middle(x)[:, None], self.spread(x)[:, None]
        parts = [np.exp(-0.5 * ((y - middle - gap) / s) ** 2) for gap in gaps]
        return sum(parts) / (len(parts) * math.sqrt(2 * math.pi) * s)

    def posterior(self, x: float, prior: GaussianMixture, kernel: Kernel) -> Embedding:
        """The embedding of Q(y | x) ∝ p(x | y) π(y) where y ~ π, a GaussianMixture, instead: point masses on a grid.

        p(x | y) = p(x) p(y | x) / p(y), and p(y) = ∫ p(x) p(y | x) dx is summed over x. The grid has 801 places where
        the posterior is: sums over it are those of a smooth density to all digits. Raises ValueError where x and the
        prior exclude each other.
        """
        reach = 9 * np.sqrt(prior.covariances[:, 0, 0])
        y = np.linspace((prior.means[:, 0] - reach).min(), (prior.means[:, 0] + reach).max(), 8 * POINTS)
        there = np.flatnonzero(self._posterior(x, y, prior) > TAIL)
        if not len(there):
            raise Refusal(f"x = {x:g} has no chance under this prior; take a wider one.")
        y = np.linspace(y[max(there[0] - 1, 0)], y[min(there[-1] + 1, len(y) - 1)], POINTS)
        weights = self._posterior(x, y, prior)
        return Embedding(kernel, y[:, None], weights / weights.sum())

    def _posterior(self, x, y, prior):
        """Q(y | x) at y (m,), over its largest value; zeros where that is no float."""
        marginal = np.exp(-0.5 * PLACES**2) @ self.density(PLACES, y)  # constant factors cancel
        # where y hardly ever occurs, p(x | y) is a ratio of two tails: both are floats down to 1e-300
        ratio = np.divide(self.density([x], y)[0], marginal, out=np.zeros(len(y)), where=marginal > 1e-300)
        values = ratio * np.exp(prior.logpdf(y[:, None]))
        return values / values.max() if values.max() > 0 else values


JOINTS = {
    "gaussian": Joint(lambda x: 0.8 * x, lambda x: np.full(x.shape, 0.6)),
    "banana": Joint(lambda x: x**2 - 1, lambda x: np.full(x.shape, 0.4)),
    "fork": Joint(np.zeros_like, lambda x: np.full(x.shape, 0.25), lambda x: 0.6 * np.logaddexp(0, 2 * x)),
    "fan": Joint(np.zeros_like, lambda x: 0.15 + 0.45 * np.abs(x)),
}


def joint(kind: str) -> Joint:
    """The Joint of a name.

    "gaussian"  y ~ N(0.8 x, 0.6²)         "banana"  y ~ N(x² - 1, 0.4²)
    "fork"      y ~ N(±g, 0.25²), each sign as likely, g = 0.6 log(1 + exp 2x)
    "fan"       y ~ N(0, (0.15 + 0.45 |x|)²)

    x ~ N(0, 1) in all. Raises ValueError for another name.

    >>> from explorer.datasets import joint
    >>> X, Y = joint("banana").sample(3, rng=0)
    >>> X.shape, joint("banana").given(2.0).mean.round(1)
    ((3, 1), array([3.]))
    """
    if kind not in JOINTS:
        raise Refusal(f"There is no joint distribution {checks.echo(kind)}; there are {', '.join(JOINTS)}.")
    return JOINTS[kind]
