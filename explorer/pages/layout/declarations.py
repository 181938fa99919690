"""Declarations of a lab's page: its menus, its buttons, and the layout of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Self

import panel as pn
import panel_material_ui as pmui

from explorer.languages import bind_language, translate, translate_labels
from explorer.pages.user_data.panel import UserData
from explorer.pages.widgets.menus import DisclosureButton
from explorer.pages.widgets.picture_tabs import PictureTabs
from explorer.pages.widgets.play_button import PACE
from explorer.workbench.conditions import conditions_of
from explorer.workbench.fields import BUNDLED, draws

from .theme import BRIEF, BUTTONS, ROW

if TYPE_CHECKING:
    from explorer.pages.page_protocol import Page
    from explorer.pages.user_data.slot import Slot
    from explorer.workbench.lab import Lab

EVEN = "1 1 440px"  # the CSS property `flex` of both columns if the large picture is not much wider than high
# The CSS property `flex` of both columns if the large picture is of a plane about as wide as high. A unit has the same
# length in both directions there, so a much wider picture would leave its sides empty.
OF_PLANE, BESIDE_PLANE = "1 1 380px", "1.6 1 440px"
CLOSED = ":host(:not(.open)) { display: none; }"


@dataclass(frozen=True)
class ChoiceWidget:
    """Base class of the widgets with which the user chooses a field's value.

    Parameters
    ----------
    options : callable or None, default None
        Called with the lab if the choices depend on its state; returns label -> value. None takes the field's own
        labels.
    """

    options: Callable[[Any], dict[str, Any]] | None = None

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        """Build the widget.

        Parameters
        ----------
        field : Choice
            The lab's field.
        value : object
            Its current value.
        lab : Lab
            The lab.

        Returns
        -------
        Widget
            The Panel widget.
        """
        raise NotImplementedError

    def choices(self, words: Mapping[str, Any]) -> dict[str, Any]:
        """Return the choices as the widget shows them.

        Parameters
        ----------
        words : mapping
            Label -> value.

        Returns
        -------
        dict
            Visible label -> value.
        """
        return dict(words)

    def first(self, field: Any, lab: Lab) -> dict[str, Any]:
        """Return the choices when the page opens.

        Parameters
        ----------
        field : Choice
            The lab's field.
        lab : Lab
            The lab.

        Returns
        -------
        dict
            Visible label -> value.
        """
        return self.choices(translate_labels(self.options(lab) if self.options else field.words))

    def now(self, lab: Lab) -> dict[str, Any]:
        """Return the widget's settings that follow the lab's state, apart from its value.

        Parameters
        ----------
        lab : Lab
            The lab.

        Returns
        -------
        dict
            Parameter of the widget -> value.
        """
        return {"options": self.choices(translate_labels(self.options(lab)))} if self.options else {}


class Menu(ChoiceWidget):
    """A drop-down menu over a field's choices.

    Parameters
    ----------
    options : callable or None, default None
        See `ChoiceWidget`.
    """

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        # this width, in px, applies outside a row
        return pmui.Select(
            label=translate(field.label), options=self.first(field, lab), value=value, size="small", width=185
        )


class Radio(ChoiceWidget):
    """A row of buttons, exactly one of them pressed.

    Parameters
    ----------
    options : callable or None, default None
        See `ChoiceWidget`.
    """

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        return pmui.RadioButtonGroup(
            label=translate(field.label), options=self.first(field, lab), value=value, size="small"
        )

    def choices(self, words: Mapping[str, Any]) -> dict[str, Any]:
        # no label is broken into two lines
        return {word.replace(" ", "\N{NO-BREAK SPACE}"): value for word, value in words.items()}


class Pictures(ChoiceWidget):
    """The pictures that share a slot: two as buttons in a row, the others in a list.

    Parameters
    ----------
    options : callable or None, default None
        See `ChoiceWidget`.
    """

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        return PictureTabs(label=translate(field.label), options=self.first(field, lab), value=value, margin=0)

    def choices(self, words: Mapping[str, Any]) -> dict[str, Any]:
        # each label begins with a capital
        return {word[:1].upper() + word[1:]: value for word, value in words.items()}


class Switch(ChoiceWidget):
    """A switch for a field that is true or false."""

    def make(self, field: Any, value: Any, lab: Lab) -> Any:
        return pmui.Switch(label=translate(field.label), value=value, size="small", margin=(2, 6, 0, 0))


@dataclass(frozen=True)
class Button:
    """A button that calls a method of the page, or sets fields of the lab.

    Parameters
    ----------
    label : str
        The text on the button.
    act : str, default ""
        The name of the page's method; empty if the button sets fields.
    key : str, default ""
        A key on the keyboard that does the same.
    does : str, default ""
        Describes the action in the help.
    options : dict
        Further parameters of the widget.
    when : callable or None, default None
        Called with the result; returns whether the button is enabled. None enables a button always, or, if it sets
        fields, while one of them has another value.
    sets : mapping
        Field -> the value that the button sets.
    """

    label: str
    act: str = ""
    key: str = ""
    does: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    _: KW_ONLY
    when: Callable[[Any], object] | None = None
    sets: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def new_sample(
        cls,
        label: str = "New sample",
        does: str = "draws a new sample",
        when: Callable[[Any], object] | None = draws,
    ) -> Self:
        """Return the button that draws another sample.

        Parameters
        ----------
        label : str, default "New sample"
            The text on the button.
        does : str, default "draws a new sample"
            Describes the action in the help.
        when : callable or None
            When it is enabled; by default if another seed draws another sample.

        Returns
        -------
        Button
            The button.
        """
        return cls(label, "draw_sample", "n", does, {"variant": "contained"}, when=when)

    def is_enabled(self, result: Any) -> bool:
        """Return whether the button is enabled.

        Parameters
        ----------
        result : Result
            The result that the page shows.

        Returns
        -------
        bool
            False if pressing it would change nothing.
        """
        if self.when is not None:
            return bool(self.when(result))
        return not self.sets or any(getattr(result.lab, name) != value for name, value in self.sets.items())

    def press(self, page: Page) -> None:
        """Run the button's action.

        Parameters
        ----------
        page : LabPage
            The page that has the button.
        """
        if self.act:
            getattr(page, self.act)()
        else:
            page.move(None, **self.sets)

    def make(self, page: Page) -> pmui.Button:
        """Build the widget.

        Parameters
        ----------
        page : LabPage
            The page that has the button.

        Returns
        -------
        panel_material_ui.Button
            The widget.
        """
        return pmui.Button(
            label=translate(self.label),
            on_click=bind_language(lambda event: self.press(page)),
            **{"variant": "outlined", "size": "small", "margin": 0, "stylesheets": [BUTTONS], **self.options},
        )

    def now(self, page: Page) -> dict[str, Any]:
        """Return the widget's settings that follow the page's state.

        Parameters
        ----------
        page : LabPage
            The page that has the button.

        Returns
        -------
        dict
            Parameter of the widget -> value.
        """
        return {}


@dataclass(frozen=True)
class Toggle(Button):
    """A button that stays pressed while a field has another value than its default.

    Parameters
    ----------
    label : str
        The text on the button at first.
    act : str, default ""
        The name of the page's method; empty if pressing the button sets the field to `value`, or back.
    key : str, default ""
        A key on the keyboard that does the same.
    does : str, default ""
        Describes the action in the help.
    options : dict
        Further parameters of the widget.
    field : str, default "samples"
        The lab's field.
    words : tuple of str
        The texts while the button is off, while the result is computed, and while it is on. The last may contain
        {value}.
    when, sets : Any
        See `Button`.
    value : object, default 100
        The field's value while the button is pressed.
    needs_law : bool, default False
        Whether the true distribution has to be known.
    """

    field: str = "samples"
    words: tuple[str, str, str] = ("+100 samples", "Drawing ...", "{value} samples")
    _: KW_ONLY
    value: Any = 100
    needs_law: bool = False

    @staticmethod
    def more_samples() -> Toggle:
        """Return the button that draws 100 more samples of the lab's distribution, or removes them.

        Returns
        -------
        Toggle
            The button.
        """
        return Toggle("+100 samples", "", "s", "draws 100 more samples", {"width": 118}, needs_law=True)

    def press(self, page: Page) -> None:
        if self.act:
            super().press(page)
        elif self.needs_law and page.result.law is None:
            page.refuse(
                self.field, "The distribution behind a table is unknown, so no more samples can be drawn from it."
            )
        else:
            page.toggle(self.field, self.value)

    def now(self, page: Page) -> dict[str, Any]:
        value = getattr(page.lab, self.field)
        if not value:
            return {"label": translate(self.words[0]), "variant": "outlined"}
        return {"label": translate(self.words[1 if page.waits else 2], value=value), "variant": "contained"}


@dataclass(frozen=True)
class AutoButton(Button):
    """A button that makes fields automatic: `AutoButton.of("λ", "lam")`.

    Parameters
    ----------
    label : str
        The text on the button.
    act : str
        Not used: the button changes the lab's fields itself.
    key : str, default ""
        A key on the keyboard that does the same.
    does : str, default ""
        Describes the action in the help.
    options : dict
        Further parameters of the widget.
    fields : tuple of str
        The fields, the one with the slider first.
    when, sets : Any
        See `Button`.
    """

    fields: tuple[str, ...] = ()

    @classmethod
    def of(cls, symbol: str, *fields: str) -> Self:
        """Return the button, with its key, for fields with a common symbol.

        Parameters
        ----------
        symbol : str
            The symbol of the fields on the page.
        *fields : str
            The fields, the one with the slider first.

        Returns
        -------
        AutoButton
            The button.
        """
        return cls(f"auto {symbol}", "", "a", f"leaves {symbol} to leave-one-out", fields=fields)

    def is_enabled(self, result: Any) -> bool:
        when = conditions_of(type(result.lab)).get(self.fields[0])
        return when is None or bool(when(result))

    def press(self, page: Page) -> None:
        page.move(self.fields[0], **dict.fromkeys(self.fields))

    def now(self, page: Page) -> dict[str, Any]:
        return {"visible": any(getattr(page.lab, name) is not None for name in self.fields)}


class Handles:
    """Points of pictures that the user can drag.

    Parameters
    ----------
    *sources : str
        The sources that draw them, each as "picture.source". Those of one picture draw the same points.
    count : callable or int, default 1
        Their number, or a function of the result that returns it.
    """

    def __init__(self, *sources: str, count: Callable[[Any], int] | int = 1) -> None:
        self.sources = sources
        self.count: Callable[[Any], int] = count if callable(count) else lambda result: count


# The layout. A part is the name of a picture, slider, box, menu or button, or an object of a class below.


class Part:
    """Base class of the parts of a page. `inner` are the parts that it contains."""

    inner: tuple[Any, ...] = ()

    def build(self, layout: Any) -> Any:
        """Build the Panel object of the part.

        Parameters
        ----------
        layout : Layout
            The layout of the page, which builds the inner parts.

        Returns
        -------
        Viewable
            The Panel object.
        """
        raise NotImplementedError


def parts_of(whole: Part) -> Iterator[Any]:
    """Yield all parts that a part contains, at every depth."""
    for part in whole.inner:
        yield part
        if isinstance(part, Part):
            yield from parts_of(part)


class UserDataSection(Part):
    """The section that takes the user's data, with some sources of the lab as examples.

    Parameters
    ----------
    *slots : Slot
        What the section asks for, such as ``Columns(uses=2)``, see `explorer.pages.user_data.slot`.
    examples : tuple of str or None, default None
        The sources that serve as examples; None for the bundled tables among the lab's sources.
    """

    def __init__(self, *slots: Slot, examples: Sequence[str] | None = None) -> None:
        self.slots = slots
        self.examples = examples

    def build(self, layout: Any) -> Any:
        page = layout.page
        names = self.examples
        if names is None:
            source = page.lab_class.fields.get("source")
            names = [name for name in BUNDLED if source is not None and name in source.words.values()]
        return UserData(self.slots, page.use, page.lab.values, page.examples(*names) if names else None)


class Parts(Part):
    """Base class of the parts that contain other parts."""

    def __init__(self, *parts: Any) -> None:
        self.inner = parts


class WrapRow(Parts):
    """Parts side by side, on as many lines as they need.

    Parameters
    ----------
    *parts : str or Part
        The parts.
    """

    def build(self, layout: Any) -> Any:
        return flowing(*layout.build_outside_rows(self.inner))


class InputRow(Parts):
    """Number boxes side by side in one row of a group, each with its label before it.

    Parameters
    ----------
    *parts : str
        The fields of the boxes.
    """

    def build(self, layout: Any) -> Any:
        boxes, page = layout.each(self.inner), layout.page
        for name in self.inner:
            control = page.controls[name]
            control.box.stylesheets = [BRIEF]
        return pn.Row(*boxes, margin=0, sizing_mode="stretch_width", styles={"gap": "10px"})


class Stack(Parts):
    """Parts one below the other, as one part of a column.

    Parameters
    ----------
    *parts : str or Part
        The parts.
    """

    def build(self, layout: Any) -> Any:
        return layout.stack(self.inner)


class Column(Parts):
    """Parts one below the other, as a column of the page.

    Parameters
    ----------
    *parts : str or Part
        The parts.
    flex : str, default "1.75 1 560px"
        The CSS property `flex`: how the column shares the page's width with the other one.
    """

    def __init__(self, *parts: Any, flex: str = "1.75 1 560px") -> None:
        super().__init__(*parts)
        self.flex = flex

    def build(self, layout: Any) -> Any:
        return layout.column(self)


class MainSlider(Parts):
    """The main slider in a row of its own, with its name, its ends, its box and a Play button.

    Parameters
    ----------
    slider : str
        The slider's field.
    *beside : str or Part
        Further parts of the row.
    along : str, default ""
        The picture whose x axis is the slider's. Its track lies right below the axis, from its first stop to its last
        one, so that the knob is below the line in the picture; the other parts are in a row below.
    whole : bool, default False
        Whether the track is as long as the axis instead, which has other units than the slider.
    pace : int
        The time from one stop to the next while it plays, in ms.
    """

    def __init__(self, slider: str, *beside: Any, along: str = "", whole: bool = False, pace: int = PACE) -> None:
        super().__init__(slider, *beside)
        self.slider = slider
        self.beside = beside
        self.along = along
        self.whole = whole
        self.pace = pace

    def build(self, layout: Any) -> Any:
        return layout.mover(self)


class MainPicture(Parts):
    """The large picture, or the pictures of its slot, with the main slider right below, and then the legend.

    Parameters
    ----------
    picture : str or Part
        The picture, or a PictureSlot.
    slider : str or Part
        The slider's field, or the part that has the slider.
    *beside : str or Part
        Further parts of the slider's row.
    along : str, default ""
        The picture whose x axis is the slider's, see `MainSlider`.
    whole : bool, default False
        Whether the slider is as long as the axis, see `MainSlider`.
    below : sequence, default ()
        Parts below the slider.
    """

    def __init__(
        self,
        picture: Any,
        slider: str | Part,
        *beside: Any,
        along: str = "",
        whole: bool = False,
        below: Sequence[Any] = (),
    ) -> None:
        if isinstance(slider, str):
            slider = MainSlider(slider, *beside, along=along, whole=whole)
        super().__init__(picture, slider, *below)

    def build(self, layout: Any) -> Any:
        return layout.main_picture(self)


class Group(Parts):
    """Related controls under a title, each in a row.

    Parameters
    ----------
    title : str
        The title.
    *parts : str or Part
        The controls.
    more : sequence, default ()
        Rarely used controls, hidden until the user asks for them.
    wide : int, default 300
        The width that the group asks for, in px.
    """

    def __init__(self, title: str, *parts: Any, more: Sequence[Any] = (), wide: int = 300) -> None:
        super().__init__(*parts, *more)
        self.title = title
        self.parts = parts
        self.more = more
        self.wide = wide

    def build(self, layout: Any) -> Any:
        return layout.group(self)


class Conditional(Part):
    """A part that is visible while a condition of the result holds.

    Parameters
    ----------
    when : callable
        Called with the result.
    part : str or Part
        The part.
    """

    def __init__(self, when: Callable[[Any], object], part: Any) -> None:
        self.when = when
        self.inner: tuple[Any, ...] = (part,)

    def build(self, layout: Any) -> Any:
        built = layout.build(*self.inner)
        if isinstance(built, pn.viewable.Viewer):  # a control: its parts are shown and hidden together
            built = pn.Column(built, margin=0, sizing_mode="stretch_width")
        layout.conditions.append((built, self.when))
        return built


class PictureSlot(Part):
    """A slot for several pictures; the result decides which one is visible.

    Parameters
    ----------
    place : str, default "small"
        The name of the slot.
    """

    def __init__(self, place: str = "small") -> None:
        self.place = place

    def build(self, layout: Any) -> Any:
        return layout.picture_slot(self.place)


def flowing(*parts: Any) -> pn.FlexBox:
    """Place buttons and menus side by side, on as many lines as they need."""
    return pn.FlexBox(*parts, align_items="center", gap="6px 10px", margin=(2, 0))


def in_a_row(widget: Any) -> Any:
    """Put a widget's label before it, and make it as wide as its container: a menu, a box or a row of buttons."""
    widget.param.update(stylesheets=[ROW], width=None, margin=0, sizing_mode="stretch_width")
    return widget


def closed(*parts: Any, **options: Any) -> pn.Column:
    """Return a column that is hidden until its disclosure button is pressed."""
    options = {"sizing_mode": "stretch_width", **options}
    return pn.Column(*parts, margin=0, stylesheets=[CLOSED], **options)


def opener_of(places: Sequence[pn.Column], bring: Callable[[Any], object]) -> DisclosureButton:
    """Return the button that shows or hides columns; `bring(column)` builds the content of one."""
    opener = DisclosureButton(label=translate("More settings"), margin=0, styles={"color": "var(--soft)"})
    # Panel resolves its own objects only as named arguments
    args = {f"part{i}": place for i, place in enumerate(places)}
    # a column that is built later is still undefined in the script
    there = ", ".join(f"typeof {name} === 'undefined' ? [] : {name}" for name in args)
    show = f"for (const part of [{there}].flat()) part.css_classes = cb_obj.open ? ['open'] : []"
    opener.jscallback(args=args, open=show)
    opener.param.watch(bind_language(lambda event: [bring(place) for place in places]), "open")
    return opener
