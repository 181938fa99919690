"""Axes: what they are called, from where to where they go, and the words along them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from explorer.languages import ENGLISH, current_language, translate
from explorer.printing import format_number, power_of_ten, short_name, value_of
from explorer.types import Labels, Values, Vector

NUMBER = re.compile(r"[−-]?\d[\d.,e×−⁻⁰¹²³⁴⁵⁶⁷⁸⁹ ]*%?( or (more|less))?$")  # a tick's word that is no name
UNNAMED = re.compile(r"coordinate (\d+)")  # what a coordinate of a distribution is called
SCALE = re.compile(r" \((?:signed )?log(?: scale|arithmisch)?\b[^)]*\)")  # what a name says of the axis's scale


class Axis(NamedTuple):
    """What an axis of a chart is called, from where to where it goes, and its ticks, position -> word.

    `column` is the Quantity that runs along it: then it has that one's name and unit, and ticks at round values of the
    file's own numbers, at most `most` of them in the `inner` part; outside it they go on for `beyond` times its length.
    `lines` says whether there are lines across at its ticks, `turned` whether its words stand upright; of a `bare` one
    nothing is seen but its words, if it has any; `ends` is the part along which it is drawn, where that is not all.
    `number_at` gives the number that a place stands for where the axis has a scale of its own, neither straight nor
    logarithmic.

    >>> from explorer.marks import Axis
    >>> axis = Axis("bandwidth", (0.1, 10.0), {0.1: "0.1", 1.0: "1", 10.0: "10"}, log=True)
    >>> axis.title, axis.places, axis.tick_at(1.0)
    ('bandwidth', {0.1: '0.1', 1.0: '1', 10.0: '10'}, '1')
    """

    label: str
    range: tuple[float, float]
    ticks: dict[Any, str] | None = None
    log: bool = False
    column: Any = None
    inner: tuple[float, float] | None = None
    lines: bool = True
    bare: bool = False
    turned: bool = False
    ends: tuple[float, float] | None = None
    most: int = 4
    beyond: float = 0.0

    number_at: Callable[[float], float] | None = None

    def translated(self) -> Self:
        """It with its label and ticks in the language that is spoken."""
        if current_language() == ENGLISH:
            return self
        ticks = None if self.ticks is None else {place: translate(str(word)) for place, word in self.ticks.items()}
        return self._replace(label=translate(self.label), ticks=ticks)

    @property
    def title(self) -> str:
        """What stands beside it: its label, or its column's name with the unit."""
        return self.label if self.column is None else _column_said(self.column.label)

    @property
    def tick_positions(self) -> dict[Any, str] | None:
        """Its ticks, or those of its column; None where any round places of what is drawn are as good."""
        if self.ticks is not None or self.column is None:
            return self.ticks
        return self.column_places if self.column.is_scaled or self.column.dates else None

    @property
    def column_places(self) -> dict[float, str]:
        """Round places of its column's own numbers, with their words."""
        return file_unit_ticks(*(self.inner or self.range), self.column, self.most, self.beyond)

    @property
    def full_label(self) -> str:
        """Its name without a remark on its scale; that of its column, with the unit."""
        return SCALE.sub("", self.label) if self.column is None else _column_said(self.column.label)

    @property
    def noun(self) -> str:
        """Its name beside its words, which have a scaled column's unit themselves."""
        if self.column is not None and self.column.is_scaled:
            return short_name(self.column.name)
        return self.full_label

    def tick_at(self, place: float) -> str:
        """The word of the tick at a place, or an empty one."""
        near = 1e-9 * abs(self.range[1] - self.range[0])
        return next((str(word) for at, word in (self.ticks or {}).items() if abs(at - place) <= near), "")

    def name_at(self, place: float) -> str:
        """The word of the tick at a place where it is no number, or an empty one."""
        word = self.tick_at(place)
        return "" if NUMBER.match(word) else word

    def word(self, place: float) -> str:
        """A place along it in words: the tick that stands there, or a number, in the column's own units."""
        if word := self.tick_at(place):
            return word
        if self.column is not None:
            return value_of(self.column, place)
        return format_number(float(place if self.number_at is None else self.number_at(place)))

    def in_file_units(self, places: Values) -> Labels:
        """Places along it (n,) as the numbers that they stand for, (n,), in the column's own units."""
        if self.column is not None:
            return self.column.to_file_units(places)
        return places if self.number_at is None else np.array([self.number_at(place) for place in places])

    def along(self, column: Any, low: float, high: float, room: float = 0.0) -> Self:
        """This axis under a column, of which it shows low to high and `room` beyond on either side."""
        return self._replace(range=(low - room, high + room), column=column, inner=(low, high))


