"""Linear-time MMD^2, variances and power: definitions written out, Monte Carlo over samples."""

import itertools
import re

import numpy as np
import pytest
from helpers.naming import naming
from scipy.stats import norm
from two_samples import CASES, M, N, pooled, table

from explorer import Delta, Gaussian, GaussianMixture, Linear, linear_time, mmd2, mmd2_of_laws, mmd_test
from explorer.discrepancy import power, variance
from explorer.discrepancy.mmd.power import Moments
from explorer.discrepancy.resampling.sign_test import SUMS

P, Q = GaussianMixture([1.0], [[0.0]], 1.0), GaussianMixture([1.0], [[1.0]], 1.5)
KERNEL = Gaussian(1.0)


# linear time --------------------------------------------------------------------------------------------------------


def distant(case):
    """Return sixteen points of the case's kernel in two samples of eight, with its table."""
    kernel, Z, _ = pooled(case)
    return kernel, Z[:16], table(case)[:16, :16]


@pytest.mark.parametrize("case", CASES)
def test_the_linear_time_statistic_is_the_mean_of_its_terms(case):
    kernel, Z, K = distant(case)
    for n in (8, 7):
        x, y = np.arange(n), 8 + np.arange(n)
        h = [K[x[i], x[i + 1]] + K[y[i], y[i + 1]] - K[x[i], y[i + 1]] - K[x[i + 1], y[i]] for i in range(0, n - 1, 2)]
        result = linear_time(Z[x], Z[y], kernel)
        size = np.abs(K).max()
        assert result.statistic == pytest.approx(np.mean(h), abs=1e-14 * size)
        assert result.standard_error == pytest.approx(np.std(h, ddof=1) / np.sqrt(len(h)), rel=1e-10)
        signs = np.array(list(itertools.product([1, -1], repeat=len(h))))
        # ties with a tolerance that rounding of four values and a few sums does not pass
        assert result.pvalue == np.mean(signs @ h >= np.sum(h) - 1e-13 * size)
        assert result.n == n


def test_chunks_of_pairs_make_no_difference():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(301, 2)), rng.normal(size=(301, 2))
    k = Gaussian(1.0)
    K = [
        np.diag(k(A, B))
        for A, B in ((X[:300:2], X[1::2]), (Y[:300:2], Y[1::2]), (X[:300:2], Y[1::2]), (X[1::2], Y[:300:2]))
    ]
    assert linear_time(X, Y, k).statistic == pytest.approx((K[0] + K[1] - K[2] - K[3]).mean(), rel=1e-12)


def test_it_is_unbiased_with_the_standard_error_that_it_says():
    rng = np.random.default_rng(0)
    results = [linear_time(P.sample(60, rng), Q.sample(60, rng), KERNEL) for _ in range(600)]
    values = np.array([r.statistic for r in results])
    z = (values.mean() - mmd2_of_laws(P, Q, KERNEL)) / (values.std(ddof=1) / np.sqrt(len(values)))
    assert abs(z) < 4.5
    # the variance of 600 values is known to 6 %, that of 30 terms averaged over 600 better
    assert np.mean([r.standard_error**2 for r in results]) == pytest.approx(values.var(ddof=1), rel=0.25)


def test_many_terms_take_the_normal_p():
    """P = Q and 2000 terms; for a middling p it is near the p-value of 24 sums, which is like that of a t test."""
    rng = np.random.default_rng(0)
    X, Y = P.sample(4000, rng), P.sample(4000, rng)
    result = linear_time(X, Y, KERNEL)
    assert result.sums is None
    assert result.pvalue == pytest.approx(norm.sf(result.statistic / result.standard_error), rel=1e-12)
    few = linear_time(X[:400], Y[:400], KERNEL)
    assert few.sums == SUMS
    assert few.pvalue == pytest.approx(norm.sf(few.statistic / few.standard_error), abs=0.05)


def test_two_hundred_terms_of_one_size_are_enough_for_the_normal_p():
    """Under Linear() a term is (x - y)(x' - y'), here 1 or -1."""
    x = np.random.default_rng(0).choice([-1.0, 1.0], 400)
    result, fewer = linear_time(x, np.zeros(400), Linear()), linear_time(x[:398], np.zeros(398), Linear())
    assert (result.sums, fewer.sums) == (None, SUMS)
    assert result.pvalue == pytest.approx(norm.sf(result.statistic / result.standard_error), rel=1e-12)


def test_terms_that_are_all_below_0_have_p_1():
    """In each term a point of X is one of Y, and all others are far away: no change of sign has a lower total."""
    for one, other in ((0, 3), (2, 1)):  # x = y', or x' = y
        points = 100.0 * np.arange(16).reshape(4, 4)  # x, y, x', y' of four terms
        points[:, one] = points[:, other]
        result = linear_time(points[:, ::2].ravel(), points[:, 1::2].ravel(), Gaussian(1.0))
        assert (result.statistic, result.pvalue, result.sums) == (-1, 1, 4)


