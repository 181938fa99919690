"""compare(given=): the test is that of y given x, and columns are tested and reported given these."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from scipy.stats import binom

from explorer import Gaussian, Sketch, compare, conditional_test
from explorer.checks import Refusal, WrongType
from explorer.comparison.given import MOST, GivenComparison, given_names
from explorer.comparison.joint import evidence
from explorer.discrepancy.columns.step_down import holm


def customers(n, m, seed=0, change=0.0):
    """Return tables that differ in ages and regions; given these, only the price changes."""
    rng = np.random.default_rng(seed)

    def table(n, older, change):
        age, south = rng.normal(40 + 8 * older, 10, n), rng.random(n) < 0.3 + 0.3 * older
        return pd.DataFrame(
            {
                "age": age,
                "region": np.where(south, "south", "north"),
                "price": 0.1 * age + 2 * south + change + rng.normal(size=n),
                "visits": rng.poisson(1.0, n),
                "plan": np.where(rng.random(n) < 0.3 + 0.3 * south, "full", "basic"),
            }
        )

    return table(n, 0, 0.0), table(m, 1, change)


def test_the_p_of_numbers_is_that_of_conditional_test():
    a, b = (table[["age", "price", "visits"]] for table in customers(60, 70))
    found = compare(a, b, given="age", n_resamples=99, rng=3)
    alone = [conditional_test(a[["age", y]], b[["age", y]], y=y, n_resamples=99, rng=3) for y in ("price", "visits")]
    together = conditional_test(a, b, y=["price", "visits"], n_resamples=99, rng=3)
    null = [np.r_[each.statistic, each.null_distribution] for each in (together, *alone)]
    joint = evidence([null[0][:, None]], [np.column_stack(null[1:])])
    assert found.pvalue == np.mean(joint >= joint[0] - 1e-9)
    one = compare(a, b, given="age", columns=["price"], n_resamples=99, rng=3)
    assert one.pvalue == one.columns[0].pvalue == alone[0].pvalue
    assert found.overlap == pytest.approx(together.overlap, rel=1e-6)
    assert [column.pvalue for column in found.columns] == [each.pvalue for each in alone]
    assert [column.adjusted for column in found.columns] == holm(np.array([each.pvalue for each in alone])).tolist()


def test_a_change_of_what_is_given_does_not_count_and_a_change_given_it_does():
    given = ["age", "region"]
    for seed in range(2):
        a, b = customers(80, 80, seed)
        assert compare(a, b, n_resamples=99, rng=0).differ
        same = compare(a, b, given=given, n_resamples=99, rng=0)
        assert isinstance(same, GivenComparison)
        assert same.given == ("age", "region")
        assert not same.left_out
        assert not same.differ
        dearer = compare(*customers(80, 80, seed, change=1.0), given=given, n_resamples=99, rng=0)
        assert dearer.differ
        assert [column.name for column in dearer.differing] == ["price"]
        low, high = dearer.differing[0].interval
        assert low < 1.0 < high


def test_shares_and_changes_are_those_of_rows_that_are_weighed_alike():
    """For one given category of two levels the sums over the levels have the weights n_1 n_0 / (n_1 + n_0)."""
    a, b = customers(60, 90)
    found = compare(a, b, given="region", columns=["plan", "visits"], n_resamples=19, rng=0)
    plan, visits = found.columns
    sizes = {region: [np.sum(t.region == region) for t in (a, b)] for region in ("north", "south")}
    weights = {region: n * m / (n + m) for region, (n, m) in sizes.items()}
    total = sum(weights.values())
    for k, table in enumerate((a, b)):
        share = sum(w * np.mean(table.plan[table.region == region] == "full") for region, w in weights.items()) / total
        assert plan.shares["full"][k] == pytest.approx(share, rel=1e-9)
    mean = sum(
        w * (b.visits[b.region == region].mean() - a.visits[a.region == region].mean()) for region, w in weights.items()
    )
    assert visits.shift == pytest.approx(mean / total, rel=1e-9)  # with p the shares, as sums of r within levels are 0


def test_a_column_with_gaps_is_tested_over_its_own_cells():
    a, b = customers(70, 80, change=1.5)
    gone = np.random.default_rng(1).random(80) < 0.3
    b.loc[gone, "price"] = np.nan
    found = compare(a, b, given=["age"], columns=["price"], n_resamples=99, rng=0)
    own = conditional_test(a[["age", "price"]], b.loc[~gone, ["age", "price"]], y="price", n_resamples=99, rng=0)
    assert found.columns[0].pvalue == own.pvalue
    assert found.missing["price"][:2] == (0.0, pytest.approx(gone.mean(), abs=0.05))  # weighed
    assert found.gaps[0].adjusted <= 0.05
    holes = compare(
        a, b.assign(price=b.price.fillna(0.0)).assign(age=np.where(gone, np.nan, b.age)), given="age", rng=0
    )
    assert holes.n == 70
    assert 0 < holes.overlap < 0.9  # a missing cell of a given column is a level that a does not have


def test_batches_are_each_compared():
    a, b = customers(60, 60)
    _, c = customers(60, 60, 1, change=1.5)
    found = compare(a, [b, c], given=["age", "region"], n_resamples=99, rng=0)
    assert [batch.differ for batch in found.batches] == [False, True]
    each = [compare(a, one, given=["age", "region"], n_resamples=99, rng=0) for one in (b, c)]
    assert [batch.pvalue for batch in found.batches] == [one.pvalue for one in each]
    # other batches are other rounding of the weights
    assert found.overlap == pytest.approx(min(one.overlap for one in each), rel=1e-9)
    by = pd.concat([a.assign(arm="a"), b.assign(arm="b")])
    assert compare(by, by="arm", given=["age", "region"], n_resamples=99, rng=0).pvalue == each[0].pvalue


def test_it_is_said_everywhere():
    a, b = customers(60, 60)
    found = compare(a, b, given=["age", "region"], columns=["price", "plan"], n_resamples=99, rng=0)
    assert re.search(naming("age and region", "a and b"), str(found).splitlines()[0])
    plain = json.loads(json.dumps(found.to_dict()))
    assert (plain["given"], plain["overlap"]) == (["age", "region"], pytest.approx(found.overlap))
    page = found.to_html()
    for words in ("Given <bdi>age and region</bdi>", "mean difference given age and region"):
        assert words in page
    assert "Rows most unlike" not in page
    assert found.pairs == found.detectable == ()
    assert "given=['age', 'region']" in found.python
    again = eval(found.python.splitlines()[-1], {"compare": compare, "a": a, "b": b})
    assert again.pvalue == found.pvalue
    assert compare(a, b, n_resamples=19, rng=0).to_dict()["given"] == []


def test_little_overlap_is_said():
    a, b = customers(40, 40)
    found = compare(a, b.assign(age=b.age + 500), given="age", n_resamples=19, rng=0)
    assert found.overlap < 0.1
    assert found.overlap_sentence in str(found)
    assert "hardly" in found.overlap_sentence
    none = compare(a.assign(region="east"), b, given="region", n_resamples=19, rng=0)
    assert (none.overlap, none.pvalue) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"given": "income"}, ("'income'", "'age'")),
        ({"given": []}, ("given", "empty")),
        ({"given": ["age", "region"], "columns": ["age"]}, ("all",)),
        ({"given": "number"}, ("'number'",)),
    ],
)
def test_what_cannot_be_given(options, facts):
    a, b = (
        table.assign(number=np.arange(len(table)) + k) for k, table in zip((1000, 5000), customers(40, 40), strict=True)
    )
    with pytest.raises(Refusal, match=naming(*facts)):
        compare(a, b, **options)


def test_what_else_is_refused():
    a, b = customers(20, 20)
    with pytest.raises(WrongType, match="name"):
        compare(a, b, given=3)
    with pytest.raises(Refusal, match="within"):
        given_names("age", within="region")
    with pytest.raises(Refusal, match=naming("given=", "tables")):
        compare(Sketch.of(a[["age"]], Gaussian(1.0), 20), Sketch.of(b[["age"]], Gaussian(1.0), 20), given="age")
    many = pd.DataFrame({"x": np.arange(MOST + 2.0) ** 1.5, "y": np.sin(np.arange(MOST + 2.0))})
    with pytest.raises(Refusal, match="4,000"):
        compare(many[: MOST // 2], many[MOST // 2 :], given="x")
    found = compare(a, b, given="age", n_resamples=19, rng=0)
    for ask in (
        found.without_influential_rows,
        found.rows_withstood,
        found.median_of_means_test,
        found.level_check,
        lambda: found.rows("a"),
    ):
        with pytest.raises(Refusal, match=naming("given")):
            ask()


@pytest.mark.slow
def test_the_level_and_the_coverage_of_the_mean_change():
    """200 samples of 60 + 60: rejections within the binomial limits of .05 at 1 in 1,000, and so are misses of 0."""
    rejected = misses = 0
    for seed in range(200):
        found = compare(*customers(60, 60, seed), given=["age", "region"], n_resamples=39, rng=seed)
        rejected += found.differ
        low, high = found.columns[0].interval
        misses += not low < 0 < high
    assert rejected <= binom.isf(0.001, 200, 0.05)
    assert misses <= binom.isf(0.001, 200, 0.07)
