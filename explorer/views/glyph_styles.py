"""Bokeh glyphs of marks, in the colours of their roles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from bokeh.core.properties import field, value
from bokeh.models import BoxAnnotation, GlyphRenderer, LinearColorMapper, LogColorMapper, Span
from bokeh.palettes import Cividis256

from explorer.browser import call
from explorer.languages import translate
from explorer.marks import Band, Box, Grounds, Mark, Polyline, ReferenceLine, TextLabel, by
from explorer.marks.roles import PALEST, colour

from . import glyphs
from .shading import image, mixed

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.plotting import figure

    from .style import Painter

# a model, and its properties that depend on the result
Ground: TypeAlias = "tuple[Model, dict[str, Callable[[Any], float]]]"
Inked: TypeAlias = "tuple[Mark, str, GlyphRenderer[Any]]"  # a mark, its role, and its renderer
MOVES = "overlay"  # layer of what follows a slider: a canvas repaints it alone, without axes, text and curves

# kind -> the glyph, and its properties for the channels in their order
KINDS: dict[str, tuple[glyphs.Draw, tuple[str, ...]]] = {
    "line": (glyphs.line, ("x", "y")),
    "area": (glyphs.varea, ("x", "y1", "y2")),
    "dot": (glyphs.scatter, ("x", "y")),
    "circle": (glyphs.circle, ("x", "y", "radius")),
    "box": (glyphs.quad, ("left", "right", "bottom", "top")),
    "bar": (glyphs.vbar, ("x", "top")),
    "cell": (glyphs.rect, ("x", "y", "width", "height")),
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
    "baseline": "text_baseline",
}  # all other names are the same
SHADES = 64  # number of shades of a mesh
INKS = {"line": "line_color", "fill": "fill_color", "hatch": "hatch_color", "text": "text_color"}
HATCH = ("hatch_pattern", "hatch_alpha", "hatch_scale", "hatch_weight")


def add_glyphs(
    plot: figure,
    paint: Painter,
    grounds: Grounds,
    marks: Iterable[Any],
    sources: glyphs.Sources,
    pinned: glyphs.Sources,
) -> tuple[list[Ground], list[Inked]]:
    """Draw the marks of a picture on a figure, backgrounds first.

    Parameters
    ----------
    plot : figure
        The figure.
    paint : Painter
        Colours the models.
    grounds : sequence of ReferenceLine or Band
        The backgrounds.
    marks : iterable
        The marks, the lowest first.
    sources : mapping of str to ColumnDataSource
        Sources of the marks.
    pinned : mapping of str to ColumnDataSource
        Sources of the pinned marks.

    Returns
    -------
    below : list of tuple
        (model, properties that depend on the result) of each background.
    inked : list of tuple
        (mark, role, renderer); a mark of several roles has one for each.
    """
    below, inked = [ground(plot, paint, each) for each in grounds], []
    for each in marks:
        if not isinstance(each, Mark):
            fixed(plot, paint, each)
            continue
        for role in each.role if isinstance(each.role, tuple) else (each.role,):
            renderer = add_glyph(plot, paint, each, role, pinned if each.pinned else sources)
            inked.append((each, role, renderer))
    return below, inked


def add_glyph(plot: figure, paint: Painter, mark: Mark, role: str, sources: glyphs.Sources) -> GlyphRenderer[Any]:
    """Draw one mark of `sources` in the colour of one of its roles, and return its renderer."""
    if mark.kind == "image":
        return image(plot, paint, mark, role, sources, MOVES if mark.follows_slider else "image")
    if mark.kind == "shades":
        return _shades(plot, mark, sources[mark.source])
    if mark.kind == "mesh":
        return _mesh(plot, paint, mark, role, sources[mark.source])
    draw, properties = KINDS[mark.kind]
    options = dict(zip(properties, map(_as_bokeh, mark.channels.values()), strict=False)) | _style(mark)
    renderer = draw(plot, source=sources[mark.source], level=MOVES if mark.follows_slider else "glyph", **options)
    for each in ("line", "fill"):
        if each not in mark.inks and INKS[each] in renderer.glyph.properties():
            setattr(renderer.glyph, INKS[each], None)
    for each in mark.inks:
        if role.startswith("#"):  # a colour, on either ground
            setattr(renderer.glyph, INKS[each], role)
        else:
            paint(renderer.glyph, role, INKS[each])
    if mark.style.get("halo"):
        paint(renderer.glyph, "ground", "background_fill_color")
    if mark.style.get("room"):
        _only_where_there_is_room(plot, renderer, *mark.style["room"])
    return renderer


def ground(plot: figure, paint: Painter, drawn: ReferenceLine | Band) -> Ground:
    """Return a ReferenceLine or a Band as an annotation, and its properties that depend on the result, by name."""
    if isinstance(drawn, ReferenceLine):
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


def fixed(plot: figure, paint: Painter, drawn: Polyline | Box | TextLabel) -> Model:
    """Draw a Polyline, a Box or a TextLabel, with separate sources."""
    if isinstance(drawn, Box):
        edges = {name: getattr(drawn, name) for name in ("left", "right", "bottom", "top")}
        hatch = dict(zip(HATCH, drawn.hatch or (), strict=False))
        box = glyphs.quad(plot, **edges, fill_alpha=drawn.fill, line_alpha=drawn.alpha, level="underlay", **hatch)
        return paint(box.glyph, drawn.role, "line_color", "fill_color", *(["hatch_color"] if hatch else []))
    if isinstance(drawn, Polyline):
        styles = {STYLES[name]: each for name, each in drawn.style.items()}
        line = glyphs.line(plot, list(drawn.x), list(drawn.y), **styles)
        return paint(line.glyph, drawn.role, "line_color")
    options = {"text_font_size": f"{drawn.px}px", "x_offset": drawn.dx, "y_offset": drawn.dy, **_font(drawn.font)}
    options |= {"text_align": drawn.align, "text_baseline": drawn.baseline}
    options |= {"text_font_style": "bold"} if drawn.bold else {}
    text = glyphs.text(plot, [drawn.x], [drawn.y], text=[translate(drawn.text)], **options)
    return paint(text.glyph, drawn.role, "text_color")


def _only_where_there_is_room(plot, renderer, wide, high):
    """Show text only while a unit of the axes is at least this many px wide and high."""
    args = {"plot": plot, "x": plot.x_range, "y": plot.y_range, "words": renderer, "least": [wide, high]}
    for model, event in ((plot, "inner_width"), (plot, "inner_height"), (plot.x_range, "end"), (plot.y_range, "end")):
        model.js_on_change(event, call("plane.whereThereIsRoom", **args))


def _shades(plot, mark, source):
    """Draw a heatmap."""
    colours = LinearColorMapper(palette=list(Cividis256), low=0, high=mark.style["high"])
    if mark.style["gaps"]:
        colours.update(nan_color="rgba(0, 0, 0, 0)")
    places: dict[str, Any] = {name: _as_bokeh(each) for name, each in mark.channels.items()}
    return glyphs.image(plot, source=source, color_mapper=colours, **places)


def _mesh(plot, paint, mark, role, source):
    """Draw cells in shades of a role."""
    bar = mark.style["bar"]
    shares = np.linspace(PALEST, 1.0, SHADES)
    palettes = [mixed(colour(role, dark), shares, dark) for dark in (False, True)]
    mapper = (LogColorMapper if bar.log else LinearColorMapper)(low=bar.range[0], high=bar.range[1])
    ink: Any = {"field": "w", "transform": paint.set_palette(mapper, palettes)}
    return glyphs.quad(plot, "left", "right", "bottom", "top", source=source, fill_color=ink, line_color=None)


def _as_bokeh(channel):
    """Return a channel as Bokeh takes it."""
    return field(channel) if isinstance(channel, by) else channel


def _font(font):
    """Return the options of a font."""
    return {"text_font": value(font)} if font else {}


def _style(mark):
    """Return the options of a mark's style."""
    options = {}
    for name, each in mark.style.items():
        if name == "hatch":
            options |= dict(zip(HATCH, each or (), strict=False))
        elif name == "px":
            options["text_font_size"] = f"{each}px"
        elif name in ("room", "middle", "half"):
            continue
        elif name == "bold":
            options |= {"text_font_style": "bold"} if each else {}
        elif name == "font":
            options |= _font(each)
        elif name == "alpha" and mark.kind == "words":
            options["text_alpha"] = _as_bokeh(each)
        elif name == "halo":
            options |= {"padding": 1} if each else {}
        elif name == "says":
            options |= {"text": value("" if callable(each) else translate(each))} if each else {}
        else:
            options[STYLES.get(name, name)] = _as_bokeh(each)
    if mark.kind == "dot" and not isinstance(mark.style["marker"], by):
        options["marker"] = value(mark.style["marker"])
    return options
