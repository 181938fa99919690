"""Pictures of the distributions lab: bags as clouds, values over the spread, map, distances, bag sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.languages import translate
from explorer.marks import (
    ESTIMATES,
    KME_IS_ONE,
    Axis,
    Line,
    Picture,
    SecondaryPicture,
    SliderColumn,
    Sources,
    boxes,
    by,
    curve,
    dots,
    field_of,
    horizontal_lines,
    nice_ticks,
    rings,
    vertical_lines,
    words,
)
from explorer.marks.curves_over_counts import apart, name_marks, named_end
from explorer.marks.mark import Numbers
from explorer.printing import format_number, short_name
from explorer.types import Matrix, Values, Vector

from .lab import ESTIMATORS, ROLES
from .swarm import WIDTH, swarm
from .verdict import label_of, spread_of

if TYPE_CHECKING:
    from explorer.marks.mark import Mark

    from .outputs import Outputs
    from .result import DistributionsResult
    from .sizes import Sizes


ENDS = (0.33, 3.0)  # range of the spread axis
SPREAD = Axis(
    "spread of a bag, median = 1 (log scale)",
    ENDS,
    {0.5: "0.5", 1.0: "1", 2.0: "2"},
    log=True,
)
NAMED = 1.2  # position of a curve's name, relative to its right end
SIZE = Axis("points in a bag (log scale)", (2.8, 1500), {v: f"{v:g}" for v in (3, 10, 30, 100, 300)}, log=True)
# largest number of drawn points of a bag; half side of their frame as a share of the cell's height
SHOWN, CELL = 40, 0.46
LINE, ROOM = 0.6, 0.34  # height of the line of bags in the picture, and reach of its bags up and down
# heights of the stretched bag and of the sides' names; diameter of the bag's ring in px
LANE, NAMES, GRIP = 0.13, 0.965, 40
HIGH_PX = 310  # height of the picture on a desktop, in px
MATRIX, GAP, STRIP = 60, 2, 6  # rows of the distance picture: the matrix, a gap, and the stretched bag above it
HIGH = MATRIX + GAP + STRIP
LINES = {
    name: Line(name, ROLES[name], dash)
    for name, dash in zip(list(ESTIMATORS)[1:], ("solid", "dashed", "dotted"), strict=True)
}


def sides(result: DistributionsResult, x: Vector, y: Vector) -> Numbers:
    """Return the positions of the bags of the separated class, of the others, and of those on the wrong side."""
    told, right = result.y > 0 if not result.number else np.ones(len(x), bool), result.right
    rows = {"told": told, "others": ~told, "wrong": ~right}
    return {name: {"x": x[which], "y": y[which]} for name, which in rows.items()}


def side(place: int) -> Callable[..., Any]:
    """Return a function of the result that labels the bags of a side."""
    return lambda result: "bags" if result.number else result.sides[place]


def ringed(result: DistributionsResult) -> str:
    """Return the label of the ringed bags."""
    return translate("outside" if result.detects else "on the wrong side")


def both_sides(size: int) -> tuple[Mark, Mark, Mark]:
    """Return marks for both sides: discs, triangles, and rings around wrong bags."""
    return (
        dots("told", "truth", size=size, fill=0.55, label=side(0)),
        dots("others", "kme", marker="inverted_triangle", size=size, fill=0.55, label=side(1)),
        rings("wrong", "harm", size=size + 8, width=2, label=ringed),
    )


def ring(size: int) -> Mark:
    """Return the mark of the stretched bag."""
    return dots("ring", "outlier", size=size, fill=0.2, width=3, follows_slider=True, label="stretched bag")


def over(axis: Axis, values: Vector, share: float, most: int) -> Axis:
    """Return an axis over values, with a margin of `share` on either side and at most `most` ticks."""
    low, high = float(values.min()), float(values.max())
    room = share * (high - low) + 1e-9
    return axis._replace(range=(low - room, high + room), ticks=nice_ticks(low - room, high + room, most))


def points_of(place: int) -> Callable[..., Any]:
    """Return a function of the result that labels the clouds of a side."""
    return lambda result: "bags" if result.number else translate("bags: {}", side(place)(result))


def cells(result: DistributionsResult) -> tuple[Matrix, float]:
    """Return the centre of each bag's cell, (l, 2) with x in decades, and the height of a cell."""
    x = np.log10(np.clip(result.spreads, *ENDS))
    heights, height = swarm(x, ROOM)
    return np.column_stack([x, LINE + heights]), height


