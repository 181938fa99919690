"""Widget: the picture of a lab that its main slider moves, and that slider, as one element for any page.

The element has the picture at every stop and the lab's sentence for each; one script serves all widgets of a page.
Without scripts it shows the state that it was made from. The element and the page around it cannot affect each other,
so it can be used in slides, in a course, in a notebook or in a blog.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from explorer.browser import standing
from explorer.checks import Refusal
from explorer.languages import translate
from explorer.markup import meant
from explorer.public_names.help_text import VERSION
from explorer.svg import draw_standalone, frame_of
from explorer.svg.frame_diffs import frame_diffs
from explorer.workbench import registry
from explorer.workbench.user_rows import headline_of

from .fragment import INLINE, SCRIPT, fragment
from .slider_state import slider_state
from .texts import AUTO, is_auto, labels, line_positions, resting_stop

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.workbench.lab import Lab

MARK = "/* The widgets of Kernel Mean Explorer"  # beginning of the shared script
MOST = 200_000  # most bytes of an element
WIDTH = 420  # width of a picture in px, so that its text can still be read when a phone makes it smaller
PACE = 90  # milliseconds from one stop to the next, as on a lab's page
HIGH = re.compile(r'<svg [^>]*?height="([\d.]+)"')


class Widget(NamedTuple):
    """A widget as a fragment of a page, with its size and its stops.

    Attributes
    ----------
    html : Markup
        The fragment.
    size : int
        Its bytes, without the script.
    stops : int
        Number of its stops.
    of : int
        Number of the slider's stops.
    """

    html: Markup
    size: int
    stops: int
    of: int


def shared_script() -> str:
    """Return the script that all widgets of a page share.

    Returns
    -------
    str
        The script.
    """
    return f"{MARK} {VERSION} */\n{standing.script('widget')}"


def widget(lab: Lab, name: str = "", script: str = SCRIPT, source: str = "") -> Widget:
    """Return a state of a lab as a widget of at most 200 kB.

    If all stops would be too much, every second one is left out.

    Parameters
    ----------
    lab : Lab
        The state.
    name : str, default ""
        Name of the state, such as that of a preset.
    script : str, default "kernel-mean-widget.js"
        Address of the shared script on the page, or "inline" to make it part of the fragment.
    source : str, default ""
        Target of the link below the picture, such as the lab at this state; if empty, the state's address is plain
        text.

    Returns
    -------
    Widget
        The fragment.

    Raises
    ------
    Refusal
        If the widget is too large even so, or if the slider needs a server at this state.
    """
    living = slider_state(lab)
    inline, stops = shared_script() if script == INLINE else "", len(living.result.stops)
    for step in (1, 2):
        stop_rows = _stop_rows(living.result, step)
        html = _widget(living, name, stop_rows, inline or script, source)
        size = len(html.encode()) - len(inline.encode())
        if size <= MOST:
            return Widget(html, size, len(stop_rows), stops)
    raise Refusal(
        f"a widget of this state of {living.entry.title} would have {size / 1e3:.0f} kB with every second stop of its"
        f" slider, and may have {MOST / 1e3:.0f} kB; take fewer points, or leave out --widget for a whole page."
    )


def _stop_rows(result, step):
    """Return the rows of the stops in the widget: every `step`-th, the last, and that of the state."""
    last = len(result.stops) - 1
    return sorted({*range(0, last, step), last, *({result.row} & {*range(last)})})


def _widget(living, name, stop_rows, script, source):
    """Return the fragment of a state with some stops of its slider."""
    entry, result, field, pictures = living
    hero, picture = pictures[0], next(each for each in pictures if each.table(result))
    places = line_positions([picture], result)
    count = max(map(len, picture.table(result).values()))
    rows = [*stop_rows, *range(len(result.stops), count)]  # the last is that of the value that the lab chooses
    every, called = (*result.stops, None), labels(result, places, count)
    states = [result.at(every[row]) for row in rows]
    start, resting = rows.index(result.row), resting_stop(result, places)
    drawings, line = _drawings(picture, states), None if places is None else [places[row] for row in rows]
    return fragment(
        title=" · ".join(translate(each) for each in (entry.title, name) if each),
        question=translate(entry.question),
        field=field,
        lab=result.lab,
        texts=[_texts(state, called[row]) for state, row in zip(states, rows, strict=True)],
        still=draw_standalone(hero, result, WIDTH) if hero is not picture else "",
        pictures=frame_diffs([*drawings[start:], *drawings[:start]]),  # the first is visible without a script
        start=start,
        stops=len(stop_rows),
        resting=min(range(len(stop_rows)), key=lambda stop: abs(stop_rows[stop] - resting)),
        auto=is_auto(result) if len(rows) > len(stop_rows) else None,
        line=line and _shares(picture, states, line),
        pace=PACE,
        script=script,
        source=source,
    )


def _texts(state, label):
    """Return the texts of a state: for screen readers, next to the slider, and as the headline."""
    words = registry.role(registry.name_of(type(state.lab)), "words")
    heard = f"{label}, {AUTO}" if is_auto(state) else label
    return {"said": heard, "value": label, "headline": meant(headline_of(words, state, state.row))}


def _drawings(picture, states):
    """Return the picture at all states with one height, so that only the picture moves with the slider."""
    drawings = [draw_standalone(picture, state, WIDTH) for state in states]
    heights = [_high(each) for each in drawings]
    high = max(heights)
    return [
        each if own == high else draw_standalone(picture, state, WIDTH, high)
        for each, own, state in zip(drawings, heights, states, strict=True)
    ]


def _high(drawing):
    """Return the height of a drawing in px."""
    match = HIGH.search(drawing)
    return float(match[1]) if match else 0.0


def _shares(picture, states, places):
    """Return the position, at each state, of the line that moves with the slider, as a share of the picture's width."""
    frames = (frame_of(picture, state, WIDTH) for state in states)
    return [round(float(frame.x(place)) / WIDTH, 4) for frame, place in zip(frames, places, strict=True)]
