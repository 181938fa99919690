"""The support measure machine: a support vector machine whose points are distributions."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from explorer.estimators import Estimator
from explorer.operators.covariance import estimator_field
from explorer.parameters import LogNumber
from explorer.types import Vector

from .learner import BagLearner, checked_labels
from .samples import BagsLike

PRECISION = 1e-5  # of the margin, by which the solver may miss the optimum


class SupportMeasureMachine(BagLearner):
    """A classifier of bags: scikit-learn's SVC on the Gram matrix between the bags' kernel means.

    f(P) = Σ_i a_i y_i κ(μ_i, μ_P) + b with 0 <= a_i <= C, for two classes; for more, one against one. κ is `level_two`,
    and the linear one gives the expected kernel E k(x, y). Encyclopedia article, section on support measure machines;
    paper 002, section 4.2.3 (Muandet et al. 2012). With one point in each bag it is the support vector machine of the
    points; for Gaussian distributions of covariance tI under a Gaussian kernel of bandwidth θ, that of their means at
    the bandwidth sqrt(θ² + 2t).

    kernel     None is the estimator's, or Gaussian(), the median heuristic on the points of all bags
    level_two  a LevelTwo; its scale None is the median distance of the bags
    C          > 0, how much a bag on the wrong side costs
    estimator  of each bag's kernel mean, None is KME(); what it leaves to choose is chosen on each bag

    `fit` learns:
    classes_ (c,)             the labels, sorted
    support_                  the rows of the support bags
    dual_coef_, intercept_    as SVC has them
    kernel_, level_two_       with everything chosen; pooled_, the bags' kernel means

    The solver meets the conditions of the optimum to 1e-5 of the margin; SVC's default is 1e-3.

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
        bounds=(1e-100, 1e100),
        softbounds=(1e-2, 1e4),
        symbol="C",
        doc="the cost of a bag on the wrong side",
    )
    estimator: Estimator | None = estimator_field("estimates the kernel mean of each bag; None is the average")

    def fit(self, bags: BagsLike, y: Any) -> Self:
        """Learn from l bags and their labels y (l,), words or whole numbers of two kinds or more. Returns self.

        ValueError, TypeError for what are no bags, an empty one, bags of different width, labels that are missing or of
        another number, and one class alone.
        """
        from sklearn.svm import SVC

        labels = checked_labels(y, _count(bags))
        G = self._learn_gram(bags)
        self.solver_ = SVC(C=self.C, kernel="precomputed", tol=PRECISION).fit(G, labels)
        self.classes_, self.support_ = self.solver_.classes_, self.solver_.support_
        self.dual_coef_, self.intercept_ = self.solver_.dual_coef_, self.solver_.intercept_
        return self

    def predict(self, bags: BagsLike) -> np.ndarray:
        """The label of each bag, (m,)."""
        return self._fitted().solver_.predict(self._gram_to(bags))

    def decision_function(self, bags: BagsLike) -> np.ndarray:
        """f of each bag, (m,), above 0 for classes_[1]; of c > 2 classes (m, c), as SVC has them for "ovr"."""
        return self._fitted().solver_.decision_function(self._gram_to(bags))

    def score(self, bags: BagsLike, y: Any, sample_weight: Vector | None = None) -> float:
        """The share of bags whose label is predicted."""
        from sklearn.metrics import accuracy_score

        return float(accuracy_score(y, self.predict(bags), sample_weight=sample_weight))


def _count(bags):
    return len(bags) if hasattr(bags, "__len__") else 0
