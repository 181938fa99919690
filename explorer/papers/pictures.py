"""Pictures of a reproduced figure: drawn like a sweep, one for each value of the other axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.marks import Axis
from explorer.plotting.cells import Series, lines
from explorer.plotting.drawings import Drawing
from explorer.plotting.intervals import TALL, Interval, decades, geometric
from explorer.plotting.pictures import rendered
from explorer.plotting.roles import dash_of, role_of

from .entry import relative

if TYPE_CHECKING:
    from bokeh.plotting._figure import figure

    from .entry import Cell, Entry


HIGH = 290  # height of a panel with its legend, in px
PANELS = 12  # most panels of a picture; the table has all cells


def format_table_number(value: float | str) -> str:
    """Format a value of an axis or a table as text, a number with four digits."""
    return str(value) if isinstance(value, str) or not math.isfinite(value) else f"{value:.4g}"


def pictures(entry: Entry, cells: Sequence[Cell]) -> list[figure]:
    """Return a figure for every combination of the axes other than the x-axis, which is the longest numeric axis."""
    values = {name: list(dict.fromkeys(cell.values[name] for cell in cells)) for name in cells[0].values}
    numeric = [n for n, v in values.items() if len(v) > 1 and all(isinstance(x, (int, float)) for x in v)]
    if not numeric:
        return []
    along = max(numeric, key=lambda name: len(values[name]))
    panels = {}
    for cell in cells:
        rest = tuple((n, v) for n, v in cell.values.items() if n != along and len(values[n]) > 1)
        panels.setdefault(rest, []).append(cell)
    drawn = []
    for rest, alike in list(panels.items())[:PANELS]:
        title = ", ".join(f"{name} = {format_table_number(value)}" for name, value in rest) or entry.about
        alike = sorted(alike, key=lambda cell: cell.values[along])
        drawn.append(_panel(entry, along, title, alike))
    return drawn


def _panel(entry, along, title, cells):
    """Draw the lines of an entry's numbers along an axis, with their bands, as a Bokeh figure."""
    x, points = np.array([cell.values[along] for cell in cells], float), [entry.summary(cell.table) for cell in cells]
    names = [name for name in entry.lines if name in points[0]]
    found = {name: _interval([p[name] for p in points]) for name in names}
    ends = np.concatenate([part for each in found.values() for part in each[:3]])
    picture = lines(
        [Series(name, x, found[name], role_of(name), dash_of(name, names)) for name in names],
        title,
        Axis(along, name=along, log=geometric(x)),
        Axis(entry.unit, name="value", log=decades(ends, TALL)),
        small=True,
        across=1.0 if entry.summary is relative else None,
    )
    figure = rendered(Drawing(picture))
    figure.height = HIGH
    return figure


def _interval(points):
    """Return the points of a line as an Interval, with their ends as its band."""
    value, low, high = (np.array([p[i] for p in points], float) for i in range(3))
    parts = [np.where(np.isfinite(part), part, np.nan) for part in (value, low, high)]
    return Interval(parts[0], parts[1], parts[2], np.where(np.isfinite(parts[1]), 2, 1))
