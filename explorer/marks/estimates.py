"""Estimates of one number, each in a separate row, relative to the truth on one signed axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .axes import Axis, signed_log, signed_log_ticks, signed_value
from .geometry import nothing
from .mark import Grounds, Marks, Numbers, ReferenceLine, dots, segments, vertical_lines, words
from .old_form import SecondaryPicture

NAMES, NUMBERS = 2.1, 1.35  # how far the picture extends on either side of 0, in units of the axis, for the text there


class Row(NamedTuple):
    """The row of an estimate.

    Attributes
    ----------
    called : str
        Its name.
    role : str
        The role that gives its colour.
    marker : str
        Its marker.
    """

    called: str
    role: str
    marker: str = "circle"


class Estimates(SecondaryPicture):
    """A row for each estimate: its name, a line from the truth to the estimate, and its number.

    A subclass has `rows`, name -> Row; `limit(result)`, the end of the axis; and `estimates(result)`, name -> (signed
    number on the axis, its text), which is empty while the picture is hidden. The result has `truth`, which is None if
    it is unknown.
    """

    answers = False  # the browser has no table for numbers in a text
    over = ""
    rows: ClassVar[Mapping[str, Row]] = {}
    marks: ClassVar[Marks]
    x: ClassVar[Axis]
    y: ClassVar[Axis]
    grounds: ClassVar[Grounds] = (ReferenceLine("truth", x=0, style={"width": 1, "alpha": 0.5}),)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        each = [
            mark
            for name, row in cls.rows.items()
            for mark in (
                segments(name, row.role, "from", "y", "x", "y", width=3, alpha=0.6),
                dots(name, row.role, size=11, marker=row.marker, width=2),
                words(name, row.role, "left", "y", "called"),
                words(name, row.role, "right", "y", align="right", label=row.called),
            )
        ]
        cls.marks = (
            vertical_lines("true", width=2, dash="dotted", alpha=1.0, follows_slider=False, label="truth"),
            *each,
        )
        cls.x, cls.y = Axis(cls.over, (-1, 1)), Axis("", (0.4 - len(cls.rows), 0.6), lines=False, bare=True)

    @staticmethod
    def limit(result: Any) -> float:
        """Return the end of the axis.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        float
            The end.
        """
        raise NotImplementedError

    @classmethod
    def estimates(cls, result: Any) -> dict[str, Any]:
        """Return (number, text) of each row.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        dict of str to tuple
            Name -> (number, text).
        """
        raise NotImplementedError

    @classmethod
    def numbers(cls, result: Any) -> Numbers:
        rows, end = cls.estimates(result), float(signed_log(cls.limit(result)))
        truth = 0.0 if result.truth is None else float(signed_log(result.truth))
        drawn = {"true": {"x": np.array([truth] if rows and result.truth is not None else [])}}
        for place, (name, line) in enumerate(cls.rows.items()):
            if name not in rows:
                blank = {"called": np.zeros(0, dtype=str), "words": np.zeros(0, dtype=str)}
                drawn[name] = {**nothing("x", "from", "left", "right", "y"), **blank}
                continue
            value, said = rows[name]
            at = {"x": np.clip(float(signed_log(value)), -end, end), "from": truth, "y": -float(place)}
            beside = {"left": -NAMES * end, "called": line.called, "right": NUMBERS * end, "words": said}
            drawn[name] = {column: np.array([each]) for column, each in {**at, **beside}.items()}
        return drawn

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        limit = cls.limit(result)
        end = float(signed_log(limit))
        return (
            cls.title,
            Axis(cls.over, (-NAMES * end, NUMBERS * end), signed_log_ticks(limit), number_at=signed_value),
            cls.y,
        )
