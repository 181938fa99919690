"""Marks with an element for each row: dots with their markers, circles and ellipses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from explorer.markup import joined, markup
from explorer.types import Rows

if TYPE_CHECKING:
    from explorer.marks.mark import Mark
    from explorer.markup import Markup


RIM = 1.6  # width in px of a hollow spot's ring
STEP = 0.25  # steps in px in which the sizes of spots differ, so that one path draws all that look alike
# markers, the shapes of points, of half size 1, with y downwards
ROOT = math.sqrt(3)
HEX = tuple((math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6))
STAR = tuple(
    ((1 if k % 2 == 0 else 0.4) * math.sin(k * math.pi / 5), -(1 if k % 2 == 0 else 0.4) * math.cos(k * math.pi / 5))
    for k in range(10)
)
DIAMOND = ((0, 1), (2 / 3, 0), (0, -1), (-2 / 3, 0))
Outlines: TypeAlias = Sequence[Sequence[tuple[float, float]]]
MARKERS: dict[str, tuple[Outlines, Outlines]] = {  # name -> (closed outlines, open strokes)
    "square": ([((-1, -1), (1, -1), (1, 1), (-1, 1))], []),
    "diamond": ([DIAMOND], []),
    "triangle": ([((-1, ROOT / 3), (1, ROOT / 3), (0, -2 * ROOT / 3))], []),
    "inverted_triangle": ([((-1, -ROOT / 3), (1, -ROOT / 3), (0, 2 * ROOT / 3))], []),
    "hex": ([HEX], []),
    "star": ([STAR], []),
    "x": ([], [((-1, -1), (1, 1)), ((-1, 1), (1, -1))]),
    "cross": ([], [((0, -1), (0, 1)), ((-1, 0), (1, 0))]),
    "dash": ([], [((-1, 0), (1, 0))]),
    "diamond_cross": ([DIAMOND], [((0, -1), (0, 1)), ((-2 / 3, 0), (2 / 3, 0))]),
}


def paths(outlines: Sequence[str], ink: Markup, tips: Sequence[Markup] = (), rows: Sequence[int] | Rows = ()) -> Markup:
    """Return outlines as one path, so that the bars of a histogram show no seams, or as one path each, with its tip.

    `tips` are those of all rows, and `rows` is the row of each outline.
    """
    if not tips:
        return markup('<path d="{}" {}/>', "".join(outlines), ink)
    told = (markup('<path d="{}">{}</path>', d, tips[i]) for d, i in zip(outlines, rows, strict=True))
    return _together(told, ink)


def _together(shapes, ink):
    """Return shapes in one colour."""
    return markup("<g {}>{}</g>", ink, inside) if (inside := joined(shapes)) else markup("")


def _element(kind, attributes, tip):
    """Return an element with its tip."""
    return markup("<{0} {1}>{2}</{0}>", kind, attributes, tip) if tip else markup("<{} {}/>", kind, attributes)


def dots(sheet: Any, mark: Mark, role: str, of: Any) -> Markup:
    """Return a marker at each row."""
    x, y = of.x("x"), of.y("y")
    sizes, angles, fills = (of.number(mark.style[name]) for name in ("size", "angle", "fill"))
    sizes, names, tips = sheet.inks.dot * sizes, of.value(mark.style["marker"]), of.tips
    seen = np.isfinite(x + y + sizes) & (sizes > 0) & sheet.frame.x.holds(x) & sheet.frame.y.holds(y)
    if sheet.inks.spots and (names == "circle").all():
        return _spots(sheet, role, x[seen], y[seen], sizes[seen], fills[seen] > 0)
    single = isinstance(mark.style["fill"], (int, float))
    shapes = []
    for i in np.flatnonzero(seen):
        fill = "" if single or not np.isfinite(fills[i]) else markup(' fill-opacity="{}"', f"{fills[i]:.2g}")
        tip = tips[i] if tips else ""
        if names[i] == "circle":
            place = markup('cx="{}" cy="{}" r="{}"', *(f"{each:.1f}" for each in (x[i], y[i], sizes[i] / 2)))
            shapes.append(_element("circle", place + fill, tip))
        else:
            outline = marker_outline(str(names[i]), float(sizes[i]), float(np.nan_to_num(angles[i])))
            shapes.append(_element("path", markup('d="M{} {}{}"', f"{x[i]:.1f}", f"{y[i]:.1f}", outline) + fill, tip))
    return _together(shapes, sheet.inks.shape(role, mark.inks, mark.style))


def _spots(sheet, role, x, y, sizes, filled):
    """Return round dots as lines of length 0 with round ends, a path for all of one look; hollow ones have a hole."""
    sizes, parts = np.maximum(np.round(sizes / STEP), 1) * STEP, []
    for size, is_filled in sorted(set(zip(sizes.tolist(), filled.tolist(), strict=True))):
        alike = (sizes == size) & (filled == is_filled)
        places = np.round([x[alike], y[alike]], 1).T.tolist()
        d = "".join(f"M{a:g} {b:g}h0" for a, b in places)
        layers = [(role, size)] if is_filled else [(role, size), ("ground", size - RIM)]
        for ink, wide in layers:
            style = sheet.inks.paint(stroke=ink)
            parts.append(markup('<path d="{}" {} stroke-width="{:.3g}" stroke-linecap="round"/>', d, style, wide))
    return joined(parts)


def circles(sheet: Any, mark: Mark, role: str, of: Any) -> Markup:
    """Return a circle about each row."""
    radii = sheet.frame.x.length(of["x"], 2 * of["radius"]) / 2
    return _rounds(sheet, mark, role, of, radii, radii, np.zeros(len(radii)))


def ellipses(sheet: Any, mark: Mark, role: str, of: Any) -> Markup:
    """Return an ellipse about each row."""
    across = sheet.frame.x.length(of["x"], of["across"]) / 2
    up = sheet.frame.y.length(of["y"], of["up"]) / 2
    return _rounds(sheet, mark, role, of, across, up, of["angle"])


def _rounds(sheet, mark, role, of, across, up, angles):
    """Return ellipses with these half axes."""
    x, y, angles, tips, shapes = of.x("x"), of.y("y"), np.remainder(angles, 2 * np.pi), of.tips, []
    for i in np.flatnonzero(np.isfinite(x + y + across + up + angles)):
        numbers = [f"{each:.1f}" for each in (x[i], y[i], across[i], up[i])]
        place = markup('cx="{}" cy="{}" rx="{}" ry="{}"', *numbers)
        turned = markup(' transform="rotate({} {} {})"', f"{-math.degrees(angles[i]):.1f}", *numbers[:2])
        shapes.append(_element("ellipse", place + (turned if angles[i] else ""), tips[i] if tips else ""))
    return _together(shapes, sheet.inks.shape(role, mark.inks, mark.style))


@cache
def marker_outline(name: str, size: float, angle: float = 0.0) -> str:
    """Return the path around a marker, from its point on, in px, rotated to the left by an angle."""
    half, cos, sin = size / 2, math.cos(angle), math.sin(angle)
    closed, opened = MARKERS[name]
    d, pen = "", (0.0, 0.0)
    for points, end in [(each, "z") for each in closed] + [(each, "") for each in opened]:
        turned = [(half * (x * cos + y * sin), half * (y * cos - x * sin)) for x, y in points]
        for command, (x, y) in zip("m" + "l" * (len(turned) - 1), turned, strict=True):
            d += f"{command}{_number(x - pen[0])} {_number(y - pen[1])}"
            pen = (x, y)
        d += end
        pen = turned[0] if end else pen  # a closed outline returns the pen to its start
    return d


def _number(value):
    """Return a number with one decimal, as text."""
    return f"{round(value, 1) + 0.0:g}"
