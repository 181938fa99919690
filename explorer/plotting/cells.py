"""Marks of a sweep's cells in two backends: lines with bands over replicates, points with whiskers, and heat maps.

Every function takes the backend for which its marks are styled: Bokeh, which a notebook shows, or matplotlib, which
writes PNG and SVG without a browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.types import Matrix

from .style import HEIGHT, LEGEND, LETTERS, WIDTH, holoviews, house, tint, unformatted

if TYPE_CHECKING:
    from explorer.plotting.intervals import Interval


BELOW: dict[str, Any] = {name: value for name, value in LEGEND.items() if name != "location"}
SMALL = (360, 270)  # width and height in px of one panel of several
PAPER = {"title": 11, "labels": 10, "ticks": 9, "legend": 9}  # font sizes in points, in matplotlib
STROKES = {"solid": "-", "dashed": "--", "dotted": ":", "dotdash": "-."}  # matplotlib's names of the dashes
DPI = 100  # resolution of the screen in px per inch, to convert px into the inches of a matplotlib figure


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
    colour : str
        The colour.
    dash : str
        The dash, one of `STROKES`.
    """

    label: str
    x: np.ndarray
    found: Interval
    colour: str
    dash: str


def lines(series: Sequence[Series], x: Any, y: Any, backend: str, across: float | None = None, **options: Any) -> Any:
    """Draw curves with dots over their bands, as one Overlay.

    Parameters
    ----------
    series : sequence of Series
        The lines.
    x, y : holoviews.Dimension
        The dimensions of the axes.
    backend : {"bokeh", "matplotlib"}
        The backend for which the marks are styled.
    across : float or None, default None
        The height of a thin horizontal line with which all lines are compared.
    **options
        Options of the panel: title, small, logx, logy, xlabel, ylabel.

    Returns
    -------
    overlay : holoviews.Overlay
        The panel.
    """
    hv = holoviews(backend)
    marks = [] if across is None else [_styled(hv.HLine(across), backend, line={"color": tint("kme"), "dash": "solid"})]
    for each in series:
        found, places = each.found, each.x
        if found.banded:
            ends = [hv.Dimension(f"{y.name}, {end} end", unit=y.unit) for end in ("lower", "upper")]
            band = hv.Area((places, found.low, found.high), x, ends, label=each.label)
            marks.append(_styled(band, backend, band={"color": each.colour}))
        curve = hv.Curve((places, found.mean), x, y, label=each.label)
        marks.append(_styled(curve, backend, line={"color": each.colour, "dash": each.dash}))
        dots = hv.Scatter((places, found.mean), x, y, label=each.label)
        marks.append(_styled(dots, backend, dots={"color": each.colour}))
    # bands and a line across come first and would otherwise name the axes
    options = {"xlabel": x.pprint_label, "ylabel": y.pprint_label} | options
    return _panel(hv.Overlay(marks), backend, legend=len(series) > 1, **options)


def whiskers(series: Sequence[Series], x: Any, y: Any, backend: str, **options: Any) -> Any:
    """Draw dots with whiskers over the labels of an axis without an order."""
    hv = holoviews(backend)
    marks = []
    for each in series:
        found = each.found
        dots = hv.Scatter((each.x, found.mean), x, y, label=each.label)
        marks.append(_styled(dots, backend, dots={"color": each.colour, "size": 9}))
        there = found.times > 1
        if there.any():
            half = (found.high - found.mean)[there]
            about = [y, hv.Dimension(f"{y.name}, half of the interval")]
            bars = hv.ErrorBars((each.x[there], found.mean[there], half), x, about)
            marks.append(_styled(bars, backend, bars={"color": each.colour}))
    return _panel(hv.Overlay(marks), backend, legend=len(series) > 1, **options)


