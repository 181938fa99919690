"""Toy joint distributions of two numbers with exactly known conditional distributions of y given x."""

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


PLACES = np.linspace(-6.0, 6.0, 481)  # grid of x on which ∫ p(x) p(y | x) dx is summed; p(x) is N(0, 1)
POINTS = 801  # grid points of an exact posterior
TAIL = 1e-14  # share of the posterior's highest value at which its grid ends


class Joint(NamedTuple):
    """A joint distribution of two numbers, where y given x is one Gaussian or an even mixture of two.

    x is standard normal. The Gaussians of y have the means m(x) ± gap(x) and the standard deviation s(x).

    Attributes
    ----------
    middle : callable
        The function m, of arrays.
    spread : callable
        The function s, of arrays.
    gap : callable or None, default None
        The function gap, of arrays, or None for one Gaussian.

    Examples
    --------
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
        """Draw n pairs; with an int seed a larger n only appends pairs.

        Parameters
        ----------
        n : int
            Number of pairs, at least 1.
        rng : int, Generator or None, default None
            Seed of the draws.

        Returns
        -------
        X : ndarray of shape (n, 1)
            First members of the pairs.
        Y : ndarray of shape (n, 1)
            Second members of the pairs.
        """
        n = checks.whole(n, "n", 1)
        x = stream(rng, "x").normal(size=n)
        side = np.where(stream(rng, "side").random(n) < 0.5, -1.0, 1.0)
        y = self.middle(x) + self.spread(x) * stream(rng, "y").normal(size=n)
        if self.gap is not None:
            y = y + side * self.gap(x)
        return x[:, None], y[:, None]

    def given(self, x: float) -> GaussianMixture:
        """Return the conditional distribution of y at one x.

        Parameters
        ----------
        x : float
            The value of x.

        Returns
        -------
        GaussianMixture
            The distribution of y, with one or two components.
        """
        at = np.array([float(x)])
        middle, variance = float(self.middle(at)[0]), [[float(self.spread(at)[0]) ** 2]]
        if self.gap is None:
            return GaussianMixture([1.0], [[middle]], variance)
        gap = float(self.gap(at)[0])
        return GaussianMixture([0.5, 0.5], [[middle - gap], [middle + gap]], variance)

    def mean(self, x: VectorLike) -> Vector:
        """Compute E[y | x] at x, an array_like of shape (m,).

        Parameters
        ----------
        x : array_like of shape (m,)
            Values of x.

        Returns
        -------
        ndarray of shape (m,)
            The conditional means.
        """
        return self.middle(np.asarray(x, dtype=float))

    def density(self, x: VectorLike, y: Vector) -> Matrix:
        """Compute the conditional density p(y | x) for all pairs of an x and a y.

        Parameters
        ----------
        x : array_like of shape (m,)
            Values of x.
        y : ndarray of shape (q,)
            Values of y.

        Returns
        -------
        ndarray of shape (m, q)
            The densities.
        """
        x = np.asarray(x, dtype=float)
        gaps = (0.0,) if self.gap is None else (-self.gap(x)[:, None], self.gap(x)[:, None])
        middle, s = self.middle(x)[:, None], self.spread(x)[:, None]
        parts = [np.exp(-0.5 * ((y - middle - gap) / s) ** 2) for gap in gaps]
        return sum(parts) / (len(parts) * math.sqrt(2 * math.pi) * s)

    def posterior(self, x: float, prior: GaussianMixture, kernel: Kernel) -> Embedding:
        r"""Compute the embedding of the posterior of y given x under another distribution of y.

        Parameters
        ----------
        x : float
            The observed x.
        prior : GaussianMixture
            The distribution π of y, on R.
        kernel : Kernel
            The kernel of the embedding.

        Returns
        -------
        Embedding
            Point masses on a grid of 801 points where the posterior is.

        Raises
        ------
        ValueError
            If x and the prior exclude each other.

        Notes
        -----
        The posterior is

        .. math::

            Q(y \mid x) \propto p(x \mid y)\, \pi(y), \qquad p(x \mid y) = \frac{p(x)\, p(y \mid x)}{p(y)},

        where :math:`p(y) = \int p(x)\, p(y \mid x)\, dx` is summed over x. Sums over the grid are those of a smooth
        density to all digits.
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
        """Compute Q(y | x) at y (m,), divided by its largest value; zeros if all of them underflow."""
        marginal = np.exp(-0.5 * PLACES**2) @ self.density(PLACES, y)  # constant factors cancel below
        # in the tails of y, p(x | y) is a ratio of two tiny numbers; both are accurate down to 1e-300
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
    r"""Return a joint distribution by its name.

    Parameters
    ----------
    kind : {"gaussian", "banana", "fork", "fan"}
        The name, see Notes.

    Returns
    -------
    Joint
        The distribution.

    Raises
    ------
    ValueError
        If `kind` is another name.

    Notes
    -----
    :math:`x \sim N(0, 1)` in all, and

    - "gaussian": :math:`y \sim N(0.8\, x, 0.6^2)`.
    - "banana": :math:`y \sim N(x^2 - 1, 0.4^2)`.
    - "fork": :math:`y \sim N(\pm g, 0.25^2)`, each sign equally likely, with :math:`g = 0.6 \log(1 + e^{2x})`.
    - "fan": :math:`y \sim N(0, (0.15 + 0.45\, |x|)^2)`.

    Examples
    --------
    >>> from explorer.datasets import joint
    >>> X, Y = joint("banana").sample(3, rng=0)
    >>> X.shape, joint("banana").given(2.0).mean.round(1)
    ((3, 1), array([3.]))
    """
    if kind not in JOINTS:
        raise Refusal(f"There is no joint distribution {checks.echo(kind)}; there are {', '.join(JOINTS)}.")
    return JOINTS[kind]
