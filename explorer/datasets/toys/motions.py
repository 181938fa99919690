"""Hidden motions: a number that wanders, seen through a noisy sensor."""

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
    """s' = f(s) + N(0, step²), of which o = s + N(0, sensor²) is seen; f(s) = decay s where that is a number.

    start  the standard deviation of the first state, about 0

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
        """States (count, 1) and what the sensor shows of each, (count, 1); a larger count only appends to an int
        seed's.
        """
        count = checks.whole(count, "count", 1)
        steps, s = stream(rng, "steps").normal(size=count), 0.0
        states = np.empty((count, 1))
        for t, u in enumerate(steps):
            s = self.start * u if t == 0 else float(self.forward(s)) + self.step * u
            states[t] = s
        return states, states + sensor * stream(rng, "sensor").normal(size=(count, 1))

    def kalman(self, sensor: float) -> KalmanFilter | None:
        """Kalman's filter, exact here, of a belief that begins as N(0, start²); None where f is no straight line."""
        if self.decay is None:
            return None
        one = np.ones(1)
        return KalmanFilter(self.decay, self.step**2, one, 0 * one, sensor**2 * np.eye(1), (0.0, self.start**2))

    def beliefs(self, shown: Vector, sensor: float, places: Vector) -> Matrix:
        """The exact beliefs on an even grid of places (g,) after each of what the sensor showed (t,), (t, g).

        They begin as N(0, start²); exact as long as neither step nor sensor is finer than two cells of the grid.
        """
        start = np.exp(-0.5 * (places / self.start) ** 2)
        return grid_filter(places, self.forward(places), self.step, sensor, shown, start / start.sum())


DECAY = 0.9
MOTIONS = {
    "line": Motion(lambda s: DECAY * s, math.sqrt(1 - DECAY**2), 1.0, DECAY),
    "wells": Motion(lambda s: s + 0.4 * s * (1 - s**2) / (1 + 0.1 * s**4), 0.35, 1.0),
}


def motion(kind: str) -> Motion:
    """The Motion of a name.

    "line"   f(s) = 0.9 s, and steps that keep the variance at 1: Kalman's filter is exact
    "wells"  f pulls s towards -1 or 1, and chance throws it over now and then

    Raises ValueError for another name.

    >>> from explorer.datasets import motion
    >>> states, seen = motion("line").sequence(5, sensor=0.5, rng=0)
    >>> states.shape, seen.shape
    ((5, 1), (5, 1))
    """
    if kind not in MOTIONS:
        raise Refusal(f"There is no motion {checks.echo(kind)}; there are {', '.join(MOTIONS)}.")
    return MOTIONS[kind]
