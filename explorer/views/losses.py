"""The picture that labs of a kernel mean open with: losses of two estimators over their parameter."""

from __future__ import annotations

import numpy as np

from . import marks
from .marks import MOVES, nothing
from .picture import Picture
from .style import Axis, chart

LOSS = Axis("loss / loss of KME", (0.0, 1.6), marks.LOSS_TICKS)


class LossPicture(Picture):
    """Losses over a parameter relative to KME's, with their leave-one-out scores and where other samples lie.

    A subclass gives `parameter` ("lam", whose values a path has as `lams`), its `axis`, the `lines` (the result's
    attribute, role, dash, marker), the `sizes` of the dots that are the best, the chosen and the present value, and
    `best(path)`, where the best one is. `between` draws what lies below the curves.
    """

    name, upright = "loss", "line"
    parameter, axis, lines, sizes = "", None, (), ()

    @staticmethod
    def best(path):
        """(value, loss) of the least loss; nan where nobody knows it."""
        raise NotImplementedError

    def between(self, plot, paint, sources):
        """Nothing more below the curves."""

    @classmethod
    def at_stops(cls, result):
        """The values of the slider, those beyond the axis at its ends."""
        return np.clip(cls._values(getattr(result, cls.lines[0][0])), *cls.axis.range)[:-1]

    @classmethod
    def _values(cls, path):
        return getattr(path, f"{cls.parameter}s")

    @classmethod
    def columns(cls, result):
        stops = cls.at_stops(result)
        curves, blank = {cls.parameter: stops}, np.full(len(stops), np.nan)
        # best (hollow: one cannot know it), chosen, here
        dots = {"size": np.array(cls.sizes), "fill": np.array([0.0, 1.0, 1.0])}
        for name, *_ in cls.lines:
            path = getattr(result, name)
            curves[f"{name}_loss"] = blank if path.loss is None else path.loss[:-1]
            curves[f"{name}_score"] = path.score[:-1]
        return {"curves": curves, "bands": cls._bands(result), **{name: dict(dots) for name, *_ in cls.lines}}

    @classmethod
    def table(cls, result):
        table = {}
        for name, *_ in cls.lines:
            table[name, "x"], table[name, "y"] = cls._dots(getattr(result, name))
        return {("line", "x"): table[cls.lines[0][0], "x"][:, 2:], **table}

    @classmethod
    def kept(cls, result):
        names = [name for name, *_ in cls.lines]
        if result is None:
            return {"pinned": nothing(cls.parameter, *names)}
        heights = {name: getattr(result, name).height[:-1] for name in names}
        return {"pinned": {cls.parameter: cls.at_stops(result), **heights}}

    @classmethod
    def _bands(cls, result):
        """Where further samples lie: the ends of their bands for each estimator, nothing where there are none."""
        names = [name for name, *_ in cls.lines]
        if result.replicates is None:
            return nothing(cls.parameter, *(f"{name}_{i}" for name in names for i in range(4)))
        ends = {name: np.clip(result.replicates.band(name)[:, :-1], *LOSS.range) for name in names}
        return {cls.parameter: cls.at_stops(result), **{f"{n}_{i}": ends[n][i] for n in ends for i in range(4)}}

    @classmethod
    def _dots(cls, path):
        """x and y, (rows, 3), of an estimator's dots: the best value, the chosen one, and where the slider is."""
        height, values, best = path.height, cls._values(path), cls.best(path)
        rows = len(values)
        x = np.column_stack([np.full(rows, best[0]), np.full(rows, path.chosen), values])
        y = np.column_stack([np.full(rows, best[1]), np.full(rows, height[-1]), height])
        return np.clip(x, *cls.axis.range), np.clip(y, *LOSS.range)

    def draw(self, paint, sources, result):
        plot = chart("Loss relative to the plain average (KME = 1)", self.axis, LOSS, 340)
        marks.one_is_kme(plot, paint)
        for name, role, *_ in self.lines:
            marks.bands(plot, paint, sources["bands"], self.parameter, name, role)
        self.between(plot, paint, sources)
        for name, role, dash, _ in self.lines:
            dotted, faint = {"line_width": 1.5, "line_dash": "dotted"}, {"line_width": 6, "line_alpha": 0.3}
            curves, pinned = sources["curves"], self.pinned["pinned"]
            marks.curve(plot, paint, curves, self.parameter, f"{name}_score", role, **dotted)
            marks.curve(plot, paint, curves, self.parameter, f"{name}_loss", role, line_dash=dash)
            marks.curve(plot, paint, pinned, self.parameter, name, role, line_dash=dash, **faint)
        marks.upright(plot, paint, sources["line"])
        for name, role, _, marker in self.lines:
            options = {"size": "size", "fill_alpha": "fill", "marker": marker, "line_width": 2, "level": MOVES}
            marks.dots(plot, paint, sources[name], role, **options)
        return plot
