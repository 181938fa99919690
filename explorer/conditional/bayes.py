"""Bayes' rule: all that the observed x does not touch is done once, and serves every x."""

from __future__ import annotations

from typing import Self

import numpy as np

from explorer.embeddings import Embedding
from explorer.kernels import Kernel
from explorer.model import Learner
from explorer.types import PointsLike

from .features import Features, Observation
from .inputs import given, kernel_field, normalised, one_point, point_masses, regulariser, regulariser_field
from .rules import joint_weights


class KernelBayesRule(Learner):
    """The posterior Q(y | x) ∝ P(x | y) π(y) for any number of observed x: `bayes_rule`, most of it done by `fit`.

    Weights Λ'((KD)² + λ̃I)^-1 K D k_x(X, x) on the prior's points, as Λ'F A(A² + λ̃I)^-1 f(x) with K = FF', the pivoted
    Cholesky factor of rank r, A = F'DF and k_x(X, x) = F f(x). `fit` takes O(n³), an x O(r² + m r). Encyclopedia
    article, kernel Bayes' rule, in the order of erratum E-4.

    kernel_x, kernel_y  None is Gaussian(), an automatic bandwidth the median heuristic on that side
    lam                 λ > 0 of the joint, in units of k_y
    lam_posterior       λ̃ > 0 of the conditioning, in units of k_x²

    `fit` learns:
    kernel_x_, kernel_y_  the chosen kernels
    X_, prior_            the points of x, and the prior
    joint_ (n, m)         Λ, the weights of `chain_rule`

    >>> from explorer import Delta, KME, KernelBayesRule
    >>> weather = ["sun", "sun", "rain", "rain", "rain"]
    >>> umbrella = ["no", "no", "yes", "yes", "no"]
    >>> rule = KernelBayesRule(Delta(), Delta(), lam=1e-9, lam_posterior=1e-9)
    >>> rule.fit(umbrella, weather, KME(Delta()).embed(["sun", "rain"])).embed("no")(["sun", "rain"]).round(3)
    array([0.75, 0.25])
    """

    kernel_x: Kernel | None = kernel_field("the kernel of x; None is Gaussian()")
    kernel_y: Kernel | None = kernel_field("the kernel of y; None is Gaussian()")
    lam: float = regulariser_field("how much the joint is held to 0", symbol="λ")
    lam_posterior: float = regulariser_field("how much the conditioning is held to 0", symbol="λ̃", unit="units of k²")
    _before = "has seen no pairs yet; take fit(X, Y, prior) first"

    def fit(self, X: PointsLike, Y: PointsLike, prior: Embedding) -> Self:
        """Learn from n pairs (x_i, y_i) and a prior of point masses on the space of y, under kernel_y chosen on Y.

        Returns self; ValueError, TypeError for what does not go together.
        """
        g = given(X, Y, prior, self.kernel_x, self.kernel_y)
        points, alpha = point_masses(prior, "Bayes' rule")
        joint = joint_weights(g, points, alpha, self.lam)
        self.kernel_x_, self.kernel_y_, self.X_, self.prior_, self.joint_ = g.kernel_x, g.kernel_y, g.X, prior, joint
        self.features_ = Features.of(g.kernel_x, g.X)
        self.observation_ = Observation(self.features_.F, joint.sum(axis=1), self.lam_posterior)
        self.loadings_ = joint.T @ self.features_.F
        return self

    def embed(self, x: PointsLike, normalize: bool = False) -> Embedding:
        """The posterior at one x, (d,) or (1, d), a number or a word where d = 1: an Embedding over the prior's points.

        normalize  whether the weights are divided by their sum; ValueError where that is not above 0
        """
        fitted = self._fitted()
        f = fitted.features_(one_point(fitted.kernel_x_, x, fitted.X_))[:, 0]
        return fitted.posterior(fitted.loadings_ @ fitted.observation_(f), normalize)

    def posterior(self, weights, normalize):
        """The prior's points (m, e) with other weights (m,): an Embedding."""
        weights = normalised(weights, "of the posterior") if normalize else weights
        return Embedding(self.kernel_y_, self.prior_.points, weights)


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
) -> Embedding:
    """The posterior Q(y | x) ∝ P(x | y) π(y) of one observed x: an Embedding over the prior's points ỹ.

    Weights Λ'((KD)² + λ̃I)^-1 K D k_x(X, x) with Λ of `chain_rule` and D = diag(Λ1), the weights of `sum_rule`. D often
    has negative entries, which are kept. The article prints (DK)² in place of (KD)² (erratum E-4): other weights, which
    do not tend to the posterior; `printed=True` gives those, to show it.

    x              one point, (d,) or (1, d), a number or a word where d = 1
    lam            λ > 0 of the joint, in units of k_y; the article writes λ̃ there (erratum E-5)
    lam_posterior  λ̃ > 0 of the conditioning, in units of k_x² (D has no units)
    normalize      whether the weights are divided by their sum, which is Q(x)² / (Q(x)² + λ̃) under Delta: expectations
                   want it. ValueError where the sum is not above 0, as for an x that is like nothing in the sample

    The other arguments are those of `chain_rule`. For many x, `KernelBayesRule` does the costly part once. O(n³).

    >>> from explorer import Delta, KME, bayes_rule
    >>> weather = ["sun", "sun", "rain", "rain", "rain"]
    >>> umbrella = ["no", "no", "yes", "yes", "no"]
    >>> prior = KME(Delta()).embed(["sun", "rain"])
    >>> posterior = bayes_rule(umbrella, weather, prior, "no", Delta(), Delta(), 1e-9, 1e-9)
    >>> posterior(["sun", "rain"]).round(3)
    array([0.75, 0.25])
    """
    rule = KernelBayesRule(kernel_x, kernel_y, regulariser(lam, "lam"), regulariser(lam_posterior, "lam_posterior"))
    return (_printed if printed else KernelBayesRule.embed)(rule.fit(X, Y, prior), x, normalize)


def _printed(rule, x, normalize):
    """The weights Λ'((DK)² + λ̃I)^-1 K D k_x(X, x) that the article prints."""
    joint, X = rule.joint_, rule.X_
    x, K, D = one_point(rule.kernel_x_, x, X), rule.kernel_x_(X), joint.sum(axis=1)
    DK = D[:, None] * K
    squared = DK @ DK
    squared[np.diag_indices(len(K))] += rule.lam_posterior
    return rule.posterior(joint.T @ np.linalg.solve(squared, DK.T @ rule.kernel_x_(X, x)[:, 0]), normalize)
