"""Blocks that vote: a row of cells sorted by block mean, and the means themselves on a signed axis.

Blocks are random sets of rows, so they have no order along an axis of the points. The result has `estimate_at(row)`, a
MonkResult, `contaminated_blocks(row)`, `U` and its signed root `u_mmd`, and `truth`, which is None if it is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.types import Vector

from .axes import Axis, signed_log, signed_log_ticks, signed_value
from .mark import Box, Grounds, Marks, ReferenceLine, boxes, by, dots, rings, vertical_lines, words
from .picture import Picture, Sources, padded

HATCH = ("right_diagonal_line", 0.7, 9, 1.5)
FAINT = ("right_diagonal_line", 0.22, 10, 1)
GAP = 0.08  # gap between two cells, relative to a cell's width
U_HEIGHT, U_WORDS = -0.17, -0.35  # heights below the blocks of the U-statistic and of its text
TOPS = {"MONK": 1.2, "truth": 1.1}  # heights of the text above the blocks
MMD = Axis("MMD (signed log scale)", (-1, 1))
HEIGHTS = Axis("", (-0.44, 1.28), {U_HEIGHT: "U", 0.5: "median"})
MARGIN = 0.06  # margin on either side, relative to the picture's width


def on_axis(limit: float, values: Sequence[float] | Vector) -> Vector:
    """Return positions on a signed log axis; values beyond its ends are clipped to them.

    Parameters
    ----------
    limit : float
        The value at the axis's end.
    values : array_like
        The values.

    Returns
    -------
    ndarray
        The positions.
    """
    end = float(signed_log(limit))
    return np.clip(signed_log(values), -end, end)


def signed_axis(label: str, limit: float, below: float = 1.0) -> Axis:
    """Return a signed logarithmic axis.

    Parameters
    ----------
    label : str
        Its label.
    limit : float
        The value at its upper end.
    below : float, default 1
        Length of the side below 0, relative to that above.

    Returns
    -------
    Axis
        The axis.
    """
    end = float(signed_log(limit))
    return Axis(label, (-(below + MARGIN) * end, (1 + MARGIN) * end), signed_log_ticks(limit), number_at=signed_value)


def strip_at(result: Any, row: int) -> Sources:
    """Return the cells at a row of the slider, and the frame of the median one."""
    estimate, width = result.estimate_at(row), result.stops[-1]
    by_mean = np.argsort(estimate.block_values, kind="stable")
    bad, middle = result.contaminated_blocks(row)[by_mean], np.flatnonzero(by_mean == estimate.median_block)
    sizes = np.array([len(rows) for rows in estimate.blocks])
    ends = np.cumsum(sizes)
    edges = np.linspace(0, 1, len(sizes) + 1)
    left, right = edges[:-1] + GAP / 2 / len(sizes), edges[1:] - GAP / 2 / len(sizes)
    columns = {
        "clean": np.where(bad, np.nan, left),
        "bad": np.where(bad, left, np.nan),
        "right": right,
        "first": (ends - sizes)[by_mean],
        "end": ends[by_mean],
    }
    return {
        "cells": {name: padded(values, width) for name, values in columns.items()},
        "middle": {"left": left[middle], "right": right[middle]},
    }


@Picture(
    "strip",
    title="Blocks, in the order of their means",
    height=70,
    left_margin=20,
    x=Axis("", (-0.005, 1.005), {0.0: "smallest", 0.5: "median", 1.0: "largest"}, lines=False),
    y=Axis("", (0, 1), lines=False, bare=True),
    marks=(
        # a mark, because the theme removes the outlines of figures
        Box("kme", -0.004, 1.004, 0.99, 0.01, alpha=0.6),
        boxes("cells", "monk", "clean", "right", 0.88, 0.12, fill=0.3, alpha=0.8, inks=("line", "fill"),
              follows_slider=True, label="block"),
        boxes("cells", "outlier", "bad", "right", 0.88, 0.12, fill=0.08, alpha=0.8, hatch=HATCH,
              inks=("line", "fill", "hatch"), follows_slider=True, is_story_answer=True, label="block with an outlier"),
        boxes("middle", "monk", "left", "right", 0.96, 0.04, fill=0, width=3, inks=("line",), follows_slider=True,
              label="median block"),
        boxes("lit_cell", "truth", "left", "right", 0.88, 0.12, fill=0, width=2.5, inks=("line",), follows_slider=True),
    ),
    at_row=strip_at,
)  # fmt: skip
def strip_of_blocks(result: Any) -> Sources:
    """Draw blocks sorted by their means: those with an outlier hatched, the median one framed.

    The cell of a block has `first` and `end`: it contains the rows order[first:end] of the result's `order`.
    """
    return {"lit_cell": None}


def _estimate(source, role, dash, word):
    """Return an estimate's vertical line and its name above the blocks."""
    beside = {"dx": by("shift"), "align": by("align"), "follows_slider": True}
    return (
        vertical_lines(source, role, width=2, dash=dash, alpha=1.0, label=word),
        words(source, role, "x", TOPS["MONK"], says=word, **beside),
    )


