"""Frames of pictures: title, size and axes as HoloViews' options in Bokeh and in matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from bokeh.models import FixedTicker

from explorer.marks import PlanePicture, decades, nice_ticks
from explorer.marks.picture import ROOM
from explorer.marks.roles import colour
from explorer.printing import format_number

from .style import HEIGHT, LETTERS, WIDTH, clean, house, seemly, unformatted

if TYPE_CHECKING:
    from explorer.marks import Axis, Chart, Picture


BESIDE = (80, 90)  # space in px that text takes of a picture's width and height
LETTER, LINE = 8.2, 18  # approximate width of a title's character, and height of its line, in px
WIDE = 1.4  # half the width of a plane at least, in half sides of its square
PAPER = {"title": 11, "labels": 10, "ticks": 9, "legend": 9}  # font sizes in points, in matplotlib
MOST = 6  # largest number of powers of ten along an axis, in matplotlib
FAINT = 0.35  # opacity of matplotlib's grid
DPI = 100  # resolution of the screen in px per inch, to convert px into the inches of a matplotlib figure
TITLED = ("title", "logx", "logy")  # options of a chart's elements that its overlay has too
HOUSED = (*TITLED, "hooks", "fontsize", "show_grid", "xlabel", "ylabel", "width", "height", "fig_inches", "aspect")
LABELS: WeakKeyDictionary[Any, tuple[str, str]] = WeakKeyDictionary()  # those of matplotlib's axes
AXES = ("logx", "logy", "xlim", "ylim", "xticks", "yticks")


class Frame(NamedTuple):
    """Options of a picture's elements and of their overlay, by backend.

    Attributes
    ----------
    elements : mapping of str to mapping
        Backend -> options of all elements.
    overlay : mapping of str to mapping
        Backend -> options of the overlay, without those of its legend.
    """

    elements: Mapping[str, Mapping[str, Any]]
    overlay: Mapping[str, Mapping[str, Any]]


def frame_of_chart(chart: Chart, x: Axis, y: Axis) -> Frame:
    """Return the frame of a chart, whose axes cover what is drawn, also over it.

    Parameters
    ----------
    chart : Chart
        The chart.
    x, y : Axis
        Its axes.

    Returns
    -------
    frame : Frame
        The frame.
    """
    width, height = chart.size or (WIDTH, HEIGHT)
    common = {
        "title": unformatted(clean(chart.title)),
        "logx": x.log,
        "logy": y.log,
        "show_grid": chart.x.lines and chart.y.lines,
        **({"xrotation": chart.names_angle} if chart.names_angle else {}),
        **({"invert_yaxis": True} if y.range[0] > y.range[1] else {}),
    }
    names = {"xlabel": seemly(x.title), "ylabel": seemly(y.title)}
    bokeh = {**common, "width": width, "height": height, "fontsize": LETTERS, "hooks": [house]}
    if chart.legend_below:  # bands come first there, and would name the axes
        bokeh |= names
    if chart.frame:
        bokeh |= dict(zip(("frame_width", "frame_height"), chart.frame, strict=True))
        bokeh |= {"data_aspect": 1} if chart.is_true_to_scale else {}
        width, height = (px + text for px, text in zip(chart.frame, BESIDE, strict=True))
    elements = {"bokeh": bokeh, "matplotlib": {**common, **names, **_paper(width, height, chart.is_true_to_scale)}}
    shared = {"bokeh": HOUSED if chart.legend_below else TITLED, "matplotlib": HOUSED}
    return Frame(elements, {name: _only(elements[name], shared[name]) for name in elements})


def frame_of_picture(picture: Picture, result: Any, x: Axis, y: Axis, widens: bool = False) -> Frame:
    """Return the frame of a picture with its own axes.

    Parameters
    ----------
    picture : Picture
        The picture.
    result : Any
        The result that it shows.
    x, y : Axis
        Its axes.
    widens : bool, default False
        Whether the axes extend to what `*` overlays, beyond their range.

    Returns
    -------
    frame : Frame
        The frame.
    """
    size, is_plane = _size(picture), isinstance(picture, PlanePicture)
    inner = size.get("frame_width") or WIDTH - BESIDE[0]
    title = seemly(picture.axes(result)[0] or picture.name)
    lines = wrap(title, int(inner / LETTER), break_on_hyphens=False)
    more = LINE * (len(lines) - 1) if len(lines) > 1 else 0
    if size["height"]:
        size["height"] += more
    common = {
        "title": unformatted("\n".join(lines)),
        "bgcolor": colour("ground"),
        "axiswise": True,
        "show_grid": True,
        **_axis("x", x),
        **_axis("y", y),
    }
    if widens:
        common = {name: each for name, each in common.items() if name not in ("xlim", "ylim")} | {"padding": 0}
    bokeh = {**common, **size, "fontsize": LETTERS, "hooks": [house, partial(_worn, x, y)]}
    paper = {**common, **_paper(inner + BESIDE[0], picture.height + more, is_plane)}
    paper["hooks"] = [*paper["hooks"], partial(_worn_on_paper, x, y)]
    # in matplotlib an element without positive numbers cannot have a log axis, so that only the overlay has its axes
    elements = {"bokeh": bokeh, "matplotlib": {name: each for name, each in paper.items() if name not in AXES}}
    return Frame(elements, {"bokeh": {}, "matplotlib": _only(paper, (*HOUSED, *AXES))})


def _only(options, names):
    """Return some of the options."""
    return {name: options[name] for name in names if name in options}


def _size(picture):
    """Return the options of the size, as on a page. A plane is not distorted."""
    if not isinstance(picture, PlanePicture):
        return {"width": WIDTH, "height": picture.height}
    high = picture.height - BESIDE[1]
    return {
        "width": None,
        "height": None,
        "frame_width": round(high * width_of_plane(picture) / ROOM),
        "frame_height": high,
    }


def width_of_plane(picture: PlanePicture) -> float:
    """Return half the width of a plane, in half sides of its square."""
    return max(WIDE, ROOM * picture.wide)


def _axis(name, axis):
    """Return the options of an axis from its Axis."""
    options = {f"{name}label": seemly(axis.title), f"{name}lim": axis.range, f"log{name}": axis.log}
    return {**options, f"{name}ticks": list(axis.ticks.items())} if axis.ticks else options


def _worn(x, y, plot, element):
    """Hide the parts of a figure's axes that their Axis does not use."""
    figure = plot.handles["plot"]
    for axes, grid, there in ((figure.xaxis, figure.xgrid, x), (figure.yaxis, figure.ygrid, y)):
        grid.visible = there.lines
        if there.ticks == {}:
            grid.ticker = axes.ticker = FixedTicker(ticks=[])
        if there.bare:
            axes.visible, axes.axis_line_alpha = bool(there.label), 0
        if there.turned:
            axes.major_label_orientation = "vertical"
        if there.ends is not None:
            axes.bounds = there.ends


