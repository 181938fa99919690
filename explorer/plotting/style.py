"""What all plots share: HoloViews with a backend, the labs' colours by role, letters and grid, and dimensions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any

from bokeh.models import Axis, BasicTickFormatter, ColorBar, FixedTicker, Grid, Legend, LogAxis, PlainText

from explorer.checks import Refusal, WrongType, echo, join_list, truncate
from explorer.marks.roles import FONT, LESS, LINE, MORE, ROLES, SOFT, colour
from explorer.markup import UNSEEMLY
from explorer.views.shading import mixed

from . import roles
from .loading import TAG, hold_sheets, load

WIDTH, WITH_LEGEND, HEIGHT = 560, 660, 330  # px, of one plot without and with a legend beside it
LETTERS = {"title": "14px", "labels": "13px", "ticks": "12px", "legend": "12px"}
LEGEND: dict[str, Any] = {
    "border_line_color": None,
    "label_text_font": FONT,
    "background_fill_alpha": 0.0,
    "padding": 2,
    "location": "top",
}
# colour alone says nothing to some readers, so each estimator has a dash too
DASHES = {"fkmse": "dashed", "mmkme": "dashed", "mkme": "dotdash", "monkfast": "dotted", "robust": "dotted"}
OTHERS = ("truth", "geometric", "robust", "monkfast", "monk", "mkme", "skmse")  # for names that are no estimator's
SMALLEST = -5  # the power of ten from which on a tick is written as one, such as 6e-6
WHOLE = 2**53  # the largest whole number up to which a browser has all of them
FEW, MANY = 6, 300  # the ratios of a logarithmic axis between which its ticks are at 1, 2 and 5
SHADES = 128  # of an image's palette on either side of 0
ARRAYS = ("dictionary", "grid", "image", "multitabular")  # how HoloViews stores what is given as arrays
STRONGEST = 0.9  # the share of the tint at an image's largest magnitude


def holoviews(backend: str = "bokeh") -> ModuleType:
    """HoloViews, with a backend loaded.

    Where none is loaded yet it is inline and without a logo: a notebook then shows plots without a network. One that
    the reader has loaded stays the current one.
    """
    import holoviews as hv

    if not hv.Store.renderers:
        load(hv, "bokeh")  # and not another one: a reader's `.opts(...)` are of the backend that is current
    if backend not in hv.Store.renderers:
        current = hv.Store.current_backend
        import_module(f"holoviews.plotting.{'mpl' if backend == 'matplotlib' else backend}")
        hv.Store.set_current_backend(current)
    hold_sheets()
    return hv


def house(plot: Any, element: Any) -> None:
    """The labs' letters and lines, where no option of HoloViews sets them."""
    figure = plot.handles["plot"]
    if TAG not in figure.tags:
        figure.tags = [*figure.tags, TAG]
    figure.title.text_font, figure.title.text_font_style = FONT, "bold"
    figure.outline_line_color = None
    if figure.frame_width and figure.sizing_mode == "fixed":
        figure.sizing_mode = None  # the frame alone is fixed, and Bokeh warns of a figure without a width
    figure.title.text = _plain(figure.title.text)
    for axis in figure.select({"type": Axis}):
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
        if legend in figure.below:  # from its margin on HoloViews would move it out of the picture
            legend.location, legend.margin = "top_left", 0
    for grid in figure.select({"type": Grid}):
        grid.grid_line_color, grid.grid_line_alpha = LINE[0], 0.7
    for bar in figure.select({"type": ColorBar}):
        bar.title_text_font, bar.title_text_font_style = FONT, "normal"
        bar.major_label_text_font, bar.bar_line_color, bar.major_tick_line_color = FONT, None, LINE[0]


def _plain(words: Any) -> Any:
    """Words that Bokeh would set as a formula, as they are."""
    is_formula = isinstance(words, str) and any(mark in words for mark in ("$$", r"\(", r"\["))
    return PlainText(text=words) if is_formula else words


def _large_ticks(axis: Any) -> None:
    """Ticks as floats, which HoloViews made whole numbers: of such beyond 2^53 Bokeh warns, as a browser rounds them.

    A whole number equals its float, and Bokeh leaves what is equal as it is: hence nothing between the two.
    """
    words = {float(tick): word for tick, word in axis.major_label_overrides.items()}
    ticks = [float(tick) for tick in axis.ticker.ticks]
    axis.major_label_overrides, axis.ticker.ticks = {}, []
    axis.major_label_overrides, axis.ticker.ticks = words, ticks


def _even_ticks(axes: Any, along: Any) -> None:
    """Ticks at 1, 2 and 5 times powers of ten on logarithmic axes of a decade or two.

    Bokeh's stand in equal steps there, and the upper ones lie on one another.
    """
    low, high = getattr(along, "start", None), getattr(along, "end", None)
    if not isinstance(low, float | int) or not isinstance(high, float | int) or not 0 < FEW * low < high < MANY * low:
        return
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    ticks = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    for axis in axes:
        if isinstance(axis, LogAxis) and not isinstance(axis.ticker, FixedTicker):  # which has ticks of its own
            axis.update(ticker=FixedTicker(ticks=ticks), formatter=BasicTickFormatter(power_limit_low=SMALLEST))


