"""Filtering: what is the hidden state now, given all observations so far?"""

from __future__ import annotations

from typing import Self

import numpy as np

from explorer import checks
from explorer.discrepancy.dependence.pairing import pairs
from explorer.kernels import Kernel
from explorer.model import Learner
from explorer.parameters import Flag
from explorer.types import PointsLike, VectorLike, Weights

from .features import Features, Observation
from .inputs import kernel_field, normalised, regulariser_field, rows_of
from .smoother import Smoother


class HMMFilter(Learner):
    """Beliefs about the state of a hidden Markov model, Σ_i α_i k_s(s_i, .), learnt from one sequence that shows it.

    From the belief α of one time to the next: the predicted embedding Σ_i α_i k_s(s_{i+1}, .) gives each training state
    the weight D = diag((G + λI)^-1 G̃ α), with G_ij = k_s(s_i, s_j) and G̃_ij = k_s(s_i, s_{j+1}); Bayes' rule with the
    observation o gives D K((DK)² + λ̃I)^-1 D k_o(O, o), divided by its sum. Encyclopedia article, section on HMMs, whose
    prediction has other indices (erratum E-6); Fukumizu, Song and Gretton 2013 (J. Mach. Learn. Res. 14, 3753).

    kernel_state, kernel_obs  None is Gaussian(), an automatic bandwidth the median heuristic on that side
    lam                       λ > 0 of the prediction, in units of k_s
    lam_posterior             λ̃ > 0 of the conditioning, in units of k_o²
    two_step                  whether the prediction is the kernel sum rule's, α replaced by (G + λI)^-1 G α first;
                              else the weight of s_i is carried to s_{i+1} as it is

    `fit` learns, T the number of transitions:
    kernel_state_, kernel_obs_  the chosen kernels
    states_ (T, d)              all states but the last, over which beliefs are weights

    >>> import numpy as np
    >>> from explorer import Delta, HMMFilter
    >>> states = [0, 0, 1, 1, 0, 1, 0, 0, 1]
    >>> seen = ["a", "a", "b", "b", "a", "b", "b", "a", "a"]
    >>> model = HMMFilter(Delta(), Delta(), 1e-6, 1e-6, two_step=True).fit(states, seen)
    >>> belief = model.filter(["a", "b"])
    >>> [belief[:, model.states_[:, 0] == s].sum(axis=1).round(2).tolist() for s in (0, 1)]
    [[1.0, 0.12], [0.0, 0.88]]
    """

    kernel_state: Kernel | None = kernel_field("the kernel of the states; None is Gaussian()")
    kernel_obs: Kernel | None = kernel_field("the kernel of the observations; None is Gaussian()")
    lam: float = regulariser_field("how much the prediction is held to 0", symbol="λ")
    lam_posterior: float = regulariser_field("how much the conditioning is held to 0", symbol="λ̃", unit="units of k²")
    two_step: bool = Flag(default=False, doc="whether the prediction is the sum rule's own")
    _before = "has seen no sequence yet; take fit(states, observations) first"

    def fit(self, states: PointsLike, observations: PointsLike) -> Self:
        """Learn from T + 1 states (T + 1, d) in their order and what was observed in each, (T + 1, e); O(T³).

        The last observation is unused: no transition starts there. Returns self; ValueError where there are not equally
        many, or fewer than two.
        """
        S, O, (self.kernel_state_, self.kernel_obs_) = pairs(
            states, observations, self.kernel_state, self.kernel_obs, 2, "the states"
        )
        self.states_ = checks.read_only(S[:-1])
        smoother = Smoother(self.kernel_state_, self.states_, self.lam)
        self.prediction_ = smoother.weights(self.kernel_state_(self.states_, S[1:]))
        if self.two_step:
            self.prediction_ = self.prediction_ @ smoother.weights(self.kernel_state_(self.states_))
        self.features_ = Features.of(self.kernel_obs_, O[:-1])
        return self

    def filter(self, observations: PointsLike, initial: VectorLike | None = None) -> Weights:
        """The belief after each of T' observations (T', e): weights (T', T) over `states_`, each row summing to one.

        initial  weights (T,) of the belief before the first prediction; None is 1/T each

        ValueError, which names the row, where an observation is like nothing that was seen.
        """
        fitted = self._fitted()
        n = len(fitted.states_)
        belief = np.full(n, 1 / n) if initial is None else checks.weights(initial, n, "initial")
        seen = fitted.features_(rows_of(fitted.kernel_obs_, observations, fitted.features_.at, "observations"))
        beliefs = np.empty((seen.shape[1], n))
        for t, f in enumerate(seen.T):
            w = fitted.prediction_ @ belief
            of_row = w * (fitted.features_.F @ Observation(fitted.features_.F, w, self.lam_posterior)(f))
            beliefs[t] = belief = normalised(of_row, f"at row {t} of the observations")
        return beliefs
