"""Pictures of the conditional lab: the pairs with y given x, Bayes' rule, a hidden path, a table, a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import translate
from explorer.marks import (
    Axis,
    ReferenceLine,
    SecondaryPicture,
    SliderColumn,
    Sources,
    bars_across,
    curve,
    dots,
    field_of,
    segments,
    vertical_lines,
)
from explorer.marks.axes import file_unit_ticks
from explorer.marks.geometry import ground
from explorer.marks.profiles import BELOW, HEIGHT, PAIRS, Profile, WeightedPairs, discs, normal, parts, top, within
from explorer.marks.scores import score
from explorer.printing import format_number, length_of, percent, short_name, value_of
from explorer.types import Matrix, Vector

from .lab import FOLLOWED
from .path import STATES, Tracks
from .result import ACROSS
from .tree.pictures import TREES

if TYPE_CHECKING:
    from explorer.conditional.bayes import KernelBayesRule
    from explorer.conditional.fan import Fan
    from explorer.conditional.tables import TableRules

    from .result import ConditionalResult


NAMES = ("prior", "posterior", "exact", "printed")  # names of the densities


def points(result: ConditionalResult) -> dict[str, Vector]:
    """Return the positions of the pairs as columns "x" and "y"."""
    return {"x": result.pairs.X[:, 0], "y": result.pairs.Y[:, 0]}


def cut_words(result: ConditionalResult) -> str:
    """Return a sentence with the sum of the weights, their negative share, and the pair with the largest weight."""
    fan, weights, pairs = result.fan, result.fan.weights[result.row], result.pairs
    most = int(np.argmax(weights))
    x, y = (value_of(of, Z[most, 0]) for of, Z in zip(pairs.on_axes, (pairs.X, pairs.Y), strict=True))
    total, negative = format_number(float(fan.total[result.row])), percent(float(fan.negative[result.row]))
    return translate(
        "The weights sum to {}; negative weights make up {} of the total absolute weight. The pair at x = {}, y"
        " = {} has the largest weight, {}.",
        total,
        negative,
        x,
        y,
        format_number(float(weights[most])),
    )


@WeightedPairs(
    stage="fan",
    title="The pairs and their weights given the observed x",
    marks=(
        *PAIRS,
        curve("truth", "truth", width=2, dash="dotted", is_story_answer=True, label="exact"),
        curve("mean", "skmse", width=2, follows_slider=True, is_story_answer=True, label="estimate"),
        dots("dot", "skmse", marker="diamond", size=14, follows_slider=True, is_story_answer=True, label="estimate"),
    ),
    undrawn={"stops": ("x",)},
    description=cut_words,
)
def cut(result: ConditionalResult, fan: Fan) -> Sources:
    """Draw the weight of each pair for y given the observed x, and the mean of y over x."""
    at, known, (low, high) = result.grids[0][:, 0], result.x[0, :1], result.pairs.ends[1]
    up, down = map(SliderColumn, discs(fan.weights))
    return {
        "sample": points(result),
        "weights": {**points(result), "up": up, "down": down},
        "line": {"x": known},
        "mean": {"x": at, "y": SliderColumn(within(result.mean_of_y, low, high))},
        "truth": None if result.true_mean is None else {"x": at, "y": result.true_mean},
        "dot": {"x": known, "y": SliderColumn.of(within(fan.mean, low, high))},
        "stops": {"x": result.slider_positions},
    }


def densities(result: ConditionalResult) -> Matrix:
    """Return the density at every λ, or nan if y is known only by its similarities and has no density."""
    return result.density if not result.lab.by_gram[1] else np.full(result.density.shape, np.nan)


def density_pinned(result: ConditionalResult) -> Sources:
    """Return the density at the current λ."""
    return {"kept": {"x": densities(result)[result.row], "y": result.grids[1][:, 0]}}


def density_title(result: ConditionalResult) -> str:
    """Return a title with the names of x and y."""
    return translate("Density of {} given {}", short_name(result.of_y.name), short_name(result.of_x.name))


def density_end(result: ConditionalResult, fan: Fan) -> float:
    """Return the end of the density axis."""
    return top(result.density[-1], *([] if result.exact_density is None else [result.exact_density]))


@Profile(
    choice="cut",
    stage="fan",
    marks=(
        segments("strokes", "skmse", 0, "y", "up", "y", alpha=0.6, follows_slider=True),
        segments("strokes", "harm", 0, "y", "down", "y", alpha=0.6, follows_slider=True),
        curve("kept", "skmse", width=1.5, alpha=0.45, pinned=True),
        curve("truth", "truth", width=2, dash="dotted", label="exact"),
        curve("curve", "skmse", follows_slider=True, label="estimate"),
    ),
    pinned=density_pinned,
    title=density_title,
    end=density_end,
    when=lambda result: not result.lab.by_gram[1],
)
def density(result: ConditionalResult, fan: Fan) -> Sources:
    """Draw the density of y given x: the estimate, the exact one, and the contribution of each pair."""
    at, end, exact = result.grids[1][:, 0], density_end(result, fan), result.exact_density
    up, down = parts(fan.weights, result.unit)
    return {
        "curve": {"x": SliderColumn(within(densities(result), -BELOW * end, 1.02 * end)), "y": at},
        "truth": None if exact is None else {"x": exact, "y": at},
        "strokes": {
            "y": result.pairs.Y[:, 0],
            "up": SliderColumn(np.minimum(up, end)),
            "down": SliderColumn(np.maximum(down, -BELOW * end)),
        },
    }


def bayes_words(result: ConditionalResult) -> str:
    """Return a sentence with the mean and the standard deviation of the prior."""
    law = result.prior_law
    mean, sd = value_of(result.of_y, law.mean[0]), length_of(result.of_y, law.variances[0] ** 0.5)
    return translate("The prior of y has mean {} and standard deviation {}.", mean, sd)


@WeightedPairs(
    stage="rule",
    table_is_complete=False,
    title="The pairs, the prior of y and the observed x",
    marks=(
        *PAIRS,
        segments("bar", "monkfast", width=4, alpha=0.5),
        dots("prior", "monkfast", size=13, fill=0.9, follows_slider=True),
        dots(
            "known",
            "truth",
            marker="triangle",
            size=13,
            fill=0.9,
            follows_slider=True,
            label="observed x",
            height_is_decorative=True,
        ),
    ),
    description=bayes_words,
)
def bayes(result: ConditionalResult, rule: KernelBayesRule) -> Sources:
    """Draw the pairs with their weights under the prior, and the handles of the prior and of x."""
    up, down = discs(rule.marginal_)
    (left, right), (low, high) = result.pairs.ends
    law, edge, known = result.prior_law, np.array([left + 0.03 * (right - left)]), result.x[0, :1]
    mean, sd = law.mean[:1], np.sqrt(law.variances[:1])
    return {
        "sample": points(result),
        "weights": {**points(result), "up": up, "down": down},
        "line": {"x": known},
        "prior": {"x": np.repeat(edge, 2), "y": np.clip([*mean, *(mean + sd)], low, high)},
        "known": {"x": known, "y": np.array([low])},
        "bar": {"x": edge, "low": mean - sd, "high": mean + sd},
    }


@Profile(
    choice="bayes",
    stage="densities",
    table_is_complete=False,
    title="Prior and posterior",
    marks=(
        curve("printed", "harm", width=2, dash="dashed", follows_slider=True, label="as printed"),
        curve("prior", "monkfast", width=2, dash="dashed", follows_slider=True, label="prior"),
        curve("posterior", "skmse", follows_slider=True, label="posterior"),
        curve("exact", "truth", width=2, dash="dotted", follows_slider=True, label="exact"),
    ),
    end=lambda result, value: top(*(each for name, each in value.items() if name != "printed")),  # which may be huge
)
def posterior(result: ConditionalResult, densities: Mapping[str, Vector]) -> Sources:
    """Draw prior and posterior of y: by the kernel rule, exactly, and by the rule as the article prints it."""
    at, end = result.grids[1][:, 0], posterior.end(result, densities)
    drawn = {name: within(density, -BELOW * end, 1.02 * end) for name, density in densities.items()}
    return {name: {"x": drawn.get(name, np.full(ACROSS, np.nan)), "y": at} for name in NAMES}


def predicted_density_sides(result: ConditionalResult, predicted: Vector) -> tuple[Axis, Axis]:
    """Return both axes."""
    of, end = result.of_x, top(predicted)
    y = Axis("density", (-BELOW * end, 1.02 * end), file_unit_ticks(0.0, end, of.density))
    return predicted_density.x.along(of, *map(float, result.pairs.ends[0])), y


@SecondaryPicture(
    "predicted",
    choice="bayes",
    slot="below",
    stage="predicted",
    table_is_complete=False,
    height=190,
    x=Axis("x", (-1, 1)),
    y=Axis("density", (-BELOW, 1)),
    background=(ReferenceLine("kme", y=0),),
    title="Density of x under the prior",
    marks=(
        curve("predicted", "monkfast", width=2.5, follows_slider=True, label="density of x under the prior"),
        vertical_lines("line"),
    ),
    when=lambda result: not result.lab.by_gram[0],
    sides=predicted_density_sides,
)
def predicted_density(result: ConditionalResult, predicted: Vector) -> Sources:
    """Draw the density of x under the prior: how probable the observed x was before it was observed."""
    return {"predicted": {"x": result.grids[0][:, 0], "y": predicted}, "line": {"x": result.x[0, :1]}}


def followed_placeholder(result: ConditionalResult) -> Sources:
    """Return an empty image: an image has its final size before its numbers are computed."""
    return {"strip": {"w": np.zeros(STATES * FOLLOWED)}, "ground": _ground(np.arange(2.0))}


def followed_sides(result: ConditionalResult, strip: Matrix) -> tuple[Axis, Axis]:
    """Return both axes; the y axis is in the state's units."""
    return followed.x, followed.y.along(result.course.quantity, *levels_of(result))


