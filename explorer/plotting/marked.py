"""Marks as HoloViews elements, in the colours of their roles: one function per kind, over columns of equal length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from bokeh.palettes import Cividis256

from explorer.marks import Box, Mark, Polyline, ReferenceLine, by
from explorer.marks.contours import middles, regions
from explorer.marks.roles import PALEST, colour
from explorer.types import Vector
from explorer.views.shading import GROUNDS, NOTHING, mixed

from .looks import OnPaper, hook_of, in_bokeh, on_paper, text_in_bokeh, text_on_paper, tint
from .roles import shades
from .style import ARRAYS, holoviews, rising_palette, seemly, signed_palette

if TYPE_CHECKING:
    from explorer.marks import Axis
    from explorer.marks.mark import Band, TextLabel


ROUND = np.linspace(0.0, 2 * np.pi, 73)  # angles of the points of an ellipse
TO_X, TO_Y = "x end", "y end"
SHADES = 64  # number of shades of a mesh
IMAGES = ("image", "shades", "mesh")
INTERVAL = ("middle", "half")  # styles that are positions
LINE, SHAPE = ("line",), ("line", "fill")


class Surface(NamedTuple):
    """Axes and backend of a picture whose marks are drawn.

    Attributes
    ----------
    x, y : holoviews.Dimension
        The dimensions along the axes.
    options : mapping of str to mapping
        Backend -> options that all elements of the picture share.
    is_plane : bool
        Whether both axes are coordinates of points.
    """

    x: Any
    y: Any
    options: Mapping[str, Mapping[str, Any]]
    is_plane: bool = True

    def styled(self, element: Any, bokeh: Mapping[str, Any], paper: Mapping[str, Any], glyph: Any = None) -> Any:
        """Return an element with its options in both backends, and the properties of its Bokeh glyph."""
        shared, on_paper = self.options["bokeh"], self.options["matplotlib"]
        paper_hooks = [*on_paper["hooks"], *paper.get("hooks", ())]
        given = {**shared, **bokeh}
        later = OnPaper({**on_paper, **paper, "hooks": paper_hooks}, on_paper, given)
        hooks = [*shared["hooks"], *hook_of(glyph or {}), later]
        return element.opts(**{**given, "hooks": hooks}, backend="bokeh", clone=True)

    def shaped(self, element: Any, role: str, inks: Sequence[str], style: Mapping[str, Any], **more: Any) -> Any:
        """Return an element in a role's colour and a mark's style."""
        kind = type(element).__name__
        options, glyph = in_bokeh(kind, inks, role, style)
        return self.styled(element, {**options, **more}, on_paper(kind, inks, role, style), glyph)


def dimension(axis: Axis, place: str) -> Any:
    """Return the HoloViews dimension along an axis that covers its numbers."""
    hv = holoviews()
    if isinstance(axis.name, hv.Dimension):
        return axis.name
    name, label = (seemly(each) for each in (axis.name or place, axis.label or place))
    return hv.Dimension(name, label=label, unit=axis.unit or None)


def elements(
    mark: Mark,
    role: str,
    sources: Mapping[str, Mapping[str, Sequence[float] | Vector]],
    result: Any,
    unit: Sequence[float],
    surface: Surface,
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
    surface : Surface
        What it is drawn on.

    Returns
    -------
    elements : list
        HoloViews elements.
    """
    if mark.kind == "image":
        return _field(mark, sources, surface)
    if not (columns := _columns(mark, sources, result)) or _too_narrow(mark, unit):
        return []
    if mark.kind == "shades":
        return [_shades(mark, columns, i, surface) for i in range(len(columns["image"]))]
    if mark.kind == "mesh":
        return [_mesh(mark, role, columns, surface)]
    return [_element(mark, role, each, surface) for each in _alike(mark, columns)]


def ground(drawn: Band | ReferenceLine, result: Any, y: Axis, surface: Surface) -> Any:
    """Return a ReferenceLine or a Band, which extends to the end of the axis y."""
    if isinstance(drawn, ReferenceLine):
        place, kind = ("x", _uprights) if drawn.y is None else ("y", _levels)
        at = getattr(drawn, place)
        line = kind({place: [at(result) if callable(at) else at]}, (), surface)
        return surface.shaped(line, drawn.role, LINE, {"width": 1, **drawn.style})
    ends = [end(result) if callable(end) else end for end in (drawn.bottom, drawn.top)]
    low, high = (other if end is None else end for end, other in zip(ends, y.range, strict=True))
    span = of_arrays(holoviews().HSpans, [(low, high)], kdims=[surface.y, TO_Y])
    return surface.shaped(span, drawn.role, ("fill",), {"fill": drawn.alpha})


