"""Base class of the estimators of a kernel mean."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.kernels import Gaussian, Kernel, Precomputed
from explorer.kernels.base import kernel_field
from explorer.model import Model
from explorer.parameters import Part
from explorer.printing import echo
from explorer.public_names.synonyms import ours_by_word, plain
from explorer.types import Gram, PointsLike, Vector

from .choice import least_within

if TYPE_CHECKING:
    from explorer.embeddings.law import Law


def estimator_field(doc: str) -> Any:
    """Return a parameter that takes an estimator of a kernel mean, or None for the empirical one.

    Parameters
    ----------
    doc : str
        The parameter's description.

    Returns
    -------
    Part
        The parameter.
    """
    return Part(class_=Estimator, default=None, allow_None=True, doc=doc)


def _over_its_columns(embed):
    """Return an `embed` whose embedding knows the names of a DataFrame's columns."""

    @functools.wraps(embed)
    def named(self, X, *args, **kwargs):
        embedding, columns = embed(self, X, *args, **kwargs), frames.names_of(X)
        return embedding if columns is None else embedding.over(columns)

    return named


def _weights_of_rows(embedding, n):
    """Return the weights (n,) of an embedding whose points are row numbers of a Gram matrix."""
    beta = np.zeros(n)
    np.add.at(beta, embedding.points[:, 0].astype(int), embedding.weights)
    return beta


