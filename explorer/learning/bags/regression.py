"""Distribution regression: numbers learnt from bags by ridge regression on their kernel means."""

from __future__ import annotations

from typing import Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.estimators import Estimator
from explorer.estimators.selection import least
from explorer.linalg import Ridge, eigh_psd, power_of_two
from explorer.operators.covariance import estimator_field
from explorer.parameters import LogNumber
from explorer.types import Gram, Matrix, Values, Vector, VectorLike

from .learner import BagLearner, checked_targets, counted_bags
from .samples import BagsLike, count_of

WIDEST = 1e4  # times the largest eigenvalue: there predictions are next to 0, and larger λ are as good


class DistributionRegression(BagLearner):
    """f of least (1/l) Σ_i |f(μ_i) - y_i|² + λ |f|²: f(P) = Σ_i c_i κ(μ_i, μ_P), c = (G + λ l I)^-1 y for l bags.

    G is the Gram matrix κ(μ_i, μ_j) of `level_two`. There is no intercept: take the mean off y where it is far from 0.
    Encyclopedia article, section on distribution regression, where c stands with G + λ l for G + λ l I, and G_ij =
    K(μ_i, μ_i) (erratum E-11); Szabó et al. 2016. Here λ is that of the objective, and elsewhere in this library
    what is added to a Gram matrix, λl here.

    kernel, level_two, estimator  as those of SupportMeasureMachine
    lam                           λ > 0; None takes the least leave-one-out score, l >= 2

    `fit` learns:
    coef_ (l,) or (l, q)  c
    lam_                  λ
    kernel_, level_two_   with everything chosen; pooled_, the bags' kernel means

    >>> import numpy as np
    >>> from explorer import DistributionRegression, Gaussian, LevelTwo
    >>> rng = np.random.default_rng(0)
    >>> scales = np.linspace(0.5, 2, 40)
    >>> bags = [scale * rng.normal(size=(50, 1)) for scale in scales]
    >>> regression = DistributionRegression(Gaussian(1.0), LevelTwo("gaussian")).fit(bags, scales)
    >>> regression.score(bags, scales) > 0.9
    True
    """

    _kind = "regressor"
    lam: float | None = LogNumber(
        default=None,
        bounds=(0, 1e150),
        inclusive_bounds=(False, True),
        softbounds=(1e-8, 1e2),
        allow_None=True,
        symbol="λ",
        doc="how much the regression is held to 0",
    )
    estimator: Estimator | None = estimator_field("estimates the kernel mean of each bag; None is the average")

    def fit(self, bags: BagsLike, y: VectorLike, weights: VectorLike | None = None) -> Self:
        """Learn from l bags and their targets y, (l,) or (l, q); O(l³) beside the Gram matrix. Returns self.

        weights  (l,), how often each bag counts, l their sum: whole numbers as repeated bags, of which the
                 leave-one-out score leaves one copy out, and a bag of weight 0 is left out

        ValueError, TypeError for what are no bags, targets that are missing or of another number, and where a λ is to
        be chosen on one bag.
        """
        targets = checked_targets(y, count_of(bags))
        bags, kept, counts = counted_bags(bags, weights)
        G, targets = self._learn_gram(bags, counts), targets[kept]
        self.lam_: float = self._refits(G, targets, counts).best() if self.lam is None else self.lam
        self.coef_: Values = checks.read_only(_coefficients(G, targets, self.lam_, counts))
        return self

    def predict(self, bags: BagsLike) -> Vector:
        """f of each bag, (m,), or (m, q) where targets are vectors."""
        return self._gram_to(bags) @ self._fitted().coef_

    def score(self, bags: BagsLike, y: VectorLike, sample_weight: Vector | None = None) -> float:
        """R² = 1 - Σ (y - f)² / Σ (y - mean y)² of m bags with numbers y (m,), or the mean over columns of y (m, q)."""
        from sklearn.metrics import r2_score

        return float(r2_score(y, self.predict(bags), sample_weight=sample_weight))

    def loocv(self, bags: BagsLike, y: VectorLike, values: VectorLike) -> Vector:
        """The leave-one-out score at each λ of values (m,), (m,): the mean of |y_i - f^(-i)(μ_i)|², l >= 2.

        Squares are summed over the targets. Exactly that of l refits to l - 1 bags with the same ridge λl in G + λlI,
        the bandwidth and the scale those of all bags: y_i - f^(-i)(μ_i) = c_i / W_ii, W = (G + λlI)^-1. One
        eigendecomposition, O(l²) for each λ. ValueError where a λ is not finite and above 0.
        """
        lam = checks.numbers(values, "values")
        if lam.ndim != 1 or not (lam > 0).all():
            raise Refusal("values must be a list of λ above 0, such as [0.01, 0.1, 1.0].")
        targets = checked_targets(y, count_of(bags))
        return self._refits(self.replace()._learn_gram(bags), targets).scores(lam)

    def left_out(self, bags: BagsLike, y: VectorLike) -> Vector:
        """What is predicted of each bag, (l,) or (l, q), by the regression on the other bags, as `loocv` has it.

        At `lam`, or where that is None at the λ of least score.
        """
        targets = checked_targets(y, count_of(bags))
        refits = self._refits(self.replace()._learn_gram(bags), targets)
        residuals = refits.residuals(refits.best() if self.lam is None else self.lam)
        return targets - residuals.reshape(targets.shape)

    @staticmethod
    def _refits(G, targets, counts=None):
        if len(G) < 2:
            raise Refusal("one bag leaves none to learn from where it is left out; give at least 2 bags, or a λ.")
        return BagRefits(G, targets, counts)


