"""MONK on discrete data, where pairs are equal and blocks cancel: ties are ties, whatever rounding makes of them."""

import itertools
import tracemalloc

import numpy as np
import pytest
from helpers.naming import naming
from two_samples import binomial

from explorer import Delta, Gaussian, Laplacian, Linear, Polynomial, Precomputed, monk_mmd, monk_test
from explorer.checks import Refusal
from explorer.discrepancy import BlockPath
from explorer.discrepancy.monk.estimates import copy_values, draw_orders
from explorer.discrepancy.monk.paired_sample import about_a_medoid, first_equal, pair_differences
from explorer.discrepancy.monk.resampled_pairs import Flipped
from explorer.discrepancy.monk.resampling_test import TIE
from explorer.estimators.medianofmeans.blocks import starts

METHODS = ["bcd", "bcd-fast", "direction"]
every_method = pytest.mark.parametrize("method", METHODS)
every_null = pytest.mark.parametrize("null", ["flip", "pool"])


def mostly_equal(seed, n=12):
    """Return levels .1 and, rarely, .4, so that most pairs are equal and those that differ are copies."""
    return np.where(np.random.default_rng(seed).random((2, n, 1)) < 0.15, 0.4, 0.1)


def swapped(X, Y, signs):
    return np.where(signs[:, None] > 0, X, Y), np.where(signs[:, None] > 0, Y, X)


# level ---------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["gaussian-bcd-fast", "linear-bcd-fast", "polynomial-bcd"])
@every_method
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Linear(), Polynomial(2)], ids=["gaussian", "linear", "polynomial"])
def test_over_all_flips_the_level_is_exact(method, kernel):
    """Each of the 2^7 flips stands in for the data once, by its own monk_mmd: #{p <= α} <= 2^7 α."""
    X, Y = np.full((7, 1), 0.1), np.array([[0.4], [0.4], [0.1], [0.1], [0.1], [0.4], [0.1]])
    signs = np.array(list(itertools.product([-1.0, 1.0], repeat=7)))
    orders = draw_orders(7, method, 12, 3)
    null = copy_values(Flipped(pair_differences(kernel, X, Y), signs), orders, starts(7, 3), method)
    p = []
    for s in signs:
        observed = monk_mmd(*swapped(X, Y, s), kernel, 3, method, 12, rng=3).value
        p.append(np.mean(null + TIE * abs(observed) >= observed))
    for level in np.unique(p):
        assert np.count_nonzero(np.array(p) <= level) <= 2**7 * level


@pytest.mark.thorough(default=["bcd-flip"])
@every_null
@every_method
def test_the_level_is_kept_where_most_pairs_are_equal(method, null):
    p = [
        monk_test(*mostly_equal(s), Gaussian(1.0), 3, method, null=null, n_resamples=19, iterations=9, rng=s).pvalue
        for s in range(80)
    ]
    for level in (0.05, 0.2, 0.5):
        assert np.count_nonzero(np.array(p) <= level) <= binomial(80, level)[1]


# one answer ----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["bcd-flip", "bcd-pool"])
@every_null
@every_method
def test_two_levels_have_one_answer_under_every_kernel_and_in_every_place(method, null):
    """All ψ are multiples of one function, so that no kernel and no levels change the order of any two values."""
    for seed in range(2):
        X, Y = mostly_equal(seed)
        how = {"null": null, "n_resamples": 39, "iterations": 12, "rng": seed}
        p = {
            monk_test(a * X + b, a * Y + b, kernel, 3, method, **how).pvalue
            for kernel in (Gaussian(1.0), Laplacian(0.7), Polynomial(2), Polynomial(3), Delta())
            for a, b in ((1, 0), (1 / 3, 0.7), (-2.1, 0.1))
        }
        assert len(p) == 1


@every_method
def test_a_far_pair_does_not_make_ties_of_the_others(method):
    """Among equal pairs some differ all in one direction; with another pair at 1e6 the test still rejects."""
    X, Y = np.full((40, 1), 0.1), np.full((40, 1), 0.1)
    Y[::2] = 0.4 + 0.01 * np.arange(20)[:, None]
    X[-1], Y[-1] = 1e6, 2e6
    result = monk_test(X, Y, Polynomial(2), 5, method, n_resamples=99, iterations=30, rng=0)
    assert result.pvalue <= 0.05
    assert result.statistic < 10
    assert result.tolerance < 1e-5


