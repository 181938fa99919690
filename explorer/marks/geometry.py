"""Positions of marks: points in a square, images and ellipses in the plane, and what lies beyond a picture's edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.types import Mask, Points, Vector, VectorLike


def plane(points: Points) -> tuple[Vector, Vector]:
    """Return the first two coordinates of points; the second is 0 if there is only one.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        The points.

    Returns
    -------
    x, y : ndarray of shape (n,)
        The coordinates.
    """
    return points[:, 0], points[:, 1] if points.shape[1] > 1 else np.zeros(len(points))


def within(points: Points, square: tuple[float, float, float], wide: float = 1.0) -> dict[str, Vector]:
    """Return points in the plane, clipped to a square or to a box that is wider than high.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        The points.
    square : tuple of float
        Centre (x, y) and half side.
    wide : float, default 1
        Half width of the box, in half sides.

    Returns
    -------
    dict of str to ndarray
        Columns x and y.
    """
    (x, y), (cx, cy, half) = plane(points), square
    return {"x": np.clip(x, cx - wide * half, cx + wide * half), "y": np.clip(y, cy - half, cy + half)}


def to_one(rows: VectorLike) -> Any:
    """Return rows divided by their largest magnitudes.

    Parameters
    ----------
    rows : ndarray of shape (r, length)
        The rows.

    Returns
    -------
    ndarray of shape (r, length)
        The scaled rows.
    """
    size = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    return rows / np.where(size > 0, size, 1.0)


def ellipses(law: Any) -> dict[str, Vector]:
    """Return ellipses of one standard deviation of a distribution's components, in the first two coordinates.

    Parameters
    ----------
    law : GaussianMixture or None
        The distribution; None has no ellipses.

    Returns
    -------
    dict of str to ndarray
        Columns x, y, width, height and angle.
    """
    if law is None or law.d < 2:
        return {name: np.zeros(0) for name in ("x", "y", "width", "height", "angle")}
    a, b, c = (law.covariances[:, i, j] for i, j in ((0, 0), (0, 1), (1, 1)))
    # In closed form: a decomposition may round the same matrix in two ways, and only equal data are not sent again.
    middle, half = (a + c) / 2, np.hypot((a - c) / 2, b)
    width, height = (2 * np.sqrt(np.maximum(gamma, 0)) for gamma in (middle - half, middle + half))
    angle = np.arctan2(2 * b, a - c) / 2 + np.pi / 2
    return {"x": law.means[:, 0], "y": law.means[:, 1], "width": width, "height": height, "angle": angle}


AROUND = np.linspace(0, 2 * np.pi, 49)  # angles at which an outline is drawn


def outlines(law: Any) -> dict[str, Vector]:
    """Return the ellipses of `ellipses` as one line with gaps, which is right on axes of different scales too.

    Parameters
    ----------
    law : GaussianMixture or None
        The distribution.

    Returns
    -------
    dict of str to ndarray
        Columns x and y.
    """
    of = ellipses(law)
    x, y = (of[name][:, None] / 2 for name in ("width", "height"))
    x, y, cos, sin = x * np.cos(AROUND), y * np.sin(AROUND), np.cos(of["angle"])[:, None], np.sin(of["angle"])[:, None]
    turned = {"x": of["x"][:, None] + cos * x - sin * y, "y": of["y"][:, None] + sin * x + cos * y}
    return {name: np.column_stack([at, np.full(len(at), np.nan)]).ravel() for name, at in turned.items()}


def inside(points: Points, low: Vector, high: Vector) -> dict[str, Vector]:
    """Return points in the plane, clipped to a box.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        The points.
    low, high : ndarray of shape (2,)
        Corners of the box.

    Returns
    -------
    dict of str to ndarray
        Columns x and y.
    """
    x, y = plane(points)
    return {"x": np.clip(x, low[0], high[0]), "y": np.clip(y, low[1], high[1])}


def nothing(*names: str) -> dict[str, Vector]:
    """Return empty columns.

    Parameters
    ----------
    *names : str
        Their names.

    Returns
    -------
    dict of str to ndarray
        The columns.
    """
    return {name: np.zeros(0) for name in names}


def ground(x: Sequence[float] | Vector, y: Sequence[float] | Vector) -> dict[str, list[float]]:
    """Return the position of an image whose cells have these centres.

    Parameters
    ----------
    x : ndarray of shape (p,)
        Evenly spaced centres along x.
    y : ndarray of shape (q,)
        Evenly spaced centres along y.

    Returns
    -------
    dict of str to list
        Corner x and y, width dw and height dh.
    """
    wide, high = x[1] - x[0], y[1] - y[0]
    return {"x": [x[0] - wide / 2], "y": [y[0] - high / 2], "dw": [len(x) * wide], "dh": [len(y) * high]}


def outside(points: Points, low: float, high: float) -> Mask:
    """Return which points lie to the left or right of a canvas.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        The points.
    low, high : float
        Ends of the canvas.

    Returns
    -------
    ndarray of bool of shape (n,)
        The mask.
    """
    return (points[:, 0] < low) | (points[:, 0] > high)


def clip_to_frame(points: Points, low: float, high: float) -> dict[str, Vector]:
    """Return points, clipped to a canvas along x.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        The points.
    low, high : float
        Ends of the canvas.

    Returns
    -------
    dict of str to ndarray
        Columns x and y.
    """
    return {"x": np.clip(points[:, 0], low, high), "y": points[:, 1].copy()}


def arrows(points: Points, low: float, high: float) -> dict[str, Vector]:
    """Return triangles at the edge for points to the left or right of a canvas.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        The points.
    low, high : float
        Ends of the canvas.

    Returns
    -------
    dict of str to ndarray
        Columns x, y and angle.
    """
    off = points[outside(points, low, high)]
    return {**clip_to_frame(off, low, high), "angle": -np.sign(off[:, 0]) * np.pi / 2}
