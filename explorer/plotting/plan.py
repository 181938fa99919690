"""The assignment of a sweep's axes to the parts of its picture: horizontal, lines, vertical, or panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.printing import echo, join_list

if TYPE_CHECKING:
    from xarray import Dataset


NO_NUMBERS = ("computed", "checksum")  # variables of a sweep's store that are not numbers of its cells
MANY = 8  # a second axis with at most this many values gives lines, with more a heat map
PANELS = 24  # the largest number of panels of a picture


class Plan(NamedTuple):
    """The drawn numbers, and the axes by their place in the picture; "" is none.

    Attributes
    ----------
    names : tuple of str
        The data set's numbers.
    x : str
        The horizontal axis.
    y : str
        The vertical axis of a heat map.
    by : str
        The axis by which lines differ.
    row, col : str
        The axes whose values have separate panels.
    fixed : tuple of str
        The axes with one value.
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
    """Return the plan of a data set: the requested axes, then the numeric axis with the most values along.

    Parameters
    ----------
    data : xarray.Dataset
        The data set of a sweep.
    value : str, sequence of str or None, default None
        The numbers to draw. None draws all.
    x, by, row, col : str or None, default None
        The axes of these places. None leaves the choice to this function.

    Returns
    -------
    plan : Plan
        The plan.

    Raises
    ------
    Refusal
        If a name is not an axis or a number of the data set, or the data set has more axes than a picture has places.
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
    """Return the numbers to draw: the requested ones, or all of the data set."""
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
    """Return whether the values of an axis are finite numbers, with a place on a line."""
    values = data[name].values
    return values.dtype.kind in "iuf" and bool(np.isfinite(values).all())
