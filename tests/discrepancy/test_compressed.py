"""Compress then test: the statistic by what is kept, its level, and mmd_test where all rows are kept."""

import numpy as np
import pytest
from helpers.naming import names_all, naming
from two_samples import binomial

from explorer import Delta, Energy, Gaussian, Linear, compress_test, mmd2, mmd_test
from explorer.discrepancy import splits
from explorer.discrepancy.mmd import compress_test as compressed
from explorer.discrepancy.mmd.compress_test import Bins

RNG = np.random.default_rng(8)
X, Y = RNG.normal(size=(137, 2)), RNG.normal(0.5, 1.5, size=(90, 2))
every_kernel = pytest.mark.parametrize("kernel", [Gaussian(0.8), Linear(), Energy()], ids=repr)


@every_kernel
def test_where_nothing_is_compressed_it_is_mmd_test(kernel):
    plain = mmd_test(X, Y, kernel, "biased", n_resamples=99, rng=3)
    for size in (None, 90):
        found = compress_test(X, Y, kernel, size=size, n_resamples=99, rng=3)
        assert repr(found) == repr(plain)
        np.testing.assert_array_equal(found.null_distribution, plain.null_distribution)
        assert found.statistic == mmd2(X, Y, kernel, "biased")


@every_kernel
@pytest.mark.parametrize("size", [89, 45, 22])
def test_the_statistic_is_that_of_the_rows_that_are_kept(kernel, size):
    """And a null value that of the coresets on other sides, both by mmd2 of the rows themselves."""
    found = compress_test(X, Y, kernel, size=size, n_resamples=19, rng=1)
    bins = Bins(34, 22, 4, 1 if size >= 44 else 2)  # 90 rows make 22 bins of 4
    P = np.concatenate([X, Y])
    kept = bins.coresets(kernel, P, 137, 1)
    assert kept.shape == (56, bins.coreset_size)
    assert len(np.unique(kept)) == kept.size
    assert kept[:34].max() < 137 <= kept[34:].min()
    assert names_all(found.name, "biased MMD²", 34 * bins.coreset_size, f"{22 * bins.coreset_size} rows")
    # sums of a few thousand terms
    assert found.statistic == pytest.approx(
        mmd2(*(P[part.ravel()] for part in (kept[:34], kept[34:])), kernel, "biased")
    )
    for split, value in zip(splits(56, 34, 19, 1), found.null_distribution, strict=True):
        again = mmd2(P[kept[split].ravel()], P[kept[~split].ravel()], kernel, "biased")
        assert value == pytest.approx(again, rel=1e-9, abs=1e-13)


def test_many_bins_are_compared_in_parts(monkeypatch):
    whole = compress_test(X, Y, size=45, n_resamples=19, rng=1)
    monkeypatch.setattr(compressed, "ENTRIES", 1000)
    parts = compress_test(X, Y, size=45, n_resamples=19, rng=1)
    np.testing.assert_allclose(parts.null_distribution, whole.null_distribution, rtol=1e-9, atol=1e-14)


def test_a_large_sample_is_compressed_unless_a_size_is_given():
    """The default size is a quarter of 4096 rows: each bin has 256 rows and keeps 64 = 4 √256."""
    rng = np.random.default_rng(0)
    P, Q = rng.normal(size=(2, 4096, 1))
    found = compress_test(P, Q + 0.2, Gaussian(1.0), n_resamples=99, rng=0)
    assert names_all(found.name, "biased MMD²", "1024 and 1024 rows")
    assert found.resamples == "permutations of 32 bins"
    assert found.pvalue == 0.01
    # the coresets' kernel means are far nearer to the bins' than random rows', whose MMD² would be off by 1e-3
    assert found.statistic == pytest.approx(mmd2(P, Q + 0.2, Gaussian(1.0), "biased"), abs=5e-4)


def test_a_seed_gives_the_answer_and_more_resamples_append():
    few, many = (compress_test(X, Y, size=44, n_resamples=count, rng=7).null_distribution for count in (150, 300))
    np.testing.assert_array_equal(few, many[:150])


def rejections(n, m, size, count, draw=lambda rng, n: rng.normal(size=(n, 2)), kernel=None):
    """Return the numbers of p-values up to 0.05 and 0.2, among `count` pairs of samples with 39 resamples each."""
    rng = np.random.default_rng(0)
    tests = (
        compress_test(draw(rng, n), draw(rng, m), kernel, size=size, n_resamples=39, rng=rng) for _ in range(count)
    )
    p = np.array([test.pvalue for test in tests])
    return [np.count_nonzero(p <= level) for level in (0.05, 0.2)]


LEVELS = {
    "20, none": (20, 20, None),
    "50, a half": (50, 50, 25),
    "200, a half": (200, 200, 100),
    "200, an eighth": (200, 200, 25),
    "40 and 200": (40, 200, 20),
}


def test_the_level_of_a_few_samples_is_not_exceeded():
    found = rejections(50, 50, 25, 50)
    assert all(each <= binomial(50, level)[1] for each, level in zip(found, (0.05, 0.2), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("sizes", LEVELS.values(), ids=LEVELS)
def test_the_level_is_exact(sizes):
    """p <= 0.05 and p <= 0.2 with probability 0.05 and 0.2: 2/40 and 8/40 of 39 resamples, without ties."""
    for found, level in zip(rejections(*sizes, 1000), (0.05, 0.2), strict=True):
        low, high = binomial(1000, level)
        assert low <= found <= high


@pytest.mark.thorough
def test_ties_and_sorted_rows_keep_the_level():
    """The test of coin flips keeps the level. The order of rows does not matter, as bins are drawn at random."""
    found = rejections(50, 50, 25, 400, lambda rng, n: rng.integers(0, 2, size=(n, 1)).astype(float), Gaussian(1.0))
    assert all(each <= binomial(400, level)[1] for each, level in zip(found, (0.05, 0.2), strict=True))
    found = rejections(50, 50, 25, 400, lambda rng, n: np.sort(rng.normal(size=(n, 1)), axis=0))
    assert all(
        low <= each <= high
        for each, (low, high) in zip(found, (binomial(400, level) for level in (0.05, 0.2)), strict=True)
    )


def test_it_finds_a_difference_by_a_few_rows():
    assert compress_test(X, Y + 1, size=22, n_resamples=199, rng=0).pvalue == 1 / 200
    words = [["a"] * 60 + ["b"] * 20, ["a"] * 20 + ["b"] * 60]
    assert compress_test(*words, Delta(), size=40, n_resamples=199, rng=0).pvalue == 1 / 200


@pytest.mark.parametrize(
    ("arguments", "size", "said"),
    [
        ((X, Y), 91, naming("size", "91", "Y", "90")),
        ((X[:90], Y[:80]), 19, naming("80", "Y", "20")),
        ((X[:20], Y), 10, naming("16", "32")),
        ((X, Y), 0, naming("size", "1")),
        ((X, Y), 45.0, naming("size", "whole")),
        ((X[:0], Y), None, naming("X", "no rows")),
        ((X[:, :1], Y), None, "both need the same coordinates"),
    ],
)
def test_refusals_are_sentences(arguments, size, said):
    with pytest.raises((ValueError, TypeError), match=said):
        compress_test(*arguments, size=size)
