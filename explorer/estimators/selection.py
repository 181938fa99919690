"""Free parameters, and their choice by the least score on a log scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

from explorer import checks
from explorer.checks import Refusal
from explorer.parameters import LogNumber, RequiredReal
from explorer.types import Vector

DENSITY = 4  # the fewest grid points in a decade: a far outlier makes MKME's interval a hundred decades wide
POINTS = 49  # points of each grid: F-KMSE's score had at most one interior minimum in 150 samples, some grids had two
NODES = chebyshev.chebpts1(17)  # a score's polynomial of degree 16 errs by some 1e-15 in a cell of a grid
TO_SERIES = chebyshev.chebvander(NODES, len(NODES) - 1).T * 2 / len(NODES)  # values -> coefficients
TO_SERIES[0] /= 2
ZOOMS = 5  # intervals, each an eighth of the one before or less, until the best node is taken


def free_field(symbol: str, doc: str, unit: str = "", softbounds: tuple[float, float] = (1e-4, 1e2)) -> Any:
    """Return the parameter of a number of at least 0, infinity allowed, that None leaves to the sample.

    Parameters
    ----------
    symbol : str
        The parameter's symbol.
    doc : str
        The parameter's description.
    unit : str, default ""
        The parameter's unit.
    softbounds : tuple of float, default (1e-4, 1e2)
        The ends of its slider.

    Returns
    -------
    LogNumber
        The parameter.
    """
    return LogNumber(
        default=None,
        bounds=(0, None),
        softbounds=softbounds,
        infinite=True,
        allow_None=True,
        symbol=symbol,
        unit=unit,
        doc=doc,
    )


def regulariser_field(
    doc: str,
    symbol: str = "λ",
    unit: str = "units of k",
    automatic: bool = False,
    softbounds: tuple[float, float] = (1e-4, 1e2),
) -> Any:
    """Return the parameter of a finite number above 0 that keeps a solution small or smooth.

    Parameters
    ----------
    doc : str
        The parameter's description.
    symbol : str, default "λ"
        The parameter's symbol.
    unit : str, default "units of k"
        The parameter's unit.
    automatic : bool, default False
        Whether None, which is then the default, leaves it to the sample. If not, it has to be given.
    softbounds : tuple of float, default (1e-4, 1e2)
        The ends of its slider.

    Returns
    -------
    LogNumber or RequiredReal
        The parameter.
    """
    kind, options = (LogNumber, {"default": None, "allow_None": True}) if automatic else (RequiredReal, {})
    bounds = {"bounds": (0, None), "inclusive_bounds": (False, True), "softbounds": softbounds}
    return kind(**options, **bounds, symbol=symbol, unit=unit, doc=doc)


def least(score: Callable[[Vector], Vector], low: float, high: float, ends: Sequence[float] = ()) -> float:
    """Return the value of least score: a log grid, a polynomial in its best valleys, then a comparison with the ends.

    Parameters
    ----------
    score : callable
        Maps values (m,) to scores (m,); nan means that there is no score, and is never the least.
    low, high : float
        The ends of the interval that is searched.
    ends : sequence of float, default ()
        Further candidates outside the interval, such as 0 and infinity; a tie goes to the first.

    Returns
    -------
    float
        The value.
    """
    low, high = np.clip([low, high], np.finfo(float).tiny, 0.999 * np.finfo(float).max)  # geomspace rounds its ends
    grid = np.geomspace(low, high, max(POINTS, math.ceil(DENSITY * (math.log10(high) - math.log10(low))) + 1))
    bottoms = []
    for best in valleys(score(grid)):
        cell = np.log(grid[[max(best - 1, 0), min(best + 1, len(grid) - 1)]])
        bottoms += [grid[best], math.exp(_bottom(score, *cell))]
    candidates = np.array([*ends, *bottoms])
    return float(candidates[first(score(candidates))])


def _bottom(score, low, high):
    """Return the logarithm of the value of least score in an interval of logarithms.

    A score is smooth in the logarithm, so a polynomial through its values at Chebyshev nodes equals it up to rounding.
    The minimum is a root of the polynomial's derivative, which moves in proportion to the rounding of the scores. A
    search that compares scores would stop wherever they are flat up to rounding, at a point that moves with its square
    root. An interval in which the polynomial misses the score, or a score is missing, is replaced by the part around
    its best node.
    """
    lowest = (low + high) / 2
    for _ in range(ZOOMS):
        t = (low + high) / 2 + (high - low) / 2 * NODES
        scores = score(np.exp(t))
        if np.isfinite(scores).all():
            series = TO_SERIES @ scores
            last, varying = np.abs(series[-2:]).max(), np.abs(series[1:]).max()
            if last <= 1e-9 * varying + _rounding(scores):
                roots = chebyshev.chebroots(chebyshev.chebder(series))
                inside = roots.real[(np.abs(roots.imag) < 1e-6) & (np.abs(roots.real) < 1)]
                x = np.array([-1.0, 1.0, *inside])
                return float((low + high) / 2 + (high - low) / 2 * x[chebyshev.chebval(x, series).argmin()])
        best = first(scores)
        lowest, low, high = t[best], t[max(best - 1, 0)], t[min(best + 1, len(t) - 1)]
    return float(lowest)


def least_whole(score: Callable[[Any], Vector], limit: int) -> int:
    """Return the whole number from 0 to `limit` of least score.

    A geometric grid is searched, then finer ones in its best valleys down to single numbers.

    Parameters
    ----------
    score : callable
        Maps whole numbers (m,) to scores (m,); nan means that there is no score. A tie goes to the least number.
    limit : int
        The largest candidate.

    Returns
    -------
    int
        The number.
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
    """Return the grid indices whose surroundings are searched: the least score, and valleys that may reach below it.

    `scores` has shape (m,). A valley is lower than both its neighbours by more than rounding. A parabola through the
    three points dips below the middle one by at most an eighth of their second difference; twice that is allowed for.
    The two lowest of such valleys are taken.
    """
    best, scores = first(scores), _electable(scores)
    middle, left, right = scores[1:-1], scores[:-2], scores[2:]
    with np.errstate(invalid="ignore"):  # there may be no finite score at all
        inside = middle + _rounding(scores) < np.minimum(left, right)
        deep = middle - (left + right - 2 * middle) / 4 < scores[best]
    others = np.flatnonzero(inside & deep) + 1
    others = others[others != best]
    return [best, *others[np.argsort(scores[others], kind="stable")][:2].tolist()]


