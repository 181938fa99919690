"""The Sweep lab's pictures: a map of the cells, and the quartiles along the first axis."""

from __future__ import annotations

from bokeh.models import ColumnDataSource, Range1d

from .base import View
from .style import canvas, ticks, words_of
from .sweep_columns import ROLES, columns, heights, pinned, scale

ROOM = 12  # words beyond which an axis names only some of its values


class SweepView(View):
    """Two figures over shared sources; `show` writes the columns of a result into them.

    The line is always seen, the map where there are two axes."""

    columns = seen = staticmethod(columns)

    def __init__(self, result, dark=False):
        super().__init__(result, dark)
        self.pinned = ColumnDataSource(pinned(None))
        self.map, self.hero = self._map(), self._line()
        self.figures = {"map": self.map, "line": self.hero}
        self.places = {name: [figure] for name, figure in self.figures.items()}
        self.aim(result)

    def pin(self, result):
        """Keep a sweep's line in the picture, faint, or none."""
        self.pinned.data = pinned(result)

    def aim(self, result):
        first = result.axes[0]
        self._name(self.hero, self.hero.xaxis, first, _where(result))
        (low, high), found = heights(result)
        _set(self.hero.y_range, start=low, end=high)
        if words_of(self.hero.yaxis[0]) != found:
            ticks(self.hero, self.hero.yaxis, found)
        kind = f"{result.measure}{' (log scale)' if scale(result) == 'log' else ''}"
        _set(self.hero.title, text=_capital(kind))
        if len(result.axes) == 2:
            self._name(self.map, self.map.xaxis, first)
            self._name(self.map, self.map.yaxis, result.axes[1])
            _set(self.map.title, text=_capital(kind))

    def _name(self, plot, axis, swept, where=""):
        """Let a figure's axis have a place for each value of a sweep's."""
        every = -(-len(swept.values) // ROOM)
        named = {float(i): word for i, word in enumerate(swept.words) if i % every == 0}
        if words_of(axis[0]) != named:
            ticks(plot, axis, named)
        _set(axis[0], axis_label=swept.called + where)
        _set(plot.x_range if axis[0] is plot.xaxis[0] else plot.y_range, start=-0.5, end=len(swept.values) - 0.5)

    def _map(self):
        plot = canvas("", "", "", 340, x_range=Range1d(-0.5, 0.5), y_range=Range1d(-0.5, 0.5))
        plot.grid.visible = False
        paint, s = self.paint, self.sources
        for name in ROLES:
            cells = plot.rect(
                "x", "y", width=0.97, height=0.97, source=s[f"cells_{name}"], fill_alpha="alpha", line_color=None
            )
            paint(cells.glyph, name, "fill_color")
        void = plot.rect(
            "x",
            "y",
            width=0.97,
            height=0.97,
            source=s["void"],
            fill_alpha=0,
            line_alpha=0.3,
            hatch_pattern="right_diagonal_line",
            hatch_alpha=0.3,
            hatch_scale=8,
        )
        paint(void.glyph, "truth", "hatch_color", "line_color")
        words = plot.text(
            "x",
            "y",
            text="words",
            source=s["words"],
            text_align="center",
            text_baseline="middle",
            text_font_size="12px",
        )
        paint(words.glyph, "truth", "text_color")
        ring = plot.rect("x", "y", width=0.97, height=0.97, source=s["picked"], fill_alpha=0, line_width=3)
        paint(ring.glyph, "outlier", "line_color")
        return plot

    def _line(self):
        plot = canvas("", "", "median and middle half", 260, x_range=Range1d(-0.5, 0.5), y_range=Range1d(0, 1))
        paint, s = self.paint, self.sources
        paint(plot.hspan("y", source=s["mark"], line_width=2, line_dash="dotted").glyph, "truth", "line_color")
        spot = plot.vspan("x", source=s["spot"], line_width=3, line_alpha=0.7)
        paint(spot.glyph, "outlier", "line_color")
        kept = plot.line("x", "y", source=self.pinned, line_width=6, line_alpha=0.3)
        paint(kept.glyph, "truth", "line_color")
        for name in ROLES[:-1]:
            source = s[f"line_{name}"]
            paint(plot.varea("x", "low", "high", source=source, fill_alpha=0.2).glyph, name, "fill_color")
            paint(plot.line("x", "middle", source=source, line_width=3).glyph, name, "line_color")
            paint(plot.scatter("x", "middle", source=source, size=7).glyph, name, "line_color", "fill_color")
        return plot


def _where(result):
    """At which value of the second axis."""
    if len(result.axes) == 1:
        return ""
    second = result.axes[1]
    return f"; {second.name} = {second.words[0 if result.picked is None else result.picked[1]]}"


def _capital(words):
    return words[0].upper() + words[1:] if words[1:2].islower() else words


def _set(model, **properties):
    """Write what differs: a browser need not hear of the rest."""
    if changed := {name: value for name, value in properties.items() if getattr(model, name) != value}:
        model.update(**changed)
