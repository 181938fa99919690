"""Weighted pairs in the plane as discs, and densities over y, drawn upwards next to them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from explorer.types import Matrix, Values, Vector

from .axes import Axis, file_unit_ticks
from .mark import Grounds, Mark, ReferenceLine, by, dots, vertical_lines
from .pairs import over_pairs
from .picture import SecondaryPicture

HEIGHT = 400  # height in px
# diameters in px: AREA times the root of the weight, the smallest that is drawn, and the largest
AREA, SMALLEST, LARGEST = 60.0, 2.5, 44.0
BELOW = 0.22  # length of an axis of densities below 0, relative to that above
STEPS = (1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8)
# candidates for the upper end of an axis of densities
TOPS = tuple(step * 10.0**e for e in (-1, 0, 1) for step in STEPS)


def discs(weights: Values) -> list[Values]:
    """Return the diameters of discs whose areas are the weights.

    A disc that could not be distinguished from the point at its centre is left out.

    Parameters
    ----------
    weights : ndarray
        The weights.

    Returns
    -------
    list of ndarray
        Diameters for positive and for negative weights.
    """
    sizes = (AREA * np.sqrt(np.maximum(sign * weights, 0)) for sign in (1, -1))
    return [np.where(size < SMALLEST, 0.0, np.minimum(size, LARGEST)) for size in sizes]


def within(values: Values, low: float, high: float) -> Values:
    """Return values with those beyond a picture as NaN, because marks that follow a slider are not clipped.

    Parameters
    ----------
    values : ndarray
        The values.
    low, high : float
        Ends of the picture.

    Returns
    -------
    ndarray
        The values.
    """
    return np.where((values >= low) & (values <= high), values, np.nan)


def parts(weights: Matrix, unit: float) -> Iterator[Any]:
    """Return what each point alone adds to a density, above and below 0.

    Parameters
    ----------
    weights : ndarray
        The weights.
    unit : float
        Height of a point of weight 1.

    Returns
    -------
    iterator of ndarray
        Two arrays like the weights, NaN for nothing.
    """
    return (np.where(sign * weights > 0, weights * unit, np.nan) for sign in (1, -1))


def normal(x: Vector, mean: float, sd: float) -> Vector:
    """Return the density of N(mean, sd²).

    Parameters
    ----------
    x : ndarray
        The positions.
    mean, sd : float
        Mean and standard deviation.

    Returns
    -------
    ndarray
        The density.
    """
    return np.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * math.sqrt(2 * math.pi))


def top(*densities: float | Vector) -> float:
    """Return the upper end of an axis of densities, which is the same for many states.

    Parameters
    ----------
    *densities : float or ndarray
        The densities.

    Returns
    -------
    float
        The end.
    """
    highest = max(float(np.nanmax(density)) for density in densities)
    return next((end for end in TOPS if 1.15 * highest <= end), TOPS[-1])


X, Y, DENSITY = Axis("x", (-1, 1)), Axis("y", (-1, 1)), Axis("density", (-BELOW, 1))


def pairs_sides(result: Any, *value: Any) -> tuple[Axis, Axis]:
    """Return the axes of the pairs' columns."""
    return over_pairs(result.pairs, X, Y)


# the pairs of a result in the plane, discs for weights, and a line at the observed x: marks below all others
PAIRS: Sequence[Mark] = (
    dots("sample", "kme", size=4, fill=0.5, width=0, label="pairs"),
    dots("weights", "skmse", size=by("up"), fill=0.55, width=1.2, follows_slider=True, label="weight"),
    dots("weights", "harm", size=by("down"), fill=0, width=1.2, follows_slider=True, label="negative weight"),
    vertical_lines("line"),
)
WeightedPairs = partial(SecondaryPicture, slot="main", height=HEIGHT, x=X, y=Y, sides=pairs_sides)


def ends_of_pairs(result: Any) -> tuple[tuple[float, float], Any]:
    """Return the ends of the axis of y and its column: those of the pairs."""
    return result.pairs.ends[1], result.pairs.on_axes[1]


@dataclass(frozen=True, eq=False)
class Profile(SecondaryPicture):
    """A density over y, drawn upwards as in the picture next to it.

    Parameters
    ----------
    end : callable
        Takes the result and the stage's value and returns the end of the axis of densities.
    up : callable
        Takes the result and returns the ends of the axis of y, and its column. By default those of the pairs.
    """

    slot: str = "beside"
    height: int = HEIGHT
    x: Axis = DENSITY
    y: Axis = Y
    background: Grounds = (ReferenceLine("kme", x=0),)
    end: Any = None
    up: Any = None

    def fit(self, result: Any, *value: Any) -> tuple[Axis, Axis]:
        (ends, of), end = (self.up or ends_of_pairs)(result), self.end(result, *value)
        x = Axis("density", (-BELOW * end, 1.02 * end), file_unit_ticks(0.0, end, of.density))
        return x, self.y.along(of, *map(float, ends))
