"""Choice of an estimator's free parameter within its bounds by scores that take long and need not be smooth."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.parameters import LogNumber, Stops, Whole, owner_of

from .selection import POINTS, first, least_whole, valleys

SCORES, LONG = 70, 10.0  # the usual number of scores of a choice, and how many seconds of them are warned of
NEAR = 1e-7  # where a search ends: a part of the range, or a difference of logarithms


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
        chosen = _least(scores, low, high, ends, isinstance(field, LogNumber))
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


def _least(scores, low, high, ends, is_log):
    """Return the value of least score: a grid, Brent's method in its best valleys, then a comparison with the ends.

    Unlike `selection.least` it takes few scores, and trusts no polynomial: a user's score may have steps.
    """
    from scipy.optimize import minimize_scalar  # imported here: it would add 0.2 s to `import explorer`

    to_values = np.exp if is_log else (lambda t: low + (high - low) * np.asarray(t))
    begin, end = (math.log(low), math.log(high)) if is_log else (0.0, 1.0)
    grid = np.linspace(begin, end, POINTS)
    bottoms = []
    for best in valleys(scores(to_values(grid))):
        cell = grid[[max(best - 1, 0), min(best + 1, POINTS - 1)]]
        lowest: Any = minimize_scalar(
            lambda t: scores(to_values([t]))[0], bounds=cell, method="bounded", options={"xatol": NEAR}
        )
        bottoms += [grid[best], lowest.x]
    candidates = np.array([*ends, *np.clip(to_values(bottoms), low, high)])  # a logarithm rounds the ends
    return float(candidates[first(scores(candidates))])
