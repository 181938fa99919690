"""Bokeh's glyphs, each drawn as itself alone.

A figure's own methods make two more of each, for points that are selected and for points that are muted, of which no
picture has any.
"""

from __future__ import annotations

from typing import Any

from bokeh.models import ColumnDataSource, glyphs

FIRST = "#1F77B4"  # the colour of what has none of its own, as in a figure's methods


def _drawing(kind):
    """A function that draws one kind of glyph, with the arguments of the figure's method."""
    named = (kind._args,) if isinstance(kind._args, str) else kind._args
    coloured = [name for name in ("line_color", "fill_color") if name in kind.properties()]

    def draw(plot, *places, source=None, level="glyph", **options):
        options = {**dict.fromkeys(coloured, FIRST), **dict(zip(named, places, strict=False)), **options}
        if source is None:  # lists are columns of their own
            columns: dict[Any, Any] = {name: value for name, value in options.items() if isinstance(value, list)}
            source, options = ColumnDataSource(columns), {**options, **{name: name for name in columns}}
        return plot.add_glyph(source, kind(**options), level=level)

    draw.__doc__ = f"Draw a {kind.__name__}; its renderer."
    return draw


circle = _drawing(glyphs.Circle)
ellipse = _drawing(glyphs.Ellipse)
hbar = _drawing(glyphs.HBar)
hspan = _drawing(glyphs.HSpan)
image = _drawing(glyphs.Image)
line = _drawing(glyphs.Line)
quad = _drawing(glyphs.Quad)
rect = _drawing(glyphs.Rect)
scatter = _drawing(glyphs.Scatter)
segment = _drawing(glyphs.Segment)
text = _drawing(glyphs.Text)
varea = _drawing(glyphs.VArea)
vbar = _drawing(glyphs.VBar)
vspan = _drawing(glyphs.VSpan)
