"""Maximum mean discrepancy of two samples, and its permutation test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.discrepancy.resampling.groups import group_codes, refuse_one_permutation
from explorer.discrepancy.resampling.tiled_gram import select
from explorer.discrepancy.results.test_result import TestResult
from explorer.embeddings import Embedding
from explorer.embeddings.feature_sums import FeatureSums
from explorer.estimators.base import Estimator
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.low_rank import Approximation
from explorer.kernels.low_rank.automatic import stand_in, values_take
from explorer.public_names.synonyms import explain_wrong_calls, refuse_other
from explorer.rng import seed_of
from explorer.tables.alignment import aligned, pooled
from explorer.types import Mask, Points, PointsLike, Rng, Statistic, VectorLike

from .low_rank import Approximate, refuse_estimator
from .mean_differences import BlockMeans, EstimatedMeans, LowRankMeans, PlainMeans, PooledRows, WeightedMeans
from .mean_estimators import Plain, checked_estimator, choose_estimator
from .row_weights import refuse_other_averages, row_weights
from .sketches import sums_test, two_sketches

if TYPE_CHECKING:
    from polars.dataframe.frame import DataFrame
    from pyarrow.lib import Table

    from .mean_differences import MeanDifference


SPLIT = 1.1e-10  # time for one permutation and one pair of points on a typical core, in seconds
# Largest error that landmarks may make in a kernel: absolute, and as a multiple of the spread of the null
# distribution, so that the stated error is a part of that spread.
LOOSE, STATED = 0.1, 100


@explain_wrong_calls
@aligned("X weights_x", "Y weights_y")
def mmd2(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    statistic: Statistic = "unbiased",
    estimator: Estimator | None = None,
    approximation: Approximation | None = None,
    rank: int | None = None,
    rng: Rng = 0,
    weights_x: VectorLike | None = None,
    weights_y: VectorLike | None = None,
) -> float:
    r"""Measure how far apart the distributions of two samples are, by MMD².

    Use it to compare distances under one kernel. To decide whether two samples differ use `mmd_test`, and for known
    distributions `mmd2_of_laws`.

    MMD² is the squared RKHS distance of the kernel means of both distributions.

    Parameters
    ----------
    X : array_like of shape (n, d), or DataFrame
        First sample. DataFrames are matched by the names of their columns; words among them are compared by equality,
        and numbers over common scales if their scales differ, as ``explorer test --kernel gaussian`` does.
    Y : array_like of shape (m, d), or DataFrame
        Second sample.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    statistic : {"unbiased", "biased"}, default "unbiased"
        Estimate of MMD², see Notes.
    estimator : Estimator or None, default None
        Any estimator of a kernel mean that replaces the plain average, with its kernel left at None or equal to the one
        given here. Its open parameters are chosen on the pooled sample. An estimator with unequal weights needs
        "biased".
    approximation : {"auto", "cholesky", "nystrom", "features"} or None, default None
        Compute MMD² under the kernel of finite rank that `low_rank` chooses on the pooled sample, in O((n + m) rank^2),
        for a million points. The result is then a float with an `error`, a 99 % limit of its distance from the exact
        value, which for landmarks is exact up to 1500 points of either sample; its `approximation` names what replaced
        the kernel. "auto" is exact if that takes at most some two seconds, as it does for a few thousand points.
        Otherwise it takes as many random landmarks as keep the error a part of the null distribution's spread, as long
        as there is time for them.
    rank : int or None, default None
        Rank of the approximation.
    rng : int, Generator or None, default 0
        Seed of the approximation.
    weights_x : array_like of shape (n,) or None, default None
        Weights of the rows, 0 or more; None counts each row once. Whole numbers act as repeated rows, also for an
        automatic bandwidth (with other weights each row is there once), and a weight of 0 leaves the row out. Use
        "biased" for weights whose scale has no meaning: it depends on their ratios alone. "unbiased" needs a sum above
        1.
    weights_y : array_like of shape (m,) or None, default None
        Weights of the rows of Y.

    Returns
    -------
    float
        MMD² in squared units of k.

    Raises
    ------
    Refusal, TypeError
        If the samples have different dimensions or too few rows, or hold what the kernel does not take.

    Notes
    -----
    "unbiased" is the U-statistic, for n, m >= 2,

    .. math::

        U = \frac{\sum_{i \neq j} k(x_i, x_j)}{n(n-1)} + \frac{\sum_{i \neq j} k(y_i, y_j)}{m(m-1)} - \frac{2 \sum_{ij}
        k(x_i, y_j)}{nm}.

    It is signed and never clipped: it is negative in about half of the samples if P = Q. "biased" is the V-statistic
    :math:`V = |\hat\mu_X - \hat\mu_Y|^2`, with i = j included, divided by n² and m². It is too large by (E k(x, x) - E
    k(x, x')) / n and by the same of y over m.

    With weights and W = sum_i w_i, the sums over a sample become sum_{i≠j} w_i w_j k(x_i, x_j) + sum_i w_i (w_i - 1)
    k(x_i, x_i) over W(W-1), or sum_ij w_i w_j k(x_i, x_j) / W² if "biased". The sums between samples are weighted
    likewise.

    The cost is O((n + m)^2). Beyond 6000 points together no Gram matrix is stored, and an automatic bandwidth is chosen
    on 6000 of them, with a warning. The encyclopedia article prints MMD for MMD² and (1/nm) sum_ij of all three terms
    (errata E-7, E-8).

    References
    ----------
    Gretton et al. 2012 (J. Mach. Learn. Res. 13, 723), eq. (3) and (5).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import mmd2
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> round(mmd2(X, Y), 3)
    0.363
    """
    weights = None if weights_x is None and weights_y is None else (weights_x, weights_y)
    return TwoSampleProblem(X, Y, kernel, statistic, estimator, approximation, rank, rng, weights=weights).observed()


@explain_wrong_calls
@aligned("X weights_x", "Y weights_y")
def mmd_test(
    X: PointsLike | FeatureSums,
    Y: PointsLike | FeatureSums,
    kernel: Kernel | None = None,
    statistic: Statistic = "unbiased",
    estimator: Estimator | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
    approximation: Approximation | None = None,
    rank: int | None = None,
    groups: ArrayLike | None = None,
    weights_x: VectorLike | None = None,
    weights_y: VectorLike | None = None,
) -> TestResult:
    """Test whether two samples have the same distribution, by `mmd2` and random permutations of the pooled sample.

    Use it for samples of independent rows. For paired rows pass the pairs as `groups`, with outliers use `monk_test`,
    for tables with named columns `compare`, and for large samples `compress_test`.

    p = (1 + #{null >= observed}) / (1 + B) over B = n_resamples random splits of the pooled sample. It is exact if the
    n + m rows are exchangeable, as independent rows of one distribution are: P(p <= α) <= α for all n, m and B,
    including tied and discrete data, and bandwidths and estimators chosen on the pooled sample. It is not exact if rows
    depend on their neighbours, as in time. For two sketches, p is right in the limit of many independent rows.

    Parameters
    ----------
    X : array_like of shape (n, d), DataFrame or FeatureSums
        First sample, as in `mmd2`, or its sketch.
    Y : array_like of shape (m, d), DataFrame or FeatureSums
        Second sample, or its sketch.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    statistic : {"unbiased", "biased"}, default "unbiased"
        Estimate of MMD², as in `mmd2`.
    estimator : Estimator or None, default None
        Estimator of a kernel mean, as in `mmd2`.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed. An int gives the same splits to every kernel, bandwidth and estimator, and a larger B only appends to the
        null distribution.
    approximation : {"auto", "cholesky", "nystrom", "features"} or None, default None
        Low-rank approximation, as in `mmd2`. The test stays as exact, because the kernel of finite rank does not depend
        on which points belong to X. Under "auto", whole blocks of rows are permuted if there are more than 8000 rows
        in all, each of random rows of one sample; these are a part of all permutations, and as exact.
    rank : int or None, default None
        Rank of the approximation.
    groups : array_like of shape (n + m,) or None, default None
        Labels of the rows, X's first: words, numbers or dates. Rows are then permuted within each group alone (pairs,
        blocks, repeated measures). This is exact if they are exchangeable within groups, however the groups differ. The
        statistic is the one without groups. p is at least ``discrepancy.least_pvalue(n, m, groups)``.
    weights_x : array_like of shape (n,) or None, default None
        Weights of the rows of X, as in `mmd2`. Rows are permuted with their weights, so that the copies that a row
        represents stay together. This is exact if pairs (row, weight) are exchangeable, for example if weights are
        drawn with the rows, or are one function of them for both samples. Repeated rows, permuted one by one, would
        count as that many observations. Rows of weight 0 take no part.
    weights_y : array_like of shape (m,) or None, default None
        Weights of the rows of Y.

    Returns
    -------
    TestResult
        The statistic, its null distribution and the p-value.

    Raises
    ------
    Refusal, TypeError
        If the samples have different dimensions or too few rows, hold what the kernel does not take, or if every group
        has rows of one sample alone.

    Notes
    -----
    The cost is O(B (n + m)^2), or O((n + m) rank (rank + B)) with an approximation. With weights that depend on the
    split, as those of F-KMSE do, it is O(B (n^3 + m^3)). For two sketches, p is right in the limit of
    many rows, 100 and more of each sample.

    References
    ----------
    Gretton et al. 2012 (J. Mach. Learn. Res. 13, 723).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import mmd_test
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> result = mmd_test(X, Y, n_resamples=199, rng=0)
    >>> result.pvalue, round(result.statistic, 3), round(result.threshold(0.05), 3)
    (0.005, 0.363, np.float64(0.052))
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    if isinstance(X, FeatureSums) or isinstance(Y, FeatureSums):
        others = {"kernel": kernel, "estimator": estimator, "approximation": approximation, "rank": rank}
        others |= {"groups": groups, "weights_x": weights_x, "weights_y": weights_y}
        return sums_test(*two_sketches(X, Y, statistic, others), n_resamples, rng)
    weights = None if weights_x is None and weights_y is None else (weights_x, weights_y)
    groups = pooled(groups, (X, Y), "groups", ("X", "Y"))
    comparison = TwoSampleProblem(
        X, Y, kernel, statistic, estimator, approximation, rank, rng, groups, weights, n_resamples
    )
    return comparison.test(n_resamples, rng)


class TwoSamples(NamedTuple):
    """Chosen kernel, pooled points (n + m, d) with X's first, the size of each sample, and the names of the columns."""

    kernel: Kernel
    P: np.ndarray
    n: int
    m: int
    columns: tuple[str, ...] = ()

    @property
    def X(self) -> Points:
        """The first sample's points, shape (n, d)."""
        return self.P[: self.n]

    @property
    def Y(self) -> Points:
        """The second sample's points, shape (m, d)."""
        return self.P[self.n :]


def two_samples(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    at_least: int = 1,
    purpose: str = "",
    numbers_alone: bool = False,
    choose: Callable[[Kernel, Points], Kernel] = select,
) -> TwoSamples:
    """Check two samples, match DataFrame columns by name, and choose the kernel on the pooled points.

    If DataFrames have words among their columns, a kernel of numbers compares the numbers, and words are compared by
    equality: see ``datasets.mixed``.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    kernel : Kernel or None, default None
        None is ``Gaussian()`` with the pooled median as its bandwidth.
    at_least : int, default 1
        Smallest number of points of each sample.
    purpose : str, default ""
        What that many points are needed for, for messages.
    numbers_alone : bool, default False
        Do not accept words among the columns.
    choose : callable, optional
        Makes the chosen kernel from the given kernel and the pooled points.

    Returns
    -------
    TwoSamples
        The pooled points and the chosen kernel.

    Raises
    ------
    Refusal
        If a sample has fewer than `at_least` points, or if the samples have different columns.
    TypeError
        If one sample holds text and the other numbers.
    """
    given: Kernel = Gaussian() if kernel is None else kernel
    refuse_other(given, Kernel, "kernel", optional=True)
    X, Y = frames.together((X, Y), ("X", "Y"))
    columns = frames.names_of(X) or frames.names_of(Y) or ()
    if not numbers_alone and given.space == "numbers" and (found := frames.mixed((X, Y), ("X", "Y"), given)):
        (X, Y), given, columns = found[:3]
    x, y = given.points(X), given.points(Y, "Y")
    for points, name in ((x, "X"), (y, "Y")):
        checks.rows(points, f"{name}, {purpose}," if purpose else name, at_least)
    checks.same_dimension(x, y)
    refuse_text_beside_numbers(x, y)
    P = np.concatenate([x, y])
    checks.warn_of_lost_digits(P, "X and Y")
    return TwoSamples(choose(given, P), P, len(x), len(y), columns)


def refuse_text_beside_numbers(X: Points, Y: Points, names: tuple[str, str] = ("X", "Y")) -> None:
    """Raise a TypeError if one of two samples holds text and the other numbers."""
    if (X.dtype.kind in "US") != (Y.dtype.kind in "US"):
        text, other = names if X.dtype.kind in "US" else names[::-1]
        raise TypeError(
            f"{text} holds text and {other} numbers, so no two of their points are alike; give both as one kind."
        )


def one_of(value: str, choices: Sequence[str], name: str) -> None:
    """Raise a Refusal if `value` is not one of `choices`.

    Parameters
    ----------
    value : str
        Value of an argument.
    choices : sequence of str
        Allowed values.
    name : str
        Name of the argument.

    Raises
    ------
    Refusal
        If the value is not allowed.
    """
    if value not in choices:
        raise Refusal(f"{name} must be {' or '.join(map(repr, choices))}, not {checks.echo(value)}.")


class TwoSampleProblem:
    """Two samples with everything that is compared of them, checked and chosen.

    `rows` are the rows that take part, with the chosen kernel. `means` is the way to compare them. `approximation`
    names the kernel of finite rank that replaces the kernel: "exact" if an automatic choice has kept the kernel, None
    if no approximation was requested.
    """

    rows: PooledRows
    columns: tuple[str, ...]
    means: MeanDifference
    approximation: str | None

    def __init__(
        self,
        X: PointsLike,
        Y: PointsLike | DataFrame | Table,
        kernel: Kernel | None,
        statistic: str,
        estimator: Estimator | None,
        approximation: Approximation | None = None,
        rank: int | None = None,
        rng: Rng = 0,
        groups: ArrayLike | None = None,
        weights: tuple[VectorLike | None, VectorLike | None] | None = None,
        n_resamples: int = 0,
    ) -> None:
        one_of(statistic, ("unbiased", "biased"), "statistic")
        # "auto" falls back to the exact test if the estimator rules approximations out, so only an explicit
        # choice is checked
        explicit = None if approximation == "auto" else approximation
        refuse_estimator(estimator, explicit)
        estimator = checked_estimator(estimator, kernel, statistic)
        kernel = estimator.kernel if kernel is None else kernel
        counts = None
        if weights is None:
            at_least, purpose = (2, "for the unbiased statistic") if statistic == "unbiased" else (1, "")
            two = two_samples(X, Y, kernel, at_least, purpose)
            rows = PooledRows(two.kernel, two.P, two.n, _codes(groups, two), statistic)
        else:
            refuse_other_averages(estimator, explicit)
            two = two_samples(X, Y, kernel, choose=_unchosen)
            rows, counts = _weighted_rows(two, weights, _codes(groups, two), statistic)
        if groups is not None:
            refuse_one_permutation(rows.ways)
        self.rows, self.columns = rows, two.columns
        chosen, average = choose_estimator(estimator, rows.kernel, rows.P)
        averages = counts is None and chosen.plain
        exact = exact_seconds(rows.kernel, rows.P, n_resamples) if averages else 0.0
        enough = allowed_error(1 / rows.n + 1 / rows.m)
        low, self.approximation = stand_in(rows.kernel, rows.P, approximation, rank, rng, exact, enough)
        if counts is not None:
            self.means = WeightedMeans(rows, counts)
        elif low is not None:
            blocks = approximation == "auto" and groups is None
            self.means = (BlockMeans if blocks else LowRankMeans)(rows, low, rng, self.approximation)
        elif isinstance(average, Plain):
            self.means = PlainMeans(rows, chosen, average.scale, average.covariance)
        else:
            self.means = EstimatedMeans(rows, chosen, average)

    def observed(self) -> float | Approximate:
        """Return `mmd2` of the observed split."""
        value = self.means.observed()
        return Approximate(value, 0.0, self.approximation) if self.approximation == "exact" else value

    def test(self, n_resamples: int, rng: Rng, prepared: Mask | None = None) -> TestResult:
        """Return the TestResult; `prepared` are the splits of this rng, if the caller has them for several kernels."""
        rows, found = self.rows, self.means.test(n_resamples, rng, prepared)
        return TestResult(
            found.observed,
            found.null,
            f"the {rows.statistic} MMD²{self.means.estimates}",
            rows.kernel,
            rows.n,
            rows.m,
            found.tolerance,
            found.resamples or rows.describe_resamples(len(found.null)),
            0.0 if self.approximation == "exact" else found.error,
            self.columns,
            seed_of(rng),
            self.approximation,
        )

    def witness(self) -> Embedding:
        """Return the difference of the two estimates as an Embedding; scaled plain means count as plain."""
        return self.means.witness()


def _codes(groups, two):
    """Return the groups' numbers of the pooled rows, or None if there are no groups."""
    return None if groups is None else group_codes(groups, two.n + two.m)


def _weighted_rows(two, weights, groups, statistic):
    """Return the rows with a weight above 0, and these weights. The kernel is chosen on rows repeated by weight."""
    w = np.concatenate([row_weights(weights[0], two.n, "weights_x"), row_weights(weights[1], two.m, "weights_y")])
    kept = w > 0
    P, w, n = two.P[kept], w[kept], int(kept[: two.n].sum())
    kernel = select(two.kernel, P, counts=w)
    groups = None if groups is None else group_codes(groups[kept], len(P))
    return PooledRows(kernel, P, n, groups, statistic), w


def allowed_error(spread: float) -> float:
    """Return the error that landmarks may make in a kernel with ``|k| = 1``, given the spread of the null distribution.

    Parameters
    ----------
    spread : float
        Spread of the null distribution of the test.

    Returns
    -------
    float
        The allowed error.
    """
    return min(LOOSE, STATED * spread)


def exact_seconds(kernel: Kernel, P: Points, n_resamples: int) -> float:
    """Estimate the seconds that the exact MMD² of the points P (N, d) and `n_resamples` permutations take."""
    return values_take(kernel, len(P) ** 2, P.shape[1]) + SPLIT * n_resamples * len(P) ** 2


def _unchosen(kernel, P):
    """Return the kernel unchanged: it is chosen later, when the rows' weights are known."""
    return kernel
