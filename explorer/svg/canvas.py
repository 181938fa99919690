"""A picture of marks as a whole SVG: title, legend, frame, axes, marks, and a word about what was left out."""

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

WIDTH = 560  # px
TOP, RIGHT, SIDE, BETWEEN = 8, 16, 8, 6  # px that stay free
TITLE, NOTE, LINE = 14, 11, 18  # px of letters, and of a line of them
MOST = 1_200  # points of a picture, all marks together: a circle takes about 40 bytes


def draw_standalone(picture: type[Picture], result: Any, width: float = WIDTH, high: float = 0.0) -> Markup:
    """One picture of a lab's result as an SVG that stands alone, for light and dark grounds and for paper.

    It is at least so high, with what is too much between its keys and its frame: the foot of states that have fewer
    keys, or a shorter title, stands where that of the others does.
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


def frame_of(picture: type[Picture], result: Any, width: float = WIDTH, high: float = 0.0) -> Frame:
    """Where `drawn_alone` has what lies along the axes: its frame's `x` and `y` turn places into px."""
    return _laid(picture, result, picture.data(result), width, high, StandaloneColours(str)).frame


class _Laid(NamedTuple):
    """How a picture is laid out in a width: what stands above its frame, that, its axes and what stands below."""

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
    _, *sides = picture.axes(result)
    x, y = map(axes.side, sides)
    share, note = _share(picture, data, picture.waits(result))
    heading = lettering.lines(title_of(picture, result), TITLE, width - 2 * SIDE, bold=True) or [""]
    above = TOP + len(heading) * LINE
    keys, deep = legend.drawn(keys_of(picture, result, data), width, above + LINE / 2, inks)
    below_foot = NOTE + 8 if note else 2
    deep += max(0.0, high - (above + deep + picture.height - LINE + below_foot))
    foot = above + deep + picture.height - LINE  # as high as on a page, but for the keys
    left, below = axes.room(x, y)
    edges = max(left, 2.0 * SIDE), width - RIGHT, above + deep + BETWEEN, foot - below
    frame, x, y = axes.framed(picture, x, y, *edges)
    return _Laid(heading, keys, frame, x, y, foot, note, share, foot + below_foot)


def _digest(title, data):
    """Some letters that another picture of the same page has not, unless it is the same one."""
    numbers = [(at, name, np.asarray(each).tolist()) for at, named in data.items() for name, each in named.items()]
    return blake2s(repr((title, numbers)).encode(), digest_size=4).hexdigest()


def _whole(title, described, width, high, inside, inks):
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
    weight = markup(' font-weight="bold"') if bold else ""
    place = markup('x="{:.1f}" y="{:.1f}" font-size="{:g}"', x, y, px)
    return markup("<text {}{} {}>{}</text>", place, weight, inks.paint(fill=role), text)


def _share(picture, data, waits):
    """Which part of the points is drawn, and a word about it, or about what is still to be computed."""
    if waits:
        return 1.0, "still to be computed; lab.result(wait=True) waits for it"
    counts = {}
    marks = [each for each in picture.drawn() if each.kind in POINTS]
    for mark in marks:
        counts[mark.source] = max((np.size(each) for each in data.get(mark.source, {}).values()), default=0)
    total = sum(counts[mark.source] for mark in marks)
    if total <= MOST:
        return 1.0, ""
    share, points = MOST / total, sum(counts.values())
    left = sum(len(thinning.rows(count, share)) for count in counts.values())
    return share, f"{left} of {points} points drawn"
