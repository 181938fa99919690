"""Ways to compute MMD² of two samples and of other splits of their rows. A test chooses one of them, once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from explorer.discrepancy.resampling.groups import describe_permutations
from explorer.discrepancy.resampling.permutation import (
    CentredGram,
    PooledGram,
    mmd2_of_splits,
    observed_split,
    splits,
    tie_tolerance,
)
from explorer.discrepancy.resampling.row_blocks import RowBlocks
from explorer.discrepancy.resampling.tiled_gram import LARGE, TiledGram, contrast_gram, tiled_mmd2
from explorer.embeddings import Embedding
from explorer.embeddings.low_rank import approximate_mean
from explorer.kernels.low_rank.residual import Residual
from explorer.printing import model_text
from explorer.types import Mask, Matrix, Points, Rng, Rows, Vector, Weights

from .low_rank import Approximate, FeatureGram, low_rank_mmd2
from .mean_estimators import Weighted
from .row_weights import least_sums, refuse_few, weighted_mmd2, weighted_tolerance
from .small_samples import least_pvalue, relabellings

if TYPE_CHECKING:
    from explorer.estimators.base import Estimator
    from explorer.kernels import Kernel
    from explorer.kernels.low_rank import FiniteRank


def gram_of(
    kernel: Kernel, P: Points, covariance: Matrix | None = None, weights: Weights | None = None
) -> CentredGram | TiledGram:
    """Return the centred Gram matrix of the pooled points, stored up to 6000 points; weights (N,) weight its mean."""
    if len(P) > LARGE:
        return TiledGram(kernel, P, covariance, weights=weights)
    return CentredGram(contrast_gram(kernel, P, covariance), weights)


def difference_of_means(kernel: Kernel, X: Points, Y: Points) -> Embedding:
    """Return the empirical kernel mean of X (n, d) minus that of Y (m, d) as an Embedding."""
    return Embedding(kernel, X, np.full(len(X), 1 / len(X))) - Embedding(kernel, Y, np.full(len(Y), 1 / len(Y)))


@dataclass(frozen=True, eq=False)
class PooledRows:
    """Rows of two samples, with what every way to compare them uses.

    Attributes
    ----------
    kernel : Kernel
        The chosen kernel.
    P : ndarray of shape (n + m, d)
        The pooled points, the first sample's first.
    n : int
        Number of rows of the first sample.
    groups : ndarray of shape (n + m,) or None
        Whole numbers, one for each group within which rows are permuted; None if all rows form one group.
    statistic : {"unbiased", "biased"}
        Estimate of MMD².
    """

    kernel: Kernel
    P: Points
    n: int
    groups: Rows | None
    statistic: str

    @property
    def m(self) -> int:
        """Number of rows of the second sample."""
        return len(self.P) - self.n

    @property
    def X(self) -> Points:
        """The first sample's points, shape (n, d)."""
        return self.P[: self.n]

    @property
    def Y(self) -> Points:
        """The second sample's points, shape (m, d)."""
        return self.P[self.n :]

    @property
    def ways(self) -> int:
        """Number of ways to choose the rows of the first sample, within groups if there are any."""
        return relabellings(self.n, self.m, self.groups)

    def split(self) -> Mask:
        """Return the observed split, shape (1, n + m)."""
        return observed_split(len(self.P), self.n)

    def splits(self, count: int, rng: Rng) -> Mask:
        """Return random splits, shape (count, n + m)."""
        return splits(len(self.P), self.n, count, rng, self.groups)

    def mmd2(self, gram: PooledGram) -> float:
        """Return MMD² of the observed split under equal weights."""
        return float(mmd2_of_splits(gram, self.split(), self.statistic)[0])

    def tolerance(self, magnitude: float) -> float:
        """Return the largest difference of two equal values of MMD²."""
        return tie_tolerance(magnitude, self.n, self.m)

    def describe_resamples(self, count: int) -> str:
        """Return the name of `count` random splits."""
        if self.groups is None:
            return "permutations"
        return describe_permutations(self.groups, self.ways, least_pvalue(self.n, self.m, self.groups), count)


class Outcome(NamedTuple):
    """Result of a test: MMD², that of the resamples (B,), and the difference below which values are ties.

    `resamples` names the resamples, or is "" for splits of rows. `error` is a limit of the distance of the observed
    value from the exact one, or None if the kernel itself is compared.
    """

    observed: float
    null: Vector
    tolerance: float
    resamples: str = ""
    error: float | None = None


class MeanDifference(Protocol):
    """Interface of a way to compare two samples by the distance of estimates of their kernel means."""

    @property
    def estimates(self) -> str:
        """Name of the estimates that are compared, as a part of the statistic's name; "" for plain means."""
        ...

    def observed(self) -> float:
        """Return MMD² of the two samples."""
        ...

    def test(self, n_resamples: int, rng: Rng, prepared: Mask | None) -> Outcome:
        """Return MMD² of the two samples and of random splits.

        `prepared` are the splits of this rng, if the caller has them; only plain means use them.
        """
        ...

    def witness(self) -> Embedding:
        """Return the difference of the two estimates."""
        ...


