"""The permutation null of HSIC: every pairing by itself, all orders of few pairs, and one p by every method."""

import itertools
import platform
import sys

import numpy as np
import pytest
from helpers.naming import naming
from paired_samples import CASES, dependent, independent, paired

from explorer import Delta, Energy, Gaussian, Linear, Precomputed, hsic, hsic_test
from explorer.discrepancy.dependence import centred_grams as hsic_sides
from explorer.discrepancy.dependence import permutation_null as hsic_null
from explorer.discrepancy.dependence.centred_grams import PairSums, StoredGram
from explorer.discrepancy.dependence.pairing import Pairing
from explorer.discrepancy.dependence.permutation_null import cheapest_sum, null_sums, sums
from explorer.discrepancy.resampling.permutation import permutations

every_case = pytest.mark.parametrize("case", CASES)
every_statistic = pytest.mark.parametrize("statistic", ["biased", "unbiased"])


def sides(X, Y, k, l):
    return StoredGram(k(X)), StoredGram(l(Y))


def factors(x, y):
    return hsic_null._by_factors(x.factor(x.n + 1), y.factor(y.n + 1))


METHODS = {"scipy": lambda x, y: hsic_null._by_scipy(x.A, y.A), "numba": lambda x, y: hsic_null._by_numba(x.A, y.A),
         "factors": factors}  # fmt: skip


# every pairing -------------------------------------------------------------------------------------------------------


@every_statistic
@every_case
def test_each_null_value_is_hsic_of_the_permuted_sample(case, statistic):
    (k, X, K), (l, Y, L) = paired(case, 9)
    result = hsic_test(X, Y, k, l, statistic, n_resamples=15, rng=4)
    orders = np.concatenate(list(permutations(9, 15, rng=4)))
    expected = [hsic(X, Y[order], k, l, statistic) for order in orders]
    np.testing.assert_allclose(
        result.null_distribution, expected, rtol=0, atol=1e-12 * np.abs(K).max() * np.abs(L).max()
    )


@pytest.mark.thorough(default=["*-scipy", "gaussian-*"])
@pytest.mark.parametrize("name", METHODS)
@every_case
def test_all_roads_are_the_sum_over_pairs(case, name):
    """Batches of 128 rows and of 3, against A * B[p][:, p] one order at a time."""
    (k, X, _), (l, Y, _) = paired(case, 13)
    x, y = sides(X, Y, k, l)
    orders = list(permutations(13, 131, rng=0))
    assert [len(part) for part in orders] == [128, 3]
    whole = METHODS[name](x, y)
    found = np.concatenate([whole(part) for part in orders])
    expected = [(x.A * y.A[p][:, p]).sum() for p in np.concatenate(orders)]
    assert found.shape == (131,)
    np.testing.assert_allclose(found, expected, rtol=0, atol=PairSums.of(x, y).tolerance)


def test_all_orders_of_four_pairs():
    """24 orders: each value appears as often as it should, and p of an exhaustive test is its share."""
    X, Y = dependent(4, 3)
    k = Gaussian(1.0)
    x, y = sides(X, Y, k, k)
    orders = np.array(list(itertools.permutations(range(4))))
    whole, diagonal = sums(x, y, [orders], 24)
    values = np.sort(whole / 16)
    by_hand = np.sort([hsic(X, Y[list(p)], k, k) for p in itertools.permutations(range(4))])
    np.testing.assert_allclose(values, by_hand, rtol=0, atol=1e-15)
    np.testing.assert_allclose(diagonal, [(x.diagonal * y.diagonal[p]).sum() for p in orders], rtol=1e-14)
    share = np.mean(by_hand >= hsic(X, Y, k, k) - 1e-15)
    p = hsic_test(X, Y, k, k, n_resamples=20_000, rng=0).pvalue
    assert abs(p - share) < 4.5 * np.sqrt(share * (1 - share) / 20_000) + 1 / 20_001


def test_more_resamples_only_append_and_a_seed_is_one_null_for_every_kernel():
    X, Y = dependent(16)
    few, more = (hsic_test(X, Y, n_resamples=B, rng=7).null_distribution for B in (9, 150))
    np.testing.assert_array_equal(few, more[:9])
    # linear kernels: HSIC of an order is the squared covariance, so the orders can be read off another statistic
    result = hsic_test(X, Y, Linear(), Linear(), n_resamples=9, rng=7)
    orders = np.concatenate(list(permutations(16, 9, rng=7)))
    covariances = [((X - X.mean(0)) * Y[order]).mean(0) for order in orders]
    np.testing.assert_allclose(result.null_distribution, np.square(covariances).sum(1), rtol=1e-10)


def test_a_generator_is_consumed_and_a_seed_is_not():
    X, Y = independent(12)
    rng = np.random.default_rng(0)
    first, second = (hsic_test(X, Y, n_resamples=19, rng=rng).null_distribution for _ in range(2))
    assert (first != second).all()
    first, second = (hsic_test(X, Y, n_resamples=19, rng=5).null_distribution for _ in range(2))
    np.testing.assert_array_equal(first, second)


# one p by every method
# ----------------------------------------------------------------------------------------------------


