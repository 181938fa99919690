"""The leading eigenpairs of a symmetric positive semi-definite matrix, by Lanczos' method or LAPACK."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
from scipy.linalg import blas as _blas

from explorer.linalg import operator, power_of_two
from explorer.rng import stream
from explorer.types import Gram, Matrix, Vector

blas: Any = _blas  # the type stubs lack most routines

SMALL = 500  # up to this number of rows LAPACK takes some hundredths of a second
SHARE = 12  # Lanczos' method is faster if less than a twelfth of the eigenvectors is needed
RESTARTS = 15  # the most restarts of Lanczos' method: beyond, as for eigenvalues that hardly fall, LAPACK is faster
MISSED = 1e-9  # a missed eigenvalue may exceed the least one found by this share of it


def leading(K: Gram, count: int) -> tuple[Vector, Matrix]:
    """Return the `count` largest eigenvalues (count,), falling, and their vectors (n, count), of K (n, n).

    K must have no eigenvalue below 0 apart from rounding. For more than 500 rows a few eigenpairs come from Lanczos'
    method, to the rounding of LAPACK's: ARPACK restarts it until they converge, by products that read half of K. A
    random vector finds one copy of a repeated eigenvalue, and its other copies only by rounding. So the remainder of K
    without the computed eigenpairs is checked, and if it has a larger eigenvalue LAPACK is used.
    """
    n, count = len(K), min(count, len(K))
    found = _lanczos(K, count) if n > SMALL and count * SHARE <= n and K.any() else None
    if found is not None:
        return found
    if n <= SMALL or count * 4 > n:
        gamma, U = np.linalg.eigh(K)  # scipy's would block all other threads until it ends
        return np.maximum(gamma[::-1][:count], 0.0), U[:, ::-1][:, :count]
    gamma, U = scipy.linalg.eigh(K, subset_by_index=(n - count, n - 1), check_finite=False)
    return np.maximum(gamma[::-1], 0.0), U[:, ::-1]


def _lanczos(K, count):
    """Return `leading` by ARPACK, or None if it takes too long or has missed one.

    The random start is always the same.
    """
    from scipy.sparse.linalg import ArpackError, eigsh  # imported here to keep `import explorer` fast

    n, half = len(K), K.T  # the transpose is in Fortran order, so BLAS makes no copy
    unit = power_of_two(float(np.abs(K.diagonal()).max()))  # ARPACK stops early if eigenvalues are far below 1
    start = stream(0, "lanczos").standard_normal((2, n))
    try:
        gamma, U = eigsh(
            operator(n, lambda v: blas.dsymv(1 / unit, half, v, lower=1)),
            count,
            which="LA",
            v0=start[0],
            ncv=2 * count + 10,
            maxiter=RESTARTS,
        )
        # The largest remaining eigenvalue, to a relative tolerance of a thousandth, shows whether copies were missed.
        rest = operator(n, lambda v: blas.dsymv(1 / unit, half, v, lower=1) - U @ (gamma * (v @ U)))
        search: Any = eigsh  # the type stubs allow whole tolerances only
        left = search(rest, 1, which="LA", v0=start[1], ncv=10, tol=1e-3, return_eigenvectors=False)[0]
    except ArpackError:
        return None
    rounding = n * np.finfo(float).eps * gamma.max()
    if left > (1 + MISSED) * gamma.min() + rounding:
        return None
    return unit * np.maximum(gamma[::-1], 0.0), U[:, ::-1]
