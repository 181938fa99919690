"""Toy hidden motions: a wandering number that is observed through a noisy sensor."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.conditional.gaussian_filter import KalmanFilter, grid_filter
from explorer.rng import stream
from explorer.types import Matrix, Rng, Vector


class Motion(NamedTuple):
    r"""A hidden number that moves in noisy steps and is observed with noise.

    A state s is followed by :math:`s' = f(s) + \varepsilon`, and observed as :math:`o = s + \eta`, where the noises are
    Gaussian and :math:`\varepsilon` has the standard deviation `step`.

    Attributes
    ----------
    forward : callable
        The function f, of numbers and arrays.
    step : float
        Standard deviation of a step's noise.
    start : float
        Standard deviation of the first state, around 0.
    decay : float or None, default None
        The factor if f(s) = decay s, or None if f is not linear.

    Examples
    --------
    >>> from explorer.datasets import motion
    >>> from explorer.datasets.toys.motions import Motion
    >>> line: Motion = motion("line")
    >>> states, observed = line.sequence(4, sensor=0.5, rng=0)
    >>> states.shape, observed.shape, line.decay
    ((4, 1), (4, 1), 0.9)
    """

    forward: Callable[[Any], Any]
    step: float
    start: float
    decay: float | None = None

    def sequence(self, count: int, sensor: float, rng: Rng = None) -> tuple[Matrix, Matrix]:
        """Draw a sequence of states and its observations; with an int seed a larger count only appends.

        Parameters
        ----------
        count : int
            Number of states, at least 1.
        sensor : float
            Standard deviation of the sensor's noise.
        rng : int, Generator or None, default None
            Seed of the draws.

        Returns
        -------
        states : ndarray of shape (count, 1)
            The hidden states.
        observed : ndarray of shape (count, 1)
            The observation of each state.
        """
        count = checks.whole(count, "count", 1)
        steps, s = stream(rng, "steps").normal(size=count), 0.0
        states = np.empty((count, 1))
        for t, u in enumerate(steps):
            s = self.start * u if t == 0 else float(self.forward(s)) + self.step * u
            states[t] = s
        return states, states + sensor * stream(rng, "sensor").normal(size=(count, 1))

    def kalman(self, sensor: float) -> KalmanFilter | None:
        """Return the Kalman filter, which is exact for a linear motion whose belief begins as N(0, start²).

        Parameters
        ----------
        sensor : float
            Standard deviation of the sensor's noise.

        Returns
        -------
        KalmanFilter or None
            The filter, or None if f is not linear.
        """
        if self.decay is None:
            return None
        one = np.ones(1)
        return KalmanFilter(self.decay, self.step**2, one, 0 * one, sensor**2 * np.eye(1), (0.0, self.start**2))

    def beliefs(self, shown: Vector, sensor: float, places: Vector) -> Matrix:
        """Compute the exact beliefs on an even grid after each observation.

        They begin as N(0, start²), and are exact if neither step nor sensor is finer than two cells of the grid.

        Parameters
        ----------
        shown : ndarray of shape (t,)
            The observations.
        sensor : float
            Standard deviation of the sensor's noise.
        places : ndarray of shape (g,)
            The grid of states, evenly spaced.

        Returns
        -------
        ndarray of shape (t, g)
            The probabilities of the grid points, one row for each observation.
        """
        start = np.exp(-0.5 * (places / self.start) ** 2)
        return grid_filter(places, self.forward(places), self.step, sensor, shown, start / start.sum())


DECAY = 0.9
MOTIONS = {
    "line": Motion(lambda s: DECAY * s, math.sqrt(1 - DECAY**2), 1.0, DECAY),
    "wells": Motion(lambda s: s + 0.4 * s * (1 - s**2) / (1 + 0.1 * s**4), 0.35, 1.0),
}


def motion(kind: str) -> Motion:
    """Return a hidden motion by its name.

    Parameters
    ----------
    kind : {"line", "wells"}
        "line" has f(s) = 0.9 s and steps that keep the variance at 1, so the Kalman filter is exact. In "wells" f pulls
        s towards -1 or 1, and chance throws it from one to the other now and then.

    Returns
    -------
    Motion
        The motion.

    Raises
    ------
    ValueError
        If `kind` is another name.

    Examples
    --------
    >>> from explorer.datasets import motion
    >>> states, seen = motion("line").sequence(5, sensor=0.5, rng=0)
    >>> states.shape, seen.shape
    ((5, 1), (5, 1))
    """
    if kind not in MOTIONS:
        raise Refusal(f"There is no motion {checks.echo(kind)}; there are {', '.join(MOTIONS)}.")
    return MOTIONS[kind]
