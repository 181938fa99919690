"""Numbers of several fits over their steps, and where the slider is on that of the one that is shown."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from . import marks
from .marks import MOVES, nothing
from .picture import Small
from .style import Axis, change, chart, nice_ticks, ticks

LAST = 100  # steps up to which the axis always goes


def across(steps):
    """Places of steps on an axis that is logarithmic but for its beginning, where 0 stands."""
    return np.log10(1.0 + np.asarray(steps, dtype=float))


STEP_TICKS = {float(across(k)): f"{k}" for k in (0, 1, 3, 10, 30, 100, 300, 1000)}
ROOM = 0.06  # on either side of the axis
STEP = Axis("steps of the fit (log scale)", (-ROOM, float(across(LAST)) + ROOM), STEP_TICKS)


class OverSteps(Small):
    """A number of each of the `lines`, name -> Line, over the steps of its fit.

    `of(found)` is the number at each stop, of the result or of what its `courses` have for a name, and `span(every)`
    the ends of the axis for some of these; the line of `called(result)` is known before the others are.
    """

    upright, over, lines = "line", "", {}

    @staticmethod
    def of(found):
        """The number at each stop, (r,)."""
        raise NotImplementedError

    @staticmethod
    def span(every):
        """From where to where the axis goes."""
        raise NotImplementedError

    @classmethod
    def columns(cls, result):
        known = result.known_courses
        return {
            name: {"x": across(known[name].steps), "y": cls.of(known[name])} if name in known else nothing("x", "y")
            for name in cls.lines
        }

    @classmethod
    def table(cls, result):
        x = across(result.steps)[:, None]
        return {("line", "x"): x, ("dot", "x"): x, ("dot", "y"): cls.of(result)[:, None]}

    def draw(self, paint, sources, result):
        plot = chart(self.over, STEP._replace(range=Range1d(*STEP.range)), Axis("", Range1d(0.0, 1.0)), 280)
        for name, line in self.lines.items():
            style = {"line_width": 2.5, "line_dash": line.dash}
            marks.curve(plot, paint, sources[name], "x", "y", line.role, **style)
        marks.upright(plot, paint, sources["line"])
        marks.dots(plot, paint, sources["dot"], "truth", size=9, level=MOVES)
        return plot

    def aim(self, result):
        if self.seen(result):
            low, high = self.span([self.of(result), *map(self.of, result.known_courses.values())])
            change(self.plot.x_range, end=max(STEP.range[1], float(across(result.lab.reach)) + ROOM))
            change(self.plot.y_range, start=low, end=high)
            ticks(self.plot, self.plot.yaxis, nice_ticks(low, high, 4))
