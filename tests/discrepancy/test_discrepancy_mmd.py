"""mmd2 against its definition, embeddings, expectations and energy distances.

Its test is compared with loops over permutations.
"""

import numpy as np
import pytest
from helpers.naming import naming
from two_samples import CASES, M, N, by_loops, pooled, table, words

from explorer import (
    Delta,
    Embedding,
    Energy,
    Gaussian,
    GaussianMixture,
    Laplacian,
    Linear,
    Polynomial,
    mmd2,
    mmd2_of_laws,
    mmd_test,
    witness,
)
from explorer.checks import ExplorerWarning
from explorer.discrepancy.resampling.permutation import permutations

statistics = pytest.mark.parametrize("statistic", ["unbiased", "biased"])
every_case = pytest.mark.parametrize("case", CASES)


@statistics
@every_case
def test_the_value_is_the_definition(case, statistic):
    kernel, P, _ = pooled(case)
    K = table(case)
    # sums of some 300 terms of size |K|
    expected = pytest.approx(by_loops(K, range(N), statistic), abs=1e-13 * np.abs(K).max())
    assert mmd2(P[:N], P[N:], kernel, statistic) == expected


@every_case
def test_the_biased_value_is_the_squared_distance_of_embeddings(case):
    kernel, P, _ = pooled(case)
    X, Y = P[:N], P[N:]
    e, f = (Embedding(kernel, Z, np.full(len(Z), 1 / len(Z))) for Z in (X, Y))
    size = np.abs(table(case)).max()
    assert mmd2(X, Y, kernel, "biased") == pytest.approx(e.distance(f) ** 2, abs=1e-13 * size)
    assert witness(X, Y, kernel).norm() ** 2 == pytest.approx(e.distance(f) ** 2, abs=1e-13 * size)


@statistics
@every_case
def test_the_test_is_a_loop_over_permutations(case, statistic):
    kernel, P, _ = pooled(case)
    K = table(case)
    result = mmd_test(P[:N], P[N:], kernel, statistic, n_resamples=40, rng=2)
    assert result.statistic == mmd2(P[:N], P[N:], kernel, statistic)
    orders = np.concatenate(list(permutations(N + M, 40, rng=2)))
    expected = np.array([by_loops(K, order[:N], statistic) for order in orders])
    size = np.abs(K).max()
    np.testing.assert_allclose(result.null_distribution, expected, rtol=0, atol=1e-13 * size)
    observed = by_loops(K, range(N), statistic)
    assert result.pvalue == (1 + (expected >= observed - 1e-12 * size).sum()) / 41
    assert (result.n, result.m, result.kernel) == (N, M, kernel)


@statistics
def test_a_median_bandwidth_is_that_of_the_pooled_sample(statistic):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(12, 2)), rng.normal(size=(9, 2)) + 3
    for kernel in (Gaussian(), Laplacian()):
        chosen = kernel.select(np.vstack([X, Y]))
        assert mmd2(X, Y, kernel, statistic) == mmd2(X, Y, chosen, statistic)
    assert mmd2(X, Y, statistic=statistic) == mmd2(X, Y, Gaussian(), statistic)
    assert mmd_test(X, Y, n_resamples=5, rng=0).kernel == Gaussian().select(np.vstack([X, Y]))


def test_one_column_may_come_as_one_dimension():
    x, y = [0.0, 1.0, 2.5], [0.5, 3.0]
    assert mmd2(x, y, Gaussian(1.0)) == mmd2(np.array(x)[:, None], np.array(y)[:, None], Gaussian(1.0))


def test_one_against_one_and_one_against_many():
    k = Gaussian(1.0)
    assert mmd2([0.0], [1.0], k, "biased") == pytest.approx(2 - 2 * np.exp(-0.5), rel=1e-14)
    assert mmd_test([5.0], np.linspace(0, 1, 9), k, "biased", n_resamples=50, rng=0).pvalue < 0.4


