"""Gains of several methods in the same samples: a dot for each sample, and their mean with two standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from explorer.types import Matrix

from .axes import Axis, nice_ticks
from .mark import Grounds, Marks, Numbers, ReferenceLine, dots, segments
from .old_form import SecondaryPicture


class Gains(SecondaryPicture):
    """A row of dots for each of the `rows`; `gains(value)`, of shape (rows, samples), reads the picture's stage."""

    answers = False
    unit = ""
    rows: ClassVar[Sequence[str]] = ()
    height = 280
    grounds: ClassVar[Grounds] = (ReferenceLine("kme", x=0, style={"width": 2}),)
    x: ClassVar[Axis]
    y: ClassVar[Axis]
    marks: ClassVar[Marks] = (
        dots("dots", "kme", fill=0.35, width=0, label="samples"),
        segments("means", "truth", "low", "y", "high", "y", width=3, label="two standard errors about the mean"),
        dots("means", "truth", marker="diamond", size=11, label="mean"),
    )

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.x, cls.y = Axis(cls.unit, (-1, 1)), cls.row_axis(cls.rows)

    @staticmethod
    def row_axis(rows: Sequence[str]) -> Axis:
        """Return the axis of rows with these names, from the top.

        Parameters
        ----------
        rows : sequence of str
            The names.

        Returns
        -------
        Axis
            The axis.
        """
        return Axis("", (0.4 - len(rows), 0.6), {-i: name for i, name in enumerate(rows)})

    @staticmethod
    def gains(value: Any) -> Matrix:
        """Return the gain of each row in each sample.

        Parameters
        ----------
        value : Any
            The stage's value.

        Returns
        -------
        ndarray of shape (rows, samples)
            The gains.
        """
        raise NotImplementedError

    @staticmethod
    def span(gains: Matrix) -> tuple[float, float]:
        """Return the ends of the axis; far gains are clipped to them.

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

    @classmethod
    def numbers(cls, result: Any, value: Any) -> Numbers:
        gains = cls.gains(value)
        rows = -np.arange(float(len(gains)))
        mean, error = gains.mean(axis=1), 2 * gains.std(axis=1, ddof=1) / np.sqrt(gains.shape[1])
        return {
            "dots": {"x": np.clip(gains, *cls.span(gains)).ravel(), "y": np.repeat(rows, gains.shape[1])},
            "means": {"x": mean, "y": rows, "low": mean - error, "high": mean + error},
        }

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        value = getattr(result, cls.stage)
        if value is None:
            return cls.title, cls.x, cls.y
        low, high = map(float, cls.span(cls.gains(value)))
        return cls.title, Axis(cls.unit, (low, high), nice_ticks(low, high, 4)), cls.y
