"""What a column's test compares: scores of its pooled ranks, or of its levels, whose means differ as the samples do."""

from __future__ import annotations

import numpy as np

from explorer.types import Matrix, Vector

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
