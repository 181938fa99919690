"""Gains of several methods in the same samples: a dot for each sample, and their mean with two standard errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.types import Matrix

from .axes import Axis, nice_ticks
from .mark import Grounds, Marks, ReferenceLine, dots, segments
from .picture import SecondaryPicture, Sources


def row_axis(rows: Sequence[str]) -> Axis:
    """Return the axis of rows with these names, from the top."""
    return Axis("", (0.4 - len(rows), 0.6), {-i: name for i, name in enumerate(rows)})


def reach_of(gains: Matrix) -> tuple[float, float]:
    """Return the ends of the axis of gains; far gains are clipped to them.

    Parameters
    ----------
    gains : ndarray of shape (rows, samples)
        The gains.

    Returns
    -------
    low, high : float
        The ends.
    """
    low, high = np.quantile(gains, [0.03, 0.97])
    room = 0.15 * (high - low) + 1e-6
    return min(float(low - room), -room), max(float(high + room), room)


@dataclass(frozen=True, eq=False)
class Gains(SecondaryPicture):
    """A row of dots for each method, with the mean of its gains and two standard errors.

    Parameters
    ----------
    rows : sequence of str
        The names of the rows.
    rows_of : callable or None, default None
        Takes the stage's value and returns the names of its rows, if they differ.
    unit : str
        Label of the axis of gains.
    gains : callable
        Takes the stage's value and returns the gains, of shape (rows, samples).
    reach : callable
        Takes the gains and returns the ends of their axis.
    """

    table_is_complete: bool = False
    height: int = 280
    background: Grounds = (ReferenceLine("kme", x=0, style={"width": 2}),)
    marks: Marks = (
        dots("dots", "kme", fill=0.35, width=0, label="samples"),
        segments("means", "truth", "low", "y", "high", "y", width=3, label="two standard errors about the mean"),
        dots("means", "truth", marker="diamond", size=11, label="mean"),
    )
    rows: Sequence[str] = ()
    rows_of: Callable[[Any], Sequence[str]] | None = None
    unit: str = ""
    gains: Any = None
    reach: Any = None

    def __post_init__(self) -> None:
        self._derive(x=Axis(self.unit, (-1, 1)), y=row_axis(self.rows), reach=self.reach or reach_of)

    def compute(self, result: Any, *value: Any) -> Sources:
        gains = self.gains(*value)
        rows = -np.arange(float(len(gains)))
        mean, error = gains.mean(axis=1), 2 * gains.std(axis=1, ddof=1) / np.sqrt(gains.shape[1])
        return {
            "dots": {"x": np.clip(gains, *self.reach(gains)).ravel(), "y": np.repeat(rows, gains.shape[1])},
            "means": {"x": mean, "y": rows, "low": mean - error, "high": mean + error},
        }

    def fit(self, result: Any, *value: Any) -> tuple[Axis, Axis]:
        low, high = map(float, self.reach(self.gains(*value)))
        y = self.y if self.rows_of is None else row_axis(self.rows_of(*value))
        return Axis(self.unit, (low, high), nice_ticks(low, high, 4)), y
