"""Test statistic of a category with many levels: all shares under the delta kernel, plus the level that changes most.

Pearson's chi-squared weighs all levels alike, and most of hundreds of levels are rare. A product whose share goes from
1 % to 5 % is lost among them.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np

from explorer.types import Matrix, Values, Vector

FEW = 50  # the largest number of levels for which Pearson's chi-squared is used, see `level_scores`
SPREAD = 2 * math.pi / math.sqrt(6)  # deviation of the largest of many chi-squared variables of one degree of freedom


class ManyLevels(NamedTuple):
    r"""Category of L levels, with a two-sample statistic T of the numbers of rows of each level.

    Attributes
    ----------
    totals : ndarray of shape (L,) or (w, L)
        Number of the N rows that have each level, for one category or for w categories of N rows each.
    spread : float or ndarray of shape (w,)
        Approximate standard deviation of ``|p - q|²`` over all splits, divided by 1/k + 1/l.

    Notes
    -----
    Two samples of k and l rows have the shares p and q of the levels. Level j has c_j rows, a_j of them in the first
    sample. The statistic is

    .. math::

        T = \frac{|p - q|^2}{(1/k + 1/l)\, s} + \frac{\max_j G_j}{2.57}, \quad s = \sqrt{2 (\sum h^2 - 2 \sum h^3 +
        (\sum h^2)^2)},

        G_j = 2 (a_j \log(a_j / (c_j \pi)) + (c_j - a_j) \log((c_j - a_j) / (c_j (1 - \pi)))),

    with h = c / N, π = k / (k + l) and s the `spread`. ``|p - q|²`` is MMD² under the delta kernel. G_j is the deviance
    of level j, about chi-squared of one degree of freedom if nothing differs. The largest of many of these has the
    deviation 2π / √6 = 2.57, so both parts have a deviation of about 1. T depends on the pooled rows and the split
    alone, so a permutation test by it is exact for exchangeable rows.

    Examples
    --------
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
        """Return the category of pooled codes.

        Parameters
        ----------
        codes : ndarray of shape (N,)
            Codes 0, 1, ... of the levels.
        levels : int
            Number of levels L.

        Returns
        -------
        ManyLevels
            The category.
        """
        return cls.of_totals(np.bincount(codes.astype(int), minlength=levels).astype(float))

    @classmethod
    def of_totals(cls, totals: Values) -> Self:
        """Return the category, or the w categories, with these totals.

        Parameters
        ----------
        totals : ndarray of shape (L,) or (w, L)
            Number of rows of each level.

        Returns
        -------
        ManyLevels
            The category, or the categories.
        """
        h = totals / np.maximum(totals.sum(axis=-1, keepdims=True), 1)
        squares, cubes = np.square(h).sum(axis=-1), (h**3).sum(axis=-1)
        spread = np.sqrt(np.maximum(2 * (squares - 2 * cubes + squares**2), 0.0))
        return cls(totals, spread)

    def statistics(self, first: Matrix, k: Vector) -> Vector:
        """Compute the statistic T of w splits: the distance of all shares plus the largest deviance, see the class.

        Parameters
        ----------
        first : ndarray of shape (w, L)
            Number of rows of each level in the first sample.
        k : ndarray of shape (w,)
            Number of rows of the first sample.

        Returns
        -------
        ndarray of shape (w,)
            T of each split; 0 if a sample is empty or if there is only one level.
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
    """Return counts times their logarithm, 0 for a count of 0."""
    return counts * np.log(np.maximum(counts, 1.0))
