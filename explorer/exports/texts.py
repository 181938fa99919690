"""What an exported file says at each stop of its slider."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from explorer.markup import Markup, meant
from explorer.snippets import pasted
from explorer.views.words import in_words
from explorer.workbench import registry
from explorer.workbench.links import address
from explorer.workbench.numbers import format_number, word
from explorer.workbench.prose import still
from explorer.workbench.user_rows import headline_of

if TYPE_CHECKING:
    from explorer.views.view import View
    from explorer.workbench.result import Result

AUTO = "auto"  # the word for a value that the lab chooses by itself


def texts(view: View, state: Any, label: str) -> dict[str, Any]:
    """What is said where the slider is at a state: to those who listen, and element of the file -> HTML."""
    twin = in_words(view.words(state, view.numbers(state)).values())
    html = {"value": Markup.escape(label), **told(state, twin)}
    return {"said": f"{label}, {AUTO}" if is_auto(state) else label, "html": html}


def told(state: Any, twin: Markup) -> dict[str, Markup]:
    """Element of the file -> what it shows of a state, whose pictures are in words in `twin`."""
    name = registry.name_of(type(state.lab))
    words, script = registry.role(name, "words"), registry.role(name, "script")
    return {
        "headline": meant(headline_of(words, state, state.row)),
        "caption": still(meant(words.caption(state))),
        "twin": twin,
        "python": Markup.escape(pasted(script.python(state))),
        "link": Markup.escape(address(name, state.lab)),
    }


def is_auto(result: Result[Any]) -> bool:
    """Whether the slider's value is left to the lab."""
    return result.row >= len(result.stops)


def distinct(values: Sequence[float]) -> list[str]:
    """Numbers in three digits, or in all of theirs where three would read like another's."""
    said = list(map(format_number, values))
    return [each if said.count(each) == 1 else word(value) for each, value in zip(said, values, strict=True)]


def labels(result: Result[Any], places: Sequence[float] | None, rows: int) -> list[str]:
    """What the slider says at each row: three digits of its stop, or all where three would read like another's.

    A last one is of what the lab chooses by itself: the number at the last of the line's `places`, or that word.
    """
    said = distinct(result.stops)
    if rows == len(said) and not is_auto(result):
        return said
    if places is None:
        return [*said, AUTO]
    *stops, chosen = places
    return [*said, said[stops.index(chosen)] if chosen in stops else format_number(chosen)]


def places_of_line(pictures: Iterable[Any], result: Result[Any]) -> list[float] | None:
    """Where the line that stands where the slider does is at each row; None where no picture has one."""
    for each in pictures:
        if each.upright:
            return each.table(result)[each.upright, "x"][:, 0].tolist()
    return None


def resting_stop(result: Result[Any], places: Sequence[float] | None) -> int:
    """Where the slider's thumb rests: of a value that the lab chooses at the nearest stop, or in the middle."""
    if not is_auto(result):
        return result.row
    if places is None:
        return len(result.stops) // 2
    *stops, chosen = places
    return min(range(len(stops)), key=lambda stop: abs(stops[stop] - chosen))
