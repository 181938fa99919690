"""Pairs in the plane with weights as discs, and densities over y that run upwards beside them."""

from __future__ import annotations

import math

import numpy as np
from bokeh.models import Range1d

from explorer.datasets.quantity import Quantity

from . import marks
from .marks import MOVES
from .pairs import over_pairs
from .picture import StagePicture
from .style import canvas, change, own_ticks, ticks, wear

HEIGHT = 400  # px
AREA, SMALLEST, LARGEST = 60.0, 2.5, 44.0  # px; a disc's size is AREA times the root of its weight
BELOW = 0.22  # of an axis of densities: how far it goes below 0
STEPS = (1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8)
TOPS = tuple(step * 10.0**e for e in (-1, 0, 1) for step in STEPS)  # where it may end


def discs(weights):
    """Sizes of discs whose areas are the weights, of those above 0 and of those below: two arrays as weights.

    A disc too small to be told from the point that it is about is left away.
    """
    sizes = (AREA * np.sqrt(np.maximum(sign * weights, 0)) for sign in (1, -1))
    return [np.where(size < SMALLEST, 0.0, np.minimum(size, LARGEST)) for size in sizes]


def within(values, low, high):
    """Values, those beyond a picture as nan: what follows a slider is drawn above the axes, which do not cut it off."""
    return np.where((values >= low) & (values <= high), values, np.nan)


def strokes(weights, unit):
    """What each point alone adds to a density, above 0 and below: two arrays as weights, nan where there is nothing."""
    return (np.where(sign * weights > 0, weights * unit, np.nan) for sign in (1, -1))


def normal(x, mean, sd):
    """The density of N(mean, sd²) at x."""
    return np.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * math.sqrt(2 * math.pi))


def top(*densities):
    """Where an axis of densities ends: the same for many states."""
    highest = max(float(np.nanmax(density)) for density in densities)
    return next((end for end in TOPS if 1.15 * highest <= end), TOPS[-1])


class WeightedPairs(StagePicture):
    """The pairs of a result in the plane, discs for weights, and a line at the x that is known."""

    place = "main"

    def pairs(self, paint, sources, title):
        """The picture with its pairs, weights and line."""
        plot = canvas(title, "x", "y", HEIGHT, x_range=Range1d(-1, 1), y_range=Range1d(-1, 1))
        marks.dots(plot, paint, sources["sample"], "kme", size=4, fill_alpha=0.5, line_width=0)
        for name, role, alpha in (("up", "skmse", 0.55), ("down", "harm", 0.0)):
            options = {"size": name, "fill_alpha": alpha, "line_width": 1.2, "level": MOVES}
            marks.dots(plot, paint, sources["weights"], role, **options)
        marks.upright(plot, paint, sources["line"])
        return plot

    def aim(self, result):
        """The frame of the pairs, under the columns' names."""
        if getattr(result, self.stage) is None:
            return
        over_pairs(self.plot, result.pairs)


class Profile(StagePicture):
    """A density over y, which runs upwards as in the picture beside it; `end(result, value)` is where its axis ends."""

    place = "beside"

    def profile(self, paint, title, label="y"):
        """The picture with its line at 0."""
        x = Range1d(-BELOW, 1)
        plot = canvas(title, "density", label, HEIGHT, x_range=x, y_range=Range1d(-1, 1))
        marks.across(plot, paint, 0, "height", "kme", line_width=1)
        return plot

    def span(self, low, high, end, quantity=None):
        """Let the picture go from low to high of a column, and its densities up to an end."""
        change(self.plot.y_range, start=float(low), end=float(high))
        change(self.plot.x_range, start=-BELOW * end, end=1.02 * end)
        size = 1.0
        if quantity is not None:
            wear(self.plot, self.plot.yaxis, low, high, quantity)
            size = quantity.size
        ticks(self.plot, self.plot.xaxis, own_ticks(0.0, end, Quantity("density", size=1 / size)))

    def aim(self, result):
        """The frame of the pairs, and the largest density that the state is about."""
        value = getattr(result, self.stage)
        if value is not None:
            self.span(*result.pairs.ends[1], self.end(result, value), result.pairs.on_axes[1])
