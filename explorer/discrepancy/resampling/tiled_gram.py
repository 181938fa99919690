"""MMD² without a stored Gram matrix: exact for 100,000 points and more in a few hundred MB."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from explorer.execution.processors import limit_threads, side_by_side
from explorer.kernels.bandwidth_selection import LARGE as LARGE
from explorer.kernels.bandwidth_selection import part_of as part_of
from explorer.kernels.bandwidth_selection import select as select
from explorer.kernels.low_rank.automatic import values_take
from explorer.linalg import frobenius
from explorer.types import Gram, Labels, Mask, Matrix, Points, Values, Vector, Weights

from .permutation import BATCH, refuse_too_large

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel
    from explorer.kernels.subsequence.kernel import Subsequence

T = TypeVar("T")

TILE = 1024  # number of rows and columns of a tile: 8 MB
ENTRIES = 2**24  # number of entries in memory if tiles are rows: 128 MB
PIECE = 2**21  # number of entries in a thread's block of rows; a thread holds a few arrays of this size


def between(kernel: Kernel, A: Labels, B: Labels, covariance: Matrix | None = None) -> Matrix:
    """Return k(a_i, b_j), shape (n, m), or its expectation under Gaussian noise on every point."""
    if covariance is not None:
        return kernel.expected(A, covariance, B, covariance)
    return kernel(A) if A is B else kernel(A, B)


def contrast(kernel: Kernel, P: Points, covariance: Matrix | None = None) -> Kernel:
    """Return ``Kernel.contrast``: a kernel that gives the same values for weights of sum zero on the points P.

    Parameters
    ----------
    kernel : Kernel
        Kernel with all parameters chosen.
    P : ndarray of shape (N, d)
        Points.
    covariance : ndarray of shape (d, d) or None, default None
        Covariance of the Gaussian that each point carries.

    Returns
    -------
    Kernel
        The kernel to use in its place.
    """
    return kernel.contrast(P, 0.0 if covariance is None else float(np.trace(covariance)))


def contrast_gram(kernel: Kernel, P: Points, covariance: Matrix | None = None) -> Gram:
    """Return the Gram matrix of the kernel's `contrast`.

    Parameters
    ----------
    kernel : Kernel
        Kernel with all parameters chosen.
    P : ndarray of shape (N, d)
        Points.
    covariance : ndarray of shape (d, d) or None, default None
        Covariance of the Gaussian that each point carries.

    Returns
    -------
    ndarray of shape (N, N)
        The Gram matrix.
    """
    return between(contrast(kernel, P, covariance), P, P, covariance)


@limit_threads
def renewed_gram(kernel: Subsequence, K: Gram, P: Labels, count: int) -> Gram:
    """Update the Gram matrix of points after the last `count` of them have changed.

    It takes O(count N) values of the kernel, for kernels whose values take long.

    Parameters
    ----------
    kernel : Kernel
        Kernel of the Gram matrix.
    K : ndarray of shape (N, N)
        Gram matrix of the points before the change.
    P : array_like of shape (N, d)
        Points after the change.
    count : int
        Number of points at the end that may have changed.

    Returns
    -------
    ndarray of shape (N, N)
        Gram matrix of P, read-only.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.discrepancy import renewed_gram
    >>> kernel, P = Gaussian(1.0), np.array([[0.0], [1.0], [2.0]])
    >>> K = kernel(P)
    >>> P[-1] = 0.0
    >>> renewed_gram(kernel, K, P, count=1).round(3).tolist()
    [[1.0, 0.607, 1.0], [0.607, 1.0, 0.607], [1.0, 0.607, 1.0]]
    """
    if count == 0:
        return K
    K, first = K.copy(), len(P) - count
    if first:
        K[:first, first:] = kernel(P[:first], P[first:])
        K[first:, :first] = K[:first, first:].T
    K[first:, first:] = kernel(P[first:])
    K.setflags(write=False)
    return K


def tiled_mmd2(
    kernel: Kernel, P: Points, n: int, statistic: str = "unbiased", covariance: Matrix | None = None, tile: int = TILE
) -> float:
    """Compute MMD² between the first n points of P (N, d) and the others, exactly, in O(tile^2) memory.

    It takes O(N^2) values of the kernel. U = sum_{i≠j} k(x_i, x_j) / (n(n-1)) + sum_{i≠j} k(y_i, y_j) / (m(m-1)) - 2
    sum_ij k(x_i, y_j) / (nm); "biased" includes i = j and divides by n^2 and m^2. Each pair of tiles is computed once.
    U and V do not change when a constant is subtracted from k, which saves digits, nor when `contrast` replaces k.
    Tiles are summed pairwise and their sums added exactly.
    """
    seconds = values_take(kernel, len(P) ** 2 / 2, P.shape[1])
    kernel = contrast(kernel, P, covariance)
    N, parts = len(P), {(0, 0): [], (0, 1): [], (1, 1): []}
    bounds = [
        (side, start, min(start + tile, stop))
        for side, (low, stop) in enumerate(((0, n), (n, N)))
        for start in range(low, stop, tile)
    ]

    def values(a, b):
        """Return the kernel between the rows of two tiles."""
        (_, start, stop), (_, low, high) = bounds[a], bounds[b]
        A = P[start:stop]
        K = between(kernel, A, A if a == b else P[low:high], covariance)
        refuse_too_large(N / tile * frobenius(K), N)
        return K

    constant = values(0, 0).mean()

    def sums(pair):
        """Return which samples two tiles belong to, as 0 or 1, and the sum of the kernel between their rows.

        The sum is doubled for different tiles, as they occur twice in the matrix. It leaves out i = j if the statistic
        is unbiased.
        """
        a, b = pair
        K = values(a, b) - constant
        if a == b and statistic == "unbiased":
            np.fill_diagonal(K, 0.0)
        return (bounds[a][0], bounds[b][0]), (1 if a == b else 2) * K.sum()

    pairs = list(itertools.combinations_with_replacement(range(len(bounds)), 2))
    for key, total in side_by_side(sums, pairs, seconds):
        parts[key].append(total)
    xx, xy, yy = (math.fsum(parts[key]) for key in ((0, 0), (0, 1), (1, 1)))
    m, less = N - n, 1 if statistic == "unbiased" else 0
    return xx / (n * (n - less)) + yy / (m * (m - less)) - xy / (n * m)


class TiledGram:
    """Centred Gram matrix like `CentredGram`, with rows computed on demand: two passes for 1000 splits."""

    kernel: Any
    constant: Any
    size: Any
    magnitude: Any
    seconds: float
    covariance: Matrix | None
    rows: int
    shares: Weights | None
    mean: Vector
    diagonal: Vector

    def __init__(
        self,
        kernel: Kernel,
        P: Points,
        covariance: Matrix | None = None,
        rows: int | None = None,
        weights: Weights | None = None,
    ) -> None:
        self.kernel, self.P, self.covariance = contrast(kernel, P, covariance), P, covariance
        self.N, self.constant = len(P), 0.0
        self.seconds = values_take(kernel, self.N**2, P.shape[1])  # time of all values, in seconds
        self.rows = max(1, PIECE // self.N) if rows is None else rows
        self.shares = None if weights is None else weights / weights.sum()
        self.constant = self._less_constant(self._parts()[0]).mean()
        means, diagonals, sizes = zip(*self._of_rows(self._summary), strict=True)
        self.mean, size = np.concatenate(means), math.hypot(*sizes)
        self.diagonal = np.concatenate(diagonals) - 2 * self.mean + self._mean(self.mean)
        # an upper bound of sum |HKH| and |K|_F: a sum of magnitudes is at most N times the Frobenius norm
        refuse_too_large(size, self.N)
        self.size = size + self.N * abs(self.constant)
        self.magnitude = (self.N + 1) * size + self.N * abs(self.constant)

    def _parts(self):
        return [slice(start, min(start + self.rows, self.N)) for start in range(0, self.N, self.rows)]

    def _of_rows(self, function: Callable[[slice, Matrix], T]) -> Iterator[T]:
        """Yield function(part, K) for all parts of the rows in order, where K has the constant subtracted."""
        return side_by_side(lambda part: function(part, self._less_constant(part)), self._parts(), self.seconds)

    def _summary(self, part, K):
        """Return the means of some rows of the matrix, their part of the diagonal, and their norm."""
        return self._mean(K), np.diagonal(K, part.start).copy(), frobenius(K)

    def _less_constant(self, part):
        return between(self.kernel, self.P[part], self.P, self.covariance) - self.constant

    def _mean(self, values):
        """Return the mean along the last axis, weighted if rows have weights."""
        return values.mean(axis=-1) if self.shares is None else values @ self.shares

    def forms(self, S: Values | Mask) -> Matrix:
        """Return the quadratic forms of splits S (B, N) and their diagonal parts, as `CentredGram.forms` does."""
        wide = max(BATCH, ENTRIES // self.N)
        return np.concatenate([self._forms(S[start : start + wide]) for start in range(0, len(S), wide)], axis=1)

    def _forms(self, S):
        s = S.astype(np.float64)
        diagonal = s @ self.diagonal
        # centre s as K is centred: the rows of K sum to 0 up to rounding only
        s -= s.mean(axis=1)[:, None] if self.shares is None else np.outer(s.sum(axis=1), self.shares)

        def form(part, K):
            K -= self.mean[part, None]
            K -= self.mean
            return np.einsum("bi,bi->b", s @ K.T, s[:, part])

        return sum(self._of_rows(form), np.zeros(len(s))), diagonal
