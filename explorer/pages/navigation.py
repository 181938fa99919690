"""Navigation of a page: presets, story steps, states in links, and undo."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.languages import message
from explorer.workbench import stories

from .undo_history import History, HistoryEntry

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab
    from explorer.workbench.stories import Preset, Step, Story

    from .page_protocol import Page
    from .widgets.shortcuts import Actions


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
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.home: dict[str, Any] = self.values
        self.history: History = History(self.current)

    @property
    def values(self) -> dict[str, Any]:
        """The current values of the lab's fields."""
        lab = self.page.lab
        return lab.values()

    @property
    def current(self) -> HistoryEntry:
        """The current state of the lab."""
        lab = self.page.lab
        return HistoryEntry(self.values, lab.own, self.page.naming) if lab.shows_own else HistoryEntry(self.values)

    def note(self) -> None:
        """Add the current state to the history."""
        self.history.note(self.current)

    def go_to(self, preset: Preset | Step) -> None:
        """Move the lab to a preset or a story's step.

        A field that is not part of a preset, such as the chosen picture, is set only if the preset names it. The user
        may change it without leaving the preset.
        """
        self.home = self._state(preset)
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
            if self.values == values:
                self.page.changed()
        self.page.move(None, **values)

    def actions(self) -> Actions:
        """Return the keyboard shortcuts: key -> (description, function)."""
        return {
            "z": (message("takes one step back"), self.undo),
            "r": (message("goes back to the preset"), self.reset),
        }


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
