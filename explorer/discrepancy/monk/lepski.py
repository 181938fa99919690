"""Lepski's method for the number of blocks."""

from __future__ import annotations

import numbers
from itertools import pairwise

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.two_samples import one_of
from explorer.discrepancy.results.answer import Answer
from explorer.kernels import Kernel, in_prose
from explorer.printing import printed
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.record import record
from explorer.rng import seed_of
from explorer.svg import inline_pictures
from explorer.types import MonkMethod, PointsLike, Rng, Vector, VectorLike

from .block_path import BlockPath
from .estimates import MONK_METHODS, monk_of_differences
from .paired_sample import pair_differences, paired
from .resampled_pairs import without_rounding
from .resampling_test import TIE

LARGEST = 101
FEW = 0.1  # warn if ψ_i ≠ ψ_j for a smaller share of the i < j: these may be outliers, 5 % of the rows or fewer


@printed
@record
class LepskiResult(Answer):
    """Number of blocks that Lepski's method chooses. ``str()`` is a sentence.

    Attributes
    ----------
    blocks : int
        Least Q whose interval meets those of all larger ones.
    advised : int
        Number of blocks to use: 2Q + 1, or 1 if Q = 1, and at most the number of pairs.
    candidates : ndarray of shape (m,)
        Numbers of blocks tried.
    estimates : ndarray of shape (m,)
        The MMD that is estimated with each of them.
    halfwidths : ndarray of shape (m,)
        Half widths of the intervals, kappa * spread * sqrt(Q / n).
    spread : float
        s, the square root of a robust trace of the covariance of the pairs' differences ψ_i = k(x_i, .) - k(y_i, .):
        the share of i < j with ψ_i ≠ ψ_j times the median of
        their ``|ψ_i - ψ_j|^2 / 2``; without ties the median of all.
    kernel : Kernel
        The kernel, chosen.
    n : int
        Number of pairs.
    columns : tuple of str
        Names of the DataFrame columns.
    kappa : float
        Factor of the intervals' widths.
    method : str
        Algorithm of the estimates.
    seed : int or None
        Integer rng; None otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Linear
    >>> from explorer.discrepancy.monk import LepskiResult, lepski
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(60, 1)), rng.normal(1.0, 1.0, (60, 1))
    >>> X[:4] = 100.0
    >>> result: LepskiResult = lepski(X, Y, Linear(), rng=0)
    >>> result.blocks, result.advised, result.estimates.round(2).tolist()[:4]
    (9, 19, [5.65, 5.61, 6.36, 4.39])
    """

    blocks: int
    advised: int
    candidates: np.ndarray
    estimates: np.ndarray
    halfwidths: np.ndarray
    spread: float
    kernel: Kernel
    n: int
    columns: tuple[str, ...] = ()
    kappa: float = 1.0
    method: str = "bcd"
    seed: int | None = None

    def __post_init__(self) -> None:
        for name in ("candidates", "estimates", "halfwidths"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    @property
    def advised_odd(self) -> int:
        """`advised`, or one block less if that is even: the median of an even number of blocks is the lower one."""
        return self.advised - (self.advised + 1) % 2

    def _picture(self):
        chosen = int(np.flatnonzero(self.candidates == self.blocks)[0])
        return inline_pictures.intervals(self.candidates, self.estimates, self.halfwidths, str(self), marked=chosen)

    def __str__(self) -> str:
        under = in_prose(self.kernel, self.columns)
        return (
            f"Lepski's method takes Q = {self.blocks} of {len(self.candidates)} numbers of blocks up to"
            f" {self.candidates[-1]}, under {under}, for n = {self.n} pairs; Q = {self.advised} is advised."
        )


@explain_wrong_calls
def lepski(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    kappa: float = 1.0,
    candidates: VectorLike | None = None,
    method: MonkMethod = "bcd",
    rng: Rng = None,
) -> LepskiResult:
    """Choose the number of blocks Q of `monk_mmd`: the least whose interval meets the intervals of all larger Q.

    Use it if you do not know how many outliers there are. Of its result take `advised`, as the bias is largest at the
    choice itself.

    The interval is MMD_Q ± kappa s sqrt(Q / N), with the estimate MMD_Q from Q blocks and the `spread` s of the
    result.

    Parameters
    ----------
    X : array_like of shape (N, d)
        First side of the pairs.
    Y : array_like of shape (N, d)
        Second side of the pairs.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    kappa : float, default 1.0
        Factor of the intervals' widths, above 0; from .5 to 2 the choice was the same.
    candidates : array_like of int or None, default None
        Rising numbers of blocks. None is the odd ones up to 101 or N / 2, whichever is less.
    method : {"bcd", "bcd-fast", "direction"}, default "bcd"
        Algorithm of the estimates, as in `monk_mmd`. The mean of "bcd" over its many shuffles reveals every Q that some
        shuffle may break. "direction" is faster and takes a Q that most of 8 partitions withstand, which may be less
        than 2 Nc + 1.
    rng : int, Generator or None, default None
        Seed of the shuffles. With a seed all Q of one method share them.

    Returns
    -------
    LepskiResult
        The choice.

    Notes
    -----
    [lerasle2019monk], footnote 5: for an unknown number Nc of outliers the choice "would benefit from the same
    guarantee". This holds up to the order, but the Q that it finds is 2 Nc + 1 (erratum E-21): the first Q that
    withstands them. There the median of the clean blocks is nearly their maximum, and the bias is largest (for 3
    outliers among 600 pairs +.2, where twice as many blocks have +.1). Hence `advised`.

    With ψ_i = k(x_i, .) - k(y_i, .), the trace ``E |ψ - ψ'|^2 / 2`` of their covariance has a part from equal ψ, which
    is 0, and one from those that differ. A median over all i < j would be 0 if most ψ are equal, and so would the width
    of every interval. Outliers that outnumber the other differing ψ are not detected: if ψ_i ≠ ψ_j for less than a
    tenth of the i < j, a warning says so.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Linear, lepski
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(60, 1)), rng.normal(size=(60, 1))
    >>> Y[:2] = 100.0  # two outliers
    >>> result = lepski(X, Y, Linear(), candidates=[1, 3, 7, 15], rng=0)
    >>> result.blocks, result.advised
    (7, 15)
    """
    one_of(method, MONK_METHODS, "method")
    if isinstance(kappa, bool) or not isinstance(kappa, numbers.Real) or not 0 < kappa < np.inf:
        raise Refusal(f"kappa must be a finite number above 0, not {checks.echo(kappa)}.")
    kernel, _, n, _, columns = two = paired(X, Y, kernel, 2, "to choose a number of blocks")
    Qs = _candidates(candidates, n)
    D = pair_differences(kernel, two.X, two.Y)
    if method == "direction":
        path = BlockPath.of_differences(D, kernel, rng, Qs)
        estimates = np.array([path.value(Q) for Q in Qs])
    else:
        estimates = np.array([monk_of_differences(D, kernel, Q, method, rng=rng).value for Q in Qs])
    spread = _spread(D)
    halfwidths = kappa * spread * np.sqrt(np.array(Qs) / n)
    rounded = halfwidths + TIE * np.abs(estimates)
    chosen = Qs[first_that_meets(estimates - rounded, estimates + rounded)]
    advised = 1 if chosen == 1 else min(2 * chosen + 1, n)
    return LepskiResult(
        chosen,
        advised,
        np.array(Qs),
        estimates,
        halfwidths,
        spread,
        kernel,
        n,
        columns,
        float(kappa),
        method,
        seed_of(rng),
    )


def first_that_meets(low: Vector, high: Vector) -> int:
    """Return the first of the intervals [low_i, high_i], (m,), that meets all later ones; the last has none to meet."""
    highest_low = np.maximum.accumulate(low[::-1])[::-1]
    lowest_high = np.minimum.accumulate(high[::-1])[::-1]
    return int(np.argmax((low <= lowest_high) & (high >= highest_low)))


def _candidates(given, n):
    if given is None:
        return tuple(range(1, max(1, min(LARGEST, n // 2)) + 1, 2))
    Qs = tuple(checks.whole(Q, "candidates", 1) for Q in given)
    if not Qs or any(b <= a for a, b in pairwise(Qs)) or Qs[-1] > n:
        raise Refusal(
            f"candidates must be rising numbers of blocks, none above the {n} pairs, not {checks.echo(list(Qs))}."
        )
    return Qs


def _spread(D):
    """Return the `spread` s of `LepskiResult` from the Gram matrix D of the pairs' differences; 0 if all are equal."""
    i, j = np.triu_indices(len(D), 1)
    square = D.diagonal()
    magnitudes = square[i] + square[j]
    apart = without_rounding(magnitudes - 2 * D[i, j], magnitudes)
    differ = apart[apart > 0]
    if not len(differ):
        return 0.0
    share = len(differ) / len(apart)
    if share < FEW:
        checks.warn(
            f"ψ_i and ψ_j differ for {share:.1%} of all i < j only, and the intervals are as wide as those few make "
            "them. If they are outliers, more blocks are needed: at least 2 for each, and 1."
        )
    return float(np.sqrt(share * np.median(differ) / 2))
