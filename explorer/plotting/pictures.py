"""The pictures of a lab's result: those that its page shows, each under its own title, over its own axes."""

from __future__ import annotations

import math
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from bokeh.models import FixedTicker

from explorer.marks import Mark, PlanePicture, TextLabel
from explorer.marks.legend import keys_of
from explorer.marks.legend_items import words_of
from explorer.marks.picture import ROOM
from explorer.marks.roles import colour

from .lab_picture import picture_named, visible_pictures
from .marked import IMAGES, elements, fixed, ground, rank
from .style import LEGEND, WIDTH, WITH_LEGEND, finished, holoviews, house, of_arrays, seemly, styled, unformatted

if TYPE_CHECKING:
    from explorer.marks.picture import Picture
    from explorer.workbench import Result


COLUMNS = 2  # number of pictures side by side
BESIDE = (80, 90)  # space in px that text takes of a picture's width and height
LETTER, LINE = 8.2, 18  # approximate width of a title's character, and height of its line, in px
WIDE = 1.4  # half the width of a plane, in half sides of its square
WAITS = "not computed yet: plot(lab.result(wait=True)) has all of it"


def of_result(result: Result[Any], picture: str | None = None) -> Any:
    """Draw all pictures that a lab's result shows, or the one of a name.

    Parameters
    ----------
    result : Result
        A lab's result. That of `result(wait=True)` also has the stages that take long.
    picture : str or None, default None
        The name of a picture. None draws all that the page shows.

    Returns
    -------
    layout : holoviews.Layout or holoviews.Overlay
        Several pictures, or one. Data that follow the lab's slider are those of the result.
    """
    if picture is not None:
        return drawn(picture_named(result, picture), result)
    every = [drawn(each, result) for each in visible_pictures(result).values()]
    layout = holoviews().Layout(every).cols(COLUMNS).opts(shared_axes=False, backend="bokeh")
    return layout if len(every) > 1 else every[0]


def drawn(picture: Picture, result: Any, widens: bool = False) -> Any:
    """Draw all marks of a picture, with a legend at its side for those without text in the picture.

    The axes have the picture's range. If it `widens`, they also extend to what `*` overlays.
    """
    title, x, y = picture.axes(result)
    title = picture.heading_of(result) or title or picture.name
    if isinstance(picture, PlanePicture):
        cx, _, half = picture.frame(result)
        x = x._replace(range=(cx - WIDE * half, cx + WIDE * half))
    size = _size(picture)
    lines = wrap(seemly(title), int((size.get("frame_width") or WIDTH - BESIDE[0]) / LETTER), break_on_hyphens=False)
    if len(lines) > 1 and size["height"]:
        size["height"] += LINE * (len(lines) - 1)
    options = {
        "title": unformatted("\n".join(lines)),
        "bgcolor": colour("ground"),
        "axiswise": True,
        "hooks": [house, partial(_worn, x, y)],
        **size,
        **_axis("x", x),
        **_axis("y", y),
    }
    if widens:
        options = {name: each for name, each in options.items() if name not in ("xlim", "ylim")} | {"padding": 0}
    sources, unit = picture.data(result), _unit(picture, x, y)
    keys = {key.words for key in keys_of(picture, result, sources)}
    below, above = [], []
    for each in sorted(picture.marks, key=rank):
        if not isinstance(each, Mark):
            above.append(fixed(each, options))
        elif not each.pinned:  # a plot has no pinned state
            role = picture.role_of(result) if isinstance(each.role, tuple) else each.role
            where = below if each.kind in IMAGES and not each.follows_slider else above
            made = elements(each, role, sources, result, unit, options)
            called = "" if isinstance(each.label, tuple) else words_of(each.label, result)
            where += [element.relabel(seemly(called)) for element in made] if called in keys else made
    grounds = [ground(each, result, y, options) for each in picture.background]
    if picture.waits(result):
        above.append(fixed(TextLabel("kme", *_top(x, y), WAITS, dx=0, dy=14, align="center"), options, halo=True))
    ends = list(zip(x.range, y.range, strict=True)) if widens else []
    # this element has the axes if nothing is drawn, or only lines
    frame = styled(of_arrays(holoviews().Curve, ends, "x", "y"), line_alpha=0, **options)
    layers, legend = [frame, *below, *grounds, *above], {"show_legend": False}
    if keys:
        legend = {"legend_position": "right", "legend_opts": LEGEND, "width": WITH_LEGEND}
    return finished(holoviews().Overlay(layers).opts(**legend, backend="bokeh", clone=True))


def _top(x, y):
    """Return the middle of the upper edge."""
    low, high = x.range
    return math.sqrt(low * high) if x.log else (low + high) / 2, y.range[1]


def _size(picture):
    """Return the options of the size, as on a page. A plane is not distorted."""
    if not isinstance(picture, PlanePicture):
        return {"width": WIDTH, "height": picture.height}
    high = picture.height - BESIDE[1]
    return {"width": None, "height": None, "frame_width": round(high * WIDE / ROOM), "frame_height": high}


def _unit(picture, x, y):
    """Return the approximate size in px of a unit of both axes."""
    sizes = (WIDTH, picture.height)
    return [(px - words) / abs(b - a) for px, words, (a, b) in zip(sizes, BESIDE, (x.range, y.range), strict=True)]


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
