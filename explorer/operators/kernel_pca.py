"""Kernel principal component analysis, with any estimator of the centre and of the covariance."""

from __future__ import annotations

from typing import Any, Literal, Self, TypeAlias

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.embeddings.scaled_gaussians import TILE
from explorer.estimators import Estimator
from explorer.estimators.base import estimator_field
from explorer.kernels import Delta, Kernel, Precomputed
from explorer.kernels.base import kernel_field
from explorer.learner import Transformer
from explorer.parameters import Whole
from explorer.printing import plural
from explorer.svg import inline_pictures
from explorer.types import Gram, Matrix, MatrixLike, Points, PointsLike, Vector, VectorLike

from .centring import Centre
from .covariance import CovarianceOperator, common_kernel
from .pre_image import nearest_points
from .principal import fix_signs
from .score_regression import ScoreRegression

PreImage: TypeAlias = Literal["fixed-point", "regression"]


class KernelPCA(Transformer):
    """Principal components of φ~(x) = k(x, .) - m in the RKHS (kernel PCA).

    Use it to find the directions in which data vary, along curves too, to remove noise, and to draw many columns in
    two. If classes are known use `KernelFDA`.

    They are the v_k with C v_k = d_k v_k for the covariance operator C = Σ_i β_i φ~(x_i) ⊗ φ~(x_i).

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``, or that of an estimator. An automatic bandwidth is the median heuristic.
    n_components : int or None, default 20
        The most components; None is all. If fewer eigenvalues are above 0, all of these are taken, with a warning.
    centering : Estimator or None, default None
        Any estimator of a kernel mean, which gives the centre m; None is KME(). SKMSE() and FKMSE() are shrinkage
        centring; SKMSE(lam=inf) does not centre.
    covariance : Estimator or None, default None
        Any estimator without noise and target, which gives the weights β; None is KME(). It acts on K_c ∘ K_c, where
        K_c is the centred Gram matrix, so FKMSE's λ is in units of k². Negative weights are allowed; eigenvalues above
        0 are used.

    Attributes
    ----------
    kernel_ : Kernel
        The chosen kernel.
    X_ : ndarray of shape (n, d)
        The points.
    centre_ : Embedding
        m.
    weights_ : ndarray of shape (n,)
        β.
    eigenvalues_ : ndarray of shape (r,)
        d_1 >= d_2 >= ... > 0, the eigenvalues of C in units of k: those of K_c over n if β = 1/n.
    explained_variance_ratio_ : ndarray of shape (r,)
        d_k over the trace of C, Σ β_i |φ~(x_i)|²: the share of all variance, not only of that of the r components.
    components_ : ndarray of shape (n, r)
        v_k = Σ_i components_[i, k] φ~(x_i), of norm 1, the largest entry of each above 0.
    operator_ : CovarianceOperator
        C.

    Notes
    -----
    m is μ̂ if `centering` is None, and β is 1/n if `covariance` is None, see `CovarianceOperator`. S-COSE,
    covariance=SKMSE(), has exactly the plain components: the printed gain of Figure 3 cannot be (erratum 32).

    Eigenvalues below 1e-12 of the largest, or rounding, count as 0. A few components of many points cost O(n² r), see
    `leading`; otherwise, and if weights are negative, the cost is O(n³). Beyond some 10,000 points take
    kernel=low_rank(kernel, X) of rank q: nothing of size (n, n) is made, and the cost is O(n q²).

    References
    ----------
    Schölkopf, Smola, Müller 1998 (Neural Comput. 10, 1299); with shrinkage, Muandet et al. 2016, Kernel Mean Shrinkage
    Estimators ([muandet2016shrinkage]), section 4.2.2 and appendices D and E.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import KernelPCA, Linear
    >>> X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0]])
    >>> pca = KernelPCA(Linear(), n_components=1).fit(X)
    >>> pca.eigenvalues_
    array([2.])
    >>> np.abs(pca.transform([[5.0, 3.0]])).round(6), pca.reconstruction_error([[5.0, 3.0]]).round(6)
    (array([[3.]]), array([25.]))
    """

    kernel: Kernel | None = kernel_field()
    n_components: int | None = Whole(
        default=20,
        bounds=(1, None),
        softbounds=(1, 50),
        allow_None=True,
        symbol="r",
        doc="how many components are kept at most; None is all",
    )
    centering: Estimator | None = estimator_field("estimates the centre of the features; None is their average")
    covariance: Estimator | None = estimator_field("estimates the covariance operator; None is the average")

    def fit(self, X: PointsLike, y: Any = None, weights: VectorLike | None = None) -> Self:
        """Learn from points.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points, n >= 2.
        y : object, optional
            Ignored.
        weights : array_like of shape (n,), optional
            The number of times that each row counts, for averages. Whole numbers act as repeated rows; rows of weight 0
            are left out.

        Returns
        -------
        KernelPCA
            The fitted learner itself.

        Raises
        ------
        Refusal
            If there is one point, all points are equal, or the covariance is 0.
        """
        kernel = common_kernel(self.kernel, centering=self.centering, covariance=self.covariance)
        operator = CovarianceOperator(kernel, self.covariance, self.centering).fit(X, weights=weights)
        eigenvalues, components = operator.principal(self.n_components or len(operator.X_))
        if not len(eigenvalues):
            raise Refusal(
                f"{checks.echo(self)} finds no eigenvalue above 0: under {checks.echo(operator.kernel_)} these points"
                " do not vary, or the weights of the covariance are 0; take another bandwidth, or shrink less."
            )
        if self.n_components is not None and len(eigenvalues) < self.n_components:
            checks.warn(
                f"n_components={self.n_components}, and the rank of the covariance operator of these"
                f" {len(operator.X_)} points is {len(eigenvalues)}: as many components were taken."
            )
        if weights is not None:
            components = fix_signs(components, operator.weights_)
        self.operator_: CovarianceOperator = operator
        self.kernel_: Kernel = operator.kernel_
        self.X_ = operator.X_
        self.centre_: Embedding = operator.centre_
        self.weights_: Vector = operator.weights_
        self.eigenvalues_: Vector = checks.read_only(eigenvalues)
        self.components_: Matrix = checks.read_only(components)
        self.explained_variance_ratio_: Vector = checks.read_only(eigenvalues / operator.trace())
        self.flat_: bool = checks.flat(X)
        if self.kernel_.finite_rank:  # components in coordinates give scores without pairs of points
            self.directions_: Matrix = checks.read_only(Centre(self.centre_).features(self.X_).T @ components)
        return self

    def fit_transform(self, X: PointsLike, y: Any = None, weights: VectorLike | None = None) -> Gram:
        """Fit, and return the scores of the same points.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points.
        y : object, optional
            Ignored.
        weights : array_like of shape (n,), optional
            The number of times that each row counts, as for `fit`.

        Returns
        -------
        ndarray of shape (n, r)
            The scores.
        """
        return self.fit(X, weights=weights).transform(X)

    def transform(self, Z: PointsLike) -> Gram:
        """Return the scores <k(z_j, .) - m, v_k> of points.

        Parameters
        ----------
        Z : array_like of shape (m, d)
            The points.

        Returns
        -------
        ndarray of shape (m, r)
            The scores.
        """
        fitted = self._fitted()
        return fitted._projected(fitted._rows(Z))

    def _projected(self, Z):
        """Return the scores of checked points."""
        centre = Centre(self.centre_)
        if self.kernel_.finite_rank:
            return centre.features(Z) @ self.directions_
        tile = max(1, TILE // len(self.X_))
        parts = (Z[i : i + tile] for i in range(0, len(Z), tile))
        return np.concatenate([centre.between(part, centre, self.X_) @ self.components_ for part in parts])

    @property
    def _n_outputs(self):
        return len(self.eigenvalues_)

    def reconstruction_error(self, Z: PointsLike) -> Vector:
        """Return the squared RKHS distance of k(z_j, .) from its projection on the components.

        The projection is on the affine span of the components through the centre. The distance is |φ~(z_j)|² minus the
        squares of the point's scores.

        Parameters
        ----------
        Z : array_like of shape (m, d)
            The points.

        Returns
        -------
        ndarray of shape (m,)
            The squared distances.
        """
        Z = self._fitted()._rows(Z)
        # A square is never below 0, but its difference may be by rounding.
        return np.maximum(Centre(self.centre_).diagonal(Z) - (self._projected(Z) ** 2).sum(axis=1), 0.0)

    def component(self, k: int = 0) -> Embedding:
        """Return the component v_k itself, an Embedding of norm 1.

        Parameters
        ----------
        k : int, default 0
            The index of the component.

        Returns
        -------
        Embedding
            The component.
        """
        fitted, r = self._fitted(), len(self.eigenvalues_)
        if checks.whole(k, "k") >= r:
            raise Refusal(f"k must be below {r}, the number of components, not {k}.")
        return fitted._combined(fitted.components_[:, k], 0.0)

    def reconstruction(self, scores: MatrixLike) -> Embedding:
        """Return m + Σ_k s_k v_k for one row of scores.

        Parameters
        ----------
        scores : array_like of shape (r,) or (1, r)
            The scores.

        Returns
        -------
        Embedding
            The reconstruction.
        """
        fitted = self._fitted()
        rows = fitted._scores(np.atleast_2d(checks.numbers(scores, "scores")))
        if len(rows) != 1:
            raise Refusal(f"scores has {plural(len(rows), 'row')}, and one is asked for here.")
        return fitted._combined(fitted.components_ @ rows[0], 1.0)

    def pre_image(
        self, Z: PointsLike | None = None, scores: MatrixLike | None = None, method: PreImage = "fixed-point"
    ) -> Points:
        """Return the points x whose k(x, .) is nearest to m + Σ_k s_k v_k, for the scores of Z or given scores.

        This denoises if the components are the signal.

        Parameters
        ----------
        Z : array_like of shape (m, d), optional
            Points whose scores are taken.
        scores : array_like of shape (m, r), optional
            The scores.
        method : {"fixed-point", "regression"}, default "fixed-point"
            "fixed-point" is for a Gaussian kernel: x = Σ w_i x_i k(x_i, x) / Σ w_i k(x_i, x) is iterated (Mika,
            Schölkopf, Smola, Müller, Scholz and Rätsch 1999) with steps that only rise. It has several starts, among
            them the nearest points of the sample; the result is the best x, at least as near as all of these.
            "regression" is for any kernel on numbers: kernel ridge regression of the sample's points on their scores,
            with λ by leave-one-out (Bakır, Weston, Schölkopf 2004). If a few scores determine the points, it returns
            them with their noise.

        Returns
        -------
        ndarray of shape (m, d)
            The points, or (m,) if `fit` had X as (n,).

        Raises
        ------
        Refusal
            If the method does not take the kernel, or not exactly one of Z and scores is given.

        Notes
        -----
        With a = Σ s_k v_k = Σ a_i φ~(x_i) the function is Σ a_i k(x_i, .) + (1 - Σ a) m.

        References
        ----------
        Mika, Schölkopf, Smola, Müller, Scholz and Rätsch 1999, Adv. Neural Inf. Process. Syst. 11. Bakır, Weston,
        Schölkopf 2004, Adv. Neural Inf. Process. Syst. 16.
        """
        fitted = self._fitted()
        if (Z is None) == (scores is None):
            raise Refusal("pre_image takes points Z or scores=S, one of them and not both.")
        if method not in ("fixed-point", "regression"):
            raise Refusal(f"method must be 'fixed-point' or 'regression', not {checks.echo(method)}.")
        if self.X_.dtype.kind not in "iuf" or isinstance(self.kernel_, (Delta, Precomputed)):
            raise Refusal(
                f"{checks.echo(self.kernel_)} compares {self.kernel_.space}, so there are no points between those of"
                " the sample; take a kernel on numbers."
            )
        starts = None if Z is None else fitted._rows(Z)
        S = fitted._scores(scores) if starts is None else fitted._projected(starts)
        if method == "regression":
            x = ScoreRegression.of(fitted._projected(fitted.X_), fitted.X_).predict(S)
        else:
            x = nearest_points(fitted.kernel_, fitted.X_, fitted.centre_, S @ fitted.components_.T, starts)
        return x[:, 0] if fitted.flat_ else x

    def _combined(self, a, whole):
        """Return Σ a_i k(x_i, .) + (whole - Σ a) m."""
        combined = Embedding(self.kernel_, self.X_, a) + (whole - float(a.sum())) * self.centre_
        return combined.over(self._names())

    def _rows(self, Z):
        """Return checked points with the sample's number of columns."""
        Z = self.kernel_.points(Z, "Z")
        checks.same_dimension(Z, self.X_, ("Z", "the sample"))
        return Z

    def _scores(self, S):
        """Return checked scores, one column for each component."""
        S, r = checks.sample(S, "scores"), len(self.eigenvalues_)
        if S.shape[1] != r:
            raise Refusal(
                f"scores has {plural(S.shape[1], 'column')}; give one for each of the {r} components, as rows (m, {r})."
            )
        return S

    def _sentence(self):
        if not hasattr(self, "eigenvalues_"):
            return super()._sentence()
        return f"The eigenvalues of {checks.echo(self)}, of n = {len(self.X_)} points."

    def _picture(self):
        if not hasattr(self, "eigenvalues_"):
            return super()._picture()
        return inline_pictures.bars(self.eigenvalues_, self._sentence())
