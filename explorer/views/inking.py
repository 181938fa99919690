"""Marks as Bokeh's glyphs, in the colours of their roles."""

from __future__ import annotations

from bokeh.core.properties import field, value
from bokeh.models import BoxAnnotation, Span

from explorer.marks import Path, Rule, by

from . import glyphs
from .marks import ANSWER, MOVES, image, shades, signs

KINDS = {  # kind: the glyph, and its properties for the channels in their order
    "line": (glyphs.line, ("x", "y")),
    "area": (glyphs.varea, ("x", "y1", "y2")),
    "dot": (glyphs.scatter, ("x", "y")),
    "box": (glyphs.quad, ("left", "right", "bottom", "top")),
    "bar": (glyphs.vbar, ("x", "top")),
    "stroke": (glyphs.segment, ("x0", "y0", "x1", "y1")),
    "upright": (glyphs.vspan, ("x",)),
    "level": (glyphs.hspan, ("y",)),
    "ellipse": (glyphs.ellipse, ("x", "y", "width", "height", "angle")),
    "circle": (glyphs.circle, ("x", "y", "radius")),
    "frame": (glyphs.rect, ("x", "y", "width", "height")),
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
    options = dict(zip(properties, map(_given, mark.channels.values()), strict=False)) | _style(mark)
    renderer = draw(plot, source=sources[mark.source], level=MOVES if mark.moves else "glyph", **options)
    for each in mark.inks:
        if mark.role.startswith("#"):  # the colour itself, on either ground
            setattr(renderer.glyph, INKS[each], mark.role)
        else:
            paint(renderer.glyph, mark.role, INKS[each])
    if mark.style.get("halo"):
        paint(renderer.glyph, "ground", "background_fill_color")
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


def fixed(plot, paint, drawn):
    """Paths, and words that are Said, of sources of their own."""
    for each in drawn:
        if isinstance(each, Path):
            styles = {STYLES[name]: style for name, style in each.style.items()}
            line = glyphs.line(plot, list(each.x), list(each.y), **styles)
            paint(line.glyph, each.role, "line_color")
        else:
            options = {"text_font_size": f"{each.px}px", "x_offset": each.dx, "y_offset": each.dy, **_font(each.font)}
            options |= {"text_align": each.align, "text_baseline": each.baseline}
            text = glyphs.text(plot, [each.x], [each.y], text=[each.text], **options)
            paint(text.glyph, each.role, "text_color")


def _tiles(plot, paint, mark, source):
    at = {name: str(column) for name, column in mark.channels.items()}
    coloured = {"field": at.pop("w"), "transform": shades(paint, mark.role) if mark.role else signs(paint)}
    tile = {"line_color": None, "dilate": True, "level": MOVES if mark.moves else "image", "fill_color": coloured}
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
        elif name == "font":
            options |= _font(each)
        elif name == "halo":
            options |= {"padding": 1} if each else {}
        elif name == "says":
            options |= {"text": value("" if callable(each) else each)} if each else {}
        else:
            options[STYLES.get(name, name)] = _given(each)
    if mark.kind == "dot" and not isinstance(mark.style["marker"], by):
        options["marker"] = value(mark.style["marker"])
    return options


def _font(font):
    return {"text_font": value(font)} if font else {}