@SecondaryPicture(
    "filter",
    slot="main",
    stage="strip",
    table_is_complete=False,
    height=HEIGHT,
    title="Beliefs about a hidden path",
    x=Axis("time", (0.5, FOLLOWED + 0.5)),
    y=Axis("state", (-3, 3)),
    marks=(
        field_of("strip", "ground", STATES),
        dots("seen", "kme", marker="x", size=7, width=1.5, label="observed"),
        curve("tracks", "monkfast", y="low", width=1.2, dash="dashed", label="Kalman's filter ± 1 sd"),
        curve("tracks", "monkfast", y="high", width=1.2, dash="dashed", label="Kalman's filter ± 1 sd"),
        curve("tracks", "monkfast", y="kalman", width=2, label="Kalman's filter"),
        curve("tracks", "fkmse", y="kernel", width=2.5, label="kernel filter"),
        curve("tracks", "truth", y="truth", width=2, dash="dotted", label="true path"),
        vertical_lines("now"),
    ),
    placeholder=followed_placeholder,
    sides=followed_sides,
)
def followed(result: ConditionalResult, strip: Matrix) -> Sources:
    """Draw a hidden path over time: beliefs as a strip, their mean, Kalman's band, the observations, and the truth."""
    step, t, level = min(result.lab.time, len(strip)), np.arange(1.0, len(strip) + 1), result.levels[:, 0]
    image = np.zeros((STATES, FOLLOWED))
    image[:, :step] = (strip / np.abs(strip).max(axis=1, keepdims=True))[:step].T
    there, (kernel, kalman, sd, _) = t <= step, result.tracks
    tracks = {"truth": result.course.hidden[:, 0], "kernel": kernel, "kalman": kalman}
    tracks |= {"low": kalman - sd, "high": kalman + sd}
    seen = (
        result.course.hidden_observations
        if result.course.hidden_observations.shape[1] == 1 and result.lab.path != "rows"
        else None
    )
    return {
        "strip": {"w": image.ravel()},
        "ground": _ground(level),
        "seen": None if seen is None else {"x": t[there], "y": seen[there, 0]},
        "tracks": {"x": t, **{name: np.where(there, values, np.nan) for name, values in tracks.items()}},
        "now": {"x": np.array([float(step)])},
    }


