"""The axes of the MONK lab's pictures.

Signed and logarithmic, as what blocks say runs over many orders of magnitude.
"""

from __future__ import annotations

import math

import numpy as np

LINEAR = 0.3  # a signed log axis is straight up to about here
LIMITS = (1.0, 10.0, 1e2, 1e4, 1e6, 1e8, 1e10, 1e12, 1e15, 1e20)
LEAST_ERROR = 4e-3
NEAR = 0.15  # of the axis: words nearer to 0 would run into its own


def symlog(values):
    """Where values lie on a signed log axis."""
    values = np.asarray(values, dtype=float)
    return np.sign(values) * np.log10(1 + np.abs(values) / LINEAR)


def limit(result):
    """Where the signed log axis ends: a round number beyond all that blocks can say, whatever Q is."""
    farthest = min(max(result.pairs.reach, result.truth, abs(result.u_mmd)), LIMITS[-1])
    return next(top for top in LIMITS if top >= farthest)


def marks(top):
    """Ticks of the signed log axis: place -> words."""
    decades = [v for v in (1.0, 10.0, 1e2, 1e3, 1e4, 1e6, 1e8, 1e10, 1e12, 1e15, 1e20) if v <= top]
    shown = decades[:: -math.ceil(len(decades) / 3)]  # three at most on either side of 0
    shown = [v for v in shown if symlog(v) > NEAR * symlog(top)]
    return {
        0: "0",
        **{sign * float(symlog(v)): f"{'−' if sign < 0 else ''}{plain(v)}" for v in shown for sign in (1, -1)},
    }


def plain(value):
    """A power of ten in words."""
    return f"{value:g}" if 1e-4 < value < 1e5 else f"1e{round(math.log10(value))}"


def on_axis(result, values):
    """Places on the signed log axis; what lies beyond its ends stands there."""
    end = float(symlog(limit(result)))
    return np.clip(symlog(values), -end, end)


def top_error(result):
    """Where an axis of errors ends."""
    return max(limit(result), 10.0)
