"""The MONK lab's small pictures, as figures over a view's sources `s`.

`paint` gives glyphs the colours of their roles.
"""

from __future__ import annotations

from bokeh.models import Range1d

from .monk_axis import LEAST_ERROR
from .monk_small_columns import COUNT_RANGE, LEVELS
from .style import canvas, ticks

MOVES = "overlay"  # the layer of what follows Q: a canvas repaints it alone, without axes, words and points
DASHES = {5: "dotted", 11: "solid", 21: "dashed"}


def cliff(paint, s):
    """Errors over the number of planted outliers, for U and for votes of several numbers of blocks."""
    plot = canvas(
        "Error over outliers",
        "planted outliers",
        "error of the MMD (log scale)",
        280,
        y_axis_type="log",
        x_range=Range1d(*COUNT_RANGE),
        y_range=Range1d(LEAST_ERROR, 10),
    )
    ticks(plot, plot.xaxis, {v: str(v) for v in range(0, 21, 5)})
    for name in ("U", *DASHES):
        role, source = "kme" if name == "U" else "monk", s[f"cliff_{name}"]
        paint(plot.varea("x", "low", "high", source=source, fill_alpha=0.1).glyph, role, "fill_color")
        line = plot.line("x", "middle", source=source, line_width=2.5, line_dash=DASHES.get(name, "solid"))
        paint(line.glyph, role, "line_color")
    here = plot.vspan("x", source=s["count"], line_width=1.5, line_alpha=0.6, level=MOVES)
    paint(here.glyph, "truth", "line_color")
    cliffs = plot.scatter("x", "y", source=s["needed"], marker="triangle", size=9)
    paint(cliffs.glyph, "monk", "line_color", "fill_color")
    words = plot.text(
        "x", "y", text="words", source=s["needed"], x_offset=7, text_baseline="middle", text_font_size="11px"
    )
    paint(words.glyph, "monk", "text_color")
    return plot


def quantiles(paint, s):
    """How large the errors of mean embeddings get, and where the theorem says anything."""
    plot = canvas(
        "Error of the embedding",
        "ln(1/η): one sample in 1/η is worse",
        "|μ̂ − μ| (log scale)",
        280,
        y_axis_type="log",
        x_range=Range1d(0, float(LEVELS[-1])),
        y_range=Range1d(LEAST_ERROR, 10),
    )
    ticks(plot, plot.xaxis, {v: str(v) for v in range(4)})
    blank = plot.quad(
        "left",
        "right",
        1e25,
        1e-9,
        source=s["vacuous"],
        fill_alpha=0.03,
        line_width=0,
        hatch_pattern="right_diagonal_line",
        hatch_alpha=0.18,
        hatch_scale=10,
    )
    paint(blank.glyph, "truth", "fill_color", "hatch_color")
    words = plot.text(
        "left", "at", text="words", source=s["vacuous"], x_offset=6, text_baseline="middle", text_font_size="12px"
    )
    paint(words.glyph, "truth", "text_color")
    bound = plot.line("x", "y", source=s["bound"], line_width=4, line_dash="dotted")
    paint(bound.glyph, "truth", "line_color")
    for name, role in (("KME", "kme"), (11, "monk"), (21, "monk")):
        line = plot.line("x", "y", source=s[f"rank_{name}"], line_width=2.5, line_dash=DASHES.get(name, "solid"))
        paint(line.glyph, role, "line_color")
    return plot


def steps(paint, s):
    """The medians of an iteration, and the block means after one step."""
    plot = canvas(
        "Block coordinate descent, step by step",
        "iteration",
        "block means (signed log scale)",
        280,
        x_range=Range1d(0, 101),
        y_range=Range1d(-1, 1),
    )
    ticks(plot, plot.xaxis, {1: "1", **{v: str(v) for v in range(20, 101, 20)}})
    truth = plot.hspan("y", source=s["truth_step"], line_width=2, line_dash="dotted")
    paint(truth.glyph, "truth", "line_color")
    for name, role, dash in (("monk", "monk", "solid"), ("fast", "monkfast", "dashed")):
        paint(plot.line("x", name, source=s["history"], line_width=2, line_dash=dash).glyph, role, "line_color")
    here = plot.vspan("x", source=s["at_step"], line_width=1.5, line_alpha=0.6, level=MOVES)
    paint(here.glyph, "truth", "line_color")
    dots = plot.scatter("x", "y", source=s["step"], marker="hex", size=8, fill_alpha=0.75, level=MOVES)
    paint(dots.glyph, "monk", "line_color", "fill_color")
    return plot


def functions(paint, s):
    """Mean embeddings as functions."""
    plot = canvas(
        "The mean embedding, as a function",
        "x (first coordinate)",
        "μ(x)",
        280,
        x_range=Range1d(-4, 4),
        y_range=Range1d(-1, 1),
    )
    source = s["functions"]
    for name, role, dash, width in (
        ("kme", "kme", "solid", 2.5),
        ("median", "monk", "dashed", 3),
        ("truth", "truth", "dotted", 2),
    ):
        paint(plot.line("x", name, source=source, line_width=width, line_dash=dash).glyph, role, "line_color")
    return plot


FIGURES = {"cliff": cliff, "quantiles": quantiles, "steps": steps, "embedding": functions}
