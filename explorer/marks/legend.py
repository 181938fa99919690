"""Which sign stands for what: the called marks of pictures, but for what a picture names by words of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .legend_items import legend_items, texts_in_picture

if TYPE_CHECKING:
    from .mark import Numbers
    from .picture import Picture

SHAPED = {"x": "cross", "cross": "cross"} | {each: each for each in ("triangle", "inverted_triangle", "diamond")}
DASHES = {"solid": "", "dashed": "7 4", "dotted": "2 3", "dotdash": "2 3 7 3", "dashdot": "7 3 2 3"}
SIGNS = " ─·╌"  # that a picture writes beside what they stand for
PALE = 0.3  # a paler dot than this is taken for a hollow one
SOLIDS = ("box", "bar", "bar across", "cell")


class Key(NamedTuple):
    """What a sign stands for, the role of its colour, and its kind.

    A line's dashes as SVG has them, "filled", "hollow", "cross", a filled "triangle",
    "inverted_triangle" or "diamond" or, pale, "band".
    """

    words: str
    role: str
    sign: str


def keys_of(picture: type[Picture], result: Any, data: Numbers) -> list[Key]:
    """The keys of a picture whose numbers are `data`; what goes by one name has one."""
    if not any(getattr(each, "label", "") for each in (*picture.marks, *picture.grounds)):
        return []
    written, found = {words.strip(SIGNS) for _, words in texts_in_picture(picture, result, data)}, {}
    every = [(shown, _sign(shown)) for shown in legend_items(picture, result, data)]
    signs = Counter((id(shown.mark), sign) for shown, sign in every)
    for shown, sign in every:
        tells = signs[id(shown.mark), sign] == 1  # rows of one mark may look alike
        if tells and sign is not None and shown.called not in written and shown.called not in found:
            found[shown.called] = Key(shown.called, shown.role, sign)
    return list(found.values())


def legend_of(drawn: Iterable[tuple[type[Picture], Numbers]], result: Any, veiled: bool = False) -> list[Key]:
    """The legend of a page: the keys of (picture, its numbers) of all whose picture has part in it, each name once.

    Where it is `veiled`, without the names of what a story asks for.
    """
    found, asked = {}, set()
    for picture, data in drawn:
        if picture.legend:
            for key in keys_of(picture, result, data):
                found.setdefault(key.words, key)
            asked |= {
                each.called
                for each in legend_items(picture, result, data)
                if getattr(each.mark, "is_story_answer", False)
            }
    return [key for words, key in found.items() if not (veiled and words in asked)]


def _sign(shown):
    mark = shown.mark
    if not shown.role:
        return None  # the colours of signs and sizes
    if "dash" in mark.style:
        return DASHES[mark.style["dash"]]
    kind = getattr(mark, "kind", "line")  # of a rule and of a path
    if kind == "dot":
        hollow = "fill" not in mark.inks or np.max(shown.at["fill"]) < PALE
        return "hollow" if hollow else SHAPED.get(mark.style["marker"], "filled")
    if kind == "area":
        return "band"
    if kind in SOLIDS:
        return "filled" if np.any(shown.at["fill"]) or mark.style["hatch"] else "hollow"
    if kind == "image":
        return "filled"
    return None if kind in ("words", "shades") else ""
