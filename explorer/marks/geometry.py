"""Where marks lie: points in a square, images and ellipses over the plane, and what is beyond a picture's edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.types import Mask, Points, Vector, VectorLike


def plane(points: Points) -> tuple[Vector, Vector]:
    """The first two coordinates of points (n, d); a second one of 0 where there is none."""
    return points[:, 0], points[:, 1] if points.shape[1] > 1 else np.zeros(len(points))


def within(points: Points, square: tuple[float, float, float]) -> dict[str, Vector]:
    """Points (n, d) in the plane, those beyond the square at its edge: {"x", "y"}."""
    (x, y), (cx, cy, half) = plane(points), square
    return {"x": np.clip(x, cx - half, cx + half), "y": np.clip(y, cy - half, cy + half)}


def to_one(rows: VectorLike) -> Any:
    """Rows (r, length) over their largest magnitudes."""
    size = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    return rows / np.where(size > 0, size, 1.0)


def ellipses(law: Any) -> dict[str, Vector]:
    """Ellipses of one standard deviation of a distribution's components, first two coordinates; none for None."""
    if law is None or law.d < 2:
        return {name: np.zeros(0) for name in ("x", "y", "width", "height", "angle")}
    a, b, c = (law.covariances[:, i, j] for i, j in ((0, 0), (0, 1), (1, 1)))
    # in closed form: a decomposition may round the same matrix in two ways, and what is equal is not sent again
    middle, half = (a + c) / 2, np.hypot((a - c) / 2, b)
    width, height = (2 * np.sqrt(np.maximum(gamma, 0)) for gamma in (middle - half, middle + half))
    angle = np.arctan2(2 * b, a - c) / 2 + np.pi / 2
    return {"x": law.means[:, 0], "y": law.means[:, 1], "width": width, "height": height, "angle": angle}


AROUND = np.linspace(0, 2 * np.pi, 49)  # the angles at which an outline is drawn


def outlines(law: Any) -> dict[str, Vector]:
    """The ellipses of `ellipses` as one line with gaps, {"x", "y"}: right on axes of different scales too."""
    of = ellipses(law)
    x, y = (of[name][:, None] / 2 for name in ("width", "height"))
    x, y, cos, sin = x * np.cos(AROUND), y * np.sin(AROUND), np.cos(of["angle"])[:, None], np.sin(of["angle"])[:, None]
    turned = {"x": of["x"][:, None] + cos * x - sin * y, "y": of["y"][:, None] + sin * x + cos * y}
    return {name: np.column_stack([at, np.full(len(at), np.nan)]).ravel() for name, at in turned.items()}


def inside(points: Points, low: Vector, high: Vector) -> dict[str, Vector]:
    """Points (n, d) in the plane, those beyond a box at its edge: {"x", "y"}."""
    x, y = plane(points)
    return {"x": np.clip(x, low[0], high[0]), "y": np.clip(y, low[1], high[1])}


def nothing(*names: str) -> dict[str, Vector]:
    """Empty columns of these names."""
    return {name: np.zeros(0) for name in names}


def ground(x: Sequence[float] | Vector, y: Sequence[float] | Vector) -> dict[str, list[float]]:
    """Where an image lies whose cells are centred at the evenly spaced places x (p,) and y (q,)."""
    wide, high = x[1] - x[0], y[1] - y[0]
    return {"x": [x[0] - wide / 2], "y": [y[0] - high / 2], "dw": [len(x) * wide], "dh": [len(y) * high]}


def outside(points: Points, low: float, high: float) -> Mask:
    """Which points (n, 2) lie beyond a canvas from low to high, (n,)."""
    return (points[:, 0] < low) | (points[:, 0] > high)


def clip_to_frame(points: Points, low: float, high: float) -> dict[str, Vector]:
    """Points (n, 2), those beyond a canvas from low to high at its edge: {"x", "y"}."""
    return {"x": np.clip(points[:, 0], low, high), "y": points[:, 1].copy()}


def arrows(points: Points, low: float, high: float) -> dict[str, Vector]:
    """Triangles at the edge for the points (n, 2) beyond a canvas from low to high: {"x", "y", "angle"}."""
    off = points[outside(points, low, high)]
    return {**clip_to_frame(off, low, high), "angle": -np.sign(off[:, 0]) * np.pi / 2}
