"""Shapes of all kinds of marks and fixed elements as SVG, a function for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.marks import Band, Box, Mark, Polyline, ReferenceLine, TextLabel, by
from explorer.marks.contours import middles
from explorer.marks.roles import PALEST
from explorer.markup import joined, markup
from explorer.printing import format_number
from explorer.types import Labels, Rows, Vector

from . import fields, lettering, points, thinning
from .fields import path

if TYPE_CHECKING:
    from explorer.markup import Markup


ALIGNED = {"left": "start", "center": "middle", "right": "end"}
# vertical offset of a baseline from its position, relative to the font size
DROPS = {"middle": 0.35, "bottom": -0.2, "top": 0.85, "alphabetic": 0.0}
POINTS = ("dot", "circle", "ellipse", "stroke")  # kinds of marks that may have too many rows
BESIDE = 6.0  # distance in px beyond the frame up to which text is drawn
PX = 12  # font size of the values of a mesh
EDGE = 4.0  # margin in px at the picture's sides that text does not use


class Canvas(NamedTuple):
    """Surface on which marks are drawn.

    Attributes
    ----------
    picture : Picture
        The picture.
    result : Result
        The result.
    data : mapping
        Its numbers.
    frame : Frame
        The frame.
    width : float
        Width in px.
    inks : Colours
        The colours.
    share : float
        Share of each source's points that is drawn.
    cut : bool
        Whether shapes are clipped to the frame.
    """

    picture: Any
    result: Any
    data: Mapping[str, Mapping[str, Any]]
    frame: Any
    width: float
    inks: Any
    share: float = 1.0
    cut: bool = True


class Columns:
    """The columns that a mark reads, each as long as the mark has rows."""

    rows: int
    kept: Rows
    sheet: Canvas
    mark: Mark
    source: Mapping[str, Any]

    def __init__(self, sheet: Canvas, mark: Mark, rows: Rows | None = None) -> None:
        self.sheet, self.mark, source = sheet, mark, sheet.data.get(mark.source, {})
        named = [name for where, name in mark.columns if where == mark.source and name in source]
        self.rows = len(source[named[0]]) if named else max(map(len, source.values()), default=0)
        self.kept, self.source = np.arange(self.rows), source
        if mark.kind in POINTS and sheet.share < 1:
            self.kept = thinning.rows(self.rows, sheet.share)
        self.kept = self.kept if rows is None else rows

    def value(self, given: float | str | by) -> Labels:
        """Return a channel or a property of each row, in its own units."""
        if isinstance(given, by):
            return np.asarray(self.source[str(given)])[self.kept]
        return np.full(len(self.kept), given)

    def number(self, given: float | str | by) -> Vector:
        """Return a channel or a property of each row, as floats."""
        return np.asarray(self.value(given), dtype=float)

    def __getitem__(self, name: str) -> Vector:
        """Return a channel as numbers."""
        return self.number(self.mark.channels[name])

    def x(self, name: str) -> Vector:
        """Return a channel along the x axis, in px."""
        return self.sheet.frame.x(self[name])

    def y(self, name: str) -> Vector:
        """Return a channel along the y axis, in px."""
        return self.sheet.frame.y(self[name])

    @property
    def tips(self) -> list[Markup]:
        """Tooltip of each row, as an element; empty without tips."""
        return [markup("<title>{}</title>", tip) for tip in self.value(self.mark.tip)] if self.mark.tip else []


def drawn(sheet: Canvas, mark: Mark | ReferenceLine | TextLabel | Band) -> str | Markup:
    """Return a mark, or a fixed element, as SVG; empty if it shows nothing."""
    if isinstance(mark, Mark):
        role = mark.role
        if isinstance(role, tuple):  # only the role in the colour of the state is visible
            role = sheet.picture.role_of(sheet.result)
            if role not in mark.role:
                return ""
        columns = Columns(sheet, mark)
        if not len(columns.kept):
            return ""
        parts = _alike(mark, columns)
        shapes = joined(KINDS[each.kind](sheet, each, role or None, of) for each, of in parts)
        return shapes if mark.kind in FREE else within(sheet, shapes)
    shapes = STAYING[type(mark)](sheet, mark)
    return shapes if isinstance(mark, TextLabel) else within(sheet, shapes)


def _alike(mark, columns):
    """Return parts of a mark, (mark, its columns), whose rows are drawn alike, if a style is a column."""
    varied = [name for name in VARIED.get(mark.kind, LINES) if isinstance(mark.style.get(name), by)]
    if not varied:
        return [(mark, columns)]
    looks = list(zip(*(_rounded(columns.value(mark.style[name])) for name in varied), strict=True))
    parts = []
    for look in dict.fromkeys(looks):
        if None not in look:
            rows = columns.kept[[each == look for each in looks]]
            alike = replace(mark, style={**mark.style, **dict(zip(varied, look, strict=True))})
            parts.append((alike, Columns(columns.sheet, alike, rows)))
    return parts


def _rounded(values):
    """Return values of a style, rounded so that few are different; None for what is not a number."""
    if values.dtype.kind not in "fi":
        return values.tolist()
    return [round(float(each), 2) if np.isfinite(each) else None for each in values]


def within(sheet: Canvas, shapes: Markup) -> Markup:
    """Return shapes clipped to the frame. An inner SVG in the same px needs no name, which others could also have."""
    if not shapes or not sheet.cut:
        return shapes
    frame = sheet.frame
    wide, high = frame.right - frame.left, frame.bottom - frame.top
    place = [f"{each:.5g}" for each in (frame.left, frame.top, wide, high)]
    return markup('<svg x="{0}" y="{1}" width="{2}" height="{3}" viewBox="{0} {1} {2} {3}">{4}</svg>', *place, shapes)


def _line(sheet, mark, role, of):
    """Return a line."""
    parts = [path(*thinning.line(x, y)) for x, y in thinning.runs(of.x("x"), of.y("y")) if len(x) > 1]
    ink = sheet.inks.line(role, mark.style)
    return markup('<path d="{}" {} stroke-linejoin="round"/>', "".join(parts), ink) if parts else ""


def _area(sheet, mark, role, of):
    """Return an area."""
    low, high = (sheet.frame.y.base(of[name]) for name in ("low", "high"))
    d = ""
    for x, below, above in thinning.runs(of.x("x"), low, high):
        (x0, y0), (x1, y1) = thinning.line(x, above), thinning.line(x, below)
        d += fields.closed(np.append(x0, x1[::-1]), np.append(y0, y1[::-1]))
    return _filled(sheet, mark, role, d)


def _filled(sheet, mark, role, d):
    """Return a path with its line, its area and its hatch."""
    if not d:
        return ""
    shape = markup('<path d="{}" {}/>', d, sheet.inks.shape(role, mark.inks, mark.style))
    return shape + _hatched(sheet, role, mark.style.get("hatch"), d)


def _hatched(sheet, role, hatch, d):
    """Return the hatch of an area, which ignores the pointer."""
    ink = sheet.inks.hatch(role, hatch) if hatch else ""
    return markup('<path d="{}" {} pointer-events="none"/>', d, ink) if ink else ""


def _rectangles(sheet, mark, role, of, left, right, bottom, top):
    """Return rectangles by their edges in px."""
    well = np.flatnonzero(np.isfinite(left + right + bottom + top))
    edges = np.round([left[well], top[well], right[well], bottom[well]], 1).T.tolist()
    outlines = [f"M{a:g} {b:g}H{c:g}V{d:g}H{a:g}z" for a, b, c, d in edges]
    if not outlines:
        return ""
    shapes = points.paths(outlines, sheet.inks.shape(role, mark.inks, mark.style), of.tips, well)
    return shapes + _hatched(sheet, role, mark.style.get("hatch"), "".join(outlines))


def _box(sheet, mark, role, of):
    """Return rectangles by their edges."""
    x, y = sheet.frame.x.base, sheet.frame.y.base
    return _rectangles(sheet, mark, role, of, x(of["left"]), x(of["right"]), y(of["bottom"]), y(of["top"]))


def _bar(sheet, mark, role, of):
    """Return vertical bars."""
    half = of.number(mark.style["breadth"]) / 2
    x, y = sheet.frame.x, sheet.frame.y.base
    edges = x(of["x"] - half), x(of["x"] + half), y(np.zeros(len(half))), y(of["top"])
    return _rectangles(sheet, mark, role, of, *edges)


def _bar_across(sheet, mark, role, of):
    """Return horizontal bars."""
    half = of["breadth"] / 2
    x, y = sheet.frame.x.base, sheet.frame.y
    edges = x(np.zeros(len(half))), x(of["right"]), y(of["y"] - half), y(of["y"] + half)
    return _rectangles(sheet, mark, role, of, *edges)


def _cell(sheet, mark, role, of):
    """Return rectangles by their centres."""
    (x, wide), (y, high) = (of["x"], of["width"] / 2), (of["y"], of["height"] / 2)
    across, up = sheet.frame.x, sheet.frame.y
    return _rectangles(sheet, mark, role, of, across(x - wide), across(x + wide), up(y - high), up(y + high))


def _stroke(sheet, mark, role, of):
    """Return segments."""
    frame = sheet.frame
    ends = of.x("x"), frame.y.base(of["y"]), of.x("to_x"), frame.y.base(of["to_y"])
    return _segments(sheet, mark, role, of, *ends)


def _segments(sheet, mark, role, of, x0, y0, x1, y1):
    """Return segments by their ends in px."""
    well = np.flatnonzero(np.isfinite(x0 + y0 + x1 + y1))
    ends = np.round([x0[well], y0[well], x1[well], y1[well]], 1).T.tolist()
    lines = [f"M{a:g} {b:g}L{c:g} {d:g}" for a, b, c, d in ends]
    return points.paths(lines, sheet.inks.line(role, mark.style), of.tips, well) if lines else ""


def _upright(sheet, mark, role, of):
    """Return vertical lines."""
    x = of.x("x")
    return _segments(sheet, mark, role, of, x, np.full(len(x), sheet.frame.bottom), x, np.full(len(x), sheet.frame.top))


def _level(sheet, mark, role, of):
    """Return horizontal lines."""
    y = of.y("y")
    return _segments(sheet, mark, role, of, np.full(len(y), sheet.frame.left), y, np.full(len(y), sheet.frame.right), y)


def _image(sheet, mark, role, of):
    """Return a function of the plane."""
    ground = sheet.data[mark.style["ground"]]
    if not len(ground["x"]):
        return ""
    bar = mark.style["bar"]
    w = np.asarray(of.source["w"], dtype=float).reshape(mark.style["lines"], -1) / (bar.range[1] if bar else 1.0)
    if mark.style["table"]:
        x, y, dw, dh = (float(ground[name][0]) for name in ("x", "y", "dw", "dh"))
        return _table(sheet, x, y, dw, dh, w, fields.table)
    x, y = middles(ground, w.shape)
    return fields.contours(sheet.frame.x(x), sheet.frame.y(y), w, role, sheet.inks)


def _shades(sheet, mark, role, of):
    """Return a heatmap."""
    x, y, dw, dh = (float(of[name][0]) for name in ("x", "y", "dw", "dh"))
    table = of.source["image"][0]
    return _table(sheet, x, y, dw, dh, table, partial(fields.shades, high=mark.style["high"])) if np.size(table) else ""


def _table(sheet, x, y, dw, dh, values, address):
    """Return values (lines, cells) as an image with its first line at y, from the left x, without smoothing."""
    (left, right), (low, top) = sheet.frame.x([x, x + dw]), sheet.frame.y([y, y + dh])
    if not np.isfinite([left, right, low, top]).all():
        return ""
    values = np.asarray(values)
    if low < top:  # the axis runs down
        low, top, values = top, low, values[::-1]
    place = [f"{each:.1f}" for each in (left, top, right - left, low - top)]
    whole = markup('x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none"', *place)
    return markup('<image {} style="image-rendering:pixelated" href="{}"/>', whole, address(values))


def _mesh(sheet, mark, role, of):
    """Return cells in shades of a role, and the values of the palest and of the darkest."""
    frame, w = sheet.frame, of["w"]
    share = np.clip(mark.style["bar"].share(w), 0.0, 1.0)
    edges = np.round([of.x("left"), of.y("top"), of.x("right"), of.y("bottom")], 1).T
    outlines = ["M{0:g} {1:g}H{2:g}V{3:g}H{0:g}z".format(*each) for each in edges.tolist()]
    cells = [
        markup('<path d="{}" fill-opacity="{:.3g}"/>', outlines[i], PALEST + (1 - PALEST) * share[i])
        for i in np.flatnonzero(np.isfinite(share + np.sum(edges, axis=1)))
    ]
    if not cells:
        return ""
    ends = dict.fromkeys((int(np.nanargmin(share)), int(np.nanargmax(share))))
    places = [(float(frame.x(of["x"][i])), float(frame.y(of["y"][i])), format_number(float(w[i]))) for i in ends]
    places = [(x, y, word) for x, y, word in places if np.isfinite([x, y]).all()]
    words = [spelt(sheet, "truth", word, x, y, PX, "center", halo=True) for x, y, word in places]
    return markup("<g {}>{}</g>{}", sheet.inks.paint(fill=role), joined(cells), joined(words))


def _words(sheet, mark, role, of):
    """Return texts."""
    style, frame, says = mark.style, sheet.frame, mark.style["says"]
    if style["room"]:  # least width and height of a unit of the axes
        units = frame.x.length([0.0], [1.0]), frame.y.length([0.0], [1.0])
        if any(float(unit[0]) <= least for unit, least in zip(units, style["room"], strict=True)):
            return ""
    text = of.value((says(sheet.result) if callable(says) else says) if says else mark.channels["text"])
    x, y = of.x("x"), of.y("y")
    dx, dy, angles, alphas = (of.number(style[name]) for name in ("dx", "dy", "angle", "alpha"))
    aligns, shapes = of.value(style["align"]), []
    seen = np.isfinite(x + y + dx + dy) & frame.x.holds(x, BESIDE) & frame.y.holds(y, BESIDE)
    for i in np.flatnonzero(seen):
        if not str(text[i]).strip():
            continue
        alpha = 1.0 if not np.isfinite(alphas[i]) else alphas[i]
        shapes.append(
            spelt(sheet, role, text[i], x[i] + dx[i], y[i] + dy[i], style["px"], str(aligns[i]), style["baseline"],
                  style["bold"], float(np.nan_to_num(angles[i])), alpha, style["halo"] or style["bold"], style["font"])
        )  # fmt: skip
    return joined(shapes)


def spelt(
    sheet: Canvas,
    role: str,
    text: float | str,
    x: float,
    y: float,
    px: float,
    align: str = "left",
    baseline: str = "middle",
    bold: bool = False,
    angle: float = 0.0,
    alpha: float = 1.0,
    halo: bool = False,
    font: str = "",
) -> Markup:
    """Return a text at a position in px, moved so that it does not leave the picture."""
    if not angle:
        wide = lettering.width(text, px, bold)
        before = {"left": 0.0, "center": wide / 2, "right": wide}[align]
        x = max(min(x, sheet.width - EDGE - wide + before), EDGE + before)
    y += DROPS[baseline] * px * math.cos(angle)
    x += DROPS[baseline] * px * math.sin(angle)
    parts = [markup('x="{}" y="{}" font-size="{}"', f"{x:.1f}", f"{y:.1f}", f"{px:g}")]
    if align != "left":
        parts.append(markup('text-anchor="{}"', ALIGNED[align]))
    if angle:
        parts.append(markup('transform="rotate({} {} {})"', f"{-math.degrees(angle):.1f}", f"{x:.1f}", f"{y:.1f}"))
    if bold:
        parts.append(markup('font-weight="bold"'))
    if alpha != 1:
        parts.append(markup('fill-opacity="{}"', f"{alpha:.2g}"))
    if font:
        parts.append(markup('font-family="{}"', font))
    if halo:
        parts.append(markup('stroke-width="3" paint-order="stroke"'))
    ink = sheet.inks.paint("ground" if halo else None, role)
    return markup("<text {} {}>{}</text>", joined(parts, " "), ink, text)


def _reference_line(sheet, rule):
    """Return a reference line."""
    place, frame = rule.x if rule.y is None else rule.y, sheet.frame
    at = float((frame.x if rule.y is None else frame.y)(place(sheet.result) if callable(place) else place))
    if not math.isfinite(at):
        return ""
    d = f"M{at:.1f} {frame.top:g}V{frame.bottom:g}" if rule.y is None else f"M{frame.left:g} {at:.1f}H{frame.right:g}"
    return markup('<path d="{}" {}/>', d, sheet.inks.line(rule.role, rule.style))


def _band(sheet, tint):
    """Return a band."""
    frame = sheet.frame
    ends = [place(sheet.result) if callable(place) else place for place in (tint.bottom, tint.top)]
    low, high = (
        edge if end is None else float(np.nan_to_num(frame.y(end), nan=edge))
        for end, edge in zip(ends, (frame.bottom, frame.top), strict=True)
    )
    d = f"M{frame.left:g} {high:.1f}H{frame.right:g}V{low:.1f}H{frame.left:g}z"
    return markup('<path d="{}" {} fill-opacity="{:g}"/>', d, sheet.inks.paint(fill=tint.role), tint.alpha)


def _polyline(sheet, line):
    """Return a polyline."""
    d = path(sheet.frame.x(line.x), sheet.frame.y(line.y))
    return markup('<path d="{}" {}/>', d, sheet.inks.line(line.role, line.style))


def _fixed_box(sheet, box):
    """Return a fixed box."""
    x, y = sheet.frame.x([box.left, box.right]), sheet.frame.y([box.bottom, box.top])
    d = f"M{x[0]:.1f} {y[1]:.1f}H{x[1]:.1f}V{y[0]:.1f}H{x[0]:.1f}z"
    style = {"fill": box.fill, "alpha": box.alpha}
    shape = markup('<path d="{}" {}/>', d, sheet.inks.shape(box.role, ("line", "fill"), style))
    return shape + _hatched(sheet, box.role, box.hatch, d)


def _text_label(sheet, said):
    """Return a text label."""
    x, y = float(sheet.frame.x(said.x)), float(sheet.frame.y(said.y))
    if not math.isfinite(x + y) or not sheet.frame.x.holds(x, BESIDE) or not sheet.frame.y.holds(y, BESIDE):
        return ""
    return spelt(sheet, said.role, said.text, x + said.dx, y + said.dy, said.px, said.align, said.baseline, said.bold,
                 font=said.font)  # fmt: skip


KINDS: dict[str, Callable[..., Any]] = {
    "line": _line,
    "area": _area,
    "dot": points.dots,
    "circle": points.circles,
    "ellipse": points.ellipses,
    "box": _box,
    "bar": _bar,
    "bar across": _bar_across,
    "cell": _cell,
    "stroke": _stroke,
    "upright": _upright,
    "level": _level,
    "image": _image,
    "shades": _shades,
    "mesh": _mesh,
    "words": _words,
}
LINES = ("width", "alpha", "dash", "fill")  # styles that one element has for all its rows
VARIED: dict[str, tuple[str, ...]] = {
    "dot": ("width", "alpha"),
    "words": (),
}  # those of kinds that have an element for each row
FREE = ("dot", "words")  # kinds that are not clipped to the frame
STAYING: dict[type[Any], Callable[..., Any]] = {
    ReferenceLine: _reference_line,
    Band: _band,
    Polyline: _polyline,
    Box: _fixed_box,
    TextLabel: _text_label,
}
