"""The Shrinkage lab's pictures: loss over λ, the sample with its weights, and what becomes of each eigendirection."""

from __future__ import annotations

import numpy as np
from bokeh.models import Span

from explorer.views import glyphs, marks
from explorer.views.bound import Errors
from explorer.views.losses import LOSS, LossPicture
from explorer.views.marks import ANSWER, MOVES, nothing
from explorer.views.objectives import Objectives
from explorer.views.picture import Picture, Small
from explorer.views.style import Axis, canvas, chart, decades, over_plane, square

from .result import FILTER_AT

LAM_RANGE = (1e-4, 1e2)
GAMMA_RANGE, SHARE_RANGE = (1e-4, 1e3), (1e-3, 1.3)
LAM = Axis("λ (log scale)", LAM_RANGE, decades(-4, 2), log=True)
GAMMA = Axis("eigenvalue γ / mean k(x, x) (log scale)", GAMMA_RANGE, decades(-4, 3), log=True)
KEPT = Axis("filter h(γ)", (-0.08, 1.12), {0: "0", 0.5: "0.5", 1: "1"})
SHARE = Axis("|<μ̂, v>| / |μ̂| (log scale)", SHARE_RANGE, {1e-3: "0.001", 1e-2: "0.01", 0.1: "0.1", 1.0: "1"}, log=True)
PAIR = (("simple", "skmse", "solid", "square"), ("flexible", "fkmse", "dashed", "circle"))  # name, role, dash, marker


class Loss(LossPicture):
    """Losses of both estimators over λ, the λ that paper 001 takes, and James and Stein's loss, which has no λ."""

    parameter, axis, lines, sizes = "lam", LAM, PAIR, (13.0, 11.0, 7.0)

    @staticmethod
    def best(path):
        return (np.nan, np.nan) if path.best is None else (path.best, path.best_loss)

    @classmethod
    def columns(cls, result):
        return {**super().columns(result), "gamma0": _gamma0(result), "stein": _stein(result)}

    @classmethod
    def words(cls, result):
        return ("S-KMSE", result.flexible_name)

    def between(self, plot, paint, sources):
        source = sources["gamma0"]
        marks.dots(plot, paint, source, "fkmse", marker="inverted_triangle", size=7)
        words = glyphs.text(
            plot, "x", "y", text="c", source=source, x_offset=7, text_baseline="middle", text_font_size="11px"
        )
        paint(words.glyph, "fkmse", "text_color")

    def draw(self, paint, sources, result):
        plot, source = super().draw(paint, sources, result), sources["stein"]
        level = glyphs.hspan(plot, "y", source=source, line_width="width", line_dash="dotdash")
        paint(level.glyph, "truth", "line_color")
        inline = {"text_baseline": "middle", "text_font_size": "12px", "padding": 1}
        words = glyphs.text(plot, "x", "at", text="words", source=source, **inline)
        paint(words.glyph, "truth", "text_color")
        paint(words.glyph, "ground", "background_fill_color")  # a word interrupts its line
        level.tags = words.tags = [ANSWER]
        return plot


