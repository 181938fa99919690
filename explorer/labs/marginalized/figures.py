"""The Marginalized lab's pictures: loss over σ, the sample with its noise or its density, and four small ones."""

from __future__ import annotations

import numpy as np
from bokeh.core.properties import value
from bokeh.models import LinearColorMapper

from explorer.estimators.marginalized.noise import cell_masses
from explorer.views import glyphs, marks
from explorer.views.losses import LossPicture
from explorer.views.marks import MOVES, NOTHING, nothing
from explorer.views.picture import Picture, StagePicture
from explorer.views.style import Axis, canvas, chart, colour, decades, over_plane, square

# σ = 0 stands left of the smallest σ above it
SIGMA_RANGE = (0.0075, 3.3)
GAMMA_RANGE, KEPT_RANGE = (1e-4, 1e3), (-0.25, 1.75)
MISSED_RANGE, EXTRA_RANGE = (1e-4, 10.0), (1e-3, 10.0)
SIGMA_TICKS = {0.03: "0.03", 0.1: "0.1", 0.3: "0.3", 1.0: "1", 3.0: "3"}
HALVES = {0: "0", 0.5: "0.5", 1: "1"}
SIGMA = Axis("σ in data sd (log scale, 0 at its left end)", SIGMA_RANGE, {SIGMA_RANGE[0]: "0", **SIGMA_TICKS}, log=True)
LINES = (("mkme", "mkme", "solid", "triangle"), ("mmkme", "mmkme", "dashed", "inverted_triangle"))
HEIGHT = 280  # px, of a small picture
DISCS = 60  # points that have discs: more would be one blot
COPIED = 2000  # points of noisy copies that are drawn
ALONG, ACROSS = 34, 20  # cells of the density
WIDE, HIGH = 1.9, 1.08  # of the frame's half side: a picture is wider than it is high
STRENGTHS = (0.08, 0.16, 0.25, 0.34, 0.43, 0.52, 0.61, 0.7, 0.8)  # of the colours above no density, up to the peak
GROUNDS = [[NOTHING, *marks.mixed(colour("mkme", dark), STRENGTHS, dark)] for dark in (False, True)]
SLICES = (("both", "mkme", "dotted", 2), ("one", "mkme", "solid", 3), ("first", "mmkme", "dashed", 2.5),
          ("second", "mmkme", "dotdash", 2))  # fmt: skip
MISSED = (("kme", "kme", "solid", 2), ("projection", "mkme", "solid", 3), ("corrected", "mkme", "dashed", 3),
          ("printed", "harm", "dotdash", 2.5))  # fmt: skip
LARGEST_DOT = 22.0  # px, of a direction in which all of KME lies


class Loss(LossPicture):
    """Losses of both estimators over σ, with MKME's exact risk."""

    parameter, axis, lines, names, sizes = "sigma", SIGMA, LINES, ("MKME", "MMKME"), (15.0, 12.0, 8.0)

    @staticmethod
    def best(path):
        return (np.nan, np.nan) if path.best is None else (path.sigmas[path.best], path.height[path.best])

    @classmethod
    def columns(cls, result):
        columns, blank = super().columns(result), np.full(len(result.stops), np.nan)
        columns["curves"]["mkme_risk"] = blank if result.risk is None else result.risk[:-1]
        # the radius of a disc at each stop of the slider: who drags a rim looks for the nearest
        columns["curves"]["radius"] = result.mkme.deviations[:-1, 0]
        return columns

    def between(self, plot, paint, sources):
        risk = {"line_width": 2, "line_dash": "dotdash"}
        marks.curve(plot, paint, sources["curves"], "sigma", "mkme_risk", "truth", **risk)


