"""The Adaptation lab's pictures: both samples with their lines, what depends on B, weights, and domains."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from explorer.datasets.domains import maps
from explorer.views import marks
from explorer.views.gains import Gains
from explorer.views.marks import MOVES, nothing
from explorer.views.picture import Picture, Small, StagePicture
from explorer.views.style import Axis, canvas, change, chart, nice_ticks, own_ticks, ticks, wear

from .lab import BOUNDS
from .remedies import heights

DOT = 8.0  # px: a point of weight one is so wide, and its area grows with the weight
LARGEST = 60.0  # px of the largest point
GRIP = 0.9  # of the half height below the middle: where the handle of the target is
MOST = 6  # domains
MARKERS = ("circle", "triangle", "square", "diamond", "inverted_triangle", "star")
ROLES = ("skmse", "outlier", "monkfast", "mkme", "kme", "geometric")
HIGHEST = 1.5  # of an error relative to the line as it is: larger ones stand there


def inside(values, frame):
    """Heights (r, g) of a line, nan where they lie beyond the frame: what follows a slider is not cut at its edge."""
    _, middle, _, high = frame
    return np.where(np.abs(values - middle) <= high, values, np.nan)


def sizes(weights):
    """The widths of points, in px."""
    return np.minimum(DOT * np.sqrt(weights), LARGEST)


class Plane(Picture):
    """Source and target, the line before and after the remedy, and the target's mean of y."""

    name, place, heading = "plane", "main", "Source and target, and the line before and after"

    @classmethod
    def seen(cls, result):
        return True

    @staticmethod
    def columns(result):
        pair, x = result.pair, result.places[:, 0]
        grip = nothing("x", "y")
        if result.lab.change:
            _, middle, _, high = result.frame
            grip = {"x": np.array([result.lab.shift]), "y": np.array([middle - GRIP * high])}
        truth = nothing("x", "y") if result.truth is None else {"x": x, "y": result.truth}
        return {
            "source": {"y": pair.y},
            "target": {"x": pair.Z[:, 0], "y": pair.hidden},
            "before": {"x": x, "y": inside(heights(result.before[0], result.places), result.frame)},
            "after": {"x": x},
            "truth": truth,
            "grip": grip,
        }

    @staticmethod
    def table(result):
        rows, (cx, _, half, _) = result.rows, result.frame
        return {
            ("source", "x"): np.clip([fit.X[:, 0] for fit in rows], cx - half, cx + half),
            ("source", "size"): np.array([sizes(fit.weights) for fit in rows]),
            ("after", "y"): inside(np.array([heights(fit.line, result.places) for fit in rows]), result.frame),
        }

    @staticmethod
    def kept(result):
        if result is None:
            return {"after": nothing("x", "y")}
        return {"after": {"x": result.places[:, 0], "y": inside(heights(result.fit.line, result.places), result.frame)}}

    def draw(self, paint, sources, result):
        ends = {"x_range": Range1d(-1, 1), "y_range": Range1d(-1, 1)}
        plot = canvas("Drag the diamond to move the target", "x", "y", 390, **ends)
        style = {"marker": "inverted_triangle", "size": 7, "fill_alpha": 0.1, "line_alpha": 0.8}
        marks.dots(plot, paint, sources["target"], "monkfast", **style)
        style = {"size": "size", "fill_alpha": 0.4, "line_alpha": 0.7, "level": MOVES}
        marks.dots(plot, paint, sources["source"], "skmse", **style)
        marks.curve(plot, paint, sources["truth"], "x", "y", "truth", line_width=2, line_dash="dotted")
        marks.curve(plot, paint, sources["before"], "x", "y", "kme", line_width=2, line_dash="dashed")
        marks.curve(plot, paint, self.pinned["after"], "x", "y", "skmse", line_width=2, line_alpha=0.4)
        marks.curve(plot, paint, sources["after"], "x", "y", "skmse", level=MOVES)
        grip = {"marker": "diamond", "size": 20, "fill_alpha": 0.6, "line_width": 2}
        marks.dots(plot, paint, sources["grip"], "monkfast", **grip)
        return plot

    def aim(self, result):
        cx, cy, half, high = result.frame
        change(self.plot.x_range, start=cx - half, end=cx + half)
        change(self.plot.y_range, start=cy - high, end=cy + high)
        quantities = result.pair.quantities
        wear(self.plot, self.plot.xaxis, cx - half, cx + half, quantities[0])
        wear(self.plot, self.plot.yaxis, cy - high, cy + high, quantities[-1])
        title = "Drag the diamond to move the target" if result.lab.change else "Source and target"
        change(self.plot.title, text=title)


