"""The pictures of a figure that was reproduced: lines with whiskers over one axis, for each value of the others."""

from __future__ import annotations

import math

from bokeh.models import ColumnDataSource, Legend, LegendItem, Span, Whisker

from explorer.views.style import canvas, colour

from .entry import relative

ROLES = {"KME": "kme", "S-KMSE": "skmse", "F-KMSE": "fkmse", "MKME": "mkme", "MMKME": "mmkme", "U": "kme", "BCD":
"monk",
         "Fast": "monkfast", "exact": "truth", "bound": "harm"}  # fmt: skip
DASHES = ("solid", "dashed", "dotted", "dotdash")
PANELS = 12  # of a picture; the table has all cells


def number(value):
    """A value of an axis or a table in words."""
    return str(value) if isinstance(value, str) or not math.isfinite(value) else f"{value:.4g}"


def pictures(entry, cells):
    """A figure for every combination of the axes that are not drawn along; along is the numeric one of most values."""
    values = {name: list(dict.fromkeys(cell.values[name] for cell in cells)) for name in cells[0].values}
    numeric = [n for n, v in values.items() if len(v) > 1 and all(isinstance(x, (int, float)) for x in v)]
    if not numeric:
        return []
    along = max(numeric, key=lambda name: len(values[name]))
    panels = {}
    for cell in cells:
        rest = tuple((n, v) for n, v in cell.values.items() if n != along and len(values[n]) > 1)
        panels.setdefault(rest, []).append(cell)
    return [_picture(entry, along, rest, panel) for rest, panel in list(panels.items())[:PANELS]]


def _picture(entry, along, rest, cells):
    cells = sorted(cells, key=lambda cell: cell.values[along])
    x = [cell.values[along] for cell in cells]
    points = [entry.summary(cell.table) for cell in cells]
    names = [name for name in entry.lines if name in points[0]]
    y = [part for p in points for name in names for part in p[name] if math.isfinite(part)]
    options = {
        "x_axis_type": "log" if min(x) > 0 and max(x) / min(x) >= 20 else "linear",
        "y_axis_type": "log" if y and min(y) > 0 and max(y) / min(y) >= 50 else "linear",
    }
    title = ", ".join(f"{name} = {number(value)}" for name, value in rest) or entry.about
    low, high = min(y, default=0.0), max(y, default=1.0)
    if options["y_axis_type"] == "log":
        reach = (low / 1.2, high * 1.2)
    else:
        reach = (low - 0.05 * (high - low), high + 0.05 * (high - low) or 1.0)
    plot = canvas(title, along, entry.unit, 300, width=360, y_range=reach, **options)
    plot.sizing_mode = "fixed"
    plot.title.text_font_size, plot.yaxis.axis_label_text_font_size = "13px", "11px"
    items = []
    for name in names:
        tint, dash = colour(_role(name)), _dash(name, names)
        own = [p[name] for p in points]
        source = ColumnDataSource(
            {"x": x, "y": [p.value for p in own], "low": [p.low for p in own], "high": [p.high for p in own]}
        )
        line = plot.line("x", "y", source=source, color=tint, line_width=2, line_dash=dash)
        plot.scatter("x", "y", source=source, color=tint, size=5)
        whisker = Whisker(base="x", lower="low", upper="high", source=source, line_color=tint, line_alpha=0.6)
        whisker.upper_head = whisker.lower_head = None
        plot.add_layout(whisker)
        items.append(LegendItem(label=name, renderers=[line]))
    if entry.summary is relative:
        plot.add_layout(Span(location=1.0, dimension="width", line_color=colour("kme"), line_width=1.5))
    plot.add_layout(
        Legend(
            items=items,
            orientation="horizontal",
            location="bottom_left",
            ncols=2,
            label_text_font_size="11px",
            border_line_color=None,
            padding=0,
            margin=0,
        ),
        "below",
    )
    return plot


def _role(name):
    return next(
        (role for start, role in ROLES.items() if name == start or name.startswith((f"{start} ", f"{start},"))), "kme"
    )


def _dash(name, names):
    """The names of one role differ by their dashes."""
    alike = [other for other in names if _role(other) == _role(name)]
    return DASHES[alike.index(name) % len(DASHES)]
