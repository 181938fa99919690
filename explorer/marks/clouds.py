"""A picture of a sample that fills its frame: each axis spans the sample's range along it."""

from __future__ import annotations

from typing import Any

from .axes import Axis
from .old_form import Picture


class ScatterPicture(Picture):
    """A sample's first two coordinates, within the result's `box`; `quantities` are the columns along the axes.

    The two axes have different scales, so shapes are drawn as outlines, or as ellipses that are not rotated.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import numpy as np
    >>> from explorer.datasets.columns.quantity import Quantity
    >>> from explorer.marks import ScatterPicture, dots
    >>> class Sample(ScatterPicture):
    ...     title, marks = "Height and weight", [dots("points", "kme")]
    >>> box = np.array([[150.0, 40.0], [200.0, 100.0]])
    >>> result = SimpleNamespace(box=box, quantities=[Quantity("height", "cm"), Quantity("weight", "kg")])
    >>> title, x, y = Sample.axes(result)
    >>> title, x.full_label, x.range, y.tick_positions
    ('Height and weight', 'height (cm)', (150.0, 200.0), None)
    """

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        """Return (title, x axis, y axis), for the first two columns of the sample.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        tuple
            The title and both axes.
        """
        return cls.called(result), *cls.sides(result)

    @classmethod
    def called(cls, result: Any) -> str:
        """Return the picture's title.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        str
            The title.
        """
        return cls.title

    @classmethod
    def sides(cls, result: Any) -> tuple[Axis, Axis]:
        """Return both axes, from corner to corner of the box.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        tuple of Axis
            x and y.
        """
        (left, bottom), (right, top) = result.box
        across, *up = result.quantities
        x = cls.x.along(across, float(left), float(right))
        if up:
            return x, cls.y.along(up[0], float(bottom), float(top))
        return x, cls.y._replace(label="(one coordinate only)", range=(float(bottom), float(top)), ticks={})
