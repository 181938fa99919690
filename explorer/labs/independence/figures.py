"""The Independence lab's pictures: the pairs and where they crowd, what permuted pairs would give, six smaller ones."""

from __future__ import annotations

import math

import numpy as np
from bokeh.models import ColumnDataSource, Range1d, Span
from scipy.special import gammainc

from explorer.printing import short
from explorer.views import glyphs, marks, nulls
from explorer.views.marks import MOVES, nothing
from explorer.views.nulls import NullAxis
from explorer.views.pairs import PairsPlane
from explorer.views.picture import Imaged, RowByRow, Small, padded
from explorer.views.style import canvas, entitle, ticks
from explorer.workbench.numbers import number
from explorer.workbench.pairs import ACROSS, ALONG

from .result import CELLS, HIGHEST

NULL = NullAxis(-3.0, 12.0, 60, (0.1, 0.2, 0.4, 0.7, 1.05))
GAPS = (1e-14, 4.0)  # of the picture of ranks; what lies below is rounding
BEST = 8  # columns of a table that are drawn
HALF = 0.5  # of the axis: from there on a name stands left of its dot
MEASURES = ("Pearson's |r|", "distance correlation", "correlation of HSIC")
UNIT = {"x": [0], "y": [0], "dw": [1], "dh": [1]}


class OverSigma(RowByRow):
    """A picture of tests, one for each σ; `of(result, trial)` draws one, None where there are too few pairs."""

    @classmethod
    def at(cls, result, row):
        return cls.of(result, result.trial_at(row) if result.enough else None)


class Plane(PairsPlane, OverSigma):
    """The pairs on the cross-covariance: blue where they are denser than if x and y were independent."""

    name, shaded, lines = "sample", "field", ACROSS

    @staticmethod
    def of(result, trial):
        return {("field", "w"): np.zeros(ALONG * ACROSS) if trial is None else marks.to_one([trial.shape.field])[0]}


class Null(OverSigma):
    """HSIC of permuted pairs, with the statistic, the gamma distribution and the permutation that is looked at.

    All is in one source: a figure paints once for each that changes, and in a browser each paint waits for a frame.
    """

    name = "null"

    @staticmethod
    def columns(result):
        left, right = NULL.edges[:-1], NULL.edges[1:]
        height = np.full(NULL.bins, np.nan)
        height[0] = 0.1
        return {"null": {"left": left, "right": right, "at": (left + right) / 2, "y": height}}

    @staticmethod
    def of(result, trial):
        if trial is None:
            names = ("top", "tail", "x", "beyond", "limit", "gamma", "one")
            return {("null", name): np.full(NULL.bins, np.nan) for name in names}
        shuffle = result.lab.shuffle
        columns = {name: rows[0] for name, rows in NULL.table([trial.test], result.lab.alpha).items()}
        columns["gamma"] = _gamma(trial)
        columns["one"] = NULL.inside(NULL.places([trial.test])[0, shuffle - 1 : shuffle]) if shuffle else []
        return {("null", name): padded(values, NULL.bins) for name, values in columns.items()}

    @staticmethod
    def kept(result):
        if result is None or not result.enough:
            return {"observed": nothing("x")}
        return {"observed": {"x": NULL.inside(np.array([result.standardised]))}}

    def draw(self, paint, sources, result):
        words = (
            "HSIC under permuted pairings",
            "HSIC in standard deviations",
            "share of the permutations",
        )
        plot = canvas(*words, 258, x_range=Range1d(NULL.low, NULL.high), y_range=Range1d(0, NULL.tops[1]))
        ticks(plot, plot.xaxis, {-2: "−2", **{z: f"{z}" for z in range(0, 11, 2)}})
        source = sources["null"]
        nulls.bars(plot, paint, source)
        marks.curve(plot, paint, source, "at", "gamma", "skmse", line_width=2, level=MOVES)
        paint(glyphs.vspan(plot, "one", source=source, line_width=3, level=MOVES).glyph, "monkfast", "line_color")
        nulls.lines(plot, paint, self.pinned["observed"], source, source)
        return plot

    def aim(self, result):
        self.plot.y_range.end = NULL.top(result.test) if result.enough else NULL.tops[1]


def small(words, x, y, **options):
    """An empty figure of the place below: title and labels, and (low, high, ticks) of each axis, None for Bokeh's."""
    plot = canvas(*words, 250, x_range=Range1d(*x[:2]), y_range=Range1d(*y[:2]), **options)
    for axis, (_, _, places) in ((plot.xaxis, x), (plot.yaxis, y)):
        if places is not None:
            ticks(plot, axis, places)
    return plot


