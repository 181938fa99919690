"""Text on what a mark shows: a sentence for each kind, in the units of the axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import message, translate, translate_plural
from explorer.printing import format_number, percent

from .mark import by

if TYPE_CHECKING:
    from .axes import Axis
    from .legend_items import LegendItem


FEW = 3  # largest number of rows whose positions are listed
NAMED = 8  # largest number of rows with names, and of bars, that are listed
MOST = 12  # largest number of bars at ticks of their axis that are listed
SHORT = 12  # longest name of an axis, in characters, that is repeated at each number
COUNTED = {
    "line": "one line",
    "bar": "{} bars",
    "bar across": "{} bars",
    "circle": "{} circles",
    "ellipse": "{} ellipses",
    "stroke": "{} lines",
    "cell": "{} cells",
}  # kind of many marks -> how they are counted
LONG = 30  # longest name of an axis next to a number, in characters; the description has the name in any case


def phrase(shown: LegendItem, x: Axis, y: Axis, here: float | None, rules: Sequence[LegendItem]) -> str:
    """Return what a mark shows between the axes x and y as text; empty if there is nothing to say.

    `here` is the position of the slider's line, if there is one; `rules` are the horizontal lines through the picture.
    """
    kind, at = getattr(shown.mark, "kind", "rule"), shown.at
    if "w" in at:
        return _field(at, x, y)
    if kind == "words":
        return "; ".join(map(str, at.get("text", ())))
    if kind == "cell" and isinstance(shown.mark.style["fill"], by):
        return ""  # a shaded table, whose numbers are in the picture's own text
    if set(at) <= {"x", "size", "fill"} or set(at) <= {"y", "size", "fill"}:  # lines through the picture
        axis, name = (x, "x") if "x" in at else (y, "y")
        first, *others = at[name][:FEW]
        return translate(" and ").join([_labelled_value(axis, first, most=LONG), *map(axis.word, others)])
    if getattr(shown.mark, "height_is_decorative", False) or (kind == "dot" and not _means(y)):
        return _along_only(at["x"], x)
    if kind == "box":
        return _boxes(at, x, y)
    if kind == "area":
        return _band(at, x, y, here)
    if kind == "stroke":
        return _strokes(at, x, y)
    if kind in ("bar", "bar across"):
        at = {"x": at["x"], "y": at["top"]} if kind == "bar" else {"x": at["right"], "y": at["y"]}
    if kind != "line" and (shown.count <= FEW or (shown.count <= NAMED and _named(at, x, y))):
        reach = _reach(kind, at, x)
        return "; ".join(f"{_at(one, x, y)}{more}" for one, more in zip(_rows(at), reach, strict=True))
    if _runs(at["x"]):
        return _course(at["x"], at["y"], x, y, here, rules)
    if kind == "line" and _runs(at["y"]):
        return _course(at["y"], at["x"], y, x, None, ())
    return _cloud(at, x, y, shown.count, kind)


def _named(at, x, y):
    """Return whether the rows have names along an axis."""
    return all(map(y.name_at, at["y"])) or all(map(x.name_at, at["x"]))


def _means(axis):
    """Return whether positions along an axis have a meaning."""
    return not axis.bare and bool(axis.noun or axis.ticks)


def _along_only(places, axis):
    """Return a phrase on marks whose heights have no meaning."""
    if not _means(axis):
        return translate_plural("one point", "{} points", len(places))
    if len(places) <= FEW:
        return "; ".join(_labelled_value(axis, place) for place in places)
    return translate(
        "{} points from {} to {}", len(places), _labelled_value(axis, places.min()), axis.word(places.max())
    )


def _rows(at):
    """Return the values of each row."""
    return [{name: values[i] for name, values in at.items()} for i in range(max(map(len, at.values())))]


def _labelled_value(axis, place, most=SHORT):
    """Return a position along an axis: its value and, if short, the axis's name."""
    named = 0 < len(axis.noun) <= most and not axis.name_at(place)
    return f"{axis.noun} = {axis.word(place)}" if named else axis.word(place)


def _value(axis, place):
    """Return a value; if it is at an end of the axis, it may stand for everything beyond."""
    word = axis.word(place)
    for end, beyond in zip(axis.range, (message("{} or less"), message("{} or more")), strict=True):
        if end != 0 and math.isclose(place, end) and translate(beyond, "") not in word:
            return translate(beyond, word)
    return word


def _at(one, x, y):
    """Return one point: a value at a number along the other axis."""
    short_names = 0 < len(x.noun) <= SHORT and 0 < len(y.noun) <= SHORT
    if short_names and not (x.name_at(one["x"]) or y.name_at(one["y"])):
        return f"{_labelled_value(x, one['x'])}, {_labelled_value(y, one['y'])}"
    if y.name_at(one["y"]):
        return translate("{} at {}", _value(x, one["x"]), y.word(one["y"]))
    return translate("{} at {}", _value(y, one["y"]), _labelled_value(x, one["x"]))


def _reach(kind, at, x):
    """Return how far circles and ellipses extend around their centres along x, as text."""
    if kind not in ("circle", "ellipse"):
        return [""] * len(at["x"])
    half = at["radius"] if kind == "circle" else at["across"] / 2
    size = 1.0 if x.column is None else x.column.size
    return [translate(", reaching {} from there", format_number(float(size * each))) for each in half]


def _runs(values):
    """Return whether values are monotone, as those of a curve along its axis."""
    steps = np.diff(values)
    return len(values) > 1 and (bool((steps > 0).all()) or bool((steps < 0).all()))


