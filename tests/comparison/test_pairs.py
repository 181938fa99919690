"""Pairs of columns whose dependence differs: influence values, resamples by hand, level, and power."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.naming import names_all
from scipy.stats import binom, norm, rankdata, spearmanr
from scipy.stats.contingency import association, crosstab

from explorer.comparison import dependence, pairs
from explorer.comparison.dependence import OwnScores, indicators, influence_values, number_of_scores, own_scores
from explorer.comparison.pairs import PairChange, comparable, pair_changes, pair_pvalues, pair_statistics
from explorer.comparison.reranked import Ranking, correlations, ranking_of
from explorer.comparison.resamples import Resamples
from explorer.discrepancy.columns.step_down import pvalues
from explorer.discrepancy.columns.ties import Ties
from explorer.printing import minus

LEVELS = [0, 0, 0, 3, 2, 0]  # the columns are those of `six_columns`


def six_columns(n, rng, common=0.0):
    """Return a normal column, a log-normal one, whole numbers with ties, two categories, and a column of mostly zeros.

    They have a Gaussian copula: all correlations are `common`.
    """
    z = np.sqrt(common) * rng.normal(size=(n, 1)) + np.sqrt(1 - common) * rng.normal(size=(n, 6))
    u = norm.cdf(z)
    visits, city, sex = np.floor(-3 * np.log1p(-u[:, 2])), np.searchsorted([0.5, 0.8], u[:, 3]), u[:, 4] > 0.5
    return np.column_stack([z[:, 0], np.exp(z[:, 1]), visits, city, sex, np.maximum(u[:, 5] - 0.7, 0)])


def weighted_correlations(columns, w):
    """Return correlations of the first column's scores with the second's if row i has the share w_i, all by formula."""
    scores = []
    for x, levels in columns:
        if levels is None:
            below = (x[:, None] < x) + (x[:, None] == x) / 2
            u = w @ below
            phi = np.array([-np.cos(np.pi * u), np.cos(2 * np.pi * u)])
        else:
            phi = (x == np.asarray(levels)[:, None]).astype(float)
        phi = phi - (phi @ w)[:, None]
        scores.append(phi / np.sqrt(phi**2 @ w)[:, None])
    return np.einsum("ki,li,i->kl", *scores, w)


def by_derivative(columns):
    """Return r + dr/dε of the shares (1 - ε) / n + ε at row i, ε around 0, shape (k, l, n)."""
    n, step = len(columns[0][0]), 1e-5
    uniform = np.full(n, 1 / n)
    r, values = weighted_correlations(columns, uniform), []
    for i in range(n):
        towards = step * (np.eye(n)[i] - uniform)
        ends = [weighted_correlations(columns, uniform + sign * towards) for sign in (1, -1)]
        values.append(r + (ends[0] - ends[1]) / (2 * step))
    return np.moveaxis(values, 0, -1)


def scores_of(x, levels):
    return OwnScores.of_number(x, 2) if levels is None else OwnScores.of_category(x, np.asarray(levels))


RNG = np.random.default_rng(0)
COLUMNS = {
    "numbers": (RNG.normal(size=14), None),
    "ties": (RNG.integers(0, 4, 14).astype(float), None),
    "mostly zeros": (np.maximum(RNG.normal(size=14), 0), None),
    "category": (RNG.permutation(np.arange(14.0) % 3), [0, 1, 2]),
    "two levels": (RNG.permutation(np.arange(14.0) % 2), [0]),
}
PAIRS = list(itertools.combinations(COLUMNS, 2))
WITH_RANKS = PAIRS[:-1]


@pytest.mark.parametrize("names", WITH_RANKS, ids="-".join)
def test_an_influence_value_is_the_correlation_and_its_derivative_in_the_weight_of_a_row(names):
    columns = [COLUMNS[name] for name in names]
    values = influence_values(*(scores_of(*column) for column in columns))
    # a central difference errs by step² times a third derivative, at most some thousand, and by rounding over step
    np.testing.assert_allclose(values, by_derivative(columns), rtol=0, atol=1e-6)


def test_an_influence_value_of_two_categories_is_that_of_the_jackknife():
    columns = [COLUMNS["category"], COLUMNS["two levels"]]
    values, n = influence_values(*(scores_of(*column) for column in columns)), 14
    r = weighted_correlations(columns, np.full(n, 1 / n))
    without = [weighted_correlations(columns, (np.arange(n) != i) / (n - 1)) for i in range(n)]
    pseudo = np.moveaxis(n * r - (n - 1) * np.array(without), 0, -1)
    np.testing.assert_allclose(values, pseudo - pseudo.mean(axis=-1, keepdims=True) + r[..., None], rtol=0, atol=1e-12)


@pytest.mark.parametrize("names", PAIRS, ids="-".join)
def test_the_mean_influence_value_is_the_correlation_of_the_scores_of_midranks(names):
    def scores(x, levels):
        u = (rankdata(x) - 0.5) / len(x)
        return [-np.cos(np.pi * u), np.cos(2 * np.pi * u)] if levels is None else [x == level for level in levels]

    columns = [COLUMNS[name] for name in names]
    values = influence_values(*(scores_of(*column) for column in columns))
    expected = [[np.corrcoef(p, q)[0, 1] for q in scores(*columns[1])] for p in scores(*columns[0])]
    np.testing.assert_allclose(values.mean(axis=-1), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", ["numbers", "number and category", "categories"])
def test_the_variance_of_influence_values_is_n_times_that_of_the_correlation(kind):
    """400 samples of 200 rows with an underlying correlation of .6: both deviations, to four standard errors."""
    rng, correlations, variances = np.random.default_rng(5), [], []
    for _ in range(400):
        x, y = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 200).T
        first = scores_of(x, None) if kind != "categories" else scores_of(x > 0.3, [0])
        second = scores_of(y, None) if kind == "numbers" else scores_of(np.digitize(y, [-0.5, 0.5]), [0, 1, 2])
        z = influence_values(first, second)
        correlations.append(z.mean(axis=-1))
        variances.append(z.var(axis=-1) / 200)
    ratio = np.sqrt(np.mean(variances, axis=0)) / np.std(correlations, axis=0)
    assert (np.abs(ratio - 1) < 4 / np.sqrt(2 * 400)).all()


def test_the_observed_difference_is_that_of_the_correlations():
    a, b = six_columns(60, RNG, 0.5), six_columns(70, RNG, 0.2)
    za, zb = (influence_values(OwnScores.of_number(x[:, 0], 2), OwnScores.of_number(x[:, 1], 2)) for x in (a, b))
    z = np.concatenate([za, zb], axis=-1).reshape(4, -1)
    difference = Resamples(60, 70, 3, 0).differences(z.T)[0]
    np.testing.assert_allclose(difference, (zb.mean(axis=-1) - za.mean(axis=-1)).ravel(), rtol=0, atol=1e-13)


def all_splits(n, m):
    """Return all splits of n + m rows, the observed one first, as `Resamples` has some of them."""
    first = np.array([np.isin(np.arange(n + m), rows) for rows in itertools.combinations(range(n + m), n)])

    def differences(values, given=None):
        return np.array([values[~s].mean(axis=0) - values[s].mean(axis=0) for s in first])

    return SimpleNamespace(n=n, m=m, count=len(first) - 1, differences=differences)


@pytest.fixture
def few_rows_suffice(monkeypatch):
    monkeypatch.setattr(dependence, "FEWEST", 1)


@pytest.mark.usefixtures("few_rows_suffice")
def test_a_statistic_sums_squared_differences_of_derivatives_over_their_variance():
    rng = np.random.default_rng(3)
    a = np.column_stack([rng.normal(size=(5, 2)), np.arange(5) % 2])
    b = np.column_stack([rng.normal(size=(6, 2)), np.arange(6) % 2])
    kinds, splits = [None, None, [0]], all_splits(5, 6)
    found, statistics = pair_statistics(a, b, [0, 0, 2], splits)
    assert found == [(0, 1), (0, 2), (1, 2)]
    for p, pair in enumerate(found):
        z = [by_derivative([(x[:, j], kinds[j]) for j in pair]).reshape(-1, len(x)) for x in (a, b)]
        z = np.concatenate(z, axis=1)
        weights = [1.0, 0.5, 0.5, 0.5][: len(z)]  # scores of ranks have weight 1, those of distances 1/2
        expected = splits.differences(z.T) ** 2 / (z.var(axis=1) * (1 / 5 + 1 / 6)) @ weights
        # derivatives by differences, see `by_derivative`
        np.testing.assert_allclose(statistics[:, p], expected, rtol=1e-5)


@pytest.mark.usefixtures("few_rows_suffice")
def test_random_resamples_tend_to_the_p_of_all_splits():
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(5, 3)), rng.normal(size=(6, 3))
    exact = pvalues(pair_statistics(a, b, [0] * 3, all_splits(5, 6))[1])
    some = pvalues(pair_statistics(a, b, [0] * 3, Resamples(5, 6, 20_000, 0))[1])
    assert (np.abs(some - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 20_000)).all()


def probability_below(x, y):
    """Return P(U_t < U_i) + P(U_t = U_i) / 2, shape (N, N), with U spread evenly over a row's step in its sample."""
    steps = [((x < each).mean(), (x <= each).mean()) for each in x] + [((y < z).mean(), (y <= z).mean()) for z in y]
    low, high = np.transpose(steps)
    grid = (np.arange(2000) + 0.5) / 2000  # of the row's own height
    own = low[:, None] + (high - low)[:, None] * grid
    return np.mean(np.clip((own[:, None] - low[:, None]) / (high - low)[:, None], 0, 1), axis=-1)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("n", "m"), [(7, 12), (9, 9)])
