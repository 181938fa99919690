"""MONK's test: its level, the flip identity, and both nulls for data with outliers."""

import re

import numpy as np
import pytest
from helpers.monk_literal import literal_bcd
from helpers.naming import naming
from kernels_and_estimators import labels, vectors
from scipy.stats import binom

from explorer import Delta, Gaussian, GaussianMixture, Linear, Polynomial, TestResult, mmd2, monk_mmd, monk_test
from explorer.discrepancy import flip_test
from explorer.discrepancy.monk.estimates import copy_values, draw_orders
from explorer.discrepancy.monk.paired_sample import pair_differences
from explorer.discrepancy.monk.resampled_pairs import Flipped, RandomlyPaired
from explorer.estimators.medianofmeans.blocks import starts
from explorer.rng import stream

METHODS = ["bcd", "bcd-fast", "direction"]
every_method = pytest.mark.parametrize("method", METHODS)
P = GaussianMixture([1.0], [[0.35]], 0.45**2)
Q = GaussianMixture([1.0], [[0.75]], 0.85**2)


# level
# -----------------------------------------------------------------------------------------------------------------


def rejections(draw, kernel, repetitions, **how):
    """Return the number of p <= .05 at B = 39 for samples from one law: probability 2/40, up to ties."""
    count = 0
    for seed in range(repetitions):
        both = draw(seed)
        n = len(both) // 2
        count += monk_test(both[:n], both[n:], kernel, rng=seed, n_resamples=39, **how).pvalue <= 0.05
    return count


def outlying(seed):
    """Draw samples with one of 20 points far away."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random((60, 1)) < 0.05, 1e3, 1.0) * rng.standard_normal((60, 1))


@pytest.mark.thorough(default=["bcd-pool"])
@pytest.mark.parametrize("null", ["flip", "pool"])
@every_method
def test_the_level_is_kept(method, null):
    """Binomial interval of probability 1 - 1e-4 around .05: the test is exact, so neither more nor less."""
    N = 150 if null == "flip" else 60
    count = rejections(lambda s: vectors(60, s), Gaussian(1.5), N, blocks=5, method=method, null=null, iterations=20)
    low, high = binom.interval(1 - 1e-4, N, 0.05)
    assert low <= count <= high


@pytest.mark.thorough(default=["ties-bcd"])
@every_method
@pytest.mark.parametrize(
    ("draw", "kernel"), [(outlying, Polynomial(2)), (lambda s: labels(40, s), Delta())], ids=["outliers", "ties"]
)
def test_the_level_is_kept_beside_outliers_and_ties(method, draw, kernel):
    """Ties count against rejection, so the rate has no lower bound."""
    count = rejections(draw, kernel, 100, blocks=5, method=method, iterations=20)
    assert count <= binom.isf(5e-5, 100, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("null", ["flip", "pool"])
@every_method
def test_the_level_is_kept_in_a_thousand_repetitions(method, null):
    count = rejections(lambda s: vectors(80, s), Gaussian(1.5), 1000, blocks=7, method=method, null=null)
    low, high = binom.interval(1 - 1e-4, 1000, 0.05)
    assert low <= count <= high


def test_the_quantile_rule_of_the_paper_has_another_level():
    """Erratum E-20: the 1 - .05 quantile of 150 values, interpolated, is passed by 8.4 of 151 equally likely ranks."""
    ranks = np.arange(150.0)
    assert np.quantile(ranks, 0.95) == pytest.approx(141.55)
    assert (150 - 142 + 0.4) / 151 == pytest.approx(0.0556, abs=1e-4)
    below = sum((1 + 150 - rank) / 151 <= 0.05 for rank in range(151)) / 151
    assert below == pytest.approx(7 / 151)


# identities
# ------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["1-bcd-fast", "1-direction", "5-direction"])
@every_method
@pytest.mark.parametrize("blocks", [1, 4, 5])
def test_a_flip_of_the_pairs_is_a_flip_of_the_signs(method, blocks):
    """D -> s s' * D, also where many flips go through the algorithm side by side."""
    X, Y, k = vectors(30, 1), vectors(30, 2) + 0.3, Gaussian(1.2)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (7, 30))
    orders, at = draw_orders(30, method, 40, 5), starts(30, blocks)
    together = copy_values(Flipped(pair_differences(k, X, Y), signs), orders, at, method)
    for s, value in zip(signs, together, strict=True):
        A, B = np.where(s[:, None] > 0, X, Y), np.where(s[:, None] > 0, Y, X)
        assert value == pytest.approx(monk_mmd(A, B, k, blocks, method, 40, rng=5).value, rel=1e-10)


