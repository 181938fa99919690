"""Levels of the independence tests.

Rejections over many independent samples lie in the binomial interval, tied data too.
"""

import numpy as np
import pytest
from scipy.special import gammaincc
from two_samples import binomial, pvalues

from explorer import (
    FKMSE,
    MKME,
    MMKME,
    SKMSE,
    Delta,
    Energy,
    Gaussian,
    Laplacian,
    Linear,
    MedianOfMeans,
    Subsequence,
    hsic_test,
)
from explorer.discrepancy import hsic_gamma
from explorer.discrepancy.dependence import Pairing
from explorer.discrepancy.dependence.approximation import PairApproximation
from explorer.discrepancy.dependence.gamma import permutation_moments


def normal(n):
    return lambda rng: (rng.normal(size=(n, 2)), rng.exponential(size=(n, 1)))


def heavy(n):
    return lambda rng: (rng.standard_t(1, size=(n, 1)), rng.standard_t(2, size=(n, 1)))


def tied(n):
    return lambda rng: (rng.integers(0, 3, size=(n, 1)).astype(float), rng.integers(0, 2, size=(n, 1)).astype(float))


def strings(n):
    return lambda rng: (
        ["".join(rng.choice(["a", "b"], 5)) for _ in range(n)],
        rng.integers(0, 2, size=n).astype(float),
    )


def plain(k=None, l=None, statistic="biased", estimator=None, count=39):
    return lambda X, Y, rng: hsic_test(X, Y, k, l, statistic, estimator, count, rng)


CONTINUOUS = {
    "gaussian, automatic": (normal(9), plain()),
    "unbiased": (normal(9), plain(statistic="unbiased")),
    "laplacian and linear, heavy tails": (heavy(10), plain(Laplacian(), Linear())),
    "distance covariance, heavy tails": (heavy(8), plain(Energy(), Energy())),
    "MKME": (normal(8), plain(Gaussian(1.0), Gaussian(1.0), estimator=MKME(sigma=0.5))),
}


@pytest.mark.thorough(default=["gaussian, automatic", "MKME"])
@pytest.mark.parametrize("name", CONTINUOUS)
def test_the_level_is_exact_for_continuous_data(name):
    """p <= 0.05 and p <= 0.2 with probability 0.05 and 0.2.

    2/40 and 8/40 of 39 resamples, without ties but of equal orders.
    """
    p = pvalues(*CONTINUOUS[name], 400)
    for level in (0.05, 0.2):
        low, high = binomial(400, level)
        assert low <= np.count_nonzero(p <= level) <= high


TIED = {
    "gaussian on few values": (tied(8), plain(Gaussian(1.0), Gaussian(1.0))),
    "unbiased": (tied(8), plain(Gaussian(1.0), Gaussian(1.0), "unbiased")),
    "delta": (tied(9), plain(Delta(), Delta())),
    "energy and linear": (tied(7), plain(Energy(), Linear())),
    "four pairs, 24 orders": (normal(4), plain()),
    "MMKME": (tied(8), plain(Gaussian(1.0), Gaussian(1.0), estimator=MMKME(sigma=[0.5]))),
}


@pytest.mark.thorough(default=["delta", "energy and linear"])
@pytest.mark.parametrize("name", TIED)
def test_ties_never_raise_the_level(name):
    """At most the level, and not far below it at 0.5: a p-value that is always 1 would also keep the level."""
    p = pvalues(*TIED[name], 250)
    for level in (0.05, 0.2, 0.5):
        assert np.count_nonzero(p <= level) <= binomial(250, level)[1]
    assert np.mean(p <= 0.5) > 0.2


def test_strings_and_categories_keep_the_level():
    p = pvalues(strings(9), plain(Subsequence(2), Delta(), count=19), 80)
    assert np.count_nonzero(p <= 0.2) <= binomial(80, 0.2)[1]
    assert np.mean(p <= 0.5) > 0.2


ESTIMATES = {
    "SKMSE": (SKMSE(), 150),
    "FKMSE, anew": (FKMSE(), 20),
    "FKMSE .1": (FKMSE(lam=0.1), 120),
    "FKMSE .1, sum to one": (FKMSE(lam=0.1, weights="sum-to-one"), 100),
    "MKME": (MKME(), 15),
    "MedianOfMeans": (MedianOfMeans(blocks=2, method="geometric"), 25),
}


