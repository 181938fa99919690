"""The MONK lab's pictures: the pairs with their blocks, the block means, and four small ones."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from explorer.discrepancy.monk import SLIDER
from explorer.estimators.medianofmeans import blocks_needed
from explorer.views import glyphs, marks
from explorer.views.marks import MOVES, nothing
from explorer.views.picture import Picture, RowByRow, Small, padded
from explorer.views.style import canvas, power, signed_log, signed_log_axis, ticks

from .lab import ITERATIONS
from .result import ETA, LEVELS

X_RANGE = (-10.0, 26.0)  # of the canvas, in units of x
CELLS, VOTE = (-0.62, -0.14), (-1.1, -0.82)  # heights of the blocks' cells and of the count of votes
MIDDLE = {"P": 1.5, "Q": 0.5}  # of the strips
U_HEIGHT = -0.16  # below the blocks, where the U-statistic is drawn
GOLDEN = 0.6180339887498949
MARGIN = 0.06  # beside what is drawn, of the width of a picture
LIMITS = (1.0, 10.0, 1e2, 1e4, 1e6, 1e8, 1e10, 1e12, 1e15, 1e20)
LEAST_ERROR = 4e-3
COUNT_RANGE = (-0.5, 20.5)
STROKES = {5: "···", 11: "──", 21: "╌╌"}  # of the lines of so many blocks, as words
DASHES = {5: "dotted", 11: "solid", 21: "dashed"}
HATCH = {"hatch_pattern": "right_diagonal_line", "hatch_alpha": 0.75, "hatch_scale": 7, "hatch_weight": 1.5}


class Pairs(RowByRow):
    """Both samples with their outliers; below them the blocks, the median one framed, and the count of votes."""

    name, heading = "pairs", "Pairs of P and Q; below them the blocks and their vote"

    @staticmethod
    def columns(result):
        lab, pairs = result.lab, result.pairs
        by_hand = np.array(lab.points, dtype=float).reshape(-1, 2)
        strips = {n: strip(points, MIDDLE[n]) for n, points in (("P", pairs.X), ("Q", pairs.Y))}
        clean = np.concatenate([points[~pairs.contaminated] for points in strips.values()])
        sides = ("P", "Q") if lab.planted == "both" else (lab.planted,)
        planted = np.concatenate([strips[n][lab.n - lab.outliers :] for n in sides])
        drawn = {n: marks.at_edge(points, *X_RANGE) for n, points in strips.items()}
        for column in drawn.values():  # a contaminated pair keeps its place, so that a column of heights is sent once
            column["x"][pairs.contaminated] = np.nan
        for n, points, size in (("placed", by_hand, 14.0), ("planted", planted, 11.0)):
            sizes = np.where(marks.beyond(points, *X_RANGE), 0.0, size)  # there an arrow stands for the cross
            drawn[n] = {**marks.at_edge(points, *X_RANGE), "size": sizes}
        chosen = by_hand[lab.selected - 1 : lab.selected] if lab.selected else by_hand[:0]
        return {
            **drawn,
            "far": marks.arrows(clean, *X_RANGE),
            "selected": marks.at_edge(chosen, *X_RANGE),
            "off": marks.arrows(np.concatenate([by_hand, planted]), *X_RANGE),
        }

    @classmethod
    def at(cls, result, row):
        bad, width = result.contaminated_blocks(row), result.stops[-1]
        middle, edges = result.estimate_at(row).median_block, np.linspace(*X_RANGE, len(bad) + 1)
        gap = MARGIN * (X_RANGE[1] - X_RANGE[0]) / len(bad)
        left, right = edges[:-1] + gap, edges[1:] - gap
        clean = X_RANGE[0] + (X_RANGE[1] - X_RANGE[0]) * float((~bad).mean())
        return {
            ("cells", "left"): padded(np.where(bad, np.nan, left), width),
            ("cells", "right"): padded(np.where(bad, np.nan, right), width),
            ("bad_cells", "left"): padded(np.where(bad, left, np.nan), width),
            ("bad_cells", "right"): padded(np.where(bad, right, np.nan), width),
            ("median_cell", "left"): left[[middle]],
            ("median_cell", "right"): right[[middle]],
            ("votes", "left"): np.array([X_RANGE[0]]),
            ("votes", "right"): np.array([clean]),
            ("bad_votes", "left"): np.array([clean if bad.any() else np.nan]),
            ("bad_votes", "right"): np.array([X_RANGE[1]]),
        }

    def draw(self, paint, s, result):
        ranges = {"x_range": Range1d(X_RANGE[0] - 0.7, X_RANGE[1] + 0.7), "y_range": Range1d(-1.25, 2.1)}
        plot = canvas("Click adds an outlier, a drag moves it", "x (first coordinate)", "", 340, **ranges)
        ticks(plot, plot.xaxis, {v: f"{v:g}".replace("-", "−") for v in range(-10, 26, 5)})
        ticks(plot, plot.yaxis, {1.5: "P", 0.5: "Q", sum(CELLS) / 2: "blocks", sum(VOTE) / 2: "vote"})
        plot.ygrid.visible = False
        marks.across(plot, paint, 1, "width", "truth", line_width=1, line_alpha=0.3)
        marks.dots(plot, paint, s["P"], "kme", size=6, fill_alpha=0.65, line_width=0.5)
        marks.dots(plot, paint, s["Q"], "kme", size=6, fill_alpha=0, line_width=1.2)
        faint = {"level": MOVES, "line_width": 1, "line_alpha": 0.8}
        for name, (low, high) in (("cells", CELLS), ("votes", VOTE)):
            quads = glyphs.quad(plot, "left", "right", high, low, source=s[name], fill_alpha=0.3, **faint)
            paint(quads.glyph, "monk", "line_color", "fill_color")
            quads = glyphs.quad(
                plot, "left", "right", high, low, source=s[f"bad_{name}"], fill_alpha=0.08, **faint, **HATCH
            )
            paint(quads.glyph, "outlier", "line_color", "fill_color", "hatch_color")
        heights, frame = (CELLS[1] + 0.05, CELLS[0] - 0.05), {"level": MOVES, "fill_alpha": 0, "line_width": 3}
        ring = glyphs.quad(plot, "left", "right", *heights, source=s["median_cell"], **frame)
        paint(ring.glyph, "monk", "line_color")
        half, ends = [sum(X_RANGE) / 2], ([VOTE[0] - 0.06], [VOTE[1] + 0.06])
        mark = glyphs.segment(plot, half, ends[0], half, ends[1], line_width=2.5, level="annotation")
        paint(mark.glyph, "truth", "line_color")
        for name in ("planted", "placed"):
            marks.dots(plot, paint, s[name], "outlier", marker="x", size="size", line_width=2.5, level=MOVES)
        marks.dots(plot, paint, s["selected"], "outlier", size=22, line_width=2, fill_alpha=0, level=MOVES)
        for name, role in (("far", "kme"), ("off", "outlier")):
            arrow = {"marker": "triangle", "angle": "angle", "size": 11, "line_width": 0}
            marks.dots(plot, paint, s[name], role, **arrow, level=MOVES)
        return plot


class Limited(Picture):
    """A picture whose axes end beyond what the blocks can be; they stay while Q moves."""

    limit = None

    def aim(self, result):
        if self.limit != (limit := limit_of(result)):
            self.limit = limit
            self.end(limit)

    def end(self, limit):
        """Let the axes end at a limit."""


class Blocks(RowByRow, Limited):
    """The witness's means over the blocks in order, beside both estimates and the truth."""

    name, place = "values", "blocks"  # a control is called blocks

    @staticmethod
    def columns(result):
        u = {"x": on_axis(result, [result.u_mmd]), "y": np.array([U_HEIGHT])}
        return {"U": u, "truth": {"x": signed_log([result.truth])}}

    @classmethod
    def at(cls, result, row):
        estimate, width = result.estimate_at(row), result.stops[-1]
        order = np.argsort(estimate.block_values, kind="stable")
        bad, middle = result.contaminated_blocks(row)[order], np.flatnonzero(order == estimate.median_block)
        heights, values = (np.arange(len(bad)) + 0.5) / len(bad), on_axis(result, estimate.block_values[order])
        value, fast = on_axis(result, [estimate.value]), result.lab.method == "bcd-fast"
        return {
            ("values", "x"): padded(np.where(bad, np.nan, values), width),
            ("values", "y"): padded(heights, width),
            ("bad_values", "x"): padded(np.where(bad, values, np.nan), width),
            ("bad_values", "y"): padded(heights, width),
            ("median", "x"): values[middle],
            ("median", "y"): heights[middle],
            ("monk", "x"): np.full(1, np.nan) if fast else value,
            ("fast", "x"): value if fast else np.full(1, np.nan),
        }

    @staticmethod
    def kept(result):
        if result is None:
            return {"pinned": nothing("x", "y")}
        values = np.sort(result.estimate.block_values)
        return {"pinned": {"x": signed_log(values), "y": (np.arange(len(values)) + 0.5) / len(values)}}

    def draw(self, paint, s, result):
        ranges = {"x_range": Range1d(-1, 1), "y_range": Range1d(-0.3, 1.08)}
        plot = canvas("Block means, in order", "block means, an MMD (signed log scale)", "", 260, **ranges)
        ticks(plot, plot.yaxis, {U_HEIGHT: "U", 0.5: "median"})
        marks.across(plot, paint, 0, "height", "truth", line_width=1, line_alpha=0.5)
        marks.across(plot, paint, 0.5, "width", "monk", line_width=1, line_alpha=0.5)
        truth = glyphs.vspan(plot, "x", source=s["truth"], line_width=2, line_dash="dotted")
        paint(truth.glyph, "truth", "line_color")
        kept = {"marker": "hex", "size": 9, "line_alpha": 0.35, "fill_alpha": 0.2}
        marks.dots(plot, paint, self.pinned["pinned"], "monk", **kept)
        marks.dots(plot, paint, s["values"], "monk", marker="hex", size=9, fill_alpha=0.75, level=MOVES)
        marks.dots(plot, paint, s["bad_values"], "outlier", marker="x", size=9, line_width=2.5, level=MOVES)
        marks.dots(plot, paint, s["median"], "monk", size=18, fill_alpha=0, line_width=2.5, level=MOVES)
        for name, role, dash in (("monk", "monk", "solid"), ("fast", "monkfast", "dashed")):
            upright = glyphs.vspan(plot, "x", source=s[name], line_width=2, line_dash=dash, level=MOVES)
            paint(upright.glyph, role, "line_color")
        marks.dots(plot, paint, s["U"], "kme", marker="cross", size=16, line_width=3, level=MOVES)
        return plot

    def end(self, limit):
        signed_log_axis(self.plot, self.plot.xaxis, self.plot.x_range, limit, 1.0, MARGIN)


