"""The Distributions lab's pictures: values over the spread, the bags as clouds, their map and distances, bag sizes."""

from __future__ import annotations

import math

import numpy as np
from bokeh.models import Range1d

from explorer.printing import short
from explorer.views import glyphs, marks
from explorer.views.densities import Coloured
from explorer.views.errors import Line, apart
from explorer.views.marks import MOVES, nothing
from explorer.views.picture import Imaged, Picture, Small, StagePicture
from explorer.views.style import Axis, canvas, change, chart, entitle, nice_ticks, ticks

from .lab import ESTIMATORS, ROLES
from .verdict import label_of

ENDS = (0.22, 4.6)  # of the axis of spreads
SPREAD_TICKS = {0.25: "0.25", 0.5: "0.5", 1.0: "1", 2.0: "2", 4.0: "4"}
SHOWN, CELL, WIDE = 40, 0.46, 2.4  # points of a bag that are drawn, half a cell's side, cells across beside cells up
MATRIX, GAP, STRIP = 60, 2, 6  # lines of the picture of distances: the matrix, and the stretched bag above it
LINES = {
    name: Line(name, ROLES[name], dash)
    for name, dash in zip(list(ESTIMATORS)[1:], ("solid", "dashed", "dotted"), strict=True)
}


def sides(result, x, y):
    """The places of bags: those of the class that is told, the others, and those on the wrong side."""
    told, right = result.y > 0 if not result.number else np.ones(len(x), bool), result.right
    rows = {"told": told, "others": ~told, "wrong": ~right}
    return {name: {"x": x[which], "y": y[which]} for name, which in rows.items()}


def draw_sides(plot, paint, sources, size):
    """Draw them: discs, triangles, and rings about what is wrong."""
    style = {"size": size, "fill_alpha": 0.55, "line_width": 1}
    marks.dots(plot, paint, sources["told"], "truth", **style)
    marks.dots(plot, paint, sources["others"], "truth", marker="inverted_triangle", **style)
    ring = glyphs.scatter(plot, "x", "y", source=sources["wrong"], size=size + 8, fill_alpha=0, line_width=2)
    paint(ring.glyph, "harm", "line_color", "fill_color")


class Boundary(Coloured, Picture):
    """The machine's value of the stretched bag over its spread, and where the bags lie."""

    name, upright, heading = "boundary", "line", "The machine's value over the spread of a bag"

    @staticmethod
    def columns(result):
        truth = result.true_curve
        x = np.clip(result.spreads, *ENDS)
        heights = result.drawn.targets.astype(float) if result.number else result.values
        return {
            "curve": {"x": np.array(result.stops), "y": result.curve},
            "truth": nothing("x", "y") if truth is None else {"x": np.array(result.stops), "y": truth},
            "zero": {"y": np.zeros(0 if result.number else 1)},
            **sides(result, x, heights),
        }

    @staticmethod
    def table(result):
        x, y = np.array(result.stops)[:, None], result.curve[:, None]
        return {("line", "x"): x, ("ring", "x"): x, ("ring", "y"): y}

    @staticmethod
    def kept(result):
        if result is None:
            return {"kept": nothing("x", "y")}
        return {"kept": {"x": np.array(result.stops), "y": result.curve}}

    def draw(self, paint, sources, result):
        x = Axis("spread of a bag, in medians (log scale)", Range1d(*ENDS), SPREAD_TICKS, log=True)
        plot = chart("Drag the ring: a bag is stretched", x, Axis("", Range1d(-1, 1)), 390)
        zero = glyphs.hspan(plot, "y", source=sources["zero"], line_width=1.5, line_dash="dashed")
        paint(zero.glyph, "truth", "line_color")
        draw_sides(plot, paint, sources, 10)
        marks.curve(plot, paint, self.pinned["kept"], "x", "y", "truth", line_width=1.5, line_alpha=0.4)
        marks.curve(plot, paint, sources["truth"], "x", "y", "truth", line_width=2, line_dash="dotted")
        self.each(lambda role: self._curve(plot, paint, sources["curve"], role))
        marks.upright(plot, paint, sources["line"])
        marks.dots(plot, paint, sources["ring"], "outlier", size=17, fill_alpha=0.2, line_width=3, level=MOVES)
        return plot

    @staticmethod
    def _curve(plot, paint, source, role):
        drawn = glyphs.line(plot, "x", "y", source=source, line_width=3)
        paint(drawn.glyph, role, "line_color")
        return drawn

    def aim(self, result):
        self.choose(result)
        shown = result.drawn.targets if result.number else np.append(result.values, 0.0)
        every = np.concatenate([result.curve, shown])
        low, high = float(every.min()), float(every.max())
        room = 0.08 * (high - low) + 1e-9
        change(self.plot.y_range, start=low - room, end=high + room)
        ticks(self.plot, self.plot.yaxis, nice_ticks(low - room, high + room, 5))
        label = f"{label_of(result)} of the bag" if result.own else "number of the bag"
        if result.true_curve is not None:
            label = "entropy, nats"
        if not result.number:
            label = f"value: above 0 it is “{result.sides[0]}”"
        entitle(self.plot.yaxis[0], label)


