"""The MONK lab's pictures: the pairs, their blocks, the block means, and five small ones."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from explorer.estimators.medianofmeans import blocks_needed
from explorer.printing import cut, short
from explorer.views import glyphs, marks
from explorer.views.blocks import HATCH, MARGIN, BlockMeans, Strip, limit_of, on_axis
from explorer.views.errors import LEAST, Errors, Limited, Line, over_counts, over_rarity
from explorer.views.estimates import Estimates, Row
from explorer.views.functions import Functions, FunctionsPicture
from explorer.views.marks import MOVES, nothing
from explorer.views.picture import Picture, Small
from explorer.views.style import (
    canvas,
    change,
    entitle,
    own_ticks,
    signed_log,
    signed_log_axis,
    ticks,
    wear,
    words_of,
)

from .lab import ITERATIONS
from .means import ETA, LEVELS
from .words import negative, of_estimates, of_means

MIDDLE = {"P": 1.5, "Q": 0.5}  # heights of the strips
GOLDEN = 0.6180339887498949
LETTERS = 16  # of a name that a strip is as high as
MANY, FEW = 8, 5  # ticks below the strips, and where their words are longer
MOST = 20  # outliers along the cliff


def top_error(result):
    """Where an axis of errors ends."""
    return max(limit_of(result), 10.0)


class Pairs(Picture):
    """Both samples with their outliers, and the pairs of the block that a hand points at."""

    name, heading, worn = "pairs", "Pairs of P and Q, with their outliers", None

    @staticmethod
    def columns(result):
        lab, pairs, ends = result.lab, result.pairs, result.reach
        by_hand = np.array(lab.points, dtype=float).reshape(-1, 2)
        strips = {n: strip(points, MIDDLE[n]) for n, points in (("P", pairs.X), ("Q", pairs.Y))}
        clean = np.concatenate([points[~pairs.contaminated] for points in strips.values()])
        sides = ("P", "Q") if lab.planted == "both" else (lab.planted,)
        planted = np.concatenate([strips[n][lab.n - lab.outliers :] for n in sides])
        drawn = {n: marks.at_edge(points, *ends) for n, points in strips.items()}
        rows = {f"{n}_{axis}": column[axis].copy() for n, column in drawn.items() for axis in "xy"}
        for column in drawn.values():  # a contaminated pair keeps its place, so that a column of heights is sent once
            column["x"][pairs.contaminated] = np.nan
        for n, points, size in (("placed", by_hand, 14.0), ("planted", planted, 11.0)):
            sizes = np.where(marks.beyond(points, *ends), 0.0, size)  # there an arrow stands for the cross
            drawn[n] = {**marks.at_edge(points, *ends), "size": sizes}
        chosen = by_hand[lab.selected - 1 : lab.selected] if lab.selected else by_hand[:0]
        return {
            **drawn,
            "rows": {**rows, "place": np.argsort(result.order).astype(float)},
            "lit": nothing("P_x", "P_y", "Q_x", "Q_y"),
            "far": marks.arrows(clean, *ends),
            "selected": marks.at_edge(chosen, *ends),
            "off": marks.arrows(np.concatenate([by_hand, planted]), *ends),
        }

    def draw(self, paint, s, result):
        plot = canvas("", "", "", 270, x_range=Range1d(-1, 1), y_range=Range1d(0, 2))
        ticks(plot, plot.yaxis, dict(zip(MIDDLE.values(), beside(result), strict=True)))
        plot.ygrid.visible = False
        marks.across(plot, paint, 1, "width", "truth", line_width=1, line_alpha=0.3)
        marks.dots(plot, paint, s["P"], "kme", size=6, fill_alpha=0.65, line_width=0.5)
        marks.dots(plot, paint, s["Q"], "kme", size=6, fill_alpha=0, line_width=1.2)
        s["lit"].tags = [s["rows"]]  # no glyph draws it, and without one that knows it no document would have it
        joined = glyphs.segment(plot, "P_x", "P_y", "Q_x", "Q_y", source=s["lit"], line_alpha=0.35, level=MOVES)
        paint(joined.glyph, "truth", "line_color")
        for side in "PQ":
            at = {"x": f"{side}_x", "y": f"{side}_y", "size": 11, "line_width": 2, "fill_alpha": 0, "level": MOVES}
            marks.dots(plot, paint, s["lit"], "truth", **at)
        for name in ("planted", "placed"):
            marks.dots(plot, paint, s[name], "outlier", marker="x", size="size", line_width=2.5, level=MOVES)
        marks.dots(plot, paint, s["selected"], "outlier", size=22, line_width=2, fill_alpha=0, level=MOVES)
        for name, role in (("far", "kme"), ("off", "outlier")):
            arrow = {"marker": "triangle", "angle": "angle", "size": 11, "line_width": 0}
            marks.dots(plot, paint, s[name], role, **arrow, level=MOVES)
        return plot

    def aim(self, result):
        low, high = result.reach
        edge = 0.02 * (high - low)
        if self.plot.x_range.start != low - edge or self.plot.x_range.end != high + edge:
            self.plot.x_range.update(start=low - edge, end=high + edge)
        if self.worn != (worn := (result.axis, low, high)):
            self.worn = worn
            ticks(self.plot, self.plot.xaxis, own_ticks(low, high, result.axis, FEW if result.sides else MANY))
            entitle(self.plot.xaxis[0], short(result.axis.called))
        title = f"{result.lab.n} pairs: a click adds an outlier, a drag moves it"
        change(self.plot.title, text=title)
        if words_of(self.plot.yaxis[0]) != (names := dict(zip(MIDDLE.values(), beside(result), strict=True))):
            ticks(self.plot, self.plot.yaxis, names)
            self.plot.yaxis.major_label_orientation = "vertical" if result.sides else "horizontal"


class Blocks(BlockMeans):
    """The witness's means over the blocks in order, beside both estimates and the truth."""

    name, place = "values", "blocks"  # a control is called blocks

    @staticmethod
    def beside_u(result):
        return negative(result) if result.U < 0 else "U-statistic"


