"""Many copies of a paired sample at once: pairs with their sides swapped, or the pooled points paired at random.

Each copy has its own ψ_n. The algorithms need three quantities of them, computed as products of matrices for all copies
at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from explorer.discrepancy.resampling.permutation import SLACK
from explorer.estimators.medianofmeans.blocks import block_sizes
from explorer.types import Gram, Matrix, Rows, Values, Vector

BATCH = 2**22  # number of entries in one array of coefficients: 32 MB


class Flipped:
    """Copies with ψ_n = s_n (k(x_n, .) - k(y_n, .)) for signs s (b, N), a row for each copy.

    D (N, N) is the Gram matrix of the given pairs' differences. `lengths` are ``|ψ_n|``, (1, N), which no sign changes.
    The rounding of sums of inner products is measured against them.
    """

    n: int
    count: int
    signs: Matrix
    lengths: Matrix

    def __init__(self, D: Matrix, signs: Matrix | None = None) -> None:
        self.D, self.n = D, len(D)
        self.signs = np.ones((1, self.n)) if signs is None else signs
        self.count = len(self.signs)
        self.lengths = np.sqrt(np.maximum(D.diagonal(), 0.0))[None]
        self._rows = np.empty((0, self.n))

    def inner(self, copies: Rows, rows: Rows) -> Matrix:
        """Return <sum of ψ over rows, ψ_n> for all n in the copies numbered `copies` (c,), shape (c, N)."""
        signs = self.signs[copies]
        return signs * (signs[:, rows] @ self._taken(rows))

    def _taken(self, rows):
        """Return D[rows], in memory that is reused from block to block.

        Allocating a megabyte each time takes as long as filling it.
        """
        if len(self._rows) < len(rows):
            self._rows = np.empty((len(rows), self.n))
        return self.D.take(rows, axis=0, out=self._rows[: len(rows)], mode="clip")

    def squares(self, rows: Rows) -> Vector:
        """Return ``|sum of ψ over rows|^2`` in each copy, (b,)."""
        rows = np.sort(rows)  # reading the entries in memory order halves the time
        signs, inside = self.signs[:, rows], self.D[rows[:, None], rows]
        return ((signs @ inside) * signs).sum(axis=1)

    def grams(self, order: Rows, starts: Rows) -> Iterator[Any]:
        """Yield the inner products of the means of the blocks of `order`, in batches (c, Q, Q) of copies."""
        return _grams(self.D, self, order, starts, lambda copies, means: self.signs[copies, None, :] * means)


class RandomlyPaired:
    """Copies with ψ_n = k(z_first, .) - k(z_second, .) for pooled points z, from their Gram matrix K (2N, 2N).

    `first` and `second` (b, N) are row numbers: the first and second half of a permutation of the 2N points. `lengths`
    are ``|ψ_n|`` in each copy, (b, N).
    """

    first: Rows
    second: Rows
    count: Any
    n: Any
    lengths: Matrix

    def __init__(self, K: Gram, first: Rows, second: Rows) -> None:
        self.K, self.first, self.second = K, first, second
        self.count, self.n = first.shape
        squares = K.diagonal()
        self.lengths = np.sqrt(np.maximum(squares[first] + squares[second] - 2 * K[first, second], 0.0))

    def inner(self, copies: Rows, rows: Rows) -> Matrix:
        """Return inner products as `Flipped.inner` does."""
        first, second = self.first[copies], self.second[copies]
        f = self._coefficients(copies, rows) @ self.K
        return np.take_along_axis(f, first, axis=1) - np.take_along_axis(f, second, axis=1)

    def squares(self, rows: Rows) -> Vector:
        """Return squared norms as `Flipped.squares` does."""
        c = self._coefficients(np.arange(self.count), rows)
        return ((c @ self.K) * c).sum(axis=1)

    def _coefficients(self, copies, rows):
        c = np.zeros((len(copies), len(self.K)))
        np.put_along_axis(c, self.first[copies][:, rows], 1.0, axis=1)
        np.put_along_axis(c, self.second[copies][:, rows], -1.0, axis=1)
        return c

    def grams(self, order: Rows, starts: Rows) -> Iterator[Values]:
        """Yield inner products as `Flipped.grams` does."""

        def coefficients(copies, means):
            first, second = self.first[copies], self.second[copies]
            c = np.zeros((len(first), len(means), len(self.K)))
            np.put_along_axis(c, first[:, None, :], means[None], axis=2)
            np.put_along_axis(c, second[:, None, :], -means[None], axis=2)
            return c

        return _grams(self.K, self, order, starts, coefficients)


def _grams(G, copies, order, starts, coefficients):
    means, lengths = averages(order, starts), block_means(copies.lengths, order, starts)
    at_once = max(1, BATCH // (len(starts) * len(G)))
    for begin in range(0, copies.count, at_once):
        batch = slice(begin, begin + at_once)
        c = coefficients(batch, means)
        products = (c.reshape(-1, len(G)) @ G).reshape(c.shape) @ c.transpose(0, 2, 1)
        longest = lengths[batch] if len(lengths) > 1 else lengths
        yield without_rounding(products, longest[:, :, None] * longest[:, None, :])


def block_means(values: Matrix, order: Rows, starts: Rows) -> Matrix:
    """Return the mean over each block of `order` of values (b, N), shape (b, Q)."""
    return np.add.reduceat(values[:, order], starts, axis=1) / block_sizes(len(order), starts)


def without_rounding(products: float | Values, magnitudes: float | Values) -> Values:
    """Return inner products, set to 0 if they are only rounding of the `magnitudes` that they sum."""
    return np.where(np.abs(products) > SLACK * magnitudes, products, 0.0)


def averages(order: Rows, starts: Rows) -> Matrix:
    """Return the matrix (Q, N) whose rows average the blocks of `order`."""
    sizes = block_sizes(len(order), starts)
    means = np.zeros((len(starts), len(order)))
    means[np.repeat(np.arange(len(starts)), sizes), order] = np.repeat(1 / sizes, sizes)
    return means
