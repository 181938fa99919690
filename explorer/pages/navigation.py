"""Navigation of a page: presets, story steps, states in links, and undo."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.checks import Refusal
from explorer.languages import message
from explorer.workbench import stories

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab
    from explorer.workbench.stories import Preset, Step, Story

    from .page_protocol import Page
    from .widgets.shortcuts import Actions

STEPS = 20  # largest number of steps back
TAB = "picture"  # the field of a small picture's tab, which undo leaves as it is where presets do, too
TABLES = 3  # largest number of the user's data sets that the history keeps in memory


class Navigation:
    """Moves a page's lab to presets, steps and earlier states. The page then follows the lab.

    Parameters
    ----------
    page : LabPage
        The page whose lab moves.

    Attributes
    ----------
    home : dict
        The state to which `reset` returns: the preset or step that was opened last.
    history : History
        The states at which the user paused.
    opened : Preset or None
        The preset that was opened last, if `home` is its state.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.home: dict[str, Any] = self.values
        self.opened: Preset | None = self.preset()
        self.history: History = History(self.current)

    @property
    def values(self) -> dict[str, Any]:
        """The current values of the lab's fields."""
        lab = self.page.lab
        return lab.values()

    @property
    def current(self) -> HistoryEntry:
        """The current state of the lab, without the tab of a small picture."""
        lab, values = self.page.lab, self.values
        if TAB in lab.aside:
            del values[TAB]
        return HistoryEntry(values, lab.own, self.page.naming) if lab.shows_own else HistoryEntry(values)

    def note(self) -> None:
        """Add the current state to the history."""
        self.history.note(self.current)

    def go_to(self, preset: Preset | Step) -> None:
        """Move the lab to a preset or a story's step.

        A field that is not part of a preset, such as the chosen picture, is set only if the preset names it. The user
        may change it without leaving the preset.
        """
        self.home, self.opened = self._state(preset), preset if isinstance(preset, stories.Preset) else None
        self.page.move(None, **{**self.home, **preset.fields})

    def _state(self, preset):
        lab_class = self.page.lab_class
        state = {**_defaults(lab_class), **preset.fields}
        return {name: value for name, value in state.items() if name not in lab_class.aside}

    def is_current(self, preset: Preset | Step) -> bool:
        """Return whether the lab is at a preset or a step."""
        return self._holds(preset, self.values)

    def preset(self) -> Preset | None:
        """Return the preset at which the lab is, or None if there is none."""
        values = self.values
        return next((each for each in self.page.presets if self._holds(each, values)), None)

    def changed_since_opened(self) -> dict[str, Any]:
        """Return the fields that differ from the preset that was opened last, with their values in the preset.

        Empty if it is at a preset, or if it was opened by another way.
        """
        if self.opened is None or self.preset() is not None:
            return {}
        now = self.values
        return {name: value for name, value in self._state(self.opened).items() if now[name] != value}

    def _holds(self, preset, values):
        return self._state(preset).items() <= values.items()

    def undo(self) -> None:
        """Go one step back, to the state at which the user paused before."""
        if (before := self.history.back(self.current)) is not None:
            self._go(before.values, before)
            self.page.rest()

    def reset(self) -> None:
        """Return to the preset or step that was opened last, or to the lab's defaults."""
        self._go(self.home, self.history.with_data_of(self.home))

    def _go(self, values, place):
        """Move the lab to values, with the user's data of a history entry if it has any."""
        lab = self.page.lab
        if place is not None and place.user_data is not None and lab.own is not place.user_data:
            lab.own, self.page.naming = place.user_data, place.naming
            if values.items() <= self.values.items():
                self.page.changed()
        self.page.move(None, **values)

    def actions(self) -> Actions:
        """Return the keyboard shortcuts: key -> (description, function)."""
        return {
            "z": (message("takes one step back"), self.undo),
            "r": (message("goes back to the preset"), self.reset),
        }


class HistoryEntry(NamedTuple):
    """A state of a lab in the undo history.

    Attributes
    ----------
    values : dict
        The values of the lab's fields.
    user_data : object or None
        The user's data that the state shows, or None if it shows none.
    naming : dict
        The fields that name the user's data.
    """

    values: dict[str, Any]
    user_data: Any = None
    naming: dict[str, Any] = {}

    def equals(self, other: HistoryEntry) -> bool:
        """Return whether the other state has the same values and the same data."""
        return self.user_data is other.user_data and self.values == other.values


class History:
    """The states at which the user paused, oldest first. The last one is the current state.

    The history holds at most TABLES different sets of the user's data.
    """

    def __init__(self, place: HistoryEntry) -> None:
        self._entries = [place]

    def note(self, place: HistoryEntry) -> None:
        """Append the current state, unless it equals the last one; drop the oldest states beyond STEPS or TABLES."""
        if place.equals(self._entries[-1]):
            return
        places, held = [], []
        for each in reversed([*self._entries[-STEPS:], place]):
            if each.user_data is not None and not any(each.user_data is own for own in held):
                held.append(each.user_data)
            if len(held) > TABLES:
                break
            places.append(each)
        self._entries = places[::-1]

    def back(self, place: HistoryEntry) -> HistoryEntry | None:
        """Go one step back: drop the current state and return the one before it, or None if there is none."""
        if place.equals(self._entries[-1]):
            if not self:
                return None
            self._entries.pop()
        return self._entries[-1]

    def with_data_of(self, values: dict[str, Any]) -> HistoryEntry | None:
        """Return the newest state whose data are those that the values name, or None if there is none."""
        there = (each for each in reversed(self._entries) if each.user_data is not None and each.naming)
        return next((each for each in there if all(values.get(n) == v for n, v in each.naming.items())), None)

    def __bool__(self) -> bool:
        return len(self._entries) > 1


def story_in(
    words: dict[str, str], lab_class: type[Lab], known: Sequence[Story]
) -> tuple[tuple[Story | None, int], list[str]]:
    """Read the story and its step from a link's query parameters, and complete these with the step's fields.

    Returns ((story, step), troubles), where `troubles` has a sentence for each value that names nothing.
    """
    key, step = words.pop("story", None), words.pop("step", "1")
    if key is None:
        return (None, 0), []
    try:
        story, step = stories.find(known, key, step)
    except Refusal as error:
        return (None, 0), [str(error)]
    for name, word in lab_class(**story.steps[step].fields).flat().items():
        words.setdefault(name, word)
    return (story, step), []


@cache
def _defaults(lab_class):
    """Return the default values of a lab's fields."""
    return lab_class().values()
