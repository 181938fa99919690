"""Theorem 1 of [lerasle2019monk]: a bound on the error of the median of means, and the numbers of blocks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.embeddings.risk import variance
from explorer.types import Values, Vector

if TYPE_CHECKING:
    from explorer.embeddings.law import Law
    from explorer.kernels.base import Kernel


FACTOR = 72.0


def blocks_needed(eta: float | Values, delta: float | Vector = 0.5) -> Values:
    """Return Q = 72 ln(1/η) / δ^2, the number of blocks that Theorem 1 takes for the confidence 1 - η.

    It is 863 at η = .05, δ = 1/2.

    Parameters
    ----------
    eta : float or ndarray
        One minus the confidence.
    delta : float or ndarray, default 0.5
        The constant δ of the theorem.

    Returns
    -------
    ndarray
        The number of blocks.

    Examples
    --------
    >>> from explorer.estimators.medianofmeans import blocks_needed
    >>> [round(float(blocks_needed(eta, 0.5))) for eta in (0.5, 0.05)]
    [200, 863]
    """
    return FACTOR * np.log(1 / np.asarray(eta, dtype=float)) / delta**2


def level_of(blocks: float, delta: float = 0.5) -> float:
    """Return the η of Theorem 1 for Q blocks, exp(-Q δ^2 / 72): .96 for Q = 11 and δ = 1/2.

    Parameters
    ----------
    blocks : float
        The number of blocks Q.
    delta : float, default 0.5
        The constant δ of the theorem.

    Returns
    -------
    float
        One minus the confidence.

    Examples
    --------
    >>> from explorer.estimators.medianofmeans import level_of
    >>> [round(level_of(blocks), 2) for blocks in (11, 200, 863)]
    [0.96, 0.5, 0.05]
    """
    return float(np.exp(-blocks * delta**2 / FACTOR))


def largest_delta(eta: float | Values, n: int, outliers: int = 0) -> Vector:
    """Return the largest δ <= 1/2 for which blocks_needed(η, δ) lies between Nc / (1/2 - δ) and n / 2.

    Parameters
    ----------
    eta : array_like of shape (m,)
        One minus the confidence.
    n : int
        The number of points.
    outliers : int, default 0
        Nc, the number of contaminated points.

    Returns
    -------
    ndarray of shape (m,)
        The values of δ; nan if the theorem allows none.

    Notes
    -----
    Q δ^2 = 72 ln(1/η) is fixed, so Q > Nc / (1/2 - δ) bounds δ above and Q < n / 2 below.

    Examples
    --------
    >>> from explorer.estimators.medianofmeans import largest_delta
    >>> largest_delta([0.5, 0.05], n=2000).tolist(), largest_delta(0.5, n=2000, outliers=100).round(2).tolist()
    ([0.5, 0.5], [0.31])
    """
    eta = np.atleast_1d(np.asarray(eta, dtype=float))
    deltas = np.linspace(0.5, 0.0, 500, endpoint=False)[int(outliers > 0) :]
    Q = blocks_needed(eta[:, None], deltas)
    good = Q < n / 2
    if outliers:
        good &= Q > outliers / (0.5 - deltas)
    return np.where(good.any(axis=1), deltas[good.argmax(axis=1)], np.nan)


def deviation_bound(law: Law, kernel: Kernel, n: int, eta: float | Values, outliers: int = 0) -> Vector:
    """Return the bound on |μ̂ - μ| that Theorem 1 gives with probability 1 - η.

    Parameters
    ----------
    law : Law
        The true distribution.
    kernel : Kernel
        The kernel.
    n : int
        The number of points.
    eta : array_like of shape (m,)
        One minus the confidence.
    outliers : int, default 0
        Nc, the number of contaminated points.

    Returns
    -------
    ndarray of shape (m,)
        The bounds; nan for each η at which the theorem does not apply.

    Notes
    -----
    The bound is 12 (1 + √2) / δ times the larger of sqrt(6 |Σ| ln(1/η) / (δ n)) and 2 sqrt(Tr Σ / n). |Σ| is replaced
    by Tr Σ >= |Σ|, so the result is no smaller than the theorem's. The constants are recalled: the available print lost
    the formula (erratum E-24).

    Examples
    --------
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.estimators.medianofmeans import deviation_bound
    >>> law = GaussianMixture([1.0], [[0.0]], [[1.0]])
    >>> [deviation_bound(law, Gaussian(1.0), n, 0.5)[0].round(2).item() for n in (100, 10_000, 1_000_000)]
    [nan, 1.09, 0.11]
    """
    eta = np.atleast_1d(np.asarray(eta, dtype=float))
    delta, spread = largest_delta(eta, n, outliers), variance(law, kernel, n)
    radius = np.maximum(np.sqrt(6 * spread * np.log(1 / eta) / delta), 2 * np.sqrt(spread))
    return 12 * (1 + np.sqrt(2)) / delta * radius
