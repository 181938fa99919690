"""Bayes' rule: everything that does not depend on the observed x is computed once and serves every x."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.estimators.selection import regulariser_field
from explorer.kernels import Kernel
from explorer.kernels.base import kernel_field
from explorer.kernels.low_rank import Approximation, approximation_field, rank_field, rng_field
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.tables.alignment import aligned
from explorer.types import Gram, Matrix, Points, PointsLike, Vector, VectorLike, Weights

from .features import Observation, features
from .inputs import (
    Approximating,
    check_inputs,
    normalise,
    one_point,
    point_masses,
    regulariser,
)
from .smoother import Smoother, ThinSmoother, reduce_kernel, smoother
from .trial import trial_rows

if TYPE_CHECKING:
    from explorer.conditional.features import Features, FewFeatures
    from explorer.conditional.inputs import RuleInputs
    from explorer.kernels.low_rank.finite import FiniteRank


class KernelBayesRule(Approximating):
    r"""Posterior of y at any number of observed x under a new prior of y, Q(y | x) ∝ P(x | y) π(y).

    Use it if many x are observed: `fit` does most of the work of `bayes_rule` once. If the prior is the distribution of
    y in the pairs, use `ConditionalEmbedding`.

    Parameters
    ----------
    kernel_x, kernel_y : Kernel or None, default None
        Kernels of x and y. None is Gaussian(); an automatic bandwidth is the median heuristic on that side.
    lam : float
        Regulariser λ > 0 of the joint, in units of k_y.
    lam_posterior : float
        Regulariser λ̃ > 0 of the conditioning, in units of k_x².
    approximation : {None, "auto", "cholesky", "nystrom", "features"}, default None
        Kernels of finite rank that `low_rank` chooses on X and Y replace both kernels.
    rank : int or None, default None
        Rank of the approximation.
    rng : int, default 0
        Seed of the approximation.

    Attributes
    ----------
    kernel_x_, kernel_y_ : Kernel
        The chosen kernels.
    X_ : ndarray of shape (n, d)
        Points of x.
    prior_ : Embedding
        The prior.
    marginal_ : ndarray of shape (n,)
        Λ1, the weights of `sum_rule`.
    joint_ : ndarray of shape (n, m)
        Λ, the weights of `chain_rule`, computed when they are read.

    Notes
    -----
    The weights on the prior's points are

    .. math::
        \Lambda^\top ((KD)^2 + \tilde\lambda I)^{-1} K D\, k_x(X, x)
        = \Lambda^\top F A (A^2 + \tilde\lambda I)^{-1} f(x)

    with K = FF', the pivoted Cholesky factor of rank r, A = F'DF and k_x(X, x) = F f(x). `fit` takes O(n³), each x
    takes O(r² + m r).

    Under an approximation `fit` takes O((n + m) rank²), and nothing of size (n, n) or (n, m) is stored. The result of
    `embed` then has an `error`, the RKHS distance from the same rule without the approximation, measured on 1000 of the
    pairs at most. The error is exact if there are no more pairs; otherwise it is an estimate, good to a factor of 2.

    References
    ----------
    Encyclopedia article, kernel Bayes' rule, in the order of erratum E-4.

    Fukumizu, Song and Gretton 2013 (J. Mach. Learn. Res. 14, 3753).

    Examples
    --------
    >>> from explorer import Delta, KME, KernelBayesRule
    >>> weather = ["sun", "sun", "rain", "rain", "rain"]
    >>> umbrella = ["no", "no", "yes", "yes", "no"]
    >>> rule = KernelBayesRule(Delta(), Delta(), lam=1e-9, lam_posterior=1e-9)
    >>> rule.fit(umbrella, weather, KME(Delta()).embed(["sun", "rain"])).embed("no")(["sun", "rain"]).round(3)
    array([0.75, 0.25])
    """

    kernel_x: Kernel | None = kernel_field("the kernel of x; None is Gaussian()", required=True)
    kernel_y: Kernel | None = kernel_field("the kernel of y; None is Gaussian()", required=True)
    lam: float = regulariser_field("how much the joint is held to 0")
    lam_posterior: float = regulariser_field("how much the conditioning is held to 0", symbol="λ̃", unit="units of k²")
    approximation: Approximation | None = approximation_field()
    rank: int | None = rank_field()
    rng: int = rng_field()
    _before = "has seen no pairs yet; take fit(X, Y, prior) first"
    trial_ = None  # measures the error of an approximation

    def fit(self, X: PointsLike, Y: PointsLike, prior: Embedding, weights: VectorLike | None = None) -> Self:
        """Learn from n pairs (x_i, y_i) and a prior of point masses on the space of y, under kernel_y as chosen on Y.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points x_i.
        Y : array_like of shape (n, e)
            Points y_i.
        prior : Embedding
            Prior on the space of y, made of point masses.
        weights : array_like of shape (n,) or None, default None
            How often each pair counts; not together with an approximation. Whole numbers act as repeated pairs, and a
            pair of weight 0 is left out.

        Returns
        -------
        KernelBayesRule
            The fitted object itself.

        Raises
        ------
        ValueError
            If the pairs and the prior do not go together.
        TypeError
            If the prior is not an Embedding.
        """
        self._refuse_weights(weights)
        g = check_inputs(X, Y, prior, self.kernel_x, self.kernel_y, weights)
        point_masses(prior, "Bayes' rule")
        how = self.approximation, self.rank, self.rng
        by = reduce_kernel(g.kernel_x, g.X, *how), reduce_kernel(g.kernel_y, g.Y, *how)
        self.approximation_: str | None = by[0].name
        low = by[0].low, by[1].low
        if low[0] is None or low[1] is None:
            return self._learn(g)
        rows, share = trial_rows(len(g.X), self.rng)
        self.trial_: Trial | None = Trial(self.replace(lam=self.lam * share), g._replace(X=g.X[rows], Y=g.Y[rows]), low)
        return self._learn(g, *low)

    def _learn(self, g, low_x=None, low_y=None):
        """Learn from checked inputs, by the kernels of finite rank that replace those of x and y if they are given."""
        points, alpha = g.prior.points, g.prior.weights
        self.kernel_x_: Kernel = g.kernel_x
        self.kernel_y_: Kernel = g.kernel_y
        self.X_: Points = g.X
        self.prior_: Embedding = g.prior
        self.smoother_: Smoother | ThinSmoother = smoother(g.kernel_y, g.Y, self.lam, low_y, g.counts)
        self.features_: Features | FewFeatures = features(g.kernel_x, g.X, low_x)
        if low_y is None:
            joint = self.joint_
            self.marginal_, self.loadings_ = joint.sum(axis=1), joint.T @ self.features_.F
        else:  # Λ1 and Λ'F, without Λ
            self.marginal_: Vector = self.smoother_.of(g.prior)
            self.loadings_: Matrix = alpha[:, None] * self.smoother_.predict(points, self.features_.F)
        self.observation_: Observation = Observation(self.features_.F, self.marginal_, self.lam_posterior)
        return self

    @property
    def joint_(self) -> Gram:
        """The weights Λ of `chain_rule`, shape (n, m)."""
        fitted = self._fitted()
        return fitted.smoother_.at(fitted.prior_.points) * fitted.prior_.weights

    def embed(self, x: PointsLike, normalize: bool = False) -> Embedding:
        """Return the posterior at one x: an Embedding over the prior's points.

        Parameters
        ----------
        x : array_like of shape (d,) or (1, d)
            One point; a number or a word if d = 1.
        normalize : bool, default False
            Whether the weights are divided by their sum.

        Returns
        -------
        Embedding
            The posterior. Under an approximation it has an `error`.

        Raises
        ------
        ValueError
            If `normalize` is true and the sum of the weights is not above 0.
        """
        fitted = self._fitted()
        row = one_point(fitted.kernel_x_, x, fitted.X_)
        posterior = fitted.posterior(fitted.loadings_ @ fitted.observation_(fitted.features_(row)[:, 0]), normalize)
        if fitted.trial_ is None:
            return posterior
        trial, row = fitted.trial_, row.copy()  # the error may be read after another fit or a change of x
        return posterior.approximating(lambda: trial.error(row, normalize))

    def posterior(self, weights: Weights, normalize: bool) -> Embedding:
        """Return the Embedding of the prior's points (m, e) with other weights (m,).

        Parameters
        ----------
        weights : ndarray of shape (m,)
            Weights of the prior's points.
        normalize : bool
            Whether the weights are divided by their sum.

        Returns
        -------
        Embedding
            The posterior over the prior's points.
        """
        weights = normalise(weights, "of the posterior") if normalize else weights
        return Embedding(self.kernel_y_, self.prior_.points, weights).over(self.prior_.columns)


class Trial:
    """Bayes' rule on some of the pairs, with and without kernels of finite rank."""

    rule: KernelBayesRule
    inputs: RuleInputs
    low: tuple[FiniteRank | None, FiniteRank | None]

    def __init__(
        self, rule: KernelBayesRule, given: RuleInputs, low: tuple[FiniteRank | None, FiniteRank | None]
    ) -> None:
        self.rule, self.inputs, self.low = rule, given, low

    @cached_property
    def rules(self):
        """The rule with whole kernels and the rule with kernels of finite rank, both fitted on the trial's pairs."""
        full = self.rule.replace(approximation=None, rank=None)
        return full._learn(self.inputs), self.rule.replace()._learn(self.inputs, *self.low)

    def error(self, x: PointsLike, normalize: bool) -> float:
        """Return the RKHS distance of the two posteriors at x."""
        full, thin = (rule.embed(x, normalize) for rule in self.rules)
        return full.distance(thin)


