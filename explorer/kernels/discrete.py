"""Kernels on points that are labels: equality, and a Gram matrix that the user has already."""

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
    """Equality: k(x, y) = 1 if x = y else 0, on categories.

    Use it for categories. For a table of categories and numbers use `Product`.

    Points are numbers, truth values or words, or rows of them. The mean embedding is the table of probabilities.

    Notes
    -----
    Bounded: k(x, x) = 1. Characteristic on distributions of countably many labels, since the table of probabilities
    determines them. Universal there: a compact set of labels is finite, and every function on it lies in the RKHS. It
    is not a kernel for measurements: a distribution that has a density embeds as 0.

    Examples
    --------
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
    """Equality with a floor: k(x, y) = 1 if x = y else 1/2, on categories of any number of levels.

    It is (1 + Delta) / 2, so it is universal, and in a product with other kernels it halves where Delta would remove.
    Unlike `Precomputed`, it stores no matrix of the levels.

    Examples
    --------
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
    """Kernel given by a Gram matrix: k(i, j) = gram[i, j], where the points are row numbers.

    Use it for similarities that another program has computed. For a kernel that can be computed at new points, write a
    subclass of `Kernel`.

    Parameters
    ----------
    gram : array_like of shape (N, N)
        Symmetric positive semi-definite matrix.

    Raises
    ------
    ValueError
        If the matrix is not square, not symmetric, or has an eigenvalue below 0 beyond rounding.

    Notes
    -----
    Distributions are tables of N probabilities, so `gram` decides about the properties. The kernel is bounded. It is
    characteristic if w' gram w > 0 for all w != 0 of sum 0, the differences of two distributions, and universal if that
    holds for all w != 0.

    Examples
    --------
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
        """Create the kernel from a kernel's Gram matrix, without the O(N³) check that it is positive semi-definite.

        Parameters
        ----------
        gram : ndarray of shape (N, N)
            Gram matrix.

        Returns
        -------
        Precomputed
            The kernel.
        """
        kernel = cls.__new__(cls)
        object.__setattr__(kernel, "_trusted", True)
        kernel.__init__(gram)
        return kernel

    @classmethod
    def of_distances(cls, distances: MatrixLike) -> Self:
        """Create the distance-induced kernel (D_i0 + D_j0 - D_ij) / 2 from the distances of points of any space.

        Parameters
        ----------
        distances : array_like of shape (N, N)
            The distances D of all points.

        Returns
        -------
        Precomputed
            The kernel. If D is ``|x_i - x_j|`` it gives the same comparisons as `Energy`: MMD² under it is half the
            energy distance.

        Raises
        ------
        ValueError
            If the matrix is not square and symmetric, has a number other than 0 on its diagonal or one below 0
            elsewhere, or is not a matrix of distances that a kernel induces.
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
        basis = np.linalg.qr(ones, mode="complete")[0][:, 1:]  # orthonormal vectors of sum 0
        return self._positive(basis.T @ self.gram @ basis)

    @property
    def universal(self) -> bool:
        return self._positive(self.gram)

    def _positive(self, matrix):
        """Return whether the matrix has full rank, by numpy's convention: eigenvalues above N eps times the largest."""
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
