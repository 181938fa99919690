"""The Sweep lab's pictures: the quartiles along the first axis, and a map of the cells."""

from __future__ import annotations

import math

import numpy as np
from bokeh.models import Range1d

from explorer.printing import minus
from explorer.views import glyphs, marks
from explorer.views.marks import nothing
from explorer.views.picture import Picture
from explorer.views.style import canvas, change, nice_ticks, ticks, words_of

from .words import NAMED, role, spoken

ROLES = (*dict.fromkeys(NAMED.values()), "kme")  # a measure's colour
PALE, FULL = 0.05, 0.5  # how much of its colour a cell has, at the ends of the scale; words on it stay legible
SPELT_COLUMNS, SPELT_ROWS = 10, 16  # up to so many a cell has room for its number
ROOM = 12  # words beyond which an axis names only some of its values
CELL = {"width": 0.97, "height": 0.97}
MARK = {"relative": [1.0], "p": [0.05]}  # what a measure's scale is read against


class Line(Picture):
    """The median and the middle half of the replicates along the first axis."""

    name = "line"

    @staticmethod
    def columns(result):
        low, middle, high = result.along
        logarithmic, tint, spot = result.scale == "log", role(result.measure_name), result.picked
        drawn = np.isfinite(middle) & ((low > 0) if logarithmic else True)
        part = {"x": np.flatnonzero(drawn).astype(float)}
        for name, values in (("low", low), ("middle", middle), ("high", high)):
            part[name] = np.log10(values[drawn]) if logarithmic else values[drawn]
        at = [] if spot is None or not np.isfinite(middle[spot[0]]) else [float(spot[0])]
        return {
            **{f"line_{name}": part if name == tint else nothing(*part) for name in ROLES},
            "mark": {"y": np.array(MARK.get(result.scale, []))},
            "spot": {"x": np.array(at)},
        }

    @staticmethod
    def kept(result):
        if result is None:
            return {"pinned": nothing("x", "y")}
        middle = result.along[1]
        height = np.log10(middle) if result.scale == "log" else middle
        return {"pinned": {"x": np.arange(len(middle), dtype=float), "y": height}}

    def draw(self, paint, sources, result):
        plot = canvas("", "", "median and middle half", 260, x_range=Range1d(-0.5, 0.5), y_range=Range1d(0, 1))
        mark = glyphs.hspan(plot, "y", source=sources["mark"], line_width=2, line_dash="dotted")
        paint(mark.glyph, "truth", "line_color")
        spot = glyphs.vspan(plot, "x", source=sources["spot"], line_width=3, line_alpha=0.7)
        paint(spot.glyph, "outlier", "line_color")
        marks.curve(plot, paint, self.pinned["pinned"], "x", "y", "truth", line_width=6, line_alpha=0.3)
        for name in ROLES:
            source = sources[f"line_{name}"]
            paint(glyphs.varea(plot, "x", "low", "high", source=source, fill_alpha=0.2).glyph, name, "fill_color")
            marks.curve(plot, paint, source, "x", "middle", name)
            paint(glyphs.scatter(plot, "x", "middle", source=source, size=7).glyph, name, "line_color", "fill_color")
        return plot

    def aim(self, result):
        where = ""
        if len(result.axes) == 2:
            second = result.axes[1]
            where = f"; {second.name} = {second.words[result.second]}"
        name_values(self.plot, self.plot.xaxis, self.plot.x_range, result.axes[0], where)
        (low, high), words = heights(result)
        change(self.plot.y_range, start=low, end=high)
        if words_of(self.plot.yaxis[0]) != words:
            ticks(self.plot, self.plot.yaxis, words)
        change(self.plot.title, text=title(result))


