"""Stages of the conditional lab's hidden path: a filter learns from a known path and follows another one."""

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
from .refits import costs_decomposition, costs_scores

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel

    from .lab import Course


STATES, BURN = 81, 5  # number of levels of the hidden state; number of first times left out of errors
TIMES = 10  # length of the known path per axis of a Gram matrix to which Kalman's filter is fitted
FINE = np.linspace(-4.0, 4.0, 801)  # grid of the exact belief between two wells


class Tracks(NamedTuple):
    """Means of the hidden state by each filter.

    Attributes
    ----------
    kernel, kalman : ndarray of shape (t,)
        Means of the kernel filter and of Kalman's filter.
    deviation : ndarray of shape (t,)
        Standard deviations of Kalman's filter.
    exact : ndarray of shape (t,) or None
        Means of the exact belief, or None if it is unknown.
    """

    kernel: np.ndarray
    kalman: np.ndarray
    deviation: np.ndarray
    exact: np.ndarray | None


class PathStages(PairsResult[ConditionalLab]):
    """Stages of the filter picture. The result adds the kernels and the unit of densities."""

    kernels: stage[tuple[Kernel, Kernel]]
    unit: stage[float]

    @for_picture("filter")
    def course(self) -> Course:
        """Return the path with known states, and its continuation, which the filter follows."""
        return self.lab.the_course()

    @for_picture("filter")
    @costs_scores
    def onward(self) -> float:
        """Return the leave-one-out λ of the regression of the next state on the present one."""
        k, states = self.kernels[1], self.course.states
        return Refits(k(states[:-1]), k(states[1:])).best()

    @for_picture("filter")
    @costs_decomposition
    def tracker(self) -> HMMFilter:
        """Return the fitted HMMFilter."""
        kx, ky = self.kernels
        lam = self.onward if self.lab.lam is None else self.lab.lam
        model = HMMFilter(ky, kx, lam, self.lab.lam_posterior, two_step=self.lab.prediction == "sum rule")
        return model.fit(self.course.states, self.course.observations)

    @for_picture("filter")
    def beliefs(self) -> Matrix:
        """Return the belief after each time, as weights (t, T) of the known states."""
        return self.tracker.filter(self.course.hidden_observations)

    @for_picture("filter")
    def levels(self) -> Matrix:
        """Return the levels of the hidden state, shape (STATES, d), with the other columns at their medians."""
        S = np.concatenate([self.course.states, self.course.hidden])
        low, high = S[:, 0].min(), S[:, 0].max()
        points = np.tile(np.median(S, axis=0), (STATES, 1))
        points[:, 0] = np.linspace(low - 0.15 * (high - low), high + 0.15 * (high - low), STATES)
        return points

    @for_picture("filter")
    def strip(self) -> Matrix:
        """Return the densities of the beliefs, shape (t, STATES)."""
        return self.beliefs @ self.kernels[1](self.tracker.states_, self.levels) * self.unit

    @for_picture("filter")
    def tracks(self) -> Tracks:
        """Return the means of the hidden state by each filter."""
        lab, course, exact = self.lab, self.course, None
        moves = MOTIONS.get(lab.path)
        line = moves and moves.kalman(lab.sensor)
        # With as many axes of a Gram matrix as there are times, a linear fit would leave no noise.
        most = max(1, len(course.observations) // TIMES) if lab.by_gram[0] and not moves else None
        fitted = line or KalmanFilter.fit(course.states[:, 0], course.observations[:, :most])
        means, variances = fitted.filter(course.hidden_observations[:, :most])
        if self.fine is not None:
            exact = self.fine @ FINE
        elif line is not None:
            exact = means
        return Tracks(self.beliefs @ self.tracker.states_[:, 0], means, np.sqrt(variances), exact)

    @for_picture("filter")
    def fine(self) -> Matrix | None:
        """Return the exact beliefs on a fine grid, shape (t, len(FINE)).

        The result is None if Kalman's filter is exact, for a table, and if the sensor is more precise than the grid.
        """
        if self.lab.path != "wells" or self.lab.sensor < 2 * (FINE[1] - FINE[0]):
            return None
        return MOTIONS["wells"].beliefs(self.course.hidden_observations[:, 0], self.lab.sensor, FINE)

    @for_picture("filter")
    def exact_beliefs(self) -> Matrix | None:
        """Return the densities of the exact beliefs between two wells at the levels, shape (t, STATES), or None."""
        if self.fine is None:
            return None
        return np.array([np.interp(self.levels[:, 0], FINE, belief) for belief in self.fine]) / (FINE[1] - FINE[0])

    def off(self, name: str) -> float | None:
        """Return the RMS distance of a filter's mean from the exact belief's, or None if that is unknown."""
        exact = self.tracks.exact
        return None if exact is None else math.sqrt(np.mean((getattr(self.tracks, name) - exact)[BURN:] ** 2))

    def error(self, name: str) -> float | None:
        """Return the RMS error of a filter's mean after the first BURN times; `name` is a field of Tracks."""
        track = getattr(self.tracks, name)
        return None if track is None else math.sqrt(np.mean((track - self.course.hidden[:, 0])[BURN:] ** 2))
