"""What a regulariser costs: leave-one-out beside the truth."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from . import marks
from .picture import StagePicture
from .style import canvas, change, decades, ticks


class ScoreOverLam(StagePicture):
    """The leave-one-out score less its least value, and the squared distance to the exact embedding, over λ.

    The stage is a Fan; `result.scores` ends with the λ that leave-one-out chooses.
    """

    upright = "line"
    still = "score x y distance; best x y"
    moving = "line x"

    @staticmethod
    def stays(result, fan):
        lams, least = np.array(result.stops), float(fan.score.min())
        square = fan.distance[:-1] ** 2
        rise = np.clip(fan.score[:-1] - least, 0, 1)
        return {
            "score": {"x": lams, "y": rise, "distance": np.clip(square, 0, 1)},
            "best": {"x": np.array([result.scores[1]]), "y": np.zeros(1)},
        }

    @staticmethod
    def moves(result, fan):
        return {("line", "x"): np.array([*result.stops, result.scores[1]])[:, None]}

    def draw(self, paint, sources, result):
        lams = type(result.lab).fields[result.lab.slider].softbounds
        plot = canvas(
            "",
            "λ (log scale)",
            "squared error",
            190,
            x_axis_type="log",
            x_range=Range1d(*lams),
            y_range=Range1d(-0.03, 0.6),
        )
        ticks(plot, plot.xaxis, decades(-6, 2))
        ticks(plot, plot.yaxis, {0: "0", 0.2: "0.2", 0.4: "0.4"})
        marks.curve(plot, paint, sources["score"], "x", "y", "skmse", line_width=2.5)
        marks.curve(plot, paint, sources["score"], "x", "distance", "truth", line_width=2, line_dash="dotted")
        marks.dots(plot, paint, sources["best"], "skmse", size=10, marker="inverted_triangle")
        marks.upright(plot, paint, sources["line"])
        return plot

    def aim(self, result):
        """The truth is named where somebody knows it."""
        truth = ", truth (dotted)" if result.exact is not None else ""
        change(self.plot.title, text=f"What λ costs: leave-one-out{' (solid)' if truth else ''}{truth}")
