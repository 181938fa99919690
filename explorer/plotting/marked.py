"""Marks as HoloViews elements, in the colours of their roles: one function per kind, over columns of equal length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from bokeh.core.properties import value
from bokeh.palettes import Cividis256

from explorer.marks import Box, Mark, Polyline, ReferenceLine, by
from explorer.marks.contours import middles, regions
from explorer.marks.roles import FONT, colour
from explorer.types import Vector
from explorer.views.shading import GROUNDS, NOTHING, mixed

from .style import holoviews, of_arrays, seemly, styled

if TYPE_CHECKING:
    from explorer.marks import Axis
    from explorer.marks.mark import Band, TextLabel


ROUND = np.linspace(0.0, 2 * np.pi, 73)  # angles of the points of an ellipse
X, Y, TO_X, TO_Y = "x", "y", "x end", "y end"
STYLES = {  # a mark's style -> HoloViews' option; HoloViews has no option for the others
    "width": "line_width",
    "dash": "line_dash",
    "alpha": "line_alpha",
    "fill": "fill_alpha",
    "size": "size",
    "marker": "marker",
}
HATCH = ("hatch_pattern", "hatch_alpha", "hatch_scale", "hatch_weight")
PAINTED = {  # kind of a mark -> the parts of its shape that have a colour
    "line": ("line",),
    "stroke": ("line",),
    "upright": ("line",),
    "level": ("line",),
}
IMAGES = ("image", "shades")


def elements(
    mark: Mark,
    role: str,
    sources: Mapping[str, Mapping[str, Sequence[float] | Vector]],
    result: Any,
    unit: Sequence[float],
    options: Mapping[str, int | str | Sequence[Callable[..., Any]]],
) -> list[Any]:
    """Return the elements of a mark: none if its columns are empty, several if rows differ in style.

    Parameters
    ----------
    mark : Mark
        The mark.
    role : str
        The role whose colour it has.
    sources : mapping
        The picture's columns by source.
    result : Result
        The result that is drawn.
    unit : sequence of float
        Size in px of a unit of both axes.
    options : mapping
        Options that all elements of the picture share.

    Returns
    -------
    elements : list
        HoloViews elements.
    """
    if mark.kind == "image":
        return _field(mark, sources, options)
    if not (columns := _columns(mark, sources, result)) or _too_narrow(mark, unit):
        return []
    if mark.kind == "shades":
        return [_shades(mark, columns, i, options) for i in range(len(columns["image"]))]
    return [_element(mark, role, each, options) for each in _alike(mark, columns)]


def ground(drawn: Band | ReferenceLine, result: Any, y: Axis, options: Mapping[str, Any]) -> Any:
    """Return a ReferenceLine or a Band, which extends to the end of the axis y."""
    hv = holoviews()
    if isinstance(drawn, ReferenceLine):
        place = drawn.x if drawn.y is None else drawn.y
        place = place(result) if callable(place) else place
        line = of_arrays(hv.VLines, [place], kdims=[X]) if drawn.y is None else of_arrays(hv.HLines, [place], kdims=[Y])
        return styled(line, line_color=tint(drawn.role), **_lines(drawn.style), **options)
    ends = [end(result) if callable(end) else end for end in (drawn.bottom, drawn.top)]
    low, high = (other if end is None else end for end, other in zip(ends, y.range, strict=True))
    span = of_arrays(hv.HSpans, [(low, high)], kdims=[Y, TO_Y])
    return styled(span, fill_color=tint(drawn.role), fill_alpha=drawn.alpha, line_color=None, **options)


def fixed(drawn: TextLabel | Box | Polyline, options: Mapping[str, Any], halo: bool = False) -> Any:
    """Return a Polyline, a Box or a TextLabel. A text with a `halo` covers the marks below it."""
    hv = holoviews()
    if isinstance(drawn, Polyline):
        curve = of_arrays(hv.Curve, (drawn.x, drawn.y), kdims=[X], vdims=[Y])
        return styled(curve, line_color=tint(drawn.role), **_lines(drawn.style), **options)
    if isinstance(drawn, Box):
        box = of_arrays(hv.Rectangles, [(drawn.left, drawn.bottom, drawn.right, drawn.top)], kdims=[X, Y, TO_X, TO_Y])
        inks = {"fill_color": tint(drawn.role), "line_color": tint(drawn.role)}
        more = _by_hand(options, **_hatch(drawn.hatch, drawn.role))
        return styled(box, fill_alpha=drawn.fill, line_alpha=drawn.alpha, **inks, **more)
    words = KINDS["words"]({"x": [drawn.x], "y": [drawn.y], "text": [drawn.text]}, ())
    return _lettered(words, drawn.role, {"angle": 0.0, "alpha": 1.0, "halo": halo, **drawn._asdict()}, options)


def tint(role: str) -> str:
    """Return the colour of a role, or the colour itself."""
    return role if role.startswith("#") else colour(role)


# the columns of a mark --------------------------------------------------------------------------------------------


def _columns(mark, sources, result):
    """Return a mark's channels and the styles that differ by row as columns of one length, or {} without a row."""
    source = sources[mark.source]
    given = {name: each for name, each in mark.style.items() if isinstance(each, by) or name == "breadth"}
    given |= mark.channels
    rows = max((len(source[each]) for each in given.values() if isinstance(each, by)), default=0)
    if not rows:
        return {}
    columns = {name: source[each] if isinstance(each, by) else np.full(rows, each) for name, each in given.items()}
    if says := mark.style.get("says"):
        columns["text"] = np.full(rows, says(result) if callable(says) else says, dtype=object)
    return columns