@pytest.mark.thorough(default=["SKMSE"])
@pytest.mark.parametrize("name", ESTIMATES)
def test_every_estimator_keeps_the_level(name):
    """At most the level: weights that shrink all the way tie at 0, which only raises p."""
    estimator, count = ESTIMATES[name]
    p = pvalues(normal(8), plain(estimator=estimator, count=9), count)
    assert np.count_nonzero(p <= 0.2) <= binomial(count, 0.2)[1]
    if name not in ("SKMSE", "FKMSE, anew"):
        assert np.count_nonzero(p <= 0.2) >= binomial(count, 0.2)[0]


def test_a_dependence_without_correlation_is_found():
    def bowl(rng):
        x = rng.uniform(-1, 1, 40)
        return x, x**2 + 0.2 * rng.normal(size=40)

    assert np.mean(pvalues(bowl, plain(count=99), 20) <= 0.05) > 0.8
    assert np.mean(pvalues(bowl, plain(Linear(), Linear(), count=99), 20) <= 0.05) < 0.4


def test_the_gamma_law_is_near_its_level():
    """4 to 6 of 100 at 5 % for the median bandwidth, as it says; the binomial interval is round those."""
    p = pvalues(normal(25), lambda X, Y, rng: hsic_gamma(X, Y), 300)
    found = np.count_nonzero(p <= 0.05)
    assert binomial(300, 0.04)[0] <= found <= binomial(300, 0.06)[1]
    found = np.count_nonzero(p <= 0.2)
    assert binomial(300, 0.18)[0] <= found <= binomial(300, 0.22)[1]


# the bandwidth in medians, and between which rates `hsic_gamma` says that it rejects at 5 %
RATES = {3.0: (0.04, 0.06), 1.0: (0.04, 0.06), 1 / 3: (0.05, 0.08), 0.1: (0.0, 0.08), 0.03: (0.0, 0.08)}


def in_medians(Z):
    """Return |z_i - z_j|^2 over its median over i < j, (m, n, n), of each of m samples Z (m, n, d)."""
    upper = np.triu_indices(Z.shape[1], 1)
    D = sum(np.square(z[:, :, None] - z[:, None]) for z in np.moveaxis(Z, 2, 0))
    return D / np.median(D[:, *upper], axis=1)[:, None, None]


def side(K):
    """HKH of Gram matrices K (m, n, n), and of each its trace, squared norm and sum of its squared diagonal, (m, 3)."""
    A = K - K.mean(axis=1, keepdims=True)
    A -= A.mean(axis=2, keepdims=True)
    diagonal = np.einsum("mii->mi", A)
    squares = np.einsum("mij,mij->m", A, A), np.einsum("mi,mi->m", diagonal, diagonal)
    return A, np.transpose([diagonal.sum(axis=1), *squares])


def gamma_pvalues(K, L):
    """Return p of `hsic_gamma`, (m,), from the Gram matrices K and L (m, n, n) of as many samples."""
    (A, of_x), (B, of_y) = side(K), side(L)
    moments = [permutation_moments(x, y, A.shape[1]) for x, y in zip(of_x, of_y, strict=True)]
    mean, variance = np.transpose(moments)
    scale = np.maximum(variance, 1e-15 * mean**2) / mean
    return gammaincc(mean / scale, np.einsum("mij,mij->m", A, B) / scale)


@pytest.mark.thorough
@pytest.mark.parametrize("n", [10, 25, 50])
@pytest.mark.parametrize("d", [1, 5])
def test_how_often_the_gamma_law_rejects(d, n):
    """2000 samples of independent pairs; no more often, and no less, than the docstring has it.

    All samples at a time, and some by `hsic_gamma`: p are the same, or large where the null varies by rounding alone.
    """
    X, Y = np.random.default_rng(0).normal(size=(2, 2000, n, d))
    squares = in_medians(X), in_medians(Y)
    for factor, (low, high) in RATES.items():
        p = gamma_pvalues(*(np.exp(D / (-2 * factor**2)) for D in squares))
        for x, y, expected in zip(X[:20], Y[:20], p, strict=False):
            kernels = (Gaussian(factor * Gaussian().select(Z).bandwidth) for Z in (x, y))
            assert min(hsic_gamma(x, y, *kernels).pvalue, 0.2) == pytest.approx(min(expected, 0.2), abs=1e-3)
        found = np.count_nonzero(p <= 0.05)
        assert binomial(2000, low)[0] <= found <= binomial(2000, high)[1], factor


