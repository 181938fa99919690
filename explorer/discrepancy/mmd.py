"""The maximum mean discrepancy of two samples, and its permutation test."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.embeddings.low_rank import approximate_mean
from explorer.estimators.base import Estimator
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.low_rank import Approximation, low_rank, refuse_rank_alone, refuse_unknown
from explorer.types import PointsLike, Rng, Statistic

from .low_rank import FeatureGram, low_rank_mmd2, refuse_estimator
from .permutation import CentredGram, mmd2_of_splits, observed_split, splits, tie_tolerance
from .result import TestResult, in_words
from .tiled import LARGE, TiledGram, contrast_gram, select, tiled_mmd2
from .weighted import Plain, checked, means


def mmd2(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    statistic: Statistic = "unbiased",
    estimator: Estimator | None = None,
    approximation: Approximation | None = None,
    rank: int | None = None,
    rng: Rng = 0,
) -> float:
    """MMD^2 = |μ_P - μ_Q|^2, the squared RKHS distance of two distributions' kernel means, from X (n, d) and Y (m, d).

    "unbiased"  U = sum_{i≠j} k(x_i, x_j) / (n(n-1)) + sum_{i≠j} k(y_i, y_j) / (m(m-1)) - 2 sum_ij k(x_i, y_j) / (nm);
                n, m >= 2. Signed and never clipped: negative in about half of the samples where P = Q
    "biased"    V = |μ̂_X - μ̂_Y|^2: i = j kept, divided by n^2 and m^2; too large by (E k(x, x) - E k(x, x')) / n and
                by the same of y / m

    kernel      None is Gaussian(); an automatic bandwidth is the median heuristic on the pooled sample
    estimator   any estimator of a kernel mean in place of the plain average, with the kernel left at None or the one
                given here; what it leaves to choose is chosen on the pooled sample. Weights that are not equal take
                "biased"

    approximation, rank, rng  "cholesky", "nystrom" or "features", of which rank, by which seed: mmd2 under the kernel
                of finite rank that `low_rank` chooses on the pooled sample, in O((n + m) rank^2), for a million points.
                The answer is then a float with an `error`: of landmarks the biased MMD^2 of what they miss of k, on 500
                points of either sample at most, exact where there are no more and else too large on average; of
                "features" a 99 % limit

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
    return Comparison(X, Y, kernel, statistic, estimator, approximation, rank, rng).observed()


def mmd_test(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    statistic: Statistic = "unbiased",
    estimator: Estimator | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
    approximation: Approximation | None = None,
    rank: int | None = None,
) -> TestResult:
    """The permutation test of P = Q by `mmd2`: a TestResult.

    p = (1 + #{null >= observed}) / (1 + B) over B = n_resamples random splits of the pooled sample: exact, P(p <= α) <=
    α for all n, m, B, tied and discrete data included. An int rng gives the same splits to every kernel, bandwidth and
    estimator, and a larger B only appends to the null distribution. O(B (n + m)^2); with weights that depend on the
    split, as those of F-KMSE do, O(B (n^3 + m^3)). With an approximation as in `mmd2`, O((n + m) rank (rank + B)), and
    as exact a test: the kernel of finite rank does not depend on which points are X's.

    >>> import numpy as np
    >>> from explorer import mmd_test
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> result = mmd_test(X, Y, n_resamples=199, rng=0)
    >>> result.pvalue, round(result.statistic, 3), round(result.threshold(0.05), 3)
    (0.005, 0.363, np.float64(0.052))
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    return Comparison(X, Y, kernel, statistic, estimator, approximation, rank, rng).test(n_resamples, rng)


def two_samples(X, Y, kernel=None, at_least=1, purpose=""):
    """The chosen kernel, the pooled points (n + m, d), n and m.

    kernel=None is Gaussian(), its bandwidth the pooled median. Raises ValueError for fewer than `at_least` points a
    sample and for samples of different width, TypeError for text beside numbers.
    """
    kernel = Gaussian() if kernel is None else kernel
    if not isinstance(kernel, Kernel):
        raise TypeError(f"kernel must be a kernel such as Gaussian(1.0), or None, not {checks.shown(kernel)}.")
    X, Y = kernel.points(X), kernel.points(Y, "Y")
    for points, name in ((X, "X"), (Y, "Y")):
        checks.rows(points, f"{name}, {purpose}," if purpose else name, at_least)
    checks.same_dimension(X, Y)
    if (X.dtype.kind in "US") != (Y.dtype.kind in "US"):
        text, other = ("X", "Y") if X.dtype.kind in "US" else ("Y", "X")
        raise TypeError(
            f"{text} holds text and {other} numbers, so no two of their points are alike; give both as one kind."
        )
    P = np.concatenate([X, Y])
    checks.warn_of_lost_digits(P, "X and Y")
    return select(kernel, P), P, len(X), len(Y)


def one_of(value, choices, name):
    """ValueError where `value` is none of `choices`."""
    if value not in choices:
        raise Refusal(f"{name} must be {' or '.join(map(repr, choices))}, not {checks.shown(value)}.")


def gram_of(kernel, P, covariance=None):
    """The centred Gram matrix of the pooled points, stored up to 6000 of them."""
    if len(P) > LARGE:
        return TiledGram(kernel, P, covariance)
    return CentredGram(contrast_gram(kernel, P, covariance))


class Comparison:
    """Two samples, what is compared of them, and how: checked and chosen.

    kernel     chosen; estimator, what it left to choose chosen on the pooled points
    P          the pooled points (n + m, d), X's first
    low        the kernel of finite rank that stands for it, None where none was asked for
    """

    def __init__(self, X, Y, kernel, statistic, estimator, approximation=None, rank=None, rng=0):
        one_of(statistic, ("unbiased", "biased"), "statistic")
        refuse_unknown(approximation)
        refuse_rank_alone(approximation, rank)
        refuse_estimator(estimator, approximation)
        estimator = checked(estimator, kernel, statistic)
        at_least, purpose = (2, "for the unbiased statistic") if statistic == "unbiased" else (1, "")
        kernel = estimator.kernel if kernel is None else kernel
        self.kernel, self.P, self.n, self.m = two_samples(X, Y, kernel, at_least, purpose)
        self.statistic = statistic
        self.estimator, self.means = means(estimator, self.kernel, self.P)
        self.rng = rng
        self.low = None if approximation is None else low_rank(self.kernel, self.P, approximation, rank, rng)

    @property
    def _gram(self):
        if self.low is not None:
            return FeatureGram(self.low, self.P)
        return gram_of(self.kernel, self.P, self.means.covariance)

    def observed(self):
        """mmd2 of the split that the data came in."""
        if not isinstance(self.means, Plain):
            return self.means.observed(self.n)
        return self._plain(self._gram if self.low is None and len(self.P) <= LARGE else None)

    def _plain(self, gram):
        """mmd2 under equal weights; beyond 6000 points each pair is met once instead of twice."""
        scale, covariance = self.means
        if self.low is not None:
            return low_rank_mmd2(self.low, self.P[: self.n], self.P[self.n :], self.statistic, self.rng)
        if len(self.P) > LARGE:
            return scale**2 * tiled_mmd2(self.kernel, self.P, self.n, self.statistic, covariance)
        return scale**2 * float(mmd2_of_splits(gram, observed_split(len(self.P), self.n), self.statistic)[0])

    def test(self, n_resamples, rng, prepared=None):
        """The TestResult; `prepared` are the splits of this rng, where the caller has them for several kernels."""
        if isinstance(self.means, Plain):
            S = splits(len(self.P), self.n, n_resamples, rng) if prepared is None else prepared
            gram, scale = self._gram, self.means.scale
            observed, magnitude = self._plain(gram), scale**2 * gram.magnitude
            null = scale**2 * mmd2_of_splits(gram, S, self.statistic)
        else:
            observed, magnitude = self.means.observed(self.n), self.means.magnitude
            null = self.means.null(self.n, n_resamples, rng)
        tolerance = tie_tolerance(magnitude, self.n, self.m)
        error = getattr(observed, "error", None)
        return TestResult(observed, null, self._name(), self.kernel, self.n, self.m, tolerance, error=error)

    def witness(self):
        """The difference of the two estimates, an Embedding; of scaled plain means, that of the plain means."""
        X, Y = self.P[: self.n], self.P[self.n :]
        if self.low is not None:
            return approximate_mean(self.low, [(1, X), (-1, Y)], self.rng)
        if isinstance(self.means, Plain) and self.means.covariance is None:
            return difference_of_means(self.kernel, X, Y)
        return self.estimator.embed(X) - self.estimator.embed(Y)

    def _name(self):
        estimates = "" if self.estimator.plain else f" of {in_words(self.estimator.replace(kernel=None))}"
        return f"the {self.statistic} MMD²{estimates}"


def difference_of_means(kernel, X, Y):
    """The empirical kernel mean of X (n, d) less that of Y (m, d), an Embedding."""
    return Embedding(kernel, X, np.full(len(X), 1 / len(X))) - Embedding(kernel, Y, np.full(len(Y), 1 / len(Y)))
