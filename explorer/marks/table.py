"""A picture's numbers as one table: a row for each row of a called mark, in the units of the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.html_tables import free
from explorer.types import Labels

from .legend_items import legend_items
from .mark import Numbers, ReferenceLine

if TYPE_CHECKING:
    from .picture import Picture

MARK, VALUE, TEXT = "mark", "value", "text"
FROM = {"x": "x", "y": "y", "left": "x", "low": "y", "bottom": "y"}  # channel -> the axis along which it is a place
TO = {"to_x": "x", "right": "x", "high": "y", "to_y": "y", "top": "y"}  # where a shape of two places ends
SIZES = {  # channel -> what it is called, and the axis along which it is no place but a size
    "radius": ("radius", "x"),
    "across": ("width", "x"),
    "width": ("width", "x"),
    "up": ("height", "y"),
    "height": ("height", "y"),
}
ALONE = {"bar": {"top": "y"}, "bar across": {"right": "x"}}  # of kinds that begin at 0: their ends are their places


def numbers_of(picture: type[Picture], result: Any, data: Numbers | None = None) -> dict[str, Labels]:
    """Column -> values, as long as each other; what a mark does not have is empty there.

    The first column is what the mark is called. An axis that is one of the user's columns keeps its name, and other
    columns give way to it. `data` are the picture's numbers, if they are at hand.
    """
    data = picture.data(result) if data is None else data
    axes = dict(zip("xy", picture.axes(result)[1:], strict=True))
    taken = {_named(axis, place, axes) for place, axis in axes.items()}
    mark = free(MARK, taken)
    rows = [
        {mark: shown.called, **dict(zip(columns, values, strict=True))}
        for shown in legend_items(picture, result, data)
        for columns, each in [_columns(shown, axes, taken)]
        for values in zip(*each, strict=True)
    ]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: np.array([row.get(name, "") for row in rows], dtype=object) for name in names}


def _columns(shown, axes, taken):
    """(names, values) of a mark's channels; `taken` are the names of the axes."""
    kind = "rule" if isinstance(shown.mark, ReferenceLine) else getattr(shown.mark, "kind", "path")
    found, flat = {}, getattr(shown.mark, "height_is_decorative", False)
    for channel, values in shown.at.items():
        if flat and channel in ("y", "low", "high", "to_y"):
            continue
        if channel in ("w", "text"):
            found[free(VALUE if channel == "w" else TEXT, taken)] = values
        elif channel in SIZES:
            noun, place = SIZES[channel]
            size = 1.0 if axes[place].column is None else axes[place].column.size
            found[free(f"{noun} along {_named(axes[place], place, axes)}", taken)] = size * values
        elif (place := ALONE.get(kind, {}).get(channel) or FROM.get(channel)) is not None:
            found[_named(axes[place], place, axes)] = axes[place].in_file_units(values)
        elif channel in TO:
            place = TO[channel]
            found[free(f"{_named(axes[place], place, axes)}, to", taken)] = axes[place].in_file_units(values)
    return list(found), [np.asarray(values).tolist() for values in found.values()]


def _named(axis, place, axes):
    """What an axis is called, or which it is where it has no name or that of the other."""
    alike = axes["x"].full_label == axes["y"].full_label
    return axis.full_label if axis.full_label and not alike else {"x": "across", "y": "up"}[place]
