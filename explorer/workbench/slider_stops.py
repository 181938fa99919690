"""Values at which a slider stops."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from explorer.parameters import LogNumber, Odd, Real, Stops, Whole

# Renard's series R10: ten steps per decade, each by a factor of about 1.26, as short decimals
R10 = (1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8)
WHOLE_STEPS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500)


EVEN = 20  # approximate number of stops of a slider with equal steps


def steps_of(field: Real) -> list[float]:
    """Return the values at which a field's slider stops, from its soft bounds.

    Parameters
    ----------
    field : Real
        The field.

    Returns
    -------
    list of float
        The values.
    """
    if isinstance(field, Stops):
        return list(field.stops)
    ends: Any = field.softbounds or field.bounds
    low, high = ends
    if field.step:
        kind = int if isinstance(field, Whole) else float
        return [kind(round(low + i * field.step, 10)) for i in range(round((high - low) / field.step) + 1)]
    if isinstance(field, Odd):
        return list(range(low + (low + 1) % 2, high + 1, 2))
    if isinstance(field, Whole):
        return [v for v in WHOLE_STEPS if low <= v <= high]
    if isinstance(field, LogNumber):
        return [0.0] * (field.default == 0) + log_steps(low, high)  # a field whose default is 0 needs a stop at 0
    return [stop for stop in even_steps(low, high) if _takes(field, stop)]


def even_steps(low: float, high: float) -> list[float]:
    """Return some 20 multiples of 1, 2 or 5 times a power of ten from low to high, and both ends."""
    size = (high - low) / EVEN
    unit = 10.0 ** math.floor(math.log10(size))
    step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= size * (1 - 1e-9))
    inner = [round(k * step, 12) for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return sorted({float(low), *inner, float(high)})


def _takes(field, value):
    """Return whether a field's bounds include a number: an end that they exclude is not a stop."""
    (low, high), (with_low, with_high) = field.bounds or (None, None), field.inclusive_bounds
    return (with_low or value != low) and (with_high or value != high)


def log_steps(low: float, high: float) -> list[float]:
    """Return the R10 numbers from low to high.

    Parameters
    ----------
    low, high : float
        The ends, above 0.

    Returns
    -------
    list of float
        The numbers.
    """
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [v for e in decades for m in R10 if low * (1 - 1e-9) <= (v := float(f"{m}e{e}")) <= high * (1 + 1e-9)]


MOST_TICKS = 12


def ticks(stops: Sequence[float]) -> list[int]:
    """Return the positions of the stops that a scale would label: 1, 2 and 5 of each decade, or round multiples.

    A scale of too many decades has labels at powers of ten only. Fewer than three stops have none.

    Parameters
    ----------
    stops : sequence of float
        The stops, sorted.

    Returns
    -------
    list of int
        Positions in `stops`.
    """
    if len(stops) < 3 or stops[-1] <= stops[0]:
        return []
    if _is_logarithmic(stops):
        by_digits = [[i for i, stop in enumerate(stops) if _digit(stop) in digits] for digits in ((1, 2, 5), (1,))]
        return next((places for places in by_digits if len(places) <= MOST_TICKS), [])
    unit = 10.0 ** math.floor(math.log10((stops[-1] - stops[0]) / MOST_TICKS))
    steps = [[i for i, stop in enumerate(stops) if _is_multiple(stop, m * unit)] for m in (1, 2, 5, 10, 20)]
    return next((places for places in steps if 2 <= len(places) <= MOST_TICKS), [])  # odd stops have no even multiples


def _is_logarithmic(stops):
    """Return whether stops are denser at their lower end: the middle one is far below the middle of the ends."""
    low, middle, high = stops[0], stops[len(stops) // 2], stops[-1]
    return low >= 0 and middle - low < 0.3 * (high - low)


def _digit(stop):
    """Return the only digit of a number that is not 0, or None if several are."""
    digits = f"{stop:.5e}".split("e")[0].replace(".", "").rstrip("0")
    return int(digits) if len(digits) == 1 else None


def _is_multiple(stop, step):
    """Return whether a stop is a multiple of a step."""
    return abs(stop / step - round(stop / step)) < 1e-6  # tolerance in steps: a stop is typed with six digits at most


def with_value(steps: Sequence[float], value: float) -> list[float]:
    """Return the steps with one more value, so that a slider always shows the number that it has.

    Parameters
    ----------
    steps : sequence of float
        The steps.
    value : float
        The value.

    Returns
    -------
    list of float
        The sorted steps.
    """
    return list(steps) if value in steps else sorted([*steps, value])
