"""A function of the plane as filled contours: where its tints begin, and the regions that they fill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from explorer.types import Matrix, Vector

from .roles import LESS, MORE, STEPS, STRENGTHS


class Region(NamedTuple):
    """Where a function is beyond an edge, in one ink, so strong.

    polygons  each a list of rings (k, 2), its outline first, then its holes
    """

    ink: str
    strength: float
    polygons: list[list[np.ndarray]]


def edges(role: str | None = "") -> Vector:
    """Where the tints begin, evenly spaced: of signs and sizes on either side of 0, of the shades of a role above 0."""
    if role:
        return (np.arange(len(STRENGTHS), dtype=float) + 1.0) / (len(STRENGTHS) + 1)
    return (np.arange(len(STEPS), dtype=float) + 0.5) / (len(STEPS) + 0.5)


def regions(x: Vector, y: Vector, w: Matrix, role: str | None = "") -> Iterator[Region]:
    """The regions of w (q, p) over the middles x (p,) and y (q,) of its cells.

    Of an ink each lies within the one before it, so that no seam shows between them. Between the middles w is
    interpolated, and beyond the outermost it stays as it is there; what is not finite counts as 0.
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
                outlines: Any = lines.filled(edge, above)  # of each polygon its points, and where its rings begin
                polygons = [[p[a:b] for a, b in pairwise(at)] for p, at in zip(*outlines, strict=True)]
                yield Region(ink, strength, polygons)


def middles(ground: Mapping[str, Sequence[float] | Vector], shape: Sequence[int]) -> tuple[Vector, Vector]:
    """The middles x (p,) and y (q,) of the cells (q, p) of an image that lies where a ground says."""
    left, low, wide, high = (float(ground[name][0]) for name in ("x", "y", "dw", "dh"))
    (q, p) = shape
    return left + wide * (np.arange(p) + 0.5) / p, low + high * (np.arange(q) + 0.5) / q


def _rimmed(places):
    """Places of cells' middles, and the outer edges of the first and the last."""
    first, last = (places[1] - places[0]) / 2, (places[-1] - places[-2]) / 2
    return np.concatenate([[places[0] - first], places, [places[-1] + last]])
