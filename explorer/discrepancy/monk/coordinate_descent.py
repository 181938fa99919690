"""Block coordinate descent for MONK without a Cholesky factor, for many copies: algorithms 1, 2 of [lerasle2019monk].

f = sum_n c_n ψ_n with ψ_n = k(x_n, .) - k(y_n, .). In the paper ``c = v / |L'v|`` for v = [1_q; -1_q] and the Cholesky
factor L of the pooled Gram matrix K. But ``|L'v|^2 = v'Kv`` is the sum of D_ij = <ψ_i, ψ_j> over the block, and f is
only used through g_n = <f, ψ_n>. So g = D 1_q / sqrt(1_q' D 1_q) is the same step, exactly, also for singular matrices.

Rounding of a sum is measured against ``sum |ψ_n|`` over its blocks, and what is below 64 eps of that is 0: if the pairs
of discrete data cancel in a block, f = 0, and not the rounding that is left, divided by its own norm. Block means that
differ by rounding only are equal when the median block is chosen: the choice must not depend on how a copy was
computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import SLACK
from explorer.estimators.medianofmeans.blocks import block_sizes, median_position
from explorer.printing import echo
from explorer.types import Matrix, Points, Rows

from .resampled_pairs import without_rounding

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel

    from .resampled_pairs import Flipped, RandomlyPaired


PRINTED = (None, "norm", "kept")  # variants that follow the paper's print against its meaning
SHUFFLE = 10  # number of iterations between two shuffles of bcd-fast: the paper's "e.g., at every 10th iterations"


class Step(NamedTuple):
    """One iteration of each of b copies.

    `order` (N,) are the rows, `before` and `after` (b, Q) the witness's block means before and after the iteration, and
    `chosen` (b,) the median blocks.
    """

    order: np.ndarray
    before: np.ndarray
    chosen: np.ndarray
    after: np.ndarray


def bcd(
    copies: Flipped | RandomlyPaired, orders: Rows, starts: Rows, norm: Callable[..., Any] | None = None
) -> Iterator[Step]:
    """Yield the steps of MONK BCD: the block of lower median <f, Δ_q> is chosen, and f becomes ``Δ_q / |Δ_q|``.

    The rows are shuffled in every step. `copies` are b copies of the pairs. `orders` (T, N) holds a permutation for
    each iteration, cut at `starts` (Q,). `norm` is None or a function of a block's rows that replaces sqrt(v'Kv). f = 0
    before the first step: the first block is the stable median of zeros.
    """
    sizes, every = block_sizes(copies.n, starts), np.arange(copies.count)
    g = np.zeros((copies.count, copies.n))
    gain = np.zeros((copies.count, 1))  # sum |ψ_n| / |sum ψ_n| over the block of f, the factor of rounding in g
    for order, lengths in zip(orders, _block_lengths(copies, orders, starts), strict=True):
        before = np.add.reduceat(g[:, order], starts, axis=1) / sizes
        chosen = median_block(before, gain * lengths / sizes)
        for q in np.flatnonzero(np.bincount(chosen)):
            alike = np.flatnonzero(chosen == q)
            g[alike] = copies.inner(alike, order[starts[q] : starts[q] + sizes[q]])
        of_f = lengths[every if len(lengths) > 1 else 0, chosen][:, None]
        sums = without_rounding(np.add.reduceat(g[:, order], starts, axis=1), of_f * lengths)
        if norm is None:
            scale = over_root(sums[every, chosen][:, None])
        else:
            scale = 1 / norm(order[starts[chosen[0]] : starts[chosen[0]] + sizes[chosen[0]]])
        g *= scale
        gain = of_f * scale
        yield Step(order, before, chosen, sums * scale / sizes)


def bcd_fast(
    copies: Flipped | RandomlyPaired,
    orders: Rows,
    starts: Rows,
    norm: Callable[[Rows], float] | None = None,
    keep: bool = False,
) -> Iterator[Step]:
    """Yield the steps of MONK BCD-Fast: a witness c_q = γ_q [1, -1] for each block, the median one set to norm 1.

    ``<c_q, Δ_q> = γ_q s_q / |S_q|`` with s_q = sum of D over the block, and the step sets γ_q = 1 / sqrt(s_q): blocks
    are compared by their V-statistics and nothing else. It stalls (erratum E-17): when more than half of the blocks
    have been chosen, the lower median is the least of those, and setting it again changes nothing. If the distributions
    differ clearly, the value is too small, the more so the larger Q; if they hardly differ, it is too large, as
    V-statistics of few pairs are. Before (Q + 1) / 2 steps it is 0. Rows are shuffled at every 10th step. The cost is
    O(N^2 / Q) a shuffle and O(Q) an iteration. Table 1 of the paper counts the factorisations of one shuffle only
    (erratum E-19); there are none here.

    With `keep`, γ_q is unchanged when block q gets other rows, as printed. Then c_q' K_q c_q <= 1 no longer holds, and
    one outlier that enters a block multiplies its value (erratum E-18). Without it, γ_q is set to norm 1 on the new
    rows.
    """
    sizes, every = block_sizes(copies.n, starts), np.arange(copies.count)
    gamma, started = np.zeros((copies.count, len(sizes))), np.zeros((copies.count, len(sizes)), bool)
    for shuffled in range(0, len(orders), SHUFFLE):
        order = orders[shuffled]
        blocks = np.split(order, starts[1:])
        squares = np.add.reduceat(copies.lengths[:, order], starts, axis=1) ** 2
        sums = without_rounding(np.stack([copies.squares(S) for S in blocks], axis=1), squares)
        unit = over_root(sums) if norm is None else np.array([[1 / norm(S) for S in blocks]])
        if not keep:
            gamma = np.where(started, unit, 0.0)
        after, step, stalled = gamma * sums / sizes, None, False
        for order in orders[shuffled : shuffled + SHUFFLE]:
            if step is None or not stalled:
                before, chosen = after, median_block(after, gamma * squares / sizes)
                stalled = np.array_equal(gamma[every, chosen], unit[every, chosen])
                gamma[every, chosen], started[every, chosen] = unit[every, chosen], True
                after = gamma * sums / sizes
                step = Step(order, before, chosen, after)
            yield step._replace(order=order)


def _block_lengths(copies, orders, starts):
    """Return ``Σ |ψ_n|`` over each block of each of `orders` (T, N).

    There are T arrays (1, Q), or (b, Q) if copies differ in their ``|ψ_n|``.
    """
    if len(copies.lengths) == 1:
        return np.add.reduceat(copies.lengths[0][orders], starts, axis=1)[:, None]
    return (np.add.reduceat(copies.lengths[:, order], starts, axis=1) for order in orders)


def median_block(means: Matrix, magnitudes: Matrix) -> Rows:
    """Return the position (b,) of the lower median of block means (b, Q); the first of equal ones.

    Means that differ from the median by 64 eps of the magnitudes (b, Q) that both sum count as equal to it.
    """
    position = median_position(means)
    at = np.arange(len(means)), position
    median = means[at][:, None]
    near = np.abs(means - median) <= SLACK * (magnitudes + magnitudes[at][:, None])
    if np.count_nonzero(near) == len(means):  # no other mean ties with a median
        return position
    return median_position(np.where(near, median, means))


def over_root(squares: Matrix) -> Matrix:
    """Return 1 / sqrt(s), and 0 for s <= 0: f = 0 belongs to a block mean of norm 0."""
    return np.divide(1.0, np.sqrt(np.maximum(squares, 0.0)), out=np.zeros(squares.shape), where=squares > 0)


def shuffles(rng: np.random.Generator, n: int, iterations: int, every: int = 1) -> Rows:
    """Draw a permutation of n rows for each iteration (T, n), a new one at every `every`-th iteration."""
    drawn = np.array([rng.permutation(n) for _ in range(-(-iterations // every))])
    return np.repeat(drawn, every, axis=0)[:iterations]


def printed_norm(printed: str | None, method: str, kernel: Kernel, X: Points, Y: Points) -> Callable[..., Any] | None:
    """Return the norm of a block's witness as the paper prints it.

    Parameters
    ----------
    printed : {"norm", "kept"} or None
        Variant of the paper.
    method : {"bcd", "bcd-fast", "direction"}
        Algorithm.
    kernel : Kernel
        Kernel, chosen.
    X : ndarray of shape (N, d)
        First side of the pairs.
    Y : ndarray of shape (N, d)
        Second side of the pairs.

    Returns
    -------
    callable or None
        Function of a block's rows, or None for the true norm.

    Raises
    ------
    Refusal
        If the method does not have the variant, or if the Gram matrix has no Cholesky factor.
    """
    if printed not in PRINTED:
        raise Refusal(f"printed must be None, 'norm' or 'kept', not {echo(printed)}.")
    if printed == "norm" and method == "direction":
        raise Refusal("printed='norm' belongs to Algorithms 1 and 2; take method 'bcd' or 'bcd-fast', or printed=None.")
    if printed == "kept" and method != "bcd-fast":
        raise Refusal(
            f"printed='kept' belongs to Algorithm 2; take method 'bcd-fast', not {method!r}, or printed=None."
        )
    if printed != "norm":
        return None
    K, n = kernel(np.concatenate([X, Y])), len(X)
    if method == "bcd":
        L = _factor(K)
        return lambda rows: _norm(L, rows, rows + n)

    def within(rows):
        both, inside = np.append(rows, rows + n), np.arange(len(rows))
        return _norm(_factor(K[np.ix_(both, both)]), inside, inside + len(rows))

    return within


def _norm(L, x, y):
    """Return ``|L v|`` for v = 1 at the rows x and -1 at the rows y."""
    return float(np.linalg.norm(L[:, x].sum(axis=1) - L[:, y].sum(axis=1)))


def _factor(K):
    try:
        return np.linalg.cholesky(K)
    except np.linalg.LinAlgError as error:
        raise Refusal(
            "the Gram matrix of the pooled sample is singular, so it has no Cholesky factor L and the printed norm |L"
            " v| no value; take printed=None, which needs none, or a smaller bandwidth."
        ) from error
