"""What a lab's page declares: its menus, its buttons, and where its parts stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import panel as pn
import panel_material_ui as pmui

from .menus import Opener
from .theme import BRIEF, BUTTONS, ROW, TABS

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab

    from .owner import Page

CLOSED = ":host(:not(.open)) { display: none; }"


@dataclass(frozen=True)
class Chooser:
    """What lets a hand choose the value of a field, from the field's own words.

    `options` is there where the choices depend on the state: a function of the lab, which gives words -> values.
    """

    options: Callable[[Any], dict[str, Any]] | None = None

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        """The widget."""
        raise NotImplementedError

    def choices(self, words: Mapping[str, Any]) -> dict[str, Any]:
        """What the widget shows -> the value that is chosen by it."""
        return dict(words)

    def first(self, field: Any, lab: Lab) -> dict[str, Any]:
        """The choices as the page opens."""
        return self.choices(self.options(lab) if self.options else field.words)

    def now(self, lab: Lab) -> dict[str, Any]:
        """What of the widget follows the state beside its value."""
        return {"options": self.choices(self.options(lab))} if self.options else {}


class Menu(Chooser):
    """A menu over a field's choices."""

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        """The widget."""
        # as wide as that where it stands in no row
        return pmui.Select(label=field.label, options=self.first(field, lab), value=value, size="small", width=185)


class Radio(Chooser):
    """A row of buttons of which one is pressed."""

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        """The widget."""
        return pmui.RadioButtonGroup(label=field.label, options=self.first(field, lab), value=value, size="small")

    def choices(self, words: Mapping[str, Any]) -> dict[str, Any]:
        """None of them is broken into lines."""
        return {word.replace(" ", "\N{NO-BREAK SPACE}"): value for word, value in words.items()}


class Pictures(Radio):
    """The pictures that share a place, as words that begin a line."""

    def choices(self, words: Mapping[str, Any]) -> dict[str, Any]:
        """Each begins with a capital."""
        return super().choices({word[:1].upper() + word[1:]: value for word, value in words.items()})


class Switch(Chooser):
    """A switch for a field that is true or false."""

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        """The widget."""
        return pmui.Switch(label=field.label, value=value, size="small", margin=(2, 6, 0, 0))


@dataclass(frozen=True)
class Button:
    """A button that calls the page's method `act`; `key` on the keyboard does the same, which `does` says in words."""

    label: str
    act: str
    key: str = ""
    does: str = ""
    options: dict[str, Any] = field(default_factory=dict)

    def press(self, page: Page) -> None:
        """Do what the button does."""
        getattr(page, self.act)()

    def make(self, page: Page) -> pmui.Button:
        """The widget."""
        return pmui.Button(
            label=self.label,
            on_click=lambda event: self.press(page),
            **{"variant": "outlined", "size": "small", "margin": 0, "stylesheets": [BUTTONS], **self.options},
        )

    def now(self, page: Page) -> dict[str, Any]:
        """What of the widget follows the state: nothing."""
        return {}


@dataclass(frozen=True)
class Toggle(Button):
    """A button that stays pressed while a field has another value than at first: its words are off, waiting and on.

    The last may hold {value}.
    """

    field: str = "samples"
    words: tuple[str, str, str] = ("+100 samples", "Drawing ...", "{value} samples")

    def now(self, page: Page) -> dict[str, Any]:
        """Its words and whether it is pressed."""
        value = getattr(page.lab, self.field)
        if not value:
            return {"label": self.words[0], "variant": "outlined"}
        return {"label": self.words[1 if page.waits else 2].format(value=value), "variant": "contained"}


@dataclass(frozen=True)
class Auto(Button):
    """A button that leaves fields to choose themselves: `Auto.of("λ", "lam")`, the field that has the slider first."""

    fields: tuple[str, ...] = ()

    @classmethod
    def of(cls, symbol: str, *fields: str) -> Self:
        """The button, and its key, for what has this symbol."""
        return cls(f"auto {symbol}", "", "a", f"leaves {symbol} to leave-one-out", fields=fields)

    def press(self, page: Page) -> None:
        """Leave them so."""
        page.move(self.fields[0], **dict.fromkeys(self.fields))


# where parts stand; a part is the name of a picture, slider, box, menu or button, "legend", or one of these


class Part:
    """A part of a page that stands somewhere; `build(layout)` gives Panel's own, `inner` the parts that it holds."""

    inner: tuple[Any, ...] = ()

    def build(self, layout: Any) -> Any:
        """Panel's own of it."""
        raise NotImplementedError


