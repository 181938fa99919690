"""Axes of a sweep: the fields of a lab that can be swept, and the values that an axis takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from explorer.checks import Refusal
from explorer.parameters import Choice, Flag, Real, Whole, label_of
from explorer.printing import echo, minus

from .numbers import word
from .slider_stops import steps_of, with_value
from .study import subject

NONE = "none"  # name of the second field if a sweep has only one
# fields that change no number of a lab, or only the numbers of a user's table or of points that the user moved
STILL = ("iteration", "missing", "standardise", "lenient", "gram", "begin")
OWN = ("file", "drawn")  # choices that no study can make: they need a file, or points added by the user


@cache
def swept(lab: str) -> dict[str, Any]:
    """Return the fields of a lab that can be an axis: those with a slider, menus and switches."""
    model = subject(lab).lab
    fields = {name: field for name, field in model.fields.items() if name not in (*model.aside, *STILL)}
    return {
        name: field
        for name, field in fields.items()
        if (isinstance(field, Real) and field.softbounds) or isinstance(field, (Choice, Flag))
    }


def counted(lab: str, name: str) -> bool:
    """Return whether a field of a lab is a number, so that an axis goes from one value to another.

    Parameters
    ----------
    lab : str
        Name of the lab.
    name : str
        Name of the field.

    Returns
    -------
    bool
        False also if the field cannot be swept.
    """
    return isinstance(swept(lab).get(name), Real)


def stops(lab: str, name: str) -> list[float]:
    """Return the values at which a field's slider or menu stops."""
    field = swept(lab)[name]
    if isinstance(field, Real):
        return steps_of(field)
    if isinstance(field, Flag):
        return [False, True]
    return [choice for choice in field.objects if choice not in OWN]


@dataclass(frozen=True)
class Axis:
    """A field of a lab, the values that a sweep gives it, and its label.

    Attributes
    ----------
    name : str
        The field.
    values : tuple
        The values.
    called : str
        The label of the field's control.
    words : tuple of str
        The values as text.
    """

    name: str
    values: tuple[Any, ...]
    called: str
    words: tuple[str, ...]


def field_label(lab: str, name: str) -> str:
    """Return the label of a field's control.

    Parameters
    ----------
    lab : str
        Name of the lab.
    name : str
        Name of the field.

    Returns
    -------
    str
        The label.
    """
    return label_of(swept(lab)[name])


def worded(field: Any, values: Iterable[Any]) -> tuple[str, ...]:
    """Return the values of a field as text: the labels of its menu, yes and no, or numbers."""
    if isinstance(field, Choice):
        said = {value: word for word, value in field.words.items()}
        return tuple(said[value] for value in values)
    if isinstance(field, Flag):
        return tuple("yes" if value else "no" for value in values)
    return tuple(minus(word(value)) for value in values)


def axis(lab: str, name: str, low: float | None, high: float | None, count: int) -> Axis:
    """Return an axis with at most `count` of a field's stops from `low` to `high`, both included.

    Parameters
    ----------
    lab : str
        Name of the lab.
    name : str
        Name of the field.
    low, high : float or None
        Ends of the axis. A menu or a switch ignores them and takes all its choices.
    count : int
        Largest number of values.

    Returns
    -------
    Axis
        The axis.

    Raises
    ------
    Refusal
        If the field cannot be swept, an end is not one of its values, or `low` is larger than `high`.
    """
    if name not in swept(lab):
        raise Refusal("{} cannot be swept in the lab {!r}; take one of {}.", echo(name), lab, ", ".join(swept(lab)))
    field = swept(lab)[name]
    if not counted(lab, name):
        values = tuple(stops(lab, name))
        return Axis(name, values, field_label(lab, name), worded(field, values))
    first, last = _value(field, low), _value(field, high)
    if first > last:
        raise Refusal("{} goes from {} to {}, which is downwards; exchange the two.", name, word(first), word(last))
    between = [stop for stop in stops(lab, name) if first < stop < last]
    values = with_value(with_value(between, first), last)
    taken = np.unique(np.linspace(0, len(values) - 1, min(count, len(values))).round().astype(int))
    values = tuple(values[i] for i in taken)
    return Axis(name, values, field_label(lab, name), worded(field, values))


def ends(lab: str, name: str, low: float | None, high: float | None) -> tuple[float | None, float | None]:
    """Return both ends of an axis: those given, and those of the slider for an end that is None.

    Parameters
    ----------
    lab : str
        Name of the lab.
    name : str
        Name of the field.
    low, high : float or None
        The ends that the user gave.

    Returns
    -------
    low, high : float or None
        The ends. Both are None for a field that is not a number.
    """
    if not counted(lab, name):
        return None, None
    first, *_, last = stops(lab, name)
    if low is None:
        low = first if high is None else min(first, high)
    return low, max(last, low) if high is None else high


def _value(field, number) -> Any:
    """Return a number as a value of a field, or raise a Refusal with the field's own message."""
    value = int(number) if isinstance(field, Whole) and float(number).is_integer() else number
    try:
        field._validate(value)
    except (Refusal, TypeError) as error:
        raise Refusal(str(error).replace(f"{field.owner.__name__}.", "")) from error
    return value
