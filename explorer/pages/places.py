"""Where a page may be: at a preset, in a story, at the end of a link, or one step back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.workbench import stories

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab
    from explorer.workbench.stories import Preset, Step, Story

    from .owner import Page
    from .shortcuts import Actions

STEPS = 20  # back, that a page remembers


class History:
    """States of a lab, as it rested there; the newest is where it is."""

    def __init__(self, state: dict[str, Any]) -> None:
        self._states = [state]

    def note(self, state: dict[str, Any]) -> None:
        """The lab rests here."""
        if state != self._states[-1]:
            self._states = [*self._states[-STEPS:], state]

    def back(self, state: dict[str, Any]) -> dict[str, Any] | None:
        """The state before this one, which is forgotten; None where there is none."""
        if state == self._states[-1]:
            if not self:
                return None
            self._states.pop()
        return self._states[-1]

    def __bool__(self) -> bool:
        return len(self._states) > 1


class Places:
    """The places of a page; whoever goes to one moves the lab, and the page does the rest.

    `history` has where the hand has rested, and `home` where `reset` leads: the preset or step that was opened last.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.home: dict[str, Any] = page.lab.values()
        self.history: History = History(self.home)

    def open(self, preset: Preset | Step) -> None:
        """Put the lab where a preset or a story's step is, and say what to look for there.

        What is no part of a preset, such as which picture is seen, is set where it names it, and may change without
        leaving it.
        """
        self.home = self._state(preset)
        self.page.move(None, **{**self.home, **preset.fields})

    def _state(self, preset):
        lab_class = self.page.lab_class
        state = {**_defaults(lab_class), **preset.fields}
        return {name: value for name, value in state.items() if name not in lab_class.aside}

    def is_at(self, preset: Preset | Step) -> bool:
        """Whether the lab is where a preset or a step puts it."""
        return self._state(preset).items() <= self.page.lab.values().items()

    def preset(self) -> Preset | None:
        """The preset that the lab is at, or None."""
        return next((p for p in self.page.presets if self.is_at(p)), None)

    def undo(self) -> None:
        """One step back, to where the hand last rested."""
        if (before := self.history.back(self.page.lab.values())) is not None:
            self.page.move(None, **before)
            self.page.rest()

    def reset(self) -> None:
        """Back to the preset or step that was opened last, or to where every lab begins."""
        self.page.move(None, **self.home)

    def actions(self) -> Actions:
        """What keys do: key -> (in words, a function)."""
        page = self.page
        return {
            "z": ("takes one step back", self.undo),
            "r": ("goes back to the preset", self.reset),
            "ArrowRight": ("goes one step on in a story", lambda: page.frame.story.go(1)),
            "ArrowLeft": ("goes one step back in a story", lambda: page.frame.story.go(-1)),
            "p": ("pins what is shown as A", lambda: page.frame.comparison.toggle()),
            "Escape": ("leaves the lecture", page.leave_lecture),
            "?": ("opens this help", lambda: page.frame.explain()),
        }


def story_in(
    words: dict[str, str], lab_class: type[Lab], known: Sequence[Story]
) -> tuple[tuple[Story | None, int], list[str]]:
    """((story, step), what is wrong with it) of the words of a link, which then have the step's fields too."""
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
    """What a lab is at first."""
    return lab_class().values()