class Errors(Limited, Small):
    """A picture of errors on a logarithmic axis."""

    @staticmethod
    def canvas(title, x_label, y_label, x_range):
        """An empty one."""
        ranges = {"x_range": Range1d(*x_range), "y_range": Range1d(LEAST_ERROR, 10)}
        return canvas(title, x_label, f"{y_label} (log scale)", 280, y_axis_type="log", **ranges)

    def end(self, limit):
        powers = 10.0 ** np.arange(-2, np.log10(top_error(limit)) + 0.5)
        ticks(self.plot, self.plot.yaxis, {v: power(v) for v in powers[:: 2 if len(powers) > 5 else 1]})
        self.plot.y_range.update(start=LEAST_ERROR, end=top_error(limit))

    def entitle(self, title, study):
        """A title that counts the further samples."""
        samples = ", being drawn ..." if study is None else f", {study.count} further samples"
        self.plot.title.text = f"{title}{samples}"


class Cliff(Errors):
    """Errors over the number of planted outliers, for U and for votes of several numbers of blocks."""

    name = "cliff"

    @staticmethod
    def columns(result):
        study, ends = result.cliff, (LEAST_ERROR, top_error(limit_of(result)))
        drawn = {f"cliff_{name}": nothing("x", "low", "middle", "high") for name in ("U", *STROKES)}
        for name in study.errors if study else ():
            low, middle, high = (np.clip(study.quantile(name, q), *ends) for q in (0.25, 0.5, 0.75))
            counts = np.array(study.counts, float)
            drawn[f"cliff_{name}"] = {"x": counts, "low": low, "middle": middle, "high": high}
        votes = np.array([Q for Q in STROKES if Q <= result.lab.n])
        words, heights = np.array([f"{Q} {STROKES[Q]}" for Q in votes]), np.full(len(votes), 1.6 * LEAST_ERROR)
        return {
            **drawn,
            "needed": {"x": (votes + 1) / 2, "y": heights, "words": words},
            "count": {"x": np.array([min(float(result.outliers), COUNT_RANGE[1])])},
        }

    def draw(self, paint, s, result):
        plot = self.canvas("", "planted outliers", "error of the MMD", COUNT_RANGE)
        ticks(plot, plot.xaxis, {v: str(v) for v in range(0, 21, 5)})
        for name in ("U", *DASHES):
            role, source = "kme" if name == "U" else "monk", s[f"cliff_{name}"]
            paint(glyphs.varea(plot, "x", "low", "high", source=source, fill_alpha=0.1).glyph, role, "fill_color")
            dash = DASHES.get(name, "solid")
            marks.curve(plot, paint, source, "x", "middle", role, line_width=2.5, line_dash=dash)
        marks.upright(plot, paint, s["count"])
        marks.dots(plot, paint, s["needed"], "monk", marker="triangle", size=9)
        marks.words(plot, paint, s["needed"], "monk", x_offset=7, text_font_size="11px")
        return plot

    def aim(self, result):
        super().aim(result)
        self.entitle("Error over outliers", result.cliff)


