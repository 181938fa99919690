"""Marks as Bokeh's glyphs, in the colours of their roles."""

from __future__ import annotations

from bokeh.core.properties import field, value
from bokeh.models import BoxAnnotation, Span

from explorer.marks import by

from . import glyphs
from .marks import ANSWER, MOVES, image

KINDS = {  # kind: the glyph, and its properties for the channels in their order
    "line": (glyphs.line, ("x", "y")),
    "area": (glyphs.varea, ("x", "y1", "y2")),
    "dot": (glyphs.scatter, ("x", "y")),
    "box": (glyphs.quad, ("left", "right", "bottom", "top")),
    "stroke": (glyphs.segment, ("x0", "y0", "x1", "y1")),
    "upright": (glyphs.vspan, ("x",)),
    "level": (glyphs.hspan, ("y",)),
    "ellipse": (glyphs.ellipse, ("x", "y", "width", "height", "angle")),
    "words": (glyphs.text, ("x", "y", "text")),
}
STYLES = {
    "width": "line_width",
    "dash": "line_dash",
    "alpha": "line_alpha",
    "fill": "fill_alpha",
    "px": "text_font_size",
    "dx": "x_offset",
    "dy": "y_offset",
    "align": "text_align",
    "bold": "text_font_style",
}  # the others are called alike
INKS = {"line": "line_color", "fill": "fill_color", "hatch": "hatch_color", "text": "text_color"}
HATCH = ("hatch_pattern", "hatch_alpha", "hatch_scale", "hatch_weight")


def ink(plot, paint, mark, sources):
    """Draw one mark of `sources`; its renderer."""
    if mark.kind == "image":
        return image(plot, paint, sources[mark.source], mark.style["lines"], sources[mark.style["ground"]])
    draw, properties = KINDS[mark.kind]
    options = dict(zip(properties, map(_given, mark.channels.values()), strict=True)) | _style(mark)
    renderer = draw(plot, source=sources[mark.source], level=MOVES if mark.moves else "glyph", **options)
    paint(renderer.glyph, mark.role, *(INKS[each] for each in mark.inks))
    if mark.answer:
        renderer.tags = [ANSWER]
    return renderer


def rule(plot, paint, drawn):
    """A Rule as an annotation."""
    place = {"location": drawn.x, "dimension": "height"} if drawn.y is None else {"location": drawn.y}
    styles = {STYLES[name]: each for name, each in drawn.style.items()}
    plot.add_layout(paint(Span(**{"dimension": "width"} | place | styles), drawn.role, "line_color"))


def tint(plot, paint, drawn):
    """A Tint as an annotation."""
    ends = {name: end for name, end in (("bottom", drawn.bottom), ("top", drawn.top)) if end is not None}
    box = BoxAnnotation(**ends, fill_alpha=drawn.alpha, line_color=None)
    plot.add_layout(paint(box, drawn.role, "fill_color"))


def _given(channel):
    return field(channel) if isinstance(channel, by) else channel


def _style(mark):
    options = {}
    for name, each in mark.style.items():
        if name == "hatch":
            options |= dict(zip(HATCH, each or (), strict=False))
        elif name == "px":
            options["text_font_size"] = f"{each}px"
        elif name == "bold":
            options |= {"text_font_style": "bold"} if each else {}
        else:
            options[STYLES.get(name, name)] = _given(each)
    if mark.kind == "words":
        options["text_baseline"] = "middle"
    if mark.kind == "dot" and not isinstance(mark.style["marker"], by):
        options["marker"] = value(mark.style["marker"])
    return options
