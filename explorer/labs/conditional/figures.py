"""The Conditional lab's pictures: the pairs with y given x, Bayes' rule, a hidden path, a table, a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from explorer.marks import (
    Axis,
    Grounds,
    Marks,
    ReferenceLine,
    SecondaryPicture,
    SliderColumn,
    bars_across,
    curve,
    dots,
    field_of,
    segments,
    vertical_lines,
)
from explorer.marks.axes import file_unit_ticks
from explorer.marks.geometry import ground, nothing
from explorer.marks.mark import Numbers
from explorer.marks.profiles import BELOW, HEIGHT, Profile, WeightedPairs, discs, normal, parts, top, within
from explorer.marks.scores import ScoreOverLam
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
    from explorer.datasets.columns.quantity import Quantity

    from .result import ConditionalResult


NAMES = ("prior", "posterior", "exact", "printed")  # of densities


def points(result: ConditionalResult) -> dict[str, Vector]:
    """The pairs' places {"x", "y"}."""
    return {"x": result.pairs.X[:, 0], "y": result.pairs.Y[:, 0]}


class Cut(WeightedPairs):
    """The weight of each pair for y given the observed x, and the mean of y over x."""

    name = "cut"
    stage = "fan"
    heading = "The pairs and their weights given the observed x"
    title = "Drag the line to the observed x"
    moving = "weights up down; mean y; dot y"
    marks: ClassVar[Marks] = (
        *WeightedPairs.pairs,
        curve("truth", "truth", width=2, dash="dotted", is_story_answer=True, label="exact"),
        curve("mean", "skmse", width=2, follows_slider=True, is_story_answer=True, label="estimate"),
        dots("dot", "skmse", marker="diamond", size=14, follows_slider=True, is_story_answer=True, label="estimate"),
    )

    @classmethod
    def nothing_yet(cls, result: ConditionalResult) -> Numbers:
        """Nor where a dragged line may stop."""
        return {"stops": nothing("x")}

    @classmethod
    def numbers(cls, result: ConditionalResult, fan: Fan) -> Numbers:
        at, known, (low, high) = result.places[0][:, 0], result.x[0, :1], result.pairs.ends[1]
        up, down = map(SliderColumn, discs(fan.weights))
        return {
            "sample": points(result),
            "weights": {**points(result), "up": up, "down": down},
            "line": {"x": known},
            "mean": {"x": at, "y": SliderColumn(within(result.mean_of_y, low, high))},
            "truth": nothing("x", "y") if result.true_mean is None else {"x": at, "y": result.true_mean},
            "dot": {"x": known, "y": SliderColumn.of(within(fan.mean, low, high))},
            "stops": {"x": result.places_of_slider},
        }

    @classmethod
    def says(cls, result: ConditionalResult) -> str:
        """What the weights sum to, how much of them is negative, and which pair has the largest."""
        fan, weights, pairs = result.fan, result.fan.weights[result.row], result.pairs
        most = int(np.argmax(weights))
        x, y = (value_of(of, Z[most, 0]) for of, Z in zip(pairs.on_axes, (pairs.X, pairs.Y), strict=True))
        total, negative = format_number(float(fan.total[result.row])), percent(float(fan.negative[result.row]))
        return (
            f"The weights sum to {total}; negative weights make up {negative} of the total absolute weight. The pair at"
            f" x = {x}, y = {y} has the largest weight, {format_number(float(weights[most]))}."
        )