class Cliff(Errors):
    """Errors over the number of planted outliers, for U and for votes of several numbers of blocks."""

    name = late = "cliff"
    title, moves = "Error over outliers", "How far each estimate moves, by planted outliers"
    over, of, start, stop = "planted outliers", "off by", -0.5, float(MOST)
    lines = {  # noqa: RUF012, read only
        "U": Line("U-statistic", "kme"),
        5: Line("5 blocks", "monk", "dotted"),
        11: Line("11 blocks", "monk"),
        21: Line("21 blocks", "monk", "dashed"),
    }

    limit = staticmethod(top_error)

    @classmethod
    def curves(cls, result, study):
        return over_counts(study, cls.lines)

    @classmethod
    def columns(cls, result):
        votes = np.array([Q for Q in cls.lines if Q != "U" and Q <= result.lab.n])
        words, heights = np.array([str(Q) for Q in votes]), np.full(len(votes), 1.6 * LEAST)
        return {
            **super().columns(result),
            "needed": {"x": (votes + 1) / 2, "y": heights, "words": words},
            "count": {"x": np.array([min(float(result.outliers), MOST)])},
        }

    def below(self, plot, paint, s):
        ticks(plot, plot.xaxis, {v: str(v) for v in range(0, MOST + 1, 5)})
        marks.upright(plot, paint, s["count"])
        marks.dots(plot, paint, s["needed"], "monk", marker="triangle", size=9)
        marks.words(plot, paint, s["needed"], "monk", x_offset=7, text_font_size="11px")


class Quantiles(Errors):
    """How large the errors of kernel means get, and where the theorem promises anything."""

    name = late = "quantiles"
    title, over, of, stop = (
        "Error of the kernel mean",
        "ln(1/η): one sample in 1/η is worse",
        "|μ̂ − μ|",
        float(LEVELS[-1]),
    )
    lines = {  # noqa: RUF012, read only
        "KME": Line("plain average", "kme"),
        11: Line("11 means", "monk"),
        21: Line("21 means", "monk", "dashed"),
        "geometric": Line("geometric", "geometric", "dashdot"),
        "Huber": Line("Huber", "robust", "dotdash"),
        "Hampel": Line("Hampel", "robust", "dotted"),
    }

    limit = staticmethod(top_error)

    @classmethod
    def curves(cls, result, study):
        return over_rarity(study, cls.lines, cls.stop)

    @classmethod
    def columns(cls, result):
        drawn, promise = super().columns(result), result.promise
        if promise is None:
            empty = {**nothing("left", "right", "at"), "words": np.zeros(0, dtype=str)}
            return {**drawn, "bound": nothing("x", "y"), "vacuous": empty}
        held = np.isfinite(promise.bound)
        words = f"Theorem 1 is vacuous: η = {ETA:g} needs Q = {blocks_needed(ETA):.0f}"
        start = LEVELS[held].max() if held.any() else 0.0
        vacuous = {"left": start, "right": LEVELS[-1], "at": 1.6 * LEAST, "words": words}
        return {
            **drawn,
            "bound": {"x": LEVELS[held], "y": promise.bound[held]},
            "vacuous": {name: np.array([value]) for name, value in vacuous.items()},
        }

    def below(self, plot, paint, s):
        ticks(plot, plot.xaxis, {v: str(v) for v in range(4)})
        faint = {**HATCH, "hatch_alpha": 0.1, "hatch_scale": 12, "hatch_weight": 1, "fill_alpha": 0.03}
        vacuous = glyphs.quad(plot, "left", "right", 1e25, 1e-9, source=s["vacuous"], line_width=0, **faint)
        paint(vacuous.glyph, "truth", "fill_color", "hatch_color")
        marks.words(plot, paint, s["vacuous"], "truth", "left", "at", x_offset=6, text_font_size="12px")
        marks.curve(plot, paint, s["bound"], "x", "y", "truth", line_width=4, line_dash="dotted")


