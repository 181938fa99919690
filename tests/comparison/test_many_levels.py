"""Categories of many levels: the statistic by brute force, its level, its power, and its sentences."""

import math

import numpy as np
import pandas as pd
import pytest
from helpers.naming import names_all
from scipy.special import xlogy

from explorer import compare
from explorer.comparison.columns import ColumnTests
from explorer.comparison.effect_sizes import levels_by_chance
from explorer.comparison.level_power import rows_of_many, share_of_many
from explorer.comparison.resamples import Resamples
from explorer.datasets import read_tables
from explorer.discrepancy.columns.categories import ManyLevels
from explorer.discrepancy.columns.scores import level_scores


def zipf(levels):
    shares = 1 / np.arange(1, levels + 1)
    return shares / shares.sum()


def by_hand(codes, first, levels):
    """Return T of one split, level by level."""
    a, c = (np.bincount(codes[some], minlength=levels) for some in (first, np.ones(len(codes), bool)))
    k, rest = first.sum(), len(codes) - first.sum()
    p, q, h, part = a / k, (c - a) / rest, c / len(codes), k / len(codes)
    spread = math.sqrt(2 * (np.sum(h**2) - 2 * np.sum(h**3) + np.sum(h**2) ** 2))
    some = c > 0
    G = 2 * (xlogy(a[some], a[some] / (c[some] * part)) + xlogy((c - a)[some], (c - a)[some] / (c[some] * (1 - part))))
    return np.sum((p - q) ** 2) / ((1 / k + 1 / rest) * spread) + G.max() * math.sqrt(6) / (2 * math.pi)


@pytest.mark.parametrize(("n", "m", "by_blocks"), [(40, 60, False), (3000, 9000, True), (20, 300, False)])
@pytest.mark.parametrize("gaps", [False, True])
def test_statistics_are_those_of_each_split_counted_by_hand(n, m, by_blocks, gaps):
    rng = np.random.default_rng(0)
    levels, codes = 70, rng.choice(70, n + m, p=zipf(70)).astype(float)
    given = rng.random(n + m) < 0.8 if gaps else np.ones(n + m, bool)
    resamples = Resamples(n, m, 8, 3, by_blocks)
    counts = np.concatenate(list(resamples.counts(codes[given], levels, given if gaps else None)))
    found = ManyLevels.of(codes[given], levels).statistics(counts, counts.sum(axis=1))
    for members, count, statistic in zip(resamples.members(slice(0, 9)), counts, found, strict=True):
        np.testing.assert_array_equal(count, np.bincount(codes[given & members].astype(int), minlength=levels))
        assert statistic == pytest.approx(by_hand(codes[given].astype(int), members[given], levels), rel=1e-9)


def test_both_parts_have_a_deviation_of_about_one():
    rng = np.random.default_rng(1)
    codes = rng.choice(200, 1000, p=zipf(200)).astype(float)
    counts = np.concatenate(list(Resamples(500, 500, 2000, 0).counts(codes, 200)))
    squares = np.square(counts / 250 - np.bincount(codes.astype(int), minlength=200) / 500).sum(axis=1)
    spread = ManyLevels.of(codes, 200).spread * (1 / 500 + 1 / 500)
    # 2000 splits of a skewed distribution: 4 %, plus the error of the limit
    assert squares.std() == pytest.approx(spread, rel=0.1)


def test_a_sample_without_cells_says_nothing():
    category = ManyLevels.of(np.arange(6.0), 6)
    assert category.statistics(np.zeros((1, 6)), np.zeros(1)).tolist() == [0.0]
    assert ManyLevels.of(np.zeros(6), 1).statistics(np.array([[3.0]]), np.array([3.0])).tolist() == [0.0]


def test_up_to_50_levels_the_statistic_is_pearson_s():
    rng = np.random.default_rng(2)
    a, b = (pd.DataFrame({"x": np.char.add("w", rng.integers(0, 50, 300).astype(str))}) for _ in range(2))
    tables = read_tables([a, b])
    P, resamples = np.concatenate([one.X for one in tables]), Resamples(300, 300, 99, 0)
    found = ColumnTests.of(P, tables, resamples).statistics[:, 0]
    scores = level_scores(P[:, 0], 50)
    S = resamples.members(slice(0, 100)).astype(float)
    apart = (1 - S) @ scores / 300 - S @ scores / 300
    np.testing.assert_allclose(found, np.square(apart).sum(axis=1), rtol=1e-11)


