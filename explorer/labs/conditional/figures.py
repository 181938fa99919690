"""The Conditional lab's pictures: the pairs with y where x is known, Bayes' rule, a hidden path, a table."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from explorer.printing import short
from explorer.views import glyphs, marks
from explorer.views.marks import MOVES, nothing
from explorer.views.picture import Imaged, StagePicture
from explorer.views.profiles import BELOW, HEIGHT, Profile, WeightedPairs, discs, normal, strokes, top, within
from explorer.views.scores import ScoreOverLam
from explorer.views.style import canvas, change, entitle, ticks, wear

from .lab import FOLLOWED
from .path import STATES
from .result import ACROSS

NAMES = ("prior", "posterior", "exact", "printed")  # of densities


def points(result):
    """The pairs' places {"x", "y"}."""
    return {"x": result.pairs.X[:, 0], "y": result.pairs.Y[:, 0]}


class Cut(WeightedPairs):
    """A cut through the pairs: how much each counts for y where x is known, and the mean of y over x."""

    name, stage, heading = "cut", "fan", "The pairs, and how much each counts where x is known"
    still = "sample x y; weights x y; line x; mean x; truth x y; dot x; stops x"
    moving = "weights up down; mean y; dot y"

    @staticmethod
    def stays(result, fan):
        at = result.places[0][:, 0]
        return {
            "sample": points(result),
            "weights": points(result),
            "line": {"x": result.x[0, :1]},
            "mean": {"x": at},
            "truth": nothing("x", "y") if result.true_mean is None else {"x": at, "y": result.true_mean},
            "dot": {"x": result.x[0, :1]},
            "stops": {"x": result.places_of_slider},
        }

    @staticmethod
    def moves(result, fan):
        up, down = discs(fan.weights)
        return {
            ("weights", "up"): up,
            ("weights", "down"): down,
            ("mean", "y"): within(result.mean_of_y, *result.pairs.ends[1]),
            ("dot", "y"): within(fan.mean, *result.pairs.ends[1])[:, None],
        }

    def draw(self, paint, sources, result):
        plot = self.pairs(paint, sources, "Drag the line to the x that is known")
        marks.curve(plot, paint, sources["truth"], "x", "y", "truth", line_width=2, line_dash="dotted")
        marks.curve(plot, paint, sources["mean"], "x", "y", "skmse", line_width=2, level=MOVES)
        marks.dots(plot, paint, sources["dot"], "skmse", marker="diamond", size=14, level=MOVES)
        return plot


class Density(Profile):
    """y where x is known: the embedding's density, the exact one, and what each pair adds."""

    name, beside, stage = "density", "cut", "fan"
    still = "curve y; truth x y; strokes y"
    moving = "curve x; strokes up down"

    @staticmethod
    def stays(result, fan):
        at = result.places[1][:, 0]
        truth = nothing("x", "y") if result.exact is None else {"x": result.exact_density, "y": at}
        return {"curve": {"y": at}, "truth": truth, "strokes": {"y": result.pairs.Y[:, 0]}}

    @staticmethod
    def moves(result, fan):
        up, down = strokes(fan.weights, result.unit)
        end = Density.end(result, fan)
        return {
            ("curve", "x"): within(Density.drawn(result), -BELOW * end, 1.02 * end),
            ("strokes", "up"): np.minimum(up, end),
            ("strokes", "down"): np.maximum(down, -BELOW * end),
        }

    @staticmethod
    def drawn(result):
        """The density for every λ, and none of a y that has no density."""
        return result.density if not result.lab.by_gram[1] else np.full(result.density.shape, np.nan)

    @staticmethod
    def kept(result):
        if result is None or result.fan is None:
            return {"kept": nothing("x", "y")}
        return {"kept": {"x": Density.drawn(result)[result.row], "y": result.places[1][:, 0]}}

    def draw(self, paint, sources, result):
        plot = self.profile(paint, "y where x is known")
        for name, role in (("up", "skmse"), ("down", "harm")):
            stroke = glyphs.segment(plot, 0, "y", name, "y", source=sources["strokes"], line_alpha=0.6, level=MOVES)
            paint(stroke.glyph, role, "line_color")
        marks.curve(plot, paint, self.pinned["kept"], "x", "y", "skmse", line_width=1.5, line_alpha=0.45)
        marks.curve(plot, paint, sources["truth"], "x", "y", "truth", line_width=2, line_dash="dotted")
        marks.curve(plot, paint, sources["curve"], "x", "y", "skmse", level=MOVES)
        return plot

    def aim(self, result):
        super().aim(result)
        known = f"{short(result.of_y.name)} where {'x' if result.lab.joint else short(result.of_x.name)} is known"
        entitle(self.plot.title, "y is a Gram matrix: no density" if result.lab.by_gram[1] else known)

    @staticmethod
    def end(result, fan):
        return top(result.density[-1], *([] if result.exact is None else [result.exact_density]))


