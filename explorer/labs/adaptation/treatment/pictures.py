"""Pictures of a treatment: both groups, their outcomes before and after reweighting, and the effect over the shift."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.labs.adaptation.lab import FARTHEST
from explorer.languages import translate
from explorer.marks import (
    Axis,
    Picture,
    ReferenceLine,
    SecondaryPicture,
    SliderColumn,
    Sources,
    by,
    curve,
    dots,
    nice_ticks,
    vertical_lines,
)
from explorer.marks.axes import file_unit_ticks
from explorer.marks.mark import Numbers
from explorer.marks.profiles import top
from explorer.printing import format_number, join_list, short_names

from .outcomes import ACROSS, ALONG

if TYPE_CHECKING:
    from explorer.labs.adaptation.result import AdaptationResult
    from explorer.marks import Mark

    from .outcomes import Outcomes


# diameters in px: weight 1 (the area grows with the weight), smallest, largest
DOT, SMALLEST, LARGEST = 11.0, 3.0, 40.0
GRIP = 0.03  # height of the groups' drag handle above the bottom, as a share of the frame
BOTH = "Both groups, and the outcome over x in each"
KEYS = ("treated", "controls")  # suffixes of the two arms' sources
KINDS = ("naive", "found", "exact")  # kinds of densities, prefixes of their sources
COLOURS = dict(zip(KEYS, ("monkfast", "kme"), strict=True))


def arm_called(place: int, words: str = "{}") -> Callable[..., Any]:
    """Return a function of the result that labels a mark by an arm."""
    return lambda result: words.format(short_names(result.groups.arm_names)[place])


def both(name: str, words: str = "", key: str | None = None, **options: Any) -> tuple[Mark, ...]:
    """Return a curve for each arm in the arm's colour, labelled by `words`, and by `key` in the legend."""
    called: list[dict[str, Any]] = [
        {"label": arm_called(place, words), "key": key} if words else {} for place in (0, 1)
    ]
    return tuple(
        curve(f"{name}_{arm}", COLOURS[arm], follows_slider=True, **options, **each)
        for arm, each in zip(KEYS, called, strict=True)
    )


def arms_sides(result: AdaptationResult, outcomes: Outcomes) -> tuple[Axis, Axis]:
    """Return both axes about the frame."""
    of, (across, up) = result.groups.quantities, result.box
    return arms.x.along(of[0], *across), arms.y.along(of[-1], *up)


def arms_words(result: AdaptationResult) -> str:
    """Return a sentence with the effective sizes of both arms."""
    treated, controls = (format_number(float(size)) for size in result.outcomes.sizes)
    if result.outcomes.refused:
        return translate("The groups do not overlap, so no row has a weight.")
    return translate("Reweighted to everybody, the groups count as {} and {} rows of equal weight.", treated, controls)


@Picture(
    "groups",
    slot="main",
    stage="outcomes",
    title=BOTH,
    height=390,
    x=Axis("x", (-1, 1)),
    y=Axis("y", (-1, 1)),
    marks=(
        dots("controls", "kme", size=4, fill=0.8, width=0, follows_slider=True, label=arm_called(1)),
        dots(
            "treated",
            "monkfast",
            marker="inverted_triangle",
            size=6,
            fill=0.1,
            follows_slider=True,
            label=arm_called(0),
        ),
        dots("controls", "kme", size=by("size"), fill=0.25, follows_slider=True),
        dots(
            "treated", "monkfast", size=by("size"), fill=0.25, follows_slider=True, label="weight for everybody (area)"
        ),
        dots("controls", "harm", size=by("down"), fill=0, width=1.2, follows_slider=True),
        dots("treated", "harm", size=by("down"), fill=0, width=1.2, follows_slider=True, label="negative weight"),
        *both("true", width=2, dash="dotted"),
        *both("line", width=2.5, is_story_answer=True),
        dots("grip", "monkfast", marker="diamond", size=20, fill=0.6, width=2, follows_slider=True),
    ),
    choice="treatment",
    sides=arms_sides,
    description=arms_words,
)
def arms(result: AdaptationResult, outcomes: Outcomes) -> Sources:
    """Draw outcome over covariate in both groups, the weights as areas, and the regression in each group."""
    (low, high), (bottom, end) = result.box
    rows, x = result.treatment_rows, np.linspace(low, high, ALONG)
    drawn: Numbers = {}
    if result.lab.change:
        places = np.clip([shift / 2 for shift in result.shown_shifts], low, high)
        drawn["grip"] = {"x": SliderColumn.of(places), "y": np.array([bottom + GRIP * (end - bottom)])}
    for place, key in enumerate(KEYS):
        chosen = [each.groups.treated == (key == "treated") for each in rows]
        weights = np.array([each.weights[which] for each, which in zip(rows, chosen, strict=True)])
        size, down = (DOT * np.sqrt(np.maximum(sign * weights, 0)) for sign in (1, -1))
        drawn[key] = {
            "x": SliderColumn(np.array([each.groups.X[which, 0] for each, which in zip(rows, chosen, strict=True)])),
            "y": SliderColumn(np.array([each.groups.y[which] for each, which in zip(rows, chosen, strict=True)])),
            "size": SliderColumn(np.minimum(size, LARGEST)),
            "down": SliderColumn(np.where(down < SMALLEST, 0.0, np.minimum(down, LARGEST))),
        }
        lines = np.array([each.lines[place] for each in rows])
        drawn[f"line_{key}"] = {
            "x": x,
            "y": SliderColumn(np.where((lines > bottom) & (lines < end), lines, np.nan)),
        }
        true = np.full((1, ALONG), np.nan)
        if result.lab.change:
            true = np.array([each.true_lines[place] for each in rows])
        drawn[f"true_{key}"] = {"x": x, "y": SliderColumn(np.where((true > bottom) & (true < end), true, np.nan))}
    return drawn


