"""Widget: the picture of a lab that its main slider moves, and that slider, as one element for any page.

The element has the picture at every stop and the lab's sentence for each; one script serves all widgets of a page.
Without scripts it shows the state that it was made from. The element and the page around it cannot affect each other,
so it can be used in slides, in a course, in a notebook or in a blog.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from explorer.browser import sheet, standing
from explorer.checks import Refusal
from explorer.languages import current_language, translate
from explorer.markup import Markup, as_data, embedded, markup
from explorer.markup import script as script_element
from explorer.public_names.help_text import VERSION
from explorer.svg import draw_standalone, frame_of
from explorer.svg.colours import ALONE
from explorer.svg.frame_diffs import frame_diffs

from .lab_state import SliderState, is_auto
from .styles import COLOURS, NAMES, variables

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab

SCRIPT = "kernel-mean-widget.js"  # default address of the shared script
INLINE = "inline"  # instead of an address: the script is part of the fragment
MARK = "/* The widgets of Kernel Mean Explorer"  # beginning of the shared script
MOST = 200_000  # most bytes of an element
WIDTH = 420  # width of a picture in px, so that its text can still be read when a phone makes it smaller
PACE = 90  # milliseconds from one stop to the next, as on a lab's page
HIGH = re.compile(r'<svg [^>]*?height="([\d.]+)"')

WIDGET = """<meta charset="utf-8">
<kernel-mean-widget lang="{language}" data-lm-suppress-shortcuts>
<template shadowrootmode="open">
<style>{style}</style>
<figure aria-label="{title}">
<figcaption><p class="title">{title}</p><p class="question">{question}</p><div class="headline">{headline}</div>
</figcaption>
<div class="shown">{still}<div class="picture moving">{picture}{grip}</div>
<div class="controls">{controls}</div></div>
<div class="unseen status" role="status"></div>
<p class="foot">{foot}</p>
</figure>
<script class="texts" type="application/json">{texts}</script>
<script class="reel" type="application/json">{reel}</script>
</template>
</kernel-mean-widget>
{script}
"""


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
    state = SliderState.of(lab, name)
    inline, stops = shared_script() if script == INLINE else "", state.stops
    for step in (1, 2):
        stop_rows = _stop_rows(state.result, step)
        html = _widget(state, stop_rows, inline or script, source)
        size = len(html.encode()) - len(inline.encode())
        if size <= MOST:
            return Widget(html, size, len(stop_rows), stops)
    raise Refusal(
        f"a widget of this state of {state.entry.title} would have {size / 1e3:.0f} kB with every second stop of its"
        f" slider, and may have {MOST / 1e3:.0f} kB; take fewer points, or leave out --widget for a whole page."
    )


def _stop_rows(result, step):
    """Return the rows of the stops in the widget: every `step`-th, the last, and that of the state."""
    last = len(result.stops) - 1
    return sorted({*range(0, last, step), last, *({result.row} & {*range(last)})})


def _widget(state, stop_rows, script, source):
    """Return the fragment of a state with some stops of its slider; it is also a page when opened alone."""
    hero, picture = state.pictures[0], next(p for p, table in zip(state.pictures, state.tables, strict=True) if table)
    moving = replace(state, pictures=[picture])
    rows = [*stop_rows, *range(moving.stops, moving.rows)]  # the last is that of the value that the lab chooses
    results, start = [moving.results[row] for row in rows], rows.index(state.result.row)
    texts = [
        {"said": moving.heard(row), "value": moving.labels[row], "headline": state.headline(result)}
        for row, result in zip(rows, results, strict=True)
    ]
    drawings, places = _drawings(picture, results), moving.line
    # the first picture is visible without a script: that of the state; then come the following rows, and those before
    pictures = frame_diffs([*drawings[start:], *drawings[:start]])
    line = None if places is None else _shares(picture, results, [places[row] for row in rows])
    data = {"texts": texts, "start": start, "stops": len(stop_rows), "line": line, "pace": PACE}
    still = draw_standalone(hero, state.result, WIDTH) if hero is not picture else ""
    return markup(
        WIDGET,
        language=current_language(),
        style=embedded(_style()),
        title=state.title,
        question=state.question,
        headline=texts[start]["headline"],
        still=markup('<div class="picture">{}</div>', still) if still else "",
        picture=pictures.first,
        grip=markup('<div class="grip"></div>') if line else "",
        controls=_controls(moving, stop_rows, texts[start]),
        foot=_foot(state, source),
        texts=as_data(data),
        reel=pictures.packed,
        script=_script(script),
    )


def _controls(state, stop_rows, texts):
    """Return the Play button, the slider at a stop, its value, and the button for the value that the lab chooses."""
    field, stops = state.field, len(stop_rows)
    resting = min(range(stops), key=lambda stop: abs(stop_rows[stop] - state.resting))
    ends = markup('min="0" max="{}" step="1" value="{}"', stops - 1, resting)
    labels = markup(
        'aria-label="{}" aria-valuetext="{}"', ", ".join((field.symbol, field.unit or field.doc)), texts["said"]
    )
    pressed = str(is_auto(state.result)).lower()
    press = markup('<button class="auto" type="button" aria-pressed="{}">auto</button>', pressed)
    play, pause = (translate(words, field.symbol) for words in ("Play {}", "Pause {}"))
    return markup(
        '<button class="play" type="button" aria-label="{0}" data-play="{0}" data-pause="{1}">▶</button>'
        '<input type="range" {2} {3}><span class="now"><i>{4}</i><span class="value">{5}</span>{6}</span>',
        play, pause, ends, labels, field.symbol, texts["value"], press if state.chooses else "",
    )  # fmt: skip


def _foot(state, source):
    """Return sizes, seed, version and licence, and a link to the state or its address."""
    link = markup('<a href="{}">{}</a>', source, translate("Open the lab"))
    return markup("{} · {}", state.foot, link if source else markup("<code>{}</code>", state.address))


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


def _script(named):
    """Return the shared script as an element: by its address, or with its text."""
    return script_element(named) if "\n" in named else markup('<script src="{}" defer></script>', named)


def _style():
    """Return the style sheet of a widget: colours follow the reader's screen, or the element's attribute `theme`."""
    light, dark = (f"color-scheme: {name}; {variables(name == 'dark')}" for name in ("light", "dark"))
    colours = (
        f":host {{ {light} }} @media screen and (prefers-color-scheme: dark) {{ :host {{ {dark} }} }}"
        f" :host([theme='light']) {{ {light} }} :host([theme='dark']) {{ {dark} }}"
    )
    # A stand-alone picture has its own colours; here it inherits those of the widget.
    own = " ".join(f"--{role}: inherit;" for role in COLOURS)
    return f"{colours} .picture .{ALONE} {{ {own} }} {sheet('shared', 'standing/widget')}{NAMES}"
