"""Which axis of a sweep goes where in its picture: along, by lines, up, or into panels of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.printing import echo, join_list

if TYPE_CHECKING:
    from xarray import Dataset


NO_NUMBERS = ("computed", "checksum")  # what a sweep's store says of its cells beside their numbers
MANY = 8  # values of a second axis: fewer are lines, more a heat map
PANELS = 24  # of a picture


class Plan(NamedTuple):
    """The names drawn, and the axes by their places; "" is none.

    names  the data set's numbers; x, the axis along; y, the axis up of a heat map; by, the axis that lines differ in
    row, col  the axes whose values have panels of their own; fixed, the axes of one value
    """

    names: tuple[str, ...]
    x: str
    y: str
    by: str
    row: str
    col: str
    fixed: tuple[str, ...]


def plan_of(
    data: Dataset,
    value: str | Sequence[str] | None = None,
    x: str | None = None,
    by: str | None = None,
    row: str | None = None,
    col: str | None = None,
) -> Plan:
    """The plan of a data set: what is asked for, and for the rest the numeric axis of most values along.

    Raises a Refusal for what is no axis or number of the data set, and for more axes than a picture has places.
    """
    names, wanted = _names(data, value), {"x": x, "by": by, "row": row, "col": col}
    axes = [str(name) for name in data.dims if name != "replicate"]
    if not axes:
        raise Refusal("the data set has no axis to draw along; it needs one beside `replicate`.")
    for place, name in wanted.items():
        if name is not None and name not in axes:
            raise Refusal(f"{place} must be an axis of the data set, one of {join_list(axes)}, not {echo(name)}.")
    taken = [name for name in wanted.values() if name is not None]
    if twice := [name for name in taken if taken.count(name) > 1]:
        raise Refusal(f"the axis {echo(twice[0])} is asked for in two places; give each place another axis.")
    free = [name for name in axes if name not in taken and data.sizes[name] > 1]
    if x is None:
        candidates = free or [name for name in axes if name not in taken]
        if not candidates:
            raise Refusal(f"no axis is left to draw along; leave one of {join_list(taken)} out.")
        x = max(candidates, key=lambda name: (numeric(data, name), data.sizes[name] if numeric(data, name) else 0))
        free = [name for name in free if name != x]
    y = ""
    if by is None and numeric(data, x):
        y = max((name for name in free if numeric(data, name)), key=lambda name: data.sizes[name], default="")
        y = y if y and data.sizes[y] > MANY else ""
    free = [name for name in free if name != y]
    if by is None and not y and free and len(names) == 1:
        by = free.pop(0)
    col = col or (free.pop(0) if free else "")
    row = row or (free.pop(0) if free else "")
    if free:
        plain = all(map(str.isidentifier, free))
        chosen = ", ".join(f"{name}=0" for name in free) if plain else str(dict.fromkeys(free, 0))
        raise Refusal(
            f"the data set has more axes than the picture has places; choose a value of {join_list(free)}, as in"
            f" data.isel({chosen})."
        )
    panels = np.prod([data.sizes[name] for name in (row, col) if name] + ([len(names)] if y else []))
    if panels > PANELS:
        raise Refusal(
            f"the picture would have {panels} panels, more than {PANELS}; choose fewer values of"
            f" {join_list([name for name in (row, col) if name] or names)}."
        )
    places = {x, y, by, row, col}
    fixed = tuple(name for name in axes if name not in places)
    return Plan(names, x, y, by or "", row, col, fixed)


def _names(data: Dataset, value: Any) -> tuple[str, ...]:
    """The numbers that are drawn: those asked for, or all that lie on the data set's axes."""
    known = [str(name) for name in data.data_vars if name not in NO_NUMBERS]
    if not known:
        raise Refusal("the data set has no number to draw.")
    if value is None:
        return tuple(known)
    asked = (value,) if isinstance(value, str) else value
    if not isinstance(asked, (tuple, list)) or not asked:
        raise WrongType(f"value must be the name of a number, or a list of names, not {echo(value)}.")
    if strange := [name for name in asked if name not in known]:
        raise Refusal(f"value must be a number of the data set, one of {join_list(known)}, not {echo(strange[0])}.")
    return tuple(dict.fromkeys(asked))


def numeric(data: Dataset, name: str) -> bool:
    """Whether an axis has a place for each of its values on a line."""
    values = data[name].values
    return values.dtype.kind in "iuf" and bool(np.isfinite(values).all())
