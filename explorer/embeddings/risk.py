"""Exact risk: what an estimate of a kernel mean loses on average, without drawing one sample."""

from __future__ import annotations

from typing import Any

from explorer import checks
from explorer.kernels import Kernel
from explorer.processors import limit_threads
from explorer.synonyms import explain_wrong_calls, wrong_kind

from .embedding import Embedding
from .law import Law


@limit_threads
def variance(law: Law, kernel: Kernel, n: int) -> float:
    """Δ = E |μ̂ - μ|^2 = (E k(x, x) - |μ|^2) / n: the risk of the empirical kernel mean of n points, exactly.

    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.embeddings import variance
    >>> law = GaussianMixture([1.0], [[0.0]], [[1.0]])
    >>> [round(variance(law, Gaussian(1.0), n), 4) for n in (10, 100)]
    [0.0423, 0.0042]
    """
    n = checks.whole(n, "n", 1)
    return law.variance(kernel) / n


@explain_wrong_calls
def oracle_alpha(law: Law, kernel: Kernel, n: int, target: Embedding | None = None) -> float:
    """α* = Δ / (Δ + |f* - μ|^2): the best share α of (1 - α) μ̂ + α f*, and exactly the relative gain in risk there.

    It depends on the distribution: it is what could be had, not what a sample knows. target=None is f* = 0. Paper
    002, Theorem 1 (which is therefore no proof of inadmissibility: erratum 19). Any α in the open interval (0, 2 α*)
    helps.

    >>> from explorer import Gaussian, GaussianMixture, oracle_alpha
    >>> law = GaussianMixture.random(2, rng=0)
    >>> [round(oracle_alpha(law, Gaussian(2.0), n), 3) for n in (5, 50)]
    [0.71, 0.196]
    """
    return best_share(variance(law, kernel, n), squared_distance(law.embed(kernel), target))


def best_share(variance: float, bias: float) -> float:
    """α* = Δ / (Δ + b) from the variance Δ of the empirical mean and the squared bias b of its target."""
    return variance / (variance + bias) if variance > 0 else 0.0


@explain_wrong_calls
def risk(estimator: Any, law: Law, n: int) -> float:
    """E |μ̃ - μ|^2 over samples of n points, exactly.

    For KME, for S-KMSE at a fixed λ, for MKME and MMKME at a fixed σ.

    Raises ValueError where the estimator has no exact risk, or has yet to choose a parameter on data.

    >>> from explorer import KME, SKMSE, Gaussian, GaussianMixture, risk
    >>> law = GaussianMixture.random(2, rng=0)
    >>> kernel = Gaussian(2.0)
    >>> [round(risk(estimator, law, 20), 4) for estimator in (KME(kernel), SKMSE(kernel, lam=0.2))]
    [0.0462, 0.0342]
    """
    if not hasattr(estimator, "risk"):
        raise wrong_kind(estimator, "Estimator", "estimator")
    return estimator.risk(law, n)


def squared_distance(embedding: Embedding, target: Embedding | None) -> float:
    """|e - f|^2, with None standing for f = 0."""
    return (embedding.norm() if target is None else embedding.distance(target)) ** 2
