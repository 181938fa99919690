"""Comparisons within subjects: what is permuted, exchanged, left out and counted, and the typical change."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from scipy.stats import binomtest, wilcoxon

from explorer import Gaussian, Linear, Sketch, compare
from explorer.checks import Refusal
from explorer.comparison import compare_groups
from explorer.comparison import subjects as of_subjects
from explorer.comparison.columns import ColumnTests
from explorer.comparison.inputs import CompareOptions, samples_of
from explorer.comparison.subjects import average_at, differences, signed_rank_count, typical_change
from explorer.comparison.within import WithinSubjects
from explorer.discrepancy.mmd.aggregated import Collection
from explorer.discrepancy.resampling.groups import subtract_group_means
from explorer.discrepancy.resampling.matched_pairs import MatchedPairs
from explorer.sketches import files as large

HOW = dict(n_resamples=99, rng=0)


def tables_of_subjects(rng, rows_a, rows_b, shift=0.0, noise=1.0):
    """Return two shuffled tables of subjects whose levels have standard deviation 5, with these numbers of rows."""
    rng = np.random.default_rng(rng)
    level = rng.normal(0, 5, len(rows_a))
    tables = []
    for rows, move in ((rows_a, 0.0), (rows_b, shift)):
        who = np.repeat(np.arange(len(rows)), rows)
        columns = {"subject": who, "x": level[who] + move + noise * rng.normal(size=len(who))}
        columns["mood"] = rng.choice(["good", "bad", "so"], len(who))
        tables.append(pd.DataFrame(columns).sample(frac=1, random_state=rng))
    return tables


def some_groups(rng, subjects=9):
    """Return codes of subjects with 1 to 3 rows in each sample, and the number of rows of each sample."""
    rng = np.random.default_rng(rng)
    each = [np.repeat(np.arange(subjects), rng.integers(1, 4, subjects)) for _ in range(2)]
    return np.concatenate([rng.permutation(codes) for codes in each]), len(each[0]), len(each[1])


# resamples


def of_split(values, groups, first):
    """Return the mean over subjects of b's values minus a's, weighted by precision, and the sum of the weights."""
    apart, weights = [], []
    for who in np.unique(groups):
        a, b = values[first & (groups == who)], values[~first & (groups == who)]
        if len(a) and len(b):
            apart.append(b.mean() - a.mean())
            weights.append(len(a) * len(b) / (len(a) + len(b)))
    return np.average(apart, weights=weights), sum(weights)


def test_splits_differ_by_the_means_of_subjects():
    groups, n, m = some_groups(0)
    values = np.random.default_rng(1).normal(size=(n + m, 1)) + 10.0 * groups[:, None]
    resamples = WithinSubjects(n, m, 400, 0, False, groups)
    found = resamples.differences(values)[:, 0]
    expected = [of_split(values[:, 0], groups, first)[0] for first in resamples.members(slice(None))]
    assert found / np.array(expected) == pytest.approx([found[0] / expected[0]] * 401)
    # their unit: splits deviate as values do, whatever subjects differ in; 400 splits, ± 4 standard errors
    assert found[1:].std() == pytest.approx(values.std(), rel=4 / np.sqrt(2 * 400))


def test_of_given_rows_splits_differ_by_these_alone():
    groups, n, m = some_groups(2)
    rng = np.random.default_rng(3)
    values, given = rng.normal(size=(n + m, 1)) + 10.0 * groups[:, None], rng.random(n + m) < 0.6
    resamples = WithinSubjects(n, m, 50, 0, False, groups)
    found = resamples.differences(values[given], given)[:, 0]
    expected = []
    for first in resamples.members(slice(None)):
        apart, weight = of_split(values[given, 0], groups[given], first[given])
        expected.append(apart * np.sqrt(weight))
    assert found / np.array(expected) == pytest.approx([found[0] / expected[0]] * 51)


def test_rows_stay_with_their_subjects_and_what_subjects_have_in_common_counts_nothing():
    groups, n, m = some_groups(4)
    for by_blocks in (False, True):
        apart = WithinSubjects(n, m, 30, 0, by_blocks, groups).differences(np.eye(9)[groups])
        assert apart == pytest.approx(np.zeros((31, 9)), abs=1e-12)


def test_pairs_are_of_one_subject_and_no_row_is_in_two():
    groups, n, _ = some_groups(5, 40)
    pairs = MatchedPairs.of(groups, n, 0)
    assert (groups[:n][pairs.a] == groups[n:][pairs.b]).all()
    assert len(set(pairs.a.tolist())) == len(set(pairs.b.tolist())) == len(pairs.a)
    both = np.minimum(np.bincount(groups[:n]), np.bincount(groups[n:]))
    assert (np.bincount(groups[:n][pairs.a]) == both).all()
    assert (pairs.rows, pairs.blocks) == (1, both.sum())


def test_many_pairs_are_exchanged_in_blocks():
    groups = np.tile(np.arange(10_000), 2)
    pairs = MatchedPairs.of(groups, 10_000, 0)
    assert (pairs.rows, pairs.blocks) == (3, 3333)
    values = np.random.default_rng(0).normal(size=(20_000, 2))
    values[10_000:] += 0.1
    found = WithinSubjects(10_000, 10_000, 200, 0, True, groups).differences(values)
    apart = (values[10_000:][pairs.b] - values[pairs.a]).mean(axis=0)
    assert (found[0] / apart).std() < 0.1 * (found[0] / apart).mean()
    assert found[1:].std(axis=0) == pytest.approx(values.std(axis=0), rel=4 / np.sqrt(2 * 200))


@pytest.mark.parametrize("automatic", [False, True])
def test_a_linear_kernel_sees_what_scores_see(automatic, monkeypatch):
    """The MMD² of features minus their subject's mean is the squared sum of which differences consist."""
    from explorer.discrepancy.mmd import aggregated

    monkeypatch.setattr(aggregated, "SECONDS", -1.0 if automatic else 1e9)
    groups, n, m = some_groups(6)
    values = np.random.default_rng(7).normal(size=(n + m, 1)) + groups[:, None]
    found = Collection(values[:n], values[n:], [Linear()], None, "biased", 60, 3, automatic, groups).values[:, 0]
    apart = WithinSubjects(n, m, 60, 3, automatic, groups).differences(values)[:, 0] ** 2
    assert found / found[0] == pytest.approx(apart / apart[0], rel=1e-6, abs=1e-9)