def heat_map(
    places: tuple[np.ndarray, np.ndarray],
    values: Matrix,
    x: Any,
    y: Any,
    z: Any,
    palette: Sequence[str],
    backend: str,
    limits: tuple[float, float],
    logarithmic: tuple[bool, bool, bool],
    **options: Any,
) -> Any:
    """Draw cells by their colours: values (rows, columns) at places (columns,) along and (rows,) up.

    `logarithmic` says for x, y and the colours whether they are logarithmic.
    """
    hv = holoviews(backend)
    borders = [_borders(at, ratio) for at, ratio in zip(places, logarithmic, strict=False)]
    middles = np.meshgrid(*places)
    told = [hv.Dimension(f"{each.name} of the cell") for each in (x, y)]  # this label must differ from the axis's
    mesh = hv.QuadMesh((*borders, values, *middles), [x, y], [z, *told])
    look = {"cmap": palette, "clim": limits, "colorbar": True, "clabel": z.pprint_label, "logz": logarithmic[2]}
    if backend == "bokeh":
        look["hover_tooltips"] = [
            (each.pprint_label, f"@{{{name}}}")
            for each, name in ((x, told[0].name), (y, told[1].name), (z, hv.core.util.dimension_sanitizer(z.name)))
        ]
        look["tools"] = ["hover"]
    return _panel(mesh.opts(**look, backend=backend), backend, legend=False, grid=False, **options)


def _borders(places, by_ratios):
    """Return the borders of cells (m + 1,) half way between their places (m,), on a log scale if `by_ratios`."""
    at = np.log(places) if by_ratios else np.asarray(places, dtype=float)
    if len(at) == 1:
        borders = np.array([at[0] - 0.5, at[0] + 0.5])
    else:
        between = (at[1:] + at[:-1]) / 2
        borders = np.concatenate([[2 * at[0] - between[0]], between, [2 * at[-1] - between[-1]]])
    return np.exp(borders) if by_ratios else borders


def _styled(element, backend, line=None, band=None, dots=None, bars=None):
    """Return one mark in the house style."""
    bokeh = backend == "bokeh"
    if line:
        strokes = (
            {"line_width": 2, "line_dash": line["dash"]}
            if bokeh
            else {"linewidth": 1.8, "linestyle": STROKES[line["dash"]]}
        )
        return element.opts(color=line["color"], **strokes, backend=backend)
    if band:
        if bokeh:
            return element.opts(color=band["color"], fill_alpha=0.18, line_alpha=0, backend=backend)
        return element.opts(facecolor=band["color"], color=band["color"], alpha=0.18, linewidth=0, backend=backend)
    if bars:
        width = {"line_width": 2} if bokeh else {"elinewidth": 1.5}
        colour = {"color": bars["color"]} if bokeh else {"edgecolor": bars["color"]}
        return element.opts(**colour, **width, backend=backend)
    dots = dots or {}
    size = dots.get("size", 5)
    marked = {"size": size, "tools": ["hover"]} if bokeh else {"s": size**2}
    return element.opts(color=dots["color"], **marked, backend=backend)


def _panel(picture, backend, title, legend, small, grid=True, **axes):
    """Return one panel with fonts, size and axes; `axes` are HoloViews' options for log scales and axis labels."""
    width, height = SMALL if small else (WIDTH, HEIGHT)
    common = {"title": unformatted(title), "show_grid": grid, **axes}
    if backend == "bokeh":
        look = {"width": width, "height": height, "fontsize": LETTERS, "hooks": [house]}
        place = {"legend_position": "bottom", "legend_cols": 2 if small else 4, "legend_opts": BELOW}
    else:
        # HoloViews computes the aspect of a log axis from its raw numbers, so `paper` resets it
        look = {"fig_inches": (width / DPI, height / DPI), "aspect": width / height, "fontsize": PAPER}
        look["hooks"] = [paper]
        place = {"legend_position": "best"}
    if isinstance(picture, holoviews(backend).Overlay):
        common |= {"show_legend": legend, **place}
    return picture.opts(**common, **look, backend=backend)


def several(panels: Sequence[Any], columns: int, title: str, backend: str) -> Any:
    """Return panels side by side under one title, on shared axes."""
    layout, title = holoviews(backend).Layout(panels).cols(columns), unformatted(title)
    if backend == "bokeh":
        return layout.opts(title=title, fontsize=LETTERS, backend=backend)
    return layout.opts(title=title, fontsize=PAPER, sublabel_format="", hspace=0.5, vspace=0.35, backend=backend)


def paper(plot: Any, element: Any) -> None:
    """Style a matplotlib figure: two spines, and a faint grid behind the marks."""
    axes = plot.handles["axis"]
    axes.set_aspect("auto")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_axisbelow(True)
    for line in (*axes.get_xgridlines(), *axes.get_ygridlines()):
        line.set_alpha(0.35)
