"""Quantities: conversion of a data set's numbers to the units of its file, with names and units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np

from .dates import EPOCH

DIGITS = 14  # significant digits that survive scaling and scaling back


class Quantity(NamedTuple):
    """A column and its scale: a number x of the data set is centre + size * x in the file.

    Attributes
    ----------
    name : str
        Name of the column.
    unit : str, default ""
        The unit that the file gives next to the numbers or below the column's name.
    centre : float, default 0.0
        The file's number for x = 0.
    size : float, default 1.0
        The file's difference for one unit of x.
    dates : bool, default False
        Whether the file's numbers are days since 1970.
    levels : tuple of str, default ()
        The levels of a category, whose codes 0, 1, ... the numbers are.
    """

    name: str
    unit: str = ""
    centre: float = 0.0
    size: float = 1.0
    dates: bool = False
    levels: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The column's name, followed by its unit if the name does not contain it."""
        return f"{self.name} ({self.unit})" if self.unit and self.unit not in self.name else self.name

    @property
    def is_scaled(self) -> bool:
        """True if the data set's numbers differ from the file's."""
        return (self.centre, self.size) != (0.0, 1.0)

    def to_file_units(self, x: np.ndarray) -> np.ndarray:
        """Convert numbers of the data set to the file's units.

        Parameters
        ----------
        x : array_like
            Numbers of the data set.

        Returns
        -------
        ndarray of the shape of x
            The numbers in the file's units.
        """
        values = self.centre + self.size * np.asarray(x, dtype=float)
        largest = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
        if not self.is_scaled or not 1e-200 < largest < 1e200:
            return values
        return np.round(values, DIGITS - math.ceil(math.log10(largest))) + 0.0  # turns -0.0 into 0.0

    own = to_file_units  # its name in older Python that users have copied

    def from_file_units(self, values: np.ndarray) -> np.ndarray:
        """Convert numbers in the file's units to those of the data set.

        Parameters
        ----------
        values : array_like
            Numbers in the file's units.

        Returns
        -------
        ndarray of the shape of values
            The numbers of the data set.
        """
        return (np.asarray(values, dtype=float) - self.centre) / self.size

    def over(self, centre: float, size: float) -> Quantity:
        """Return the quantity of these numbers minus a centre and divided by a size.

        Parameters
        ----------
        centre : float
            The number that is subtracted, in units of the data set.
        size : float
            The divisor, in units of the data set.

        Returns
        -------
        Quantity
            The quantity of the scaled numbers.
        """
        return self._replace(centre=self.centre + self.size * float(centre), size=self.size * float(size))

    @property
    def density(self) -> Quantity:
        """Quantity of a density over this one, which is lower if the unit is smaller."""
        return Quantity("density", size=1 / self.size)

    def format(self, x: float) -> str:
        """Format one number in the file's units, to about a hundredth of the column's spread.

        Parameters
        ----------
        x : float
            A number of the data set.

        Returns
        -------
        str
            The number or the date.
        """
        value = self.centre + self.size * float(x)
        if self.dates:
            return str(date.fromordinal(EPOCH) + timedelta(days=math.floor(value)))
        digits = max(2 - math.floor(math.log10(self.size)), 0) if self.size > 0 and math.isfinite(value) else 0
        return f"{round(value, min(digits, DIGITS)) + 0.0:.12g}"  # and no -0


def quantities_named(names: Sequence[str]) -> tuple[Quantity, ...]:
    """Return quantities of columns that are not scaled.

    Parameters
    ----------
    names : sequence of str
        Names of the columns.

    Returns
    -------
    tuple of Quantity
        Their quantities.
    """
    return tuple(Quantity(name) for name in names)


def coordinates(count: int) -> tuple[Quantity, ...]:
    """Return quantities of the unnamed coordinates of a distribution.

    Parameters
    ----------
    count : int
        Number of coordinates.

    Returns
    -------
    tuple of Quantity
        Quantities that are named by number.
    """
    return quantities_named([f"coordinate {j + 1}" for j in range(count)])


def in_file_units(quantities: Sequence[Quantity], X: np.ndarray) -> dict[str, np.ndarray]:
    """Return the columns of points in the file's units, by their names.

    Parameters
    ----------
    quantities : sequence of Quantity
        The quantities of the d columns.
    X : ndarray of shape (n, d)
        Points of the data set.

    Returns
    -------
    dict of str to ndarray of shape (n,)
        The columns.
    """
    return {each.name: each.to_file_units(column) for each, column in zip(quantities, X.T, strict=True)}
