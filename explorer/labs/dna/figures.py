"""The DNA lab's pictures: what both tests compare with, the Gram matrix, and the letters place by place."""

from __future__ import annotations

import numpy as np
from bokeh.models import LinearColorMapper, Span
from bokeh.palettes import Cividis256

from explorer.views import glyphs, marks
from explorer.views.marks import MOVES, nothing
from explorer.views.picture import Picture
from explorer.views.style import Axis, aim, chart, entitle, square, ticks, words_of, written
from explorer.workbench.numbers import number

REACH_RANGE = (-1.0, 4.0)  # of both tests, in units of their thresholds
REACH = Axis("statistic / its threshold at the level", REACH_RANGE, {-1: "−1", 0: "0", 1: "1", 2: "2", 3: "3", 4: "4"})
COUNT = Axis("share of resamples, tallest 1", (0.0, 1.32), {0: "0", 0.5: "0.5", 1: "1"})
EDGES = np.linspace(*REACH_RANGE, 51)
TESTS = (("plain", "kme", "solid", None), ("monk", "monk", "dashed", "right_diagonal_line"))  # name, role, dash, hatch
HEIGHTS = {"plain": 1.2, "monk": 1.08}  # how high each statistic's mark stands
GAP = 1  # rows between the two samples' profiles
BOX = (0.0, -0.03, 1.06)  # centre and half-width of the square that shows the Gram matrix with its titles


class Tests(Picture):
    """Both statistics beside their null values, in units of their thresholds."""

    name = "tests"

    @staticmethod
    def columns(result):
        columns = {}
        for name, *_ in TESTS:
            test = getattr(result, name)
            values = np.clip(test.null_distribution / result.unit(test), *REACH_RANGE)
            counts = np.histogram(values, EDGES)[0]
            columns[name] = {"left": EDGES[:-1], "right": EDGES[1:], "top": counts / counts.max()}
            columns[f"{name}_mark"] = _mark(name, result.reach(test))
        return columns

    @staticmethod
    def kept(result):
        if result is None:
            return {"pinned": nothing("plain", "monk")}
        reaches = {name: [result.reach(getattr(result, name))] for name, *_ in TESTS}
        return {"pinned": {name: np.clip(reach, *REACH_RANGE) for name, reach in reaches.items()}}

    def draw(self, paint, sources, result):
        plot = chart("Both tests and what chance gives", REACH, COUNT, 250)
        for name, role, _, hatch in TESTS:
            bars = glyphs.quad(
                plot,
                left="left",
                right="right",
                bottom=0,
                top="top",
                source=sources[name],
                fill_alpha=0 if hatch else 0.4,
                line_alpha=0.5,
                hatch_pattern=hatch,
                hatch_alpha=0.7,
                hatch_scale=7,
            )
            paint(bars.glyph, role, "fill_color", "line_color", "hatch_color")
        threshold = Span(location=1, dimension="height", line_width=2, line_dash="dotted")
        plot.add_layout(paint(threshold, "truth", "line_color"))
        for name, role, dash, _ in TESTS:
            kept = glyphs.segment(plot, name, 0, name, 1, source=self.pinned["pinned"], line_width=9, line_alpha=0.3)
            paint(kept.glyph, role, "line_color")
            source = sources[f"{name}_mark"]
            stem = glyphs.segment(plot, "x", "foot", "x", "y", source=source, line_width=3, level=MOVES, line_dash=dash)
            paint(stem.glyph, role, "line_color")
            marks.dots(plot, paint, source, role, angle="angle", marker="triangle", size=12, level=MOVES)
            words = glyphs.text(
                plot,
                "x",
                "y",
                text="words",
                x_offset="shift",
                text_align="align",
                text_baseline="middle",
                text_font_size="13px",
                text_font_style="bold",
                source=source,
                level=MOVES,
            )
            paint(words.glyph, role, "text_color")
        return plot


class Gram(Picture):
    """The Gram matrix of the reads, sorted by sample, the contaminated ones marked."""

    name = "gram"

    @staticmethod
    def columns(result):
        K, low, high = result.square
        span = (high - low) or abs(low) or 1.0  # reads that are all equally similar have one colour
        shades = np.clip((K[::-1] - low) / span, 0, 1)  # a byte for each of the palette's 256 colours
        return {
            "gram": {"image": [np.rint(255 * shades).astype(np.uint8)]},
            "titles": _titles(result),
            "cell": _cell(result),
            "contaminated": _contaminated(result),
        }

    def draw(self, paint, sources, result):
        plot = chart("Similarity of two reads", Axis("reads", (-1.1, 1.1)), Axis("reads", (-1.1, 1.1)), 400)
        square(plot, *BOX)
        plot.grid.grid_line_color = None
        plot.axis.visible = False  # the samples' names stand beside their rows and columns
        colours = LinearColorMapper(Cividis256, low=0, high=255)
        glyphs.image(plot, image="image", x=-1, y=-1, dw=2, dh=2, source=sources["gram"], color_mapper=colours)
        for xs, ys in (([0, 0], [-1, 1]), ([-1, 1], [0, 0])):
            paint(glyphs.line(plot, xs, ys, line_width=2).glyph, "ground", "line_color")
        words = glyphs.text(
            plot,
            "x",
            "y",
            text="words",
            angle="angle",
            text_align="center",
            text_baseline="middle",
            text_font_size="13px",
            source=sources["titles"],
        )
        paint(words.glyph, "truth", "text_color")
        crosses = glyphs.scatter(plot, "x", "y", source=sources["contaminated"], marker="x", size=8, line_width=2)
        paint(crosses.glyph, "outlier", "line_color")
        for width, role in ((5, "ground"), (2, "truth")):  # seen on any colour
            options = {"marker": "square", "size": 13, "fill_alpha": 0, "line_width": width, "level": MOVES}
            paint(glyphs.scatter(plot, "x", "y", source=sources["cell"], **options).glyph, role, "line_color")
        return plot

    def aim(self, result):
        aim(self.plot, *BOX)
        centred = ", centred" if result.lab.picture == "centred" else ""
        title = f"Similarity of two reads{centred}"
        if self.plot.title.text != title:
            self.plot.title.text = title


