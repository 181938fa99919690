"""The scale of a column: robust, of all files together, and blind to which file a row is from."""

from __future__ import annotations

import numpy as np

from explorer.types import Vector

FACTOR = 10.0  # between the scales of two columns beyond which the larger alone would decide a comparison


def robust_scale(x: Vector) -> float:
    """A scale of the values x (n,): the larger of two that equal the standard deviation of a normal distribution.

    max((q75 - q25) / 1.349, (q95 - q5) / 3.290), q the sample's quantiles. Up to 5 % of values on either side may lie
    anywhere. The second one holds where half of the values coincide, or nearly do, and the first would say nothing of
    the rest. Where both are 0, in columns of which 90 % coincide, the standard deviation stands in; a constant column
    has the scale 1.
    """
    if x.max() == x.min():
        return 1.0
    _, exponent = np.frexp(np.abs(x).max())
    z = np.ldexp(x, -exponent)  # a power of two keeps every digit, and no difference overflows, no square vanishes
    q5, q25, q75, q95 = np.quantile(z, [0.05, 0.25, 0.75, 0.95])
    scale = max((q75 - q25) / 1.349, (q95 - q5) / 3.290) or z.std()
    with np.errstate(over="ignore"):
        # at the ends of the floats the scale of numbers may be none itself
        return float(np.clip(np.ldexp(scale, exponent), np.finfo(float).tiny, np.finfo(float).max))
