"""E exp(-|z|_1 / θ) for z ~ N(m, S): the Laplacian kernel between Gaussians, one coordinate after the other.

With θ = 1, S = L L' and standard normal ε, z_l = m_l + sum_{k<l} L_lk ε_k + L_ll ε_l. Given the earlier coordinates, E
exp(-|z_l|) is known. So is the distribution whose density is proportional to exp(-|z_l|) times the normal density: two
halves of normal distributions. So z_l is drawn from that distribution, weighted by that expectation and passed on; the
last coordinate needs no draw. What remains is the mean of a product of weights, which hardly vary if S is nearly
diagonal, very small or very large. The same sequence with step functions instead of exp(-|z|) gives normal
probabilities (Genz 1992, J. Comput. Graph. Stat. 1, 141).
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.special import erfcx, log_ndtr, ndtri_exp

from explorer.linalg import pivoted_cholesky
from explorer.types import Matrix, Points, Values, Vector

# numbers of Gauss nodes on each piece, for one and two drawn coordinates; two coarser rules estimate the error
FINE, COARSE = ((16,), (12, 8)), (((12,), (9, 6)), ((10,), (8, 5)))
SCRAMBLINGS, POINTS, SEED = 8, 128, 4000  # of the Sobol nets for more drawn coordinates, with mirror images
ROOT_HALF = np.sqrt(0.5)
ENTRIES = 2**13  # pairs times nodes computed at a time: they stay in the processor's cache


def one_dimension(m: Any, s: float) -> Any:
    """Compute E exp(-|z|) for z ~ N(m, s²), of the shape of m; s >= 0 is one number."""
    if s == 0:
        return np.exp(-np.abs(m))
    with np.errstate(over="ignore", divide="ignore"):  # squares of far points are infinite, and their weights 0
        near, far = _halves(m, s)
    return near.mass + far.mass


def several_dimensions(m: Matrix, S: Points, theta: float, error: bool = True) -> tuple[Vector, Vector | None]:
    """Compute E exp(-|z|_1 / θ) for z ~ N(m_i, S), and its standard error if `error` is true.

    Both have shape (n,) for m of shape (n, d); the error is None if it is not asked for. One or two drawn coordinates,
    as for d <= 3, take Gauss rules. Their error is the larger distance from two coarser rules: ten times too large as a
    rule, too small once in 300. More coordinates take scrambled Sobol nets of fixed seeds; the error is that of their
    mean. The value is symmetric in m -> -m, and the value at one m does not depend on the others.
    """
    order, L = _ordered_cholesky(S)
    with np.errstate(over="ignore"):
        m = m[:, order] / theta
    s = np.sqrt(np.diag(S)[order]) / theta
    # each coordinate's own expectation is an upper bound: if one is 0, so is the value
    nonzero = np.min(np.array([one_dimension(m[:, l], s[l]) for l in range(len(s))]), axis=0) > 0
    value, errors = np.zeros(len(m)), np.zeros(len(m))
    if nonzero.any():
        value[nonzero], errors[nonzero] = _integral(m[nonzero], L / theta, error)
    return value, errors if error else None


def _integral(m, L, error):
    """Compute `several_dimensions` for distances in units of θ, and S = L L'."""
    d = len(L)
    drawn = min(np.count_nonzero(np.diag(L)), d - 1)  # the rank, as the last coordinate is never drawn
    rules = [rule[drawn - 1] for rule in ((FINE, *COARSE) if error else (FINE,))] if drawn <= 2 else []
    count = np.prod(2 * np.array(rules[0])) * (d - drawn + 1) if rules else np.inf  # two sides, and d - drawn kinks
    if count <= 2 * POINTS * SCRAMBLINGS:
        value, *others = (_in_pieces(lambda part, nodes=nodes: _gauss(part, L, nodes), m, count) for nodes in rules)
        return value, np.max([np.abs(value - other) for other in others], axis=0) if error else 0.0
    u = _nets(drawn)
    means = _in_pieces(lambda part: _sobol(part, L, u), m, len(u))
    return means.mean(axis=1), means.std(axis=1, ddof=1) / np.sqrt(SCRAMBLINGS)


# One coordinate -----------------------------------------------------------------------------------------------------


