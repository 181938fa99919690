"""Estimates of one number, each in a separate row, relative to the truth on one signed axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from .axes import Axis, signed_log, signed_log_ticks, signed_value
from .mark import Grounds, ReferenceLine, dots, segments, vertical_lines, words
from .picture import SecondaryPicture, Sources

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


@dataclass(frozen=True, eq=False)
class Estimates(SecondaryPicture):
    """A row for each estimate: its name, a line from the truth to the estimate, and its number.

    The result has `truth`, which is None if it is unknown.

    Parameters
    ----------
    over : str
        Label of the axis.
    rows : mapping
        Name -> Row.
    limit : callable
        Takes the result and returns the end of the axis.
    estimates : callable
        Takes the result and returns name -> (signed number on the axis, its text); empty while the picture is hidden.
    """

    table_is_complete: bool = False  # the browser has no table for numbers in a text
    background: Grounds = (ReferenceLine("truth", x=0, style={"width": 1, "alpha": 0.5}),)
    over: str = ""
    rows: Mapping[str, Row] = field(default_factory=dict)
    limit: Any = None
    estimates: Any = None

    def __post_init__(self) -> None:
        each = [
            mark
            for name, row in self.rows.items()
            for mark in (
                segments(name, row.role, "from", "y", "x", "y", width=3, alpha=0.6),
                dots(name, row.role, size=11, marker=row.marker, width=2),
                words(name, row.role, "left", "y", "called"),
                words(name, row.role, "right", "y", align="right", label=row.called),
            )
        ]
        truth = vertical_lines("true", width=2, dash="dotted", alpha=1.0, follows_slider=False, label="truth")
        y = Axis("", (0.4 - len(self.rows), 0.6), lines=False, bare=True)
        self._derive(marks=(truth, *each), x=Axis(self.over, (-1, 1)), y=y)

    def compute(self, result: Any, *value: Any) -> Sources:
        rows, end = self.estimates(result), float(signed_log(self.limit(result)))
        truth = 0.0 if result.truth is None else float(signed_log(result.truth))
        drawn = {"true": {"x": np.array([truth] if rows and result.truth is not None else [])}}
        for place, (name, line) in enumerate(self.rows.items()):
            if name in rows:
                number, said = rows[name]
                at = {"x": np.clip(float(signed_log(number)), -end, end), "from": truth, "y": -float(place)}
                beside = {"left": -NAMES * end, "called": line.called, "right": NUMBERS * end, "words": said}
                drawn[name] = {column: np.array([each]) for column, each in {**at, **beside}.items()}
        return drawn

    def fit(self, result: Any, *value: Any) -> tuple[Axis, Axis]:
        limit = self.limit(result)
        end = float(signed_log(limit))
        ends = (-NAMES * end, NUMBERS * end)
        return Axis(self.over, ends, signed_log_ticks(limit), number_at=signed_value), self.y