BLOCK_MARKS: Marks = (
    Box("harm", -1e3, 0, U_HEIGHT - 0.09, U_HEIGHT + 0.09, fill=0.04, hatch=FAINT),
    vertical_lines("truth", width=2, dash="dotted", alpha=1.0, follows_slider=False, label="truth"),
    dots("pinned", "monk", marker="hex", size=9, alpha=0.35, fill=0.2, pinned=True),
    dots("values", "monk", marker="hex", size=9, fill=0.75, follows_slider=True, label="block",
         height_is_decorative=True),
    dots("bad_values", "outlier", marker="x", size=9, width=2.5, follows_slider=True, label="block with an outlier",
         height_is_decorative=True),
    rings("median", "monk", size=18, width=2.5, follows_slider=True, label="median block",
          height_is_decorative=True),
    rings("lit_mean", "truth", size=15, width=2.5, follows_slider=True),
    *_estimate("monk", "monk", "solid", "MONK"),
    *_estimate("fast", "monkfast", "dashed", "BCD-Fast"),
    words("truth", "truth", dx=by("shift"), align=by("align")),
    dots("U", "kme", marker="cross", size=16, width=3, follows_slider=True),
    words("U", "kme", "x", "below", align=by("align")),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class BlockMeans(Picture):
    """Means of the witness over the sorted blocks, with both estimates and the truth.

    A negative U-statistic has no root, which its row says.

    Parameters
    ----------
    limit : callable
        Takes the result and returns the value at the axis's end.
    beside_u : callable
        Takes the result and returns the text at the U-statistic.
    """

    title: str | Callable[[Any], str] = "Block means, in order"
    height: int = 260
    x: Axis = MMD
    y: Axis = HEIGHTS
    background: Grounds = (
        ReferenceLine("truth", x=0, style={"width": 1, "alpha": 0.5}),
        ReferenceLine("monk", y=0.5, style={"width": 1, "alpha": 0.5}),
    )
    marks: Marks = BLOCK_MARKS
    limit: Any = None
    beside_u: Any = None

    def __post_init__(self) -> None:
        self._derive(at_row=self.means_at)

    def compute(self, result: Any, *value: Any) -> Sources:
        limit = self.limit(result)
        (at,) = on_axis(limit, [result.u_mmd])
        end = float(signed_log(limit))
        # keeps the text inside the picture
        align = "left" if at < -0.5 * end else "right" if at > 0.6 * end else "center"
        u = {"x": at, "y": U_HEIGHT, "below": U_WORDS, "words": self.beside_u(result), "align": align}
        # Each text is on the outer side of its line, so that neither line crosses the other's text.
        sides = [("left", 5), ("right", -5)]
        above, other = sides if result.estimate.value >= (result.truth or 0.0) else sides[::-1]
        truth = {"x": float(signed_log(result.truth or 0.0)), "y": TOPS["truth"], "words": "truth"}
        truth |= dict(zip(("align", "shift"), other, strict=True))
        monk = {name: np.array([value]) for name, value in zip(("align", "shift"), above, strict=True)}
        known = slice(0, int(result.truth is not None))
        return {
            "U": {name: np.array([value]) for name, value in u.items()},
            "truth": {name: np.array([value])[known] for name, value in truth.items()},
            "monk": monk,
            "fast": dict(monk),
            "lit_mean": None,
        }

    def means_at(self, result: Any, row: int) -> Sources:
        """Return the columns at a row of the slider.

        Parameters
        ----------
        result : Result
            The result.
        row : int
            The row.

        Returns
        -------
        dict
            Source -> column -> array.
        """
        estimate, width, limit = result.estimate_at(row), result.stops[-1], self.limit(result)
        order = np.argsort(estimate.block_values, kind="stable")
        bad, middle = result.contaminated_blocks(row)[order], np.flatnonzero(order == estimate.median_block)
        heights, values = (np.arange(len(bad)) + 0.5) / len(bad), on_axis(limit, estimate.block_values[order])
        value, fast = on_axis(limit, [estimate.value]), result.lab.method == "bcd-fast"
        bad_heights = padded(heights, width)
        return {
            "values": {"x": padded(np.where(bad, np.nan, values), width), "y": padded(heights, width)},
            "bad_values": {"x": padded(np.where(bad, values, np.nan), width), "y": bad_heights},
            "median": {"x": values[middle], "y": heights[middle]},
            "monk": {"x": np.full(1, np.nan) if fast else value},
            "fast": {"x": value if fast else np.full(1, np.nan)},
        }

    def compute_pinned(self, result: Any) -> Sources:
        values = np.sort(result.estimate.block_values)
        return {"pinned": {"x": signed_log(values), "y": (np.arange(len(values)) + 0.5) / len(values)}}

    def fit(self, result: Any, *value: Any) -> tuple[Axis, Axis]:
        return signed_axis(self.x.label, self.limit(result)), self.y
