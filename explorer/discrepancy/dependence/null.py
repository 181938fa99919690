"""The permutation null of HSIC.

One sample is put in another order, and the sums of every pairing come by the cheapest of three algorithms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy.permutation import permutations
from explorer.discrepancy.tiled import LARGE
from explorer.types import Matrix, Rng, Rows

from .sides import Centred, Tiled

MANY = 2**20  # entries to gather above which numba's half second is worth it: numpy takes some 10 ms for them
WORTH = 2**22  # entries to gather above which a factor is looked for
FACTOR = 2**13  # entries of permuted factors at a time: 64 KB stay in the cache
HIGHEST = 256  # the rank up to which 6000 points and more are permuted by their factors


def null_sums(x: Centred, y: Centred, count: int, rng: Rng, groups: Rows | None = None) -> Matrix:
    """Σ_ij A_ij B_{p(i) p(j)} and Σ_i A_ii B_{p(i) p(i)} of `count` random pairings p, two arrays (B,).

    The permutations are those of every other test at n points with this rng, within `groups` (n,) where these are
    given.
    """
    return sums(x, y, permutations(x.n, count, rng, groups), count)


def sums(x: Centred, y: Centred, orders: Iterable[Rows], count: int) -> Matrix:
    """The sums of `null_sums` for the batches of orders (b, n), `count` rows in all."""
    whole = cheapest_sum(x, y, count)
    return np.concatenate([(whole(order), y.diagonal[order] @ x.diagonal) for order in orders], axis=1)


def cheapest_sum(x: Centred, y: Centred, count: int) -> Callable[..., Any]:
    """A function from orders (b, n) to Σ_ij A_ij B_{p(i) p(j)} (b,): the cheapest of three that agree up to rounding.

    Factors A = FF' and B = GG' give |F'G_p|^2, 2 n r s flops for ranks r and s: where the kernels are smooth and d = 1
    or 2. Else the n^2/2 entries are gathered, by numba or, where they are few or numba is absent, by numpy.
    """
    n, entries = x.n, count * x.n**2
    if isinstance(x, Tiled) or isinstance(y, Tiled):
        return _by_factors(*_factors(x, y, HIGHEST))
    if entries > WORTH and n >= 128:
        most = 2 * math.isqrt(3 * n)
        F = x.factor(most)
        G = None if F is None else y.factor(most)
        # a gathered entry costs as much as some ten flops of a product
        if F is not None and G is not None and F.shape[1] * G.shape[1] <= 3 * n:
            return _by_factors(F, G)
    return _by_numpy(x.A, y.A) if entries <= MANY else _by_numba(x.A, y.A)


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

    def whole(order):
        out = np.empty(len(order))
        for start in range(0, len(order), wide):
            products = left @ G.take(order[start : start + wide], axis=0)
            out[start : start + wide] = np.einsum("bij,bij->b", products, products)
        return out

    return whole


def _by_numpy(A, B):
    flat, wide = A.ravel(), max(1, FACTOR // A.size)

    def whole(order):
        parts = (order[start : start + wide] for start in range(0, len(order), wide))
        return np.concatenate([B[p[:, :, None], p[:, None, :]].reshape(len(p), -1) @ flat for p in parts])

    return whole


def _by_numba(A, B):
    try:
        gather = compiled()
    except ImportError:  # numba is absent
        return _by_numpy(A, B)

    def whole(order):
        out = np.empty(len(order))
        gather(A, B, order.astype(np.int32), out)
        return out

    return whole


@cache
def compiled() -> Any:
    """`_loop` compiled by numba, which takes half a second to load; ImportError where numba is absent."""
    import numba

    options = {"nogil": True, "fastmath": {"reassoc", "contract"}}  # sums in any order, side by side
    try:
        return numba.njit(cache=True, **options)(_loop)
    except RuntimeError:  # numba finds no folder that it may write to: compiled anew in each process
        return numba.njit(**options)(_loop)


def _loop(A, B, orders, out):
    """out_b = Σ_ij A_ij B_{p(i) p(j)} for each row p of orders (b, n), A and B symmetric (n, n).

    Rows of A stay in the processor's cache.
    """
    out[:] = 0.0
    for i in range(A.shape[0]):
        for b in range(orders.shape[0]):
            p = orders[b, i]
            below = 0.0
            for j in range(i):
                below += A[i, j] * B[p, orders[b, j]]
            out[b] += 2.0 * below + A[i, i] * B[p, p]
