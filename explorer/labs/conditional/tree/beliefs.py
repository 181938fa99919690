"""The Conditional lab's tree: what evidence at some nodes shows about the others, by belief propagation."""

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
from explorer.workbench.pairs import PairsResult

if TYPE_CHECKING:
    from explorer.datasets.toys.trees import NodeBeliefs

PLACES = np.linspace(-3.5, 3.5, 141)  # of values, where densities are drawn


class Beliefs(NamedTuple):
    """Of each node: mean and standard deviation of its belief, (5,), and its density at PLACES, (5, 141)."""

    means: np.ndarray
    deviations: np.ndarray
    densities: np.ndarray


class TreeStages(PairsResult[ConditionalLab]):
    """The stages of the tree's picture."""

    @for_picture("tree")
    def drawn(self) -> dict[Any, Any]:
        """{node: its sample}."""
        return gaussian_tree(self.lab.link, self.lab.n, self.lab.seed)

    @for_picture("tree")
    def of_nodes(self) -> Any:
        """The Gaussian kernel of every node, whose distribution is one and the same."""
        return Gaussian(self.lab.bandwidth * median_and_remark(self.drawn[NODES[0]])[0])

    @for_picture("tree")
    def tree_lam(self) -> float:
        """The leave-one-out λ of the first child on the root."""
        (root, child), k = TREE[0], self.of_nodes
        return Refits(k(self.drawn[root]), k(self.drawn[child])).best()

    @for_picture("tree")
    def tree(self) -> BeliefPropagation:
        """The fitted BeliefPropagation."""
        lam = self.tree_lam if self.lab.lam is None else self.lab.lam
        return BeliefPropagation(TREE, dict.fromkeys(NODES, self.of_nodes), lam).fit(self.drawn)

    @for_picture("tree")
    def believed(self) -> Beliefs:
        """The Beliefs given the evidence, by belief propagation; Refusal where nothing like it is in the sample."""
        found = [self.tree.marginal(node, self.lab.evidence) for node in NODES]
        means = np.array([belief.mean()[0] for belief in found])
        squares = np.array([belief.weights @ belief.points[:, 0] ** 2 for belief in found])
        densities = np.array([belief.density(PLACES[:, None]) for belief in found])
        return Beliefs(means, np.sqrt(np.maximum(squares - means**2, 0.0)), densities)

    @for_picture("tree")
    def exact_tree(self) -> NodeBeliefs:
        """The exact NodeBeliefs given the evidence."""
        return tree_given(self.lab.link, self.lab.evidence)

    @for_picture("tree")
    def blurred_tree(self) -> NodeBeliefs:
        """The exact NodeBeliefs where a value is observed as the kernel sees it, with an error of its bandwidth."""
        return tree_given(self.lab.link, self.lab.evidence, self.of_nodes.bandwidth)

    @property
    def far_node(self) -> int:
        """The first node without evidence, or the root where there is none."""
        return next((i for i, node in enumerate(NODES) if node not in self.lab.evidence), 0)

    @property
    def far_off(self) -> float | None:
        """The difference of its mean from the exact one; None where no tree is shown."""
        if self.believed is None:
            return None
        return float(abs(self.believed.means[self.far_node] - self.exact_tree.means[self.far_node]))

    def off_by(self, exact: NodeBeliefs) -> float:
        """The largest difference of a node's mean from an exact one, of those without evidence."""
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
