"""Permutations within groups: every one as likely as any other, all of few rows, their level, and what is refused."""

import datetime
import itertools
import math
import re

import numpy as np
import pytest
from helpers.naming import naming
from two_samples import all_splits, binomial, by_loops

from explorer import FKMSE, Energy, Gaussian, hsic, hsic_test, mmd2, mmd_test
from explorer.checks import Refusal
from explorer.discrepancy import least_pvalue, permutations, relabellings, splits
from explorer.discrepancy.resampling.groups import subtract_group_means

GROUPS = np.array([0, 0, 1, 1, 2, 0, 1, 2, 2, 1])  # groups of the 4 rows of X and the 6 of Y
X, Y = np.random.default_rng(0).normal(size=(4, 1)), np.random.default_rng(1).normal(size=(6, 1))
P = np.concatenate([X, Y])


def within(S, groups, n):
    """Return which of the splits S (B, N) leave each group as many rows of the first sample as it has."""
    counts = [(S[:, groups == g].sum(axis=1), np.count_nonzero(groups[:n] == g)) for g in np.unique(groups)]
    return np.all([found == own for found, own in counts], axis=0)


def test_every_point_goes_to_a_place_of_its_own_group():
    orders = np.concatenate(list(permutations(10, 300, 0, GROUPS)))
    assert (np.sort(orders, axis=1) == np.arange(10)).all()
    assert (GROUPS[orders] == GROUPS).all()


def test_rows_less_the_mean_of_their_group():
    codes, values = GROUPS + (GROUPS > 0), np.random.default_rng(2).normal(size=(10, 2))  # no row has the code 1
    expected = [row - values[codes == code].mean(axis=0) for row, code in zip(values, codes, strict=True)]
    np.testing.assert_allclose(subtract_group_means(values, codes), expected, rtol=0, atol=1e-14)


def test_every_split_within_groups_is_as_likely_as_any_other():
    allowed = all_splits(10, 4)
    allowed = allowed[within(allowed, GROUPS, 4)]
    S = splits(10, 4, 20_000, 0, GROUPS)
    place = 1 << np.arange(10)
    values, counts = np.unique(S @ place, return_counts=True)
    assert set(values) == set(allowed @ place)
    assert len(allowed) == relabellings(4, 6, GROUPS) == 3 * 6
    expected = 20_000 / len(allowed)
    assert ((counts - expected) ** 2 / expected).sum() < 40.8  # the 0.999 quantile of chi^2 with 17 degrees of freedom


def test_one_group_is_no_group_and_more_resamples_only_append():
    one, many = splits(15, 6, 200, 1), splits(15, 6, 400, 1, np.zeros(15, dtype=int))
    assert (many[:200] == one).all()
    groups = np.arange(15) % 4
    assert (splits(15, 6, 129, 1, groups) == splits(15, 6, 400, 1, groups)[:129]).all()


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Energy()], ids=repr)
def test_the_null_is_mmd2_of_the_splits_and_the_statistic_stays(kernel, statistic):
    result = mmd_test(X, Y, kernel, statistic, n_resamples=40, rng=3, groups=GROUPS)
    assert result.statistic == mmd2(X, Y, kernel, statistic)
    expected = [by_loops(kernel(P), np.flatnonzero(s), statistic) for s in splits(10, 4, 40, 3, GROUPS)]
    np.testing.assert_allclose(result.null_distribution, expected, rtol=0, atol=1e-14)


def test_weights_that_depend_on_the_split_are_permuted_within_groups_too():
    kernel, estimator = Gaussian(1.0), FKMSE(lam=0.1)
    result = mmd_test(X, Y, kernel, "biased", estimator, 10, 3, groups=GROUPS)
    for s, value in zip(splits(10, 4, 10, 3, GROUPS), result.null_distribution, strict=True):
        assert value == pytest.approx(mmd2(P[s], P[~s], kernel, "biased", estimator), abs=1e-12)


