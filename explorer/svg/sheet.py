"""A picture of marks as a whole SVG: title, legend, frame, axes, marks, and a word about what was left out."""

from __future__ import annotations

import numpy as np

from explorer.marks import Box, Mark, OverPlane, Rule, Tint
from explorer.marks.description import described, title_of
from explorer.marks.legend import keys_of
from explorer.marks.picture import Picture
from explorer.marks.roles import FONT
from explorer.markup import Markup, joined, markup

from . import axes, legend, lettering, thinning
from .inks import ALONE, Inks, sheet_of
from .scales import Frame, Scale
from .shapes import POINTS, Sheet, drawn

WIDTH = 560  # px
TOP, RIGHT, SIDE, BETWEEN = 8, 16, 8, 6  # px that stay free
TITLE, NOTE, LINE = 14, 11, 18  # px of letters, and of a line of them
MOST = 1_200  # points of a picture, all marks together: a circle takes about 40 bytes


def drawn_alone(picture: type[Picture], result, width: float = WIDTH) -> Markup:
    """One picture of a lab's result as an SVG that stands alone, for light and dark grounds and for paper."""
    inks, data = Inks(), picture.data(result)
    x, y = axes.sides(picture, result)
    title = title_of(picture, result)
    share, note = _share(picture, data, picture.waits(result))
    heading = lettering.lines(title, TITLE, width - 2 * SIDE, bold=True) or [""]
    above = TOP + len(heading) * LINE
    keys, deep = legend.drawn(keys_of(picture, result, data), width, above + LINE / 2, inks)
    foot = above + deep + picture.height - LINE  # as high as on a page, but for the keys
    frame, x, y = _framed(picture, x, y, width, above + deep + BETWEEN, foot)
    sheet = Sheet(picture, result, data, frame, width, inks, share)
    beside = frame.left if frame.left + lettering.width(heading[0], TITLE, True) < width - SIDE else SIDE
    parts = [
        _text(line, SIDE if len(heading) > 1 else beside, TOP + TITLE + LINE * i, TITLE, inks, "ink", bold=True)
        for i, line in enumerate(heading)
    ]
    parts += [keys, *_layers(sheet, x, y, (width, foot))]
    if note:
        parts.append(_text(note, SIDE, foot + NOTE, NOTE, inks, "soft"))
    high = foot + (NOTE + 8 if note else 2)
    told = " ".join([*described(picture, result, data), *([f"{note}."] if note else [])])
    return _whole(picture.name, title, told, width, high, joined(parts), inks)


def _framed(picture, x, y, width, top, foot):
    """The frame below `top`, with room for words beside it and above `foot`, and both sides, which a plane widens."""
    left, below = axes.room(x, y)
    left, right, bottom = max(left, 2.0 * SIDE), width - RIGHT, foot - below
    if issubclass(picture, OverPlane):
        x, y = axes.square(x, y, right - left, bottom - top)
    (west, east), (south, north) = x.range, y.range
    frame = Frame(Scale(west, east, left, right, x.axis.log), Scale(south, north, bottom, top, y.axis.log))
    return frame, x, y


def _layers(sheet, x, y, size):
    """All that is drawn, from below: what is kept of a pinned result is not, as no result is pinned."""
    every = [*sheet.picture.grounds, *(each for each in sheet.picture.marks if not getattr(each, "kept", False))]
    with np.errstate(all="ignore"):  # what has no place leaves no mark
        layers = [[drawn(sheet, each) for each in every if _layer(each) == place] for place in range(5)]
    lines, beside = axes.lines_across(sheet.frame, x, y, sheet.inks), axes.beside(sheet.frame, x, y, size, sheet.inks)
    images, boxes, grounds, marks, moving = map(joined, layers)
    return images, lines, boxes, grounds, marks, beside, moving


def _layer(each):
    """Where it is drawn: images, boxes that stay, rules and tints, marks, and above the axes what moves."""
    if isinstance(each, Mark):
        return 0 if each.kind in ("image", "tile", "shades") else 4 if each.moves else 3
    return 1 if isinstance(each, Box) else 2 if isinstance(each, (Rule, Tint)) else 3


def _whole(name, title, described, width, high, inside, inks):
    hatches = markup("<defs>{}</defs>", joined(inks.hatches.values())) if inks.hatches else ""
    ground = markup('<rect width="{:g}" height="{:g}" {}/>', width, high, inks.paint(fill="ground"))
    size = markup('width="{0:g}" height="{1:g}" viewBox="0 0 {0:g} {1:g}"', width, high)
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="{alone}" role="img" {size}'
        ' aria-labelledby="{name}-title {name}-words" font-family="{font}">'
        '<title id="{name}-title">{title}</title><desc id="{name}-words">{described}</desc>'
        "{style}{hatches}{ground}{inside}</svg>",
        alone=ALONE, name=name.replace(" ", "-"), title=title, described=described, size=size, font=FONT,
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
