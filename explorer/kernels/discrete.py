"""Kernels on points that are labels: equality, and a Gram matrix that is already there."""

from __future__ import annotations

from typing import Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.linalg import refuse_indefinite
from explorer.parameters import Array
from explorer.types import ConvertedField, Gram, Mask, Matrix, MatrixLike, Points, PointsLike, Vector

from .base import Kernel


class Delta(Kernel):
    """k(x, y) = 1 if x = y else 0, on categories: numbers, truth values or words, or rows of them.

    Its mean embedding is the table of probabilities. Bounded: k(x, x) = 1. Characteristic on distributions of labels,
    countably many, which the table is. Universal there: a compact set of labels is finite, and every function on it
    lies in the RKHS. It is no kernel for measurements: a distribution that has a density embeds as 0.

    >>> from explorer import KME, Delta
    >>> KME(Delta()).embed(["a", "b", "a", "a"])(["a", "b", "c"])
    array([0.75, 0.25, 0.  ])
    """

    bounded = characteristic = universal = text = True
    space = "categories"

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        return checks.labels(X, name, at_least)

    def log_mass(self, d: int) -> float | None:
        return 0.0

    def pairs(self, X: Points, Y: Points | None = None) -> Mask:
        Y = X if Y is None else Y
        if X.shape[1] == 1:
            return X == Y.T
        return (X[:, None, :] == Y[None, :, :]).all(axis=2)

    def of_pairs(self, S: Matrix) -> Matrix:
        return S.astype(np.float64)

    def diagonal(self, X: PointsLike) -> Vector:
        return np.ones(len(self.points(X)))


class Equality(Delta):
    """k(x, y) = 1 if x = y else 1/2, on categories of any number of levels.

    It is (1 + Delta) / 2, so it is universal, and in a product with other kernels it halves what Delta would take away.
    No matrix of the levels is held, as `Precomputed` holds one.

    >>> from explorer.kernels import Equality
    >>> Equality()([[0], [1]], [[0], [1], [2]])
    array([[1. , 0.5, 0.5],
           [0.5, 1. , 0.5]])
    """

    has_constants = True

    def log_mass(self, d: int) -> float | None:
        return None

    def of_pairs(self, S: Matrix) -> Matrix:
        return np.where(S, 1.0, 0.5)


class Precomputed(Kernel):
    """k(i, j) = gram[i, j]: the points are row numbers of a symmetric positive semi-definite (N, N) matrix.

    Distributions are tables of N probabilities, so `gram` decides: it is bounded; characteristic where w' gram w > 0
    for all w != 0 of sum 0, the differences of two distributions; universal where that holds for all w != 0.

    Raises ValueError for a matrix that is not square, not symmetric, or has an eigenvalue below 0 beyond rounding.

    >>> from explorer import KME, Precomputed
    >>> kernel = Precomputed([[1.0, 0.5], [0.5, 1.0]])
    >>> round(KME(kernel).embed([0, 1]).norm() ** 2, 2)
    0.75
    """

    bounded = True
    space = "row numbers"
    gram: ConvertedField[MatrixLike, Gram] = Array(doc="the Gram matrix of all N points")
    _trusted = False

    @classmethod
    def trusted(cls, gram: Gram) -> Self:
        """Of a Gram matrix (N, N) that a kernel has made: no check in O(N³) of its being positive semi-definite."""
        kernel = cls.__new__(cls)
        object.__setattr__(kernel, "_trusted", True)
        kernel.__init__(gram)
        return kernel

    @classmethod
    def of_distances(cls, distances: MatrixLike) -> Self:
        """The distance-induced kernel (D_i0 + D_j0 - D_ij) / 2 of the distances D (N, N) of all points of any space.

        Where D is |x_i - x_j| it compares as `Energy` does: MMD² under it is half the energy distance. Raises
        ValueError for a matrix that is not square and symmetric, has another number than 0 on its diagonal, one below 0
        elsewhere, or is of distances that no kernel induces.
        """
        D = checks.sample(distances, "distances")
        if D.shape[0] != D.shape[1] or np.abs(D - D.T).max() > 1e-10 * np.abs(D).max():
            raise Refusal(f"distances has shape {D.shape}; give a symmetric (N, N) matrix, row i to row j.")
        if D.diagonal().any() or D.min() < 0:
            raise Refusal("distances must be 0 from each point to itself, and nowhere below 0.")
        gram = (D[:, :1] + D[:1] - D) / 2
        kernel = cls.trusted((gram + gram.T) / 2)
        refuse_indefinite(
            kernel.gram,
            "the kernel of these distances",
            "give Precomputed the kernel with those eigenvalues at 0, (U * g.clip(0)) @ U.T of g, U ="
            " numpy.linalg.eigh(D[:, :1] + D[:1] - D) of the distances D",
        )
        return kernel

    @property
    def zeros(self) -> float:
        return int(np.count_nonzero(self.gram.diagonal() <= 0))

    @property
    def characteristic(self) -> bool:
        ones = np.ones((len(self.gram), 1))
        basis = np.linalg.qr(ones, mode="complete")[0][:, 1:]  # orthonormal, of sum 0
        return self._positive(basis.T @ self.gram @ basis)

    @property
    def universal(self) -> bool:
        return self._positive(self.gram)

    def _positive(self, matrix):
        """Whether the matrix has full rank, by numpy's convention: eigenvalues above N eps times the largest."""
        gamma = np.linalg.eigvalsh(matrix)
        return bool((gamma > len(self.gram) * np.finfo(float).eps * np.abs(gamma).max()).all()) if len(gamma) else True

    def _check(self):
        if self.gram.ndim != 2 or self.gram.shape[0] != self.gram.shape[1] or not len(self.gram):
            raise Refusal(f"Precomputed.gram has shape {self.gram.shape}; give a square (N, N) matrix.")
        if np.abs(self.gram - self.gram.T).max() > 1e-10 * np.abs(self.gram).max():
            raise Refusal("Precomputed.gram is not symmetric; a kernel is: give (gram + gram.T) / 2 if it should be.")
        if not self._trusted:
            if (self.gram.diagonal() == 0).all() and (self.gram >= 0).all() and self.gram.any():
                raise Refusal(
                    "Precomputed.gram has 0 on its diagonal and nothing below 0, so it looks like a matrix of"
                    " distances, not of similarities; give Precomputed.of_distances(gram)."
                )
            refuse_indefinite(
                self.gram,
                "Precomputed.gram",
                "give a kernel's matrix, or one with those eigenvalues at 0, (U * g.clip(0)) @ U.T of g, U ="
                " numpy.linalg.eigh(gram)",
            )

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        rows = checks.sample(X, name, at_least)
        if rows.shape[1] != 1 or (rows != np.round(rows)).any() or rows.min() < 0 or rows.max() >= len(self.gram):
            raise Refusal(
                f"{name} must hold row numbers of the Gram matrix, whole numbers from 0 to {len(self.gram) - 1}."
            )
        return rows

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        i, j = (Z[:, 0].astype(int) for Z in (X, X if Y is None else Y))
        return self.gram[np.ix_(i, j)]

    def of_pairs(self, S: Matrix) -> Matrix:
        return S

    def diagonal(self, X: PointsLike) -> Vector:
        return np.diag(self.gram)[self.points(X)[:, 0].astype(int)]