def of_arrays(kind: Any, data: Any, *dimensions: Any, **options: Any) -> Any:
    """An element of a kind of HoloViews whose data stay arrays: of a DataFrame it would load pandas first."""
    stored = [name for name in kind.datatype if name in ARRAYS]
    return kind(data, *dimensions, datatype=stored, **options)


def finished(picture: Any) -> Any:
    """A picture whose elements may be given data of any kind again, as a reader's operations do."""
    for element in picture.traverse(lambda each: each, [holoviews().Element]):
        element.datatype = type(element).datatype
    return picture


def styled(element: Any, **options: Any) -> Any:
    """An element in the house style with options of its own; whoever gets it may give others by `.opts(...)`."""
    if element.label != (label := seemly(element.label)):
        element = element.relabel(label)
    common = {"width": WIDTH, "height": HEIGHT, "fontsize": LETTERS, "show_grid": True, "hooks": [house]}
    return element.opts(**{**common, **options}, backend="bokeh", clone=True)


def overlay(elements: list[Any], title: str) -> Any:
    """Elements upon each other under one title, which stays theirs when they are overlaid once more."""
    hv = holoviews()
    titled = [element.opts(title=unformatted(title), backend="bokeh", clone=True) for element in elements]
    if len(titled) == 1:
        return finished(titled[0])
    # beside the picture: inside it would lie on what it explains, and below it a Layout of several rows cuts it off
    wide = {"width": WITH_LEGEND} if any(element.label for element in titled) else {}
    options = {"legend_position": "right", "legend_opts": LEGEND, **wide}
    return finished(hv.Overlay(titled).opts(**options, backend="bokeh", clone=True))


def unformatted(title: str) -> str:
    """A title that HoloViews, which formats titles, leaves as it is."""
    return title.replace("{", "{{").replace("}", "}}")


def seemly(words: str, backend: str = "bokeh") -> str:
    """Words of a table's as a picture shows them: on one line, cut where they are long, and never a formula."""
    words = UNSEEMLY.sub("\N{REPLACEMENT CHARACTER}", truncate(words))
    return words.replace("$", r"\$") if backend == "matplotlib" else words


def dimension(spec: Any, name: str, label: str = "") -> Any:
    """A HoloViews dimension called `name`, from a label, a model's field with its symbol and unit, or a dimension."""
    hv = holoviews()
    if isinstance(spec, hv.Dimension):
        return spec
    if spec is None:
        return hv.Dimension(name, label=label or name)
    if isinstance(spec, str):
        return hv.Dimension(name, label=seemly(spec)) if spec else hv.Dimension(name)
    if hasattr(spec, "symbol"):
        return hv.Dimension(name, label=spec.symbol or spec.name, unit=spec.unit or None)
    raise WrongType(
        f"the label of an axis must be a text, a HoloViews Dimension or a field such as SKMSE.fields['lam'], not"
        f" {echo(spec)}."
    )


def coordinates(names: Any, d: int) -> list[Any]:
    """The dimensions of points of d coordinates: their names, or x in one dimension and x1, x2, ... in more."""
    if names is None:
        names = ["x"] if d == 1 else [f"coordinate {j}" for j in range(1, d + 1)]
    if isinstance(names, str) or len(names) != d:
        raise Refusal(f"names must be a list of {d} names, one for each coordinate, not {echo(names)}.")
    return [dimension(each, f"x{j}" if d > 1 else "x") for j, each in enumerate(names, 1)]


def tint(role: str) -> str:
    """The colour of a role on white; a sentence for one that there is none of."""
    if not isinstance(role, str) or role not in ROLES:
        raise Refusal(f"role must be one of {join_list(ROLES)}, not {echo(role)}.")
    return colour(role)


def roles_of(labels: Iterable[str]) -> list[str]:
    """The roles of names that stand in one picture: an estimator's own, as of "S-KMSE", else one that is free."""
    labels = list(labels)
    own = {label: roles.role_of(label) for label in labels if roles.names_estimator(label)}
    free = [role for role in OTHERS if role not in own.values()] or list(OTHERS)
    others = itertools.cycle(free)
    return [own[label] if label in own else next(others) for label in labels]


def signed_palette() -> list[str]:
    """Orange below 0, the ground at 0, blue above: the colours of an image whose limits are symmetric about 0."""
    shares = [STRONGEST * i / SHADES for i in range(1, SHADES + 1)]
    return [*mixed(LESS, shares[::-1], False), *mixed(MORE, shares, False)]


def rising_palette() -> list[str]:
    """From the ground at 0 to blue: the colours of an image without negative values."""
    return mixed(MORE, [STRONGEST * i / (2 * SHADES) for i in range(2 * SHADES)], False)


def image_colours(values: Any) -> dict[str, Any]:
    """The options of an image of these values: palette, limits and colour bar, 0 always being the ground."""
    low, high = float(values.min()), float(values.max())
    top = max(abs(low), abs(high)) or 1.0
    common = {"colorbar": True, "bgcolor": colour("ground")}
    if low < 0:
        return {"cmap": signed_palette(), "clim": (-top, top), **common}
    return {"cmap": rising_palette(), "clim": (0.0, top), **common}
