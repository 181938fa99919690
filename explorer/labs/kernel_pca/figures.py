"""The Kernel PCA lab's pictures: a component over the plane, its share, scores, pre-images, errors, and resamples."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from explorer.views import glyphs, marks
from explorer.views.errors import Line
from explorer.views.marks import MOVES, nothing
from explorer.views.over_counts import OverCounts
from explorer.views.picture import Imaged, Picture, Small, StagePicture
from explorer.views.style import canvas, change, nice_ticks, over_plane, signed_log, square, ticks

from .lab import BARS, VARIANTS
from .result import ACROSS

MARKERS = np.array(["circle", "triangle", "square"])  # of the groups
FARTHEST = 2.0  # of what is left, in units of what there was before: more is drawn there
BAR = 0.36  # half the width of a bar
FINE = 1e-4  # of an error: differences up to about so much are drawn on a straight part of their axis
LINES = {
    "KPCA": Line("KPCA", "kme", "solid", 4.0),
    "S-centred": Line("S-centred", "skmse"),
    "F-centred": Line("F-centred", "fkmse"),
    "S-COSE": Line("S-COSE", "skmse", "dashed", 2.0),
    "F-COSE": Line("F-COSE", "fkmse", "dashed"),
}


def placed(result, points):
    """Points (n, d) in the plane, those beyond what is drawn at its edge, with the markers of their groups."""
    return {**marks.within(points, result.frame), "marker": MARKERS[result.groups]}


def on_the_plane(result):
    """Where an image over the plane lies."""
    there = marks.ground(result.ground.x, result.ground.y)
    return {name: np.array(values, dtype=float) for name, values in there.items()}


def all_pre_images(result):
    """Every point's pre-image, the way there, and where a toy sample lies without noise, while that is shown."""
    if result.denoised is None:
        return {"ways": nothing("x", "y", "to_x", "to_y"), "outline": nothing("x", "y")}
    (start, end), outline = (marks.within(Z, result.frame) for Z in (result.X, result.denoised)), result.outline
    return {
        "ways": {**start, "to_x": end["x"], "to_y": end["y"]},
        "outline": nothing("x", "y") if outline is None else marks.within(outline, result.frame),
    }


class Plane(Imaged):
    """A function over the plane, and the sample on it."""

    shaded, lines = "image", ACROSS

    def over_the_plane(self, paint, sources, result, title, height, size):
        """The figure with the function and the points."""
        plot = canvas(title, "", "", height, x_range=(-1, 1), y_range=(-1, 1))
        self.lay(plot, paint, sources, sources["ground"])
        style = {"marker": "marker", "size": size, "fill_alpha": 0.75, "line_width": 0.5}
        marks.dots(plot, paint, sources["sample"], "truth", **style)
        square(plot, *result.frame)
        return plot

    def aim(self, result):
        """The frame of the sample, under the names of its coordinates."""
        super().aim(result)
        over_plane(self.plot, result.frame, result.quantities)


class Component(Plane, Picture):
    """The chosen component over the plane, the pressed point, and where it goes."""

    name, heading = "plane", "The component over the plane, a point and its pre-image"

    @staticmethod
    def columns(result):
        probe = marks.within(result.probe, result.frame)
        return {
            "ground": on_the_plane(result),
            "sample": placed(result, result.X),
            "probe": probe,
            "way": {"x": probe["x"], "y": probe["y"]},
            **all_pre_images(result),
        }

    @staticmethod
    def table(result):
        looks, backs = zip(*result.rows, strict=True)
        there = marks.within(np.array(backs), result.frame)
        w = marks.to_one(np.array([look.image for look in looks]))
        parts = {("back", name): there[name][:, None] for name in ("x", "y")}
        return {("image", "w"): w, **parts, **{("way", f"to_{name}"): at for (_, name), at in parts.items()}}

    def draw(self, paint, sources, result):
        plot = self.over_the_plane(paint, sources, result, "Drag the ring, or points of the sample", 390, 7)
        marks.dots(plot, paint, sources["outline"], "truth", size=2, fill_alpha=0.6, line_width=0)
        for name, width in (("ways", 1), ("way", 2)):
            way = glyphs.segment(plot, "x", "y", "to_x", "to_y", source=sources[name], line_width=width, level=MOVES)
            paint(way.glyph, "outlier", "line_color")
        small = {"marker": "diamond", "size": 9, "line_width": 0, "fill_alpha": 0.85, "level": MOVES}
        marks.dots(plot, paint, sources["ways"], "outlier", x="to_x", y="to_y", **small)
        ring = {"size": 17, "fill_alpha": 0.15, "line_width": 3, "level": MOVES}
        marks.dots(plot, paint, sources["probe"], "outlier", **ring)
        diamond = {"marker": "diamond", "size": 17, "line_width": 1, "level": MOVES}
        marks.dots(plot, paint, sources["back"], "outlier", **diamond)
        return plot


