"""Belief propagation: the effect of evidence at some nodes of a graph on beliefs about the others."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import param

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.discrepancy.resampling.tiled_gram import select
from explorer.embeddings import Embedding
from explorer.estimators.selection import regulariser_field
from explorer.kernels import Gaussian, Kernel
from explorer.learner import Learner
from explorer.parameters import Flag, Real, Table, Whole
from explorer.printing import plural
from explorer.public_names.synonyms import refuse_other
from explorer.tables.alignment import aligned
from explorer.types import Gram, Points, PointsLike, Vector, VectorLike

from .inputs import normalise, one_point, sums_above_zero
from .smoother import Smoother


class Edges(param.Parameter[Any]):
    """Parameter of pairs (parent, child), stored as a tuple."""

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any:  # the value's type is the annotation's
            """Declare the parameter."""

    required = True

    def __set__(self, obj: Any, val: Any) -> None:
        """Set the checked edges."""
        super().__set__(obj, edges_of(val))


class BeliefPropagation(Learner):
    r"""Marginals and the probability of evidence in a tree of variables, learnt from n joint rows of all nodes.

    Use it to predict some variables from others if you know which depend directly on which. For two variables use
    `ConditionalEmbedding`.

    Parameters
    ----------
    edges : list of tuple
        (parent, child) of each edge. A node has at most one parent; several separate trees are allowed.
    kernels : dict
        Kernel of each node. None is Gaussian(); an automatic bandwidth is the median heuristic at that node.
    lam : float
        Regulariser λ > 0, in units of k: n times that of the operators.
    loopy : bool, default False
        Whether the graph may have circles. All nodes then send messages at the same time, repeatedly, see Notes.
    tolerance : float, default 1e-6
        The rounds of a loopy graph end if no message changes by more than `tolerance` of its largest value.
    rounds : int, default 200
        Largest number of rounds in a loopy graph; if they are used up, a warning says so.

    Attributes
    ----------
    kernels_ : dict
        The chosen kernel of each node.
    samples_ : dict
        Points (n, d) of each node.

    Notes
    -----
    Node t sends its neighbour s the function

    .. math:: m_{ts} = \sum_i \beta_i k_s(x_s^i, \cdot),

    the conditional mean at x_s of what t has received, with β = (K_s + λI)^-1 Π_u K_t β_ut over t's other neighbours u,
    or β = (K_s + λI)^-1 k_t(X_t, o) if o is observed at t. A branch without evidence sends exactly 1. The belief at a
    node is its sample, each point weighted by the product of the messages that arrive. Messages use P(x_t | x_s) in
    either direction, so that any node may be the root.

    Evidence counts as the kernel sees it: under Gaussian(θ), o is observed with the error N(0, θ²).

    In a loopy graph each new message is the mean of the old and the computed one. The result is exact on trees and an
    approximation elsewhere.

    References
    ----------
    Encyclopedia article, section on belief propagation.

    Song, Gretton and Guestrin 2010 (AISTATS).

    Examples
    --------
    >>> from explorer import BeliefPropagation, Delta
    >>> days = {"rain": [0, 0, 0, 1], "wet": [0, 0, 1, 1], "slippery": [0, 0, 1, 1]}
    >>> tree = BeliefPropagation([("rain", "wet"), ("wet", "slippery")], dict.fromkeys(days, Delta()), 1e-6).fit(days)
    >>> belief = tree.marginal("rain", {"slippery": 1})
    >>> belief([0, 1]).round(3)
    array([0.5, 0.5])
    >>> round(tree.evidence({"slippery": 1}), 3)
    0.5
    """

    edges: Sequence[tuple[Hashable, Hashable]] = Edges(doc="(parent, child) of each edge")
    kernels: Mapping[Hashable, Kernel | None] = Table(doc="the kernel of each node")
    lam: float = regulariser_field("how much each message is shrunk to 0")
    loopy: bool = Flag(default=False, doc="whether the graph may have circles")
    tolerance: float = Real(
        default=1e-6, bounds=(0, 1), inclusive_bounds=(False, False), doc="change of a message that ends the rounds"
    )
    rounds: int = Whole(default=200, bounds=(1, None), doc="most rounds of messages in a loopy graph")
    _before = "has seen no samples yet; take fit({node: sample}) first"

    def _check(self):
        if not self.loopy:
            refuse_loops(self.edges)
        for node in dict.fromkeys(node for edge in self.edges for node in edge):
            if node not in self.kernels:
                raise Refusal(f"kernels has none for node {checks.echo(node)}; give one, or None for Gaussian().")
        if not self.kernels:
            raise Refusal("kernels is empty; give {node: kernel} for each node.")
        for node, kernel in self.kernels.items():
            refuse_other(kernel, Kernel, f"the kernel of node {checks.echo(node)}", optional=True)

    @aligned("samples weights")
    def fit(self, samples: Mapping[Hashable, PointsLike], weights: VectorLike | None = None) -> Self:
        """Learn from a sample of each node; row i of all samples is one joint draw.

        Parameters
        ----------
        samples : dict
            Sample (n, d) of each node.
        weights : array_like of shape (n,) or None, default None
            How often each draw counts. Whole numbers act as repeated draws, and a draw of weight 0 is left out.

        Returns
        -------
        BeliefPropagation
            The fitted object itself.

        Raises
        ------
        ValueError
            If a node has no sample, or the samples do not have equally many rows.

        Notes
        -----
        The cost is O(n³) for each node.
        """
        if not isinstance(samples, Mapping):
            raise checks.WrongType(f"samples must be {{node: sample}}, not {checks.echo(samples)}.")
        missing, other = (
            [node for node in a if node not in b] for a, b in ((self.kernels, samples), (samples, self.kernels))
        )
        for nodes, problem in ((missing, "has no sample"), (other, "is not a node of the graph")):
            if nodes:
                names = checks.join_list(map(checks.echo, self.kernels))
                raise Refusal(f"{checks.echo(nodes[0])} {problem}; the nodes are {names}.")
        kernels = {node: Gaussian() if kernel is None else kernel for node, kernel in self.kernels.items()}
        points = {
            node: kernel.points(samples[node], f"the sample of {checks.echo(node)}") for node, kernel in kernels.items()
        }
        first = next(iter(points))
        n = len(points[first])
        for node, X in points.items():
            if len(X) != n:
                raise Refusal(
                    f"the sample of {checks.echo(node)} has {plural(len(X), 'row')} and that of {checks.echo(first)}"
                    f" {n}; rows"
                    " are joint draws: give equally many of all nodes."
                )
        counts = np.ones(n) if weights is None else checks.counts(weights, n)
        included = counts > 0
        self.shares_: Vector = checks.read_only(counts[included] / counts.sum())
        self.columns_: dict[Any, Any] = {node: names for node in points if (names := frames.names_of(samples[node]))}
        self.kernels_: dict[Hashable, Kernel] = {}
        self.samples_: dict[Hashable, Points] = {}
        self.smoothers_: dict[Hashable, Smoother] = {}
        self.grams_: dict[Hashable, Gram] = {}
        for node, kernel in kernels.items():
            X = checks.read_only(points[node][included])
            counted = None if weights is None else counts[included]
            self.kernels_[node], self.samples_[node] = select(kernel, X, "points", counted), X
            self.smoothers_[node] = Smoother(self.kernels_[node], X, self.lam, counted)
            self.grams_[node] = self.kernels_[node](X, self.smoothers_[node].points)
        self.graph_: Graph = Graph(self.edges, self.kernels)
        return self

    def marginal(self, node: Hashable, evidence: Mapping[Hashable, Any] | None = None) -> Embedding:
        """Return the belief at a node, given evidence: an Embedding over its sample, its weights sum to one.

        At an observed node the belief is the point's own embedding, as near as the sample comes to it.

        Parameters
        ----------
        node : hashable
            A node of the graph.
        evidence : dict or None, default None
            Observed value of each observed node.

        Returns
        -------
        Embedding
            The belief.

        Raises
        ------
        ValueError
            If the evidence has the probability 0, at this node or anywhere, or if it names an unknown node.
        """
        fitted, seen = self._fitted(), self._observed({} if evidence is None else evidence)
        self._check_node(node)
        kernel, X = fitted.kernels_[node], fitted.samples_[node]
        heard = self._rounds(seen) if self.loopy else None
        self._refuse_impossible(seen, heard)
        if node in seen:
            weights = fitted.smoothers_[node].weights(seen[node][1])
        else:
            product = heard(node) if heard else self._product(node, self._messages(node, seen, False)[node])
            weights = product * fitted.shares_
        return Embedding(kernel, X, normalise(weights, f"at {checks.echo(node)}")).over(fitted._names(node))

    def evidence(self, evidence: Mapping[Hashable, Any]) -> float:
        """Return the probability of the evidence under Delta, or the mean of the product of other kernels there.

        Parameters
        ----------
        evidence : dict
            Observed value of each observed node.

        Returns
        -------
        float
            The probability, 0.0 for a value that is like nothing in the sample. It is computed at the root, and as a
            product over several trees.

        Raises
        ------
        ValueError
            If the graph is loopy, or the evidence names an unknown node.
        """
        seen = self._observed(evidence)
        if self.loopy:
            raise Refusal("loopy beliefs have no probability of the evidence; take a tree for it.")
        probability = 1.0
        for root in self.graph_.roots:
            betas = self._messages(root, seen, True)
            if root in seen:
                probability *= float(self.shares_ @ seen[root][1]) * self._at(seen[root][0], root, betas[root])
            else:
                probability *= float(self.shares_ @ self._product(root, betas[root]))
        return probability

    def _refuse_impossible(self, seen, heard):
        """Refuse evidence of probability 0, wherever in the graph it is, and not only if it reaches one node."""
        for node, product in self._meetings(seen, heard):
            if not sums_above_zero(seen[node][1] * product if node in seen else product):
                raise Refusal(
                    f"the evidence has no probability above 0: at node {checks.echo(node)} nothing like it is in the"
                    " samples, given what else is observed; leave an observation out."
                )

    def _meetings(self, seen, heard):
        """Yield (node, the product of the messages that arrive at its sample) for the nodes at which evidence meets.

        An observed node passes on nothing of what lies behind it. The probability of the evidence therefore has a
        factor for each observed node, from the messages that arrive on the way to the root, and one for each root. In a
        graph with circles, `heard` gives the messages that arrive at a node, and there is one factor for each observed
        node.
        """
        if heard is not None:
            yield from ((node, heard(node)) for node in seen)
            return
        for root in self.graph_.roots:
            betas = self._messages(root, seen, False)
            yield from ((node, self._product(node, betas[node])) for node in dict.fromkeys([*seen, root]))

    def _messages(self, root, seen, probable):
        """Return node -> the coefficients of the messages that arrive on their way to a root, on its `Smoother.points`.

        If `probable` is true, an observed node passes on how probable the evidence behind it is.
        """
        heard = {node: [] for node in self.kernels}
        for node, to in self.graph_.towards(root):
            if node in seen:
                x, values = seen[node]
                values = values * self._at(x, node, heard[node]) if probable else values
            elif heard[node]:
                values = self._product(node, heard[node])
            else:
                continue  # without evidence the message is 1, and (K + λI)^-1 1 would be off by O(λ)
            heard[to].append(self.smoothers_[to].function(values))
        return heard

    def _product(self, node, betas):
        """Return the product of messages at a node's sample, shape (n,)."""
        return np.prod([self.grams_[node] @ beta for beta in betas], axis=0) * np.ones(len(self.samples_[node]))

    def _at(self, x, node, betas):
        """Return the product of messages at one point x (1, d) of a node."""
        k = self.kernels_[node](x, self.smoothers_[node].points)[0]
        return float(np.prod([k @ beta for beta in betas]))

    def _rounds(self, seen):
        """Return a function of a node: the product (n,) of its incoming messages once those of a loopy graph agree."""
        ones = np.ones(len(next(iter(self.samples_.values()))))
        neighbours = self.graph_.neighbours
        messages = {(t, s): ones for t in neighbours for s in neighbours[t]}

        def heard(node, but=None):
            return np.prod([ones, *(messages[u, node] for u in neighbours[node] if u != but)], axis=0)

        # Observed nodes send the same message in every round.
        known = {(t, s): self._message(s, seen[t][1]) for t, s in messages if t in seen}
        change = 0.0
        for _ in range(self.rounds):
            new = {}
            for (t, s), old in messages.items():
                if t in seen:
                    message = known[t, s]
                else:
                    values = heard(t, s)
                    if np.ptp(values) == 0 and values[0] != 0:
                        new[t, s] = ones
                        continue
                    message = self._message(s, values)
                size = np.abs(message).max()
                # Impossible values are set to 0 at once, because means of old and new would never reach 0.
                new[t, s] = np.where(message == 0, 0.0, (old + message / size) / 2) if size > 0 else message
            change = max((np.abs(new[edge] - messages[edge]).max() for edge in messages), default=0.0)
            messages = new
            if change <= self.tolerance:
                return heard
        checks.warn(
            f"after {self.rounds} rounds messages still change by {change:.2g} of their size, and tolerance is"
            f" {self.tolerance:g}: the beliefs are no fixed point. Take more rounds, or a larger lam."
        )
        return heard

    def _message(self, to, values):
        """Return the message (n,) at a node's sample that is made of these values (n,) of a neighbour."""
        return self.grams_[to] @ self.smoothers_[to].function(values)

    def _check_node(self, node):
        if node not in self.kernels:
            nodes = checks.join_list(map(checks.echo, self.kernels))
            raise Refusal(f"{checks.echo(node)} is not a node of the graph; its nodes are {nodes}.")

    def _observed(self, evidence):
        """Return node -> (its observed point (1, d), the kernel between the sample and it (n,))."""
        if not isinstance(evidence, Mapping):
            raise checks.WrongType(f"evidence must be {{node: value}}, not {checks.echo(evidence)}.")
        fitted, seen = self._fitted(), {}
        for node, value in evidence.items():
            self._check_node(node)
            X, kernel = fitted.samples_[node], fitted.kernels_[node]
            named = f"the evidence at {checks.echo(node)}"
            value = frames.in_order(value, fitted._names(node), (named, "the sample there"))
            x = one_point(kernel, value, X, named)
            seen[node] = x, kernel(X, x)[:, 0]
        return seen


