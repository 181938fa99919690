"""First and second moments of normal scores: places and spreads of columns, and how pairs of columns vary together."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from explorer.datasets.common_space import Tables
from explorer.discrepancy.columns.ties import Ties
from explorer.execution.processors import side_by_side
from explorer.types import Matrix, Points, Vector

from .pairs import MOST
from .resamples import Resamples

NAMED = 2  # number of most frequent levels of a category that have a score
ENTRIES = 4_000_000  # values of scores computed at a time, which limits the memory
PRODUCT = 4e-9  # seconds per value of a product of scores on a typical core


class Moments(NamedTuple):
    """Squared differences of the samples' means of normal scores and of their squares and products, for all splits.

    The observed split is first.

    A column of numbers or of an ordered scale has the normal scores z = Φ⁻¹(u) of its pooled ranks u. A category, and
    the missing cells of a column, have the standardised indicators of the most frequent levels: one for two levels,
    else two. A missing cell, and a level that is not a step of the scale, has the score 0.

    Attributes
    ----------
    place : ndarray of shape (B + 1, d)
        Squared differences of the mean scores of each column, summed over its scores.
    spread : ndarray of shape (B + 1, p)
        Squared differences of the mean of z² minus its overall mean, for each column with ranks.
    together : ndarray of shape (B + 1, q)
        Squared differences of the mean products of two columns' scores, for each pair, summed over the products; empty
        for more than 60 columns. For two columns of numbers it is the squared difference of their correlations.
    """

    place: Matrix
    spread: Matrix
    together: Matrix

    @classmethod
    def of(cls, tables: Tables, P: Points, resamples: Resamples) -> Moments:
        """Return the squared differences for pooled points P (N, d) of these tables, a's rows first."""
        kept = tables.included
        scores = [_scores(tables, P, j) for j in range(len(kept))]
        of_columns = [x for x, column in zip(scores, kept, strict=True) if column.kind != "missing"]
        ranked = [j for j, column in enumerate(kept) if column.kind == "number" or column.ordered]
        squares = [_centred_squares(scores[j], _placed(tables, P, j)) for j in ranked]
        spread = np.square(resamples.differences(np.hstack([P[:, :0], *squares])))
        pairs = list(combinations(of_columns, 2)) if len(of_columns) <= MOST else []
        return cls(_summed(scores, resamples), spread, _together(pairs, resamples, len(P)))


def _summed(values, resamples):
    """Return squared differences of means of matrices (N, k), summed over the columns of each, (B + 1, matrices)."""
    starts = np.cumsum([0, *(each.shape[1] for each in values)])[:-1]
    return np.add.reduceat(np.square(resamples.differences(np.hstack(values))), starts, axis=1)


def _together(pairs, resamples, rows):
    """Return squared differences of products of two columns' scores, (B + 1, pairs), in batches that fit memory."""
    if not pairs:
        return np.empty((resamples.count + 1, 0))
    widths = np.array([x.shape[1] * y.shape[1] for x, y in pairs])
    part = (np.cumsum(widths) - widths) * rows // ENTRIES
    parts = [[pairs[k] for k in np.flatnonzero(part == one)] for one in np.unique(part)]

    def of(some):
        return _summed([(x[:, :, None] * y[:, None]).reshape(rows, -1) for x, y in some], resamples)

    seconds = PRODUCT * rows * widths.sum() + resamples.takes(int(widths.sum()))
    return np.hstack(list(side_by_side(of, parts, seconds)))


def _placed(tables, P, j):
    """Return which rows have a cell in column j of P with a place on its scale, shape (N,)."""
    given, ordered = tables.observed(P, j), tables.included[j].ordered
    there = np.ones(len(P), bool) if given is None else given
    return there & (P[:, j] < ordered) if ordered else there


def _scores(tables, P, j):
    """Return the scores (N, k) of column j of P."""
    column, there = tables.included[j], _placed(tables, P, j)
    x = P[there, j]
    found = ndtri(Ties.of(x).ranks())[:, None] if column.kind == "number" or column.ordered else _of_levels(x)
    scores = np.zeros((len(P), found.shape[1]))
    scores[there] = found
    return scores


def _centred_squares(z, there):
    """Return z² minus its mean over the rows in the mask `there`, and 0 in other rows."""
    return np.where(there[:, None], z**2 - np.mean(z[there] ** 2), 0.0) if there.any() else z


def _of_levels(codes: Vector) -> Matrix:
    """Return the standardised indicators of the most frequent levels, shape (n, k)."""
    levels, counts = np.unique(codes, return_counts=True)
    most = levels[np.argsort(-counts, kind="stable")[: min(NAMED, max(len(levels) - 1, 1))]] if len(codes) else [0]
    holds = (codes[:, None] == most).astype(float)
    centred = holds - holds.mean(axis=0)
    deviations = centred.std(axis=0)
    return np.divide(centred, deviations, out=np.zeros_like(centred), where=deviations > 0)
