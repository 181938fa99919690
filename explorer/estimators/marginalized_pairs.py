"""A sample whose points carry independent noise, pair by pair.

What scores and losses of marginalized estimates are made of.

With u, v ~ N(0, diag(e)) independent, L_ij = E k(x_i, x_j + u) and Q_ij = E k(x_i + u, x_j + v), paper 000, eq. (26)
and (27). All that is needed of them is the mean of each off the diagonal, and the mean of Q_ii. All three are kept as
what they lie below ϱ, the mean of k(x_i, x_i): where the bandwidth is wide they nearly equal it, and the score is made
of the differences.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist

from explorer.kernels import Gaussian, Laplacian
from explorer.kernels.conditioning import one_dimension

from .marginalized_sums import DistanceSums

ENTRIES = 2**20  # pairs times coordinates at a time: 8 MB
BLOCK = 2**15  # entries of a product at a time: they stay in the processor
KEPT = 2**18  # pairs times coordinates up to which their squared differences are kept, and quicker than a Gram matrix
AT_ONCE = 4  # variances from which on they are quicker whatever the coordinates


class Drops(NamedTuple):
    """How far the mean of L over i != j, that of Q over i != j and that of Q_ii lie below ϱ, each (m,)."""

    L: np.ndarray
    Q: np.ndarray
    own: np.ndarray


class NoisyPairs:
    """A sample (n, d), n >= 2, under a kernel with a closed form for Gaussian noise: two Gram matrices for each e."""

    def __init__(self, kernel, X):
        self.kernel, self.X = kernel, X
        self.n, self.d = X.shape

    @cached_property
    def diagonal(self):
        """ϱ, the mean of k(x_i, x_i)."""
        return float(self.kernel.diagonal(self.X).mean())

    def drops(self, variances):
        """Drops at e (m, d)."""
        return Drops(*np.array([self._drops(e) for e in variances]).reshape(-1, 3).T)

    def isotropic(self, variances):
        """Drops at e = (v, ..., v) for v (m,)."""
        return self.drops(np.repeat(np.asarray(variances, dtype=float)[:, None], self.d, axis=1))

    def score(self, drops):
        """The leave-one-out score ϱ - 2 mean(L) + ((n - 2) mean(Q) + mean(Q_ii)) / (n - 1), the means of L and Q over i
        != j.
        """
        return 2 * drops.L - ((self.n - 2) * drops.Q + drops.own) / (self.n - 1)

    def square(self, drops):
        """|μ̃|^2, the mean of Q over all i and j."""
        return self.diagonal - ((self.n - 1) * drops.Q + drops.own) / self.n

    def _drops(self, e):
        C = np.diag(e) if e.any() else None
        L, Q = (self.kernel.expected(self.X, C, self.X, D) for D in (None, C))
        own, pairs = np.trace(Q), self.n * (self.n - 1)
        return (
            self.diagonal - (L.sum() - np.trace(L)) / pairs,
            self.diagonal - (Q.sum() - own) / pairs,
            self.diagonal - own / self.n,
        )


class StationaryPairs(NoisyPairs):
    """The same where k(x, y) depends on x - y alone.

    Noise of both points is noise of twice the variance of one, Q_e = L_2e.

    A subclass says how far noise of variances v (d,) takes the mean of k over i != j, and k(x, x), below 1. `smallest`
    is the variance, in units of MKME's, down to which the score is smooth.
    """

    smallest = 0.0

    @cached_property
    def spread(self):
        """The root mean square distance of two points, of those whose squares are floats."""
        squares = pdist(self.X, "sqeuclidean")
        squares = squares[np.isfinite(squares)]
        largest = squares.max(initial=0.0)
        return math.sqrt(largest * (squares / largest).mean()) if largest > 0 else 0.0

    def _drops(self, e):
        return (self.noisy(e)[0], *self.noisy(2 * e))

    def score_and_gradient(self, e):
        """The leave-one-out score at e (d,), and its derivatives (d,) by e."""
        L, _, dL, _ = self.derivatives(e)
        Q, own, dQ, down = self.derivatives(2 * e)
        return self.score(Drops(L, Q, own)), 2 * dL - 2 * ((self.n - 2) * dQ + down) / (self.n - 1)

    def noisy(self, v):
        """1 less the mean of E k(x_i, x_j + u) over i != j, and 1 less E k(x, x + u), for u ~ N(0, diag(v))."""
        raise NotImplementedError

    def derivatives(self, v):
        """Both, and their derivatives (d,) by v."""
        raise NotImplementedError


class GaussianPairs(StationaryPairs):
    """k_v(x, y) = prod_l (θ^2 / (θ^2 + v_l))^(1/2) exp(-(x_l - y_l)^2 / (2 (θ^2 + v_l)))."""

    @cached_property
    def _sums(self):
        return DistanceSums(self.X)

    @cached_property
    def spread(self):
        return self._sums.mean_square() ** 0.5

    @cached_property
    def _centred(self):
        half = self.n // 2
        return self.X - np.partition(self.X, half, axis=0)[half]  # a median: most points keep their digits

    def isotropic(self, variances):
        """Drops at v (m,), from the distances alone: every v costs some hundred terms."""
        v = np.asarray(variances, dtype=float)
        v = np.concatenate([v, 2 * v])
        theta2 = self.kernel.bandwidth**2
        own = -np.expm1(-0.5 * self.d * np.log1p(v / theta2))
        L, Q = np.split(own + (1 - own) * self._sums(0.5 / (theta2 + v)) / self._sums.count, 2)
        return Drops(L, Q, own[len(L) :])

    @cached_property
    def _order(self):
        return np.triu_indices(self.n, 1)

    @cached_property
    def _kept(self):
        """All that `_squares` would make, or None where it is too much to keep."""
        pairs = self.n * (self.n - 1) // 2
        return self._squared(slice(None)) if pairs * self.d <= KEPT else None

    def _squared(self, part):
        i, j = self._order
        with np.errstate(over="ignore"):  # far away squares are infinite
            return np.square(self.X[i[part]] - self.X[j[part]])

    def _squares(self, wide):
        """The squared differences of all pairs in each coordinate, (p, d), `wide` pairs at a time."""
        for start in range(0, len(self._order[0]), wide):
            part = slice(start, start + wide)
            yield self._squared(part) if self._kept is None else self._kept[part]

    def drops(self, variances):
        """Drops at e (m, d), of some variances by one product of matrices for a block of pairs."""
        e = np.asarray(variances, dtype=float)
        if self._kept is None and len(e) < AT_ONCE:
            return super().drops(e)
        v = np.concatenate([e, 2 * e])
        rates, total = -0.5 / (self.kernel.bandwidth**2 + v).T, 0.0
        for D in self._squares(max(1, BLOCK // (self.d + len(v)))):
            total = total + np.expm1(_exponents(D, rates)).sum(axis=0)
        L, Q = np.split(self._drop(v, total), 2)
        return Drops(L, Q, self._own(2 * e))

    def noisy(self, v):
        return self._drop(v, self._over_pairs(v, slopes=False)[0]), self._own(v)

    def derivatives(self, v):
        """With K_ij = exp(-sum_l (x_il - x_jl)^2 / (2 a_l)), a = θ^2 + v.

        ∂K_ij / ∂v_l = K_ij (x_il - x_jl)^2 / (2 a_l^2).
        """
        total, apart = self._over_pairs(v)
        drop, own, a = self._drop(v, total), self._own(v), self.kernel.bandwidth**2 + v
        apart = (1 - own) * apart / (a * (self.n * (self.n - 1) / 2))
        return drop, own, (1 - drop - apart) / (2 * a), (1 - own) / (2 * a)

    def _own(self, v):
        """How far k(x, x) falls below 1, (...) for v (..., d); in logs, as θ^d alone overflows in high dimension."""
        return -np.expm1(-0.5 * np.log1p(v / self.kernel.bandwidth**2).sum(axis=-1))

    def _drop(self, v, total):
        """How far the mean of k_v over i != j falls below 1, from the sum of K - 1 over i < j."""
        own = self._own(v)
        return own - (1 - own) * total / (self.n * (self.n - 1) / 2)

    def _over_pairs(self, v, slopes=True):
        """The sums over i < j of K_ij - 1, and of K_ij (x_il - x_jl)^2, (d,)."""
        a, total, apart = self.kernel.bandwidth**2 + v, 0.0, 0.0
        if self._kept is None and (found := self._over_square(a, slopes)) is not None:
            return found
        for D in self._squares(max(1, ENTRIES // self.d)):
            K = np.expm1(_exponents(D, -0.5 / a))
            total += K.sum()
            if slopes:
                K += 1
                apart += _weighted(K, D)
        return total, apart

    def _over_square(self, a, slopes):
        """The same from a Gram matrix; None for points that lie too far apart for twelve digits of a product."""
        z = self._centred / np.sqrt(a)
        half = 0.5 * np.einsum("ij,ij->i", z, z)
        if half.max() >= 500:
            return None
        K = z @ z.T
        K -= half
        K -= half[:, None]
        np.fill_diagonal(K, 0.0)
        np.minimum(K, 0.0, out=K)
        total = np.expm1(K, out=K).sum() / 2
        if not slopes:
            return total, 0.0
        K += 1
        return total, a * (K.sum(axis=1) @ z**2 - np.einsum("ij,ij->j", z, K @ z))


def _exponents(D, rates):
    """The exponents D @ rates; of far pairs they may be -inf."""
    with np.errstate(over="ignore"):
        return D @ rates


def _weighted(K, D):
    """K @ D for K (p,) that is 0 where D (p, d) is infinite: such pairs add nothing."""
    with np.errstate(invalid="ignore"):
        found = K @ D
    return found if np.isfinite(found).all() else K @ np.where(np.isfinite(D), D, 0.0)


class LaplacianPairs(StationaryPairs):
    """k_v(x, y) = prod_l g(x_l - y_l, v_l), g(δ, v) = E exp(-|δ + u| / θ), which solves ∂g/∂v = (g / θ - 2 N(δ.

    0, v)) / (2 θ).

    For that is half of its second derivative by δ, and exp(-|x| / θ) has a kink at 0, where a vanishing v has slope
    -inf.
    """

    smallest = 1e-10

    @cached_property
    def _order(self):
        return np.triu_indices(self.n, 1)

    def noisy(self, v):
        return self.derivatives(v, slopes=False)[:2]

    def derivatives(self, v, slopes=True):
        theta, (i, j) = self.kernel.bandwidth, self._order
        s, wide = np.sqrt(v) / theta, max(1, ENTRIES // self.d)
        total, slope = 0.0, 0.0
        for start in range(0, len(i), wide):
            part = slice(start, start + wide)
            value, rates = _product((self.X[i[part]] - self.X[j[part]]) / theta, s, slopes)
            total += value.sum()
            slope += value @ rates
        own, rates = _product(np.zeros((1, self.d)), s, slopes)
        per = 2 * theta**2
        return 1 - total / len(i), 1 - own[0], -slope / (len(i) * per), -(own @ rates) / per


def _product(delta, s, slopes):
    """prod_l E exp(-|δ_l + s_l ε|), (p,), and 2 ∂log/∂s_l^2 = 1 - 2 N(δ_l.

    0, s_l^2) / E exp(-|δ_l + s_l ε|), (p, d).
    """
    if (s == s[0]).all():
        factors = one_dimension(delta, s[0])
    else:
        factors = np.column_stack([one_dimension(*pair) for pair in zip(delta.T, s, strict=True)])
    rates = np.ones(delta.shape)
    if slopes:
        with np.errstate(
            over="ignore", divide="ignore", invalid="ignore"
        ):  # far away squares are infinite; s = 0 has no slope
            density = np.exp(-0.5 * (delta / s) ** 2) / (np.sqrt(2 * np.pi) * s)
        rates -= 2 * np.divide(density, factors, out=np.zeros(delta.shape), where=(factors > 0) & (s > 0))
    return factors.prod(axis=1), rates


def noisy_pairs(kernel, X):
    """The fastest road for a chosen kernel."""
    if isinstance(kernel, Gaussian):
        return GaussianPairs(kernel, X)
    return (LaplacianPairs if isinstance(kernel, Laplacian) else NoisyPairs)(kernel, X)
