"""Energy kernel, and its expectations under Gaussians."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.special import erfcx

from explorer.checks import Refusal
from explorer.types import Matrix, Points, PointsLike, Values, Vector

from .base import Kernel, total
from .increments import FAR, ShiftedIncrements, middle, typical

STEP = 0.25  # step of the quadrature
ENTRIES = 2**17  # rows times nodes computed at a time: a few MB
WIDER = 1e8  # ratio of standard deviations that costs half of all digits


class Energy(Kernel):
    r"""Energy kernel; twice its squared MMD is the energy distance.

    Use it for differences at all scales, without a bandwidth. It is not bounded, so with outliers use `Gaussian`.

    .. math:: k(x, y) = \frac{|x| + |y| - |x - y|}{2}

    The norms are Euclidean, in units of x. There is no bandwidth to choose.

    Notes
    -----
    ``k = c int (1 - e^(i<t, x>)) (1 - e^(-i<t, y>)) |t|^(-d-1) dt``, so the embedding of a distribution is 1 minus its
    characteristic function, weighted. Unbounded: ``k(x, x) = |x|``. Characteristic on the distributions that it embeds,
    those with ``E |x|^(1/2) < inf``, which include all distributions with a mean (Székely and Rizzo 2013; Sejdinovic et
    al. 2013, Ann. Stat. 41, 2263). Not universal: k(0, .) = 0, so every function of the RKHS is 0 at the origin, and
    the point mass there is the only distribution that embeds as 0. A shift of all points changes k but not the
    distances between embeddings of distributions.

    Examples
    --------
    >>> from explorer import Energy, mmd2
    >>> mmd2([0.0, 2.0], [5.0, 7.0], Energy(), "biased")
    4.0
    """

    characteristic = True
    growth = 1  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType], constant: k(x, x) = |x|

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        """Compute the Gram matrix itself, as there is no parameter.

        Parameters
        ----------
        X, Y : ndarray of shape (n, d) or (m, d)
            Points; Y=None stands for X.

        Returns
        -------
        ndarray of shape (n, m)
            The Gram matrix.

        Raises
        ------
        ValueError
            If it overflows.

        Notes
        -----
        ``k = (|x||y| + <x, y>) / (|x| + |y| + |x - y|)`` is the same number. It loses ``eps min(|x|, |y|)``, while the
        difference of norms loses ``eps max(|x|, |y|)``.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            a = np.linalg.norm(X, axis=1)
            b = a if Y is None else np.linalg.norm(Y, axis=1)
            distance = squareform(pdist(X)) if Y is None else cdist(X, Y)
            bottom = a[:, None] + b + distance
            top = a[:, None] * b + X @ (X if Y is None else Y).T
            K = np.divide(top, bottom, out=np.zeros_like(bottom), where=bottom > 0)
        if not np.isfinite(top).all():
            raise Refusal(
                f"the points are too large for {self!r}: products of their norms overflow; rescale the points."
            )
        if Y is None:
            np.fill_diagonal(K, a)
        return K

    def of_pairs(self, S: Matrix) -> Matrix:
        return S

    def diagonal(self, X: PointsLike) -> Vector:
        return np.linalg.norm(self.points(X), axis=1)

    def contrast(self, points: Points, variance: float = 0.0) -> Energy | ShiftedIncrements:
        """Return `Increments` if the points lie far from zero: the same kernel with its zero moved among them.

        Parameters
        ----------
        points : ndarray of shape (n, d)
            Points that weights of sum zero are put on.
        variance : float, default 0.0
            Variance of Gaussians at the points.

        Returns
        -------
        Kernel or Increments
            This kernel k, or its increments k_o from an origin o.
        """
        origin = middle(points)
        spread = typical(points, origin) + np.sqrt(variance)
        return ShiftedIncrements(self, origin, self, _to_origin) if np.linalg.norm(origin) > FAR * spread else self

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute ``(E|x + u| + E|y + v| - E|x - y + u - v|) / 2`` for any C, D >= 0.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.

        Notes
        -----
        It is k(x, y) plus half of the gains of each mean norm over the norm of the mean, which are zero for zero
        covariances and small far from the origin. Measured: each ``E|z|`` has a relative error of 1e-15, for ``|m|``
        and the eigenvalues of S in any ratio. If one noise is far wider than all else, that of E k is 1e-8.
        """
        K = self(X, Y)
        S = total(C, D)
        if S is None:
            return K
        X, Y = self._two(X, Y)
        apart = mean_norm_gain((X[:, None] - Y).reshape(-1, X.shape[1]), S).reshape(K.shape)
        (u, left), (v, right) = (
            (0.0, np.zeros(len(Z))) if E is None else (np.sqrt(np.trace(E)), mean_norm_gain(Z, E))
            for Z, E in ((X, C), (Y, D))
        )
        return _noisy(K, apart, (self.diagonal(X)[:, None], left[:, None], u), (self.diagonal(Y), right, v))

    def expected_scales(self, X: Points, s: Vector, Y: Points, t: Vector, S: Matrix) -> Values:
        X, Y = self._two(X, Y)
        return self._at_scales(X, s, S, Y, t, S, lambda apart: _gains(apart, S, s + t))

    def expected_unlike(self, X: Points, s: Vector, S: Matrix, Y: Points, t: Vector, T: Matrix) -> Values:
        X, Y = self._two(X, Y)
        return self._at_scales(X, s, S, Y, t, T, lambda apart: _gains_of_sums(apart, s, S, t, T))

    def _at_scales(self, X, s, S, Y, t, T, gains):
        apart = gains((X[:, None] - Y).reshape(-1, X.shape[1])).reshape(-1, len(X), len(Y))
        u, v = (np.sqrt(each * np.trace(C))[:, None, None] for each, C in ((s, S), (t, T)))
        left = (self.diagonal(X)[:, None], _gains(X, S, s)[:, :, None], u)
        return _noisy(self(X, Y), apart, left, (self.diagonal(Y), _gains(Y, T, t)[:, None], v))

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        """Compute ``E|x + u|``.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points.
        C : ndarray of shape (d, d) or None
            Covariance of their noise; None stands for zero.

        Returns
        -------
        ndarray of shape (n,)
            The expectations.
        """
        X = self.points(X)
        return self.diagonal(X) if C is None else self.diagonal(X) + mean_norm_gain(X, C)


def _to_origin(z, o):
    """Compute k(o + z, o) - k(o, o) = (|o + z| - |o| - |z|) / 2, (n,).

    The difference |o + z| - |o| is computed as <z, 2o + z> over the sum of the two norms.
    """
    moved = o + z
    top = np.einsum("ij,ij->i", z, o + moved)
    bottom = np.linalg.norm(moved, axis=1) + np.linalg.norm(o)
    longer = np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)
    return 0.5 * (longer - np.linalg.norm(z, axis=1))


def _noisy(K, apart, left, right):
    """Add half of the gains to K: those of `left` and `right`, minus that of the difference, `apart`.

    `left` and `right` hold norms of the means, gains, and the noise's standard deviation. The digits of a noise that is
    1e8 times as wide as all else hide the other side. Then E k is half the other's mean norm, to a relative 1e-8.
    """
    (x, gain_x, u), (y, gain_y, v) = left, right
    values = K + 0.5 * (gain_x + gain_y - apart)
    for noise, mean, other in ((u, x, y + gain_y), (v, y, x + gain_x)):
        if np.max(noise) > WIDER * np.min(other):  # this is rare, and the test saves three matrices
            values = np.where(noise > WIDER * (mean + other), 0.5 * other, values)
    return values


def mean_norm_gain(M: Matrix, S: Points) -> Vector:
    """Compute E|z| - |m| >= 0 for z ~ N(m, S), for each row m of M (n, d).

    |z| = int (1 - e^(-t |z|^2)) t^(-3/2) dt / (2 √π), and φ(t) = E e^(-t |z|^2) = prod_l (1 + 2 t λ_l)^(-1/2) exp(-t
    m_l^2 / (1 + 2 t λ_l)) in the eigenvectors of S. So the gain is int (e^(-t |m|^2) - φ(t)) t^(-3/2) dt / (2 √π),
    which keeps the digits of a small gain far from the origin. If |m|^2 <= tr S, E|z| is computed and |m| subtracted.
    In one dimension the gain is 2 s (φ(q) - q Φ(-q)), q = |m| / s, of the folded normal distribution. Beyond 1e8
    sqrt(tr S) it is (tr S - m'Sm / |m|^2) / (2 |m|), with a relative error of 1e-16.
    """
    unit = np.sqrt(np.trace(S))
    if unit == 0:
        return np.zeros(len(M))
    if len(S) == 1:
        with np.errstate(over="ignore"):
            q = np.abs(M[:, 0]) / unit
        near, gain = q < 39.0, np.zeros(len(M))  # e^(-39^2 / 2) = 0
        q = q[near]
        gain[near] = unit * np.exp(-0.5 * q * q) * (np.sqrt(2 / np.pi) - q * erfcx(q / np.sqrt(2)))
        return gain
    gamma, U = np.linalg.eigh(S)
    M, lam, length = M @ U, np.maximum(gamma, 0.0) / unit**2, np.linalg.norm(M, axis=1)
    gain, far = np.empty(len(M)), length > 1e8 * unit
    gain[far] = unit * _far_gain(M[far] / unit, lam)
    if not far.all():
        gain[~far] = unit * _integral(M[~far] / unit, lam)
    return gain


def _gains(M, S, scales):
    """Compute the gains for N(m, s S) at each s >= 0 of `scales` (q,), (q, n): √s times those of m / √s."""
    if not M.any():
        return np.sqrt(scales)[:, None] * mean_norm_gain(M, S)
    different, which = np.unique(scales, return_inverse=True)  # pairs of scales repeat each of them many times
    roots = np.sqrt(different)[:, None]
    gains, rows = np.zeros((len(roots), len(M))), max(1, ENTRIES // M.size)
    for i in range(0, len(roots), rows):
        root = roots[i : i + rows, :, None]
        moved = np.divide(M, root, out=np.zeros((len(root), *M.shape)), where=root > 0)
        gains[i : i + rows] = mean_norm_gain(moved.reshape(-1, M.shape[1]), S).reshape(-1, len(M))
    return (roots * gains)[which]


def _gains_of_sums(M, s, S, t, T):
    """Compute the gains for N(m, s S + t T) at each pair of s and t (q,), (q, n), in two dimensions or more."""
    d, rows = M.shape[1], max(1, ENTRIES // M.size)
    gains = np.empty((len(s), len(M)))
    for i in range(0, len(s), rows):
        C = s[i : i + rows, None, None] * S + t[i : i + rows, None, None] * T
        unit = np.sqrt(np.trace(C, axis1=1, axis2=2))[:, None]
        gamma, U = np.linalg.eigh(C / unit[:, None] ** 2)
        moved = ((M / unit[..., None]) @ U).reshape(-1, d)
        lam = np.repeat(np.maximum(gamma, 0.0), len(M), axis=0)
        far, found = np.linalg.norm(moved, axis=1) > 1e8, np.empty(len(moved))
        found[far] = _far_gain(moved[far], lam[far])
        if not far.all():
            found[~far] = _integral(moved[~far], lam[~far])
        gains[i : i + rows] = unit * found.reshape(-1, len(M))
    return gains


def _far_gain(M, lam):
    """Compute the gain for tr S = 1 beyond 1e8, (n,): the first term of its series in 1 / |m|."""
    length = np.linalg.norm(M, axis=1)
    return 0.5 / length * (1 - np.sum((M / length[:, None]) ** 2 * lam, axis=1))


def _integral(M, lam):
    """Compute the gain for tr S = 1, (n,); `lam` has the eigenvalues (d,) of all rows or (n, d) of each."""
    t, weight = _nodes(1 + np.square(M).sum(axis=1).max())
    rows = max(1, ENTRIES // (len(t) * (1 if lam.ndim == 1 else M.shape[1])))
    tiles = (slice(i, i + rows) for i in range(0, len(M), rows))
    return np.concatenate([_gain(M[tile], lam if lam.ndim == 1 else lam[tile], t, weight) for tile in tiles])


def _gain(M, lam, t, weight):
    widened = 2 * lam[..., None] * t
    shrunk, log_det = t / (1 + widened), 0.5 * np.log1p(widened).sum(axis=-2)
    m2 = M**2
    weighed = (lambda A: m2 @ A) if lam.ndim == 1 else (lambda A: np.einsum("nd,ndt->nt", m2, A))
    square = m2.sum(axis=1)[:, None]
    reference = np.where(square > 1, square, 0.0)
    with np.errstate(over="ignore"):
        at_reference, exponent = np.exp(-reference * t), -weighed(shrunk) - log_det
        # log φ / e^(-t c) is a small difference for c = |m|^2, so it is taken for each coordinate before the sum
        ratio = np.where(reference > 0, weighed(widened * shrunk) - log_det, exponent)
        less = np.where(ratio < 1, -at_reference * np.expm1(np.minimum(ratio, 1.0)), at_reference - np.exp(exponent))
    return less @ weight + (np.sqrt(reference) - np.sqrt(square))[:, 0]


def _nodes(largest):
    """Return nodes t and weights of int f(t) t^(-3/2) dt / (2 √π).

    They serve |m|^2 + tr S from 1 to `largest`, in units of tr S. t = exp(x + e^(x-b) - e^(a-x)): between a and b equal
    steps in log t cover all scales that matter, down to 1e-10 tr S, and beyond them the integrand vanishes doubly
    exponentially. It is analytic if |Im log t| < π/2, so equal steps err by about e^(-π^2 / step).
    """
    a, b = -np.log(largest), np.log(1e10)
    x = np.arange(a - 4.3, b + 4.3, STEP)  # e^(-e^4.3 / 2) = 1e-16
    left, right = np.exp(a - x), np.exp(x - b)
    log_t = x + right - left
    return np.exp(log_t), STEP * (1 + left + right) * np.exp(-0.5 * log_t) / (2 * np.sqrt(np.pi))