def _column_said(name):
    """A column's name; a coordinate that has none has its number, in the language that is spoken."""
    unnamed = UNNAMED.fullmatch(name)
    return translate("coordinate {}", unnamed[1]) if unnamed else short_name(name)


def file_unit_ticks(low: float, high: float, quantity: Any, most: int = 4, beyond: float = 0.0) -> dict[float, str]:
    """`nice_ticks` from low to high of a column's scaled numbers, at round values in the file's own units.

    >>> from explorer.datasets.columns.quantity import Quantity
    >>> from explorer.marks import own_ticks
    >>> height = Quantity("height", "cm", centre=170.0, size=10.0)
    >>> own_ticks(-2.0, 2.0, height)
    {-2.0: '150', -1.0: '160', 0.0: '170', 1.0: '180', 2.0: '190'}
    """
    low, high = quantity.to_file_units([low, high]).tolist()
    if not 1e-300 < high - low < math.inf:  # no floats between, as in a column whose offset has taken all digits
        return {}
    own = nice_ticks(low, high, most, beyond)
    if quantity.dates:
        own = {place: quantity.format(quantity.from_file_units(place)) for place in own}
    return dict(zip(quantity.from_file_units(list(own)).tolist(), own.values(), strict=True))


def decades(low: int, high: int, step: int = 2) -> dict[float, str]:
    """Ticks of a logarithmic axis at every `step`-th power of ten from 10^low to 10^high: value -> word.

    >>> from explorer.marks import decades
    >>> decades(-4, 4, step=4)
    {0.0001: '0.0001', 1.0: '1', 10000.0: '10000'}
    """
    return {10.0**e: power_of_ten(e) for e in range(low, high + 1, step)}


def nice_ticks(low: float, high: float, most: int = 5, beyond: float = 0.0) -> dict[float, str]:
    """At most `most` round values from low to high, and more outside for `beyond` times that length: value -> word.

    >>> from explorer.marks import nice_ticks
    >>> nice_ticks(-0.3, 1.1)
    {0.0: '0', 0.5: '0.5', 1.0: '1'}
    """
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= most)
    more = beyond * (high - low)
    whole = range(math.ceil((low - more) / step), math.floor((high + more) / step) + 1)
    places = [round(i * step, 12 - min(math.floor(math.log10(step)), 0)) for i in whole]
    return {place: f"{place:.10g}".replace("-", "−") for place in places}


LINEAR = 0.3  # a signed log axis is straight up to about this value
NEAR = 0.15  # of the axis: words nearer to 0 would run into its own


def signed_log(values: float | Sequence[float] | Vector) -> Any:
    """sign(v) log10(1 + |v| / LINEAR), the positions of values on a signed logarithmic axis.

    It is for what runs over many orders of magnitude on both sides of 0, where it is nearly linear. Of a number a
    number, of values (n,) an array (n,).

    >>> from explorer.marks import signed_log, signed_value
    >>> places = signed_log([-1.0, 0.0, 1.0])
    >>> [round(signed_value(place), 6) for place in places.tolist()]
    [-1.0, 0.0, 1.0]
    """
    values = np.asarray(values, dtype=float)
    return np.sign(values) * np.log10(1 + np.abs(values) / LINEAR)


def signed_value(place: float) -> float:
    """The value at a position on a signed logarithmic axis: the inverse of `signed_log`.

    >>> from explorer.marks import signed_log, signed_value
    >>> signed_value(0.0), round(signed_value(float(signed_log(0.5))), 6)
    (0.0, 0.5)
    """
    return math.copysign(LINEAR * (10.0 ** abs(place) - 1), place)


def signed_log_ticks(top: float) -> dict[float, str]:
    """Ticks of a signed logarithmic axis that ends at top, a power of ten: position -> words."""
    powers = [10.0**e for e in (0, 1, 2, 3, 4, 6, 8, 10, 12, 15, 20) if 10.0**e <= top]
    shown = powers[:: -math.ceil(len(powers) / 3)]  # three at most on either side of 0
    shown = [v for v in shown if signed_log(v) > NEAR * signed_log(top)]
    return {
        0: "0",
        **{sign * float(signed_log(v)): f"{'−' if sign < 0 else ''}{power(v)}" for v in shown for sign in (1, -1)},
    }


def power(value: float) -> str:
    """A power of ten in words."""
    return f"{value:g}" if 1e-4 < value < 1e5 else f"1e{round(math.log10(value))}"
