"""The unit direction along which a majority of points lies farthest: the supremum inside the median-of-means objective.

sup over |u| <= 1 of lower-med_q <u, z_q> is the largest distance, over the sets S of m = Q - floor((Q - 1) / 2) points,
from the origin to the convex hull of S: the lower median is at least t where m of the points have <u, z_q> >= t, and
the u that does best for one S points to the nearest point of its hull. There are too many S to try; `farthest_majority`
searches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from explorer.types import Matrix, Points, Rows, Values, Vector, VectorLike

from .blocks import median_position

STARTS, CLIMB, POLISHED = (
    128,
    8,
    4,
)  # directions that climb, the steps they take, and those whose hulls are then looked at
EXCHANGED = 6  # points outside the best majority, its nearest, that may enter it
SURE = 1 - 1e-9  # times the best distance: a bound below it leaves no doubt that a hull is nearer


def best_direction(G: Values) -> tuple[Vector, Rows]:
    """The best of the Q directions that point to a block mean: value and q, for Gram matrices G (..., Q, Q) of them.

    max_q lower-med_r <Δ_q, Δ_r> / |Δ_q|, and 0 where f = 0 does better; q is -1 there. Deterministic, O(Q^2) a matrix.
    Every direction gives a lower bound of the supremum; this one has 96 % of it or more where the blocks agree on a
    direction, as on the Gaussian pair of paper 004's Figure 1, some 80 % on average where they do not, the
    distributions being equal.
    """
    along = _along(G)
    values = np.take_along_axis(along, median_position(along)[..., None], axis=-1)[..., 0]
    values = np.where(np.diagonal(G, axis1=-2, axis2=-1) > 0, values, -np.inf)
    q = values.argmax(axis=-1)
    best = np.take_along_axis(values, q[..., None], axis=-1)[..., 0]
    return np.maximum(best, 0.0), np.where(best > 0, q, -1)


def _along(G):
    """<Δ_q, Δ_r> / |Δ_q|, (..., Q, Q): row q is the direction; 0 where Δ_q is, or would be but for rounding."""
    square = np.diagonal(G, axis1=-2, axis2=-1)[..., None]
    return np.divide(G, np.sqrt(np.maximum(square, 0.0)), out=np.zeros(G.shape), where=square > 0)


def farthest_majority(Z: Points, known: VectorLike = ()) -> tuple[float, Vector]:
    """Distance and convex weights b (Q,) of the nearest point Z'b of the farthest majority's hull, for Z (Q, r).

    known  directions (j, r) that were good for another origin, tried first

    Directions to the points, to the middles of pairs, and their opposites climb a few steps of the supergradient; the
    hulls of the best are looked at until their majority stays; then single points are exchanged while that helps.
    Against enumeration, of up to 10 random points, it found the supremum in nine cases of ten and 95 % of it at least.
    All b = 0 stands for f = 0.
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
    i, j = np.triu_indices(len(units), 1)
    pairs = units[i] + units[j]
    length = np.linalg.norm(pairs, axis=1, keepdims=True)
    pairs = (pairs / np.where(length > 0, length, 1.0))[length[:, 0] > 1e-9]
    return units, pairs, -units, -pairs


def _climb(Z, U):
    """The values and directions that the best of U (s, r) reach along the point which is their lower median."""
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
    """|z_q| of the rows of Z (Q, r), (Q, 1), in a third of the time of `numpy.linalg.norm`."""
    return np.sqrt(np.add.reduce(Z * Z, axis=1, keepdims=True))


class _Hulls:
    """The farthest hull found so far, of all majorities that were looked at."""

    def __init__(self, Z: Points, scale: float) -> None:
        self.Z, self.scale, self.system = Z, scale, System.of(Z, scale)
        self.m = len(Z) - (len(Z) - 1) // 2
        self.distance, self.weights, self.chosen, self.tried = 0.0, np.zeros(len(Z)), None, set()

    def look(self, chosen: Sequence[int]) -> Vector | None:
        """The direction to the hull of the points `chosen`, None where it was seen or holds the origin."""
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
        """The convex weights of these points that come nearest to 0, and where they come."""
        b = self.system.nearest(rows)
        return b, b @ self.Z[rows]

    def settle(self, u: Vector | None) -> None:
        """Take the majority farthest along u, turn u to its hull, and again."""
        while u is not None:
            u = self.look(np.argsort(-(self.Z @ u), kind="stable")[: self.m].tolist())

    def exchange(self) -> None:
        """Replace one point that holds the hull back by one from outside, as long as that takes the hull away.

        Without the point the hull reaches to p; with one from outside it has the way from p to that one, too: where
        that comes as near as the best hull, the new one is no better, and is not looked at.
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
    """How near the segments from p (r,) to the rows of Z (s, r) come to 0, (s,)."""
    to = Z - p
    square = np.einsum("sr,sr->s", to, to)
    t = np.clip(np.divide(-(to @ p), square, out=np.zeros(len(Z)), where=square > 0), 0.0, 1.0)
    return _lengths(p + t[:, None] * to)[:, 0]


def nearest(Z: Matrix, scale: float = 1.0) -> Vector:
    """Convex weights (m,) of the rows of Z (m, r) whose combination is nearest to 0."""
    return System.of(Z, scale).nearest(slice(None))


class System(NamedTuple):
    """What makes the nearest point of a hull a problem of non-negative least squares, for many hulls of one Z (Q, r).

    The least |Z'y|^2 + (sum y - 1)^2 over y >= 0 has the y in proportion to the convex weights (as on_simplex has). Far
    rows are divided by their length first, so that the least squares know no large numbers.

    E  (r + 1, Q): the rows of Z, and 1, divided by these lengths (Q,); right (r + 1,) is 0 but for its end
    """

    E: np.ndarray
    length: np.ndarray
    right: np.ndarray

    @classmethod
    def of(cls, Z: Points, scale: float) -> Self:
        length = np.maximum(np.linalg.norm(Z, axis=1) / scale, 1.0)
        return cls(np.vstack([Z.T / (scale * length), 1 / length]), length, np.append(np.zeros(Z.shape[1]), 1.0))

    def nearest(self, rows: Sequence[int] | slice) -> Vector:
        """The convex weights of these rows of Z whose combination is nearest to 0."""
        from scipy.optimize import nnls  # a fifth of a second that `import explorer` does not owe

        E = self.E[:, rows]
        y = nnls(E, self.right, maxiter=100 * E.shape[1])[0] / self.length[rows]
        return y / y.sum()
