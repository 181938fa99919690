"""The Shrinkage lab's pictures: loss over λ, the sample with its weights, the filter over the eigenvalues.

`columns` turns a result into the columns that the figures draw, `lam_tables` into the same columns for every λ of the slider,
so that a browser can answer the slider by itself.
"""

from __future__ import annotations

import numpy as np
from bokeh.models import BoxAnnotation, ColumnDataSource, CustomJS, Range1d, Span

from .style import Painter, canvas, decades, ticks

LAM_RANGE, LOSS_RANGE = (1e-4, 1e2), (0.0, 1.6)
GAMMA_RANGE = (1e-4, 1e3)
MOVES = "overlay"  # the layer of what follows λ: a canvas repaints it alone, without axes, words and curves


DOTS = {"size": np.array([13.0, 11.0, 7.0]), "fill": np.array([0.0, 1.0, 1.0])}  # best (hollow), chosen, here


def columns(result):
    """Source name -> column name -> array, at the lab's λ."""
    points = _points(result)
    drawn = {
        "curves": {"lam": np.clip(result.simple.lams[:-1], *LAM_RANGE), **_curves(result)},
        "bands": _bands(result),
        "simple": dict(DOTS),
        "flexible": dict(DOTS),
        "sample": {**points, "unit": np.full(len(result.X), unit_size(len(result.X)))},
        "weights": dict(points),
        "strays": _strays(result),
        "law": _law(result),
        "filter": {"gamma": result.filter_at},
        "rug": {"gamma": np.clip(result.eigenvalues, *GAMMA_RANGE), "y": np.zeros(len(result.eigenvalues))},
        "line": {},
        "level": {},
    }
    for (source, column), table in lam_tables(result).items():
        drawn[source][column] = table[result.row]
    return drawn


def lam_tables(result):
    """(source, column) -> (λ rows, length) float64: what changes with λ, for each λ of the slider and the automatic one."""
    n = len(result.X)
    share = n * result.weights
    simple, flexible = (_dots(path) for path in (result.simple, result.flexible))
    return {
        ("line", "x"): simple[0][:, 2:],
        ("simple", "x"): simple[0],
        ("simple", "y"): simple[1],
        ("flexible", "x"): flexible[0],
        ("flexible", "y"): flexible[1],
        ("weights", "size"): unit_size(n) * np.sqrt(np.abs(share)),
        ("weights", "alpha"): np.where(share < 0, 0.0, 0.75),
        ("level", "y"): 1 / (1 + result.simple.lams)[:, None],
        ("filter", "h"): result.filter,
    }


def unit_size(n):
    """The marker size, in px, of the weight 1/n."""
    return float(np.clip(62 / np.sqrt(n), 5, 18))


def _curves(result):
    blank = np.full(len(result.simple.lams) - 1, np.nan)
    return {
        f"{name}_{what}": blank if values is None else values[:-1]
        for name, path in (("simple", result.simple), ("flexible", result.flexible))
        for what, values in (("loss", path.loss), ("score", path.score))
    }


def _bands(result):
    """Where further samples lie: the ends of their bands for each estimator, nothing where there are none."""
    if result.replicates is None:
        return {name: np.zeros(0) for name in ("lam", *(f"{e}_{i}" for e in ("simple", "flexible") for i in range(4)))}
    ends = {name: np.clip(result.replicates.band(name)[:, :-1], *LOSS_RANGE) for name in ("simple", "flexible")}
    return {"lam": np.clip(result.simple.lams[:-1], *LAM_RANGE),
            **{f"{name}_{i}": ends[name][i] for name in ends for i in range(4)}}  # fmt: skip


def _pinned(result):
    if result is None:
        return {name: np.zeros(0) for name in ("lam", "simple", "flexible")}
    lams = np.clip(result.simple.lams[:-1], *LAM_RANGE)
    return {"lam": lams, "simple": result.simple.height[:-1], "flexible": result.flexible.height[:-1]}


def _dots(path):
    """x and y, (λ rows, 3), of an estimator's dots: the best λ, the chosen one, and where the slider is."""
    height, rows = path.height, len(path.lams)
    best = (np.nan, np.nan) if path.best is None else (path.best, path.best_loss)
    x = np.column_stack([np.full(rows, best[0]), np.full(rows, path.chosen), path.lams])
    y = np.column_stack([np.full(rows, best[1]), np.full(rows, height[-1]), height])
    return np.clip(x, *LAM_RANGE), np.clip(y, *LOSS_RANGE)