def test_means_of_groups_are_taken_off():
    groups, values = np.array([3, 0, 3, 0, 1]), np.array([[1.0], [2.0], [3.0], [6.0], [5.0]])
    assert subtract_group_means(values, groups).ravel().tolist() == [-1.0, -2.0, 1.0, 2.0, 0.0]


def test_p_is_that_of_all_exchanges():
    """Six pairs have 64 exchanges: by 4,000 random ones p is within four standard errors."""
    rng = np.random.default_rng(8)
    words = rng.choice(list("abc"), 12)
    a, b = (pd.DataFrame({"s": range(6), "word": words[part]}) for part in (slice(6), slice(6, 12)))
    samples = samples_of(a, b, CompareOptions(within="s")).of_subjects()
    codes = np.concatenate([one.X[:, 0] for one in samples.tables]).astype(int)
    of_rows = np.eye(3)[codes] / np.sqrt(np.maximum(np.bincount(codes, minlength=3) / 12, 1e-9))
    apart = of_rows[6:] - of_rows[:6]
    signs = np.array(list(product([1.0, -1.0], repeat=6)))
    deviation = np.sqrt(np.square(apart).sum(axis=0))
    every = np.square(signs @ apart * (of_rows.std(axis=0) / deviation)).sum(axis=1)
    exact = np.mean(every >= every[0] * (1 - 1e-9))
    P = np.concatenate([one.X for one in samples.tables])
    tests = ColumnTests.of(P, samples.tables, WithinSubjects(6, 6, 4000, 0, False, samples.groups))
    assert tests.pvalues[0] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 4000) + 1 / 4001)


