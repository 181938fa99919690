"""Number boxes and sliders over listed values. Each controls one field of a lab by pointer, keyboard or text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.languages import bind_language, translate
from explorer.markup import markup
from explorer.pages.layout.markup_pane import Text, html
from explorer.pages.layout.theme import MAIN, MAIN_BOX, ROW, STYLE, VALUE
from explorer.printing import echo, minus
from explorer.workbench.numbers import format_number, word
from explorer.workbench.slider_stops import ticks, with_value

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab

AUTO = "auto"  # in a box, this follows the number that was chosen
# a label of twelve characters, such as "permutations", must not be truncated
WHOLE_LABEL = {"& .MuiInputLabel-shrink": {"maxWidth": "133%"}}


class NumberBox(pn.viewable.Viewer):
    """A number box, and an error message below it if the typed value is refused.

    `on_word(name, text)` is called with the typed text.
    """

    def __init__(self, lab: Lab, name: str, label: str, on_word: Callable[[str, str], object], **params: Any) -> None:
        super().__init__(**params)
        self.word: str = ""
        self.quantity: Any = None  # the Quantity of the column along which the field's values lie, or None
        self.box: pmui.TextInput = pmui.TextInput(
            label=label, size="small", width=104, margin=(6, 6, 0, 0), sx=WHOLE_LABEL
        )
        self.no_effect: str = ""  # why the field has no effect in the page's state
        self.trouble: Text = Text("", visible=False, margin=0, sizing_mode="stretch_width", stylesheets=[STYLE])
        self.note(getattr(lab, name))
        self.box.param.watch(bind_language(lambda event: on_word(name, event.new)), "value")
        # A busy browser may report Enter before the last character, so the current input is used.
        self.box.param.watch(lambda event: self.box.param.update(value=self.box.value_input), "enter_pressed")

    def __panel__(self) -> Any:
        return self.box  # the layout places `trouble`

    @property
    def widgets(self) -> tuple[Any, ...]:
        """The widgets that accept input."""
        return (self.box,)

    def has(self, value: float | None) -> bool:
        """Return whether the control can show the value without changing its stops."""
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
        """Write the value into the box, and remove its error; `chosen` is the number that an automatic field chose."""
        self.word = self._word(value)
        if value is None and chosen is not None:
            self.word = f"{format_number(chosen)} {AUTO}"
        if self.box.value != self.word:  # if only the input differs, the user is typing
            self.box.value = self.word
        self.refuse("")

    def _word(self, value):
        """Format a value as the user types it, in the column's own units if it lies along a column."""
        return word(value) if self.quantity is None or value is None else minus(self.quantity.format(value))

    def inside(self, text: str) -> str:
        """Convert typed text from the column's units to the field's; of "0.3 auto" only the number counts."""
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
        """Show next to the control why a value was refused; the box keeps the typed text.

        An empty sentence removes the refusal that is shown, if there is one.
        """
        if sentence:
            words = markup("<div role='alert' class='trouble'>{}</div>", sentence)
        else:
            words = markup("<div class='none'>{}</div>", self.no_effect) if self.no_effect else ""
        if self.trouble.object != words:
            self.trouble.param.update(object=words, visible=bool(words))

    def explain(self, no_effect: str) -> None:
        """Show why the field has no effect in the page's state; an empty sentence if it has."""
        self.no_effect = no_effect
        self.refuse("")


class NumberControl(NumberBox):
    """A slider over listed values, with its number box. `on_move(name, value)` is called when the slider moves."""

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
            value_label=self._slider_text(value),
            tooltips=False,
            show_value=False,  # the box shows the value
            size="small",
            sizing_mode="stretch_width",
            margin=0,
            stylesheets=[ROW],
        )
        # The box looks like plain text until the pointer is over it.
        # an automatic value needs space for a number and "auto"
        width = 104 if type(lab).fields[name].allow_None else 72
        self.box.param.update(width=width, margin=(0, 0, 0, 10), align="center", stylesheets=[VALUE])
        self.ends: tuple[Text, ...] = ()  # texts of a main slider's ends, if they are in a row below
        self.slider.param.watch(bind_language(lambda event: on_move(name, event.new)), "value")

    def __panel__(self) -> pn.Column:
        row = pn.Row(self.slider, self.box, sizing_mode="stretch_width", margin=0, styles={"align-items": "center"})
        return pn.Column(row, self.trouble, sizing_mode="stretch_width", margin=0)

    @property
    def widgets(self) -> tuple[Any, ...]:
        return self.slider, self.box

    def name_of(self) -> Text:
        """Return the slider's name as text for a row of its own. Screen readers get it from the slider."""
        word = self.slider.label
        kind = "symbol" if len(word) == 1 else "word"
        name = markup("<span class='{}' aria-hidden='true'>{}</span>", kind, word)
        return html(
            name, margin=0, sizing_mode=None, css_classes=["name"], styles={"flex": "0 1 auto", "min-width": "0"}
        )

    def lead(self, below: bool = False) -> None:
        """Turn the control into the main slider: a wide track with marked round stops, and a box.

        The ends are written at the track, or in `ends` for a row `below`.
        """
        if below:
            self.ends = tuple(html("", margin=0, sizing_mode=None) for _ in range(2))
        self.slider.param.update(stylesheets=[MAIN], css_classes=[*self.slider.css_classes, "track"])
        self.box.param.update(stylesheets=[MAIN_BOX], width=104, margin=0)
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
        # a typed value that would look like its neighbour is shown with all its digits
        return {label if labels.count(label) == 1 else word(v): v for label, v in zip(labels, stops, strict=True)}

    def _stop(self, value, near=None):
        """Return the thumb's position. For an automatic value it is the stop nearest to the chosen number `near`."""
        if value is not None:
            return value
        return (
            min(self.steps, key=lambda stop: abs(math.log(stop / near)) if 0 < stop < math.inf else math.inf)
            if near
            else self.steps[len(self.steps) // 2]
        )

    @staticmethod
    def _slider_text(value):
        """Return the text that the slider shows instead of a number."""
        return translate("by leave-one-out") if value is None else None

    def has(self, value: float | None) -> bool:
        """Return whether the slider fits the value without a change: the stops are its own, and so is the text."""
        return self.slider.options == self._options(value) and self.slider.value_label == self._slider_text(value)

    def at(self, index: Any) -> Any:
        """Return the value at the slider's index, as a browser names it.

        Raises
        ------
        Refusal
            If the slider has no such stop.
        """
        stops = list(self.slider.options.values())
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(stops):
            raise Refusal("{} has no stop {}; its stops are 0 to {}.", self.name_of_field, echo(index), len(stops) - 1)
        return stops[index]

    def stand_at(
        self,
        value: float | None,
        near: float | None = None,
        place: Callable[[str, int], object] | None = None,
        chosen: float | None = None,
    ) -> None:
        """Move the slider to a value of the lab, with an extra stop if it needs one.

        `near` is its position while the value is automatic, and `chosen` the number that the box then shows.
        `place(name, index)` is called first, so that the browser can distinguish the server's moves from the user's.
        """
        options, stop, said = self._options(value), self._stop(value, near), self._slider_text(value)
        now = {"options": options, "value": stop, "value_label": said}
        changed = {k: v for k, v in now.items() if getattr(self.slider, k) != v}
        if changed and place:
            place(self.name_of_field, list(options.values()).index(stop))
        if changed:
            self.slider.param.update(**changed)
        self.note(value, chosen)