class _Half(NamedTuple):
    """One side of zero: E exp(-|z|) on it, and the distribution of y = |z| / s there, N(-a, 1) above 0."""

    mass: np.ndarray
    a: np.ndarray
    tail: np.ndarray  # erfcx(|a| / √2)

    def log_tail(self) -> Values:
        """Compute log P(ε > a) for a standard normal ε: the probability that N(-a, 1) is above 0."""
        gauss = -0.5 * self.a * self.a
        return np.where(self.a >= 0, np.log(0.5 * self.tail) + gauss, np.log1p(-0.5 * self.tail * np.exp(gauss)))

    def share_above(self, y: Matrix) -> Matrix:
        """Compute P(|z| / s > y) for the z on this side of zero, whose |z| / s is distributed as N(-a, 1) above 0."""
        out, inside = np.maximum(self.a, 0.0), np.minimum(self.a, 0.0)
        with np.errstate(invalid="ignore"):  # np.where computes the branch that it does not take
            outside = np.exp(-y * (out + 0.5 * y)) * erfcx((out + y) * ROOT_HALF) / self.tail
            return np.where(self.a >= 0, outside, np.exp(log_ndtr(-(inside + y)) - self.log_tail()))

    def above(self, log_v: Values) -> Values:
        """Compute the y that |z| / s exceeds with probability v on this side of zero: the inverse of `share_above`."""
        y = np.maximum(-ndtri_exp(log_v + self.log_tail()) - self.a, 0.0)
        extreme = self.a > 50
        if extreme.any():  # ndtri_exp and the difference lose a^2 1e-13 of y
            # e^(-a y - y^2/2) = v up to the ratio of two erfcx, which one Newton step corrects: to 1e-9 of y
            a = np.maximum(self.a, 50.0)
            first = -2 * log_v / (a + np.sqrt(a * a - 2 * log_v))
            there = erfcx((a + first) * ROOT_HALF)
            y = np.where(extreme, first + np.sqrt(np.pi / 2) * there * np.log(there / self.tail), y)
        return y


def _halves(m, s):
    """Split z ~ N(m, s²) weighted by exp(-|z|) into the side of zero where m lies, and the other side.

    With q = |m| / s the masses are e^(-q²/2) erfcx((s -+ q) / √2) / 2. If s < q the near one is all of E exp(-z) =
    e^(s²/2 - |m|) except what lies beyond zero, since its erfcx would overflow.
    """
    q = np.abs(m) / s
    half = 0.5 * np.exp(-0.5 * q * q)
    near, far = (_Half(half, a, erfcx(np.abs(a) * ROOT_HALF)) for a in (s - q, s + q))
    beyond = half * near.tail
    everything = np.exp(np.abs(m) * (0.5 * np.minimum(s / q, 1.0) - 1))
    mass = np.where(near.a >= 0, beyond, everything - beyond)
    return near._replace(mass=mass), far._replace(mass=half * far.tail)


# All coordinates ----------------------------------------------------------------------------------------------------


def _gauss(m, L, nodes):
    """Compute the integral by Gauss rules, (n,).

    The rules run on both sides of zero, and in the last draw between zeros of later coordinates.
    """
    n, d = m.shape
    weights, noise = np.ones((n, 1)), np.empty((0, n, 1))
    for l in range(d):
        mean = _conditional_mean(m, L, l, noise)
        if l >= len(nodes):
            weights = weights * one_dimension(mean, L[l, l])
            continue
        x, w = _graded_rule(nodes[l])
        sign, q = np.copysign(1.0, mean), np.abs(mean) / L[l, l]
        later = [j for j in range(l + 1, d) if l == len(nodes) - 1 and L[j, l] != 0]
        kinks = [q - sign * _conditional_mean(m, L, j, noise) / L[j, l] for j in later]  # z_j = 0, as sign z_l / s
        drawn, share = [], []
        for side, half in zip((1, -1), _halves(mean, L[l, l]), strict=True):
            cuts = [np.where(side * y > 0, half.share_above(np.abs(y)), 0.0) for y in kinks]
            cuts = np.sort([np.zeros_like(mean), *cuts, np.ones_like(mean)], axis=0)
            half = _Half(*(part[..., None] for part in half))
            for low, high in pairwise(cuts):
                v = low[..., None] + (high - low)[..., None] * x
                y = half.above(np.log(np.maximum(v, 1e-300)))
                drawn.append(sign[..., None] * (side * y - q[..., None]))
                share.append((half.mass[..., 0] * (high - low))[..., None] * w)
        drawn = np.concatenate(drawn, axis=-1)
        weights = (weights[..., None] * np.concatenate(share, axis=-1)).reshape(n, -1)
        noise = np.concatenate([np.repeat(noise, drawn.shape[-1], axis=2), drawn.reshape(1, n, -1)])
    return weights.sum(axis=1)


