"""Tests of all rows of a user's table when the page draws some of them: the test, its texts, and the copied code."""

import json
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import compare, hsic_test
from explorer.__main__ import main
from explorer.checks import Refusal
from explorer.comparison.verdict import title_of
from explorer.datasets import read_table, read_tables
from explorer.kernels.low_rank import automatic
from explorer.labs.independence import IndependenceLab
from explorer.labs.independence import words as of_pairs
from explorer.labs.independence.script import python as python_of_pairs
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample import words as of_samples
from explorer.labs.twosample.script import python as python_of_samples
from explorer.markup import text_of
from explorer.workbench.titles import titled

HEAD = "a,b,city\n"


def rows(rng, n, shift):
    return HEAD + "".join(f"{rng.normal(shift):.3f},{rng.normal():.3f},{'xyz'[i % 3]}\n" for i in range(n))


@pytest.fixture
def samples(tmp_path, monkeypatch):
    """A Two-sample lab of two files of 90 and 80 rows. It draws 20 rows of each; the folder has the files."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    (tmp_path / "p.csv").write_text(rows(rng, 90, 0.0))
    (tmp_path / "q.csv").write_text(rows(rng, 80, 0.6))
    tables = read_tables(["p.csv", "q.csv"], scale="none", lenient=True)
    lab = TwoSampleLab(source="file", file="p.csv", file2="q.csv", hash=tables[0].hash, hash2=tables[1].hash,
                       lenient=True, n=20, m=20, seed=0, permutations="199", standardise=False)  # fmt: skip
    lab.tables = tables
    return lab


@pytest.fixture
def pairs(tmp_path, monkeypatch):
    """An Independence lab of a file of 80 rows. It draws 20 rows; the folder has the file."""
    monkeypatch.chdir(tmp_path)
    x = np.random.default_rng(3).normal(size=(80, 2)).round(3)
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{a},{a * a + b / 2:.4f}\n" for a, b in x))
    table = read_table("t.csv", standardise=True)
    lab = IndependenceLab(source="file", file="t.csv", hash=table.hash, n=20, permutations="199")
    lab.table = table
    return lab


def test_all_rows_have_the_verdict_of_the_command(samples, capsys):
    found = samples.result(wait=True).compared
    main(["test", "p.csv", "q.csv", "--json"])
    said = json.loads(capsys.readouterr().out)
    assert (found.n, found.m) == (90, 80)
    assert (found.pvalue, found.headline) == (said["pvalue"], said["headline"])
    assert found.pvalue == compare("p.csv", "q.csv", rng=0).pvalue


def test_all_pairs_are_tested_as_the_library_tests_them(pairs):
    test, (x, y) = pairs.result(wait=True).of_all, pairs.table.X.T
    assert test.statistic == hsic_test(x, y, n_resamples=199, rng=pairs.seed).statistic


def test_no_slider_asks_for_them_again(pairs):
    before = pairs.result(wait=True).of_all
    pairs.move(n=30, bandwidth=0.25)
    assert pairs.result().of_all is before
    pairs.move(kernel="LIN")
    assert pairs.result().of_all is None
    assert pairs.result(wait=True).of_all.kernel != before.kernel


def test_no_control_asks_for_the_verdict_again(samples):
    before = samples.result(wait=True).compared
    samples.move(n=30, bandwidth=0.25, kernel="LIN", seed=3, permutations="999", dropped='["P3"]')
    assert samples.result().compared is before
    samples.move(level="0.1")
    assert (samples.result().compared, samples.result().verdict.level) == (before, 0.1)


def test_only_where_some_are_drawn(pairs):
    pairs.move(n=80)
    for lab in (pairs, IndependenceLab(source="wine", n=20)):
        result = lab.result()
        assert "of_all" not in result.pending()
        assert not any("all rows" in work.name for work in lab.cost)


def test_the_verdict_is_of_ones_own_tables_alone(samples):
    assert {"compared"} < set(samples.result().pending())
    for lab in (TwoSampleLab(source="wine", n=20, m=20), TwoSampleLab()):
        assert "compared" not in lab.result().pending()
        assert not any("all rows" in work.name for work in lab.cost)


def test_the_verdict_comes_first_and_one_bandwidth_second(samples):
    said = text_of(of_samples.headline(result := samples.result(), result.row))
    assert "still being computed" in said
    result = samples.result(wait=True)
    said = text_of(of_samples.headline(result, result.row))
    assert said.startswith(result.compared.headline)
    assert re.search(naming("rows drawn", "MMD²"), said)
    assert result.measures["p of the verdict"] == result.compared.pvalue
    assert titled("twosample", result) == f"Two samples: {title_of(result.compared)}"
    samples.move(n=90, m=80)
    assert "rows drawn" not in text_of(of_samples.headline(samples.result(), result.row))


@pytest.mark.parametrize(("chosen", "line"), [(["a"], "columns"), (["b", "a"], "pairs")])
def test_a_column_or_a_pair_alone_has_the_p_of_the_report(samples, chosen, line):
    samples.tables = read_tables(["p.csv", "q.csv"], chosen, scale="none", lenient=True)
    samples.move(columns=json.dumps(chosen))
    result, report = samples.result(wait=True), compare("p.csv", "q.csv", rng=0)
    assert result.compared.pvalue == compare("p.csv", "q.csv", columns=chosen, rng=0).pvalue
    lines = {"columns": report.columns[0], "pairs": report.pairs[0]}
    assert (result.line.pvalue, result.line.adjusted) == (lines[line].pvalue, lines[line].adjusted)
    assert f"adjusted p = {result.line.adjusted:.3g} for all 3 " in text_of(of_samples.headline(result, result.row))


def test_all_columns_by_name_are_those_that_are_compared_unasked(samples):
    """The headline of all columns names what is left out, however they were chosen."""
    for name in ("p", "q"):
        text = (file := Path(f"{name}.csv")).read_text().splitlines()
        file.write_text("\n".join([f"{text[0]},only {name}", *(f"{row},1" for row in text[1:])]) + "\n")
    names = ["a", "b", "city"]
    tables = read_tables(["p.csv", "q.csv"], names, scale="none", lenient=True)
    samples.tables = tables
    samples.move(columns=json.dumps(names), hash=tables[0].hash, hash2=tables[1].hash)
    result = samples.result(wait=True)
    assert result.compared.headline == compare("p.csv", "q.csv", rng=0).headline
    assert set(result.compared.left_out) == {"only p", "only q"}


def test_groups_are_those_with_these_labels(samples):
    rng = np.random.default_rng(0)
    text = "x,g\n" + "".join(f"{rng.normal():.3f},{(10, 9.5, 2)[i % 3]}\n" for i in range(90))
    Path("t.csv").write_text(text)
    table = read_tables(["t.csv"], target="g", scale="none", lenient=True)
    lab = TwoSampleLab(source="file", file="t.csv", hash=table[0].hash, group="g", groups='["10", "2"]', n=20, m=20)
    lab.tables = table
    result = lab.result(wait=True)
    assert result.compared.pvalue == compare("t.csv", by="g", groups=["10", "2"], rng=0).pvalue
    exec(python_of_samples(result), space := {})
    assert space["verdict"].headline == result.compared.headline
    Path("t.csv").write_text(text.replace(",10\n", ",10.0\n", 1))
    table = read_tables(["t.csv"], target="g", scale="none", lenient=True)
    lab.tables = table
    lab.move(hash=table[0].hash)
    assert "in several ways, 10, 10.0" in lab.result(wait=True).compared


def test_the_verdict_says_what_all_pairs_say(pairs):
    result = pairs.result()
    assert re.search(naming("80 rows", "still being computed"), text_of(of_pairs.headline(result)))
    result = pairs.result(wait=True)
    said = text_of(of_pairs.headline(result))
    verdict = "a dependence" if result.of_all.pvalue <= 0.05 else "no dependence"
    assert re.search(naming("80 rows", verdict, f"p = {result.of_all.pvalue:.3g}"), said)
    assert result.all_pvalue == result.of_all.pvalue


def test_groups_may_be_compared_by_some_columns(samples):
    rng = np.random.default_rng(0)
    rows = "".join(f"{x:.3f},{y:.3f},{'ab'[i % 2]}\n" for i, (x, y) in enumerate(rng.normal(size=(60, 2))))
    Path("two.csv").write_text("x,y,g\n" + rows)
    table = read_tables(["two.csv"], target="g", columns=["x"], scale="none", lenient=True)
    fields = {"hash": table[0].hash, "group": "g", "groups": '["a", "b"]', "columns": '["x"]'}
    lab = TwoSampleLab(source="file", file="two.csv", n=20, m=20, **fields)
    lab.tables = table
    found = compare("two.csv", by="g", groups=["a", "b"], columns=["x"], rng=0)
    assert lab.result(wait=True).compared.pvalue == found.pvalue


def test_a_refusal_of_all_pairs_is_said(pairs, monkeypatch):
    """The rows drawn keep their verdict, and no text announces a pending result."""

    def refuse(*args, **kwargs):
        raise Refusal("the points are too large; rescale <them>.")

    monkeypatch.setattr(import_module("explorer.labs.independence.result"), "kernel_of_all", refuse)
    result = pairs.result(wait=True)
    said = of_pairs.headline(result, 0)
    assert "the points are too large; rescale <them>." in text_of(said)
    assert "<them>" not in said
    assert "still being computed" not in text_of(said)
    assert "Of all rows" not in text_of(said)
    assert "p of all rows" not in result.measures
    assert "of_all" not in python_of_pairs(result)


def test_a_refusal_of_the_verdict_is_said(samples, monkeypatch):
    def refuse(*args, **kwargs):
        raise Refusal("the points are too large; rescale <them>.")

    monkeypatch.setattr(import_module("explorer.labs.twosample.result"), "verdict_on", refuse)
    result = samples.result(wait=True)
    said = of_samples.headline(result, 0)
    assert "the points are too large; rescale <them>." in text_of(said)
    assert "<them>" not in said
    assert "p of the verdict" not in result.measures
    assert "verdict" not in python_of_samples(result)


def test_landmarks_are_said_where_they_stand_for_the_kernel(pairs, monkeypatch):
    monkeypatch.setattr(automatic, "SECONDS", 0.0)
    monkeypatch.setattr(automatic, "FEWEST", 10)  # 100 would be every row of these tables, which leave nothing off
    result = pairs.result(wait=True)
    assert result.of_all.approximation.startswith("nystrom of rank")
    said = text_of(of_pairs.headline(result, 0) + of_pairs.caption(result))
    assert re.search(r", approximated by [\d and]+ random landmarks and off by at most [\d.]+", said)


def test_the_copied_lines_repeat_it(pairs, capsys):
    result = pairs.result(wait=True)
    exec(python_of_pairs(result), space := {})
    assert space["result"].pvalue == result.pvalue
    assert space["of_all"].pvalue == result.of_all.pvalue
    assert space["of_all"].statistic == pytest.approx(result.of_all.statistic, rel=1e-9)  # sums in another order


def test_the_copied_lines_repeat_the_verdict(samples, capsys):
    result = samples.result(wait=True)
    exec(python_of_samples(result), space := {})
    assert space["result"].pvalue == result.pvalue
    assert (space["verdict"].pvalue, space["verdict"].headline) == (result.compared.pvalue, result.compared.headline)


def test_the_median_of_many_is_that_of_some():
    from explorer.workbench.kernels import at_median

    assert names_all(at_median("RBF", 6000), "median distance")
    assert not names_all(at_median("RBF", 6000), "6,000")
    assert names_all(at_median("LAP", 6001), "median distance", "6,000")
    assert at_median("LIN", 10**6) == ""
