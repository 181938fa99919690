"""The fields of a lab that can be swept, and the values that an axis takes of one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import param

from explorer.checks import Refusal
from explorer.parameters import Real, Whole
from explorer.printing import minus, shown

from .numbers import word
from .steps import steps_of, with_value
from .study import subject

if TYPE_CHECKING:
    pass


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
        if (isinstance(field, Real) and field.softbounds) or isinstance(field, (param.Selector, param.Boolean))
    }


def counted(lab: str, name: str) -> bool:
    """Whether a field is a number, so that an axis goes from one value to another."""
    return isinstance(swept(lab).get(name), Real)


def stops(lab: str, name: str) -> list[float]:
    """The values that a field's slider or menu stops at."""
    field = swept(lab)[name]
    if isinstance(field, Real):
        return steps_of(field)
    if isinstance(field, param.Boolean):
        return [False, True]
    return [choice for choice in field.objects if choice not in OWN]


@dataclass(frozen=True)
class Axis:
    """A field, the values that it takes, and what it is called."""

    name: str
    values: tuple[Any, ...]
    called: str

    @property
    def words(self) -> list[str]:
        """The values as a reader wants them."""
        return [in_words(value) for value in self.values]


def called(lab: str, name: str) -> str:
    """A field's name, with its symbol where that is another word."""
    symbol = getattr(swept(lab)[name], "symbol", "")
    return f"{name} ({symbol})" if symbol and symbol.lower() != name else name


def unit(lab: str, name: str) -> str:
    """Its unit, after a comma."""
    word = getattr(swept(lab)[name], "unit", "")
    return f", {word}" if word else ""


def in_words(value: float) -> str:
    """A value of an axis as a reader wants it."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value).lower()
    return minus(word(value))


def axis(lab: str, name: str, low: float, high: float, count: int) -> Axis:
    """At most `count` of a field's stops from `low` to `high`, both of them among these; of a menu, all choices."""
    if name not in swept(lab):
        raise Refusal(f"{shown(name)} cannot be swept in the lab {lab!r}; take one of {', '.join(swept(lab))}.")
    field, words = swept(lab)[name], f"{called(lab, name)}{unit(lab, name)}"
    if not counted(lab, name):
        return Axis(name, tuple(stops(lab, name)), words)
    low, high = _value(field, low), _value(field, high)
    if low > high:
        raise Refusal(f"{name} goes from {word(low)} to {word(high)}, which is downwards; exchange the two.")
    between = [stop for stop in stops(lab, name) if low < stop < high]
    values = with_value(with_value(between, low), high)
    taken = np.unique(np.linspace(0, len(values) - 1, min(count, len(values))).round().astype(int))
    return Axis(name, tuple(values[i] for i in taken), words)


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


def _value(field, number):
    """A number as a value of the field; Refusal with the field's own sentence where it is none."""
    value = int(number) if isinstance(field, Whole) and float(number).is_integer() else number
    try:
        field._validate(value)
    except (Refusal, TypeError) as error:
        raise Refusal(str(error).replace(f"{field.owner.__name__}.", "")) from error
    return value
