"""Pictures of the Independence lab: pairs and their cross-covariance, permuted pairs, and nine smaller ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.special import gammainc

from explorer.discrepancy.dependence.aggregated import EACH_SIDE
from explorer.marks import (
    Axis,
    Grounds,
    Marks,
    Polyline,
    ReferenceLine,
    TextLabel,
    area,
    boxes,
    by,
    curve,
    dots,
    field_of,
    segments,
    vertical_lines,
    words,
)
from explorer.marks.geometry import nothing, to_one
from explorer.marks.mark import Numbers
from explorer.marks.nulls import NullAxis, OldNullPicture, level_words, null_bars, null_lines
from explorer.marks.old_form import RowwisePicture
from explorer.marks.old_form import SecondaryPicture as SmallPicture
from explorer.marks.pairs import PairsPlane
from explorer.marks.picture import padded
from explorer.printing import short_name
from explorer.workbench.numbers import format_number
from explorer.workbench.pairs import ACROSS, ALONG

from . import small
from .canonical import EPS
from .result import CELLS, HIGHEST
from .words import null_and_gamma, pairs_words

if TYPE_CHECKING:
    from explorer.discrepancy.results.test_result import TestResult
    from explorer.operators.dependence_shape import ShapedTest
    from explorer.types import Matrix

    from .result import IndependenceResult


NULL = NullAxis(-3.0, 12.0, 60, (0.1, 0.2, 0.4, 0.7, 1.05))
GAPS = (1e-14, 4.0)  # range of the picture of ranks; smaller losses are rounding
BEST = 8  # the number of columns of a table that are drawn
HALF = 0.5  # beyond this point of the axis, a name is left of its dot
MEASURES = ("Pearson's |r|", "distance correlation", "normalised HSIC", "mutual information")
UNIT = {"x": np.zeros(1), "y": np.zeros(1), "dw": np.ones(1), "dh": np.ones(1)}  # position and size of an image
DECADES = {1e-6: "1e−6", 1e-4: "1e−4", 0.01: "0.01", 1.0: "1"}
POWERS = {1e-12: "1e−12", 1e-8: "1e−8", 1e-4: "1e−4", 1.0: "1"}
SHARES = {0.1: "10 %", 0.3: "30 %", 0.5: "50 %", 0.7: "70 %", 1.0: "all"}


class OverSigma(RowwisePicture):
    """Base class of the pictures of tests, with one test per σ."""

    @staticmethod
    def of(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
        """Return the columns for a test, or empty ones for None: too few pairs."""
        raise NotImplementedError

    @classmethod
    def moved(cls, result: IndependenceResult, row: int) -> Numbers:
        return cls.of(result, result.trial_at(row) if result.enough else None)


class Plane(OverSigma, PairsPlane):
    """The pairs on the cross-covariance, blue where they are denser than if x and y were independent."""

    name = "sample"
    lines = ACROSS
    function = "cross-covariance"

    says: ClassVar[Callable[[Any], str]] = staticmethod(pairs_words)

    @classmethod
    def numbers(cls, result: IndependenceResult, *value: Any) -> Numbers:
        return PairsPlane.numbers(result)

    @staticmethod
    def of(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
        return {"field": {"w": np.zeros(ALONG * ACROSS) if trial is None else to_one([trial.shape.field])[0]}}


class Null(OverSigma, OldNullPicture):
    """HSIC of permuted pairs, with the statistic, the gamma distribution and the selected permutation.

    All of it is in one source: Bokeh repaints once per changed source, and in a browser each repaint waits for a frame.
    """

    title = "HSIC of permuted pairs"
    place = "beside"
    height = 258
    x: ClassVar[Axis] = Axis(
        "HSIC in standard deviations", (NULL.low, NULL.high), {-2: "−2", **{z: f"{z}" for z in range(0, 11, 2)}}
    )
    y: ClassVar[Axis] = Axis("share of the permutations", (0, NULL.tops[1]))
    marks: ClassVar[Marks] = (
        *null_bars("null", "permuted pairs"),
        curve("null", "skmse", "at", "gamma", width=2, follows_slider=True, label="gamma"),
        vertical_lines("null", "monkfast", "one", width=3, alpha=1.0, label="permutation shown"),
        *null_lines("observed", "null", "null"),
    )

    @classmethod
    def numbers(cls, result: IndependenceResult, *value: Any) -> Numbers:
        left, right = NULL.edges[:-1], NULL.edges[1:]
        height = np.full(NULL.bins, np.nan)
        height[0] = 0.1
        return {"null": {"left": left, "right": right, "at": (left + right) / 2, "y": height}}

    @staticmethod
    def of(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
        if trial is None:
            names = ("top", "tail", "x", "beyond", "limit", "gamma", "one")
            return {"null": {name: np.full(NULL.bins, np.nan) for name in names}}
        shuffle = result.lab.shuffle
        columns = {name: rows[0] for name, rows in NULL.table([trial.test], result.lab.alpha).items()}
        columns["gamma"] = _gamma(trial)
        columns["one"] = NULL.inside(NULL.positions([trial.test])[0, shuffle - 1 : shuffle]) if shuffle else []
        return {"null": {name: padded(values, NULL.bins) for name, values in columns.items()}}

    @classmethod
    def is_visible(cls, result: IndependenceResult) -> bool:
        return result.lab.picture != "canonical"

    @classmethod
    def axis(cls, result: IndependenceResult) -> NullAxis:
        return NULL

    @classmethod
    def test(cls, result: IndependenceResult) -> TestResult | None:
        return result.test if result.enough else None

    says: ClassVar[Callable[[Any], str]] = staticmethod(null_and_gamma)


class Small(SmallPicture):
    """Base class of the pictures in the slot below."""

    height = 250


class Pair(OverSigma, Small):
    """The two functions that covary most."""

    name = "pair"
    title = "Leading functions: f(x) solid, g(y) dashed"
    x: ClassVar[Axis] = Axis("x and y, across the picture of pairs", (-1.04, 1.04), {-1: "low", 0: "middle", 1: "high"})
    y: ClassVar[Axis] = Axis("value (largest = 1)", (-1.1, 1.1), {-1: "−1", 0: "0", 1: "1"})
    grounds: ClassVar[Grounds] = (ReferenceLine("kme", y=0, style={"width": 1}),)
    marks: ClassVar[Marks] = (
        curve("pair", "skmse", "x", "f", follows_slider=True, label="f(x)"),
        curve("pair", "fkmse", "across", "g", dash="dashed", follows_slider=True, label="g(y)"),
    )

    says: ClassVar[Callable[[Any], str]] = staticmethod(small.pair)

    @classmethod
    def numbers(cls, result: IndependenceResult) -> Numbers:
        across = padded(np.linspace(-1, 1, ACROSS), ALONG)
        return {"pair": {"x": np.linspace(-1, 1, ALONG), "across": across}}

    @staticmethod
    def of(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
        if trial is None:
            return {"pair": {name: np.full(ALONG, np.nan) for name in "fg"}}
        f, g = (to_one([values])[0] for values in (trial.shape.f, trial.shape.g))
        return {"pair": {"f": f, "g": padded(g, ALONG)}}


class Gram(OverSigma, Small):
    """Both centred Gram matrices, with the points in the order of x."""

    name = "gram"
    title = "Centred Gram matrices: x below, y above"
    x: ClassVar[Axis] = Axis("pairs, in order of x", (-0.01, 1.01), {})
    y: ClassVar[Axis] = Axis("", (-0.01, 1.01), {})
    marks: ClassVar[Marks] = (
        field_of("cells", "unit", CELLS, table=True),
        Polyline("kme", (0, 1), (1, 0), {"width": 1.5}),
    )

    says: ClassVar[Callable[[Any], str]] = staticmethod(small.gram)

    @classmethod
    def numbers(cls, result: IndependenceResult) -> Numbers:
        return {"unit": UNIT}

    @staticmethod
    def of(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
        cells = np.zeros(CELLS**2) if trial is None else trial.cells
        return {"cells": {"w": cells.reshape(CELLS, CELLS)[::-1].ravel()}}  # the first row of an image is at the bottom


class Measures(OverSigma, Small):
    """Four coefficients, and their critical values at the level."""

    name = "measures"
    title = "Coefficients and their critical values"
    x: ClassVar[Axis] = Axis("coefficient", (0, 1.02))
    y: ClassVar[Axis] = Axis("", (0.5, 4.9), {})
    marks: ClassVar[Marks] = (
        segments("measures", "kme", 0, "y", "value", "y", width=5, alpha=0.5, follows_slider=True),
        dots("measures", "harm", "limit", marker="dash", angle=np.pi / 2, size=26, width=2.5, follows_slider=True,
             label=tuple(f"{each}, critical value" for each in MEASURES)),
        dots("measures", "truth", "value", size=11, follows_slider=True, label=MEASURES),
        *(TextLabel("truth", 0, y + 0.4, word) for y, word in zip((4, 3, 2, 1), MEASURES, strict=True)),
    )  # fmt: skip

    says: ClassVar[Callable[[Any], str]] = staticmethod(small.measures)

    @classmethod
    def numbers(cls, result: IndependenceResult) -> Numbers:
        return {"measures": {"y": np.array([4.0, 3.0, 2.0, 1.0])}}

    @staticmethod
    def of(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
        if trial is None:
            return {"measures": {name: np.full(4, np.nan) for name in ("value", "limit")}}
        r, d, level = result.pearson, result.distance, result.lab.alpha
        value, limit = (np.nan, np.nan) if d is None else (d.value, d.limit(level))
        known = result.information
        told, most = (np.nan, np.nan) if known is None else (known.correlation, known.limit(level))
        return {
            "measures": {
                "value": np.array([abs(r.value), value, trial.correlation, told]),
                "limit": np.array([r.limit(level), limit, min(trial.limit(level), 1.2), most]),
            }
        }


class Ranks(Small):
    """The loss of HSIC by low-rank kernels, as a bound and in fact, at the current σ only."""

    name = "ranks"
    answers = False
    title = "HSIC lost by low-rank kernels"
    x: ClassVar[Axis] = Axis("rank r", (0.0, float(HIGHEST)))
    y: ClassVar[Axis] = Axis("loss of HSIC (log scale)", GAPS, POWERS, log=True)
    marks: ClassVar[Marks] = (
        curve("ranks", "harm", "x", "bound", label="upper bound"),
        curve("ranks", "kme", "x", "gap", width=2.5, dash="dashed", label="actual loss"),
        vertical_lines("rank"),
        dots("rank", "harm", y="bound", size=11, follows_slider=True, label="bound at this rank"),
        dots("rank", "kme", y="gap", size=11, follows_slider=True, label="loss at this rank"),
    )

    @classmethod
    def numbers(cls, result: IndependenceResult) -> Numbers:
        if result.path is None:
            return {name: nothing("x", "bound", "gap") for name in ("ranks", "rank")}
        r, _, bound, gap = result.at_rank
        rank = np.arange(float(len(result.bounds)))
        curves = {"x": rank, "bound": np.clip(result.bounds, *GAPS), "gap": np.clip(result.gaps, *GAPS)}
        place = {"x": np.array([float(r)]), "bound": np.clip([bound], *GAPS), "gap": np.clip([gap], *GAPS)}
        return {"ranks": curves, "rank": place}


class Power(Small):
    """The rejection rates of parts of the pairs, and of fresh samples."""

    name = "power"
    late = "power"
    title = "Rejections on random parts of the pairs"
    x: ClassVar[Axis] = Axis("share of the pairs", (0, 1.12), SHARES)
    y: ClassVar[Axis] = Axis("share with p ≤ level", (0, 1.05), {0: "0", 0.5: "0.5", 1: "1"})
    grounds: ClassVar[Grounds] = (
        ReferenceLine(
            "harm", y=lambda result: result.lab.alpha, style={"width": 1.5, "dash": "dashed"}, label=level_words
        ),
    )
    marks: ClassVar[Marks] = (
        area("power", "truth", low="low", high="high", fill=0.18, label="HSIC, 95 % interval"),
        curve("power", "kme", "x", "pearson", width=2.5, dash="dashed", label="Pearson"),
        curve("power", "truth", "x", "hsic", label="HSIC"),
        dots("power", "truth", y="hsic", size=7),
        segments("squares", "skmse", width=2, label="95 % interval"),
        dots("squares", "skmse", marker="square", size=10, fill=by("fill"), width=2,
             label=("samples with the pairing permuted", "fresh samples")),
    )  # fmt: skip

    @classmethod
    def numbers(cls, result: IndependenceResult) -> Numbers:
        power, squares = nothing("x", "hsic", "low", "high", "pearson"), nothing("x", "y", "low", "high", "fill")
        if result.power is not None:
            (k, r), alpha = result.power, result.lab.alpha
            low, high = k.interval(alpha)
            power = {"x": k.fractions, "hsic": k.power(alpha), "low": low, "high": high, "pearson": r.power(alpha)}
        fresh = result.fresh
        if fresh is not None:
            rows = [(1.08, fresh.none, 0.0)] + [(1.04, fresh.kernel, 1.0)] * (fresh.kernel is not None)
            x, times, fill = np.array(rows).T
            low, high = np.array([fresh.interval(int(k)) for k in times]).T
            squares = {"x": x, "y": times / fresh.count, "low": low, "high": high, "fill": fill}
        return {"power": power, "squares": squares}


class Columns(Small):
    """A table's columns by their dependence on y."""

    name = "columns"
    late = "columns"
    x: ClassVar[Axis] = Axis("normalised HSIC", (0, 1.02))
    y: ClassVar[Axis] = Axis("", (0.5, BEST + 0.9), {})
    marks: ClassVar[Marks] = (
        segments("columns", "kme", 0, "y", "x", "y", width=4, alpha=0.5),
        dots("columns", "truth", size=10, fill=by("fill"), width=2, label="columns"),
        words("named", "truth", dx=by("offset"), align=by("align")),
    )

    @classmethod
    def numbers(cls, result: IndependenceResult) -> Numbers:
        c = result.columns
        x, p = (np.zeros(0), np.zeros(0)) if c is None else (c.correlation[:BEST], c.pvalue[:BEST])
        at, left = BEST - np.arange(float(len(x))), x > HALF
        align = np.where(left, "right", "left").astype(object)
        names = () if c is None else c.names
        text = np.array(
            [f"{short_name(n)}, p = {format_number(float(v))}" for n, v in zip(names, p, strict=False)], dtype=object
        )
        return {
            "columns": {"y": at, "x": x, "fill": np.where(p <= result.lab.alpha, 1.0, 0.0)},
            "named": {"y": at, "x": x, "offset": np.where(left, -12.0, 12.0), "words": text, "align": align},
        }

    @classmethod
    def axes(cls, result: IndependenceResult) -> tuple[str, Axis, Axis]:
        return f"Columns by their dependence on {short_name(result.pairs.on_axes[1].name)}", cls.x, cls.y

    says: ClassVar[Callable[[Any], str]] = staticmethod(small.columns)