def _plane(points):
    """The first two coordinates; a second one of 0 where there is none."""
    return points[:, 0], points[:, 1] if points.shape[1] > 1 else np.zeros(len(points))


def _frame(result):
    """Centre and half-width of the square that shows the clean law, or most of a table: outliers do not move it."""
    if result.law is not None:
        w, m = result.law.weights, result.law.means[:, :2]
        mean = w @ m
        sd = np.sqrt(w @ (np.diagonal(result.law.covariances, axis1=1, axis2=2)[:, :2] + (m - mean) ** 2))
        low, high = mean - 2.8 * sd, mean + 2.8 * sd
    else:
        low, high = np.quantile(result.X[: result.clean, :2], [0.01, 0.99], axis=0)
        low, high = low - 0.15 * (high - low) - 1e-9, high + 0.15 * (high - low) + 1e-9
    centre, half = (low + high) / 2, float((high - low).max() / 2)
    return (float(centre[0]), float(centre[1]) if len(centre) > 1 else 0.0, half)


def _points(result):
    x, y = _plane(result.X)
    cx, cy, half = _frame(result)
    # a point beyond the frame stays at its edge, as a cross of `strays`
    return {"x": np.clip(x, cx - half, cx + half), "y": np.clip(y, cy - half, cy + half)}


def _strays(result):
    points = _points(result)
    return {k: v[result.touched] for k, v in points.items()}


def _law(result):
    """Ellipses of one standard deviation of the law's components, first two coordinates."""
    if result.law is None or result.law.d < 2:
        return {k: np.zeros(0) for k in ("x", "y", "width", "height", "angle")}
    gamma, U = np.linalg.eigh(result.law.covariances[:, :2, :2])
    width, height = 2 * np.sqrt(np.maximum(gamma, 0)).T
    return {"x": result.law.means[:, 0], "y": result.law.means[:, 1], "width": width, "height": height,
            "angle": np.arctan2(U[:, 1, 0], U[:, 0, 0])}  # fmt: skip


