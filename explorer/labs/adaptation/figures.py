"""The Adaptation lab's pictures: both samples with their lines, what depends on B, weights, and domains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from explorer.datasets.domains import maps
from explorer.marks import (
    KME_LINE,
    Axis,
    Grounds,
    Marks,
    Picture,
    Rows,
    Small,
    Tint,
    by,
    curve,
    dots,
    nice_ticks,
    own_ticks,
    uprights,
)
from explorer.marks.gains import Gains
from explorer.marks.mark import Numbers
from explorer.marks.places import nothing
from explorer.types import Matrix, Values, Vector
from explorer.workbench.numbers import number, percent

from .lab import BOUNDS
from .remedies import heights, own_line
from .words import samples_called

if TYPE_CHECKING:
    from .remedies import Fit
    from .result import AdaptationResult, Domains, More


DOT = 8.0  # px: a point of weight one is so wide, and its area grows with the weight
LARGEST = 60.0  # px of the largest point
GRIP = 0.9  # of the half height below the middle: where the handle of the target is
MOST = 6  # domains
MARKERS = ("circle", "triangle", "square", "diamond", "inverted_triangle", "star")
ROLES = ("skmse", "outlier", "monkfast", "mkme", "kme", "geometric")
HIGHEST = 1.5  # of an error relative to the line as it is: larger ones stand there


def inside(values: Values, frame: tuple[float, float, float, float]) -> Values:
    """Heights (r, g) of a line, nan where they lie beyond the frame: what follows a slider is not cut at its edge."""
    _, middle, _, high = frame
    return np.where(np.abs(values - middle) <= high, values, np.nan)


def sizes(weights: Vector) -> Vector:
    """The widths of points, in px."""
    return np.minimum(DOT * np.sqrt(weights), LARGEST)


def source_called(result: AdaptationResult) -> str:
    """What the source is called, whose areas are weights."""
    return f"{samples_called(result)[0]}, area its weight"


def target_called(result: AdaptationResult) -> str:
    """What the target is called."""
    return samples_called(result)[1]


class Plane(Picture):
    """Source and target, the line before and after the remedy, and the target's mean of y."""

    name = "plane"
    place = "main"
    heading = "Source and target, and the line before and after"
    height = 390
    title = "Drag the diamond to move the target"
    x: ClassVar[Axis] = Axis("x", (-1, 1))
    y: ClassVar[Axis] = Axis("y", (-1, 1))
    marks: ClassVar[Marks] = (
        dots("target", "monkfast", marker="inverted_triangle", size=7, fill=0.1, called=target_called),
        dots("source", "skmse", size=by("size"), fill=0.4, moves=True, called=source_called),
        curve("truth", "truth", width=2, dash="dotted", called="target's mean of y"),
        curve("before", "kme", width=2, dash="dashed", called="line of the source"),
        curve("after", "skmse", width=2, alpha=0.4, kept=True),
        curve("after", "skmse", moves=True, answer=True, called="after the remedy"),
        dots("grip", "monkfast", marker="diamond", size=20, fill=0.6, width=2),
    )

    @classmethod
    def numbers(cls, result: AdaptationResult) -> Numbers:
        pair, x, rows = result.pair, result.places[:, 0], result.rows
        cx, middle, half, high = result.frame
        grip = nothing("x", "y")
        if result.lab.change:
            grip = {"x": np.array([result.lab.shift]), "y": np.array([middle - GRIP * high])}
        lines = inside(np.array([heights(fit.line, result.places) for fit in rows]), result.frame)
        return {
            "source": {
                "x": Rows(np.clip([fit.X[:, 0] for fit in rows], cx - half, cx + half)),
                "y": pair.y,
                "size": Rows(np.array([sizes(fit.weights) for fit in rows])),
            },
            "target": {"x": pair.Z[:, 0], "y": pair.hidden},
            "before": {"x": x, "y": inside(heights(result.before[0], result.places), result.frame)},
            "after": {"x": x, "y": Rows(lines)},
            "truth": nothing("x", "y") if result.truth is None else {"x": x, "y": result.truth},
            "grip": grip,
        }

    @classmethod
    def pinned(cls, result: AdaptationResult) -> Numbers:
        return {"after": {"x": result.places[:, 0], "y": inside(heights(result.fit.line, result.places), result.frame)}}

    @classmethod
    def axes(cls, result: AdaptationResult) -> tuple[str, Axis, Axis]:
        (cx, cy, half, high), quantities = result.frame, result.pair.quantities
        title = cls.title if result.lab.change else "Source and target"
        x, y = cls.x.along(quantities[0], cx - half, cx + half), cls.y.along(quantities[-1], cy - high, cy + high)
        return title, x, y

    @classmethod
    def says(cls, result: AdaptationResult) -> str:
        """The slopes of both lines, in the columns' own units, and how the weights are spread."""
        weights = result.fit.weights
        before, after = (number(float(own_line(result.pair, line)[1])) for line in (result.before[0], result.fit.line))
        return (
            f"The line's slope is {before} as it is and {after} after the remedy. The largest weight is"
            f" {number(float(weights.max()))}, and {int((weights < 1e-3).sum())} points have next to none."
        )