def _coefficients(G, targets, lam, counts):
    """(G + λ l I)^-1 y, (l,) or (l, q); of bags that count so often, (l,), the sums over their copies."""
    if counts is None:
        return Ridge(G, lam * len(G))(targets)
    root = np.sqrt(counts)
    scaled = Ridge(G * np.outer(root, root), lam * float(counts.sum()))((targets.T * root).T)
    return (scaled.T * root).T


class BagRefits:
    """The l refits that each leave one bag out, of targets (l,) or (l, q), from one eigendecomposition of G (l, l).

    Of bags that count so often, (l,), one copy is left out, as by `conditional.leave_one_out`.
    """

    n: float
    unit: float
    gamma: Values
    rotated: Values
    counts: Vector
    squares: Matrix

    def __init__(self, G: Gram, targets: Gram, counts: Vector | None = None) -> None:
        self.counts = np.ones(len(G)) if counts is None else counts
        self.n, root = float(self.counts.sum()), np.sqrt(self.counts)[:, None]
        targets = root * targets.reshape(len(G), -1)
        G = G if counts is None else root * G * root.T
        gamma, self.U = eigh_psd(G, "the Gram matrix of the bags")
        self.unit = power_of_two(float(gamma[-1]))  # of eigenvalues and λ: their squares need be no floats
        self.gamma = gamma / self.unit
        self.squares = self.U**2
        self.rotated = self.U.T @ targets

    def residuals(self, lam: float) -> Gram:
        """y_i - f^(-i)(μ_i), (l, q), at one λ."""
        lam = lam / self.unit * self.n
        inverse = 1 / (self.gamma + lam)
        scaled = self.U @ (inverse[:, None] * self.rotated) / np.sqrt(self.counts)[:, None]
        return scaled / self._left((self.squares @ inverse)[:, None], lam)

    def _left(self, own, lam):
        """1 less the leverage of one copy, over λ, (l, m), from W_ii of all of them together (l, m)."""
        share = 1 / np.maximum(self.counts, 1)[:, None]
        return (1 - share) / lam + share * own

    def scores(self, lam: VectorLike) -> Vector:
        """The mean over bags of the squared residuals, summed over targets, (m,), at λ (m,)."""
        return self._scores(np.asarray(lam, dtype=float) / self.unit)

    def _scores(self, lam):
        lam = lam * self.n
        inverse = 1 / (self.gamma[:, None] + lam)
        left = self._left(self.squares @ inverse, lam)
        totals = sum(np.square(self.U @ (inverse * each[:, None]) / left).sum(axis=0) for each in self.rotated.T)
        return np.asarray(totals) / self.n

    def best(self) -> float:
        """The λ of least score, between G's rounding and 10^4 times its largest eigenvalue, over l."""
        top = float(self.gamma[-1]) or 1.0
        return self.unit * least(self._scores, np.finfo(float).eps * top, WIDEST * top / self.n)
