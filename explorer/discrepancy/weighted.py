"""What an estimator of a kernel mean makes of a split, so that tests may compare any two estimates.

Whatever the estimator leaves to choose is chosen once, on the pooled sample, and held over all splits. Kept from the
original split it would break the level (0.085 in place of 0.05 for 15 points against 40); the pooled sample is the same
for all splits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.estimators import FKMSE, KME, SKMSE, SpectralKMSE
from explorer.estimators.base import Estimator
from explorer.estimators.constraints import inverse_sum
from explorer.kernels import Precomputed

from .permutation import SLACK, permutations
from .tiled import LARGE, between

ENTRIES = 2**22  # of the Gram matrices solved at once: 32 MB
SOLVABLE = 1e-10  # λ over the trace of K above which a solve moves an estimate by less than 1e-10 of itself


class Plain(NamedTuple):
    """Equal weights, `scale` / n each: then MMD^2 is scale^2 times that of the plain means, and U has a meaning.

    covariance  (d, d) of the Gaussian that every point carries, None for point masses
    """

    scale: float = 1.0
    covariance: np.ndarray | None = None


def checked(estimator, kernel, statistic):
    """The estimator, a KME where it is None.

    TypeError, ValueError where it cannot be compared by this kernel and statistic.
    """
    estimator = KME() if estimator is None else estimator
    if not isinstance(estimator, Estimator):
        raise TypeError(
            f"estimator must be an estimator of a kernel mean such as SKMSE(), or None, not {checks.shown(estimator)}."
        )
    if estimator.kernel is not None and kernel is not None and estimator.kernel != kernel:
        raise ValueError(
            f"the estimator's kernel is {checks.shown(estimator.kernel)} and the one given is {checks.shown(kernel)}; "
            "leave the estimator's at None, or give both the same."
        )
    if statistic == "unbiased" and not has_equal_weights(estimator):
        raise ValueError(
            "statistic='unbiased' leaves out the pairs i = j, which has a meaning for equal weights only, and those of"
            f" {type(estimator).__name__} differ; take statistic='biased'."
        )
    return estimator


def has_equal_weights(estimator):
    """Whether the estimator weighs all points of any sample alike, whatever it chooses."""
    if isinstance(estimator, SKMSE):
        return estimator.weights != "simplex"
    if isinstance(estimator, FKMSE):
        return estimator.lam == 0 or estimator.weights == "simplex"
    if isinstance(estimator, SpectralKMSE):
        return estimator.lam == 0 and estimator.steps != 0
    return isinstance(estimator, KME) or hasattr(estimator, "sigma")  # σ moves points, not weights


def means(estimator, kernel, P):
    """The estimator with what it leaves to choose chosen on the pooled points P, and how it weighs a split of them."""
    given = estimator.replace(kernel=kernel)
    if isinstance(given, KME):
        return given, Plain()
    settled = getattr(given, "sigma" if hasattr(given, "sigma") else "lam", None) is not None
    if len(P) > LARGE and not (settled and has_equal_weights(given)):
        raise ValueError(
            f"{type(estimator).__name__} needs the whole Gram matrix of the pooled points, and X and Y have {len(P)}"
            f" together; give at most {LARGE}, or compare the plain means: estimator=None."
        )
    chosen = given.select(P)
    if hasattr(chosen, "sigma"):
        variance = np.asarray(chosen.sigma, dtype=np.float64) ** 2
        return chosen, Plain(1.0, checks.covariance(variance, P.shape[1]) if variance.any() else None)
    if not has_equal_weights(chosen):
        return chosen, Weighted(chosen, between(kernel, P, P))
    return chosen, Plain(_scale(chosen, P) if isinstance(chosen, SKMSE) else 1.0)


def _scale(chosen, P):
    """s in μ̃ = s μ̂ + (a multiple of the target), which both sides share, so that it leaves their difference."""
    keep = 1 / (1 + chosen.lam)
    chosen.embed(P[:1])  # a target of another kernel, and weights that sum to 0, are refused here
    if chosen.weights == "free":
        return keep
    return keep / (keep + (0.0 if chosen.target is None else (1 - keep) * chosen.target.weights.sum()))


class Weighted:
    """Estimates β whose weights depend on the split: |sum_i β_i k(x_i, .) - sum_j β_j k(y_j, .)|^2.

    F-KMSE at a fixed λ solves (K + λI) β = K 1/n on both halves of every split: O(n^3 + m^3) each, many at a time. Any
    other estimator is asked for its weights split by split, at the cost of its own `embed`.
    """

    def __init__(self, chosen, K):
        self.K, self.chosen, trace = K, chosen, float(np.trace(K))
        tikhonov = isinstance(chosen, FKMSE) or (isinstance(chosen, SpectralKMSE) and chosen.filter == "tikhonov")
        self.lam = chosen.lam if tikhonov and SOLVABLE * trace <= chosen.lam < math.inf and chosen.lam > 0 else None
        # a solve moves an estimate by eps |K| |β| / (2 sqrt(λ)) at most; estimators' own solvers are good to 1e-9 and
        # better
        slack = 1e-9 if self.lam is None else SLACK * (1 + math.sqrt(trace / self.lam))
        self.magnitude = slack / SLACK * float(np.abs(K).sum())
        self.rows = chosen.replace(kernel=Precomputed.trusted(K)) if self.lam is None else None

    def observed(self, n):
        return float(self._values(np.arange(len(self.K))[None], n)[0])

    def null(self, n, count, rng):
        N = len(self.K)
        wide = max(1, ENTRIES // max(n, N - n) ** 2)
        parts = (order[i : i + wide] for order in permutations(N, count, rng) for i in range(0, len(order), wide))
        return np.concatenate([self._values(part, n) for part in parts])

    def _values(self, order, n):
        """The statistic of each permutation of `order` (b, N), whose first n points stand in for X."""
        W = np.zeros(order.shape)
        np.put_along_axis(W, order[:, :n], self._weights(order[:, :n]), axis=1)
        np.put_along_axis(W, order[:, n:], -self._weights(order[:, n:]), axis=1)
        return np.einsum("bi,bi->b", W @ self.K, W)

    def _weights(self, rows):
        """β (b, n) of the points of each of `rows` (b, n)."""
        if self.lam is None:
            return np.array([self._embedded(row) for row in rows])
        K = self.K[rows[:, :, None], rows[:, None, :]]
        right, each = K.mean(axis=2), np.arange(rows.shape[1])
        K[:, each, each] += self.lam
        beta = np.linalg.solve(K, right[:, :, None])[:, :, 0]
        if self.chosen.weights == "free":
            return beta
        return np.array([inverse_sum(b, self.chosen) * b for b in beta])

    def _embedded(self, row):
        """The weights of the points `row` (n,), in that order, as the estimator gives them on the Gram matrix alone."""
        embedding = self.rows.embed(row[:, None])
        beta = np.zeros(len(self.K))
        np.add.at(beta, embedding.points[:, 0].astype(int), embedding.weights)
        return beta[row]
