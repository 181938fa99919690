"""Shrinkage estimators along λ: losses and leave-one-out scores relative to those of the empirical mean.

One eigendecomposition of the Gram matrix serves every λ. For each λ, S-KMSE costs O(1), an estimate by its weights
O(n^2), and a filter's values (`filtering`) O(n). The estimators are those of [muandet2014stein] and
[muandet2016shrinkage]; the scores are those of genuine refits.
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
    """Losses and leave-one-out scores of one estimator at several λ, relative to the empirical mean's.

    Attributes
    ----------
    lams : ndarray of shape (m + 1,)
        The requested values of λ and, last, the leave-one-out choice.
    loss : ndarray of shape (m + 1,) or None
        The losses; None if the true distribution is not known.
    score : ndarray of shape (m + 1,)
        The leave-one-out scores.
    best : float or None
        The λ of least loss; None if the truth is not known or all λ have the same loss.
    best_loss : float or None
        The loss at `best`.
    """

    lams: np.ndarray
    loss: np.ndarray | None
    score: np.ndarray
    best: float | None
    best_loss: float | None

    __post_init__ = read_only_fields

    @property
    def height(self) -> Vector:
        """The loss, or the leave-one-out score if the truth is not known."""
        return self.score if self.loss is None else self.loss

    @property
    def chosen(self) -> float:
        """The λ of least leave-one-out score."""
        return float(self.lams[-1])


@printed
class Truth(NamedTuple):
    """Facts about the true distribution, of kernel mean μ, that the losses of a sample need.

    Attributes
    ----------
    z : ndarray of shape (n,)
        The values μ(x_i).
    square : float
        |μ|^2.
    variance : float
        Δ, the expected loss of the empirical mean.
    """

    z: np.ndarray
    square: float
    variance: float

    @classmethod
    def of(cls, law: Law, kernel: Kernel, X: Points) -> Self:
        """Return the Truth of a distribution, from its exact embedding.

        Parameters
        ----------
        law : Law
            The distribution.
        kernel : Kernel
            The kernel.
        X : ndarray of shape (n, d)
            The sample.

        Returns
        -------
        Truth
            The facts.
        """
        mu = law.embed(kernel)
        square = mu.norm() ** 2
        return cls(mu(X), square, (law.expected_diagonal(kernel) - square) / len(X))

    @property
    def share(self) -> float:
        """The share α* of the empirical mean that S-KMSE removes at the least expected loss."""
        return best_share(self.variance, self.square)

    def empirical_loss(self, spectrum: Spectrum) -> float:
        """Return |μ̂ - μ|^2 of the sample whose Gram matrix has this `Spectrum`.

        Parameters
        ----------
        spectrum : Spectrum
            The eigendecomposition of the sample's Gram matrix.

        Returns
        -------
        float
            The loss.
        """
        return spectrum.total / spectrum.n**2 - 2 * self.z.mean() + self.square

    def relative_to(self, target: Target) -> Truth:
        """Return the truth about k(x_i, .) - f* and μ - f*, relative to a target f*.

        Parameters
        ----------
        target : Target
            The target f*.

        Returns
        -------
        Truth
            The facts about the shifted points and the shifted distribution.
        """
        square = max(self.square - 2 * target.inner + target.square, 0.0)
        return Truth(self.z - target.z - target.inner + target.square, square, self.variance)


@printed
class Target(NamedTuple):
    """Facts about a target f* that an estimate needs.

    Attributes
    ----------
    z : ndarray of shape (n,)
        The values f*(x_i).
    square : float
        |f*|^2.
    inner : float
        <f*, μ>; 0 if μ is not known.
    """

    z: np.ndarray
    square: float
    inner: float

    @classmethod
    def of(cls, embedding: Embedding, X: Points, mean: Embedding | None = None) -> Self:
        """Return the facts about an embedding as a target: its values at the sample, and its inner products.

        Parameters
        ----------
        embedding : Embedding
            The target f*.
        X : ndarray of shape (n, d)
            The sample.
        mean : Embedding, optional
            The true kernel mean; None if it is not known.

        Returns
        -------
        Target
            The facts.
        """
        return cls(embedding(X), embedding.norm() ** 2, 0.0 if mean is None else mean.inner(embedding))

    @classmethod
    def zero(cls, n: int) -> Self:
        """Return the target f* = 0 for n points.

        Parameters
        ----------
        n : int
            The number of points.

        Returns
        -------
        Target
            The facts, all 0.
        """
        return cls(np.zeros(n), 0.0, 0.0)

    def coefficients(self, spectrum: Spectrum) -> Vector:
        """Return <f*, v_i> for the unit eigenfunctions v_i; 0 if an eigenvalue is 0 apart from rounding.

        Parameters
        ----------
        spectrum : Spectrum
            The eigendecomposition of the sample's Gram matrix.

        Returns
        -------
        ndarray of shape (n,)
            The inner products.
        """
        real = spectrum.gamma > spectrum.n * np.finfo(float).eps * spectrum.gamma[-1]
        return np.divide(self.z @ spectrum.U, np.sqrt(spectrum.gamma), out=np.zeros(spectrum.n), where=real)


@printed
class SimpleEstimates(NamedTuple):
    """Estimates by S-KMSE at several λ: their losses, scores, weights and lengths.

    Attributes
    ----------
    path : RegularisationPath
        The losses and scores at m + 1 values of λ.
    share : float or None
        α*, the share of μ̂ that S-KMSE removes at the least expected loss, if it is known.
    keeps : ndarray of shape (m + 1,)
        The share that is kept of μ̂; nan if that is not one number.
    weights : ndarray of shape (m + 1, n)
        The weights of the points.
    coefficients : ndarray of shape (m + 1, n)
        |<estimate, v_i>| / |μ̂|, the length of the estimate along each eigendirection.
    """

    path: RegularisationPath
    share: float | None
    keeps: np.ndarray
    weights: np.ndarray
    coefficients: np.ndarray


def simple_estimates(
    spectrum: Spectrum, lams: VectorLike, truth: Truth | None = None, target: Target | None = None
) -> SimpleEstimates:
    """Return S-KMSE's estimates with free weights at each λ and, as the last, at the leave-one-out choice.

    Parameters
    ----------
    spectrum : Spectrum
        The eigendecomposition of the sample's Gram matrix.
    lams : array_like of shape (m,)
        The values of λ.
    truth : Truth, optional
        The true distribution; None if it is not known.
    target : Target, optional
        The target f*; None is 0.

    Returns
    -------
    SimpleEstimates
        One record for all λ: its arrays have a row for each.
    """
    target = Target.zero(spectrum.n) if target is None else target
    truth = None if truth is None else truth.relative_to(target)
    path = simple_path(lams, Summary.of_spectrum(spectrum, target.z.mean(), target.square), truth)
    share = None if truth is None else truth.share
    return _of_equal_weights(spectrum, path, share, 1 / (1 + path.lams), target)


def constant_estimates(spectrum: Spectrum, lams: Vector, chosen: float, truth: Truth | None = None) -> SimpleEstimates:
    """Return S-KMSE's estimates with weights that sum to one, without a target: the empirical mean at every λ.

    Parameters
    ----------
    spectrum : Spectrum
        The eigendecomposition of the sample's Gram matrix.
    lams : ndarray of shape (m,)
        The values of λ.
    chosen : float
        The chosen λ.
    truth : Truth, optional
        The true distribution; None if it is not known.

    Returns
    -------
    SimpleEstimates
        One record for all λ: its arrays have a row for each.
    """
    path = level_path(lams, chosen, truth)
    return _of_equal_weights(spectrum, path, None, np.ones(len(path.lams)), Target.zero(spectrum.n))


def _of_equal_weights(spectrum, path, share, keeps, target):
    """Return the SimpleEstimates of equal weights; at each λ the share `keeps` of μ̂ is kept."""
    before, length = _empirical(spectrum)
    along = np.outer(keeps, before) + np.outer(1 - keeps, target.coefficients(spectrum))
    weights = np.repeat(keeps[:, None] / spectrum.n, spectrum.n, axis=1)
    return SimpleEstimates(path, share, keeps, weights, np.abs(along) / length)


def simplex_estimates(
    spectrum: Spectrum, summary: Summary, lams: Vector, weights: Matrix, truth: Truth | None = None
) -> SimpleEstimates:
    """Return S-KMSE's estimates with weights on the simplex at each λ; the last λ is the chosen one.

    Parameters
    ----------
    spectrum : Spectrum
        The eigendecomposition of the sample's Gram matrix.
    summary : Summary
        The sample's `Summary`.
    lams : ndarray of shape (m,)
        The values of λ, the last the choice.
    weights : ndarray of shape (m, n)
        The weights at each λ, see `simplex_weights`.
    truth : Truth, optional
        The true distribution; None if it is not known.

    Returns
    -------
    SimpleEstimates
        One record for all λ: its arrays have a row for each.
    """
    path = weights_path(lams, relative(summary.loocv(lams), summary), weights, spectrum, truth)
    coefficients = np.sqrt(spectrum.gamma) * np.abs(weights @ spectrum.U) / _empirical(spectrum)[1]
    return SimpleEstimates(path, None, np.full(len(lams), np.nan), weights, coefficients)


def simplex_weights(K: Gram, lams: Vector) -> Matrix:
    """Return S-KMSE's weights on the simplex at each λ.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The Gram matrix.
    lams : ndarray of shape (m,)
        The values of λ.

    Returns
    -------
    ndarray of shape (m, n)
        The weights.
    """
    return np.array([on_simplex(K, 1 / (1 + lam)) for lam in lams])


def _empirical(spectrum):
    """Return <μ̂, v_i> (n,) for the unit eigenfunctions v_i, and |μ̂|, or 1 if that is 0."""
    before = np.sqrt(spectrum.gamma) * spectrum.c / spectrum.n
    return before, np.linalg.norm(before) or 1.0


def simple_path(lams: VectorLike, summary: Summary, truth: Truth | None) -> RegularisationPath:
    """Return S-KMSE's losses and scores at several λ from a sample's `Summary`, in O(1) for each λ.

    Parameters
    ----------
    lams : array_like of shape (m,)
        The values of λ; the leave-one-out choice is appended.
    summary : Summary
        The sample's `Summary`; with a target, that of the points relative to it.
    truth : Truth or None
        The true distribution, relative to the target, if it is known.

    Returns
    -------
    RegularisationPath
        One record for all λ: its arrays have an entry for each.
    """
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
    return RegularisationPath(
        lams, loss(1 / (1 + lams)), score, 1 / keep - 1 if keep > 0 else np.inf, float(loss(keep))
    )


def level_path(lams: Vector, chosen: float, truth: Truth | None) -> RegularisationPath:
    """Return losses and scores that are all 1, of an estimate that is the empirical mean at every λ."""
    ones = np.ones(len(lams) + 1)
    return RegularisationPath(np.append(lams, chosen), None if truth is None else ones, ones, None, None)


def weights_path(
    lams: Vector, score: Vector, weights: Matrix, spectrum: Spectrum, truth: Truth | None
) -> RegularisationPath:
    """Return the losses and scores of an estimator from its weights at each λ.

    Parameters
    ----------
    lams : ndarray of shape (m + 1,)
        The values of λ, the last the choice.
    score : ndarray of shape (m + 1,)
        The relative leave-one-out scores.
    weights : ndarray of shape (m + 1, n)
        The weights at each λ.
    spectrum : Spectrum
        The eigendecomposition of the sample's Gram matrix.
    truth : Truth or None
        The true distribution, if it is known.

    Returns
    -------
    RegularisationPath
        One record for all λ: its arrays have an entry for each.
    """
    if truth is None:
        return RegularisationPath(lams, None, score, None, None)
    b = spectrum.c / spectrum.n
    moved = spectrum.U.T @ weights.T - b[:, None]
    # |μ_β - μ|^2 is computed as its difference from the empirical mean's loss, so nothing large cancels.
    more = spectrum.gamma @ moved**2 + 2 * (spectrum.gamma * b - truth.z @ spectrum.U) @ moved
    return RegularisationPath(lams, 1 + more / unit_of_losses(truth.empirical_loss(spectrum)), score, None, None)


def unit_of_losses(kme: float | None) -> float:
    """Return KME's loss, the unit of losses, or raise a Refusal if it makes none.

    Parameters
    ----------
    kme : float or None
        The loss of the empirical mean.

    Returns
    -------
    float
        The loss, above 0.

    Raises
    ------
    Refusal
        If the loss is 0 or None.
    """
    if kme is None or not kme > 0:
        raise Refusal(
            "the plain average makes no error here, as under this kernel all points are alike, so there is no loss "
            "relative to its own; take a smaller bandwidth, or other points."
        )
    return kme


def relative(scores: Vector, summary: Summary) -> Vector:
    """Return scores relative to KME's, in units of the estimated loss of KME on n - 1 points.

    The unit is (ϱ - u) / (n - 1), and KME's own score becomes 1.

    Parameters
    ----------
    scores : ndarray of shape (m,)
        The leave-one-out scores.
    summary : Summary
        The sample's `Summary`.

    Returns
    -------
    ndarray of shape (m,)
        The relative scores.
    """
    unit = summary.gap / (summary.n - 1)
    return 1 + (scores - summary.loocv(0.0)) / unit if unit > 0 else np.ones(len(scores))
