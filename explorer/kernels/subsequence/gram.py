"""Gram matrix of the subsequence kernel by the cheaper of two exact ways, or by both together.

Strings over few letters use the explicit features, others the dynamic programme, pair by pair. Both are used if some
letters are rare: the features that contain only common letters are summed for all strings, and something is added only
if both strings of a pair have a rare letter. So four bases and a few ambiguous ones cost what four bases cost.
"""

from __future__ import annotations

import math

import numpy as np

from explorer.types import Labels, Matrix, Weights

from . import features, pairs
from .letters import ranks

# measured nanoseconds of one addition of the features, of the programme, and of a matrix product
FEATURE, PROGRAMME, PRODUCT = 2.0, 2.0, 0.03


def gap_weighted(X: Labels, Y: Labels | None, p: int, decay: float) -> Matrix:
    """Compute Σ_u Σ_{i: s[i] = u} Σ_{j: t[j] = u} λ^(gaps of i and of j), (n, m), for strings X (n, 1) and Y (m, 1).

    Y=None means Y = X.
    """
    x, y, size = ranks(X, Y)
    other = x if y is None else y
    if p > min(x.shape[1], other.shape[1]):
        return np.zeros((len(x), len(other)))

    in_x, in_y = _letters(x), _letters(other)
    read, products = in_x.sum() + (0 if y is None else in_y.sum()), len(x) * len(other)

    def by_features(a):
        return (FEATURE * read / a + PRODUCT * products) * np.float64(a) ** p

    def by_pairs(rare_x, rare_y):
        return PROGRAMME * p * in_x[rare_x].sum() * in_y[rare_y].sum() * (0.5 if y is None else 1.0)

    a, rare_x, rare_y = _cheapest(by_features, by_pairs, size, x, other)
    K = features.gram(x, y, a, p, decay) if a else np.zeros((len(x), len(other)))
    if len(rare_x) and len(rare_y):
        rest = pairs.gram(x[rare_x], None if y is None else y[rare_y], p, decay)
        K[np.ix_(rare_x, rare_y)] = rest
    return K


def self_weighted(X: Labels, p: int, decay: float) -> Weights:
    """Compute the diagonal of `gap_weighted`, (n,)."""
    x, _, size = ranks(X)
    if p > x.shape[1]:
        return np.zeros(len(x))
    letters = _letters(x)

    def by_features(a):
        return FEATURE * (letters.sum() / a + len(x)) * np.float64(a) ** p

    def by_pairs(rare, _):
        return PROGRAMME * p * (letters[rare] ** 2).sum()

    a, rare, _ = _cheapest(by_features, by_pairs, size, x, x)
    out = features.squares(x, a, p, decay) if a else np.zeros(len(x))
    if len(rare):
        out[rare] = pairs.squares(x[rare], p, decay)
    return out


def _letters(ranked):
    """Count the letters of each string that have a rank, (n,)."""
    return (ranked >= 0).sum(axis=1)


def _cheapest(by_features, by_pairs, size, x, y):
    """Return (a, rows of x, rows of y) of the least cost: the a most frequent letters use features.

    The strings in these rows also have rarer letters, so their pairs are computed one by one. `by_features(a)` and
    `by_pairs(rows of x, rows of y)` return costs.
    """
    rarest_x, rarest_y = x.max(axis=1), y.max(axis=1)
    best = (math.inf, 0, np.arange(0), np.arange(0))
    for a in range(size + 1):
        paid = by_features(a) if a else 0.0
        if paid > best[0]:  # the features alone cost more, and ever more
            break
        rare_x, rare_y = np.flatnonzero(rarest_x >= a), np.flatnonzero(rarest_y >= a)
        paid += by_pairs(rare_x, rare_y)
        if paid < best[0]:
            best = (paid, a, rare_x, rare_y)
    return best[1:]