class Weights(Picture):
    """The sample in the plane: a disc's area is a point's weight, the ring about it the plain average's."""

    name = "sample"

    @staticmethod
    def columns(result):
        points, n = marks.within(result.X, result.frame), len(result.X)
        return {
            "sample": {**points, "unit": np.full(n, unit_size(n))},
            "weights": dict(points),
            "touched": {k: v[result.touched] for k, v in points.items()},
            "law": marks.ellipses(result.law),
            "target": _target(result),
        }

    @staticmethod
    def table(result):
        n = len(result.X)
        share = n * result.flexible_curve.weights
        return {
            ("weights", "size"): unit_size(n) * np.sqrt(np.abs(share)),
            ("weights", "alpha"): np.where(share < 0, 0.0, 0.75),
        }

    def draw(self, paint, sources, result):
        plot = canvas("", "", "", 300, x_range=(-1, 1), y_range=(-1, 1))
        law = glyphs.ellipse(
            plot,
            "x",
            "y",
            "width",
            "height",
            "angle",
            source=sources["law"],
            fill_alpha=0,
            line_dash="dotted",
            line_width=2,
        )
        paint(law.glyph, "truth", "line_color")
        blob = {"source": sources["target"], "fill_alpha": 0, "line_width": 2, "level": MOVES}
        paint(glyphs.ellipse(plot, "x", "y", "width", "width", line_dash="dashed", **blob).glyph, "skmse", "line_color")
        paint(glyphs.scatter(plot, "x", "y", marker="diamond_cross", size=16, **blob).glyph, "skmse", "line_color")
        rings = glyphs.scatter(plot, "x", "y", size="unit", source=sources["sample"], fill_alpha=0, line_alpha=0.45)
        paint(rings.glyph, "kme", "line_color")
        marks.dots(plot, paint, sources["weights"], "fkmse", size="size", fill_alpha="alpha", line_width=1, level=MOVES)
        touched = glyphs.scatter(
            plot, "x", "y", source=sources["touched"], marker="x", size=13, line_width=2, level=MOVES
        )
        paint(touched.glyph, "outlier", "line_color")
        square(plot, *result.frame)
        return plot

    def aim(self, result):
        over_plane(self.plot, result.frame, result.quantities)
        self.plot.title.text = f"Sample, area = weight of {result.flexible_name}"


class Filter(Small):
    """What each estimator keeps of each eigendirection."""

    name = "filter"

    @staticmethod
    def columns(result):
        gamma = gammas(result)
        return {
            "filter": {"gamma": FILTER_AT},
            "rug": {"gamma": gamma, "y": np.zeros(len(gamma))},
        }

    @staticmethod
    def table(result):
        return {("level", "y"): result.simple_curve.keeps[:, None], ("filter", "h"): result.flexible_curve.filter}

    def draw(self, paint, sources, result):
        plot = chart("Kept of each eigendirection", GAMMA, KEPT)
        marks.one_is_kme(plot, paint, harm=False)
        paint(glyphs.hspan(plot, "y", source=sources["level"], line_width=3, level=MOVES).glyph, "skmse", "line_color")
        marks.curve(plot, paint, sources["filter"], "gamma", "h", "fkmse", line_dash="dashed", level=MOVES)
        rug = glyphs.scatter(
            plot, "gamma", "y", source=sources["rug"], marker="dash", angle=np.pi / 2, size=12, line_alpha=0.7
        )
        paint(rug.glyph, "truth", "line_color")
        return plot


class Coefficients(Small):
    """How long the plain average is along each eigendirection, and what each estimator leaves of that."""

    name = "coefficients"

    @staticmethod
    def columns(result):
        return {"coefficients": {"gamma": gammas(result), "before": np.clip(before(result), *SHARE_RANGE)}}

    @staticmethod
    def table(result):
        return {
            ("coefficients", "simple"): np.clip(result.simple_curve.coefficients, *SHARE_RANGE),
            ("coefficients", "flexible"): np.clip(result.flexible_curve.kept * before(result), *SHARE_RANGE),
        }

    def draw(self, paint, sources, result):
        plot = chart("Coefficients, plain and shrunk", GAMMA, SHARE)
        source = sources["coefficients"]
        stems = glyphs.segment(
            plot, "gamma", "before", "gamma", "flexible", source=source, line_width=1, line_alpha=0.5, level=MOVES
        )
        paint(stems.glyph, "kme", "line_color")
        for name, role, marker, size, alpha in (
            ("before", "kme", "circle", 8, 0.0),
            ("simple", "skmse", "square", 6, 0.75),
            ("flexible", "fkmse", "circle", 6, 0.75),
        ):
            options = {"marker": marker, "size": size, "level": MOVES, "fill_alpha": alpha, "line_width": 1.5}
            paint(glyphs.scatter(plot, "gamma", name, source=source, **options).glyph, role, "line_color", "fill_color")
        return plot


