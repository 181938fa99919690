"""The cross-covariance operator of pairs: covariances of functions, and the pairs of functions that covary most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.dependence.pairing import read_weighted_pairs
from explorer.discrepancy.resampling.permutation import SLACK
from explorer.embeddings import Embedding
from explorer.parameters import Flag
from explorer.types import Gram, Matrix, Points, PointsLike, Vector, VectorLike

from .function_pairs import FunctionPairs, thin_factor
from .principal import signs

if TYPE_CHECKING:
    from explorer.kernels import Kernel


NEGLIGIBLE = 1e-10  # σ_k / σ_0 below which a pair is left out: its unit functions err by eps σ_0 / σ_k, 1e-6 and more
UNIT = 1e-9  # the most by which |u|^2, by the Gram matrix itself, may differ from 1: summed in another order, 1e-8
WORTH_A_WARNING = 1e-3  # there is a warning if more than this share of |Ĉ|^2 is left out


class CrossCovariance(FunctionPairs):
    """Cross-covariance operator Ĉ = (1/n) Σ_i φ~(x_i) ⊗ ψ~(y_i), from the RKHS of l to that of k.

    Use it to see the shape of a dependence: its singular functions. To test for one use `hsic_test`, and for normalised
    pairs of functions `KernelCCA`.

    <f, Ĉ g> = Cov(f(X), g(Y)) over the n pairs, with 1/n.

    Parameters
    ----------
    kernel_x, kernel_y : Kernel or None, default None
        The kernels of both sides; None is ``Gaussian()``. An automatic bandwidth is the median heuristic on that side.
    centered : bool, default True
        Whether φ~ = φ - μ̂_X. Otherwise φ~ is φ itself, and <f, Ĉ g> = mean f(x_i) g(y_i).

    Attributes
    ----------
    kernel_x_, kernel_y_ : Kernel
        The chosen kernels.
    X_, Y_ : ndarray
        The n pairs of points.
    singular_values_ : ndarray of shape (r,)
        σ_0 >= σ_1 >= ... > 0, in units of sqrt(k l), where r is the rank. Σ σ^2 is the biased HSIC, σ_0 the constrained
        covariance (Gretton, Herbrich, Smola, Bousquet, Schölkopf 2005).
    left_coefficients_, right_coefficients_ : ndarray of shape (n, r)
        The coefficients of u_k = Σ_i coefficient_ik k(x_i, .), and those of v_k.
    counts_ : ndarray of shape (n,) or None
        The number of times that each pair counts; None is once each.

    Notes
    -----
    With thin factors A = FF' and B = GG' of the Gram matrices, centred if Ĉ is, the singular values are those of F'G /
    n. With their vectors F'G/n = Σ_k σ_k p_k q_k' the unit functions are u_k = Σ_i (G q_k)_i φ~(x_i) / (n σ_k), without
    division by a small eigenvalue of a Gram matrix, and v_k likewise. Pairs of σ_k <= 1e-10 σ_0 are left out, and all
    from the first pair on whose norms by the Gram matrices are not 1. These are rounding, as all pairs are if a side is
    constant. If they are more than 1e-3 of |Ĉ|^2 and more than the rounding of a constant side, there is a warning.

    References
    ----------
    Muandet et al. 2016, Kernel Mean Shrinkage Estimators ([muandet2016shrinkage]), section 3.2. Gretton, Herbrich,
    Smola, Bousquet, Schölkopf 2005, J. Mach. Learn. Res. 6, 2075.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import CrossCovariance
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=40)
    >>> y = x**2 + 0.1 * rng.normal(size=40)
    >>> C = CrossCovariance().fit(x, y)
    >>> C.singular_values_[:3].round(3)
    array([0.165, 0.061, 0.03 ])
    >>> C.left([-2.0, 0.0, 2.0]).round(1)
    array([ 0.6, -0.4,  0.7])
    """

    drawn: ClassVar[tuple[str, str]] = ("singular_values_", "singular values")
    centered: bool = Flag(default=True, doc="whether the means are subtracted: a covariance, not a second moment")

    def fit(self, X: PointsLike, Y: PointsLike, weights: VectorLike | None = None) -> Self:
        """Learn from pairs (x_i, y_i), in O(n^3).

        Parameters
        ----------
        X, Y : array_like
            The points, n rows each.
        weights : array_like of shape (n,), optional
            The number of times that each pair counts. Whole numbers act as repeated pairs, and a pair of weight 0 is
            left out.

        Returns
        -------
        CrossCovariance
            The fitted learner itself.

        Raises
        ------
        Refusal
            If X and Y have different numbers of rows.

        Warns
        -----
        ExplorerWarning
            If rounding hides more than 1e-3 of the operator's squared norm.
        """
        self.learn(X, Y, weights)
        if self.remark_:
            checks.warn(self.remark_)
        return self

    def learn(self, X: PointsLike, Y: PointsLike, weights: VectorLike | None = None) -> Self:
        """Fit without a warning: `remark_` states what rounding hides, or is empty.

        Parameters
        ----------
        X, Y : array_like
            The points, n rows each.
        weights : array_like of shape (n,), optional
            The number of times that each pair counts, as for `fit`.

        Returns
        -------
        CrossCovariance
            The fitted learner itself.
        """
        found, counts = read_weighted_pairs(X, Y, weights, self.kernel_x, self.kernel_y)
        self.counts_: Vector | None = counts
        self.X_: Points = found.X
        self.Y_: Points = found.Y
        self.kernel_x_: Kernel = found.kernels[0]
        self.kernel_y_: Kernel = found.kernels[1]
        c = np.ones((len(self.X_), 1)) if self.counts_ is None else self.counts_[:, None]
        n, grams = float(c.sum()), (self._gram(self.kernel_x_, self.X_), self._gram(self.kernel_y_, self.Y_))
        F, G = (self._centred(thin_factor(K)) for K in grams)
        P, sigma, Qt = np.linalg.svd(F.T @ (c * G) / n, full_matrices=False)
        kept = sigma > NEGLIGIBLE * sigma.max(initial=0.0)
        sigma, P, Q = sigma[kept], P[:, kept], Qt.T[:, kept]
        left, right = (_unit(A, c * self._centred(B @ R)) for A, B, R in ((F, G, Q), (G, F, P)))
        certain = np.logical_and.accumulate(_is_unit(grams[0], left) & _is_unit(grams[1], right))
        rounding = SLACK * np.sqrt(np.trace(grams[0]) * np.trace(grams[1])) / n
        self.remark_: str = self._hidden(sigma[~certain], sigma, rounding)
        sigma, left, right = sigma[certain], left[:, certain], right[:, certain]
        # The sign of a pair of functions is arbitrary, so the largest coefficient of the left one is made positive.
        sign = signs(left, self.counts_)
        self.singular_values_: Vector = checks.read_only(sigma)
        self.left_coefficients_: Matrix = checks.read_only(sign * left)
        self.right_coefficients_: Matrix = checks.read_only(sign * right)
        return self

    def _hidden(self, left_out, sigma, rounding):
        """Return a sentence on the squared norm that is left out, or "" if it is negligible."""
        lost, total = float(left_out @ left_out), float(sigma @ sigma)
        if lost <= WORTH_A_WARNING * total or lost <= rounding**2:
            return ""
        return (
            f"{100 * lost / total:.3g} % of the operator's squared norm is left out: on these points"
            f" {self.kernel_x_!r} or {self.kernel_y_!r} varies too little relative to its size for functions of norm 1."
            " Subtract the mean from the points, or take another bandwidth."
        )

    def inner(self, f: Embedding, g: Embedding) -> float:
        """Return <f, Ĉ g>, the covariance of f(x_i) and g(y_i) over the pairs, with 1/n.

        If the operator is not centred, it is the mean of f(x_i) g(y_i).

        Parameters
        ----------
        f, g : Embedding, array_like of shape (n,) or callable
            Each an Embedding under that side's kernel, the coefficients of Σ_i a_i k(x_i, .), or any function of points
            (m, d) that returns (m,) values, in the RKHS or not.

        Returns
        -------
        float
            The covariance.

        Raises
        ------
        Refusal
            If an Embedding has another kernel, or the values have another shape.
        """
        return float(self._mean(self._centred(self._at(f, "left", "f")) * self._centred(self._at(g, "right", "g"))))

    def norm(self) -> float:
        """Return the Hilbert-Schmidt norm sqrt(Σ σ_k^2); if centred, its square is hsic(X, Y, kernel_x, kernel_y).

        Returns
        -------
        float
            The norm.
        """
        return float(np.linalg.norm(self._fitted().singular_values_))

    def share(self, k: int = 0) -> float:
        """Return the share σ_k^2 / Σ σ^2 of a pair of functions, in HSIC if centred; 0 if there is no such pair.

        Parameters
        ----------
        k : int, default 0
            The index of the pair.

        Returns
        -------
        float
            The share.
        """
        sigma = self._fitted().singular_values_
        return float(sigma[k] ** 2 / (sigma**2).sum()) if k < len(sigma) else 0.0

    def correlation(self, k: int = 0) -> float:
        """Return the correlation of u_k(x_i) and v_k(y_i) over the pairs, for centred operators.

        Parameters
        ----------
        k : int, default 0
            The index of the pair.

        Returns
        -------
        float
            The correlation, or 0 if there is no such pair.
        """
        sigma = self._fitted().singular_values_
        if k >= len(sigma):
            return 0.0
        u, v = self.left(self.X_, k), self.right(self.Y_, k)
        return float(sigma[k] / np.sqrt(self._mean(u**2) * self._mean(v**2)))

    def __call__(self, X: PointsLike, Y: PointsLike) -> Gram:
        """Return <k(x, .), Ĉ l(y, .)> at points: positive if pairs are denser there than under independence.

        Parameters
        ----------
        X : array_like of shape (m, d)
            Points of the left side.
        Y : array_like of shape (p, e)
            Points of the right side.

        Returns
        -------
        ndarray of shape (m, p)
            The values.
        """
        fitted = self._fitted()
        K, L = fitted.kernel_x_(fitted.X_, X), fitted.kernel_y_(fitted.Y_, Y)
        shares = 1 / len(fitted.X_) if self.counts_ is None else self.counts_[:, None] / self.counts_.sum()
        return (shares * self._centred(K)).T @ self._centred(L)

    def _at(self, f, side, name):
        """Return the values of f at the side's points, (n,)."""
        kernel, points, _ = self._side(side)
        if isinstance(f, Embedding) and f.kernel != kernel:
            raise Refusal(
                f"{name} is an Embedding under {checks.echo(f.kernel)}, and this side's kernel is"
                f" {checks.echo(kernel)}; give it that one."
            )
        if callable(f):
            given: Any = f(points)
            values = checks.numbers(given, f"{name}'s values")
            if values.shape != (len(points),):
                raise Refusal(
                    f"{name} gives values of shape {values.shape} at {len(points)} points; one each is needed."
                )
            return values
        return checks.weights(f, len(points), name) @ kernel(points)


def _unit(F, a):
    """Return the columns of coefficients a (n, r) divided by |F'a|, which is 1 for functions of norm 1."""
    length = np.linalg.norm(F.T @ a, axis=0)
    return np.divide(a, length, out=np.zeros(a.shape), where=length > 0)


def _is_unit(K, a):
    """Return whether a_k'K a_k is 1, for each column of coefficients a (n, r).

    The answer is arbitrary if F'a is rounding of F.
    """
    return np.abs(np.einsum("ik,ik->k", a, K @ a) - 1) <= UNIT
