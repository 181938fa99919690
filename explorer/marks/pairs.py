"""Pairs (x, y) on a canvas to which the user can add more: drawn, moved, added and permuted ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from explorer.types import Rows, Vector

from .axes import Axis
from .geometry import ground
from .mark import Marks, dots, field_of, rings
from .picture import Picture, Sources

BY_ROW = "The pairs and their cross-covariance"
BY_GRAM = "The pairs, along principal axes"
X, Y = Axis("x", (-1, 1)), Axis("y", (-1, 1))


def pairs_marks(lines: int, function: str) -> Marks:
    """Return the marks of pairs on an image: drawn, moved, added and permuted ones.

    The lab has `selected`, the number of the selected added pair, from 1; 0 for none.

    Parameters
    ----------
    lines : int
        The image's number of lines.
    function : str
        The image's label.

    Returns
    -------
    tuple of Mark
        The marks.
    """
    return (
        field_of("field", "ground", lines, label=function),
        rings("shuffled", "monkfast", size=6, width=1.4, follows_slider=True, label="permuted"),
        dots("sample", "fkmse", size=7, fill=0.85, width=0.5, follows_slider=True, label="pair"),
        dots("moved", "outlier", marker="x", size=12, width=2, follows_slider=True, label="moved"),
        dots("placed", "outlier", marker="x", size=12, width=2, follows_slider=True, label="added by hand"),
        rings("chosen", "truth", size=18, width=2, follows_slider=True, label="selected"),
    )


def pairs_sources(result: Any) -> Sources:
    """Return the sources of these marks, without the image.

    Parameters
    ----------
    result : Result
        It has `pairs`, and `order`, the permutation of y, or None.

    Returns
    -------
    dict
        Source -> column -> array.
    """
    pairs, selected = result.pairs, result.lab.selected
    points, drawn = inside(pairs, pairs.X[:, 0], pairs.Y[:, 0]), pairs.drawn
    chosen = slice(drawn + selected - 1, drawn + selected) if selected else slice(0, 0)
    anew = result.order
    return {
        "ground": ground(*pairs.axes),
        "sample": part(points, slice(0, drawn)),
        "placed": part(points, slice(drawn, None)),
        "moved": part(points, pairs.moved),
        "chosen": part(points, chosen),
        "shuffled": None if anew is None else inside(pairs, pairs.X[:, 0], pairs.Y[anew, 0]),
    }


# A picture of pairs on a canvas that covers their source, with the columns' names.
PairsPlane = partial(
    Picture,
    title=lambda result: BY_GRAM if result.lab.by_gram[0] else BY_ROW,
    height=400,
    x=X,
    y=Y,
    sides=lambda result: over_pairs(result.pairs, X, Y),
)


def over_pairs(pairs: Any, x: Axis, y: Axis) -> tuple[Axis, Axis]:
    """Return the axes x and y of the pairs' source, for their columns."""
    sides = zip((x, y), pairs.ends, pairs.on_axes, strict=True)
    across, up = (axis.along(column, *map(float, ends)) for axis, ends, column in sides)
    return across, up


def inside(pairs: Any, x: Vector, y: Vector) -> dict[str, Vector]:
    """Return the positions of pairs, clipped to the picture."""
    return {"x": np.clip(x, *pairs.ends[0]), "y": np.clip(y, *pairs.ends[1])}


def part(points: Mapping[str, Vector], rows: Rows | slice) -> dict[str, Vector]:
    """Return some of the points {"x", "y"}."""
    return {name: values[rows] for name, values in points.items()}
