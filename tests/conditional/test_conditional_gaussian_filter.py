"""Kalman's filter and the one on a grid: each by the other, and by Gaussian conditioning of the whole path."""

import numpy as np
import pytest

from explorer.conditional.gaussian_filter import KalmanFilter, grid_filter

DECAY, STEP, SENSOR = 0.9, 0.5, 0.7


def exact(observations):
    """Return mean and variance of the last state given all observations, from the joint Gaussian of the whole path."""
    t = len(observations)
    A = np.array([[DECAY ** (i - j) if j <= i else 0.0 for j in range(t)] for i in range(t)])
    S = STEP**2 * A @ A.T
    gain = np.linalg.solve(S + SENSOR**2 * np.eye(t), S[:, -1])
    return gain @ observations, S[-1, -1] - gain @ S[:, -1]


def test_kalmans_filter_is_gaussian_conditioning():
    seen = np.random.default_rng(0).normal(size=12)
    line = KalmanFilter(DECAY, STEP**2, np.ones(1), np.zeros(1), np.array([[SENSOR**2]]))
    means, variances = line.filter(seen[:, None])
    for t in range(len(seen)):
        assert (means[t], variances[t]) == pytest.approx(exact(seen[: t + 1]), abs=1e-12)


def test_a_fine_grid_is_kalmans_filter():
    seen, places = np.random.default_rng(1).normal(size=8), np.linspace(-8, 8, 801)
    line = KalmanFilter(DECAY, STEP**2, np.ones(1), np.zeros(1), np.array([[SENSOR**2]]), (0.0, 0.2**2))
    start = np.exp(-0.5 * (places / 0.2) ** 2)
    beliefs = grid_filter(places, DECAY * places, STEP, SENSOR, seen, start / start.sum())
    means, variances = line.filter(seen[:, None])
    assert beliefs @ places == pytest.approx(means, abs=1e-10)  # sums of smooth functions on an even grid
    assert beliefs @ places**2 - (beliefs @ places) ** 2 == pytest.approx(variances, abs=1e-10)


def test_an_observation_far_from_every_place_keeps_its_numbers():
    places = np.linspace(-3, 3, 61)
    beliefs = grid_filter(places, places, 0.1, 0.01, [50.0], np.full(61, 1 / 61))
    assert np.isfinite(beliefs).all()
    assert beliefs[0].argmax() == 60
