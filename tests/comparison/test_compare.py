"""`compare`: the joint verdict, columns, batches, rows."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from example_tables import six_columns
from helpers.naming import naming
from scipy.stats import binom, norm

from explorer import compare, mmdagg_test
from explorer.comparison.joint import evidence
from explorer.comparison.pairs import pair_changes
from explorer.comparison.resamples import Resamples
from explorer.discrepancy.columns.scores import number_scores
from explorer.discrepancy.columns.ties import Ties
from explorer.discrepancy.resampling.permutation import splits


def numbers(n, shift=0.0, seed=0):
    return np.random.default_rng(seed).normal(shift, 1.0, (n, 2))


def test_a_column_s_p_by_brute_force():
    """p is computed from ranks under the splits of mmd_test, one split at a time."""
    a, b = numbers(30), numbers(40, 0.3, 1)
    comparison = compare(a, b, n_resamples=99, rng=4)
    found = comparison.columns[1]
    F = number_scores(Ties.of(np.concatenate([a, b])[:, 1]).ranks())
    parts = [np.arange(70) < 30, *splits(70, 30, comparison.resamples, 4)]
    t = np.array([np.square(F[S].mean(axis=0) - F[~S].mean(axis=0)).sum() for S in parts])
    assert found.pvalue == np.mean(t >= t[0] - 1e-12)


def test_all_columns_together_are_mmdagg():
    a, b = numbers(30), numbers(40, 0.5, 1)
    comparison = compare(a, b, n_resamples=99, rng=4)
    assert comparison.joint is not None
    points = [one.X for one in comparison.samples.tables]  # numbers have common scales
    again = mmdagg_test(*points, comparison.joint.kernel, statistic="biased", n_resamples=comparison.resamples, rng=4)
    assert comparison.joint.pvalue == again.pvalue
    assert comparison.joint.values.tolist() == again.values.tolist()


def test_the_joint_p_by_its_definition():
    rng = np.random.default_rng(0)
    first, second = rng.chisquare(3, (100, 4)), rng.chisquare(1, (100, 2))
    z = np.column_stack([(np.cbrt(t) - np.cbrt(t).mean()) / np.cbrt(t).std() for t in np.hstack([first, second]).T])
    shared = np.log((np.array([1 / 8] * 4 + [1 / 4] * 2) / norm.sf(z)).sum(axis=1))
    assert evidence([first], [second]) == pytest.approx(shared)
    of_one = np.log((np.array([1 / 8] * 4 + [1 / 4] * 2) / norm.sf(z)).sum(axis=1))
    assert evidence([first, second], [second[:, :0]]) == pytest.approx(of_one)


def test_a_clear_change_has_the_least_p_that_permutations_give():
    """This holds for any number of kernels: otherwise adjusted p-values of twelve batches would never be small."""
    assert compare(numbers(100), numbers(100, 3.0, 1), n_resamples=199, rng=0).pvalue == 1 / 200


def test_the_verdict_is_the_same_in_any_units():
    a, b = numbers(40), numbers(40, 0.4, 1)
    first = compare(a, b, n_resamples=199, rng=0)
    second = compare(a * [3.0, 1e-3] + [5, -2], b * [3.0, 1e-3] + [5, -2], n_resamples=199, rng=0)
    assert [c.pvalue for c in first.columns] == [c.pvalue for c in second.columns]
    assert second.pvalue == pytest.approx(first.pvalue, abs=0.011)  # rounding may change a tie of two splits
    assert second.columns[0].shift == pytest.approx(3 * first.columns[0].shift)
    assert second.columns[1].interval == pytest.approx([1e-3 * x for x in first.columns[1].interval])


def test_exchanged_samples_differ_by_as_much():
    a, b = six_columns(50, 0), six_columns(60, 1, shift=4)
    one, other = compare(a, b, n_resamples=99, rng=0), compare(b, a, n_resamples=99, rng=0)
    for there, back in zip(one.columns, other.columns, strict=True):
        if there.kind == "number":
            assert back.shift == pytest.approx(-there.shift)
            assert back.superiority == pytest.approx(1 - there.superiority)
        else:
            assert back.shares == {level: (q, p) for level, (p, q) in there.shares.items()}


def test_what_differs_is_found_and_said():
    shifted = compare(six_columns(200, 0), six_columns(200, 1, shift=6), rng=0)
    assert shifted.differ
    assert [column.name for column in shifted.differing] == ["height"]
    height = shifted.columns[0]
    assert height.aspect == "place"
    low, high = height.interval
    assert low < 6 < high
    assert "a and b differ" in str(shifted)
    assert "height" in str(shifted)


def test_a_doubled_spread_is_one():
    spread = compare(six_columns(200, 0), six_columns(200, 1, spread=2), rng=0)
    assert [(column.name, column.aspect) for column in spread.differing] == [("height", "spread")]
    assert "interquartile range" in str(spread)


def test_equal_tables_do_not_differ():
    table = six_columns(40, 0)
    same = compare(table, table, n_resamples=99, rng=0)
    assert same.pvalue == 1
    assert {column.adjusted for column in same.columns} == {1.0}
    assert re.search(naming("a", "b", "p = 1"), str(same))


def test_tables_without_any_variation():
    same = compare(np.ones((5, 2)), np.ones((4, 2)), rng=0)
    assert same.pvalue == 1
    assert same.joint is None
    assert [column.shift for column in same.columns] == [0, 0]


def test_two_rows_each():
    assert compare([[1.0], [2.0]], [[3.0], [4.0]], n_resamples=19, rng=0).pvalue > 0.05


def test_one_row_is_a_sentence():
    with pytest.raises(ValueError, match=naming("b", "1", "two")):
        compare([1.0, 2.0], [3.0], rng=0)


def test_no_second_table_is_a_sentence():
    with pytest.raises(ValueError, match=naming("one table", "by=")):
        compare([1.0, 2.0], rng=0)


def test_batches_are_adjusted_together():
    a, batches = six_columns(80, 0), [six_columns(60, 1), six_columns(60, 2, shift=9), six_columns(60, 3)]
    each = [compare(a, b, n_resamples=199, rng=0).pvalue for b in batches]
    together = compare(a, batches, n_resamples=199, rng=0)
    # scales are computed from all rows
    assert [batch.pvalue for batch in together.batches] == pytest.approx(each, abs=0.05)
    assert [batch.differ for batch in together.batches] == [False, True, False]
    least = min(batch.pvalue for batch in together.batches)
    assert together.pvalue == together.batches[1].adjusted == pytest.approx(3 * least)
    assert [batch.names[1] for batch in together.batches] == ["batch 1", "batch 2", "batch 3"]
    assert together.m == 180
    assert "1 of 3 batches differ" in str(together)


def test_groups_of_one_table():
    table = pd.concat([six_columns(50, k, shift=8 * (k == 10)) for k in (9, 10, 11)])
    table["month"] = np.repeat([9, 10, 11], 50)
    found = compare(table, by="month", n_resamples=199, rng=0)
    assert [batch.names for batch in found.batches] == [("9", "10"), ("9", "11")]  # groups are in numerical order
    assert [batch.differ for batch in found.batches] == [True, False]
    assert "month" not in [column.name for column in found.columns]
    two = compare(table[table.month != 11], by="month", n_resamples=199, rng=0)
    assert not two.batches
    assert two.names == ("9", "10")


def test_groups_of_a_second_table():
    table = pd.concat([six_columns(50, k) for k in (1, 2)]).assign(week=np.repeat(["x", "y"], 50))
    found = compare(six_columns(50, 0), table, by="week", n_resamples=99, rng=0)
    assert [batch.names for batch in found.batches] == [("a", "x"), ("a", "y")]


def test_a_swapped_dependence_is_a_pair_s():
    """The margins are equal, and the correlation is .8 in a and -.8 in b."""
    rng = np.random.default_rng(0)
    a, b = (rng.multivariate_normal([0, 0, 0], [[1, r, 0], [r, 1, 0], [0, 0, 1]], 200) for r in (0.8, -0.8))
    found = compare(a, b, n_resamples=199, rng=0)
    assert [(pair.first, pair.second) for pair in found.pairs if pair.adjusted <= 0.05] == [("x1", "x2")]
    assert not found.differing
    assert found.differ  # the kernels of all columns detect it
    first = found.pairs[0]
    # Spearman's correlation of .8, up to 3 standard errors of 200 rows
    assert first.before == pytest.approx(0.78, abs=0.07)
    assert first.after == pytest.approx(-0.78, abs=0.07)
    plain = json.loads(json.dumps(found.to_dict()))["pairs"][0]
    assert (plain["first"], plain["adjusted"]) == ("x1", first.adjusted)


def test_pairs_meet_the_permutations_of_the_columns():
    a, b = six_columns(40, 0), six_columns(50, 1)
    found = compare(a, b, n_resamples=99, rng=3)
    tables = found.samples.tables
    levels = [len(column.levels) for column in tables.included]
    again = pair_changes(tables[0].X, tables[1].X, levels, Resamples(40, 50, 99, 3))
    assert [pair.adjusted for pair in found.pairs] == [pair.adjusted for pair in again]
    assert len(found.pairs) == 15


def test_rows_most_unlike_the_other_sample():
    a, b = numbers(60), numbers(50, seed=1)
    b[[7, 31]] = [[9, 9], [40, -40]]
    a[3] = [-15, 0]
    found = compare(a, b, n_resamples=19, rng=0)
    assert found.rows("b", 2) == (31, 7)
    assert found.rows("a", 1) == (3,)
    with pytest.raises(ValueError, match=naming("'a'", "'b'")):
        found.rows("c")


def test_rows_are_those_of_the_table_that_was_given():
    b = pd.DataFrame(numbers(50, seed=1), columns=["x1", "x2"])
    b.loc[[0, 20], "x1"] = np.nan
    b.loc[31] = [99.0, 99.0]
    a = pd.DataFrame(numbers(60), columns=["x1", "x2"])
    assert compare(a, b, n_resamples=19, rng=0).rows("b", 1) == (31,)
    found = compare(a, b, missing="drop", n_resamples=19, rng=0)
    assert found.rows("b", 1) == (31,)
    assert found.dropped == (0, 2)
    assert found.m == 48


def test_the_answer_is_json_and_a_frame():
    found = compare(six_columns(40, 0), six_columns(5, 1), n_resamples=19, rng=0)
    plain = json.loads(json.dumps(found.to_dict()))
    assert [column["name"] for column in plain["columns"]] == list(six_columns(2, 0))
    assert plain["columns"][0]["interval"] == ["-inf", "inf"]  # five rows give no interval of a median
    assert plain["joint"]["approximation"] == "exact"
    frame = found.to_frame()
    assert frame.name.tolist() == list(six_columns(2, 0))
    assert frame.adjusted.tolist() == [column.adjusted for column in found.columns]


def test_its_sentence_stays_short():
    rng = np.random.default_rng(0)
    names = [f"a long name of a column, number {k}" for k in range(40)]
    a, b = (pd.DataFrame(rng.normal(shift, 1, (50, 40)), columns=names) for shift in (0, 3))
    said = str(compare(a, b, n_resamples=99, rng=0))
    assert len(said) <= 600
    assert "and 3" in said  # the number of further columns


def test_what_is_not_compared_is_said():
    a, b = six_columns(30, 0).assign(when=pd.date_range("2026-01-01", periods=30)), six_columns(30, 1)
    a.loc[[2, 5], "income"] = np.nan
    found = compare(a, b, missing="drop", n_resamples=19, rng=0)
    assert found.columns_left_out == {"when": "only in a"}
    first, *_, last = str(found).splitlines()
    assert re.search(naming("when (only in a)"), first)
    assert re.search(naming(2, 0), last)


def test_a_generator_and_no_seed_give_answers_too():
    a, b = numbers(20), numbers(20, 3.0, 1)
    assert compare(a, b, n_resamples=99, rng=np.random.default_rng(0)).differ
    found = compare(a, b, n_resamples=99)
    assert compare(a, b, n_resamples=99, rng=found.seed).pvalue == found.pvalue


@pytest.mark.parametrize(
    "wrong", [{"level": 0}, {"level": 1.5}, {"n_resamples": 0}, {"missing": "maybe"}, {"rng": -1}], ids=str
)
def test_wrong_arguments_are_sentences(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        compare(numbers(9), numbers(9), **wrong)


@pytest.mark.thorough
def test_the_level_holds_over_all():
    """The joint verdict and any adjusted column reject 5 % of 200 null pairs, each within a 99.9 % interval."""
    joint = columns = 0
    for k in range(200):
        found = compare(six_columns(40, 2 * k), six_columns(50, 2 * k + 1), n_resamples=99, rng=k)
        joint += found.differ
        columns += bool(found.differing)
    most = binom.ppf(0.999, 200, 0.05)
    assert joint <= most
    assert columns <= most


@pytest.mark.thorough
def test_many_rows_have_the_verdict_of_few():
    """With landmarks and blocks equal distributions are not rejected, and a shift is found in its column alone."""
    a, same, moved = six_columns(6000, 0), six_columns(5000, 1), six_columns(5000, 2, shift=1)
    null, found = compare(a, same, n_resamples=199, rng=0), compare(a, moved, n_resamples=199, rng=0)
    assert null.joint.approximation.startswith("nystrom")
    assert not null.differ
    assert found.differ
    assert [column.name for column in found.differing] == ["height"]


def test_where_no_column_shows_it_the_pair_that_does_is_named():
    """The margins are equal, and the correlation of two of three columns has the opposite sign."""
    rng = np.random.default_rng(0)
    a, b = (rng.multivariate_normal([0, 0, 0], [[1, r, 0], [r, 1, 0], [0, 0, 1]], 150) for r in (0.8, -0.8))
    names = ["weight", "dose", "age"]
    found = compare(pd.DataFrame(a, columns=names), pd.DataFrame(b, columns=names), n_resamples=199, rng=0)
    assert found.differ
    assert not found.differing
    sentence = "No column alone shows it. The dependence between columns does: weight with dose."
    assert sentence in str(found)
    assert sentence[26:] in found.to_html()


def test_levels_that_one_table_lacks_are_named_however_rare():
    rng = np.random.default_rng(0)
    a = pd.DataFrame({"pay": rng.choice(["card", "cash"], 300), "city": "<b>&"})
    b = a.sample(frac=1, random_state=0).reset_index(drop=True)
    b.loc[[5, 100], "pay"], a.loc[7, "pay"] = "crypto", "cheque"
    found = compare(a, b, n_resamples=19, rng=0)
    assert found.new_levels == {"pay": ({"crypto": 2}, {"cheque": 1})}
    assert "crypto (2 rows)" in str(found)
    assert "cheque (1 row)" in found.new_levels_sentence
    assert compare(a, a, n_resamples=19, rng=0).new_levels_sentence == ""


def test_a_median_that_stays_says_whose_share_moved():
    rng = np.random.default_rng(0)
    drawn = (np.where(rng.random(400) < p, rng.choice([5, 10, 15], 400), 0) for p in (0.15, 0.35))
    a, b = (pd.DataFrame({"discount": x, "sales": rng.normal(size=400)}) for x in drawn)
    column = compare(a, b, n_resamples=199, rng=0).columns[0]
    value, p, q = column.common
    assert (column.shift, value) == (0.0, 0.0)
    assert (p, q) == pytest.approx(((a.discount == 0).mean(), (b.discount == 0).mean()))
    assert column.beyond.startswith("0 in ")
