"""The standardised MMD² at every split: by mmd2 of the rows on both sides, and by all orders of few rows."""

import itertools
from functools import partial

import numpy as np
import pytest

from explorer import Delta, Energy, Gaussian, Laplacian, Linear, low_rank, mmd2, scan
from explorer.changes import splits
from explorer.changes.segments import best_splits, seeded_intervals
from explorer.changes.splits import FeatureRows, GramRows, Intervals, standardise

RNG = np.random.default_rng(0)
ROWS = {
    "Gaussian": (Gaussian(1.0), RNG.normal(size=(30, 2))),
    "Laplacian": (Laplacian(1.0), RNG.normal(size=(30, 3))),
    "Linear far from 0": (Linear(), RNG.normal(size=(30, 2)) + 1e4),
    "Energy": (Energy(), RNG.standard_cauchy(size=(30, 1))),
    "Delta, ties": (Delta(), RNG.integers(0, 3, size=(30, 1)).astype(float)),
}
each_kernel = pytest.mark.parametrize("name", ROWS)


def sides(n, min_size):
    return range(min_size, n - min_size + 1)


@each_kernel
def test_the_profile_is_mmd2_of_both_sides_times_what_the_sizes_give(name):
    """Up to one constant of the sample: U_t sqrt(t (t-1) m (m-1))."""
    kernel, X = ROWS[name]
    profile, n = scan(X, kernel, min_size=4, n_resamples=1, rng=0).profile, len(X)
    assert np.flatnonzero(np.isfinite(profile)).tolist() == list(sides(n, 4))
    direct = [mmd2(X[:t], X[t:], kernel) * np.sqrt(t * (t - 1) * (n - t) * (n - t - 1)) for t in sides(n, 4)]
    ratio = np.dot(direct, profile[4:27]) / np.dot(direct, direct)
    # Linear's offset of 1e4 costs mmd2 itself no digits, as it centres; 1e-9 leaves room for its sums of 900 terms
    np.testing.assert_allclose(ratio * np.array(direct), profile[4:27], rtol=1e-7, atol=1e-9)


@each_kernel
def test_over_all_orders_of_few_rows_the_mean_is_0_and_the_variance_1(name):
    """At every split, of all rows and of an interval: the 720 orders of six rows, each once."""
    kernel, X = ROWS[name]
    rows = GramRows(kernel, X[:6])
    orders = [np.array(order) for order in itertools.permutations(range(6))]
    whole = np.array([standardise(rows, rows.squares(order), order, 2)[2:5] for order in orders])
    inner = Intervals(rows, np.array([1]), np.array([6]), 2)
    part = np.array([inner.values(order) for order in orders])
    for values in (whole, part):
        np.testing.assert_allclose(values.mean(axis=0), 0.0, atol=1e-10)
        np.testing.assert_allclose(values.var(axis=0), 1.0, rtol=1e-9)


@each_kernel
def test_an_interval_s_values_are_mmd2_of_its_parts(name):
    kernel, X = ROWS[name]
    rows = GramRows(kernel, X)
    starts, ends, n = np.array([0, 3, 11]), np.array([12, 15, 30]), len(X)
    values = iter(Intervals(rows, starts, ends, 3).values(np.arange(n)))
    for s, e in zip(starts, ends, strict=True):
        for t in range(s + 3, e - 2):
            a, b, c = t - s, e - t, e - s
            scale = np.sqrt(n * (n - 3) / 2 * a * (a - 1) * b * (b - 1) / ((c - 1) * (c - 2))) / rows.spread
            np.testing.assert_allclose(next(values), mmd2(X[s:t], X[t:e], kernel) * scale, rtol=1e-7, atol=1e-9)
    assert next(values, None) is None


def test_the_interval_of_all_rows_has_the_profile():
    kernel, X = ROWS["Gaussian"]
    rows, order = GramRows(kernel, X), np.random.default_rng(1).permutation(30)
    profile = standardise(rows, rows.squares(order), order, 5)
    whole = Intervals(rows, np.array([0]), np.array([30]), 5)
    np.testing.assert_allclose(whole.values(order), profile[5:26], atol=1e-10)


