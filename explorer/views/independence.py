"""The Independence lab's pictures.

The pairs and where they crowd, what a shuffled pairing would give, and six smaller ones.
"""

from __future__ import annotations

import numpy as np
from bokeh.models import ColumnDataSource, CustomJS, LinearColorMapper, Range1d, Span

from .base import View
from .independence_columns import (
    BEST,
    EDGE,
    GAPS,
    HIGHEST,
    MEASURES,
    RANKS,
    SIDE,
    Z_RANGE,
    columns,
    pinned,
    seen_columns,
    sigma_tables,
    top_of,
)
from .marks import GROUNDS
from .style import canvas, ticks

MOVES = "overlay"  # the layer of what follows the hand: a canvas repaints it alone
IMAGE = """
const [image] = ground.data.image, {w} = cb_obj.data
if (w.length === image.length) { image.set(w); ground.change.emit() }
"""


class IndependenceView(View):
    """Eight figures, of which three are seen at a time, over shared sources."""

    columns, seen, tables = staticmethod(columns), staticmethod(seen_columns), staticmethod(sigma_tables)

    def __init__(self, result, dark=False):
        super().__init__(result, dark)
        self.pinned = {name: ColumnDataSource(data) for name, data in pinned(None).items()}
        self.levels = []
        self.ground = LinearColorMapper(palette=GROUNDS[dark], low=-1, high=1)
        self.hero, self.null = self._hero(result), self._null()
        self.small = {
            "pair": self._pair(),
            "gram": self._gram(),
            "measures": self._measures(),
            "ranks": self._ranks(),
            "power": self._power(),
            "columns": self._columns(),
        }
        self.figures = {"sample": self.hero, "null": self.null, **self.small}
        self.places = {"sample": [self.hero], "null": [self.null], "small": list(self.small.values())}
        self.aim(result)

    def pin(self, result):
        """Keep where a result was observed, or nothing."""
        for name, data in pinned(result).items():
            self.pinned[name].data = data

    def aim(self, result):
        cx, cy, half, high = result.pairs.frame
        x, y = result.pairs.names[0], result.pairs.names[-1]
        self.hero.x_range.update(start=cx - EDGE * half, end=cx + EDGE * half)
        self.hero.y_range.update(start=cy - EDGE * high, end=cy + EDGE * high)
        self.hero.xaxis.axis_label, self.hero.yaxis.axis_label = x, y
        self.null.y_range.end = top_of(result)
        self.small["columns"].title.text = f"Columns by their dependence on {y}"
        for span in self.levels:
            span.location = result.lab.alpha

    def _image(self, plot, name, high, ground):
        """Let a source's column `w`, row by row from below, be an image of so many rows.

        It paints in a tenth of the time that tiles take, and a browser that answers a slider changes nothing but that
        column.
        """
        w = np.asarray(self.sources[name].data["w"], dtype=np.float32)
        ground.data["image"] = [w.reshape(high, -1)]
        plot.image("image", "x", "y", "dw", "dh", source=ground, color_mapper=self.ground, level="image")
        self.sources[name].js_on_change("change", CustomJS(args={"ground": ground}, code=IMAGE))

    def _hero(self, result):
        plot = canvas(
            "Click adds a pair, a drag moves one", "x", "y", 400, x_range=Range1d(-1, 1), y_range=Range1d(-1, 1)
        )
        paint, s = self.paint, self.sources
        self._image(plot, "field", len(result.axes[1]), s["ground"])
        ghosts = plot.scatter("x", "y", source=s["shuffled"], size=6, fill_alpha=0, line_width=1.4, level=MOVES)
        paint(ghosts.glyph, "monkfast", "line_color")
        points = plot.scatter("x", "y", source=s["sample"], size=7, fill_alpha=0.85, line_width=0.5, level=MOVES)
        paint(points.glyph, "fkmse", "fill_color", "line_color")
        for name, size in (("moved", 12), ("placed", 12)):
            crosses = plot.scatter("x", "y", source=s[name], marker="x", size=size, line_width=2, level=MOVES)
            paint(crosses.glyph, "outlier", "line_color")
        ring = plot.scatter("x", "y", source=s["chosen"], size=18, fill_alpha=0, line_width=2, level=MOVES)
        paint(ring.glyph, "truth", "line_color")
        return plot

    def _null(self):
        plot = canvas(
            "What a shuffled pairing would give",
            "HSIC in standard deviations of the shuffles",
            "share of the shuffles",
            258,
            x_range=Range1d(*Z_RANGE),
            y_range=Range1d(0, HIGHEST[1]),
        )
        ticks(plot, plot.xaxis, {-2: "−2", 0: "0", 2: "2", 4: "4", 6: "6", 8: "8", 10: "10"})
        paint, s = self.paint, self.sources
        bars = {"left": "left", "right": "right", "bottom": 0, "source": s["null"], "level": MOVES}
        paint(
            plot.quad(top="top", fill_alpha=0.55, line_width=0.5, line_alpha=0.5, **bars).glyph,
            "kme",
            "fill_color",
            "line_color",
        )
        paint(plot.quad(top="tail", fill_alpha=0.9, line_color=None, **bars).glyph, "harm", "fill_color")
        paint(plot.line("at", "gamma", source=s["null"], line_width=2, level=MOVES).glyph, "skmse", "line_color")
        kept = plot.vspan("x", source=self.pinned["observed"], line_width=6, line_alpha=0.3)
        paint(kept.glyph, "truth", "line_color")
        limit = plot.vspan("limit", source=s["null"], line_width=2, line_dash="dashed", level=MOVES)
        paint(limit.glyph, "harm", "line_color")
        paint(plot.vspan("one", source=s["null"], line_width=3, level=MOVES).glyph, "monkfast", "line_color")
        paint(plot.vspan("x", source=s["null"], line_width=3, level=MOVES).glyph, "truth", "line_color")
        beyond = plot.scatter(
            "x", "y", source=s["null"], marker="triangle", angle=-np.pi / 2, size="beyond", level=MOVES
        )
        paint(beyond.glyph, "truth", "fill_color", "line_color")
        return plot

    def _pair(self):
        plot = canvas(
            "The leading pair: f(x) solid, g(y) dashed",
            "x and y, from end to end of the picture of pairs",
            "by its largest value",
            250,
            x_range=Range1d(-1.04, 1.04),
            y_range=Range1d(-1.1, 1.1),
        )
        ticks(plot, plot.xaxis, {-1: "low", 0: "middle", 1: "high"})
        ticks(plot, plot.yaxis, {-1: "−1", 0: "0", 1: "1"})
        paint, s = self.paint, self.sources
        plot.add_layout(paint(Span(location=0, dimension="width", line_width=1), "kme", "line_color"))
        paint(plot.line("x", "f", source=s["pair"], line_width=3, level=MOVES).glyph, "skmse", "line_color")
        paint(
            plot.line("across", "g", source=s["pair"], line_width=3, line_dash="dashed", level=MOVES).glyph,
            "fkmse",
            "line_color",
        )
        return plot

    def _gram(self):
        plot = canvas(
            "Centred Gram matrices in the order of x: below of x, above of y",
            "pairs from small x to large",
            "",
            250,
            x_range=Range1d(-0.01, 1.01),
            y_range=Range1d(-0.01, 1.01),
        )
        ticks(plot, plot.xaxis, {})
        ticks(plot, plot.yaxis, {})
        self._image(plot, "cells", SIDE, ColumnDataSource({"x": [0], "y": [0], "dw": [1], "dh": [1]}))
        self.paint(plot.line([0, 1], [1, 0], line_width=1.5).glyph, "kme", "line_color")
        return plot

    def _measures(self):
        plot = canvas(
            "Three measures, and what chance reaches at the level",
            "coefficient",
            "",
            250,
            x_range=Range1d(0, 1.02),
            y_range=Range1d(0.5, 3.9),
        )
        ticks(plot, plot.yaxis, {})
        paint, source = self.paint, self.sources["measures"]
        paint(
            plot.segment(0, "y", "value", "y", source=source, line_width=5, line_alpha=0.5, level=MOVES).glyph,
            "kme",
            "line_color",
        )
        chance = plot.scatter(
            "limit", "y", source=source, marker="dash", angle=np.pi / 2, size=26, line_width=2.5, level=MOVES
        )
        paint(chance.glyph, "harm", "line_color")
        paint(
            plot.scatter("value", "y", source=source, size=11, level=MOVES).glyph, "truth", "fill_color", "line_color"
        )
        names = ColumnDataSource({"y": [y + 0.4 for y in (3, 2, 1)], "text": list(MEASURES)})
        words = plot.text(0, "y", text="text", source=names, x_offset=6, text_font_size="12px", text_baseline="middle")
        paint(words.glyph, "truth", "text_color")
        return plot

    def _ranks(self):
        plot = canvas(
            "What kernels of low rank may lack of HSIC",
            "rank r",
            "HSIC − HSIC of rank r (log scale)",
            250,
            y_axis_type="log",
            x_range=Range1d(*RANKS),
            y_range=Range1d(*GAPS),
        )
        ticks(plot, plot.yaxis, {10.0**e: f"1e{e}".replace("-", "−") if e else "1" for e in (-12, -8, -4, 0)})
        paint, s = self.paint, self.sources
        paint(plot.line("x", "bound", source=s["ranks"], line_width=3).glyph, "harm", "line_color")
        paint(plot.line("x", "gap", source=s["ranks"], line_width=2.5, line_dash="dashed").glyph, "kme", "line_color")
        paint(
            plot.vspan("x", source=s["rank"], line_width=1.5, line_alpha=0.6, level=MOVES).glyph, "truth", "line_color"
        )
        for name, role in (("bound", "harm"), ("gap", "kme")):
            paint(
                plot.scatter("x", name, source=s["rank"], size=11, level=MOVES).glyph, role, "fill_color", "line_color"
            )
        return plot

    def _power(self):
        plot = canvas(
            "How often parts of these pairs show it",
            "share of the pairs",
            "chance of p at most the level",
            250,
            x_range=Range1d(0, 1.12),
            y_range=Range1d(0, 1.05),
        )
        ticks(plot, plot.xaxis, {0.1: "10 %", 0.3: "30 %", 0.5: "50 %", 0.7: "70 %", 1.0: "all"})
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1"})
        paint, s = self.paint, self.sources
        line = Span(location=0.05, dimension="width", line_width=1.5, line_dash="dashed")
        self.levels.append(paint(line, "harm", "line_color"))
        plot.add_layout(line)
        paint(plot.varea("x", "low", "high", source=s["power"], fill_alpha=0.18).glyph, "truth", "fill_color")
        paint(
            plot.line("x", "pearson", source=s["power"], line_width=2.5, line_dash="dashed").glyph, "kme", "line_color"
        )
        paint(plot.line("x", "hsic", source=s["power"], line_width=3).glyph, "truth", "line_color")
        paint(plot.scatter("x", "hsic", source=s["power"], size=7).glyph, "truth", "fill_color", "line_color")
        paint(plot.segment("x", "low", "x", "high", source=s["squares"], line_width=2).glyph, "skmse", "line_color")
        paint(
            plot.scatter(
                "x", "y", source=s["squares"], marker="square", size=10, fill_alpha="fill", line_width=2
            ).glyph,
            "skmse",
            "fill_color",
            "line_color",
        )
        return plot

    def _columns(self):
        plot = canvas(
            "Columns by their dependence on y",
            "correlation of HSIC",
            "",
            250,
            x_range=Range1d(0, 1.02),
            y_range=Range1d(0.5, BEST + 0.9),
        )
        ticks(plot, plot.yaxis, {})
        paint, s = self.paint, self.sources
        paint(
            plot.segment(0, "y", "x", "y", source=s["columns"], line_width=4, line_alpha=0.5).glyph, "kme", "line_color"
        )
        paint(
            plot.scatter("x", "y", source=s["columns"], size=10, fill_alpha="fill", line_width=2).glyph,
            "truth",
            "fill_color",
            "line_color",
        )
        words = plot.text(
            "x",
            "y",
            text="text",
            source=s["named"],
            x_offset="offset",
            text_align="align",
            text_font_size="12px",
            text_baseline="middle",
        )
        paint(words.glyph, "truth", "text_color")
        return plot
