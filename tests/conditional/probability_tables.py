"""Discrete models as tables of probabilities, and samples that hold exactly those frequencies."""

import itertools

import numpy as np


def exact_pairs(counts):
    """Return labels (x, y), n each, that occur as often as an integer table counts[x, y] says."""
    rows = [(x, y) for (x, y), c in np.ndenumerate(counts) for _ in range(c)]
    return tuple(np.array(rows, dtype=float).T)


def forward(start, transition, emission, seen):
    """The forward algorithm, (T', S): the belief after each observation, predicting before the first."""
    belief, beliefs = start, []
    for o in seen:
        belief = (belief @ transition) * emission[:, o]
        belief = belief / belief.sum()
        beliefs.append(belief)
    return np.array(beliefs)


def enumerate_tree(parents, tables, evidence):
    """Return {node: (S,) unnormalised marginal} and their sum, over all states that agree with the evidence."""
    nodes = list(parents)
    sizes = {node: tables[node].shape[-1] for node in nodes}
    marginals, total = {node: np.zeros(sizes[node]) for node in nodes}, 0.0
    for states in itertools.product(*(range(sizes[node]) for node in nodes)):
        now = dict(zip(nodes, states, strict=True))
        if any(now[node] != value for node, value in evidence.items()):
            continue
        p = 1.0
        for node in nodes:
            table = tables[node] if parents[node] is None else tables[node][now[parents[node]]]
            p *= table[now[node]]
        total += p
        for node in nodes:
            marginals[node][now[node]] += p
    return marginals, total
