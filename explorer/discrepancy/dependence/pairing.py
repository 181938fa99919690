"""Hilbert-Schmidt independence criterion of pairs, and its permutation test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.discrepancy.mmd.low_rank import Approximate
from explorer.discrepancy.mmd.row_weights import refuse_other_averages
from explorer.discrepancy.mmd.two_samples import one_of
from explorer.discrepancy.resampling.tiled_gram import select
from explorer.discrepancy.results.test_result import TestResult
from explorer.execution.processors import limit_threads_of_methods, side_by_side
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.low_rank import Approximation
from explorer.printing import plural
from explorer.public_names.synonyms import explain_wrong_calls, refuse_other
from explorer.rng import seed_of
from explorer.tables.alignment import aligned
from explorer.types import PointsLike, Rng, Rows, Statistic, Vector, VectorLike

from .approximation import PairApproximation
from .centred_grams import PairSums, side
from .mean_estimators import (
    Estimators,
    WeightedByEstimator,
    choose_noise,
    pair_weighting,
    read_estimators,
)
from .pair_statistics import CountedPairs, EstimatedPairs, ExactPairs, PlainPairs, ShiftedPairs
from .weighted_pairs import WeightedPairs

SIDE = 2e-8  # time of an entry of a centred Gram matrix on a typical core, in seconds

if TYPE_CHECKING:
    from explorer.discrepancy.dependence.centred_grams import Centred
    from explorer.discrepancy.dependence.mean_estimators import OfSides


@explain_wrong_calls
@aligned("X Y weights")
def hsic(
    X: PointsLike,
    Y: PointsLike,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    statistic: Statistic = "biased",
    estimator: OfSides = None,
    weights: VectorLike | None = None,
    approximation: Approximation | None = None,
    rank: int | None = None,
    rng: Rng = 0,
) -> float:
    r"""Measure the dependence of n pairs (x_i, y_i) by HSIC, the squared norm of the cross-covariance operator.

    Use it to compare dependences under the same kernels. Its size alone says little, so use `hsic_test` to decide
    whether there is a dependence.

    The norm is that of Hilbert and Schmidt.

    Parameters
    ----------
    X : array_like of shape (n, d), or any points of kernel_x
        First side of the pairs.
    Y : array_like of shape (n, e), or any points of kernel_y
        Second side of the pairs.
    kernel_x : Kernel or None, default None
        Kernel on X. None is ``Gaussian()``. An automatic bandwidth is the median heuristic on that side.
    kernel_y : Kernel or None, default None
        Kernel on Y, chosen in the same way.
    statistic : {"biased", "unbiased"}, default "biased"
        Estimate of HSIC, see Notes. "unbiased" needs n >= 4.
    estimator : Estimator, pair of them or None, default None
        Any estimator of a kernel mean: one serves both sides, a pair gives each side its own. A marginalized estimator
        gives the points of a side their noise σ, chosen on each side by itself: HSIC of the kernels between noisy
        points, (34) of [xia2021corrupted]. An estimator with weights β weights the pairs, see Notes; unequal weights
        need "biased".
    weights : array_like of shape (n,) or None, default None
        Weights of the pairs, 0 or more; None counts each pair once. Whole numbers act as repeated pairs, also for an
        automatic bandwidth, as in `mmd2`. They need at most 6000 pairs and cannot be combined with an estimator;
        "unbiased" needs a sum above 3.
    approximation : {"auto", "cholesky", "nystrom", "features"} or None, default None
        Compute HSIC under kernels of finite rank, as `low_rank` chooses them on each side, in O(n rank^2). The result
        is then a float with an `error`, a 99 % limit of its distance from the exact value, exact up to 1500 pairs.
        "auto" is exact if that takes at most two seconds; `approximation` of the result names what was taken.
    rank : int or None, default None
        Rank of the approximation.
    rng : int, Generator or None, default 0
        Seed of the approximation.

    Returns
    -------
    float
        HSIC in units of k times units of l.

    Raises
    ------
    Refusal, TypeError
        If X and Y have different numbers of rows or too few, if a kernel does not take them, or if an estimator
        cannot weight pairs.

    Notes
    -----
    "biased" is :math:`|\hat C|^2 = \mathrm{tr}(HKHL) / n^2` with H = I - 11'/n; some divide by (n-1)². It is too large
    by about (E k(x, x) - E k(x, x')) (E l(y, y) - E l(y, y')) / n if x and y are independent. See (32) and (33) of
    [xia2021corrupted], which calls it unbiased (erratum 10).

    "unbiased" is the U-statistic over four pairs, with K° and L° the Gram matrices with zero diagonals,

    .. math::

        \frac{1}{n(n-3)} \left[\mathrm{tr}(K^\circ L^\circ)
        + \frac{1'K^\circ 1\, 1'L^\circ 1}{(n-1)(n-2)} - \frac{2}{n-2} 1'K^\circ L^\circ 1\right].

    It is signed and never clipped (Song et al. 2012, J. Mach. Learn. Res. 13, 1393).

    An estimator with weights β estimates them from all pairs, under the kernel of the products of centred features, A ∘
    B with A = HKH and B = HLH, as for a covariance-operator shrinkage estimator ([muandet2016shrinkage], section 3.2):
    ``|Σ β_i φ~(x_i) ⊗ ψ~(y_i)|^2 = β'(A ∘ B)β``.

    With weights of pairs, p = w / sum w and H = I - 1p', "biased" is sum_ij p_i p_j (HKH')_ij (HLH')_ij, and "unbiased"
    is the U-statistic of sum w pairs.

    The cost is O(n^2). Beyond 6000 pairs no Gram matrix is stored, and an automatic bandwidth is chosen on 6000 of
    them, with a warning.

    References
    ----------
    Gretton, Bousquet, Smola, Schölkopf 2005 (Algorithmic Learning Theory).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import hsic
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=40)
    >>> y = x**2 + 0.1 * rng.normal(size=40)
    >>> round(hsic(x, y), 4), round(hsic(x, rng.permutation(y)), 4)
    (0.0321, 0.0037)
    """
    by = PairApproximation(approximation, rank, rng)
    return Pairing(X, Y, kernel_x, kernel_y, statistic, estimator, weights=weights, by=by).observed()


@explain_wrong_calls
@aligned("X Y weights groups")
def hsic_test(
    X: PointsLike,
    Y: PointsLike,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    statistic: Statistic = "biased",
    estimator: OfSides = None,
    n_resamples: int = 999,
    rng: Rng = None,
    groups: ArrayLike | None = None,
    weights: VectorLike | None = None,
    approximation: Approximation | None = None,
    rank: int | None = None,
) -> TestResult:
    """Test whether x and y of n pairs are independent, by `hsic` and random permutations of one side.

    Use it to see whether y depends on x in any way, linear or not. For three variables use `dhsic_test`, given a third
    one `kci_test`, and for two samples without pairs `mmd_test`.

    p = (1 + #{null >= observed}) / (1 + B) over B = n_resamples random orders of one side. It is exact if the rows of
    one side are exchangeable and independent of the other side, as those of independent pairs are: P(p <= α) <= α for
    all n and B, including tied and discrete data. It is not exact if rows of both sides depend on their neighbours, as
    in time.

    Parameters
    ----------
    X : array_like of shape (n, d), or any points of kernel_x
        First side of the pairs.
    Y : array_like of shape (n, e), or any points of kernel_y
        Second side of the pairs.
    kernel_x : Kernel or None, default None
        Kernel on X. None is ``Gaussian()``. An automatic bandwidth is the median heuristic on that side.
    kernel_y : Kernel or None, default None
        Kernel on Y, chosen in the same way.
    statistic : {"biased", "unbiased"}, default "biased"
        Estimate of HSIC, as in `hsic`.
    estimator : Estimator, pair of them or None, default None
        Estimators of kernel means, as in `hsic`.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed. An int gives the same orders to every kernel, bandwidth and estimator, and a larger B only appends.
    groups : array_like of shape (n,) or None, default None
        Labels of the pairs, words, numbers or dates. One side is then permuted within each group alone. This is exact
        if x and y are independent within groups, although both may depend on the group.
    weights : array_like of shape (n,) or None, default None
        Weights of the pairs, as in `hsic`. They stay with x when y is permuted. This is exact if y is independent of x
        and its weight together, and if its kernel has a given bandwidth. An automatic bandwidth is that of the weighted
        rows of y, which other orders would change: p is then about right. Pairs of weight 0 take no part.
    approximation : {"auto", "cholesky", "nystrom", "features"} or None, default None
        Low-rank approximation, as in `hsic`. The pairs are then put in a random order and cut into blocks, and the null
        distribution is that of random shifts of y's blocks around a circle. These are permutations too, and their sums
        for all shifts cost about as much as for one. For at most n_resamples pairs the null distribution is that of
        random permutations. p is exact for the approximating kernels, as the landmarks of each side depend on the
        values of that side alone, not on their order. The row numbers of a `Precomputed` kernel are an order, and for
        these p is exact over random seeds.
    rank : int or None, default None
        Rank of the approximation.

    Returns
    -------
    TestResult
        The statistic, its null distribution and the p-value.

    Raises
    ------
    Refusal, TypeError
        If X and Y have different numbers of rows or too few, if a kernel does not take them, if an estimator
        cannot weight pairs, or if every pair has a group of its own.

    Notes
    -----
    Bandwidths and the σ of marginalized estimators are chosen on each side alone. No order of the other side changes
    them, so they are fixed. The λ of weights depends on the pairing. A sample of independent pairs on which to choose
    it would have nothing but noise, so it is chosen again in every order, which keeps the level for any choice.

    The cost is O(B n^2), or O(B n) for smooth kernels in one or two dimensions; with weights that depend on the
    pairing, as those of F-KMSE do, O(B n^3). Beyond 6000 pairs only kernels of low rank are permuted; `hsic_gamma`
    takes any n.

    References
    ----------
    Gretton, Fukumizu, Teo, Song, Schölkopf, Smola 2007 (NIPS 20).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import hsic_test
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=40)
    >>> y = x**2 + 0.1 * rng.normal(size=40)
    >>> result = hsic_test(x, y, n_resamples=199, rng=0)
    >>> result.pvalue
    0.005
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    by = PairApproximation(approximation, rank, rng, n_resamples, plain=groups is None)
    pairing = Pairing(X, Y, kernel_x, kernel_y, statistic, estimator, weights=weights, by=by)
    return pairing.test(n_resamples, rng, groups=groups)


