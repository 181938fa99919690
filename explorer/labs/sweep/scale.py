"""The scale of a map's colours: the strength of a number's colour, and the ticks of the colour bar."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.printing import minus
from explorer.types import Labels, Vector

from .words import role

if TYPE_CHECKING:
    from .result import SweepResult


PALE, FULL = 0.05, 0.45  # The strength of a cell's colour at both ends of the scale. Labels on it remain legible.
LEAST_P = 0.001  # a p of this size or less has the full colour
HARM = 2.0  # the colour of harm is full at this loss, in multiples of the plain average's
MOST_TICKS = 4


class Scale(NamedTuple):
    """The meaning of a map's colours, from `low` to `high`.

    Attributes
    ----------
    kind : str
        The scale of the `SweepResult`.
    tint : str
        The role of the colour.
    low, high : float
        The values at both ends.
    """

    kind: str
    tint: str
    low: float
    high: float

    def shades(self, values: Vector) -> tuple[Labels, Vector]:
        """Return the role of each value's colour, and its strength."""
        roles = np.full(values.shape, self.tint, dtype=object)
        if self.kind == "relative":
            roles[values > 1] = "harm"
            share = np.clip(np.abs(1 - values), 0, 1)
        else:
            share = self.heights(values)
        if self.kind == "p":
            share = 1 - share
        return roles, PALE + (FULL - PALE) * share

    def heights(self, values: Vector) -> Vector:
        """Return the heights of values in the colour bar, from 0 to 1, or 0.5 if the scale has a single value."""
        with np.errstate(invalid="ignore", divide="ignore"):
            low, high = self._along(self.low), self._along(self.high)
            if high > low:
                return np.clip((self._along(values) - low) / (high - low), 0, 1)
        return np.where(np.isfinite(values), 0.5, np.nan)

    def bar(self, steps: int) -> Vector:
        """Return the values at the middles of `steps` steps of the colour bar, from the bottom up."""
        shares, low, high = (np.arange(steps) + 0.5) / steps, self._along(self.low), self._along(self.high)
        values = low + shares * (high - low)
        return 10.0**values if self.logarithmic else values

    def ticks(self) -> dict[float, str]:
        """Return value -> label of the ticks of the colour bar."""
        if self.kind == "relative":
            return {0.0: "0", 0.5: "0.5", 1.0: "1", 1.5: "1.5", HARM: "2+"}
        if not self.logarithmic or not self.low < self.high:
            return {value: short_number(value) for value in np.linspace(self.low, self.high, MOST_TICKS).tolist()}
        decades = range(math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1)
        every = -(-len(decades) // MOST_TICKS)
        return {10.0**power: short_number(10.0**power) for power in decades[::every]}

    @property
    def logarithmic(self) -> bool:
        """True if equal steps are equal ratios."""
        return self.kind in ("p", "log")

    def _along(self, values):
        return np.log10(values) if self.logarithmic else values


def scale_of(result: SweepResult) -> Scale | None:
    """Return the scale of a sweep's map, or None if no cell has a number yet."""
    kind, tint = result.scale, role(result.measure_name)
    medians = result.middle[np.isfinite(result.middle)]
    if not medians.size:
        return None
    if kind == "relative":
        return Scale(kind, tint, 0.0, HARM)
    if kind == "p":
        return Scale(kind, tint, LEAST_P, 1.0)
    return Scale(kind, tint, float(medians.min()), float(medians.max()))


def short_number(value: float) -> str:
    """Return a number with two digits, or three from 1 on, as a cell has space for."""
    if value != 0 and not 1e-3 <= abs(value) < 1e4:
        return minus(f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e"))
    return minus(f"{float(f'{value:.{2 if abs(value) < 1 else 3}g}'):.5f}".rstrip("0").rstrip("."))
