"""Presets and stories as data: states of a lab, a question about each, and how one guesses before one looks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.languages import translate

from .numbers import format_number, percent

if TYPE_CHECKING:
    from .prose import Attempt


@dataclass(frozen=True)
class Preset:
    """`fields` differ from the lab's defaults; `effect` of the result lies within [at_least, at_most].

    `then` is what to try from there, in words, and the fields that it sets; without it the lab proposes what it does in
    any state. `was` is the name that it had in older links.

    >>> from explorer.labs.shrinkage import ShrinkageLab
    >>> from explorer.workbench import Preset
    >>> preset = Preset("Ten points", "With 10 points shrinking pays.", {"n": 10}, "S-KMSE's gain", at_least=0.1)
    >>> result = ShrinkageLab(**preset.fields).result()
    >>> preset.at_least <= result.effects[preset.effect] <= preset.at_most
    True
    """

    name: str
    says: str
    fields: dict[str, Any]
    effect: str
    at_least: float = float("-inf")
    at_most: float = float("inf")
    then: Attempt | None = None
    was: str = ""


@dataclass(frozen=True)
class Choose:
    """A guess among a few words, in the order of a number of the result.

    The first word is right up to and including cuts[0], the next one up to cuts[1], the last one beyond all cuts.

    >>> from types import SimpleNamespace
    >>> from explorer.workbench import Choose
    >>> guess = Choose(lambda result: result.saved, ("less than half", "more than half"), (0.5,))
    >>> truth = guess.truth(SimpleNamespace(saved=0.7))
    >>> guess.words[truth], guess.verdict(0, truth)
    ('more than half', (False, 'Not quite.'))
    """

    number: Callable[[Any], float | None]
    words: tuple[str, ...]
    cuts: tuple[float, ...]

    def truth(self, result: Any) -> int | None:
        """The place of the right word; None while its number is still being computed."""
        value = self.number(result)
        return None if value is None else bisect_left(self.cuts, value)

    def verdict(self, guess: int, truth: int) -> tuple[bool, str]:
        """(whether the guess is right, that in words)."""
        right = guess == truth
        return right, translate("Right." if right else "Not quite.")


@dataclass(frozen=True)
class Scale:
    """Where a number is placed by hand: its stops, how they are written, and a distance on it in words."""

    stops: tuple[float, ...]
    write: Callable[[float], str]
    apart: Callable[[float, float], str]

    def part(self, value: float) -> float:
        """How far along the scale a value lies, from 0 to 1, its stops at equal distances."""
        right = min(max(bisect_left(self.stops, value), 1), len(self.stops) - 1)
        low, high = self.stops[right - 1 : right + 1]
        return min(max((right - 1 + (value - low) / (high - low)) / (len(self.stops) - 1), 0.0), 1.0)

    def nearest(self, value: float) -> int:
        """The stop next to a value."""
        return min(range(len(self.stops)), key=lambda i: abs(self.part(self.stops[i]) - self.part(value)))


def _points(guess, truth):
    """A distance of shares, in points of a percentage."""
    points, high = round(100 * abs(guess - truth)), guess > truth
    if points == 1:
        return translate("1 percentage point too high") if high else translate("1 percentage point too low")
    return translate("{} percentage points too high" if high else "{} percentage points too low", points)


def _times(guess, truth):
    """A distance of numbers above 0, as a ratio."""
    times = format_number(float(f"{max(guess, truth) / min(guess, truth):.2g}"))
    return translate("{} times too large" if guess > truth else "{} times too small", times)


def _plainly(guess, truth):
    """A distance of plain numbers."""
    return translate("{} too large" if guess > truth else "{} too small", format_number(abs(guess - truth)))


def values(low: float, high: float, steps: int, write: Callable[[float], str] = format_number) -> Scale:
    """A Scale of plain numbers from low to high."""
    stops = tuple(low + (high - low) * i / steps for i in range(steps + 1))
    return Scale(stops, lambda value: write(value).replace("-", "−"), _plainly)


SHARES = Scale(tuple(i / 20 for i in range(21)), percent, _points)
P_VALUES = Scale((0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0), format_number, _times)


@dataclass(frozen=True)
class Place:
    """A guess placed on a Scale; `number` gives the truth, and `name` says what it is.

    >>> from types import SimpleNamespace
    >>> from explorer.workbench import Place
    >>> guess = Place(lambda result: result.saved, "the share that is saved")
    >>> truth = guess.truth(SimpleNamespace(saved=0.72))
    >>> guess.scale.nearest(truth), guess.verdict(10, truth)
    (14, (False, 'Not quite: it is 72 %. Your guess of 50 % was 22 percentage points too low.'))
    """

    number: Callable[[Any], float | None]
    name: str
    scale: Scale = SHARES

    def truth(self, result: Any) -> float | None:
        """The number itself; None while it is still being computed."""
        value = self.number(result)
        return None if value is None else float(value)

    def verdict(self, guess: int, truth: float) -> tuple[bool, str]:
        """(whether no stop lies nearer to the truth than the guess, and by how much it is off, in words)."""
        scale, placed = self.scale, self.scale.stops[guess]
        there = scale.write(truth)
        if scale.nearest(truth) == guess:
            return True, translate("Right: it is {}, and your mark is the nearest one.", there)
        apart = scale.apart(placed, truth)
        return False, translate("Not quite: it is {}. Your guess of {} was {}.", there, scale.write(placed), apart)


@dataclass(frozen=True)
class Step:
    """A state, by the fields that differ from the lab's defaults, a question to answer before one looks, the answer,
    and how one guesses it.

    The answer's {name} are numbers of the result, from its `told` words: none is typed in. It stands alone, after
    "Right." or "Not quite." A step that is `large` speaks of the first picture beside the large one, and not of the
    small one below.

    >>> from explorer.workbench import Choose, Step
    >>> guess = Choose(lambda result: result.saved, ("less", "more"), (0.5,))
    >>> step = Step("Is more than half saved?", "With ten points {saved} is saved.", {"n": 10}, guess)
    >>> step.asks, step.guess.words, step.fields
    ('Is more than half saved?', ('less', 'more'), {'n': 10})
    """

    asks: str
    says: str
    fields: dict[str, Any]
    guess: Choose | Place | None = None
    large: bool = False


@dataclass(frozen=True)
class Story:
    """Some steps under one title; `key` names it in a link: ?story=key&step=1, and `was` in an older one.

    >>> from explorer.workbench import Step, Story
    >>> steps = (
    ...     Step("What does a wide kernel see?", "It sees the mean alone.", {"bandwidth": 10.0}),
    ...     Step("And a narrow one?", "It sees single points.", {"bandwidth": 0.1}),
    ... )
    >>> story = Story("bandwidth", "What a bandwidth decides", steps)
    >>> story.key, [step.fields["bandwidth"] for step in story.steps]
    ('bandwidth', [10.0, 0.1])
    """

    key: str
    title: str
    steps: tuple[Step, ...]
    was: str = ""


def find(stories: Sequence[Story], key: str, step: str) -> tuple[Story, int]:
    """The story and the step, counted from 0, that the words of a link name; ValueError where there is none."""
    story = next((each for each in stories if key in (each.key, each.was)), None)
    if story is None:
        known = ", ".join(each.key for each in stories)
        raise Refusal(f"There is no story '{key}' here; the stories are {known}.")
    steps = len(story.steps)
    if not (step.isdecimal() and 1 <= int(step) <= steps):
        raise Refusal(f"The story '{key}' has steps 1 to {steps}, and '{step}' is none of them.")
    return story, int(step) - 1