class Risk(Small):
    """S-KMSE's expected loss over λ: what is left of the noise and, hatched, the squared bias."""

    name, upright = "risk", "line"

    @staticmethod
    def columns(result):
        parts = result.risk_parts()
        if parts is None:
            return {"risk": nothing("lam", "variance", "total")}
        total = np.minimum((parts[0] + parts[1])[:-1], 9 * LOSS.range[1])
        return {"risk": {"lam": slider_lams(result), "variance": parts[0][:-1], "total": total}}

    @staticmethod
    def table(result):
        return {("line", "x"): here(result)}

    def draw(self, paint, sources, result):
        plot = chart("Expected loss of S-KMSE (KME = 1)", LAM, LOSS._replace(label="variance, squared bias on top"))
        source = sources["risk"]
        paint(glyphs.varea(plot, "lam", 0, "variance", source=source, fill_alpha=0.35).glyph, "skmse", "fill_color")
        hatched = {"hatch_pattern": "right_diagonal_line", "hatch_alpha": 0.5, "hatch_scale": 8}
        bias = glyphs.varea(plot, "lam", "variance", "total", source=source, fill_alpha=0.12, **hatched)
        paint(bias.glyph, "skmse", "fill_color", "hatch_color")
        marks.curve(plot, paint, source, "lam", "total", "skmse")
        plot.add_layout(paint(Span(location=1, dimension="width", line_width=2), "kme", "line_color"))
        marks.upright(plot, paint, sources["line"])
        return plot


class Objective(Objectives):
    """What leave-one-out estimates and the loss, over λ."""

    parameter, axis, lines = "lam", LAM, PAIR

    @staticmethod
    def table(result):
        return {("line", "x"): here(result)}


PICTURES = (Loss, Weights, Filter, Coefficients, Risk, Objective, Errors)


def slider_lams(result):
    """The λ of the slider, those beyond the axis at its ends."""
    return np.clip(result.simple.lams[:-1], *LAM_RANGE)


def here(result):
    """Where the upright line stands at each row, (rows, 1)."""
    return np.clip(result.simple.lams, *LAM_RANGE)[:, None]


def gammas(result):
    """The eigenvalues, those beyond the axis at its ends."""
    return np.clip(result.eigenvalues, *GAMMA_RANGE)


def before(result):
    """How long the plain average is along each eigendirection, as a share of its length, (n,)."""
    return result.spectrum.coefficients()


def unit_size(n):
    """The marker size, in px, of the weight 1/n."""
    return float(np.clip(62 / np.sqrt(n), 5, 18))


def _gamma0(result):
    """The λ that paper 001 takes, c times the smallest eigenvalue that is not 0, where they lie on the axis."""
    c = np.array([0.01, 0.1, 1.0, 10.0])
    x = c * result.gamma0
    inside = (x >= LAM_RANGE[0]) & (x <= LAM_RANGE[1])
    return {"x": x[inside], "y": np.full(inside.sum(), 0.28), "c": c[inside]}


def _stein(result):
    """James and Stein's loss on this sample and on average, levels with their words; nothing where it is not shown."""
    if result.stein is None:
        return nothing("y", "width", "x", "at", "words")
    levels = {"James-Stein": result.stein.loss, "James-Stein on average": result.stein.risk}
    known = {words: level for words, level in levels.items() if level is not None}
    y = np.clip(list(known.values()), *LOSS.range)
    parts = {"width": np.array([2.5, 1.0]), "x": np.array([6e-2, 2e-3])}  # side by side: the two may be one level
    return {
        "y": y,
        # on its line, but above that of the plain average; the whole word in the picture
        "at": np.clip(np.where(abs(y - 1) < 0.05, y + 0.05, y), 0.05, LOSS.range[1] - 0.05),
        "words": np.array(list(known)),
        **{name: values[: len(y)] for name, values in parts.items()},
    }


def _target(result):
    """The blob: its centre, which stays in the frame, and two standard deviations; nothing where there is none."""
    if result.blob is None:
        return nothing("x", "y", "width")
    centre = marks.within(np.array([result.blob.mean]), result.frame)
    return {**centre, "width": np.array([2 * result.blob.spread])}
