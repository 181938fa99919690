"""Pictures that say what they draw as marks, drawn with Bokeh."""

from __future__ import annotations

import numpy as np
from bokeh.core.properties import value

from explorer.marks import OverPlane, Path, Rule, Said, Tint

from . import film
from .inking import fixed, ground, ink
from .picture import Picture
from .style import canvas, change, chart, entitle, over_plane, square, ticks, wear, words_of

SAID = ("name", "place", "heading", "upright", "late", "legend", "answers")  # of a picture, whoever draws it
SCRIPTS = {"film": film.roll}  # what else happens in a picture, in the browser: script(picture, sources, inked)
ASKED = ("waits", "columns", "table", "at", "data", "kept", "seen", "named")


class Drawn(Picture):
    """A `marks.Picture`, `of`, with its figure and sources."""

    def __init__(self, of, result, paint):
        self.of = of
        for name in (*SAID, *ASKED):
            setattr(self, name, getattr(of, name))
        super().__init__(result, paint)

    def draw(self, paint, sources, result):
        plot = self._figure(result)
        self.grounds = [ground(plot, paint, each) for each in self.of.grounds if isinstance(each, (Rule, Tint))]
        fixed(plot, paint, [each for each in self.of.grounds if isinstance(each, Path)])
        self.inked = [(mark, ink(plot, paint, mark, self.pinned if mark.kept else sources)) for mark in self.of.marks]
        fixed(plot, paint, [each for each in self.of.grounds if isinstance(each, Said)])
        for name in self.of.scripts:
            SCRIPTS[name](self.of, sources, self.inked)
        return plot

    def _figure(self, result):
        """The empty figure."""
        of = self.of
        title, x, y = of.axes(result)
        if not issubclass(of, OverPlane):
            plot = chart(title, x, y, of.height)
            for axis, grid, there in ((plot.xaxis, plot.xgrid, x), (plot.yaxis, plot.ygrid, y)):
                grid.visible = there.grid
                if there.bare:
                    axis.axis_line_alpha = 0
            return plot
        plot = canvas(title, "", "", of.height, x_range=(-1, 1), y_range=(-1, 1))
        square(plot, *of.frame(result))
        return plot

    def aim(self, result):
        title, x, y = self.of.axes(result)
        entitle(self.plot.title, title)
        self.heading = self.of.called(result)
        for mark, renderer in self.inked:
            if mark.in_turns:
                change(renderer, visible=mark.role == result.role)
            if callable(says := mark.style.get("says")):
                change(renderer.glyph, text=value(says(result)))
        for model, places in self.grounds:
            change(model, **{name: place(result) for name, place in places.items()})
        if issubclass(self.of, OverPlane):
            if quantities := self.of.quantities(result):
                over_plane(self.plot, self.of.frame(result), quantities)
        else:
            self._aim(self.plot.xaxis, self.plot.x_range, x)
            self._aim(self.plot.yaxis, self.plot.y_range, y)
        if self.plot.document is None:  # what no browser shows yet: the script that follows `w` runs only there
            for mark in self.of.marks:
                if mark.kind == "image":
                    w = np.asarray(self.sources[mark.source].data["w"], dtype=np.float32)
                    self.sources[mark.style["ground"]].data["image"] = [w.reshape(mark.style["lines"], -1)]

    def _aim(self, axis, ends, there):
        """Let an axis be as an Axis says."""
        change(ends, start=there.range[0], end=there.range[1])
        if there.column is not None:
            wear(self.plot, axis, *there.inner, there.column)
        elif there.label or axis[0].axis_label:
            entitle(axis[0], there.label)
        if there.bare:
            change(axis[0], visible=bool(there.label))
        if there.ticks is not None and words_of(axis[0]) != there.ticks:
            ticks(self.plot, axis, there.ticks)


def drawn(picture, result, paint):
    """A picture with its figure: of marks, or one that draws itself."""
    return picture(result, paint) if issubclass(picture, Picture) else Drawn(picture, result, paint)
