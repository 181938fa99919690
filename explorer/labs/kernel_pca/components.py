"""Kernel PCA of one sample as a page looks at it: the fit of a variant, what is drawn of it, and where a point goes."""

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


SHUFFLES = 50  # scores by chance, whose best splits are averaged


class Look(NamedTuple):
    """What a state shows of a kernel.

    model   the fit, with as many components as there are up to those that are looked at, r of them
    lam     the λ of what is shrunk, in the lab's units; nan where nothing is
    shares  (BARS,) each component's share of the variance in feature space, 0 where there is none
    kept    the share of the components that are kept
    scores  (n, 2) of the sample, along components 1 and 2
    image   (g,) the chosen component over the plane
    split   how well one threshold on it tells one group from the others: 1 is always, and what chance gives is
            `chance_split`; nan of no groups
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
        """Of a fit (model, λ) on points X (n, d), over `places` (g, d); groups (n,) or None."""
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
        """How many components there are, of those that are looked at."""
        return len(self.model.eigenvalues_)


def fitted(
    kernel: Kernel, X: Points, lab: KernelPCALab, most: int, variant: str | None = None
) -> tuple[KernelPCA, float]:
    """(KernelPCA on X with as many components as there are, at most so many; its λ in the lab's units, or nan)."""

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
    if isinstance(chosen, SKMSE | FKMSE):  # an estimator of one's own has none that the lab's slider moves
        found: Any = chosen.lam  # chosen by now
        lam = found / (scale() if isinstance(chosen, FKMSE) else 1.0)
    # where there is none, the fit says so in its own sentence
    return KernelPCA(kernel, max(rank, 1), centering, covariance).fit(X), float(lam)


def scale_of(kernel: Kernel, X: Points, variant: str) -> float:
    """What F-KMSE's λ counts in: the mean squared norm of the features, or of the tensors of centred ones."""
    if variant.endswith("centred"):
        return float(kernel.diagonal(X).mean())
    model = CovarianceOperator(kernel).fit(X)
    return float((model.embedding_.kernel.diagonal(X)).mean())


def variance_of(model: KernelPCA, X: Points) -> float:
    """Σ_i β_i |φ~(x_i)|², the sum of all eigenvalues of the covariance operator."""
    squares = model.reconstruction_error(X) + (model.transform(X) ** 2).sum(axis=1)
    return float(model.weights_ @ squares)


def turns(S: Points, X: Points) -> Vector:
    """1 or -1 for each component, by its scores (n, r), so that it keeps its sign while the bandwidth moves.

    A function has no sign of its own: its scores are to rise with the distance from the middle, and with the first
    coordinate.
    """
    far = np.linalg.norm(X - X.mean(axis=0), axis=1)
    along = far - far.mean() + 0.7 * (X[:, 0] - X[:, 0].mean())
    return np.where(along @ S < 0, -1.0, 1.0)


def best_split(scores: Vector, groups: Rows) -> float:
    """The best balanced accuracy of one threshold on scores (n,) at telling one group from the others."""
    best = 0.0
    for group in np.unique(groups):
        inside = (groups == group)[np.argsort(scores, kind="stable")]
        below = np.cumsum(inside) / inside.sum(), np.cumsum(~inside) / max((~inside).sum(), 1)
        accuracy = (1 + below[0] - below[1]) / 2
        best = max(best, float(accuracy.max()), float((1 - accuracy).max()))
    return best


def chance_split(groups: Rows) -> float:
    """What `best_split` is on average where scores know nothing of the groups: above 0.5, as the best one is taken."""
    rng = np.random.default_rng(0)
    return float(np.mean([best_split(rng.random(len(groups)), groups) for _ in range(SHUFFLES)]))


def kept_scores(model: KernelPCA, Z: Points, kept: int) -> Matrix:
    """The scores of points Z (m, d), of which the first so many are kept and the others are 0, (m, r)."""
    S = model.transform(Z)
    S[:, kept:] = 0.0
    return S


def pre_images(model: KernelPCA, Z: Points, kept: int) -> Matrix:
    """The points (m, d) whose features are nearest to what the components that are kept keep of Z (m, d)."""
    method = "fixed-point" if isinstance(model.kernel_, Gaussian) else "regression"
    return model.pre_image(scores=kept_scores(model, Z, kept), method=method)


def padded(values: Values, length: int) -> Values:
    """The first so many of values, followed by zeros."""
    values = values[:length]
    return np.concatenate([values, np.zeros((length - len(values), *values.shape[1:]))])