class CheckedPairs(NamedTuple):
    """Checked points of both sides of pairs, equally many, and the chosen kernel of each side.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Points of the first side, read-only.
    Y : ndarray of shape (n, e)
        Points of the second side, read-only.
    kernels : tuple of Kernel
        Kernels of both sides.
    """

    X: np.ndarray
    Y: np.ndarray
    kernels: tuple[Kernel, Kernel]


def read_pairs(
    X: PointsLike,
    Y: Any,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    at_least: int = 1,
    purpose: str = "",
) -> CheckedPairs:
    """Check the points of both sides of pairs, and choose a kernel for each side on them.

    The points are read-only copies, so that an object that stores them does not change with the caller's arrays.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.
    kernel_x : Kernel or None, default None
        Kernel on X; None is ``Gaussian()``.
    kernel_y : Kernel or None, default None
        Kernel on Y; None is ``Gaussian()``.
    at_least : int, default 1
        Smallest number of pairs.
    purpose : str, default ""
        What that many pairs are needed for, for messages.

    Returns
    -------
    CheckedPairs
        The points and kernels.

    Raises
    ------
    Refusal
        If the sides have different numbers of rows, or too few.
    """
    return read_weighted_pairs(X, Y, None, kernel_x, kernel_y, at_least, purpose)[0]


