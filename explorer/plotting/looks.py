"""Looks of marks: a mark's style as options of HoloViews' elements in Bokeh and in matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from bokeh.core.properties import value

from explorer.marks import by
from explorer.marks.roles import FONT, colour

from .style import holoviews

Style = Mapping[str, Any]
STYLES = {  # a mark's style -> HoloViews' option for Bokeh; HoloViews has no option for the others
    "width": "line_width",
    "dash": "line_dash",
    "alpha": "line_alpha",
    "fill": "fill_alpha",
    "size": "size",
    "marker": "marker",
}
HATCH = ("hatch_pattern", "hatch_alpha", "hatch_scale", "hatch_weight")
LINES = ("Curve", "Segments", "Spikes", "VLines", "HLines")  # elements that have lines only
BARS = "ErrorBars"
AREAS = ("Area", "Spread")
FILLED = (*AREAS, "HSpans")  # elements without an outline
DOTS = ("Points", "Scatter")
STROKES = {"solid": "-", "dashed": "--", "dotted": ":", "dotdash": "-.", "dashdot": "-."}  # matplotlib's dashes
MARKERS = {  # matplotlib's markers
    "circle": "o",
    "cross": "+",
    "x": "x",
    "dash": "_",
    "diamond": "D",
    "square": "s",
    "triangle": "^",
    "inverted_triangle": "v",
}
STROKED = ("+", "x", "_", "|")  # matplotlib's markers without an area
THIN = 0.9  # width of a line in matplotlib in points, per px
OFFSETS: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # text -> (its transform, its offset in points)
POINTS = 0.75  # size of a letter in matplotlib in points, per px


class OnPaper(NamedTuple):
    """The options of a picture's part in matplotlib, kept among its hooks in Bokeh until matplotlib is loaded.

    HoloViews discards the options of a backend that is not loaded. Hooks stay with a part when it is overlaid or laid
    out.

    Attributes
    ----------
    options : mapping
        HoloViews' options of the part in matplotlib.
    shared : mapping
        Those that all parts of its picture share, and an overlay of them needs too.
    given : mapping
        The options of the part in Bokeh, which `.opts` may change later.
    """

    options: Mapping[str, Any]
    shared: Mapping[str, Any]
    given: Mapping[str, Any]

    def __call__(self, plot: Any, element: Any) -> None:
        """Change nothing: Bokeh calls all hooks."""


def tint(role: str) -> str:
    """Return the colour of a role, or the colour itself."""
    return role if role.startswith("#") else colour(role)


def in_bokeh(kind: str, inks: Sequence[str], role: str, style: Style) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return HoloViews' options of an element in Bokeh, and the properties of its glyph for which it has none.

    Parameters
    ----------
    kind : str
        The kind of the element.
    inks : sequence of str
        What is drawn in the role's colour, of "line", "fill" and "hatch".
    role : str
        The role.
    style : mapping
        The mark's style; a name of a column (`by`) stands for its values.

    Returns
    -------
    options, properties : dict
        The options, and the properties.
    """
    options = {STYLES[name]: _of_row(each) for name, each in style.items() if name in STYLES}
    if kind == BARS:
        return {"line_color": tint(role), "line_width": style["width"]}, {}
    if kind in LINES:
        return {"color": tint(role), **options}, {}
    if kind in DOTS and "angle" in style:
        angle = style["angle"]
        options["angle"] = _of_row(angle) if isinstance(angle, by) else float(np.rad2deg(angle))
    if kind == "Bars":
        options["line_alpha"] = 0.0
    missing: dict[str, Any] = {f"{ink}_color": None for ink in ("line", "fill") if ink not in inks}
    if kind not in DOTS and "line" in inks:  # HoloViews has an outline of its own
        missing["line_color"] = tint(role)
    hatch = dict(zip(HATCH, style.get("hatch") or (), strict=False))
    return {"color": tint(role), **options, **missing}, hatch | {"hatch_color": tint(role)} if hatch else {}


