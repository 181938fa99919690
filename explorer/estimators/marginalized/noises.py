"""Noise of other distributions along σ, under a Gaussian kernel: Laplace, Student's t, uniform.

σ is the standard deviation of each coordinate. Laplace's and Student's noise are scale mixtures u = √V z of Gaussian
noise z, so all results are means over V of the results for Gaussian noise:

laplace
    V ~ Exp(1); the difference of two such u has V ~ Gamma(2).
t
    Three degrees of freedom, V ~ InvGamma(3/2, 1/2). The characteristic function is (1 + σ|w|) exp(-σ|w|), so the
    difference of two is a mixture of t with 5 and 3 degrees of freedom, 3/4 and 1/4: V ~ InvGamma(5/2, 2) or
    InvGamma(3/2, 2).
uniform
    Independent coordinates in [-√3 σ, √3 σ], by error functions.

[xia2021corrupted] takes Gaussian noise and leaves others to future work.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import erf, gammaln

from explorer.checks import Refusal
from explorer.types import Values, Vector

from .shapes import Moments, MomentsAt, components

if TYPE_CHECKING:
    from .along import NoisySample


NOISES = ("laplace", "t", "uniform")
STEP = 0.33  # step of the trapezoid rule in log V: its error is some exp(-π²/STEP), 1e-13
TINY = 1e-3  # uniform noise below this share of the kernel's width equals Gaussian noise to 1e-13
NODES = 64  # Gauss-Legendre nodes along the second coordinate
BLOCK = 2**20  # the most numbers in memory at a time


def other_noise(noisy: NoisySample, kind: str) -> MomentsAt:
    """Return a function of s that gives the mean kernel values of an estimate whose noise has this distribution.

    s is the standard deviation of the noise in each coordinate.

    Parameters
    ----------
    noisy : NoisySample
        The sample.
    kind : {"laplace", "t", "uniform"}
        The distribution of the noise.

    Returns
    -------
    callable
        Maps s (m,) to `Moments`, see there.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.estimators import NoisySample, other_noise
    >>> noisy = NoisySample(Gaussian(1.0), np.random.default_rng(0).normal(size=(8, 2)))
    >>> s = np.array([0.0, 0.5])
    >>> {kind: other_noise(noisy, kind)(s).score(8).round(3).tolist() for kind in ("uniform", "laplace")}
    {'uniform': [0.74, 0.7], 'laplace': [0.74, 0.706]}
    """
    return _uniform(noisy) if kind == "uniform" else _scale_mixture(noisy, kind)


# Scale mixtures of Gaussian noise.


def _scale_mixture(noisy, kind):
    """Return the function of `other_noise` for noise that is a scale mixture of Gaussian noise."""
    X, theta, n, d = noisy.X, noisy.kernel.theta(), noisy.pairs.n, noisy.X.shape[1]
    i, j = np.triu_indices(n, 1)
    squares = (((X[i] - X[j]) / theta) ** 2).sum(axis=1)
    v, one, two = mixing(kind)
    truths = None if noisy.truth is None else [_along_axes(noisy, each) for each in components(noisy.truth, d)]

    def pairs(grown):  # the mean kernel of pairs for squared widths `grown`, in units of θ²
        size = max(1, BLOCK // max(len(squares), 1))
        parts = [grown[k : k + size, None] for k in range(0, len(grown), size)]
        return np.concatenate([(g ** (-d / 2) * np.exp(-squares / (2 * g))).mean(axis=1) for g in parts])

    def at(s):
        s = np.asarray(s, dtype=float)
        e = np.outer(s**2, v) / theta**2
        off = pairs(1 + e.ravel()).reshape(e.shape)
        same = (1 + e) ** (-d / 2)
        truth = None
        if truths is not None:
            truth = np.sum([each(e.ravel()) for each in truths], axis=0).reshape(e.shape) @ one
        return Moments(off @ one, off @ two, same @ two, truth)

    return at


def _along_axes(noisy, component):
    """Return e -> mean_i of a component of μ smoothed by N(0, θ² e I), along its axes."""
    weight, mean, covariance = component
    theta, d = noisy.kernel.theta(), noisy.X.shape[1]
    gamma, U = np.linalg.eigh(np.eye(d) + covariance / theta**2)
    y = ((noisy.X - mean) / theta @ U) ** 2

    def mean_at(e):
        size = max(1, BLOCK // y.size)
        found = []
        for k in range(0, len(e), size):
            grown = gamma + e[k : k + size, None]
            exponent = np.log(grown).sum(axis=1)[:, None] + (1 / grown) @ y.T
            found.append(np.exp(-exponent / 2).mean(axis=1))
        return weight * np.concatenate(found)

    return mean_at


def mixing(kind: str) -> tuple[Vector, Vector, Vector]:
    """Return V's nodes, the weights of one noise u, and the weights of the difference of two.

    The weights are those of the trapezoid rule in log V, whose density is analytic in a strip of half-width π/2.

    Parameters
    ----------
    kind : {"laplace", "t"}
        The distribution of the noise.

    Returns
    -------
    v, one, two : ndarray of shape (k,)
        The nodes and the two arrays of weights, which sum to one.
    """
    if kind == "laplace":
        logs = np.arange(-18.0, 4.0, STEP)
        v = np.exp(logs)
        one, two = v * np.exp(-v), v**2 * np.exp(-v)
    else:
        logs = np.arange(-5.0, 20.0, STEP)
        v = np.exp(logs)
        one = _inverse_gamma(v, 1.5, 0.5)
        two = 0.75 * _inverse_gamma(v, 2.5, 2.0) + 0.25 * _inverse_gamma(v, 1.5, 2.0)
    return v, one / one.sum(), two / two.sum()


def _inverse_gamma(v, shape, scale):
    """Return the density of log V."""
    return np.exp(shape * math.log(scale) - gammaln(shape) - shape * np.log(v) - scale / v)


# Uniform noise.


def _uniform(noisy):
    """Return the function of `other_noise` for uniform noise."""
    X, theta, n, d = noisy.X, noisy.kernel.theta(), noisy.pairs.n, noisy.X.shape[1]
    i, j = np.triu_indices(n, 1)
    apart = np.abs(X[i] - X[j])
    parts = None if noisy.truth is None else components(noisy.truth, d)
    if parts is not None and d > 2 and any(np.abs(C - np.diag(np.diag(C))).max() > 0 for _, _, C in parts):
        raise Refusal(
            f"With uniform noise the loss to a distribution of {d} correlated coordinates has no closed form; take two"
            " coordinates, noise of another distribution, or a source whose coordinates are uncorrelated."
        )

    def at(s):
        half = math.sqrt(3) * np.asarray(s, dtype=float)
        one = np.array([_once(apart, theta, a).prod(axis=1).mean() if len(apart) else 0.0 for a in half])
        both = np.array([_twice(apart, theta, a).prod(axis=1).mean() if len(apart) else 0.0 for a in half])
        same = np.array([float(_twice(np.zeros(1), theta, a)[0]) ** d for a in half])
        truth = None if parts is None else np.array([sum(_mean_of(X, theta, a, part) for part in parts) for a in half])
        return Moments(one, both, same, truth)

    return at


def _once(r: Values, width: float, a: float) -> Values:
    """Return E exp(-(r + u)² / (2 width²)), u uniform in [-a, a]."""
    if a < TINY * width:
        return _gaussian(r, width, a**2 / 3)
    root = math.sqrt(2) * width
    return width * math.sqrt(math.pi / 2) / (2 * a) * (erf((r + a) / root) - erf((r - a) / root))


def _twice(r: Values, width: float, a: float) -> Values:
    """Return E exp(-(r + u - u')² / (2 width²)), u and u' uniform, a second difference of the second antiderivative."""
    if a < TINY * width:
        return _gaussian(r, width, 2 * a**2 / 3)

    def second(x):
        return x * math.sqrt(math.pi / 2) * width * erf(x / (math.sqrt(2) * width)) + width**2 * np.exp(
            -((x / width) ** 2) / 2
        )

    return (second(r + 2 * a) - 2 * second(r) + second(r - 2 * a)) / (4 * a**2)


def _gaussian(r, width, variance):
    """Return E exp(-(r + u)² / (2 width²)), u Gaussian of this variance."""
    square = width**2 + variance
    return width / math.sqrt(square) * np.exp(-(r**2) / (2 * square))


def _mean_of(X, theta, a, part):
    """Return the part of a component in mean_i E μ(x_i + u)."""
    weight, mean, C = part
    d = len(mean)
    S = theta**2 * np.eye(d) + C
    w = X - mean
    factor = weight * theta**d / math.sqrt(np.linalg.det(S))
    if d == 2 and S[0, 1] != 0 and a >= TINY * theta:
        places, weights = np.polynomial.legendre.leggauss(NODES)
        second = w[:, 1, None] + a * places  # second coordinate of x + u - m; given it, the first has a closed form
        first = w[:, 0, None] - S[0, 1] / S[1, 1] * second
        narrow = math.sqrt(S[0, 0] - S[0, 1] ** 2 / S[1, 1])
        values = np.exp(-(second**2) / (2 * S[1, 1])) * _once(first, narrow, a)
        return factor * float((values @ weights).mean()) / 2
    if d > 1 and a < TINY * theta:  # Gaussian noise of the same variance
        wider = S + a**2 / 3 * np.eye(d)
        exponent = (w @ np.linalg.inv(wider) * w).sum(axis=1)
        return weight * theta**d / math.sqrt(np.linalg.det(wider)) * float(np.exp(-exponent / 2).mean())
    values = np.prod([_once(w[:, k], math.sqrt(S[k, k]), a) for k in range(d)], axis=0)
    return factor * float(values.mean())