class Spectrum(Picture):
    """Each component's share of the variance, what the first ones have together, and the shares of resamples."""

    name, place = "spectrum", "beside"

    @classmethod
    def seen(cls, result):
        return result.lab.picture != "errors"

    @staticmethod
    def columns(result):
        at = np.arange(1.0, BARS + 1)
        chosen = float(result.lab.component)
        return {
            "bars": {"left": at - BAR, "right": at + BAR},
            "chosen": {"left": np.array([chosen - BAR]), "right": np.array([chosen + BAR])},
            "sum": {"x": at},
            "spread": {"x": at},
            "line": {"x": np.array([min(result.lab.kept, BARS) + 0.5])},
        }

    @staticmethod
    def table(result):
        shares = np.array([look.shares for look, _ in result.rows])
        spread = np.full((2, len(shares), BARS), np.nan)
        if result.boot is not None:
            spread[:, result.row] = np.quantile(result.boot.shares, [0.05, 0.95], axis=0)
        return {
            ("bars", "top"): shares,
            ("chosen", "top"): shares[:, result.lab.component - 1][:, None],
            ("sum", "y"): shares.cumsum(axis=1),
            ("spread", "low"): spread[0],
            ("spread", "high"): spread[1],
        }

    @staticmethod
    def kept(result):
        if result is None:
            return {"kept": nothing("left", "right", "top")}
        bars = Spectrum.columns(result)["bars"]
        return {"kept": {**bars, "top": result.look.shares}}

    def draw(self, paint, sources, result):
        x, y = Range1d(0.4, BARS + 0.6), Range1d(0, 1.04)
        plot = canvas("Share of the variance", "component", "", 230, x_range=x, y_range=y)
        ticks(plot, plot.xaxis, {float(k): str(k) for k in range(1, BARS + 1)})
        ticks(plot, plot.yaxis, {0: "0", 0.5: "50 %", 1: "100 %"})
        for name, alpha in (("bars", 0.35), ("chosen", 0.9)):
            style = {"source": sources[name], "fill_alpha": alpha, "line_alpha": 0, "level": MOVES}
            paint(glyphs.quad(plot, "left", "right", "top", 0, **style).glyph, "kme", "fill_color")
        kept = glyphs.quad(plot, "left", "right", "top", 0, source=self.pinned["kept"], fill_alpha=0, line_alpha=0.6)
        paint(kept.glyph, "kme", "line_color")
        marks.curve(plot, paint, sources["sum"], "x", "y", "kme", line_width=2, line_dash="dotted", level=MOVES)
        spread = glyphs.segment(plot, "x", "low", "x", "high", source=sources["spread"], line_width=3, level=MOVES)
        paint(spread.glyph, "truth", "line_color")
        marks.upright(plot, paint, sources["line"])
        return plot


class Scores(Small):
    """The sample in the plane of its first two components."""

    name = "scores"

    @staticmethod
    def columns(result):
        return {"points": {"marker": MARKERS[result.groups]}}

    @staticmethod
    def table(result):
        scores = np.array([look.scores for look, _ in result.rows])
        scores = scores / np.maximum(np.abs(scores).max(axis=(1, 2), keepdims=True), 1e-300)
        return {("points", "x"): scores[:, :, 0], ("points", "y"): scores[:, :, 1]}

    def draw(self, paint, sources, result):
        ranges = {"x_range": Range1d(-1.1, 1.1), "y_range": Range1d(-1.1, 1.1)}
        plot = canvas("Scores, largest = 1", "component 1", "component 2", 250, **ranges)
        for axis in (plot.xaxis, plot.yaxis):
            ticks(plot, axis, {-1: "−1", 0: "0", 1: "1"})
        style = {"marker": "marker", "size": 7, "fill_alpha": 0.55, "line_width": 1, "level": MOVES}
        marks.dots(plot, paint, sources["points"], "truth", **style)
        return plot


