"""Pictures of two samples with their witness: in the plane of two coordinates, or along the line of a single one.

A result has `samples` (X, Y, pooled, names, quantities and touched); `frame`, the corners of what is shown; `places`,
the points at which the witness is drawn; and `trials`, whose `witness` (r, g) and `heights` (r, n + m) are its values
there and at the pooled points, one row or one for each stop of the slider.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.languages import translate
from explorer.printing import length_of, short_name, short_names, value_of
from explorer.types import Vector

from .axes import Axis
from .geometry import ground, to_one
from .mark import Numbers, ReferenceLine, SliderColumn, area, curve, dots, field_of, rings
from .picture import Picture, Sources
from .roles import LESS, MORE

UP, DOWN = 1.22, -1.22  # heights of the points of P and of Q if they have one coordinate
TITLE = "P and Q, shaded by which has more"
HEIGHT = 440
FRAME = Axis("", (-1, 1))
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
    means = translate(" and ").join(value_of(of, Z.mean()) for Z in both)
    spreads = translate(" and ").join(length_of(of, Z.std()) for Z in both)
    return translate(
        "Along {} the means are {}, the standard deviations {}. The witness is highest at {} and lowest at {}.",
        short_name(samples.names[0]),
        means,
        spreads,
        rows[int(heights.argmax())],
        rows[int(heights.argmin())],
    )


def in_plane(result: Any) -> bool:
    """Return whether there are at least two coordinates."""
    return len(result.samples.names) > 1


def witness_plane(lines: int) -> Picture:
    """Return the picture of the samples' first two coordinates, with the witness as background.

    Each axis fits the points, whatever its unit.

    Parameters
    ----------
    lines : int
        The image's number of lines.

    Returns
    -------
    Picture
        The picture.
    """

    @Picture(
        slot="sample",
        title=TITLE,
        height=HEIGHT,
        x=FRAME,
        y=FRAME,
        sides=plane_sides,
        when=in_plane,
        marks=(field_of("field", "ground", lines, label="witness"), *_points(flat=False)),
        description=witness_words,
    )
    def plane(result: Any) -> Sources:
        across = len(result.places) // lines
        there = ground(result.places[:across, 0], result.places[::across, 1])
        return {**samples(result), "ground": there, "field": {"w": SliderColumn(to_one(result.trials.witness))}}

    return plane


def plane_sides(result: Any) -> tuple[Axis, Axis]:
    """Return both axes, along the first two columns."""
    (left, bottom), (right, top) = result.frame
    first, second = result.samples.quantities[:2]
    return FRAME.along(first, left, right), FRAME.along(second, bottom, top)


def line_sides(result: Any) -> tuple[Axis, Axis]:
    """Return both axes, the first one along the column."""
    (low,), (high,) = result.frame
    return FRAME.along(result.samples.quantities[0], low, high), witness_line.y


@Picture(
    "line",
    slot="sample",
    title=TITLE,
    height=HEIGHT,
    x=FRAME,
    y=Axis("witness, scaled to at most 1", (-1.5, 1.5), {DOWN: "Q", -1: "", 0: "0", 1: "", UP: "P"}),
    sides=line_sides,
    when=lambda result: not in_plane(result),
    background=(ReferenceLine("kme", y=0, style={"width": 1.5}),),
    marks=(
        area("curve", MORE, high="up", follows_slider=True),
        area("curve", LESS, high="down", follows_slider=True),
        curve("curve", "kme", "x", "w", follows_slider=True, label="witness"),
        *_points(flat=True),
    ),
    description=witness_words,
)
def witness_line(result: Any) -> Sources:
    """Draw samples of one coordinate, above and below their witness."""
    w = to_one(result.trials.witness)
    parts = {"w": w, "up": np.maximum(w, 0.0), "down": np.minimum(w, 0.0)}
    columns = {name: SliderColumn(y) for name, y in parts.items()}
    return {**samples(result), "curve": {"x": result.places[:, 0], **columns}}


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