def test_its_sentence():
    rng = np.random.default_rng(0)
    said = str(linear_time(P.sample(40, rng), Q.sample(40, rng), KERNEL))
    assert re.search(naming("linear-time MMD²", "2^20 changes of sign", "bandwidth 1", "n = 40 points"), said)
    assert "normal distribution" in str(linear_time(P.sample(4000, rng), P.sample(4000, rng), KERNEL))


# variances ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_moments_by_loops(case):
    kernel, Z, _ = pooled(case)
    K, size = table(case), np.abs(table(case)).max()
    x, y = range(N), range(N, N + M)
    a = [np.mean([K[i, j] for j in x if j != i]) - np.mean([K[i, j] for j in y]) for i in x]
    b = [np.mean([K[i, j] for j in y if j != i]) - np.mean([K[i, j] for j in x]) for i in y]
    T = N + M
    # U-centring (Székely and Rizzo 2014): rows and columns off the diagonal sum to 0
    off = K - np.diag(np.diag(K))
    rows = off.sum(axis=1)
    U = off - (rows[:, None] + rows) / (T - 2) + off.sum() / ((T - 1) * (T - 2))
    np.fill_diagonal(U, 0.0)
    assert np.abs(U.sum(axis=0)).max() < 1e-12 * size
    square = sum(U[i, j] ** 2 for i, j in itertools.permutations(range(T), 2)) / (T * (T - 3))
    found = Moments.of(kernel, Z, N)
    # differences of squares of sums of 18 entries: 1e-12 of the largest square
    np.testing.assert_allclose(
        found[2:], [np.var(a, ddof=1), np.var(b, ddof=1), square], rtol=1e-9, atol=1e-12 * size**2
    )
    assert variance(Z[:N], Z[N:], kernel) == pytest.approx(4 * found.a / N + 4 * found.b / M, rel=1e-12)
    null = 2 * found.square * (1 / (N * (N - 1)) + 1 / (M * (M - 1)) + 2 / (N * M))
    assert variance(Z[:N], Z[N:], kernel, "H0") == pytest.approx(null, rel=1e-12)


def samples_and_variances(P, Q, n, m, count=1000):
    rng = np.random.default_rng(1)
    values, found = [], []
    samples = (R.sample(count * size, rng).reshape(count, size, 1) for R, size in ((P, n), (Q, m)))
    for i, (X, Y) in enumerate(zip(*samples, strict=True)):
        values.append(mmd2(X, Y, KERNEL))
        if i < 200:  # each of which is an average already
            found.append(Moments.of(KERNEL, np.concatenate([X, Y]), n))
    return np.var(values, ddof=1), found


@pytest.mark.thorough
@pytest.mark.parametrize(("n", "m"), [(25, 25), (15, 45)])
def test_variances_against_monte_carlo(n, m):
    """A variance of 1000 values is known to 4.5 %, 4.5 times that is 0.2.

    They are near-normal values under H1, skewed ones under H0.
    """
    true, found = samples_and_variances(P, Q, n, m)
    assert np.mean([f.under_alternative() for f in found]) / true == pytest.approx(1.0, abs=0.2)
    assert np.mean([f.at(n, m) for f in found]) / true == pytest.approx(0.95, abs=0.2)
    true, found = samples_and_variances(P, P, n, m)
    assert np.mean([f.under_null(n, m) for f in found]) / true == pytest.approx(1.04, abs=0.25)
    # where P = Q the plug-in holds the noise of its means only: twice too much
    assert np.mean([f.under_alternative() for f in found]) / true == pytest.approx(2.0, abs=0.4)


def test_where_nothing_differs_a_and_b_hold_nothing_but_the_noise_of_means():
    """What is left of them is 0 on average; its mean over 30 samples varies by .057 of what there was.

    The narrow kernel makes each pair of points say something of its own, so that a and b vary little.
    """
    kernel, rng, left, before = Gaussian(0.03), np.random.default_rng(3), [], []
    for _ in range(30):
        moments = Moments.of(kernel, P.sample(50, rng), 20)
        higher = moments._replace(a=moments.a + 1, b=moments.b + 1)  # `at` is never below 0, and so would be its mean
        left.append((higher.at(1e9, 1e9) - higher.under_null(1e9, 1e9)) * 1e9 / 4 - 2)
        before.append(moments.a + moments.b)
    assert np.mean(left) / np.mean(before) == pytest.approx(0.0, abs=4 * 0.057)