def read_weighted_pairs(
    X: PointsLike,
    Y: PointsLike,
    weights: VectorLike | None,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    at_least: int = 1,
    purpose: str = "",
) -> tuple[CheckedPairs, Vector | None]:
    """Check the points of both sides of weighted pairs, and choose the kernels; pairs of weight 0 are left out.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.
    weights : array_like of shape (n,) or None
        Weights of the pairs.
    kernel_x : Kernel or None, default None
        Kernel on X; None is ``Gaussian()``.
    kernel_y : Kernel or None, default None
        Kernel on Y; None is ``Gaussian()``.
    at_least : int, default 1
        Smallest number of pairs.
    purpose : str, default ""
        What that many pairs are needed for, for messages.

    Returns
    -------
    pairs : CheckedPairs
        The points and kernels, as `read_pairs` returns them.
    counts : ndarray of shape (n,) or None
        Weights of the pairs, or None if none were given.
    """
    kernel_x, kernel_y = (Gaussian() if kernel is None else kernel for kernel in (kernel_x, kernel_y))
    for kernel, name in ((kernel_x, "kernel_x"), (kernel_y, "kernel_y")):
        refuse_other(kernel, Kernel, name, optional=True)
    names, counts = (("X", frames.names_of(X)), ("Y", frames.names_of(Y))), None
    X, Y = kernel_x.points(X), kernel_y.points(Y, "Y")
    if len(X) != len(Y):
        raise Refusal(
            f"X has {plural(len(X), 'row')} and Y has {len(Y)}; rows are pairs (x_i, y_i): give equally many of both."
        )
    if weights is not None:
        counts = checks.counts(weights, len(X))
        X, Y, counts = X[counts > 0], Y[counts > 0], counts[counts > 0]
    X, Y = checks.read_only(X), checks.read_only(Y)
    checks.rows(X, f"X, {purpose}," if purpose else "X", at_least)
    for points, (name, columns) in zip((X, Y), names, strict=True):
        checks.warn_of_lost_digits(points, name, columns)
    chosen = select(kernel_x, X, "pairs", counts), select(kernel_y, Y, "pairs", counts)
    return CheckedPairs(X, Y, chosen), counts


