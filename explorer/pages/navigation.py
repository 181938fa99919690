"""Where a page may be: at a preset, in a story, at the end of a link, or one step back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.checks import Refusal
from explorer.workbench import stories

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab
    from explorer.workbench.stories import Preset, Step, Story

    from .protocol import Page
    from .widgets.shortcuts import Actions

STEPS = 20  # back, that a page remembers
TABLES = 3  # of the user's, that it holds for them


class HistoryEntry(NamedTuple):
    """A state of a lab: the values of its fields, the user's data that they speak of, and the fields that name these.

    Of a state that shows no data of the user's, `own` is None.
    """

    values: dict[str, Any]
    own: Any = None
    naming: dict[str, Any] = {}

    def is_at(self, other: HistoryEntry) -> bool:
        """Whether the other place has the same values of the same data."""
        return self.own is other.own and self.values == other.values


class History:
    """Places of a lab, as it rested there; the newest is where it is. It holds TABLES different data of the user's."""

    def __init__(self, place: HistoryEntry) -> None:
        self._places = [place]

    def note(self, place: HistoryEntry) -> None:
        """The lab rests here."""
        if place.is_at(self._places[-1]):
            return
        places, held = [], []
        for each in reversed([*self._places[-STEPS:], place]):
            if each.own is not None and not any(each.own is own for own in held):
                held.append(each.own)
            if len(held) > TABLES:
                break
            places.append(each)
        self._places = places[::-1]

    def back(self, place: HistoryEntry) -> HistoryEntry | None:
        """Go one step back: return the place before this one, which is forgotten, or None if there is none."""
        if place.is_at(self._places[-1]):
            if not self:
                return None
            self._places.pop()
        return self._places[-1]

    def with_data_of(self, values: dict[str, Any]) -> HistoryEntry | None:
        """Return the newest place whose data are those that the values name, or None if there is none."""
        there = (each for each in reversed(self._places) if each.own is not None and each.naming)
        return next((each for each in there if all(values.get(n) == v for n, v in each.naming.items())), None)

    def __bool__(self) -> bool:
        return len(self._places) > 1


class Navigation:
    """The places of a page; whoever goes to one moves the lab, and the page does the rest.

    `history` has where the hand has rested, and `home` where `reset` leads: the preset or step that was opened last.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.home: dict[str, Any] = page.lab.values()
        self.history: History = History(self.here)

    @property
    def here(self) -> HistoryEntry:
        """Where the lab is now."""
        lab = self.page.lab
        return HistoryEntry(lab.values(), lab.own, self.page.naming) if lab.shows_own else HistoryEntry(lab.values())

    def note(self) -> None:
        """The lab rests here."""
        self.history.note(self.here)

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
        if (before := self.history.back(self.here)) is not None:
            self._go(before.values, before)
            self.page.rest()

    def reset(self) -> None:
        """Back to the preset or step that was opened last, or to where every lab begins."""
        self._go(self.home, self.history.with_data_of(self.home))

    def _go(self, values, place):
        """Move the lab, with the user's data of a place, if there is one that has some."""
        if place is not None and place.own is not None and self.page.lab.own is not place.own:
            self.page.lab.own, self.page.naming = place.own, place.naming
            if self.page.lab.values() == values:
                self.page.changed()
        self.page.move(None, **values)

    def actions(self) -> Actions:
        """What keys do: key -> (in words, a function)."""
        page = self.page
        return {
            "z": ("takes one step back", self.undo),
            "r": ("goes back to the preset", self.reset),
            "ArrowRight": ("goes one step on in a story", lambda: page.chrome.story.go(1)),
            "ArrowLeft": ("goes one step back in a story", lambda: page.chrome.story.go(-1)),
            "p": ("pins what is shown as A", lambda: page.chrome.comparison.toggle()),
            "Escape": ("leaves the lecture", page.leave_lecture),
            "?": ("opens this help", lambda: page.chrome.explain()),
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
