"""Filtering: beliefs about the hidden state, given all observations so far."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer import checks
from explorer.discrepancy.dependence.pairing import read_pairs
from explorer.estimators.selection import regulariser_field
from explorer.kernels import Kernel
from explorer.kernels.base import kernel_field
from explorer.kernels.low_rank import Approximation, approximation_field, rank_field, rng_field
from explorer.parameters import Flag
from explorer.types import Matrix, Points, PointsLike, Rows, Vector, VectorLike, Weights

from .features import Observation, features
from .inputs import Approximating, normalise, rows_of
from .smoother import Thin, reduce_kernel, smoother
from .trial import norm, trial_rows

if TYPE_CHECKING:
    from explorer.conditional.features import Features, FewFeatures
    from explorer.kernels.low_rank.finite import FiniteRank


class HMMFilter(Approximating):
    r"""Filter of a hidden Markov model, learnt from a sequence of known states and their observations.

    Use it to follow a hidden state through new observations. If the order of the rows has no meaning, use
    `ConditionalEmbedding`.

    Parameters
    ----------
    kernel_state, kernel_obs : Kernel or None, default None
        Kernels of the states and of the observations. None is Gaussian(); an automatic bandwidth is the median
        heuristic on that side.
    lam : float
        Regulariser λ > 0 of the prediction, in units of k_s.
    lam_posterior : float
        Regulariser λ̃ > 0 of the conditioning, in units of k_o².
    two_step : bool, default False
        Whether the prediction is that of the kernel sum rule: α is first replaced by (G + λI)^-1 G α. If not, the
        weight of s_i moves to s_{i+1} unchanged. For symbols under Delta() the first is the forward algorithm on the
        counted tables. The second is so too if, in the sequence, the next state does not depend on the observation of
        the current one.
    approximation : {None, "auto", "cholesky", "nystrom", "features"}, default None
        Kernels of finite rank that `low_rank` chooses on the states and the observations replace both kernels.
    rank : int or None, default None
        Rank of the approximation.
    rng : int, default 0
        Seed of the approximation.

    Attributes
    ----------
    kernel_state_, kernel_obs_ : Kernel
        The chosen kernels.
    states_ : ndarray of shape (T, d)
        All states but the last one, for T transitions. Beliefs are weights of these.

    Notes
    -----
    One step leads from the belief α of one time to the next. The predicted embedding Σ_i α_i k_s(s_{i+1}, .) gives each
    training state a weight, on the diagonal of

    .. math::
        D = \mathrm{diag}((G + \lambda I)^{-1} \tilde G \alpha),
        \quad G_{ij} = k_s(s_i, s_j), \quad \tilde G_{ij} = k_s(s_i, s_{j+1}).

    Bayes' rule with the observation o then gives

    .. math:: D K ((DK)^2 + \tilde\lambda I)^{-1} D\, k_o(O, o),

    divided by its sum. With an approximation an observation takes O(T rank²); `error` measures the effect on the
    beliefs.

    References
    ----------
    Encyclopedia article, section on HMMs, whose prediction has other indices (erratum E-6).

    Fukumizu, Song and Gretton 2013 (J. Mach. Learn. Res. 14, 3753).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Delta, HMMFilter
    >>> states = [0, 0, 1, 1, 0, 1, 0, 0, 1]
    >>> seen = ["a", "a", "b", "b", "a", "b", "b", "a", "a"]
    >>> model = HMMFilter(Delta(), Delta(), 1e-6, 1e-6, two_step=True).fit(states, seen)
    >>> belief = model.filter(["a", "b"])
    >>> [belief[:, model.states_[:, 0] == s].sum(axis=1).round(2).tolist() for s in (0, 1)]
    [[1.0, 0.12], [0.0, 0.88]]
    """

    kernel_state: Kernel | None = kernel_field("the kernel of the states; None is Gaussian()", required=True)
    kernel_obs: Kernel | None = kernel_field("the kernel of the observations; None is Gaussian()", required=True)
    lam: float = regulariser_field("how much the prediction is shrunk to 0")
    lam_posterior: float = regulariser_field("how much the conditioning is shrunk to 0", symbol="λ̃", unit="units of k²")
    two_step: bool = Flag(default=False, doc="whether the prediction is that of the sum rule")
    approximation: Approximation | None = approximation_field()
    rank: int | None = rank_field()
    rng: int = rng_field()
    _before = "has seen no sequence yet; take fit(states, observations) first"

    def fit(self, states: PointsLike, observations: PointsLike) -> Self:
        """Learn from T + 1 states in their order and the observation of each.

        Parameters
        ----------
        states : array_like of shape (T + 1, d)
            Hidden states, in order of time.
        observations : array_like of shape (T + 1, e)
            Observation of each state. The last one is unused, because no transition starts there.

        Returns
        -------
        HMMFilter
            The fitted object itself.

        Raises
        ------
        ValueError
            If there are not equally many of both, or fewer than two.

        Notes
        -----
        The cost is O(T³).
        """
        S, O, kernels = read_pairs(states, observations, self.kernel_state, self.kernel_obs, 2, "the states")
        self.kernel_state_: Kernel = kernels[0]
        self.kernel_obs_: Kernel = kernels[1]
        now, after, observed = S[:-1], S[1:], O[:-1]
        how = self.approximation, self.rank, self.rng
        by = reduce_kernel(self.kernel_state_, now, *how), reduce_kernel(self.kernel_obs_, observed, *how)
        self.approximation_: str | None = by[0].name
        low = by[0].low, by[1].low
        if low[0] is None or low[1] is None:
            return self._learn(now, after, observed)
        rows, share = trial_rows(len(now), self.rng)
        self.trial_: Trial = Trial(self, share, rows, (now[rows], after[rows], observed[rows]), low)
        return self._learn(now, after, observed, *low)

    def _learn(self, now, after, observed, low_state=None, low_obs=None):
        """Learn from transitions and the observation before each, by kernels of finite rank if they are given."""
        self.states_: Points = now
        regression: Any = smoother(self.kernel_state_, now, self.lam, low_state)
        if low_state is None:
            self.prediction_ = regression.at(after)
            if self.two_step:
                self.prediction_ = self.prediction_ @ regression.weights(self.kernel_state_(now))
        else:
            right = regression.solved(after)
            if self.two_step:
                right = (right @ regression.F) @ regression.solved(now)
            self.prediction_: Thin | Matrix = Thin(regression.F, right)
        self.features_: Features | FewFeatures = features(self.kernel_obs_, observed, low_obs)
        return self

    def filter(self, observations: PointsLike, initial: VectorLike | None = None) -> Weights:
        """Return the belief after each observation: weights over `states_`, each row summing to one.

        Parameters
        ----------
        observations : array_like of shape (T', e)
            Observations, in order of time.
        initial : array_like of shape (T,) or None, default None
            Weights of the belief before the first prediction. None is 1/T each.

        Returns
        -------
        ndarray of shape (T', T)
            One belief in each row.

        Raises
        ------
        ValueError
            If an observation is unlike everything in the training sequence; the message names its row.
        """
        fitted = self._fitted()
        n = len(fitted.states_)
        belief = np.full(n, 1 / n) if initial is None else checks.weights(initial, n, "initial")
        seen = fitted.features_(rows_of(fitted.kernel_obs_, observations, fitted.features_.at, "observations"))
        beliefs = np.empty((seen.shape[1], n))
        for t, f in enumerate(seen.T):
            w = fitted.prediction_ @ belief
            of_row = w * (fitted.features_.F @ Observation(fitted.features_.F, w, self.lam_posterior)(f))
            beliefs[t] = belief = normalise(of_row, f"at row {t} of the observations")
        return beliefs

    def error(self, observations: PointsLike, initial: VectorLike | None = None) -> Vector | None:
        """Return the distances of the beliefs of `filter` from those without an approximation, or None without one.

        These are RKHS distances of the embeddings after each observation, on 1000 of the transitions at most: exact if
        there are no more transitions, and otherwise an estimate.

        Parameters
        ----------
        observations : array_like of shape (T', e)
            Observations, in order of time.
        initial : array_like of shape (T,) or None, default None
            Weights of the belief before the first prediction. None is 1/T each.

        Returns
        -------
        ndarray of shape (T',) or None
            One distance for each observation.
        """
        fitted = self._fitted()
        return None if self.approximation is None else fitted.trial_.errors(observations, initial)


class Trial:
    """A filter on some of the transitions, with and without kernels of finite rank."""

    n: int
    model: HMMFilter
    rows: Rows
    transitions: tuple[Points, Points, Points]
    low: tuple[FiniteRank | None, FiniteRank | None]
    kernels: tuple[Kernel, Kernel]

    def __init__(
        self,
        model: HMMFilter,
        share: float,
        rows: Rows,
        transitions: tuple[Points, Points, Points],
        low: tuple[FiniteRank | None, FiniteRank | None],
    ) -> None:
        self.model, self.n, self.rows = model.replace(lam=model.lam * share), round(len(rows) / share), rows
        self.transitions, self.low = transitions, low
        self.kernels = model.kernel_state_, model.kernel_obs_

    @cached_property
    def models(self):
        """The filter with whole kernels and the one with kernels of finite rank, learnt from the same transitions."""
        full, thin = self.model.replace(approximation=None, rank=None), self.model.replace()
        for each in (full, thin):
            each.kernel_state_, each.kernel_obs_ = self.kernels
        return full._learn(*self.transitions), thin._learn(*self.transitions, *self.low)

    def errors(self, observations: PointsLike, initial: VectorLike | None) -> Vector:
        """Return the RKHS distance of the two beliefs after each observation, shape (T',)."""
        if initial is not None:
            initial = normalise(checks.weights(initial, self.n, "initial")[self.rows], "of the belief before")
        full, thin = (model.filter(observations, initial) for model in self.models)
        return np.array([norm(self.kernels[0], self.transitions[0], each) for each in full - thin])
