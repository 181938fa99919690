"""Page of an essay: its text, each picture in its place, and a pinned picture that follows the reader.

Without a script, and on paper, the pictures are below the text that refers to them. A script shows one of them at a
time, pinned, and hides the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.browser import standing
from explorer.markup import embedded, joined, markup, script
from explorer.printing import echo
from explorer.site import links
from explorer.svg.frame_diffs import frame_diffs
from explorer.workbench.lessons import LABS, LESSONS
from explorer.workbench.links import address
from explorer.workbench.registry import entry

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .essay import Essay
    from .reading import Part, Text

SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
LIVE = "document.currentScript.parentElement.classList.add('live')"  # runs before the first paint
SHEET = markup('<link rel="stylesheet" href="../_static/essays.css">')


class Still(NamedTuple):
    """A scene as a figure for its place in the text, and its size in px."""

    figure: Markup
    size: tuple[float, float]


def body(essay: Essay) -> Markup:
    """Return the page of an essay below its title."""
    text, values = essay.text, essay.prose_values()
    text.check(values)
    captions = {name: text.html(tokens, values) for name, tokens in text.captions.items()}
    stills = {name: _still(name, essay.scenes[name](), caption) for name, caption in captions.items()}
    wide, high = (max(each.size[side] for each in stills.values()) for side in (0, 1))
    env = {"values": values, "captions": captions, "figures": {name: each.figure for name, each in stills.items()}}
    return markup(
        '{}<div class="essay" style="--wide: {:g}; --high: {:g}"><script>{}</script>'
        '<p class="question">{}</p>{}<div class="text">{}{}</div>{}</div>',
        SHEET, wide, high, embedded(LIVE), text.question, PINNED,
        joined(_part(text, part, env) for part in text.parts), _onwards(essay), script(standing.script("essay")),
    )  # fmt: skip


PINNED = markup(
    '<aside class="pinned" aria-label="Picture"><div class="stage" aria-hidden="true"></div>'
    '<p class="says" aria-hidden="true"></p>'
    '<p class="steps"><button type="button" class="back" aria-label="Previous picture">‹</button>'
    '<span class="count"></span>'
    '<button type="button" class="on" aria-label="Next picture">›</button></p>'
    '<p class="told" role="status"></p></aside>'
)


def _part(text: Text, part: Part, env: Mapping[str, Any]) -> Markup:
    return markup(
        '<section aria-labelledby="about-{0}"><h2 id="about-{0}">{1}</h2>{2}</section>',
        part.pictures[0], text.html(part.heading[1:2], **env), joined(text.html(block, **env) for block in part.blocks),
    )  # fmt: skip


def _still(name: str, drawings: Sequence[Markup], caption: Markup) -> Still:
    """Return the figure of a scene, with the data of its other drawings if it moves. They must have one size."""
    sizes = {_size(each) for each in drawings}
    if len(sizes) != 1:
        found = " and ".join(f"{wide:g} x {high:g}" for wide, high in sorted(sizes))
        raise ValueError(f"the drawings of a scene are of one size, and those of {echo(name)} have {found} px.")
    wound = frame_diffs(drawings[::-1])  # the last drawing is the one in the page
    moves = markup('<script type="application/json">{}</script>', wound.packed) if len(wound) > 1 else ""
    figure = markup(
        '<figure id="{}" data-stops="{}">{}<figcaption>{}</figcaption>{}</figure>',
        name, len(wound), wound.first, caption, moves,
    )  # fmt: skip
    return Still(figure, sizes.pop())


def _size(drawing):
    found = SIZE.search(drawing)
    if found is None:
        raise ValueError("a drawing is an SVG whose viewBox begins at 0 0, as explorer.svg.draw_standalone makes it.")
    return float(found[1]), float(found[2])


def _onwards(essay: Essay) -> Markup:
    """Return links: the lab at the state of the essay, the whole lab, the lesson, and the reference."""
    lab, state, next_ = entry(essay.lab), essay.state, LESSONS[essay.lesson - 1]
    there = address(essay.lab, lab.lab(**state.fields))
    names = ((links.reference(f"explorer.{name}"), name) for name in essay.names)
    return markup(
        '<section class="onwards" aria-labelledby="onwards"><h2 id="onwards">Now move it yourself</h2>'
        '<p><a class="lab" href="{living}"><b>{title}: {name}</b> {says}</a></p>'
        "<p>That page works by itself, in the browser. The whole lab also takes your own data: install the explorer,"
        " run <code>explorer serve</code>, and open <code>{served}/{there}</code>.</p>"
        '<ul><li>Lesson {number}: <a href="{lesson}">{called}</a><br>{about}</li>'
        "<li>Reference: {names}</li></ul></section>",
        living=links.lab(there).file, title=lab.title, name=state.name, says=state.says, served=LABS, there=there,
        number=next_.number, lesson=links.lesson(next_.number), called=next_.title, about=next_.says,
        names=joined((markup('<a href="{}"><code>{}</code></a>', to, name) for to, name in names), ", "),
    )  # fmt: skip
