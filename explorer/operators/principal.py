"""Principal functions of Σ_i β_i φ~(x_i) ⊗ φ~(x_i) from the Gram matrix of the φ~(x_i), for weights of any sign."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .leading import leading

CERTAIN = 1e-3  # of the largest eigenvalue, above which a function's norm is 1 to twelve digits
FLOOR = 1e-12  # of the largest eigenvalue in size, up to which others are rounding: scikit-learn's floor too


class Principal(NamedTuple):
    """eigenvalues (r,), falling and above 0; coefficients (n, r) of the unit functions v_k = Σ_i a_ik φ~(x_i)."""

    eigenvalues: np.ndarray
    coefficients: np.ndarray

    @classmethod
    def of(cls, K, beta, most, rounding=0.0):
        """At most so many of them, for the Gram matrix K (n, n) and weights beta (n,).

        `rounding` is what an eigenvalue of K may be off by. K diag(β) K a = d K a is solved on the range of K, which
        may be singular: with K = FF', F'diag(β)F w = d w, v = F w in coordinates, and a = diag(β) F w / d divides by no
        small eigenvalue of K. Where no weight is negative F = diag(β)^(1/2) K diag(β)^(1/2) serves as well, and few of
        many components cost O(n²) each. Paper 002, appendix E, whose generalised problem a singular K makes undefined.
        """
        if (beta == beta[0]).all() and beta[0] > 0:
            d, W = leading(K, most)
            d, left, size = beta[0] * d, np.sqrt(beta[0]) * W, np.sqrt
            largest = d[0]
        elif (beta >= 0).all():
            root = np.sqrt(beta)
            d, W = leading(K * (root[:, None] * root), most)
            left, size = root[:, None] * W, np.sqrt
            largest = d[0]
        else:
            gamma, U = np.linalg.eigh(K)
            kept = gamma > max(rounding, len(K) * np.finfo(float).eps * gamma[-1])
            F = U[:, kept] * np.sqrt(gamma[kept])
            d, W = np.linalg.eigh((F.T * beta) @ F)
            largest = np.abs(d).max(initial=0.0)
            d, W = d[::-1][:most], W[:, ::-1][:, :most]
            left, size = beta[:, None] * (F @ W), np.abs
        real = d > max(FLOOR * largest, rounding * np.abs(beta).max())
        a = left[:, real] / size(d[real])
        if (d[real] < CERTAIN * largest).any():  # norms are 1 but for rounding, which this takes off where it counts
            a /= np.sqrt(np.einsum("ik,ik->k", a, K @ a))
        # a function has no sign of its own: its largest coefficient is made positive
        a *= np.sign(a[np.abs(a).argmax(axis=0), np.arange(a.shape[1])]) if a.size else 1.0
        return cls(d[real], a)
