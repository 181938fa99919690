"""Numbers of a picture as one table: a row for each row of a labelled mark, in the units of the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.tables.html_tables import free
from explorer.types import Labels

from .legend_items import legend_items
from .mark import Numbers, ReferenceLine

if TYPE_CHECKING:
    from .picture import Picture

MARK, VALUE, TEXT = "mark", "value", "text"
FROM = {"x": "x", "y": "y", "left": "x", "low": "y", "bottom": "y"}  # channel -> the axis along which it is a position
TO = {"to_x": "x", "right": "x", "high": "y", "to_y": "y", "top": "y"}  # channel of a shape's second end -> its axis
SIZES = {  # channel -> its name, and the axis along which it is a size
    "radius": ("radius", "x"),
    "across": ("width", "x"),
    "width": ("width", "x"),
    "up": ("height", "y"),
    "height": ("height", "y"),
}
ALONE = {"bar": {"top": "y"}, "bar across": {"right": "x"}}  # kinds that begin at 0, whose ends are their positions


def numbers_of(picture: Picture, result: Any, data: Numbers | None = None) -> dict[str, Labels]:
    """Return a picture's numbers as columns of equal length; a value that a mark does not have is empty.

    The first column is the mark's label. An axis that is a column of the user keeps its name, and other columns are
    renamed if they have the same.

    Parameters
    ----------
    picture : Picture
        The picture.
    result : Result
        The result.
    data : dict or None, default None
        The picture's numbers; None computes them.

    Returns
    -------
    dict of str to ndarray
        Name -> column.
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
    """Return (names, values) of a mark's channels; `taken` are the names of the axes."""
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
    """Return an axis's name, or its direction if it has no name or both axes have the same."""
    alike = axes["x"].full_label == axes["y"].full_label
    return axis.full_label if axis.full_label and not alike else {"x": "across", "y": "up"}[place]
