"""The leading eigenpairs of a symmetric positive semi-definite matrix: few of many by Lanczos, or LAPACK's."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
from scipy.linalg import blas as _blas

from explorer.linalg import operator, power_of_two
from explorer.rng import stream
from explorer.types import Gram, Matrix, Vector

blas: Any = _blas  # its types lack most routines

SMALL = 500  # rows up to which LAPACK takes some hundredths of a second
SHARE = 12  # Lanczos' method pays where less than a twelfth of the eigenvectors is asked for
RESTARTS = 15  # of it: beyond, as for eigenvalues that hardly fall, LAPACK is quicker
MISSED = 1e-9  # of the least eigenvalue that was found, by which one that was not may be larger


def leading(K: Gram, count: int) -> tuple[Vector, Matrix]:
    """The `count` largest eigenvalues (count,), falling, and their vectors (n, count), of K (n, n), which has no
    eigenvalue below 0 but by rounding.

    Of more than 500 rows a few come from Lanczos' method, to the rounding of LAPACK's: ARPACK restarts it until they
    stand still, by products that read half of K. A vector at random sees an eigenvalue that is there several times
    once, and its other copies by rounding only; so what is left of K without those that were found is looked at, and
    where it has a larger one LAPACK decides.
    """
    n, count = len(K), min(count, len(K))
    found = _lanczos(K, count) if n > SMALL and count * SHARE <= n and K.any() else None
    if found is not None:
        return found
    if n <= SMALL or count * 4 > n:
        gamma, U = np.linalg.eigh(K)  # scipy's would keep every other thread waiting meanwhile
        return np.maximum(gamma[::-1][:count], 0.0), U[:, ::-1][:, :count]
    gamma, U = scipy.linalg.eigh(K, subset_by_index=(n - count, n - 1), check_finite=False)
    return np.maximum(gamma[::-1], 0.0), U[:, ::-1]


def _lanczos(K, count):
    """`leading` by ARPACK, None where it takes too long or has missed one. The start is drawn, always the same."""
    from scipy.sparse.linalg import ArpackError, eigsh  # which `import explorer` does not owe

    n, half = len(K), K.T  # the transpose lies as Fortran has it, so that nothing is copied
    unit = power_of_two(float(np.abs(K.diagonal()).max()))  # ARPACK stops early where eigenvalues are far below 1
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
        # a thousandth of the largest one that is left, which cannot be more than a thousandth too small, shows copies
        rest = operator(n, lambda v: blas.dsymv(1 / unit, half, v, lower=1) - U @ (gamma * (v @ U)))
        search: Any = eigsh  # its types take whole tolerances alone
        left = search(rest, 1, which="LA", v0=start[1], ncv=10, tol=1e-3, return_eigenvectors=False)[0]
    except ArpackError:
        return None
    rounding = n * np.finfo(float).eps * gamma.max()
    if left > (1 + MISSED) * gamma.min() + rounding:
        return None
    return unit * np.maximum(gamma[::-1], 0.0), U[:, ::-1]
