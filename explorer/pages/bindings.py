"""From a page's controls to its lab and back: sliders, typed values, menus and drags, and what is refused of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.languages import translate
from explorer.parameters import Real, explicit_label, use_auto_for_none
from explorer.workbench.safe_call import run_safely

from .widgets.number import NumberBox, NumberControl

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab
    from explorer.workbench.result import Result

    from .protocol import Page


class Bindings:
    """The controls of a page, which move its lab, and follow it when the hand rests.

    Each field that has a label has a control: a number's is a slider, or a box where the page says so in `boxes`.

    sliders   field -> NumberControl
    controls  field -> NumberControl or NumberBox
    choice    field -> widget of the page's `choosers`
    pressed   name -> widget of its `buttons`
    """

    def __init__(self, page: Page) -> None:
        lab, fields = page.lab, page.lab_class.fields
        self.page = page
        numbers = {n: translate(explicit_label(f)) for n, f in page.lab_class.labelled().items() if isinstance(f, Real)}
        boxes = {n: NumberBox(lab, n, numbers.pop(n), self._typed) for n in page.boxes}
        self.sliders: dict[str, NumberControl] = {
            n: NumberControl(lab, n, label, self._slid, self._typed) for n, label in numbers.items()
        }
        self.controls: dict[str, NumberBox] = {**self.sliders, **boxes}
        self.choice: dict[str, Any] = {
            n: chooser.make(fields[n], getattr(lab, n), lab) for n, chooser in page.choosers.items()
        }
        for name, widget in self.choice.items():
            widget.param.watch(lambda event, name=name: page.choose(name, event.new), "value")
        self.pressed: dict[str, Any] = {name: button.make(page) for name, button in page.buttons.items()}
        self.browser_drew: bool = False  # whether the browser has drawn by itself what it asks for now
        self._asking = set()  # the sliders whose own moves are being answered
        self._elsewhere = set()  # fields that changed by other means than their own slider, which has yet to follow
        self._refused = set()  # controls that were refused since the lab last changed: a rest leaves them as they are
        self._following = False  # whether the controls follow the lab, and move nothing

    # from the controls to the lab

    def move(self, name: str | None, **changes: Any) -> None:
        """Change fields of the lab; a refusal is said at the control `name`, and the picture stays."""
        lab, before = self.page.lab, self.page.lab.values()
        with self.page.speaking():
            sentence = self.attempt(changes)
            self.refuse(name, sentence)
        if self.page.blank and not sentence and lab.values() == before:
            self.page.changed()  # the user chooses what the lab is at already, and sees nothing of it

    def attempt(self, changes: Mapping[str, Any]) -> str:
        """Change fields of the lab; return why they cannot change, or nothing."""
        lab = self.page.lab
        return run_safely(partial(lab.move, **changes), f"{lab} on its way to {changes}")[1]

    def refuse(self, name: str | None, sentence: str) -> None:
        """Say a refusal beside its control, or above the pictures where it has none; nothing takes it back."""
        if sentence:  # most moves have none, and the words of a class take as long as a picture
            with self.page.speaking():
                sentence = without_classes(translate(sentence), self.page.lab_class)
        if name in self.controls:
            self.controls[name].refuse(sentence)
            (self._refused.add if sentence else self._refused.discard)(name)
        elif sentence:
            self.page.chrome.say([sentence])

    def handle_request(self, values: Mapping[str, tuple[Any, bool]]) -> None:
        """Answer a browser: {control: [index, or what a handle was dragged to, whether it drew the answer itself]}."""
        talk = self.page.lab_session
        self._asking, self.browser_drew = (
            values.keys() & self.sliders.keys(),
            all(drawn for _, drawn in values.values()),
        )
        talk.browser_drew |= any(drawn for _, drawn in values.values())
        with self.page.hold():  # one message: the browser asks on as soon as it has it, and only then draws
            try:
                for name, (value, _) in values.items():
                    if name in self.sliders:
                        self._move_to_stop(name, value)
                    else:
                        self.page.on_drag(name, value)
            finally:
                self._asking, self.browser_drew = set(), False
                if not talk.busy:
                    self.page.pacer.done()

    def widgets(self, name: str) -> tuple[Any, ...]:
        """What a hand takes of a control or a button: of a slider also its box."""
        if name in self.controls:
            return self.controls[name].widgets
        return (self.choice.get(name) or self.pressed[name],)

    def press(self, name: str) -> None:
        """Do what a button does, unless it takes no hand."""
        if not self.pressed[name].disabled:
            self.page.buttons[name].press(self.page)

    def _move_to_stop(self, name, index):
        value, sentence = run_safely(partial(self.sliders[name].at, index), f"stop {index} of {name}")
        if sentence:
            self.refuse(name, sentence)
        else:
            self.move(name, **{name: value})

    def _slid(self, name, value):
        if not self.page.pacer.live and not self._following:
            self.move(name, **{name: value})

    def _typed(self, name, text):
        if self._following:
            return None
        if text.strip() in (self.controls[name].word, ""):
            self.controls[name].note(getattr(self.page.lab, name))
            return self.refuse(name, "")
        try:
            with self.page.speaking():
                value = self.page.lab_class.fields[name].parse(self.controls[name].inside(text))
        except Refusal as refusal:
            return self.refuse(name, str(refusal))
        return self.move(name, **{name: value})

    # from the lab to the controls

    def note(self, events: Iterable[Any]) -> None:
        """The lab has changed: what was refused is no longer said, and some controls have yet to follow."""
        self._refused.clear()
        self._elsewhere.update(event.name for event in events if event.name not in self._asking)

    def show(self, result: Result[Any]) -> None:
        """What of the controls follows with every picture: which take a hand, and in what units they speak."""
        page = self.page
        for name, condition in page.enabled.items():
            self._enable(name, condition(result))
        for name, quantity in page.quantities(result).items():
            if self.controls[name].quantity != quantity:
                self.controls[name].quantity = quantity
                self._elsewhere.add(name)

    def _enable(self, name, wanted):
        for widget in self.widgets(name):
            if widget.disabled == wanted:
                widget.disabled = not wanted

    def follow(self) -> None:
        """Let the controls stand where the lab is."""
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
            # a slider that the hand moved is where it should be, or already further: only the others are put in place
            if name in self._elsewhere or value is None or not control.has(value):
                control.stand_at(value, self.page.slider_start(name), self.page.pacer.place, self.page.automatic(name))
            else:
                control.note(value)
        self._elsewhere.clear()

    def _follow_with_menus(self):
        lab = self.page.lab
        for name, widget in self.choice.items():
            now = {"value": getattr(lab, name), **self.page.choosers[name].now(lab)}
            if changed := {each: value for each, value in now.items() if getattr(widget, each) != value}:
                widget.param.update(**changed)

    def show_buttons(self) -> None:
        """What the buttons say follows the page."""
        for name, button in self.page.buttons.items():
            self.pressed[name].param.update(**button.now(self.page))


def without_classes(sentence: str, lab_class: type[Lab]) -> str:
    """A refusal in the page's terms: a field has its symbol and no class before it, and None is what one types."""
    for each in lab_class.__mro__:
        for name, field in lab_class.fields.items():
            sentence = re.sub(rf"\b{each.__name__}\.{name}\b", getattr(field, "symbol", "") or name, sentence)
        sentence = sentence.replace(f"{each.__name__}.", "")
    return use_auto_for_none(sentence)
