"""Variance of the unbiased MMD² from one pair of samples, and the power of its test at other sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from scipy.special import ndtr

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.tiled_gram import ENTRIES, between, contrast
from explorer.execution.processors import limit_threads
from explorer.printing import printed
from explorer.svg import inline_pictures
from explorer.types import Points, PointsLike, Rng, Rows, Values, Vector, VectorLike

from .two_samples import mmd_test, one_of, two_samples

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


class Moments(NamedTuple):
    """Estimated variances and mean squares that determine the variance of U, the unbiased MMD², at any sample sizes.

    They are in squared units of k, from samples of n and m points. `a` and `b` are the variances over i of ``a_i =
    mean_{i'≠i} k(x_i, x_i') - mean_j k(x_i, y_j)``, and over j of b_j likewise. `square` is E k~(z, z')^2 for the
    kernel centred at the pooled distribution: sum_{i≠j} U~_ij^2 / (N(N-3)), with U~ the U-centred pooled Gram matrix.
    """

    n: int
    m: int
    a: float
    b: float
    square: float

    @classmethod
    def of(cls, kernel: Kernel, P: Points, n: int) -> Self:
        """Compute the variances and mean squares from pooled points P (N, d), whose first n are the first sample.

        Each sample needs at least two points. If `contrast` replaces k by its increments from an origin, the a_i of
        these vary: a_i leaves out i' = i, so 1/n of the part of k that depends on x_i alone stays in it. Far from zero
        that would hide everything else.
        """
        kernel, N, m = contrast(kernel, P), len(P), len(P) - n
        inner, across, square, constant = np.empty(N), np.empty(N), 0.0, None
        rows = max(1, ENTRIES // N)
        for start in range(0, N, rows):
            part = np.arange(start, min(start + rows, N))
            K = between(kernel, P[part], P)
            constant = K.mean() if constant is None else constant
            K = K - constant  # this changes neither a, b nor the square, and saves digits if k is nearly constant
            K[part - start, part] = 0.0
            x, y = K[:, :n].sum(axis=1), K[:, n:].sum(axis=1)
            inner[part], across[part] = np.where(part < n, x, y), np.where(part < n, y, x)
            square += float(np.vdot(K, K))
        total = inner + across
        # sum_{i≠j} of the squares of K_ij - (r_i + r_j) / (N-2) + T / ((N-1)(N-2)), r the row sums of K off its
        # diagonal
        square += total.sum() ** 2 / ((N - 1) * (N - 2)) - 2 / (N - 2) * (total @ total)
        a = (inner / (n - 1) - across / m)[:n]
        b = (inner / (m - 1) - across / n)[n:]
        return cls(n, m, a.var(ddof=1), b.var(ddof=1), max(float(square), 0.0) / (N * (N - 3)))

    def under_alternative(self) -> float:
        """Return the variance of U if the distributions differ, 4 a/n + 4 b/m, at the samples' own sizes."""
        return 4 * self.a / self.n + 4 * self.b / self.m

    def under_null(self, n: int | Values, m: int | Values) -> float | Vector:
        """Return the variance of U if P = Q, 2 E k~^2 (1/(n(n-1)) + 1/(m(m-1)) + 2/(nm)), at any n, m."""
        return 2 * self.square * (1 / (n * (n - 1)) + 1 / (m * (m - 1)) + 2 / (n * m))

    def at(self, n: Values, m: Values) -> float | Vector:
        """Return Var U at any n, m: a and b without the noise of the means in a_i and b_j, plus the null's part."""
        noise = self.square * (1 / self.n + 1 / self.m)
        return np.maximum(4 * (self.a - noise) / n + 4 * (self.b - noise) / m, 0.0) + self.under_null(n, m)


@limit_threads
def variance(X: Points, Y: Points, kernel: Kernel | None = None, hypothesis: str = "H1") -> float:
    """Estimate the variance of the unbiased MMD² at the sizes of two samples.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample, n >= 2.
    Y : array_like of shape (m, d)
        Second sample, m >= 2.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    hypothesis : {"H1", "H0"}, default "H1"
        "H1" is for distributions that differ; if P = Q it is about twice the true variance, because then a_i consists
        of the noise of its means alone. "H0" is for P = Q.

    Returns
    -------
    float
        The variance, in units of k to the fourth.

    Notes
    -----
    "H1" is 4 var_i(a_i)/n + 4 var_j(b_j)/m with ``a_i = mean_{i'≠i} k(x_i, x_i') - mean_j k(x_i, y_j)`` and b_j
    likewise. "H0" is 2 E k~^2 (1/(n(n-1)) + 1/(m(m-1)) + 2/(nm)), where k~ is the kernel centred at the pooled
    distribution. The cost is O((n + m)^2).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.discrepancy import variance
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> [round(variance(X, Y, Gaussian(1.0), hypothesis) ** 0.5, 3) for hypothesis in ("H0", "H1")]
    [0.029, 0.134]
    """
    one_of(hypothesis, ("H1", "H0"), "hypothesis")
    kernel, P, n, m, _ = two_samples(X, Y, kernel, 2, "for a variance")
    moments = Moments.of(kernel, P, n)
    return float(moments.under_alternative() if hypothesis == "H1" else moments.under_null(n, m))


@limit_threads
def power(
    X: Points,
    Y: Points,
    kernel: Kernel | None = None,
    n: VectorLike | None = None,
    m: VectorLike | None = None,
    level: float = 0.05,
    n_resamples: int = 999,
    rng: Rng = None,
    *,
    truth: float | None = None,
) -> float | Vector:
    """Estimate the power of the unbiased permutation test at sizes n and m, if P and Q differ as X and Y do.

    Use it to plan the sizes of samples from a pilot study. For many sizes use `power_curve`.

    Parameters
    ----------
    X : array_like
        First sample.
    Y : array_like
        Second sample.
    kernel : Kernel or None, default None
        None is ``Gaussian()``.
    n : int or array_like, optional
        Sizes of the first sample, at least 2; None is the size of X. Broadcasts with m.
    m : int or array_like, optional
        Sizes of the second sample; None is n, or the size of Y if both are None.
    level : float, default 0.05
        Level of the test, 0 < level < 1.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the resamples.
    truth : float or None, default None
        MMD² of P and Q if it is known or assumed; it replaces U. At 0 the power is `level` for all sizes.

    Returns
    -------
    float or ndarray
        The power at each size.

    Raises
    ------
    Refusal
        If B is too small for the level, or if the kernel has one value on all pairs of points.

    Notes
    -----
    The power is Φ((U - t) / sd). U is computed from X and Y. t is the test's threshold at `level` at the sizes given,
    moved to other sizes like the null's standard deviation, and sd is the standard deviation of U there.

    Without `truth` this is the power against the difference that these samples happen to have, and must not be used for
    planning. After a test that did not reject it says nothing that the p-value does not say; after one that rejected it
    is too large on average. `detectable_shift` gives the sizes that detect a shift, whatever the samples were.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import power
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(30, 1)), rng.normal(0.5, 1.0, (30, 1))
    >>> power(X, Y, n=[10, 30, 60], n_resamples=199, rng=0).round(1).tolist()
    [0.4, 0.8, 1.0]
    """
    kernel, P, n_here, m_here, _ = two_samples(X, Y, kernel, 2, "for a power")
    moments = Moments.of(kernel, P, n_here)
    m = (m_here if n is None else n) if m is None else m
    n = n_here if n is None else n
    n, m = (_sizes(value, name) for value, name in ((n, "n"), (m, "m")))
    test = mmd_test(P[:n_here], P[n_here:], kernel, n_resamples=n_resamples, rng=rng)
    threshold = test.threshold(level)
    if np.isinf(threshold):
        raise Refusal(
            f"n_resamples={n_resamples} has no p-value of at most level={level}; take at least"
            f" {int(np.ceil(1 / level)) - 1}."
        )
    if moments.square == 0:
        raise Refusal(
            f"{checks.echo(kernel)} takes one value on all pairs of these points, so no test can distinguish them; take"
            " another kernel."
        )
    threshold *= np.sqrt(moments.under_null(n, m) / moments.under_null(n_here, m_here))
    square = test.statistic if truth is None else _square(truth)
    chance = ndtr((square - threshold) / np.sqrt(moments.at(n, m)))
    if truth is not None and square == 0:
        chance = np.full_like(chance, level)
    return float(chance) if np.ndim(chance) == 0 else chance


@printed
class PowerCurve(NamedTuple):
    """Power of the test over sample sizes.

    Attributes
    ----------
    sizes : ndarray of shape (s,)
        Sizes of X; those of Y are in proportion.
    power : ndarray of shape (s,)
        Probability of p <= level at each size.
    needed : int or None
        Least size whose power reaches `aim`, or None if there is none.
    aim : float
        The power that is wanted.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import PowerCurve
    >>> curve = PowerCurve(np.array([10, 20, 40]), np.array([0.2, 0.5, 0.9]), needed=40, aim=0.8)
    >>> curve.at([15, 30]).round(2).tolist()
    [0.35, 0.7]
    """

    sizes: np.ndarray
    power: np.ndarray
    needed: int | None
    aim: float

    def at(self, sizes: Rows) -> Vector:
        """Return the power at other sizes, interpolated.

        Parameters
        ----------
        sizes : array_like of shape (m,)
            Sizes of X.

        Returns
        -------
        ndarray of shape (m,)
            The power.
        """
        return np.interp(sizes, self.sizes, self.power)

    def _sentence(self):
        if self.needed is None:
            return f"No size up to {self.sizes[-1]} has a power of {self.aim:g}, if P and Q differ as assumed."
        power = f"{self.needed} have a power of {self.aim:g}, if P and Q differ as assumed"
        return f"The power of the two-sample test, by the size of X; {power}."

    def _picture(self):
        return inline_pictures.curve(self.sizes, self.power, self._sentence(), log=True)


@limit_threads
def power_curve(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    sizes: VectorLike | None = None,
    aim: float = 0.8,
    level: float = 0.05,
    n_resamples: int = 999,
    rng: Rng = None,
    *,
    truth: float | None = None,
) -> PowerCurve:
    """Compute `power` over sizes of X, with those of Y in proportion, and the least size that reaches a power.

    Use it to plan the sizes of samples from a pilot study. For one size use `power`.

    Parameters
    ----------
    X : array_like
        First sample.
    Y : array_like
        Second sample.
    kernel : Kernel or None, default None
        None is ``Gaussian()``.
    sizes : array_like of shape (s,) or None, default None
        Rising whole numbers of at least 2; None is some 500 of them from 5 to 5000.
    aim : float, default 0.8
        The power that is wanted.
    level : float, default 0.05
        Level of the test, 0 < level < 1.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the resamples.
    truth : float or None, default None
        MMD² of P and Q if it is known or assumed; None is the estimate from X and Y, as in `power`.

    Returns
    -------
    PowerCurve
        The power, and the least size that reaches it.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import power_curve
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(30, 1)), rng.normal(0.5, 1.0, (30, 1))
    >>> curve = power_curve(X, Y, sizes=[10, 20, 30, 40, 60], n_resamples=199, rng=0)
    >>> curve.power.round(1).tolist(), curve.needed
    ([0.4, 0.7, 0.8, 0.9, 1.0], 30)
    """
    sizes = np.unique(np.geomspace(5, 5000, 800).astype(int)) if sizes is None else np.asarray(sizes)
    kernel, P, n, m, _ = two_samples(X, Y, kernel, 2, "for a power")
    others = np.maximum(np.round(m / n * sizes), 2)
    chances = np.atleast_1d(power(P[:n], P[n:], kernel, sizes, others, level, n_resamples, rng, truth=truth))
    enough = np.flatnonzero(chances >= aim)
    return PowerCurve(sizes, chances, int(sizes[enough[0]]) if len(enough) else None, aim)


def _square(truth):
    """Return an MMD² that is not below 0 as a float."""
    square = checks.numbers(truth, "truth")
    if square.shape != () or square < 0:
        raise Refusal(f"truth must be one number of at least 0, the MMD² of P and Q, not {checks.echo(truth)}.")
    return float(square)


def _sizes(values, name):
    """Return sample sizes, a number or an array of them."""
    sizes = checks.numbers(values, name)
    if (sizes < 2).any() or (sizes != np.round(sizes)).any():
        raise Refusal(f"{name} holds {sizes.min():g}; sample sizes are whole numbers of at least 2.")
    return sizes