class Sample(Picture):
    """The sample in the plane, and under it discs of the noise's size, or the density that the noise makes of it."""

    name = "sample"

    @staticmethod
    def columns(result):
        points = marks.within(result.X, result.frame)
        count = min(DISCS, len(result.X)) if result.lab.ground == "discs" else 0
        centres = {name: column[:count] for name, column in points.items()}
        return {
            "points": points,
            "law": marks.ellipses(result.law),
            "discs": dict(centres),
            "ellipses": dict(centres),
            "cells": nothing("x", "y", "width", "height")
            if result.lab.ground == "discs"
            else marks.cells(*_edges(result)),
            "copies": _copies(result),
        }

    @classmethod
    def table(cls, result):
        return cls._moving(result, slice(None))

    @classmethod
    def at(cls, result, row):
        """One row of the table: a density takes time."""
        return {key: values[0] for key, values in cls._moving(result, [row]).items()}

    @staticmethod
    def _moving(result, rows):
        held = min(DISCS, len(result.X)) if result.lab.ground == "discs" else 0
        radius, noise = result.mkme.deviations[rows, 0], result.mmkme.deviations[rows]
        second = noise[:, 1] if result.X.shape[1] > 1 else np.zeros(len(noise))
        sizes = {
            ("discs", "radius"): radius,
            ("ellipses", "width"): 2 * noise[:, 0],
            ("ellipses", "height"): 2 * second,
        }
        table = {key: np.repeat(values[:, None], held, axis=1) for key, values in sizes.items()}
        return {**table, ("cells", "density"): _densities(result, rows)}

    def draw(self, paint, sources, result):
        plot = canvas("", "", "", 300, x_range=(-1, 1), y_range=(-1, 1))
        self.ground = paint.shade(LinearColorMapper(low=0, high=1), GROUNDS)
        area, shaded = ("x", "y", "width", "height"), {"field": "density", "transform": self.ground}
        moving = {"level": MOVES, "line_width": 1}
        glyphs.rect(plot, *area, source=sources["cells"], line_color=None, dilate=True, level=MOVES, fill_color=shaded)
        copies = glyphs.scatter(plot, "x", "y", source=sources["copies"], size=3, line_color=None, fill_alpha=0.3)
        paint(copies.glyph, "mkme", "fill_color")
        options = {"fill_alpha": 0, "line_dash": "dotted", "line_width": 2, "level": MOVES}
        law = glyphs.ellipse(plot, *area, "angle", source=sources["law"], **options)
        paint(law.glyph, "truth", "line_color")
        discs = plot.circle(
            "x", "y", radius="radius", source=sources["discs"], fill_alpha=0.1, line_alpha=0.7, **moving
        )
        paint(discs.glyph, "mkme", "line_color", "fill_color")
        options = {"fill_alpha": 0, "line_dash": "dashed", "line_alpha": 0.6, **moving}
        paint(glyphs.ellipse(plot, *area, source=sources["ellipses"], **options).glyph, "mmkme", "line_color")
        dots = glyphs.scatter(
            plot, "x", "y", source=sources["points"], size=6, fill_alpha=0.9, line_width=0, level=MOVES
        )
        paint(dots.glyph, "kme", "fill_color")
        square(plot, *result.frame)
        return plot

    def aim(self, result):
        ground = result.lab.ground
        over_plane(self.plot, result.frame, result.quantities)
        density = f"The density whose kernel mean {ground} is"
        self.heading = "Sample, with discs of radius σ" if ground == "discs" else density
        self.plot.title.text = f"{self.heading}: drag a rim" if ground == "discs" else density