@every_method
def test_pairing_anew_is_monk_of_the_new_pairs(method):
    Z, k = np.vstack([vectors(30, 1), vectors(30, 2) + 0.3]), Gaussian(1.2)
    order = np.array([np.random.default_rng(s).permutation(60) for s in range(5)])
    orders, at = draw_orders(30, method, 40, 5), starts(30, 4)
    together = copy_values(RandomlyPaired(k(Z), order[:, :30], order[:, 30:]), orders, at, method)
    for o, value in zip(order, together, strict=True):
        assert value == pytest.approx(monk_mmd(Z[o[:30]], Z[o[30:]], k, 4, method, 40, rng=5).value, rel=1e-10)


def test_the_statistic_is_monk_mmd():
    X, Y, k = vectors(30, 1), vectors(30, 2) + 0.3, Gaussian(1.2)
    for method in METHODS:
        for null in ("flip", "pool"):
            result = monk_test(X, Y, k, 5, method, null=null, n_resamples=19, rng=3)
            assert result.statistic == monk_mmd(X, Y, k, 5, method, rng=3).value
            assert isinstance(result, TestResult)
            again = monk_test(X, Y, k, 5, method, null=null, n_resamples=19, rng=3)
            np.testing.assert_array_equal(result.null_distribution, again.null_distribution)


def test_with_one_block_the_nulls_are_those_of_the_biased_mmd():
    """Flips by hand: with four pairs the null holds the 8 values that 16 flips have, each for a flip and its
    opposite.
    """
    X, Y = vectors(4, 1), vectors(4, 2)
    result = monk_test(X, Y, Linear(), 1, n_resamples=400, rng=0)
    swaps = [np.array([(i >> b) & 1 for b in range(4)], bool)[:, None] for i in range(16)]
    every = [np.sqrt(mmd2(np.where(s, X, Y), np.where(s, Y, X), Linear(), "biased")) for s in swaps]
    assert len(np.unique(np.round(every, 9))) == 8
    for value in result.null_distribution:
        assert np.abs(np.array(every) - value).min() < 1e-9
    # the observed split and its opposite are ties: 2 of 16
    assert result.pvalue >= 2 / 16 - 4.5 * np.sqrt(1 / 8 * 7 / 8 / 400)
    pooled = monk_test(X, Y, Linear(), 1, null="pool", n_resamples=400, rng=0)
    assert len(np.unique(np.round(pooled.null_distribution, 9))) <= 35  # C(8, 4) / 2 splits


def test_the_null_values_are_the_literal_algorithms():
    """Five flips of 20 pairs through Algorithm 1 with its Cholesky factor."""
    X, Y, k = vectors(20, 1), vectors(20, 2), Gaussian(1.0)
    result = monk_test(X, Y, k, 3, n_resamples=5, rng=2, iterations=30)
    signs = stream(2, "flips").choice([-1.0, 1.0], size=(5, 20))
    for s, value in zip(signs, result.null_distribution, strict=True):
        swap = s[:, None] > 0
        K = k(np.vstack([np.where(swap, X, Y), np.where(swap, Y, X)]))
        history, _ = literal_bcd(K, 3, draw_orders(20, "bcd", 30, 2))
        assert value == pytest.approx(history[10:].mean(), rel=1e-9)


def test_equal_samples_are_all_ties():
    X = vectors(12, 1)
    assert monk_test(X, X, Linear(), 3, n_resamples=19, rng=0).pvalue == 1


def test_values_that_only_rounding_tells_apart_are_ties():
    """The observed split is the most extreme of the 10 that 3 + 3 points have.

    It returns in any order, sides swapped or not.
    """
    X, Y = np.array([0.1, 0.7, 0.3]), np.array([5.3, 4.9, 6.1])
    result = monk_test(X, Y, Gaussian(3.0), 1, null="pool", n_resamples=300, rng=1)
    draw = stream(1, "pairs")
    same = sum(set(draw.permutation(6)[:3]) in ({0, 1, 2}, {3, 4, 5}) for _ in range(300))
    assert same > 10
    assert (result.null_distribution < result.statistic).sum() > 300 - same  # rounding alone has lost some
    assert result.pvalue == (1 + same) / 301


# outliers
# --------------------------------------------------------------------------------------------------------------


def power(null, outliers, seeds, n=200, n_resamples=19):
    count = 0
    for seed in seeds:
        x, y = P.sample(n, rng=seed), Q.sample(n, rng=seed + 500) - 0.25
        x[n - outliers :], y[n - outliers :] = 2e3, 4e3
        result = monk_test(x, y, Polynomial(2), 11, "direction", null=null, n_resamples=n_resamples, rng=seed)
        count += result.pvalue <= 0.05
    return count / len(seeds)


