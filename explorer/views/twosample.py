"""The Two-sample lab's pictures.

What shuffled labels would give, the samples with their witness, and five smaller ones.
"""

from __future__ import annotations

import numpy as np
from bokeh.models import BoxAnnotation, ColumnDataSource, LinearColorMapper, Range1d, Span

from .base import View
from .style import aim, canvas, colour, decades, square, ticks
from .twosample_columns import (
    BANDWIDTH_RANGE,
    FREQUENCY_RANGE,
    HIGHEST,
    P_RANGE,
    SIZE_RANGE,
    Z_RANGE,
    bandwidth_tables,
    columns,
    pinned,
    seen_columns,
    top_of,
    xray_top,
)

MOVES = "overlay"  # the layer of what follows the bandwidth: a canvas repaints it alone
P_TICKS = {0.001: "0.001", 0.01: "0.01", 0.05: "0.05", 0.2: "0.2", 1.0: "1"}
ORANGE, BLUE, NOTHING = "#D9730D", "#1F78C8", "#00000000"
STEPS = (0.1, 0.2, 0.31, 0.43, 0.56)  # how strong a colour is, from where the witness is nearly 0 to its extreme


def _ground(dark):
    """The witness's colours from where Q has more to where P has, on a ground: opaque, so that tiles leave no seams."""
    base = colour("ground", dark)

    def mixed(tint, share):
        parts = ((int(tint[i : i + 2], 16), int(base[i : i + 2], 16)) for i in (1, 3, 5))
        return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in parts)

    return [*(mixed(ORANGE, share) for share in STEPS[::-1]), NOTHING, *(mixed(BLUE, share) for share in STEPS)]


GROUNDS = [_ground(False), _ground(True)]


