"""Herding and thinning: greedy by brute force, the bounds of the error, and what is refused."""

import numpy as np
import pytest
from helpers.naming import naming
from selection_kernels import every_kernel

from explorer import (
    FKMSE,
    KME,
    SKMSE,
    Delta,
    Embedding,
    Gaussian,
    GaussianMixture,
    Linear,
    Polynomial,
    Subsequence,
    herd,
    thin,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2)) + np.array([1.0, 0.0])


@pytest.mark.thorough(default=["gaussian", "quadratic"])
@every_kernel
def test_each_point_is_the_best_next_one(kernel):
    """The reference is the distances of all 60 extensions, from the library's own inner products."""
    mean = KME(kernel).embed(X)
    found = herd(mean, 5)
    chosen = []
    for t in range(1, 6):
        distances = [mean.distance(KME(kernel).embed(X[[*chosen, i]])) for i in range(len(X))]
        assert distances[found.rows[t - 1]] == pytest.approx(min(distances), rel=1e-9)
        chosen.append(int(found.rows[t - 1]))
        assert found.errors[t - 1] == pytest.approx(distances[chosen[-1]], rel=1e-6)
    np.testing.assert_array_equal(found.points, X[chosen])
    assert mean.distance(found.embedding) == pytest.approx(found.errors[-1], rel=1e-6)


@every_kernel
def test_the_error_is_never_above_the_root_mean_square_of_random_draws(kernel):
    """|S_t|² <= t V by induction, as the best candidate is at most the average one."""
    mean = KME(kernel).embed(X)
    variance = kernel.diagonal(X).mean() - mean.norm() ** 2
    errors = herd(mean, 50).errors
    assert (errors**2 <= variance / np.arange(1, 51) * (1 + 1e-9)).all()


@pytest.mark.parametrize("kernel", [Linear(1.0), Polynomial(2)], ids=["linear", "quadratic"])
def test_in_finite_dimension_the_error_falls_as_one_over_m(kernel):
    """m times the error stays bounded, while that of random draws grows as sqrt(m)."""
    mean = KME(kernel).embed(X)
    m = np.arange(1, 401)
    scaled = m * herd(mean, 400).errors
    variance = kernel.diagonal(X).mean() - mean.norm() ** 2
    assert scaled[200:].max() <= 1.5 * scaled[:100].max()
    assert scaled[-1] < 0.25 * np.sqrt(400 * variance)
    slope = np.polyfit(np.log(m[20:]), np.log(np.maximum.accumulate((scaled / m)[20:][::-1])[::-1]), 1)[0]
    assert slope < -0.8


def test_herding_beats_independent_draws():
    law = GaussianMixture([0.5, 0.5], [[-2.0], [2.0]], 1.0)
    kernel, mean = Gaussian(1.0), law.embed(Gaussian(1.0))
    found = herd(mean, 40, rng=1)
    drawn = [mean.distance(KME(kernel).embed(law.sample(40, rng=seed))) for seed in range(30)]
    assert found.errors[-1] < 0.5 * min(drawn)
    assert found.errors[-1] == pytest.approx(mean.distance(found.embedding), rel=1e-4)
    np.testing.assert_array_equal(found.points, herd(mean, 40, rng=1).points)
    assert mean.distance(found.reweighted) <= found.errors[-1]


def test_a_signed_embedding_and_given_candidates():
    target = Embedding(Gaussian(1.0), [[0.0], [1.0], [3.0]], [1.5, -0.7, 0.2])
    grid = np.linspace(-3, 5, 81)
    found = herd(target, 10, candidates=grid)
    assert set(found.points.ravel()) <= set(grid)
    assert found.errors[-1] <= found.errors[0]
    # the best weights satisfy the normal equations: what is left is orthogonal to every point
    left = target - found.reweighted
    np.testing.assert_allclose(left(found.points), 0, atol=1e-8)


def test_weights_that_are_free_reach_what_lies_in_their_span():
    mean = KME(Gaussian(1.0)).embed(X[:5])
    assert mean.distance(herd(mean, 60).reweighted) < 1e-7


