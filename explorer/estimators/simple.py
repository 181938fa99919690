"""S-KMSE: every weight is shrunk by the same factor, towards zero or a target."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.embeddings.law import Law
from explorer.embeddings.risk import squared_distance, variance
from explorer.parameters import Part
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import Constraint, Gram, Matrix, PointsLike, Vector, VectorLike

from .base import Estimator
from .constraints import inverse_sum, on_simplex, refuse_simplex, weights_field
from .selection import free_field, lams_of

if TYPE_CHECKING:
    from .spectrum import Spectrum


class Summary(NamedTuple):
    """All the statistics of a sample that S-KMSE needs.

    With a target f* the kernel is that of k(x, .) - f*, so ϱ and u become ϱ - 2<μ̂, f*> + |f*|^2 and u - 2<μ̂, f*> +
    |f*|^2, and (1 - α) μ̂ + α f* is (1 - α) times the mean of the shifted points.

    Attributes
    ----------
    n : int
        The number of points.
    diagonal : float
        ϱ, the mean of k(x_i, x_i).
    off_diagonal : float
        u, the mean of k(x_i, x_j) over i != j.
    gap : float
        ϱ - u, n times the estimated risk of μ̂. It may be known to more digits than the difference of the two has.

    Examples
    --------
    >>> from explorer import Gaussian
    >>> from explorer.estimators import Summary
    >>> summary = Summary.of(Gaussian(1.0)([[0.0], [1.0], [3.0]]))
    >>> summary.n, summary.diagonal, round(summary.off_diagonal, 4), round(summary.gap, 4)
    (3, 1.0, 0.251, 0.749)
    """

    n: int
    diagonal: float
    off_diagonal: float
    gap: float

    @classmethod
    def of(cls, K: Gram, cross: float = 0.0, square: float = 0.0, contrast: Matrix | None = None) -> Summary:
        """Return the Summary of a Gram matrix.

        Parameters
        ----------
        K : ndarray of shape (n, n)
            The Gram matrix.
        cross : float, default 0.0
            <μ̂, f*>.
        square : float, default 0.0
            |f*|^2.
        contrast : ndarray of shape (n, n), optional
            The Gram matrix of `Kernel.contrast`, which gives ϱ - u in more digits.

        Returns
        -------
        Summary
            The statistics.
        """
        summary = cls._of(len(K), float(np.trace(K)), float(K.sum()), square - 2 * cross)
        if contrast is None or len(K) == 1:
            return summary
        return summary._replace(gap=max(cls._of(len(K), float(np.trace(contrast)), float(contrast.sum())).gap, 0.0))

    @classmethod
    def of_spectrum(cls, spectrum: Spectrum, cross: float = 0.0, square: float = 0.0) -> Summary:
        """Return the Summary of an eigendecomposition, without the digits that a contrast adds.

        Parameters
        ----------
        spectrum : Spectrum
            The eigendecomposition of the Gram matrix.
        cross : float, default 0.0
            <μ̂, f*>.
        square : float, default 0.0
            |f*|^2.

        Returns
        -------
        Summary
            The statistics.
        """
        return cls._of(spectrum.n, float(spectrum.diagonal.sum()), spectrum.total, square - 2 * cross)

    @classmethod
    def _of(cls, n, trace, total, shift=0.0):
        """Return the Summary of a Gram matrix of this trace and total; `shift` is added to ϱ and u."""
        # The mean of equal numbers differs from them by rounding, but u must not exceed ϱ on constant data.
        rho = trace / n
        u = min((total - trace) / (n * (n - 1)), rho) if n > 1 else 0.0
        return cls(n, rho + shift, u + shift, rho - u)

    def loocv(self, lam: float | Vector) -> Any:
        """Return the leave-one-out score of μ̃ = μ̂ / (1 + λ).

        Parameters
        ----------
        lam : float or ndarray
            Values of λ, of any shape.

        Returns
        -------
        ndarray of the shape of lam
            The scores.

        Notes
        -----
        With s = 1 / (1 + λ), the score is ϱ - 2 s u + s^2 (ϱ + (n - 2) u) / (n - 1). It is computed in the digits of ϱ
        - u, as (1 - s)^2 ϱ + (ϱ - u) s (2 - s (n - 2) / (n - 1)).
        """
        n, rho, _, gap = self
        lam = np.asarray(lam, dtype=float)
        keep = 1 / (1 + lam)
        less = np.where(lam < 1, np.minimum(lam, 1.0) * keep, 1 - keep)  # 1 - s, in the digits of a small λ
        return less**2 * rho + gap * keep * (2 - keep * (n - 2) / (n - 1))

    def best_lam(self) -> float:
        """Return the λ of least score: (ϱ - u) / ((n - 1) u), infinite if u <= 0.

        Returns
        -------
        float
            The λ.
        """
        n, _, u, gap = self
        if gap == 0:  # the data are constant, so the plain average is exact
            return 0.0
        return gap / ((n - 1) * u) if u > 0 else math.inf


class SKMSE(Estimator):
    """Simple shrinkage (S-KMSE): μ̃ = (1 - α) μ̂ + α f* with α = λ / (1 + λ).

    Use it for few points in many dimensions, where a little shrinkage reduces the squared error. With outliers use
    `RobustKME`.

    With f* = 0 every weight is 1 / ((1 + λ) n).

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.
    lam : float or None, default None
        The λ >= 0 or infinite, without unit; None takes the least leave-one-out score, in closed form.
    target : Embedding or None, default None
        The target f*, an Embedding of the same kernel; None is f* = 0.
    weights : {"free", "sum-to-one", "simplex"}, default "free"
        "sum-to-one" divides the weights, the target's included, by their sum; a Refusal if that is 0. Without a target
        that is exactly KME. "simplex", only without a target, minimises (1 + λ) β'Kβ - 2 β'K 1/n over β >= 0 with sum
        1: the mixture of the points that is nearest to the free estimate. λ is chosen for the free weights. The scores
        are those of the free weights unless the estimate is exactly KME.

    Notes
    -----
    The leave-one-out λ (Theorem 3 of [muandet2016shrinkage]) is (ϱ - u) / ((n - 1) u). It is infinite if the mean u of
    k(x_i, x_j), i != j, is not positive: the printed formula then gives a negative λ (erratum 20 in `explorer list
    errata`).

    References
    ----------
    [muandet2014stein] and [muandet2016shrinkage], eq. 11: Muandet, Fukumizu, Sriperumbudur, Gretton, Schölkopf 2014,
    Kernel Mean Estimation and Stein Effect; Muandet et al. 2016, Kernel Mean Shrinkage Estimators.

    Examples
    --------
    >>> from explorer import SKMSE, Gaussian
    >>> X = [[0.0], [1.0], [4.0]]
    >>> mean = SKMSE(Gaussian(1.0), lam=0.5).embed(X)
    >>> mean.weights.round(4)
    array([0.2222, 0.2222, 0.2222])
    >>> round(SKMSE(Gaussian(1.0)).select(X).lam, 4)
    1.9273
    """

    label = "S-KMSE"

    lam: float | None = free_field("λ", "how strongly every weight is shrunk")
    target: Embedding | None = Part(
        class_=Embedding, default=None, allow_None=True, doc="what is shrunk towards; None is 0"
    )
    weights: Constraint = weights_field(default="free")

    free = "lam"

    @property
    def equal_weights(self) -> bool:
        """True if all points have the same weight: always, except on the simplex."""
        return self.weights != "simplex"

    def scale(self, summary: Summary | None = None) -> float:
        """Return 1 / (1 + λ), divided by the sum of all weights, the target's included, if that has to be 1.

        Parameters
        ----------
        summary : Summary, optional
            The sample's `Summary`, which chooses λ if `lam` is None.

        Returns
        -------
        float
            The factor.

        Raises
        ------
        Refusal
            If `lam` is None and there is no summary.
        """
        lam = summary.best_lam() if self.lam is None and summary is not None else self.lam
        if lam is None:
            raise Refusal(f"{checks.echo(self)} has yet to choose lam on a sample; take select(X) first.")
        keep = 1 / (1 + lam)
        if self.weights == "free":
            return keep
        masses = 0.0 if self.target is None else (1 - keep) * float(self.target.weights.sum())
        return keep / (keep + masses)

    def _check(self):
        if self.target is not None:
            refuse_simplex(self, "with a target the estimate is no mixture of the points alone")

    def embed(self, X: PointsLike) -> Embedding:
        chosen = self.select(X)
        kernel, X = chosen._kernel(X)
        keep = 1 / (1 + (chosen.lam or 0.0))
        if self.weights == "simplex":
            return Embedding(kernel, X, on_simplex(kernel(X), keep))
        estimate = Embedding(kernel, X, np.full(len(X), keep / len(X)))
        if self.target is not None:
            estimate = estimate + (1 - keep) * self.target
        return estimate if self.weights == "free" else inverse_sum(estimate.weights, self) * estimate

    def select(self, X: PointsLike) -> Self:
        if self.lam is not None:
            return self.replace(kernel=self._kernel(X)[0])
        kernel, summary = self._summary(X)
        return self.replace(kernel=kernel, lam=summary.best_lam())

    def loocv(self, X: PointsLike, values: VectorLike) -> Vector:
        """Return the score at each λ; `weights` says which weights are scored.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample, n >= 2.
        values : array_like of shape (m,)
            The values of λ.

        Returns
        -------
        ndarray of shape (m,)
            The scores.
        """
        lams = lams_of(values)
        if self.weights == "sum-to-one" and self.target is None:
            lams = np.zeros(lams.shape)
        return self._summary(X)[1].loocv(lams)

    def _summary(self, X):
        """Return the chosen kernel and the Summary of X relative to the target."""
        kernel, X, K = self._gram(X, 2)
        contrast = self._contrast(kernel, X)
        if self.target is None:
            return kernel, Summary.of(K, contrast=contrast)
        cross = Embedding(kernel, X, np.full(len(X), 1 / len(X))).inner(self.target)
        return kernel, Summary.of(K, cross, self.target.inner(self.target), contrast)

    @explain_wrong_calls
    def risk(self, law: Law, n: int) -> float:
        """Return the exact risk E |μ̃ - μ|^2 at a fixed λ.

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

        Raises
        ------
        Refusal
            If `lam` is None, or the weights lie on the simplex.

        Notes
        -----
        The risk is (1 - α)^2 Δ + α^2 |f* - μ|^2, where Δ is the risk of KME. Weights that sum to one give a μ̂ + b f*
        with a + b s = 1, where s is the sum of the target's weights: the risk is a^2 Δ + b^2 |f* - sμ|^2.
        """
        if self.lam is None:
            raise Refusal("SKMSE(lam=None) chooses λ on each sample and has no exact risk; give lam a number.")
        if self.weights == "simplex":
            raise Refusal(
                "SKMSE(weights='simplex') has no exact risk; average its losses over samples, or take 'free'."
            )
        kernel = self._fixed_kernel()
        a, mean = 1 / (1 + self.lam), law.embed(kernel)
        b = 1 - a
        if self.weights == "sum-to-one":
            masses = np.zeros(1) if self.target is None else self.target.weights
            times = inverse_sum(np.array([a, *(b * masses)]), self)
            a, b, mean = times * a, times * b, float(masses.sum()) * mean
        return a**2 * variance(law, kernel, n) + b**2 * squared_distance(mean, self.target)