def end_of(result: AdaptationResult) -> float:
    """Return the end of the density axis. It is the same for many states."""
    return top(*(each[np.isfinite(each)] for each in result.outcomes.densities if np.isfinite(each).any()))


def outcomes_of_all_sides(result: AdaptationResult, outcomes: Outcomes) -> tuple[Axis, Axis]:
    """Return both axes."""
    of, end = result.groups.quantities[-1], end_of(result)
    y = Axis("density", (-0.06 * end, end), file_unit_ticks(0.0, end, of.density))
    return outcomes_of_all.x.along(of, *result.box[1]), y


def outcomes_of_all_words(result: AdaptationResult) -> str:
    """Return a sentence with the means before and after reweighting."""
    outcomes = result.outcomes
    naive, found = (
        join_list([format_number(float(mean)) for mean in each]) for each in (outcomes.naive, outcomes.means)
    )
    if outcomes.refused:
        return translate("The unweighted means are {}. Without overlap there are no reweighted ones.", naive)
    return translate("The means are {} unweighted, and {} reweighted to everybody.", naive, found)


@SecondaryPicture(
    "treatment",
    stage="outcomes",
    height=250,
    title="Densities of the outcome in both arms",
    x=Axis("y", (-1, 1)),
    y=Axis("density", (0, 1)),
    marks=(
        *both("naive", width=1.5, dash="dashed", words="{}, unweighted", key="unweighted"),
        *both("exact", width=2, dash="dotted", words="everybody as {}, exact", key="exact"),
        *both("found", is_story_answer=True, words="everybody as {}"),
        dots("mean_controls", "kme", size=11, fill=0.9, follows_slider=True, is_story_answer=True),
        dots(
            "mean_treated",
            "monkfast",
            marker="inverted_triangle",
            size=11,
            fill=0.9,
            follows_slider=True,
            is_story_answer=True,
        ),
    ),
    sides=outcomes_of_all_sides,
    description=outcomes_of_all_words,
)
def outcomes_of_all(result: AdaptationResult, outcomes: Outcomes) -> Sources:
    """Draw densities of the outcome in both arms: unweighted, reweighted to everybody, and true."""
    rows, at, end = result.treatment_rows, np.linspace(*result.box[1], ACROSS), end_of(result)
    drawn: Numbers = {}
    for place, key in enumerate(KEYS):
        for k, kind in enumerate(KINDS):
            densities = np.array([each.densities[k][place] for each in rows])
            drawn[f"{kind}_{key}"] = {"x": at, "y": SliderColumn(np.where(densities < end, densities, np.nan))}
        means = np.clip([each.means[place] for each in rows], at[0], at[-1])
        drawn[f"mean_{key}"] = {"x": SliderColumn.of(means), "y": np.zeros(1)}
    return drawn


def effects_sides(result: AdaptationResult, treatments: Sequence[Outcomes]) -> tuple[Axis, Axis]:
    """Return both axes, which include 0 and the current shift."""
    values = np.array([(each.gap, each.effect, each.true_effect) for each in treatments])
    low, high = min(float(np.nanmin(values)), 0.0), max(float(np.nanmax(values)), 0.0)
    room = 0.08 * (high - low) + 1e-9
    y = effects.y._replace(range=(low - room, high + room), ticks=nice_ticks(low - room, high + room, 4))
    ends = (min(effects.x.range[0], result.lab.shift), max(effects.x.range[1], result.lab.shift))
    return effects.x._replace(range=ends), y


@SecondaryPicture(
    choice="treatment",
    slot="beside",
    stage="treatments",
    slider_line="line",
    height=230,
    title="Difference in mean y",
    x=Axis("shift of the treated", (-0.05, FARTHEST + 0.05), {v: f"{v}" for v in (0, 1, 2, 3)}),
    y=Axis("", (-1, 1)),
    background=(ReferenceLine("kme", y=0),),
    marks=(
        curve("curves", "kme", y="naive", width=2, dash="dashed", label="unweighted difference"),
        curve("curves", "truth", y="true", width=2, dash="dotted", label="true effect"),
        curve("curves", "skmse", y="found", label="reweighted difference"),
        vertical_lines("line"),
    ),
    when=lambda result: result.lab.change is not None,
    sides=effects_sides,
)
def effects(result: AdaptationResult, treatments: Sequence[Outcomes]) -> Sources:
    """Draw difference in means over the distance between the groups: unweighted, reweighted, and true."""
    found = {
        "naive": np.array([each.gap for each in treatments]),
        "found": np.array([each.effect for each in treatments]),
        "true": np.array([each.true_effect for each in treatments]),
    }
    return {
        "curves": {"x": np.array(result.lab.default_stops), **found},
        "line": {"x": SliderColumn.of(result.shown_shifts)},
    }


TREATMENT = (arms, effects, outcomes_of_all)