class Elimination(Small):
    """A table's columns in the order in which they are removed, and the dependence of the remaining ones on y."""

    name = "elimination"
    late = "elimination"
    x: ClassVar[Axis] = Axis("normalised HSIC of this column with all above it", (0, 1.02))
    y: ClassVar[Axis] = Axis("", (0.5, BEST + 0.9), {})
    marks: ClassVar[Marks] = (
        curve("left", "kme", width=2, alpha=0.5),
        dots("left", "truth", size=10, label="columns left"),
        words("names", "truth", dx=by("offset"), align=by("align")),
    )

    @classmethod
    def numbers(cls, result: IndependenceResult) -> Numbers:
        e = result.elimination
        x, names = (np.zeros(0), ()) if e is None else (e.correlation[:BEST], e.names[:BEST])
        at, left = BEST - np.arange(float(len(x))), x > HALF
        align = np.where(left, "right", "left").astype(object)
        text = np.array([f"{'' if i == 0 else '+ '}{short_name(name)}" for i, name in enumerate(names)], dtype=object)
        return {
            "left": {"x": x, "y": at},
            "names": {"x": x, "y": at, "offset": np.where(left, -12.0, 12.0), "words": text, "align": align},
        }

    @classmethod
    def axes(cls, result: IndependenceResult) -> tuple[str, Axis, Axis]:
        return f"Last columns removed, for {short_name(result.pairs.on_axes[1].name)}", cls.x, cls.y

    says: ClassVar[Callable[[Any], str]] = staticmethod(small.elimination)


