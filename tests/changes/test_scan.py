"""`scan`: its p-value by a slow test, its breaks, its answers, and what it refuses."""

import inspect
import json
import re

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming

import explorer
from explorer import Delta, Gaussian, Linear, ScanResult, mmd2, scan
from explorer.checks import Refusal, WrongType
from explorer.discrepancy.resampling.permutation import permutations
from explorer.rng import stream

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
BROKEN = np.concatenate([X[:35], X[35:] + 2])


def largest(X, kernel, min_size):
    """Return the statistic up to the factor that all orders share, one mmd2 a split."""
    n = len(X)
    values = [
        mmd2(X[:t], X[t:], kernel) * np.sqrt(t * (t - 1) * (n - t) * (n - t - 1))
        for t in range(min_size, n - min_size + 1)
    ]
    return max(values), min_size + int(np.argmax(values))


def test_the_front_door():
    bare = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in inspect.signature(explorer.scan).parameters.values()
    ]
    assert str(inspect.Signature(bare)) == (
        "(X, kernel=None, *, min_size=10, segments=False, n_resamples=199, rng=None, null='auto',"
        " approximation='auto', rank=None, time=None)"
    )


def test_p_and_the_index_by_the_orders_themselves():
    some, kernel = X[:24], Gaussian(1.0)
    result = scan(some, kernel, min_size=4, n_resamples=29, rng=3)
    observed, at = largest(some, kernel, 4)
    null = [largest(some[order], kernel, 4)[0] for batch in permutations(24, 29, 3) for order in batch]
    assert result.index == at
    assert result.pvalue == (1 + sum(value >= observed for value in null)) / 30
    np.testing.assert_allclose(result.null_distribution / result.statistic, np.array(null) / observed, rtol=1e-9)


def test_p_by_circular_shifts():
    some, kernel = X[:24], Gaussian(1.0)
    result = scan(some, kernel, min_size=4, n_resamples=9, rng=3, null="shift")
    observed, _ = largest(some, kernel, 4)
    shifts = stream(3, "shift").permutation(np.arange(1, 24))[:9]
    null = [largest(np.roll(some, shift, axis=0), kernel, 4)[0] for shift in shifts]
    assert result.pvalue == (1 + sum(value >= observed for value in null)) / 10
    assert "9 circular shifts" in str(result)
    assert len(scan(some, kernel, min_size=4, null="shift", rng=0).null_distribution) == 23  # each one once


def test_shifts_keep_the_level_of_rows_that_depend_on_their_neighbours_where_permutations_do_not():
    """An autoregression of 150 rows at 0.7, 40 times: permutations find a change in most."""
    found = {"shift": 0, "permutation": 0}
    for seed in range(40):
        noise, row, rows = np.random.default_rng(seed).normal(size=200), 0.0, []
        for each in noise:
            row = 0.7 * row + each
            rows.append(row)
        for null in found:
            found[null] += scan(rows[50:], n_resamples=39, rng=seed, null=null).rejected(0.05)
    assert found["permutation"] > 20
    assert found["shift"] <= 8  # binomial(40, 0.05) exceeds it once in 5000


def test_a_break_is_found_where_it_is():
    result = scan(BROKEN, rng=0)
    assert (result.index, result.pvalue, result.rejected(0.05)) == (35, 0.005, True)
    assert np.nanargmax(result.profile) == 35
    assert result.breaks == ()
    assert re.search(naming("row 35 of 60", "p = 0.005", "199 permutations"), str(result))


def test_no_break_is_said_to_be_none():
    result = scan(X, rng=0, segments=True)
    assert not result.rejected(0.05)
    assert re.search(naming(f"p = {result.pvalue:.3g}", "level 0.05"), str(result))


def test_two_breaks_one_of_the_mean_and_one_of_the_spread():
    rows = np.random.default_rng(5).normal(size=(240, 1))
    rows[80:] += 3
    rows[160:] = 3 + 4 * (rows[160:] - 3)
    result = scan(rows, segments=True, rng=0)
    assert len(result.breaks) == 2
    assert np.abs(np.subtract(result.breaks, (80, 160))).max() <= 5
    assert re.search(naming("2 breaks"), str(result))


