"""A picture of marks as a whole SVG: title, legend, frame, axes, marks, and a word about what was left out."""

from __future__ import annotations

import numpy as np

from explorer.marks import Box, Mark, OverPlane
from explorer.marks.picture import Picture
from explorer.marks.roles import FONT
from explorer.markup import Markup, joined, markup

from . import axes, legend, lettering
from .inks import Inks, sheet_of
from .scales import Frame, Scale
from .shapes import POINTS, Sheet, drawn

WIDTH = 560  # px
TOP, RIGHT, BETWEEN = 8, 16, 6  # px that stay free
TITLE, NOTE = 14, 11  # px of letters
MOST = 1_200  # points of a picture, all marks together: a circle takes about 40 bytes


def drawn_alone(picture: type[Picture], result, width: float = WIDTH, strokes=()) -> Markup:
    """One picture of a lab's result as an SVG that stands alone, for light and dark grounds and for paper.

    `strokes` are those of the lab's legend, of which the picture has its own.
    """
    inks = Inks()
    title, x, y = axes.title_and_sides(picture, result)
    title = picture.called(result) or title  # no hand takes hold of it here
    data, marks = picture.data(result), [each for each in picture.marks if not getattr(each, "kept", False)]
    share, note = _share(picture, data, picture.waits(result))
    heading = lettering.lines(title, TITLE, width - 16, bold=True)
    strokes = legend.of(picture, result, data, strokes)
    keys, deep = legend.drawn(strokes, width, TOP + len(heading) * 18 + (8 if strokes else 0), inks)
    top = TOP + len(heading) * 18 + deep + BETWEEN
    left, below = axes.room(x, y)
    left = max(left, 16.0)
    foot = (
        TOP + len(heading) * 18 + picture.height + deep - (0 if heading else 18)
    )  # as high as on a page, without the keys
    frame = Frame(Scale(*x.range, left, width - RIGHT, x.axis.log), Scale(*y.range, foot - below, top, y.axis.log))
    if issubclass(picture, OverPlane):
        x, y = axes.square(x, y, frame.right - frame.left, frame.bottom - frame.top)
        frame = Frame(
            frame.x._replace(low=x.range[0], high=x.range[1]), frame.y._replace(low=y.range[0], high=y.range[1])
        )
    sheet = Sheet(picture, result, data, frame, width, inks, share)
    with np.errstate(all="ignore"):  # what has no place leaves no mark
        parts = [
            *(drawn(sheet, each) for each in marks if _is_ground(each)),
            axes.lines_across(frame, x, y, inks),
            *(drawn(sheet, each) for each in marks if isinstance(each, Box)),
            *(drawn(sheet, each) for each in picture.grounds),
            *(
                drawn(sheet, each)
                for each in picture.marks
                if not (_is_ground(each) or _moves(each) or isinstance(each, Box))
            ),
            axes.beside(frame, x, y, (width, foot), inks),
            *(drawn(sheet, each) for each in marks if _moves(each) and not _is_ground(each)),
        ]
    beside = left if len(heading) == 1 and left + lettering.width(title, TITLE, True) < width - 4 else 8.0
    for i, line in enumerate(heading):
        parts.append(_text(line, beside, TOP + 14 + 18 * i, TITLE, inks, bold=True))
    if note:
        parts.append(_text(note, 8, foot + NOTE, NOTE, inks, role="soft"))
    described = _described(x, y, strokes, note)
    high = foot + (NOTE + 8 if note else 2)
    return _whole(picture.name, title or picture.name, described, width, high, joined([keys, *parts]), inks)


def _whole(name, title, described, width, high, inside, inks):
    hatches = markup("<defs>{}</defs>", joined(inks.hatches.values())) if inks.hatches else ""
    ground = markup('<rect width="{:g}" height="{:g}" {}/>', width, high, inks.paint(fill="ground"))
    size = markup('width="{0:g}" height="{1:g}" viewBox="0 0 {0:g} {1:g}"', width, high)
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" {size}'
        ' aria-labelledby="{name}-title {name}-words" font-family="{font}">'
        '<title id="{name}-title">{title}</title><desc id="{name}-words">{described}</desc>'
        "{style}{hatches}{ground}{inside}</svg>",
        name=name.replace(" ", "-"), title=title, described=described, size=size, font=FONT,
        style=sheet_of(inks.roles), hatches=hatches, ground=ground, inside=inside,
    )  # fmt: skip


def _text(text, x, y, px, inks, role="ink", bold=False):
    weight = markup(' font-weight="bold"') if bold else ""
    place = markup('x="{:.1f}" y="{:.1f}" font-size="{:g}"', x, y, px)
    return markup("<text {}{} {}>{}</text>", place, weight, inks.paint(fill=role), text)


def _is_ground(each):
    """Whether it is drawn below the lines of the axes."""
    return isinstance(each, Mark) and each.kind in ("image", "tile", "shades")


def _moves(each):
    return isinstance(each, Mark) and each.moves


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
    return share, f"{round(share * points)} of {points} points drawn"


def _described(x, y, strokes, note):
    """The picture for those who listen: what runs along its axes and which strokes it has."""
    said = [f"{name}: {_along(side)}." for name, side in (("Across", x), ("Up", y)) if side.called or side.words]
    said += [f"Strokes: {', '.join(words for words, _, _ in strokes)}."] if strokes else []
    return " ".join([*said, *([f"{note}."] if note else [])]) or "A picture without axes."


def _along(side):
    words = list(side.words.values())
    ends = f"from {words[0]} to {words[-1]}" if len(words) > 1 else ""
    return ", ".join(filter(None, (side.called, ends)))
