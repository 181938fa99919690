"""Shrinkage estimators along λ: losses and leave-one-out scores relative to those of the empirical mean.

One eigendecomposition of the Gram matrix serves every λ: S-KMSE costs O(1) for each, an estimate by its weights O(n^2),
and what a filter keeps (`filtering`) O(n). Papers 001 and 002; the scores are those of genuine refits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from explorer.checks import Refusal, read_only_fields
from explorer.embeddings.risk import best_share
from explorer.printing import printed
from explorer.types import Gram, Matrix, Points, Vector, VectorLike

from .constraints import on_simplex
from .simple import Summary

if TYPE_CHECKING:
    from explorer.embeddings.embedding import Embedding
    from explorer.embeddings.law import Law
    from explorer.kernels.base import Kernel

    from .spectrum import Spectrum


@printed
@dataclass(frozen=True)
class RegularisationPath:
    """One estimator along λ; all losses and scores relative to the empirical mean's.

    lams       (m + 1,): the λ that were asked for and, last, the leave-one-out choice
    loss       (m + 1,), or None where no true distribution is known
    score      (m + 1,), leave-one-out
    best       the λ of least loss; None where no truth is known or every λ is as good
    best_loss  the loss there
    """

    lams: np.ndarray
    loss: np.ndarray | None
    score: np.ndarray
    best: float | None
    best_loss: float | None

    __post_init__ = read_only_fields

    @property
    def height(self) -> Vector:
        """The loss, or the leave-one-out score where no truth is known."""
        return self.score if self.loss is None else self.loss

    @property
    def chosen(self) -> float:
        """The λ of least leave-one-out score."""
        return float(self.lams[-1])


@printed
class Truth(NamedTuple):
    """What the losses of a sample need of the true distribution with kernel mean μ.

    z         μ(x_i), (n,)
    square    |μ|^2
    variance  Δ, the expected loss of the empirical mean
    """

    z: np.ndarray
    square: float
    variance: float

    @classmethod
    def of(cls, law: Law, kernel: Kernel, X: Points) -> Self:
        """From the exact embedding of a distribution, for the sample X (n, d)."""
        mu = law.embed(kernel)
        square = mu.norm() ** 2
        return cls(mu(X), square, (law.expected_diagonal(kernel) - square) / len(X))

    @property
    def share(self) -> float:
        """α*, the best share of S-KMSE."""
        return best_share(self.variance, self.square)

    def empirical_loss(self, spectrum: Spectrum) -> float:
        """|μ̂ - μ|^2 of the sample whose Gram matrix has this `Spectrum`."""
        return spectrum.total / spectrum.n**2 - 2 * self.z.mean() + self.square

    def relative_to(self, target: Target) -> Truth:
        """The truth of points and distribution relative to a target f*: of k(x_i, .) - f* and μ - f*."""
        square = max(self.square - 2 * target.inner + target.square, 0.0)
        return Truth(self.z - target.z - target.inner + target.square, square, self.variance)


@printed
class Target(NamedTuple):
    """What an estimate needs of its target f*.

    z       f*(x_i), (n,)
    square  |f*|^2
    inner   <f*, μ>, 0 where no μ is known
    """

    z: np.ndarray
    square: float
    inner: float

    @classmethod
    def of(cls, embedding: Embedding, X: Points, mean: Embedding | None = None) -> Self:
        """Of an Embedding f*, for the sample X (n, d) and the true kernel mean, None where it is not known."""
        return cls(embedding(X), embedding.norm() ** 2, 0.0 if mean is None else mean.inner(embedding))

    @classmethod
    def zero(cls, n: int) -> Self:
        """f* = 0, for n points."""
        return cls(np.zeros(n), 0.0, 0.0)

    def coefficients(self, spectrum: Spectrum) -> Vector:
        """<f*, v_i> of the unit eigenfunctions v_i, (n,); 0 where an eigenvalue is 0 but for rounding."""
        real = spectrum.gamma > spectrum.n * np.finfo(float).eps * spectrum.gamma[-1]
        return np.divide(self.z @ spectrum.U, np.sqrt(spectrum.gamma), out=np.zeros(spectrum.n), where=real)


@printed
class SimpleEstimates(NamedTuple):
    """S-KMSE along λ.

    path          the Path, m + 1 values of λ
    share         α*, the best share, where it is known
    keeps         (m + 1,): which share of μ̂ is kept, nan where that is not one number
    weights       (m + 1, n)
    coefficients  (m + 1, n): |<estimate, v_i>| / |μ̂|, how long it is along each eigendirection
    """

    path: RegularisationPath
    share: float | None
    keeps: np.ndarray
    weights: np.ndarray
    coefficients: np.ndarray


def simple_estimates(
    spectrum: Spectrum, lams: VectorLike, truth: Truth | None = None, target: Target | None = None
) -> SimpleEstimates:
    """SimpleEstimates of free weights at λ (m,), and last at the leave-one-out choice; with a `Target`, None for 0."""
    target = Target.zero(spectrum.n) if target is None else target
    truth = None if truth is None else truth.relative_to(target)
    path = simple_path(lams, Summary.of_spectrum(spectrum, target.z.mean(), target.square), truth)
    share = None if truth is None else truth.share
    return _of_equal_weights(spectrum, path, share, 1 / (1 + path.lams), target)


def constant_estimates(spectrum: Spectrum, lams: Vector, chosen: float, truth: Truth | None = None) -> SimpleEstimates:
    """SimpleEstimates of weights that sum to one without a target, which are the empirical mean's at every λ."""
    path = level_path(lams, chosen, truth)
    return _of_equal_weights(spectrum, path, None, np.ones(len(path.lams)), Target.zero(spectrum.n))


