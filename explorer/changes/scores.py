"""Scores of rows by functions that some of a reference's rows were enough to learn, and their ranks among all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.discrepancy.permutation import centred
from explorer.linalg import eigh_psd
from explorer.types import Matrix, Points, Values

if TYPE_CHECKING:
    from explorer.kernels import Kernel

COMPONENTS = 11  # kernel principal components at most
LEAST = 0.01  # of the features' variance: components of less are left out
DIGITS = 9  # of a score: rows that are equal have equal ones, whatever batch they come in


class Scores:
    """K functions of a row: the kernel mean of the rows Z (z, d), and the kernel principal components of these.

    The kernel mean is low where no row of Z is near; a component moves with the rows' place or, as one of several that
    are curved, with their spread and with how coordinates go together. All are sums of k(z_j, .), weights (z, K).
    """

    def __init__(self, kernel: Kernel, Z: Points) -> None:
        self.kernel, self.Z = kernel.contrast(Z, 0.0), Z
        K = self.kernel(Z)
        values, vectors = eigh_psd(centred(K))
        kept = np.flatnonzero(values > LEAST * values.sum())[-COMPONENTS:]
        self.weights = np.column_stack([np.full(len(Z), 1 / len(Z)), vectors[:, kept[::-1]]])
        sizes = np.abs(K @ self.weights).max(axis=0)
        self.sizes = np.where(sizes > 0, sizes, 1.0)

    @property
    def count(self) -> int:
        """K."""
        return self.weights.shape[1]

    def __call__(self, X: Points) -> Matrix:
        """The scores of rows X (m, d), (m, K)."""
        return np.round(self.kernel(X, self.Z) @ self.weights / self.sizes, DIGITS)


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