@every_kernel
def test_thinning_takes_rows_once_and_at_the_end_all(kernel):
    found = thin(X, 60, kernel)
    assert sorted(found.rows) == list(range(60))
    assert found.errors[-1] < 1e-6 * found.errors[0] + 1e-7  # a root of the rounding of squares
    half = thin(X, 30, kernel)
    np.testing.assert_array_equal(half.rows, found.rows[:30])
    np.testing.assert_array_equal(half.points, X[half.rows])
    assert len(set(half.rows)) == 30


def test_thinning_does_not_depend_on_the_order_of_the_rows():
    mixed = RNG.permutation(60)
    np.testing.assert_allclose(thin(X[mixed], 20).points, thin(X, 20).points)


@pytest.mark.parametrize("unit", [1e-8, 1e8])
def test_thinning_in_any_unit_and_place(unit):
    rows = thin(X, 20).rows
    np.testing.assert_array_equal(thin(unit * X, 20).rows, rows)
    np.testing.assert_array_equal(thin(np.round(X * 2**20) / 2**20 + 2.0**20, 10).rows, rows[:10])


@pytest.mark.parametrize("kernel", [Linear(), Linear(1.0), Polynomial(2)], ids=str)
def test_thinning_far_from_zero_under_kernels_that_know_where_zero_is(kernel):
    """At 2^20 standard deviations <x, y> has no digit left for the points; its increments have."""
    near, far = (thin(np.round(Z * 2**20) / 2**20, 20, kernel) for Z in (X, X + 2.0**20))
    if kernel.degree == 1:  # the distances of a linear kernel do not depend on the location
        np.testing.assert_array_equal(far.rows, near.rows)
        np.testing.assert_allclose(far.errors, near.errors, rtol=1e-5, atol=1e-9)
    assert far.errors[-1] == pytest.approx(far.target.distance(far.embedding), rel=1e-4, abs=1e-4 * far.errors[0])


def test_thinning_for_another_estimate():
    for estimator in (SKMSE(), FKMSE()):
        found = thin(X, 10, Gaussian(1.0), estimator)
        assert found.target == estimator.replace(kernel=Gaussian(1.0)).embed(X)


def test_duplicates_and_again():
    Z = np.repeat([[0.0], [1.0]], [15, 5], axis=0)
    found = thin(Z, 8, Gaussian(0.1), again=True)
    assert (found.points == 0).sum() == 6  # three quarters
    assert thin(Z, 20, Gaussian(0.1)).errors[-1] < 1e-7


def test_words_and_categories():
    words = ["abab", "abba", "baba", "bbbb", "aaaa"]
    assert thin(words, 2, Subsequence()).points.shape == (2, 1)
    assert thin(["a", "a", "b"], 3, Delta()).errors[-1] < 1e-7


def test_one_point():
    assert thin([3.0], 1).errors[0] == 0
    assert thin([3.0], 4, again=True).rows.tolist() == [0, 0, 0, 0]


def test_results_are_read_only():
    found = thin(X, 3)
    assert not any(array.flags.writeable for array in (found.points, found.rows, found.errors))


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: herd(X, 3), naming("Embedding")),
        (lambda: herd(KME().embed(X), 0), naming("1")),
        (lambda: herd(KME().embed(X), 2.5), "whole number"),
        (lambda: herd(KME().embed(X), 2, candidates=[1.0, 2.0]), "1 column"),
        (lambda: herd(KME().embed(X), 2, candidates=np.zeros((0, 2))), "no rows"),
        (lambda: herd(Embedding(Gaussian(1.0), [[0.0]], [0.0], 1.0), 2), "embedding is 0"),
        (lambda: thin(X, 61), naming("60")),
        (lambda: thin(X, 3, kernel="rbf"), "kernel"),
        (lambda: thin(X, 3, estimator="mean"), "estimator"),
        (lambda: thin(X, 3, again="yes"), "True or False"),
        (lambda: thin([[np.nan]], 1), "NaN"),
        (lambda: thin(X, 3, Gaussian(1.0), KME(Gaussian(2.0))), "estimator's kernel"),
    ],
)
def test_what_cannot_be_is_a_sentence(act, words):
    with pytest.raises((ValueError, TypeError), match=words):
        act()
