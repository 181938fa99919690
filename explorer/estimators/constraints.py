"""What the weights of an estimate may be held to: free, summing to one, or probabilities."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from explorer.checks import Refusal
from explorer.linalg import eigh_psd
from explorer.parameters import Choice
from explorer.types import Constraint, Gram, Mask, Values, Vector, Weights


def weights_field(default: Constraint = "free") -> Any:
    """The parameter `weights` of an estimator, its last."""
    words = {"as they are": "free", "sum to one": "sum-to-one", "on the simplex": "simplex"}
    return Choice(default=default, objects=words, doc="free, divided by their sum, or probabilities")


class Constrained(Protocol):
    """An estimator with the field `weights`."""

    @property
    def weights(self) -> Constraint: ...


def refuse_simplex(estimator: Constrained, reason: str) -> None:
    """ValueError where the estimator's weights are to lie on the simplex."""
    if estimator.weights == "simplex":
        raise Refusal(f"{type(estimator).__name__} has no weights='simplex': {reason}. Take 'free' or 'sum-to-one'.")


def summing_to_one(beta: Vector, estimator: Constrained) -> Vector:
    """Weights beta (n,) over their sum where the estimator's are to sum to one, else as they are."""
    return beta if estimator.weights == "free" else inverse_sum(beta, estimator) * beta


def inverse_sum(weights: Weights, estimator: object, vanishes: bool | Mask = False) -> float:
    """1 / sum of the weights (n,), by which "sum-to-one" multiplies; ValueError where the sum is 0 but for rounding."""
    total = float(weights.sum())
    # a sum of n terms is exact to n * eps of their magnitudes
    if vanishes or abs(total) <= len(weights) * np.finfo(float).eps * np.abs(weights).sum():
        raise Refusal(
            f"{type(estimator).__name__} gives weights that sum to 0 on this sample, so none of their multiples sums to"
            " 1; shrink less or take weights='free'."
        )
    return 1 / total


def vanishes(h: Values, gamma: Values, c: Values) -> Mask:
    """Whether the weights of a filter h (..., n, m) sum to 0, rounding aside, (..., m).

    It keeps no direction of the mean.

    1'β = sum_l h_l c_l^2 / n for K = U diag(γ) U', c = U'1 and γ rising, both (..., n). (U'K1)_l = γ_l c_l tells a
    direction of the mean from rounding, which a tiny γ_l or c_l alone may be. Where h is 1 for all, β is 1/n whatever K
    is.
    """
    known = gamma * np.abs(c) > gamma.shape[-1] ** 1.5 * np.finfo(float).eps * gamma[..., -1:]
    if h.ndim > gamma.ndim:
        known = known[..., None]
    axis = gamma.ndim - 1
    return ~((h > 0) & known).any(axis=axis) & (h < 1).any(axis=axis)


def on_simplex(K: Gram, keep: float) -> Vector:
    """The β >= 0 with sum 1 that minimises β'Kβ - 2 keep β'K 1/n, for any Gram matrix K (n, n), singular ones included.

    On the simplex that is |Aβ|^2 but for a constant, with the columns φ_i - keep μ̂ of A: the point nearest to 0 in
    their convex hull. Where several β give that point, the one of least norm: that of keep = 1 is 1/n.
    """
    n = len(K)
    gamma, U = eigh_psd(K)
    real = gamma > 1e3 * n * np.finfo(float).eps * gamma[-1]  # below lies rounding: eigh_psd's own bound
    if not real.any():
        return np.full(n, 1 / n)
    features = (U[:, real] * np.sqrt(gamma[real] / gamma[-1])).T
    A = features - keep * features.mean(axis=1, keepdims=True)
    beta = _nearest(A)
    # a point whose pull is above the least has no weight in any minimiser; 1e-9 is far above the solver's 1e-13
    pull = A.T @ (A @ beta)
    face = pull <= pull @ beta + 1e-9 * (A**2).sum(axis=0).max()
    spread = np.zeros(n)
    spread[face] = _least_norm(A[:, face], beta[face])
    return spread


def _nearest(A):
    """Convex weights (n,) of the columns of A whose combination is nearest to 0, exactly.

    For y = sβ, |Ay|^2 + (s - 1)^2 is least over s at |Aβ|^2 / (1 + |Aβ|^2), which rises with |Aβ|: so non-negative
    least squares finds β, with a sum that is never 0.
    """
    from scipy.optimize import nnls  # a fifth of a second that `import explorer` does not owe

    y = nnls(np.vstack([A, np.ones(A.shape[1])]), np.append(np.zeros(len(A)), 1.0), maxiter=30 * A.shape[1])[0]
    return y / y.sum()


def _least_norm(A, beta):
    """Among the convex weights with the same combination of the columns of A as beta, those of least norm."""
    from scipy.optimize import nnls

    E = np.vstack([A - A.mean(axis=1, keepdims=True), np.ones(A.shape[1])])
    U, s, Vt = np.linalg.svd(E)
    # columns have length 1 at most; those of equal points agree to 1e-10, and what is kept of K differs by 1e-6 and
    # more
    rank = int((s > 1e-8).sum())
    least = Vt[:rank].T @ (U[:, :rank].T @ np.append(-A.mean(axis=1), 1.0) / s[:rank])
    free = Vt[rank:].T
    if (least < 0).any() and free.size:
        # least |v| with free v >= -least: Lawson and Hanson 1974, ch. 23, "least distance programming"
        G = np.vstack([free.T, -least])
        last = np.append(np.zeros(len(G) - 1), 1.0)
        rest = G @ nnls(G, last, maxiter=30 * G.shape[1])[0] - last
        if rest[-1] < 0:
            least = least - free @ (rest[:-1] / rest[-1])
    convex = np.maximum(least, 0.0) / np.maximum(least, 0.0).sum()
    # a point that just touches the face may push `least` off the simplex by more than rounding: then beta's own norm
    # stays
    return convex if np.linalg.norm(A @ convex) <= np.linalg.norm(A @ beta) + 1e-10 else beta