def test_it_is_signed():
    rng = np.random.default_rng(0)
    values = [mmd2(rng.normal(size=6), rng.normal(size=9), Gaussian(1.0)) for _ in range(50)]
    assert 10 < sum(v < 0 for v in values) < 45


@pytest.mark.thorough
@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
def test_the_mean_over_samples_is_the_mmd_of_the_laws_and_its_bias(statistic):
    """E U = MMD^2; E V = MMD^2 + (E k(x, x) - E k(x, x')) / n + the same of y / m."""
    P, Q = GaussianMixture([1.0], [[0.0, 0.0]], np.eye(2)), GaussianMixture([1.0], [[0.5, 0.0]], np.diag([0.5, 2.0]))
    kernel, n, m = Gaussian(1.2), 5, 8
    rng = np.random.default_rng(0)
    values = np.array([mmd2(P.sample(n, rng), Q.sample(m, rng), kernel, statistic) for _ in range(1000)])
    expected = mmd2_of_laws(P, Q, kernel)
    if statistic == "biased":
        expected += sum(
            (law.expected_diagonal(kernel) - law.embed(kernel).norm() ** 2) / size for law, size in ((P, n), (Q, m))
        )
    z = (values.mean() - expected) / (values.std(ddof=1) / np.sqrt(len(values)))
    assert abs(z) < 4.5


def test_the_expectation_over_two_labels_by_all_samples():
    """Four terms: over all 2^(n+m) samples of a coin the mean of U is sum_c (p_c - q_c)^2, exactly."""
    n, m, p, q = 3, 2, 0.3, 0.6
    total = 0.0
    for code in range(2 ** (n + m)):
        flips = np.array([code >> i & 1 for i in range(n + m)], dtype=float)
        chance = np.prod(np.where(flips[:n] == 1, p, 1 - p)) * np.prod(np.where(flips[n:] == 1, q, 1 - q))
        total += chance * mmd2(flips[:n], flips[n:], Delta())
    assert total == pytest.approx(2 * (p - q) ** 2, rel=1e-12)


def test_linear_and_quadratic_see_moments_only():
    rng = np.random.default_rng(0)
    x, y, c = rng.normal(size=20), rng.exponential(size=33), 0.7
    mean = x.mean() - y.mean()
    assert mmd2(x, y, Linear(c), "biased") == pytest.approx(mean**2, rel=1e-12)
    second = (x**2).mean() - (y**2).mean()
    assert mmd2(x, y, Polynomial(2, c), "biased") == pytest.approx(2 * c * mean**2 + second**2, rel=1e-12)
    # two laws with one mean and one variance: a coin on -1, 1 against a law on -√2, 0, √2
    z, w = np.array([-1.0, 1.0] * 4), np.array([-np.sqrt(2), 0.0, 0.0, np.sqrt(2)])
    assert mmd2(z, w, Polynomial(2, c), "biased") == pytest.approx(0, abs=1e-15)
    assert mmd2(z, w, Gaussian(1.0), "biased") > 0.01


def test_unequal_sizes_weigh_each_term_by_its_own_size():
    """The printed (1/nm) sum of all three terms has no meaning for n != m (erratum E-8).

    Repeating a sample changes nothing.
    """
    rng = np.random.default_rng(0)
    X, Y, k = rng.normal(size=(7, 2)), rng.normal(size=(11, 2)), Gaussian(1.0)
    assert mmd2(np.repeat(X, 3, axis=0), Y, k, "biased") == pytest.approx(mmd2(X, Y, k, "biased"), rel=1e-12)


# the energy distance -------------------------------------------------------------------------------------------------


def energy_distance(X, Y):
    """2 E|x - y| - E|x - x'| - E|y - y'| with means over all pairs: dcor.energy_distance(X, Y), its V-statistic."""

    def mean(A, B):
        return np.mean([np.sqrt(((a - b) ** 2).sum()) for a in A for b in B])

    return 2 * mean(X, Y) - mean(X, X) - mean(Y, Y)


