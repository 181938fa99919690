"""The maximum mean discrepancy of two samples, and its permutation test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from explorer import checks, frames
from explorer.alignment import aligned, pooled
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
from explorer.elsewhere import explain_wrong_calls, refuse_other
from explorer.embeddings import Embedding
from explorer.embeddings.feature_sums import FeatureSums
from explorer.embeddings.low_rank import approximate_mean
from explorer.estimators.base import Estimator
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.low_rank import Approximation
from explorer.kernels.low_rank.automatic import stand_in, values_take
from explorer.kernels.low_rank.missing import Missed
from explorer.printing import model_text
from explorer.rng import seed_of
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


SPLIT = 1.1e-10  # s on a usual core, for a permutation and a pair of points
# what landmarks may miss of a kernel, at most and times the spread, so that the stated error is a part of it
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
    """MMD^2 = |μ_P - μ_Q|^2, the squared RKHS distance of two distributions' kernel means, from X (n, d) and Y (m, d).

    "unbiased"  U = sum_{i≠j} k(x_i, x_j) / (n(n-1)) + sum_{i≠j} k(y_i, y_j) / (m(m-1)) - 2 sum_ij k(x_i, y_j) / (nm);
                n, m >= 2. Signed and never clipped: negative in about half of the samples where P = Q
    "biased"    V = |μ̂_X - μ̂_Y|^2: i = j kept, divided by n^2 and m^2; too large by (E k(x, x) - E k(x, x')) / n and
                by the same of y / m

    Gretton et al. 2012 (J. Mach. Learn. Res. 13, 723), eq. (3) and (5).

    X, Y        points, or DataFrames, whose columns meet by name; words among them are compared by equality and numbers
                over common scales where theirs differ, as `explorer test --kernel gaussian` does
    kernel      None is Gaussian(); an automatic bandwidth is the median heuristic on the pooled sample
    estimator   any estimator of a kernel mean in place of the plain average, with the kernel left at None or the one
                given here; what it leaves to choose is chosen on the pooled sample. Weights that are not equal take
                "biased"

    approximation, rank, rng  "cholesky", "nystrom" or "features", of which rank, by which seed: mmd2 under the kernel
                of finite rank that `low_rank` chooses on the pooled sample, in O((n + m) rank^2), for a million points.
                The answer is then a float with an `error`, a 99 % limit of how far off it is, and of landmarks exact up
                to 1500 points of either sample; its `approximation` says what was taken. "auto" is exact where that
                takes some two seconds at most, as it does for a few thousand points, and else has as many random
                landmarks as keep the error a part of the null distribution's spread, while there is time for them

    weights_x, weights_y  how often each row counts, (n,) and (m,), 0 or more; None is once. With W = sum_i w_i, the
                sums over a sample become sum_{i≠j} w_i w_j k(x_i, x_j) + sum_i w_i (w_i - 1) k(x_i, x_i) over W(W-1),
                or sum_ij w_i w_j k(x_i, x_j) / W^2 where "biased", and those between samples are weighted likewise.
                Whole numbers so act as repeated rows, for an automatic bandwidth too (under others each row is there
                once), and a weight of 0 as a row left out. Of weights whose scale means nothing take "biased", which
                knows their ratios alone; "unbiased" needs W > 1

    In squared units of k; O((n + m)^2). Beyond 6000 points together no Gram matrix is stored, and an automatic
    bandwidth is chosen on 6000 of them, with our warning. Paper 003 prints MMD for MMD^2 and (1/nm) sum_ij of all three
    terms (errata E-7, E-8). Raises ValueError, TypeError for samples that do not go together.

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
    """The permutation test of P = Q by `mmd2`: a TestResult.

    p = (1 + #{null >= observed}) / (1 + B) over B = n_resamples random splits of the pooled sample. It is exact if the
    n + m rows are exchangeable, as independent rows of one distribution are: P(p <= α) <= α for all n, m and B, tied
    and discrete data, bandwidths and estimators chosen on the pooled sample included. It is not if rows depend on their
    neighbours, as in time. For two sketches, p is right in the limit of many independent rows.

    An int rng gives the same splits to every kernel, bandwidth and
    estimator, and a larger B only appends to the null distribution. O(B (n + m)^2); with weights that depend on the
    split, as those of F-KMSE do, O(B (n^3 + m^3)). With an approximation as in `mmd2`, O((n + m) rank (rank + B)), and
    as exact a test: the kernel of finite rank does not depend on which points are X's. Under "auto" whole blocks of
    rows are permuted where there are more than 8000, each of random rows of one sample: a part of all permutations, as
    exact as they are. Of sketches p is right in the limit of many rows, 100 and more of each sample. Gretton et al.
    2012 (J. Mach. Learn. Res. 13, 723).

    groups  labels of the n + m rows, X's first: words, numbers or dates. Rows are then permuted within each group alone
            (pairs, blocks, repeated measures), which is exact if they are exchangeable within groups, however the
            groups differ. The statistic is the one without groups. p reaches `discrepancy.least_pvalue(n, m, groups)`
            at least; ValueError where every group holds rows of one sample alone

    weights_x, weights_y  as in `mmd2`. Rows are permuted with their weights, so that the copies which a row stands for
            stay together: exact if pairs (row, weight) are exchangeable, for example if weights are drawn with the
            rows, or are one function of them for both samples. Repeated rows, permuted one by one, would count as that
            many observations. Rows of weight 0 take no part

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
    """A chosen kernel, the pooled points (n + m, d), X's first, how many each sample has, and the columns' names."""

    kernel: Kernel
    P: np.ndarray
    n: int
    m: int
    columns: tuple[str, ...] = ()

    @property
    def X(self) -> Points:
        """The first sample's points (n, d)."""
        return self.P[: self.n]

    @property
    def Y(self) -> Points:
        """The second sample's points (m, d)."""
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
    """The TwoSamples of X and Y, their columns met by name where they are DataFrames.

    kernel=None is Gaussian(), its bandwidth the pooled median. Of DataFrames with words among their columns, unless
    `numbers_alone` are taken, a kernel of numbers compares the numbers, and equality the words: see `datasets.mixed`.
    Raises ValueError for fewer than `at_least` points a sample and for samples of different columns, TypeError for text
    beside numbers. `choose` makes the chosen kernel of it and P.
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
    """TypeError where one of two samples holds text and the other numbers."""
    if (X.dtype.kind in "US") != (Y.dtype.kind in "US"):
        text, other = names if X.dtype.kind in "US" else names[::-1]
        raise TypeError(
            f"{text} holds text and {other} numbers, so no two of their points are alike; give both as one kind."
        )


def one_of(value: str, choices: Sequence[str], name: str) -> None:
    """ValueError where `value` is none of `choices`."""
    if value not in choices:
        raise Refusal(f"{name} must be {' or '.join(map(repr, choices))}, not {checks.echo(value)}.")


def gram_of(
    kernel: Kernel, P: Points, covariance: Matrix | None = None, weights: Weights | None = None
) -> CentredGram | TiledGram:
    """The centred Gram matrix of the pooled points, stored up to 6000 of them; weights (N,) centre it by themselves."""
    if len(P) > LARGE:
        return TiledGram(kernel, P, covariance, weights=weights)
    return CentredGram(contrast_gram(kernel, P, covariance), weights)


class TwoSampleProblem:
    """Two samples, what is compared of them, and how: checked and chosen.

    kernel     chosen; estimator, what it left to choose chosen on the pooled points
    P          the pooled points (n + m, d), X's first
    low        the kernel of finite rank that stands for it, None where none was asked for
    groups     whole numbers (n + m,), one for each group that rows are permuted within; None where all are one
    weights    of the rows (n + m,), all above 0; None where none were given
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
        asked = None if approximation == "auto" else approximation  # what is left to us stays where it can serve
        refuse_estimator(estimator, asked)
        estimator = checked_estimator(estimator, kernel, statistic)
        if weights is not None:
            refuse_other_averages(estimator, asked)
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
        """Take the rows' weights, leave out those of weight 0, and choose the kernel on rows as often as they count."""
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
        """mmd2 of the split that the data came in."""
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
        """mmd2 of rows with weights."""
        refuse_few((weights[: self.n].sum(), weights[self.n :].sum()), self.statistic)
        return float(weighted_mmd2(gram, observed_split(len(self.P), self.n), weights, self.statistic)[0])

    def _plain(self, means, gram):
        """mmd2 under equal weights; beyond 6000 points each pair is met once instead of twice."""
        scale, covariance = means
        if self.low is not None:
            X, Y = self.P[: self.n], self.P[self.n :]
            return low_rank_mmd2(self.low, X, Y, self.statistic, self.rng, self.approximation)
        if len(self.P) > LARGE:
            return scale**2 * tiled_mmd2(self.kernel, self.P, self.n, self.statistic, covariance)
        return scale**2 * float(mmd2_of_splits(gram, observed_split(len(self.P), self.n), self.statistic)[0])

    def test(self, n_resamples: int, rng: Rng, prepared: Mask | None = None) -> TestResult:
        """The TestResult; `prepared` are the splits of this rng, where the caller has them for several kernels."""
        error, how = 0.0 if self.approximation == "exact" else None, None
        if self.weights is not None:
            observed, null, tolerance = self._weighted_test(n_resamples, rng, self.weights)
        elif self.automatic and self.low is not None and self.groups is None:
            X, Y = self.P[: self.n], self.P[self.n :]
            blocks = RowBlocks.of(self.low, (X, Y), rng)
            observed, null, tolerance = blocks.test(self.statistic, n_resamples, rng)
            how = blocks.resamples
            error = Missed(self.low, (X, Y), self.rng).limit(self.statistic)
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
        """The statistic of rows with weights, its null distribution, and the tolerance for ties."""
        refuse_few(least_sums(weights, self.n, self.groups), self.statistic, " in one of the permutations")
        S = splits(len(self.P), self.n, n_resamples, rng, self.groups)
        gram = gram_of(self.kernel, self.P, weights=weights)
        tolerance = weighted_tolerance(gram, S, weights, self.statistic)
        return self._weighted(gram, weights), weighted_mmd2(gram, S, weights, self.statistic), tolerance

    def witness(self) -> Embedding:
        """The difference of the two estimates, an Embedding; of scaled plain means, that of the plain means."""
        X, Y = self.P[: self.n], self.P[self.n :]
        if self.low is not None:
            return approximate_mean(self.low, [(1, X), (-1, Y)], self.rng)
        if isinstance(self.means, Plain) and self.means.covariance is None:
            return difference_of_means(self.kernel, X, Y)
        return self.estimator.embed(X) - self.estimator.embed(Y)

    def _resamples(self, count):
        """What the null distribution is made by."""
        if self.groups is None:
            return "permutations"
        ways = relabellings(self.n, self.m, self.groups)
        return describe_permutations(self.groups, ways, least_pvalue(self.n, self.m, self.groups), count)

    def _name(self):
        estimates = "" if self.estimator.plain else f" of {model_text(self.estimator.replace(kernel=None))}"
        weighted = "" if self.weights is None else " of weighted rows"
        return f"the {self.statistic} MMD²{estimates}{weighted}"


def allowed_error(spread: float) -> float:
    """What landmarks may miss of a kernel for a test whose null distribution has a spread like this, for |k| = 1."""
    return min(LOOSE, STATED * spread)


def exact_seconds(kernel: Kernel, P: Points, n_resamples: int) -> float:
    """About how many seconds the exact MMD² of the points P (N, d) and so many permutations take."""
    return values_take(kernel, len(P) ** 2, P.shape[1]) + SPLIT * n_resamples * len(P) ** 2


def _unchosen(kernel, P):
    """A kernel that is chosen later, when the rows' weights are known."""
    return kernel


def difference_of_means(kernel: Kernel, X: Points, Y: Points) -> Embedding:
    """The empirical kernel mean of X (n, d) less that of Y (m, d), an Embedding."""
    return Embedding(kernel, X, np.full(len(X), 1 / len(X))) - Embedding(kernel, Y, np.full(len(Y), 1 / len(Y)))
