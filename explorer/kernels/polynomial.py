"""Linear and polynomial kernels, and their expectations under Gaussians."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.parameters import Real, Whole
from explorer.types import Matrix, Points, PointsLike, Values, Vector

from .base import POINT_MASSES, Kernel
from .increments import FAR, NEAR, PowerIncrements, ShiftedIncrements, middle, typical


class _InnerProduct(Kernel):
    """Base class of the kernels that are a power of <x, y> + offset."""

    degree = 1

    if TYPE_CHECKING:

        def _declared(self) -> None:
            self.offset: float  # each subclass declares it

        def _increments(self, origin: Matrix) -> Any: ...

    @property
    def growth(self) -> int:
        return 2 * self.degree

    @property
    def has_constants(self) -> bool:
        return self.offset > 0

    @property
    def zeros(self) -> float:
        return 0 if self.offset > 0 else 1  # the origin

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        with np.errstate(over="ignore", invalid="ignore"):
            return X @ (X if Y is None else Y).T

    def of_pairs(self, S: Matrix) -> Matrix:
        with np.errstate(over="ignore", invalid="ignore"):
            return self.finite((S + self.offset) ** self.degree)

    def contrast(self, points: Points, variance: float = 0.0) -> Any:
        """Return `Increments` if the points lie far from zero, or so near to it that the offset is nearly all of k.

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
        spread = np.hypot(typical(points, origin), np.sqrt(variance))
        far = np.linalg.norm(origin) > FAR * spread
        return self._increments(origin) if far or spread < np.sqrt(NEAR * self.offset) else self

    def diagonal(self, X: PointsLike) -> Vector:
        X = self.points(X)
        with np.errstate(over="ignore"):
            return self.finite((np.einsum("ij,ij->i", X, X) + self.offset) ** self.degree)

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E (<x + u, y + v> + c)^p = a^p, a² + q or a³ + 3 a q + 6 x'DCy for p = 1, 2, 3.

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
        c is `offset`, p is `degree`, u ~ N(0, C), v ~ N(0, D), a = <x, y> + c and q = x'Dx + y'Cy + tr(CD).
        [muandet2014stein], Table of kernels; the moments of Gaussians are those of Isserlis' theorem.
        """
        if C is None and D is None:
            return self(X, Y)
        self.require_moments()
        X, Y = self._two(X, Y)
        with np.errstate(over="ignore", invalid="ignore"):
            return self.finite(self._moment(X, C, Y, D))

    def _moment(self, X, C, Y, D):
        a = X @ Y.T + self.offset
        if self.degree == 1:
            return a
        q = np.zeros_like(a)
        if D is not None:
            q += np.einsum("ij,jk,ik->i", X, D, X)[:, None]
        if C is not None:
            q += np.einsum("ij,jk,ik->i", Y, C, Y)
        if C is not None and D is not None:
            q += np.sum(C * D)
        if self.degree == 2:
            return a**2 + q
        cross = 0.0 if C is None or D is None else 6 * (X @ D) @ (C @ Y.T)
        return a**3 + 3 * a * q + cross

    def expected_scales(self, X: Points, s: Vector, Y: Points, t: Vector, S: Points) -> Values:
        self.require_moments()
        X, Y = self._two(X, Y)
        s, t = s[:, None, None], t[:, None, None]
        with np.errstate(over="ignore", invalid="ignore"):
            a = np.broadcast_to(X @ Y.T + self.offset, (len(s), len(X), len(Y)))
            if self.degree == 1:
                return self.finite(a)
            by_x, by_y = (np.einsum("ij,jk,ik->i", Z, S, Z) for Z in (X, Y))
            q = t * by_x[:, None] + s * by_y + s * t * np.sum(S * S)
            if self.degree == 2:
                return self.finite(a**2 + q)
            return self.finite(a**3 + 3 * a * q + 6 * s * t * ((X @ S) @ (S @ Y.T)))

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        """Compute ``E (|x + u|^2 + c)^p`` for u ~ N(0, C) by the cumulants of ``|x + u|^2``; c is `offset`, p `degree`.

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
        if C is None:
            return self.diagonal(X)
        self.require_moments()
        X = self.points(X)
        with np.errstate(over="ignore", invalid="ignore"):
            CX = X @ C
            a = np.trace(C) + np.einsum("ij,ij->i", X, X) + self.offset
            second = 2 * np.sum(C * C) + 4 * np.einsum("ij,ij->i", CX, X)
            third = 8 * np.sum((C @ C) * C) + 24 * np.einsum("ij,ij->i", CX, CX)
            return self.finite((a, a**2 + second, a**3 + 3 * second * a + third)[self.degree - 1])

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        """Compute the gradient by x, p E a^(p-1) (y + v), a = <x, y + v> + c; under noise for p = 1, 2, 3.

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
        if D is not None:
            self.require_moments()
        with np.errstate(over="ignore", invalid="ignore"):
            a, p = X @ Y.T + self.offset, self.degree
            if D is None or p == 1:
                return self.finite(p * (a ** (p - 1))[:, :, None] * Y)
            DX = X @ D
            if p == 2:
                return self.finite(2 * (a[:, :, None] * Y + DX[:, None]))
            square = a**2 + np.einsum("ij,ij->i", X, DX)[:, None]
            return self.finite(3 * (square[:, :, None] * Y + 2 * a[:, :, None] * DX[:, None]))

    def finite(self, values: Values) -> Values:
        """Return values of any shape, or raise ValueError if one overflows."""
        if not np.isfinite(values).all():
            raise Refusal(f"the points are too large for {self!r}: its values overflow; rescale the points.")
        return values

    def require_moments(self) -> None:
        """Refuse a degree whose moments under a Gaussian are not implemented."""
        if self.degree > 3:
            raise Refusal(
                f"{self!r} has no closed form for Gaussian points here: degrees 1, 2 and 3 have one, and of degree"
                f" {self.degree} it takes point masses only. These estimators give point masses: {POINT_MASSES}."
            )


class Linear(_InnerProduct):
    r"""Linear kernel: the inner product, plus an offset.

    Use it to compare means alone. It is blind to all other differences, which `Gaussian` sees.

    .. math:: k(x, y) = \langle x, y \rangle + c

    Parameters
    ----------
    offset : float, default 0.0
        The constant c, at least 0, added to the inner product.

    Notes
    -----
    Unbounded. Its mean embedding knows only the mean, so it is not characteristic. Not universal: its RKHS contains
    linear functions only, and constants if offset > 0.

    Examples
    --------
    >>> from explorer import Linear
    >>> Linear(offset=1.0)([[1.0, 2.0]], [[3.0, 4.0]]).item()
    12.0
    """

    offset: float = Real(default=0.0, bounds=(0, None), symbol="c", doc="added to the inner product")

    def _increments(self, origin):
        return ShiftedIncrements(self, origin, _PRODUCT, lambda z, o: z @ o)


_PRODUCT = Linear(0.0)


class Polynomial(_InnerProduct):
    r"""Polynomial kernel: a power of the inner product plus an offset.

    Use it to compare moments up to its degree. It is blind to all others, which `Gaussian` sees.

    .. math:: k(x, y) = (\langle x, y \rangle + c)^p

    Parameters
    ----------
    degree : int, default 2
        The power p, at least 1: the highest moment that the embedding knows.
    offset : float, default 1.0
        The constant c, at least 0, added to the inner product; 0 leaves only the highest moment.

    Notes
    -----
    Unbounded. Its mean embedding knows the moments up to the degree and no others. Two distributions that agree in
    those have the same embedding, so it is not characteristic. Its RKHS has finite dimension, so it is not universal.

    Examples
    --------
    >>> from explorer import Polynomial
    >>> Polynomial(degree=2, offset=1.0)([[1.0, 2.0]], [[3.0, 4.0]]).item()
    144.0
    """

    degree: int = Whole(default=2, bounds=(1, None), symbol="p", doc="highest moment that the embedding knows")
    offset: float = Real(
        default=1.0, bounds=(0, None), symbol="c", doc="added to the inner product; 0 leaves the top moment only"
    )

    def _increments(self, origin):
        return PowerIncrements(self, origin)
