"""What operators between two RKHSs share: two kernels, pairs (x_i, y_i), and pairs of functions that they learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from explorer import checks, inline_pictures
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.kernels import Kernel
from explorer.learner import Learner
from explorer.linalg import eigh_psd
from explorer.parameters import Part
from explorer.types import Gram, Matrix, Points, PointsLike, Vector


class FunctionPairs(Learner):
    """A learner of pairs of functions u_k of x and v_k of y, each a combination of kernel functions at the sample.

    A subclass has `fit`, which sets kernel_x_, kernel_y_, X_, Y_, left_coefficients_ and right_coefficients_ (n, r),
    and counts_ (n,), how often each pair counts, None once;
    `drawn` names the values, falling, that its picture shows and what they are called; `centered` is whether functions
    have their means over the sample taken off.
    """

    kernel_x: Kernel | None = Part(
        class_=Kernel, default=None, allow_None=True, doc="the kernel of x; None is Gaussian()"
    )
    kernel_y: Kernel | None = Part(
        class_=Kernel, default=None, allow_None=True, doc="the kernel of y; None is Gaussian()"
    )
    _before = "has seen no pairs yet; take fit(X, Y) first"
    drawn: ClassVar[tuple[str, str]] = ("", "")
    centered = True

    if TYPE_CHECKING:

        def _declared(self) -> None:  # what each subclass learns
            self.kernel_x_: Kernel
            self.kernel_y_: Kernel
            self.X_: Points
            self.Y_: Points
            self.left_coefficients_: Matrix
            self.right_coefficients_: Matrix
            self.counts_: Vector | None

    def left(self, X: PointsLike, k: int = 0) -> Vector:
        """u_k at points X (m, d), (m,).

        Less its mean over the sample where centred, so that the scatter of left(X_, k) and right(Y_, k) shows the
        dependence; the covariance of singular functions is σ_k.
        """
        return self._function("left", X, k)

    def right(self, Y: PointsLike, k: int = 0) -> Vector:
        """v_k at points Y (m, d), (m,): see `left`."""
        return self._function("right", Y, k)

    def left_embedding(self, k: int = 0) -> Embedding:
        """u_k itself, an Embedding; a singular function has norm 1."""
        return self._embedding("left", k)

    def right_embedding(self, k: int = 0) -> Embedding:
        """v_k itself, an Embedding; a singular function has norm 1."""
        return self._embedding("right", k)

    def _gram(self, kernel, Z):
        """The Gram matrix (n, n), of `Kernel.contrast` where functions are centred: their coefficients sum to 0."""
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
        kernel, points, coefficients = self._side(side)
        k = checks.whole(k, "k")
        if k >= coefficients.shape[1]:
            raise Refusal(f"k must be below {coefficients.shape[1]}, the rank of the operator, not {k}.")
        return Embedding(kernel, points, coefficients[:, k]).over(self._names("X" if side == "left" else "Y"))

    def _function(self, side, Z, k):
        function = self._embedding(side, k)
        return function(Z) - (self._mean(function(self._side(side)[1])) if self.centered else 0.0)

    def _side(self, side):
        fitted = self._fitted()
        return {
            "left": (fitted.kernel_x_, fitted.X_, fitted.left_coefficients_),
            "right": (fitted.kernel_y_, fitted.Y_, fitted.right_coefficients_),
        }[side]

    def _centred(self, values):
        """Values (n, ...) of functions at the sample, their means taken off where `centered`."""
        return values - self._mean(values) if self.centered else values

    def _mean(self, values):
        """The mean over the pairs of values (n, ...)."""
        counts = self.counts_
        return values.mean(axis=0) if counts is None else counts @ values / counts.sum()


def thin_factor(K: Gram) -> Matrix:
    """F (n, r) with FF' = K, directions of rounding left out, for any positive semi-definite K."""
    gamma, U = eigh_psd(K)
    kept = gamma > len(K) * np.finfo(float).eps * gamma[-1]
    return U[:, kept] * np.sqrt(gamma[kept])
