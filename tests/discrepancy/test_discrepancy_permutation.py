"""The permutation engine against loops over all pairs and all splits, and the promises of its random numbers."""

import itertools

import numpy as np
import pytest
from two_samples import CASES, M, N, all_splits, by_loops, engine, table

from explorer import Energy, Gaussian, Linear, Polynomial, mmd_test
from explorer.discrepancy.resampling import permutation
from explorer.discrepancy.resampling.permutation import CentredGram, mmd2_of_splits, permutations, splits, tie_tolerance
from explorer.discrepancy.results.test_result import pvalue
from explorer.rng import stream

statistics = pytest.mark.parametrize("statistic", ["unbiased", "biased"])


@statistics
@pytest.mark.parametrize("case", CASES)
def test_the_products_equal_the_double_loops(case, statistic):
    K, S = table(case), splits(N + M, N, 20, rng=3)
    found = engine(K, S, statistic)
    expected = [by_loops(K, np.flatnonzero(s), statistic) for s in S]
    # loops sum some 300 terms of size |K|: 1e-14 of the largest is their rounding
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14 * np.abs(K).max() * 10)


@statistics
def test_many_batches_equal_one_split_at_a_time(statistic):
    K = table("gaussian")
    S = splits(N + M, N, 300, rng=0)
    gram = CentredGram(K)
    one_by_one = [mmd2_of_splits(gram, s[None], statistic)[0] for s in S]
    np.testing.assert_allclose(mmd2_of_splits(gram, S, statistic), one_by_one, rtol=0, atol=1e-15)


@statistics
@pytest.mark.parametrize("strip", [1, 5, N + M - 1, N + M])
def test_strips_of_half_the_matrix_equal_the_double_loops(monkeypatch, statistic, strip):
    monkeypatch.setattr(permutation, "STRIP", strip)
    monkeypatch.setattr(permutation, "WIDE", 3)
    K, S = table("gaussian"), splits(N + M, N, 10, rng=3)
    expected = [by_loops(K, np.flatnonzero(s), statistic) for s in S]
    np.testing.assert_allclose(engine(K, S, statistic), expected, rtol=0, atol=1e-13 * np.abs(K).max())


def test_strips_equal_the_whole_matrix_where_there_are_many():
    """Splits, and the weights of rows in one sample, compared with the products with all of HKH."""
    rng = np.random.default_rng(0)
    P = rng.normal(size=(2 * permutation.STRIP + 45, 3))
    gram = CentredGram(Gaussian(1.0)(P))
    for S in (splits(len(P), 120, permutation.WIDE + 9, rng=1), rng.random((4, len(P)))):
        s = S.astype(float)
        whole = np.einsum("bi,ij,bj->b", s, gram.K, s, optimize=True), s @ np.diag(gram.K)
        np.testing.assert_allclose(gram.forms(S), whole, rtol=0, atol=64 * np.finfo(float).eps * gram.magnitude)
    assert gram.magnitude == pytest.approx(np.abs(gram.K).sum() + np.linalg.norm(Gaussian(1.0)(P)), rel=1e-13)


def test_splits_hold_n_points_each_and_are_those_of_the_permutations():
    S = splits(20, 7, 300, rng=5)
    assert S.shape == (300, 20)
    assert (S.sum(axis=1) == 7).all()
    orders = np.concatenate(list(permutations(20, 300, rng=5)))
    assert (np.sort(orders, axis=1) == np.arange(20)).all()
    assert all(set(np.flatnonzero(s)) == set(order[:7]) for s, order in zip(S, orders, strict=True))


@pytest.mark.parametrize("fewer", [1, 127, 128, 129, 300])
def test_more_resamples_only_append(fewer):
    assert (splits(15, 6, fewer, rng=1) == splits(15, 6, 400, rng=1)[:fewer]).all()
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(6, 2)), rng.normal(size=(9, 2))
    short, long = (mmd_test(X, Y, Gaussian(1.0), n_resamples=B, rng=1).null_distribution for B in (fewer, 400))
    # products of another width may round the last digit differently
    np.testing.assert_allclose(short, long[:fewer], rtol=0, atol=1e-15)


def test_every_split_is_as_likely_as_any_other():
    S = splits(6, 3, 20_000, rng=0)
    counts = np.unique(S @ (1 << np.arange(6)), return_counts=True)[1]
    assert len(counts) == 20
    chi2 = ((counts - 1000) ** 2 / 1000).sum()
    assert chi2 < 43.8  # the 0.999 quantile of chi^2 with 19 degrees of freedom


def test_permutations_have_a_stream_of_their_own():
    drawn = next(permutations(10, 3, rng=5))
    assert (drawn == stream(5, "permutation").permuted(np.tile(np.arange(10), (3, 1)), axis=1)).all()


def test_a_generator_is_the_callers_one_stream():
    rng = np.random.default_rng(7)
    first, second = splits(10, 5, 50, rng), splits(10, 5, 50, rng)
    assert (first != second).any()
    assert (np.concatenate([first, second]) == splits(10, 5, 100, np.random.default_rng(7))).all()


