"""The Gaussian kernel's fast Gram matrix, and its bandwidth."""

import itertools
import statistics

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Gaussian, median_bandwidth
from explorer.checks import ExplorerWarning
from explorer.discrepancy.monk.paired_sample import pair_differences
from explorer.kernels import distances, median_and_remark
from explorer.kernels.distances import TILE

# the exponent by products errs by eps |x|^2 / θ^2 if that is <= 1e3: 1e3 eps = 2e-13, a few add up
ATOL = 1e-12


def exact(X, Y, theta):
    """Compute the Gram matrix from differences, one by one."""
    return np.array([[np.exp(-np.sum((x - y) ** 2) / (2 * theta**2)) for y in Y] for x in X])


@pytest.mark.thorough(default=["1", "2", "99", "100"])
@pytest.mark.parametrize("n", [1, 2, TILE - 1, TILE, TILE + 1, 2 * TILE, 2 * TILE + 7])
def test_tiles_join_without_a_seam(n):
    X = np.random.default_rng(n).normal(size=(n, 3))
    Y = np.random.default_rng(n + 1).normal(size=(5, 3))
    k = Gaussian(0.8)
    np.testing.assert_allclose(k(X, Y), exact(X, Y, 0.8), rtol=0, atol=ATOL)
    np.testing.assert_allclose(k(Y, X), exact(Y, X, 0.8), rtol=0, atol=ATOL)
    K = k(X)
    np.testing.assert_allclose(K, exact(X, X, 0.8), rtol=0, atol=ATOL)
    np.testing.assert_array_equal(np.diag(K), 1.0)


@pytest.mark.thorough(default=["1-by products", "100-by products", "207-by differences"])
@pytest.mark.parametrize("apart", [0.3, 1e4], ids=["by products", "by differences"])
@pytest.mark.parametrize("n", [1, TILE, 2 * TILE + 7])
def test_the_gram_matrix_of_differences_is_made_of_four(n, apart):
    X, Y = (np.random.default_rng(seed).normal(size=(n, 3)) + seed * apart for seed in (0, 1))
    Y[0] = X[0]
    cross = exact(X, Y, 0.8)
    D = pair_differences(Gaussian(0.8), X, Y)
    np.testing.assert_allclose(D, exact(X, X, 0.8) + exact(Y, Y, 0.8) - cross - cross.T, rtol=0, atol=4 * ATOL)
    np.testing.assert_allclose(D, D.T, rtol=0, atol=ATOL)


@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_a_shift_of_the_data_loses_no_more_than_the_data_did(offset):
    X = np.random.default_rng(0).normal(size=(120, 3)) + offset  # rounded to the offset's digits here, once and for all
    k = Gaussian(1.3)
    np.testing.assert_allclose(k(X), exact(X, X, 1.3), rtol=0, atol=ATOL)
    np.testing.assert_allclose(k(X, X[:7]), exact(X, X[:7], 1.3), rtol=0, atol=ATOL)


@pytest.mark.parametrize("outlier", [30.0, 1e3, 1e8, 1e150])
def test_a_far_outlier_blurs_nobody(outlier):
    X = np.random.default_rng(0).normal(size=(150, 2))
    clean = Gaussian(1.0)(X)
    X = np.vstack([X, [[outlier, -outlier]]])
    K = Gaussian(1.0)(X)
    np.testing.assert_allclose(K[:-1, :-1], clean, rtol=0, atol=ATOL)
    np.testing.assert_array_equal(K[-1], np.eye(151)[-1])  # exp(-30^2) underflows for every other point
    np.testing.assert_allclose(Gaussian(1.0)(X[:-1], X)[:, :-1], clean, rtol=0, atol=ATOL)


@pytest.mark.parametrize("apart", [1.0, 30.0, 100.0, 1e3, 1e4, 1e6])
def test_two_far_clusters_keep_their_inner_digits(apart):
    """Beyond |x|^2 / θ^2 = 1e3 products would lose them."""
    x = np.random.default_rng(0).normal(size=(60, 2))
    X = np.vstack([x, x + apart])
    np.testing.assert_allclose(Gaussian(1.0)(X), exact(X, X, 1.0), rtol=0, atol=ATOL)
    np.testing.assert_allclose(Gaussian(1.0)(X[:70], X[50:]), exact(X[:70], X[50:], 1.0), rtol=0, atol=ATOL)


def test_duplicates_are_alike_to_the_last_digits():
    X = np.repeat(np.random.default_rng(0).normal(size=(60, 4)), 2, axis=0)
    K = Gaussian(0.5)(X)
    # a zero distance may come out as 1e3 eps at worst; never above 1
    np.testing.assert_allclose(K[::2, 1::2].diagonal(), 1.0, rtol=0, atol=ATOL)
    assert K.max() == 1.0


def test_scikit_learn_agrees():
    from sklearn.metrics.pairwise import rbf_kernel

    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(230, 20)), rng.normal(size=(110, 20))
    theta = 4.0
    # scikit-learn does not centre, and rounds like our products
    np.testing.assert_allclose(Gaussian(theta)(X, Y), rbf_kernel(X, Y, gamma=1 / (2 * theta**2)), rtol=0, atol=ATOL)
    np.testing.assert_allclose(Gaussian(theta)(X), rbf_kernel(X, gamma=1 / (2 * theta**2)), rtol=0, atol=ATOL)


def test_the_answer_does_not_alias_or_change_the_data():
    X = np.random.default_rng(0).normal(size=(9, 3))
    before = X.copy()
    Gaussian(1.0)(X)
    Gaussian(1.0).expected(X, np.eye(3), X, np.eye(3))
    assert np.array_equal(X, before)