@dataclass(frozen=True, eq=False)
class PlainMeans:
    """Means of equal weights, `scale` / n each: MMD² is scale² times that of the averages.

    Points carry Gaussian noise if `covariance` (d, d) is given. Beyond 6000 points each pair is computed once instead
    of twice.
    """

    rows: PooledRows
    estimator: Estimator
    scale: float
    covariance: Matrix | None

    @property
    def estimates(self) -> str:
        """The estimator, unless it is the plain mean."""
        return "" if self.estimator.plain else estimates_of(self.estimator)

    def observed(self) -> float:
        """Return MMD² of the two samples."""
        return self._tiled() if self._is_large else self._stored(self._gram())

    def test(self, n_resamples: int, rng: Rng, prepared: Mask | None) -> Outcome:
        """Return MMD² of the two samples and of random splits."""
        S = self.rows.splits(n_resamples, rng) if prepared is None else prepared
        gram = self._gram()
        observed = self._tiled() if self._is_large else self._stored(gram)
        null = self.scale**2 * mmd2_of_splits(gram, S, self.rows.statistic)
        return Outcome(observed, null, self.rows.tolerance(self.scale**2 * gram.magnitude))

    def witness(self) -> Embedding:
        """Return the difference of the two estimates; scaled plain means count as plain."""
        rows = self.rows
        if self.covariance is None:
            return difference_of_means(rows.kernel, rows.X, rows.Y)
        return self.estimator.embed(rows.X) - self.estimator.embed(rows.Y)

    @property
    def _is_large(self):
        return len(self.rows.P) > LARGE

    def _gram(self):
        return gram_of(self.rows.kernel, self.rows.P, self.covariance)

    def _stored(self, gram):
        return self.scale**2 * self.rows.mmd2(gram)

    def _tiled(self):
        rows = self.rows
        return self.scale**2 * tiled_mmd2(rows.kernel, rows.P, rows.n, rows.statistic, self.covariance)


@dataclass(frozen=True, eq=False)
class LowRankMeans:
    """Plain means under a kernel of finite rank, chosen with the seed `rng` and named by `approximation`."""

    rows: PooledRows
    low: FiniteRank
    rng: Rng
    approximation: str | None
    estimates = ""

    def observed(self) -> Approximate:
        """Return MMD² of the two samples, with its error."""
        rows = self.rows
        return low_rank_mmd2(self.low, rows.X, rows.Y, rows.statistic, self.rng, self.approximation)

    def test(self, n_resamples: int, rng: Rng, prepared: Mask | None) -> Outcome:
        """Return MMD² of the two samples and of random splits of their rows."""
        rows = self.rows
        S = rows.splits(n_resamples, rng) if prepared is None else prepared
        gram, observed = FeatureGram(self.low, rows.P), self.observed()
        null = mmd2_of_splits(gram, S, rows.statistic)
        return Outcome(observed, null, rows.tolerance(gram.magnitude), error=observed.error)

    def witness(self) -> Embedding:
        """Return the difference of the two means."""
        return approximate_mean(self.low, [(1, self.rows.X), (-1, self.rows.Y)], self.rng)


@dataclass(frozen=True, eq=False)
class BlockMeans(LowRankMeans):
    """Plain means under a kernel of finite rank, with whole blocks of random rows permuted if there are many rows."""

    def test(self, n_resamples: int, rng: Rng, prepared: Mask | None) -> Outcome:
        """Return MMD² of the two samples and of random splits of their blocks."""
        samples, statistic = (self.rows.X, self.rows.Y), self.rows.statistic
        blocks = RowBlocks.of(self.low, samples, rng)
        observed, null, tolerance = blocks.test(statistic, n_resamples, rng)
        error = Residual(self.low, samples, self.rng).limit(statistic)
        return Outcome(observed, null, tolerance, blocks.resamples, error)


@dataclass(frozen=True, eq=False)
class WeightedMeans:
    """Means of rows with weights (n + m,), all above 0, which stay with their rows in every split."""

    rows: PooledRows
    weights: Weights
    estimates = " of weighted rows"

    def observed(self) -> float:
        """Return MMD² of the two samples."""
        return self._value(self._gram())

    def test(self, n_resamples: int, rng: Rng, prepared: Mask | None) -> Outcome:
        """Return MMD² of the two samples and of random splits."""
        rows = self.rows
        refuse_few(least_sums(self.weights, rows.n, rows.groups), rows.statistic, " in one of the permutations")
        S = rows.splits(n_resamples, rng)
        gram = self._gram()
        tolerance = weighted_tolerance(gram, S, self.weights, rows.statistic)
        return Outcome(self._value(gram), weighted_mmd2(gram, S, self.weights, rows.statistic), tolerance)

    def witness(self) -> Embedding:
        """Return the difference of the averages."""
        return difference_of_means(self.rows.kernel, self.rows.X, self.rows.Y)

    def _gram(self):
        return gram_of(self.rows.kernel, self.rows.P, weights=self.weights)

    def _value(self, gram):
        rows = self.rows
        refuse_few((self.weights[: rows.n].sum(), self.weights[rows.n :].sum()), rows.statistic)
        return float(weighted_mmd2(gram, rows.split(), self.weights, rows.statistic)[0])


@dataclass(frozen=True, eq=False)
class EstimatedMeans:
    """Means whose weights are estimated anew in each split."""

    rows: PooledRows
    estimator: Estimator
    weighted: Weighted

    @property
    def estimates(self) -> str:
        """The estimator."""
        return estimates_of(self.estimator)

    def observed(self) -> float:
        """Return MMD² of the two samples."""
        return self.weighted.observed(self.rows.n)

    def test(self, n_resamples: int, rng: Rng, prepared: Mask | None) -> Outcome:
        """Return MMD² of the two samples and of random splits."""
        n, tolerance = self.rows.n, self.rows.tolerance(self.weighted.magnitude)
        return Outcome(self.observed(), self.weighted.null(n, n_resamples, rng, self.rows.groups), tolerance)

    def witness(self) -> Embedding:
        """Return the difference of the two estimates."""
        return self.estimator.embed(self.rows.X) - self.estimator.embed(self.rows.Y)


def estimates_of(estimator: Estimator) -> str:
    """Return the estimator for a statistic's name, without its kernel."""
    return f" of {model_text(estimator.replace(kernel=None))}"
