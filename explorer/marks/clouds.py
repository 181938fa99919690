"""A picture of a sample that fills its frame: each axis goes as far as the sample does along it."""

from __future__ import annotations

from typing import Any

from .axes import Axis
from .picture import Picture


class ScatterPicture(Picture):
    """A sample's first two coordinates; the result's `box` is what is seen, its `quantities` the columns along it.

    Lengths along the two axes differ in scale: what has a shape is drawn as an outline, or as an ellipse that is not
    turned.

    >>> from types import SimpleNamespace
    >>> import numpy as np
    >>> from explorer.datasets.columns.quantity import Quantity
    >>> from explorer.marks import Cloud, dots
    >>> class Sample(Cloud):
    ...     title, marks = "Height and weight", [dots("points", "kme")]
    >>> box = np.array([[150.0, 40.0], [200.0, 100.0]])
    >>> result = SimpleNamespace(box=box, quantities=[Quantity("height", "cm"), Quantity("weight", "kg")])
    >>> title, x, y = Sample.axes(result)
    >>> title, x.full_label, x.range, y.tick_positions
    ('Height and weight', 'height (cm)', (150.0, 200.0), None)
    """

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        """(title, x, y), under the first two of the sample's columns."""
        return cls.called(result), *cls.sides(result)

    @classmethod
    def called(cls, result: Any) -> str:
        return cls.title

    @classmethod
    def sides(cls, result: Any) -> tuple[Axis, Axis]:
        """Both axes, from corner to corner of the box."""
        (left, bottom), (right, top) = result.box
        across, *up = result.quantities
        x = cls.x.along(across, float(left), float(right))
        if up:
            return x, cls.y.along(up[0], float(bottom), float(top))
        return x, cls.y._replace(label="(one coordinate only)", range=(float(bottom), float(top)), ticks={})
