"""The MONK lab's pictures: the pairs with their blocks, what each block says, and four small ones."""

from __future__ import annotations

import numpy as np
from bokeh.models import ColumnDataSource, Range1d, Span

from .base import View
from .monk_axis import LEAST_ERROR, limit, marks, plain, symlog, top_error
from .monk_columns import CELLS, U_HEIGHT, VOTE, X_RANGE, columns, pinned, seen_columns, tables
from .monk_small import FIGURES, MOVES
from .monk_small_columns import STROKES
from .style import canvas, ticks

ROOM = 0.06  # beside what is drawn, of the width of a picture


class MonkView(View):
    """Six figures, of which three are seen at a time, over shared sources.

    `show` writes the columns of a result into them.
    """

    columns, seen, tables = staticmethod(columns), staticmethod(seen_columns), staticmethod(tables)

    def __init__(self, result, dark=False):
        super().__init__(result, dark)
        self.pinned, self._limit, self._law = ColumnDataSource(pinned(None)), None, None
        self.hero, self.blocks = self._canvas(), self._values()
        self.small = {name: make(self.paint, self.sources) for name, make in FIGURES.items()}
        self.figures = {"pairs": self.hero, "blocks": self.blocks, **self.small}
        # where they stand on a page: the small ones share a place, one at a time
        self.places = {"pairs": [self.hero], "blocks": [self.blocks], "small": list(self.small.values())}
        self.aim(result)

    def pin(self, result):
        """Keep a result's blocks in the picture, faint, or none."""
        self.pinned.data = pinned(result)

    def aim(self, result):
        """Ranges are of the laws and of how far the outliers can carry a block; they stay while Q moves."""
        if self._limit != (top := limit(result)):
            self._limit = top
            end = float(symlog(top))
            words, powers = marks(top), 10.0 ** np.arange(-2, np.log10(top_error(result)) + 0.5)
            steps = self.small["steps"]
            for figure, axis, range_, low in (
                (self.blocks, self.blocks.xaxis, self.blocks.x_range, 1.0),
                (steps, steps.yaxis, steps.y_range, 0.35),
            ):
                ticks(figure, axis, words)
                range_.update(start=-(low + ROOM) * end, end=(1 + ROOM) * end)
            for name in ("cliff", "quantiles"):
                figure = self.small[name]
                every = 2 if len(powers) > 5 else 1
                ticks(figure, figure.yaxis, {v: plain(v) for v in powers[::every]})
                figure.y_range.update(start=LEAST_ERROR, end=top_error(result))
        law = result.lab.laws, result.lab.shift, result.pairs.kernel.key, result.one
        if result.embeddings is not None and self._law != law:
            self._law = law
            truth, figure = result.embeddings.truth, self.small["embedding"]
            room = max(float(np.ptp(truth)), 1e-9)
            figure.x_range.update(start=float(result.embeddings.at[0]), end=float(result.embeddings.at[-1]))
            figure.y_range.update(start=float(truth.min()) - 0.25 * room, end=float(truth.max()) + 0.75 * room)
        titles = {"cliff": "Error over outliers", "quantiles": f"Embedding: Q 11 {STROKES[11]}, Q 21 {STROKES[21]}"}
        if result.lab.picture in titles:
            self.small[result.lab.picture].title.text = f"{titles[result.lab.picture]}{_samples(result)}"
        self.small["embedding"].title.text = f"The mean embedding of {'Q' if result.one else 'P'}, as a function"

    def _canvas(self):
        plot = canvas(
            "Click adds an outlier, a drag moves it",
            "x (first coordinate)",
            "",
            340,
            x_range=Range1d(X_RANGE[0] - 0.7, X_RANGE[1] + 0.7),
            y_range=Range1d(-1.25, 2.1),
        )
        ticks(plot, plot.xaxis, {v: f"{v:g}".replace("-", "−") for v in range(-10, 26, 5)})
        ticks(plot, plot.yaxis, {1.5: "P", 0.5: "Q", sum(CELLS) / 2: "blocks", sum(VOTE) / 2: "vote"})
        plot.ygrid.visible = False
        paint, s = self.paint, self.sources
        plot.add_layout(paint(Span(location=1, dimension="width", line_width=1, line_alpha=0.3), "truth", "line_color"))
        points = plot.scatter("x", "y", source=s["P"], size=6, fill_alpha=0.65, line_width=0.5)
        paint(points.glyph, "kme", "line_color", "fill_color")
        points = plot.scatter("x", "y", source=s["Q"], size=6, fill_alpha=0, line_width=1.2)
        paint(points.glyph, "kme", "line_color")
        (low, high), (bottom, top) = CELLS, VOTE
        for name, heights, role in (
            ("cells", (low, high), "monk"),
            ("votes", (bottom, top), "monk"),
            ("bad_cells", (low, high), "outlier"),
            ("bad_votes", (bottom, top), "outlier"),
        ):
            hatch = {"hatch_pattern": "right_diagonal_line", "hatch_alpha": 0.75, "hatch_scale": 7, "hatch_weight": 1.5}
            bad = name.startswith("bad")
            quads = plot.quad(
                "left",
                "right",
                *heights[::-1],
                source=s[name],
                level=MOVES,
                fill_alpha=0.08 if bad else 0.3,
                line_width=1,
                line_alpha=0.8,
                **(hatch if bad else {}),
            )
            paint(quads.glyph, role, "line_color", "fill_color", *(["hatch_color"] if bad else []))
        ring = plot.quad(
            "left", "right", high + 0.05, low - 0.05, source=s["median_cell"], level=MOVES, fill_alpha=0, line_width=3
        )
        paint(ring.glyph, "monk", "line_color")
        half = plot.segment(
            [sum(X_RANGE) / 2], [bottom - 0.06], [sum(X_RANGE) / 2], [top + 0.06], line_width=2.5, level="annotation"
        )
        paint(half.glyph, "truth", "line_color")
        for name in ("planted", "placed"):
            crosses = plot.scatter("x", "y", source=s[name], marker="x", size="size", line_width=2.5, level=MOVES)
            paint(crosses.glyph, "outlier", "line_color")
        ring = plot.scatter(
            "x", "y", source=s["selected"], marker="circle", size=22, line_width=2, fill_alpha=0, level=MOVES
        )
        paint(ring.glyph, "outlier", "line_color")
        for name, role in (("far", "kme"), ("off", "outlier")):
            arrows = plot.scatter(
                "x", "y", source=s[name], marker="triangle", angle="angle", size=11, line_width=0, level=MOVES
            )
            paint(arrows.glyph, role, "fill_color", "line_color")
        return plot

    def _values(self):
        plot = canvas(
            "What the blocks say, in order",
            "block means, an MMD (signed log scale)",
            "",
            260,
            x_range=Range1d(-1, 1),
            y_range=Range1d(-0.3, 1.08),
        )
        ticks(plot, plot.yaxis, {U_HEIGHT: "U", 0.5: "median"})
        paint, s = self.paint, self.sources
        plot.add_layout(
            paint(Span(location=0, dimension="height", line_width=1, line_alpha=0.5), "truth", "line_color")
        )
        plot.add_layout(
            paint(Span(location=0.5, dimension="width", line_width=1, line_alpha=0.5), "monk", "line_color")
        )
        truth = plot.vspan("x", source=s["truth"], line_width=2, line_dash="dotted")
        paint(truth.glyph, "truth", "line_color")
        kept = plot.scatter("x", "y", source=self.pinned, marker="hex", size=9, line_alpha=0.35, fill_alpha=0.2)
        paint(kept.glyph, "monk", "line_color", "fill_color")
        dots = plot.scatter("x", "y", source=s["values"], marker="hex", size=9, fill_alpha=0.75, level=MOVES)
        paint(dots.glyph, "monk", "line_color", "fill_color")
        crosses = plot.scatter("x", "y", source=s["bad_values"], marker="x", size=9, line_width=2.5, level=MOVES)
        paint(crosses.glyph, "outlier", "line_color")
        ring = plot.scatter(
            "x", "y", source=s["median"], marker="circle", size=18, fill_alpha=0, line_width=2.5, level=MOVES
        )
        paint(ring.glyph, "monk", "line_color")
        for name, role, dash in (("monk", "monk", "solid"), ("fast", "monkfast", "dashed")):
            line = plot.vspan("x", source=s[name], line_width=2, line_dash=dash, level=MOVES)
            paint(line.glyph, role, "line_color")
        cross = plot.scatter("x", "y", source=s["U"], marker="cross", size=16, line_width=3, level=MOVES)
        paint(cross.glyph, "kme", "line_color")
        return plot


def _samples(result):
    """How many further samples a picture is of."""
    return ", being drawn ..." if result.replicates is None else f", {result.replicates.count} further samples"
