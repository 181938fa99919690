"""The rules on tables of probabilities, where every embedding is a vector and every operator a table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.estimators import KME
from explorer.kernels import Delta
from explorer.types import MatrixLike, VectorLike

from .bayes import bayes_rule
from .rules import chain_rule, sum_rule


class TableRules(NamedTuple):
    """Results of the rules for a table of counts (p, q) of x and y, a prior π (q,) of y, and one observed x.

    The encyclopedia's example prints other names for some of these (erratum E-12).

    Attributes
    ----------
    joint : ndarray of shape (p, q)
        P(x, y): the operator C_XY under Delta.
    conditional : ndarray of shape (p, q)
        P(x | y): the operator C_{X|Y}.
    marginals : tuple of ndarray
        P(x), (p,), and P(y), (q,): the embeddings μ_X and μ_Y.
    predicted : ndarray of shape (p,)
        Q(x) = Σ_y P(x | y) π(y): the sum rule.
    paired : ndarray of shape (p, q)
        Q(x, y) = P(x | y) π(y): the chain rule.
    posterior : ndarray of shape (q,)
        Q(y | x) at the observed x: Bayes' rule.
    """

    joint: np.ndarray
    conditional: np.ndarray
    marginals: tuple[np.ndarray, np.ndarray]
    predicted: np.ndarray
    paired: np.ndarray
    posterior: np.ndarray

    def largest_difference(self, other: TableRules) -> float:
        """Return the largest difference between the numbers of two TableRules.

        Parameters
        ----------
        other : TableRules
            Results of the same shapes.

        Returns
        -------
        float
            The largest absolute difference.
        """
        return max(
            float(np.abs(a - b).max())
            for a, b in zip((*self.marginals, *self._tables()), (*other.marginals, *other._tables()), strict=True)
        )

    apart = largest_difference  # the name that notebooks use

    def _tables(self):
        return self.joint, self.conditional, self.predicted, self.paired, self.posterior


def exact_rules(counts: MatrixLike, prior: VectorLike, seen: int) -> TableRules:
    """Return the results of the sum, chain and Bayes rules on a table, computed by fractions.

    Parameters
    ----------
    counts : array_like of shape (p, q)
        Counts of x and y.
    prior : array_like of shape (q,)
        Prior of y.
    seen : int
        The observed x.

    Returns
    -------
    TableRules
        The exact results.

    Raises
    ------
    ValueError
        If the prior has a y that never occurs, or the observed x is impossible.
    """
    counts, prior = np.asarray(counts, dtype=float), np.asarray(prior, dtype=float)
    joint, columns = counts / counts.sum(), counts.sum(axis=0)
    if ((columns == 0) & (prior > 0)).any():
        raise Refusal("the prior has a y that the table never shows, so nothing is known of x there; give it counts.")
    conditional = np.divide(counts, columns, out=np.zeros(counts.shape), where=columns > 0)
    paired = conditional * prior
    predicted = paired.sum(axis=1)
    if not predicted[seen] > 0:
        raise Refusal("the x that is seen has no chance under this prior; choose another, or give it counts.")
    marginals = joint.sum(axis=1), joint.sum(axis=0)
    return TableRules(joint, conditional, marginals, predicted, paired, paired[seen] / predicted[seen])


def kernel_rules(counts: MatrixLike, prior: VectorLike, seen: int, lam: float) -> TableRules:
    """Return the results of the kernel rules on a table, with Delta kernels and small λ = λ̃.

    The results are exact as λ tends to 0. The probabilities of rule and table agree to about λ over the least count.

    Parameters
    ----------
    counts : array_like of shape (p, q)
        Counts of x and y, whole numbers. Each pair is repeated as often as its count says.
    prior : array_like of shape (q,)
        Prior of y.
    seen : int
        The observed x.
    lam : float
        Both regularisers.

    Returns
    -------
    TableRules
        The results of the kernel rules.
    """
    counts = np.asarray(counts)
    (p, q), k = counts.shape, Delta()
    x, y = (np.repeat(each.ravel(), counts.ravel()) for each in np.indices(counts.shape))
    values = np.arange(p), np.arange(q)
    belief = Embedding(k, values[1], prior)
    pairs = np.zeros((p, q))
    np.add.at(pairs, (x, y), 1 / len(x))
    one_by_one = [sum_rule(x, y, Embedding(k, [j], [1.0]), k, k, lam)(values[0]) for j in values[1]]
    joint_weights = chain_rule(x, y, belief, k, k, lam)
    paired = np.zeros((p, q))
    np.add.at(paired, x, joint_weights)
    means = KME(k).embed(x)(values[0]), KME(k).embed(y)(values[1])
    posterior = bayes_rule(x, y, belief, seen, k, k, lam, lam, normalize=True)
    predicted = sum_rule(x, y, belief, k, k, lam)(values[0])
    return TableRules(pairs, np.array(one_by_one).T, means, predicted, paired, posterior(values[1]))
