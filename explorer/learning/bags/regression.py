"""Distribution regression: numbers learnt from bags by ridge regression on their kernel means."""

from __future__ import annotations

from typing import Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.estimators import Estimator
from explorer.estimators.base import estimator_field
from explorer.estimators.selection import least
from explorer.linalg import Ridge, eigh_psd, power_of_two
from explorer.parameters import LogNumber
from explorer.types import Gram, Matrix, Values, Vector, VectorLike

from .learner import BagLearner, checked_targets, counted_bags
from .samples import BagsLike, count_of

WIDEST = 1e4  # the largest candidate of λ over the largest eigenvalue: predictions are nearly 0 there


class DistributionRegression(BagLearner):
    """Regression from bags to numbers: kernel ridge regression on the kernel means of the bags.

    Use it if each number belongs to a sample of points. For classes of bags use `SupportMeasureMachine`, and for pairs
    of points `ConditionalEmbedding`.

    The f has the least (1/l) Σ_i |f(μ_i) - y_i|² + λ |f|².

    f(P) = Σ_i c_i κ(μ_i, μ_P) with c = (G + λ l I)^-1 y for l bags.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel, as for SupportMeasureMachine.
    level_two : LevelTwo, default LevelTwo()
        The kernel of kernel means, as for SupportMeasureMachine.
    lam : float or None, default None
        The λ > 0; None takes the least leave-one-out score, l >= 2.
    estimator : Estimator or None, default None
        The estimator of each bag's kernel mean, as for SupportMeasureMachine.

    Attributes
    ----------
    coef_ : ndarray of shape (l,) or (l, q)
        The c.
    lam_ : float
        The λ.
    kernel_, level_two_ : Kernel, LevelTwo
        The kernels with all parameters chosen.
    pooled_ : Means
        The bags' kernel means.

    Notes
    -----
    G is the Gram matrix κ(μ_i, μ_j) of `level_two`. There is no intercept: subtract the mean of y if it is far from 0.
    In the encyclopedia article c has G + λ l instead of G + λ l I, and G_ij = K(μ_i, μ_i) (erratum E-11). Here λ is
    that of the objective. Elsewhere in this library λ is added to a Gram matrix: that is λl here.

    References
    ----------
    Encyclopedia article, section on distribution regression; Szabó et al. 2016.

    Examples
    --------
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
        """Learn from bags and their targets, in O(l³) plus the Gram matrix.

        Parameters
        ----------
        bags : sequence of array_like of shape (n_i, d), Law or Embedding
            The l bags.
        y : array_like of shape (l,) or (l, q)
            The targets.
        weights : array_like of shape (l,), optional
            The number of times that each bag counts; l is their sum. Whole numbers act as repeated bags; the
            leave-one-out score leaves one copy out. A bag of weight 0 is left out.

        Returns
        -------
        DistributionRegression
            The fitted learner itself.

        Raises
        ------
        Refusal
            If the bags are invalid, targets are missing or of another number, or a λ is to be chosen on one bag.
        """
        targets = checked_targets(y, count_of(bags))
        bags, kept, counts = counted_bags(bags, weights)
        G, targets = self._learn_gram(bags, counts), targets[kept]
        self.lam_: float = self._refits(G, targets, counts).best() if self.lam is None else self.lam
        self.coef_: Values = checks.read_only(_coefficients(G, targets, self.lam_, counts))
        return self

    def predict(self, bags: BagsLike) -> Vector:
        """Return f of each bag.

        Parameters
        ----------
        bags : sequence
            The m bags.

        Returns
        -------
        ndarray of shape (m,) or (m, q)
            The predictions; (m, q) if targets are vectors.
        """
        return self._gram_to(bags) @ self._fitted().coef_

    def score(self, bags: BagsLike, y: VectorLike, sample_weight: Vector | None = None) -> float:
        """Return R² = 1 - Σ (y - f)² / Σ (y - mean y)², or its mean over the columns of y.

        Parameters
        ----------
        bags : sequence
            The m bags.
        y : array_like of shape (m,) or (m, q)
            Their targets.
        sample_weight : array_like of shape (m,), optional
            The weights of the bags.

        Returns
        -------
        float
            The R².
        """
        from sklearn.metrics import r2_score

        return float(r2_score(y, self.predict(bags), sample_weight=sample_weight))

    def loocv(self, bags: BagsLike, y: VectorLike, values: VectorLike) -> Vector:
        """Return the leave-one-out score at each λ, the mean of |y_i - f^(-i)(μ_i)|².

        Parameters
        ----------
        bags : sequence
            The l bags, l >= 2.
        y : array_like of shape (l,) or (l, q)
            Their targets; squares are summed over the columns.
        values : array_like of shape (m,)
            The values of λ.

        Returns
        -------
        ndarray of shape (m,)
            The scores.

        Raises
        ------
        Refusal
            If a λ is not finite and above 0.

        Notes
        -----
        The score is exactly that of l refits to l - 1 bags with the same ridge λl in G + λlI, and the bandwidth and the
        scale of all bags: y_i - f^(-i)(μ_i) = c_i / W_ii, W = (G + λlI)^-1. It takes one eigendecomposition and O(l²)
        for each λ.
        """
        lam = checks.numbers(values, "values")
        if lam.ndim != 1 or not (lam > 0).all():
            raise Refusal("values must be a list of λ above 0, such as [0.01, 0.1, 1.0].")
        targets = checked_targets(y, count_of(bags))
        return self._refits(self.replace()._learn_gram(bags), targets).scores(lam)

    def left_out(self, bags: BagsLike, y: VectorLike) -> Vector:
        """Return the prediction for each bag by the regression on the other bags, as in `loocv`.

        It is at `lam`, or at the λ of least score if that is None.

        Parameters
        ----------
        bags : sequence
            The l bags.
        y : array_like of shape (l,) or (l, q)
            Their targets.

        Returns
        -------
        ndarray of shape (l,) or (l, q)
            The predictions.
        """
        targets = checked_targets(y, count_of(bags))
        refits = self._refits(self.replace()._learn_gram(bags), targets)
        residuals = refits.residuals(refits.best() if self.lam is None else self.lam)
        return targets - residuals.reshape(targets.shape)

    @staticmethod
    def _refits(G, targets, counts=None):
        """Return the refits of at least two bags."""
        if len(G) < 2:
            raise Refusal("if the one bag is left out, none is left to learn from; give at least 2 bags, or a λ.")
        return BagRefits(G, targets, counts)


def _coefficients(G, targets, lam, counts):
    """Return (G + λ l I)^-1 y, (l,) or (l, q); for bags with counts (l,), the sums over their copies."""
    if counts is None:
        return Ridge(G, lam * len(G))(targets)
    root = np.sqrt(counts)
    scaled = Ridge(G * np.outer(root, root), lam * float(counts.sum()))((targets.T * root).T)
    return (scaled.T * root).T


class BagRefits:
    """The l refits that each leave one bag out, for targets (l,) or (l, q), from one eigendecomposition of G (l, l).

    If bags have counts (l,), one copy of a bag is left out, as by `conditional.leave_one_out`.
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
        self.unit = power_of_two(float(gamma[-1]))  # the unit of eigenvalues and λ, so that squares do not overflow
        self.gamma = gamma / self.unit
        self.squares = self.U**2
        self.rotated = self.U.T @ targets

    def residuals(self, lam: float) -> Gram:
        """Return y_i - f^(-i)(μ_i), (l, q), at one λ."""
        lam = lam / self.unit * self.n
        inverse = 1 / (self.gamma + lam)
        scaled = self.U @ (inverse[:, None] * self.rotated) / np.sqrt(self.counts)[:, None]
        return scaled / self._left((self.squares @ inverse)[:, None], lam)

    def _left(self, own, lam):
        """Return (1 - the leverage of one copy) / λ, (l, m), from W_ii of all copies together (l, m)."""
        share = 1 / np.maximum(self.counts, 1)[:, None]
        return (1 - share) / lam + share * own

    def scores(self, lam: VectorLike) -> Vector:
        """Return the mean over bags of the squared residuals, summed over targets, (m,), at λ (m,)."""
        return self._scores(np.asarray(lam, dtype=float) / self.unit)

    def _scores(self, lam):
        """Return the scores at λ in the units of the eigenvalues."""
        lam = lam * self.n
        inverse = 1 / (self.gamma[:, None] + lam)
        left = self._left(self.squares @ inverse, lam)
        totals = sum(np.square(self.U @ (inverse * each[:, None]) / left).sum(axis=0) for each in self.rotated.T)
        return np.asarray(totals) / self.n

    def best(self) -> float:
        """Return the λ of least score, between G's rounding and 10^4 times its largest eigenvalue, over l."""
        top = float(self.gamma[-1]) or 1.0
        return self.unit * least(self._scores, np.finfo(float).eps * top, WIDEST * top / self.n)