def test_three_levels_of_few_rows_have_two_breaks():
    rows = np.random.default_rng(1).normal(size=(45, 1)) + 6 * np.repeat([0, 1, 0], 15)[:, None]
    assert scan(rows, Gaussian(1.0), min_size=5, segments=True, rng=0, null="permutation").breaks == (15, 30)


def test_a_change_that_comes_back_is_seen_in_intervals():
    rows = np.random.default_rng(6).normal(size=(300, 1))
    rows[140:170] += 3
    found = scan(rows, segments=True, rng=0).breaks
    assert np.abs(np.subtract(found, (140, 170))).max() <= 2


def test_rows_that_are_all_alike_have_p_1():
    result = scan(np.ones((30, 2)), Gaussian(1.0), rng=0)
    assert (result.pvalue, result.statistic) == (1.0, 0.0)


def test_ties_count():
    """Labels with one order as good as most others: nearly all null values equal the statistic's."""
    rows = np.zeros((20, 1))
    rows[3] = 1
    result = scan(rows, Delta(), min_size=10, n_resamples=99, rng=0)
    assert result.pvalue == 1.0


def test_an_approximation_finds_the_same_break_and_is_named():
    exact, low = scan(BROKEN, rng=0), scan(BROKEN, rng=0, approximation="nystrom", rank=40)
    assert exact.approximation == "exact"
    assert low.approximation == "nystrom of rank 40"
    assert low.index == exact.index
    np.testing.assert_allclose(low.profile, exact.profile, atol=0.05)


def test_long_series_take_landmarks():
    rows = np.random.default_rng(0).normal(size=(4000, 1))
    rows[1500:] += 0.5
    result = scan(rows, Gaussian(1.0), n_resamples=199, rng=0)
    assert result.approximation.startswith("nystrom")
    assert abs(result.index - 1500) < 40
    assert result.pvalue == 0.005


def test_a_table_with_words_is_compared_by_equality():
    words = np.where(np.arange(80) < 50, "a", "b")
    words[::7] = "c"
    table = pd.DataFrame({"kind": words, "size": np.random.default_rng(0).normal(size=80)})
    result = scan(table, rng=0)
    assert abs(result.index - 50) <= 1  # row 49 is a c, and both sides have some
    assert result.columns == ("kind", "size")


def test_one_dimension_may_be_flat():
    assert scan(BROKEN[:, 0], rng=0).index == scan(BROKEN[:, :1], rng=0).index


def test_to_dict_is_json():
    told = json.loads(json.dumps(scan(BROKEN, rng=0).to_dict()))
    assert told["index"] == 35
    assert told["profile"][0] == "nan"
    assert isinstance(scan(BROKEN, rng=0), ScanResult)


REFUSED = {
    "few rows": (lambda: scan(X[:19]), ("X", "min_size=10", "19", "20")),
    "min_size": (lambda: scan(X, min_size=1), ("min_size", "2", "1")),
    "nan": (lambda: scan([*X[:, 0], np.nan]), ("X", "1", "NaN")),
    "null": (
        lambda: scan(X, null="block"),
        ("null", "'auto'", "'permutation'", "'shuffle'", "'shift'", "'blocks'", "'block'"),
    ),
    "resamples": (lambda: scan(X, n_resamples=0), ("n_resamples", "1")),
    "rank alone": (lambda: scan(X, approximation=None, rank=3), ("rank=3",)),
    "memory": (lambda: scan(np.arange(6001.0), Linear(), approximation=None), ("0.3 GB",)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    call, parts = REFUSED[name]
    with pytest.raises(Refusal, match=naming(*parts)):
        call()


def test_as_many_rows_as_a_stored_gram_matrix_may_have(monkeypatch):
    monkeypatch.setattr("explorer.changes.scanning.LARGE", 60)
    assert scan(X, n_resamples=1, approximation=None, null="permutation", rng=0).n == 60
    with pytest.raises(Refusal, match=naming(61, 60)):
        scan(np.r_[X, X[:1]], n_resamples=1, approximation=None)


def test_another_type_than_a_kernel_is_a_type_error():
    with pytest.raises(WrongType, match="kernel"):
        scan(X, "rbf")
