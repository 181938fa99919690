"""The keys of a picture: those strokes of its lab's legend that it has."""

from __future__ import annotations

import numpy as np

from explorer.marks import Rule
from explorer.markup import joined, markup

from . import lettering

PX, HIGH, LONG, GAP, AFTER = 12, 18, 26, 6, 16  # px: of letters, a line, a stroke, and between
SHAPES = {"triangle": "M1 -4L11 -4L6 4Z", "cross": "M2 -4L10 4M10 -4L2 4"}
SPOTS = ("filled", "hollow", *SHAPES)
LOOKS = {
    "": "solid",
    "7 4": "dashed",
    "2 3": "dotted",
    "2 3 7 3": "dotdash",
    "7 3 2 3": "dashdot",
    "8 3 2 3": "dashdot",
}
LOOKS |= {spot: spot for spot in SPOTS}  # of a legend's strokes
SHAPED = {"triangle": "triangle", "inverted_triangle": "triangle", "x": "cross", "cross": "cross"}


def of(picture, result, data, strokes):
    """The strokes that a picture has, looks included, and does not name itself; a small one says all in its title."""
    if not picture.legend or picture.place == "small":
        return []
    looks = {look for mark in picture.drawn() if not mark.kept for look in _looks(picture, result, data, mark)}
    looks |= {(each.role, each.style.get("dash", "solid")) for each in picture.grounds if isinstance(each, Rule)}
    named = picture.named(result)
    return [each for each in strokes if each[0] not in named and (each[1], LOOKS.get(each[2])) in looks]


def key_of(picture, result, data, mark, strokes):
    """The words of the stroke that a mark is; none where it is none of them."""
    looks = set(_looks(picture, result, data, mark))
    return next((words for words, role, kind in strokes if (role, LOOKS.get(kind)) in looks), "")


def _looks(picture, result, data, mark):
    """(role, look) of a mark that has something to show."""
    columns = data.get(mark.source, {})
    read = [columns.get(name, ()) for where, name in mark.columns if where == mark.source]
    if not all(np.size(each) and not _is_blank(each) for each in read):
        return
    roles = {picture.role(result)} & set(mark.role) if isinstance(mark.role, tuple) else {mark.role}
    for role in roles:
        if "dash" in mark.style:
            yield role, mark.style["dash"]
        elif mark.kind == "dot":
            is_hollow = "fill" not in mark.inks or mark.style["fill"] == 0
            yield role, SHAPED.get(mark.style["marker"], "hollow" if is_hollow else "filled")
            if is_hollow:
                yield role, "hollow"
        elif mark.kind in ("box", "bar", "bar across", "cell", "area"):
            yield role, "filled"


def _is_blank(column):
    column = np.asarray(column)
    return column.dtype.kind == "f" and not np.isfinite(column).any()


def drawn(strokes, width, top, inks):
    """The keys from `top` on, in as many lines as they need, and how deep these are."""
    parts, x, y = [], 8.0, float(top)
    for words, role, kind in strokes:
        long = 12 if kind in SPOTS else LONG
        words = lettering.fitted(words, PX, width - long - GAP - 16)
        wide = long + GAP + lettering.width(words, PX)
        if x > 8 and x + wide > width - 8:
            x, y = 8.0, y + HIGH
        shape = markup('<g transform="translate({} {})">{}</g>', f"{x:.1f}", f"{y:.1f}", _shape(role, kind, inks))
        place = markup('x="{}" y="{}" font-size="{}"', f"{x + long + GAP:.1f}", f"{y + 0.35 * PX:.1f}", PX)
        parts.append(shape + markup("<text {} {}>{}</text>", place, inks.paint(fill="soft"), words))
        x += wide + AFTER
    return joined(parts), (y - top + HIGH if strokes else 0.0)


def _shape(role, kind, inks):
    if kind in ("filled", "hollow"):
        ink = inks.paint(role, role if kind == "filled" else None)
        return markup('<circle cx="6" cy="0" r="4.5" {} stroke-width="2"/>', ink)
    if kind == "triangle":
        return markup('<path d="{}" {}/>', SHAPES[kind], inks.paint(fill=role))
    if kind == "cross":
        return markup('<path d="{}" {} stroke-width="2.5"/>', SHAPES[kind], inks.paint(stroke=role))
    dash = markup(' stroke-dasharray="{}"', kind) if kind else ""
    return markup('<path d="M0 0H{}" {} stroke-width="3"{}/>', LONG, inks.paint(stroke=role), dash)
