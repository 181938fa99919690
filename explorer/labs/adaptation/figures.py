"""Pictures of the adaptation lab: both samples with their lines, curves over shift and B, weights, domains.

The pictures of a treatment are in `treatment.pictures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets.toys.domains import class_maps
from explorer.languages import translate
from explorer.marks import (
    KME_LINE,
    Axis,
    Band,
    Grounds,
    Picture,
    SecondaryPicture,
    SliderColumn,
    Sources,
    by,
    curve,
    dots,
    signed_log,
    signed_value,
    vertical_lines,
    words,
)
from explorer.marks.axes import signed_log_ticks
from explorer.marks.gain_by_sample import Gains, reach_of
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
ROLES = ("fkmse", "outlier", "bayes", "mkme", "kme", "geometric")
BESIDE = 12.0  # distance of a line's name from its right end, in px
AT_END: dict[str, Any] = {
    "dx": -4,
    "dy": by("up"),
    "align": "right",
    "bold": True,
}  # of a line's name
HIGHEST = 1.5  # relative errors above this are drawn at this height
RELATIVE = Axis("", (0, 1.03 * HIGHEST), {0: "0", 0.5: "0.5", 1: "1", HIGHEST: f"{HIGHEST:g} or more"})
UNWEIGHTED: Grounds = (Band("harm", bottom=1), KME_LINE._replace(label=""))  # the unweighted line's error is 1


def inside(values: Values, frame: tuple[float, float, float, float]) -> Values:
    """Return heights (r, g) of a line, nan outside the frame, as curves that follow a slider are not clipped there."""
    _, middle, _, high = frame
    return np.where(np.abs(values - middle) <= high, values, np.nan)


def ends_of(x: Vector, lines: Matrix) -> dict[str, Matrix]:
    """Return where each line, a row that may begin and end with nan, ends at the right: columns of shape (r, 1).

    A name is above a line that rises, and below one that falls.
    """
    rows, last = np.arange(len(lines)), np.array([np.flatnonzero(np.isfinite(line))[-1:].sum() for line in lines])
    ends = lines[rows, last]
    up = np.where(ends < lines[rows, np.maximum(last - 1, 0)], BESIDE, -BESIDE)
    return {"x": x[last][:, None], "y": ends[:, None], "up": up[:, None]}


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


def plane_pinned(result: AdaptationResult) -> Sources:
    """Return the line after the remedy, which stays when pinned."""
    return {
        "after": {
            "x": result.line_points[:, 0],
            "y": inside(heights(result.fit.line, result.line_points), result.frame),
        }
    }


def plane_sides(result: AdaptationResult) -> tuple[Axis, Axis]:
    """Return both axes about the frame."""
    (cx, cy, half, high), quantities = result.frame, result.pair.quantities
    return plane.x.along(quantities[0], cx - half, cx + half), plane.y.along(quantities[-1], cy - high, cy + high)


def plane_words(result: AdaptationResult) -> str:
    """Return a sentence with the slopes of both lines in the columns' units, and the spread of the weights."""
    weights = result.fit.weights
    before, after = (
        format_number(float(own_line(result.pair, line)[1])) for line in (result.before[0], result.fit.line)
    )
    return translate(
        "The line's slope is {} unweighted and {} after the remedy. The largest weight is {}, and {} points have"
        " less than 0.001.",
        before,
        after,
        format_number(float(weights.max())),
        int((weights < 0.001).sum()),
    )


@Picture(
    slot="main",
    title="Source and target, and the line before and after",
    height=390,
    x=Axis("x", (-1, 1)),
    y=Axis("y", (-1, 1)),
    marks=(
        dots("source", "kme", size=4, fill=0.8, width=0, label=source_called),
        dots(
            "target", "monkfast", marker="inverted_triangle", size=7, fill=0.1, follows_slider=True, label=target_called
        ),
        dots("weighted", "skmse", size=by("size"), fill=0.3, follows_slider=True, label=weighted_called),
        curve("truth", "truth", width=2, dash="dotted", follows_slider=True, label="target's mean of y"),
        curve("before", "kme", width=2, dash="dashed", label="unweighted line"),
        words("name_before", "kme", says="unweighted line", **AT_END),
        curve("after", "skmse", width=2, alpha=0.4, pinned=True),
        curve("after", "skmse", follows_slider=True, is_story_answer=True, label=line_called),
        words("name_after", "skmse", says=line_called, follows_slider=True, is_story_answer=True, **AT_END),
        dots("grip", "monkfast", marker="diamond", size=20, fill=0.6, width=2, follows_slider=True),
    ),
    when=lambda result: result.lab.picture != "treatment",
    pinned=plane_pinned,
    sides=plane_sides,
    description=plane_words,
)
def plane(result: AdaptationResult) -> Sources:
    """Draw source and target, the weights, the line before and after the remedy, and the true mean of y."""
    pair, x, rows = result.pair, result.line_points[:, 0], result.rows
    cx, middle, half, high = result.frame
    truth = grip = None
    if result.truth is not None:
        truth = {"x": x, "y": SliderColumn(inside(result.truth, result.frame))}
        grip = {"x": SliderColumn.of(result.shown_shifts), "y": np.array([middle - GRIP * high])}
    lines = inside(np.array([heights(each.fit.line, result.line_points) for each in rows]), result.frame)
    before = inside(heights(result.before[0], result.line_points), result.frame)
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
        "before": {"x": x, "y": before},
        "name_before": {name: each[0] for name, each in ends_of(x, before[None]).items()},
        "after": {"x": x, "y": SliderColumn(lines)},
        "name_after": {name: SliderColumn(each) for name, each in ends_of(x, lines).items()},
        "truth": truth,
        "grip": grip,
    }


