"""Power of 80 % of a column's test: samples with that shift, share or size, each tested by permutations."""

import math
import re

import numpy as np
import pytest
from helpers.naming import names_all, naming
from scipy.stats import binom, ncx2, norm

from explorer.comparison.power import (
    detectable_share,
    detectable_shift,
    move_mass,
    normal_draws,
    power_of,
    rows_needed,
)
from explorer.comparison.resamples import Resamples
from explorer.discrepancy.columns.scores import level_scores, number_scores
from explorer.discrepancy.columns.step_down import pvalues
from explorer.discrepancy.columns.ties import Ties

REPEATS = 400
# the normal approximation at 90 rows, a threshold that is one resampling's, and p-values that move in steps
SLACK = 0.06


def statistics(scores, resamples):
    return np.square(resamples.differences(scores)).sum(axis=1)[:, None]


def threshold(scores, resamples):
    """Return the least of the resamples' statistics that has p <= .05."""
    null = np.sort(statistics(scores, resamples)[:, 0])[::-1]
    bound = null[math.floor(0.05 * len(null))] * (1 + 1e-9)
    return null[null > bound].min()


def rejections(draw, scores, n, m):
    """Return how many of 400 pairs of samples (a, b) = draw(rng) the permutation test of the scores rejects."""
    rng, resamples = np.random.default_rng(5), Resamples(n, m, 999, 7)
    return sum(pvalues(statistics(scores(np.concatenate(draw(rng))), resamples))[0] <= 0.05 for _ in range(REPEATS))


def of_numbers(x):
    return number_scores(Ties.of(x).ranks())


def near(count):
    """Return whether the count fits a power within .8 ± SLACK, except in one of 100,000 repetitions of this study."""
    return binom.ppf(1e-5, REPEATS, 0.8 - SLACK) <= count <= binom.isf(1e-5, REPEATS, 0.8 + SLACK)


LAWS = {
    "normal": lambda rng, size: rng.normal(size=size),
    "log-normal": lambda rng, size: rng.lognormal(size=size),
    "whole numbers": lambda rng, size: rng.poisson(2.0, size=size).astype(float),
    "mostly zeros": lambda rng, size: np.where(rng.random(size) < 0.7, 0.0, np.ceil(rng.lognormal(1.0, 1.0, size))),
}


@pytest.mark.thorough(default=["*-sizes1"])
@pytest.mark.parametrize("sizes", [(40, 50), (200, 200), (30, 200)])
@pytest.mark.parametrize("name", LAWS)
def test_the_shift_is_found_eight_times_in_ten(name, sizes):
    n, m = sizes
    x = LAWS[name](np.random.default_rng(1), n + m)
    shift = detectable_shift(x, n, m, threshold(of_numbers(x), Resamples(n, m, 999, 7)))
    grid = np.unique(x)
    grid = np.append(grid, grid[-1] + np.arange(1, len(grid)) * np.ptp(grid) / (len(grid) - 1))

    def draw(rng):
        moved = rng.choice(x, m) + shift
        above = np.searchsorted(grid, moved)
        low, high = grid[above - 1], grid[above]
        return rng.choice(x, n), np.where(rng.random(m) * (high - low) < moved - low, high, low)

    assert near(rejections(draw, of_numbers, n, m))


def test_a_shift_of_a_smooth_distribution_needs_no_rounding():
    """The second of two new normal samples moves by the shift computed from a normal sample: its scatter is 6 %."""
    x = np.random.default_rng(2).normal(size=400)
    shift = detectable_shift(x, 200, 200, threshold(of_numbers(x), Resamples(200, 200, 999, 7)))
    count = rejections(lambda rng: (rng.normal(size=200), shift + rng.normal(size=200)), of_numbers, 200, 200)
    assert near(count)


@pytest.mark.parametrize("sizes", [(40, 50), (200, 200)])
@pytest.mark.parametrize("top", [0.4, 0.85])
def test_the_change_of_a_share_is_found_eight_times_in_ten(top, sizes):
    n, m = sizes
    shares = np.array([0.6 * (1 - top), top, 0.4 * (1 - top)])
    codes = np.repeat(np.arange(3), np.round(shares * (n + m)).astype(int))
    n = len(codes) - m
    change = detectable_share(codes, 3, n, m, threshold(level_scores(codes, 3), Resamples(n, m, 999, 7)))
    share = top + change if top < 0.5 else top - change
    p = np.bincount(codes) / len(codes)
    q = np.where(np.arange(3) == 1, p[1] + share - top, 0) + np.where(
        np.arange(3) == 1, 0, p * (1 - p[1] - share + top) / (1 - p[1])
    )
    count = rejections(lambda rng: (rng.choice(3, n, p=p), rng.choice(3, m, p=q)), lambda c: level_scores(c, 3), n, m)
    assert near(count)


