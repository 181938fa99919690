"""Pictures of the adaptation lab: both samples with their lines, curves over shift and B, weights, domains.

The pictures of a treatment are in `treatment.pictures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from explorer.datasets.toys.domains import class_maps
from explorer.marks import (
    KME_LINE,
    Axis,
    Band,
    Grounds,
    Marks,
    SliderColumn,
    by,
    curve,
    dots,
    signed_log,
    signed_value,
    vertical_lines,
)
from explorer.marks.axes import signed_log_ticks
from explorer.marks.gain_by_sample import Gains
from explorer.marks.mark import Numbers
from explorer.marks.old_form import Picture, SecondaryPicture
from explorer.types import Matrix, Values, Vector
from explorer.workbench.numbers import format_number, percent

from .lab import BOUNDS, FARTHEST
from .remedies import heights, own_line
from .treatment.pictures import TREATMENT
from .words import LINES, samples_called

if TYPE_CHECKING:
    from .remedies import Fit
    from .result import AdaptationResult, Domains, More, Shifted


DOT = 8.0  # diameter of a point of weight 1, in px; its area grows with the weight
LARGEST = 60.0  # largest diameter of a point, in px
GRIP = 0.9  # height of the target's drag handle below the middle, as a share of the frame's half height
MOST = 6  # largest number of domains
MARKERS = ("circle", "triangle", "square", "diamond", "inverted_triangle", "star")
ROLES = ("skmse", "outlier", "monkfast", "mkme", "kme", "geometric")
HIGHEST = 1.5  # relative errors above this are drawn at this height
RELATIVE = Axis("", (0, 1.03 * HIGHEST), {0: "0", 0.5: "0.5", 1: "1", HIGHEST: f"{HIGHEST:g} or more"})
UNWEIGHTED: Grounds = (Band("harm", bottom=1), KME_LINE._replace(label=""))  # the unweighted line's error is 1


def inside(values: Values, frame: tuple[float, float, float, float]) -> Values:
    """Return heights (r, g) of a line, nan outside the frame, as curves that follow a slider are not clipped there."""
    _, middle, _, high = frame
    return np.where(np.abs(values - middle) <= high, values, np.nan)


def sizes(weights: Vector) -> Vector:
    """Return the diameters of points, in px."""
    return np.minimum(DOT * np.sqrt(weights), LARGEST)


def source_called(result: AdaptationResult) -> str:
    """Return the label of the source."""
    return samples_called(result)[0]


def target_called(result: AdaptationResult) -> str:
    """Return the label of the target."""
    return samples_called(result)[1]


def weighted_called(result: AdaptationResult) -> str:
    """Return the label of the discs whose areas are weights."""
    if result.lab.bounded:
        return "weight (area)"
    return "source after the maps" if result.lab.remedy == "maps" else "source after the maps (area: weight)"


def line_called(result: AdaptationResult) -> str:
    """Return the label of the line after the remedy."""
    return LINES[result.lab.remedy]


class Plane(Picture):
    """Source and target, the weights over the source, the line before and after the remedy, and the true mean of y."""

    name = "plane"
    place = "main"
    heading = "Source and target, and the line before and after"
    height = 390
    title = "Drag the diamond to move the target"
    x: ClassVar[Axis] = Axis("x", (-1, 1))
    y: ClassVar[Axis] = Axis("y", (-1, 1))
    marks: ClassVar[Marks] = (
        dots("source", "kme", size=4, fill=0.8, width=0, label=source_called),
        dots(
            "target", "monkfast", marker="inverted_triangle", size=7, fill=0.1, follows_slider=True, label=target_called
        ),
        dots("weighted", "skmse", size=by("size"), fill=0.3, follows_slider=True, label=weighted_called),
        curve("truth", "truth", width=2, dash="dotted", follows_slider=True, label="target's mean of y"),
        curve("before", "kme", width=2, dash="dashed", label="unweighted line"),
        curve("after", "skmse", width=2, alpha=0.4, pinned=True),
        curve("after", "skmse", follows_slider=True, is_story_answer=True, label=line_called),
        dots("grip", "monkfast", marker="diamond", size=20, fill=0.6, width=2, follows_slider=True),
    )

    @classmethod
    def is_visible(cls, result: AdaptationResult) -> bool:
        """Return whether any picture but the treatment is selected."""
        return result.lab.picture != "treatment"

    @classmethod
    def numbers(cls, result: AdaptationResult) -> Numbers:
        """Return both samples, the weights, both lines, the true mean and the drag handle."""
        pair, x, rows = result.pair, result.line_points[:, 0], result.rows
        cx, middle, half, high = result.frame
        truth = {"x": np.zeros(0), "y": SliderColumn(np.zeros((1, 0)))}
        grip = {"x": SliderColumn(np.zeros((1, 0))), "y": np.zeros(0)}
        if result.truth is not None:
            truth = {"x": x, "y": SliderColumn(inside(result.truth, result.frame))}
            grip = {"x": SliderColumn.of(result.shown_shifts), "y": np.array([middle - GRIP * high])}
        lines = inside(np.array([heights(each.fit.line, result.line_points) for each in rows]), result.frame)
        return {
            "source": {"x": pair.X[:, 0], "y": pair.y},
            "weighted": {
                "x": SliderColumn(np.clip([each.fit.X[:, 0] for each in rows], cx - half, cx + half)),
                "y": pair.y,
                "size": SliderColumn(np.array([sizes(each.fit.weights) for each in rows])),
            },
            "target": {
                "x": SliderColumn(np.array([each.pair.Z[:, 0] for each in rows])),
                "y": SliderColumn(np.array([each.pair.hidden for each in rows])),
            },
            "before": {"x": x, "y": inside(heights(result.before[0], result.line_points), result.frame)},
            "after": {"x": x, "y": SliderColumn(lines)},
            "truth": truth,
            "grip": grip,
        }

    @classmethod
    def pinned(cls, result: AdaptationResult) -> Numbers:
        """Return the line after the remedy, which stays when pinned."""
        return {
            "after": {
                "x": result.line_points[:, 0],
                "y": inside(heights(result.fit.line, result.line_points), result.frame),
            }
        }

    @classmethod
    def axes(cls, result: AdaptationResult) -> tuple[str, Axis, Axis]:
        """Return the title and the axes about the frame."""
        (cx, cy, half, high), quantities = result.frame, result.pair.quantities
        title = cls.title if result.lab.change else "Source and target"
        x, y = cls.x.along(quantities[0], cx - half, cx + half), cls.y.along(quantities[-1], cy - high, cy + high)
        return title, x, y

    @classmethod
    def says(cls, result: AdaptationResult) -> str:
        """Return a sentence with the slopes of both lines in the columns' units, and the spread of the weights."""
        weights = result.fit.weights
        before, after = (
            format_number(float(own_line(result.pair, line)[1])) for line in (result.before[0], result.fit.line)
        )
        return (
            f"The line's slope is {before} unweighted and {after} after the remedy. The largest weight is"
            f" {format_number(float(weights.max()))}, and {int((weights < 1e-3).sum())} points have less than 0.001."
        )