# the typical change


@pytest.mark.parametrize("values", [[1.0, -2.0, 3.5, 0.0, 0.0, 7.0, -1.0], [0.0] * 6, [2.0], [1.0, 2.0] * 20])
def test_averages_are_found_at_their_places(values, monkeypatch):
    monkeypatch.setattr(of_subjects, "ENUMERATED", 10)
    x = np.sort(values)
    i, j = np.triu_indices(len(x))
    every = np.sort((x[i] + x[j]) / 2)
    assert [average_at(x, place) for place in range(len(every))] == pytest.approx(every.tolist())


def test_the_signed_rank_law_is_that_of_all_signs():
    signs = np.array(list(product([0, 1], repeat=8)))
    T = signs @ np.arange(1, 9)
    for level in (0.01, 0.05, 0.2):
        expected = sum(np.mean(T <= t) <= level / 2 for t in range(37))
        assert signed_rank_count(8, level) == expected
    assert signed_rank_count(5, 0.05) == 0
    assert signed_rank_count(201, 0.05) == pytest.approx(signed_rank_count(200, 0.05), rel=0.02)


def test_the_interval_holds_what_the_signed_rank_test_does_not_reject():
    """Changes are symmetric; for others the interval may be longer."""
    x = np.random.default_rng(0).normal(0, 1, 12)
    x = np.concatenate([x, -x]) + 0.4
    middle, low, high = typical_change(x)
    assert middle == pytest.approx(0.4)
    for end, inside in ((low, 1e-9), (high, -1e-9)):
        assert wilcoxon(x - end - inside).pvalue > 0.05 >= wilcoxon(x - end + inside).pvalue


def test_the_typical_change_moves_with_units():
    x = np.random.default_rng(1).exponential(size=30)
    found, turned = np.array(typical_change(x)), np.array(typical_change(-3 * x))
    assert turned == pytest.approx(-3 * found[[0, 2, 1]])


def test_few_subjects_have_no_limits_and_rounding_makes_no_change():
    assert typical_change(np.arange(5.0))[1:] == (-np.inf, np.inf)
    x, y = np.array([75.8, 1.1]), np.array([75.9, 1.2])
    assert len(set(differences(x, y).tolist())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "exponential", "whole", "mostly 0", "humps"])
@pytest.mark.parametrize("n", [8, 30])
def test_the_interval_holds_the_pseudomedian(kind, n):
    """1,000 samples: the rate is 95 % up to four standard errors and what the docstring says of skewed changes."""
    draw = {
        "normal": lambda rng, n: rng.normal(size=n),
        "exponential": lambda rng, n: rng.exponential(size=n),
        "whole": lambda rng, n: rng.poisson(1.0, n) * 1.0,
        "mostly 0": lambda rng, n: np.where(rng.random(n) < 0.75, 0.0, rng.exponential(size=n)),
        "humps": lambda rng, n: rng.choice([0.0, 5.0], n, p=[0.8, 0.2]) + 0.1 * rng.normal(size=n),
    }[kind]
    x = draw(np.random.default_rng(0), 400_000)
    true = np.median(x[:200_000] + x[200_000:]) / 2
    found = [typical_change(draw(np.random.default_rng([1, s]), n))[1:] for s in range(1000)]
    held = sum(low - 0.003 <= true <= high + 0.003 for low, high in found)
    assert binomtest(held, 1000, 0.94).pvalue > 1e-4 or held > 940


# compare