def _alike(mark, columns):
    """Split the columns into parts with rows of one style, except for dots, whose style may differ by row."""
    apart = [name for name in columns if isinstance(mark.style.get(name), by)]
    if mark.kind == "dot" or not apart:
        return [columns]
    kinds = list(zip(*(columns[name].tolist() for name in apart), strict=True))
    masks = [np.array([each == kind for each in kinds]) for kind in dict.fromkeys(kinds)]
    return [{name: each[mask] for name, each in columns.items()} for mask in masks]


def _too_narrow(mark, unit):
    """Return whether a mark's text has too little space."""
    return any(px <= least for px, least in zip(unit, mark.style.get("room") or (), strict=False))


# how it is styled -------------------------------------------------------------------------------------------------


def _element(mark, role, columns, options):
    """Return one element in its colours."""
    style = dict(mark.style)
    if mark.kind != "dot":
        style |= {name: columns[name][0] for name, each in mark.style.items() if isinstance(each, by)}
    varied = {name: each for name, each in style.items() if isinstance(each, by)}
    element = KINDS[mark.kind](columns, tuple(varied))
    if mark.kind == "words":
        return _lettered(element, role, style, options)
    drawn = {STYLES[name]: _by(name, each) for name, each in style.items() if name in STYLES}
    if mark.kind == "circle":
        drawn["radius"] = holoviews().dim("radius")
    if mark.kind == "dot":
        drawn["angle"] = _by("angle", style["angle"]) if "angle" in varied else float(np.rad2deg(style["angle"]))
    inks = {f"{ink}_color": None for ink in PAINTED.get(mark.kind, ("line", "fill"))}
    inks |= {f"{ink}_color": tint(role) for ink in mark.inks if ink != "hatch"}
    return styled(element, **drawn, **inks, **_by_hand(options, **_hatch(style.get("hatch"), role)))


def _lettered(words, role, style, options):
    """Return text in its font, offset by some px from its place."""
    drawn = {"text_font_size": f"{style['px']}px", "text_font_style": "bold" if style["bold"] else "normal"}
    drawn |= {"text_align": style["align"], "text_baseline": style["baseline"], "text_alpha": style["alpha"]}
    hand = {"x_offset": style["dx"], "y_offset": style["dy"], "text_font": value(style["font"] or FONT)}
    if style["halo"]:
        drawn, hand = {**drawn, "background_fill_color": colour("ground")}, {**hand, "padding": 1}
    angle = float(np.rad2deg(style["angle"]))
    return styled(words, text_color=tint(role), angle=angle, **drawn, **_by_hand(options, **hand))


def _by(name, each):
    return holoviews().dim(name) if isinstance(each, by) else each


def _lines(style):
    return {"line_width": 1, **{STYLES[name]: each for name, each in style.items()}}


def _hatch(hatch, role):
    hatched = dict(zip(HATCH, hatch or (), strict=False))
    return hatched | {"hatch_color": tint(role)} if hatched else {}


def _by_hand(options, **properties):
    """Add a hook to the options that sets the glyph's properties for which HoloViews has no option."""
    if not properties:
        return options

    def give(plot, element):
        plot.handles["glyph"].update(**properties)

    return {**options, "hooks": [*options["hooks"], give]}


# an element of each kind ------------------------------------------------------------------------------------------


def _line(at, varied):
    return of_arrays(holoviews().Curve, (at["x"], at["y"]), kdims=[X], vdims=[Y])


def _area(at, varied):
    return of_arrays(holoviews().Area, (at["x"], at["high"], at["low"]), kdims=[X], vdims=[Y, "low"])


def _dots(at, varied):
    columns = {name: np.rad2deg(at[name]) if name == "angle" else at[name] for name in varied}
    return of_arrays(holoviews().Points, {X: at["x"], Y: at["y"], **columns}, kdims=[X, Y], vdims=list(varied))


