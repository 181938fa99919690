"""Two-sample tests over many kernels at once that keep their level: MMDAgg and MMD-FUSE.

They replace the choice of the bandwidth with the least p-value, which keeps no level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy.special import logsumexp

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.aggregation import (
    AggregatedResult,
    greatest_evidence,
    kernel_weights,
    reaching_counts,
)
from explorer.discrepancy.resampling.matched_pairs import MatchedPairs
from explorer.discrepancy.resampling.permutation import (
    CentredGram,
    mmd2_of_splits,
    observed_split,
    splits,
    tie_tolerance,
)
from explorer.discrepancy.resampling.row_blocks import Plan, RowBlocks
from explorer.discrepancy.resampling.tiled_gram import ENTRIES, LARGE, between, contrast_gram
from explorer.execution.processors import TOGETHER, side_by_side
from explorer.kernels import Gaussian, Kernel, Product
from explorer.kernels.low_rank import order_of_values
from explorer.kernels.low_rank.automatic import LONGEST, SECONDS, landmarks_of
from explorer.printing import echo
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import seed_of, stream
from explorer.types import Points, PointsLike, Rng, Statistic, VectorLike

from .bandwidth_collection import as_kernels, gaussians
from .mean_differences import gram_of
from .two_samples import allowed_error, exact_seconds, one_of, two_samples


@explain_wrong_calls
def mmdagg_test(
    X: PointsLike,
    Y: PointsLike,
    kernels: Sequence[Kernel] | None = None,
    weights: VectorLike | None = None,
    statistic: Statistic = "unbiased",
    n_resamples: int = 999,
    rng: Rng = None,
    approximation: Literal["auto"] | None = None,
) -> AggregatedResult:
    """Test whether two samples have the same distribution, over many kernels by MMDAgg with one level.

    Use it if you do not know which bandwidth shows the difference. With a kernel that was chosen beforehand use
    `mmd_test`.

    The test rejects if some kernel's test does, at levels uπ_k that are corrected so that all together have the level
    α. The statistic is max_k π_k / p_k, with p_k the permutation p-value under kernel k. Each resample has this
    statistic too, by its own ranks among all B + 1, so p comes from the same permutations. It is exact if the n + m
    rows are exchangeable, for all n, m and B and for data of any kind, although the kernels are chosen on the pooled
    sample.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    kernels : sequence of Kernel or None, default None
        Any kernels, with automatic bandwidths chosen on the pooled sample. None is `bandwidth_collection`.
    weights : array_like of shape (k,) or None, default None
        Weights π, positive and of sum 1; None is 1/k.
    statistic : {"unbiased", "biased"}, default "unbiased"
        Estimate of MMD², as in `mmd2`.
    n_resamples : int, default 999
        Number of resamples B. Take B well above k / α: no p_k is below 1 / (1 + B).
    rng : int, Generator or None, default None
        Seed. All kernels share the same splits, those of `mmd_test` with the same rng.
    approximation : {"auto"} or None, default None
        "auto" is exact if that takes at most two seconds. Otherwise random landmarks approximate each kernel, as many
        as take fifteen seconds for all kernels together, and blocks of rows are permuted, as in `mmd_test`.

    Returns
    -------
    AggregatedResult
        The p-value, and the statistic of each kernel.

    Notes
    -----
    The paper finds u by bisection. It is 1 / threshold(α), the largest u for which (1 + #{resamples with some p_k <=
    uπ_k}) / (1 + B) is at most α. The paper takes a second set of permutations for u and leaves the observed split out
    of the count, as in E-20. The cost is O(k B (n + m)^2).

    References
    ----------
    Schrab, Kim, Albert, Laurent, Guedj, Gretton 2023 (J. Mach. Learn. Res. 24, 194).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import mmdagg_test
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> result = mmdagg_test(X, Y, n_resamples=199, rng=0)
    >>> result.pvalue
    0.01
    """
    one_of(statistic, ("unbiased", "biased"), "statistic")
    if approximation not in (None, "auto"):
        raise Refusal(f"approximation must be 'auto' or None for the kernels as they are, not {echo(approximation)}.")
    collection = Collection(X, Y, kernels, weights, statistic, n_resamples, rng, automatic=approximation == "auto")
    return collection.aggregated()


@explain_wrong_calls
def mmdfuse_test(
    X: PointsLike,
    Y: PointsLike,
    kernels: Sequence[Kernel] | None = None,
    weights: VectorLike | None = None,
    temperature: float | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
) -> AggregatedResult:
    r"""Test whether two samples have the same distribution, over many kernels by MMD-FUSE.

    Use it, like `mmdagg_test`, if you do not know which bandwidth shows the difference. With a kernel that was chosen
    beforehand use `mmd_test`.

    The statistic is a soft maximum over kernels of normalised MMD², so it adds up the evidence of several kernels.

    The permutation p-value is exact if the n + m rows are exchangeable, for all n, m and B and for data of any kind.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    kernels : sequence of Kernel or None, default None
        Kernels, as in `mmdagg_test`.
    weights : array_like of shape (k,) or None, default None
        Weights π, as in `mmdagg_test`.
    temperature : float or None, default None
        Value λ above 0: a large λ gives the maximum over kernels, a small λ the mean. None is sqrt(n(n-1)).
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed. All kernels share the same splits, those of `mmd_test` with the same rng.

    Returns
    -------
    AggregatedResult
        The p-value, and the statistic of each kernel.

    Raises
    ------
    Refusal
        If a kernel is 0 on all pairs of different points, or if the temperature is not above 0.

    Notes
    -----
    The statistic is

    .. math:: \frac1\lambda \log \sum_k \pi_k \exp(\lambda U_k / \sqrt{N_k}),

    where U_k is the unbiased MMD² under kernel k and N_k = sum_{i≠j} k(z_i, z_j)^2 / (n(n-1)) over the pooled points,
    with n the smaller size. No split changes N_k. The cost is O(k B (n + m)^2).

    References
    ----------
    Biggs, Schrab, Gretton 2023 (Advances in Neural Information Processing Systems 36).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import mmdfuse_test
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> result = mmdfuse_test(X, Y, n_resamples=199, rng=0)
    >>> result.pvalue
    0.005
    """
    collection = Collection(X, Y, kernels, weights, "unbiased", n_resamples, rng)
    least = min(collection.n, collection.m)
    given = np.sqrt(least * (least - 1)) if temperature is None else checks.numbers(temperature, "temperature")
    if given.ndim or given <= 0:
        raise Refusal(f"temperature must be a number above 0, not {checks.echo(given)}; None is sqrt(n(n-1)).")
    temperature = float(given)
    squares = np.array([_square(kernel, collection.P) for kernel in collection.kernels])
    normaliser = np.sqrt(squares / (least * (least - 1)))
    if (normaliser == 0).any():
        blind = collection.kernels[int(np.argmin(normaliser))]
        raise Refusal(
            f"{checks.echo(blind)} is 0 on all pairs of these points, so it has nothing to add; take it out of the"
            " kernels."
        )
    exponents = temperature * collection.values / normaliser
    fused = np.asarray(logsumexp(exponents, b=collection.weights, axis=1)) / temperature
    # a soft maximum moves by at most as much as its arguments
    tolerance = (collection.tolerance / normaliser).max()
    pvalues = reaching_counts(collection.values, collection.tolerance)[0] / (1 + collection.count)
    return collection.result("the MMD-FUSE statistic", fused, tolerance, pvalues, temperature)


class Collection:
    """Values of MMD² under k kernels of the observed split and of B others, shape (B + 1, k), the observed one first.

    With groups, rows are permuted only within groups that have rows of both samples, and MMD² is computed on features
    minus the mean of their group. This does not change MMD² if n_g / m_g is the same for all groups. If there are many
    rows, random pairs of rows within groups are exchanged, see `matched_pairs`, and the other rows take no part.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    kernels : sequence of Kernel or None
        Kernels, as in `mmdagg_test`.
    weights : array_like of shape (k,) or None
        Weights π of the kernels.
    statistic : {"unbiased", "biased"}
        Estimate of MMD².
    n_resamples : int
        Number of resamples B.
    rng : int, Generator or None
        Seed of the splits.
    automatic : bool, default False
        Use landmarks and blocks of rows if the exact test takes long.
    groups : ndarray of shape (n + m,) or None, default None
        Codes of groups within which rows are permuted.
    """

    def __init__(
        self,
        X,
        Y,
        kernels,
        weights,
        statistic,
        n_resamples,
        rng,
        automatic=False,
        groups=None,
    ) -> None:
        self.count, self.seed = checks.whole(n_resamples, "n_resamples", 1), seed_of(rng)
        self.kernels, self.P, self.n, self.m, self.columns = _kernels(
            X, Y, kernels, 2 if statistic == "unbiased" else 1
        )
        self.weights = kernel_weights(weights, len(self.kernels))
        self.values, self.tolerance = np.empty((self.count + 1, len(self.kernels))), np.empty(len(self.kernels))
        self.resamples = "permutations" if groups is None else "permutations within groups"
        self.approximation = "exact" if automatic else None
        long = groups is not None and len(self.P) > LARGE
        if automatic and (long or sum(exact_seconds(kernel, self.P, self.count) for kernel in self.kernels) > SECONDS):
            self._by_blocks(statistic, rng, groups)
        else:
            self._exactly(statistic, rng, groups)

    def _exactly(self, statistic, rng, groups):
        """Fill in the values from each kernel's Gram matrix."""
        N = self.n + self.m
        S = np.concatenate([observed_split(N, self.n), splits(N, self.n, self.count, rng, groups)])

        def values(kernel):
            gram = (
                gram_of(kernel, self.P) if groups is None else CentredGram(contrast_gram(kernel, self.P), None, groups)
            )
            return mmd2_of_splits(gram, S, statistic), tie_tolerance(gram.magnitude, self.n, self.m)

        # For many points the kernels are computed one after another, and the threads share the products of one matrix.
        seconds = sum(exact_seconds(kernel, self.P, self.count) for kernel in self.kernels) if N <= TOGETHER else 0.0
        for k, found in enumerate(side_by_side(values, self.kernels, seconds)):
            self.values[:, k], self.tolerance[k] = found

    def _by_blocks(self, statistic, rng, groups):
        """Fill in the values from landmark features, summed over the same blocks of rows for each kernel."""
        seed = int(stream(rng, "collection").integers(2**32)) if self.seed is None else self.seed
        enough, seconds = allowed_error(1 / self.n + 1 / self.m), LONGEST / len(self.kernels)
        order, a, b = order_of_values(self.P), self.P[: self.n], self.P[self.n :]
        plan, places = Plan.of(self.n, self.m), None
        if groups is None:
            S = plan.splits(self.count, seed)
        else:
            matched = MatchedPairs.of(groups, self.n, seed)
            plan, places, a, b = matched.plan, matched.block_of_rows, a[matched.a], b[matched.b]
            exchanged = matched.exchanges(self.count, seed)
            S = np.hstack([~exchanged, exchanged])

        def values(kernel):
            low = landmarks_of(kernel, self.P, len(self.P), seed, enough, seconds=seconds, order=order)
            blocks = RowBlocks.of(low, (a, b), seed, plan, places)
            return low.rank, blocks.resamples, blocks.test(statistic, self.count, seed, S)

        ranks, resamples, found = zip(*side_by_side(values, self.kernels, SECONDS), strict=True)
        self.resamples = resamples[0] if groups is None else "exchanges of pairs within groups"
        for k, (observed, null, tolerance) in enumerate(found):
            self.values[0, k], self.values[1:, k], self.tolerance[k] = observed, null, tolerance
        least, most = min(ranks), max(ranks)
        self.approximation = f"nystrom of rank {least}" if least == most else f"nystrom of ranks {least} to {most}"

    def aggregated(self) -> AggregatedResult:
        """Return the result of MMDAgg.

        Returns
        -------
        AggregatedResult
            The p-value, and the statistic of each kernel.
        """
        evidence = greatest_evidence(self.values, self.tolerance, self.weights)
        return self.result("the MMDAgg statistic max π/p", evidence.statistics, evidence.tolerance, evidence.pvalues)

    def result(self, name, statistics, tolerance, pvalues, temperature=None) -> AggregatedResult:
        """Return the result of a test over the kernels.

        Parameters
        ----------
        name : str
            Name of the statistic.
        statistics : ndarray of shape (B + 1,)
            Statistic of the sample and of each resample.
        tolerance : float
            Values that differ by less are ties.
        pvalues : ndarray of shape (k,)
            P-value of each kernel.
        temperature : float or None, default None
            The λ of MMD-FUSE.

        Returns
        -------
        AggregatedResult
            The result.
        """
        return AggregatedResult(
            statistics[0],
            statistics[1:],
            name,
            self.kernels,
            self.n,
            self.m,
            tolerance,
            self.resamples,
            weights=self.weights,
            approximation=self.approximation,
            columns=self.columns,
            seed=self.seed,
            values=self.values[0],
            pvalues=pvalues,
            temperature=temperature,
        )