class Clouds(Picture):
    """The bags as small multiples, class by class, and the stretched bag in its cell."""

    name, place = "clouds", "beside"

    @staticmethod
    def cells(result):
        """The centre of each bag's cell, (l, 2), and how many cells there are across and up."""
        l = len(result.y)
        across = math.ceil(math.sqrt(WIDE * l))
        order = np.empty(l, int)
        order[np.argsort(result.y, kind="stable")] = np.arange(l)
        up = math.ceil(l / across)
        return np.column_stack([order % across, up - 1 - order // across]).astype(float), across, up

    @classmethod
    def points(cls, result, bag, centre):
        """Points of a bag (..., n, d) within its cell, at most SHOWN of them."""
        cx, cy, half = result.frame
        drawn = result.coordinates
        some = bag[..., :SHOWN, :]
        x = (some[..., drawn[0]] - cx) / half
        y = (some[..., drawn[1]] - cy) / half if len(drawn) > 1 else np.zeros_like(x)
        return [np.clip(CELL * each, -CELL, CELL) + c for each, c in zip((x, y), centre, strict=True)]

    @classmethod
    def columns(cls, result):
        centres, _, _ = cls.cells(result)
        told = result.y > 0 if not result.number else np.ones(len(centres), bool)
        drawn = {}
        for name, which in (("told", told), ("others", ~told)):
            rows = [i for i in np.flatnonzero(which) if i != result.chosen]
            parts = [cls.points(result, result.drawn.bags[i], centres[i]) for i in rows]
            drawn[name] = {k: np.concatenate([p[j] for p in parts] or [np.zeros(0)]) for j, k in enumerate("xy")}
        return {
            **drawn,
            "cells": dict(zip("xy", centres.T, strict=True)),
            "wrong": dict(zip("xy", centres[~result.right].T, strict=True)),
            "chosen": dict(zip("xy", centres[[result.chosen]].T, strict=True)),
        }

    @classmethod
    def table(cls, result):
        x, y = cls.points(result, result.stretched, cls.cells(result)[0][result.chosen])
        return {("bag", "x"): x, ("bag", "y"): y}

    def draw(self, paint, sources, result):
        plot = canvas("The bags", "", "", 250, x_range=Range1d(-1, 1), y_range=Range1d(-1, 1))
        plot.axis.visible = plot.grid.visible = False
        ticks(plot, plot.xaxis, {})
        plot.xaxis.axis_line_alpha = 0
        for name, role, width, alpha in (
            ("cells", "kme", 0.5, 0.6),
            ("wrong", "harm", 2, 1),
            ("chosen", "outlier", 2, 1),
        ):
            cell = {"width": 0.97, "height": 0.97, "fill_alpha": 0, "line_alpha": alpha, "line_width": width}
            paint(glyphs.rect(plot, "x", "y", source=sources[name], **cell).glyph, role, "line_color", "fill_color")
        for name, marker in (("told", "circle"), ("others", "inverted_triangle")):
            style = {"marker": marker, "size": 2.5, "fill_alpha": 0.7, "line_width": 0}
            marks.dots(plot, paint, sources[name], "truth", **style)
        marks.dots(plot, paint, sources["bag"], "outlier", size=3.5, fill_alpha=0.8, line_width=0, level=MOVES)
        return plot

    def aim(self, result):
        _, across, up = self.cells(result)
        change(self.plot.x_range, start=-0.55, end=across - 0.45)
        change(self.plot.y_range, start=-0.55, end=up - 0.45)
        whose = "in order of their numbers" if result.number else f"{result.sides[1]}, then {result.sides[0]}"
        entitle(self.plot.title, f"The bags: {whose}")
        axes = [short(each.called) for each in result.drawn_quantities]
        under = "" if result.lab.toy else ", up ".join([f"across {axes[0]}", *axes[1:]])
        change(self.plot.xaxis[0], visible=bool(under))
        entitle(self.plot.xaxis[0], under)


class Map(Small):
    """The bags by the first two kernel principal components of their kernel means, and the way of the stretched bag."""

    name = "map"

    @staticmethod
    def columns(result):
        places = result.space
        return {**sides(result, *places.places.T), "way": dict(zip("xy", places.moved.T, strict=True))}

    @staticmethod
    def table(result):
        return {("ring", name): result.space.moved[:, [j]] for j, name in enumerate("xy")}

    def draw(self, paint, sources, result):
        ends = {"x_range": Range1d(-1, 1), "y_range": Range1d(-1, 1)}
        plot = canvas("Map of the bags' kernel means", "component 1", "component 2", 250, **ends)
        marks.curve(plot, paint, sources["way"], "x", "y", "outlier", line_width=1.5, line_alpha=0.5)
        draw_sides(plot, paint, sources, 9)
        marks.dots(plot, paint, sources["ring"], "outlier", size=15, fill_alpha=0.2, line_width=3, level=MOVES)
        return plot

    def aim(self, result):
        if self.seen(result):
            both = np.concatenate([result.space.places, result.space.moved])
            spans = (self.plot.x_range, self.plot.xaxis), (self.plot.y_range, self.plot.yaxis)
            for (span, axis), values in zip(spans, both.T, strict=True):
                low, high = float(values.min()), float(values.max())
                room = 0.1 * (high - low) + 1e-9
                change(span, start=low - room, end=high + room)
                ticks(self.plot, axis, nice_ticks(low - room, high + room, 4))


class Distances(Imaged, Small):
    """The RKHS distances of all pairs of bags, class by class, and above them those of the stretched bag."""

    name, shaded, lines = "distances", "image", MATRIX + GAP + STRIP

    @staticmethod
    def columns(result):
        return {"ground": {"x": [0.0], "y": [0.0], "dw": [1.0], "dh": [1.0]}}

    @staticmethod
    def table(result):
        l = len(result.y)
        rows = np.argsort(result.y, kind="stable")[np.arange(MATRIX) * l // MATRIX]
        among, above = result.space.distances[np.ix_(rows, rows)], result.space.stretched[:, rows]
        size = float(among.max()) or 1.0
        matrix = np.broadcast_to(among[::-1].ravel(), (len(above), MATRIX**2))
        gap, strip = np.zeros((len(above), GAP * MATRIX)), np.tile(above, STRIP)
        return {("image", "w"): np.minimum(np.concatenate([matrix, gap, strip], axis=1) / size, 1.0)}

    def draw(self, paint, sources, result):
        ends = {"x_range": Range1d(0, 1), "y_range": Range1d(0, 1)}
        plot = canvas("MMD of two bags", "bags", "", 250, **ends)
        self.lay(plot, paint, sources, sources["ground"])
        ticks(plot, plot.xaxis, {})
        ticks(plot, plot.yaxis, {1 - STRIP / 2 / self.lines: "stretched bag", MATRIX / 2 / self.lines: "bags"})
        plot.grid.visible = False
        return plot

    def aim(self, result):
        super().aim(result)
        if self.seen(result):
            most = float(result.space.distances.max())
            change(self.plot.title, text=f"MMD of two bags, up to {most:.3g}")
            order = "in order of their numbers" if result.number else "class by class"
            change(self.plot.xaxis[0], axis_label=f"bags, {order}")


class BagSizes(StagePicture):
    """The squared error of the bags' kernel means over the points in a bag, relative to the plain average's."""

    name, stage, answers = "size", "sizes", False
    still = "; ".join([*(f"{name} x y; name_{name} x y words" for name in LINES), "line x"])

    @staticmethod
    def stays(result, sizes):
        heights = apart([float(np.clip(sizes.ratios[name][-1], 0, 1.15)) / 1.2 for name in LINES], 0.17) * 1.2
        columns = {"line": {"x": np.array([float(result.lab.n)])}}
        for (name, line), y in zip(LINES.items(), heights, strict=True):
            columns[name] = {"x": sizes.counts, "y": np.minimum(sizes.ratios[name], 1.2)}
            columns[f"name_{name}"] = {"x": sizes.counts[-1:], "y": np.array([y]), "words": np.array([line.called])}
        return columns

    def draw(self, paint, sources, result):
        x = Axis(
            "points in a bag (log scale)", Range1d(2.8, 1500), {v: f"{v:g}" for v in (3, 10, 30, 100, 300)}, log=True
        )
        y = Axis("", Range1d(0, 1.2), {0: "0", 0.5: "0.5", 1: "1"})
        plot = chart("Squared error, plain average = 1", x, y, 250)
        marks.one_is_kme(plot, paint)
        for name, line in LINES.items():
            marks.curve(plot, paint, sources[name], "x", "y", line.role, line_width=2.5, line_dash=line.dash)
            marks.words(plot, paint, sources[f"name_{name}"], line.role, x_offset=6, text_font_size="12px")
        marks.upright(plot, paint, sources["line"])
        return plot


PICTURES = (Boundary, Clouds, Map, Distances, BagSizes)
