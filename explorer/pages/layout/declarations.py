"""What a lab's page declares: its menus, its buttons, and where its parts stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import panel as pn
import panel_material_ui as pmui

from explorer.languages import translate, translate_labels
from explorer.pages.widgets.menus import DisclosureButton
from explorer.pages.widgets.picture_tabs import PictureTabs
from explorer.pages.widgets.play_button import PACE

from .theme import BRIEF, BUTTONS, ROW

if TYPE_CHECKING:
    from explorer.pages.protocol import Page
    from explorer.workbench.lab import Lab

CLOSED = ":host(:not(.open)) { display: none; }"


@dataclass(frozen=True)
class ChoiceWidget:
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
        return self.choices(translate_labels(self.options(lab) if self.options else field.words))

    def now(self, lab: Lab) -> dict[str, Any]:
        """What of the widget follows the state beside its value."""
        return {"options": self.choices(translate_labels(self.options(lab)))} if self.options else {}


class Menu(ChoiceWidget):
    """A menu over a field's choices."""

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        """The widget."""
        # as wide as that where it stands in no row
        return pmui.Select(
            label=translate(field.label), options=self.first(field, lab), value=value, size="small", width=185
        )


class Radio(ChoiceWidget):
    """A row of buttons of which one is pressed."""

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        """The widget."""
        return pmui.RadioButtonGroup(
            label=translate(field.label), options=self.first(field, lab), value=value, size="small"
        )

    def choices(self, words: Mapping[str, Any]) -> dict[str, Any]:
        """None of them is broken into lines."""
        return {word.replace(" ", "\N{NO-BREAK SPACE}"): value for word, value in words.items()}


class Pictures(ChoiceWidget):
    """The pictures that share a place: two as words in a row, the others in a list."""

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        """The widget."""
        return PictureTabs(label=translate(field.label), options=self.first(field, lab), value=value, margin=0)

    def choices(self, words: Mapping[str, Any]) -> dict[str, Any]:
        """Each begins with a capital."""
        return {word[:1].upper() + word[1:]: value for word, value in words.items()}


class Switch(ChoiceWidget):
    """A switch for a field that is true or false."""

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        """The widget."""
        return pmui.Switch(label=translate(field.label), value=value, size="small", margin=(2, 6, 0, 0))


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
            label=translate(self.label),
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
            return {"label": translate(self.words[0]), "variant": "outlined"}
        return {"label": translate(self.words[1 if page.waits else 2], value=value), "variant": "contained"}


@dataclass(frozen=True)
class AutoButton(Button):
    """A button that leaves fields to choose themselves: `Auto.of("λ", "lam")`, the field that has the slider first."""

    fields: tuple[str, ...] = ()

    @classmethod
    def of(cls, symbol: str, *fields: str) -> Self:
        """The button, and its key, for what has this symbol."""
        return cls(f"auto {symbol}", "", "a", f"leaves {symbol} to leave-one-out", fields=fields)

    def press(self, page: Page) -> None:
        """Leave them so."""
        page.move(self.fields[0], **dict.fromkeys(self.fields))

    def now(self, page: Page) -> dict[str, Any]:
        """It is there where there is something to leave to leave-one-out."""
        return {"visible": any(getattr(page.lab, name) is not None for name in self.fields)}


# where parts stand; a part is the name of a picture, slider, box, menu or button, "legend", or one of these


class Part:
    """A part of a page that stands somewhere; `build(layout)` gives Panel's own, `inner` the parts that it holds."""

    inner: tuple[Any, ...] = ()

    def build(self, layout: Any) -> Any:
        """Panel's own of it."""
        raise NotImplementedError


def parts_of(whole: Part) -> Iterator[Any]:
    """All parts that a part holds, and the parts of these."""
    for part in whole.inner:
        yield part
        if isinstance(part, Part):
            yield from parts_of(part)


class UserDataSection(Part):
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


class WrapRow(Parts):
    """Parts side by side in as many lines as they need."""

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return flowing(*layout.loosely(self.inner))


class InputRow(Parts):
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


class MainSlider(Parts):
    """The main slider in a row of its own: its name, its ends about the track, its box, what goes `beside`, and Play.

    Where the x axis of the picture `along` is the slider's own, the track lies right under it and ends where it does,
    so that its knob is below the line in the picture; the rest is in a row below. `pace` is that of Play, in ms a stop.
    """

    def __init__(self, slider: str, *beside: Any, along: str = "", pace: int = PACE) -> None:
        super().__init__(slider, *beside)
        self.slider = slider
        self.beside = beside
        self.along = along
        self.pace = pace

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return layout.mover(self)


class MainPicture(Parts):
    """The large picture, or what stands there in turns, with the slider that moves it right below.

    `along` is the picture whose x axis is the slider's own; `beside` and `below` are what stands in the slider's row
    and under it.
    """

    def __init__(self, picture: Any, slider: str, *beside: Any, along: str = "", below: Sequence[Any] = ()) -> None:
        mover = MainSlider(slider, *beside, along=along)
        super().__init__(picture, mover, *below)

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return layout.stack(self.inner)


class Group(Parts):
    """Controls of one kind, a row each, under a title; `more` are wanted seldom, and there when asked for.

    `wide` is what the group asks of the page's width, in px.
    """

    def __init__(self, title: str, *parts: Any, more: Sequence[Any] = (), wide: int = 300) -> None:
        super().__init__(*parts, *more)
        self.title = title
        self.parts = parts
        self.more = more
        self.wide = wide

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return layout.group(self)


class Conditional(Part):
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


class PictureSlot(Part):
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


def closed(*parts: Any, **options: Any) -> pn.Column:
    """A place for parts that is hidden until it is asked for."""
    options = {"sizing_mode": "stretch_width", **options}
    return pn.Column(*parts, margin=0, stylesheets=[CLOSED], **options)


def opener_of(places: Sequence[pn.Column], bring: Callable[[Any], object]) -> DisclosureButton:
    """The button that shows places or hides them; `bring(place)` fills one."""
    opener = DisclosureButton(label=translate("More settings"), margin=0, styles={"color": "var(--soft)"})
    args = {f"part{i}": place for i, place in enumerate(places)}  # Panel finds its own by their names alone
    there = ", ".join(f"typeof {name} === 'undefined' ? [] : {name}" for name in args)  # one that comes later is not
    show = f"for (const part of [{there}].flat()) part.css_classes = cb_obj.open ? ['open'] : []"
    opener.jscallback(args=args, open=show)
    opener.param.watch(lambda event: [bring(place) for place in places], "open")
    return opener
