"""The shape of a dependence: the cross-covariance, the functions that covary most, and both Gram matrices together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy import DependenceTest
from explorer.discrepancy.resampling.permutation import SLACK
from explorer.printing import echo
from explorer.types import Matrix, Points, Rng, Rows, Vector

from .cross_covariance import CrossCovariance

if TYPE_CHECKING:
    from explorer.discrepancy.dependence import Pairing
    from explorer.discrepancy.dependence.gamma import GammaResult
    from explorer.discrepancy.results.test_result import TestResult
    from explorer.kernels.base import Kernel


class DependenceShape(NamedTuple):
    """The leading pair of functions and the cross-covariance of pairs, at points along x and along y.

    Attributes
    ----------
    share : float
        The share of the leading pair in the operator's squared norm, which is HSIC if centred.
    together : float
        The correlation of the pair over the sample.
    f : ndarray of shape (p,)
        The left function at the points along x; it rises at the right end.
    g : ndarray of shape (q,)
        The right function at the points along y.
    field : ndarray of shape (q * p,)
        The cross-covariance at all pairs of points, row by row of y.
    remark : str
        The operator's remark if rounding hides some of its functions; otherwise empty.
    """

    share: float
    together: float
    f: np.ndarray
    g: np.ndarray
    field: np.ndarray
    remark: str = ""

    @classmethod
    def of(
        cls, X: Points, Y: Points, kernels: tuple[Kernel, Kernel], x: Matrix, y: Matrix, centered: bool = True
    ) -> Self:
        """Return the shape of pairs under the kernels of both sides.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            The left points.
        Y : ndarray of shape (n, e)
            The right points.
        kernels : tuple of Kernel
            The kernels of both sides.
        x : ndarray of shape (p, d)
            The points along x.
        y : ndarray of shape (q, e)
            The points along y.
        centered : bool, default True
            Whether the operator is centred.

        Returns
        -------
        DependenceShape
            The shape.
        """
        operator = CrossCovariance(*kernels, centered=centered).learn(X, Y)
        if not len(operator.singular_values_):
            return cls.flat(x, y)._replace(remark=operator.remark_)
        f, g = operator.left(x), operator.right(y)
        # The sign of a pair of functions is arbitrary: f is made positive on average over the last quarter of x.
        sign = 1.0 if f[-len(x) // 4 :].sum() >= 0 else -1.0
        together = operator.correlation() if centered else _correlation(operator.left(X), operator.right(Y))
        return cls(operator.share(), together, sign * f, sign * g, operator(x, y).T.ravel(), operator.remark_)

    @classmethod
    def flat(cls, x: Points, y: Points) -> Self:
        """Return the shape of no dependence at all.

        Parameters
        ----------
        x : ndarray of shape (p, d)
            The points along x.
        y : ndarray of shape (q, e)
            The points along y.

        Returns
        -------
        DependenceShape
            The shape, all zeros.
        """
        return cls(0.0, 0.0, np.zeros(len(x)), np.zeros(len(y)), np.zeros(len(x) * len(y)))


class ShapedTest(NamedTuple):
    """A DependenceTest, the shape of the dependence under its kernels, and its `paired_grams`.

    If HSIC is the same in every order, as for a side of equal values, all coefficients are 0.

    Attributes
    ----------
    dependence : DependenceTest
        The test.
    shape : DependenceShape
        The shape.
    cells : ndarray
        The cells of `paired_grams`.
    """

    dependence: DependenceTest
    shape: DependenceShape
    cells: np.ndarray

    @classmethod
    def of(
        cls,
        pairing: Pairing,
        n_resamples: int,
        rng: Rng,
        orders: Sequence[Rows],
        x: Points,
        y: Points,
        cells: int,
        centered: bool = True,
    ) -> Self:
        """Return the test and the shape of a Pairing.

        Parameters
        ----------
        pairing : Pairing
            The pairs.
        n_resamples : int
            The number of permutations.
        rng : int or None
            Seed of the permutations.
        orders : sequence of ndarray
            The permutations, as for `DependenceTest.of`.
        x : ndarray of shape (p, d)
            The points along x.
        y : ndarray of shape (q, e)
            The points along y.
        cells : int
            The number of cells along a side of `paired_grams`.
        centered : bool, default True
            Whether the shape is that of the centred operator; the test always is.

        Returns
        -------
        ShapedTest
            The test and the shape.
        """
        (X, Y), test = pairing.pairs[:2], DependenceTest.of(pairing, n_resamples, rng, orders)
        grams = paired_grams(pairing, np.argsort(X[:, 0], kind="stable"), cells)
        if math.isinf(test.gamma.shape):
            return cls(test, DependenceShape.flat(x, y), grams)
        k, l = map(widened_kernel, pairing.kernels, test.sigmas)
        return cls(test, DependenceShape.of(X, Y, (k, l), x, y, centered), grams)

    @property
    def test(self) -> TestResult:
        """The TestResult."""
        return self.dependence.test

    @property
    def gamma(self) -> GammaResult:
        """The GammaResult."""
        return self.dependence.gamma

    @property
    def correlation(self) -> float:
        """The ratio HSIC(x, y) / sqrt(HSIC(x, x) HSIC(y, y))."""
        return 0.0 if math.isinf(self.gamma.shape) else self.dependence.correlation.value

    @property
    def reached(self) -> int:
        """The number of permutations that reach the observed value."""
        return int(np.count_nonzero(self.test.reaching))

    def limit(self, level: float) -> float:
        """Return the correlation from which p is at most the level.

        Parameters
        ----------
        level : float
            The level.

        Returns
        -------
        float
            The correlation.
        """
        return 1.0 if math.isinf(self.gamma.shape) else self.dependence.correlation.limit(level)


def _correlation(a, b):
    """Return Pearson's r, or 0 if a side is constant."""
    a, b = a - a.mean(), b - b.mean()
    size = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / size) if size > 0 else 0.0


