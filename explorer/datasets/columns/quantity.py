"""Quantity: what a number of a data set's column is in the column's own file, with its name and unit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np

from .dates import EPOCH

DIGITS = 14  # that a number keeps where it is scaled and scaled back


class Quantity(NamedTuple):
    """A column as its file has it: a number x of the data set is centre + size * x there.

    unit   what stands beside the numbers, or below the column's name; empty where the file has none
    dates  whether they are days since 1970
    levels of a category, as words, whose codes 0, 1, ... the numbers are
    """

    name: str
    unit: str = ""
    centre: float = 0.0
    size: float = 1.0
    dates: bool = False
    levels: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The column's name, with its unit where the name does not have it."""
        return f"{self.name} ({self.unit})" if self.unit and self.unit not in self.name else self.name

    @property
    def is_scaled(self) -> bool:
        """Whether the data set's numbers are others than the file's."""
        return (self.centre, self.size) != (0.0, 1.0)

    def to_file_units(self, x: np.ndarray) -> np.ndarray:
        """Numbers x of the data set in the file's own units."""
        values = self.centre + self.size * np.asarray(x, dtype=float)
        largest = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
        if not self.is_scaled or not 1e-200 < largest < 1e200:
            return values
        return np.round(values, DIGITS - math.ceil(math.log10(largest))) + 0.0  # and no -0

    own = to_file_units  # its name in older Python that users have copied

    def from_file_units(self, values: np.ndarray) -> np.ndarray:
        """Numbers in the file's own units as the data set has them."""
        return (np.asarray(values, dtype=float) - self.centre) / self.size

    def over(self, centre: float, size: float) -> Quantity:
        """The quantity of these numbers less a centre, over a size."""
        return self._replace(centre=self.centre + self.size * float(centre), size=self.size * float(size))

    @property
    def density(self) -> Quantity:
        """A density over the quantity, which is lower where its unit is smaller."""
        return Quantity("density", size=1 / self.size)

    def format(self, x: float) -> str:
        """One number in the file's own units, to about a hundredth of the column's spread."""
        value = self.centre + self.size * float(x)
        if self.dates:
            return str(date.fromordinal(EPOCH) + timedelta(days=math.floor(value)))
        digits = max(2 - math.floor(math.log10(self.size)), 0) if self.size > 0 and math.isfinite(value) else 0
        return f"{round(value, min(digits, DIGITS)) + 0.0:.12g}"  # and no -0


def quantities_named(names: Sequence[str]) -> tuple[Quantity, ...]:
    """Quantities of columns that are in their own units."""
    return tuple(Quantity(name) for name in names)


def coordinates(count: int) -> tuple[Quantity, ...]:
    """Quantities of the coordinates of a distribution, which have no names."""
    return quantities_named([f"coordinate {j + 1}" for j in range(count)])


def in_file_units(quantities: Sequence[Quantity], X: np.ndarray) -> dict[str, np.ndarray]:
    """name -> the column of points X (n, d) in its file's own units."""
    return {each.name: each.to_file_units(column) for each, column in zip(quantities, X.T, strict=True)}
