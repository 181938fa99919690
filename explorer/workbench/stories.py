"""Presets and stories as data: states of a lab, a question about each, and how the reader guesses the answer."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.languages import translate, translate_plural

from .numbers import format_number, percent

if TYPE_CHECKING:
    from .prose import Attempt


@dataclass(frozen=True)
class Preset:
    """A state of a lab with a claim: `effect` of its result lies within [at_least, at_most].

    The bounds are those that its sentence tells, because `in_samples` counts by them.

    Parameters
    ----------
    name : str
        Its label.
    says : str
        What the state shows, in a sentence.
    fields : dict
        The fields that differ from the lab's defaults.
    effect : str
        Name of the effect.
    at_least, at_most : float
        Bounds of the effect.
    then : tuple or None, default None
        What to try next: a label, and the fields that it sets. Without it the lab suggests what it suggests in any
        state.
    was : str, default ""
        Its name in older links.
    in_samples : int or None, default None
        In how many of the state's next 100 samples the claim holds as well. The sentence then says so. None if it holds
        in nearly all of them: a test requires the number up to 90. `python tests/story_shares.py LAB` counts.

    Examples
    --------
    >>> from explorer.labs.shrinkage import ShrinkageLab
    >>> from explorer.workbench import Preset
    >>> preset = Preset("Ten points", "With 10 points shrinking pays.", {"n": 10}, "S-KMSE's gain", at_least=0.1)
    >>> result = ShrinkageLab(**preset.fields).result()
    >>> preset.is_claimed(result.effects[preset.effect])
    True
    >>> Preset("Ten points", "Here shrinking pays.", {"n": 10}, "S-KMSE's gain", 0.1, in_samples=77).sentence()
    'Here shrinking pays. Of 100 other samples, 77 show this.'
    """

    name: str
    says: str
    fields: dict[str, Any]
    effect: str
    at_least: float = float("-inf")
    at_most: float = float("inf")
    then: Attempt | None = None
    was: str = ""
    in_samples: int | None = None

    def is_claimed(self, value: float) -> bool:
        """Return whether the claim holds if the effect has this value.

        Parameters
        ----------
        value : float
            The effect.

        Returns
        -------
        bool
            Whether it lies within the bounds.
        """
        return self.at_least <= value <= self.at_most

    def sentence(self) -> str:
        """Return the translated sentence, and after it how many other samples show the same.

        Returns
        -------
        str
            The sentence.
        """
        share = translate_plural(
            "Of {} other samples, {} shows this.",
            "Of {} other samples, {} show this.",
            self.in_samples or 0,
            SAMPLES,
            self.in_samples,
        )
        return _with_share(translate(self.says), self.in_samples, share)


def _with_share(text, in_samples, share):
    """Return a text, and after it in how many other samples it holds, if that is stated."""
    return text if in_samples is None else f"{text} {share}"


@dataclass(frozen=True)
class Choose:
    """A guess among a few answers, ordered by a number of the result.

    The first answer is right up to and including cuts[0], the next one up to cuts[1], the last one beyond all cuts.

    Parameters
    ----------
    number : callable
        Takes the result and returns the number, or None while it is being computed.
    words : tuple of str
        The answers.
    cuts : tuple of float
        The boundaries between them.

    Examples
    --------
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
        """Return the position of the right answer, or None while its number is being computed.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        int or None
            The position.
        """
        value = self.number(result)
        return None if value is None else bisect_left(self.cuts, value)

    def verdict(self, guess: int, truth: int) -> tuple[bool, str]:
        """Return whether the guess is right, and that in words.

        Parameters
        ----------
        guess, truth : int
            Positions of the guess and of the right answer.

        Returns
        -------
        right : bool
            Whether they are equal.
        words : str
            The translated verdict.
        """
        right = guess == truth
        return right, translate("Right." if right else "Not quite.")


@dataclass(frozen=True)
class Scale:
    """A scale on which the reader places a number.

    Attributes
    ----------
    stops : tuple of float
        Its stops.
    write : callable
        Formats a number.
    apart : callable
        Takes the guess and the truth and returns their distance as text.
    """

    stops: tuple[float, ...]
    write: Callable[[float], str]
    apart: Callable[[float, float], str]

    def part(self, value: float) -> float:
        """Return the position of a value along the scale, from 0 to 1, its stops at equal distances."""
        right = min(max(bisect_left(self.stops, value), 1), len(self.stops) - 1)
        low, high = self.stops[right - 1 : right + 1]
        return min(max((right - 1 + (value - low) / (high - low)) / (len(self.stops) - 1), 0.0), 1.0)

    def nearest(self, value: float) -> int:
        """Return the position of the stop nearest to a value."""
        return min(range(len(self.stops)), key=lambda i: abs(self.part(self.stops[i]) - self.part(value)))


def _points(guess, truth):
    """Return a distance of shares, in percentage points."""
    points, high = round(100 * abs(guess - truth)), guess > truth
    if points == 1:
        return translate("1 percentage point too high") if high else translate("1 percentage point too low")
    return translate("{} percentage points too high" if high else "{} percentage points too low", points)


def _times(guess, truth):
    """Return a distance of numbers above 0, as a ratio."""
    times = format_number(float(f"{max(guess, truth) / min(guess, truth):.2g}"))
    return translate("{} times too large" if guess > truth else "{} times too small", times)