def widened_kernel(kernel: Kernel, sigma: float) -> Kernel:
    """Return the kernel that is, up to a factor, the mean of this one between points with noise σ.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    sigma : float
        The standard deviation σ.

    Returns
    -------
    Kernel
        The wider kernel.

    Raises
    ------
    Refusal
        If the mean is a kernel of another kind.
    """
    if not sigma:
        return kernel
    if (found := kernel.widened(2 * sigma**2, 1)) is None:
        raise Refusal(f"{echo(kernel)} does not stay of its kind under noise; take Gaussian(), or no noise.")
    return found[0]


def paired_grams(pairing: Pairing, order: Rows, cells: int) -> Vector:
    """Return both centred Gram matrices in one square of cells: x below the diagonal, y above it.

    Parameters
    ----------
    pairing : Pairing
        The pairs.
    order : ndarray of shape (n,)
        The order of the points.
    cells : int
        The number of cells along a side.

    Returns
    -------
    ndarray of shape (cells * cells,)
        The cells, row by row. A value is the root of the ratio of an entry's size to the largest, with the entry's
        sign. With more points than cells it is the mean of several entries, with fewer points one entry appears in
        several cells.
    """
    squares = (
        (side.rows(slice(0, side.n))[np.ix_(order, order)], SLACK * side.size) for side in (pairing.x, pairing.y)
    )
    A, B = (_rooted(_resized(M, cells), rounding) for M, rounding in squares)
    return np.where(np.tri(cells, k=-1, dtype=bool), A, B).ravel()


def _rooted(M, rounding):
    """Return the root of each entry relative to the largest, with its sign.

    The diagonal is 0, and so are all entries if all are rounding.
    """
    M = np.where(np.eye(len(M), dtype=bool), 0.0, M)
    largest = np.abs(M).max()
    return np.sign(M) * np.sqrt(np.abs(M) / largest) if largest > rounding else np.zeros_like(M)


def _resized(M, cells):
    """Return a matrix averaged over, or repeated in, `cells` x `cells` cells."""
    starts = (np.arange(cells) * len(M)) // cells
    if len(M) <= cells:
        return M[np.ix_(starts, starts)]
    sizes = np.diff([*starts, len(M)])
    return np.add.reduceat(np.add.reduceat(M, starts, axis=0), starts, axis=1) / np.outer(sizes, sizes)
