"""The pictures of a figure that was reproduced: lines with whiskers over one axis, for each value of the others."""

from __future__ import annotations

import math
from typing import NamedTuple

from bokeh.models import Legend, LegendItem, Whisker

from explorer.plotting.intervals import TALL, WIDE, decades
from explorer.plotting.roles import dash_of, role_of
from explorer.views import glyphs, marks
from explorer.views.picture import Picture
from explorer.views.style import Painter, canvas

from .entry import Entry, Point, relative

PANELS = 12  # of a picture; the table has all cells


def number(value):
    """A value of an axis or a table in words."""
    return str(value) if isinstance(value, str) or not math.isfinite(value) else f"{value:.4g}"


class Panel(NamedTuple):
    """What an entry's picture shows along one axis, at some values of the others.

    x (cells,) are values of the axis `along`; points, the summary of each cell; title, the values of the other axes.
    """

    entry: Entry
    along: str
    title: str
    x: list
    points: list

    row = 0  # no slider moves it

    @property
    def lines(self):
        """The names of what is drawn."""
        return [name for name in self.entry.lines if name in self.points[0]]


class Lines(Picture):
    """A line with whiskers for each name of a Panel."""

    name = "lines"

    @staticmethod
    def columns(panel):
        return {
            name: {"x": panel.x, **{part: [getattr(p[name], part) for p in panel.points] for part in Point._fields}}
            for name in panel.lines
        }

    def draw(self, paint, sources, panel):
        plot = self._empty(panel)
        items = []
        for name in panel.lines:
            source, role = sources[name], role_of(name)
            line = glyphs.line(plot, "x", "value", source=source, line_width=2, line_dash=dash_of(name, panel.lines))
            paint(line.glyph, role, "line_color")
            marks.dots(plot, paint, source, role, y="value", size=5)
            whisker = Whisker(base="x", lower="low", upper="high", source=source, line_alpha=0.6)
            whisker.upper_head = whisker.lower_head = None
            plot.add_layout(paint(whisker, role, "line_color"))
            items.append(LegendItem(label=name, renderers=[line]))
        if panel.entry.summary is relative:
            marks.across(plot, paint, 1.0, "width", "kme", line_width=1.5)
        plot.add_layout(_legend(items), "below")
        return plot

    @staticmethod
    def _empty(panel):
        y = [end for p in panel.points for name in panel.lines for end in p[name] if math.isfinite(end)]
        low, high = min(y, default=0.0), max(y, default=1.0)
        wide, tall = decades(panel.x, WIDE), decades(y, TALL)
        reach = (low / 1.2, high * 1.2) if tall else (low - 0.05 * (high - low), high + 0.05 * (high - low) or 1.0)
        kinds = {"x_axis_type": "log" if wide else "linear", "y_axis_type": "log" if tall else "linear"}
        plot = canvas(panel.title, panel.along, panel.entry.unit, 300, width=360, y_range=reach, **kinds)
        plot.sizing_mode = "fixed"
        plot.title.text_font_size, plot.yaxis.axis_label_text_font_size = "13px", "11px"
        return plot


def pictures(entry, cells):
    """A figure for every combination of the axes that are not drawn along; along is the numeric one of most values."""
    values = {name: list(dict.fromkeys(cell.values[name] for cell in cells)) for name in cells[0].values}
    numeric = [n for n, v in values.items() if len(v) > 1 and all(isinstance(x, (int, float)) for x in v)]
    if not numeric:
        return []
    along = max(numeric, key=lambda name: len(values[name]))
    panels, drawn, paint = {}, [], Painter()
    for cell in cells:
        rest = tuple((n, v) for n, v in cell.values.items() if n != along and len(values[n]) > 1)
        panels.setdefault(rest, []).append(cell)
    for rest, alike in list(panels.items())[:PANELS]:
        title = ", ".join(f"{name} = {number(value)}" for name, value in rest) or entry.about
        alike = sorted(alike, key=lambda cell: cell.values[along])
        x, points = [cell.values[along] for cell in alike], [entry.summary(cell.table) for cell in alike]
        drawn.append(Lines(Panel(entry, along, title, x, points), paint).plot)
    return drawn


def _legend(items):
    return Legend(
        items=items,
        orientation="horizontal",
        location="bottom_left",
        ncols=2,
        label_text_font_size="11px",
        border_line_color=None,
        padding=0,
        margin=0,
    )
