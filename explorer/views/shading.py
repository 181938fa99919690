"""Functions of the plane as filled contours, and tables of numbers as images, in colours that follow the theme.

The numbers are those of coarse cells, and a slider that the browser answers changes only them. The browser computes the
contours: a raster several times finer, interpolated between the cells' middles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from bokeh.core.properties import field
from bokeh.models import CustomJS, CustomJSTransform, GlyphRenderer, LinearColorMapper

from explorer.browser import code
from explorer.marks.contours import edges
from explorer.marks.roles import LESS, MORE, STEPS, STRENGTHS, colour
from explorer.types import Vector

from . import glyphs

if TYPE_CHECKING:
    from bokeh.plotting import figure

    from explorer.marks import Mark

    from .style import Painter

NOTHING = "#00000000"  # colour of values about 0
PIXEL = 2.0  # largest size in px of the screen of a pixel of the raster, about
WIDE = 2.2  # approximate ratio of a picture's width to its height
PARTS = 4  # number of shades from one band to the next, on the pixels between them


def mixed(tint: str, shares: Sequence[float] | Vector, dark: bool) -> list[str]:
    """Return shares of a colour mixed with the background: opaque, so that what is below does not show through.

    Parameters
    ----------
    tint : str
        The colour.
    shares : sequence of float
        The shares.
    dark : bool
        Whether the background is dark.

    Returns
    -------
    list of str
        The colours.
    """
    base = colour("ground", dark)
    parts = [(int(tint[i : i + 2], 16), int(base[i : i + 2], 16)) for i in (1, 3, 5)]
    return ["#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in parts) for share in shares]


GROUNDS = [[*mixed(LESS, STEPS[::-1], dark), NOTHING, *mixed(MORE, STEPS, dark)] for dark in (False, True)]


def image(
    plot: figure, paint: Painter, mark: Mark, role: str, sources: glyphs.Sources, level: str
) -> GlyphRenderer[Any]:
    """Draw a function's signs and sizes, or its shades of a role, as contours; a table's cells without contours.

    The raster is not a column: it is computed while the picture is painted, and again when the numbers change.
    """
    source, ground = sources[mark.source], sources[mark.style["ground"]]
    args = {"source": source, "lines": mark.style["lines"]}
    top = mark.style["bar"].range[1] if mark.style["bar"] else 1
    if mark.style["table"]:
        mapper, raster = paint.set_palette(LinearColorMapper(low=-top, high=top), GROUNDS), "contours.table"
    else:
        mapper, raster = _tints(paint, role), "contours.contours"
        first, second = (top * edges(role)[:2]).tolist()
        height: Any = plot.height  # every figure of this project has a height
        high = height / PIXEL
        args |= {"first": first, "apart": second - first, "least": {"lines": high, "cells": WIDE * high}}
    each = field("x", CustomJSTransform(args=args, v_func=code(raster, "xs", *args)))
    source.js_on_change("change", CustomJS(args={"ground": ground}, code="ground.change.emit()"))
    return glyphs.image(plot, each, "x", "y", "dw", "dh", source=ground, color_mapper=mapper, level=level)


def _tints(paint, role):
    """Return a mapper of the raster's bands and of the shades between them, which follows the theme."""
    strengths = STRENGTHS if role else STEPS
    most, ends = len(strengths), range(len(strengths) + 1)
    shares = np.interp(np.arange(1, PARTS * most + 1) / PARTS, ends, [0.0, *strengths])
    grounds = []
    for dark in (False, True):
        above = mixed(colour(role, dark) if role else MORE, shares, dark)
        below = [] if role else mixed(LESS, shares[::-1], dark)
        grounds.append([*below, NOTHING, *above])
    half = 0.5 / PARTS
    return paint.set_palette(LinearColorMapper(low=-half if role else -most - half, high=most + half), grounds)