class Graph:
    """Nodes and their neighbours, from edges (parent, child) and nodes, which may be isolated."""

    neighbours: dict[Hashable, list[Hashable]]
    roots: list[Hashable]

    def __init__(self, edges: Sequence[tuple[Hashable, Hashable]], nodes: Iterable[Hashable]) -> None:
        self.neighbours, children = {node: [] for node in nodes}, set()
        for parent, child in edges:
            self.neighbours[parent].append(child)
            self.neighbours[child].append(parent)
            children.add(child)
        self.roots = [node for node in nodes if node not in children]

    def towards(self, root: Hashable) -> list[tuple[Hashable, Hashable]]:
        """Return (node, its neighbour on the way to root) for all nodes that reach the root, the farthest first."""
        steps = []
        waiting: deque[tuple[Hashable, Hashable]] = deque([(root, None)])
        while waiting:
            node, came_from = waiting.popleft()
            further = [(each, node) for each in self.neighbours[node] if each != came_from]
            steps += further
            waiting += further
        return steps[::-1]


def edges_of(given: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], tuple[str, str], tuple[str, str]]:
    """Return edges as a tuple of (parent, child). Refuse anything else."""
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise checks.WrongType(f"edges must be a list of (parent, child), not {checks.echo(given)}.")
    edges, joined = [], set()
    for edge in given:
        pair = tuple(edge) if isinstance(edge, (tuple, list)) else ()
        if len(pair) != 2 or not all(isinstance(node, Hashable) for node in pair):
            raise checks.WrongType(
                f"edges must hold pairs (parent, child), such as ('a', 'b'), not {checks.echo(edge)}."
            )
        if pair[0] == pair[1]:
            raise Refusal(f"the edge {checks.echo(pair)} leads from a node to itself; leave it out.")
        if pair in joined:
            raise Refusal(f"there are two edges between {checks.echo(pair[0])} and {checks.echo(pair[1])}; give one.")
        edges.append(pair)
        joined |= {pair, pair[::-1]}
    return tuple(edges)


def refuse_loops(edges: Sequence[tuple[Hashable, Hashable]]) -> None:
    """Refuse edges unless they make trees: a node has at most one parent, and no path leads in a circle."""
    parent, way_out = {}, "leave an edge out, or take loopy=True, which is approximate"
    for up, down in edges:
        if down in parent:
            both = f"{checks.echo(parent[down])} and {checks.echo(up)}"
            raise Refusal(f"node {checks.echo(down)} has two parents, {both}, and in a tree it has one; {way_out}.")
        parent[down] = up
    walked = {}  # node -> the start of the upward walk that visited it
    for start in parent:
        node = start
        while node in parent and node not in walked:
            walked[node], node = start, parent[node]
        if node in parent and walked[node] == start:
            raise Refusal(f"the edges lead from node {checks.echo(node)} in a circle back to it; {way_out}.")
