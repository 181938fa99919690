"""Pictures of the Independence lab: pairs and their cross-covariance, permuted pairs, and nine smaller ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import gammainc

from explorer.discrepancy.dependence.aggregated import EACH_SIDE
from explorer.languages import translate
from explorer.marks import (
    Axis,
    Polyline,
    ReferenceLine,
    SecondaryPicture,
    Sources,
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
from explorer.marks.geometry import to_one
from explorer.marks.mark import Numbers
from explorer.marks.nulls import NullAxis, NullPicture, null_bars, null_lines
from explorer.marks.pairs import PairsPlane, pairs_marks, pairs_sources
from explorer.marks.picture import padded
from explorer.marks.pvalues import level_line
from explorer.printing import short_name
from explorer.workbench.numbers import format_number
from explorer.workbench.pairs import ACROSS, ALONG

from . import small
from .canonical import EPS
from .result import CELLS, HIGHEST
from .words import null_and_gamma, pairs_words

if TYPE_CHECKING:
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


def over_sigma(of: Callable[[IndependenceResult, ShapedTest | None], Numbers]) -> Callable[[Any, int], Numbers]:
    """Return the `at_row` of a picture of tests, one for each σ.

    Parameters
    ----------
    of : callable
        Takes the result and the test of a σ, or None if there are too few pairs, and returns the columns.

    Returns
    -------
    callable
        Takes the result and a row of the slider.
    """
    return lambda result, row: of(result, result.trial_at(row) if result.enough else None)


def field_at(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
    """Return the cross-covariance, or zeros without a test."""
    return {"field": {"w": np.zeros(ALONG * ACROSS) if trial is None else to_one([trial.shape.field])[0]}}


@PairsPlane(
    "sample",
    marks=pairs_marks(ACROSS, "cross-covariance"),
    description=pairs_words,
    at_row=over_sigma(field_at),
)
def plane_of_pairs(result: IndependenceResult) -> Sources:
    """Draw the pairs on the cross-covariance, blue where they are denser than if x and y were independent."""
    return pairs_sources(result)


def null_at(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
    """Return the columns of the null distribution, NaN without a test."""
    if trial is None:
        names = ("top", "tail", "x", "beyond", "limit", "gamma", "one")
        return {"null": {name: np.full(NULL.bins, np.nan) for name in names}}
    shuffle = result.lab.shuffle
    columns = {name: rows[0] for name, rows in NULL.table([trial.test], result.lab.alpha).items()}
    columns["gamma"] = _gamma(trial)
    columns["one"] = NULL.inside(NULL.positions([trial.test])[0, shuffle - 1 : shuffle]) if shuffle else []
    return {"null": {name: padded(values, NULL.bins) for name, values in columns.items()}}


@NullPicture(
    title="HSIC of permuted pairs",
    slot="beside",
    height=258,
    x=Axis("HSIC in standard deviations", (NULL.low, NULL.high), {-2: "−2", **{z: f"{z}" for z in range(0, 11, 2)}}),
    y=Axis("share of the permutations", (0, NULL.tops[1])),
    marks=(
        *null_bars("null", "permuted pairs"),
        curve("null", "shaped", "at", "gamma", width=2, follows_slider=True, label="gamma"),
        vertical_lines("null", "monkfast", "one", width=3, alpha=1.0, label="permutation shown"),
        *null_lines("observed", "null", "null"),
    ),
    description=null_and_gamma,
    at_row=over_sigma(null_at),
    when=lambda result: result.lab.picture != "canonical",
    axis=NULL,
    test=lambda result: result.test if result.enough else None,
)
def null_of_pairs(result: IndependenceResult) -> Sources:
    """Draw HSIC of permuted pairs, with the statistic, the gamma distribution and the selected permutation.

    All of it is in one source: Bokeh repaints once per changed source, and in a browser each repaint waits for a frame.
    """
    left, right = NULL.edges[:-1], NULL.edges[1:]
    height = np.full(NULL.bins, np.nan)
    height[0] = 0.1
    return {"null": {"left": left, "right": right, "at": (left + right) / 2, "y": height}}


Small = partial(SecondaryPicture, height=250)  # a picture in the slot below


def pair_at(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
    """Return both functions, NaN without a test."""
    if trial is None:
        return {"pair": {name: np.full(ALONG, np.nan) for name in "fg"}}
    f, g = (to_one([values])[0] for values in (trial.shape.f, trial.shape.g))
    return {"pair": {"f": f, "g": padded(g, ALONG)}}


@Small(
    title="Leading functions f(x) and g(y)",
    x=Axis("x and y, across the picture of pairs", (-1.04, 1.04), {-1: "low", 0: "middle", 1: "high"}),
    y=Axis("value (largest = 1)", (-1.1, 1.1), {-1: "−1", 0: "0", 1: "1"}),
    background=(ReferenceLine("kme", y=0, style={"width": 1}),),
    marks=(
        curve("pair", "skmse", "x", "f", follows_slider=True, label="f(x)"),
        curve("pair", "mkme", "across", "g", dash="dashed", follows_slider=True, label="g(y)"),
    ),
    description=small.pair,
    at_row=over_sigma(pair_at),
)
def pair(result: IndependenceResult) -> Sources:
    """Draw the two functions that covary most."""
    across = padded(np.linspace(-1, 1, ACROSS), ALONG)
    return {"pair": {"x": np.linspace(-1, 1, ALONG), "across": across}}


def gram_at(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
    """Return the cells of both matrices, zeros without a test."""
    cells = np.zeros(CELLS**2) if trial is None else trial.cells
    return {"cells": {"w": cells.reshape(CELLS, CELLS)[::-1].ravel()}}  # the first row of an image is at the bottom


@Small(
    title="Centred Gram matrices: x below, y above",
    x=Axis("pairs, in order of x", (-0.01, 1.01), {}),
    y=Axis("", (-0.01, 1.01), {}),
    marks=(
        field_of("cells", "unit", CELLS, table=True),
        Polyline("kme", (0, 1), (1, 0), {"width": 1.5}),
    ),
    description=small.gram,
    at_row=over_sigma(gram_at),
)
def gram(result: IndependenceResult) -> Sources:
    """Draw both centred Gram matrices, with the points in the order of x."""
    return {"unit": UNIT}


def measures_at(result: IndependenceResult, trial: ShapedTest | None) -> Numbers:
    """Return the coefficients and their critical values, NaN without a test."""
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


@Small(
    title="Coefficients and their critical values",
    x=Axis("coefficient", (0, 1.02)),
    y=Axis("", (0.5, 4.9), {}),
    marks=(
        segments("measures", "kme", 0, "y", "value", "y", width=5, alpha=0.5, follows_slider=True),
        dots("measures", "harm", "limit", marker="dash", angle=np.pi / 2, size=26, width=2.5, follows_slider=True,
             label=tuple(f"{each}, critical value" for each in MEASURES)),
        dots("measures", "truth", "value", size=11, follows_slider=True, label=MEASURES),
        *(TextLabel("truth", 0, y + 0.4, word) for y, word in zip((4, 3, 2, 1), MEASURES, strict=True)),
    ),
    description=small.measures,
    at_row=over_sigma(measures_at),
)  # fmt: skip
def measures(result: IndependenceResult) -> Sources:
    """Draw four coefficients, and their critical values at the level."""
    return {"measures": {"y": np.array([4.0, 3.0, 2.0, 1.0])}}


@Small(
    table_is_complete=False,
    title="HSIC lost by low-rank kernels",
    x=Axis("rank r", (0.0, float(HIGHEST))),
    y=Axis("loss of HSIC (log scale)", GAPS, POWERS, log=True),
    marks=(
        curve("ranks", "harm", "x", "bound", label="upper bound"),
        curve("ranks", "kme", "x", "gap", width=2.5, dash="dashed", label="actual loss"),
        vertical_lines("rank"),
        dots("rank", "harm", y="bound", size=11, follows_slider=True, label="bound at this rank"),
        dots("rank", "kme", y="gap", size=11, follows_slider=True, label="loss at this rank"),
    ),
)
def ranks(result: IndependenceResult) -> Sources:
    """Draw the loss of HSIC by low-rank kernels, as a bound and in fact, at the current σ only."""
    if result.path is None:
        return None
    r, _, bound, gap = result.at_rank
    rank = np.arange(float(len(result.bounds)))
    curves = {"x": rank, "bound": np.clip(result.bounds, *GAPS), "gap": np.clip(result.gaps, *GAPS)}
    place = {"x": np.array([float(r)]), "bound": np.clip([bound], *GAPS), "gap": np.clip([gap], *GAPS)}
    return {"ranks": curves, "rank": place}


@Small(
    "power",
    deferred="power",
    title="Rejections on random parts of the pairs",
    x=Axis("share of the pairs", (0, 1.12), SHARES),
    y=Axis("share with p ≤ level", (0, 1.05), {0: "0", 0.5: "0.5", 1: "1"}),
    background=(level_line("y"),),
    marks=(
        area("power", "truth", low="low", high="high", fill=0.18, label="HSIC, 95 % interval"),
        curve("power", "kme", "x", "pearson", width=2.5, dash="dashed", label="Pearson"),
        curve("power", "truth", "x", "hsic", label="HSIC"),
        dots("power", "truth", y="hsic", size=7),
        segments("squares", "skmse", width=2, label="95 % interval"),
        dots("squares", "skmse", marker="square", size=10, fill=by("fill"), width=2,
             label=("samples with the pairing permuted", "fresh samples")),
    ),
)  # fmt: skip
def power_by_share(result: IndependenceResult) -> Sources:
    """Draw the rejection rates of parts of the pairs, and of fresh samples."""
    power = squares = None
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


def name_of_y(result: IndependenceResult) -> str:
    """Return the short name of y."""
    return short_name(result.pairs.on_axes[1].name)


@Small(
    "columns",
    deferred="columns",
    x=Axis("normalised HSIC", (0, 1.02)),
    y=Axis("", (0.5, BEST + 0.9), {}),
    marks=(
        segments("columns", "kme", 0, "y", "x", "y", width=4, alpha=0.5),
        dots("columns", "truth", size=10, fill=by("fill"), width=2, label="columns"),
        words("named", "truth", dx=by("offset"), align=by("align")),
    ),
    description=small.columns,
    title=lambda result: translate("Columns by their dependence on {}", name_of_y(result)),
)
def by_column(result: IndependenceResult) -> Sources:
    """Draw a table's columns by their dependence on y."""
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


