"""Toy draws of Gaussian variables on a small tree, with the exact beliefs given evidence at some of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.rng import stream
from explorer.types import Matrix, Rng, Vector

TREE = (("a", "b"), ("a", "c"), ("b", "d"), ("b", "e"))  # (parent, child)
NODES = ("a", "b", "c", "d", "e")


class NodeBeliefs(NamedTuple):
    """Exact means and variances of the nodes given the evidence, in the order of NODES.

    Attributes
    ----------
    means : ndarray of shape (5,)
        Conditional means.
    variances : ndarray of shape (5,)
        Conditional variances.

    Examples
    --------
    >>> from explorer.datasets import NODES, tree_given
    >>> from explorer.datasets.toys.trees import NodeBeliefs
    >>> beliefs: NodeBeliefs = tree_given(0.8, {"d": 1.0})
    >>> dict(zip(NODES, beliefs.variances.round(2).tolist()))
    {'a': 0.59, 'b': 0.36, 'c': 0.74, 'd': 0.0, 'e': 0.59}
    """

    means: np.ndarray
    variances: np.ndarray


def gaussian_tree(link: float, n: int, rng: Rng = None) -> dict[str, Matrix]:
    r"""Draw n joint values of the variables on TREE.

    The root a is N(0, 1). A child of a parent u is :math:`r u + \varepsilon` with the link r and
    :math:`\varepsilon \sim N(0, 1 - r^2)`. So every node is N(0, 1), and two
    nodes have the correlation link to the power of their distance. With an int seed a larger n only appends.

    Parameters
    ----------
    link : float
        Correlation of a parent and its child, between -1 and 1.
    n : int
        Number of draws, at least 1.
    rng : int, Generator or None, default None
        Seed of the draws.

    Returns
    -------
    dict of str to ndarray of shape (n, 1)
        The draws of each node.

    Raises
    ------
    ValueError
        If `abs(link)` is 1 or more, or n is below 1.

    Examples
    --------
    >>> from explorer.datasets import gaussian_tree
    >>> {node: x.shape for node, x in gaussian_tree(0.8, 3, rng=0).items()}["e"]
    (3, 1)
    """
    link, n = _check_link(link), checks.whole(n, "n", 1)
    drawn = {NODES[0]: stream(rng, NODES[0]).normal(size=(n, 1))}
    for parent, child in TREE:
        noise = stream(rng, child).normal(size=(n, 1))
        drawn[child] = link * drawn[parent] + np.sqrt(1 - link**2) * noise
    return {node: checks.read_only(drawn[node]) for node in NODES}


def tree_given(link: float, evidence: Mapping[str, float], error: float = 0.0) -> NodeBeliefs:
    """Compute the exact beliefs of all nodes given observed values of some.

    Parameters
    ----------
    link : float
        Correlation of a parent and its child, between -1 and 1.
    evidence : dict of str to float
        The observed value of each observed node.
    error : float, default 0.0
        Standard deviation of the error of each observation.

    Returns
    -------
    NodeBeliefs
        Means and variances of the nodes.

    Raises
    ------
    ValueError
        If `abs(link)` is 1 or more.

    Examples
    --------
    >>> from explorer.datasets import tree_given
    >>> tree_given(0.8, {"d": 1.0}).means.round(2).tolist()
    [0.64, 0.8, 0.51, 1.0, 0.64]
    """
    correlations = _correlations(_check_link(link))
    at = [NODES.index(node) for node in evidence]
    if not at:
        return NodeBeliefs(np.zeros(len(NODES)), np.ones(len(NODES)))
    gain = np.linalg.solve(correlations[np.ix_(at, at)] + error**2 * np.eye(len(at)), correlations[at]).T
    values: Vector = np.array(list(evidence.values()), dtype=float)
    variances = np.diag(correlations - gain @ correlations[at])
    return NodeBeliefs(gain @ values, np.maximum(variances, 0.0))


def _check_link(link):
    """Return the link as a float, or refuse what is not a correlation between -1 and 1."""
    if not -1 < link < 1:
        raise Refusal(f"link must be a correlation between -1 and 1, not {checks.echo(link)}.")
    return float(link)


def _correlations(link):
    """Return the correlations of all nodes, of shape (5, 5)."""
    correlations = np.eye(len(NODES))
    for parent, child in TREE:  # TREE lists parents before their children
        up, down = NODES.index(parent), NODES.index(child)
        correlations[down, :down] = correlations[:down, down] = link * correlations[up, :down]
    return correlations
