"""Curves of several methods over a count, such as that of components, their names at the curves' right ends."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from . import marks
from .errors import apart
from .picture import StagePicture
from .style import canvas, change, ticks

NEAREST = 0.13  # of an axis: how far the names of two curves are apart
ROOM = 1.32  # how much longer the axis of counts is than the curves, for their names
MARKED = (1, 5, 10, 15, 20, 30, 40, 50)  # counts that the axis has words for


class OverCounts(StagePicture):
    """A stage's curves over counts; `lines` maps a method to its Line.

    A subclass gives `counts(value)`, (R,) of the stage's value, `heights(value, method)`, (R,), `ends(value)`, from
    where to where the other axis goes, and `labels(low, high)`, its ticks with their words.
    """

    answers = False
    title, over, lines = "", "", {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls.still = "; ".join(f"{name} x y; name_{name} x y words" for name in cls.lines)

    @staticmethod
    def counts(value):
        """Where the curves are drawn, (R,)."""
        raise NotImplementedError

    @staticmethod
    def heights(value, method):
        """What is drawn of a method, (R,)."""
        raise NotImplementedError

    @staticmethod
    def ends(value):
        """From where to where the axis of heights goes."""
        raise NotImplementedError

    @staticmethod
    def labels(low, high):
        """Its ticks, place -> word."""
        raise NotImplementedError

    @classmethod
    def stays(cls, result, value):
        (low, high), at = cls.ends(value), cls.counts(value)
        drawn = {name: cls.heights(value, name) for name in cls.lines}
        levels = low + (high - low) * apart([(y[-1] - low) / (high - low) for y in drawn.values()], NEAREST)
        curves = {name: {"x": at, "y": values} for name, values in drawn.items()}
        names = {
            f"name_{name}": {"x": at[-1:], "y": np.array([y]), "words": np.array([line.called])}
            for (name, line), y in zip(cls.lines.items(), levels, strict=True)
        }
        return {**curves, **names}

    def draw(self, paint, s, result):
        ranges = {"x_range": Range1d(1, 20 * ROOM), "y_range": Range1d(0, 1)}
        plot = canvas(self.title, self.over, "", 230, **ranges)
        for name, line in self.lines.items():
            style = {"line_width": line.width, "line_dash": line.dash}
            marks.curve(plot, paint, s[name], "x", "y", line.role, **style)
            marks.words(plot, paint, s[f"name_{name}"], line.role, x_offset=6, text_font_size="12px")
        return plot

    def aim(self, result):
        """The axes end where the stage's curves do."""
        value = getattr(result, self.stage)
        if value is None:
            return
        (low, high), longest = self.ends(value), float(self.counts(value)[-1])
        change(self.plot.x_range, start=1.0, end=1 + ROOM * max(longest - 1, 1.0))
        change(self.plot.y_range, start=low, end=high)
        ticks(self.plot, self.plot.xaxis, {float(k): str(k) for k in MARKED if k <= longest})
        ticks(self.plot, self.plot.yaxis, self.labels(low, high))
