"""Axes of pictures: labels, ranges and ticks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from explorer.languages import ENGLISH, current_language, translate
from explorer.printing import format_number, power_of_ten, short_name, value_of
from explorer.types import Labels, Values, Vector, VectorLike

# text of a tick that is a number, not a name
NUMBER = re.compile(r"[−-]?\d[\d.,e×−⁻⁰¹²³⁴⁵⁶⁷⁸⁹ ]*%?( or (more|less))?$")
UNNAMED = re.compile(r"coordinate (\d+)")  # name of a coordinate of a distribution
# the part of a label that describes the axis's scale
SCALE = re.compile(r" \((?:signed )?log(?: scale|arithmisch)?\b[^)]*\)")


class Axis(NamedTuple):
    """An axis of a picture: its label, range and ticks.

    Parameters
    ----------
    label : str
        Its label.
    range : tuple of float, default NaN
        Its ends. NaN are those of the numbers, in a `chart`.
    ticks : dict or None, default None
        Position -> text.
    log : bool, default False
        Whether it is logarithmic.
    column : Quantity or None, default None
        The quantity along it. The axis then has its name and unit, and ticks at round values in the units of the file.
    inner : tuple of float or None, default None
        The part in which a column has ticks; None for the whole range.
    lines : bool, default True
        Whether there are grid lines at its ticks.
    bare : bool, default False
        Whether only its text is drawn, if it has any.
    turned : bool, default False
        Whether its tick labels are vertical.
    ends : tuple of float or None, default None
        The part along which it is drawn; None for all.
    most : int, default 4
        Largest number of a column's ticks in the inner part.
    beyond : float, default 0
        How far ticks continue outside the inner part, relative to its length.
    number_at : callable or None, default None
        Returns the number at a position, if the scale is neither linear nor logarithmic.
    unit : str, default ""
        Its unit, in brackets after the label.
    name : str or holoviews.Dimension, default ""
        The dimension along it in HoloViews: plots that `*` overlays share axes of one name. Empty for x or y.

    Examples
    --------
    >>> from explorer.marks import Axis
    >>> axis = Axis("bandwidth", (0.1, 10.0), {0.1: "0.1", 1.0: "1", 10.0: "10"}, log=True)
    >>> axis.title, axis.tick_positions, axis.tick_at(1.0)
    ('bandwidth', {0.1: '0.1', 1.0: '1', 10.0: '10'}, '1')
    """

    label: str
    range: tuple[float, float] = (math.nan, math.nan)
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
    unit: str = ""
    name: Any = ""

    def translated(self) -> Self:
        """Return the axis with its label and ticks in the current language.

        Returns
        -------
        Axis
            The axis.
        """
        if current_language() == ENGLISH:
            return self
        ticks = None if self.ticks is None else {place: translate(str(word)) for place, word in self.ticks.items()}
        return self._replace(label=translate(self.label), ticks=ticks)

    @property
    def title(self) -> str:
        """Text next to it: its label, or its column's name, with the unit."""
        if self.column is not None:
            return _column_said(self.column.label)
        return f"{self.label} ({self.unit})" if self.unit else self.label

    @property
    def tick_positions(self) -> dict[Any, str] | None:
        """Position -> text of the ticks, those of its column by default; None if any round positions will do."""
        if self.ticks is not None or self.column is None:
            return self.ticks
        return self.column_places if self.column.is_scaled or self.column.dates else None

    @property
    def column_places(self) -> dict[float, str]:
        """Round positions of its column in the units of the file, with their text."""
        return file_unit_ticks(*(self.inner or self.range), self.column, self.most, self.beyond)

    @property
    def full_label(self) -> str:
        """Name without a remark on the axis's scale, or its column's name with the unit."""
        return SCALE.sub("", self.title) if self.column is None else _column_said(self.column.label)

    @property
    def noun(self) -> str:
        """Name next to numbers; those of a scaled column have their unit already."""
        if self.column is not None and self.column.is_scaled:
            return short_name(self.column.name)
        return self.full_label

    def tick_at(self, place: float) -> str:
        """Return the text of the tick at a position, or "".

        Parameters
        ----------
        place : float
            The position.

        Returns
        -------
        str
            The text.
        """
        near = 1e-9 * abs(self.range[1] - self.range[0])
        return next((str(word) for at, word in (self.ticks or {}).items() if abs(at - place) <= near), "")

    def name_at(self, place: float) -> str:
        """Return the text of the tick at a position if it is not a number, or "".

        Parameters
        ----------
        place : float
            The position.

        Returns
        -------
        str
            The text.
        """
        word = self.tick_at(place)
        return "" if NUMBER.match(word) else word

    def word(self, place: float) -> str:
        """Return a position as text: its tick, or a number in the column's own units.

        Parameters
        ----------
        place : float
            The position.

        Returns
        -------
        str
            The text.
        """
        if word := self.tick_at(place):
            return word
        if self.column is not None:
            return value_of(self.column, place)
        return format_number(float(place if self.number_at is None else self.number_at(place)))

    def in_file_units(self, places: Values) -> Labels:
        """Return positions as the numbers that they stand for, in the column's own units.

        Parameters
        ----------
        places : ndarray of shape (n,)
            The positions.

        Returns
        -------
        ndarray of shape (n,)
            The numbers.
        """
        if self.column is not None:
            return self.column.to_file_units(places)
        return places if self.number_at is None else np.array([self.number_at(place) for place in places])

    def share(self, values: Values) -> Values:
        """Return positions as shares of the way from its lower to its upper end.

        Parameters
        ----------
        values : ndarray
            The positions.

        Returns
        -------
        ndarray
            The shares.

        Examples
        --------
        >>> import numpy as np
        >>> from explorer.marks import Axis
        >>> Axis("loss", (1.0, 100.0), log=True).share(np.array([1.0, 10.0])).tolist()
        [0.0, 0.5]
        """
        ends, values = np.array(self.range, dtype=float), np.asarray(values, dtype=float)
        with np.errstate(all="ignore"):
            (low, high), values = (np.log(ends), np.log(values)) if self.log else (ends, values)
            return (values - low) / (high - low)

    def along(self, column: Any, low: float, high: float, room: float = 0.0) -> Self:
        """Return this axis for a column.

        Parameters
        ----------
        column : Quantity
            The column.
        low, high : float
            Ends of its inner part.
        room : float, default 0
            Margin on either side.

        Returns
        -------
        Axis
            The axis.
        """
        return self._replace(range=(low - room, high + room), column=column, inner=(low, high))


