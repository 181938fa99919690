"""The minmax median of means of points in an RKHS: equation (5) of [lerasle2019monk], as a convex problem."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.linalg import coordinates
from explorer.types import Gram, Vector, Weights

from .majority import farthest_majority
from .median import centred, geometric_median

GAP = 1e-3  # the search ends if the best value of F exceeds its lower bound by less than this share
STEPS = 60  # the most steps of the search


def mon_mean(G: Gram) -> Vector:
    """Return the weights (Q,) of sum 1 of argmin_f sup_g lower-med_q (|f - μ_q|^2 - |g - μ_q|^2).

    `G` (Q, Q) is the Gram matrix of the μ_q. [lerasle2019monk], eq. (5). With g = f + s u the bracket is 2 s <u, μ_q -
    f> - s^2, so the supremum over s is the square of the positive part of F(f) = sup_{|u| <= 1} (lower-med_q <u, μ_q> -
    <u, f>). F is a supremum of functions linear in f, so it is convex. Its minimiser lies in the span of the block
    means, so only G is needed. For the linear kernel in one dimension it is the median of the block means (for even Q
    anywhere between the two middle ones, as F = 0 there).

    The method is the level method (Lemaréchal, Nemirovskii and Nesterov 1995, Math. Program. 69, 111) from the
    geometric median. Every direction that the search for the supremum finds cuts off the half-space where F is larger.
    The next f is the point nearest to the best so far at which all cuts allow F to be halfway to the lower bound. The
    search for the supremum proves nothing, so the bound is not proven either: compared with enumeration, F is at most a
    few percent above its minimum for Q <= 11.
    """
    return _Level(G).minimise()


def mon_objective(G: Gram, weights: Weights) -> float:
    """Return F (see mon_mean) at f = sum_q weights_q μ_q, as far as the search finds it.

    `weights` (Q,) have the sum 1.
    """
    Z: Any = coordinates(centred(G))
    return farthest_majority(Z - weights @ Z)[0]


class _Level:
    """State of the level method: points and directions as weights of the block means (Q,), and as vectors Z (Q, r)."""

    def __init__(self, G: Gram) -> None:
        self.Z: Any = coordinates(centred(G))
        self.best = geometric_median(G)
        self.scale = np.median(np.linalg.norm(self.Z - self.best @ self.Z, axis=1))
        self.value, self.bound = np.inf, 0.0
        self.directions, self.cuts = [], []  # u as weights of sum 0, and lower-med <u, μ_q>

    def minimise(self) -> Vector:
        """Return the weights of the point f at which F is least, see `mon_mean`."""
        v = self.best
        for _ in range(STEPS):
            self._cut(v)
            while self.value - self.bound > GAP * self.value:
                level = (self.value + self.bound) / 2
                move = self._towards(level)
                if move is not None:
                    v = self.best + move
                    break
                self.bound = level
            else:
                break
        return self.best

    def _cut(self, v):
        """Evaluate F at the point of weights v, and add the cut of its direction."""
        f = v @ self.Z
        value, b = farthest_majority(self.Z - f, np.array([u @ self.Z for u in self.directions]))
        if value < self.value:
            self.value, self.best = (value if value > 1e-9 * self.scale else 0.0), v
        if value > 0:
            u = (b - v) / value
            self.directions.append(u)
            self.cuts.append(value + u @ self.Z @ f)

    def _towards(self, level):
        """Return the least move from the best point so far to one where no cut exceeds `level`, or None if none exists.

        The move is a vector of weights of sum 0. The method is least distance programming by non-negative least squares
        (Lawson and Hanson 1974, ch. 23).
        """
        from scipy.optimize import nnls  # imported here for the same reason as in majority.System.nearest

        weights = np.array(self.directions)
        U = weights @ self.Z
        need = (np.array(self.cuts) - level - U @ (self.best @ self.Z)) / self.value
        E = np.vstack([U.T, need])
        y, left = nnls(E, np.append(np.zeros(len(E) - 1), 1.0), maxiter=100 * len(need))
        rest = 1 - need @ y  # = left^2, apart from rounding
        if left < 1e-6 or rest <= 0:
            return None
        return self.value * (y @ weights) / rest
