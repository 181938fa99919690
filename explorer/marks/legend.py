"""Legend entries: one per labelled mark, except those whose label is already written in the picture."""

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
SIGNS = " ─·╌"  # characters that a picture writes next to a label as its sign
PALE = 0.3  # opacity below which a dot counts as hollow
SOLIDS = ("box", "bar", "bar across", "cell")


class Key(NamedTuple):
    """An entry of a legend.

    Attributes
    ----------
    words : str
        Its label.
    role : str
        The role that gives its colour.
    sign : str
        Its sign: a line's dashes as in SVG, "filled", "hollow", "cross", a filled "triangle", "inverted_triangle" or
        "diamond" or, pale, "band".
    """

    words: str
    role: str
    sign: str


def keys_of(picture: Picture, result: Any, data: Numbers) -> list[Key]:
    """Return the legend entries of a picture, one for each label.

    Parameters
    ----------
    picture : Picture
        The picture.
    result : Result
        The result.
    data : dict
        Its numbers.

    Returns
    -------
    list of Key
        The entries.
    """
    if not any(getattr(each, "label", "") for each in (*picture.marks, *picture.background)):
        return []
    written, found = {words.strip(SIGNS) for _, words in texts_in_picture(picture, result, data)}, {}
    every = [(shown, _sign(shown)) for shown in legend_items(picture, result, data)]
    signs = Counter((id(shown.mark), sign) for shown, sign in every)
    for shown, sign in every:
        tells = signs[id(shown.mark), sign] == 1  # rows of one mark may look alike
        if tells and sign is not None and shown.called not in written and shown.called not in found:
            found[shown.called] = Key(shown.called, shown.role, sign)
    return list(found.values())


def legend_of(drawn: Iterable[tuple[Picture, Numbers]], result: Any, veiled: bool = False) -> list[Key]:
    """Return the legend of a page: the entries of all its pictures that have a legend, each label once.

    Parameters
    ----------
    drawn : iterable of tuple
        Pictures and their numbers.
    result : Result
        The result.
    veiled : bool, default False
        Whether to leave out labels that answer a story's question.

    Returns
    -------
    list of Key
        The entries.
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
    """Return the sign of an item, or None if a legend cannot show it."""
    mark = shown.mark
    if not shown.role:
        return None  # colours that stand for values
    if "dash" in mark.style:
        return DASHES[mark.style["dash"]]
    kind = getattr(mark, "kind", "line")  # reference lines and polylines have no kind
    if kind == "dot":
        hollow = "fill" not in mark.inks or np.max(shown.at["fill"]) < PALE
        return "hollow" if hollow else SHAPED.get(mark.style["marker"], "filled")
    if kind == "area":
        return "band"
    if kind in SOLIDS:
        return "filled" if np.any(shown.at["fill"]) or mark.style["hatch"] else "hollow"
    if kind == "image":
        return "filled"
    return None if kind in ("words", "shades", "mesh") else ""
