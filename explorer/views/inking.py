"""Marks as Bokeh's glyphs, in the colours of their roles."""

from __future__ import annotations

from bokeh.core.properties import field, value
from bokeh.models import BoxAnnotation, Span

from explorer.marks import Rule, by

from . import glyphs
from .marks import ANSWER, MOVES, image, signs

KINDS = {  # kind: the glyph, and its properties for the channels in their order
    "line": (glyphs.line, ("x", "y")),
    "area": (glyphs.varea, ("x", "y1", "y2")),
    "dot": (glyphs.scatter, ("x", "y")),
    "circle": (glyphs.circle, ("x", "y", "radius")),
    "box": (glyphs.quad, ("left", "right", "bottom", "top")),
    "bar": (glyphs.vbar, ("x", "top")),
    "bar across": (glyphs.hbar, ("y", "right", "height")),
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
    "breadth": "width",
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
    if mark.kind == "tile":
        return _tiles(plot, paint, mark, sources[mark.source])
    draw, properties = KINDS[mark.kind]
    options = dict(zip(properties, map(_given, mark.channels.values()), strict=True)) | _style(mark)
    renderer = draw(plot, source=sources[mark.source], level=MOVES if mark.moves else "glyph", **options)
    for each in mark.inks:
        if mark.role.startswith("#"):  # the colour itself, on either ground
            setattr(renderer.glyph, INKS[each], mark.role)
        else:
            paint(renderer.glyph, mark.role, INKS[each])
    if mark.answer:
        renderer.tags = [ANSWER]
    return renderer


def ground(plot, paint, drawn):
    """A Rule or a Tint as an annotation, and what of its properties depends on the result, by name."""
    if isinstance(drawn, Rule):
        places = {"location": drawn.x if drawn.y is None else drawn.y}
        styles = {STYLES[name]: each for name, each in drawn.style.items()}
        model = Span(dimension="height" if drawn.y is None else "width", **styles)
        paint(model, drawn.role, "line_color")
    else:
        places = {name: end for name, end in (("bottom", drawn.bottom), ("top", drawn.top)) if end is not None}
        model = paint(BoxAnnotation(fill_alpha=drawn.alpha, line_color=None), drawn.role, "fill_color")
    model.update(**{name: place for name, place in places.items() if not callable(place)})
    plot.add_layout(model)
    return model, {name: place for name, place in places.items() if callable(place)}


def _tiles(plot, paint, mark, source):
    at = {name: str(column) for name, column in mark.channels.items()}
    coloured = {"field": at.pop("w"), "transform": signs(paint)}
    tile = {"line_color": None, "dilate": True, "level": "image", "fill_color": coloured}
    return glyphs.rect(plot, *at.values(), source=source, **tile)


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
