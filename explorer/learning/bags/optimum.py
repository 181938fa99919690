"""Exact optimum of support vector machines: scikit-learn's solver finds the supports, linear algebra their weights.

A solver stops within its tolerance of the optimum, and the last bit of the Gram matrix changes the point at which it
stops. The sets that it has found, weights of 0, weights at their bound and those between, determine the optimum
exactly.
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.linalg import power_of_two
from explorer.types import Gram, Vector

PRECISION = 1e-5  # the solver's tolerance of the conditions of the optimum
ROUNDING = 1e-9  # the relative tolerance of these conditions here
SOLVABLE = (1e-200, 1e200)  # costs that the solver takes for a K of size 1
STEPS = 1_000_000  # the most steps of the solver; a thousand bags take some thousands, a huge cost any number
ROUNDS = 50  # the most changes of the sets, before the solver's answer is taken


class Optimum(NamedTuple):
    """The β (l,) and b of the least β'Kβ / 2 - t'β with Σ β given and each β_i between 0 and a bound.

    Kβ + b = t for the weights between.
    """

    weights: np.ndarray
    intercept: float


def classifier(K: Gram, signs: Vector, C: float, counts: Vector | None = None) -> Optimum:
    """Return the Optimum of a support vector machine: 0 <= signs β <= C, Σ β = 0; f = Kβ + b.

    `signs` (l,) are -1 and 1. `counts` (l,) multiply the bound C of each bag if they are given. There is a warning if
    the solver stops after STEPS steps, and its sets do not determine an optimum.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    unit = power_of_two(float(np.abs(K).max()))  # the problem of K / unit has the same solution, with β times unit
    solver = SVC(C=float(np.clip(C * unit, *SOLVABLE)), kernel="precomputed", tol=PRECISION, max_iter=STEPS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        solver.fit(K / unit, signs, sample_weight=counts)
    weights = np.zeros(len(K))
    weights[solver.support_] = solver.dual_coef_[0] / unit
    found = Optimum(weights, float(solver.intercept_[0]))
    settled = _settled(K, signs, 0.0, C * signs * (1.0 if counts is None else counts), found)
    if settled is found and solver.n_iter_.max() >= STEPS:
        checks.warn(
            f"the support vector solver stopped after {STEPS:,} steps, short of the optimum; a smaller C is found"
            " sooner."
        )
    return settled


def one_class(K: Gram, nu: float, counts: Vector | None = None) -> Optimum:
    """Return the Optimum of a one-class machine: 0 <= β <= 1 / (νl), Σ β = 1, t = 0; f = Kβ + b, so ρ is -b.

    Parameters
    ----------
    K : ndarray of shape (l, l)
        The Gram matrix.
    nu : float
        The share ν.
    counts : ndarray of shape (l,), optional
        The number of times that each bag counts. l is then their sum, and the bounds are multiplied by them.

    Returns
    -------
    Optimum
        The weights and the intercept.
    """
    from sklearn.svm import OneClassSVM

    once = np.ones(len(K)) if counts is None else counts
    l = once.sum()
    if nu == 1:  # β is unique, and ρ is the least value that satisfies the conditions
        weights = once / l
        return Optimum(weights, -float((K @ weights).max()))
    unit = power_of_two(float(np.abs(K).max()))  # the solver's tolerance is absolute
    solver = OneClassSVM(kernel="precomputed", nu=nu, tol=PRECISION).fit(K / unit, sample_weight=counts)
    weights, total = np.zeros(len(K)), solver.dual_coef_.sum()  # νl
    weights[solver.support_] = solver.dual_coef_[0] / total
    found = Optimum(weights, float(-unit * float(solver.offset_[0]) / total))
    return _settled(K, np.zeros(len(K)), 1.0, once / (nu * l), found)


def _settled(K, t, mass, bound, found):
    """Return the exact optimum from a solver's answer, or that answer if no sets of weights are consistent.

    A free weight that passes 0 or its bound is put there; one that is there and gains by moving is set free.
    """
    share = found.weights / bound
    held = share > 1 - 1e-7  # the solver puts them at their bound up to about the last bit
    free = (share > 0) & ~held
    for _ in range(ROUNDS):
        weights, intercept = _between(K, t, mass, np.where(held, bound, 0.0), free)
        if weights is None:
            return found
        # Above 0 if the condition is violated in the direction in which the weight would gain by moving.
        gain = np.sign(bound) * (t - K @ weights - intercept)
        share, size = weights / bound, ROUNDING * max(np.abs(t).max(), np.abs(K @ weights).max())
        above, below = free & (share > 1 + ROUNDING), free & (share < -ROUNDING)
        wakes = ~free & np.where(held, gain < -size, gain > size)
        if not (above | below | wakes).any():
            inside = np.where(bound > 0, np.clip(weights, 0, bound), np.clip(weights, bound, 0))
            return Optimum(inside, intercept)
        free, held = (free & ~above & ~below) | wakes, (held | above) & ~wakes
    return found


def _between(K, t, mass, weights, free):
    """Return weights with Kβ + b = t for the `free` ones, and b; (None, 0.0) if there are none or no solution."""
    rows = np.flatnonzero(free)
    if not len(rows):
        return None, 0.0
    A = np.ones((len(rows) + 1, len(rows) + 1))
    A[:-1, :-1], A[-1, -1] = K[np.ix_(rows, rows)], 0.0
    right = np.append(t[rows] - K[rows] @ weights, mass - weights.sum())
    unit = power_of_two(float(np.abs(A[:-1, :-1]).max()))  # brings K and the ones to one size
    A[:-1, :-1] /= unit
    right[:-1] /= unit
    try:
        solution = np.linalg.solve(A, right)
    except np.linalg.LinAlgError:
        return None, 0.0
    if not np.abs(A @ solution - right).max() <= ROUNDING * max(np.abs(right).max(), np.abs(solution).max()):
        return None, 0.0
    weights = weights.copy()
    weights[rows] = solution[:-1]
    return weights, unit * float(solution[-1])
