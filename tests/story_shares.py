"""Count in how many other samples a preset's claim and a step's answer hold: `python tests/story_shares.py LAB [NAME]`.

NAME is the name of a preset or the key of a story.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from unittest.mock import patch

from every_lab import ALL, ROWS, lab_of

from explorer.checks import Refusal
from explorer.workbench.content import content_of
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import deferred, effect, members
from explorer.workbench.stories import SAMPLES, Choose

MOST = 90  # up to this many of 100 samples, the sentence has to tell how many
SLOW = {"sweep"}  # every sample of a sweep's preset is hundreds of results of another lab, and its cells are medians


def has_other_samples(name, step):
    """Return whether another seed changes what the step's guess is about: it has answers, and the lab draws samples."""
    lab = lab_of(name, **step.fields)
    return isinstance(step.guess, Choose) and "seed" in type(lab).fields and _is_random(lab)


def _is_random(lab):
    """Return whether the lab draws its sample, instead of taking all rows of a bundled table."""
    source = getattr(lab, "source", None)
    return source not in ("wine", "wdbc", "eckerle4")


def is_drawn(name, preset):
    """Return whether another seed gives a preset another sample, or other permutations, that can be computed here."""
    lab = lab_of(name, **preset.fields)
    return name not in SLOW and "seed" in type(lab).fields and getattr(lab, "source", None) != "splice"


def computed(name, fields, read, first=()):
    """Return what `read` finds in a state's result; only deferred stages that it reads are computed, `first` first."""
    lab, missing, get = lab_of(name, **fields), [], deferred.__get__

    def recorded(stage, result, owner=None):
        value = get(stage, result, owner)
        if result is not None and value is None:
            missing.append(stage.name)
        return value

    finished = set()
    while True:
        missing.clear()
        with patch.object(deferred, "__get__", recorded):
            value = read(lab.result())
        if value is not None and value == value:
            return value
        wanted = [each for each in (*first, *missing[::-1]) if each not in finished]
        finished.add(wanted[0])
        lab.work().finish(wanted[0])


def answer(name, fields, guess):
    """Return the position of the right answer in a state."""
    # the stages that stories need come first: some guesses read the slider's whole table if they are missing
    listed = ROWS[name].stories
    return computed(name, fields, guess.truth, () if listed == ALL else listed)


def effect_of(name, fields, told):
    """Return the effect of a name in a state."""
    kinds = members(lab_of(name).result_class, effect)
    (attribute,) = (attribute for attribute, each in kinds.items() if each.name == told)
    return computed(name, fields, lambda result: getattr(result, attribute))


def other_samples(name, fields, holds, count=SAMPLES) -> Iterator[bool]:
    """Yield for each further sample of a state whether `holds`, called with its fields, is true."""
    seed = lab_of(name, **fields).seed
    for i in range(count):
        with suppress(Refusal):  # a sample at which the state is refused counts neither way
            yield holds({**fields, "seed": further_seed(seed, i)})


def other_answers(name, step, count=SAMPLES) -> Iterator[bool]:
    """Yield for each further sample whether it gives the answer of the step's own sample."""
    own = answer(name, step.fields, step.guess)
    return other_samples(name, step.fields, lambda fields: answer(name, fields, step.guess) == own, count)


def other_effects(name, preset, count=SAMPLES) -> Iterator[bool]:
    """Yield for each further sample whether the preset's claim holds."""

    def holds(fields):
        return preset.is_claimed(effect_of(name, fields, preset.effect))

    return other_samples(name, preset.fields, holds, count)


def _print(label, same, told):
    """Print how many samples hold, and what the content tells if it differs."""
    same = list(same)
    share = round(SAMPLES * sum(same) / len(same))
    verdict = "" if told == share or (told is None and share > MOST) else f"  <- in_samples = {told}"
    print(f"{label}: {sum(same)} of {len(same)}{verdict}", flush=True)  # noqa: T201


def main(name, key=""):
    """Print the number of each preset and step, and whether its content has it."""
    for preset in content_of(name).presets:
        if key in ("", preset.name) and is_drawn(name, preset):
            _print(f"{name}, {preset.name}", other_effects(name, preset), preset.in_samples)
    for story in content_of(name).stories:
        for i, step in enumerate(story.steps, 1):
            if key in ("", story.key) and has_other_samples(name, step):
                _print(f"{name} {story.key} {i}", other_answers(name, step), step.in_samples)


if __name__ == "__main__":
    main(*sys.argv[1:])
