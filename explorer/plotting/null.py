"""A test's result: its null distribution, the observed statistic and the threshold of a level."""

from __future__ import annotations

import math

import numpy as np

from explorer import checks

from .style import dimension, holoviews, overlay, styled, tint


def of_test(result, level=0.05, bins=None):
    """An Overlay of the null distribution's bars, those that reach the statistic, the statistic and the threshold.

    Bars are shares of all resamples. A threshold that no value reaches, with too few resamples for the level, is not
    drawn, and its absence is told in the title.
    """
    hv, threshold = holoviews(), result.threshold(level)
    null, total = result.null_distribution, len(result.null_distribution)
    edges = _edges(null, bins)
    statistic = dimension(result.name.removeprefix("the "), "statistic")
    share = dimension(f"share of the {result.resamples}", "share")

    def bars(values, label):
        shares = np.histogram(values, edges)[0] / total
        return hv.Histogram((edges, shares), kdims=[statistic], vdims=[share], label=label)

    def line(value, label):
        return hv.VLines([value], kdims=[statistic], label=label)

    reaching = result.reaching
    kme, harm, truth = tint("kme"), tint("harm"), tint("truth")
    elements = [
        styled(
            bars(null, f"{total} {result.resamples}"),
            fill_color=kme,
            fill_alpha=0.55,
            line_color=kme,
            line_alpha=0.5,
            line_width=0.5,
        ),
        styled(
            bars(null[reaching], f"{np.count_nonzero(reaching)} at least as large"),
            fill_color=harm,
            fill_alpha=0.9,
            line_color=harm,
            line_width=0.5,
        ),
    ]
    if math.isfinite(threshold):
        name = f"threshold at level {level:g}"
        elements.append(styled(line(threshold, name), color=harm, line_dash="dashed", line_width=2))
    observed = line(result.statistic, f"observed {result.statistic:.4g}")
    elements.append(styled(observed, color=truth, line_width=3))
    few = "" if math.isfinite(threshold) else f", too few {result.resamples} for level {level:g}"
    return overlay(elements, f"p = {result.pvalue:.3g}{few}")


def _edges(values, bins):
    """The ends of the bars, evenly spaced over all values; one bar where rounding alone tells these apart."""
    low, high = float(values.min()), float(values.max())
    bins = max(5, min(50, math.isqrt(len(values)))) if bins is None else checks.whole(bins, "bins", 1)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        wide = 0.05 * abs(low) or 0.5
        return np.array([low - wide, low + wide])
    return np.linspace(low, high, bins + 1)
