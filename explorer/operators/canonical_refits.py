"""Regularised canonical correlations of two Gram matrices at any λ, and of the n refits that leave one pair out."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from explorer.checks import Refusal
from explorer.estimators.selection import first
from explorer.linalg import eigh_psd
from explorer.types import Gram, Matrix, Vector

SHARES = np.geomspace(
    1e2, 1e-6, 17
)  # candidates of λ over the larger of both largest eigenvalues; ties go to the first
SMALL = 1e-10  # correlations below this share of the largest that λ allows are rounding
STEPS, STILL = 300, 1e-9  # the most steps of the alternation, and the relative change of held-out values that ends it
TIE = 1e-6  # held-out values that differ by less than this share of the largest tie


class Canonical(NamedTuple):
    """Canonical correlations and the coefficients of their functions u_k = Σ_i a_ik φ~(x_i) and v_k.

    Attributes
    ----------
    correlations : ndarray of shape (r,)
        The correlations, falling.
    left, right : ndarray of shape (n, r)
        The coefficients of u_k and of v_k.
    """

    correlations: np.ndarray
    left: np.ndarray
    right: np.ndarray


class Side(NamedTuple):
    """The eigenvalues γ (r,) above rounding and eigenvectors U (n, r) of a centred Gram matrix."""

    gamma: np.ndarray
    U: np.ndarray

    @classmethod
    def of(cls, K: Gram, name: str) -> Self:
        """Return the eigenpairs of a Gram matrix, or raise a Refusal if all are rounding."""
        gamma, U = eigh_psd(K)
        kept = gamma > len(K) * np.finfo(float).eps * max(gamma[-1], K.diagonal().max())
        if not kept.any():
            raise Refusal(f"the points of {name} do not vary under their kernel; take another bandwidth.")
        return cls(gamma[kept], U[:, kept])

    @property
    def features(self) -> Matrix:
        """The coordinates (n, r) of the centred features."""
        return self.U * np.sqrt(self.gamma)


class Whitened:
    """Two centred Gram matrices (n, n), decomposed once for every λ.

    If the pairs have `counts` (n,), K and L are multiplied by the roots of the counts on either side.
    """

    counts: Vector | None
    n: int | float
    top: float
    x: Side
    y: Side
    common: Matrix

    def __init__(self, K: Gram, L: Gram, counts: Vector | None = None) -> None:
        self.x, self.y, self.counts = Side.of(K, "X"), Side.of(L, "Y"), counts
        self.n = len(K) if counts is None else float(counts.sum())
        self.common = self.x.U.T @ self.y.U  # the cosines between both sides' directions, shape (r, s)
        self.top = float(max(self.x.gamma[-1], self.y.gamma[-1]))

    def at(self, lam: float, most: int) -> Canonical:
        """Return the `Canonical` at λ, with at most `most` pairs.

        S = diag(γ/(γ+λ))^(1/2) U'V diag(δ/(δ+λ))^(1/2) = Σ ρ_k p_k q_k', and u_k has the coefficients sqrt(n) U (γ
        (γ+λ))^(-1/2) p_k. With p_k = S q_k / ρ_k they are computed without division by a small γ.
        """
        P, rho, Q = self._decomposed(lam)
        keep_x, keep_y = (np.sqrt(side.gamma / (side.gamma + lam))[:, None] for side in (self.x, self.y))
        kept = (rho > SMALL * keep_x.max() * keep_y.max()) & (np.arange(len(rho)) < most)
        P, rho, Q = P[:, kept], rho[kept], Q[:, kept]
        scale = np.sqrt(self.n) / rho
        left = self.x.U @ ((self.common @ (keep_y * Q)) / (self.x.gamma + lam)[:, None]) * scale
        right = self.y.U @ ((self.common.T @ (keep_x * P)) / (self.y.gamma + lam)[:, None]) * scale
        return Canonical(rho, left, right)

    def scores(self, lams: Vector) -> Vector:
        """Return 1 minus the rank correlation of the held-out values of the first pair, at each λ, (m,)."""
        return np.array([1 - _rank_correlation(*self.held_out(lam), self.counts) for lam in lams])

    def best_lam(self) -> float:
        """Return the λ of the least score."""
        return float(self.top * SHARES[first(self.scores(self.top * SHARES))])

    def held_out(self, lam: float) -> tuple[Vector, Vector]:
        """Return u^(-i)(x_i) and v^(-i)(y_i), (n,) each, of the n refits, all at a time.

        With features f_i, g_i of the centred sample and c = n/(n-1), the others have the scatter matrices F'F - c f f'
        and F'G - c f g', and x_i lies c f_i from their mean. Their first pair solves p ∝ (F'F - c f f' + λ)^-1 (F'G - c
        f g') q and the same for q. The two are alternated from the pair of all, by Sherman and Morrison's formula. If a
        pair counts several times, one copy is left out; if it counts less than once, all of it is: m of n, and c =
        n/(n-m).
        """
        F, G = self.x.features, self.y.features
        if self.counts is None:
            left, c = 1.0, self.n / (self.n - 1)
        else:
            root = np.sqrt(self.counts)[:, None]
            F, G, left = F / root, G / root, np.minimum(self.counts, 1.0)
            c = self.n / (self.n - left)
        size = np.sqrt(self.n - left) * c  # scales the functions of the others and the distance of x_i from their mean
        c = c * left  # the outer products are subtracted as often as the pair is left out
        D, E = self.x.gamma + lam, self.y.gamma + lam
        cross = np.sqrt(self.x.gamma)[:, None] * self.common * np.sqrt(self.y.gamma)
        P, _, Q = self._decomposed(lam)
        p, q = (np.repeat((A[:, 0] / np.sqrt(B))[:, None], len(F), axis=1) for A, B in ((P, D), (Q, E)))
        u, v = size * np.einsum("ij,ji->i", F, p), size * np.einsum("ij,ji->i", G, q)
        for _ in range(STEPS):
            before = u, v
            p = _half_step(F, D, cross @ q - c * F.T * np.einsum("ij,ji->i", G, q), c)
            q = _half_step(G, E, cross.T @ p - c * G.T * np.einsum("ij,ji->i", F, p), c)
            u, v = size * np.einsum("ij,ji->i", F, p), size * np.einsum("ij,ji->i", G, q)
            pairs = zip((u, v), before, strict=True)
            if all(np.abs(now - then).max() <= STILL * np.abs(now).max() for now, then in pairs):
                break
        return u, v

    def _decomposed(self, lam):
        """Return p_k (r, t), ρ (t,) falling and q_k (s, t) with S = Σ_k ρ_k p_k q_k'."""
        keep_x, keep_y = (np.sqrt(side.gamma / (side.gamma + lam)) for side in (self.x, self.y))
        P, rho, Qt = np.linalg.svd(keep_x[:, None] * self.common * keep_y, full_matrices=False)
        return P, rho, Qt.T


def _half_step(F, D, right, c):
    """Return (diag(D) - c f_i f_i')^-1 right_i for every i, (r, n), scaled to length 1 in the norm of that matrix."""
    solved = right / D[:, None]
    of_points = (F / D).T
    leverage = np.einsum("ij,ji->i", F, of_points)
    solved += of_points * (c * np.einsum("ij,ji->i", F, solved) / (1 - c * leverage))
    length = np.sqrt(np.maximum(np.einsum("ri,ri->i", solved, right), 0.0))
    return solved / np.maximum(length, np.finfo(float).tiny)


def _rank_correlation(u, v, counts=None):
    """Return Spearman's correlation of values (n,), or 0 if a side is constant.

    Values tie if they differ by less than the alternation's error. `counts` (n,) is how often each pair counts; None is
    once each. Pearson's correlation would be dominated by one value far from the others, where functions that are too
    rough agree.
    """
    once = np.ones(len(u)) if counts is None else counts
    r, t = (_ranks(np.round(each / (TIE * np.abs(each).max(initial=np.finfo(float).tiny))), once) for each in (u, v))
    size = np.sqrt((once @ r**2) * (once @ t**2))
    return float((once * r) @ t / size) if size > 0 else 0.0


def _ranks(values, counts):
    """Return the mean-centred ranks of values (n,); ties share their mid-rank, and row i counts `counts[i]` times."""
    _, group = np.unique(values, return_inverse=True)
    passed = np.cumsum(np.bincount(group, counts))
    ranks = (passed - np.bincount(group, counts) / 2)[group]
    return ranks - counts @ ranks / counts.sum()
