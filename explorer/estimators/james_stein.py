"""James and Stein's estimate of a Gaussian mean: where shrinking a mean began."""

from __future__ import annotations

import numbers

import numpy as np

from explorer import checks


def james_stein(x, variance=1.0, positive=False):
    """James and Stein's estimate (1 - (d - 2) σ^2 / |x|^2) x of the mean θ of one observation x ~ N(θ, σ^2 I).

    x         (d,), one observation, or (n, d), each row one of its own: the estimate has the same shape
    variance  σ^2 > 0, known, in squared units of x; for the mean of m observations give σ^2 / m
    positive  whether a factor below 0, which would turn x around, becomes 0: the risk is lower at every θ

    For d >= 3 its risk E |estimate - θ|^2 = d σ^2 - (d - 2)^2 σ^4 E 1/|x|^2 is below that of x, d σ^2, at every θ. For d <= 2
    there is nothing to gain and x comes back as it is: at d = 2 that is the formula, at d = 1 the formula would expand x.
    Raises ValueError for the plain form of a row of zeros, which has no value. James and Stein 1961; 002,
    Appendix A, Proposition 1.

    SKMSE with a linear kernel is the same idea with the variance estimated: its leave-one-out factor for the mean of n
    points tends to 1 - d s^2 / (n |mean|^2), s^2 the points' variance for each coordinate.
    """
    x = checks.numbers(x, "x")
    if x.ndim not in (1, 2) or x.shape[-1] == 0:
        raise ValueError(f"x has shape {x.shape}; give one observation (d,) or one a row, (n, d), with d of at least 1.")
    if isinstance(variance, (bool, np.bool_)) or not isinstance(variance, numbers.Real):
        raise TypeError(f"variance must be a number above 0, not {variance!r}.")
    if not 0 < variance < np.inf:
        raise ValueError(f"variance must be a finite number above 0, not {variance!r}.")
    if not isinstance(positive, (bool, np.bool_)):
        raise TypeError(f"positive must be True or False, not {positive!r}.")
    d = x.shape[-1]
    if d <= 2:
        return x.copy()
    square = (x**2).sum(axis=-1, keepdims=True)
    if not positive and (square == 0).any():
        raise ValueError("x has an observation of length 0, where the plain form has no value; positive=True gives 0 there.")
    # a length of 0 shrinks without bound: to 0 in the positive part
    share = np.divide((d - 2) * variance, square, out=np.full(square.shape, np.inf), where=square > 0)
    return np.where(share < 1, 1 - share, 0.0) * x if positive else (1 - share) * x
