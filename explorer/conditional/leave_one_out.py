"""Leave-one-out scores of a conditional embedding, for every regulariser, from one decomposition.

`Refits` takes the Gram matrices of x and y, `ThinRefits` features of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.estimators.selection import least
from explorer.linalg import eigh_psd, pivoted_cholesky, symmetrise
from explorer.types import Gram, Matrix, Values, Vector, VectorLike

THIN = 4  # y's Gram matrix counts as thin if its rank is below n / THIN
BATCH = 2**18  # most numbers in one product: two megabytes stay in the processor's cache
WIDEST = 1e4  # the largest λ over K's largest eigenvalue: predictions are nearly 0 there, and larger λ change nothing


class Refits:
    r"""The n refits that each leave one pair (x_i, y_i) out, for every λ, from the Gram matrices K of x and G of y.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Gram matrix of x.
    G : ndarray of shape (n, n)
        Gram matrix of y.
    counts : ndarray of shape (n,) or None, default None
        How often each pair counts, c_i.
    decomposed : tuple of (ndarray, ndarray) or None, default None
        Eigenvalues and eigenvectors of K, if the caller has several G for one K.

    Notes
    -----
    With W = (K + λI)^-1, the i-th refit errs at x_i by (WΦ)_i / W_ii, where Φ are the features of y. Its squared norm
    is

    .. math:: \frac{(W G W)_{ii}}{W_{ii}^2}.

    Nothing is refitted. With K = U diag(γ) U' and G = HH', H (n, r), each λ costs O(n² r); a G that is not thin costs
    O(n³) for each.

    If pairs count c_i times, each refit leaves one copy out, or the whole pair if c_i is below one: C^(1/2) K C^(1/2)
    and C^(1/2) G C^(1/2) with C = diag(c) replace K and G, and one copy has the share 1 / max(c_i, 1) of 1 - λW_ii, the
    leverage of all copies.
    """

    gamma: Vector
    rotated: Values
    counts: Vector
    squares: Matrix

    def __init__(
        self, K: Gram, G: Gram, counts: Vector | None = None, decomposed: tuple[Vector, Matrix] | None = None
    ) -> None:
        self.counts = np.ones(len(K)) if counts is None else counts
        if counts is not None:
            root = np.sqrt(counts)
            K, G = K * np.outer(root, root), G * np.outer(root, root)
        self.gamma, self.U = eigh_psd(K) if decomposed is None else decomposed
        self.squares = self.U**2
        n = len(K)
        factor = pivoted_cholesky(G.diagonal().copy(), G.__getitem__, rank=max(1, n // THIN))
        thin = factor.residual[-1] <= n * np.finfo(float).eps * factor.residual[0]
        self.rotated = self.U.T @ factor.F if thin else self.U.T @ G @ self.U
        self.thin = thin

    def scores(self, lam: Sequence[float] | Vector) -> Vector:
        """Return the mean squared RKHS distance of k_y(y_i, .) from its prediction by the other pairs, at each λ.

        Parameters
        ----------
        lam : array_like of shape (m,)
            Values of λ.

        Returns
        -------
        ndarray of shape (m,)
            Leave-one-out scores.
        """
        lam = np.asarray(lam, dtype=float)
        inverse = 1 / (self.gamma[:, None] + lam)
        norms = self._thin(inverse) if self.thin else self._full(inverse)
        share = 1 / np.maximum(self.counts, 1)[:, None]
        left = (1 - share) / lam + share * (self.squares @ inverse)  # (1 - leverage of one copy) / λ
        return (norms / left**2).sum(axis=0) / self.counts.sum()

    def _thin(self, S):
        """Return (WGW)_ii, shape (n, m), for W of eigenvalues S (n, m): |WH|² row by row, several λ in each product."""
        (n, r), m = self.rotated.shape, S.shape[1]
        if r == 0:  # all features of y are 0, as those of zeros under a linear kernel
            return np.zeros((n, m))
        step = max(1, BATCH // (n * r))
        parts = [np.empty((n, 0))]
        for i in range(0, m, step):
            some = (S[:, i : i + step, None] * self.rotated[:, None, :]).reshape(n, -1)
            parts.append(((self.U @ some) ** 2).reshape(n, -1, r).sum(axis=2))
        return np.concatenate(parts, axis=1)

    def _full(self, S):
        """Return (WGW)_ii, shape (n, m): one product (n, n) x (n, n) for each λ."""
        return np.array([(((self.U * s) @ self.rotated) * (self.U * s)).sum(axis=1) for s in S.T]).T

    def residual_products(self, lam: float) -> Matrix:
        """Return R G R with R = λ (K + λI)^-1: the inner products of the residuals of the features of y.

        If points coincide, K has null directions. R is 1 there, whatever rounding makes of the eigenvalues.

        Parameters
        ----------
        lam : float
            Regulariser λ.

        Returns
        -------
        ndarray of shape (n, n)
            Inner products.
        """
        gamma = np.where(self.gamma > len(self.gamma) * np.finfo(float).eps * self.gamma[-1], self.gamma, 0.0)
        share = lam / (gamma + lam)
        rotated = share[:, None] * self.rotated
        if self.thin:
            features = self.U @ rotated
            return features @ features.T
        return symmetrise(self.U @ (rotated * share) @ self.U.T)

    def weights(self, B: Vector, lam: Vector) -> Matrix:
        """Return (K + λI)^-1 B at each λ for one B. The cost is O(n² m), and nothing is factorised.

        Parameters
        ----------
        B : ndarray of shape (n,)
            Right-hand side.
        lam : ndarray of shape (m,)
            Values of λ.

        Returns
        -------
        ndarray of shape (m, n)
            A row for each λ.
        """
        return (self.U.T @ B / (self.gamma + np.asarray(lam, dtype=float)[:, None])) @ self.U.T

    def best(self) -> float:
        """Return the λ of the least score, between K's rounding and 10^4 times its largest eigenvalue.

        Returns
        -------
        float
            The chosen λ.
        """
        top = max(self.gamma[-1], np.finfo(float).tiny)
        return least(self.scores, self.counts.sum() * np.finfo(float).eps * top, WIDEST * top)


class ThinRefits:
    """The n refits that each leave one pair out, of ridge regression of features H (n, q) of y on F (n, r) of x.

    With F = U diag(s) V', γ = s² and g = γ / (γ + λ), the fitted features are U diag(g) U'H, and the i-th refit errs by
    the i-th residual over 1 - h_i, h_i = Σ_j g_j U_ij². Residuals and 1 - h_i are sums of what U leaves and of what λ
    leaves, 1 - g = λ / (γ + λ), so that no two nearly equal numbers are subtracted. The cost is O(n r q) for each λ.

    `diagonal` is k_y(y_i, y_i), (n,): the part that H leaves counts as noise that differs independently from point to
    point.
    """

    outside: Any
    noise: Any | None
    gamma: Vector
    squares: Matrix
    within: Matrix
    beyond: Matrix

    def __init__(self, F: Matrix, H: Matrix, diagonal: Vector) -> None:
        self.U, s, _ = np.linalg.svd(F, full_matrices=False)
        self.gamma, self.squares = s**2, self.U**2
        self.within = self.U.T @ H
        self.beyond = H - self.U @ self.within
        self.outside = np.maximum(1 - self.squares.sum(axis=1), 0.0)
        noise = np.maximum(diagonal - (H**2).sum(axis=1), 0.0)
        self.noise = noise if noise.sum() > len(H) * np.finfo(float).eps * diagonal.sum() else None

    def scores(self, lam: VectorLike) -> Vector:
        """Return the mean squared RKHS distance of k_y(y_i, .) from its prediction by the other pairs, for each λ."""
        return np.array([self._score(each) for each in np.asarray(lam, dtype=float)])

    def _score(self, lam):
        left = lam / (self.gamma + lam)
        residuals = self.beyond + (self.U * left) @ self.within
        off = self.outside + self.squares @ left  # 1 - h_i
        errors = np.square(residuals).sum(axis=1) / off**2
        if self.noise is not None:
            g = self.U * (1 - left)
            weighed = ((g @ (self.U.T @ (self.noise[:, None] * self.U))) * g).sum(axis=1)  # Σ_j S_ij² d_j
            errors += self.noise + (weighed - (1 - off) ** 2 * self.noise) / off**2
        return errors.mean()

    def best(self) -> float:
        """Return the λ of the least score, between K̂'s rounding and 10^4 times its largest eigenvalue."""
        top = max(self.gamma.max(initial=0.0), np.finfo(float).tiny)
        return least(self.scores, len(self.U) * np.finfo(float).eps * top, WIDEST * top)