def test_scores_in_a_group_are_those_of_average_ranks_by_all_pairs_of_rows(n, m, ties):
    rng = np.random.default_rng(n)
    x, y = (rng.integers(0, 3, k) * 1.0 if ties else rng.normal(size=k) for k in (n, m))
    ranking = Ranking(Ties.of(x), Ties.of(y))
    members = rng.permuted(np.arange(n + m) < np.full((4, 1), n), axis=1)
    rows = tuple(np.nonzero(group)[1].reshape(4, -1) for group in (members, ~members))
    if ties:
        below = probability_below(x, y)
    else:
        u = np.concatenate([(rankdata(z) - 0.5) / len(z) for z in (x, y)])
        below = (u < u[:, None]) + (u == u[:, None]) / 2
    for found, which in zip(ranking.scores(members, rows, 2), rows, strict=True):
        for k in range(4):
            u = below[np.ix_(which[k], which[k])].mean(axis=1)
            expected = [-np.cos(np.pi * u), np.cos(2 * np.pi * u)]
            # heights on a grid of 2000 err by 1 / 4000 of a step where two steps begin, scores by 2π times that
            np.testing.assert_allclose(found[:, k], expected, rtol=0, atol=2e-3 if ties else 1e-12)


def test_the_observed_split_has_the_correlations_of_each_sample_s_own_ranks():
    a, b = six_columns(60, RNG, 0.5), six_columns(70, RNG, 0.2)
    columns = [own_scores(x, y, count) for x, y, count in zip(a.T, b.T, LEVELS, strict=True)]
    members = Resamples(60, 70, 3, 0).members(slice(0, 1))
    found = correlations(columns, [ranking_of(column) for column in columns], members)
    for side, each in enumerate(found):
        scores = np.concatenate([column[side].values for column in columns])
        np.testing.assert_allclose(each[0], scores @ scores.T / scores.shape[1], rtol=0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), [(20, 200), (12, 1000), (1000, 12)])
