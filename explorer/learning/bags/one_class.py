"""The one-class support measure machine: which bags are unlike the others?"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from explorer import checks
from explorer.estimators import Estimator
from explorer.operators.covariance import estimator_field
from explorer.parameters import Real
from explorer.types import Rows, Vector, VectorLike

from .learner import BagLearner, counted_bags
from .optimum import one_class
from .samples import BagsLike


class OneClassSMM(BagLearner):
    """A detector of anomalous bags: a of least a'Ka / 2 with Σ a_i = 1 and 0 <= a_i <= 1 / (νl), for l bags.

    decision_function is Ka - ρ, below 0 for a bag that lies outside. At most a share ν of the bags that it learns from
    lies outside, and at least a share ν has a_i > 0. scikit-learn's OneClassSVM finds which a_i are 0 or at their
    bound; its own decision is νl times ours. Muandet and Schölkopf 2013, group anomaly detection; paper 002, section
    4.2.3.

    kernel, level_two, estimator  as those of SupportMeasureMachine
    nu                            0 < ν <= 1

    `fit` learns:
    weights_ (l,)        a; support_, the rows where it is above 0
    rho_, offset_        ρ, which scikit-learn's detectors call their offset
    kernel_, level_two_  with everything chosen; pooled_, the bags' kernel means

    >>> import numpy as np
    >>> from explorer import Gaussian, OneClassSMM
    >>> rng = np.random.default_rng(0)
    >>> bags = [rng.normal(size=(30, 2)) for _ in range(20)]
    >>> OneClassSMM(Gaussian(1.0), nu=0.1).fit(bags).predict([rng.normal(size=(30, 2)) + 3])
    array([-1])
    """

    _kind = "outlier_detector"
    nu: float = Real(
        default=0.1,
        bounds=(0, 1),
        inclusive_bounds=(False, True),
        softbounds=(0.01, 0.5),
        symbol="ν",
        doc="at most this share of the bags lies outside",
    )
    estimator: Estimator | None = estimator_field("estimates the kernel mean of each bag; None is the average")

    def fit(self, bags: BagsLike, y: Any = None, weights: VectorLike | None = None) -> Self:
        """Learn from l bags; y is not looked at. Returns self.

        weights  (l,), how often each bag counts: whole numbers as repeated bags, and a bag of weight 0 is left out
        """
        bags, _, counts = counted_bags(bags, weights)
        weights, intercept = one_class(self._learn_gram(bags, counts), self.nu, counts)
        self.weights_: Vector = checks.read_only(weights)
        self.support_: Rows = np.flatnonzero(weights)
        self.rho_: float = -intercept
        return self

    @property
    def offset_(self) -> float:
        """ρ of the decision Σ_i α_i K(bag_i, .) - ρ: bags with a sum above it are like those that were learnt from."""
        return self._fitted().rho_

    def score_samples(self, bags: BagsLike) -> Vector:
        """Ka, (m,): how much each bag is like those that were learnt from."""
        return self._gram_to(bags) @ self._fitted().weights_

    def decision_function(self, bags: BagsLike) -> Vector:
        """Ka - ρ, (m,): below 0 for bags that lie outside."""
        return self.score_samples(bags) - self.rho_

    def predict(self, bags: BagsLike) -> np.ndarray:
        """1 for each bag that lies inside or on the boundary, -1 for each that lies outside, (m,)."""
        return np.where(self.decision_function(bags) >= 0, 1, -1)

    def fit_predict(self, bags: BagsLike, y: Any = None) -> np.ndarray:
        """`predict` of the l bags that it learns from, (l,): 1 or -1 each."""
        return self.fit(bags).predict(bags)

    def score(self, bags: BagsLike, y: Any, sample_weight: Vector | None = None) -> float:
        """The share of bags on the side that y (m,), of entries 1 and -1, names."""
        from sklearn.metrics import accuracy_score

        return float(accuracy_score(y, self.predict(bags), sample_weight=sample_weight))