def test_all_twenty_splits_of_three_and_three():
    """The swapped split has the same value, so 20 splits give 10 values, and p over all of them is a multiple of
    1/10.
    """
    rng = np.random.default_rng(0)
    P = rng.normal(size=(6, 1))
    K, S = Gaussian(1.0)(P), all_splits(6, 3)
    assert len(S) == 20
    for statistic in ("unbiased", "biased"):
        values = engine(K, S, statistic)
        swapped = engine(K, ~S, statistic)
        tolerance = tie_tolerance(CentredGram(K).magnitude, 3, 3)
        assert np.abs(values - swapped).max() <= tolerance
        assert len(np.unique(np.round(values, 12))) == 10
        for i in range(20):
            # the share of all 20 splits that reach this one, its own twin among them
            expected = sum(
                by_loops(K, np.flatnonzero(s), statistic) >= by_loops(K, np.flatnonzero(S[i]), statistic) - 1e-12
                for s in S
            )
            assert expected % 2 == 0
            assert pvalue(np.delete(values, i), values[i], tolerance) == expected / 20


def test_random_splits_tend_to_the_exhaustive_p_value():
    P = np.array([0.0, 0.1, 0.3, 1.0, 1.3, 1.1])[:, None]
    result = mmd_test(P[:3], P[3:], Gaussian(1.0), n_resamples=20_000, rng=0)
    values = engine(Gaussian(1.0)(P), all_splits(6, 3), "unbiased")
    exact = np.mean(values >= result.statistic - result.tolerance)
    assert exact == 0.1
    assert abs(result.pvalue - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 20_000)


def test_equal_splits_are_ties_beside_a_far_outlier():
    """At a value of 2000 under a quadratic kernel, rounding reaches 1e-3, more than an absolute tolerance of 1e-12."""
    rng = np.random.default_rng(0)
    P = rng.normal(size=(40, 1))
    P[0] = 2e5
    K, S = Polynomial(2)(P), splits(40, 20, 500, rng=0)
    for statistic in ("unbiased", "biased"):
        gram = CentredGram(K)
        gap = np.abs(mmd2_of_splits(gram, S, statistic) - mmd2_of_splits(gram, ~S, statistic)).max()
        assert 1e-12 < gap <= tie_tolerance(gram.magnitude, 20, 20)


@pytest.mark.parametrize(
    ("kernel", "shift"), [(Gaussian(1.0), 0.0), (Gaussian(100.0), 5.1), (Energy(), 300.0), (Linear(), 300.0)], ids=repr
)
def test_ties_of_what_only_symmetry_makes_equal(kernel, shift):
    """Ten points on a circle: a turned split has the same value, in other entries of K with their own roundings.

    If k is nearly constant, or the circle far from the origin, they are larger than 64 eps sum |HKH|: hence |K|_F.
    Some processors round a circle symmetrically, so every entry is moved by one last place more.
    """
    angle = np.arange(10) * 2 * np.pi / 10 + 0.3
    K = kernel(np.column_stack([np.cos(angle), np.sin(angle)]) + shift)
    last_place = np.triu(np.random.default_rng(0).integers(-1, 2, size=K.shape))
    gram = CentredGram(K * (1 + np.finfo(float).eps * (last_place + np.triu(last_place, 1).T)))
    S = all_splits(10, 5)
    turned = {}
    for s, value in zip(S, mmd2_of_splits(gram, S, "unbiased"), strict=True):
        turned.setdefault(min(tuple(np.roll(s, i)) for i in range(10)), []).append(value)
    gap = max(np.ptp(values) for values in turned.values())
    assert len(turned) == 26
    assert gap <= tie_tolerance(gram.magnitude, 5, 5)
    assert shift == 0 or gap > tie_tolerance(np.abs(gram.K).sum(), 5, 5)


@pytest.mark.parametrize("case", CASES)
def test_nothing_changes_when_the_gram_matrix_is_centred(case):
    """MMD^2 of K is MMD^2 of HKH, U and V: the loops see the centred one and agree."""
    K = table(case)
    H = np.eye(len(K)) - 1 / len(K)
    for statistic in ("unbiased", "biased"):
        expected = by_loops(K, range(N), statistic)
        assert by_loops(H @ K @ H, range(N), statistic) == pytest.approx(expected, abs=1e-13 * np.abs(K).max())


def test_centring_takes_away_what_would_cancel():
    """A constant of 1e10 on the kernel leaves only the rounding of the entries, 1e-6, and averages it."""
    K, S = table("gaussian"), splits(N + M, N, 50, rng=0)
    far = K + 2.0**33
    np.testing.assert_allclose(engine(far, S, "unbiased"), engine(far - 2.0**33, S, "unbiased"), rtol=0, atol=1e-14)
    gram = CentredGram(far)
    assert np.abs(gram.K.sum(axis=1)).max() < 1e-13


def test_swapping_the_samples_changes_nothing():
    K = table("laplacian")
    S = splits(N + M, N, 30, rng=0)
    for statistic in ("unbiased", "biased"):
        np.testing.assert_allclose(engine(K, S, statistic), engine(K, ~S, statistic), rtol=0, atol=1e-15)


def test_the_paired_statistic_differs_by_its_cross_terms():
    """U_pair - U = 2 (tr Kxy - sum Kxy / n) / (n(n-1)) for n = m."""
    rng = np.random.default_rng(0)
    n = 8
    K = Gaussian(1.0)(rng.normal(size=(2 * n, 2)))
    xx, xy, yy = K[:n, :n], K[:n, n:], K[n:, n:]
    paired = sum(xx[i, j] + yy[i, j] - xy[i, j] - xy[j, i] for i, j in itertools.permutations(range(n), 2)) / (
        n * (n - 1)
    )
    U = engine(K, (np.arange(2 * n) < n)[None], "unbiased")[0]
    assert paired - U == pytest.approx(2 * (np.trace(xy) - xy.sum() / n) / (n * (n - 1)), abs=1e-15)
