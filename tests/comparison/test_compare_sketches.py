"""`compare` with sketches: the verdict of `mmd_test` for each batch, and refusals if rows are needed."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming, one_sentence_names
from scipy.stats import binom

from explorer import Gaussian, Sketch, compare, mmd_test, plot
from explorer.__main__ import main
from explorer.checks import Refusal
from explorer.comparison import Comparison
from explorer.discrepancy.columns.step_down import holm

RNG = np.random.default_rng(2)
KERNEL, FEATURES = Gaussian(1.0), 200


def table(n, shift=0.0):
    return pd.DataFrame({"a": RNG.normal(shift, 1, n), "b": RNG.normal(size=n)})


def sketch(rows):
    return Sketch.of(rows, KERNEL, FEATURES, missing="drop")


TABLES = [table(3000), table(2000), table(1500, 0.2)]
REFERENCE, *BATCHES = map(sketch, TABLES)
COMPARISON = compare(REFERENCE, BATCHES, rng=0)


def test_each_batch_has_the_p_of_mmd_test_adjusted_for_all():
    each = [mmd_test(REFERENCE, batch, n_resamples=999, rng=0) for batch in BATCHES]
    assert [batch.pvalue for batch in COMPARISON.batches] == [one.pvalue for one in each]
    assert [batch.joint.statistic for batch in COMPARISON.batches] == [one.statistic for one in each]
    adjusted = holm(np.array([one.pvalue for one in each]))
    assert [batch.adjusted for batch in COMPARISON.batches] == adjusted.tolist()
    assert COMPARISON.pvalue == adjusted.min()
    assert [batch.differ for batch in COMPARISON.batches] == [False, True]
    assert (COMPARISON.n, COMPARISON.m) == (3000, 3500)


def test_a_cell_shows_the_verdict_without_a_table_of_columns():
    shown = COMPARISON._repr_html_()
    assert f"p = {COMPARISON.batches[1].adjusted:.3f}" in shown
    assert "<table" not in shown


def test_one_batch_is_compared_as_in_a_list():
    alone = compare(REFERENCE, BATCHES[1], rng=0)
    assert isinstance(alone, Comparison)
    assert alone.batches == ()
    assert alone.pvalue == COMPARISON.batches[1].pvalue


@pytest.mark.parametrize("form", [lambda rows: rows, lambda rows: rows.to_numpy(), lambda rows: dict(rows)])
def test_the_rows_of_a_table_are_summed_in_the_features_of_the_sketch(form):
    assert compare(REFERENCE, form(TABLES[2]), rng=0).pvalue == COMPARISON.batches[1].pvalue
    turned = compare(form(TABLES[2]), REFERENCE, rng=0)  # the reference may be a table as well
    assert turned.joint.statistic == COMPARISON.batches[1].joint.statistic


def test_columns_are_found_by_their_names():
    moved = TABLES[2][["b", "a"]].assign(c=1.0)
    assert compare(REFERENCE, moved, rng=0).pvalue == COMPARISON.batches[1].pvalue


def test_rows_with_empty_cells_are_counted_or_refused():
    gaps = TABLES[2].copy()
    gaps.iloc[:7, 0] = np.nan
    found = compare(REFERENCE, gaps, rng=0)
    assert (found.dropped, found.m) == ((0, 7), 1493)
    assert found.joint.statistic == mmd_test(REFERENCE, sketch(gaps), rng=0).statistic
    assert re.search(naming("missing", "0 and 7"), str(found))
    with pytest.raises(Refusal, match=naming("missing")):
        compare(REFERENCE, gaps, missing="refuse", rng=0)


def test_what_is_said_names_what_sketches_cannot_tell():
    assert re.search(naming("1 of 2 batches", "a", "level 0.05"), str(COMPARISON).splitlines()[0])
    assert re.search(naming("sketches"), str(COMPARISON))
    assert re.search(naming("a and batch 2", "p = 0.001", "3,000 and 1,500 rows"), str(COMPARISON.batches[1]))
    assert (COMPARISON.columns, COMPARISON.pairs, COMPARISON.detectable) == ((), (), ())
    assert json.loads(json.dumps(COMPARISON.to_dict()))["batches"][1]["joint"]["name"] == "the unbiased MMD²"
    page = COMPARISON.to_html()
    assert one_sentence_names(page, "Sketches", "no rows")
    assert "batch 2" in page


@pytest.mark.parametrize(
    "ask",
    [
        lambda one: one.rows("a"),
        lambda one: one.without_influential_rows(),
        lambda one: one.rows_withstood(),
        lambda one: one.median_of_means_test(),
        lambda one: one.level_check(),
        lambda one: one.values("a"),
        plot,
    ],
)
def test_what_is_of_rows_is_refused_with_a_sentence(ask):
    with pytest.raises(Refusal, match=naming("sketches", "rows")):
        ask(COMPARISON.batches[1])


@pytest.mark.parametrize(
    ("given", "options", "facts"),
    [
        ((REFERENCE, None), {}, ("one sketch",)),
        ((REFERENCE, BATCHES), {"columns": ["a"]}, ("columns=", "tables")),
        ((REFERENCE, BATCHES[0]), {"by": "a"}, ("by=", "tables")),
        ((REFERENCE, Sketch.of(TABLES[1], Gaussian(2.0), FEATURES)), {}, ("features",)),
        ((REFERENCE, TABLES[1][["a"]]), {}, ("'b'",)),
        ((REFERENCE, Sketch(KERNEL, FEATURES).update(TABLES[1][:1])), {}, ("b", "1 row")),
        ((REFERENCE, Sketch(KERNEL, FEATURES)), {}, ("b", "0 rows")),
    ],
)
def test_what_cannot_be_compared_is_refused(given, options, facts):
    with pytest.raises(Refusal, match=naming(*facts)):
        compare(*given, **options)


def test_files_of_sketches_are_named_and_reported(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    REFERENCE.save("year.npz")
    BATCHES[0].save("monday.npz")
    TABLES[2].to_csv("tuesday.csv", index=False)
    found = compare("year.npz", ["monday.npz", "tuesday.csv"], rng=0)
    assert found.python.endswith("compare('year.npz', ['monday.npz', 'tuesday.csv'], rng=0)")
    assert [batch.names[1] for batch in found.batches] == ["monday.npz", "tuesday.csv"]
    main(["report", "year.npz", "monday.npz", "tuesday.csv"])
    assert one_sentence_names(capsys.readouterr().out, "tuesday.csv", "p = 0.002")
    assert "tuesday.csv" in (tmp_path / "report.html").read_text()


@pytest.mark.slow
def test_the_level_over_all_batches():
    """A reference and three batches of 300 rows of one distribution, 400 times: any adjusted p <= .05."""
    rng, runs = np.random.default_rng(1), 400
    rejected = 0
    for seed in range(runs):
        first, *others = (Sketch(KERNEL, 60).update(rng.normal(size=(300, 2))) for _ in range(4))
        rejected += compare(first, others, n_resamples=199, rng=seed).differ
    assert rejected <= binom.ppf(0.995, runs, 0.05)
