"""Markers: the shapes of points, as paths around them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

ROOT = math.sqrt(3)
HEX = tuple((math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6))
STAR = tuple(
    ((1 if k % 2 == 0 else 0.4) * math.sin(k * math.pi / 5), -(1 if k % 2 == 0 else 0.4) * math.cos(k * math.pi / 5))
    for k in range(10)
)
DIAMOND = ((0, 1), (2 / 3, 0), (0, -1), (-2 / 3, 0))
Outlines: TypeAlias = Sequence[Sequence[tuple[float, float]]]
SHAPES: dict[str, tuple[Outlines, Outlines]] = {  # name -> (closed outlines, open strokes), of half size 1, y downwards
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


@cache
def around(name: str, size: float, angle: float = 0.0) -> str:
    """Return the path of a marker from its point on, in px, rotated to the left by an angle."""
    half, cos, sin = size / 2, math.cos(angle), math.sin(angle)
    closed, opened = SHAPES[name]
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
