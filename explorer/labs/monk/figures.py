"""Pictures of the MONK lab: the pairs, their blocks, the block means, and five secondary ones."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.discrepancy.monk import SLIDER
from explorer.estimators.medianofmeans import blocks_needed
from explorer.languages import translate
from explorer.marks import (
    Axis,
    Line,
    Picture,
    ReferenceLine,
    SecondaryPicture,
    Sources,
    boxes,
    by,
    curve,
    dots,
    file_unit_ticks,
    horizontal_lines,
    rings,
    segments,
    signed_log,
    vertical_lines,
    words,
)
from explorer.marks.blocks import BlockMeans, on_axis, signed_axis, strip_of_blocks
from explorer.marks.errors import LEAST, Errors, over_counts, over_rarity
from explorer.marks.estimates import Estimates, Row
from explorer.marks.functions import Functions, FunctionsPicture
from explorer.marks.geometry import arrows, clip_to_frame, outside
from explorer.printing import short_name, truncate
from explorer.types import Points

from .lab import ITERATIONS
from .means import ETA, LEVELS
from .words import (
    canvas_words,
    embedding_words,
    negative,
    of_estimates,
    of_means,
    quantiles_words,
    steps_words,
    strip_words,
    values_words,
)

if TYPE_CHECKING:
    from .result import MonkLabResult


MIDDLE = {"P": 1.5, "Q": 0.5}  # the heights of the strips' middles
GOLDEN = 0.6180339887498949
LETTERS = 16  # the number of letters of a name that fit the height of a strip
MANY, FEW = 8, 5  # the number of ticks below the strips, and the number if their labels are longer
MOST = 20  # the most outliers in the picture of errors
LIMITS = (1.0, 10.0, 1e2, 1e4, 1e6, 1e8, 1e10, 1e12, 1e15, 1e20)
VACUOUS = ("right_diagonal_line", 0.1, 12, 1)


def point_of(result: MonkLabResult, side: int) -> str:
    """Return the name of the points of a side."""
    name = result.names[side]
    return translate("point of {}", name) if result.distributions else name


def limit_of(result: MonkLabResult) -> float:
    """Return the end of the signed log axis: a round number above all block means, whatever Q is."""
    farthest = max(result.pairs.moved_by_one(SLIDER[-1]), result.truth or 0.0, abs(result.u_mmd))
    return next((top for top in LIMITS if top >= farthest), LIMITS[-1])


def top_error(result: MonkLabResult) -> float:
    """Return the end of an axis of errors."""
    return max(limit_of(result), 10.0)


def pairs_with_outliers_sides(result: MonkLabResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    (low, high), own = result.reach, result.axis
    edge, along = 0.02 * (high - low), file_unit_ticks(low, high, own, FEW if result.sides else MANY)
    names = dict(zip(MIDDLE.values(), strip_labels(result), strict=True))
    x = Axis(short_name(own.label), (low - edge, high + edge), along)
    return x, pairs_with_outliers.y._replace(ticks=names, turned=bool(result.sides))


@Picture(
    "pairs",
    title="Pairs of P and Q, with their outliers",
    height=270,
    x=Axis("", (-1, 1)),
    y=Axis("", (0, 2), lines=False),
    background=(ReferenceLine("truth", y=1, style={"width": 1, "alpha": 0.3}),),
    marks=(
        dots("P", "first", size=6, fill=0.65, width=0.5, label=lambda result: point_of(result, 0),
             height_is_decorative=True),
        rings("Q", "second", size=6, width=1.4, label=lambda result: point_of(result, 1), height_is_decorative=True),
        segments("lit", "truth", "P_x", "P_y", "Q_x", "Q_y", alpha=0.35, follows_slider=True),
        *(rings("lit", "truth", f"{side}_x", f"{side}_y", size=11, width=2, follows_slider=True) for side in "PQ"),
        dots("planted", "outlier", marker="x", size=by("size"), width=2.5, follows_slider=True, label="outlier",
             height_is_decorative=True),
        dots("placed", "outlier", marker="x", size=by("size"), width=2.5, follows_slider=True, label="outlier",
             height_is_decorative=True),
        rings("selected", "outlier", size=22, width=2, follows_slider=True),
        dots("far", "kme", marker="triangle", angle=by("angle"), size=11, width=0, follows_slider=True,
             label="point beyond the picture", height_is_decorative=True),
        dots("off", "outlier", marker="triangle", angle=by("angle"), size=11, width=0, follows_slider=True,
             label="outlier beyond the picture", height_is_decorative=True),
    ),
    undrawn={"rows": ("P_x", "P_y", "Q_x", "Q_y", "place")},
    description=canvas_words,
    sides=pairs_with_outliers_sides,
)  # fmt: skip
def pairs_with_outliers(result: MonkLabResult) -> Sources:
    """Draw both samples with their outliers, and the pairs of the block under the pointer."""
    lab, pairs, ends = result.lab, result.pairs, result.reach
    by_hand = np.array(lab.points, dtype=float).reshape(-1, 2)
    strips = {n: strip(points, MIDDLE[n]) for n, points in (("P", pairs.X), ("Q", pairs.Y))}
    clean = np.concatenate([points[~pairs.contaminated] for points in strips.values()])
    sides = ("P", "Q") if lab.planted == "both" else (lab.planted,)
    planted = np.concatenate([strips[n][lab.n - lab.outliers :] for n in sides])
    drawn = {n: clip_to_frame(points, *ends) for n, points in strips.items()}
    rows = {f"{n}_{axis}": column[axis].copy() for n, column in drawn.items() for axis in "xy"}
    # A contaminated pair keeps its row, so that a column of heights is sent only once.
    for column in drawn.values():
        column["x"][pairs.contaminated] = np.nan
    for n, points, size in (("placed", by_hand, 14.0), ("planted", planted, 11.0)):
        sizes = np.where(outside(points, *ends), 0.0, size)  # an arrow replaces a cross that lies outside
        drawn[n] = {**clip_to_frame(points, *ends), "size": sizes}
    chosen = by_hand[lab.selected - 1 : lab.selected] if lab.selected else by_hand[:0]
    return {
        **drawn,
        "rows": {**rows, "place": np.argsort(result.order).astype(float)},
        "lit": None,
        "far": arrows(clean, *ends),
        "selected": clip_to_frame(chosen, *ends),
        "off": arrows(np.concatenate([by_hand, planted]), *ends),
    }


blocks_in_order = replace(strip_of_blocks, description=strip_words)


def beside_u(result: MonkLabResult) -> str:
    """Return the text at the U-statistic."""
    return negative(result) if result.U < 0 else "U-statistic"


# The witness's means over the blocks in order, both estimates and the truth.
block_means = BlockMeans(
    beside_u=beside_u,
    name="values",
    slot="blocks",  # the slot's name differs from the picture's because a control is called "blocks"
    description=values_words,
    limit=limit_of,
)


@Errors(
    deferred="computed_cliff",
    subject="Error by outliers",
    unknown="How far each estimate moves, by planted outliers",
    over="planted outliers",
    of="error",
    start=-0.5,
    stop=float(MOST),
    words_over={v: str(v) for v in range(0, MOST + 1, 5)},
    below=(
        vertical_lines("count", label="planted now"),
        dots("needed", "monk", marker="triangle", size=9, label="majority of the blocks", height_is_decorative=True),
        words("needed", "monk", px=11, dx=7),
    ),
    lines={
        "U": Line("U-statistic", "kme"),
        5: Line("5 blocks", "monk", "dotted"),
        11: Line("11 blocks", "monk"),
        21: Line("21 blocks", "monk", "dashed"),
    },
    limit=top_error,
    curves=lambda study: over_counts(study, cliff.lines),
)
def cliff(result: MonkLabResult) -> Sources:
    """Draw the errors over the number of planted outliers, for U and for votes of several numbers of blocks."""
    votes = np.array([Q for Q in cliff.lines if Q != "U" and Q <= result.lab.n])
    named, heights = np.array([str(Q) for Q in votes]), np.full(len(votes), 1.6 * LEAST)
    return {
        "needed": {"x": (votes + 1) / 2, "y": heights, "words": named},
        "count": {"x": np.array([min(float(result.outliers), MOST)])},
    }


@Errors(
    deferred="quantiles",
    subject="Error of the kernel mean",
    over="ln(1/η); one sample in 1/η has a larger error",
    of="|μ̂ − μ|",
    stop=float(LEVELS[-1]),
    words_over={v: str(v) for v in range(4)},
    below=(
        boxes("vacuous", "truth", "left", "right", 1e25, 1e-9, fill=0.03, width=0, hatch=VACUOUS,
              inks=("fill", "hatch")),
        words("vacuous", "truth", "left", "at", dx=6),
        curve("bound", "truth", width=4, dash="dotted", label="bound of Theorem 1"),
    ),
    lines={
        "KME": Line("plain average", "kme"),
        11: Line("11 means", "monk"),
        21: Line("21 means", "monk", "dashed"),
        "geometric": Line("geometric", "geometric", "dashdot"),
        "Huber": Line("Huber", "robust", "dotdash"),
        "Hampel": Line("Hampel", "robust", "dotted"),
    },
    description=quantiles_words,
    limit=top_error,
    curves=lambda study: over_rarity(study, quantiles.lines, quantiles.stop),
)  # fmt: skip
def quantiles(result: MonkLabResult) -> Sources:
    """Draw the quantiles of the errors of kernel means, and the range in which the theorem gives a bound."""
    promise = result.promise
    if promise is None:
        return None
    held = np.isfinite(promise.bound)
    words = translate("no bound from Theorem 1: η = {:g} needs Q = {:.0f}", ETA, blocks_needed(ETA))
    start = LEVELS[held].max() if held.any() else 0.0
    vacuous = {"left": start, "right": LEVELS[-1], "at": 1.6 * LEAST, "words": words}
    return {
        "bound": {"x": LEVELS[held], "y": promise.bound[held]},
        "vacuous": {name: np.array([value]) for name, value in vacuous.items()},
    }


# The MMD of this sample by each of the compared estimators.
rivals = Estimates(
    "estimates",
    title="MMD by estimator",
    over="MMD (signed log scale)",
    rows={
        "U-statistic": Row("U-statistic", "kme", "cross"),
        "plain average": Row("plain average", "kme"),
        "MONK": Row("MONK", "monk", "hex"),
        "geometric": Row("geometric median", "geometric", "diamond"),
        "Huber": Row("Huber's loss", "robust", "square"),
        "Hampel": Row("Hampel's loss", "robust", "triangle"),
    },
    limit=limit_of,
    estimates=of_estimates,
)


def descent_sides(result: MonkLabResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    return descent.x, signed_axis(descent.y.label, limit_of(result), 0.35)


@SecondaryPicture(
    "steps",
    table_is_complete=False,
    title="Block coordinate descent",
    height=280,
    x=Axis("iteration", (0, ITERATIONS + 1), {1: "1", **{v: str(v) for v in range(20, ITERATIONS + 1, 20)}}),
    y=Axis("MMD (signed log scale)", (-1, 1)),
    marks=(
        horizontal_lines("truth_step", "truth", width=2, dash="dotted", label="truth"),
        curve("history", "monk", "x", "monk", width=2, label="median of the blocks by BCD"),
        curve("history", "monkfast", "x", "fast", width=2, dash="dashed", label="median of the blocks by BCD-Fast"),
        vertical_lines("at_step"),
        dots("step", "monk", marker="hex", size=8, fill=0.75, follows_slider=True, label="means of the blocks"),
    ),
    description=steps_words,
    sides=descent_sides,
)
def descent(result: MonkLabResult) -> Sources:
    """Draw the medians of an iteration, and the block means after one step."""
    steps, iteration = result.steps, result.lab.iteration
    if steps is None:
        return None
    means, values = (on_axis(limit_of(result), each) for each in (steps[iteration - 1].after, [s.value for s in steps]))
    curves = {"monk": values, "fast": np.full(len(steps), np.nan)}
    if result.lab.method == "bcd-fast":
        curves = {"monk": curves["fast"], "fast": values}
    return {
        "history": {"x": np.arange(1.0, len(steps) + 1), **curves},
        "step": {"x": np.full(len(means), float(iteration)), "y": means},
        "at_step": {"x": np.array([float(iteration)])},
        "truth_step": {"y": np.array([]) if result.truth is None else signed_log([result.truth])},
    }


def embedding_functions(result: MonkLabResult) -> Any:
    """Return the functions, or None while the picture is hidden."""
    e = result.embeddings
    return e and Functions(e.at, e.values, of_means(result), e.middle)


def embedding_title(result: MonkLabResult) -> str:
    """Return the title, which names the sample."""
    more = "" if result.truth is None else translate(", with distances to the truth")
    return translate("Kernel mean of {}{}", result.names[result.side], more)


def along_column(result: MonkLabResult, low: float, high: float) -> dict[str, Any]:
    """Return the label and the ticks of the axis of the column."""
    return {"label": short_name(result.axis.label), "ticks": file_unit_ticks(low, high, result.axis)}


# The true kernel mean and its estimates, as functions, with their distances to it.
embedding = FunctionsPicture(
    "embedding",
    title=embedding_title,
    of="μ(x)",
    description=embedding_words,
    lines={
        "plain average": Line("plain average", "kme"),
        "median": Line("median of means", "monk", "dashed", 3),
        "geometric": Line("geometric median", "geometric", "dashdot", 2),
        "Huber": Line("Huber's loss", "robust", "dotdash", 2),
        "truth": Line("truth", "truth", "dotted", 2),
    },
    functions=embedding_functions,
    along=along_column,
)


PICTURES = (pairs_with_outliers, blocks_in_order, block_means, cliff, quantiles, rivals, descent, embedding)


def strip_labels(result: MonkLabResult) -> list[str]:
    """Return the labels of both strips."""
    return [truncate(name, LETTERS) for name in result.names]


def strip(points: Points, middle: float) -> Any:
    """Return the first coordinates of points and their heights in a strip, shape (n, 2).

    A point's height depends on its row alone, so that other points do not change it.
    """
    return np.column_stack([points[:, 0], middle + 0.8 * ((np.arange(len(points)) * GOLDEN) % 1 - 0.5)])
