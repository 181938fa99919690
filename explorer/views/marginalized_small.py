"""The Marginalized lab's small pictures, as figures over a view's sources `s`.

`paint` gives glyphs their roles' colours.
"""

from __future__ import annotations

from bokeh.models import Range1d, Span

from .marginalized_small_columns import EXTRA_RANGE, GAMMA_RANGE, KEPT_RANGE, MISSED_RANGE
from .style import canvas, decades, ticks

MOVES = "overlay"  # the layer of what follows σ: a canvas repaints it alone, without axes, words and curves
HEIGHT = 280
SIGMA_TICKS = {0.03: "0.03", 0.1: "0.1", 0.3: "0.3", 1.0: "1", 3.0: "3"}


def words(plot, paint, role, x, y, text, **options):
    """A word beside a line, in its colour."""
    said = plot.text([x], [y], text=[text], text_font_size="11px", text_baseline="middle", **options)
    paint(said.glyph, role, "text_color")


def kernel(paint, s):
    """The kernel along a coordinate, and its expectation with noise on one point and on both."""
    plot = canvas(
        "The kernel, and with noise on its points",
        "distance along a coordinate, in θ",
        "k",
        HEIGHT,
        x_range=Range1d(-4, 4),
        y_range=Range1d(-0.03, 1.08),
    )
    ticks(plot, plot.xaxis, {v: f"{v}".replace("-", "−") for v in range(-4, 5, 2)})
    ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1"})
    source = s["slices"]
    # a source of its own: where one that follows σ has a part in the layer below, that is painted anew with all its
    # words
    paint(plot.line("at", "k", source=s["plain"], line_width=2.5).glyph, "kme", "line_color")
    for name, role, dash, width in (
        ("both", "mkme", "dotted", 2),
        ("one", "mkme", "solid", 3),
        ("first", "mmkme", "dashed", 2.5),
        ("second", "mmkme", "dotdash", 2),
    ):
        line = plot.line("at", name, source=source, line_width=width, line_dash=dash, level=MOVES)
        paint(line.glyph, role, "line_color")
    for i, (role, text) in enumerate(
        (
            ("kme", "─ k"),
            ("mkme", "─ one noisy"),
            ("mkme", "··· both noisy"),
            ("mmkme", "╌ MMKME, first"),
            ("mmkme", "─· second"),
        )
    ):
        words(plot, paint, role, -3.9, 1.02 - 0.095 * i, text)
    return plot


def filter_(paint, s):
    """What MKME keeps of each of KME's directions once it is projected on the sample, and the sum of its weights."""
    plot = canvas(
        "What MKME keeps of each direction, and Σβ",
        "eigenvalue γ (log scale)",
        "kept; Σβ as a line",
        HEIGHT,
        x_axis_type="log",
        x_range=Range1d(*GAMMA_RANGE),
        y_range=Range1d(KEPT_RANGE[0] - 0.05, KEPT_RANGE[1] + 0.05),
    )
    ticks(plot, plot.xaxis, decades(-4, 3))
    ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1", 1.5: "1.5"})
    plot.add_layout(paint(Span(location=1, dimension="width", line_width=2), "kme", "line_color"))
    paint(plot.hspan("y", source=s["sum"], line_width=2.5, line_dash="dashed", level=MOVES).glyph, "mkme", "line_color")
    said = plot.text(
        "x", "y", text="words", source=s["sum"], text_baseline="bottom", text_font_size="12px", level=MOVES
    )
    paint(said.glyph, "mkme", "text_color")
    dots = plot.scatter(
        "gamma", "kept", source=s["filter"], size="size", marker="triangle", fill_alpha=0.6, line_width=1, level=MOVES
    )
    paint(dots.glyph, "mkme", "line_color", "fill_color")
    return plot


def approximation(paint, s):
    """How far weights lie from the estimate: the best ones, the second-order ones, and those as printed."""
    plot = canvas(
        "How far weights are from MKME",
        "σ in data sd (log scale)",
        "distance, share of ‖μ̃‖ (log scale)",
        HEIGHT,
        x_axis_type="log",
        y_axis_type="log",
        x_range=Range1d(0.0075, 3.3),
        y_range=Range1d(*MISSED_RANGE),
    )
    ticks(plot, plot.xaxis, SIGMA_TICKS)
    ticks(plot, plot.yaxis, decades(-4, 1, 1))
    for name, role, dash, width in (
        ("kme", "kme", "solid", 2),
        ("projection", "mkme", "solid", 3),
        ("corrected", "mkme", "dashed", 3),
        ("printed", "harm", "dotdash", 2.5),
    ):
        paint(plot.line("sigma", name, source=s["missed"], line_width=width, line_dash=dash).glyph, role, "line_color")
    for i, (role, text) in enumerate(
        (("harm", "as printed ─·"), ("kme", "plain average ─"), ("mkme", "mended ╌"), ("mkme", "nearest weights ─"))
    ):
        words(plot, paint, role, 3.1, 4e-3 / 2.4**i, text, text_align="right")
    here = plot.scatter("x", "y", source=s["here"], size=8, fill_alpha=0.4, line_width=1.5, level=MOVES)
    paint(here.glyph, "truth", "line_color", "fill_color")
    return plot


def dice(paint, s):
    """How far the average over the first copies is from the estimate in closed form."""
    plot = canvas(
        "Average of noisy copies, from MKME",
        "copies (log scale)",
        "squared distance / loss of KME (log)",
        HEIGHT,
        x_axis_type="log",
        y_axis_type="log",
        x_range=Range1d(0.9, 56),
        y_range=Range1d(*EXTRA_RANGE),
    )
    ticks(plot, plot.xaxis, {1: "1", 2: "2", 5: "5", 10: "10", 20: "20", 50: "50"})
    ticks(plot, plot.yaxis, decades(-3, 1, 1))
    plot.add_layout(paint(Span(location=1, dimension="width", line_width=2), "kme", "line_color"))
    words(plot, paint, "kme", 50, 1.5, "loss of KME", text_align="right")
    words(plot, paint, "mkme", 1, 4e-3, "─ this throw")
    words(plot, paint, "truth", 1, 1.9e-3, "··· on average")
    expected = plot.line("copies", "expected", source=s["path"], line_width=2, line_dash="dotted", level=MOVES)
    paint(expected.glyph, "truth", "line_color")
    paint(plot.line("copies", "thrown", source=s["path"], line_width=3, level=MOVES).glyph, "mkme", "line_color")
    return plot


FIGURES = {"kernel": kernel, "filter": filter_, "approximation": approximation, "dice": dice}