def _circles(at, varied):
    return _dots(at, ("radius",))


def _ellipses(at, varied):
    along, up = np.cos(ROUND)[:, None] * at["across"] / 2, np.sin(ROUND)[:, None] * at["up"] / 2
    cos, sin = np.cos(at["angle"]), np.sin(at["angle"])
    x, y = at["x"] + cos * along - sin * up, at["y"] + sin * along + cos * up
    return of_arrays(holoviews().Polygons, [{X: a, Y: b} for a, b in zip(x.T, y.T, strict=True)], kdims=[X, Y])


def _boxes(at, varied):
    edges = (at["left"], at["bottom"], at["right"], at["top"])
    return of_arrays(holoviews().Rectangles, edges, kdims=[X, Y, TO_X, TO_Y])


def _bars(at, varied):
    half = at["breadth"] / 2
    return _boxes({"left": at["x"] - half, "right": at["x"] + half, "bottom": 0 * at["x"], "top": at["top"]}, varied)


def _bars_across(at, varied):
    half = at["breadth"] / 2
    return _boxes({"left": 0 * at["y"], "right": at["right"], "bottom": at["y"] - half, "top": at["y"] + half}, varied)


def _cells(at, varied):
    wide, high = at["width"] / 2, at["height"] / 2
    edges = {"left": at["x"] - wide, "right": at["x"] + wide, "bottom": at["y"] - high, "top": at["y"] + high}
    return _boxes(edges, varied)


def _strokes(at, varied):
    return of_arrays(holoviews().Segments, (at["x"], at["y"], at["to_x"], at["to_y"]), kdims=[X, Y, TO_X, TO_Y])


def _uprights(at, varied):
    return of_arrays(holoviews().VLines, at["x"], kdims=[X])


def _levels(at, varied):
    return of_arrays(holoviews().HLines, at["y"], kdims=[Y])


def _words(at, varied):
    # format numbers as a browser does
    said = (each if isinstance(each, str) else f"{each:.12g}" for each in at["text"])
    text = np.array([seemly(each) for each in said], dtype=object)
    return of_arrays(holoviews().Labels, (at["x"], at["y"], text), kdims=[X, Y], vdims=["words"])


KINDS: dict[str, Callable[..., Any]] = {
    "line": _line,
    "area": _area,
    "dot": _dots,
    "circle": _circles,
    "ellipse": _ellipses,
    "box": _boxes,
    "bar": _bars,
    "bar across": _bars_across,
    "cell": _cells,
    "stroke": _strokes,
    "upright": _uprights,
    "level": _levels,
    "words": _words,
}


def _field(mark, sources, options):
    """Return filled contours of a function by sign and size, or in shades of a role; an image for a table."""
    w, there = sources[mark.source]["w"], sources[mark.style["ground"]]
    if not (len(w) and len(there["x"])):
        return []
    w = np.reshape(w, (mark.style["lines"], -1))
    if mark.style["table"]:
        at = {name: float(there[name][0]) for name in ("x", "y", "dw", "dh")}
        return [_image(w, at, GROUNDS[False], (-1, 1), options)]
    return [_region(each, options) for each in regions(*middles(there, w.shape), w, mark.role)]


def _region(region, options):
    """Return a region of filled contours in its tint, which is opaque because it covers the fainter ones."""
    outlines = [{X: outline[:, 0], Y: outline[:, 1], "holes": [holes]} for outline, *holes in region.polygons]
    (tinted,) = mixed(tint(region.ink), [region.strength], False)
    polygons = of_arrays(holoviews().Polygons, outlines, kdims=[X, Y])
    return styled(polygons, fill_color=tinted, line_color=None, **options)


def _shades(mark, at, i, options):
    """Return an image in shades from dark to light."""
    there = {name: float(at[name][i]) for name in ("x", "y", "dw", "dh")}
    return _image(np.asarray(at["image"][i], dtype=float), there, list(Cividis256), (0, mark.style["high"]), options)


def _image(values, at, palette, clim, options):
    """Return values as an image at x, y of the size dw, dh, with the first row at the bottom."""
    hv, bounds = holoviews(), (at["x"], at["y"], at["x"] + at["dw"], at["y"] + at["dh"])
    image = of_arrays(hv.Image, values[::-1], kdims=[X, Y], vdims=["w"], bounds=bounds)
    return styled(image, cmap=palette, clim=clim, clipping_colors={"NaN": NOTHING}, **options)


def rank(drawn: Mark) -> int:
    """Return the drawing order: images, then fixed boxes, then the other marks, then those that follow the slider."""
    if isinstance(drawn, Box):
        return 1
    if isinstance(drawn, Mark) and drawn.follows_slider:
        return 3
    return 0 if isinstance(drawn, Mark) and drawn.kind in IMAGES else 2
