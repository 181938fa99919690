"""The support measure machine: a support vector machine whose points are distributions."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.estimators import Estimator
from explorer.estimators.base import estimator_field
from explorer.parameters import LogNumber
from explorer.types import Labels, Matrix, Rows, Vector, VectorLike

from .learner import BagLearner, checked_labels, counted_bags
from .optimum import classifier
from .samples import BagsLike, count_of


class SupportMeasureMachine(BagLearner):
    """Classifier of bags: a support vector machine on the Gram matrix between their kernel means.

    Use it if each label belongs to a sample of points. For numbers instead of classes use `DistributionRegression`, and
    without labels `OneClassSMM`.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is the estimator's, or ``Gaussian()``, with the median heuristic on the points of all bags.
    level_two : LevelTwo, default LevelTwo()
        The kernel of kernel means; if its scale is None it is the median distance of the bags.
    C : float, default 1.0
        The cost of a bag on the wrong side, above 0.
    estimator : Estimator or None, default None
        The estimator of each bag's kernel mean; None is KME(). Its open parameters are chosen on each bag.

    Attributes
    ----------
    classes_ : ndarray of shape (c,)
        The labels, sorted.
    support_ : ndarray of shape (s,)
        The rows of the support bags.
    dual_coef_ : ndarray of shape (p, s)
        a_i y_i, a row for each pair of classes, where the later class counts as 1: a single row for two classes.
    intercept_ : ndarray of shape (p,)
        b.
    kernel_, level_two_ : Kernel, LevelTwo
        The kernels with all parameters chosen.
    pooled_ : Means
        The bags' kernel means.

    Notes
    -----
    f(P) = Σ_i a_i y_i κ(μ_i, μ_P) + b with 0 <= a_i <= C, for two classes; for more, one against one. κ is `level_two`,
    and the linear one gives the expected kernel E k(x, y). With one point in each bag it is the support vector machine
    of the points. For Gaussian distributions of covariance tI under a Gaussian kernel of bandwidth θ, it is that of
    their means at the bandwidth sqrt(θ² + 2t).

    The optimum is exact; SVC's own answer is good to 1e-3 of the margin, for equal bags to 1e-5.

    References
    ----------
    Encyclopedia article, section on support measure machines; Muandet et al. 2016, Kernel Mean Shrinkage Estimators
    ([muandet2016shrinkage]), section 4.2.3; Muandet et al. 2012.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, SupportMeasureMachine
    >>> rng = np.random.default_rng(0)
    >>> bags = [scale * rng.normal(size=(30, 2)) for scale in (1, 1, 1, 2, 2, 2)]
    >>> machine = SupportMeasureMachine(Gaussian(1.0), C=100.0).fit(bags, ["narrow"] * 3 + ["wide"] * 3)
    >>> machine.predict([2 * rng.normal(size=(30, 2))])
    array(['wide'], dtype='<U6')
    """

    _kind = "classifier"
    C: float = LogNumber(
        default=1.0,
        bounds=(1e-20, 1e20),
        softbounds=(1e-2, 1e4),
        symbol="C",
        doc="the cost of a bag on the wrong side",
    )
    estimator: Estimator | None = estimator_field("estimates the kernel mean of each bag; None is the average")

    def fit(self, bags: BagsLike, y: Any, weights: VectorLike | None = None) -> Self:
        """Learn from bags and their labels.

        Parameters
        ----------
        bags : sequence of array_like of shape (n_i, d), Law or Embedding
            The l bags.
        y : array_like of shape (l,)
            The labels, text or whole numbers, of two kinds or more.
        weights : array_like of shape (l,), optional
            The number of times that each bag counts, and so a factor of its bound C. Whole numbers act as repeated
            bags, and a bag of weight 0 is left out.

        Returns
        -------
        SupportMeasureMachine
            The fitted learner itself.

        Raises
        ------
        Refusal
            If the bags are invalid, empty or of different width, labels are missing or of another number, or there is
            only one class.
        """
        labels = checked_labels(y, count_of(bags))
        bags, kept, counts = counted_bags(bags, weights)
        labels = checked_labels(labels[kept], count_of(bags))
        G = self._learn_gram(bags, counts)
        classes, codes = np.unique(labels, return_inverse=True)
        self.classes_: Labels = classes
        coefficients, intercepts = _solved(G, codes, len(self.classes_), self.C, counts)
        self.support_: Rows = np.flatnonzero(coefficients.any(axis=0))
        self.dual_coef_: Matrix = checks.read_only(coefficients[:, self.support_])
        self.intercept_: Vector = checks.read_only(intercepts)
        return self

    def left_out(self, bags: BagsLike, y: Any) -> np.ndarray:
        """Return `decision_function` of each bag by the machine that learns from the other bags alone.

        The bandwidth and the scale of the second level stay those of all bags.

        Parameters
        ----------
        bags : sequence
            The l bags.
        y : array_like of shape (l,)
            The labels.

        Returns
        -------
        ndarray of shape (l,) or (l, c)
            The decisions.

        Raises
        ------
        Refusal
            If a class has only one bag.
        """
        labels = checked_labels(y, count_of(bags))
        G = self.replace()._learn_gram(bags)
        classes, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
        if counts.min() < 2:
            raise Refusal(
                f"the class {checks.echo(classes[counts.argmin()].item())} has one bag, and none is left without it."
            )
        rows = []
        for i in range(len(G)):
            others = np.delete(np.arange(len(G)), i)
            coefficients, intercepts = _solved(G[np.ix_(others, others)], codes[others], len(classes), self.C)
            rows.append(coefficients @ G[i, others] + intercepts)
        return _decisions(np.array(rows), len(classes))

    def _pairs(self, bags):
        """Return f of each pair of classes, (m, p), above 0 for the later one."""
        fitted = self._fitted()
        return self._gram_to(bags)[:, fitted.support_] @ fitted.dual_coef_.T + fitted.intercept_

    def predict(self, bags: BagsLike) -> np.ndarray:
        """Return the label of each bag.

        Parameters
        ----------
        bags : sequence
            The m bags.

        Returns
        -------
        ndarray of shape (m,)
            The labels.
        """
        classes = self._fitted().classes_
        return classes[_votes(self._pairs(bags), len(classes)).argmax(axis=1)]

    def decision_function(self, bags: BagsLike) -> np.ndarray:
        """Return f of each bag: above 0 for classes_[1], or one column for each of more than two classes.

        Parameters
        ----------
        bags : sequence
            The m bags.

        Returns
        -------
        ndarray of shape (m,) or (m, c)
            The values; for c > 2 classes as SVC returns them for "ovr".
        """
        return _decisions(self._pairs(bags), len(self._fitted().classes_))

    def score(self, bags: BagsLike, y: Any, sample_weight: Vector | None = None) -> float:
        """Return the share of bags whose label is predicted correctly.

        Parameters
        ----------
        bags : sequence
            The m bags.
        y : array_like of shape (m,)
            Their labels.
        sample_weight : array_like of shape (m,), optional
            The weights of the bags.

        Returns
        -------
        float
            The share, from 0 to 1.
        """
        from sklearn.metrics import accuracy_score

        return float(accuracy_score(y, self.predict(bags), sample_weight=sample_weight))


def _solved(G, codes, classes, C, counts=None):
    """Return weights (p, l) and intercepts (p,) of the machines of all pairs of classes, on a Gram matrix (l, l)."""
    coefficients, intercepts = [], []
    for first, second in combinations(range(classes), 2):
        rows = np.flatnonzero((codes == first) | (codes == second))
        signs, counted = np.where(codes[rows] == second, 1.0, -1.0), None if counts is None else counts[rows]
        found = classifier(G[np.ix_(rows, rows)], signs, C, counted)
        coefficients.append(np.zeros(len(G)))
        coefficients[-1][rows] = found.weights
        intercepts.append(found.intercept)
    return np.array(coefficients), np.array(intercepts)


def _decisions(pairs, classes):
    """Return decisions as SVC's "ovr", (m, c), from the values of pairs (m, p); for two classes their one value."""
    if classes == 2:
        return pairs[:, 0]
    sure = np.zeros((len(pairs), classes))
    for values, (first, second) in zip(pairs.T, combinations(range(classes), 2), strict=True):
        sure[:, first] -= values
        sure[:, second] += values
    return _votes(pairs, classes) + sure / (3 * (np.abs(sure) + 1))  # the second term is less than a vote


def _votes(pairs, classes):
    """Return the number of pairs of classes that each class wins, (m, c)."""
    votes = np.zeros((len(pairs), classes))
    for values, (first, second) in zip(pairs.T, combinations(range(classes), 2), strict=True):
        votes[:, first] += values < 0
        votes[:, second] += values >= 0
    return votes