@Small(
    "elimination",
    deferred="elimination",
    x=Axis("normalised HSIC of this column with all above it", (0, 1.02)),
    y=Axis("", (0.5, BEST + 0.9), {}),
    marks=(
        curve("left", "kme", width=2, alpha=0.5),
        dots("left", "truth", size=10, label="columns left"),
        words("names", "truth", dx=by("offset"), align=by("align")),
    ),
    description=small.elimination,
    title=lambda result: translate("Last columns removed, for {}", name_of_y(result)),
)
def by_elimination(result: IndependenceResult) -> Sources:
    """Draw a table's columns in the order in which they are removed, and the dependence of the remaining ones on y."""
    e = result.elimination
    x, names = (np.zeros(0), ()) if e is None else (e.correlation[:BEST], e.names[:BEST])
    at, left = BEST - np.arange(float(len(x))), x > HALF
    align = np.where(left, "right", "left").astype(object)
    text = np.array([f"{'' if i == 0 else '+ '}{short_name(name)}" for i, name in enumerate(names)], dtype=object)
    return {
        "left": {"x": x, "y": at},
        "names": {"x": x, "y": at, "offset": np.where(left, -12.0, 12.0), "words": text, "align": align},
    }


def p_by_bandwidths_sides(result: IndependenceResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    test = result.agreed
    if test is None:
        return p_by_bandwidths.x, p_by_bandwidths.y
    sides: Any = test.kernel[::EACH_SIDE], test.kernel[:EACH_SIDE]
    x, y = (
        {float(i + 1): format_number(both[side].bandwidth) for i, both in enumerate(each)}
        for side, each in enumerate(sides)
    )
    return p_by_bandwidths.x._replace(ticks=x), p_by_bandwidths.y._replace(ticks=y)


@Small(
    "bandwidths",
    deferred="aggregated",
    title="p of each pair of bandwidths",
    x=Axis("bandwidth in x", (0.5, EACH_SIDE + 0.5), {}),
    y=Axis("bandwidth in y", (0.5, EACH_SIDE + 0.5), {}),
    marks=(
        boxes("reaching", "skmse", bottom="bottom", fill=0.3, width=2, inks=("fill", "line"),
              label="reject at the common level"),
        words("each", "truth", align="center"),
    ),
    description=small.bandwidths,
    sides=p_by_bandwidths_sides,
)  # fmt: skip
def p_by_bandwidths(result: IndependenceResult) -> Sources:
    """Draw the p of every pair of bandwidths in HSICAgg, and the pairs that reject at the common level."""
    test = result.agreed
    if test is None:
        return None
    y, x = np.mgrid[1 : EACH_SIDE + 1, 1 : EACH_SIDE + 1].astype(float)
    x, y = x.T.ravel(), y.T.ravel()  # in the order of the pairs, the bandwidth of y changes first
    there = result.reaching
    edges = {"left": x - 0.47, "right": x + 0.47, "bottom": y - 0.45, "top": y + 0.45}
    return {
        "reaching": {name: each[there] for name, each in edges.items()},
        "each": {"x": x, "y": y, "words": np.array([format_number(float(p)) for p in test.pvalues], dtype=object)},
    }


@Small(
    "canonical",
    table_is_complete=False,
    title="Canonical functions f(x) and g(y)",
    x=pair.x,
    y=pair.y,
    background=pair.background,
    marks=(
        curve("canonical", "skmse", "x", "f", follows_slider=True, label="f(x)"),
        curve("canonical", "mkme", "x", "g", dash="dashed", follows_slider=True, label="g(y)"),
    ),
    description=small.canonical,
)
def canonical_functions(result: IndependenceResult) -> Sources:
    """Draw the two functions that correlate most at an ε."""
    fit = result.canonical
    if fit is None or fit.refused:
        return None
    return {"canonical": {"x": np.linspace(-1, 1, len(fit.f)), "f": fit.f, "g": fit.g}}


@SecondaryPicture(
    "correlations",
    choice="canonical",
    slot="beside",
    stage="course",
    table_is_complete=False,
    height=258,
    title="Correlation of f(x) and g(y)",
    x=Axis("ε (log scale)", (EPS[0], EPS[-1]), {1e-6: "1e−6", 1e-4: "1e−4", 0.01: "0.01", 1.0: "1"}, log=True),
    y=Axis("correlation", (-0.6, 1.05), {-0.5: "−0.5", 0: "0", 0.5: "0.5", 1: "1"}),
    background=(ReferenceLine("kme", y=0, style={"width": 1}),),
    marks=(
        curve("over", "kme", "x", "seen", dash="dashed", label="these pairs"),
        curve("over", "shaped", "x", "left_out", label="pairs left out"),
        dots("over", "shaped", "x", "left_out", size=5),
        vertical_lines("eps"),
        words("ends", "kme", says="these pairs", dy=-11, align="right", halo=True),
        words("others", "shaped", says="ranks of pairs left out", dy=12, align="left", halo=True),
    ),
    description=small.correlations,
)
def correlations_over_eps(result: IndependenceResult, course: Matrix) -> Sources:
    """Draw the correlation of the canonical functions on the pairs of their fit, and on pairs left out, by ε."""
    seen, left_out = course
    low = np.maximum(left_out, correlations_over_eps.y.range[0])
    fit = result.canonical
    eps = np.zeros(0) if fit is None or fit.refused else np.array([fit.lam / result.unit])
    return {
        "over": {"x": EPS, "seen": seen, "left_out": low},
        "eps": {"x": np.clip(eps, EPS[0], EPS[-1])},
        "ends": {"x": EPS[-1:], "y": seen[-1:]},
        "others": {"x": EPS[:1], "y": low[:1]},
    }


PICTURES = (
    plane_of_pairs, null_of_pairs, correlations_over_eps, pair, gram, measures, ranks, power_by_share, by_column,
    by_elimination, p_by_bandwidths, canonical_functions,
)  # fmt: skip


def _gamma(trial):
    """Return the share of the gamma distribution in each bar."""
    # the permutations have no spread, or less than the smallest float
    if math.isinf(trial.gamma.shape) or trial.gamma.scale == 0:
        return np.full(NULL.bins, np.nan)
    mean, spread = trial.test.scale
    return np.diff(gammainc(trial.gamma.shape, np.maximum(mean + spread * NULL.edges, 0) / trial.gamma.scale))