def over_shift_sides(result: AdaptationResult, shifts: Sequence[Shifted]) -> tuple[Axis, Axis]:
    """Return both axes; the x axis includes the current shift."""
    low, high = (min(over_shift.x.range[0], result.lab.shift), max(over_shift.x.range[1], result.lab.shift))
    return over_shift.x._replace(range=(low, high)), over_shift.y


@Picture(
    "shifts",
    slot="beside",
    stage="shifts",
    slider_line="line",
    height=230,
    title="Error and effective sample size",
    x=Axis("shift of the target", (-0.05, FARTHEST + 0.05), {v: f"{v}" for v in (0, 1, 2, 3)}),
    y=RELATIVE,
    background=UNWEIGHTED,
    marks=(
        curve("curves", "truth", y="size", width=2, dash="dashed", label="effective share of the sample"),
        curve("curves", "skmse", y="error", label="error relative to the unweighted line"),
        vertical_lines("line"),
    ),
    when=lambda result: result.lab.tabled and result.lab.picture not in ("domains", "treatment"),
    sides=over_shift_sides,
)
def over_shift(result: AdaptationResult, shifts: Sequence[Shifted]) -> Sources:
    """Draw the error on the target and effective sample size over the shift of the target."""
    error = np.minimum([1 - each.gain for each in shifts], HIGHEST)
    size = np.array([each.fit.size for each in shifts]) / result.lab.n
    return {
        "curves": {"x": np.array(result.lab.default_stops), "error": error, "size": size},
        "line": {"x": SliderColumn.of(result.shown_shifts)},
    }


@SecondaryPicture(
    "bound",
    stage="bounds",
    table_is_complete=False,
    height=250,
    title="Error and effective sample size",
    x=Axis("B, the largest weight (log scale)", (0.95, 1050), {v: f"{v:g}" for v in (1, 10, 100, 1000)}, log=True),
    y=RELATIVE,
    background=UNWEIGHTED,
    marks=(
        curve("curves", "truth", y="size", width=2, dash="dashed", label="effective share of the sample"),
        curve("curves", "skmse", y="error", label="error relative to the unweighted line"),
        vertical_lines("line", follows_slider=False),
    ),
    when=lambda result: result.lab.bounded,
)
def over_bound(result: AdaptationResult, bounds: Sequence[Fit]) -> Sources:
    """Draw the error on the target and effective sample size over the bound B."""
    size = np.array([fit.size for fit in bounds]) / len(result.pair.X)
    error = np.minimum(result.relative(bounds), HIGHEST)
    return {
        "curves": {"x": np.array(BOUNDS, dtype=float), "error": error, "size": size},
        "line": {"x": np.array([result.lab.bound])},
    }


def new_over_old_sides(result: AdaptationResult) -> tuple[Axis, Axis]:
    """Return both axes, along x."""
    x, y = (over_x(axis, result) for axis in (new_over_old.x, new_over_old.y))
    return x, named(y, new_over_old.y.label)


@Picture(
    "moved",
    slot="below",
    title="Maps: new x over x",
    height=230,
    x=Axis("x", (-1, 1)),
    y=Axis("new x", (-1, 1)),
    marks=(
        dots("points", "skmse", size=7, fill=0.45, follows_slider=True, label="estimated maps"),
        dots("true", "truth", size=3, fill=0.8, width=0, follows_slider=True, label="true maps"),
    ),
    when=lambda result: not result.lab.bounded and result.lab.picture in ("weights", "bound"),
    sides=new_over_old_sides,
)
def new_over_old(result: AdaptationResult) -> Sources:
    """Draw the new position of each point under the maps over its old position, with the true maps."""
    cx, _, half, _ = result.frame
    x, true = result.pair.X[:, 0], None
    if result.lab.source == "location-scale":
        both = [class_maps(result.pair.y, shift) for shift in result.shown_shifts]
        true = {"x": x, "y": SliderColumn(np.array([x * scale + move for scale, move in both]))}
    moved = np.clip([each.fit.X[:, 0] for each in result.rows], cx - half, cx + half)
    return {"points": {"x": x, "y": SliderColumn(moved)}, "true": true}