def tied_pairs():
    rng = np.random.default_rng(1)
    return rng.integers(0, 3, size=(40, 1)).astype(float), rng.integers(0, 2, size=(40, 1)).astype(float)


def grid_pairs():
    """Return pairs on a grid. Read from both ends it gives the same values again, by other sums."""
    x = np.linspace(-1, 1, 14)[:, None]
    return x, np.abs(x)


def far_pairs():
    """Return pairs with one outlier at 1e6, far above the differences of the other values."""
    X, Y = independent(30, 3)
    return np.vstack([X, [[1e6, 1e6]]]), np.vstack([Y, [[1e6]]])


SAMPLES = {
    "continuous": (lambda: independent(40, 2), Gaussian(1.0)),
    "tied": (tied_pairs, Gaussian(1.0)),
    "labels": (tied_pairs, Delta()),
    "a grid": (grid_pairs, Gaussian(0.5)),
    "an outlier": (far_pairs, Energy()),
    "linear": (tied_pairs, Linear()),
}


@every_statistic
@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_seed_gives_the_same_p_on_every_road(name, statistic, monkeypatch):
    draw, kernel = SAMPLES[name]
    X, Y = draw()
    found = []
    for make in METHODS.values():
        monkeypatch.setattr(hsic_null, "cheapest_sum", lambda x, y, count, make=make: make(x, y))
        found.append(hsic_test(X, Y, kernel, kernel, statistic, n_resamples=399, rng=0))
    assert len({result.pvalue for result in found}) == 1
    for result in found:
        np.testing.assert_allclose(
            result.null_distribution, found[0].null_distribution, rtol=0, atol=max(result.tolerance, 1e-300)
        )
        assert result.statistic == found[0].statistic


@every_statistic
@pytest.mark.parametrize("method", METHODS)
def test_orders_that_change_nothing_are_ties(method, statistic, monkeypatch):
    """Three kinds of x and two of y.

    Permutations within a kind do not change the pairs, and must count as at least as extreme.
    """
    x, y = np.repeat([0.0, 1.0, 2.5], 3)[:, None], np.array([0, 0, 0, 0, 0, 0, 1, 1, 1.0])[:, None]
    monkeypatch.setattr(hsic_null, "cheapest_sum", lambda a, b, count: METHODS[method](a, b))
    k = Gaussian(1.0)
    result = hsic_test(x, y, k, k, statistic, n_resamples=1000, rng=0)
    orders = np.concatenate(list(permutations(9, 1000, rng=0)))
    same = [
        all(np.sort(y[order][3 * i : 3 * i + 3, 0]).tolist() == y[3 * i : 3 * i + 3, 0].tolist() for i in range(3))
        for order in orders
    ]
    assert sum(same) >= 5  # 1 in 84
    assert (np.abs(result.null_distribution[same] - result.statistic) <= result.tolerance).all()
    # the values of other pairings are 1e-3 apart and more
    assert result.pvalue == (1 + (result.null_distribution >= result.statistic - 1e-6).sum()) / 1001


@pytest.mark.parametrize("name", ["tied", "a grid"])
def test_ties_are_seen_far_from_the_origin(name):
    """Energy's values contain |x|, which centring subtracts: at 1e8 their rounding is 1e-8, and p does not change."""
    X, Y = SAMPLES[name][0]()
    here = hsic_test(X, Y, Energy(), Energy(), n_resamples=199, rng=0)
    there = hsic_test(X + 2.0**27, Y, Energy(), Energy(), n_resamples=199, rng=0)
    assert here.pvalue == there.pvalue


@every_statistic
def test_a_constant_side_is_in_every_order_the_same(statistic):
    X, _ = dependent(15)
    assert hsic_test(X, np.ones(15), Gaussian(1.0), Gaussian(1.0), statistic, n_resamples=99, rng=0).pvalue == 1
    assert hsic_test(1e6 + X, np.full(15, 0.1), Energy(), Energy(), statistic, n_resamples=99, rng=0).pvalue == 1


# which method
# -------------------------------------------------------------------------------------------------------------


def chosen(n, d, count):
    rng = np.random.default_rng(0)
    x, y = sides(rng.normal(size=(n, d)), rng.normal(size=(n, d)), Gaussian(float(d)), Gaussian(float(d)))
    return cheapest_sum(x, y, count).__qualname__.split(".")[0]


def test_the_road_is_chosen_by_what_it_costs(monkeypatch):
    monkeypatch.setattr(hsic_null, "_asked", 0)
    assert chosen(20, 1, 199) == "_by_scipy"
    assert chosen(200, 1, 999) == "_by_factors"
    assert chosen(200, 1, 9) == "_by_scipy"
    assert chosen(200, 10, 999) == "_by_scipy"
    assert chosen(200, 10, 99_999) == "_by_numba"


def test_numba_is_loaded_once_its_load_has_paid(monkeypatch):
    monkeypatch.setattr(hsic_null, "_asked", 0)
    monkeypatch.setattr(hsic_null, "PAID", 5 * 999 * 100**2)
    assert [chosen(100, 10, 999) for _ in range(7)] == ["_by_scipy"] * 5 + ["_by_numba"] * 2
    assert chosen(20, 1, 9) == "_by_numba"


