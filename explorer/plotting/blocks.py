"""Results of the median of means over blocks: MONK's iterations and block means, and Lepski's choice of blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal, echo
from explorer.marks import Axis, Columns, chart, curve, dots, horizontal_lines, segments, vertical_lines

from .drawings import Drawing

if TYPE_CHECKING:
    from explorer.discrepancy import LepskiResult, MonkResult, MonkStep


QUANTITIES = ("history", "blocks")


def of_monk(result: MonkResult, quantity: str = "history", label: str = "") -> Drawing:
    """Draw the median after each iteration with the estimate, or the last partition's block means.

    Parameters
    ----------
    result : MonkResult
        The result of `monk_mmd`.
    quantity : {"history", "blocks"}, default "history"
        What is drawn.
    label : str, default ""
        The label in the legend.

    Returns
    -------
    drawing : Drawing
        The curve or the stems.
    """
    if quantity not in QUANTITIES:
        raise Refusal(f"quantity must be 'history' or 'blocks', not {echo(quantity)}.")
    if quantity == "history":
        return _history(result, label)
    means, middle = result.block_values, result.median_block
    return _means(means, middle, label, f"The means of {len(means)} blocks, last partition")


def of_step(step: MonkStep, label: str = "") -> Drawing:
    """Draw the block means after one of `monk_steps` as stems, with the median that was chosen before it."""
    value = f"lower median {step.value:.4g}"
    return _means(step.after, step.median_block, label, f"Means of {len(step.after)} blocks after the step, {value}")


def _history(result, label):
    word = "partition" if result.method == "direction" else "iteration"
    steps = np.arange(1, len(result.history) + 1)
    marks = [
        curve(Columns(x=steps, y=result.history), "monk", width=1.5, label=label or "after each", hover={}),
        horizontal_lines(Columns(y=np.array([result.value])), "truth", width=3, label=f"estimate {result.value:.4g}"),
    ]
    y = Axis("median of the block means", name="median")
    title = f"MONK's MMD = {result.value:.4g} from {len(result.blocks)} blocks"
    return Drawing(chart(title, Axis(word, name="step"), y, marks))


def _means(means, middle, label, title):
    numbers = np.arange(1, len(means) + 1)
    of_median = Columns(x=numbers[[middle]], y=np.asarray(means)[[middle]])
    marks = [
        segments(
            Columns(x=numbers, y=means),
            "monk",
            y=0,
            to_y="y",
            width=4,
            alpha=0.7,
            label=label or "block means",
            hover={},
        ),
        dots(of_median, "truth", size=11, label=f"median block, {means[middle]:.4g}"),
    ]
    x, y = Axis("block", name="block"), Axis("mean of the witness", name="mean")
    return Drawing(chart(title, x, y, marks))


def of_lepski(result: LepskiResult) -> Drawing:
    """Draw the estimate with its interval for each number of blocks, and the chosen number."""
    middle, half = (np.asarray(each, dtype=float) for each in (result.estimates, result.halfwidths))
    intervals = Columns(x=result.candidates, y=middle, half=half, low=middle - half, high=middle + half)
    marks = [
        segments(intervals, "monk", width=1.5, half="half"),
        dots(intervals, "monk", label="estimate and interval", hover={}),
        vertical_lines(
            Columns(x=np.array([result.blocks])),
            width=2,
            dash="dashed",
            alpha=1.0,
            label=f"Q = {result.blocks} chosen",
            follows_slider=False,
        ),
    ]
    title = f"Lepski's method takes Q = {result.blocks}; Q = {result.advised} is advised"
    return Drawing(chart(title, Axis("blocks Q", name="blocks"), Axis("MMD", name="estimate"), marks))
