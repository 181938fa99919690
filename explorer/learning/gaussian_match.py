"""Distance of a mixture of spherical blobs from an estimate of a kernel mean, under a Gaussian kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from explorer.types import Matrix, Vector


class Blobs(NamedTuple):
    """Mixture Σ_j π_j N(m_j, s_j I): weights π (m,) on the simplex, means (m, d), variances s (m,)."""

    weights: np.ndarray
    means: np.ndarray
    variances: np.ndarray


class GaussianMatch:
    """Objective J = |μ̂ - μ_Q|² = π'Gπ - 2π'h + c of Blobs Q, under a Gaussian kernel.

    With κ(u; v) = Π_l (θ²/(θ² + v_l))^(1/2) exp(-½ Σ_l u_l²/(θ² + v_l)), the expected kernel of a difference u under
    noise of variances v: G_jl = κ(m_j - m_l; s_j + s_l) and h_j = Σ_i β_i κ(x_i - m_j; s_j + e). Here e are the
    variances of the estimate's own noise (a marginalized one's) and the weights β_i may be negative.
    [muandet2016shrinkage], section on density estimation; Song et al. 2008, eq. 4.

    Parameters
    ----------
    blocks : sequence of tuple
        (points (n, d), weights (n,), covariance (d, d) or None) of the estimate, in the units of the blobs.
    bandwidth : float
        The bandwidth θ in those units.
    square : float
        The constant c = |μ̂|².
    """

    theta2: float
    square: float
    blocks: list[tuple[Matrix, Matrix, Vector, Vector, Matrix | None]]

    def __init__(self, blocks: Sequence[tuple[Matrix, Vector, Matrix | None]], bandwidth: float, square: float) -> None:
        self.theta2, self.square = bandwidth**2, square
        self.blocks = [_turned(*block) for block in blocks]

    def __call__(self, blobs: Blobs) -> tuple[float, Vector, Matrix, Vector]:
        """Return J and its gradients in π (m,), the means (m, d) and s (m,)."""
        pi, M, s = blobs
        J, by_pi, by_M, by_s = self._own(pi, M, s)
        for X, squares, beta, e, U in self.blocks:
            h, h_M, h_s = self._cross(X, squares, beta, M if U is None else M @ U, s, e)
            J -= 2 * (pi @ h)
            by_pi -= 2 * h
            by_M -= 2 * pi[:, None] * (h_M if U is None else h_M @ U.T)
            by_s -= 2 * pi * h_s
        return J + self.square, by_pi, by_M, by_s

    def _own(self, pi, M, s):
        """Return π'Gπ and its gradients."""
        d, v = M.shape[1], s[:, None] + s
        squares = np.maximum(_squares(M), 0.0)
        w = 1 / (self.theta2 + v)
        G = np.exp(-0.5 * (squares * w + d * np.log1p(v / self.theta2)))
        by_pi, P = G @ pi, pi[:, None] * G * pi
        # Σ_l P_jl w_jl (m_j - m_l) is computed from sums: the blobs are centred, so no digits are lost.
        pull = P * w
        by_M = -2 * (pull.sum(axis=1)[:, None] * M - pull @ M)
        by_s = (P * (squares * w - d) * w).sum(axis=1)
        return pi @ by_pi, 2 * by_pi, by_M, by_s

    def _cross(self, X, squares, beta, M, s, e):
        """Return h (m,), and its gradients in the means (m, d) and s (m,), for one block; M is in the block's axes."""
        v = s[:, None] + e
        w = 1 / (self.theta2 + v)
        exponent = squares @ w.T - 2 * X @ (w * M).T + (w * M**2).sum(axis=1)
        K = np.exp(-0.5 * (np.maximum(exponent, 0.0) + np.log1p(v / self.theta2).sum(axis=1))) * beta[:, None]
        h, first, second = K.sum(axis=0), K.T @ X, K.T @ squares
        by_M = w * (first - h[:, None] * M)
        apart = second - 2 * M * first + M**2 * h[:, None]  # Σ_i β_i κ_ij (x_il - m_jl)²
        by_s = 0.5 * (w**2 * apart).sum(axis=1) - 0.5 * h * w.sum(axis=1)
        return h, by_M, by_s


def _squares(M):
    """Return the squared distances of the rows of M."""
    lengths = (M**2).sum(axis=1)
    return lengths[:, None] + lengths - 2 * M @ M.T


def _turned(X, beta, C):
    """Return a block in the axes of its covariance: points, their squares, weights, variances along the axes, axes.

    The axes are None if the covariance is diagonal, as those of the library's own estimators are.
    """
    if C is None:
        return X, X**2, beta, np.zeros(X.shape[1]), None
    if np.count_nonzero(C) == np.count_nonzero(C.diagonal()):
        return X, X**2, beta, C.diagonal().copy(), None
    e, U = np.linalg.eigh(C)
    return X @ U, (X @ U) ** 2, beta, np.maximum(e, 0.0), U
