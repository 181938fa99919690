"""What paper 004's Theorem 1 promises of the median of means, and for which numbers of blocks it promises anything."""

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
    """Q = 72 ln(1/η) / δ^2, the number of blocks that Theorem 1 takes for the confidence 1 - η.

    863 at η = .05, δ = 1/2.

    >>> from explorer.estimators.medianofmeans import blocks_needed
    >>> [round(float(blocks_needed(eta, 0.5))) for eta in (0.5, 0.05)]
    [200, 863]
    """
    return FACTOR * np.log(1 / np.asarray(eta, dtype=float)) / delta**2


def level_of(blocks: float, delta: float = 0.5) -> float:
    """The η that goes with Q blocks: exp(-Q δ^2 / 72), .96 for Q = 11 and δ = 1/2.

    >>> from explorer.estimators.medianofmeans import level_of
    >>> [round(level_of(blocks), 2) for blocks in (11, 200, 863)]
    [0.96, 0.5, 0.05]
    """
    return float(np.exp(-blocks * delta**2 / FACTOR))


def largest_delta(eta: float | Values, n: int, outliers: int = 0) -> Vector:
    """The largest δ <= 1/2 for which blocks_needed(η, δ) lies between Nc / (1/2 - δ) and n / 2.

    nan where the theorem has none.

    eta (m,) and n points, Nc = `outliers` of them contaminated. Q δ^2 = 72 ln(1/η) is held, so
    Q > Nc / (1/2 - δ) bounds δ above and Q < n / 2 below.

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
    """What |μ̂ - μ| stays below with probability 1 - η by Theorem 1, (m,); nan for each η of which it says nothing.

    12 (1 + √2) / δ times the larger of sqrt(6 |Σ| ln(1/η) / (δ n)) and 2 sqrt(Tr Σ / n), with |Σ| <= Tr Σ put for |Σ|,
    so it is no smaller than the theorem's. The constants are recalled: the print at hand lost the formula (erratum
    E-24).

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
