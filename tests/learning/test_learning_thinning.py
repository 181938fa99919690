"""Kernel thinning: halves of halves, swaps that help, slopes next to those of random rows, and what is refused."""

import numpy as np
import pytest
from helpers.naming import naming
from selection_kernels import every_kernel

from explorer import (
    KME,
    SKMSE,
    Delta,
    Gaussian,
    GaussianMixture,
    Linear,
    Subsequence,
    thin,
)
from explorer.embeddings.halving import between_rows, halve
from explorer.learning import thinning
from explorer.learning.relative import Relative
from explorer.learning.thinning import thin_rows

RNG = np.random.default_rng(0)
X = RNG.normal(size=(64, 2)) + np.array([1.0, 0.0])


def kernel_thinned(X, m, kernel=None, rng=0, **options):
    return thin(X, m, kernel, method="kernel-thinning", rng=rng, **options)


@every_kernel
@pytest.mark.parametrize("m", [1, 8, 32, 64])
def test_the_errors_are_distances_to_the_sample_s_kernel_mean(kernel, m):
    found, mean = kernel_thinned(X, m, kernel), KME(kernel).embed(X)
    assert len(set(found.rows)) == m
    np.testing.assert_array_equal(found.points, X[found.rows])
    assert found.target == mean
    for t in (1, m):
        # a root of the rounding of squares
        assert found.errors[t - 1] == pytest.approx(mean.distance(KME(kernel).embed(X[found.rows[:t]])), abs=1e-7)


@every_kernel
def test_swaps_start_from_the_best_part_and_each_is_the_best(kernel):
    """The reference is the halvings' own parts and the distances of all replacements."""
    mean, rng, parts = KME(kernel).embed(X), np.random.default_rng(5), [np.arange(64)]
    for level in range(3):
        failure = 0.5 / 64 * 2**level / 3
        parts = [half for rows in parts for half in halve(between_rows(kernel, X), rows, failure, rng)]
    assert sorted(np.concatenate(parts)) == list(range(64))

    def distance(rows):
        return mean.distance(KME(kernel).embed(X[rows]))

    rows = min([np.arange(7, 64, 8), *parts], key=distance).copy()
    before = distance(rows)
    for i in range(8):
        others = [j for j in range(64) if j not in rows or j == rows[i]]
        rows[i] = min(others, key=lambda j: distance(np.r_[rows[:i], j, rows[i + 1 :]]))
    found = thin_rows(Relative(mean, X), 8, False, np.random.default_rng(5))
    assert distance(found) == pytest.approx(distance(rows), rel=1e-6)
    assert distance(found) < before


