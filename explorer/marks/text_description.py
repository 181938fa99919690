"""What a mark shows, in words: each kind in its way, in the units of the axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import translate
from explorer.printing import format_number, percent

from .mark import by

if TYPE_CHECKING:
    from .axes import Axis
    from .legend_items import LegendItem


FEW = 3  # rows whose places are told one by one
NAMED = 8  # rows with names, and bars, that are
MOST = 12  # bars that stand at words of their axis, and are
SHORT = 12  # characters of an axis's name that is repeated at each number
COUNTED = {
    "line": "one line",
    "bar": "{} bars",
    "bar across": "{} bars",
    "circle": "{} circles",
    "ellipse": "{} ellipses",
    "stroke": "{} lines",
    "cell": "{} cells",
}  # kind of many marks: how many there are
LONG = 30  # and of one that is told beside numbers at all: the description tells it once at any rate


def phrase(shown: LegendItem, x: Axis, y: Axis, here: float | None, rules: Sequence[LegendItem]) -> str:
    """What a mark shows between the axes x and y, in words; an empty text where these would say nothing.

    `here` is where the slider's line stands, if there is one, `rules` are the level lines through the picture.
    """
    kind, at = getattr(shown.mark, "kind", "rule"), shown.at
    if "w" in at:
        return _field(at, x, y)
    if kind == "words":
        return "; ".join(map(str, at.get("text", ())))
    if kind == "cell" and isinstance(shown.mark.style["fill"], by):
        return ""  # a table in shades, whose numbers are the picture's own words
    if set(at) <= {"x", "size", "fill"} or set(at) <= {"y", "size", "fill"}:  # lines through the picture
        axis, name = (x, "x") if "x" in at else (y, "y")
        first, *others = at[name][:FEW]
        return translate(" and ").join([_called(axis, first, most=LONG), *map(axis.word, others)])
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
    """Whether the rows have names along an axis."""
    return all(map(y.name_at, at["y"])) or all(map(x.name_at, at["x"]))


def _means(axis):
    """Whether places along an axis mean something."""
    return not axis.bare and bool(axis.noun or axis.ticks)


def _along_only(places, axis):
    """Marks whose heights mean nothing."""
    if not _means(axis):
        return translate("one point") if len(places) == 1 else translate("{} points", len(places))
    if len(places) <= FEW:
        return "; ".join(_called(axis, place) for place in places)
    return translate("{} points from {} to {}", len(places), _called(axis, places.min()), axis.word(places.max()))


def _rows(at):
    return [{name: values[i] for name, values in at.items()} for i in range(max(map(len, at.values())))]


def _called(axis, place, most=SHORT):
    """A place along an axis: its value and, where that is short, the axis's name."""
    named = 0 < len(axis.noun) <= most and not axis.name_at(place)
    return f"{axis.noun} = {axis.word(place)}" if named else axis.word(place)


def _value(axis, place):
    """A value, of which an end of the axis may be all that is shown."""
    word = axis.word(place)
    for end, beyond in zip(axis.range, ("{} or less", "{} or more"), strict=True):
        if end != 0 and math.isclose(place, end) and translate(beyond, "") not in word:
            return translate(beyond, word)
    return word


def _at(one, x, y):
    """One place: a value at a number along the other axis."""
    short_names = 0 < len(x.noun) <= SHORT and 0 < len(y.noun) <= SHORT
    if short_names and not (x.name_at(one["x"]) or y.name_at(one["y"])):
        return f"{_called(x, one['x'])}, {_called(y, one['y'])}"
    if y.name_at(one["y"]):
        return translate("{} at {}", _value(x, one["x"]), y.word(one["y"]))
    return translate("{} at {}", _value(y, one["y"]), _called(x, one["x"]))


def _reach(kind, at, x):
    """How far circles and ellipses reach around their middles, in words, along x."""
    if kind not in ("circle", "ellipse"):
        return [""] * len(at["x"])
    half = at["radius"] if kind == "circle" else at["across"] / 2
    size = 1.0 if x.column is None else x.column.size
    return [translate(", reaching {} from there", format_number(float(size * each))) for each in half]


