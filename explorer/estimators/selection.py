"""Free parameters, and their choice by the least score on a log scale."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.parameters import LogNumber, RequiredReal, Stops, Whole, owner_of
from explorer.types import Vector

DENSITY = 4  # the fewest grid points in a decade: a far outlier makes MKME's interval a hundred decades wide
SCORES, LONG = 70, 10.0  # the usual number of scores of a choice, and how many seconds of them are warned of
POINTS = 49  # points of each grid: F-KMSE's score had at most one interior minimum in 150 samples, some grids had two


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


def least(
    score: Callable[[Vector], Vector], low: float, high: float, ends: Sequence[float] = (), linear: bool = False
) -> float:
    """Return the value of least score: a grid, Brent's method in its best valleys, then a comparison with the ends.

    Parameters
    ----------
    score : callable
        Maps values (m,) to scores (m,); nan means that there is no score, and is never the least.
    low, high : float
        The ends of the interval that is searched.
    ends : sequence of float, default ()
        Further candidates outside the interval, such as 0 and infinity; a tie goes to the first.
    linear : bool, default False
        Whether the grid has equal steps; if not, it has equal ratios.

    Returns
    -------
    float
        The value.
    """
    from scipy.optimize import minimize_scalar  # imported here: it would add 0.2 s to `import explorer`

    if linear:
        grid, width = np.linspace(low, high, POINTS), high - low
        to_scale, from_scale = (lambda x: (x - low) / width), (lambda t: low + width * np.asarray(t))
    else:
        to_scale, from_scale = np.log, np.exp
        low, high = np.clip([low, high], np.finfo(float).tiny, 0.999 * np.finfo(float).max)  # geomspace rounds its ends
        grid = np.geomspace(low, high, max(POINTS, math.ceil(DENSITY * (math.log10(high) - math.log10(low))) + 1))
    bottoms = []
    for best in valleys(score(grid)):
        cell = to_scale(grid[[max(best - 1, 0), min(best + 1, len(grid) - 1)]])
        # Within 1e-8 of its minimum in log λ the score is flat up to rounding, so the search stops at 1e-7.
        lowest: Any = minimize_scalar(
            lambda t: score(from_scale([t]))[0], bounds=cell, method="bounded", options={"xatol": 1e-7}
        )
        bottoms += [grid[best], float(from_scale(lowest.x))]
    candidates = np.array([*ends, *bottoms])
    return float(candidates[first(score(candidates))])


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


def least_within(score: Callable[[Any], float], field: Any) -> Any:
    """Return the value of a parameter with the least score.

    The search covers the parameter's soft bounds, or its bounds where it has no soft ones: a LogNumber on a log scale,
    another number on a linear one, and a whole number as `least_whole` does. The bounds themselves are candidates too.

    Parameters
    ----------
    score : callable
        Maps one value to its score. It may refuse a value, which is then not chosen.
    field : Real
        The parameter.

    Returns
    -------
    float or int
        The value.

    Raises
    ------
    ValueError
        If the parameter has no bounds to search, or if all its values are refused.

    Warns
    -----
    ExplorerWarning
        If the choice takes more than 10 s.
    """
    low, high = _range_of(field)
    refusals, score = [], _warning_of_long_work(score, field)

    def scores(values):
        return np.array([at(value) for value in np.asarray(values).tolist()])

    def at(value):
        try:
            return score(value)
        except ValueError as refusal:  # also of a user's class, and of a matrix that cannot be solved with
            refusals.append(refusal)
            return math.nan

    if isinstance(field, Stops):
        chosen = field.stops[first(scores(field.stops))]
    elif isinstance(field, Whole):
        chosen = int(low) + least_whole(lambda steps: scores(int(low) + np.asarray(steps)), int(high) - int(low))
    else:
        bounds = [math.inf if end is None and field.infinite else end for end in field.bounds or ()]
        ends = [float(end) for end in bounds if end is not None and not low < end < high]
        chosen = least(scores, low, high, ends, linear=not isinstance(field, LogNumber))
    if math.isnan(scores([chosen])[0]):
        raise refusals[-1] if refusals else Refusal(f"no value of {field.name} from {low:g} to {high:g} has a score.")
    return chosen


def _warning_of_long_work(score, field):
    """Return a score that warns at its second call if a choice by it will take long."""
    seconds = []  # the first call may also wait for imports and caches

    def timed(value):
        if len(seconds) == 2:
            return score(value)
        start = time.thread_time()  # counts work alone, however busy the machine is
        result = score(value)
        seconds.append(time.thread_time() - start)
        if len(seconds) == 2 and (expected := SCORES * seconds[1]) > LONG:
            checks.warn(
                f"{owner_of(field)} is chosen by about {SCORES} leave-one-out scores, which takes about {expected:.0f}"
                " s; give it a value, or write a faster `loocv` or `select`."
            )
        return result

    return timed


def _range_of(field):
    """Return the ends of the range in which a parameter is chosen; both are finite."""
    soft, hard = (getattr(field, name, None) or (None, None) for name in ("softbounds", "bounds"))
    low, high = (hard[i] if soft[i] is None else soft[i] for i in (0, 1))
    positive = not isinstance(field, LogNumber) or (low is not None and low > 0)
    if low is None or high is None or not math.isfinite(high - low) or not low < high or not positive:
        wanted = "softbounds with both ends above 0" if isinstance(field, LogNumber) else "bounds"
        raise Refusal(f"{owner_of(field)} has no range in which it can be chosen; give it {wanted}, or write `select`.")
    return low, high


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
