"""Rows with a memory: row_dependence by all orders and by landmarks, the memory of rows, and what scan does of it."""

import itertools
import json

import numpy as np
import pytest
from helpers.naming import naming
from scipy.signal import lfilter
from scipy.stats import binom

from explorer import Delta, Gaussian, low_rank, row_dependence, scan
from explorer.changes.neighbours import LAGS, MOST, RESAMPLES, _local_sums, memory_length, row_memory
from explorer.changes.scanning import BLOCK, PARTS, other_orders
from explorer.changes.splits import FeatureRows, GramRows
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import centred, permutations

FIVE = np.array([[0.0], [1.0], [0.5], [2.0], [1.5]])


def autoregression(rho, n, seed):
    """n rows (n, 1), each rho times the one before it and normal noise; the first 200 are left out."""
    return lfilter([1], [1, -rho], np.random.default_rng(seed).normal(size=n + 200))[200:, None]


def literal_lag_hsic(K, lag):
    """(1/n²) Σ K[s, t] K[s + l, t + l], one product after the other."""
    n = len(K)
    return sum(K[s, t] * K[(s + lag) % n, (t + lag) % n] for s in range(n) for t in range(n)) / n**2


def test_lag_hsic_by_its_sum_and_its_p_over_all_orders():
    rows, K = GramRows(Gaussian(1.0), FIVE), centred(Gaussian(1.0)(FIVE))
    found = rows.lagged(np.arange(5), 2)
    np.testing.assert_allclose(found, [0.008967168981043893, 0.018837804951], rtol=1e-9)
    np.testing.assert_allclose(found, [literal_lag_hsic(K, lag) for lag in (1, 2)], rtol=1e-12)
    orders = [rows.lagged(np.array(order), 1)[0] for order in itertools.permutations(range(5))]
    assert np.mean(np.array(orders) >= found[0] - 1e-14) == pytest.approx(110 / 120, abs=1e-15)
    assert len(np.unique(np.round(orders, 12))) == 7


def test_lag_hsic_of_features_is_that_of_their_kernel():
    X = np.random.default_rng(0).normal(size=(30, 2))
    low, order = low_rank(Gaussian(1.0), X, "nystrom", 30, rng=0), np.random.default_rng(1).permutation(30)
    exact = GramRows(Gaussian(1.0), X).lagged(order, 4)
    # all rows are landmarks: what differs is the jitter of their Cholesky factor
    np.testing.assert_allclose(FeatureRows(low, X).lagged(order, 4), exact, rtol=1e-6)


def test_row_dependence_by_the_orders_themselves():
    X = np.random.default_rng(2).normal(size=(12, 1))
    result = row_dependence(X, Gaussian(1.0), lags=3, n_resamples=29, rng=3)
    K = centred(Gaussian(1.0)(X))
    orders = [np.arange(12)] + [order for some in permutations(12, 29, 3) for order in some]
    values = np.array([[literal_lag_hsic(K[order][:, order], lag) for lag in (1, 2, 3)] for order in orders])
    standard = (values - values.mean(axis=0)) / values.std(axis=0)
    assert result.lag == np.argmax(standard[0]) + 1
    standard = standard.max(axis=1)
    np.testing.assert_allclose(result.profile, values[0], rtol=1e-10)
    np.testing.assert_allclose([result.statistic, *result.null_distribution], standard, rtol=1e-8)
    assert result.pvalue == np.mean(standard >= standard[0] - 1e-9)


def test_row_dependence_does_not_change_with_units_and_place():
    X = autoregression(0.5, 40, 0)
    first, other = (row_dependence(Z, n_resamples=99, rng=0) for Z in (X, 1e3 * X + 7))
    assert first.pvalue == other.pvalue
    np.testing.assert_allclose(first.profile, other.profile, rtol=1e-8)


def test_row_dependence_sees_what_is_no_correlation():
    """ARCH(1) of coefficient 0.7, 200 rows: the test finds a share of .74 (160 series measured) of 30 series."""
    found = 0
    for seed in range(30):
        noise, rows = np.random.default_rng(seed).normal(size=300), [0.0]
        for each in noise:
            rows.append(each * np.sqrt(0.3 + 0.7 * rows[-1] ** 2))
        found += row_dependence(rows[-200:], n_resamples=19, rng=seed).rejected(0.05)
    assert found >= binom.ppf(1e-3, 30, 0.7)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "ties", "words"])
def test_the_level_of_row_dependence(kind):
    draw = {
        "normal": lambda rng: (rng.normal(size=(30, 1)), None),
        "ties": lambda rng: (rng.integers(0, 3, size=(30, 1)).astype(float), Gaussian(1.0)),
        "words": lambda rng: (rng.integers(0, 2, size=(30, 1)).astype(float), Delta()),
    }[kind]
    found = 0
    for seed in range(1000):
        X, kernel = draw(np.random.default_rng(seed))
        found += row_dependence(X, kernel, n_resamples=19, rng=seed).rejected(0.05)
    assert found <= binom.ppf(1 - 1e-4, 1000, 0.05)
    assert kind != "normal" or found >= binom.ppf(1e-4, 1000, 0.05)


def test_long_series_take_landmarks_and_say_so():
    result = row_dependence(autoregression(0.5, 2500, 0), Gaussian(1.0), lags=1, n_resamples=199, rng=0)
    assert result.approximation.startswith("nystrom")
    assert result.pvalue == 0.005


