"""A picture in little: the glyphs of a figure as an SVG, without axes and words; images and ellipses are left out.

Colours are the page's own, by the roles that a Painter remembers: `var(--skmse, ...)`, so that a theme repaints it.
"""

from __future__ import annotations

import numpy as np
from bokeh.models import BoxAnnotation, LogScale, Span
from bokeh.models import glyphs as kinds

from explorer.marks.roles import ROLES
from explorer.markup import joined, markup

WIDTH, HEIGHT = 260, 84
EDGE = 3  # px that stay free on every side
THIN = 0.75  # of a line's width on the page
DOT = 0.62  # of a marker's size on the page
LEVELS = ("image", "underlay", "glyph", "guide", "annotation", "overlay")  # from below
RIM = 1.6  # px that a hollow dot's ring takes of its size
HOLE = f"var(--ground, {ROLES['ground'][0]})"
DASHES = {"dashed": "6 4", "dotted": "2 3"}


def thumbnail(plot, painter, title):
    """The figure as an SVG of WIDTH x HEIGHT; `title` is for those who listen."""
    roles = {(id(model), name): role for model, name, role in painter.painted}
    axes = _Axes(plot)
    parts = [_annotation(each, axes, roles) for each in plot.center]
    worded = [each.data_source for each in plot.renderers if isinstance(each.glyph, kinds.Text)]
    for renderer in sorted(plot.renderers, key=lambda each: LEVELS.index(each.level)):
        draw = DRAWN.get(type(renderer.glyph))
        # a mark that has words says nothing without them
        if draw is not None and renderer.visible and renderer.data_source not in worded:
            parts.append(draw(_Glyph(renderer, axes, roles)))
    shape = markup("viewBox='0 0 {} {}' role='img' aria-label='{}'", WIDTH, HEIGHT, title)
    return markup("<svg {}>{}</svg>", shape, joined(parts))


class _Axes:
    """From a figure's data to px."""

    def __init__(self, plot):
        self.x = _axis(plot.x_range, plot.x_scale, EDGE, WIDTH - EDGE)
        self.y = _axis(plot.y_range, plot.y_scale, HEIGHT - EDGE, EDGE)


def _axis(ends, scale, first, last):
    place = np.log10 if isinstance(scale, LogScale) else np.asarray
    low, high = place(float(ends.start)), place(float(ends.end))

    def to_px(values):
        with np.errstate(divide="ignore", invalid="ignore"):
            return first + (place(np.asarray(values, dtype=float)) - low) / (high - low) * (last - first)

    return to_px


class _Glyph:
    """A renderer's columns in px, and how it is inked."""

    def __init__(self, renderer, axes, roles):
        self.glyph, self.data, self.axes, self.roles = renderer.glyph, renderer.data_source.data, axes, roles
        self.rows = max((len(column) for column in self.data.values()), default=0)

    def value(self, name):
        """A property for each row, in its own units."""
        spec = getattr(self.glyph, name)
        if isinstance(spec, str) and spec in self.data:
            return np.asarray(self.data[spec])
        field = getattr(spec, "field", None)
        if field is not None:
            return np.asarray(self.data[field])
        return np.full(self.rows, getattr(spec, "value", spec))

    def x(self, name):
        """A property along the x axis, in px."""
        return self.axes.x(self.value(name))

    def y(self, name):
        """A property along the y axis, in px."""
        return self.axes.y(self.value(name))

    def number(self, name, default=1.0):
        """A property that is one number for all rows."""
        values = self.value(name) if hasattr(self.glyph, name) else ()
        return float(values[0]) if len(values) and values[0] is not None else default

    def stroke(self):
        """The line's attributes."""
        return _stroke(self.glyph, self.roles, self.number("line_width") * THIN, self.number("line_alpha"))

    def fill(self):
        """The area's attributes."""
        ink = _ink(self.glyph, "fill_color", self.roles)
        return markup("fill='{}' fill-opacity='{:.2g}'", ink, self.number("fill_alpha"))


def _ink(model, name, roles):
    role = roles.get((id(model), name))
    return f"var(--{role}, {ROLES[role][0]})" if role else "none"


def _stroke(model, roles, width, alpha):
    dash = getattr(model.line_dash, "value", model.line_dash)
    dash = DASHES.get(dash, "") if isinstance(dash, str) else " ".join(f"{each:g}" for each in dash)
    dashed = markup(" stroke-dasharray='{}'", dash) if dash else ""
    ink = _ink(model, "line_color", roles)
    line = markup("stroke='{}' stroke-width='{:.3g}' stroke-opacity='{:.2g}' fill='none'", ink, width, alpha)
    return line + dashed


