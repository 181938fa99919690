"""What every estimator of a kernel mean is."""

from __future__ import annotations

from typing import Any, Self

from explorer import checks
from explorer.embeddings import Embedding
from explorer.kernels import Gaussian, Kernel
from explorer.model import Model, Part
from explorer.types import PointsLike


class Estimator(Model):
    """A map from a sample (n, d) to an embedding; an immutable value. kernel=None means Gaussian().

    Its three verbs are `embed`, `select` and `loocv`. What is None is chosen on the sample: first the kernel's
    bandwidth, then the estimator's own parameter at that kernel. `embed` takes n = 1; choosing anything needs n >= 2.
    """

    kernel: Kernel | None = Part(class_=Kernel, default=None, allow_None=True, doc="the kernel; None is Gaussian()")

    def embed(self, X: PointsLike) -> Embedding:
        """The estimate of the kernel mean from X (n, d), an Embedding at the points of X."""
        raise NotImplementedError

    def select(self, X: PointsLike) -> Self:
        """This estimator with what was None chosen on X, n >= 2 where anything is to be chosen."""
        raise NotImplementedError

    def loocv(self, X: PointsLike, values: Any = None) -> Any:
        """Leave-one-out score (1/n) sum_i |k(x_i, .) - estimate from the others|^2, of the true refits."""
        raise NotImplementedError

    def _kernel(self, X):
        """The chosen kernel and the checked points."""
        kernel = Gaussian() if self.kernel is None else self.kernel
        X = kernel.points(X)
        return kernel.select(X), X

    def _gram(self, X, at_least=1):
        """The chosen kernel, the checked points and their Gram matrix."""
        kernel, X = self._kernel(X)
        checks.rows(X, f"X, for the leave-one-out score of {type(self).__name__},", at_least)
        return kernel, X, kernel(X)

    @staticmethod
    def _contrast(kernel, X):
        """The Gram matrix of `Kernel.contrast`, None where that is the kernel's own."""
        seen = kernel.contrast(X)
        return None if seen is kernel else seen(X)

    def _fixed_kernel(self):
        """The kernel, for what is computed without a sample."""
        return Gaussian() if self.kernel is None else self.kernel
