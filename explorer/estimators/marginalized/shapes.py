"""Noise of any shape along σ: one covariance for all points, or one for each; losses and leave-one-out scores.

The estimate is (1/n) sum_i E k(x_i + u_i, .) with u_i ~ N(0, s² C_i), an `Embedding` of covariance (d, d) or (n, d, d).
Along s the sum of two covariances keeps its eigenvectors, so that one decomposition of a pair serves every s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.estimators.paths import unit_of_losses
from explorer.estimators.selection import least
from explorer.execution.processors import limit_threads
from explorer.types import Covariances, Matrix, Points, Values, Vector, VectorLike

from .along import Along

if TYPE_CHECKING:
    from .along import NoisySample


BLOCK = 2**20  # the most numbers in memory at a time


class Moments(NamedTuple):
    """Mean kernel values over pairs of points that carry noise u, at each of m sizes s: what losses and scores need.

    Attributes
    ----------
    one : ndarray of shape (m,)
        Mean over i != j of E k(x_i, x_j + u_j).
    both : ndarray of shape (m,)
        Mean over i != j of E k(x_i + u_i, x_j + u_j).
    same : ndarray of shape (m,)
        Mean over i of E k(x_i + u, x_i + u'), two independent copies of u_i.
    truth : ndarray of shape (m,) or None
        Mean over i of E μ(x_i + u_i); None if no true distribution is known.
    """

    one: np.ndarray
    both: np.ndarray
    same: np.ndarray
    truth: np.ndarray | None

    def square(self, n: int) -> Vector:
        """Return |μ̃|² of n points, (m,)."""
        return ((n - 1) * self.both + self.same) / n

    def score(self, n: int) -> Vector:
        """Return the leave-one-out score of n points, (m,), for a kernel with k(x, x) = 1.

        It is (1/n) sum_i |k(x_i, .) - μ̃^(-i)|², where μ̃^(-i) is the other points' estimate.
        """
        return 1 - 2 * self.one + ((n - 2) * self.both + self.same) / (n - 1)


MomentsAt = Callable[[Vector], Moments]  # the mean kernel values at s (m,), in units of x


@limit_threads
def marginalized_along(
    noisy: NoisySample,
    sigmas: VectorLike,
    unit: float,
    at: MomentsAt,
    deviations: VectorLike,
    chosen: float | None = None,
    score: Callable[[Vector], Vector] | None = None,
) -> Along:
    """Return an estimate's losses and scores at the given σ and, as the last, at `chosen` or the σ of least score.

    Parameters
    ----------
    noisy : NoisySample
        The sample.
    sigmas : array_like of shape (m,)
        The values of σ, in `unit`.
    unit : float
        The unit of σ, in units of x.
    at : callable
        Maps s (m,) to the mean kernel values at each, as the functions do that `shaped` and `other_noise` return.
    deviations : array_like of shape (d,)
        The standard deviations of the noise at s = 1.
    chosen : float, optional
        The chosen s, in units of x; None takes the one of least leave-one-out score.
    score : callable, optional
        Maps s (m,) to scores (m,). Without it the shape of the noise is the same whichever point is left out.

    Returns
    -------
    Along
        One record for all m + 1 values of σ.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.estimators import NoisySample, marginalized_along, other_noise
    >>> law = GaussianMixture([1.0], [[0.0]], [[1.0]])
    >>> noisy = NoisySample(Gaussian(1.0), law.sample(20, rng=0), law)
    >>> along = marginalized_along(noisy, [0.2, 0.4], 1.0, other_noise(noisy, "laplace"), deviations=[1.0])
    >>> along.loss.round(2).tolist(), round(along.chosen, 2)
    ([0.98, 1.13, 1.96], 0.64)
    """
    n = noisy.pairs.n
    scored = score if score is not None else lambda s: at(s).score(n)
    if chosen is None:
        spread, theta = noisy.pairs.spread, noisy.kernel.theta()
        low, high = 1e-3 * min(theta, spread), 1e1 * spread
        chosen = least(scored, low, high, ends=(0.0,)) if spread > 0 else 0.0
    s = np.append(np.asarray(sigmas) * unit, chosen)
    moments = at(s)
    estimated = noisy.estimated_loss * n / (n - 1)  # the loss of KME on n - 1 points, as scores are of n - 1 points
    gained = scored(s) - scored(np.zeros(1))
    scores = 1 + gained / estimated if estimated > 0 else np.ones(len(s))
    loss = None
    if moments.truth is not None and noisy.truth is not None:
        squares = moments.square(n) - 2 * moments.truth + noisy.truth.norm() ** 2
        loss = np.maximum(squares, 0.0) / unit_of_losses(noisy.empirical)
    return Along(np.append(sigmas, chosen / unit), np.outer(s, np.asarray(deviations)), loss, scores)


@limit_threads
def shaped(noisy: NoisySample, shapes: Covariances) -> MomentsAt:
    """Return a function of s that gives the mean kernel values of an estimate whose points have noise N(0, s² C).

    Parameters
    ----------
    noisy : NoisySample
        The sample.
    shapes : ndarray of shape (d, d) or (n, d, d)
        C, one covariance for all points or one for each.

    Returns
    -------
    callable
        Maps s (m,) to `Moments`: means over pairs of points, and over points and the true distribution, each (m,).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.estimators import NoisySample, shaped
    >>> X = np.random.default_rng(0).normal(size=(8, 2))
    >>> at = shaped(NoisySample(Gaussian(1.0), X), np.diag([1.0, 0.1]))
    >>> at(np.array([0.0, 0.5, 1.0])).score(8).round(3).tolist()
    [0.74, 0.712, 0.684]
    """
    X, theta = noisy.X, noisy.kernel.theta()
    i, j = np.triu_indices(noisy.pairs.n, 1)
    apart, eye, scaled = (X[i] - X[j]) / theta, np.eye(X.shape[1]), shapes / theta**2
    if shapes.ndim == 2:
        one, both = [_Profile(eye, scaled, apart)], _Profile(eye, 2 * scaled, apart)
        same = _Profile(eye, 2 * scaled, np.zeros((1, X.shape[1])))
    else:
        one = [_Profile(eye, scaled[each], apart) for each in (i, j)]
        both = _Profile(eye, scaled[i] + scaled[j], apart)
        same = _Profile(eye, 2 * scaled, np.zeros(X.shape))
    truths = _truths(noisy, shapes)

    def at(s):
        v = np.asarray(s, dtype=float) ** 2
        truth = None if truths is None else np.sum([weight * each.mean(v) for each, weight in truths], axis=0)
        return Moments(np.mean([each.mean(v) for each in one], axis=0), both.mean(v), same.mean(v), truth)

    return at


@limit_threads
def marginalized_refits(noisy: NoisySample, shapes_of: Callable[[Points], Values]) -> Callable[[Vector], Vector]:
    """Return a function of s that gives leave-one-out scores; each of n >= 3 refits makes its points' covariances anew.

    An ellipse that is shaped by its neighbours points at them: with the shapes of all n points the score would know the
    point that it leaves out.

    Parameters
    ----------
    noisy : NoisySample
        The sample.
    shapes_of : callable
        Maps points (n - 1, d) to the covariances of their noise at s = 1, (n - 1, d, d).

    Returns
    -------
    callable
        Maps s (m,) to scores (m,).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.estimators import NoisySample, local_shapes, marginalized_refits
    >>> X = np.random.default_rng(0).normal(size=(8, 2))
    >>> score = marginalized_refits(NoisySample(Gaussian(1.0), X), lambda others: local_shapes(others, 3))
    >>> score(np.array([0.0, 0.5, 1.0])).round(3).tolist()
    [0.74, 0.717, 0.693]
    """
    X, theta, n = noisy.X, noisy.kernel.theta(), noisy.pairs.n
    eye, parts = np.eye(X.shape[1]), []
    i, j = np.triu_indices(n - 1, 1)
    for left_out in range(n):
        others = np.delete(X, left_out, axis=0) / theta
        shapes = shapes_of(others * theta) / theta**2
        one = _Profile(eye, shapes, others - X[left_out] / theta)
        both = _Profile(eye, shapes[i] + shapes[j], others[i] - others[j])
        parts.append((one, both, _Profile(eye, shapes, np.zeros(others.shape))))

    def score(s):
        v = np.asarray(s, dtype=float) ** 2
        squares = [((n - 2) * both.mean(v) + same.mean(2 * v)) / (n - 1) for _, both, same in parts]
        return np.mean([1 - 2 * part[0].mean(v) + square for part, square in zip(parts, squares, strict=True)], axis=0)

    return score


def _truths(noisy, shapes):
    """Return (_Profile, weight) of each Gaussian component of the true kernel mean, or None if it is not known."""
    mu = noisy.truth
    if mu is None:
        return None
    theta, d = noisy.kernel.theta(), noisy.X.shape[1]
    found = []
    for weight, mean, covariance in components(mu, d):
        base = np.eye(d) + covariance / theta**2
        found.append((_Profile(base, shapes / theta**2, (noisy.X - mean) / theta), weight))
    return found


def components(mu: Any, d: int) -> list[tuple[float, Vector, Matrix]]:
    """Return (weight, mean, covariance (d, d)) of each Gaussian component of an Embedding."""
    covariance = np.zeros((d, d)) if mu.covariance is None else np.asarray(mu.covariance)
    if covariance.ndim < 2:
        covariance = covariance * np.eye(d)
    covariances = np.broadcast_to(covariance, (len(mu.points), d, d))
    return list(zip(mu.weights.tolist(), mu.points, covariances, strict=True))


class _Profile:
    """The function v -> (|I| / |B + v C|)^(1/2) exp(-z' (B + v C)^(-1) z / 2), for p points z.

    B has shape (d, d), C (d, d) or (p, d, d), and z (p, d).
    """

    def __init__(self, base: Matrix, added: Values, z: Points) -> None:
        L = np.linalg.cholesky(base)
        inverse = np.linalg.inv(L)
        gamma, V = np.linalg.eigh(inverse @ added @ inverse.T)
        self.gamma = np.maximum(gamma, 0.0)  # (d,) or (p, d)
        y = np.einsum("...kl,...k->...l", V, z @ inverse.T)
        self.squares = y**2
        self.factor = 1 / float(np.diag(L).prod())

    def mean(self, v: Vector) -> Vector:
        """Return the mean over the p functions at each v (m,), shape (m,)."""
        if not len(self.squares):
            return np.zeros(len(v))
        size = max(1, BLOCK // self.squares.size)
        return np.concatenate([self._mean(v[k : k + size]) for k in range(0, len(v), size)])

    def _mean(self, v):
        grown = 1 + v[(slice(None), *[None] * self.gamma.ndim)] * self.gamma
        logs = np.log(grown).sum(axis=-1)
        if self.gamma.ndim == 1:
            quadratic = (1 / grown) @ self.squares.T
            logs = logs[:, None]
        else:
            quadratic = (self.squares / grown).sum(axis=-1)
        return self.factor * np.exp(-(logs + quadratic) / 2).mean(axis=-1)


def ellipse(long: float, across: float, tilt: float) -> Matrix:
    """Return the covariance of an ellipse with these axes.

    Parameters
    ----------
    long, across : float
        The standard deviations along the two axes.
    tilt : float
        The angle by which the axis `long` is turned, in degrees.

    Returns
    -------
    ndarray of shape (2, 2)
        The covariance.
    """
    angle = math.radians(tilt)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return turn @ np.diag([long**2, across**2]) @ turn.T


def axes_of(C: Matrix) -> tuple[float, float, float]:
    """Return the axes of a covariance, see `ellipse`: the long axis first.

    Parameters
    ----------
    C : ndarray of shape (2, 2)
        The covariance.

    Returns
    -------
    long, across : float
        The standard deviations along the two axes.
    tilt : float
        The angle of the long axis in [0, 180), in degrees.
    """
    gamma, U = np.linalg.eigh(C)
    across, long = np.sqrt(np.maximum(gamma, 0.0)).tolist()
    tilt = math.degrees(math.atan2(U[1, 1], U[0, 1]))
    return long, across, tilt % 180.0


def like_the_data(X: Points) -> Matrix:
    """Return the covariance of points divided by its mean variance: noise of the shape of the data.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The points.

    Returns
    -------
    ndarray of shape (d, d)
        The covariance.
    """
    C = np.cov(X.T).reshape(X.shape[1], X.shape[1])
    mean = float(np.trace(C)) / len(C)
    return C / mean if mean > 0 else np.eye(len(C))


@limit_threads
def local_shapes(X: Points, neighbours: int) -> Values:
    """Return the second moments of each point's nearest neighbours about it, scaled to a mean variance of 1.

    Their mean variance over all points and coordinates is 1. A hundredth of the unit matrix is added to each, so that
    no shape is flat.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The points.
    neighbours : int
        The number of neighbours of each point.

    Returns
    -------
    ndarray of shape (n, d, d)
        The shapes.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.estimators import local_shapes
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 9.0], [0.0, 8.0]])
    >>> local_shapes(X, neighbours=1)[[0, 3]].round(2).tolist()
    [[[1.99, 0.0], [0.0, 0.01]], [[0.01, 0.0], [0.0, 1.99]]]
    """
    n, d = X.shape
    apart = X[None] - X[:, None]
    nearest = np.argsort((apart**2).sum(axis=-1), axis=1, kind="stable")[:, 1 : min(neighbours, n - 1) + 1]
    steps = np.take_along_axis(apart, nearest[:, :, None], axis=1)
    C = np.einsum("ika,ikb->iab", steps, steps) / nearest.shape[1]
    mean = float(np.trace(C, axis1=1, axis2=2).mean()) / d
    if mean == 0:
        return np.repeat(np.eye(d)[None], n, axis=0)
    return (C / mean + 0.01 * np.eye(d)) / 1.01


def with_axes(C: Matrix, given: Sequence[float | None]) -> Matrix:
    """Return a covariance whose first two coordinates have the given axes.

    If any of them is given, these two coordinates are independent of the others. In one coordinate only `long` counts.

    Parameters
    ----------
    C : ndarray of shape (d, d)
        The covariance.
    given : sequence of float or None
        (long, across, tilt), see `ellipse`; None keeps C's value.

    Returns
    -------
    ndarray of shape (d, d)
        The covariance.
    """
    if all(each is None for each in given):
        return C
    if len(C) == 1:
        return np.array([[given[0] ** 2 if given[0] is not None else C[0, 0]]])
    own = axes_of(C[:2, :2])
    axes = [value if value is not None else here for value, here in zip(given, own, strict=True)]
    made = C.copy()
    made[:2, 2:] = 0.0
    made[2:, :2] = 0.0
    made[:2, :2] = ellipse(*axes)
    return made
