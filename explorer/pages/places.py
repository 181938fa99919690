"""Where a page may be: at a preset, in a story, at the end of a link, or one step back."""

from __future__ import annotations

from functools import cache
from urllib.parse import urlencode

from explorer.checks import Refusal
from explorer.workbench import stories
from explorer.workbench.links import VERSION

STEPS = 20  # back, that a page remembers


class History:
    """States of a lab, as it rested there; the newest is where it is."""

    def __init__(self, state):
        self._states = [state]

    def note(self, state):
        """The lab rests here."""
        if state != self._states[-1]:
            self._states = [*self._states[-STEPS:], state]

    def back(self, state):
        """The state before this one, which is forgotten; None where there is none."""
        if state == self._states[-1]:
            if not self:
                return None
            self._states.pop()
        return self._states[-1]

    def __bool__(self):
        return len(self._states) > 1


class Places:
    """The part of a page that knows its places; it moves the lab, and the page does the rest."""

    def open(self, preset):
        """Put the lab where a preset or a story's step is, and say what to look for there.

        What is no part of a preset, such as which picture is seen, is set where it names it, and may change without
        leaving it.
        """
        self.home = self._state(preset)
        self.move(None, **{**self.home, **preset.fields})

    def _state(self, preset):
        state = {**_defaults(self.lab_class), **preset.fields}
        return {name: value for name, value in state.items() if name not in self.lab_class.aside}

    def is_at(self, preset):
        """Whether the lab is where a preset or a step puts it."""
        return self._state(preset).items() <= self.lab.values().items()

    def preset(self):
        """The preset that the lab is at, or None."""
        return next((p for p in self.presets if self.is_at(p)), None)

    def undo(self):
        """One step back, to where the hand last rested."""
        if (before := self.history.back(self.lab.values())) is not None:
            self.move(None, **before)
            self.rest()

    def reset(self):
        """Back to the preset or step that was opened last, or to where every lab begins."""
        self.move(None, **self.home)

    def actions(self):
        """What keys do: key -> (in words, a function)."""
        return {
            "z": ("takes one step back", self.undo),
            "r": ("goes back to the preset", self.reset),
            "ArrowRight": ("goes one step on in a story", lambda: self.frame.story.go(1)),
            "ArrowLeft": ("goes one step back in a story", lambda: self.frame.story.go(-1)),
            "p": ("pins what is shown as A", lambda: self.frame.comparison.toggle()),
            "?": ("opens this help", lambda: self.frame.explain()),
        }

    def state(self):
        """Everything that a page is, as words: what a link carries and a file keeps."""
        return {"v": VERSION, **self.lab.flat(), **self.frame.story.words(), **self.mode.words()}

    def _story(self, words):
        """The story and the step that the words of a link name, whose fields the words then have, and what is wrong
        with it.
        """
        key, step = words.pop("story", None), words.pop("step", "1")
        if key is None:
            return (None, 0), []
        try:
            story, step = stories.find(self.stories, key, step)
        except Refusal as error:
            return (None, 0), [str(error)]
        for name, word in self.lab_class(**story.steps[step].fields).flat().items():
            words.setdefault(name, word)
        return (story, step), []

    def link(self):
        """Every field of the lab, for a link."""
        return urlencode(self.state())


@cache
def _defaults(lab_class):
    """What a lab is at first."""
    return lab_class().values()
