"""The Independence lab's pictures: the pairs and where they crowd, what permuted pairs would give, six smaller ones."""

from __future__ import annotations

import math

import numpy as np
from bokeh.models import ColumnDataSource, Range1d, Span
from scipy.special import gammainc

from explorer.views import marks, nulls
from explorer.views.marks import MOVES, nothing
from explorer.views.nulls import NullAxis
from explorer.views.pairs import PairsPlane
from explorer.views.picture import Imaged, Parted, Picture
from explorer.views.style import canvas, ticks
from explorer.workbench.numbers import number
from explorer.workbench.pairs import ACROSS, ALONG

from .result import CELLS, HIGHEST

NULL = NullAxis(-3.0, 12.0, 60, (0.1, 0.2, 0.4, 0.7, 1.05))
GAPS = (1e-14, 4.0)  # of the picture of ranks; what lies below is rounding
BEST = 8  # columns of a table that are drawn
HALF = 0.5  # of the axis: from there on a name stands left of its dot
MEASURES = ("Pearson's |r|", "distance correlation", "correlation of HSIC")
UNIT = {"x": [0], "y": [0], "dw": [1], "dh": [1]}


class OverSigma(Parted):
    """A picture of tests, one for each σ."""

    @staticmethod
    def parts(result):
        return [result.trial] if result.enough else [], result.trials


class Plane(PairsPlane, OverSigma):
    """The pairs on the cross-covariance: blue where they are denser than if x and y were independent."""

    name, shaded, lines = "sample", "field", ACROSS

    @staticmethod
    def rows(result, trials):
        blank = np.zeros((1, ALONG * ACROSS))
        return {("field", "w"): marks.to_one([trial.shape.field for trial in trials] or blank)}


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
    def rows(result, trials):
        if not trials:
            names = ("top", "tail", "x", "beyond", "limit", "gamma", "one")
            return {("null", name): np.full((1, NULL.bins), np.nan) for name in names}
        tests, top = [trial.test for trial in trials], NULL.top(result.test)
        columns = NULL.table(tests, result.lab.alpha, top)
        columns["gamma"] = np.minimum([_gamma(trial) for trial in trials], top)
        columns["one"] = np.full((len(tests), 1), np.nan)
        if result.lab.shuffle:
            columns["one"] = NULL.inside(NULL.places(tests)[:, result.lab.shuffle - 1, None])
        return {("null", name): marks.padded(values, NULL.bins) for name, values in columns.items()}

    @staticmethod
    def kept(result):
        if result is None or not result.enough:
            return {"observed": nothing("x")}
        return {"observed": {"x": NULL.inside(np.array([result.standardised]))}}

    def draw(self, paint, sources, result):
        words = "What permuted pairs would give", "HSIC in standard deviations of the null", "share of the permutations"
        plot = canvas(*words, 258, x_range=Range1d(NULL.low, NULL.high), y_range=Range1d(0, NULL.tops[1]))
        ticks(plot, plot.xaxis, {-2: "−2", **{z: f"{z}" for z in range(0, 11, 2)}})
        source = sources["null"]
        nulls.bars(plot, paint, source)
        marks.curve(plot, paint, source, "at", "gamma", "skmse", line_width=2, level=MOVES)
        paint(plot.vspan("one", source=source, line_width=3, level=MOVES).glyph, "monkfast", "line_color")
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


class Small(Picture):
    """A picture that shares the place below the null distribution."""

    place = "small"

    @classmethod
    def seen(cls, result):
        return result.lab.picture == cls.name


class Pair(Small, OverSigma):
    """The two functions that covary most."""

    name = "pair"

    @staticmethod
    def columns(result):
        x, across = (np.linspace(-1, 1, size)[None] for size in (ALONG, ACROSS))
        return {"pair": {"x": x[0], "across": marks.padded(across, ALONG)[0]}}

    @staticmethod
    def rows(result, trials):
        f = [trial.shape.f for trial in trials] or np.full((1, ALONG), np.nan)
        g = [trial.shape.g for trial in trials] or np.full((1, ACROSS), np.nan)
        return {("pair", "f"): marks.to_one(f), ("pair", "g"): marks.padded(marks.to_one(g), ALONG)}

    def draw(self, paint, sources, result):
        words = "The leading pair: f(x) solid, g(y) dashed", "x and y, from end to end of the picture of pairs"
        x, y = (-1.04, 1.04, {-1: "low", 0: "middle", 1: "high"}), (-1.1, 1.1, {-1: "−1", 0: "0", 1: "1"})
        plot = small((*words, "by its largest value"), x, y)
        plot.add_layout(paint(Span(location=0, dimension="width", line_width=1), "kme", "line_color"))
        marks.curve(plot, paint, sources["pair"], "x", "f", "skmse", level=MOVES)
        marks.curve(plot, paint, sources["pair"], "across", "g", "fkmse", line_dash="dashed", level=MOVES)
        return plot