class OverShift(Picture):
    """Error on the target and effective sample size over the shift of the target."""

    name = "shifts"
    place = "beside"
    stage = "shifts"
    legend = False
    upright = "line"
    moving = "line x"
    height = 230
    title = "Error (solid), effective size (dashed)"
    x: ClassVar[Axis] = Axis("shift of the target", (-0.05, FARTHEST + 0.05), {v: f"{v}" for v in (0, 1, 2, 3)})
    y: ClassVar[Axis] = RELATIVE
    grounds: ClassVar[Grounds] = UNWEIGHTED
    marks: ClassVar[Marks] = (
        curve("curves", "truth", y="size", width=2, dash="dashed", label="effective share of the sample"),
        curve("curves", "skmse", y="error", label="error relative to the unweighted line"),
        vertical_lines("line"),
    )

    @classmethod
    def is_visible(cls, result: AdaptationResult) -> bool:
        """Return whether every shift is computed and the picture is about the line."""
        return result.lab.tabled and result.lab.picture not in ("domains", "treatment")

    @classmethod
    def numbers(cls, result: AdaptationResult, shifts: Sequence[Shifted]) -> Numbers:
        """Return error and effective size over the shift, and the current shift."""
        error = np.minimum([1 - each.gain for each in shifts], HIGHEST)
        size = np.array([each.fit.size for each in shifts]) / result.lab.n
        return {
            "curves": {"x": np.array(result.lab.default_stops), "error": error, "size": size},
            "line": {"x": SliderColumn.of(result.shown_shifts)},
        }

    @classmethod
    def axes(cls, result: AdaptationResult) -> tuple[str, Axis, Axis]:
        """Return the title and the axes; the x axis includes the current shift."""
        low, high = (min(cls.x.range[0], result.lab.shift), max(cls.x.range[1], result.lab.shift))
        return cls.title, cls.x._replace(range=(low, high)), cls.y