def _path(*steps):
    """The d of a path from arrays of px that belong together, row by row: ("M", x, y, "L", x, y)."""
    arrays = [each for each in steps if not isinstance(each, str)]
    well = np.flatnonzero(np.all(np.isfinite(arrays), axis=0))
    rounded = iter(np.round(arrays, 1))
    words = [each if isinstance(each, str) else next(rounded) for each in steps]
    return "".join("".join(w if isinstance(w, str) else f"{w[i]:g} " for w in words) for i in well)


def _line(g):
    x, y = g.x("x"), g.y("y")
    pen, d = "M", []
    for a, b in zip(x, y, strict=True):
        if not (np.isfinite(a) and np.isfinite(b)):
            pen = "M"
            continue
        d.append(f"{pen}{a:.1f} {b:.1f}")
        pen = "L"
    return markup("<path d='{}' {}/>", "".join(d), g.stroke()) if d else ""


def _scatter(g):
    """Dots as lines of no length with round ends: a path for all that are alike."""
    x, y, sizes, alphas = g.x("x"), g.y("y"), g.value("size") * DOT, g.value("fill_alpha")
    drawn = []
    for size, alpha in sorted(set(zip(sizes.tolist(), alphas.tolist(), strict=True))):
        alike = (sizes == size) & (alphas == alpha)
        d = _path("M", x[alike], y[alike], "h0")
        if not d or not size > 0:
            continue
        ink = _ink(g.glyph, "fill_color" if alpha > 0 else "line_color", g.roles)
        drawn.append(markup("<path d='{}' stroke='{}' stroke-width='{:.3g}' stroke-linecap='round'/>", d, ink, size))
        if not alpha > 0:  # hollow
            drawn.append(
                markup("<path d='{}' stroke='{}' stroke-width='{:.3g}' stroke-linecap='round'/>", d, HOLE, size - RIM)
            )
    return joined(drawn)


def _box(g, left, right, bottom, top):
    d = _path("M", left, bottom, "L", right, bottom, "L", right, top, "L", left, top, "z")
    return markup("<path d='{}' {}/>", d, g.fill()) if d else ""


def _quad(g):
    return _box(g, g.x("left"), g.x("right"), g.y("bottom"), g.y("top"))


def _vbar(g):
    x, half = g.value("x"), g.value("width") / 2
    return _box(g, g.axes.x(x - half), g.axes.x(x + half), g.y("bottom"), g.y("top"))


def _segment(g):
    d = _path("M", g.x("x0"), g.y("y0"), "L", g.x("x1"), g.y("y1"))
    return markup("<path d='{}' {}/>", d, g.stroke()) if d else ""


def _vspan(g):
    x = g.x("x")
    d = _path("M", x, np.zeros(len(x)), "L", x, np.full(len(x), float(HEIGHT)))
    return markup("<path d='{}' {}/>", d, g.stroke()) if d else ""


def _hspan(g):
    y = g.y("y")
    d = _path("M", np.zeros(len(y)), y, "L", np.full(len(y), float(WIDTH)), y)
    return markup("<path d='{}' {}/>", d, g.stroke()) if d else ""


def _varea(g):
    x, low, high = g.x("x"), g.y("y1"), g.y("y2")
    edge = [(a, b) for a, b in zip([*x, *x[::-1]], [*high, *low[::-1]], strict=True) if np.isfinite(a + b)]
    return markup("<path d='M{}z' {}/>", "L".join(f"{a:.1f} {b:.1f}" for a, b in edge), g.fill()) if edge else ""


DRAWN = {
    kinds.Line: _line,
    kinds.Scatter: _scatter,
    kinds.Quad: _quad,
    kinds.VBar: _vbar,
    kinds.Segment: _segment,
    kinds.VSpan: _vspan,
    kinds.HSpan: _hspan,
    kinds.VArea: _varea,
}


def _annotation(each, axes, roles):
    if isinstance(each, Span) and each.location is not None:
        at = (axes.x if each.dimension == "height" else axes.y)(each.location)
        d = f"M{at:.1f} 0V{HEIGHT}" if each.dimension == "height" else f"M0 {at:.1f}H{WIDTH}"
        return markup("<path d='{}' {}/>", d, _stroke(each, roles, each.line_width * THIN, each.line_alpha))
    if isinstance(each, BoxAnnotation):
        left, right = (_end(end, axes.x, other) for end, other in ((each.left, 0), (each.right, WIDTH)))
        top, bottom = (_end(end, axes.y, other) for end, other in ((each.top, 0), (each.bottom, HEIGHT)))
        ink = markup("fill='{}' fill-opacity='{:.2g}'", _ink(each, "fill_color", roles), each.fill_alpha)
        return markup("<path d='M{0:.1f} {1:.1f}H{2:.1f}V{3:.1f}H{0:.1f}z' {4}/>", left, top, right, bottom, ink)
    return ""


def _end(end, to_px, other):
    """Where a box ends: at a number of the axis, or at the picture's edge."""
    return float(to_px(end)) if isinstance(end, (int, float)) else float(other)
