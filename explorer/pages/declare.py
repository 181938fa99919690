"""What a lab's page declares: its menus, its buttons, and where its parts stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import panel as pn
import panel_material_ui as pmui


class Chooser:
    """What lets a hand choose the value of a field.

    A subclass gives `make(field, value, lab)`, the widget.
    """

    def now(self, lab):
        """What of the widget follows the state beside its value: nothing."""
        return {}


@dataclass(frozen=True)
class Menu(Chooser):
    """A menu over a field's choices; `options` maps the words of a choice to its value, None takes the field's own.

    Choices that depend on the state are a function of the lab that gives such a map.
    """

    label: str
    options: dict | Callable | None = None
    width: int = 150
    margin: tuple = (5, 10)

    def make(self, field, value, lab):
        """The widget."""
        options = self.now(lab).get("options") or self.options or list(field.objects)
        return pmui.Select(
            label=self.label, options=options, value=value, size="small", width=self.width, margin=self.margin
        )

    def now(self, lab):
        """The choices, where they depend on the state."""
        return {"options": self.options(lab)} if callable(self.options) else {}


@dataclass(frozen=True)
class Choice(Chooser):
    """A row of buttons of which one is pressed; `word` stands before it."""

    label: str
    options: dict | None = None
    word: str = ""

    def make(self, field, value, lab):
        """The widget."""
        options = self.options or list(field.objects)
        return pmui.RadioButtonGroup(label=self.label, options=options, value=value, size="small")


@dataclass(frozen=True)
class Switch(Chooser):
    """A switch for a field that is true or false."""

    label: str

    def make(self, field, value, lab):
        """The widget."""
        return pmui.Switch(label=self.label, value=value, size="small", margin=(10, 6, 0, 0))


@dataclass(frozen=True)
class Button:
    """A button that calls the page's method `act`; `key` on the keyboard does the same, which `does` says in words."""

    label: str
    act: str
    key: str = ""
    does: str = ""
    options: dict = field(default_factory=dict)

    def make(self, page):
        """The widget."""
        act = getattr(page, self.act)
        return pmui.Button(
            label=self.label,
            on_click=lambda event: act(),
            **{"variant": "outlined", "size": "small", "margin": (8, 6, 0, 6), **self.options},
        )

    def now(self, page):
        """What of the widget follows the state: nothing."""
        return {}


@dataclass(frozen=True)
class Toggle(Button):
    """A button that stays pressed while a field has another value than at first: its words are off, waiting and on.

    The last may hold {value}.
    """

    field: str = "samples"
    words: tuple[str, str, str] = ("+100 samples", "Drawing ...", "{value} samples")

    def now(self, page):
        """Its words and whether it is pressed."""
        value = getattr(page.lab, self.field)
        if not value:
            return {"label": self.words[0], "variant": "outlined"}
        return {"label": self.words[1 if page.waits else 2].format(value=value), "variant": "contained"}


# where parts stand; a part is the name of a picture, slider, box, menu or button, "legend", or one of these


@dataclass(frozen=True)
class Pair:
    """Two parts side by side, one below the other where the page is narrow."""

    parts: tuple

    def __init__(self, *parts):
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True)
class Flow:
    """Parts side by side in as many lines as they need."""

    parts: tuple

    def __init__(self, *parts):
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True)
class Stack:
    """Parts one below the other, as one part of a column."""

    parts: tuple

    def __init__(self, *parts):
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True)
class Fold:
    """A part that a narrow page shows only when asked for more controls."""

    part: object


@dataclass(frozen=True)
class When:
    """A part that is there where `when(result)`."""

    when: Callable
    part: object


@dataclass(frozen=True)
class Small:
    """The pictures of one place, each there in its turn."""

    place: str = "small"


@dataclass(frozen=True)
class Column:
    """Parts one below the other; `flex` is how it shares the page's width with the other column."""

    parts: tuple
    flex: str

    def __init__(self, *parts, flex="3 1 600px"):
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "flex", flex)


def word_and(widget, word):
    """A widget with the word for what it chooses."""
    return pn.Row(pn.pane.HTML(word, margin=(10, 0, 0, 10)), widget, margin=0) if word else widget