class Rivals(Estimates):
    """The MMD by each estimator that is built here, in this sample."""

    name = "estimates"
    title, over = "The MMD by each estimator", "MMD (signed log scale)"
    rows = {  # noqa: RUF012, read only
        "U-statistic": Row("U-statistic", "kme", "cross"),
        "plain average": Row("plain average", "kme"),
        "MONK": Row("MONK", "monk", "hex"),
        "geometric": Row("geometric median", "geometric", "diamond"),
        "Huber": Row("Huber's loss", "robust", "square"),
        "Hampel": Row("Hampel's loss", "robust", "triangle"),
    }

    limit = staticmethod(limit_of)

    @classmethod
    def estimates(cls, result):
        return of_estimates(result)


class Steps(Limited, Small):
    """The medians of an iteration, and the block means after one step."""

    name, answers = "steps", False

    limit = staticmethod(limit_of)

    @staticmethod
    def columns(result):
        steps, iteration = result.steps, result.lab.iteration
        if steps is None:
            drawn = {"history": ("x", "monk", "fast"), "step": ("x", "y"), "at_step": ("x",), "truth_step": ("y",)}
            return {name: nothing(*columns) for name, columns in drawn.items()}
        means, values = on_axis(result, steps[iteration - 1].after), on_axis(result, [s.value for s in steps])
        curves = {"monk": values, "fast": np.full(len(steps), np.nan)}
        if result.lab.method == "bcd-fast":
            curves = {"monk": curves["fast"], "fast": values}
        return {
            "history": {"x": np.arange(1.0, len(steps) + 1), **curves},
            "step": {"x": np.full(len(means), float(iteration)), "y": means},
            "at_step": {"x": np.array([float(iteration)])},
            "truth_step": {"y": np.array([]) if result.truth is None else signed_log([result.truth])},
        }

    def draw(self, paint, s, result):
        ranges = {"x_range": Range1d(0, ITERATIONS + 1), "y_range": Range1d(-1, 1)}
        title = "Block coordinate descent"
        plot = canvas(title, "iteration", "an MMD (signed log scale)", 280, **ranges)
        ticks(plot, plot.xaxis, {1: "1", **{v: str(v) for v in range(20, ITERATIONS + 1, 20)}})
        truth = glyphs.hspan(plot, "y", source=s["truth_step"], line_width=2, line_dash="dotted")
        paint(truth.glyph, "truth", "line_color")
        for name, role, dash in (("monk", "monk", "solid"), ("fast", "monkfast", "dashed")):
            marks.curve(plot, paint, s["history"], "x", name, role, line_width=2, line_dash=dash)
        marks.upright(plot, paint, s["at_step"])
        marks.dots(plot, paint, s["step"], "monk", marker="hex", size=8, fill_alpha=0.75, level=MOVES)
        return plot

    def end(self, limit):
        signed_log_axis(self.plot, self.plot.yaxis, self.plot.y_range, limit, 0.35, MARGIN)


class Embedding(FunctionsPicture):
    """The true kernel mean and the estimates of it, as functions; how far each is from it stands beside them."""

    name, over, of = "embedding", "", "μ(x)"
    lines = {  # noqa: RUF012, read only
        "plain average": Line("plain average", "kme"),
        "median": Line("median of means", "monk", "dashed", 3),
        "geometric": Line("geometric median", "geometric", "dashdot", 2),
        "Huber": Line("Huber's loss", "robust", "dotdash", 2),
        "truth": Line("truth", "truth", "dotted", 2),
    }

    @classmethod
    def functions(cls, result):
        e = result.embeddings
        return e and Functions(e.at, e.values, of_means(result), e.middle)

    def aim(self, result):
        super().aim(result)
        if (drawn := self.functions(result)) is not None:
            wear(self.plot, self.plot.xaxis, *drawn.ends[0], result.axis)
        more = "" if result.truth is None else ", and how far each is from the truth"
        entitle(self.plot.title, f"The kernel mean of {result.names[result.side]}{more}")


PICTURES = (Pairs, Strip, Blocks, Cliff, Quantiles, Rivals, Steps, Embedding)


def beside(result):
    """What stands beside both strips."""
    return [cut(name, LETTERS) for name in result.names]


def strip(points, middle):
    """The first coordinates of points and their heights in a strip, which no other point changes, (n, 2)."""
    return np.column_stack([points[:, 0], middle + 0.8 * ((np.arange(len(points)) * GOLDEN) % 1 - 0.5)])
