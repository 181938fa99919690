"""State of a lab whose main slider the browser can answer by itself, without a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.checks import Refusal
from explorer.printing import join_list
from explorer.workbench import registry
from explorer.workbench.cost import refuse_too_much

if TYPE_CHECKING:
    from explorer.marks.picture import Picture
    from explorer.workbench.lab import Lab
    from explorer.workbench.registry import Entry
    from explorer.workbench.result import Result


class SliderState(NamedTuple):
    """A lab's entry, its complete result, the field that the slider moves, and the pictures that need no server."""

    entry: Entry
    result: Result[Any]
    field: Any
    pictures: list[Picture]


def exportable() -> tuple[str, ...]:
    """Return the names of the labs with a slider that the browser can answer.

    Returns
    -------
    tuple of str
        The names.
    """
    return tuple(name for name, entry in registry.entries().items() if entry.lab.slider)


def slider_state(lab: Lab) -> SliderState:
    """Return the SliderState of a lab. Refuse a lab whose slider needs a server at this state."""
    name = registry.name_of(type(lab))
    entry = registry.entry(name)
    if not lab.slider:
        raise Refusal(
            f"{entry.title} has no slider that a browser can answer, so a file of it would stand still; these labs"
            f" have one: {join_list(exportable())}."
        )
    refuse_too_much(lab.cost)
    result, field = lab.result(wait=True), type(lab).fields[lab.slider]
    pictures = [each for each in registry.visible_pictures(name, result) if each.table_is_complete]
    if not (result.answers and any(each.table(result) for each in pictures)):
        raise Refusal(
            f"At this state of {entry.title} the slider of {field.symbol} needs a server, so a file of it would stand"
            " still; take a preset, or fewer points."
        )
    return SliderState(entry, result, field, pictures)
