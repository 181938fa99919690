"""Filters that are no kernel's, to stand beside one: Kalman's, exact for lines and Gaussians, and one on a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from explorer.types import Matrix, Vector


class KalmanFilter(NamedTuple):
    """s' = a s + b + N(0, q) and o = H s + c + N(0, R), for one hidden number s and observations o (e,).

    decay a, step q (a variance), H (e,), c (e,), R (e, e); start is the (mean, variance) of s before the first
    prediction, drift b.
    """

    decay: float
    step: float
    H: np.ndarray
    c: np.ndarray
    R: np.ndarray
    start: tuple[float, float] = (0.0, 0.0)
    drift: float = 0.0

    @classmethod
    def fit(cls, states: Vector, observations: Matrix) -> Self:
        """The lines that fit a sequence best, by least squares: states (T,), observations (T, e), T >= 2.

        The first belief is that of all its states.
        """
        line = np.column_stack([states, np.ones(len(states))])
        H, c = np.linalg.lstsq(line, observations, rcond=None)[0]
        decay, drift = np.linalg.lstsq(line[:-1], states[1:], rcond=None)[0]
        R = np.atleast_2d(np.cov((observations - line @ np.vstack([H, c])).T)) + 1e-9 * np.eye(len(H))
        step = float(np.mean((states[1:] - decay * states[:-1] - drift) ** 2))
        return cls(float(decay), step, H, c, R, (float(states.mean()), float(states.var())), float(drift))

    fitted = fit  # the name that notebooks use

    def filter(self, observations: Matrix) -> tuple[Vector, Vector]:
        """Means (t,) and variances (t,) of s after each observation (t, e)."""
        (mean, variance), beliefs = self.start, []
        for seen in observations:
            mean, variance = self.decay * mean + self.drift, self.decay**2 * variance + self.step
            gain = variance * np.linalg.solve(variance * np.outer(self.H, self.H) + self.R, self.H)
            mean, variance = mean + gain @ (seen - mean * self.H - self.c), variance * (1 - gain @ self.H)
            beliefs.append((mean, variance))
        return tuple(np.array(beliefs).T)


def grid_filter(
    places: Vector, moved: Vector, step: float, sensor: float, observations: Sequence[float] | Vector, start: Vector
) -> Matrix:
    """Beliefs (t, g) on an even grid of one hidden number: s' = f(s) + N(0, step²) and o = s + N(0, sensor²).

    places (g,), moved = f(places), observations (t,), start (g,) before the first prediction. Exact as the grid grows
    finer than step and sensor.
    """
    transition = np.exp(-0.5 * ((places[None, :] - moved[:, None]) / step) ** 2)
    transition /= transition.sum(axis=1, keepdims=True)
    belief, beliefs = start, []
    for seen in observations:
        belief = belief @ transition
        # logarithms: far from every place, all likelihoods would be 0
        log = np.log(np.maximum(belief, 1e-300)) - 0.5 * ((seen - places) / sensor) ** 2
        belief = np.exp(log - log.max())
        belief /= belief.sum()
        beliefs.append(belief)
    return np.array(beliefs)
