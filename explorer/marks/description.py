"""Text description of a picture: its axes, and for each labelled mark the count, range and extremes.

The same sentences are the alternative text for readers who do not see the picture, wherever it is drawn. What needs
knowledge of the field is in the picture's `says`.
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

# largest distance between an axis's end and a tick, relative to the axis, if the tick's text stands for the end
NEAR = 0.2
NAMED = 8  # largest number of names that are listed along an axis
WAITS = "It is still being computed."


def title_of(picture: Picture, result: Any) -> str:
    """Return the title of a picture that cannot be dragged.

    Parameters
    ----------
    picture : Picture
        The picture.
    result : Result
        The result.

    Returns
    -------
    str
        The translated title.
    """
    return picture.translated_axes(result)[0] or picture.name


def describe_picture(picture: Picture, result: Any, data: Numbers | None = None) -> list[str]:
    """Return a picture of a result in sentences: title, axes, labelled marks, and its own description.

    Parameters
    ----------
    picture : Picture
        The picture.
    result : Result
        The result.
    data : dict or None, default None
        Its numbers; None computes them.

    Returns
    -------
    list of str
        The sentences.
    """
    title, (_, x, y) = title_of(picture, result), picture.translated_axes(result)
    told = [f"{title.rstrip('.:')}.", *_axes(x, y)]
    if picture.waits(result):
        return [*told, translate(picture.why_not(result) or WAITS)]
    data = picture.data(result) if data is None else data
    shown = list(legend_items(picture, result, data))
    position = _slider_position(picture, data)
    rules = [each for each in shown if isinstance(each.mark, ReferenceLine) and "y" in each.at]
    names = _names(shown, role_labels(picture, result, data))
    for name, each in zip(names, shown, strict=True):
        if words := phrase(each, x, y, position, rules):
            told.append(f"{name}: {words}.")
    return [*told, *filter(None, [picture.description_of(result)])]


def _axes(x, y):
    """Return sentences on what both axes show."""
    return [translate(where, words) for where, axis in (("Across: {}.", x), ("Up: {}.", y)) if (words := _along(axis))]


def _along(axis):
    """Return an axis's name and its ends or, if its ticks are names, these names."""
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
    """Return the ends of an axis: its first and last ticks if they are near its ends, because these are rounder."""
    ends = axis.inner or axis.ends or axis.range
    inside = sorted(place for place, word in (axis.ticks or {}).items() if word and ends[0] <= place <= ends[1])
    if len(inside) < 2:
        return ends
    if any(axis.ticks[place] != format_number(float(place)) for place in inside):
        return inside[0], inside[-1]  # positions are not numbers of the axis
    places = np.array([ends[0], inside[0], inside[-1], ends[1]], dtype=float)
    low, first, last, high = np.log(places) if axis.log else places
    return (inside[0], inside[-1]) if max(first - low, high - last) <= NEAR * (high - low) else ends


def _names(shown, named):
    """Return the name of each item; if marks of several colours share a name, it is prefixed by that of the colour.

    A colour has the name that the picture writes in it, from `named`, or that of its first curve or other mark.
    """
    whose, roles = dict(named), {}
    for each in shown:
        roles.setdefault(each.called, set()).add(each.role)
    # a curve's name is the best known
    for each in sorted(shown, key=lambda each: getattr(each.mark, "kind", "") != "line"):
        if len(roles[each.called]) == 1:
            whose.setdefault(each.role, each.called)
    names = []
    for each in shown:
        shared = len(roles[each.called]) > 1 and each.role in whose
        names.append(short_name(f"{whose[each.role]}, {each.called}" if shared else each.called))
    return names


def _slider_position(picture, data):
    """Return the position of the picture's vertical slider line, or None if it has none."""
    at = data.get(picture.slider_line, {}).get("x", ())
    return float(at[0]) if len(at) and np.isfinite(at[0]) else None
