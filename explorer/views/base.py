"""What every lab's view does: own the sources that its figures draw, and write into them what changed."""

from __future__ import annotations

import numpy as np
from bokeh.models import ColumnDataSource

from .style import Painter


class View:
    """Figures over shared sources; `show` writes the columns of a result into them.

    A subclass gives `columns(result)`, source -> column -> array, of all that its figures draw; `seen(result)`, the
    same without what is hidden; `tables(result)`, the (source, column) -> rows that a browser may draw by itself. It
    makes `hero`, the figure that also carries what the whole page needs, `figures`, name -> figure, and `places`, a
    place on the page -> the figures that share it, one at a time.
    """

    columns = seen = None

    @staticmethod
    def tables(result):
        """Nothing, where the browser answers no slider by itself."""
        return {}

    def __init__(self, result, dark=False):
        self.paint = Painter(dark)
        self.overdrawn = (
            False  # whether the browser answered a slider by itself, so that it shows other columns than we sent
        )
        self.sources = {name: ColumnDataSource(data) for name, data in self.columns(result).items()}

    def show(self, result):
        """Write what changed; and after the browser drew by itself, all that it may have drawn over."""
        unknown = set(self.tables(result)) if self.overdrawn else ()
        self.overdrawn = False
        for name, data in self.seen(result).items():
            now = self.sources[name].data
            if any(len(data[k]) != len(now[k]) for k in data):
                self.sources[name].data = data
            elif changed := {k: v for k, v in data.items() if (name, k) in unknown or not same(now[k], v)}:
                now.update(changed)  # one message with these columns alone
        self.aim(result)

    def aim(self, result):
        """Let titles, axes and ranges follow a result."""

    def pin(self, result):
        """Keep a result's curves in the picture, faint, or none."""


def same(a, b):
    """Whether two columns hold the same, numbers or words; nan is the same as nan."""
    a, b = np.asarray(a), np.asarray(b)
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc" and b.dtype.kind in "fc")