@pytest.mark.slow
@pytest.mark.parametrize("name", ["FKMSE, anew", "MKME, chosen", "tied"])
def test_levels_of_large_studies(name):
    """Thousands of samples: a λ held from the given pairing had 0.058 +- .007 at 0.05, 0.117 +- .010 at 0.1, for 12
    pairs.
    """
    draw, test, count = {
        "FKMSE, anew": (normal(12), plain(estimator=FKMSE(), count=39), 1000),
        "MKME, chosen": (normal(12), plain(estimator=MKME(), count=99), 2000),
        "tied": (tied(15), plain(Delta(), Gaussian(1.0), count=99), 4000),
    }[name]
    p = pvalues(draw, test, count)
    for level in (0.05, 0.1):
        assert np.count_nonzero(p <= level) <= binomial(count, level)[1]


def features_of(pairing):
    """Return the centred features of both sides of thin pairs, (n, r) and (n, s)."""
    rows = np.arange(pairing.hsic.low_rank.n)
    return [pairing.hsic.low_rank._features(side, rows) for side in (0, 1)]


WAYS = ("cholesky", "nystrom", "features")
KINDS = {
    "normal": lambda rng, n: rng.normal(size=(n, 1)),
    "ties": lambda rng, n: rng.integers(1, 6, (n, 1)).astype(float),
    "rare": lambda rng, n: (rng.random((n, 1)) < 0.1).astype(float),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_another_order_of_one_side_only_reorders_its_features(way, kind):
    """Permutations of features are exact, since no feature depends on the row next to it."""
    rng = np.random.default_rng(0)
    x, y = (KINDS[kind](rng, 60) for _ in range(2))
    order = rng.permutation(60)
    by = PairApproximation(way, 6, 0)
    k = Gaussian(0.3)
    _, first = features_of(Pairing(x, y, k, k, "biased", None, by=by))
    _, second = features_of(Pairing(x, y[order], k, k, "biased", None, by=by))
    np.testing.assert_allclose(second, first[order], rtol=0, atol=1e-12)  # sums of 60 numbers up to 1


@pytest.mark.parametrize("way", WAYS)
def test_both_sides_have_landmarks_or_waves_of_their_own(way):
    """The landmarks differ even if both sides are the same sample."""
    x = np.random.default_rng(0).normal(size=(60, 1))
    by = PairApproximation(way, 6, 0)
    lows = Pairing(x, x, Gaussian(0.3), Gaussian(0.3), "biased", None, by=by).hsic.low_rank.lows
    first, second = (low.frequencies if way == "features" else low.independent for low in lows)
    if way == "cholesky":  # the pivots after the first are determined by it
        assert first[0] != second[0]
    else:
        assert not set(first.ravel()) & set(second.ravel()) or way == "nystrom"
        assert not np.array_equal(first, second)


NARROW = {
    "cholesky, rank 2": ("normal", "cholesky", 2, 0.05),
    "cholesky, ties": ("ties", "cholesky", 3, 0.1),
    "nystrom": ("normal", "nystrom", 10, 0.05),
    "nystrom, rare": ("rare", "nystrom", 10, 0.1),
    "features": ("normal", "features", 10, 0.3),
}


@pytest.mark.parametrize("seeded", [True, False], ids=["one seed", "many seeds"])
@pytest.mark.parametrize("name", NARROW)
def test_landmarks_build_in_no_dependence(name, seeded):
    """Under a kernel so narrow that a landmark's row alone has features: the level holds, for one seed too."""
    kind, way, rank, width = NARROW[name]
    k, draw, rng, count = Gaussian(width), KINDS[kind], np.random.default_rng(0), 150
    p = np.array(
        [
            hsic_test(
                draw(rng, 40),
                draw(rng, 40),
                k,
                k,
                n_resamples=39,
                rng=0 if seeded else seed,
                approximation=way,
                rank=rank,
            ).pvalue
            for seed in range(count)
        ]
    )
    assert np.count_nonzero(p <= 0.05) <= binomial(count, 0.05)[1]
    assert np.count_nonzero(p <= 0.2) <= binomial(count, 0.2)[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", NARROW)
def test_landmarks_keep_the_level_in_two_thousand_samples(name):
    kind, way, rank, width = NARROW[name]
    k, draw, rng = Gaussian(width), KINDS[kind], np.random.default_rng(1)
    p = np.array(
        [
            hsic_test(draw(rng, 40), draw(rng, 40), k, k, n_resamples=99, rng=seed, approximation=way, rank=rank).pvalue
            for seed in range(2000)
        ]
    )
    assert np.count_nonzero(p <= 0.05) <= binomial(2000, 0.05)[1]
