"""A lab's state as an exported file shows it: its words, its pictures, and what its slider needs without a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from explorer.checks import Refusal
from explorer.languages import translate
from explorer.markup import Markup, meant
from explorer.printing import join_list
from explorer.recipe import pasted
from explorer.workbench import registry
from explorer.workbench.cost import refuse_too_much
from explorer.workbench.links import address
from explorer.workbench.numbers import format_number, word
from explorer.workbench.prose import still
from explorer.workbench.titles import titled
from explorer.workbench.user_rows import headline_of

from .paper import foot

if TYPE_CHECKING:
    from explorer.marks.picture import Picture
    from explorer.workbench.lab import Lab
    from explorer.workbench.registry import Entry
    from explorer.workbench.result import Result

AUTO = "auto"  # label of a value that the lab chooses by itself


@dataclass(frozen=True)
class LabState:
    """A state of a lab, completely computed.

    Attributes
    ----------
    lab_name : str
        Name of the lab.
    name : str
        Name of the state, such as that of a preset, or "".
    result : Result
        The result, with all deferred stages.
    pictures : list of type of Picture
        The visible pictures, the main one first.
    """

    lab_name: str
    name: str
    result: Result[Any]
    pictures: list[Picture]

    @classmethod
    def of(cls, lab: Lab, name: str = "") -> Self:
        """Compute a state. Refuse it if that costs more than a session is allowed."""
        refuse_too_much(lab.cost)
        lab_name, result = registry.name_of(type(lab)), lab.result(wait=True)
        return cls(lab_name, name, result, registry.visible_pictures(lab_name, result))

    @property
    def entry(self) -> Entry:
        """The lab's entry in the registry."""
        return registry.entry(self.lab_name)

    @property
    def title(self) -> str:
        """The title of the lab, and the name of the state."""
        return " · ".join(translate(each) for each in (self.entry.title, self.name) if each)

    @property
    def question(self) -> str:
        """The question that the lab answers."""
        return translate(self.entry.question)

    @property
    def tab(self) -> str:
        """The title of the browser's tab."""
        return titled(self.lab_name, self.result)

    @property
    def foot(self) -> str:
        """Sizes, seed, version and licence."""
        return foot(self.result.lab)

    @property
    def address(self) -> str:
        """The state's link on a server."""
        return address(self.lab_name, self.result.lab)

    def headline(self, result: Result[Any]) -> Markup:
        """Return the headline of a result of this lab."""
        return meant(headline_of(registry.role(self.lab_name, "words"), result, result.row))

    def texts(self, result: Result[Any], twin: Markup) -> dict[str, Markup]:
        """Return {element of the file: its contents} for a result whose pictures are described in `twin`."""
        words, script = (registry.role(self.lab_name, role) for role in ("words", "script"))
        return {
            "headline": self.headline(result),
            "caption": still(meant(words.caption(result))),
            "twin": twin,
            "python": Markup.escape(pasted(script.python(result))),
            "link": Markup.escape(address(self.lab_name, result.lab)),
        }


@dataclass(frozen=True)
class SliderState(LabState):
    """A state whose main slider the browser can answer by itself. Its pictures are those that need no server.

    A row is a stop of the slider; one more row is the value that the lab chooses by itself, if it may.
    """

    @classmethod
    def of(cls, lab: Lab, name: str = "") -> Self:
        """Compute a state. Refuse a lab whose slider needs a server at this state."""
        title = registry.entry(registry.name_of(type(lab))).title
        if not lab.slider:
            raise Refusal(
                f"{title} has no slider that a browser can answer, so a file of it would stand still; these labs have"
                f" one: {join_list(exportable())}."
            )
        whole = super().of(lab, name)
        pictures = [each for each in whole.pictures if each.table_is_complete]
        state = cls(whole.lab_name, name, whole.result, pictures)
        if not (whole.result.answers and any(state.tables)):
            raise Refusal(
                f"At this state of {title} the slider of {state.field.symbol} needs a server, so a file of it would"
                " stand still; take a preset, or fewer points."
            )
        return state

    @property
    def field(self) -> Any:
        """The field that the slider moves."""
        lab = self.result.lab
        return type(lab).fields[lab.slider]

    @property
    def stops(self) -> int:
        """Number of stops of the slider."""
        return len(self.result.stops)

    @cached_property
    def tables(self) -> list[dict[tuple[str, str], Any]]:
        """The table of each picture: (source, column) -> a value or an array for each row."""
        return [each.table(self.result) for each in self.pictures]

    @cached_property
    def rows(self) -> int:
        """Number of rows."""
        return max(len(column) for table in self.tables for column in table.values())

    @cached_property
    def line(self) -> list[float] | None:
        """The position, at each row, of the line that moves with the slider, or None if no picture has one."""
        for each, table in zip(self.pictures, self.tables, strict=True):
            if each.slider_line:
                return table[each.slider_line, "x"][:, 0].tolist()
        return None

    @property
    def chooses(self) -> bool:
        """True if there is a row for the value that the lab chooses by itself."""
        return self.rows > self.stops

    @cached_property
    def results(self) -> list[Any]:
        """The result of each row."""
        return [self.result.at(value) for value in (*self.result.stops, None)[: self.rows]]

    @cached_property
    def labels(self) -> list[str]:
        """The slider's label at each row: its stop in three digits, or in all if three would read like another's.

        The label of the value that the lab chooses is the number at its place, or "auto".
        """
        short, places = distinct(self.result.stops), self.line
        if not (self.chooses or is_auto(self.result)):
            return short
        if places is None:
            return [*short, AUTO]
        *stops, chosen = places
        return [*short, short[stops.index(chosen)] if chosen in stops else format_number(chosen)]

    def heard(self, row: int) -> str:
        """Return the slider's text for screen readers at a row."""
        return f"{self.labels[row]}, {AUTO}" if row >= self.stops else self.labels[row]

    @property
    def resting(self) -> int:
        """The stop of the slider's thumb: for a value that the lab chooses the nearest stop, or the middle."""
        if not is_auto(self.result):
            return self.result.row
        if self.line is None:
            return self.stops // 2
        *stops, chosen = self.line
        return min(range(len(stops)), key=lambda stop: abs(stops[stop] - chosen))


def exportable() -> tuple[str, ...]:
    """Return the names of the labs with a slider that the browser can answer.

    Returns
    -------
    tuple of str
        The names.
    """
    return tuple(name for name, entry in registry.entries().items() if entry.lab.slider)


def is_auto(result: Result[Any]) -> bool:
    """Return whether the lab chooses the slider's value."""
    return result.row >= len(result.stops)


def distinct(values: Sequence[float]) -> list[str]:
    """Return numbers in three digits, or in all of theirs if three would read like another's."""
    short = list(map(format_number, values))
    return [each if short.count(each) == 1 else word(value) for each, value in zip(short, values, strict=True)]