class Takes(Part):
    """What takes data of one's own, `kind(use, asked, examples, **options)`, with some sources as examples."""

    def __init__(self, kind: Callable[..., Any], *sources: str, **options: Any) -> None:
        self.kind = kind
        self.sources = sources
        self.options = options

    def build(self, layout: Any) -> Any:
        """Panel's own of it."""
        page = layout.page
        return self.kind(page.use, page.lab.values, page.examples(*self.sources), **self.options)


class Parts(Part):
    """Some parts together."""

    def __init__(self, *parts: Any) -> None:
        self.inner = parts


class Flow(Parts):
    """Parts side by side in as many lines as they need."""

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return flowing(*layout.loosely(self.inner))


class Abreast(Parts):
    """Number boxes side by side in one row of a group, each with its word before it."""

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        boxes = layout.each(self.inner)
        for name in self.inner:
            layout.page.controls[name].box.stylesheets = [BRIEF]
        return pn.Row(*boxes, margin=0, sizing_mode="stretch_width", styles={"gap": "10px"})


class Stack(Parts):
    """Parts one below the other, as one part of a column."""

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return layout.stack(self.inner)


class Column(Parts):
    """Parts one below the other; `flex` is how it shares the page's width with the other column."""

    def __init__(self, *parts: Any, flex: str = "1.75 1 560px") -> None:
        super().__init__(*parts)
        self.flex = flex

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return layout.column(self)


class Hero(Parts):
    """The large picture, or what stands there in turns, with the slider that moves it right below.

    The slider's box stands once, over the picture's upper edge, with what goes `beside` it. The slider's track ends
    where the picture's x axis does: where that is the slider's own, its knob is below the line in the picture.
    """

    def __init__(self, picture: Any, slider: str, *beside: Any, below: Sequence[Any] = ()) -> None:
        super().__init__(picture, slider, *beside, *below)
        self.picture = picture
        self.slider = slider
        self.beside = beside
        self.below = below

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return layout.hero(self)


class Group(Parts):
    """Controls of one kind, a row each, under a title; those that are wanted seldom are there when asked for.

    `more` says in words what these are, and then the parts; `wide` is what the group asks of the page's width, in px.
    """

    def __init__(self, title: str, *parts: Any, more: Sequence[Any] = (), wide: int = 300) -> None:
        super().__init__(*parts, *more[1:])
        self.title = title
        self.parts = parts
        self.more = more
        self.wide = wide

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return layout.group(self)


class Tabs(Part):
    """A Radio of pictures, as words in a row of which one is underlined."""

    def __init__(self, name: str) -> None:
        self.inner: tuple[Any, ...] = (name,)

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        widget = layout.page.choice[self.inner[0]]
        widget.param.update(stylesheets=[TABS], margin=0)
        return widget


class When(Part):
    """A part that is there where `when(result)`."""

    def __init__(self, when: Callable[[Any], object], part: Any) -> None:
        self.when = when
        self.inner: tuple[Any, ...] = (part,)

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        built = layout.build(*self.inner)
        if isinstance(built, pn.viewable.Viewer):  # a control: its parts come and go together
            built = pn.Column(built, margin=0, sizing_mode="stretch_width")
        layout.conditions.append((built, self.when))
        return built


class Small(Part):
    """The pictures of one place, each there in its turn."""

    def __init__(self, place: str = "small") -> None:
        self.place = place

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return layout.turns(self.place)


def flowing(*parts: Any) -> pn.FlexBox:
    """Buttons and menus side by side, in as many lines as they need."""
    return pn.FlexBox(*parts, align_items="center", gap="6px 10px", margin=(2, 0))


def in_a_row(widget: Any) -> Any:
    """A menu, a box or a row of buttons with its word before it, as wide as its place."""
    widget.param.update(stylesheets=[ROW], width=None, margin=0, sizing_mode="stretch_width")
    return widget


def more_of(words: str, parts: Iterable[Any], bring: Callable[[Any], object]) -> tuple[Opener, pn.Column]:
    """The button that shows parts or hides them, and their place, which is hidden at first; `bring(place)` fills it."""
    place = pn.Column(*parts, margin=0, sizing_mode="stretch_width", stylesheets=[CLOSED])
    opener = Opener(label=f"More: {words}", margin=0, styles={"color": "var(--soft)", "margin-right": "-8px"})
    opener.jscallback(args={"part": place}, open="part.css_classes = cb_obj.open ? ['open'] : []")
    opener.param.watch(lambda event: bring(place), "open")
    return opener, place
