"""Content of a lab: its explanation, presets and stories, from the file content.toml in its folder.

The file is for authors and translators. It is checked when it is loaded, so a mistake is a sentence with its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from explorer.checks import Refusal
from explorer.files.toml_rows import read_table
from explorer.languages import ENGLISH, use_language
from explorer.printing import echo, format_number, join_list

from . import registry
from .explanation import read_explanation
from .stories import P_VALUES, SAMPLES, SHARES, Choose, Place, Preset, Scale, Step, Story, values

FILE = "content.toml"
SCALES = {"shares": SHARES, "p-values": P_VALUES}
BOUND = r"[+-]?[\d.]+(?:e[+-]?\d+)?"
CLAIM = re.compile(rf"(?:(?P<low>{BOUND}) <= )?(?P<effect>.+?)(?: (?P<sign>[<>]=) (?P<bound>{BOUND}))?")


class Content(NamedTuple):
    """Content of a lab.

    Attributes
    ----------
    explanation : Explanation, Markup or Later
        How to read the lab's pictures.
    presets : tuple of Preset
        Its presets.
    stories : tuple of Story
        Its stories.
    """

    explanation: Any
    presets: tuple[Preset, ...]
    stories: tuple[Story, ...]


class PresetRow(NamedTuple):
    """A table of [[presets]]: a state, and the claim that it makes about an effect, such as "p <= 0.01"."""

    name: str
    says: str
    claim: str
    state: dict[str, Any] = {}
    then: list[Any] | None = None
    was: str = ""
    in_samples: int | None = None


class ScaleRow(NamedTuple):
    """A scale of plain numbers from low to high; digits are its decimals, by default three significant digits."""

    low: float
    high: float
    step: float
    digits: int | None = None


class GuessRow(NamedTuple):
    """A guess at an attribute of the result: answers with the cuts between them, or a name and a scale."""

    of: str
    answers: list[Any] | None = None
    name: str = ""
    scale: ScaleRow | str = "shares"


class StepRow(NamedTuple):
    """A table of [[stories.steps]]; its state is that of a preset, if one is named, with the changes of `state`."""

    asks: str
    says: str
    preset: str = ""
    state: dict[str, Any] = {}
    guess: GuessRow | None = None
    large: bool = False
    in_samples: int | None = None


class StoryRow(NamedTuple):
    """A table of [[stories]]."""

    key: str
    title: str
    steps: tuple[StepRow, ...]
    was: str = ""


class ContentRow(NamedTuple):
    """The whole file."""

    explanation: str
    presets: tuple[PresetRow, ...]
    stories: tuple[StoryRow, ...] = ()


@cache
def content_of(name: str) -> Content:
    """Return the content of a lab.

    A lab without a content.toml has it in Python: EXPLAINS in its words.py, PRESETS and STORIES in its stories.py.

    Parameters
    ----------
    name : str
        Name of the lab.

    Returns
    -------
    Content
        The content, loaded once.

    Raises
    ------
    Refusal
        If there is no such lab, or if something in its file does not exist in the lab.

    Examples
    --------
    >>> from explorer.workbench.content import content_of
    >>> content = content_of("fit")
    >>> content.presets[4].name, content.presets[4].fields["share"]
    ('Wrong weights', 0.2)
    >>> [story.key for story in content.stories]
    ['fit', 'blind', 'bandwidth', 'fitted']
    """
    words = registry.role(name, "words")
    path = Path(words.__file__).with_name(FILE)
    if not path.is_file():
        stories = registry.role(name, "stories")
        return Content(words.EXPLAINS, stories.PRESETS, stories.STORIES)
    with use_language(ENGLISH):
        return read_content(path, registry.entry(name).lab, getattr(words, "STORY_VALUES", ()))


def read_content(path: Path, lab_class: Any, story_values: tuple[str, ...]) -> Content:
    """Read and check a lab's content.

    Parameters
    ----------
    path : Path
        The file.
    lab_class : type of Lab
        The lab's class, which has the fields and the result's attributes.
    story_values : tuple of str
        Names of the placeholders that answers may have.

    Returns
    -------
    Content
        The content.

    Raises
    ------
    Refusal
        If the file is not as described above, or if it names a field, a value, an effect, an attribute, a preset or a
        placeholder that does not exist.
    """
    file = f"{path.parent.name}/{path.name}"
    row = read_table(path, ContentRow, file)
    reader = _Reader(lab_class, story_values)
    explanation = read_explanation(row.explanation, f"{file}: explanation")
    presets = tuple(reader.preset(each, f"{file}: presets {i}") for i, each in enumerate(row.presets, 1))
    stories = tuple(reader.story(each, f"{file}: stories {i}") for i, each in enumerate(row.stories, 1))
    return Content(explanation, presets, stories)


class _Reader:
    """Reader of one file: it makes presets and stories from tables, and refuses what the lab does not have."""

    def __init__(self, lab_class: Any, story_values: tuple[str, ...]) -> None:
        self.lab_class, self.story_values = lab_class, story_values
        self.states: dict[str, Mapping[str, Any]] = {}  # by the names of the presets read so far

    def preset(self, row: PresetRow, place: str) -> Preset:
        found, effects = CLAIM.fullmatch(row.claim), self.lab_class.result_class.effect_names()
        if found is None or not (found["low"] or found["sign"]):
            raise Refusal(f"{place}: claim must be like 'p <= 0.05', '0.1 <= p <= 0.5' or 'p >= 0.2', not {row.claim}.")
        if found["effect"] not in effects:
            raise Refusal(f"{place}: claim is about {echo(found['effect'])}; the effects are {join_list(effects)}.")
        bounds = {{">=": "at_least", "<=": "at_most"}[found["sign"]]: float(found["bound"])} if found["sign"] else {}
        bounds |= {"at_least": float(found["low"])} if found["low"] else {}
        fields = self.states[row.name] = self._state({}, row.state, f"{place}: state")
        then = None if row.then is None else self._then(row.then, fields, f"{place}: then")
        if row.in_samples is not None and not 0 <= row.in_samples <= SAMPLES:
            raise Refusal(f"{place}: in_samples counts {SAMPLES} samples; it cannot be {row.in_samples}.")
        more = {"then": then, "was": row.was, "in_samples": row.in_samples}
        return Preset(row.name, row.says, dict(fields), found["effect"], **bounds, **more)

    def _then(self, then, fields, place):
        if [*map(type, then)] != [str, dict]:
            raise Refusal(f'{place} must be a label and a table, like ["n = 20", {{ n = 20 }}], not {echo(then)}.')
        state = self._state(fields, then[1], place)
        return then[0], {name: state[name] for name in then[1]}

    def _state(self, base, changes, place):
        """Return the fields of a state; "auto" is the automatic choice."""
        fields = self.lab_class.fields
        if strange := [name for name in changes if name not in fields]:
            raise Refusal(f"{place} has the unknown field {echo(strange[0])}; the lab has {join_list(fields)}.")
        automatic = [name for name, value in changes.items() if value == "auto" and fields[name].allow_None]
        state = {**base, **changes, **dict.fromkeys(automatic)}
        try:
            self.lab_class(**state)
        except Refusal as error:
            raise Refusal(f"{place}: {error}") from None
        return state

    def story(self, row: StoryRow, place: str) -> Story:
        steps = (self._step(each, f"{place}: steps {i}") for i, each in enumerate(row.steps, 1))
        return Story(row.key, row.title, tuple(steps), row.was)

    def _step(self, row, place):
        names = {name for _, name, _, _ in Formatter().parse(row.says) if name is not None}
        if strange := sorted(names - {*self.story_values}):
            known = join_list(self.story_values) or "none"
            raise Refusal(f"{place}: says has the unknown placeholder {echo(strange[0])}; STORY_VALUES has {known}.")
        if row.preset and row.preset not in self.states:
            raise Refusal(f"{place}: preset is {echo(row.preset)}; the presets are {join_list(self.states)}.")
        fields = self._state(self.states.get(row.preset, {}), row.state, f"{place}: state")
        guess = None if row.guess is None else self._guess(row.guess, f"{place}: guess")
        if row.in_samples is not None and not (isinstance(guess, Choose) and 0 <= row.in_samples <= SAMPLES):
            raise Refusal(f"{place}: in_samples counts answers in {SAMPLES} samples; it needs a guess with answers.")
        return Step(row.asks, row.says, fields, guess, row.large, row.in_samples)

    def _guess(self, row, place):
        result_class = self.lab_class.result_class
        if not row.of.isidentifier() or not hasattr(result_class, row.of):
            raise Refusal(f"{place}: of is {echo(row.of)}, and {result_class.__name__} has no such attribute.")
        if (row.answers is None) == (not row.name):
            raise Refusal(f"{place} must have either answers or the name of the number.")
        if row.answers is None:
            return Place(attrgetter(row.of), row.name, _scale(row.scale, place))
        words, cuts = row.answers[::2], row.answers[1::2]
        if {*map(type, words)} != {str} or len(words) != len(cuts) + 1 or {*map(type, cuts)} - {int, float}:
            raise Refusal(f'{place}: answers must be like ["No", 0.5, "Somewhat", 1, "Yes"], not {echo(row.answers)}.')
        if cuts != sorted(cuts):
            raise Refusal(f"{place}: the numbers between answers must increase, unlike {echo(cuts)}.")
        return Choose(attrgetter(row.of), tuple(words), tuple(cuts))


def _scale(row: ScaleRow | str, place: str) -> Scale:
    if isinstance(row, str):
        if row not in SCALES:
            raise Refusal(f"{place}: scale must be {join_list(SCALES)} or a table, not {echo(row)}.")
        return SCALES[row]
    if not 0 < row.step <= row.high - row.low:
        raise Refusal(f"{place}: the step of a scale must be above 0 and at most high - low, not {row.step:g}.")
    steps = round((row.high - row.low) / row.step)
    return values(row.low, row.high, steps, format_number if row.digits is None else partial(_fixed, row.digits))


def _fixed(digits, value):
    return f"{value:.{digits}f}"