class OverBound(SecondaryPicture):
    """Error on the target and effective sample size over the bound B."""

    name = "bound"
    stage = "bounds"
    answers = False
    height = 250
    title = "Error (solid), effective size (dashed)"
    x: ClassVar[Axis] = Axis(
        "B, the largest weight (log scale)", (0.95, 1050), {v: f"{v:g}" for v in (1, 10, 100, 1000)}, log=True
    )
    y: ClassVar[Axis] = RELATIVE
    grounds: ClassVar[Grounds] = UNWEIGHTED
    marks: ClassVar[Marks] = (
        curve("curves", "truth", y="size", width=2, dash="dashed", label="effective share of the sample"),
        curve("curves", "skmse", y="error", label="error relative to the unweighted line"),
        vertical_lines("line", follows_slider=False),
    )

    @classmethod
    def is_visible(cls, result: AdaptationResult) -> bool:
        """Return whether the picture is selected and the remedy has a bound."""
        return super().is_visible(result) and result.lab.bounded

    @classmethod
    def numbers(cls, result: AdaptationResult, bounds: Sequence[Fit]) -> Numbers:
        """Return error and effective size over the bound, and the current bound."""
        size = np.array([fit.size for fit in bounds]) / len(result.pair.X)
        error = np.minimum(result.relative(bounds), HIGHEST)
        return {
            "curves": {"x": np.array(BOUNDS, dtype=float), "error": error, "size": size},
            "line": {"x": np.array([result.lab.bound])},
        }


class Moved(Picture):
    """New position of each point under the maps over its old position, with the true maps."""

    name = "moved"
    place = "below"
    legend = False
    title = "Maps: new x over x"
    height = 230
    x: ClassVar[Axis] = Axis("x", (-1, 1))
    y: ClassVar[Axis] = Axis("new x", (-1, 1))
    marks: ClassVar[Marks] = (
        dots("points", "skmse", size=7, fill=0.45, follows_slider=True, label="estimated maps"),
        dots("true", "truth", size=3, fill=0.8, width=0, follows_slider=True, label="true maps"),
    )

    @classmethod
    def is_visible(cls, result: AdaptationResult) -> bool:
        """Return whether the remedy moves the points and the picture shows its result."""
        return not result.lab.bounded and result.lab.picture in ("weights", "bound")

    @classmethod
    def numbers(cls, result: AdaptationResult) -> Numbers:
        """Return the moved points and, if they are known, the true maps."""
        empty = {"x": np.zeros(0), "y": SliderColumn(np.zeros((1, 0)))}
        if not cls.is_visible(result):
            return {"points": empty, "true": empty}
        cx, _, half, _ = result.frame
        x, true = result.pair.X[:, 0], empty
        if result.lab.source == "location-scale":
            both = [class_maps(result.pair.y, shift) for shift in result.shown_shifts]
            true = {"x": x, "y": SliderColumn(np.array([x * scale + move for scale, move in both]))}
        moved = np.clip([each.fit.X[:, 0] for each in result.rows], cx - half, cx + half)
        return {"points": {"x": x, "y": SliderColumn(moved)}, "true": true}

    @classmethod
    def axes(cls, result: AdaptationResult) -> tuple[str, Axis, Axis]:
        """Return the title and the axes, both along x."""
        if not cls.is_visible(result):
            return cls.title, cls.x, cls.y
        about = " (small dots: the true maps)" if result.lab.source == "location-scale" else ""
        return f"{cls.title}{about}", over_x(cls.x, result), named(over_x(cls.y, result), cls.y.label)


