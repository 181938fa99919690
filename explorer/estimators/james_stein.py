"""James and Stein's estimate of a Gaussian mean, the first to shrink a mean."""

from __future__ import annotations

import math
import numbers

import numpy as np
from scipy.special import gammainc, gammaincc

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings.quadrature import charlier
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import Vector, VectorLike

NODES = 48  # quadrature nodes of the Poisson distribution: 40 give the risk to 3e-14 d for all |θ| and 3 <= d <= 10000


@explain_wrong_calls
def james_stein(x: VectorLike, variance: float = 1.0, positive: bool = False) -> Vector:
    r"""Return James and Stein's estimate of the mean θ of one observation x ~ N(θ, σ^2 I).

    Use it to see shrinkage in its simplest form, of one vector. For kernel means use `SKMSE`.

    Parameters
    ----------
    x : array_like of shape (d,) or (n, d)
        One observation, or one in each row.
    variance : float, default 1.0
        The variance σ^2 > 0, known, in squared units of x; for the mean of m observations give σ^2 / m.
    positive : bool, default False
        Whether a factor below 0, which would reverse x, becomes 0: the risk is lower at every θ.

    Returns
    -------
    ndarray of the shape of x
        The estimates.

    Raises
    ------
    Refusal
        If x has a row of zeros and `positive` is False: the plain form has no value there.

    Notes
    -----
    The estimate is

    .. math:: \left(1 - \frac{(d - 2) \sigma^2}{|x|^2}\right) x.

    For d >= 3 its risk E |estimate - θ|^2 = d σ^2 - (d - 2)^2 σ^4 E 1/|x|^2 is below that of x, d σ^2, at every θ. For
    d <= 2 there is nothing to gain and x is returned unchanged: at d = 2 that is the formula, at d = 1 the formula
    would expand x.

    SKMSE with a linear kernel is the same idea with the variance estimated: its leave-one-out factor for the mean of n
    points tends to 1 - d s^2 / (n |mean|^2), where s^2 is the points' variance for each coordinate.

    References
    ----------
    James and Stein 1961; Kernel Mean Shrinkage Estimators, Appendix A, Proposition 1.

    Examples
    --------
    >>> from explorer import james_stein
    >>> james_stein([3.0, 1.0, 2.0, 1.0]).round(3)
    array([2.6  , 0.867, 1.733, 0.867])
    """
    x = checks.numbers(x, "x")
    if x.ndim not in (1, 2) or x.shape[-1] == 0:
        raise Refusal(f"x has shape {x.shape}; give one observation (d,) or one a row, (n, d), with d of at least 1.")
    _check(variance, positive)
    d = x.shape[-1]
    if d <= 2:
        return x.copy()
    square = (x**2).sum(axis=-1, keepdims=True)
    if not positive and (square == 0).any():
        raise Refusal(
            "x has an observation of length 0, where the plain form has no value; positive=True gives 0 there."
        )
    # At length 0 the factor is unbounded; the positive part is 0.
    share = np.divide((d - 2) * variance, square, out=np.full(square.shape, np.inf), where=square > 0)
    return np.where(share < 1, 1 - share, 0.0) * x if positive else (1 - share) * x


@explain_wrong_calls
def james_stein_risk(square: float, d: int, variance: float = 1.0, positive: bool = False) -> float:
    """Return the exact risk E |james_stein(x) - θ|^2 for x ~ N(θ, σ^2 I) in d dimensions.

    Use it to compare with the risk d σ^2 of the observation itself. For kernel means use `risk`.

    Parameters
    ----------
    square : float
        |θ|^2 >= 0; the risk depends on θ only by it.
    d : int
        The dimension.
    variance : float, default 1.0
        The variance σ^2 > 0, as for `james_stein`.
    positive : bool, default False
        Whether the estimate is the positive part, as for `james_stein`.

    Returns
    -------
    float
        The risk, in squared units of x; the risk of x itself is d σ^2.

    Notes
    -----
    In units of σ^2, with W = |x|^2 and a = d - 2, Stein's identity gives the risk as d - E a^2 / W for the plain form.
    For the positive part it is d - E g(W) with g(W) = a^2 / W if W > a, and 2d - W otherwise. W is chi-square with d +
    2N degrees of freedom, N Poisson of mean |θ|^2 / 2. The result is exact to 1e-12 d.

    References
    ----------
    Stein 1981, Ann. Stat. 9, 1135; Kernel Mean Shrinkage Estimators, Appendix A, Proposition 1.

    Examples
    --------
    >>> from explorer import james_stein_risk
    >>> [round(james_stein_risk(square, d=10), 3) for square in (0.0, 10.0, 1000.0)]
    [2.0, 6.209, 9.936]
    """
    square = _number(square, "square")
    if not 0 <= square < math.inf:
        raise Refusal(f"square must be a finite number of at least 0, not {checks.echo(square)}.")
    d = checks.whole(d, "d", 1)
    _check(variance, positive)
    mean = square / variance / 2
    if d <= 2 or math.isinf(mean):  # no gain, or one below the precision of floats
        return float(d * variance)
    more, shares = charlier(mean, NODES)
    a, m = d - 2, d + 2 * more
    gain = a * (a / (m - 2))
    if positive:  # W P(W < a) and P(W > a) / W are those of m + 2 and m - 2 degrees of freedom, times m and over m - 2
        gain = gain * gammaincc(m / 2 - 1, a / 2) + 2 * d * gammainc(m / 2, a / 2) - m * gammainc(m / 2 + 1, a / 2)
    return float(variance * (d - shares @ gain))


def _check(variance, positive):
    """Raise an error for an invalid `variance` or `positive`."""
    if not 0 < _number(variance, "variance", " above 0") < math.inf:
        raise Refusal(f"variance must be a finite number above 0, not {checks.echo(variance)}.")
    if not isinstance(positive, (bool, np.bool_)):
        raise TypeError(f"positive must be True or False, not {checks.echo(positive)}.")


def _number(value, name, limit=" of at least 0"):
    """Return a plain float, or raise a TypeError."""
    value = checks.scalar(value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number{limit}, not {checks.echo(value)}.")
    return float(value)
