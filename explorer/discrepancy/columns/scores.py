"""What a column's test compares: scores of its pooled ranks, or of its levels, whose means differ as the samples do."""

from __future__ import annotations

import numpy as np

from explorer.types import Matrix, Vector

from .categories import FEW

TERMS = 5  # of the heat kernel; the next has .0008 of the first's weight
WIDTH = 0.2  # of the heat kernel, in ranks from 0 to 1


def number_scores(u: Vector) -> Matrix:
    """Scores (N, 5) of ranks u: sqrt(2 w_k) cos(πku), k = 1 to 5, with weights w_k = exp(-(πk/5)²/2).

    Their inner products are the heat kernel on [0, 1] (width 0.2, less its constant), so the squared difference of two
    samples' mean scores is an MMD² of ranks. It does not depend on the column's units, bends with no outlier, and tells
    every two distributions apart that rank differently: the first term by their place, the second by their spread.
    """
    k = np.arange(1, TERMS + 1)
    return np.sqrt(2 * np.exp(-0.5 * (np.pi * k * WIDTH) ** 2)) * np.cos(np.pi * np.outer(u, k))


def level_scores(codes: Vector, levels: int) -> Matrix:
    """Scores (N, levels) of a category's codes 0, 1, ...: 1 / sqrt(share of the level) at the row's own level, else 0.

    The squared difference of two samples' mean scores is Pearson's χ² times N / nm.
    """
    shares = np.bincount(codes.astype(int), minlength=levels) / max(len(codes), 1)
    heights = np.divide(1.0, np.sqrt(shares), out=np.zeros(levels), where=shares > 0)
    return np.where(codes[:, None] == np.arange(levels), heights, 0.0)


def with_others(codes: Vector, levels: int) -> Vector:
    """Return codes 0, 1, ... (n,) of at most so many levels: the rarest share the last code, if there are more.

    Which are rare follows from all rows together and does not depend on their order.
    """
    counts = np.bincount(codes.astype(int))
    if len(counts) <= levels:
        return codes
    place = np.full(len(counts), levels - 1)
    place[np.argsort(-counts, kind="stable")[: levels - 1]] = np.arange(levels - 1)
    return place[codes.astype(int)].astype(float)


def scale_scores(shares: Vector, ordered: int) -> Matrix:
    """Scores (L, K) of the levels of an ordered scale, of which `shares` (L,) are those of all rows.

    The first `ordered` levels are its steps; others, such as "don't know", have no place on it. Side by side stand

        number_scores(u) - their mean, over sqrt(|C|), at the midranks u of the steps; 0 for the other levels,
        level_scores over (number of levels - 1)^(1/4), if there are 50 levels at most,

    with |C| the Hilbert-Schmidt norm of the first ones' covariance (the second have norm sqrt(levels - 1)). So the
    squared difference of two samples' mean scores is a sum of two statistics of equal deviation: one sees the scale
    move or spread, the other any change of a level. Both depend on the pooled shares alone.
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