class TwoSampleView(View):
    """Eight figures, of which three are seen at a time, over shared sources."""

    columns, seen, tables = staticmethod(columns), staticmethod(seen_columns), staticmethod(bandwidth_tables)

    def __init__(self, result, dark=False):
        super().__init__(result, dark)
        self.pinned = {name: ColumnDataSource(data) for name, data in pinned(None).items()}
        self.levels = []
        self.hero, self.plane, self.line = self._hero(), self._plane(result), self._line()
        small = {
            "bandwidths": self._strip(),
            "x-ray": self._xray(),
            "moments": self._moments(),
            "power": self._power(),
            "influence": self._influence(),
        }
        self.figures = {"null": self.hero, "plane": self.plane, "line": self.line, **small}
        self.places = {"null": [self.hero], "sample": [self.plane, self.line], "small": list(small.values())}
        self.aim(result)

    def pin(self, result):
        """Keep where a result was, and its p over bandwidths, or nothing."""
        for name, data in pinned(result).items():
            self.pinned[name].data = data

    def aim(self, result):
        first, second = result.samples.names[0], (*result.samples.names, "")[1]
        cx, cy, half = result.frame
        if len(result.samples.names) > 1:
            aim(self.plane, cx, cy, half)
            self.plane.xaxis.axis_label, self.plane.yaxis.axis_label = first, second
        else:
            self.line.x_range.update(start=cx - 1.04 * half, end=cx + 1.04 * half)
            self.line.xaxis.axis_label = first
        self.hero.y_range.end = top_of(result)
        self.figures["x-ray"].y_range.end = xray_top(result)
        level = result.lab.alpha
        self.level.update(top=level)
        for span in self.levels:
            span.location = level

    def _hero(self):
        plot = canvas(
            "What shuffled labels would give",
            "MMD² in standard deviations of the shuffles",
            "share of the shuffles",
            330,
            x_range=Range1d(*Z_RANGE),
            y_range=Range1d(0, HIGHEST[0]),
        )
        ticks(plot, plot.xaxis, {-2: "−2", 0: "0", 2: "2", 4: "4", 6: "6", 8: "8"})
        paint, s = self.paint, self.sources
        bars = {"left": "left", "right": "right", "bottom": 0, "source": s["null"], "level": MOVES}
        paint(
            plot.quad(top="top", fill_alpha=0.55, line_width=0.5, line_alpha=0.5, **bars).glyph,
            "kme",
            "fill_color",
            "line_color",
        )
        paint(
            plot.quad(
                top="tail",
                fill_alpha=0.9,
                line_color=None,
                hatch_pattern="right_diagonal_line",
                hatch_alpha=0.5,
                hatch_scale=6,
                **bars,
            ).glyph,
            "harm",
            "fill_color",
            "hatch_color",
        )
        kept = plot.vspan("x", source=self.pinned["observed"], line_width=6, line_alpha=0.3)
        paint(kept.glyph, "truth", "line_color")
        limit = plot.vspan("x", source=s["threshold"], line_width=2, line_dash="dashed", level=MOVES)
        paint(limit.glyph, "harm", "line_color")
        paint(plot.vspan("x", source=s["observed"], line_width=3, level=MOVES).glyph, "truth", "line_color")
        beyond = plot.scatter(
            "x", "y", source=s["observed"], marker="triangle", angle=-np.pi / 2, size="beyond", level=MOVES
        )
        paint(beyond.glyph, "truth", "fill_color", "line_color")
        return plot

    def _plane(self, result):
        plot = canvas(
            "The samples, and where each has more", "", "", 330, x_range=Range1d(-1, 1), y_range=Range1d(-1, 1)
        )
        self.ground = LinearColorMapper(palette=GROUNDS[self.paint.dark], low=-1, high=1)
        plot.rect(
            "x",
            "y",
            "width",
            "height",
            source=self.sources["field"],
            line_color=None,
            dilate=True,
            level="image",
            fill_color={"field": "w", "transform": self.ground},
        )
        self._points(plot)
        square(plot, *result.frame)
        return plot

    def _points(self, plot):
        paint, s = self.paint, self.sources
        filled = plot.scatter("x", "y", source=s["P"], size=7, fill_alpha=0.85, line_width=0.5, level=MOVES)
        paint(filled.glyph, "fkmse", "fill_color", "line_color")
        hollow = plot.scatter("x", "y", source=s["Q"], size=7, fill_alpha=0, line_width=1.6, level=MOVES)
        paint(hollow.glyph, "fkmse", "line_color")
        ends = plot.scatter("x", "y", source=s["extremes"], size=17, fill_alpha=0, line_width=2, level=MOVES)
        paint(ends.glyph, "truth", "line_color")
        strays = plot.scatter("x", "y", source=s["strays"], marker="x", size=14, line_width=2, level=MOVES)
        paint(strays.glyph, "outlier", "line_color")

    def _line(self):
        plot = canvas(
            "The samples, and where each has more",
            "",
            "witness, its largest value 1",
            330,
            x_range=Range1d(-1, 1),
            y_range=Range1d(-1.5, 1.5),
        )
        ticks(plot, plot.yaxis, {-1.22: "Q", -1: "", 0: "0", 1: "", 1.22: "P"})
        plot.add_layout(self.paint(Span(location=0, dimension="width", line_width=1.5), "kme", "line_color"))
        curve = self.sources["curve"]
        plot.varea("x", 0, "up", source=curve, fill_color=BLUE, fill_alpha=0.4, level=MOVES)
        plot.varea("x", 0, "down", source=curve, fill_color=ORANGE, fill_alpha=0.4, level=MOVES)
        self.paint(plot.line("x", "w", source=curve, line_width=3, level=MOVES).glyph, "kme", "line_color")
        self._points(plot)
        return plot

    def _level(self, plot, dimension):
        """The line of the test's level, in a picture of p or of power."""
        line = Span(location=0.05, dimension=dimension, line_width=1.5, line_dash="dashed")
        self.levels.append(self.paint(line, "harm", "line_color"))
        plot.add_layout(line)

    def _strip(self):
        plot = canvas(
            "p over RBF's bandwidth (blue: all at once)",
            "bandwidth × median (log scale)",
            "p (log scale)",
            250,
            x_axis_type="log",
            y_axis_type="log",
            x_range=Range1d(*BANDWIDTH_RANGE),
            y_range=Range1d(*P_RANGE),
        )
        ticks(plot, plot.xaxis, decades(-2, 1, 1))
        ticks(plot, plot.yaxis, P_TICKS)
        paint, s = self.paint, self.sources
        self.level = paint(BoxAnnotation(top=0.05, fill_alpha=0.07, line_color=None), "harm", "fill_color")
        plot.add_layout(self.level)
        self._level(plot, "width")
        kept = plot.line("x", "y", source=self.pinned["strip"], line_width=6, line_alpha=0.3)
        paint(kept.glyph, "kme", "line_color")
        paint(plot.line("x", "y", source=s["strip"], line_width=2).glyph, "kme", "line_color")
        paint(plot.scatter("x", "y", source=s["strip"], size=5).glyph, "kme", "fill_color", "line_color")
        paint(plot.line("x", "agg", source=s["many"], line_width=3, line_dash="dashed").glyph, "skmse", "line_color")
        paint(plot.line("x", "fuse", source=s["many"], line_width=3, line_dash="dotted").glyph, "skmse", "line_color")
        paint(
            plot.vspan("x", source=s["here"], line_width=1.5, line_alpha=0.6, level=MOVES).glyph, "truth", "line_color"
        )
        paint(plot.scatter("x", "y", source=s["here"], size=11, level=MOVES).glyph, "truth", "fill_color", "line_color")
        return plot

    def _xray(self):
        plot = canvas(
            "Kernel X-ray: what RBF hears of the difference",
            "frequency |ω| × median / √d (log scale)",
            "|φ_P − φ_Q|²",
            250,
            x_axis_type="log",
            x_range=Range1d(*FREQUENCY_RANGE),
            y_range=Range1d(0, 1),
        )
        ticks(plot, plot.xaxis, {0.1: "0.1", 1.0: "1", 10.0: "10"})
        paint, source = self.paint, self.sources["xray"]
        paint(plot.line("x", "chance", source=source, line_width=2, line_dash="dashed").glyph, "harm", "line_color")
        paint(plot.line("x", "difference", source=source, line_width=2.5).glyph, "truth", "line_color")
        paint(plot.varea("x", 0, "window", source=source, fill_alpha=0.18, level=MOVES).glyph, "kme", "fill_color")
        paint(plot.varea("x", 0, "product", source=source, fill_alpha=0.6, level=MOVES).glyph, "skmse", "fill_color")
        return plot

    def _moments(self):
        plot = canvas(
            "Kernel X-ray: which moments make up MMD²",
            "",
            "share of the biased MMD²",
            250,
            x_range=Range1d(0.4, 4.6),
            y_range=Range1d(0, 1.05),
        )
        ticks(plot, plot.xaxis, {1: "mean", 2: "second", 3: "third", 4: "all others"})
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1"})
        bars = plot.vbar("x", top="y", width=0.6, source=self.sources["moments"], fill_alpha=0.7)
        self.paint(bars.glyph, "skmse", "fill_color", "line_color")
        return plot

    def _power(self):
        plot = canvas(
            "Power of the test at other sizes",
            "n points of P, Q in proportion (log scale)",
            "chance of p at most the level",
            250,
            x_axis_type="log",
            x_range=Range1d(*SIZE_RANGE),
            y_range=Range1d(0, 1.05),
        )
        ticks(plot, plot.xaxis, {10.0: "10", 100.0: "100", 1000.0: "1000"})
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 0.8: "0.8", 1: "1"})
        paint, s = self.paint, self.sources
        plot.add_layout(
            paint(Span(location=0.8, dimension="width", line_width=1.5, line_dash="dotted"), "truth", "line_color")
        )
        self._level(plot, "width")
        paint(plot.line("x", "y", source=s["power"], line_width=3).glyph, "kme", "line_color")
        paint(
            plot.scatter("x", "y", source=s["plan"], size=11, fill_alpha="fill", line_width=2).glyph,
            "kme",
            "fill_color",
            "line_color",
        )
        paint(plot.segment("x", "low", "x", "high", source=s["checks"], line_width=2).glyph, "skmse", "line_color")
        paint(
            plot.scatter("x", "y", source=s["checks"], marker="square", size=10, fill_alpha="fill", line_width=2).glyph,
            "skmse",
            "fill_color",
            "line_color",
        )
        return plot

    def _influence(self):
        plot = canvas(
            "The rows that the answer hangs on",
            "p without the row (log scale)",
            "",
            250,
            x_axis_type="log",
            x_range=Range1d(*P_RANGE),
            y_range=Range1d(0.5, 5.9),
        )
        ticks(plot, plot.xaxis, P_TICKS)
        ticks(plot, plot.yaxis, {})
        paint, s = self.paint, self.sources
        self._level(plot, "height")
        paint(
            plot.segment("all", "y", "x", "y", source=s["rows"], line_width=2, line_alpha=0.6).glyph,
            "kme",
            "line_color",
        )
        paint(
            plot.scatter("all", "y", source=s["rows"], size=10, fill_alpha=0, line_width=2).glyph, "kme", "line_color"
        )
        paint(plot.scatter("x", "y", source=s["rows"], size=11).glyph, "truth", "fill_color", "line_color")
        words = plot.text(
            P_RANGE[0], "y", text="text", source=s["named"], x_offset=6, text_font_size="12px", text_baseline="middle"
        )
        paint(words.glyph, "truth", "text_color")
        return plot