class Cleaning(StagePicture):
    """How far the pre-images are from the clean points, or from the points themselves, by the components kept."""

    name, stage, answers = "denoised", "cleaning", False
    still = "curve x y; line x"

    @staticmethod
    def stays(result, cleaning):
        at = np.arange(1.0, len(cleaning) + 1)
        return {
            "curve": {"x": at, "y": np.minimum(cleaning, FARTHEST)},
            "line": {"x": np.array([float(min(result.lab.kept, len(at)))])},
        }

    def draw(self, paint, sources, result):
        ranges = {"x_range": Range1d(0.5, 20.5), "y_range": Range1d(0, 1.03 * FARTHEST)}
        plot = canvas("", "components kept", "", 250, **ranges)
        ticks(plot, plot.xaxis, {1: "1", 5: "5", 10: "10", 15: "15", 20: "20"})
        ticks(plot, plot.yaxis, {0: "0", 1: "1", FARTHEST: f"{FARTHEST:g} or more"})
        marks.one_is_kme(plot, paint)
        marks.curve(plot, paint, sources["curve"], "x", "y", "outlier")
        marks.dots(plot, paint, sources["curve"], "outlier", size=6)
        marks.upright(plot, paint, sources["line"])
        return plot

    def aim(self, result):
        about = "to the clean points / before" if result.knows_clean else "to the points / their variance"
        change(self.plot.title, text=f"Squared distance {about}")


class OfStudy(OverCounts):
    """Curves of the five variants over the number of components."""

    stage, over, lines = "study", "components kept", LINES

    counts = staticmethod(lambda study: study.components)


class Levels(OfStudy):
    """The errors themselves, which lie on each other."""

    name, beside, place, title = "levels", "errors", "beside", "Error of held-out points"

    heights = staticmethod(lambda study, variant: study.mean(variant))

    @staticmethod
    def ends(study):
        return 0.0, 1.05 * max(float(study.mean(name).max()) for name in VARIANTS)

    @staticmethod
    def labels(low, high):
        return nice_ticks(low, high, 4)


class Errors(OfStudy):
    """Their differences from KPCA's, repetition by repetition, on an axis that shows small and large ones."""

    name, title = "errors", "Difference from KPCA"

    @staticmethod
    def heights(study, variant):
        return signed_log(0.3 * study.differences(variant).mean(axis=0) / FINE)

    @classmethod
    def ends(cls, study):
        every = np.concatenate([cls.heights(study, name) for name in VARIANTS])
        return float(min(every.min(), -1.0)) - 0.3, float(max(every.max(), 1.0)) + 0.3

    @staticmethod
    def labels(low, high):
        every = {0.0: "0"} | {
            float(signed_log(0.3 * sign * share / FINE)): f"{'−' if sign < 0 else ''}{100 * share:g} %"
            for share in (1e-3, 1e-2, 1e-1, 1.0, 10.0)
            for sign in (1, -1)
        }
        return {place: word for place, word in every.items() if low <= place <= high}


class Ghosts(Plane, StagePicture):
    """How sure the sign of the component is: the mean sign over bootstrap resamples."""

    name, stage, answers = "ghosts", "boot", False
    still = "image w; ground x y dw dh; sample x y marker"

    @classmethod
    def columns(cls, result):
        columns = super().columns(result)
        if result.boot is None:  # an image has its size from the first
            empty = np.zeros(len(result.ground.places))
            columns |= {"image": {"w": empty}, "ground": on_the_plane(result)}
        return columns

    @staticmethod
    def stays(result, boot):
        return {"image": {"w": boot.sign}, "ground": on_the_plane(result), "sample": placed(result, result.X)}

    def draw(self, paint, sources, result):
        return self.over_the_plane(paint, sources, result, "Agreement of resamples on the sign", 250, 4)


PICTURES = (Component, Spectrum, Levels, Scores, Cleaning, Errors, Ghosts)
