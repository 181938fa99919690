"""Results of the median of means over blocks: MONK's iterations and block means, and Lepski's choice of blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal, echo

from .style import dimension, holoviews, of_arrays, overlay, styled, tint

if TYPE_CHECKING:
    from explorer.discrepancy import LepskiResult, MonkResult, MonkStep


QUANTITIES = ("history", "blocks")


def of_monk(result: MonkResult, quantity: str = "history", label: str = "") -> Any:
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
    overlay : holoviews.Overlay
        The curve or the stems.
    """
    if quantity not in QUANTITIES:
        raise Refusal(f"quantity must be 'history' or 'blocks', not {echo(quantity)}.")
    if quantity == "history":
        return _history(result, label)
    means, middle = result.block_values, result.median_block
    return _means(means, middle, label, f"The means of {len(means)} blocks, last partition")


def of_step(step: MonkStep, label: str = "") -> Any:
    """Draw the block means after one of `monk_steps` as stems, with the median that was chosen before it."""
    value = f"lower median {step.value:.4g}"
    return _means(step.after, step.median_block, label, f"Means of {len(step.after)} blocks after the step, {value}")


def _history(result, label):
    hv = holoviews()
    word = "partition" if result.method == "direction" else "iteration"
    y, steps = dimension("median of the block means", "median"), np.arange(1, len(result.history) + 1)
    curve = of_arrays(
        hv.Curve, (steps, result.history), kdims=[dimension(word, "step")], vdims=[y], label=label or "after each"
    )
    line = of_arrays(hv.HLines, [result.value], kdims=[y], label=f"estimate {result.value:.4g}")
    elements = [
        styled(curve, color=tint("monk"), line_width=1.5, tools=["hover"]),
        styled(line, color=tint("truth"), line_width=3),
    ]
    return overlay(elements, f"MONK's MMD = {result.value:.4g} from {len(result.blocks)} blocks")


def _means(means, middle, label, title):
    hv = holoviews()
    axes = {"kdims": [dimension("block", "block")], "vdims": [dimension("mean of the witness", "mean")]}
    numbers = np.arange(1, len(means) + 1)
    stems = of_arrays(hv.Spikes, (numbers, means), label=label or "block means", **axes)
    median = of_arrays(
        hv.Scatter, ([numbers[middle]], [means[middle]]), label=f"median block, {means[middle]:.4g}", **axes
    )
    elements = [
        styled(stems, color=tint("monk"), line_width=4, line_alpha=0.7, tools=["hover"]),
        styled(median, color=tint("truth"), size=11),
    ]
    return overlay(elements, title)


def of_lepski(result: LepskiResult) -> Any:
    """Draw the estimate with its interval for each number of blocks, and the chosen number."""
    hv = holoviews()
    x, y = dimension("blocks Q", "blocks"), dimension("MMD", "estimate")
    half = dimension("half interval", "half")
    bars = of_arrays(hv.ErrorBars, (result.candidates, result.estimates, result.halfwidths), kdims=[x], vdims=[y, half])
    dots = of_arrays(
        hv.Scatter, (result.candidates, result.estimates), kdims=[x], vdims=[y], label="estimate and interval"
    )
    chosen = of_arrays(hv.VLines, [result.blocks], kdims=[x], label=f"Q = {result.blocks} chosen")
    elements = [
        styled(bars, line_color=tint("monk"), line_width=1.5),
        styled(dots, color=tint("monk"), size=6, tools=["hover"]),
        styled(chosen, color=tint("truth"), line_dash="dashed", line_width=2),
    ]
    return overlay(elements, f"Lepski's method takes Q = {result.blocks}; Q = {result.advised} is advised")