@pytest.mark.parametrize("d", [1, 3])
def test_twice_the_energy_kernels_mmd_is_the_energy_distance(d):
    rng = np.random.default_rng(d)
    X, Y = rng.normal(size=(13, d)), rng.normal(size=(8, d)) + 1
    assert 2 * mmd2(X, Y, Energy(), "biased") == pytest.approx(energy_distance(X, Y), rel=1e-12)
    # the U-statistic: the same with means over pairs of different points
    n, m = len(X), len(Y)
    inner = [np.mean([np.linalg.norm(a - b) for a in Z for b in Z]) for Z in (X, Y)]
    unbiased = energy_distance(X, Y) - inner[0] / (n - 1) - inner[1] / (m - 1)
    assert 2 * mmd2(X, Y, Energy()) == pytest.approx(unbiased, rel=1e-12)


def test_the_energy_test_does_not_depend_on_the_origin():
    """A shift changes k but no distance of laws: the same p-values, the same statistic to rounding."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(10, 2)), rng.normal(size=(14, 2)) + 0.7
    here, there = (mmd_test(X + shift, Y + shift, Energy(), n_resamples=200, rng=0) for shift in (0.0, 100.0))
    assert here.pvalue == there.pvalue
    # norms of 140 have a rounding of 3e-14
    assert here.statistic == pytest.approx(there.statistic, abs=1e-12)


# common random numbers ----------------------------------------------------------------------------------------------


def test_all_kernels_and_bandwidths_meet_the_same_splits():
    """Precomputed Grams, strings and numbers, by the same seed: equal labels give equal nulls whatever carries them."""
    labels = words(18)
    numbers = np.unique(labels, return_inverse=True)[1].reshape(-1, 1).astype(float)
    null = [mmd_test(P[:7], P[7:], Delta(), n_resamples=300, rng=5).null_distribution for P in (labels, numbers)]
    assert (null[0] == null[1]).all()
    wide, wider = (
        mmd_test(numbers[:7], numbers[7:], Gaussian(t), n_resamples=300, rng=5).null_distribution for t in (1.0, 1.001)
    )
    assert np.corrcoef(wide, wider)[0, 1] > 0.999999


def test_the_same_seed_the_same_answer():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(10, 2)), rng.normal(size=(12, 2))
    first, second, other = (mmd_test(X, Y, n_resamples=99, rng=seed) for seed in (1, 1, 2))
    assert (first.null_distribution == second.null_distribution).all()
    assert (first.null_distribution != other.null_distribution).any()


def test_equal_points_have_p_one():
    with pytest.warns(ExplorerWarning, match=naming("bandwidth", "1")):
        result = mmd_test(np.ones((5, 2)), np.ones((4, 2)), n_resamples=30, rng=0)
    assert result.statistic == 0
    assert result.pvalue == 1


def test_the_witness_is_the_function_that_tells_the_samples_apart():
    """f* = w / |w| attains sup over |f| <= 1 of mean f(x) - mean f(y), which is the biased MMD (E-7).

    Others stay below.
    """
    rng = np.random.default_rng(0)
    X, Y, k = rng.normal(size=(15, 2)), rng.normal(size=(9, 2)) + 1, Gaussian(1.0)
    w = witness(X, Y, k)
    mmd = np.sqrt(mmd2(X, Y, k, "biased"))
    assert (w(X).mean() - w(Y).mean()) / w.norm() == pytest.approx(mmd, rel=1e-12)
    assert w(np.array([[0.3, 0.1]]))[0] == pytest.approx(
        k(X, [[0.3, 0.1]]).mean() - k(Y, [[0.3, 0.1]]).mean(), rel=1e-12
    )
    for _ in range(20):
        f = Embedding(k, rng.normal(size=(5, 2)), rng.normal(size=5))
        assert (f(X).mean() - f(Y).mean()) / f.norm() < mmd
    assert w.kernel == k
    assert witness(X, Y).kernel == Gaussian().select(np.vstack([X, Y]))
