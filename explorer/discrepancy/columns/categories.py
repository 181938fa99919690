"""The statistic of a category of many levels: all shares under the delta kernel, and the level that stands out.

Pearson's chi-squared weighs all levels alike, and of hundreds of levels most are rare: a product whose share goes from
1 % to 5 % is lost among them.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np

from explorer.types import Matrix, Values, Vector

FEW = 50  # levels up to which Pearson's chi-squared is taken, see `level_scores`
SPREAD = 2 * math.pi / math.sqrt(6)  # deviation of the largest of many chi-squared variables of one degree of freedom


class ManyLevels(NamedTuple):
    """A category of L levels, whose statistic follows from how many rows of each level the first sample has.

    totals  how many of N rows have each level, (L,); or those of w categories of N rows each, (w, L)
    spread  the deviation of |p - q|² over all splits, divided by 1/k + 1/l, about

    For shares p and q of the levels in two samples of k and l rows, of which c_j have level j, a_j of them in the first
    sample, the statistic is

        T = |p - q|² / ((1/k + 1/l) spread) + max_j G_j / 2.57,    spread = sqrt(2 (Σ h² - 2 Σ h³ + (Σ h²)²)),
        G_j = 2 (a_j log(a_j / (c_j π)) + (c_j - a_j) log((c_j - a_j) / (c_j (1 - π)))),

    with h = c / N and π = k / (k + l). |p - q|² is MMD² under the delta kernel. G_j is the deviance of level j, about
    chi-squared of one degree of freedom if nothing differs, and 2π / √6 = 2.57 is the deviation of the largest of many
    of these: both parts have a deviation of about 1. T depends on the pooled rows and the split alone, so a permutation
    test by it is exact for exchangeable rows.

    >>> import numpy as np
    >>> from explorer.discrepancy.columns.categories import ManyLevels
    >>> category = ManyLevels.of(np.array([0, 0, 0, 0, 1, 2]), 3)
    >>> category.statistics(np.array([[3.0, 0.0, 0.0], [2.0, 1.0, 0.0]]), np.array([3.0, 3.0])).round(2)
    array([2.44, 1.17])
    """

    totals: Values
    spread: Values

    @classmethod
    def of(cls, codes: Vector, levels: int) -> Self:
        """Return the category of pooled codes 0, 1, ... (N,)."""
        return cls.of_totals(np.bincount(codes.astype(int), minlength=levels).astype(float))

    @classmethod
    def of_totals(cls, totals: Values) -> Self:
        """Return the category, or the w categories, with these totals."""
        h = totals / np.maximum(totals.sum(axis=-1, keepdims=True), 1)
        squares, cubes = np.square(h).sum(axis=-1), (h**3).sum(axis=-1)
        spread = np.sqrt(np.maximum(2 * (squares - 2 * cubes + squares**2), 0.0))
        return cls(totals, spread)

    def statistics(self, first: Matrix, k: Vector) -> Vector:
        """Return T of w splits, (w,), from the counts of the levels in the first sample (w, L), of k rows in all (w,).

        If a sample is empty, or if there is one level alone, T is 0.
        """
        N = self.totals.sum(axis=-1)
        some = (k > 0) & (k < N) & (np.count_nonzero(self.totals, axis=-1) > 1)
        k = np.where(some, k, 1.0)
        rest = np.maximum(N - k, 1.0)
        inverse = 1 / k + 1 / rest
        apart = first * inverse[:, None] - self.totals / rest[:, None]
        squares = np.einsum("wj,wj->w", apart, apart) / inverse
        others = self.totals - first
        deviances = _times_log(first) + _times_log(others) - _times_log(self.totals)
        deviances -= first * np.log(k / (k + rest))[:, None] + others * np.log(rest / (k + rest))[:, None]
        return np.where(
            some, squares / np.where(self.spread > 0, self.spread, 1.0) + 2 * deviances.max(axis=1) / SPREAD, 0.0
        )


def _times_log(counts: Values) -> Values:
    """Counts times their logarithm, 0 of 0."""
    return counts * np.log(np.maximum(counts, 1.0))