class Density(Profile):
    """The density of y given x: the embedding's, the exact one, and what each pair adds."""

    name = "density"
    beside = "cut"
    stage = "fan"
    moving = "curve x; strokes up down"
    marks: ClassVar[Marks] = (
        segments("strokes", "skmse", 0, "y", "up", "y", alpha=0.6, follows_slider=True),
        segments("strokes", "harm", 0, "y", "down", "y", alpha=0.6, follows_slider=True),
        curve("kept", "skmse", width=1.5, alpha=0.45, pinned=True),
        curve("truth", "truth", width=2, dash="dotted", label="exact"),
        curve("curve", "skmse", follows_slider=True, label="estimate"),
    )

    @classmethod
    def numbers(cls, result: ConditionalResult, fan: Fan) -> Numbers:
        at, end, exact = result.places[1][:, 0], cls.end(result, fan), result.exact_density
        up, down = parts(fan.weights, result.unit)
        return {
            "curve": {"x": SliderColumn(within(cls.densities(result), -BELOW * end, 1.02 * end)), "y": at},
            "truth": nothing("x", "y") if exact is None else {"x": exact, "y": at},
            "strokes": {
                "y": result.pairs.Y[:, 0],
                "up": SliderColumn(np.minimum(up, end)),
                "down": SliderColumn(np.maximum(down, -BELOW * end)),
            },
        }

    @staticmethod
    def densities(result: ConditionalResult) -> Matrix:
        """The density for every λ, and none of a y that has no density."""
        return result.density if not result.lab.by_gram[1] else np.full(result.density.shape, np.nan)

    @classmethod
    def pinned(cls, result: ConditionalResult) -> Numbers:
        if result.fan is None:
            return {"kept": nothing("x", "y")}
        return {"kept": {"x": cls.densities(result)[result.row], "y": result.places[1][:, 0]}}

    @classmethod
    def axes(cls, result: ConditionalResult) -> tuple[str, Axis, Axis]:
        _, x, y = super().axes(result)
        return f"Density of {short_name(result.of_y.name)} given {short_name(result.of_x.name)}", x, y

    @classmethod
    def is_visible(cls, result: ConditionalResult) -> bool:
        """A y that is known only by its similarities has no density."""
        return super().is_visible(result) and not result.lab.by_gram[1]

    @staticmethod
    def end(result: ConditionalResult, value: Fan) -> float:
        return top(result.density[-1], *([] if result.exact_density is None else [result.exact_density]))


class Score(ScoreOverLam):
    """The leave-one-out score over λ, and the squared distance to the exact embedding."""

    name = "score"
    beside = "cut"
    place = "below"
    stage = "fan"


class Bayes(WeightedPairs):
    """The pairs, weighted for the prior, with handles for the prior and for x."""

    name = "bayes"
    stage = "rule"
    answers = False
    heading = "The pairs, the prior of y and the observed x"
    title = "Drag the prior's mean, its spread or x"
    marks: ClassVar[Marks] = (
        *WeightedPairs.pairs,
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
    )

    @classmethod
    def numbers(cls, result: ConditionalResult, rule: KernelBayesRule) -> Numbers:
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

    @classmethod
    def says(cls, result: ConditionalResult) -> str:
        law = result.prior_law
        mean, sd = value_of(result.of_y, law.mean[0]), length_of(result.of_y, law.variances[0] ** 0.5)
        return f"The prior of y has mean {mean} and standard deviation {sd}."


class Posterior(Profile):
    """Prior and posterior of y: by the kernel rule, exactly, and as the article prints the rule."""

    name = "posterior"
    beside = "bayes"
    stage = "densities"
    answers = False
    title = "Prior and posterior"
    marks: ClassVar[Marks] = (
        curve("printed", "harm", width=2, dash="dashed", follows_slider=True, label="as printed"),
        curve("prior", "monkfast", width=2, dash="dashed", follows_slider=True, label="prior"),
        curve("posterior", "skmse", follows_slider=True, label="posterior"),
        curve("exact", "truth", width=2, dash="dotted", follows_slider=True, label="exact"),
    )

    @classmethod
    def numbers(cls, result: ConditionalResult, densities: Mapping[str, Vector]) -> Numbers:
        at, end = result.places[1][:, 0], cls.end(result, densities)
        drawn = {name: within(density, -BELOW * end, 1.02 * end) for name, density in densities.items()}
        return {name: {"x": drawn.get(name, np.full(ACROSS, np.nan)), "y": at} for name in NAMES}

    @staticmethod
    def end(result: ConditionalResult, value: Mapping[str, Vector]) -> float:
        return top(*(density for name, density in value.items() if name != "printed"))


class Predicted(SecondaryPicture):
    """How probable the observed x was before it was seen: the density of x under the prior."""

    name = "predicted"
    beside = "bayes"
    place = "below"
    stage = "predicted"
    answers = False
    height = 190
    x: ClassVar[Axis] = Axis("x", (-1, 1))
    y: ClassVar[Axis] = Axis("density", (-BELOW, 1))
    grounds: ClassVar[Grounds] = (ReferenceLine("kme", y=0),)
    title = "Density of x under the prior"
    marks: ClassVar[Marks] = (
        curve("predicted", "monkfast", width=2.5, follows_slider=True, label="density of x under the prior"),
        vertical_lines("line"),
    )

    @classmethod
    def is_visible(cls, result: ConditionalResult) -> bool:
        """An x given only by its similarities has no density."""
        return super().is_visible(result) and not result.lab.by_gram[0]

    @classmethod
    def numbers(cls, result: ConditionalResult, predicted: Vector) -> Numbers:
        return {"predicted": {"x": result.places[0][:, 0], "y": predicted}, "line": {"x": result.x[0, :1]}}

    @classmethod
    def axes(cls, result: ConditionalResult) -> tuple[str, Axis, Axis]:
        if result.predicted is None:
            return cls.title, cls.x, cls.y
        of, end = result.of_x, top(result.predicted)
        y = Axis("density", (-BELOW * end, 1.02 * end), file_unit_ticks(0.0, end, of.density))
        return cls.title, cls.x.along(of, *map(float, result.pairs.ends[0])), y


