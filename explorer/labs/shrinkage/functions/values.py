"""Kernel means as averages of functions: their values, F-KMSE's regressions, and a Gaussian process's posterior.

f = k(., t) has E f(X) = <f, μ> = μ(t), so the values of an estimate are its estimates of the averages of all these f.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from explorer.embeddings import Embedding, GaussianMixture
from explorer.estimators.bayesian import Posterior
from explorer.kernels import Gaussian
from explorer.types import Matrix, Points, Vector

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


ALONG = 121  # the number of points at which values are drawn
COVERED = 1.96  # half the width of the band in standard deviations: 95 % of a Gaussian distribution
# The factor of the bandwidth at which the evidence is compared, and the most points for which it is.
WIDER, LARGEST = 10.0, 400
DISTANCES = np.linspace(0.0, 5.0, 101)  # distances of the kernel mean from the target, in errors of the plain average


def centre_of(X: Points, probe: float) -> Vector:
    """Return t, shape (d,): the mean of X moved by `probe` standard deviations along the first coordinate."""
    t = X.mean(axis=0)
    t[0] += probe * spread_of(X)
    return t


def spread_of(X: Points) -> float:
    """Return the standard deviation of the first coordinate, or 1 if that is 0."""
    return float(X[:, 0].std()) or 1.0


def probe_at(x: float, X: Points) -> float:
    """Return the `probe` of a position along the first coordinate, to three digits. A pointer is not more precise."""
    return float(f"{(x - X[:, 0].mean()) / spread_of(X):.3g}")


class Bayes(NamedTuple):
    """BayesianKME of a sample, at the estimated noise.

    Attributes
    ----------
    noise : float
        τ², in squared units of k.
    keeps : ndarray of shape (n,)
        The share of each eigendirection that the posterior mean keeps, γ² / (γ² + n τ²).
    weights : ndarray of shape (n,)
        The weights of the posterior mean.
    filter : ndarray of shape (p,)
        The same share at other eigenvalues, for its curve.
    loss : float or None
        |mean - μ|² over the empirical mean's; None if the truth is unknown.
    evidence : tuple of float or None
        The log evidence at this bandwidth and at WIDER times it, each at the noise that is estimated there. It is None
        for kernels that are unbounded or have no bandwidth, for equal points, and for more than LARGEST points.
    """

    noise: float
    keeps: np.ndarray
    weights: np.ndarray
    filter: np.ndarray
    loss: float | None
    evidence: tuple[float, float] | None

    @classmethod
    def of(cls, result: Any, gamma: Vector) -> Self:
        """Return the posterior of a result of the lab, its filter at eigenvalues gamma, shape (p,), in units of k."""
        posterior, truth, loss = posterior_of(result), result.truth, None
        if truth is not None:
            own = float(result.spectrum.loss_of(posterior.keeps[:, None], truth.z, truth.square)[0])
            loss = own / result.empirical_loss if result.empirical_loss else 1.0
        filter_ = posterior.keeps_at(gamma)
        return cls(posterior.noise, posterior.keeps, posterior.weights, filter_, loss, _evidence(result, posterior))


def _evidence(result, posterior):
    kernel, X = result.kernel, result.X
    if (
        not kernel.bounded
        or "bandwidth" not in type(kernel).fields
        or len(X) > LARGEST
        or not 0 < posterior.tau < math.inf
    ):
        return None
    wide = Posterior(kernel.replace(bandwidth=WIDER * kernel.bandwidth)(X), None)
    return (posterior.log_evidence(), wide.log_evidence()) if 0 < wide.tau < math.inf else None


def posterior_of(result: Any) -> Posterior:
    """Return the Gaussian process's posterior on the result's sample, at the estimated noise."""
    return Posterior(result.gram(), None, result.spectrum)


class Values(NamedTuple):
    """Values of kernel means along the first coordinate, at `at`, shape (m,), and last at the centre t of f = k(., t).

    Attributes
    ----------
    centre : ndarray of shape (d,)
        t.
    average : ndarray of shape (m + 1,)
        Values of the empirical mean: averages of f over the sample.
    inner : float
        <f, μ̂>, by the inner product of two embeddings.
    exact : ndarray of shape (m + 1,) or None
        E f(X); None if the true distribution is unknown.
    simple, flexible : ndarray of shape (r, m + 1)
        Values of S-KMSE and F-KMSE at each row of λ.
    mean, deviation : ndarray of shape (m + 1,) or None
        The Gaussian process's posterior mean and standard deviation; None if they are not shown.
    """

    at: np.ndarray
    centre: np.ndarray
    average: np.ndarray
    inner: float
    exact: np.ndarray | None
    simple: np.ndarray
    flexible: np.ndarray
    mean: np.ndarray | None
    deviation: np.ndarray | None

    @property
    def covered(self) -> float | None:
        """The share of the drawn points at which the band has the exact value, or None if either of them is missing."""
        if self.mean is None or self.deviation is None or self.exact is None:
            return None
        return float((abs(self.mean - self.exact) <= COVERED * self.deviation)[:-1].mean())

    @classmethod
    def of(cls, result: Any) -> Self:
        """Return the values of a result of the lab."""
        kernel, X, lab = result.kernel, result.X, result.lab
        centre = centre_of(result.drawn.X, lab.probe)
        low, high = (float(corner[0]) for corner in result.box)
        at = np.linspace(low, high, ALONG)
        places = np.repeat(centre[None], ALONG + 1, axis=0)
        places[:-1, 0] = at
        K = kernel(places, X)
        f = Embedding(kernel, centre[None], [1.0])
        exact = None if result.law is None else result.law.embed(kernel)(places)
        simple = result.simple_curve.weights @ K.T
        if result.blob is not None:
            left = 1 - result.simple_curve.keeps
            simple += np.outer(left, result.blob.law.embed(kernel)(places))
        mean = deviation = None
        if lab.bayesian:
            posterior = posterior_of(result)
            mean, deviation = K @ posterior.weights, posterior.deviation(K)
        average = K.mean(axis=1)
        inner = f.inner(Embedding(kernel, X, np.full(len(X), 1 / len(X))))
        return cls(at, centre, average, inner, exact, simple, result.flexible_curve.weights @ K.T, mean, deviation)


class Fits(NamedTuple):
    """Regressions of f = k(., t) on the sample. F-KMSE is their average (erratum 39).

    Attributes
    ----------
    centre : ndarray of shape (d,)
        t.
    values : ndarray of shape (n,)
        f(x_j).
    predicted : ndarray of shape (r, n)
        <f, β(x_j)> at each row of λ.
    flexible : ndarray of shape (r,)
        <f, F-KMSE>, by F-KMSE's weights.
    exact : float or None
        E f(X); None if the true distribution is unknown.

    Notes
    -----
    The conditional mean embedding of Y = X given x_j has weights β(x_j) = (K + λI)^(-1) k(X, x_j), so that its value at
    t is the kernel ridge regression of f at x_j. F-KMSE's weights are the mean of the n of them.
    """

    centre: np.ndarray
    values: np.ndarray
    predicted: np.ndarray
    flexible: np.ndarray
    exact: float | None

    @classmethod
    def of(cls, result: Any) -> Self:
        """Return the regressions of a result of the lab."""
        centre = centre_of(result.drawn.X, result.lab.probe)
        f = result.kernel(result.X, centre[None])[:, 0]
        curve, U = result.flexible_curve, result.spectrum.U
        predicted = (curve.filter_values * (f @ U)) @ U.T
        exact = None if result.law is None else float(result.law.embed(result.kernel)(centre[None])[0])
        return cls(centre, f, predicted, curve.weights @ f, exact)


def smoothed_density(law: Any, kernel: Kernel, t: Vector) -> tuple[float, float] | None:
    """Return (p * N(0, θ²I) at t, (2πθ²)^(d/2)), or None for other kernels than RBF.

    μ(t) is their product, a Weierstrass transform. If p is a mixture of Gaussians, its smoothed density is that of the
    mixture with covariances enlarged by θ²I.
    """
    if not (isinstance(law, GaussianMixture) and isinstance(kernel, Gaussian)):
        return None
    square = kernel.theta() ** 2
    wider = GaussianMixture(law.weights, law.means, law.covariances + square * np.eye(law.d))
    return math.exp(float(wider.logpdf(t[None])[0])), (2 * math.pi * square) ** (law.d / 2)


def risks_at(lams: Vector, distances: Vector = DISTANCES) -> Matrix:
    """Return S-KMSE's expected loss relative to the plain average's, shape (r, m), at each λ and distance.

    The kernel means lie at `distances`, shape (m,). The loss is (1 - α)² + α² ρ² with α = λ / (1 + λ), where
    ρ = |f* - μ| / √Δ is the distance from the target in errors of the average.
    """
    keep = 1 / (1 + np.asarray(lams)[:, None])
    return keep**2 + (1 - keep) ** 2 * distances**2


def oracle_risks(distances: Vector = DISTANCES) -> Vector:
    """Return S-KMSE's relative expected loss at the best λ for each distance, ρ² / (1 + ρ²) < 1, shape (m,).

    It is relative to the plain average's.
    """
    return distances**2 / (1 + distances**2)


def distance_at(lam: float, risk: float) -> float:
    """Return the distance ρ at which S-KMSE with this λ has the relative expected loss `risk`, which is 1 or more.

    At λ = 0 it is infinite.
    """
    keep = 1 / (1 + lam)
    return math.sqrt(risk - keep**2) / (1 - keep) if keep < 1 else math.inf


def turning_point(lam: float) -> float:
    """Return the distance ρ beyond which S-KMSE with this λ is worse than the plain average, √(1 + 2/λ)."""
    return distance_at(lam, 1.0)
