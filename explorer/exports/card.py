"""Preview card of a state, shown where its link is shared: its finding as text, and one picture."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from explorer.marks.roles import INK, ROLES, SOFT
from explorer.markup import joined, markup
from explorer.svg import draw_standalone, lettering

from .raster import image_of

if TYPE_CHECKING:
    from explorer.marks.picture import Picture
    from explorer.markup import Markup

WIDTH, HEIGHT = 1200, 630  # size in px, as pages that show links expect it
EDGE, WORDS = 56, 440  # margin, and width of the text next to a picture, in px
ROOM = 640, 574  # largest size of a picture in px
LEADING, FOOT = 1.3, 560  # line height in units of the font size, and the lowest px of the text
SIZE = re.compile(r'width="([\d.e+]+)" height="([\d.e+]+)"')


def card(title: str, short: str, says: str, picture: Picture | None = None, result: Any = None) -> bytes:
    """Return a PNG of WIDTH x HEIGHT px: a title, the finding in short and as a sentence, and a picture of a result.

    Parameters
    ----------
    title : str
        Title of the lab.
    short : str
        The finding in short.
    says : str
        The finding as a sentence. It is left out if it only repeats `short`.
    picture : Picture or None, default None
        The picture.
    result : Result or None, default None
        The result that the picture shows.

    Returns
    -------
    bytes
        The PNG.
    """
    drawing = markup("") if picture is None else _place_picture(draw_standalone(picture, result))
    room = WORDS if picture is not None else WIDTH - 2 * EDGE
    whole = markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}">'
        '<rect width="{0}" height="{1}" fill="{2}" stroke="none"/>{3}{4}</svg>',
        WIDTH, HEIGHT, ROLES["ground"][0], drawing, _words(title, short, says, room),
    )  # fmt: skip
    out = io.BytesIO()
    image_of(whole, WIDTH, HEIGHT).quantize(128).save(out, "png", optimize=True)
    return out.getvalue()


def _place_picture(svg):
    """Return a picture at the right, as large as its space allows."""
    match = SIZE.search(svg)
    wide, high = map(float, match.groups()) if match else ROOM
    times = min(ROOM[0] / wide, ROOM[1] / high)
    x, y = WIDTH - EDGE / 2 - (ROOM[0] + wide * times) / 2, (HEIGHT - high * times) / 2
    return markup('<g transform="translate({:.1f} {:.1f}) scale({:.4f})">{}</g>', x, y, times, svg)


def _words(title, short, says, room):
    """Return the lab's title, the finding, the sentence if it adds something, and the product's name below them."""
    y, parts = 112.0, []
    sentence = "" if says.rstrip(".") == short else says
    lines = (title, 48, True, INK, 2), (short, 34, True, INK, 4), (sentence, 25, False, SOFT, 7)
    for text, px, bold, colour, most in lines:
        fitting = min(most, int((FOOT - y) / (LEADING * px)))
        # The font is narrower than the one by which `lettering` breaks lines, hence the factor 1.1.
        for line in lettering.lines(text, px, 1.1 * room, bold, fitting):
            parts.append(_line(line, y, px, bold, colour[0]))
            y += LEADING * px
        y += 0.5 * px
    parts.append(_line("Kernel Mean Explorer", HEIGHT - EDGE + 8.0, 23, True, SOFT[0]))
    return joined(parts)


def _line(text, y, px, bold, colour) -> Markup:
    weight = markup(' font-weight="bold"') if bold else ""
    return markup('<text x="{}" y="{:.0f}" font-size="{}" fill="{}"{}>{}</text>', EDGE, y, px, colour, weight, text)
