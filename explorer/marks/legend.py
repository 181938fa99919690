"""Legend entries: one per labelled mark, except those whose label is already written in the picture."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from .legend_items import legend_items, texts_in_picture, words_of
from .roles import LESS, MORE

if TYPE_CHECKING:
    from .mark import Numbers
    from .picture import Picture

BAND = 0.35  # opacity of a band's sign
DASHES = {"solid": "", "dashed": "7 4", "dotted": "2 3", "dotdash": "2 3 7 3", "dashdot": "7 3 2 3"}
HOLLOW = "hollow "  # begins the sign of a shape without an area
SIGNS = " ─·╌"  # characters that a picture writes next to a label as its sign
SIGNED = "signed"  # stands for the two colours of a function's signs
PALE = 0.3  # opacity below which a dot counts as hollow
BARS = {"bar": "bar", "box": "bar", "bar across": "bar across", "cell": "square"}  # kind -> shape
FIELD = ((MORE, " > 0"), (LESS, " < 0"))  # colours of a function's signs, and what they mean

Corners: TypeAlias = "tuple[tuple[float, float], ...]"


def _closed(*corners: tuple[float, float]) -> tuple[Corners]:
    """Return a closed outline."""
    return ((*corners, corners[0]),)


def _rectangle(wide: float, high: float) -> tuple[Corners]:
    """Return a rectangle of half sides `wide` and `high`."""
    return _closed((-wide, -high), (wide, -high), (wide, high), (-wide, high))


def _regular(count: int, radius: float) -> tuple[Corners]:
    """Return a regular polygon."""
    angles = (2 * math.pi * i / count for i in range(count))
    return _closed(*((round(radius * math.cos(a), 1), round(radius * math.sin(a), 1)) for a in angles))


# shape -> its strokes, in px around its centre; y goes down
SHAPES: dict[str, tuple[Corners, ...]] = {
    "circle": _regular(16, 4.5),
    "hex": _regular(6, 5),
    "square": _rectangle(4, 4),
    "triangle": _closed((-4.5, 4), (4.5, 4), (0, -4)),
    "inverted_triangle": _closed((-4.5, -4), (4.5, -4), (0, 4)),
    "diamond": _closed((0, -5.5), (4, 0), (0, 5.5), (-4, 0)),
    "bar": _rectangle(3, 5.5),
    "bar across": _rectangle(5.5, 3),
    "band": _rectangle(6, 4),
    "x": (((-4, -4), (4, 4)), ((4, -4), (-4, 4))),
    "cross": (((-5, 0), (5, 0)), ((0, -5), (0, 5))),
    "diamond_cross": (*_closed((0, -5.5), (5, 0), (0, 5.5), (-5, 0)), ((-5, 0), (5, 0)), ((0, -5.5), (0, 5.5))),
    "dash": (((-6, 0), (6, 0)),),
    "tick": (((0, -6), (0, 6)),),
}
OPEN = ("x", "cross", "diamond_cross", "dash", "tick")  # shapes without an area


class Key(NamedTuple):
    """An entry of a legend.

    Attributes
    ----------
    words : str
        Its label.
    role : str
        The role that gives its colour.
    sign : str
        Its sign: a line's dashes as in SVG, or one of SHAPES, such as "triangle", which is filled unless it begins with
        "hollow ".
    """

    words: str
    role: str
    sign: str

    @property
    def strokes(self) -> tuple[Corners, ...]:
        """The strokes of its shape, in px around the centre of its sign; none for a line."""
        return SHAPES.get(self.sign.removeprefix(HOLLOW), ())

    @property
    def opacity(self) -> float:
        """Opacity of the area of its shape."""
        if self.sign == "band":
            return BAND
        return 0.0 if self.sign.startswith(HOLLOW) or self.sign in OPEN else 1.0

    @property
    def path(self) -> str:
        """The path of its shape in SVG."""
        return "".join("M" + "L".join(f"{x:g} {y:g}" for x, y in stroke) for stroke in self.strokes)


def keys_of(picture: Picture, result: Any, data: Numbers, hidden: Collection[str] = ()) -> list[Key]:
    """Return the legend entries of a picture, one for each label.

    Parameters
    ----------
    picture : Picture
        The picture.
    result : Result
        The result.
    data : dict
        Its numbers.
    hidden : collection of str
        Labels that are left out, see `answers_of`.

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
        words = key_words(shown.mark, result, shown.called)
        tells = signs[id(shown.mark), sign] == 1  # rows of one mark may look alike
        if not tells or not words or {shown.called, words} & written or shown.called in hidden:
            continue
        if sign == SIGNED:
            found |= {key.words: key for key in _keys_of_field(words, shown.at["w"])}
        elif sign is not None and words not in found:
            found[words] = Key(words, shown.role, sign)
    return list(found.values())


def answers_of(picture: Picture, result: Any, data: Numbers) -> set[str]:
    """Return the labels that answer a story's question.

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
    set of str
        The labels.
    """
    shown = legend_items(picture, result, data)
    return {each.called for each in shown if getattr(each.mark, "is_story_answer", False)}


def _keys_of_field(words, values):
    """Return the entries of a function's signs, or the one of a function without both."""
    there = [values.max(initial=0) > 0, values.min(initial=0) < 0]
    return [
        Key(words + about if all(there) else words, colour, "band")
        for (colour, about), is_there in zip(FIELD, there, strict=True)
        if is_there
    ]


def key_words(mark: Any, result: Any, called: str) -> str:
    """Return a mark's words in the legend: its `key`, or its label if it has none of its own."""
    key = getattr(mark, "key", None)
    return called if key is None else words_of(key, result)


def _sign(shown):
    """Return the sign of an item, or None if a legend cannot show it."""
    mark = shown.mark
    kind = getattr(mark, "kind", "line")  # reference lines and polylines have no kind
    if kind == "image":
        return "band" if shown.role else SIGNED
    if not shown.role:
        return None  # colours that stand for values
    if kind in ("circle", "ellipse") and mark.style["dash"] == "solid":
        return HOLLOW + "circle"
    if "dash" in mark.style:
        return DASHES[mark.style["dash"]]
    if kind == "dot":
        marker = mark.style["marker"]
        shape = marker if marker in SHAPES else "circle"
        if shape == "dash" and mark.style["angle"]:
            shape = "tick"
        hollow = shape not in OPEN and ("fill" not in mark.inks or np.max(shown.at["fill"]) < PALE)
        return HOLLOW + shape if hollow else shape
    if kind == "area":
        return "band"
    if kind in BARS:
        filled = np.any(shown.at["fill"]) or mark.style["hatch"]
        return BARS[kind] if filled else HOLLOW + BARS[kind]
    return None if kind in ("words", "shades", "mesh") else ""
