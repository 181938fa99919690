"""The gather loop of HSIC's permutation test, compiled.

Imported where it is used, as numba takes half a second to load.
"""

from __future__ import annotations

import numba


def _loop(A, B, orders, out):
    """out_b = Σ_ij A_ij B_{p(i) p(j)} for each row p of orders (b, n), A and B symmetric (n, n).

    Rows of A stay in the cache.
    """
    out[:] = 0.0
    for i in range(A.shape[0]):
        for b in range(orders.shape[0]):
            p = orders[b, i]
            below = 0.0
            for j in range(i):
                below += A[i, j] * B[p, orders[b, j]]
            out[b] += 2.0 * below + A[i, i] * B[p, p]


# sums in any order, which lets them run side by side; no other liberty
_OPTIONS = {"nogil": True, "fastmath": {"reassoc", "contract"}}
try:
    gather = numba.njit(cache=True, **_OPTIONS)(_loop)
except RuntimeError:  # numba finds no folder that it may write to: compiled anew in each process
    gather = numba.njit(**_OPTIONS)(_loop)