def _runs(values):
    """Whether values go in one direction, as those of a curve along its axis."""
    steps = np.diff(values)
    return len(values) > 1 and (bool((steps > 0).all()) or bool((steps < 0).all()))


def _course(at, values, along, value, here, rules):
    """A curve: its ends, its extremes, where it is now, and on which side of a line through the picture it goes on."""
    if at[0] > at[-1]:
        at, values = at[::-1], values[::-1]
    low, high = int(np.argmin(values)), int(np.argmax(values))
    if values[low] == values[high]:
        return translate("{} throughout", _value(value, values[0]))
    first, last = (_value(value, values[0]), _called(along, at[0])), _point(-1, at, values, along, value)
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
    return translate("{} at {}", _value(value, values[i]), along.word(at[i]))


def _beside(at, values, along, rule):
    """On which side of a level line a curve is at its end, and from where on."""
    above = values > rule.at["y"][0] * (1 + 1e-9)
    others = np.flatnonzero(above != above[-1])
    if not len(others):
        return translate("above {} all along" if above[-1] else "below {} all along", rule.called)
    start = along.word(at[others[-1] + 1])
    return translate("above {} from {} on" if above[-1] else "below {} from {} on", rule.called, start)


def _band(at, x, y, here):
    """What lies between two curves."""
    low, high = np.minimum(at["low"], at["high"]), np.maximum(at["low"], at["high"])
    parts = [translate("between {} and {}", _value(y, low.min()), _value(y, high.max()))]
    if here is not None and at["x"].min() <= here <= at["x"].max():
        nearest = int(np.argmin(np.abs(at["x"] - here)))
        ends = _value(y, low[nearest]), _value(y, high[nearest])
        parts.append(translate("between {} and {} at the slider's {}", *ends, x.word(here)))
    return ", ".join(parts)


def _boxes(at, x, y):
    """Bars: of a histogram where they are many."""
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
    span = translate("from {} to {}", _called(x, at["left"][tall].min()), x.word(at["right"][tall].max()))
    if len(tall) == 1:
        return f"{_value(y, at['top'][high])} {span}"
    place = translate("from {} to {}", x.word(at["left"][high]), x.word(at["right"][high]))
    return translate("{} bars {}, the highest {} {}", len(tall), span, _value(y, at["top"][high]), place)


def _strokes(at, x, y):
    """Lines from one place to another, which mostly go along one axis."""
    upright = np.allclose(at["x"], at["to_x"])
    few = len(at["x"]) <= FEW or (len(at["x"]) <= NAMED and _named(at, x, y))
    if few and (upright or np.allclose(at["y"], at["to_y"])):
        along, value, first, second = (x, y, "x", "y") if upright else (y, x, "y", "x")
        each = zip(at[first], at[second], at[f"to_{second}"], strict=True)
        told = "from {} to {} at {}"
        return "; ".join(translate(told, value.word(a), value.word(b), _called(along, place)) for place, a, b in each)
    ends = {"x": np.concatenate([at["x"], at["to_x"]]), "y": np.concatenate([at["y"], at["to_y"]])}
    return _cloud(ends, x, y, len(at["x"]), "stroke")


def _cloud(at, x, y, count, kind):
    """Many marks: how many, and from where to where."""
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
    """A function over the picture, or a table of cells: how much of it is above 0, and where its extremes are."""
    w = at["w"]
    if not len(w) or w.min() == w.max():
        return ""
    parts = []
    if w.min() < 0:
        parts.append(translate("above 0 on {} of the picture", percent(float((w > 0).mean()))))
    ends = {"highest at {}, {}": int(np.argmax(w)), "lowest at {}, {}": int(np.argmin(w))}
    for words, i in [*ends.items()][: 2 if w.min() < 0 else 1]:
        parts.append(translate(words, _called(x, at["x"][i]), _called(y, at["y"][i])))
    return ", ".join(parts)
