"""MMD² by frequency or by moment: which differences of the distributions a kernel can and cannot see."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import j0, jv

from explorer import checks
from explorer.checks import Refusal
from explorer.execution.processors import limit_threads
from explorer.kernels import Linear
from explorer.kernels.distances import pair_distances
from explorer.printing import printed
from explorer.types import Points, Values, Vector

from .two_samples import two_samples

if TYPE_CHECKING:
    from explorer.kernels import Kernel, Polynomial


PAIRS = 2**19  # number of distances at a time: a few arrays of 4 MB
FAR = 1e30  # t beyond which the average is 0 to fifteen digits
SPLINED, STEP = 2000.0, 0.05  # largest t of the spline, and distance of its nodes


@limit_threads
def window(frequencies: Vector, bandwidth: float | Values, d: int) -> Values:
    """Compute the weight that Gaussian(θ) in d dimensions gives to each frequency, per unit of ``|ω|``.

    It integrates to 1.

    Parameters
    ----------
    frequencies : array_like of shape (f,)
        Frequencies ``|ω|`` above 0.
    bandwidth : float or ndarray of shape (..., 1)
        Bandwidth θ.
    d : int
        Dimension.

    Returns
    -------
    ndarray of shape (..., f)
        The weights.

    Notes
    -----
    The kernel's spectral measure is N(0, I / θ²), so ``|ω| θ`` has the chi distribution of d degrees of freedom. Its
    density is largest at ``θ|ω| = sqrt(d - 1)``.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import window
    >>> frequencies = np.array([0.5, 1.0, 2.0, 4.0])
    >>> window(frequencies, bandwidth=1.0, d=2).round(3).tolist()
    [0.441, 0.607, 0.271, 0.001]
    >>> window(frequencies, bandwidth=0.5, d=2).round(3).tolist()
    [0.121, 0.221, 0.303, 0.135]
    """
    w, theta = np.asarray(frequencies, dtype=np.float64), np.asarray(bandwidth, dtype=np.float64)
    with np.errstate(over="ignore"):  # overflow far beyond the window gives a weight of 0
        logs = (
            (1 - d / 2) * math.log(2)
            - math.lgamma(d / 2)
            + d * np.log(theta)
            + (d - 1) * np.log(w)
            - (theta * w) ** 2 / 2
        )
    return np.exp(logs)


@printed
class Difference(NamedTuple):
    """Squared difference of two characteristic functions over frequencies, and its mean under random splits.

    Attributes
    ----------
    frequencies : ndarray of shape (f,)
        Frequencies ``|ω|``.
    difference : ndarray of shape (f,)
        ``|φ_X(ω) - φ_Y(ω)|^2``, averaged over all directions of ω.
    chance : ndarray of shape (f,)
        Mean of the difference over all splits of the pooled points into n and m.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import Difference, spectral_difference
    >>> X, Y = np.array([[0.0], [1.0]]), np.array([[0.5], [2.0]])
    >>> answer: Difference = spectral_difference(X, Y, np.array([1.0, 3.0]))
    >>> answer.difference.round(3).tolist(), answer.chance.round(3).tolist()
    ([0.366, 0.344], [0.585, 1.182])
    """

    frequencies: np.ndarray
    difference: np.ndarray
    chance: np.ndarray


@limit_threads
def spectral_difference(X: Points, Y: Points, frequencies: Vector) -> Difference:
    """Compute the squared difference of two samples' characteristic functions at given frequencies.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    frequencies : array_like of shape (f,)
        Frequencies ``|ω|`` above 0.

    Returns
    -------
    Difference
        The difference, and its mean over random splits.

    Notes
    -----
    The biased MMD² under Gaussian(θ) is the integral of the difference over ``|ω|`` with ``window(ω, θ, d)``, for every
    θ. The mean over directions of cos(ω'(x - y)) is Γ(d/2) (2/t)^(d/2-1) J_(d/2-1)(t) with ``t = |ω| |x - y|``. The
    cost is O((n + m)^2 f), and O((n + m) f) for d = 1.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import spectral_difference
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (200, 1)), rng.normal(0.0, 2.0, (200, 1))
    >>> answer = spectral_difference(X, Y, np.array([0.5, 1.0, 4.0]))
    >>> answer.difference.round(3).tolist()
    [0.086, 0.258, 0.0]
    """
    _, P, n, m, _ = two_samples(X, Y, Linear(), numbers_alone=True)
    w = np.atleast_1d(checks.numbers(frequencies, "frequencies"))
    if w.ndim != 1 or (w <= 0).any():
        raise Refusal("frequencies must be a list of numbers above 0.")
    N = n + m
    signs, ones = np.where(np.arange(N) < n, 1 / n, -1 / m), np.full(N, 1 / N)
    difference, whole = _squares(P, np.array([signs, ones]), w)
    return Difference(w, difference, (1 / n + 1 / m) * N / (N - 1) * (1 - whole))


def _squares(P, weights, w):
    """Return ``|sum_i a_i exp(i ω'x_i)|^2`` averaged over directions, (r, f), for each row a of `weights` (r, N)."""
    with np.errstate(over="ignore"):
        angles = float(w.max()) * float(np.abs(P).max())
    if math.isinf(angles):
        raise Refusal(
            "the largest frequency times the largest coordinate overflows; give lower frequencies, or rescale X and Y."
        )
    if P.shape[1] == 1:
        return np.abs(weights @ np.exp(1j * P * w)) ** 2
    r = pair_distances(P, "euclidean")
    i, j = np.triu_indices(len(P), 1)
    pairs = 2 * weights[:, i] * weights[:, j]
    average = _average(P.shape[1], float(w.max() * r.max()))
    squares = np.repeat((weights**2).sum(axis=1)[:, None], len(w), axis=1)
    for k, frequency in enumerate(w):
        for start in range(0, len(r), PAIRS):
            part = slice(start, start + PAIRS)
            squares[:, k] += pairs[:, part] @ average(frequency * r[part])
    return np.maximum(squares, 0.0)  # rounding may leave -1e-18


def _average(d, reach):
    """Return the mean of cos(t u_1) over the unit sphere of d >= 2 dimensions, as a function of t from 0 to `reach`.

    It falls as t^(-(d-1)/2). Beyond 1e30, infinity included, it is 0 to fifteen digits.
    """
    within = _average_within(d, min(reach, FAR))

    def average(t):
        return np.where(t < FAR, within(np.minimum(t, FAR)), 0.0)

    return average


def _average_within(d, reach):
    """Return the function of `_average` for t up to `reach` <= 1e30.

    Bessel functions of higher order take a microsecond each. So beyond three dimensions a cubic spline replaces them if
    t is small enough for an accuracy of 1e-8: its fourth derivative is at most 3 / (d (d + 2)).
    """
    if d == 2:
        return j0
    if d == 3:
        return lambda t: np.sinc(t / np.pi)
    from scipy.interpolate import CubicSpline

    nodes = np.arange(0, min(reach, SPLINED) + 2 * STEP, STEP)
    spline = CubicSpline(nodes, _bessel(nodes, d))

    def average(t):
        value, far = spline(t), t > nodes[-1]
        if far.any():
            value[far] = _bessel(t[far], d)
        return value

    return average


def _bessel(t, d):
    """Return Γ(d/2) (2/t)^(d/2-1) J_(d/2-1)(t)."""
    order, near = d / 2 - 1, t < 1e-3 * d
    safe = np.where(near, 1.0, t)
    value = jv(order, safe)
    with np.errstate(divide="ignore"):  # use logarithms: the power overflows where the Bessel function vanishes
        value = np.sign(value) * np.exp(math.lgamma(d / 2) + order * np.log(2 / safe) + np.log(np.abs(value)))
    return np.where(near, 1 - t**2 / (2 * d) + t**4 / (8 * d * (d + 2)), value)


def has_moments(kernel: Kernel) -> bool:
    """Return whether `moment_differences` splits the MMD² under a kernel: sums and products of powers are no powers.

    Parameters
    ----------
    kernel : Kernel
        The kernel.

    Returns
    -------
    bool
        True for Linear and Polynomial, and for other kernels with an offset and a degree.

    Examples
    --------
    >>> from explorer import Gaussian, Linear, Polynomial
    >>> from explorer.discrepancy.mmd.frequencies import has_moments
    >>> [has_moments(kernel) for kernel in (Linear(), Polynomial(), Linear() * Polynomial(), Gaussian())]
    [True, True, False, False]
    """
    return getattr(kernel, "degree", None) is not None and hasattr(kernel, "offset")


@limit_threads
def moment_differences(X: Points, Y: Points, kernel: Polynomial | Linear) -> Vector:
    """Split the biased MMD² under a polynomial kernel by moments. The parts sum to MMD².

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    kernel : Polynomial or Linear
        Kernel of degree p.

    Returns
    -------
    ndarray of shape (p,)
        The parts of the moments of order 1 to p.

    Raises
    ------
    TypeError
        If the kernel is not polynomial.

    Notes
    -----
    (<x, y> + c)^p = sum_k binom(p, k) c^(p-k) <x, y>^k, and <., .>^k compares the moments of order k alone. Moments of
    order above p are not seen at all.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Polynomial
    >>> from explorer.discrepancy import moment_differences
    >>> X, Y = np.array([[-1.0], [1.0]]), np.array([[-2.0], [2.0]])
    >>> moment_differences(X, Y, Polynomial(degree=2, offset=1.0)).tolist()
    [0.0, 9.0]
    """
    if not has_moments(kernel):
        raise TypeError(f"{checks.echo(kernel)} sees more than moments; give Linear or Polynomial.")
    _, P, n, m, _ = two_samples(X, Y, kernel, numbers_alone=True)
    signs = np.where(np.arange(n + m) < n, 1 / n, -1 / m)
    with np.errstate(over="ignore", invalid="ignore"):
        inner, p = P @ P.T, kernel.degree
        parts = [math.comb(p, k) * kernel.offset ** (p - k) * (signs @ inner**k @ signs) for k in range(1, p + 1)]
    if not np.isfinite(parts).all():
        raise Refusal(f"the points are too large for {kernel!r}: its values overflow; rescale the points.")
    return np.maximum(parts, 0.0)  # all parts are squares