# power --------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_power_against_the_share_of_rejections():
    """Ten pilots of 200 points say what tests of 20 + 20 and 12 + 40 will find."""
    sizes = ((20, 20), (12, 40))
    rng = np.random.default_rng(0)
    pilots = [(P.sample(200, rng), Q.sample(200, rng)) for _ in range(10)]
    said = np.mean([power(*pilot, KERNEL, *np.transpose(sizes), n_resamples=199, rng=0) for pilot in pilots], axis=0)
    for (n, m), promised in zip(sizes, said, strict=True):
        tests = (mmd_test(P.sample(n, rng), Q.sample(m, rng), KERNEL, n_resamples=99, rng=rng) for _ in range(300))
        found = np.mean([test.pvalue <= 0.05 for test in tests])
        assert 0.3 < found < 0.95
        # 3 % standard error of 300 tests, 3 % of ten pilots; the normal law promises some 6 % too much at these sizes
        assert promised == pytest.approx(found, abs=0.15)


def test_power_rises_with_the_sizes_and_falls_with_the_level():
    X, Y = P.sample(50, rng=0), Q.sample(60, rng=1)
    sizes = np.array([5, 20, 80, 320])
    curve = power(X, Y, KERNEL, n=sizes, rng=0)
    assert curve.shape == (4,)
    assert (np.diff(curve) > 0).all()
    assert curve[-1] > 0.99
    assert power(X, Y, KERNEL, n=20, rng=0) == pytest.approx(curve[1], rel=1e-12)
    assert power(X, Y, KERNEL, n=20, level=0.01, rng=0) < curve[1]
    assert power(X, Y, KERNEL, rng=0) == power(X, Y, KERNEL, n=50, m=60, rng=0)
    assert power(X, Y, KERNEL, n=sizes, m=40, rng=0).shape == (4,)


def test_a_power_against_a_known_difference_does_not_lean_on_the_observed_one():
    """With `truth` the samples only estimate the variance of MMD². Its default is the observed value."""
    X, Y = P.sample(50, rng=0), Q.sample(60, rng=1)
    sizes = np.array([5, 20, 80, 320])
    observed = mmd2(X, Y, KERNEL)
    np.testing.assert_array_equal(
        power(X, Y, KERNEL, n=sizes, rng=0, truth=observed), power(X, Y, KERNEL, n=sizes, rng=0)
    )
    np.testing.assert_array_equal(power(X, Y, KERNEL, n=sizes, rng=0, truth=0), np.full(4, 0.05))
    assert power(X, Y, KERNEL, level=0.01, rng=0, truth=0.0) == 0.01
    assert power(X, Y, KERNEL, n=20, rng=0, truth=observed / 2) < power(X, Y, KERNEL, n=20, rng=0)
    for truth in (-0.1, [0.1, 0.2], np.nan):
        with pytest.raises(ValueError, match="truth"):
            power(X, Y, KERNEL, truth=truth)


@pytest.mark.slow
def test_a_power_against_the_true_difference_holds_for_other_samples():
    """The share found of 400 pairs of 20 and 20 points, and what 20 pilots of 40 and 40 say by the true MMD²."""
    rng, true = np.random.default_rng(1), mmd2_of_laws(P, Q, KERNEL)
    pilots = [(P.sample(40, rng), Q.sample(40, rng)) for _ in range(20)]
    said = np.array([power(*pilot, KERNEL, n=20, n_resamples=199, rng=0, truth=true) for pilot in pilots])
    without = np.array([power(*pilot, KERNEL, n=20, n_resamples=199, rng=0) for pilot in pilots])
    tests = (mmd_test(P.sample(20, rng), Q.sample(20, rng), KERNEL, n_resamples=99, rng=rng) for _ in range(400))
    found = np.mean([test.pvalue <= 0.05 for test in tests])
    # 2.5 % standard error of 400 tests, and some 6 % that the normal law promises too much at these sizes
    assert said.mean() == pytest.approx(found, abs=0.15)
    assert said.std() < without.std() / 2


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: linear_time(np.zeros((6, 1)), np.zeros((8, 1)), KERNEL),
            naming("X", "6", "Y", "8", "statistic"),
        ),
        (
            lambda: linear_time([0.0, 1.0, 2.0], [0.0, 1.0, 2.0], KERNEL),
            naming("X", "3", "4"),
        ),
        (
            lambda: linear_time([1e154, 1e154, 0, 0], [-1e154, -1e154, 0, 0], Linear()),
            naming("Linear"),
        ),
        (lambda: variance([0.0, 1.0], [0.0], KERNEL), naming("Y", "1")),
        (lambda: variance([0.0, 1.0], [0.0, 2.0], KERNEL, "null"), naming("'H1'", "'H0'", "'null'")),
        (lambda: power([0.0, 1.0], [0.0, 1.0], KERNEL, n=1), naming("1", "sample", "sizes", "2")),
        (lambda: power([0.0, 1.0], [0.0, 1.0], KERNEL, n=20, m=[5.5]), "m holds 5.5"),
        (
            lambda: power(np.arange(9.0), np.arange(9.0), KERNEL, level=0.01, n_resamples=20),
            naming("level", "0.01", "99"),
        ),
        (
            lambda: power(np.arange(9.0), np.arange(9.0) + 20, Delta(), rng=0),
            "takes one value on all pairs of these points",
        ),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
