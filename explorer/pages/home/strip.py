"""The picture to drag: two strips of points, their means, and the one reading that a hand moves along its slider."""

from __future__ import annotations

import numpy as np
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource, Range1d

from explorer.pages.handles import drag_point
from explorer.pages.theme import FONT
from explorer.views import glyphs, marks
from explorer.views.marks import MOVES
from explorer.views.style import canvas
from explorer.workbench.numbers import word

from . import masked

BORDER = 8  # px beside the frame
ROOM = (0.9, 0.7)  # units of x that the frame has before the first stop, where the names stand, and after the last
HEIGHTS = {"P": 1.45, "Q": 0.45}  # of the strips' middles
SPREAD = 0.56  # how high a strip is
GOLDEN = 0.6180339887498949
ENDS = masked.STOPS[0] - ROOM[0], masked.STOPS[-1] + ROOM[1]
BESIDE = tuple(room / (ENDS[1] - ENDS[0]) for room in ROOM)  # shares of the frame before and after the slider's track
COLUMNS = (("reading", "x"), ("reading", "hint"), ("P_mean", "x"))  # what the browser draws by itself
TICKS = (0.0, 4.0, 8.0, 12.0)  # of the slider
BELOW = {"text_baseline": "top", "y_offset": 3}  # px
REACHES = 0.36  # of a strip, how far the tick of a mean goes up and down


def heights(name):
    """Where a sample's points stand in its strip: no two alike, and none moves with another."""
    return HEIGHTS[name] + SPREAD * ((np.arange(masked.N) * GOLDEN) % 1 - 0.5)


def sources(P, Q):
    """What is drawn, all but the reading's place at one stop: P without it, Q, the reading, both means."""
    rest = np.arange(masked.N) != masked.ROW
    low, high = (np.array([HEIGHTS["P"] + sign * REACHES]) for sign in (-1, 1))
    return {
        "P": ColumnDataSource({"x": P[rest, 0], "y": heights("P")[rest]}),
        "Q": ColumnDataSource({"x": Q[:, 0], "y": heights("Q")}),
        "reading": ColumnDataSource({"x": [masked.START], "y": [HEIGHTS["P"]], "hint": [1.0]}),
        "P_mean": ColumnDataSource({"x": [float(P.mean())], "low": low, "high": high}),
        "Q_mean": ColumnDataSource({"x": [float(Q.mean())], "low": low - 1, "high": high - 1, "top": high}),
    }


def table(stops):
    """What the browser draws by itself, COLUMNS -> (stops, 1); the hint is there until the reading moves."""
    rows = [(stop.reading, float(stop.reading == masked.START), stop.mean) for stop in stops]
    return {key: np.array(column)[:, None] for key, column in zip(COLUMNS, zip(*rows, strict=True), strict=True)}


def draw(paint, drawn):
    """The figure."""
    plot = canvas("", "", "", 240, x_range=Range1d(*ENDS), y_range=Range1d(-0.05, 1.95))
    plot.min_border_left = plot.min_border_right = BORDER
    plot.min_border_top = plot.min_border_bottom = 0
    plot.axis.visible = plot.grid.visible = False
    words = {"text_font": {"value": FONT}, "text_font_size": "13px", "text_baseline": "bottom", "text_align": "center"}
    for name in "PQ":
        marks.across(plot, paint, HEIGHTS[name] - 0.5, "width", "truth", line_width=1, line_alpha=0.18)
        x, y = [ENDS[0] + 0.1], [HEIGHTS[name]]
        bold = {"text_font_size": "16px", "text_font_style": "bold", "text_align": "left", "text_baseline": "middle"}
        called = glyphs.text(plot, x, y, text=[name], **{**words, **bold})
        paint(called.glyph, "truth", "text_color")
    # as far up as the other sample, so that one sees the means meet
    dotted = {"source": drawn["Q_mean"], "line_width": 1.5, "line_dash": "dotted"}
    paint(glyphs.segment(plot, "x", "high", "x", "top", **dotted).glyph, "truth", "line_color")
    marks.dots(plot, paint, drawn["P"], "kme", size=8, fill_alpha=0.75, line_width=1)
    marks.dots(plot, paint, drawn["Q"], "kme", size=8, fill_alpha=0, line_width=1.5)
    for name in "PQ":
        source = drawn[f"{name}_mean"]
        tick = glyphs.segment(plot, "x", "low", "x", "high", source=source, line_width=2.5, level=MOVES)
        paint(tick.glyph, "truth", "line_color")
        called = glyphs.text(
            plot, "x", "low", text={"value": f"mean of {name}"}, source=source, level=MOVES, **{**words, **BELOW}
        )
        paint(called.glyph, "truth", "text_color")
    _reading(plot, paint, drawn["reading"], words)
    return plot


def _reading(plot, paint, source, words):
    """The point that one drags, a ring about it, and what to do with it."""
    marks.dots(plot, paint, source, "outlier", size=15, level=MOVES)
    ring = glyphs.scatter(plot, "x", "y", source=source, size=25, fill_alpha=0, line_alpha=0.5, level=MOVES)
    paint(ring.glyph, "outlier", "line_color")
    beside = {"text_font_size": "15px", "text_align": "right", "text_baseline": "middle", "x_offset": -18}  # px
    hint = {"source": source, "text_alpha": "hint", "level": MOVES, **words, **beside}
    told = glyphs.text(plot, "x", "y", text={"value": "← drag me"}, **hint)
    paint(told.glyph, "outlier", "text_color")


def slider():
    """The slider under the picture, whose knob stands under the reading: the track lies as the stops do."""
    frame = f"(100% - {2 * BORDER}px)"
    before, width = f"{BORDER}px + {frame} * {BESIDE[0]:.6f}", f"{frame} * {1 - sum(BESIDE):.6f}"
    track = {"width": f"calc({width})", "marginLeft": f"calc({before})", "marginRight": 0, "color": "text.primary"}
    label = {"position": "absolute", "width": "1px", "height": "1px", "overflow": "hidden", "clipPath": "inset(50%)"}
    return pmui.DiscreteSlider(
        label="reading",
        options={word(stop).replace("-", "−"): stop for stop in masked.STOPS},
        value=masked.START,
        marks=[{"value": masked.STOPS.index(tick), "label": f"{tick:g}"} for tick in TICKS],
        tooltips=False,
        track=False,
        size="small",
        sizing_mode="stretch_width",
        margin=0,
        # a knob that comes gliding after would not stand under the reading
        sx={"& .MuiSlider-root": track, "& .MuiFormLabel-root": label, "& .MuiSlider-thumb": {"transition": "none"}},
    )


def drag(plot, drawn, moved):
    """Let a hand drag the reading; the slider moves with it, and what follows of the slider follows."""
    stops = ColumnDataSource({"x": np.array(masked.STOPS)})
    drag_point(plot, drawn["reading"], moved, stops, "x")
