"""Positions at which a function is drawn: a range around points, and the places of a line or of a plane in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.types import Matrix, Points, Vector

LINE, PLANE = 401, 81  # number of places along a line, and along each side of a plane
KEPT = 400  # a curve passes exactly through up to this many points; more of them are as dense as its places
LEAST, MOST = 0.12, 0.6  # margins on either side, as shares of the points' range
HIGH = 280  # height of the frame of a plane in px
NARROWEST, WIDEST = 0.75, 1.6  # limits of a frame's width over its height
UNDISTORTED = 4.0  # up to this ratio, the ranges of two coordinates share one scale


def reach(values: Vector, spread: float | Vector = 0.0, length: float | None = None) -> tuple[float, float]:
    """Return the range (low, high) in which a function of this length scale around values (n,) is drawn.

    Each value has the standard deviation `spread`. The margin beyond the values is two lengths, but at least 0.12 and
    at
    most 0.6 of their range.
    """
    values = np.asarray(values, dtype=float)
    low, high = float((values - 3 * spread).min()), float((values + 3 * spread).max())
    span = high - low
    if span <= 1e-12 * max(abs(low), abs(high)):  # all values coincide: only the length sets the margin
        margin = 4 * length if length else max(1.0, abs(low) / 2)
    else:
        margin = float(np.clip(2 * length, LEAST * span, MOST * span)) if length else LEAST * span
    if not np.isfinite([low - margin, high + margin, span]).all():
        raise Refusal("the points lie too far apart to be drawn; rescale them first.")
    return low - margin, high + margin


def along(low: float, high: float, points: Points, grid: int | None = None) -> Vector:
    """Return the places of a line from low to high, (g,): `grid` of them, and the points (n,) if they are few."""
    grid = LINE if grid is None else checks.whole(grid, "grid", 2)
    even = np.linspace(low, high, grid)
    return np.union1d(even, points) if len(points) <= KEPT else even


def plane(reaches: Sequence[tuple[float, float]], grid: int | None = None) -> tuple[Vector, Vector, Matrix]:
    """Return the places of a plane: two axes (g,), and all pairs of them (g g, 2), the first coordinate first."""
    grid = PLANE if grid is None else checks.whole(grid, "grid", 2)
    x, y = (np.linspace(*ends, grid) for ends in reaches)
    pairs = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    return x, y, pairs


def frame(reaches: Sequence[tuple[float, float]]) -> Any:
    """Return the reaches (low, high) of two coordinates within a frame, and the chart's attributes of the frame.

    If one scale serves both coordinates, circles stay round. A reach that would make the frame too long or too narrow
    is
    then widened.
    """
    (x_low, x_high), (y_low, y_high) = reaches
    wide, high = x_high - x_low, y_high - y_low
    if max(wide, high) > UNDISTORTED * min(wide, high):
        return reaches, {"frame": (HIGH, HIGH)}
    ratio = float(np.clip(wide / high, NARROWEST, WIDEST))
    more_wide, more_high = max(0.0, ratio * high - wide) / 2, max(0.0, wide / ratio - high) / 2
    reaches = [(x_low - more_wide, x_high + more_wide), (y_low - more_high, y_high + more_high)]
    return reaches, {"frame": (round(HIGH * ratio), HIGH), "is_true_to_scale": True}
