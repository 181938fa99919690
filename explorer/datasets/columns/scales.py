"""The scale of a column: robust, of all files together, and blind to which file a row is from; the size of numbers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer.types import Vector, VectorLike

ALIKE = 1.5  # between medians in one unit: pounds are 2.2 times kilograms, kilometres 1.6 times miles
ERRORS = 2.5  # standard errors of a ratio of medians that are chance
NEAR = 0.25  # of the logarithm of a factor: 1 % beside .01 is 100 times it if the ratio is from 32 to 316
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


class Magnitude(NamedTuple):
    """The quartiles of |x| over the n numbers x of a column that are neither 0 nor missing; NaN if there are none."""

    low: float = math.nan
    median: float = math.nan
    high: float = math.nan
    n: float = 0.0

    @classmethod
    def of(cls, x: VectorLike) -> Magnitude:
        """Of values x (n,).

        >>> import numpy as np
        >>> from explorer.datasets.columns.scales import Middle
        >>> Middle.of(np.array([-3.0, 0.0, 1.0, 2.0]))
        Middle(low=1.5, median=2.0, high=2.5, n=3.0)
        """
        x = np.abs(np.asarray(x, dtype=np.float64))
        x = x[np.isfinite(x) & (x > 0)]
        if not len(x):
            return cls()
        low, median, high = np.quantile(x, [0.25, 0.5, 0.75]).tolist()
        return cls(low, median, high, float(len(x)))

    def over(self, other: Magnitude) -> float:
        """Return how many times as large as another's its median is, NaN if one has none."""
        return self.median / other.median

    def is_times(self, size: float, other: Magnitude) -> bool:
        """Return whether it is some `size` times another one's: nearer to it than to 1, and by far."""
        ratio = self.over(other)
        return bool(abs(math.log(ratio / size)) <= NEAR * abs(math.log(size)) if ratio > 0 else False)

    def is_near(self, other: Magnitude) -> bool:
        """Return whether it is as large as another one, and by far not a thousand times as large or as small."""
        ratio = self.over(other)
        return bool(ratio > 0 and abs(math.log(ratio)) <= NEAR * math.log(1000))

    def is_like(self, other: Magnitude) -> bool:
        """Return whether the numbers may be in one unit: the medians differ by a factor of 1.5 at most, or by chance.

        Chance is 2.5 standard errors of the ratio's logarithm, by the quartiles of numbers that are log-normal. Where
        one has no numbers nothing speaks against it.
        """
        ratio = self.over(other)
        if not ratio > 0:
            return True
        error = math.hypot(self._error, other._error)
        return abs(math.log(ratio)) <= math.log(ALIKE) + ERRORS * error

    @property
    def _error(self) -> float:
        """The standard error of the logarithm of the median."""
        return math.sqrt(math.pi / 2 / self.n) * math.log(self.high / self.low) / 1.349

    def times(self, size: float) -> Magnitude:
        """Return it for the numbers times a size."""
        return self._replace(low=size * self.low, median=size * self.median, high=size * self.high)
