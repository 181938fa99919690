"""Marks of the Marginalized lab's third estimate: its loss over σ, and the ellipses of its noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.marks import Marks, SliderColumn, by, curve, dots, rings, words
from explorer.marks.geometry import AROUND
from explorer.marks.losses import LOSS
from explorer.marks.mark import Numbers
from explorer.types import Vector

from .words import third_name

if TYPE_CHECKING:
    from explorer.labs.marginalized.result import MarginalizedResult


# Below the loss LOWEST there is no space for a label. It then moves to where the curve rises above RISES.
LOWEST, RISES = 0.3, 0.6
LETTER = 7.2  # the width of one of the label's letters in px
ELLIPSES = 8  # only the first points have ellipses: more would merge into one blot


LOSS_MARKS: Marks = (
    curve("third", "shaped", "sigma", "score", width=1.5, dash="dotted", label="leave-one-out score"),
    curve("third", "shaped", "sigma", "loss", width=2.5, dash="dotdash", is_story_answer=True, label=third_name),
    words("third_label", "shaped", says=third_name, px=12, bold=True, dx=by("across"), dy=by("up"),
          align="center", is_story_answer=True),
    dots("third_dots", "shaped", marker="diamond", size=by("size"), width=2, follows_slider=True, is_story_answer=True,
         label=("chosen, or given", "")),
)  # fmt: skip

SAMPLE_MARKS: Marks = (
    curve("outlines", "shaped", width=1.5, follows_slider=True, label="noise of the third estimate"),
    curve("ellipse", "shaped", width=2.5, follows_slider=True, label="one ellipse, to drag"),
    rings("axes", "shaped", size=12, width=3, follows_slider=True, label="ends of its axes"),
)


def on_the_loss(result: MarginalizedResult, stops: Vector, sigmas: tuple[float, float]) -> Numbers:
    """Return the sources of LOSS_MARKS over the slider's stops, dots within `sigmas`; none without an estimate."""
    third = result.third
    if third is None:
        return {}
    path = third.path
    height, blank = path.height, np.full(len(stops), np.nan)
    x = np.column_stack([np.full(len(height), path.chosen), path.sigmas])
    y = np.column_stack([np.full(len(height), height[-1]), height])
    return {
        "third": {"sigma": stops, "score": path.score[:-1], "loss": blank if path.loss is None else path.loss[:-1]},
        "third_label": _label(stops, height[:-1], third_name(result)),
        "third_dots": {
            "x": SliderColumn(np.clip(x, *sigmas)),
            "y": SliderColumn(np.clip(y, *LOSS.range)),
            "size": np.array([13.0, 8.0]),
        },
    }


def _label(stops, height, name):
    """Return the position of the curve's label: below its least loss, or on its rise if that loss is near the edge."""
    least = int(np.argmin(height))
    rises = np.flatnonzero(height[least:] >= RISES)
    if height[least] >= LOWEST or not len(rises):
        at, across, up = least, 0.0, 17.0
    else:
        at, across, up = least + int(rises[0]), 9 + LETTER / 2 * len(name), 0.0
    place = {"x": stops[at], "y": min(height[at], LOSS.range[1]), "across": across, "up": up}
    return {column: np.array([float(value)]) for column, value in place.items()}


def on_the_sample(result: MarginalizedResult) -> Numbers:
    """Return the sources of SAMPLE_MARKS: one standard deviation of the noise, around the first points or the mean."""
    third, rows = result.third, len(result.mkme.sigmas)
    if third is None or third.shapes is None or result.X.shape[1] < 2:
        return {}
    s = third.path.sigmas * result.unit
    circle = np.array([np.cos(AROUND), np.sin(AROUND)])
    if third.axes is None:
        shapes = np.broadcast_to(third.shapes, (len(result.X), *third.shapes.shape[-2:]))[:ELLIPSES, :2, :2]
        turned = np.linalg.cholesky(shapes + 1e-12 * np.eye(2)) @ circle  # shape (count, 2, around)
        gaps = np.full((len(turned), 2, 1), np.nan)
        around = np.concatenate([turned, gaps], axis=2)
        at = result.X[: len(around), :2, None]
        places = at + s[:, None, None, None] * around
        return {"outlines": _rows(places.transpose(0, 2, 1, 3).reshape(rows, 2, -1), result)}
    ends = ends_of(third.axes)
    middle = result.X.mean(axis=0)[:2]
    around = middle[:, None] + s[:, None, None] * (ends.T @ circle)
    at = middle[:, None] + s[:, None, None] * ends.T
    low, high = (corner[:2, None] for corner in result.box)
    ends = np.clip(at, low, high)  # the ends stay inside the frame, where a pointer can reach them
    return {
        "ellipse": _rows(around, result),
        "axes": {"x": SliderColumn(ends[:, 0]), "y": SliderColumn(ends[:, 1])},
    }


def ends_of(axes: tuple[float, float, float]) -> Any:
    """Return the ends of an ellipse's long and short axes, a row each, shape (2, 2), from (long, across, tilt)."""
    long, across, tilt = axes
    angle = np.radians(tilt)
    return np.array([[long * np.cos(angle), long * np.sin(angle)], [-across * np.sin(angle), across * np.cos(angle)]])


def _rows(places, result):
    """Return points, shape (r, 2, length), as columns, nan outside the frame.

    No line may end inside the layer of marks that follow the slider.
    """
    low, high = (corner[:2, None] for corner in result.box)
    within = ((places >= low) & (places <= high)).all(axis=1)
    return {name: SliderColumn(np.where(within, places[:, k], np.nan)) for k, name in enumerate("xy")}
