"""The covariance operator of a sample, and tensors of higher order, as embeddings that any estimator gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.embeddings.forms import contrast_of
from explorer.estimators import KME, Estimator
from explorer.estimators.base import estimator_field
from explorer.frames import names_of
from explorer.kernels import Gaussian, Kernel, Precomputed
from explorer.kernels.bandwidth_selection import select
from explorer.kernels.base import POINT_MASSES, kernel_field
from explorer.learner import Learner
from explorer.parameters import Whole
from explorer.types import Points, PointsLike, Vector, VectorLike

from .centring import Centre, CentredKernel
from .principal import Principal


def common_kernel(kernel: Kernel | None, **estimators: Estimator | None) -> Kernel:
    """Return the given kernel, or that of an estimator, or Gaussian().

    Raises
    ------
    Refusal
        If two of the kernels differ.
    """
    given = {name: each.kernel for name, each in estimators.items() if each is not None and each.kernel is not None}
    if kernel is not None:
        given = {"kernel": kernel, **given}
    if not given:
        return Gaussian()
    first = next(iter(given))
    for name, other in given.items():
        if other != given[first]:
            raise Refusal(
                f"{first} has {checks.echo(given[first])} and {name} has {checks.echo(other)}; leave the estimator's"
                " kernel at None, or give all of them the same."
            )
    return given[first]


def prepare_points(
    kernel: Kernel, X: PointsLike, weights: VectorLike | None = None
) -> tuple[Points, Kernel, Vector | None]:
    """Return the points that the kernel takes, the kernel chosen on them, and the points' counts (n,) or None.

    Points that count 0 times are left out.

    Raises
    ------
    Refusal
        If there is one point only, or all points are equal.
    """
    names, X, counts = names_of(X), kernel.points(X), None
    if weights is not None:
        counts = checks.counts(weights, len(X))
        X, counts = X[counts > 0], counts[counts > 0]
    if len(X) == 1:
        raise Refusal("X has 1 row, and a covariance operator needs at least 2 points that differ.")
    if (X == X[0]).all():
        raise Refusal(f"all {len(X)} points of X are equal, so their covariance operator is 0; give points that vary.")
    checks.warn_of_lost_digits(X, "X", names)
    X = checks.read_only(X)  # a copy, so that later changes of the caller's array do not reach a learner
    return X, select(kernel, X, "points", counts), counts


class CovarianceOperator(Learner):
    """Covariance operator C = Σ_i β_i φ~(x_i) ⊗ φ~(x_i) with φ~ = k(x, .) - m, or a tensor of another order.

    Use it to compare the second moments of samples in the RKHS, by distances. For directions of variation use
    `KernelPCA`, and for two variables `CrossCovariance`.

    The weights β and the centre m are those of any estimators.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel k; None is ``Gaussian()``, or that of an estimator.
    estimator : Estimator or None, default None
        Estimator of the mean of the tensors, which gives β; None is KME(). FKMSE's λ is in units of k^p. It takes point
        masses only, and no target.
    centering : Estimator or None, default None
        Estimator of the kernel mean m; None is KME(). SKMSE(lam=inf) has m = 0: the uncentred second moment.
        Marginalized estimators and targets are allowed, too.
    order : int, default 2
        The power p: 1 for Σ β_i φ~(x_i), 3 for third moments, and so on.

    Attributes
    ----------
    kernel_ : Kernel
        The chosen kernel.
    X_ : ndarray of shape (n, d)
        The points.
    centre_ : Embedding
        m.
    estimator_ : Estimator or None
        The estimator with its λ chosen.
    weights_ : ndarray of shape (n,)
        β.
    embedding_ : Embedding
        C as an Embedding, under a CentredKernel.

    Notes
    -----
    C is the kernel mean of the tensors φ~(x_i)^⊗p, p = 2. `estimator` uses them by their Gram matrix K_c ∘ K_c, where
    K_c has the entries <φ~(x_i), φ~(x_j)>. The empirical operator has β = 1/n and m = μ̂. With SKMSE() and FKMSE() it
    is S-COSE and F-COSE, the covariance operator shrinkage estimators of [muandet2016shrinkage], section 3.2 and
    appendix E; their λ are chosen by the leave-one-out score of these tensors. S-COSE is a multiple of the empirical
    operator, with the same eigenfunctions (erratum 32).

    Inner products, norms and distances are Hilbert-Schmidt, for tensors of any p, in units of k^p.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import CovarianceOperator, Linear
    >>> X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0]])
    >>> C = CovarianceOperator(Linear()).fit(X)
    >>> round(C.norm() ** 2, 4)  # of the matrix of covariances, diag(0.5, 2)
    4.25
    >>> C.form(lambda x: x[:, 1], lambda x: x[:, 1])
    2.0
    """

    kernel: Kernel | None = kernel_field()
    estimator: Estimator | None = estimator_field("estimates the mean of the tensors; None is the average")
    centering: Estimator | None = estimator_field("estimates the centre of the features; None is their average")
    order: int = Whole(default=2, bounds=(1, None), symbol="p", doc="how many features are multiplied")

    def fit(self, X: PointsLike, y: Any = None, weights: VectorLike | None = None) -> Self:
        """Learn from points, in O(n²) plus the time of the estimators.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points, n >= 2.
        y : object, optional
            Ignored.
        weights : array_like of shape (n,), optional
            The number of times that each row counts. Whole numbers act as repeated rows, and a row of weight 0 is left
            out. They are for averages only: other estimators find their weights themselves.

        Returns
        -------
        CovarianceOperator
            The fitted learner itself.

        Raises
        ------
        Refusal
            If the points are equal, or an estimator does not go with the kernel or with weights.
        """
        X, kernel, centre, counts = self._centred(X, weights)
        tensors, estimator = CentredKernel(kernel, centre, self.order), self.estimator
        weights = np.full(len(X), 1 / len(X))
        if counts is not None:
            weights = (estimator or KME()).counted(counts)
        elif estimator is not None and not estimator.plain:
            H = tensors(X)
            chosen = _on(estimator, H).select(_rows(H))
            estimator, weights = chosen.replace(kernel=estimator.kernel), chosen.on_gram(H)
        # All attributes are set at the end, so that a refusal leaves those of an earlier fit unchanged.
        self.X_ = X
        self.kernel_: Kernel = kernel
        self.centre_: Embedding = centre
        self.estimator_: Estimator | None = estimator
        self.weights_: Vector = checks.read_only(weights)
        self.embedding_: Embedding = Embedding(tensors, X, self.weights_)
        return self

    def loocv(self, X: PointsLike, values: VectorLike | None = None) -> Vector:
        """Return the estimator's own leave-one-out score on the tensors of X, in units of k^p.

        The centre stays that of all points.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points.
        values : array_like of shape (m,), optional
            Values of the estimator's parameter; None for an estimator without one.

        Returns
        -------
        float or ndarray of shape (m,)
            The score, or the score at each value.
        """
        X, kernel, centre, _ = self._centred(X)
        H = CentredKernel(kernel, centre, self.order)(X)
        estimator: Any = _on(KME() if self.estimator is None else self.estimator, H)
        return estimator.loocv(_rows(H)) if values is None else estimator.loocv(_rows(H), values)

    def inner(self, other: CovarianceOperator) -> float:
        """Return <C, D> = Σ_ij β_i γ_j <φ~(x_i), ψ~(y_j)>^p of two operators under one kernel.

        Each operator has its own centre.

        Parameters
        ----------
        other : CovarianceOperator
            The operator D.

        Returns
        -------
        float
            The inner product.
        """
        mine, theirs = self._fitted(), self._like(other)
        blocks = (*mine.centre_.blocks, *theirs.centre_.blocks)
        contrast = contrast_of(mine.kernel_, blocks)
        m, l = (Centre(each.centre_, contrast) for each in (mine, theirs))
        return float(mine.weights_ @ m.between(mine.X_, l, theirs.X_) ** self.order @ theirs.weights_)

    def norm(self) -> float:
        """Return the Hilbert-Schmidt norm |C|.

        Returns
        -------
        float
            The norm.
        """
        return self._fitted().embedding_.norm()

    def distance(self, other: CovarianceOperator) -> float:
        """Return |C - D|, not squared; if the centres differ it is rounding below 1e-8 of the norms.

        Parameters
        ----------
        other : CovarianceOperator
            The operator D.

        Returns
        -------
        float
            The distance.
        """
        mine, theirs = self._fitted(), self._like(other)
        if mine.embedding_.kernel == theirs.embedding_.kernel:
            return mine.embedding_.distance(theirs.embedding_)
        return math.sqrt(max(mine.norm() ** 2 - 2 * mine.inner(theirs) + theirs.norm() ** 2, 0.0))

    def form(self, *functions: Callable[..., Any]) -> float:
        """Return <f_1 ⊗ ... ⊗ f_p, C> = Σ_i β_i f~_1(x_i) ... f~_p(x_i), for p = 2 <f_1, C f_2>.

        Here f~ = f - <f, m>.

        Parameters
        ----------
        *functions : Embedding or callable
            The p functions, each an Embedding under the kernel, or any function of points (n, d) that returns (n,)
            values. It need not lie in the RKHS, but then the centre must not have Gaussian points.

        Returns
        -------
        float
            The value of the form.
        """
        fitted = self._fitted()
        if len(functions) != self.order:
            raise Refusal(f"{len(functions)} functions are given, and tensors of order {self.order} take as many.")
        return float(fitted.weights_ @ np.prod([fitted._less_centre(f) for f in functions], axis=0))

    def principal(self, n_components: int) -> Principal:
        """Return the leading eigenvalues above 0 and unit eigenfunctions v_k = Σ_i a_ik φ~(x_i), for order 2.

        Parameters
        ----------
        n_components : int
            The most eigenvalues. Those below 1e-12 of the largest, or rounding, are left out.

        Returns
        -------
        Principal
            The eigenvalues and the coefficients of the eigenfunctions.
        """
        fitted, most = self._fitted(), checks.whole(n_components, "n_components", 1)
        if self.order != 2:
            raise Refusal(f"tensors of order {self.order} are no operators and have no eigenfunctions; take order=2.")
        centre = Centre(fitted.centre_)
        # An entry of a Gram matrix is a sum of a few terms, each rounded to eps of its size.
        rounding = 4 * len(fitted.X_) * np.finfo(float).eps
        if fitted.kernel_.finite_rank:
            F = centre.features(fitted.X_)
            return Principal.of_features(F, fitted.weights_, most, rounding * centre.size(F))
        K, size = centre.gram(fitted.X_)
        return Principal.of(K, fitted.weights_, most, rounding * size)

    def trace(self) -> float:
        """Return Σ_i β_i |φ~(x_i)|^p, for p = 2 the trace of the operator: the sum of all of its eigenvalues.

        Returns
        -------
        float
            The trace.
        """
        fitted = self._fitted()
        squares = Centre(fitted.centre_).diagonal(fitted.X_)
        return float(fitted.weights_ @ squares ** (self.order / 2))

    def _centred(self, X, weights=None):
        """Return the checked points, the kernel chosen on them, the centre of their features, and their counts."""
        kernel, names = common_kernel(self.kernel, centering=self.centering, estimator=self.estimator), names_of(X)
        _refuse_estimator(self.estimator)
        X, kernel, counts = prepare_points(kernel, X, weights)
        centering = (KME() if self.centering is None else self.centering).replace(kernel=kernel)
        centre = centering.embed(X) if counts is None else Embedding(kernel, X, centering.counted(counts))
        if centre.kernel != kernel:
            raise Refusal(
                f"{checks.echo(self.centering)} embeds under {checks.echo(centre.kernel)}, which is another kernel"
                f" than {checks.echo(kernel)}; give kernel=low_rank(...) itself to all, or another centering."
            )
        return X, kernel, centre.over(names), counts

    def _like(self, other):
        """Return another operator, checked to be comparable with this one."""
        if not isinstance(other, CovarianceOperator):
            raise checks.WrongType(f"a CovarianceOperator is needed, not {checks.echo(other)}; fit one first.")
        theirs, mine = other._fitted(), self._fitted()
        if theirs.kernel_ != mine.kernel_ or theirs.order != mine.order:
            raise Refusal(
                f"one operator is of order {mine.order} under {checks.echo(mine.kernel_)}, the other of order"
                f" {theirs.order} under {checks.echo(theirs.kernel_)}; give both the same, as by"
                " k = k.select(np.concatenate([X, Y]))."
            )
        checks.same_dimension(mine.X_, theirs.X_, ("one sample", "the other"))
        return theirs

    def _less_centre(self, f):
        """Return f(x_i) - <f, m>, (n,)."""
        if isinstance(f, Embedding):
            return f(self.X_) - f.inner(self.centre_)
        if not callable(f):
            raise checks.WrongType(f"a function of points or an Embedding is needed, not {checks.echo(f)}.")
        if self.centre_.covariance is not None:
            raise Refusal(
                "the centre has Gaussian points, and a plain function has no mean over these; give an Embedding."
            )
        at, centre = (_values(f, points) for points in (self.X_, self.centre_.points))
        return at - self.centre_.weights @ centre

    def _sentence(self):
        if not hasattr(self, "weights_"):
            return super()._sentence()
        return f"The covariance operator of {len(self.X_)} points by {checks.echo(self)}."


def _on(estimator, H):
    """Return the estimator of tensors whose Gram matrix is H."""
    return estimator.replace(kernel=Precomputed.trusted(H))


def _rows(H):
    """Return the row numbers of a Gram matrix as points."""
    return np.arange(len(H))[:, None]


def _values(f, points):
    """Return the checked values of a function at points."""
    values = checks.numbers(f(points), "the function's values")
    if values.shape != (len(points),):
        raise Refusal(f"the function gives values of shape {values.shape} at {len(points)} points; one each is needed.")
    return values


def _refuse_estimator(estimator):
    """Refuse an estimator of tensors that has Gaussian points, or a target among points."""
    if estimator is None:
        return
    if estimator.noisy and not (estimator.point_noise is not None and not np.any(estimator.point_noise)):
        raise Refusal(
            f"{checks.echo(estimator)} gives points Gaussian noise, and the tensors of an operator take point masses"
            f" only; take {POINT_MASSES}, or a marginalized one for the centering."
        )
    if estimator.target is not None:
        raise Refusal(
            f"{type(estimator).__name__}'s target is no operator, which is what operators are shrunk towards; leave it"
            " at None, which is 0."
        )
