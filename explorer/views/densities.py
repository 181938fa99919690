"""A density made of blobs, in the plane or on a line: the blobs that a hand may drag, the sample and the truth.

The result has `path`, a FitPath at the slider's stops, `density` (r, g) at `places` (g, d), which in the plane are all
pairs of its `axes`, `true_density`, the `X` and the `frame` of its sample, and a `role`, the colour of the estimate
that the blobs match.
"""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from explorer.datasets.quantity import Quantity

from . import glyphs, marks
from .marks import MOVES, nothing
from .picture import Imaged, Picture
from .style import canvas, change, over_plane, own_ticks, square, ticks, wear

COLOURS = ("kme", "skmse", "fkmse", "mkme", "mmkme")  # of estimates
MOST = 10  # blobs, each a row of every table: a source keeps its length
SMALLEST, AREA = 5.0, 34.0  # px: a centre's disc, SMALLEST and AREA times the root of its weight
HIGHEST = 2.5  # times what else is drawn: the peak of a narrow blob goes on above the picture
RUG = -0.05  # of the axis: where the sample lies below a density on a line
TITLE, HEADING = "Drag a blob's centre", "The density of the blobs, and the sample"


class Coloured:
    """A picture some of whose glyphs have the colour of the chosen estimate, one of each colour being visible."""

    def each(self, draw):
        """`draw(role)` a renderer in every colour."""
        self.drawn = [*getattr(self, "drawn", []), {name: draw(name) for name in COLOURS}]

    def choose(self, result):
        """Show the renderers of the chosen colour alone."""
        for renderers in getattr(self, "drawn", []):
            for name, renderer in renderers.items():
                change(renderer, visible=name == result.role)


def filled(values):
    """Rows of numbers of blobs (r, m) as rows of MOST, nan where there is no blob."""
    return np.pad(values, ((0, 0), (0, MOST - values.shape[1])), constant_values=np.nan)


def centres(result):
    """Where the blobs are at each stop, as rows of MOST: x, y, radius, and the size of a disc by weight."""
    path = result.path
    columns = {
        "x": path.means[:, :, 0],
        "y": path.means[:, :, 1] if path.means.shape[2] > 1 else np.zeros_like(path.weights),
        "radius": np.sqrt(path.variances),
        "size": SMALLEST + AREA * np.sqrt(path.weights),
    }
    return {name: filled(values) for name, values in columns.items()}


def floor(axes):
    """Where an image over cells of these centres lies."""
    return {name: np.array(values, dtype=float) for name, values in marks.ground(*axes).items()}


def centred(plot, paint, source, name, size="size"):
    """Discs at the centres of blobs, in one colour; no picture shows what lies beyond its frame."""
    options = {"source": source, "size": size, "fill_alpha": 0.45, "line_width": 1.5}
    dots = glyphs.scatter(plot, "x", "y", **options)
    paint(dots.glyph, name, "line_color", "fill_color")
    return dots


class BlobsPlane(Coloured, Imaged):
    """In two dimensions: the fitted density as bands, the blobs as discs of one standard deviation, and the sample."""

    shaded, cells = "image", 0  # how many cells the image has

    @staticmethod
    def seen(result):
        return result.lab.d == 2

    @classmethod
    def columns(cls, result):
        if not cls.seen(result):
            return {"ground": floor(([0.0, 1.0], [0.0, 1.0])), "sample": nothing("x", "y"), "law": marks.ellipses(None)}
        return {
            "ground": floor(result.axes),
            "sample": dict(zip("xy", result.X.T, strict=True)),
            "law": marks.ellipses(result.law),
        }

    @classmethod
    def table(cls, result):
        if not cls.seen(result):
            moving = {("blobs", name): np.full((1, MOST), np.nan) for name in ("x", "y", "radius", "size")}
            return {("image", "w"): np.zeros((1, cls.cells)), **moving}
        peak = result.density.max(axis=1, keepdims=True)
        moving = {("blobs", name): values for name, values in centres(result).items()}
        return {("image", "w"): result.density / np.where(peak > 0, peak, 1.0), **moving}

    @classmethod
    def kept(cls, result):
        if result is None or not cls.seen(result):
            return {"kept": nothing("x", "y", "radius")}
        return {"kept": {name: centres(result)[name][result.row] for name in ("x", "y", "radius")}}

    def draw(self, paint, sources, result):
        plot = canvas(TITLE, "", "", 340, x_range=(-1, 1), y_range=(-1, 1))
        self.lay(plot, paint, sources, sources["ground"])
        law = {"source": sources["law"], "fill_alpha": 0, "line_dash": "dotted", "line_width": 2}
        paint(glyphs.ellipse(plot, "x", "y", "width", "height", "angle", **law).glyph, "truth", "line_color")
        marks.dots(plot, paint, sources["sample"], "kme", size=5, fill_alpha=0.8, line_width=0)
        kept = {"source": self.pinned["kept"], "fill_alpha": 0, "line_dash": "dashed", "line_alpha": 0.6}
        paint(glyphs.circle(plot, "x", "y", "radius", **kept).glyph, "kme", "line_color")
        blobs = sources["blobs"]

        def rim(name):
            disc = glyphs.circle(plot, "x", "y", "radius", source=blobs, fill_alpha=0, line_width=2)
            paint(disc.glyph, name, "line_color")
            return disc

        self.each(rim)
        self.each(lambda name: centred(plot, paint, blobs, name))
        square(plot, *result.frame)
        return plot

    def aim(self, result):
        super().aim(result)
        self.choose(result)
        if self.seen(result):
            over_plane(self.plot, result.frame, result.quantities)


