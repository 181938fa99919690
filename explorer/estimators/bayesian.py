"""A kernel mean by Bayes' rule: a Gaussian process in front of it, and what the sample leaves open as a band."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.linalg import power_of_two
from explorer.parameters import LogNumber
from explorer.types import Gram, PointsLike, Values, Vector, VectorLike

from .base import Estimator
from .refits import Refits
from .selection import values_of
from .spectrum import Spectrum

ROUNDING = 8 * np.finfo(float).eps  # of the values of k, the deviation that values alike may show


class BayesianKME(Estimator):
    """Posterior mean of the kernel mean μ under μ ~ GP(0, r), where μ̂(x_i) = μ(x_i) + N(0, τ²) at every point.

    r(x, y) = (1/n) sum_j k(x, x_j) k(x_j, y), so R = K²/n on the sample and
    β = (K/n) (K²/n + τ²I)^(-1) K 1/n = U h(γ) U' 1/n for K = U diag(γ) U', with the filter h(γ) = γ² / (γ² + n τ²)

    noise  τ² >= 0 or infinite, in squared units of k, of the errors of the n values, which count as independent;
           0 is KME, inf is 0. None takes the τ² at which the variance of the band, averaged over the sample, is s²/n,
           s² = mean_j var_i k(x_i, x_j): τ² sum_l h(γ_l) = s² (n >= 2)

    Flaxman, Sejdinovic, Cunningham, Filippi 2016 (UAI): under r = k no draw lies in an RKHS of infinite dimension, but
    under r(x, y) = ∫ k(x, u) k(u, y) ν(du) all do if ν is finite and k bounded. Here ν is the sample's own
    distribution, so that every kernel has its r in closed form, r has no units of its own, and a Gaussian kernel's
    draws are 0 where no data are. So r uses the sample, too: an empirical Bayes prior. For the Gaussian kernel and ν =
    Lebesgue measure r is (πθ²)^(d/2) exp(-|x - y|²/(4θ²)), which a grid of x_j gives but for a factor.

    F-KMSE is the same rule with r = k, λ = τ²: its filter is γ / (γ + λ), and this one keeps more of large eigenvalues
    and less of small ones.

    The errors are not independent, as all n values come from the same n points. With s²/n, their true variance, as τ²
    the band mean ± 1.96 deviations covers too little, and the less the larger n is: 75 % of the values of μ at n = 10
    and 26 % at n = 200, for a Gaussian distribution in one dimension and the median heuristic. With None it is 89 to
    98 % in one to five dimensions, n = 10 to 200. That is a band of single values, not of the whole function. The
    squared error of the estimate is that of KME, within 3 %: the band is what one takes it for. A two-sample test with
    it is nearly KME's, at the cost of an eigendecomposition for each permutation, so no menu of estimators offers it.

    >>> from explorer import BayesianKME, Gaussian
    >>> X = [[0.0], [1.0], [4.0]]
    >>> b = BayesianKME(Gaussian(1.0), noise=0.1)
    >>> estimate = b.embed(X)
    >>> estimate.weights.round(4)
    array([0.2978, 0.3003, 0.2572])
    >>> mean, deviation = b.posterior(X, [[0.0], [2.0]])
    >>> mean.round(3), deviation.round(3)
    (array([0.48 , 0.257]), array([0.249, 0.187]))
    """

    noise: float | None = LogNumber(
        default=None,
        bounds=(0, None),
        softbounds=(1e-6, 1e0),
        infinite=True,
        allow_None=True,
        symbol="τ²",
        unit="squared units of k",
        doc="the variance of the empirical mean's values",
    )
    free = "noise"

    @property
    def equal_weights(self) -> bool:
        return self.noise == 0

    def embed(self, X: PointsLike) -> Embedding:
        kernel, X = self._kernel(X)
        if self.noise == 0:  # no eigendecomposition for what has no doubt
            return Embedding(kernel, X, np.full(len(X), 1 / len(X)))
        return Embedding(kernel, X, self._posterior(kernel(X)).weights)

    def select(self, X: PointsLike) -> Self:
        if self.noise is not None:
            return self.replace(kernel=self._kernel(X)[0])
        kernel, X = self._kernel(X)
        return self.replace(kernel=kernel, noise=self._posterior(kernel(X)).noise)

    def on_gram(self, K: Gram) -> Vector:
        return np.full(len(K), 1 / len(K)) if self.noise == 0 else self._posterior(K).weights

    def loocv(self, X: PointsLike, values: VectorLike) -> Vector:
        """The score of n genuine refits at each τ² of values (m,), n >= 2; their r is that of the n - 1 others."""
        refits = Refits(self._gram(X, 2)[2])
        return refits.score(_filtered, np.sqrt(values_of(values, "noise", "fiu", "numbers").astype(float)))

    def posterior(self, X: PointsLike, Z: PointsLike) -> tuple[Vector, Vector]:
        """Mean and standard deviation of μ at each z of Z (m, d), given the sample X (n, d): (m,) and (m,).

        r(z, X) (R + τ²I)^(-1) μ̂(X), which are the values of `embed`, and the square root of
        r(z, z) - r(z, X) (R + τ²I)^(-1) r(X, z) = (1/n) sum_l (1 - h(γ_l)) (u_l' k(X, z))², in units of k.
        """
        columns = frames.names_of(X)
        Z = frames.in_order(Z, columns, ("Z", "X"))
        kernel, X = self._kernel(X)
        Z = kernel.points(Z, "Z")
        checks.same_dimension(X, Z, ("X", "Z"))
        posterior, at = self._posterior(kernel(X)), kernel(Z, X)
        return at @ posterior.weights, posterior.deviation(at)

    def log_evidence(self, X: PointsLike) -> float:
        """log N(μ̂(X); 0, R + τ²I), of the empirical mean's n values at the points of X (n, d).

        It chooses neither τ² nor a bandwidth. μ̂ has no independent errors to show, and μ̂(X)'(R + τ²I)^(-1) μ̂(X) is at
        most 1 whatever the data: what varies is the determinant, so the density grows without bound as τ² falls to 0.
        Of a Gaussian kernel it grows with the bandwidth, as all values tend to 1; the paper's marginal pseudolikelihood
        of a bandwidth has the Jacobian of x -> k(x, .) besides. -inf at infinite noise; ValueError where τ² is 0, given
        or found, as there is no density then.
        """
        kernel, X = self._kernel(X)
        return self._posterior(kernel(X)).log_evidence()

    def _posterior(self, K):
        """The posterior on a Gram matrix (n, n)."""
        if self.noise is None:
            checks.rows(K, "X, to estimate the noise from,", 2)
        return Posterior(K, self.noise)


class Posterior:
    """What the values of the empirical mean leave open, on one Gram matrix (n, n), for noise τ²; None estimates it.

    spectrum  the matrix's Spectrum, where one is there already
    """

    def __init__(self, K: Gram, noise: float | None, spectrum: Spectrum | None = None) -> None:
        self.spectrum = Spectrum(K) if spectrum is None else spectrum
        self.n, self.unit = self.spectrum.n, self.spectrum.unit
        self.gamma = self.spectrum.gamma / self.unit  # so that their squares neither over- nor underflow
        self.tau = estimate_noise(self.gamma, K / self.unit) if noise is None else math.sqrt(noise) / self.unit

    @property
    def keeps(self) -> Vector:
        """The filter h at each eigenvalue, (n,)."""
        return posterior_filter(self.gamma, self.tau, self.n)

    @property
    def weights(self) -> Vector:
        """β, (n,)."""
        return self.spectrum.apply(self.keeps[:, None])[:, 0]

    def keeps_at(self, gamma: Vector) -> Vector:
        """The filter h at other eigenvalues, (p,), in units of k: its curve."""
        return posterior_filter(gamma / self.unit, self.tau, self.n)

    @property
    def noise(self) -> float:
        """τ², in squared units of k; ValueError where it is no float."""
        tau = self.tau * self.unit
        noise = tau * tau
        if (noise == math.inf and self.tau < math.inf) or (noise == 0 and self.tau > 0):
            raise Refusal(
                f"the noise, {tau:.3g} squared, is no float; rescale the points, or embed without select first."
            )
        return noise

    def deviation(self, at: Gram) -> Vector:
        """The standard deviation, (m,), at points whose kernel with the sample is `at` (m, n)."""
        unit = power_of_two(float(np.abs(at).max()))
        root = np.sqrt(posterior_filter_residual(self.gamma, self.tau, self.n))
        return np.linalg.norm(at / unit @ self.spectrum.U * root, axis=1) * (unit / math.sqrt(self.n))

    def log_evidence(self) -> float:
        """The log density of the empirical mean's values."""
        if self.tau == 0:
            raise Refusal(
                "the empirical mean's values have no density at noise 0, which is also what equal points leave to"
                " estimate; give BayesianKME a noise above 0."
            )
        if self.tau == math.inf:
            return -math.inf
        deviation = np.hypot(self.gamma / math.sqrt(self.n), self.tau)
        z = self.gamma * self.spectrum.c / self.n / deviation
        logs = np.log(deviation).sum() + self.n * math.log(self.unit * math.sqrt(2 * math.pi))
        return float(-(z @ z) / 2 - logs)


def posterior_filter(gamma: Values, tau: float | Vector, n: int) -> Values:
    """h = γ² / (γ² + n τ²) of eigenvalues γ; 1 at τ = 0, null directions included, and 0 at τ = inf."""
    level = math.sqrt(n) * np.asarray(tau, dtype=float)
    size = np.hypot(gamma, level)
    return np.where(level == 0, 1.0, np.divide(gamma, size, out=np.zeros(size.shape), where=size > 0) ** 2)


def posterior_filter_residual(gamma: Values, tau: float, n: int) -> Values:
    """1 - h, which keeps its digits where h is nearly 1."""
    if tau in (0, math.inf):
        return np.full(np.shape(gamma), float(tau > 0))
    level = math.sqrt(n) * tau
    return (level / np.hypot(gamma, level)) ** 2


def estimate_noise(gamma: Vector, K: Gram) -> float:
    """τ with τ² sum_l h(γ_l) = s², the mean variance of a column of K (n, n), n >= 2, whose eigenvalues are gamma (n,).

    The left side rises from 0 to sum_l γ_l² / n, which s² reaches only where every column's mean is 0: τ is then inf.
    """
    from scipy.optimize import brentq  # a fifth of a second that `import explorer` does not owe

    n = len(K)
    square, most = K.var(axis=0, ddof=1).mean(), gamma @ gamma / n
    if square <= ROUNDING**2 * most / n:
        return 0.0
    if square >= (1 - ROUNDING) * most:
        return math.inf

    def excess(log):
        return math.exp(log) / n * posterior_filter(gamma, math.exp(log / 2) / math.sqrt(n), n).sum() - square

    low = high = math.log(square)  # of n τ², at which the left side is s² at most
    while excess(high) < 0:
        high += 1
    log: Any = brentq(excess, low - 1, high)
    return math.exp(log / 2) / math.sqrt(n)


def _filtered(gamma, tau, top):
    return posterior_filter(gamma, tau, gamma.shape[1])