def levels_of(result: ConditionalResult) -> tuple[float, float]:
    """Return the range of the levels of a hidden path."""
    low, high = result.levels[[0, -1], 0].tolist()
    return low, high


def _ground(levels):
    """Return the position of the strip's image."""
    return {k: np.array(v, dtype=float) for k, v in ground(np.arange(1.0, FOLLOWED + 1), levels).items()}


@Profile(
    choice="filter",
    stage="strip",
    table_is_complete=False,
    title="The belief at this time",
    y=Axis("state", (-1, 1)),
    marks=(
        curve("exact", "truth", width=2, dash="dotted", label="exact belief"),
        curve("kalman", "monkfast", width=2, dash="dashed", label="Kalman's filter"),
        curve("belief", "fkmse", label="kernel filter"),
        dots("truth", "truth", marker="diamond", size=13),
    ),
    end=lambda result, value: top(float(np.quantile(value.max(axis=1), 0.9))),
    up=lambda result: (levels_of(result), result.course.quantity),
)
def belief(result: ConditionalResult, strip: Matrix) -> Sources:
    """Draw the belief at the chosen time, with Kalman's and the exact one."""
    i, level, tracks = min(result.lab.time, len(strip)) - 1, result.levels[:, 0], result.tracks
    kalman = normal(level, tracks.kalman[i], max(tracks.deviation[i], 1e-9))
    exact = None if result.exact_beliefs is None else {"x": result.exact_beliefs[i], "y": level}
    return {
        "belief": {"x": strip[i], "y": level},
        "kalman": {"x": kalman, "y": level},
        "exact": exact,
        "truth": {"x": np.zeros(1), "y": result.course.hidden[i : i + 1, 0]},
    }


