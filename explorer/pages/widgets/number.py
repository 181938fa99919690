"""Number boxes and sliders over listed values: one field of a lab, moved by hand, key or word."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.languages import translate
from explorer.markup import markup
from explorer.pages.layout.markup_pane import Text, html
from explorer.pages.layout.theme import BOX, MAIN, ROW, STYLE, VALUE
from explorer.printing import echo, minus
from explorer.workbench.numbers import format_number, word
from explorer.workbench.steps import ticks, with_value

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab

AUTO = "auto"  # in a box, after the number that was chosen
# a label of twelve letters, such as "permutations", is not cut short
WHOLE_LABEL = {"& .MuiInputLabel-shrink": {"maxWidth": "133%"}}


class NumberBox(pn.viewable.Viewer):
    """A number box, and a place for the sentence when what is typed is refused.

    `on_word(name, text)` hears a typed word.
    """

    def __init__(self, lab: Lab, name: str, label: str, on_word: Callable[[str, str], object], **params: Any) -> None:
        super().__init__(**params)
        self.word: str = ""
        self.quantity: Any = None  # the Quantity of a column that the field's values lie along
        self.box: pmui.TextInput = pmui.TextInput(
            label=label, size="small", width=104, margin=(6, 6, 0, 0), sx=WHOLE_LABEL
        )
        self.trouble: Text = Text("", visible=False, margin=0, sizing_mode="stretch_width", stylesheets=[STYLE])
        self.note(getattr(lab, name))
        self.box.param.watch(lambda event: on_word(name, event.new), "value")
        # a busy browser may press Enter with the word before the last letter
        self.box.param.watch(lambda event: self.box.param.update(value=self.box.value_input), "enter_pressed")

    def __panel__(self) -> Any:
        return self.box  # who lays it out finds a place for `trouble`

    @property
    def widgets(self) -> tuple[Any, ...]:
        """What takes a hand."""
        return (self.box,)

    def has(self, value: float | None) -> bool:
        """Whether it can show the value as it is."""
        return True

    def stand_at(
        self,
        value: float | None,
        near: float | None = None,
        place: Callable[[str, int], object] | None = None,
        chosen: float | None = None,
    ) -> None:
        """Show a value of the lab."""
        self.note(value, chosen)

    def note(self, value: float | None, chosen: float | None = None) -> None:
        """Write the value into the box, and take back what was refused; `chosen` is what an automatic one came to."""
        self.word = self._word(value)
        if value is None and chosen is not None:
            self.word = f"{format_number(chosen)} {AUTO}"
        if self.box.value != self.word:  # where its input alone differs, somebody is typing
            self.box.value = self.word
        self.refuse("")

    def _word(self, value):
        """A value as it is typed: one along a column in the column's own units."""
        return word(value) if self.quantity is None or value is None else minus(self.quantity.format(value))

    def inside(self, text: str) -> str:
        """What was typed in a column's own units, as the field counts; the number before "auto" is meant."""
        text = text.strip()
        if text != AUTO and text.endswith(AUTO):
            text = text.removesuffix(AUTO)
        if self.quantity is None:
            return text
        try:
            return repr(
                round(float(self.quantity.from_file_units(float(text.strip().replace("\N{MINUS SIGN}", "-")))), 6)
            )
        except ValueError:
            return text

    def refuse(self, sentence: str) -> None:
        """Say beside the control why a value was refused, and how to go on; the box keeps the word."""
        self.trouble.param.update(
            object=markup("<div role='alert' class='trouble'>{}</div>", sentence) if sentence else "",
            visible=bool(sentence),
        )


