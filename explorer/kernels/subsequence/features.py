"""Explicit features of the subsequence kernel: one coordinate for every string of p letters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from explorer.types import Gram, Matrix, Rows, Vector

from .letters import by_length

BYTES = 64_000_000  # largest size of the features that are stored at once
ROWS = 128  # strings that advance together: the tables of a few letters then stay in the processor's cache


def features(ranked: Rows, a: int, p: int, decay: float, ending: Sequence[Any] = ()) -> Matrix:
    """Compute Σ_{i: s[i] = u} λ^(gaps of i), (n, a^(p - r)), for the strings u of p letters with an ending of r.

    The letters are 0, ..., a-1. `ranked` has shape (n, L) and holds letters as numbers; those outside 0, ..., a-1 match
    nothing and count as gaps. The gaps of positions i_1 < ... < i_p are the i_p - i_1 + 1 - p letters between them.
    Columns are in lexicographic order of u.

    One pass over each string, from its end: E_q[u], the subsequences u of q letters in the part that was read, with λ
    for every letter since the first, changes at a new letter c by E_q <- λ E_q and E_q[c u] <- E_q[c u] + E_{q-1}[u].
    Reading backwards makes c the leading digit of the column, so each string's update is one contiguous block: O(n L
    a^(p-1)).
    """
    out = np.zeros((len(ranked), a ** (p - len(ending))))
    order, lengths = by_length(np.where(ranked < a, ranked, -1))
    if p > lengths.max():
        return out
    for start in range(0, len(order), ROWS):
        rows = order[start : start + ROWS]
        out[rows] = _one_pass(ranked[rows, : lengths[rows[-1]]], a, p, decay, ending)
    return out


def _one_pass(letters, a, p, decay, ending):
    n, L = letters.shape
    tables, states, targets = [], [np.ones((n, 1))], []
    for q in range(1, p + 1):
        if q <= len(ending):  # this letter is given
            choices, digit = 1, np.where(letters == ending[-q], 0, -1)
        else:
            choices, digit = a, np.where(letters < a, letters, -1)
        # a row for each string and letter, and one below them all that collects gaps
        tables.append(np.zeros((n * choices + 1, states[-1].shape[1])))
        states.append(tables[-1][:-1].reshape(n, -1))
        targets.append(np.where(digit < 0, n * choices, np.arange(n)[:, None] * choices + digit).T.copy())
    for t in reversed(range(L)):
        for q in range(p, 0, -1):  # from the longest, so that E_{q-1} is still the one before this letter
            table, target = tables[q - 1], targets[q - 1][t]
            if q < p:
                table *= decay
            block = table.take(target, axis=0)
            block += states[q - 1]
            table[target] = block
    return states[p]


def _endings(n, a, p):
    """Return endings whose blocks of columns together are all a^p, each small enough to store for n strings."""
    r = next(r for r in range(p + 1) if 8 * n * a ** (p - r) <= BYTES or r == p)
    return product(range(a), repeat=r)


def gram(x: Rows, y: Rows | None, a: int, p: int, decay: float) -> Gram:
    """Compute Σ_u of the features' products, (n, m), by one matrix product for each block of columns.

    y=None means y = x.
    """
    n = len(x) + (0 if y is None else len(y))
    K = None
    for ending in _endings(n, a, p):
        F = features(x, a, p, decay, ending)
        block = F @ (F if y is None else features(y, a, p, decay, ending)).T
        K = block if K is None else np.add(K, block, out=K)
    return np.zeros((len(x), len(x if y is None else y))) if K is None else K


def squares(x: Rows, a: int, p: int, decay: float) -> Vector:
    """Compute the diagonal of `gram`, (n,)."""
    blocks = (features(x, a, p, decay, ending) for ending in _endings(len(x), a, p))
    return sum((np.einsum("ij,ij->i", F, F) for F in blocks), np.zeros(()))