class Bandwidths(Small):
    """The p of every pair of bandwidths in HSICAgg, and the pairs that reject at the common level."""

    name = "bandwidths"
    late = "aggregated"
    title = "p of each pair of bandwidths"
    x: ClassVar[Axis] = Axis("bandwidth in x", (0.5, EACH_SIDE + 0.5), {})
    y: ClassVar[Axis] = Axis("bandwidth in y", (0.5, EACH_SIDE + 0.5), {})
    marks: ClassVar[Marks] = (
        boxes("reaching", "skmse", bottom="bottom", fill=0.3, width=2, inks=("fill", "line"),
              label="reject at the common level"),
        words("each", "truth", align="center"),
    )  # fmt: skip

    @classmethod
    def numbers(cls, result: IndependenceResult) -> Numbers:
        test = result.agreed
        if test is None:
            return {"reaching": nothing("left", "right", "bottom", "top"), "each": nothing("x", "y", "words")}
        y, x = np.mgrid[1 : EACH_SIDE + 1, 1 : EACH_SIDE + 1].astype(float)
        x, y = x.T.ravel(), y.T.ravel()  # in the order of the pairs, the bandwidth of y changes first
        there = result.reaching
        edges = {"left": x - 0.47, "right": x + 0.47, "bottom": y - 0.45, "top": y + 0.45}
        return {
            "reaching": {name: each[there] for name, each in edges.items()},
            "each": {"x": x, "y": y, "words": np.array([format_number(float(p)) for p in test.pvalues], dtype=object)},
        }

    @classmethod
    def axes(cls, result: IndependenceResult) -> tuple[str, Axis, Axis]:
        test = result.agreed
        if test is None:
            return cls.title, cls.x, cls.y
        sides: Any = test.kernel[::EACH_SIDE], test.kernel[:EACH_SIDE]
        x, y = (
            {float(i + 1): format_number(both[side].bandwidth) for i, both in enumerate(each)}
            for side, each in enumerate(sides)
        )
        return cls.title, cls.x._replace(ticks=x), cls.y._replace(ticks=y)

    says: ClassVar[Callable[[Any], str]] = staticmethod(small.bandwidths)


