"""Points from their scores by kernel ridge regression: pre-images that are learnt, for any kernel."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from explorer.estimators.selection import first
from explorer.kernels import Gaussian, median_and_remark
from explorer.linalg import eigh_psd
from explorer.types import Matrix, Points

LAMBDAS = np.geomspace(1e-10, 1e2, 49)  # of the largest eigenvalue: four in a decade
ENOUGH = 2000  # points that the regression is learnt from


class ScoreRegression(NamedTuple):
    """x = x̄ + Σ_i c_i k(s, s_i): Gaussian kernel ridge regression of points on scores, all coordinates by one λ.

    kernel, scores (n, r)   those of the sample
    mean (d,), coefficients (n, d)
    """

    kernel: Gaussian
    scores: np.ndarray
    mean: np.ndarray
    coefficients: np.ndarray

    @classmethod
    def of(cls, scores: Matrix, X: Points) -> Self:
        """From scores (n, r) and points (n, d), n >= 2.

        λ has the least leave-one-out error Σ_i |(A^-1 (X - x̄))_i / (A^-1)_ii|², A = K + λI, of refits that keep x̄.
        Each coordinate counts in units of its own variance. Of more than 2000 points 2000 are taken, evenly spaced.
        """
        rows = np.linspace(0, len(X) - 1, min(len(X), ENOUGH)).round().astype(int)
        scores, X = scores[rows], X[rows]
        apart = scores.std(axis=0).max()
        kernel = Gaussian(median_and_remark(scores)[0]) if apart > 0 else Gaussian(1.0)  # scores may coincide
        gamma, U = eigh_psd(kernel(scores))
        mean = X.mean(axis=0)
        moved = X - mean
        turned, unit = U.T @ moved, moved.std(axis=0)
        unit[unit == 0] = 1.0  # equal numbers may miss their mean by rounding
        losses, squares = [], U**2
        for lam in LAMBDAS * gamma[-1]:
            inverse = 1 / (gamma + lam)
            left_out = U @ (inverse[:, None] * turned) / (squares @ inverse)[:, None]
            losses.append(float(((left_out / unit) ** 2).sum()))
        lam = LAMBDAS[first(np.array(losses))] * gamma[-1]
        return cls(kernel, scores, mean, U @ (turned / (gamma + lam)[:, None]))

    def predict(self, S: Points) -> Matrix:
        """Points (m, d) at scores S (m, r)."""
        return self.mean + self.kernel(S, self.scores) @ self.coefficients
