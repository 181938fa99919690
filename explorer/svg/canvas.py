"""A picture of marks as a whole SVG: title, legend, frame, axes, marks, and a note on what was left out."""

from __future__ import annotations

from functools import partial
from hashlib import blake2s
from typing import Any, NamedTuple

import numpy as np

from explorer.marks.description import describe_picture, title_of
from explorer.marks.legend import keys_of
from explorer.marks.picture import Picture
from explorer.marks.roles import FONT
from explorer.markup import Markup, joined, markup

from . import axes, legend, lettering, thinning
from .colours import ALONE, StandaloneColours, sheet_of
from .layers import layers
from .scales import Frame
from .shapes import POINTS, Canvas

WIDTH = 560  # default width in px
TOP, RIGHT, SIDE, BETWEEN = 8, 16, 8, 6  # free space in px: above, on the right, at the sides, and below the legend
TITLE, NOTE, LINE = 14, 11, 18  # font sizes of title and note, and height of a line, in px
MOST = 1_200  # largest number of points of a picture, all marks together: a circle takes about 40 bytes


def draw_standalone(picture: Picture, result: Any, width: float = WIDTH, high: float = 0.0) -> Markup:
    """Draw a picture of a lab's result as a standalone SVG, for light and dark backgrounds and for paper.

    Parameters
    ----------
    picture : Picture
        The picture.
    result : Result
        The result.
    width : float, default 560
        Width in px.
    high : float, default 0
        Least height in px. Additional space is between legend and frame, so that states with a smaller legend or a
        shorter title have their foot at the same height.

    Returns
    -------
    Markup
        The SVG.
    """
    data, title = picture.data(result), title_of(picture, result)
    inks = StandaloneColours(partial(_digest, title, data))
    heading, keys, frame, x, y, foot, note, share, high = _laid(picture, result, data, width, high, inks)
    sheet = Canvas(picture, result, data, frame, width, inks, share)
    beside = frame.left if frame.left + lettering.width(heading[0], TITLE, True) < width - SIDE else SIDE
    parts = [
        _text(line, SIDE if len(heading) > 1 else beside, TOP + TITLE + LINE * i, TITLE, inks, "ink", bold=True)
        for i, line in enumerate(heading)
    ]
    images, boxes, grounds, marks, moving = layers(sheet)
    lines, words = axes.lines_across(frame, x, y, inks), axes.beside(frame, x, y, (width, foot), inks)
    parts += [keys, images, lines, boxes, grounds, marks, words, moving]
    if note:
        parts.append(_text(note, SIDE, foot + NOTE, NOTE, inks, "soft"))
    told = " ".join([*describe_picture(picture, result, data), *([f"{note}."] if note else [])])
    return _whole(title, told, width, high, joined(parts), inks)


def frame_of(picture: Picture, result: Any, width: float = WIDTH, high: float = 0.0) -> Frame:
    """Return the frame of `draw_standalone`: its `x` and `y` convert positions to px.

    Parameters
    ----------
    picture : Picture
        The picture.
    result : Result
        The result.
    width : float, default 560
        Width in px.
    high : float, default 0
        Least height in px.

    Returns
    -------
    Frame
        The frame.
    """
    return _laid(picture, result, picture.data(result), width, high, StandaloneColours(str)).frame


class _Laid(NamedTuple):
    """Layout of a picture in a width: what is above its frame, the frame, its axes, and what is below."""

    heading: list[str]
    keys: Markup
    frame: Frame
    x: Any
    y: Any
    foot: float
    note: str
    share: float
    high: float


def _laid(picture, result, data, width, high, inks):
    """Return the layout of a picture."""
    _, *sides = picture.axes(result)
    x, y = map(axes.side, sides)
    share, note = _share(picture, data, picture.waits(result))
    heading = lettering.lines(title_of(picture, result), TITLE, width - 2 * SIDE, bold=True) or [""]
    above = TOP + len(heading) * LINE
    keys, deep = legend.drawn(keys_of(picture, result, data), width, above + LINE / 2, inks)
    below_foot = NOTE + 8 if note else 2
    deep += max(0.0, high - (above + deep + picture.height - LINE + below_foot))
    foot = above + deep + picture.height - LINE  # as high as on a page, without the legend
    left, below = axes.room(x, y)
    edges = max(left, 2.0 * SIDE), width - RIGHT, above + deep + BETWEEN, foot - below
    frame, x, y = axes.framed(picture, x, y, *edges)
    return _Laid(heading, keys, frame, x, y, foot, note, share, foot + below_foot)


def _digest(title, data):
    """Return a few characters that distinguish a picture from all others on a page."""
    numbers = [(at, name, np.asarray(each).tolist()) for at, named in data.items() for name, each in named.items()]
    return blake2s(repr((title, numbers)).encode(), digest_size=4).hexdigest()


def _whole(title, described, width, high, inside, inks):
    """Return the SVG element."""
    hatches = markup("<defs>{}</defs>", joined(inks.hatches.values())) if inks.hatches else ""
    ground = markup('<rect width="{:g}" height="{:g}" {}/>', width, high, inks.paint(fill="ground"))
    size = markup('width="{0:g}" height="{1:g}" viewBox="0 0 {0:g} {1:g}"', width, high)
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="{alone}" role="img" {size} font-family="{font}">'
        "<title>{title}</title><desc>{described}</desc>{style}{hatches}{ground}{inside}</svg>",
        alone=ALONE, title=title, described=described, size=size, font=FONT,
        style=sheet_of(inks.roles), hatches=hatches, ground=ground, inside=inside,
    )  # fmt: skip


def _text(text, x, y, px, inks, role, bold=False):
    """Return a text element."""
    weight = markup(' font-weight="bold"') if bold else ""
    place = markup('x="{:.1f}" y="{:.1f}" font-size="{:g}"', x, y, px)
    return markup("<text {}{} {}>{}</text>", place, weight, inks.paint(fill=role), text)


def _share(picture, data, waits):
    """Return the share of points that is drawn, and a note on it, or on what is still to be computed."""
    if waits:
        return 1.0, "still to be computed; lab.result(wait=True) waits for it"
    counts = {}
    marks = [each for each in picture.data_marks() if each.kind in POINTS]
    for mark in marks:
        counts[mark.source] = max((np.size(each) for each in data.get(mark.source, {}).values()), default=0)
    total = sum(counts[mark.source] for mark in marks)
    if total <= MOST:
        return 1.0, ""
    share, points = MOST / total, sum(counts.values())
    left = sum(len(thinning.rows(count, share)) for count in counts.values())
    return share, f"{left} of {points} points drawn"
