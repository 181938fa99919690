"""Where the Density lab's densities are drawn, and the cells of the most even one."""

from __future__ import annotations

import numpy as np

from explorer.types import Matrix, Points, Vector

ALONG = 161  # places of a line
ACROSS, UP = 90, 41  # cells of a plane
WIDE, HIGH = 2.3, 1.08  # of the frame's half side: a picture is wider than it is high
WIDTH = 1.5  # of the frame's half side: what of the sample is beside it can be seen, too
CELLS = {1: 240, 2: 30}  # along each axis of the most even density's grid
MARGIN = {1: 1.0, 2: 0.5}  # of the sample's range on each side of it


def axes_of(frame: tuple[float, float, float]) -> tuple[Vector, Vector]:
    """The centres of the plane's cells along both axes, for a frame (x, y, half side)."""
    cx, cy, half = frame
    ends = ((cx, WIDE * half, ACROSS), (cy, HIGH * half, UP))
    x, y = (c + reach * ((2 * np.arange(count) + 1) / count - 1) for c, reach, count in ends)
    return x, y


def frame_of(low: Vector, high: Vector) -> tuple[float, float, float]:
    """Centre and half side of the square that a picture of a box in the plane shows, which is wider than high."""
    (cx, cy), (across, up) = (low + high) / 2, (high - low) / 2
    return float(cx), float(cy), float(max(up, across / WIDTH))


def line_of(frame: tuple[float, float, float]) -> Matrix:
    """Places along the line, (g, 1), for a frame (x, y, half side)."""
    cx, _, half = frame
    return np.linspace(cx - half, cx + half, ALONG)[:, None]


def plane_of(axes: tuple[Vector, Vector]) -> Matrix:
    """All pairs of the cells' centres along two axes, (g, 2), row by row from below."""
    x, y = axes
    return np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])


def grid_of(X: Points) -> Matrix:
    """Evenly spaced centres of cells about points X (n, d), (g, d), row by row from below.

    A column without a range has one of its own, as cells of no width hold no density.
    """
    d, low, high = X.shape[1], X.min(axis=0), X.max(axis=0)
    width = np.where(high > low, high - low, float((high - low).max()) or 1.0)
    ends = zip(low - MARGIN[d] * width, high + MARGIN[d] * width, strict=True)
    first, *others = (np.linspace(a, b, CELLS[d]) for a, b in ends)
    return plane_of((first, others[0])) if others else first[:, None]