def _column_said(name):
    """Return a column's name; an unnamed coordinate gets its number, in the current language."""
    unnamed = UNNAMED.fullmatch(name)
    return translate("coordinate {}", unnamed[1]) if unnamed else short_name(name)


def file_unit_ticks(low: float, high: float, quantity: Any, most: int = 4, beyond: float = 0.0) -> dict[float, str]:
    """Return `nice_ticks` of a column's scaled numbers, at round values in the units of the file.

    Parameters
    ----------
    low, high : float
        Ends, in scaled numbers.
    quantity : Quantity
        The column.
    most : int, default 4
        Largest number of ticks from low to high.
    beyond : float, default 0
        How far ticks continue outside, relative to that length.

    Returns
    -------
    dict of float to str
        Scaled number -> text.

    Examples
    --------
    >>> from explorer.datasets.columns.quantity import Quantity
    >>> from explorer.marks import file_unit_ticks
    >>> height = Quantity("height", "cm", centre=170.0, size=10.0)
    >>> file_unit_ticks(-2.0, 2.0, height)
    {-2.0: '150', -1.0: '160', 0.0: '170', 1.0: '180', 2.0: '190'}
    """
    low, high = quantity.to_file_units([low, high]).tolist()
    # no floats lie between the ends, as in a column whose offset has used up all digits
    if not 1e-300 < high - low < math.inf:
        return {}
    own = nice_ticks(low, high, most, beyond)
    if quantity.dates:
        own = {place: quantity.format(quantity.from_file_units(place)) for place in own}
    return dict(zip(quantity.from_file_units(list(own)).tolist(), own.values(), strict=True))


def decades(low: int, high: int, step: int = 2) -> dict[float, str]:
    """Return ticks of a logarithmic axis at every `step`-th power of ten.

    Parameters
    ----------
    low, high : int
        Exponents of the ends.
    step : int, default 2
        Distance of the exponents.

    Returns
    -------
    dict of float to str
        Value -> text.

    Examples
    --------
    >>> from explorer.marks import decades
    >>> decades(-4, 4, step=4)
    {0.0001: '0.0001', 1.0: '1', 10000.0: '10000'}
    """
    return {10.0**e: power_of_ten(e) for e in range(low, high + 1, step)}


