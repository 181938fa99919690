"""The splits that all parts of a comparison share."""

import numpy as np
import pytest

from explorer import Gaussian, mmd_test
from explorer.comparison.resamples import Resamples
from explorer.discrepancy.resampling.permutation import splits

V = np.random.default_rng(0).normal(size=(70, 3))


def test_the_observed_split_comes_first():
    apart = Resamples(30, 40, 19, 0).differences(V)
    assert apart.shape == (20, 3)
    assert apart[0] == pytest.approx(V[30:].mean(axis=0) - V[:30].mean(axis=0))


def test_the_others_are_the_splits_of_mmd_test():
    apart = Resamples(30, 40, 300, 5).differences(V)
    for S, found in zip(splits(70, 30, 300, 5), apart[1:], strict=True):
        assert found == pytest.approx(V[~S].mean(axis=0) - V[S].mean(axis=0))


def test_a_linear_kernel_s_null_is_theirs():
    from explorer import Linear

    apart = Resamples(30, 40, 99, 5).differences(V)
    test = mmd_test(V[:30], V[30:], Linear(), statistic="biased", n_resamples=99, rng=5)
    assert np.square(apart[1:]).sum(axis=1) == pytest.approx(test.null_distribution)
    assert np.square(apart[0]).sum() == pytest.approx(test.statistic)


@pytest.mark.parametrize(("n", "m"), [(30, 40), (9000, 4000), (5000, 600)])
def test_blocks_are_splits_too(n, m):
    """Every split by blocks has n rows in the first sample: indicators of rows have means 1/n and 1/m."""
    values = np.column_stack([np.arange(n + m) % 7 == 3, np.random.default_rng(1).normal(size=n + m)])
    apart = Resamples(n, m, 50, 2, by_blocks=True).differences(values)
    assert apart[0] == pytest.approx(values[n:].mean(axis=0) - values[:n].mean(axis=0))
    # variance of a mean of N rows split at random; blocks consist of random rows and change it little: 50 splits, ±35 %
    spread = np.sqrt(values.var(axis=0) * (1 / n + 1 / m))
    assert apart[1:].std(axis=0) == pytest.approx(spread, rel=0.35)


def test_blocks_are_those_of_mmd_test_by_landmarks():
    """Both nulls under a kernel of rank 1 are equal, since the same seed gives the same exchange of blocks."""
    X = np.random.default_rng(3).normal(size=(9000, 1))
    test = mmd_test(X[:4000], X[4000:], Gaussian(1e3), approximation="auto", statistic="biased", n_resamples=40, rng=7)
    assert test.approximation != "exact"
    apart = Resamples(4000, 5000, 40, 7, by_blocks=True).differences(X)
    squares = np.square(apart[:, 0])
    # exp(-r²/2θ²) = 1 - r²/2θ² up to r⁴/8θ⁴: MMD² = |mean difference|²/θ² to some 1e-5
    assert test.null_distribution * 1e6 == pytest.approx(squares[1:], rel=1e-2, abs=1e-6)


def test_rows_stay_within_their_groups():
    groups = np.repeat(np.arange(35), 2)[np.random.default_rng(4).permutation(70)]
    values = np.eye(35)[groups]
    apart = Resamples(30, 40, 30, 0, groups=groups).differences(values)
    assert apart == pytest.approx(np.tile(apart[0], (31, 1)))
