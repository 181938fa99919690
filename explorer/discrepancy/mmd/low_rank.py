"""MMD^2 by a kernel of finite rank: from sums of features, and how far it is from that of the kernel itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import BATCH
from explorer.kernels.low_rank import FourierFeatures, some_rows
from explorer.kernels.low_rank.fourier import limit
from explorer.kernels.low_rank.missing import Missed
from explorer.types import Gram, Mask, Points, Rng, Values, Vector

if TYPE_CHECKING:
    from explorer.estimators import Estimator
    from explorer.kernels.low_rank.finite import FiniteRank


STORED = 2**24  # numbers that features may take to be stored, 128 MB; more are made again for each pass


class Approximate(float):
    """A number that approximates another one, by how much, its `error`, and by what, its `approximation`."""

    _error: float | Callable[[], float]
    approximation: str | None

    def __new__(cls, value: float, error: float | Callable[[], float], approximation: str | None = None) -> Approximate:
        number = super().__new__(cls, value)
        number._error, number.approximation = error, approximation
        return number

    @property
    def error(self) -> float:
        """How far the number is from the one that it approximates; measured where it is first read."""
        if callable(self._error):
            self._error = float(self._error())
        return self._error

    def __reduce__(self) -> tuple[Any, ...]:
        return Approximate, (float(self), self.error, self.approximation)


class Side(NamedTuple):
    """What a sample's features sum to, less an origin: Σ_i (φ_i - o) and Σ_i (φ_i - o)², (r,) each, of n points."""

    sums: np.ndarray
    squares: np.ndarray
    n: int

    @classmethod
    def of(cls, low: FiniteRank, X: Points, origin: Vector, squares: bool) -> Self:
        """Of a sample X (n, d); where no squares are asked for, sums are quicker."""
        ones = np.ones(len(X))
        if not squares:
            return cls(low.sum_features(X, ones) - len(X) * origin, np.zeros(low.rank), len(X))
        first, second = np.zeros(low.rank), np.zeros(low.rank)
        for part in low.parts(len(X)):
            F = low.features(X[part]) - origin
            first += F.sum(axis=0)
            second += np.einsum("ij,ij->j", F, F)
        return cls(first, second, len(X))

    def within(self, less: int) -> Vector:
        """The mean over pairs of the sample, feature by feature, (r,): over i ≠ j where 1 is `less`, all where 0."""
        return (self.sums**2 - less * self.squares) / (self.n * (self.n - less))


def terms(low: FiniteRank, X: Points, Y: Points, statistic: str) -> Vector:
    """The terms of MMD^2 under k̂, one for each feature, (r,): their sum is the statistic of X and Y.

    MMD^2 does not change when an origin is taken off all features, and digits are saved.
    """
    less = 1 if statistic == "unbiased" else 0
    some = np.concatenate([Z[some_rows(len(Z), 100, 0)] for Z in (X, Y)])
    origin = low.features(some).mean(axis=0)
    x, y = (Side.of(low, Z, origin, squares=less == 1) for Z in (X, Y))
    return x.within(less) + y.within(less) - 2 * x.sums * y.sums / (x.n * y.n)


def low_rank_mmd2(
    low: FiniteRank, X: Points, Y: Points, statistic: str, rng: Rng, name: str | None = None
) -> Approximate:
    """MMD^2 of X (n, d) and Y (m, d) under a kernel of finite rank, in O((n + m) r²): an Approximate number.

    Of Landmarks the error is the MMD^2 of k - k̂, a kernel too: exact where both samples have 1500 points at most, and
    else a 99 % limit, see `missing.Missed`. Of FourierFeatures it is a 99 % limit, by the statistics of each
    frequency alone and of 2000 further ones, see `fourier.limit`: each has that of the kernel as its expectation.
    """
    parts = terms(low, X, Y, statistic)
    if isinstance(low, FourierFeatures):
        return Approximate(parts.sum(), lambda: _limit(low, parts, X, Y, statistic), name)
    return Approximate(parts.sum(), lambda: Missed(low, (X, Y), rng).limit(statistic), name)


def _limit(low, parts, X, Y, statistic):
    """The 99 % limit of the error of MMD^2 by random frequencies, whose terms are `parts` (r,)."""
    more = low.further(len(X) + len(Y))
    return limit(low.by_frequency(parts), more.by_frequency(terms(more, X, Y, statistic)))


class FeatureGram:
    """What a CentredGram does, for a Gram matrix F F' of features F (N, r) that is never made; O(N r) a split.

    Features are stored up to 16 million numbers, and made again for each pass where there are more.
    """

    stored: Gram | None
    mean: Values | Any
    magnitude: float
    low: FiniteRank

    def __init__(self, low: FiniteRank, P: Points) -> None:
        self.low, self.P, self.N = low, P, len(P)
        self.stored = low.features(P) if self.N * low.rank <= STORED else None
        total, second, squares = np.zeros(low.rank), np.zeros((low.rank, low.rank)), np.empty(self.N)
        for part in low.parts(self.N):
            F = self._features(part)
            total += F.sum(axis=0)
            second += F.T @ F
        self.mean = total / self.N
        for part in low.parts(self.N):
            squares[part] = np.square(self._features(part) - self.mean).sum(axis=1)
        self.diagonal = squares
        # sum |HKH| and |K|_F, or more, as of a TiledGram: |F F'|_F = |F'F|_F
        self.magnitude = (self.N + 2) * float(np.linalg.norm(second))

    def _features(self, part):
        return self.low.features(self.P[part]) if self.stored is None else self.stored[part]

    def forms(self, S: Values | Mask) -> tuple[Vector, Vector]:
        """s'HKHs and its diagonal's part for splits S (B, N): two arrays (B,)."""
        sums, diagonal = np.zeros((len(S), self.low.rank)), np.zeros(len(S))
        for part in self.low.parts(self.N):
            F = self._features(part) - self.mean
            for start in range(0, len(S), BATCH):
                rows = slice(start, start + BATCH)
                s = S[rows, part].astype(np.float64)
                sums[rows] += s @ F
                diagonal[rows] += s @ self.diagonal[part]
        return np.einsum("br,br->b", sums, sums), diagonal


def refuse_estimator(estimator: Estimator | None, approximation: str | None) -> None:
    """A sentence where weights that are not equal are to meet a kernel of finite rank."""
    if approximation is not None and estimator is not None and not getattr(estimator, "plain", True):
        raise Refusal(
            f"approximation={approximation!r} compares plain averages, and the estimator is"
            f" {type(estimator).__name__}; leave estimator at None, or approximation."
        )
