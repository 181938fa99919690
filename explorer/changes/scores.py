"""Scores of rows by functions that some of a reference's rows were enough to learn, and their ranks among all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.discrepancy.resampling.permutation import centred
from explorer.linalg import eigh_psd
from explorer.types import Matrix, Points, Values

if TYPE_CHECKING:
    from explorer.kernels import Kernel

COMPONENTS = 11  # kernel principal components at most
LEAST = 0.01  # of the features' variance: components of less are left out
ROUNDING = 1e-12  # of the kernel's values: features that vary by less are alike but for rounding
DIGITS = 9  # of a score: rows that are equal have equal ones, whatever batch they come in


class Scores:
    """K functions of a row: how near it is to the kernel mean μ of the rows Z (z, d), and their principal components.

    The first function is half of the squared distance of φ(x) = k(x, .) from μ, with its sign turned and a constant c
    added:

        c - |φ(x) - μ|² / 2 = mean_j k(x, z_j) - (k(x, x) - mean_j k(z_j, z_j)) / 2,   c so that both sides agree,

    the kernel mean itself if k(x, x) is the same everywhere. It is low if no row of Z is near. It does not depend on
    the origin of the features, so `Kernel.contrast` may take part of it; the kernel mean of a contrast alone would
    not be so. A principal component moves with the rows' place or, as one of several that are curved, with their
    spread and with how coordinates go together; its weights sum to 0. All are sums of k(z_j, .), weights (z, K).
    """

    def __init__(self, kernel: Kernel, Z: Points) -> None:
        self.kernel, self.Z = kernel.contrast(Z, 0.0), Z
        K = self.kernel(Z)
        diagonal = self.kernel.expected_diagonal(Z, None)
        values, vectors = eigh_psd(centred(K))
        least = max(LEAST * values.sum(), ROUNDING * np.abs(diagonal).sum())
        kept = np.flatnonzero(values > least)[-COMPONENTS:]
        self.weights = np.column_stack([np.full(len(Z), 1 / len(Z)), vectors[:, kept[::-1]]])
        self._usual = float(diagonal.mean())
        self.sizes = np.abs(self._sums(K, diagonal)).max(axis=0)

    @property
    def count(self) -> int:
        """K."""
        return self.weights.shape[1]

    def __call__(self, X: Points) -> Matrix:
        """The scores of rows X (m, d), (m, K), in units of the largest one of Z."""
        scores = self._sums(self.kernel(X, self.Z), self.kernel.expected_diagonal(X, None))
        return np.column_stack([_rounded(s, size) for s, size in zip(scores.T, self.sizes, strict=True)])

    def _sums(self, K, diagonal):
        """The scores (m, K) of rows whose kernel with Z, (m, z), and with themselves, (m,), are given."""
        scores = K @ self.weights
        scores[:, 0] -= (diagonal - self._usual) / 2
        return scores


def _rounded(scores, size):
    """Scores (m,) to DIGITS digits of their size; if it is 0, as all rows of Z are alike, each to digits of its own."""
    if size > 0:
        return np.round(scores / size, DIGITS)
    with np.errstate(divide="ignore"):
        digits = DIGITS - 1 - np.floor(np.log10(np.abs(scores)))
    unit = np.power(10.0, np.where(scores == 0, 0.0, digits))
    return np.round(scores * unit) / unit


class Ranks:
    """The scores of all rows so far, (n, K), and where the next ones stand among them."""

    def __init__(self, scores: Matrix) -> None:
        self.sorted = [np.sort(column) for column in scores.T]

    def pvalues(self, scores: Matrix, random: Values) -> Matrix:
        """p of m rows by each of K scores, (m, K), and take the rows in, one after the other.

        p_i = (#{s_j > s_i} + θ_i #{s_j = s_i}) / #{j} over all rows up to the i-th, itself included, with θ_i `random`,
        (m, K), uniform on [0, 1): the share of rows that score higher, ties broken at random.
        """
        found, earlier = np.empty(scores.shape), np.tri(len(scores), k=-1, dtype=bool)
        for k, s in enumerate(scores.T):
            before = self.sorted[k]
            high = len(before) - np.searchsorted(before, s, side="right")
            high += np.count_nonzero((s > s[:, None]) & earlier, axis=1)
            equal = len(before) - np.searchsorted(before, s, side="left") + 1
            equal += np.count_nonzero((s >= s[:, None]) & earlier, axis=1) - high
            found[:, k] = (high + random[:, k] * equal) / (len(before) + 1 + np.arange(len(s)))
            self.sorted[k] = np.sort(np.concatenate([before, s]), kind="stable")
        return found
