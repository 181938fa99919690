"""Bokeh's glyphs without their variants.

A figure's own methods create two more glyphs of each, for selected and for muted points, which no picture has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from bokeh.models import ColumnDataSource, GlyphRenderer, glyphs

Sources: TypeAlias = Mapping[str, ColumnDataSource]  # name -> the columns that marks of that source draw
Draw: TypeAlias = "Callable[..., GlyphRenderer[Any]]"  # (figure, *places, source=, level=, **properties)
FIRST = "#1F77B4"  # default colour, as in a figure's methods


def _drawing(kind: Any) -> Draw:
    """Return a function that draws one kind of glyph, with the arguments of the figure's method."""
    named = (kind._args,) if isinstance(kind._args, str) else kind._args
    coloured = [name for name in ("line_color", "fill_color") if name in kind.properties()]

    def draw(plot, *places, source=None, level="glyph", **options):
        options = {**dict.fromkeys(coloured, FIRST), **dict(zip(named, places, strict=False)), **options}
        if source is None:  # lists are columns of a new source
            columns: dict[Any, Any] = {name: value for name, value in options.items() if isinstance(value, list)}
            source, options = ColumnDataSource(columns), {**options, **{name: name for name in columns}}
        return plot.add_glyph(source, kind(**options), level=level)

    draw.__doc__ = f"Draw a {kind.__name__} and return its renderer."
    return draw


circle: Draw = _drawing(glyphs.Circle)
ellipse: Draw = _drawing(glyphs.Ellipse)
hbar: Draw = _drawing(glyphs.HBar)
hspan: Draw = _drawing(glyphs.HSpan)
image: Draw = _drawing(glyphs.Image)
line: Draw = _drawing(glyphs.Line)
quad: Draw = _drawing(glyphs.Quad)
rect: Draw = _drawing(glyphs.Rect)
scatter: Draw = _drawing(glyphs.Scatter)
segment: Draw = _drawing(glyphs.Segment)
text: Draw = _drawing(glyphs.Text)
varea: Draw = _drawing(glyphs.VArea)
vbar: Draw = _drawing(glyphs.VBar)
vspan: Draw = _drawing(glyphs.VSpan)
