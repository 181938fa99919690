"""The Marginalized lab's pictures: loss over σ, the sample with its noise or its density, and four small ones."""

from __future__ import annotations

from bokeh.models import BoxAnnotation, ColumnDataSource, LinearColorMapper, Range1d, Span

from .base import View
from .marginalized_columns import LOSS_RANGE, SIGMA_RANGE, columns, pinned, seen_columns, sigma_tables
from .marginalized_plane import frame
from .marginalized_small import FIGURES, MOVES, SIGMA_TICKS
from .style import aim, canvas, colour, square, ticks

STRENGTHS = (0.0, 0.08, 0.16, 0.25, 0.34, 0.43, 0.52, 0.61, 0.7, 0.8)  # of the colours from no density to the peak
LINES = (("mkme", "solid", "triangle"), ("mmkme", "dashed", "inverted_triangle"))


def _ground(dark):
    """The colours of a density on a ground: opaque, so that cells leave no seams."""
    tint, base = colour("mkme", dark), colour("ground", dark)
    parts = [(int(tint[i : i + 2], 16), int(base[i : i + 2], 16)) for i in (1, 3, 5)]
    mixed = ["#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in parts) for share in STRENGTHS]
    return ["#00000000", *mixed[1:]]


GROUNDS = [_ground(False), _ground(True)]


class MarginalizedView(View):
    """Six figures, of which three are seen at a time, over shared sources.

    `show` writes the columns of a result into them.
    """

    columns, seen, tables = staticmethod(columns), staticmethod(seen_columns), staticmethod(sigma_tables)

    def __init__(self, result, dark=False):
        super().__init__(result, dark)
        self.pinned = ColumnDataSource(pinned(None))
        self.hero, self.sample = self._hero(), self._sample(result)
        self.small = {name: make(self.paint, self.sources) for name, make in FIGURES.items()}
        self.figures = {"loss": self.hero, "sample": self.sample, **self.small}
        # where they stand on a page: the small ones share a place, one at a time
        self.places = {"loss": [self.hero], "sample": [self.sample], "small": list(self.small.values())}

    def pin(self, result):
        """Keep a result's curves in the picture, faint, or none."""
        self.pinned.data = pinned(result)

    def aim(self, result):
        aim(self.sample, *frame(result))
        self.sample.xaxis.axis_label, self.sample.yaxis.axis_label = _axes(result)
        self.sample.title.text = _title(result)

    def _hero(self):
        plot = canvas(
            "Loss relative to the plain average (KME = 1)",
            "σ in data sd (log scale, 0 at its left end)",
            "loss / loss of KME",
            340,
            x_axis_type="log",
            x_range=Range1d(*SIGMA_RANGE),
            y_range=Range1d(*LOSS_RANGE),
        )
        ticks(plot, plot.xaxis, {SIGMA_RANGE[0]: "0", **SIGMA_TICKS})
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1", 1.5: "1.5"})
        paint, s = self.paint, self.sources
        plot.add_layout(paint(BoxAnnotation(bottom=1, fill_alpha=0.07, line_color=None), "harm", "fill_color"))
        plot.add_layout(paint(Span(location=1, dimension="width", line_width=2), "kme", "line_color"))
        for name, _, _ in LINES:
            for low, high in ((0, 3), (1, 2)):  # 90 % of the samples, then 50 %
                band = plot.varea("sigma", f"{name}_{low}", f"{name}_{high}", source=s["bands"], fill_alpha=0.13)
                paint(band.glyph, name, "fill_color")
        risk = plot.line("sigma", "mkme_risk", source=s["curves"], line_width=2, line_dash="dotdash")
        paint(risk.glyph, "truth", "line_color")
        for name, dash, _ in LINES:
            paint(
                plot.line("sigma", f"{name}_score", source=s["curves"], line_width=1.5, line_dash="dotted").glyph,
                name,
                "line_color",
            )
            paint(
                plot.line("sigma", f"{name}_loss", source=s["curves"], line_width=3, line_dash=dash).glyph,
                name,
                "line_color",
            )
            kept = plot.line("sigma", name, source=self.pinned, line_width=6, line_alpha=0.3, line_dash=dash)
            paint(kept.glyph, name, "line_color")
        line = plot.vspan("x", source=s["line"], line_width=1.5, line_alpha=0.6, level=MOVES)
        paint(line.glyph, "truth", "line_color")
        for name, _, marker in LINES:
            dots = plot.scatter(
                "x", "y", size="size", fill_alpha="fill", source=s[name], marker=marker, line_width=2, level=MOVES
            )
            paint(dots.glyph, name, "line_color", "fill_color")
        return plot

    def _sample(self, result):
        first, second = _axes(result)
        plot = canvas(_title(result), first, second, 300, x_range=Range1d(-1, 1), y_range=Range1d(-1, 1))
        paint, s = self.paint, self.sources
        self.ground = LinearColorMapper(palette=GROUNDS[self.paint.dark], low=0, high=1)
        plot.rect(
            "x",
            "y",
            "width",
            "height",
            source=s["cells"],
            line_color=None,
            dilate=True,
            level=MOVES,
            fill_color={"field": "density", "transform": self.ground},
        )
        copies = plot.scatter("x", "y", source=s["copies"], size=3, line_color=None, fill_alpha=0.3)
        paint(copies.glyph, "mkme", "fill_color")
        law = plot.ellipse(
            "x",
            "y",
            "width",
            "height",
            "angle",
            source=s["law"],
            fill_alpha=0,
            line_dash="dotted",
            line_width=2,
            level=MOVES,
        )
        paint(law.glyph, "truth", "line_color")
        discs = plot.circle(
            "x", "y", radius="radius", source=s["discs"], fill_alpha=0.1, line_width=1, line_alpha=0.7, level=MOVES
        )
        paint(discs.glyph, "mkme", "line_color", "fill_color")
        rims = plot.ellipse(
            "x",
            "y",
            "width",
            "height",
            source=s["ellipses"],
            fill_alpha=0,
            line_width=1,
            line_dash="dashed",
            line_alpha=0.6,
            level=MOVES,
        )
        paint(rims.glyph, "mmkme", "line_color")
        dots = plot.scatter("x", "y", source=s["points"], size=6, fill_alpha=0.9, line_width=0, level=MOVES)
        paint(dots.glyph, "kme", "fill_color")
        square(plot, *frame(result))
        return plot


def _title(result):
    if result.lab.ground == "discs":
        return "Sample, with discs of radius σ: drag a rim"
    return f"The density whose kernel mean {result.lab.ground} is"


def _axes(result):
    """The names of the two coordinates that are drawn."""
    return result.names[0], result.names[1] if len(result.names) > 1 else "(one coordinate only)"