class Gram(Small, Imaged, OverSigma):
    """Both centred Gram matrices, their points in the order of x."""

    name, shaded, lines = "gram", "cells", CELLS

    @staticmethod
    def rows(result, trials):
        cells = np.reshape([trial.cells for trial in trials] or np.zeros(CELLS**2), (-1, CELLS, CELLS))
        return {("cells", "w"): cells[:, ::-1].reshape(len(cells), -1)}  # an image begins below

    def draw(self, paint, sources, result):
        words = "Centred Gram matrices in the order of x: below of x, above of y", "pairs from small x to large", ""
        plot = small(words, (-0.01, 1.01, {}), (-0.01, 1.01, {}))
        self.lay(plot, paint, sources, ColumnDataSource(UNIT))
        paint(plot.line([0, 1], [1, 0], line_width=1.5).glyph, "kme", "line_color")
        return plot


class Measures(Small, OverSigma):
    """Three coefficients, and what chance reaches at the level."""

    name = "measures"

    @staticmethod
    def columns(result):
        return {"measures": {"y": np.array([3.0, 2.0, 1.0])}}

    @staticmethod
    def rows(result, trials):
        if not trials:
            return {("measures", name): np.full((1, 3), np.nan) for name in ("value", "limit")}
        r, d, level = result.pearson, result.distance, result.lab.alpha
        values = abs(r.value), np.nan if d is None else d.value
        limits = r.limit(level), np.nan if d is None else d.limit(level)
        return {
            ("measures", "value"): np.array([[*values, trial.correlation] for trial in trials]),
            ("measures", "limit"): np.array([[*limits, min(trial.limit(level), 1.2)] for trial in trials]),
        }

    def draw(self, paint, sources, result):
        words = "Three measures, and what chance reaches at the level", "coefficient", ""
        plot, source = small(words, (0, 1.02, None), (0.5, 3.9, {})), sources["measures"]
        marks.stems(plot, paint, source, "value", line_width=5, level=MOVES)
        dash = {"marker": "dash", "angle": np.pi / 2, "size": 26, "line_width": 2.5, "level": MOVES}
        marks.dots(plot, paint, source, "harm", x="limit", **dash)
        marks.dots(plot, paint, source, "truth", x="value", size=11, level=MOVES)
        names = ColumnDataSource({"y": [y + 0.4 for y in (3, 2, 1)], "text": list(MEASURES)})
        marks.lettering(plot, paint, names, 0, 6)
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
        words = "What kernels of low rank may lack of HSIC", "rank r", "HSIC − HSIC of rank r (log scale)"
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

    name = "power"

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
        words = "How often parts of these pairs show it", "share of the pairs", "chance of p at most the level"
        shares = {0.1: "10 %", 0.3: "30 %", 0.5: "50 %", 0.7: "70 %", 1.0: "all"}
        plot = small(words, (0, 1.12, shares), (0, 1.05, {0: "0", 0.5: "0.5", 1: "1"}))
        self.level = paint(Span(dimension="width", line_width=1.5, line_dash="dashed"), "harm", "line_color")
        plot.add_layout(self.level)
        power, squares = sources["power"], sources["squares"]
        paint(plot.varea("x", "low", "high", source=power, fill_alpha=0.18).glyph, "truth", "fill_color")
        marks.curve(plot, paint, power, "x", "pearson", "kme", line_width=2.5, line_dash="dashed")
        marks.curve(plot, paint, power, "x", "hsic", "truth")
        marks.dots(plot, paint, power, "truth", y="hsic", size=7)
        paint(plot.segment("x", "low", "x", "high", source=squares, line_width=2).glyph, "skmse", "line_color")
        marks.dots(plot, paint, squares, "skmse", marker="square", size=10, fill_alpha="fill", line_width=2)
        return plot

    def aim(self, result):
        self.level.location = result.lab.alpha


class Columns(Small):
    """A table's columns by their dependence on y."""

    name = "columns"

    @staticmethod
    def columns(result):
        c = result.columns
        x, p = (np.zeros(0), np.zeros(0)) if c is None else (c.correlation[:BEST], c.pvalue[:BEST])
        at, left = BEST - np.arange(float(len(x))), x > HALF
        align = np.where(left, "right", "left").astype(object)
        names = () if c is None else c.names
        text = np.array([f"{n}, p = {number(float(v))}" for n, v in zip(names, p, strict=False)], dtype=object)
        return {
            "columns": {"y": at, "x": x, "fill": np.where(p <= result.lab.alpha, 1.0, 0.0)},
            "named": {"y": at, "x": x, "offset": np.where(left, -12.0, 12.0), "text": text, "align": align},
        }

    def draw(self, paint, sources, result):
        words, source = ("Columns by their dependence on y", "correlation of HSIC", ""), sources["columns"]
        plot = small(words, (0, 1.02, None), (0.5, BEST + 0.9, {}))
        marks.stems(plot, paint, source, "x", line_width=4)
        marks.dots(plot, paint, source, "truth", size=10, fill_alpha="fill", line_width=2)
        marks.lettering(plot, paint, sources["named"], "x", "offset", text_align="align")
        return plot

    def aim(self, result):
        self.plot.title.text = f"Columns by their dependence on {result.pairs.names[-1]}"


PICTURES = (Plane, Null, Pair, Gram, Measures, Ranks, Power, Columns)


def _gamma(trial):
    """The share that the gamma distribution has in each bar."""
    if math.isinf(trial.gamma.shape):
        return np.full(NULL.bins, np.nan)
    mean, spread = trial.test.scale
    return np.diff(gammainc(trial.gamma.shape, np.maximum(mean + spread * NULL.edges, 0) / trial.gamma.scale))
