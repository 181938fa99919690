"""Kernel mean by Bayes' rule: a Gaussian process prior, and a band for what the sample leaves uncertain."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.linalg import power_of_two
from explorer.types import Gram, PointsLike, Values, Vector, VectorLike

from .base import Estimator
from .refits import Refits
from .selection import free_field, values_of
from .spectrum import Spectrum

ROUNDING = 8 * np.finfo(float).eps  # relative to the values of k: the deviation that equal values show by rounding


class BayesianKME(Estimator):
    r"""Posterior mean of the kernel mean μ under a Gaussian process prior, with independent errors at the points.

    Use it for a band around the values of a kernel mean. Its error is about that of `KME`; for less, try `SKMSE`.

    The prior is μ ~ GP(0, r), and μ̂(x_i) = μ(x_i) + N(0, τ²) at every point.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.
    noise : float or None, default None
        The variance τ² >= 0 of the errors of the n values, which count as independent, in squared units of k; it may
        be infinite. 0 is KME, infinity is 0. None takes the τ² at which the variance of the band, averaged over the
        sample, is s²/n with s² = mean_j var_i k(x_i, x_j): τ² sum_l h(γ_l) = s² (n >= 2).

    Notes
    -----
    With r(x, y) = (1/n) sum_j k(x, x_j) k(x_j, y), R = K²/n on the sample. For K = U diag(γ) U' the weights are

    .. math:: \beta = \tfrac1n K \left(\tfrac1n K^2 + \tau^2 I\right)^{-1} \tfrac1n K 1 = \tfrac1n U h(\gamma) U' 1,
              \qquad h(\gamma) = \frac{\gamma^2}{\gamma^2 + n \tau^2}.

    Under r = k no draw lies in an RKHS of infinite dimension, but under r(x, y) = ∫ k(x, u) k(u, y) ν(du) all draws do
    if ν is finite and k bounded (Flaxman, Sejdinovic, Cunningham, Filippi 2016). Here ν is the sample's own
    distribution. So every kernel has its r in closed form, r has no units of its own, and a Gaussian kernel's draws are
    0 far from the data. As r uses the sample, too, this is an empirical Bayes prior. For the Gaussian kernel and ν =
    Lebesgue measure r is (πθ²)^(d/2) exp(-|x - y|²/(4θ²)), which a grid of x_j gives up to a factor.

    F-KMSE is the same rule with r = k and λ = τ². Its filter is γ / (γ + λ); the filter here keeps more of large
    eigenvalues and less of small ones.

    The errors are not independent, as all n values come from the same n points. With their true variance s²/n as τ²,
    the band of the mean ± 1.96 deviations covers too little, and the coverage falls with n: 75 % of the values of μ at
    n = 10 and 26 % at n = 200, for a Gaussian distribution in one dimension and the median heuristic. With None it is
    89 to 98 % in one to five dimensions, n = 10 to 200. This is a band of single values, not of the whole function. The
    squared error of the estimate is that of KME, within 3 %: the band is the reason to take it. A two-sample test with
    it is nearly KME's, at the cost of an eigendecomposition for each permutation, so no menu of estimators offers it.

    References
    ----------
    Flaxman, Sejdinovic, Cunningham, Filippi 2016 (UAI).

    Examples
    --------
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

    noise: float | None = free_field(
        "τ²", "the variance of the empirical mean's values", "squared units of k", softbounds=(1e-6, 1e0)
    )
    free = "noise"

    @property
    def equal_weights(self) -> bool:
        return self.noise == 0

    def embed(self, X: PointsLike) -> Embedding:
        kernel, X = self._kernel(X)
        if self.noise == 0:  # the weights are known without an eigendecomposition
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
        """Return the score of n genuine refits at each τ²; their prior r uses the n - 1 other points.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample, n >= 2.
        values : array_like of shape (m,)
            The values of τ².

        Returns
        -------
        ndarray of shape (m,)
            The scores.
        """
        refits = Refits(self._gram(X, 2)[2])
        return refits.score(_filtered, np.sqrt(values_of(values, "noise", "fiu", "numbers").astype(float)))

    def posterior(self, X: PointsLike, Z: PointsLike) -> tuple[Vector, Vector]:
        """Return the posterior mean and standard deviation of μ at each point of Z.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample.
        Z : array_like of shape (m, d)
            The points.

        Returns
        -------
        mean : ndarray of shape (m,)
            The values of `embed`, r(z, X) (R + τ²I)^(-1) μ̂(X).
        deviation : ndarray of shape (m,)
            The square root of r(z, z) - r(z, X) (R + τ²I)^(-1) r(X, z) = (1/n) sum_l (1 - h(γ_l)) (u_l' k(X, z))², in
            units of k.
        """
        columns = frames.names_of(X)
        Z = frames.in_order(Z, columns, ("Z", "X"))
        kernel, X = self._kernel(X)
        Z = kernel.points(Z, "Z")
        checks.same_dimension(X, Z, ("X", "Z"))
        posterior, at = self._posterior(kernel(X)), kernel(Z, X)
        return at @ posterior.weights, posterior.deviation(at)

    def log_evidence(self, X: PointsLike) -> float:
        """Return log N(μ̂(X); 0, R + τ²I), the log density of the empirical mean's n values at the sample.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample.

        Returns
        -------
        float
            The log density, in nats; -inf at infinite noise.

        Raises
        ------
        Refusal
            If τ² is 0, given or estimated: there is no density then.

        Notes
        -----
        It is no criterion to choose τ² or a bandwidth by. μ̂ has no independent errors, and μ̂(X)'(R + τ²I)^(-1) μ̂(X)
        is at most 1 whatever the data. Only the determinant varies, so the density grows without bound as τ² falls to
        0. For a Gaussian kernel it grows with the bandwidth, as all values tend to 1. The paper's marginal
        pseudolikelihood of a bandwidth also has the Jacobian of x -> k(x, .).
        """
        kernel, X = self._kernel(X)
        return self._posterior(kernel(X)).log_evidence()

    def _posterior(self, K):
        """Return the posterior on a Gram matrix (n, n)."""
        if self.noise is None:
            checks.rows(K, "X, to estimate the noise from,", 2)
        return Posterior(K, self.noise)