class Weights(SecondaryPicture):
    """Weight of each source point over x, with the true density ratio."""

    name = "weights"
    height = 250
    title = "Weights"
    x: ClassVar[Axis] = Axis("", (-1, 1))
    y: ClassVar[Axis] = Axis("weight (log scale)", (0, 1), number_at=signed_value)
    marks: ClassVar[Marks] = (
        dots("ratio", "truth", size=4, fill=0.8, width=0, follows_slider=True, label="true ratio of densities"),
        dots("points", "skmse", size=7, fill=0.45, follows_slider=True, label="weight"),
    )

    @staticmethod
    def top(result: AdaptationResult) -> float:
        """Return the end of the weight axis. It is not much larger than the total weight."""
        return max(1.3 * min(result.lab.bound, len(result.pair.X)), 3.0)

    @classmethod
    def is_visible(cls, result: AdaptationResult) -> bool:
        """Return whether the picture is selected and the remedy has weights."""
        return super().is_visible(result) and result.lab.remedy != "maps"

    @classmethod
    def numbers(cls, result: AdaptationResult) -> Numbers:
        """Return the weights and, if it is known, the true density ratio, on a log scale."""
        x, order = result.pair.X[:, 0], np.argsort(result.pair.X[:, 0], kind="stable")
        true = {"x": np.zeros(0), "y": SliderColumn(np.zeros((1, 0)))}
        if result.ratio is not None:
            ratios = np.array([each.ratio for each in result.rows])[:, order]
            true = {"x": x[order], "y": SliderColumn(signed_log(np.minimum(ratios, cls.top(result))))}
        weights = np.minimum([each.fit.weights for each in result.rows], cls.top(result))
        return {"points": {"x": x, "y": SliderColumn(signed_log(weights))}, "ratio": true}

    @classmethod
    def axes(cls, result: AdaptationResult) -> tuple[str, Axis, Axis]:
        """Return the title and the axes."""
        if not cls.is_visible(result):
            return cls.title, cls.x, cls.y
        top, about = cls.top(result), "" if result.ratio is None else ", and the true ratio (small dots)"
        end = float(signed_log(top))
        ticks = {place: word for place, word in signed_log_ticks(top).items() if place >= 0}
        return f"{cls.title}{about}", over_x(cls.x, result), cls.y._replace(range=(-0.05 * end, end), ticks=ticks)


def over_x(axis: Axis, result: AdaptationResult) -> Axis:
    """Return an axis of x, as wide as the plane."""
    cx, _, half, _ = result.frame
    return axis.along(result.pair.quantities[0], cx - half, cx + half)


def named(axis: Axis, label: str) -> Axis:
    """Return an axis along a column with another label."""
    return axis._replace(label=label, ticks=axis.column_places, column=None)


class OverSamples(Gains):
    """Gain of the remedy and of the true weights in additional samples."""

    name = "samples"
    beside = "samples"
    stage = "more"
    rows: ClassVar[Sequence[str]] = ("true weights", "remedy")
    title = "Error saved in 20 more samples"
    unit = "1 − error / error of the unweighted line"

    @staticmethod
    def gains(value: More) -> Matrix:
        """Return the gains, shape (2, samples); nan for true weights that are unknown."""
        gains = value.gains
        return gains[::-1] if len(gains) == 2 else np.vstack([np.full(gains.shape, np.nan), gains])

    @staticmethod
    def span(gains: Matrix) -> tuple[float, float]:
        """Return the range of the axis."""
        return Gains.span(gains[np.isfinite(gains).all(axis=1)])


class OfDomains(SecondaryPicture):
    """Points in the plane of two components. Each domain has its colour and its symbol."""

    stage = "clouds"
    beside = "domains"
    height = 250
    x: ClassVar[Axis] = Axis("component 1, largest = 1", (-1.1, 1.1), {-1: "−1", 0: "0", 1: "1"})
    y: ClassVar[Axis] = x._replace(label="component 2")
    marks: ClassVar[Marks] = tuple(
        dots(f"d{j}", role, marker=marker, size=7, fill=0.45, label=f"domain {j + 1}")
        for j, (marker, role) in enumerate(zip(MARKERS, ROLES, strict=True))
    )

    @staticmethod
    def scores(clouds: Domains) -> Matrix:
        """Return the displayed scores, shape (n, 2)."""
        return clouds.scores

    @classmethod
    def numbers(cls, result: AdaptationResult, clouds: Domains) -> Numbers:
        """Return the scaled scores of each domain."""
        scores = cls.scores(clouds)
        scores = scores / np.maximum(np.abs(scores).max(axis=0), 1e-300)
        return {f"d{j}": {"x": scores[clouds.of == j, 0], "y": scores[clouds.of == j, 1]} for j in range(MOST)}


class Invariant(OfDomains):
    """The domains along DICA's components."""

    name = "dica"
    title = "DICA: what the domains share"

    @classmethod
    def says(cls, result: AdaptationResult) -> str:
        """Return a sentence with the share of variance between domains."""
        return f"{percent(result.clouds.apart)} of the variance along both components lies between domains."


class Plain(OfDomains):
    """The domains along the components of kernel PCA."""

    name = "kpca"
    place = "beside"
    title = "Kernel PCA: what varies most"

    @staticmethod
    def scores(clouds: Domains) -> Matrix:
        """Return the scores of kernel PCA."""
        return clouds.plain_scores

    @classmethod
    def says(cls, result: AdaptationResult) -> str:
        """Return a sentence with the share of variance between domains."""
        return f"{percent(result.clouds.plain)} of the variance along both components lies between domains."


PICTURES = (Plane, OverShift, OverBound, Weights, Moved, OverSamples, Invariant, Plain, *TREATMENT)
