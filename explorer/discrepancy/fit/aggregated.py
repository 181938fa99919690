"""The kernel Stein discrepancy's test over many kernels at once, which keeps its level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from explorer.discrepancy.mmd.bandwidth_collection import as_kernels, gaussians
from explorer.discrepancy.resampling.aggregation import AggregatedResult, greatest_evidence, kernel_weights
from explorer.elsewhere import explain_wrong_calls
from explorer.kernels import Kernel
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
    """KSDAgg: rejects a model where some kernel's `ksd_test` does, at levels so corrected that all have the level α.

    Schrab, Guedj and Gretton 2022 (KSD aggregated goodness-of-fit test, Advances in Neural Information Processing
    Systems 35), with p as in `mmdagg_test`: the statistic is max_k π_k / p_k, p_k the p-value under kernel k, and each
    resample has it too, by its own ranks among all B + 1. All kernels meet the same resamples, those of `ksd_test` with
    the same rng and null. Under "parametric" p is exact if the points are independent draws of a model that was given
    beforehand, for every n and B. Under "wild" it is right in the limit of many points; a narrow kernel sees few pairs
    of points, whose signs tie, so that small samples are rejected less often than the level says: measured at n = 20
    and 50, 1 to 3 % of the model's samples at level 5 %. Take B well above k / α: no p_k is below 1 / (1 + B).

    kernels   such as `ksd` takes, automatic bandwidths chosen on X; None is ten Gaussians, from half the 5 % to twice
              the 95 % quantile of the distances of X, as in `bandwidth_collection`
    weights   π (k,), positive and of sum 1; None is 1/k

    O(k n^2 (d + B)), with null="parametric" O(k B n^2 d); an AggregatedResult. Raises ValueError, TypeError as `ksd`
    does.

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
