"""Markup of a widget: the element with its data, and the script that all widgets of a page share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explorer.browser import sheet
from explorer.languages import current_language, translate
from explorer.markup import Markup, as_data, embedded, markup, script
from explorer.svg.colours import ALONE
from explorer.workbench import registry
from explorer.workbench.links import address

from .paper import foot
from .styles import COLOURS, NAMES, variables

if TYPE_CHECKING:
    from explorer.svg.frame_diffs import FrameDiffs
    from explorer.workbench.lab import Lab

SCRIPT = "kernel-mean-widget.js"  # default address of the shared script
INLINE = "inline"  # instead of an address: the script is part of the fragment

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


def fragment(
    title: str,
    question: str,
    field: Any,
    lab: Lab,
    texts: Sequence[Mapping[str, str]],
    still: Markup | str,
    pictures: FrameDiffs,
    start: int,
    stops: int,
    resting: int,
    auto: bool | None,
    line: Sequence[float] | None,
    pace: int,
    script: str,
    source: str,
) -> Markup:
    """Return the widget of a lab's state as a fragment to paste into a page, which is also a page when opened alone.

    Parameters
    ----------
    title, question : str
        Texts above the picture.
    field : Parameter
        Field that the slider moves.
    lab : Lab
        The state.
    texts : sequence of dict
        Texts of each row: of the stops, and one more for the value that the lab chooses by itself, if it may.
    still : Markup or str
        The main picture, if the slider does not move it; the picture that it moves then comes below. Otherwise "".
    pictures : Reel
        The pictures. The first is that of the state, then come the following rows, and then those before it.
    start : int
        Row of the state.
    stops : int
        Number of stops.
    resting : int
        Stop at which the slider's thumb is.
    auto : bool or None
        Whether the lab chooses the value, or None if it cannot.
    line : sequence of float or None
        Position of the line that the user may drag at each row, as a share of the picture's width, or None without one.
    pace : int
        Time from one stop to the next when playing, in milliseconds.
    script : str
        The shared script, or its address.
    source : str
        Address of the lab, or "".

    Returns
    -------
    Markup
        The fragment.
    """
    data = {"texts": texts, "start": start, "stops": stops, "line": line, "pace": pace}
    return markup(
        WIDGET,
        language=current_language(),
        style=embedded(_style()),
        title=title,
        question=question,
        headline=texts[start]["headline"],
        still=markup('<div class="picture">{}</div>', still) if still else "",
        picture=pictures.first,
        grip=markup('<div class="grip"></div>') if line else "",
        controls=_controls(field, stops, resting, texts[start], auto),
        foot=_foot(lab, source),
        texts=as_data(data),
        reel=pictures.packed,
        script=_script(script),
    )


def _controls(field, stops, resting, texts, auto):
    """Return the Play button, the slider at a stop, its value, and the button for the value that the lab chooses."""
    ends = markup('min="0" max="{}" step="1" value="{}"', stops - 1, resting)
    labels = markup(
        'aria-label="{}" aria-valuetext="{}"', ", ".join((field.symbol, field.unit or field.doc)), texts["said"]
    )
    press = markup('<button class="auto" type="button" aria-pressed="{}">auto</button>', str(auto).lower())
    play, pause = (translate(words, field.symbol) for words in ("Play {}", "Pause {}"))
    return markup(
        '<button class="play" type="button" aria-label="{0}" data-play="{0}" data-pause="{1}">▶</button>'
        '<input type="range" {2} {3}><span class="now"><i>{4}</i><span class="value">{5}</span>{6}</span>',
        play, pause, ends, labels, field.symbol, texts["value"], "" if auto is None else press,
    )  # fmt: skip


def _foot(lab, source):
    """Return sizes, seed, version and licence, and a link to the state or its address."""
    state = address(registry.name_of(type(lab)), lab)
    whence = (
        markup('<a href="{}">{}</a>', source, translate("Open the lab")) if source else markup("<code>{}</code>", state)
    )
    return markup("{} · {}", foot(lab), whence)


def _script(named):
    """Return the shared script as an element: by its address, or with its text."""
    return script(named) if "\n" in named else markup('<script src="{}" defer></script>', named)


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