@pytest.mark.parametrize("groups", [GROUPS, np.arange(10) % 5, np.array([0, 1, 0, 1, 1, 0, 0, 1, 0, 1])], ids=str)
def test_random_permutations_tend_to_the_p_of_all_within_groups(groups):
    """Every split of ten rows into four and six, those that mix groups left out."""
    allowed = all_splits(10, 4)
    allowed = allowed[within(allowed, groups, 4)]
    K = Gaussian(1.0)(P)
    values = np.array([by_loops(K, np.flatnonzero(s), "unbiased") for s in allowed])
    observed = by_loops(K, range(4), "unbiased")
    exact = np.mean(values >= observed - 1e-12)
    result = mmd_test(X, Y, Gaussian(1.0), n_resamples=20_000, rng=0, groups=groups)
    assert len(allowed) == relabellings(4, 6, groups)
    assert abs(result.pvalue - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 20_000)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_least_p_of_pairs(count):
    """The best of all exchanges within pairs, and the same one with both samples exchanged."""
    rng = np.random.default_rng(0)
    pairs = rng.normal(size=(2, count, 1))
    values = []
    for swaps in itertools.product([False, True], repeat=count):
        swapped = np.where(np.array(swaps)[None, :, None], pairs[::-1], pairs)
        values.append(mmd2(*swapped, Gaussian(1.0)))
    groups = [*range(count)] * 2
    assert relabellings(count, count, groups) == len(values)
    assert np.mean(np.array(values) >= max(values) - 1e-12) == least_pvalue(count, count, groups)


def test_few_permutations_are_said():
    said = str(mmd_test(X[:3], Y[:3], Gaussian(1.0), n_resamples=99, rng=0, groups=["a", "b", "c"] * 2))
    assert re.search(naming("99 permutations", "3 groups", "8", "0.25"), said)
    many = mmd_test(np.arange(20.0), np.arange(20.0), n_resamples=99, rng=0, groups=[*range(20)] * 2)
    assert many.resamples == "permutations within 20 groups"