@pytest.mark.parametrize("kind", ["rho .9", "rho .99", "circle"])
def test_strong_dependence_and_unequal_sizes_keep_the_level(kind, n, m):
    """The rate is that of 1000 null tables; influence values alone rejected .09 to .65 of them."""

    def rejected(seed):
        rng = np.random.default_rng(seed)
        rho = {"rho .9": 0.9, "rho .99": 0.99}.get(kind)
        a, b = (circle(k, rng) if rho is None else swapped(k, rho, rng) for k in (n, m))
        return pair_pvalues(a, b, [0, 0], Resamples(n, m, 99, seed))[2][0] <= 0.05

    assert sum(rejected(seed) for seed in range(1000)) <= MOST


def test_few_rows_of_strong_dependence_are_ranked_anew():
    """The rate is that of 60 null circles, 12 + 300; influence values alone reject .4 of them."""
    rejected = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rejected += pair_pvalues(circle(12, rng), circle(300, rng), [0, 0], Resamples(12, 300, 39, seed))[2][0] <= 0.05
    assert rejected <= binom.isf(1e-4, 60, 0.05)


@pytest.mark.parametrize("common", [0.0, 0.9])
def test_a_sample_against_itself_has_p_1(common):
    a = six_columns(50, np.random.default_rng(6), common)
    assert [change.adjusted for change in pair_changes(a, a.copy(), LEVELS, Resamples(50, 50, 19, 0))] == [1] * 15


