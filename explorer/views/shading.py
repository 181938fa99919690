"""Functions of the plane as filled contours, and tables of numbers as images, in colours that follow the theme.

The numbers are those of coarse cells, and a slider that the browser answers moves them alone. So it is the browser
that makes contours of them: a raster several times finer, interpolated between the cells' middles.
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

NOTHING = "#00000000"  # about 0
PIXEL = 2.0  # px of the screen, about, that a pixel of the raster takes at most
WIDE = 2.2  # times its height: how wide a picture is, about
PARTS = 4  # shades from one tint to the next, on the pixels where they meet


def mixed(tint: str, shares: Sequence[float] | Vector, dark: bool) -> list[str]:
    """Shares of a tint, mixed with the ground: opaque, so that what lies below is not seen through it."""
    base = colour("ground", dark)
    parts = [(int(tint[i : i + 2], 16), int(base[i : i + 2], 16)) for i in (1, 3, 5)]
    return ["#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in parts) for share in shares]


GROUNDS = [[*mixed(LESS, STEPS[::-1], dark), NOTHING, *mixed(MORE, STEPS, dark)] for dark in (False, True)]


def image(
    plot: figure, paint: Painter, mark: Mark, role: str, sources: glyphs.Sources, level: str
) -> GlyphRenderer[Any]:
    """A function's signs and sizes, or its shades of a role, as contours; a table's as they are.

    The raster is no column: it is made where the picture is painted, and anew when the numbers change.
    """
    source, ground = sources[mark.source], sources[mark.style["ground"]]
    args = {"source": source, "lines": mark.style["lines"]}
    if mark.style["table"]:
        mapper, raster = paint.set_palette(LinearColorMapper(low=-1, high=1), GROUNDS), "contours.table"
    else:
        mapper, raster = _tints(paint, role), "contours.contours"
        first, second = edges(role)[:2].tolist()
        height: Any = plot.height  # which each of ours has
        high = height / PIXEL
        args |= {"first": first, "apart": second - first, "least": {"lines": high, "cells": WIDE * high}}
    each = field("x", CustomJSTransform(args=args, v_func=code(raster, "xs", *args)))
    source.js_on_change("change", CustomJS(args={"ground": ground}, code="ground.change.emit()"))
    return glyphs.image(plot, each, "x", "y", "dw", "dh", source=ground, color_mapper=mapper, level=level)


def _tints(paint, role):
    """A mapper of the raster's tints, and of those between two, which follows the theme."""
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
