"""The unit direction along which a majority of points lies farthest: the supremum inside the median-of-means objective.

sup over |u| <= 1 of lower-med_q <u, z_q> is the largest distance, over the sets S of m = Q - floor((Q - 1) / 2) points,
from the origin to the convex hull of S. The reason is that the lower median is at least t if m of the points have <u,
z_q> >= t, and the best u for one S points to the nearest point of its hull. There are too many S to try all;
`farthest_majority` searches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from explorer.types import Matrix, Points, Rows, Values, Vector, VectorLike

from .blocks import median_position

# The number of directions that climb, of their steps, and of the directions whose hulls are then computed.
STARTS, CLIMB, POLISHED = 128, 8, 4
EXCHANGED = 6  # the number of points outside the best majority, those nearest to it, that may enter it
SURE = 1 - 1e-9  # a hull is surely nearer if a bound of its distance is below this multiple of the best distance


def best_direction(G: Values) -> tuple[Vector, Rows]:
    """Return the best of the Q directions that point to a block mean.

    Parameters
    ----------
    G : ndarray of shape (..., Q, Q)
        Gram matrices of the block means Δ_q.

    Returns
    -------
    value : ndarray of shape (...)
        The value max_q lower-med_r <Δ_q, Δ_r> / |Δ_q|, or 0 if f = 0 does better.
    q : ndarray of shape (...)
        The index of the direction; -1 if f = 0 does better.

    Notes
    -----
    The result is deterministic and costs O(Q^2) for each matrix. Every direction gives a lower bound of the supremum.
    If the blocks agree on a direction, as on the Gaussian pair of Figure 1 of [lerasle2019monk], this one has at least
    96 % of the supremum. If they do not, as for equal distributions, it has some 80 % on average.
    """
    along = _along(G)
    values = np.take_along_axis(along, median_position(along)[..., None], axis=-1)[..., 0]
    values = np.where(np.diagonal(G, axis1=-2, axis2=-1) > 0, values, -np.inf)
    q = values.argmax(axis=-1)
    best = np.take_along_axis(values, q[..., None], axis=-1)[..., 0]
    return np.maximum(best, 0.0), np.where(best > 0, q, -1)


def _along(G):
    """Return <Δ_q, Δ_r> / |Δ_q|, (..., Q, Q); row q is the direction, and is 0 if Δ_q is 0 apart from rounding."""
    square = np.diagonal(G, axis1=-2, axis2=-1)[..., None]
    return np.divide(G, np.sqrt(np.maximum(square, 0.0)), out=np.zeros(G.shape), where=square > 0)


def farthest_majority(Z: Points, known: VectorLike = ()) -> tuple[float, Vector]:
    """Return the distance and convex weights b (Q,) of the nearest point Z'b of the farthest majority's hull.

    `Z` has shape (Q, r). `known` (j, r) are directions that were good for another origin; they are tried first. If b
    is all 0, the distance is 0.

    Directions to the points, to the middles of pairs, and their opposites climb a few steps of the supergradient. The
    hulls of the best directions are computed until their majority stays the same. Then single points are exchanged as
    long as that helps. Compared with enumeration, for up to 10 random points, the search found the supremum in nine
    cases of ten and at least 95 % of it in the others.
    """
    n = np.linalg.norm(Z, axis=1)
    far = n > 0
    if not far.any():
        return 0.0, np.zeros(len(Z))
    search = _Hulls(Z, np.median(n[far]))
    values, climbed = _climb(
        Z, np.concatenate([*np.reshape(known, (1, -1, Z.shape[1])), *_directions(Z[far] / n[far][:, None])])
    )
    for i in np.argsort(-values, kind="stable")[:POLISHED]:
        search.settle(climbed[i])
    search.exchange()
    return search.distance, search.weights


def _directions(units):
    """Return the unit directions to points and to the middles of pairs, and their opposites."""
    i, j = np.triu_indices(len(units), 1)
    pairs = units[i] + units[j]
    length = np.linalg.norm(pairs, axis=1, keepdims=True)
    pairs = (pairs / np.where(length > 0, length, 1.0))[length[:, 0] > 1e-9]
    return units, pairs, -units, -pairs


def _climb(Z, U):
    """Return the values and directions that the best of U (s, r) reach.

    Each step goes towards the point at the lower median along the direction.
    """
    rank = (len(Z) - 1) // 2
    units = Z / np.maximum(_lengths(Z), np.finfo(float).tiny)
    U = U[np.argsort(-np.partition(U @ Z.T, rank, axis=1)[:, rank], kind="stable")[:STARTS]]
    best, reached, each = np.full(len(U), -np.inf), U, np.arange(len(U))
    for step in range(CLIMB):
        inner = U @ Z.T
        middle = median_position(inner)
        values = inner[each, middle]
        better = values > best
        best, reached = np.where(better, values, best), np.where(better[:, None], U, reached)
        if step == CLIMB - 1:
            break
        U = U + 0.5 / math.sqrt(step + 1) * units.take(middle, axis=0)
        length = _lengths(U)
        U = U / np.where(length > 0, length, 1.0)
    return best, reached


def _lengths(Z):
    """Return |z_q| of the rows of Z (Q, r), (Q, 1), in a third of the time of `numpy.linalg.norm`."""
    return np.sqrt(np.add.reduce(Z * Z, axis=1, keepdims=True))


class _Hulls:
    """The farthest hull of all majorities that have been tried so far."""

    def __init__(self, Z: Points, scale: float) -> None:
        self.Z, self.scale, self.system = Z, scale, System.of(Z, scale)
        self.m = len(Z) - (len(Z) - 1) // 2
        self.distance, self.weights, self.chosen, self.tried = 0.0, np.zeros(len(Z)), None, set()

    def look(self, chosen: Sequence[int]) -> Vector | None:
        """Return the direction to the hull of the points `chosen`; None if it was tried before or holds the origin."""
        chosen = tuple(sorted(chosen))
        if chosen in self.tried:
            return None
        self.tried.add(chosen)
        b, point = self._nearest(list(chosen))
        distance = math.sqrt(point.dot(point))
        if distance <= 1e-10 * self.scale:
            return None
        if distance > self.distance:
            self.distance, self.chosen = distance, chosen
            self.weights = np.zeros(len(self.Z))
            self.weights[list(chosen)] = b
        return point / distance

    def _nearest(self, rows):
        """Return the convex weights of these points whose combination is nearest to 0, and that combination."""
        b = self.system.nearest(rows)
        return b, b @ self.Z[rows]

    def settle(self, u: Vector | None) -> None:
        """Look at the majority farthest along u, turn u to its hull, and repeat until a majority was tried before."""
        while u is not None:
            u = self.look(np.argsort(-(self.Z @ u), kind="stable")[: self.m].tolist())

    def exchange(self) -> None:
        """Replace one point that holds the hull back by a point from outside, as long as that moves the hull away.

        Without the point, p is the nearest point of the hull. With a point from outside, the hull also has the segment
        from p to that point. If that segment comes as near as the best hull, the new hull cannot be better, and it is
        not computed.
        """
        before = None
        while self.chosen is not None and self.chosen != before:
            before, held = self.chosen, np.flatnonzero(self.weights > 1e-9)
            along = self.Z @ (self.weights @ self.Z)
            outside = [q for q in np.argsort(-along, kind="stable").tolist() if q not in before][:EXCHANGED]
            for i in held.tolist():
                rest = [p for p in before if p != i]
                near = _segments(self._nearest(rest)[1], self.Z[outside]) if rest else np.full(len(outside), np.inf)
                for q, bound in zip(outside, near.tolist(), strict=True):
                    if bound > SURE * self.distance:
                        self.look([q, *rest])


def _segments(p, Z):
    """Return the distances from 0 of the segments from p (r,) to the rows of Z (s, r), (s,)."""
    to = Z - p
    square = np.einsum("sr,sr->s", to, to)
    t = np.clip(np.divide(-(to @ p), square, out=np.zeros(len(Z)), where=square > 0), 0.0, 1.0)
    return _lengths(p + t[:, None] * to)[:, 0]


def nearest(Z: Matrix, scale: float = 1.0) -> Vector:
    """Return the convex weights (m,) of the rows of Z (m, r) whose combination is nearest to 0."""
    return System.of(Z, scale).nearest(slice(None))


class System(NamedTuple):
    """Non-negative least squares problem that gives the nearest point of a hull, for many hulls of one Z (Q, r).

    The least |Z'y|^2 + (sum y - 1)^2 over y >= 0 has the y in proportion to the convex weights, as in on_simplex. Far
    rows are first divided by their length, so that the least squares have no large numbers.

    Attributes
    ----------
    E : ndarray of shape (r + 1, Q)
        The rows of Z, and 1, divided by `length`.
    length : ndarray of shape (Q,)
        The lengths of the rows in units of the scale, at least 1.
    right : ndarray of shape (r + 1,)
        The right side: 0, and 1 at its end.
    """

    E: np.ndarray
    length: np.ndarray
    right: np.ndarray

    @classmethod
    def of(cls, Z: Points, scale: float) -> Self:
        """Build the least-squares problem for points Z (Q, r), divided by a scale."""
        length = np.maximum(np.linalg.norm(Z, axis=1) / scale, 1.0)
        return cls(np.vstack([Z.T / (scale * length), 1 / length]), length, np.append(np.zeros(Z.shape[1]), 1.0))

    def nearest(self, rows: Sequence[int] | slice) -> Vector:
        """Return the convex weights of these rows of Z whose combination is nearest to 0."""
        from scipy.optimize import nnls  # imported here: it would add 0.2 s to `import explorer`

        E = self.E[:, rows]
        y = nnls(E, self.right, maxiter=100 * E.shape[1])[0] / self.length[rows]
        return y / y.sum()
