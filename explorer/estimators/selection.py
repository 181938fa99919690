"""Choosing a parameter by the least score on a log scale."""

from __future__ import annotations

import numpy as np

POINTS = 49  # of the first grid: F-KMSE's score had at most one interior minimum in 150 samples, some grids had two


def least(score, low, high, ends=()):
    """The value of least score: a log grid on [low, high], Brent's method in the best cell, then the ends compared.

    score  maps values (m,) to scores (m,)
    ends   values outside the interval that also stand for election, such as 0 and infinity; a tie goes to the first
    """
    from scipy.optimize import minimize_scalar  # a fifth of a second that `import explorer` does not owe

    grid = np.geomspace(low, high, POINTS)
    best = int(np.argmin(score(grid)))
    cell = np.log(grid[[max(best - 1, 0), min(best + 1, POINTS - 1)]])
    # the score is flat to rounding within 1e-8 of its minimum in log λ; 1e-7 keeps the last step honest
    found = minimize_scalar(lambda t: score(np.exp([t]))[0], bounds=cell, method="bounded", options={"xatol": 1e-7})
    candidates = np.array([*ends, grid[best], float(np.exp(found.x))])
    scores = score(candidates)
    return float(candidates[first(scores)])


def least_whole(score, limit):
    """The whole number from 0 to `limit` of least score: a geometric grid, then finer ones around its best until none is left.

    score  maps whole numbers (m,) to scores (m,); a tie goes to the least number
    """
    low, high = 0, limit
    while True:
        every = high - low < POINTS
        grid = np.arange(low, high + 1) if every else np.geomspace(max(low, 1), high, POINTS).round().astype(int)
        grid = np.unique([low, *grid])
        best = first(score(grid))
        if every:
            return int(grid[best])
        low, high = int(grid[max(best - 1, 0)]), int(grid[min(best + 1, len(grid) - 1)])


def first(scores):
    """The index of the least score; one that is larger by rounding alone is a tie, which goes to the first."""
    return int(np.argmax(scores <= scores.min() + 1e-13 * np.abs(scores).max()))
