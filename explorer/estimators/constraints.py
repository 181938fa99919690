"""Constraints on the weights of an estimate: free, summing to one, or probabilities."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from explorer.checks import Refusal
from explorer.linalg import eigh_psd
from explorer.parameters import Choice
from explorer.types import Constraint, Gram, Mask, Values, Vector, Weights


def weights_field(default: Constraint = "free") -> Any:
    """Return the parameter `weights` of an estimator, which is its last.

    Parameters
    ----------
    default : {"free", "sum-to-one", "simplex"}, default "free"
        The parameter's default.

    Returns
    -------
    Choice
        The parameter.
    """
    words = {"as they are": "free", "sum to one": "sum-to-one", "on the simplex": "simplex"}
    return Choice(default=default, objects=words, doc="free, divided by their sum, or probabilities")


class Constrained(Protocol):
    """An estimator with the field `weights`."""

    @property
    def weights(self) -> Constraint: ...


def refuse_simplex(estimator: Constrained, reason: str) -> None:
    """Raise a Refusal with `reason` if the estimator's weights are to lie on the simplex."""
    if estimator.weights == "simplex":
        raise Refusal(f"{type(estimator).__name__} has no weights='simplex': {reason}. Take 'free' or 'sum-to-one'.")


def summing_to_one(beta: Vector, estimator: Constrained) -> Vector:
    """Return the weights beta (n,) divided by their sum if the estimator's sum to one, otherwise unchanged."""
    return beta if estimator.weights == "free" else inverse_sum(beta, estimator) * beta


def inverse_sum(weights: Weights, estimator: object, vanishes: bool | Mask = False) -> float:
    """Return 1 / sum of the weights (n,), the factor of "sum-to-one".

    Raises
    ------
    Refusal
        If the sum is 0 apart from rounding.
    """
    total = float(weights.sum())
    # A sum of n terms is exact to n * eps times the sum of their magnitudes.
    if vanishes or abs(total) <= len(weights) * np.finfo(float).eps * np.abs(weights).sum():
        raise Refusal(
            f"{type(estimator).__name__} gives weights that sum to 0 on this sample, so none of their multiples sums to"
            " 1; shrink less or take weights='free'."
        )
    return 1 / total


def vanishes(h: Values, gamma: Values, c: Values) -> Mask:
    """Return whether the weights of a filter h (..., n, m) sum to 0 apart from rounding, shape (..., m).

    This is so if the filter keeps no direction of the mean.

    1'β = sum_l h_l c_l^2 / n for K = U diag(γ) U' and c = U'1, where γ rises and both have shape (..., n). (U'K1)_l =
    γ_l c_l distinguishes a direction of the mean from rounding; a tiny γ_l or c_l alone may be either. If all h are 1,
    β is 1/n for any K.
    """
    known = gamma * np.abs(c) > gamma.shape[-1] ** 1.5 * np.finfo(float).eps * gamma[..., -1:]
    if h.ndim > gamma.ndim:
        known = known[..., None]
    axis = gamma.ndim - 1
    return ~((h > 0) & known).any(axis=axis) & (h < 1).any(axis=axis)


def on_simplex(K: Gram, keep: float) -> Vector:
    """Return the β >= 0 with sum 1 that minimises β'Kβ - 2 keep β'K 1/n, for any Gram matrix, also a singular one.

    On the simplex this objective is |Aβ|^2 up to a constant, with the columns φ_i - keep μ̂ of A, so Aβ is the point of
    their convex hull that is nearest to 0. If several β give that point, the one of least norm is returned; for keep =
    1 it is 1/n.
    """
    n = len(K)
    gamma, U = eigh_psd(K)
    real = gamma > 1e3 * n * np.finfo(float).eps * gamma[-1]  # smaller ones are rounding: this is eigh_psd's own bound
    if not real.any():
        return np.full(n, 1 / n)
    features = (U[:, real] * np.sqrt(gamma[real] / gamma[-1])).T
    A = features - keep * features.mean(axis=1, keepdims=True)
    beta = _nearest(A)
    # A point whose pull is above the least has no weight in any minimiser; 1e-9 is far above the solver's 1e-13.
    pull = A.T @ (A @ beta)
    face = pull <= pull @ beta + 1e-9 * (A**2).sum(axis=0).max()
    spread = np.zeros(n)
    spread[face] = _least_norm(A[:, face], beta[face])
    return spread


def _nearest(A):
    """Return the convex weights (n,) of the columns of A whose combination is nearest to 0, exactly.

    For y = sβ, |Ay|^2 + (s - 1)^2 takes its least value over s, |Aβ|^2 / (1 + |Aβ|^2), which rises with |Aβ|. So
    non-negative least squares finds β, with a sum that is never 0.
    """
    from scipy.optimize import nnls  # imported here: it would add 0.2 s to `import explorer`

    y = nnls(np.vstack([A, np.ones(A.shape[1])]), np.append(np.zeros(len(A)), 1.0), maxiter=30 * A.shape[1])[0]
    return y / y.sum()


def _least_norm(A, beta):
    """Return the convex weights of least norm that give the same combination of the columns of A as beta."""
    from scipy.optimize import nnls

    E = np.vstack([A - A.mean(axis=1, keepdims=True), np.ones(A.shape[1])])
    U, s, Vt = np.linalg.svd(E)
    # Columns have length 1 at most. Those of equal points agree to 1e-10; different directions that on_simplex keeps of
    # K differ by at least 1e-6.
    rank = int((s > 1e-8).sum())
    least = Vt[:rank].T @ (U[:, :rank].T @ np.append(-A.mean(axis=1), 1.0) / s[:rank])
    free = Vt[rank:].T
    if (least < 0).any() and free.size:
        # The least |v| with free v >= -least: Lawson and Hanson 1974, ch. 23, "least distance programming".
        G = np.vstack([free.T, -least])
        last = np.append(np.zeros(len(G) - 1), 1.0)
        rest = G @ nnls(G, last, maxiter=30 * G.shape[1])[0] - last
        if rest[-1] < 0:
            least = least - free @ (rest[:-1] / rest[-1])
    convex = np.maximum(least, 0.0) / np.maximum(least, 0.0).sum()
    # A point that just touches the face may push `least` off the simplex by more than rounding. Then beta is returned.
    return convex if np.linalg.norm(A @ convex) <= np.linalg.norm(A @ beta) + 1e-10 else beta