def _course(at, values, along, value, here, rules):
    """Return a phrase on a curve: ends, extremes, its value at the slider, and its side of each reference line."""
    if at[0] > at[-1]:
        at, values = at[::-1], values[::-1]
    low, high = int(np.argmin(values)), int(np.argmax(values))
    if values[low] == values[high]:
        return translate("{} throughout", _value(value, values[0]))
    first, last = (_value(value, values[0]), _labelled_value(along, at[0])), _point(-1, at, values, along, value)
    parts = [translate("from {} at {} to {}", *first, last)]
    if values[low] < min(values[0], values[-1]):
        parts.append(translate("lowest {}", _point(low, at, values, along, value)))
    if values[high] > max(values[0], values[-1]):
        parts.append(translate("highest {}", _point(high, at, values, along, value)))
    if here is not None and at[0] <= here <= at[-1]:
        nearest = int(np.argmin(np.abs(at - here)))
        parts.append(translate("{} at the slider's {}", _value(value, values[nearest]), along.word(here)))
    return ", ".join([*parts, *(_beside(at, values, along, each) for each in rules)])


def _point(i, at, values, along, value):
    """Return a point of a curve as text."""
    return translate("{} at {}", _value(value, values[i]), along.word(at[i]))


def _beside(at, values, along, rule):
    """Return on which side of a horizontal line a curve ends, and from where on."""
    above = values > rule.at["y"][0] * (1 + 1e-9)
    others = np.flatnonzero(above != above[-1])
    if not len(others):
        return translate("above {} all along" if above[-1] else "below {} all along", rule.called)
    start = along.word(at[others[-1] + 1])
    return translate("above {} from {} on" if above[-1] else "below {} from {} on", rule.called, start)


def _band(at, x, y, here):
    """Return a phrase on the area between two curves."""
    low, high = np.minimum(at["low"], at["high"]), np.maximum(at["low"], at["high"])
    parts = [translate("between {} and {}", _value(y, low.min()), _value(y, high.max()))]
    if here is not None and at["x"].min() <= here <= at["x"].max():
        nearest = int(np.argmin(np.abs(at["x"] - here)))
        ends = _value(y, low[nearest]), _value(y, high[nearest])
        parts.append(translate("between {} and {} at the slider's {}", *ends, x.word(here)))
    return ", ".join(parts)


def _boxes(at, x, y):
    """Return a phrase on bars, as on a histogram if there are many."""
    tall = np.flatnonzero(at["top"] != at["bottom"])
    if not len(tall):
        return ""
    middles = (at["left"][tall] + at["right"][tall]) / 2
    if len(tall) <= MOST and all(map(x.tick_at, middles)):
        each = zip(middles, at["top"][tall], strict=True)
        return "; ".join(translate("{} at {}", _value(y, top), x.word(middle)) for middle, top in each)
    if not _means(y):
        return translate("{} bars", len(tall))
    high = tall[np.argmax(at["top"][tall])]
    span = translate("from {} to {}", _labelled_value(x, at["left"][tall].min()), x.word(at["right"][tall].max()))
    if len(tall) == 1:
        return f"{_value(y, at['top'][high])} {span}"
    place = translate("from {} to {}", x.word(at["left"][high]), x.word(at["right"][high]))
    return translate("{} bars {}, the highest {} {}", len(tall), span, _value(y, at["top"][high]), place)


def _strokes(at, x, y):
    """Return a phrase on segments, most of which run along one axis."""
    upright = np.allclose(at["x"], at["to_x"])
    few = len(at["x"]) <= FEW or (len(at["x"]) <= NAMED and _named(at, x, y))
    if few and (upright or np.allclose(at["y"], at["to_y"])):
        along, value, first, second = (x, y, "x", "y") if upright else (y, x, "y", "x")
        each = zip(at[first], at[second], at[f"to_{second}"], strict=True)
        told = "from {} to {} at {}"
        return "; ".join(
            translate(told, value.word(a), value.word(b), _labelled_value(along, place)) for place, a, b in each
        )
    ends = {"x": np.concatenate([at["x"], at["to_x"]]), "y": np.concatenate([at["y"], at["to_y"]])}
    return _cloud(ends, x, y, len(at["x"]), "stroke")


def _cloud(at, x, y, count, kind):
    """Return a phrase on many marks: how many, and their ranges."""
    many = translate(COUNTED.get(kind, "{} points"), count)
    if kind.startswith("bar") and count <= NAMED:
        return "; ".join(_at(one, x, y) for one in _rows(at))
    spans = []
    for axis, values, where in ((x, at["x"], "across"), (y, at["y"], "up")):
        if _means(axis) and not all(map(axis.name_at, values)):
            ends = dict.fromkeys((axis.word(values.min()), axis.word(values.max())))
            noun = axis.noun if 0 < len(axis.noun) <= LONG else translate(where)
            spans.append(f"{noun} {translate('from {} to {}', *ends) if len(ends) > 1 else next(iter(ends))}")
    if kind in ("circle", "ellipse") and len(reach := set(_reach(kind, at, x))) == 1:
        return ", ".join([many, *spans]) + reach.pop()
    return ", ".join([many, *spans])


def _field(at, x, y):
    """Return a phrase on a function over the picture or a table of cells: how much is above 0, and its extremes."""
    w = at["w"]
    if not len(w) or w.min() == w.max():
        return ""
    parts = []
    if w.min() < 0:
        parts.append(translate("above 0 on {} of the picture", percent(float((w > 0).mean()))))
    ends = {message("highest at {}, {}"): int(np.argmax(w)), message("lowest at {}, {}"): int(np.argmin(w))}
    for words, i in [*ends.items()][: 2 if w.min() < 0 else 1]:
        parts.append(translate(words, _labelled_value(x, at["x"][i]), _labelled_value(y, at["y"][i])))
    return ", ".join(parts)