class Score(ScoreOverLam):
    """The leave-one-out score over λ, and the squared distance to the exact embedding."""

    name, beside, place, stage = "score", "cut", "below", "fan"


class Bayes(WeightedPairs):
    """The pairs, weighted for the prior, with handles for the prior and for x."""

    name, stage, answers, heading = "bayes", "rule", False, "The pairs, the prior of y, and the x that is known"
    still = "sample x y; weights x y up down; line x; prior x y; known x y; bar x low high"

    @staticmethod
    def stays(result, rule):
        up, down = discs(rule.marginal_)
        (left, _), (low, high) = result.pairs.ends
        law, edge = result.prior_law, left + 0.03 * (result.pairs.ends[0][1] - left)
        mean, sd = float(law.mean[0]), float(np.sqrt(law.variances[0]))
        x = float(result.x[0, 0])
        return {
            "sample": points(result),
            "weights": {**points(result), "up": up, "down": down},
            "line": {"x": np.array([x])},
            "prior": {"x": np.array([edge, edge]), "y": np.clip([mean, mean + sd], low, high)},
            "known": {"x": np.array([x]), "y": np.array([low])},
            "bar": {"x": np.array([edge]), "low": np.array([mean - sd]), "high": np.array([mean + sd])},
        }

    def draw(self, paint, sources, result):
        plot = self.pairs(paint, sources, "Drag the prior, its spread, or x")
        bar = glyphs.segment(plot, "x", "low", "x", "high", source=sources["bar"], line_width=4, line_alpha=0.5)
        paint(bar.glyph, "monkfast", "line_color")
        handle = {"size": 13, "fill_alpha": 0.9, "line_width": 1, "level": MOVES}
        marks.dots(plot, paint, sources["prior"], "monkfast", **handle)
        marks.dots(plot, paint, sources["known"], "truth", marker="triangle", **handle)
        return plot


class Posterior(Profile):
    """Prior and posterior of y: by the kernel rule, exactly, and as the article prints the rule."""

    name, beside, stage, answers = "posterior", "bayes", "densities", False
    still = "prior x y; posterior x y; exact x y; printed x y"

    @staticmethod
    def stays(result, densities):
        at, end = result.places[1][:, 0], Posterior.end(result, densities)
        drawn = {name: within(density, -BELOW * end, 1.02 * end) for name, density in densities.items()}
        return {name: {"x": drawn.get(name, np.full(ACROSS, np.nan)), "y": at} for name in NAMES}

    def draw(self, paint, sources, result):
        plot = self.profile(paint, "Prior and posterior")
        marks.curve(plot, paint, sources["printed"], "x", "y", "harm", line_width=2, line_dash="dashed", level=MOVES)
        marks.curve(plot, paint, sources["prior"], "x", "y", "monkfast", line_width=2, line_dash="dashed", level=MOVES)
        marks.curve(plot, paint, sources["posterior"], "x", "y", "skmse", level=MOVES)
        marks.curve(plot, paint, sources["exact"], "x", "y", "truth", line_width=2, line_dash="dotted", level=MOVES)
        return plot

    @staticmethod
    def end(result, densities):
        return top(*(density for name, density in densities.items() if name != "printed"))


