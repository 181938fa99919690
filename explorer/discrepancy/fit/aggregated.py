"""Test by the kernel Stein discrepancy over many kernels at once, which keeps its level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from explorer.discrepancy.mmd.bandwidth_collection import as_kernels, gaussians
from explorer.discrepancy.resampling.aggregation import AggregatedResult, greatest_evidence, kernel_weights
from explorer.kernels import Kernel
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import PointsLike, Rng, VectorLike

from .model import ModelLike
from .resamples import Resamples, choose_kernel


@explain_wrong_calls
def ksdagg_test(
    X: PointsLike,
    model: ModelLike,
    kernels: Sequence[Kernel] | None = None,
    weights: VectorLike | None = None,
    *,
    null: Literal["wild", "parametric"] = "wild",
    n_resamples: int = 999,
    rng: Rng = None,
) -> AggregatedResult:
    """Test whether a sample is from a model over many kernels by KSDAgg, with one level over all kernels.

    Use it if you do not know which bandwidth shows the misfit. With a kernel that was chosen beforehand use `ksd_test`.

    The test rejects if some kernel's `ksd_test` does, at levels that are corrected so that all together have the level
    α. The statistic is max_k π_k / p_k, with p_k the p-value under kernel k, and each resample has it too, by its own
    ranks among all B + 1.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Sample.
    model : object or callable
        Model with a score, as in `ksd`.
    kernels : sequence of Kernel or None, default None
        Kernels such as `ksd` takes, with automatic bandwidths chosen on X. None is ten Gaussians, from half the 5 % to
        twice the 95 % quantile of the distances of X, as in `bandwidth_collection`.
    weights : array_like of shape (k,) or None, default None
        Weights π, positive and of sum 1; None is 1/k.
    null : {"wild", "parametric"}, default "wild"
        Resamples, as in `ksd_test`. Under "parametric" p is exact if the points are independent draws of a model that
        was given beforehand, for every n and B. Under "wild" it is right in the limit of many points. A narrow kernel
        sees few pairs of points, whose signs tie, so small samples are rejected less often than the level says:
        measured at n = 20 and 50, 1 to 3 % of the model's samples at level 5 %.
    n_resamples : int, default 999
        Number of resamples B. Take B well above k / α: no p_k is below 1 / (1 + B).
    rng : int, Generator or None, default None
        Seed. All kernels share the same resamples, those of `ksd_test` with the same rng and null.

    Returns
    -------
    AggregatedResult
        The p-value, and the statistic of each kernel.

    Raises
    ------
    Refusal, TypeError
        As `ksd`.

    Notes
    -----
    p is computed as in `mmdagg_test`. The cost is O(k n^2 (d + B)), or O(k B n^2 d) with null="parametric".

    References
    ----------
    Schrab, Guedj and Gretton 2022 (KSD aggregated goodness-of-fit test, Advances in Neural Information Processing
    Systems 35).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import GaussianMixture, ksdagg_test
    >>> X = np.random.default_rng(0).normal(0.5, 1.0, (50, 1))
    >>> result = ksdagg_test(X, GaussianMixture([1.0], [[0.0]], [[1.0]]), n_resamples=199, rng=0)
    >>> result.pvalue
    0.035
    """
    given = as_kernels(kernels)

    def choose(points):
        return gaussians(points, name="X") if given is None else tuple(choose_kernel(each, points) for each in given)

    found = Resamples(X, model, choose, null, n_resamples, rng)
    weights = kernel_weights(weights, len(found.kernels))
    evidence = greatest_evidence(found.values, found.tolerance, weights)
    return AggregatedResult(
        evidence.statistics[0],
        evidence.statistics[1:],
        "the KSDAgg statistic max π/p",
        found.kernels,
        tolerance=evidence.tolerance,
        weights=weights,
        values=found.values[0],
        pvalues=evidence.pvalues,
        **found.others,
    )
