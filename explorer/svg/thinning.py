"""Thinning: fewer numbers that look the same, for lines to a fraction of a pixel, and for rows to a budget."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.types import Rows, Vector

NEAR = 0.2  # distance in px by which a line may move
FEW = 50  # number of rows that are never thinned
LONG = 4_000  # number of points from which only the ends and extremes of each pixel column are used


def runs(*arrays: Vector) -> Iterator[tuple[Vector, ...]]:
    """Yield stretches where all arrays are finite, as tuples of arrays."""
    well = np.all(np.isfinite(arrays), axis=0)
    cuts = np.flatnonzero(np.diff(well)) + 1
    for part in np.split(np.arange(len(well)), cuts):
        if len(part) and well[part[0]]:
            yield tuple(each[part] for each in arrays)


def line(x: Vector, y: Vector) -> tuple[Vector, Vector]:
    """Return the points of a line (n,) that are needed, in px, by the algorithm of Ramer, Douglas and Peucker."""
    if len(x) > LONG:
        kept = _extremes(x, y)
        x, y = x[kept], y[kept]
    keep, open_ = np.zeros(len(x), dtype=bool), [(0, len(x) - 1)]
    keep[[0, -1]] = True
    while open_:
        first, last = open_.pop()
        if last - first < 2:
            continue
        away = _away(x[first : last + 1], y[first : last + 1])
        furthest = int(np.argmax(away))
        if away[furthest] > NEAR:
            keep[first + furthest] = True
            open_ += [(first, first + furthest), (first + furthest, last)]
    return x[keep], y[keep]


def _away(x, y):
    """Return the distances of points from the segment between the first and the last."""
    across, up = x[-1] - x[0], y[-1] - y[0]
    square = across**2 + up**2
    share = np.clip(((x - x[0]) * across + (y - y[0]) * up) / square, 0, 1) if square > 0 else 0.0
    return np.hypot(x - x[0] - share * across, y - y[0] - share * up)


def _extremes(x, y):
    """Return the first, last, lowest and highest points of the stretches within each pixel column."""
    cuts = np.flatnonzero(np.diff(np.floor(x))) + 1
    parts = np.split(np.arange(len(x)), cuts)
    kept = {int(i) for part in parts for i in (part[0], part[-1], part[y[part].argmin()], part[y[part].argmax()])}
    return np.array(sorted(kept))


def rows(count: int, share: float) -> Rows:
    """Return which of `count` rows are drawn, evenly spaced, if a share is. A few, such as outliers, always are."""
    most = max(FEW, round(count * share))
    return np.arange(count) if count <= most else np.unique(np.linspace(0, count - 1, most).astype(int))