class Quantiles(Errors):
    """How large the errors of kernel means get, and where the theorem promises anything."""

    name = "quantiles"

    @staticmethod
    def columns(result):
        study, promise = result.quantiles, result.promise
        drawn = {f"rank_{name}": nothing("x", "y") for name in ("KME", 11, 21)}
        for name, errors in study.errors.items() if study else ():
            # the k-th largest of m errors stands for η = (k - 1/2) / m
            eta = (np.arange(study.count) + 0.5)[::-1] / study.count
            drawn[f"rank_{name}"] = {"x": np.log(1 / eta), "y": np.sort(errors)}
        if promise is None:
            empty = {**nothing("left", "right", "at"), "words": np.zeros(0, dtype=str)}
            return {**drawn, "bound": nothing("x", "y"), "vacuous": empty}
        held = np.isfinite(promise.bound)
        words = f"Theorem 1 is vacuous: η = {ETA:g} needs Q = {blocks_needed(ETA):.0f}"
        start, end = LEVELS[held].max() if held.any() else 0.0, LEVELS[-1]
        vacuous = {"left": start, "right": end, "at": 1.6 * LEAST_ERROR, "words": words}
        return {
            **drawn,
            "bound": {"x": LEVELS[held], "y": promise.bound[held]},
            "vacuous": {name: np.array([value]) for name, value in vacuous.items()},
        }

    def draw(self, paint, s, result):
        plot = self.canvas("", "ln(1/η): one sample in 1/η is worse", "|μ̂ − μ|", (0, float(LEVELS[-1])))
        ticks(plot, plot.xaxis, {v: str(v) for v in range(4)})
        faint = {**HATCH, "hatch_alpha": 0.18, "hatch_scale": 10, "hatch_weight": 1, "fill_alpha": 0.03}
        vacuous = glyphs.quad(plot, "left", "right", 1e25, 1e-9, source=s["vacuous"], line_width=0, **faint)
        paint(vacuous.glyph, "truth", "fill_color", "hatch_color")
        marks.words(plot, paint, s["vacuous"], "truth", "left", "at", x_offset=6, text_font_size="12px")
        marks.curve(plot, paint, s["bound"], "x", "y", "truth", line_width=4, line_dash="dotted")
        for name, role in (("KME", "kme"), (11, "monk"), (21, "monk")):
            dash = DASHES.get(name, "solid")
            marks.curve(plot, paint, s[f"rank_{name}"], "x", "y", role, line_width=2.5, line_dash=dash)
        return plot

    def aim(self, result):
        super().aim(result)
        self.entitle(f"Kernel mean: Q 11 {STROKES[11]}, Q 21 {STROKES[21]}", result.quantiles)