def test_rows_that_are_all_alike_depend_on_nothing():
    result = row_dependence(np.ones((20, 1)), Gaussian(1.0), n_resamples=19, rng=0)
    assert (result.pvalue, result.statistic) == (1.0, 0.0)


@pytest.mark.parametrize(("call", "parts"), [
    (lambda: row_dependence(FIVE, lags=3), ("lags", "3", "X", "5")),
    (lambda: row_dependence(FIVE[:3], lags=1), ("X", "3", "4")),
    (lambda: row_dependence(FIVE, lags=0), ("lags", "1")),
])  # fmt: skip
def test_refusals(call, parts):
    with pytest.raises(Refusal, match=naming(*parts)):
        call()


def test_a_break_is_no_memory():
    """A step of ten deviations, in the middle of a stretch, and one of two further breaks: binomial at level 0.05."""
    found = 0
    for seed in range(60):
        rows = np.random.default_rng(seed).normal(size=(120, 1))
        rows[50:] += 10
        found += row_memory(Gaussian(5.0), rows, 0.05, 50, rng=seed).found
    assert found <= binom.ppf(1 - 1e-3, 60, 0.05)


@pytest.mark.parametrize("rho", [0.5, 0.8])
def test_the_memory_of_an_autoregression_is_found_and_measured(rho):
    """Over 20 series of 400 rows; the median of lengths lies within a third of (1 + ρ)/(1 - ρ)."""
    memories = [row_memory(Gaussian(1.0), autoregression(rho, 400, seed), 0.01, rng=seed) for seed in range(20)]
    assert all(each.found and each.lag == 1 for each in memories)
    right = (1 + rho) / (1 - rho)
    assert np.median([each.length for each in memories]) == pytest.approx(right, rel=1 / 3)


def test_of_many_rows_some_stretches_are_looked_at():
    """1,000 stretches of 20 rows find what 2,500 would: each adds about ρ/2 deviations of its T."""
    rows = autoregression(0.1, 50_000, 0)
    kernel = Gaussian(1.0)
    values, _ = _local_sums(kernel.contrast(rows, 0.0), rows, 0, len(rows), np.random.default_rng(0))
    assert values.shape == (RESAMPLES + 1, MOST, LAGS)
    assert row_memory(kernel, rows, 0.01, rng=0).found
    assert not row_memory(kernel, np.random.default_rng(0).permutation(rows), 0.01, rng=0).found


def test_independent_rows_count_for_themselves():
    lengths = [memory_length(Gaussian(1.0), np.random.default_rng(s).normal(size=(300, 1))) for s in range(20)]
    assert np.median(lengths) < 1.6


def test_blocks_are_the_circle_in_pieces():
    for order in other_orders(50, 20, 0, "blocks", 10):
        assert sorted(order) == list(range(50))
        joints = np.count_nonzero((np.diff(order) % 50) != 1)
        assert joints <= 4


def test_scan_takes_blocks_where_neighbours_are_alike_and_says_so():
    rows = autoregression(0.5, 300, 1)
    result, plain = scan(rows, n_resamples=39, rng=0), scan(rows, n_resamples=39, rng=0, null="shuffle")
    assert (result.null, plain.null, plain.memory) == ("blocks", "permutation", None)
    assert result.memory.found
    assert result.block == min(int(np.ceil(BLOCK * result.memory.length)), 300 // PARTS)
    assert result.index == plain.index
    same = scan(rows, n_resamples=39, rng=0, null="blocks")
    assert (same.pvalue, same.block) == (result.pvalue, result.block)
    told = json.loads(json.dumps(result.to_dict()))
    assert told["memory"]["pvalue"] == result.memory.pvalue
    assert told["null"] == "blocks"


def test_scan_abstains_where_rows_are_too_few_for_their_memory():
    result = scan(autoregression(0.95, 100, 0), n_resamples=39, rng=0, segments=True)
    assert (result.too_few, result.pvalue, result.breaks, result.sought) == (True, 1.0, (), False)
    assert not result.rejected(0.05)


def test_independent_rows_have_the_p_of_permutations():
    rows = np.random.default_rng(0).normal(size=(80, 1))
    auto, plain = scan(rows, n_resamples=39, rng=0), scan(rows, n_resamples=39, rng=0, null="permutation")
    assert not auto.memory.found
    assert (auto.null, auto.pvalue, auto.block) == ("permutation", plain.pvalue, None)
    np.testing.assert_array_equal(auto.null_distribution, plain.null_distribution)


@pytest.mark.slow
@pytest.mark.parametrize(("rho", "most"), [(0.0, 0.05), (0.5, 0.1), (0.8, 0.12)])
def test_the_level_of_scan_on_autoregressions(rho, most):
    """200 rows, 400 series: exact for independent rows, about right for others; permutations reject in .5 and more."""
    found = sum(scan(autoregression(rho, 200, [3, s]), n_resamples=19, rng=s).rejected(0.05) for s in range(400))
    assert found <= binom.ppf(1 - 1e-3, 400, most)


@pytest.mark.slow
def test_a_cycle_is_no_series_of_breaks():
    """A period of 24 rows, 240 of them: permutations find many breaks."""
    for seed in range(10):
        rows = np.sin(np.arange(240) * np.pi / 12) + 0.5 * np.random.default_rng(seed).normal(size=240)
        assert scan(rows, n_resamples=19, rng=seed, segments=True).breaks == ()