def _plainly(guess, truth):
    """Return a distance of plain numbers."""
    return translate("{} too large" if guess > truth else "{} too small", format_number(abs(guess - truth)))


def values(low: float, high: float, steps: int, write: Callable[[float], str] = format_number) -> Scale:
    """Return a Scale of plain numbers.

    Parameters
    ----------
    low, high : float
        Its ends.
    steps : int
        Number of steps between them.
    write : callable, default format_number
        Formats a number.

    Returns
    -------
    Scale
        The scale.
    """
    stops = tuple(low + (high - low) * i / steps for i in range(steps + 1))
    return Scale(stops, lambda value: write(value).replace("-", "−"), _plainly)


SHARES = Scale(tuple(i / 20 for i in range(21)), percent, _points)
SAMPLES = 100  # other samples over which `in_samples` of a preset and of a step counts
P_VALUES = Scale((0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0), format_number, _times)


@dataclass(frozen=True)
class Place:
    """A guess placed on a Scale.

    Parameters
    ----------
    number : callable
        Takes the result and returns the truth, or None while it is being computed.
    name : str
        What the number is.
    scale : Scale, default SHARES
        The scale.

    Examples
    --------
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
        """Return the number, or None while it is being computed.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        float or None
            The number.
        """
        value = self.number(result)
        return None if value is None else float(value)

    def verdict(self, guess: int, truth: float) -> tuple[bool, str]:
        """Return whether the guess is the stop nearest to the truth, and how far off it is in words.

        Parameters
        ----------
        guess : int
            Position of the guess on the scale.
        truth : float
            The number.

        Returns
        -------
        right : bool
            Whether no stop is nearer.
        words : str
            The translated verdict.
        """
        scale, placed = self.scale, self.scale.stops[guess]
        there = scale.write(truth)
        if scale.nearest(truth) == guess:
            return True, translate("Right: it is {}, and your mark is the nearest one.", there)
        apart = scale.apart(placed, truth)
        return False, translate("Not quite: it is {}. Your guess of {} was {}.", there, scale.write(placed), apart)


@dataclass(frozen=True)
class Step:
    """A state with a question that the reader answers before the result is shown.

    The {name}s of the answer are numbers of the result, from the lab's `story_values`: none is typed in, except
    `in_samples`. The answer is complete without "Right." or "Not quite." before it.

    Parameters
    ----------
    asks : str
        The question.
    says : str
        The answer.
    fields : dict
        The fields that differ from the lab's defaults.
    guess : Choose, Place or None, default None
        How the reader guesses.
    large : bool, default False
        Whether the step is about the first picture next to the large one, not about the small one below.
    in_samples : int or None, default None
        In how many of the state's next 100 samples the same answer is right. The answer then says so. None if it is
        right in nearly all of them: a test requires the number up to 90. `python tests/story_shares.py LAB` counts.

    Examples
    --------
    >>> from explorer.workbench import Choose, Step
    >>> guess = Choose(lambda result: result.saved, ("less", "more"), (0.5,))
    >>> step = Step("Is more than half saved?", "With ten points {saved} is saved.", {"n": 10}, guess)
    >>> step.asks, step.guess.words, step.fields
    ('Is more than half saved?', ('less', 'more'), {'n': 10})
    >>> Step("Does it help?", "Yes, by {saved}.", {"n": 10}, guess, in_samples=63).answer({"saved": "72 %"})
    'Yes, by 72 %. Of 100 other samples, 63 give this answer.'
    """

    asks: str
    says: str
    fields: dict[str, Any]
    guess: Choose | Place | None = None
    large: bool = False
    in_samples: int | None = None

    def answer(self, values: Mapping[str, str]) -> str:
        """Return the translated answer, and after it how many other samples give it.

        Parameters
        ----------
        values : mapping of str to str
            The values of the answer's placeholders, from the lab's `story_values`.

        Returns
        -------
        str
            The answer.
        """
        share = translate_plural(
            "Of {} other samples, {} gives this answer.",
            "Of {} other samples, {} give this answer.",
            self.in_samples or 0,
            SAMPLES,
            self.in_samples,
        )
        return _with_share(translate(self.says, **values), self.in_samples, share)


@dataclass(frozen=True)
class Story:
    """Steps under one title.

    Parameters
    ----------
    key : str
        Its name in a link: ?story=key&step=1.
    title : str
        Its title.
    steps : tuple of Step
        The steps.
    was : str, default ""
        Its name in older links.

    Examples
    --------
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
    """Return the story and the step that a link names.

    Parameters
    ----------
    stories : sequence of Story
        The lab's stories.
    key, step : str
        The query parameters; the step counts from 1.

    Returns
    -------
    story : Story
        The story.
    step : int
        The step, counted from 0.

    Raises
    ------
    Refusal
        If there is no such story or step.
    """
    story = next((each for each in stories if key in (each.key, each.was)), None)
    if story is None:
        known = ", ".join(each.key for each in stories)
        raise Refusal("There is no story '{}' here; the stories are {}.", key, known)
    steps = len(story.steps)
    if not (step.isdecimal() and 1 <= int(step) <= steps):
        raise Refusal("The story '{}' has steps 1 to {}, and '{}' is none of them.", key, steps, step)
    return story, int(step) - 1
