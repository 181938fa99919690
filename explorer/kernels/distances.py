"""Squared distances, and the Gaussian Gram matrix of many points."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

from explorer import memory_limits
from explorer.processors import side_by_side
from explorer.types import Gram, Matrix, Points, Vector

LEAST = -700.0  # exp of much less is no normal number, and takes a processor ten to ninety times as long
TILE = 100  # rows: a tile of a few thousand columns stays in the second-level cache between product and exp
ROWS, DISTANCE = 256, 2e-9  # rows of a piece of distances; seconds on a usual core for a pair, of which half are made
ENTRIES = 2**17  # of a tile of few columns, 1 MB: threads of Python that compute tiles wait for one another at each


def pair_distances(X: Points, metric: Literal["sqeuclidean", "cityblock", "euclidean"] = "sqeuclidean") -> Vector:
    """The distances of points x_i and x_j, i < j, in the order of `pdist`; ValueError where memory is too small."""
    memory_limits.refuse_many_distances(len(X))
    return np.asarray(pdist(X, metric), dtype=np.float64)


def pairs_in_pieces(
    X: Points, metric: Literal["sqeuclidean", "cityblock", "chebyshev"] = "sqeuclidean"
) -> list[Vector]:
    """Return the distances of points x_i and x_j, i < j, in pieces: of some points to themselves and to later ones.

    Raises ValueError if memory is too small.
    """
    memory_limits.refuse_many_distances(len(X))

    def piece(start: int) -> Vector:
        rows, later = X[start : start + ROWS], X[start + ROWS :]
        apart = np.asarray(pdist(rows, metric), dtype=np.float64)
        others = np.asarray(cdist(rows, later, metric), dtype=np.float64)
        return np.concatenate([apart, others.ravel()]) if len(later) else apart

    return list(side_by_side(piece, range(0, len(X), ROWS), DISTANCE * len(X) ** 2))


def squared_distances(X: Points, Y: Points | None = None) -> Matrix:
    """|x_i - y_j|^2, (n, m), from differences: a shift of the data by 1e8 loses no more than the data did."""
    D = squareform(pdist(X, "sqeuclidean")) if Y is None else cdist(X, Y, "sqeuclidean")
    return np.asarray(D, dtype=np.float64)


def gaussian(D: Matrix, theta: float) -> Matrix:
    """exp(-D / (2 θ^2)) in the place of squared distances D."""
    with np.errstate(over="ignore"):  # a distance of more than 1e154 bandwidths is infinite, and its kernel value 0
        D *= -0.5 / theta**2
    return exponentials(D)


def exponentials(E: Matrix) -> Matrix:
    """exp(E) in the place of exponents E; 0 where that lies below 1e-304."""
    if E.min(initial=0.0) >= LEAST:
        return np.exp(E, out=E)
    kept = E >= LEAST
    np.exp(np.maximum(E, LEAST, out=E), out=E)
    E *= kept
    return E


def gaussian_gram(X: Points, Y: Points | None, theta: float) -> Gram:
    """exp(-|x_i - y_j|^2 / (2 θ^2)), (n, m); a unit diagonal where Y is None.

    One matrix product gives the whole exponent, tile by tile; of a symmetric matrix one half is computed.
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
            K[stop:, start:stop] = tile[:, rows:].T  # while the tile is still at hand
    return K


def gaussian_differences(X: Points, Y: Points, theta: float) -> Matrix | None:
    """<k(x_i, .) - k(y_i, .), k(x_j, .) - k(y_j, .)> for samples of the same n, (n, n).

    `gaussian_gram` of both, less the two between them, a tile at a time, so that of four matrices none is stored. None
    where points lie too far apart for that.
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
    """(left, right) of each sample, left_a @ right_b the exponents -|x|^2/2 - |y|^2/2 + <x, y> of two.

    Points are centred and scaled. The exponents lose eps |x|^2/θ^2, so there are none, None, for points that lie too
    far apart for twelve digits.
    """
    centre, factors = np.median(samples[0], axis=0), []
    for Z in samples:
        with np.errstate(over="ignore"):
            z = (Z - centre) / theta
            square, one = np.einsum("ij,ij->i", z, z), np.ones(len(z))
        if square.max() > 1e3:
            return None
        # the norms come first: their sum does not depend on their order, which keeps K symmetric to the last digit or
        # two
        factors.append((np.column_stack([-0.5 * square, one, z]), np.vstack([one, -0.5 * square, z.T])))
    return factors


def _exponentials(left, right, symmetric, out):
    """exp(left @ right) into `out`; of points with themselves its diagonal is 1."""
    np.matmul(left, right, out=out)
    if symmetric:
        np.fill_diagonal(out, 0.0)
    if out.max() > 0:
        np.minimum(out, 0.0, out=out)  # the product may round a zero distance to just above zero
    return exponentials(out)
