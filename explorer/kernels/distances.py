"""Squared distances, and the Gaussian Gram matrix of many points."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

TILE = 100  # rows: a tile of a few thousand columns stays in the second-level cache between product and exp


def squared_distances(X, Y=None):
    """|x_i - y_j|^2, (n, m), from differences: a shift of the data by 1e8 loses no more than the data did."""
    return squareform(pdist(X, "sqeuclidean")) if Y is None else cdist(X, Y, "sqeuclidean")


def gaussian(D, theta):
    """exp(-D / (2 θ^2)) in the place of squared distances D."""
    with np.errstate(over="ignore"):  # a distance of more than 1e154 bandwidths is infinite, and its kernel value 0
        D *= -0.5 / theta**2
    return np.exp(D, out=D)


def gaussian_gram(X, Y, theta):
    """exp(-|x_i - y_j|^2 / (2 θ^2)), (n, m); a unit diagonal where Y is None.

    One matrix product gives the whole exponent, -|x|^2/2 - |y|^2/2 + <x, y> after centring and scaling, tile by tile; of a
    symmetric matrix one half is computed. It loses eps |x|^2/θ^2, so points that lie too far apart for twelve digits take the road by differences.
    """
    symmetric = Y is None
    Y = X if symmetric else Y
    centre = np.median(Y, axis=0)
    x, y = ((Z - centre) / theta for Z in (X, Y))
    with np.errstate(over="ignore"):
        x2, y2 = (np.einsum("ij,ij->i", z, z) for z in (x, y))
    if max(x2.max(), y2.max()) > 1e3:
        return gaussian(squared_distances(X, None if symmetric else Y), theta)
    # the norms come first: their sum does not depend on their order, which keeps K symmetric to the last digit or two
    left = np.column_stack([-0.5 * x2, np.ones(len(x)), x])
    right = np.vstack([np.ones(len(y)), -0.5 * y2, y.T])
    K = np.empty((len(x), len(y)))
    for start in range(0, len(x), TILE):
        stop, first = start + TILE, start if symmetric else 0
        tile = K[start:stop, first:]
        np.matmul(left[start:stop], right[:, first:], out=tile)
        if symmetric:
            np.fill_diagonal(tile, 0.0)
        if tile.max() > 0:
            np.minimum(tile, 0.0, out=tile)  # the product may round a zero distance to just above zero
        np.exp(tile, out=tile)
        if symmetric:
            K[stop:, start:stop] = tile[:, TILE:].T  # while the tile is still at hand
    return K