class Functions(Small):
    """The two functions that correlate most at an ε."""

    name = "canonical"
    answers = False
    title = "Canonical functions: f(x) solid, g(y) dashed"
    x, y, grounds = Pair.x, Pair.y, Pair.grounds
    marks: ClassVar[Marks] = (
        curve("canonical", "skmse", "x", "f", follows_slider=True, label="f(x)"),
        curve("canonical", "fkmse", "x", "g", dash="dashed", follows_slider=True, label="g(y)"),
    )

    says: ClassVar[Callable[[Any], str]] = staticmethod(small.canonical)

    @classmethod
    def numbers(cls, result: IndependenceResult) -> Numbers:
        fit = result.canonical
        if fit is None or fit.refused:
            return {"canonical": nothing("x", "f", "g")}
        return {"canonical": {"x": np.linspace(-1, 1, len(fit.f)), "f": fit.f, "g": fit.g}}


class Correlations(SmallPicture):
    """Correlation of the canonical functions on the pairs of their fit, and on pairs left out, by ε."""

    name = "correlations"
    beside = "canonical"
    place = "beside"
    stage = "course"
    answers = False
    height = 258
    title = "Correlation of f(x) and g(y)"
    x: ClassVar[Axis] = Axis(
        "ε (log scale)", (EPS[0], EPS[-1]), {1e-6: "1e−6", 1e-4: "1e−4", 0.01: "0.01", 1.0: "1"}, log=True
    )
    y: ClassVar[Axis] = Axis("correlation", (-0.6, 1.05), {-0.5: "−0.5", 0: "0", 0.5: "0.5", 1: "1"})
    grounds: ClassVar[Grounds] = (ReferenceLine("kme", y=0, style={"width": 1}),)
    marks: ClassVar[Marks] = (
        curve("over", "kme", "x", "seen", dash="dashed", label="these pairs"),
        curve("over", "skmse", "x", "left_out", label="pairs left out"),
        dots("over", "skmse", "x", "left_out", size=5),
        vertical_lines("eps"),
        words("ends", "kme", says="these pairs", dy=-11, align="right", halo=True),
        words("others", "skmse", says="ranks of pairs left out", dy=12, align="left", halo=True),
    )

    @classmethod
    def numbers(cls, result: IndependenceResult, course: Matrix) -> Numbers:
        seen, left_out = course
        low = np.maximum(left_out, cls.y.range[0])
        fit = result.canonical
        eps = np.zeros(0) if fit is None or fit.refused else np.array([fit.lam / result.unit])
        return {
            "over": {"x": EPS, "seen": seen, "left_out": low},
            "eps": {"x": np.clip(eps, EPS[0], EPS[-1])},
            "ends": {"x": EPS[-1:], "y": seen[-1:]},
            "others": {"x": EPS[:1], "y": low[:1]},
        }

    says: ClassVar[Callable[[Any], str]] = staticmethod(small.correlations)


PICTURES = (
    Plane, Null, Correlations, Pair, Gram, Measures, Ranks, Power, Columns, Elimination, Bandwidths, Functions,
)  # fmt: skip


def _gamma(trial):
    """Return the share of the gamma distribution in each bar."""
    # the permutations have no spread, or less than the smallest float
    if math.isinf(trial.gamma.shape) or trial.gamma.scale == 0:
        return np.full(NULL.bins, np.nan)
    mean, spread = trial.test.scale
    return np.diff(gammainc(trial.gamma.shape, np.maximum(mean + spread * NULL.edges, 0) / trial.gamma.scale))
