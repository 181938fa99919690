"""Leave-one-out scores of a conditional embedding from features of x and of y, for every regulariser."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.estimators.selection import least
from explorer.types import Matrix, Vector, VectorLike

from .leave_one_out import WIDEST


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