def test_flips_keep_the_pairs_and_the_power_that_pooling_spoils():
    """Five bad pairs: 11 > 2 · 5 blocks hold for flips.

    Pooling makes some nine bad pairs of them, for 11 blocks too many.
    """
    seeds = range(6)
    assert power("flip", 5, seeds) >= 5 / 6
    assert power("pool", 5, seeds) <= 1 / 6
    assert power("pool", 0, seeds) == 1


@pytest.mark.slow
def test_pooling_loses_its_power_where_a_quarter_of_the_blocks_may_be_bad():
    """Q = 11: flips keep the pairs and need Q > 2 Nc; pooling needs Q > 4 Nc, so it bears 2 bad pairs, and not 4."""

    def share(null, outliers):
        count = 0
        for seed in range(20):
            rng = np.random.default_rng(seed)
            x, y = rng.standard_normal((200, 1)), 1.35 * rng.standard_normal((200, 1)) + 0.2
            x[200 - outliers :], y[200 - outliers :] = 2e3, 4e3
            count += monk_test(x, y, Polynomial(2), 11, null=null, n_resamples=99, rng=seed).pvalue <= 0.05
        return count

    found = {(null, outliers): share(null, outliers) for null in ("flip", "pool") for outliers in (2, 4)}
    # by 99.9 % binomial bounds, 13 of 20 is a power above .3, and 3 of 20 one below .5
    assert min(found["flip", 2], found["pool", 2], found["flip", 4]) >= 13
    assert found["pool", 4] <= 3


# results and refusals
# --------------------------------------------------------------------------------------------------


def test_it_prints_as_a_sentence():
    X, Y = vectors(20, 1), vectors(20, 2)
    assert re.search(naming("'bcd'", "5 blocks"), str(monk_test(X, Y, Linear(), 5, n_resamples=19, rng=0)))
    said = str(monk_test(X, Y, Linear(), 1, "direction", null="pool", n_resamples=19, rng=0))
    assert re.search(naming("1 block", "n = 20 pairs", "19 pooled re-pairings"), said)


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, naming("null", "'flip'", "'pool'", "'permute'"), {"null": "permute"}),
        (ValueError, naming("n_resamples", "1", "0"), {"n_resamples": 0}),
        (ValueError, naming("21", "blocks", "20"), {"blocks": 21}),
        (ValueError, naming("X", "1", "2"), {"X": [[1.0]], "Y": [[2.0]], "blocks": 1}),
        (ValueError, naming("X", "20", "Y", "19", "MONK"), {"Y": vectors(19)}),
        (ValueError, naming("method"), {"method": "U"}),
        (TypeError, naming("rng"), {"rng": 1.5}),
    ],
)
def test_bad_arguments_get_a_sentence(error, said, arguments):
    given = {"X": vectors(20, 1), "Y": vectors(20, 2), "kernel": Linear(), "blocks": 5, **arguments}
    with pytest.raises(error, match=said):
        monk_test(**given)


@pytest.mark.parametrize("seed", range(4))
def test_with_one_block_the_swaps_are_in_the_order_of_the_u_statistic(seed):
    rng = np.random.default_rng(seed)
    X, Y, kernel = rng.normal(size=(9, 2)), rng.normal(0.5, 1.0, size=(9, 2)), Gaussian(1.0)
    result = monk_test(X, Y, kernel, 1, "direction", n_resamples=60, rng=seed)
    signs = stream(seed, "flips").choice([-1.0, 1.0], size=(60, 9))
    swapped = [np.where(s[:, None] > 0, (X, Y), (Y, X)) for s in signs]
    plain = [mmd2(first, second, kernel) for first, second in swapped]
    # V and U differ by a constant and a factor, up to a rounding of 1e-12
    slope, constant = np.polyfit(plain, result.null_distribution**2, 1)
    assert slope > 0
    assert slope * np.array(plain) + constant == pytest.approx(result.null_distribution**2, abs=1e-10)
    assert result.pvalue == pytest.approx((1 + np.sum(np.array(plain) >= mmd2(X, Y, kernel) - 1e-12)) / 61)


def test_a_test_that_is_stopped_gives_nothing():
    D = pair_differences(Gaussian(1.0), *np.random.default_rng(0).normal(size=(2, 9, 1)))
    calls = iter([False, True])
    assert flip_test(D, Gaussian(1.0), 3, "direction", 120, rng=0, stopped=lambda: next(calls)) is None
