"""What a lab's page declares: its menus, its buttons, and where its parts stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import panel as pn
import panel_material_ui as pmui

from .narrow import abreast, flowing


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


class Part:
    """A part of a page that stands somewhere; `build(layout)` gives Panel's own, `inner` the parts that it holds."""

    inner = ()


class Parts(Part):
    """Some parts together."""

    def __init__(self, *parts):
        self.inner = parts


class Pair(Parts):
    """Two parts side by side, one below the other where the page is narrow."""

    def build(self, layout):
        """Panel's own."""
        return abreast(*layout.each(self.inner))


class Flow(Parts):
    """Parts side by side in as many lines as they need."""

    def build(self, layout):
        """Panel's own."""
        return flowing(*layout.each(self.inner))


class Stack(Parts):
    """Parts one below the other, as one part of a column."""

    def build(self, layout):
        """Panel's own."""
        return layout.stack(self.inner)


class Column(Parts):
    """Parts one below the other; `flex` is how it shares the page's width with the other column."""

    def __init__(self, *parts, flex="3 1 600px"):
        super().__init__(*parts)
        self.flex = flex

    def build(self, layout):
        """Panel's own."""
        return layout.column(self)


class Fold(Part):
    """A part that a narrow page shows only when asked for more controls."""

    def __init__(self, part):
        self.inner = (part,)

    def build(self, layout):
        """Panel's own."""
        return layout.fold(layout.build(*self.inner))


class When(Part):
    """A part that is there where `when(result)`."""

    def __init__(self, when, part):
        self.when, self.inner = when, (part,)

    def build(self, layout):
        """Panel's own."""
        built = layout.build(*self.inner)
        if isinstance(built, pn.viewable.Viewer):  # a control: its parts come and go together
            built = pn.Column(built, margin=0, sizing_mode="stretch_width")
        layout.conditions.append((built, self.when))
        return built


class Small(Part):
    """The pictures of one place, each there in its turn."""

    def __init__(self, place="small"):
        self.place = place

    def build(self, layout):
        """Panel's own."""
        return layout.turns(self.place)


def word_and(widget, word):
    """A widget with the word for what it chooses."""
    return pn.Row(pn.pane.HTML(word, margin=(10, 0, 0, 10)), widget, margin=0) if word else widget