LABELS = {
    "numbers": [float(g) for g in GROUPS],
    "words": np.array(["ann", "bob", "cy"])[GROUPS],
    "words of a column": np.array(["ann", "bob", "cy"], dtype=object)[GROUPS],
    "one column": GROUPS[:, None],
    "beyond 2^53": [2**60 + int(g) for g in GROUPS],
    "times": np.array(["2026-01-01", "2026-01-02", "2026-01-03"], dtype="datetime64[s]")[GROUPS],
    "days": [datetime.date(2026, 11, 1 + int(g)) for g in GROUPS],
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_labels_of_any_kind(labels):
    expected = mmd_test(X, Y, Gaussian(1.0), n_resamples=30, rng=0, groups=GROUPS)
    found = mmd_test(X, Y, Gaussian(1.0), n_resamples=30, rng=0, groups=labels)
    assert (found.null_distribution == expected.null_distribution).all()


REFUSED = {
    "too few": (GROUPS[:9], naming("groups", "(9,)", 10, "X")),
    "of both samples apart": ((["a"] * 5, ["b"] * 5), naming("groups", "(2, 5)")),
    "one number": (3, naming("groups", "()")),
    "one word": ("a", naming("groups", "text")),
    "missing numbers": ([*range(9), np.nan], naming("groups", 1, "missing", "row 9")),
    "missing words": (["a"] * 9 + [None], naming("groups", 1, "missing", "row 9")),
    "missing times": (np.array(["NaT"] * 10, dtype="datetime64[D]"), naming("groups", 10, "missing")),
    "lists": (np.array([[1], *range(9)], dtype=object), naming("groups", "labels")),
    "nothing moves": ([0] * 4 + [1] * 6, naming("group", "one sample")),
    "all by themselves": (list(range(10)), naming("groups", "p", 1)),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_are_no_groups_is_said(case):
    groups, said = REFUSED[case]
    with pytest.raises(Refusal, match=said):
        mmd_test(X, Y, n_resamples=9, groups=groups)


@pytest.mark.parametrize("word", ["blocks", "strata", "paired", "subjects", "block"])
def test_what_other_libraries_call_groups(word):
    with pytest.raises(TypeError, match=naming("groups")):
        mmd_test(X, Y, **{word: GROUPS})


def paired(n, shift=0.0):
    """Return pairs that differ much among one another and little within, and their groups."""

    def draw(rng):
        middle = rng.normal(size=(n, 2)) * 2
        return middle + rng.normal(size=(n, 2)), middle + rng.normal(size=(n, 2)) + shift, [*range(n)] * 2

    return draw


def rejections(draw, count, levels, blocked=True):
    """Return the number of `count` samples that reject, for each level."""
    rng, p = np.random.default_rng(0), []
    for _ in range(count):
        A, B, groups = draw(rng)
        p.append(mmd_test(A, B, n_resamples=99, rng=rng, groups=groups if blocked else None).pvalue)
    return [np.count_nonzero(np.array(p) <= level) for level in levels]


@pytest.mark.thorough
@pytest.mark.parametrize("n", [20, 50])
def test_pairs_keep_the_level(n):
    """400 paired samples without a difference; permuting across pairs would hardly ever reject."""
    levels = 0.05, 0.2
    for level, found in zip(levels, rejections(paired(n), 400, levels), strict=True):
        assert binomial(400, level)[0] <= found <= binomial(400, level)[1]
    assert max(rejections(paired(n), 100, levels, blocked=False)) < binomial(100, 0.2)[0]


def test_pairs_keep_the_level_of_few():
    low, high = binomial(200, 0.2)
    assert low <= rejections(paired(8), 200, [0.2])[0] <= high


def test_pairs_find_what_is_lost_among_them():
    assert rejections(paired(20, 1.0), 10, [0.05]) > [5] > rejections(paired(20, 1.0), 10, [0.05], blocked=False)


# orders of pairs ------------------------------------------------------------------------------------------------------

BLOCKS = np.array([0, 1, 0, 1, 1, 0, 2, 2])


@pytest.mark.parametrize("statistic", ["biased", "unbiased"])
def test_hsic_s_orders_stay_within_groups(statistic):
    rng = np.random.default_rng(0)
    x, y, k = rng.normal(size=8), rng.normal(size=8), Gaussian(1.0)
    result = hsic_test(x, y, k, k, statistic, n_resamples=20, rng=2, groups=BLOCKS)
    orders = np.concatenate(list(permutations(8, 20, 2, BLOCKS)))
    expected = [hsic(x, y[order], k, k, statistic) for order in orders]
    np.testing.assert_allclose(result.null_distribution, expected, rtol=0, atol=1e-15)
    assert result.statistic == hsic(x, y, k, k, statistic)
    weighed = hsic_test(x, y, k, k, "biased", FKMSE(lam=0.1), 5, 2, groups=BLOCKS)
    expected = [hsic(x, y[order], k, k, "biased", FKMSE(lam=0.1)) for order in orders[:5]]
    np.testing.assert_allclose(weighed.null_distribution, expected, rtol=0, atol=1e-12)


def test_all_orders_within_groups():
    rng = np.random.default_rng(0)
    x, y, k = rng.normal(size=8), rng.normal(size=8), Gaussian(1.0)
    orders = [order for order in itertools.permutations(range(8)) if (BLOCKS[list(order)] == BLOCKS).all()]
    assert len(orders) == math.factorial(3) ** 2 * 2
    values = np.array([hsic(x, y[list(order)], k, k) for order in orders])
    exact = np.mean(values >= values[orders.index(tuple(range(8)))] - 1e-12)
    found = hsic_test(x, y, k, k, n_resamples=20_000, rng=0, groups=BLOCKS).pvalue
    assert abs(found - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 20_000)


@pytest.mark.thorough
def test_dependence_on_the_group_alone_keeps_the_level():
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(6), 5)
    blocked = total = 0
    for _ in range(200):
        middle = rng.normal(size=6)[groups]
        x, y = middle + 0.5 * rng.normal(size=30), middle + 0.5 * rng.normal(size=30)
        blocked += hsic_test(x, y, n_resamples=19, rng=rng, groups=groups).pvalue <= 0.2
        total += hsic_test(x, y, n_resamples=19, rng=rng).pvalue <= 0.2
    low, high = binomial(200, 0.2)
    assert low <= blocked <= high < total


def test_pairs_with_groups_of_their_own_have_no_other_order():
    with pytest.raises(Refusal, match=naming("groups", "p", "1")):
        hsic_test(range(8), range(8), groups=range(8))
    with pytest.raises(Refusal, match=naming("label", "8", "pairs")):
        hsic_test(range(8), range(8), groups=range(7))
