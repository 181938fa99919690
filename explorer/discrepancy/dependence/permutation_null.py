"""Permutation null of HSIC: one side is permuted, and the cheapest of three algorithms sums every pairing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.sparse import csr_array

from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import BATCH, TAKES, permutations
from explorer.discrepancy.resampling.tiled_gram import LARGE
from explorer.execution.processors import side_by_side
from explorer.types import Matrix, Rng, Rows

from .centred_grams import Centred, TiledSide

WORTH = 2**22  # number of entries to gather above which a factor is computed
FACTOR = 2**13  # number of entries of permuted factors at a time: 64 KB stay in the cache
TOGETHER = 8  # number of products of permuted factors in one job of a thread
GATHERED = 2**16  # number of entries that scipy gathers at a time: fewer cost numpy calls, more leave the cache
PAID = 2**30  # number of entries for which scipy takes as long as numba takes to load
GATHERS = 1e-9  # time in which numba gathers an entry, in seconds
STRIP = 64  # number of rows of a matrix whose entries are gathered at a time
HIGHEST = 256  # largest rank at which more than 6000 points are permuted by their factors

_asked = 0  # number of entries that this process has gathered so far


def null_sums(x: Centred, y: Centred, count: int, rng: Rng, groups: Rows | None = None) -> Matrix:
    """Return Σ_ij A_ij B_{p(i) p(j)} and Σ_i A_ii B_{p(i) p(i)} of `count` random pairings p, two arrays (B,).

    The permutations are those of every other test of n points with this rng, within `groups` (n,) if these are given.
    """
    return sums(x, y, permutations(x.n, count, rng, groups), count)


def sums(x: Centred, y: Centred, orders: Iterable[Rows], count: int) -> Matrix:
    """Return the sums of `null_sums` for batches of orders (b, n), `count` rows in all."""
    whole = cheapest_sum(x, y, count)
    return np.concatenate([(whole(order), y.diagonal[order] @ x.diagonal) for order in orders], axis=1)


def cheapest_sum(x: Centred, y: Centred, count: int) -> Callable[..., Any]:
    """Return a function from orders (b, n) to Σ_ij A_ij B_{p(i) p(j)} (b,), the cheapest of three that agree.

    Factors A = FF' and B = GG' give ``|F'G_p|^2`` in 2 n r s flops for ranks r and s; this is cheapest for smooth
    kernels in one or two dimensions. Otherwise half of the entries are gathered: by scipy, or three times as fast by
    numba, once that is worth its load time. The three agree up to rounding.
    """
    n, entries = x.n, count * x.n**2
    if isinstance(x, TiledSide) or isinstance(y, TiledSide):
        return _by_factors(*_factors(x, y, HIGHEST))
    if entries > WORTH and n >= 128:
        most = 2 * math.isqrt(3 * n)
        F = x.factor(most)
        G = None if F is None else y.factor(most)
        # a gathered entry costs about as much as ten flops of a product
        if F is not None and G is not None and F.shape[1] * G.shape[1] <= 3 * n:
            return _by_factors(F, G)
    return (_by_numba if _pays(entries) else _by_scipy)(x.A, y.A)


def _pays(entries):
    """Return whether numba is worth its load time to this process, which gathers `entries` more entries.

    A first test then waits for no compiler, and many tests are as fast as with one from the start. Both algorithms give
    the same sums to the last bit (unless the compiler fuses products and sums), so earlier work makes no difference.
    """
    global _asked
    _asked += entries
    return _asked > PAID


def _factors(x, y, most):
    F = x.factor(most)
    G = None if F is None else y.factor(most)
    if G is None:
        raise Refusal(
            f"a permutation test of {x.n} pairs stores both Gram matrices, {16e-9 * x.n**2:.1f} GB, unless their ranks"
            f" are below {most}; give at most {LARGE} pairs, or take hsic_gamma, which permutes nothing."
        )
    return F, G


def _by_factors(F, G):
    left, wide = np.ascontiguousarray(F.T), max(1, FACTOR // max(1, G.size))

    def some(order):
        out = np.empty(len(order))
        for start in range(0, len(order), wide):
            products = left @ G.take(order[start : start + wide], axis=0)
            out[start : start + wide] = np.einsum("bij,bij->b", products, products)
        return out

    def whole(order):
        parts = [order[start : start + TOGETHER * wide] for start in range(0, len(order), TOGETHER * wide)]
        seconds = 2 * TAKES * F.size * G.shape[1] * len(order)
        return np.concatenate(list(side_by_side(some, parts, seconds)))

    return whole


def _by_scipy(A, B):
    """Return the sum by a sparse matrix-vector product: entries of A times the permuted entries of B."""
    n, weights, flat = len(A), _halved(A), B.ravel()
    wide = min(BATCH, max(1, GATHERED // weights.size))  # orders at a time
    entries, places = np.tile(weights.ravel(), wide), np.zeros(wide * weights.size, dtype=np.int32)
    ends = weights.shape[1] * np.arange(wide * n + 1, dtype=np.int32)
    table = csr_array((entries, places, ends), shape=(wide * n, n * n))

    def whole(order):
        order, out = order.astype(np.int32), np.empty(len(order))
        lines, columns, places = n * order[:, :, None], _followers(order), table.indices.reshape(wide, *weights.shape)
        for start in range(0, len(order), wide):
            part = slice(start, start + wide)
            many = len(order[part])
            np.add(lines[part], columns[part], out=places[:many])
            out[part] = (table @ flat).reshape(wide, n)[:many].sum(axis=1)
        return out

    return whole


def _by_numba(A, B):
    try:
        gather = compiled()
    except ImportError:  # numba is absent
        return _by_scipy(A, B)
    weights, n = _halved(A), len(A)

    def strip(rows, start):
        some = weights[start : start + STRIP]
        out = np.empty((len(rows), len(some)))
        gather(some, B, np.ascontiguousarray(rows[:, start : start + STRIP + n // 2]), out)
        return out

    def whole(order):
        # `_loop` takes four orders at a time
        rows = _on_a_circle(np.resize(order, (-(-len(order) // 4) * 4, n)).astype(np.int32))
        strips = side_by_side(partial(strip, rows), range(0, n, STRIP), GATHERS * len(rows) * weights.size)
        return np.concatenate(list(strips), axis=1)[: len(order)].sum(axis=1)

    return whole


def _halved(A):
    """Return the weights (n, n//2 + 1) of the entries of A (n, n), symmetric, in a sum over half of them.

    Row i has A_ij for j = i and for those that follow it on a circle, so that all rows have one length.
    """
    n = len(A)
    weights = 2 * _followers(A)[np.arange(n), np.arange(n)]
    weights[:, 0] /= 2
    if n % 2 == 0:  # the opposite point on the circle is counted from both sides
        weights[:, -1] /= 2
    return weights


def _followers(rows):
    """Return each of rows (b, n) and the n//2 that follow it on a circle, (b, n, n//2 + 1), a view."""
    return sliding_window_view(_on_a_circle(rows), rows.shape[1] // 2 + 1, axis=1)


def _on_a_circle(rows):
    """Return rows (b, n), continued by their first n//2 entries."""
    return np.concatenate([rows, rows[:, : rows.shape[1] // 2]], axis=1)


@cache
def compiled() -> Any:
    """Return `_loop` compiled by numba, which takes half a second to load; raise ImportError if numba is absent."""
    import numba

    try:
        return numba.njit(cache=True, nogil=True)(_loop)
    except RuntimeError:  # numba finds no folder that it may write to, so each process compiles again
        return numba.njit(nogil=True)(_loop)


def _loop(weights, B, rows, out):
    """Set out_bi = Σ_k weights_ik B_{p(i) p(i+k)} for rows p of orders on a circle (b, n + n//2), b a multiple of 4.

    A row of weights stays in the processor's cache. Four orders are summed at a time, because a sum waits for its last
    addition.
    """
    for i in range(weights.shape[0]):
        for b in range(0, rows.shape[0], 4):
            p, q, r, s = rows[b, i], rows[b + 1, i], rows[b + 2, i], rows[b + 3, i]
            of_p = of_q = of_r = of_s = 0.0
            for k in range(weights.shape[1]):
                weight, j = weights[i, k], i + k
                of_p += weight * B[p, rows[b, j]]
                of_q += weight * B[q, rows[b + 1, j]]
                of_r += weight * B[r, rows[b + 2, j]]
                of_s += weight * B[s, rows[b + 3, j]]
            out[b, i], out[b + 1, i], out[b + 2, i], out[b + 3, i] = of_p, of_q, of_r, of_s
