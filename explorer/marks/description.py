"""A picture in words: its axes, and how many of each called mark there are, from where to where, and the extremes.

The same sentences are what is told of the picture to those who do not see it, wherever it is drawn. What only somebody
who knows the field can add is what the picture `says` itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.languages import translate
from explorer.printing import format_number, join_list, short_name

from .legend_items import legend_items, role_labels
from .mark import Numbers, ReferenceLine
from .text_description import phrase

if TYPE_CHECKING:
    from .picture import Picture

NEAR = 0.2  # of an axis: so near to its end a word stands for that
NAMED = 8  # words along an axis of names
WAITS = "It is still being computed."


def title_of(picture: type[Picture], result: Any) -> str:
    """What a picture is called where no hand takes hold of it."""
    return translate(picture.called(result)) or picture.axes_said(result)[0] or picture.name


def describe_picture(picture: type[Picture], result: Any, data: Numbers | None = None) -> list[str]:
    """A picture of a result in sentences, `data` being its numbers: title, axes, called marks, and what it says."""
    title, (_, x, y) = title_of(picture, result), picture.axes_said(result)
    told = [f"{title.rstrip('.:')}.", *_axes(x, y)]
    if picture.waits(result):
        return [*told, picture.why_not(result) or translate(WAITS)]
    data = picture.data(result) if data is None else data
    shown = list(legend_items(picture, result, data))
    here = _here(picture, data)
    rules = [each for each in shown if isinstance(each.mark, ReferenceLine) and "y" in each.at]
    names = _names(shown, role_labels(picture, result, data))
    for name, each in zip(names, shown, strict=True):
        if words := phrase(each, x, y, here, rules):
            told.append(f"{name}: {words}.")
    return [*told, *filter(None, [picture.says(result)])]


def _axes(x, y):
    """What runs along both axes."""
    return [translate(where, words) for where, axis in (("Across: {}.", x), ("Up: {}.", y)) if (words := _along(axis))]


def _along(axis):
    """What an axis is called, and its ends or, of one of names, these."""
    words = [word for _, word in sorted((axis.ticks or {}).items()) if word]
    if words and all(axis.name_at(place) for place, word in axis.ticks.items() if word):
        return ", ".join(filter(None, (axis.noun, join_list(words[:NAMED]))))
    if axis.bare or not (axis.noun or words):
        return axis.noun
    low, high = map(axis.word, _ends(axis))
    return ", ".join(
        filter(None, (axis.noun, translate("from {} to {}", low, high), translate("logarithmic") if axis.log else ""))
    )


def _ends(axis):
    """Where an axis goes from and to: its first and last words where these are near its ends, as they are rounder."""
    ends = axis.inner or axis.ends or axis.range
    inside = sorted(place for place, word in (axis.ticks or {}).items() if word and ends[0] <= place <= ends[1])
    if len(inside) < 2:
        return ends
    if any(axis.ticks[place] != format_number(float(place)) for place in inside):
        return inside[0], inside[-1]  # places are no numbers of the axis
    places = np.array([ends[0], inside[0], inside[-1], ends[1]], dtype=float)
    low, first, last, high = np.log(places) if axis.log else places
    return (inside[0], inside[-1]) if max(first - low, high - last) <= NEAR * (high - low) else ends


def _names(shown, named):
    """What each is called; where marks of several colours have one name, it follows that of the colour.

    A colour has the name that the picture writes in it, from `named`, or that of its first curve or other mark.
    """
    whose, roles = dict(named), {}
    for each in shown:
        roles.setdefault(each.called, set()).add(each.role)
    for each in sorted(shown, key=lambda each: getattr(each.mark, "kind", "") != "line"):  # a curve's is the best known
        if len(roles[each.called]) == 1:
            whose.setdefault(each.role, each.called)
    names = []
    for each in shown:
        shared = len(roles[each.called]) > 1 and each.role in whose
        names.append(short_name(f"{whose[each.role]}, {each.called}" if shared else each.called))
    return names


def _here(picture, data):
    """Where the picture's upright line is; None where it has none."""
    at = data.get(picture.upright, {}).get("x", ())
    return float(at[0]) if len(at) and np.isfinite(at[0]) else None
