"""The Two-sample lab's pictures: what permuted labels would give, the samples with their witness, five smaller ones."""

from __future__ import annotations

import numpy as np
from bokeh.models import BoxAnnotation, Span

from explorer.discrepancy import window
from explorer.kernels import Gaussian
from explorer.views import glyphs, marks, nulls
from explorer.views.marks import MOVES, nothing
from explorer.views.picture import Picture
from explorer.views.style import Axis, change, chart, decades
from explorer.views.witness import Line, Plane

from .result import SIZES

AXIS = nulls.NullAxis(-3.5, 9.0, 50, (0.2, 0.4, 0.7, 1.05))
P_RANGE, BANDWIDTH_RANGE, SIZE_RANGE = (5e-4, 1.6), (0.01, 10.0), (5.0, 5000.0)
DEVIATIONS = Axis(
    "MMD² in standard deviations",
    (AXIS.low, AXIS.high),
    {-2: "−2", 0: "0", 2: "2", 4: "4", 6: "6", 8: "8"},
)
SHARE = Axis("share of the permutations", (0, AXIS.tops[0]))
BANDWIDTH = Axis("bandwidth × median (log scale)", BANDWIDTH_RANGE, decades(-2, 1, 1), log=True)
P = Axis("p (log scale)", P_RANGE, {0.001: "0.001", 0.01: "0.01", 0.05: "0.05", 0.2: "0.2", 1.0: "1"}, log=True)
FREQUENCY = Axis("frequency |ω| × median / √d (log scale)", (0.05, 50.0), decades(-1, 1, 1), log=True)
MOMENTS = Axis("", (0.4, 4.6), {1: "mean", 2: "second", 3: "third", 4: "all others"})
PART = Axis("share of the biased MMD²", (0, 1.05), {0: "0", 0.5: "0.5", 1: "1"})
SIZE = Axis("n points of P, Q in proportion (log scale)", SIZE_RANGE, decades(1, 3, 1), log=True)
XRAY_TITLES = {  # by whether the kernel has a window that is the same in all directions
    True: "Kernel X-ray: the part of the difference in RBF's window",
    False: "Kernel X-ray: the difference of P and Q by frequency",
}
CHANCE = Axis("power: chance of p at most the level", (0, 1.05), {0: "0", 0.5: "0.5", 0.8: "0.8", 1: "1"})


class Null(Picture):
    """The null distribution with the observed MMD^2."""

    name = "null"

    @staticmethod
    def columns(result):
        return {"null": {"left": AXIS.edges[:-1], "right": AXIS.edges[1:]}, "observed": {"y": np.array([0.1])}}

    @staticmethod
    def table(result):
        rows = AXIS.table(result.tests, result.lab.alpha)
        table = {("null", name): rows[name] for name in ("top", "tail")}
        table |= {("observed", name): rows[name] for name in ("x", "beyond")}
        return {**table, ("threshold", "x"): rows["limit"]}

    @staticmethod
    def kept(result):
        x = np.zeros(0) if result is None else AXIS.inside(np.array([result.standardised]))
        return {"observed": {"x": x}}

    def draw(self, paint, sources, result):
        plot = chart("MMD² under permuted labels", DEVIATIONS, SHARE, 330)
        hatched = {"hatch_pattern": "right_diagonal_line", "hatch_alpha": 0.5, "hatch_scale": 6}
        nulls.bars(plot, paint, sources["null"], **hatched)
        nulls.lines(plot, paint, self.pinned["observed"], sources["threshold"], sources["observed"], "x")
        return plot

    def aim(self, result):
        self.plot.y_range.end = AXIS.top(result.test())


class Small(Picture):
    """A picture that shares the place below the samples."""

    place, limit = "small", None

    @classmethod
    def seen(cls, result):
        return result.picture == cls.name

    def level(self, plot, paint, dimension):
        """The line of the test's level, in a picture of p or of power."""
        self.limit = paint(Span(dimension=dimension, line_width=1.5, line_dash="dashed"), "harm", "line_color")
        plot.add_layout(self.limit)

    def aim(self, result):
        if self.limit is not None:
            self.limit.location = result.lab.alpha


