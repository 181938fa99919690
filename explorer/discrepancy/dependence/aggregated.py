"""Test of independence over many pairs of kernels at once, at one level over all of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.aggregated import collection_of
from explorer.discrepancy.resampling.aggregation import AggregatedResult, greatest_evidence, kernel_weights
from explorer.discrepancy.resampling.permutation import permutations
from explorer.execution.processors import TOGETHER, side_by_side
from explorer.kernels import Gaussian, Kernel, in_prose
from explorer.printing import echo, printed
from explorer.public_names.synonyms import explain_wrong_calls, refuse_other
from explorer.record import record
from explorer.rng import seed_of
from explorer.tables.alignment import aligned
from explorer.types import PointsLike, Rng, Statistic, VectorLike

from .approximation import GATHERED
from .joint_independence import refuse_few_orders
from .pairing import Pairing, one_side, read_pairs

EACH_SIDE = 5  # default number of bandwidths: with 25 pairs, 999 resamples still allow a p below each pair's level

KernelPairs: TypeAlias = Sequence[tuple[Kernel, Kernel]]  # kernels of both sides


@printed
@record(kw_only=True)
class AggregatedPairsResult(AggregatedResult):
    """AggregatedResult over k pairs of kernels, (kernel_x, kernel_y) each, named in `kernel`.

    Attributes
    ----------
    statistic : float
        Observed value.
    null_distribution : ndarray of shape (B,)
        Statistic of each resample, read-only.
    name : str
        Name of the statistic.
    kernel : tuple of tuple of Kernel
        The pairs of kernels.
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
    >>> from explorer.discrepancy.dependence import AggregatedPairsResult, hsicagg_test
    >>> x = np.linspace(-1.0, 1.0, 30)[:, None]
    >>> result: AggregatedPairsResult = hsicagg_test(x, np.cos(3.0 * x), n_resamples=199, rng=0)
    >>> len(result.kernel), float(result.pvalue), result.weights.sum().round(6).item()
    (25, 0.03, 1.0)
    """

    kernel: tuple[tuple[Kernel, Kernel], ...]  # pyright: ignore[reportIncompatibleVariableOverride]

    def _under(self):
        first, last = (" and ".join(map(in_prose, pair)) for pair in (self.kernel[0], self.kernel[-1]))
        if len(self.kernel) == 1:
            return " and ".join(map(in_prose, self.kernel[0], self.columns or ((), ())))
        return f"{len(self.kernel)} pairs of kernels, from {first} to {last}"


@explain_wrong_calls
@aligned("X Y")
def hsicagg_test(
    X: PointsLike,
    Y: PointsLike,
    kernels: KernelPairs | None = None,
    weights: VectorLike | None = None,
    statistic: Statistic = "biased",
    n_resamples: int = 999,
    rng: Rng = None,
) -> AggregatedPairsResult:
    """Test whether x and y of n pairs are independent, over many pairs of kernels by HSICAgg with one level.

    Use it if you do not know which bandwidths suit the dependence. With kernels that were chosen beforehand use
    `hsic_test`.

    The test rejects if some pair of kernels does. The statistic is max_k π_k / p_k, with p_k the p-value of `hsic_test`
    under pair k. Each order has it too, by its own ranks among all B + 1. p is exact if the rows of one side are
    exchangeable and independent of the other side, for all n, B and kinds of data.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.
    kernels : sequence of (Kernel, Kernel) or None, default None
        Pairs (kernel_x, kernel_y), with automatic bandwidths chosen on each side. None combines each of five Gaussians
        for X with each of five for Y, of bandwidths that `bandwidth_collection` would take from that side's distances.
    weights : array_like of shape (k,) or None, default None
        Weights π, positive and of sum 1, one for each pair of kernels; None is 1/k.
    statistic : {"biased", "unbiased"}, default "biased"
        Estimate of HSIC, as in `hsic`.
    n_resamples : int, default 999
        Number of orders B. Take B well above k / α for k pairs: no p_k is below 1 / (1 + B), and orders that share the
        largest π_k / p_k raise p.
    rng : int, Generator or None, default None
        Seed. All pairs of kernels share the same orders, those of `hsic_test` with the same rng.

    Returns
    -------
    AggregatedPairsResult
        The p-value, and the statistic of each pair of kernels.

    Raises
    ------
    Refusal, TypeError
        As `hsic_test`, and if no kernels are given and a side is constant, or if there are fewer than 4 pairs.

    Notes
    -----
    The level is corrected as in `mmdagg_test`. The cost is O(k B n^2).

    References
    ----------
    Albert, Laurent, Marrel, Meynaoui 2022 (Ann. Stat. 50, 858) and Schrab, Kim, Guedj, Gretton 2022 (Advances in Neural
    Information Processing Systems 35).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import hsic_test, hsicagg_test
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(0.0, 1.0, size=60)
    >>> y = np.sin(30 * x) + 0.1 * rng.normal(size=60)  # which varies faster than median bandwidths see
    >>> result = hsicagg_test(x, y, n_resamples=499, rng=0)
    >>> result.pvalue, hsic_test(x, y, n_resamples=499, rng=0).pvalue
    (0.018, 0.408)
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    X, Y, chosen, names = _kernels(X, Y, kernels)
    shares = kernel_weights(weights, len(chosen))
    begun = Pairing(X, Y, chosen[0][0], chosen[0][1], statistic, None)
    n = begun.x.n
    refuse_few_orders(n)
    orders = list(permutations(n, n_resamples, rng))

    def test(pair: tuple[Kernel, Kernel]) -> Any:
        pairing = begun if pair is chosen[0] else Pairing(X, Y, pair[0], pair[1], statistic, None)
        return pairing.test(n_resamples, rng, orders)

    seconds = len(chosen) * n_resamples * GATHERED * n**2 if n <= TOGETHER else 0.0
    tests = list(side_by_side(test, chosen, seconds))
    values = np.column_stack([[test.statistic, *test.null_distribution] for test in tests])
    evidence = greatest_evidence(values, np.array([test.tolerance for test in tests]), shares)
    return AggregatedPairsResult(
        evidence.statistics[0],
        evidence.statistics[1:],
        "the HSICAgg statistic max π/p",
        kernel=tuple(test.kernel for test in tests),
        n=tests[0].n,
        tolerance=evidence.tolerance,
        columns=names or tests[0].columns,
        seed=seed_of(rng),
        weights=shares,
        values=values[0],
        pvalues=evidence.pvalues,
    )


