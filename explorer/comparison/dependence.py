"""Dependence of two columns in one sample: correlations of scores of its own ranks, and the influence of rows on them.

A correlation of scores of a sample's own ranks does not depend on a column's units nor, if the column has no ties, on
its distribution: it is a number of the sample's copula alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.discrepancy.columns.ties import Ties
from explorer.types import Mask, Matrix, Rows, Values, Vector

MOST = 8  # most levels of a category with an indicator of their own; the others share one
# Least number of rows that a score distinguishes from the rest, in each sample: from 5 on, tests of level .05 rejected
# .1 of true null hypotheses
FEWEST = 10
BEND = 0.1  # a number has a second score if at least this share of rows lies outside its two most frequent values
DISTANCES = 0.5  # weight of scores of distances from the median: dependence is mostly between ranks, but both matter
ALIKE = 1e-9  # deviations below this are rounding, since scores have deviation 1


class OwnScores(NamedTuple):
    """Scores of a column in one sample, each centred and divided by its deviation there.

    Attributes
    ----------
    values : ndarray of shape (k, n)
        The scores φ. Those of a number are -cos(πu) and cos(2πu): the first grows with its rank u, the second with the
        distance of u from the middle. Those of a category are indicators of levels.
    slopes : ndarray of shape (k, n) or None
        The derivatives φ'; None for a category, whose scores depend on no rank.
    ties : Ties or None
        Ties of a number; None for a category.
    scale : ndarray of shape (k, n)
        Half the influence of each row on the variance of φ, divided by that variance.
    weights : ndarray of shape (k,)
        Weight of each score in a test.
    """

    values: Matrix
    slopes: Matrix | None
    ties: Ties | None
    scale: Matrix
    weights: Vector

    @classmethod
    def of_number(cls, x: Vector, count: int) -> OwnScores:
        """Return the first `count` scores of numbers x, shape (n,)."""
        ties = Ties.of(x)
        u = ties.ranks()
        values, deviations = standardised(number_scores(u, count))
        slopes = np.pi * np.stack([np.sin(np.pi * u), -2 * np.sin(2 * np.pi * u)])[:count] / deviations
        scale = (values**2 - 1) / 2 + ties.by_ranks(slopes * values)
        return cls(values, slopes, ties, scale, np.array([1.0, DISTANCES])[:count])

    @classmethod
    def of_category(cls, codes: Vector, levels: Rows) -> OwnScores:
        """Return indicators of these levels, shape (k,), in codes 0, 1, ... (n,); the level -1 has all other codes."""
        named = np.where(np.isin(codes, levels), codes, -1)
        values, _ = standardised((named == levels[:, None]).astype(float))
        return cls(values, None, None, (values**2 - 1) / 2, np.ones(len(values)))

    def keep(self, which: Mask | slice) -> OwnScores:
        """Return the scores at some of the k positions, each still of all rows."""
        slopes = None if self.slopes is None else self.slopes[which]
        return OwnScores(self.values[which], slopes, self.ties, self.scale[which], self.weights[which])

    @property
    def terms(self) -> int:
        """Number of scores of each row, k."""
        return len(self.values)

    def curve(self, which: int) -> Matrix:
        """Return a column's standardised ranks (0), or their standardised distances from 1/2 (1), shape (1, n).

        For a category return its scores, shape (k, n).
        """
        if self.ties is None:
            return self.values
        u = self.ties.ranks()
        return standardised((np.abs(u - 0.5) if which else u)[None])[0]

    @property
    def varies(self) -> Mask:
        """Which scores are not constant, shape (k,)."""
        return self.values.any(axis=-1)


def number_scores(u: Values, count: int) -> Values:
    """Return the first `count` scores -cos(πu) and cos(2πu) of ranks u (...) from 0 to 1, shape (count, ...)."""
    cosine = np.cos(np.pi * u)
    return np.stack([-cosine, 2 * cosine**2 - 1])[:count]


def standardised(values: Values) -> tuple[Values, Values]:
    """Return values (..., n), centred and over their deviation, and that deviation (..., 1); 0 and 1 if constant."""
    centred = values - values.mean(axis=-1, keepdims=True)
    centred -= centred.mean(axis=-1, keepdims=True)  # removes what rounding left
    deviations = np.sqrt(np.mean(centred**2, axis=-1, keepdims=True))
    constant = deviations < ALIKE
    return np.where(constant, 0.0, centred / np.where(constant, 1.0, deviations)), np.where(constant, 1.0, deviations)


def own_scores(x: Vector, y: Vector, levels: int) -> tuple[OwnScores, OwnScores]:
    """Return the scores of one column in each of two samples x (n,) and y (m,): those that vary in both.

    `levels` is 0 for numbers, else the number of levels that the codes 0, 1, ... have. A score that distinguishes fewer
    than FEWEST rows of a sample is left out: the change of one row would be large there, and tests of it would not keep
    their level.
    """
    if levels:
        counts = np.array([np.bincount(codes.astype(int), minlength=levels) for codes in (x, y)])
        kept = indicators(counts)
        a, b = OwnScores.of_category(x, kept), OwnScores.of_category(y, kept)
    else:
        count = min(number_of_scores(x), number_of_scores(y))
        a, b = OwnScores.of_number(x, count), OwnScores.of_number(y, count)
    both = a.varies & b.varies
    return a.keep(both), b.keep(both)


def number_of_scores(x: Vector) -> int:
    """Return how many scores numbers x (n,) may have: 0, 1 or 2, by the rows outside their most frequent values.

    With two values the second score is as good as the first, but its sign depends on which of them is more frequent.
    """
    counts = np.sort(np.unique(x, return_counts=True)[1])[::-1]
    outside = len(x) - np.cumsum(np.append(counts, 0)[:2])
    return int(outside[0] >= FEWEST) + int(outside[1] >= max(FEWEST, BEND * len(x)))


def indicators(counts: Rows) -> Rows:
    """Return the levels whose indicators are a category's scores, from counts (2, levels); -1 is all other levels.

    For two levels one indicator is enough.
    """
    shares = (counts / counts.sum(axis=1, keepdims=True)).sum(axis=0)
    most = np.argsort(-shares, kind="stable")[:MOST]
    kept = most[counts[:, most].min(axis=0) >= FEWEST]
    rest = counts.sum(axis=1) - counts[:, kept].sum(axis=1)
    if rest.min() >= FEWEST:
        kept, rest = np.append(kept, -1), 0 * rest
    if len(kept) < 2:
        return kept[:0]  # nearly constant
    return kept[:1] if len(kept) == 2 and not rest.any() else kept


def influence_values(x: OwnScores, y: OwnScores) -> Values:
    r"""Return row values, shape (k, l, n), whose means are the correlations r of two columns' scores in one sample.

    :math:`z_i = r + \psi_i`, where ψ_i is the empirical influence function of r: the derivative of r with respect to
    the weight of row i, including the derivative of the ranks and deviations. For r = mean φχ, where φ and χ have
    variance 1,

    .. math::

        \psi_i = \varphi_i \chi_i - r + \frac1n \sum_t (h(x_i, x_t) - u_t) \varphi'_t \chi_t + \ldots
                 - \frac r2 (\psi_i(\operatorname{var} \varphi) + \psi_i(\operatorname{var} \chi)),

    where the dots stand for the same sum with x and y exchanged. If both columns are categories, whose cells may
    contain few rows, see `left_out`.
    """
    if x.ties is None and y.ties is None:
        return left_out(x, y)
    z = x.values[:, None] * y.values
    r = z.mean(axis=-1, keepdims=True)
    if x.ties is not None and x.slopes is not None:
        z += x.ties.by_ranks(x.slopes[:, None] * y.values)
    if y.ties is not None and y.slopes is not None:
        z += y.ties.by_ranks(x.values[:, None] * y.slopes)
    z -= r * (x.scale[:, None] + y.scale)
    return z


def left_out(x: OwnScores, y: OwnScores) -> Values:
    """Return influence values by the jackknife, r + (n - 1) (mean of r without a row - r without row i), (k, l, n).

    They equal those of `influence_values` up to terms of order 1/n, and are a little wider, as the variance of
    indicators' correlations is: with derivatives a test of categories at level .05 rejected .065 of true hypotheses.
    Scores without ranks have a formula: without row i the sum of products of two centred scores is smaller by n / (n -
    1) φ_i χ_i.
    """
    n = x.values.shape[1]
    products = x.values[:, None] * y.values
    r = products.mean(axis=-1, keepdims=True)
    left_x, left_y = (np.sqrt(1 - scores.values**2 / (n - 1)) for scores in (x, y))
    without = (r - products / (n - 1)) / (left_x[:, None] * left_y)
    return r + (n - 1) * (without.mean(axis=-1, keepdims=True) - without)


def r_of(x: OwnScores, y: OwnScores) -> Matrix:
    """Return correlations of the scores of two columns of one sample, shape (k, l)."""
    return x.values @ y.values.T / x.values.shape[1]


def strength(x: Matrix, y: Matrix) -> float:
    """Return the root mean square of the canonical correlations of x (k, n) and y (l, n), centred and of deviation 1.

    If one of them is a single number it is the correlation ratio; if both are indicators of levels it is Cramér's V.
    """
    n = x.shape[1]
    inverses, dimensions = [], []
    for values in (x, y):
        size, directions = np.linalg.eigh(values @ values.T / n)
        some = size > ALIKE  # indicators of all levels sum to a constant, which has no direction

        directions = directions[:, some] / np.sqrt(size[some])
        inverses.append(directions)
        dimensions.append(directions.shape[1])
    if not min(dimensions):
        return 0.0
    correlations = inverses[0].T @ (x @ y.T / n) @ inverses[1]
    return float(np.sqrt(np.sum(correlations**2) / min(dimensions)))