def nice_ticks(low: float, high: float, most: int = 5, beyond: float = 0.0) -> dict[float, str]:
    """Return round values from low to high.

    Parameters
    ----------
    low, high : float
        The ends.
    most : int, default 5
        Largest number of ticks between them.
    beyond : float, default 0
        How far ticks continue outside, relative to that length.

    Returns
    -------
    dict of float to str
        Value -> text.

    Examples
    --------
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


FROM_ZERO = 0.2  # an axis of sizes begins at 0 if the smallest is at most this share of the largest


def ends_of_sizes(sizes: VectorLike, room: float = 0.06) -> tuple[float, float]:
    """Return the ends of an axis that numbers of at least 0 fill.

    It begins at 0 only if the numbers reach down to a fifth of the largest one.

    Parameters
    ----------
    sizes : array_like
        The numbers; those that are not finite do not count.
    room : float, default 0.06
        Margin on either side, relative to the range of the numbers.

    Returns
    -------
    tuple of float
        The ends.

    Examples
    --------
    >>> from explorer.marks.axes import ends_of_sizes
    >>> ends_of_sizes([0.1, 1.0], room=0.1), ends_of_sizes([3.0, 4.0], room=0.25)
    ((0.0, 1.1), (2.75, 4.25))
    """
    sizes = np.asarray(sizes, dtype=float)
    sizes = sizes[np.isfinite(sizes)]
    low, high = (float(sizes.min()), float(sizes.max())) if sizes.size else (0.0, 1.0)
    low = 0.0 if 0 <= low <= FROM_ZERO * high else low
    margin = room * (high - low) or 0.5 * abs(high) or 1.0
    return low if low == 0 else low - margin, high + margin


LINEAR = 0.3  # a signed logarithmic axis is nearly linear up to about this value
NEAR = 0.15  # smallest distance of a label from 0, relative to the axis: a closer one would overlap that of 0


def signed_log(values: float | Sequence[float] | Vector) -> Any:
    """Return positions on a signed logarithmic axis: sign(v) log10(1 + |v| / LINEAR).

    It is for values over many orders of magnitude on both sides of 0, where it is nearly linear.

    Parameters
    ----------
    values : float or array_like of shape (n,)
        The values.

    Returns
    -------
    float or ndarray of shape (n,)
        The positions.

    Examples
    --------
    >>> from explorer.marks import signed_log, signed_value
    >>> places = signed_log([-1.0, 0.0, 1.0])
    >>> [round(signed_value(place), 6) for place in places.tolist()]
    [-1.0, 0.0, 1.0]
    """
    values = np.asarray(values, dtype=float)
    return np.sign(values) * np.log10(1 + np.abs(values) / LINEAR)


def signed_value(place: float) -> float:
    """Return the value at a position on a signed logarithmic axis: the inverse of `signed_log`.

    Parameters
    ----------
    place : float
        The position.

    Returns
    -------
    float
        The value.

    Examples
    --------
    >>> from explorer.marks import signed_log, signed_value
    >>> signed_value(0.0), round(signed_value(float(signed_log(0.5))), 6)
    (0.0, 0.5)
    """
    return math.copysign(LINEAR * (10.0 ** abs(place) - 1), place)


def signed_log_ticks(top: float) -> dict[float, str]:
    """Return ticks of a signed logarithmic axis.

    Parameters
    ----------
    top : float
        Its upper end, a power of ten.

    Returns
    -------
    dict of float to str
        Position -> text.
    """
    powers = [10.0**e for e in (0, 1, 2, 3, 4, 6, 8, 10, 12, 15, 20) if 10.0**e <= top]
    shown = powers[:: -math.ceil(len(powers) / 3)]  # at most three on either side of 0
    shown = [v for v in shown if signed_log(v) > NEAR * signed_log(top)]
    return {
        0: "0",
        **{sign * float(signed_log(v)): f"{'−' if sign < 0 else ''}{power(v)}" for v in shown for sign in (1, -1)},
    }


def power(value: float) -> str:
    """Return a power of ten as text."""
    return f"{value:g}" if 1e-4 < value < 1e5 else f"1e{round(math.log10(value))}"
