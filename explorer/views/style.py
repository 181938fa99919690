"""One style for every picture. Colour stands for an estimator, never for data; dash and marker say it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from bokeh.model import Model
from bokeh.models import CustomJSTickFormatter, FixedTicker, LinearColorMapper, PlainText, Title
from bokeh.plotting import figure

from explorer.browser import call
from explorer.marks import Axis
from explorer.marks.roles import colour

Painted = TypeVar("Painted", bound=Model)
Palettes: TypeAlias = Sequence[list[str]]  # on white, and on the dark ground


class Painter:
    """Gives models the colours of their roles, and remembers which, so that a theme can repaint them in the browser."""

    def __init__(self, dark: bool = False) -> None:
        self.dark = dark
        self.painted: list[tuple[Model, str, str]] = []  # (a model, its property, the role of its colour)
        self.shaded: list[tuple[LinearColorMapper, Palettes]] = []

    def __call__(self, model: Painted, role: str, *properties: str) -> Painted:
        """Paint the named colour properties of a Bokeh model."""
        for name in properties:
            setattr(model, name, colour(role, self.dark))
            self.painted.append((model, name, role))
        return model

    def set_palette(self, mapper: LinearColorMapper, palettes: Palettes) -> LinearColorMapper:
        """Give a colour mapper the palette of the ground, one for white and one for dark."""
        mapper.palette = palettes[bool(self.dark)]
        self.shaded.append((mapper, palettes))
        return mapper


def canvas(title: str, x_label: str, y_label: str, height: int, **options: Any) -> figure:
    """An empty figure in the house style: no toolbar, ranges that stay, faint grid, words on the axes."""
    plot = figure(
        height=height,
        sizing_mode="stretch_width",
        toolbar_location=None,
        tools="",
        title=title,
        x_axis_label=x_label,
        y_axis_label=y_label,
        min_border_right=16,
        **options,
    )
    title_of: Any = plot.title
    title_of.update(text_font_size="14px", text_font_style="bold")
    axes: Any = plot.axis
    for axis in axes:
        axis.axis_label_text_font_size, axis.axis_label_text_font_style = "13px", "normal"
        axis.major_label_text_font_size = "12px"
        axis.minor_tick_line_color = None
        axis.ticker.desired_num_ticks = 4
    plot.grid.grid_line_alpha = 0.35
    plot.outline_line_color = None
    return plot


def chart(title: str, x: Axis, y: Axis, height: int = 300) -> figure:
    """An empty figure in the house style over two `Axis`."""
    plot = canvas(
        title, x.label, y.label, height, x_range=x.range, y_range=y.range, x_axis_type=kind(x), y_axis_type=kind(y)
    )
    for axis, declared in ((plot.xaxis, x), (plot.yaxis, y)):
        if declared.ticks is not None:
            ticks(plot, axis, declared.ticks)
    return plot


def kind(axis: Axis) -> str:
    """A kind of axis as Bokeh calls it."""
    return "log" if axis.log else "auto"


def change(model: Model, **properties: Any) -> None:
    """Write the properties of a model that differ: a browser need not hear of the rest."""
    if changed := {name: value for name, value in properties.items() if getattr(model, name) != value}:
        model.update(**changed)


def set_plain_title(model: Any, words: str) -> None:
    """Write words with a table's names on an axis or over a plot: as they are, where Bokeh would set a formula."""
    name = "text" if isinstance(model, Title) else "axis_label"
    if written(getattr(model, name)) != words:
        is_formula = any(mark in words for mark in ("$$", "\\(", "\\["))
        model.update(**{name: PlainText(text=words) if is_formula else words})


def written(words: Any) -> str:
    """The text of what stands on an axis or over a plot."""
    return words.text if isinstance(words, PlainText) else words


def square(plot: figure, cx: float, cy: float, half: float) -> None:
    """Let a figure of the plane show at least the square of this centre and half side, without distortion."""
    script = call("plane.square", plot=plot)
    for event in ("inner_width", "inner_height", "tags"):
        plot.js_on_change(event, script)
    set_ranges(plot, cx, cy, half)
    plot.x_range.update(start=cx - 1.4 * half, end=cx + 1.4 * half)
    plot.y_range.update(start=cy - 1.06 * half, end=cy + 1.06 * half)


def set_ranges(plot: figure, cx: float, cy: float, half: float) -> None:
    """Let such a figure show another square."""
    if plot.tags != (there := [{"cx": cx, "cy": cy, "half": half}]):
        plot.tags = there


def label_with_unit(plot: figure, axes: Any, there: Axis) -> None:
    """Let an axis wear the column of an Axis: its name and unit, and round places of the file's own numbers."""
    set_plain_title(axes[0], there.title)
    if there.tick_positions is not None or isinstance(axes[0].ticker, FixedTicker):
        ticks(plot, axes, there.column_places)


def ticks(plot: figure, axis: Any, labels: Mapping[float, str]) -> None:
    """Ticks and grid lines at these positions with these words. Few of them: a canvas spends its time on words.

    An axis that has such ticks keeps its ticker: a new model lets Bokeh look through the whole document, which takes
    0.4 s. The words are the formatter's: of an axis's overrides Bokeh keeps what is no longer there, and complains of
    it later.
    """
    if isinstance(axis[0].ticker, FixedTicker):
        axis[0].ticker.ticks = list(labels)
        axis[0].formatter.args = {"words": labels}
    else:
        grid = plot.xgrid if axis[0] in plot.xaxis else plot.ygrid  # plot.xaxis is another list each time
        grid.ticker = axis.ticker = FixedTicker(ticks=list(labels))
        axis.formatter = CustomJSTickFormatter(args={"words": labels}, code="return words.get(tick) ?? ''")


def words_of(axis: Any) -> dict[float, str] | None:
    """The words that `ticks` gave an axis, by their places."""
    return axis.formatter.args["words"] if isinstance(axis.formatter, CustomJSTickFormatter) else None
