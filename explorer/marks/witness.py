"""Pictures of two samples with their witness: in the plane of two coordinates, or along the line of a single one.

A result has `samples` (X, Y, pooled, names, quantities and touched); `frame`, the corners of what is shown; `places`,
the points at which the witness is drawn; and `trials`, whose `witness` (r, g) and `heights` (r, n + m) are its values
there and at the pooled points, one row or one for each stop of the slider.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from explorer.printing import length_of, short_name, short_names, value_of
from explorer.types import Vector

from .axes import Axis
from .geometry import ground, nothing, to_one
from .mark import Grounds, Marks, Numbers, ReferenceLine, SliderColumn, area, curve, dots, field_of, rings
from .old_form import Picture
from .roles import LESS, MORE

UP, DOWN = 1.22, -1.22  # heights of the points of P and of Q if they have one coordinate
TITLE = "P and Q, shaded by which has more"
HEIGHT = 440
EDGE = 0.015  # points beyond the frame are drawn at this distance from its edge, relative to the axis


def _points(flat):
    """Return both samples, and the marks of special points; on a line their heights have no meaning."""
    return (
        dots(
            "P",
            "first",
            size=7,
            fill=0.85,
            width=0.5,
            follows_slider=True,
            label=lambda result: _name(result, 0),
            height_is_decorative=flat,
        ),
        rings(
            "Q",
            "second",
            size=7,
            width=1.8,
            follows_slider=True,
            label=lambda result: _name(result, 1),
            height_is_decorative=flat,
        ),
        rings(
            "extremes",
            "truth",
            size=17,
            width=2,
            follows_slider=True,
            label="extremes of the witness",
            height_is_decorative=flat,
        ),
        dots(
            "touched",
            "outlier",
            marker="x",
            size=14,
            width=2,
            follows_slider=True,
            label="outlier or moved",
            height_is_decorative=flat,
        ),
    )


def _name(result, side):
    """Return a sample's short name."""
    return short_names(result.samples.called)[side]


def samples(result: Any) -> Numbers:
    """Return source -> column -> array or SliderColumn of both samples."""
    x, y = positions(result)
    parts = {"P": slice(len(result.samples.X)), "Q": slice(len(result.samples.X), None)}
    parts["touched"] = result.samples.touched
    heights = result.trials.heights
    ends = np.column_stack([np.argmax(heights, axis=1), np.argmin(heights, axis=1)])
    drawn = {name: {"x": x[rows], "y": y[rows]} for name, rows in parts.items()}
    return {**drawn, "extremes": {"x": SliderColumn(x[ends]), "y": SliderColumn(y[ends])}}


def witness_words(result: Any) -> str:
    """Return sentences on the samples along their first column, and on the witness's extremes.

    Parameters
    ----------
    result : Result
        The result.

    Returns
    -------
    str
        The sentences.
    """
    samples = result.samples
    of, rows, heights = samples.quantities[0], samples.rows, result.trials.heights
    heights = heights[min(result.row, len(heights) - 1)]
    both = [Z[:, 0] for Z in (samples.X, samples.Y)]
    means = " and ".join(value_of(of, Z.mean()) for Z in both)
    spreads = " and ".join(length_of(of, Z.std()) for Z in both)
    return (
        f"Along {short_name(samples.names[0])} the means are {means}, the standard deviations {spreads}. The witness is"
        f" highest at {rows[int(heights.argmax())]} and lowest at {rows[int(heights.argmin())]}."
    )


class WitnessPlane(Picture):
    """The first two coordinates of the samples, with the witness as background; `lines` is the image's number of lines.

    Each axis fits the points, whatever its unit.
    """

    name = "plane"
    place = "sample"
    title = TITLE
    height = HEIGHT
    lines = 0
    x: ClassVar[Axis] = Axis("", (-1, 1))
    y: ClassVar[Axis] = Axis("", (-1, 1))
    marks: ClassVar[Marks]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.marks = (field_of("field", "ground", cls.lines, label="witness"), *_points(flat=False))

    says: ClassVar[Callable[[Any], str]] = staticmethod(witness_words)

    @classmethod
    def numbers(cls, result: Any) -> Numbers:
        if not in_plane(result):
            nowhere, blank = nothing("x", "y", "dw", "dh"), np.zeros((len(result.tests), 0))
            return {**samples(result), "ground": nowhere, "field": {"w": SliderColumn(blank)}}
        across = len(result.places) // cls.lines
        there = ground(result.places[:across, 0], result.places[::across, 1])
        return {**samples(result), "ground": there, "field": {"w": SliderColumn(to_one(result.trials.witness))}}

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        if not in_plane(result):
            return cls.title, cls.x, cls.y
        (left, bottom), (right, top) = result.frame
        first, second = result.samples.quantities[:2]
        return cls.title, cls.x.along(first, left, right), cls.y.along(second, bottom, top)

    @classmethod
    def is_visible(cls, result: Any) -> bool:
        return in_plane(result)


class WitnessLine(Picture):
    """Samples of one coordinate, above and below their witness."""

    name = "line"
    place = "sample"
    title = TITLE
    height = HEIGHT
    x: ClassVar[Axis] = Axis("", (-1, 1))
    y: ClassVar[Axis] = Axis("witness, scaled to at most 1", (-1.5, 1.5), {DOWN: "Q", -1: "", 0: "0", 1: "", UP: "P"})
    grounds: ClassVar[Grounds] = (ReferenceLine("kme", y=0, style={"width": 1.5}),)
    marks: ClassVar[Marks] = (
        area("curve", MORE, high="up", follows_slider=True),
        area("curve", LESS, high="down", follows_slider=True),
        curve("curve", "kme", "x", "w", follows_slider=True, label="witness"),
        *_points(flat=True),
    )

    says: ClassVar[Callable[[Any], str]] = staticmethod(witness_words)

    @classmethod
    def numbers(cls, result: Any) -> Numbers:
        x = np.zeros(0) if in_plane(result) else result.places[:, 0]
        w = to_one(np.zeros((len(result.tests), 0)) if in_plane(result) else result.trials.witness)
        parts = {"w": w, "up": np.maximum(w, 0.0), "down": np.minimum(w, 0.0)}
        return {**samples(result), "curve": {"x": x, **{name: SliderColumn(y) for name, y in parts.items()}}}

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        if in_plane(result):
            return cls.title, cls.x, cls.y
        (low,), (high,) = result.frame
        return cls.title, cls.x.along(result.samples.quantities[0], low, high), cls.y

    @classmethod
    def is_visible(cls, result: Any) -> bool:
        return not in_plane(result)


def in_plane(result: Any) -> bool:
    """Return whether there are at least two coordinates."""
    return len(result.samples.names) > 1


def positions(result: Any) -> tuple[Vector, Vector]:
    """Return the positions of the pooled points, clipped to the frame."""
    P, (low, high) = result.samples.pooled, result.frame
    inside = EDGE * (high - low)
    drawn = np.clip(P[:, : len(low)], low + inside, high - inside)
    if in_plane(result):
        return drawn[:, 0], drawn[:, 1]
    # In one dimension the height has no meaning. Golden-ratio steps separate neighbours of the sample.
    rows = np.arange(len(P))
    jitter = np.asarray(0.16 * ((rows * 0.6180339887) % 1 - 0.5), dtype=float)
    return drawn[:, 0], np.where(rows < len(result.samples.X), UP, DOWN) + jitter
