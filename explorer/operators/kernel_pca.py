"""Kernel principal component analysis, with any estimator of the centre and of the covariance."""

from __future__ import annotations

from typing import Any, Literal, Self, TypeAlias

import numpy as np

from explorer import checks, inline_pictures
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.embeddings.scaled_gaussians import TILE
from explorer.estimators import Estimator
from explorer.kernels import Delta, Kernel, Precomputed
from explorer.learner import Transformer
from explorer.parameters import Part, Whole
from explorer.types import Gram, Matrix, MatrixLike, Points, PointsLike, Vector, VectorLike

from .centring import Centre
from .covariance import CovarianceOperator, common_kernel, estimator_field
from .pre_image import nearest_points
from .principal import turned
from .score_regression import ScoreRegression

PreImage: TypeAlias = Literal["fixed-point", "regression"]


class KernelPCA(Transformer):
    """Principal components of φ~(x) = k(x, .) - m in the RKHS: v_k with C v_k = d_k v_k, C = Σ_i β_i φ~(x_i) ⊗ φ~(x_i).

    m is the centre, μ̂ where `centering` is None, and β the weights of the covariance operator, 1/n where `covariance`
    is None: a `CovarianceOperator`. Schölkopf, Smola, Müller 1998 (Neural Comput. 10, 1299); with shrinkage, paper 002,
    section 4.2.2 and appendices D and E. S-COSE, covariance=SKMSE(), has exactly the plain components: the printed gain
    of Figure 3 cannot be (erratum 32).

    kernel        None is Gaussian(), or that of an estimator; an automatic bandwidth is the median heuristic
    n_components  at most so many; with fewer eigenvalues above 0 as many as there are, and our warning. None is all
    centering     any estimator of a kernel mean, None is KME(). SKMSE() and FKMSE() are shrinkage centring;
                  SKMSE(lam=inf) does not centre
    covariance    any estimator without noise and target, None is KME(); it acts on K_c ∘ K_c, K_c the centred Gram
                  matrix, so FKMSE's λ is in units of k². Negative weights are kept, of the eigenvalues those above 0

    `fit` learns, n the number of points and r that of the components:
    kernel_, X_            the chosen kernel, and the points
    centre_                m, an Embedding
    weights_ (n,)          β
    eigenvalues_ (r,)      d_1 >= d_2 >= ... > 0, of C, in units of k: those of K_c over n where β = 1/n
    explained_variance_ratio_ (r,)  d_k over the trace of C, Σ β_i |φ~(x_i)|²: the share of the variance, of all
                           there is and not of the r components alone
    components_ (n, r)     v_k = Σ_i components_[i, k] φ~(x_i), of norm 1, the largest entry of each above 0
    operator_              C

    Eigenvalues that are 1e-12 of the largest, or rounding, count as 0. O(n² r) of many points for few components, see
    `leading`; O(n³) else, and where weights are negative. Beyond some 10,000 points take a kernel=low_rank(kernel, X)
    of rank q, of which nothing of size (n, n) is made: O(n q²).

    >>> import numpy as np
    >>> from explorer import KernelPCA, Linear
    >>> X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0]])
    >>> pca = KernelPCA(Linear(), n_components=1).fit(X)
    >>> pca.eigenvalues_
    array([2.])
    >>> np.abs(pca.transform([[5.0, 3.0]])).round(6), pca.reconstruction_error([[5.0, 3.0]]).round(6)
    (array([[3.]]), array([25.]))
    """

    kernel: Kernel | None = Part(class_=Kernel, default=None, allow_None=True, doc="the kernel; None is Gaussian()")
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
        """Learn from points X (n, d), n >= 2. Returns self.

        y        not looked at
        weights  (n,), how often each row counts, under averages: whole numbers as repeated rows; rows of weight 0 are
                 left out

        ValueError for one point, equal points, and a covariance that is 0.
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
            components = turned(components, operator.weights_)
        self.operator_: CovarianceOperator = operator
        self.kernel_: Kernel = operator.kernel_
        self.X_ = operator.X_
        self.centre_: Embedding = operator.centre_
        self.weights_: Vector = operator.weights_
        self.eigenvalues_: Vector = checks.read_only(eigenvalues)
        self.components_: Matrix = checks.read_only(components)
        self.explained_variance_ratio_: Vector = checks.read_only(eigenvalues / operator.trace())
        self.flat_: bool = checks.flat(X)
        if self.kernel_.finite_rank:  # the components in coordinates, so that scores need no pairs of points
            self.directions_: Matrix = checks.read_only(Centre(self.centre_).features(self.X_).T @ components)
        return self

    def fit_transform(self, X: PointsLike, y: Any = None, weights: VectorLike | None = None) -> Gram:
        """The scores of the points that it learns from, (n, r)."""
        return self.fit(X, weights=weights).transform(X)

    def transform(self, Z: PointsLike) -> Gram:
        """Scores <k(z_j, .) - m, v_k>, (m, r), of points Z (m, d)."""
        fitted = self._fitted()
        return fitted._projected(fitted._rows(Z))

    def _projected(self, Z):
        """`transform` of checked points."""
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
        """|φ~(z_j)|² less the squares of its scores, (m,): the squared RKHS distance of k(z_j, .) from its projection
        on the affine span of the components through the centre."""
        Z = self._fitted()._rows(Z)
        # a square, of which the subtraction leaves rounding below 0
        return np.maximum(Centre(self.centre_).diagonal(Z) - (self._projected(Z) ** 2).sum(axis=1), 0.0)

    def component(self, k: int = 0) -> Embedding:
        """v_k itself, an Embedding of norm 1."""
        fitted, r = self._fitted(), len(self.eigenvalues_)
        if checks.whole(k, "k") >= r:
            raise Refusal(f"k must be below {r}, the number of components, not {k}.")
        return fitted._combined(fitted.components_[:, k], 0.0)

    def reconstruction(self, scores: MatrixLike) -> Embedding:
        """m + Σ_k s_k v_k for one row of scores (r,) or (1, r): an Embedding."""
        fitted = self._fitted()
        rows = fitted._scores(np.atleast_2d(checks.numbers(scores, "scores")))
        if len(rows) != 1:
            raise Refusal(f"scores has {len(rows)} rows, and one is asked for here.")
        return fitted._combined(fitted.components_ @ rows[0], 1.0)

    def pre_image(
        self, Z: PointsLike | None = None, scores: MatrixLike | None = None, method: PreImage = "fixed-point"
    ) -> Points:
        """Points x (m, d) whose k(x, .) is nearest to m + Σ_k s_k v_k, for the scores of Z (m, d) or scores S (m, r).

        (m,) where `fit` had X as (n,). Denoising, where the components are the signal. With a = Σ s_k v_k =
        Σ a_i φ~(x_i) that is Σ a_i k(x_i, .) + (1 - Σ a) m.

        "fixed-point"  for a Gaussian kernel: iterated x = Σ w_i x_i k(x_i, x) / Σ w_i k(x_i, x) (Mika, Schölkopf,
                       Smola, Müller, Scholz and Rätsch 1999, Adv. Neural Inf. Process. Syst. 11), with steps that only
                       rise, from several starts, the points of the sample that are nearest among them: the best x
                       found, at least as near as all of these
        "regression"   for any kernel on numbers: the sample's points by kernel ridge regression on their scores, λ by
                       leave-one-out (Bakır, Weston, Schölkopf 2004, Adv. Neural Inf. Process. Syst. 16); where few
                       scores tell points apart it brings them back with their noise

        ValueError for a kernel that the method does not take, and where not exactly one of Z and scores is given.
        """
        fitted = self._fitted()
        if (Z is None) == (scores is None):
            raise Refusal("pre_image takes points Z or scores=S, one of them and not both.")
        if method not in ("fixed-point", "regression"):
            raise Refusal(f"method must be 'fixed-point' or 'regression', not {checks.echo(method)}.")
        if self.X_.dtype.kind not in "iuf" or isinstance(self.kernel_, (Delta, Precomputed)):
            raise Refusal(
                f"{checks.echo(self.kernel_)} compares {self.kernel_.space}, between which there are no points."
            )
        starts = None if Z is None else fitted._rows(Z)
        S = fitted._scores(scores) if starts is None else fitted._projected(starts)
        if method == "regression":
            x = ScoreRegression.of(fitted._projected(fitted.X_), fitted.X_).predict(S)
        else:
            x = nearest_points(fitted.kernel_, fitted.X_, fitted.centre_, S @ fitted.components_.T, starts)
        return x[:, 0] if fitted.flat_ else x

    def _combined(self, a, whole):
        """Σ a_i k(x_i, .) + (whole - Σ a) m."""
        combined = Embedding(self.kernel_, self.X_, a) + (whole - float(a.sum())) * self.centre_
        return combined.over(self._names())

    def _rows(self, Z):
        Z = self.kernel_.points(Z, "Z")
        checks.same_dimension(Z, self.X_, ("Z", "the sample"))
        return Z

    def _scores(self, S):
        S, r = checks.sample(S, "scores"), len(self.eigenvalues_)
        if S.shape[1] != r:
            raise Refusal(
                f"scores has {S.shape[1]} columns; give one for each of the {r} components, as rows (m, {r})."
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
