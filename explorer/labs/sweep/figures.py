"""The Sweep lab's pictures: the quartiles along the first axis, and a map of the cells."""

from __future__ import annotations

import math

import numpy as np
from bokeh.models import CustomJS, CustomJSHover, HoverTool, Range1d

from explorer.printing import power_of_ten
from explorer.views import glyphs, marks
from explorer.views.marks import nothing
from explorer.views.picture import Picture
from explorer.views.style import canvas, change, nice_ticks, ticks, words_of

from .scale import scale_of, short
from .words import NAMED, role, spoken

ROLES = (*dict.fromkeys(NAMED.values()), "kme")  # a measure's colour
SPELT = 900  # cells: of more none has room for its number
SCALES = {"relative": " (plain average: 1)", "log": " (log scale)"}  # what a title says of them
ROOM = 12  # words beyond which an axis names only some of its values
CELL = {"width": 0.97, "height": 0.97}
# the bar that says what the colours stand for, right of the cells, in parts of their width: where it is, where its
# words begin, and where the picture ends
BAR, WORDS, END = (0.03, 0.07), 0.085, 0.2
STEPS = 20  # of the bar
ROOMY = """
const wide = plot.inner_width / (x.end - x.start), high = plot.inner_height / (y.end - y.start)
words.setv({visible: wide > 29 && high > 14}, {sync: false})
"""
SAID = "return words[Math.round(value)] ?? ''"
NUMBER = "return Number.isFinite(value) ? String(Number(value.toPrecision(3))).replace('-', '\\u2212') : 'no value'"
TOLD = """<div style='font-size: 13px'>@x{custom}, @y{custom}<br><b>@middle{custom}</b><br>
middle half @low{custom} to @high{custom}</div>"""
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
            where = f" at {second.name} = {second.words[result.second]}"
        name_values(self.plot, self.plot.xaxis, self.plot.x_range, result.axes[0])
        (low, high), words = heights(result)
        change(self.plot.y_range, start=low, end=high)
        if words_of(self.plot.yaxis[0]) != words:
            ticks(self.plot, self.plot.yaxis, words)
        dotted = f" (dotted: {MARK['p'][0]:g})" if result.scale == "p" else ""
        change(self.plot.title, text=title(result, where, scale=len(result.axes) == 1) + dotted)


class Map(Picture):
    """The cells of two axes by their colours, those that cannot be hatched, and the one that is picked."""

    name = "map"

    @staticmethod
    def seen(result):
        return len(result.axes) == 2

    @staticmethod
    def columns(result):
        if len(result.axes) == 1:
            tiles = {f"tiles_{name}": nothing("x", "y", "width", "height", "alpha") for name in (*ROLES, "harm")}
            places, words = nothing("x", "y"), {**nothing("x", "y"), "words": np.array([], dtype=str)}
            cells = nothing("x", "y", "low", "middle", "high")
            return {**tiles, "cells": cells, "words": words, "ticks": words, "void": places, "picked": places}
        middle = result.middle
        x, y = np.indices(middle.shape).astype(float)
        low, _, high = result.quartiles
        there = np.isfinite(middle)
        spelt = there & (middle.size <= SPELT)
        ring = nothing("x", "y")
        if result.picked is not None:
            ring = dict(zip("xy", np.array(result.picked, dtype=float)[:, None], strict=True))
        cells = {"x": x, "y": y, "low": low, "middle": middle, "high": high}
        return {
            **tiles_of(result),
            "cells": {name: values.ravel() for name, values in cells.items()},
            "words": {"x": x[spelt], "y": y[spelt], "words": spell(middle[spelt])},
            "ticks": ticks_of(result),
            "void": {"x": x[result.void], "y": y[result.void]},
            "picked": ring,
        }

    def draw(self, paint, sources, result):
        plot = canvas("", "", "", 340, x_range=Range1d(-0.5, 0.5), y_range=Range1d(-0.5, 0.5))
        plot.grid.visible = False
        for name in (*ROLES, "harm"):
            where = {"width": "width", "height": "height", "source": sources[f"tiles_{name}"]}
            tiles = glyphs.rect(plot, "x", "y", fill_alpha="alpha", line_color=None, **where)
            paint(tiles.glyph, name, "fill_color")
        hatch = {"hatch_pattern": "right_diagonal_line", "hatch_alpha": 0.3, "hatch_scale": 8}
        void = glyphs.rect(plot, "x", "y", source=sources["void"], fill_alpha=0, line_alpha=0.3, **hatch, **CELL)
        paint(void.glyph, "truth", "hatch_color", "line_color")
        marks.words(plot, paint, sources["words"], "truth", text_align="center", text_font_size="12px")
        room = {"plot": plot, "x": plot.x_range, "y": plot.y_range, "words": plot.renderers[-1]}
        for model, event in ((plot, "inner_width"), (plot, "inner_height"), *((room[a], "end") for a in "xy")):
            model.js_on_change(event, CustomJS(args=room, code=ROOMY))
        marks.words(plot, paint, sources["ticks"], "truth", text_font_size="11px")
        ring = glyphs.rect(plot, "x", "y", source=sources["picked"], fill_alpha=0, line_width=3, **CELL)
        paint(ring.glyph, "outlier", "line_color")
        cells = glyphs.rect(plot, "x", "y", source=sources["cells"], fill_alpha=0, line_color=None, width=1, height=1)
        self.said = {axis: CustomJSHover(args={"words": []}, code=SAID) for axis in "xy"}
        number = CustomJSHover(code=NUMBER)
        formatters = {f"@{axis}": said for axis, said in self.said.items()}
        formatters |= {f"@{name}": number for name in ("low", "middle", "high")}
        plot.add_tools(HoverTool(renderers=[cells], tooltips=TOLD, formatters=formatters))
        return plot

    def aim(self, result):
        if self.seen(result):
            across = len(result.axes[0].values)
            name_values(self.plot, self.plot.xaxis, self.plot.x_range, result.axes[0])
            change(self.plot.x_range, end=across * (1 + END) - 0.5)
            change(self.plot.xaxis[0], bounds=(-0.5, across - 0.5))
            name_values(self.plot, self.plot.yaxis, self.plot.y_range, result.axes[1])
            for said, axis in zip(self.said.values(), result.axes, strict=True):
                change(said, args={"words": [f"{axis.name} = {word}" for word in axis.words]})
        change(self.plot.title, text=title(result))