def _sobol(m, L, u):
    """Compute the integral by the mean over Sobol points, for each of several scramblings, (n, SCRAMBLINGS).

    `u`, of shape (nodes, drawn coordinates), lies in the unit cube.
    """
    n, d = m.shape
    weights, noise = np.ones((n, len(u))), np.empty((u.shape[1], n, len(u)))
    for l in range(d):
        mean, s = _conditional_mean(m, L, l, noise), L[l, l]
        if l >= u.shape[1]:
            weights *= one_dimension(mean, s)
            continue
        near, far = _halves(mean, s)
        sign = np.copysign(1.0, mean)
        all_mass = near.mass + far.mass
        weights *= all_mass
        position = np.where(sign > 0, u[:, l], 1 - u[:, l]) * all_mass  # counted from the far end
        beyond = position < far.mass
        half = _Half(*(np.where(beyond, *parts) for parts in zip(far, near, strict=True)))
        rest = np.where(beyond, position, all_mass - position)
        v = np.divide(rest, half.mass, out=np.ones_like(rest), where=half.mass > 0)  # 0 / 0 has no weight
        y = half.above(np.log(np.clip(v, 1e-300, 1.0)))
        noise[l] = sign * (np.where(beyond, -y, y) - np.abs(mean) / s)
    return weights.reshape(n, SCRAMBLINGS, -1).mean(axis=2)


def _conditional_mean(m, L, l, noise):
    """Compute the mean of z_l given the noise (k, n, nodes) drawn before it, (n, nodes)."""
    k = min(l, len(noise))
    return m[:, l, None] + np.tensordot(L[l, :k], noise[:k], axes=1)


def _in_pieces(function, m, nodes):
    """Apply the function to rows of m, a piece at a time, so that memory is bounded."""
    rows = max(1, ENTRIES // nodes)
    with np.errstate(over="ignore", divide="ignore"):
        return np.concatenate([function(m[i : i + rows]) for i in range(0, len(m), rows)])


def _ordered_cholesky(S):
    """Return the order of coordinates, largest remaining variance first, and L (d, d) of S in that order.

    L is zero beyond the rank. A remaining variance is rounding if it is d eps of the coordinate's own variance; another
    coordinate's may be in another unit.
    """
    d = len(S)
    factor = pivoted_cholesky(S.diagonal(), S.__getitem__, enough=d * np.finfo(float).eps * S.diagonal())
    order, L = np.arange(d), np.zeros((d, d))
    for k, pivot in enumerate(factor.pivots):
        at = int(np.flatnonzero(order == pivot)[0])
        order[[k, at]] = order[[at, k]]
    L[:, : len(factor.pivots)] = factor.F[order]
    return order, np.tril(L)


@cache
def _graded_rule(n):
    """Return Gauss nodes and weights on (0, 1), dense at both ends.

    Quantiles run to infinity there, and kinks may lie there.
    """
    x, w = np.polynomial.legendre.leggauss(n)
    x, w = (x + 1) / 2, w / 2
    return x**3 * (10 - 15 * x + 6 * x**2), w * 30 * (x * (1 - x)) ** 2


def _nets(d):
    """Draw Sobol points of several scramblings with their mirror images, inside the unit cube.

    They have shape (SCRAMBLINGS * 2 * POINTS, d).
    """
    from scipy.stats.qmc import Sobol

    nets = [
        Sobol(d, seed=SEED + k).random(POINTS) + 2.0**-31  # pyright: ignore[reportCallIssue], older scipy's name
        for k in range(SCRAMBLINGS)
    ]  # the points are multiples of 2^-30, so the shift moves 0 inside the cube
    return np.concatenate([points for net in nets for points in (net, 1 - net)])
