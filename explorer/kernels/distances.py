"""Squared distances, and the Gaussian Gram matrix of many points."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

from explorer.execution import memory_limits
from explorer.execution.processors import side_by_side
from explorer.types import Gram, Matrix, Points, Vector

LEAST = -700.0  # smallest exponent: exp of a much smaller one is subnormal and takes ten to ninety times as long
TILE = 100  # rows of a tile: with a few thousand columns it stays in the second-level cache between product and exp
ROWS = 256  # rows of a piece of distances
DISTANCE = 2e-9  # seconds on a typical core for a pair; half of all pairs are computed
ENTRIES = 2**17  # entries of a tile with few columns, 1 MB: Python threads wait for one another at every tile


def pair_distances(X: Points, metric: Literal["sqeuclidean", "cityblock", "euclidean"] = "sqeuclidean") -> Vector:
    """Compute the distances of points x_i and x_j, i < j, in the order of `pdist`.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Points.
    metric : {"sqeuclidean", "cityblock", "euclidean"}, default "sqeuclidean"
        The distance.

    Returns
    -------
    ndarray of shape (n (n - 1) / 2,)
        The distances.

    Raises
    ------
    ValueError
        If memory is too small.
    """
    memory_limits.refuse_many_distances(len(X))
    return np.asarray(pdist(X, metric), dtype=np.float64)


def pairs_in_pieces(
    X: Points, metric: Literal["sqeuclidean", "cityblock", "chebyshev"] = "sqeuclidean"
) -> list[Vector]:
    """Compute the distances of points x_i and x_j, i < j, in pieces: of some points to themselves and to later ones.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Points.
    metric : {"sqeuclidean", "cityblock", "chebyshev"}, default "sqeuclidean"
        The distance.

    Returns
    -------
    list of ndarray
        The pieces.

    Raises
    ------
    ValueError
        If memory is too small.
    """
    memory_limits.refuse_many_distances(len(X))

    def piece(start: int) -> Vector:
        rows, later = X[start : start + ROWS], X[start + ROWS :]
        apart = np.asarray(pdist(rows, metric), dtype=np.float64)
        others = np.asarray(cdist(rows, later, metric), dtype=np.float64)
        return np.concatenate([apart, others.ravel()]) if len(later) else apart

    return list(side_by_side(piece, range(0, len(X), ROWS), DISTANCE * len(X) ** 2))


def squared_distances(X: Points, Y: Points | None = None) -> Matrix:
    """Compute ``|x_i - y_j|²`` from differences.

    A shift of the data by 1e8 loses no more digits than the shifted data have lost themselves.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Points.
    Y : ndarray of shape (m, d) or None, default None
        Other points; None stands for X.

    Returns
    -------
    ndarray of shape (n, m)
        The squared distances.
    """
    D = squareform(pdist(X, "sqeuclidean")) if Y is None else cdist(X, Y, "sqeuclidean")
    return np.asarray(D, dtype=np.float64)


def gaussian(D: Matrix, theta: float) -> Matrix:
    """Replace squared distances D by exp(-D / (2 θ²)), in place.

    Parameters
    ----------
    D : ndarray
        Squared distances; overwritten.
    theta : float
        The bandwidth θ.

    Returns
    -------
    ndarray
        The array D.
    """
    with np.errstate(over="ignore"):  # a distance of more than 1e154 bandwidths is infinite, and its kernel value 0
        D *= -0.5 / theta**2
    return exponentials(D)


def exponentials(E: Matrix) -> Matrix:
    """Replace exponents E by exp(E), in place; values below 1e-304 become 0.

    Parameters
    ----------
    E : ndarray
        Exponents; overwritten.

    Returns
    -------
    ndarray
        The array E.
    """
    if E.min(initial=0.0) >= LEAST:
        return np.exp(E, out=E)
    kept = E >= LEAST
    np.exp(np.maximum(E, LEAST, out=E), out=E)
    E *= kept
    return E


def gaussian_gram(X: Points, Y: Points | None, theta: float) -> Gram:
    """Compute exp(-|x_i - y_j|² / (2 θ²)), (n, m), with a unit diagonal if Y is None.

    One matrix product gives the whole exponent, tile by tile; only one half of a symmetric matrix is computed.
    """
    symmetric = Y is None
    factors = _factors(theta, *((X,) if symmetric else (Y, X)))
    if factors is None:
        return gaussian(squared_distances(X, Y), theta)
    K = np.empty((len(X), len(X if symmetric else Y)))
    (_, right), (left, _) = factors[0], factors[-1]
    rows = TILE if symmetric else max(TILE, ENTRIES // K.shape[1])
    for start in range(0, len(K), rows):
        stop, first = start + rows, start if symmetric else 0
        tile = K[start:stop, first:]
        _exponentials(left[start:stop], right[:, first:], symmetric, tile)
        if symmetric:
            K[stop:, start:stop] = tile[:, rows:].T  # while the tile is still in the cache
    return K


def gaussian_differences(X: Points, Y: Points, theta: float) -> Matrix | None:
    """Compute <k(x_i, .) - k(y_i, .), k(x_j, .) - k(y_j, .)> for samples of the same n, (n, n).

    It is `gaussian_gram` of both samples, minus the two matrices between them, built tile by tile; none of the four is
    ever stored. Return None if the points lie too far apart for that.
    """
    memory_limits.refuse_large_gram(len(X))
    factors = _factors(theta, X, Y)
    if factors is None:
        return None
    D = np.empty((len(X), len(X)))
    for start in range(0, len(D), TILE):
        stop = start + TILE
        (lx, rx), (ly, ry) = ((left[start:stop], right[:, start:]) for left, right in factors)
        tile = D[start:stop, start:]
        other = np.empty(tile.shape)
        _exponentials(lx, rx, True, tile)
        tile += _exponentials(ly, ry, True, other)
        tile -= _exponentials(lx, ry, False, other)
        tile -= _exponentials(ly, rx, False, other)
        D[stop:, start:stop] = tile[:, TILE:].T
    return D


def _factors(theta, *samples):
    """Return factors (left, right) of each sample: left_a @ right_b are the exponents -|x|²/2 - |y|²/2 + <x, y>.

    Points are centred and scaled. The exponents lose eps |x|²/θ², so the result is None if points lie too far apart for
    twelve digits.
    """
    centre, factors = np.median(samples[0], axis=0), []
    for Z in samples:
        with np.errstate(over="ignore"):
            z = (Z - centre) / theta
            square, one = np.einsum("ij,ij->i", z, z), np.ones(len(z))
        if square.max() > 1e3:
            return None
        # the norms come first: their sum does not depend on their order, so K is symmetric to the last digit or two
        factors.append((np.column_stack([-0.5 * square, one, z]), np.vstack([one, -0.5 * square, z.T])))
    return factors


def _exponentials(left, right, symmetric, out):
    """Write exp(left @ right) into `out`, with a diagonal of 1 for points with themselves."""
    np.matmul(left, right, out=out)
    if symmetric:
        np.fill_diagonal(out, 0.0)
    if out.max() > 0:
        np.minimum(out, 0.0, out=out)  # the product may round a zero distance to just above zero
    return exponentials(out)
