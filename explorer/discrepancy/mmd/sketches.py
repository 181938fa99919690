"""Two-sample test of two sketches, without rows: the covariance of their features gives the null distribution."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import stdtrit

from explorer.checks import Refusal, WrongType
from explorer.discrepancy.results.test_result import TestResult
from explorer.embeddings.feature_sums import FeatureSums, refuse_alike
from explorer.kernels.low_rank.fourier import CERTAIN
from explorer.printing import echo
from explorer.rng import seed_of, stream
from explorer.types import Rng

BATCH = 256  # number of draws in a batch


def sums_test(a: FeatureSums, b: FeatureSums, n_resamples: int, rng: Rng) -> TestResult:
    """Test P = Q by the unbiased MMD² of two sketches of n and m rows.

    If P = Q, the difference of the means of features is nearly N(0, (1/n + 1/m) Σ), so MMD² is distributed as (1/n +
    1/m) Σ_i λ_i (z_i² - 1), where λ are the eigenvalues of the covariance Σ of the features of both samples together
    and z_i are standard normal. `n_resamples` draws of it form the null distribution. So p is right in the limit of
    many independent rows, and about right before it.

    Parameters
    ----------
    a : FeatureSums
        Sketch of the first sample.
    b : FeatureSums
        Sketch of the second sample.
    n_resamples : int
        Number of draws of the limit distribution.
    rng : int, Generator or None
        Seed of the draws.

    Returns
    -------
    TestResult
        The test. Its `error` is a 99 % limit of the distance of the statistic from that of the kernel itself, by the
        values of each wave alone.

    References
    ----------
    Gretton, Fukumizu, Harchaoui and Sriperumbudur 2009, NIPS 22.
    """
    terms = a.terms(b)
    n, m = a.n, b.n
    shared = (n * a.covariance + m * b.covariance) / (n + m - 2)
    eigenvalues = np.maximum(np.linalg.eigvalsh(shared), 0.0)
    refuse_alike(eigenvalues, "both sketches")
    null = np.concatenate(
        [
            (np.square(normal) - 1) @ eigenvalues
            for normal in _normals(len(eigenvalues), n_resamples, stream(rng, "limit law"))
        ]
    )
    each = a.finite_rank.by_frequency(terms)
    error = (
        float(stdtrit(len(each) - 1, CERTAIN) * each.std(ddof=1) / math.sqrt(len(each))) if len(each) > 1 else math.inf
    )
    return TestResult(
        float(terms.sum()),
        (1 / n + 1 / m) * null,
        "the unbiased MMD²",
        a.kernel,
        n,
        m,
        resamples="draws of its limit law",
        error=error,
        seed=seed_of(rng),
        approximation=f"features of rank {a.features}",
    )


def two_sketches(X: Any, Y: Any, statistic: str, others: Mapping[str, Any]) -> tuple[FeatureSums, FeatureSums]:
    """Return the two sketches of a test; raise an error if one is not a sketch, or for arguments that sketches fix."""
    if not (isinstance(X, FeatureSums) and isinstance(Y, FeatureSums)):
        raise WrongType(
            "one of the samples is a sketch and the other is not; give two sketches, made with the same kernel,"
            " features and rng."
        )
    if statistic != "unbiased":
        raise Refusal(f"two sketches are compared by the unbiased statistic, not by {echo(statistic)}; leave it out.")
    if given := [name for name, value in others.items() if value is not None]:
        raise Refusal(f"{given[0]} is for samples of rows, and a sketch has none; leave it out.")
    return X, Y


def _normals(k, count, generator):
    """Yield standard normal numbers in batches of draws (b, k), so that a larger count only appends."""
    for start in range(0, count, BATCH):
        yield generator.standard_normal((BATCH, k))[: count - start]