class OverBound(Small):
    """The error on the target and the effective sample size over the bound B."""

    name = "bounds"
    place = "beside"
    stage = "sweep"
    upright = "line"
    moving = "line x"
    height = 230
    title = "Error (solid) and sample size (dashed)"
    x: ClassVar[Axis] = Axis(
        "B, the largest weight (log scale)", (0.95, 1050), {v: f"{v:g}" for v in (1, 10, 100, 1000)}, log=True
    )
    y: ClassVar[Axis] = Axis("", (0, 1.03 * HIGHEST), {0: "0", 0.5: "0.5", 1: "1", HIGHEST: f"{HIGHEST:g} or more"})
    grounds: ClassVar[Grounds] = (
        Tint("harm", bottom=1),
        KME_LINE._replace(called=""),
    )  # 1 is the error as it is
    marks: ClassVar[Marks] = (
        curve("curves", "truth", y="size", width=2, dash="dashed", called="effective share of the sample"),
        curve("curves", "skmse", y="error", called="error on the target"),
        uprights("line"),
    )

    @classmethod
    def seen(cls, result: AdaptationResult) -> bool:
        return result.lab.bounded and result.lab.picture != "domains"

    @classmethod
    def numbers(cls, result: AdaptationResult, sweep: Sequence[Fit]) -> Numbers:
        size = np.array([fit.size for fit in sweep]) / len(result.pair.X)
        error = np.minimum(result.relative(sweep), HIGHEST)
        return {
            "curves": {"x": np.array(BOUNDS, dtype=float), "error": error, "size": size},
            "line": {"x": Rows.of(result.stops)},
        }


class Moved(Picture):
    """Where the maps put each point, over where it was, beside the true maps."""

    name = "moved"
    place = "beside"
    title = "Maps: new x over x"
    height = 230
    x: ClassVar[Axis] = Axis("x", (-1, 1))
    y: ClassVar[Axis] = Axis("x W + B", (-1, 1))
    marks: ClassVar[Marks] = (
        dots("points", "skmse", size=7, fill=0.45, called="estimated maps"),
        dots("true", "truth", size=3, fill=0.8, width=0, called="true maps"),
    )

    @classmethod
    def seen(cls, result: AdaptationResult) -> bool:
        return not result.lab.bounded and result.lab.picture != "domains"

    @classmethod
    def numbers(cls, result: AdaptationResult) -> Numbers:
        if not cls.seen(result):
            return {"points": nothing("x", "y"), "true": nothing("x", "y")}
        x, true = result.pair.X[:, 0], nothing("x", "y")
        if result.lab.source == "location-scale":
            scale, move = maps(result.pair.y, result.lab.shift)
            true = {"x": x, "y": x * scale + move}
        return {"points": {"x": x, "y": result.fit.X[:, 0]}, "true": true}

    @classmethod
    def axes(cls, result: AdaptationResult) -> tuple[str, Axis, Axis]:
        if not cls.seen(result):
            return cls.title, cls.x, cls.y
        low, high = (float(f(result.fit.X[:, 0])) for f in (np.min, np.max))
        room, of = 0.08 * (high - low) + 1e-9, result.pair.quantities[0]
        low, high = low - room, high + room
        about = " (small dots: the true maps)" if result.lab.source == "location-scale" else ""
        return f"{cls.title}{about}", over_x(cls.x, result), Axis(cls.y.label, (low, high), own_ticks(low, high, of))