class Estimator(Model):
    """Base class of estimators: a map from a sample of shape (n, d) to an embedding; an immutable value.

    Use it as the base of an estimator of your own, and `check_estimator` to check it.

    Its three verbs are `embed`, `select` and `loocv`. Every parameter that is None is chosen on the sample: first the
    kernel's bandwidth, then the estimator's own parameter at that kernel. `embed` takes n = 1; choosing anything needs
    n >= 2.

    A subclass that has `embed` works everywhere an estimator is taken. The parameter that it names in `free` is chosen
    by the least leave-one-out score within its bounds, and that score takes n refits for each value, until the subclass
    has a faster `select` or `loocv`. The class attributes below describe an estimator further: with them, tests and
    HSIC take a faster or a more precise method, and some tests are valid only for estimators that have one of them.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.

    Attributes
    ----------
    label : str
        Name in menus and pictures. An estimator without one is in no menu.
    free : str or None
        Name of the parameter that a sample chooses if it is None. None for an estimator without such a parameter.
    equal_weights : bool
        Whether all points of any sample have the same weight, whatever is chosen. The weight is then ``scale / n``.
    plain : bool
        Whether the estimate is the average of the k(x_i, .) and nothing else, that is, KME.
    noisy : bool
        Whether the points carry Gaussian noise, of standard deviation `point_noise`.
    point_noise : float or None
        Standard deviation of that noise.
    ridge : float or None
        λ if the weights are (K + λI)^(-1) K 1/n before `constrained` is applied.
    target : Embedding or None
        The embedding towards which the estimate is shrunk; None is 0.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Embedding, Estimator, Gaussian
    >>> from explorer.parameters import Real
    >>> class Kept(Estimator):
    ...     free = "share"
    ...     share: float | None = Real(default=None, bounds=(0, 1), allow_None=True, doc="the share that is kept")
    ...     def embed(self, X):
    ...         chosen = self.select(X)
    ...         kernel, X = chosen._kernel(X)
    ...         return Embedding(kernel, X, np.full(len(X), chosen.share / len(X)))
    >>> Kept(Gaussian(1.0), share=0.6).embed([0.0, 1.0, 4.0]).weights
    array([0.2, 0.2, 0.2])
    >>> round(Kept(Gaussian(1.0)).select([0.0, 1.0, 4.0]).share, 4)
    0.3416
    """

    if not TYPE_CHECKING:  # a type checker refuses unknown names by itself

        def __getattr__(self, name):
            ours = ours_by_word("of_estimators").get(plain(name))
            advice = f"; {type(self).__name__}(...).{ours}" if ours else ""
            raise AttributeError(f"{type(self).__name__} has no {name}{advice}.", name=name, obj=self)

    def __init_subclass__(cls, **options: Any) -> None:
        """Wrap a subclass's own `embed` so that its embedding knows the columns of a DataFrame."""
        super().__init_subclass__(**options)
        if "embed" in vars(cls):
            cls.embed = _over_its_columns(cls.embed)

    label = ""
    free = ridge = point_noise = target = None
    equal_weights = plain = noisy = False
    kernel: Kernel | None = kernel_field()

    def embed(self, X: PointsLike) -> Embedding:
        """Return the estimate of the kernel mean, an Embedding at the points of X.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample.

        Returns
        -------
        Embedding
            The estimate.
        """
        raise NotImplementedError(f"{type(self).__name__} has no embed(X); write one that returns an Embedding.")

    def select(self, X: PointsLike) -> Self:
        """Return this estimator with every parameter that is None chosen on the sample.

        The parameter that is `free` gets the value of least `loocv` within its soft bounds, or its bounds if it has no
        soft ones.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample; n >= 2 if there is anything to choose.

        Returns
        -------
        Estimator
            The estimator with its chosen parameters.

        Raises
        ------
        Refusal
            If the open parameter has no bounds.
        """
        kernel = self._kernel(X)[0] if self.settled else self._gram(X, 2)[0]
        chosen = self if kernel is self.kernel else self.replace(kernel=kernel)
        if self.free is None or self.settled:
            return chosen
        best = least_within(lambda value: chosen.loocv(X, [value])[0], type(self).fields[self.free])
        return chosen.replace(**{self.free: best})

    if TYPE_CHECKING:  # `values` has to be given if there is a parameter to choose, and cannot be given otherwise

        def loocv(self, X: PointsLike, *args: Any, **kwargs: Any) -> Any: ...

    else:

        def loocv(self, X: PointsLike, values: Any = None) -> Any:
            """Return the leave-one-out score of true refits, one number or one for each value of the free parameter.

            It is (1/n) sum_i |k(x_i, .) - estimate from the others|^2, by n refits for each value.

            Parameters
            ----------
            X : array_like of shape (n, d)
                The sample, n >= 2.
            values : array_like of shape (m,), optional
                Values of the free parameter, for an estimator that has one.

            Returns
            -------
            float or ndarray of shape (m,)
                The score, or the score at each value.

            Raises
            ------
            Refusal
                If the estimator gives its points noise, which a Gram matrix does not show.
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
        """Return the leave-one-out score on a Gram matrix (n, n), by n estimates from the other points."""
        scores, made = [], self.replace(kernel=Precomputed.trusted(K))
        for i in range(len(K)):
            rest = np.delete(np.arange(len(K)), i)
            beta = _weights_of_rows(made.embed(rest[:, None]), len(K))[rest]
            scores.append(K[i, i] - 2 * beta @ K[i, rest] + beta @ K[np.ix_(rest, rest)] @ beta)
        return np.mean(scores)

    @property
    def settled(self) -> bool:
        """True if no parameter of the estimator is left to choose on a sample, except the kernel's bandwidth."""
        return self.free is None or getattr(self, self.free) is not None

    def scale(self, summary: Any = None) -> float:
        """Return s if every point has the weight s / n: 1, or less under shrinkage. For estimators of equal weights.

        Parameters
        ----------
        summary : Summary, optional
            The sample's `Summary`, needed only if a parameter such as λ is still to be chosen (see `settled`).

        Returns
        -------
        float
            The factor s.
        """
        return 1.0

    def counted(self, counts: Vector) -> Vector:
        """Return the weights of points that count several times, as if they were repeated.

        Parameters
        ----------
        counts : array_like of shape (n,)
            The number of times that each point counts.

        Returns
        -------
        ndarray of shape (n,)
            The weight of each point.

        Raises
        ------
        Refusal
            If the weights of the estimator depend on the sample.
        """
        if not self.equal_weights or not self.settled or self.noisy or self.target is not None:
            raise Refusal(
                f"{echo(self)} finds the weights of points in a sample, where rows cannot have weights of their own;"
                " take KME(), or leave weights at None and repeat the rows."
            )
        return self.scale() * counts / counts.sum()

    def constrained(self, beta: Vector) -> Vector:
        """Return weights under the estimator's constraint: divided by their sum if that has to be 1.

        Parameters
        ----------
        beta : ndarray of shape (n,)
            The free weights.

        Returns
        -------
        ndarray of shape (n,)
            The weights under the constraint.
        """
        return beta

    def on_gram(self, K: Gram) -> Vector:
        """Return the weights of points that are given by their Gram matrix; open parameters are chosen on it.

        Parameters
        ----------
        K : ndarray of shape (n, n)
            The Gram matrix.

        Returns
        -------
        ndarray of shape (n,)
            The weights, in the order of the points.
        """
        made = self.replace(kernel=Precomputed.trusted(K))
        return _weights_of_rows(made.embed(np.arange(len(K))[:, None]), len(K))

    def risk(self, law: Law, n: int) -> float:
        """Return the exact expected loss E |μ̃ - μ|^2 over samples of n points.

        Parameters
        ----------
        law : Law
            The true distribution.
        n : int
            The number of points.

        Returns
        -------
        float
            The risk, in squared units of k.

        Raises
        ------
        Refusal
            If the estimator has no exact form of its risk.
        """
        raise Refusal(
            f"{type(self).__name__} has no exact risk here; KME, SKMSE, MKME and MMKME have: average losses over"
            " samples."
        )

    def _kernel(self, X):
        """Return the chosen kernel and the checked points."""
        kernel = Gaussian() if self.kernel is None else self.kernel
        X = kernel.points(X)
        return kernel.select(X), X

    def _gram(self, X, at_least=1):
        """Return the chosen kernel, the checked points and their Gram matrix."""
        kernel, X = self._kernel(X)
        checks.rows(X, f"X, for the leave-one-out score of {type(self).__name__},", at_least)
        return kernel, X, kernel(X)

    @staticmethod
    def _contrast(kernel, X):
        """Return the Gram matrix of `Kernel.contrast`, or None if that is the kernel's own."""
        contrast = kernel.contrast(X)
        return None if contrast is kernel else contrast(X)

    def _fixed_kernel(self):
        """Return the kernel, for computations without a sample."""
        return Gaussian() if self.kernel is None else self.kernel
