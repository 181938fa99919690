"""Genuine leave-one-out refits of any spectral filter: n eigendecompositions serve every value of its λ or t."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from explorer.linalg import eigh_psd
from explorer.types import Gram, Matrix, Values, Vector

from .constraints import vanishes
from .filters import SAME
from .selection import first

BATCH = 2**20  # the most numbers in one array of filter values: 8 MB


class Refits:
    """Eigendecompositions of the n Gram matrices with one of n >= 2 points left out.

    They cost O(n · n^3) once, then each value O(n^2).

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The Gram matrix.

    Attributes
    ----------
    top : float
        The largest eigenvalue of K itself.
    diagonal : ndarray of shape (n,)
        The diagonal of K.
    gamma, b, z : ndarray of shape (n, n - 1)
        The arrays of the formula below, a row for each left-out point.

    Raises
    ------
    ValueError
        If K is not positive semi-definite.

    Notes
    -----
    For the left-out i, K_-i = U diag(γ) U'. The estimate of the others is β = U h(γ) b, b = U'1 / (n - 1), with score
    k_ii - 2 h·(b z) + h·(γ b^2 h), z = U' k_i.
    """

    top: float
    diagonal: Values
    gamma: Matrix
    b: Matrix
    z: Matrix

    def __init__(self, K: Gram) -> None:
        n, self.top = len(K), float(eigh_psd(K)[0][-1])  # if K is positive semi-definite, so are its submatrices
        self.diagonal = np.diag(K).copy()
        self.gamma, self.b, self.z = (np.empty((n, n - 1)) for _ in range(3))
        for i in range(n):
            rest = np.delete(np.arange(n), i)
            gamma, U = np.linalg.eigh(K[np.ix_(rest, rest)])
            self.gamma[i], self.b[i], self.z[i] = np.maximum(gamma, 0.0), U.sum(axis=0) / (n - 1), K[i, rest] @ U

    def score(self, filtered: Callable[..., Any], values: Values, normalised: bool = False) -> Vector:
        """Return the leave-one-out score (1/n) sum_i |k(x_i, .) - β^(-i)|^2 at each value of the filter's parameter.

        Parameters
        ----------
        filtered : callable
            Maps eigenvalues (p, n - 1, 1), values (m,) and the largest eigenvalues (p, 1, 1) to h (p, n - 1, m).
        values : array_like of shape (m,)
            The values of the filter's parameter.
        normalised : bool, default False
            Whether each β^(-i) is divided by its sum, (n - 1) h·b^2.

        Returns
        -------
        ndarray of shape (m,)
            The scores; nan if a sum to divide by is 0 apart from rounding.
        """
        n, values = len(self.diagonal), np.asarray(values)
        scores = np.empty((n, len(values)))
        points = max(1, BATCH // max(1, (n - 1) * len(values)))
        for rows in (slice(start, start + points) for start in range(0, n, points)):
            gamma, b, z = (a[rows, :, None] for a in (self.gamma, self.b, self.z))
            h = filtered(gamma, values, gamma.max(axis=1, keepdims=True))
            kept = b * h
            if normalised:
                sums = (n - 1) * (b * kept).sum(axis=1)
                lost = vanishes(h, self.gamma[rows], (n - 1) * self.b[rows])
                kept *= np.divide(1.0, sums, out=np.full(sums.shape, np.nan), where=~lost)[:, None]
            scores[rows] = self.diagonal[rows, None] + ((gamma * kept - 2 * z) * kept).sum(axis=1)
        return scores.mean(axis=0)

    def along(self, path: Iterable[Any]) -> Vector:
        """Return the leave-one-out score of each of several filters, given by their values at the refits' eigenvalues.

        Parameters
        ----------
        path : iterable of ndarray of shape (n, n - 1)
            Each filter's values h at the eigenvalues of the n refits, `gamma`.

        Returns
        -------
        ndarray
            The scores, one for each array of filter values.
        """
        kept = (self.b * h for h in path)
        return np.array([np.mean(self.diagonal + ((self.gamma * k - 2 * self.z) * k).sum(axis=1)) for k in kept])

    def best_threshold(self) -> float:
        """Return the λ of TSVD's least score, exactly.

        Returns
        -------
        float
            The λ.

        Notes
        -----
        The score only changes if λ passes an eigenvalue of some refit. Each eigenvalue is kept or not, so the scores of
        all thresholds are one cumulative sum from the largest eigenvalue down. λ lies in the middle, by ratio, of its
        step; eigenvalues that differ by rounding alone share one. 0 and infinity come first in a tie.
        """
        falling = np.argsort(self.gamma, axis=None)[::-1]
        gamma = self.gamma.ravel()[falling]
        scores = self.diagonal.sum() + np.cumsum(((self.gamma * self.b - 2 * self.z) * self.b).ravel()[falling])
        noise = len(self.diagonal) * np.finfo(float).eps * gamma[0]  # LAPACK's error is a small multiple of this
        below = np.append(gamma[1:], 0.0)
        steps = gamma - below > noise + 4 * SAME * gamma
        lams = np.sqrt(gamma[steps]) * np.sqrt(np.maximum(below[steps], noise))  # the product may overflow
        candidates = np.array([0.0, math.inf, *lams])
        return float(candidates[first(np.array([scores[-1], self.diagonal.sum(), *scores[steps]]))])