class Weights(Small):
    """The weight of each source point over x, beside the true ratio of densities."""

    name = "weights"
    height = 250
    title = "Weights, and the true ratio of densities"
    x: ClassVar[Axis] = Axis("", (-1, 1))
    y: ClassVar[Axis] = Axis("weight", (0, 1))
    marks: ClassVar[Marks] = (
        dots("ratio", "truth", size=4, fill=0.8, width=0, called="true ratio of densities"),
        dots("points", "skmse", size=7, fill=0.45, moves=True, called="weight"),
    )

    @classmethod
    def numbers(cls, result: AdaptationResult) -> Numbers:
        x, order = result.pair.X[:, 0], np.argsort(result.pair.X[:, 0], kind="stable")
        ratio = result.ratio
        true = nothing("x", "y") if ratio is None else {"x": x[order], "y": ratio[order]}
        return {"points": {"x": x, "y": Rows(np.array([fit.weights for fit in result.rows]))}, "ratio": true}

    @classmethod
    def axes(cls, result: AdaptationResult) -> tuple[str, Axis, Axis]:
        if not cls.seen(result):
            return cls.title, cls.x, cls.y
        top = 1.1 * max(2.0, *(float(fit.weights.max()) for fit in result.rows))
        about = "" if result.ratio is None else ", and the true ratio of densities (small dots)"
        return f"Weights{about}", over_x(cls.x, result), Axis("weight", (-0.03 * top, top), nice_ticks(0.0, top, 4))


def over_x(axis: Axis, result: AdaptationResult) -> Axis:
    """An axis under x, as wide as the plane."""
    cx, _, half, _ = result.frame
    return axis.along(result.pair.quantities[0], cx - half, cx + half)


class OverSamples(Gains):
    """What the remedy gains in more samples, and what the true weights would."""

    name = "samples"
    beside = "samples"
    stage = "more"
    rows: ClassVar[Sequence[str]] = ("true weights", "remedy")
    title = "20 more samples: 1 − error / error as it is"
    unit = "right is better"

    @staticmethod
    def gains(value: More) -> Matrix:
        """The gains, (2, samples); those of weights that nobody knows are nowhere."""
        gains = value.gains
        return gains[::-1] if len(gains) == 2 else np.vstack([np.full(gains.shape, np.nan), gains])

    @staticmethod
    def span(gains: Matrix) -> tuple[float, float]:
        """From where to where the axis goes."""
        return Gains.span(gains[np.isfinite(gains).all(axis=1)])


class OfDomains(Small):
    """Points in the plane of two components, each domain with a colour and a symbol of its own."""

    stage = "clouds"
    beside = "domains"
    height = 250
    x: ClassVar[Axis] = Axis("component 1, largest = 1", (-1.1, 1.1), {-1: "−1", 0: "0", 1: "1"})
    y: ClassVar[Axis] = x._replace(label="component 2")
    marks: ClassVar[Marks] = tuple(
        dots(f"d{j}", role, marker=marker, size=7, fill=0.45, called=f"domain {j + 1}")
        for j, (marker, role) in enumerate(zip(MARKERS, ROLES, strict=True))
    )

    @staticmethod
    def scores(clouds: Domains) -> Matrix:
        """The scores that are drawn, (n, 2)."""
        return clouds.scores

    @classmethod
    def numbers(cls, result: AdaptationResult, clouds: Domains) -> Numbers:
        scores = cls.scores(clouds)
        scores = scores / np.maximum(np.abs(scores).max(axis=0), 1e-300)
        return {f"d{j}": {"x": scores[clouds.of == j, 0], "y": scores[clouds.of == j, 1]} for j in range(MOST)}


class Invariant(OfDomains):
    """The domains along DICA's components."""

    name = "dica"
    title = "DICA: what the domains share"

    @classmethod
    def says(cls, result: AdaptationResult) -> str:
        return f"{percent(result.clouds.apart)} of the variance along both components lies between domains."


class Plain(OfDomains):
    """The domains along those of kernel PCA."""

    name = "kpca"
    place = "beside"
    title = "Kernel PCA: what varies most"

    @staticmethod
    def scores(clouds: Domains) -> Matrix:
        return clouds.plain_scores

    @classmethod
    def says(cls, result: AdaptationResult) -> str:
        return f"{percent(result.clouds.plain)} of the variance along both components lies between domains."


PICTURES = (Plane, OverBound, Moved, Weights, OverSamples, Invariant, Plain)
