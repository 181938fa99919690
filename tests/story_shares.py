"""Count how many other samples give the answer of a story's step: `python tests/story_shares.py LAB [STORY [STEP]]`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from unittest.mock import patch

from every_lab import ALL, ROWS, lab_of

from explorer.checks import Refusal
from explorer.workbench.content import content_of
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import deferred
from explorer.workbench.stories import SAMPLES, Choose

MOST = 90  # up to this many of 100 samples with the answer, the answer has to tell how many


def has_other_samples(name, step):
    """Return whether another seed changes what the step's guess is about: it has answers, and the lab draws samples."""
    lab = lab_of(name, **step.fields)
    return isinstance(step.guess, Choose) and "seed" in type(lab).fields and _is_random(lab)


def _is_random(lab):
    """Return whether the lab draws its sample, instead of taking all rows of a bundled table."""
    source = getattr(lab, "source", None)
    return source not in ("wine", "wdbc", "eckerle4")


def answer(name, fields, guess):
    """Return the position of the right answer in a state; only deferred stages that the guess reads are computed."""
    lab, missing, read = lab_of(name, **fields), [], deferred.__get__

    def recorded(stage, result, owner=None):
        value = read(stage, result, owner)
        if result is not None and value is None:
            missing.append(stage.name)
        return value

    finished, listed = set(), ROWS[name].stories
    while True:
        missing.clear()
        with patch.object(deferred, "__get__", recorded):
            truth = guess.truth(lab.result())
        if truth is not None:
            return truth
        # the stages that stories need come first: some guesses read the slider's whole table if they are missing
        wanted = [each for each in (*(() if listed == ALL else listed), *missing[::-1]) if each not in finished]
        finished.add(wanted[0])
        lab.work().finish(wanted[0])


def other_answers(name, step, count=SAMPLES) -> Iterator[bool]:
    """Yield for each further sample whether it gives the answer of the step's own sample."""
    own = answer(name, step.fields, step.guess)
    seed = lab_of(name, **step.fields).seed
    for i in range(count):
        with suppress(Refusal):  # a sample at which the step's state is refused counts neither way
            yield answer(name, {**step.fields, "seed": further_seed(seed, i)}, step.guess) == own


def main(name, key="", place=""):
    """Print the number of each step, and whether its content has it."""
    for story in content_of(name).stories:
        for i, step in enumerate(story.steps, 1):
            if key in ("", story.key) and place in ("", str(i)) and has_other_samples(name, step):
                same = sum(other_answers(name, step))
                told = step.in_samples
                verdict = "" if told == same or (told is None and same > MOST) else f"  <- in_samples = {told}"
                print(f"{name} {story.key} {i}: {same} of {SAMPLES}{verdict}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
