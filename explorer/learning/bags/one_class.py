"""The one-class support measure machine, which detects bags that are unlike the others."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from explorer import checks
from explorer.estimators import Estimator
from explorer.estimators.base import estimator_field
from explorer.parameters import Real
from explorer.types import Rows, Vector, VectorLike

from .learner import BagLearner, counted_bags
from .optimum import one_class
from .samples import BagsLike


class OneClassSMM(BagLearner):
    """Detector of anomalous bags: samples whose kernel means are unlike those of the others.

    Use it if no bag has a label. If bags have classes, use `SupportMeasureMachine`.

    The a has the least a'Ka / 2 with Σ a_i = 1 and 0 <= a_i <= 1 / (νl), for l bags.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel, as for SupportMeasureMachine.
    level_two : LevelTwo, default LevelTwo()
        The kernel of kernel means, as for SupportMeasureMachine.
    nu : float, default 0.1
        The share 0 < ν <= 1: at most this share of the bags lies outside.
    estimator : Estimator or None, default None
        The estimator of each bag's kernel mean, as for SupportMeasureMachine.

    Attributes
    ----------
    weights_ : ndarray of shape (l,)
        The a.
    support_ : ndarray
        The rows where a is above 0.
    rho_, offset_ : float
        ρ, which scikit-learn's detectors call their offset.
    kernel_, level_two_ : Kernel, LevelTwo
        The kernels with all parameters chosen.
    pooled_ : Means
        The bags' kernel means.

    Notes
    -----
    decision_function is Ka - ρ, below 0 for a bag that lies outside. At most a share ν of the bags that it learns from
    lies outside, and at least a share ν has a_i > 0. scikit-learn's OneClassSVM determines which a_i are 0 or at their
    bound; its own decision is νl times the one here.

    References
    ----------
    Muandet and Schölkopf 2013, group anomaly detection; Muandet et al. 2016, Kernel Mean Shrinkage Estimators
    ([muandet2016shrinkage]), section 4.2.3.

    Examples
    --------
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
        """Learn from bags.

        Parameters
        ----------
        bags : sequence of array_like of shape (n_i, d), Law or Embedding
            The l bags.
        y : object, optional
            Ignored.
        weights : array_like of shape (l,), optional
            The number of times that each bag counts. Whole numbers act as repeated bags, and a bag of weight 0 is left
            out.

        Returns
        -------
        OneClassSMM
            The fitted learner itself.
        """
        bags, _, counts = counted_bags(bags, weights)
        weights, intercept = one_class(self._learn_gram(bags, counts), self.nu, counts)
        self.weights_: Vector = checks.read_only(weights)
        self.support_: Rows = np.flatnonzero(weights)
        self.rho_: float = -intercept
        return self

    @property
    def offset_(self) -> float:
        """The ρ of the decision Σ_i α_i K(bag_i, .) - ρ: bags with a larger sum are like those of `fit`."""
        return self._fitted().rho_

    def score_samples(self, bags: BagsLike) -> Vector:
        """Return Ka, the similarity of each bag to those that were learnt from.

        Parameters
        ----------
        bags : sequence
            The m bags.

        Returns
        -------
        ndarray of shape (m,)
            The similarities.
        """
        return self._gram_to(bags) @ self._fitted().weights_

    def decision_function(self, bags: BagsLike) -> Vector:
        """Return Ka - ρ, below 0 for bags that lie outside.

        Parameters
        ----------
        bags : sequence
            The m bags.

        Returns
        -------
        ndarray of shape (m,)
            The decisions.
        """
        return self.score_samples(bags) - self.rho_

    def predict(self, bags: BagsLike) -> np.ndarray:
        """Return 1 for each bag that lies inside or on the boundary, -1 for each that lies outside.

        Parameters
        ----------
        bags : sequence
            The m bags.

        Returns
        -------
        ndarray of shape (m,)
            The predictions.
        """
        return np.where(self.decision_function(bags) >= 0, 1, -1)

    def fit_predict(self, bags: BagsLike, y: Any = None) -> np.ndarray:
        """Fit, and return `predict` of the same bags.

        Parameters
        ----------
        bags : sequence
            The l bags.
        y : object, optional
            Ignored.

        Returns
        -------
        ndarray of shape (l,)
            The predictions, 1 or -1.
        """
        return self.fit(bags).predict(bags)

    def score(self, bags: BagsLike, y: Any, sample_weight: Vector | None = None) -> float:
        """Return the share of bags on the side that y names.

        Parameters
        ----------
        bags : sequence
            The m bags.
        y : array_like of shape (m,)
            The sides, 1 or -1.
        sample_weight : array_like of shape (m,), optional
            The weights of the bags.

        Returns
        -------
        float
            The share.
        """
        from sklearn.metrics import accuracy_score

        return float(accuracy_score(y, self.predict(bags), sample_weight=sample_weight))
