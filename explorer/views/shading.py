"""Functions of the plane as filled contours, and tables of numbers as images, in colours that follow the theme.

The numbers are those of coarse cells, and a slider that the browser answers moves them alone. So it is the browser
that makes contours of them: a raster several times finer, interpolated between the cells' middles.
"""

from __future__ import annotations

import numpy as np
from bokeh.core.properties import field
from bokeh.models import CustomJS, CustomJSTransform, LinearColorMapper

from explorer.marks.contours import edges
from explorer.marks.roles import LESS, MORE, STEPS, STRENGTHS, colour

from . import glyphs

NOTHING = "#00000000"  # about 0
PIXEL = 2.0  # px of the screen, about, that a pixel of the raster takes at most
WIDE = 2.2  # times its height: how wide a picture is, about
PARTS = 4  # shades from one tint to the next, on the pixels where they meet
# gives each image, in place of a column, the raster of the numbers as they are now; without any, a pixel of nothing
RASTER = """
const {w} = source.data, shaped = (values, ...shape) => Object.assign(values, {dimension: 2, shape})
%s
const raster = w.length ? rasterOf(w) : shaped(new Float32Array(1), 1, 1)
return Array.from(xs, () => raster)
"""
# values are tints: 0 is nothing, 1 the faintest, -1 the faintest below 0. On an outline two of them blend, by the share
# of the pixel that lies on either side. The function is kept: a browser compiles it once, and not at every move
CONTOURS = """
const rasterOf = source._contours ??= (w) => {
  const between = (count, times) => {
    const below = new Int32Array(count * times), share = new Float64Array(count * times)
    for (let i = 0; i < below.length; i++) {
      const at = Math.min(Math.max((i + 0.5) / times - 0.5, 0), count - 1)
      share[i] = at - (below[i] = Math.floor(at))
    }
    return [below, share]
  }
  const across = w.length / lines, up = Math.ceil(least.lines / lines)
  const along = Math.ceil(least.cells / across), wide = across * along, high = lines * up
  const [left, shares] = between(across, along), [below, parts] = between(lines, up)
  const tints = Float64Array.from(w, (value) => ((Number.isFinite(value) ? value : 0) - first) / apart + 0.5)
  const row = new Float64Array(across + 1), rise = new Float64Array(across + 1), values = new Float32Array(high * wide)
  for (let j = 0, place = 0; j < high; j++) {
    const low = across * below[j], next = low + (below[j] + 1 < lines ? across : 0)
    for (let i = 0; i <= across; i++) {  // the last one twice
      const cell = Math.min(i, across - 1), step = tints[next + cell] - tints[low + cell]
      row[i] = tints[low + cell] + parts[j] * step
      rise[i] = step / up
    }
    for (let i = 0; i < wide; i++, place++) {
      const cell = left[i], step = row[cell + 1] - row[cell], value = row[cell] + shares[i] * step
      const tint = Math.floor(value), beyond = value - tint - 0.5
      const dx = step / along, dy = rise[cell] + shares[i] * (rise[cell + 1] - rise[cell])
      values[place] = beyond < 0 ? tint : tint + 1
      if (2 * Math.abs(beyond) < Math.abs(dx) + Math.abs(dy)) {  // about as near as a pixel
        const part = 0.5 + beyond / Math.sqrt(dx * dx + dy * dy)
        values[place] = tint + Math.min(Math.max(part, 0), 1)
      }
    }
  }
  return shaped(values, high, wide)
}
"""
TABLE = "const rasterOf = (w) => shaped(Float32Array.from(w), lines, w.length / lines)"


def mixed(tint, shares, dark):
    """Shares of a tint, mixed with the ground: opaque, so that what lies below is not seen through it."""
    base = colour("ground", dark)
    parts = [(int(tint[i : i + 2], 16), int(base[i : i + 2], 16)) for i in (1, 3, 5)]
    return ["#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in parts) for share in shares]


GROUNDS = [[*mixed(LESS, STEPS[::-1], dark), NOTHING, *mixed(MORE, STEPS, dark)] for dark in (False, True)]


def image(plot, paint, mark, sources, level):
    """A function's signs and sizes, or its shades of a role, as contours; a table's as they are.

    The raster is no column: it is made where the picture is painted, and anew when the numbers change.
    """
    source, ground = sources[mark.source], sources[mark.style["ground"]]
    args = {"source": source, "lines": mark.style["lines"]}
    if mark.style["table"]:
        mapper, made = paint.shade(LinearColorMapper(low=-1, high=1), GROUNDS), TABLE
    else:
        mapper, made = _tints(paint, mark.role), CONTOURS
        first, second = edges(mark.role)[:2].tolist()
        high = plot.height / PIXEL
        args |= {"first": first, "apart": second - first, "least": {"lines": high, "cells": WIDE * high}}
    each = field("x", CustomJSTransform(args=args, v_func=RASTER % made))
    source.js_on_change("change", CustomJS(args={"ground": ground}, code="ground.change.emit()"))
    return glyphs.image(plot, each, "x", "y", "dw", "dh", source=ground, color_mapper=mapper, level=level)


def _tints(paint, role):
    """A mapper of the raster's tints, and of those between two, which follows the theme."""
    strengths = STRENGTHS if role else STEPS
    most, ends = len(strengths), range(len(strengths) + 1)
    shares = np.interp(np.arange(1, PARTS * most + 1) / PARTS, ends, [0.0, *strengths])
    grounds = []
    for dark in (False, True):
        above = mixed(colour(role, dark) if role else MORE, shares, dark)
        below = [] if role else mixed(LESS, shares[::-1], dark)
        grounds.append([*below, NOTHING, *above])
    half = 0.5 / PARTS
    return paint.shade(LinearColorMapper(low=-half if role else -most - half, high=most + half), grounds)
