"""A picture as a thumbnail, without axes and text, in the colours of its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.markup import markup

from . import axes
from .colours import PageColours
from .layers import wordless
from .scales import Frame
from .shapes import Canvas

if TYPE_CHECKING:
    from explorer.marks.picture import Picture
    from explorer.markup import Markup


WIDTH, HEIGHT = 200, 100
EDGE = 3  # margin in px on every side of what lies on an axis


def thumbnail(picture: Picture, result: Any, title: str) -> Markup:
    """Draw a picture of a lab's result as an SVG of WIDTH x HEIGHT px.

    Its colours are `var(--skmse, ...)`, so that a theme changes them.

    Parameters
    ----------
    picture : Picture
        The picture.
    result : Result
        The result.
    title : str
        Text for screen readers.

    Returns
    -------
    Markup
        The SVG.
    """
    _, *sides = picture.axes(result)
    x, y = map(axes.side, sides)
    frame, _, _ = axes.framed(picture, x, y, EDGE, WIDTH - EDGE, EDGE, HEIGHT - EDGE)
    frame = Frame(frame.x.wider(EDGE), frame.y.wider(EDGE))  # lines continue to the edge
    sheet = Canvas(picture, result, picture.data(result), frame, WIDTH, PageColours(), cut=False)
    size = markup('viewBox="0 0 {} {}" role="img" aria-label="{}"', WIDTH, HEIGHT, title)
    return markup("<svg {}>{}</svg>", size, wordless(sheet))
