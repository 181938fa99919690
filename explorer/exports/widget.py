"""A widget: the picture of a lab that its main slider moves, and that slider, as one element for a page of others.

The element holds the picture at every stop and the lab's sentence for each; the script is one for all widgets of a
page. With scripts off it shows the state that it was made of. What is around it reaches nothing of it, and it reaches
nothing of what is around it, so it may stand in slides, in a course, in a notebook or in a blog.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from explorer.browser import standing
from explorer.checks import Refusal
from explorer.help_text import VERSION
from explorer.languages import translate
from explorer.markup import meant
from explorer.svg import draw_standalone, frame_of
from explorer.svg.frame_diffs import frame_diffs
from explorer.workbench import registry
from explorer.workbench.user_rows import headline_of

from .fragment import INLINE, SCRIPT, fragment
from .sliding import sliding
from .texts import AUTO, is_auto, labels, places_of_line, resting_stop

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.workbench.lab import Lab

MARK = "/* The widgets of Kernel Mean Explorer"  # what the shared script begins with
MOST = 200_000  # bytes of an element
WIDTH = 420  # px that a picture is drawn in: its letters can still be read where a phone makes it smaller
PACE = 90  # ms from one stop to the next, as on a lab's page
HIGH = re.compile(r'<svg [^>]*?height="([\d.]+)"')


class Widget(NamedTuple):
    """A widget as a fragment of a page, its bytes without the script, and how many stops of all it has."""

    html: Markup
    size: int
    stops: int
    of: int


def shared_script() -> str:
    """The script that all widgets of a page share."""
    return f"{MARK} {VERSION} */\n{standing.script('widget')}"


def widget(lab: Lab, name: str = "", script: str = SCRIPT, source: str = "") -> Widget:
    """A state of a lab as a widget of at most 200 kB; `name` is what it is called, such as that of a preset.

    script  the address of the shared script as the page has it, or "inline" for one that stands in the fragment
    source  where the line below the picture leads, such as the lab at this state; without one it is text

    Where all stops would be too much, every second one is left out. Refusal where that is too much, too, and where the
    slider needs a server at this state.
    """
    living = sliding(lab)
    inline, stops = shared_script() if script == INLINE else "", len(living.result.stops)
    for step in (1, 2):
        kept = _kept(living.result, step)
        html = _widget(living, name, kept, inline or script, source)
        size = len(html.encode()) - len(inline.encode())
        if size <= MOST:
            return Widget(html, size, len(kept), stops)
    raise Refusal(
        f"a widget of this state of {living.entry.title} would have {size / 1e3:.0f} kB with every second stop of its"
        f" slider, and may have {MOST / 1e3:.0f} kB; take fewer points, or leave out --widget for a whole page."
    )


def _kept(result, step):
    """The rows of the stops that are kept: every so many, the last, and the state's own."""
    last = len(result.stops) - 1
    return sorted({*range(0, last, step), last, *({result.row} & {*range(last)})})


def _widget(living, name, kept, script, source):
    """The fragment of a state with some stops of its slider."""
    entry, result, field, pictures = living
    hero, picture = pictures[0], next(each for each in pictures if each.table(result))
    places = places_of_line([picture], result)
    count = max(map(len, picture.table(result).values()))
    rows = [*kept, *range(len(result.stops), count)]  # the last is of what the lab chooses by itself
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
        pictures=frame_diffs([*drawings[start:], *drawings[:start]]),  # the first is what is seen without a script
        start=start,
        stops=len(kept),
        resting=min(range(len(kept)), key=lambda stop: abs(kept[stop] - resting)),
        auto=is_auto(result) if len(rows) > len(kept) else None,
        line=line and _shares(picture, states, line),
        pace=PACE,
        script=script,
        source=source,
    )


def _texts(state, label):
    """What is said at a state: to those who listen, beside the slider, and as the headline."""
    words = registry.role(registry.name_of(type(state.lab)), "words")
    heard = f"{label}, {AUTO}" if is_auto(state) else label
    return {"said": heard, "value": label, "headline": meant(headline_of(words, state, state.row))}


def _drawings(picture, states):
    """The picture at all states, equally high, so that nothing moves that a slider does not."""
    drawings = [draw_standalone(picture, state, WIDTH) for state in states]
    heights = [_high(each) for each in drawings]
    high = max(heights)
    return [
        each if own == high else draw_standalone(picture, state, WIDTH, high)
        for each, own, state in zip(drawings, heights, states, strict=True)
    ]


def _high(drawing):
    """How many px high a drawing is."""
    found = HIGH.search(drawing)
    return float(found[1]) if found else 0.0


def _shares(picture, states, places):
    """Where the line that stands where the slider does is at each state, as a share of the picture's width."""
    frames = (frame_of(picture, state, WIDTH) for state in states)
    return [round(float(frame.x(place)) / WIDTH, 4) for frame, place in zip(frames, places, strict=True)]
