"""The errors of a sample and of more samples as a histogram, beside the bound that most of them keep."""

from __future__ import annotations

import numpy as np
from bokeh.core.properties import value

from . import glyphs
from .marks import nothing
from .picture import Small
from .style import Axis, chart

EDGES = np.linspace(0.0, 5.0, 51)  # of the bars, in units of 1 / sqrt(n)
ERROR = Axis("|μ̂ − μ| × √n", (0.0, 5.0), {float(i): f"{i}" for i in range(6)})
SHARE = Axis("share of samples", (0.0, 1.05), {0.0: "0", 0.5: "0.5", 1.0: "1"})


class Errors(Small):
    """Errors of the plain average: this sample's, those of more samples, and the bound for δ, proved and as printed."""

    name, late = "errors", "replicates"

    @staticmethod
    def columns(result):
        bars, lines = nothing("left", "right", "top"), nothing("error", "proved", "printed")
        if result.bound is not None:
            unit = np.sqrt(len(result.X))
            lines = {name: np.array([getattr(result.bound, name) * unit]) for name in ("error", "proved", "printed")}
            if result.replicates is not None:
                errors = np.sqrt(np.maximum(result.replicates.empirical, 0.0)) * unit
                count = np.histogram(np.minimum(errors, EDGES[-1]), EDGES)[0]
                bars = {"left": EDGES[:-1], "right": EDGES[1:], "top": count / len(errors)}
        return {"bars": bars, "lines": lines}

    def draw(self, paint, sources, result):
        plot, lines = chart("Error of the plain average and its bound", ERROR, SHARE), sources["lines"]
        bars = glyphs.quad(
            plot, left="left", right="right", top="top", bottom=0, source=sources["bars"], fill_alpha=0.5
        )
        paint(bars.glyph, "kme", "fill_color", "line_color")
        for name, role, dash, word, y in (
            ("error", "truth", "solid", "this sample", 0.97),
            ("proved", "harm", "dashed", "bound", 0.97),
            ("printed", "harm", "dotted", "as printed", 0.82),
        ):
            paint(glyphs.vspan(plot, name, source=lines, line_width=2.5, line_dash=dash).glyph, role, "line_color")
            shape = {"x_offset": 5, "text_font_size": "11px", "text_baseline": "middle"}
            paint(glyphs.text(plot, name, y, text=value(word), source=lines, **shape).glyph, role, "text_color")
        return plot
