"""Scales of columns, robust and independent of the file that a row is from, and the magnitude of numbers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer.types import Vector, VectorLike

ALIKE = 1.5  # largest ratio of medians in one unit: pounds are 2.2 times kilograms, kilometres 1.6 times miles
ERRORS = 2.5  # deviation of a ratio of medians that chance explains, in standard errors
NEAR = 0.25  # tolerance relative to the logarithm of a factor: ratios from 32 to 316 count as 100
FACTOR = 10.0  # largest ratio of the scales of two columns: beyond, the larger alone would decide a comparison


def robust_scale(x: Vector) -> float:
    r"""Compute a robust scale of values: the larger of two that equal a normal distribution's standard deviation.

    Parameters
    ----------
    x : ndarray of shape (n,)
        The values.

    Returns
    -------
    float
        The scale; 1 for a constant column.

    Notes
    -----
    The scale is

    .. math::

        \max\left(\frac{q_{75} - q_{25}}{1.349},\; \frac{q_{95} - q_5}{3.290}\right),

    where :math:`q_p` are the sample's percentiles. Up to 5 % of the values on either side may be anything. If half of
    the values coincide, or nearly do, the first term says nothing about the others, and the second holds. If both are
    0, as in columns of which 90 % coincide, the standard deviation is used.
    """
    if x.max() == x.min():
        return 1.0
    _, exponent = np.frexp(np.abs(x).max())
    # a power of two keeps every digit; now differences cannot overflow and squares cannot vanish
    z = np.ldexp(x, -exponent)
    q5, q25, q75, q95 = np.quantile(z, [0.05, 0.25, 0.75, 0.95])
    scale = max((q75 - q25) / 1.349, (q95 - q5) / 3.290) or z.std()
    with np.errstate(over="ignore"):
        # for the largest and smallest floats the scale may lie outside their range
        return float(np.clip(np.ldexp(scale, exponent), np.finfo(float).tiny, np.finfo(float).max))


class Magnitude(NamedTuple):
    """The quartiles of ``|x|`` over the numbers x of a column that are neither 0 nor missing.

    Attributes
    ----------
    low : float
        The lower quartile; NaN if there are no numbers, as are the other two.
    median : float
        The median.
    high : float
        The upper quartile.
    n : float
        The number of these numbers.
    """

    low: float = math.nan
    median: float = math.nan
    high: float = math.nan
    n: float = 0.0

    @classmethod
    def of(cls, x: VectorLike) -> Magnitude:
        """Compute the magnitude of values.

        Parameters
        ----------
        x : array_like of shape (n,)
            The values.

        Returns
        -------
        Magnitude
            Their quartiles.

        Examples
        --------
        >>> import numpy as np
        >>> from explorer.datasets.columns.scales import Magnitude
        >>> Magnitude.of(np.array([-3.0, 0.0, 1.0, 2.0]))
        Magnitude(low=1.5, median=2.0, high=2.5, n=3.0)
        """
        x = np.abs(np.asarray(x, dtype=np.float64))
        x = x[np.isfinite(x) & (x > 0)]
        if not len(x):
            return cls()
        low, median, high = np.quantile(x, [0.25, 0.5, 0.75]).tolist()
        return cls(low, median, high, float(len(x)))

    def over(self, other: Magnitude) -> float:
        """Return the ratio of this median to another's.

        Parameters
        ----------
        other : Magnitude
            The other magnitude.

        Returns
        -------
        float
            The ratio; NaN if one of the medians is.
        """
        return self.median / other.median

    def is_times(self, size: float, other: Magnitude) -> bool:
        """Return whether these numbers are about `size` times as large as others.

        The ratio of the medians has to be much nearer to `size` than to 1.

        Parameters
        ----------
        size : float
            The factor.
        other : Magnitude
            The magnitude of the other numbers.

        Returns
        -------
        bool
            Whether they are.
        """
        ratio = self.over(other)
        return bool(abs(math.log(ratio / size)) <= NEAR * abs(math.log(size)) if ratio > 0 else False)

    def is_near(self, other: Magnitude) -> bool:
        """Return whether these numbers are about as large as others, by far not a thousand times as large or small.

        Parameters
        ----------
        other : Magnitude
            The magnitude of the other numbers.

        Returns
        -------
        bool
            Whether they are.
        """
        ratio = self.over(other)
        return bool(ratio > 0 and abs(math.log(ratio)) <= NEAR * math.log(1000))

    def is_like(self, other: Magnitude) -> bool:
        """Return whether the numbers may be in one unit: the medians differ by a factor of 1.5 at most, or by chance.

        Chance is 2.5 standard errors of the logarithm of the ratio, computed from the quartiles as for log-normal
        numbers. If one of the two has no numbers, the answer is yes.

        Parameters
        ----------
        other : Magnitude
            The magnitude of the other numbers.

        Returns
        -------
        bool
            Whether they may be.
        """
        ratio = self.over(other)
        if not ratio > 0:
            return True
        error = math.hypot(self._error, other._error)
        return abs(math.log(ratio)) <= math.log(ALIKE) + ERRORS * error

    @property
    def _error(self) -> float:
        """Standard error of the logarithm of the median."""
        return math.sqrt(math.pi / 2 / self.n) * math.log(self.high / self.low) / 1.349

    def times(self, size: float) -> Magnitude:
        """Return the magnitude of the numbers times a factor.

        Parameters
        ----------
        size : float
            The factor.

        Returns
        -------
        Magnitude
            The scaled quartiles.
        """
        return self._replace(low=size * self.low, median=size * self.median, high=size * self.high)
