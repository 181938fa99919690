"""Reference filters without kernels: Kalman's, exact for linear Gaussian models, and a filter on a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from explorer.types import Matrix, Vector


class KalmanFilter(NamedTuple):
    """Kalman's filter: s' = a s + b + N(0, q) and o = H s + c + N(0, R), one hidden number s, observations o (e,).

    Attributes
    ----------
    decay : float
        Factor a of the state.
    step : float
        Variance q of the state's step.
    H : ndarray of shape (e,)
        Slopes of the observations.
    c : ndarray of shape (e,)
        Offsets of the observations.
    R : ndarray of shape (e, e)
        Covariance of the observations' noise.
    start : tuple of float
        Mean and variance of s before the first prediction.
    drift : float
        Offset b of the state.
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
        """Fit the filter to a sequence of known states by least squares.

        The first belief has the moments of all states.

        Parameters
        ----------
        states : ndarray of shape (T,)
            States, in order of time, T >= 2.
        observations : ndarray of shape (T, e)
            Observation of each state.

        Returns
        -------
        KalmanFilter
            The filter with the fitted lines.
        """
        line = np.column_stack([states, np.ones(len(states))])
        H, c = np.linalg.lstsq(line, observations, rcond=None)[0]
        decay, drift = np.linalg.lstsq(line[:-1], states[1:], rcond=None)[0]
        R = np.atleast_2d(np.cov((observations - line @ np.vstack([H, c])).T)) + 1e-9 * np.eye(len(H))
        step = float(np.mean((states[1:] - decay * states[:-1] - drift) ** 2))
        return cls(float(decay), step, H, c, R, (float(states.mean()), float(states.var())), float(drift))

    fitted = fit  # the name that notebooks use

    def filter(self, observations: Matrix) -> tuple[Vector, Vector]:
        """Return the means and the variances of s after each observation.

        Parameters
        ----------
        observations : ndarray of shape (t, e)
            Observations, in order of time.

        Returns
        -------
        means, variances : ndarray of shape (t,)
            Moments of the beliefs.
        """
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
    """Return beliefs on an even grid of one hidden number: s' = f(s) + N(0, step²) and o = s + N(0, sensor²).

    The beliefs are exact as the grid grows finer than step and sensor.

    Parameters
    ----------
    places : ndarray of shape (g,)
        The grid.
    moved : ndarray of shape (g,)
        Values of f at the points of the grid.
    step : float
        Deviation of the state's noise.
    sensor : float
        Deviation of the observations' noise.
    observations : array_like of shape (t,)
        Observations, in order of time.
    start : ndarray of shape (g,)
        Belief before the first prediction.

    Returns
    -------
    ndarray of shape (t, g)
        One belief in each row.
    """
    transition = np.exp(-0.5 * ((places[None, :] - moved[:, None]) / step) ** 2)
    transition /= transition.sum(axis=1, keepdims=True)
    belief, beliefs = start, []
    for seen in observations:
        belief = belief @ transition
        # Logarithms are needed because all likelihoods round to 0 far from every point of the grid.
        log = np.log(np.maximum(belief, 1e-300)) - 0.5 * ((seen - places) / sensor) ** 2
        belief = np.exp(log - log.max())
        belief /= belief.sum()
        beliefs.append(belief)
    return np.array(beliefs)