def fixed(drawn: TextLabel | Box | Polyline, surface: Surface, halo: bool = False) -> Any:
    """Return a Polyline, a Box or a TextLabel. A text with a `halo` covers the marks below it."""
    if isinstance(drawn, Polyline):
        curve = _line({"x": drawn.x, "y": drawn.y}, (), surface)
        return surface.shaped(curve, drawn.role, LINE, {"width": 1, **drawn.style})
    if isinstance(drawn, Box):
        box = _boxes({name: [getattr(drawn, name)] for name in ("left", "bottom", "right", "top")}, (), surface)
        return surface.shaped(box, drawn.role, SHAPE, {"fill": drawn.fill, "alpha": drawn.alpha, "hatch": drawn.hatch})
    words = _words({"x": [drawn.x], "y": [drawn.y], "text": [drawn.text]}, (), surface)
    style = {"angle": 0.0, "alpha": 1.0, "halo": halo, **drawn._asdict()}
    return surface.styled(words, *_lettered(drawn.role, style))


def of_arrays(kind: Any, data: Any, **dimensions: Any) -> Any:
    """Return an element of a HoloViews kind whose data stay arrays: for a DataFrame it would first load pandas."""
    stored = [name for name in kind.datatype if name in ARRAYS]
    return kind(data, datatype=stored, **dimensions)


# the columns of a mark --------------------------------------------------------------------------------------------


def _columns(mark, sources, result):
    """Return a mark's channels and the columns of its style as columns of one length, or {} without a row."""
    source = sources[mark.source]
    given = {name: each for name, each in mark.style.items() if isinstance(each, by) or name == "breadth"}
    given |= {**mark.channels, **{name: by(name) for name in mark.hover or ()}}
    rows = max((len(source[each]) for each in given.values() if isinstance(each, by)), default=0)
    if not rows:
        return {}
    columns = {
        name: np.asarray(source[each]) if isinstance(each, by) else np.full(rows, each) for name, each in given.items()
    }
    if says := mark.style.get("says"):
        columns["text"] = np.full(rows, says(result) if callable(says) else says, dtype=object)
    return columns


def _alike(mark, columns):
    """Split the columns into parts with rows of one style, except for dots, whose style may differ by row."""
    apart = [name for name in columns if isinstance(mark.style.get(name), by) and name not in INTERVAL]
    if mark.kind == "dot" or not apart:
        return [columns]
    kinds = list(zip(*(columns[name].tolist() for name in apart), strict=True))
    masks = [np.array([each == kind for each in kinds]) for kind in dict.fromkeys(kinds)]
    return [{name: each[mask] for name, each in columns.items()} for mask in masks]


def _too_narrow(mark, unit):
    """Return whether a mark's text has too little space."""
    return any(px <= least for px, least in zip(unit, mark.style.get("room") or (), strict=False))


def _element(mark, role, columns, surface):
    """Return one element in its colours."""
    style = {name: each for name, each in mark.style.items() if name not in INTERVAL}
    if mark.kind != "dot":
        style |= {name: columns[name][0] for name, each in style.items() if isinstance(each, by)}
    varied = {name: by(name) for name, each in style.items() if isinstance(each, by)}
    hv, hovered = holoviews(), mark.hover or {}
    further = [hv.Dimension(name, label=seemly(label)) for name, label in hovered.items()]
    kind = "stem" if _is_stem(mark) and not surface.is_plane else mark.kind
    element = KINDS[kind](columns, [*further, *varied], surface)
    if mark.kind == "words":
        return surface.styled(element, *_lettered(role, style))
    more: dict[str, Any] = {} if mark.hover is None else {"tools": ["hover"]}
    return surface.shaped(element, role, mark.inks, {**style, **varied}, **more)


def _is_stem(mark):
    """Return whether a mark is segments from 0 to a height."""
    at = mark.channels
    return mark.kind == "stroke" and not isinstance(at["y"], by) and at["y"] == 0 and at["x"] == at["to_x"]


def _lettered(role, style):
    """Return the options of text: those in Bokeh, those in matplotlib, and the properties of the glyph."""
    options, glyph = text_in_bokeh(role, style)
    return options, text_on_paper(role, style), glyph


# an element of each kind, of columns, further dimensions and a surface ---------------------------------------------


def _line(at, further, surface):
    return of_arrays(
        holoviews().Curve, (at["x"], at["y"], *_values(at, further)), kdims=[surface.x], vdims=[surface.y, *further]
    )