def _kernels(X, Y, kernels):
    """Return both sides, the pairs of kernels, and the names of both sides' columns if they differ from the inputs'."""
    if kernels is None:
        (X, kernel_x, of_x), (Y, kernel_y, of_y) = (
            one_side(side, Gaussian(1.0), name) for side, name in ((X, "X"), (Y, "Y"))
        )
        both = read_pairs(X, Y, kernel_x, kernel_y)
        of_each = collection_of(kernel_x, both.X, EACH_SIDE, "X"), collection_of(kernel_y, both.Y, EACH_SIDE, "Y")
        return both.X, both.Y, list(itertools.product(*of_each)), (of_x, of_y)
    if isinstance(kernels, Kernel):
        raise checks.WrongType("kernels is one kernel; give a list of pairs (kernel_x, kernel_y).")
    try:
        kernels = list(kernels)
    except TypeError:
        raise checks.WrongType(
            f"kernels must be a list of pairs (kernel_x, kernel_y), not {checks.echo(kernels)}."
        ) from None
    if not kernels:
        raise Refusal("kernels is empty; give at least one pair (kernel_x, kernel_y), or None for 25 of Gaussians.")
    for k, pair in enumerate(kernels):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise checks.WrongType(
                f"kernels[{k}] must be a pair (kernel_x, kernel_y), such as (Gaussian(1.0), Gaussian(2.0)), not"
                f" {echo(pair)}."
            )
        for kernel, side in zip(pair, "xy", strict=True):
            refuse_other(kernel, Kernel, f"kernel_{side} of kernels[{k}]")
    return X, Y, kernels, ()
