"""The shape of a dependence: where pairs crowd, the functions that covary most, and both Gram matrices side by side."""

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
    """The leading pair of functions and the cross-covariance of pairs, at places along x and along y.

    share    the part of the operator's squared norm, centred that is HSIC, that the leading pair has
    together the correlation of the pair over the sample
    f, g     the pair at the places along x (p,) and along y (q,); f rises at the right end
    field    the cross-covariance at all places (q * p,), row by row of y
    remark   what the operator says where rounding hides functions of it; else empty
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
        """Of the pairs X (n, d), Y (n, e) under the kernels of both sides, at places x (p, d) and y (q, e)."""
        operator = CrossCovariance(*kernels, centered=centered).learn(X, Y)
        if not len(operator.singular_values_):
            return cls.flat(x, y)._replace(remark=operator.remark_)
        f, g = operator.left(x), operator.right(y)
        # a pair of functions has no sign of its own
        sign = 1.0 if f[-len(x) // 4 :].sum() >= 0 else -1.0
        together = operator.correlation() if centered else _correlation(operator.left(X), operator.right(Y))
        return cls(operator.share(), together, sign * f, sign * g, operator(x, y).T.ravel(), operator.remark_)

    @classmethod
    def flat(cls, x: Points, y: Points) -> Self:
        """The shape of no dependence at all."""
        return cls(0.0, 0.0, np.zeros(len(x)), np.zeros(len(y)), np.zeros(len(x) * len(y)))


class ShapedTest(NamedTuple):
    """A DependenceTest, the shape of the dependence under its kernels, and its `paired_grams`.

    Where HSIC is the same in every order, as of a side of equal values, all coefficients are 0.
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
        """Of a Pairing, at places x (p, d) and y (q, e), with so many cells along a side; `orders` as for its test.

        The test is of the centred operator; whether the shape is, is for `centered` to say.
        """
        (X, Y), test = pairing.pairs[:2], DependenceTest.of(pairing, n_resamples, rng, orders)
        grams = paired_grams(pairing, np.argsort(X[:, 0], kind="stable"), cells)
        if math.isinf(test.gamma.shape):
            return cls(test, DependenceShape.flat(x, y), grams)
        k, l = map(wider, pairing.kernels, test.sigmas)
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
        """HSIC(x, y) / sqrt(HSIC(x, x) HSIC(y, y))."""
        return 0.0 if math.isinf(self.gamma.shape) else self.dependence.correlation.value

    @property
    def reached(self) -> int:
        """How many permutations reach the observed value."""
        return int(np.count_nonzero(self.test.reaching))

    def limit(self, level: float) -> float:
        """The correlation from which p is at most the level."""
        return 1.0 if math.isinf(self.gamma.shape) else self.dependence.correlation.limit(level)


def _correlation(a, b):
    """Pearson's r; 0 where a side is constant."""
    a, b = a - a.mean(), b - b.mean()
    size = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / size) if size > 0 else 0.0


def wider(kernel: Kernel, sigma: float) -> Kernel:
    """The kernel that is, but for a factor, the mean of this one between points with noise σ."""
    if not sigma:
        return kernel
    if (found := kernel.widened(2 * sigma**2, 1)) is None:
        raise Refusal(f"{echo(kernel)} does not stay of its kind under noise; take Gaussian(), or no noise.")
    return found[0]


def paired_grams(pairing: Pairing, order: Rows, cells: int) -> Vector:
    """Both centred Gram matrices in one square of cells x cells, row by row: x below the diagonal, y above it.

    Points stand in the given order. Each entry is the root of its size by the largest, with its sign; of more points
    than cells the mean of several entries, of fewer one entry several times.
    """
    squares = (
        (side.rows(slice(0, side.n))[np.ix_(order, order)], SLACK * side.size) for side in (pairing.x, pairing.y)
    )
    A, B = (_rooted(_resized(M, cells), rounding) for M, rounding in squares)
    return np.where(np.tri(cells, k=-1, dtype=bool), A, B).ravel()


def _rooted(M, rounding):
    """The root of each entry by the largest, with its sign; 0 on the diagonal, and where all are rounding."""
    M = np.where(np.eye(len(M), dtype=bool), 0.0, M)
    largest = np.abs(M).max()
    return np.sign(M) * np.sqrt(np.abs(M) / largest) if largest > rounding else np.zeros_like(M)


def _resized(M, cells):
    starts = (np.arange(cells) * len(M)) // cells
    if len(M) <= cells:
        return M[np.ix_(starts, starts)]
    sizes = np.diff([*starts, len(M)])
    return np.add.reduceat(np.add.reduceat(M, starts, axis=0), starts, axis=1) / np.outer(sizes, sizes)
