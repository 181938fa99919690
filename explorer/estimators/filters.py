"""Spectral filters h(γ): the share that an estimate keeps of each eigendirection of the Gram matrix.

The estimate is β = U h(γ) c / n for K = U diag(γ) U', c = U'1; h = γ g(γ), where g(γ) replaces 1/γ. All parameters act
on the eigenvalues γ of K. Papers that filter K / n have λ / n, so theirs times n is the λ here. Every function takes γ
>= 0 and its parameter as arrays that broadcast, such as (n, 1) and (m,), and returns h in their common shape.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import xlog1py

from explorer.types import Matrix, Rows, Values, Vector

# Eigenvalues whose relative difference is below this are equal: LAPACK's are exact to a few eps of the largest.
SAME = 1e-12


def tikhonov(gamma: Values, lam: Vector) -> Values:
    """Return the filter γ / (γ + λ): 1 at λ = 0 even if γ = 0, and 0 at λ = inf."""
    bottom = gamma + lam
    return np.where(lam == 0, 1.0, np.divide(gamma, bottom, out=np.zeros(bottom.shape), where=bottom > 0))


def iterated_tikhonov(gamma: Values, lam: Vector, steps: int) -> Values:
    """Return the filter 1 - (λ / (γ + λ))^t after t steps, each of which fits the residual of the steps before.

    t = 1 is Tikhonov, t = 0 is 0. At λ = 0 one step keeps all, null directions included.
    """
    gamma, lam = np.asarray(gamma, dtype=float), np.asarray(lam, dtype=float)
    with np.errstate(over="ignore"):  # a γ/λ that overflows counts as infinite: h = 1
        ratio = np.divide(gamma, lam, out=np.full(np.broadcast_shapes(gamma.shape, lam.shape), np.inf), where=lam > 0)
    # (λ / (γ + λ))^t = exp(-t log(1 + γ/λ)), and expm1 keeps its digits if h is small.
    return -np.expm1(-xlog1py(steps, ratio))


def landweber(gamma: Values, steps: int | Rows | Values, top: float | Values | None = None) -> Values:
    """Return the filter 1 - (1 - η γ)^t of t gradient steps of length η = 1 / γ_max.

    `top` is γ_max; None takes the largest of gamma. The steps are b_t = b_(t-1) + η (K 1/n - K b_(t-1)) from b_0 = 0.
    Null directions stay at 0 for every t.
    """
    return -np.expm1(xlog1py(steps, -_share(gamma, top)))


def nu(gamma: Any, steps: Any, top: Any = None) -> Values:
    """Return the filter of the ν-method (Brakhage 1987) after t steps, ν = 1.

    The method takes gradient steps with a momentum that is known beforehand:

    b_t = b_(t-1) + μ_t (b_(t-1) - b_(t-2)) + ω_t η (K 1/n - K b_(t-1)), where η = 1 / γ_max, `top` = γ_max as for
    landweber, μ_t = (t-1)(2t-3)(2t+1) / ((t+1)(2t+3)(2t-1)) and ω_t = 4 (2t+1) t / ((t+1)(2t+3)). The residual r = 1 -
    h is a polynomial in ηγ with |r| <= 1 and ηγ |r| = O(t^-2); Landweber has t^-1. It may be negative, so h may exceed
    1.
    """
    steps = np.asarray(steps)
    out = np.zeros(np.broadcast_shapes(np.shape(gamma), np.shape(top), steps.shape))
    wanted = set(steps.ravel().tolist())
    for t, h in zip(range(max(wanted, default=0) + 1), nu_path(gamma, top), strict=False):
        if t in wanted:
            np.copyto(out, np.asarray(h), where=steps == t)
    return out


def nu_path(gamma: Matrix, top: Matrix | None = None) -> Iterator[Values | None]:
    """Yield the filter values of the ν-method after 0, 1, 2, ... steps, without end."""
    x = _share(gamma, top)
    before = h = np.zeros(x.shape)
    for t in itertools.count(1):
        yield h
        momentum = (t - 1) * (2 * t - 3) * (2 * t + 1) / ((t + 1) * (2 * t + 3) * (2 * t - 1))
        length = 4 * (2 * t + 1) * t / ((t + 1) * (2 * t + 3))
        before, h = h, h + momentum * (h - before) + length * x * (1 - h)


def tsvd(gamma: Values, lam: Vector) -> Values:
    """Return the filter 1[γ >= λ] of the truncated decomposition, which keeps eigenvalues below λ by rounding alone."""
    return np.where(gamma >= np.asarray(lam) * (1 - SAME), 1.0, 0.0)


def _share(gamma, top):
    """Return ηγ = γ / γ_max, between 0 and 1; 0 if all γ are 0."""
    gamma = np.asarray(gamma, dtype=float)
    top = gamma.max() if top is None else np.asarray(top, dtype=float)
    share = np.divide(gamma, top, out=np.zeros(np.broadcast_shapes(gamma.shape, np.shape(top))), where=top > 0)
    return np.minimum(share, 1.0)
