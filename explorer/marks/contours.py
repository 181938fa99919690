"""Filled contours of a function of the plane: the values at which bands begin, and the regions that they fill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from explorer.types import Matrix, Vector

from .roles import LESS, MORE, STEPS, STRENGTHS


class Region(NamedTuple):
    """The region where a function exceeds an edge, in one colour.

    Attributes
    ----------
    ink : str
        The colour.
    strength : float
        Its opacity.
    polygons : list of list of ndarray
        Polygons, each a list of rings (k, 2): its outline, then its holes.
    """

    ink: str
    strength: float
    polygons: list[list[np.ndarray]]


def edges(role: str | None = "") -> Vector:
    """Return the evenly spaced values at which bands begin.

    Parameters
    ----------
    role : str or None, default ""
        A role has shades above 0 only; without one, values on either side of 0 have two colours.

    Returns
    -------
    ndarray
        The values, relative to the largest magnitude.
    """
    if role:
        return (np.arange(len(STRENGTHS), dtype=float) + 1.0) / (len(STRENGTHS) + 1)
    return (np.arange(len(STEPS), dtype=float) + 0.5) / (len(STEPS) + 0.5)


def regions(x: Vector, y: Vector, w: Matrix, role: str | None = "") -> Iterator[Region]:
    """Yield the filled regions of a function on a grid.

    Each region of a colour lies within the one before it, so that no seam shows between them. Between the cells'
    middles the function is interpolated, beyond the outermost ones it is constant. Values that are not finite count as
    0.

    Parameters
    ----------
    x : ndarray of shape (p,)
        Middles of the cells along x.
    y : ndarray of shape (q,)
        Middles of the cells along y.
    w : ndarray of shape (q, p)
        The values.
    role : str or None, default ""
        See `edges`.

    Yields
    ------
    Region
        The regions, the largest of each colour first.
    """
    if min(w.shape, default=0) < 2:
        return
    from contourpy import FillType, contour_generator

    x, y, w = _rimmed(x), _rimmed(y), np.pad(np.where(np.isfinite(w), w, 0.0), 1, mode="edge")
    strengths = STRENGTHS if role else STEPS
    for ink, values in ((role, w),) if role else ((MORE, w), (LESS, -w)):
        lines, above = contour_generator(x, y, values, fill_type=FillType.OuterOffset), float(values.max()) + 1.0
        for edge, strength in zip(edges(role), strengths, strict=True):
            if values.max() > edge:
                outlines: Any = lines.filled(edge, above)  # points of each polygon, and where its rings begin
                polygons = [[p[a:b] for a, b in pairwise(at)] for p, at in zip(*outlines, strict=True)]
                yield Region(ink, strength, polygons)


def middles(ground: Mapping[str, Sequence[float] | Vector], shape: Sequence[int]) -> tuple[Vector, Vector]:
    """Return the middles of an image's cells.

    Parameters
    ----------
    ground : mapping
        The image's position, see `geometry.ground`.
    shape : sequence of int
        Its shape (q, p).

    Returns
    -------
    x : ndarray of shape (p,)
        Middles along x.
    y : ndarray of shape (q,)
        Middles along y.
    """
    left, low, wide, high = (float(ground[name][0]) for name in ("x", "y", "dw", "dh"))
    (q, p) = shape
    return left + wide * (np.arange(p) + 0.5) / p, low + high * (np.arange(q) + 0.5) / q


def _rimmed(places):
    """Return the middles of cells with the outer edges of the first and the last cell."""
    first, last = (places[1] - places[0]) / 2, (places[-1] - places[-2]) / 2
    return np.concatenate([[places[0] - first], places, [places[-1] + last]])
