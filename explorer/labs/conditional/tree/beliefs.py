"""Stages of the conditional lab's tree: beliefs at all nodes given evidence at some, by belief propagation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.conditional import BeliefPropagation
from explorer.conditional.leave_one_out import Refits
from explorer.datasets import NODES, TREE, gaussian_tree, tree_given
from explorer.kernels import Gaussian
from explorer.kernels.bandwidth import median_and_remark
from explorer.labs.conditional.lab import ConditionalLab
from explorer.workbench import effect, for_picture, measure
from explorer.workbench.cost import costs
from explorer.workbench.pairs import PairsResult

if TYPE_CHECKING:
    from explorer.datasets.toys.trees import NodeBeliefs

PLACES = np.linspace(-3.5, 3.5, 141)  # values at which densities are drawn


class Beliefs(NamedTuple):
    """Beliefs at the five nodes.

    Attributes
    ----------
    means, deviations : ndarray of shape (5,)
        Mean and standard deviation of each belief.
    densities : ndarray of shape (5, 141)
        Density of each belief at PLACES.
    """

    means: np.ndarray
    deviations: np.ndarray
    densities: np.ndarray


class TreeStages(PairsResult[ConditionalLab]):
    """Stages of the tree picture."""

    @for_picture("tree")
    def drawn(self) -> dict[Any, Any]:
        """Return the sample of each node."""
        return gaussian_tree(self.lab.link, self.lab.n, self.lab.seed)

    @for_picture("tree")
    def of_nodes(self) -> Any:
        """Return the Gaussian kernel of every node. All nodes have the same distribution."""
        return Gaussian(self.lab.bandwidth * median_and_remark(self.drawn[NODES[0]])[0])

    @for_picture("tree")
    def tree_lam(self) -> float:
        """Return the leave-one-out λ of the first child on the root."""
        (root, child), k = TREE[0], self.of_nodes
        return Refits(k(self.drawn[root]), k(self.drawn[child])).best()

    @for_picture("tree")
    def tree(self) -> BeliefPropagation:
        """Return the fitted BeliefPropagation."""
        lam = self.tree_lam if self.lab.lam is None else self.lab.lam
        return BeliefPropagation(TREE, dict.fromkeys(NODES, self.of_nodes), lam).fit(self.drawn)

    @for_picture("tree")
    @costs(
        "the messages of the tree",
        lambda lab: 0.04 + 1e-6 * lab.n**2 + 1.2e-9 * lab.n**3,
        lambda lab: 15 * lab.n**2,
        "n",
    )
    def believed(self) -> Beliefs:
        """Return the beliefs at all nodes by belief propagation, given the evidence.

        Raises
        ------
        Refusal
            If nothing in the sample is similar to the evidence.
        """
        found = [self.tree.marginal(node, self.lab.evidence) for node in NODES]
        means = np.array([belief.mean()[0] for belief in found])
        squares = np.array([belief.weights @ belief.points[:, 0] ** 2 for belief in found])
        densities = np.array([belief.density(PLACES[:, None]) for belief in found])
        return Beliefs(means, np.sqrt(np.maximum(squares - means**2, 0.0)), densities)

    @for_picture("tree")
    def exact_tree(self) -> NodeBeliefs:
        """Return the exact beliefs at all nodes, given the evidence."""
        return tree_given(self.lab.link, self.lab.evidence)

    @for_picture("tree")
    def blurred_tree(self) -> NodeBeliefs:
        """Return the exact beliefs if observed values had a Gaussian error of the kernel's bandwidth.

        The kernel blurs values by about that, so its beliefs are compared with these, too.
        """
        return tree_given(self.lab.link, self.lab.evidence, self.of_nodes.bandwidth)

    @property
    def far_node(self) -> int:
        """Index of the first node without evidence, or of the root if there is none."""
        return next((i for i, node in enumerate(NODES) if node not in self.lab.evidence), 0)

    @property
    def far_off(self) -> float | None:
        """Difference of the far node's mean from the exact one, or None if the tree is not shown."""
        if self.believed is None:
            return None
        return float(abs(self.believed.means[self.far_node] - self.exact_tree.means[self.far_node]))

    def off_by(self, exact: NodeBeliefs) -> float:
        """Return the largest difference of a mean from the exact one, among nodes without evidence."""
        open_nodes = [i for i, node in enumerate(NODES) if node not in self.lab.evidence] or [0]
        return float(np.abs(self.believed.means - exact.means)[open_nodes].max())

    far_mean: measure[float | None] = measure(
        "mean of the first node without evidence",
        compute=lambda r: None if r.believed is None else float(r.believed.means[r.far_node]),
    )
    effect_tree: effect[float | None] = effect(
        "the largest difference from the exact means",
        compute=lambda r: None if r.believed is None else r.off_by(r.exact_tree),
    )