class Map(Picture):
    """The cells of two axes by their colours, those that cannot be hatched, and the one that is picked."""

    name = "map"

    @staticmethod
    def seen(result):
        return len(result.axes) == 2

    @staticmethod
    def columns(result):
        if len(result.axes) == 1:
            colours = {f"cells_{name}": nothing("x", "y", "alpha") for name in (*ROLES, "harm")}
            empty = nothing("x", "y")
            return {**colours, "words": {**empty, "words": np.array([], dtype=str)}, "void": empty, "picked": empty}
        middle = result.middle
        x, y = np.indices(middle.shape).astype(float)
        (roles, alpha), there, columns = strength(result), np.isfinite(middle), {}
        for name in (*ROLES, "harm"):
            cells = there & (roles == name)
            columns[f"cells_{name}"] = {"x": x[cells], "y": y[cells], "alpha": alpha[cells]}
        spelt = there & (middle.shape[0] <= SPELT_COLUMNS) & (middle.shape[1] <= SPELT_ROWS)
        words = np.array([short(value) for value in middle[spelt]], dtype=str)
        ring = nothing("x", "y")
        if result.picked is not None:
            ring = dict(zip("xy", np.array(result.picked, dtype=float)[:, None], strict=True))
        return {
            **columns,
            "words": {"x": x[spelt], "y": y[spelt], "words": words},
            "void": {"x": x[result.void], "y": y[result.void]},
            "picked": ring,
        }

    def draw(self, paint, sources, result):
        plot = canvas("", "", "", 340, x_range=Range1d(-0.5, 0.5), y_range=Range1d(-0.5, 0.5))
        plot.grid.visible = False
        for name in (*ROLES, "harm"):
            cells = glyphs.rect(
                plot, "x", "y", source=sources[f"cells_{name}"], fill_alpha="alpha", line_color=None, **CELL
            )
            paint(cells.glyph, name, "fill_color")
        hatch = {"hatch_pattern": "right_diagonal_line", "hatch_alpha": 0.3, "hatch_scale": 8}
        void = glyphs.rect(plot, "x", "y", source=sources["void"], fill_alpha=0, line_alpha=0.3, **hatch, **CELL)
        paint(void.glyph, "truth", "hatch_color", "line_color")
        marks.words(plot, paint, sources["words"], "truth", text_align="center", text_font_size="12px")
        ring = glyphs.rect(plot, "x", "y", source=sources["picked"], fill_alpha=0, line_width=3, **CELL)
        paint(ring.glyph, "outlier", "line_color")
        return plot

    def aim(self, result):
        if self.seen(result):
            name_values(self.plot, self.plot.xaxis, self.plot.x_range, result.axes[0])
            name_values(self.plot, self.plot.yaxis, self.plot.y_range, result.axes[1])
        change(self.plot.title, text=title(result))


PICTURES = (Line, Map)


def strength(result):
    """The colour's role of each cell, and how much of it the cell has."""
    middle, kind = result.middle, result.scale
    roles = np.full(middle.shape, role(result.measure_name), dtype=object)
    with np.errstate(invalid="ignore", divide="ignore"):
        if kind == "relative":
            roles[middle > 1] = "harm"
            share = np.clip(np.abs(1 - middle), 0, 1)
        elif kind == "p":
            share = np.clip(-np.log10(middle) / 3, 0, 1)
        else:
            share = _between_ends(np.log(middle) if kind == "log" else middle)
    return roles, PALE + (FULL - PALE) * share


def _between_ends(heights):
    """Heights from 0 at the least to 1 at the largest; one half where all are equal, and nan where there is none."""
    finite = heights[np.isfinite(heights)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    if high > low:
        return (heights - low) / (high - low)
    return np.where(np.isfinite(heights), 0.5, np.nan)


def short(value):
    """Two digits of a number, and three from 1 on, as a cell has room for."""
    if value != 0 and not 1e-3 <= abs(value) < 1e4:
        return minus(f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e"))
    return minus(f"{float(f'{value:.{2 if abs(value) < 1 else 3}g}'):.5f}".rstrip("0").rstrip("."))


def heights(result):
    """The range of the line's heights and its ticks, position -> words."""
    low, _, high = result.along
    kind = result.scale
    finite = np.concatenate([low[np.isfinite(low)], high[np.isfinite(high)]])
    if kind == "relative":
        top = max(1.2, 1.08 * float(finite.max())) if finite.size else 1.2
        return (0.0, top), nice_ticks(0.0, top)
    if kind == "p":
        return (-0.03, 1.03), nice_ticks(0.0, 1.0)
    if not finite.size:
        return (0.0, 1.0), nice_ticks(0.0, 1.0)
    if kind == "log":
        finite = np.log10(finite[finite > 0])
        bottom, top = math.floor(finite.min()), math.ceil(finite.max())
        return (bottom - 0.1, top + 0.1), {float(e): minus(f"{10.0**e:g}") for e in range(bottom, top + 1)}
    bottom, top = float(finite.min()), float(finite.max())
    room = 0.08 * (top - bottom) or 0.5 * abs(top) or 1.0
    return (bottom - room, top + room), nice_ticks(bottom - room, top + room)


def title(result):
    """The measure's name with a capital, and that its scale is logarithmic."""
    words = spoken(result.measure_name)
    if words[1:2].islower():
        words = words[0].upper() + words[1:]
    return f"{words} (log scale)" if result.scale == "log" else words


def name_values(plot, axis, axis_range, swept, where=""):
    """Let a figure's axis have a tick for each value of a sweep's, or for as many as it has room for."""
    every = -(-len(swept.values) // ROOM)
    words = {float(i): word for i, word in enumerate(swept.words) if i % every == 0}
    if words_of(axis[0]) != words:
        ticks(plot, axis, words)
    change(axis[0], axis_label=swept.called + where)
    change(axis_range, start=-0.5, end=len(swept.values) - 0.5)
