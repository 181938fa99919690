"""Test of P = Q by MONK: its value after pairs are swapped, or after the pooled points are paired at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from explorer import checks
from explorer.discrepancy.mmd.two_samples import one_of
from explorer.discrepancy.resampling.tiled_gram import contrast_gram
from explorer.discrepancy.results.test_result import TestResult
from explorer.estimators.medianofmeans.blocks import block_count, starts
from explorer.execution.cancellation import check_cancelled
from explorer.execution.processors import limit_threads
from explorer.kernels import Kernel
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import refuse_other_rng, seed_of, stream
from explorer.types import Matrix, MonkMethod, PointsLike, Rng

from .estimates import MONK_METHODS, copy_values, draw_orders
from .paired_sample import about_a_medoid, first_equal, pair_differences, paired
from .resampled_pairs import Flipped, RandomlyPaired

AT_ONCE = 50  # number of swaps of all pairs between two checks for cancellation
TIE = 1e-7  # relative tolerance for ties: f is divided by the root of a sum that may be as small as 64 eps of its terms
MONK_NULLS = {"flip": "sign flips", "pool": "pooled re-pairings"}


@explain_wrong_calls
def monk_test(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    blocks: int = 11,
    method: MonkMethod = "bcd",
    *,
    null: Literal["flip", "pool"] = "flip",
    n_resamples: int = 199,
    iterations: int = 100,
    rng: Rng = None,
) -> TestResult:
    """Test whether two samples have the same distribution, although some rows may be outliers, by `monk_mmd`.

    Use it if some rows may be wrong by any amount, fewer than half as many as there are blocks. Without outliers use
    `mmd_test`.

    p = (1 + #{null >= observed}) / (1 + n_resamples). Exact means P(p <= α) <= α for every N, n_resamples, kind of data
    and method: all resamples share the observed value's shuffles.

    Parameters
    ----------
    X : array_like of shape (N, d)
        First side of the pairs, N >= 2.
    Y : array_like of shape (N, d)
        Second side of the pairs.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    blocks : int, default 11
        Number of blocks, as in `monk_mmd`.
    method : {"bcd", "bcd-fast", "direction"}, default "bcd"
        Algorithm, as in `monk_mmd`.
    null : {"flip", "pool"}, default "flip"
        "flip" swaps x_i and y_i at random: D becomes s s' * D for signs s. It keeps the pairs, so Nc outliers remain Nc
        and Q > 2 Nc blocks suffice. p is exact if (x, y) and (y, x) have one distribution in each pair given the
        others, also for x and y that depend on one another. "pool" draws N pairs from the pooled sample, as the paper
        does: Nc outliers become up to 2 Nc, and the null values hold for Q > 4 Nc only: below that they are huge and
        the test has no power. p is exact if the 2 N points are exchangeable, as those of independent samples of one
        distribution are.
    n_resamples : int, default 199
        Number of resamples.
    iterations : int, default 100
        Number of iterations, as in `monk_mmd`.
    rng : int, Generator or None, default None
        Seed. The statistic is the value of `monk_mmd` for the same rng.

    Returns
    -------
    TestResult
        The test.

    Raises
    ------
    Refusal, TypeError
        As `monk_mmd`.

    Notes
    -----
    [lerasle2019monk] compares with the 1 - α quantile of B = 150 values instead, of level .0556 at α = .05 (erratum
    E-20). Flips cost O(n_resamples T N^2 / Q), pooling Q times as much.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Linear, monk_test
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(60, 1)), rng.normal(size=(60, 1))
    >>> Y[:2] = 100.0  # two outliers
    >>> result = monk_test(X, Y, Linear(), blocks=7, n_resamples=99, iterations=10, rng=0)
    >>> result.pvalue
    0.57
    """
    one_of(method, MONK_METHODS, "method")
    one_of(null, tuple(MONK_NULLS), "null")
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    iterations = checks.whole(iterations, "iterations", 1)
    kernel, pooled, n, _, columns = two = paired(X, Y, kernel, 2, "for a test")
    at = starts(n, block_count(blocks, n, "pairs"))
    D = pair_differences(kernel, two.X, two.Y)
    if null == "flip":
        result = flip_test(D, kernel, blocks, method, n_resamples, iterations, rng)
        return _described(result, columns, rng, method, iterations)
    refuse_other_rng(rng)
    orders = draw_orders(n, method, iterations, rng)
    observed = copy_values(Flipped(D), orders, at, method)[0]
    draw = stream(rng, "pairs")
    order, same = np.array([draw.permutation(2 * n) for _ in range(n_resamples)]), first_equal(pooled)
    # equal points get rows that are equal to the last digit
    K = about_a_medoid(contrast_gram(kernel, pooled))[np.ix_(same, same)]
    copies = RandomlyPaired(K, order[:, :n], order[:, n:])
    result = _tested(observed, copy_values(copies, orders, at, method), method, at, kernel, n, "pool")
    return _described(result, columns, rng, method, iterations)


def _described(result, columns, rng, method, iterations):
    """Add to the result the names of columns, the seed, and an unusual number of iterations."""
    also = "" if iterations == 100 or method == "direction" else f" and {iterations} iterations"
    return replace(result, columns=columns, seed=seed_of(rng), name=result.name + also)


@limit_threads
def flip_test(
    D: Matrix,
    kernel: Kernel,
    blocks: int,
    method: str,
    n_resamples: int,
    iterations: int = 100,
    rng: Rng = None,
    stopped: Callable[[], bool] = lambda: False,
) -> TestResult | None:
    """Run `monk_test` with swapped pairs from the Gram matrix of their differences.

    p is exact if the points of each pair may be swapped, as in `monk_test`. With one block it is also the test by the
    U-statistic: swaps change both by the same inner products alone, so they put them in the same order.

    Parameters
    ----------
    D : ndarray of shape (N, N)
        Gram matrix, see `pair_differences`.
    kernel : Kernel
        Kernel of D, for the result.
    blocks : int
        Number of blocks.
    method : {"bcd", "bcd-fast", "direction"}
        Algorithm, as in `monk_mmd`.
    n_resamples : int
        Number of resamples.
    iterations : int, default 100
        Number of iterations.
    rng : int, Generator or None, default None
        Seed of the shuffles and flips.
    stopped : callable, optional
        Called without arguments; the function returns None once it is true.

    Returns
    -------
    TestResult or None
        The test, or None if stopped.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.discrepancy.monk import flip_test, pair_differences
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(40, 1)), rng.normal(1.0, 1.0, (40, 1))
    >>> D = pair_differences(Gaussian(1.0), X, Y)
    >>> result = flip_test(D, Gaussian(1.0), 5, "direction", n_resamples=99, rng=0)
    >>> float(result.pvalue)
    0.01
    """
    refuse_other_rng(rng)
    n = len(D)
    at = starts(n, block_count(blocks, n, "pairs"))
    orders = draw_orders(n, method, iterations, rng)
    observed = copy_values(Flipped(D), orders, at, method)[0]
    signs, null = stream(rng, "flips").choice([-1.0, 1.0], size=(n_resamples, n)), []
    for begin in range(0, n_resamples, AT_ONCE):
        check_cancelled()
        if stopped():
            return None
        null.append(copy_values(Flipped(D, signs[begin : begin + AT_ONCE]), orders, at, method))
    return _tested(observed, np.concatenate(null), method, at, kernel, n, "flip")


def _tested(observed, null_values, method, at, kernel, n, null):
    name = f"MONK's MMD by {method!r} with {len(at)} {'block' if len(at) == 1 else 'blocks'}"
    return TestResult(observed, null_values, name, kernel, n, None, TIE * abs(observed), MONK_NULLS[null])
