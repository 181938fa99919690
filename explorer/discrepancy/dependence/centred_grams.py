"""Two sides of HSIC: centred Gram matrices, stored or computed on demand, and the sums of one pairing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, overload

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import SLACK, centred
from explorer.discrepancy.resampling.tiled_gram import ENTRIES, LARGE, between, contrast, contrast_gram
from explorer.linalg import frobenius, pivoted_cholesky, symmetrise
from explorer.types import Gram, Matrix, Points, Values, Vector

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel
    from explorer.linalg import PivotedCholesky


MOST = 1e150  # largest norm of a Gram matrix at which sums of products over all pairs do not overflow
DIAGONAL = 64  # number of points in a kernel matrix that is computed for its diagonal: little waste, few calls


class StoredGram:
    """Centred Gram matrix A = HKH (n, n) of one side, H = I - 11'/n; symmetric to the last digit.

    It has the `diagonal` (n,) and the `trace` of A, and `size` = ``|K|_F``, against which the rounding of K's entries
    is measured.
    """

    n: int
    size: float
    diagonal: Values
    trace: float

    def __init__(self, K: Gram) -> None:
        self.n, self.size = len(K), frobenius(K)
        self.A = symmetrise(centred(K))
        self.diagonal = np.diag(self.A).copy()
        self.trace = float(self.diagonal.sum())

    def parts(self) -> list[slice]:
        """Return the slices of rows in which the matrix is read."""
        return [slice(0, self.n)]

    def rows(self, part: slice) -> Matrix:
        """Return some rows of the matrix."""
        return self.A[part]

    def factor(self, most: int) -> Matrix | None:
        """Return F (n, r) with FF' = A up to rounding and r < most, or None for a larger rank. Its columns sum to 0."""
        factor = pivoted_cholesky(self.diagonal, self.A.__getitem__, most)
        return factor.F - factor.F.mean(axis=0) if len(factor.pivots) < most else None


