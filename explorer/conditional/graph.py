"""Graph of the variables in belief propagation."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Sequence

from explorer import checks
from explorer.checks import Refusal


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
