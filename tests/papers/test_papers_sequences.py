"""The studies of filtering and of belief propagation: their rivals by a second method, and refusals."""

import itertools
import math

import numpy as np
import pytest
from helpers.naming import naming

from explorer.checks import Refusal
from explorer.conditional.gaussian_filter import KalmanFilter
from explorer.papers import sequences
from explorer.rng import stream


def test_the_particles_follow_the_exact_filter():
    """Bayes' theorem on a grid of places, step by step."""
    truth, shown = sequences._video(40, stream(0, "x"))
    grid = np.linspace(-4, 4, 801)
    step = np.exp(-((grid[None, :] - sequences.DECAY * grid[:, None]) ** 2) / (2 * sequences.STEP**2))
    step /= step.sum(axis=1, keepdims=True)
    belief, means = (np.abs(grid) < 1e-9).astype(float), []
    for t, frame in enumerate(shown):
        belief = belief @ step if t else belief
        belief = belief * np.exp(
            -((frame - sequences._seen(grid[:, None])) ** 2).sum(axis=1) / (2 * sequences.NOISE**2)
        )
        belief /= belief.sum()
        means.append(belief @ grid)
    ours = sequences._particles(shown, stream(0, "particles"))
    # 1000 particles with a spread of about 0.15 err by 0.005 at each step, and some more by resampling
    assert np.abs(ours - means).max() < 0.05
    assert np.sqrt(np.mean((np.array(means) - truth[:, 0]) ** 2)) < 0.3


def test_the_fitted_kalman_filter_is_the_known_one_where_frames_are_straight():
    rng, H, c = np.random.default_rng(0), np.array([1.0, -0.5, 2.0]), np.array([0.1, 0.0, 3.0])
    states, _ = sequences._video(20_000, rng)
    truth, _ = sequences._video(300, rng)
    frames, shown = (s * H + c + 0.5 * rng.normal(size=(len(s), 3)) for s in (states, truth))
    mean, variance, means = 0.0, sequences.STEP**2, []
    for frame in shown:  # by the sufficient statistic of a frame: its least-squares place, of variance 0.25 / |H|²
        mean, variance = sequences.DECAY * mean, sequences.DECAY**2 * variance + sequences.STEP**2
        place, noise = H @ (frame - c) / (H @ H), 0.25 / (H @ H)
        gain = variance / (variance + noise)
        mean, variance = mean + gain * (place - mean), (1 - gain) * variance
        means.append(mean)
    # 20,000 frames leave a percent of doubt in what is fitted
    fitted = KalmanFilter.fit(states[:, 0], frames)
    assert fitted.filter(shown)[0] == pytest.approx(np.array(means), abs=0.03)


def test_the_joint_table_of_the_tree_is_the_product_of_its_tables():
    rng = stream(3, "tables")
    joint = sequences._tree(stream(3, "tables"))
    start, (b, c, d, e) = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), size=(4, 3))
    for i, j, k, l, m in itertools.product(range(3), repeat=5):
        assert joint[i, j, k, l, m] == pytest.approx(start[i] * b[i, j] * c[i, k] * d[k, l] * e[k, m])
    assert joint.sum() == pytest.approx(1)


def test_beliefs_and_counts_tend_to_the_exact_ones():
    found = sequences.propagated(20_000, 1)
    assert found[sequences.TREE] < 0.02
    assert found[sequences.COUNTED] < 0.05


@pytest.mark.parametrize("seed", range(6))
def test_few_draws_give_numbers_all_the_same(seed):
    for found in (sequences.propagated(2, seed), sequences.filtered(5, seed)):
        assert all(math.isfinite(value) and value >= 0 for value in found.values())


def test_a_seed_gives_the_same_numbers_again():
    assert sequences.filtered(20, 3) == sequences.filtered(20, 3)
    assert sequences.propagated(20, 3) == sequences.propagated(20, 3)


def test_too_few_are_refused():
    for study, n, least in ((sequences.filtered, 4, 5), (sequences.propagated, 0, 1)):
        with pytest.raises(Refusal, match=naming("n", least)):
            study(n)
