"""Pictures of marks, drawn with Bokeh: figure, data sources, hover text, and the film of more samples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, CustomJSHover, HoverTool

from explorer.browser import call
from explorer.languages import translate
from explorer.marks import PlanePicture

from . import glyphs
from .glyph_styles import Ground, Inked, add_glyphs
from .style import canvas, change, chart, label_with_unit, set_plain_title, set_ranges, square, ticks, words_of, written
from .text_sizes import TextSizes

if TYPE_CHECKING:
    from bokeh.models import GlyphRenderer
    from bokeh.plotting import figure

    from explorer.marks import HoverText, Mark, Picture

    from .style import Painter

FAINT = {"opacity": "0.35"}  # style of a picture that still shows the last computed state
CLEAR = {"opacity": "1"}  # written in full, because a browser keeps a style that is removed
PACE = 70  # milliseconds from one sample of a film to the next
# JavaScript functions of a hover tool: the name of a row or column, and a number with three significant digits
SAID = "return words[Math.round(value)] ?? ''"
NUMBER = "return Number.isFinite(value) ? String(Number(value.toPrecision(3))).replace('-', '\\u2212') : 'no value'"


def roll_film(picture: Any, sources: glyphs.Sources, inked: Sequence[tuple[Mark, GlyphRenderer[Any]]]) -> None:
    """Start the film of each line of a picture of losses when its samples arrive, see `marks.losses.film`.

    The browser runs it once: the curves of the samples appear one after the other, while their average settles. At its
    end the bands replace the curves.
    """
    for name, role, *_ in picture.lines:
        samples, film, average = (sources[f"{name}_{part}"] for part in ("samples", "film", "average"))
        bands = [renderer for mark, renderer in inked if (mark.source, mark.role) == ("bands", role)]
        args = {"samples": samples, "film": film, "average": average, "bands": bands}
        args |= {"pace": PACE, "top": picture.y.range[1]}
        samples.js_on_change("data", call("film.roll", **args))


SCRIPTS = {"film": roll_film}  # further behaviour of a picture in the browser: script(picture, sources, inked)


class BokehPicture:
    """A picture rendered with Bokeh: the figure and its data sources.

    Attributes that are not about drawing are those of the `Picture` in `of`.

    Parameters
    ----------
    of : Picture
        The picture.
    result : Result
        The first result.
    paint : Painter
        Colours the models.
    """

    name: str
    slot: str
    slider_line: str
    deferred: str
    table_is_complete: bool
    waits: Callable[..., bool]
    columns: Callable[..., Any]
    table: Callable[..., Any]
    slider_columns: Callable[..., Any]
    data: Callable[..., Any]
    pinned_data: Callable[..., Any]
    is_visible: Callable[..., bool]

    def __init__(self, of: Picture, result: Any, paint: Painter) -> None:
        self.of = of
        self.paint = paint
        for name in BokehPicture.__annotations__:
            setattr(self, name, getattr(of, name))
        self.sources: dict[str, ColumnDataSource] = {
            name: ColumnDataSource(data) for name, data in self.data(result).items()
        }
        self.pinned: dict[str, ColumnDataSource] = {
            name: ColumnDataSource(data) for name, data in self.pinned_data(None).items()
        }
        self.plot: figure = self._draw(paint, self.sources, result)
        self.letters: TextSizes = TextSizes(self.plot)
        self.veiled: bool = False
        self._role: str = ""  # role of the state's colour, if marks have several
        self.set_axes(result)
        self.dim(self.waits(result))

    def dim(self, back: bool) -> None:
        """Dim the picture, or undo that.

        Parameters
        ----------
        back : bool
            Whether to dim it.
        """
        change(self.plot, styles=FAINT if back else CLEAR)

    def hide_answer(self, on: bool) -> None:
        """Hide the answer to a story's question, or show it.

        Parameters
        ----------
        on : bool
            Whether to hide it.
        """
        self.veiled = on
        self._uncover()

    def _uncover(self):
        """Update which marks are visible: those in the colour of the state that are not a hidden answer."""
        for mark, role, renderer in self.inked:
            if mark.is_story_answer or isinstance(mark.role, tuple):
                of_state = not isinstance(mark.role, tuple) or role == self._role
                change(renderer, visible=of_state and not (mark.is_story_answer and self.veiled))

    @property
    def called(self) -> str:
        """Title of the picture, or its name if it has none."""
        title: Any = self.plot.title
        return written(title.text) or self.name

    def show(self, result: Any, drawn_over: Collection[tuple[str, str]] = ()) -> None:
        """Update the columns that changed.

        Parameters
        ----------
        result : Result
            The result.
        drawn_over : collection of tuple
            (source, column) that the browser may have changed, and that are always written unless they are empty.
        """
        waits = self.waits(result)
        for name, data in ({} if waits else self.data(result)).items():
            now = self.sources[name].data
            if any(len(data[k]) != len(now[k]) for k in data):
                self.sources[name].data = data
            elif changed := {
                k: v for k, v in data.items() if (len(v) and (name, k) in drawn_over) or not same(now[k], v)
            }:
                now.update(changed)  # one message with these columns only
        self.set_axes(result)
        self.dim(waits)

    def pin(self, result: Any) -> None:
        """Show a pinned result, faintly, or remove it.

        Parameters
        ----------
        result : Result or None
            The pinned result; None for none.
        """
        for name, data in self.pinned_data(result).items():
            self.pinned[name].data = data

    def _draw(self, paint, sources, result):
        """Return the figure; later changes are in the sources only."""
        plot = self._bare(self._figure(result))
        self._keep(sources)
        inked = add_glyphs(plot, paint, self.of.background, self.of.marks, sources, self.pinned)
        self.grounds: list[Ground] = inked[0]
        self.inked: list[Inked] = inked[1]
        self.telling: HoverLayer | None = HoverLayer(plot, self.of.hover, sources) if self.of.hover else None
        for name in self.of.scripts:
            SCRIPTS[name](self.of, sources, [(mark, renderer) for mark, _, renderer in self.inked])
        return plot

    def _keep(self, sources):
        """Attach sources that no mark draws to one that is drawn; otherwise no document would contain them."""
        if self.of.undrawn:
            drawn = next(source for name, source in sources.items() if name not in self.of.undrawn)
            drawn.tags = [sources[name] for name in self.of.undrawn]

    def _figure(self, result):
        """Return the empty figure."""
        of = self.of
        title, x, y = of.translated_axes(result)
        if not isinstance(of, PlanePicture):
            return chart(title, x, y, of.height)
        plot = canvas(title, "", "", of.height, x_range=(-1, 1), y_range=(-1, 1))
        square(plot, *of.frame(result), of.wide)
        return plot

    def _bare(self, plot):
        """Remove the axes and grid lines that the picture does not use."""
        for axes, grid, there in ((plot.xaxis, plot.xgrid, self.of.x), (plot.yaxis, plot.ygrid, self.of.y)):
            grid.visible = there.lines
            if there.bare:
                axes.axis_line_alpha = 0
                axes.visible = bool(there.label)
        if self.of.left_margin is not None:
            plot.min_border_left = self.of.left_margin
        return plot

    def set_axes(self, result: Any) -> None:
        """Update the axes, and everything else that depends on the result.

        Parameters
        ----------
        result : Result
            The result.
        """
        title, x, y = self.of.translated_axes(result)
        set_plain_title(self.plot.title, title)
        if self.telling is not None and self.is_visible(result):
            self.telling.follow(result)
        for model, places in self.grounds:
            change(model, **{name: place(result) for name, place in places.items()})
        if any(isinstance(mark.role, tuple) for mark, *_ in self.inked):
            self._role = self.of.role_of(result)
        self._uncover()
        for mark, _, renderer in self.inked:
            if callable(says := mark.style.get("says")):
                change(renderer.glyph, text=value(translate(str(says(result)))))
        if isinstance(self.of, PlanePicture):
            if x.column is not None:
                set_ranges(self.plot, *self.of.frame(result), self.of.wide)
                self._name(self.plot.xaxis, x)
                self._name(self.plot.yaxis, y)
        # a picture without its stage keeps its axes
        elif not self.of.stage or getattr(result, self.of.stage) is not None:
            self._aim(self.plot.xaxis, self.plot.x_range, x)
            self._aim(self.plot.yaxis, self.plot.y_range, y)

    def _aim(self, axis, ends, there):
        """Update an axis of the figure from an Axis."""
        change(ends, start=there.range[0], end=there.range[1])
        self._name(axis, there)
        if there.ticks is not None and words_of(axis[0]) != there.ticks:
            ticks(self.plot, axis, there.ticks)
        if there.bare:
            change(axis[0], visible=bool(there.label))
        if there.ends is not None:
            change(axis[0], bounds=there.ends)
        if there.turned or axis[0].major_label_orientation != "horizontal":
            change(axis[0], major_label_orientation="vertical" if there.turned else "horizontal")

    def _name(self, axis, there):
        """Set an axis's label and ticks from its column, or its label."""
        if there.column is not None:
            label_with_unit(self.plot, axis, there)
        elif there.label or axis[0].axis_label:
            set_plain_title(axis[0], there.title)


class HoverLayer:
    """Hover text of a matrix picture: a layer of transparent unit cells and a hover tool.

    The tool shows the text of the cell under the pointer.
    """

    def __init__(self, plot: figure, told: HoverText, sources: glyphs.Sources) -> None:
        self.told = told
        number = CustomJSHover(code=NUMBER)
        cells = glyphs.rect(
            plot, "x", "y", source=sources[told.source], fill_alpha=0, line_color=None, width=1, height=1
        )
        self.said: dict[str, CustomJSHover] = {axis: CustomJSHover(args={"words": []}, code=SAID) for axis in "xy"}
        formatters: dict[str, Any] = {f"@{axis}": said for axis, said in self.said.items()}
        formatters |= {f"@{name}": number for name in told.numbers}
        plot.add_tools(HoverTool(renderers=[cells], tooltips=told.html, formatters=formatters))

    def follow(self, result: Any) -> None:
        """Update the text of the axes from a result."""
        for said, words in zip(self.said.values(), self.told.names(result), strict=True):
            change(said, args={"words": words})


def same(a: Any, b: Any) -> bool:
    """Return whether two columns are equal; NaN equals NaN."""
    a, b = np.asarray(a), np.asarray(b)
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc" and b.dtype.kind in "fc")