# matplotlib ---------------------------------------------------------------------------------------------------------


def _paper(width, height, is_true_to_scale):
    """Return the options of a matplotlib figure of a size in px."""
    # HoloViews computes the aspect of a log axis from its raw numbers, so the hook resets it
    size = {"fig_inches": (width / DPI, height / DPI), "aspect": width / height, "fontsize": PAPER}
    return {**size, "hooks": [partial(_house_on_paper, is_true_to_scale)]}


def _house_on_paper(is_true_to_scale, plot, element):
    """Style a matplotlib figure: two spines, a faint grid behind the marks, and lines and boxes in its legend."""
    from matplotlib.collections import PatchCollection
    from matplotlib.legend import Legend
    from matplotlib.legend_handler import HandlerPolyCollection
    from matplotlib.ticker import FixedLocator, NullFormatter

    axes = plot.handles["axis"]
    # HoloViews leaves out lines through the picture, and matplotlib has no sign for what HoloViews' boxes are
    if type(element).__name__ in ("VLines", "HLines") and axes.lines:
        plot.handles["artist"], plot.show_legend = axes.lines[-1], True
    Legend.update_default_handler_map({PatchCollection: HandlerPolyCollection()})
    axes.set_aspect("equal" if is_true_to_scale else "auto")
    for axis, ends in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        if axis.get_scale() == "log":  # matplotlib's own labels are formulas
            axis.set_minor_formatter(NullFormatter())
            if getattr(axis.get_major_locator(), "rounds", not isinstance(axis.get_major_locator(), FixedLocator)):
                low, high = sorted(ends)
                log_ticks(axis, low, high, MOST)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_axisbelow(True)
    axes.tick_params(which="both", grid_alpha=FAINT)
    # HoloViews writes the labels of lines through any picture on the figure's first axes
    first = axes.figure.axes[0]
    if axes is first:
        LABELS[axes] = axes.get_xlabel(), axes.get_ylabel()
    elif first in LABELS:
        first.set(**dict(zip(("xlabel", "ylabel"), LABELS[first], strict=True)))


def log_ticks(axis: Any, low: float, high: float, most: int) -> None:
    """Put ticks on a log axis of matplotlib at powers of ten, or at round numbers if there are too few of these.

    Parameters
    ----------
    axis : matplotlib.axis.Axis
        The axis.
    low, high : float
        Its ends.
    most : int
        The largest number of powers of ten.
    """
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullFormatter

    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    ticks = decades(first, last, max(1, math.ceil((last - first + 1) / most)))
    if last - first < 1:
        values = [digit * 10.0**power for power in range(first - 1, last + 2) for digit in (1, 2, 5)]
        ticks = {value: format_number(value) for value in values if low <= value <= high}
        ticks = ticks if len(ticks) > 1 else nice_ticks(low, high, 3)
    locator: Any = FixedLocator(list(ticks))
    locator.rounds = True  # other ticks will do as well, unlike those that a picture gives
    axis.set_major_locator(locator)
    axis.set_major_formatter(FixedFormatter(list(ticks.values())))
    axis.set_minor_formatter(NullFormatter())


def _worn_on_paper(x, y, plot, element):
    """Hide the parts of matplotlib's axes that their Axis does not use."""
    axes = plot.handles["axis"]
    for side, line, there in ((axes.xaxis, "bottom", x), (axes.yaxis, "left", y)):
        side.grid(there.lines, **({"alpha": FAINT} if there.lines else {}))
        if there.ticks == {}:
            side.set_ticks([])
        if there.bare:
            axes.spines[line].set_visible(False)
            side.set_ticks([])
