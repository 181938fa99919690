"""Scores of rows by functions that are learnt on some rows of a reference, and their ranks among all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.discrepancy.resampling.permutation import centred
from explorer.linalg import eigh_psd
from explorer.types import Matrix, Points, Values

if TYPE_CHECKING:
    from explorer.kernels import Kernel

COMPONENTS = 11  # most kernel principal components
LEAST = 0.01  # components with a smaller share of the features' variance are left out
ROUNDING = 1e-12  # features that vary by less than this share of the kernel's values are equal up to rounding
DIGITS = 9  # digits of a score, so that equal rows have equal scores in any batch


class Scores:
    r"""K functions of a row: how near it is to the kernel mean μ of the rows Z (z, d), and their principal components.

    The first function is minus half of the squared distance of φ(x) = k(x, .) from μ, plus a constant c:

    .. math::
        c - \tfrac12 \| \varphi(x) - \mu \|^2
        = \mathrm{mean}_j\, k(x, z_j) - \tfrac12 \bigl( k(x, x) - \mathrm{mean}_j\, k(z_j, z_j) \bigr),

    with c such that both sides agree. It is the kernel mean itself if k(x, x) is the same everywhere, and low if no row
    of Z is near. It does not depend on the origin of the features, so `Kernel.contrast` may subtract part of the
    kernel; the kernel mean of a contrast alone would depend on it. A principal component moves with the rows' location
    or, as one of several curved components, with their spread and with the dependence of coordinates; its weights sum
    to 0. All are sums of k(z_j, .), weights (z, K).
    """

    def __init__(self, kernel: Kernel, Z: Points) -> None:
        self.kernel, self.Z = kernel.contrast(Z, 0.0), Z
        K = self.kernel(Z)
        diagonal = self.kernel.expected_diagonal(Z, None)
        values, vectors = eigh_psd(centred(K))
        least = max(LEAST * values.sum(), ROUNDING * np.abs(diagonal).sum())
        leading = np.flatnonzero(values > least)[-COMPONENTS:]
        self.weights = np.column_stack([np.full(len(Z), 1 / len(Z)), vectors[:, leading[::-1]]])
        self._usual = float(diagonal.mean())
        self.sizes = np.abs(self._sums(K, diagonal)).max(axis=0)

    @property
    def count(self) -> int:
        """Number K of functions."""
        return self.weights.shape[1]

    def __call__(self, X: Points) -> Matrix:
        """Return the scores of rows X (m, d), shape (m, K), in units of the largest score of Z."""
        scores = self._sums(self.kernel(X, self.Z), self.kernel.expected_diagonal(X, None))
        return np.column_stack([_rounded(s, size) for s, size in zip(scores.T, self.sizes, strict=True)])

    def _sums(self, K, diagonal):
        """Return the scores (m, K) of rows from their kernel with Z, (m, z), and with themselves, (m,)."""
        scores = K @ self.weights
        scores[:, 0] -= (diagonal - self._usual) / 2
        return scores


def _rounded(scores, size):
    """Return scores (m,) rounded to DIGITS digits of their size, or each of its own if the size is 0.

    The size is 0 if all rows of Z are equal.
    """
    if size > 0:
        return np.round(scores / size, DIGITS)
    with np.errstate(divide="ignore"):
        digits = DIGITS - 1 - np.floor(np.log10(np.abs(scores)))
    unit = np.power(10.0, np.where(scores == 0, 0.0, digits))
    return np.round(scores * unit) / unit


class Ranks:
    """Scores of all rows so far, (n, K), and the ranks of the next rows among them."""

    def __init__(self, scores: Matrix) -> None:
        self.sorted = [np.sort(column) for column in scores.T]

    def pvalues(self, scores: Matrix, random: Values) -> Matrix:
        """Return p of m rows by each of K scores, shape (m, K), and add the rows one after the other.

        p_i = (#{s_j > s_i} + θ_i #{s_j = s_i}) / #{j} over all rows up to the i-th, itself included. θ_i is `random`,
        (m, K), uniform on [0, 1): this is the share of rows that score higher, with ties broken at random.
        """
        pvalues, earlier = np.empty(scores.shape), np.tri(len(scores), k=-1, dtype=bool)
        for k, s in enumerate(scores.T):
            before = self.sorted[k]
            high = len(before) - np.searchsorted(before, s, side="right")
            high += np.count_nonzero((s > s[:, None]) & earlier, axis=1)
            equal = len(before) - np.searchsorted(before, s, side="left") + 1
            equal += np.count_nonzero((s >= s[:, None]) & earlier, axis=1) - high
            pvalues[:, k] = (high + random[:, k] * equal) / (len(before) + 1 + np.arange(len(s)))
            self.sorted[k] = np.sort(np.concatenate([before, s]), kind="stable")
        return pvalues