class NumberControl(NumberBox):
    """A slider over listed values and its number box. `on_move(name, value)` hears where the slider goes."""

    def __init__(
        self,
        lab: Lab,
        name: str,
        label: str,
        on_move: Callable[[str, Any], object],
        on_word: Callable[[str, str], object],
        **params: Any,
    ) -> None:
        super().__init__(lab, name, label.split()[0], on_word, **params)
        value = getattr(lab, name)
        self.name_of_field = name
        self.steps: Sequence[Any] = lab.stops_of(name)
        self.slider: pmui.DiscreteSlider = pmui.DiscreteSlider(
            label=label,
            options=self._options(value),
            value=self._stop(value),
            value_label=self._said(value),
            tooltips=False,
            show_value=False,  # the box has it
            size="small",
            sizing_mode="stretch_width",
            margin=0,
            stylesheets=[ROW],
        )
        # its number is plain until a hand comes near
        width = 104 if type(lab).fields[name].allow_None else 72  # an automatic value is a number and a word
        self.box.param.update(width=width, margin=(0, 0, 0, 10), align="center", stylesheets=[VALUE])
        self.ends: tuple[Text, ...] = ()  # in words, of a main slider that has them in a row below
        self.slider.param.watch(lambda event: on_move(name, event.new), "value")

    def __panel__(self) -> pn.Column:
        row = pn.Row(self.slider, self.box, sizing_mode="stretch_width", margin=0, styles={"align-items": "center"})
        return pn.Column(row, self.trouble, sizing_mode="stretch_width", margin=0)

    @property
    def widgets(self) -> tuple[Any, ...]:
        return self.slider, self.box

    def name_of(self) -> Text:
        """What the slider moves, for a row of its own; those who listen hear it from the slider."""
        word = self.slider.label
        kind = "symbol" if len(word) == 1 else "word"
        name = markup("<span class='{}' aria-hidden='true'>{}</span>", kind, word)
        return html(
            name, margin=0, sizing_mode=None, css_classes=["name"], styles={"flex": "0 1 auto", "min-width": "0"}
        )

    def lead(self, below: bool = False) -> None:
        """Be the main slider: a wide track with round stops marked, and a box.

        Its ends are written at the track, or in `ends`, which stand in a row `below`.
        """
        if below:
            self.ends = tuple(html("", margin=0, sizing_mode=None) for _ in range(2))
        self.slider.param.update(stylesheets=[MAIN], css_classes=[*self.slider.css_classes, "track"])
        self.box.param.update(stylesheets=[BOX], width=104, margin=0)
        self.slider.param.watch(lambda event: self._mark(), "options")
        self._mark()

    def _mark(self):
        labels, stops = zip(*self.slider.options.items(), strict=True)
        last = len(stops) - 1
        marks: dict[int, dict[str, Any]] = {place: {"value": place} for place in (*ticks(stops), 0, last)}
        for place, pane in zip((0, last), self.ends or (None, None), strict=True):
            if pane is None:
                marks[place]["label"] = labels[place]
            else:
                pane.object = markup("<span class='end'>{}</span>", labels[place])
        self.slider.marks = list(marks.values())

    def _options(self, value):
        stops = self.steps if value is None else with_value(self.steps, value)
        labels = [format_number(v) if self.quantity is None else self._word(v) for v in stops]
        # a typed value that would read like its neighbour is shown with all its digits
        return {label if labels.count(label) == 1 else word(v): v for label, v in zip(labels, stops, strict=True)}

    def _stop(self, value, near=None):
        """Where the thumb rests: an automatic value leaves it at the stop nearest to what was chosen."""
        if value is not None:
            return value
        return (
            min(self.steps, key=lambda stop: abs(math.log(stop / near)) if 0 < stop < math.inf else math.inf)
            if near
            else self.steps[len(self.steps) // 2]
        )

    @staticmethod
    def _said(value):
        """What the slider says in place of a number of its own."""
        return translate("by leave-one-out") if value is None else None

    def has(self, value: float | None) -> bool:
        """Whether the value is one of the slider's stops, no other value's own stop is left over, and it speaks for
        itself.
        """
        return self.slider.options == self._options(value) and self.slider.value_label == self._said(value)

    def at(self, index: Any) -> Any:
        """The value at the slider's index, as a browser names it; Refusal where the slider has no such stop."""
        stops = list(self.slider.options.values())
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(stops):
            raise Refusal(f"{self.name_of_field} has no stop {echo(index)}; its stops are 0 to {len(stops) - 1}.")
        return stops[index]

    def stand_at(
        self,
        value: float | None,
        near: float | None = None,
        place: Callable[[str, int], object] | None = None,
        chosen: float | None = None,
    ) -> None:
        """Put the slider at a value of the lab, with a stop of its own where it needs one.

        `near` is where it waits while the value is automatic, and `chosen` what the box then says; `place(name, index)`
        is told first, so that the browser knows whose move it is.
        """
        options, stop, said = self._options(value), self._stop(value, near), self._said(value)
        now = {"options": options, "value": stop, "value_label": said}
        changed = {k: v for k, v in now.items() if getattr(self.slider, k) != v}
        if changed and place:
            place(self.name_of_field, list(options.values()).index(stop))
        if changed:
            self.slider.param.update(**changed)
        self.note(value, chosen)
