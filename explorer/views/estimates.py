"""Several estimates of one number, each in a row of its own: how far from the truth, on one signed axis."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from bokeh.models import Range1d

from . import glyphs, marks
from .errors import Limited
from .marks import nothing
from .picture import Small
from .style import canvas, signed_log, signed_log_ticks, ticks

NAMES, NUMBERS = 2.1, 1.35  # how far the picture goes on either side of 0, in units of the axis: for words beside it


class Row(NamedTuple):
    """What an estimate is called, the role whose colour it has, and its marker."""

    called: str
    role: str
    marker: str = "circle"


class Estimates(Limited, Small):
    """A row for each of some estimates: its name, a line from the truth to where it lies, and its number.

    A subclass gives `rows`, name -> Row, and `estimates(result)`, name -> (a signed number on the axis, it in words),
    {} while it is hidden; the result has `truth`, None where nobody knows it.
    """

    answers = False  # the numbers stand in words, which no table for the browser has
    title, over, rows = "", "", {}

    @classmethod
    def estimates(cls, result):
        """name -> (number, words) of each row."""
        raise NotImplementedError

    @classmethod
    def columns(cls, result):
        rows, end = cls.estimates(result), float(signed_log(cls.limit(result)))
        truth = 0.0 if result.truth is None else float(signed_log(result.truth))
        drawn = {"true": {"x": np.array([truth] if rows and result.truth is not None else [])}}
        for place, (name, line) in enumerate(cls.rows.items()):
            if name not in rows:
                blank = {"called": np.zeros(0, dtype=str), "words": np.zeros(0, dtype=str)}
                drawn[name] = {**nothing("x", "from", "left", "right", "y"), **blank}
                continue
            value, words = rows[name]
            at = {"x": np.clip(float(signed_log(value)), -end, end), "from": truth, "y": -float(place)}
            said = {"left": -NAMES * end, "called": line.called, "right": NUMBERS * end, "words": words}
            drawn[name] = {column: np.array([each]) for column, each in {**at, **said}.items()}
        return drawn

    def draw(self, paint, s, result):
        ranges = {"x_range": Range1d(-1, 1), "y_range": Range1d(0.4 - len(self.rows), 0.6)}
        plot = canvas(self.title, self.over, "", 300, **ranges)
        plot.yaxis.visible = plot.ygrid.visible = False
        marks.across(plot, paint, 0, "height", "truth", line_width=1, line_alpha=0.5)
        truth = glyphs.vspan(plot, "x", source=s["true"], line_width=2, line_dash="dotted")
        paint(truth.glyph, "truth", "line_color")
        for name, line in self.rows.items():
            stem = glyphs.segment(plot, "from", "y", "x", "y", source=s[name], line_width=3, line_alpha=0.6)
            paint(stem.glyph, line.role, "line_color")
            marks.dots(plot, paint, s[name], line.role, size=11, marker=line.marker, line_width=2)
            style = {"text_baseline": "middle", "text_font_size": "12px", "source": s[name]}
            called = glyphs.text(plot, "left", "y", text="called", **style)
            words = glyphs.text(plot, "right", "y", text="words", text_align="right", **style)
            for text in (called, words):
                paint(text.glyph, line.role, "text_color")
        return plot

    def end(self, limit):
        end = float(signed_log(limit))
        ticks(self.plot, self.plot.xaxis, signed_log_ticks(limit))
        self.plot.x_range.update(start=-NAMES * end, end=NUMBERS * end)