def _area(at, further, surface):
    hv = holoviews()
    if "half" in at:
        about = [surface.y, hv.Dimension("half", label="half interval")]
        return of_arrays(hv.Spread, (at["x"], at["middle"], at["half"]), kdims=[surface.x], vdims=about)
    if not surface.is_plane and not at["low"].any():
        return of_arrays(hv.Area, (at["x"], at["high"]), kdims=[surface.x], vdims=[surface.y])
    return of_arrays(hv.Area, (at["x"], at["high"], at["low"]), kdims=[surface.x], vdims=[surface.y, "low"])


def _dots(at, further, surface):
    columns = [np.rad2deg(each) if name == "angle" else each for name, each in _named(at, further)]
    if surface.is_plane:
        places = {"kdims": [surface.x, surface.y], "vdims": further}
        return of_arrays(holoviews().Points, (at["x"], at["y"], *columns), **places)
    places = {"kdims": [surface.x], "vdims": [surface.y, *further]}
    return of_arrays(holoviews().Scatter, (at["x"], at["y"], *columns), **places)


def _circles(at, further, surface):
    across = 2 * at["radius"]
    return _ellipses({**at, "across": across, "up": across, "angle": np.zeros(len(across))}, further, surface)


def _ellipses(at, further, surface):
    names = ("x", "y", "across", "up", "angle")
    well = np.isfinite(np.sum([np.asarray(at[name], dtype=float) for name in names], axis=0))
    at = {name: np.asarray(at[name], dtype=float)[well] for name in names}
    along, up = np.cos(ROUND)[:, None] * at["across"] / 2, np.sin(ROUND)[:, None] * at["up"] / 2
    cos, sin = np.cos(at["angle"]), np.sin(at["angle"])
    x, y = at["x"] + cos * along - sin * up, at["y"] + sin * along + cos * up
    return _polygons([(a, b, None) for a, b in zip(x.T, y.T, strict=True)], surface)


def _boxes(at, further, surface):
    edges = (at["left"], at["bottom"], at["right"], at["top"])
    return of_arrays(holoviews().Rectangles, edges, kdims=[surface.x, surface.y, TO_X, TO_Y])


def _bars(at, further, surface):
    if at["x"].dtype.kind in "OUS":  # names
        columns = (at["x"], at["top"], *_values(at, further))
        return of_arrays(holoviews().Bars, columns, kdims=[surface.x], vdims=[surface.y, *further])
    half = at["breadth"] / 2
    edges = {"left": at["x"] - half, "right": at["x"] + half, "bottom": 0 * at["x"], "top": at["top"]}
    return _boxes(edges, further, surface)


def _bars_across(at, further, surface):
    half = at["breadth"] / 2
    edges = {"left": 0 * at["y"], "right": at["right"], "bottom": at["y"] - half, "top": at["y"] + half}
    return _boxes(edges, further, surface)


def _cells(at, further, surface):
    wide, high = at["width"] / 2, at["height"] / 2
    edges = {"left": at["x"] - wide, "right": at["x"] + wide, "bottom": at["y"] - high, "top": at["y"] + high}
    return _boxes(edges, further, surface)


def _segments(at, further, surface):
    hv = holoviews()
    if "half" in at:
        about = [surface.y, hv.Dimension("half", label="half interval")]
        return of_arrays(hv.ErrorBars, (at["x"], at["middle"], at["half"]), kdims=[surface.x], vdims=about)
    ends = {"kdims": [surface.x, surface.y, TO_X, TO_Y], "vdims": further}
    return of_arrays(hv.Segments, (at["x"], at["y"], at["to_x"], at["to_y"], *_values(at, further)), **ends)


def _stems(at, further, surface):
    columns = (at["x"], at["to_y"], *_values(at, further))
    return of_arrays(holoviews().Spikes, columns, kdims=[surface.x], vdims=[surface.y, *further])


def _uprights(at, further, surface):
    return of_arrays(holoviews().VLines, at["x"], kdims=[surface.x])


def _levels(at, further, surface):
    return of_arrays(holoviews().HLines, at["y"], kdims=[surface.y])


def _words(at, further, surface):
    # format numbers as a browser does
    said = (each if isinstance(each, str) else f"{each:.12g}" for each in at["text"])
    text = np.array([seemly(each) for each in said], dtype=object)
    return of_arrays(holoviews().Labels, (at["x"], at["y"], text), kdims=[surface.x, surface.y], vdims=["words"])


def _named(at, further):
    """Return (name, column) of further dimensions."""
    return [(name := getattr(each, "name", each), at[name]) for each in further]


