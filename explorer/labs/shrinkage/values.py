"""What a kernel mean says of functions: its values, the regressions F-KMSE averages, and the posterior of a Gaussian
process.

f = k(., t) has E f(X) = <f, μ> = μ(t), so the values of an estimate are what it says of the averages of all these f.
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


ALONG = 121  # places at which values are drawn
COVERED = 1.96  # standard deviations of the band on either side: 95 % of a Gaussian distribution
WIDER, LARGEST = 10.0, 400  # times the bandwidth, where the evidence is compared, and points up to which it is
DISTANCES = np.linspace(0.0, 5.0, 101)  # of the kernel mean from the target, in errors of the plain average


def centre_of(X: Points, probe: float) -> Vector:
    """t (d,): the mean of the points X (n, d), moved by `probe` standard deviations along the first coordinate."""
    t = X.mean(axis=0)
    t[0] += probe * spread_of(X)
    return t


def spread_of(X: Points) -> float:
    """The standard deviation of the first coordinate; 1 where it has none."""
    return float(X[:, 0].std()) or 1.0


def probe_at(x: float, X: Points) -> float:
    """The `probe` of a place along the first coordinate, to three digits: a pointer has no more."""
    return float(f"{(x - X[:, 0].mean()) / spread_of(X):.3g}")


class Bayes(NamedTuple):
    """BayesianKME of a sample, at the noise that it estimates.

    noise    τ², in squared units of k
    keeps    (n,): the share of each eigendirection that the posterior mean keeps, γ² / (γ² + n τ²)
    weights  (n,)
    filter   (p,): the same share at other eigenvalues, for its curve
    loss     |mean - μ|² over the empirical mean's; None where no truth is known
    evidence the log evidence at this bandwidth and at WIDER times it, each at the noise that is estimated there; None
             for kernels that are not bounded or have no bandwidth, for equal points, and for more than LARGEST points
    """

    noise: float
    keeps: np.ndarray
    weights: np.ndarray
    filter: np.ndarray
    loss: float | None
    evidence: tuple[float, float] | None

    @classmethod
    def of(cls, result: Any, gamma: Vector) -> Self:
        """Of a result of the lab, its filter at eigenvalues gamma (p,) in units of k."""
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
    """The Gaussian process's Posterior on the result's sample, at the noise that it estimates."""
    return Posterior(result.gram(), None, result.spectrum)


class Values(NamedTuple):
    """Values of kernel means along the first coordinate, at `at` (m,) and last at the centre t of f = k(., t).

    centre     t, (d,)
    average    (m + 1,), of the empirical mean: averages of f over the sample
    inner      <f, μ̂>, by the inner product of two embeddings
    exact      (m + 1,): E f(X); None where no true distribution is known
    simple     (r, m + 1), of S-KMSE at each row of λ; `flexible` of F-KMSE
    mean       (m + 1,), the Gaussian process's posterior mean, with its `deviation`; None where they are not shown
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
        """The share of the drawn places at which the band has the exact value; None where one of them is not there."""
        if self.mean is None or self.deviation is None or self.exact is None:
            return None
        return float((abs(self.mean - self.exact) <= COVERED * self.deviation)[:-1].mean())

    @classmethod
    def of(cls, result: Any) -> Self:
        """Of a result of the lab."""
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
    """Regressions of f = k(., t) on the sample: what F-KMSE is the average of (erratum 39).

    The conditional mean embedding of Y = X given x_j has weights β(x_j) = (K + λI)^(-1) k(X, x_j), so that its value at
    t is the kernel ridge regression of f at x_j. F-KMSE's weights are the mean of the n of them.

    centre     t, (d,)
    values     (n,): f(x_j)
    predicted  (r, n): <f, β(x_j)> at each row of λ
    flexible   (r,): <f, F-KMSE>, by F-KMSE's own weights
    exact      E f(X); None where no true distribution is known
    """

    centre: np.ndarray
    values: np.ndarray
    predicted: np.ndarray
    flexible: np.ndarray
    exact: float | None

    @classmethod
    def of(cls, result: Any) -> Self:
        """Of a result of the lab."""
        centre = centre_of(result.drawn.X, result.lab.probe)
        f = result.kernel(result.X, centre[None])[:, 0]
        curve, U = result.flexible_curve, result.spectrum.U
        predicted = (curve.filter_values * (f @ U)) @ U.T
        exact = None if result.law is None else float(result.law.embed(result.kernel)(centre[None])[0])
        return cls(centre, f, predicted, curve.weights @ f, exact)


def smoothed_density(law: Any, kernel: Kernel, t: Vector) -> tuple[float, float] | None:
    """(p * N(0, θ²I) at t, (2πθ²)^(d/2)): μ(t) is their product, a Weierstrass transform; None for other kernels.

    Of a mixture p of Gaussians, by its density with covariances that are θ²I larger.
    """
    if not (isinstance(law, GaussianMixture) and isinstance(kernel, Gaussian)):
        return None
    square = kernel.theta() ** 2
    wider = GaussianMixture(law.weights, law.means, law.covariances + square * np.eye(law.d))
    return math.exp(float(wider.logpdf(t[None])[0])), (2 * math.pi * square) ** (law.d / 2)


def risks_at(lams: Vector, distances: Vector = DISTANCES) -> Matrix:
    """S-KMSE's expected loss over the plain average's at each λ, (r, m), for kernel means at `distances` (m,).

    (1 - α)² + α² ρ², α = λ / (1 + λ), where ρ = |f* - μ| / √Δ is the distance from the target in errors of the average.
    """
    keep = 1 / (1 + np.asarray(lams)[:, None])
    return keep**2 + (1 - keep) ** 2 * distances**2


def oracle_risks(distances: Vector = DISTANCES) -> Vector:
    """S-KMSE's expected loss over the plain average's at the best λ for each distance, ρ² / (1 + ρ²) < 1, (m,)."""
    return distances**2 / (1 + distances**2)


def distance_at(lam: float, risk: float) -> float:
    """The distance ρ at which S-KMSE with this λ has this risk, 1 or more, over the plain average's; inf at λ = 0."""
    keep = 1 / (1 + lam)
    return math.sqrt(risk - keep**2) / (1 - keep) if keep < 1 else math.inf


def turning_point(lam: float) -> float:
    """The distance ρ beyond which S-KMSE with this λ is worse than the plain average, √(1 + 2/λ)."""
    return distance_at(lam, 1.0)