def test_a_change_within_subjects_is_found_that_samples_hide():
    a, b = tables_of_subjects(0, [1] * 40, [1] * 40, shift=-1.5)
    apart, alone = compare(a, b, within="subject", **HOW), compare(a[["x", "mood"]], b[["x", "mood"]], **HOW)
    column = apart.columns[0]
    assert (apart.differ, alone.differ) == (True, False)
    assert [each.name for each in apart.columns] == ["x", "mood"]
    assert "subject" not in apart.left_out
    change = (b.set_index("subject").x - a.set_index("subject").x).to_numpy()
    assert (column.shift, *column.interval) == pytest.approx(typical_change(change))
    assert column.superiority == np.mean(change > 0)
    assert column.subjects == apart.subjects.both == 40


def test_subjects_of_one_sample_and_rows_without_one_are_left_out_and_counted():
    a, b = tables_of_subjects(1, [2] * 20, [1] * 20)
    a, b = a[a.subject > 2].astype({"subject": object}), b[b.subject < 19]
    a.loc[a.index[:2], "subject"] = None
    found = compare(a, b, within="subject", **HOW)
    who = set(a.subject.dropna()) & set(b.subject)
    assert found.subjects == ("subject", len(who), (1, 3), (2, 0))
    assert found.unmatched == (1, 3)
    assert (found.n, found.m) == (int(a.subject.isin(who).sum()), int(b.subject.isin(who).sum()))
    kept = compare(a[a.subject.isin(who)], b[b.subject.isin(who)], within="subject", **HOW)
    assert [column.interval for column in kept.columns] == [column.interval for column in found.columns]
    assert found.to_dict()["subjects"]["alone"] == [1, 3] or found.to_dict()["subjects"]["alone"] == (1, 3)


def test_names_of_subjects_count_nothing_and_7_is_also_7_0():
    a, b = tables_of_subjects(2, [1] * 15, [2] * 15)
    first = compare(a, b, within="subject", **HOW)
    other = compare(a, b.astype({"subject": float}), within="subject", **HOW)
    words = [each.assign(subject=[f" p{who}" for who in each.subject]) for each in (a, b)]
    for found in (other, compare(*words, within="subject", **HOW)):
        assert found.pvalue == first.pvalue
        assert list(map(str, found.columns)) == list(map(str, first.columns))


def test_what_is_added_to_a_subject_changes_no_interval():
    a, b = tables_of_subjects(3, [1] * 30, [1] * 30, shift=1.0)
    moved = [each.assign(x=each.x + 100.0 * (each.subject % 3)) for each in (a, b)]
    first, second = (compare(*pair, within="subject", **HOW).columns[0] for pair in ((a, b), moved))
    assert second.shift == pytest.approx(first.shift)
    assert second.interval == pytest.approx(first.interval)


def test_subjects_that_changed_their_level_are_counted():
    a = pd.DataFrame({"s": np.repeat(range(12), 3), "word": ["u", "u", "v"] * 12})
    b = pd.DataFrame({"s": np.repeat(range(12), 2), "word": ["u", "v"] * 4 + ["v", "v"] * 8})
    (column,) = compare(a, b, within="s", **HOW).columns
    assert (column.changed, column.subjects) == (8, 12)


def test_gaps_leave_pairs_that_are_whole():
    a, b = tables_of_subjects(4, [1] * 40, [1] * 40, shift=1.0)
    a, b = a.reset_index(drop=True), b.reset_index(drop=True)
    a.loc[:9, "x"], b.loc[:4, "x"] = np.nan, np.nan
    found = compare(a, b, within="subject", **HOW)
    change = (b.set_index("subject").x - a.set_index("subject").x).dropna().to_numpy()
    column = found.columns[0]
    assert column.subjects == len(change)
    assert (column.shift, *column.interval) == pytest.approx(typical_change(change))
    assert [gap.name for gap in found.gaps] == ["x"]


def test_rows_that_both_tables_hold_are_subjects_that_did_not_change():
    a, _ = tables_of_subjects(5, [1] * 60, [1] * 60)
    b = pd.concat([a, tables_of_subjects(6, [1] * 90, [1] * 90)[1][lambda t: t.subject >= 60]])
    found = compare(a, b, within="subject", **HOW)
    assert (found.n, found.m, found.pvalue) == (60, 60, 1.0)
    assert found.samples.compared == ""


