"""Estimators of kernel means in HSIC: how an estimator acts on the sides or weighs the pairs.

A marginalized estimator gives the points of a side their noise. Its σ is chosen on that side alone, and no order of the
other side changes it. An estimator with weights weighs pairs: it estimates the mean of φ~(x_i) ⊗ ψ~(y_i), whose Gram
matrix is H = A ∘ B. Its open parameters depend on the pairing, so they are chosen again in every order. A λ of the
given pairing, fixed for the others, would compare it with values for which no λ was chosen. A pooled sample does not
exist: the mean of all n^2 pairs (x_i, y_j) is 0, and every estimator would shrink to it all the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.mean_estimators import ENTRIES, SOLVABLE, checked_estimator, warn_of_long_work
from explorer.discrepancy.resampling.permutation import SLACK, permutations
from explorer.discrepancy.resampling.tiled_gram import LARGE
from explorer.estimators.base import Estimator
from explorer.estimators.simple import Summary
from explorer.printing import model_text
from explorer.public_names.synonyms import refuse_other
from explorer.types import Matrix, Points, Rng, Rows, Values, Vector

from .centred_grams import Centred, StoredGram, TiledSide

if TYPE_CHECKING:
    from explorer.kernels import Kernel


EXAMPLE = np.array([[1.0, 0.5], [0.5, 1.0]])  # the Gram matrix of two points for which S-KMSE chooses λ = 1


OfSides: TypeAlias = Estimator | Sequence[Estimator | None] | None  # one estimator for both sides, or one for each


class Estimators(NamedTuple):
    """Marginalized estimator of each side's points, or None, and the one that weighs the pairs; None weighs 1/n."""

    sides: tuple[Estimator | None, Estimator | None]
    pairs: Estimator | None = None

    def __str__(self) -> str:
        named = [
            model_text(each.replace(kernel=None))
            for each in (*self.sides, self.pairs)
            if each is not None and not each.plain
        ]
        return f" of {' and '.join(dict.fromkeys(named))}" if named else ""


def read_estimators(
    estimator: OfSides, kernels: tuple[Kernel | None, Kernel | None], statistic: str
) -> tuple[Estimators, tuple[Kernel | None, Kernel | None]]:
    """Return the Estimators and both sides' kernels, taken from them if None; errors as `checked_estimator`."""
    if estimator is None:
        return Estimators((None, None)), kernels
    if not isinstance(estimator, (tuple, list)):
        refuse_other(estimator, Estimator, "estimator", optional=True)
    given = (estimator, estimator) if isinstance(estimator, Estimator) else tuple(estimator)
    if len(given) != 2:
        raise Refusal(f"estimator holds {len(given)} estimators; give one for both sides, or a pair.")
    x, y = (checked_estimator(each, kernel, statistic) for each, kernel in zip(given, kernels, strict=True))
    kernel_x, kernel_y = (
        each.kernel if kernel is None else kernel for each, kernel in zip((x, y), kernels, strict=True)
    )
    weighing_pairs = [each for each in (x, y) if not each.plain and not each.noisy]
    if not weighing_pairs:
        return Estimators((x, y)), (kernel_x, kernel_y)
    if x != y:
        raise Refusal(
            f"{type(weighing_pairs[0]).__name__} weighs pairs (x_i, y_i), which have one weight for both sides; give it"
            " alone, not as one of a pair."
        )
    if x.target is not None:
        raise Refusal(
            f"{type(x).__name__}'s target is no cross-covariance operator, which is what pairs are shrunk"
            " towards; leave it at None, which is 0, independence."
        )
    return Estimators((None, None), x.replace(kernel=None)), (kernel_x, kernel_y)


def choose_noise(estimator: Estimator | None, kernel: Kernel, Z: Points) -> tuple[Estimator | None, Matrix | None]:
    """Choose σ of a side's estimator on its points Z (n, d); also return their noise covariance (d, d), or None."""
    if estimator is None or estimator.plain:
        return estimator, None
    if len(Z) > LARGE and not estimator.settled:
        raise Refusal(
            f"{type(estimator).__name__} needs a Gram matrix of {len(Z)} points to choose σ; give σ a number."
        )
    chosen = estimator.replace(kernel=kernel).select(Z)
    variance = np.asarray(chosen.point_noise, dtype=np.float64) ** 2
    return chosen, checks.covariance(variance, Z.shape[1]) if variance.any() else None