def first(scores: Vector) -> int:
    """Return the index of the least score.

    Scores that are larger by rounding alone are ties, and the first index of a tie is returned. nan means that there is
    no score.

    Parameters
    ----------
    scores : ndarray of shape (m,)
        The scores.

    Returns
    -------
    int
        The index.
    """
    scores = _electable(scores)
    return int(np.argmax(scores <= scores.min() + _rounding(scores)))


def _electable(scores):
    """Return the scores with infinity in place of nan."""
    return np.where(np.isnan(scores), np.inf, scores)


def _rounding(scores):
    """Return the difference of scores that counts as rounding."""
    return 1e-13 * np.abs(scores, where=np.isfinite(scores), out=np.zeros(scores.shape)).max()


def lams_of(values):
    """Return checked values of λ (m,): numbers of at least 0, infinity allowed."""
    return values_of(values, "λ", "fiu", "numbers").astype(float)


def values_of(values, symbol, kinds, words):
    """Return checked values (m,) of a parameter, of at least 0.

    Infinity is allowed only if `kinds`, the allowed NumPy type codes, include floats.

    Parameters
    ----------
    values : array_like of shape (m,)
        The values.
    symbol : str
        The parameter's name in messages.
    kinds : str
        The allowed `dtype.kind` letters.
    words : str
        Description of the allowed values in messages.

    Returns
    -------
    ndarray of shape (m,)
        The values.

    Raises
    ------
    TypeError
        If the values are of another type.
    Refusal
        If a value is below 0.
    """
    array = np.atleast_1d(np.asarray(values))
    if array.dtype.kind not in kinds:
        raise TypeError(f"values holds {array.dtype.name} values; give {symbol} as {words}.")
    checks.numbers(array[~np.isinf(array)], "values")
    if (array < 0).any():
        raise Refusal(f"values holds {array.min():g}; {symbol} is never below 0.")
    return array
