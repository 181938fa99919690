"""Covariate shift: weights that make a source sample look like a target sample, by matching kernel means."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Self

import numpy as np

from explorer import checks, inline_pictures
from explorer.checks import Refusal
from explorer.conditional import ConditionalEmbedding
from explorer.frames import names_of
from explorer.kernels import Kernel, Linear
from explorer.parameters import LogNumber, Part, Real
from explorer.types import Points, PointsLike, Vector, VectorLike, Weights

from .box_program import BoxProgram
from .inputs import Adapted, domains, no_overlap, reweighted

if TYPE_CHECKING:
    from explorer.embeddings import Embedding


FAR = 0.5  # of the target mean's norm: a reweighted source that is farther away has missed the target


class CovariateShift(Adapted):
    """Kernel mean matching: weights b with |(1/n) Σ_i b_i k(x_i, .) - (1/m) Σ_j k(z_j, .)| least.

    They estimate the ratio of the densities of target and source at the source's points, where p(y | x) is common to
    both and p(x) is not. With K the source's Gram matrix and κ = (n/m) K_xz 1 it makes b'Kb/2 - κ'b least over
    0 <= b <= bound, |mean b - 1| <= tolerance: article 003, section on domain adaptation; Gretton et al. 2009, eq. 8.5
    (in Dataset Shift in Machine Learning, MIT Press). Several b may be least: it takes the one nearest to b = 1, by a
    ridge of 1e-9.

    kernel     None is Gaussian(), an automatic bandwidth the median heuristic on both samples together
    bound      B, the largest weight; at least 1 - tolerance. A small one keeps the effective sample size large
    tolerance  ε; None is (√n - 1)/√n, 0 makes the mean exactly one

    `fit` learns, n and m the numbers of points:
    kernel_, X_source_, X_target_  the chosen kernel, and the points
    tolerance_                     ε
    weights_ (n,)                  b, for the `sample_weight` of any learner; `weights` has those of other points
    effective_sample_size_         (Σ b)² / Σ b², between 1 and n: 0 where all are 0
    embedding_, distance_, norm_   (1/n) Σ b_i k(x_i, .), its RKHS distance to the target's kernel mean, that one's norm
    remark_                        the warning, or empty

    O(n³) and n² numbers.

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

    kernel: Kernel | None = Part(class_=Kernel, default=None, allow_None=True, doc="the kernel; None is Gaussian()")
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
        """Learn from the source (n, d) and the target (m, d); returns self.

        weights  (n,), how often each row of the source counts: whole numbers as repeated rows, and one of weight 0 is
                 left out, of `weights_` too

        Our warning where the distance exceeds half the norm of the target's kernel mean: no overlap. ValueError for a
        bound below 1 - tolerance.
        """
        return self.learn(X_source, X_target, weights)._warned()

    def learn(self, X_source: PointsLike, X_target: PointsLike, weights: VectorLike | None = None) -> Self:
        """`fit`, of the same arguments, without its warning: that is `remark_`, else empty."""
        found = domains(self.kernel, X_source, X_target, weights=weights)
        n = found.n
        tolerance = (math.sqrt(n) - 1) / math.sqrt(n) if self.tolerance is None else self.tolerance
        self._refuse_small_bound(tolerance)
        self.counts_: Vector | None = None if weights is None else checks.read_only(found.counts)
        b = self._programme(found, tolerance).solve()
        self.kernel_: Kernel = found.kernel
        self.X_source_: Points = found.source
        self.X_target_: Points = found.target
        self.tolerance_: float = tolerance
        self.weights_: Vector = checks.read_only(b)
        vars(self).pop("regression_", None)
        self.effective_sample_size_: float = effective_sample_size(b, found.counts)
        match = reweighted(found, b)
        self.embedding_: Embedding = match.mean.over(names_of(X_source))
        self.distance_: float = match.distance
        self.norm_: float = match.norm
        self.remark_: str = no_overlap(
            match, FAR, "Take a larger bound, a wider kernel, or a source that covers the target."
        )
        return self

    def weights(self, Z: PointsLike) -> Vector:
        """Weights of new source points Z (k, d), (k,): b(z) = b̄ + k(z, X) (K + λI)^-1 (b - b̄), within 0 and bound.

        The programme says b at the source's own points alone. This is its kernel ridge regression on them about the
        mean b̄, λ of least leave-one-out score, as of ConditionalEmbedding; at the source's points it is smoother than
        `weights_`, which match the target's kernel mean best. O(n³) at the first call. ValueError where Z has other
        columns than the source, or there was one source point.
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

    def _programme(self, found, tolerance):
        """The quadratic programme of the weights."""
        n, kernel, c = found.n, found.kernel, found.counts
        # far from zero, or under a wide kernel, the mean is one up to rounding: then the kernel's increments keep the
        # digits that tell points apart
        contrast = kernel.contrast(np.concatenate([found.source, found.target]))
        if contrast is not kernel and self.bound >= 1:
            kernel, tolerance = contrast, 0.0
        kappa, K = n * kernel(found.source, found.target).mean(axis=1), kernel(found.source)
        # a point that stands for several rows has their weight once: (Cb)'K Cb/2 - κ'Cb
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
    """(Σ b)² / Σ b², each as often as it counts: how many equal ones would make averages as sure; 0 where all are 0."""
    square = float((counts * np.square(weights)).sum())
    return float((counts * weights).sum() ** 2 / square) if square else 0.0
