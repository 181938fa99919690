"""Correlations of scores in the groups of a resample, with the ranks that rows have within their group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from explorer.discrepancy.columns.ties import Ties
from explorer.types import Mask, Matrix, Rows, Values, Vector

from .dependence import OwnScores, number_scores

Column = tuple[OwnScores, OwnScores]  # scores in a and in b
CONSTANT = 1e-12  # variances below this are rounding, since scores are of size 1


class Steps(NamedTuple):
    """Distribution function of a sample's column, whose equal values share one step.

    Attributes
    ----------
    edges : ndarray of shape (g + 1,)
        Heights between the steps, from 0 to 1.
    ties : Ties
        The rows in the order of their values, and the step of each row.
    """

    edges: Vector
    ties: Ties

    @classmethod
    def of(cls, ties: Ties) -> Steps:
        """Return the steps of a column with these ties."""
        return cls(np.append(ties.starts, len(ties.value)) / len(ties.value), ties)

    def below(self, members: Mask) -> tuple[Matrix, Matrix]:
        """Return how many members (w, n) lie below each edge, and the integral of this from 0, (w, g + 1) each.

        A row's height is spread evenly over its step, so that the count is linear between the edges.
        """
        below = np.zeros((len(members), len(self.edges)))
        counts = np.add.reduceat(members[:, self.ties.order], self.ties.starts, axis=1, dtype=float)
        np.cumsum(counts, axis=1, out=below[:, 1:])
        integral = np.zeros_like(below)
        np.cumsum((below[:, :-1] + below[:, 1:]) * (np.diff(self.edges) / 2), axis=1, out=integral[:, 1:])
        return below, integral

    def average(self, below: Matrix, integral: Matrix, edges: Vector) -> Matrix:
        """Return the mean of `below` (w, g + 1) over each interval between these edges, (w, len(edges) - 1)."""
        step = np.minimum(np.searchsorted(self.edges, edges, side="right") - 1, len(self.edges) - 2)
        over = edges - self.edges[step]
        slope = (below[:, step + 1] - below[:, step]) / (self.edges[step + 1] - self.edges[step])
        return np.diff(integral[:, step] + over * below[:, step] + over**2 / 2 * slope, axis=1) / np.diff(edges)


class Ranking:
    """Heights of two samples' rows; the ranks of rows within any group of them follow from these.

    Row i has a height U_i in its own sample's distribution function. Its rank in a group G is (1/|G|) Σ_{t in G} (P(U_t
    < U_i) + P(U_t = U_i) / 2), so that in its own sample it is its midrank there. For columns without ties U_i is that
    midrank. For others it is spread evenly over the step that equal values share: shares of values differ a little from
    sample to sample, and rows of one value would otherwise be ranked by their sample.
    """

    def __init__(self, a: Ties, b: Ties) -> None:
        self._n, N = len(a.value), len(a.value) + len(b.value)
        self._tied = len(a.starts) + len(b.starts) < N
        if self._tied:
            self._steps = Steps.of(a), Steps.of(b)
            self._place = np.concatenate([a.value, b.value + len(a.starts)])
        else:
            self._ties = Ties.of(np.concatenate([a.ranks(), b.ranks()]))
            self._place = self._ties.value
        self._whole = self._sums(np.ones((1, N), dtype=bool))

    def scores(self, members: Mask, rows: tuple[Rows, Rows], count: int) -> Iterator[Values]:
        """Yield scores (count, w, ...) of the ranks of members (w, N) in their group, and of all others in theirs.

        `rows` are the row numbers of both groups, (w, ...) each.
        """
        first = self._sums(members)
        for sums, which in zip((first, self._whole - first), rows, strict=True):
            place, size = self._place.take(which), which.shape[1]
            if self._tied:
                values = number_scores(sums / size, count)
                yield np.stack([np.take_along_axis(each, place, axis=1) for each in values])
            else:  # twice a rank is a whole number, so the cosine of each rank is computed once
                values = number_scores(np.arange(2 * size + 1) / (2 * size), count)
                yield values.take(np.take_along_axis(sums, place, axis=1), axis=1)

    def _sums(self, members):
        """Return Σ over members of P(U_t < U_i) + P(U_t = U_i) / 2 for each height, or twice that without ties."""
        if not self._tied:
            below = np.zeros((len(members), members.shape[1] + 1), np.intp)
            np.cumsum(members.take(self._ties.order, axis=1), axis=1, out=below[:, 1:])
            return below.take(self._ties.starts, axis=1) + below.take(self._ties.stops, axis=1)
        parts, found = (members[:, : self._n], members[:, self._n :]), []
        below = [side.below(part) for side, part in zip(self._steps, parts, strict=True)]
        for own, other in ((0, 1), (1, 0)):
            mine = (below[own][0][:, :-1] + below[own][0][:, 1:]) / 2
            found.append(mine + self._steps[other].average(*below[other], self._steps[own].edges))
        return np.concatenate(found, axis=1)


def ranking_of(column: Column) -> Ranking | None:
    """Return the Ranking of a column of numbers, or None for a category, whose scores depend on no rank."""
    a, b = column
    return None if a.ties is None or b.ties is None else Ranking(a.ties, b.ties)


def correlations(columns: Sequence[Column], rankings: Sequence[Ranking | None], members: Mask) -> tuple[Values, Values]:
    """Return the correlations of all scores of all columns in both groups of each split, (w, K, K) each.

    `members` (w, N) is the first group of each split, with the same number of rows in each. A number's scores are those
    of its ranks within the group, a category's those of its own sample; both are centred and scaled within the group.
    """
    w = len(members)
    rows = np.nonzero(members)[1].reshape(w, -1), np.nonzero(~members)[1].reshape(w, -1)
    count = sum(a.terms for a, _ in columns)
    groups, end = [np.empty((w, count, which.shape[1])) for which in rows], 0
    for (a, b), ranking in zip(columns, rankings, strict=True):
        begin, end = end, end + a.terms
        if ranking is None:
            both = np.concatenate([a.values, b.values], axis=1)
            scores = (both.take(which, axis=1) for which in rows)
        else:
            scores = ranking.scores(members, rows, a.terms)
        for group, values in zip(groups, scores, strict=True):
            group[:, begin:end] = values.swapaxes(0, 1)
    first, second = (_correlations(group) for group in groups)
    return first, second


def _correlations(scores: Values) -> Values:
    """Return correlations of scores (w, K, n) over the last axis, (w, K, K); 0 for constant scores."""
    n = scores.shape[-1]
    means = scores @ np.full(n, 1 / n)
    covariances = scores @ scores.swapaxes(1, 2) / n - means[:, :, None] * means[:, None]
    variances = np.einsum("wkk->wk", covariances)
    constant = variances < CONSTANT
    inverses = np.where(constant, 0.0, 1 / np.sqrt(np.where(constant, 1.0, variances)))
    return covariances * inverses[:, :, None] * inverses[:, None]
