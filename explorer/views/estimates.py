"""Several estimates of one number, each in a row of its own: how far from the truth, on one signed axis."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from . import glyphs, marks
from .errors import Limited
from .marks import nothing
from .picture import Small
from .style import canvas, signed_log, signed_log_axis, ticks

BELOW = 0.35  # of the axis, on the negative side of 0


class Estimates(Limited, Small):
    """A row for each of some estimates: its name and its number above a line from the truth to where it lies.

    A subclass gives `roles`, name -> role, in the order of the rows, and `estimates(result)`, name -> (a signed number
    on the axis, the words above it), {} while it is hidden; the result has `truth`, None where nobody knows it.
    """

    answers = False  # the numbers stand in words, which no table for the browser has
    title, over, roles = "", "", {}

    @classmethod
    def estimates(cls, result):
        """name -> (number, words) of every row."""
        raise NotImplementedError

    @classmethod
    def columns(cls, result):
        rows, end = cls.estimates(result), float(signed_log(cls.limit(result)))
        truth = 0.0 if result.truth is None else float(signed_log(result.truth))
        drawn = {"true": {"x": np.array([truth] if rows and result.truth is not None else [])}}
        for place, name in enumerate(cls.roles):
            if name in rows:
                value, words = rows[name]
                at = {"x": np.clip(float(signed_log(value)), -end, end), "from": truth, "left": -BELOW * end}
                heights = {"y": -float(place), "above": 0.36 - place}
                drawn[name] = {k: np.array([v]) for k, v in {**at, **heights}.items()} | {"words": np.array([words])}
            else:
                drawn[name] = {**nothing("x", "from", "left", "y", "above"), "words": np.zeros(0, dtype=str)}
        return drawn

    def draw(self, paint, s, result):
        ranges = {"x_range": Range1d(-1, 1), "y_range": Range1d(0.45 - len(self.roles), 0.75)}
        plot = canvas(self.title, self.over, "", 300, **ranges)
        ticks(plot, plot.yaxis, {})
        plot.yaxis.visible = False
        marks.across(plot, paint, 0, "height", "truth", line_width=1, line_alpha=0.5)
        truth = glyphs.vspan(plot, "x", source=s["true"], line_width=2, line_dash="dotted")
        paint(truth.glyph, "truth", "line_color")
        for name, role in self.roles.items():
            stem = glyphs.segment(plot, "from", "y", "x", "y", source=s[name], line_width=3, line_alpha=0.6)
            paint(stem.glyph, role, "line_color")
            marks.dots(plot, paint, s[name], role, size=11)
            marks.words(plot, paint, s[name], role, "left", "above", text_font_size="13px")
        return plot

    def end(self, limit):
        signed_log_axis(self.plot, self.plot.xaxis, self.plot.x_range, limit, BELOW, 0.06)
