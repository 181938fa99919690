"""Charts of a sweep's cells: lines with bands over replicates, points with whiskers, and heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.marks import Axis, Chart, Columns, ReferenceLine, area, chart, curve, dots, mesh, segments
from explorer.types import Matrix

if TYPE_CHECKING:
    from explorer.plotting.intervals import Interval


SMALL = (360, 270)  # width and height in px of one panel of several


class Series(NamedTuple):
    """One line of a panel.

    Attributes
    ----------
    label : str
        The label in the legend.
    x : ndarray
        The positions of its points.
    found : Interval
        The means and their intervals.
    role : str
        The role that gives its colour, or the colour.
    dash : str
        The dash.
    """

    label: str
    x: np.ndarray
    found: Interval
    role: str
    dash: str


def lines(
    series: Sequence[Series], title: str, x: Axis, y: Axis, small: bool = False, across: float | None = None
) -> Chart:
    """Return curves with dots over their bands.

    Parameters
    ----------
    series : sequence of Series
        The lines.
    title : str
        The title.
    x, y : Axis
        The axes.
    small : bool, default False
        Whether it is one panel of several.
    across : float or None, default None
        The height of a thin horizontal line with which all lines are compared.

    Returns
    -------
    chart : Chart
        The panel.
    """
    marks = []
    for each in series:
        found = each.found
        columns = Columns(x=each.x, y=found.mean, low=found.low, high=found.high)
        if found.banded:
            marks.append(area(columns, each.role, low="high", high="low", fill=0.18, label=each.label))
        marks += [
            curve(columns, each.role, width=2, dash=each.dash, label=each.label),
            dots(columns, each.role, size=5, label=each.label, hover={}),
        ]
    background = [] if across is None else [ReferenceLine("kme", y=across, style={"width": 2})]
    return _panel(series, title, x, y, marks, small, background=background)


def whiskers(series: Sequence[Series], title: str, x: Axis, y: Axis, small: bool = False) -> Chart:
    """Return dots with whiskers over the names of an axis without an order."""
    marks = []
    for each in series:
        found, some = each.found, each.found.times > 1
        marks.append(dots(Columns(x=each.x, y=found.mean), each.role, size=9, label=each.label, hover={}))
        if found.banded:
            ends = {"y": found.mean, "half": found.high - found.mean, "low": found.low, "high": found.high}
            intervals = Columns(x=each.x[some], **{name: column[some] for name, column in ends.items()})
            marks.append(segments(intervals, each.role, width=2, half="half"))
    return _panel(series, title, x, y, marks, small, names_angle=30)


def heat_map(
    title: str,
    x: Axis,
    y: Axis,
    places: tuple[np.ndarray, np.ndarray],
    values: Matrix,
    bar: Axis,
    role: str,
    small: bool = False,
) -> Chart:
    """Return cells by their colours: values (rows, columns) at places (columns,) along and (rows,) up."""
    (left, right), (bottom, top) = (_borders(at, axis.log) for at, axis in zip(places, (x, y), strict=True))
    columns = np.meshgrid(left, bottom), np.meshgrid(right, top), np.meshgrid(*places)
    names = ("left", "bottom", "right", "top", "x", "y")
    edges = {name: each.ravel() for name, each in zip(names, [part for pair in columns for part in pair], strict=True)}
    size: dict[str, Any] = {"size": SMALL} if small else {}
    cells = Columns(**edges, w=values.ravel())
    x, y = (each._replace(lines=False) for each in (x, y))
    return chart(title, x, y, [mesh(cells, role, bar, hover={})], **size)


def _panel(series, title, x, y, marks, small, **attributes):
    """Return the chart of series."""
    size = {"size": SMALL} if small else {}
    return chart(title, x, y, marks, legend=len(series) > 1, legend_below=True, **size, **attributes)


def _borders(places, by_ratios):
    """Return the lower and upper borders of cells, half way between their places (m,), on a log scale `by_ratios`."""
    at = np.log(places) if by_ratios else np.asarray(places, dtype=float)
    if len(at) == 1:
        borders = np.array([at[0] - 0.5, at[0] + 0.5])
    else:
        between = (at[1:] + at[:-1]) / 2
        borders = np.concatenate([[2 * at[0] - between[0]], between, [2 * at[-1] - between[-1]]])
    borders = np.exp(borders) if by_ratios else borders
    return borders[:-1], borders[1:]
