"""The markup of a widget: the element with what it holds, and the script that all widgets of a page share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explorer.browser import sheet
from explorer.languages import current_language, translate
from explorer.markup import Markup, as_data, embedded, markup, script
from explorer.svg.colours import ALONE
from explorer.workbench import registry
from explorer.workbench.links import address

from .look import COLOURS, NAMES, variables
from .paper import foot

if TYPE_CHECKING:
    from explorer.svg.frame_diffs import FrameDiffs
    from explorer.workbench.lab import Lab

SCRIPT = "kernel-mean-widget.js"  # the shared script, as a page names it where it is told nothing else
INLINE = "inline"  # in its place, of one that stands in the fragment

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
    """The widget of a lab's state as a fragment that one pastes into a page, and that is a page when opened alone.

    texts    what is said at each row: of the stops, and one more of what the lab chooses by itself, if it may
    still    the main picture, where the slider does not move it; then the one that it moves stands below
    start    the row of the state, of which the first of the pictures is; the others follow, and then those before it
    resting  the stop at which the slider's thumb is; auto says whether the lab chooses, None where it cannot
    line     where a line stands that a hand may drag, as a share of the picture's width; None where there is none
    script   the shared script, or its address
    """
    held = {"texts": texts, "start": start, "stops": stops, "line": line, "pace": pace}
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
        texts=as_data(held),
        reel=pictures.packed,
        script=_script(script),
    )


def _controls(field, stops, resting, texts, auto):
    """Play, the slider at a stop, its value, and the button of what the lab chooses."""
    ends = markup('min="0" max="{}" step="1" value="{}"', stops - 1, resting)
    told = markup(
        'aria-label="{}" aria-valuetext="{}"', ", ".join((field.symbol, field.unit or field.doc)), texts["said"]
    )
    press = markup('<button class="auto" type="button" aria-pressed="{}">auto</button>', str(auto).lower())
    play, pause = (translate(words, field.symbol) for words in ("Play {}", "Pause {}"))
    return markup(
        '<button class="play" type="button" aria-label="{0}" data-play="{0}" data-pause="{1}">▶</button>'
        '<input type="range" {2} {3}><span class="now"><i>{4}</i><span class="value">{5}</span>{6}</span>',
        play, pause, ends, told, field.symbol, texts["value"], "" if auto is None else press,
    )  # fmt: skip


def _foot(lab, source):
    """Sizes, seed, version and licence, and where the state comes from."""
    state = address(registry.name_of(type(lab)), lab)
    whence = (
        markup('<a href="{}">{}</a>', source, translate("Open the lab")) if source else markup("<code>{}</code>", state)
    )
    return markup("{} · {}", foot(lab), whence)


def _script(named):
    """The shared script as an element: by its address, or as it is."""
    return script(named) if "\n" in named else markup('<script src="{}" defer></script>', named)


def _style():
    """The sheet of a widget: colours as the reader's screen asks for them, or the attribute `theme` of the element."""
    light, dark = (f"color-scheme: {name}; {variables(name == 'dark')}" for name in ("light", "dark"))
    colours = (
        f":host {{ {light} }} @media screen and (prefers-color-scheme: dark) {{ :host {{ {dark} }} }}"
        f" :host([theme='light']) {{ {light} }} :host([theme='dark']) {{ {dark} }}"
    )
    # a picture that stands alone has colours of its own
    own = " ".join(f"--{role}: inherit;" for role in COLOURS)
    return f"{colours} .picture .{ALONE} {{ {own} }} {sheet('shared', 'standing/widget')}{NAMES}"