class Steps(Limited, Small):
    """The medians of an iteration, and the block means after one step."""

    name, answers = "steps", False

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
            "truth_step": {"y": signed_log([result.truth])},
        }

    def draw(self, paint, s, result):
        ranges = {"x_range": Range1d(0, ITERATIONS + 1), "y_range": Range1d(-1, 1)}
        title = "Block coordinate descent, step by step"
        plot = canvas(title, "iteration", "block means (signed log scale)", 280, **ranges)
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


class Embedding(Small):
    """The true kernel mean and both estimates of it, as functions."""

    name, answers = "embedding", False
    law = None

    @staticmethod
    def columns(result):
        e = result.embeddings
        if e is None:
            return {"functions": nothing("x", "truth", "kme", "median")}
        return {"functions": {"x": e.at, "truth": e.truth, "kme": e.kme, "median": e.median}}

    def draw(self, paint, s, result):
        ranges = {"x_range": Range1d(-4, 4), "y_range": Range1d(-1, 1)}
        plot = canvas("", "x (first coordinate)", "μ(x)", 280, **ranges)
        curves = (("kme", "kme", "solid", 2.5), ("median", "monk", "dashed", 3), ("truth", "truth", "dotted", 2))
        for name, role, dash, width in curves:
            marks.curve(plot, paint, s["functions"], "x", name, role, line_width=width, line_dash=dash)
        return plot

    def aim(self, result):
        e, law = result.embeddings, (result.shown_law, result.kernel)
        self.plot.title.text = f"The kernel mean of {'PQ'[result.side]}, as a function"
        if e is not None and self.law != law:
            self.law, low, high = law, float(e.truth.min()), float(e.truth.max())
            margin = max(high - low, 1e-9)
            self.plot.x_range.update(start=float(e.at[0]), end=float(e.at[-1]))
            self.plot.y_range.update(start=low - 0.25 * margin, end=high + 0.75 * margin)


PICTURES = (Pairs, Blocks, Cliff, Quantiles, Steps, Embedding)


def strip(points, middle):
    """The first coordinates of points and their heights in a strip, which no other point changes, (n, 2)."""
    return np.column_stack([points[:, 0], middle + 0.8 * ((np.arange(len(points)) * GOLDEN) % 1 - 0.5)])


def limit_of(result):
    """Where the signed log axis ends: a round number beyond all that blocks can be, whatever Q is."""
    farthest = max(result.pairs.moved_by_one(SLIDER[-1]), result.truth, abs(result.u_mmd))
    return next((top for top in LIMITS if top >= farthest), LIMITS[-1])


def top_error(limit):
    """Where an axis of errors ends."""
    return max(limit, 10.0)


def on_axis(result, values):
    """Positions on the signed log axis; what lies beyond its ends stands there."""
    end = float(signed_log(limit_of(result)))
    return np.clip(signed_log(values), -end, end)