def tiles_of(result):
    """role -> the cells that are there and the steps of the bar, where they have that role's colour."""
    scale, middle = scale_of(result), result.middle
    if scale is None:
        return {f"tiles_{name}": nothing("x", "y", "width", "height", "alpha") for name in (*ROLES, "harm")}
    there, (across, up) = np.isfinite(middle), middle.shape
    x, y = np.indices(middle.shape).astype(float)
    bar, high = scale.bar(STEPS), up / STEPS
    values = np.concatenate([middle[there], bar])
    roles, alpha = scale.shades(values)
    columns = {
        "x": np.concatenate([x[there], np.full(STEPS, across * (1 + sum(BAR) / 2) - 0.5)]),
        "y": np.concatenate([y[there], high * (np.arange(STEPS) + 0.5) - 0.5]),
        "width": np.concatenate([np.full(there.sum(), CELL["width"]), np.full(STEPS, across * (BAR[1] - BAR[0]))]),
        "height": np.concatenate([np.full(there.sum(), CELL["height"]), np.full(STEPS, 0.94 * high)]),
        "alpha": alpha,
    }
    return {
        f"tiles_{name}": {each: column[roles == name] for each, column in columns.items()} for name in (*ROLES, "harm")
    }


def ticks_of(result):
    """The words beside the bar."""
    scale, (across, up) = scale_of(result), result.middle.shape
    words = {} if scale is None else scale.ticks()
    heights = scale.heights(np.array(list(words))) if words else np.zeros(0)
    # a word at an end of the bar stays beside it
    y = np.clip(heights * up - 0.5, 0.03 * up - 0.5, 0.97 * up - 0.5)
    return {
        "x": np.full(len(words), across * (1 + WORDS) - 0.5),
        "y": y,
        "words": np.array([*words.values()], dtype=str),
    }


def spell(values):
    """Numbers as cells have room for them."""
    return np.array([short(value) for value in values], dtype=str)


PICTURES = (Line, Map)


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
        return (bottom - 0.1, top + 0.1), {float(e): power_of_ten(e) for e in range(bottom, top + 1)}
    bottom, top = float(finite.min()), float(finite.max())
    room = 0.08 * (top - bottom) or 0.5 * abs(top) or 1.0
    return (bottom - room, top + room), nice_ticks(bottom - room, top + room)


def title(result, where="", scale=True):
    """The measure's name with a capital, where it is shown, and what its scale is unless another title says so."""
    words = spoken(result.measure_name) + where
    if words[1:2].islower():
        words = words[0].upper() + words[1:]
    return words + SCALES.get(result.scale, "") if scale else words


def name_values(plot, axis, axis_range, swept):
    """Let a figure's axis have a tick for each value of a sweep's, or for as many as it has room for."""
    every = -(-len(swept.values) // ROOM)
    words = {float(i): word for i, word in enumerate(swept.words) if i % every == 0}
    if words_of(axis[0]) != words:
        ticks(plot, axis, words)
    change(axis[0], axis_label=swept.called)
    change(axis_range, start=-0.5, end=len(swept.values) - 0.5)
