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
    """What the rules give for a table of counts (p, q) of x and y, a prior π (q,) of y, and one x.

    joint        P(x, y), (p, q): the operator C_XY under Delta
    conditional  P(x | y), (p, q): the operator C_{X|Y}
    marginals    P(x), (p,), and P(y), (q,): the embeddings μ_X and μ_Y
    predicted    Q(x) = Σ_y P(x | y) π(y), (p,): the sum rule
    paired       Q(x, y) = P(x | y) π(y), (p, q): the chain rule
    posterior    Q(y | x) at the x that is seen, (q,): Bayes' rule

    The encyclopedia's example prints other names for some of these (erratum E-12).
    """

    joint: np.ndarray
    conditional: np.ndarray
    marginals: tuple[np.ndarray, np.ndarray]
    predicted: np.ndarray
    paired: np.ndarray
    posterior: np.ndarray

    def largest_difference(self, other: TableRules) -> float:
        """The largest difference of any number of two."""
        return max(
            float(np.abs(a - b).max())
            for a, b in zip((*self.marginals, *self._tables()), (*other.marginals, *other._tables()), strict=True)
        )

    apart = largest_difference  # the name that notebooks use

    def _tables(self):
        return self.joint, self.conditional, self.predicted, self.paired, self.posterior


def exact_rules(counts: MatrixLike, prior: VectorLike, seen: int) -> TableRules:
    """TableRules by fractions. ValueError where a y never occurs that the prior has, or the x seen is impossible."""
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
    """TableRules by the kernel rules: Delta kernels, pairs as often as the whole numbers of the table say, λ = λ̃ small.

    Exact as λ tends to 0; the probabilities of rule and table agree to about λ over the least count.
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
