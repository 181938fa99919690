"""Scores of the pooled ranks or levels of a column: the mean scores of two samples differ as the samples do."""

from __future__ import annotations

import numpy as np

from explorer.types import Matrix, Vector

from .categories import FEW

TERMS = 5  # number of terms of the heat kernel; the sixth has 0.0008 of the first term's weight
WIDTH = 0.2  # width of the heat kernel, in ranks from 0 to 1


def number_scores(u: Vector) -> Matrix:
    r"""Compute the scores of a numeric column's ranks.

    Parameters
    ----------
    u : ndarray of shape (N,)
        Ranks from 0 to 1.

    Returns
    -------
    ndarray of shape (N, 5)
        The scores of each rank.

    Notes
    -----
    The scores are

    .. math:: \sqrt{2 w_k} \cos(\pi k u), \quad w_k = \exp(-(\pi k / 5)^2 / 2), \quad k = 1, \dots, 5.

    Their inner products are the heat kernel on [0, 1] with width 0.2, minus its constant. So the squared difference of
    two samples' mean scores is an MMD² of ranks. It does not depend on the column's units, no outlier dominates it, and
    it distinguishes every two distributions whose ranks differ: the first term sees a difference of location, the
    second a difference of spread.
    """
    k = np.arange(1, TERMS + 1)
    return np.sqrt(2 * np.exp(-0.5 * (np.pi * k * WIDTH) ** 2)) * np.cos(np.pi * np.outer(u, k))


def level_scores(codes: Vector, levels: int) -> Matrix:
    """Compute the scores of a category's levels: 1 / sqrt(share of the level) at the row's own level, and 0 elsewhere.

    The squared difference of two samples' mean scores is Pearson's χ² times N / nm.

    Parameters
    ----------
    codes : ndarray of shape (N,)
        Codes 0, 1, ... of the levels.
    levels : int
        Number of levels.

    Returns
    -------
    ndarray of shape (N, levels)
        The scores of each row.
    """
    shares = np.bincount(codes.astype(int), minlength=levels) / max(len(codes), 1)
    heights = np.divide(1.0, np.sqrt(shares), out=np.zeros(levels), where=shares > 0)
    return np.where(codes[:, None] == np.arange(levels), heights, 0.0)


def with_others(codes: Vector, levels: int) -> Vector:
    """Merge the rarest levels of a category into the last code, if there are more levels than allowed.

    All rows together determine which levels are rare; the order of the rows does not matter.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Codes 0, 1, ... of the levels.
    levels : int
        Largest number of levels.

    Returns
    -------
    ndarray of shape (n,)
        Codes 0, 1, ... below `levels`.
    """
    counts = np.bincount(codes.astype(int))
    if len(counts) <= levels:
        return codes
    place = np.full(len(counts), levels - 1)
    place[np.argsort(-counts, kind="stable")[: levels - 1]] = np.arange(levels - 1)
    return place[codes.astype(int)].astype(float)


def scale_scores(shares: Vector, ordered: int) -> Matrix:
    """Compute the scores of the levels of an ordered scale.

    The first `ordered` levels are the steps of the scale. Other levels, such as "don't know", have no place on it.

    Parameters
    ----------
    shares : ndarray of shape (L,)
        Shares of the levels among all rows.
    ordered : int
        Number of levels that are steps of the scale.

    Returns
    -------
    ndarray of shape (L, K)
        The scores of each level.

    Notes
    -----
    Two groups of scores are concatenated:

    - for the steps ``number_scores(u)``, cosines of their midranks u, minus their mean and over ``sqrt(|C|)``; 0 for
      the other levels;
    - ``level_scores``, an indicator of each level over the root of its share, over (number of levels - 1)^(1/4), if
      there are at most 50 levels.

    ``|C|`` is the Hilbert-Schmidt norm of the covariance of the first group (that of the second has norm sqrt(levels -
    1)). So the squared difference of two samples' mean scores is a sum of two statistics of equal deviation: one sees
    the scale move or spread, the other sees any change of a level. The scores depend on the shares of the pooled rows
    alone.
    """
    steps = shares[:ordered]
    answered = float(steps.sum())
    scores = np.zeros((len(shares), TERMS))
    if answered > 0:
        u = (np.cumsum(steps) - steps / 2) / answered
        numbers = number_scores(u)
        scores[:ordered] = numbers - (steps / answered) @ numbers
        size = np.linalg.norm(scores.T @ (shares[:, None] * scores))
        scores /= np.sqrt(size) if size > 0 else 1.0
    there = np.count_nonzero(shares)
    if len(shares) > FEW or there < 2:
        return scores
    heights = np.divide(1.0, np.sqrt(shares), out=np.zeros(len(shares)), where=shares > 0)
    return np.hstack([scores, np.diag(heights / (there - 1) ** 0.25)])