class Letters(Picture):
    """How often each letter stands at each place, the first sample above the second."""

    name = "profile"

    @staticmethod
    def columns(result):
        first, second = result.profile.first, result.profile.second
        blank = np.full((GAP, first.shape[1]), np.nan)
        # Bokeh draws the last row on top
        return {"profile": {"image": [np.vstack([second[::-1], blank, first[::-1]]).astype(np.float32)]}}

    def draw(self, paint, sources, result):
        plot = chart("Letters place by place", Axis("place in the read", (0.5, 60.5)), Axis("letter", (0, 9)), 230)
        plot.grid.grid_line_color = None
        colours = LinearColorMapper(Cividis256, low=0, high=1, nan_color="rgba(0, 0, 0, 0)")
        image = {"image": "image", "source": sources["profile"], "color_mapper": colours}
        self.letters = glyphs.image(plot, x=0.5, y=0, dw=60, dh=9, **image)
        return plot

    def aim(self, result):
        """The rows, each a letter, and the places."""
        letters, length = result.profile.letters, result.profile.first.shape[1]
        count = len(letters)
        rows = {count - 1 - i + 0.5: letter for i, letter in enumerate(letters)}
        rows |= {count + GAP + y: letter for y, letter in rows.items()}
        title = f"Letters: {result.titles[0]} above, {result.titles[1]} below"
        if written(self.plot.title.text) == title and rows == words_of(self.plot.yaxis[0]):
            return
        entitle(self.plot.title, title)
        ticks(self.plot, self.plot.yaxis, rows)
        self.plot.y_range.update(start=0, end=2 * count + GAP)
        self.plot.x_range.update(start=0.5, end=length + 0.5)
        self.letters.glyph.update(dw=length, dh=2 * count + GAP)


PICTURES = (Tests, Gram, Letters)


def place(index, count):
    """Where the middle of a row of the Gram matrix lies on the axes, which run from -1 to 1."""
    return (2 * np.asarray(index) + 1) / count - 1


def _mark(name, reach):
    """A statistic's mark and its number; beyond the axis a triangle that points there."""
    x = float(np.clip(reach, *REACH_RANGE))
    angle = np.pi  # points down, at the axis
    if x != reach:
        angle = -np.pi / 2 if reach > 0 else np.pi / 2
    # the numbers stand apart where the marks are close, and inside
    left = x > 3.4 or (name == "monk" and x > -0.4)
    return {
        "x": np.array([x]),
        "y": np.array([HEIGHTS[name]]),
        "foot": np.zeros(1),
        "angle": np.array([angle]),
        "words": np.array([number(reach)]),
        "align": np.array(["right" if left else "left"]),
        "shift": np.array([-11.0 if left else 11.0]),
    }


def _titles(result):
    """The samples' names, beside their rows and below their columns."""
    shown = len(result.drawn) // 2
    reads = f"{result.n} reads" if shown == result.n else f"{shown} of {result.n} reads"
    return {
        "x": np.array([-1.09, -1.09, -0.5, 0.5]),
        "y": np.array([0.5, -0.5, -1.1, -1.1]),
        "words": np.array([f"{title} ({reads})" for title in result.titles] * 2),
        "angle": np.array([np.pi / 2] * 2 + [0.0] * 2),
    }


def _cell(result):
    """The pair that is shown and its mirror image, where they are drawn."""
    rows = [np.flatnonzero(result.drawn == row) for row in result.pair]
    if not all(map(len, rows)):
        return nothing("x", "y")
    i, j = (float(place(row[0], len(result.drawn))) for row in rows)
    return {"x": np.array([j, i]), "y": np.array([-i, -j])}


def _contaminated(result):
    """A cross beside every contaminated row, and below every such column."""
    middles = place(np.flatnonzero(result.contaminated), len(result.drawn))
    edge = np.full(len(middles), 1.035)
    return {"x": np.concatenate([edge, middles]), "y": np.concatenate([-middles, -edge])}