def test_equal_pairs_have_equal_rows():
    """30 pairs on a grid of nine: equal to the last digit, with the sign of swapped sides, and 0 if x_i = y_i."""
    rng = np.random.default_rng(0)
    X, Y = rng.integers(0, 2, (30, 2)) * 0.1, rng.integers(0, 2, (30, 2)) * 0.1
    for kernel in (Gaussian(0.3), Gaussian(1e-3), Polynomial(3)):
        D = pair_differences(kernel, X, Y)
        plain = kernel(X) + kernel(Y) - kernel(X, Y) - kernel(Y, X)
        np.testing.assert_allclose(D, plain, rtol=0, atol=1e-14)
        for i, j in itertools.combinations(range(30), 2):
            if (X[i] == X[j]).all() and (Y[i] == Y[j]).all():
                assert (D[i] == D[j]).all()
            if (X[i] == Y[j]).all() and (Y[i] == X[j]).all():
                assert (D[i] == -D[j]).all()
        assert (D[(X == Y).all(axis=1)] == 0).all()
    assert first_equal(np.array([["b"], ["a"], ["b"]])).tolist() == [0, 1, 0]


def test_pair_differences_take_row_numbers_as_they_are():
    """Points as the kernel takes them: row numbers, or numbers on a line, need no second dimension."""
    K = Gaussian(1.0)(np.random.default_rng(0).normal(size=(12, 2)))
    X, Y = np.array([0, 1, 2, 3, 0]), np.array([6, 7, 2, 9, 6])
    psi = K[np.ix_(X, X)] + K[np.ix_(Y, Y)] - K[np.ix_(X, Y)] - K[np.ix_(Y, X)]
    for rows in ((X, Y), (X[:, None], Y[:, None]), (X.tolist(), Y.tolist())):
        D = pair_differences(Precomputed(K), *rows)
        np.testing.assert_allclose(D, psi, rtol=0, atol=1e-15)
        assert (D[2] == 0).all()
        assert (D[0] == D[4]).all()
    line = pair_differences(Gaussian(1.0), X.astype(float), Y.astype(float))
    np.testing.assert_array_equal(line, pair_differences(Gaussian(1.0), X[:, None] * 1.0, Y[:, None] * 1.0))
    with pytest.raises(Refusal, match=naming("X", "5", "Y", "4", "MONK")):
        pair_differences(Precomputed(K), X, Y[:4])


def test_squares_are_those_of_the_blocks_and_hold_no_more_than_a_block():
    """|Σ ψ|² of each copy by its definition; and no array of whole rows is made of a block's."""
    rng = np.random.default_rng(1)
    A, n = rng.normal(size=(400, 5)), 400
    copies = Flipped(A @ A.T, rng.choice([-1.0, 1.0], size=(3, n)))
    rows = rng.permutation(n)[:20]
    by_hand = [((s[rows, None] * A[rows]).sum(axis=0) ** 2).sum() for s in copies.signs]
    np.testing.assert_allclose(copies.squares(rows), by_hand, rtol=1e-12)
    tracemalloc.start()
    copies.squares(rows)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8 * n * len(rows) / 2


def test_about_a_medoid_no_difference_changes():
    Z = np.random.default_rng(1).normal(size=(12, 2))
    Z[3] = 1e4
    K, c = Polynomial(2)(Z), np.array([1.0, -1.0, 0, 0, 1.0, -1.0] + 6 * [0])
    about = about_a_medoid(K)
    assert c @ about @ c == pytest.approx(c @ K @ c, rel=1e-12)
    assert (about.diagonal() == 0).sum() == 1  # that of the medoid,
    assert about[3, 3] > 1e15  # which is not the far point


@pytest.mark.parametrize("blocks", [2, 3, 5])
def test_the_path_over_blocks_knows_the_same_ties(blocks):
    for seed in range(10):
        X, Y = mostly_equal(seed)
        for kernel in (Gaussian(1.0), Polynomial(2)):
            value = monk_mmd(X, Y, kernel, blocks, "direction", rng=1).value
            path = BlockPath(X, Y, kernel, rng=1).value(blocks)
            assert path == pytest.approx(value, rel=1e-10, abs=0)
