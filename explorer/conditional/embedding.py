"""The conditional kernel mean: the distribution of y given x."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.dependence.pairing import read_weighted_pairs
from explorer.embeddings import Embedding
from explorer.estimators.selection import regulariser_field
from explorer.kernels import Kernel
from explorer.kernels.base import kernel_field
from explorer.kernels.low_rank import Approximation, approximation_field, low_rank, rank_field, rng_field
from explorer.types import Gram, PointsLike, Vector, VectorLike

from .inputs import Approximating, one_point, rows_of
from .leave_one_out import Refits, ThinRefits
from .smoother import DECOMPOSED, SOLVED, Smoother, ThinSmoother, reduce_kernel, smoother
from .trial import Trial

if TYPE_CHECKING:
    from explorer.kernels.low_rank import FiniteRank


class ConditionalEmbedding(Approximating):
    r"""Distribution of y given x: the kernel mean μ̂_{Y|x} = Σ_i β_i(x) k_y(y_i, .), from n pairs (x_i, y_i).

    Use it to predict the mean of y, the expectation of a function of y, or the whole distribution. To test whether y
    depends on x at all, use `hsic_test`.

    Kernel ridge regression of k_y(y, .) on x: <f, μ̂_{Y|x}> estimates E[f(Y) | x] for every f in the RKHS of k_y.
    Weights may be negative, and sum to one only as n grows.

    Parameters
    ----------
    kernel_x, kernel_y : Kernel or None, default None
        Kernels of x and y. None is Gaussian(); an automatic bandwidth is the median heuristic on that side.
    lam : float or None, default None
        Regulariser λ > 0, in units of k_x. None takes the λ with the least leave-one-out score (n >= 2), between n eps
        and 10^4 times the largest eigenvalue of K.
    approximation : {None, "auto", "cholesky", "nystrom", "features"}, default None
        A kernel of finite rank that `low_rank` chooses on X replaces k_x.
    rank : int or None, default None
        Rank of the approximation.
    rng : int, default 0
        Seed of the approximation.

    Attributes
    ----------
    kernel_x_, kernel_y_ : Kernel
        The chosen kernels.
    X_, Y_ : ndarray
        The points.
    lam_, operator_lam_ : float
        λ, and λ / n.
    flat_ : bool
        Whether Y was (n,): then `predict` gives (m,).

    Notes
    -----
    The weights are

    .. math:: \beta(x) = (K + \lambda I)^{-1} k_x(X, x).

    λ is the regression's, n times that of the operator C_YX (C_XX + λI)^-1. The article has the same letter for both
    (erratum E-1). `operator_lam_` is the operator's. F-KMSE's weights are the average of the β(x_j) at the sample's own
    points, Y = X (erratum 39).

    Under an approximation nothing of size (n, n) is stored, and `fit` takes O(n rank²). The result of `embed` then has
    an `error`, the RKHS distance from the same rule without the approximation, measured on 1000 of the pairs at most.
    The error is exact if there are no more pairs; otherwise it is an estimate, good to a factor of 2.

    References
    ----------
    Song, Huang, Smola, Fukumizu 2009 (Int. Conf. Mach. Learn., 26).

    Encyclopedia article, section on conditional embeddings.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import ConditionalEmbedding
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(-2, 2, size=200)
    >>> y = x**2 + 0.1 * rng.normal(size=200)
    >>> C = ConditionalEmbedding().fit(x, y)
    >>> C.predict([0.5, 1.0]).round(1)
    array([0.2, 1. ])
    >>> float(C.weights(1.0).sum().round(2))
    1.0
    """

    _kind = "regressor"
    kernel_x: Kernel | None = kernel_field("the kernel of x; None is Gaussian()")
    kernel_y: Kernel | None = kernel_field("the kernel of y; None is Gaussian()")
    _before = "has seen no pairs yet; take fit(X, Y) first"
    lam: float | None = regulariser_field("how much the regression is shrunk to 0", automatic=True)
    approximation: Approximation | None = approximation_field()
    rank: int | None = rank_field()
    rng: int = rng_field()

    def fit(self, X: PointsLike, Y: PointsLike, weights: VectorLike | None = None) -> Self:
        """Learn from pairs (x_i, y_i), n rows each.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points x_i.
        Y : array_like of shape (n,) or (n, e)
            Points y_i.
        weights : array_like of shape (n,) or None, default None
            How often each pair counts; not together with an approximation. Whole numbers act as repeated pairs, of
            which the leave-one-out score leaves one copy out, and a pair of weight 0 is left out.

        Returns
        -------
        ConditionalEmbedding
            The fitted object itself.

        Raises
        ------
        ValueError
            If X and Y do not have equally many rows, or if λ has to be chosen on one pair.

        Notes
        -----
        The cost is O(n³), or O(n rank²) by an approximation.
        """
        self._refuse_weights(weights)
        (X, given, (kernel_x, kernel_y)), counts = self._pairs(X, Y, self.lam is None, weights)
        self.X_ = X
        self.Y_ = given
        self.kernel_x_: Kernel = kernel_x
        self.kernel_y_: Kernel = kernel_y
        self.flat_: bool = checks.flat(Y)
        by = self._reduced(self.kernel_x_, self.X_)
        self.low_: FiniteRank | None = by.low
        self.approximation_: str | None = by.name
        if self.lam is None:
            self.lam_ = self._refits(self.X_, self.Y_, self.kernel_x_, self.kernel_y_, self.low_, counts).best()
        else:
            self.lam_: float = self.lam
        self.operator_lam_: float = self.lam_ / (len(self.X_) if counts is None else float(counts.sum()))
        self.smoother_: Smoother | ThinSmoother = smoother(self.kernel_x_, self.X_, self.lam_, self.low_, counts)
        if self.low_ is not None:
            self.trial_: Trial = Trial(self.kernel_x_, self.X_, self.kernel_y_, self.Y_, self.lam_, self.low_, self.rng)
        return self

    def _reduced(self, kernel, X):
        solved = DECOMPOSED if self.lam is None else SOLVED
        return reduce_kernel(kernel, X, self.approximation, self.rank, self.rng, solved)

    def _refits(self, X, Y, kernel_x, kernel_y, low, counts=None):
        if low is None:
            return Refits(kernel_x(X), kernel_y(Y), counts)
        rank = low.rank if self.approximation == "auto" else self.rank
        H = low_rank(kernel_y, Y, "cholesky", rank, self.rng).features(Y)
        return ThinRefits(low.features(X), H, kernel_y.diagonal(Y))

    def _pairs(self, X, Y, choosing, weights=None):
        at_least = {"at_least": 2, "purpose": "to choose λ on"} if choosing else {}
        return read_weighted_pairs(X, Y, weights, self.kernel_x, self.kernel_y, **at_least)

    def weights(self, x: PointsLike) -> Gram:
        """Return the weights β(x), shape (n, m): a column for each row of x.

        Parameters
        ----------
        x : array_like of shape (m, d)
            Points.

        Returns
        -------
        ndarray of shape (n, m)
            Weights of the n points of Y.
        """
        fitted = self._fitted()
        return fitted.smoother_.at(self._rows(x))

    def embed(self, x: PointsLike) -> Embedding:
        """Return μ̂_{Y|x} at one x: an Embedding over Y, with an `error` under an approximation.

        Parameters
        ----------
        x : array_like of shape (d,) or (1, d)
            One point.

        Returns
        -------
        Embedding
            The conditional kernel mean.
        """
        fitted = self._fitted()
        row = one_point(fitted.kernel_x_, x, fitted.X_)
        embedding = Embedding(fitted.kernel_y_, fitted.Y_, fitted.weights(row)[:, 0]).over(fitted._names("Y"))
        if fitted.low_ is None:
            return embedding
        trial, row = fitted.trial_, row.copy()  # the error may be read after another fit or a change of x
        return embedding.approximating(lambda: trial.error(lambda each: each.at(row)[:, 0]))

    def predict(self, x: PointsLike) -> Vector | Gram:
        """Return Σ_i β_i(x) y_i, not renormalised: the regression of y itself.

        Parameters
        ----------
        x : array_like of shape (m, d)
            Points.

        Returns
        -------
        ndarray of shape (m,) or (m, e)
            Shape (m,) if Y was given as (n,), and (m, e) if it was (n, e).

        Raises
        ------
        ValueError
            If Y consists of words.
        """
        fitted = self._fitted()
        if fitted.Y_.dtype.kind not in "iuf":
            raise Refusal("Y holds words, which have no mean; take embed(x) and its values at the words instead.")
        return self.expectation(fitted.Y_[:, 0] if fitted.flat_ else fitted.Y_, x)

    def expectation(self, values: VectorLike, x: PointsLike) -> Vector:
        """Return Σ_i β_i(x) f_i, the estimate of E[f(Y) | x].

        Parameters
        ----------
        values : array_like of shape (n,) or (n, q)
            Values f_i of functions at the points of Y.
        x : array_like of shape (m, d)
            Points.

        Returns
        -------
        ndarray of shape (m,) or (m, q)
            Estimates at the rows of x.

        Raises
        ------
        ValueError
            If there is not a value, or a row of values, for each point of Y.
        """
        fitted = self._fitted()
        values = checks.numbers(values, "values")
        if values.ndim not in (1, 2) or len(values) != len(fitted.Y_):
            raise Refusal(
                f"values has shape {values.shape}; give f's value, or a row of values, at each of the"
                f" {len(fitted.Y_)} points of Y."
            )
        return fitted.smoother_.predict(self._rows(x), values)

    def score(self, X: PointsLike, Y: PointsLike, sample_weight: VectorLike | None = None) -> float:
        """Return R² = 1 - Σ (y - f)² / Σ (y - mean y)² of `predict` at X.

        Parameters
        ----------
        X : array_like of shape (m, d)
            Points.
        Y : array_like of shape (m,) or (m, e)
            Targets. For several columns the score is the mean over columns.
        sample_weight : array_like of shape (m,) or None, default None
            How often each row counts.

        Returns
        -------
        float
            The coefficient of determination.
        """
        from sklearn.metrics import r2_score

        return float(r2_score(Y, self.predict(X), sample_weight=sample_weight))

    def loocv(self, X: PointsLike, Y: PointsLike, values: VectorLike) -> Vector:
        """Return the leave-one-out score at each λ: the mean of |k_y(y_i, .) - μ̂^(-i)_{Y|x_i}|², n >= 2.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points x_i.
        Y : array_like of shape (n,) or (n, e)
            Points y_i.
        values : array_like of shape (m,)
            Values of λ.

        Returns
        -------
        ndarray of shape (m,)
            Scores.

        Raises
        ------
        ValueError
            If a λ is not finite and above 0.

        Notes
        -----
        The scores are exactly those of n refits to n - 1 pairs, computed from one eigendecomposition; the kernels'
        bandwidths stay those of all pairs. Under an approximation the refits keep its landmarks or frequencies. k_y is
        replaced by its pivoted Cholesky factor of `rank` columns, and the remainder counts as independent noise. The
        cost is O(n rank²) for each λ.
        """
        (X, Y, (kernel_x, kernel_y)), _ = self._pairs(X, Y, True)
        lam = checks.numbers(values, "values")
        if lam.ndim != 1 or not (lam > 0).all():
            raise Refusal("values must be a list of λ above 0, such as [0.01, 0.1, 1.0].")
        return self._refits(X, Y, kernel_x, kernel_y, self._reduced(kernel_x, X).low).scores(lam)

    def _rows(self, x):
        fitted = self._fitted()
        return rows_of(fitted.kernel_x_, x, fitted.X_)
