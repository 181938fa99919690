"""Exponential kernel, and its expectations under Gaussians."""

from __future__ import annotations

import numpy as np

from explorer.checks import Refusal
from explorer.parameters import LogNumber
from explorer.types import Matrix, Points, PointsLike, Values, Vector

from .base import Kernel
from .increments import NEAR, ExponentialIncrements, middle, typical


class Exponential(Kernel):
    r"""Exponential kernel: the exponential of a scaled inner product.

    Use it for bounded points such as directions. For points that may lie far from 0 use `Gaussian`.

    .. math:: k(x, y) = \exp(\langle x, y \rangle / s)

    Parameters
    ----------
    scale : float, default 1.0
        The scale s, in squared units of x.

    Raises
    ------
    ValueError
        If a value overflows.

    Notes
    -----
    Unbounded: ``k(x, x) = exp(|x|^2 / s)``. Universal: the power series of exp has positive coefficients only, so the
    RKHS contains every monomial (Steinwart 2001, J. Mach. Learn. Res. 2, 67). Characteristic on the distributions that
    it embeds, those with ``E exp(|x|^2 / (2 s)) < inf``: all of bounded support, and Gaussians whose variance is below
    s in every direction. There the embedding y -> E exp(<x, y> / s) is a moment generating function that is finite
    everywhere, and such a function determines its distribution.

    Its bandwidth is θ = sqrt(s), in units of x. Divided by the roots of k(x, x) and k(y, y) it is the Gaussian kernel
    of that bandwidth.

    Examples
    --------
    >>> from explorer import Exponential
    >>> round(Exponential(scale=2.0)([[1.0]], [[2.0]]).item(), 4)
    2.7183
    """

    characteristic = universal = has_bandwidth = has_constants = True
    scale: float = LogNumber(
        default=1.0,
        bounds=(1e-150, 1e150),
        softbounds=(1e-1, 1e2),
        symbol="s",
        unit="squared units of x",
        doc="the inner product at which the kernel is e",
    )

    @property
    def bandwidth(self) -> float:
        """The root of `scale`, in units of the points."""
        return float(np.sqrt(self.scale))

    def with_bandwidth(self, bandwidth: float) -> Exponential:
        return Exponential(scale=bandwidth**2)

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        with np.errstate(over="ignore", invalid="ignore"):
            return X @ (X if Y is None else Y).T

    def of_pairs(self, S: Matrix) -> Matrix:
        with np.errstate(over="ignore"):
            return self._exp(S / self.scale)

    def diagonal(self, X: PointsLike) -> Vector:
        X = self.points(X)
        with np.errstate(over="ignore"):
            return self._exp(np.einsum("ij,ij->i", X, X) / self.scale)

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E exp(<x + u, y + v> / s).

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.

        Raises
        ------
        ValueError
            If an eigenvalue of CD/s² is 1 or more: then the expectation is infinite.

        Notes
        -----
        The expectation is ``|I - CD/s^2|^(-1/2) exp(<y, Mx>/s + (<y, MCy> + <x, DMx>)/(2 s^2))`` with M = (I -
        CD/s^2)^(-1). It is symmetric in (x, C) and (y, D), and finite if all eigenvalues of CD/s^2 are below 1.
        """
        if C is None and D is None:
            return self(X, Y)
        return self._exp(self._exponent(X, C, Y, D))

    def less_one(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E k - 1 without subtracting 1: it has all its digits if the scale is large.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The differences.
        """
        return np.expm1(self._exponent(X, C, Y, D))

    def contrast(self, points: Points, variance: float = 0.0) -> Exponential | ExponentialIncrements:
        """Return `Increments` if the scale is so large, compared with the points, that most values of k are nearly 1.

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
        spread = np.hypot(typical(points, np.zeros((1, points.shape[1]))), np.sqrt(variance))
        near = spread <= np.sqrt(NEAR * self.scale)
        return ExponentialIncrements(self, middle(points)) if near else self

    def _exponent(self, X, C, Y, D):
        """Compute log E k, (n, m); raise ValueError if E k is infinite."""
        X, Y = self._two(X, Y)
        x, y, s = X, Y, self.scale
        if C is None and D is None:
            return x @ y.T / s
        with np.errstate(over="ignore", invalid="ignore"):
            if C is None or D is None:  # CD = 0, so M = I
                y_part = 0.0 if C is None else _form(C, y)
                x_part = 0.0 if D is None else _form(D, x)[:, None]
                return x @ y.T / s + (x_part + y_part) / (2 * s**2)
            root = _root(C)
            mu, W = np.linalg.eigh(root @ D @ root / s**2)  # CD/s^2 has the same eigenvalues
            if mu[-1] >= 1:
                self._infinite("the covariances C and D", "CD/scale^2", mu[-1], s * np.sqrt(mu[-1]))
            F = root @ W / np.sqrt(1 - mu)
            MC = F @ F.T  # = R (I - RDR/s^2)^(-1) R with R = C^(1/2)
            Dx = x @ D
            cross = x @ y.T / s + Dx @ MC @ y.T / s**3  # M = I + MCD/s^2
            x_part = np.einsum("ij,ij->i", Dx, x) + _form(MC, Dx) / s**2  # DM = D + D MC D/s^2
            return cross + (x_part[:, None] + _form(MC, y)) / (2 * s**2) - 0.5 * np.log1p(-mu).sum()

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        """Compute ``E exp(|x + u|^2 / s) = |I - 2C/s|^(-1/2) exp(<x, (I - 2C/s)^(-1) x> / s)``.

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

        Raises
        ------
        ValueError
            If an eigenvalue of 2C/s is 1 or more: then the expectation is infinite.
        """
        if C is None:
            return self.diagonal(X)
        return self._exp(self._diagonal_exponent(X, C))

    def diagonal_less_one(self, X: Points, C: Matrix) -> Vector:
        """Compute ``E exp(|x + u|^2 / s) - 1``.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points.
        C : ndarray of shape (d, d)
            Covariance of their noise.

        Returns
        -------
        ndarray of shape (n,)
            The differences.
        """
        return np.expm1(self._diagonal_exponent(X, C))

    def _diagonal_exponent(self, X, C):
        X, s = self.points(X), self.scale
        if C is None:
            return np.einsum("ij,ij->i", X, X) / s
        gamma, U = np.linalg.eigh(C)
        mu = 2 * gamma / s
        if mu[-1] >= 1:
            self._infinite("the covariance C", "2C/scale", mu[-1], 2 * gamma[-1])
        with np.errstate(over="ignore"):
            return (X @ U) ** 2 @ (1 / (1 - mu)) / s - 0.5 * np.log1p(-mu).sum()

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        """Compute the gradient, (y + Dx/s) / s times E k(x, y + v).

        Parameters
        ----------
        X, Y : ndarray of shape (n, d) or (m, d)
            Points.
        D : ndarray of shape (d, d) or None, default None
            Covariance of the noise of Y; None stands for zero.

        Returns
        -------
        ndarray of shape (n, m, d)
            The gradients by x.
        """
        k, s = self.expected(X, None, Y, D)[:, :, None], self.scale
        return self.finite(k * (Y if D is None else Y + (X @ D / s)[:, None]) / s)

    def _exp(self, exponent):
        with np.errstate(over="ignore", invalid="ignore"):
            return self.finite(np.exp(exponent))

    def finite(self, K: Values) -> Values:
        """Return values of any shape, or raise if one overflows.

        Parameters
        ----------
        K : ndarray
            Values of the kernel.

        Returns
        -------
        ndarray
            The values.

        Raises
        ------
        ValueError
            If a value is infinite or NaN.
        """
        if not np.isfinite(K).all():
            raise Refusal(
                f"the points are too large for {self!r}: its values overflow; rescale them or take a larger scale"
                " or bandwidth."
            )
        return K

    def _infinite(self, whose, product, largest, limit):
        raise Refusal(
            f"{self!r} has an infinite expectation here: {whose} must leave all eigenvalues of {product} below 1, "
            f"and the largest is {largest:.3g}; take a scale above {limit:.3g}, or rescale the points."
        )


def _root(C):
    """Return the symmetric root of a positive semi-definite matrix."""
    gamma, U = np.linalg.eigh(C)
    return (U * np.sqrt(np.maximum(gamma, 0.0))) @ U.T


def _form(A, X):
    """Compute <x_i, A x_i>, (n,)."""
    return np.einsum("ij,ij->i", X @ A, X)