def one_side(given: PointsLike, kernel: Kernel | None, name: str) -> tuple[PointsLike, Kernel, tuple[str, ...]]:
    """Return the points of one side, its kernel, and the names of its columns.

    A DataFrame with words gets a kernel for mixed columns, as in `two_samples`.

    Parameters
    ----------
    given : array_like or DataFrame
        Points of the side.
    kernel : Kernel or None
        Kernel of the side; None is ``Gaussian()``.
    name : str
        Name of the side, for messages.

    Returns
    -------
    points : array_like
        Points of the side.
    kernel : Kernel
        Kernel of the side.
    names : tuple of str
        Names of the columns.
    """
    kernel = Gaussian() if kernel is None else kernel
    if isinstance(kernel, Kernel) and kernel.space == "numbers" and (found := frames.mixed((given,), (name,), kernel)):
        return found.samples[0], found.kernel, found.names
    return given, kernel, frames.names_of(given) or ()


@limit_threads_of_methods
class Pairing:
    """Pairs (x_i, y_i) of n rows, checked, with kernels and estimators chosen. HSIC and its tests start from it.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.
    kernel_x : Kernel or None
        Kernel on X; None is ``Gaussian()``.
    kernel_y : Kernel or None
        Kernel on Y; None is ``Gaussian()``.
    statistic : {"biased", "unbiased"}
        Estimate of HSIC.
    estimator : Estimator, pair of them or None
        Estimators of kernel means, as in `hsic`.
    at_least : int, default 1
        Smallest number of pairs.
    purpose : str, default ""
        What that many pairs are needed for, for messages.
    weights : array_like of shape (n,) or None, default None
        Weights of the pairs.
    by : PairApproximation or None, default None
        Low-rank approximation to use.

    Attributes
    ----------
    pairs : CheckedPairs
        The points and their kernels.
    columns : tuple of tuple of str
        Names of both sides' columns.
    kernels : tuple of Kernel
        Kernels of both sides, chosen.
    estimators : Estimators
        Estimators of both sides and of the pairs, with σ chosen.
    x : StoredGram or TiledSide
        Centred Gram matrix of the first side.
    y : StoredGram or TiledSide
        Centred Gram matrix of the second side.
    paired : PairSums
        Sums of the given pairing. Kernels of finite rank have none, and no x and y.
    hsic : ExactPairs or ShiftedPairs
        The way to compute HSIC.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.discrepancy.dependence import Pairing
    >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
    >>> pairing = Pairing(x, x**2, Gaussian(0.5), Gaussian(0.5), "biased", estimator=None)
    >>> observed = pairing.observed()
    >>> test = pairing.test(n_resamples=99, rng=0)
    >>> round(observed, 4), round(observed / pairing.unit, 2), float(test.pvalue)
    (0.0329, 0.42, 0.01)
    """

    approximation: str | None
    x: Centred
    y: Centred
    statistic: str
    columns: tuple[tuple[str, ...], tuple[str, ...]]
    pairs: CheckedPairs
    kernels: tuple[Kernel, Kernel]
    estimators: Estimators
    paired: PairSums
    hsic: ExactPairs | ShiftedPairs

    def __init__(
        self,
        X: PointsLike,
        Y: PointsLike,
        kernel_x: Kernel | None,
        kernel_y: Kernel | None,
        statistic: str,
        estimator: OfSides,
        at_least: int = 1,
        purpose: str = "",
        weights: VectorLike | None = None,
        by: PairApproximation | None = None,
    ) -> None:
        one_of(statistic, ("biased", "unbiased"), "statistic")
        estimators, kernels = read_estimators(estimator, (kernel_x, kernel_y), statistic)
        if weights is not None:
            for each in (*estimators.sides, estimators.pairs):
                refuse_other_averages(each)
        elif statistic == "unbiased":
            at_least, purpose = 4, "for the unbiased statistic"
        (X, kernel_x, of_x), (Y, kernel_y, of_y) = one_side(X, kernels[0], "X"), one_side(Y, kernels[1], "Y")
        self.statistic, self.columns = statistic, (of_x, of_y)
        self.pairs, counts = read_weighted_pairs(X, Y, weights, kernel_x, kernel_y, at_least, purpose)
        self.kernels = self.pairs.kernels
        (e_x, C), (e_y, D) = (
            choose_noise(*each) for each in zip(estimators.sides, self.kernels, self.pairs[:2], strict=True)
        )
        self.estimators = Estimators((e_x, e_y), estimators.pairs)
        self.approximation = None
        if by is not None:
            plain = counts is None and C is None and D is None and estimators.pairs is None
            low_rank, self.approximation = by.of(self.pairs, statistic, plain)
            if low_rank is not None:
                permuted = partial(Pairing, self.pairs.X, self.pairs.Y, *low_rank.lows, statistic, None)
                self.hsic = ShiftedPairs(low_rank, by.rng, self.approximation, permuted)
                return
        if weights is None or counts is None:
            each = zip(self.kernels, self.pairs[:2], (C, D), strict=True)
            self.x, self.y = side_by_side(lambda one: side(*one), each, 2 * SIDE * len(self.pairs.X) ** 2)
            self.paired = PairSums.of(self.x, self.y)
            self.hsic = self._equally_or_as(estimators.pairs)
        else:
            included = checks.numbers(weights, "weights") > 0
            counted = WeightedPairs(self.kernels, self.pairs.X, self.pairs.Y, counts, statistic)
            self.x, self.y = counted.x, counted.y
            self.paired = PairSums.of(self.x, self.y)
            self.hsic = CountedPairs(self.x, self.y, self.paired, statistic, counted, included)

    def _equally_or_as(self, estimator):
        """Return pairs that count equally, or as an estimator weighs them."""
        weighing, sides = pair_weighting(estimator, self.x, self.y), (self.x, self.y, self.paired, self.statistic)
        if isinstance(weighing, WeightedByEstimator):
            return EstimatedPairs(*sides, weighing)
        return PlainPairs(*sides, weighing)

    def observed(self) -> float:
        """Return the statistic of the given pairing.

        Returns
        -------
        float
            HSIC.

        Raises
        ------
        Refusal
            If its sums overflow.
        """
        value = self.hsic.observed()
        if self.approximation is None or isinstance(value, Approximate):
            return value
        return Approximate(value, 0.0, self.approximation)

    def test(
        self, n_resamples: int, rng: Rng, orders: Sequence[Rows] | None = None, groups: ArrayLike | None = None
    ) -> TestResult:
        """Test independence by permutations of one side.

        Parameters
        ----------
        n_resamples : int
            Number of permutations.
        rng : int, Generator or None
            Seed of the permutations.
        orders : sequence of ndarray or None, default None
            Batches of `permutations` with this rng, if the caller has them already.
        groups : array_like of shape (n,) or None, default None
            Labels of groups within which pairs are permuted.

        Returns
        -------
        TestResult
            The test.
        """
        found = self.hsic.test(n_resamples, rng, orders, groups)
        return TestResult(
            found.observed,
            found.null,
            f"the {self.statistic} HSIC{self.estimators}{self.hsic.weights}",
            self.kernels,
            len(self.pairs.X),
            tolerance=found.tolerance,
            resamples=found.resamples,
            error=found.error if self.approximation is None or found.error is not None else 0.0,
            columns=self.columns,
            seed=seed_of(rng),
            approximation=self.approximation,
        )

    @property
    def unit(self) -> float:
        """Largest value of the biased HSIC, sqrt(HSIC_b(x, x) HSIC_b(y, y)); 0 if a side is constant."""
        size = math.sqrt(self.paired.squares[0] * self.paired.squares[1])
        if not 0 < size < math.inf:  # the product overflows or vanishes
            size = math.sqrt(self.paired.squares[0]) * math.sqrt(self.paired.squares[1])
        return size / self.x.n**2 if size > self.paired.tolerance else 0.0
