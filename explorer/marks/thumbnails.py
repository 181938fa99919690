"""Thumbnails of numbers: what a notebook shows of a result below its sentence.

Each is a `Thumbnail` that draws what its `of(...)` returns. If a mark stands for one value, its tip has that value.
Infinite and undefined values have no position and are not drawn.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from explorer.printing import minus
from explorer.types import Labels, Matrix, MatrixLike, Points, Values, Vector, VectorLike, Weights

from .axes import Axis
from .mark import (
    Numbers,
    ReferenceLine,
    boxes,
    by,
    curve,
    dots,
    ellipses,
    segments,
    tipped,
    vertical_lines,
)
from .picture import ContentPicture

WIDTH, HEIGHT, EDGE, FOOT = 360, 130, 12, 18  # sizes in px; the foot contains the text of an axis
INSIDE = (WIDTH - 2 * EDGE, HEIGHT - FOOT - EDGE)  # size of the frame in px
MOST = 100  # largest number of marks in one picture: with a tip each they take about 13 kB
MARKED = "harm"  # the only role with a colour; all others have that of the text
BASELINE = ReferenceLine("kme", y=0, style={"width": 1, "alpha": 0.5})
FULLEST = 6.0  # radius in px of the point with the largest weight


class ThumbnailData(NamedTuple):
    """Contents of a Thumbnail: source -> column -> array, and its axes."""

    numbers: Numbers
    x: Axis
    y: Axis


@dataclass(frozen=True, eq=False)
class Thumbnail(ContentPicture):
    """A picture whose result is a ThumbnailData; the function below it makes these data."""

    height: int = HEIGHT


@Thumbnail(
    marks=(
        tipped(boxes("bins", "kme", fill=0.45)),
        tipped(vertical_lines("observed", MARKED, width=2.5, alpha=1.0)),
    ),
)
def counts(values: VectorLike, observed: float, name: str = "observed") -> ThumbnailData:
    """Draw counts of values in bins, and a line at a value with which they are compared."""
    values = np.asarray(values, dtype=float)
    x = _across([*values, observed], f"{name} {in_words(observed)}")
    finite = values[np.isfinite(values)]
    (low, high), bins = x.range, max(1, min(30, math.isqrt(len(finite))))
    half = high / 2 - low / 2  # halves, because the difference of two finite floats may be infinite
    counts, at = np.histogram((finite / 2 - low / 2) / half, bins, range=(0.0, 1.0))
    edges, some = 2 * (low / 2 + at * half), np.flatnonzero(counts)
    tips = [f"{count} of {len(values)} values" for count in counts[some]]
    bars = {"left": edges[some], "right": edges[some + 1], "top": counts[some].astype(float), "tip": tips}
    line = {"x": [observed], "tip": [f"{name} {observed:.6g}"]}
    return ThumbnailData({"bins": bars, "observed": line}, x, Axis("", (0.0, float(counts.max(initial=1)))))


@Thumbnail(
    background=(BASELINE,),
    marks=(tipped(boxes("bars", "kme", fill=0.7)), tipped(boxes("marked", MARKED, fill=0.9))),
)
def bars(values: Sequence[float] | Vector, marked: int | None = None) -> ThumbnailData:
    """Draw bars of values (m,) up and down from 0, in their order; one may be marked."""
    values = np.asarray(values, dtype=float)
    at, y = np.arange(min(len(values), MOST)), _up([0, *values])
    tips = np.array([f"{i}: {values[i]:.6g}" for i in at], dtype=object)
    columns = {"left": at + 0.1, "right": at + 0.9, "top": values[at], "tip": tips}
    numbers = _apart(columns, at == marked, "bars")
    return ThumbnailData(numbers, _order(at, f"{_range(values, 0)}{_left_out(len(values))}"), y)


@Thumbnail(
    marks=tuple(
        mark
        for source, role in (("intervals", "kme"), ("marked", MARKED))
        for mark in (segments(source, role, width=2), tipped(dots(source, role, y="middle", size=5, width=0)))
    ),
)
def intervals(
    names: Sequence[str] | Labels, middles: VectorLike, halfwidths: VectorLike, marked: int | None = None
) -> ThumbnailData:
    """Draw intervals middle ± halfwidth, (m,) each, side by side with their names; one may be marked."""
    middles, halfwidths = np.asarray(middles, dtype=float), np.asarray(halfwidths, dtype=float)
    with np.errstate(over="ignore", invalid="ignore"):
        lows, highs = middles - halfwidths, middles + halfwidths
        middles = np.where(np.isfinite(lows + highs), middles, np.nan)
    at = np.arange(min(len(middles), MOST))
    tips = np.array([f"{names[i]}: {middles[i]:.6g} ± {halfwidths[i]:.6g}" for i in at.tolist()], dtype=object)
    columns = {"x": at + 0.5, "low": lows[at], "high": highs[at], "middle": middles[at], "tip": tips}
    called = f"{_range([lows, highs])}{_left_out(len(middles))}"
    return ThumbnailData(_apart(columns, at == marked, "intervals"), _order(at, called), _up([lows, highs]))


@Thumbnail(
    "curve",
    background=(BASELINE,),
    marks=(curve("curve", "kme", width=1.5),),
)
def path(xs: VectorLike, ys: VectorLike, log: bool = False) -> ThumbnailData:
    """Draw a line through (x, y), (m,) each; `log` gives x a logarithmic scale."""
    xs, ys = np.asarray(xs, dtype=float), np.asarray(ys, dtype=float)
    seen = np.isfinite(xs) & np.isfinite(ys) & ((xs > 0) | (not log))
    xs, ys = xs[seen], ys[seen]
    kept = np.unique(np.linspace(0, len(xs) - 1, min(len(xs), 4 * MOST)).astype(int))
    numbers = {"curve": {"x": xs[kept], "y": ys[kept]}}
    return ThumbnailData(numbers, _across(xs, _range(ys, 0), log), _up([0, *ys]))


@Thumbnail(
    marks=(
        curve("lines", "kme", width=1.5, alpha=by("alpha")),
        dots("lines", "kme", size=4, width=0, fill=by("alpha")),
    ),
)
def lines(xs: VectorLike, lines: Matrix, called: str, log: bool = False) -> ThumbnailData:
    """Draw lines (k, m) through positions (m,), later ones darker; `log` gives x a logarithmic scale."""
    count, size = lines.shape
    alpha = np.repeat(0.35 + 0.65 * np.arange(1, count + 1) / count, size)
    numbers = {"lines": {"x": np.tile(xs, count), "y": lines.ravel(), "alpha": alpha}}
    return ThumbnailData(numbers, _across(xs, f"{called} {_range(lines)}", log), _up(lines))


@Thumbnail(
    height=24,
    marks=(boxes("share", "kme", left=0, bottom=0, top=1, fill=0.6),),
)
def share(share: float) -> ThumbnailData:
    """Draw a share of the whole, as a bar."""
    whole = Axis("", (0.0, 1.0), {})
    return ThumbnailData({"share": {"right": [share]}}, whole, whole)


@Thumbnail(
    background=(BASELINE,),
    marks=(tipped(segments("points", "kme", y=0, to_y="weight", width=2, alpha=0.7)),),
)
def stems(X: Points, weights: VectorLike) -> ThumbnailData:
    """Draw points (n,) as stems whose heights are their weights (n,)."""
    x, weights, tips, called = _heaviest(np.reshape(X, (-1, 1)), weights)
    numbers = {"points": {"x": x[:, 0], "weight": weights, "tip": tips}}
    return ThumbnailData(numbers, _across(x, called), _up([0, *weights]))


@Thumbnail(
    marks=(tipped(dots("points", "kme", size=by("size"), fill=by("fill"), alpha=0.6)),),
)
def discs(X: MatrixLike, weights: VectorLike) -> ThumbnailData:
    """Draw points (n, 2) as discs whose areas are their weights (n,), hollow if negative."""
    X, weights, tips, called = _heaviest(X, weights)
    size = 2 * FULLEST * np.sqrt(np.abs(weights) / (np.abs(weights).max(initial=0.0) or 1.0))
    fill = np.where(weights >= 0, 0.6, 0.0)
    numbers = {"points": {"x": X[:, 0], "y": X[:, 1], "size": size, "fill": fill, "tip": tips}}
    return ThumbnailData(numbers, _across(X[:, 0], called), _up(X[:, 1], FULLEST / INSIDE[1]))


@Thumbnail(
    marks=(tipped(ellipses("gaussians", "kme", width=1, fill=by("fill"), inks=("line", "fill"))),),
)
def gaussians(weights: Weights, means: Matrix, covariances: Values) -> ThumbnailData:
    """Draw Gaussians in the plane: one standard deviation about each mean, the more opaque the larger the weight."""
    most = MOST // 2  # an ellipse takes twice the characters of a disc
    kept = np.argsort(-np.asarray(weights), kind="stable")[:most]
    spread = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
    ends = np.concatenate([means - spread, means + spread])
    low, high = ends.min(0), ends.max(0)
    middle = low / 2 + high / 2
    # A px has the same length along both axes, so that a round Gaussian is drawn round.
    px = float(((high / 2 - low / 2) * 2 / np.array(INSIDE)).max()) or 1.0
    gamma, U = np.linalg.eigh(covariances[kept])
    radii = np.maximum(np.sqrt(np.maximum(gamma, 0)), px)
    numbers = {
        "x": means[kept, 0],
        "y": means[kept, 1],
        "width": 2 * radii[:, 1],
        "height": 2 * radii[:, 0],
        "angle": np.arctan2(U[:, 1, 1], U[:, 0, 1]),
        "fill": 0.1 + 0.6 * np.asarray(weights)[kept] / max(weights),
        "tip": _tips(weights, means, kept),
    }
    x, y = (Axis("", (at - px * side / 2, at + px * side / 2), {}) for at, side in zip(middle, INSIDE, strict=True))
    called, words = _left_out(len(weights), "largest weights", most), (in_words(low[0]), in_words(high[0]))
    return ThumbnailData({"gaussians": numbers}, _with_end_labels(x, called, words), y)


def in_words(value: float) -> str:
    """Return a number as text, with four digits."""
    return minus(f"{value:.4g}")


def _ends(values, log=False):
    """Return (low, high) of the finite values for an axis, and as text; equal values are in its middle."""
    finite = np.asarray(values, dtype=float).ravel()
    finite = finite[np.isfinite(finite)]
    if not finite.size:
        return ((1.0, 10.0) if log else (0.0, 1.0)), ()
    low, high = float(finite.min()), float(finite.max())
    words = (in_words(low), in_words(high))
    if log and low == high:
        return (low / 2 or low, min(2 * high, sys.float_info.max)), words
    if high / 2 - low / 2 == 0:  # halves, because the difference of two finite floats may be infinite
        room = max(1e-3 * abs(low), 1.0)
        low, high = max(low - room, -sys.float_info.max), min(high + room, sys.float_info.max)
    return (low, high), words


def _with_end_labels(axis, label, words):
    """Return an axis with these words at its ends."""
    return axis._replace(label=label, ticks=dict(zip(axis.range, words, strict=False)))


def _across(values, label, log=False):
    """Return the x axis of values."""
    ends, words = _ends(values, log)
    return _with_end_labels(Axis("", ends, log=log), label, words)


def _up(values, below=0.0):
    """Return the y axis of values, with a share of it free below."""
    (low, high), _ = _ends(values)
    return Axis("", (max(low - below * high + below * low, -sys.float_info.max), high), {})


def _order(at, label):
    """Return the x axis of values in their order."""
    return Axis(label, (0.0, max(len(at), 1)), {})


def _range(values, *others):
    """Return the range of values as text."""
    _, words = _ends([*np.ravel(values), *others])
    return "from {} to {}".format(*words) if words else ""


def _apart(columns, marked, source):
    """Return the columns of marked rows, and of the others."""
    return {
        name: {column: each[rows] for column, each in columns.items()}
        for name, rows in ((source, ~marked), ("marked", marked))
    }


def _heaviest(X, weights):
    """Return positions, weights and tips of the heaviest points, and a text if others were left out."""
    X, weights = np.asarray(X, dtype=float), np.asarray(weights, dtype=float)
    kept = np.sort(np.argsort(-np.abs(weights), kind="stable")[:MOST])
    return X[kept], weights[kept], _tips(weights, X, kept), _left_out(len(weights), "largest weights")


def _tips(weights, places, kept) -> Any:
    """Return the tip of each point."""
    return [f"{float(weights[i]):.6g} at {', '.join(f'{v:.6g}' for v in places[i])}" for i in kept]


def _left_out(total, which=", the first", most=MOST):
    """Return which marks are drawn if there are too many; empty if all are."""
    return f"{which} {most} of {total}" if total > most else ""