class Pair(Small, OverSigma):
    """The two functions that covary most."""

    name = "pair"

    @staticmethod
    def columns(result):
        across = padded(np.linspace(-1, 1, ACROSS), ALONG)
        return {"pair": {"x": np.linspace(-1, 1, ALONG), "across": across}}

    @staticmethod
    def of(result, trial):
        if trial is None:
            return {("pair", name): np.full(ALONG, np.nan) for name in "fg"}
        f, g = (marks.to_one([values])[0] for values in (trial.shape.f, trial.shape.g))
        return {("pair", "f"): f, ("pair", "g"): padded(g, ALONG)}

    def draw(self, paint, sources, result):
        words = "The leading pair: f(x) solid, g(y) dashed", "x and y, from end to end of the picture of pairs"
        x, y = (-1.04, 1.04, {-1: "low", 0: "middle", 1: "high"}), (-1.1, 1.1, {-1: "−1", 0: "0", 1: "1"})
        plot = small((*words, "by its largest value"), x, y)
        marks.across(plot, paint, 0, "width", "kme", line_width=1)
        marks.curve(plot, paint, sources["pair"], "x", "f", "skmse", level=MOVES)
        marks.curve(plot, paint, sources["pair"], "across", "g", "fkmse", line_dash="dashed", level=MOVES)
        return plot


class Gram(Small, Imaged, OverSigma):
    """Both centred Gram matrices, their points in the order of x."""

    name, shaded, lines = "gram", "cells", CELLS

    @staticmethod
    def of(result, trial):
        cells = np.zeros(CELLS**2) if trial is None else trial.cells
        return {("cells", "w"): cells.reshape(CELLS, CELLS)[::-1].ravel()}  # an image begins below

    def draw(self, paint, sources, result):
        words = "Centred Gram matrices: below x, above y", "pairs from small x to large", ""
        plot = small(words, (-0.01, 1.01, {}), (-0.01, 1.01, {}))
        self.lay(plot, paint, sources, ColumnDataSource(UNIT))
        paint(glyphs.line(plot, [0, 1], [1, 0], line_width=1.5).glyph, "kme", "line_color")
        return plot


class Measures(Small, OverSigma):
    """Three coefficients, and what chance reaches at the level."""

    name = "measures"

    @staticmethod
    def columns(result):
        return {"measures": {"y": np.array([3.0, 2.0, 1.0])}}

    @staticmethod
    def of(result, trial):
        if trial is None:
            return {("measures", name): np.full(3, np.nan) for name in ("value", "limit")}
        r, d, level = result.pearson, result.distance, result.lab.alpha
        value, limit = (np.nan, np.nan) if d is None else (d.value, d.limit(level))
        return {
            ("measures", "value"): np.array([abs(r.value), value, trial.correlation]),
            ("measures", "limit"): np.array([r.limit(level), limit, min(trial.limit(level), 1.2)]),
        }

    def draw(self, paint, sources, result):
        words = "Three measures, and what chance reaches at the level", "coefficient", ""
        plot, source = small(words, (0, 1.02, None), (0.5, 3.9, {})), sources["measures"]
        marks.stems(plot, paint, source, "value", line_width=5, level=MOVES)
        dash = {"marker": "dash", "angle": np.pi / 2, "size": 26, "line_width": 2.5, "level": MOVES}
        marks.dots(plot, paint, source, "harm", x="limit", **dash)
        marks.dots(plot, paint, source, "truth", x="value", size=11, level=MOVES)
        names = ColumnDataSource({"y": [y + 0.4 for y in (3, 2, 1)], "words": list(MEASURES)})
        marks.words(plot, paint, names, "truth", x=0, x_offset=6, text_font_size="12px")
        return plot


class Ranks(Small):
    """How far HSIC of low-rank kernels lies below, by the bound and in fact; no table knows it at other σ."""

    name, answers = "ranks", False

    @staticmethod
    def columns(result):
        if result.path is None:
            return {name: nothing("x", "bound", "gap") for name in ("ranks", "rank")}
        r, _, bound, gap = result.at_rank
        rank = np.arange(float(len(result.path.bound)))
        curves = {"x": rank, "bound": np.clip(result.path.bound, *GAPS), "gap": np.clip(result.gaps, *GAPS)}
        place = {"x": np.array([float(r)]), "bound": np.clip([bound], *GAPS), "gap": np.clip([gap], *GAPS)}
        return {"ranks": curves, "rank": place}

    def draw(self, paint, sources, result):
        words = "What kernels of low rank miss of HSIC", "rank r", "HSIC − HSIC of rank r (log scale)"
        powers = {1e-12: "1e−12", 1e-8: "1e−8", 1e-4: "1e−4", 1.0: "1"}
        plot = small(words, (0.0, float(HIGHEST), None), (*GAPS, powers), y_axis_type="log")
        marks.curve(plot, paint, sources["ranks"], "x", "bound", "harm")
        marks.curve(plot, paint, sources["ranks"], "x", "gap", "kme", line_width=2.5, line_dash="dashed")
        marks.upright(plot, paint, sources["rank"])
        for name, role in (("bound", "harm"), ("gap", "kme")):
            marks.dots(plot, paint, sources["rank"], role, y=name, size=11, level=MOVES)
        return plot


