"""The Density lab's pictures: the blobs and their density, the fit over its steps, more samples, maximum entropy."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from explorer.datasets.quantity import Quantity
from explorer.views import glyphs, marks
from explorer.views.densities import HEADING, MOST, BlobsLine, BlobsPlane, Coloured, centred, filled, floor, top_of
from explorer.views.errors import Line
from explorer.views.gains import Gains
from explorer.views.marks import MOVES, nothing
from explorer.views.picture import Imaged, Small, StagePicture
from explorer.views.steps import OverSteps
from explorer.views.style import Axis, canvas, change, chart, nice_ticks, own_ticks, ticks, wear

from .lab import ESTIMATORS, FROM_K_MEANS, ROLES
from .places import ACROSS, CELLS, UP

DASHES = ("solid", "dashed", "dotdash", "dotted", "dashdot")
LINES = {name: Line(name, ROLES[name], dash) for name, dash in zip(ESTIMATORS, DASHES, strict=True)}
LINES[FROM_K_MEANS] = Line(FROM_K_MEANS, "truth", "dashed")


class Plane(BlobsPlane):
    """The blobs in two dimensions."""

    name, place, heading, lines, cells = "plane", "main", HEADING, UP, ACROSS * UP


class OnLine(BlobsLine):
    """The blobs in one dimension."""

    name, place, heading = "line", "main", HEADING


class Likelihood(OverSteps):
    """The held-out negative log-likelihood of the blobs."""

    name, beside, over, lines = "likelihood", "progress", "Held-out NLL, nats a point (lower is better)", LINES

    @staticmethod
    def of(found):
        """The number at each stop, of a Course or of the result."""
        return found.nll

    @staticmethod
    def span(every):
        """From where to where the axis goes: all of the shown fit, and most of the others."""
        low, high = min(v.min() for v in every), max(every[0].max(), *(np.quantile(v, 0.9) for v in every))
        room = max(0.15 * (high - low), 0.01)
        return float(low - room), float(high + room)


class Distance(OverSteps):
    """How far the kernel mean of the blobs is from the estimate."""

    name, place, over, lines = "distance", "below", "RKHS distance to the estimate", LINES

    @classmethod
    def seen(cls, result):
        return result.lab.picture in ("progress", "blobs")

    @staticmethod
    def of(found):
        """The number at each stop, of a Course or of the result."""
        return found.distance

    @staticmethod
    def span(every):
        """From where to where the axis goes."""
        return 0.0, 1.08 * max(float(v.max()) for v in every) + 1e-9


class Blobs(Coloured, Small):
    """Weights and standard deviations of the blobs between their bounds, and which of them are the dust bin."""

    name = "blobs"

    @classmethod
    def columns(cls, result):
        return {"bounds": {"x": np.sqrt(result.fit.bounds_)}, "dust": {"words": np.repeat("dust bin", MOST)}}

    @classmethod
    def table(cls, result):
        sd, weight = np.sqrt(result.path.variances), result.path.weights
        dust = np.where(result.path.variances >= 0.999 * result.fit.bounds_[1], weight, np.nan)
        rows = {("blobs", "x"): sd, ("blobs", "y"): weight, ("dust", "x"): sd, ("dust", "y"): dust}
        return {key: filled(values) for key, values in rows.items()}

    def draw(self, paint, sources, result):
        options = {"x_axis_type": "log", "x_range": Range1d(1e-3, 10), "y_range": Range1d(-0.05, 1.05)}
        plot = canvas("Weight and width of each blob", "standard deviation (log scale)", "weight", 280, **options)
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1"})
        bound = glyphs.vspan(plot, "x", source=sources["bounds"], line_width=2, line_dash="dashed")
        paint(bound.glyph, "harm", "line_color")
        self.each(lambda name: centred(plot, paint, sources["blobs"], name, 12))
        options = {"text_align": "right", "x_offset": -10, "text_font_size": "12px", "level": MOVES}
        marks.words(plot, paint, sources["dust"], "harm", **options)
        return plot

    def aim(self, result):
        self.choose(result)
        if self.seen(result):
            low, high = (float(v) for v in np.sqrt(result.fit.bounds_))
            change(self.plot.x_range, start=low / 1.5, end=1.5 * high)
            powers = range(int(np.ceil(np.log10(low))), int(np.floor(np.log10(1.5 * high))) + 1)
            ticks(self.plot, self.plot.xaxis, {10.0**e: f"{10.0**e:g}" for e in powers})


class OverStart(Gains):
    """What each estimator's fit gains over the start in more samples."""

    name, beside, stage, rows = "gains", "samples", "endings", tuple(ESTIMATORS)
    over, unit, kind = "20 more samples: gain over the start", "nats a point (right is better)", 0

    @classmethod
    def gains(cls, value):
        """The gains, (estimators, samples)."""
        return np.array([value.differences(name)[cls.kind] for name in cls.rows])


class OverPlain(OverStart):
    """What each estimator's fit gains over the plain average's in the same samples."""

    name, place, over, kind = "beside", "below", "The same samples: gain over the plain average's fit", 1