class Bandwidths(Small):
    """p under RBF over its bandwidth, and the p of the tests over all bandwidths at once."""

    name, upright = "bandwidths", "here"

    @staticmethod
    def columns(result):
        many = nothing("x", "agg", "fuse")
        if result.fused is not None:
            lines = {"agg": result.aggregated, "fuse": result.fused}
            many = {"x": np.array(BANDWIDTH_RANGE), **{name: np.full(2, p) for name, p in lines.items()}}
        return {"strip": strip(result), "many": many}

    @staticmethod
    def table(result):
        x = result.stops if result.answers else [result.lab.bandwidth]
        y = np.clip([[test.pvalue] for test in result.tests], *P_RANGE)
        return {("here", "x"): np.array(x)[:, None], ("here", "y"): y}

    @staticmethod
    def kept(result):
        return {"strip": nothing("x", "y") if result is None else strip(result)}

    def draw(self, paint, sources, result):
        plot = chart("p over the bandwidth (blue: all at once)", BANDWIDTH, P, 250)
        self.tint = paint(BoxAnnotation(fill_alpha=0.07, line_color=None), "harm", "fill_color")
        plot.add_layout(self.tint)
        self.level(plot, paint, "width")
        marks.curve(plot, paint, self.pinned["strip"], "x", "y", "kme", line_width=6, line_alpha=0.3)
        marks.curve(plot, paint, sources["strip"], "x", "y", "kme", line_width=2)
        marks.dots(plot, paint, sources["strip"], "kme", size=5)
        for name, dash in (("agg", "dashed"), ("fuse", "dotted")):
            marks.curve(plot, paint, sources["many"], "x", name, "skmse", line_dash=dash)
        marks.upright(plot, paint, sources["here"])
        marks.dots(plot, paint, sources["here"], "truth", size=11, level=MOVES)
        return plot

    def aim(self, result):
        super().aim(result)
        self.tint.top = result.lab.alpha


class XRay(Small):
    """The difference of the characteristic functions over frequencies, and the part in the kernel's window."""

    name, late = "x-ray", "difference"

    @staticmethod
    def columns(result):
        if not result.difference or result.moments is not None:
            return {"xray": nothing("x", "difference", "chance")}
        unit = result.median / np.sqrt(len(result.samples.names))
        frequencies, difference, chance = result.difference
        return {"xray": {"x": frequencies * unit, "difference": difference, "chance": chance}}

    @staticmethod
    def table(result):
        visible, product = windows(result)
        return {("xray", "window"): visible, ("xray", "product"): product}

    def draw(self, paint, sources, result):
        plot = chart(XRAY_TITLES[True], FREQUENCY, Axis("|φ_P − φ_Q|²", (0, 1)), 250)
        source = sources["xray"]
        marks.curve(plot, paint, source, "x", "chance", "harm", line_width=2, line_dash="dashed")
        marks.curve(plot, paint, source, "x", "difference", "truth", line_width=2.5)
        for name, role, alpha in (("window", "kme", 0.18), ("product", "skmse", 0.6)):
            area = glyphs.varea(plot, "x", 0, name, source=source, fill_alpha=alpha, level=MOVES)
            paint(area.glyph, role, "fill_color")
        return plot

    def aim(self, result):
        self.plot.y_range.end = highest(result)
        change(self.plot.title, text=XRAY_TITLES[isinstance(result.kernel, Gaussian)])


class Moments(Small):
    """Each moment's part of MMD^2 under a polynomial kernel."""

    name = "moments"

    @staticmethod
    def columns(result):
        if result.moments is None:
            return {"moments": nothing("x", "y")}
        parts = np.append(result.moments, np.zeros(4 - len(result.moments)))
        return {"moments": {"x": np.arange(1.0, 5.0), "y": parts / (result.moments.sum() or 1.0)}}

    def draw(self, paint, sources, result):
        plot = chart("Which moments make up MMD²", MOMENTS, PART, 250)
        bars = glyphs.vbar(plot, "x", top="y", width=0.6, source=sources["moments"], fill_alpha=0.7)
        paint(bars.glyph, "skmse", "fill_color", "line_color")
        return plot


