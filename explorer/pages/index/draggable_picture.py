"""Draggable picture of the home page: two strips of points, their means, and the one reading that the user moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource, Range1d

from explorer.languages import message, translate
from explorer.marks import ReferenceLine, TextLabel, dots, rings, segments, words
from explorer.pages.interaction.drag import drag_point
from explorer.pages.layout.theme import FONT
from explorer.types import Matrix, Points, Vector
from explorer.views.glyph_styles import add_glyphs
from explorer.views.style import canvas
from explorer.workbench.numbers import word

from . import outlier_example

if TYPE_CHECKING:
    from bokeh.plotting import figure

    from explorer.marks import Mark
    from explorer.views.glyphs import Sources
    from explorer.views.style import Painter

BORDER = 8  # space left and right of the frame, in px
ROOM = (0.9, 0.7)  # space before the first stop, for the names, and after the last, in units of x
HEIGHTS = {"P": 1.45, "Q": 0.45}  # height of the middle of each strip
SPREAD = 0.56  # height of a strip
GOLDEN = 0.6180339887498949
ENDS = outlier_example.STOPS[0] - ROOM[0], outlier_example.STOPS[-1] + ROOM[1]
BESIDE = tuple(room / (ENDS[1] - ENDS[0]) for room in ROOM)  # shares of the frame left and right of the track
COLUMNS = (("reading", "x"), ("P_mean", "x"))  # updated by the browser alone
TICKS = (0.0, 4.0, 8.0, 12.0)  # ticks of the slider
REACHES = 0.36  # half height of the tick of a mean, as a share of a strip


def heights(name: str) -> Vector:
    """Return the heights of a sample's points in its strip. They are all different, and each is fixed."""
    steps = np.arange(outlier_example.N, dtype=float)
    return HEIGHTS[name] + SPREAD * ((steps * GOLDEN) % 1 - 0.5)


def sources(P: Points, Q: Points) -> dict[str, ColumnDataSource]:
    """Return the data sources of the picture: P without the reading, Q, the reading, and both means."""
    rest = np.arange(outlier_example.N) != outlier_example.ROW
    low, high = (np.array([HEIGHTS["P"] + sign * REACHES]) for sign in (-1, 1))
    return {
        "P": ColumnDataSource({"x": P[rest, 0], "y": heights("P")[rest]}),
        "Q": ColumnDataSource({"x": Q[:, 0], "y": heights("Q")}),
        "reading": ColumnDataSource({"x": [outlier_example.START], "y": [HEIGHTS["P"]]}),
        "P_mean": ColumnDataSource({"x": [float(P.mean())], "low": low, "high": high}),
        "Q_mean": ColumnDataSource({"x": [float(Q.mean())], "low": low - 1, "high": high - 1, "top": high}),
    }


def table(stops: Sequence[outlier_example.Stop]) -> dict[tuple[str, str], Matrix]:
    """Return the values that the browser draws at each stop: an array (stops, 1) for each (source, column)."""
    rows = [(stop.reading, stop.mean) for stop in stops]
    return {key: np.array(column)[:, None] for key, column in zip(COLUMNS, zip(*rows, strict=True), strict=True)}


def mean_of(name: str, end: str, **place: Any) -> tuple[Mark, Mark]:
    """Return the marks of a sample's mean: its tick, and its name at one end of the tick."""
    told = {"says": MEANS[name], "px": 13, "align": "center", "font": FONT, **place}
    return (
        segments(f"{name}_mean", "truth", width=2.5, follows_slider=True),
        words(f"{name}_mean", "truth", "x", end, **told, follows_slider=True),
    )


GROUNDS = tuple(ReferenceLine("truth", y=HEIGHTS[name] - 0.5, style={"width": 1, "alpha": 0.18}) for name in "PQ")
CALLED: dict[str, Any] = {"dx": 0, "px": 16, "font": FONT, "bold": True}
MEANS = message({"P": "mean of P", "Q": "mean of Q"})
MARKS = (
    *(TextLabel("truth", ENDS[0] + 0.1, HEIGHTS[name], name, **CALLED) for name in "PQ"),
    # extended up to the other sample, to show whether the means coincide
    segments("Q_mean", "truth", "x", "high", "x", "top", width=1.5, dash="dotted"),
    dots("P", "kme", size=8, fill=0.75),
    rings("Q", "kme", size=8, width=1.5),
    # the names are above and below, so that the dotted line does not cross them
    *mean_of("P", "high", dy=-3, baseline="bottom"),
    *mean_of("Q", "low", dy=3, baseline="top"),
    # the draggable point, and a ring around it
    dots("reading", "outlier", size=15, follows_slider=True),
    rings("reading", "outlier", size=25, alpha=0.5, follows_slider=True),
)


def draw(paint: Painter, drawn: Sources) -> figure:
    """Draw the figure."""
    plot = canvas("", "", "", 240, x_range=Range1d(start=ENDS[0], end=ENDS[1]), y_range=Range1d(start=-0.2, end=2.03))
    plot.min_border_left = plot.min_border_right = BORDER
    plot.min_border_top = plot.min_border_bottom = 0
    plot.axis.visible = plot.grid.visible = False
    add_glyphs(plot, paint, GROUNDS, MARKS, drawn, {})
    return plot


def slider() -> pmui.DiscreteSlider:
    """Return the slider under the picture. Its knob is under the reading, because its track spans the stops."""
    frame = f"(100% - {2 * BORDER}px)"
    before, width = f"{BORDER}px + {frame} * {BESIDE[0]:.6f}", f"{frame} * {1 - sum(BESIDE):.6f}"
    track = {"width": f"calc({width})", "marginLeft": f"calc({before})", "marginRight": 0, "color": "text.primary"}
    label = {"position": "absolute", "width": "1px", "height": "1px", "overflow": "hidden", "clipPath": "inset(50%)"}
    return pmui.DiscreteSlider(
        label=translate("reading"),
        options={word(stop).replace("-", "−"): stop for stop in outlier_example.STOPS},
        value=outlier_example.START,
        marks=[{"value": outlier_example.STOPS.index(tick), "label": f"{tick:g}"} for tick in TICKS],
        tooltips=False,
        track=False,
        size="small",
        sizing_mode="stretch_width",
        margin=0,
        # without a transition, because a gliding knob would lag behind the reading
        sx={"& .MuiSlider-root": track, "& .MuiFormLabel-root": label, "& .MuiSlider-thumb": {"transition": "none"}},
    )


def drag(plot: figure, drawn: Sources, moved: pmui.DiscreteSlider) -> None:
    """Make the reading draggable. Dragging it moves the slider, and everything that follows the slider."""
    stops = ColumnDataSource({"x": np.array(outlier_example.STOPS)})
    drag_point(plot, drawn["reading"], moved, stops, "x")