def test_each_batch_is_compared_over_the_subjects_that_it_shares():
    a, b = tables_of_subjects(7, [1] * 30, [1] * 30, shift=1.0)
    other = tables_of_subjects(8, [1] * 30, [2] * 30)[1]
    batches = [b[b.subject < 20], other[other.subject > 9]]
    found = compare(a, batches, within="subject", **HOW)
    assert [one.subjects.both for one in found.batches] == [20, 20]
    assert (found.subjects.both, found.unmatched) == (30, (0, 0))
    for one, batch in zip(found.batches, batches, strict=True):
        alone = compare(a, batch, within="subject", **HOW)
        assert (one.n, one.m) == (alone.n, alone.m)
        assert one.columns[0].interval == pytest.approx(alone.columns[0].interval)


def test_groups_of_one_table_have_subjects_and_a_reference():
    a, b = tables_of_subjects(9, [1] * 25, [1] * 25, shift=-2.0)
    table = pd.concat([a.assign(visit="before"), b.assign(visit="after")])
    found = compare(table, by="visit", within="subject", reference="before", **HOW)
    two = compare(a, b, within="subject", **HOW)
    assert found.names == ("before", "after")
    assert found.columns[0].interval == pytest.approx(two.columns[0].interval)
    assert compare(table, by="visit", within="subject", **HOW).names == ("after", "before")


def test_files_in_pieces_have_the_same_subjects(tmp_path, monkeypatch):
    a, b = tables_of_subjects(10, [2] * 30, [1] * 30, shift=1.0)
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for each, file in zip((a[a.subject > 1], b), files, strict=True):
        each.to_csv(file, index=False)
    whole = compare(*files, within="subject", **HOW)
    monkeypatch.setattr(large, "MEGABYTES", 0)
    pieces = compare(*files, within="subject", **HOW)
    assert (pieces.subjects, pieces.n, pieces.m) == (whole.subjects, whole.n, whole.m)
    assert [c.pvalue for c in pieces.columns] == [c.pvalue for c in whole.columns]


def test_what_cannot_be_compared_within_subjects_is_refused():
    a, b = tables_of_subjects(11, [1] * 10, [1] * 10)
    for of, how in (
        ((a, b), dict(within="patient")),
        ((a, b.assign(subject=b.subject + 100)), dict(within="subject")),
        ((pd.concat([a, b]),), dict(by="mood", within="mood")),
        ((a, b), dict(reference="good")),
        ((pd.concat([a, b]),), dict(by="mood", reference="worse")),
        ((Sketch.of(a[["x"]], Gaussian(1.0)), Sketch.of(b[["x"]], Gaussian(1.0))), dict(within="subject")),
    ):
        with pytest.raises(Refusal):
            compare(*of, **how, **HOW)
    found = compare(a, b, within="subject", **HOW)
    for ask in (lambda: found.detectable, found.without_influential_rows, found.rows_withstood):
        with pytest.raises(Refusal, match=naming("'subject'")):
            ask()


def test_the_report_the_median_and_the_level_are_within_subjects():
    a, b = tables_of_subjects(12, [1] * 40, [2] * 40, shift=3.0)
    found = compare(a, b, within="subject", **HOW)
    assert found.differ
    assert found.median_of_means_test().rows == 40
    assert found.median_of_means_test().pvalue <= 0.05
    assert "detectable" not in found.to_dict()
    assert "What would have been found" not in found.to_html()
    check = found.level_check(20, 19)
    assert check.count == 20
    assert check.holds_level


def test_pairs_of_columns_are_permuted_within_subjects():
    rng = np.random.default_rng(13)
    who = np.arange(120)
    x, y = rng.normal(size=(2, 120))
    a = pd.DataFrame({"s": who, "x": x, "y": x + 0.3 * y})
    b = a.assign(x=x + 0.1 * rng.normal(size=120), y=rng.permutation(a.y))
    (same,), (changed,) = (compare(a, t, within="s", **HOW).pairs for t in (a.assign(x=b.x), b))
    assert same.adjusted > 0.05 >= changed.adjusted