@pytest.mark.thorough
def test_the_rows_needed_find_the_difference_eight_times_in_ten():
    """Many rows give the difference of mean scores for a shift of .3, and 40 and 50 rows are tested."""
    rng, many = np.random.default_rng(3), 200_000
    s = of_numbers(np.concatenate([rng.normal(size=4 * many), rng.normal(0.3, 1.0, size=5 * many)]))
    mean, spread = s[4 * many :].mean(axis=0) - s[: 4 * many].mean(axis=0), np.cov(s.T)
    chance = np.trace(spread) * (1 / 40 + 1 / 50)
    observed = mean * math.sqrt(1 + chance / (mean @ mean))  # so that T is its expectation
    bound = threshold(of_numbers(rng.normal(size=90)), Resamples(40, 50, 9999, 7))
    needed = rows_needed(observed, spread, 40, 50, bound)
    n, m = math.ceil(needed.a), math.ceil(needed.b)
    assert needed.b == pytest.approx(1.25 * needed.a)
    assert near(rejections(lambda rng: (rng.normal(size=n), rng.normal(0.3, 1.0, size=m)), of_numbers, n, m))
    assert re.search(naming(f"{n} rows in a", f"{m} in b"), str(needed))


def test_no_number_of_rows_shows_a_difference_that_is_chance():
    spread = np.diag([0.5, 0.1])
    needed = rows_needed(np.array([0.05, 0.05]), spread, 40, 50, 0.1)
    assert needed == (math.inf, math.inf, 0.8)
    assert names_all(str(needed), "chance")


def test_more_rows_and_less_power_find_smaller_shifts():
    x = np.random.default_rng(4).normal(size=90)
    shift = detectable_shift(x, 40, 50, 0.06)
    assert detectable_shift(x, 40, 50, 0.06, power=0.5) < shift < detectable_shift(x, 40, 50, 0.12)
    assert detectable_shift(1000 * x + 7, 40, 50, 0.06) == pytest.approx(1000 * shift)
    assert detectable_shift(1e307 * x, 40, 50, 0.06) == pytest.approx(1e307 * shift)


def test_many_rows_are_known_by_their_quantiles(monkeypatch):
    x = np.random.default_rng(5).lognormal(size=30_000)
    by_quantiles = detectable_shift(x, 15_000, 15_000, 3e-4)
    monkeypatch.setattr("explorer.comparison.power.QUANTILES", 30_000)
    assert detectable_shift(x, 15_000, 15_000, 3e-4) == pytest.approx(by_quantiles, rel=0.01)


@pytest.mark.parametrize("x", [np.ones(9), np.zeros(9), np.arange(6.0)], ids=["ones", "zeros", "six rows"])
def test_no_shift_is_found_in_a_constant_column_or_by_too_few_rows(x):
    assert detectable_shift(x, 3, len(x) - 3, 5.0) == math.inf


def test_no_share_is_found_in_one_level_or_by_too_few_rows():
    assert detectable_share(np.ones(9), 3, 4, 5, 0.1) == math.inf
    assert detectable_share(np.array([0, 1, 0, 1, 0, 1]), 2, 3, 3, 9.0) == math.inf


def test_moved_probabilities_keep_their_sum_and_mean():
    p = np.array([0.2, 0.5, 0.3, 0.0, 0.0])
    q = move_mass(p, np.array([0.25, 2.0, 3.5, 4.0, 4.0]))
    assert q == pytest.approx([0.15, 0.05, 0.5, 0.15, 0.15])
    assert move_mass(p, np.arange(5.0)) == pytest.approx(p)


def test_the_power_is_that_of_chi_square_laws():
    """The power is right to .005 with 4096 quasi-random draws; plain ones would have a standard deviation of .006."""
    mean, bound = np.array([1.5, -1.0, 0.5, 0.0, 0.0]), 9.0
    assert power_of(mean, np.eye(5), bound) == pytest.approx(ncx2.sf(bound, 5, mean @ mean), abs=0.005)
    one = norm.sf((3.0 - 2.0) / 0.5) + norm.cdf((-3.0 - 2.0) / 0.5)
    assert power_of(np.array([2.0]), np.array([[0.25]]), 9.0) == pytest.approx(one, abs=0.005)
    assert normal_draws(5).std(axis=0) == pytest.approx(np.ones(5), abs=0.01)