def distances(result: ConditionalResult, tracks: Tracks) -> list[Vector]:
    """Return |mean - true state| of the kernel filter and of Kalman's filter at every time."""
    return [np.abs(track - result.course.hidden[:, 0]) for track in (tracks.kernel, tracks.kalman)]


def missed_sides(result: ConditionalResult, tracks: Tracks) -> tuple[Axis, Axis]:
    """Return both axes; the y axis is in the state's units."""
    highest = 1.06 * float(np.max(distances(result, tracks)))
    # a distance, so it has no offset and is not a date
    of = result.course.quantity._replace(centre=0.0, dates=False)
    return missed.x, Axis("distance", (0.0, highest), file_unit_ticks(0.0, highest, of))


@SecondaryPicture(
    choice="filter",
    slot="below",
    stage="tracks",
    table_is_complete=False,
    height=190,
    title="Distance from the true state",
    x=followed.x,
    y=Axis("distance", (0, 1)),
    marks=(
        curve("missed", "monkfast", y="kalman", width=2, label="Kalman's filter"),
        curve("missed", "fkmse", y="kernel", width=2.5, label="kernel filter"),
        vertical_lines("now"),
    ),
    sides=missed_sides,
)
def missed(result: ConditionalResult, tracks: Tracks) -> Sources:
    """Draw the distance of each filter's mean from the true state over time."""
    kernel, kalman = distances(result, tracks)
    t = np.arange(1.0, len(kernel) + 1)
    there = t <= min(result.lab.time, len(t))
    return {
        "missed": {"x": t, "kernel": np.where(there, kernel, np.nan), "kalman": np.where(there, kalman, np.nan)},
        "now": {"x": t[there][-1:]},
    }


def table_sides(result: ConditionalResult, rules: tuple[TableRules, TableRules]) -> tuple[Axis, Axis]:
    """Return both axes, with one row for each y."""
    q = len(result.lab.table_prior)
    return table.x, Axis("y", (q + 0.6, 0.4), {k: f"y = {k}" for k in range(1, q + 1)})


@SecondaryPicture(
    slot="beside",
    stage="rules",
    table_is_complete=False,
    height=HEIGHT,
    title="Prior and posterior of y",
    x=Axis("probability", (0, 1.05)),
    y=Axis("y", (5.6, 0.4)),
    marks=(
        bars_across("bars", "skmse", right="posterior", breadth=0.5, fill=0.9, label="kernel rule"),
        dots("bars", "monkfast", "prior", marker="square", size=12, fill=0, width=2, label="prior"),
        dots("bars", "truth", "exact", size=9, label="fractions"),
    ),
    sides=table_sides,
)
def table(result: ConditionalResult, rules: tuple[TableRules, TableRules]) -> Sources:
    """Draw prior and posterior of y in the table: bars by the kernel rule, dots by fractions."""
    exact, ours = (each.posterior for each in rules)
    y, prior = np.arange(1.0, len(exact) + 1), result.lab.table_prior
    return {"bars": {"y": y, "prior": prior, "posterior": ours, "exact": exact}}


PICTURES = (cut, density, score, bayes, posterior, predicted_density, followed, belief, missed, table, *TREES)