@pytest.mark.parametrize("d", [20, 100, 400])
def test_high_dimension_does_not_overflow(d):
    theta, C = 50.0, np.eye(d)
    # |I + C/θ^2|^(-1/2) for C = I
    value = Gaussian(theta).expected(np.zeros((1, d)), C, np.zeros((1, d)), None)[0, 0]
    assert value == pytest.approx(np.exp(-0.5 * d * np.log1p(theta**-2)), rel=1e-12)


def test_tiny_and_huge_bandwidths_reach_their_limits():
    X = np.random.default_rng(0).normal(size=(9, 3))
    np.testing.assert_array_equal(Gaussian(1e-6)(X), np.eye(9))
    # 1 - k = |x-y|^2 / 2θ^2 < 1e-10
    np.testing.assert_allclose(Gaussian(1e6)(X), 1.0, rtol=0, atol=1e-10)


# the bandwidth ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d"), [(2, 1), (3, 2), (10, 20), (31, 4)])
def test_median_bandwidth_by_brute_force(n, d):
    X = np.random.default_rng(n).normal(size=(n, d))
    pairs = list(itertools.combinations(X, 2))
    squared = statistics.median(sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for x, y in pairs)
    # the same sums, rounded differently
    assert median_bandwidth(X) == pytest.approx(squared**0.5, rel=1e-13)
    absolute = statistics.median(np.abs(x - y).sum() for x, y in pairs)
    assert median_bandwidth(X, metric="cityblock") == pytest.approx(absolute, rel=1e-13)


def test_median_bandwidth_is_in_the_units_of_the_data():
    X = np.random.default_rng(0).normal(size=(10, 3))
    assert median_bandwidth(1000 * X) == pytest.approx(1000 * median_bandwidth(X), rel=1e-13)
    assert median_bandwidth(np.arange(5.0)) == 2.0  # distances 1 1 1 1 2 2 2 3 3 4; one column


def test_ties_take_the_median_of_the_positive_distances():
    with pytest.warns(ExplorerWarning, match=naming("coincide", "median")):
        assert median_bandwidth([0.0] * 9 + [3.0]) == 3.0
    with pytest.warns(ExplorerWarning, match=naming("coincide", "median")):
        assert median_bandwidth([0.0] * 9 + [3.0, 7.0]) == 4.0  # 3 nine times, 7 nine times, 4 once


def test_equal_points_take_one():
    with pytest.warns(ExplorerWarning, match=naming("coincide", "1")):
        assert median_bandwidth(np.full((5, 2), 3.25)) == 1.0


def test_no_warning_without_a_majority_of_ties():
    assert median_bandwidth([0.0, 0.0, 0.0, 1.0, 2.0]) == 1.0  # distances 0 0 0 | 1 1 1 1 | 2 2 2


def test_one_point_has_no_bandwidth():
    with pytest.raises(ValueError, match=naming("1", "2")):
        median_bandwidth([[1.0, 2.0]])
    with pytest.raises(ValueError, match=naming("2")):
        Gaussian()([[1.0, 2.0]])


def test_select_is_the_median_heuristic():
    X = np.random.default_rng(0).normal(size=(10, 3))
    assert Gaussian().select(X) == Gaussian(median_bandwidth(X))
    assert Gaussian(2.0).select(X) == Gaussian(2.0)


def test_two_samples_share_the_pooled_bandwidth():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(6, 2)), rng.normal(5, 1, size=(7, 2))
    theta = median_bandwidth(np.vstack([X, Y]))
    np.testing.assert_allclose(Gaussian()(X, Y), exact(X, Y, theta), rtol=0, atol=ATOL)


def test_without_a_sample_a_bandwidth_is_asked_for():
    one = np.zeros((1, 2))
    for ask in (lambda k: k.expected(one, np.eye(2), one, None), lambda k: k.of_pairs(np.zeros((1, 1)))):
        with pytest.raises(ValueError, match=naming("Gaussian(θ)")):
            ask(Gaussian())


@pytest.mark.parametrize("bad", [0, -1.0, float("inf"), float("nan")])
def test_a_bandwidth_is_a_finite_number_above_zero(bad):
    with pytest.raises(ValueError, match=naming("Gaussian.bandwidth", "1e-150")):
        Gaussian(bad)


@pytest.mark.parametrize("entries", [1, 2500, 2**40])
@pytest.mark.parametrize("d", [3, 65])
def test_tiles_of_any_size_make_the_same_gram_matrix(monkeypatch, entries, d):
    monkeypatch.setattr(distances, "ENTRIES", entries)
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(distances.TILE + 31, d)), rng.normal(size=(20, d))
    for K, Z in ((Gaussian(d**0.5)(X), X), (Gaussian(d**0.5)(X, Y), Y)):
        np.testing.assert_allclose(K, exact(X, Z, d**0.5), rtol=0, atol=ATOL)


def test_a_shift_changes_no_factor_of_the_exponents():
    """Differences of points determine the exponents: centred points are the same after an exact shift."""
    X, Y = (np.random.default_rng(seed).integers(-8, 8, (9, 3)) / 8 for seed in (0, 1))
    for here, there in zip(distances._factors(0.5, X, Y), distances._factors(0.5, X + 1024, Y + 1024), strict=True):
        for one, other in zip(here, there, strict=True):
            np.testing.assert_array_equal(one, other)


def test_the_unit_of_tiny_ties_is_a_distance_above_zero():
    assert median_and_remark([[0.0]] * 4 + [[2e-200]])[0] == 2e-200