# levels


@pytest.mark.slow
@pytest.mark.parametrize("rows", [((1,) * 20, (1,) * 20), ((1, 2, 3, 1) * 5, (2, 1, 1, 3) * 5)])
def test_the_level_is_kept_however_subjects_differ(rows):
    """300 samples: at most 5 % are rejected, up to the 99.9 % point of the binomial distribution."""
    p = [
        compare(*tables_of_subjects(seed, *rows), within="subject", n_resamples=19, rng=seed).pvalue
        for seed in range(300)
    ]
    assert binomtest(int(np.sum(np.array(p) <= 0.05)), 300, 0.05, "greater").pvalue > 1e-3


# all pairs of groups


def arms(rng=0, rows=30):
    rng = np.random.default_rng(rng)
    each = [pd.DataFrame({"arm": arm, "x": rng.normal(move, 1, rows), "y": rng.normal(size=rows)})
            for arm, move in (("a", 0.0), ("b", 0.0), ("c", 2.0))]  # fmt: skip
    return pd.concat(each)


def test_each_two_groups_have_the_p_of_compare_adjusted_for_all_pairs():
    table = arms()
    found = compare_groups(table, by="arm", **HOW)
    assert [pair.names for pair in found.pairs] == list(combinations("abc", 2))
    for first in "ab":
        for batch in compare(table, by="arm", reference=first, **HOW).batches:
            same = [pair for pair in found.pairs if pair.names == (first, batch.names[1])]
            assert all(pair.pvalue == batch.pvalue for pair in same)
    assert found.pvalue == pytest.approx(3 * min(pair.pvalue for pair in found.pairs))
    assert {pair.names for pair in found.differing} == {("a", "c"), ("b", "c")}
    assert found.pvalue == min(pair.adjusted for pair in found.pairs)
    said = found.to_dict()
    assert [line["columns"] for line in said["pairs"]] == [[], ["x"], ["x"]]
    assert found.to_frame().shape == (3, 7)
    space = {}
    exec(f"{found.python.replace('compare_groups(a', 'again = compare_groups(a')}", {"a": table}, space)
    assert space["again"].to_dict() == said
    assert found.to_html().count("<tr>") == 4


def test_more_than_twenty_groups_are_refused():
    with pytest.raises(Refusal, match=naming("21", "20")):
        compare_groups({"g": np.repeat(range(21), 3), "x": np.arange(63) % 7}, by="g", **HOW)


def test_each_two_groups_may_have_subjects():
    a, b = tables_of_subjects(14, [1] * 30, [1] * 30, shift=2.0)
    table = pd.concat([a.assign(visit=1), b[b.subject < 25].assign(visit=2), a[a.subject > 4].assign(visit=3)])
    found = compare_groups(table, by="visit", within="subject", **HOW)
    assert [pair.subjects.both for pair in found.pairs] == [25, 25, 20]
    assert [pair.differ for pair in found.pairs] == [True, False, True]


def test_names_that_are_in_both_tables_are_said_and_others_are_not():
    rng = np.random.default_rng(0)
    names = [f"id{k:03d}" for k in rng.permutation(60)]
    a, b = (pd.DataFrame({"who": names, "x": rng.normal(size=60)}) for _ in range(2))
    found = compare(a, b, n_resamples=9, rng=0)
    assert found.samples.repeated == (("who", 60),)
    assert "compare within who" in found.noted
    assert compare(a, b, within="who", n_resamples=9, rng=0).noted == ""
    other = b.assign(who=[f"id{k:03d}" for k in range(40, 100)])  # a third of them
    assert compare(a, other, n_resamples=9, rng=0).samples.repeated == ()
    numbers = a.assign(who=np.arange(60))  # which count the rows of any two tables
    assert compare(numbers, numbers.assign(x=b.x), n_resamples=9, rng=0).samples.repeated == ()
