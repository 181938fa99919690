"""Pre-images: the points whose Gaussian kernel functions are nearest to functions of the RKHS."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from scipy.spatial.distance import cdist

from explorer import checks
from explorer.checks import Refusal
from explorer.kernels import Gaussian
from explorer.types import Matrix, Points, Rows, Vector

if TYPE_CHECKING:
    from explorer.embeddings.embedding import Embedding
    from explorer.kernels.base import Kernel


BEST = 3  # the number of nearest points of the sample from which the search starts
STEPS, STILL = 300, 1e-9  # the most steps, and the length in bandwidths below which a step is the last
HALVINGS, RISE = 40, 1e-4  # the most halvings of a step, until it rises by this share of what its slope predicts
ENTRIES = 2**22  # the most pairs of a start and a point at a time: 32 MB
CURVED = 2**23  # Newton's steps are tried if all points' outer products have at most this many numbers


class Part(NamedTuple):
    """Points (n, d) that share a noise covariance: k(x, p) = scale exp(-|(x - p) root|² / 2)."""

    points: np.ndarray
    root: np.ndarray
    scale: float

    @classmethod
    def of(cls, points: Points, theta: float, C: Matrix | None) -> Self:
        """Return the Part of points under bandwidth θ and covariance C (d, d), or None."""
        d = points.shape[1]
        if C is None:
            return cls(points, np.eye(d) / theta, 1.0)
        variances, U = np.linalg.eigh(C)
        ratio = np.maximum(variances, 0.0) / theta**2
        return cls(points, U / (theta * np.sqrt(1 + ratio)), float(np.exp(-0.5 * np.log1p(ratio).sum())))

    def values(self, x: Matrix) -> Matrix:
        """Return k(x_i, p_j), (q, n)."""
        return self.scale * np.exp(self._exponents(x))

    def less_one(self, x: Matrix) -> Matrix:
        """Return k(x_i, p_j) minus `scale`, (q, n), in all its digits even if the bandwidth is wide."""
        return self.scale * np.expm1(self._exponents(x))

    def _exponents(self, x):
        """Return the exponents of the kernel, (q, n)."""
        return -0.5 * cdist(x @ self.root, self.points @ self.root, "sqeuclidean")

    @property
    def precision(self) -> Matrix:
        """The inverse of the covariance, (d, d)."""
        return self.root @ self.root.T


class Functions(NamedTuple):
    """Functions f_j = Σ_b Σ_i weights[b][j, i] k_b(x, p_bi), and the bandwidth, the unit of steps."""

    parts: list[Part]
    weights: list[np.ndarray]
    theta: float

    @classmethod
    def of(cls, kernel: Gaussian, X: Points, centre: Embedding, a: Matrix) -> Self:
        """Return Σ_i a_ji k(x_i, .) + (1 - Σ_i a_ji) centre, for a (m, n)."""
        theta, rest = kernel.theta(), 1 - a.sum(axis=1)
        parts, weights = [Part.of(X, theta, None)], [a]
        for block in centre.blocks:
            if block.covariance is None and np.array_equal(block.points, X):
                weights[0] = weights[0] + np.outer(rest, block.weights)
            else:
                parts.append(Part.of(block.points, theta, block.covariance))
                weights.append(np.outer(rest, block.weights))
        return cls(parts, weights, theta)

    def moved(self, middle: Vector) -> Self:
        """Return these functions with `middle` as the origin, where sums of products keep more digits."""
        return self._replace(parts=[part._replace(points=part.points - middle) for part in self.parts])

    def at(self, x: Matrix, j: Rows) -> Vector:
        """Return f_j(x) minus its value for a kernel that is constant, (q,), at points x (q, d) of functions j (q,)."""
        pairs = zip(self.parts, self.weights, strict=True)
        return sum((np.einsum("qn,qn->q", part.less_one(x), w[j]) for part, w in pairs), np.zeros(len(x)))

    def steps(self, x: Matrix, j: Rows, curved: bool) -> tuple[Matrix, Matrix]:
        """Return the slope (q, d) at x, and a rising step (q, d).

        It is Newton's step if f is concave there, otherwise the fixed point's.
        """
        d = x.shape[1]
        slope, pull, bend = np.zeros(x.shape), np.zeros((len(x), d, d)), np.zeros((len(x), d, d))
        size = np.zeros(len(x))
        for part, w in zip(self.parts, self.weights, strict=True):
            E, L, P = part.values(x) * w[j], part.precision, part.points
            mass, to = E.sum(axis=1), E @ P
            slope += (to - mass[:, None] * x) @ L
            pull += mass[:, None, None] * L
            size += np.abs(E).sum(axis=1) * np.trace(L)
            if curved:
                outer = E @ (P[:, :, None] * P[:, None]).reshape(len(P), -1)
                cross = to[:, :, None] * x[:, None]
                outer = outer.reshape(-1, d, d) - cross - cross.transpose(0, 2, 1)
                bend += L @ (outer + mass[:, None, None] * x[:, :, None] * x[:, None]) @ L
        gradient = slope / np.maximum(size, np.finfo(float).tiny)[:, None]
        step = _solved(pull, slope, gradient)
        return slope, _solved(pull - bend, slope, step) if curved else step


def nearest_points(kernel: Kernel, X: Points, centre: Embedding, a: Matrix, starts: Matrix | None = None) -> Matrix:
    """Return the x (m, d) of least |k(x, .) - f_j|², f_j = Σ_i a_ji k(x_i, .) + (1 - Σ_i a_ji) centre, for a (m, n).

    As k(x, x) = 1, these are the points at which f_j is largest. The search starts at the points of the sample with the
    largest f_j, at the mean of the sample weighted by the positive a_ji, and at `starts` (m, d) if they are given.

    Raises
    ------
    Refusal
        If the kernel is not Gaussian.
    """
    if not isinstance(kernel, Gaussian):
        raise Refusal(
            f"{checks.echo(kernel)} has no fixed point iteration, which is for Gaussian kernels; take"
            " method='regression'."
        )
    middle = X.mean(axis=0)
    rows = max(1, ENTRIES // (len(X) * (BEST + 2)))
    found = []
    for part in (slice(i, i + rows) for i in range(0, len(a), rows)):
        functions = Functions.of(kernel, X, centre, a[part]).moved(middle)
        given = None if starts is None else starts[part] - middle
        found.append(_nearest(functions, X - middle, given))
    return middle + np.concatenate(found)


def _nearest(functions, X, given):
    """Return the best x for each function, (m, d), of the maxima that its starts lead to."""
    weights = functions.weights[0]
    m, d = len(weights), X.shape[1]
    sample = sum(w @ part.less_one(X).T for part, w in zip(functions.parts, functions.weights, strict=True))
    best = np.argpartition(-sample, min(BEST, len(X) - 1), axis=1)[:, :BEST]
    positive = np.maximum(weights, 0.0)
    mean = positive @ X / np.maximum(positive.sum(axis=1), np.finfo(float).tiny)[:, None]
    starts = [*(X[best[:, i]] for i in range(best.shape[1])), mean, *([] if given is None else [given])]
    x, j = np.concatenate(starts), np.tile(np.arange(m), len(starts))
    x, value = _risen(functions, x, j)
    winner = value.reshape(len(starts), m).argmax(axis=0)
    return x.reshape(len(starts), m, d)[winner, np.arange(m)]


def _risen(functions, x, j):
    """Return points x (q, d) moved uphill until they converge, and the values there."""
    x, value, moving = x.copy(), functions.at(x, j), np.arange(len(x))
    largest = max(part.points.shape[0] for part in functions.parts)
    curved = largest * x.shape[1] ** 2 <= CURVED
    for _ in range(STEPS):
        slope, step = functions.steps(x[moving], j[moving], curved)
        gain, t = np.einsum("qd,qd->q", slope, step), np.ones(len(moving))
        waiting = np.arange(len(moving))  # the points whose step is still too long
        for _ in range(HALVINGS):
            rows = moving[waiting]
            there = x[rows] + t[waiting, None] * step[waiting]
            value_there = functions.at(there, j[rows])
            rises = value_there > value[rows] + RISE * t[waiting] * np.maximum(gain[waiting], 0.0)
            x[rows[rises]], value[rows[rises]] = there[rises], value_there[rises]
            waiting = waiting[~rises]
            t[waiting] /= 2
            short = t * np.linalg.norm(step, axis=1) <= STILL * functions.theta
            waiting = waiting[~short[waiting]]
            if not len(waiting):
                break
        far = t * np.linalg.norm(step, axis=1) > STILL * functions.theta
        far[waiting] = False
        moving = moving[far]
        if not len(moving):
            break
    return x, value


def _solved(A, slope, otherwise):
    """Return A^-1 slope for the positive definite A of (q, d, d), and the row of `otherwise` for the others, (q, d)."""
    gamma, U = np.linalg.eigh(A)
    definite = gamma[:, 0] > np.maximum(1e-8 * np.abs(gamma).max(axis=1), np.finfo(float).tiny)
    inverse = np.where(definite[:, None], 1.0, 0.0) / np.where(definite[:, None], gamma, 1.0)
    turned = np.einsum("qde,qd->qe", U, slope) * inverse
    return np.where(definite[:, None], np.einsum("qde,qe->qd", U, turned), otherwise)
