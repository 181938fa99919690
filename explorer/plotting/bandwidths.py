"""MMD² by bandwidth, as `bandwidth_curve` returns it: the statistic with its threshold, or the p-values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal, echo
from explorer.discrepancy import TestResult
from explorer.kernels import Gaussian

from .intervals import WIDE, decades
from .style import dimension, holoviews, of_arrays, overlay, styled, tint

if TYPE_CHECKING:
    from explorer.discrepancy import BandwidthCurve


QUANTITIES = ("statistic", "p")


def of_bandwidths(curve: BandwidthCurve, level: float = 0.05, quantity: str = "statistic") -> Any:
    """Draw the statistic and the threshold of each bandwidth's own test, or the p-values and the level.

    Parameters
    ----------
    curve : BandwidthCurve
        The result of `bandwidth_curve`.
    level : float, default 0.05
        The level of the thresholds.
    quantity : {"statistic", "p"}, default "statistic"
        What is drawn.

    Returns
    -------
    overlay : holoviews.Overlay
        The curves.

    Notes
    -----
    Each threshold and each p belongs to its bandwidth alone: the least of many p-values is not a p-value.
    """
    if quantity not in QUANTITIES:
        raise Refusal(f"quantity must be 'statistic' or 'p', not {echo(quantity)}.")
    hv = holoviews()
    x, kdims = curve.bandwidths, [dimension(Gaussian.fields["bandwidth"], "bandwidth")]
    order = np.argsort(x, kind="stable")
    thresholds = np.array([_test(curve, i).threshold(level) for i in range(len(x))])
    log = {"logx": decades(x, WIDE)}

    def line(values, label, dim, role, **options):
        drawn = of_arrays(hv.Curve, (x[order], values[order]), kdims=kdims, vdims=[dim], label=label)
        return styled(drawn, color=tint(role), tools=["hover"], **log, **options)

    sizes = f"n = {curve.n}, m = {curve.m}"
    if quantity == "p":
        p = line(curve.pvalue, "p of each bandwidth alone", dimension("p-value", "p"), "kme", line_width=3, logy=True)
        at = of_arrays(hv.HLines, [level], kdims=[dimension("p-value", "p")], label=f"level {level:g}")
        dashed = styled(at, color=tint("harm"), line_dash="dashed", line_width=2, logy=True, **log)
        return overlay([p, dashed], f"p over the bandwidth, {sizes}")
    mmd2 = dimension("MMD²", "statistic")
    elements = [line(curve.statistic, "observed", mmd2, "truth", line_width=3)]
    if np.isfinite(thresholds).all():
        name = f"threshold at level {level:g}"
        elements.append(line(thresholds, name, mmd2, "harm", line_width=2, line_dash="dashed"))
    else:
        sizes += f", too few permutations for level {level:g}"
    return overlay(elements, f"MMD² over the bandwidth, {sizes}")


def _test(curve, i):
    """Return the TestResult of one bandwidth."""
    name, kernel = "MMD²", Gaussian(float(curve.bandwidths[i]))
    return TestResult(curve.statistic[i], curve.null[:, i], name, kernel, curve.n, curve.m)
