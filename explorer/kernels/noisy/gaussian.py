"""Points that carry noise under a Gaussian kernel: sums over all pairs, and mixtures of Gaussians."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from explorer import checks
from explorer.kernels.distances import LEAST
from explorer.types import Points, Values, Vector, VectorLike, Weights

from .pairs import Drops, StationaryPairs
from .sums import DistanceSums

ENTRIES = 2**20  # pairs times coordinates computed at a time: 8 MB
BLOCK = 2**15  # entries of a product computed at a time: they stay in the processor's cache
CACHED = 2**18  # most pairs times coordinates whose squared differences are cached, and faster than a Gram matrix
STRIP = 100  # rows of a Gram matrix computed at a time
NEAR = 0.05  # mean of |z|²/2 below which K - 1 is summed with all its digits, in twice the time
AT_ONCE = 4  # smallest number of variances that are faster together, for any number of coordinates


class GaussianPairs(StationaryPairs):
    """Sample under the Gaussian kernel whose points carry noise of variances v, one for each coordinate.

    ``k_v(x, y) = prod_l (θ^2 / (θ^2 + v_l))^(1/2) exp(-(x_l - y_l)^2 / (2 (θ^2 + v_l)))``

    Parameters
    ----------
    kernel : Gaussian
        The kernel.
    X : ndarray of shape (n, d)
        The sample, n >= 2.
    """

    @cached_property
    def _sums(self):
        return DistanceSums(self.X)

    @cached_property
    def spread(self) -> float:
        return self._sums.mean_square() ** 0.5

    @cached_property
    def _centred(self):
        half = self.n // 2
        return self.X - np.partition(self.X, half, axis=0)[half]  # with a median most points keep their digits

    def isotropic(self, variances: Sequence[float] | Vector) -> Drops:
        """Compute the `Drops` at e = (v, ..., v) from the distances alone: every v costs some hundred terms.

        Parameters
        ----------
        variances : array_like
            The variances v, of shape (m,).

        Returns
        -------
        Drops
            Arrays of shape (m,).
        """
        v = np.asarray(variances, dtype=float)
        v = np.concatenate([v, 2 * v])
        theta2 = self.kernel.bandwidth**2
        same = -np.expm1(-0.5 * self.d * np.log1p(v / theta2))
        L, Q = np.split(same + (1 - same) * self._sums(0.5 / (theta2 + v)) / self._sums.count, 2)
        return Drops(L, Q, same[len(L) :])

    @cached_property
    def _order(self):
        return np.triu_indices(self.n, 1)

    @cached_property
    def _cached_squares(self):
        """All that `_squares` would produce, or None if it is too much to store."""
        pairs = self.n * (self.n - 1) // 2
        return self._squared(slice(None)) if pairs * self.d <= CACHED else None

    def _squared(self, part):
        i, j = self._order
        with np.errstate(over="ignore"):  # squares of far points are infinite
            return np.square(self.X[i[part]] - self.X[j[part]])

    def _squares(self, wide):
        """Yield the squared differences of all pairs in each coordinate, (p, d), `wide` pairs at a time."""
        for start in range(0, len(self._order[0]), wide):
            part = slice(start, start + wide)
            yield self._squared(part) if self._cached_squares is None else self._cached_squares[part]

    def drops(self, variances: VectorLike) -> Drops:
        """Compute the `Drops` at several variances e by one product of matrices for each block of pairs.

        Parameters
        ----------
        variances : array_like
            Variances e of the noise, of shape (m, d).

        Returns
        -------
        Drops
            Arrays of shape (m,).
        """
        e = np.asarray(variances, dtype=float)
        if self._cached_squares is None and len(e) < AT_ONCE:
            return super().drops(e)
        v = np.concatenate([e, 2 * e])
        rates, total = -0.5 / (self.kernel.bandwidth**2 + v).T, 0.0
        for D in self._squares(max(1, BLOCK // (self.d + len(v)))):
            total = total + np.expm1(_exponents(D, rates)).sum(axis=0)
        L, Q = np.split(self._drop(v, total), 2)
        return Drops(L, Q, self._same(2 * e))

    def noisy(self, v: Vector) -> tuple[float, float]:
        return self._drop(v, self._over_pairs(v, slopes=False)[0]), self._same(v)

    def derivatives(self, v: Vector) -> tuple[float, float, Vector, Vector]:
        """Compute 1 - mean of E k(x_i, x_j + u) over i != j and 1 - E k(x, x + u), and their derivatives by v.

        With K_ij = exp(-sum_l (x_il - x_jl)^2 / (2 a_l)), a = θ^2 + v, ∂K_ij / ∂v_l = K_ij (x_il - x_jl)^2 / (2 a_l^2).

        Parameters
        ----------
        v : ndarray of shape (d,)
            Variances of the noise.

        Returns
        -------
        drop, same : float
            The two differences of `noisy`.
        d_drop, d_same : ndarray of shape (d,)
            Their derivatives.
        """
        total, apart = self._over_pairs(v)
        drop, same, a = self._drop(v, total), self._same(v), self.kernel.bandwidth**2 + v
        apart = (1 - same) * apart / (a * (self.n * (self.n - 1) / 2))
        return drop, same, (1 - drop - apart) / (2 * a), (1 - same) / (2 * a)

    def _same(self, v):
        """Compute 1 - k(x, x), (...) for v (..., d); in logarithms, as θ^d alone overflows in high dimension."""
        return -np.expm1(-0.5 * np.log1p(v / self.kernel.bandwidth**2).sum(axis=-1))

    def _drop(self, v, total):
        """Compute 1 minus the mean of k_v over i != j, from the sum of K - 1 over i < j."""
        same = self._same(v)
        return same - (1 - same) * total / (self.n * (self.n - 1) / 2)

    def _over_pairs(self, v, slopes=True):
        """Compute the sums over i < j of K_ij - 1, and of K_ij (x_il - x_jl)^2, (d,)."""
        a, total, apart = self.kernel.bandwidth**2 + v, 0.0, 0.0
        if self._cached_squares is None and (sums := self._over_square(a, slopes)) is not None:
            return sums
        for D in self._squares(max(1, ENTRIES // self.d)):
            K = np.expm1(_exponents(D, -0.5 / a))
            total += K.sum()
            if slopes:
                K += 1
                apart += _weighted(K, D)
        return total, apart

    def _over_square(self, a, slopes):
        """Compute `_over_pairs` from one half of a Gram matrix.

        Return None if points are too far apart for twelve digits of a product. Strips of rows end at the diagonal. The
        exponents are products of (-|z|²/2, 1, z) and (1, -|z|²/2, z).
        """
        z, one = self._centred / np.sqrt(a), np.ones(self.n)
        half = 0.5 * np.einsum("ij,ij->i", z, z)
        if half.max() >= 500:
            return None
        left, right = np.column_stack([-half, one, z]), np.column_stack([one, -half, z])
        near, total, apart, degrees = half.mean() < NEAR, 0.0, 0.0, np.zeros(self.n)
        for start in range(0, self.n, STRIP):
            row, column = left[start : start + STRIP], right[: start + STRIP]
            K = row @ column.T
            own = K[:, start:]  # the strip's points with themselves contain every pair twice
            np.fill_diagonal(own, 0.0)
            np.clip(K, LEAST, 0.0, out=K)
            if near:
                np.expm1(K, out=K)
                total += K.sum() - own.sum() / 2
                K += 1
            else:
                np.exp(K, out=K)
                total += K.sum() - K.size - (own.sum() - own.size) / 2
            if slopes:
                own *= 0.5
                product = K @ column
                apart -= 2 * np.einsum("il,il->l", row[:, 2:], product[:, 2:])
                degrees[start : start + STRIP] += product[:, 0]
                degrees[: start + STRIP] += K.sum(axis=0)
        if slopes:
            apart = a * (apart + degrees @ np.square(z))
        return total, apart


def _exponents(D, rates):
    """Compute the exponents D @ rates; those of far pairs may be -inf."""
    with np.errstate(over="ignore"):
        return D @ rates


def _weighted(K, D):
    """Compute K @ D for K (p,) that is 0 for pairs whose D (p, d) is infinite: they add nothing."""
    with np.errstate(invalid="ignore"):
        product = K @ D
    return product if np.isfinite(product).all() else K @ np.where(np.isfinite(D), D, 0.0)


class NoisyMixture:
    """A mixture of Gaussians under a Gaussian kernel, with added noise N(0, v T²), T = diag(shape), for many v.

    Parameters
    ----------
    theta : float
        The kernel's bandwidth θ.
    weights : ndarray of shape (p,)
        Weights of the Gaussians.
    points : ndarray of shape (p, d)
        Their means.
    covariances : ndarray of shape (p, d, d) or None, default None
        Their covariances; None stands for point masses.
    shape : ndarray of shape (d,) or None, default None
        Standard deviations of the noise; None stands for the same noise in all coordinates.

    Notes
    -----
    A Gaussian N(m, S) at a distance δ has the value ``|I + (S + vT²)/θ²|^(-1/2) exp(-δ'(S + vT² + θ²I)^(-1) δ / 2)``.
    One decomposition S + θ²I = W^(-T) W^(-1) with W'T²W = diag(ω) serves every v, as the matrix is W^(-T) (I + v
    diag(ω)) W^(-1).
    """

    theta2: float
    weights: Weights
    points: Points
    shape: Vector | None

    def __init__(
        self,
        theta: float,
        weights: Weights,
        points: Points,
        covariances: Values | None = None,
        shape: Vector | None = None,
    ) -> None:
        self.theta2 = theta**2
        self.weights, self.points, self.shape = weights, points, shape
        p, d = self.points.shape
        self.covariances: Values = np.zeros((p, d, d)) if covariances is None else covariances

    def squares(self, variances: Sequence[float] | Vector, exp: Callable[..., Any] = np.exp) -> Vector:
        """Compute C_v = <P * N(0, vT²), P> at many v.

        Parameters
        ----------
        variances : sequence of float of length m
            The variances v.
        exp : callable, default numpy.exp
            The exponential; expm1 gives C_v - 1.

        Returns
        -------
        ndarray of shape (m,)
            The inner products.
        """
        i, j = np.triu_indices(len(self.weights))
        log_widening, W, omega = self._decomposed(self.covariances[i] + self.covariances[j])
        squares = np.einsum("pi,pij->pj", self.points[i] - self.points[j], W) ** 2
        w = self.weights[i] * self.weights[j] * np.where(i == j, 1, 2)
        return np.array([w @ exp(_log_gaussian(log_widening, squares, v * omega)) for v in variances])

    def means(self, X: Points, variances: Vector) -> Vector:
        """Compute (1/n) sum_i E k(x_i + u, x), u ~ N(0, vT²), with x from the mixture, at many v.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            A sample.
        variances : ndarray of shape (m,)
            The variances v.

        Returns
        -------
        ndarray of shape (m,)
            The means.
        """
        checks.same_dimension(X, self.points, ("X", "the distribution"))
        v = np.asarray(variances, dtype=float)
        total = np.zeros(v.shape)
        parts = zip(self.weights, self.points, *self._axes, strict=True)
        for weight, point, log_widening, W, omega in parts:
            wide = np.multiply.outer(omega, v)
            apart = ((X - point) @ W) ** 2 @ (1 / (1 + wide))
            total = total + weight * np.exp(-0.5 * (log_widening + np.log1p(wide).sum(axis=0) + apart)).mean(axis=0)
        return total

    @cached_property
    def _axes(self):
        return self._decomposed(self.covariances)

    def _decomposed(self, S):
        """Compute log|I + S/θ²| (p,), W (p, d, d) and ω (p, d) of covariances S (p, d, d)."""
        if self.shape is None or (self.shape == 1).all():
            lam, U = np.linalg.eigh(S)
            lam = np.maximum(lam, 0.0)
            wide = self.theta2 + lam
            return np.log1p(lam / self.theta2).sum(axis=1), U / np.sqrt(wide)[:, None, :], 1 / wide
        lam = np.maximum(np.linalg.eigvalsh(S), 0.0)
        L = np.linalg.cholesky(S + self.theta2 * np.eye(S.shape[1]))
        B = np.linalg.solve(L, np.broadcast_to(np.diag(self.shape), L.shape))
        omega, U = np.linalg.eigh(B @ np.swapaxes(B, 1, 2))
        W = np.linalg.solve(np.swapaxes(L, 1, 2), U)
        return np.log1p(lam / self.theta2).sum(axis=1), W, np.maximum(omega, 0.0)


def _log_gaussian(log_widening, squares, wide):
    """Compute the exponents (p,) of Gaussians that noise widens along their axes by 1 + wide (p, d)."""
    return -0.5 * (log_widening + np.log1p(wide).sum(axis=1) + (squares / (1 + wide)).sum(axis=1))
