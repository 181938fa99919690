"""Distance of a mixture of spherical blobs from an estimate of a kernel mean, under a polynomial kernel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal
from explorer.types import Matrix, Values, Vector

if TYPE_CHECKING:
    from .gaussian_match import Blobs


LARGEST = 2**22  # the most entries of a tensor of moments: 32 MB


class PolynomialMatch:
    """Objective J = |μ̂ - μ_Q|² of Blobs Q for k(x, y) = (<x, y> + c)^p, p = 1, 2, 3, with gradients.

    The kernel is Σ_q C(p, q) c^(p-q) <x^⊗q, y^⊗q>, so J = Σ_q C(p, q) c^(p-q) |E_μ̂ x^⊗q - E_Q x^⊗q|². It consists of
    the differences of moments up to the order p and is never negative. This is the expected kernel of `Kernel.expected`
    summed in another order: no digits cancel, and n does not matter. The differences at the origin o of the
    blobs' units, t_q = E_μ̂ z^⊗q - E_Q z^⊗q with x = o + u z, give those at 0 by T_1 = u t_1 + t_0 o and so on, where
    t_0 = Σβ - 1 is the mass that shrinkage has removed.

    Of a blob the linear kernel determines π_j m_j alone, and of a mixture Σ π_j m_j. Its variances, and all except one
    combination of weights and means, stay where the start has put them (erratum 33).

    Parameters
    ----------
    blocks : sequence of tuple
        (points z (n, d), weights (n,), covariance (d, d) or None) of the estimate, in the units of the blobs.
    degree : int
        The degree p.
    offset : float
        The offset c.
    origin : ndarray of shape (d,)
        o / u.
    unit : float
        u. The terms are multiples of u^(2q); J is divided by their largest factor, e^log_scale.

    Attributes
    ----------
    size : float
        The size of the estimate, the same sum of its own moments.
    """

    degree: int
    origin: Vector
    log_scale: float
    factors: list[float]
    moments: list[Values]

    def __init__(
        self,
        blocks: Sequence[tuple[Matrix, Vector, Matrix | None]],
        degree: int,
        offset: float,
        origin: Vector,
        unit: float,
    ) -> None:
        d = len(origin)
        if d**degree > LARGEST:
            raise Refusal(
                f"the moments of order {degree} of {d} columns are {d**degree:,} numbers, more than {LARGEST:,}; take"
                " fewer columns, a lower degree or a Gaussian kernel."
            )
        self.degree, self.origin = degree, origin
        factors = [_log_factor(degree, q, offset) + 2 * q * math.log(unit) for q in range(degree + 1)]
        self.log_scale = max(factors)
        self.factors = [math.exp(each - self.log_scale) for each in factors]
        self.moments = _moments(blocks, degree, d)
        whole = _shifted([self.moments[0] + 1, *self.moments[1:]], origin)
        # The mass is left out: under a kernel with an offset it is most of the size if the data are small.
        self.size = sum(f * float(np.sum(T**2)) for f, T in zip(self.factors[1:], whole[1:], strict=True))

    def __call__(self, blobs: Blobs) -> tuple[float, Vector, Matrix, Vector]:
        """Return J over exp(log_scale), and its gradients in π (m,), the means (m, d) and s (m,)."""
        t = [theirs - ours for theirs, ours in zip(self.moments, _of_blobs(*blobs, self.degree), strict=True)]
        T = _shifted(t, self.origin)
        J = sum(factor * float(np.sum(each**2)) for factor, each in zip(self.factors, T, strict=True))
        g = _pulled([2 * factor * each for factor, each in zip(self.factors, T, strict=True)], self.origin)
        return J, *self._gradients(g, *blobs)

    def _gradients(self, g, pi, M, s):
        """Return the gradients in the blobs from the gradients g in the differences t_q.

        The differences subtract the blobs' moments.
        """
        by_pi, by_M, by_s = M @ g[1], np.tile(g[1], (len(M), 1)), np.zeros(len(M))
        if self.degree > 1:
            turned, trace = M @ g[2], np.trace(g[2])
            by_pi += (turned * M).sum(axis=1) + s * trace
            by_M += 2 * turned
            by_s += trace
        if self.degree > 2:
            twice = _contracted(g[3], M)
            halved = np.einsum("abb->a", g[3])
            along = M @ halved
            by_pi += (twice * M).sum(axis=1) + 3 * s * along
            by_M += 3 * twice + 3 * s[:, None] * halved
            by_s += 3 * along
        return -by_pi, -pi[:, None] * by_M, -pi * by_s


def _log_factor(p, q, c):
    """Return log C(p, q) c^(p-q), or -inf if c = 0 removes a moment."""
    if p == q:
        return 0.0
    return math.log(math.comb(p, q)) + (p - q) * math.log(c) if c > 0 else -math.inf


def _contracted(g, M):
    """Return Σ_bc g_abc m_b m_c for each row m of M (m, d)."""
    d = len(g)
    once = (M @ g.reshape(d * d, d).T).reshape(len(M), d, d)
    return np.einsum("jab,jb->ja", once, M)


def _cubes(weights, X):
    """Return Σ_i w_i x_i ⊗ x_i ⊗ x_i, (d, d, d)."""
    n, d = X.shape
    rows, total = max(1, LARGEST // d**2), np.zeros((d, d * d))
    for i in range(0, n, rows):
        part = X[i : i + rows]
        total += (weights[i : i + rows, None] * part).T @ (part[:, :, None] * part[:, None]).reshape(len(part), -1)
    return total.reshape(d, d, d)


def _spread(C, mean):
    """Return the three terms of sym(C ⊗ mean), the third moment of a covariance C at points of weighted sum `mean`."""
    A = np.multiply.outer(C, mean)
    return A + A.transpose(0, 2, 1) + A.transpose(2, 0, 1)


def _moments(blocks, degree, d):
    """Return Σ β z^⊗q of the estimate; its first entry is the mass minus one, the mass of the blobs."""
    parts = [-1.0, np.zeros(d), np.zeros((d, d)), np.zeros((d, d, d) if degree > 2 else 0)][: degree + 1]
    parts[0] = np.array(math.fsum([-1.0, *(w for _, beta, _ in blocks for w in beta)]))
    for X, beta, C in blocks:
        first = beta @ X
        parts[1] = parts[1] + first
        if degree > 1:
            parts[2] = parts[2] + (beta[:, None] * X).T @ X + (0.0 if C is None else beta.sum() * C)
        if degree > 2:
            parts[3] = parts[3] + _cubes(beta, X) + (0.0 if C is None else _spread(C, first))
    # The mass of n weights of 1/n differs from 1 by rounding, which an origin far away would multiply. It is set to 1.
    mass = float(parts[0])
    parts[0] = np.array(0.0 if abs(mass) < 1e-12 else mass)
    return parts


def _of_blobs(pi, M, s, degree):
    """Return E_Q z^⊗q of the blobs for q = 1 ... degree, with 0 in place of the mass."""
    first = pi @ M
    parts = [np.array(0.0), first]
    if degree > 1:
        parts.append((pi[:, None] * M).T @ M + (pi @ s) * np.eye(M.shape[1]))
    if degree > 2:
        parts.append(_cubes(pi, M) + _spread(np.eye(M.shape[1]), (pi * s) @ M))
    return parts


def _shifted(t, o):
    """Return differences of moments about 0 from those about an origin -o, as x = z + o."""
    T = [t[0], t[1] + t[0] * o]
    if len(t) > 2:
        outer = np.multiply.outer(t[1], o)
        T.append(t[2] + outer + outer.T + t[0] * np.multiply.outer(o, o))
    if len(t) > 3:
        oo = np.multiply.outer(o, o)
        T.append(t[3] + _spread(t[2], o) + _spread(oo, t[1]) + t[0] * np.multiply.outer(oo, o))
    return T


def _pulled(G, o):
    """Return gradients in the moments about -o from those about 0, all symmetric tensors: the adjoint of `_shifted`."""
    g = list(G)
    if len(G) > 3:
        once = G[3] @ o
        g[2] = g[2] + 3 * once
        g[1] = g[1] + 3 * once @ o
    if len(G) > 2:
        g[1] = g[1] + 2 * G[2] @ o
    return g
