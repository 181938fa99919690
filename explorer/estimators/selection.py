"""Choosing a parameter by the least score on a log scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.types import Vector

DENSITY = 4  # points a decade at least: a far outlier makes MKME's interval a hundred decades wide
POINTS = 49  # of each grid: F-KMSE's score had at most one interior minimum in 150 samples, some grids had two


def least(score: Callable[[Vector], Vector], low: float, high: float, ends: Sequence[float] = ()) -> float:
    """The value of least score: a log grid on [low, high], Brent's method in its best valleys, then the ends compared.

    score  maps values (m,) to scores (m,); nan stands for no score, which is never the least
    ends   values outside the interval that also stand for election, such as 0 and infinity; a tie goes to the first
    """
    from scipy.optimize import minimize_scalar  # a fifth of a second that `import explorer` does not owe

    low, high = np.clip([low, high], np.finfo(float).tiny, 0.999 * np.finfo(float).max)  # geomspace rounds its ends
    grid = np.geomspace(low, high, max(POINTS, math.ceil(DENSITY * (math.log10(high) - math.log10(low))) + 1))
    bottoms = []
    for best in valleys(score(grid)):
        cell = np.log(grid[[max(best - 1, 0), min(best + 1, len(grid) - 1)]])
        # the score is flat to rounding within 1e-8 of its minimum in log λ; 1e-7 keeps the last step honest
        lowest: Any = minimize_scalar(
            lambda t: score(np.exp([t]))[0], bounds=cell, method="bounded", options={"xatol": 1e-7}
        )
        bottoms += [grid[best], float(np.exp(lowest.x))]
    candidates = np.array([*ends, *bottoms])
    return float(candidates[first(score(candidates))])


def least_whole(score: Callable[[Any], Vector], limit: int) -> int:
    """The whole number from 0 to `limit` of least score.

    A geometric grid is searched, then finer ones in its best valleys to the last unit.

    score  maps whole numbers (m,) to scores (m,); nan stands for no score; a tie goes to the least number
    """
    lowest, cells = [], [(0, limit)]
    while cells:
        low, high = cells.pop()
        every = high - low < POINTS
        grid = np.arange(low, high + 1) if every else np.geomspace(max(low, 1), high, POINTS).round().astype(int)
        grid = np.unique(np.append(grid, low))
        scores = score(grid)
        if every:
            lowest.append(int(grid[first(scores)]))
        else:
            cells += [
                (int(grid[max(best - 1, 0)]), int(grid[min(best + 1, len(grid) - 1)])) for best in valleys(scores)
            ]
    lowest = np.unique(lowest)
    return int(lowest[first(score(lowest))])


def valleys(scores: Vector) -> list[int]:
    """Where on a grid to look closer, indices into scores (m,): the least score, and valleys that may reach below it.

    A valley is lower than both its neighbours by more than rounding. A parabola through the three dips below the middle
    one by an eighth of their second difference at most; twice that is allowed for. The two lowest of such valleys are
    taken.
    """
    best, scores = first(scores), _electable(scores)
    middle, left, right = scores[1:-1], scores[:-2], scores[2:]
    with np.errstate(invalid="ignore"):  # where there is no score at all
        inside = middle + _rounding(scores) < np.minimum(left, right)
        deep = middle - (left + right - 2 * middle) / 4 < scores[best]
    others = np.flatnonzero(inside & deep) + 1
    others = others[others != best]
    return [best, *others[np.argsort(scores[others], kind="stable")][:2].tolist()]


def first(scores: Vector) -> int:
    """The index of the least score; one that is larger by rounding alone is a tie, which goes to the first.

    nan is no score.
    """
    scores = _electable(scores)
    return int(np.argmax(scores <= scores.min() + _rounding(scores)))


def _electable(scores):
    return np.where(np.isnan(scores), np.inf, scores)


def _rounding(scores):
    return 1e-13 * np.abs(scores, where=np.isfinite(scores), out=np.zeros(scores.shape)).max()


def lams_of(values):
    """λ values (m,) to be scored: numbers of at least 0, infinity allowed."""
    return values_of(values, "λ", "fiu", "numbers").astype(float)


def values_of(values, symbol, kinds, words):
    """Values (m,) of a parameter to be scored, of at least 0.

    Infinity only where kinds, numpy's letters for types, have floats.
    """
    array = np.atleast_1d(np.asarray(values))
    if array.dtype.kind not in kinds:
        raise TypeError(f"values holds {array.dtype.name} values; give {symbol} as {words}.")
    checks.numbers(array[~np.isinf(array)], "values")
    if (array < 0).any():
        raise Refusal(f"values holds {array.min():g}; {symbol} is never below 0.")
    return array