@pytest.mark.parametrize("relation", ["exchange", "rows", "columns", "units", "seed"])
def test_p_does_not_depend_on_how_tables_are_written(relation):
    """p is about .1, known to .01 with 999 resamples; two of them differ by four deviations of their difference."""
    rng = np.random.default_rng(11)
    a, b, levels, seed = six_columns(30, rng, 0.3), six_columns(90, rng, 0.1), LEVELS, 0
    first = pair_pvalues(a, b, levels, Resamples(30, 90, 999, 0))
    if relation == "exchange":
        a, b = b, a
    elif relation == "rows":
        a, b = rng.permutation(a), rng.permutation(b)
    elif relation == "units":
        b = b * np.where(LEVELS, 1, 1000) + np.where(LEVELS, 0, 5)
    elif relation == "columns":
        a, b, levels = a[:, ::-1], b[:, ::-1], levels[::-1]
    else:
        seed = 1
    second = pair_pvalues(a, b, levels, Resamples(len(a), len(b), 999, seed))
    order = [first[0].index((5 - j, 5 - i) if relation == "columns" else (i, j)) for i, j in second[0]]
    p, q = first[1][order], second[1]
    assert (np.abs(p - q) <= 4 * np.sqrt(2 * np.maximum(p * (1 - p), 0.001) / 999)).all()


def test_of_many_rows_a_part_of_the_larger_sample_is_tested():
    a, b = np.arange(10.0)[:, None], np.arange(10_000.0)[:, None]
    x, y = comparable(a, b, 0)
    assert x is a
    assert len(y) == len(np.unique(y)) == 4086
    assert [len(z) for z in comparable(b, np.arange(30_000.0)[:, None], 0)] == [10_000, 20_000]
    assert np.array_equal(comparable(b, a, 0)[0], comparable(b, a, 0)[0])


def test_increasing_transforms_of_a_column_in_one_sample_change_nothing():
    a, b = six_columns(60, RNG, 0.3), six_columns(70, RNG, 0.3)
    other = b.copy()
    other[:, 0], other[:, 1], other[:, 2] = np.exp(b[:, 0]) - 7, np.log(b[:, 1]), 1e6 * b[:, 2] ** 3
    other[:, 5] = np.sqrt(b[:, 5])
    resamples = Resamples(60, 70, 99, 0)
    before, after = (pair_statistics(a, y, LEVELS, resamples)[1] for y in (b, other))
    np.testing.assert_array_equal(before, after)


def test_names_of_levels_and_the_direction_of_both_samples_change_nothing():
    a, b = six_columns(60, RNG, 0.3), six_columns(70, RNG, 0.3)
    resamples = Resamples(60, 70, 99, 0)
    turned = [np.column_stack([-x[:, :3], (x[:, 3] + 1) % 3, 1 - x[:, 4], -x[:, 5]]) for x in (a, b)]
    before, after = (pair_statistics(*both, LEVELS, resamples)[1] for both in ((a, b), turned))
    np.testing.assert_allclose(before, after, rtol=1e-9)


