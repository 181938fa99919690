"""Prose of an essay as HTML: computed values in their places, words that show a scene, and the pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

from explorer.markup import Markup, from_library, joined, text_of
from explorer.pages.index.notebook_reader import PROSE
from explorer.printing import echo, format_number, join_list

if TYPE_CHECKING:
    from markdown_it.token import Token

    from .essay import Part

PLACE = re.compile(r"\{(\w+)\}")
FORMULA = re.compile(r"(\$\$.*?\$\$|\$[^$]*\$)", re.DOTALL)


def filled(text: str, values: Mapping[str, Any]) -> str:
    """Replace the placeholders of a text by their values, except in formulas; ValueError if a value is missing."""
    parts = FORMULA.split(text)
    if missing := [name for each in parts[::2] for name in PLACE.findall(each) if name not in values]:
        raise ValueError(
            f"the prose names {join_list(missing)}, but prose_values() has {join_list(values)}; add the missing values."
        )
    parts[::2] = (PLACE.sub(lambda found: _in_words(values[found[1]]), each) for each in parts[::2])
    return "".join(parts)


def _in_words(value):
    return format_number(float(value)) if isinstance(value, Real) else str(value)


def line(text: str, values: Mapping[str, Any]) -> Markup:
    """Return a heading or a caption as HTML: Markdown on one line."""
    return from_library(PROSE.renderInline(filled(text, values)))


def prose(part: Part, values: Mapping[str, Any], says: Mapping[str, Markup], still: Callable[[str], Markup]) -> Markup:
    """Return the prose of a part with the picture `still(key)` of each scene below the block where the scene begins.

    Raises
    ------
    ValueError
        If words refer to a scene that the essay (`says`: key -> caption) does not have, or if no words refer to a scene
        of the part.
    """
    left = [scene.key for scene in part.scenes]
    made = []
    for block in _blocks(PROSE.parse(filled(part.prose, values))):
        named = list(_scenes_of(block, says))
        made.append(from_library(PROSE.renderer.render(block, PROSE.options, {})))
        begun = [key for i, key in enumerate(left) if key in named or (not i and key == part.scenes[0].key)]
        made += map(still, begun)
        left = [key for key in left if key not in begun]
    if left:
        raise ValueError(
            f"no words of the part {echo(part.heading)} show {join_list(left)}; link to each as [words](#key)."
        )
    return joined(made)


def _blocks(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Return the blocks of Markdown: paragraphs, lists and others."""
    block = []
    for token in tokens:
        block.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield block
            block = []


def _scenes_of(block, says):
    """Yield the keys of the scenes that a block links to, and make words that show a scene of its links."""
    for token in block:
        for each in token.children or ():
            target = str(each.attrGet("href") or "") if each.type == "link_open" else ""
            if target.startswith("#"):
                key = target[1:]
                if key not in says:
                    raise ValueError(f"words show the scene {echo(key)}, and there are {join_list(says)}.")
                each.attrs = {"href": f"#{key}", "class": "shows", "data-scene": key, "title": text_of(says[key])}
                yield key
