"""The geometric median of points in an RKHS, in Gram coordinates."""

from __future__ import annotations

import numpy as np

from explorer.types import Gram, Matrix, Vector

ROUNDING = 16 * np.finfo(float).eps  # rounding of a squared distance, relative to the squared norms that it comes from
STEPS = 1000
STILL = 1e-13  # weights that move by less than this in total have converged


def centred(G: Gram) -> Matrix:
    """Return the Gram matrix (Q, Q) relative to the point whose median distance to the others is least.

    That point lies among the majority, so the others of the majority keep their digits however far away some point is.
    The mean would not have this property.
    """
    square = G.diagonal()
    r = np.median(square[:, None] + square - 2 * G, axis=1).argmin()
    return G - G[:, [r]] - G[[r]] + G[r, r]


def geometric_median(G: Gram) -> Vector:
    """Return the weights (Q,) of sum 1 of the point that minimises f -> sum_q |f - φ_q|.

    `G` (Q, Q) is the Gram matrix of the φ_q. The method is Weiszfeld's iteration (1937), weights in proportion to 1/|f
    - φ_q|, with the step of Vardi and Zhang (2000, Proc. Natl. Acad. Sci. 97, 1423) if f meets a point. If a point is
    the median it is the one of least total distance. That one is tried first, which avoids the slow approach to it. If
    the median is not unique (an even number of points on one line) the result is the one that the iteration reaches
    from the mean. One point far away moves the median by a bounded amount: its weight falls as 1/distance.
    """
    size = np.sqrt(np.maximum(G.diagonal(), 0.0))
    G = centred(G)
    at_point = _median_point(G, size)
    if at_point is not None:
        return at_point
    w = np.full(len(G), 1 / len(G))
    for _ in range(STEPS):
        moved = _step(G, size, w)
        if np.abs(moved - w).sum() <= STILL:
            return moved
        w = moved
    return w


def distances(G: Gram, size: Vector, w: Vector) -> Vector:
    """Return |f - φ_q|, (Q,), for f = sum_q w_q φ_q; a distance that may be rounding alone is 0.

    `size` (Q,) holds the norms before G was centred.
    """
    Gw = G @ w
    squares = G.diagonal() - 2 * Gw + w @ Gw
    # A point that is far away has a small w, and so a small share in the rounding.
    return np.sqrt(np.where(squares > ROUNDING * (size**2 + (np.abs(w) @ size) ** 2), squares, 0.0))


def _step(G, size, w):
    """Return the weights after one step of Weiszfeld's iteration; w itself if it is the median."""
    d = distances(G, size, w)
    met = d == 0
    pull = np.divide(1.0, d, out=np.zeros(len(d)), where=~met)
    if not met.any():
        return pull / pull.sum()
    force = _norm(G, pull - pull.sum() * w)
    if force <= met.sum():
        return w
    stay = met.sum() / force
    return (1 - stay) * pull / pull.sum() + stay * w


def _median_point(G, size):
    """Return the weights of the geometric median if it is a single one of the points, otherwise None."""
    square = G.diagonal()
    squares = square[:, None] + square - 2 * G
    same = squares <= ROUNDING * (size[:, None] ** 2 + size**2)
    d = np.sqrt(np.where(same, 0.0, squares))
    # d_kq - d_rq, for the origin r, is computed as a quotient: a difference of distances to a far point is rounding.
    r = square.argmin()
    more = square[:, None] - 2 * G
    total = d + d[r]
    excess = np.divide(more, total, out=np.zeros(d.shape), where=total > 0)
    k = excess.sum(axis=1).argmin()
    pull = np.divide(1.0, d[k], out=np.zeros(len(d)), where=~same[k])
    force = pull.copy()
    force[k] -= pull.sum()
    if _norm(G, force) < same[k].sum() * (1 - 1e-9):
        return same[k] / same[k].sum()
    return None


def _norm(G, weights):
    """Return the norm of a combination of the points."""
    return np.sqrt(max(weights @ G @ weights, 0.0))
