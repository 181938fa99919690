"""HoloViews plots as pictures of marks, which are drawn as SVG in the colours of the page, light or dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.marks import (
    Axis,
    Mark,
    Picture,
    area,
    bars,
    boxes,
    by,
    curve,
    dots,
    field_of,
    heatmap,
    horizontal_lines,
    nice_ticks,
    segments,
    vertical_lines,
    words,
)
from explorer.marks.roles import LESS, MORE, ROLES
from explorer.printing import format_number

HEIGHT = 300  # height of a picture, in px
TICKS = 6  # approximate number of ticks along an axis
ROOM = 0.04  # share of an axis that stays free at either end
OF_COLOUR = {light: role for role, (light, _) in ROLES.items()}
BANDS = ("Area", "Spread")
FIELDS = ("Image", "QuadMesh")  # elements that fill their axes
FIRST_EDGE = -0.5  # edge of an image whose cells are numbered from 0, such as a Gram matrix


class Made(NamedTuple):
    """Marks of an element, and the columns of its source."""

    mark: Mark
    columns: dict[str, Any]


def picture_of(plot: Any) -> Picture:
    """Return a Picture of an element or an Overlay of HoloViews, for `draw_standalone(picture, None)`.

    Raises
    ------
    Refusal
        If there is no mark for a kind of element.
    """
    import holoviews as hv

    elements = plot.traverse(lambda each: each, [hv.Element])
    named = {element.label for element in elements if element.label}
    marks, numbers = [], {}
    for place, element in enumerate(elements):
        for place_in, made in enumerate(_made(element, f"{place}", element.label if len(named) > 1 else "")):
            marks.append(made.mark)
            numbers.setdefault(made.mark.source, {}).update(made.columns)
            if place_in == 0 and made.mark.kind == "image":
                numbers[f"{place} ground"] = _ground(element)
    x, y = (_axis(elements, place) for place in (0, 1))
    titles = (_options(each, "plot").get("title") for each in (plot, *elements))
    title = next(filter(None, titles), f"{y.label} by {x.label}")
    return Picture("plot", title=title, height=HEIGHT, marks=marks, x=x, y=y, sources=lambda result: numbers)


def _options(element, group):
    from holoviews import Store

    return Store.lookup_options("bokeh", element, group).kwargs


# marks ------------------------------------------------------------------------------------------------------------


def _made(element: Any, source: str, called: str) -> Iterator[Made]:
    """Return the marks of an element, with their columns."""
    kind = type(element).__name__
    if kind not in KINDS:
        raise Refusal(f"the gallery draws no {kind}; teach it in overlaid.py, or show the plot in another way.")
    style, columns = _options(element, "style"), [element.dimension_values(d) for d in element.dimensions()]
    yield from KINDS[kind](element, style, columns, source=source, called=called)


def _role(style, *names):
    """Return the role of an element's colour: the light colours of roles are distinct."""
    colours = [style.get(name) for name in (*names, "color", "line_color", "fill_color")]
    colour = next((each for each in colours if isinstance(each, str)), ROLES["truth"][0])
    return OF_COLOUR.get(colour, {MORE: "first", LESS: "second"}.get(colour, colour))


def _line_style(style):
    named = {"width": "line_width", "dash": "line_dash", "alpha": "line_alpha"}
    return {name: style[other] for name, other in named.items() if other in style}


def _curve(element, style, columns, source, called):
    x, y = _placed(columns[:2])
    yield Made(curve(source, _role(style), label=called, **_line_style(style)), {"x": x, "y": y})


def _area(element, style, columns, source, called):
    x, y, *other = columns
    low = other[0] if other else np.zeros(len(x))
    fill = style.get("fill_alpha", 0.4)
    yield Made(area(source, _role(style), low="low", fill=fill, label=called), {"x": x, "y": y, "low": low})


def _spread(element, style, columns, source, called):
    x, y, below = columns[:3]
    above = columns[3] if len(columns) > 3 else below
    fill = style.get("fill_alpha", 0.2)
    yield Made(area(source, _role(style), low="low", fill=fill), {"x": x, "low": y - below, "y": y + above})


def _dots(element, style, columns, source, called):
    x, y = _placed(columns[:2])
    size = style.get("size", 6)
    if not isinstance(size, int | float):  # it depends on a column
        size = np.asarray(size.apply(element), dtype=float)
    marker = {"dash": "circle"}.get(style.get("marker", "circle"), style.get("marker", "circle"))
    look = {"fill": style.get("fill_alpha", 1.0), "width": style.get("line_width", 1.0), "marker": marker}
    mark = dots(source, _role(style), size=by("size"), label=called, **look)
    yield Made(mark, {"x": x, "y": y, "size": np.broadcast_to(size, len(x))})


def _segments(element, style, columns, source, called):
    x, low, to_x, high = columns[:4]
    ends = {"x": x, "low": low, "to_x": to_x, "high": high}
    yield Made(segments(source, _role(style), to_x="to_x", label=called, **_line_style(style)), ends)


def _spikes(element, style, columns, source, called):
    x, y = _placed(columns[:2])
    ends = {"x": x, "low": np.zeros(len(x)), "high": y}
    yield Made(segments(source, _role(style), label=called, **_line_style(style)), ends)


def _error_bars(element, style, columns, source, called):
    x, y, below = columns[:3]
    above = columns[3] if len(columns) > 3 else below
    ends = {"x": x, "low": y - below, "high": y + above}
    yield Made(segments(source, _role(style, "line_color"), label=called, **_line_style(style)), ends)