class Kernel(StagePicture):
    """The kernel along a coordinate, and its expectation with noise on one point and on both."""

    name, stage = "kernel", "slices"
    # sources apart: where one that follows σ has a part in the layer below, that is painted anew with all its words
    still = "plain at k; slices at"
    moving = " ".join(["slices", *(name for name, *_ in SLICES)])

    @staticmethod
    def stays(result, small):
        return {"plain": {"at": small.at, "k": small.plain}, "slices": {"at": small.at}}

    @staticmethod
    def moves(result, small):
        blank = np.full_like(small.one, np.nan)
        rows = {name: getattr(small, name) for name, *_ in SLICES}
        return {("slices", name): blank if values is None else values for name, values in rows.items()}

    def draw(self, paint, sources, result):
        x = Axis("distance along a coordinate, in θ", (-4, 4), {v: f"{v}".replace("-", "−") for v in range(-4, 5, 2)})
        plot = chart("The kernel, plain and with noise", x, Axis("k", (-0.03, 1.08), HALVES), HEIGHT)
        marks.curve(plot, paint, sources["plain"], "at", "k", "kme", line_width=2.5)
        for name, role, dash, width in SLICES:
            marks.curve(plot, paint, sources["slices"], "at", name, role, line_width=width, line_dash=dash, level=MOVES)
        lines = (("kme", "─ k"), ("mkme", "─ one noisy"), ("mkme", "··· both noisy"), ("mmkme", "╌ MMKME, first"))
        for i, (role, text) in enumerate((*lines, ("mmkme", "─· second"))):
            marks.label(plot, paint, role, -3.9, 1.02 - 0.095 * i, text)
        return plot


class Filter(StagePicture):
    """What MKME keeps of each of KME's directions once it is projected on the sample, and the sum of its weights."""

    name, stage = "filter", "projected"
    still = "filter gamma size; sum"
    moving = "filter kept; sum y"

    @staticmethod
    def stays(result, small):
        gamma = np.clip(small.eigenvalues, *GAMMA_RANGE)
        return {"filter": {"gamma": gamma, "size": LARGEST_DOT * np.sqrt(small.coefficients)}, "sum": {}}

    @staticmethod
    def moves(result, small):
        return {("filter", "kept"): np.clip(small.kept, *KEPT_RANGE), ("sum", "y"): small.sums[:, None]}

    def draw(self, paint, sources, result):
        x = Axis("eigenvalue γ (log scale)", GAMMA_RANGE, decades(-4, 3), log=True)
        y = Axis("kept; Σβ as a line", (KEPT_RANGE[0] - 0.05, KEPT_RANGE[1] + 0.05), marks.LOSS_TICKS)
        plot, options = chart("Kept of each direction, and Σβ", x, y, HEIGHT), {"level": MOVES}
        marks.one_is_kme(plot, paint, harm=False)
        total = glyphs.hspan(plot, "y", source=sources["sum"], line_width=2.5, line_dash="dashed", **options)
        paint(total.glyph, "mkme", "line_color")
        options |= {"text_baseline": "bottom", "text_font_size": "12px"}
        label = glyphs.text(plot, 1.5 * GAMMA_RANGE[0], "y", text=value("Σβ"), source=sources["sum"], **options)
        paint(label.glyph, "mkme", "text_color")
        options = {"size": "size", "marker": "triangle", "fill_alpha": 0.6, "line_width": 1, "level": MOVES}
        dots = glyphs.scatter(plot, "gamma", "kept", source=sources["filter"], **options)
        paint(dots.glyph, "mkme", "line_color", "fill_color")
        return plot


