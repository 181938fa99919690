"""MMD^2 in blocks: by brute force, by the linear-time statistic, and the level of its test."""

import itertools

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Energy, Gaussian, Linear, block_test, linear_time

RNG = np.random.default_rng(8)
X, Y = RNG.normal(size=(23, 2)), RNG.normal(0.5, 1.5, size=(23, 2))


def by_hand(X, Y, k, size):
    """Return the mean over blocks of the mean over i and j, i not j, of h_ij, one pair at a time."""
    of_x, of_y, across, blocks = k(X), k(Y), k(X, Y), []
    for start in range(0, len(X) - size + 1, size):
        rows = range(start, start + size)
        pairs = itertools.permutations(rows, 2)
        blocks.append(np.mean([of_x[i, j] + of_y[i, j] - across[i, j] - across[j, i] for i, j in pairs]))
    return np.mean(blocks)


@pytest.mark.parametrize("size", [2, 3, 7, 23])
@pytest.mark.parametrize("kernel", [Gaussian(0.8), Linear(), Energy()], ids=repr)
def test_the_statistic_is_the_mean_over_blocks(kernel, size):
    result = block_test(X, Y, kernel, size, n_resamples=19, rng=1)
    assert result.statistic == pytest.approx(by_hand(X, Y, kernel, size), rel=1e-11)


def test_blocks_of_many_rows_and_many_blocks_are_taken_in_parts():
    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(150, 1)), rng.normal(size=(150, 1))
    for size in (5, 70):  # several blocks at a time, and a block larger than what is taken at a time
        assert block_test(X, Y, Gaussian(1.0), size, 9, 0).statistic == pytest.approx(
            by_hand(X, Y, Gaussian(1.0), size), rel=1e-11
        )


def test_blocks_of_two_are_the_linear_time_statistic():
    k = Gaussian(0.8)
    blocks, linear = block_test(X, Y, k, 2, n_resamples=9999, rng=0), linear_time(X, Y, k)
    assert blocks.statistic == pytest.approx(linear.statistic, rel=1e-12)
    # all changes of sign, against 9999 of them: three standard errors of a share
    assert abs(blocks.pvalue - linear.pvalue) < 3 * np.sqrt(linear.pvalue / 9999)


def test_a_resample_is_the_statistic_of_exchanged_rows():
    """The null values of two rows are those of all four exchanges of x_i and y_i."""
    A, B, k = X[:3], Y[:3], Gaussian(0.8)
    every = []
    for exchange in itertools.product((False, True), repeat=3):
        keep = ~np.array(exchange)[:, None]
        every.append(by_hand(np.where(keep, A, B), np.where(keep, B, A), k, 3))
    null = block_test(A, B, k, 3, n_resamples=200, rng=0).null_distribution
    assert set(null.round(9)) == set(np.round(every, 9))


def test_more_resamples_append_and_one_seed_serves_all_kernels():
    few, many = (block_test(X, Y, Gaussian(1.0), 4, count, 7).null_distribution for count in (150, 300))
    assert np.array_equal(few, many[:150])


def test_it_keeps_its_level_and_finds_a_difference():
    rng, rejected = np.random.default_rng(5), 0
    for i in range(400):
        P = rng.normal(size=(2, 24, 1))
        rejected += block_test(*P, Gaussian(1.0), 6, 19, i).pvalue <= 0.05
    # an exact test of level 1/20, plus three standard deviations
    assert rejected <= 400 * 0.05 + 3 * np.sqrt(400 * 0.05 * 0.95)
    assert block_test(X, Y + 2, Gaussian(1.0), 6, 199, 0).pvalue == 1 / 200


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((X, Y[:-1]), naming("X", "Y", "blocks")),
        ((X, Y, None, 24), naming("size", "24", "23")),
        ((X, Y, None, 1), naming("size")),
    ],
)
def test_refusals_are_sentences(arguments, said):
    with pytest.raises(ValueError, match=said):
        block_test(*arguments)
