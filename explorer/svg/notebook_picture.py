"""Picture of a notebook cell in the colour of the surrounding text, with the ends of its axis as text below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.marks.thumbnails import EDGE, FOOT, WIDTH
from explorer.markup import Markup, joined, markup

from . import axes, lettering
from .colours import PlainColours
from .layers import layers
from .shapes import Canvas

if TYPE_CHECKING:
    from explorer.marks.picture import Picture


PX, DROP = 11, 4  # font size in px of the text below, and its distance from the lower edge


def draw_for_notebook(
    picture: Picture, result: Any, label: str, width: int = WIDTH, height: int | None = None
) -> Markup:
    """Draw a picture with its marks' tips as tooltips.

    Parameters
    ----------
    picture : Picture
        The picture.
    result : Result
        The result.
    label : str
        Text for screen readers.
    width : int, default 360
        Width in px.
    height : int or None, default None
        Height in px; None for the picture's.

    Returns
    -------
    Markup
        The SVG.
    """
    inks, high = PlainColours(), picture.height if height is None else height
    _, *sides = picture.axes(result)
    x, y = map(axes.side, sides)
    frame, x, y = axes.framed(picture, x, y, EDGE, width - EDGE, min(EDGE, high / 3), high - min(FOOT, high / 3))
    sheet = Canvas(picture, result, picture.data(result), frame, width, inks, cut=False)
    size = markup('width="{0}" height="{1}" viewBox="0 0 {0} {1}"', width, high)
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{}" {}>{}</svg>',
        label,
        size,
        joined([*layers(sheet), *_below(frame, x, width, high - DROP, inks)]),
    )


def _below(frame, side, width, y, inks):
    """Yield the first and the last tick label of an axis, and its name between them."""
    ends = [(float(frame.x(at)), word) for at, word in side.words.items()][:: max(len(side.words) - 1, 1)]
    for at, word in ends:
        yield _word(word, at, y, "start" if at < width / 3 else "end" if at > 2 * width / 3 else "middle", inks)
    if side.called:
        taken = 2 * max((lettering.width(word, PX) for _, word in ends), default=0.0)
        yield _word(lettering.fitted(side.called, PX, width - 2 * EDGE - taken - PX), width / 2, y, "middle", inks)


def _word(text, x, y, anchor, inks):
    """Return a text element."""
    place = markup('x="{:.0f}" y="{:g}" text-anchor="{}" font-size="{}"', x, y, anchor, PX)
    return markup("<text {} {}>{}</text>", place, inks.paint(fill="ink"), text)