@pytest.mark.parametrize("m", [1, 4, 16])
def test_the_probability_of_failure_is_shared_alike_by_the_levels(m, monkeypatch):
    """The theorem's union bound: along the halvings that lead to a part, the pairs' probabilities sum to 1/4.

    Dwivedi and Mackey 2021, theorem 1: the sum over levels j of 2^(j-1) / rounds times that of δ over n / 2^j pairs. It
    is δ n / 2, and here δ = 1 / (2 n).
    """
    calls = []

    def recorded(between, rows, failure, rng):
        calls.append((len(rows), len(rows) // 2 * failure))
        return halve(between, rows, failure, rng)

    monkeypatch.setattr(thinning, "halve", recorded)
    kernel_thinned(X, m, Gaussian(1.0))
    by_level = {size: {total for rows, total in calls if rows == size} for size, _ in calls}
    assert [len(totals) for totals in by_level.values()] == [1] * len(by_level)
    totals = [total for (total,) in by_level.values()]
    assert totals == pytest.approx([0.25 / len(totals)] * len(totals), rel=1e-14)
    assert len(totals) == (64 // m).bit_length() - 1


def test_a_seed_gives_the_rows_and_another_gives_others():
    np.testing.assert_array_equal(kernel_thinned(X, 8).rows, kernel_thinned(X, 8).rows)
    assert any(set(kernel_thinned(X, 16, rng=seed).rows) != set(kernel_thinned(X, 16).rows) for seed in range(1, 9))


@pytest.mark.parametrize(("n", "sizes"), [(50, [25, 12, 6, 3, 1]), (63, [31, 15, 7, 3, 1]), (7, [7, 3, 1])])
def test_of_an_odd_number_the_last_is_left_out(n, sizes):
    for m in sizes:
        assert len(kernel_thinned(X[:n], m).rows) == m


def test_all_rows_and_rows_that_are_chosen_again():
    whole = kernel_thinned(X, 64)
    assert sorted(whole.rows) == list(range(64))
    assert whole.errors[-1] < 1e-7
    twice = np.repeat([[0.0], [1.0]], [15, 1], axis=0)
    found = kernel_thinned(twice, 8, Gaussian(0.1), again=True)
    assert found.errors[-1] <= kernel_thinned(twice, 8, Gaussian(0.1)).errors[-1] + 1e-12


@pytest.mark.parametrize("unit", [1e-8, 1e8])
def test_in_any_unit_and_place(unit):
    rows = kernel_thinned(X, 16).rows
    np.testing.assert_array_equal(kernel_thinned(unit * X, 16).rows, rows)
    near, far = (kernel_thinned(np.round(Z * 2**20) / 2**20, 16, Linear()) for Z in (X, X + 2.0**20))
    assert far.errors[-1] == pytest.approx(near.errors[-1], rel=1e-5, abs=1e-9)


def test_words_categories_and_one_point():
    assert kernel_thinned(["abab", "abba", "baba", "bbbb"], 2, Subsequence()).points.shape == (2, 1)
    assert sorted(kernel_thinned(["a", "a", "b", "b"], 2, Delta()).points.ravel()) == ["a", "b"]
    assert kernel_thinned([3.0], 1).errors[0] == 0


def studied(sizes, seeds):
    """Return (sizes,) mean errors of √n rows by kernel thinning, and the root mean squares of as many random rows."""
    law, kernel = GaussianMixture([0.5, 0.5], [[-1.0, 0.0], [1.0, 0.0]], 1.0), Gaussian(1.0)
    errors, at_random = [], []
    for n in sizes:
        m = round(n**0.5)
        found = [kernel_thinned(law.sample(n, rng=seed), m, kernel, seed) for seed in range(seeds)]
        errors.append(np.mean([each.errors[-1] for each in found]))
        square = np.mean([1 - each.target.norm() ** 2 for each in found])
        at_random.append(np.sqrt(square * (1 / m - 1 / n) * n / (n - 1)))  # m of n rows without replacement
    return np.array(errors), np.array(at_random)


def test_it_beats_random_rows_and_the_lead_grows_with_n():
    """Theory: errors of n^(-1/2) against n^(-1/4) at m = √n, up to logarithms, so the ratio falls as n^(-1/4)."""
    errors, at_random = studied([64, 256], 8)
    ratio = errors / at_random
    assert ratio[0] < 0.5
    assert ratio[1] / ratio[0] == pytest.approx(4**-0.25, rel=0.15)


@pytest.mark.slow
def test_the_slopes_are_those_of_theory():
    """Slopes of log error in log n between 64 and 4096: -1/2 up to logarithms, against -1/4. Measured: -.52, -.23."""
    sizes = [64, 256, 1024, 4096]
    errors, at_random = studied(sizes, 10)
    thinning, random = (np.polyfit(np.log(sizes), np.log(each), 1)[0] for each in (errors, at_random))
    assert -0.55 < thinning < -0.42
    assert random == pytest.approx(-0.25, abs=0.03)  # exactly -1/4 apart from 1 / m - 1 / n at n = 64


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: kernel_thinned(X, 20), naming("16", "32", "method='herding'")),
        (lambda: kernel_thinned(X, 65), naming("64")),
        (lambda: kernel_thinned(X, 65, again=True), "which kernel thinning halves"),
        (lambda: kernel_thinned(X, 8, estimator=SKMSE()), "keeps the plain average"),
        (lambda: thin(X, 8, method="halving"), naming("method", "'herding'", "'kernel-thinning'")),
        (lambda: kernel_thinned(X, 8, rng="seed"), naming("rng")),
    ],
)
def test_what_cannot_be_is_a_sentence(act, words):
    with pytest.raises((ValueError, TypeError), match=words):
        act()
