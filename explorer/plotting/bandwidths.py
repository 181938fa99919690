"""MMD² by bandwidth, as `bandwidth_curve` returns it: the statistic with its threshold, or the p-values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal, echo
from explorer.discrepancy import TestResult
from explorer.kernels import Gaussian
from explorer.marks import Axis, Columns, chart, curve, horizontal_lines

from .axes import axis_of
from .drawings import Drawing
from .intervals import WIDE, decades

if TYPE_CHECKING:
    from explorer.discrepancy import BandwidthCurve


QUANTITIES = ("statistic", "p")


def of_bandwidths(result: BandwidthCurve, level: float = 0.05, quantity: str = "statistic") -> Drawing:
    """Draw the statistic and the threshold of each bandwidth's own test, or the p-values and the level.

    Parameters
    ----------
    result : BandwidthCurve
        The result of `bandwidth_curve`.
    level : float, default 0.05
        The level of the thresholds.
    quantity : {"statistic", "p"}, default "statistic"
        What is drawn.

    Returns
    -------
    drawing : Drawing
        The curves.

    Notes
    -----
    Each threshold and each p belongs to its bandwidth alone: the least of many p-values is not a p-value.
    """
    if quantity not in QUANTITIES:
        raise Refusal(f"quantity must be 'statistic' or 'p', not {echo(quantity)}.")
    order = np.argsort(result.bandwidths, kind="stable")
    x = result.bandwidths[order]
    across = axis_of(Gaussian.fields["bandwidth"], "bandwidth", log=decades(x, WIDE))
    sizes = f"n = {result.n}, m = {result.m}"
    if quantity == "p":
        marks = [
            curve(Columns(x=x, y=result.pvalue[order]), "kme", label="p of each bandwidth alone", hover={}),
            horizontal_lines(Columns(y=np.array([level])), "harm", width=2, dash="dashed", label=f"level {level:g}"),
        ]
        p = Axis("p-value", name="p", log=True)
        return Drawing(chart(f"p over the bandwidth, {sizes}", across, p, marks))
    thresholds = np.array([_test(result, i).threshold(level) for i in order])
    marks = [curve(Columns(x=x, y=result.statistic[order]), "truth", label="observed", hover={})]
    if np.isfinite(thresholds).all():
        label = f"threshold at level {level:g}"
        marks.append(curve(Columns(x=x, y=thresholds), "harm", width=2, dash="dashed", label=label, hover={}))
    else:
        sizes += f", too few permutations for level {level:g}"
    mmd2 = Axis("MMD²", name="statistic")
    return Drawing(chart(f"MMD² over the bandwidth, {sizes}", across, mmd2, marks))


def _test(curve, i):
    """Return the TestResult of one bandwidth."""
    name, kernel = "MMD²", Gaussian(float(curve.bandwidths[i]))
    return TestResult(curve.statistic[i], curve.null[:, i], name, kernel, curve.n, curve.m)
