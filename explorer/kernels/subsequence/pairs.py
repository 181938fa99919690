"""Dynamic programme of the subsequence kernel, for many pairs of strings at once.

It works for alphabets of any size.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from explorer.types import Gram, Rows, Vector

from .letters import by_length

BYTES = 16_000_000  # largest size of the programme's tables


def aligned(x: Rows, y: Rows, p: int, decay: float) -> Vector:
    """Compute Σ_u Σ_{i: s[i] = u} Σ_{j: t[j] = u} λ^(gaps of i and of j) for B pairs (s, t) of strings.

    λ is `decay`, u runs over the strings of p letters, and the result has shape (B,). x (B, L) and y (B, M) hold
    letters as numbers from 0; a negative one equals no other. With the λ of the gaps alone, which is K'_i / λ^(2i) of
    Lodhi et al. (2002, J. Mach. Learn. Res. 2, 419, definition 2), nothing underflows:

        K''_i(s c, t d) = λ K''_i(s c, t) + [c = d] K'_{i-1}(s, t),    K'_0 = 1
        K'_i(s c, t)    = λ K'_i(s, t) + K''_i(s c, t)
        K_p             = Σ over s_a = t_b of K'_{p-1}(s_1 ... s_{a-1}, t_1 ... t_{b-1})

    A step processes one letter c of every s and all i at once: O(B L M p).
    """
    B, M = y.shape
    letters, value = np.where(y < 0, -2, y).T.copy(), np.zeros(B)  # -2, since -1 is no letter of s either
    K1 = np.zeros((M, p, B))  # K1[b, i] = K'_i(s_1 ... s_{a-1}, t_1 ... t_b), b counted from 0
    K1[:, 0] = 1
    match, K2, decayed = np.empty((M, 1, B)), np.empty((M, p, B)), np.empty((p, B))
    for c in x.T:
        np.equal(letters[:, None], c, out=match, casting="unsafe")
        np.multiply(K1, match, out=K2)
        value += K2[:, p - 1].sum(axis=0)
        for before, after in pairwise(K2):  # K2[b, i] becomes K''_{i+1}(s_1 ... s_a, t_1 ... t_{b+1})
            np.multiply(before, decay, out=decayed)
            after += decayed
        K1[:, 1:] *= decay
        K1[1:, 1:] += K2[:-1, :-1]
    return value


def _together(M, p):
    """Return how many pairs fit into the tables; M is the length of the longest t."""
    return max(1, BYTES // (8 * M * (2 * p + 2)))


def gram(x: Rows, y: Rows | None, p: int, decay: float) -> Gram:
    """Compute the subsequence kernel of p letters for all pairs of strings x (n, L) and y (m, M), (n, m).

    The strings are rows of numbers and `decay` is the factor λ of each gap, as in `aligned`, which takes one list of
    pairs. y=None means y = x, and then each pair is computed once.
    """
    symmetric = y is None
    rows, columns = (by_length(side) for side in (x, x if symmetric else y))
    y = x if symmetric else y
    K = np.empty((len(x), len(y)))
    side = math.isqrt(_together(y.shape[1], p))
    for top in range(0, len(x), side):
        i = rows[0][top : top + side]
        for left in range(top if symmetric else 0, len(y), side):
            j = columns[0][left : left + side]
            s = x[i, : rows[1][i[-1]]]
            t = y[j, : columns[1][j[-1]]]
            block = aligned(np.repeat(s, len(j), axis=0), np.tile(t, (len(i), 1)), p, decay).reshape(len(i), len(j))
            K[np.ix_(i, j)] = block
            if symmetric:
                K[np.ix_(j, i)] = block.T
    return K


def squares(x: Rows, p: int, decay: float) -> Vector:
    """Compute the subsequence kernel of p letters of each string x (n, L) with itself, (n,): the diagonal of `gram`."""
    out, (order, lengths) = np.empty(len(x)), by_length(x)
    step = _together(x.shape[1], p)
    for start in range(0, len(x), step):
        i = order[start : start + step]
        s = x[i, : lengths[i[-1]]]
        out[i] = aligned(s, s, p, decay)
    return out