def products(rng, n, shares):
    return pd.DataFrame({"sku": rng.choice([f"SKU{j:04d}" for j in range(len(shares))], n, p=shares)})


def test_a_product_among_80_is_found_and_named():
    rng = np.random.default_rng(3)
    p = np.full(80, 0.99 / 79)
    p[7] = 0.01
    q = p * 0.95 / 0.99
    q[7] = 0.05
    found = compare(products(rng, 1000, p), products(rng, 1000, q), n_resamples=199, rng=0)
    (column,) = found.differing
    assert column.levels[0][0] == "SKU0007"
    assert (len(column.shares), column.aspect) == (80, "shares")
    assert sum(both[0] for both in column.shares.values()) == pytest.approx(1)


def test_new_levels_are_counted_beside_those_of_chance():
    rng = np.random.default_rng(4)
    a, b = (products(rng, 1500, zipf(1200)) for _ in range(2))
    found = compare(a, b, n_resamples=19, rng=0)
    new, lost = found.new_levels["sku"]
    assert set(new) == set(b["sku"]) - set(a["sku"])
    assert set(lost) == set(a["sku"]) - set(b["sku"])
    assert names_all(found.new_levels_sentence, f"{len(new):,} levels", "sku", f"{sum(new.values()):,} rows")
    assert len(found.new_levels_sentence) < 400


def test_levels_by_chance_are_those_of_random_splits():
    rng = np.random.default_rng(5)
    codes = rng.choice(60, 90, p=zipf(60))
    totals = np.bincount(codes, minlength=60)
    alone = []
    for _ in range(2000):
        some = np.zeros(90, bool)
        some[rng.choice(90, 30, replace=False)] = True
        alone.append(np.sum((np.bincount(codes[some], minlength=60) == totals) & (totals > 0)))
    assert levels_by_chance(totals, 30, 60) == pytest.approx(np.mean(alone), abs=4 * np.std(alone) / math.sqrt(2000))


def test_the_share_that_would_be_found_is_found_as_often():
    """400 samples of that share replace the draws that are scaled, ±.08, and .04 for scaling."""
    rng, n, p = np.random.default_rng(6), 400, zipf(80)
    totals = np.round(2 * n * p)

    def T(q):
        a, b = rng.multinomial(n, p), rng.multinomial(n, q)
        return ManyLevels.of_totals((a + b).astype(float)).statistics(a[None].astype(float), np.array([float(n)]))[0]

    threshold = np.quantile([T(p) for _ in range(1000)], 0.95)
    change = share_of_many(totals, n, n, threshold)
    q = p * (1 - p[0] - change) / (1 - p[0])
    q[0] = p[0] + change
    assert np.mean([T(q) >= threshold for _ in range(400)]) == pytest.approx(0.8, abs=0.12)


def test_a_difference_that_is_clear_needs_fewer_rows():
    p, q = zipf(80) * 1000, zipf(80)[::-1] * 1000
    assert rows_of_many(p, q, 8.0).a < 500
    assert math.isinf(rows_of_many(p, p, 8.0).a)
    assert math.isinf(rows_of_many(p, q, math.inf).a)


@pytest.mark.parametrize(("levels", "n", "m"), [(80, 60, 60), (80, 20, 300), (1000, 200, 200)])
@pytest.mark.slow
def test_the_level_of_the_column_s_p(levels, n, m):
    """At .05, 400 tables with 99 permutations: an exact test has a rate above .079 with a chance of 1 %."""
    rejected = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        codes = rng.choice(levels, n + m, p=zipf(levels)).astype(float)
        resamples = Resamples(n, m, 99, seed)
        category = ManyLevels.of(codes, levels)
        t = np.concatenate([category.statistics(x, x.sum(axis=1)) for x in resamples.counts(codes, levels)])
        rejected += np.mean(t >= t[0] * (1 - 1e-9)) <= 0.05
    assert rejected / 400 <= 0.079
