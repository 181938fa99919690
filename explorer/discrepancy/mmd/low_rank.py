"""MMD² by a kernel of finite rank: from sums of features, with a limit of its distance from the exact MMD²."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import BATCH
from explorer.kernels.low_rank import FourierFeatures, some_rows
from explorer.kernels.low_rank.fourier import error_limit
from explorer.kernels.low_rank.residual import Residual
from explorer.types import Gram, Mask, Points, Rng, Values, Vector

if TYPE_CHECKING:
    from explorer.estimators import Estimator
    from explorer.kernels.low_rank.finite import FiniteRank


STORED = 2**24  # largest number of entries of stored features, 128 MB; larger ones are computed again for each pass


class Approximate(float):
    """Number that approximates another one, with the size of its `error` and the name of its `approximation`."""

    _error: float | Callable[[], float]
    approximation: str | None

    def __new__(cls, value: float, error: float | Callable[[], float], approximation: str | None = None) -> Approximate:
        """Create the number. `error` is its limit, or a function that computes the limit when it is first read."""
        number = super().__new__(cls, value)
        number._error, number.approximation = error, approximation
        return number

    @property
    def error(self) -> float:
        """Limit of the distance from the approximated number; computed when it is first read."""
        if callable(self._error):
            self._error = float(self._error())
        return self._error

    def __reduce__(self) -> tuple[Any, ...]:
        return Approximate, (float(self), self.error, self.approximation)


class Side(NamedTuple):
    """Sums of a sample's features minus an origin: Σ_i (φ_i - o) and Σ_i (φ_i - o)², (r,) each, over n points."""

    sums: np.ndarray
    squares: np.ndarray
    n: int

    @classmethod
    def of(cls, low: FiniteRank, X: Points, origin: Vector, squares: bool) -> Self:
        """Compute the sums over a sample X (n, d). Without `squares`, those of squares stay 0, which saves time."""
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
        """Return for each feature the mean product of its values at two points i and j of the sample, (r,).

        The origin is subtracted from the features. The mean is over i ≠ j if `less` is 1, over all i and j if it is 0.
        """
        return (self.sums**2 - less * self.squares) / (self.n * (self.n - less))


def terms(low: FiniteRank, X: Points, Y: Points, statistic: str) -> Vector:
    """Return the terms of MMD² under k̂, one for each feature, (r,): their sum is the statistic of X and Y.

    MMD² does not change when an origin is subtracted from all features, and this saves digits.
    """
    less = 1 if statistic == "unbiased" else 0
    some = np.concatenate([Z[some_rows(len(Z), 100, 0)] for Z in (X, Y)])
    origin = low.features(some).mean(axis=0)
    x, y = (Side.of(low, Z, origin, squares=less == 1) for Z in (X, Y))
    return x.within(less) + y.within(less) - 2 * x.sums * y.sums / (x.n * y.n)


def low_rank_mmd2(
    low: FiniteRank, X: Points, Y: Points, statistic: str, rng: Rng, name: str | None = None
) -> Approximate:
    """Compute MMD² of X (n, d) and Y (m, d) under a kernel of finite rank, in O((n + m) r²), as an Approximate number.

    For Landmarks the error is the MMD² of k - k̂, which is a kernel too. It is exact if both samples have at most 1500
    points, otherwise a 99 % limit, see `missing.Missed`. For FourierFeatures it is a 99 % limit, by the statistics of
    each frequency alone and of 2000 further ones, see `fourier.limit`: each of them has the statistic of the kernel as
    its expectation.
    """
    parts = terms(low, X, Y, statistic)
    if isinstance(low, FourierFeatures):
        return Approximate(parts.sum(), lambda: _limit(low, parts, X, Y, statistic), name)
    return Approximate(parts.sum(), lambda: Residual(low, (X, Y), rng).limit(statistic), name)


def _limit(low, parts, X, Y, statistic):
    """Return the 99 % limit of the error of MMD² by random frequencies, whose terms are `parts` (r,)."""
    more = low.more_frequencies(len(X) + len(Y))
    return error_limit(low.by_frequency(parts), more.by_frequency(terms(more, X, Y, statistic)))


class FeatureGram:
    """Centred Gram matrix F F' of features F (N, r), like `CentredGram`, that is never computed; O(N r) a split.

    Features are stored up to 16 million numbers; larger ones are computed again for each pass.
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
        # an upper bound of sum |HKH| and |K|_F, as in TiledGram: |F F'|_F = |F'F|_F
        self.magnitude = (self.N + 2) * float(np.linalg.norm(second))

    def _features(self, part):
        return self.low.features(self.P[part]) if self.stored is None else self.stored[part]

    def forms(self, S: Values | Mask) -> tuple[Vector, Vector]:
        """Return s'HKHs and its diagonal part for splits S (B, N), two arrays (B,)."""
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
    """Raise a Refusal if an estimator with unequal weights is combined with a kernel of finite rank."""
    if approximation is not None and estimator is not None and not getattr(estimator, "plain", True):
        raise Refusal(
            f"approximation={approximation!r} compares plain averages, and the estimator is"
            f" {type(estimator).__name__}; leave estimator at None, or approximation."
        )
