"""Covariate shift: weights that make a source sample look like a target sample, by matching kernel means."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.conditional import ConditionalEmbedding
from explorer.frames import names_of
from explorer.kernels import Kernel, Linear
from explorer.kernels.base import kernel_field
from explorer.parameters import LogNumber, Real
from explorer.svg import inline_pictures
from explorer.types import Points, PointsLike, Vector, VectorLike, Weights

from .box_program import BoxProgram
from .inputs import DomainLearner, check_domains, overlap_remark, reweight_source

if TYPE_CHECKING:
    from explorer.embeddings import Embedding


FAR = 0.5  # a reweighted source farther away than this, relative to the target mean's norm, has missed the target


class CovariateShift(DomainLearner):
    r"""Weights that make a source sample look like a target sample: kernel mean matching.

    Use it to learn from one sample and predict for another whose x are distributed differently. If the shares of the
    classes have changed instead, use `TargetShift`.

    The weights estimate the ratio of the densities of target and source at the source's points, if p(y | x) is common
    to both and p(x) is not.

    Parameters
    ----------
    kernel : Kernel or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on both samples together.
    bound : float, default 1000.0
        B, the largest weight; at least 1 - tolerance. A small one keeps the effective sample size large.
    tolerance : float or None, default None
        Tolerance ε: how far the mean of the weights may be from one. None is (√n - 1)/√n; 0 makes the mean exactly
        one.

    Attributes
    ----------
    kernel_ : Kernel
        The chosen kernel.
    X_source_ : ndarray of shape (n, d)
        Points of the source.
    X_target_ : ndarray of shape (m, d)
        Points of the target.
    tolerance_ : float
        ε.
    weights_ : ndarray of shape (n,)
        b, for the `sample_weight` of any learner. `weights` gives those of other points.
    effective_sample_size_ : float
        (Σ b)² / Σ b², between 1 and n; 0 if all weights are 0.
    embedding_ : Embedding
        (1/n) Σ b_i k(x_i, .).
    distance_ : float
        RKHS distance of the embedding to the target's kernel mean.
    norm_ : float
        Norm of the target's kernel mean.
    remark_ : str
        The warning, or empty.

    Notes
    -----
    The weights b minimise

    .. math:: \Bigl\| \frac1n \sum_i b_i k(x_i, \cdot) - \frac1m \sum_j k(z_j, \cdot) \Bigr\|.

    With K the source's Gram matrix and κ = (n/m) K_xz 1 this is the least b'Kb/2 - κ'b over 0 <= b <= bound and
    :math:`| \bar b - 1 | \le` tolerance. Several b may be minimal: the one nearest to b = 1 is taken, by a ridge of
    1e-9. The cost is O(n³) and n² numbers.

    References
    ----------
    Wikipedia, Kernel embedding of distributions, section on domain adaptation.

    Gretton et al. 2009, eq. 8.5 (in Dataset Shift in Machine Learning, MIT Press).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import CovariateShift, Gaussian
    >>> rng = np.random.default_rng(0)
    >>> source, target = rng.normal(size=200), 1.0 + 0.5 * rng.normal(size=100)
    >>> shift = CovariateShift(Gaussian(0.5)).fit(source, target)
    >>> bool(abs(np.average(source, weights=shift.weights_) - target.mean()) < 0.02)
    True
    >>> bool(1 < shift.effective_sample_size_ < 200)
    True
    """

    kernel: Kernel | None = kernel_field()
    bound: float = LogNumber(
        default=1000.0,
        bounds=(0, None),
        inclusive_bounds=(False, True),
        softbounds=(1, 1000),
        infinite=True,
        symbol="B",
        doc="the largest weight",
    )
    tolerance: float | None = Real(
        default=None,
        bounds=(0, None),
        softbounds=(0, 1),
        allow_None=True,
        symbol="ε",
        doc="how far the weights' mean may be from one",
    )

    def _check(self):
        if self.tolerance is not None:
            self._refuse_small_bound(self.tolerance)

    def _refuse_small_bound(self, tolerance):
        if self.bound < 1 - tolerance:
            raise Refusal(
                f"bound={self.bound:g} is below 1 - tolerance = {1 - tolerance:.4g}, which the weights' mean must"
                " reach; take a larger bound or tolerance."
            )

    def fit(self, X_source: PointsLike, X_target: PointsLike, weights: VectorLike | None = None) -> Self:
        """Learn from the source and the target, and warn if they hardly overlap.

        Parameters
        ----------
        X_source : array_like of shape (n, d)
            Points of the source.
        X_target : array_like of shape (m, d)
            Points of the target.
        weights : array_like of shape (n,) or None, default None
            How often each row of the source counts. Whole numbers act as repeated rows, and a row of weight 0 is left
            out, of `weights_` too.

        Returns
        -------
        CovariateShift
            The fitted object itself.

        Raises
        ------
        ValueError
            If the bound is below 1 - tolerance, or the samples have different dimensions.

        Warns
        -----
        ExplorerWarning
            If the distance exceeds half the norm of the target's kernel mean: no overlap.
        """
        return self.learn(X_source, X_target, weights)._with_warnings()

    def learn(self, X_source: PointsLike, X_target: PointsLike, weights: VectorLike | None = None) -> Self:
        """Learn as `fit` does, from the same arguments, but leave the warning in `remark_`.

        Parameters
        ----------
        X_source : array_like of shape (n, d)
            Points of the source.
        X_target : array_like of shape (m, d)
            Points of the target.
        weights : array_like of shape (n,) or None, default None
            How often each row of the source counts.

        Returns
        -------
        CovariateShift
            The fitted object itself.
        """
        data = check_domains(self.kernel, X_source, X_target, weights=weights)
        n = data.n
        tolerance = (math.sqrt(n) - 1) / math.sqrt(n) if self.tolerance is None else self.tolerance
        self._refuse_small_bound(tolerance)
        self.counts_: Vector | None = None if weights is None else checks.read_only(data.counts)
        b = self._programme(data, tolerance).solve()
        self.kernel_: Kernel = data.kernel
        self.X_source_: Points = data.source
        self.X_target_: Points = data.target
        self.tolerance_: float = tolerance
        self.weights_: Vector = checks.read_only(b)
        vars(self).pop("regression_", None)
        self.effective_sample_size_: float = effective_sample_size(b, data.counts)
        match = reweight_source(data, b)
        self.embedding_: Embedding = match.mean.over(names_of(X_source))
        self.distance_: float = match.distance
        self.norm_: float = match.norm
        self.remark_: str = overlap_remark(
            match, FAR, "Take a larger bound, a wider kernel, or a source that covers the target."
        )
        return self

    def weights(self, Z: PointsLike) -> Vector:
        """Return the weights of new source points: b(z) = b̄ + k(z, X) (K + λI)^-1 (b - b̄), within 0 and bound.

        Parameters
        ----------
        Z : array_like of shape (k, d)
            New points.

        Returns
        -------
        ndarray of shape (k,)
            Their weights.

        Raises
        ------
        ValueError
            If Z has other columns than the source, or if there was one source point.

        Notes
        -----
        The programme gives b at the source's points only. This method is its kernel ridge regression on them about the
        mean b̄, with the λ of the least leave-one-out score, as in ConditionalEmbedding. At the source's points it is
        smoother than `weights_`, which match the target's kernel mean best. The cost is O(n³) at the first call.
        """
        fitted = self._fitted()
        Z = fitted.kernel_.points(Z, "Z")
        checks.same_dimension(Z, fitted.X_source_, ("Z", "the source"))
        mean = np.average(fitted.weights_, weights=fitted.counts_)
        regression = vars(fitted).get("regression_")
        if regression is None:
            regression = ConditionalEmbedding(fitted.kernel_, Linear())
            regression.fit(fitted.X_source_, fitted.weights_ - mean, fitted.counts_)
            self.regression_ = regression
        return np.clip(mean + regression.predict(Z), 0.0, fitted.bound)

    def _programme(self, data, tolerance):
        """Return the quadratic programme of the weights."""
        n, kernel, c = data.n, data.kernel, data.counts
        # Far from zero, or under a wide kernel, the mean is one up to rounding. The kernel's increments then keep the
        # digits that distinguish the points.
        contrast = kernel.contrast(np.concatenate([data.source, data.target]))
        if contrast is not kernel and self.bound >= 1:
            kernel, tolerance = contrast, 0.0
        kappa, K = n * kernel(data.source, data.target).mean(axis=1), kernel(data.source)
        # A point that represents several rows has their weight once: (Cb)'K Cb/2 - κ'Cb.
        K, kappa = (K, kappa) if self.counts_ is None else (c[:, None] * K * c, c * kappa)
        return BoxProgram(K, kappa, c, self.bound, n * (1 - tolerance), n * (1 + tolerance))

    def _sentence(self):
        if not hasattr(self, "weights_"):
            return super()._sentence()
        n, size = len(self.weights_), self.effective_sample_size_
        return (
            f"Weights of {n} points, effective sample size {size:.3g}; {self.distance_:.3g} from the target's"
            " kernel mean."
        )

    def _picture(self):
        if not hasattr(self, "weights_"):
            return super()._picture()
        return inline_pictures.bars(np.sort(self.weights_)[::-1], self._sentence())


def effective_sample_size(weights: Weights, counts: float | Vector = 1.0) -> float:
    """Return (Σ b)² / Σ b²: the number of equal weights whose average is as precise; 0 if all weights are 0.

    Parameters
    ----------
    weights : ndarray of shape (n,)
        Weights b.
    counts : float or ndarray of shape (n,), default 1.0
        How often each weight counts.

    Returns
    -------
    float
        The effective sample size.
    """
    square = float((counts * np.square(weights)).sum())
    return float((counts * weights).sum() ** 2 / square) if square else 0.0