class TiledSide:
    """Centred Gram matrix like `StoredGram`, with rows computed on demand: O(n) memory plus a block of rows."""

    kernel: Any
    n: int
    constant: float
    diagonal: Any
    trace: float
    size: float
    original: Kernel
    covariance: Matrix | None
    mean: Vector

    def __init__(self, kernel: Kernel, X: Points, covariance: Matrix | None = None) -> None:
        self.original, self.kernel = kernel, contrast(kernel, X, covariance)
        self.X, self.covariance, self.n = X, covariance, len(X)
        self.constant, self.mean, diagonal, size = 0.0, np.zeros(self.n), np.empty(self.n), 0.0
        # subtracting a constant from k changes nothing, and saves digits if k is nearly constant
        self.constant = float(self._raw(self.parts()[0]).mean())
        for part in self.parts():
            K = self._raw(part)
            size = math.hypot(size, frobenius(K))
            self.mean[part] = K.mean(axis=1)
            diagonal[part] = np.diagonal(K, part.start)
        self.diagonal = diagonal - 2 * self.mean + self.mean.mean()
        self.trace = float(self.diagonal.sum())
        self.size = size + self.n * abs(self.constant)

    def parts(self) -> list[slice]:
        """Return the slices of rows in which the matrix is read."""
        rows = max(1, ENTRIES // self.n)
        return [slice(start, min(start + rows, self.n)) for start in range(0, self.n, rows)]

    def rows(self, part: slice) -> Matrix:
        """Return some rows of the matrix."""
        return self._raw(part) - self.mean[part, None] - self.mean + self.mean.mean()

    def _raw(self, part):
        return between(self.kernel, self.X[part], self.X, self.covariance) - self.constant

    def factor(self, most: int) -> Matrix | None:
        """Return F (n, r) with FF' = the centred matrix up to rounding and r < most, or None for a larger rank."""
        factor = cholesky_of(self.original, self.X, self.covariance, most)
        return factor.F - factor.F.mean(axis=0) if len(factor.pivots) < most else None


Centred: TypeAlias = StoredGram | TiledSide  # one side of HSIC


def cholesky_of(
    kernel: Kernel, X: Points, covariance: Matrix | None = None, rank: int | None = None
) -> PivotedCholesky:
    """Return the pivoted Cholesky factor of the Gram matrix of X (n, d) under the kernel or its `contrast`.

    The matrix is never computed: O(n rank) memory. After centring, both kernels have the same factor.
    """
    kernel = contrast(kernel, X, covariance)
    starts = range(0, len(X), DIAGONAL)
    blocks = (X[i : i + DIAGONAL] for i in starts)
    diagonal = np.concatenate([np.diag(between(kernel, Z, Z, covariance)) for Z in blocks])
    return pivoted_cholesky(diagonal, lambda i: between(kernel, X, X[i : i + 1], covariance)[:, 0], rank)


def side(kernel: Kernel, X: Points, covariance: Matrix | None = None) -> Centred:
    """Return the centred Gram matrix of X (n, d), each point carrying N(0, covariance); stored up to 6000 points."""
    if len(X) > LARGE:
        return TiledSide(kernel, X, covariance)
    return StoredGram(contrast_gram(kernel, X, covariance))


def refuse_too_large(*sides: Centred) -> None:
    """Raise a Refusal if sums of products of the two sides' entries, or of one side's squares, may overflow."""
    for each in sides:
        if not each.size < MOST:
            raise Refusal(
                f"a kernel's values at {each.n} points are so large that sums of their products overflow; divide"
                " the points of that side by a common number."
            )


class PairSums(NamedTuple):
    """Sums of the given pairing of two sides.

    They are whole = Σ_ij A_ij B_ij, diagonal = Σ_i A_ii B_ii, and squares = ``(|A|_F^2, |B|_F^2)``. `tolerance` is the
    largest difference that rounding may leave between equal values of `whole`: 64 eps times the magnitudes that it
    sums, by Cauchy and Schwarz ``|A| |B|`` for any pairing, and as much for the entries of K and L.
    """

    whole: float
    diagonal: float
    squares: tuple[float, float]
    tolerance: float

    @classmethod
    @np.errstate(over="ignore", invalid="ignore")  # `refuse_too_large` raises the error when a sum is requested
    def of(cls, x: Centred, y: Centred) -> Self:
        """Compute the sums of two sides."""
        whole = xx = yy = 0.0
        for part in x.parts():
            A, B = x.rows(part), y.rows(part)
            whole, xx, yy = whole + float(np.vdot(A, B)), xx + float(np.vdot(A, A)), yy + float(np.vdot(B, B))
        a, b = math.sqrt(xx), math.sqrt(yy)
        return cls(whole, float(x.diagonal @ y.diagonal), (xx, yy), SLACK * (a * b + x.size * b + a * y.size))


@overload
def of_sums(whole: float, diagonal: float, traces: float, n: float, statistic: str) -> float: ...
@overload
def of_sums(whole: Vector, diagonal: Vector, traces: Vector | float, n: float, statistic: str) -> Vector: ...
def of_sums(
    whole: float | Vector, diagonal: float | Vector, traces: float | Vector, n: float, statistic: str
) -> float | Vector:
    """Return HSIC from Σ_ij A_ij B_ij and Σ_i A_ii B_ii of pairings, numbers or arrays (B,), and traces = tr A tr B.

    Biased: whole / n^2. Unbiased (Song et al. 2012) is Σ_ij U(K)_ij U(L)_ij / (n(n-3)), U the centring that leaves the
    diagonal out. It is the same for K and A, and A has row sums 0, so it is
    (whole - diagonal n/(n-2) + traces / ((n-1)(n-2))) / (n(n-3)).
    """
    if statistic == "biased":
        return whole / n**2
    return (whole - diagonal * (n / (n - 2)) + traces / ((n - 1) * (n - 2))) / (n * (n - 3))
