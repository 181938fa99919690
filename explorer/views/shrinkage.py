"""The Shrinkage lab's pictures: loss over λ, the sample with its weights, and what becomes of each eigendirection."""

from __future__ import annotations

import numpy as np
from bokeh.models import BoxAnnotation, ColumnDataSource, Range1d, Span

from .base import View
from .shrinkage_columns import (
    GAMMA_RANGE,
    LAM_RANGE,
    LOSS_RANGE,
    SHARE_RANGE,
    columns,
    frame,
    lam_tables,
    pinned,
    seen_columns,
)
from .style import aim, canvas, decades, square, ticks

MOVES = "overlay"  # the layer of what follows λ: a canvas repaints it alone, without axes, words and curves


class ShrinkageView(View):
    """Five figures, of which three are seen at a time, over shared sources.

    `show` writes the columns of a result into them.
    """

    columns, seen, tables = staticmethod(columns), staticmethod(seen_columns), staticmethod(lam_tables)

    def __init__(self, result, dark=False):
        super().__init__(result, dark)
        self.pinned = ColumnDataSource(pinned(None))
        self.hero, self.sample, self.filter = self._hero(), self._sample(result), self._filter()
        self.coefficients, self.risk = self._coefficients(), self._risk()
        self.figures = {
            "loss": self.hero,
            "sample": self.sample,
            "filter": self.filter,
            "coefficients": self.coefficients,
            "risk": self.risk,
        }
        # where they stand on a page: the last three share a place, one at a time
        self.places = {
            "loss": [self.hero],
            "sample": [self.sample],
            "small": [self.filter, self.coefficients, self.risk],
        }

    def pin(self, result):
        """Keep a result's curves in the picture, faint, or none."""
        self.pinned.data = pinned(result)

    def aim(self, result):
        aim(self.sample, *frame(result))
        first, second = _axes(result)
        self.sample.xaxis.axis_label, self.sample.yaxis.axis_label = first, second
        self.sample.title.text = _title(result)

    def _hero(self):
        plot = canvas(
            "Loss relative to the plain average (KME = 1)",
            "λ (log scale)",
            "loss / loss of KME",
            340,
            x_axis_type="log",
            x_range=Range1d(*LAM_RANGE),
            y_range=Range1d(*LOSS_RANGE),
        )
        ticks(plot, plot.xaxis, decades(-4, 2))
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1", 1.5: "1.5"})
        paint, s = self.paint, self.sources
        plot.add_layout(paint(BoxAnnotation(bottom=1, fill_alpha=0.07, line_color=None), "harm", "fill_color"))
        plot.add_layout(paint(Span(location=1, dimension="width", line_width=2), "kme", "line_color"))
        for name, role in (("simple", "skmse"), ("flexible", "fkmse")):
            for low, high in ((0, 3), (1, 2)):  # 90 % of the samples, then 50 %
                band = plot.varea("lam", f"{name}_{low}", f"{name}_{high}", source=s["bands"], fill_alpha=0.13)
                paint(band.glyph, role, "fill_color")
        for name, role, dash in (("simple", "skmse", "solid"), ("flexible", "fkmse", "dashed")):
            paint(
                plot.line("lam", f"{name}_score", source=s["curves"], line_width=1.5, line_dash="dotted").glyph,
                role,
                "line_color",
            )
            paint(
                plot.line("lam", f"{name}_loss", source=s["curves"], line_width=3, line_dash=dash).glyph,
                role,
                "line_color",
            )
        marks = plot.scatter("x", "y", source=s["gamma0"], marker="inverted_triangle", size=7)
        paint(marks.glyph, "fkmse", "line_color", "fill_color")
        words = plot.text(
            "x", "y", text="c", source=s["gamma0"], x_offset=7, text_baseline="middle", text_font_size="11px"
        )
        paint(words.glyph, "fkmse", "text_color")
        for name, role, dash in (("simple", "skmse", "solid"), ("flexible", "fkmse", "dashed")):
            kept = plot.line("lam", name, source=self.pinned, line_width=6, line_alpha=0.3, line_dash=dash)
            paint(kept.glyph, role, "line_color")
        line = plot.vspan("x", source=s["line"], line_width=1.5, line_alpha=0.6, level=MOVES)
        paint(line.glyph, "truth", "line_color")
        for name, role, marker in (("simple", "skmse", "square"), ("flexible", "fkmse", "circle")):
            dots = plot.scatter(
                "x", "y", size="size", fill_alpha="fill", source=s[name], marker=marker, line_width=2, level=MOVES
            )
            paint(dots.glyph, role, "line_color", "fill_color")
        return plot

    def _sample(self, result):
        first, second = _axes(result)
        plot = canvas(_title(result), first, second, 300, x_range=Range1d(-1, 1), y_range=Range1d(-1, 1))
        paint, s = self.paint, self.sources
        law = plot.ellipse(
            "x", "y", "width", "height", "angle", source=s["law"], fill_alpha=0, line_dash="dotted", line_width=2
        )
        paint(law.glyph, "truth", "line_color")
        blob = {"source": s["target"], "fill_alpha": 0, "line_width": 2, "level": MOVES}
        paint(plot.ellipse("x", "y", "width", "width", line_dash="dashed", **blob).glyph, "skmse", "line_color")
        paint(plot.scatter("x", "y", marker="diamond_cross", size=16, **blob).glyph, "skmse", "line_color")
        rings = plot.scatter("x", "y", size="unit", source=s["sample"], fill_alpha=0, line_alpha=0.45)
        paint(rings.glyph, "kme", "line_color")
        weights = plot.scatter(
            "x", "y", size="size", source=s["weights"], fill_alpha="alpha", line_width=1, level=MOVES
        )
        paint(weights.glyph, "fkmse", "line_color", "fill_color")
        strays = plot.scatter("x", "y", source=s["strays"], marker="x", size=13, line_width=2, level=MOVES)
        paint(strays.glyph, "outlier", "line_color")
        square(plot, *frame(result))
        return plot

    def _filter(self):
        plot = canvas(
            "What is kept of each eigendirection",
            "eigenvalue γ / mean k(x, x) (log scale)",
            "filter h(γ)",
            300,
            x_axis_type="log",
            x_range=Range1d(*GAMMA_RANGE),
            y_range=Range1d(-0.08, 1.12),
        )
        ticks(plot, plot.xaxis, decades(-4, 3))
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1"})
        paint, s = self.paint, self.sources
        plot.add_layout(paint(Span(location=1, dimension="width", line_width=2), "kme", "line_color"))
        paint(plot.hspan("y", source=s["level"], line_width=3, level=MOVES).glyph, "skmse", "line_color")
        kept = plot.line("gamma", "h", source=s["filter"], line_width=3, line_dash="dashed", level=MOVES)
        paint(kept.glyph, "fkmse", "line_color")
        paint(
            plot.scatter("gamma", "y", source=s["rug"], marker="dash", angle=np.pi / 2, size=12, line_alpha=0.7).glyph,
            "truth",
            "line_color",
        )
        return plot

    def _coefficients(self):
        plot = canvas(
            "Coefficients before and after shrinking",
            "eigenvalue γ / mean k(x, x) (log scale)",
            "|<μ̂, v>| / |μ̂| (log scale)",
            300,
            x_axis_type="log",
            y_axis_type="log",
            x_range=Range1d(*GAMMA_RANGE),
            y_range=Range1d(*SHARE_RANGE),
        )
        ticks(plot, plot.xaxis, decades(-4, 3))
        ticks(plot, plot.yaxis, {1e-3: "0.001", 1e-2: "0.01", 1e-1: "0.1", 1.0: "1"})
        source, paint = self.sources["coefficients"], self.paint
        stems = plot.segment(
            "gamma", "before", "gamma", "flexible", source=source, line_width=1, line_alpha=0.5, level=MOVES
        )
        paint(stems.glyph, "kme", "line_color")
        for name, role, marker, size in (
            ("before", "kme", "circle", 8),
            ("simple", "skmse", "square", 6),
            ("flexible", "fkmse", "circle", 6),
        ):
            dots = plot.scatter(
                "gamma",
                name,
                source=source,
                marker=marker,
                size=size,
                level=MOVES,
                fill_alpha=0.0 if name == "before" else 0.75,
                line_width=1.5,
            )
            paint(dots.glyph, role, "line_color", "fill_color")
        return plot

    def _risk(self):
        plot = canvas(
            "Expected loss of S-KMSE (KME = 1)",
            "λ (log scale)",
            "variance, squared bias on top",
            300,
            x_axis_type="log",
            x_range=Range1d(*LAM_RANGE),
            y_range=Range1d(*LOSS_RANGE),
        )
        ticks(plot, plot.xaxis, decades(-4, 2))
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1", 1.5: "1.5"})
        paint, source = self.paint, self.sources["risk"]
        paint(plot.varea("lam", 0, "variance", source=source, fill_alpha=0.35).glyph, "skmse", "fill_color")
        bias = plot.varea(
            "lam",
            "variance",
            "total",
            source=source,
            fill_alpha=0.12,
            hatch_pattern="right_diagonal_line",
            hatch_alpha=0.5,
            hatch_scale=8,
        )
        paint(bias.glyph, "skmse", "fill_color", "hatch_color")
        paint(plot.line("lam", "total", source=source, line_width=3).glyph, "skmse", "line_color")
        plot.add_layout(paint(Span(location=1, dimension="width", line_width=2), "kme", "line_color"))
        line = plot.vspan("x", source=self.sources["line"], line_width=1.5, line_alpha=0.6, level=MOVES)
        paint(line.glyph, "truth", "line_color")
        return plot


def _title(result):
    return f"Sample, area = weight of {result.flexible_name}"


def _axes(result):
    """The names of the two coordinates that are drawn."""
    return result.names[0], result.names[1] if len(result.names) > 1 else "(one coordinate only)"
