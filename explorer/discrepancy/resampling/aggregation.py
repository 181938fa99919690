"""One p-value for tests by many kernels, from the values that the same resamples have under each of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.results.test_result import TestResult
from explorer.printing import printed
from explorer.record import record
from explorer.types import Matrix, Rows, Vector, VectorLike, Weights

from .permutation import SLACK


@printed
@record(kw_only=True)
class AggregatedResult(TestResult):
    """Result of a test by k kernels, a TestResult with the values of each kernel.

    Attributes
    ----------
    statistic : float
        Observed value.
    null_distribution : ndarray of shape (B,)
        Statistic of each resample, read-only.
    name : str
        Name of the statistic.
    kernel : tuple of Kernel
        The kernels.
    n : int
        Size of the first sample, or the number of pairs or rows.
    m : int or None
        Size of the second sample, or None if n counts something else.
    tolerance : float
        Null values that are below the statistic by at most this are ties with it.
    resamples : str
        Name of the resamples that make the null distribution.
    error : float or None
        Distance of the statistic from that of the kernel itself if a low-rank kernel replaced it, else None.
    columns : tuple
        Names of the DataFrame columns that the kernels compare.
    seed : int or None
        Integer rng of the resamples; None for a Generator or fresh entropy.
    approximation : str or None
        Name of what replaced the kernels; None is the kernels themselves.
    counted : str or None
        Name of what n counts if it is neither a sample's points nor pairs.
    weights : ndarray of shape (k,)
        Weights π of the kernels, positive and of sum 1.
    values : ndarray of shape (k,)
        Observed statistic under each kernel.
    pvalues : ndarray of shape (k,)
        P-value of each kernel, as its test alone gives it with the same rng. The least of them is not a p-value.
    temperature : float or None, default None
        The λ of `mmdfuse_test`.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.discrepancy import AggregatedResult, mmdagg_test
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(40, 1)), rng.normal(1.0, 1.0, (40, 1))
    >>> result: AggregatedResult = mmdagg_test(X, Y, [Gaussian(0.1), Gaussian(1.0)], n_resamples=99, rng=0)
    >>> float(result.pvalue), result.values.round(3).tolist(), result.pvalues.tolist()
    (0.01, [0.053, 0.338], [0.01, 0.01])
    """

    weights: np.ndarray
    values: np.ndarray
    pvalues: np.ndarray
    temperature: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("weights", "values", "pvalues"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))


class Evidence(NamedTuple):
    """Values max_k π_k / p_k of the observed sample and of each resample, shape (B + 1,), the observed one first.

    `tolerance` is the largest difference that rounding may leave between equal values; `pvalues` (k,) are the observed
    p_k.
    """

    statistics: np.ndarray
    tolerance: float
    pvalues: np.ndarray


def greatest_evidence(values: Matrix, tolerance: Vector, weights: Weights) -> Evidence:
    """Compute max_k π_k / p_k, the statistic of the aggregated tests, from values (B + 1, k) under k kernels.

    π (k,) are `weights`. The p_k of each row come from its rank among all B + 1 rows in column k. Values within
    tolerance (k,) are ties. Whichever row is the observed one, the statistic is the same, so its permutation p-value is
    exact.
    """
    p = reaching_counts(values, tolerance) / len(values)
    evidence = (weights / p).max(axis=1)
    return Evidence(evidence, float(SLACK * evidence[0]), p[0])


def reaching_counts(values: Matrix, tolerance: Vector) -> Rows:
    """Return, for each value (B + 1, k), how many values of its column reach it, itself and ties counted.

    Divided by B + 1 these are p-values. Values of column j that differ by at most `tolerance[j]` are ties.
    """
    return np.column_stack(
        [
            len(v) - np.searchsorted(np.sort(v) + slack, v, side="left")
            for v, slack in zip(values.T, tolerance, strict=True)
        ]
    )


def kernel_weights(weights: VectorLike | None, k: int) -> Weights:
    """Return weights π of k kernels, positive and of sum 1; None is 1/k each."""
    if weights is None:
        return np.full(k, 1 / k)
    weights = checks.weights(weights, k, "weights")
    # The tolerance is 1e-9: decimal weights such as 0.1 + 0.2 + 0.7 miss 1 by a few eps only.
    if (weights <= 0).any() or abs(weights.sum() - 1) > 1e-9:
        raise Refusal(f"weights must be above 0 and sum to 1, not to {weights.sum():g}; None is 1/{k} each.")
    return weights
