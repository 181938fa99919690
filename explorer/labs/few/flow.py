"""A cloud of particles that flows into the sample, with noise and without."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.kernels import Gaussian
from explorer.learning import mmd_flow
from explorer.rng import stream
from explorer.types import Points, Vector

from .choices import Mean
from .lab import STEPS

PARTICLES = 60
AWAY, WIDTH = 2.5, 0.3  # how far left of the sample the cloud begins, and how wide it is, in standard deviations
LENGTH = 2 / 3  # of a step, in squared bandwidths: without noise no such step raises the MMD


class Flow(NamedTuple):
    """places (STEPS + 1, PARTICLES, d) of the particles; their MMD to the sample after each step, (STEPS + 1,), and
    that of the flow without noise from the same start.
    """

    places: np.ndarray
    errors: np.ndarray
    plain: np.ndarray


def begun(X: Points, seed: int) -> Points:
    """Where the particles begin, (PARTICLES, d)."""
    wide = float(np.sqrt(X.var(axis=0).mean()))
    start = X.mean(axis=0) + WIDTH * wide * stream(seed, "particles").standard_normal((PARTICLES, X.shape[1]))
    start[:, 0] -= AWAY * wide
    return start


def spreads(noise: float, kernel: Gaussian) -> Vector:
    """The standard deviation of the noise of every step, which falls to 0, (STEPS,)."""
    return noise * float(kernel.bandwidth or 1.0) * (1 - np.arange(STEPS) / STEPS)


def length(kernel: Gaussian) -> float:
    """The length of a step."""
    return LENGTH * float(kernel.bandwidth or 1.0) ** 2


def flowing(mean: Mean, noise: float, seed: int) -> Flow:
    """The Flow of a state."""
    X, kernel = mean.X, mean.kernel
    how = {"steps": STEPS, "step": length(kernel), "rng": seed}
    plain = mmd_flow(begun(X, seed), X, kernel, **how)
    places = mmd_flow(begun(X, seed), X, kernel, noise=spreads(noise, kernel), **how) if noise else plain
    w = np.full(PARTICLES, 1 / PARTICLES)
    without = np.array([mean.error(Z, w) for Z in plain])
    return Flow(places, np.array([mean.error(Z, w) for Z in places]) if noise else without, without)