class Power(Small):
    """The power of the test at other sizes, and how often the self-check rejected."""

    name, late = "power", "plan"

    @staticmethod
    def columns(result):
        plan, n = result.plan, len(result.samples.X)
        if plan is None or plan.power is None:
            return {"power": nothing("x", "y"), "plan": nothing("x", "y", "fill"), "checks": checks(result)}
        x = np.array([n, plan.needed or np.nan])  # where the lab is, and the first n that has the power one wants
        dots = {"x": x, "y": np.interp(x, SIZES, plan.power), "fill": np.array([1.0, 0.0])}
        return {"power": {"x": SIZES, "y": plan.power}, "plan": dots, "checks": checks(result)}

    def draw(self, paint, sources, result):
        plot = chart("Power of the test at other sizes", SIZE, CHANCE, 250)
        wanted = Span(location=0.8, dimension="width", line_width=1.5, line_dash="dotted")
        plot.add_layout(paint(wanted, "truth", "line_color"))
        self.level(plot, paint, "width")
        marks.curve(plot, paint, sources["power"], "x", "y", "kme")
        marks.dots(plot, paint, sources["plan"], "kme", size=11, fill_alpha="fill", line_width=2)
        ends = glyphs.segment(plot, "x", "low", "x", "high", source=sources["checks"], line_width=2)
        paint(ends.glyph, "skmse", "line_color")
        squares = {"marker": "square", "size": 10, "fill_alpha": "fill", "line_width": 2}
        marks.dots(plot, paint, sources["checks"], "skmse", **squares)
        return plot


class Influence(Small):
    """p without each of the rows whose removal changes MMD^2 most."""

    name, late = "influence", "influence"

    @staticmethod
    def columns(result):
        rows = result.influence or ()
        y, names = np.arange(len(rows), 0.0, -1.0), [f"without {result.samples.rows[one.row]}" for one in rows]
        x, whole = np.clip([one.pvalue for one in rows], *P_RANGE), np.full(len(rows), result.pvalue)
        return {"rows": {"y": y, "x": x, "all": whole}, "named": {"y": y + 0.42, "text": np.array(names, dtype=object)}}

    def draw(self, paint, sources, result):
        p = P._replace(label="p without the row (log scale)")
        plot = chart("Rows that the answer depends on", p, Axis("", (0.5, 5.9), {}), 250)
        self.level(plot, paint, "height")
        source = sources["rows"]
        stems = glyphs.segment(plot, "all", "y", "x", "y", source=source, line_width=2, line_alpha=0.6)
        rings = glyphs.scatter(plot, "all", "y", source=source, size=10, fill_alpha=0, line_width=2)
        paint(stems.glyph, "kme", "line_color"), paint(rings.glyph, "kme", "line_color")
        marks.dots(plot, paint, source, "truth", size=11)
        shape = {"x_offset": 6, "text_font_size": "12px", "text_baseline": "middle"}
        words = glyphs.text(plot, P_RANGE[0], "y", text="text", source=sources["named"], **shape)
        paint(words.glyph, "truth", "text_color")
        return plot


PICTURES = (Null, Plane, Line, Bandwidths, XRay, Moments, Power, Influence)


def strip(result):
    """p under RBF or Laplacian at every bandwidth, once it is there."""
    if result.strip is None:
        return nothing("x", "y")
    return {"x": np.array(result.stops), "y": np.clip(result.strip.pvalues, *P_RANGE)}


def highest(result):
    """How high the X-ray's axis goes: with the data, not with the bandwidth."""
    if not result.difference:
        return 1.0
    return 1.15 * float(max(result.difference.difference.max(), result.difference.chance.max()))


def windows(result):
    """The kernel's window over the logarithm of the frequency, as high as the axis, and its part of the difference."""
    if not result.difference or result.moments is not None:
        return np.zeros((len(result.tests), 0)), np.zeros((len(result.tests), 0))
    d, w = len(result.samples.names), result.difference.frequencies
    if not isinstance(result.kernel, Gaussian):  # its window, where it has one, depends on the direction
        return np.zeros((len(result.tests), len(w))), np.zeros((len(result.tests), len(w)))
    theta = np.array([kernel.bandwidth for kernel in result.trials.kernels])[:, None]
    peak = window(np.sqrt(d) / theta, theta, d) * np.sqrt(d) / theta
    share = w * window(w, theta, d) / peak
    return share * highest(result) / 1.15, share * result.difference.difference


def checks(result):
    """How often the test rejected halves of P's sample and fresh samples of P and Q; the ends are 95 % intervals."""
    if result.checked is None:
        return nothing("x", "y", "low", "high", "fill")
    n, (equal, fresh) = len(result.samples.X), result.checked
    both = [(max(n // 2, SIZE_RANGE[0]), equal, 0.0), *([(n, fresh, 1.0)] if fresh else [])]
    low, high = np.transpose([check.interval() for _, check, _ in both])
    x, rates, fill = zip(*((float(x), check.rate, fill) for x, check, fill in both), strict=True)
    return {"x": np.array(x), "y": np.array(rates), "low": low, "high": high, "fill": np.array(fill)}
