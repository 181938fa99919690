"""The empirical kernel mean."""

from __future__ import annotations

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.embeddings.law import Law
from explorer.embeddings.low_rank import approximate_mean
from explorer.embeddings.risk import variance
from explorer.kernels import Gaussian
from explorer.kernels.bandwidth_selection import select
from explorer.kernels.low_rank import (
    Approximation,
    approximation_field,
    rank_field,
    refuse_rank_alone,
    rng_field,
)
from explorer.kernels.low_rank.automatic import stand_in, values_take
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import PointsLike

from .base import Estimator
from .simple import Summary


class KME(Estimator):
    """Empirical kernel mean μ̂ = (1/n) sum_i k(x_i, .), the plain average.

    Use it if nothing speaks for another estimator, and as what others are compared with. For few points in many
    dimensions `SKMSE` may have less error, and with outliers use `RobustKME`.

    It is unbiased, with risk (E k(x, x) - |μ|^2) / n.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.
    approximation : {"cholesky", "nystrom", "features", "auto"} or None, default None
        For many points: a kernel of finite rank r replaces the kernel, see `low_rank`, which takes the first three
        names. "auto" does this only for more than some thousand points. The estimate has at most r points instead of n,
        and its `error` bounds its distance from μ̂. Landmarks give the projection of μ̂ on their span, of error |μ̂ -
        projection|: exact up to 1500 points, beyond that its 99 % limit. "features" give an embedding under the random
        kernel k̂, whose error is a 99 % limit of the root mean square difference of the values at the sample.
    rank : int or None, default None
        The rank r of the approximation; None is 200.
    rng : int, default 0
        Seed of the random numbers of the approximation.

    Notes
    -----
    A million points take some seconds and a few hundred MB.

    References
    ----------
    Smola, Gretton, Song, Schölkopf 2007 (Algorithmic Learning Theory).

    Examples
    --------
    >>> from explorer import KME, Gaussian
    >>> KME(Gaussian(1.0)).embed([[0.0], [2.0]]).weights
    array([0.5, 0.5])
    >>> import numpy as np
    >>> few = KME(Gaussian(1.0), "cholesky", rank=10).embed(np.linspace(-2, 2, 1000))
    >>> few.weights.shape, few.error < 1e-4
    ((10,), True)
    """

    label = "KME"
    approximation: Approximation | None = approximation_field()
    rank: int | None = rank_field()
    rng: int = rng_field()

    @property
    def plain(self) -> bool:
        """True if the estimate is the exact average, without an approximation."""
        return self.approximation is None

    equal_weights = plain

    def _check(self):
        refuse_rank_alone(self.approximation, self.rank)

    def embed(self, X: PointsLike) -> Embedding:
        kernel, X = self._kernel(X)
        if self.approximation is None:
            return Embedding(kernel, X, np.full(len(X), 1 / len(X)))
        exact = values_take(kernel, len(X) ** 2, X.shape[1])  # the seconds that the norm of the exact mean takes
        low = stand_in(kernel, X, self.approximation, self.rank, self.rng, exact).low
        if low is None:
            return Embedding(kernel, X, np.full(len(X), 1 / len(X))).approximating(0.0)
        return approximate_mean(low, [(1, X)], self.rng)

    def loocv(self, X: PointsLike) -> float:
        """Return the leave-one-out score (1/n) Σ_i |k(x_i, .) - μ̂^(-i)|^2.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample, n >= 2.

        Returns
        -------
        float
            The score, in squared units of k.
        """
        self._refuse("leave-one-out score")
        kernel, X, K = self._gram(X, 2)
        return float(Summary.of(K, contrast=self._contrast(kernel, X)).loocv(0.0))

    @explain_wrong_calls
    def risk(self, law: Law, n: int) -> float:
        """Return E |μ̂ - μ|^2 = (E k(x, x) - |μ|^2) / n, exactly.

        Parameters
        ----------
        law : Law
            The true distribution.
        n : int
            The number of points of a sample.

        Returns
        -------
        float
            The risk, in squared units of k.
        """
        self._refuse("exact risk")
        return variance(law, self._fixed_kernel(), n)

    def _kernel(self, X):
        if self.approximation is None:
            return super()._kernel(X)
        kernel = Gaussian() if self.kernel is None else self.kernel
        X = kernel.points(X)
        return select(kernel, X, "points"), X

    def _refuse(self, what):
        if self.approximation is not None:
            raise Refusal(
                f"KME with approximation={self.approximation!r} has no {what} here; KME(kernel) without one has."
            )
