"""What several methods gain in the same samples: a dot a sample, and their mean with two standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from explorer.types import Matrix

from .axes import Axis, nice_ticks
from .mark import Grounds, Marks, Numbers, ReferenceLine, dots, segments
from .picture import SecondaryPicture


class Gains(SecondaryPicture):
    """A row of dots for each of the `rows`, whose `gains(value)` are (rows, samples) of the picture's stage."""

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
        """The axis of rows of these names, from the top."""
        return Axis("", (0.4 - len(rows), 0.6), {-i: name for i, name in enumerate(rows)})

    @staticmethod
    def gains(value: Any) -> Matrix:
        """What each row gains in each sample, (rows, samples)."""
        raise NotImplementedError

    @staticmethod
    def span(gains: Matrix) -> tuple[float, float]:
        """From where to where the axis goes: far gains stand at its ends."""
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
