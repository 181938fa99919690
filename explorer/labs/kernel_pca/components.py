"""Kernel PCA of one sample for the page: the fit of a variant, its pictures, and the pre-images of points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from explorer.estimators import FKMSE, SKMSE
from explorer.kernels import Gaussian
from explorer.operators import CovarianceOperator, KernelPCA
from explorer.types import Matrix, Points, Rows, Values, Vector

from .lab import BARS

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel

    from .lab import KernelPCALab


SHUFFLES = 50  # the number of random scores whose best splits are averaged


class Look(NamedTuple):
    """Kernel PCA of the sample under one kernel.

    Attributes
    ----------
    model : KernelPCA
        The fit, with r components: all that exist, up to the number that the page uses.
    lam : float
        The λ of the shrinkage, in the lab's units, or nan without shrinkage.
    shares : ndarray of shape (BARS,)
        Each component's share of the variance in feature space, 0 if the component does not exist.
    kept : float
        The share of the variance of the components kept.
    scores : ndarray of shape (n, 2)
        Scores of the sample along components 1 and 2.
    image : ndarray of shape (g,)
        The chosen component over the plane.
    split : float
        The accuracy at which one threshold on the component separates one group from the others, or nan without groups.
        1 is perfect; `chance_split` is the level of chance.
    """

    model: KernelPCA
    lam: float
    shares: np.ndarray
    kept: float
    scores: np.ndarray
    image: np.ndarray
    split: float

    @classmethod
    def of(
        cls, fit: tuple[KernelPCA, float], X: Points, places: Matrix, groups: Rows | None, component: int, kept: int
    ) -> Self:
        """Return the Look of a fit (model, λ) on points X (n, d), over `places` (g, d), with groups (n,) or None."""
        model, lam = fit
        S, total = model.transform(X), variance_of(model, X)
        turn = turns(S, X)
        S, image, split = S * turn, np.zeros(len(places)), np.nan
        if component <= S.shape[1]:
            image = turn[component - 1] * model.transform(places)[:, component - 1]
            split = np.nan if groups is None else best_split(S[:, component - 1], groups)
        shares = padded(model.eigenvalues_ / total, BARS)
        share = float(model.eigenvalues_[:kept].sum() / total)
        return cls(model, lam, shares, share, padded(S.T, 2).T, image, split)

    @property
    def rank(self) -> int:
        """The number of components that exist, among those that the page uses."""
        return len(self.model.eigenvalues_)


def fitted(
    kernel: Kernel, X: Points, lab: KernelPCALab, most: int, variant: str | None = None
) -> tuple[KernelPCA, float]:
    """Fit kernel PCA on X with at most `most` components; return it and its λ in the lab's units.

    λ is nan without shrinkage, and for a user's estimator.
    """

    def scale():
        return scale_of(kernel, X, variant or lab.variant)

    centering, covariance = lab.estimators(scale, variant)
    if centering is not None:
        centering = centering.replace(kernel=kernel).select(X)
    operator = CovarianceOperator(kernel, covariance, centering).fit(X)
    if covariance is not None:
        covariance = operator.estimator_
    rank = len(operator.principal(most).eigenvalues)
    chosen: Any = centering or covariance
    lam = np.nan
    if isinstance(chosen, SKMSE | FKMSE):  # a user's estimator has no λ for the lab's slider
        found: Any = chosen.lam  # a number: the fit has chosen it
        lam = found / (scale() if isinstance(chosen, FKMSE) else 1.0)
    # without any component the fit refuses with a message of its own
    return KernelPCA(kernel, max(rank, 1), centering, covariance).fit(X), float(lam)


def scale_of(kernel: Kernel, X: Points, variant: str) -> float:
    """Return the unit of F-KMSE's λ: the mean squared norm of the features, or of the tensors of centred ones."""
    if variant.endswith("centred"):
        return float(kernel.diagonal(X).mean())
    model = CovarianceOperator(kernel).fit(X)
    return float((model.embedding_.kernel.diagonal(X)).mean())


def variance_of(model: KernelPCA, X: Points) -> float:
    """Return Σ_i β_i |φ~(x_i)|², the sum of all eigenvalues of the covariance operator."""
    squares = model.reconstruction_error(X) + (model.transform(X) ** 2).sum(axis=1)
    return float(model.weights_ @ squares)


def turns(S: Points, X: Points) -> Vector:
    """Return 1 or -1 for each component, by its scores (n, r), so that its sign is stable while the bandwidth moves.

    An eigenfunction has no sign of its own. Its scores shall rise with the distance from the middle, and with the first
    coordinate.
    """
    far = np.linalg.norm(X - X.mean(axis=0), axis=1)
    along = far - far.mean() + 0.7 * (X[:, 0] - X[:, 0].mean())
    return np.where(along @ S < 0, -1.0, 1.0)


def best_split(scores: Vector, groups: Rows) -> float:
    """Return the best balanced accuracy of one threshold on scores (n,) in separating one group from the others."""
    best = 0.0
    for group in np.unique(groups):
        inside = (groups == group)[np.argsort(scores, kind="stable")]
        below = np.cumsum(inside) / inside.sum(), np.cumsum(~inside) / max((~inside).sum(), 1)
        accuracy = (1 + below[0] - below[1]) / 2
        best = max(best, float(accuracy.max()), float((1 - accuracy).max()))
    return best


def chance_split(groups: Rows) -> float:
    """Return the mean of `best_split` for scores that are independent of the groups.

    It is above 0.5, because the best of all thresholds is taken.
    """
    rng = np.random.default_rng(0)
    return float(np.mean([best_split(rng.random(len(groups)), groups) for _ in range(SHUFFLES)]))


def kept_scores(model: KernelPCA, Z: Points, kept: int) -> Matrix:
    """Return the scores of points Z (m, d), shape (m, r), with 0 beyond the first `kept` components."""
    S = model.transform(Z)
    S[:, kept:] = 0.0
    return S


def pre_images(model: KernelPCA, Z: Points, kept: int) -> Matrix:
    """Return the points (m, d) whose features are nearest to the projections of Z (m, d) on the components kept."""
    method = "fixed-point" if isinstance(model.kernel_, Gaussian) else "regression"
    return model.pre_image(scores=kept_scores(model, Z, kept), method=method)


def padded(values: Values, length: int) -> Values:
    """Return the first `length` of values, padded with zeros."""
    values = values[:length]
    return np.concatenate([values, np.zeros((length - len(values), *values.shape[1:]))])
