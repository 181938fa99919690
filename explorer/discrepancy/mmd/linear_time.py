"""MMD² in linear time: an average of independent terms, hence a standard error and a test without resamples."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import SLACK
from explorer.discrepancy.resampling.sign_test import sign_test
from explorer.discrepancy.resampling.tiled_gram import contrast
from explorer.discrepancy.results.answer import Decision
from explorer.kernels import Kernel, in_prose
from explorer.linalg import power_of_two
from explorer.printing import plural, printed
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import PointsLike

from .two_samples import two_samples

NORMAL = 200  # number of terms from which p is normal: at its 5 % point the level of a t statistic is then <= .0508
CHUNK = 64  # number of pairs in a kernel matrix that is computed for its diagonal: little waste, few calls


@printed
@dataclass(frozen=True)
class LinearTime(Decision):
    """Linear-time MMD² with its standard error and its one-sided p-value. ``str()`` is a sentence.

    Attributes
    ----------
    statistic : float
        MMD² in squared units of k.
    standard_error : float
        Its standard error.
    pvalue : float
        One-sided p-value.
    kernel : Kernel
        The kernel, chosen.
    n : int
        Size of each sample.
    sums : int or None
        None if p is from the normal distribution. Otherwise p is exact: the terms are added up in this many sums, whose
        signs are changed in all 2^sums ways.
    columns : tuple of str
        Names of the DataFrame columns.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import LinearTime, linear_time
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(200, 1)), rng.normal(1.0, 1.0, (200, 1))
    >>> answer: LinearTime = linear_time(X, Y)
    >>> round(answer.statistic, 3), round(answer.standard_error, 3), answer.pvalue < 0.001
    (0.192, 0.055, True)
    """

    statistic: float
    standard_error: float
    pvalue: float
    kernel: Kernel
    n: int
    sums: int | None = None
    columns: tuple[str, ...] = ()

    def __str__(self) -> str:
        by = "the normal distribution" if self.sums is None else f"all 2^{self.sums} changes of sign"
        return (
            f"The linear-time MMD² is {self.statistic:.4g} with the standard error {self.standard_error:.2g} and p = "
            f"{self.pvalue:.3g} by {by}, under {in_prose(self.kernel, self.columns)}, for n = {self.n} points a sample."
        )


@explain_wrong_calls
def linear_time(X: PointsLike, Y: PointsLike, kernel: Kernel | None = None) -> LinearTime:
    """Estimate MMD² from disjoint pairs of consecutive rows, and test whether it is 0, in O(n).

    Use it for samples that are too large for other tests: it pays for its speed with power. `block_test` buys power
    with time, and `mmd_test` takes O(n²).

    p counts changes of sign, see `sign_test`. It is exact if rows are exchangeable, P(p <= α) <= α for any n and any
    data, including ties and outliers; p >= 2^(-n/2). If the terms count as many equal ones, (Σ h^2)^2 / Σ h^4 >= 200,
    it is the normal p = Φ(-statistic / se), which is right in the limit: for α = .05 its level is .0508 for 200 normal
    terms, and up to .058 for 200 and more terms of one size, such as those of a 0/1 column.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample, n >= 4.
    Y : array_like of shape (n, d)
        Second sample, with as many rows.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.

    Returns
    -------
    LinearTime
        The statistic, its standard error and the p-value.

    Raises
    ------
    Refusal
        If the samples have different sizes, or if the terms overflow.

    Notes
    -----
    The statistic is the mean of h_i, i = 1 ... n/2, with h = k(x, x') + k(y, y') - k(x, y') - k(x', y) for x, x' =
    x_(2i-1), x_(2i) and y, y' likewise. It is unbiased. An odd last row has no partner. Its standard error is se =
    sd(h) / sqrt(n/2). The statistic pays for its speed with power: its error falls as n^(-1/2), while that of the
    U-statistic under P = Q falls as 1/n.

    Exchanging x and y changes the sign of h and nothing else. Under P = Q either order has the same probability,
    independently for each term.

    References
    ----------
    Gretton et al. 2012 (J. Mach. Learn. Res. 13, 723), section 6.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, linear_time
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> result = linear_time(X, Y, Gaussian(1.0))
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (0.541, 0.0254)
    """
    kernel, P, n, m, columns = two_samples(X, Y, kernel, 4, "for a standard error")
    if n != m:
        raise Refusal(
            f"X has {plural(n, 'row')} and Y has {m}; the linear-time statistic pairs them: give equally many of both."
        )
    x, y, contrasted = P[:n], P[n:], contrast(kernel, P)
    half = n // 2
    first, second = slice(0, 2 * half, 2), slice(1, 2 * half, 2)
    within = _between(contrasted, x[first], x[second]), _between(contrasted, y[first], y[second])
    across = _between(contrasted, x[first], y[second]), _between(contrasted, x[second], y[first])
    unit = power_of_two(max(float(np.abs(values).max()) for values in (*within, *across)))  # no sum or square overflows
    (a, b), (c, d) = (tuple(values / unit for values in pair) for pair in (within, across))
    h, magnitudes = (a + b) - (c + d), np.abs(a) + np.abs(b) + np.abs(c) + np.abs(d)
    error = float(h.std(ddof=1) / np.sqrt(half))
    p, sums = _pvalue(h, magnitudes, error)
    statistic, error = (_in_units(value, unit, kernel) for value in (float(h.mean()), error))
    return LinearTime(statistic, error, p, kernel, n, sums, columns)


def _pvalue(h, magnitudes, error):
    """Return the p-value of the terms h, and `LinearTime.sums`."""
    weighing_in = (h @ h) ** 2 / max((h**2) @ (h**2), np.finfo(float).tiny)
    if weighing_in >= NORMAL and error > SLACK * abs(h.mean()):
        return float(ndtr(-h.mean() / error)), None
    return sign_test(h, magnitudes)


def _in_units(value, unit, kernel):
    if math.isinf(value * unit):
        raise Refusal(f"the points are too large for {kernel!r}: the linear-time statistic overflows; rescale them.")
    return value * unit


def _between(kernel, A, B):
    """Return k(a_i, b_i), (n,)."""
    starts = range(0, len(A), CHUNK)
    return np.concatenate([np.diag(kernel(A[i : i + CHUNK], B[i : i + CHUNK])) for i in starts])