class Posterior:
    """Posterior of the kernel mean on one Gram matrix (n, n).

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The Gram matrix.
    noise : float or None
        The variance τ², in squared units of k; None estimates it.
    spectrum : Spectrum, optional
        The matrix's Spectrum if it has been computed already.

    Attributes
    ----------
    spectrum : Spectrum
        The eigendecomposition of the Gram matrix.
    n : int
        The number of points.
    unit : float
        The power of two in whose units `gamma` and `tau` are.
    gamma : ndarray of shape (n,)
        The eigenvalues divided by `unit`.
    tau : float
        τ divided by `unit`.
    """

    def __init__(self, K: Gram, noise: float | None, spectrum: Spectrum | None = None) -> None:
        self.spectrum = Spectrum(K) if spectrum is None else spectrum
        self.n, self.unit = self.spectrum.n, self.spectrum.unit
        self.gamma = self.spectrum.gamma / self.unit  # so that their squares neither over- nor underflow
        self.tau = estimate_noise(self.gamma, K / self.unit) if noise is None else math.sqrt(noise) / self.unit

    @property
    def keeps(self) -> Vector:
        """The filter h at each eigenvalue, shape (n,)."""
        return posterior_filter(self.gamma, self.tau, self.n)

    @property
    def weights(self) -> Vector:
        """The weights β, shape (n,)."""
        return self.spectrum.apply(self.keeps[:, None])[:, 0]

    def keeps_at(self, gamma: Vector) -> Vector:
        """Return the filter h at other eigenvalues, for its curve.

        Parameters
        ----------
        gamma : ndarray of shape (p,)
            Eigenvalues, in units of k.

        Returns
        -------
        ndarray of shape (p,)
            The values of h.
        """
        return posterior_filter(gamma / self.unit, self.tau, self.n)

    @property
    def noise(self) -> float:
        """The variance τ², in squared units of k; a Refusal if it is outside the range of floats."""
        tau = self.tau * self.unit
        noise = tau * tau
        if (noise == math.inf and self.tau < math.inf) or (noise == 0 and self.tau > 0):
            raise Refusal(
                f"the noise, {tau:.3g} squared, is no float; rescale the points, or embed without select first."
            )
        return noise

    def deviation(self, at: Gram) -> Vector:
        """Return the standard deviation of μ at points.

        Parameters
        ----------
        at : ndarray of shape (m, n)
            The kernel between the points and the sample.

        Returns
        -------
        ndarray of shape (m,)
            The standard deviations, in units of k.
        """
        unit = power_of_two(float(np.abs(at).max()))
        root = np.sqrt(posterior_filter_residual(self.gamma, self.tau, self.n))
        return np.linalg.norm(at / unit @ self.spectrum.U * root, axis=1) * (unit / math.sqrt(self.n))

    def log_evidence(self) -> float:
        """Return the log density of the empirical mean's values.

        Returns
        -------
        float
            The log density, in nats.

        Raises
        ------
        Refusal
            If the noise is 0: the values have no density then.
        """
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
    """Return h = γ² / (γ² + n τ²) at eigenvalues γ: 1 at τ = 0, null directions included, and 0 at τ = inf."""
    level = math.sqrt(n) * np.asarray(tau, dtype=float)
    size = np.hypot(gamma, level)
    return np.where(level == 0, 1.0, np.divide(gamma, size, out=np.zeros(size.shape), where=size > 0) ** 2)


def posterior_filter_residual(gamma: Values, tau: float, n: int) -> Values:
    """Return 1 - h; it keeps its digits if h is nearly 1."""
    if tau in (0, math.inf):
        return np.full(np.shape(gamma), float(tau > 0))
    level = math.sqrt(n) * tau
    return (level / np.hypot(gamma, level)) ** 2


def estimate_noise(gamma: Vector, K: Gram) -> float:
    """Return the τ with τ² sum_l h(γ_l) = s², the mean variance of a column of the Gram matrix K (n, n), n >= 2.

    `gamma` (n,) holds the eigenvalues of K. The left side rises from 0 to sum_l γ_l² / n. s² reaches that only if every
    column's mean is 0: τ is then infinite.
    """
    from scipy.optimize import brentq  # imported here: it would add 0.2 s to `import explorer`

    n = len(K)
    square, most = K.var(axis=0, ddof=1).mean(), gamma @ gamma / n
    if square <= ROUNDING**2 * most / n:
        return 0.0
    if square >= (1 - ROUNDING) * most:
        return math.inf

    def excess(log):
        return math.exp(log) / n * posterior_filter(gamma, math.exp(log / 2) / math.sqrt(n), n).sum() - square

    low = high = math.log(square)  # the logarithm of an n τ² at which the left side is s² at most
    while excess(high) < 0:
        high += 1
    log: Any = brentq(excess, low - 1, high)
    return math.exp(log / 2) / math.sqrt(n)


def _filtered(gamma, tau, top):
    return posterior_filter(gamma, tau, gamma.shape[1])
