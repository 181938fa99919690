"""Kernels relative to an origin: what remains of k if all its values on a sample are nearly one large number.

Weights that sum to zero, as those of every MMD, HSIC, witness and loss do, cannot distinguish k(x, y) from

    k_o(x, y) = <φ(x) - φ(o), φ(y) - φ(o)> = k(x, y) - k(x, o) - k(o, y) + k(o, o),

the kernel of the increments of φ(x) = k(x, .) from an origin o among the points. If a bandwidth is far wider than the
sample, or if the sample lies far from zero under a kernel of inner products, the four values agree in most of their
digits. So k_o is computed here by expressions that never subtract them. `Kernel.contrast` decides when to use it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import comb, factorial
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.types import Matrix, Points, Values, Vector

if TYPE_CHECKING:
    from .base import Kernel


# share of k by which its values may differ and still lose two digits at most: below it, increments are used
NEAR = 1e-2
ENOUGH = 500  # points whose medians decide whether increments are used
FAR = 10.0  # distance of the origin, in typical distances of the points from it, beyond which increments are used


def middle(points: Points) -> Matrix:
    """Compute the upper median of each coordinate as one row (1, d).

    A minority of far points cannot move this origin away from the rest. It has the digits of the points themselves, so
    differences of near points from it are exact. If there are many points it is the median of some.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        Points.

    Returns
    -------
    ndarray of shape (1, d)
        The origin.
    """
    points = _some(points)
    half = len(points) // 2
    return np.partition(points, half, axis=0)[[half]]


def typical(points: Points, origin: float | Matrix, order: int = 2) -> float:
    """Compute the upper median of the points' distances from the origin.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        Points.
    origin : float or ndarray of shape (1, d)
        The origin.
    order : {1, 2}, default 2
        Order of the norm.

    Returns
    -------
    float
        The median distance.
    """
    with np.errstate(over="ignore"):
        apart = _some(points) - origin
        distances = np.abs(apart).sum(axis=1) if order == 1 else np.sqrt(np.einsum("ij,ij->i", apart, apart))
    half = len(distances) // 2
    return float(np.partition(distances, half)[half])


def _some(points):
    """Return the points, or ENOUGH of them if there are more.

    They are at multiples of the golden ratio, which no period of the rows matches.
    """
    n = len(points)
    return points if n <= ENOUGH else points[(np.arange(ENOUGH) * 0.6180339887498949 % 1 * n).astype(int)]


class Increments:
    """The kernel k_o(x, y) = k(x, y) - k(x, o) - k(o, y) + k(o, o), of the increments φ(x) - φ(o) from an origin o.

    It is called on points, or in expectation under Gaussians, like the kernel itself.

    Parameters
    ----------
    kernel : Kernel
        The kernel k.
    origin : ndarray of shape (1, d)
        The origin o.
    """

    def __init__(self, kernel: Kernel, origin: Matrix) -> None:
        self.kernel: Any = kernel  # each subclass takes another class of kernels
        self.origin = origin

    @property
    def lost(self) -> float:
        """Size of the numbers that expectations under noise subtract; k_o has their rounding error. 0 if none are."""
        return 0.0

    def __call__(self, X: Points, Y: Points | None = None) -> Matrix:
        """Compute k_o(x_i, y_j), (n, m); Y=None means Y=X."""
        return self.expected(X, None, X if Y is None else Y, None)

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E k_o(x_i + u, y_j + v) for independent u ~ N(0, C) and v ~ N(0, D).

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.
        """
        raise NotImplementedError

    def expected_scales(self, X: Points, s: Vector, Y: Points, t: Vector, S: Matrix) -> Values | None:
        """Return None: one covariance is computed after the other, see `Kernel.expected_scales`.

        Parameters
        ----------
        X, s, Y, t, S : ndarray
            As in `Kernel.expected_scales`.

        Returns
        -------
        ndarray of shape (q, n, m) or None
            None here; a subclass may return the expectations.
        """
        return None

    def expected_unlike(self, X: Points, s: Vector, S: Matrix, Y: Points, t: Vector, T: Matrix) -> Values | None:
        """Return None: one covariance is computed after the other, see `Kernel.expected_unlike`.

        Parameters
        ----------
        X, s, S, Y, t, T : ndarray
            As in `Kernel.expected_unlike`.

        Returns
        -------
        ndarray of shape (q, n, m) or None
            None here; a subclass may return the expectations.
        """
        return None

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        """Compute E k_o(x_i + u, x_i + u) for u ~ N(0, C).

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
        raise NotImplementedError

    def to_origin(self, X: Points, C: Matrix | None) -> Vector:
        """Compute E k(x_i + u, o) - k(o, o): the inner products of the increments φ(x_i + u) - φ(o) with φ(o).

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points.
        C : ndarray of shape (d, d) or None
            Covariance of their noise; None stands for zero.

        Returns
        -------
        ndarray of shape (n,)
            The inner products.
        """
        return self.kernel.expected(X, C, self.origin, None)[:, 0] - self.at_origin

    @property
    def at_origin(self) -> float:
        """The value k(o, o)."""
        return float(self.kernel.diagonal(self.origin)[0])


class StationaryIncrements(Increments):
    """Increments k_o of a kernel of x - y with k(x, x) = 1, from its `less_one`, E k - 1 without a difference."""

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        left = self.to_origin(X, C)
        right = left if X is Y and C is D else self.to_origin(Y, D)
        return self.kernel.less_one(X, C, Y, D) - (left[:, None] + right)

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        return -2 * self.to_origin(X, C)

    def to_origin(self, X: Points, C: Matrix | None) -> Vector:
        return self.kernel.less_one(X, C, self.origin, None)[:, 0]


class ShiftedIncrements(Increments):
    """Increments k_o(x, y) that equal another kernel, `moved`, at x - o and y - o.

    An example is <x - o, y - o> for the kernel <x, y> + offset. ``gain(z, o) -> (n,)`` is k(o + z_i, o) - k(o, o)
    without that difference.
    """

    gain: Callable[..., Any]
    moved: Kernel

    def __init__(self, kernel: Kernel, origin: Matrix, moved: Kernel, gain: Callable[..., Any]) -> None:
        super().__init__(kernel, origin)
        self.moved, self.gain = moved, gain

    def to_origin(self, X: Points, C: Matrix | None) -> Vector:
        if C is None:
            return self.gain(X - self.origin, self.origin[0])
        return super().to_origin(X, C)

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        x = X - self.origin
        if X is Y and C is None and D is None:
            return self.moved(x)
        return self.moved.expected(x, C, Y - self.origin, D)

    def expected_scales(self, X: Points, s: Vector, Y: Points, t: Vector, S: Matrix) -> Values | None:
        return self.moved.expected_scales(X - self.origin, s, Y - self.origin, t, S)

    def expected_unlike(self, X: Points, s: Vector, S: Matrix, Y: Points, t: Vector, T: Matrix) -> Values | None:
        return self.moved.expected_unlike(X - self.origin, s, S, Y - self.origin, t, T)

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        return self.moved.expected_diagonal(X - self.origin, C)


class PowerIncrements(Increments):
    """Increments k_o of the kernel (<x, y> + c)^p: between points for any degree p, under noise for p = 1, 2 and 3.

    With x = o + z, y = o + w, a = |o|^2 + c, s = <o, z>, t = <o, w>, r = <z, w> and A = a + s + t the kernel is (A +
    r)^p, and

        k_o = [A^p - (a + s)^p - (a + t)^p + a^p] + [(A + r)^p - A^p].

    The first bracket holds the terms of A^p that have both s and t in them, the second those of (A + r)^p that have r.
    """

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        z, w, o = X - self.origin, Y - self.origin, self.origin[0]
        with np.errstate(over="ignore", invalid="ignore"):
            s, t, r = (z @ o)[:, None], w @ o, z @ w.T
            K = self._between_points(s, t, r)
            if C is not None or D is not None:
                K = K + self._noise(X, C, Y, D, s, t, r)
        return self.kernel.finite(K)

    def to_origin(self, X: Points, C: Matrix | None) -> Vector:
        if C is not None:
            return super().to_origin(X, C)
        with np.errstate(over="ignore", invalid="ignore"):
            return self.kernel.finite(_beyond(self._a, (X - self.origin) @ self.origin[0], self.kernel.degree))

    def _between_points(self, s, t, r):
        a, p = self._a, self.kernel.degree
        return _mixed(a, s, t, p) + _beyond(a + s + t, r, p)

    def _noise(self, X, C, Y, D, s, t, r):
        """Compute E k_o(x + u, y + v) - k_o(x, y) for noise u ~ N(0, C) and v ~ N(0, D).

        With q = x'Dx + y'Cy + tr(CD) it is q for p = 2 and 3Aq + 6x'DCy for p = 3, with q reduced by its value at o.
        """
        self.kernel.require_moments()
        a, p, o = self._a, self.kernel.degree, self.origin[0]
        if p == 1:
            return 0.0
        by_x, by_y = _form(D, X)[:, None], _form(C, Y)
        gain_x, gain_y = _form_gain(D, X, o)[:, None], _form_gain(C, Y, o)
        trace = 0.0 if C is None or D is None else np.sum(C * D)
        if p == 2:
            return gain_x + gain_y + trace
        both = 0.0 if C is None or D is None else 6 * (X @ D) @ (C @ Y.T)
        return (
            3 * ((a + t) * gain_x + (s + r) * by_x + (a + s) * gain_y + (t + r) * by_y + (a + s + t + r) * trace) + both
        )

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        """Compute E [(a + 2b + ρ)^p - 2 (a + b)^p + a^p] for v = z + u, b = <o, v> and ρ = |v|^2, (n,)."""
        o, a, p, z = self.origin[0], self._a, self.kernel.degree, X - self.origin
        b, square = z @ o, np.einsum("ij,ij->i", z, z)
        if C is None:
            return self.kernel.finite(self._between_points(b, b, square))
        Cz, Cx, rho = z @ C, X @ C, square + np.trace(C)
        if p == 1:
            return rho
        self.kernel.require_moments()
        var_b, var_rho = o @ C @ o, 2 * np.sum(C * C) + 4 * np.einsum("ij,ij->i", Cz, z)
        b2, rho2, b_rho = b**2 + var_b, rho**2 + var_rho, b * rho + 2 * Cz @ o
        if p == 2:
            return self.kernel.finite(2 * b2 + rho2 + 2 * a * rho + 4 * b_rho)
        # Y = 2b + ρ = |x + u|^2 - |o|^2: its cumulants are those of |x + u|^2 except the first
        first, second = 2 * b + rho, 2 * np.sum(C * C) + 4 * np.einsum("ij,ij->i", Cx, X)
        third = 8 * np.sum((C @ C) * C) + 24 * np.einsum("ij,ij->i", Cx, Cx)
        cube = third + 3 * second * first + first**3
        return self.kernel.finite(
            3 * a**2 * rho + 3 * a * (2 * b2 + 4 * b_rho + rho2) + cube - 2 * (b**3 + 3 * b * var_b)
        )

    @property
    def _a(self):
        return float(self.origin[0] @ self.origin[0]) + self.kernel.offset


def _mixed(a, s, t, p):
    """Sum the terms of (a + s + t)^p that have both s and t in them."""
    powers = [(i, j) for i, j in product(range(1, p), repeat=2) if i + j <= p]
    times = [factorial(p) // (factorial(i) * factorial(j) * factorial(p - i - j)) for i, j in powers]
    return sum((c * a ** (p - i - j) * s**i * t**j for c, (i, j) in zip(times, powers, strict=True)), 0.0)


def _beyond(A, r, p):
    """Compute (A + r)^p - A^p."""
    return sum(comb(p, k) * A ** (p - k) * r**k for k in range(1, p + 1))


def _form(C, X):
    """Compute x_i'C x_i, (n,); None stands for C = 0."""
    return np.zeros(len(X)) if C is None else np.einsum("ij,ij->i", X @ C, X)