def on_paper(kind: str, inks: Sequence[str], role: str, style: Style) -> dict[str, Any]:
    """Return HoloViews' options of an element in matplotlib, see `in_bokeh`."""
    ink, width = tint(role), THIN * _fixed(style, "width", 1)
    if kind == BARS:
        return {"edgecolor": ink, "elinewidth": width}
    if kind in LINES:
        dash = STROKES[_fixed(style, "dash", "solid")]
        return {"color": ink, "linewidth": width, "linestyle": dash, "alpha": _fixed(style, "alpha", 1.0)}
    if style.get("hatch") and kind not in DOTS:
        return {
            "facecolor": "none",
            "edgecolor": ink,
            "linewidth": 0,
            "hooks": [partial(_hatched, ink, style["hatch"])],
        }
    is_filled = "fill" in inks and _fixed(style, "fill", 1.0)
    fill, alpha = (ink, _fixed(style, "fill", 1.0)) if is_filled else ("none", _fixed(style, "alpha", 1.0))
    if kind in FILLED or (kind == "Polygons" and "line" not in inks):
        both = {} if kind == "HSpans" else {"facecolor": ink}  # their default is a colour of a cycle
        return {"color": ink, "alpha": alpha, "linewidth": 0, **both}
    if kind in DOTS:
        size = style.get("size", 6)
        area = holoviews().dim(str(size)) ** 2 if isinstance(size, by) else size**2
        marker = MARKERS.get(_fixed(style, "marker", "circle"), "o")
        if marker == "_" and abs(_fixed(style, "angle", 0.0)) > np.pi / 4:
            marker = "|"
        shape: dict[str, Any] = {"marker": marker, "s": area, "linewidth": width}
        if marker in STROKED:  # matplotlib warns of their edges
            shape |= {"marker": "o", "hooks": [partial(_stroked, marker)]}
        return {"facecolors": fill, "edgecolors": ink if "line" in inks else "none", "alpha": alpha, **shape}
    if kind == "Bars":
        return {"color": ink, "alpha": alpha}
    strength = _fixed(style, "alpha", 1.0) if "line" in inks else 0.0
    look = {
        "alpha": None,
        "facecolor": (ink, alpha) if is_filled else "none",
        "edgecolor": (ink, strength) if strength else "none",
        "linewidth": width if strength else 0,
        "linestyle": STROKES[_fixed(style, "dash", "solid")],
    }
    # HoloViews has one opacity for line and area, no dashes, and for polygons a colour that covers both
    return {"facecolor": fill, "edgecolor": ink if strength else "none", "hooks": [partial(_shaped, look)]}


def text_in_bokeh(role: str, style: Style) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return HoloViews' options of text in Bokeh, and the properties of its glyph for which it has none."""
    options = {"text_font_size": f"{style['px']}px", "text_font_style": "bold" if style["bold"] else "normal"}
    options |= {"text_align": style["align"], "text_baseline": style["baseline"], "text_alpha": style["alpha"]}
    options |= {"text_color": tint(role), "angle": float(np.rad2deg(style["angle"]))}
    more = {"x_offset": style["dx"], "y_offset": style["dy"], "text_font": value(style["font"] or FONT)}
    if style["halo"]:
        options, more = {**options, "background_fill_color": colour("ground")}, {**more, "padding": 1}
    return options, more


def text_on_paper(role: str, style: Style) -> dict[str, Any]:
    """Return HoloViews' options of text in matplotlib."""
    upright = {"middle": "center", "alphabetic": "baseline"}.get(style["baseline"], style["baseline"])
    return {
        "color": tint(role),
        "size": POINTS * style["px"],
        "weight": "bold" if style["bold"] else "normal",
        "horizontalalignment": style["align"],
        "verticalalignment": upright,
        "rotation": float(np.rad2deg(style["angle"])),
        "alpha": style["alpha"],
        "hooks": [partial(_moved, (POINTS * style["dx"], -POINTS * style["dy"]), style["halo"])],
    }


def _shaped(look, plot, element):
    """Give shapes in matplotlib their look."""
    for each in _artists(plot):
        each.set(**look)


def _stroked(marker, plot, element):
    """Give dots in matplotlib a marker without an area."""
    from matplotlib.markers import MarkerStyle

    style = MarkerStyle(marker)
    for each in _artists(plot):
        each.set_paths([style.get_path().transformed(style.get_transform())])


def _hatched(ink, hatch, plot, element):
    """Hatch boxes in matplotlib, where the distance of a hatch's lines is that of the file's kind."""
    for each in _artists(plot):
        each.set(hatch="/" * 5, facecolor="none", edgecolor=(*_rgb(ink), hatch[1]), linewidth=0)


def _moved(offset, halo, plot, element):
    """Move texts in matplotlib by an offset in points from their positions, on a ground that covers what is below."""
    from matplotlib.patheffects import withStroke

    for each in _artists(plot):
        OFFSETS[each] = each.get_transform(), offset
        move_text(each, 1.0)
        if halo:
            each.set_path_effects([withStroke(linewidth=2, foreground=colour("ground"))])


def move_text(text: Any, times: float) -> None:
    """Move a mark's text in matplotlib by its offset times a number.

    Parameters
    ----------
    text : matplotlib.text.Text
        The text; any other one stays in its place.
    times : float
        The number: 1 for texts as large as on the screen.
    """
    from matplotlib.transforms import offset_copy

    if text in OFFSETS:
        base, (across, up) = OFFSETS[text]
        text.set_transform(offset_copy(base, text.figure, times * across, times * up, units="points"))


def _artists(plot):
    """Return the artists of an element in matplotlib as a list."""
    artist = plot.handles["artist"]
    return artist if isinstance(artist, (list, tuple)) else [artist]


def _rgb(ink):
    return [int(ink[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def hook_of(properties: Mapping[str, Any]) -> list[Callable[..., None]]:
    """Return a hook that sets properties of a glyph in Bokeh, in a list that is empty without properties."""

    def give(plot, element):
        plot.handles["glyph"].update(**properties)

    return [give] if properties else []


def _of_row(each):
    """Return a style, or the dimension with its values."""
    return holoviews().dim(each) if isinstance(each, by) else each


def _fixed(style, name, default):
    """Return a style that all rows share; the default if each row has its own."""
    each = style.get(name, default)
    return default if isinstance(each, by) else each
