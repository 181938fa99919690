"""Base class of the operators between two RKHSs: two kernels, pairs (x_i, y_i), and pairs of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.kernels import Kernel
from explorer.kernels.base import kernel_field
from explorer.learner import Learner
from explorer.linalg import eigh_psd
from explorer.svg import inline_pictures
from explorer.types import Gram, Matrix, Points, PointsLike, Vector


class FunctionPairs(Learner):
    """Learner of pairs of functions u_k of x and v_k of y, each a combination of kernel functions at the sample.

    A subclass has `fit`, which sets kernel_x_, kernel_y_, X_, Y_, left_coefficients_ and right_coefficients_ (n, r),
    and counts_ (n,), the number of times that each pair counts, or None for once each. `drawn` names the falling values
    that its picture shows, and their label. `centered` is whether functions are centred by their means over the sample.
    """

    kernel_x: Kernel | None = kernel_field("the kernel of x; None is Gaussian()")
    kernel_y: Kernel | None = kernel_field("the kernel of y; None is Gaussian()")
    _before = "has seen no pairs yet; take fit(X, Y) first"
    drawn: ClassVar[tuple[str, str]] = ("", "")
    centered = True

    if TYPE_CHECKING:

        def _declared(self) -> None:  # declares the attributes that each subclass learns
            self.kernel_x_: Kernel
            self.kernel_y_: Kernel
            self.X_: Points
            self.Y_: Points
            self.left_coefficients_: Matrix
            self.right_coefficients_: Matrix
            self.counts_: Vector | None

    def left(self, X: PointsLike, k: int = 0) -> Vector:
        """Return u_k at points.

        If `centered`, its mean over the sample is subtracted. So the scatter of left(X_, k) and right(Y_, k) shows the
        dependence; the covariance of singular functions is σ_k.

        Parameters
        ----------
        X : array_like of shape (m, d)
            The points.
        k : int, default 0
            The index of the function.

        Returns
        -------
        ndarray of shape (m,)
            The values.
        """
        return self._function("left", X, k)

    def right(self, Y: PointsLike, k: int = 0) -> Vector:
        """Return v_k at points, see `left`.

        Parameters
        ----------
        Y : array_like of shape (m, e)
            The points.
        k : int, default 0
            The index of the function.

        Returns
        -------
        ndarray of shape (m,)
            The values.
        """
        return self._function("right", Y, k)

    def left_embedding(self, k: int = 0) -> Embedding:
        """Return u_k itself; a singular function has norm 1.

        Parameters
        ----------
        k : int, default 0
            The index of the function.

        Returns
        -------
        Embedding
            The function.
        """
        return self._embedding("left", k)

    def right_embedding(self, k: int = 0) -> Embedding:
        """Return v_k itself; a singular function has norm 1.

        Parameters
        ----------
        k : int, default 0
            The index of the function.

        Returns
        -------
        Embedding
            The function.
        """
        return self._embedding("right", k)

    def _gram(self, kernel, Z):
        """Return the Gram matrix (n, n), or that of `Kernel.contrast` if functions are centred.

        The coefficients of centred functions sum to 0.
        """
        return (kernel.contrast(Z) if self.centered else kernel)(Z)

    def _sentence(self):
        if not hasattr(self, self.drawn[0]):
            return super()._sentence()
        return f"The {self.drawn[1]} of {checks.echo(self)}, for n = {len(self.X_)} pairs."

    def _picture(self):
        if not hasattr(self, self.drawn[0]):
            return super()._picture()
        return inline_pictures.bars(getattr(self, self.drawn[0]), self._sentence())

    def _embedding(self, side, k):
        """Return the k-th function of a side."""
        kernel, points, coefficients = self._side(side)
        k = checks.whole(k, "k")
        if k >= coefficients.shape[1]:
            raise Refusal(f"k must be below {coefficients.shape[1]}, the rank of the operator, not {k}.")
        return Embedding(kernel, points, coefficients[:, k]).over(self._names("X" if side == "left" else "Y"))

    def _function(self, side, Z, k):
        """Return the values of the k-th function of a side at Z, minus its mean over the sample if centred."""
        function = self._embedding(side, k)
        return function(Z) - (self._mean(function(self._side(side)[1])) if self.centered else 0.0)

    def _side(self, side):
        """Return the kernel, the points and the coefficients of a side."""
        fitted = self._fitted()
        return {
            "left": (fitted.kernel_x_, fitted.X_, fitted.left_coefficients_),
            "right": (fitted.kernel_y_, fitted.Y_, fitted.right_coefficients_),
        }[side]

    def _centred(self, values):
        """Return values (n, ...) of functions at the sample, minus their means if `centered`."""
        return values - self._mean(values) if self.centered else values

    def _mean(self, values):
        """Return the mean over the pairs of values (n, ...)."""
        counts = self.counts_
        return values.mean(axis=0) if counts is None else counts @ values / counts.sum()


def thin_factor(K: Gram) -> Matrix:
    """Return F (n, r) with FF' = K, without directions of rounding, for any positive semi-definite K."""
    gamma, U = eigh_psd(K)
    kept = gamma > len(K) * np.finfo(float).eps * gamma[-1]
    return U[:, kept] * np.sqrt(gamma[kept])