def offsets(result: DistributionsResult, bag: Values, height: float) -> list[Values]:
    """Return the x and y offsets of at most SHOWN points of a bag (..., n, d) from the centre of their cell."""
    cx, cy, half = result.frame
    drawn, some = result.coordinates, bag[..., :SHOWN, :]
    x = (some[..., drawn[0]] - cx) / half
    y = (some[..., drawn[1]] - cy) / half if len(drawn) > 1 else np.zeros_like(x)
    return [CELL * WIDTH * height * x, CELL * height * y]


def cloud(result: DistributionsResult, i: int, centre: Vector, height: float) -> tuple[Vector, Vector]:
    """Return (x, y) of the points of a bag in its cell."""
    x, y = offsets(result, result.drawn.bags[i], height)
    reach = 0.5 * WIDTH * height
    return 10 ** (centre[0] + np.clip(x, -reach, reach)), centre[1] + np.clip(y, -0.5 * height, 0.5 * height)


def decisions(result: DistributionsResult) -> Numbers:
    """Return the verdicts on the stretched bag by its spread, with borders, or nothing if numbers are predicted."""
    if result.number:
        return {}
    edges = np.array([ENDS[0], *result.crossings, ENDS[1]])
    told = (np.arange(len(edges) - 1) % 2 == 0) == (result.curve[0] >= 0)
    middle = np.sqrt(edges[:-1] * edges[1:])
    names = np.array([result.verdicts[0 if each else 1] for each in told])
    return {
        "side": {"left": edges[:-1][told], "right": edges[1:][told], "top": np.ones(told.sum())},
        "borders": {"x": edges[1:-1]},
        "names": {"x": middle, "y": np.full(len(middle), NAMES), "words": names},
    }


def clouds_words(result: DistributionsResult) -> str:
    """Return a sentence with the range of the bags, in the table's units, and the number on the wrong side."""
    where = translate(", with {}", spread_of(result)) if result.has_user_table else ""
    low, high = (format_number(float(end)) for end in (result.spreads.min(), result.spreads.max()))
    wrong = int((~result.right).sum())
    return translate(
        "{} bags{}: their spreads lie between {} and {} medians; {} are {}.",
        len(result.y),
        where,
        low,
        high,
        wrong,
        ringed(result),
    )


@Picture(
    slider_line="line",
    title="The bags from narrow to wide, and the stretched bag",
    height=390,
    x=SPREAD,
    y=Axis("", (0, 1), {}, lines=False, bare=True),
    marks=(
        boxes("side", "truth", fill=0.05),
        vertical_lines(
            "borders",
            "truth",
            dash="dashed",
            follows_slider=False,
            is_story_answer=True,
            label="where the decision changes",
        ),
        words("names", "truth", align="center", px=13, bold=True, is_story_answer=True),
        curve("way", "outlier", width=1, alpha=0.5),
        dots("others", "kme", marker="inverted_triangle", size=3, fill=0.8, width=0, label=points_of(1)),
        dots("told", "truth", size=2.5, fill=0.8, width=0, label=points_of(0)),
        rings("wrong", "harm", size=by("size"), width=2, is_story_answer=True, label=ringed),
        vertical_lines("line"),
        dots("bag", "outlier", size=4, fill=0.8, width=0, follows_slider=True, label="stretched bag"),
        dots("ring", "outlier", size=GRIP, fill=0.06, width=2, follows_slider=True),
    ),
    description=clouds_words,
)
def clouds(result: DistributionsResult) -> Sources:
    """Draw the bags as clouds along the line of spreads, the sides of the boundary, and the stretched bag below."""
    centres, height = cells(result)
    told = result.y > 0 if not result.number else np.ones(len(centres), bool)
    drawn = {}
    for name, which in (("told", told), ("others", ~told)):
        rows = [i for i in np.flatnonzero(which).tolist() if i != result.chosen]
        parts = [cloud(result, i, centres[i], height) for i in rows]
        drawn[name] = {k: np.concatenate([p[j] for p in parts] or [np.zeros(0)]) for j, k in enumerate("xy")}
    stops = np.clip(result.stops, *ENDS)  # a spread that the user types can be outside the picture
    x, y = offsets(result, result.stretched, height)
    x, y = stops[:, None] * 10**x, LANE + y
    inside = (x > ENDS[0]) & (x < ENDS[1]) & (y > 0) & (y < 1)
    wrong = centres[~result.right]
    return {
        **drawn,
        **decisions(result),
        "way": {"x": stops, "y": np.full(len(stops), LANE)},
        "wrong": {"x": 10 ** wrong[:, 0], "y": wrong[:, 1], "size": np.full(len(wrong), HIGH_PX * height)},
        "line": {"x": SliderColumn.of(stops)},
        "bag": {"x": SliderColumn(np.where(inside, x, np.nan)), "y": SliderColumn(np.where(inside, y, np.nan))},
        "ring": {"x": SliderColumn.of(stops), "y": np.array([LANE])},
    }


