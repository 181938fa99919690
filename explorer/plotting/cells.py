"""Charts of a sweep's cells: lines with bands over replicates, points with whiskers, and heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.marks import Axis, Chart, ReferenceLine, area, chart, curve, dots, mesh, segments
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
) -> type[Chart]:
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
    chart : type of Chart
        The panel.
    """
    marks = []
    for i, each in enumerate(series):
        if each.found.banded:
            marks.append(area(f"{i}", each.role, low="high", high="low", fill=0.18, label=each.label))
        marks += [
            curve(f"{i}", each.role, width=2, dash=each.dash, label=each.label),
            dots(f"{i}", each.role, size=5, label=each.label, hover={}),
        ]
    grounds = [] if across is None else [ReferenceLine("kme", y=across, style={"width": 2})]
    return _panel(series, title, x, y, marks, small, grounds=grounds)


def whiskers(series: Sequence[Series], title: str, x: Axis, y: Axis, small: bool = False) -> type[Chart]:
    """Return dots with whiskers over the names of an axis without an order."""
    marks = []
    for i, each in enumerate(series):
        marks.append(dots(f"{i}", each.role, size=9, label=each.label, hover={}))
        if each.found.banded:
            marks.append(segments(f"{i} whiskers", each.role, width=2, half="half"))
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
) -> type[Chart]:
    """Return cells by their colours: values (rows, columns) at places (columns,) along and (rows,) up."""
    (left, right), (bottom, top) = (_borders(at, axis.log) for at, axis in zip(places, (x, y), strict=True))
    columns = np.meshgrid(left, bottom), np.meshgrid(right, top), np.meshgrid(*places)
    names = ("left", "bottom", "right", "top", "x", "y")
    cells = {name: each.ravel() for name, each in zip(names, [part for pair in columns for part in pair], strict=True)}
    size: dict[str, Any] = {"size": SMALL} if small else {}
    sources = {"cells": {**cells, "w": values.ravel()}}
    x, y = (each._replace(lines=False) for each in (x, y))
    return chart(title, x, y, [mesh("cells", role, bar, hover={})], sources, **size)


def _panel(series, title, x, y, marks, small, **attributes):
    """Return the chart of series."""
    sources = {}
    for i, each in enumerate(series):
        found, some = each.found, each.found.times > 1
        sources[f"{i}"] = {"x": each.x, "y": found.mean, "low": found.low, "high": found.high}
        ends = {"y": found.mean, "half": found.high - found.mean, "low": found.low, "high": found.high}
        sources[f"{i} whiskers"] = {"x": each.x[some], **{name: column[some] for name, column in ends.items()}}
    size = {"size": SMALL} if small else {}
    own = {"legend": len(series) > 1, "legend_below": True, **size, **attributes}
    return chart(title, x, y, marks, sources, **own)


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
