"""MONK: an MMD that a minority of outliers cannot ruin, by the median of means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from explorer import checks
from explorer.discrepancy.mmd.two_samples import one_of
from explorer.discrepancy.results.answer import Answer
from explorer.estimators.medianofmeans.blocks import block_count, lower_median, median_position, split, starts
from explorer.estimators.medianofmeans.majority import best_direction
from explorer.execution.processors import limit_threads
from explorer.kernels import Kernel, in_prose
from explorer.printing import printed
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.record import record
from explorer.rng import seed_of, stream
from explorer.svg import inline_pictures
from explorer.types import Gram, Matrix, MonkMethod, PointsLike, Rng, Rows, Values, Vector

from .coordinate_descent import SHUFFLE, bcd, bcd_fast, printed_norm, shuffles
from .paired_sample import pair_differences, paired
from .resampled_pairs import Flipped, without_rounding

if TYPE_CHECKING:
    from explorer.discrepancy.monk.resampled_pairs import RandomlyPaired


MONK_METHODS = ("bcd", "bcd-fast", "direction")
PARTITIONS = 8  # number of partitions over which "direction" reports the median


@printed
@record
class MonkResult(Answer):
    """Estimate of an MMD by the median of means. ``str()`` is a sentence.

    Attributes
    ----------
    value : float
        MMD, not squared: the mean of `history` from the first third on, or its median for "direction".
    block_values : ndarray of shape (Q,)
        Block means <f, Δ_q> of the witness on the last partition.
    blocks : tuple of ndarray
        Rows of each of the Q blocks of the last partition.
    median_block : int
        Position of the lower median among block_values; the first of equal ones.
    history : ndarray of shape (T,)
        Lower median after each iteration; for "direction" the value of each of 8 partitions.
    kernel : Kernel
        The kernel, chosen.
    method : str
        "bcd", "bcd-fast" or "direction".
    n : int
        Number of pairs.
    columns : tuple of str
        Names of the DataFrame columns.
    seed : int or None
        Integer rng of the shuffles; None for a Generator or fresh entropy.
    printed : str or None
        Part of the paper that was taken as printed, as in `monk_mmd`.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.monk import MonkResult, monk_mmd
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(60, 1)), rng.normal(1.0, 1.0, (60, 1))
    >>> result: MonkResult = monk_mmd(X, Y, blocks=5, rng=0)
    >>> round(result.value, 2), result.block_values.round(2).tolist(), result.median_block
    (0.44, [0.49, 0.55, 0.47, 0.21, 0.46], 2)
    """

    value: float
    block_values: np.ndarray
    blocks: tuple[Rows, ...]
    median_block: int
    history: np.ndarray
    kernel: Kernel
    method: str
    n: int
    columns: tuple[str, ...] = ()
    seed: int | None = None
    printed: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", float(self.value))
        object.__setattr__(self, "median_block", int(self.median_block))
        for name in ("block_values", "history"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    def _picture(self):
        return inline_pictures.bars(self.block_values, str(self), marked=self.median_block)

    def __str__(self) -> str:
        over = "partitions" if self.method == "direction" else "iterations"
        blocks = "1 block" if len(self.blocks) == 1 else f"{len(self.blocks)} blocks"
        under = in_prose(self.kernel, self.columns)
        return (
            f"MONK's MMD is {self.value:.4g} by {self.method!r} with {blocks}, under {under}, "
            f"for n = {self.n} pairs and {len(self.history)} {over}."
        )


@explain_wrong_calls
def monk_mmd(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    blocks: int = 11,
    method: MonkMethod = "bcd",
    iterations: int = 100,
    rng: Rng = None,
    *,
    printed: Literal["norm", "kept"] | None = None,
) -> MonkResult:
    """Estimate the MMD of two samples with outliers, by the median over Q blocks of rows.

    Use it if some rows may be wrong by any amount, fewer than Q / 2 of them. Without outliers use `mmd2`, and for a p
    `monk_test`.

    MONK is the supremum over ``|f| <= 1`` of the median over Q blocks of mean f(x_i) - mean f(y_i): [lerasle2019monk],
    eq. (6).

    Parameters
    ----------
    X : array_like of shape (N, d)
        First side of the pairs: block q has the same rows of both sides.
    Y : array_like of shape (N, d)
        Second side of the pairs.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    blocks : int, default 11
        Number of blocks Q, from 1 to N. Q = 1 is the biased MMD, ``|μ̂_X - μ̂_Y|``, exactly. The estimate withstands Nc
        < Q / 2 outliers. For even Q the median is the lower one, which withstands Q / 2. Sizes of blocks differ by at
        most one if Q does not divide N.
    method : {"bcd", "bcd-fast", "direction"}, default "bcd"
        "bcd" is Algorithm 1, block coordinate descent with a shuffle at every iteration. "bcd-fast" is Algorithm 2,
        with witnesses within blocks: far off for Q >= 11, see `bcd_fast` (errata E-17, E-18). "direction" is the best
        unit direction to a block mean, median over 8 partitions, for a slider.
    iterations : int, default 100
        Number of iterations T of the first two methods. The value is the mean of the last T - T // 3. The last alone,
        which is printed, adds half or more to its variance, up to four times it for P = Q, and the largest is biased
        upwards.
    rng : int, Generator or None, default None
        Seed; the stream "blocks" shuffles.
    printed : {"norm", "kept"} or None, default None
        Take the paper as printed. "norm" divides by ``|L v|`` where ``|L'v|`` is meant, L the Cholesky factor, so that
        the norm of the witness is not 1 (erratum E-15); for regular Gram matrices only. "kept" keeps the witnesses of
        "bcd-fast" when the blocks are shuffled, so that their norms pass 1 (erratum E-18).

    Returns
    -------
    MonkResult
        The estimate.

    Raises
    ------
    Refusal, TypeError
        If the samples have different dimensions or numbers of rows, or hold what the kernel does not take.

    Notes
    -----
    No Cholesky factor is needed: the estimate is exact for singular Gram matrices. The cost is O(N^2) once and O(N^2 /
    Q) an iteration, with the memory of one (N, N) matrix and its computation.

    Just above Q = 2 Nc the median is nearly the largest clean block and the value too large. 4 to 10 Nc blocks are
    better; if there are far more, blocks are too small for skewed data.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Linear, mmd2, monk_mmd
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(60, 1)), rng.normal(size=(60, 1))
    >>> Y[:2] = 100.0  # two outliers
    >>> round(mmd2(X, Y, Linear(), "biased") ** 0.5, 2)
    3.37
    >>> result = monk_mmd(X, Y, Linear(), blocks=7, rng=0)
    >>> round(result.value, 2)
    0.32
    """
    one_of(method, MONK_METHODS, "method")
    iterations = checks.whole(iterations, "iterations", 1)
    two = paired(X, Y, kernel)
    norm = printed_norm(printed, method, two.kernel, two.X, two.Y)
    D = pair_differences(two.kernel, two.X, two.Y)
    found = monk_of_differences(D, two.kernel, blocks, method, iterations, rng, norm, keep=printed == "kept")
    return replace(found, columns=two.columns, seed=seed_of(rng), printed=printed)


@limit_threads
def monk_of_differences(
    D: Matrix,
    kernel: Kernel,
    blocks: int = 11,
    method: str = "bcd",
    iterations: int = 100,
    rng: Rng = None,
    norm: Callable[[Rows], float] | None = None,
    keep: bool = False,
) -> MonkResult:
    """Compute the MonkResult of `monk_mmd` from the Gram matrix of the pairs' differences.

    Parameters
    ----------
    D : ndarray of shape (N, N)
        Gram matrix, see `pair_differences`.
    kernel : Kernel
        Kernel of D, for the result.
    blocks : int, default 11
        Number of blocks, as in `monk_mmd`.
    method : {"bcd", "bcd-fast", "direction"}, default "bcd"
        Algorithm, as in `monk_mmd`.
    iterations : int, default 100
        Number of iterations, as in `monk_mmd`.
    rng : int, Generator or None, default None
        Seed of the shuffles.
    norm : callable or None, default None
        Function of a block's rows that replaces the norm of its witness.
    keep : bool, default False
        Keep the witnesses of "bcd-fast" when the blocks are shuffled.

    Returns
    -------
    MonkResult
        The estimate.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.discrepancy.monk import monk_mmd, monk_of_differences, pair_differences
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> D = pair_differences(Gaussian(1.0), X, Y)
    >>> result = monk_of_differences(D, Gaussian(1.0), blocks=5, rng=0)
    >>> round(result.value, 4)
    0.6299
    >>> round(monk_mmd(X, Y, Gaussian(1.0), blocks=5, rng=0).value, 4)
    0.6299
    """
    n = len(D)
    at = starts(n, block_count(blocks, n, "pairs"))
    orders, copies = draw_orders(n, method, iterations, rng), Flipped(D)
    _warn_of_zeros(len(at), method, iterations)
    if method == "direction":
        history = direction_values(copies, orders, at)[0]
        G = next(copies.grams(orders[-1], at))[0]
        last = witness_means(G, best_direction(G)[1])
    else:
        after = [step.after[0] for step in descent(copies, orders, at, method, norm, keep)]
        history, last = lower_median(np.array(after)), after[-1]
    value, middle = float(summary(history, method)), int(median_position(last))
    return MonkResult(value, last, split(orders[-1], at), middle, history, kernel, method, n)


def copy_values(copies: Flipped | RandomlyPaired, orders: Rows, at: Rows, method: str) -> Vector:
    """Return the value of each copy, (b,)."""
    if method == "direction":
        return np.atleast_1d(summary(direction_values(copies, orders, at), method))
    medians = [lower_median(step.after) for step in descent(copies, orders, at, method)]
    return np.atleast_1d(summary(np.array(medians).T, method))


def descent(
    copies: Flipped | RandomlyPaired,
    orders: Rows,
    at: Rows,
    method: str,
    norm: Callable[[Rows], float] | None = None,
    keep: bool = False,
) -> Iterator[Any]:
    """Yield the steps of an iterative method."""
    return bcd(copies, orders, at, norm) if method == "bcd" else bcd_fast(copies, orders, at, norm, keep)


def direction_values(copies: Flipped | RandomlyPaired, orders: Rows, starts: Rows) -> Matrix:
    """Return ``max_q lower-med_r <Δ_q, Δ_r> / |Δ_q|`` for each copy and partition, (b, p).

    Orders (p, N) are each cut at starts (Q,).
    """
    return np.stack(
        [np.concatenate([best_direction(G)[0] for G in copies.grams(order, starts)]) for order in orders], axis=1
    )


def witness_means(G: Gram, q: int | Rows) -> Vector:
    """Return the block means (Q,) of the unit direction to block q, ``<Δ_q, Δ_r> / |Δ_q|``; 0 for q = -1, f = 0."""
    return np.zeros(len(G)) if q < 0 else G[q] / np.sqrt(G[q, q])


def _warn_of_zeros(blocks, method, iterations):
    needed = 3 * (blocks // 2)
    if method == "bcd-fast" and iterations // 3 < blocks // 2:
        checks.warn(
            f"'bcd-fast' is 0 until more than half of its {blocks} blocks have had their turn, and {iterations}"
            f" iterations average some of those zeros; take iterations >= {needed}, or fewer blocks."
        )


def draw_orders(n: int, method: str, iterations: int, rng: Rng) -> Rows:
    """Draw the permutations that an estimate cuts into blocks, from the stream "blocks".

    Parameters
    ----------
    n : int
        Number of pairs.
    method : {"bcd", "bcd-fast", "direction"}
        Algorithm.
    iterations : int
        Number of iterations T.
    rng : int, Generator or None
        Seed.

    Returns
    -------
    ndarray of shape (T, n) or (8, n)
        The permutations; 8 for "direction".
    """
    rng = stream(rng, "blocks")
    if method == "direction":
        return shuffles(rng, n, PARTITIONS)
    return shuffles(rng, n, iterations, SHUFFLE if method == "bcd-fast" else 1)


def counted_iterations(iterations: int, method: str) -> slice:
    """Return which values of a history the estimate averages: all except the first third of the iterations.

    Parameters
    ----------
    iterations : int
        Number of values of the history.
    method : {"bcd", "bcd-fast", "direction"}
        Algorithm; "direction" uses all values.

    Returns
    -------
    slice
        The values.
    """
    return slice(0 if method == "direction" else iterations // 3, iterations)


def summary(history: Values, method: str) -> float | Values:
    """Return the value of histories (..., T): a mean without the first third, or the median over partitions.

    A mean whose terms cancel up to rounding is 0, see `without_rounding`.
    """
    if method == "direction":
        return np.median(history, axis=-1)
    last = history[..., counted_iterations(history.shape[-1], method)]
    return without_rounding(last.mean(axis=-1), np.abs(last).mean(axis=-1))


@printed
class MonkStep(NamedTuple):
    """One iteration: its blocks, the witness's means over them before and after it, and the chosen block.

    Attributes
    ----------
    blocks : tuple of ndarray
        Rows of each of the Q blocks.
    before : ndarray of shape (Q,)
        <f, Δ_q> for the witness f of the step before; all 0 at first.
    median_block : int
        Position of the lower median of `before`: f becomes ``Δ_q / |Δ_q|`` of that block.
    after : ndarray of shape (Q,)
        <f, Δ_q> for the new f.
    value : float
        Lower median of `after`.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.monk import MonkStep, monk_steps
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> steps: list[MonkStep] = list(monk_steps(X, Y, blocks=3, iterations=4, rng=0))
    >>> [(step.median_block, round(step.value, 2)) for step in steps]
    [(1, 0.57), (1, 0.66), (1, 0.62), (2, 0.68)]
    """

    blocks: tuple[Rows, ...]
    before: np.ndarray
    median_block: int
    after: np.ndarray
    value: float

    def _sentence(self):
        count = len(self.blocks)
        return f"A step of MONK: the witness's means over {count} blocks after it, of lower median {self.value:.4g}."

    def _picture(self):
        return inline_pictures.bars(self.after, self._sentence(), marked=self.median_block)


@explain_wrong_calls
def monk_steps(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    blocks: int = 11,
    method: MonkMethod = "bcd",
    iterations: int = 100,
    rng: Rng = None,
) -> Iterator[MonkStep]:
    """Yield the iterations of `monk_mmd` with the same arguments, in order; their values are its history.

    Use it to watch how the estimate converges. For the estimate alone use `monk_mmd`.

    Parameters
    ----------
    X : array_like of shape (N, d)
        First side of the pairs.
    Y : array_like of shape (N, d)
        Second side of the pairs.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    blocks : int, default 11
        Number of blocks, as in `monk_mmd`.
    method : {"bcd", "bcd-fast"}, default "bcd"
        Algorithm.
    iterations : int, default 100
        Number of iterations.
    rng : int, Generator or None, default None
        Seed of the shuffles.

    Yields
    ------
    MonkStep
        An iteration. Errors are those of `monk_mmd`.

    References
    ----------
    Lerasle et al. 2019, MONK Outlier-Robust Mean Embedding Estimation by Median-of-Means, algorithm 1
    ([lerasle2019monk]).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Linear, monk_steps
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(60, 1)), rng.normal(size=(60, 1))
    >>> Y[:2] = 100.0  # two outliers
    >>> [round(step.value, 2) for step in monk_steps(X, Y, Linear(), 7, iterations=4, rng=0)]
    [0.29, 0.54, 0.81, 0.02]
    """
    one_of(method, ("bcd", "bcd-fast"), "method")
    iterations = checks.whole(iterations, "iterations", 1)
    two = paired(X, Y, kernel)
    at = starts(two.n, block_count(blocks, two.n, "pairs"))
    orders = draw_orders(two.n, method, iterations, rng)
    for step in descent(Flipped(pair_differences(two.kernel, two.X, two.Y)), orders, at, method):
        before, after = checks.read_only(step.before[0]), checks.read_only(step.after[0])
        yield MonkStep(split(step.order, at), before, int(step.chosen[0]), after, float(lower_median(after)))