def boundary_pinned(result: DistributionsResult) -> Sources:
    """Return the curve of the stretched bag."""
    return {"kept": {"x": np.clip(result.stops, *ENDS), "y": result.curve}}


def boundary_sides(result: DistributionsResult) -> tuple[Axis, Axis]:
    """Return both axes. The label depends on what the learner predicts: classes, numbers, or odd bags."""
    shown = result.drawn.targets if result.number else np.append(result.values, 0.0)
    label = label_of(result) if result.has_user_table else "number"
    if result.true_curve is not None:
        label = "entropy, nats"
    if not result.number:
        label = "value"
    return SPREAD, over(boundary.y._replace(label=label), np.concatenate([result.curve, shown]), 0.08, 4)


def boundary_title(result: DistributionsResult) -> str:
    """Return the title, which depends on what the learner predicts."""
    if not result.number:
        who = "Detector" if result.detects else "Classifier"
        return translate("{}'s value (above 0: {})", who, result.verdicts[0])
    return "Prediction over the spread" if result.true_curve is None else "Predicted and true entropy"


@Picture(
    slot="beside",
    slider_line="line",
    height=250,
    title=boundary_title,
    x=SPREAD,
    y=Axis("", (-1, 1)),
    marks=(
        horizontal_lines("zero", "truth", dash="dashed", label="where the decision changes"),
        *both_sides(7),
        curve("kept", "truth", width=1.5, alpha=0.4, pinned=True),
        curve("truth", "truth", width=2, dash="dotted", label="true entropy"),
        curve("curve", ESTIMATES, label=lambda result: translate("stretched bag, {}", result.lab.estimator)),
        vertical_lines("line"),
        ring(13),
    ),
    pinned=boundary_pinned,
    sides=boundary_sides,
)
def boundary(result: DistributionsResult) -> Sources:
    """Draw the value of the stretched bag over its spread, and the values of the other bags."""
    stops, truth = np.clip(result.stops, *ENDS), result.true_curve
    heights = result.drawn.targets.astype(float) if result.number else result.values
    x, y = SliderColumn.of(stops), SliderColumn.of(result.curve)
    return {
        "curve": {"x": stops, "y": result.curve},
        "truth": None if truth is None else {"x": stops, "y": truth},
        "zero": {"y": np.zeros(0 if result.number else 1)},
        **sides(result, np.clip(result.spreads, *ENDS), heights),
        "line": {"x": x},
        "ring": {"x": x, "y": y},
    }


