"""A cloud of particles that flows into the sample, with noise and without."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from explorer.kernels import Gaussian
from explorer.learning import mmd_flow
from explorer.rng import stream
from explorer.types import Points, Vector

from .choices import Mean
from .lab import STEPS

PARTICLES = 60
AWAY, WIDTH = 2.5, 0.3  # the cloud's distance to the left of the sample's mean and its width, in standard deviations
LENGTH = 2 / 3  # The length of a step in squared bandwidths. Without noise a step of this length never raises the MMD.


class Flow(NamedTuple):
    """The path of the particles, and their distance to the sample.

    Attributes
    ----------
    places : ndarray of shape (STEPS + 1, PARTICLES, d)
        The positions of the particles.
    errors : ndarray of shape (STEPS + 1,)
        Their MMD to the sample after each step.
    plain : ndarray of shape (STEPS + 1,)
        The MMD of the flow without noise from the same start.
    """

    positions: np.ndarray
    errors: np.ndarray
    plain: np.ndarray


def start_points(X: Points, seed: int) -> Points:
    """Return the starting positions of the particles, shape (PARTICLES, d)."""
    wide = float(np.sqrt(X.var(axis=0).mean()))
    start = X.mean(axis=0) + WIDTH * wide * stream(seed, "particles").standard_normal((PARTICLES, X.shape[1]))
    start[:, 0] -= AWAY * wide
    return start


def spreads(noise: float, kernel: Gaussian) -> Vector:
    """Return the standard deviation of the noise of every step, shape (STEPS,). It falls to 0."""
    return noise * float(kernel.bandwidth or 1.0) * (1 - np.arange(STEPS) / STEPS)


def length(kernel: Gaussian) -> float:
    """Return the length of a step."""
    return LENGTH * float(kernel.bandwidth or 1.0) ** 2


def compute_flow(mean: Mean, noise: float, seed: int) -> Flow:
    """Return the flow of a state."""
    X = mean.X
    kernel: Any = mean.kernel  # this is an RBF kernel: the lab refuses others
    how = {"steps": STEPS, "step": length(kernel), "rng": seed}
    plain = mmd_flow(start_points(X, seed), X, kernel, **how)
    places = mmd_flow(start_points(X, seed), X, kernel, noise=spreads(noise, kernel), **how) if noise else plain
    w = np.full(PARTICLES, 1 / PARTICLES)
    without = np.array([mean.error(Z, w) for Z in plain])
    return Flow(places, np.array([mean.error(Z, w) for Z in places]) if noise else without, without)