@explain_wrong_calls
@aligned("X Y")
def bayes_rule(
    X: PointsLike,
    Y: PointsLike,
    prior: Embedding,
    x: PointsLike,
    kernel_x: Kernel | None,
    kernel_y: Kernel | None,
    lam: float,
    lam_posterior: float,
    normalize: bool = False,
    printed: bool = False,
    approximation: Approximation | None = None,
    rank: int | None = None,
    rng: int = 0,
) -> Embedding:
    r"""Compute the posterior of y at one observed x under a new prior of y, Q(y | x) ∝ P(x | y) π(y).

    Use it if pairs show how x depends on y, but the prior of y is another. For many x use `KernelBayesRule`. If the
    prior is that of the pairs, use `ConditionalEmbedding`.

    The result is an Embedding over the prior's points ỹ.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Points x_i of the pairs.
    Y : array_like of shape (n, e)
        Points y_i of the pairs.
    prior : Embedding
        Prior of point masses on the space of y, under kernel_y as chosen on Y.
    x : array_like of shape (d,) or (1, d)
        One observed point; a number or a word if d = 1.
    kernel_x, kernel_y : Kernel or None
        Kernels of x and y, as in `chain_rule`.
    lam : float
        Regulariser λ > 0 of the joint, in units of k_y. The article writes λ̃ there (erratum E-5).
    lam_posterior : float
        Regulariser λ̃ > 0 of the conditioning, in units of k_x² (D has no units).
    normalize : bool, default False
        Whether the weights are divided by their sum, which is Q(x)² / (Q(x)² + λ̃) under Delta. Expectations need this.
    printed : bool, default False
        Whether the weights are those that the article prints, see Notes.
    approximation : {None, "auto", "cholesky", "nystrom", "features"}, default None
        Approximation as in `KernelBayesRule`, which does the costly part once for many x.
    rank : int or None, default None
        Rank of the approximation.
    rng : int, default 0
        Seed of the approximation.

    Returns
    -------
    Embedding
        The posterior over the prior's points.

    Raises
    ------
    ValueError
        If `normalize` is true and the sum of the weights is not above 0, as for an x that is like nothing in the
        sample.

    Notes
    -----
    The weights are

    .. math:: \Lambda^\top ((KD)^2 + \tilde\lambda I)^{-1} K D\, k_x(X, x)

    with Λ of `chain_rule` and D = diag(Λ1), the weights of `sum_rule`. D often has negative entries, which stay. The
    article prints (DK)² in place of (KD)² (erratum E-4). These are other weights, which do not tend to the posterior;
    `printed=True` gives them, as a demonstration. The cost is O(n³).

    References
    ----------
    Fukumizu, Song and Gretton 2013 (J. Mach. Learn. Res. 14, 3753).

    Examples
    --------
    >>> from explorer import Delta, KME, bayes_rule
    >>> weather = ["sun", "sun", "rain", "rain", "rain"]
    >>> umbrella = ["no", "no", "yes", "yes", "no"]
    >>> prior = KME(Delta()).embed(["sun", "rain"])
    >>> posterior = bayes_rule(umbrella, weather, prior, "no", Delta(), Delta(), 1e-9, 1e-9)
    >>> posterior(["sun", "rain"]).round(3)
    array([0.75, 0.25])
    """
    lam, lam_posterior = regulariser(lam, "lam"), regulariser(lam_posterior, "lam_posterior")
    rule = KernelBayesRule(kernel_x, kernel_y, lam, lam_posterior, approximation, rank, rng)
    if printed and approximation is not None:
        raise Refusal(
            "printed=True gives the article's own weights, which no approximation has; leave approximation at None."
        )
    return (_printed if printed else KernelBayesRule.embed)(rule.fit(X, Y, prior), x, normalize)


def _printed(rule, x, normalize):
    """Return the posterior with the weights Λ'((DK)² + λ̃I)^-1 K D k_x(X, x) that the article prints."""
    X, D = rule.X_, rule.marginal_
    x, K = one_point(rule.kernel_x_, x, X), rule.kernel_x_(X)
    DK = D[:, None] * K
    squared = DK @ DK
    squared[np.diag_indices(len(K))] += rule.lam_posterior
    return rule.posterior(rule.joint_.T @ np.linalg.solve(squared, DK.T @ rule.kernel_x_(X, x)[:, 0]), normalize)