class OverBound(StagePicture):
    """The error on the target and the effective sample size over the bound B."""

    name, place, stage, upright = "bounds", "beside", "sweep", "line"
    still = "curves x error size"
    moving = "line x"

    @classmethod
    def seen(cls, result):
        return result.lab.bounded and result.lab.picture != "domains"

    @staticmethod
    def stays(result, sweep):
        error = result.relative(sweep)
        size = np.array([fit.size for fit in sweep]) / len(result.pair.X)
        return {"curves": {"x": np.array(BOUNDS, dtype=float), "error": np.minimum(error, HIGHEST), "size": size}}

    @classmethod
    def columns(cls, result):
        return {**super().columns(result), "line": {}}

    @staticmethod
    def moves(result, sweep):
        return {("line", "x"): np.array(result.stops, dtype=float)[:, None]}

    def draw(self, paint, sources, result):
        x = Axis(
            "B, the largest weight (log scale)", Range1d(0.95, 1050), {v: f"{v:g}" for v in (1, 10, 100, 1000)}, True
        )
        y = Axis("", Range1d(0, 1.03 * HIGHEST), {0: "0", 0.5: "0.5", 1: "1", HIGHEST: f"{HIGHEST:g} or more"})
        plot = chart("Error (solid) and sample size (dashed)", x, y, 230)
        marks.one_is_kme(plot, paint)
        marks.curve(plot, paint, sources["curves"], "x", "size", "truth", line_width=2, line_dash="dashed")
        marks.curve(plot, paint, sources["curves"], "x", "error", "skmse")
        marks.upright(plot, paint, sources["line"])
        return plot


class Moved(Picture):
    """Where the maps put each point, over where it was, beside the true maps."""

    name, place = "moved", "beside"

    @classmethod
    def seen(cls, result):
        return not result.lab.bounded and result.lab.picture != "domains"

    @classmethod
    def columns(cls, result):
        if not cls.seen(result):
            return {"points": nothing("x", "y"), "true": nothing("x", "y")}
        x, true = result.pair.X[:, 0], nothing("x", "y")
        if result.lab.source == "location-scale":
            scale, move = maps(result.pair.y, result.lab.shift)
            true = {"x": x, "y": x * scale + move}
        return {"points": {"x": x, "y": result.fit.X[:, 0]}, "true": true}

    def draw(self, paint, sources, result):
        plot = canvas("Maps: new x over x", "x", "x W + B", 230, x_range=Range1d(-1, 1), y_range=Range1d(-1, 1))
        style = {"size": 7, "fill_alpha": 0.45, "line_alpha": 0.8}
        marks.dots(plot, paint, sources["points"], "skmse", **style)
        marks.dots(plot, paint, sources["true"], "truth", size=3, fill_alpha=0.8, line_width=0)
        return plot

    def aim(self, result):
        if self.seen(result):
            cx, _, half, _ = result.frame
            low, high = (float(f(result.fit.X[:, 0])) for f in (np.min, np.max))
            room = 0.08 * (high - low) + 1e-9
            change(self.plot.x_range, start=cx - half, end=cx + half)
            change(self.plot.y_range, start=low - room, end=high + room)
            of = result.pair.quantities[0]
            wear(self.plot, self.plot.xaxis, cx - half, cx + half, of)
            ticks(self.plot, self.plot.yaxis, own_ticks(low - room, high + room, of))
            about = " (small dots: the true maps)" if result.lab.source == "location-scale" else ""
            change(self.plot.title, text=f"Maps: new x over x{about}")


