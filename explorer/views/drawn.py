"""Pictures that say what they draw as marks, drawn with Bokeh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from bokeh.core.properties import value

from explorer.marks import Mark, OverPlane

from . import film
from .inking import fixed, ground, ink
from .picture import Picture
from .style import canvas, change, chart, entitle, over_plane, square, ticks, wear, words_of
from .telling import Telling

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
        plot = self._bare(self._figure(result))
        self.grounds = [ground(plot, paint, each) for each in self.of.grounds]
        self._keep(sources)
        self.inked = []  # (mark, role, renderer): of a mark of several roles there is one for each
        for each in self.of.marks:
            if not isinstance(each, Mark):
                fixed(plot, paint, each)
                continue
            there = self.pinned if each.kept else sources
            for role in each.role if isinstance(each.role, tuple) else (each.role,):
                self.inked.append((each, role, ink(plot, paint, replace(each, role=role), there)))
        self.telling = Telling(plot, self.of.told, sources) if self.of.told else None
        for name in self.of.scripts:
            SCRIPTS[name](self.of, sources, [(mark, renderer) for mark, _, renderer in self.inked])
        return plot

    def _keep(self, sources):
        """Let sources that no mark draws be known to one that is drawn: without that no document would have them."""
        read = {source for mark in self.of.drawn() for source, _ in mark.columns}
        read |= {self.of.told.source} if self.of.told else set()
        others = [source for name, source in sources.items() if name not in read]
        if others:
            next(source for name, source in sources.items() if name in read).tags = others

    def _figure(self, result):
        """The empty figure."""
        of = self.of
        title, x, y = of.axes(result)
        if not issubclass(of, OverPlane):
            return chart(title, x, y, of.height)
        plot = canvas(title, "", "", of.height, x_range=(-1, 1), y_range=(-1, 1))
        square(plot, *of.frame(result))
        return plot

    def _bare(self, plot):
        """A figure without the axes and the lines that its picture has no use for."""
        for axes, grid, there in ((plot.xaxis, plot.xgrid, self.of.x), (plot.yaxis, plot.ygrid, self.of.y)):
            grid.visible = there.lines
            if there.bare:
                axes.axis_line_alpha = 0
                axes.visible = bool(there.label)
        if self.of.left is not None:
            plot.min_border_left = self.of.left
        return plot

    def aim(self, result):
        title, x, y = self.of.axes(result)
        entitle(self.plot.title, title)
        self.heading = self.of.called(result)
        if self.telling is not None and self.seen(result):
            self.telling.follow(result)
        for model, places in self.grounds:
            change(model, **{name: place(result) for name, place in places.items()})
        for mark, role, renderer in self.inked:
            if isinstance(mark.role, tuple):  # the one in the colour of the state is seen
                change(renderer, visible=role == self.of.role(result))
            if callable(says := mark.style.get("says")):
                change(renderer.glyph, text=value(says(result)))
        if issubclass(self.of, OverPlane):
            if quantities := self.of.quantities(result):
                over_plane(self.plot, self.of.frame(result), quantities)
        elif not self.of.stage or getattr(result, self.of.stage) is not None:  # what waits keeps the axes that it had
            self._aim(self.plot.xaxis, self.plot.x_range, x)
            self._aim(self.plot.yaxis, self.plot.y_range, y)
        if self.plot.document is None:  # what no browser shows yet: the script that follows `w` runs only there
            for mark in self.of.drawn():
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
        if there.ticks is not None and words_of(axis[0]) != there.ticks:
            ticks(self.plot, axis, there.ticks)
        if there.bare:
            change(axis[0], visible=bool(there.label))
        if there.ends is not None:
            change(axis[0], bounds=there.ends)
        if there.turned or axis[0].major_label_orientation != "horizontal":
            change(axis[0], major_label_orientation="vertical" if there.turned else "horizontal")


def drawn(picture, result, paint):
    """A picture with its figure: of marks, or one that draws itself."""
    return picture(result, paint) if issubclass(picture, Picture) else Drawn(picture, result, paint)
