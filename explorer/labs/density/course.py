"""Fits of the Density lab as it keeps them: one at the slider's stops, and the ends of many."""

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


AWAY = 10**9  # from the seed of a sample to that of the points held out


class Course(NamedTuple):
    """A fit at the slider's stops: steps (r,), RKHS distance (r,) to its estimate, held-out NLL (r,) in nats."""

    steps: np.ndarray
    distance: np.ndarray
    nll: np.ndarray


class Endings(NamedTuple):
    """Held-out NLL of more samples, (samples,): that of the start, and by estimator that of the fit's end."""

    start: np.ndarray
    ends: dict[str, np.ndarray]

    def differences(self, name: str) -> tuple[Vector, Vector]:
        """What an estimator's fit has gained over the start and, less its own, over the plain average's: (samples,)."""
        return self.start - self.ends[name], self.ends["KME"] - self.ends[name]


def held_seed(seed: int) -> int:
    """The seed of the points held out."""
    return distant_seed(seed, AWAY)


def steps_at(fit: MixtureDensity, stops: Sequence[int]) -> Rows:
    """At which step a fit is at each stop, (r,)."""
    return np.minimum(stops, len(fit.path_) - 1)


def moved_path(path: FitPath, steps: Rows, moved: str) -> FitPath:
    """A FitPath at some of its steps, with the blobs of the text `moved` where they were put."""
    means = np.array([apply(each, moved) for each in path.means[steps]])
    return FitPath(path.weights[steps], means, path.variances[steps])


def course(fit: MixtureDensity, stops: Sequence[int], held: Matrix) -> Course:
    """The Course of a fit."""
    steps = steps_at(fit, stops)
    nll = -moved_path(fit.path_, steps, "").scores(held)
    return Course(steps, np.sqrt(np.maximum(fit.history_[steps], 0.0)), nll)


def log_densities(path: FitPath, Z: Points) -> Any:
    """The log densities at points Z (N, d) of every mixture of a FitPath, (r, N)."""
    terms = np.zeros((*path.weights.shape, len(Z)))
    for j, column in enumerate(Z.T):
        terms += (column - path.means[:, :, j, None]) ** 2
    terms /= -2 * path.variances[:, :, None]
    with np.errstate(divide="ignore"):  # the weight of a blob may underflow
        terms += (np.log(path.weights) - 0.5 * Z.shape[1] * np.log(2 * np.pi * path.variances))[:, :, None]
    return logsumexp(terms, axis=1)


def densities(path: FitPath, axes: Sequence[Vector]) -> Matrix:
    """The densities of every mixture of a FitPath at all places on `axes`, (r, g), the first one running fastest."""
    heights = path.weights[:, :, None]
    for j, axis in enumerate(axes):
        squares = (axis - path.means[:, :, j, None]) ** 2 / path.variances[:, :, None]
        factor = np.exp(-0.5 * squares) / np.sqrt(2 * np.pi * path.variances[:, :, None])
        heights = (factor[:, :, :, None] * heights[:, :, None]).reshape(*factor.shape[:2], -1)
    return heights.sum(axis=1)