def _uprights(element, style, columns, source, called):
    mark = vertical_lines(source, _role(style), label=called, follows_slider=False, **_line_style(style))
    yield Made(mark, {"x": columns[0]})


def _levels(element, style, columns, source, called):
    at = columns[0] if np.size(columns[0]) else [element.data]
    yield Made(horizontal_lines(source, _role(style), label=called, **_line_style(style)), {"y": np.atleast_1d(at)})


def _rectangles(element, style, columns, source, called):
    edges: dict[str, Any] = dict(zip(("left", "bottom", "right", "top"), columns[:4], strict=True))
    fill = style.get("fill_alpha", 0.4)
    yield Made(boxes(source, _role(style, "fill_color"), bottom="bottom", fill=fill, label=called), edges)


def _bars(element, style, columns, source, called):
    x, y = _placed(columns[:2])
    yield Made(bars(source, _role(style), label=called), {"x": x, "y": y})


def _image(element, style, columns, source, called):
    values = np.asarray(element.dimension_values(2, flat=False), dtype=float)
    low, high = _options(element, "style").get("clim") or _options(element, "plot")["clim"]
    role = "" if low < 0 else "first"
    shares = values / max(abs(low), abs(high))
    numbered = element.bounds.lbrt()[0] == FIRST_EDGE
    mark = field_of(source, f"{source} ground", len(values), "" if numbered else role, table=numbered)
    yield Made(mark, {"w": shares.ravel()})


def _mesh(element, style, columns, source, called):
    """Return the cells of a table in shades, the smallest and largest with their values; cells are equal in size."""
    values = np.asarray(element.dimension_values(2, flat=False), dtype=float)
    low, high = np.nanmin(values), np.nanmax(values)
    (left, right), (bottom, top) = element.range(0), element.range(1)
    shares = (values - low) / ((high - low) or 1.0)
    place = {"x": left, "y": bottom, "dw": right - left, "dh": top - bottom}
    yield Made(heatmap(source, **place), {"image": [shares]})
    x, y = np.meshgrid(element.dimension_values(0, expanded=False), element.dimension_values(1, expanded=False))
    ends = [np.nanargmin(values), np.nanargmax(values)]
    numbers = {name: each.ravel()[ends] for name, each in (("x", x), ("y", y))}
    numbers["words"] = [format_number(each) for each in values.ravel()[ends]]
    yield Made(words(f"{source} numbers", "truth", align="center", halo=True), numbers)


def _ground(element):
    left, bottom, right, top = element.bounds.lbrt()
    return {name: np.array([each]) for name, each in zip(
        ("x", "y", "dw", "dh"), (left, bottom, right - left, top - bottom), strict=True)}  # fmt: skip


KINDS: dict[str, Callable[..., Iterator[Made]]] = {
    "Curve": _curve, "Area": _area, "Spread": _spread, "Scatter": _dots, "Points": _dots, "Segments": _segments,
    "Spikes": _spikes, "ErrorBars": _error_bars, "VLines": _uprights, "HLines": _levels, "HLine": _levels,
    "Rectangles": _rectangles, "Bars": _bars, "Image": _image, "QuadMesh": _mesh,
}  # fmt: skip


# axes -------------------------------------------------------------------------------------------------------------


def _placed(columns):
    """Return columns as numbers; text has the positions 0, 1, 2 and so on."""
    return [np.arange(len(each), dtype=float) if np.asarray(each).dtype.kind in "OUS" else each for each in columns]


def _axis(elements, place):
    """Return the axis that elements share, with space at its ends, logarithmic if it is in HoloViews."""
    name, options = "xy"[place], [_options(each, "plot") for each in elements]
    # bands and areas have names for their ends, and none for the axis
    plain = [each for each in elements if type(each).__name__ not in BANDS] or elements
    first = next(each for each in plain if len(each.kdims + each.vdims) > place)
    dimension = (first.kdims + first.vdims)[place]
    log = any(each.get(f"log{name}") for each in options)
    words = np.asarray(first.dimension_values(place))
    if words.dtype.kind in "OUS":
        return Axis(dimension.pprint_label, (-0.7, len(words) - 0.3), dict(enumerate(words.tolist())), lines=False)
    given = [each[f"{name}lim"] for each in options if each.get(f"{name}lim")]
    low, high = given[0] if given else _reach(elements, place)
    if log and type(first).__name__ not in FIELDS:
        room = (high / low) ** ROOM
        low, high = low / room, high * room
    elif not given and type(first).__name__ not in FIELDS:
        room = ROOM * (high - low or 1.0)
        low, high = low - room, high + room
    ticks = None if log else nice_ticks(low, high, TICKS)
    return Axis(dimension.pprint_label, (float(low), float(high)), ticks, bool(log))


def _reach(elements, place):
    """Return the range of elements along an axis."""
    ends = np.array([_ends(each, place) for each in elements], dtype=float)
    return np.nanmin(ends[:, 0]), np.nanmax(ends[:, 1])


def _ends(element, place):
    kind = type(element).__name__
    if kind in ("VLines", "HLines", "HLine") and (kind == "VLines") != (place == 0):
        return (np.nan, np.nan)
    if kind in BANDS and place == 1:
        (made,) = _made(element, "", "")
        columns = [made.columns[name] for name in ("low", "y")]
        return np.nanmin(columns), np.nanmax(columns)
    low, high = element.range(place if kind != "HLines" else 0)
    if kind in ("Spikes", "Bars") and place == 1:
        low, high = min(low, 0), max(high, 0)
    return low, high