def test_batches_of_any_size_and_blocks_of_rows(monkeypatch):
    a, b = six_columns(300, RNG, 0.3), six_columns(200, RNG, 0.3)
    resamples = Resamples(300, 200, 99, 0)
    once = pair_statistics(a, b, LEVELS, resamples)[1]
    monkeypatch.setattr(pairs, "HELD", 1)
    np.testing.assert_allclose(pair_statistics(a, b, LEVELS, resamples)[1], once, rtol=1e-12)


def any_rejected(n, m, common, seed, count=99):
    rng = np.random.default_rng(seed)
    a, b = six_columns(n, rng, common), six_columns(m, rng, common)
    return pair_pvalues(a, b, LEVELS, Resamples(n, m, count, seed))[2].min() <= 0.05


LEAST, MOST = binom.ppf(0.005, 1000, 0.05), binom.isf(0.005, 1000, 0.05)


def test_any_pair_is_found_at_most_as_often_as_the_level_says():
    """There are few rows; the limit errs once in 10,000 if the level is .05."""
    assert sum(any_rejected(40, 50, 0.0, seed) for seed in range(100)) <= binom.isf(1e-4, 100, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), [(40, 50), (200, 200)])
@pytest.mark.parametrize("common", [0.0, 0.6])
def test_of_1000_null_pairs_of_tables_the_level_has_its_binomial_interval(n, m, common):
    """The rate is not above it: with strong dependence and few rows the test is conservative."""
    rejected = sum(any_rejected(n, m, common, seed, 199) for seed in range(1000))
    assert rejected <= MOST
    if not common and n == 200:
        assert rejected >= LEAST


@pytest.mark.slow
def test_where_ties_differ_independent_columns_keep_the_level():
    """Shares of zeros, of levels, and numbers of rows differ; no pair is dependent in either table."""

    def rejected(seed):
        rng = np.random.default_rng(seed)
        a, b = (
            np.column_stack(
                [
                    rng.normal(size=n),
                    np.maximum(rng.random(n) - zeros, 0),
                    rng.poisson(rate, n),
                    rng.choice(3, n, p=shares),
                ]
            )
            for n, zeros, rate, shares in ((60, 0.3, 1, [0.5, 0.3, 0.2]), (200, 0.6, 4, [0.2, 0.3, 0.5]))
        )
        return pair_pvalues(a, b, [0, 0, 0, 3], Resamples(60, 200, 99, seed))[2].min() <= 0.05

    assert sum(rejected(seed) for seed in range(1000)) <= MOST


def swapped(n, rho, rng):
    return rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], n)


def circle(n, rng):
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def test_a_swapped_dependence_is_found_and_said_while_other_pairs_stay():
    rng = np.random.default_rng(0)
    a, b = (np.column_stack([swapped(200, rho, rng), rng.normal(size=200)]) for rho in (0.8, -0.8))
    first, *others = pair_changes(a, b, [0] * 3, Resamples(200, 200, 999, 0), ["height", "income", "age"])
    assert first.adjusted == first.pvalue == 0.001
    assert first.before == pytest.approx(spearmanr(a[:, 0], a[:, 1]).statistic, abs=1e-12)
    assert first.after == pytest.approx(spearmanr(b[:, 0], b[:, 1]).statistic, abs=1e-12)
    before, after = (minus(f"{value:.2f}") for value in (first.before, first.after))
    said = f"height and income: Spearman's rank correlation is {before} before and {after} after (adjusted p = 0.001)."
    assert str(first) == said
    assert all(other.adjusted > 0.05 for other in others)


def test_a_circle_is_told_from_independent_columns_by_its_distances():
    rng = np.random.default_rng(1)
    x = circle(200, rng)
    apart = np.column_stack([rng.permutation(x[:, 0]), rng.permutation(x[:, 1])])  # exactly the same columns
    (change,) = pair_changes(x, apart, [0, 0], Resamples(200, 200, 999, 0))
    assert change.adjusted == 0.001
    assert change.measure == "correlation of distances from the medians"
    u = [np.abs((rankdata(column) - 0.5) / 200 - 0.5) for column in x.T]
    assert change.before == pytest.approx(np.corrcoef(*u)[0, 1], abs=1e-12)
    assert change.before < -0.5
    assert abs(change.after) < 0.2


