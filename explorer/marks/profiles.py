"""Pairs in the plane with weights as discs, and densities over y that run upwards beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from explorer.types import Matrix, Values, Vector

from .axes import Axis, file_unit_ticks
from .mark import Grounds, Mark, ReferenceLine, by, dots, vertical_lines
from .pairs import over_pairs
from .picture import SecondaryPicture

HEIGHT = 400  # px
AREA, SMALLEST, LARGEST = 60.0, 2.5, 44.0  # px; a disc's size is AREA times the root of its weight
BELOW = 0.22  # of an axis of densities: how far it goes below 0
STEPS = (1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8)
TOPS = tuple(step * 10.0**e for e in (-1, 0, 1) for step in STEPS)  # where it may end


def discs(weights: Values) -> list[Values]:
    """Sizes of discs whose areas are the weights, of those above 0 and of those below: two arrays as weights.

    A disc too small to be told from the point that it is about is left away.
    """
    sizes = (AREA * np.sqrt(np.maximum(sign * weights, 0)) for sign in (1, -1))
    return [np.where(size < SMALLEST, 0.0, np.minimum(size, LARGEST)) for size in sizes]


def within(values: Values, low: float, high: float) -> Values:
    """Values, those beyond a picture as nan: what follows a slider is drawn above the axes, which do not cut it off."""
    return np.where((values >= low) & (values <= high), values, np.nan)


def parts(weights: Matrix, unit: float) -> Iterator[Any]:
    """What each point alone adds to a density, above 0 and below: two arrays as weights, nan where there is nothing."""
    return (np.where(sign * weights > 0, weights * unit, np.nan) for sign in (1, -1))


def normal(x: Vector, mean: float, sd: float) -> Vector:
    """The density of N(mean, sd²) at x."""
    return np.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * math.sqrt(2 * math.pi))


def top(*densities: float | Vector) -> float:
    """Where an axis of densities ends: the same for many states."""
    highest = max(float(np.nanmax(density)) for density in densities)
    return next((end for end in TOPS if 1.15 * highest <= end), TOPS[-1])


class WeightedPairs(SecondaryPicture):
    """The pairs of a result in the plane, discs for weights, and a line at the observed x."""

    place = "main"
    height: ClassVar[int] = HEIGHT
    x: ClassVar[Axis] = Axis("x", (-1, 1))
    y: ClassVar[Axis] = Axis("y", (-1, 1))
    legend = True
    pairs: ClassVar[Sequence[Mark]] = (
        dots("sample", "kme", size=4, fill=0.5, width=0, label="pairs"),
        dots("weights", "skmse", size=by("up"), fill=0.55, width=1.2, follows_slider=True, label="weight"),
        dots("weights", "harm", size=by("down"), fill=0, width=1.2, follows_slider=True, label="negative weight"),
        vertical_lines("line"),
    )

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        if getattr(result, cls.stage) is None:
            return cls.title, cls.x, cls.y
        return cls.title, *over_pairs(result.pairs, cls.x, cls.y)


class Profile(SecondaryPicture):
    """A density over y, which runs upwards as in the picture beside it; `end(result, value)` is where its axis ends."""

    place = "beside"
    height: ClassVar[int] = HEIGHT
    x: ClassVar[Axis] = Axis("density", (-BELOW, 1))
    y: ClassVar[Axis] = Axis("y", (-1, 1))
    legend = True
    grounds: ClassVar[Grounds] = (ReferenceLine("kme", x=0),)

    @staticmethod
    def end(result: Any, value: Any) -> float:
        """Where the axis of densities ends."""
        raise NotImplementedError

    @classmethod
    def up(cls, result: Any) -> tuple[tuple[float, float], Any]:
        """The ends of the axis of y, and the column along it: those of the pairs."""
        return result.pairs.ends[1], result.pairs.on_axes[1]

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        value = getattr(result, cls.stage)
        if value is None:
            return cls.title, cls.x, cls.y
        (ends, of), end = cls.up(result), cls.end(result, value)
        x = Axis("density", (-BELOW * end, 1.02 * end), file_unit_ticks(0.0, end, of.density))
        return cls.title, x, cls.y.along(of, *map(float, ends))
