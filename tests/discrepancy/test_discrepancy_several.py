"""Several samples: the statistic pair by pair, all ways to divide few rows, and the level of every pair together."""

import itertools
import re

import numpy as np
import pytest
from helpers.naming import naming
from two_samples import binomial

from explorer import Delta, Energy, Gaussian, mmd2, mmd_test
from explorer.checks import Refusal
from explorer.discrepancy import adjusted_pvalues, permutations, several_test
from explorer.discrepancy.mmd import two_samples as mmd_module
from explorer.discrepancy.mmd.several_samples import equal_pairs

RNG = np.random.default_rng(0)
SAMPLES = [RNG.normal(size=(n, 2)) for n in (4, 3, 5)]


def by_pairs(samples, kernel):
    """Return T as its sum over pairs, (n_a n_b / N) times the biased MMD^2."""
    N = sum(map(len, samples))
    return sum(len(A) * len(B) / N * mmd2(A, B, kernel, "biased") for A, B in itertools.combinations(samples, 2))


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Energy()], ids=repr)
def test_the_statistic_and_its_null_are_sums_over_pairs(kernel):
    result = several_test(SAMPLES, kernel, n_resamples=30, rng=2)
    P = np.concatenate(SAMPLES)
    assert result.statistic == pytest.approx(by_pairs(SAMPLES, kernel), rel=1e-12)
    for order, value in zip(np.concatenate(list(permutations(12, 30, 2))), result.null_distribution, strict=True):
        assert value == pytest.approx(by_pairs(np.split(P[order], [4, 7]), kernel), rel=1e-12)
    assert (result.n, result.sizes) == (12, (4, 3, 5))


def test_two_samples_have_the_p_of_the_biased_mmd2():
    result, two = several_test(SAMPLES[:2], rng=0), mmd_test(*SAMPLES[:2], statistic="biased", rng=0)
    assert result.pvalue == two.pvalue == result.pairs[0].adjusted
    assert result.statistic == pytest.approx(two.statistic * 4 * 3 / 7, rel=1e-12)


def test_every_pair_has_the_test_of_its_own_rows():
    result = several_test(SAMPLES, rng=3, n_resamples=50)
    for pair in result.pairs:
        alone = mmd_test(SAMPLES[pair.first], SAMPLES[pair.second], result.kernel, n_resamples=50, rng=3)
        assert (pair.test.statistic, pair.test.pvalue) == (alone.statistic, alone.pvalue)
        assert pair.adjusted >= max(pair.test.pvalue, result.pvalue)


def test_random_permutations_tend_to_the_p_of_all_ways_to_divide_the_rows():
    """Six rows as three samples of two, in 90 ways."""
    P, k = np.array([0.0, 0.2, 0.1, 1.4, 2.0, 1.1])[:, None], Gaussian(1.0)
    values = []
    for first in itertools.combinations(range(6), 2):
        rest = [row for row in range(6) if row not in first]
        for second in itertools.combinations(rest, 2):
            third = [row for row in rest if row not in second]
            values.append(by_pairs([P[list(rows)] for rows in (first, second, third)], k))
    assert len(values) == 90
    exact = np.mean(np.array(values) >= by_pairs([P[:2], P[2:4], P[4:]], k) - 1e-12)
    found = several_test([P[:2], P[2:4], P[4:]], k, n_resamples=20_000, rng=0).pvalue
    assert abs(found - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 20_000)


def test_permutations_stay_within_groups():
    samples = [RNG.normal(size=(3, 1)) for _ in range(3)]
    groups = np.array([0, 1, 2] * 3)
    result = several_test(samples, Gaussian(1.0), n_resamples=20, rng=1, groups=groups)
    P, orders = np.concatenate(samples), np.concatenate(list(permutations(9, 20, 1, groups)))
    expected = [by_pairs(np.split(P[order], 3), Gaussian(1.0)) for order in orders]
    np.testing.assert_allclose(result.null_distribution, expected, rtol=1e-12)
    alone = mmd_test(samples[0], samples[2], Gaussian(1.0), n_resamples=20, rng=1, groups=[0, 1, 2] * 2)
    assert result.pairs[1].test.pvalue == alone.pvalue
    assert "20 permutations within 3 groups." in str(result)


def test_beyond_the_size_of_a_gram_matrix(monkeypatch):
    stored = several_test(SAMPLES, Gaussian(1.0), n_resamples=30, rng=0)
    monkeypatch.setattr(mmd_module, "LARGE", 5)
    tiled = several_test(SAMPLES, Gaussian(1.0), n_resamples=30, rng=0)
    np.testing.assert_allclose(tiled.null_distribution, stored.null_distribution, rtol=1e-12)
    assert [pair.adjusted for pair in tiled.pairs] == [pair.adjusted for pair in stored.pairs]


