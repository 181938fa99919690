"""The Conditional lab's hidden path: what a filter that has learnt from a known one believes of it, time by time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.conditional import HMMFilter
from explorer.conditional.gaussian_filter import KalmanFilter
from explorer.conditional.leave_one_out import Refits
from explorer.datasets import MOTIONS
from explorer.types import Matrix
from explorer.workbench import for_picture, stage
from explorer.workbench.pairs import PairsResult

from .lab import ConditionalLab

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel

    from .lab import Course


STATES, BURN = 81, 5  # places of the hidden state, and times after which errors count
TIMES = 10  # of the known path for each axis of a Gram matrix that Kalman's filter is fitted to
FINE = np.linspace(-4.0, 4.0, 801)  # where the exact belief between two wells is computed


class Tracks(NamedTuple):
    """Means (t,) of the hidden state by each filter, and standard deviations of Kalman's; exact is None for a table."""

    kernel: np.ndarray
    kalman: np.ndarray
    deviation: np.ndarray
    exact: np.ndarray | None


class PathStages(PairsResult[ConditionalLab]):
    """The stages of the filter's picture; the result has the kernels and the unit of densities."""

    kernels: stage[tuple[Kernel, Kernel]]
    unit: stage[float]

    @for_picture("filter")
    def course(self) -> Course:
        """The Course."""
        return self.lab.the_course()

    @for_picture("filter")
    def onward(self) -> float:
        """The leave-one-out λ of the next state on the present one."""
        k, states = self.kernels[1], self.course.states
        return Refits(k(states[:-1]), k(states[1:])).best()

    @for_picture("filter")
    def tracker(self) -> HMMFilter:
        """The HMMFilter."""
        kx, ky = self.kernels
        lam = self.onward if self.lab.lam is None else self.lab.lam
        model = HMMFilter(ky, kx, lam, self.lab.lam_posterior, two_step=self.lab.prediction == "sum rule")
        return model.fit(self.course.states, self.course.seen)

    @for_picture("filter")
    def beliefs(self) -> Matrix:
        """The belief after each time, weights (t, T) of the known states."""
        return self.tracker.filter(self.course.shown)

    @for_picture("filter")
    def levels(self) -> Matrix:
        """The places of the hidden state, (STATES, d), other columns at their medians."""
        S = np.concatenate([self.course.states, self.course.hidden])
        low, high = S[:, 0].min(), S[:, 0].max()
        points = np.tile(np.median(S, axis=0), (STATES, 1))
        points[:, 0] = np.linspace(low - 0.15 * (high - low), high + 0.15 * (high - low), STATES)
        return points

    @for_picture("filter")
    def strip(self) -> Matrix:
        """The densities of the beliefs, (t, STATES)."""
        return self.beliefs @ self.kernels[1](self.tracker.states_, self.levels) * self.unit

    @for_picture("filter")
    def tracks(self) -> Tracks:
        """The Tracks."""
        lab, course, exact = self.lab, self.course, None
        moves = MOTIONS.get(lab.path)
        line = moves and moves.kalman(lab.sensor)
        # as many axes of a Gram matrix as there are times would leave a line no noise
        most = max(1, len(course.seen) // TIMES) if lab.by_gram[0] and not moves else None
        fitted = line or KalmanFilter.fit(course.states[:, 0], course.seen[:, :most])
        means, variances = fitted.filter(course.shown[:, :most])
        if self.fine is not None:
            exact = self.fine @ FINE
        elif line is not None:
            exact = means
        return Tracks(self.beliefs @ self.tracker.states_[:, 0], means, np.sqrt(variances), exact)

    @for_picture("filter")
    def fine(self) -> Matrix | None:
        """The exact beliefs on a fine grid, (t, FINE); None where Kalman's filter is exact, and for a table.

        None too where the sensor tells more than the grid can.
        """
        if self.lab.path != "wells" or self.lab.sensor < 2 * (FINE[1] - FINE[0]):
            return None
        return MOTIONS["wells"].beliefs(self.course.shown[:, 0], self.lab.sensor, FINE)

    @for_picture("filter")
    def exact_beliefs(self) -> Matrix | None:
        """The densities of the exact beliefs between two wells, at the places of the state, (t, STATES), or None."""
        if self.fine is None:
            return None
        return np.array([np.interp(self.levels[:, 0], FINE, belief) for belief in self.fine]) / (FINE[1] - FINE[0])

    def off(self, name: str) -> float | None:
        """The root mean square distance of a filter's mean from that of the exact belief; None without one."""
        exact = self.tracks.exact
        return None if exact is None else math.sqrt(np.mean((getattr(self.tracks, name) - exact)[BURN:] ** 2))

    def error(self, name: str) -> float | None:
        """The root mean square error of a filter's mean, by its name in Tracks, once it has begun."""
        track = getattr(self.tracks, name)
        return None if track is None else math.sqrt(np.mean((track - self.course.hidden[:, 0])[BURN:] ** 2))