class Path(SecondaryPicture):
    """A hidden path over time: beliefs as a strip, their mean, Kalman's band, what was seen, and the truth."""

    name = "filter"
    place = "main"
    stage = "strip"
    answers = False
    height = HEIGHT
    legend = True
    title = "Beliefs about a hidden path"
    x: ClassVar[Axis] = Axis("time", (0.5, FOLLOWED + 0.5))
    y: ClassVar[Axis] = Axis("state", (-3, 3))
    marks: ClassVar[Marks] = (
        field_of("strip", "ground", STATES),
        dots("seen", "kme", marker="x", size=7, width=1.5, label="observed"),
        curve("tracks", "monkfast", y="low", width=1.2, dash="dashed", label="Kalman's filter ± 1 sd"),
        curve("tracks", "monkfast", y="high", width=1.2, dash="dashed", label="Kalman's filter ± 1 sd"),
        curve("tracks", "monkfast", y="kalman", width=2, label="Kalman's filter"),
        curve("tracks", "fkmse", y="kernel", width=2.5, label="kernel filter"),
        curve("tracks", "truth", y="truth", width=2, dash="dotted", label="true path"),
        vertical_lines("now"),
    )

    @classmethod
    def nothing_yet(cls, result: ConditionalResult) -> Numbers:
        """An image, too, which has its size from the first."""
        return {"strip": {"w": np.zeros(STATES * FOLLOWED)}, "ground": _ground(np.arange(2.0))}

    @classmethod
    def numbers(cls, result: ConditionalResult, strip: Matrix) -> Numbers:
        step, t, level = min(result.lab.time, len(strip)), np.arange(1.0, len(strip) + 1), result.levels[:, 0]
        image = np.zeros((STATES, FOLLOWED))
        image[:, :step] = (strip / np.abs(strip).max(axis=1, keepdims=True))[:step].T
        there, (kernel, kalman, sd, _) = t <= step, result.tracks
        tracks = {"truth": result.course.hidden[:, 0], "kernel": kernel, "kalman": kalman}
        tracks |= {"low": kalman - sd, "high": kalman + sd}
        seen = result.course.shown if result.course.shown.shape[1] == 1 and result.lab.path != "rows" else None
        return {
            "strip": {"w": image.ravel()},
            "ground": _ground(level),
            "seen": nothing("x", "y") if seen is None else {"x": t[there], "y": seen[there, 0]},
            "tracks": {"x": t, **{name: np.where(there, values, np.nan) for name, values in tracks.items()}},
            "now": {"x": np.array([float(step)])},
        }

    @classmethod
    def axes(cls, result: ConditionalResult) -> tuple[str, Axis, Axis]:
        if result.strip is None:
            return cls.title, cls.x, cls.y
        return cls.title, cls.x, cls.y.along(result.course.quantity, *levels_of(result))


def levels_of(result: ConditionalResult) -> tuple[float, float]:
    """From where to where the levels of a hidden path go."""
    low, high = result.levels[[0, -1], 0].tolist()
    return low, high


def _ground(levels):
    """Where the strip's image lies."""
    return {k: np.array(v, dtype=float) for k, v in ground(np.arange(1.0, FOLLOWED + 1), levels).items()}


