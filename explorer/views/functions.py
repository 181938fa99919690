"""Several functions of one coordinate over each other, with what is said of each beside them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from bokeh.models import Range1d

from . import marks
from .marks import nothing
from .picture import Small
from .style import canvas, nice_ticks, ticks

BELOW, ABOVE, BESIDE = 0.25, 0.5, 0.5  # room about the middle function, of its size; beside it stand the words
FIRST, NEXT = 0.1, 0.16  # of the picture's height: how far below its upper end they stand


class Functions(NamedTuple):
    """Functions at the places `at` (p,): name -> values (p,) and name -> words; the axes are made for `middle`."""

    at: np.ndarray
    values: dict[str, np.ndarray]
    words: dict[str, str]
    middle: str

    @property
    def ends(self):
        """From where to where the axes go: (low, high) of the places and of the values."""
        values = self.values[self.middle]
        low, high = float(values.min()), float(values.max())
        height = max(high - low, 1e-9)
        return (float(self.at[0]), float(self.at[-1])), (low - BELOW * height, high + ABOVE * height)


class FunctionsPicture(Small):
    """Functions in the colours of their `lines`, name -> Line; `functions(result)` gives the Functions, None hidden."""

    answers = False  # the words have numbers, which no table for the browser has
    over, of, lines, drawn = "", "", {}, None

    @classmethod
    def functions(cls, result):
        """The Functions of a result, or None."""
        raise NotImplementedError

    @classmethod
    def columns(cls, result):
        if (drawn := cls.functions(result)) is None:
            blank = {**nothing("x", "y"), "words": np.zeros(0, dtype=str)}
            return {"functions": nothing("x", *cls.lines), **{f"said_{name}": blank for name in cls.lines}}
        (_, right), (low, high) = drawn.ends
        said = {}
        for place, name in enumerate(cls.lines):
            height = high - (FIRST + NEXT * place) * (high - low)
            said[f"said_{name}"] = {"x": right, "y": height, "words": drawn.words[name]}
        columns = {source: {k: np.array([v]) for k, v in each.items()} for source, each in said.items()}
        return {"functions": {"x": drawn.at, **{name: drawn.values[name] for name in cls.lines}}, **columns}

    def draw(self, paint, s, result):
        plot = canvas("", self.over, self.of, 280, x_range=Range1d(-1, 1), y_range=Range1d(-1, 1))
        for name, line in self.lines.items():
            style = {"line_width": line.width, "line_dash": line.dash}
            marks.curve(plot, paint, s["functions"], "x", name, line.role, **style)
            marks.words(plot, paint, s[f"said_{name}"], line.role, x_offset=6, text_font_size="12px")
        return plot

    def aim(self, result):
        drawn = self.functions(result)
        if drawn is not None and self.drawn != drawn.ends:
            self.drawn = drawn.ends
            (left, right), (low, high) = drawn.ends
            self.plot.x_range.update(start=left, end=right + BESIDE * (right - left))
            self.plot.y_range.update(start=low, end=high)
            ticks(self.plot, self.plot.xaxis, nice_ticks(left, right))
