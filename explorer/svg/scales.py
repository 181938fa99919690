"""Scales: from the numbers of an axis to px."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from explorer.types import Mask, Values, Vector

FAR = 20_000.0  # largest position in px: a line that leaves the picture goes no further, whatever its numbers


class Scale(NamedTuple):
    """An axis from low to high, drawn from `start` to `stop` px, linear or logarithmic."""

    low: float
    high: float
    start: float
    stop: float
    log: bool = False

    def __call__(self, values: float | Vector) -> Values:
        """Return numbers in px; NaN if they have no position, and so are not drawn."""
        values, ends = np.asarray(values, dtype=float), np.array([self.low, self.high], dtype=float)
        with np.errstate(all="ignore"):
            if self.log:
                values, ends = np.log10(values), np.log10(ends)
            # Halves, because the difference of two finite floats may be infinite.
            share = (values / 2 - ends[0] / 2) / (ends[1] / 2 - ends[0] / 2)
            places = self.start + share * (self.stop - self.start)
            places = np.where(np.isfinite(values), np.clip(places, -FAR, FAR), np.nan)
        return np.where(np.isfinite(places), places, np.nan)

    def wider(self, px: float) -> Self:
        """Return the axis extended by a number of px at both ends."""
        ends = np.log10([self.low, self.high]) if self.log else np.array([self.low, self.high], dtype=float)
        way = 1 if self.stop > self.start else -1
        beyond = (ends[1] - ends[0]) / abs(self.stop - self.start) * px
        low, high = float(ends[0] - beyond), float(ends[1] + beyond)
        low, high = (10.0**low, 10.0**high) if self.log else (low, high)
        return self._replace(low=low, high=high, start=self.start - way * px, stop=self.stop + way * px)

    def base(self, values: Vector) -> Vector:
        """Return numbers in px, with the picture's edge for the 0 that a logarithmic axis does not have."""
        values = np.asarray(values, dtype=float)
        return np.where(self.log & (values <= 0), self.start, self(values))

    def length(self, at: Sequence[float] | Vector, lengths: Sequence[float] | Vector) -> Vector:
        """Return lengths on the axis about positions, in px."""
        at, half = np.asarray(at, dtype=float), np.asarray(lengths, dtype=float) / 2
        return np.abs(self(at + half) - self(at - half))

    def holds(self, places: float | Vector, beyond: float = 1.0) -> bool | Mask:
        """Return which px are on the axis, or within `beyond` px of its ends."""
        low, high = sorted((self.start, self.stop))
        return (places >= low - beyond) & (places <= high + beyond)


class Frame(NamedTuple):
    """The two scales of a picture, and so the rectangle in which it is drawn."""

    x: Scale
    y: Scale

    @property
    def left(self) -> float:
        return self.x.start

    @property
    def right(self) -> float:
        return self.x.stop

    @property
    def top(self) -> float:
        return self.y.stop

    @property
    def bottom(self) -> float:
        return self.y.start
