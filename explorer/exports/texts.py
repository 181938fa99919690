"""Texts of an exported file at each stop of its slider."""

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

AUTO = "auto"  # label of a value that the lab chooses by itself


def texts(view: View, state: Any, label: str) -> dict[str, Any]:
    """Return the texts of the slider at a state: the one for screen readers, and {element of the file: HTML}."""
    twin = in_words(view.words(state, view.numbers(state)).values())
    html = {"value": Markup.escape(label), **state_texts(state, twin)}
    return {"said": f"{label}, {AUTO}" if is_auto(state) else label, "html": html}


def state_texts(state: Any, twin: Markup) -> dict[str, Markup]:
    """Return {element of the file: its contents} for a state, whose pictures are described in `twin`."""
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
    """Return whether the lab chooses the slider's value."""
    return result.row >= len(result.stops)


def distinct(values: Sequence[float]) -> list[str]:
    """Return numbers in three digits, or in all of theirs if three would read like another's."""
    short = list(map(format_number, values))
    return [each if short.count(each) == 1 else word(value) for each, value in zip(short, values, strict=True)]


def labels(result: Result[Any], places: Sequence[float] | None, rows: int) -> list[str]:
    """Return the slider's label at each row: its stop in three digits, or in all if three would read like another's.

    A last label is that of the value that the lab chooses by itself: the number at the last of the line's `places`, or
    "auto".
    """
    short = distinct(result.stops)
    if rows == len(short) and not is_auto(result):
        return short
    if places is None:
        return [*short, AUTO]
    *stops, chosen = places
    return [*short, short[stops.index(chosen)] if chosen in stops else format_number(chosen)]


def line_positions(pictures: Iterable[Any], result: Result[Any]) -> list[float] | None:
    """Return the position, at each row, of the line that moves with the slider, or None if no picture has one."""
    for each in pictures:
        if each.slider_line:
            return each.table(result)[each.slider_line, "x"][:, 0].tolist()
    return None


def resting_stop(result: Result[Any], places: Sequence[float] | None) -> int:
    """Return the stop of the slider's thumb: for a value that the lab chooses the nearest stop, or the middle."""
    if not is_auto(result):
        return result.row
    if places is None:
        return len(result.stops) // 2
    *stops, chosen = places
    return min(range(len(stops)), key=lambda stop: abs(stops[stop] - chosen))
