"""Levels of `scan` and its power, over many samples."""

import numpy as np
import pytest
from scipy.stats import binom

from explorer import Delta, Energy, scan
from explorer.datasets import drifted, series

pytestmark = pytest.mark.thorough


def binomial(count, level):
    """Return the interval in which a right count of rejections lies but once in 10,000."""
    return binom.interval(1 - 1e-4, count, level)


NULLS = {
    "normal": (lambda rng: rng.normal(size=(40, 1)), None),
    "heavy tails": (lambda rng: rng.standard_cauchy(size=(30, 2)), Energy()),
    "log-normal": (lambda rng: rng.lognormal(size=(50, 1)), None),
}


@pytest.mark.thorough(default=["normal"])
@pytest.mark.parametrize("name", NULLS)
def test_the_level_is_exact(name):
    """p <= 0.05 with probability 0.05: 2/40 of 39 orders, without ties."""
    draw, kernel = NULLS[name]
    rng = np.random.default_rng(0)
    found = sum(scan(draw(rng), kernel, min_size=5, n_resamples=39, rng=rng).rejected(0.05) for _ in range(400))
    low, high = binomial(400, 0.05)
    assert low <= found <= high


@pytest.mark.parametrize("name", NULLS)
def test_so_is_the_level_of_any_break(name):
    draw, kernel = NULLS[name]
    rng = np.random.default_rng(1)
    several = (scan(draw(rng), kernel, min_size=5, n_resamples=39, rng=rng, segments=True) for _ in range(200))
    low, high = binomial(200, 0.05)
    assert low <= sum(bool(each.breaks) for each in several) <= high


@pytest.mark.parametrize("kind", ["spread", "dependence"])
def test_rows_on_either_side_of_a_break_have_no_more(kind):
    """The two sides differ from each other, so permutations of all rows are not their null distribution."""
    found = more = 0
    for seed in range(80):
        X = drifted(series("normal", 120, seed), kind, 60, 2.0)
        breaks = scan(X, min_size=5, n_resamples=99, rng=seed, segments=True).breaks
        found += bool(breaks)
        more += len(breaks) > 1
    assert found > 60
    assert more <= binomial(80, 0.05)[1]


def test_the_level_of_tied_rows_is_no_higher():
    rng, found, several = np.random.default_rng(1), 0, 0
    for _ in range(200):
        rows = rng.integers(0, 2, size=(24, 1)).astype(float)
        result = scan(rows, Delta(), min_size=4, n_resamples=39, rng=rng, segments=True)
        found += result.rejected(0.05)
        several += bool(result.breaks)
    assert max(found, several) <= binomial(200, 0.05)[1]


POWER = {  # the rows after row 80 of 200, and how many of 40 are found at least, each within 10 rows
    "a shift of one deviation": (lambda rows: rows + 1, 35),
    "a doubled spread": (lambda rows: 2 * rows, 15),
    "a swapped dependence": (lambda rows: rows * [1, -1], 35),
}


@pytest.mark.parametrize("name", POWER)
def test_power(name):
    change, least = POWER[name]
    rng, factor = np.random.default_rng(2), np.linalg.cholesky([[1, 0.8], [0.8, 1]]).T
    near = 0
    for _ in range(40):
        rows = rng.normal(size=(200, 2)) @ factor
        rows[80:] = change(rows[80:])
        result = scan(rows, n_resamples=39, rng=rng)
        near += result.rejected(0.05) and abs(result.index - 80) <= 10
    assert near >= least