class Belief(Profile):
    """The belief at the chosen time, next to Kalman's and the exact one."""

    name = "belief"
    beside = "filter"
    stage = "strip"
    answers = False
    title = "The belief at this time"
    y: ClassVar[Axis] = Axis("state", (-1, 1))
    marks: ClassVar[Marks] = (
        curve("exact", "truth", width=2, dash="dotted", label="exact belief"),
        curve("kalman", "monkfast", width=2, dash="dashed", label="Kalman's filter"),
        curve("belief", "fkmse", label="kernel filter"),
        dots("truth", "truth", marker="diamond", size=13),
    )

    @classmethod
    def numbers(cls, result: ConditionalResult, strip: Matrix) -> Numbers:
        i, level, tracks = min(result.lab.time, len(strip)) - 1, result.levels[:, 0], result.tracks
        kalman = normal(level, tracks.kalman[i], max(tracks.deviation[i], 1e-9))
        exact = nothing("x", "y") if result.exact_beliefs is None else {"x": result.exact_beliefs[i], "y": level}
        return {
            "belief": {"x": strip[i], "y": level},
            "kalman": {"x": kalman, "y": level},
            "exact": exact,
            "truth": {"x": np.zeros(1), "y": result.course.hidden[i : i + 1, 0]},
        }

    @staticmethod
    def end(result: ConditionalResult, value: Matrix) -> float:
        return top(float(np.quantile(value.max(axis=1), 0.9)))

    @classmethod
    def up(cls, result: ConditionalResult) -> tuple[tuple[float, float], Quantity]:
        return levels_of(result), result.course.quantity


class Missed(SecondaryPicture):
    """How far the mean of each filter is from the true state, time by time."""

    name = "missed"
    beside = "filter"
    place = "below"
    stage = "tracks"
    answers = False
    height = 190
    title = "Distance from the true state"
    x: ClassVar[Axis] = Path.x
    y: ClassVar[Axis] = Axis("distance", (0, 1))
    marks: ClassVar[Marks] = (
        curve("missed", "monkfast", y="kalman", width=2, label="Kalman's filter"),
        curve("missed", "fkmse", y="kernel", width=2.5, label="kernel filter"),
        vertical_lines("now"),
    )

    @classmethod
    def numbers(cls, result: ConditionalResult, tracks: Tracks) -> Numbers:
        kernel, kalman = cls.distances(result, tracks)
        t = np.arange(1.0, len(kernel) + 1)
        there = t <= min(result.lab.time, len(t))
        return {
            "missed": {"x": t, "kernel": np.where(there, kernel, np.nan), "kalman": np.where(there, kalman, np.nan)},
            "now": {"x": t[there][-1:]},
        }

    @staticmethod
    def distances(result: ConditionalResult, tracks: Tracks) -> list[Vector]:
        """|mean - true state| of the kernel filter and of Kalman's, at every time."""
        return [np.abs(track - result.course.hidden[:, 0]) for track in (tracks.kernel, tracks.kalman)]

    @classmethod
    def axes(cls, result: ConditionalResult) -> tuple[str, Axis, Axis]:
        if result.tracks is None:
            return cls.title, cls.x, cls.y
        highest = 1.06 * float(np.max(cls.distances(result, result.tracks)))
        of = result.course.quantity._replace(centre=0.0, dates=False)  # a length
        return cls.title, cls.x, Axis("distance", (0.0, highest), file_unit_ticks(0.0, highest, of))


class Table(SecondaryPicture):
    """The table's prior and posterior of y: bars by the kernel rule, dots by fractions."""

    name = "table"
    place = "beside"
    stage = "rules"
    answers = False
    height = HEIGHT
    legend = True
    title = "Prior and posterior of y"
    x: ClassVar[Axis] = Axis("probability", (0, 1.05))
    y: ClassVar[Axis] = Axis("y", (5.6, 0.4))
    marks: ClassVar[Marks] = (
        bars_across("bars", "skmse", right="posterior", breadth=0.5, fill=0.9, label="kernel rule"),
        dots("bars", "monkfast", "prior", marker="square", size=12, fill=0, width=2, label="prior"),
        dots("bars", "truth", "exact", size=9, label="fractions"),
    )

    @classmethod
    def numbers(cls, result: ConditionalResult, rules: tuple[TableRules, TableRules]) -> Numbers:
        exact, ours = (each.posterior for each in rules)
        y, prior = np.arange(1.0, len(exact) + 1), result.lab.table_prior
        return {"bars": {"y": y, "prior": prior, "posterior": ours, "exact": exact}}

    @classmethod
    def axes(cls, result: ConditionalResult) -> tuple[str, Axis, Axis]:
        if result.rules is None:
            return cls.title, cls.x, cls.y
        q = len(result.lab.table_prior)
        return cls.title, cls.x, Axis("y", (q + 0.6, 0.4), {k: f"y = {k}" for k in range(1, q + 1)})


PICTURES = (Cut, Density, Score, Bayes, Posterior, Predicted, Path, Belief, Missed, Table, *TREES)
