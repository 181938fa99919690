"""Halving: the walk by the paper's own formulas, what the halves are made of, compression in quarters, coresets."""

import math

import numpy as np
import pytest

from explorer import KME, Delta, Energy, Gaussian, Linear, Polynomial
from explorer.embeddings import halving
from explorer.embeddings.halving import between_rows, compress_rows, coreset, halve

RNG = np.random.default_rng(4)
X = RNG.normal(size=(41, 2))
KERNELS = {"gaussian": Gaussian(0.7), "energy": Energy(), "quadratic": Polynomial(2), "linear": Linear(1.0)}
every_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)


def by_the_paper(k, X, failure, rng):
    """One round of algorithm 1a, its sums over S and S' taken anew for each pair."""
    K, coins = k(X), rng.random(len(X) // 2)
    S, first, second, sigma = [], [], [], 0.0
    for coin, x in zip(coins, range(0, len(X) - 1, 2), strict=True):
        y = x + 1
        S += [x, y]
        b = math.sqrt(max(K[x, x] + K[y, y] - 2 * K[x, y], 0.0))
        a = max(b * sigma * math.sqrt(2 * math.log(2 / failure)), b**2)
        sigma = math.sqrt(sigma**2 + b**2 * max(1 + (b**2 - 2 * a) * sigma**2 / a**2, 0.0))
        alpha = K[y, y] - K[x, x] + (K[S, x] - K[S, y]).sum() - 2 * (K[first, x] - K[first, y]).sum()
        if coin < min(1.0, max(1 - alpha / a, 0.0) / 2):
            x, y = y, x
        first.append(x)
        second.append(y)
    return first, second


@every_kernel
@pytest.mark.parametrize("failure", [0.5, 0.01])
def test_the_walk_is_the_paper_s(kernel, failure):
    halves = halve(between_rows(kernel, X), np.arange(41), failure, np.random.default_rng(1))
    literal = by_the_paper(kernel, X, failure, np.random.default_rng(1))
    np.testing.assert_array_equal(halves, literal)


def test_the_halves_share_each_pair_and_leave_out_an_odd_row():
    rows = RNG.permutation(41)[:15]
    halves = np.array(halve(between_rows(Gaussian(1.0), X), rows, 0.1, RNG))
    np.testing.assert_array_equal(np.sort(halves, axis=0), np.sort(rows[:14].reshape(7, 2).T, axis=0))


@every_kernel
def test_a_large_sample_is_halved_in_blocks(kernel, monkeypatch):
    whole = halve(between_rows(kernel, X), np.arange(41), 0.1, np.random.default_rng(2))
    monkeypatch.setattr(halving, "ENTRIES", 60)
    np.testing.assert_array_equal(halve(between_rows(kernel, X), np.arange(41), 0.1, np.random.default_rng(2)), whole)


def test_equal_points_and_few_rows():
    same = halve(between_rows(Delta(), np.ones((6, 1))), np.arange(6), 0.1, RNG)
    assert sorted(np.concatenate(same)) == list(range(6))
    assert [len(half) for half in halve(between_rows(Gaussian(1.0), X), np.arange(1), 0.1, RNG)] == [0, 0]


@pytest.fixture(params=["quarters", "as they are"])
def quartered(request, monkeypatch):
    monkeypatch.setattr(halving, "QUARTERED", 1 if request.param == "quarters" else 1000)
    return request.param == "quarters"


@pytest.mark.parametrize(("count", "halvings"), [(1, 0), (2, 1), (8, 3), (32, 0), (32, 1), (32, 2), (32, 4), (32, 5)])
def test_compression_leaves_rows_of_its_own(count, halvings, quartered):
    rows = RNG.permutation(41)[:count]
    kept = compress_rows(between_rows(Gaussian(1.0), X), rows, halvings, RNG)
    assert len(kept) == len(set(kept)) == count >> halvings
    assert set(kept) <= set(rows)


def test_what_is_compressed_lies_nearer_than_random_rows(quartered):
    """Mean errors over 40 seeds of 256 rows to 64, as a share of the root mean square of 64 rows at random.

    Measured: .76 by quarters and .64 without.
    """
    kernel, P = Gaussian(1.0), np.random.default_rng(7).normal(size=(256, 2))
    mean, rng = KME(kernel).embed(P), np.random.default_rng(0)
    errors = [
        mean.distance(KME(kernel).embed(P[compress_rows(between_rows(kernel, P), np.arange(256), 2, rng)]))
        for _ in range(40)
    ]
    at_random = math.sqrt((1 - mean.norm() ** 2) * (1 / 64 - 1 / 256) * 256 / 255)
    assert np.mean(errors) < (0.85 if quartered else 0.75) * at_random


def test_every_row_is_kept_as_often(quartered):
    """The coins are fair: each of 16 rows is among the 4 kept in a quarter of 200 runs, within four deviations."""
    rng, kept = np.random.default_rng(3), np.zeros(41)
    for _ in range(200):
        kept[compress_rows(between_rows(Gaussian(1.0), X), np.arange(16), 2, rng)] += 1
    assert np.abs(kept[:16] / 200 - 0.25).max() < 4 * math.sqrt(0.25 * 0.75 / 200)


@pytest.mark.parametrize("halvings", [0, 1, 3])
def test_a_coreset_is_made_of_its_bin_s_rows_however_much_is_stored(halvings, monkeypatch):
    rows = RNG.permutation(41)[:32]
    whole = coreset(Gaussian(1.0), X, rows, halvings, np.random.default_rng(6))
    assert len(whole) == len(set(whole)) == 32 >> halvings
    assert set(whole) <= set(rows)
    monkeypatch.setattr(halving, "STORED", 5)
    np.testing.assert_array_equal(coreset(Gaussian(1.0), X, rows, halvings, np.random.default_rng(6)), whole)


@pytest.mark.parametrize("narrow", [False, True], ids=["from all rows", "from some"])
def test_a_coreset_lies_far_nearer_than_random_rows(narrow, monkeypatch):
    """256 rows to 16, as a share of the root mean square of 16 rows at random. Measured: .23, and .27 from 128 rows."""
    if narrow:
        monkeypatch.setattr(halving, "QUARTERED", 1)
    kernel, P = Gaussian(1.0), np.random.default_rng(7).normal(size=(256, 2))
    mean, rng = KME(kernel).embed(P), np.random.default_rng(0)
    errors = [mean.distance(KME(kernel).embed(P[coreset(kernel, P, np.arange(256), 4, rng)])) for _ in range(10)]
    at_random = math.sqrt((1 - mean.norm() ** 2) * (1 / 16 - 1 / 256) * 256 / 255)
    assert np.mean(errors) < (0.4 if narrow else 0.3) * at_random


@pytest.mark.parametrize("seed", range(10))
def test_a_coreset_of_one_row_is_the_nearest_to_the_mean(seed):
    P = np.random.default_rng(seed).normal(size=(8, 1))
    mean = KME(Gaussian(1.0)).embed(P)
    apart = [mean.distance(KME(Gaussian(1.0)).embed(x[None])) for x in P]
    assert coreset(Gaussian(1.0), P, np.arange(8), 3, np.random.default_rng(0)).tolist() == [np.argmin(apart)]
