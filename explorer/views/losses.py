"""The picture that labs of a kernel mean open with: losses of two estimators over their parameter."""

from __future__ import annotations

import numpy as np
from bokeh.core.properties import value
from bokeh.models import Label

from . import film, glyphs, marks
from .marks import MOVES, nothing
from .picture import Picture
from .style import FONT, Axis, change, chart

LOSS = Axis("", (0.0, 1.6), marks.LOSS_TICKS)
NAMED, FALLS = (1.42, 1.22), (0.6, 0.75)  # the heights at which the curves are named, where they rise or fall
EDGE = 0.82  # of the stops: a name at the right of what lies beyond would be cut where the page is narrow
LETTER = 7.6  # px, of such a name


class LossPicture(Picture):
    """Losses over a parameter relative to KME's, with their leave-one-out scores and where other samples lie.

    A subclass gives `parameter` ("lam", whose values a path has as `lams`), its `axis`, the `lines` (the result's
    attribute, role, dash, marker) and their `names`, or `words(result)`, the `sizes` of the dots that are the best,
    the chosen and the present value, and `best(path)`, where the best one is. `between` draws what lies below the
    curves.
    """

    name, upright = "loss", "line"
    parameter, axis, lines, names, sizes = "", None, (), (), ()

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
        labels = cls._labels(result)
        return {
            "curves": curves,
            "bands": cls._bands(result),
            **{name: dict(dots) for name, *_ in cls.lines},
            **{f"{name}_label": each for (name, *_), each in zip(cls.lines, labels, strict=True)},
            **cls._film(result, stops),
        }

    @classmethod
    def _film(cls, result, stops):
        """The sources of each estimator's film of more samples."""
        films = {name: film.columns(result.replicates, name, stops, LOSS.range[1]) for name, *_ in cls.lines}
        return {f"{name}_{part}": each for name, parts in films.items() for part, each in parts.items()}

    @classmethod
    def _labels(cls, result):
        """Where each curve is named: where it rises into the harm, or else where it falls; the left one at its left."""
        stops, words = cls.at_stops(result), cls.words(result)
        heights = [getattr(result, name).height[:-1] for name, *_ in cls.lines]
        rows = [_named_at(height, i) for i, height in enumerate(heights)]
        leftmost, labels = int(np.argmin(rows)), []
        for i, (height, row) in enumerate(zip(heights, rows, strict=True)):
            near_the_edge = row > EDGE * len(stops)
            beside = (-1 if near_the_edge or i == leftmost else 1) * (9 + LETTER / 2 * len(words[i]))
            place = {"x": stops[row], "y": min(height[row], LOSS.range[1])}
            offsets = {"across": beside, "up": -11 if row == len(stops) - 1 else 0}
            labels.append({name: np.array([float(number)]) for name, number in {**place, **offsets}.items()})
        return labels

    @classmethod
    def table(cls, result):
        table = {}
        for name, *_ in cls.lines:
            table[name, "x"], table[name, "y"] = cls._dots(getattr(result, name))
        return {("line", "x"): table[cls.lines[0][0], "x"][:, 2:], **table}

    def aim(self, result):
        """The curves' names follow."""
        for glyph, text in zip(self._named, self.words(result), strict=True):
            change(glyph, text=value(text))

    @classmethod
    def words(cls, result):
        """What each line is called, in their order."""
        return cls.names

    @classmethod
    def named(cls, result):
        return {"KME", *cls.words(result)}

    @classmethod
    def kept(cls, result):
        names = [name for name, *_ in cls.lines]
        if result is None:
            return {"pinned": nothing(cls.parameter, *names)}
        heights = {name: getattr(result, name).height[:-1] for name in names}
        return {"pinned": {cls.parameter: cls.at_stops(result), **heights}}

    @classmethod
    def _bands(cls, result):
        """Where more samples lie: the ends of their bands for each estimator, nothing where there are none."""
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
        plot = chart("Squared error, relative to the plain average", self.axis, LOSS, 340)
        marks.one_is_kme(plot, paint)
        for name, role, *_ in self.lines:
            bands = marks.bands(plot, paint, sources["bands"], self.parameter, name, role)
            film.roll(plot, paint, sources, name, role, bands, LOSS.range[1])
        self.between(plot, paint, sources)
        for name, role, dash, _ in self.lines:
            dotted, faint = {"line_width": 1.5, "line_dash": "dotted"}, {"line_width": 6, "line_alpha": 0.3}
            curves, pinned = sources["curves"], self.pinned["pinned"]
            marks.curve(plot, paint, curves, self.parameter, f"{name}_score", role, **dotted)
            marks.curve(plot, paint, curves, self.parameter, f"{name}_loss", role, line_dash=dash)
            marks.curve(plot, paint, pinned, self.parameter, name, role, line_dash=dash, **faint)
        marks.upright(plot, paint, sources["line"])
        self._name(plot, paint, sources)
        for name, role, _, marker in self.lines:
            options = {"size": "size", "fill_alpha": "fill", "marker": marker, "line_width": 2, "level": MOVES}
            marks.dots(plot, paint, sources[name], role, **options)
        return plot

    def _name(self, plot, paint, sources):
        """Words beside what they name, in its colour."""
        self._named = []
        for name, role, *_ in self.lines:
            words = glyphs.text(
                plot, "x", "y", source=sources[f"{name}_label"], x_offset="across", y_offset="up", text_align="center",
                text_baseline="middle", text_font_size="13px", text_font_style="bold", text_font=value(FONT),
            )  # fmt: skip
            self._named.append(paint(words.glyph, role, "text_color"))
        left, small = self.axis.range[0], {"text_font": FONT, "text_font_size": "12px", "x_offset": 8}
        for y, text, role, up in ((LOSS.range[1], "harm", "harm", -16), (1, "plain average (KME)", "kme", 4)):
            plot.add_layout(paint(Label(x=left, y=y, text=text, y_offset=up, **small), role, "text_color"))


def _named_at(height, i):
    """The row where the i-th curve is named: where it rises to its height of NAMED, else falls to that of FALLS."""
    least = int(np.argmin(height))
    rises, falls = np.flatnonzero(height[least:] >= NAMED[i]), np.flatnonzero(height <= FALLS[i])
    if len(rises):
        return least + int(rises[0])
    return int(falls[0]) if len(falls) else len(height) - 1
