"""Principal functions of Σ_i β_i φ~(x_i) ⊗ φ~(x_i) from the Gram matrix of the φ~(x_i), for weights of any sign."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from explorer.types import Gram, Matrix, Vector

from .leading import leading

CERTAIN = 1e-3  # above this share of the largest eigenvalue norms are 1 to twelve digits; below, they are normalised
FLOOR = 1e-12  # eigenvalues below this share of the largest in size are rounding, as in scikit-learn


class Principal(NamedTuple):
    """Principal eigenvalues, and coefficients of the unit functions v_k = Σ_i a_ik φ~(x_i).

    Attributes
    ----------
    eigenvalues : ndarray of shape (r,)
        The eigenvalues, falling and above 0.
    coefficients : ndarray of shape (n, r)
        The coefficients a.
    """

    eigenvalues: np.ndarray
    coefficients: np.ndarray

    @classmethod
    def of(cls, K: Gram, beta: Vector, most: int, rounding: float = 0.0) -> Self:
        """Return at most `most` of them, for the Gram matrix K (n, n) and weights beta (n,).

        `rounding` is the possible error of an eigenvalue of K. K diag(β) K a = d K a is solved on the range of K, which
        may be singular: [muandet2016shrinkage], appendix E, whose generalised problem is undefined for a singular K. If
        no weight is negative, the solution uses the eigenpairs (d, w) of diag(β)^(1/2) K diag(β)^(1/2) and a =
        diag(β)^(1/2) w / d^(1/2): few of many components cost O(n²) each. Otherwise it uses features F with K = FF'.
        """
        if (beta < 0).any():
            gamma, U = np.linalg.eigh(K)
            kept = gamma > max(rounding, len(K) * np.finfo(float).eps * gamma[-1])
            return cls.of_features(U[:, kept] * np.sqrt(gamma[kept]), beta, most, rounding)
        root = np.sqrt(beta)
        equal = (beta == beta[0]).all()  # equal weights need no scaled copy of K
        d, W = leading(K if equal else K * (root[:, None] * root), most)
        d = beta[0] * d if equal else d
        real = d > max(FLOOR * d[0], rounding * beta.max())
        a = root[:, None] * W[:, real] / np.sqrt(d[real])
        if (d[real] < CERTAIN * d[0]).any():
            a /= np.sqrt(np.einsum("ik,ik->k", a, K @ a))
        return cls(d[real], fix_signs(a))

    @classmethod
    def of_features(cls, F: Matrix, beta: Vector, most: int, rounding: float = 0.0) -> Self:
        """Return them from coordinates F (n, r) of the φ~(x_i), in O(n r²).

        F'diag(β)F w = d w, and a = diag(β) F w / d.
        """
        d, W = np.linalg.eigh((F.T * beta) @ F)
        largest = np.abs(d).max(initial=0.0)
        d, W = d[::-1][:most], W[:, ::-1][:, :most]
        real = d > max(FLOOR * largest, rounding * np.abs(beta).max())
        a = beta[:, None] * (F @ W[:, real]) / d[real]
        if (d[real] < CERTAIN * largest).any():
            a /= np.linalg.norm(F.T @ a, axis=0)
        return cls(d[real], fix_signs(a))


def fix_signs(a: Matrix, counts: Vector | None = None) -> Matrix:
    """Return coefficients with the largest of each function above 0: the sign of a function is arbitrary.

    Parameters
    ----------
    a : ndarray of shape (n, r)
        The coefficients.
    counts : ndarray of shape (n,), optional
        The number of times that each point counts; then the largest coefficient of one copy is above 0.

    Returns
    -------
    ndarray of shape (n, r)
        The coefficients.
    """
    return a * signs(a, counts) if a.size else a


def signs(a: Matrix, counts: Vector | None = None) -> Vector:
    """Return the signs (r,) that make the largest of each column of coefficients a (n, r) positive."""
    each = a if counts is None else a / counts[:, None]
    return np.sign(each[np.abs(each).argmax(axis=0), np.arange(a.shape[1])])