def _values(at, further):
    """Return the columns of further dimensions."""
    return [column for _, column in _named(at, further)]


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
    "stroke": _segments,
    "stem": _stems,
    "upright": _uprights,
    "level": _levels,
    "words": _words,
}


def _field(mark, sources, surface):
    """Return an image with its colour bar, or filled contours of a function by sign and size, or in shades of a role.

    A table without a bar is an image too.
    """
    w, there = sources[mark.source]["w"], sources[mark.style["ground"]]
    if not (len(w) and len(there["x"])):
        return []
    w = np.reshape(w, (mark.style["lines"], -1))
    at = {name: float(there[name][0]) for name in ("x", "y", "dw", "dh")}
    if bar := mark.style["bar"]:
        palette = signed_palette() if bar.range[0] < 0 else rising_palette()
        return [_image(w, at, palette, bar.range, surface, bar)]
    if mark.style["table"]:
        return [_image(w, at, GROUNDS[False], (-1, 1), surface)]
    return [_region(each, surface) for each in regions(*middles(there, w.shape), w, mark.role)]


def _region(region, surface):
    """Return a region of filled contours in its tint, which is opaque because it covers the fainter ones."""
    (tinted,) = mixed(tint(region.ink), [region.strength], False)
    outlines = [(outline[:, 0], outline[:, 1], holes) for outline, *holes in region.polygons]
    return surface.shaped(_polygons(outlines, surface), tinted, ("fill",), {})


def _polygons(outlines, surface):
    """Return polygons of (x, y, holes)."""
    x, y = (getattr(each, "name", each) for each in (surface.x, surface.y))
    paths = [{x: a, y: b, **({} if holes is None else {"holes": [holes]})} for a, b, holes in outlines]
    return of_arrays(holoviews().Polygons, paths, kdims=[surface.x, surface.y])


def _shades(mark, at, i, surface):
    """Return an image in shades from dark to light."""
    there = {name: float(at[name][i]) for name in ("x", "y", "dw", "dh")}
    high = mark.style["high"]
    return _image(np.asarray(at["image"][i], dtype=float), there, list(Cividis256), (0, high), surface)


def _image(values, at, palette, clim, surface, bar=None):
    """Return values as an image at x, y of the size dw, dh, with the first row at the bottom."""
    bounds = (at["x"], at["y"], at["x"] + at["dw"], at["y"] + at["dh"])
    z = "w" if bar is None else dimension(bar, "w")
    image = of_arrays(holoviews().Image, values[::-1], kdims=[surface.x, surface.y], vdims=[z], bounds=bounds)
    own = {"cmap": palette, "clim": clim, "clipping_colors": {"NaN": NOTHING}}
    if bar is not None:
        own |= {"colorbar": True, "bgcolor": colour("ground")}
    return surface.styled(image, own | ({"tools": ["hover"]} if bar is not None else {}), own)


def _mesh(mark, role, at, surface):
    """Return the cells of a table in shades of a role, with a colour bar."""
    hv, bar = holoviews(), mark.style["bar"]
    borders = [np.append(np.unique(at[low]), at[high].max()) for low, high in (("left", "right"), ("bottom", "top"))]
    shape = (len(borders[1]) - 1, len(borders[0]) - 1)
    # a label must differ from the axis's
    middle = [hv.Dimension(f"{each.name} of the cell") for each in (surface.x, surface.y)]
    z = dimension(bar, "w")
    columns = (*borders, *(at[name].reshape(shape) for name in ("w", "x", "y")))
    element = of_arrays(hv.QuadMesh, columns, kdims=[surface.x, surface.y], vdims=[z, *middle])
    palette = shades(tint(role), SHADES, PALEST)
    own = {"cmap": palette, "clim": bar.range, "colorbar": True, "clabel": z.pprint_label, "logz": bar.log}
    names = [*(each.name for each in middle), hv.core.util.dimension_sanitizer(z.name)]
    told = [(each.pprint_label, f"@{{{name}}}") for each, name in zip((surface.x, surface.y, z), names, strict=True)]
    return surface.styled(element, {**own, "tools": ["hover"], "hover_tooltips": told}, own)


def rank(drawn: Mark) -> int:
    """Return the drawing order: images, then fixed boxes, then the other marks, then those that follow the slider."""
    if isinstance(drawn, Box):
        return 1
    if isinstance(drawn, Mark) and drawn.follows_slider:
        return 3
    return 0 if isinstance(drawn, Mark) and drawn.kind in IMAGES else 2