def top_of(result: AdaptationResult) -> float:
    """Return the end of the weight axis. It is not much larger than the total weight."""
    return max(1.3 * min(result.lab.bound, len(result.pair.X)), 3.0)


def weights_over_x_title(result: AdaptationResult) -> str:
    """Return the title."""
    return "Weights" if result.ratio is None else "Weights, and the true ratio of densities"


def weights_over_x_sides(result: AdaptationResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    x, y, top = weights_over_x.x, weights_over_x.y, top_of(result)
    end = float(signed_log(top))
    ticks = {place: word for place, word in signed_log_ticks(top).items() if place >= 0}
    return over_x(x, result), y._replace(range=(-0.05 * end, end), ticks=ticks)


@SecondaryPicture(
    "weights",
    height=250,
    title=weights_over_x_title,
    x=Axis("", (-1, 1)),
    y=Axis("weight (log scale)", (0, 1), number_at=signed_value),
    marks=(
        dots("ratio", "truth", size=4, fill=0.8, width=0, follows_slider=True, label="true ratio of densities"),
        dots("points", "skmse", size=7, fill=0.45, follows_slider=True, label="weight"),
    ),
    when=lambda result: result.lab.remedy != "maps",
    sides=weights_over_x_sides,
)
def weights_over_x(result: AdaptationResult) -> Sources:
    """Draw the weight of each source point over x, with the true density ratio."""
    x, order = result.pair.X[:, 0], np.argsort(result.pair.X[:, 0], kind="stable")
    true = None
    if result.ratio is not None:
        ratios = np.array([each.ratio for each in result.rows])[:, order]
        true = {"x": x[order], "y": SliderColumn(signed_log(np.minimum(ratios, top_of(result))))}
    weights = np.minimum([each.fit.weights for each in result.rows], top_of(result))
    return {"points": {"x": x, "y": SliderColumn(signed_log(weights))}, "ratio": true}


def over_x(axis: Axis, result: AdaptationResult) -> Axis:
    """Return an axis of x, as wide as the plane."""
    cx, _, half, _ = result.frame
    return axis.along(result.pair.quantities[0], cx - half, cx + half)


def named(axis: Axis, label: str) -> Axis:
    """Return an axis along a column with another label."""
    return axis._replace(label=label, ticks=axis.column_places, column=None)


def savings_gains(value: More) -> Matrix:
    """Return the gains, shape (2, samples); nan for true weights that are unknown."""
    gains = value.gains
    return gains[::-1] if len(gains) == 2 else np.vstack([np.full(gains.shape, np.nan), gains])


# Gain of the remedy and of the true weights in additional samples.
savings = Gains(
    "samples",
    stage="more",
    rows=("true weights", "remedy"),
    title="Error saved in 20 more samples",
    unit="1 − error / error of the unweighted line",
    gains=savings_gains,
    reach=lambda gains: reach_of(gains[np.isfinite(gains).all(axis=1)]),
)


# points in the plane of two components; each domain has its colour and its symbol
OfDomains = partial(
    SecondaryPicture,
    stage="clouds",
    choice="domains",
    height=250,
    x=Axis("component 1, largest = 1", (-1.1, 1.1), {-1: "−1", 0: "0", 1: "1"}),
    y=Axis("component 2", (-1.1, 1.1), {-1: "−1", 0: "0", 1: "1"}),
    marks=tuple(
        dots(f"d{j}", role, marker=marker, size=7, fill=0.45, label=f"domain {j + 1}")
        for j, (marker, role) in enumerate(zip(MARKERS, ROLES, strict=True))
    ),
)


def by_domain(clouds: Domains, scores: Matrix) -> Sources:
    """Return the scaled scores of each domain."""
    scores = scores / np.maximum(np.abs(scores).max(axis=0), 1e-300)
    return {f"d{j}": {"x": scores[clouds.of == j, 0], "y": scores[clouds.of == j, 1]} for j in range(MOST)}


def between_words(share: float) -> str:
    """Return a sentence with the share of variance between domains."""
    return translate("{} of the variance along both components lies between domains.", percent(share))


@OfDomains(
    title="DICA: what the domains share",
    description=lambda result: between_words(result.clouds.apart),
)
def dica(result: AdaptationResult, clouds: Domains) -> Sources:
    """Draw the domains along DICA's components."""
    return by_domain(clouds, clouds.scores)


@OfDomains(
    slot="beside",
    title="Kernel PCA: what varies most",
    description=lambda result: between_words(result.clouds.plain),
)
def kpca(result: AdaptationResult, clouds: Domains) -> Sources:
    """Draw the domains along the components of kernel PCA."""
    return by_domain(clouds, clouds.plain_scores)


PICTURES = (plane, over_shift, over_bound, weights_over_x, new_over_old, savings, dica, kpca, *TREATMENT)
