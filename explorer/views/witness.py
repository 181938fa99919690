"""Pictures of two samples with their witness: in the plane of two coordinates, or along the line of a single one.

A result has `samples` (X, Y, pooled, names and touched), `frame`, centre and half side of what is shown, `places`,
where the witness is drawn, and `trials`, whose `witness` (r, g) and `heights` (r, n + m) are its values there and at
the pooled points, one row or one for each stop of the slider.
"""

from __future__ import annotations

import numpy as np
from bokeh.models import Span

from . import glyphs
from .marks import BLUE, MOVES, ORANGE, curve, signs, tiles, to_one
from .picture import Picture
from .style import Axis, canvas, chart, over_plane, square, wear

UP, DOWN = 1.22, -1.22  # where the points of P and of Q lie when they have one coordinate
WITNESS = Axis("witness, its largest value 1", (-1.5, 1.5), {DOWN: "Q", -1: "", 0: "0", 1: "", UP: "P"})


class Samples(Picture):
    """Both samples with their witness, in the plane or on a line."""

    place, title = "sample", "The samples, and where each has more"

    @staticmethod
    def columns(result):
        x, y = positions(result)
        parts = {"P": slice(len(result.samples.X)), "Q": slice(len(result.samples.X), None)}
        parts["touched"] = result.samples.touched
        return {name: {"x": x[rows], "y": y[rows]} for name, rows in parts.items()}

    @staticmethod
    def table(result):
        heights = result.trials.heights
        ends = np.column_stack([np.argmax(heights, axis=1), np.argmin(heights, axis=1)])
        x, y = positions(result)
        return {("extremes", "x"): x[ends], ("extremes", "y"): y[ends]}

    def points(self, plot, paint, sources):
        """The points and what marks them."""
        filled = glyphs.scatter(
            plot, "x", "y", source=sources["P"], size=7, fill_alpha=0.85, line_width=0.5, level=MOVES
        )
        paint(filled.glyph, "fkmse", "fill_color", "line_color")
        for name, role, options in (
            ("Q", "fkmse", {"size": 7, "fill_alpha": 0, "line_width": 1.6}),
            ("extremes", "truth", {"size": 17, "fill_alpha": 0, "line_width": 2}),
            ("touched", "outlier", {"marker": "x", "size": 14, "line_width": 2}),
        ):
            paint(
                glyphs.scatter(plot, "x", "y", source=sources[name], level=MOVES, **options).glyph, role, "line_color"
            )


class Plane(Samples):
    """The first two coordinates of the samples, on the witness as background."""

    name = "plane"

    @staticmethod
    def columns(result):
        return {**Samples.columns(result), "field": tiles(result.places if in_plane(result) else None)}

    @staticmethod
    def table(result):
        heat = to_one(result.trials.witness if in_plane(result) else np.zeros((len(result.tests), 0)))
        return {**Samples.table(result), ("field", "w"): heat}

    @staticmethod
    def seen(result):
        return in_plane(result)

    def draw(self, paint, sources, result):
        plot = canvas(self.title, "", "", 330, x_range=(-1, 1), y_range=(-1, 1))
        tile = {"line_color": None, "dilate": True, "level": "image"}
        coloured = {"field": "w", "transform": signs(paint)}
        glyphs.rect(plot, "x", "y", "width", "height", source=sources["field"], fill_color=coloured, **tile)
        self.points(plot, paint, sources)
        square(plot, *result.frame)
        return plot

    def aim(self, result):
        if in_plane(result):
            over_plane(self.plot, result.frame, result.samples.quantities)


class Line(Samples):
    """Samples of one coordinate, above and below their witness."""

    name = "line"

    @staticmethod
    def columns(result):
        x = np.zeros(0) if in_plane(result) else result.places[:, 0]
        return {**Samples.columns(result), "curve": {"x": x}}

    @staticmethod
    def table(result):
        curve = to_one(np.zeros((len(result.tests), 0)) if in_plane(result) else result.trials.witness)
        parts = {"w": curve, "up": np.maximum(curve, 0.0), "down": np.minimum(curve, 0.0)}
        return {**Samples.table(result), **{("curve", name): y for name, y in parts.items()}}

    @staticmethod
    def seen(result):
        return not in_plane(result)

    def draw(self, paint, sources, result):
        plot = chart(self.title, Axis("", (-1, 1)), WITNESS, 330)
        plot.add_layout(paint(Span(location=0, dimension="width", line_width=1.5), "kme", "line_color"))
        for name, tint in (("up", BLUE), ("down", ORANGE)):
            glyphs.varea(plot, "x", 0, name, source=sources["curve"], fill_color=tint, fill_alpha=0.4, level=MOVES)
        curve(plot, paint, sources["curve"], "x", "w", "kme", level=MOVES)
        self.points(plot, paint, sources)
        return plot

    def aim(self, result):
        if not in_plane(result):
            cx, _, half = result.frame
            self.plot.x_range.update(start=cx - 1.04 * half, end=cx + 1.04 * half)
            wear(self.plot, self.plot.xaxis, cx - half, cx + half, result.samples.quantities[0])


def in_plane(result):
    """Whether there are two coordinates or more."""
    return len(result.samples.names) > 1


def positions(result):
    """Where the pooled points are drawn; one beyond the frame stays at its edge."""
    P, (cx, cy, half) = result.samples.pooled, result.frame
    if in_plane(result):
        x = np.clip(P[:, 0], cx - 1.3 * half, cx + 1.3 * half)
        return x, np.clip(P[:, 1], cy - half, cy + half)
    # in one dimension the height means nothing; golden steps keep neighbours of the sample apart
    rows = np.arange(len(P))
    jitter = 0.16 * ((rows * 0.6180339887) % 1 - 0.5)
    return np.clip(P[:, 0], cx - half, cx + half), np.where(rows < len(result.samples.X), UP, DOWN) + jitter