def _kernels(
    X: PointsLike, Y: PointsLike, kernels: Kernel | Sequence[Kernel] | None, at_least: int
) -> tuple[tuple[Kernel, ...], Points, int, int, tuple[str, ...]]:
    """Return the kernels chosen on the pooled sample, the pooled points, n, m and the names of the columns."""
    purpose = "for the unbiased statistic" if at_least > 1 else ""
    given = as_kernels(kernels)
    if given is None:
        kernel, P, n, m, columns = two_samples(X, Y, Gaussian(1.0), at_least, purpose)
        return collection_of(kernel, P), P, n, m, columns
    chosen = [two_samples(X, Y, kernel, at_least, purpose) for kernel in given]
    if len({two.P.dtype.kind for two in chosen}) > 1:
        raise Refusal("the kernels take different kinds of points, text and numbers; give kernels of one kind.")
    _, P, n, m, columns = chosen[0]
    return tuple(two.kernel for two in chosen), P, n, m, columns


def collection_of(kernel: Kernel, P: Points, count: int = 10, name: str = "X and Y") -> tuple[Kernel, ...]:
    """Return `count` Gaussians for all points, or, if a kernel also compares words, its product with each of them.

    If there are no numbers, or if they are all equal, the only kernel is the given product.

    Parameters
    ----------
    kernel : Kernel
        Gaussian, or a Product for mixed columns.
    P : ndarray of shape (N, d)
        Points.
    count : int, default 10
        Number of Gaussians.
    name : str, default "X and Y"
        Description of the points, for messages.

    Returns
    -------
    tuple of Kernel
        The kernels.
    """
    if not isinstance(kernel, Product):
        return gaussians(P, count, name)
    factors = dict(kernel.factors)
    numbers = [columns for columns, factor in factors.items() if isinstance(factor, Gaussian)]
    if not numbers or (P[:, numbers[0]] == P[0, numbers[0]]).all():
        return (kernel,)
    return tuple(Product({**factors, numbers[0]: each}) for each in gaussians(P[:, numbers[0]], count, name))


def _square(kernel, P):
    """Return sum_{i≠j} k(z_i, z_j)^2, computed some rows at a time."""
    N, total = len(P), 0.0
    rows = max(1, ENTRIES // N)
    for start in range(0, N, rows):
        part = np.arange(start, min(start + rows, N))
        K = between(kernel, P if rows >= N else P[part], P) ** 2
        K[part - start, part] = 0.0
        total += float(K.sum())
    return total