# all pairs at one level -----------------------------------------------------------------------------------------------


def partitions(members):
    """Yield all ways to call members equal to one another, as lists of lists."""
    if not members:
        yield []
        return
    first, *rest = members
    for others in partitions(rest):
        yield [[first], *others]
        for i, part in enumerate(others):
            yield [*others[:i], [first, *part], *others[i + 1 :]]


@pytest.mark.parametrize("k", range(2, 7))
def test_how_many_pairs_can_be_equal(k):
    counts = {sum(len(part) * (len(part) - 1) // 2 for part in parts) for parts in partitions(list(range(k)))}
    assert equal_pairs(k) == counts


@pytest.mark.parametrize("k", [3, 4, 5])
def test_no_pair_is_adjusted_by_less_than_what_keeps_the_level(k):
    """Whichever pairs are equal: if all others are found first, the least p of the equal ones meets their number."""
    pairs = list(itertools.combinations(range(k), 2))
    for parts in partitions(list(range(k))):
        equal = [any({a, b} <= set(part) for part in parts) for a, b in pairs]
        if len(parts) == 1 or not any(equal):
            continue
        p = np.where(equal, 0.01, 1e-6)
        found = adjusted_pvalues(p, k, 1e-6)
        assert found[equal].min() >= 0.01 * sum(equal) - 1e-12


def test_adjusted_values_rise_with_p_and_are_none_below_the_joint_one():
    p = np.random.default_rng(0).uniform(size=10) ** 3
    found = adjusted_pvalues(p, 5, 0.02)
    assert (np.diff(found[np.argsort(p)]) >= 0).all()
    assert (found >= np.maximum(p, 0.02)).all()
    assert found.max() <= 1
    # 6 of 10 pairs can be equal where not all are; Holm's factor would be 10
    assert adjusted_pvalues([0.001] + [0.9] * 9, 5, 0.0)[0] == pytest.approx(0.006)


def draws(shifts, n=10):
    return lambda rng: [rng.normal(shift, 1.0, (n, 1)) for shift in shifts]


def rejections(draw, count, equal):
    """Return the counts of rejections at 0.2 by the joint test, and by any of the pairs that are `equal`."""
    rng, joint, wrong = np.random.default_rng(0), 0, 0
    for _ in range(count):
        result = several_test(draw(rng), n_resamples=59, rng=rng)
        joint += result.pvalue <= 0.2
        wrong += any(pair.adjusted <= 0.2 for pair in result.pairs if (pair.first, pair.second) in equal)
    return joint, wrong


@pytest.mark.thorough
def test_the_level_holds_where_all_are_equal():
    pairs = set(itertools.combinations(range(4), 2))
    joint, wrong = rejections(draws([0.0] * 4), 200, pairs)
    low, high = binomial(200, 0.2)
    assert low <= joint <= high
    assert wrong <= joint


@pytest.mark.thorough
@pytest.mark.parametrize("shifts", [(0.0, 0.0, 0.0, 3.0), (0.0, 0.0, 3.0, 3.0), (0.0, 0.0, 9.0)], ids=str)
def test_the_level_holds_for_the_pairs_that_are_equal_where_others_are_not(shifts):
    equal = {(a, b) for a, b in itertools.combinations(range(len(shifts)), 2) if shifts[a] == shifts[b]}
    joint, wrong = rejections(draws(shifts), 150, equal)
    assert joint == 150
    assert wrong <= binomial(150, 0.2)[1]


def test_a_sample_that_differs_is_found_among_others():
    rng = np.random.default_rng(0)
    result = several_test(draws((0.0, 0.0, 2.0, 0.0), 20)(rng), n_resamples=199, rng=0)
    assert [(pair.first, pair.second) for pair in result.differing()] == [(0, 2), (1, 2), (2, 3)]
    assert re.search(naming("4 samples", "20, 20, 20, 20 rows", "199 permutations"), str(result))


REFUSED = {
    "one": ([SAMPLES[0]], {}, naming("samples", 1, "two")),
    "another width": ([SAMPLES[0], SAMPLES[1][:, :1]], {}, naming("sample 1", "2 columns", "sample 2", 1)),
    "one row": ([*SAMPLES, SAMPLES[0][:1]], {}, naming("sample 4", "1 row", 2)),
    "few labels": (SAMPLES, {"groups": [0, 1]}, naming("groups", 12)),
    "still": (SAMPLES, {"groups": [0] * 4 + [1] * 8}, naming("samples 1 and 2", "group")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_are_no_samples_is_said(case):
    samples, options, said = REFUSED[case]
    with pytest.raises(Refusal, match=said):
        several_test(samples, **options)


def test_words_beside_numbers_are_said():
    with pytest.raises(TypeError, match=naming("sample", "1", "3")):
        several_test([["a", "b"], ["b", "b"], [1.0, 2.0]], Delta())