def _form_gain(C, X, o):
    """Compute x_i'C x_i - o'C o, (n,), as (x_i - o)'C (x_i + o)."""
    return np.zeros(len(X)) if C is None else np.einsum("ij,ij->i", (X - o) @ C, X + o)


class ExponentialIncrements(Increments):
    """Increments k_o of the kernel exp(<x, y> / c), from E k - 1 (`less_one`), for a scale c far above all <x, y>.

    Between points k_o = e^a [(e^s - 1)(e^t - 1) + e^(s + t) (e^r - 1)] with a, s, t, r those of `PowerIncrements` over
    the scale.
    """

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        if C is None and D is None:
            z, w, o, c = X - self.origin, Y - self.origin, self.origin[0], self.kernel.scale
            return self._between_points((z @ o / c)[:, None], w @ o / c, z @ w.T / c)
        less, o = self.kernel.less_one, self.origin
        return less(X, C, Y, D) - less(X, C, o, None) - less(o, None, Y, D) + less(o, None, o, None)

    def _between_points(self, s, t, r):
        a = float(self.origin[0] @ self.origin[0]) / self.kernel.scale
        with np.errstate(over="ignore", invalid="ignore"):
            K = np.exp(a) * (np.expm1(s) * np.expm1(t) + np.exp(s + t) * np.expm1(r))
        return self.kernel.finite(K)

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        if C is None:
            z, c = X - self.origin, self.kernel.scale
            s = z @ self.origin[0] / c
            return self._between_points(s, s, np.einsum("ij,ij->i", z, z) / c)
        twice = 2 * self.kernel.less_one(X, C, self.origin, None)[:, 0]
        return (
            self.kernel.diagonal_less_one(X, C)
            - twice
            + np.expm1(float(self.origin[0] @ self.origin[0]) / self.kernel.scale)
        )

    def to_origin(self, X: Points, C: Matrix | None) -> Vector:
        less, o, c = self.kernel.less_one, self.origin[0], self.kernel.scale
        if C is None:
            return np.exp(o @ o / c) * np.expm1((X - o) @ o / c)
        return less(X, C, self.origin, None)[:, 0] - less(self.origin, None, self.origin, None)[0, 0]
