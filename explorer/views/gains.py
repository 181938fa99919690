"""What several methods gain in the same samples: a dot a sample, and their mean with two standard errors."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from . import glyphs, marks
from .picture import StagePicture
from .style import Axis, change, chart, nice_ticks, ticks


class Gains(StagePicture):
    """A row of dots for each of the `rows`, whose `gains(value)` are (rows, samples) of the picture's stage."""

    answers, over, unit, rows = False, "", "", ()
    still = "dots x y; means x y low high; ends x"

    @staticmethod
    def gains(value):
        """What each row gains in each sample, (rows, samples)."""
        raise NotImplementedError

    @classmethod
    def stays(cls, result, value):
        gains = cls.gains(value)
        rows = -np.arange(float(len(gains)))
        mean, error = gains.mean(axis=1), 2 * gains.std(axis=1, ddof=1) / np.sqrt(gains.shape[1])
        low, high = cls.span(gains)
        return {
            "dots": {"x": np.clip(gains, low, high).ravel(), "y": np.repeat(rows, gains.shape[1])},
            "means": {"x": mean, "y": rows, "low": mean - error, "high": mean + error},
            "ends": {"x": np.array([low, high])},
        }

    @staticmethod
    def span(gains):
        """From where to where the axis goes: far gains stand at its ends."""
        low, high = np.quantile(gains, [0.03, 0.97])
        room = 0.15 * (high - low) + 1e-6
        return min(float(low - room), -room), max(float(high + room), room)

    def draw(self, paint, sources, result):
        names = {-i: name for i, name in enumerate(self.rows)}
        y = Axis("", Range1d(0.4 - len(names), 0.6), names)
        plot = chart(self.over, Axis(self.unit, Range1d(-1, 1)), y, 280)
        marks.across(plot, paint, 0, "height", "kme", line_width=2)
        marks.dots(plot, paint, sources["dots"], "kme", size=6, fill_alpha=0.35, line_width=0)
        bar = glyphs.segment(plot, "low", "y", "high", "y", source=sources["means"], line_width=3)
        paint(bar.glyph, "truth", "line_color")
        marks.dots(plot, paint, sources["means"], "truth", marker="diamond", size=11)
        return plot

    def aim(self, result):
        ends = self.sources["ends"].data["x"]
        if self.seen(result) and len(ends):
            low, high = map(float, ends)
            change(self.plot.x_range, start=low, end=high)
            ticks(self.plot, self.plot.xaxis, nice_ticks(low, high, 4))
