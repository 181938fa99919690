"""A card that stands for a state where its link is shown: what it says in words, and one picture."""

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

WIDTH, HEIGHT = 1200, 630  # px, as pages that show links want them
EDGE, WORDS = 56, 440  # px that stay free, and that words take beside a picture
ROOM = 640, 574  # px that a picture has
LEADING, FOOT = 1.3, 560  # from line to line, of a letter's size, and px down to which words may go
SIZE = re.compile(r'width="([\d.e+]+)" height="([\d.e+]+)"')


def card(title: str, short: str, says: str, picture: type[Picture] | None = None, result: Any = None) -> bytes:
    """A PNG of WIDTH x HEIGHT px: a title, what is found in short and in a sentence, and a picture of a result."""
    beside = markup("") if picture is None else _placed(draw_standalone(picture, result))
    room = WORDS if picture is not None else WIDTH - 2 * EDGE
    whole = markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}">'
        '<rect width="{0}" height="{1}" fill="{2}" stroke="none"/>{3}{4}</svg>',
        WIDTH, HEIGHT, ROLES["ground"][0], beside, _words(title, short, says, room),
    )  # fmt: skip
    out = io.BytesIO()
    image_of(whole, WIDTH, HEIGHT).quantize(128).save(out, "png", optimize=True)
    return out.getvalue()


def _placed(svg):
    """A picture at the right, as large as its room allows."""
    found = SIZE.search(svg)
    wide, high = map(float, found.groups()) if found else ROOM
    times = min(ROOM[0] / wide, ROOM[1] / high)
    x, y = WIDTH - EDGE / 2 - (ROOM[0] + wide * times) / 2, (HEIGHT - high * times) / 2
    return markup('<g transform="translate({:.1f} {:.1f}) scale({:.4f})">{}</g>', x, y, times, svg)


def _words(title, short, says, room):
    """The lab's title, the finding, the sentence where it says more, and below them whose picture it is."""
    y, parts = 112.0, []
    told = "" if says.rstrip(".") == short else says
    lines = (title, 48, True, INK, 2), (short, 34, True, INK, 4), (told, 25, False, SOFT, 7)
    for text, px, bold, colour, most in lines:
        fitting = min(most, int((FOOT - y) / (LEADING * px)))
        # our letters are narrower than those that the lines are counted in
        for line in lettering.lines(text, px, 1.1 * room, bold, fitting):
            parts.append(_line(line, y, px, bold, colour[0]))
            y += LEADING * px
        y += 0.5 * px
    parts.append(_line("Kernel Mean Explorer", HEIGHT - EDGE + 8.0, 23, True, SOFT[0]))
    return joined(parts)


def _line(text, y, px, bold, colour) -> Markup:
    weight = markup(' font-weight="bold"') if bold else ""
    return markup('<text x="{}" y="{:.0f}" font-size="{}" fill="{}"{}>{}</text>', EDGE, y, px, colour, weight, text)