class Path(Imaged, StagePicture):
    """A hidden path over time: beliefs as a strip, their mean, Kalman's band, what was seen, and the truth."""

    name, place, stage, answers = "filter", "main", "strip", False
    shaded, lines = "strip", STATES
    still = "strip w; ground x y dw dh; seen x y; tracks x truth kernel kalman low high; now x"

    @classmethod
    def columns(cls, result):
        columns = super().columns(result)
        if result.strip is None:  # an image has its size from the first
            columns |= {"strip": {"w": np.zeros(STATES * FOLLOWED)}, "ground": _ground(np.arange(2.0))}
        return columns

    @staticmethod
    def stays(result, strip):
        step, t, level = min(result.lab.time, len(strip)), np.arange(1.0, len(strip) + 1), result.levels[:, 0]
        image = np.zeros((STATES, FOLLOWED))
        image[:, :step] = (strip / np.abs(strip).max(axis=1, keepdims=True))[:step].T
        there, (kernel, kalman, sd, _) = t <= step, result.tracks
        tracks = {"truth": result.course.hidden[:, 0], "kernel": kernel, "kalman": kalman}
        tracks |= {"low": kalman - sd, "high": kalman + sd}
        seen = result.course.shown if result.course.shown.shape[1] == 1 and result.lab.path != "rows" else None
        return {
            "strip": {"w": image.ravel()},
            "ground": _ground(level),
            "seen": nothing("x", "y") if seen is None else {"x": t[there], "y": seen[there, 0]},
            "tracks": {"x": t, **{name: np.where(there, values, np.nan) for name, values in tracks.items()}},
            "now": {"x": np.array([float(step)])},
        }

    def draw(self, paint, sources, result):
        x, y = (0.5, FOLLOWED + 0.5), Range1d(-3, 3)
        plot = canvas("Beliefs about a hidden path", "time", "state", HEIGHT, x_range=x, y_range=y)
        self.lay(plot, paint, sources, sources["ground"])
        track = sources["tracks"]
        marks.dots(plot, paint, sources["seen"], "kme", marker="x", size=7, line_width=1.5)
        for name in ("low", "high"):
            marks.curve(plot, paint, track, "x", name, "monkfast", line_width=1.2, line_dash="dashed")
        marks.curve(plot, paint, track, "x", "kalman", "monkfast", line_width=2)
        marks.curve(plot, paint, track, "x", "kernel", "fkmse", line_width=2.5)
        marks.curve(plot, paint, track, "x", "truth", "truth", line_width=2, line_dash="dotted")
        marks.upright(plot, paint, sources["now"])
        return plot

    def aim(self, result):
        super().aim(result)
        if result.strip is not None:
            low, high = result.levels[[0, -1], 0]
            change(self.plot.y_range, start=float(low), end=float(high))
            wear(self.plot, self.plot.yaxis, low, high, result.course.quantity)


def _ground(levels):
    """Where the strip's image lies."""
    return {k: np.array(v, dtype=float) for k, v in marks.ground(np.arange(1.0, FOLLOWED + 1), levels).items()}


class Belief(Profile):
    """The belief at the time that is looked at, beside Kalman's and the exact one."""

    name, beside, stage, answers = "belief", "filter", "strip", False
    still = "belief x y; kalman x y; exact x y; truth x y"

    @staticmethod
    def stays(result, strip):
        i, level, tracks = min(result.lab.time, len(strip)) - 1, result.levels[:, 0], result.tracks
        kalman = normal(level, tracks.kalman[i], max(tracks.deviation[i], 1e-9))
        exact = nothing("x", "y") if result.exact_beliefs is None else {"x": result.exact_beliefs[i], "y": level}
        return {
            "belief": {"x": strip[i], "y": level},
            "kalman": {"x": kalman, "y": level},
            "exact": exact,
            "truth": {"x": np.zeros(1), "y": result.course.hidden[i : i + 1, 0]},
        }

    def draw(self, paint, sources, result):
        plot = self.profile(paint, "The belief now", "state")
        marks.curve(plot, paint, sources["exact"], "x", "y", "truth", line_width=2, line_dash="dotted")
        marks.curve(plot, paint, sources["kalman"], "x", "y", "monkfast", line_width=2, line_dash="dashed")
        marks.curve(plot, paint, sources["belief"], "x", "y", "fkmse")
        marks.dots(plot, paint, sources["truth"], "truth", marker="diamond", size=13)
        return plot

    def aim(self, result):
        if result.strip is not None:
            self.span(
                *result.levels[[0, -1], 0], top(np.quantile(result.strip.max(axis=1), 0.9)), result.course.quantity
            )


class Table(StagePicture):
    """The table's prior and posterior of y: bars by the kernel rule, dots by fractions."""

    name, place, stage, answers = "table", "beside", "rules", False
    still = "bars y prior posterior exact"

    @staticmethod
    def stays(result, rules):
        exact, ours = (each.posterior for each in rules)
        y, prior = np.arange(1.0, len(exact) + 1), result.lab.table_prior
        return {"bars": {"y": y, "prior": prior, "posterior": ours, "exact": exact}}

    def draw(self, paint, sources, result):
        x = Range1d(0, 1.05)
        plot = canvas("Prior and posterior of y", "probability", "y", HEIGHT, x_range=x, y_range=Range1d(5.6, 0.4))
        source = sources["bars"]
        bars = glyphs.hbar(plot, "y", 0.5, "posterior", source=source, fill_alpha=0.55, line_alpha=0)
        paint(bars.glyph, "skmse", "fill_color")
        marks.dots(plot, paint, source, "monkfast", x="prior", marker="square", size=12, fill_alpha=0, line_width=2)
        marks.dots(plot, paint, source, "truth", x="exact", size=9)
        return plot

    def aim(self, result):
        if result.rules is not None:
            q = len(result.lab.table_prior)
            change(self.plot.y_range, start=q + 0.6, end=0.4)
            ticks(self.plot, self.plot.yaxis, {k: f"y = {k}" for k in range(1, q + 1)})


PICTURES = (Cut, Density, Score, Bayes, Posterior, Path, Belief, Table)
