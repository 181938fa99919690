"""Functions of the plane as filled contours, and tables of numbers as images."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

from explorer.marks.contours import regions
from explorer.marks.roles import LESS, MORE, STEPS
from explorer.markup import joined, markup
from explorer.types import Matrix, Values, Vector

from . import thinning

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .colours import Colours


# colours of cividis, which is readable for colour-blind readers on light and dark backgrounds
CIVIDIS = ("#00204C", "#00336F", "#31446B", "#575C6D", "#77777A", "#958F78", "#B6A971", "#DBC761", "#FFE945")
LARGEST = 240  # largest number of lines and cells of an image, more than a screen shows


def contours(x: Vector, y: Vector, w: Matrix, role: str | None, inks: Colours) -> Markup:
    """Return the filled contours of w (q, p), over the px x (p,) and y (q,) of its cells' middles.

    They show signs, or shades of a role. Each region adds the opacity that the band below it lacks.
    """
    shapes, below = [], {}
    for ink, strength, polygons in regions(x, y, w, role):
        alpha = 1 - (1 - strength) / (1 - below.get(ink, 0.0))
        d = "".join(closed(*thinning.line(*ring[:-1].T)) for rings in polygons for ring in rings)
        paint = inks.paint(fill=ink)
        shapes.append(markup('<path d="{}" {} fill-rule="evenodd" fill-opacity="{}"/>', d, paint, f"{alpha:.3f}"))
        below[ink] = strength
    return joined(shapes)


def closed(x: Vector, y: Vector) -> str:
    """Return the path of a closed outline."""
    return path(x, y) + "z" if len(x) > 2 else ""


def path(x: Vector, y: Vector) -> str:
    """Return the path of a line in px, without points that round to the previous one."""
    x, y = (np.round(each, 1) + 0.0 for each in (x, y))
    steps = [f"{a:g} {b:g}" for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    steps = [step for i, step in enumerate(steps) if i == 0 or step != steps[i - 1] or len(steps) == 2]
    return "M" + "L".join(steps)


def shades(values: Values, high: float) -> str:
    """Return a table (lines, cells) of numbers from 0 to `high`, the lowest line first, as an image in a data URL.

    NaN is transparent.
    """
    known, at = np.array([_parts(each) for each in CIVIDIS]), np.linspace(0, len(CIVIDIS) - 1, 255)
    palette = np.column_stack([np.interp(at, np.arange(len(CIVIDIS)), part) for part in known.T])
    return _image(np.asarray(values, dtype=float) / high, palette, np.ones(255))


def table(values: Matrix) -> str:
    """Return a table of a function's values, from -1 to 1, as an image in a data URL, with transparent colours."""
    palette = [_parts(LESS)] * len(STEPS) + [(0, 0, 0)] + [_parts(MORE)] * len(STEPS)
    return _image((np.asarray(values, dtype=float) + 1) / 2, np.array(palette), [*STEPS[::-1], 0.0, *STEPS])


def _image(values, palette, strengths):
    """Return numbers from 0 to 1 (lines, cells) in the colours and opacities of a palette, as a PNG in a data URL."""
    steps = [-(-length // LARGEST) for length in values.shape]
    values = values[:: steps[0], :: steps[1]][::-1]
    with np.errstate(invalid="ignore"):
        places = np.clip(np.nan_to_num(np.floor(values * len(palette))), 0, len(palette) - 1) + 1
    places = np.where(np.isfinite(values), places, 0).astype(np.uint8)
    colours = np.vstack([[(0, 0, 0)], palette])  # the first colour is transparent
    strengths = 255 * np.append(0.0, strengths)
    png = _png(places, *(np.rint(each).astype(np.uint8).tobytes() for each in (colours, strengths)))
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _png(places, colours, strengths):
    """Return a PNG with a palette."""
    lines = b"".join(b"\0" + line.tobytes() for line in places)
    size = struct.pack(">IIBBBBB", places.shape[1], places.shape[0], 8, 3, 0, 0, 0)
    parts = {b"IHDR": size, b"PLTE": colours, b"tRNS": strengths, b"IDAT": zlib.compress(lines, 9), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts.items()
    )


def _parts(colour):
    """Return the red, green and blue of a colour."""
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
