"""The essay "Learnt here, used there": weights that match kernel means, and what they cannot repair."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.labs.adaptation import figures
from explorer.labs.adaptation.treatment import pictures as treatment
from explorer.printing import percent
from explorer.svg import thumbnail
from explorer.workbench.numbers import compared
from explorer.workbench.registry import entry

from .essay import Essay, draw, result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from explorer.markup import Markup
    from explorer.types import Mask, Matrix

SHIFT, FARTHER, BEYOND = 1.0, 3.0, 6.0  # distances of the target, in units of x
HERE = (0.0, 0.2, 0.4, 0.6, 0.8, SHIFT)
FAR = (SHIFT, 1.4, 1.8, 2.2, 2.6, FARTHER)
OVER = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
BOUNDED: Mapping[str, Any] = {"bound": 3.0, "picture": "bound"}
CONCEPT: Mapping[str, Any] = {"source": "concept"}
ILL = 1.5  # distance of the treated from the controls
TREATED: Mapping[str, Any] = {"picture": "treatment", "shift": ILL, "bandwidth": 1.0}
HIDDEN: Mapping[str, Any] = {**TREATED, "hidden": 1.5}
MORE_ILL = (0.0, 0.3, 0.6, 0.9, 1.2, ILL)
CLOSE, SAMPLES = 0.25, 100

plane = replace(figures.plane, title="Here (source) and there (target)")  # the lab's title is too long


@cache
def state(**fields: Any) -> Any:
    """Return a state of the lab; by default that in which the essay ends."""
    return result_of("adaptation", **fields)


def _over(picture: Any, result: Any, shifts: Sequence[float]) -> list[Markup]:
    """Draw a picture of a state at some shifts."""
    return [draw(picture, result.at(shift)) for shift in shifts]


@cache
def wins(shift: float) -> Mask:
    """Return in which of SAMPLES other samples weights lower the squared error on the target."""
    samples = [entry("adaptation").lab(shift=shift, seed=1000 + seed).result() for seed in range(SAMPLES)]
    return np.array([each.fit.error < each.before[1] for each in samples])


@cache
def differences() -> Matrix:
    """Return the weighted and the unweighted difference of both groups in SAMPLES other samples, shape (SAMPLES, 2)."""
    labs = (entry("adaptation").lab(**TREATED, seed=1000 + seed) for seed in range(SAMPLES))
    outcomes = [each.result().outcomes for each in labs]
    return np.array([(each.effect, each.gap) for each in outcomes])


def cover() -> Markup:
    """Draw source and target."""
    return thumbnail(plane, state(), "A line that is learnt from weighted points")


def prose_values() -> Mapping[str, Any]:
    """Return the numbers of the essay."""
    here, far, beyond = state(), state().at(FARTHER), state(shift=BEYOND)
    bounded, concept = state(**BOUNDED), state(**CONCEPT)
    treated, hidden = state(**TREATED).outcomes, state(**HIDDEN).outcomes
    near = (np.abs(differences() - treated.true_effect) <= CLOSE).sum(axis=0)
    return {
        "n": here.lab.n,
        "before": here.plain_error,
        "error": here.error,
        "gain": compared(here.effect_gain).share,
        "shift": SHIFT,
        "size": here.count,
        "farther": FARTHER,
        "size_far": far.fit.size,
        "samples": SAMPLES,
        "wins": int(wins(SHIFT).sum()),
        "wins_far": int(wins(FARTHER).sum()),
        "beyond": BEYOND,
        "unmatched": percent(beyond.unmatched),
        "bound": BOUNDED["bound"],
        "size_bound": bounded.count,
        "gain_bound": compared(bounded.effect_gain).share,
        "gain_concept": compared(concept.effect_gain).share,
        "gap_size": abs(treated.gap),
        "effect": treated.effect,
        "true": treated.true_effect,
        "close": CLOSE,
        "near": near[0],
        "near_gap": near[1],
        "effect_hidden": hidden.effect,
    }


SCENES: Mapping[str, Callable[[], list[Markup]]] = {
    "here": lambda: _over(plane, state(), HERE),
    "far": lambda: _over(plane, state(), FAR),
    "over": lambda: _over(figures.over_shift, state(), OVER),
    "bounded": lambda: [draw(figures.over_bound, state(**BOUNDED))],
    "concept": lambda: _over(plane, state(**CONCEPT), HERE),
    "groups": lambda: _over(treatment.arms, state(**TREATED), MORE_ILL),
    "alike": lambda: _over(treatment.outcomes_of_all, state(**TREATED), MORE_ILL),
    "hidden": lambda: _over(treatment.effects, state(**HIDDEN), MORE_ILL),
}

ESSAY = Essay(
    Path(__file__).with_name("learnt-here-used-there.md"),
    SCENES,
    cover,
    prose_values,
    lab="adaptation",
    preset="Covariate shift",
    lesson=13,
    names=("CovariateShift", "counterfactual_mean", "treatment_test"),
)
