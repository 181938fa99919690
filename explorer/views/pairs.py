"""Pairs (x, y) on a canvas that takes more: those drawn, those that a hand moved or put, and those paired anew."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from . import marks
from .marks import MOVES, nothing
from .picture import Imaged
from .style import canvas, change, wear

BY_HAND, BY_GRAM = "Click adds a pair, a drag moves one", "The pairs, along principal axes"


class PairsPlane(Imaged):
    """Pairs on an image, for results that have `pairs`, and `order`, that of y where they are paired anew, or None.

    The lab says which of the pairs added by hand is `selected`, from 1; 0 is none.
    """

    heading = "The pairs; blue where they are denser than if x and y were independent"

    @staticmethod
    def columns(result):
        pairs, selected = result.pairs, result.lab.selected
        points, drawn = inside(pairs, pairs.X[:, 0], pairs.Y[:, 0]), pairs.drawn
        chosen = slice(drawn + selected - 1, drawn + selected) if selected else slice(0, 0)
        anew = result.order
        return {
            "ground": marks.ground(*pairs.axes),
            "sample": part(points, slice(0, drawn)),
            "placed": part(points, slice(drawn, None)),
            "moved": part(points, pairs.moved),
            "chosen": part(points, chosen),
            "shuffled": nothing("x", "y") if anew is None else inside(pairs, pairs.X[:, 0], pairs.Y[anew, 0]),
        }

    def draw(self, paint, sources, result):
        """The image below, the pairs above it."""
        ends = Range1d(-1, 1), Range1d(-1, 1)
        plot = canvas(BY_HAND, "x", "y", 400, x_range=ends[0], y_range=ends[1])
        self.lay(plot, paint, sources, sources["ground"])
        marks.dots(plot, paint, sources["shuffled"], "monkfast", size=6, fill_alpha=0, line_width=1.4, level=MOVES)
        marks.dots(plot, paint, sources["sample"], "fkmse", size=7, fill_alpha=0.85, line_width=0.5, level=MOVES)
        for name in ("moved", "placed"):
            marks.dots(plot, paint, sources[name], "outlier", marker="x", size=12, line_width=2, level=MOVES)
        marks.dots(plot, paint, sources["chosen"], "truth", size=18, fill_alpha=0, line_width=2, level=MOVES)
        return plot

    def aim(self, result):
        """The canvas shows where the pairs come from, under the columns' names."""
        super().aim(result)
        self.plot.title.text = BY_GRAM if result.lab.by_gram[0] else BY_HAND
        over_pairs(self.plot, result.pairs)


def over_pairs(plot, pairs):
    """Let a figure show where pairs come from, its axes under their columns."""
    for axes, span, (low, high), quantity in zip(
        (plot.xaxis, plot.yaxis), (plot.x_range, plot.y_range), pairs.ends, pairs.on_axes, strict=True
    ):
        change(span, start=float(low), end=float(high))
        wear(plot, axes, low, high, quantity)


def inside(pairs, x, y):
    """Where pairs are drawn; one beyond the picture stands at its edge."""
    return {"x": np.clip(x, *pairs.ends[0]), "y": np.clip(y, *pairs.ends[1])}


def part(points, rows):
    """Some of the points {"x", "y"}."""
    return {name: values[rows] for name, values in points.items()}
