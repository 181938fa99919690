"""The Kernel PCA lab's pictures: a component over the plane, its share, scores, pre-images, errors, and resamples."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from explorer.views import glyphs, marks
from explorer.views.errors import Line, apart
from explorer.views.marks import MOVES, nothing
from explorer.views.picture import Imaged, Picture, Small, StagePicture
from explorer.views.style import aim, canvas, change, nice_ticks, signed_log, square, ticks

from .lab import BARS, VARIANTS
from .result import ACROSS
from .resampled import LONGEST

MARKERS = np.array(["circle", "triangle", "square"])  # of the groups
BAR = 0.36  # half the width of a bar
FINE = 1e-4  # of an error: differences up to about so much are drawn on a straight part of their axis
NEAREST = 0.13  # of an axis: how far the names of two curves are apart
ROOM = 1.32  # how much longer the axis of components is than the curves, for their names
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
        aim(self.plot, *result.frame)
        change(self.plot.xaxis[0], axis_label=result.names[0])
        change(self.plot.yaxis[0], axis_label=result.names[1] if result.d > 1 else "(one coordinate only)")


class Component(Plane, Picture):
    """The chosen component over the plane, the pressed point, and where it goes."""

    name, heading = "component", "The component over the plane, a point and its pre-image"

    @staticmethod
    def columns(result):
        probe = marks.within(result.probe, result.frame)
        return {
            "ground": on_the_plane(result),
            "sample": placed(result, result.X),
            "probe": probe,
            "way": {"x": probe["x"], "y": probe["y"]},
        }

    @staticmethod
    def table(result):
        looks, backs = zip(*result.rows, strict=True)
        there = marks.within(np.array(backs), result.frame)
        parts = {(source, name): there[name][:, None] for source in ("back",) for name in ("x", "y")}
        ends = {("way", f"to_{name}"): there[name][:, None] for name in ("x", "y")}
        return {("image", "w"): marks.to_one(np.array([look.image for look in looks])), **parts, **ends}

    def draw(self, paint, sources, result):
        plot = self.over_the_plane(paint, sources, result, "Drag the ring, or points of the sample", 390, 7)
        way = glyphs.segment(plot, "x", "y", "to_x", "to_y", source=sources["way"], line_width=2, level=MOVES)
        paint(way.glyph, "outlier", "line_color")
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


class Denoised(StagePicture):
    """Every point of the sample and its pre-image, and where the points would be without noise."""

    name, stage, answers = "denoised", "denoised", False
    still = "sample x y marker; back x y; way x y to_x to_y; outline x y"

    @staticmethod
    def stays(result, denoised):
        there, back = placed(result, result.X), marks.within(denoised, result.frame)
        plane = {name: there[name] for name in ("x", "y")}
        outline = nothing("x", "y") if result.outline is None else marks.within(result.outline, result.frame)
        ends = {f"to_{name}": values for name, values in back.items()}
        return {"sample": there, "back": back, "way": {**plane, **ends}, "outline": outline}

    def draw(self, paint, sources, result):
        plot = canvas("Every point and its pre-image", "", "", 250, x_range=(-1, 1), y_range=(-1, 1))
        outline = {"size": 2, "fill_alpha": 0.4, "line_width": 0}
        marks.dots(plot, paint, sources["outline"], "truth", **outline)
        way = glyphs.segment(plot, "x", "y", "to_x", "to_y", source=sources["way"], line_width=1, line_alpha=0.5)
        paint(way.glyph, "outlier", "line_color")
        dots = {"marker": "marker", "size": 4, "fill_alpha": 0.6, "line_width": 0}
        marks.dots(plot, paint, sources["sample"], "kme", **dots)
        diamond = {"marker": "diamond", "size": 8, "line_width": 0, "fill_alpha": 0.85}
        marks.dots(plot, paint, sources["back"], "outlier", **diamond)
        square(plot, *result.frame)
        return plot

    def aim(self, result):
        aim(self.plot, *result.frame)
        change(self.plot.xaxis[0], axis_label=result.names[0])
        change(self.plot.yaxis[0], axis_label=result.names[1] if result.d > 1 else "(one coordinate only)")


class OverComponents(StagePicture):
    """Curves of the five variants over the number of components, their names at their right ends."""

    stage, answers = "study", False
    still = "; ".join(f"{name} x y; name_{name} x y words" for name in VARIANTS) + "; zero x y"

    @staticmethod
    def heights(study, variant):
        """What is drawn of a variant, (R,)."""
        raise NotImplementedError

    @staticmethod
    def ends(study):
        """From where to where the other axis goes."""
        raise NotImplementedError

    @classmethod
    def stays(cls, result, study):
        (low, high), at = cls.ends(study), study.components
        drawn = {name: cls.heights(study, name) for name in VARIANTS}
        last = [(values[-1] - low) / (high - low) for values in drawn.values()]
        levels = low + (high - low) * apart(last, NEAREST)
        curves = {name: {"x": at, "y": values} for name, values in drawn.items()}
        names = {
            f"name_{name}": {"x": at[-1:], "y": np.array([y]), "words": np.array([LINES[name].called])}
            for name, y in zip(VARIANTS, levels, strict=True)
        }
        return {**curves, **names, "zero": {"x": at[[0, -1]], "y": np.zeros(2)}}

    def draw(self, paint, s, result):
        plot = canvas(self.title, "components kept", "", 230, x_range=Range1d(1, 20 * ROOM), y_range=Range1d(0, 1))
        for name, line in LINES.items():
            style = {"line_width": line.width, "line_dash": line.dash}
            marks.curve(plot, paint, s[name], "x", "y", line.role, **style)
            marks.words(plot, paint, s[f"name_{name}"], line.role, x_offset=6, text_font_size="12px")
        return plot

    def aim(self, result):
        if result.study is None:
            return
        low, high = self.ends(result.study)
        longest = float(result.study.components[-1])
        change(self.plot.x_range, start=1.0, end=1 + ROOM * max(longest - 1, 1.0))
        change(self.plot.y_range, start=low, end=high)
        ticks(self.plot, self.plot.xaxis, {float(k): str(k) for k in (1, 5, 10, 15, LONGEST) if k <= longest})
        ticks(self.plot, self.plot.yaxis, self.labels(low, high))


class Levels(OverComponents):
    """The errors themselves, which lie on each other."""

    name, beside, place, title = "levels", "errors", "beside", "Error of held-out points"

    @staticmethod
    def heights(study, variant):
        return study.mean(variant)

    @staticmethod
    def ends(study):
        return 0.0, 1.05 * max(float(study.mean(name).max()) for name in VARIANTS)

    @staticmethod
    def labels(low, high):
        return nice_ticks(low, high, 4)


class Errors(OverComponents):
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


PICTURES = (Component, Spectrum, Levels, Scores, Denoised, Errors, Ghosts)