def _of_equal_weights(spectrum, path, share, keeps, target):
    before, length = _empirical(spectrum)
    along = np.outer(keeps, before) + np.outer(1 - keeps, target.coefficients(spectrum))
    weights = np.repeat(keeps[:, None] / spectrum.n, spectrum.n, axis=1)
    return SimpleEstimates(path, share, keeps, weights, np.abs(along) / length)


def simplex_estimates(
    spectrum: Spectrum, summary: Summary, lams: Vector, weights: Matrix, truth: Truth | None = None
) -> SimpleEstimates:
    """SimpleEstimates of weights (m, n) on the simplex, see `simplex_weights`, at λ (m,), the last the choice."""
    path = weights_path(lams, relative(summary.loocv(lams), summary), weights, spectrum, truth)
    coefficients = np.sqrt(spectrum.gamma) * np.abs(weights @ spectrum.U) / _empirical(spectrum)[1]
    return SimpleEstimates(path, None, np.full(len(lams), np.nan), weights, coefficients)


def simplex_weights(K: Gram, lams: Vector) -> Matrix:
    """S-KMSE's weights on the simplex, (m, n), for a Gram matrix K (n, n) at each λ (m,)."""
    return np.array([on_simplex(K, 1 / (1 + lam)) for lam in lams])


def _empirical(spectrum):
    """<μ̂, v_i> (n,) of the unit eigenfunctions, and |μ̂|, 1 where that is 0."""
    before = np.sqrt(spectrum.gamma) * spectrum.c / spectrum.n
    return before, np.linalg.norm(before) or 1.0


def simple_path(lams: VectorLike, summary: Summary, truth: Truth | None) -> RegularisationPath:
    """S-KMSE's Path from a Summary, every number in O(1) for each λ; with a target, of what is relative to it."""
    lams = np.append(lams, summary.best_lam())
    score = relative(summary.loocv(lams), summary)
    if truth is None:
        return RegularisationPath(lams, None, score, None, None)
    n, diagonal, off_diagonal, _ = summary
    rho, cross = (diagonal + (n - 1) * off_diagonal) / n, truth.z.mean()

    kme = unit_of_losses(rho - 2 * cross + truth.square)

    def loss(keep):
        return (keep**2 * rho - 2 * keep * cross + truth.square) / kme

    keep = float(np.clip(cross / rho, 0.0, 1.0))
    return RegularisationPath(lams, loss(1 / (1 + lams)), score, 1 / keep - 1 if keep > 0 else np.inf, float(loss(keep)))


def level_path(lams: Vector, chosen: float, truth: Truth | None) -> RegularisationPath:
    """The Path of an estimate that is the empirical mean at every λ (m,) and at the chosen one."""
    ones = np.ones(len(lams) + 1)
    return RegularisationPath(np.append(lams, chosen), None if truth is None else ones, ones, None, None)


def weights_path(lams: Vector, score: Vector, weights: Matrix, spectrum: Spectrum, truth: Truth | None) -> RegularisationPath:
    """The Path of an estimate by its weights (m + 1, n) at each λ of lams (m + 1,), the last the choice."""
    if truth is None:
        return RegularisationPath(lams, None, score, None, None)
    b = spectrum.c / spectrum.n
    moved = spectrum.U.T @ weights.T - b[:, None]
    # |μ_β - μ|^2 from the empirical mean's on: nothing large cancels
    more = spectrum.gamma @ moved**2 + 2 * (spectrum.gamma * b - truth.z @ spectrum.U) @ moved
    return RegularisationPath(lams, 1 + more / unit_of_losses(truth.empirical_loss(spectrum)), score, None, None)


def unit_of_losses(kme: float | None) -> float:
    """KME's loss, which losses are counted in; a Refusal where it makes none."""
    if kme is None or not kme > 0:
        raise Refusal(
            "the plain average makes no error here, as under this kernel all points are alike, so there is no loss "
            "relative to its own; take a smaller bandwidth, or other points."
        )
    return kme


def relative(scores: Vector, summary: Summary) -> Vector:
    """Scores in units of the estimated loss of KME on n - 1 points, (ϱ - u) / (n - 1), counted from KME's: KME is 1."""
    unit = summary.gap / (summary.n - 1)
    return 1 + (scores - summary.loocv(0.0)) / unit if unit > 0 else np.ones(len(scores))