def test_features_of_full_rank_give_what_the_gram_matrix_does():
    kernel, X = Gaussian(1.0), ROWS["Gaussian"][1]
    low, order = low_rank(kernel, X, rank=30), np.random.default_rng(1).permutation(30)
    ours, theirs = FeatureRows(low, X), GramRows(kernel, X)
    np.testing.assert_allclose(ours.spread, theirs.spread, rtol=1e-9)
    np.testing.assert_allclose(ours.squares(order), theirs.squares(order), atol=1e-9)
    both = [best_splits(Intervals(rows, *seeded_intervals(30, 4), 4), order) for rows in (ours, theirs)]
    for one, other in zip(*both, strict=True):
        assert one[1:] == other[1:]
        np.testing.assert_allclose(one.value, other.value, atol=1e-8)


@pytest.mark.parametrize("n", [3, 15, 16, 17, 33, 600])
def test_squares_by_products_are_those_of_cumulated_sums(monkeypatch, n):
    """In blocks of 80 rows of 6 features, whole ones and the last, of products of 16 rows."""
    monkeypatch.setattr(splits, "CACHED", 6 * 80)
    rng = np.random.default_rng(n)
    X, order = rng.normal(size=(n, 2)), rng.permutation(n)
    rows = FeatureRows(low_rank(Gaussian(1.0), X, rank=min(n, 6)), X)
    C = np.cumsum(rows.F[order], axis=0)
    np.testing.assert_allclose(rows.squares(order)[1:], np.square(C).sum(axis=1), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("made", ["by the Gram matrix", "by features"])
def test_a_part_is_its_rows_by_themselves(made):
    kernel, low = Gaussian(1.0), low_rank(Gaussian(1.0), ROWS["Gaussian"][1], rank=30)
    make = partial(GramRows, kernel) if made == "by the Gram matrix" else partial(FeatureRows, low)
    X, order = ROWS["Gaussian"][1], np.random.default_rng(1).permutation(17)
    part, alone = make(X).part(5, 22), make(X[5:22])
    np.testing.assert_allclose(part.spread, alone.spread, rtol=1e-9)
    np.testing.assert_allclose(part.squares(order), alone.squares(order), atol=1e-10)
    alike = make(np.concatenate([X, np.ones((9, X.shape[1]))]))
    assert alike.part(30, 39).spread == 0  # what rounding has left is nothing


def test_time_reversed_reverses_the_profile_and_shifts_and_scales_change_nothing():
    X = RNG.normal(size=(40, 2))
    X[25:] += 1
    profile = scan(X, min_size=5, n_resamples=1, rng=0).profile
    back = scan(X[::-1], min_size=5, n_resamples=1, rng=0).profile
    np.testing.assert_allclose(back[1:], profile[:0:-1], rtol=1e-8, atol=1e-9)
    for other in (7 * X, X - 100, X @ [[0.6, -0.8], [0.8, 0.6]]):
        # the median bandwidth follows; far from 0 distances lose three digits of sixteen
        np.testing.assert_allclose(scan(other, min_size=5, n_resamples=1, rng=0).profile, profile, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("n", [20, 21, 57, 300, 5000])
def test_seeded_intervals_cover_every_row_and_none_is_too_short(n):
    starts, ends = seeded_intervals(n, 10)
    lengths = ends - starts
    assert (starts[0], ends[0]) == (0, n)
    assert lengths.min() >= max(20, n / 200)
    for length in np.unique(lengths):
        layer = starts[lengths == length]
        assert (layer[0], layer[-1] + length) == (0, n)
        assert (np.diff(layer) <= length // 2 + 1).all()  # each reaches the middle of the one before


def test_the_best_split_of_rows_without_a_break_is_not_drawn_to_the_ends():
    """At most 65 % of 400 orders have their peak in the outer two fifths of the splits, in both halves as often.

    Not 40 %: values near an end depend on few rows, so that they vary more from split to split.
    """
    rows, rng = GramRows(Gaussian(1.0), RNG.normal(size=(100, 1))), np.random.default_rng(2)
    profiles = (standardise(rows, rows.squares(o), o, 10) for o in (rng.permutation(100) for _ in range(400)))
    at = np.array([np.nanargmax(profile) for profile in profiles])
    assert np.mean((at < 26) | (at > 74)) < 0.65
    assert np.mean(at < 50) == pytest.approx(0.5, abs=0.1)
