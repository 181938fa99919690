"""Exact risk: the expected loss of an estimate of a kernel mean, without drawing a sample."""

from __future__ import annotations

from typing import Any

from explorer import checks
from explorer.execution.processors import limit_threads
from explorer.kernels import Kernel
from explorer.public_names.synonyms import explain_wrong_calls, wrong_kind

from .embedding import Embedding
from .law import Law


@limit_threads
def variance(law: Law, kernel: Kernel, n: int) -> float:
    r"""Compute the risk of the empirical kernel mean of n points, exactly.

    .. math:: \Delta = E |\hat\mu - \mu|^2 = (E k(x, x) - |\mu|^2) / n

    Parameters
    ----------
    law : Law
        The distribution.
    kernel : Kernel
        The kernel.
    n : int
        Number of points.

    Returns
    -------
    float
        The risk Δ.

    Examples
    --------
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
    r"""Compute the share α at which (1 - α) μ̂ + α f* has the least risk: α is also its exact relative gain in risk.

    Use it if the distribution is known, to see the most that shrinkage can gain. From a sample, `SKMSE` chooses its
    shrinkage by leave-one-out.

    .. math:: \alpha^* = \frac{\Delta}{\Delta + |f^* - \mu|^2}

    Parameters
    ----------
    law : Law
        The distribution.
    kernel : Kernel
        The kernel.
    n : int
        Number of points.
    target : Embedding or None, default None
        The target f*; None is f* = 0.

    Returns
    -------
    float
        The share α*. It depends on the distribution, so it is the possible gain, not one that a sample can know.

    Notes
    -----
    [muandet2016shrinkage], Theorem 1 (which is therefore not a proof of inadmissibility: erratum 19). Any α in the open
    interval (0, 2 α*) helps.

    Examples
    --------
    >>> from explorer import Gaussian, GaussianMixture, oracle_alpha
    >>> law = GaussianMixture.random(2, rng=0)
    >>> [round(oracle_alpha(law, Gaussian(2.0), n), 3) for n in (5, 50)]
    [0.71, 0.196]
    """
    return best_share(variance(law, kernel, n), squared_distance(law.embed(kernel), target))


def best_share(variance: float, bias: float) -> float:
    """Compute the share of least risk α* = Δ / (Δ + b), Δ the empirical mean's variance, b its target's squared bias.

    Parameters
    ----------
    variance : float
        The variance Δ.
    bias : float
        The squared bias b.

    Returns
    -------
    float
        The share α*.
    """
    return variance / (variance + bias) if variance > 0 else 0.0


@explain_wrong_calls
def risk(estimator: Any, law: Law, n: int) -> float:
    """Compute the expected squared error of an estimator over samples of n points, ``E |μ̃ - μ|^2``, exactly.

    Use it to compare estimators under a known distribution without simulation. For an estimator or a parameter that has
    no exact risk, average over samples with `sweep`.

    Parameters
    ----------
    estimator : Estimator
        KME, S-KMSE at a fixed λ, or MKME or MMKME at a fixed σ.
    law : Law
        The distribution.
    n : int
        Number of points.

    Returns
    -------
    float
        The risk.

    Raises
    ------
    ValueError
        If the estimator has no exact risk, or has yet to choose a parameter on data.

    Examples
    --------
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
    """Compute ``|e - f|^2``, where None stands for f = 0.

    Parameters
    ----------
    embedding : Embedding
        The embedding e.
    target : Embedding or None
        The embedding f.

    Returns
    -------
    float
        The squared distance.
    """
    return (embedding.norm() if target is None else embedding.distance(target)) ** 2
