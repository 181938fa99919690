"""The DNA lab's pictures: the Gram matrix, what both tests compare with, and the letters place by place."""

from __future__ import annotations

from bokeh.models import ColumnDataSource, LinearColorMapper, Range1d, Span
from bokeh.palettes import Cividis256

from .base import View
from .dna_columns import GAP, REACH_RANGE, TALL, columns, pinned
from .style import aim, canvas, square, ticks, words_of

MOVES = "overlay"


class DnaView(View):
    """Three figures over shared sources; `show` writes the columns of a result into them."""

    columns = seen = staticmethod(columns)

    def __init__(self, result, dark=False):
        super().__init__(result, dark)
        self.pinned = ColumnDataSource(pinned(None))
        self.hero, self.gram, self.profile = self._tests(), self._gram(), self._profile()
        self.figures = {"tests": self.hero, "gram": self.gram, "profile": self.profile}
        self.places = {name: [figure] for name, figure in self.figures.items()}
        self.aim(result)

    def pin(self, result):
        """Keep a result's two statistics in the picture, faint, or none."""
        self.pinned.data = pinned(result)

    def aim(self, result):
        aim(self.gram, 0.0, -0.03, 1.06)
        title = "How alike two reads are, centred" if result.lab.picture == "centred" else "How alike two reads are"
        if self.gram.title.text != title:
            self.gram.title.text = title
        self._name_letters(result)

    def _name_letters(self, result):
        """The profile's rows, each a letter, and its places."""
        letters, places = result.profile.letters, result.profile.first.shape[1]
        count = len(letters)
        rows = {count - 1 - i + 0.5: letter for i, letter in enumerate(letters)}
        rows |= {count + GAP + place: letter for place, letter in rows.items()}
        title = f"Letters: {result.titles[0]} above, {result.titles[1]} below"
        if self.profile.title.text == title and rows == words_of(self.profile.yaxis[0]):
            return
        self.profile.title.text = title
        ticks(self.profile, self.profile.yaxis, rows)
        self.profile.y_range.update(start=0, end=2 * count + GAP)
        self.profile.x_range.update(start=0.5, end=places + 0.5)
        self.letters.glyph.update(dw=places, dh=2 * count + GAP)

    def _tests(self):
        plot = canvas(
            "Both tests beside what chance gives",
            "statistic / what it must exceed at the level",
            "share of resamples, tallest 1",
            250,
            x_range=Range1d(*REACH_RANGE),
            y_range=Range1d(0, TALL),
        )
        ticks(plot, plot.xaxis, {-1: "−1", 0: "0", 1: "1", 2: "2", 3: "3", 4: "4"})
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1"})
        paint, s = self.paint, self.sources
        for name, role, pattern in (("plain", "kme", None), ("monk", "monk", "right_diagonal_line")):
            bars = plot.quad(
                left="left",
                right="right",
                bottom=0,
                top="top",
                source=s[name],
                fill_alpha=0 if pattern else 0.4,
                line_alpha=0.5,
                hatch_pattern=pattern,
                hatch_alpha=0.7,
                hatch_scale=7,
            )
            paint(bars.glyph, role, "fill_color", "line_color", "hatch_color")
        plot.add_layout(
            paint(Span(location=1, dimension="height", line_width=2, line_dash="dotted"), "truth", "line_color")
        )
        for name, role in (("plain", "kme"), ("monk", "monk")):
            kept = plot.segment(name, 0, name, 1, source=self.pinned, line_width=9, line_alpha=0.3)
            paint(kept.glyph, role, "line_color")
            source = s[f"{name}_mark"]
            stem = plot.segment(
                "x",
                "foot",
                "x",
                "y",
                source=source,
                line_width=3,
                level=MOVES,
                line_dash="solid" if name == "plain" else "dashed",
            )
            paint(stem.glyph, role, "line_color")
            mark = plot.scatter("x", "y", angle="angle", source=source, marker="triangle", size=12, level=MOVES)
            paint(mark.glyph, role, "line_color", "fill_color")
            words = plot.text(
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

    def _gram(self):
        plot = canvas(
            "How alike two reads are", "reads", "reads", 400, x_range=Range1d(-1.1, 1.1), y_range=Range1d(-1.1, 1.1)
        )
        square(plot, 0.0, -0.03, 1.06)
        paint, s = self.paint, self.sources
        plot.grid.grid_line_color, plot.axis.visible = (
            None,
            False,
        )  # the samples' names stand beside their rows and columns
        plot.image(
            image="image",
            x=-1,
            y=-1,
            dw=2,
            dh=2,
            source=s["gram"],
            color_mapper=LinearColorMapper(Cividis256, low=0, high=255),
        )
        for xs, ys in (([0, 0], [-1, 1]), ([-1, 1], [0, 0])):
            paint(plot.line(xs, ys, line_width=2).glyph, "ground", "line_color")
        words = plot.text(
            "x",
            "y",
            text="words",
            angle="angle",
            text_align="center",
            text_baseline="middle",
            text_font_size="13px",
            source=s["titles"],
        )
        paint(words.glyph, "truth", "text_color")
        crosses = plot.scatter("x", "y", source=s["spoiled"], marker="x", size=8, line_width=2)
        paint(crosses.glyph, "outlier", "line_color")
        for width, role in ((5, "ground"), (2, "truth")):  # seen on any colour
            ring = plot.scatter(
                "x", "y", source=s["cell"], marker="square", size=13, fill_alpha=0, line_width=width, level=MOVES
            )
            paint(ring.glyph, role, "line_color")
        return plot

    def _profile(self):
        plot = canvas(
            "Letters place by place",
            "place in the read",
            "letter",
            230,
            x_range=Range1d(0.5, 60.5),
            y_range=Range1d(0, 9),
        )
        plot.grid.grid_line_color = None
        self.letters = plot.image(
            image="image",
            x=0.5,
            y=0,
            dw=60,
            dh=9,
            source=self.sources["profile"],
            color_mapper=LinearColorMapper(Cividis256, low=0, high=1, nan_color="rgba(0, 0, 0, 0)"),
        )
        return plot