class ShrinkageView:
    """Three figures over shared sources; `show` writes the columns of a result into them."""

    def __init__(self, result, dark=False):
        self.paint = Painter(dark)
        self.overdrawn = False  # whether the browser answered a slider by itself, so that it shows other columns than we sent
        self.sources = {name: ColumnDataSource(data) for name, data in columns(result).items()}
        self.pinned = ColumnDataSource(_pinned(None))
        self.hero, self.sample, self.filter = self._hero(), self._sample(result), self._filter()
        self.figures = {"loss": self.hero, "sample": self.sample, "filter": self.filter}

    def pin(self, result):
        """Keep a result's curves in the picture, faint, or none."""
        self.pinned.data = _pinned(result)

    def show(self, result):
        """Write what changed; and after the browser drew by itself, all that it may have drawn over."""
        unknown = set(lam_tables(result)) if self.overdrawn else ()
        self.overdrawn = False
        for name, data in columns(result).items():
            now = self.sources[name].data
            if any(len(data[k]) != len(now[k]) for k in data):
                self.sources[name].data = data
            elif changed := {
                k: v for k, v in data.items() if (name, k) in unknown or not np.array_equal(now[k], v, equal_nan=True)
            }:
                now.update(changed)  # one message with these columns alone
        self._aim(result)

    def _aim(self, result):
        cx, cy, half = _frame(result)
        frame = {"cx": cx, "cy": cy, "half": half}
        if self.sample.tags != [frame]:
            self.sample.tags = [frame]
        first, second = _axes(result)
        self.sample.xaxis.axis_label, self.sample.yaxis.axis_label = first, second

    def _hero(self):
        plot = canvas("Loss relative to the plain average (KME = 1)", "λ (log scale)", "loss / loss of KME", 340,
                      x_axis_type="log", x_range=Range1d(*LAM_RANGE), y_range=Range1d(*LOSS_RANGE))  # fmt: skip
        ticks(plot, plot.xaxis, decades(-4, 2))
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1", 1.5: "1.5"})
        paint, s = self.paint, self.sources
        plot.add_layout(paint(BoxAnnotation(bottom=1, fill_alpha=0.07, line_color=None), "harm", "fill_color"))
        plot.add_layout(paint(Span(location=1, dimension="width", line_width=2), "kme", "line_color"))
        for name, role in (("simple", "skmse"), ("flexible", "fkmse")):
            for low, high in ((0, 3), (1, 2)):  # 90 % of the samples, then 50 %
                band = plot.varea("lam", f"{name}_{low}", f"{name}_{high}", source=s["bands"], fill_alpha=0.13)
                paint(band.glyph, role, "fill_color")
        for name, role, dash in (("simple", "skmse", "solid"), ("flexible", "fkmse", "dashed")):
            paint(plot.line("lam", f"{name}_score", source=s["curves"], line_width=1.5, line_dash="dotted").glyph,
                  role, "line_color")  # fmt: skip
            paint(plot.line("lam", f"{name}_loss", source=s["curves"], line_width=3, line_dash=dash).glyph,
                  role, "line_color")  # fmt: skip
        for name, role, dash in (("simple", "skmse", "solid"), ("flexible", "fkmse", "dashed")):
            pinned = plot.line("lam", name, source=self.pinned, line_width=6, line_alpha=0.3, line_dash=dash)
            paint(pinned.glyph, role, "line_color")
        line = plot.vspan("x", source=s["line"], line_width=1.5, line_alpha=0.6, level=MOVES)
        paint(line.glyph, "truth", "line_color")
        for name, role, marker in (("simple", "skmse", "square"), ("flexible", "fkmse", "circle")):
            dots = plot.scatter("x", "y", size="size", fill_alpha="fill", source=s[name], marker=marker, line_width=2,
                                level=MOVES)  # fmt: skip
            paint(dots.glyph, role, "line_color", "fill_color")
        return plot

    def _sample(self, result):
        first, second = _axes(result)
        plot = canvas("Sample, area = weight of F-KMSE", first, second, 300, x_range=Range1d(-1, 1), y_range=Range1d(-1, 1))
        paint, s = self.paint, self.sources
        law = plot.ellipse("x", "y", "width", "height", "angle", source=s["law"], fill_alpha=0, line_dash="dotted", line_width=2)
        paint(law.glyph, "truth", "line_color")
        rings = plot.scatter("x", "y", size="unit", source=s["sample"], fill_alpha=0, line_alpha=0.45)
        paint(rings.glyph, "kme", "line_color")
        weights = plot.scatter("x", "y", size="size", source=s["weights"], fill_alpha="alpha", line_width=1, level=MOVES)
        paint(weights.glyph, "fkmse", "line_color", "fill_color")
        strays = plot.scatter("x", "y", source=s["strays"], marker="x", size=13, line_width=2, level=MOVES)
        paint(strays.glyph, "outlier", "line_color")
        # one unit is as long in both directions, whatever the shape of the frame
        square = CustomJS(args={"plot": plot}, code="""
            const [{cx, cy, half}] = plot.tags, w = plot.inner_width, h = plot.inner_height
            if (!(w > 0 && h > 0)) return
            const m = 1.06 * half, kx = m * Math.max(1, w / h), ky = m * Math.max(1, h / w)
            plot.x_range.setv({start: cx - kx, end: cx + kx}); plot.y_range.setv({start: cy - ky, end: cy + ky})""")  # fmt: skip
        for event in ("inner_width", "inner_height", "tags"):
            plot.js_on_change(event, square)
        cx, cy, half = _frame(result)
        plot.tags = [{"cx": cx, "cy": cy, "half": half}]
        plot.x_range.update(start=cx - 1.4 * half, end=cx + 1.4 * half)
        plot.y_range.update(start=cy - 1.06 * half, end=cy + 1.06 * half)
        return plot

    def _filter(self):
        plot = canvas("What is kept of each eigendirection", "eigenvalue γ / mean k(x, x) (log scale)", "filter h(γ)", 300,
                      x_axis_type="log", x_range=Range1d(*GAMMA_RANGE), y_range=Range1d(-0.08, 1.12))  # fmt: skip
        ticks(plot, plot.xaxis, decades(-4, 3))
        ticks(plot, plot.yaxis, {0: "0", 0.5: "0.5", 1: "1"})
        paint, s = self.paint, self.sources
        plot.add_layout(paint(Span(location=1, dimension="width", line_width=2), "kme", "line_color"))
        paint(plot.hspan("y", source=s["level"], line_width=3, level=MOVES).glyph, "skmse", "line_color")
        kept = plot.line("gamma", "h", source=s["filter"], line_width=3, line_dash="dashed", level=MOVES)
        paint(kept.glyph, "fkmse", "line_color")
        paint(plot.scatter("gamma", "y", source=s["rug"], marker="dash", angle=np.pi / 2, size=12, line_alpha=0.7).glyph,
              "truth", "line_color")  # fmt: skip
        return plot


def _axes(result):
    """The names of the two coordinates that are drawn."""
    return result.names[0], result.names[1] if len(result.names) > 1 else "(one coordinate only)"