def pair_weighting(
    estimator: Estimator | None, x: Centred, y: Centred
) -> ScaledByEstimator | WeightedByEstimator | None:
    """Return the object that computes HSIC of weighted pairs from both centred sides, or None for weights 1/n."""
    if estimator is None:
        return None
    if estimator.equal_weights:
        estimator.on_gram(EXAMPLE)  # weights that sum to 0 are refused here
        if estimator.scale(Summary.of(EXAMPLE)) == 1:
            return None
        name = type(estimator).__name__
        checks.rows(x.diagonal, f"X, for the leave-one-out score of {name},", 1 if estimator.settled else 2)
        return ScaledByEstimator(estimator)
    if isinstance(x, TiledSide) or isinstance(y, TiledSide):
        raise Refusal(
            f"{type(estimator).__name__} needs the whole Gram matrix of the pairs, and there are {x.n}; give at most"
            f" {LARGE}, or take plain means: estimator=None."
        )
    return WeightedByEstimator(estimator, x, y)


class ScaledByEstimator:
    """HSIC of an estimator that weighs all pairs by scale / n, as S-KMSE does: ``|scale Ĉ|^2``.

    A settled scale is the same for all pairings; otherwise each pairing has its own, in closed form.
    """

    slack = 5  # bound of d(scale^2 whole) / d whole, as the scale moves with it: 5 for n = 2, about 1 for many pairs

    def __init__(self, estimator: Estimator) -> None:
        self.estimator = estimator

    def factor(self, whole: float, diagonal: float, n: int) -> Values | float:
        """Return scale^2 for the sums of pairings, numbers or arrays (B,)."""
        if self.estimator.settled:
            return self.estimator.scale() ** 2
        rho, u = diagonal / n, np.minimum((whole - diagonal) / (n * (n - 1)), diagonal / n)
        return np.vectorize(lambda r, v: self.estimator.scale(Summary(n, r, v, r - v)) ** 2, otypes=[float])(rho, u)


class WeightedByEstimator:
    """HSIC β'Hβ of pairs whose weights β an estimator chooses from H = A ∘ B, again in every pairing.

    An estimator with a fixed `ridge` λ, such as F-KMSE, solves (H + λI) β = H 1/n, many pairings at a time. Any other
    is called pairing by pairing, at the cost of its own choice: O(n^3) each for spectral estimators.
    """

    slack: float
    estimator: Estimator
    lam: float | None

    def __init__(self, estimator: Estimator, x: StoredGram, y: StoredGram) -> None:
        self.estimator, self.A, self.B = estimator, x.A, y.A
        largest = float(np.linalg.norm(x.diagonal) * np.linalg.norm(y.diagonal))  # upper bound of tr H in any pairing
        ridge = estimator.ridge
        solvable = ridge is not None and 0 < ridge < np.inf and ridge >= SOLVABLE * largest
        self.lam = ridge if solvable else None
        # A solve moves β'Hβ by eps sqrt(tr H / λ), as in `Weighted`. The estimators' own solvers are accurate to 1e-9
        # or better, and a λ at the minimum of its score to 1e-7 of itself: rows in another order may find another λ.
        if self.lam is not None:
            self.slack = SLACK * (1 + np.sqrt(largest / self.lam))
        else:
            self.slack = 1e-9 if estimator.settled else 1e-6

    def observed(self) -> float:
        """Return the statistic of the given pairing."""
        return float(self.values(np.arange(len(self.A))[None])[0])

    def null(self, count: int, rng: Rng, groups: Rows | None = None) -> Vector:
        """Return the statistics of `count` shuffled pairings (count,); equal pairings are weighed once."""
        wide = max(1, ENTRIES // self.A.size)
        orders = np.concatenate(list(permutations(len(self.A), count, rng, groups)))
        orders, which = np.unique(orders, axis=0, return_inverse=True)
        if self.lam is None:
            warn_of_long_work(self.observed, len(orders), type(self.estimator).__name__)
        found = np.concatenate([self.values(orders[i : i + wide]) for i in range(0, len(orders), wide)])
        return found[which.reshape(-1)]

    def values(self, orders: Rows) -> Vector:
        """Return the statistic of each pairing of `orders` (b, n)."""
        H = self.A * self.B[orders[:, :, None], orders[:, None, :]]
        if self.lam is not None:
            beta = self._solved(H, self.lam)
        else:
            beta = np.array([self.estimator.on_gram(each) for each in H])
        return np.einsum("bi,bij,bj->b", beta, H, beta, optimize=True)

    def _solved(self, H, lam):
        right, ridge = H.mean(axis=2), lam * np.eye(H.shape[1])
        beta = np.linalg.solve(H + ridge, right[:, :, None])[:, :, 0]
        return np.array([self.estimator.constrained(b) for b in beta])
