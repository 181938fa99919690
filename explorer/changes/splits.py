"""MMD² of the rows before and after every split of a sequence, from one pass of cumulated sums.

H is the centred Gram matrix of n rows and C_t the sum of the first t centred features, so that <C_s, C_t> is the sum of
H over the first s rows and the first t columns. All sums of H within and between the rows [s, t) and [t, e), and so
their unbiased MMD², follow from |C_t|², <C_s, C_t> and <C_e, C_t>.

Over all n! orders of the rows the unbiased MMD² of a rows and the b next ones has mean 0 and variance

    2 |A|² / (n (n-3)) · (a+b-1)(a+b-2) / (a (a-1) b (b-1)),

where A is H without its diagonal, centred again so that its rows sum to 0, and |A|² = sum_ij A_ij² is the same in every
order. Divided by the root of this, the values at all splits have one mean and one variance, exactly: none is larger
because it lies near an end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING, Self, TypeAlias

import numpy as np

from explorer.discrepancy.resampling.permutation import SLACK, CentredGram
from explorer.discrepancy.resampling.tiled_gram import contrast_gram
from explorer.linalg import eigh_psd
from explorer.types import Gram, Matrix, Points, Rows, Vector

if TYPE_CHECKING:
    from explorer.kernels import Kernel
    from explorer.kernels.low_rank import FiniteRank

ROUNDING = 1e-12  # |A| below this share of |K| is rounding: all rows are alike
STRIP, PART = 64, 2**17  # least rows, and least entries, of a Gram matrix in one step, so that they stay in the cache
FEW, CACHED = 16, 2**18  # rows whose features one product sums, and numbers (2 MB) that nearly stay in the cache
# Seconds on a typical core, for one break and for several: for an order and a pair of rows, or a feature of a row.
ORDER = {False: 2e-9, True: 4e-8}
FEATURE = {False: 6e-9, True: 1e-7}
# For Intervals [s, e) with splits t: <C_s, C_t> and <C_e, C_t> for each split, (S,), and <C_s, C_e> for each interval.
Products: TypeAlias = Callable[["Intervals"], tuple[Vector, Vector, Vector]]


class OrderedRows:
    """Rows whose order may change, n of them: the parts of their kernel from which an order's profile is computed.

    Attributes
    ----------
    diagonal : ndarray of shape (n,)
        h_i = H_ii.
    spread : float
        The norm |A|, the root of sum_ij A_ij²; 0 if all rows are alike.
    size : float
        The norm |K|, the scale of rounding in entries of H.
    magnitude : float
        Scale of rounding in sums of H.
    """

    def __init__(self, diagonal: Vector, squared_norm: float, size: float, magnitude: float) -> None:
        n = len(diagonal)
        self.n, self.diagonal, self.size, self.magnitude = n, diagonal, size, magnitude
        # A_ij = H_ij + u_i + u_j off the diagonal, its rows sum to 0, and <A, u_i + u_j> vanishes
        u = (diagonal - diagonal.sum() / (2 * (n - 1))) / (n - 2)
        left = squared_norm - diagonal @ diagonal - 2 * u @ diagonal
        self.spread = float(np.sqrt(left)) if left > (ROUNDING * size) ** 2 else 0.0

    def part(self, start: int, end: int) -> Self:
        """Return the rows [start, end) by themselves, centred again."""
        raise NotImplementedError

    def means(self, starts: Rows) -> Matrix:
        """Return centred features (k, r) of k stretches of rows: the means of their rows' features.

        Parameters
        ----------
        starts : ndarray of shape (k,)
            First row of each stretch.

        Returns
        -------
        ndarray of shape (k, r)
            The features.
        """
        raise NotImplementedError

    def squares(self, order: Rows) -> Vector:
        """Return |C_t|² for t = 0 ... n if the rows come in this order.

        Parameters
        ----------
        order : ndarray of shape (n,)
            Order of the rows.

        Returns
        -------
        ndarray of shape (n + 1,)
            The squares.
        """
        raise NotImplementedError

    def sums(self, order: Rows) -> tuple[Vector, Products]:
        """Return the squares, and the products of the sums at the ends of intervals with those at splits between."""
        raise NotImplementedError

    def takes(self, segments: bool) -> float:
        """Return about how many seconds an order takes, for one break or, with `segments`, several."""
        raise NotImplementedError

    def lagged(self, order: Rows, lags: int) -> Vector:
        """Return HSIC_l = (1/n²) Σ_st H_st H_{s+l,t+l}, indices modulo n, at l = 1 ... lags, in this order of rows."""
        raise NotImplementedError

    def scale(self, a: Vector, b: Vector) -> Vector:
        """Return the factor that makes the variance of the unbiased MMD² of a rows and b next ones 1."""
        if self.spread == 0.0:
            return np.zeros(len(a))
        n, c = self.n, a + b
        pairs = a * (a - 1) * b * (b - 1) / ((c - 1) * (c - 2))
        return np.sqrt(n * (n - 3) * pairs / 2) / self.spread

    def tolerance(self, min_size: int) -> float:
        """Return how far two equal values of a profile may differ by rounding."""
        a, b = np.array([float(min_size)]), np.array([float(self.n - min_size)])
        return float(SLACK * self.magnitude * (self.scale(a, b) / (a * (a - 1)))[0])


class GramRows(OrderedRows):
    """Rows by their centred Gram matrix (n, n), with O(n²) for an order.

    Parameters
    ----------
    kernel : Kernel
        Kernel of the rows.
    P : ndarray of shape (n, d)
        The rows.
    """

    def __init__(self, kernel: Kernel, P: Points) -> None:
        self._centre(contrast_gram(kernel, P), 0.0)

    def _centre(self, K, size):
        """Set the Gram matrix, or a part of one whose |K| is `size`."""
        gram = CentredGram(K)
        self.H, size = np.ascontiguousarray(gram.K), max(size, gram.size)
        super().__init__(gram.diagonal, float(np.square(self.H).sum()), size, gram.magnitude + size - gram.size)

    def part(self, start: int, end: int) -> Self:
        """Return the rows [start, end) by themselves, centred again.

        Parameters
        ----------
        start, end : int
            First row, and the row after the last.

        Returns
        -------
        GramRows
            The part.
        """
        part = copy(self)
        part._centre(self.H[start:end, start:end], self.size)
        return part

    def means(self, starts: Rows) -> Matrix:
        """Return a square root of the Gram matrix of the means of stretches of rows, from its eigenvalues.

        Parameters
        ----------
        starts : ndarray of shape (k,)
            First row of each stretch.

        Returns
        -------
        ndarray of shape (k, k)
            Centred features of the means.
        """
        counts = np.diff(starts, append=self.n)
        sums = np.add.reduceat(np.add.reduceat(self.H, starts, axis=0), starts, axis=1)
        values, vectors = eigh_psd(sums / np.outer(counts, counts))
        return vectors * np.sqrt(values)

    def squares(self, order: Rows) -> Vector:
        """Return |C_t|² for t = 0 ... n if the rows come in this order.

        It grows by H_ii and twice the sum of H_ij over the rows j before i, so that no entry of H is moved.

        Parameters
        ----------
        order : ndarray of shape (n,)
            Order of the rows.

        Returns
        -------
        ndarray of shape (n + 1,)
            The squares.
        """
        place, earlier, rows = np.argsort(order), np.empty(self.n), max(STRIP, PART // self.n)
        for start in range(0, self.n, rows):
            strip = slice(start, start + rows)
            before = (place < place[strip, None]).astype(np.float64)
            earlier[strip] = np.einsum("ij,ij->i", self.H[strip], before)
        return np.concatenate([[0.0], np.cumsum((self.diagonal + 2 * earlier)[order])])

    def sums(self, order: Rows) -> tuple[Vector, Products]:
        """Return the squares, and the function of the products, from the table of all <C_s, C_t>.

        Parameters
        ----------
        order : ndarray of shape (n,)
            Order of the rows.

        Returns
        -------
        squares : ndarray of shape (n + 1,)
            The squares.
        products : callable
            Maps Intervals to their products.
        """
        table = np.zeros((self.n + 1, self.n + 1))
        np.cumsum(self.H.take(order, axis=0).take(order, axis=1), axis=0, out=table[1:, 1:])
        np.cumsum(table[1:, 1:], axis=1, out=table[1:, 1:])

        def products(at: Intervals) -> tuple[Vector, Vector, Vector]:
            return table[at.start, at.split], table[at.end, at.split], table[at.starts, at.ends]

        return table.diagonal(), products

    def takes(self, segments: bool) -> float:
        """Return about how many seconds an order takes, for one break or, with `segments`, several.

        Parameters
        ----------
        segments : bool
            Whether several breaks are sought.

        Returns
        -------
        float
            Time in seconds.
        """
        return ORDER[segments] * self.n**2

    def lagged(self, order: Rows, lags: int) -> Vector:
        """Return HSIC_l at l = 1 ... lags if the rows come in this order.

        Parameters
        ----------
        order : ndarray of shape (n,)
            Order of the rows.
        lags : int
            Number of lags.

        Returns
        -------
        ndarray of shape (lags,)
            The values.
        """
        H, n = self.H.take(order, axis=0).take(order, axis=1), self.n
        values = np.empty(lags)
        for i in range(lags):
            # Rows and columns l later are still in the table, or start again at 0; H is symmetric.
            on, later, last, first = slice(n - i - 1), slice(i + 1, n), slice(n - i - 1, n), slice(i + 1)
            values[i] = np.einsum("ij,ij->", H[on, on], H[later, later])
            values[i] += 2 * np.einsum("ij,ij->", H[on, last], H[later, first])
            values[i] += np.einsum("ij,ij->", H[last, last], H[first, first])
        return values / n**2


class FeatureRows(OrderedRows):
    """Rows by the centred features of a kernel of finite rank, (n, r), with O(n r) for an order."""

    def __init__(self, low: FiniteRank, P: Points) -> None:
        self._of_features(low.features(P))

    @classmethod
    def of(cls, F: Matrix) -> Self:
        """Return the rows of features F (n, r)."""
        rows = cls.__new__(cls)
        rows._of_features(F)
        return rows

    def _of_features(self, F):
        self._centre(F, float(np.linalg.norm(F.T @ F)))

    def _centre(self, F, size):
        """Set the features of rows; `size` is |K| of all rows."""
        F = F - F.mean(axis=0)
        F -= F.mean(axis=0)
        self.F = F
        squared_norm = float(np.square(F.T @ F).sum())
        super().__init__(np.einsum("ij,ij->i", F, F), squared_norm, size, (len(F) + 2) * size)

    def part(self, start: int, end: int) -> Self:
        """Return the rows [start, end) by themselves, centred again."""
        part = copy(self)
        part._centre(self.F[start:end], self.size)
        return part

    def means(self, starts: Rows) -> Matrix:
        """Return the means of the features of stretches of rows that begin at these rows."""
        return np.add.reduceat(self.F, starts, axis=0) / np.diff(starts, append=self.n)[:, None]

    def squares(self, order: Rows) -> Vector:
        """Return |C_t|², for several C_t at a time: the sum before FEW rows, plus triangular products of these rows.

        `np.cumsum` of all rows would keep other threads of Python waiting; products do not.
        """
        n, r = self.F.shape
        rows = FEW * max(1, CACHED // (FEW * r))
        squares, lower, before = np.zeros(n + 1), np.tri(FEW), np.zeros(r)
        features, sums = np.zeros((rows, r)), np.empty((rows // FEW, FEW, r))
        for start in range(0, n, rows):
            some = order[start : start + rows]
            count = math.ceil(len(some) / FEW)
            np.take(self.F, some, axis=0, out=features[: len(some)], mode="clip")
            features[len(some) :] = 0.0
            C = np.matmul(lower, features[: count * FEW].reshape(count, FEW, r), out=sums[:count])
            C[0] += before
            C[1:] += np.cumsum(C[:-1, -1], axis=0)[:, None]
            C = C.reshape(-1, r)[: len(some)]
            np.einsum("tr,tr->t", C, C, out=squares[start + 1 : start + 1 + len(some)])
            before = C[-1].copy()
        return squares

    def sums(self, order: Rows) -> tuple[Vector, Products]:
        """Return the squares, and the function of the products, from all C_t."""
        C = self._cumulated(order)

        def products(at: Intervals) -> tuple[Vector, Vector, Vector]:
            m, ends = at.min_size, zip(at.starts.tolist(), at.ends.tolist(), strict=True)
            to_start, to_end = np.hstack([C[[s, e]] @ C[s + m : e - m + 1].T for s, e in ends])
            return to_start, to_end, np.einsum("kr,kr->k", C[at.starts], C[at.ends])

        return np.einsum("tr,tr->t", C, C), products

    def takes(self, segments: bool) -> float:
        """Return about how many seconds an order takes, for one break or, with `segments`, several."""
        return FEATURE[segments] * self.F.size

    def lagged(self, order: Rows, lags: int) -> Vector:
        """Return HSIC_l at l = 1 ... lags if the rows come in this order."""
        F = self.F[order]
        cross = (F.T @ np.roll(F, -lag, axis=0) for lag in range(1, lags + 1))
        return np.array([np.square(C).sum() for C in cross]) / self.n**2

    def _cumulated(self, order) -> Gram:
        """Return C_t for t = 0 ... n, shape (n + 1, r)."""
        C = np.empty((self.n + 1, self.F.shape[1]))
        C[0] = 0.0
        np.take(self.F, order, axis=0, out=C[1:], mode="clip")
        return np.cumsum(C, axis=0, out=C)


def standardise(rows: OrderedRows, squares: Vector, order: Rows, min_size: int) -> Vector:
    """Return the standardised MMD² at each split of all rows; nan if fewer than min_size rows lie on a side.

    The features of all rows sum to 0, so no products are needed.

    Parameters
    ----------
    rows : OrderedRows
        The rows.
    squares : ndarray of shape (n + 1,)
        Their `squares` in this order.
    order : ndarray of shape (n,)
        Order of the rows.
    min_size : int
        Least number of rows on either side.

    Returns
    -------
    ndarray of shape (n,)
        The profile.
    """
    profile = np.full(rows.n, np.nan)
    at = np.arange(min_size, rows.n - min_size + 1)
    traces = cumulate(rows.diagonal[order])
    within_first, within_second, across = weights(rows, at, rows.n - at)
    profile[at] = (
        within_first * (squares[at] - traces[at])
        + within_second * (squares[at] - (traces[-1] - traces[at]))
        + across * squares[at]
    )
    return profile


def weights(rows: OrderedRows, a: Rows, b: Rows) -> tuple[Vector, Vector, Vector]:
    """Return the factors of the sums of H within a rows, within the b next ones, and between them.

    The sum between is subtracted. Sums within leave out the diagonal.
    """
    x, y = a.astype(np.float64), b.astype(np.float64)
    scale = rows.scale(x, y)
    return scale / (x * (x - 1)), scale / (y * (y - 1)), 2 * scale / (x * y)


class Intervals:
    """Intervals [s, e) of rows, and all their splits s + min_size ... e - min_size, one interval after the other.

    Attributes
    ----------
    starts, ends : ndarray of shape (k,)
        s and e of each interval.
    start, end, split : ndarray of shape (S,)
        s, e and row of each split.
    first : ndarray of shape (k,)
        Position of each interval's first split.
    """

    def __init__(self, rows: OrderedRows, starts: Rows, ends: Rows, min_size: int) -> None:
        self.rows, self.starts, self.ends, self.min_size = rows, starts, ends, min_size
        count = ends - starts - 2 * min_size + 1
        self.first = np.cumsum(count) - count
        self.interval = np.repeat(np.arange(len(starts)), count)
        self.start, self.end = starts[self.interval], ends[self.interval]
        self.split = self.start + min_size + np.arange(count.sum()) - self.first[self.interval]
        self.weights = weights(rows, self.split - self.start, self.end - self.split)

    def values(self, order: Rows) -> Vector:
        """Return the standardised MMD² at each split if the rows come in this order, shape (S,)."""
        squares, products = self.rows.sums(order)
        traces = cumulate(self.rows.diagonal[order])
        to_start, to_end, ends = products(self)
        at_split, trace = squares[self.split], traces[self.split]
        first = at_split - 2 * to_start + squares[self.start] - (trace - traces[self.start])
        second = squares[self.end] - 2 * to_end + at_split - (traces[self.end] - trace)
        between = to_end - at_split - ends[self.interval] + to_start
        within_first, within_second, across = self.weights
        return within_first * first + within_second * second - across * between


def cumulate(diagonal: Vector) -> Vector:
    """Return the sum of the first t values for t = 0 ... n, shape (n + 1,)."""
    return np.concatenate([[0.0], np.cumsum(diagonal)])