class EvenLine(StagePicture):
    """The most even density on a line, beside that of the blobs and the true one."""

    name, beside, stage, answers = "even", "entropy", "even", False
    still = "even x y; fit x y; truth x y"

    @classmethod
    def seen(cls, result):
        return super().seen(result) and result.lab.d == 1

    @classmethod
    def columns(cls, result):
        if result.lab.d != 1:
            return {name: nothing("x", "y") for name in ("even", "fit", "truth")}
        return super().columns(result)

    @staticmethod
    def stays(result, even):
        x, truth = result.places[:, 0], result.true_density
        return {
            "even": {"x": even.grid_[:, 0], "y": even.density_},
            "fit": {"x": x, "y": result.density[-1]},
            "truth": nothing("x", "y") if truth is None else {"x": x, "y": truth},
        }

    def draw(self, paint, sources, result):
        ends = {"x_range": Range1d(-1, 1), "y_range": Range1d(0, 1)}
        plot = canvas("The most even density within ε", "x", "density", 280, **ends)
        marks.curve(plot, paint, sources["truth"], "x", "y", "truth", line_width=2, line_dash="dotted")
        marks.curve(plot, paint, sources["fit"], "x", "y", "kme", line_width=1.5, line_dash="dashed")
        marks.curve(plot, paint, sources["even"], "x", "y", "monkfast")
        return plot

    def aim(self, result):
        if self.seen(result):
            cx, _, half = result.frame
            end = max(top_of(result), 1.1 * float(result.even.density_.max()))
            change(self.plot.x_range, start=cx - half, end=cx + half)
            change(self.plot.y_range, start=0.0, end=end)
            density = Quantity("density", size=1 / result.quantities[0].size)
            ticks(self.plot, self.plot.yaxis, own_ticks(0.0, end, density, 3))
            wear(self.plot, self.plot.xaxis, cx - half, cx + half, result.quantities[0])


class EvenPlane(Imaged, StagePicture):
    """The most even density in the plane, and the sample."""

    name, beside, stage, answers = "evenplane", "entropy", "even", False
    shaded, lines, still = "even", CELLS[2], "even w; ground x y dw dh; sample x y"

    @classmethod
    def seen(cls, result):
        return super().seen(result) and result.lab.d == 2

    @classmethod
    def columns(cls, result):
        if result.even is None or result.lab.d != 2:  # an image has its size from the first
            blank = {"even": {"w": np.zeros(CELLS[2] ** 2)}, "ground": floor((np.arange(2.0), np.arange(2.0)))}
            return {**blank, "sample": nothing("x", "y")}
        return super().columns(result)

    @staticmethod
    def stays(result, even):
        axes = [np.unique(column) for column in even.grid_.T]
        sample = dict(zip("xy", result.X.T, strict=True))
        return {"even": {"w": even.density_ / even.density_.max()}, "ground": floor(axes), "sample": sample}

    def draw(self, paint, sources, result):
        ends = {"x_range": Range1d(-1, 1), "y_range": Range1d(-1, 1)}
        plot = canvas("The most even density within ε", "", "", 280, **ends)
        self.lay(plot, paint, sources, sources["ground"])
        marks.dots(plot, paint, sources["sample"], "kme", size=4, fill_alpha=0.8, line_width=0)
        return plot

    def aim(self, result):
        super().aim(result)
        if self.seen(result):
            for span, axes, column, quantity in zip(
                (self.plot.x_range, self.plot.y_range),
                (self.plot.xaxis, self.plot.yaxis),
                result.grid.T,
                result.quantities,
                strict=True,
            ):
                low, high = float(column.min()), float(column.max())
                change(span, start=low, end=high)
                wear(self.plot, axes, low, high, quantity)


class Entropies(StagePicture):
    """Entropy and held-out NLL of the most even density over ε, beside the NLL of the blobs at their end."""

    name, place, beside, stage, answers = "entropies", "below", "entropy", "over_eps", False
    still = "curves x entropy nll; line x; fit y"

    @staticmethod
    def stays(result, over):
        finite = np.where(np.isfinite(over.nll), over.nll, np.nan)
        return {
            "curves": {"x": over.eps, "entropy": over.entropy, "nll": finite},
            "line": {"x": np.array([result.lab.eps])},
            "fit": {"y": result.nll[-1:]},
        }

    def draw(self, paint, sources, result):
        x = Axis("ε over the error of μ̂ (log scale)", Range1d(0.22, 9), {v: f"{v:g}" for v in (0.25, 1, 4)}, log=True)
        plot = chart("Entropy (solid), held-out NLL (dashed)", x, Axis("nats", Range1d(0, 1)), 280)
        level = glyphs.hspan(plot, "y", source=sources["fit"], line_width=1.5, line_dash="dashed")
        paint(level.glyph, "kme", "line_color")
        marks.curve(plot, paint, sources["curves"], "x", "entropy", "monkfast")
        marks.curve(plot, paint, sources["curves"], "x", "nll", "monkfast", line_dash="dashed")
        marks.upright(plot, paint, sources["line"])
        return plot

    def aim(self, result):
        if result.over_eps is not None:
            curves = self.sources["curves"].data
            values = np.concatenate([curves["entropy"], curves["nll"], self.sources["fit"].data["y"]])
            low, high = float(np.nanmin(values)), float(np.nanmax(values))
            room = 0.08 * (high - low) + 1e-6
            change(self.plot.y_range, start=low - room, end=high + room)
            ticks(self.plot, self.plot.yaxis, nice_ticks(low - room, high + room, 4))


PICTURES = (Plane, OnLine, Likelihood, Distance, Blobs, OverStart, OverPlain, EvenLine, EvenPlane, Entropies)
