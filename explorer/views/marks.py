"""Marks that the pictures of several labs share: a loss over a parameter, a plane of points, a function's signs."""

from __future__ import annotations

import numpy as np
from bokeh.models import BoxAnnotation, CustomJS, LinearColorMapper, Span

from explorer.marks.places import arrows as arrows
from explorer.marks.places import at_edge as at_edge
from explorer.marks.places import beyond as beyond
from explorer.marks.places import ellipses as ellipses
from explorer.marks.places import ground as ground
from explorer.marks.places import nothing as nothing
from explorer.marks.places import tiles as tiles
from explorer.marks.places import to_one as to_one
from explorer.marks.roles import LESS, MORE

from . import glyphs
from .style import colour

ANSWER = "answer"  # the tag of renderers that a story's question asks for: hidden until one has guessed
MOVES = "overlay"  # the layer of what follows a slider: a canvas repaints it alone, without axes, words and curves
ORANGE, BLUE, NOTHING = LESS, MORE, "#00000000"  # below 0, above 0, and about 0
STEPS = (0.1, 0.2, 0.31, 0.43, 0.56)  # how strong a colour is, from where a function is nearly 0 to its extreme
STRENGTHS = (0.08, 0.16, 0.25, 0.34, 0.43, 0.52, 0.61, 0.7, 0.8)  # of the shades of a role above nothing
IMAGE = """
const [image] = ground.data.image, {w} = cb_obj.data
if (w.length === image.length) { image.set(w); ground.change.emit() }
"""


def mixed(tint, shares, dark):
    """Shares of a tint, mixed with the ground: opaque, so that tiles leave no seams."""
    base = colour("ground", dark)
    parts = [(int(tint[i : i + 2], 16), int(base[i : i + 2], 16)) for i in (1, 3, 5)]
    return ["#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in parts) for share in shares]


GROUNDS = [[*mixed(ORANGE, STEPS[::-1], dark), NOTHING, *mixed(BLUE, STEPS, dark)] for dark in (False, True)]


def signs(paint):
    """A mapper of the values from -1 to 1 to orange and blue, which follows the theme."""
    return paint.shade(LinearColorMapper(low=-1, high=1), GROUNDS)


def shades(paint, role):
    """A mapper of the values from 0 to 1 to shades of a role's colour, which follows the theme."""
    grounds = [[NOTHING, *mixed(colour(role, dark), STRENGTHS, dark)] for dark in (False, True)]
    return paint.shade(LinearColorMapper(low=0, high=1), grounds)


def image(plot, paint, source, high, ground):
    """Let a source's column `w`, row by row from below, be an image of so many rows, where the source `ground` says.

    It paints in a tenth of the time that tiles take, and a browser that answers a slider changes nothing but that
    column. `ground` has x, y, dw and dh, one of each.
    """
    w = np.asarray(source.data["w"], dtype=np.float32)
    ground.data["image"] = [w.reshape(high, -1)]
    ground.tags = [source]  # no glyph draws it, and without one that knows it no document would have it
    glyphs.image(plot, "image", "x", "y", "dw", "dh", source=ground, color_mapper=signs(paint), level="image")
    source.js_on_change("change", CustomJS(args={"ground": ground}, code=IMAGE))


def one_is_kme(plot, paint, harm=True):
    """The line at 1, where the plain average is, and the tint of harm above it."""
    if harm:
        plot.add_layout(paint(BoxAnnotation(bottom=1, fill_alpha=0.07, line_color=None), "harm", "fill_color"))
    plot.add_layout(paint(Span(location=1, dimension="width", line_width=2), "kme", "line_color"))


def curve(plot, paint, source, x, y, role, **options):
    """A line in the colour of a role."""
    return paint(glyphs.line(plot, x, y, source=source, **{"line_width": 3, **options}).glyph, role, "line_color")


def upright(plot, paint, source, x="x"):
    """The vertical line that says where the slider is."""
    line = glyphs.vspan(plot, x, source=source, line_width=1.5, line_alpha=0.6, level=MOVES)
    return paint(line.glyph, "truth", "line_color")


def dots(plot, paint, source, role, x="x", y="y", **options):
    """Markers in the colour of a role, line and ground."""
    return paint(glyphs.scatter(plot, x, y, source=source, **options).glyph, role, "line_color", "fill_color")


def across(plot, paint, location, dimension, role, **options):
    """A line through the whole picture, along its "width" or its "height", that stays where it is."""
    plot.add_layout(paint(Span(location=location, dimension=dimension, **options), role, "line_color"))


def words(plot, paint, source, role, x="x", y="y", **options):
    """What the source's column "words" says, in the colour of a role."""
    text = glyphs.text(plot, x, y, text="words", source=source, text_baseline="middle", **options)
    return paint(text.glyph, role, "text_color")


def stems(plot, paint, source, x, **options):
    """Lines from 0 to a column."""
    lines = glyphs.segment(plot, 0, "y", x, "y", source=source, line_alpha=0.5, **options)
    return paint(lines.glyph, "kme", "line_color")
