"""The style of all pictures. Colour stands for an estimator, never for data; dash and marker repeat it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from bokeh.model import Model
from bokeh.models import CustomJSTickFormatter, FixedTicker, LinearColorMapper, PlainText, Title
from bokeh.plotting import figure

from explorer.browser import call
from explorer.marks import Axis
from explorer.marks.picture import ROOM
from explorer.marks.roles import colour

Painted = TypeVar("Painted", bound=Model)
Palettes: TypeAlias = Sequence[list[str]]  # on white, and on the dark ground


class Painter:
    """Colours models by role, and records them, so that the browser can change their colours with the theme.

    Parameters
    ----------
    dark : bool, default False
        Whether the background is dark.
    """

    def __init__(self, dark: bool = False) -> None:
        self.dark = dark
        self.painted: list[tuple[Model, str, str]] = []  # (a model, its property, the role of its colour)
        self.shaded: list[tuple[LinearColorMapper, Palettes]] = []

    def __call__(self, model: Painted, role: str, *properties: str) -> Painted:
        """Set the named colour properties of a Bokeh model."""
        for name in properties:
            setattr(model, name, colour(role, self.dark))
            self.painted.append((model, name, role))
        return model

    def set_palette(self, mapper: LinearColorMapper, palettes: Palettes) -> LinearColorMapper:
        """Set a colour mapper's palette to that of the background.

        Parameters
        ----------
        mapper : LinearColorMapper
            The mapper.
        palettes : sequence of list of str
            The palettes on white and on the dark ground.

        Returns
        -------
        LinearColorMapper
            The mapper.
        """
        mapper.palette = palettes[bool(self.dark)]
        self.shaded.append((mapper, palettes))
        return mapper


def canvas(title: str, x_label: str, y_label: str, height: int, **options: Any) -> figure:
    """Return an empty figure in the house style: no toolbar, fixed ranges, a faint grid, labelled axes.

    Parameters
    ----------
    title, x_label, y_label : str
        The labels.
    height : int
        Height in px.
    **options : Any
        Other options of the figure.

    Returns
    -------
    figure
        The figure.
    """
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
    """Return an empty figure in the house style with two `Axis`."""
    plot = canvas(
        title, x.title, y.title, height, x_range=x.range, y_range=y.range, x_axis_type=kind(x), y_axis_type=kind(y)
    )
    for axis, declared in ((plot.xaxis, x), (plot.yaxis, y)):
        if declared.ticks is not None:
            ticks(plot, axis, declared.ticks)
    return plot


def kind(axis: Axis) -> str:
    """Return Bokeh's name of an axis's scale."""
    return "log" if axis.log else "auto"


def change(model: Model, **properties: Any) -> None:
    """Write the properties of a model that differ, so that only these are sent to the browser."""
    if changed := {name: value for name, value in properties.items() if getattr(model, name) != value}:
        model.update(**changed)


def set_plain_title(model: Any, words: str) -> None:
    """Set the text of an axis or a title without interpretation: Bokeh would typeset a table's name as a formula."""
    name = "text" if isinstance(model, Title) else "axis_label"
    if written(getattr(model, name)) != words:
        is_formula = any(mark in words for mark in ("$$", "\\(", "\\["))
        model.update(**{name: PlainText(text=words) if is_formula else words})


def written(words: Any) -> str:
    """Return the text of an axis or a title."""
    return words.text if isinstance(words, PlainText) else words


def square(plot: figure, cx: float, cy: float, half: float, wide: float) -> None:
    """Make a figure of the plane show at least a square of this centre and half side, without distortion.

    To the left and right at least `wide` half sides are visible.
    """
    script = call("plane.square", plot=plot)
    for event in ("inner_width", "inner_height", "tags"):
        plot.js_on_change(event, script)
    set_ranges(plot, cx, cy, half, wide)
    reach = max(1.4, ROOM * wide) * half  # until the browser knows the figure's size
    plot.x_range.update(start=cx - reach, end=cx + reach)
    plot.y_range.update(start=cy - 1.06 * half, end=cy + 1.06 * half)


def set_ranges(plot: figure, cx: float, cy: float, half: float, wide: float) -> None:
    """Make such a figure show another square."""
    others = [tag for tag in plot.tags if not isinstance(tag, dict)]  # models that a page adds to its large picture
    if plot.tags != (there := [{"cx": cx, "cy": cy, "half": half, "wide": wide}, *others]):
        plot.tags = there


def label_with_unit(plot: figure, axes: Any, there: Axis) -> None:
    """Set an axis's name and unit from the column of an Axis, and its ticks at round values of the file."""
    set_plain_title(axes[0], there.title)
    if there.tick_positions is not None or isinstance(axes[0].ticker, FixedTicker):
        ticks(plot, axes, there.column_places)


def ticks(plot: figure, axis: Any, labels: Mapping[float, str]) -> None:
    """Set ticks and grid lines with text. Few are best, because drawing text dominates a canvas's time.

    An axis that has such ticks keeps its ticker: for a new model Bokeh searches the whole document, which takes 0.4 s.
    The formatter has the text: Bokeh keeps old entries of an axis's overrides, and warns about them later.
    """
    if isinstance(axis[0].ticker, FixedTicker):
        axis[0].ticker.ticks = list(labels)
        axis[0].formatter.args = {"words": labels}
    else:
        grid = plot.xgrid if axis[0] in plot.xaxis else plot.ygrid  # plot.xaxis returns a new list each time
        grid.ticker = axis.ticker = FixedTicker(ticks=list(labels))
        axis.formatter = CustomJSTickFormatter(args={"words": labels}, code="return words.get(tick) ?? ''")


def words_of(axis: Any) -> dict[float, str] | None:
    """Return the text that `ticks` gave an axis, by position."""
    return axis.formatter.args["words"] if isinstance(axis.formatter, CustomJSTickFormatter) else None
