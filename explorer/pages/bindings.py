"""Two-way connections between a page's controls and its lab: sliders, typed values, menus, drags and refusals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.languages import bind_language, translate
from explorer.parameters import Real, explicit_label, use_auto_for_none
from explorer.workbench.conditions import conditions_of, reason_of
from explorer.workbench.safe_call import run_safely

from .interaction.request_pacing import Pacer
from .layout.declarations import Toggle
from .widgets.number import NumberBox, NumberControl

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab
    from explorer.workbench.result import Result

    from .page_protocol import Page


class Bindings:
    """The controls of a page. They change its lab, and follow it when the user pauses.

    Each field that has a label has a control. A number's control is a slider, or a number box if the page lists the
    field in `boxes`.

    Parameters
    ----------
    page : LabPage
        The page that has the controls.

    Attributes
    ----------
    sliders : dict
        Field -> NumberControl.
    controls : dict
        Field -> NumberControl or NumberBox.
    choice : dict
        Field -> widget of the page's `choosers`.
    pressed : dict
        Name -> widget of the page's `buttons`.
    pacer : Pacer
        The browser's requests.
    browser_drew : bool
        Whether the browser has already drawn the answer to its current request.
    """

    def __init__(self, page: Page) -> None:
        lab, lab_class, choosers, buttons = page.lab, page.lab_class, page.choosers, page.buttons
        self.page = page
        self.pacer: Pacer = Pacer(self.handle_request)
        numbers = {n: translate(explicit_label(f)) for n, f in lab_class.labelled().items() if isinstance(f, Real)}
        boxes = {n: NumberBox(lab, n, numbers.pop(n), self._typed) for n in page.boxes}
        self.sliders: dict[str, NumberControl] = {
            n: NumberControl(lab, n, label, self._slid, self._typed) for n, label in numbers.items()
        }
        self.controls: dict[str, NumberBox] = {**self.sliders, **boxes}
        self.choice: dict[str, Any] = {
            n: chooser.make(lab_class.fields[n], getattr(lab, n), lab) for n, chooser in choosers.items()
        }
        for name, widget in self.choice.items():
            widget.param.watch(bind_language(lambda event, name=name: page.choose(name, event.new)), "value")
        self.pressed: dict[str, Any] = {name: button.make(page) for name, button in buttons.items()}
        self.browser_drew: bool = False  # whether the browser has already drawn what it asks for now
        self._asking = set()  # sliders whose own moves are being answered
        self._elsewhere = set()  # fields that changed by other means than their own slider, which has not followed yet
        # controls with a refusal since the lab's last change: an idle update does not overwrite them
        self._refused = set()
        self._conditions = {
            **{name: when for name, when in conditions_of(lab_class).items() if name in self.controls | self.choice},
            **{name: button.is_enabled for name, button in buttons.items()},
            **page.enabled,
        }
        self._following = False  # whether the controls are following the lab; their events then change nothing

    # from the controls to the lab

    def move(self, name: str | None, **changes: Any) -> None:
        """Change fields of the lab; a refusal is shown at the control `name`, and the picture stays."""
        lab = self.page.lab
        before = lab.values()
        with self.page.speaking():
            sentence = self.attempt(changes)
            self.refuse(name, sentence)
        if self.page.blank and not sentence and lab.values() == before:
            self.page.changed()  # the user chose the lab's current values, and no picture of them is visible yet

    def attempt(self, changes: Mapping[str, Any]) -> str:
        """Change fields of the lab; return the reason if they cannot change, else an empty text."""
        lab = self.page.lab
        return run_safely(partial(lab.move, **changes), f"{lab} on its way to {changes}")[1]

    def refuse(self, name: str | None, sentence: str) -> None:
        """Show a refusal at its control, or above the pictures if it has none.

        An empty sentence removes the control's refusal, and leaves the notice above the pictures unchanged.
        """
        if sentence:  # most moves have no refusal, and without_classes takes as long as drawing a picture
            with self.page.speaking():
                sentence = without_classes(translate(sentence), self.page.lab_class)
        if name in self.controls:
            self.controls[name].refuse(sentence)
            (self._refused.add if sentence else self._refused.discard)(name)
        elif sentence:
            self.page.say([sentence])

    def handle_request(self, values: Mapping[str, tuple[Any, bool]]) -> None:
        """Handle a browser request.

        `values` maps a control to (value, drawn): the slider's index or the position of a dragged handle, and whether
        the browser has already drawn the result.
        """
        talk = self.page.lab_session
        self._asking, self.browser_drew = (
            values.keys() & self.sliders.keys(),
            all(drawn for _, drawn in values.values()),
        )
        talk.browser_drew |= any(drawn for _, drawn in values.values())
        # all changes go into one message: the browser sends its next request on receiving it, and only then draws
        with self.page.hold():
            try:
                for name, (value, _) in values.items():
                    if name in self.sliders:
                        self._move_to_stop(name, value)
                    else:
                        self.page.on_drag(name, value)
            finally:
                self._asking, self.browser_drew = set(), False
                if not talk.busy:
                    self.pacer.done()

    def widgets(self, name: str) -> tuple[Any, ...]:
        """Return the widgets of a control or a button that accept input: a slider comes with its number box."""
        if name in self.controls:
            return self.controls[name].widgets
        return (self.choice.get(name) or self.pressed[name],)

    def press(self, name: str) -> None:
        """Run a button's action, unless the button is disabled."""
        if not self.pressed[name].disabled:
            button = self.page.buttons[name]
            button.press(self.page)

    def _move_to_stop(self, name, index):
        value, sentence = run_safely(partial(self.sliders[name].at, index), f"stop {index} of {name}")
        if sentence:
            self.refuse(name, sentence)
        else:
            self.move(name, **{name: value})

    def _slid(self, name, value):
        if not self.pacer.live and not self._following:
            self.move(name, **{name: value})

    def _typed(self, name, text):
        if self._following:
            return None
        if text.strip() in (self.controls[name].word, ""):
            self.controls[name].note(getattr(self.page.lab, name))
            return self.refuse(name, "")
        lab_class = self.page.lab_class
        field = lab_class.fields[name]
        try:
            with self.page.speaking():
                value = field.parse(self.controls[name].inside(text))
        except Refusal as refusal:
            return self.refuse(name, str(refusal))
        return self.move(name, **{name: value})

    # from the lab to the controls

    def note(self, events: Iterable[Any]) -> None:
        """Note that the lab has changed: its refusals are outdated, and the changed controls have to follow later."""
        self._refused.clear()
        self._elsewhere.update(event.name for event in events if event.name not in self._asking)

    def show(self, result: Result[Any]) -> None:
        """Enable or disable the controls for a result, and update the units of their numbers."""
        quantities = self.page.quantities(result)
        for name, condition in self._conditions.items():
            self._enable(name, bool(condition(result)))
        if (main := self.page.main_field) in self._conditions:
            has_effect, why = not self.sliders[main].slider.disabled, reason_of(self._conditions[main])
            with self.page.speaking():
                self.sliders[main].explain("" if has_effect else why(result))
            if self.page.play is not None:
                self.page.play.disabled = not has_effect
        for name, quantity in quantities.items():
            if self.controls[name].quantity != quantity:
                self.controls[name].quantity = quantity
                self._elsewhere.add(name)

    def _enable(self, name, wanted):
        for widget in self.widgets(name):
            if widget.disabled == wanted:
                widget.disabled = not wanted

    def follow(self) -> None:
        """Set all controls to the current values of the lab."""
        self._following = True
        try:
            self._follow_with_numbers()
            self._follow_with_menus()
            self.show_buttons()
        finally:
            self._following = False

    def _follow_with_numbers(self):
        lab = self.page.lab
        for name, control in self.sliders.items():
            if name != lab.slider:
                control.steps = lab.stops_of(name)
        for name, control in self.controls.items():
            if name in self._refused:
                continue
            value = getattr(lab, name)
            # a slider that the user moved is already at the value, or further: only the others are set
            if name in self._elsewhere or value is None or not control.has(value):
                control.stand_at(value, self.page.slider_start(name), self.pacer.place, self.page.automatic(name))
            else:
                control.note(value)
        self._elsewhere.clear()

    def _follow_with_menus(self):
        lab, choosers = self.page.lab, self.page.choosers
        for name, widget in self.choice.items():
            now = {"value": getattr(lab, name), **choosers[name].now(lab)}
            if changed := {each: value for each, value in now.items() if getattr(widget, each) != value}:
                widget.param.update(**changed)

    @property
    def is_toggled(self) -> bool:
        """True if a button that stays pressed is pressed."""
        lab, buttons = self.page.lab, self.page.buttons
        return any(getattr(lab, button.field) for button in buttons.values() if isinstance(button, Toggle))

    def show_buttons(self) -> None:
        """Update the buttons' labels and states."""
        buttons = self.page.buttons
        for name, button in buttons.items():
            self.pressed[name].param.update(**button.now(self.page))


def without_classes(sentence: str, lab_class: type[Lab]) -> str:
    """Rewrite a refusal in the page's terms: fields by their symbols, no class names, and None as the user types it."""
    for each in lab_class.__mro__:
        for name, field in lab_class.fields.items():
            sentence = re.sub(rf"\b{each.__name__}\.{name}\b", getattr(field, "symbol", "") or name, sentence)
        sentence = sentence.replace(f"{each.__name__}.", "")
    return use_auto_for_none(sentence)