class Power(Small):
    """How often parts of the pairs show the dependence, and how often fresh samples do."""

    name, late = "power", "power"

    @staticmethod
    def columns(result):
        power, squares = nothing("x", "hsic", "low", "high", "pearson"), nothing("x", "y", "low", "high", "fill")
        if result.power is not None:
            (k, r), alpha = result.power, result.lab.alpha
            low, high = k.interval(alpha)
            power = {"x": k.fractions, "hsic": k.power(alpha), "low": low, "high": high, "pearson": r.power(alpha)}
        fresh = result.fresh
        if fresh is not None:
            rows = [(1.08, fresh.none, 0.0)] + [(1.04, fresh.kernel, 1.0)] * (fresh.kernel is not None)
            x, times, fill = np.array(rows).T
            low, high = np.array([fresh.interval(int(k)) for k in times]).T
            squares = {"x": x, "y": times / fresh.count, "low": low, "high": high, "fill": fill}
        return {"power": power, "squares": squares}

    def draw(self, paint, sources, result):
        words = "Power on parts of these pairs", "share of the pairs", "power: chance of p at most the level"
        shares = {0.1: "10 %", 0.3: "30 %", 0.5: "50 %", 0.7: "70 %", 1.0: "all"}
        plot = small(words, (0, 1.12, shares), (0, 1.05, {0: "0", 0.5: "0.5", 1: "1"}))
        self.level = paint(Span(dimension="width", line_width=1.5, line_dash="dashed"), "harm", "line_color")
        plot.add_layout(self.level)
        power, squares = sources["power"], sources["squares"]
        paint(glyphs.varea(plot, "x", "low", "high", source=power, fill_alpha=0.18).glyph, "truth", "fill_color")
        marks.curve(plot, paint, power, "x", "pearson", "kme", line_width=2.5, line_dash="dashed")
        marks.curve(plot, paint, power, "x", "hsic", "truth")
        marks.dots(plot, paint, power, "truth", y="hsic", size=7)
        paint(glyphs.segment(plot, "x", "low", "x", "high", source=squares, line_width=2).glyph, "skmse", "line_color")
        marks.dots(plot, paint, squares, "skmse", marker="square", size=10, fill_alpha="fill", line_width=2)
        return plot

    def aim(self, result):
        self.level.location = result.lab.alpha


class Columns(Small):
    """A table's columns by their dependence on y."""

    name, late = "columns", "columns"

    @staticmethod
    def columns(result):
        c = result.columns
        x, p = (np.zeros(0), np.zeros(0)) if c is None else (c.correlation[:BEST], c.pvalue[:BEST])
        at, left = BEST - np.arange(float(len(x))), x > HALF
        align = np.where(left, "right", "left").astype(object)
        names = () if c is None else c.names
        text = np.array([f"{short(n)}, p = {number(float(v))}" for n, v in zip(names, p, strict=False)], dtype=object)
        return {
            "columns": {"y": at, "x": x, "fill": np.where(p <= result.lab.alpha, 1.0, 0.0)},
            "named": {"y": at, "x": x, "offset": np.where(left, -12.0, 12.0), "words": text, "align": align},
        }

    def draw(self, paint, sources, result):
        words, source = ("Columns by their dependence on y", "correlation of HSIC", ""), sources["columns"]
        plot = small(words, (0, 1.02, None), (0.5, BEST + 0.9, {}))
        marks.stems(plot, paint, source, "x", line_width=4)
        marks.dots(plot, paint, source, "truth", size=10, fill_alpha="fill", line_width=2)
        words = {"x_offset": "offset", "text_align": "align", "text_font_size": "12px"}
        marks.words(plot, paint, sources["named"], "truth", **words)
        return plot

    def aim(self, result):
        entitle(self.plot.title, f"Columns by their dependence on {short(result.pairs.on_axes[1].name)}")


PICTURES = (Plane, Null, Pair, Gram, Measures, Ranks, Power, Columns)


def _gamma(trial):
    """The share that the gamma distribution has in each bar."""
    if math.isinf(trial.gamma.shape) or trial.gamma.scale == 0:  # no spread, or one below the smallest float
        return np.full(NULL.bins, np.nan)
    mean, spread = trial.test.scale
    return np.diff(gammainc(trial.gamma.shape, np.maximum(mean + spread * NULL.edges, 0) / trial.gamma.scale))
