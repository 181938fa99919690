"""Fits as the density lab stores them: one fit at the slider's stops, and the ends of many fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from explorer.learning import FitPath
from explorer.types import Matrix, Points, Rows, Vector
from explorer.workbench.seeds import distant_seed
from explorer.workbench.user_points import apply

if TYPE_CHECKING:
    from explorer.learning.mixture_density import MixtureDensity


AWAY = 10**9  # offset from the seed of a sample to the seed of its held-out points


class Course(NamedTuple):
    """A fit at the slider's stops.

    Attributes
    ----------
    steps : ndarray of shape (r,)
        Step of the fit at each stop.
    distance : ndarray of shape (r,)
        RKHS distance to the estimate.
    nll : ndarray of shape (r,)
        Held-out negative log-likelihood, in nats.
    """

    steps: np.ndarray
    distance: np.ndarray
    nll: np.ndarray


class Endings(NamedTuple):
    """Held-out negative log-likelihoods (NLL) of fits to additional samples.

    Attributes
    ----------
    start : ndarray of shape (samples,)
        NLL of the start.
    ends : dict of str to ndarray of shape (samples,)
        NLL of the end of each estimator's fit.
    """

    start: np.ndarray
    ends: dict[str, np.ndarray]

    def differences(self, name: str) -> tuple[Vector, Vector]:
        """Return an estimator's gains over the start, and over the plain average's fit, each of shape (samples,)."""
        return self.start - self.ends[name], self.ends["KME"] - self.ends[name]


def held_seed(seed: int) -> int:
    """Return the seed of the held-out points."""
    return distant_seed(seed, AWAY)


def steps_at(fit: MixtureDensity, stops: Sequence[int]) -> Rows:
    """Return the step that a fit has reached at each stop, shape (r,)."""
    return np.minimum(stops, len(fit.path_) - 1)


def moved_path(path: FitPath, steps: Rows, moved: str) -> FitPath:
    """Return a FitPath at some of its steps. The components in the text `moved` are placed as that text says."""
    means = np.array([apply(each, moved) for each in path.means[steps]])
    return FitPath(path.weights[steps], means, path.variances[steps])


def course(fit: MixtureDensity, stops: Sequence[int], held: Matrix) -> Course:
    """Return a fit at the slider's stops."""
    steps = steps_at(fit, stops)
    nll = -moved_path(fit.path_, steps, "").scores(held)
    return Course(steps, np.sqrt(np.maximum(fit.history_[steps], 0.0)), nll)


def log_densities(path: FitPath, Z: Points) -> Any:
    """Return the log densities of every mixture of a FitPath at points Z (N, d), shape (r, N)."""
    terms = np.zeros((*path.weights.shape, len(Z)))
    for j, column in enumerate(Z.T):
        terms += (column - path.means[:, :, j, None]) ** 2
    terms /= -2 * path.variances[:, :, None]
    with np.errstate(divide="ignore"):  # the weight of a component may underflow to 0
        terms += (np.log(path.weights) - 0.5 * Z.shape[1] * np.log(2 * np.pi * path.variances))[:, :, None]
    return logsumexp(terms, axis=1)


def densities(path: FitPath, axes: Sequence[Vector]) -> Matrix:
    """Return the densities of every mixture of a FitPath on the grid over `axes`, shape (r, g).

    The first axis runs fastest.
    """
    heights = path.weights[:, :, None]
    for j, axis in enumerate(axes):
        squares = (axis - path.means[:, :, j, None]) ** 2 / path.variances[:, :, None]
        factor = np.exp(-0.5 * squares) / np.sqrt(2 * np.pi * path.variances[:, :, None])
        heights = (factor[:, :, :, None] * heights[:, :, None]).reshape(*factor.shape[:2], -1)
    return heights.sum(axis=1)