@pytest.mark.parametrize("kind", ["number and category", "categories"])
def test_categories_that_go_with_something_else_are_found(kind):
    rng = np.random.default_rng(2)
    city = rng.integers(0, 4, (2, 200)).astype(float)
    if kind == "categories":
        other = (city + (rng.random((2, 200)) < 0.4)) % 4
    else:
        other = city + rng.normal(size=(2, 200))
    b = np.column_stack([city[1], rng.permutation(other[1])])
    a = np.column_stack([city[0], other[0]])
    levels = [4, 0 if kind == "number and category" else 4]
    (change,) = pair_changes(a, b, levels, Resamples(200, 200, 999, 0))
    assert change.pvalue == 0.001
    for x, value in ((a, change.before), (b, change.after)):
        if levels[1]:
            assert change.measure == "Cramér's V"
            assert value == pytest.approx(association(crosstab(*x.T).count, method="cramer"), abs=1e-12)
        else:
            assert change.measure == "correlation ratio of ranks"
            u = rankdata(x[:, 1])
            means = np.array([u[x[:, 0] == level].mean() for level in range(4)])[x[:, 0].astype(int)]
            assert value == pytest.approx(means.std() / u.std(), abs=1e-12)


def test_perfect_dependence_divides_by_nothing():
    x, y = RNG.normal(size=50), RNG.normal(size=60)
    resamples = Resamples(50, 60, 99, 0)
    same = pair_changes(np.column_stack([x, np.exp(x)]), np.column_stack([y, y**3]), [0, 0], resamples)[0]
    assert (same.pvalue, same.before, same.after) == (1, pytest.approx(1), pytest.approx(1))
    turned = pair_changes(np.column_stack([x, x]), np.column_stack([y, -y]), [0, 0], resamples)[0]
    assert (turned.pvalue, turned.before, turned.after) == (0.01, pytest.approx(1), pytest.approx(-1))


@pytest.mark.parametrize("rows", [1, 2, 9, 40])
def test_what_is_constant_or_has_few_rows_has_p_1(rows):
    rng = np.random.default_rng(0)
    a = np.column_stack([np.ones(rows), rng.normal(size=rows), np.zeros(rows), rng.integers(0, 2, rows)])
    b = np.column_stack([rng.normal(size=rows), rng.normal(size=rows), rng.integers(0, 3, rows), np.ones(rows)])
    changes = pair_changes(a, b, [0, 0, 3, 2], Resamples(rows, rows, 19, 0))
    assert [change.pvalue for change in changes] == [1] * 6
    assert [change.adjusted for change in changes] == [1] * 6
    assert np.isfinite([(change.before, change.after) for change in changes]).all()


def test_one_column_has_no_pair():
    assert pair_changes(RNG.normal(size=(20, 1)), RNG.normal(size=(20, 1)), [0], Resamples(20, 20, 9, 0)) == []


def test_which_scores_a_column_has():
    assert number_of_scores(np.arange(40.0)) == 2
    assert number_of_scores(np.repeat([0.0, 1, 2], [20, 11, 9])) == 1  # nine rows outside two values
    assert number_of_scores(np.repeat([0.0, 1], [30, 10])) == 1
    assert number_of_scores(np.repeat([0.0, 1], [31, 9])) == 0
    assert indicators(np.array([[20, 12, 8], [20, 20, 10]])).tolist() == [0, 1]
    assert indicators(np.array([[20, 12, 5, 6], [20, 20, 5, 7]])).tolist() == [0, 1, -1]
    assert indicators(np.array([[20, 20], [30, 20]])).tolist() == [0]
    assert indicators(np.array([[40, 5], [40, 50]])).tolist() == []
    assert indicators(np.full((2, 100), 20)).tolist() == [*range(8), -1]
    a, b = own_scores(np.arange(40.0) % 2, np.arange(40.0), 0)
    assert a.terms == b.terms == 1


def test_a_pair_is_a_value():
    change = PairChange("a", 3, 0.01, 0.02, 0.5, -0.25, "Spearman's rank correlation")
    assert names_all(str(change), "a and 3", "Spearman's rank correlation", "0.50 before", "−0.25 after", "p = 0.02")