class Weights(Small):
    """The weight of each source point over x, beside the true ratio of densities."""

    name = "weights"

    @staticmethod
    def columns(result):
        x, order = result.pair.X[:, 0], np.argsort(result.pair.X[:, 0], kind="stable")
        ratio = result.ratio
        true = nothing("x", "y") if ratio is None else {"x": x[order], "y": ratio[order]}
        return {"points": {"x": x}, "ratio": true}

    @staticmethod
    def table(result):
        return {("points", "y"): np.array([fit.weights for fit in result.rows])}

    def draw(self, paint, sources, result):
        ends = {"x_range": Range1d(-1, 1), "y_range": Range1d(0, 1)}
        plot = canvas("Weights, and the true ratio of densities", "", "weight", 250, **ends)
        marks.dots(plot, paint, sources["ratio"], "truth", size=4, fill_alpha=0.8, line_width=0)
        style = {"size": 7, "fill_alpha": 0.45, "line_alpha": 0.8, "level": MOVES}
        marks.dots(plot, paint, sources["points"], "skmse", **style)
        return plot

    def aim(self, result):
        if self.seen(result):
            cx, _, half, _ = result.frame
            top = 1.1 * max(2.0, *(float(fit.weights.max()) for fit in result.rows))
            change(self.plot.x_range, start=cx - half, end=cx + half)
            wear(self.plot, self.plot.xaxis, cx - half, cx + half, result.pair.quantities[0])
            change(self.plot.y_range, start=-0.03 * top, end=top)
            ticks(self.plot, self.plot.yaxis, nice_ticks(0.0, top, 4))
            about = "" if result.ratio is None else ", and the true ratio of densities (small dots)"
            change(self.plot.title, text=f"Weights{about}")


class OverSamples(Gains):
    """What the remedy gains in more samples, and what the true weights would."""

    name, beside, stage, rows = "samples", "samples", "more", ("true weights", "remedy")
    over, unit = "20 more samples: 1 − error / error as it is", "right is better"

    @classmethod
    def gains(cls, value):
        """The gains, (2, samples); those of weights that nobody knows are nowhere."""
        gains = value.gains
        return gains[::-1] if len(gains) == 2 else np.vstack([np.full(gains.shape, np.nan), gains])

    @staticmethod
    def span(gains):
        """From where to where the axis goes."""
        return Gains.span(gains[np.isfinite(gains).all(axis=1)])


class OfDomains(StagePicture):
    """Points in the plane of two components, each domain with a colour and a symbol of its own."""

    stage, beside = "seen", "domains"
    words = ""
    still = "; ".join(f"d{j} x y" for j in range(MOST))

    @staticmethod
    def scores(seen):
        """The scores that are drawn, (n, 2)."""
        return seen.scores

    @classmethod
    def stays(cls, result, seen):
        scores = cls.scores(seen)
        scores = scores / np.maximum(np.abs(scores).max(axis=0), 1e-300)
        return {f"d{j}": {"x": scores[seen.of == j, 0], "y": scores[seen.of == j, 1]} for j in range(MOST)}

    def draw(self, paint, sources, result):
        ends = {"x_range": Range1d(-1.1, 1.1), "y_range": Range1d(-1.1, 1.1)}
        plot = canvas(self.words, "component 1, largest = 1", "component 2", 250, **ends)
        for axis in (plot.xaxis, plot.yaxis):
            ticks(plot, axis, {-1: "−1", 0: "0", 1: "1"})
        for j, (marker, role) in enumerate(zip(MARKERS, ROLES, strict=True)):
            style = {"marker": marker, "size": 7, "fill_alpha": 0.45, "line_alpha": 0.8}
            marks.dots(plot, paint, sources[f"d{j}"], role, **style)
        return plot


class Invariant(OfDomains):
    """The domains along DICA's components."""

    name, words = "dica", "DICA: what the domains share"


class Plain(OfDomains):
    """The domains along those of kernel PCA."""

    name, place, words = "kpca", "beside", "Kernel PCA: what varies most"

    scores = staticmethod(lambda seen: seen.plain_scores)


PICTURES = (Plane, OverBound, Moved, Weights, OverSamples, Invariant, Plain)
