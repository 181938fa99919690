"""MONK along the directions of its block means: deterministic once the blocks are drawn."""

from __future__ import annotations

import numpy as np

from explorer.estimators.medianofmeans.majority import best_direction

PARTITIONS = 8  # of which the median is reported


def direction_values(copies, orders, starts):
    """max_q lower-med_r <Δ_q, Δ_r> / |Δ_q| for each copy and partition, (b, p).

    Orders (p, N), each cut at starts (Q,).
    """
    return np.stack(
        [np.concatenate([best_direction(G)[0] for G in copies.grams(order, starts)]) for order in orders], axis=1
    )


def witness_means(G, q):
    """The block means (Q,) of the unit direction to block q, <Δ_q, Δ_r> / |Δ_q|; all 0 for q = -1, f = 0."""
    return np.zeros(len(G)) if q < 0 else G[q] / np.sqrt(G[q, q])