class BlobsLine(Coloured, Picture):
    """In one dimension: the fitted density, the true one, what each blob adds, and the sample below."""

    @staticmethod
    def seen(result):
        return result.lab.d == 1

    @classmethod
    def columns(cls, result):
        if not cls.seen(result):
            return {"curve": nothing("x"), "truth": nothing("x", "y"), "sample": nothing("x", "y")}
        x, truth = result.places[:, 0], result.true_density
        rug = np.full(len(result.X), RUG * top_of(result))
        cx, _, half = result.frame
        return {
            "curve": {"x": x},
            "truth": nothing("x", "y") if truth is None else {"x": x, "y": truth},
            "sample": {"x": np.clip(result.X[:, 0], cx - half, cx + half), "y": rug},
        }

    @classmethod
    def table(cls, result):
        if not cls.seen(result):
            blobs = {("blobs", name): np.full((1, MOST), np.nan) for name in ("x", "y", "size")}
            return {("curve", "y"): np.zeros((1, 0)), **blobs}
        end, blobs = top_of(result), centres(result)
        peaks = result.path.weights / np.sqrt(2 * np.pi * result.path.variances)
        blobs["y"] = filled(np.minimum(peaks, end))
        curve = np.where(result.density <= 1.02 * end, result.density, np.nan)
        return {("curve", "y"): curve, **{("blobs", name): blobs[name] for name in ("x", "y", "size")}}

    @classmethod
    def kept(cls, result):
        if result is None or not cls.seen(result):
            return {"kept": nothing("x", "y")}
        return {"kept": {"x": result.places[:, 0], "y": result.density[result.row]}}

    def draw(self, paint, sources, result):
        ends = {"x_range": Range1d(-1, 1), "y_range": Range1d(-0.1, 1)}
        plot = canvas(TITLE, "x", "density", 340, **ends)
        marks.across(plot, paint, 0, "width", "kme", line_width=1)
        rug = glyphs.scatter(plot, "x", "y", source=sources["sample"], marker="dash", angle=np.pi / 2, size=12)
        paint(rug.glyph, "kme", "line_color")
        marks.curve(plot, paint, self.pinned["kept"], "x", "y", "kme", line_width=1.5, line_alpha=0.6)
        blobs = sources["blobs"]
        marks.curve(plot, paint, sources["truth"], "x", "y", "truth", line_width=2, line_dash="dotted")

        def curve(name):
            line = glyphs.line(plot, "x", "y", source=sources["curve"], line_width=3, level=MOVES)
            paint(line.glyph, name, "line_color")
            return line

        self.each(curve)
        self.each(lambda name: centred(plot, paint, blobs, name))
        return plot

    def aim(self, result):
        self.choose(result)
        if self.seen(result):
            (cx, _, half), end = result.frame, top_of(result)
            change(self.plot.x_range, start=cx - half, end=cx + half)
            change(self.plot.y_range, start=2 * RUG * end, end=1.02 * end)
            wear(self.plot, self.plot.xaxis, cx - half, cx + half, result.quantities[0])
            density = Quantity("density", size=1 / result.quantities[0].size)
            ticks(self.plot, self.plot.yaxis, own_ticks(0.0, end, density))


def top_of(result):
    """Where the axis of densities ends: start and truth are in the picture, and the end unless it is far higher."""
    start, end = (float(result.density[i].max()) for i in (0, -1))
    even = start if result.true_density is None else max(start, float(result.true_density.max()))
    return 1.1 * min(max(even, end), HIGHEST * even)
