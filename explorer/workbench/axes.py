"""The fields of a lab that can be swept, and the values that an axis takes of one."""

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
from .steps import steps_of, with_value
from .study import subject

NONE = "none"  # in place of a second field
# fields that change no number of a lab, or only those of a table, or of points moved by hand, of one's own
STILL = ("iteration", "missing", "standardise", "lenient", "gram", "begin")
OWN = ("file", "drawn")  # choices that need what no study has: a file, or points added by hand


@cache
def swept(lab: str) -> dict[str, Any]:
    """The fields of a lab that can be an axis: those with a slider, menus and switches."""
    model = subject(lab).lab
    fields = {name: field for name, field in model.fields.items() if name not in (*model.aside, *STILL)}
    return {
        name: field
        for name, field in fields.items()
        if (isinstance(field, Real) and field.softbounds) or isinstance(field, (Choice, Flag))
    }


def counted(lab: str, name: str) -> bool:
    """Whether a field is a number, so that an axis goes from one value to another."""
    return isinstance(swept(lab).get(name), Real)


def stops(lab: str, name: str) -> list[float]:
    """The values that a field's slider or menu stops at."""
    field = swept(lab)[name]
    if isinstance(field, Real):
        return steps_of(field)
    if isinstance(field, Flag):
        return [False, True]
    return [choice for choice in field.objects if choice not in OWN]


@dataclass(frozen=True)
class Axis:
    """A field, the values that it takes, and what it is called."""

    name: str
    values: tuple[Any, ...]
    called: str
    words: tuple[str, ...]


def called(lab: str, name: str) -> str:
    """What a field is called, as its control is."""
    return label_of(swept(lab)[name])


def worded(field: Any, values: Iterable[Any]) -> tuple[str, ...]:
    """Values of a field as its menu says them, or as a reader wants numbers."""
    if isinstance(field, Choice):
        said = {value: word for word, value in field.words.items()}
        return tuple(said[value] for value in values)
    if isinstance(field, Flag):
        return tuple("yes" if value else "no" for value in values)
    return tuple(minus(word(value)) for value in values)


def axis(lab: str, name: str, low: float | None, high: float | None, count: int) -> Axis:
    """At most `count` of a field's stops from `low` to `high`, both of them among these; of a menu, all choices."""
    if name not in swept(lab):
        raise Refusal(f"{echo(name)} cannot be swept in the lab {lab!r}; take one of {', '.join(swept(lab))}.")
    field = swept(lab)[name]
    if not counted(lab, name):
        values = tuple(stops(lab, name))
        return Axis(name, values, called(lab, name), worded(field, values))
    first, last = _value(field, low), _value(field, high)
    if first > last:
        raise Refusal(f"{name} goes from {word(first)} to {word(last)}, which is downwards; exchange the two.")
    between = [stop for stop in stops(lab, name) if first < stop < last]
    values = with_value(with_value(between, first), last)
    taken = np.unique(np.linspace(0, len(values) - 1, min(count, len(values))).round().astype(int))
    values = tuple(values[i] for i in taken)
    return Axis(name, values, called(lab, name), worded(field, values))


def ends(lab: str, name: str, low: float | None, high: float | None) -> tuple[float | None, float | None]:
    """Where an axis begins and ends: as it is asked, and where nothing is asked at the slider's ends.

    Of a menu, nowhere.
    """
    if not counted(lab, name):
        return None, None
    first, *_, last = stops(lab, name)
    if low is None:
        low = first if high is None else min(first, high)
    return low, max(last, low) if high is None else high


def _value(field, number) -> Any:
    """A number as a value of the field; Refusal with the field's own sentence where it is none."""
    value = int(number) if isinstance(field, Whole) and float(number).is_integer() else number
    try:
        field._validate(value)
    except (Refusal, TypeError) as error:
        raise Refusal(str(error).replace(f"{field.owner.__name__}.", "")) from error
    return value