def bag_map_sides(result: DistributionsResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    both = np.concatenate([result.space.positions, result.space.moved])
    x, y = (over(axis, values, 0.1, 4) for axis, values in zip((bag_map.x, bag_map.y), both.T, strict=True))
    return x, y


@SecondaryPicture(
    "map",
    title="Map of the bags' kernel means",
    height=250,
    x=Axis("component 1", (-1, 1)),
    y=Axis("component 2", (-1, 1)),
    marks=(
        curve("way", "outlier", width=1.5, alpha=0.8, label="path of the stretched bag"),
        *both_sides(9),
        ring(15),
    ),
    sides=bag_map_sides,
)
def bag_map(result: DistributionsResult) -> Sources:
    """Draw the bags by the first two principal components of their kernel means, and the stretched bag's path."""
    places, moved = result.space.positions, result.space.moved
    return {
        **sides(result, *places.T),
        "way": dict(zip("xy", moved.T, strict=True)),
        "ring": dict(zip("xy", map(SliderColumn.of, moved.T), strict=True)),
    }


def distances_words(result: DistributionsResult) -> str:
    """Return a sentence with the stretched bag's distance to its original."""
    apart = format_number(float(result.space.stretched[result.row, result.chosen]))
    return translate("The stretched bag has MMD {} to the original bag.", apart)


def distances_sides(result: DistributionsResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    order = translate("sorted by their numbers") if result.number else translate("sorted by class")
    return distances.x._replace(label=translate("bags, {}", order)), distances.y


def distances_title(result: DistributionsResult) -> str:
    """Return the title, with the largest distance."""
    return translate("{}, up to {:.3g}", translate("MMD of each pair of bags"), float(result.space.distances.max()))


@SecondaryPicture(
    title=distances_title,
    height=250,
    x=Axis("bags", (0, 1), {}, lines=False),
    y=Axis("", (0, 1), {1 - STRIP / 2 / HIGH: "stretched bag", MATRIX / 2 / HIGH: "bags"}, lines=False),
    marks=(field_of("image", "ground", HIGH, table=True),),
    description=distances_words,
    sides=distances_sides,
)
def distances(result: DistributionsResult) -> Sources:
    """Draw the RKHS distances of all pairs of bags, sorted by class, and above them those of the stretched bag."""
    l = len(result.y)
    rows = np.argsort(result.y, kind="stable")[np.arange(MATRIX) * l // MATRIX]
    among, above = result.space.distances[np.ix_(rows, rows)], result.space.stretched[:, rows]
    size = float(among.max()) or 1.0
    matrix = np.broadcast_to(among[::-1].ravel(), (len(above), MATRIX**2))
    gap, strip = np.zeros((len(above), GAP * MATRIX)), np.tile(above, STRIP)
    w = np.minimum(np.concatenate([matrix, gap, strip], axis=1) / size, 1.0)
    return {"ground": {"x": [0.0], "y": [0.0], "dw": [1.0], "dh": [1.0]}, "image": {"w": SliderColumn(w)}}


def two_outputs_sides(result: DistributionsResult, outputs: Outputs) -> tuple[Axis, Axis]:
    """Return both axes."""
    both = np.concatenate([outputs.true[:SHOWN], outputs.predicted[:SHOWN], outputs.moved])
    x, y = (over(axis, values, 0.08, 4) for axis, values in zip((two_outputs.x, two_outputs.y), both.T, strict=True))
    name = short_name(result.quantities[result.coordinates[0]].label)
    return x._replace(label=translate("mean of {}", name)), y


def two_outputs_words(result: DistributionsResult) -> str:
    """Return a sentence with R² of both outputs."""
    mean, spread = (format_number(float(each)) for each in result.outputs.r2)
    return translate("R² is {} for the mean and {} for the logarithm of the spread.", mean, spread)


@SecondaryPicture(
    "outputs",
    stage="outputs",
    height=250,
    title="Two outputs of each bag, true and predicted",
    x=Axis("mean", (-1, 1)),
    y=Axis("log spread", (-1, 1)),
    marks=(
        curve("missed", "truth", width=1, alpha=0.4),
        rings("true", "truth", size=6, width=1.2, label="true"),
        dots("predicted", ESTIMATES, size=6, width=0, label="predicted"),
        curve("way", "outlier", width=1.5, alpha=0.8, label="path of the stretched bag"),
        ring(13),
    ),
    sides=two_outputs_sides,
    description=two_outputs_words,
)
def two_outputs(result: DistributionsResult, outputs: Outputs) -> Sources:
    """Draw two numbers of each new bag, predicted jointly: a line from the true pair to the predicted one."""
    true, predicted = outputs.true[:SHOWN], outputs.predicted[:SHOWN]
    x, y = np.stack([true, predicted, np.full(true.shape, np.nan)], axis=1).reshape(-1, 2).T
    return {
        "missed": {"x": x, "y": y},
        "true": dict(zip("xy", true.T, strict=True)),
        "predicted": dict(zip("xy", predicted.T, strict=True)),
        "way": dict(zip("xy", outputs.moved.T, strict=True)),
        "ring": dict(zip("xy", map(SliderColumn.of, outputs.moved.T), strict=True)),
    }


@SecondaryPicture(
    "size",
    stage="sizes",
    table_is_complete=False,
    height=250,
    title="Squared error, plain average = 1",
    x=SIZE,
    y=Axis("", (0, 1.2), {0: "0", 0.5: "0.5", 1: "1"}),
    background=KME_IS_ONE,
    marks=(
        *(
            mark
            for name, line in LINES.items()
            for mark in (
                curve(name, line.role, width=line.width, dash=line.dash, label=line.called),
                *name_marks(name, line),
            )
        ),
        vertical_lines("line"),
    ),
)
def by_size(result: DistributionsResult, sizes: Sizes) -> Sources:
    """Draw squared error of the bags' kernel means over the points in a bag, relative to the plain average's."""
    heights = apart([float(np.clip(sizes.ratios[name][-1], 0, 1.15)) / 1.2 for name in LINES], 0.17) * 1.2
    columns = {"line": {"x": np.array([float(result.lab.n)])}}
    for (name, line), y in zip(LINES.items(), heights, strict=True):
        columns[name] = {"x": sizes.counts, "y": np.minimum(sizes.ratios[name], 1.2)}
        end = float(sizes.counts[-1]), float(columns[name]["y"][-1])
        columns[f"name_{name}"] = named_end(line.called, end, (NAMED * end[0], y))
    return columns


PICTURES = (clouds, boundary, bag_map, distances, by_size, two_outputs)
