"""Learnt pre-images for any kernel: points from their scores by kernel ridge regression."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from explorer.estimators.selection import first
from explorer.kernels import Gaussian, median_and_remark
from explorer.linalg import eigh_psd
from explorer.types import Matrix, Points

LAMBDAS = np.geomspace(1e-10, 1e2, 49)  # candidates of λ over the largest eigenvalue: four in a decade
ENOUGH = 2000  # the most points from which the regression is learnt


class ScoreRegression(NamedTuple):
    """Gaussian kernel ridge regression x = x̄ + Σ_i c_i k(s, s_i) of points on scores, with one λ for all coordinates.

    Attributes
    ----------
    kernel : Gaussian
        The kernel of the scores.
    scores : ndarray of shape (n, r)
        The scores of the sample.
    mean : ndarray of shape (d,)
        The mean x̄.
    coefficients : ndarray of shape (n, d)
        The coefficients c.
    """

    kernel: Gaussian
    scores: np.ndarray
    mean: np.ndarray
    coefficients: np.ndarray

    @classmethod
    def of(cls, scores: Matrix, X: Points) -> Self:
        """Return the regression from scores (n, r) and points (n, d), n >= 2.

        λ has the least leave-one-out error Σ_i |(A^-1 (X - x̄))_i / (A^-1)_ii|², A = K + λI, of refits that keep x̄.
        Each coordinate counts in units of its own variance. If there are more than 2000 points, 2000 of them are taken,
        evenly spaced.
        """
        rows = np.linspace(0, len(X) - 1, min(len(X), ENOUGH)).round().astype(int)
        scores, X = scores[rows], X[rows]
        kernel = Gaussian(median_and_remark(scores)[0])  # 1 if scores coincide
        gamma, U = eigh_psd(kernel(scores))
        mean = X.mean(axis=0)
        moved = X - mean
        turned, unit = U.T @ moved, moved.std(axis=0)
        unit[unit == 0] = 1.0  # a constant coordinate: equal numbers may differ from their mean by rounding
        losses, squares = [], U**2
        for lam in LAMBDAS * gamma[-1]:
            inverse = 1 / (gamma + lam)
            left_out = U @ (inverse[:, None] * turned) / (squares @ inverse)[:, None]
            losses.append(float(((left_out / unit) ** 2).sum()))
        lam = LAMBDAS[first(np.array(losses))] * gamma[-1]
        return cls(kernel, scores, mean, U @ (turned / (gamma + lam)[:, None]))

    def predict(self, S: Points) -> Matrix:
        """Return points (m, d) at scores S (m, r)."""
        return self.mean + self.kernel(S, self.scores) @ self.coefficients
