"""The leading eigenpairs of a symmetric positive semi-definite matrix: all of them, some by LAPACK, few by Krylov."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from explorer.linalg import eigh_psd, power_of_two
from explorer.rng import stream

SMALL = 500  # rows up to which LAPACK takes some hundredths of a second
SHARE = 12  # a Krylov space pays where less than a twelfth of the eigenvectors is asked for
MORE = 10  # columns of a block beside those that are asked for
TOLERANCE = 1e-10  # of an eigenvalue, which the residual of its vector may be: then the eigenvalue errs by no more
ROUNDING = 4 * np.finfo(float).eps  # of the largest eigenvalue: no solver makes a residual much smaller
GROWTH = 1.2  # by which the space grows before its Ritz values are looked at again
LARGEST = 0.25  # of the rows: a larger Krylov space costs more than LAPACK


def leading(K, count):
    """The `count` largest eigenvalues (count,), falling, and their vectors (n, count), of a K (n, n) that has no
    eigenvalue below 0 but by rounding.

    Of n > 500 rows a few come from a Krylov space, grown block by block until every residual |Ku - γu| is 1e-10 γ or
    rounding, so that γ errs by 1e-10 of itself at most, and by far less where the next eigenvalue is not near. Where
    the space grows too large for that, as for eigenvalues that hardly fall, LAPACK computes them.
    """
    n, count = len(K), min(count, len(K))
    unit = power_of_two(float(np.abs(K.diagonal()).max()))
    if not 1e-100 < unit < 1e100:  # squares of what lies beyond may be no floats
        gamma, U = leading(K / unit, count)
        return gamma * unit, U
    if n > SMALL and count * SHARE <= n:
        found = _krylov(K, count)
        if found is not None:
            return found
    if n <= SMALL or count * 4 > n:
        gamma, U = eigh_psd(K)
        return gamma[::-1][:count], U[:, ::-1][:, :count]
    gamma, U = scipy.linalg.eigh(K, subset_by_index=(n - count, n - 1), check_finite=False)
    return np.maximum(gamma[::-1], 0.0), U[:, ::-1]


def _krylov(K, count):
    """`leading` by a block Krylov space with Rayleigh and Ritz, None where it grows too large.

    Blocks have more columns than vectors are asked for, so that an eigenvalue that is there many times is found as
    often. All blocks are kept orthogonal twice over. The start is drawn, always the same.
    """
    n = len(K)
    block = np.linalg.qr(K @ stream(0, "krylov").standard_normal((n, count + MORE)))[0]
    V, T, looked = np.empty((n, 0)), np.empty((0, 0)), 0
    while V.shape[1] + block.shape[1] <= LARGEST * n:
        V, old = np.hstack([V, block]), V.shape[1]
        W = K @ block
        column = V.T @ W
        T = np.block([[T, column[:old]], [column[:old].T, column[old:]]])
        W -= V @ column
        W -= V @ (V.T @ W)
        size = np.abs(T.diagonal()).max()  # at most the largest eigenvalue, and near to it from the first block on
        block = _directions(W, V, n * np.finfo(float).eps * size)
        if block.shape[1] and old < GROWTH * looked:  # the small problem may cost more than a block
            continue
        theta, Y = np.linalg.eigh((T + T.T) / 2)
        theta, Y, looked = theta[::-1][:count], Y[:, ::-1][:, :count], V.shape[1]
        residuals = np.linalg.norm(W @ Y[old:], axis=0)
        if block.shape[1] == 0 or (residuals <= np.maximum(TOLERANCE * theta, ROUNDING * size)).all():
            return np.maximum(theta, 0.0), V @ Y
    return None


def _directions(W, V, rounding):
    """An orthonormal basis of what W (n, b) has beside the orthonormal V, its columns that are rounding left out."""
    Q, R, _ = scipy.linalg.qr(W, mode="economic", pivoting=True, check_finite=False)
    Q = Q[:, np.abs(R.diagonal()) > rounding]
    Q -= V @ (V.T @ Q)  # what a small column has of V by rounding has grown with it
    return np.linalg.qr(Q)[0]
