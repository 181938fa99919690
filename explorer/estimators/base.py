"""What every estimator of a kernel mean is."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.kernels import Gaussian, Kernel, Precomputed
from explorer.model import Model
from explorer.parameters import Part
from explorer.printing import echo
from explorer.types import Gram, PointsLike, Vector

if TYPE_CHECKING:
    from explorer.embeddings.law import Law


def _over_its_columns(embed):
    """An `embed` whose embedding knows the names of the columns of a DataFrame."""

    @functools.wraps(embed)
    def named(self, X, *args, **kwargs):
        embedding, columns = embed(self, X, *args, **kwargs), frames.names_of(X)
        return embedding if columns is None else embedding.over(columns)

    return named


class Estimator(Model):
    """A map from a sample (n, d) to an embedding; an immutable value. kernel=None means Gaussian().

    Its three verbs are `embed`, `select` and `loocv`. What is None is chosen on the sample: first the kernel's
    bandwidth, then the estimator's own parameter at that kernel. `embed` takes n = 1; choosing anything needs n >= 2.

    A subclass that has `embed` works everywhere an estimator is taken; one with a parameter to choose writes `select`
    too, and its `loocv` is n refits until it has a faster way. What else it may say of itself, so that tests and HSIC
    take a faster or a more precise way, or a test has a meaning at all:

    label          how menus and pictures name it; an estimator without one is in no menu
    free           the name of the parameter that a sample chooses where it is None; None for an estimator without one
    equal_weights  whether all points of any sample weigh alike, whatever is chosen; their weight is then `scale` / n
    plain          whether the estimate is the average of the k(x_i, .) and nothing else, KME
    noisy          whether the points carry Gaussian noise, of standard deviation `point_noise`
    ridge          λ where the weights are (K + λI)^(-1) K 1/n, but for what `held` does to them
    target         what it shrinks towards; None is 0

    >>> import numpy as np
    >>> from explorer import KME, Embedding, Estimator, Gaussian
    >>> class Half(Estimator):
    ...     def embed(self, X):
    ...         kernel, X = self._kernel(X)
    ...         return Embedding(kernel, X[::2], np.full(len(X[::2]), 1 / len(X[::2])))
    >>> Half(Gaussian(1.0)).embed([0.0, 1.0, 2.0]) == KME(Gaussian(1.0)).embed([0.0, 2.0])
    True
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "embed" in vars(cls):
            cls.embed = _over_its_columns(cls.embed)

    label = ""
    free = ridge = point_noise = target = None
    equal_weights = plain = noisy = False
    kernel: Kernel | None = Part(class_=Kernel, default=None, allow_None=True, doc="the kernel; None is Gaussian()")

    def embed(self, X: PointsLike) -> Embedding:
        """The estimate of the kernel mean from X (n, d), an Embedding at the points of X."""
        raise NotImplementedError

    def select(self, X: PointsLike) -> Self:
        """This estimator with what was None chosen on X (n, d), n >= 2 where anything is to be chosen."""
        if not self.settled:
            raise Refusal(
                f"{type(self).__name__} does not choose its {self.free}; give {self.free} a value, or write `select`."
            )
        kernel = self._kernel(X)[0]
        return self if kernel is self.kernel else self.replace(kernel=kernel)

    if TYPE_CHECKING:  # where nothing is to choose there are no values to give, and else they have to be given

        def loocv(self, X: PointsLike, *args: Any, **kwargs: Any) -> Any: ...

    else:

        def loocv(self, X: PointsLike, values: Any = None) -> Any:
            """Leave-one-out score (1/n) sum_i |k(x_i, .) - estimate from the others|^2, of the true refits; n >= 2.

            One number for an estimator with nothing to choose, else one for each value (m,) of its free parameter: m n
            refits, on the Gram matrix.
            """
            if self.noisy:
                raise Refusal(
                    f"{type(self).__name__} gives its points noise, which a Gram matrix does not show; write its"
                    " `loocv`."
                )
            K = self._gram(X, 2)[2]
            if self.free is None:
                return float(self._by_refits(K))
            return np.array(
                [self.replace(**{self.free: value})._by_refits(K) for value in np.atleast_1d(values).tolist()]
            )

    def _by_refits(self, K):
        """The leave-one-out score on a Gram matrix (n, n), by n estimates from the others."""
        scores = []
        for i in range(len(K)):
            rest = np.delete(np.arange(len(K)), i)
            others = K[np.ix_(rest, rest)]
            beta = self.on_gram(others)
            scores.append(K[i, i] - 2 * beta @ K[i, rest] + beta @ others @ beta)
        return np.mean(scores)

    @property
    def settled(self) -> bool:
        """Whether a sample has nothing to choose but the kernel's bandwidth."""
        return self.free is None or getattr(self, self.free) is not None

    def scale(self, summary: Any = None) -> float:
        """s where every point weighs s / n: 1, or less under shrinkage. For estimators of equal weights.

        summary: the sample's `Summary`, for an estimator that is not settled.
        """
        return 1.0

    def counted(self, counts: Vector) -> Vector:
        """The weights (n,) of points each of which counts so often, (n,), as of points that are repeated.

        ValueError for an estimator that has other weights for other samples.
        """
        if not self.equal_weights or not self.settled or self.noisy or self.target is not None:
            raise Refusal(
                f"{echo(self)} finds the weights of points in a sample, where rows cannot have weights of their own;"
                " take KME(), or leave weights at None and repeat the rows."
            )
        return self.scale() * counts / counts.sum()

    def constrained(self, beta: Vector) -> Vector:
        """Weights beta (n,) under the estimator's constraint: divided by their sum where that is to be 1."""
        return beta

    def on_gram(self, K: Gram) -> Vector:
        """The weights (n,) of points whose Gram matrix is K (n, n), in their order; what is open is chosen on K."""
        embedding = self.replace(kernel=Precomputed.trusted(K)).embed(np.arange(len(K))[:, None])
        beta = np.zeros(len(K))
        np.add.at(beta, embedding.points[:, 0].astype(int), embedding.weights)
        return beta

    def risk(self, law: Law, n: int) -> float:
        """E |μ̃ - μ|^2 over samples of n points, exactly; ValueError for an estimator that has no such form."""
        raise Refusal(
            f"{type(self).__name__} has no exact risk here; KME, SKMSE, MKME and MMKME have: average losses over"
            " samples."
        )

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
        contrast = kernel.contrast(X)
        return None if contrast is kernel else contrast(X)

    def _fixed_kernel(self):
        """The kernel, for what is computed without a sample."""
        return Gaussian() if self.kernel is None else self.kernel