class Approximation(StagePicture):
    """How far weights lie from the estimate: the best ones, the second-order ones, and those as printed."""

    name, stage = "approximation", "missed"
    still = " ".join(["missed sigma", *(name for name, *_ in MISSED)]) + "; here"
    moving = "here x y"

    @staticmethod
    def stays(result, small):
        # σ = 0 has no place on two logarithmic axes
        curves, (low, high) = {name: getattr(small, name)[1:-1] for name, *_ in MISSED}, MISSED_RANGE
        inside = {name: np.where((v >= low) & (v <= high), v, np.nan) for name, v in curves.items()}
        return {"missed": {"sigma": result.mkme.sigmas[1:-1], **inside}, "here": {}}

    @staticmethod
    def moves(result, small):
        missed = np.column_stack([getattr(small, name) for name, *_ in MISSED])
        x = np.repeat(result.mkme.sigmas[:, None], len(MISSED), axis=1)
        return {("here", "x"): x, ("here", "y"): np.clip(missed, *MISSED_RANGE)}

    def draw(self, paint, sources, result):
        x = Axis("σ in data sd (log scale)", SIGMA_RANGE, SIGMA_TICKS, log=True)
        y = Axis("distance, share of ‖μ̃‖ (log scale)", MISSED_RANGE, decades(-4, 1, 1), log=True)
        plot = chart("Weighted points: distance to MKME", x, y, HEIGHT)
        for name, role, dash, width in MISSED:
            marks.curve(plot, paint, sources["missed"], "sigma", name, role, line_width=width, line_dash=dash)
        lines = (("harm", "as printed ─·"), ("kme", "plain average ─"), ("mkme", "corrected ╌"))
        for i, (role, text) in enumerate((*lines, ("mkme", "nearest weights ─"))):
            marks.label(plot, paint, role, 3.1, 4e-3 / 2.4**i, text, text_align="right")
        marks.dots(plot, paint, sources["here"], "truth", size=8, fill_alpha=0.4, line_width=1.5, level=MOVES)
        return plot


class Dice(StagePicture):
    """How far the average over the first copies is from the estimate in closed form."""

    name, stage, answers = "dice", "thrown", False  # the copies follow σ, and no table knows them
    still = "path copies thrown expected"

    @staticmethod
    def stays(result, small):
        paths = {"thrown": small.path, "expected": small.expected}
        inside = {name: np.clip(path, *EXTRA_RANGE) for name, path in paths.items()}
        return {"path": {"copies": np.arange(1.0, len(small.path) + 1), **inside}}

    def draw(self, paint, sources, result):
        x = Axis("copies (log scale)", (0.9, 56), {v: f"{v}" for v in (1, 2, 5, 10, 20, 50)}, log=True)
        y = Axis("squared distance / loss of KME (log)", EXTRA_RANGE, decades(-3, 1, 1), log=True)
        plot = chart("Distance of noisy copies to MKME", x, y, HEIGHT)
        marks.one_is_kme(plot, paint, harm=False)
        marks.label(plot, paint, "kme", 50, 1.5, "loss of KME", text_align="right")
        marks.label(plot, paint, "mkme", 1, 4e-3, "─ this throw")
        marks.label(plot, paint, "truth", 1, 1.9e-3, "··· on average")
        dotted = {"line_width": 2, "line_dash": "dotted", "level": MOVES}
        marks.curve(plot, paint, sources["path"], "copies", "expected", "truth", **dotted)
        marks.curve(plot, paint, sources["path"], "copies", "thrown", "mkme", level=MOVES)
        return plot


PICTURES = (Loss, Sample, Kernel, Filter, Approximation, Dice)


def _copies(result):
    """The points of the first noisy copies, where the dice shows them."""
    if result.thrown is None:
        return nothing("x", "y")
    first = result.thrown.points[: max(1, COPIED // len(result.X))]
    x, y = marks.plane(first.reshape(-1, result.X.shape[1]))
    return {"x": x, "y": y}


def _edges(result):
    """The ends of the density's cells along both coordinates."""
    cx, cy, half = result.frame
    return (
        np.linspace(cx - WIDE * half, cx + WIDE * half, ALONG + 1),
        np.linspace(cy - HIGH * half, cy + HIGH * half, ACROSS + 1),
    )


def _densities(result, rows):
    """The kernel density estimate in each cell at some rows, (rows, cells), in units of its peak at the chosen σ."""
    path = result.mmkme if result.lab.ground == "MMKME" else result.mkme
    deviations = np.vstack([path.deviations[rows], path.deviations[-1]])
    if result.lab.ground == "discs":
        return np.zeros((len(deviations) - 1, 0))
    plane = np.column_stack(marks.plane(result.X))
    density = cell_masses(plane, deviations[:, : plane.shape[1]], *_edges(result)).reshape(len(deviations), -1)
    return density[:-1] / (density[-1].max() or 1.0)
