"""The most even probabilities on given points whose kernel mean is within ε of a given one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from explorer.linalg import operator, pivoted_cholesky
from explorer.types import Vector

if TYPE_CHECKING:
    from .relative import Relative


DENSE = 400  # features up to which a Newton step solves their own equations; beyond, by conjugate gradients
TOLERANCE = 1e-13  # of max k, left of the Gram matrix by its features: a squared distance errs by no more
RESIDUAL = 1e-11  # of the features' size, of a gradient of the dual
STEPS, HALVINGS, ROUNDS = 100, 40, 150  # of Newton's method, of a step, of conjugate gradients
STRONGEST = 1e14  # t over 1/max k: beyond it f is noise
FACTOR = 8.0  # from one t to the next
WITHIN = 1e-7  # of ε: how far below it the distance ends


class Family(NamedTuple):
    """p ∝ exp(f) with f = t (μ̂ - μ_p); logits are f - log Z on the points, distance is |μ̂ - μ_p|."""

    t: float
    logits: np.ndarray
    distance: float

    @property
    def probabilities(self) -> Vector:
        """p on the points, (g,)."""
        return np.exp(self.logits)


class Dual:
    """min over p of Σ p log p + (t/2) |μ̂ - μ_p|² on points g_j, by its dual: a smooth strictly convex function.

    With features K = F F' of the points' Gram matrix (pivoted Cholesky, as many as rounding leaves) and the coordinates
    b of μ̂'s projection on their span, the dual is log Σ exp(F v) - <v, b> + |v|²/(2t) with v = t (b - F'p): then
    f = F v on the points, and what of μ̂ lies outside of their span adds its squared length, `rest`, to the distance.

    relative  the Relative of μ̂ and the points: of increments f differs by a constant, and p not at all
    """

    size: float
    rest: float
    b: np.ndarray

    def __init__(self, relative: Relative) -> None:
        diagonal, values, square = relative.diagonal, relative.values, relative.square
        self.F, pivots, _ = pivoted_cholesky(diagonal, relative.column, tolerance=TOLERANCE)
        self.size = math.sqrt(float(diagonal.max())) or 1.0
        L = np.tril(self.F[pivots])  # what stands above the diagonal is rounding
        self.b = np.linalg.solve(L, values[pivots]) if len(pivots) else np.zeros(0)
        self.rest = max(square - float(self.b @ self.b), 0.0)

    def family(self, v: Any, t: float) -> Family:
        """The Family of v = t (b - F'p)."""
        logits = self.F @ v
        logits = logits - logsumexp(logits)
        gap = self.b - self.F.T @ np.exp(logits)
        return Family(t, logits, math.sqrt(float(gap @ gap) + self.rest))

    def least(self, penalty: Callable[..., Any], v: Any, residual: float) -> Vector:
        """v that makes log Σ exp(F v) - <v, b> + penalty(v) least, from a first guess.

        By Newton's method with halved steps, to a gradient of `residual`; penalty gives its value, its gradient and its
        Hessian as (a, c): a I - c c'.
        """
        objective, p, gradient, hessian = self._value(penalty, v)
        for _ in range(STEPS):
            if np.linalg.norm(gradient) <= residual:
                break
            step = self._newton(p, gradient, *hessian)
            slope, length = float(gradient @ step), 1.0
            for _ in range(HALVINGS):
                trial = self._value(penalty, v - length * step)
                if trial[0] <= objective - 1e-4 * length * slope:
                    break
                length /= 2
            else:
                break  # rounding leaves nothing to gain
            v, (objective, p, gradient, hessian) = v - length * step, trial
        return v

    def _value(self, penalty, v):
        """The function, the probabilities, the gradient and the penalty's Hessian at v."""
        f = self.F @ v
        total = logsumexp(f)
        p = np.exp(f - total)
        value, slope, hessian = penalty(v)
        return total - v @ self.b + value, p, self.F.T @ p - self.b + slope, hessian

    def _newton(self, p, gradient, a, c):
        """(Cov_p(F) + a I - c c')^-1 gradient."""
        mean = self.F.T @ p
        if len(gradient) <= DENSE:
            H = (self.F * p[:, None]).T @ self.F - np.outer(mean, mean) - np.outer(c, c)
            H[np.diag_indices(len(H))] += a
            return np.linalg.solve(H, gradient)
        from scipy.sparse.linalg import cg

        def product(u):
            u = np.ravel(u)
            return self.F.T @ (p * (self.F @ u)) - mean * (mean @ u) + a * u - c * (c @ u)

        r, size = len(gradient), float(np.linalg.norm(gradient))
        # an inexact step is still one downhill, and its error falls with the gradient, so that the last are Newton's
        enough = min(0.1, math.sqrt(size / self.size))
        return cg(operator(r, product), gradient, rtol=enough, maxiter=ROUNDS)[0]


def nearest_within(dual: Dual, eps: float) -> tuple[Family, float] | tuple[None, float]:
    """(Family, least distance met): the most even p with |μ̂ - μ_p| <= eps; None where none comes so near.

    With |v|²/(2t) in the dual, the distance falls as t rises, from that of equal probabilities at t = 0; t is raised by
    factors until it is below eps. From there eps' |v| in the place of |v|²/(2t) gives the p of distance eps at once,
    eps'² = eps² - rest, and t = |v| / eps'.
    """
    g, aim = len(dual.F), eps * (1 - WITHIN)
    family = dual.family(np.zeros_like(dual.b), 0.0)
    if family.distance <= eps:
        return family._replace(logits=np.full(g, -math.log(g))), family.distance
    if aim**2 <= dual.rest:
        return None, math.sqrt(dual.rest)
    t, v, before = 1 / dual.size**2, np.zeros_like(dual.b), math.inf
    while True:
        v = dual.least(_quadratic(t), v, 0.01 * eps)
        distance = dual.family(v, t).distance
        if distance <= aim:
            break
        stuck = distance > before * (1 - 1e-6) and t * dual.size**2 > 1e6
        if stuck or t * dual.size**2 > STRONGEST:
            return None, min(distance, before)
        t, v, before = FACTOR * t, FACTOR * v, distance
    inner = math.sqrt(aim**2 - dual.rest)
    v = dual.least(_norm(inner), v, RESIDUAL * dual.size)
    return dual.family(v, float(np.linalg.norm(v)) / inner), eps


def _quadratic(t):
    """|v|²/(2t) with its gradient and Hessian."""
    return lambda v: (v @ v / (2 * t), v / t, (1 / t, np.zeros_like(v)))


def _norm(eps):
    """ε |v| with its gradient and Hessian; v = 0 is met only where equal probabilities are near enough."""

    def penalty(v):
        length = float(np.linalg.norm(v)) or np.finfo(float).tiny
        return eps * length, eps * v / length, (eps / length, math.sqrt(eps / length) * v / length)

    return penalty