def test_scipy_takes_over_where_numba_is_absent(monkeypatch):
    X, Y = independent(120)
    monkeypatch.setattr(hsic_null, "PAID", 0)
    expected = hsic_test(X, Y, n_resamples=99, rng=0)
    hsic_null.compiled.cache_clear()
    monkeypatch.setitem(sys.modules, "numba", None)
    found = hsic_test(X, Y, n_resamples=99, rng=0)
    np.testing.assert_allclose(found.null_distribution, expected.null_distribution, rtol=0, atol=expected.tolerance)
    assert found.pvalue == expected.pvalue


@pytest.mark.parametrize("n", [1, 2, 3, 4, 9, 64, 101, 400])
def test_what_a_process_did_before_changes_no_digit(n):
    """Numba's sums and scipy's are the same to the last bit where products and sums are not fused."""
    rng = np.random.default_rng(n)
    A, B = rng.normal(size=(2, n, n))
    A, B = A + A.T, B + B.T
    (orders,) = permutations(n, 6, rng=0)  # no multiple of four, and above 128 points more than one part
    by_scipy, by_numba = (method(A, B)(orders) for method in (hsic_null._by_scipy, hsic_null._by_numba))
    np.testing.assert_allclose(by_scipy, [(A * B[p][:, p]).sum() for p in orders], rtol=0, atol=1e-14 * n**2)
    np.testing.assert_allclose(by_numba, by_scipy, rtol=0, atol=1e-14 * n**2)
    if platform.machine() in ("x86_64", "AMD64"):
        np.testing.assert_array_equal(by_numba, by_scipy)


def test_the_loop_is_what_its_python_says():
    """The compiled function against the same lines run by Python."""
    rng = np.random.default_rng(0)
    weights, B, out = rng.normal(size=(10, 6)), rng.normal(size=(10, 10)), np.empty((2, 8, 10))
    rows = hsic_null._on_a_circle(np.concatenate(list(permutations(10, 8, rng=0)))).astype(np.int32)
    hsic_null._loop(weights, B, rows, out[0])
    hsic_null.compiled()(weights, B, rows, out[1])
    np.testing.assert_allclose(out[1], out[0], rtol=1e-13)


@pytest.mark.thorough(default=["gaussian", "two bandwidths", "precomputed and energy"])
@every_case
def test_a_factor_rebuilds_the_centred_gram_matrix(case):
    (k, X, _), _ = paired(case, 20)
    x = StoredGram(k(X))
    F = x.factor(21)
    np.testing.assert_allclose(F @ F.T, x.A, rtol=0, atol=1e-14 * x.size)
    np.testing.assert_allclose(F.sum(axis=0), 0, atol=1e-12 * np.sqrt(x.size))
    assert x.factor(F.shape[1]) is None


# many pairs
# --------------------------------------------------------------------------------------------------------------


def test_many_pairs_are_permuted_by_their_factors_or_not_at_all(monkeypatch):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(150, 1)), rng.normal(size=(150, 1))
    k = Gaussian(1.0)
    expected = hsic_test(X, Y, k, k, n_resamples=50, rng=0)
    from explorer.discrepancy.resampling import tiled_gram

    for module in (tiled_gram, hsic_sides, hsic_null):
        monkeypatch.setattr(module, "LARGE", 100)
    monkeypatch.setattr(hsic_null, "HIGHEST", 60)
    found = hsic_test(X, Y, k, k, n_resamples=50, rng=0)
    np.testing.assert_allclose(found.null_distribution, expected.null_distribution, rtol=1e-9)
    assert found.pvalue == expected.pvalue
    with pytest.raises(ValueError, match=naming("150", "0.0", "GB", "60")):
        hsic_test(rng.normal(size=(150, 5)), Y, k, k, n_resamples=9, rng=0)


def test_a_gram_matrix_that_is_symmetric_to_ten_digits_only():
    """Precomputed takes it, and one half of it stands for both: the observed value and the null agree all the same."""
    X, Y = dependent(12)
    K = Gaussian(1.0)(X)
    K[np.triu_indices(12, 1)] *= 1 + 1e-11
    rows = np.arange(12.0)[:, None]
    result = hsic_test(rows, Y, Precomputed(K), Gaussian(1.0), n_resamples=9, rng=0)
    pairing = Pairing(rows, Y, Precomputed(K), Gaussian(1.0), "biased", None)
    (identity,) = (np.arange(12)[None],)
    for make in METHODS.values():
        assert make(pairing.x, pairing.y)(identity)[0] / 144 == pytest.approx(result.statistic, abs=result.tolerance)


def test_no_random_number_is_drawn_for_the_value():
    X, Y = independent(10)
    x, y = sides(X, Y, Gaussian(1.0), Gaussian(1.0))
    rng = np.random.default_rng(0)
    null_sums(x, y, 3, rng)
    assert rng.integers(1000) != np.random.default_rng(0).integers(1000)
    assert hsic(X, Y) == hsic(X, Y)
