"""Maximum mean discrepancy of two samples, and its permutation test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.discrepancy.resampling.groups import describe_permutations, group_codes, refuse_one_permutation
from explorer.discrepancy.resampling.permutation import (
    CentredGram,
    mmd2_of_splits,
    observed_split,
    splits,
    tie_tolerance,
)
from explorer.discrepancy.resampling.row_blocks import RowBlocks
from explorer.discrepancy.resampling.tiled_gram import LARGE, TiledGram, contrast_gram, select, tiled_mmd2
from explorer.discrepancy.results.test_result import TestResult
from explorer.embeddings import Embedding
from explorer.embeddings.feature_sums import FeatureSums
from explorer.embeddings.low_rank import approximate_mean
from explorer.estimators.base import Estimator
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.low_rank import Approximation
from explorer.kernels.low_rank.automatic import stand_in, values_take
from explorer.kernels.low_rank.residual import Residual
from explorer.printing import model_text
from explorer.public_names.synonyms import explain_wrong_calls, refuse_other
from explorer.rng import seed_of
from explorer.tables.alignment import aligned, pooled
from explorer.types import Mask, Matrix, Points, PointsLike, Rng, Statistic, VectorLike, Weights

from .low_rank import Approximate, FeatureGram, low_rank_mmd2, refuse_estimator
from .mean_estimators import Plain, Weighted, checked_estimator, choose_estimator
from .row_weights import least_sums, refuse_few, refuse_other_averages, row_weights, weighted_mmd2, weighted_tolerance
from .sketches import sums_test, two_sketches
from .small_samples import least_pvalue, relabellings

if TYPE_CHECKING:
    from polars.dataframe.frame import DataFrame
    from pyarrow.lib import Table

    from explorer.kernels.low_rank import FiniteRank


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
    r"""Compute MMD², the squared RKHS distance of two distributions' kernel means, from two samples.

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
    on 6000 of them, with a warning. Paper 003 prints MMD for MMD² and (1/nm) sum_ij of all three terms (errata E-7,
    E-8).

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
    """Test P = Q by `mmd2` and random permutations of the pooled sample.

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


def gram_of(
    kernel: Kernel, P: Points, covariance: Matrix | None = None, weights: Weights | None = None
) -> CentredGram | TiledGram:
    """Return the centred Gram matrix of the pooled points, stored up to 6000 points; weights (N,) weight its mean."""
    if len(P) > LARGE:
        return TiledGram(kernel, P, covariance, weights=weights)
    return CentredGram(contrast_gram(kernel, P, covariance), weights)


class TwoSampleProblem:
    """Two samples with everything that is compared of them, checked and chosen.

    `kernel` is chosen, and `estimator` has its open parameters chosen on the pooled points P (n + m, d), X's first.
    `low` is the kernel of finite rank that replaces the kernel, or None if no approximation was requested. `groups` are
    whole numbers (n + m,), one for each group within which rows are permuted, or None if all rows form one group.
    `weights` of the rows (n + m,) are all above 0, or None if none were given.
    """

    n: int
    m: int
    weights: Weights | None
    rng: Rng
    kernel: Kernel
    columns: tuple[str, ...]
    estimator: Estimator
    means: Plain | Weighted
    low: FiniteRank | None
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
        if weights is not None:
            refuse_other_averages(estimator, explicit)
        at_least, purpose = (2, "for the unbiased statistic") if statistic == "unbiased" and not weights else (1, "")
        kernel = estimator.kernel if kernel is None else kernel
        pooled = two_samples(X, Y, kernel, at_least, purpose, choose=select if weights is None else _unchosen)
        self.kernel, self.P, self.n, self.m, self.columns = pooled
        self.groups = None if groups is None else group_codes(groups, self.n + self.m)
        self.weights = None
        if weights is not None:
            self._weigh(*weights)
        if groups is not None:
            refuse_one_permutation(relabellings(self.n, self.m, self.groups))
        self.statistic = statistic
        self.estimator, self.means = choose_estimator(estimator, self.kernel, self.P)
        self.rng = rng
        exact = (
            0.0
            if self.weights is not None or not self.estimator.plain
            else exact_seconds(self.kernel, self.P, n_resamples)
        )
        enough = allowed_error(1 / self.n + 1 / self.m)
        self.low, self.approximation = stand_in(self.kernel, self.P, approximation, rank, rng, exact, enough)
        self.automatic = approximation == "auto"

    def _weigh(self, of_x, of_y):
        """Store the rows' weights, leave out rows of weight 0, and choose the kernel on rows repeated by weight."""
        w = np.concatenate([row_weights(of_x, self.n, "weights_x"), row_weights(of_y, self.m, "weights_y")])
        kept = w > 0
        self.n, self.m = int(kept[: self.n].sum()), int(kept[self.n :].sum())
        self.P, self.weights = self.P[kept], w[kept]
        self.kernel = select(self.kernel, self.P, counts=self.weights)
        if self.groups is not None:
            self.groups = group_codes(self.groups[kept], len(self.P))

    def _gram(self, covariance):
        return gram_of(self.kernel, self.P, covariance) if self.low is None else FeatureGram(self.low, self.P)

    def observed(self) -> float | Approximate:
        """Return `mmd2` of the observed split."""
        value = self._observed()
        return Approximate(value, 0.0, self.approximation) if self.approximation == "exact" else value

    def _observed(self):
        if self.weights is not None:
            return self._weighted(gram_of(self.kernel, self.P, weights=self.weights), self.weights)
        if isinstance(self.means, Weighted):
            return self.means.observed(self.n)
        stored = self.low is None and len(self.P) <= LARGE
        return self._plain(self.means, self._gram(self.means.covariance) if stored else None)

    def _weighted(self, gram, weights):
        """Return `mmd2` of rows with weights."""
        refuse_few((weights[: self.n].sum(), weights[self.n :].sum()), self.statistic)
        return float(weighted_mmd2(gram, observed_split(len(self.P), self.n), weights, self.statistic)[0])

    def _plain(self, means, gram):
        """Return `mmd2` under equal weights. Beyond 6000 points each pair is computed once instead of twice."""
        scale, covariance = means
        if self.low is not None:
            X, Y = self.P[: self.n], self.P[self.n :]
            return low_rank_mmd2(self.low, X, Y, self.statistic, self.rng, self.approximation)
        if len(self.P) > LARGE:
            return scale**2 * tiled_mmd2(self.kernel, self.P, self.n, self.statistic, covariance)
        return scale**2 * float(mmd2_of_splits(gram, observed_split(len(self.P), self.n), self.statistic)[0])

    def test(self, n_resamples: int, rng: Rng, prepared: Mask | None = None) -> TestResult:
        """Return the TestResult; `prepared` are the splits of this rng, if the caller has them for several kernels."""
        error, how = 0.0 if self.approximation == "exact" else None, None
        if self.weights is not None:
            observed, null, tolerance = self._weighted_test(n_resamples, rng, self.weights)
        elif self.automatic and self.low is not None and self.groups is None:
            X, Y = self.P[: self.n], self.P[self.n :]
            blocks = RowBlocks.of(self.low, (X, Y), rng)
            observed, null, tolerance = blocks.test(self.statistic, n_resamples, rng)
            how = blocks.resamples
            error = Residual(self.low, (X, Y), self.rng).limit(self.statistic)
        elif isinstance(self.means, Plain):
            S = splits(len(self.P), self.n, n_resamples, rng, self.groups) if prepared is None else prepared
            gram, scale = self._gram(self.means.covariance), self.means.scale
            observed, tolerance = (
                self._plain(self.means, gram),
                tie_tolerance(scale**2 * gram.magnitude, self.n, self.m),
            )
            null = scale**2 * mmd2_of_splits(gram, S, self.statistic)
        else:
            observed, tolerance = self.means.observed(self.n), tie_tolerance(self.means.magnitude, self.n, self.m)
            null = self.means.null(self.n, n_resamples, rng, self.groups)
        return TestResult(
            observed,
            null,
            self._name(),
            self.kernel,
            self.n,
            self.m,
            tolerance,
            how or self._resamples(len(null)),
            getattr(observed, "error", error),
            self.columns,
            seed_of(rng),
            self.approximation,
        )

    def _weighted_test(self, n_resamples, rng, weights):
        """Return the statistic of rows with weights, its null distribution, and the tolerance for ties."""
        refuse_few(least_sums(weights, self.n, self.groups), self.statistic, " in one of the permutations")
        S = splits(len(self.P), self.n, n_resamples, rng, self.groups)
        gram = gram_of(self.kernel, self.P, weights=weights)
        tolerance = weighted_tolerance(gram, S, weights, self.statistic)
        return self._weighted(gram, weights), weighted_mmd2(gram, S, weights, self.statistic), tolerance

    def witness(self) -> Embedding:
        """Return the difference of the two estimates as an Embedding; scaled plain means count as plain."""
        X, Y = self.P[: self.n], self.P[self.n :]
        if self.low is not None:
            return approximate_mean(self.low, [(1, X), (-1, Y)], self.rng)
        if isinstance(self.means, Plain) and self.means.covariance is None:
            return difference_of_means(self.kernel, X, Y)
        return self.estimator.embed(X) - self.estimator.embed(Y)

    def _resamples(self, count):
        """Return the name of the resamples."""
        if self.groups is None:
            return "permutations"
        ways = relabellings(self.n, self.m, self.groups)
        return describe_permutations(self.groups, ways, least_pvalue(self.n, self.m, self.groups), count)

    def _name(self):
        estimates = "" if self.estimator.plain else f" of {model_text(self.estimator.replace(kernel=None))}"
        weighted = "" if self.weights is None else " of weighted rows"
        return f"the {self.statistic} MMD²{estimates}{weighted}"


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


def difference_of_means(kernel: Kernel, X: Points, Y: Points) -> Embedding:
    """Return the empirical kernel mean of X (n, d) minus that of Y (m, d) as an Embedding."""
    return Embedding(kernel, X, np.full(len(X), 1 / len(X))) - Embedding(kernel, Y, np.full(len(Y), 1 / len(Y)))
