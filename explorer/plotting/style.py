"""HoloViews with a backend, and the labs' fonts, grid and palettes for it."""

from __future__ import annotations

import math
from importlib import import_module
from types import ModuleType
from typing import Any

from bokeh.models import Axis as BokehAxis
from bokeh.models import BasicTickFormatter, ColorBar, FixedTicker, Grid, Legend, LogAxis, PlainText

from explorer.checks import truncate
from explorer.marks.roles import FONT, LESS, LINE, MORE, SOFT
from explorer.markup import UNSEEMLY
from explorer.views.shading import mixed

from .loading import TAG, hold_sheets, load

# size of one plot in px: its width without and with a legend at its side, and its height
WIDTH, WITH_LEGEND, HEIGHT = 560, 660, 330
LETTERS = {"title": "14px", "labels": "13px", "ticks": "12px", "legend": "12px"}
LEGEND: dict[str, Any] = {
    "border_line_color": None,
    "label_text_font": FONT,
    "background_fill_alpha": 0.0,
    "padding": 2,
    "location": "top",
}
SMALLEST = -5  # below this power of ten a tick is written as a power, such as 6e-6
WHOLE = 2**53  # a browser represents every whole number up to this one
FEW, MANY = 6, 300  # if the ratio of a log axis's ends lies between these, its ticks are at 1, 2 and 5
SHADES = 128  # number of colours on either side of 0 in an image's palette
ARRAYS = ("dictionary", "grid", "image", "multitabular")  # HoloViews' interfaces to data in arrays
STRONGEST = 0.9  # share of the tint at an image's largest magnitude


def holoviews(backend: str = "bokeh") -> ModuleType:
    """Return HoloViews, with a backend loaded.

    If no backend is loaded yet, it is loaded inline and without a logo: a notebook then shows plots without a network.
    A
    backend that the user has loaded stays the current one.

    Parameters
    ----------
    backend : {"bokeh", "matplotlib"}, default "bokeh"
        The backend.

    Returns
    -------
    holoviews : module
        HoloViews.
    """
    import holoviews as hv

    if not hv.Store.renderers:
        # Bokeh even if another backend is asked for: the user's `.opts(...)` refer to the current one
        load(hv, "bokeh")
    if backend not in hv.Store.renderers:
        current = hv.Store.current_backend
        import_module(f"holoviews.plotting.{'mpl' if backend == 'matplotlib' else backend}")
        hv.Store.set_current_backend(current)
    hold_sheets()
    return hv


def house(plot: Any, element: Any) -> None:
    """Apply the labs' fonts and lines for which HoloViews has no option."""
    figure = plot.handles["plot"]
    if TAG not in figure.tags:
        figure.tags = [*figure.tags, TAG]
    figure.title.text_font, figure.title.text_font_style = FONT, "bold"
    figure.outline_line_color = None
    if figure.frame_width and figure.sizing_mode == "fixed":
        figure.sizing_mode = None  # only the frame has a fixed size, and Bokeh warns of a fixed figure without a width
    figure.title.text = _plain(figure.title.text)
    for axis in figure.select({"type": BokehAxis}):
        axis.axis_label = _plain(axis.axis_label)
        axis.axis_label_text_font = axis.major_label_text_font = FONT
        axis.axis_label_text_font_style = "normal"
        axis.minor_tick_line_color = None
        axis.axis_line_color = axis.major_tick_line_color = LINE[0]
        axis.major_label_text_color = SOFT[0]
        if isinstance(axis.formatter, BasicTickFormatter):
            axis.formatter.power_limit_low = SMALLEST
        if isinstance(axis.ticker, FixedTicker) and any(abs(tick) > WHOLE for tick in axis.ticker.ticks):
            _large_ticks(axis)
    for axis, along in ((figure.xaxis, figure.x_range), (figure.yaxis, figure.y_range)):
        _even_ticks(axis, along)
    for legend in figure.select({"type": Legend}):
        if legend in figure.below:  # HoloViews' margin would move the legend out of the picture
            legend.location, legend.margin = "top_left", 0
    for grid in figure.select({"type": Grid}):
        grid.grid_line_color, grid.grid_line_alpha = LINE[0], 0.7
    for bar in figure.select({"type": ColorBar}):
        bar.title_text_font, bar.title_text_font_style = FONT, "normal"
        bar.major_label_text_font, bar.bar_line_color, bar.major_tick_line_color = FONT, None, LINE[0]


def _plain(words: Any) -> Any:
    """Keep Bokeh from typesetting a text as a formula."""
    is_formula = isinstance(words, str) and any(mark in words for mark in ("$$", r"\(", r"\["))
    return PlainText(text=words) if is_formula else words


def _large_ticks(axis: Any) -> None:
    """Make ticks floats again, where HoloViews made them integers: Bokeh warns of integers beyond 2^53.

    A browser rounds these. An integer equals its float, and Bokeh ignores an assignment of an equal value: hence the
    empty
    values in between.
    """
    words = {float(tick): word for tick, word in axis.major_label_overrides.items()}
    ticks = [float(tick) for tick in axis.ticker.ticks]
    axis.major_label_overrides, axis.ticker.ticks = {}, []
    axis.major_label_overrides, axis.ticker.ticks = words, ticks


def _even_ticks(axes: Any, along: Any) -> None:
    """Put ticks at 1, 2 and 5 times powers of ten on log axes of a decade or two.

    Bokeh's ticks have equal steps there, and the upper ones overlap.
    """
    low, high = getattr(along, "start", None), getattr(along, "end", None)
    if not isinstance(low, float | int) or not isinstance(high, float | int) or not 0 < FEW * low < high < MANY * low:
        return
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    ticks = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    for axis in axes:
        # an axis with a FixedTicker has ticks of its own
        if isinstance(axis, LogAxis) and not isinstance(axis.ticker, FixedTicker):
            axis.update(ticker=FixedTicker(ticks=ticks), formatter=BasicTickFormatter(power_limit_low=SMALLEST))


def of_arrays(kind: Any, data: Any, *dimensions: Any, **options: Any) -> Any:
    """Return an element of a HoloViews kind whose data stay arrays: for a DataFrame it would first load pandas."""
    stored = [name for name in kind.datatype if name in ARRAYS]
    return kind(data, *dimensions, datatype=stored, **options)


def finished(picture: Any) -> Any:
    """Allow data of any kind in a picture's elements again, for the user's own operations."""
    for element in picture.traverse(lambda each: each, [holoviews().Element]):
        element.datatype = type(element).datatype
    return picture


def unformatted(title: str) -> str:
    """Escape a title so that HoloViews, which formats titles, shows it unchanged."""
    return title.replace("{", "{{").replace("}", "}}")


def seemly(words: str) -> str:
    """Return a table's text as a picture can show it: truncated and without control characters."""
    return clean(truncate(words))


def clean(words: str) -> str:
    """Return a text without control characters."""
    return UNSEEMLY.sub("\N{REPLACEMENT CHARACTER}", words)


def signed_palette() -> list[str]:
    """Return the colours of an image with limits symmetric about 0: orange below, the ground at 0, blue above."""
    shares = [STRONGEST * i / SHADES for i in range(1, SHADES + 1)]
    return [*mixed(LESS, shares[::-1], False), *mixed(MORE, shares, False)]


def rising_palette() -> list[str]:
    """Return the colours of an image without negative values: from the ground at 0 to blue."""
    return mixed(MORE, [STRONGEST * i / (2 * SHADES) for i in range(2 * SHADES)], False)
