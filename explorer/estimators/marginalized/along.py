"""MKME and MMKME along σ: exact losses and leave-one-out scores, computed for all σ at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import read_only_fields
from explorer.embeddings import Embedding
from explorer.estimators.paths import unit_of_losses
from explorer.estimators.selection import least
from explorer.execution.processors import limit_threads_of_methods
from explorer.printing import printed
from explorer.record import record
from explorer.types import Points, Vector

from .risk import marginalized_risks
from .search import best_sigma, best_variances
from .weights import Projection

if TYPE_CHECKING:
    from explorer.embeddings.law import Law
    from explorer.kernels.gaussian import Gaussian
    from explorer.kernels.noisy.gaussian import GaussianPairs
    from explorer.kernels.noisy.pairs import Drops


MIXTURES = 4  # the most shapes of noise whose decompositions a sample caches


@printed
@record
class Along:
    """Losses and leave-one-out scores of one estimator at several σ, relative to the empirical mean's.

    Attributes
    ----------
    sigmas : ndarray of shape (m + 1,)
        The requested σ and, last, the leave-one-out choice, in the caller's unit.
    deviations : ndarray of shape (m + 1, d)
        The standard deviations of the noise in each coordinate, in units of x.
    loss : ndarray of shape (m + 1,) or None
        The losses; None if the true distribution is not known.
    score : ndarray of shape (m + 1,)
        The leave-one-out scores.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.estimators import NoisySample
    >>> from explorer.estimators.marginalized.along import Along
    >>> law = GaussianMixture([1.0], [[0.0, 0.0]], [np.eye(2)])
    >>> along: Along = NoisySample(Gaussian(1.0), law.sample(20, rng=0), law).mkme([0.2, 0.5])
    >>> along.loss.round(2).tolist(), along.score.round(2).tolist(), round(along.chosen, 2)
    ([0.93, 0.85, 1.04], [0.91, 0.62, 0.55], 0.69)
    """

    sigmas: np.ndarray
    deviations: np.ndarray
    loss: np.ndarray | None
    score: np.ndarray

    __post_init__ = read_only_fields

    @property
    def height(self) -> Vector:
        """The loss, or the leave-one-out score if the truth is not known, shape (m + 1,)."""
        return self.score if self.loss is None else self.loss

    @property
    def chosen(self) -> float:
        """The σ of least leave-one-out score."""
        return float(self.sigmas[-1])

    @property
    def best(self) -> int | None:
        """The row of least loss, or None if the truth is not known."""
        return None if self.loss is None else int(np.argmin(self.loss))


@limit_threads_of_methods
class NoisySample:
    """A sample X (n, d), n >= 2, whose points may carry noise: the basis of marginalized estimates along σ.

    Parameters
    ----------
    kernel : Gaussian
        A stationary kernel with its bandwidth, which makes noisy mixtures.
    X : ndarray of shape (n, d)
        The sample.
    law : Law, optional
        The true distribution; None if it is not known.

    Attributes
    ----------
    pairs : GaussianPairs
        The pairs of points.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.estimators import NoisySample
    >>> law = GaussianMixture([1.0], [[0.0, 0.0]], [np.eye(2)])
    >>> noisy = NoisySample(Gaussian(1.0), law.sample(20, rng=0), law)
    >>> along = noisy.mkme([0.1, 0.3, 0.5])
    >>> along.loss[:3].round(2).tolist(), round(along.chosen, 2)
    ([0.98, 0.88, 0.85], 0.69)
    """

    kernel: Gaussian
    law: Law | None
    pairs: GaussianPairs

    def __init__(self, kernel: Gaussian, X: Points, law: Law | None = None) -> None:
        self.kernel, self.X, self.law = kernel, X, law
        self.pairs, self._mixtures = kernel.noisy_pairs(X), {}

    @cached_property
    def truth(self):
        """The true kernel mean, an Embedding, or None if it is not known."""
        return None if self.law is None else self.law.embed(self.kernel)

    @cached_property
    def no_noise(self) -> Drops:
        """The mean kernel values over pairs of points without noise, as `Drops` below the mean of k(x_i, x_i)."""
        return self.pairs.isotropic(np.zeros(1))

    @cached_property
    def empirical(self) -> float | None:
        """The loss |μ̂ - μ|² of the empirical mean, or None if no truth is known."""
        loss = self.losses(np.zeros(1), np.ones(self.pairs.d), self.no_noise)
        return None if loss is None else float(loss[0])

    @property
    def estimated_loss(self) -> float:
        """The leave-one-out estimate of the empirical mean's loss, (1 - u) / n."""
        return float(self.no_noise.L[0] / self.pairs.n)

    @cached_property
    def projection(self):
        """The Projection on the span of the k(x_i, .)."""
        return Projection(self.kernel, self.X)

    @cached_property
    def sigma(self) -> float:
        """MKME's σ of least leave-one-out score."""
        return best_sigma(self.pairs)

    @cached_property
    def variances(self) -> Vector:
        """MMKME's variances (d,) of least leave-one-out score."""
        return best_variances(self.pairs, self.sigma**2)

    def embed(self, deviations: Vector) -> Embedding:
        """Return the estimate with noise of these standard deviations.

        Parameters
        ----------
        deviations : ndarray of shape (d,)
            The standard deviations, in units of x.

        Returns
        -------
        Embedding
            The estimate.
        """
        return Embedding(self.kernel, self.X, np.full(self.pairs.n, 1 / self.pairs.n), deviations**2)

    def losses(self, s: Vector, shape: Vector, drops: Drops) -> Vector | None:
        """Return the losses |μ̃ - μ|² of the estimates with noise N(0, s² T²), T = diag(shape).

        Parameters
        ----------
        s : ndarray of shape (m,)
            The amounts of noise.
        shape : ndarray of shape (d,)
            The standard deviations at s = 1.
        drops : Drops
            The mean kernel values over pairs of points with noise, at these s, from `pairs`.

        Returns
        -------
        ndarray of shape (m,) or None
            The losses; None if no truth is known.
        """
        if self.law is None:
            return None
        return self.pairs.square(drops) - 2 * self._mixture(shape).means(self.X, s**2) + self._square

    def _mixture(self, shape):
        """Return the true distribution with noise of this shape added; the last few are cached."""
        key, mu = shape.tobytes(), self.truth
        if key not in self._mixtures and mu is not None:
            if len(self._mixtures) >= MIXTURES:
                self._mixtures.clear()
            self._mixtures[key] = self.kernel.noisy_mixture(mu.weights, mu.points, mu.covariance, shape)
        return self._mixtures[key]

    @cached_property
    def _square(self):
        """The squared norm |μ|², or 0 if no truth is known."""
        return 0.0 if self.truth is None else self.truth.inner(self.truth)

    def mkme(self, sigmas: Sequence[float] | Vector, unit: float = 1.0) -> Along:
        """Return MKME's losses and scores at several σ.

        The σ of least leave-one-out score is appended as the last.

        Parameters
        ----------
        sigmas : array_like of shape (m,)
            The values of σ, in `unit`.
        unit : float, default 1.0
            The unit of σ, in units of x.

        Returns
        -------
        Along
            One record for all m + 1 values of σ.
        """
        return self._along(sigmas, unit, self.sigma, np.ones(self.pairs.d), lambda s: self.pairs.isotropic(s**2))

    def mmkme(self, sigmas: Sequence[float] | Vector, unit: float = 1.0, shape: Vector | None = None) -> Along:
        """Return MMKME's losses and scores at several σ, where coordinate l has noise of standard deviation σ shape_l.

        The σ of least leave-one-out score is appended as the last.

        Parameters
        ----------
        sigmas : array_like of shape (m,)
            The values of σ, in `unit`.
        unit : float, default 1.0
            The unit of σ, in units of x.
        shape : ndarray of shape (d,), optional
            Standard deviations at σ = 1; nan in a coordinate, or None for all, takes the choice of `best_shape`.

        Returns
        -------
        Along
            One record for all m + 1 values of σ.
        """
        shape, chosen = self.best_shape(shape)
        return self._along(sigmas, unit, chosen, shape, lambda s: self.pairs.drops(np.outer(s, shape) ** 2))

    def risk(self, sigmas: Vector) -> Vector | None:
        """Return MKME's exact risk at each σ, relative to KME's.

        Parameters
        ----------
        sigmas : ndarray of shape (m,)
            The values of σ, in units of x.

        Returns
        -------
        ndarray of shape (m,) or None
            The risks; None if no truth is known.
        """
        if self.law is None:
            return None
        risk = marginalized_risks(self.law, self.kernel, self.pairs.n, np.append(sigmas, 0.0))
        return risk[:-1] / risk[-1]

    def best_shape(self, given: Vector | None = None) -> tuple[Vector, float]:
        """Return the standard deviations of MMKME's noise, up to a factor s, and the s of least leave-one-out score.

        Parameters
        ----------
        given : ndarray of shape (d,), optional
            The values that are fixed, nan in a coordinate that leave-one-out chooses. None fixes no coordinate; the
            shape's mean square is then 1.

        Returns
        -------
        shape : ndarray of shape (d,)
            The standard deviations at s = 1, one for each coordinate.
        s : float
            The amount of noise, in units of x.
        """
        pairs, scale = self.pairs, math.sqrt(self.variances.mean())
        shape = np.sqrt(self.variances) / scale if scale > 0 else np.ones(pairs.d)
        if given is None or np.isnan(given).all():
            return shape, scale
        shape = np.where(np.isnan(given), shape, given)
        if pairs.spread == 0 or not shape.any():
            return shape, 0.0
        low, high = 1e-4 * min(self.kernel.theta(), pairs.spread) / shape.max(), 1e1 * pairs.spread / shape.max()
        return shape, least(lambda s: pairs.score(pairs.drops(np.outer(s, shape) ** 2)), low, high, ends=(0.0,))

    def _along(self, sigmas, unit, chosen, shape, drops_at):
        """Return the losses and scores, an Along, at `sigmas`, in `unit`, and at the chosen σ, in units of x."""
        s, n = np.append(np.asarray(sigmas) * unit, chosen), self.pairs.n
        drops = drops_at(s)
        estimated = self.estimated_loss * n / (n - 1)  # the loss of KME on n - 1 points, as scores are of n - 1 points
        gained = self.pairs.score(drops) - self.pairs.score(self.no_noise)
        score = 1 + gained / estimated if estimated > 0 else np.ones(len(s))
        loss = self.losses(s, shape, drops)
        if loss is not None:
            loss = loss / unit_of_losses(self.empirical)
        sigmas = np.append(sigmas, chosen / unit)  # dividing s by the unit would change the requested σ by rounding
        return Along(sigmas, np.outer(s, shape), loss, score)
