"""Kernel canonical correlation: the pairs of functions of x and of y that correlate most."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.dependence.pairing import read_weighted_pairs
from explorer.estimators import Estimator
from explorer.estimators.base import estimator_field
from explorer.estimators.selection import regulariser_field
from explorer.kernels import Gaussian
from explorer.learner import Transformer
from explorer.parameters import Whole
from explorer.types import Gram, Matrix, PointsLike, Vector, VectorLike

from .canonical_refits import Whitened
from .function_pairs import FunctionPairs
from .principal import signs

if TYPE_CHECKING:
    from explorer.kernels import Kernel


class KernelCCA(FunctionPairs, Transformer):
    """Pairs of functions u, v with the largest <u, Ĉ_XY v> under a smoothness constraint (kernel CCA).

    Use it to find the functions of x and y that correlate most. To test whether x and y depend on each other, use
    `hsic_test`.

    The constraint is Var u(X) + (λ/n) |u|² = Var v(Y) + (λ/n) |v|² = 1.

    Parameters
    ----------
    kernel_x, kernel_y : Kernel or None, default None
        The kernels of both sides; None is ``Gaussian()``. An automatic bandwidth is the median heuristic on that side.
    n_components : int, default 2
        The most pairs of functions. If the rank is smaller, all existing pairs are returned, with a warning.
    lam : float or None, default None
        The λ > 0 in (K + λI) of both sides, n times the operators', in units of k. If the kernels differ much in size,
        rescale a side. None takes the least leave-one-out score (n >= 3) of 17 λ from 1e-6 to 100 times the larger of
        both sides' largest eigenvalues; in a tie the largest.
    estimator : Estimator or None, default None
        Its weights, all at least 0, for the kernel mean of φ~(x_i) ⊗ ψ~(y_i) weigh the pairs in all means and
        covariances. The features are centred by its own estimate of their mean on each side. None counts each pair
        once. With RobustKME() this is a robust kernel CCA after Alam, Fukumizu and Wang 2018, who weigh each of the
        three covariance operators by itself; here all share the weights of the cross-covariance, so that correlations
        stay below 1.

    Attributes
    ----------
    kernel_x_, kernel_y_ : Kernel
        The chosen kernels.
    X_, Y_ : ndarray
        The n pairs of points.
    lam_ : float
        The λ.
    correlations_ : ndarray of shape (r,)
        1 > ρ_0 >= ρ_1 >= ... > 0, λ included; `correlation` gives those without it.
    left_coefficients_, right_coefficients_ : ndarray of shape (n, r)
        The coefficients of u_k = Σ_i coefficient_ik k(x_i, .), and those of v_k.
    counts_ : ndarray of shape (n,) or None
        The number of times that each pair counts; None is once each.

    Notes
    -----
    Without λ the values would be the correlations of u(X) and v(Y), which kernels of infinite dimension make 1 for any
    data; λ keeps the functions smooth. For λ -> ∞ they tend, up to their length, to the singular functions of
    CrossCovariance, which covary most (COCO). With linear kernels they are the ridge regularised canonical variates.
    With R = K(K + λI)^-1 and L = K_y(K_y + λI)^-1 of the centred Gram matrices, the correlations are the singular
    values of R^(1/2) L^(1/2).

    References
    ----------
    Bach and Jordan 2002 (J. Mach. Learn. Res. 3, 1), Fukumizu, Bach and Gretton 2007 (J. Mach. Learn. Res. 8, 361),
    whose ε is λ/n here; Alam, Fukumizu and Wang 2018 (Neurocomputing 304, 12).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import KernelCCA
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=60)
    >>> y = x**2 + 0.1 * rng.normal(size=60)
    >>> cca = KernelCCA(lam=0.1).fit(x, y)
    >>> round(cca.correlation(0), 2)
    0.99
    """

    drawn: ClassVar[tuple[str, str]] = ("correlations_", "canonical correlations")
    n_components: int = Whole(
        default=2, bounds=(1, None), softbounds=(1, 10), symbol="r", doc="how many pairs are kept at most"
    )
    lam: float | None = regulariser_field("how much both functions are held to be smooth", automatic=True)
    estimator: Estimator | None = estimator_field("how pairs count in all means and covariances; None is once each")

    def fit(self, X: PointsLike, Y: PointsLike, weights: VectorLike | None = None) -> Self:
        """Learn from pairs (x_i, y_i), in O(n³).

        Parameters
        ----------
        X, Y : array_like
            The points, n >= 2 rows each.
        weights : array_like of shape (n,), optional
            The number of times that each pair counts. Whole numbers act as repeated pairs; the leave-one-out score
            leaves one copy out. A pair of weight 0 is left out.

        Returns
        -------
        KernelCCA
            The fitted learner itself.

        Raises
        ------
        Refusal
            If X and Y have different numbers of rows, a side is constant, an estimator is given together with weights,
            or the estimator does not give weights of at least 0 to points without noise.
        """
        (X, Y, (kernel_x, kernel_y)), counts = self._pairs(X, Y, self.lam is None, weights)
        whitened, lam = self._whitened(kernel_x, X, kernel_y, Y, counts), self.lam
        if lam is None:
            lam = whitened.best_lam()
        found = whitened.at(lam, self.n_components)
        r = len(found.correlations)
        if r < self.n_components:
            checks.warn(
                f"n_components={self.n_components}, and these {len(X)} pairs have"
                f" {r} {'correlation' if r == 1 else 'correlations'} above 0: as many components were taken."
            )
        self.X_ = X
        self.Y_ = Y
        self.counts_: Vector | None = counts
        self.kernel_x_: Kernel = kernel_x
        self.kernel_y_: Kernel = kernel_y
        self.lam_: float = lam
        self.correlations_: Vector = checks.read_only(found.correlations)
        # The functions' values have mean 0 over the sample, so their coefficients may sum to 0, too.
        root = 1.0 if counts is None else np.sqrt(counts)[:, None]
        left, right = root * found.left, root * found.right
        sign, share = signs(left, counts), root**2 / whitened.n
        self.left_coefficients_: Matrix = checks.read_only(sign * (left - share * left.sum(axis=0)))
        self.right_coefficients_: Matrix = checks.read_only(sign * (right - share * right.sum(axis=0)))
        return self

    def fit_transform(self, X: PointsLike, Y: PointsLike, weights: VectorLike | None = None) -> tuple[Gram, Gram]:
        """Fit, and return the values of all u_k and of all v_k at the same pairs.

        Parameters
        ----------
        X, Y : array_like
            The points, n rows each.
        weights : array_like of shape (n,), optional
            The number of times that each pair counts, as for `fit`.

        Returns
        -------
        u, v : ndarray of shape (n, r)
            The values of the functions.
        """
        fitted = self.fit(X, Y, weights)
        return fitted._values("left", X), fitted._values("right", Y)

    @property
    def _n_outputs(self):
        return len(self.correlations_)

    def transform(self, X: PointsLike | None = None, Y: PointsLike | None = None) -> Gram | tuple[Gram, Gram]:
        """Return the values of all u_k at X, of all v_k at Y, or both.

        Parameters
        ----------
        X : array_like of shape (m, d), optional
            Points of the left side.
        Y : array_like of shape (m, e), optional
            Points of the right side.

        Returns
        -------
        ndarray of shape (m, r), or a tuple of two
            The values; a pair of arrays if both X and Y are given.

        Raises
        ------
        Refusal
            If neither is given.
        """
        given = [(side, Z) for side, Z in (("left", X), ("right", Y)) if Z is not None]
        if not given:
            raise Refusal("transform takes points X, points Y, or both.")
        found = [self._values(side, Z) for side, Z in given]
        return found[0] if len(found) == 1 else (found[0], found[1])

    def correlation(self, k: int = 0) -> float:
        """Return the correlation of u_k(x_i) and v_k(y_i) over the sample; for a small λ it is too optimistic.

        Parameters
        ----------
        k : int, default 0
            The index of the pair of functions.

        Returns
        -------
        float
            The correlation.
        """
        u, v = self.left(self.X_, k), self.right(self.Y_, k)
        return float(self._mean(u * v) / np.sqrt(self._mean(u**2) * self._mean(v**2)))

    def loocv(self, X: PointsLike, Y: PointsLike, values: VectorLike) -> Vector:
        """Return 1 minus the rank correlation of held-out values of the first pair of functions, at each λ.

        Parameters
        ----------
        X, Y : array_like
            The points, n >= 3 rows each.
        values : array_like of shape (m,)
            The values of λ.

        Returns
        -------
        ndarray of shape (m,)
            The scores.

        Raises
        ------
        Refusal
            If a λ is not above 0.

        Notes
        -----
        The held-out values are u^(-i)(x_i) and v^(-i)(y_i), where u^(-i), v^(-i) are the first pair of the n - 1
        others, centred by the others' mean, with the same λ. The kernels' bandwidths stay those of all pairs. Leurgans,
        Moyeed and Silverman 1993 take Pearson's correlation. The rank correlation is not dominated by one value far
        from the rest, where functions that are too rough agree. The n refits are exact, by alternation from the pair of
        all, many at a time. If the first two correlations of the others nearly agree, as for a λ that is far too small,
        the alternation may stop before it has converged.

        References
        ----------
        Leurgans, Moyeed and Silverman 1993 (J. R. Stat. Soc. B 55, 725).
        """
        (X, Y, (kernel_x, kernel_y)), counts = self._pairs(X, Y, True)
        lam = checks.numbers(values, "values")
        if lam.ndim != 1 or not (lam > 0).all():
            raise Refusal("values must be a list of λ above 0, such as [0.01, 0.1, 1.0].")
        return self._whitened(kernel_x, X, kernel_y, Y, counts).scores(lam)

    def _pairs(self, X, Y, choosing, weights=None):
        """Return checked pairs with their kernels, and their counts.

        A constant side is refused before a bandwidth is chosen.
        """
        for kernel, Z, name in ((self.kernel_x, X, "X"), (self.kernel_y, Y, "Y")):
            points = (Gaussian() if kernel is None else kernel).points(Z, name)
            if len(points) > 1 and (points == points[0]).all():
                raise Refusal(f"all {len(points)} points of {name} are equal, and nothing correlates with a constant.")
        at_least = (3, "to choose λ on") if choosing else (2, "")
        found, counts = read_weighted_pairs(X, Y, weights, self.kernel_x, self.kernel_y, *at_least)
        if self.estimator is None:
            return found, counts
        if weights is not None:
            raise Refusal("weights and an estimator both say how pairs count; give one of them.")
        counts = self._by_estimator(self.estimator, found)
        kept = counts > 0
        return found._replace(X=found.X[kept], Y=found.Y[kept]), counts[kept]

    def _by_estimator(self, estimator, found):
        """Return how often each pair counts by the estimator's weights, (n,), with sum n."""
        if estimator.noisy or estimator.target is not None or estimator.kernel is not None:
            raise Refusal(
                f"{checks.echo(estimator)} does not weigh pairs: an estimator here has no kernel, target or noise of"
                " its own; take RobustKME()."
            )
        product = np.ones((len(found.X),) * 2)
        for kernel, Z in zip(found.kernels, (found.X, found.Y), strict=True):
            K = self._gram(kernel, Z)
            share = estimator.on_gram(K)
            at = K @ (share / share.sum())
            product *= K - (at[:, None] + at) + share @ at / share.sum()
        beta = estimator.on_gram(product)
        if (beta < 0).any() or not beta.sum() > 0:
            raise Refusal(
                f"{checks.echo(estimator)} gives pairs weights below 0, or none; take one that gives shares, as"
                " RobustKME()."
            )
        return len(beta) * beta / beta.sum()

    def _whitened(self, kernel_x, X, kernel_y, Y, counts=None):
        """Return the decomposed Gram matrices of both sides, centred under the counts."""
        sides = []
        for kernel, Z in ((kernel_x, X), (kernel_y, Y)):
            K = self._gram(kernel, Z)
            mean = np.average(K, axis=0, weights=counts)
            K = K - (mean[:, None] + mean) + np.average(mean, weights=counts)
            sides.append(K if counts is None else K * np.sqrt(np.outer(counts, counts)))
        return Whitened(sides[0], sides[1], counts)

    def _values(self, side, Z):
        """Return the values of all functions of a side, (m, r)."""
        name, (kernel, points, coefficients) = "X" if side == "left" else "Y", self._side(side)
        Z, r = kernel.points(Z, name), coefficients.shape[1]
        checks.same_dimension(Z, points, (name, f"the sample's {name}"))
        return np.column_stack([self._function(side, Z, k) for k in range(r)]) if r else np.empty((len(Z), 0))
